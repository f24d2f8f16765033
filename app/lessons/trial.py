"""Evaluates a prompt with and without a lesson, and says what got better and worse."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from wavegraph.app.evaluate.file import Case, RequestFile, check_tools
from wavegraph.app.evaluate.run import CaseResult, evaluate, subject_of
from wavegraph.app.lessons.candidates import Candidate
from wavegraph.app.lessons.failures import digest, faults_in
from wavegraph.app.pages.numbers import counted
from wavegraph.app.run.threads import now
from wavegraph.graph.agent import Agent
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import LessonError
from wavegraph.graph.model.clients import ROLES, ModelEnvironment, Models, model_names
from wavegraph.graph.model.lessons import Lesson, Reader, instead_of_kept, with_lessons
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.model.responder import LlmResponder

REPEATS = 3
MEASURED = ("passed", "failed")


class CaseFigures(TypedDict):
    """One case in both ways: how many of its runs passed."""

    id: str
    category: str
    without: int
    without_runs: int
    with_: int
    with_runs: int


class CriterionFigures(TypedDict):
    """In how many runs something failed, as the stored failures name it."""

    name: str
    without: int
    with_: int


class Trial(TypedDict):
    """The figures of one lesson, as they are stored."""

    lesson: str
    """Hash of reader and text."""
    prompts: str
    """Hash of the instructions, kept lessons among them, that it was tried with."""
    at: str
    file: str
    file_hash: str
    models: list[str]
    repeats: int
    cases: list[CaseFigures]
    criteria: list[CriterionFigures]
    tokens: list[float]
    """A run's, without and with."""
    lost: list[str]
    """Cases of which a run could not be measured: the model was down."""


@dataclass
class Arm:
    """All runs of one prompt."""

    results: list[CaseResult] = field(default_factory=list)

    def of(self, case: Case) -> list[CaseResult]:
        return [each for each in self.results if each.case.id == case.id and is_measured(each)]

    @property
    def measured(self) -> list[CaseResult]:
        return [each for each in self.results if is_measured(each)]

    @property
    def lost(self) -> set[str]:
        return {each.case.id for each in self.results if each.model_down}


def is_measured(result: CaseResult) -> bool:
    return result.verdict in MEASURED and not result.model_down


def prompts_hash(domain: Domain, kept: Sequence[Lesson]) -> str:
    """What a trial is good for: the domain's instructions with these lessons, and no others."""
    planner, writer = prompts_of(domain)
    return digest(
        with_lessons(planner.instructions, kept, "planner"), with_lessons(writer.instructions, kept, "writer")
    )


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A file of requests, and how often each is run."""

    path: Path
    content: RequestFile
    cases: Sequence[Case]
    repeats: int
    at_once: int

    async def tried(
        self,
        name: str,
        candidates: Sequence[Candidate],
        kept: Sequence[Lesson],
        on_ended: Callable[[], None] = lambda: None,
    ) -> dict[str, Trial]:
        """By the candidates' ids. Both ways take turns, so that a model that changes meanwhile changes both.

        `name`: of the agent, as `--domain` takes it. Raises LessonError, SettingsError, EvaluationFileError.
        """
        prompts, models = await self._prompts(name, kept, {each.reader for each in candidates})
        without = Arm()
        with_each = {each.id: Arm() for each in candidates}
        for _ in range(self.repeats):
            without.results += await self._once(name, kept, on_ended)
            for each in candidates:
                added: Lesson = {"id": each.id, "reader": each.reader, "text": each.text}
                with_each[each.id].results += await self._once(name, [*kept, added], on_ended)
        return {each.id: self._figures(each, prompts, models, without, with_each[each.id]) for each in candidates}

    async def _once(self, name: str, lessons: Sequence[Lesson], on_ended: Callable[[], None]) -> list[CaseResult]:
        """Every case once, on data of its own: what an earlier run booked must not be in its way."""
        async with subject_of(name, self.content.names) as subject:
            with instead_of_kept(lessons):
                return await evaluate(
                    subject, self.cases, planner="llm", at_once=self.at_once, on_ended=lambda _: on_ended()
                )

    async def _prompts(self, name: str, kept: Sequence[Lesson], readers: Collection[Reader]) -> tuple[str, list[str]]:
        """The hash of what is read, and the names of the models that read it; checked before anything is spent."""
        async with subject_of(name, self.content.names) as subject:
            agent = agent_of(subject.graph)
            _check_readers(agent, readers)
            check_tools(self.path, self.content, subject.vocabulary.tools, subject.tools or ())
            settings, models = agent.settled(agent.domain.settings()), agent.models
            asked = [await models.get(role, settings) for role in ROLES if models.has(role)] if models else []
            names = dict.fromkeys(name for model in asked for name in model_names(model))
            return prompts_hash(agent.domain, kept), list(names)

    def _figures(self, candidate: Candidate, prompts: str, models: list[str], without: Arm, with_: Arm) -> Trial:
        return {
            "lesson": candidate.hash,
            "prompts": prompts,
            "at": now(),
            "file": self.path.name,
            "file_hash": digest(self.content.model_dump_json()),
            "models": models,
            "repeats": self.repeats,
            "cases": [_case(each, without.of(each), with_.of(each)) for each in self.cases],
            "criteria": _criteria(without.measured, with_.measured),
            "tokens": [_tokens(without.measured), _tokens(with_.measured)],
            "lost": sorted(without.lost | with_.lost),
        }


def agent_of(graph: Any) -> Agent:
    """Raises LessonError for a graph that `build_graph` did not make."""
    if not isinstance(graph, AgentGraph):
        raise LessonError("this agent's graph is not made by build_graph, so its prompts include no lessons")
    return graph.agent


def _check_readers(agent: Agent, readers: Collection[Reader]) -> None:
    """Raises LessonError where nobody would read the lessons."""
    reads = {"planner": isinstance(agent.planner, LlmPlanner), "writer": isinstance(agent.responder, LlmResponder)}
    if deaf := [reader for reader in readers if not reads[reader]]:
        raise LessonError(
            f"lessons for the {deaf[0]} are read by a model, and this agent has none there: set OPENAI_API_KEY or "
            "OPENAI_BASE_URL"
        )


def prompts_of(domain: Domain) -> tuple[LlmPlanner, LlmResponder]:
    """Who holds the instructions that lessons follow; no model is needed for them."""
    none = Models(None, ModelEnvironment())
    return LlmPlanner(domain, none), LlmResponder(domain, none)


def _case(case: Case, without: Sequence[CaseResult], with_: Sequence[CaseResult]) -> CaseFigures:
    return {
        "id": case.id,
        "category": case.category,
        "without": _passed(without),
        "without_runs": len(without),
        "with_": _passed(with_),
        "with_runs": len(with_),
    }


def _passed(results: Iterable[CaseResult]) -> int:
    return sum(each.verdict == "passed" for each in results)


def _criteria(without: Sequence[CaseResult], with_: Sequence[CaseResult]) -> list[CriterionFigures]:
    before, after = _kinds(without), _kinds(with_)
    return [{"name": name, "without": before[name], "with_": after[name]} for name in sorted({*before, *after})]


def _kinds(results: Sequence[CaseResult]) -> Counter[str]:
    """In how many runs a kind of failure occurred."""
    return Counter(kind for each in results for kind in {fault.kind for fault in faults_in(each.record)})


def _tokens(results: Sequence[CaseResult]) -> float:
    used = [sum(each.llm_tokens.values()) for each in results]
    return round(sum(used) / len(used), 1) if used else 0.0


@dataclass(frozen=True)
class Verdict:
    """What a trial says."""

    trial: Mapping[str, Any]

    @property
    def passed(self) -> tuple[int, int, int, int]:
        """Runs that passed and runs, without and with."""
        cases = self.trial["cases"]
        names = ("without", "without_runs", "with_", "with_runs")
        one, two, three, four = (sum(case[name] for case in cases) for name in names)
        return one, two, three, four

    @property
    def better(self) -> list[Mapping[str, Any]]:
        return [case for case in self.trial["cases"] if _change(case) > 0]

    @property
    def worse(self) -> list[Mapping[str, Any]]:
        return [case for case in self.trial["cases"] if _change(case) < 0]

    @property
    def chance(self) -> float:
        """How often cases that change by chance alone are parted as unevenly, or more (sign test, both sides)."""
        fewer, n = min(len(self.better), len(self.worse)), len(self.better) + len(self.worse)
        return min(1.0, sum(comb(n, k) for k in range(fewer + 1)) / float(2 ** max(n - 1, 0)))

    @property
    def made_worse(self) -> list[str]:
        """What speaks against the lesson, one line each; empty = nothing does."""
        passed, runs, passed_with, runs_with = self.passed
        found = []
        if not runs or not runs_with:
            return ["nothing was measured"]
        if passed_with * runs < passed * runs_with:
            found.append(f"{passed_with} of {runs_with} runs passed with it, {passed} of {runs} without")
        found += [
            f"case {case['id']} passed every time without it, and never with it"
            for case in self.worse
            if case["without"] == case["without_runs"] and case["with_"] == 0
        ]
        found += [
            f"{each['name']} failed in {each['with_']} runs with it, in {each['without']} without"
            for each in self.trial["criteria"]
            if each["with_"] * runs > each["without"] * runs_with
        ]
        if self.trial["lost"]:
            found.append(f"the model was down in runs of {', '.join(self.trial['lost'])}")
        return found

    @property
    def line(self) -> str:
        """The figures in one line."""
        passed, runs, passed_with, runs_with = self.passed
        return (
            f"{self.trial['file']}: {passed}/{runs} runs passed without it, {passed_with}/{runs_with} with it; "
            f"{counted(len(self.better), 'case')} better, {len(self.worse)} worse"
        )

    @property
    def noise(self) -> str:
        """What the figures may be worth."""
        n = len(self.better) + len(self.worse)
        if not n:
            return "no case changed: the file shows no effect of the lesson"
        few = "; one run of each case cannot tell a change from chance" if self.trial["repeats"] == 1 else ""
        percent = f"{100 * self.chance:.0f} %"
        return f"chance alone parts {counted(n, 'changed case')} as unevenly in {percent} of trials{few}"


def _change(case: Mapping[str, Any]) -> int:
    """The sign of what the lesson changed; 0 also where one way was not measured."""
    if not case["without_runs"] or not case["with_runs"]:
        return 0
    more: int = case["with_"] * case["without_runs"] - case["without"] * case["with_runs"]
    return (more > 0) - (more < 0)
