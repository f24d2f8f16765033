"""What a repair takes over from the roster that it repairs: what was asked for of it; and who of it has left."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.dialogue.amending import amended, as_understood
from wavegraph.tools.roster.dialogue.change_days import MOST_LISTED, days_of
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.names import called, nurse_named
from wavegraph.tools.roster.ward.ward import Roster, Ward


class TakenOver(NamedTuple):
    ward: Ward
    """With what was asked for."""
    asked: list[Change]
    """What it holds of that, the oldest first."""
    told: list[Told]
    """What it does not hold, with the reason."""


def taken_over(ward: Ward, repaired: Ward, asked: Sequence[Change]) -> TakenOver:
    """The ward with what was asked for of the roster that it repairs; what the ward's file contradicts is left out.

    `repaired`: that roster's ward; `asked`: the oldest first.
    """
    kept: list[Change] = []
    left: list[Told] = []
    for change in asked:
        ward, held, left_out = _with(ward, repaired, change)
        kept += held
        left += left_out
    return TakenOver(ward, kept, left)


def _with(ward: Ward, repaired: Ward, change: Change) -> tuple[Ward, list[Change], list[Told]]:
    if strangers := [name for name in _nurses(repaired, change) if name not in ward.nurse_by_id]:
        gone = [called(repaired)[name] for name in strangers]
        return ward, [], [told("left_out.gone", asked=as_understood(repaired, change), nurses=gone)]
    try:
        return amended(ward, [change])[0], [change], []
    except ToolRefusal as refusal:
        days = _by_day(repaired, change)
        if len(days) == 1:
            why = told(f"left_out.{refusal.code}") if refusal.code == "contradiction" else refusal.message
            return ward, [], [told("left_out.otherwise", asked=as_understood(repaired, change), why=why)]
    parts = []
    for day in days:
        parts.append(_with(ward, repaired, day))
        ward = parts[-1][0]
    return ward, [each for _, held, _ in parts for each in held], [line for _, _, told in parts for line in told]


def _nurses(ward: Ward, change: Change) -> list[str]:
    return [nurse_named(ward, name).id for name in (change.nurse, change.other) if name is not None]


def _by_day(ward: Ward, change: Change) -> list[Change]:
    """The change of each of its days; of a pair, the change alone."""
    if change.other is not None:
        return [change]
    alone = {"weekdays": None, "weeks": None}
    return [change.model_copy(update={"first": day, "last": day, **alone}) for day in days_of(ward, change)]


def who_left(ward: Ward, repaired: Ward, roster: Roster) -> Iterator[Told]:
    """Each nurse of a roster who is not in the ward any more, with the shifts that are open again."""
    for name, row in roster.items():
        if name in ward.nurse_by_id or name not in repaired.nurse_by_id:
            continue
        nurse = called(repaired)[name]
        cells = [told("cell_on", shift=cell, day=repaired.day(index)) for index, cell in enumerate(row) if cell]
        more = len(cells) - MOST_LISTED
        if not cells:
            yield told("left", nurse=nurse)
        elif more <= 0:
            yield told("left.open", nurse=nurse, cells=cells)
        else:
            yield told("left.open_more", nurse=nurse, cells=cells[:MOST_LISTED], more=more)
