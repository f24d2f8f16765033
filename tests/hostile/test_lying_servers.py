"""Servers that hint whatever leaves a question out, and a model that calls whatever it is told to: no call without a yes."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from langgraph.checkpoint.memory import InMemorySaver
from runs import human, on_thread
from unruly_servers import Journal, http, stdio

from wavegraph import PlanningResult, PlanningView, build_graph, create_agent, mcp_tools
from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.testing import ScriptedModel, ScriptedPlanner, call, planning

KIND = "calls of an MCP server's tools with every hint it can give, by a model that obeys"
CONVERSATIONS, TURNS, MOST_CALLS = 6, 12, 3


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    leave_all()


class Mallory:
    """A lying server with an agent of its tools, whose model calls what `orders` say, and what was called."""

    def __init__(self, entry: dict[str, Any], journal: Journal, saver: InMemorySaver) -> None:
        adopting = create_agent(ScriptedModel(), mcp_tools({"mcpServers": {"u": entry}}))
        self.orders: list[tuple[str, str]] = []
        self._journal, self._heard = journal, 0
        domain = adopting.builder.agent.domain  # type: ignore[attr-defined]
        graph = build_graph(domain, planner=ScriptedPlanner(then=self._obeys), responder=self)  # type: ignore[arg-type]
        self.graph: Any = graph.compile(checkpointer=saver)
        self.tools = sorted(domain.registry)

    name = "mallory"

    def _obeys(self, view: PlanningView) -> PlanningResult:
        return planning(*[call(f"{tool}_{to}", tool, to=to) for tool, to in self.orders], reply=None)

    async def respond(self, view: Any) -> str:
        return "All is well."

    def says(self, words: str) -> Any:
        """The question that comes; None = an answer."""
        ended = self.graph.invoke(human(words), on_thread(), context={"answer_check": "rules"})
        return ended["__interrupt__"][0].value if "__interrupt__" in ended else None

    def called(self) -> list[tuple[str, str]]:
        """What was called since this was last asked."""
        lines = self._journal.lines[self._heard :]
        self._heard += len(lines)
        return [(f"u_{tool}", to) for tool, to in re.findall(r'called (\w+) \{"to": "(\w+)"\}', "\n".join(lines))]


@pytest.mark.parametrize("over", ["stdio", "http"])
def test_whatever_is_hinted_a_person_is_asked(over: str, tmp_path: Path, attempts: Callable[[str, int], None]) -> None:
    journal = Journal(tmp_path)
    with http(journal, "hints") as server:
        entry = {"url": server.url} if over == "http" else stdio(journal, "hints")
        mallory = Mallory(entry, journal, InMemorySaver())
        for tool in mallory.tools:
            mallory.orders = [(tool, "mallory")]
            question = mallory.says("read my mail")
            assert (question["tool"], question["args"]) == (tool, {"to": "mallory"})
            assert mallory.says("no") is None
        assert mallory.called() == []
        assert len(mallory.tools) == 27
        attempts(KIND, len(mallory.tools))


def test_conversations_at_random(tmp_path: Path, seed: int, attempts: Callable[[str, int], None]) -> None:
    chance = random.Random(f"lying servers {seed}")
    for number in range(CONVERSATIONS):
        (folder := tmp_path / str(number)).mkdir()
        attempts(KIND, Conversation(Journal(folder), chance).held())


class Conversation:
    """One at random. The account of what was agreed to is kept here, by the questions and what is said to them."""

    def __init__(self, journal: Journal, chance: random.Random) -> None:
        self._journal, self._chance, self._saver = journal, chance, InMemorySaver()
        self._agreed: dict[str, str] = {}
        """Tools that may be called, in the form that they were asked about in."""
        self._yes: set[tuple[str, str]] = set()
        """Single calls."""
        self._form = ""
        self._restart()
        self._tools = (
            chance.sample(self._mallory.tools, 3) + [tool for tool in self._mallory.tools if "u_t_t" in tool][:2]
        )

    def _restart(self) -> None:
        """Perhaps with other schemas."""
        self._form = self._chance.choice(["hints", "hints_otherwise"])
        self._mallory = Mallory(stdio(self._journal, self._form), self._journal, self._saver)
        self._mallory.called()

    def held(self) -> int:
        """How many calls were ordered."""
        question, ordered = None, 0
        for turn in range(TURNS):
            if self._chance.random() < 0.15:
                self._restart()
            if question and self._chance.random() < 0.9:
                question = self._answers(question)
            else:
                calls = range(self._chance.randint(1, MOST_CALLS))
                self._mallory.orders = [(self._chance.choice(self._tools), f"x{turn}y{n}") for n in calls]
                ordered += len(calls)
                question = self._mallory.says("read my mail")
            self._holds(question)
        return ordered

    def _answers(self, question: Any) -> Any:
        if self._chance.random() < 0.3:
            return self._mallory.says("no")
        if "only reads, says its server" in question["text"]:
            self._agreed[question["tool"]] = self._asked_in
        else:
            self._yes.add((question["tool"], question["args"]["to"]))
        return self._mallory.says(question["agree_with"])

    def _holds(self, question: Any) -> None:
        """Nothing ran but what was agreed to, and no tool is asked about that was."""
        for tool, to in self._mallory.called():
            assert self._agreed.get(tool) == self._form or (tool, to) in self._yes
        self._asked_in = self._form
        if question and "only reads, says its server" in question["text"]:
            assert self._agreed.get(question["tool"]) != self._form
