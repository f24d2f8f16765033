"""Which values are secrets: in the environment, in connection strings, in the clients of language models."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, unquote_plus

_NAME = re.compile(
    r"(?:(?:^|[_-])(?:KEY|PASS|PWD)|API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)S?$|^(?:PROXY-)?AUTHORIZATION$|^COOKIE$",
    re.IGNORECASE,
)
"""What the names of secrets end with, in the environment and among headers."""
_NO_SECRETS = ("PWD", "OLDPWD")
"""The shell's own: folders."""
_SCHEME = re.compile(r"[A-Za-z][\w+.-]{0,40}:(?://)?")
_PARAMETER = re.compile(
    r"(?:^|[?&;\s])(?:ssl)?(?:password|passwd|pwd|token|api_?key|secret)\s*=\s*('(?:[^'\\]|\\.|'')*'?|(?:[^&;\s\\]|\\.)+)",
    re.IGNORECASE,
)
"""`password=…` in a query or among keywords, quoted as libpq has it."""
DEEPEST = 3
"""How far models are followed that hold others."""


def names_secret(name: str) -> bool:
    return _NAME.search(name) is not None and name not in _NO_SECRETS


def in_environment(environ: Mapping[str, str]) -> Iterator[str]:
    """Values of variables that are named as secrets are, one by one if they are lists, and passwords in addresses."""
    for name, value in environ.items():
        is_number_of_tokens = name.upper().endswith("S") and value.isdigit()  # such as `MAX_TOKENS=4000`
        if value[:1] in ("{", "["):
            with suppress(ValueError, RecursionError):
                yield from _named_as_secrets(json.loads(value))
        elif names_secret(name) and not is_number_of_tokens and not _is_path(value):
            yield from {value.strip(): None, **dict.fromkeys(re.split(r"[,;\s]+", value.strip()))}
        elif "@" in value or "=" in value:
            yield from passwords_in(value)


@lru_cache(maxsize=256)
def _is_path(value: str) -> bool:
    """Looked up once: an event loop must not wait for a file."""
    return os.path.isabs(value) and os.path.exists(value)


def _named_as_secrets(value: Any, name: str = "") -> Iterator[str]:
    """The texts at any depth that are named as secrets are."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else ((name, each) for each in value):
            yield from _named_as_secrets(inner, key)
    elif isinstance(value, str) and names_secret(name):
        yield value


def passwords_in(address: str) -> Iterator[str]:
    """Whatever may be a password in a connection string or URL: programs read odd ones differently.

    The login may hold `@ : / # ?` as they are, so it may end at the first or at the last `@`.
    """
    scheme = _SCHEME.match(address) if "@" in address else None
    after = address[scheme.end() :] if scheme else ""
    for rest in (after,) if scheme is None or scheme[0].endswith("//") else (after, address):
        host = re.split(r"[/?#]", rest)[0]
        ends = {host.find("@"), host.rfind("@")}
        if not re.match(r"[^:]*:\d{0,5}$", host):  # else the host's port, and the `@` of a parameter
            ends |= {rest.find("@"), rest.rfind("@")}
        for end in ends - {-1}:
            yield from _readings(rest[:end].partition(":")[2])
    for found in _PARAMETER.finditer(address):
        yield from _readings(found[1])


def _readings(password: str) -> Iterator[str]:
    bare = password[1:].removesuffix("'") if password.startswith("'") else password
    unescaped = re.sub(r"\\(.)|''", lambda found: found[1] or "'", bare)
    readings = (password, bare, unescaped, unquote(bare), unquote_plus(bare))
    yield from dict.fromkeys(each for each in readings if each)


def in_model(model: Any, deep: int = 0) -> Iterator[str]:
    """The keys that a chat model holds, and those of models within it."""
    from pydantic import SecretBytes, SecretStr

    for name, value in getattr(model, "__dict__", {}).items():
        match value:
            case SecretStr():
                yield value.get_secret_value()
            case SecretBytes():
                yield value.get_secret_value().decode(errors="replace")
            case str() if names_secret(name):
                yield value
            case str() if "://" in value:
                yield from passwords_in(value)
            case Mapping():  # headers, or parameters that hold them
                for headers in (value, *value.values()):
                    yield from in_headers(headers) if isinstance(headers, Mapping) else ()
            case _ if deep < DEEPEST and hasattr(value, "_generate"):
                yield from in_model(value, deep + 1)


def in_headers(headers: Mapping[Any, Any]) -> Iterator[str]:
    """Values of headers that log in, with and without `Bearer`."""
    from pydantic import SecretStr

    for name, value in headers.items():
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if isinstance(name, str) and isinstance(text, str) and names_secret(name):
            yield text.partition(" ")[2] or text
