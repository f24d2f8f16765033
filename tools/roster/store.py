"""Wards and rosters, named by a hash of their content; plans, checkpoints and prompts hold only these ids.

They lie in files of one machine, or in PostgreSQL for any number of machines (`keeping`). Every process and every resume
finds the same ward or roster under an id. Each record is written whole or not at all. Only the best roster and the columns
of a running solve, remarks, rounds, decisions and requests to stop are ever replaced.
"""

import hashlib
import json
import re
import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, TypeAdapter

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.keeping.folder import FolderKeeper
from wavegraph.tools.roster.keeping.place import keeper_of
from wavegraph.tools.roster.problem.result import Columns, Point
from wavegraph.tools.roster.records import Change, Round
from wavegraph.tools.roster.reports import RosterReport, report_of
from wavegraph.tools.roster.told import Line, as_json
from wavegraph.tools.roster.ward.file import ward_hash
from wavegraph.tools.roster.ward.ward import Roster, Ward

if TYPE_CHECKING:
    from wavegraph.tools.roster.keeping.table import TableKeeper

_ID = re.compile(r"[0-9a-f]{8,64}")
_CHANGES = TypeAdapter(list[Change])
_LINES = TypeAdapter(list[Line])
_ROUNDS = TypeAdapter(list[Round])
REPORTS_KEPT = WARDS_KEPT = 64
"""In memory."""

RemarkKind = Literal["grounds", "remarks", "taken_back", "prices", "begun"]
"""grounds: what no roster can avoid, and why; remarks: findings of further checks; prices: those of its round that are not the
settings', as `kind price base`; begun: the roster that was changed by request."""


class StoredRoster(BaseModel):
    """A roster with its ward and how it was found."""

    model_config = ConfigDict(frozen=True)

    ward_hash: str
    roster: Roster
    trace: list[Point] = []


class PublicationDecision(BaseModel):
    """A manager's decision about a roster."""

    model_config = ConfigDict(frozen=True)

    roster_id: str
    as_draft: bool


class RosterStore:
    """Keeps everything in one place; safe to use from several threads and processes.

    Where that is PostgreSQL, every method may raise ToolRefusal `timeout` (it cannot be reached) and `auth`, and SettingsError.
    """

    def __init__(self, data_dir: Path | None = None, database: str | None = None) -> None:
        """`data_dir`: the folder with the files; None = the user's data folder. `database`: a PostgreSQL database that keeps
        all of it instead, for any number of machines; None = the one that WAVEGRAPH_DATABASE names, unless there is a
        `data_dir`."""
        self._folder = (data_dir or user_data_path("wavegraph")) / "rosters"
        self._named = data_dir, database
        self.report: Callable[[str], RosterReport] = lru_cache(REPORTS_KEPT)(self._report)
        self._wards: deque[tuple[str, Ward, list[Change]]] = deque(maxlen=WARDS_KEPT)
        self._hashes: deque[tuple[str, Ward]] = deque(maxlen=WARDS_KEPT)
        self._looking = threading.RLock()

    @cached_property
    def keeper(self) -> "FolderKeeper | TableKeeper":
        """Connected when something is kept or looked for, not when a graph is put together."""
        return keeper_of(self._folder, *self._named)

    def keep_ward(self, ward: Ward, asked: Sequence[Change] = ()) -> str:
        """Keep a ward and return its hash. `asked`: the changes that a person asked for and that it holds; with them the
        hash is theirs too, so that no other request finds them."""
        with self._looking:
            name = self.name_of(ward, asked)
            if all(known != name for known, _, _ in self._wards):
                self._wards.append((name, ward, list(asked)))
            if asked:
                self.keeper.write(
                    "asked", name, _CHANGES.dump_json(list(asked), exclude_defaults=True).decode(), again=False
                )
            if not self.keeper.holds("wards", name):
                self.keeper.write("wards", name, ward.model_dump_json(exclude_defaults=True), again=False)
        return name

    def name_of(self, ward: Ward, asked: Sequence[Change] = ()) -> str:
        """The name a ward is kept under."""
        own = self.hash_of(ward)
        if not asked:
            return own
        return hashlib.sha256(own.encode() + _CHANGES.dump_json(list(asked), exclude_defaults=True)).hexdigest()

    def hash_of(self, ward: Ward) -> str:
        """The hash of the ward's content; one record is hashed once."""
        with self._looking:
            name = next((name for name, known in self._hashes if known is ward), None)
            if name is None:
                name = ward_hash(ward)
                self._hashes.append((name, ward))
        return name

    def ward(self, name: str) -> Ward:
        """Raises ToolRefusal `unknown_ward`."""
        return self._kept_ward(name)[1]

    def asked(self, name: str) -> list[Change]:
        """The changes that a kept ward holds, the oldest first. Raises ToolRefusal `unknown_ward`."""
        return self._kept_ward(name)[2]

    def _kept_ward(self, name: str) -> tuple[str, Ward, list[Change]]:
        with self._looking:
            kept = next((known for known in self._wards if known[0] == name), None)
            if kept is None:
                ward = Ward.model_validate_json(self._read("wards", name, "unknown_ward"))
                kept = name, ward, _CHANGES.validate_json(self.keeper.read("asked", name) or "[]")
                self._wards.append(kept)
        return kept

    def keep_roster(self, stored: StoredRoster) -> str:
        """Keep a roster and return its id, the same for the same roster of the same ward."""
        name = roster_id_of(stored)
        self.keeper.write("made", name, stored.model_dump_json(), again=False)
        return name

    def stored_roster(self, roster_id: str) -> StoredRoster:
        """Raises ToolRefusal `unknown_roster`."""
        return StoredRoster.model_validate_json(self._read("made", roster_id, "unknown_roster"))

    def holds(self, roster_id: str) -> bool:
        """Whether the roster is kept."""
        return bool(_ID.fullmatch(roster_id)) and self.keeper.holds("made", roster_id)

    def newest(self, most: int) -> list[tuple[str, datetime]]:
        """Ids of rosters and when each was made, the latest first."""
        return self.keeper.newest("made", most)

    def _report(self, roster_id: str) -> RosterReport:
        stored = self.stored_roster(roster_id)
        return report_of(self.ward(stored.ward_hash), stored.roster)

    def keep_remarks(self, kind: RemarkKind, roster_id: str, check: str, lines: Sequence[Line]) -> None:
        """Keep what a check found, for the manager."""
        self.keeper.write(kind, f"{roster_id}-{check}", json.dumps(as_json(lines)), again=True)

    def remarks(self, kind: RemarkKind, roster_id: str) -> list[Line]:
        """All that is kept for a roster, check by check."""
        kept = self.keeper.records(kind, f"{roster_id}-") if is_id(roster_id) else []
        return [line for record in kept for line in _LINES.validate_json(record.text)]

    def keep_rounds(self, roster_id: str, rounds: Sequence[Round]) -> None:
        """The rounds of the request that made a roster, so far."""
        self.keeper.write("rounds", roster_id, _ROUNDS.dump_json(list(rounds)).decode(), again=True)

    def rounds(self, roster_id: str) -> list[Round]:
        """Empty for a roster that no request made, or that an earlier version made."""
        kept = self.keeper.read("rounds", roster_id) if _ID.fullmatch(roster_id) else None
        return [] if kept is None else _ROUNDS.validate_json(kept)

    def keep_best(self, solve: str, roster: Roster) -> None:
        """The best roster so far of a solve that runs."""
        self.keeper.write("running", solve, json.dumps(roster), again=True)

    def best(self, solve: str) -> Roster | None:
        """The best roster that an earlier run of the same solve left behind."""
        found: Roster | None = self._plain("running", solve)
        return found

    def keep_columns(self, solve: str, columns: Columns) -> None:
        """Keep the columns of a solve that was stopped."""
        self.keeper.write("columns", solve, json.dumps(columns), again=True)

    def columns(self, solve: str) -> Columns:
        """The columns that an earlier run of the same solve kept; empty = there was none."""
        return self._plain("columns", solve) or {}

    def _plain(self, kind: str, name: str) -> Any:
        """None = nothing is kept."""
        return json.loads(self.keeper.read(kind, name) or "null")

    def drop_running(self, solve: str) -> None:
        """Drop best roster and columns once the solve is over."""
        for kind in ("running", "columns"):
            self.keeper.drop(kind, solve)

    def decide(self, decision: PublicationDecision) -> None:
        """Where there is no database for it; the next one that is opened takes it over (`versions`)."""
        self.keeper.write("decided", decision.roster_id, decision.model_dump_json(), again=True)

    def decision(self, roster_id: str) -> PublicationDecision | None:
        kept = self.keeper.read("decided", roster_id)
        return None if kept is None else PublicationDecision.model_validate_json(kept)

    def decided(self) -> list[tuple[datetime, PublicationDecision]]:
        """All that `decide` has written and when, the oldest first."""
        kept = sorted(self.keeper.records("decided"), key=lambda record: record.at)
        return [
            (record.at.replace(microsecond=0), PublicationDecision.model_validate_json(record.text)) for record in kept
        ]

    def ask_to_stop(self, thread_id: str) -> None:
        """Ask the solve that runs on a thread, in any process, to stop with its best roster so far."""
        self.keeper.write("stops", _hashed(thread_id), "{}", again=True)

    def is_asked_to_stop(self, thread_id: str) -> bool:
        return self.keeper.holds("stops", _hashed(thread_id))

    def take_stop(self, thread_id: str) -> bool:
        """Whether a stop was asked for; True once for each request."""
        return self.keeper.drop("stops", _hashed(thread_id))

    def _read(self, kind: str, name: str, code: str) -> str:
        if _ID.fullmatch(name) and (text := self.keeper.read(kind, name)) is not None:
            return text
        raise ToolRefusal(code, f"nothing is kept under the id {name[:80]!r}: take one from a result")


def is_id(name: str) -> bool:
    """Whether something may be kept under it."""
    return bool(_ID.fullmatch(name))


def roster_id_of(stored: StoredRoster) -> str:
    """The same for the same roster of the same ward."""
    content = json.dumps([stored.ward_hash, stored.roster], sort_keys=True)
    return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def solve_id(arguments: dict[str, Any]) -> str:
    """The id of a solve, from everything that decides what it searches for."""
    return _hashed(json.dumps(arguments, sort_keys=True, default=str))
