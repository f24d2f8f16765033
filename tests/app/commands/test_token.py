"""`wavegraph token new` prints a token once and keeps its hash."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.serving.roles import User, rules
from wavegraph.app.serving.tokens import TokenFile


def test_a_token_is_printed_alone_and_is_its_owners(tmp_path: Path) -> None:
    file = tmp_path / "tokens.jsonl"

    done = CliRunner().invoke(app, ["token", "new", "front-desk", "--role", "staff", "--file", str(file)])

    assert done.exit_code == 0
    assert TokenFile(file, rules().roles).user(done.stdout.strip()) == User("front-desk", frozenset({"staff"}))
    assert done.stdout.strip() not in done.stderr + file.read_text(encoding="utf-8")
    assert "the token is not shown again" in done.stderr


def test_a_guest_is_who_has_no_role_and_the_file_may_be_the_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tokens.jsonl"
    monkeypatch.setenv("WAVEGRAPH_AUTH_TOKENS_FILE", str(file))

    assert CliRunner().invoke(app, ["token", "new", "dana"]).exit_code == 0

    assert json.loads(file.read_text(encoding="utf-8"))["roles"] == ["guest"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dana", "--role", "boss"], "unknown role 'boss'; known: guest, manager, staff"),
        (["a\x1b[2J"], "is no identity"),
    ],
)
def test_bad_usage_ends_with_2_and_writes_nothing(tmp_path: Path, words: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["token", "new", *words, "--file", str(tmp_path / "tokens.jsonl")])

    assert (done.exit_code, told in done.stderr, done.stdout) == (2, True, "")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["token", "new", "dana", "--file", str(tmp_path / "gone" / "tokens.jsonl")])

    assert (done.exit_code, "No such file" in done.stderr) == (1, True)
