"""What is read as a reference however a model writes it, and what stays a text."""

from typing import Any

import pytest

from wavegraph.graph.model.planner import as_references
from wavegraph.testing import ref

CALLS = {"h", "get_info", "each", "5"}
OPENS = ref("h", "opens")
READ: list[tuple[Any, Any]] = [
    ("{{h.opens}}", OPENS),
    (" {{ h.opens }} ", OPENS),
    ("${h.opens}", OPENS),
    ("{h.opens}", OPENS),
    ("$h.opens", OPENS),
    ("$h.opens$", OPENS),
    ("{{h}}", ref("h", "")),
    ("{{h.days[-1]}}", ref("h", "days[-1]")),
    ("{{h[0].id}}", ref("h", "[0].id")),
    ("{{each.id}}", ref("each", "id")),
    ("{{h.rooms[name=blue].id}}", ref("h", "rooms[name=blue].id")),
    ({"ref": "h.opens"}, OPENS),
    ({"ref": "{{h.opens}}"}, OPENS),
    ({"$ref": "h.opens"}, OPENS),
    ({"call": "h", "path": "opens"}, OPENS),
    ([1, {"a": "{{h.opens}}"}], [1, {"a": OPENS}]),
    ("It opens {{h.opens}} {or so}", {"text": "It opens {value_1} {{or so}}", "with": {"value_1": OPENS}}),
    (
        "{{h.opens}} and ${get_info.text}!",
        {"text": "{value_1} and {value_2}!", "with": {"value_1": OPENS, "value_2": ref("get_info", "text")}},
    ),
]
KEPT: list[Any] = [
    OPENS,
    "h.opens",
    "$h",
    "$5",
    "from $5 to $h",
    "{{name}}",
    "Dear {{name}}, {h}",
    "{{other.opens}}",
    {"ref": "other.opens"},
    {"ref": "h.opens", "more": 1},
    {"call": "other", "path": "opens"},
    {"call": "h", "path": "opens", "more": 1},
    {"text": "{h}: {a}", "with": {"a": OPENS}},
    5,
    None,
]


@pytest.mark.parametrize(("given", "read"), READ, ids=str)
def test_what_names_a_call_is_a_reference_to_it(given: Any, read: Any) -> None:
    assert as_references(given, CALLS) == read


@pytest.mark.parametrize("given", KEPT, ids=str)
def test_anything_else_stays_as_it_is(given: Any) -> None:
    assert as_references(given, CALLS) == given
