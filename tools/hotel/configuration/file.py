"""The properties file: a TOML file that lists the hotels on property systems of their own.

It names the environment variables that hold credentials, and never holds one. A fault in one property's table leaves the
others usable.
"""

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wavegraph.graph.errors import SettingsError, error_text, short_repr
from wavegraph.graph.secrets.known import names_secret, passwords_in
from wavegraph.graph.secrets.scrubber import process
from wavegraph.tools.hotel.configuration.entry import EXAMPLES, KeyFault, PropertyEntry
from wavegraph.tools.hotel.configuration.values import nearest

PROPERTIES = "WAVEGRAPH_PROPERTIES"
"""Environment variable: the file. Left out: `properties.toml` in the data folder, which may be missing."""
FILE_NAME = "properties.toml"
TABLE = "property"
LARGEST = 1_000_000
"""Bytes."""
_SECRETS = ("password", "username", "user", "secret", "token", "pms_password", "pms_username", "passwd", "login")
"""Keys of those who write a login into the file; a mistyped one counts too."""
_NAMES_OF_SECRETS = ("username_variable", "password_variable")
"""Keys whose wrong values may be the credential itself."""
_TAKE_OUT = (
    "a user name or password does not belong into the file: take it out, put it into an environment variable, and write that "
    "variable's name as username_variable or password_variable"
)
_KEYS = ", ".join(PropertyEntry.model_fields)


class PropertiesFileError(SettingsError):
    """A properties file, or a table of it, that cannot be used: file, table, key, value, and what to write."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with one table, or with the whole file."""

    property_id: str | None
    """None = the whole file, or a table without an id."""
    text: str


@dataclass(frozen=True)
class PropertiesFile:
    """The hotels of a file that can be used, and what is wrong with the others."""

    path: Path
    entries: Mapping[str, PropertyEntry] = field(default_factory=dict)
    faults: Sequence[Fault] = ()

    @property
    def ids(self) -> list[str]:
        """All that are listed, in the order of the file; those with faults come last."""
        return [*dict.fromkeys([*self.entries, *(each.property_id for each in self.faults if each.property_id)])]

    def faults_of(self, property_id: str) -> list[str]:
        return [each.text for each in self.faults if each.property_id == property_id]

    def whole_file_faults(self) -> list[str]:
        return [each.text for each in self.faults if each.property_id is None]

    def entry(self, property_id: str) -> PropertyEntry | None:
        """None = not listed. Raises PropertiesFileError for one that is listed and cannot be used."""
        if faults := self.faults_of(property_id):
            raise PropertiesFileError("; ".join(faults))
        return self.entries.get(property_id)


def properties_path(data_dir: Path, environ: Mapping[str, str] | None = None) -> Path:
    named = (os.environ if environ is None else environ).get(PROPERTIES, "").strip()
    return Path(os.path.expanduser(named)) if named else data_dir / FILE_NAME  # leaves an unknown `~name` as it is


def configured(data_dir: Path) -> PropertiesFile:
    """The file that the environment names, or the one in the data folder. Raises nothing: what is wrong is in `faults`."""
    path = properties_path(data_dir)
    if path == data_dir / FILE_NAME and not path.exists():
        return PropertiesFile(path)
    return read_properties(path)


def read_properties(path: Path) -> PropertiesFile:
    """Raises nothing: what is wrong is in `faults`."""
    process.read_environment()  # a credential that is in the file is recognised
    try:
        content = _content(path)
        tables = _tables(path, content)
    except PropertiesFileError as error:
        return PropertiesFile(path, faults=[Fault(None, error_text(error))])
    found = [_Table(path, n, table) for n, table in enumerate(tables, start=1)]
    faults = [*_file_faults(path, content), *_doubled(path, found)]
    doubled = {fault.property_id for fault in faults}
    entries: dict[str, PropertyEntry] = {}
    for table in found:
        entry, own = table.read()
        faults += own
        if entry and not own and entry.id not in doubled:
            entries[entry.id] = entry
    return PropertiesFile(path, entries, faults)


def _content(path: Path) -> Mapping[str, Any]:
    """Raises PropertiesFileError."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except IsADirectoryError:
        raise _cannot(path, f"it is a folder; name the file in it, such as {str(path / FILE_NAME)!r}") from None
    except FileNotFoundError:
        several = f" Name one file; {os.pathsep!r} joins none." if os.pathsep in str(path) else ""
        raise _cannot(
            path, f"there is no such file.{several} {PROPERTIES} or --properties says where it lies"
        ) from None
    except (OSError, ValueError) as error:
        raise _cannot(path, f"{getattr(error, 'strerror', None) or error_text(error)}; let this user read it") from None
    if len(raw) > LARGEST:
        raise _cannot(path, f"it is larger than {LARGEST} bytes")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _cannot(path, "it is not UTF-8 text; save it as UTF-8") from None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _cannot(path, f"it is not TOML: {error_text(error)}{_hint(error_text(error), text)}") from None


def _hint(said: str, text: str) -> str:
    """What to write instead, by the parser's words and the line that it names."""
    place = re.search(r"at line (\d{1,7})", said)
    line = text.splitlines()[int(place[1]) - 1 :][:1] if place else []
    if "overwrite" in said:
        return "; a key stands once in its table"
    if re.search("[“”„‘’]", "".join(line)):
        return "; text stands in straight quotes, \" or ', not in those of a word processor"
    if re.search(r"=\s{0,9}(?:true|false|yes|no|on|off)\b", "".join(line), re.IGNORECASE):
        return "; yes and no are written true and false, in small letters and without quotes"
    if re.search(r"value|\\|string|newline", said):
        return "; text stands in quotes, also a telephone number, and text with backslashes in single ones"
    return ""


def _cannot(path: Path, reason: str) -> PropertiesFileError:
    return PropertiesFileError(f"cannot read the properties file {str(path)!r}: {reason}")


def _tables(path: Path, content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Raises PropertiesFileError."""
    tables = content.get(TABLE)
    if isinstance(tables, dict):
        raise PropertiesFileError(f"{path}: [{TABLE}] has one pair of brackets; write [[{TABLE}]] above each property")
    if tables is not None and not (isinstance(tables, list) and all(isinstance(each, dict) for each in tables)):
        raise PropertiesFileError(f"{path}: {TABLE!r} is not a table; write [[{TABLE}]] above each property")
    return tables or []


def _file_faults(path: Path, content: Mapping[str, Any]) -> Iterator[Fault]:
    if not content:
        yield Fault(None, f"{path} lists no property; begin each with [[{TABLE}]]")
    for key in content:
        if key == TABLE:
            continue
        if key in PropertyEntry.model_fields:
            yield Fault(None, f"{path}: {key!r} stands above the first table; write [[{TABLE}]] above it")
        else:
            yield Fault(None, f"{path}: unknown table or key {process.scrub(key)!r}; properties begin with [[{TABLE}]]")


def _doubled(path: Path, tables: Sequence["_Table"]) -> Iterator[Fault]:
    for each, count in Counter(table.id for table in tables if table.id).items():
        if count > 1:
            places = " and ".join(str(table.n) for table in tables if table.id == each)
            yield Fault(each, f"{path}: id {each!r} is used by tables {places}; give each property an id of its own")


class _Table:
    """One `[[property]]`, the `n`th of its file."""

    def __init__(self, path: Path, n: int, given: Mapping[str, Any]) -> None:
        self.path, self.n, self.given = path, n, given
        name = given.get("id")
        self.id = name.strip() if isinstance(name, str) else None

    def read(self) -> tuple[PropertyEntry | None, list[Fault]]:
        hot = dict(_credentials(self.given))
        faults = [self._fault(key, text) for key, text in hot.items()]
        rest = {
            key: value for key, value in self.given.items() if key not in {place.partition(".")[0] for place in hot}
        }
        try:
            return PropertyEntry.model_validate(rest), faults
        except ValidationError as error:
            return None, [
                *faults,
                *(self._told(each) for each in error.errors(include_url=False) if _key(each) not in hot),
            ]

    def _fault(self, key: str, text: str) -> Fault:
        named = f" {self.id!r}" if self.id else ""
        return Fault(self.id, f"{self.path}, [[{TABLE}]] {self.n}{named}, {key}: {text}")

    def _told(self, error: Any) -> Fault:
        cause, key = _cause(error), _key(error)
        if error["type"] == "extra_forbidden":
            return self._fault(f"{process.scrub(key)!r}", _unknown(key))
        if error["type"] == "missing":
            return self._fault(key, f"missing; write {key} = {EXAMPLES[key]}")
        expected = error["msg"].removeprefix("Input should be ").removeprefix("a valid ")
        said = error_text(cause) if cause else f"expected {expected}"
        if key in _NAMES_OF_SECRETS or key not in self.given:
            return self._fault(key, said)
        return self._fault(f"{key} = {short_repr(self.given[key])}", said)


def _cause(error: Any) -> ValueError | None:
    """What one of our readers raised."""
    found: ValueError | None = (error.get("ctx") or {}).get("error")
    return found


def _key(error: Any) -> str:
    cause = _cause(error)
    return cause.key if isinstance(cause, KeyFault) else str(error["loc"][0])


def _unknown(key: str) -> str:
    like = nearest(key, PropertyEntry.model_fields)
    return f"unknown key; did you mean {like!r}?" if like else f"unknown key; known: {_KEYS}"


def _credentials(given: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """The keys whose values are, or hold, a credential, with the way out. No value is quoted."""
    for key, value in given.items():
        place = f"{above}{process.scrub(key)}"
        is_known = key in PropertyEntry.model_fields and not above
        if not is_known and (names_secret(key) or (not above and nearest(key, _SECRETS, 0.8))):
            yield place, _TAKE_OUT
        elif isinstance(value, dict):
            yield from _credentials(value, f"{place}.")
        elif isinstance(value, str) and _holds_credential(value):
            yield place, f"the value holds a credential. {_TAKE_OUT[0].upper()}{_TAKE_OUT[1:]}"


def _holds_credential(value: str) -> bool:
    """One that this process knows, or a login in an address, with or without `https://`."""
    address = value if "://" in value else f"https://{value}"
    return process.scrub(value) != value or next(passwords_in(address), None) is not None
