"""Whether a roster fits a ward: the same nurses, days and shifts."""

from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.faults import FileFault, RosterError, field_at
from wavegraph.tools.roster.ward.ward import Roster, Ward


def require_fit(ward: Ward, roster: Roster, source: str = "roster") -> None:
    """Raise `RosterError` with every place where the roster does not fit."""
    if faults := misfits(ward, roster):
        raise RosterError(source, faults)


def misfits(ward: Ward, roster: Roster) -> list[FileFault]:
    missing = [
        FileFault(field_at(nurse.id), None, "a row for this nurse") for nurse in ward.nurses if nurse.id not in roster
    ]
    strangers = [
        FileFault(field_at(name), name, f"a nurse of the ward{did_you_mean(name, ward.nurse_by_id)}", asks="nurses")
        for name in _strangers(ward, roster)
    ]
    return [*strangers, *missing, *_rows(ward, roster)]


def published_misfits(ward: Ward, roster: Roster) -> list[FileFault]:
    """As `misfits`, for a published roster, in which new nurses need no row."""
    expected = "a nurse of the ward: leave out the row of one who has left"
    strangers = [FileFault(field_at(name), name, expected, asks="nurses") for name in _strangers(ward, roster)]
    return [*strangers, *_rows(ward, roster)]


def _strangers(ward: Ward, roster: Roster) -> list[str]:
    return [name for name in roster if name not in ward.nurse_by_id]


def _rows(ward: Ward, roster: Roster) -> list[FileFault]:
    known = [(name, row) for name, row in roster.items() if name in ward.nurse_by_id]
    return [fault for name, row in known for fault in _row(ward, name, row)]


def _row(ward: Ward, name: str, row: list[str | None]) -> list[FileFault]:
    if len(row) != ward.days:
        return [FileFault(field_at(name), f"{len(row)} days", f"{ward.days} days from {ward.start}")]
    expected = f"empty or one of the shifts {', '.join(ward.shift_by_id)}"
    return [
        FileFault(field_at(name, ward.day(day)), cell, expected, asks="shifts")
        for day, cell in enumerate(row)
        if cell is not None and cell not in ward.shift_by_id
    ]
