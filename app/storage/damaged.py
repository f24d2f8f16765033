"""What was stored and cannot be read any more: named by its conversation and database, whatever the decoder said."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import Any, NoReturn

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, DeltaChannelHistory
from langgraph.store.base import Item, Result

from wavegraph.graph.errors import StorageError, error_text


class DamagedData(StorageError):
    """Something stored that cannot be read, such as one thread. The rest can: a list leaves it out and names it."""

    def __init__(self, what: str, database: str, reason: str) -> None:
        super().__init__(
            f"{what} in the database {database!r} is damaged: {reason}; put back a copy of the database, or delete the "
            "thread (wavegraph threads ID --delete)"
        )


class Unreadable(Exception):
    """Stored bytes that are no value; the message says why."""


class NamingSaver(BaseCheckpointSaver[str]):
    """A mixin for LangGraph's savers: a thread that cannot be read is named (DamagedData)."""

    _database: str
    """As a message shows it."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        with self._reading(config):
            saved = await super().aget_tuple(config)
            if saved and not isinstance(saved.checkpoint, Mapping):
                raise Unreadable(f"a checkpoint is a {type(saved.checkpoint).__name__}")
            return saved

    async def alist(self, config: RunnableConfig | None, **options: Any) -> AsyncIterator[CheckpointTuple]:
        found: Any = super().alist(config, **options)
        with self._reading(config):
            async with aclosing(found):
                async for saved in found:
                    yield saved

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        with self._reading(config):
            return await super().aget_delta_channel_history(config=config, channels=channels)

    @contextmanager
    def _reading(self, config: RunnableConfig | None) -> Iterator[None]:
        """Raises DamagedData."""
        try:
            yield
        except (Unreadable, json.JSONDecodeError, UnicodeDecodeError) as error:
            raise self._damaged(config, error) from None

    def _damaged(self, config: RunnableConfig | None, error: Exception) -> DamagedData:
        thread = (config or {}).get("configurable", {}).get("thread_id")
        return DamagedData("a thread" if thread is None else f"thread {thread!r}", self._database, error_text(error))


class DamagedValue(dict[str, Any]):
    """Stands in for a value of the store that cannot be read: whoever looks into it gets the error. Raised at once, it
    would fail whatever is read together with it."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def _refuse(self, *_: Any) -> NoReturn:
        raise self.error

    __getitem__ = __contains__ = __iter__ = __len__ = get = items = keys = values = _refuse


def stored_value(stored: Any) -> dict[str, Any]:
    """A value of the store, or the stand-in."""
    try:
        value = json.loads(stored)
    except ValueError as error:
        return DamagedValue(error)
    return value if isinstance(value, dict) else DamagedValue(TypeError(f"a {type(value).__name__}"))


def name_damaged(results: Sequence[Result], database: str) -> None:
    """Let the error of what cannot be read name it."""
    found = [item for result in results for item in (result if isinstance(result, list) else [result])]
    for item in found:
        if isinstance(item, Item) and isinstance(item.value, DamagedValue):
            place = "/".join((*item.namespace, item.key))
            item.value.error = DamagedData(repr(place), database, error_text(item.value.error))
