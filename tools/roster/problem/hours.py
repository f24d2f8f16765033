"""How many hours a contract asks for, and which of them paid leave counts as."""

from datetime import date

from wavegraph.tools.roster.ward.ward import Contract, Nurse, Ward

SATURDAY = 5


def contract_minutes(contract: Contract) -> int | None:
    """The contract's hours of the period; the middle of its bounds where it has two; None = it says nothing."""
    if contract.target_minutes is not None or contract.max_minutes is None or not contract.min_minutes:
        return contract.target_minutes
    return (contract.min_minutes + contract.max_minutes) // 2


def leave_minutes(ward: Ward, nurse: Nurse, until: date | None = None) -> int:
    """What a nurse's paid leave before a day counts as, towards the least, the most and the agreed hours of her contract.
    `until`: None = to the end of the period.

        contract's hours of the period * days of paid leave / days of the period         to the nearest minute

    Both count the days that `rules.leave_credit` names: Monday to Friday (all, in a period without one), or all. A whole
    period of leave thus counts as the whole of its hours. A contract with `leave_minutes` has so many for each such day.
    """
    own = (row for row in ward.leave if row.nurse == nurse.id and row.paid and row.shift is None)
    paid = {ward.index(row.day) for row in own if until is None or row.day < until}
    if not paid:
        return 0
    counting = _counting_days(ward)
    days, minutes = len(counting & paid), contract_minutes(nurse.contract) or 0
    if nurse.contract.leave_minutes is not None:
        return days * nurse.contract.leave_minutes
    return (2 * minutes * days + len(counting)) // (2 * len(counting)) if days else 0


def _counting_days(ward: Ward) -> set[int]:
    days = set(range(ward.days))
    weekdays = {day for day in days if ward.day(day).weekday() < SATURDAY}
    by_credit = {"weekdays": weekdays or days, "calendar": days, "none": set[int]()}
    return by_credit[ward.rules.leave_credit]
