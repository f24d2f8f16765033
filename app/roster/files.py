"""A roster in a folder: for other programs (JSON), for a spreadsheet (CSV), for the ward manager (a page)."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.roster.checks.changes import CellChange
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.ward.roster_file import roster_csv, roster_json
from wavegraph.tools.roster.ward.ward import Roster, Ward
from wavegraph.tools.roster.ward.whole_files import draft_of, replace_file

ENDINGS = (".json", ".csv", ".html")


@dataclass(frozen=True)
class RosterFiles:
    """`NAME-START.json` and its like, in one folder."""

    folder: Path
    name: str
    start: date

    @property
    def paths(self) -> list[Path]:
        return [self.folder / f"{self.name}-{self.start}{ending}" for ending in ENDINGS]

    @property
    def changes(self) -> Path:
        """The cells that differ from the published roster; there is none unless one was repaired."""
        return self.folder / f"{self.name}-{self.start}-changes.csv"

    def check(self) -> None:
        """Make the folder if it is missing, and check that files can be written there. Raises SettingsError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for path in self.paths:
                if path.is_dir():
                    raise IsADirectoryError(None, "Is a directory", str(path))
            draft = draft_of(self.paths[0])
            draft.touch()
            draft.unlink()
        except OSError as error:
            raise SettingsError(
                f"cannot write to {str(self.folder)!r}: {error.strerror or type(error).__name__}; choose another folder "
                "with --out DIR"
            ) from None

    def write(
        self, ward: Ward, roster: Roster, page: str, about: Mapping[str, Any], report: RosterReport
    ) -> list[Path]:
        """Replace each file as a whole; the paths of those written. `page`: the HTML; `about`: further fields of the JSON,
        such as its status."""
        if report.changed_cells is not None:
            about = {**about, "changes": [change.model_dump() for change in report.changes]}
        texts = dict(zip(self.paths, (roster_json(ward, roster, about), roster_csv(ward, roster), page), strict=True))
        if report.changed_cells is not None:
            texts[self.changes] = changes_csv(ward, report.changes)
        for path, text in texts.items():
            try:
                replace_file(path, text)
            except OSError as error:  # a full disk names no file
                raise OSError(error.errno, error.strerror or type(error).__name__, str(path)) from error
        return list(texts)


def changes_csv(ward: Ward, changes: Sequence[CellChange]) -> str:
    """A row a cell; an empty shift is a day off."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["nurse", "name", "day", "before", "now", "reason"])
    for each in changes:
        name = ward.nurse_by_id[each.nurse_id].name
        writer.writerow([each.nurse_id, name, each.day, each.before or "", each.now or "", each.reason])
    return text.getvalue()
