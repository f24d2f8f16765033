"""Why no roster exists: a few rules that contradict each other, and what would have to give."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from math import ceil

from wavegraph.tools.roster.cpsat.grounds import Deadline, Ground, Puzzle
from wavegraph.tools.roster.cpsat.relaxations import Relaxation, relaxations
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.ward import Roster, Ward

CONFLICT_SHARE = 0.4
"""Of the time, for the rules that contradict each other; the rest is for what would have to give."""


@dataclass(frozen=True)
class Explanation:
    """Why no roster exists. The less time, the less of it is known."""

    grounds: list[Ground]
    """Rules that no roster meets together; empty = a roster exists, or there was no time to tell."""
    is_smallest: bool
    """Whether it is known that none of them can be left out."""
    relaxations: list[Relaxation]
    """What would have to give, the cheapest first, each proven; none of them = none found in time, or nothing is enough."""


def explain(
    ward: Ward,
    *,
    with_cover: bool = True,
    seconds: float = 5.0,
    known: Roster | None = None,
    proven: bool = False,
    stop: threading.Event | None = None,
) -> Explanation:
    """Both within `seconds`, or until asked to stop; what is known of the ward from before is not looked for again. `known`: a roster that keeps all rules but cover; `proven`: it is
    known that no roster keeps the rules and the cover, which is not proven again; others as of `conflict`."""
    before = next((each for of, cover, each in _known if of is ward and cover == with_cover), None)
    if before is None:
        deadline = Deadline(time.monotonic() + seconds, stop)
        before = _explained(ward, with_cover, deadline, known, proven=proven and with_cover)
        if before.relaxations:
            _known.append((ward, with_cover, before))
    return before


def _explained(ward: Ward, with_cover: bool, deadline: Deadline, known: Roster | None, *, proven: bool) -> Explanation:
    share = deadline.sooner(CONFLICT_SHARE * deadline.left)
    of = ward if with_cover else _of_the_stuck(ward, share)
    grounds = _conflict(of, with_cover, share, proven=proven)
    is_smallest = bool(grounds and share.left)
    found = relaxations(of, with_cover=with_cover, deadline=deadline, known=known) if grounds else []
    return Explanation(grounds, is_smallest, found)


_known: deque[tuple[Ward, bool, Explanation]] = deque(maxlen=8)
"""Of the latest wards, by identity: every round of a request asks about the same one."""


def _of_the_stuck(ward: Ward, deadline: Deadline) -> Ward:
    """The ward with only those nurses whose own rules collide, and without demand: without cover no rule is about two
    nurses. The whole ward where there are none, or no time to tell.
    """
    stuck = _stuck(ward, deadline)
    return ward.with_only(stuck) if stuck else ward


def _stuck(ward: Ward, deadline: Deadline) -> set[str]:
    """The nurses whose own rules collide; empty also where there was no time to tell."""
    possible = {}
    for nurse in ward.nurses:
        alone = Puzzle.of(Instance(ward.with_only([nurse.id])), deadline)
        possible[nurse.id] = alone.possible(alone.grounds)
    return set() if None in possible.values() else {name for name, able in possible.items() if not able}


def without_what_collides_after(ward: Ward, seconds: float, stop: threading.Event | None = None) -> Ward:
    """A ward that has no roster without the days after it of those nurses whose own rules collide; of all, where there was
    no time to tell. What they then break over the end is for the checks to find."""
    if (then := ward.followed_by) is None:
        return ward
    stuck = _stuck(ward, Deadline(time.monotonic() + seconds, stop)) or set(then.roster)
    rows = {name: row for name, row in then.roster.items() if name not in stuck}
    return ward.changed(followed_by=then.model_copy(update={"roster": rows}))


def conflict(ward: Ward, *, with_cover: bool = True, seconds: float = 5.0) -> list[Ground]:
    """A small set of rules that no roster meets together; empty where a roster exists, or the time is too short to tell.

    `with_cover`: minimum cover and a nurse in charge are hard rules, too. The same ward gives the same rules unless the
    time runs out.
    """
    return _conflict(ward, with_cover, Deadline(time.monotonic() + seconds))


def _conflict(ward: Ward, with_cover: bool, deadline: Deadline, *, proven: bool = False) -> list[Ground]:
    puzzle = Puzzle.of(Instance.of(ward), deadline)
    if with_cover:
        puzzle.hold_cover()
    core = puzzle.core(puzzle.grounds, proven=proven)
    return puzzle.smallest(core) if core else []


def too_few(ward: Ward) -> list[Told]:
    """That the minimums alone need more hours than all contracts allow, in one sentence; empty = they do not."""
    paid = {shift.id: shift.paid for shift in ward.shifts}
    needed = sum(row.minimum * paid[row.shift] for row in ward.demand if row.skill is None)
    longest = ward.days * max(paid.values())
    allowed = sum(min(nurse.contract.max_minutes or longest, longest) for nurse in ward.nurses)
    if needed <= allowed:
        return []
    lacking = ceil((needed - allowed) / (allowed / len(ward.nurses))) if allowed else len(ward.nurses)
    cure = told("about_nurses", n=lacking)
    return [told("grounds.hours", needed=needed / 60, allowed=allowed / 60, cure=cure)]
