"""The token file: whose token it is, what is written, and what a file that is none is told."""

import json
import stat
from pathlib import Path

import pytest

from wavegraph.app.serving.roles import User
from wavegraph.app.serving.tokens import TokenFile, add_token
from wavegraph.graph.errors import SettingsError

KNOWN = {"guest", "staff", "manager"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tokens.jsonl"


def user(path: Path, token: str) -> User | None:
    return TokenFile(path, KNOWN).user(token)


def test_a_token_is_its_owner_s_and_is_kept_as_a_hash(path: Path) -> None:
    dana, desk = add_token(path, "dana", ["guest"], KNOWN), add_token(path, "front desk", ["staff", "manager"], KNOWN)

    assert user(path, dana) == User("dana", frozenset({"guest"}))
    assert user(path, desk) == User("front desk", frozenset({"staff", "manager"}))
    text = path.read_text(encoding="utf-8")
    assert (dana in text, desk in text, len(text.splitlines())) == (False, False, 2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_each_token_is_another(path: Path) -> None:
    made = {add_token(path, "dana", ["guest"], KNOWN) for _ in range(5)}

    assert len(made) == 5
    assert {user(path, token) for token in made} == {User("dana", frozenset({"guest"}))}


@pytest.mark.parametrize("change", [str.upper, lambda token: token[:-1], lambda token: token + "a", lambda token: ""])
def test_another_token_is_nobody_s(path: Path, change: object) -> None:
    token = add_token(path, "dana", ["guest"], KNOWN)
    assert callable(change)

    assert user(path, change(token)) is None


def test_its_hash_is_no_token(path: Path) -> None:
    add_token(path, "dana", ["guest"], KNOWN)

    assert user(path, json.loads(path.read_text(encoding="utf-8"))["sha256"]) is None


def test_a_deleted_line_ends_a_token_of_a_running_server_and_a_new_one_begins(path: Path) -> None:
    dana = add_token(path, "dana", ["guest"], KNOWN)
    file = TokenFile(path, KNOWN)
    noa = add_token(path, "noa", ["guest"], KNOWN)
    assert file.user(noa) == User("noa", frozenset({"guest"}))

    path.write_text(path.read_text(encoding="utf-8").splitlines()[1], encoding="utf-8")

    assert file.user(dana) is None
    assert file.user(noa) is not None


def test_a_line_without_its_end_is_not_written_on(path: Path) -> None:
    dana = add_token(path, "dana", ["guest"], KNOWN)
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")

    noa = add_token(path, "noa", ["guest"], KNOWN)

    assert user(path, dana)
    assert user(path, noa)


def test_notes_and_empty_lines_count_for_nothing_and_a_role_not_known_makes_a_guest(path: Path) -> None:
    token = add_token(path, "dana", ["guest"], KNOWN)
    line = path.read_text(encoding="utf-8").replace('["guest"]', '["boss"]')
    path.write_text(f"# Dana's\n  # hers\n\n \t\n{line}\n", encoding="utf-8")

    assert user(path, token) == User("dana", frozenset({"guest"}))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{broken", "line 2 of the token file"),
        ('{"identity": "x", "sha256": "wg_the-token-itself"}', "sha256: String should match pattern"),
        ('{"identity": "x", "sha256": "' + "a" * 64 + '", "role": "staff"}', "role: Extra inputs"),
    ],
)
def test_a_file_that_is_none_is_refused_by_its_line_and_quotes_no_token(path: Path, line: str, told: str) -> None:
    add_token(path, "dana", ["guest"], KNOWN)
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")

    with pytest.raises(SettingsError, match="line 2") as raised:
        TokenFile(path, KNOWN)

    assert told in str(raised.value)
    assert "wg_" not in str(raised.value)
    with pytest.raises(SettingsError):
        add_token(path, "noa", ["guest"], KNOWN)


def test_a_missing_file_is_told_by_its_name(path: Path) -> None:
    with pytest.raises(SettingsError, match=r"tokens\.jsonl' cannot be read: No such file"):
        TokenFile(path, KNOWN)


@pytest.mark.parametrize("identity", ["", "  ", "a\x1b[2J", "two\nlines", "x" * 201])
def test_an_identity_is_a_name_that_can_be_printed(path: Path, identity: str) -> None:
    with pytest.raises(SettingsError, match="is no identity"):
        add_token(path, identity, ["guest"], KNOWN)
    assert not path.exists()


def test_a_role_that_is_not_known_is_refused(path: Path) -> None:
    with pytest.raises(SettingsError, match="unknown role 'boss'; known: guest, manager, staff"):
        add_token(path, "dana", ["guest", "boss"], KNOWN)
    assert not path.exists()
