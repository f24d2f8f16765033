"""A new message while a question waits: it answers the question, or is a request beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from wavegraph.graph._langgraph import sent_at_ms
from wavegraph.graph.agent import Agent
from wavegraph.graph.approval import Answer
from wavegraph.graph.dialogue.answers import Refused, Taken, question_when_sent, read_reply, refusal
from wavegraph.graph.dialogue.consent import consent, is_courtesy
from wavegraph.graph.dialogue.messages import blocks_of, reply
from wavegraph.graph.dialogue.questions import (
    approval_of,
    asked_aside,
    asked_settings,
    asked_together,
    asking,
    asks_back,
    is_by_asker,
    open_question,
    put_again,
    taken_up,
)
from wavegraph.graph.execution.write import already_done, let_go
from wavegraph.graph.language import say
from wavegraph.graph.ledger import signature
from wavegraph.graph.ready import steps
from wavegraph.graph.request.new_request import new_messages
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState, Asked, Ledger
from wavegraph.graph.views import added_usage


def is_decline(action: str) -> bool:
    """Whether the action is that of a plan that takes the message for a no to what waits; a model also writes `declined`."""
    return action.strip().lower().startswith("decline")


def plain_answer(state: AgentState, settings: Settings, agent: Agent) -> dict[str, Any] | None:
    """The update for a plain yes or no to the waiting question; None = the message is a request."""
    question = open_question(state, agent.domain, settings)
    assert question is not None, "something waits"
    match read_reply({"messages": new_messages(state)}, question_when_sent(question, state["messages"], sent_at_ms())):
        case Taken(answer, message_id, others):
            return _pending(state, answer, message_id or "", others)
        case Refused(words, message_id, problem):
            return put_again(state, words, message_id or "", message_id, problem)
    return None


def planned_answer(
    state: AgentState, update: Mapping[str, Any], asked: Asked, settings: Settings, agent: Agent
) -> dict[str, Any] | None:
    """The update for a message that its planner takes for a no to what waits, or that adds nothing to it: its words count
    as one, or the question is put again. None = it is a request. `state`: before it was opened; `update`: with its plan."""
    made, messages = update.get("plan"), new_messages(state)
    if not made or made["tools"] or not messages or (blocks_of(messages[-1]) and not is_decline(made["action"])):
        return None
    name, words = messages[-1].id or "", str(messages[-1].text)
    used = {"usage": added_usage(asking(state).get("usage", {}), update.get("usage", {}))}
    if is_decline(made["action"]):
        question = open_question(state, agent.domain, settings)
        assert question is not None, "something waits"
        return {**_pending(state, refusal(words, question), name), **used}
    language = asking(state)["request"]["language"]
    if asks_back(made) and _adds_nothing(words, language, asked, settings, agent):
        return {**put_again(state, words, name, name), **used}
    return None


def _pending(state: AgentState, answer: Answer, name: str, others: Sequence[Answer] = ()) -> dict[str, Any]:
    """The update that leaves an answer in words to `approve`."""
    pending = {"answer": answer, "message_id": name, **({"others": [*others]} if others else {})}
    return {**taken_up(state, {}), "reply": pending, "messages": [reply(answer["words"], name, name)]}


def _adds_nothing(words: str, language: str, asked: Asked, settings: Settings, agent: Agent) -> bool:
    """Whether these are a courtesy, or a yes that is not to what waits, and comes from who is asked about that."""
    approval, languages = approval_of(asked, agent.domain), agent.domain.answered_in(language)
    is_yes = consent(words, approval.yes, approval.no, languages=languages) == "yes"
    return (is_yes or is_courtesy(words, languages)) and is_by_asker(asked, agent.domain, settings)


def not_the_askers(state: AgentState, settings: Settings, agent: Agent) -> str | None:
    """The answer to a plain yes from the person who asked, if somebody else has to approve."""
    language = state["request"]["language"]
    languages = agent.domain.answered_in(language)
    for asked in asked_aside(state):
        approval = approval_of(asked, agent.domain)
        is_yes = consent(state["request"]["text"], approval.yes, approval.no, languages=languages) in ("yes", "perhaps")
        if is_yes and not is_by_asker(asked, agent.domain, settings):
            return say("not_yours", language)
    return None


async def one_question(state: AgentState, ledger: Ledger, settings: Settings, agent: Agent) -> dict[str, Any]:
    """A planned write replaces a waiting one of the same tool, whose hold is released unless it is planned unchanged: so
    only the latest wish is asked about. A no beside another wish closes the question asked last in the same way. One that has
    happened meanwhile goes on waiting: any answer will tell of it."""
    made, aside = state["plan"], state["set_aside"]
    if made is None or state["feedback"] is not None:
        return {}
    lapsed = _lapsed(state, settings, agent)
    if not (aside or lapsed):
        return {}
    planned = {call["tool"] for call in made["tools"]}
    own = {step.signature for step in steps(made, ledger)} | state["approvals"].keys() | ledger["outcomes"].keys()
    questions = [(held, _asked_in(held, settings, agent)) for held in aside]
    declined = aside[-1:] if is_decline(made["action"]) and not state["replaced"] else []
    replaced = [
        (held, asked)
        for held, asked in questions
        if (held in declined or any(each["tool"] in planned for each in asked))
        and not await _has_happened(asked, settings, agent)
    ]
    lost = [each for _, asked in replaced for each in asked]
    for asked in [*lost, *lapsed]:
        tool = agent.domain.registry.get(asked["tool"])
        if tool and tool.approval and signature(asked["tool"], asked["args"]) not in own:
            await let_go(tool, asked, asked_settings(asked, settings))
    if not replaced:
        return {}
    given_up = [
        {"terms_hash": asked["terms_hash"], "by_asker": is_by_asker(asked, agent.domain, settings)} for asked in lost
    ]
    over = [held for held, _ in replaced]
    return {"set_aside": [each for each in aside if each not in over], "replaced": [*state["replaced"], *given_up]}


async def _has_happened(questions: list[Asked], settings: Settings, agent: Agent) -> bool:
    """Whether a write that a request set aside waits with was sent, by a yes that was cut short."""
    for asked in questions:
        tool = agent.domain.registry.get(asked["tool"])
        before = await already_done(tool, asked, asked_settings(asked, settings)) if tool else None
        if before and not before.error:
            return True
    return False


def _asked_in(held: Mapping[str, Any], settings: Settings, agent: Agent) -> list[Asked]:
    """What a request that was set aside asks about."""
    along = asked_together(cast(AgentState, held), agent.domain, settings)
    return [*asked_aside(cast(AgentState, {"set_aside": [held]})), *(asked for _, asked in along)]


def _lapsed(state: AgentState, settings: Settings, agent: Agent) -> list[Asked]:
    """Questions of the request before that can no longer be answered, since a limit ended it."""
    before = state["previous"]
    waiting = [asked["terms_hash"] for held in state["set_aside"] for asked in _asked_in(held, settings, agent)]
    open_questions = before.get("approvals", {}).values() if before else ()
    return [asked for asked in open_questions if asked["terms_hash"] not in waiting]
