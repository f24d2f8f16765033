"""What the nodes of one graph share: the domain, and who plans and answers for it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from wavegraph.graph.dialogue.last_resort import LastResort
from wavegraph.graph.domain import Domain, Planner, Responder
from wavegraph.graph.errors import SettingsError, WavegraphError, kind_of_fault, logger, short_repr
from wavegraph.graph.execution.receipts import done_writes
from wavegraph.graph.language import say
from wavegraph.graph.ledger import has_results
from wavegraph.graph.model.clients import AnswerCheckMode, Models
from wavegraph.graph.model.judge import Judge
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.model.responder import LlmResponder
from wavegraph.graph.references.storable import readable, unstorable
from wavegraph.graph.settings import CALENDAR, Settings, as_stored, given, in_calendar, settings
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import AnswerView, PlanningView

_T = TypeVar("_T")


class Rules:
    """The domain's own grammar as a planner, which plans requests and mends plans by the domain's arithmetic; and its templates
    as a responder."""

    name = "rules"

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._offline = domain.offline or LastResort()

    async def plan(self, view: PlanningView) -> PlanningResult:
        tools = list(view.proposals) if view.feedback and view.feedback["source"] == "results" else []
        more_was_planned = view.plan is not None and view.plan["status"] == "continue"
        if view.feedback is None or (more_was_planned and not tools):  # no workaround
            return await self._own(view)
        made = _mended(view, tools)
        if view.plan is None:  # the domain's own first plan was broken, and it would make the same again
            return {**made, "action": "give_up", "reply": say("broken_plan", view.request["language"])}
        return made

    async def _own(self, view: PlanningView) -> PlanningResult:
        """The domain's plan; if its code fails, which is logged, one that tells so, or makes an answer of what is known.
        Raises what it raised where a write has happened: the node answers for it."""
        try:
            return await asyncio.to_thread(self._offline.plan, view)
        except (WavegraphError, GraphBubbleUp):
            raise
        except Exception as error:
            logger.error("the plan of %s failed: %s", self._domain.name, kind_of_fault(error))
            if done_writes(view.ledger):
                raise
        reply = None if has_results(view.ledger) else say("broken_plan", view.request["language"])
        return {**_mended(view, []), "status": "done", "action": "give_up", "reply": reply}

    async def respond(self, view: AnswerView) -> str:
        answer = await asyncio.to_thread(self._offline.respond, view)
        return answer if answer.strip() else say("nothing_left", view.request["language"])


def _mended(view: PlanningView, tools: list[ToolCall]) -> PlanningResult:
    before = view.plan
    return {
        "status": before["status"] if before else "done",
        "action": before["action"] if before else "answer",
        "reasoning": "another way round what was found" if tools else "no reasonable way is left",
        "slots": before["slots"] if before else {},
        "tools": tools,
        "reply": None,
    }


@dataclass(frozen=True, kw_only=True)
class Agent:
    """A domain with its planners and responders, bound into the nodes when the graph is built."""

    domain: Domain
    planner: Planner | None
    """The planner given besides the rules; None = the rules plan everything."""
    responder: Responder | None
    judge: Judge | None = None
    """None = no model judges."""
    check_by_default: AnswerCheckMode | None = None
    """The environment's; None = by the judge where there is one: each answer where it was named, else those in doubt."""
    models: Models | None = None
    """None = it was put together without any."""

    @cached_property
    def rules(self) -> Rules:
        return Rules(self.domain)

    def settings(self, runtime: Runtime[Any], opened: Mapping[str, Any] | None = None) -> Any:
        """The run's settings, of the domain's type, with `today` always filled in.

        `opened`: the request that the run goes on with; what the run does not set is as its request was opened with.
        """
        chosen: Settings = settings(runtime, self.domain.settings)
        before = (opened or {}).get("settings") or {}
        if before.keys() - chosen.model_fields_set:  # else the run sets them all itself
            chosen = self.domain.settings.model_validate({**as_stored(before, self.domain.settings), **given(chosen)})
        return self.settled(chosen)

    def given(self, runtime: Runtime[Any]) -> dict[str, Any]:
        """The settings that the run itself gives. Raises SettingsError for what cannot be stored with the request."""
        found = given(settings(runtime, self.domain.settings))
        for place, value, why in unstorable(found):
            where = ".".join(map(str, place))
            raise SettingsError(f"setting {where!r} = {short_repr(readable(value))}: {why}")
        return found

    def settled(self, chosen: Settings) -> Settings:
        """The same settings with `today` filled in by the domain's clock.

        Raises SettingsError for a language that the domain does not support, and for a clock outside the calendar.
        """
        codes = [each.code for each in self.domain.languages]
        is_known = chosen.language in ("auto", *codes) or self.domain.any_language
        if not is_known:
            raise SettingsError(f"setting 'language' = {chosen.language!r} is not one of {', '.join(['auto', *codes])}")
        if chosen.today:
            return chosen
        today = self.domain.clock(chosen)
        if not in_calendar(today):
            raise SettingsError(f"the clock says {today}, out of range: a day from {CALENDAR} is expected")
        return chosen.model_copy(update={"today": today})

    def planner_for(self, chosen: Settings) -> Planner:
        """Raises SettingsError if a model is required and none was given, or rules, and the domain has none."""
        if chosen.planner == "llm" and self.planner is None:
            raise SettingsError(
                "setting 'planner' = 'llm' needs a model: give one to build_graph, set OPENAI_API_KEY or "
                "OPENAI_BASE_URL, or use 'auto' or 'rules'"
            )
        if chosen.planner == "rules" and self.domain.offline is None:
            raise SettingsError(
                f"setting 'planner' = 'rules' needs rules, and {self.domain.name!r} has none: use 'auto' or 'llm', or give "
                "its Domain an `offline`"
            )
        return self.rules if chosen.planner == "rules" or self.planner is None else self.planner

    def responder_for(self, chosen: Settings) -> Responder:
        return self.rules if chosen.planner == "rules" or self.responder is None else self.responder

    def speaks_in_statements(self, responder: Responder) -> bool:
        """Whether it writes ids of the domain's statements: a responder of the caller's own writes as it likes."""
        return self.domain.catalogue is not None and isinstance(responder, LlmResponder)

    def fallback_for(self, planner: Planner, chosen: Settings) -> Planner | None:
        """The rules, if a failing model may hand over to them; a planner of the caller's own may not."""
        may = isinstance(planner, LlmPlanner) and chosen.model_fallback and self.domain.offline is not None
        return self.rules if may else None

    def answer_check(self, chosen: Settings) -> AnswerCheckMode:
        """How answers are checked; `on` also where there is no judge for it (`the_judge`)."""
        asked = chosen.answer_check or (self.check_by_default if chosen.planner != "rules" else None)
        if asked == "on":
            return asked
        if chosen.answer_check and not (chosen.answer_check == "auto" and self.judge is None):
            return chosen.answer_check
        # A run that plans by rules alone uses no model at all.
        if self.judge is None or chosen.planner == "rules":
            return "off" if self.check_by_default == "off" else "rules"
        is_named = self.models is not None and self.models.has_own("validator", chosen)
        return self.check_by_default or ("on" if is_named else "auto")

    @property
    def the_judge(self) -> Judge:
        """Raises SettingsError if there is none."""
        if self.judge is None:
            raise SettingsError(
                "the answer check 'on' needs a model: give one to build_graph, set OPENAI_API_KEY, "
                "OPENAI_BASE_URL or WAVEGRAPH_VALIDATOR_BASE_URL, or use 'rules'"
            )
        return self.judge

    async def own(
        self,
        what: str,
        code: Callable[..., _T | None] | None,
        *given: Any,
        until: float | None = None,
        here: bool = False,
    ) -> _T | None:
        """The result of the domain's own code; None if there is none, or if it fails or is not done in time (which is logged).
        `until`: by the loop's clock. It runs in a thread, where it holds up neither the loop nor a cancel; `here`: in the
        loop, since it is done in a moment."""
        try:
            async with asyncio.timeout_at(until):
                return (code(*given) if here else await asyncio.to_thread(code, *given)) if code else None
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001
            logger.error("%s of %s failed: %s", what, self.domain.name, kind_of_fault(error))
            return None

    def can_mend(self, chosen: Settings) -> bool:
        """Whether planning again after issues could help: the rules know only the domain's own workarounds."""
        return self.domain.script.workarounds is not None or self.planner_for(chosen) is not self.rules
