"""The hotel run whole: the real graph over a property's file, and hotels that fail on purpose."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from runs import Run, compiled, run
from skipping import LIMIT_S, jump

from wavegraph import Domain
from wavegraph.graph.domain import Planner
from wavegraph.tools.hotel.booking_tools import booking_tools
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.property.port import Property
from wavegraph.tools.hotel.property.registry import Properties
from wavegraph.tools.hotel.records import Availability, StayQuery
from wavegraph.tools.hotel.tools import hotel_tools

TODAY = "2026-11-20"
"""A Friday; Hanukkah begins two weeks later."""


OUTLASTS = (LIMIT_S + 1, 2 * LIMIT_S + 1, 4 * LIMIT_S + 1)
"""Acts that outlast the limit of a call, and the longer ones of the calls that are made again."""
PATIENT = {"tool_timeout_s": LIMIT_S, "request_timeout_s": 60 * LIMIT_S}


class FaultyProperty:
    """A hotel whose next availability calls fail, or do not end in so many seconds, one act each; then it answers as it is."""

    def __init__(self, adapter: Property, *acts: BaseException | float) -> None:
        self._adapter, self._acts = adapter, deque(acts)
        self.asked: list[StayQuery] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._adapter, name)

    async def availability(self, query: StayQuery, *, today: Any) -> Availability:
        self.asked.append(query)
        act = self._acts.popleft() if self._acts else 0.0
        if isinstance(act, BaseException):
            raise act
        if act:
            jump(act if isfinite(act) else 0.0)
            await asyncio.Event().wait()
        return await self._adapter.availability(query, today=today)


class OneProperty(Properties):
    """Every property id opens this hotel."""

    def __init__(self, adapter: Any) -> None:
        super().__init__()
        self.adapter = adapter

    async def open(self, property_id: str) -> Property:
        return self.adapter  # type: ignore[no-any-return]


def domain_of(adapter: Any) -> Domain:
    """The hotel's domain, speaking for this hotel alone."""
    properties = OneProperty(adapter)
    return replace(hotel_domain(), tools=[*hotel_tools(properties), *booking_tools(properties)])


def asked(
    data_dir: Path | Domain,
    text: str,
    *,
    planner: Planner | None = None,
    history: Sequence[tuple[str, str]] = (),
    today: str = TODAY,
    **settings: Any,
) -> Run:
    """One request to a hotel, from a checkout of its own: state and events."""
    domain = data_dir if isinstance(data_dir, Domain) else hotel_domain(data_dir)
    return run(compiled(domain, planner), said(text, history), context={"today": today, **settings})


def said(text: str, history: Sequence[tuple[str, str]] = ()) -> dict[str, list[AnyMessage]]:
    """Input for a graph; `history`: (role, text) pairs, role `user` or `assistant`."""
    earlier: list[AnyMessage] = [HumanMessage(was) if role == "user" else AIMessage(was) for role, was in history]
    return {"messages": [*earlier, HumanMessage(text)]}


def waves(ended: Run) -> list[list[str]]:
    """The call ids of every wave, sorted inside a wave."""
    return [sorted(event["calls"]) for event in ended.told("wave_started")]
