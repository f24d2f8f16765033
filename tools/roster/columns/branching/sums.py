"""What branching may split: sums of the nurses missing, or too many, over days and kinds of shift.

A roster has whole numbers there, the linear optimum often not; one such sum moves the bound more than any cell does.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from wavegraph.tools.roster.columns.counters import Ints
from wavegraph.tools.roster.columns.master_rows import MasterRows

WEEK = 7
Place = tuple[int, int]
"""Day and label of a row of demand."""


@dataclass(frozen=True)
class Sum:
    """The sum of some of the rows' own variables."""

    variables: Ints
    whole: bool
    """Whether it is over the whole horizon."""


def build_sums(master_rows: MasterRows) -> list[Sum]:
    """All days, each week, each kind of shift, each day: what is missing there, and what is too many."""
    missing, surplus = _variables(master_rows)
    return [
        Sum(np.array(variables, dtype=np.int64), whole)
        for whole, rows in _groups(_places(master_rows))
        for variables in ([k for row in rows for k in side.get(row, [])] for side in (missing, surplus))
        if len(variables) > 1
    ]


def _places(master_rows: MasterRows) -> dict[int, Place]:
    """Where each row of demand that anybody can meet lies."""
    demanded, places = set(master_rows.demanded.row.tolist()), dict[int, Place]()
    for cells in master_rows.cells:
        for row, day, label in zip(cells.row.tolist(), cells.day.tolist(), cells.label.tolist(), strict=True):
            if row in demanded:
                places[row] = day, label
    return dict(sorted(places.items()))


def _variables(master_rows: MasterRows) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The variables of each row for what is missing, and for what is too many."""
    own, missing, surplus = master_rows.own, dict[int, list[int]](), dict[int, list[int]]()
    for row, coefficient, variable in zip(
        own.row.tolist(), own.coefficient.tolist(), own.variable.tolist(), strict=True
    ):
        (missing if coefficient > 0 else surplus).setdefault(row, []).append(variable)
    return missing, surplus


def _groups(places: dict[int, Place]) -> Iterator[tuple[bool, list[int]]]:
    """Rows that are summed up, and whether they are all."""
    ways: list[Callable[[Place], int]] = [lambda _: 0, lambda at: at[0] // WEEK, lambda at: at[1], lambda at: at[0]]
    for number, way in enumerate(ways):
        together = dict[int, list[int]]()
        for row, place in places.items():
            together.setdefault(way(place), []).append(row)
        yield from ((number == 0, rows) for rows in together.values())
