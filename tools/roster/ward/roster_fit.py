"""Whether a roster fits a ward: the same nurses, days and shifts."""

from collections.abc import Iterator

from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.faults import FieldPath, FileFault, RosterError, field_at, wanted
from wavegraph.tools.roster.ward.ward import Roster, Ward


def require_fit(ward: Ward, roster: Roster, source: str = "roster") -> None:
    """Raise `RosterError` with every place where the roster does not fit."""
    if faults := misfits(ward, roster):
        raise RosterError(source, faults)


def misfits(ward: Ward, roster: Roster, *, published: bool = False, under: FieldPath = ()) -> list[FileFault]:
    """`published`: an earlier roster, in which new nurses need no row. `under`: the field that the roster is in."""
    known, way_out = ward.nurse_by_id, wanted("who_has_left") if published else ""
    strangers = [
        FileFault(field_at(*under, name), name, wanted("nurse_of_the_ward", hint=did_you_mean(name, known) or way_out))
        for name in roster
        if name not in known
    ]
    without = [] if published else [name for name in known if name not in roster]
    missing = [FileFault(field_at(*under, name), None, wanted("row_of_nurse")) for name in without]
    return [
        *strangers,
        *missing,
        *(fault for name in roster if name in known for fault in _row(ward, roster, name, under)),
    ]


def _row(ward: Ward, roster: Roster, name: str, under: FieldPath) -> Iterator[FileFault]:
    row, expected = roster[name], wanted("cell", known=", ".join(ward.shift_by_id))
    if len(row) != ward.days:
        yield FileFault(
            field_at(*under, name), wanted("days", n=len(row)), wanted("days_from", days=ward.days, first=ward.start)
        )
        return
    for day, cell in enumerate(row):
        if cell is not None and cell not in ward.shift_by_id:
            yield FileFault(field_at(*under, name, ward.day(day)), cell, expected)
