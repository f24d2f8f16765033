"""A choice that a plan made before it could see what there was to choose from: its planner looks at it again."""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.ledger import GOOD, data_of, outcome_of
from wavegraph.graph.ready import steps
from wavegraph.graph.references.paths import follow, path_steps, references
from wavegraph.graph.state import Ledger, Plan, PlannedCall, ValidationIssue, new_issue

UNSEEN = "to_be_chosen"
"""The rule of the issue."""


def unseen_choices(plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]) -> list[ValidationIssue]:
    """Calls yet to run that take one of several elements which came in only after their plan was made.

    A plan that takes every element has chosen none, and one that names an element by a field has not chosen blindly.
    """
    choices = [(step, *found) for step in steps(plan, ledger) for found in _choices(step.call, plan, ledger, registry)]
    taken = {(place, index) for _, place, index, _ in choices}
    blind: dict[str, ValidationIssue] = {}
    for step, place, index, count in choices:
        call = step.call["id"]
        if step.phase in ("ready", "waiting") and any((place, n) not in taken for n in range(count)):
            message = (
                f"{call} did not run: it takes {place}[{index}], but {place} has {count} elements, which the plan had not"
                " seen. Write out what the request asks for: one of them, several, or each; where that is open, ask"
            )
            blind.setdefault(call, new_issue("broken_plan", call, message, UNSEEN, expected=1, actual=count))
    return [*blind.values()]


def _choices(
    call: PlannedCall, plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]
) -> Iterator[tuple[str, int, int]]:
    """The references to one element of a list that is chosen from: the list, `dates.stays`, which element, and of how many."""
    for target, path in references(call["args"]):
        other, outcome = ledger["calls"].get(target), outcome_of(target, ledger)
        if other is None or outcome is None or other["plan"] != plan["number"] or outcome["plan"] != plan["number"]:
            continue  # not known yet, or known when the plan was made
        tool = registry.get(other["tool"])
        for place in tool.choose_from if tool and outcome["status"] in GOOD else ():
            with suppress(LookupError, ValueError, TypeError):  # it takes no element, or names it by a field
                taken, led = path_steps(path), path_steps(place)
                index, count = int(taken[len(led)]), len(follow(data_of(outcome, ledger), place))  # type: ignore[arg-type]
                if taken[: len(led)] == led and count > 1 and -count <= index < count:
                    yield f"{target}.{place}", index % count, count
