"""Which servers a file names: Claude Desktop's, Claude Code's `.mcp.json`, VS Code's and Cursor's `mcp.json`."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from wavegraph.graph.adopt.mcp.jsonc import loads
from wavegraph.graph.adopt.mcp.overrides import Override, overrides
from wavegraph.graph.adopt.mcp.server_secrets import learn_secrets
from wavegraph.graph.adopt.mcp.variables import Variables, read_env_file
from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.secrets.ways_out import error_text

Transport = Literal["stdio", "http", "sse"]
TRANSPORTS: Mapping[str, Transport] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "streamablehttp": "http",
    "remote": "http",
    "sse": "sse",
}
"""By what files call them, without signs between the letters."""
_ADDRESSES = ("url", "serverUrl", "httpUrl")
_EDITORS = (".vscode", ".cursor")
"""Folders for an editor's files: the project is the one around them."""
STARTS_WITHIN_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Server:
    """One server, its names replaced by their values."""

    name: str
    transport: Transport
    command: str = ""
    args: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What it gets besides what every process needs; it does not get this process's environment."""
    cwd: Path | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    trusted: bool = False
    """Whether its hints are believed where they leave a question out."""
    optional: bool = False
    """Whether the others are used without it where it does not start."""
    starts_within_s: float = STARTS_WITHIN_S
    tools: Mapping[str, Override] = field(default_factory=dict)
    """What the file says about tools, by their own names; `*` = about all."""


Source = str | os.PathLike[str] | Mapping[str, Any]
"""A file, or what would stand in one."""


def read_servers(sources: Sequence[Source]) -> list[Server]:
    """The servers of all sources. Raises SettingsError naming file, server and field, but no value of a secret."""
    found = [server for source in sources for server in _servers_of(source)]
    names = [server.name for server in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SettingsError(f"two MCP servers have the same name: {twice}")
    return found


def _servers_of(source: Source) -> Iterator[Server]:
    where, folder, content = _content(source)
    inputs = content.get("inputs") or []
    asked = {each["id"]: each for each in inputs if isinstance(each, dict) and isinstance(each.get("id"), str)}
    variables = Variables(folder, asked)
    for name, entry in _entries(content, where).items():
        if not isinstance(entry, dict):
            raise SettingsError(f"{where}: server {name!r} is not an object but {short_repr(entry)}")
        if entry.get("disabled") is not True and entry.get("enabled") is not False:
            yield _Entry(entry, f"{where}: server {name!r}", variables).server(name)


def _content(source: Source) -> tuple[str, Path, Mapping[str, Any]]:
    if isinstance(source, Mapping):
        return "the MCP servers", Path.cwd(), source
    path = Path(source).expanduser()
    where = str(path)
    try:
        content = loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"{where}: cannot be read ({error.strerror or type(error).__name__})") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{where}: is not JSON ({error_text(error)[:200]})") from None
    if not isinstance(content, dict):
        raise SettingsError(f"{where}: an object with `mcpServers` is expected, not {short_repr(content)}")
    folder = path.absolute().parent
    return where, folder.parent if folder.name in _EDITORS else folder, content


def _entries(content: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """The servers by name; at the top of some files, under the editor's key in others."""
    inside = content.get("mcp")
    settings = inside if isinstance(inside, dict) else {}
    kept = [part[key] for part in (content, settings) for key in ("mcpServers", "servers") if key in part]
    if not kept and content and all(map(_is_server, content.values())):
        kept = [content]
    if not kept or not all(isinstance(part, Mapping) for part in kept):
        raise SettingsError(f"{where}: names no servers; they are expected under `mcpServers` or `servers`")
    found: dict[str, Any] = {}
    for part in kept:
        if twice := sorted(found.keys() & part.keys()):
            raise SettingsError(f"{where}: two MCP servers have the same name: {twice}")
        found |= part
    if not found:
        raise SettingsError(f"{where}: names no servers")
    return found


def _is_server(entry: Any) -> bool:
    return isinstance(entry, dict) and any(isinstance(entry.get(key), str) for key in ("command", *_ADDRESSES))


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a port that is no number, half an IPv6 address
        return False


@dataclass(frozen=True)
class _Entry:
    """One server as it stands in a file."""

    given: Mapping[str, Any]
    where: str
    variables: Variables

    def server(self, name: str) -> Server:
        own = self._object("wavegraph")
        if not isinstance(trusted := own.get("trusted", False), bool):
            raise self._error(f"`trusted` must be true or false, not {short_repr(trusted)}")
        transport = self._transport()
        command, *before = self._command() if transport == "stdio" else [""]
        server = Server(
            name=name,
            transport=transport,
            command=command,
            args=[*before, *self._texts("args")],
            env=self._env(),
            cwd=self._cwd() if transport == "stdio" else None,
            url=self._address() if transport != "stdio" else "",
            headers=self._headers(),
            trusted=trusted,
            optional=own.get("optional") is True,
            starts_within_s=self._seconds(own),
            tools=overrides(own.get("tools") or {}, self.where),
        )
        learn_secrets(server.headers, server.env, server.url, server.args)
        return server

    def _transport(self) -> Transport:
        given = self.given.get("type") or self.given.get("transport")
        if given is None:
            has_address = any(key in self.given for key in _ADDRESSES)
            if has_address and "command" in self.given:
                raise self._error("has both a command and a url; leave one out, or say which by `type`")
            return "http" if has_address else "stdio"
        kind = "".join(filter(str.isalnum, given)).lower() if isinstance(given, str) else ""
        if kind not in TRANSPORTS:
            raise self._error(f"`type` = {short_repr(given)} is not known; known: stdio, http, sse")
        return TRANSPORTS[kind]

    def _command(self) -> list[str]:
        """One word, or all of them in a list."""
        given = self.given.get("command")
        words = [given] if isinstance(given, str) else given
        if not isinstance(words, list) or not words or not all(isinstance(word, str) and word for word in words):
            raise self._error(f"`command` must be a program's name, not {short_repr(given)}")
        return [self._value_of(word) for word in words]

    def _address(self) -> str:
        given = next((self.given[key] for key in _ADDRESSES if key in self.given), None)
        address = self._value_of(given).strip() if isinstance(given, str) else ""
        if not _is_address(address):
            raise self._error("`url` must be an address that begins with http:// or https://")
        return address

    def _texts(self, key: str) -> list[str]:
        given = self.given.get(key) or []
        if not isinstance(given, list):
            raise self._error(f"`{key}` must be a list, not {short_repr(given)}")
        return [self._text(key, value) for value in given]

    def _env(self) -> dict[str, str]:
        kept: dict[str, str] = {}
        if isinstance(path := self.given.get("envFile"), str):
            kept = read_env_file(self.variables.folder / self._value_of(path), self.where)
        return kept | {name: self._text("env", each) for name, each in self._object("env").items() if each is not None}

    def _cwd(self) -> Path:
        given = self.given.get("cwd")
        return self.variables.folder / (self._value_of(given) if isinstance(given, str) else "")

    def _headers(self) -> dict[str, str]:
        found = {name: self._text("headers", value) for name, value in self._object("headers").items()}
        for name, value in found.items():
            if not name.isascii() or not value.isascii() or not value.isprintable() or not name.isprintable():
                raise self._error(f"header {name!r} has a sign that no header may have")
        return found

    def _seconds(self, own: Mapping[str, Any]) -> float:
        given = own.get("starts_within_s", STARTS_WITHIN_S)
        if not isinstance(given, int | float) or isinstance(given, bool) or not 0 < given < math.inf:
            raise self._error(f"`starts_within_s` must be seconds, not {short_repr(given)}")
        return float(given)

    def _object(self, key: str) -> Mapping[str, Any]:
        given = self.given.get(key) or {}
        if not isinstance(given, dict):
            raise self._error(f"`{key}` must be an object, not a {type(given).__name__}")
        return given

    def _text(self, key: str, value: Any) -> str:
        """Numbers and truth values as they are written in JSON."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str | int | float):
            return self._value_of(str(value))
        raise self._error(f"`{key}` holds a {type(value).__name__}, where a text is expected")

    def _value_of(self, text: str) -> str:
        filled = self.variables.filled(text, self.where)
        if "\0" in filled:
            raise self._error("a value has the sign \\0")
        return filled

    def _error(self, what: str) -> SettingsError:
        return SettingsError(f"{self.where}: {what}")
