"""A property in one SQLite file."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from wavegraph.tools.hotel.property import store
from wavegraph.tools.hotel.property.place import Connection


class PropertyFile:
    """A `Place`. Nothing stays open between calls."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        return self.path.name

    def exists(self) -> bool:
        return self.path.exists()

    def reading(self) -> AbstractContextManager[Connection]:
        return store.reading(self.path)

    def writing(self) -> AbstractContextManager[Connection]:
        return store.writing(self.path)

    def create(self, fill: Callable[[Connection], None]) -> None:
        store.create(self.path, fill)

    def upgrade(self) -> None:
        store.upgrade(self.path)
