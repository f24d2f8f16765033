"""What a sentence asks to change about people, as the changes that a ward takes."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from wavegraph.tools.roster.dialogue.amending import OFF, shifts_named
from wavegraph.tools.roster.dialogue.intents import Command
from wavegraph.tools.roster.dialogue.spoken_days import When
from wavegraph.tools.roster.dialogue.subject import Subject
from wavegraph.tools.roster.records import Change, ChangeKind
from wavegraph.tools.roster.ward.names import nurse_named


def changes_of(command: Command, subject: Subject, today: date) -> list[Change]:
    """Empty = it does not say which days, or which shift."""
    said = command.said
    if command.kind in ("apart", "together"):
        first, second = said.nurses
        return [Change(kind="apart" if command.kind == "apart" else "together", nurse=first, other=second)]
    return [change for nurse in said.nurses for change in _of_nurse(command, nurse, subject, today)]


def _of_nurse(command: Command, nurse: str, subject: Subject, today: date) -> Iterator[Change]:
    said, shift = command.said, next(iter(command.said.shifts), None)
    now = [When(today, today)] if "now" in said.folded else []
    match command.kind:
        case "lock":
            yield from _locked(command, nurse, subject)
        case "absent":
            yield from _spans("unavailable", nurse, said.days or now, shift)
        case "unavailable" if said.shifts or said.days:
            yield from _spans("unavailable", nurse, said.days or [When()], shift)
        case "wish" if said.shifts or said.days:
            kind: ChangeKind = "avoids" if said.folded & {OFF, "free"} else "prefers"
            yield from _spans(kind, nurse, said.days or [When()], shift)
        case "gone" if said.days and said.days[0].first and said.days[0].last:
            after = said.days[0].last + timedelta(days=1) if "last" in said.folded else said.days[0].first
            yield Change(kind="unavailable", nurse=nurse, first=after, last=date.max)
        case "assign":
            yield from _spans("locked", nurse, said.days, shift)


def _spans(kind: ChangeKind, nurse: str, days: Sequence[When], shift: str | None) -> Iterator[Change]:
    for when in days:
        weekdays = [when.weekday] if when.weekday else None
        yield Change(kind=kind, nurse=nurse, first=when.first, last=when.last, weekdays=weekdays, shift=shift)  # type: ignore[arg-type]


def _locked(command: Command, nurse: str, subject: Subject) -> Iterator[Change]:
    """The roster's own cells of the nurse, of the days and shifts that were named."""
    said, ward = command.said, subject.ward
    shifts = [each for name in said.shifts for each in shifts_named(ward, name)]
    for index, cell in enumerate(subject.roster[nurse_named(ward, nurse).id]):
        day = ward.day(index)
        if (not shifts or cell in shifts) and (not said.days or any(when.holds(day) for when in said.days)):
            yield Change(kind="locked", nurse=nurse, first=day, last=day, shift=cell or OFF)
