"""A choice that a plan made before it could see what there was to choose from: its planner looks at it again."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.ledger import GOOD, data_of, outcome_of
from wavegraph.graph.ready import steps
from wavegraph.graph.references.paths import follow, path_steps, references
from wavegraph.graph.state import Ledger, Plan, ValidationIssue, new_issue

UNSEEN = "to_be_chosen"
"""The rule of the issue."""


class _Choice(NamedTuple):
    """A reference to one element of a list that is chosen from."""

    call: str
    target: str
    path: str
    """Of the list."""
    place: int


def unseen_choices(plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]) -> list[ValidationIssue]:
    """Calls yet to run that take one of several elements which came in only after their plan was made.

    A plan that takes every element has chosen none, and one that names an element by a field has not chosen blindly.
    """
    made = [
        (step, list(_choices(step.call["id"], step.call["args"], plan, ledger, registry)))
        for step in steps(plan, ledger)
    ]
    taken = {(each.target, each.path, each.place) for _, choices in made for each in choices}
    issues = []
    for step, choices in made:
        for each in choices if step.phase in ("ready", "waiting") else ():
            count = len(_elements(each.target, each.path, ledger))
            if any((each.target, each.path, index) not in taken for index in range(count)):
                issues.append(_issue(each, count))
                break
    return issues


def _issue(choice: _Choice, count: int) -> ValidationIssue:
    place = f"{choice.target}.{choice.path}"
    message = (
        f"{choice.call} did not run: it takes {place}[{choice.place}], but {place} has {count} elements, which the plan had not"
        " seen. Write out what the request asks for: one of them, several, or each; where that is open, ask"
    )
    return new_issue("broken_plan", choice.call, message, UNSEEN, expected=1, actual=count)


def _choices(
    call_id: str, args: object, plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]
) -> Iterator[_Choice]:
    for target, path in references(args):
        other, outcome = ledger["calls"].get(target), outcome_of(target, ledger)
        if other is None or outcome is None or other["plan"] != plan["number"] or outcome["plan"] != plan["number"]:
            continue  # not known yet, or known when the plan was made
        tool = registry.get(other["tool"])
        for place in tool.choose_from if tool and outcome["status"] in GOOD else ():
            index = _index_in(path, place)
            count = len(_elements(target, place, ledger))
            if index is not None and count > 1 and -count <= index < count:
                yield _Choice(call_id, target, place, index % count)


def _index_in(path: str, place: str) -> int | None:
    """The index that a path takes in the list at `place`; None = it leads elsewhere, or names the element by a field."""
    taken, led = path_steps(path), path_steps(place)
    if taken[: len(led)] != led or len(taken) == len(led):
        return None
    step = taken[len(led)]
    if isinstance(step, str) and step.lstrip("-").isdigit():
        return int(step)
    return step if isinstance(step, int) else None


def _elements(target: str, place: str, ledger: Ledger) -> list[object]:
    outcome = outcome_of(target, ledger)
    try:
        found = follow(data_of(outcome, ledger), place) if outcome else None
    except (LookupError, ValueError):
        return []
    return found if isinstance(found, list) else []
