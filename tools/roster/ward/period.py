"""Lays a ward file out for a period: its own, or another one that is asked for.

Demand and wishes by weekday and spans of leave become a row a day, contract bounds are scaled to the length of the period, and
a percentage becomes hours. A span of leave that only partly lies in the period is cut to it.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from math import gcd
from operator import attrgetter
from typing import Any, TypeVar

from wavegraph.graph.settings import CALENDAR, LAST_DAY, in_calendar
from wavegraph.tools.roster.told import Told
from wavegraph.tools.roster.ward.faults import FieldAt, FieldPath, FileFault, date_expected, field_at, owner_of, wanted
from wavegraph.tools.roster.ward.in_file import NO_DAY, WEEKDAYS, ContractInFile, DemandInFile, LeaveInFile, WishInFile
from wavegraph.tools.roster.ward.ward import Contract, Demand, History, Leave, Nurse, Total, Ward, WardRecord, Wish

R = TypeVar("R", bound=WardRecord)
USUAL_DAYS = 7
"""The length of a period where neither the file nor the caller gives one."""
MOST_ROWS = 50_000
"""Rows of demand after expansion."""
BOUNDS = ("min_minutes", "max_minutes", "target_minutes", "max_nights", "max_weekends")
"""A contract's bounds for a period, besides those by shift and totals; the others are for a day or a run."""
TOTALS = ("assignments", "working_weekends")
"""Totals of a contract: bounds for a period too, unless they count the periods before as well."""
DATED = ("demand", "leave", "wishes", "locked")
"""Lists whose rows have a day."""
ONE_DAY = timedelta(days=1)


@dataclass
class LaidOut:
    """A file's ward for one period."""

    file: Any
    """The `WardInFile`, with the period's first day and length."""
    ward: Ward
    """With a row a day, and what lies outside the period."""
    own_start: str | None
    """The first day as the file has it; None = it has none."""
    own_days: int
    rows: dict[str, list[int]] = field(default_factory=dict)
    """The place in the file of each row, of the fields whose rows are expanded."""
    faults: list[FileFault] = field(default_factory=list)

    @property
    def moved(self) -> bool:
        """Whether the period differs from the file's own, or the file has none: rows outside it are left out."""
        return (self.own_start, self.own_days) != (self.ward.start.isoformat(), self.ward.days)

    @property
    def last(self) -> date:
        return self.ward.day(self.ward.days - 1)

    def holds(self, day: date) -> bool:
        return self.ward.start <= day <= self.last

    def fault(self, path: FieldPath, value: Any, expected: Told, record: Any = None) -> None:
        written = value.isoformat() if isinstance(value, date) else value
        self.faults.append(FileFault(field_at(*path, owner=owner_of(record)), written, expected))


def lay_out(file: Ward, own_start: str | None, own_days: int) -> LaidOut:
    """`file`: a `WardInFile` with the period's first day and length; `own_start`, `own_days`: what its file has for them."""
    laid = LaidOut(file, file, own_start, own_days)
    if not in_calendar(file.start) or file.days > (LAST_DAY - file.start).days:
        laid.fault(("start",), file.start, wanted("days_within", days=file.days, calendar=CALENDAR))
        return laid
    demand = _by_day(laid, "demand", Demand, ("day", "shift", "skill"))
    wishes, leave = (
        _by_day(laid, name, of, ("day", "nurse", "shift")) for name, of in (("wishes", Wish), ("leave", Leave))
    )
    for place, row in enumerate(laid.file.leave):
        leave += [(place, eve) for eve in _eve(row, (each for _, each in (*leave, *wishes)), laid)]
    away = {(row.nurse, row.day, row.shift) for _, row in leave}
    wishes = [(place, row) for place, row in wishes if not _is_idle(row, laid.file.wishes[place], away)]
    by_day = {"demand": demand, "wishes": wishes, "leave": leave}
    laid.rows = {name: [place for place, _ in rows] for name, rows in by_day.items()}
    written = {name: [row for _, row in rows] for name, rows in by_day.items()}
    nurses = [_nurse(nurse, place, laid) for place, nurse in enumerate(laid.file.nurses)]
    laid.ward = _made(Ward, file, nurses=nurses, **written)
    return laid


def _made(record: type[R], of: WardRecord, **fields: Any) -> R:
    """A checked record of a file without what files alone have, and with these fields."""
    return record.model_construct(**{name: getattr(of, name) for name in record.model_fields} | fields)


def _by_day(laid: LaidOut, name: str, record: type[WardRecord], key: tuple[str, ...]) -> list[tuple[int, Any]]:
    """A row for each day, with its place in the file. What a day has a row of its own for (`key`) is in no other row; where rows
    are by weekdays, all are in the order of the days."""
    given: list[Any] = getattr(laid.file, name)
    keys_of = attrgetter(*key)
    dated = {keys_of(row) for row in given if row.day != NO_DAY}
    rows: list[tuple[int, Any]] = []
    for place, row in enumerate(given):
        made = [_made(record, row, day=day) for day in _days_of(row, (name, place), laid)]
        rows += [(place, each) for each in made if row.day != NO_DAY or keys_of(each) not in dated]
        if len(rows) > MOST_ROWS:
            laid.fault((name,), wanted("more_rows", most=MOST_ROWS), wanted("at_most_rows", most=MOST_ROWS))
            return []
    return sorted(rows, key=lambda each: each[1].day) if any(getattr(row, "weekdays", ()) for row in given) else rows


def _days_of(row: Any, path: FieldPath, laid: LaidOut) -> list[date]:
    match row:
        case DemandInFile(weekdays=[_, *_] as names) | WishInFile(weekdays=[_, *_] as names):
            if row.day != NO_DAY:
                laid.fault((*path, "weekdays"), names, wanted("day_or_weekdays"), row)
            elif len(set(names)) < len(names):
                laid.fault((*path, "weekdays"), names, wanted("weekday_once"), row)
            days = map(laid.ward.day, range(laid.ward.days))
            return [day for day in days if WEEKDAYS[day.weekday()] in names]
        case LeaveInFile(first=first, last=last) if {first, last} != {NO_DAY}:
            _check_span(row, path, laid)
            days = map(laid.ward.day, range(laid.ward.days))
            return [day for day in days if first <= day <= last]
    if row.day == NO_DAY:
        laid.fault((*path, "day"), None, wanted("missing"), row)
    return [row.day]


def _check_span(row: Any, path: FieldPath, laid: LaidOut) -> None:
    if row.day != NO_DAY:
        laid.fault((*path, "day"), row.day, wanted("day_or_span"), row)
    elif NO_DAY in (row.first, row.last):
        laid.fault((*path, "first" if row.first == NO_DAY else "last"), None, date_expected(None), row)
    elif row.last < row.first:
        laid.fault((*path, "last"), row.last, wanted("day_from_first", first=row.first), row)
    elif not laid.moved and (row.last < laid.ward.start or row.first > laid.last + ONE_DAY):
        laid.fault((*path, "first"), row.first, wanted("span_within", first=laid.ward.start, last=laid.last), row)


def _eve(row: Any, taken: Iterable[Any], laid: LaidOut) -> list[Leave]:
    """The nights of the period's last day as what a nurse cannot work, where a span of leave begins on the next day: no night
    may end on its first day."""
    is_next = row.shift is None and row.first == laid.last + ONE_DAY and not laid.file.rules.night_before_leave
    if not is_next or any((each.nurse, each.day) == (row.nurse, laid.last) for each in (*taken, *laid.file.locked)):
        return []
    nights = (shift for shift in laid.file.shifts if shift.night)
    ends = {shift.id: shift.start.hour * 60 + shift.start.minute + shift.minutes for shift in nights}
    return [Leave(nurse=row.nurse, day=laid.last, shift=shift) for shift, end in ends.items() if end > 24 * 60]


def _is_idle(row: Wish, of: Any, away: Container[tuple[str, date, str | None]]) -> bool:
    """Whether a wish for weekdays to work falls on leave: then it asks for nothing."""
    on_leave = (row.nurse, row.day, None) in away or (row.nurse, row.day, row.shift) in away
    return bool(of.weekdays and row.wants and on_leave)


def _nurse(nurse: Any, place: int, laid: LaidOut) -> Nurse:
    contract, days, hours = nurse.contract, laid.ward.days, laid.file.rules.full_time_hours
    terms: dict[str, Any] = {}
    if contract.per_days is not None:
        terms = _scaled(contract, days, gcd(*(shift.paid for shift in laid.file.shifts)) or 1)
    elif days != laid.own_days and _is_bounded(contract):
        expected = wanted("per_days", own=laid.own_days, days=days)
        laid.fault(("nurses", place, "contract", "per_days"), None, expected, nurse)
    if contract.percent is not None:
        at = ("nurses", place, "contract", "percent")
        if contract.target_minutes is not None:
            laid.fault(at, contract.percent, wanted("percent_or_minutes"), nurse)
        elif hours is None:
            laid.fault(at, contract.percent, wanted("full_time_hours"), nurse)
        else:
            week = Fraction(str(contract.percent)) / 100 * 60 * Fraction(str(hours))
            terms["target_minutes"] = round(week * days / USUAL_DAYS)
    return _made(Nurse, nurse, contract=_made(Contract, contract, **terms))


def _own_totals(contract: Contract) -> dict[str, Total]:
    """Those that count this period alone."""
    totals = {name: getattr(contract, name) for name in TOTALS}
    return {name: total for name, total in totals.items() if total is not None and not total.carried}


def _is_bounded(contract: Contract) -> bool:
    """Whether any bound depends on the length of the period; no bound, and a bound of 0, do not."""
    totals = [bound for total in _own_totals(contract).values() for bound in (total.least, total.most)]
    return any([*(getattr(contract, name) for name in BOUNDS), *contract.max_shifts.values(), *totals])


def _scaled(contract: ContractInFile, days: int, unit: int) -> dict[str, Any]:
    """The bounds of a period: minimums are rounded down and maximums up, hours to what whole shifts can make, so that no part
    of a period is bound more tightly than the whole; the agreed hours are rounded to the nearest minute. `unit`: minutes that
    every shift's paid time is a multiple of."""
    per_days = contract.per_days or days
    if days == per_days:
        return {}
    steps = {"min_minutes": unit, "max_minutes": unit}
    rounding = {"min_minutes": 0, "target_minutes": per_days // 2, "least": 0}

    def share(name: str, amount: int | None) -> int | None:
        step = steps.get(name, 1)
        up = rounding.get(name, per_days * step - 1)
        return None if amount is None else (amount * days + up) // (per_days * step) * step

    totals = {
        name: total.model_copy(update={bound: share(bound, getattr(total, bound)) for bound in ("least", "most")})
        for name, total in _own_totals(contract).items()
    }
    bounds = {name: share(name, getattr(contract, name)) for name in BOUNDS}
    return {
        **bounds,
        **totals,
        "max_shifts": {shift: share(shift, most) for shift, most in contract.max_shifts.items()},
    }


def settle(laid: LaidOut) -> Ward:
    """The ward without what lies outside a period that is not the file's own: the days before the file's first day are not those
    before another one."""
    ward = laid.ward
    if not laid.moved:
        return ward
    is_later = laid.own_start not in (None, ward.start.isoformat())
    nurses = [_made(Nurse, nurse, history=_made(History, nurse.history, tail=[])) for nurse in ward.nurses]
    dated = {name: [row for row in getattr(ward, name) if laid.holds(row.day)] for name in DATED}
    holidays = [day for day in ward.holidays if laid.holds(day)]
    return ward.changed(
        **dated, nurses=nurses if is_later else ward.nurses, holidays=holidays, published=None, followed_by=None
    )


def nothing_needed(laid: LaidOut) -> list[FileFault]:
    """A fault where the file says what is needed, and none of it in this period."""
    days = sorted({row.day for row in laid.ward.demand})
    if not laid.file.demand or any(map(laid.holds, days)):
        return []
    found = wanted("rows_from", first=days[0], last=days[-1]) if days else wanted("weekdays_alone")
    expected = wanted("something_needed", first=laid.ward.start, last=laid.last)
    return [FileFault(field_at("demand"), found, expected)]


def in_file(faults: list[FileFault], rows: dict[str, list[int]]) -> list[FileFault]:
    """Faults with the places that expanded rows have in the file, each once."""

    def there(at: Any) -> Any:
        match at:
            case FieldAt((str(name), int(row), *rest)) if name in rows:
                return replace(at, path=(name, rows[name][row], *rest))
        return at

    named = (replace(fault, place=there(fault.place), same_as=there(fault.same_as)) for fault in faults)
    return list(
        {(fault.place, repr(fault.expected), fault.same_as): fault for fault in reversed(list(named))}.values()
    )[::-1]
