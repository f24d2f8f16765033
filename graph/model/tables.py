"""Lists of alike records as tables: the same facts in a prompt, every field's name once."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

LEAST = 3
"""Records that make a table."""


def as_tables(data: Any) -> Any:
    """The data with each list, or mapping, of at least three records with the same fields as a table.

    `columns` names the fields (`a.b` inside a record inside), `rows` has their values in that order, by the same keys
    where it was a mapping; `all` has the fields that are the same in each.
    """
    if isinstance(data, list):
        return _table(data, data) or [as_tables(each) for each in data]
    if isinstance(data, dict):
        return _table(data, list(data.values())) or {name: as_tables(part) for name, part in data.items()}
    return data


def _table(data: Any, records: Sequence[Any]) -> dict[str, Any] | None:
    if len(records) < LEAST or not all(isinstance(each, dict) and each for each in records):
        return None
    flat = [_flat(each) for each in records]
    columns = list(flat[0])
    if any(list(each) != columns for each in flat):
        return None
    texts = [{name: json.dumps(value, default=str) for name, value in each.items()} for each in flat]  # 1 is not True
    same = {name: flat[0][name] for name in columns if all(each[name] == texts[0][name] for each in texts)}
    varied = [name for name in columns if name not in same]
    rows = [[as_tables(each[name]) for name in varied] for each in flat]
    told: dict[str, Any] = {"all": {name: as_tables(value) for name, value in same.items()}} if same else {}
    named = dict(zip(data, rows, strict=True)) if isinstance(data, dict) else rows
    return {"columns": varied, "rows": named, **told}


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Records directly inside, spread out; one whose own names hold a point stays as it is."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and value and not any("." in inner for inner in value):
            found.update({f"{name}.{inner}": part for inner, part in value.items()})
        else:
            found[name] = value
    return found
