"""What each nurse's fair share of some kinds of shift is: the one definition of `Balance`.

Of a group, which is every nurse whose contract and skills allow any of the kinds and promise any hours:

    fair    = need * hours / sum of hours
    carried = history_share * (before - sum of before * hours before / sum of hours before)
    due     = max(0, fair - carried), rounded up to a whole shift
    cost    = weight * max(0, worked - due)

`need` is what the ward demands of these kinds, `hours` are the contract's less paid leave (where it names none, the mean of
the others), `before` and the hours before are the history's; where nobody has hours before, those of the period count.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

from wavegraph.tools.roster.problem.hours import contract_minutes, leave_minutes
from wavegraph.tools.roster.ward.ward import Balance, Nurse, Ward


def shares_due(ward: Ward, balance: Balance) -> dict[str, int]:
    """Whole shifts by nurse; who is not in the group has no share."""
    group = [nurse for nurse in ward.nurses if _shares_in(ward, nurse, balance)]
    hours, known = _hours(ward, group), {nurse.id: Fraction(nurse.history.target_minutes) for nurse in group}
    before = {nurse.id: sum(nurse.history.shifts.get(kind, 0) for kind in balance.shifts) for nurse in group}
    fair = _divided(_need(ward, balance), hours)
    fair_before = _divided(sum(before.values()), known if any(known.values()) else hours)
    share = Fraction(str(ward.fairness.history_share))
    return {name: max(0, ceil(fair[name] - share * (before[name] - fair_before[name]))) for name in before}


def in_words(balance: Balance) -> str:
    """`L and E, cost 10 a shift`."""
    return f"{' and '.join(balance.shifts)}, cost {balance.weight} a shift"


def _shares_in(ward: Ward, nurse: Nurse, balance: Balance) -> bool:
    kinds = [shift for shift in ward.shifts if shift.id in balance.shifts]
    able = [shift for shift in kinds if shift.skill is None or shift.skill in nurse.skills]
    allowed = any(nurse.contract.max_shifts.get(shift.id) != 0 for shift in able)
    return allowed and contract_minutes(nurse.contract) != 0


def _need(ward: Ward, balance: Balance) -> int:
    """Nurses wanted on these kinds over the period; a row for a skill is contained in that for any nurse."""
    heads: dict[tuple[int, str], int] = {}
    for row in ward.demand:
        if row.shift in balance.shifts and 0 <= (day := ward.index(row.day)) < ward.days:
            heads[day, row.shift] = max(heads.get((day, row.shift), 0), row.target)
    return sum(heads.values())


def _hours(ward: Ward, group: Sequence[Nurse]) -> dict[str, Fraction]:
    agreed = {nurse.id: contract_minutes(nurse.contract) for nurse in group}
    left = {
        nurse.id: Fraction(max(0, minutes - leave_minutes(ward, nurse)))
        for nurse in group
        if (minutes := agreed[nurse.id]) is not None
    }
    mean = sum(left.values(), Fraction(0)) / len(left) if left else Fraction(1)
    return {nurse.id: left.get(nurse.id, mean) for nurse in group}


def _divided(amount: int, hours: Mapping[str, Fraction]) -> dict[str, Fraction]:
    whole = sum(hours.values())
    return {name: amount * own / whole if whole else Fraction(0) for name, own in hours.items()}
