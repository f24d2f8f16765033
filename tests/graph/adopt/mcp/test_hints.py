"""Hints say what a tool does; the file has the last word."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from wavegraph.graph.adopt.mcp.hints import nature
from wavegraph.graph.adopt.mcp.overrides import about, overrides


@dataclass(frozen=True)
class Case:
    id: str
    hints: dict[str, bool | None] | None
    says: dict[str, Any]
    """What the file says of the server's tools."""
    expect: tuple[str, bool | str, bool]
    """Effect, whether a person is asked, whether it may be sent again."""


READ, ADD = {"read_only_hint": True}, {"destructive_hint": False, "idempotent_hint": True}
CASES = [
    Case("nothing_said", None, {}, ("write", True, False)),
    Case("no_hints", {"read_only_hint": None, "destructive_hint": None}, {}, ("write", True, False)),
    Case("reads", READ, {}, ("read", False, False)),
    Case("reads_and_destroys", {**READ, "destructive_hint": True, "idempotent_hint": True}, {}, ("read", False, False)),
    Case("writes", {"read_only_hint": False}, {}, ("write", True, False)),
    Case("adds", ADD, {}, ("write", False, True)),
    Case("not_asked", None, {"t": {"approve": False}}, ("write", False, False)),
    Case("called_a_read", None, {"t": {"effect": "read"}}, ("read", False, False)),
    Case("called_a_read_and_asked", None, {"t": {"effect": "read", "approve": True}}, ("read", False, False)),
    Case("called_a_write", READ, {"t": {"effect": "write"}}, ("write", True, False)),
    Case("called_a_write_once", {**READ, "idempotent_hint": True}, {"t": {"effect": "write"}}, ("write", True, False)),
    Case("asked_in_words", ADD, {"t": {"approve": "Add {n}?", "repeatable": False}}, ("write", "Add {n}?", False)),
    Case("all_unasked", None, {"*": {"approve": False}}, ("write", False, False)),
    Case("all_but_one", None, {"*": {"approve": False}, "t": {"approve": True}}, ("write", True, False)),
    Case("all_and_one", None, {"*": {"approve": False}, "t": {"repeatable": True}}, ("write", False, True)),
    Case("all_asked_but_reads", READ, {"*": {"approve": True}}, ("read", False, False)),
    Case("another", None, {"u": {"effect": "read"}}, ("write", True, False)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_a_tool_is(case: Case) -> None:
    known = nature(SimpleNamespace(**case.hints) if case.hints else None, about(overrides(case.says, "a file"), "t"))
    assert (known.effect, known.approve, known.repeatable) == case.expect
