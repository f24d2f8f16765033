"""Where one property's rows lie, and a transaction on them: the same for a file and for PostgreSQL."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement found or changed."""

    @property
    def rowcount(self) -> int: ...

    @property
    def description(self) -> Any:
        """A sequence for each column, its name first."""
        ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A transaction, in the SQL that SQLite and PostgreSQL share; `?` and `:name` stand for values."""

    def execute(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ..., /) -> Rows: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows: ...

    def now(self) -> datetime:
        """By the clock that all who share the place share."""
        ...

    def version(self) -> int:
        """Of the property as it was last written; 0 = not yet."""
        ...

    def set_version(self, version: int) -> None: ...

    def renew(self, tables: Iterable[str]) -> None:
        """Delete all rows of these tables; they and those of bookings then have the columns of this version."""
        ...


class Place(Protocol):
    """The place of one property."""

    @property
    def name(self) -> str:
        """For messages."""
        ...

    def exists(self) -> bool:
        """Whether the property was written here."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction for several SELECTs on one state."""
        ...

    def writing(self) -> AbstractContextManager[Connection]:
        """The only transaction that writes this property now, committed whole or rolled back.

        Raises `ToolRefusal` `timeout` if its turn does not come.
        """
        ...

    def create(self, fill: Callable[[Connection], None]) -> None:
        """Build the property completely or not at all. If another process was first, what it built stays."""
        ...

    def upgrade(self) -> None:
        """Bring the tables of an earlier version up to date, keeping the bookings."""
        ...
