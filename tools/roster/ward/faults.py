"""Faults in the file of a ward or roster: place, value, and what was expected, several at once."""

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from wavegraph.graph.errors import WavegraphError
from wavegraph.tools.roster.told import Line, Told, english, told

MOST_FAULTS = 20
"""Faults that a message lists; it counts the others."""
LONGEST_VALUE = 80


FieldPath = tuple[str | int | date, ...]


@dataclass(frozen=True)
class FieldAt:
    """A field of the file's data: `nurses[3].contract.max_run (ann)`, `published.roster.ann, 2026-11-23`."""

    path: FieldPath
    owner: str | None = None
    """The id of the nurse or shift that it is of."""

    def __str__(self) -> str:
        return (self.named or "file") + _of(self.owner)

    @property
    def named(self) -> str:
        return "".join(map(_step, self.path)).lstrip(".")


def field_at(*path: str | int | date, owner: str | None = None) -> FieldAt:
    return FieldAt(path, owner)


OWNERS = ("id", "nurse", "first", "shift")
"""Fields with the id of the nurse or shift that a record is of, the surest first."""


def owner_of(record: object) -> str | None:
    """The id of the nurse or shift that a record is of, also one of plain data."""
    fields = record if isinstance(record, dict) else {name: getattr(record, name, None) for name in OWNERS}
    return next((fields[name] for name in OWNERS if isinstance(fields.get(name), str)), None)


def _step(step: str | int | date) -> str:
    return f"[{step}]" if isinstance(step, int) else f", {step}" if isinstance(step, date) else f".{step}"


def _of(owner: str | None) -> str:
    return f" ({owner})" if owner else ""


@dataclass(frozen=True)
class Spot:
    """A cell, a row or the whole of a sheet, or of comma-separated values."""

    sheet: str | None
    row: int | None = None
    column: int | None = None
    owner: str | None = None
    byte: int | None = None
    """Of a file that is no text."""

    def __str__(self) -> str:
        return self._where + _of(self.owner)

    @property
    def named(self) -> str:
        return f"row {self.row} of {self.sheet}"

    @property
    def _where(self) -> str:
        if self.sheet is None:
            places = ("column", self.column), ("byte", self.byte)
            return f"line {self.row}" + "".join(f", {name} {at}" for name, at in places if at is not None)
        if self.row is None:
            return f"sheet {self.sheet}"
        from openpyxl.utils import get_column_letter  # openpyxl is slow to import

        where = f"row {self.row}" if self.column is None else f"cell {get_column_letter(self.column)}{self.row}"
        return f"sheet {self.sheet}, {where}"


@dataclass(frozen=True)
class FileFault:
    place: FieldAt | Spot | str
    """A text in files of other programs' formats."""
    value: object
    """None = nothing was there."""
    expected: Line
    """Words alone are pydantic's, and of those formats."""
    same_as: FieldAt | Spot | None = None
    """Another place that says the same."""

    def __str__(self) -> str:
        same = f"; {self.same_as.named} says the same" if self.same_as else ""
        return f"{self.place}: {_printed(self.value)}, expected {english(self.expected)}{same}"


def _printed(value: object) -> str:
    if value is None:
        return "nothing there"
    text = repr(english(value) if isinstance(value, Told) else value)
    return f"got {text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + '…'}"


def wanted(what: str, /, **given: object) -> Told:
    """What a fault expects, or found: fields, and of which phrase."""
    return told(f"expected.{what}", **given)


def date_expected(value: object, usual: Told | None = None) -> Told:
    """What should stand in its place; of a day that its month lacks, the last one."""
    found = re.fullmatch(r"([0-9]{3}[1-9]|[1-9][0-9]{3})-(0[1-9]|1[0-2])-[0-9]{2}", str(value))
    if found is None:
        return usual or wanted("date")
    return wanted("day_up_to", last=f"{found[1]}-{found[2]}-{monthrange(int(found[1]), int(found[2]))[1]}")


class FileError(WavegraphError):
    """`source` names the file, `faults` holds them all, the message shows the first ones."""

    def __init__(self, source: str, faults: Sequence[FileFault]) -> None:
        self.source, self.faults = source, list(faults)
        more = len(self.faults) - MOST_FAULTS
        lines = [f"{source}: {fault}" for fault in self.faults[:MOST_FAULTS]]
        super().__init__("\n".join([*lines, *([f"... and {more} more"] if more > 0 else [])]))


class WardError(FileError):
    """A ward that cannot be read, or that contradicts itself."""


class RosterError(FileError):
    """A roster that cannot be read, or that does not fit its ward."""
