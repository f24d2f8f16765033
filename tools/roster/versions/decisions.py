"""Decisions about a ward's rosters, in the order they were made, and the versions that follow from them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from wavegraph.tools.roster.told import Told, told

Action = Literal["publish", "draft", "discard", "undo"]
Status = Literal["published", "draft", "replaced", "discarded", "undone"]
"""replaced: by a later one for the same days; undone: every decision about it was taken back."""
STATUS_OF: dict[Action, Status] = {"publish": "published", "draft": "draft", "discard": "discarded"}


class Decision(BaseModel):
    """One entry of a ward's log. Entries are added and never changed."""

    model_config = ConfigDict(frozen=True)

    number: int
    """Its place in the log, from 1."""
    action: Action
    roster_id: str
    start: date
    days: int
    at: datetime
    by: str = ""
    """Who decided; empty = not known."""
    reason: str = ""
    undoes: int | None = None
    """Of an undo: the number of the decision it takes back."""
    moved: bool = False
    """Whether it was taken over from a file of an earlier version of this program."""

    @property
    def when(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} UTC"

    @property
    def whose(self) -> str:
        """`by ana on 2026-11-22 21:10 UTC`."""
        return f"{f'by {self.by} ' if self.by else ''}on {self.when}"


class Version(BaseModel):
    """A roster that was decided about, and how it stands."""

    model_config = ConfigDict(frozen=True)

    number: int
    """In the order in which the ward's rosters were first decided about, from 1."""
    roster_id: str
    start: date
    days: int
    status: Status
    decided: Decision
    """The decision that made its status; of one that was replaced, its own publication."""

    @property
    def end(self) -> date:
        """Its last day, included."""
        return self.start + timedelta(days=self.days - 1)

    @property
    def period(self) -> tuple[date, int]:
        return self.start, self.days

    def __str__(self) -> str:
        return f"V{self.number} ({self.roster_id}, {self.start} to {self.end})"


def version_told(of: Version) -> Told:
    return told("version_of", n=of.number, id=of.roster_id, start=of.start, end=of.end)


def whose_told(of: Decision) -> Told:
    """As `Decision.whose`."""
    return told("whose.by", by=of.by, when=of.when) if of.by else told("whose", when=of.when)


def published_by(head: Version) -> dict[str, Any]:
    """What is told of the published version, in JSON."""
    about = {"version": version_told(head), "whose": whose_told(head.decided)}
    return {name: each.model_dump(mode="json") for name, each in about.items()}


def standing(decisions: Sequence[Decision]) -> list[Decision]:
    """Those that were not taken back."""
    undone = {each.undoes for each in decisions}
    return [each for each in decisions if each.action != "undo" and each.number not in undone]


def undo_of(decisions: Sequence[Decision], *, at: datetime, by: str = "", reason: str = "") -> Decision | None:
    """What takes back the last decision that stands; None = none stands."""
    if not (left := standing(decisions)):
        return None
    return left[-1].model_copy(
        update={"number": len(decisions) + 1, "action": "undo", "at": at, "by": by, "reason": reason,
                "undoes": left[-1].number, "moved": False}
    )  # fmt: skip


def versions_of(decisions: Sequence[Decision]) -> list[Version]:
    """In the order of their numbers."""
    first: dict[str, Decision] = {}
    for each in decisions:
        first.setdefault(each.roster_id, each)
    stands: dict[str, tuple[Status, Decision]] = {name: ("undone", each) for name, each in first.items()}
    for each in standing(decisions):
        if each.action == "publish":
            stands |= _replaced(stands, each)
        stands[each.roster_id] = STATUS_OF[each.action], each
    return [
        Version(
            number=number, roster_id=name, start=each.start, days=each.days, status=stands[name][0],
            decided=stands[name][1],
        )
        for number, (name, each) in enumerate(first.items(), start=1)
    ]  # fmt: skip


def _replaced(stands: dict[str, tuple[Status, Decision]], by: Decision) -> dict[str, tuple[Status, Decision]]:
    same = (by.start, by.days)
    return {
        name: ("replaced", earlier)
        for name, (status, earlier) in stands.items()
        if status == "published" and (earlier.start, earlier.days) == same and name != by.roster_id
    }


def published_of(versions: Sequence[Version]) -> list[Version]:
    """What staff have, by its first day."""
    return sorted((each for each in versions if each.status == "published"), key=lambda each: each.start)


def overlapping(versions: Sequence[Version], start: date, days: int) -> list[Version]:
    """The published versions of other days that share some with this period."""
    end = start + timedelta(days=days - 1)
    shared = (each for each in published_of(versions) if each.start <= end and start <= each.end)
    return [each for each in shared if each.period != (start, days)]
