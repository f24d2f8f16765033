"""respond: writes the answer from the results, on every path, even after a limit was hit."""

from dataclasses import replace
from typing import Any, Literal, NamedTuple

from langchain_core.messages import AIMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.answer.replies import remarks_of, with_remarks
from wavegraph.graph.answer.words import cut_at_a_sentence, without_questions
from wavegraph.graph.dialogue.questions import asks_back, is_asked_next, notes
from wavegraph.graph.domain import Domain, Draft
from wavegraph.graph.errors import CapReached, UnusableAnswer, kind_of_fault, logger
from wavegraph.graph.execution.announcements import report_limits, tell_replaced
from wavegraph.graph.execution.receipts import left_undone, limits_named, news, unasked_writes, undone, unknown_writes
from wavegraph.graph.language import say
from wavegraph.graph.ledger import data_of, direct_result, text_of
from wavegraph.graph.limits import limits_of, sent_back, spent_scope, within
from wavegraph.graph.request.views import answer_view, asks_anew, gaps_sent_back, writes_worked_around
from wavegraph.graph.state import AgentState
from wavegraph.graph.tracing.untraced import drop_claims
from wavegraph.graph.views import AnswerView


async def respond(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Write the answer, or the plan's own reply where no tool could help; with the news of each write that happened.

    Reads plan, ledger and issues. Writes `answer` and its message, under the same id on a rewrite. Whatever a model, a
    responder or the templates raise, there is an answer.
    """
    if _keeps_answer(state, agent.domain):
        return {"is_repeated": True}
    settings = agent.settings(runtime, state)
    view = answer_view(state, settings, limits_of(state))
    if not asks_back(view.plan) and is_asked_next(state, agent.domain, settings):
        view = replace(view, question_follows=True)
    language = view.request["language"]
    written = await _new_answer(state, view, agent)
    draft = written.draft
    text = draft.text if written.by in ("gate", "tool") else with_remarks(draft.text, remarks_of(view.plan))
    text = without_questions(text) if view.question_follows else text
    is_unworded = written.by == "nobody" or text == say("nothing_left", language)
    left_out = _left_out(written, text, view, agent)
    limits_hit = report_limits(state, [written.cap] if written.cap else [])
    stood_in = written.by in ("stand-in", "nobody")
    unasked = unasked_writes(view.ledger, view.previous, language)
    waits = "\n\n".join(part for part in (unasked, *left_out, notes(state, agent.domain, settings)) if part)
    parts = [
        text,
        *news(text, view.ledger, agent.domain, language, stood_in=stood_in),
        _stand_in_note(text, written, is_unworded, view, spent_scope(limits_hit)),
        waits,
    ]
    answer = "\n\n".join(part for part in parts if part)
    request, streamed_id = state["request"], view.meter.streamed_id
    own_id = f"answer-{request['number']}-{request['id']}"
    message_id = state["message_id"] or streamed_id or draft.message_id or own_id
    reported = view.plan.get("reported", {}) if written.by == "reply" else view.meter.reported
    own = reported if agent.domain.messages == "all" and written.by in ("reply", "writer") else {}
    message = AIMessage(content=answer, id=message_id, name=agent.domain.speaker, **own)
    if state["answer"] or written.unusable or (streamed_id and view.meter.streamed_text.strip() != answer):
        tell_replaced(message)
    return {
        "answer": answer,
        "is_repeated": answer == state["answer"],
        "messages": [message],
        "message_id": message_id,
        "model_down": written.down,
        "unworded": is_unworded,
        "templated": written.by in ("templates", "stand-in") or (written.by == "gate" and not draft.told),
        "told": list(draft.told),
        "notes": waits,
        "limits_hit": limits_hit,
        **view.meter.added_to(state),
    }


def _keeps_answer(state: AgentState, domain: Domain) -> bool:
    """Whether the answer was sent back for what only calls would mend, and none was planned that is new."""
    gaps = gaps_sent_back(state)
    needs_calls = bool(gaps) and all(each.get("by") in domain.registry for each in gaps)
    return needs_calls and bool(state["answer"]) and not state["plan"]["reply"] and not asks_anew(state)


class _Answer(NamedTuple):
    """An answer, and who wrote it."""

    draft: Draft
    by: Literal["reply", "writer", "gate", "templates", "stand-in", "nobody", "tool"]
    """`tool`: its result is the answer; `gate`: of statements, the planner's remarks among them; `stand-in`: the templates, in a writer's place; `nobody`: it says
    that the results could not be put into words."""
    down: bool
    """A model stayed down while it was written."""
    cap: str | None = None
    """The cap on spending that kept a model from writing it."""
    unusable: bool = False
    """It stands in the place of what a model wrote and nobody can be told."""


async def _new_answer(state: AgentState, view: AnswerView, agent: Agent) -> _Answer:
    down, cap, unusable = state["model_down"], None, False
    if direct := direct_result(view.ledger):
        return _Answer(Draft(text_of(data_of(direct, view.ledger))), "tool", down)
    insists = bool(view.unsupported) and sent_back(state) > view.limits.max_answer_replans
    # Of a model's answer from statements nothing is taken back: what was wrong was no model's.
    by_model = agent.domain.catalogue is None or not view.unsupported
    if view.reply_is_answer:
        traced = "" if insists else drop_claims(view.plan["reply"] or "", list(view.unsupported))
        kept = _cut(traced, agent.domain)
        return _Answer(Draft(kept or say("nothing_left", view.request["language"])), "reply", down)
    responder = agent.responder_for(view.settings)
    if responder is agent.rules:
        return await _template_answer("templates", view, agent, down)
    if not (down or insists) and by_model and view.remaining_s:
        try:
            written = await within(view.remaining_s, lambda: responder.respond(view))
            draft = written if isinstance(written, Draft) else Draft(written)
            if not draft.text.strip():
                raise UnusableAnswer("the answer was empty")
            if agent.domain.catalogue is None:
                draft = replace(draft, text=_cut(draft.text, agent.domain))
            return _Answer(draft, "gate" if agent.speaks_in_statements(responder) else "writer", down)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001  a responder may be anybody's, and the answer is owed
            logger.warning("answered by templates: %s", kind_of_fault(error))
            down, unusable = True, isinstance(error, UnusableAnswer)
            cap = error.limit if isinstance(error, CapReached) else None
            if not view.settings.model_fallback:
                scope = spent_scope([cap] if cap else [])
                return _wordless(f"{scope}_spent_failed" if scope else "answer_failed", view, down)._replace(cap=cap)
    return (await _template_answer("stand-in", view, agent, down))._replace(cap=cap, unusable=unusable)


def _cut(text: str, domain: Domain) -> str:
    return cut_at_a_sentence(text, domain.longest_answer) if domain.longest_answer else text


async def _template_answer(by: Literal["templates", "stand-in"], view: AnswerView, agent: Agent, down: bool) -> _Answer:
    try:
        return _Answer(Draft(await agent.rules.respond(view)), by, down)
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  the domain's own code, and the answer is owed
        logger.error("the templates failed: %s", kind_of_fault(error))
        return _wordless("unworded", view, down)


def _left_out(written: _Answer, text: str, view: AnswerView, agent: Agent) -> list[str]:
    """What a writer may leave out: which writes were not done or are not known, which calls a limit kept from running.

    Statements tell it themselves, and so does the list of the results; templates as far as they quote the error.
    """
    is_templated = written.by in ("templates", "stand-in")
    is_list = is_templated and agent.domain.offline is None
    if agent.domain.catalogue is not None or is_list:
        return []
    if written.by == "nobody":
        return [limits_named(view)]
    language, ledger = view.request["language"], view.ledger
    left = left_undone(view.unfinished, ledger, language) if view.limits_hit else ""
    said = text if is_templated else ""
    # where calls were left, a domain with rules of its own tells as much as it always has
    named = "" if left and agent.domain.offline else limits_named(view)
    return [*undone(ledger, language, worked_around=writes_worked_around(ledger), said=said), left, named]


def _wordless(key: str, view: AnswerView, down: bool) -> _Answer:
    """Says that the results could not be put into words, and which writes are unknown."""
    language = view.request["language"]
    text = "\n\n".join(part for part in (say(key, language), unknown_writes(view.ledger, language)) if part)
    return _Answer(Draft(text), "nobody", down)


def _stand_in_note(text: str, written: _Answer, is_unworded: bool, view: AnswerView, spent: str | None) -> str:
    """The note that rules stood in for a model, or may not, if that is so. `spent`: whose share of the models is."""
    if spent and not view.settings.model_fallback:
        why = say(f"{spent}_spent_failed", view.request["language"])
        return "" if why in text else why
    is_told = written.down and not is_unworded and view.plan["action"] != "give_up"
    if not (is_told and view.settings.model_fallback):
        return ""
    why = "model_unusable" if written.unusable else "model_replaced"
    return say(f"{spent}_spent" if spent else why, view.request["language"])
