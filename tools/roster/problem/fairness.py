"""What each nurse's fair share of nights, weekends, holidays, hours and kinds of shift to be balanced is: the one definition
that the solvers price and the check measures against.

Of a group, which is every nurse whose contract (and skills) allow any of them and has any hours:

    fair_n    = need * weight_n * hours_n / sum of weight * hours
    carried_n = history_share * (before_n - sum of before * weight_n * hours_before_n / sum of weight * hours_before)
    due_n     = max(0, fair_n - carried_n)        rounded up to a tenth
    above_n   = max(0, own_n - due_n)             what is priced, and found where it exceeds the limit

`need` is what the ward demands, not what the roster makes: a night that nobody needs makes no other night fair. `hours` are
the contract's hours of the period less those that leave counts as; where a contract names none, the mean of the others.
`before` are the counts of the history, `hours_before` its contract hours; where it names none, those of the period.
`weight` is 1, but more for the holders of a skill of which the ward needs more than their hours would bring them, and less
for the others then: nobody else can do it (`_weights`). Of kinds that `rules.balanced` names it is 1 for all, and what is due
is rounded up to a whole shift.

Of the agreed hours, what was worked before more or less than by everybody, by contract hours, is carried the same way:

    carried_n = history_share * (minutes_before_n - sum of minutes_before * target_before_n / sum of target_before)
    due_n     = target_n - carried_n              within what the check lets pass, and the contract's bounds

The share depends on the ward alone, so what one nurse is charged does not depend on the others' rows.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from wavegraph.tools.roster.problem.hours import contract_minutes, leave_minutes
from wavegraph.tools.roster.ward.ward import Balance, Nurse, Ward

PARTS = 10
"""Shares are counted in parts of a night, weekend or holiday."""
SATURDAY, SUNDAY = 5, 6
Hours = Mapping[str, Fraction]
"""Of each nurse of a group, by id."""
Due = dict[str, int]
"""What is due to each nurse of a group, by id, in tenths."""


@dataclass(frozen=True)
class FairShares:
    """Of those who share in them."""

    nights: Due
    weekends: Due
    holidays: Due
    minutes: dict[str, int | None]
    """The hours each nurse should have, with leave; None = her contract says nothing about hours."""


def fair_shares(ward: Ward, history_share: float | None = None) -> FairShares:
    """What is due to each nurse. `history_share`: None = the ward's own."""
    carried = exact(ward.fairness.history_share if history_share is None else history_share)
    with_hours = [nurse for nurse in ward.nurses if _has_hours(nurse)]
    nights = {shift.id for shift in ward.shifts if shift.night}
    by_night = [nurse for nurse in with_hours if nurse.contract.max_nights != 0 and _may_work(ward, nurse, nights)]
    by_weekend = [nurse for nurse in with_hours if nurse.contract.max_weekends != 0]
    return FairShares(
        nights=_due(ward, by_night, needed_nights, {n.id: n.history.nights for n in by_night}, carried),
        weekends=_due(ward, by_weekend, needed_weekends, {n.id: n.history.weekends for n in by_weekend}, carried),
        holidays=_due(ward, with_hours, needed_on_holidays, {n.id: n.history.holidays for n in with_hours}, carried),
        minutes=_minutes_due(ward, carried),
    )


def shares_due(ward: Ward, balance: Balance) -> dict[str, int]:
    """What is due to each nurse of the kinds that are balanced, in whole shifts; who does not share in them has none."""
    kinds = set(balance.shifts)
    group = [nurse for nurse in ward.nurses if _has_hours(nurse) and _may_work(ward, nurse, kinds)]
    before = {nurse.id: sum(nurse.history.shifts.get(kind, 0) for kind in kinds) for nurse in group}
    carried = exact(ward.fairness.history_share)
    shares = _exact_shares(group, _group_hours(ward, group), None, _needed_shifts(ward, kinds), before, carried)
    return {name: max(0, ceil(amount)) for name, amount in shares.items()}


def balance_in_words(balance: Balance) -> str:
    """`L and E, cost 10 a shift`."""
    return f"{' and '.join(balance.shifts)}, cost {balance.weight} a shift"


def charges(due: int, most: int) -> list[int]:
    """The tenths that each unit above the whole ones that are due adds; `most`: units there can be."""
    return [min(PARTS, PARTS * own - due) for own in range(due // PARTS + 1, most + 1)]


def _minutes_due(ward: Ward, carried: Fraction) -> dict[str, int | None]:
    agreed = {nurse.id: Fraction(nurse.history.target_minutes) for nurse in ward.nurses}
    fair_before = _divided(sum(n.history.minutes for n in ward.nurses if agreed[n.id]), agreed)
    carried_by = {n.id: carried * (n.history.minutes - fair_before[n.id]) if agreed[n.id] else 0 for n in ward.nurses}
    return {nurse.id: _within_bounds(ward, nurse, carried_by[nurse.id]) for nurse in ward.nurses}


def _within_bounds(ward: Ward, nurse: Nurse, carried: Fraction | int) -> int | None:
    contract, target = nurse.contract, contract_minutes(nurse.contract)
    if target is None:
        return None
    least = max(min(target, contract.min_minutes), ceil(target * (1 - exact(ward.fairness.under_share))))
    most = floor(target * (1 + exact(ward.fairness.over_share)))
    if contract.max_minutes is not None:
        most = min(most, max(target, contract.max_minutes))
    return min(max(round(target - carried), least), most)


def exact(number: float) -> Fraction:
    """As it is written: 0.1 is one tenth."""
    return Fraction(str(number))


def _may_work(ward: Ward, nurse: Nurse, kinds: Collection[str]) -> bool:
    """The contract and her skills allow at least one shift of these kinds."""
    able = (shift for shift in ward.shifts if shift.id in kinds and shift.skill in (None, *nurse.skills))
    return any(nurse.contract.max_shifts.get(shift.id) != 0 for shift in able)


def _has_hours(nurse: Nurse) -> bool:
    """Whether the contract promises any hours: who is promised none has no share that could be exceeded."""
    return contract_minutes(nurse.contract) != 0


Needed = Callable[[Ward, str | None], int]
"""What a ward needs, of anybody or of the holders of a skill."""


def _due(ward: Ward, group: list[Nurse], needed: Needed, before: Mapping[str, int], carried: Fraction) -> Due:
    hours = _group_hours(ward, group)
    weights = _weights(ward, group, needed, hours)
    shares = _exact_shares(group, hours, weights, needed(ward, None), before, carried)
    return {name: max(0, ceil(PARTS * amount)) for name, amount in shares.items()}


def _exact_shares(
    group: list[Nurse],
    hours: Hours,
    weights: Mapping[str, Fraction] | None,
    need: int,
    before: Mapping[str, int],
    carried: Fraction,
) -> dict[str, Fraction]:
    """`weights`: None = all the same."""
    known = {nurse.id: Fraction(nurse.history.target_minutes) for nurse in group}
    fair = _divided(need, _times(weights, hours))
    fair_before = _divided(sum(before.values()), _times(weights, known if any(known.values()) else hours))
    return {name: fair[name] - carried * (before[name] - fair_before[name]) for name in before}


def _weights(ward: Ward, group: list[Nurse], needed: Needed, hours: Hours) -> dict[str, Fraction]:
    """How much of the need an hour of each nurse brings, against the mean.

    The scarcest skill comes first, while an hour of its holders has to bring more than one of all who are left; so the
    least that anybody has to do more than her hours' share is as little as it can be.
    """
    need, left = Fraction(needed(ward, None)), {nurse.id: nurse for nurse in group}
    mean = need / sum(hours.values()) if sum(hours.values()) else Fraction(0)
    if not mean:
        return dict.fromkeys(left, Fraction(1))
    of_skill = {skill: Fraction(needed(ward, skill)) for skill in _skills_needed(ward)}
    weights: dict[str, Fraction] = {}
    while left:
        holders, rate = _most_in_demand(need, of_skill, left, hours)
        brought = {name: rate * hours[name] for name in holders}
        for skill, amount in of_skill.items():
            of_skill[skill] = max(Fraction(0), amount - sum(brought[n] for n in _holders(left, skill) if n in brought))
        need = max(Fraction(0), need - sum(brought.values()))
        weights |= dict.fromkeys(holders, rate / mean)
        left = {name: nurse for name, nurse in left.items() if name not in brought}
    return weights


def _most_in_demand(
    need: Fraction, of_skill: Mapping[str, Fraction], left: Mapping[str, Nurse], hours: Hours
) -> tuple[list[str], Fraction]:
    """The holders of the scarcest skill, or all where none is scarce; and what an hour of theirs has to bring."""
    groups = [(need, list(left)), *((amount, _holders(left, skill)) for skill, amount in of_skill.items())]
    rated = [(names, _rate(amount, names, hours)) for amount, names in groups if names]
    return max(rated, key=lambda group: group[1])


def _skills_needed(ward: Ward) -> list[str]:
    charge = ward.rules.charge_skill
    named = {charge, *(row.skill for row in ward.demand), *(shift.skill for shift in ward.shifts)}
    return sorted(skill for skill in named if skill)


def _holders(nurses: Mapping[str, Nurse], skill: str) -> list[str]:
    return [name for name, nurse in nurses.items() if skill in nurse.skills]


def _rate(need: Fraction, names: list[str], hours: Hours) -> Fraction:
    whole = sum(hours[name] for name in names)
    return need / whole if whole else Fraction(0)


def _times(weights: Mapping[str, Fraction] | None, hours: Hours) -> Hours:
    return hours if weights is None else {name: weights[name] * amount for name, amount in hours.items()}


def _group_hours(ward: Ward, group: list[Nurse]) -> Hours:
    """The contract's that are not leave, with the mean of the others for those whose contract names none."""
    agreed = [(nurse, contract_minutes(nurse.contract)) for nurse in group]
    left = {n.id: Fraction(max(0, minutes - leave_minutes(ward, n))) for n, minutes in agreed if minutes is not None}
    mean = sum(left.values(), Fraction(0)) / len(left) if left else Fraction(1)
    return {nurse.id: left.get(nurse.id, mean) for nurse in group}


def _divided(amount: int, hours: Hours) -> dict[str, Fraction]:
    """The amount, divided by hours; nothing where nobody has any."""
    whole = sum(hours.values())
    return {name: amount * own / whole if whole else Fraction(0) for name, own in hours.items()}


def needed_nights(ward: Ward, skill: str | None = None) -> int:
    """Night shifts that the ward wants filled, by anybody or by holders of a skill."""
    return _needed_shifts(ward, {shift.id for shift in ward.shifts if shift.night}, skill)


def _needed_shifts(ward: Ward, kinds: Collection[str], skill: str | None = None) -> int:
    return sum(heads for (_, shift), heads in _heads(ward, skill).items() if shift in kinds)


def needed_weekends(ward: Ward, skill: str | None = None) -> int:
    """Weekends to be worked, counted by nurse: of each weekend the day that needs more nurses, where the ward asks for
    whole ones, less those who began it before the period; else both days, as they may be worked by different nurses."""
    by_weekend: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (day, _), heads in _heads(ward, skill).items():
        if ward.day(day).weekday() >= SATURDAY:
            by_weekend[(day + ward.start.weekday()) // 7][day] += heads
    if not ward.rules.complete_weekends:
        return sum(min(len(ward.nurses), sum(days.values())) for days in by_weekend.values())
    begun = _began_the_weekend_before(ward, skill)
    return sum(
        max(0, min(len(ward.nurses), max(days.values())) - (0 if week else begun)) for week, days in by_weekend.items()
    )


def _began_the_weekend_before(ward: Ward, skill: str | None) -> int:
    """Who worked the Saturday before a first day that is a Sunday."""
    able = [nurse for nurse in ward.nurses if skill is None or skill in nurse.skills]
    begun = [nurse for nurse in able if nurse.history.tail and nurse.history.tail[-1] is not None]
    return len(begun) if ward.start.weekday() == SUNDAY else 0


def needed_on_holidays(ward: Ward, skill: str | None = None) -> int:
    """Shifts on public holidays that the ward wants filled."""
    return sum(heads for (day, _), heads in _heads(ward, skill).items() if ward.day(day) in ward.holidays)


def _heads(ward: Ward, skill: str | None) -> dict[tuple[int, str], int]:
    """Nurses wanted, by day and shift: rows for a skill are contained in those for any nurse, and one in charge in both."""
    heads: dict[tuple[int, str], int] = defaultdict(int)
    for row in ward.demand:
        if 0 <= (day := ward.index(row.day)) < ward.days:
            in_charge = int(skill == ward.rules.charge_skill and row.target > 0)
            own = row.target if skill in (None, row.skill, ward.shift_by_id[row.shift].skill) else 0
            heads[day, row.shift] = max(heads[day, row.shift], own, in_charge if skill else 0)
    return heads
