"""What a repair takes over from the roster that it repairs: what was asked for of it; and who of it has left."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.dialogue.amending import amended, in_words
from wavegraph.tools.roster.dialogue.change_days import MOST_LISTED, day_in_words, days_of
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.names import nurse_named
from wavegraph.tools.roster.ward.ward import Roster, Ward


class TakenOver(NamedTuple):
    ward: Ward
    """With what was asked for."""
    asked: list[Change]
    """What it holds of that, the oldest first."""
    told: list[str]
    """What it does not hold, with the reason, in words."""


def taken_over(ward: Ward, repaired: Ward, asked: Sequence[Change]) -> TakenOver:
    """The ward with what was asked for of the roster that it repairs; what the ward's file contradicts is left out.

    `repaired`: that roster's ward; `asked`: the oldest first.
    """
    kept: list[Change] = []
    told: list[str] = []
    for change in asked:
        ward, held, left_out = _with(ward, repaired, change)
        kept += held
        told += left_out
    return TakenOver(ward, kept, told)


def _with(ward: Ward, repaired: Ward, change: Change) -> tuple[Ward, list[Change], list[str]]:
    if strangers := [name for name in _nurses(repaired, change) if name not in ward.nurse_by_id]:
        gone = " and ".join(who(repaired.nurse_by_id[name]) for name in strangers)
        return ward, [], [f"{in_words(repaired, change)}: left out, {gone} is not in the ward's file any more"]
    try:
        return amended(ward, [change])[0], [change], []
    except ToolRefusal as refusal:
        days = _by_day(repaired, change)
        if len(days) == 1:
            return (
                ward,
                [],
                [f"{in_words(repaired, change)}: left out, the ward's file has it otherwise ({refusal.message})"],
            )
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


def who_left(ward: Ward, repaired: Ward, roster: Roster) -> Iterator[str]:
    """Each nurse of a roster who is not in the ward any more, with the shifts that are open again."""
    for name, row in roster.items():
        cells = [f"{cell} on {day_in_words(repaired.day(index))}" for index, cell in enumerate(row) if cell]
        if name not in ward.nurse_by_id and name in repaired.nurse_by_id:
            yield f"{who(repaired.nurse_by_id[name])} is not in the ward's file any more{_open_again(cells)}"


def _open_again(cells: Sequence[str]) -> str:
    if not cells:
        return ""
    more = f" and {len(cells) - MOST_LISTED} more" if len(cells) > MOST_LISTED else ""
    kept = "Who worked a part of these days stays in the file, with leave from then on"
    return f"; open again: {', '.join(cells[:MOST_LISTED])}{more}. {kept}"
