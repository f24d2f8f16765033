"""What is known of conversations without opening them: a row per thread beside the checkpoints."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import BaseStore

ROWS = ("wavegraph", "threads")
REQUESTS = ("wavegraph", "requests")
LONGEST_REQUEST = 200
"""Characters of the last request that a row keeps."""
_PAGE = 2000


@dataclass(frozen=True, kw_only=True)
class ThreadRow:
    """One conversation, as `wavegraph threads list` shows it."""

    thread_id: str
    user_id: str | None
    request: str
    """The last one, shortened."""
    outcome: str | None
    """Of the last request; None = it did not end: it runs, or was cut off."""
    can_resume: bool
    updated: str
    """When the last request started or ended (ISO, UTC)."""


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_REQUEST else f"{words[: LONGEST_REQUEST - 1]}…"


async def read_row(store: BaseStore | None, thread_id: str) -> ThreadRow | None:
    item = await store.aget(ROWS, thread_id) if store else None
    return _row(thread_id, item.value) if item else None


async def write_row(store: BaseStore | None, row: ThreadRow) -> None:
    if store:
        value = {name: value for name, value in asdict(row).items() if name != "thread_id"}
        await store.aput(ROWS, row.thread_id, value, index=False)


async def rows(store: BaseStore) -> list[ThreadRow]:
    """All rows, the latest first."""
    found = {item.key: _row(item.key, item.value) for item in await _all(store, ROWS)}
    return sorted(found.values(), key=lambda row: row.updated, reverse=True)


async def forget(store: BaseStore, thread_id: str) -> bool:
    """Delete the row and the request records of a thread; whether there were any."""
    known = await store.aget(ROWS, thread_id) is not None
    records = await _all(store, (*REQUESTS, thread_id))
    for item in records:
        await store.adelete(item.namespace, item.key)
    await store.adelete(ROWS, thread_id)
    return known or bool(records)


async def _all(store: BaseStore, namespace: tuple[str, ...]) -> list[Any]:
    """A store searches by the beginning of the name: `t1` would find `t10` too."""
    found: list[Any] = []
    while items := await store.asearch(namespace, limit=_PAGE, offset=len(found)):
        found += items
    return [item for item in found if item.namespace == namespace]


def _row(thread_id: str, value: dict[str, Any]) -> ThreadRow:
    known = {name: value.get(name) for name in ("user_id", "outcome")}
    return ThreadRow(
        thread_id=thread_id, request=value.get("request", ""), can_resume=bool(value.get("can_resume")),
        updated=value.get("updated", ""), **known,
    )  # fmt: skip
