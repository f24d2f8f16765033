"""What a cell may hold: each kind reads what people and programs put there, and writes a plain value as a cell.

A date is a date, a serial number or text (`2026-11-23`, `23.11.2026`, `23/11/2026`); a clock time a time, a fraction of a day
or text; a number may be text, with a decimal comma; an id may be a number.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from wavegraph.tools.roster.told import Told, english
from wavegraph.tools.roster.ward.faults import date_expected, wanted
from wavegraph.tools.roster.ward.in_file import WEEKDAYS

DAY_MINUTES = 24 * 60
SERIAL_DAY_0 = date(1899, 12, 30)
"""Serial numbers of dates count from here (the 1900 date system)."""
SERIALS = range(20_000, 110_000)
"""Serial numbers taken for dates: 1954 to 2201."""
DATE_FORMS = (
    *(sign.join(("%Y", "%m", "%d")) for sign in "-/."),
    *(sign.join(("%d", "%m", year)) for sign in ".-/" for year in ("%Y", "%y")),
    *(sign.join(("%m", "%d", year)) for sign in "-/" for year in ("%Y", "%y")),
)
"""How a date may be written; with points the day comes first."""
NOT_CHECKED = "not checked"
ANY_NUMBER = "any number"
OFF, DAY_OFF = "off", "day off"
"""A day off; the second cannot be the id of a shift."""
YES, NO = ("yes", "y", "true", "1", "x"), ("no", "n", "false", "0")


class BadCell(Exception):
    """A cell that cannot be read; `expected`: what could be."""

    def __init__(self, expected: Told) -> None:
        super().__init__(english(expected))
        self.expected = expected


@dataclass(frozen=True)
class Kind:
    read: Callable[[Any], Any]
    """From a cell that is not empty; raises BadCell."""
    write: Callable[[Any], Any]
    choices: tuple[str, ...] = ()
    """Of its drop-down list."""
    of: str = ""
    """The sheet whose first column is its drop-down list."""
    format: str = "General"


def same(value: Any) -> Any:
    return value


def _written(value: Any) -> str:
    """A text as it is; a number as it is written."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return str(value)


def word(value: Any) -> str:
    """A text without blanks at its ends; a number as it is written."""
    return _written(value).strip()


def shown(value: Any) -> Any:
    """What a cell holds, as a message names it."""
    return value if isinstance(value, str | int | float) else str(value)


def shift(value: Any, known: Container[str | None]) -> str | None:
    """The id of a shift; None = a day off, unless a known shift is called so."""
    said = word(value)
    return None if said not in known and said.casefold() in (OFF, DAY_OFF) else said


def a_number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BadCell(wanted("float_type"))
    if isinstance(value, str):
        plain = value.strip().replace(",", ".", 1).removesuffix("h").strip()
        if not re.fullmatch(r"[-+]?[0-9]{1,15}(\.[0-9]{1,15})?", plain):
            raise BadCell(wanted("float_type"))
        value = float(plain)
    return _whole(value)


def _whole(number: float) -> int | float:
    """A whole number as one."""
    return int(number) if float(number).is_integer() else number


def whole(value: Any) -> int:
    found = a_number(value)
    if not isinstance(found, int):
        raise BadCell(wanted("int_type"))
    return found


def hours(value: Any) -> int:
    """Hours as minutes: 7.5, 7,5, 7:30, or a time of the sheet."""
    if (minutes := _minutes(value, ":")) is not None:
        return minutes
    try:
        exact = a_number(value) * 60
    except BadCell:
        raise BadCell(wanted("hours")) from None
    if abs(exact - round(exact)) > 1e-6:
        raise BadCell(wanted("hours_of_minutes"))
    return round(exact)


def _minutes(value: Any, signs: str) -> int | None:
    """Of a time, or of text that parts hours and minutes by one of the signs; None = it is neither."""
    if isinstance(value, timedelta):
        return round(value.total_seconds() / 60)
    if isinstance(value, datetime | time):
        return value.hour * 60 + value.minute + round(value.second / 60)
    found = re.fullmatch(rf"([0-9]{{1,4}})[{signs}]([0-5][0-9])(?::00)?", str(value).strip())
    return int(found[1]) * 60 + int(found[2]) if found else None


def yes_or_no(value: Any) -> bool:
    said = word(value).casefold()
    if said in YES or said in NO:
        return said in YES
    raise BadCell(wanted("yes_or_no"))


def one_of(words: dict[str, Any]) -> Kind:
    """Words for values."""

    def read(value: Any) -> Any:
        said = " ".join(word(value).casefold().split())
        if said not in words:
            raise BadCell(wanted("literal_error", known=", ".join(words)))
        return words[said]

    names = {repr(value): name for name, value in words.items()}
    return Kind(read, lambda value: names.get(repr(value), value), tuple(words))


def clock(value: Any) -> int:
    """Minutes after midnight."""
    minutes = _minutes(value, ":.hH")
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        minutes = round(value * DAY_MINUTES)
    if minutes is None or minutes > DAY_MINUTES:
        raise BadCell(wanted("time_parsing"))
    return minutes % DAY_MINUTES


def clock_text(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def clock_cell(value: Any) -> Any:
    """A clock time as the sheet's own, where it is one."""
    found = re.fullmatch(r"([0-9]{2}):([0-9]{2})(?::00)?", str(value))
    return time(int(found[1]), int(found[2])) if found and int(found[1]) < 24 and int(found[2]) < 60 else value


def dates_of(value: Any) -> list[date]:
    """What a cell may mean as a date; more than one where day and month may be swapped."""
    if isinstance(value, datetime):
        return [value.date()]
    if isinstance(value, date):
        return [value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [SERIAL_DAY_0 + timedelta(days=int(value))] if int(value) == value and int(value) in SERIALS else []
    said = re.sub(r"[T ]00:00(:00)?$", "", str(value).strip())
    if re.fullmatch(r"[0-9]{5,6}", said):
        return dates_of(int(said))
    found = []
    for form in DATE_FORMS if re.fullmatch(r"[0-9]+([-/.])[0-9]+\1[0-9]+", said) else ():
        with suppress(ValueError):
            found.append(datetime.strptime(said, form).date())
    return list(dict.fromkeys(found))


def one_date(value: Any, first: date | None = None, days: int = 0) -> str:
    """A date in ISO form; where two are possible, the one within the period."""
    found = dates_of(value)
    if not found:
        raise BadCell(date_expected(value))
    if len(found) > 1 and first is not None:
        within = [each for each in found if 0 <= (each - first).days < days]
        found = within if len(within) == 1 else found
    if len(found) > 1:
        raise BadCell(wanted("one_date", either=[each.isoformat() for each in found]))
    return found[0].isoformat()


def date_cell(value: Any) -> Any:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        return value


def listed(value: Any) -> list[str]:
    """Ids with commas, semicolons, lines or blanks between them."""
    return [each for each in re.split(r"[\s,;|]+", _written(value)) if each]


def joined(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def counts(value: Any) -> dict[str, int]:
    """`N=2, L=4`: a number for each shift."""
    found: dict[str, int] = {}
    for part in filter(str.strip, re.split(r"[,;\n]", _written(value))):
        shift, _, number = map(str.strip, part.rpartition("=" if "=" in part else ":"))
        if not shift or shift in found or not re.fullmatch("[0-9]{1,9}", number):
            raise BadCell(wanted("counts"))
        found[shift] = int(number)
    return found


def records(fields: Mapping[str, "Kind"]) -> "Kind":
    """Several records in a cell: `shifts=E|L, least=2, weight=15; off=yes, most=3`."""

    def read(value: Any) -> list[dict[str, Any]]:
        return [_record(part, fields) for part in re.split(r"[;\n]", _written(value)) if part.strip()]

    def write(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return "; ".join(", ".join(_fields_written(record)) for record in value) or None

    return Kind(read, write, format="@")


def record(fields: Mapping[str, "Kind"]) -> "Kind":
    """One record in a cell: `least=15, most=22`."""
    several = records(fields)

    def read(value: Any) -> dict[str, Any]:
        found: list[dict[str, Any]] = several.read(value)
        if len(found) != 1:
            raise BadCell(wanted("one_record", known=", ".join(fields)))
        return found[0]

    return Kind(read, lambda value: several.write([value]) if isinstance(value, dict) else value, format="@")


def _record(said: str, fields: Mapping[str, "Kind"]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in said.split(","):
        name, sign, value = part.partition("=")
        name = "_".join(name.casefold().split())
        if not (sign and value.strip()) or name not in fields or name in found:
            raise BadCell(wanted("several_records", known=", ".join(fields)))
        found[name] = fields[name].read(value)
    return found


def _fields_written(record: Mapping[str, Any]) -> Iterator[str]:
    for name, value in record.items():
        words = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        if words is not None and words != []:
            yield f"{name}={'|'.join(words) if isinstance(words, list) else words}"


def weekdays(value: Any) -> list[str] | None:
    """`Mon-Fri`, `Sat, Sun`, `every day`; None = no words for weekdays."""
    said = _written(value).casefold().replace("–", "-").strip()
    if said in ("every day", "daily"):
        return list(WEEKDAYS)
    found: list[str] = []
    for part in filter(None, re.split(r"[\s,;]+", "-".join(each.strip() for each in said.split("-")))):
        first, _, last = part.partition("-")
        begins, ends = _weekday(first), _weekday(last or first)
        if begins is None or ends is None:
            return None
        found += [WEEKDAYS[day % 7] for day in range(begins, begins + (ends - begins) % 7 + 1)]
    return found or None


def _weekday(name: str) -> int | None:
    return next((n for n, day in enumerate(WEEKDAYS) if len(name) >= 2 and day.startswith(name.rstrip("."))), None)


def weekdays_text(names: Sequence[Any]) -> str:
    return "every day" if len(names) == len(WEEKDAYS) else ", ".join(str(name).capitalize()[:3] for name in names)


def or_none(kind: Kind, none: str) -> Kind:
    """Also nothing at all, as words."""
    words = {none, "none", NOT_CHECKED}

    def read(value: Any) -> Any:
        return None if word(value).casefold() in words else kind.read(value)

    return Kind(read, lambda value: none if value is None else kind.write(value), kind.choices, kind.of, kind.format)


TEXT = Kind(_written, same, format="@")
ID = Kind(word, same, format="@")
WHOLE = Kind(whole, same)
NUMBER = Kind(a_number, same)
HOURS = Kind(hours, lambda minutes: _whole(minutes / 60) if isinstance(minutes, int) else minutes, format="0.##")
YES_NO = Kind(yes_or_no, lambda value: {True: "yes", False: "no"}.get(value, value), ("yes", "no"))
CLOCK = Kind(lambda value: clock_text(clock(value)), clock_cell, format="hh:mm")
DATE = Kind(one_date, date_cell, format="yyyy-mm-dd")
DATES = Kind(
    one_date, lambda value: weekdays_text(value) if isinstance(value, list) else date_cell(value), format="yyyy-mm-dd"
)
"""A date, or weekdays."""
CELL = Kind(word, lambda value: DAY_OFF if value is None else value, of="Shifts", format="@")
"""Of a roster: a shift, or a day off, also where nothing is written."""
LIST = Kind(listed, joined, format="@")
COUNTS = Kind(
    counts,
    lambda value: ", ".join(f"{name}={number}" for name, number in value.items()) if isinstance(value, dict) else value,
    format="@",
)
