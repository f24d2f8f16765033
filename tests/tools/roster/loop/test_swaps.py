"""What of a roster stays where a change is asked for, and what else moved."""

from datetime import date, timedelta

from tables import table

from wavegraph.tools.roster.dialogue.amending import amended, rows_of
from wavegraph.tools.roster.loop.swaps import all_else_kept, moved_cells
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Contract, Demand, Nurse, Shift, Ward

START = date(2026, 12, 7)
SHIFTS = [Shift(id="D", start="07:00", minutes=480), Shift(id="L", start="15:00", minutes=480)]
NURSES = [Nurse(id=name, name=name.title(), contract=Contract()) for name in ("ann", "ben", "cat")]
ROSTER = {"ann": ["D", None], "ben": ["L", "D"], "cat": [None, "L"]}
WARD = Ward(
    name="Small", start=START, days=2, shifts=SHIFTS, nurses=NURSES,
    demand=[Demand(day=START, shift="D", minimum=1, target=1)],
)  # fmt: skip


def change(kind: str, nurse: str, day: int, shift: str | None = None) -> Change:
    on = START + timedelta(days=day)
    return Change.model_validate({"kind": kind, "nurse": nurse, "first": on, "last": on, "shift": shift})


SWAP = [change("locked", "ann", 0, "L"), change("locked", "ben", 0, "D")]


@table(
    ("asked", "keeps"),
    [
        (SWAP, True),
        ([*SWAP, change("unavailable", "cat", 0)], True),  # she has that day off already
        ([*SWAP, change("unavailable", "cat", 1)], False),
        ([*SWAP, change("unavailable", "cat", 1, "D")], True),  # she has another shift there
        ([change("unavailable", "cat", 0)], True),
        ([change("locked", "ann", 0, "D")], False),
        ([], False),
    ],
)
def test_what_nothing_is_asked_of_stays(asked: list[Change], keeps: bool) -> None:
    ward, _ = amended(WARD, asked)
    kept = all_else_kept(ward, WARD, ROSTER, asked, rows_of)
    assert (kept is not None) == keeps
    assert kept is None or len(kept.locked) == 6


def test_what_moved_besides_is_told_and_what_was_asked_for_is_not() -> None:
    now = {"ann": ["L", None], "ben": ["D", None], "cat": [None, "L"]}
    (cell,) = moved_cells(WARD, ROSTER, now, SWAP, rows_of)
    assert (cell.nurse, cell.day, cell.before, cell.shift) == ("ben", START + timedelta(days=1), "D", None)
    assert moved_cells(WARD, ROSTER, now, [*SWAP, change("avoids", "ben", 1, "D")], rows_of) == []
    assert len(moved_cells(WARD, ROSTER, now, [*SWAP, change("avoids", "ben", 1, "L")], rows_of)) == 1
