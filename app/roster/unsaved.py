"""A store for one command: a roster that was solved is printed, also where disk or database do not take it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from wavegraph.graph.errors import ToolRefusal, error_text
from wavegraph.tools.roster.problem.result import Columns
from wavegraph.tools.roster.records import Change, Round
from wavegraph.tools.roster.store import RemarkKind, RosterStore, StoredRoster, roster_id_of
from wavegraph.tools.roster.told import Line
from wavegraph.tools.roster.ward.ward import Roster, Ward

NOT_KEPT = (OSError, ToolRefusal)
"""A file that could not be written, and a database that did not take a record."""


class LenientStore(RosterStore):
    """Keeps in memory what cannot be written. A decision must be written: nothing is published that only this process knows."""

    def __init__(self, data_dir: Path | None = None, database: str | None = None) -> None:
        super().__init__(data_dir, database)
        self.unsaved: dict[str, str] = {}
        """Why a file, or what is kept in a database, could not be written, by its name."""
        self.last_roster: str | None = None
        """Id of the roster that was kept last, or should have been."""
        self._rosters: dict[str, StoredRoster] = {}
        self._remarks: dict[tuple[RemarkKind, str], dict[str, Sequence[Line]]] = {}
        self._stops: set[str] = set()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.unsaved[str(error.filename)] = error.strerror or type(error).__name__
        except ToolRefusal as refusal:
            self.unsaved["it to the database"] = error_text(refusal)

    def keep_ward(self, ward: Ward, asked: Sequence[Change] = ()) -> str:
        with self._noting():
            return super().keep_ward(ward, asked)
        return self.name_of(ward, asked)

    def keep_roster(self, stored: StoredRoster) -> str:
        self.last_roster = name = roster_id_of(stored)
        self._rosters[name] = stored
        with self._noting():
            super().keep_roster(stored)
        return name

    def stored_roster(self, roster_id: str) -> StoredRoster:
        return self._rosters.get(roster_id) or super().stored_roster(roster_id)

    def keep_remarks(self, kind: RemarkKind, roster_id: str, check: str, lines: Sequence[Line]) -> None:
        try:
            super().keep_remarks(kind, roster_id, check, lines)
        except NOT_KEPT:  # the roster's own file tells of it
            self._remarks.setdefault((kind, roster_id), {})[check] = lines

    def remarks(self, kind: RemarkKind, roster_id: str) -> list[Line]:
        own = self._remarks.get((kind, roster_id), {}).values()
        kept: list[Line] = []
        with suppress(ToolRefusal):
            kept = super().remarks(kind, roster_id)
        return [*kept, *(sentence for sentences in own for sentence in sentences)]

    def keep_rounds(self, roster_id: str, rounds: Sequence[Round]) -> None:
        with suppress(*NOT_KEPT):
            super().keep_rounds(roster_id, rounds)

    def rounds(self, roster_id: str) -> list[Round]:
        with suppress(ToolRefusal):
            return super().rounds(roster_id)
        return []

    def keep_best(self, solve: str, roster: Roster) -> None:
        with suppress(*NOT_KEPT):
            super().keep_best(solve, roster)

    def keep_columns(self, solve: str, columns: Columns) -> None:
        with suppress(*NOT_KEPT):
            super().keep_columns(solve, columns)

    def drop_running(self, solve: str) -> None:
        with suppress(*NOT_KEPT):
            super().drop_running(solve)

    def ask_to_stop(self, thread_id: str) -> None:
        try:
            super().ask_to_stop(thread_id)
        except NOT_KEPT:
            self._stops.add(thread_id)

    def take_stop(self, thread_id: str) -> bool:
        if thread_id in self._stops:
            self._stops.discard(thread_id)
            return True
        with suppress(*NOT_KEPT):
            return super().take_stop(thread_id)
        return False
