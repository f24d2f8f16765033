"""A post office: its one write sends a letter, and can be held on its way."""

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, write
from wavegraph.app.storage.database import Storage
from wavegraph.testing import call, planning

Kind = Literal["blind", "repeatable", "looked up"]
Stage = Literal["about to send", "sending"]


class Post:
    """A request such as "Ada Ben" sends a letter to each."""

    def __init__(self, kind: Kind = "blind") -> None:
        self.kind = kind
        self.sent: list[str] = []

    def graph(self, storage: Storage, held_at: Stage | None = None) -> "Office":
        return Office(self, storage, held_at)

    def _found(self, to: str) -> str | None:
        return "sent" if to in self.sent else None


class Office:
    """A graph on a database. `held_at`: where its first letter sets `reached` and waits for `freed`, or sets `stopped`."""

    def __init__(self, post: Post, storage: Storage, held_at: Stage | None) -> None:
        self._post, self._held_at = post, held_at
        self._has_planned = False
        self.reached, self.freed, self.stopped = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.graph: Any = build_graph(self._domain()).compile(
            checkpointer=storage.checkpointer, store=storage.store, name="post"
        )

    async def _pass(self, stage: Stage) -> None:
        if stage == self._held_at:
            self.reached.set()
            try:
                await self.freed.wait()
            except asyncio.CancelledError:
                self.stopped.set()
                raise

    def plan(self, view: PlanningView) -> PlanningResult:
        self._has_planned = True
        return planning(*(call(name.lower(), "send", to=name) for name in view.request["text"].split()))

    def respond(self, view: AnswerView) -> str:
        return "done"

    def _domain(self) -> Domain:
        post = self._post

        async def send(to: str) -> str:
            """Send a letter."""
            await self._pass("sending")
            post.sent.append(to)
            return "sent"

        async def look_up(args: Mapping[str, Any], settings: Any) -> str | None:
            found = post._found(args["to"])
            await self._pass("about to send")
            return found

        async def opened() -> None:
            if self._has_planned and post.kind != "looked up":
                await self._pass("about to send")

        declared: Any = {"blind": {}, "repeatable": {"repeatable": True}, "looked up": {"look_up": look_up}}[post.kind]
        return Domain(name="post", tools=[write(send, **declared)], offline=self, open=opened)
