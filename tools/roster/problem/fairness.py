"""What each nurse's fair share of nights and of weekends is: the one definition that the solvers price and the check
measures against.

Of a group, which is every nurse whose contract allows any of them and has any hours:

    fair_n    = need * hours_n / sum of hours
    carried_n = history_share * (before_n - sum of before * hours_before_n / sum of hours_before)
    due_n     = max(0, fair_n - carried_n)        rounded up to a tenth
    above_n   = max(0, own_n - due_n)             what is priced, and found where it exceeds the limit

`need` is what the ward demands, not what the roster makes: a night that nobody needs makes no other night fair. `hours` are
the contract's hours of the period less those that leave counts as; where a contract names none, the mean of the others.
`before` are the counts of the history, `hours_before` its contract hours; where it names none, those of the period.

The share depends on the ward alone, so what one nurse is charged does not depend on the others' rows.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from wavegraph.tools.roster.problem.hours import contract_minutes, leave_minutes
from wavegraph.tools.roster.ward.ward import Nurse, Ward

PARTS = 10
"""Shares are counted in parts of a night or weekend."""
SATURDAY = 5
Due = dict[str, int]
"""What is due to each nurse of a group, by id, in tenths."""


@dataclass(frozen=True)
class FairShares:
    """Of those who share in them."""

    nights: Due
    weekends: Due


def fair_shares(ward: Ward, history_share: float | None = None) -> FairShares:
    """What is due to each nurse. `history_share`: None = the ward's own."""
    carried = Fraction(str(ward.fairness.history_share if history_share is None else history_share))
    by_night = [nurse for nurse in ward.nurses if _may_work_nights(ward, nurse) and _has_hours(nurse)]
    by_weekend = [nurse for nurse in ward.nurses if nurse.contract.max_weekends != 0 and _has_hours(nurse)]
    return FairShares(
        nights=_due(ward, by_night, needed_nights(ward), {n.id: n.history.nights for n in by_night}, carried),
        weekends=_due(ward, by_weekend, needed_weekends(ward), {n.id: n.history.weekends for n in by_weekend}, carried),
    )


def _may_work_nights(ward: Ward, nurse: Nurse) -> bool:
    """The contract and her skills allow at least one night."""
    able = (shift for shift in ward.shifts if shift.night and shift.skill in (None, *nurse.skills))
    allowed = (nurse.contract.max_shifts.get(shift.id) != 0 for shift in able)
    return nurse.contract.max_nights != 0 and any(allowed)


def _has_hours(nurse: Nurse) -> bool:
    """Whether the contract promises any hours: who is promised none has no share that could be exceeded."""
    return contract_minutes(nurse.contract) != 0


def _due(ward: Ward, group: list[Nurse], need: int, before: Mapping[str, int], carried: Fraction) -> Due:
    hours = _hours({nurse.id: _minutes_to_work(ward, nurse) for nurse in group})
    known = {nurse.id: Fraction(nurse.history.target_minutes) for nurse in group}
    fair = _divided(need, hours)
    fair_before = _divided(sum(before.values()), known if any(known.values()) else hours)
    exact = {name: fair[name] - carried * (before[name] - fair_before[name]) for name in before}
    return {name: max(0, ceil(PARTS * amount)) for name, amount in exact.items()}


def _minutes_to_work(ward: Ward, nurse: Nurse) -> int | None:
    """The contract's hours that are not leave; None = it says nothing about hours."""
    minutes = contract_minutes(nurse.contract)
    return None if minutes is None else max(0, minutes - leave_minutes(ward, nurse))


def _hours(minutes: Mapping[str, int | None]) -> dict[str, Fraction]:
    """With the mean of the others for those whose contract names none."""
    known = [amount for amount in minutes.values() if amount is not None]
    mean = Fraction(sum(known), len(known)) if known else Fraction(1)
    return {name: mean if amount is None else Fraction(amount) for name, amount in minutes.items()}


def _divided(amount: int, hours: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The amount, divided by hours; nothing where nobody has any."""
    whole = sum(hours.values())
    return {name: amount * own / whole if whole else Fraction(0) for name, own in hours.items()}


def needed_nights(ward: Ward) -> int:
    """Night shifts that the ward wants filled."""
    nights = {shift.id for shift in ward.shifts if shift.night}
    return sum(heads for (_, shift), heads in _heads(ward).items() if shift in nights)


def needed_weekends(ward: Ward) -> int:
    """Weekends to be worked, counted by nurse: of each weekend the day that needs more nurses, where the ward asks for
    whole ones; else both days, as they may be worked by different nurses."""
    by_weekend: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (day, _), heads in _heads(ward).items():
        if ward.day(day).weekday() >= SATURDAY:
            by_weekend[(day + ward.start.weekday()) // 7][day] += heads
    together = max if ward.rules.complete_weekends else sum
    return sum(min(len(ward.nurses), together(days.values())) for days in by_weekend.values())


def _heads(ward: Ward) -> dict[tuple[int, str], int]:
    """Nurses wanted, by day and shift: rows for a skill are contained in those for any nurse."""
    heads: dict[tuple[int, str], int] = defaultdict(int)
    for row in ward.demand:
        if 0 <= (day := ward.index(row.day)) < ward.days:
            heads[day, row.shift] = max(heads[day, row.shift], row.target)
    return heads
