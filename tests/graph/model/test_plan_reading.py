"""A plan as a model wrote it: what the habits of the benchmark leave out."""

from typing import Any

import pytest
from langchain_core.tools import tool
from warehouse import Clerk

from wavegraph import Domain, read
from wavegraph.graph.errors import PlanError
from wavegraph.graph.model.plan_form import planning_schema
from wavegraph.graph.model.plan_reading import plan_read
from wavegraph.testing import ref


@tool
def find(name: str, number: int = 1) -> str:
    """Find."""
    return ""


DOMAIN = Domain(name="d", tools=[read(find)], offline=Clerk())


def calls_of(*calls: Any, known: Any = ()) -> list[dict[str, Any]]:
    found = plan_read({"tools": list(calls)}, planning_schema(DOMAIN), DOMAIN.registry, known)["tools"]
    return found  # type: ignore[no-any-return]


def test_what_is_missing_has_its_plain_meaning() -> None:
    plan = plan_read({"reply": "When?", "more": 1}, planning_schema(DOMAIN), DOMAIN.registry, ())
    assert plan == {"reasoning": "", "action": "", "status": "done", "reply": "When?", "more": 1, "tools": []}


@pytest.mark.parametrize("raw", [{}, {"tools": "none"}, {"tools": ["find"]}, {"tools": 5}], ids=str)
def test_what_lists_no_calls_is_refused(raw: Any) -> None:
    with pytest.raises(PlanError, match="`tools` must be a list of calls, each with `id`, `tool` and `args`"):
        plan_read(raw, planning_schema(DOMAIN), DOMAIN.registry, ())


def test_calls_without_ids_are_named_by_their_tools() -> None:
    made = calls_of({"tool": "find"}, {"tool": "find"}, {"tool": "find", "id": "find_2"}, {"tool": "Find", "id": None})
    assert [call["id"] for call in made] == ["find", "find_3", "find_2", "find_4"]


def test_an_argument_may_be_called_as_a_field_of_a_call_is_elsewhere() -> None:
    assert calls_of({"id": "a", "tool": "find", "name": "Dana"}) == [
        {"id": "a", "tool": "find", "args": {"name": "Dana"}}
    ]
    both = {"id": "a", "name": "find", "arguments": {"name": "Dana"}}
    assert calls_of(both) == [{"id": "a", "tool": "find", "args": {"name": "Dana"}}]


@pytest.mark.parametrize("nothing", [None, "", {}, "null", "None"], ids=repr)
def test_nothing_beside_the_arguments_is_left_out(nothing: Any) -> None:
    made = {"id": "a", "tool": "find", "args": {}, "each": nothing, "instead_of": nothing}
    assert calls_of(made) == [{"id": "a", "tool": "find", "args": {}}]


def test_calls_of_the_request_so_far_may_be_mentioned() -> None:
    made = {"id": "a", "tool": "find", "args": {"name": "{{before.name}}"}, "each": "{{b.all}}"}
    [read_as] = calls_of(made, known=["before"])
    assert (read_as["args"], read_as["each"]) == ({"name": ref("before", "name")}, "{{b.all}}")
    [_, read_as] = calls_of({"id": "b", "tool": "find"}, made)
    assert (read_as["args"], read_as["each"]) == ({"name": "{{before.name}}"}, ref("b", "all"))


def test_a_call_of_no_tool_is_left_to_the_check() -> None:
    assert calls_of({"id": "a"}) == [{"id": "a", "args": {}}]
    assert calls_of({}) == [{"id": "call", "args": {}}]
    assert calls_of({"tool": 5, "args": [1]}) == [{"tool": 5, "args": [1], "id": "5"}]
