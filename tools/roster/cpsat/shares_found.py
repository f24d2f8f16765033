"""The empathy check's findings about hours, nights and weekends, as literals that may be false only where it finds none.

A finding counts only where the check certainly makes it: its floats are compared with exact fractions, and a value so
near its bound that rounding decides counts as within. A model that allows few findings thus allows every roster with few.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.constraints import paid_minutes, weekend_literals
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits

Found = dict[int, list[Literal]]
"""The literals of each nurse's findings."""
Count = Callable[[cp_model.CpModel, Variables, Instance, EmpathyLimits], Found]

FLOAT_ERROR = Fraction(1, 10**6)
"""More than the error of a product of minutes and a share."""
ROUNDING = Fraction(1, 10**4)
"""More than the rounding of a distance from the mean to four decimals takes away."""


def exact(number: float) -> Fraction:
    """The number as it is written: 0.1 is one tenth."""
    return Fraction(str(number))


def underutilization(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """target - worked >= least, the least whole minutes that are at least a shift and more than the share allowed."""
    return _hours(model, v, instance, limits.shift_minutes, limits.under_share, sign=1)


def overwork(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """worked - target >= least, in the same way."""
    return _hours(model, v, instance, limits.shift_minutes, limits.over_share, sign=-1)


def _hours(
    model: cp_model.CpModel, v: Variables, instance: Instance, shift_minutes: int, share: float, *, sign: int
) -> Found:
    found: Found = {}
    for n in range(len(instance.nurses)):
        target = instance.target_minutes(n)
        if target is not None:
            least = max(1, shift_minutes, floor(exact(share) * target + FLOAT_ERROR) + 1)
            distance = sign * (target - paid_minutes(v, instance, n))
            found[n] = [_above_bound(model, distance, least - 1)]
    return found


def _above_bound(model: cp_model.CpModel, amount: cp_model.LinearExprT, most: int) -> Literal:
    """A Boolean that may be false only where an amount is at most `most`."""
    above = model.new_bool_var("")
    model.add(amount <= most).only_enforce_if(above.negated())
    return above


def night_concentration(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """Nights above the mean of those whose contract allows any, with what is carried over; see `_above`."""
    group = instance.night_group
    own = [[x for d in range(instance.days) for x in v.nights(instance, n, d)] for n in group]
    before = [instance.nurses[n].history.nights for n in group]
    return _above(model, group, own, before, exact(limits.nights_over_mean), exact(limits.history_share))


def weekend_concentration(model: cp_model.CpModel, v: Variables, instance: Instance, limits: EmpathyLimits) -> Found:
    """Worked weekends above the mean of those whose contract allows any, in the same way."""
    group = instance.weekend_group
    own = [weekend_literals(model, v, instance, n) for n in group]
    before = [instance.nurses[n].history.weekends for n in group]
    return _above(model, group, own, before, exact(limits.weekends_over_mean), exact(limits.history_share))


def _above(
    model: cp_model.CpModel,
    group: Sequence[int],
    own: Sequence[Sequence[Literal]],
    before: Sequence[int],
    most: Fraction,
    history_share: Fraction,
) -> Found:
    """own > mean  and  own - mean + history_share (before - mean before) > most, times the size N of the group:

    N own - sum own > max(0, N (most + ROUNDING - history_share (before - mean before)))
    """
    size, everybody = len(group), sum(x for literals in own for x in literals)
    found: Found = {}
    for n, literals, earlier in zip(group, own, before, strict=True):
        carried = history_share * (earlier - Fraction(sum(before), size))
        within = max(0, floor(size * (most + ROUNDING - carried)))
        found[n] = [_above_bound(model, size * sum(literals) - everybody, within)]
    return found
