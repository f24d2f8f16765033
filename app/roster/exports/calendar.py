"""A nurse's shifts as a calendar file (iCalendar, RFC 5545), with moments in UTC."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from wavegraph.tools.roster.ward.ward import Nurse, Roster, Shift, Ward

MOST_OCTETS = 75
"""Of a line; a longer one is folded."""


def nurse_calendar(
    ward: Ward, roster: Roster, nurse: Nurse, stamp: datetime, mark: str, *, is_published: bool
) -> bytes:
    """`stamp`: when the calendar is made. A later one of the same days has the same events, so that it replaces them.
    `mark`: what to know of the roster; empty = nothing."""
    named = f"{ward.name}: {nurse.name or nurse.id}"
    status = f"STATUS:{'CONFIRMED' if is_published else 'TENTATIVE'}"
    about = [status, f"DESCRIPTION:{_text(mark)}"] if mark else [status]
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//wavegraph//roster//EN", "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_text(f'{named} ({mark})' if mark else named)}",
        *([f"X-WR-CALDESC:{_text(mark)}"] if mark else []),
        *(line for day, shift in enumerate(roster[nurse.id]) if shift
          for line in _event(ward, nurse, ward.shift_by_id[shift], day, stamp, about)),
        "END:VCALENDAR",
    ]  # fmt: skip
    return b"".join(_folded(line) for line in lines)


def _event(ward: Ward, nurse: Nurse, shift: Shift, day: int, stamp: datetime, about: Sequence[str]) -> Iterator[str]:
    begins = datetime.combine(ward.day(day), shift.start)
    key = hashlib.sha256(f"{ward.id or ward.name}\0{nurse.id}\0{ward.day(day)}".encode()).hexdigest()[:32]
    yield "BEGIN:VEVENT"
    yield f"UID:{key}@wavegraph"
    yield f"DTSTAMP:{_moment(stamp)}"
    yield f"DTSTART:{_on_the_clock(ward, begins)}"
    yield f"DTEND:{_on_the_clock(ward, begins + timedelta(minutes=shift.minutes))}"
    yield f"SUMMARY:{_text(f'{shift.name or shift.id}, {ward.name}')}"
    yield from about
    yield "END:VEVENT"


def _on_the_clock(ward: Ward, local: datetime) -> str:
    """A shift begins and ends at the usual time of the ward's clock, also in a night when the clocks change."""
    return _moment(local.replace(tzinfo=ZoneInfo(ward.time_zone)))


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    plain = "".join(" " if ord(each) < 32 and each != "\n" else each for each in text)
    for mark in "\\;,":
        plain = plain.replace(mark, "\\" + mark)
    return plain.replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """Folded between characters, each line of at most 75 octets."""
    parts, length = [b""], 0
    for each in line:
        octets = each.encode("utf-8", "replace")
        if length + len(octets) > MOST_OCTETS:
            parts.append(b" ")
            length = 1
        parts[-1] += octets
        length += len(octets)
    return b"\r\n".join(parts) + b"\r\n"
