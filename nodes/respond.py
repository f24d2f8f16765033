"""respond: writes the answer from the results, on every path, even after a limit was hit."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.answer.replies import remarks_of, with_remarks
from wavegraph.graph.answer.words import cut_at_a_sentence, without_questions
from wavegraph.graph.dialogue.questions import asks_back, is_asked_next, notes
from wavegraph.graph.domain import Domain, Draft
from wavegraph.graph.errors import CapReached, ModelUnavailable, kind_of_fault
from wavegraph.graph.execution.announcements import report_limits, tell_replaced
from wavegraph.graph.execution.receipts import left_undone, news, unasked_writes, undone, unknown_writes
from wavegraph.graph.language import say
from wavegraph.graph.limits import Limits, is_spending_cap, limits_of, remaining_s, sent_back, spent_scope, within
from wavegraph.graph.model.prompt_blocks import LONGEST_ANSWER
from wavegraph.graph.ready import unfinished
from wavegraph.graph.request.views import answer_view, asks_anew, gaps_sent_back, writes_worked_around
from wavegraph.graph.state import AgentState
from wavegraph.graph.tracing.untraced import drop_claims
from wavegraph.graph.views import AnswerView

logger = logging.getLogger("wavegraph")


async def respond(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Write the answer, or the plan's own reply where no tool could help; with the news of each write that happened.

    Reads plan, ledger and issues. Writes `answer` and its message, under the same id on a rewrite. Whatever a model, a
    responder or the templates raise, there is an answer.
    """
    if _keeps_answer(state, agent.domain):
        return {"is_repeated": True}
    settings = agent.settings(runtime, state)
    limits = limits_of(state)
    gone = _time_limit(state, limits)
    state = {**state, "limits_hit": report_limits(state, gone)}
    view = answer_view(state, settings, limits)
    if not asks_back(view.plan) and is_asked_next(state, agent.domain, settings):
        view = replace(view, question_follows=True)
    written = await _new_answer(state, view, agent)
    if not written.by_gate:
        written = written._replace(text=with_remarks(written.text, remarks_of(view.plan)))
    if view.question_follows:
        written = written._replace(text=without_questions(written.text))
    untold = _left_out(written, view, agent)
    if written.text == say("nothing_left", view.request["language"]):
        written = written._replace(unworded=True)
    state = {**state, "limits_hit": report_limits(state, [written.cap] if written.cap else [])}
    receipts = news(written.text, view.ledger, agent.domain, view.request["language"], stood_in=written.stood_in)
    unasked = unasked_writes(view.ledger, view.previous, view.request["language"])
    waits = "\n\n".join(part for part in (unasked, *untold, notes(state, agent.domain, settings)) if part)
    answer = "\n\n".join(
        part
        for part in (written.text, *receipts, _stand_in_note(written, view, spent_scope(state["limits_hit"])), waits)
        if part
    )
    request, streamed_id = state["request"], view.meter.streamed_id
    own_id = f"answer-{request['number']}-{request['id']}"
    message_id = state["message_id"] or streamed_id or written.message_id or own_id
    is_other = streamed_id and view.meter.streamed_text.strip() != answer  # than what a watcher saw
    message = AIMessage(content=answer, id=message_id)
    if state["answer"] or is_other:
        tell_replaced(message)
    update = {
        "answer": answer,
        "is_repeated": answer == state["answer"],
        "messages": [message],
        "message_id": message_id,
        "model_down": written.down,
        "unworded": written.unworded,
        "templated": written.templated or (written.by_gate and not written.told),
        "told": list(written.told),
        "notes": waits,
    }
    return {**update, "limits_hit": state["limits_hit"], **view.meter.added_to(state)}


def _keeps_answer(state: AgentState, domain: Domain) -> bool:
    """Whether the answer was sent back for what only calls would mend, and none was planned that is new."""
    gaps = gaps_sent_back(state)
    needs_calls = bool(gaps) and all(each.get("by") in domain.registry for each in gaps)
    return needs_calls and bool(state["answer"]) and not state["plan"]["reply"] and not asks_anew(state)


def _time_limit(state: AgentState, limits: Limits) -> list[str]:
    """The time limit, if it was reached after the last node checked: that node's own time was not counted yet."""
    stopped = state["plan"]["status"] == "continue" or unfinished(state["plan"], state["ledger"])
    was_told = any(not is_spending_cap(name) for name in state["limits_hit"])
    if not stopped or was_told or remaining_s(state, limits) > 0:
        return []
    return ["request_timeout_s"]


class _Answer(NamedTuple):
    """The text of an answer, and who wrote it."""

    text: str
    message_id: str | None = None
    down: bool = False
    """A model stayed down while it was written."""
    stood_in: bool = False
    """A stand-in wrote it."""
    cap: str | None = None
    """The cap on spending that kept a model from writing it."""
    templated: bool = False
    """The domain's templates wrote it."""
    by_gate: bool = False
    """It consists of statements, the planner's remarks among them."""
    told: Sequence[str] = ()
    """Ids of those statements."""
    unworded: bool = False
    """It says only that there is no answer, or none in words."""


async def _new_answer(state: AgentState, view: AnswerView, agent: Agent) -> _Answer:
    down = state["model_down"]
    insists = bool(view.unsupported) and sent_back(state) > view.limits.max_answer_replans
    # Of a model's answer from statements nothing is taken back: what was wrong was no model's.
    by_model = agent.domain.catalogue is None or not view.unsupported
    if view.reply_is_answer:
        traced = "" if insists else drop_claims(view.plan["reply"] or "", list(view.unsupported))
        kept = cut_at_a_sentence(traced, LONGEST_ANSWER)
        return _Answer(kept or say("nothing_left", view.request["language"]), down=down)
    responder = agent.responder_for(view.settings)
    if responder is agent.templates:
        return await _template_answer(view, agent, _Answer("", down=down))
    cap = None
    if not (down or insists) and by_model and (left := remaining_s(state, view.limits)):
        try:
            draft = _as_draft(await within(left, lambda: responder.respond(view)))
            text = draft.text if agent.domain.catalogue else cut_at_a_sentence(draft.text, LONGEST_ANSWER)
            return _Answer(text, draft.message_id, by_gate=agent.speaks_in_statements(responder), told=draft.told)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001  a responder may be anybody's, and the answer is owed
            logger.warning("answered by templates: %s", kind_of_fault(error))
            down = True
            cap = error.limit if isinstance(error, CapReached) else None
            if not view.settings.model_fallback:
                scope = spent_scope([cap] if cap else [])
                return _wordless(f"{scope}_spent_failed" if scope else "answer_failed", view, down)._replace(cap=cap)
    return await _template_answer(view, agent, _Answer("", down=down, stood_in=True, cap=cap))


async def _template_answer(view: AnswerView, agent: Agent, so_far: _Answer) -> _Answer:
    try:
        return so_far._replace(text=await agent.templates.respond(view), templated=True)
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  the domain's own code, and the answer is owed
        logger.error("the templates failed: %s", kind_of_fault(error))
        return _wordless("unworded", view, so_far.down)


def _left_out(written: _Answer, view: AnswerView, agent: Agent) -> list[str]:
    """What a writer may leave out: which writes were not done or are not known, which calls a limit kept from running.

    Statements tell it themselves, and so does the list of the results; templates as far as they quote the error.
    """
    is_list = written.templated and agent.domain.offline is None
    if agent.domain.catalogue is not None or written.unworded or is_list:
        return []
    language, ledger = view.request["language"], view.ledger
    left = left_undone(view.unfinished, ledger, language) if view.limits_hit else ""
    said = written.text if written.templated else ""
    return [*undone(ledger, language, worked_around=writes_worked_around(ledger), said=said), left]


def _wordless(key: str, view: AnswerView, down: bool) -> _Answer:
    """Says that the results could not be put into words, and which writes are unknown."""
    language = view.request["language"]
    text = "\n\n".join(part for part in (say(key, language), unknown_writes(view.ledger, language)) if part)
    return _Answer(text, down=down, stood_in=True, unworded=True)


def _as_draft(written: str | Draft) -> Draft:
    draft = written if isinstance(written, Draft) else Draft(written)
    if not draft.text.strip():
        raise ModelUnavailable("the answer was empty")
    return draft


def _stand_in_note(written: _Answer, view: AnswerView, spent: str | None) -> str:
    """The note that rules stood in for a model, or may not, if that is so. `spent`: whose share of the models is."""
    if spent and not view.settings.model_fallback:
        why = say(f"{spent}_spent_failed", view.request["language"])
        return "" if why in written.text else why
    stood_in = written.down and view.settings.model_fallback and not written.unworded
    words = f"{spent}_spent" if spent else "model_replaced"
    return say(words, view.request["language"]) if stood_in and view.plan["action"] != "give_up" else ""
