"""Whether a roster fits a ward: the same nurses, days and shifts."""

from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.faults import FileFault, RosterError
from wavegraph.tools.roster.ward.ward import Roster, Ward


def require_fit(ward: Ward, roster: Roster, source: str = "roster") -> None:
    """Raise `RosterError` with every place where the roster does not fit."""
    if faults := misfits(ward, roster):
        raise RosterError(source, faults)


def misfits(ward: Ward, roster: Roster) -> list[FileFault]:
    missing = [FileFault(nurse.id, None, "a row for this nurse") for nurse in ward.nurses if nurse.id not in roster]
    expected = "a nurse of the ward"
    strangers = [
        FileFault(name, name, expected + did_you_mean(name, ward.nurse_by_id)) for name in _strangers(ward, roster)
    ]
    return [*strangers, *missing, *_rows(ward, roster)]


def published_misfits(ward: Ward, roster: Roster) -> list[FileFault]:
    """As `misfits`, for a published roster, in which new nurses need no row."""
    expected = "a nurse of the ward: leave out the row of one who has left"
    return [*(FileFault(name, name, expected) for name in _strangers(ward, roster)), *_rows(ward, roster)]


def _strangers(ward: Ward, roster: Roster) -> list[str]:
    return [name for name in roster if name not in ward.nurse_by_id]


def _rows(ward: Ward, roster: Roster) -> list[FileFault]:
    known = [(name, row) for name, row in roster.items() if name in ward.nurse_by_id]
    return [fault for name, row in known for fault in _row(ward, name, row)]


def _row(ward: Ward, name: str, row: list[str | None]) -> list[FileFault]:
    if len(row) != ward.days:
        return [FileFault(name, f"{len(row)} days", f"{ward.days} days from {ward.start}")]
    return [
        FileFault(f"{name}, {ward.day(day)}", cell, f"empty or one of the shifts {', '.join(ward.shift_by_id)}")
        for day, cell in enumerate(row)
        if cell is not None and cell not in ward.shift_by_id
    ]
