"""A choice that a plan made before it could see what there was to choose from: its planner looks at it again."""

from collections.abc import Iterator, Mapping

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.ledger import GOOD, data_of, outcome_of
from wavegraph.graph.ready import steps
from wavegraph.graph.references.paths import follow, path_steps, references
from wavegraph.graph.state import Ledger, Plan, ValidationIssue, new_issue

UNSEEN = "to_be_chosen"
"""The rule of the issue."""


def unseen_choices(plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]) -> list[ValidationIssue]:
    """Calls yet to run that take one of several elements which came in only after their plan was made.

    A plan that takes every element has chosen none, and one that names an element by a field has not chosen blindly.
    """
    choices = [(step, list(_choices(step.call["args"], plan, ledger, registry))) for step in steps(plan, ledger)]
    taken = {(place, index) for _, found in choices for place, index, _ in found}
    issues = []
    for step, found in choices:
        blind = [each for each in found if any((each[0], n) not in taken for n in range(each[2]))]
        if blind and step.phase in ("ready", "waiting"):
            issues.append(_issue(step.call["id"], *blind[0]))
    return issues


def _issue(call: str, place: str, index: int, count: int) -> ValidationIssue:
    message = (
        f"{call} did not run: it takes {place}[{index}], but {place} has {count} elements, which the plan had not"
        " seen. Write out what the request asks for: one of them, several, or each; where that is open, ask"
    )
    return new_issue("broken_plan", call, message, UNSEEN, expected=1, actual=count)


def _choices(
    args: object, plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]
) -> Iterator[tuple[str, int, int]]:
    """The references to one element of a list that is chosen from: the list, `dates.stays`, which element, and of how many."""
    for target, path in references(args):
        other, outcome = ledger["calls"].get(target), outcome_of(target, ledger)
        if other is None or outcome is None or other["plan"] != plan["number"] or outcome["plan"] != plan["number"]:
            continue  # not known yet, or known when the plan was made
        tool = registry.get(other["tool"])
        for place in tool.choose_from if tool and outcome["status"] in GOOD else ():
            index, count = _index_in(path, place), _length_at(place, data_of(outcome, ledger))
            if index is not None and count > 1 and -count <= index < count:
                yield f"{target}.{place}", index % count, count


def _length_at(place: str, data: object) -> int:
    try:
        found = follow(data, place)
    except (LookupError, ValueError):
        return 0
    return len(found) if isinstance(found, list) else 0


def _index_in(path: str, place: str) -> int | None:
    """The index that a path takes in the list at `place`; None = it leads elsewhere, or names the element by a field."""
    taken, led = path_steps(path), path_steps(place)
    if taken[: len(led)] != led or len(taken) == len(led):
        return None
    step = taken[len(led)]
    return int(step) if isinstance(step, int) or (isinstance(step, str) and step.lstrip("-").isdigit()) else None
