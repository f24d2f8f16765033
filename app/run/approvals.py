"""Requests that wait for a person's approval: found on all threads of a database, and decided from anywhere."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavegraph.app.run.questions import question_of
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import Graph, resume
from wavegraph.app.run.threads import OnDamaged, ThreadRow, Threads, log_damaged, readable
from wavegraph.graph.approval import Answer, Question
from wavegraph.graph.build import AgentGraph, whole_state
from wavegraph.graph.dialogue.questions import asked_aside, asking, open_question
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.references.shapes import argument_shape, kind_of, options_of
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.settings import as_stored
from wavegraph.graph.state import with_defaults


class NothingToApprove(WavegraphError):
    """The thread has no approval waiting."""


@dataclass(frozen=True)
class Pending:
    """One request that waits for approval."""

    row: ThreadRow
    question: Question


async def pending(graph: Graph, threads: Threads, skipped: OnDamaged = log_damaged) -> list[Pending]:
    """All requests of this agent that wait for an approval, the latest first. `skipped` gets the error of each thread that
    cannot be read."""
    waiting = [row for row in await threads.latest(skipped=skipped) if row.can_resume]
    found = await readable((_pending(graph, row) for row in waiting), skipped)
    return [each for each in found if each]


async def _pending(graph: Graph, row: ThreadRow) -> Pending | None:
    question = await _question(graph, row.thread_id)
    return Pending(row, question) if question else None


async def pending_on(graph: Graph, threads: Threads, thread_id: str) -> Pending:
    """Raises UnknownThread, NothingToApprove."""
    row = await threads.get(thread_id)
    question = await _question(graph, thread_id)
    if question is None:
        raise NothingToApprove(
            f"thread {thread_id!r} does not wait for approval; `wavegraph approvals list` shows those that do"
        )
    return Pending(row, question)


async def decide(graph: Graph, request: Pending, answer: Answer, **options: Any) -> Result:
    """Answer the approval as the request's user, with the settings of the request; `options` as for `resume`."""
    settings: Mapping[str, Any] = request.question["settings"]
    return await resume(
        graph, request.row.thread_id, reply=answer, user_id=request.row.user_id, settings=settings, **options
    )


def edited(graph: Graph, request: Pending, written: Mapping[str, str]) -> dict[str, Any]:
    """The arguments to change, as `Answer` has them, from what was typed for each: read by the tool's declared types."""
    builder = graph.builder
    if not isinstance(builder, AgentGraph):
        raise NothingToApprove("only an agent's own graph is edited by hand")
    tool = builder.agent.domain.tool(request.question["tool"])
    return {name: typed_value(text, name, tool) for name, text in written.items()}


def typed_value(text: str, name: str, tool: DomainTool) -> Any:
    """What somebody typed for an argument: as JSON reads it where that is of the argument's declared type, the very text
    where it may be a text. So a phone number's digits stay as they are; what is of neither type is read as JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    schema, kind = tidy_schema(tool.argument_schema), kind_of(value)
    declared = schema.get("properties", {}).get(name)
    shape = None if declared is None else argument_shape(options_of(declared, schema), schema)
    types = shape["types"] if shape else [kind]
    is_of_type = kind in types or (kind == "integer" and "number" in types)
    return text if "string" in types and not is_of_type else value


async def _question(graph: Graph, thread_id: str) -> Question | None:
    """The thread's approval question, also if another request on it was stopped and no interrupt holds the question."""
    snapshot = await whole_state(graph).aget_state({"configurable": {"thread_id": thread_id}})
    if (question := question_of(snapshot)) is not None or not isinstance(graph.builder, AgentGraph):
        return question
    state: Any = with_defaults(snapshot.values)
    agent = graph.builder.agent
    model = agent.domain.settings
    own = agent.settled(model.model_validate(as_stored(asking(state).get("settings", {}), model)))
    return open_question(state, agent.domain, own) if asked_aside(state) else None
