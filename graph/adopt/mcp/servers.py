"""Which servers a file names: Claude Desktop's, Claude Code's `.mcp.json`, VS Code's and Cursor's `mcp.json`."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    ValidationError,
    with_config,
)
from typing_extensions import TypedDict

from wavegraph.graph.adopt.mcp.variables import Variables, learn_secrets, read_env_file
from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.model.calls import without_last_commas
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.state import Effect

Transport = Literal["stdio", "http"]
_EDITORS = (".vscode", ".cursor")
"""Folders for an editor's files: the project is the one around them."""
_READ = ("type", "transport", "command", "args", "env", "envFile", "cwd", "url", "headers")
"""What is read of an entry beside `wavegraph`; the rest is for other programs."""
_OWN = ("trusted", "optional", "starts_within_s", "tools")
STARTS_WITHIN_S = 20.0
ALL = "*"
"""In the place of a tool's name: what is said of each that is not named."""


@with_config(ConfigDict(extra="forbid"))
class Override(TypedDict):
    """What a file says about a tool, where its server's hints are missing or not believed; what is missing is as they are."""

    effect: NotRequired[Effect]
    approve: NotRequired[StrictBool | StrictStr]
    """Whether a person is asked before it runs; a text = how the call is told then, with its arguments as `{name}`."""
    repeatable: NotRequired[StrictBool]
    enabled: NotRequired[StrictBool]
    """False = it is left out."""


def _header(text: str) -> str:
    if not text.isascii() or not text.isprintable():
        raise ValueError("it has a sign that no header may have")
    return text


def _address(text: str) -> str:
    """A port that is no number and half an IPv6 address raise ValueError as they are read."""
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("an address that begins with http:// or https:// is expected")
    return text.strip()


_Text = Annotated[str, BeforeValidator(lambda value: json.dumps(value) if isinstance(value, int | float) else value)]
"""Numbers and truth values as they are written in JSON."""
_HeaderText = Annotated[_Text, AfterValidator(_header)]


class Server(BaseModel):
    """One server, its names replaced by their values."""

    model_config = ConfigDict(frozen=True)

    name: str
    transport: Transport
    command: str = Field(default="", min_length=1)
    args: list[_Text] = []
    env: dict[str, _Text] = Field(default={}, repr=False)
    """What it gets besides what every process needs; it does not get this process's environment."""
    cwd: Path | None = None
    url: Annotated[str, AfterValidator(_address)] = Field(default="", repr=False)
    headers: dict[_HeaderText, _HeaderText] = Field(default={}, repr=False)
    trusted: StrictBool = False
    """Whether its hints are believed where they leave a question out."""
    optional: StrictBool = False
    """Whether the others are used without it where it does not start."""
    starts_within_s: float = Field(default=STARTS_WITHIN_S, gt=0, allow_inf_nan=False, strict=True)
    tools: dict[str, Override] = {}
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
    kept = [content[key] for key in ("mcpServers", "servers") if content.get(key)]
    if not kept or not all(isinstance(entries, Mapping) for entries in kept):
        raise SettingsError(f"{where}: names no servers; they are expected under `mcpServers` or `servers`")
    inputs: Any = content.get("inputs") or []
    hidden = [each.get("id") for each in inputs if isinstance(each, dict) and each.get("password")]
    variables = Variables(folder, hidden)
    for name, entry in ((name, entry) for entries in kept for name, entry in entries.items()):
        if not isinstance(entry, dict):
            raise SettingsError(f"{where}: server {name!r} is not an object but {short_repr(entry)}")
        if entry.get("disabled") is not True and entry.get("enabled") is not False:
            yield _server(name, entry, f"{where}: server {name!r}", variables)


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


def _server(name: str, entry: Mapping[str, Any], where: str, variables: Variables) -> Server:
    """One server as it stands in a file."""
    given = {key: variables.filled(entry[key], where) for key in _READ if entry.get(key) is not None}
    transport = _transport(given, where)
    env = given.get("env", {})
    if isinstance(env, dict):
        kept = read_env_file(variables.folder / str(given["envFile"]), where) if "envFile" in given else {}
        env = kept | {variable: value for variable, value in env.items() if value is not None}
    own: Any = entry.get("wavegraph") or {}
    if not isinstance(own, dict):
        raise SettingsError(f"{where}: `wavegraph` must be an object, not {short_repr(own)}")
    own = {key: own[key] for key in _OWN if key in own} | {
        key: given[key] for key in ("args", "headers") if key in given
    }
    if transport == "stdio":
        own |= {"command": given.get("command", ""), "cwd": variables.folder / str(given.get("cwd", ""))}
    else:
        own["url"] = given.get("url", "")
    try:
        server = Server.model_validate({**own, "name": name, "transport": transport, "env": env})
    except ValidationError as error:
        fault = error.errors()[0]  # without its value, which may be a secret
        raise SettingsError(f"{where}: `{'.'.join(map(str, fault['loc']))}`: {fault['msg']}") from None
    learn_secrets(server.headers, server.env, server.url, server.args)
    return server


def _transport(given: Mapping[str, Any], where: str) -> Transport:
    kind = given.get("type") or given.get("transport")
    if kind is None:
        if "url" in given and "command" in given:
            raise SettingsError(f"{where}: has both a command and a url; leave one out, or say which by `type`")
        return "http" if "url" in given else "stdio"
    match "".join(filter(str.isalnum, str(kind))).lower():
        case "http" | "streamablehttp":
            return "http"
        case "stdio":
            return "stdio"
    raise SettingsError(f"{where}: `type` = {short_repr(kind)} is not known; known: stdio, http")


# JSON as editors write it

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def loads(text: str) -> Any:
    """Raises ValueError for what is not JSON either way."""
    try:
        return json.loads(text)
    except ValueError:
        plain = _STRING_OR_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
        return json.loads(without_last_commas(plain))
