"""The wards an agent knows, by name: files it was given, a folder of them, and the demo wards."""

import os
from collections.abc import Mapping
from datetime import date, timedelta
from importlib.resources import as_file, files
from pathlib import Path

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.roster.faults import WardError
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward import Ward
from wavegraph.tools.roster.ward_file import read_ward

WARDS = "WAVEGRAPH_WARDS"
"""Environment variable: a folder of ward files, each known by its name without the ending."""
ENDINGS = (".yaml", ".yml", ".json", ".txt")


class Wards:
    """Reads a ward for the days that are asked for. A client names wards; it never gives a path."""

    def __init__(self, store: RosterStore, given: Mapping[str, Path] | None = None) -> None:
        """`given`: files by name, before all others. Raises SettingsError where WAVEGRAPH_WARDS is no folder."""
        self.store = store
        self._files = {**_demo_wards(), **_in_folder(os.environ.get(WARDS)), **(given or {})}

    @property
    def names(self) -> list[str]:
        return sorted(self._files)

    def source(self, name: str) -> Path | None:
        """The file of a known ward; None = one of the demo wards."""
        path = self._files[name]
        return None if path == _demo_wards().get(name) else path

    def read(self, name: str, start: date | None, days: int | None, *, today: date) -> tuple[str, Ward]:
        """The ward for these days, and the hash it is kept under; days and errors as `look`."""
        ward = self.look(name, start, days, today=today)
        return self.store.keep_ward(ward), ward

    def look(self, name: str, start: date | None, days: int | None, *, today: date) -> Ward:
        """The ward for these days, of which nothing is kept.

        `start`: None = the file's own, else next Monday from `today`; `days`: None = the file's own, else 7. Raises
        ToolRefusal `unknown_ward`, naming the known ones, and `bad_ward` with every fault of the file.
        """
        if (path := self._files.get(name)) is None:
            raise ToolRefusal("unknown_ward", f"there is no ward {name[:80]!r}; there are: {', '.join(self.names)}")
        try:
            ward = _read(path, start, days, next_monday(today))
        except WardError as error:
            raise ToolRefusal("bad_ward", str(error)) from None
        if not any(row.minimum or row.target for row in ward.demand):
            raise ToolRefusal(
                "bad_ward", f"{path.name}: demand: it asks for nobody, expected rows with a target or minimum"
            )
        return ward


def next_monday(today: date) -> date:
    """The first Monday after today."""
    return today + timedelta(days=7 - today.weekday())


def _read(path: Path, start: date | None, days: int | None, otherwise: date) -> Ward:
    try:
        return read_ward(path, start=start, days=days)
    except WardError as error:
        if not any(fault.place == "start" and fault.value is None for fault in error.faults):
            raise
        return read_ward(path, start=otherwise, days=days)


def _demo_wards() -> dict[str, Path]:
    with as_file(files(__package__) / "demo") as folder:
        return _wards_in(folder)


def _in_folder(given: str | None) -> dict[str, Path]:
    if not given:
        return {}
    if not (folder := Path(given)).is_dir():
        raise SettingsError(f"{WARDS} = {given!r}: expected a folder of ward files")
    return _wards_in(folder)


def _wards_in(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in ENDINGS}
