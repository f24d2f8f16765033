"""Demo hotels as copies of one that was built: the nights of all its years take longer than most tests that ask for two."""

import os
import shutil
from contextlib import suppress
from datetime import date
from pathlib import Path
from uuid import uuid4

from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.sqlite_property import build


class Copies:
    """Takes the place of `sqlite_property.build`. What was built lies in `folder`, one file for each year it was built in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def build(self, place: Path | Place, real_today: date) -> None:
        path = place.path if isinstance(place, PropertyFile) else place
        if isinstance(path, Path) and not path.exists():
            self._copy(path, real_today)
        build(place, real_today)

    def _copy(self, path: Path, real_today: date) -> None:
        built = self._folder / f"{real_today.year}.sqlite"
        build(built, real_today)
        path.parent.mkdir(parents=True, exist_ok=True)
        copy = Path(shutil.copy(built, path.with_name(f".{path.name}-{uuid4().hex}")))
        with suppress(FileExistsError):  # another thread was first
            os.link(copy, path)
        copy.unlink()
