"""When holidays are, as hotel stays.

Jewish holidays run from the civil date of the eve to the civil date of the last day (Hebrew calendar: pyluach); civil
one-day holidays are the night of the day itself; Islamic dates are Umm al-Qura (hijridate) and may move by a day.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter
from hijridate import Hijri
from pyluach.dates import HebrewDate  # type: ignore[import-untyped]
from pyluach.hebrewcal import Year  # type: ignore[import-untyped]

from wavegraph.tools.hotel.dates.records import Church, StayKind

DAY = timedelta(days=1)
DatePair = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One year's holiday: the nights a guest would book, and its own civil days `first` to `last`."""

    check_in: date
    check_out: date
    first: date
    last: date
    explicit: bool = False
    kind: StayKind = "holiday"
    alternatives: tuple[DatePair, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Jewish:
    """A holiday of the Hebrew calendar: month (Nisan = 1, Adar = the last), day, days in Israel and abroad."""

    month: int
    day: int
    days: int = 1
    days_abroad: int = 1
    day_abroad: int | None = None


ADAR = 12
JEWISH = {
    "Rosh Hashanah": Jewish(7, 1, 2, 2),
    "Yom Kippur": Jewish(7, 10),
    "Sukkot": Jewish(7, 15, 7, 7),
    "First days of Sukkot": Jewish(7, 15, 1, 2),
    "Hoshana Rabbah": Jewish(7, 21),
    "Shemini Atzeret": Jewish(7, 22),
    "Simchat Torah": Jewish(7, 22, day_abroad=23),
    "Sigd": Jewish(8, 29),
    "Hanukkah": Jewish(9, 25, 8, 8),
    "Tu BiShvat": Jewish(11, 15),
    "Purim": Jewish(ADAR, 14),
    "Shushan Purim": Jewish(ADAR, 15),
    "Passover": Jewish(1, 15, 7, 8),
    "Seder night": Jewish(1, 15),
    "Second seder night": Jewish(1, 16),
    "First days of Passover": Jewish(1, 15, 1, 2),
    "Last days of Passover": Jewish(1, 21, 1, 2),
    "Mimouna": Jewish(1, 22, day_abroad=23),
    "Holocaust Remembrance Day": Jewish(1, 27),
    "Yom HaZikaron": Jewish(2, 4),
    "Yom HaAtzmaut": Jewish(2, 5),
    "Lag BaOmer": Jewish(2, 18),
    "Jerusalem Day": Jewish(2, 28),
    "Shavuot": Jewish(3, 6, 1, 2),
    "Tisha B'Av": Jewish(5, 9),
    "Tu B'Av": Jewish(5, 15),
}
_OBSERVANT = "observant guests leave a day later, after the holiday ends"
_DAY_STARTS = "begins the evening before"
_EVE = "the night of the day itself; the eve is the night before"
_FEAST = "Good Friday to Easter Monday"
Offsets = tuple[tuple[int, int], ...]
"""Days to add to the arrival and to the departure of the usual stay."""
OTHER_STAYS: dict[str, tuple[Offsets, str | None]] = {
    **dict.fromkeys(
        (
            "Rosh Hashanah",
            "Yom Kippur",
            "Passover",
            "Shavuot",
            "Shemini Atzeret",
            "Simchat Torah",
            "Last days of Passover",
        ),
        (((0, 1),), _OBSERVANT),
    ),
    **dict.fromkeys(
        ("Purim", "Yom HaAtzmaut", "Tu BiShvat", "Lag BaOmer", "Tu B'Av", "Shushan Purim", "Jerusalem Day"),
        (((1, 1), (0, 1)), _DAY_STARTS),
    ),
    "Sukkot": (((0, 1), (0, 2)), "Simchat Torah follows directly"),
    "Christmas": (((-1, -1), (-1, 0), (-1, 1)), _EVE),
    "Orthodox Christmas": (((-1, -1), (-1, 0), (-1, 1)), _EVE),
    "Canadian Thanksgiving": (((-1, -1), (-2, -1), (-3, -1), (-1, 0), (-2, 0)), None),
    "American Thanksgiving": (((-1, -1), (-1, 0), (0, 2), (-1, 2)), None),
    "New Year": (((1, 1),), "the night of 31 December"),
    "Easter": (((2, 0), (1, -1), (1, 0), (0, -1)), _FEAST),
    "Orthodox Easter": (((2, 0), (1, -1), (1, 0), (0, -1)), _FEAST),
}
"""The other stays that a name can mean, and what the guest should be told."""
OTHER_ABROAD: dict[str, tuple[Offsets, str | None]] = {
    "Sukkot": (((0, 1), (0, 2), (0, 3)), "Simchat Torah follows directly"),
    "Seder night": (((0, 1),), "the second seder is the night after"),
}
_OF_A_MONDAY: Offsets = ((-1, -1), (-2, -1), (-3, -1))


def _hebrew(year: int, month: int, day: int) -> date:
    """The day of the Hebrew calendar that falls in a civil year."""
    hebrew_year = year + 3760 + (month >= 7)
    found: date = HebrewDate(hebrew_year, 13 if month == ADAR and Year(hebrew_year).leap else month, day).to_pydate()
    return found


def _moved(name: str, day: date) -> date:
    """Where Israeli law or custom moves the day when it would touch the Sabbath."""
    weekday = day.weekday()
    shift = {
        "Yom HaAtzmaut": {4: -1, 5: -2, 0: 1},
        "Yom HaZikaron": {3: -1, 4: -2, 6: 1},
        "Holocaust Remembrance Day": {4: -1, 6: 1},
        "Tisha B'Av": {5: 1},
    }.get(name, {})
    return day + shift.get(weekday, 0) * DAY


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date:
    """The n-th such weekday of a month; n = -1 is the last."""
    if n < 0:
        end = (date(year, month, 28) + 4 * DAY).replace(day=1) - DAY
        return end - ((end.weekday() - weekday) % 7) * DAY
    first = date(year, month, 1)
    return first + ((weekday - first.weekday()) % 7 + 7 * (n - 1)) * DAY


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _nth(month: int, weekday: int, n: int) -> Callable[[int], date]:
    return lambda year: nth_weekday(year, month, weekday, n)


def _from_easter(days: int, method: int = EASTER_WESTERN) -> Callable[[int], date]:
    return lambda year: easter(year, method) + days * DAY  # type: ignore[arg-type]


def _american_thanksgiving(year: int) -> date:
    return nth_weekday(year, 11, 3, 4)


EASTER_DAYS = {
    "Good Friday": -2, "Easter Sunday": 0, "Easter Monday": 1, "Palm Sunday": -7, "Ascension Day": 39, "Pentecost": 49, "Whit Monday": 50
}  # fmt: skip
"""Days after Easter, in both churches."""
NATIONAL_DAYS = {
    "US": (7, 4), "GR": (3, 25), "IN": (8, 15), "MX": (9, 16), "PL": (11, 11), "FI": (12, 6), "BR": (9, 7), "AR": (7, 9),
    "CL": (9, 18), "CO": (7, 20), "PE": (7, 28), "UA": (8, 24), "CY": (10, 1), "PH": (6, 12), "ID": (8, 17), "MY": (8, 31),
    "PK": (8, 14), "KR": (8, 15), "FR": (7, 14), "CA": (7, 1), "AU": (1, 26), "DE": (10, 3), "IT": (6, 2), "ES": (10, 12),
    "CH": (8, 1), "BE": (7, 21), "PT": (6, 10), "JO": (5, 25), "TR": (10, 29), "IE": (3, 17), "NO": (5, 17), "SE": (6, 6),
    "DK": (6, 5), "AT": (10, 26), "HU": (8, 20), "CZ": (10, 28), "RO": (12, 1), "BG": (3, 3), "EE": (2, 24), "LV": (11, 18),
    "LT": (2, 16), "GE": (5, 26), "ZA": (4, 27), "NG": (10, 1), "KE": (12, 12), "EG": (7, 23),
}  # fmt: skip
CIVIL: dict[str, Callable[[int], date]] = {
    **{f"national:{country}": _fixed(*day) for country, day in NATIONAL_DAYS.items()},
    "New Year": _fixed(1, 1),
    "Easter": _from_easter(0),
    "Holy Week": _from_easter(0),
    "Orthodox Easter": _from_easter(0, EASTER_ORTHODOX),
    "Orthodox Holy Week": _from_easter(0, EASTER_ORTHODOX),
    "New Year's Eve": _fixed(12, 31),
    "New Year's Day": _fixed(1, 1),
    "Christmas": _fixed(12, 25),
    "Christmas Eve": _fixed(12, 24),
    "Boxing Day": _fixed(12, 26),
    "Orthodox Christmas": _fixed(1, 7),
    "Epiphany": _fixed(1, 6),
    "Valentine's Day": _fixed(2, 14),
    "St Patrick's Day": _fixed(3, 17),
    "International Women's Day": _fixed(3, 8),
    **{name: _from_easter(days) for name, days in EASTER_DAYS.items()},
    **{f"Orthodox {name}": _from_easter(days, EASTER_ORTHODOX) for name, days in EASTER_DAYS.items()},
    "Clean Monday": _from_easter(-48, EASTER_ORTHODOX),
    "Ash Monday": _from_easter(-48),
    "Corpus Christi": _from_easter(60),
    "Mardi Gras": _from_easter(-47),
    "Ash Wednesday": _from_easter(-46),
    "American Thanksgiving": _american_thanksgiving,
    "Canadian Thanksgiving": _nth(10, 0, 2),
    "Black Friday": lambda year: _american_thanksgiving(year) + DAY,
    "May Day": _fixed(5, 1),
    "US Labor Day": _nth(9, 0, 1),
    "US Memorial Day": _nth(5, 0, -1),
    "US Independence Day": _fixed(7, 4),
    "Veterans Day": _fixed(11, 11),
    "Remembrance Day": _fixed(11, 11),
    "Martin Luther King Day": _nth(1, 0, 3),
    "Presidents' Day": _nth(2, 0, 3),
    "Juneteenth": _fixed(6, 19),
    "Columbus Day": _nth(10, 0, 2),
    "Father's Day": _nth(6, 6, 3),
    "American Mother's Day": _nth(5, 6, 2),
    "Mothering Sunday": _from_easter(-21),
    "Canada Day": _fixed(7, 1),
    "Victoria Day": lambda year: date(year, 5, 24) - date(year, 5, 24).weekday() * DAY,
    "Family Day": _nth(2, 0, 3),
    "Halloween": _fixed(10, 31),
    "All Saints' Day": _fixed(11, 1),
    "Guy Fawkes Night": _fixed(11, 5),
    "Burns Night": _fixed(1, 25),
    "St Andrew's Day": _fixed(11, 30),
    "St George's Day": _fixed(4, 23),
    "Early May bank holiday": _nth(5, 0, 1),
    "Spring bank holiday": _nth(5, 0, -1),
    "Summer bank holiday": _nth(8, 0, -1),
    "Bastille Day": _fixed(7, 14),
    "Australia Day": _fixed(1, 26),
    "Anzac Day": _fixed(4, 25),
    "Assumption Day": _fixed(8, 15),
    "German Unity Day": _fixed(10, 3),
    "Greek Independence Day": _fixed(3, 25),
    "Ohi Day": _fixed(10, 28),
}
ORTHODOX_COUNTRIES = frozenset({"GR", "CY", "BG", "RO", "RS", "RU", "UA", "BY", "MD", "MK", "ME", "GE", "ET"})
ISLAMIC = {
    "Ramadan": (9, 1, 29),
    "Eid al-Fitr": (10, 1, 2),
    "Eid al-Adha": (12, 10, 3),
    "Islamic New Year": (1, 1, 1),
    "Mawlid": (3, 12, 1),
}
"""Month, day and nights."""
MOON_NOTE = "Islamic dates depend on the moon: they may move by a day"


CHOL_HAMOED = {"Chol HaMoed Passover": (1, 20), "Chol HaMoed Sukkot": (7, 21)}
"""Month and last day."""
_AROUND = {
    "New Year": (-1, 0),
    "Easter": (-2, 1),
    "Orthodox Easter": (-2, 1),
    "Holy Week": (-7, 0),
    "Orthodox Holy Week": (-7, 0),
}
"""Arrival and departure, in days from the civil day itself; else its own night."""


def _days(name: str, year: int, abroad: bool) -> tuple[date, date, date, date] | None:
    """Arrival, departure, first and last civil day; None if there is no such holiday."""
    if row := JEWISH.get(name):
        days, day = (row.days_abroad, row.day_abroad or row.day) if abroad else (row.days, row.day)
        first = _moved(name, _hebrew(year, row.month, day))
        last = first + (days - 1) * DAY
        return first - DAY, last, first, last
    if name in CHOL_HAMOED:
        month, end = CHOL_HAMOED[name]
        first, last = _hebrew(year, month, 17 if abroad else 16), _hebrew(year, month, end)
        return first, last, first, last
    if name not in CIVIL:
        return None
    day_ = CIVIL[name](year)
    before, after = _AROUND.get(name, (0, 1))
    start = day_ + before * DAY
    return start, day_ + after * DAY, start if "Holy Week" in name else day_, day_


def _occurrence(name: str, year: int, abroad: bool) -> Occurrence | None:
    found = _days(name, year, abroad)
    if found is None:
        return None
    start, end, first, last = found
    monday = name in CIVIL and name not in _AROUND and first.weekday() == 0
    usual = OTHER_STAYS.get(name, (_OF_A_MONDAY if monday else (), None))
    offsets, note = OTHER_ABROAD.get(name, usual) if abroad else usual
    others = tuple((start + a * DAY, end + b * DAY) for a, b in offsets)
    explicit = name in ("New Year's Eve", "Christmas Eve", "Seder night", "Second seder night")
    if name in CHOL_HAMOED or name.endswith("Holy Week"):
        return Occurrence(
            start, end, first, last, kind="span", note="the length was not given" if name in CHOL_HAMOED else None
        )
    return Occurrence(start, end, first, last, explicit, alternatives=others, note=note)


def _islamic(name: str, near: int) -> Iterator[Occurrence]:
    month, day, nights = ISLAMIC[name]
    about = (near - 622) * 33 // 32
    for year in range(max(about - 2, 1344), min(about + 6, 1500)):  # hijridate's table
        first = Hijri(year, month, day).to_gregorian()
        start = date(first.year, first.month, first.day)
        end = start + nights * DAY
        kind: StayKind = "span" if nights > 7 else "holiday"
        yield Occurrence(start, end, start, end - DAY if kind == "holiday" else end, kind=kind, note=MOON_NOTE)


def church_of(country: str) -> Church:
    return "orthodox" if country in ORTHODOX_COUNTRIES else "western"


def _local(name: str, country: str, church: Church) -> str | None:
    """What a name shared by several countries or churches means here; None if unknown."""
    if name in EASTER_DAYS or name in ("Easter", "Holy Week"):
        return f"Orthodox {name}" if church == "orthodox" else name
    if name == "Independence Day":
        return "Yom HaAtzmaut" if country == "IL" else f"national:{country}" if country in NATIONAL_DAYS else None
    return {
        "Memorial Day": "Yom HaZikaron" if country == "IL" else "US Memorial Day",
        "Thanksgiving": "Canadian Thanksgiving" if country == "CA" else "American Thanksgiving",
        "Labor Day": "US Labor Day" if country in {"US", "CA"} else "May Day",
        "Mother's Day": "Mothering Sunday" if country in {"GB", "IE"} else "American Mother's Day",
    }.get(name, name.removeprefix("Western "))


def occurrences(name: str, country: str, year: int, church: Church | None = None) -> list[Occurrence]:
    """The holiday's occurrences around a civil year, in order; empty if the country has no such holiday.

    `church`: whose Easter an unqualified name means; None = the country's prevailing church.
    """
    local = _local(name, country, church or church_of(country))
    if local is None:
        return []
    years = range(max(year - 1, 1000), min(year + 4, 3000))
    if local in ISLAMIC:
        return [found for found in _islamic(local, year) if found.check_in.year in years]
    names = CHOL_HAMOED if local == "Chol HaMoed" else (local,)
    found = [each for name in names for y in years if (each := _occurrence(name, y, country != "IL"))]
    return sorted(found, key=lambda occurrence: occurrence.check_in)
