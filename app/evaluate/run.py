"""Runs the cases of a file, each on its own thread and several at once, and scores what they did."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from wavegraph.app.agents import agent, settings_for
from wavegraph.app.evaluate.file import Case
from wavegraph.app.evaluate.scores import Call, CaseScore, Seen, Vocabulary, score
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import run
from wavegraph.graph.build import AgentGraph, whole_state
from wavegraph.graph.errors import SettingsError, error_text
from wavegraph.graph.request.records import model_figures
from wavegraph.graph.state import with_defaults

AT_ONCE = 4
"""Cases run at the same time by default."""
YESES = 2
"""How often to say yes when exactly one write is expected."""

CaseVerdict = Literal["passed", "failed", "skipped", "open"]
"""`open`: the file leaves open whether the run was right. Neither it nor `skipped` counts."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """An agent to be scored."""

    graph: StateGraph[Any, Any, Any, Any]
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    says_yes: bool = False
    """Whether its writes may be approved: they write to temporary data."""

    @property
    def tools(self) -> Sequence[str] | None:
        """Names of its tools; None if the graph is not an AgentGraph."""
        return list(self.graph.agent.domain.registry) if isinstance(self.graph, AgentGraph) else None

    def has_model(self, planner: str | None) -> bool:
        """Whether a model plans under this `planner` setting."""
        own = self.graph.agent.planner is not None if isinstance(self.graph, AgentGraph) else True
        return own and planner != "rules"


@dataclass(frozen=True, kw_only=True)
class CaseResult:
    """One case with its score and its figures."""

    case: Case
    verdict: CaseVerdict
    score: CaseScore = field(default_factory=CaseScore)
    seen: Seen | None = None
    """None = it did not run."""
    planner: str | None = None
    elapsed_s: float = 0.0
    """Wall-clock time, without the yes."""
    llm_calls: int = 0
    llm_tokens: Mapping[str, int] = field(default_factory=lambda: {"input": 0, "output": 0})
    started_at: float = 0.0
    """Seconds since 1970."""
    model_down: bool = False

    @property
    def calls(self) -> list[dict[str, Any]]:
        return [{"wave": c.wave, "tool": c.tool, "args": dict(c.args)} for c in (self.seen.calls if self.seen else ())]


@asynccontextmanager
async def subject_of(domain: str, names: Mapping[str, frozenset[str]] | None = None) -> AsyncIterator[Subject]:
    """The agent called `domain`, prepared by its package if it registers an `evaluation`.

    `names`: more names for its tools, as declared in a file. Raises SettingsError.
    """
    with TemporaryDirectory(prefix="wavegraph-eval-") as folder:
        chosen = agent(domain)
        prepared: Callable[[Path], Awaitable[Subject]] | None = chosen.evaluation()
        found = await prepared(Path(folder)) if prepared else Subject(graph=chosen.graph())
        vocabulary = replace(found.vocabulary, tools={**found.vocabulary.tools, **(names or {})})
        subject = replace(found, vocabulary=vocabulary)
        try:
            yield subject
        finally:
            if isinstance(subject.graph, AgentGraph):
                await subject.graph.agent.domain.close()


async def evaluate(
    subject: Subject,
    cases: Sequence[Case],
    *,
    planner: str | None = None,
    include_llm_only: bool = False,
    at_once: int = AT_ONCE,
    on_ended: Callable[[CaseResult], None] = lambda result: None,
) -> list[CaseResult]:
    """The results, in the order of `cases`. `planner`: the setting of that name, None = the agent's default.

    Raises SettingsError, before anything runs, for settings the agent refuses, naming the case, and for planner "llm"
    without a model.
    """
    if planner == "llm" and not subject.has_model(planner):
        raise SettingsError(
            "planner 'llm': no model is set up; set OPENAI_API_KEY or OPENAI_BASE_URL, or use the rules"
        )
    graph = subject.graph.compile(checkpointer=InMemorySaver())
    settings = {case.id: _settings(subject, case, planner) for case in cases}
    skips = not (include_llm_only or subject.has_model(planner))
    free = asyncio.Semaphore(at_once)

    async def one(case: Case) -> CaseResult:
        async with free:
            result = await _one(graph, subject, case, settings[case.id])
        on_ended(result)
        return result

    def skipped(case: Case) -> bool:
        return case.llm_only and skips

    async with asyncio.TaskGroup() as group:
        at_work = {case.id: group.create_task(one(case)) for case in cases if not skipped(case)}
    return [CaseResult(case=case, verdict="skipped") if skipped(case) else at_work[case.id].result() for case in cases]


def _settings(subject: Subject, case: Case, planner: str | None) -> Any:
    today = case.reference_date.isoformat() if case.reference_date else None
    # A score of the model must not include answers by the rules that take over when it fails.
    alone = {"model_fallback": False} if planner == "llm" and isinstance(subject.graph, AgentGraph) else {}
    given = {"today": today, "country": case.country, "planner": planner, **case.settings, **alone}
    try:
        return settings_for(subject.graph, given)
    except SettingsError as error:
        raise SettingsError(f"case {case.id!r}: {error_text(error)}") from None


async def _one(
    graph: CompiledStateGraph[Any, Any, Any, Any], subject: Subject, case: Case, settings: Any
) -> CaseResult:
    config: RunnableConfig = {"configurable": {"thread_id": case.id}}
    started_at, started = time.time(), time.perf_counter()
    try:
        await _recall(graph, config, case)
        result = await run(graph, case.text, thread_id=case.id, settings=settings)
        elapsed_s = time.perf_counter() - started
        state = with_defaults((await whole_state(graph).aget_state(config)).values)
        after_yes = await _say_yes(graph, case, settings, result) if case.expect.once and subject.says_yes else []
    except Exception as error:  # noqa: BLE001  a case may break in any way; the others are still scored
        failed = Seen(outcome="failed", answer="", error=f"{type(error).__name__}: {error_text(error)}")
        took = time.perf_counter() - started
        scored = score(case, failed, subject.vocabulary)
        return CaseResult(case=case, verdict="failed", score=scored, seen=failed, elapsed_s=took, started_at=started_at)
    seen = seen_of(result, after_yes)
    scored = score(case, seen, subject.vocabulary)
    return CaseResult(
        case=case,
        verdict="failed" if scored.failures else "passed" if scored.counts else "open",
        score=scored,
        seen=seen,
        planner=result.planner,
        elapsed_s=round(elapsed_s, 3),
        llm_calls=result.llm_calls,
        llm_tokens=model_figures(state.get("usage", {}))["llm_tokens"],
        model_down=state["model_down"],
        started_at=started_at,
    )


async def _recall(graph: Any, config: RunnableConfig, case: Case) -> None:
    """Put the earlier messages on the thread, as already answered."""
    if not case.history:
        return
    messages: list[AnyMessage] = [(HumanMessage if s.role == "user" else AIMessage)(s.text) for s in case.history]
    await graph.aupdate_state(config, {"messages": messages}, as_node=START)
    await graph.aupdate_state(config, None, as_node=END)


async def _say_yes(graph: Any, case: Case, settings: Any, result: Result) -> list[Call]:
    calls: list[Call] = []
    for _ in range(YESES):
        yes = result.question["agree_with"] if result.question else "yes"
        result = await run(graph, yes, thread_id=case.id, settings=settings)
        calls += _ran(result)
    return calls


def seen_of(result: Result, after_yes: Sequence[Call] = ()) -> Seen:
    """What a run did, for scoring."""
    calls, waves = _ran(result), result.waves
    if question := result.question:
        waves += 1
        calls.append(Call(tool=question["tool"], args=question["args"], wave=waves, waits=True))
    return Seen(outcome=result.outcome, answer=result.answer, waves=waves, calls=calls, after_yes=after_yes)


def _ran(result: Result) -> list[Call]:
    """The calls that ran or reused a result; a skipped call never had its arguments."""
    return [
        Call(tool=outcome["tool"], args=outcome["args"], wave=outcome["wave"], data=outcome["data"])
        for outcome in result.results.values()
        if outcome["status"] not in ("skipped", "cancelled")
    ]
