"""Texts by kind and name, as wards and rosters are kept: the same for a folder and for PostgreSQL."""

from datetime import datetime
from typing import NamedTuple, Protocol


class Record(NamedTuple):
    """One text."""

    name: str
    at: datetime
    """When it was written last, in UTC."""
    text: str


class Keeper(Protocol):
    """A kind is one of the store's own words. Safe to use from several threads and processes."""

    @property
    def place(self) -> str:
        """For messages; holds no secret."""
        ...

    def read(self, kind: str, name: str) -> str | None:
        """None = there is none."""
        ...

    def holds(self, kind: str, name: str) -> bool: ...

    def write(self, kind: str, name: str, text: str, *, again: bool) -> None:
        """Keep a text whole or not at all. `again`: in place of the one that is there; otherwise that one stays."""
        ...

    def drop(self, kind: str, name: str) -> bool:
        """Whether there was one; of several who drop it at once, one hears so."""
        ...

    def records(self, kind: str, starting: str = "") -> list[Record]:
        """Those whose names begin so, by name."""
        ...

    def newest(self, kind: str, most: int) -> list[tuple[str, datetime]]:
        """Names and when each was written, the latest first."""
        ...
