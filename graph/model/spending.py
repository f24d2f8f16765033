"""Caps on what a conversation and a day may spend on models: calls, tokens, money.

Counted only while a cap is set, in the graph's store: one item for each thread, and one for each thread and day (UTC), so
that no two threads write the same one. A graph without a store counts in this process.
"""

import logging
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, NotRequired
from uuid import uuid4

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from typing_extensions import TypedDict

from wavegraph.graph.errors import CapReached, ModelUnavailable, SettingsError, kind_of_fault
from wavegraph.graph.limits import SPENDING_LIMITS
from wavegraph.graph.model.prices import PRICES, Prices
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import key_of
from wavegraph.graph.views import COUNTS, Meter, added_usage

logger = logging.getLogger("wavegraph")

SPENT_THREADS = ("wavegraph", "spent", "threads")
SPENT_DAYS = ("wavegraph", "spent", "days")
BYTES_PER_TOKEN = 4
"""Of text in UTF-8, where a provider does not report tokens."""
PAGE = 1000
"""Items of a day read at a time."""
KEPT_DAYS = 31
"""Days whose counts stay in a store."""
MEMORY_DAYS = 2
"""Days that a process without a store remembers."""


class Used(TypedDict):
    """What one model was used for, in one role."""

    calls: int
    input: int
    """Tokens, cached ones included."""
    cached: int
    output: int
    estimated: NotRequired[int]
    """Calls whose tokens are a guess from the length of the text."""


class Spent(TypedDict):
    """What is stored of a thread, or of its part of a day. Neither the thread's id nor any text."""

    models: dict[str, Used]
    """By role and model: `planner gpt-5-mini`."""
    cost: str
    """In the currency of the price table; counted while a cap on money is set."""


@dataclass(frozen=True)
class _Account:
    """Whose calls are counted, and where."""

    store: BaseStore | None
    thread_id: str | None

    @cached_property
    def thread(self) -> str:
        """The thread's key; of no thread, one of its own."""
        return key_of(self.thread_id) if self.thread_id else uuid4().hex


_account: ContextVar[_Account | None] = ContextVar("wavegraph_account", default=None)
_memory: dict[tuple[str, ...], dict[str, Spent]] = defaultdict(dict)
"""Counts of graphs without a store, by namespace and key."""


@contextmanager
def counted_for(runtime: Runtime[Any]) -> Iterator[None]:
    """Inside, model calls are counted for the run's thread. A run without a thread counts for the day alone."""
    thread = runtime.execution_info.thread_id if runtime.execution_info else None
    with counted_in(runtime.store, thread):
        yield


@contextmanager
def counted_in(store: BaseStore | None, thread: str | None = None) -> Iterator[None]:
    """The same for calls outside a run."""
    token = _account.set(_Account(store, thread))
    try:
        yield
    finally:
        _account.reset(token)


def utc_now() -> datetime:
    return datetime.now(UTC)


_Caps = Mapping[str, int | Decimal]


@dataclass
class Spending:
    """The caps of one graph."""

    ceilings: _Caps = field(default_factory=dict)
    """The environment's, by the setting's name: a run may set a lower cap, never a higher one."""
    prices: Prices | None = None
    now: Callable[[], datetime] = utc_now
    _cleaned: str = field(default="", init=False)
    """The last day on which old counts were deleted."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ) -> "Spending":
        """Raises SettingsError for a cap that is no number, and for prices that are missing or cannot be read."""
        given = {name: environ.get(f"WAVEGRAPH_{name.upper()}") for name in SPENDING_LIMITS}
        ceilings = {name: _number(name, text) for name, text in given.items() if text}
        file = environ.get(PRICES)
        made = cls(ceilings=ceilings, prices=Prices.read(Path(file)) if file else None)
        made._check_prices(ceilings)
        return made

    def caps(self, settings: Settings) -> _Caps:
        """The caps of a run, by the setting's name; of two the lower."""
        own = {name: getattr(settings, name) for name in SPENDING_LIMITS}
        chosen = {name: _exact(name, cap) for name, cap in own.items() if cap is not None}
        both = {**self.ceilings, **chosen}
        return {name: min(cap, self.ceilings.get(name, cap)) for name, cap in both.items()}

    def check(self, settings: Settings, models: Callable[[], Iterable[str]]) -> None:
        """Raises SettingsError if money is capped and what a model costs is not known. `models`: their names."""
        caps = self.caps(settings)
        self._check_prices(caps)
        if self.prices and _of_money(caps):
            for model in models():
                self.prices.price(model)

    def _check_prices(self, caps: _Caps) -> None:
        if (names := _of_money(caps)) and self.prices is None:
            raise SettingsError(
                f"{names[0]!r} caps money, and {PRICES} names no price table; see docs/running/spending.md"
            )

    async def begin(self, role: str, model: str, settings: Settings, *prompt: str) -> "Call":
        """Count a call that begins now. Raises CapReached if a cap is spent, SettingsError for a model without a price."""
        account = _account.get()
        caps = self.caps(settings)
        if not caps or account is None:
            return Call(None, "")
        self.check(settings, lambda: [model])
        tally = _Tally(account, f"{self.now().astimezone(UTC):%Y-%m-%d}")
        try:
            for scope in ("thread", "day"):
                await _refuse_spent(scope, {name: cap for name, cap in caps.items() if f"_{scope}_" in name}, tally)
            prices = self.prices if _of_money(caps) else None
            call = Call(
                tally, f"{role} {model}", prices, model, sum(len(text.encode("utf-8", "replace")) for text in prompt)
            )
            await tally.add(call.name, {"calls": 1})
            if self._cleaned != tally.date:
                self._cleaned = tally.date
                await tally.forget_old()
        except CapReached:
            raise
        except Exception as error:  # noqa: BLE001  every store has its own errors
            raise ModelUnavailable(f"what was spent cannot be counted: {kind_of_fault(error)}") from None
        return call


@dataclass(frozen=True)
class Payer:
    """Who pays for the calls of one model in one role."""

    spending: Spending
    role: str
    model: str
    settings: Settings
    meter: Meter

    async def begin(self, *prompt: str) -> "Call":
        """As `Spending.begin`; the call stands in the request's figures too."""
        call = await self.spending.begin(self.role, self.model, self.settings, *prompt)
        self._note({"calls": 1})
        return replace(call, note=self._note)

    def _note(self, counts: Mapping[str, int]) -> None:
        name = f"{self.role} {self.model}"
        use: Any = {**dict.fromkeys(COUNTS, 0), **counts}
        if price := self.spending.prices and self.spending.prices.models.get(self.model):
            use["cost"] = str(price.of(**{each: use[each] for each in ("input", "cached", "output")}))
        self.meter.usage = added_usage(self.meter.usage, {name: use})


async def _refuse_spent(scope: str, caps: _Caps, tally: "_Tally") -> None:
    """Raises CapReached."""
    if not caps:
        return
    spent = await (tally.thread() if scope == "thread" else tally.day())
    for name, cap in caps.items():
        if spent[name.rpartition("_")[2]] >= cap:
            raise CapReached(name, f"{name} = {cap} is spent")


@dataclass
class Call:
    """One call of a model that is counted; without a tally it is not."""

    tally: "_Tally | None"
    name: str
    prices: Prices | None = None
    model: str = ""
    prompt_bytes: int = 0
    note: Callable[[Mapping[str, int]], None] | None = None
    """Writes down tokens that were reported."""

    async def ended(self, answer: AIMessage) -> None:
        """Count the tokens of an answer."""
        if self.note and (reported := _reported(answer)):
            self.note(reported)
        if self.tally is None:
            return
        used = _used_by(answer, self.prompt_bytes)
        counts = {name: used[name] for name in ("input", "cached", "output")}
        cost = self.prices.price(self.model).of(**counts) if self.prices else Decimal(0)
        try:
            await self.tally.add(self.name, used, cost)
        except Exception as error:  # noqa: BLE001  the answer is there, and the call itself was counted
            logger.error("the tokens of a model call were not counted: %s", kind_of_fault(error))


def _used_by(answer: AIMessage, prompt_bytes: int) -> dict[str, int]:
    if reported := _reported(answer):
        return {name: reported[name] for name in ("input", "output", "cached")}
    _warn("a model reports no tokens: they are counted as bytes of its texts, by %d", BYTES_PER_TOKEN)
    written = len(str(answer.text).encode("utf-8", "replace")) + len(str(answer.tool_calls or ""))
    return {
        "input": -(-prompt_bytes // BYTES_PER_TOKEN),
        "output": -(-written // BYTES_PER_TOKEN),
        "cached": 0,
        "estimated": 1,
    }


def _reported(answer: AIMessage) -> dict[str, int]:
    """The tokens that a provider tells; empty = none."""
    if told := answer.usage_metadata:
        cached = told.get("input_token_details", {}).get("cache_read") or 0
        reasoning = told.get("output_token_details", {}).get("reasoning") or 0
        return {"input": told["input_tokens"], "output": told["output_tokens"],
                "cached": min(cached, told["input_tokens"]), "reasoning": reasoning}  # fmt: skip
    return {}


@cache
def _warn(message: str, *values: object) -> None:
    """Once in a process."""
    logger.warning(message, *values)


_Totals = Mapping[Literal["calls", "tokens", "cost"] | str, int | Decimal]


@dataclass(frozen=True)
class _Tally:
    """What a thread and a day have spent."""

    account: _Account
    date: str

    async def thread(self) -> _Totals:
        return _totals([await self._read(SPENT_THREADS)])

    async def day(self) -> _Totals:
        return _totals([item async for item in self._items((*SPENT_DAYS, self.date))])

    async def add(self, name: str, used: Mapping[str, int], cost: Decimal = Decimal(0)) -> None:
        for namespace in (SPENT_THREADS, (*SPENT_DAYS, self.date)):
            await self._write(namespace, _added(await self._read(namespace), name, used, cost))

    async def forget_old(self) -> None:
        """Delete the counts of days long past."""
        if self.account.store is None:
            return
        oldest = (date.fromisoformat(self.date) - timedelta(days=KEPT_DAYS)).isoformat()
        for namespace in await self.account.store.alist_namespaces(prefix=SPENT_DAYS, limit=PAGE):
            for item in await self.account.store.asearch(namespace, limit=PAGE) if namespace[-1] < oldest else ():
                await self.account.store.adelete(namespace, item.key)

    async def _read(self, namespace: tuple[str, ...]) -> Spent | None:
        if self.account.store is None:
            return _memory[namespace].get(self.account.thread)
        item = await self.account.store.aget(namespace, self.account.thread)
        return item.value if item else None  # type: ignore[return-value]

    async def _write(self, namespace: tuple[str, ...], spent: Spent) -> None:
        if self.account.store is not None:
            await self.account.store.aput(namespace, self.account.thread, dict(spent), index=False)
            return
        _warn("this graph has no store: what its models spend is counted in this process alone")
        _memory[namespace][self.account.thread] = spent
        days = sorted(known for known in _memory if known[: len(SPENT_DAYS)] == SPENT_DAYS)
        for known in days[:-MEMORY_DAYS]:
            del _memory[known]

    async def _items(self, namespace: tuple[str, ...]) -> AsyncIterator[Spent]:
        if self.account.store is None:
            for spent in list(_memory[namespace].values()):
                yield spent
            return
        found: dict[str, Any] = {}
        offset = 0
        while page := await self.account.store.asearch(namespace, limit=PAGE, offset=offset):
            found |= {item.key: item.value for item in page}  # one that moved between two pages comes twice
            offset += len(page)
        for value in found.values():
            yield value


def _added(before: Spent | None, name: str, used: Mapping[str, int], cost: Decimal) -> Spent:
    models = dict(before["models"]) if before else {}
    known: Mapping[str, Any] = models.get(name, {})
    counts: Any = {each: known.get(each, 0) + used.get(each, 0) for each in Used.__annotations__}
    models[name] = counts
    return {"models": models, "cost": str(Decimal(before["cost"] if before else 0) + cost)}


def _totals(items: "list[Spent | None]") -> _Totals:
    spent = [item for item in items if item]
    used = [each for item in spent for each in item["models"].values()]
    return {
        "calls": sum(each["calls"] for each in used),
        "tokens": sum(each["input"] + each["output"] for each in used),
        "cost": sum((Decimal(item["cost"]) for item in spent), Decimal(0)),
    }


def _of_money(caps: _Caps) -> list[str]:
    return [name for name in caps if name.endswith("_cost")]


def _number(name: str, text: str) -> int | Decimal:
    """Raises SettingsError."""
    try:
        cap: int | float = getattr(Settings.model_validate({name: text}), name)
    except SettingsError as error:
        raise SettingsError(f"WAVEGRAPH_{name.upper()}: {error_text(error)}") from None
    return _exact(name, cap)


def _exact(name: str, cap: float) -> int | Decimal:
    return Decimal(str(cap)) if name.endswith("_cost") else int(cap)
