"""Tokens of a small house: random ones, kept as hashes in a file.

A line is a JSON object, `{"identity": "front-desk", "roles": ["staff"], "sha256": "…"}`; deleting it ends the token.
The tokens hold 256 random bits, so a plain hash of one cannot be turned back.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from wavegraph.app.serving.reread import Reread
from wavegraph.app.serving.roles import User, user_of
from wavegraph.graph.errors import SettingsError

PREFIX = "wg_"
"""By which a token is known where it was left by mistake."""


class KeptToken(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    identity: str
    roles: list[str] = Field(default_factory=list)
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class TokenFile:
    """Knows the users of a file of tokens."""

    def __init__(self, path: Path, roles: Collection[str]) -> None:
        """Raises SettingsError for a file that cannot be used."""
        self._roles = roles
        self._file = Reread(path, _kept)
        try:
            self._file.get()
        except OSError as error:
            raise SettingsError(f"the token file {str(path)!r} cannot be read: {error.strerror or error}") from None

    def user(self, token: str) -> User | None:
        """Whose token it is; None = not a known token. Takes as long for any token."""
        given = _hash(token)
        found = [kept for kept in self._file.get() if hmac.compare_digest(kept.sha256, given)]
        return user_of(found[0].identity, found[0].roles, self._roles) if found else None


def add_token(path: Path, identity: str, roles: Sequence[str], known: Collection[str]) -> str:
    """A new token, whose hash is appended to the file; it is not kept anywhere. Raises SettingsError and OSError."""
    if unknown := [role for role in roles if role not in known]:
        raise SettingsError(f"unknown role {unknown[0]!r}; known: {', '.join(sorted(known))}")
    if user_of(identity, roles, known) is None:
        raise SettingsError(f"{identity!r} is no identity: a printable name of at most 200 characters is expected")
    if path.exists():
        _kept(path, path.read_bytes())  # nothing is added to a file that is something else
    token = PREFIX + secrets.token_urlsafe(32)
    kept = KeptToken(identity=identity, roles=list(roles), sha256=_hash(token))
    _append(path, kept.model_dump_json())
    return token


def _append(path: Path, line: str) -> None:
    """In one write, so that a server never reads half of it; readable by the owner alone."""
    with open(path, "ab", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        ends = path.stat().st_size == 0 or path.read_bytes().endswith(b"\n")
        file.write(f"{'' if ends else chr(10)}{line}\n".encode())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _kept(path: Path, content: bytes) -> list[KeptToken]:
    """Empty lines and those that begin with # count for nothing. Raises SettingsError naming the line."""
    kept = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith(b"#"):
            continue
        try:
            kept.append(KeptToken.model_validate_json(line))
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or 'the line'}: {fault['msg']}" for fault in error.errors()
            )
            # Not its values: one may be a token, put there in place of its hash.
            raise SettingsError(f"line {number} of the token file {str(path)!r}: {faults}") from None
    return kept
