"""What is said when a request is stopped: composed from what is known, without any model call."""

from collections.abc import Collection

from wavegraph.graph.agent import Agent
from wavegraph.graph.claims import drop_claims, unsupported_numbers
from wavegraph.graph.ledger import GOOD, results
from wavegraph.graph.limits import limits_of
from wavegraph.graph.phrases import language_of, say
from wavegraph.graph.ready import Step, unfinished
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import AgentState
from wavegraph.graph.views import answer_view


async def stopped_answer(
    state: AgentState, text: str, settings: Settings, agent: Agent, running: Collection[str] = ()
) -> str:
    """The answer to a request that was stopped.

    `text`: the request, for one that had not been opened yet. `running`: ids of the calls that had started.
    """
    language = state["request"]["language"] if state.get("request") else language_of(text)
    if not state.get("plan"):
        return f"{say('stopped', language)} {say('nothing_known', language)}"
    left = unfinished(state["plan"], state["ledger"])
    known = await _known(state, settings, agent)
    parts = [say("stopped", language), _heading(known, language), known, *_left(left, running, language)]
    return "\n".join(part for part in parts if part)


async def _known(state: AgentState, settings: Settings, agent: Agent) -> str:
    if not any(outcome["status"] in GOOD for outcome in results(state["ledger"]).values()):
        return ""
    view = answer_view(state, settings, limits_of(state))
    draft = await agent.templates.respond(view)
    return drop_claims(draft, list((agent.domain.supports or unsupported_numbers)(draft, view))).strip()


def _heading(known: str, language: str) -> str:
    return say("known_so_far" if known else "nothing_known", language)


def _left(left: list[Step], running: Collection[str], language: str) -> list[str]:
    unknown = [step.call["id"] for step in left if step.call["effect"] == "write" and step.call["id"] in running]
    undone = [step.call["id"] for step in left if step.call["id"] not in unknown]
    said = [("not_done", undone), ("may_have_happened", unknown)]
    return [say(key, language, calls=", ".join(calls)) for key, calls in said if calls]
