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
from wavegraph.tools.roster.problem.fairness import PARTS, Due, fair_shares
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits

Found = dict[int, list[Literal]]
"""The literals of each nurse's findings."""
Count = Callable[[cp_model.CpModel, Variables, Instance, EmpathyLimits], Found]

FLOAT_ERROR = Fraction(1, 10**6)
"""More than the error of a product of minutes and a share."""


def exact(number: float) -> Fraction:
    """The number as it is written: 0.1 is one tenth."""
    return Fraction(str(number))


def underutilization(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """due - worked >= least, the least whole minutes that are at least a shift and more than the share allowed."""
    return _hours(model, v, instance, limits, limits.under_share, sign=1)


def overwork(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """worked - due >= least, in the same way."""
    return _hours(model, v, instance, limits, limits.over_share, sign=-1)


def _hours(
    model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits, share: float, *, sign: int
) -> Found:
    found: Found = {}
    hours_due = fair_shares(instance.ward, limits.history_share).minutes
    for n in range(len(instance.nurses)):
        target = instance.target_minutes(n)
        due = hours_due[instance.nurses[n].id]
        if target is not None and due is not None:
            least = max(1, limits.shift_minutes, floor(exact(share) * target + FLOAT_ERROR) + 1)
            distance = sign * (due - instance.leave_minutes[n] - paid_minutes(v, instance, n))
            found[n] = [_above_bound(model, distance, least - 1)]
    return found


def _above_bound(model: cp_model.CpModel, amount: cp_model.LinearExprT, most: int) -> Literal:
    """A Boolean that may be false only where an amount is at most `most`."""
    above = model.new_bool_var("")
    model.add(amount <= most).only_enforce_if(above.negated())
    return above


def night_concentration(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """Nights above a fair share; see `_above`."""
    due = fair_shares(instance.ward, limits.history_share).nights
    own = {n: [x for d in range(instance.days) for x in v.nights(instance, n, d)] for n in _indices(instance, due)}
    return _above(model, own, _indices(instance, due), exact(limits.nights_over_mean))


def weekend_concentration(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """Worked weekends above a fair share, in the same way."""
    due = fair_shares(instance.ward, limits.history_share).weekends
    own = {n: weekend_literals(model, v, instance, n) for n in _indices(instance, due)}
    return _above(model, own, _indices(instance, due), exact(limits.weekends_over_mean))


def holiday_concentration(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """Shifts on public holidays above a fair share, in the same way."""
    due = fair_shares(instance.ward, limits.history_share).holidays
    own = {n: [v.works[n, d] for d in instance.holidays] for n in _indices(instance, due)}
    return _above(model, own, _indices(instance, due), exact(limits.holidays_over_mean))


def _indices(instance: Instance, due: Due) -> dict[int, int]:
    return {instance.nurse_index[name]: tenths for name, tenths in due.items()}


def _above(
    model: cp_model.CpModel, own: Mapping[int, Sequence[Literal]], due: Mapping[int, int], most: Fraction
) -> Found:
    """10 own - due > 10 most, of one nurse each: nobody's depends on what the others work."""
    return {
        n: [_above_bound(model, PARTS * sum(literals), floor(due[n] + PARTS * most))] for n, literals in own.items()
    }
