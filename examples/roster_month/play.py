"""A ward manager's quarter: the first month in full, then the next one twice."""

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

from examples.roster_month.figures import joined_check, nights_table
from examples.roster_month.session import Session
from examples.roster_month.workbook import CONTRACTS, DAYS, MONTHS, NURSES, add_leave, fill

WARD = "maple.xlsx"
LIMITS = ("--work-limit", "50", "--time-limit", "1800")
"""Enough for 24 nurses and four weeks: about half a minute a round on two free cores. By work, so that it can be made again."""
QUICK = ("--work-limit", "15", "--time-limit", "900")
SICK_DAYS = 3
LATER_LEAVE = [
    ("bela", date(2027, 1, 4), date(2027, 1, 15)),
    ("olga", date(2027, 1, 18), date(2027, 1, 22)),
    ("ines", date(2027, 2, 8), date(2027, 2, 19)),
    ("tomas", date(2027, 2, 1), date(2027, 2, 5)),
]
Roster = dict[str, list[str | None]]


def play(session: Session) -> list[str]:
    """The ids of the rosters that are published in the end."""
    _ward(session)
    first = _first_month(session)
    first = _sick(session, first)
    first = _swap(session, first)
    _hand_out(session, first)
    later = [_next_month(session, month, name) for month, name in zip(MONTHS[1:], ("january", "february"), strict=True)]
    session.heading("The quarter")
    session.run("wards", WARD)
    return [first, *later]


def roster_of(session: Session, roster_id: str) -> Roster:
    found: Roster = json.loads(session.quiet("show", roster_id, "--json"))["roster"]
    return found


def _ward(session: Session) -> None:
    session.heading("The ward, in a workbook")
    session.run("wards", "--empty", "--out", WARD)
    fill(session.folder / WARD)
    session.say(
        "The manager fills it in: three shifts, three contracts (100 %, 75 % and 50 % of 37.5 hours a week), 24 nurses, of "
        "whom eight may take charge, the demand by weekday, December's leave, wishes and public holidays. `Start` stays "
        "empty, as each month is asked for by its first day."
    )
    session.say("![The sheet of the nurses](../pictures/roster-month-workbook.png)")


def _first_month(session: Session) -> str:
    session.heading("December: generate, look, publish")
    made = session.run("generate", WARD, "--start", str(MONTHS[0]), *LIMITS, "--decide", "draft", "--out", "december")
    session.say(
        "The page that `--out` wrote has the roster in colours, its cover, each nurse's share and all findings; it opens on "
        "a phone, too, and prints on two pages."
    )
    session.say("![The page on a wide screen](../pictures/roster-month-page.png)")
    session.say("![On a phone](../pictures/roster-month-page-phone.png)")
    session.say("![Printed](../pictures/roster-month-printed.png)")
    roster_id = _id(made)
    session.run("publish", roster_id, "--by", "petra", "--reason", "agreed with the team", *_problems(made))
    return roster_id


def _sick(session: Session, before: str) -> str:
    """The nurse who calls in sick has a night and more among her next days."""
    name, first = _busiest(roster_of(session, before))
    last = first + timedelta(days=SICK_DAYS - 1)
    called, night = _called(name), _first_shift(roster_of(session, before), name, first)
    session.heading(f"{called} is off sick")
    session.say(
        f"On {_said(first - timedelta(days=1))} {called} calls in sick from the next day to {_said(last)}. Who could take "
        "the first of those shifts?"
    )
    session.run("who", str(first), night, "--instead", name)
    add_leave(session.folder / WARD, name, first, last)
    session.say(
        "Rather than move people by hand, the manager adds a line to the sheet `Leave` and has the roster repaired: what has "
        "been worked stays, and as few cells as possible change."
    )
    frozen = ("--freeze-until", str(first - timedelta(days=1)))
    repair = ("--repair", before, *frozen, *QUICK, "--decide", "draft", "--out", "repaired")
    made = session.run("generate", WARD, *repair)
    roster_id = _id(made)
    if _problems(made):
        session.say(
            "No rule is broken, but the limits of fairness are, as the answer says: few may take those nights. The manager "
            "publishes it all the same; what somebody worked too much comes off her share of the next month."
        )
    session.run("publish", roster_id, "--by", "petra", "--reason", f"{called} is sick", *_problems(made))
    session.run("compare", before, roster_id, "--cells")
    return roster_id


def _swap(session: Session, before: str) -> str:
    session.heading("Two nurses swap")
    no, yes = _swaps(session, roster_of(session, before))
    if no:
        first, second, day = no
        session.say(f"{_called(first)} and {_called(second)} ask whether they may swap {_said(day)}:")
        session.run("swap", first, second, str(day))
    first, second, day = yes
    session.say(
        f"{_called(first)} and {_called(second)} would swap {_said(day)}. That may be, and the manager publishes it:"
    )
    session.run("swap", first, second, str(day), "--publish", "--by", "petra", "--reason", "both asked for it")
    session.run("why", first, str(day))
    return _published(session, MONTHS[0])


def _hand_out(session: Session, roster_id: str) -> None:
    session.heading("Hand it out")
    session.run("show", roster_id, "--out", "december.xlsx")
    session.run("show", roster_id, "--for-nurses", "--out", "nurses")
    session.say("![The workbook](../pictures/roster-month-export.png)")
    session.say("![A nurse's own page on her phone](../pictures/roster-month-nurse.png)")


def _next_month(session: Session, month: date, name: str) -> str:
    session.heading(f"Next month: {month:%-d %B %Y} to {month + timedelta(days=DAYS - 1):%-d %B}")
    rows = [row for row in LATER_LEAVE if month <= row[1] < month + timedelta(days=DAYS)]
    for nurse, first, last in rows:
        add_leave(session.folder / WARD, nurse, first, last)
    listed = " and ".join(f"{_called(nurse)}'s from {first:%-d} to {last:%-d %B}" for nurse, first, last in rows)
    session.say(
        f"New leave has been asked for, and goes into the sheet `Leave`: {listed}. The roster follows the published ones by "
        "itself: their last days, and the balance of nights, weekends, holidays and hours."
    )
    made = session.run("generate", WARD, "--start", str(month), *LIMITS, "--decide", "draft", "--out", name)
    roster_id = _id(made)
    session.run("publish", roster_id, "--by", "petra", *_problems(made))
    return roster_id


def _id(printed: str) -> str:
    found = re.search(r"\b[Rr]oster ([0-9a-f]{16})\b", printed)
    assert found, printed
    return found[1]


def _problems(printed: str) -> tuple[str, ...]:
    return () if "passes every check" in printed else ("--with-problems",)


def _busiest(roster: Roster) -> tuple[str, date]:
    """Who works two nights in a row in the second week, and the first of them."""
    for place in range(8, 14):
        for name, row in roster.items():
            if row[place] == row[place + 1] == "N" != row[place - 1]:
                return name, MONTHS[0] + timedelta(days=place)
    raise AssertionError("nobody has two nights in the second week")


def _first_shift(roster: Roster, name: str, day: date) -> str:
    return roster[name][(day - MONTHS[0]).days] or ""


def _swaps(session: Session, roster: Roster) -> tuple[tuple[str, str, date] | None, tuple[str, str, date]]:
    """A swap that breaks a rule, if one of the first tried does, and one that may be."""
    no = None
    for first, second, day in _candidates(roster):
        may = json.loads(session.quiet("swap", first, second, str(day), "--json")).get("may")
        if may:
            return no, (first, second, day)
        no = no or (first, second, day)
    raise AssertionError("no two nurses may swap")


def _candidates(roster: Roster) -> Iterator[tuple[str, str, date]]:
    """An early and a late of two nurses in the third week: one pair whose days around it forbid it, then those where they
    do not."""
    pairs = [
        (early, late, place)
        for place in range(14, 21)
        for early, late in permutations(roster, 2)
        if (roster[early][place], roster[late][place]) == ("E", "L")
    ]
    fit = [(e, l, d) for e, l, d in pairs if roster[e][d + 1] != "E" and roster[l][d - 1] not in ("L", "N")]
    unfit = [pair for pair in pairs if pair not in fit][:1]
    for early, late, place in [*unfit, *fit]:
        yield early, late, MONTHS[0] + timedelta(days=place)


def _published(session: Session, month: date) -> str:
    versions: list[dict[str, Any]] = json.loads(session.quiet("wards", WARD, "--json"))
    return next(str(v["roster_id"]) for v in versions if v["status"] == "published" and v["start"] == str(month))


def _called(name: str) -> str:
    return next(called.split()[0] for nurse, called, _, _ in NURSES if nurse == name)


def _said(day: date) -> str:
    return f"{day:%A, %-d %B}"


def quarter(session: Session, rosters: list[str]) -> None:
    """The table of nights per contract hour, and the checks over the joined time."""
    grids = [roster_of(session, roster_id) for roster_id in rosters]
    ward: Path = session.folder / WARD
    session.say("\n".join(nights_table(ward, grids, list(CONTRACTS))))
    session.say(joined_check(ward, grids))
