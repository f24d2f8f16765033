"""Proposed lessons and the trials of them, in the store of the conversations. Neither holds a guest's text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from langgraph.store.base import BaseStore

from wavegraph.app.lessons.failures import digest
from wavegraph.app.run.threads import items_of, now
from wavegraph.graph.errors import LessonError
from wavegraph.graph.model.lessons import READERS, Reader

LESSONS = ("wavegraph", "lessons")
TRIAL_VERSION = 1
MOST_CANDIDATES = 100
"""Of one agent; of more, the oldest go."""
MOST_KEYS = 50
"""Requests that a candidate names."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A lesson that nothing reads yet."""

    reader: Reader
    text: str
    kinds: Sequence[str]
    """Of the failures it stands on."""
    requests: int
    keys: Sequence[str] = ()
    """Of the requests (`Failure.key`), the latest first."""
    by: str = ""
    """The model that wrote it."""
    proposed_at: str = field(default_factory=now)

    @property
    def id(self) -> str:
        return self.hash[:8]

    @property
    def hash(self) -> str:
        return digest(self.reader, self.text)


def _names(domain: str, kind: str) -> tuple[str, ...]:
    return (*LESSONS, domain.replace("%", "%25").replace(".", "%2E"), kind)


@dataclass(frozen=True)
class Candidates:
    """Those of one agent in one database."""

    store: BaseStore
    domain: str

    async def all(self) -> list[Candidate]:
        """The latest first."""
        items = await items_of(self.store, _names(self.domain, "candidates"))
        found = {item.key: each for item in items if (each := _read(item.value)) and each.id == item.key}
        return sorted(found.values(), key=lambda each: (each.proposed_at, each.id), reverse=True)

    async def get(self, lesson_id: str) -> Candidate:
        """Raises LessonError naming those there are."""
        known = {each.id: each for each in await self.all()}
        if lesson_id not in known:
            there = f"; there are {', '.join(known)}" if known else "; `wavegraph lessons propose` makes some"
            raise LessonError(f"no candidate {lesson_id!r} of {self.domain!r} in this database{there}")
        return known[lesson_id]

    async def add(self, candidates: Sequence[Candidate]) -> None:
        for each in candidates:
            await self.store.aput(_names(self.domain, "candidates"), each.id, asdict(each), index=False)
        for old in (await self.all())[MOST_CANDIDATES:]:
            await self.forget(old.id)

    async def forget(self, lesson_id: str) -> None:
        for kind in ("candidates", "trials"):
            await self.store.adelete(_names(self.domain, kind), lesson_id)

    async def trial(self, lesson_id: str) -> dict[str, Any] | None:
        """None = there is none, or another version stored it with other figures."""
        item = await self.store.aget(_names(self.domain, "trials"), lesson_id)
        return item.value if item and item.value.get("version") == TRIAL_VERSION else None

    async def add_trial(self, lesson_id: str, trial: Mapping[str, Any]) -> None:
        value = {"version": TRIAL_VERSION, **trial}
        await self.store.aput(_names(self.domain, "trials"), lesson_id, value, index=False)


def _read(value: Mapping[str, Any]) -> Candidate | None:
    """None = it was written by another version, in a form that this one does not know."""
    known = {name: value[name] for name in Candidate.__dataclass_fields__ if name in value}
    try:
        candidate = Candidate(**known)
    except TypeError:
        return None
    return candidate if cast(str, candidate.reader) in READERS else None
