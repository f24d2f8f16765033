"""JSON and YAML as plain data, without implicit conversions.

YAML is read with the value types of JSON: `no` and `on` are words, `15:00` and `2026-11-23` texts (YAML 1.1 makes
them False, True, 900 and a date). Duplicate keys, NaN, and data that aliases blow up are refused.
"""

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import yaml

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.ward.faults import FieldAt, FileFault, Spot, field_at, wanted

MOST_BYTES = 4_000_000
MOST_YAML_BYTES = 1_000_000
"""PyYAML takes ten seconds to read this much; a ward of 100 nurses and four weeks has less than a tenth of it."""
IN_UTF_8 = wanted("utf_8")
OTHER_SHEETS = (".xls", ".xlsm", ".xlsb", ".xltx", ".ods", ".numbers", ".csv", ".tsv")
"""Endings of spreadsheets of other kinds."""
MOST_VALUES = 1_000_000
"""Values of a file with its aliases written out."""


class Unreadable(Exception):
    """A file that cannot be read as plain data; `fault` says where."""

    def __init__(self, fault: FileFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def read_text(path: Path) -> str:
    """The file's text. Raises `Unreadable` if it is missing, too large, or not UTF-8."""
    most = MOST_YAML_BYTES if path.suffix.lower() in (".yaml", ".yml") else MOST_BYTES
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= most else b""
    except OSError as error:
        raise Unreadable(FileFault(field_at(), path.name, wanted("readable", why=error.strerror))) from None
    if size > most:
        raise Unreadable(FileFault(field_at(), wanted("bytes", n=size), wanted("at_most_bytes", most=most)))
    return _decoded(data)


def _decoded(data: bytes) -> str:
    """UTF-8, or UTF-16 that says so in its first bytes, as a spreadsheet program's "Unicode text"."""
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line, word = data.count(b"\n", 0, error.start) + 1, data[error.start : error.start + 1]
        raise Unreadable(FileFault(Spot(None, line, byte=error.start), word, IN_UTF_8)) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Unreadable(FileFault(Spot(None, line), "\0", IN_UTF_8))
    return text


def require_ending(path: Path, endings: Sequence[str]) -> None:
    """Raises `Unreadable` where the file's name ends in none of them."""
    ending = path.suffix.lower()
    if ending not in endings:
        way_out = wanted("save_as_xlsx") if ending in OTHER_SHEETS and ".xlsx" in endings else ""
        expected = wanted("endings", known=", ".join(endings), hint=way_out)
        raise Unreadable(FileFault(field_at("file name"), path.suffix, expected))


def read_data(path: Path) -> Any:
    """The plain data of a `.json`, `.yaml` or `.yml` file. Raises `Unreadable`."""
    readers = {".json": _json, ".yaml": _yaml, ".yml": _yaml}
    require_ending(path, tuple(readers))
    try:
        data = readers[path.suffix.lower()](read_text(path))
        left = _values(data, MOST_VALUES)
    except RecursionError:
        raise Unreadable(FileFault(field_at(), wanted("too_deep"), wanted("records"))) from None
    if left < 0:
        raise Unreadable(
            FileFault(field_at(), wanted("more_values", most=MOST_VALUES), wanted("at_most_values", most=MOST_VALUES))
        )
    return data


def _values(data: Any, left: int) -> int:
    """`left` less the number of values; negative = there are too many."""
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    left -= 1
    for part in parts:
        left = _values(part, left) if left >= 0 else left
    return left


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        expected = wanted("json", why=error.msg)
        place = Spot(None, error.lineno, error.colno)
        raise Unreadable(FileFault(place, text[error.pos : error.pos + 20], expected)) from None
    except ValueError as error:
        raise Unreadable(FileFault(field_at(), error_text(error), wanted("usual_numbers"))) from None


def _no_number(name: str) -> Any:
    raise Unreadable(FileFault(field_at(), name, wanted("float_type")))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise Unreadable(FileFault(field_at(), key, wanted("key_once")))
        record[key] = value
    return record


class _PlainLoader(yaml.SafeLoader):
    """Resolves null, true, false and numbers as JSON writes them; all else stays text."""

    yaml_implicit_resolvers = {}  # noqa: RUF012  the parent's own attribute, replaced

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag != "tag:yaml.org,2002:str":
                raise Unreadable(
                    FileFault(_line(key.start_mark), getattr(key, "value", wanted("a_list")), wanted("text_as_key"))
                )
            if key.value in seen:
                raise Unreadable(FileFault(_line(key.start_mark), key.value, wanted("key_once")))
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


RESOLVED = (
    ("null", "null|~|", "n~"),
    ("null", "", ""),
    ("bool", "true|false", "tf"),
    ("int", r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?", "-0123456789"),
)
"""Tags, how their values are written, and the first characters of these; an empty value has none."""
for tag, pattern, first in RESOLVED:
    _PlainLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first) or [""])


def _line(mark: yaml.Mark | None) -> Spot | FieldAt:
    return Spot(None, mark.line + 1, mark.column + 1) if mark else field_at()


def _yaml(text: str) -> Any:
    try:
        return yaml.load(text, Loader=_PlainLoader)  # a SafeLoader with fewer types
    except yaml.MarkedYAMLError as error:
        raise Unreadable(FileFault(_line(error.problem_mark), error.problem or "", wanted("yaml"))) from None
    except yaml.YAMLError as error:
        raise Unreadable(FileFault(field_at(), error_text(error).splitlines()[0], wanted("yaml"))) from None
    except ValueError as error:
        raise Unreadable(FileFault(field_at(), error_text(error), wanted("usual_numbers"))) from None
