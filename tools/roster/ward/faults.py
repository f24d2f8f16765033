"""Faults in the file of a ward or roster: place, value, and what was expected, several at once."""

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass

from wavegraph.graph.errors import WavegraphError

MOST_FAULTS = 20
"""Faults that a message lists; it counts the others."""
LONGEST_VALUE = 80


@dataclass(frozen=True)
class FileFault:
    place: str
    """A path such as `nurses[3].contract.max_run`, or `line 12`, or a cell."""
    value: object
    """None = nothing was there."""
    expected: str

    def __str__(self) -> str:
        return f"{self.place}: {_printed(self.value)}, expected {self.expected}"


def _printed(value: object) -> str:
    if value is None:
        return "nothing there"
    text = repr(value)
    return f"got {text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + '…'}"


def date_expected(value: object, usual: str = "a date such as 2026-11-23") -> str:
    """What should stand in its place; of a day that its month lacks, the last one."""
    found = re.fullmatch(r"([0-9]{3}[1-9]|[1-9][0-9]{3})-(0[1-9]|1[0-2])-[0-9]{2}", str(value))
    if found is None:
        return usual
    return f"a day up to {found[1]}-{found[2]}-{monthrange(int(found[1]), int(found[2]))[1]}"


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
