"""Two nurses' cells exchanged in a roster that is there: nothing else of it may change."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Locked, Roster, Ward


def all_else_kept(ward: Ward, before: Ward, roster: Roster, new: Sequence[Change]) -> Ward | None:
    """The ward with every cell settled as the roster has it, but for those that `new` changes exchange.

    `before`: the roster's ward. None = they ask for something else than an exchange.
    """
    if not new or any(change.kind != "locked" for change in new):
        return None
    settled = {(row.nurse, row.day): row.shift for row in ward.locked if row not in before.locked}
    if not settled or not _exchange(settled, ward, roster):
        return None
    kept = [
        Locked(nurse=nurse.id, day=ward.day(index), shift=roster[nurse.id][index])
        for nurse in ward.nurses
        for index in range(ward.days)
        if (nurse.id, ward.day(index)) not in settled
    ]
    exchanged = [Locked(nurse=nurse, day=day, shift=shift) for (nurse, day), shift in settled.items()]
    return ward.model_copy(update={"locked": [*kept, *exchanged]})


def _exchange(settled: dict[tuple[str, date], str | None], ward: Ward, roster: Roster) -> bool:
    """Whether on each day the nurses have among them what they had, and at least one something else."""
    had, given = defaultdict[date, list[str]](list), defaultdict[date, list[str]](list)
    for (nurse, day), shift in settled.items():
        had[day].append(roster[nurse][ward.index(day)] or "")
        given[day].append(shift or "")
    return all(sorted(had[day]) == sorted(given[day]) for day in had) and had != given
