"""Tokens of an identity provider: which are taken, for whom, and that keys are fetched seldom."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from issuer import NO_EXPIRY, Issuer
from jwt.algorithms import ECAlgorithm
from tables import table

from wavegraph.app.serving.jwts import LEEWAY_S, FetchedKeys, FileKeys, Key, KeysUnreachable, Tokens
from wavegraph.app.serving.roles import User
from wavegraph.graph.errors import SettingsError

SECRET = b"a secret of more than thirty-two bytes"
GUEST = User("guest-7", frozenset({"guest"}))
PRIVATE: dict[str, Any] = {
    "RS256": rsa.generate_private_key(65537, 2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}


def public(algorithm: str) -> bytes:
    key = PRIVATE[algorithm].public_key()
    return bytes(key.public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo))


def claims(**more: Any) -> dict[str, Any]:
    return {"sub": "guest-7", "exp": int(time.time()) + 600, **more}


def written(tmp_path: Path, content: bytes) -> FileKeys:
    (tmp_path / "key").write_bytes(content)
    return FileKeys(tmp_path / "key")


class OneKey:
    """The key of an issuer, without a file or an address."""

    def __init__(self, issuer: Issuer) -> None:
        ((self._kid, key),) = issuer.keys.items()
        self._key = Key(key.public_key(), ["ES256"])

    def key(self, kid: str | None) -> Key | None:
        return self._key if kid == self._kid else None


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with Issuer() as issuer:
        yield issuer


def users(keys: Any, **options: Any) -> Tokens:
    return Tokens(keys=keys, roles={"guest", "staff", "manager"}, **options)


@pytest.mark.parametrize("algorithm", PRIVATE)
def test_a_public_key_verifies_its_own_algorithm(tmp_path: Path, algorithm: str) -> None:
    known = users(written(tmp_path, public(algorithm)))

    assert known.user(jwt.encode(claims(), PRIVATE[algorithm], algorithm)) == GUEST
    for other in PRIVATE.keys() - {algorithm}:
        assert known.user(jwt.encode(claims(), PRIVATE[other], other)) is None


def test_the_only_key_verifies_whatever_a_token_calls_it(tmp_path: Path) -> None:
    named = jwt.encode(claims(), PRIVATE["ES256"], "ES256", headers={"kid": "any"})

    assert users(written(tmp_path, public("ES256"))).user(named) == GUEST


def test_of_two_keys_a_token_has_to_name_one(tmp_path: Path) -> None:
    with Issuer() as issuer:
        first, ((_, key),) = issuer.jwks()["keys"], issuer.keys.items()
        issuer.renew("second")
        known = users(written(tmp_path, a_set(*first, *issuer.jwks()["keys"])))

    assert known.user(jwt.encode(claims(), key, "ES256", headers={"kid": "first"})) == GUEST
    assert known.user(jwt.encode(claims(), key, "ES256")) is None
    assert known.user(jwt.encode(claims(), key, "ES256", headers={"kid": "second"})) is None


def test_a_secret_verifies_one_algorithm(tmp_path: Path) -> None:
    known = users(written(tmp_path, SECRET + b"\n"))

    assert known.user(jwt.encode(claims(), SECRET, "HS256")) == GUEST
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        longer = jwt.encode(claims(), SECRET, "HS512")
    assert known.user(longer) is None


def part(content: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def test_a_public_key_is_no_secret_and_no_signature_is_none(tmp_path: Path) -> None:
    known = users(written(tmp_path, public("RS256")))
    for secret in (public("RS256"), public("RS256").strip()):
        signed = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims(roles=['staff']))}"
        made = base64.urlsafe_b64encode(hmac.digest(secret, signed.encode(), hashlib.sha256)).rstrip(b"=").decode()
        assert known.user(f"{signed}.{made}") is None
    for none in ("none", "None", "NONE", ""):
        assert known.user(f"{part({'alg': none})}.{part(claims(roles=['staff']))}.") is None


NOW = int(time.time())
NOBODY_S: dict[str, dict[str, Any]] = {
    "expired": {"expires_in_s": -LEEWAY_S - 5},
    "without an end": {"expires_in_s": NO_EXPIRY},
    "without a name": {"sub": None},
    "a number for a name": {"sub": 7},
    "an empty name": {"sub": ""},
    "a name that cannot be printed": {"sub": "dana\x1b[2J"},
    "not yet valid": {"nbf": NOW + 3600},
    "made in the future": {"iat": NOW + 3600},
    "for another service": {"aud": "elsewhere"},
    "for other services": {"aud": ["elsewhere", "wavegraph2"]},
    "for nobody": {"aud": []},
    "of another issuer": {"iss": "https://elsewhere.example"},
}
HERE = {"aud": "wavegraph", "iss": "https://login.example"}


@pytest.mark.parametrize("wrong", NOBODY_S.values(), ids=NOBODY_S)
def test_a_token_that_is_nobody_s(issuer: Issuer, wrong: dict[str, Any]) -> None:
    known = users(OneKey(issuer), audience="wavegraph", issuer="https://login.example")

    assert known.user(issuer.token(**HERE)) == GUEST
    assert known.user(issuer.token(**HERE | wrong)) is None


@pytest.mark.parametrize("missing", HERE)
def test_an_audience_and_an_issuer_that_are_asked_for_have_to_be_there(issuer: Issuer, missing: str) -> None:
    known = users(OneKey(issuer), audience="wavegraph", issuer="https://login.example")

    assert known.user(issuer.token(**{name: value for name, value in HERE.items() if name != missing})) is None


def test_what_is_not_asked_for_is_not_held_against_it_and_clocks_may_differ(issuer: Issuer) -> None:
    known = users(OneKey(issuer))

    assert known.user(issuer.token(aud="elsewhere", iss="anybody")) == GUEST
    assert known.user(issuer.token(aud=["wavegraph", "more"], expires_in_s=-LEEWAY_S // 2)) == GUEST
    assert users(OneKey(issuer), audience="wavegraph").user(issuer.token(aud=["more", "wavegraph"])) == GUEST


@pytest.mark.parametrize(
    "garbage",
    ["", ".", "..", "a.b.c", "wg_token", "é.ü.ß", f"{part({'alg': 'ES256', 'kid': 7})}.e30.e30", "e30.e30.e30",
     f"{part(['alg'])}.e30.e30", base64.urlsafe_b64encode(b"[" * 100_000).decode() + ".e30.e30"],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_what_is_no_token_is_nobody_s(issuer: Issuer, garbage: str) -> None:
    assert users(OneKey(issuer)).user(garbage) is None


def test_a_changed_token_is_nobody_s(issuer: Issuer) -> None:
    header, _, signature = issuer.token().split(".")

    assert users(OneKey(issuer)).user(f"{header}.{part(claims(roles=['staff']))}.{signature}") is None


ROLES: list[tuple[dict[str, Any], str | None, set[str]]] = [
    ({}, None, {"guest"}),
    ({"roles": ["staff"]}, None, {"staff"}),
    ({"roles": ["staff", "manager", "boss", 7]}, None, {"staff", "manager"}),
    ({"role": "manager"}, None, {"manager"}),
    ({"roles": "guest manager,staff"}, None, {"guest", "manager", "staff"}),
    ({"roles": [], "role": "staff"}, None, {"guest"}),
    ({"roles": {"staff": True}}, None, {"guest"}),
    ({"roles": None, "role": "staff"}, None, {"staff"}),
    ({"roles": ["Staff", "STAFF", "staff "]}, None, {"guest"}),
    ({"roles": ["answer_approvals"]}, None, {"guest"}),
    ({"realm_access": {"roles": ["staff"]}}, "realm_access.roles", {"staff"}),
    ({"realm_access": ["staff"]}, "realm_access.roles", {"guest"}),
    ({"https://hotel.example/roles": ["staff"]}, "https://hotel.example/roles", {"staff"}),
    ({"roles": ["staff"]}, "groups", {"guest"}),
]


@pytest.mark.parametrize(
    ("given", "claim", "roles"),
    ROLES,
    ids=lambda each: str(sorted(each) if isinstance(each, set | frozenset) else each),
)
def test_roles_come_from_their_claim(issuer: Issuer, given: dict[str, Any], claim: str | None, roles: set[str]) -> None:
    found = users(OneKey(issuer), roles_claim=claim).user(issuer.token(**given))

    assert found == User("guest-7", frozenset(roles))


def test_a_set_of_keys_in_a_file_is_searched_by_kid_and_read_again(tmp_path: Path) -> None:
    with Issuer() as issuer:
        keys = written(tmp_path, json.dumps(issuer.jwks()).encode())
        known, before = users(keys), issuer.token()
        assert known.user(before) == GUEST
        issuer.renew("second")
        after = issuer.token()
        assert known.user(after) is None

        written(tmp_path, json.dumps(issuer.jwks()).encode())

        assert (known.user(before), known.user(after)) == (None, GUEST)


def test_the_only_key_of_a_set_needs_no_kid(tmp_path: Path) -> None:
    with Issuer() as issuer:
        ((_, key),) = issuer.keys.items()
        known = users(written(tmp_path, json.dumps(issuer.jwks()).encode()))

        assert known.user(jwt.encode(claims(), key, "ES256")) == GUEST


def a_set(*keys: dict[str, Any]) -> bytes:
    return json.dumps({"keys": keys}).encode()


OCT = {"kty": "oct", "k": base64.urlsafe_b64encode(SECRET).decode(), "kid": "s"}
NO_KEYS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "too short"),
    "a short secret": (b"0123456789012345678901234567890", "at least 32 bytes"),
    "a private key": (
        PRIVATE["ES256"].private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption()),
        "no public key",
    ),
    "a broken key": (b"-----BEGIN PUBLIC KEY-----\nno\n-----END PUBLIC KEY-----", "no public key"),
    "a key for something else": (
        x25519.X25519PrivateKey.generate()
        .public_key()
        .public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo),
        "no public key",
    ),
    "an empty set": (a_set(), "no set of keys"),
    "no set": (b'{"kty": "EC"}', "no set of keys"),
    "broken JSON": (b"{broken", "no set of keys"),
    "a set with a secret": (a_set(OCT), "has to be public"),
    "a set with a private key": (
        a_set({**ECAlgorithm.to_jwk(PRIVATE["ES256"], as_dict=True), "kid": "p"}),
        "has to be public",
    ),
}


@pytest.mark.parametrize(("content", "told"), NO_KEYS.values(), ids=NO_KEYS)
def test_a_file_that_holds_no_usable_key_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    with pytest.raises(SettingsError, match=told) as raised:
        written(tmp_path, content)
    assert SECRET.decode() not in str(raised.value)


def test_two_keys_without_names_are_refused(tmp_path: Path) -> None:
    with Issuer() as issuer:
        (one,) = issuer.jwks()["keys"]
    nameless = {name: value for name, value in one.items() if name != "kid"}
    with pytest.raises(SettingsError, match="`kid` of its own"):
        written(tmp_path, a_set(one, nameless))


def test_a_missing_file_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="gone' cannot be read: No such file"):
        FileKeys(tmp_path / "gone")


def test_keys_are_fetched_once_and_again_for_a_new_one() -> None:
    with Issuer() as issuer:
        known = users(FetchedKeys(issuer.jwks_url, cooldown_duration=0))
        assert [known.user(issuer.token()) for _ in range(3)] == [GUEST] * 3
        assert issuer.fetched == 1

        before = issuer.token()
        issuer.renew("second")

        assert (known.user(issuer.token()), known.user(before)) == (GUEST, None)
        assert known.user(issuer.token(roles=["staff"])) == User("guest-7", frozenset({"staff"}))


def test_made_up_kids_do_not_flood_the_issuer() -> None:
    with Issuer() as issuer:
        known = users(FetchedKeys(issuer.jwks_url))
        ((_, key),) = issuer.keys.items()

        for number in range(20):
            assert known.user(jwt.encode(claims(), key, "ES256", headers={"kid": f"made up {number}"})) is None
        assert known.user(jwt.encode(claims(), key, "ES256")) is None

        assert issuer.fetched == 1


def test_an_issuer_that_is_down_is_not_asked_by_every_request() -> None:
    with Issuer() as issuer:
        issuer.is_down = True
        known = users(FetchedKeys(issuer.jwks_url))
        for _ in range(3):
            with pytest.raises(KeysUnreachable):
                known.user(issuer.token())
        assert issuer.fetched == 1


@pytest.mark.parametrize("offers", ["<html>", ["keys"], {"keys": []}, {"error": "try again"}], ids=str)
def test_an_issuer_that_offers_no_keys_is_asked_again(offers: Any) -> None:
    with Issuer() as issuer:
        known = users(FetchedKeys(issuer.jwks_url, tried_again_after_s=0))
        issuer.offers = offers
        with pytest.raises(KeysUnreachable):
            known.user(issuer.token())

        issuer.offers = None

        assert known.user(issuer.token()) == GUEST


def test_keys_that_were_fetched_outlast_an_issuer_that_goes_down() -> None:
    with Issuer() as issuer:
        known = users(FetchedKeys(issuer.jwks_url))
        assert known.user(issuer.token()) == GUEST
        issuer.is_down = True

        assert known.user(issuer.token()) == GUEST


@pytest.mark.parametrize("url", ["https://login.example/keys", "http://localhost:8080/keys", "http://[::1]/keys"])
def test_keys_come_by_https_or_from_this_machine(url: str) -> None:
    assert FetchedKeys(url).uri == url


@table(
    "url", ["http://login.example/keys", "file:///etc/passwd", "ftp://127.0.0.1/keys", "login.example/keys", "https:"]
)
def test_keys_come_by_a_way_that_nobody_can_change(url: str) -> None:
    with pytest.raises(SettingsError, match="keys are fetched by https"):
        FetchedKeys(url)
