"""One call for each element of a list: made when the list is known, before the first of them runs."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from wavegraph.graph.ledger import BrokenReference, UnfinishedReference, raw_signature, resolver
from wavegraph.graph.ready import steps, unfinished
from wavegraph.graph.references.paths import (
    ELEMENT,
    as_reference,
    element_path,
    reference,
    references,
    with_references,
)
from wavegraph.graph.state import Ledger, Plan, PlannedCall, ValidationIssue, new_issue

MOST_ELEMENTS = 100
"""A longer list is refused, even if many of its calls were equal and would run once."""


class Expansion(NamedTuple):
    """A plan with a call for each element of its known lists."""

    plan: Plan
    calls: dict[str, PlannedCall]
    """New in the ledger: the element calls, and the calls they were made from."""
    too_many: list[ValidationIssue]
    """Calls for more elements than the budget allows: none of theirs is made."""


def with_element_calls(plan: Plan, ledger: Ledger, runs: int, waves: int) -> Expansion:
    """The plan with a call for each element of the lists that are known by now.

    `runs`, `waves`: what is left of the request's budget, for the whole plan; a call that would exceed it stays as it is.
    """
    made = Expansion(plan, {}, [])
    if not any(map(is_uncounted, plan["tools"])):
        return made
    for step in steps(plan, ledger):
        if step.phase == "waiting" and is_uncounted(step.call):
            with suppress(UnfinishedReference):
                elements = resolver(ledger).resolve(step.call["each"])
                made = _with_calls_for(step.call, elements, made, ledger, runs, waves)
    return made


def is_uncounted(call: PlannedCall) -> bool:
    """Whether the call stands for element calls that are not made yet."""
    return call.get("each") is not None and "element_of" not in call and "elements" not in call


def unfinished_signatures(plan: Plan, ledger: Ledger) -> set[str]:
    """Signatures of the calls that the plan has yet to run."""
    return {step.signature for step in unfinished(plan, ledger)}


def _with_calls_for(
    call: PlannedCall, elements: list[Any], before: Expansion, ledger: Ledger, left: int, waves: int
) -> Expansion:
    known = with_planned(ledger, before.calls.values())
    others = len(unfinished_signatures(before.plan, known) - {raw_signature(call)})
    free = max(0, left - others)
    most = min(free, waves) if call["effect"] == "write" else free  # each write takes its own wave
    calls = [_element(call, number, ledger) for number in range(min(len(elements), MOST_ELEMENTS))]
    counted: PlannedCall = {**call, "elements": [each["id"] for each in calls]}
    inside = ([counted, *calls] if each["id"] == call["id"] else [each] for each in before.plan["tools"])
    new = {**before.calls, **{each["id"]: each for each in (counted, *calls)}}
    made = before._replace(plan={**before.plan, "tools": [*chain.from_iterable(inside)]}, calls=new)
    runs = len(unfinished_signatures(made.plan, with_planned(ledger, made.calls.values()))) - others
    if runs > most or len(elements) > MOST_ELEMENTS:
        target, path = as_reference(call["each"]) or ("", "")
        message = (
            f"{call['id']} would be {len(elements)} calls, one for each element of {f'{target}.{path}' if path else target},"
            f" but this request has only {most} left: none was made; plan the most useful {most}"
        )
        issue = new_issue("error", call["id"], message, "over_budget", expected=most, actual=len(elements))
        return before._replace(too_many=[*before.too_many, issue])
    return made


def with_planned(ledger: Ledger, calls: Iterable[PlannedCall]) -> Ledger:
    return {**ledger, "calls": {**ledger["calls"], **{call["id"]: call for call in calls}}}


def _element(call: PlannedCall, index: int, ledger: Ledger) -> PlannedCall:
    """The call for one element. Its values are fixed now: reading the list anew later changes no call."""
    target, path = as_reference(call["each"]) or ("", "")

    def outside(name: str, rest: str, _: str = "") -> dict[str, Any]:
        """The same reference, valid outside of the element."""
        return reference(target, element_path(path, index, rest)) if name == ELEMENT else reference(name, rest)

    def resolved(value: Any, place: str) -> Any:
        """As it is if it does not resolve, or to what looks like a reference, which is data."""
        try:
            found = resolver(ledger).resolve(value, place, call.get("fit"))
        except (BrokenReference, UnfinishedReference):
            return value
        return value if references(found) else found

    def own_value(name: str, rest: str, place: str) -> Any:
        return resolved(outside(name, rest), place) if name == ELEMENT else reference(name, rest)

    def fixed(name: str, value: Any) -> Any:
        if not any(of == ELEMENT for of, _ in references(value)):
            return value
        whole = with_references(value, outside)
        if not references(found := resolved(whole, name)):
            return found
        parts = with_references(value, own_value, name)
        return parts if references(parts) else whole  # a text that its values do not fit

    put = {name: fixed(name, arg) for name, arg in call["args"].items()}
    args = {name: value for name, value in put.items() if value is not None or call["args"][name] is None}
    own = f"{call['id']}_{index + 1}"
    return {**call, "id": own, "args": args, "each": outside(ELEMENT, ""), "element_of": call["id"]}
