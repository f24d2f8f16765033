"""What a period takes over from the rosters around it: the last days before it, the counts, how tired everybody begins,
and the first days after it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import count, takewhile
from typing import NamedTuple

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.checks.fatigue import scores
from wavegraph.tools.roster.checks.timelines import Timeline
from wavegraph.tools.roster.problem.hours import contract_minutes, leave_minutes
from wavegraph.tools.roster.ward.names import name_key
from wavegraph.tools.roster.ward.ward import FollowedBy, History, Nurse, Roster, Shift, Ward

LONGEST_TAIL = 28
SATURDAY = 5
DAY = timedelta(days=1)


class Known(NamedTuple):
    """A roster that begins before the period, or after it."""

    ward: Ward
    roster: Roster
    version: str = ""
    """What messages call it."""


class _Worked(NamedTuple):
    """One known day of one nurse before the period."""

    shift: Shift | None
    is_holiday: bool


def require_before(ward: Ward, earlier: Known) -> None:
    """Raises ToolRefusal `not_before` for a roster that a period of this ward cannot follow."""
    begins = f"a roster from {ward.start} follows one that begins before it"
    if earlier.ward.start >= ward.start:
        raise ToolRefusal("not_before", f"{begins}; this one begins on {earlier.ward.start}")
    if all(_name_then(nurse, ward, earlier) is None for nurse in ward.nurses):
        raise ToolRefusal("not_before", f"none of the nurses of {ward.name!r} is in the roster that it should follow")


def following(ward: Ward, earlier: Sequence[Known]) -> Ward:
    """The ward with the history that the earlier rosters are: theirs replaces what its file says.

    `earlier`: in the order of their first days; of a day that two have, the later one's counts, and days from the period's
    first on count in none. A nurse who is in none of them keeps her own history.
    """
    fields = {name: getattr(ward, name) for name in Ward.model_fields}
    # a copy would keep what the ward has looked up of its nurses already
    return Ward(**fields | {"nurses": [_followed(nurse, ward, earlier) for nurse in ward.nurses]})


def with_days_before(ward: Ward, earlier: Sequence[Known]) -> Ward:
    """The ward with the last days before it as the earlier rosters have them, where they have any, and nothing else of them."""
    then = {nurse.id: _followed(nurse, ward, earlier).history.tail for nurse in ward.nurses}
    nurses = [
        nurse.model_copy(update={"history": nurse.history.model_copy(update={"tail": then[nurse.id]})})
        if then[nurse.id]
        else nurse
        for nurse in ward.nurses
    ]
    return ward.changed(nurses=nurses)


def _followed(nurse: Nurse, ward: Ward, earlier: Sequence[Known]) -> Nurse:
    own = [(each, name) for each in earlier if (name := _name_then(nurse, ward, each)) is not None]
    if not own:
        return nurse
    known = {day: worked for each, name in own for day, worked in _days(each, name, ward.start)}
    first, first_name = own[0]
    before = first.ward.nurse_by_id[first_name].history
    history = _counted(before, known).model_copy(
        update={
            "tail": _tail(ward, known, before, first.ward.start),
            "target_minutes": before.target_minutes + sum(_target(each, name, ward.start) for each, name in own),
        }
    )
    return nurse.model_copy(update={"history": history, "fatigue": _fatigue(*own[-1], ward.start)})


def with_days_after(ward: Ward, later: Sequence[Known]) -> Ward:
    """The ward with the days right after it, as the rosters that are published for them have them; where there are none,
    what its own file says, and nothing of a version that was published once.

    `later`: in the order of their first days. A day that none has, or a shift that the ward does not have, ends what is
    known of a nurse.
    """
    rows = {nurse.id: _coming(nurse, ward, later) for nurse in ward.nurses}
    known = {name: row for name, row in rows.items() if row}
    of_its_file = None if ward.followed_by is None or ward.followed_by.version else ward.followed_by
    then = FollowedBy(roster=known, version=later[0].version) if known else of_its_file
    return ward if then == ward.followed_by else ward.changed(followed_by=then)


def _coming(nurse: Nurse, ward: Ward, later: Sequence[Known]) -> list[str | None]:
    cells: list[str | None] = []
    for each in later:
        name = _name_then(nurse, ward, each)
        if name is None or each.ward.start != ward.day(ward.days + len(cells)):
            break
        cells += each.roster[name]
    return _that_exist(cells, ward)


def _name_then(nurse: Nurse, ward: Ward, other: Known) -> str | None:
    """Her id in another roster: the same one, else that of the one nurse of her name who is here no more."""
    if nurse.id in other.roster and nurse.id in other.ward.nurse_by_id:
        return nurse.id
    called = name_key(nurse.name)
    alike = [then.id for then in other.ward.nurses if called and name_key(then.name) == called]
    gone = [name for name in alike if name not in ward.nurse_by_id and name in other.roster]
    return gone[0] if len(gone) == len(alike) == 1 else None


def _days(earlier: Known, name: str, until: date) -> Iterator[tuple[date, _Worked]]:
    shifts, holidays = earlier.ward.shift_by_id, set(earlier.ward.holidays)
    for index, cell in enumerate(earlier.roster[name]):
        if (day := earlier.ward.day(index)) < until:
            yield day, _Worked(shifts[cell] if cell else None, day in holidays)


def _counted(before: History, known: dict[date, _Worked]) -> History:
    worked = {day: each for day, each in known.items() if each.shift}
    shifts = [each.shift for each in worked.values() if each.shift]
    weekends = {day - timedelta(days=day.weekday()) for day in worked if day.weekday() >= SATURDAY}
    return before.model_copy(
        update={
            "nights": before.nights + sum(shift.night for shift in shifts),
            "weekends": before.weekends + len(weekends),
            "lates": before.lates + sum(shift.late for shift in shifts),
            "holidays": before.holidays + sum(each.is_holiday for each in worked.values()),
            "minutes": before.minutes + sum(shift.paid for shift in shifts),
            "days": before.days + len(known),
            "assignments": before.assignments + len(shifts),
            "shifts": dict(Counter(before.shifts) + Counter(shift.id for shift in shifts)),
        }
    )


def _target(earlier: Known, name: str, until: date) -> int:
    """Her contract's minutes of the days before `until`, less those that paid leave on them counts as."""
    nurse, days = earlier.ward.nurse_by_id[name], min(earlier.ward.days, (until - earlier.ward.start).days)
    agreed = round((contract_minutes(nurse.contract) or 0) * days / earlier.ward.days)
    return max(0, agreed - leave_minutes(earlier.ward, nurse, until))


def _tail(ward: Ward, known: dict[date, _Worked], before: History, first: date) -> list[str | None]:
    """The known days that end just before the period; a shift that the ward does not have any more ends them."""
    days = list(takewhile(known.__contains__, (ward.start - DAY * n for n in count(1))))
    cells = [shift.id if (shift := known[day].shift) else None for day in days]
    if days and days[-1] == first:
        cells += reversed(before.tail)
    return _that_exist(cells, ward)[::-1]


def _that_exist(cells: list[str | None], ward: Ward) -> list[str | None]:
    """Up to the first shift that the ward does not have."""
    return list(takewhile(lambda cell: cell is None or cell in ward.shift_by_id, cells[:LONGEST_TAIL]))


def _fatigue(earlier: Known, name: str, until: date) -> float:
    """Her score on the first day of the period; days that are not known count as days off."""
    ward, nurse = earlier.ward, earlier.ward.nurse_by_id[name]
    shifts, days = ward.shift_by_id, (until - ward.start).days
    cells = [shifts[cell] if cell else None for cell in (*nurse.history.tail, *earlier.roster[name][:days])]
    off = [None] * (days - ward.days)
    return scores(Timeline(ward, nurse, -len(nurse.history.tail), (*cells, *off)), ward.fairness.fatigue)[-1]
