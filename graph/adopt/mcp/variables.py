"""Values by name in a file of servers: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:id}`, `${workspaceFolder}`."""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.known import in_environment, names_secret, passwords_in
from wavegraph.graph.secrets.scrubber import process

_IN_QUOTES = re.compile(r"""\A(["'])(.*)\1\Z""", re.DOTALL)
_VARIABLE = re.compile(r"\$\{([^${}]*)\}")
_NAMED = re.compile(r"(?P<kind>env:|input:)?(?P<name>[\w-]+)(?::-(?P<default>.*))?", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class Variables:
    """What the names in one file stand for."""

    folder: Path
    """Of the project that the file belongs to."""
    passwords: Collection[Any]
    """The inputs that an editor would hide."""

    def filled(self, value: Any, where: str) -> Any:
        """JSON with each name in its texts replaced, once. Raises SettingsError for a name that stands for nothing."""
        if isinstance(value, dict):
            return {name: self.filled(part, where) for name, part in value.items()}
        if isinstance(value, list):
            return [self.filled(part, where) for part in value]
        if not isinstance(value, str):
            return value
        text = _VARIABLE.sub(lambda found: self._value(found[1], where), value)
        if "\0" in text:
            raise SettingsError(f"{where}: a value has the sign \\0")
        return text

    def _value(self, written: str, where: str) -> str:
        """An editor would ask for an input; here it is an environment variable of the same name, in capitals."""
        places = {"workspaceFolder": str(self.folder), "userHome": os.path.expanduser("~")}
        if written in places:
            return places[written]
        if not (found := _NAMED.fullmatch(written)):
            raise SettingsError(
                f"{where}: ${{{written}}} cannot be read here; write ${{NAME}} for an environment variable"
            )
        name = found["name"]
        variable = name.replace("-", "_").upper() if found["kind"] == "input:" else name
        value = os.environ.get(variable)
        if not value and found["default"] is not None:
            return found["default"]
        if value is None:
            raise SettingsError(f"{where}: the environment variable {variable} is not set, for ${{{written}}}")
        if names_secret(variable) or (found["kind"] == "input:" and name in self.passwords):
            process.learn(value)
        return value


def read_env_file(path: Path, where: str) -> dict[str, str]:
    """The variables of a `.env` file. Raises SettingsError for a file that cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{where}: its envFile {str(path)!r} cannot be read ({type(error).__name__})") from None
    pairs = (line.strip().removeprefix("export ").partition("=") for line in lines)
    return {
        name.strip(): _IN_QUOTES.sub(r"\2", value.strip())
        for name, equals, value in pairs
        if equals and name[:1] != "#"
    }


# Secrets

_PLAIN_HEADERS = frozenset({"accept", "accept-language", "content-type", "user-agent", "mcp-protocol-version"})
SHORTEST_OPAQUE = 20
"""Characters of a part of an address that is a key by its looks."""


def learn_secrets(headers: Mapping[str, str], env: Mapping[str, str], url: str, args: Sequence[str]) -> None:
    """Know what is secret among what a server is given."""
    opaque = filter(is_opaque, env.values())
    process.learn(*_in_headers(headers), *in_environment(env), *opaque, *_in_address(url), *_in_arguments(["", *args]))


def _in_headers(headers: Mapping[str, str]) -> Iterator[str]:
    for name, value in headers.items():
        if name.lower() not in _PLAIN_HEADERS:
            yield from (value, value.partition(" ")[2])


def _in_address(url: str) -> Iterator[str]:
    """Passwords, and keys in the path: some hosts give each person an address of their own."""
    yield from passwords_in(url)
    parts = urlsplit(url)
    pieces = [*parts.path.split("/"), *(pair.partition("=")[2] for pair in parts.query.split("&"))]
    yield from filter(is_opaque, pieces)


def _in_arguments(args: list[str]) -> Iterator[str]:
    """`--token X`, `--token=X`, `Authorization: Bearer X`, passwords in addresses."""
    for before, word in pairwise(args):
        yield from passwords_in(word)
        if before.startswith("-") and "=" not in before and names_secret(_bare(before)):
            yield word
        name, *values = re.split("[=:]", word, maxsplit=1)
        for value in values:
            yield from passwords_in(value)
            if names_secret(_bare(name)):
                yield from (value.strip(), value.strip().partition(" ")[2])


def _bare(flag: str) -> str:
    return flag.strip().lstrip("-")


def is_opaque(text: str) -> bool:
    """Whether a text is a key by its looks: one long run of letters and digits."""
    return (
        len(text) >= SHORTEST_OPAQUE
        and re.fullmatch(r"[\w-]+", text, re.ASCII) is not None
        and any(map(str.isdigit, text))
        and any(map(str.isalpha, text))
    )
