"""Which servers a file names: Claude Desktop's, Claude Code's `.mcp.json`, VS Code's and Cursor's `mcp.json`."""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
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

from wavegraph.graph.errors import SettingsError, error_text, short_repr
from wavegraph.graph.model.calls import without_last_commas
from wavegraph.graph.secrets.known import in_environment, names_secret, passwords_in
from wavegraph.graph.secrets.scrubber import process
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
    for name, entry in ((name, entry) for entries in kept for name, entry in entries.items()):
        if not isinstance(entry, dict):
            raise SettingsError(f"{where}: server {name!r} is not an object but {short_repr(entry)}")
        if entry.get("disabled") is not True and entry.get("enabled") is not False:
            yield _server(name, entry, f"{where}: server {name!r}", folder, hidden)


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


def _server(name: str, entry: Mapping[str, Any], where: str, folder: Path, hidden: Collection[Any]) -> Server:
    """One server as it stands in a file of the project in `folder`; `hidden`: the inputs that an editor would hide."""
    read = partial(_value_of, where=where, folder=folder, hidden=hidden)
    given = {key: _filled(entry[key], where, read) for key in _READ if entry.get(key) is not None}
    transport = _transport(given, where)
    env = given.get("env", {})
    if isinstance(env, dict):
        kept = _env_file(folder / str(given["envFile"]), where) if "envFile" in given else {}
        env = kept | {variable: value for variable, value in env.items() if value is not None}
    own: Any = entry.get("wavegraph") or {}
    if not isinstance(own, dict):
        raise SettingsError(f"{where}: `wavegraph` must be an object, not {short_repr(own)}")
    own = {key: own[key] for key in _OWN if key in own} | {
        key: given[key] for key in ("args", "headers") if key in given
    }
    if transport == "stdio":
        own |= {"command": given.get("command", ""), "cwd": folder / str(given.get("cwd", ""))}
    else:
        own["url"] = given.get("url", "")
    try:
        server = Server.model_validate({**own, "name": name, "transport": transport, "env": env})
    except ValidationError as error:
        fault = error.errors()[0]  # without its value, which may be a secret
        raise SettingsError(f"{where}: `{'.'.join(map(str, fault['loc']))}`: {fault['msg']}") from None
    env_secrets = [*in_environment(server.env), *filter(is_opaque, server.env.values())]
    in_words = _in_arguments(["", *server.args])
    process.learn(*_in_headers(server.headers), *env_secrets, *_in_address(server.url), *in_words)
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


# Values by name: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:id}`, `${workspaceFolder}`

_IN_QUOTES = re.compile(r"""\A(["'])(.*)\1\Z""", re.DOTALL)
_VARIABLE = re.compile(r"\$\{([^${}]*)\}")
_NAMED = re.compile(r"(?P<kind>env:|input:)?(?P<name>[\w-]+)(?::-(?P<default>.*))?", re.ASCII | re.DOTALL)


def _filled(value: Any, where: str, read: Callable[[re.Match[str]], str]) -> Any:
    """JSON with each name in its texts replaced, once. Raises SettingsError."""
    if isinstance(value, dict):
        return {name: _filled(part, where, read) for name, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, where, read) for part in value]
    text = _VARIABLE.sub(read, value) if isinstance(value, str) else value
    if isinstance(text, str) and "\0" in text:
        raise SettingsError(f"{where}: a value has the sign \\0")
    return text


def _value_of(found: re.Match[str], where: str, folder: Path, hidden: Collection[Any]) -> str:
    """What a name stands for. An editor would ask for an input; here it is an environment variable of the same name, in
    capitals. Raises SettingsError for a name that stands for nothing."""
    places = {"workspaceFolder": str(folder), "userHome": os.path.expanduser("~")}
    if found[1] in places:
        return places[found[1]]
    if not (named := _NAMED.fullmatch(found[1])):
        raise SettingsError(f"{where}: {found[0]} cannot be read here; write ${{NAME}} for an environment variable")
    name = named["name"]
    variable = name.replace("-", "_").upper() if named["kind"] == "input:" else name
    value = os.environ.get(variable)
    if not value and named["default"] is not None:
        return named["default"]
    if value is None:
        raise SettingsError(f"{where}: the environment variable {variable} is not set, for {found[0]}")
    if names_secret(variable) or (named["kind"] == "input:" and name in hidden):
        process.learn(value)
    return value


def _env_file(path: Path, where: str) -> dict[str, str]:
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


# JSON as editors write it

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def loads(text: str) -> Any:
    """Raises ValueError for what is not JSON either way."""
    try:
        return json.loads(text)
    except ValueError:
        plain = _STRING_OR_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
        return json.loads(without_last_commas(plain))


# What is secret among what a server is given

_PLAIN_HEADERS = frozenset({"accept", "accept-language", "content-type", "user-agent", "mcp-protocol-version"})
SHORTEST_OPAQUE = 20
"""Characters of a part of an address that is a key by its looks."""


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
