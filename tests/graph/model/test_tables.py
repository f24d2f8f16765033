"""Lists of alike records as tables: the same facts, each field's name once."""

import json
from dataclasses import dataclass
from typing import Any

from tables import table

from wavegraph.graph.model.prompt_blocks import as_tables


@dataclass(frozen=True)
class Case:
    id: str
    data: Any
    told: Any


ROOMS = [{"code": code, "price": price, "currency": "ILS"} for code, price in (("A", 1), ("B", 2), ("C", 1))]
CASES = [
    Case("rooms", ROOMS, {"columns": ["code", "price"], "rows": [["A", 1], ["B", 2], ["C", 1]], "all": {"currency": "ILS"}}),
    Case("two are no table", ROOMS[:2], ROOMS[:2]),
    Case("other fields", [*ROOMS, {"code": "D"}], [*ROOMS, {"code": "D"}]),
    Case("another order of fields", [{"a": 1, "b": 2}, {"b": 1, "a": 2}, {"a": 3, "b": 3}],
         [{"a": 1, "b": 2}, {"b": 1, "a": 2}, {"a": 3, "b": 3}]),
    Case("by key", {"x": {"n": 1}, "y": {"n": 2}, "ז": {"n": None}},
         {"columns": ["n"], "rows": {"x": [1], "y": [2], "ז": [None]}}),
    Case("records inside", [{"o": {"c": n, "d": [n]}} for n in range(3)],
         {"columns": ["o.c", "o.d"], "rows": [[0, [0]], [1, [1]], [2, [2]]]}),
    Case("a name with a point", [{"o": {"a.b": n}} for n in range(3)],
         {"columns": ["o"], "rows": [[{"a.b": 0}], [{"a.b": 1}], [{"a.b": 2}]]}),
    Case("all the same", [{"n": 1}] * 3, {"columns": [], "rows": [[], [], []], "all": {"n": 1}}),
    Case("one and true are not the same", [{"n": 1}, {"n": True}, {"n": 1.0}],
         {"columns": ["n"], "rows": [[1], [True], [1.0]]}),
    Case("inside", {"offers": ROOMS, "n": 3},
         {"offers": {"columns": ["code", "price"], "rows": [["A", 1], ["B", 2], ["C", 1]], "all": {"currency": "ILS"}}, "n": 3}),
    Case("values", [1, "a", None, [], {}], [1, "a", None, [], {}]),
]  # fmt: skip


@table("case", CASES)
def test_a_table(case: Case) -> None:
    before = json.dumps(case.data)
    assert json.dumps(as_tables(case.data)) == json.dumps(case.told)
    assert json.dumps(case.data) == before
