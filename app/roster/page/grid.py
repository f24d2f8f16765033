"""The roster itself: a row for each nurse, a column for each day, and a legend."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from xml.etree.ElementTree import Element

from wavegraph.app.pages.frame import scrolled
from wavegraph.app.pages.markup import element
from wavegraph.app.roster.page.anchors import Sheet, cell_anchor, nurse_anchor
from wavegraph.app.roster.page.words import (
    LEVELS,
    change_title,
    day_name,
    finding_title,
    hours,
    leave_title,
    locked_title,
    shift_times,
    shift_title,
    wish_title,
)
from wavegraph.tools.roster.checks.findings import is_weekend
from wavegraph.tools.roster.checks.measures import Share, granted
from wavegraph.tools.roster.ward.ward import Nurse, Shift, Ward

DAY_COLOURS, NIGHT_COLOURS = 8, 3
"""Colours of the style sheet; further shifts share them and differ by their ids."""
LONG_ID = 3
"""Letters; a longer id is written smaller, and cut off where it does not fit."""
MARKS = {
    "granted": "M1.5 5 4 7.5 8.5 2",
    "denied": "M2 2 8 8M8 2 2 8",
    "changed": "M1.5 8.5 2 6.3 7 1.3 8.7 3 3.7 8Z",
    "lock": "M2 4.5H8V9H2zM3.3 4.5V3a1.7 1.7 0 0 1 3.4 0v1.5",
}
"""Outlines in a square of ten units."""
RECENT_DAYS = 3
"""Days before the roster that a narrow screen has room for."""
FEW_DAYS = 16
"""Columns up to which there is room for wider ones."""


@dataclass(frozen=True)
class Requests:
    """Requests and settled cells, by nurse id and day index."""

    sheet: Sheet

    @cached_property
    def leave(self) -> set[tuple[str, int]]:
        """Whole days of leave."""
        return {(row.nurse, self.sheet.ward.index(row.day)) for row in self.sheet.ward.leave if row.shift is None}

    @cached_property
    def away(self) -> dict[tuple[str, int], list[str]]:
        """All that cannot be worked, in words."""
        found: dict[tuple[str, int], list[str]] = defaultdict(list)
        for row in self.sheet.ward.leave:
            found[row.nurse, self.sheet.ward.index(row.day)].append(leave_title(row))
        return found

    @cached_property
    def locked(self) -> dict[tuple[str, int], str]:
        return {(row.nurse, self.sheet.ward.index(row.day)): locked_title(row) for row in self.sheet.ward.locked}

    @cached_property
    def wishes(self) -> dict[tuple[str, int], list[tuple[bool, str]]]:
        """Whether each is granted, and what it is."""
        ward, roster = self.sheet.ward, self.sheet.roster
        found: dict[tuple[str, int], list[tuple[bool, str]]] = defaultdict(list)
        for wish in ward.wishes:
            given = granted(ward, roster, wish)
            found[wish.nurse, ward.index(wish.day)].append((given, wish_title(wish, given)))
        return found


def shift_colours(ward: Ward) -> dict[str, str]:
    """A class of the style sheet for each shift, those of the night apart from the others."""
    by_day = [shift.id for shift in ward.shifts if not shift.night]
    by_night = [shift.id for shift in ward.shifts if shift.night]
    return {shift: f"s{n % DAY_COLOURS}" for n, shift in enumerate(by_day)} | {
        shift: f"night n{n % NIGHT_COLOURS}" for n, shift in enumerate(by_night)
    }


def mark(kind: str) -> Element:
    return element(
        "svg", element("path", d=MARKS[kind]), class_=f"mark {kind}", viewBox="0 0 10 10", aria_hidden="true"
    )


def day_kind(ward: Ward, day: int) -> str:
    """Classes of a day's column: a weekend, a holiday, the beginning of a week, and the first day's place in its week."""
    on = ward.day(day)
    kinds = (
        ("we", is_weekend(on)),
        ("hol", on in ward.holidays),
        ("mon", on.weekday() == 0 and day > 0),
        (f"from-{on.weekday()}", day == 0),
    )
    return " ".join(name for name, holds in kinds if holds)


def short_day(ward: Ward, day: int) -> str:
    """`Mo 30`: what a narrow screen, which has no row of days, writes into each cell."""
    on = ward.day(day)
    return f"{on:%a}"[:2] + f" {on.day}"


def days_class(columns: int) -> str:
    return "days roomy" if columns <= FEW_DAYS else "days"


def day_heads(ward: Ward) -> list[Element]:
    return [_day_head(ward, day) for day in range(ward.days)]


def _day_head(ward: Ward, day: int) -> Element:
    on = ward.day(day)
    holiday = on in ward.holidays
    title = f"{on:%A} {on.day} {on:%B %Y}{', public holiday' if holiday else ''}"
    parts = [element("span", f"{on:%a}"[:2]), element("b", str(on.day))]
    parts += [element("small", "hol")] if holiday else []
    return element("th", *parts, scope="col", class_=f"day {day_kind(ward, day)}".strip(), title=title)


def month_heads(ward: Ward) -> list[Element]:
    months = [list(days) for _, days in groupby(range(ward.days), key=lambda day: ward.day(day).replace(day=1))]
    return [
        element("th", element("span", _month_name(ward, days)), colspan=len(days), scope="colgroup", class_="month")
        for days in months
    ]


def _month_name(ward: Ward, days: list[int]) -> str:
    """Without the year where it would widen the columns."""
    return f"{ward.day(days[0]):%b %Y}" if len(days) > 1 else f"{ward.day(days[0]):%b}"


def grid(sheet: Sheet) -> Element:
    tail = max((len(nurse.history.tail) for nurse in sheet.ward.nurses), default=0)
    requests, colours = Requests(sheet), shift_colours(sheet.ward)
    shares = {share.nurse_id: share for share in sheet.report.empathy.shares}
    body = [
        element(
            "tr",
            _nurse_head(sheet, n, nurse),
            *_tail_cells(nurse, tail, colours),
            *(_cell(sheet, requests, colours, n, day) for day in range(sheet.ward.days)),
            _hours_cell(shares[nurse.id]),
        )
        for n, nurse in enumerate(sheet.ward.nurses)
    ]
    table = element(
        "table",
        element("caption", "Roster by nurse and day"),
        element("thead", *_heads(sheet.ward, tail)),
        element("tbody", *body),
        class_=days_class(sheet.ward.days + tail),
    )
    return scrolled(table, "Roster by nurse and day", "scroll tall")


def _heads(ward: Ward, tail: int) -> list[Element]:
    before = [
        element("th", element("span", name), colspan=days, scope="colgroup", class_=f"month tail {kind}".strip())
        for name, days, kind in (("earlier", tail - RECENT_DAYS, "old"), ("before", min(tail, RECENT_DAYS), ""))
        if days > 0
    ]
    first = element("tr", element("th", "Nurse", rowspan=2, scope="col", class_="who"), *before, *month_heads(ward),
                    element("th", "Hours", rowspan=2, scope="col", class_="sum"))  # fmt: skip
    return [first, element("tr", *(_tail_head(ward, day) for day in range(-tail, 0)), *day_heads(ward))]


def _tail_class(day: int) -> str:
    """`day`: below 0. A narrow screen leaves the old ones out."""
    return "tail old" if day < -RECENT_DAYS else "tail"


def _tail_head(ward: Ward, day: int) -> Element:
    on = ward.day(day)
    return element("th", element("span", f"{on:%a}"[:2]), element("b", str(on.day)), scope="col",
                   class_=f"day {_tail_class(day)}", title=f"{on:%A} {on.day} {on:%B %Y}, before the roster")  # fmt: skip


def _nurse_head(sheet: Sheet, n: int, nurse: Nurse) -> Element:
    name = nurse.name or nurse.id
    about = " · ".join(part for part in (nurse.id if nurse.name else "", nurse.grade, ", ".join(nurse.skills)) if part)
    line = element("div", element("small", about), *_nurse_badge(sheet, n), class_="line")
    return element("th", element("bdi", name, dir="auto", class_="name"), line, id=nurse_anchor(n), scope="row",
                   class_="who", title=f"{name}: {about}")  # fmt: skip


def _nurse_badge(sheet: Sheet, n: int) -> list[Element]:
    """What is found of the whole period."""
    found = sheet.at(nurse_anchor(n))
    if not found:
        return []
    title = "; ".join(finding_title(placed.finding) for placed in found)
    text = LEVELS[found[0].level] if len(found) == 1 else f"{len(found)} found"
    return [element("a", text, href=f"#{found[0].anchor}", class_=f"badge {found[0].level}", title=title)]


def _tail_cells(nurse: Nurse, length: int, colours: dict[str, str]) -> list[Element]:
    """The known days before the roster, oldest first; those not known are hatched like nothing else."""
    tail = nurse.history.tail
    unknown = [
        element("td", class_=f"{_tail_class(day)} unknown", title="not known") for day in range(-length, -len(tail))
    ]
    known = [
        element("td", *([_chip(shift, colours[shift])] if shift else []), class_=_tail_class(day))
        for day, shift in enumerate(tail, -len(tail))
    ]
    return [*unknown, *known]


def _chip(shift: str, colour: str) -> Element:
    return element("span", shift, class_=_chip_class(shift, colour))


def _chip_class(shift: str, colour: str) -> str:
    return f"chip {colour}{' long' if len(shift) > LONG_ID else ''}"


def _cell(sheet: Sheet, requests: Requests, colours: dict[str, str], n: int, day: int) -> Element:
    nurse = sheet.ward.nurses[n]
    shift = sheet.roster[nurse.id][day]
    asked = nurse.id, day
    wishes = requests.wishes.get(asked, [])
    marks = [mark("granted" if all(given for given, _ in wishes) else "denied")] if wishes else []
    marks += [mark("lock")] if asked in requests.locked else []
    marks += [mark("changed")] if asked in sheet.changes else []
    kinds = " ".join(
        filter(
            None,
            (
                day_kind(sheet.ward, day),
                "leave" if asked in requests.leave else "",
                "changed" if asked in sheet.changes else "",
            ),
        )
    )
    attributes = {"class": kinds} if kinds else {}
    return element("td", *_cell_content(sheet, requests, colours, n, day, shift), *marks, id=cell_anchor(n, day),
                   data_day=short_day(sheet.ward, day), title=_title(sheet, requests, n, day, shift), **attributes)  # fmt: skip


def _cell_content(
    sheet: Sheet, requests: Requests, colours: dict[str, str], n: int, day: int, shift: str | None
) -> list[Element]:
    """The shift, or what a day off says; with a finding it leads to it."""
    text = shift or ("leave" if (sheet.ward.nurses[n].id, day) in requests.leave else "")
    kind = _chip_class(shift, colours[shift]) if shift else "chip off"
    if found := sheet.at(cell_anchor(n, day)):
        return [element("a", text or "off", href=f"#{found[0].anchor}", class_=f"{kind} found {found[0].level}")]
    return [element("span", text, class_=kind)] if text else []


def _title(sheet: Sheet, requests: Requests, n: int, day: int, shift: str | None) -> str:
    nurse = sheet.ward.nurses[n]
    asked = nurse.id, day
    parts = [
        shift_title(sheet.ward.shift_by_id[shift]) if shift else "off",
        *requests.away.get(asked, []),
        *([requests.locked[asked]] if asked in requests.locked else []),
        *([change_title(sheet.changes[asked])] if asked in sheet.changes else []),
        *(title for _, title in requests.wishes.get(asked, [])),
        *(finding_title(placed.finding) for placed in sheet.at(cell_anchor(n, day))),
    ]
    return f"{nurse.name or nurse.id}, {day_name(sheet.ward.day(day))}: {'; '.join(parts)}"


def _hours_cell(share: Share) -> Element:
    target = [] if share.target_minutes is None else [element("small", f" / {hours(share.target_minutes)}")]
    return element("td", hours(share.credited_minutes), *target, class_="sum")


def legend(ward: Ward) -> Element:
    colours = shift_colours(ward)
    shifts = [_shift_key(shift, colours[shift.id]) for shift in ward.shifts]
    return element("ul", *shifts, *(element("li", *parts) for parts in _signs(ward)), class_="legend")


def _shift_key(shift: Shift, colour: str) -> Element:
    paid = f"{hours(shift.paid)} h paid" if shift.paid != shift.minutes else f"{hours(shift.minutes)} h"
    about = ", ".join(part for part in (shift_times(shift), paid, "night" if shift.night else "") if part)
    return element("li", _chip(shift.id, colour), element("span", f"{shift.name} ".lstrip(), element("small", about)))


def _signs(ward: Ward) -> list[Sequence[Element | str]]:
    """How to read the rest; only what this ward has."""
    levels = [element("span", LEVELS[level], class_=f"chip off found {level}") for level in LEVELS]
    signs: list[tuple[object, Sequence[Element | str]]] = [
        (ward.wishes, (mark("granted"), "wish granted")),
        (ward.wishes, (mark("denied"), "wish not granted")),
        (ward.locked, (mark("lock"), "settled")),
        (ward.published, (mark("changed"), "changed from the published roster")),
        (ward.leave, (element("span", "leave", class_="chip off leave"), "day of leave")),
        (ward.holidays, (element("i", class_="swatch hol", aria_hidden="true"), "public holiday")),
        (True, (element("i", class_="swatch we", aria_hidden="true"), "weekend")),
        (True, (*levels, "has a finding: click it")),
    ]
    return [parts for holds, parts in signs if holds]
