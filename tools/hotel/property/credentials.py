"""A property system's user and password: looked up by name, at each call, inside the adapter.

A `PropertyRecord` holds only the name (`credentials_source`). The value is never kept in a record, state,
message or log, and its repr shows stars.
"""

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.scrubber import MARK, is_ordinary, process, spelled_out


class Credential(BaseModel):
    """A user and password as one property system wants them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    username: SecretStr
    password: SecretStr

    def model_post_init(self, context: Any) -> None:
        """From now on no log, trace, error or event of this process quotes the login. A user name that is an address
        is left: guests read it too."""
        user, password = self.username.get_secret_value(), self.password.get_secret_value()
        process.learn(password, f"{user}:{password}", None if "@" in user or is_ordinary(user) else user)

    def scrub(self, text: str) -> str:
        """`text` without user and password, also URL-encoded, escaped or as HTTP basic login: for an adapter, whose
        refusals are displayed, to clean its property system's messages.
        """
        user, password = self.username.get_secret_value(), self.password.get_secret_value()
        login = base64.b64encode(f"{user}:{password}".encode()).decode()
        text = process.scrub(text)
        secrets = {form for value in (user, password) for form in spelled_out(value)}
        for each in sorted({login, *secrets} - {""}, key=len, reverse=True):
            text = text.replace(each, MARK)
        return text


class Secrets(Protocol):
    """Resolves the name of a source to its credential. Raises `SettingsError` naming what is missing, never a value."""

    def credential(self, source: str) -> Credential: ...


class EnvironmentSecrets:
    """`<SOURCE>_USERNAME` and `<SOURCE>_PASSWORD`, or `<SOURCE>_FILE` with a JSON object of both (container secrets)."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ

    def credential(self, source: str) -> Credential:
        prefix = source.upper().replace("-", "_")
        path = self._environ.get(f"{prefix}_FILE")
        if path:
            return FileSecrets(Path(path)).credential(source)
        names = {field: f"{prefix}_{field.upper()}" for field in Credential.model_fields}
        missing = [name for name in names.values() if not self._environ.get(name)]
        if missing:
            raise SettingsError(f"no credential for {source!r}: set {' and '.join(missing)}, or {prefix}_FILE")
        return Credential(**{field: SecretStr(self._environ[name]) for field, name in names.items()})

    def __repr__(self) -> str:
        return "EnvironmentSecrets()"


class NamedVariables:
    """Two environment variables, whatever the source is called."""

    def __init__(self, username: str, password: str, environ: Mapping[str, str] | None = None) -> None:
        self._names = {"username": username, "password": password}
        self._environ = os.environ if environ is None else environ

    def credential(self, source: str) -> Credential:
        if missing := [name for name in self._names.values() if not self._environ.get(name)]:
            raise SettingsError(f"no credential for {source!r}: set {' and '.join(missing)} in the environment")
        return Credential(**{field: SecretStr(self._environ[name]) for field, name in self._names.items()})

    def __repr__(self) -> str:
        return f"NamedVariables({', '.join(map(repr, self._names.values()))})"


class FileSecrets:
    """One JSON file: `{"username": ..., "password": ...}`, or an object of such objects by source name."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def credential(self, source: str) -> Credential:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise SettingsError(f"no credential for {source!r}: {self._path} is missing or not JSON") from None
        entry = content.get(source, content) if isinstance(content, dict) else content
        try:
            return Credential.model_validate(entry)
        except ValidationError:
            # The validation error would print the file's values: it must not be the cause of ours.
            message = f"no credential for {source!r}: {self._path} needs username and password"
        raise SettingsError(message)

    def __repr__(self) -> str:
        return f"FileSecrets({str(self._path)!r})"
