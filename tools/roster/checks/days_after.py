"""What the last days of a roster break together with the days right after it, which staff have already."""

from collections.abc import Callable, Sequence

from wavegraph.tools.roster.checks import rest, runs
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.ward import Nurse, Ward

OVER_THE_END: tuple[Callable[[Checked], list[Finding]], ...] = (*rest.BETWEEN_SHIFTS, *runs.RULES)
"""The rules about the order of shifts, but for the weekly rest."""
LONGEST_TAIL = 28


def check_days_after(of: Checked) -> list[Finding]:
    """Every rule about the order of shifts over the end of the horizon, up to the known days of `followed_by`. What those
    days break by themselves is no fault of this roster."""
    ward = of.ward
    if (then := ward.followed_by) is None:
        return []
    which = told("found.over_the_end", version=then.version or told("found.what_follows"), first=ward.day(ward.days))
    known = [(nurse, coming) for nurse in ward.nurses if (coming := then.roster.get(nurse.id))]
    in_order = [found for nurse, coming in known for found in _over_the_end(ward, nurse, of.roster[nurse.id], coming)]
    found = [*in_order, *rest.check_weekly_rest_over_the_end(of)]
    return [each.model_copy(update={"given": {**each.given, "then": which}}) for each in found]


def _over_the_end(ward: Ward, nurse: Nurse, row: Sequence[str | None], coming: Sequence[str | None]) -> list[Finding]:
    alone = {_about(found) for found in _in_the_days_after(ward, nurse, [], coming)}
    tail = [*nurse.history.tail, *row][-LONGEST_TAIL:]
    return [found for found in _in_the_days_after(ward, nurse, tail, coming) if _about(found) not in alone]


def _in_the_days_after(ward: Ward, nurse: Nurse, tail: list[str | None], coming: Sequence[str | None]) -> list[Finding]:
    """What the rules find of the days after, given the days before them."""
    then = nurse.model_copy(update={"history": nurse.history.model_copy(update={"tail": tail})})
    later = ward.changed(
        start=ward.day(ward.days), days=len(coming), nurses=[then], demand=[], leave=[], wishes=[], locked=[], pairs=[],
        published=None, followed_by=None,
    )  # fmt: skip
    return [found for rule in OVER_THE_END for found in rule(Checked(later, {nurse.id: list(coming)}))]


def _about(found: Finding) -> object:
    return found.type, found.day, found.shift, found.expected, found.actual
