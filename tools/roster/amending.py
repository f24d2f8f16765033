"""A ward with what a person asked for in it: names become ids, words for days become rows of the ward."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.arguments import LockedCell
from wavegraph.tools.roster.contradictions import contradictions
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward import Leave, Locked, Nurse, Pair, Ward, Wish

NIGHT = "night"


def amended(ward: Ward, changes: Sequence[Change]) -> tuple[Ward, list[str]]:
    """The ward with the changes, and each of them in words.

    Raises ToolRefusal: `unknown_nurse`, `ambiguous_nurse`, `unknown_shift`, `outside_period`, `needs_other`, and
    `contradiction` where the ward could not be held with them.
    """
    rows: dict[str, list[Any]] = {}
    words = []
    for change in changes:
        found = _rows(ward, change)
        rows.setdefault(found[0], []).extend(found[1])
        words.append(in_words(ward, change))
    update = {name: [*getattr(ward, name), *new] for name, new in rows.items()}
    if settled := rows.get("locked"):
        cells = {(cell.nurse, cell.day) for cell in settled}
        update["locked"] = [*(each for each in ward.locked if (each.nurse, each.day) not in cells), *settled]
    return _checked(ward.model_copy(update=update)), words


def with_locked(ward: Ward, cells: Sequence[LockedCell]) -> Ward:
    """The ward with these cells settled; errors as `amended`."""
    changes = [
        Change(kind="locked", nurse=cell.nurse, first=cell.day, last=cell.day, shift=cell.shift) for cell in cells
    ]
    return amended(ward, changes)[0]


def in_words(ward: Ward, change: Change) -> str:
    """As it will be held: `nurse_006 Ivan: no shift N, 2026-12-07 to 2026-12-13 (must hold)`."""
    who, shift, days = _who(nurse_named(ward, change.nurse)), change.shift or "any shift", _days_in_words(ward, change)
    match change.kind:
        case "unavailable":
            return f"{who}: no {_shift_in_words(ward, change.shift)}, {days} (must hold)"
        case "prefers":
            return f"{who}: would like {shift}, {days} (wish of weight {change.weight})"
        case "avoids":
            return f"{who}: would rather not work {shift}, {days} (wish of weight {change.weight})"
        case "locked":
            return f"{who}: {f'shift {change.shift}' if change.shift else 'off'}, {days} (settled)"
    together = "on the same shifts" if change.kind == "together" else "never on the same shift"
    return f"{who} and {_who(_other(ward, change))}: {together}, the whole period (weight {change.weight} a day)"


def nurse_named(ward: Ward, name: str) -> Nurse:
    """The nurse of that id, name, or part of a name that no other has."""
    asked = name.strip().casefold()
    exact = [nurse for nurse in ward.nurses if asked in (nurse.id.casefold(), nurse.name.casefold())]
    found = exact or [nurse for nurse in ward.nurses if asked and asked in nurse.name.casefold().split()]
    if len(found) == 1:
        return found[0]
    code = "ambiguous_nurse" if found else "unknown_nurse"
    known = ", ".join(_who(nurse) for nurse in (found or ward.nurses)[:20])
    raise ToolRefusal(code, f"{name[:60]!r} is {'more than one nurse' if found else 'no nurse of this ward'}: {known}")


def _rows(ward: Ward, change: Change) -> tuple[str, list[Any]]:
    """The rows a change stands for, and the ward's field they belong to."""
    nurse = nurse_named(ward, change.nurse).id
    if change.kind in ("apart", "together"):
        together = change.kind == "together"
        other = _other(ward, change).id
        return "pairs", [Pair(first=nurse, second=other, together=together, weight=change.weight)]
    shifts = _shifts(ward, change.shift)
    cells = [(day, shift) for day in _days(ward, change) for shift in shifts]
    match change.kind:
        case "unavailable":
            return "leave", [Leave(nurse=nurse, day=day, shift=shift) for day, shift in cells]
        case "locked":
            return "locked", [Locked(nurse=nurse, day=day, shift=shift) for day, shift in cells]
    wants = change.kind == "prefers"
    return "wishes", [Wish(nurse=nurse, day=day, shift=s, wants=wants, weight=change.weight) for day, s in cells]


def _other(ward: Ward, change: Change) -> Nurse:
    if change.other is None:
        raise ToolRefusal("needs_other", f"who should be {change.kind} with {change.nurse[:60]!r}? Name a second nurse")
    return nurse_named(ward, change.other)


def _shifts(ward: Ward, asked: str | None) -> list[str | None]:
    if asked is None:
        return [None]
    nights: list[str | None] = [shift.id for shift in ward.shifts if shift.night]
    if asked not in ward.shift_by_id and asked.casefold() in (NIGHT, "nights") and nights:
        return nights
    if asked not in ward.shift_by_id:
        known = ", ".join(ward.shift_by_id)
        raise ToolRefusal("unknown_shift", f"there is no shift {asked[:40]!r}; there are: {known}, or `{NIGHT}`")
    return [asked]


def _days(ward: Ward, change: Change) -> Iterator[date]:
    first, last = change.first or ward.start, change.last or change.first or ward.day(ward.days - 1)
    inside = [ward.day(index) for index in range(ward.days) if first <= ward.day(index) <= last]
    if not inside:
        period = f"{ward.start} to {ward.day(ward.days - 1)}"
        raise ToolRefusal("outside_period", f"{first} to {last} is outside the roster's period, {period}")
    yield from inside


def _days_in_words(ward: Ward, change: Change) -> str:
    days = list(_days(ward, change))
    if len(days) == ward.days:
        return "the whole period"
    return str(days[0]) if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _shift_in_words(ward: Ward, asked: str | None) -> str:
    return "work" if asked is None else f"shift {' or '.join(str(shift) for shift in _shifts(ward, asked))}"


def _who(nurse: Nurse) -> str:
    return f"{nurse.id} {nurse.name}".strip()


def _checked(ward: Ward) -> Ward:
    if faults := contradictions(ward):
        raise ToolRefusal("contradiction", "; ".join(str(fault) for fault in faults[:10]))
    return ward
