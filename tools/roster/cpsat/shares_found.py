"""The empathy check's findings about hours, nights and weekends, as literals that may be false only where it finds none.

A finding counts only where the check certainly makes it: its floats are compared with exact fractions, and a value so
near its bound that rounding decides counts as within. A model that allows few findings thus allows every roster with few.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.constraints import paid_minutes, weekend_literals
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.fairness import PARTS
from wavegraph.tools.roster.problem.instance import Instance

Found = dict[int, list[Literal]]
"""The literals of each nurse's findings."""
Count = Callable[[cp_model.CpModel, Variables, Instance], Found]

FLOAT_ERROR = Fraction(1, 10**6)
"""More than the error of a product of minutes and a share."""


def exact(number: float) -> Fraction:
    """The number as it is written: 0.1 is one tenth."""
    return Fraction(str(number))


def underutilization(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """due - worked >= least, the least whole minutes that are at least a shift and more than the share allowed."""
    return _hours(model, v, instance, instance.ward.fairness.under_share, sign=1)


def overwork(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """worked - due >= least, in the same way."""
    return _hours(model, v, instance, instance.ward.fairness.over_share, sign=-1)


def _hours(model: cp_model.CpModel, v: Variables, instance: Instance, share: float, *, sign: int) -> Found:
    found: Found = {}
    for n, due in enumerate(instance.minutes_due):
        target = instance.target_minutes(n)
        if target is not None and due is not None:
            least = max(1, instance.ward.fairness.shift_minutes, floor(exact(share) * target + FLOAT_ERROR) + 1)
            distance = sign * (due - instance.leave_minutes[n] - paid_minutes(v, instance, n))
            found[n] = [_above_bound(model, distance, least - 1)]
    return found


def _above_bound(model: cp_model.CpModel, amount: cp_model.LinearExprT, most: int) -> Literal:
    """A Boolean that may be false only where an amount is at most `most`."""
    above = model.new_bool_var("")
    model.add(amount <= most).only_enforce_if(above.negated())
    return above


def night_concentration(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """Nights above a fair share; see `_above`."""
    due = instance.nights_due
    own = {n: [x for d in range(instance.days) for x in v.nights(instance, n, d)] for n in due}
    return _above(model, own, due, exact(instance.ward.fairness.nights_over_mean))


def weekend_concentration(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """Worked weekends above a fair share, in the same way."""
    due = instance.weekends_due
    own = {n: weekend_literals(model, v, instance, n) for n in due}
    return _above(model, own, due, exact(instance.ward.fairness.weekends_over_mean))


def holiday_concentration(model: cp_model.CpModel, v: Variables, instance: Instance) -> Found:
    """Shifts on public holidays above a fair share, in the same way."""
    due = instance.holidays_due
    own = {n: [v.works[n, d] for d in instance.holidays] for n in due}
    return _above(model, own, due, exact(instance.ward.fairness.holidays_over_mean))


def _above(
    model: cp_model.CpModel, own: Mapping[int, Sequence[Literal]], due: Mapping[int, int], most: Fraction
) -> Found:
    """10 own - due > 10 most, of one nurse each: nobody's depends on what the others work."""
    return {
        n: [_above_bound(model, PARTS * sum(literals), floor(due[n] + PARTS * most))] for n, literals in own.items()
    }
