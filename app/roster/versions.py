"""What a manager decides about rosters at the command line, in the versions of a ward."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wavegraph.app.plain_text import plain
from wavegraph.app.roster.named import cell_in_words, find_roster_id
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.rosters import report_now, require_no_problems, roster_to_publish
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.versions.decisions import (
    STATUS_OF,
    Action,
    Decision,
    Version,
    published_of,
    standing,
    undo_of,
    versions_of,
)
from wavegraph.tools.roster.versions.differences import ChangedCell, cells_in_words, changes_between
from wavegraph.tools.roster.versions.log import VersionStore, WardName, now
from wavegraph.tools.roster.ward.ward import Ward

DONE: dict[Action, str] = {"publish": "is published", "draft": "is kept as a draft", "discard": "is discarded"}


@dataclass(frozen=True, kw_only=True)
class Order:
    """The options of a decision."""

    roster_id: str
    by: str
    reason: str
    replaces: str | None = None
    """Id of the published roster whose place it may take."""
    with_problems: bool = False
    published_too: bool = True
    """Whether a published one may be kept as a draft or discarded."""


async def decide(action: Action, order: Order, versions: VersionStore) -> tuple[dict[str, Any], list[str]]:
    """The version as a record, and what to print of it.

    Raises ToolRefusal as `VersionStore.decide`, and `has_problems` for a roster that fails its checks and should be
    published without a word about that.
    """
    roster_id = order.roster_id
    ward, stored, log = await versions.find(roster_id)
    if action == "publish" and not order.with_problems:
        require_no_problems(f"roster {roster_id} for {ward.name}", await _problems(roster_id, versions))
    version = await versions.decide(
        action, roster_id, by=order.by, reason=order.reason, replaces=order.replaces, published_too=order.published_too
    )
    lines = [f"{version} of {plain(ward.name)} {DONE[action]}."]
    if any(each.number == version.decided.number for each in log):
        lines.append(f"So it was already, {version.decided.whose}.")
    elif (gave_way := _published_before(log, version)) is not None:
        _, before = await versions.made(gave_way.roster_id)
        count = cells_in_words(len(changes_between(before.roster, stored.roster)))
        lines.append(f"It takes the place of V{gave_way.number} ({gave_way.roster_id}): {count}.")
    elif action != "publish" and _was_published(log, roster_id):
        lines.append("Nothing is published for these days now.")
    return version_record(version), lines


async def preview_publication(roster_id: str, versions: VersionStore) -> dict[str, Any]:
    """What publishing a roster would change, for whoever is to confirm it. Raises ToolRefusal `unknown_roster`."""
    ward, _, log = await versions.find(roster_id)
    head, why_not = await versions.in_the_way(ward, roster_id)
    gives_way = head if head and head.roster_id != roster_id else None
    changes = (await differing_cells(gives_way.roster_id, roster_id, None, versions)).lines if gives_way else []
    return {
        "roster_id": roster_id,
        "is_published": _was_published(log, roster_id),
        "replaces": version_record(gives_way) if gives_way else None,
        "changes": changes,
        "problems": [found.detail for found in await _problems(roster_id, versions)],
        "why_not": why_not.message if why_not else None,
        "may_insist": why_not is None or why_not.code == "conflict",
    }


async def _problems(roster_id: str, versions: VersionStore) -> list[Finding]:
    report = await asyncio.to_thread(report_now, await roster_to_publish(roster_id, versions), versions.kept)
    return report.failing


def _published_before(log: Sequence[Decision], version: Version) -> Version | None:
    """The one whose place it takes."""
    if version.status != "published":
        return None
    earlier = published_of(versions_of(log))
    return next((e for e in earlier if e.period == version.period and e.roster_id != version.roster_id), None)


def _was_published(log: Sequence[Decision], roster_id: str) -> bool:
    return any(each.roster_id == roster_id for each in published_of(versions_of(log)))


async def preview_withdrawal(action: Action, roster_id: str, versions: VersionStore) -> dict[str, Any]:
    """What keeping a roster as a draft, or discarding it, would change. Raises ToolRefusal `unknown_roster`."""
    ward, _, log = await versions.find(roster_id)
    version = next((each for each in versions_of(log) if each.roster_id == roster_id), None)
    is_published = version is not None and version.status == "published"
    changes = "What staff have does not change."
    if version is not None and is_published:
        changes = f"{version} is published, {version.decided.whose}. Then nothing is published for these days."
    return {
        "roster_id": roster_id,
        "ward": ward.name,
        "is_so": version is not None and version.status == STATUS_OF[action],
        "is_published": is_published,
        "lines": [changes],
    }


async def undo(
    ward: WardName, by: str, reason: str, versions: VersionStore, number: int | None = None
) -> tuple[Decision, Version, list[str]]:
    """The decision that was taken back, its version as it stands now, and what to print of it. `number`, errors: as
    `VersionStore.undo`."""
    last, version = await versions.undo(ward, by=by, reason=reason, number=number)
    stands = _stands(_published_then(await versions.versions(ward), version))
    return last, version, [f"Taken back: {last.action} of {version}, {last.whose}.", f"{stands} for these days now."]


async def command_to_redo(decision: Decision, versions: VersionStore) -> list[str]:
    """The words of the command that makes a decision again that was taken back."""
    words = ["wavegraph", "roster", "publish", decision.roster_id]
    if decision.action != "publish":
        return [*words, "--as", "draft" if decision.action == "draft" else "discarded"]
    head = await versions.to_replace(decision.roster_id)
    problems = ["--with-problems"] if await _problems(decision.roster_id, versions) else []
    return [*words, *problems, *(["--replaces", head.roster_id] if head else [])]


async def preview_undo(roster_id: str, versions: VersionStore) -> dict[str, Any]:
    """What taking back the last decision about the rosters of a roster's ward would change. Raises ToolRefusal
    `unknown_roster` and `other_ward`."""
    ward, _, log = await versions.find(roster_id)
    record: dict[str, Any] = {"roster_id": roster_id, "ward": ward.name, "decision": None, "changes": []}
    if (taken_back := undo_of(log, at=now())) is None:
        return {**record, "lines": [f"No decision about a roster of {plain(ward.name)} stands."]}
    last = standing(log)[-1]
    version = next(each for each in versions_of(log) if each.roster_id == last.roster_id)
    await versions.require_own(ward, version)
    before, after = (_published_then(versions_of(each), version) for each in (log, [*log, taken_back]))
    changes = await _changes(before, after, versions)
    lines = [f"{last.action} of {version}, {last.whose}, is taken back.", f"{_stands(after)} for these days then."]
    return {**record, "decision": decision_record(last), "changes": changes, "lines": lines}


async def _changes(before: Version | None, after: Version | None, versions: VersionStore) -> list[str]:
    """The cells that staff would then have otherwise; empty where they have no roster before or after."""
    if before is None or after is None or before.roster_id == after.roster_id:
        return []
    return (await differing_cells(before.roster_id, after.roster_id, None, versions)).lines


def _published_then(versions: Sequence[Version], version: Version) -> Version | None:
    """What staff have for the days of a version."""
    return next((each for each in published_of(versions) if each.period == version.period), None)


def _stands(published: Version | None) -> str:
    return f"{published} is published" if published else "Nothing is published"


async def version_history(ward: WardName, versions: VersionStore) -> list[dict[str, Any]]:
    """Every version with its decisions and its rounds. Raises ToolRefusal `no_versions` and `other_ward`."""
    decisions = await versions.decisions(ward)
    if not decisions:
        raise ToolRefusal("no_versions", f"nothing was decided about a roster of {ward.name!r}")
    await versions.require_own(ward, *versions_of(decisions))
    return [
        {
            **version_record(each),
            "decisions": [decision_record(own) for own in decisions if own.roster_id == each.roster_id],
            "rounds": [round_.model_dump(mode="json") for round_ in await versions.rounds(each.roster_id)],
        }
        for each in versions_of(decisions)
    ]


def version_record(version: Version) -> dict[str, Any]:
    return {
        "version": version.number, "roster_id": version.roster_id, "status": version.status,
        "start": version.start.isoformat(), "days": version.days, "end": version.end.isoformat(),
        "by": version.decided.by, "at": version.decided.at.isoformat(), "reason": version.decided.reason,
    }  # fmt: skip


def decision_record(decision: Decision) -> dict[str, Any]:
    return {
        "number": decision.number, "action": decision.action, "by": decision.by, "at": decision.at.isoformat(),
        "reason": decision.reason,
    }  # fmt: skip


@dataclass(frozen=True)
class Differing:
    """The cells that differ, and in words."""

    cells: list[dict[str, Any]]
    head: str
    """Of what, and how many."""
    lines: list[str]


async def differing_cells(before: str, now: str, ward_name: str | None, versions: VersionStore) -> Differing:
    """Raises ToolRefusal `other_days`."""
    names = [await find_roster_id(each, ward_name, versions) for each in (before, now)]
    (earlier_ward, earlier), (ward, later) = [await versions.made(each) for each in names]
    if (earlier_ward.start, earlier_ward.days) != (ward.start, ward.days):
        days = " and ".join(f"{each.days} days from {each.start}" for each in (earlier_ward, ward))
        raise ToolRefusal("other_days", f"rosters of the same days can be compared; these are of {days}")
    changes = changes_between(earlier.roster, later.roster)
    people = {**earlier_ward.nurse_by_id, **ward.nurse_by_id}
    lines = [cell_in_words(people, ward, each) for each in changes]
    of = f"{names[0]} and {names[1]}, {plain(ward.name)}, {ward.days} days from {ward.start}"
    return Differing([change_record(ward, each) for each in changes], f"{of}: {cells_in_words(len(changes))}", lines)


def change_record(ward: Ward, change: ChangedCell) -> dict[str, Any]:
    day = ward.day(change.day).isoformat()
    return {"nurse": change.nurse, "day": day, "before": change.before, "now": change.now}
