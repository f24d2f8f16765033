"""Asks a model for lessons from grouped failures, and takes none that could tell of a guest."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.store.base import BaseStore
from pydantic import BaseModel, ConfigDict, ValidationError

from wavegraph.app.lessons.candidates import MOST_KEYS, Candidate
from wavegraph.app.lessons.failures import FailureGroup, Failures
from wavegraph.app.lessons.masking import GuestWords, masked, vocabulary, why_unfit
from wavegraph.app.lessons.trial import prompts_of
from wavegraph.app.plain_text import plain
from wavegraph.app.run.threads import shortened
from wavegraph.graph.agent import Agent
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import ModelUnavailable, PlanError, kind_of_fault
from wavegraph.graph.model.calls import Form
from wavegraph.graph.model.clients import ModelEnvironment, Models, Role, model_name
from wavegraph.graph.model.judge import Judge
from wavegraph.graph.model.lessons import LONGEST_LESSON, READERS, Lesson, Reader
from wavegraph.graph.model.prompt_blocks import tagged
from wavegraph.graph.model.spending import counted_in
from wavegraph.graph.views import Meter
from wavegraph.prompts import render

logger = logging.getLogger("wavegraph")

MOST_GROUPS = 8
MOST_EXAMPLES = 4
"""Of one group that a model sees."""
LONGEST_EXAMPLE = 240
"""Characters of a request, and of what was wrong."""
MOST_PROPOSED = 6
ROLE: Role = "planner"
"""Whose model writes lessons; its calls are counted as those of `lessons`."""


class _Written(BaseModel):
    model_config = ConfigDict(extra="ignore")

    group: str
    reader: Reader
    text: str


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    lessons: list[_Written]


@dataclass
class Proposal:
    """What came of asking."""

    candidates: list[Candidate] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    """Why a lesson was not taken, one line each; none quotes it."""
    without: str = ""
    """Why no model wrote lessons; empty = one did."""
    usage: dict[str, Any] = field(default_factory=dict)
    """What the model was used for, as in a request's figures."""


def guest_words(failures: Failures, domain: Domain) -> GuestWords:
    """Over all of the agent's requests: what many guests write is nobody's own."""
    planner, writer = prompts_of(domain)
    judge = Judge(domain, Models(None, ModelEnvironment()))
    words = GuestWords(vocabulary([planner.instructions, writer.instructions, judge.instructions]))
    for stored in failures.requests:
        words.read(str((stored.record.get("request") or {}).get("text", "")), stored.thread_id)
    for group in failures.groups:
        for failure in group.failures:
            words.read(failure.text, failure.stored.thread_id)
    return words


async def propose(
    agent: Agent, settings: Any, failures: Failures, kept: Sequence[Lesson], store: BaseStore
) -> Proposal:
    """Lessons for the largest groups. Without a model, or if it fails, none: the groups stand all the same."""
    if agent.models is None or not agent.models.has(ROLE):
        return Proposal(without="no model is set up")
    groups = {f"g{n}": group for n, group in enumerate(failures.groups[:MOST_GROUPS], 1)}
    words = guest_words(failures, agent.domain)
    meter = Meter()
    try:
        with counted_in(store):
            written, name = await _asked(agent, settings, _message(agent.domain, groups, kept, words), groups, meter)
    except (ModelUnavailable, PlanError, ValidationError) as error:
        why = "it gave no lessons in form" if isinstance(error, ValidationError) else kind_of_fault(error)
        return Proposal(without=f"the model wrote none: {why}", usage=dict(meter.usage))
    proposal = Proposal(usage=dict(meter.usage))
    for each in written[:MOST_PROPOSED]:
        _take(each, groups, words, name, proposal)
    return proposal


def _take(each: _Written, groups: dict[str, FailureGroup], words: GuestWords, by: str, into: Proposal) -> None:
    text, group = plain(each.text), groups.get(each.group)
    why = "it stands on no group" if group is None else why_unfit(text, words)
    if why or group is None:
        into.withheld.append(f"a lesson for the {each.reader}: {why}")
        return
    requests = group.requests
    made = Candidate(
        reader=each.reader,
        text=text,
        kinds=[masked(group.kind)],
        requests=len(requests),
        keys=[failure.key for failure in requests[:MOST_KEYS]],
        by=by,
    )
    if made.id not in {known.id for known in into.candidates}:
        into.candidates.append(made)


async def _asked(
    agent: Agent, settings: Any, message: str, groups: dict[str, FailureGroup], meter: Meter
) -> tuple[list[_Written], str]:
    """What the model wrote, and its name."""
    models = agent.models
    assert models is not None
    form = Form("lessons", "Give the lessons", schema(list(groups)))
    instructions = render("propose_lessons", most=str(MOST_PROPOSED), longest=str(LONGEST_LESSON))
    raw = await form.object_from(
        models, ROLE, instructions, message, settings=settings, meter=meter, counted_as="lessons"
    )
    name = model_name(await models.get(ROLE, settings))
    return _Answer.model_validate(raw).lessons, name


def schema(groups: Sequence[str]) -> dict[str, Any]:
    """The schema of an answer."""
    lesson = {
        "type": "object",
        "properties": {
            "group": {"type": "string", "enum": list(groups)},
            "reader": {"type": "string", "enum": list(READERS)},
            "text": {"type": "string", "description": "One sentence: when it applies, and what to do then"},
        },
        "required": ["group", "reader", "text"],
        "additionalProperties": False,
    }
    properties = {"lessons": {"type": "array", "items": lesson}}
    return {"type": "object", "properties": properties, "required": ["lessons"], "additionalProperties": False}


def _message(domain: Domain, groups: dict[str, FailureGroup], kept: Sequence[Lesson], words: GuestWords) -> str:
    """The failures as data: masked, shortened, and in blocks that no text in them can close."""
    shown = [
        {
            "group": name,
            "kind": words.masked(group.kind),
            "requests": len(group.requests),
            "examples": [
                {"asked": example(failure.request, words), "wrong": example(failure.text, words)}
                for failure in group.requests[:MOST_EXAMPLES]
            ],
        }
        for name, group in groups.items()
    ]
    parts = {
        "planner_is_told": domain.prompts.get("plan", ""),
        "writer_is_told": domain.prompts.get("respond", ""),
        "kept": [{"reader": each["reader"], "text": each["text"]} for each in kept],
        "groups": shown,
    }
    return tagged(parts)


def example(text: str, words: GuestWords) -> str:
    """A text as it may be shown: masked before it is cut, since half a number is harder to find."""
    return shortened(words.masked(text), LONGEST_EXAMPLE)
