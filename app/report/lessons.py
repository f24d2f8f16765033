"""Lessons from failures: a model proposes them, and none is taken that could tell of a guest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from langgraph.store.base import BaseStore
from pydantic import BaseModel, ValidationError

from wavegraph.app.pages.numbers import counted
from wavegraph.app.plain_text import plain
from wavegraph.app.report.masking import LONGEST_LESSON, GuestWords
from wavegraph.app.report.stored import StoredRequest
from wavegraph.app.run.threads import shortened
from wavegraph.graph.agent import Agent
from wavegraph.graph.errors import ModelUnavailable, PlanError, kind_of_fault
from wavegraph.graph.model.calls import Form
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.judge import ACCURACY, Judge
from wavegraph.graph.model.lessons import kept_lessons
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.model.prompt_blocks import tagged
from wavegraph.graph.model.responder import LlmResponder
from wavegraph.graph.model.spending import counted_in
from wavegraph.graph.views import Meter
from wavegraph.prompts import render

MOST_GROUPS, MOST_EXAMPLES, MOST_PROPOSED = 8, 4, 6
"""Groups of failures that a model sees, examples of one, lessons that are taken."""
LONGEST_EXAMPLE = 240
"""Characters of a request, and of what was wrong."""
TEXT = {"type": "string", "description": "One sentence: when it applies, and what to do then"}


class Failure(NamedTuple):
    thread_id: str
    asked: str
    wrong: str
    """As it was recorded: it may quote anybody."""


class _Lesson(BaseModel):
    group: str
    text: str


class _Answer(BaseModel):
    lessons: list[_Lesson]


@dataclass(kw_only=True)
class Proposal:
    """The failures of an agent, and what a model makes of them. Guests' own words are masked."""

    domain: str
    requests: int
    failures: Sequence[Mapping[str, Any]]
    """By kind: how many requests, and a few examples with their threads."""
    lessons: dict[str, str] = field(default_factory=dict)
    """Each with the kind of failure it stands on."""
    withheld: list[str] = field(default_factory=list)
    """Why a lesson was not taken; none quotes it."""
    without_model: str = ""
    """Why no model wrote lessons; empty = one did."""


async def proposal(agent: Agent, stored: Sequence[StoredRequest], store: BaseStore) -> Proposal:
    """Lessons for the largest groups of failures. Without a model, or if it fails, the groups stand alone."""
    own = [each for each in stored if each.record.get("domain") == agent.domain.name]
    groups, words = failure_groups(own), _guest_words(agent, own)
    shown = [_shown(kind, failures, words) for kind, failures in groups.items()]
    made = Proposal(domain=agent.domain.name, requests=len(own), failures=shown)
    if agent.models is None or not agent.models.has("planner"):
        made.without_model = "no model is set up"
    elif shown:
        try:
            with counted_in(store):
                _take(await _written(agent, shown[:MOST_GROUPS]), words, made)
        except ValidationError:
            made.without_model = "the model gave none in form"
        except (ModelUnavailable, PlanError) as error:
            made.without_model = f"the model wrote none: {kind_of_fault(error)}"
    return made


def failure_groups(requests: Sequence[StoredRequest]) -> dict[str, list[Failure]]:
    """By kind, the largest group first: one failure of each request, the latest first."""
    found: dict[str, dict[int, Failure]] = {}
    for each in sorted(requests, key=lambda each: each.ended, reverse=True):
        for kind, wrong in _failures_in(each.record):
            found.setdefault(kind, {}).setdefault(id(each), Failure(each.thread_id, _asked(each), wrong))
    by_size = sorted(found.items(), key=lambda group: (-len(group[1]), group[0]))
    return {kind: list(failures.values()) for kind, failures in by_size}


def _failures_in(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Kind, and what was wrong. Older versions recorded less: any field may be missing."""
    for failure in record.get("answer_failures") or ():
        by_rules = failure["criterion"] == ACCURACY and failure.get("checked_by") == "rules"
        yield "struck claims" if by_rules else f"criterion {failure['criterion']}", failure.get("gap") or ""
    for claims in filter(None, (record.get("unsupported"), record.get("struck"))):
        yield "struck claims", ", ".join(map(str, claims))
    # Older versions recorded only a plan that broke twice, among the issues.
    for issue in record.get("broken_plans") or record.get("issues") or ():
        if issue["type"] == "broken_plan":
            yield f"broken plan {issue.get('rule') or ''}".strip(), issue.get("message") or ""
    feedback = record.get("feedback") or {}
    if feedback.get("verdict") == "bad":
        yield "bad verdict", feedback.get("why") or ""


def _asked(request: StoredRequest) -> str:
    return str((request.record.get("request") or {}).get("text", ""))


def _guest_words(agent: Agent, own: Sequence[StoredRequest]) -> GuestWords:
    """Over all requests: a word that many guests write identifies none of them."""
    none = Models(None, ModelEnvironment())
    readers = (LlmPlanner(agent.domain, none), LlmResponder(agent.domain, none), Judge(agent.domain, none))
    said = [(each.thread_id, _asked(each)) for each in own]
    said += [(each.thread_id, wrong) for each in own for _, wrong in _failures_in(each.record)]
    return GuestWords("\n".join(each.instructions for each in readers), said)


def _shown(kind: str, failures: Sequence[Failure], words: GuestWords) -> dict[str, Any]:
    """As a person and a model may see them: masked before they are cut, since half a number is harder to find."""
    examples = [
        [shortened(words.masked(text), LONGEST_EXAMPLE) for text in each[1:]] for each in failures[:MOST_EXAMPLES]
    ]
    return {
        "kind": words.masked(kind),
        "requests": len(failures),
        "threads": [each.thread_id for each in failures[:MOST_EXAMPLES]],
        "examples": [{"asked": asked, "wrong": wrong} for asked, wrong in examples],
    }


async def _written(agent: Agent, shown: Sequence[Mapping[str, Any]]) -> list[_Lesson]:
    """The failures go as data, in blocks that no text in them can close."""
    models, prompts = agent.models, agent.domain.prompts
    assert models is not None
    fields = ("kind", "requests", "examples")
    groups = [{"group": f"g{n}", **{name: each[name] for name in fields}} for n, each in enumerate(shown, 1)]
    told = {"planner_is_told": prompts.get("plan", ""), "writer_is_told": prompts.get("respond", "")}
    raw = await Form("lessons", "Give the lessons", _schema([group["group"] for group in groups])).object_from(
        models,
        "planner",
        render("propose_lessons", most=str(MOST_PROPOSED), longest=str(LONGEST_LESSON)),
        tagged({**told, "kept": kept_lessons(agent.domain.name, "planner"), "groups": groups}),
        settings=agent.settled(agent.domain.settings()),
        meter=Meter(),
        counted_as="lessons",
    )
    return _Answer.model_validate(raw).lessons


def _schema(groups: Sequence[str]) -> dict[str, Any]:
    fields = {"group": {"type": "string", "enum": list(groups)}, "text": TEXT}
    lesson = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    lessons = {"lessons": {"type": "array", "items": lesson}}
    return {"type": "object", "properties": lessons, "required": ["lessons"], "additionalProperties": False}


def _take(written: Sequence[_Lesson], words: GuestWords, into: Proposal) -> None:
    kinds = {f"g{n}": group["kind"] for n, group in enumerate(into.failures[:MOST_GROUPS], 1)}
    for each in written[:MOST_PROPOSED]:
        text = plain(each.text)
        if why := words.why_unfit(text) if each.group in kinds else "it stands on no group":
            into.withheld.append(why)
        else:
            into.lessons.setdefault(text, kinds[each.group])


def proposal_lines(made: Proposal) -> Iterator[str]:
    yield f"{counted(made.requests, 'request')} of {made.domain}, {counted(len(made.failures), 'kind')} of failure"
    for group in made.failures:
        yield f"{group['kind']}: {counted(group['requests'], 'request')}"
        for thread_id, each in zip(group["threads"], group["examples"], strict=True):
            yield f"    {thread_id}: {each['asked']} – {each['wrong'] or 'no reason'}"
    yield from (f"a lesson was not taken: {why}" for why in made.withheld)
    yield from (f"lesson from {kind}: {lesson}" for lesson, kind in made.lessons.items())
    if made.failures and made.without_model:
        yield f"no lessons: {made.without_model}"
