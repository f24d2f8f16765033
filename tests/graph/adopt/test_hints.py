"""Hints say what a tool does; the file has the last word."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from wavegraph.graph.adopt.effects import nature


@dataclass(frozen=True)
class Case:
    id: str
    hints: dict[str, bool | None]
    says: dict[str, Any]
    """What the file says of the server's tools."""
    expect: tuple[str, bool | str, bool]
    """Effect, whether a person is asked (`once`: before the first call alone), whether it may be sent again."""
    trusted: tuple[str, bool | str, bool]
    """Where the file trusts the server."""


READ, ADD = {"readOnlyHint": True}, {"destructiveHint": False, "idempotentHint": True}
ASKED, UNASKED = ("write", True, False), ("write", False, False)
READS, ONCE = ("read", False, False), ("read", "once", False)
CASES = [
    Case("nothing_said", {}, {}, ASKED, ASKED),
    Case("no_hints", {"readOnlyHint": None, "destructiveHint": None}, {}, ASKED, ASKED),
    Case("nonsense", {"readOnlyHint": "yes", "destructiveHint": 0}, {}, ASKED, ASKED),  # type: ignore[dict-item]
    Case("reads", READ, {}, ONCE, READS),
    Case("reads_and_destroys", {**READ, "destructiveHint": True, "idempotentHint": True}, {}, ASKED, READS),
    Case("reads_and_spares", {**READ, "destructiveHint": False}, {}, ONCE, READS),
    Case("writes", {"readOnlyHint": False}, {}, ASKED, ASKED),
    Case("adds", ADD, {}, ASKED, ("write", False, True)),
    Case("not_asked", {}, {"t": {"approve": False}}, UNASKED, UNASKED),
    Case("reads_not_asked", READ, {"t": {"approve": False}}, READS, READS),
    Case("reads_asked", READ, {"t": {"approve": True}}, ASKED, READS),
    Case("reads_asked_in_words", READ, {"t": {"approve": "Look at {n}?"}}, ("write", "Look at {n}?", False), READS),
    Case("called_a_read", {}, {"t": {"effect": "read"}}, READS, READS),
    Case("called_a_read_and_destroys", {"destructiveHint": True}, {"t": {"effect": "read"}}, READS, READS),
    Case("called_a_read_and_asked", {}, {"t": {"effect": "read", "approve": True}}, READS, READS),
    Case("called_a_write", READ, {"t": {"effect": "write"}}, ASKED, ASKED),
    Case("called_a_write_once", {**READ, "idempotentHint": True}, {"t": {"effect": "write"}}, ASKED, ASKED),
    Case("called_a_write_and_adds", ADD, {"t": {"effect": "write"}}, ASKED, ("write", False, True)),
    Case("asked_in_words", ADD, {"t": {"approve": "Add {n}?", "repeatable": False}}, ("write", "Add {n}?", False),
         ("write", "Add {n}?", False)),
    Case("may_be_repeated", {}, {"t": {"repeatable": True}}, ("write", True, True), ("write", True, True)),
    Case("all_unasked", {}, {"*": {"approve": False}}, UNASKED, UNASKED),
    Case("all_unasked_and_it_reads", READ, {"*": {"approve": False}}, READS, READS),
    Case("all_but_one", {}, {"*": {"approve": False}, "t": {"approve": True}}, ASKED, ASKED),
    Case("all_and_one", {}, {"*": {"approve": False}, "t": {"repeatable": True}}, ("write", False, True),
         ("write", False, True)),
    Case("all_asked_and_it_reads", READ, {"*": {"approve": True}}, ASKED, READS),
    Case("all_asked_but_reads", READ, {"*": {"approve": True}, "t": {"effect": "read"}}, READS, READS),
    Case("another", {}, {"u": {"effect": "read"}}, ASKED, ASKED),
]  # fmt: skip


def nature_by(hints: dict[str, bool | None], says: dict[str, Any], *, trusted: bool) -> dict[str, Any]:
    own: dict[str, Any] = {**says.get("*", {}), **says.get("t", {})}
    return nature(hints, trusted=trusted, **own)


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_a_tool_is(case: Case, trusted: bool) -> None:
    known = nature_by(case.hints, case.says, trusted=trusted)
    asks = "once" if known["asks_once"] else known["approve"]
    assert (known["effect"], asks, known["repeatable"]) == (case.trusted if trusted else case.expect)


ANY = [None, False, True]
SAYS: list[dict[str, Any]] = [{}, {"effect": "write"}, {"approve": True}, {"approve": "Go?"}]


@pytest.mark.parametrize("says", SAYS, ids=str)
def test_hints_make_a_tool_of_an_untrusted_server_no_looser(says: dict[str, Any]) -> None:
    """Whatever is hinted, a call needs a yes: a read one to the tool, where the file says nothing of it."""
    for reads, destroys, idempotent in product(ANY, ANY, ANY):
        hints = {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": idempotent}
        known = nature(hints, **says)
        assert not known["repeatable"], hints
        assert known["approve"] or (known["asks_once"] and not says and reads and not destroys), hints
