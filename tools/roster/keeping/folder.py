"""Texts by kind and name, as wards and rosters are kept: in a folder of this machine, a file each in a folder for each kind."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from wavegraph.tools.roster.ward.whole_files import FOR_ITS_OWNER, replace_file


class Record(NamedTuple):
    """One text."""

    name: str
    at: datetime
    """When it was written last, in UTC."""
    text: str


class FolderKeeper:
    """As `TableKeeper` in PostgreSQL: a kind is one of the store's own words; safe to use from several threads and processes. A
    write that fails raises OSError, which names the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def place(self) -> str:
        """For messages; holds no secret."""
        return str(self.folder)

    def read(self, kind: str, name: str) -> str | None:
        """None = there is none."""
        try:
            return self._path(kind, name).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def holds(self, kind: str, name: str) -> bool:
        return self._path(kind, name).exists()

    def write(self, kind: str, name: str, text: str, *, again: bool) -> None:
        """Keep a text whole or not at all. `again`: in place of the one that is there; otherwise that one stays."""
        path = self._path(kind, name)
        if path.exists() and not again:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, text, mode=FOR_ITS_OWNER)
        except OSError as error:  # a full disk names no file, and a draft's name says nothing
            raise OSError(error.errno, error.strerror or type(error).__name__, str(path)) from error

    def drop(self, kind: str, name: str) -> bool:
        """Whether there was one; of several who drop it at once, one hears so."""
        try:
            self._path(kind, name).unlink()
        except FileNotFoundError:
            return False
        return True

    def records(self, kind: str, starting: str = "") -> list[Record]:
        """Those whose names begin so, by name."""
        paths = sorted((self.folder / kind).glob(f"{starting}*.json"))
        return [Record(path.stem, written_at(path), path.read_text(encoding="utf-8")) for path in paths]

    def newest(self, kind: str, most: int) -> list[tuple[str, datetime]]:
        """Names and when each was written, the latest first."""
        written = [(written_at(path), path.stem) for path in (self.folder / kind).glob("*.json")]
        return [(name, at) for at, name in sorted(written, reverse=True)[:most]]

    def files(self) -> Iterator[tuple[str, Path]]:
        """Every record's kind and file, always in the same order: two who move them at once do not wait for each other."""
        for path in sorted(self.folder.glob("*/*.json")):
            if path.is_file():
                yield path.parent.name, path

    def _path(self, kind: str, name: str) -> Path:
        return self.folder / kind / f"{name}.json"


def written_at(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)
