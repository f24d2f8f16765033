"""The versions of each ward's rosters, in the database of the conversations.

A ward has a log of decisions, numbered from 1; who adds a number that another has just added is told, and nothing is lost.
Beside it lies what each decided roster is: its ward, its cells, its rounds. So the database alone tells all of it, also on
another machine.
"""

import asyncio
import getpass
import hashlib
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from langgraph.config import get_store
from langgraph.runtime import get_runtime
from langgraph.store.base import BaseStore, SearchItem

from wavegraph.graph.dialogue.answers import caller_of
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.records import Change, Round
from wavegraph.tools.roster.store import RosterStore, StoredRoster, is_id
from wavegraph.tools.roster.versions.decisions import (
    STATUS_OF,
    Action,
    Decision,
    Version,
    overlapping,
    published_by,
    published_of,
    standing,
    undo_of,
    version_told,
    versions_of,
)
from wavegraph.tools.roster.versions.following import LONGEST_TAIL, Known, with_days_after
from wavegraph.tools.roster.ward.ward import Published, Roster, Ward

ROOT = "rosters"
MOST = 100_000
"""Entries that are read of a log."""
TRIES = 5
"""Decisions about other days of the ward may come in between."""


class Called(NamedTuple):
    """What a person calls a ward."""

    name: str
    id: str | None = None


WardName = Ward | Called
"""A ward, or what a person calls it."""


class VersionStore:
    """Versions over a store of LangGraph. `kept`: the wards and rosters, of this machine or of many."""

    def __init__(self, store: BaseStore | None, kept: RosterStore) -> None:
        """`store`: None = no version is known, and none can be made."""
        self._store = store
        self.kept = kept

    @property
    def is_lasting(self) -> bool:
        return self._store is not None

    async def decisions(self, ward: WardName) -> list[Decision]:
        """The ward's log, the oldest first."""
        await self._move_files()
        return await self._log(key_of(ward))

    async def versions(self, ward: WardName) -> list[Version]:
        return versions_of(await self.decisions(ward))

    async def everywhere(self) -> list[list[Version]]:
        """The versions of each ward."""
        return [versions_of(await self._log(key)) for key in sorted(await self._places())]

    async def wards(self) -> list[Ward]:
        """Each ward about whose rosters something was decided, as one of them has it."""
        return [(await self.made(roster_id))[0] for _, roster_id in sorted((await self._places()).items())]

    async def _places(self) -> dict[str, str]:
        """A decided roster of each ward, by the ward's key."""
        await self._move_files()
        return {each.value["ward"]: each.key for each in await self._all("places")}

    async def _all(self, *place: str) -> list[SearchItem]:
        return [] if self._store is None else await self._store.asearch((ROOT, *place), limit=MOST)

    async def decide(
        self, action: Action, roster_id: str, *, by: str = "", reason: str = "", replaces: str | None = None,
        published_too: bool = True,
    ) -> Version:  # fmt: skip
        """Publish a roster, keep it as a draft or discard it; a decision that stands already is not made again.

        `replaces`: id of the published roster whose place it may take; one that was made by repairing the published roster
        takes its place anyway. `published_too`: whether a published roster may be kept as a draft or discarded.

        Raises ToolRefusal: `unknown_roster`, `is_published`, `conflict` where another roster is published for these days, `overlaps`
        where one of other days shares some with it, `other_ward` where the ward is another one of the same name.
        """
        ward, stored = await self.made(roster_id)
        for _ in range(TRIES):
            decisions = await self.decisions(ward)
            versions = versions_of(decisions)
            if (found := _standing_version(versions, action, roster_id)) is not None:
                return found
            if action == "publish":
                await self._require_place(ward, roster_id, versions, replaces)
            elif not published_too and (found := _standing_version(versions, "publish", roster_id)):
                words = f"{found} is published, {found.decided.whose}: look again, and say that it is withdrawn"
                raise ToolRefusal("is_published", words)
            decision = Decision(
                number=len(decisions) + 1, action=action, roster_id=roster_id, start=ward.start, days=ward.days,
                at=now(), by=by, reason=reason,
            )  # fmt: skip
            await self._keep_content(ward, roster_id, stored)
            if await self._add(key_of(ward), decision):
                return _version(versions_of([*decisions, decision]), roster_id)
        raise ToolRefusal("conflict", f"others are deciding about rosters of {ward.name!r} right now: try again")

    async def undo(
        self, ward: WardName, *, by: str = "", reason: str = "", number: int | None = None
    ) -> tuple[Decision, Version]:
        """Take back the last decision that stands: that decision, and its roster's version after it.

        `number`: of the decision that was looked at; None = whichever is the last. Raises ToolRefusal `nothing_to_undo`,
        `other_ward` as `require_own`, and `conflict` where somebody decided in between.
        """
        decisions = await self.decisions(ward)
        if (taken_back := undo_of(decisions, at=now(), by=by, reason=reason)) is None:
            raise ToolRefusal("nothing_to_undo", f"no decision about a roster of {ward.name!r} stands")
        last = standing(decisions)[-1]
        await self.require_own(ward, _version(versions_of(decisions), last.roster_id))
        if number not in (None, last.number) or not await self._add(key_of(ward), taken_back):
            raise ToolRefusal("conflict", f"somebody has just decided about a roster of {ward.name!r}: look again")
        return last, _version(versions_of([*decisions, taken_back]), last.roster_id)

    async def made(self, roster_id: str) -> tuple[Ward, StoredRoster]:
        """A roster with its ward: as it is kept, else from among the versions. Raises ToolRefusal `unknown_roster`."""
        try:
            return await asyncio.to_thread(self._made_here, roster_id)
        except ToolRefusal:
            place = await self._store.aget((ROOT, "places"), roster_id) if self._store and is_id(roster_id) else None
            found = (
                await self._store.aget((ROOT, place.value["ward"], "content"), roster_id)
                if self._store and place
                else None
            )
            if found is None:
                raise
            await asyncio.to_thread(self._bring, roster_id, found.value)
            return await asyncio.to_thread(self._made_here, roster_id)

    async def find(self, roster_id: str) -> tuple[Ward, StoredRoster, list[Decision]]:
        """A roster with its ward and that ward's log. Raises ToolRefusal `unknown_roster`."""
        ward, stored = await self.made(roster_id)
        return ward, stored, await self.decisions(ward)

    async def followed(self, ward: Ward) -> list[Known]:
        """The published rosters that begin before the ward's first day, in order; empty = none of this ward."""
        before = [each for each in published_of(await self.versions(ward)) if each.start < ward.start]
        rosters = [await self.earlier(each.roster_id) for each in before]
        return rosters if rosters and any(nurse in rosters[-1].roster for nurse in ward.nurse_by_id) else []

    async def with_days_after(self, ward: Ward) -> Ward:
        """The ward with the days right after it as they are published now."""
        first = ward.day(ward.days)
        after = [
            each for each in published_of(await self.versions(ward)) if 0 <= (each.start - first).days < LONGEST_TAIL
        ]
        later = [(await self.earlier(each.roster_id))._replace(version=f"V{each.number}") for each in after]
        return await asyncio.to_thread(with_days_after, ward, later)

    async def earlier(self, roster_id: str) -> Known:
        """Raises ToolRefusal `unknown_roster`."""
        ward, stored = await self.made(roster_id)
        return Known(ward, stored.roster)

    async def rounds(self, roster_id: str) -> list[Round]:
        """Of the request that made a roster; empty = not known. Raises ToolRefusal `unknown_roster`."""
        await self.made(roster_id)
        return await asyncio.to_thread(self.kept.rounds, roster_id)

    def _made_here(self, roster_id: str) -> tuple[Ward, StoredRoster]:
        stored = self.kept.stored_roster(roster_id)
        return self.kept.ward(stored.ward_hash), stored

    def _bring(self, roster_id: str, content: Mapping[str, Any]) -> None:
        """Keep a roster of the versions here too."""
        asked = [Change.model_validate(each) for each in content["asked"]]
        ward_hash = self.kept.keep_ward(Ward.model_validate(content["ward"]), asked)
        self.kept.keep_roster(StoredRoster(ward_hash=ward_hash, roster=content["roster"], trace=content["trace"]))
        self.kept.keep_rounds(roster_id, [Round.model_validate(each) for each in content["rounds"]])

    async def in_the_way(
        self, ward: Ward, roster_id: str, versions: Sequence[Version] | None = None
    ) -> tuple[Version | None, ToolRefusal | None]:
        """The published roster of the same days whose place this one would take, and why it must not; None = nothing.
        `versions`: the ward's; None = as they are now."""
        versions = await self.versions(ward) if versions is None else versions
        published = published_of(versions)
        head = next((each for each in published if each.period == (ward.start, ward.days)), None)
        if head is not None and head.roster_id == roster_id:
            return head, None
        if shared := overlapping(versions, ward.start, ward.days):
            listed = ", ".join(map(str, shared))
            words = f"{listed} is published for some of the same days: discard it first, or make a roster of other days"
            about = {"versions": [version_told(each).model_dump(mode="json") for each in shared]}
            return head, ToolRefusal("overlaps", words, about=about)
        if published and not await self.are_of(ward, published[-1]):
            return head, _other_ward(ward, published[-1])
        if head is None or ward.published is None or await self._is_made_from(ward.published, head, versions):
            return head, None
        words = (
            f"{head} was published {head.decided.whose}, and roster {roster_id} repairs an earlier one: repair {head}"
        )
        return head, ToolRefusal("conflict", words, about=published_by(head))

    async def to_replace(self, roster_id: str) -> Version | None:
        """The published roster that has to be named as the one to replace, to publish this one; None = none."""
        ward, _ = await self.made(roster_id)
        head, why_not = await self._place(ward, roster_id, await self.versions(ward))
        return head if why_not is not None and why_not.code == "conflict" else None

    async def _place(
        self, ward: Ward, roster_id: str, versions: list[Version]
    ) -> tuple[Version | None, ToolRefusal | None]:
        """As `in_the_way`, with a conflict too where it was not made from the published one at all."""
        head, why_not = await self.in_the_way(ward, roster_id, versions)
        if head is None or head.roster_id == roster_id or why_not is not None or ward.published is not None:
            return head, why_not
        words = f"{head} was published {head.decided.whose}, and roster {roster_id} was not made from it: repair it"
        return head, ToolRefusal("conflict", words, about=published_by(head))

    async def _require_place(self, ward: Ward, roster_id: str, versions: list[Version], replaces: str | None) -> None:
        head, why_not = await self._place(ward, roster_id, versions)
        if why_not is None:
            return
        if head is None or why_not.code != "conflict":
            raise why_not
        if head.roster_id != replaces:
            named = f", not {replaces}" if replaces else ""
            words = f"{why_not.message}, or name it as the one to replace: --replaces V{head.number}{named}"
            raise ToolRefusal("conflict", words)

    async def require_own(self, ward: WardName, *versions: Version) -> None:
        """Raises ToolRefusal `other_ward` where none of the ward's nurses is in any of them; a name alone has no nurses."""
        if isinstance(ward, Ward) and not await self.are_of(ward, *versions):
            raise _other_ward(ward, versions[-1])

    async def are_of(self, ward: Ward, *versions: Version) -> bool:
        """Whether any of the ward's nurses is in any of them; else they are of another ward of that name."""
        for each in versions:
            earlier = (await self.made(each.roster_id))[1].roster
            if any(nurse in earlier for nurse in ward.nurse_by_id):
                return True
        return False

    async def _is_made_from(self, published: Published, head: Version, versions: Sequence[Version]) -> bool:
        """By the cells, as a file of the head has them; but not where it is a version that was replaced since."""
        if any((each.roster_id, each.status) == (published.roster_id, "replaced") for each in versions):
            return False
        return is_of(published.roster, (await self.made(head.roster_id))[1].roster)

    async def _keep_content(self, ward: Ward, roster_id: str, stored: StoredRoster) -> None:
        """Before the decision: one that was killed in between has decided nothing."""
        assert self._store is not None, "decided without a store"
        content = await asyncio.to_thread(self._content, ward, roster_id, stored)
        key = key_of(ward)
        await self._store.aput((ROOT, key, "content"), roster_id, content)
        await self._store.aput((ROOT, "places"), roster_id, {"ward": key})

    def _content(self, ward: Ward, roster_id: str, stored: StoredRoster) -> dict[str, Any]:
        return {
            "ward": ward.model_dump(mode="json", exclude_defaults=True),
            "asked": [each.model_dump(mode="json") for each in self.kept.asked(stored.ward_hash)],
            "rounds": [each.model_dump(mode="json") for each in self.kept.rounds(roster_id)],
            **stored.model_dump(mode="json", include={"roster", "trace"}),
        }

    async def _log(self, key: str) -> list[Decision]:
        found = await self._all(key, "decisions")
        return sorted((Decision.model_validate(each.value) for each in found), key=lambda each: each.number)

    async def _add(self, key: str, decision: Decision) -> bool:
        """False = another has added this number."""
        assert self._store is not None, "decided without a store"
        value = decision.model_dump(mode="json", exclude_defaults=True)
        return await put_new(self._store, (ROOT, key, "decisions"), f"{decision.number:06}", value)

    async def _move_files(self) -> None:
        """Take over the decisions that an earlier version wrote to files, each once, the oldest first."""
        if self._store is None or not (files := await asyncio.to_thread(self.kept.decided)):
            return
        moved = {each.key for each in await self._all("moved")}
        for at, old in files:
            if old.roster_id not in moved:
                await self._move(at, old.roster_id, "draft" if old.as_draft else "publish")
                await self._store.aput((ROOT, "moved"), old.roster_id, {})

    async def _move(self, at: datetime, roster_id: str, action: Action) -> None:
        try:
            ward, stored = await asyncio.to_thread(self._made_here, roster_id)
        except ToolRefusal as refusal:
            if refusal.retryable:
                raise
            return  # its roster was removed
        key, added = key_of(ward), False
        await self._keep_content(ward, roster_id, stored)
        while not added:
            log = await self._log(key)
            if any(each.moved and each.roster_id == roster_id for each in log):  # killed before it was noted
                return
            added = await self._add(
                key,
                Decision(
                    number=len(log) + 1, action=action, roster_id=roster_id, start=ward.start, days=ward.days, at=at,
                    moved=True,
                ),
            )  # fmt: skip


def _other_ward(ward: Ward, version: Version) -> ToolRefusal:
    words = f"{version} is of another ward named {ward.name!r}, with other nurses: give each ward an `id`"
    about = {"version": version_told(version).model_dump(mode="json"), "ward": ward.name}
    return ToolRefusal("other_ward", words, about=about)


def is_of(published: Roster, roster: Roster) -> bool:
    """Whether each row that was published is the roster's; nurses who joined since have none."""
    return bool(published) and all(roster.get(nurse) == row for nurse, row in published.items())


def _standing_version(versions: list[Version], action: Action, roster_id: str) -> Version | None:
    wanted = (roster_id, STATUS_OF[action])
    return next((each for each in versions if (each.roster_id, each.status) == wanted), None)


def _version(versions: list[Version], roster_id: str) -> Version:
    return next(each for each in versions if each.roster_id == roster_id)


def key_of(ward: WardName) -> str:
    """Names a ward in the database: its id, else its name however it is written."""
    named = f"id {ward.id}" if ward.id else " ".join(ward.name.casefold().split())
    return hashlib.blake2b(named.encode(), digest_size=8).hexdigest()


def versions_here(kept: RosterStore) -> VersionStore:
    """In the store of the graph that runs, which may have none."""
    try:
        return VersionStore(get_store(), kept)
    except (RuntimeError, KeyError):
        return VersionStore(None, kept)


def who_decides() -> str:
    """The server's user who decides; at a command line or in a program, the machine's. Empty = not known."""
    runtime = get_runtime()
    if runtime.server_info is not None:
        return caller_of(runtime).identity or ""
    return machine_user()


def machine_user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name
        return ""


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


async def put_new(store: BaseStore, place: tuple[str, ...], key: str, value: dict[str, Any]) -> bool:
    """Keep a value under a key that has none yet; False = it has one.

    The databases of `open_storage` decide it by themselves. Of any other store, this holds within one process, whose
    parts may each have an object of their own for it.
    """
    if (own := getattr(store, "aput_new", None)) is not None:
        return bool(await own(place, key, value))
    while not _putting.acquire(blocking=False):
        await asyncio.sleep(WAITS_S)
    try:
        if await store.aget(place, key) is not None:
            return False
        await store.aput(place, key, value)
        return True
    finally:
        _putting.release()


WAITS_S = 0.005
_putting = threading.Lock()
