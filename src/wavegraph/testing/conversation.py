"""A conversation with an agent, in memory."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import resume, run
from wavegraph.graph.build import build_graph
from wavegraph.graph.domain import Domain, Planner, Responder
from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.model.clients import GivenModel, Role


class Conversation:
    """Requests to a domain's agent on one thread, for tests that are not async (others: `wavegraph.run` on `graph`).

        desk = Conversation(domain)
        assert desk.say("is 'Emma' there?").answer == "Emma: 2 free"

    `settings` hold for every request. Without `model` and `planner` the domain's own rules plan; no model judges answers
    unless `settings` say so: no model that the environment names is called.
    """

    def __init__(
        self,
        domain: Domain,
        *,
        planner: Planner | None = None,
        responder: Responder | None = None,
        model: GivenModel | Mapping[Role, GivenModel] | None = None,
        settings: Mapping[str, Any] | None = None,
        thread_id: str = "test",
    ) -> None:
        if not isinstance(domain, Domain):
            raise SettingsError(
                f"domain = {short_repr(domain)} is not a Domain; for an agent of create_agent use wavegraph.run, or its invoke"
            )
        graph = build_graph(domain, model=model, planner=planner, responder=responder)
        self.graph: Any = graph.compile(checkpointer=InMemorySaver(), store=InMemoryStore())
        self.thread_id = thread_id
        rules = {} if model or planner else {"planner": "rules"}
        self.settings: dict[str, Any] = {"answer_check": "rules", **rules, **(settings or {})}
        self.events: list[Mapping[str, Any]] = []
        """Of the last request, in order; those of the replies to its questions too."""

    def say(self, request: str, **options: Any) -> Result:
        """How a request ends; `options`: those of `wavegraph.run`."""
        self.events.clear()
        return self._ended(run(self.graph, request, **self._with(options)))

    def reply(self, answer: Any = None, **options: Any) -> Result:
        """How the request goes on that waits for a person, or was stopped; `answer`: as `wavegraph.resume` takes a reply."""
        return self._ended(resume(self.graph, reply=answer, **self._with(options)))

    def _with(self, options: Mapping[str, Any]) -> dict[str, Any]:
        settings = {**self.settings, **(options.get("settings") or {})}
        return {"thread_id": self.thread_id, "on_event": self.events.append, **options, "settings": settings or None}

    def _ended(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run(work)
