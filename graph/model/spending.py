"""Caps on what a conversation and a day may spend on models: calls and tokens.

Counted only while a cap is set, in the graph's store: one item for each thread, and one for each thread and day (UTC), so
that no two threads write the same one. A graph without a store counts in this process.
"""

import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage
from langgraph.store.base import BaseStore, Item
from langgraph.store.memory import InMemoryStore
from pydantic_core import to_jsonable_python

from wavegraph.graph.errors import CapReached, ModelUnavailable, SettingsError, error_text, kind_of_fault, logger
from wavegraph.graph.limits import SPENDING_LIMITS
from wavegraph.graph.settings import RETIRED_CAPS, Settings
from wavegraph.graph.state import key_of
from wavegraph.graph.views import COUNTS, Meter, added_usage

SPENT_THREADS = ("wavegraph", "spent", "threads")
SPENT_DAYS = ("wavegraph", "spent", "days")
BYTES_PER_TOKEN = 4
"""Of text in UTF-8, where a provider does not report tokens."""
PAGE = 1000
"""Items of a day read at a time."""
KEPT_DAYS = 31
"""Days whose counts stay in a store."""


_account: "ContextVar[tuple[BaseStore | None, str | None] | None]" = ContextVar("wavegraph_account", default=None)
"""Where calls are counted, and for which thread."""
_process = InMemoryStore()
"""Counts of graphs without a store."""


@contextmanager
def counted_in(store: BaseStore | None, thread: str | None = None) -> Iterator[None]:
    """Inside, model calls are counted for a thread. A run without one counts for the day alone."""
    token = _account.set((store, thread))
    try:
        yield
    finally:
        _account.reset(token)


@dataclass
class Spending:
    """The caps of one graph."""

    ceilings: Mapping[str, int] = field(default_factory=dict)
    """The environment's, by the setting's name: a run may set a lower cap, never a higher one."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    _cleaned: tuple[str, ...] = field(default=(), init=False)
    """The last day on which old counts were deleted."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> "Spending":
        """Raises SettingsError for a cap that is no number, and for one that is gone."""
        if capped := next((name for name in RETIRED_CAPS if environ.get(_variable(name), "").strip()), None):
            calls, tokens = (_variable(capped.replace("cost", unit)) for unit in ("calls", "tokens"))
            raise SettingsError(  # what an operator has capped is not let go silently
                f"{_variable(capped)} = {environ[_variable(capped)]!r} is read no more: cap money at your gateway or provider, "
                f"and remove it here; {calls} and {tokens} cap the rest"
            )
        given = {name: environ.get(_variable(name)) for name in SPENDING_LIMITS}
        return cls({name: _number(name, text) for name, text in given.items() if text})

    def caps(self, settings: Settings) -> dict[str, int]:
        """The caps of a run, by the setting's name; of two the lower."""
        own = {name: cap for name in SPENDING_LIMITS if (cap := getattr(settings, name)) is not None}
        lower = {name: min(cap, own.get(name, cap)) for name, cap in self.ceilings.items()}
        return {**own, **lower}

    async def begin(self, role: str, settings: Settings, meter: Meter, model: str, *prompt: str) -> "Count":
        """Count a call of a role's model that begins now, in the request's figures and, where something is capped, in the
        store. Raises CapReached if a cap is spent. What is returned counts the tokens of its answer."""
        caps = self.caps(settings)
        most = caps.pop("max_request_calls", None)  # counted by the request's own meter
        if most is not None and meter.calls >= most:
            raise CapReached("max_request_calls", f"max_request_calls = {most} is spent")
        add = await self._add_of_a_call(caps)
        name = f"{role} {model}"
        _note(meter, name, {"calls": 1})
        return partial(_count, add, meter, name, sum(len(text.encode("utf-8", "replace")) for text in prompt))

    async def _add_of_a_call(self, caps: Mapping[str, int]) -> "Add | None":
        """What adds to the counts of the thread and the day, to which a call that begins now is added; None = nothing is capped."""
        account = _account.get()
        if account is None or not caps:
            return None
        store, thread = account
        if store is None:
            _warn("this graph has no store: what its models spend is counted in this process alone")
            store = _process
        key = key_of(thread) if thread else uuid4().hex
        day = (*SPENT_DAYS, f"{self.now().astimezone(UTC):%Y-%m-%d}")
        add = partial(_add, store, key, [SPENT_THREADS, day] if thread else [day])
        try:
            await _refuse_spent(store, key, day, caps)
            await add(calls=1)
            if self._cleaned != day:
                self._cleaned = day
                await _forget_old(store, day)
        except CapReached:
            raise
        except Exception as error:  # noqa: BLE001  every store has its own errors
            raise ModelUnavailable(f"what was spent cannot be counted: {kind_of_fault(error)}") from None
        return add


Add = Callable[..., Awaitable[None]]
Count = Callable[[AIMessage], Awaitable[None]]
Begin = Callable[..., Awaitable[Count]]
"""`Spending.begin` for one role and request: takes the model's name and the prompt."""


async def _count(add: Add | None, meter: Meter, name: str, prompt_bytes: int, answer: AIMessage) -> None:
    reported = _reported_tokens(answer)
    _note(meter, name, reported)
    meter.reported = to_jsonable_python(
        {field: value for field in ("usage_metadata", "response_metadata") if (value := getattr(answer, field))},
        fallback=str,
    )
    if add is None:
        return
    tokens = reported["input"] + reported["output"] if reported else _estimated_tokens(answer, prompt_bytes)
    try:
        await add(tokens=tokens)
    except Exception as error:  # noqa: BLE001  the answer is there, and the call itself was counted
        logger.error("the tokens of a model call were not counted: %s", kind_of_fault(error))


def _note(meter: Meter, name: str, counts: Mapping[str, int]) -> None:
    """`name`: the role and its model."""
    use: Any = {**dict.fromkeys(COUNTS, 0), **counts}
    meter.usage = added_usage(meter.usage, {name: use})


def _reported_tokens(answer: AIMessage) -> dict[str, int]:
    """The tokens that a provider tells; empty = none."""
    if told := answer.usage_metadata:
        cached = told.get("input_token_details", {}).get("cache_read") or 0
        reasoning = told.get("output_token_details", {}).get("reasoning") or 0
        return {"input": told["input_tokens"], "output": told["output_tokens"],
                "cached": min(cached, told["input_tokens"]), "reasoning": reasoning}  # fmt: skip
    return {}


def _estimated_tokens(answer: AIMessage, prompt_bytes: int) -> int:
    """Tokens, in and out."""
    _warn("a model reports no tokens: they are counted as bytes of its texts, by %d", BYTES_PER_TOKEN)
    written = len(str(answer.text).encode("utf-8", "replace")) + len(str(answer.tool_calls or ""))
    return -(-prompt_bytes // BYTES_PER_TOKEN) - (-written // BYTES_PER_TOKEN)


_warn = cache(logger.warning)
"""Once in a process."""


# The store: of a thread and of each thread's day, calls, and tokens in and out; neither the thread's id nor any text

_Place = tuple[str, ...]


async def _refuse_spent(store: BaseStore, key: str, day: _Place, caps: Mapping[str, int]) -> None:
    """Raises CapReached."""
    scopes = {name.split("_")[1] for name in caps}
    spent = {
        "thread": await _counts(store, SPENT_THREADS, key) if "thread" in scopes else {},
        "day": _sum(await _items(store, day)) if "day" in scopes else {},
    }
    for name, cap in caps.items():
        _, scope, unit = name.split("_")
        if spent[scope][unit] >= cap:
            raise CapReached(name, f"{name} = {cap} is spent")


async def _counts(store: BaseStore, place: _Place, key: str) -> Mapping[str, int]:
    item = await store.aget(place, key)
    return _sum([item] if item else [])


async def _add(store: BaseStore, key: str, places: Sequence[_Place], calls: int = 0, tokens: int = 0) -> None:
    for place in places:
        before = await _counts(store, place, key)
        after = {"calls": before["calls"] + calls, "tokens": before["tokens"] + tokens}
        await store.aput(place, key, after, index=False)


async def _forget_old(store: BaseStore, today: _Place) -> None:
    """Delete the counts of days long past."""
    oldest = (date.fromisoformat(today[-1]) - timedelta(days=KEPT_DAYS)).isoformat()
    for namespace in await store.alist_namespaces(prefix=SPENT_DAYS, limit=PAGE):
        for item in await _items(store, namespace) if namespace[-1] < oldest else ():
            await store.adelete(namespace, item.key)


async def _items(store: BaseStore, namespace: tuple[str, ...]) -> Iterable[Item]:
    found: dict[str, Item] = {}
    offset = 0
    while page := await store.asearch(namespace, limit=PAGE, offset=offset):
        found |= {item.key: item for item in page}  # one that moved between two pages comes twice
        offset += len(page)
    return found.values()


def _sum(items: Iterable[Item]) -> Mapping[str, int]:
    """An earlier version stored tokens in and out, by role and model."""
    counts = [each for item in items for each in item.value.get("models", {"": item.value}).values()]
    tokens = sum(each.get(name, 0) for each in counts for name in ("tokens", "input", "output"))
    return {"calls": sum(each["calls"] for each in counts), "tokens": tokens}


def _variable(name: str) -> str:
    return f"WAVEGRAPH_{name.upper()}"


def _number(name: str, text: str) -> int:
    """Raises SettingsError."""
    try:
        return int(getattr(Settings.model_validate({name: text}), name))
    except SettingsError as error:
        raise SettingsError(f"{_variable(name)}: {error_text(error)}") from None
