"""The wards an agent knows, by name: files it was given, a folder of them, and the demo wards."""

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from wavegraph.graph.errors import SettingsError, ToolRefusal, error_text
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.ward.faults import FileFault, RosterError, WardError, field_at, wanted
from wavegraph.tools.roster.ward.file import ENDINGS, read_ward
from wavegraph.tools.roster.ward.roster_fit import misfits
from wavegraph.tools.roster.ward.ward import CHANGE_WEIGHT, Locked, Published, Ward

WARDS = "WAVEGRAPH_WARDS"
"""Environment variable: a folder of ward files, each known by its name without the ending."""
DEMO_WARD = "harbour"
LOOKED_AT_KEPT = 64
"""Wards kept in memory: the reads of one request ask for the same ward concurrently."""
TITLES_READ = 16
"""Wards whose files are read for what people call them."""


class Repair(NamedTuple):
    """A published roster that the new one should keep to."""

    roster_id: str
    """Of the roster that is published."""
    weight: int = CHANGE_WEIGHT
    """What each cell that differs from it costs."""
    freeze_until: date | None = None
    """The last day whose cells are settled as they are published; None = none is."""


class Wards:
    """Reads a ward for the requested days. A client names wards; it never gives a path."""

    def __init__(self, store: RosterStore, given: Mapping[str, Path] | None = None) -> None:
        """`given`: files by name, before all others. Raises SettingsError where WAVEGRAPH_WARDS is no folder."""
        self.store = store
        self._files = {**_demo_wards(), **_in_folder(os.environ.get(WARDS)), **(given or {})}
        self._looking = threading.Lock()
        self._looked_at: deque[tuple[_Asked, Ward]] = deque(maxlen=LOOKED_AT_KEPT)

    @property
    def names(self) -> list[str]:
        return sorted(self._files)

    @property
    def meant(self) -> list[str]:
        """The wards that a request may mean that names none: all but the demo wards; where there are no others, a demo ward."""
        return [name for name in self.names if self.source(name) is not None] or [DEMO_WARD]

    def spoken(self, today: date) -> dict[str, str]:
        """Each ward's name by what people call it: that name, and the title in its file where no other ward has it."""
        titles = [(title, name) for name in self.names[:TITLES_READ] if (title := self.title(name, today))]
        count = Counter(title for title, _ in titles)
        return {**{title: name for title, name in titles if count[title] == 1}, **{name: name for name in self.names}}

    def title(self, name: str, today: date) -> str | None:
        """None = the ward is not known, or its file cannot be read."""
        try:
            return self.look(name, None, None, today=today).name
        except ToolRefusal:
            return None

    def path(self, name: str) -> Path:
        """The file of a known ward, also of a demo one. Raises ToolRefusal `unknown_ward`, naming the known ones."""
        if (path := self._files.get(name)) is None:
            raise refusal("unknown_ward", name=name[:80], wards=self.names)
        return path

    def source(self, name: str) -> Path | None:
        """The file of a known ward; None = one of the demo wards."""
        path = self._files[name]
        return None if path == _demo_wards().get(name) else path

    def _repaired(self, repair: Repair, name: str, start: date | None, days: int | None, today: date) -> Ward:
        stored = self.store.stored_roster(repair.roster_id)
        of = self.store.ward(stored.ward_hash)
        if name not in self._files and of.name == name:  # its file is not known here: as the roster was made
            ward = of.thawed().changed(published=None)
        else:
            ward = self.look(name, start or of.start, of.days if days is None else days, today=today)
        begins = wanted("asked_start", first=ward.start)
        others = [] if of.start == ward.start else [FileFault(field_at("start"), of.start.isoformat(), begins)]
        here = {name: row for name, row in stored.roster.items() if name in ward.nurse_by_id}
        strangers = [] if here else [FileFault(field_at("nurses"), ", ".join(stored.roster), wanted("one_of_the_ward"))]
        if faults := others or strangers or misfits(ward, here, published=True):
            raise ToolRefusal("unfit_roster", str(RosterError(f"roster {repair.roster_id}", faults)))
        published = Published(roster=here, weight=repair.weight, roster_id=repair.roster_id)
        frozen = _frozen(ward, published, repair.freeze_until)
        update = {"published": published, "locked": [*ward.locked, *frozen]}
        return self._once((repair, ward), lambda: ward.model_copy(update=update))

    def look(
        self, name: str, start: date | None, days: int | None, *, today: date, repair: Repair | None = None
    ) -> Ward:
        """The ward for these days, without keeping it.

        `start`: None = the file's own, else next Monday from `today`; `days`: None = the file's own, else 7. Raises
        ToolRefusal `unknown_ward`, naming the known ones, and `bad_ward` with every fault of the file.

        `repair`: its roster is the ward's published one, but for the rows of nurses who have left, and the days that are
        None are that roster's. Then ToolRefusal `unknown_roster` and `unfit_roster`, for one of other days or without a
        nurse of the ward, may be raised, too. A ward whose file is not known here may be named as its roster's ward is.
        """
        if repair is not None:
            return self._repaired(repair, name, start, days, today)
        path = self.path(name)
        try:
            ward = self._ward(path, _AskedPeriod(start, days, next_monday(today)))
        except WardError as error:
            raise ToolRefusal("bad_ward", error_text(error)) from None
        if not any(row.minimum or row.target for row in ward.demand):
            raise ToolRefusal(
                "bad_ward", f"{path.name}: demand: it asks for nobody, expected rows with a target or minimum"
            )
        return ward

    def _ward(self, path: Path, period: "_AskedPeriod") -> Ward:
        """Parse an unchanged file once for each period. Raises WardError."""

        def parsed() -> Ward:
            return read_ward(path, start=period.start, days=period.days, otherwise=period.otherwise)

        if (version := _version(path)) is None:
            return parsed()
        ward = self._once((path, version, period), parsed)
        return self._once((path, version, period._replace(start=ward.start, days=ward.days)), lambda: ward)

    def _once(self, asked: "_Asked", make: Callable[[], Ward]) -> Ward:
        with self._looking:
            ward = next((ward for known, ward in self._looked_at if known == asked), None)
            if ward is None:
                self._looked_at.append((asked, ward := make()))
        return ward


def _frozen(ward: Ward, published: Published, until: date | None) -> list[Locked]:
    """The published cells up to that day, but those that are settled already or cannot be worked any more."""
    days = 0 if until is None else min(ward.days, max(0, ward.index(until) + 1))
    settled = {(row.nurse, row.day) for row in ward.locked}
    away = {(row.nurse, row.day, row.shift) for row in ward.leave}
    cells = [
        Locked(nurse=nurse, day=ward.day(index), shift=row[index], frozen=True)
        for nurse, row in published.roster.items()
        for index in range(days)
    ]
    return [
        cell
        for cell in cells
        if (cell.nurse, cell.day) not in settled
        and (cell.shift is None or away.isdisjoint({(cell.nurse, cell.day, None), (cell.nurse, cell.day, cell.shift)}))
    ]


def next_monday(today: date) -> date:
    """The first Monday after today."""
    return today + timedelta(days=7 - today.weekday())


class _AskedPeriod(NamedTuple):
    start: date | None
    days: int | None
    otherwise: date
    """First day where neither `start` nor the file gives one."""


_Version = tuple[int, int]
"""Time of the last change, and size: they show whether a file has changed."""
_Asked = tuple[Path, _Version, _AskedPeriod] | tuple[Repair, Ward]


def _version(path: Path) -> _Version | None:
    """None = there is no such file; reading it reports that."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


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
    """`~$` begins the lock of a workbook that is open."""
    paths = (path for path in sorted(folder.iterdir()) if not path.name.startswith("~$"))
    return {path.stem: path for path in paths if path.suffix.lower() in ENDINGS}
