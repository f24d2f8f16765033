"""`wavegraph roster show`: a stored roster and its current status, on the terminal and in files."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wavegraph.app.plain_text import plain
from wavegraph.app.roster.files import RosterFiles
from wavegraph.app.roster.grid import grid_lines
from wavegraph.app.roster.named import find_roster_id
from wavegraph.app.roster.page.page import roster_page
from wavegraph.app.roster.page.words import amount
from wavegraph.app.roster.versions import version_record
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.rosters import KnownRoster, known_roster, report_now
from wavegraph.tools.roster.answers.phrases import english_record, findings_in_words, say
from wavegraph.tools.roster.checks.changes import CellChange
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.decisions import Version
from wavegraph.tools.roster.versions.differences import cells_in_words
from wavegraph.tools.roster.versions.log import VersionStore
from wavegraph.tools.roster.ward.file import ward_record
from wavegraph.tools.roster.ward.ward import Roster, Ward

CARRIED = ("cost", "bound", "status")
"""Fields of the JSON that only the solver knows; they are kept from an earlier file of the same roster."""


@dataclass(frozen=True, kw_only=True)
class KeptRoster:
    """A roster from the store."""

    roster_id: str
    ward: Ward
    ward_hash: str
    roster: Roster
    report: RosterReport
    version: Version | None = None
    """Among the ward's versions; None = nothing was decided about it."""
    repaired: Version | None = None
    """As `KnownRoster` has it."""
    rounds: Sequence[Round] = ()
    """Of the request that made it, where they are known."""
    traces: Mapping[int, Sequence[Point]] = field(default_factory=dict)
    """By a round's iteration."""

    @property
    def decision(self) -> str | None:
        """published, draft, replaced or discarded; None = none of them."""
        return None if self.version is None or self.version.status == "undone" else self.version.status

    @property
    def note(self) -> str:
        """Its status in words."""
        match self.decision, self.report.passed:
            case "published", passed:
                return "Published." if passed else "Published with its problems."
            case "draft", passed:
                return "Kept as a draft." if passed else "Kept as a draft, with its problems."
            case "replaced", _:
                return "Not published any more: a later one took its place."
            case "discarded", _:
                return "Discarded."
            case _, True:
                return "Not decided: it passes every check, but is neither published nor a draft."
        return "Not published: not decided, or rejected."

    @property
    def mark(self) -> str:
        """What each of its files says of it; empty = it is published, and passes."""
        return "" if self.decision == "published" and self.report.passed else self.note

    @property
    def history(self) -> str:
        """Which version it is, and who made it what it is; empty = nothing was decided."""
        if self.version is None:
            return ""
        decided = self.version.decided
        reason = f": {plain(decided.reason)}" if decided.reason else ""
        return f"Version {self.version.number}, {self.version.status} {plain(decided.whose)}{reason}"


def kept(roster_id: str, store: RosterStore) -> KeptRoster:
    """As it was made. Raises ToolRefusal `unknown_roster` or `unknown_ward`."""
    stored = store.stored_roster(roster_id)
    return shown(KnownRoster(roster_id=roster_id, ward=store.ward(stored.ward_hash), stored=stored), store)


def shown(of: KnownRoster, store: RosterStore) -> KeptRoster:
    rounds = store.rounds(of.roster_id)
    return KeptRoster(
        roster_id=of.roster_id,
        ward=of.ward,
        ward_hash=of.stored.ward_hash,
        roster=of.roster,
        report=report_now(of, store),
        version=of.version,
        repaired=of.repaired,
        rounds=rounds,
        traces=dict(_traces(rounds, store)),
    )


def _traces(rounds: Sequence[Round], store: RosterStore) -> Iterator[tuple[int, Sequence[Point]]]:
    """Of those rounds whose roster is kept here."""
    for each in rounds:
        if each.roster_id:
            with suppress(ToolRefusal):
                yield each.iteration, store.stored_roster(each.roster_id).trace


async def load_roster(given: str, ward: str | None, store: RosterStore, database: str | None) -> KeptRoster:
    """A roster with its version, and the days after it as they are published now. `given`, `ward`: as for `find_roster_id`.
    Raises as that and `kept`, and StorageError."""
    async with open_storage(database) as storage:
        versions = VersionStore(storage.store, store)
        found = await known_roster(await find_roster_id(given, ward, versions), versions)
    return shown(found, store)


def record(found: KeptRoster) -> dict[str, Any]:
    """As `roster generate --json` has the same fields, and the decision."""
    return {
        "roster_id": found.roster_id,
        "ward": ward_record(found.ward, found.ward_hash),
        "decision": found.decision,
        "version": version_record(found.version) if found.version else None,
        "note": found.note,
        "rounds": [each.model_dump(mode="json") for each in found.rounds],
        "reports": english_record(found.report.model_dump(mode="json")),
        "roster": found.roster,
    }


def lines(found: KeptRoster, width: int | None) -> Iterator[str]:
    """Head, grid, what fails. `width`: cells of a line; None = any."""
    ward, report = found.ward, found.report
    yield f"Roster {found.roster_id} for {plain(ward.name)}, {ward.days} days from {ward.start}"
    rules, fairness = (say(status, "en") for status in (report.compliance.status, report.empathy.status))
    yield f"{rules}, {fairness} ({report.empathy.fairness:g} %)"
    yield f"cost by the ward's own weights {amount(report.cost.total)}"
    yield from filter(None, [findings_in_words(report.counts, "en")])
    if report.changed_cells is not None:
        before = f"V{found.repaired.number}" if found.repaired else "the published roster"
        yield f"{cells_in_words(report.changed_cells)} from {before}"
        yield from (f"- {_change(found.ward, each)}" for each in report.changes)
    yield found.note
    if found.history:
        yield found.history
    yield ""
    yield from grid_lines(ward, found.roster, width)
    if report.failing:
        yield ""
        yield "What fails:"
        yield from (f"- {plain(failing.detail)}" for failing in report.failing)


def _change(ward: Ward, change: CellChange) -> str:
    cells = f"{change.before or 'off'} → {change.now or 'off'}"
    return plain(f"{who(ward.nurse_by_id[change.nurse_id])}, {change.day}: {cells} ({change.reason})")


def write(found: KeptRoster, folder: Path) -> list[Path]:
    """Write the three files, over those of the same roster or else under the ward's name; returns their paths.

    Raises SettingsError for a folder that cannot be written to.
    """
    name, before = _before(found, folder)
    files = RosterFiles(folder, name, found.ward.start)
    files.check()
    report = found.report
    about = {
        "roster_id": found.roster_id,
        "decision": found.decision,
        "note": found.note,
        **{field: before[field] for field in CARRIED if field in before},
        "compliance": report.compliance.status,
        "empathy": report.empathy.status,
    }
    return files.write(found.ward, found.roster, page_of(found), about, report)


def page_of(found: KeptRoster) -> str:
    """All of it as one page of HTML."""
    presented = next((each.iteration for each in found.rounds if each.roster_id == found.roster_id), None)
    return roster_page(
        found.ward, found.roster, found.report, found.rounds, found.traces, iteration=presented, note=found.note
    )


def _before(found: KeptRoster, folder: Path) -> tuple[str, dict[str, Any]]:
    """The name of this roster's files in the folder, and the content of their JSON."""
    ending = f"-{found.ward.start}.json"
    for path in sorted(folder.glob(f"*{ending}")):
        with suppress(OSError, ValueError):
            earlier = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(earlier, dict) and earlier.get("roster_id") == found.roster_id:
                return path.name.removesuffix(ending), earlier
    return _file_name(found.ward.name), {}


def _file_name(title: str) -> str:
    """`Harbour Ward` as `harbour-ward`: letters and digits of any script, so that no title leads out of the folder."""
    words = "".join(each if each.isalnum() else " " for each in title.casefold()).split()
    return "-".join(words)[:40] or "roster"
