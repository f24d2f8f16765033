"""One call for each element of a list: made when the list is known, before the first of them runs."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from wavegraph.graph.ledger import UnfinishedReference, never_ran, raw_signature, resolver
from wavegraph.graph.ready import steps, unfinished
from wavegraph.graph.references.paths import (
    ELEMENT,
    TextTemplate,
    as_reference,
    as_text,
    element_path,
    follow,
    references,
    text_with,
)
from wavegraph.graph.references.shapes import fitting_value
from wavegraph.graph.state import Fit, Ledger, Plan, PlannedCall, ToolOutcome, ValidationIssue, new_issue

MOST_ELEMENTS = 100
"""A longer list is refused, even if many of its calls were equal and would run once."""


class Left(NamedTuple):
    """What is left of the request's budget."""

    runs: int
    """Tool runs, for the whole plan."""
    waves: int


class TooMany(NamedTuple):
    """A call for more elements than the budget allows: none is made."""

    call: PlannedCall
    runs: int
    left: int

    @property
    def message(self) -> str:
        target, path = as_reference(self.call["each"]) or ("", "")
        whole = f"{target}.{path}" if path else target
        return (
            f"{self.call['id']} would be {self.runs} calls, one for each element of {whole}, but this request has"
            f" only {self.left} left: none was made; plan the most useful {self.left}"
        )

    @property
    def outcome(self) -> ToolOutcome:
        call = self.call
        return never_ran(call["tool"], call["args"], raw_signature(call), call["plan"], "over_budget", self.message)

    def issue(self, kind: str) -> ValidationIssue:
        return new_issue(kind, self.call["id"], self.message, "over_budget", expected=self.left, actual=self.runs)


class Expansion(NamedTuple):
    """A plan with a call for each element of its known lists."""

    plan: Plan
    calls: dict[str, PlannedCall]
    """New in the ledger: the element calls, and the calls they were made from."""
    too_many: list[TooMany]


def with_element_calls(plan: Plan, ledger: Ledger, left: Left) -> Expansion:
    """The plan with a call for each element of the lists that are known by now.

    A call that would exceed the budget stays as it is.
    """
    made = Expansion(plan, {}, [])
    if not any(map(is_uncounted, plan["tools"])):
        return made
    for step in steps(plan, ledger):
        if step.phase == "waiting" and is_uncounted(step.call):
            with suppress(UnfinishedReference):
                made = _with_calls_for(step.call, resolver(ledger).resolve(step.call["each"]), made, ledger, left)
    return made


def is_uncounted(call: PlannedCall) -> bool:
    """Whether the call stands for element calls that are not made yet."""
    return call.get("each") is not None and "element_of" not in call and "elements" not in call


def unfinished_signatures(plan: Plan, ledger: Ledger) -> set[str]:
    """Signatures of the calls that the plan has yet to run."""
    return {step.signature for step in unfinished(plan, ledger)}


def _with_calls_for(call: PlannedCall, elements: list[Any], before: Expansion, ledger: Ledger, left: Left) -> Expansion:
    known = with_planned(ledger, before.calls.values())
    others = len(unfinished_signatures(before.plan, known) - {raw_signature(call)})
    free = max(0, left.runs - others)
    most = min(free, left.waves) if call["effect"] == "write" else free  # each write takes its own wave
    calls = [_element(call, n, element) for n, element in enumerate(elements[:MOST_ELEMENTS])]
    counted: PlannedCall = {**call, "elements": [each["id"] for each in calls]}
    inside = ([counted, *calls] if each["id"] == call["id"] else [each] for each in before.plan["tools"])
    new = {**before.calls, **{each["id"]: each for each in (counted, *calls)}}
    made = before._replace(plan={**before.plan, "tools": [*chain.from_iterable(inside)]}, calls=new)
    runs = len(unfinished_signatures(made.plan, with_planned(ledger, made.calls.values()))) - others
    if runs > most or len(elements) > MOST_ELEMENTS:
        return before._replace(too_many=[*before.too_many, TooMany(call, len(elements), most)])
    return made


def with_planned(ledger: Ledger, calls: Iterable[PlannedCall]) -> Ledger:
    return {**ledger, "calls": {**ledger["calls"], **{call["id"]: call for call in calls}}}


# The element in the arguments


def _element(call: PlannedCall, index: int, element: Any) -> PlannedCall:
    """The call for one element. Its values are fixed now: reading the list anew later changes no call."""
    target, path = as_reference(call["each"]) or ("", "")
    place = _Element(element, target, path, index, call.get("fit"))
    put = {name: place.put_into(arg, name) for name, arg in call["args"].items()}
    args = {name: value for name, value in put.items() if value is not None or call["args"][name] is None}
    own = f"{call['id']}_{index + 1}"
    return {**call, "id": own, "args": args, "each": place.reference(""), "element_of": call["id"]}


class _Element(NamedTuple):
    value: Any
    call: str
    path: str
    """Of the list."""
    number: int
    """From 0."""
    fit: Fit | None

    def reference(self, path: str) -> dict[str, Any]:
        """A reference to `path` in the element that is valid outside of it."""
        return {"ref": {"call": self.call, "path": element_path(self.path, self.number, path)}}

    def put_into(self, value: Any, place: str) -> Any:
        """`value` with references to the element replaced by its values; those that do not resolve stay references."""
        if (found := as_reference(value)) is not None:
            return self._literal(found[1], place) if found[0] == ELEMENT else value
        if (text := as_text(value)) is not None:
            return self._text(text)
        if isinstance(value, dict):
            return {key: self.put_into(part, f"{place}.{key}") for key, part in value.items()}
        if isinstance(value, list):
            return [self.put_into(part, f"{place}.{index}") for index, part in enumerate(value)]
        return value

    def _literal(self, path: str, place: str) -> Any:
        try:
            found = fitting_value(follow(self.value, path), self.fit["takes"].get(place) if self.fit else None)
        except (LookupError, ValueError):  # ValueError: it does not fit, or an index is not a number
            return self.reference(path)
        return self.reference(path) if references(found) else found  # what looks like a reference is data

    def _text(self, text: TextTemplate) -> Any:
        values = {name: self.put_into(part, "") for name, part in text.values.items()}
        if references(values):
            return {"text": text.template, "with": values}
        try:
            return text_with(text, values)
        except ValueError:
            found = {name: as_reference(part) for name, part in text.values.items()}
            values.update((name, self.reference(each[1])) for name, each in found.items() if each)
            return {"text": text.template, "with": values}
