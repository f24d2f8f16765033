"""Credentials are found by name, and never shown."""

import base64
import json
import traceback
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from tables import table

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.property.credentials import (
    Credential,
    EnvironmentSecrets,
    FileSecrets,
    NamedVariables,
    Secrets,
)

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


@table("form", [str, quote, quote_plus, repr, json.dumps, lambda text: json.dumps({"said": text})])
def test_an_adapter_can_scrub_what_its_system_says(form: Callable[[str], str]) -> None:
    credential = EnvironmentSecrets({"MINI_USERNAME": "clerk@inn", "MINI_PASSWORD": 's3"cret\\/wörd'}).credential(
        "mini"
    )
    user, password = opened(credential).values()
    basic = base64.b64encode(f"{user}:{password}".encode()).decode()
    scrubbed = credential.scrub(f"401 for {form(user)} with {form(password)}, Authorization: Basic {basic}")

    assert not any(part in scrubbed for part in ("clerk", "inn", "s3", "cret\\", "/w", basic))
    assert scrubbed.startswith("401 for")


def test_from_the_variables_that_are_named() -> None:
    environ = {"HOTEL_USER": "clerk", "HOTEL_PASS": "s3cret-word"}
    secrets: Secrets = NamedVariables("HOTEL_USER", "HOTEL_PASS", environ)
    assert opened(secrets.credential("mini")) == VALUES
    assert "s3cret-word" not in repr(secrets)
    with pytest.raises(SettingsError, match="no credential for 'mini': set HOTEL_KEY in the environment"):
        NamedVariables("HOTEL_USER", "HOTEL_KEY", environ).credential("mini")


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
