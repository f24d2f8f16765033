"""A nurse's own shifts as a page for her phone: one column, a line a day, no script."""

from importlib.resources import files
from itertools import groupby
from xml.etree.ElementTree import Element

from wavegraph.app.pages.frame import framed
from wavegraph.app.pages.markup import element
from wavegraph.app.pages.numbers import counted
from wavegraph.app.roster import page as page_of_all
from wavegraph.app.roster.page.grid import shift_colours
from wavegraph.app.roster.page.words import day_name, hours, period, shift_times
from wavegraph.tools.roster.checks.findings import is_weekend
from wavegraph.tools.roster.ward.ward import Nurse, Roster, Ward


def my_shifts(ward: Ward, roster: Roster, nurse: Nurse, note: str) -> str:
    """The page as HTML. `note`: the roster's status, at the top."""
    name = nurse.name or nurse.id
    weeks = groupby(range(ward.days), key=lambda day: ward.day(day).isocalendar()[:2])
    return framed(
        f"{name}: {period(ward)}",
        [files(page_of_all) / "roster.css", files(__package__) / "my_shifts.css"],
        element(
            "header",
            element("h1", element("bdi", name, dir="auto")),
            element("p", element("bdi", ward.name, dir="auto"), f" · {period(ward)}"),
            element("p", _in_short(ward, roster[nurse.id]), class_="next"),
            element("p", element("strong", note), class_="note"),
        ),
        element("main", *(_week(ward, roster, nurse, list(days)) for _, days in weeks)),
    )


def _in_short(ward: Ward, row: list[str | None]) -> str:
    shifts = [ward.shift_by_id[shift] for shift in row if shift]
    nights = sum(shift.night for shift in shifts)
    parts = [counted(len(shifts), "shift"), f"{hours(sum(shift.paid for shift in shifts))} h"]
    return " · ".join([*parts, *([counted(nights, "night")] if nights else [])])


def _week(ward: Ward, roster: Roster, nurse: Nurse, days: list[int]) -> Element:
    title = f"Week {ward.day(days[0]).isocalendar().week}"
    lines = [_day(ward, nurse, day, roster[nurse.id][day]) for day in days]
    return element("section", element("h2", title), element("ol", *lines), class_="week")


def _day(ward: Ward, nurse: Nurse, day: int, shift: str | None) -> Element:
    on = ward.day(day)
    kinds = " ".join(name for name, holds in (("we", is_weekend(on)), ("hol", on in ward.holidays)) if holds)
    return element(
        "li", element("b", day_name(on)), _what(ward, nurse, day, shift), **({"class": kinds} if kinds else {})
    )


def _what(ward: Ward, nurse: Nurse, day: int, shift: str | None) -> Element:
    if shift is None:
        away = any(row.nurse == nurse.id and row.shift is None and row.day == ward.day(day) for row in ward.leave)
        return element("span", "leave" if away else "off", class_="what free")
    known = ward.shift_by_id[shift]
    named = f"{known.name or known.id} "
    return element("span", named, element("small", shift_times(known)), class_=f"what {shift_colours(ward)[shift]}")
