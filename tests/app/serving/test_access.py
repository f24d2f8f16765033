"""Where tokens are looked up, as the environment says, and what a request without a good one is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from issuer import Issuer
from langgraph_sdk import Auth
from starlette.exceptions import HTTPException

from wavegraph.app.serving.access import find_user, users_of
from wavegraph.app.serving.roles import User, rules
from wavegraph.app.serving.tokens import add_token
from wavegraph.graph.errors import SettingsError

TOKENS, KEY, JWKS = "WAVEGRAPH_AUTH_TOKENS_FILE", "WAVEGRAPH_AUTH_JWT_KEY_FILE", "WAVEGRAPH_AUTH_JWKS_URL"
DESK = User("front-desk", frozenset({"staff"}))


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with Issuer() as issuer:
        yield issuer


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.jsonl"


def find(authorization: str | None, **environment: str) -> User:
    return find_user(authorization, users_of(environment, rules()))


@pytest.mark.parametrize("environment", [{}, {TOKENS: " "}, {"WAVEGRAPH_AUTH_AUDIENCE": "x"}], ids=str)
def test_without_tokens_and_keys_it_does_not_start(environment: dict[str, str]) -> None:
    with pytest.raises(SettingsError) as raised:
        users_of(environment, rules())
    assert str(raised.value) == (
        f"nobody could use this server: set one of {TOKENS}, {KEY}, {JWKS} (docs/running/deploy.md)"
    )


def test_keys_come_from_one_place() -> None:
    with pytest.raises(SettingsError, match="not from both"):
        users_of({KEY: "key", JWKS: "https://login.example/keys"}, rules())


def test_the_server_s_module_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from runpy import run_module

    for name in (TOKENS, KEY, JWKS):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="nobody could use this server"):
        run_module("wavegraph.app.serving.auth")


def test_a_house_may_have_both(tokens: Path, issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    desk = add_token(tokens, "front-desk", ["staff"], rules().roles)
    both = {TOKENS: str(tokens), JWKS: issuer.jwks_url}

    assert find(f"Bearer {desk}", **both) == DESK
    assert find(f"bearer  {issuer.token()}", **both) == User("guest-7", frozenset({"guest"}))
    assert "WAVEGRAPH_AUTH_AUDIENCE is not set" in caplog.text


def test_audience_issuer_and_claim_are_asked_for(issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    asked = {
        JWKS: issuer.jwks_url,
        "WAVEGRAPH_AUTH_AUDIENCE": "wavegraph",
        "WAVEGRAPH_AUTH_ISSUER": "https://login.example",
        "WAVEGRAPH_AUTH_ROLES_CLAIM": "groups",
    }
    good: dict[str, Any] = {"aud": "wavegraph", "iss": "https://login.example", "groups": ["staff"], "roles": ["guest"]}

    assert find(f"Bearer {issuer.token('front-desk', **good)}", **asked) == DESK
    assert caplog.text == ""
    for name in ("aud", "iss"):
        with pytest.raises(Auth.exceptions.HTTPException) as raised:
            find(f"Bearer {issuer.token(**good | {name: 'other'})}", **asked)
        assert raised.value.status_code == 401


@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer ", "Basic d2c6d2c=", "wg_token", "Bearer wg_no"])
def test_whoever_has_no_token_is_told_401_and_nothing_of_it(tokens: Path, authorization: str | None) -> None:
    add_token(tokens, "front-desk", ["staff"], rules().roles)

    with pytest.raises(Auth.exceptions.HTTPException) as raised:
        find(authorization, **{TOKENS: str(tokens)})

    assert raised.value.status_code == 401
    assert "wg_" not in str(raised.value.detail)


def test_while_keys_cannot_be_fetched_nobody_is_told_that_a_token_is_bad() -> None:
    with Issuer() as issuer:
        issuer.is_down = True
        with pytest.raises(HTTPException) as raised:
            find(f"Bearer {issuer.token()}", **{JWKS: issuer.jwks_url})
    assert raised.value.status_code == 503


@pytest.mark.parametrize("change", ["gone", "broken"])
def test_a_file_that_is_changed_for_the_worse_lets_nobody_in(tokens: Path, change: str) -> None:
    desk = add_token(tokens, "front-desk", ["staff"], rules().roles)
    users = users_of({TOKENS: str(tokens)}, rules())
    assert find_user(f"Bearer {desk}", users) == DESK

    tokens.unlink() if change == "gone" else tokens.write_text("{broken", encoding="utf-8")

    with pytest.raises(HTTPException) as raised:
        find_user(f"Bearer {desk}", users)
    assert raised.value.status_code == 503
