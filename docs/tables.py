"""The tables of fields in the documentation, made from the schemas: `make docs`. A test compares.

A table stands on a page between `<!-- table: NAME -->` and `<!-- end of table -->`.
"""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from wavegraph.graph.limits import Limits
from wavegraph.graph.settings import Settings, own_fields
from wavegraph.graph.state import Figures, OutputState, StructuredOutput
from wavegraph.tools.hotel.property.import_rows import (
    HotelRow,
    InventoryRow,
    MealRow,
    PlanRow,
    RateRow,
    RestrictionRow,
    RoomRow,
    TopicRow,
)
from wavegraph.tools.hotel.settings import HotelSettings
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.ward import fairness_limits, ward

PAGES = Path(__file__).parent
TABLE = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)
MODULE = re.compile(r" \(`problem\.\w+`\)")
"""Where a docstring leads in the code."""
HOTEL_FILES = (HotelRow, RoomRow, PlanRow, RateRow, InventoryRow, RestrictionRow, MealRow, TopicRow)
Row = Sequence[str]


def main() -> None:
    for page in sorted(PAGES.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (made := with_tables(text)) != text:
            page.write_text(made, encoding="utf-8")
            print(f"wrote {page.relative_to(PAGES)}")


def with_tables(text: str) -> str:
    """The page with each table in the place of what stands between its marks. Raises KeyError for an unknown one."""
    known = tables()
    return TABLE.sub(lambda found: f"{found[1]}{_drawn(known[found[2]])}\n\n{found[3]}", text)


def tables() -> Mapping[str, Sequence[Row]]:
    """By name: the heading and the rows."""
    records = [*ward.WardRecord.__subclasses__(), *fairness_limits.Numbers.__subclasses__()]
    return {
        "settings of every agent": _settings(Settings, list(Settings.model_fields)),
        "settings of the hotel": _settings(HotelSettings, own_fields(HotelSettings)),
        "settings of the roster generator": _settings(RosterSettings, own_fields(RosterSettings)),
        "penalties": _penalties(),
        "limits": _limits(),
        "output": _output(),
        **{record.__name__: _record(record) for record in records},
        **{str(row.__doc__).split()[0]: _columns(row) for row in HOTEL_FILES},
    }


def _drawn(rows: Sequence[Row]) -> str:
    heading, *others = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, ["---"] * len(heading), *others))


def _settings(model: type[BaseModel], names: Sequence[str]) -> Sequence[Row]:
    told = ((name, model.model_fields[name]) for name in names)
    return [["setting", "default", "meaning"], *([f"`{n}`", _default(f), str(f.description)] for n, f in told)]


def _penalties() -> Sequence[Row]:
    fields = Penalties.model_fields.items()
    rows = ([f"`{name}`", f"`{field.default}`", str(field.description)] for name, field in fields)
    return [["penalty", "default", "a unit of it"], *rows]


def _limits() -> Sequence[Row]:
    told = ((each.name, each.default, Settings.model_fields[each.name].description) for each in fields(Limits))
    return [
        ["limit", "default", "meaning"],
        *([f"`{name}`", f"`{default:g}`", str(text).partition("; empty")[0]] for name, default, text in told),
    ]


def _output() -> Sequence[Row]:
    records = (Figures, OutputState, StructuredOutput)
    known = {name: text for record in records for name, text in docstrings(record).items() if text}
    return [["field", "meaning"], *([f"`{name}`", known[name]] for name in StructuredOutput.__annotations__)]


def _record(record: type[BaseModel]) -> Sequence[Row]:
    told = docstrings(record)
    rows = ([f"`{name}`", _kind(field), _default(field), told[name]] for name, field in record.model_fields.items())
    return [["field", "type", "default", "meaning"], *rows]


def _columns(row: type[BaseModel]) -> Sequence[Row]:
    told = row.model_fields.items()
    return [["column", "default", "expected"], *([f"`{n}`", _default(f), str(f.description)] for n, f in told)]


def docstrings(record: type[Any]) -> dict[str, str]:
    """What stands below each field of a class, or its description."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(record))).body[0]
    described = {name: field.description for name, field in getattr(record, "model_fields", {}).items()}
    told = {name: text for name, text in described.items() if text}
    assert isinstance(tree, ast.ClassDef)
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                told[name] = MODULE.sub("", " ".join(text.split()))
    return {name: told.get(name, "").removesuffix(".").replace("None", "`null`") for name in record.__annotations__}


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    if default is PydanticUndefined:
        return "required"
    if isinstance(default, BaseModel):
        return "its own"
    if default in (None, "", (), [], {}) or field.default is fairness_limits.ALLOWED or not _short(default):
        return ""
    return f"`{default:g}`" if type(default) is float else f"`{json.dumps(default)}`"


def _short(default: Any) -> bool:
    return isinstance(default, str | int | float)


def _kind(field: FieldInfo) -> str:
    low, high = (_bound(field, names) for names in (("ge", "gt"), ("le", "lt")))
    bounds = f", {low} to {high}" if high is not None else f", from {low}" if low else ""
    return _name(field.annotation) + bounds


def _bound(field: FieldInfo, names: Sequence[str]) -> Any:
    found = [getattr(each, name) for each in field.metadata for name in names if hasattr(each, name)]
    return found[0] if found else None


FEW = 9
"""Choices of a field, that all stand in its cell."""
PLAIN = {"str": "text", "int": "whole number", "float": "number", "bool": "`true` or `false`", "time": "clock time"}


def _name(kind: Any) -> str:
    """A type in the words of a page; that `null` may stand for it is said with its meaning."""
    origin, inner = get_origin(kind), [each for each in get_args(kind) if each is not type(None)]
    if origin is Literal:
        return ", ".join(f"`{each}`" for each in inner) if len(inner) < FEW else "text"
    if origin is list:
        return f"list of {_name(inner[0])}"
    if origin is dict:
        return f"{_name(inner[0])} to {_name(inner[1])}"
    if inner:
        return _name(inner[0])
    return PLAIN.get(kind.__name__, str(kind.__name__))


def marks(text: str) -> Iterator[str]:
    """The tables that a page asks for."""
    yield from (found[2] for found in TABLE.finditer(text))


if __name__ == "__main__":
    main()
