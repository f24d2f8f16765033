"""The weekly rest: rest days in each seven known days, or on average over fourteen."""

from collections.abc import Iterator

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.cells import day_off
from wavegraph.tools.roster.problem.rules.forms import Window
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.problem.rules.orders import rest_knob, short_rests

WEEK = 7


def weekly_rest(instance: Instance) -> Iterator[Window]:
    """A rest day in every seven known days, or two in fourteen that hold them (Directive 2003/88/EC art. 5, 16).

    A rest day is a day off whose rest, from shift to shift, lasts the hours the ward asks for.
    """
    if hours := instance.ward.rules.weekly_rest_hours:
        off, spoilt = day_off(instance), short_rests(instance, hours, lambda _, gap, __: gap > 1)
        for n in range(len(instance.nurses)):
            yield Window(RuleId("weekly_rest"), n, off, spoilt, length=WEEK, least=1, spans=2)


def weekly_rest_knobs(instance: Instance) -> Iterator[Knob]:
    """Whether there is a day off with a rest does not depend on its hours alone."""
    yield rest_knob(instance, RuleId("weekly_rest"), "weekly_rest_hours", rises=None)


MUST = (weekly_rest,)
KNOBS = (weekly_rest_knobs,)
