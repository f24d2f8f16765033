"""Credentials are found by name, and never shown."""

import json
import traceback
from pathlib import Path

import pytest

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.credentials import Credential, EnvironmentSecrets, FileSecrets, Secrets

VALUES = {"username": "clerk", "password": "s3cret-word"}


def opened(credential: Credential) -> dict[str, str]:
    return {"username": credential.username.get_secret_value(), "password": credential.password.get_secret_value()}


def test_from_the_environment() -> None:
    secrets: Secrets = EnvironmentSecrets({"MINI_MAIN_USERNAME": "clerk", "MINI_MAIN_PASSWORD": "s3cret-word"})
    assert opened(secrets.credential("mini-main")) == VALUES


@pytest.mark.parametrize("content", [VALUES, {"mini": VALUES, "other": {"username": "x", "password": "y"}}])
def test_from_a_file(tmp_path: Path, content: dict[str, object]) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(json.dumps(content))
    assert opened(FileSecrets(path).credential("mini")) == VALUES
    assert opened(EnvironmentSecrets({"MINI_FILE": str(path)}).credential("mini")) == VALUES


def test_no_repr_shows_a_value(tmp_path: Path) -> None:
    secrets = EnvironmentSecrets({"MINI_USERNAME": "clerk", "MINI_PASSWORD": "s3cret-word"})
    credential = secrets.credential("mini")
    shown = (
        f"{secrets!r} {secrets} {credential!r} {credential} {credential.model_dump()} {credential.model_dump_json()}"
    )
    assert "s3cret-word" not in shown
    assert "clerk" not in shown


def test_what_is_missing_is_named() -> None:
    with pytest.raises(SettingsError, match="no credential for 'mini': set MINI_PASSWORD, or MINI_FILE"):
        EnvironmentSecrets({"MINI_USERNAME": "clerk"}).credential("mini")


@pytest.mark.parametrize("text", ['{"username": "clerk", "pass": "s3cret-word"}', '["s3cret-word"]', "s3cret-word"])
def test_a_broken_file_is_named_without_its_content(tmp_path: Path, text: str) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"no credential for 'mini': .*secrets\.json") as failed:
        FileSecrets(path).credential("mini")
    assert "s3cret-word" not in "".join(traceback.format_exception(failed.value))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is missing or not JSON"):
        FileSecrets(tmp_path / "none.json").credential("mini")
