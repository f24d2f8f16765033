"""A person's requests applied to a ward: names become ids, days and shifts become rows of the ward. Weeks and weekdays are
counted here, not by the model.

A request overrides what the ward's file has for the same nurse, day and shift.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.arguments import LockedCell
from wavegraph.tools.roster.dialogue.sentences import NIGHT
from wavegraph.tools.roster.records import Change, ChangeKind
from wavegraph.tools.roster.told import Told, as_json, refusal, told
from wavegraph.tools.roster.ward.contradictions import contradictions
from wavegraph.tools.roster.ward.names import called, is_heard, nurse_named, shift_named
from wavegraph.tools.roster.ward.ward import Leave, Locked, Nurse, Pair, Ward, Wish

OFF = "off"
"""Word for a settled day off: a settled cell whose shift is missing must not become a day off."""
MOST_NAMED = 6
"""Rows of a field that give way to changes: beyond them they are counted."""
Rows = dict[str, list[Any]]
"""New rows, by the ward's field."""

KEYS: Mapping[str, Callable[[Any], Hashable]] = {
    "leave": lambda row: (row.nurse, row.day, row.shift),
    "wishes": lambda row: (row.nurse, row.day, row.shift),
    "locked": lambda row: (row.nurse, row.day),
    "pairs": lambda row: frozenset((row.first, row.second)),
}
"""The key of a row, by field: a new row replaces the old one with the same key."""


def amended(ward: Ward, changes: Sequence[Change]) -> tuple[Ward, list[Told]]:
    """The ward with the changes; and each change as it was understood, what it replaces, and whose leave it is for.

    Raises ToolRefusal: `unknown_nurse`, `ambiguous_nurse`, `unknown_shift`, `ambiguous_shift`, `outside_period`,
    `needs_other`, `needs_day`, `needs_shift`, and `contradiction` where the ward contradicts itself with them.
    """
    rows: Rows = {}
    for change in changes:
        field, new = rows_of(ward, change)
        rows.setdefault(field, []).extend(new)
    update = {field: _in_place(getattr(ward, field), new, KEYS[field]) for field, new in rows.items()}
    lapsed = _lapsed(ward.wishes, rows.get("leave", ()))
    if lapsed:
        update["wishes"] = [wish for wish in update.get("wishes", ward.wishes) if wish not in lapsed]
    if "leave" in update:
        update["leave"] = _whole_days_alone(update["leave"])
    understood = [as_understood(ward, change) for change in changes]
    gave_way = _gave_way(ward, rows, lapsed)
    return _checked(ward.model_copy(update=update)), [*understood, *gave_way, *_on_leave(ward, rows)]


def all_asked(ward: Ward, before: Sequence[Change], changes: Sequence[Change]) -> list[Change]:
    """What a ward holds that was asked for, nurses by their ids, the latest last; what is asked for again stands once,
    with the latest."""
    ids = [
        {"nurse": nurse_named(ward, each.nurse).id, "other": None if each.other is None else _other(ward, each).id}
        for each in changes
    ]
    named = [change.model_copy(update=own) for change, own in zip(changes, ids, strict=True)]
    once = [change for place, change in enumerate(named) if change not in named[:place]]
    return [*(change for change in before if change not in once), *once]


def settled(cells: Sequence[LockedCell]) -> list[Change]:
    """Cells as the changes that settle them."""
    return [
        Change(kind="locked", nurse=cell.nurse, first=cell.day, last=cell.day, shift=cell.shift or OFF)
        for cell in cells
    ]


def still_asked(ward: Ward, change: Change, later: Sequence[Change]) -> list[Any]:
    """The rows of a change that none of the later ones took the place of."""
    field, rows = rows_of(ward, change)
    for other_field, new in (rows_of(ward, each) for each in later):
        if other_field == field:
            taken = {KEYS[field](row) for row in new}
            rows = [row for row in rows if row in new or KEYS[field](row) not in taken]
        elif (field, other_field) == ("wishes", "leave"):
            lapsed = _lapsed(rows, new)
            rows = [row for row in rows if row not in lapsed]
    return rows


def as_understood(ward: Ward, change: Change) -> Told:
    """As the solver will apply it: `Ivan: no shift N, Monday 2026-12-07 to Sunday 2026-12-13 (must hold)`."""
    names = called(ward)
    found = nurse_named(ward, change.nurse)
    is_only_heard = change.nurse != found.id and is_heard(change.nurse, found)
    nurse = f"{names[found.id]} (“{change.nurse}”)" if is_only_heard else names[found.id]
    if change.kind in ("apart", "together"):
        return told(f"asked.{change.kind}", nurse=nurse, other=names[_other(ward, change).id], wish=_wish(change))
    shifts = [name for name in _shifts(ward, change) if name is not None]
    about = {"nurse": nurse, "when": when(ward, days_of(ward, change)), "wish": _wish(change)}
    return told(f"asked.{change.kind}{'.shift' if shifts else ''}", **about, **({"shifts": shifts} if shifts else {}))


WISHES: Mapping[int, str] = {3: "wish.light", 10: "wish", 30: "wish.strong"}
"""By the weights that words like “if possible” and “it matters a lot” are given."""


def _wish(change: Change) -> Told:
    known = WISHES.get(change.weight)
    return told(known) if known else told("wish.weight", weight=change.weight)


def rows_of(ward: Ward, change: Change) -> tuple[str, list[Any]]:
    """The ward's field that a change belongs to, and its rows."""
    nurse = nurse_named(ward, change.nurse).id
    if change.kind in ("apart", "together"):
        together = change.kind == "together"
        other = _other(ward, change).id
        return "pairs", [Pair(first=nurse, second=other, together=together, weight=change.weight)]
    cells = list(_cells(ward, change))
    if change.kind == "locked":
        return "locked", [Locked(nurse=nurse, day=day, shift=shift) for day, shift in cells]
    if change.kind == "unavailable":
        paid = {(row.nurse, row.day) for row in ward.leave if row.paid and row.shift is None}
        return "leave", [
            Leave(nurse=nurse, day=day, shift=shift, paid=shift is not None or (nurse, day) in paid)
            for day, shift in cells
        ]
    wants, weight = change.kind == "prefers", change.weight
    return "wishes", [Wish(nurse=nurse, day=day, shift=shift, wants=wants, weight=weight) for day, shift in cells]


def nurses_of(ward: Ward, change: Change) -> list[str]:
    """Ids: one, or the two of a pair."""
    return [nurse_named(ward, name).id for name in (change.nurse, change.other) if name is not None]


def _other(ward: Ward, change: Change) -> Nurse:
    if change.other is None:
        raise refusal("needs_other")
    return nurse_named(ward, change.other)


def _cells(ward: Ward, change: Change) -> Iterator[tuple[date, str | None]]:
    shifts = _shifts(ward, change)
    if change.kind == "locked":
        if change.shift is None:
            raise refusal("needs_shift")
        if len(shifts) > 1:
            raise refusal("ambiguous_shift", name=change.shift[:40], shifts=", ".join(map(str, shifts)))
        if not any((change.first, change.last, change.weekdays, change.weeks)):
            raise refusal("needs_day")
    yield from ((day, shift) for day in days_of(ward, change) for shift in shifts)


def _shifts(ward: Ward, change: Change) -> Sequence[str | None]:
    """Ids; None for a whole day, of a settled cell for a day off."""
    asked = change.shift
    if asked is None or (change.kind == "locked" and asked not in ward.shift_by_id and asked.strip().casefold() == OFF):
        return [None]
    return shifts_named(ward, asked)


def shifts_named(ward: Ward, asked: str) -> Sequence[str]:
    """Ids: by id, by the word for all nights, or by name. Raises ToolRefusal `unknown_shift`, `ambiguous_shift`."""
    nights = [shift.id for shift in ward.shifts if shift.night]
    if nights and asked not in ward.shift_by_id and asked.strip().casefold() in (NIGHT, f"{NIGHT}s"):
        return nights
    return [shift_named(ward, asked).id]


def _in_place(old: Sequence[Any], new: Sequence[Any], key: Callable[[Any], Hashable]) -> list[Any]:
    """The old rows, with the new ones in place of those with the same key."""
    taken = {key(row) for row in new}
    return [*(row for row in old if key(row) not in taken), *dict.fromkeys(new)]


def _whole_days_alone(leave: Sequence[Leave]) -> list[Leave]:
    """Leave without single shifts on days that are leave as a whole."""
    whole = {(row.nurse, row.day) for row in leave if row.shift is None}
    return [row for row in leave if row.shift is None or (row.nurse, row.day) not in whole]


def _lapsed(wishes: Sequence[Wish], leave: Sequence[Leave]) -> list[Wish]:
    """The wishes to work on what is now leave."""
    away = {(row.nurse, row.day, row.shift) for row in leave}
    wanted = [wish for wish in wishes if wish.wants]
    return [w for w in wanted if not away.isdisjoint({(w.nurse, w.day, None), (w.nurse, w.day, w.shift)})]


def _gave_way(ward: Ward, rows: Rows, lapsed: Sequence[Wish]) -> Iterator[Told]:
    for field, new in rows.items():
        taken = {KEYS[field](row) for row in new}
        old = [row for row in getattr(ward, field) if KEYS[field](row) in taken and row not in new]
        for row in old[:MOST_NAMED]:
            yield told("asked.replaces", asked=as_understood(ward, _as_asked(row)))
        if len(old) > MOST_NAMED:
            yield told(f"asked.replaces.{field}", more=len(old) - MOST_NAMED)
    for wish in lapsed:
        about = {"nurse": called(ward)[wish.nurse], "day": wish.day}
        yield told("asked.lapsed.shift", shift=wish.shift, **about) if wish.shift else told("asked.lapsed", **about)


def _on_leave(ward: Ward, rows: Rows) -> Iterator[Told]:
    """That a wish is for days which are the nurse's leave already."""
    away = {(row.nurse, row.day) for row in [*ward.leave, *rows.get("leave", ())] if row.shift is None}
    wishes = [wish for wish in rows.get("wishes", ()) if (wish.nurse, wish.day) in away]
    for nurse in dict.fromkeys(wish.nurse for wish in wishes):
        days = list(dict.fromkeys(wish.day for wish in wishes if wish.nurse == nurse))
        yield told("asked.on_leave", nurse=called(ward)[nurse], when=when(ward, days))


def _as_asked(row: Any) -> Change:
    """The change that would put the row there."""
    if isinstance(row, Pair):
        kind: ChangeKind = "together" if row.together else "apart"
        return Change(kind=kind, nurse=row.first, other=row.second, weight=row.weight)
    about = {"nurse": row.nurse, "first": row.day, "last": row.day, "shift": row.shift}
    if isinstance(row, Wish):
        return Change(kind="prefers" if row.wants else "avoids", weight=row.weight, **about)
    is_off = isinstance(row, Locked) and row.shift is None
    return Change(
        kind="locked" if isinstance(row, Locked) else "unavailable", **about | ({"shift": OFF} if is_off else {})
    )


def _checked(ward: Ward) -> Ward:
    if faults := contradictions(ward):
        clashes = as_json(list(_clashes(ward)))
        message = "; ".join(str(fault) for fault in faults[:10])
        raise ToolRefusal("contradiction", message, about={"cells": clashes} if clashes else {})
    return ward


def _clashes(ward: Ward) -> Iterator[Told]:
    """The contradictions that requests make: settled shifts that are leave, or that the nurse never works; one nurse for two."""
    away, names = {(row.nurse, row.day, row.shift) for row in ward.leave}, called(ward)
    for row in ward.locked:
        if row.shift is None:
            continue
        nurse, skill = ward.nurse_by_id[row.nurse], ward.shift_by_id[row.shift].skill
        cell = {"nurse": names[row.nurse], "shift": row.shift, "day": row.day}
        if not away.isdisjoint({(row.nurse, row.day, None), (row.nurse, row.day, row.shift)}):
            yield told("clash", **cell)
        if skill is not None and skill not in nurse.skills:
            yield told("clash.skill", skill=skill, **cell)
        if nurse.contract.max_shifts.get(row.shift) == 0:
            yield told("clash.contract", **cell)
    yield from (told("clash.pair", nurse=names[pair.first]) for pair in ward.pairs if pair.first == pair.second)


MOST_LISTED = 7
"""Days that are listed."""
DAY = timedelta(days=1)


def days_of(ward: Ward, change: Change) -> list[date]:
    """In order, never empty; days outside the period are left out. Raises ToolRefusal `outside_period` where all are."""
    first, last = _asked_for(ward, change)
    period = [(index, ward.day(index)) for index in range(ward.days)]
    weeks = [day for index, day in period if change.weeks is None or index // 7 + 1 in change.weeks]
    found = [day for day in weeks if first <= day <= last and _is_on_weekday(day, change)]
    if not found:
        raise refusal("outside_period", first=period[0][1], last=period[-1][1])
    return found


def outside(ward: Ward, change: Change) -> list[tuple[date, date]]:
    """First and last day of what was asked for before the period and after it; empty = all lies in it."""
    first, last = _asked_for(ward, change)
    spans = (first, min(last, ward.start - DAY)), (max(first, ward.day(ward.days)), last)
    weeks = {span: [span[0] + n * DAY for n in range(min(7, (span[1] - span[0]).days + 1))] for span in spans}
    return [span for span, days in weeks.items() if any(_is_on_weekday(day, change) for day in days)]


def _asked_for(ward: Ward, change: Change) -> tuple[date, date]:
    return change.first or ward.start, change.last or change.first or ward.day(ward.days - 1)


def _is_on_weekday(day: date, change: Change) -> bool:
    return change.weekdays is None or f"{day:%A}".lower() in change.weekdays


def when(ward: Ward, days: Sequence[date]) -> Told:
    """The whole period, a span of days, or the days one by one."""
    if len(days) == ward.days:
        return told("when.whole")
    if all(later - sooner == DAY for sooner, later in pairwise(days)):
        return span(days[0], days[-1])
    named = [told("when.day", day=day) for day in days[:MOST_LISTED]]
    more = len(days) - MOST_LISTED
    return told("when.more", days=named, more=more) if more > 0 else told("when.days", days=named)


def span(first: date, last: date) -> Told:
    if first == last:
        return told("when.day", day=first)
    return told("when.from", first=first) if last == date.max else told("days_to", first=first, last=last)
