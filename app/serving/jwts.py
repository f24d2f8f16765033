"""JSON web tokens of an identity provider: the key's own algorithms, an end, and a name are asked of each."""

import json
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from wavegraph.app.serving.reread import Reread
from wavegraph.app.serving.roles import User, user_of
from wavegraph.graph.errors import SettingsError, error_text

LEEWAY_S = 30
"""By how much the clocks of issuer and server may differ."""
SHORTEST_SECRET_BYTES = 32
FETCHED_WITHIN_S = 5
TRIED_AGAIN_AFTER_S = 10
"""An address that has just failed is left alone for so long: its time-outs would use up the server's threads."""
_BY_TYPE = {
    "RSA": ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
    "EC": ["ES256", "ES384", "ES512"],
    "OKP": ["EdDSA"],
}
"""What a key may verify. A secret is never one of a set, so no public key is ever taken for one."""


class KeysUnreachable(Exception):
    """The keys cannot be fetched just now; nothing is known of the token."""


@dataclass(frozen=True)
class Key:
    key: Any
    algorithms: list[str]


class Keys(Protocol):
    def key(self, kid: str | None) -> Key | None:
        """Raises KeysUnreachable."""


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """Knows the users of an issuer's tokens."""

    keys: Keys
    roles: Collection[str]
    audience: str | None = None
    issuer: str | None = None
    roles_claim: str | None = None
    """Name of the claim that holds the roles, or a path to it, `realm_access.roles`; None = `roles`, else `role`."""

    def user(self, token: str) -> User | None:
        """Whose token it is; None = not a known token. Raises KeysUnreachable."""
        try:
            key = self.keys.key(jwt.get_unverified_header(token).get("kid"))
            claims = self._claims(token, key) if key else None
        except (jwt.PyJWTError, RecursionError):
            return None
        return user_of(claims["sub"], self._roles(claims), self.roles) if claims else None

    def _claims(self, token: str, key: Key) -> dict[str, Any]:
        return jwt.decode(
            token,
            key.key,
            algorithms=key.algorithms,
            audience=self.audience,
            issuer=self.issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "sub"], "verify_aud": self.audience is not None},
        )

    def _roles(self, claims: Mapping[str, Any]) -> set[str]:
        names = [self.roles_claim] if self.roles_claim else ["roles", "role"]
        found: Any = next((value for name in names if (value := _claim(claims, name)) is not None), [])
        given = found.replace(",", " ").split() if isinstance(found, str) else found
        return {role for role in given if isinstance(role, str)} if isinstance(given, list) else set()


def _claim(claims: Mapping[str, Any], name: str) -> Any:
    if name in claims:  # a name may be an address, with dots
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


class FileKeys:
    """The key, or the set of keys, in a file."""

    def __init__(self, path: Path) -> None:
        """Raises SettingsError for a file that cannot be used."""
        self._file = Reread(path, _keys_of)
        try:
            self._file.get()
        except OSError as error:
            raise SettingsError(f"the key file {str(path)!r} cannot be read: {error.strerror or error}") from None

    def key(self, kid: str | None) -> Key | None:
        keys = self._file.get()
        if None in keys or (kid is None and len(keys) == 1):
            return next(iter(keys.values()))
        return keys.get(kid)


def _keys_of(path: Path, content: bytes) -> dict[str | None, Key]:
    """By `kid`; None = the only key. Raises SettingsError."""
    text = content.strip()
    if text.startswith(b"{"):
        return _set_of(path, text)
    if text.startswith(b"-----BEGIN"):
        return {None: _public_key(path, text)}
    if len(text) < SHORTEST_SECRET_BYTES:
        raise SettingsError(
            f"the secret in {str(path)!r} is too short: at least {SHORTEST_SECRET_BYTES} bytes are expected"
        )
    return {None: Key(text, ["HS256"])}


def _public_key(path: Path, text: bytes) -> Key:
    kinds: list[tuple[type, str]] = [(RSAPublicKey, "RSA"), (EllipticCurvePublicKey, "EC"), (Ed25519PublicKey, "OKP")]
    try:
        key = load_pem_public_key(text)
        return Key(key, next(_BY_TYPE[name] for kind, name in kinds if isinstance(key, kind)))
    except (ValueError, UnsupportedAlgorithm, StopIteration):
        message = f"{str(path)!r} holds no public key of RSA, EC or Ed25519 (-----BEGIN PUBLIC KEY-----)"
        raise SettingsError(message) from None


def _set_of(path: Path, text: bytes) -> dict[str | None, Key]:
    try:
        found = jwt.PyJWKSet.from_dict(json.loads(text))
    except (ValueError, jwt.PyJWTError) as error:
        raise SettingsError(f"{str(path)!r} is no set of keys (JWKS): {error_text(error)}") from None
    keys: dict[str | None, Key] = {each.key_id: key for each in found.keys if (key := _of_set(each))}
    if len(keys) < len(found.keys) or (None in keys and len(keys) > 1):
        raise SettingsError(f"each key in {str(path)!r} has to be public (no `oct`) and to have a `kid` of its own")
    return keys


def _of_set(found: jwt.PyJWK) -> Key | None:
    """For the one algorithm it names, or is usual for its type; None = a secret, or a private key."""
    name = found.algorithm_name
    is_public = name in _BY_TYPE.get(found.key_type or "", []) and not hasattr(found.key, "sign")
    return Key(found.key, [name]) if is_public else None


class FetchedKeys(jwt.PyJWKClient):
    """The set of keys at an address. It is kept for five minutes; an unknown `kid` has it fetched again, twice a minute
    at most."""

    def __init__(self, url: str, *, tried_again_after_s: float = TRIED_AGAIN_AFTER_S, **options: Any) -> None:
        """Raises SettingsError."""
        if not _is_safe(url):
            raise SettingsError(f"keys are fetched by https, or by http from this machine alone, not from {url!r}")
        super().__init__(url, timeout=FETCHED_WITHIN_S, **options)
        self._pause_s = tried_again_after_s
        self._failed_at: float | None = None

    def fetch_data(self) -> Any:
        if self._failed_at is not None and time.monotonic() - self._failed_at < self._pause_s:
            raise jwt.PyJWKClientConnectionError("the keys could not be fetched a moment ago")
        try:
            found = super().fetch_data()
        except (jwt.PyJWTError, ValueError) as error:
            self._failed_at = time.monotonic()
            raise jwt.PyJWKClientConnectionError(error_text(error)) from error
        self._failed_at = None
        return found

    def key(self, kid: str | None) -> Key | None:
        if kid is None:
            return None
        try:
            return _of_set(self.get_signing_key(kid))
        except jwt.PyJWKClientConnectionError as error:
            raise KeysUnreachable(error_text(error)) from error
        except jwt.PyJWTError:
            return None


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    host = parts.hostname or ""
    return (parts.scheme == "https" and host != "") or (parts.scheme == "http" and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
