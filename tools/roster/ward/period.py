"""Lays a ward file out for a period: its own, or another one that is asked for.

This works on the file's plain data, before the ward's records are built: demand by weekday and ranges of leave are expanded
day by day, contract bounds are scaled to the length of the period, and a percentage becomes hours. Only fields that the
records lack are checked here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import partial
from math import gcd, isfinite
from typing import Any, TypeGuard

from wavegraph.tools.roster.ward.faults import FieldAt, FieldPath, FileFault, field_at
from wavegraph.tools.roster.ward.leave_spans import Period, day_of, write_out
from wavegraph.tools.roster.ward.ward import MOST_DAYS, Ward

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
USUAL_DAYS = 7
"""The length of a period where neither the file nor the caller gives one."""
MOST_PERCENT = 200
"""Of a full contract."""
MOST_ROWS = 50_000
"""Rows of demand after expansion."""
SOME_DAY = date(2001, 1, 1)
"""Stands in for a first day that is missing or wrong, while the other faults are looked for."""
BY_WEEKDAYS: dict[str, tuple[str, ...]] = {"demand": ("shift", "skill"), "wishes": ("nurse", "shift")}
"""Lists whose rows may be for weekdays, with the fields that, with the day, may occur once."""
BOUNDS = ("min_minutes", "max_minutes", "target_minutes", "max_nights", "max_weekends")
"""A contract's bounds for a period, besides those by shift and totals; the others are for a day or a run."""
OF_ROWS = ("demand", "leave", "wishes", "locked", "pairs")
"""Lists whose rows no other row refers to."""
TOTALS = ("assignments", "working_weekends")
"""Totals of a contract: bounds for a period too, unless they count the periods before as well."""


@dataclass
class LaidOut:
    """A file's data for one period."""

    data: Any
    start: date = SOME_DAY
    days: int = USUAL_DAYS
    moved: bool = False
    """Whether the period differs from the file's own, or the file has none: rows outside it are left out."""
    new_start: bool = False
    """Whether it starts on another day than the file's own: the days just before are unknown then."""
    rows: dict[str, list[int]] = field(default_factory=dict)
    """The place in the file of each row, of the fields whose rows are expanded."""
    faults: list[FileFault] = field(default_factory=list)
    wishes: list[Any] = field(default_factory=list)
    """As the file has them."""
    is_dated: bool = True
    """Whether its first day is known; else `SOME_DAY` stands in for it, and no fault is told of a day."""

    def holds(self, day: date) -> bool:
        return 0 <= (day - self.start).days < self.days


def lay_out(
    data: Any, start: date | None, days: int | None, otherwise: date | None = None, usual: int = USUAL_DAYS
) -> LaidOut:
    """The file's data for the period from `start`, of `days`; None = as the file has it, else from `otherwise` and `usual`
    days."""
    if not isinstance(data, dict):
        return LaidOut(data)
    own_start, own_days = data.get("start"), data.get("days")
    asked = start or (otherwise if own_start is None else None)
    first = asked.isoformat() if asked else own_start
    length = days if days is not None else usual if own_days is None else own_days
    laid = LaidOut(
        data | {"start": SOME_DAY.isoformat() if first is None else first, "days": length},
        start=day_of(first) or SOME_DAY,
        days=next(number for number in (length, own_days, USUAL_DAYS) if _whole(number)),
        moved=(first, length) != (own_start, own_days),
        new_start=own_start is not None and first != own_start,
        is_dated=day_of(first) is not None,
    )
    if first is None:
        laid.faults.append(FileFault(field_at("start"), None, "the first day of the period, in the file or asked for"))
    laid.wishes = data["wishes"] if isinstance(data.get("wishes"), list) else []
    for name in BY_WEEKDAYS:
        _write_out_weekdays(laid, name)
    _write_out_leave(laid)
    _leave_out_wishes_on_leave(laid)
    _bring_contracts(laid, USUAL_DAYS if own_days is None else own_days)
    return laid


def _whole(number: Any) -> TypeGuard[int]:
    return type(number) is int and 1 <= number <= MOST_DAYS


def _write_out_weekdays(laid: LaidOut, name: str) -> None:
    """A row with `weekdays` becomes a row for each such day, in the order of the days, but for those days that have a
    row of their own."""
    given, fields = laid.data.get(name), BY_WEEKDAYS[name]
    if not isinstance(given, list):
        return
    dated = {_key(row, fields) for row in given if isinstance(row, dict) and "day" in row}
    rows: list[tuple[int, Any]] = []
    for place, row in enumerate(given):
        rows += [(place, written) for written in _written_out(row, (name, place), laid, dated, fields)]
        if len(rows) > MOST_ROWS:
            laid.faults.append(
                FileFault(field_at(name), f"more than {MOST_ROWS} rows", f"at most {MOST_ROWS}, written out by day")
            )
            rows = []
            break
    if any(_by_weekdays(row) for row in given):
        rows.sort(key=lambda pair: str(pair[1].get("day")) if isinstance(pair[1], dict) else "")
    laid.rows[name], laid.data[name] = [place for place, _ in rows], [row for _, row in rows]


def _write_out_leave(laid: LaidOut) -> None:
    if isinstance(laid.data.get("leave"), list):
        last = min(laid.start.toordinal() + laid.days, date.max.toordinal()) - 1
        written = write_out(laid.data, Period(laid.start, date.fromordinal(last), laid.moved or not laid.is_dated))
        laid.rows["leave"], laid.data["leave"] = written.places, written.rows
        laid.faults += written.faults


def _by_weekdays(row: Any) -> bool:
    return isinstance(row, dict) and "weekdays" in row


def _written_out(row: Any, place: FieldPath, laid: LaidOut, dated: set[str], fields: tuple[str, ...]) -> Iterator[Any]:
    if not _by_weekdays(row):
        yield row
        return
    for day in _days_of(row, place, laid):
        written = _without(row, "weekdays") | {"day": day.isoformat()}
        if _key(written, fields) not in dated:
            yield written


def _key(row: dict[str, Any], fields: tuple[str, ...]) -> str:
    """What may occur once in a list of rows."""
    return str((row["day"], *(row.get(field) for field in fields)))


def _leave_out_wishes_on_leave(laid: LaidOut) -> None:
    """Wishes for weekdays to work ask for nothing on a day, or of a shift, that is leave."""
    given, leave = laid.data.get("wishes"), laid.data.get("leave")
    if not isinstance(given, list) or not isinstance(leave, list):
        return
    away = {_key(row, ("nurse", "shift")) for row in leave if isinstance(row, dict) and "day" in row}
    by_weekdays = {place for place, row in enumerate(laid.wishes) if _by_weekdays(row)}
    kept = [
        (place, row)
        for place, row in zip(laid.rows["wishes"], given, strict=True)
        if place not in by_weekdays
        or row.get("wants") is not True
        or away.isdisjoint({_key(row, ("nurse", "shift")), _key(row | {"shift": None}, ("nurse", "shift"))})
    ]
    laid.rows["wishes"], laid.data["wishes"] = [place for place, _ in kept], [row for _, row in kept]


def _without(record: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != name}


def _days_of(row: dict[str, Any], place: FieldPath, laid: LaidOut) -> Iterator[date]:
    """The days of the period that a row is for; where it is wrong, a fault and the first day."""
    names, where = row["weekdays"], field_at(*place, "weekdays")
    if "day" in row:
        laid.faults.append(FileFault(where, names, "either day or weekdays"))
    elif not isinstance(names, list) or not names or any(name not in WEEKDAYS for name in names):
        laid.faults.append(FileFault(where, names, f"a list of some of {', '.join(WEEKDAYS)}"))
    elif len(set(names)) < len(names):
        laid.faults.append(FileFault(where, names, "each weekday once"))
    else:
        last = min(laid.start.toordinal() + laid.days, date.max.toordinal() + 1)
        days = (date.fromordinal(ordinal) for ordinal in range(laid.start.toordinal(), last))
        yield from (day for day in days if WEEKDAYS[day.weekday()] in names)
        return
    yield laid.start


def _bring_contracts(laid: LaidOut, own_days: Any) -> None:
    nurses = laid.data.get("nurses")
    if isinstance(nurses, list):
        laid.data["nurses"] = [_nurse(nurse, place, laid, own_days) for place, nurse in enumerate(nurses)]


def _nurse(nurse: Any, place: int, laid: LaidOut, own_days: Any) -> Any:
    contract = nurse.get("contract") if isinstance(nurse, dict) else None
    if not isinstance(contract, dict):
        return nurse
    per_days, at = contract.get("per_days"), partial(field_at, "nurses", place, "contract", owner=str(nurse.get("id")))
    agreed = _of_full_time(contract, at("percent"), laid)
    brought = _without(_without(contract, "per_days"), "percent")
    if per_days is None:
        if laid.days != own_days and _whole(own_days) and _is_bounded(contract):
            words = f"how many days its bounds are of: the file is of {own_days} days, {laid.days} are asked for"
            laid.faults.append(FileFault(at("per_days"), None, words))
    elif not _whole(per_days):
        laid.faults.append(FileFault(at("per_days"), per_days, f"a whole number from 1 to {MOST_DAYS}"))
    else:
        brought = _scaled(brought, laid.days, per_days, _unit(laid.data.get("shifts")))
    return nurse | {"contract": brought | agreed}


def _of_full_time(contract: dict[str, Any], where: FieldAt, laid: LaidOut) -> dict[str, int]:
    """The agreed hours of the period, where the contract says what part of a full one it is."""
    if "percent" not in contract:
        return {}
    percent, rules = contract["percent"], laid.data.get("rules")
    hours = rules.get("full_time_hours") if isinstance(rules, dict) else None
    if not _is_number(percent) or not 0 <= percent <= MOST_PERCENT:
        laid.faults.append(FileFault(where, percent, f"a number from 0 to {MOST_PERCENT}"))
    elif contract.get("target_minutes") is not None:
        laid.faults.append(FileFault(where, percent, "either percent or target_minutes"))
    elif hours is None:
        laid.faults.append(FileFault(where, percent, "rules.full_time_hours, the week that it is a part of"))
    elif _is_number(hours) and isfinite(hours):
        return {
            "target_minutes": round(Fraction(str(percent)) / 100 * 60 * Fraction(str(hours)) * laid.days / USUAL_DAYS)
        }
    return {}


def _is_number(value: Any) -> TypeGuard[int | float]:
    return type(value) in (int, float)


def _is_bounded(contract: dict[str, Any]) -> bool:
    """Whether any bound depends on the length of the period; no bound, and a bound of 0, do not."""
    kinds = contract.get("max_shifts")
    totals = [bound for name in TOTALS for bound in _own_total(contract.get(name)).values()]
    by_kind = kinds.values() if isinstance(kinds, dict) else []
    return any([*(contract.get(name) for name in BOUNDS), *by_kind, *totals])


def _own_total(total: Any) -> dict[str, Any]:
    """The bounds of a total that counts this period alone."""
    own = isinstance(total, dict) and total.get("carried") is not True
    return {name: total[name] for name in ("least", "most") if name in total} if own else {}


def _unit(shifts: Any) -> int:
    """Minutes that every shift's paid time is a multiple of."""
    rows = [shift for shift in shifts if isinstance(shift, dict)] if isinstance(shifts, list) else []
    return gcd(*(minutes for minutes in map(_paid, rows) if type(minutes) is int)) or 1


def _paid(shift: dict[str, Any]) -> Any:
    minutes, factor = shift.get("minutes"), shift.get("hour_factor")
    if _is_number(factor) and isfinite(factor) and type(minutes) is int:
        return round(minutes * factor)
    return minutes if shift.get("paid_minutes") is None else shift["paid_minutes"]


def _scaled(contract: dict[str, Any], days: int, per_days: int, unit: int) -> dict[str, Any]:
    """Scale the bounds: minimums are rounded down and maximums up, hours to what whole shifts can make, so that no part of
    a period is bound more tightly than the whole; the agreed hours are rounded to the nearest minute."""
    if days == per_days:
        return contract
    steps = {"min_minutes": unit, "max_minutes": unit}
    rounding = {"min_minutes": 0, "target_minutes": per_days // 2, "least": 0}

    def share(name: str, amount: Any) -> Any:
        if name in TOTALS and isinstance(amount, dict):
            return amount | {bound: share(bound, most) for bound, most in _own_total(amount).items()}
        if name == "max_shifts" and isinstance(amount, dict):
            return {shift: share(shift, most) for shift, most in amount.items()}
        step = steps.get(name, 1)
        up = rounding.get(name, per_days * step - 1)
        scales = type(amount) is int and amount >= 0
        return (amount * days + up) // (per_days * step) * step if scales else amount

    return contract | {
        name: share(name, contract[name]) for name in (*BOUNDS, "max_shifts", *TOTALS) if name in contract
    }


def without_rows(laid: LaidOut, paths: Iterable[Sequence[int | str]]) -> LaidOut:
    """Without the rows at these paths, of lists to whose rows no other row refers, and with a first day in any case."""
    gone = {(path[0], path[1]) for path in paths if len(path) > 1 and path[0] in OF_ROWS}
    data, rows = laid.data | {"start": laid.start.isoformat()}, dict(laid.rows)
    for name in {str(name) for name, _ in gone}:
        kept = [place for place in range(len(data[name])) if (name, place) not in gone]
        rows[name] = [laid.rows[name][place] if name in laid.rows else place for place in kept]
        data[name] = [data[name][place] for place in kept]
    return replace(laid, data=data, rows=rows)


def settle(ward: Ward, laid: LaidOut) -> Ward:
    """The ward without what lies outside a period that is not the file's own."""
    if not laid.moved:
        return ward
    ward = ward.model_copy(
        update={
            "demand": [row for row in ward.demand if laid.holds(row.day)],
            "leave": [row for row in ward.leave if laid.holds(row.day)],
            "wishes": [row for row in ward.wishes if laid.holds(row.day)],
            "locked": [row for row in ward.locked if laid.holds(row.day)],
            "published": None,
            "followed_by": None,
            "holidays": [day for day in ward.holidays if laid.holds(day)],
        }
    )
    return _without_tails(ward) if laid.new_start else ward


def _without_tails(ward: Ward) -> Ward:
    """The days before the file's own first day are not those before another one."""
    return ward.model_copy(
        update={
            "nurses": [
                nurse.model_copy(update={"history": nurse.history.model_copy(update={"tail": []})})
                for nurse in ward.nurses
            ]
        }
    )


def nothing_needed(ward: Ward, laid: LaidOut, file: dict[str, Any]) -> list[FileFault]:
    """A fault where the file says what is needed, and none of it in this period."""
    if not file.get("demand") or any(laid.holds(row.day) for row in ward.demand):
        return []
    days = sorted({row.day for row in ward.demand})
    found_rows = f"rows from {days[0]} to {days[-1]}" if days else "rows by weekdays alone"
    last = ward.day(ward.days - 1)
    return [
        FileFault(
            field_at("demand"),
            found_rows,
            f"something needed from {ward.start} to {last}: ask for other days, or give weekdays",
        )
    ]


def in_file(faults: list[FileFault], rows: dict[str, list[int]]) -> list[FileFault]:
    """Faults with the places that expanded rows have in the file, each once."""

    def there(at: Any) -> Any:
        match at:
            case FieldAt((str(name), int(row), *rest)) if name in rows:
                return replace(at, path=(name, rows[name][row], *rest))
        return at

    named = (replace(fault, place=there(fault.place), same_as=there(fault.same_as)) for fault in faults)
    return list({(fault.place, fault.expected, fault.same_as): fault for fault in reversed(list(named))}.values())[::-1]
