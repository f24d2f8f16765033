"""A language model as planner and as responder, over any chat model."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable
from pydantic import ValidationError

from wavegraph.graph.dialogue.messages import is_question
from wavegraph.graph.domain import AnswerView, Domain, Draft, PlanningView, explain
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.ledger import bounded_view
from wavegraph.graph.model.calls import (
    SHARE_OF_TIME,
    bad_output,
    count_tokens,
    has_ended,
    json_object,
    retried,
    why_withheld,
    without_thoughts,
)
from wavegraph.graph.model.clients import Models
from wavegraph.graph.model.plan_schema import NAME, planning_schema, tool_list
from wavegraph.graph.model.structured import HIDDEN, Form, filled_in
from wavegraph.graph.settings import said
from wavegraph.graph.state import Feedback, Ledger, PlanningResult, Previous, Request
from wavegraph.prompts import render

RECENT_MESSAGES = 20
LONGEST_MESSAGE = 2000
"""Characters of an earlier message that a model sees."""
PASSAGE = 15
"""Words in a row that no answer shares with the instructions by chance."""
_DATA = re.compile(r"(?:```\w*\s*)?[\[{]\s*[\"{}\[\]]")
"""How JSON begins, and no sentence does."""
_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


class LlmPlanner:
    """Plans with a model, in the domain's schema. Its raw output is checked by the engine like any plan."""

    name = "llm"

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    @cached_property
    def _schema(self) -> dict[str, Any]:
        return planning_schema(self._domain)

    @cached_property
    def _instructions(self) -> str:
        """The same for every request, and first, so that a provider's prompt cache can serve it."""
        return render("plan", domain=self._domain.prompts.get("plan", ""), tools=tool_list(self._domain))

    async def plan(self, view: PlanningView) -> PlanningResult:
        """Raises PlanError for output that is no plan, ModelUnavailable for a model that stays down."""
        message = await retried(
            lambda: self._asked(view), settings=view.settings, within_s=view.remaining_s * SHARE_OF_TIME
        )
        count_tokens(message, view.meter)
        return self._planning_result(json_object(message, self._schema["properties"]))

    async def _asked(self, view: PlanningView) -> AIMessage:
        model = await self._models.get("planner", view.settings)
        form = Form(NAME, "Give the plan", self._schema)
        method = view.settings.structured_output
        return await filled_in(
            form, self._instructions, planning_message(view), model=model, method=method, meter=view.meter
        )

    def _planning_result(self, raw: dict[str, Any]) -> PlanningResult:
        """The raw object, its slots checked; the plan check reads the rest."""
        if repeats(str(raw), self._instructions):
            raise bad_output("repeated_instructions", "the plan repeats these instructions; keep to the request")
        calls = raw.get("tools")
        if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
            raise bad_output("plan_shape", "`tools` must be a list of calls")
        # A reply beside calls was written before their results were known.
        reply = None if calls else raw.get("reply")
        return {**raw, "slots": self._slots(raw.get("slots")), "reply": reply}  # type: ignore[typeddict-item]

    def _slots(self, raw: Any) -> Any:
        """Only what was understood: nulls say that nothing was."""
        slots = _given(raw)
        if self._domain.slots is None:
            return slots
        try:
            return self._domain.slots.model_validate(slots or {}).model_dump(mode="json", exclude_unset=True)
        except ValidationError as error:
            raise bad_output("bad_slots", f"slots: {explain(error)}") from None


def _given(values: Any) -> Any:
    """A record without its nulls, at any depth."""
    if isinstance(values, dict):
        return {name: _given(value) for name, value in values.items() if value is not None}
    return [_given(value) for value in values] if isinstance(values, list) else values


class LlmResponder:
    """Answers with a model, streamed, from results only; a rewrite is not streamed again."""

    name = "llm"

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    @cached_property
    def _instructions(self) -> str:
        return render("respond", domain=self._domain.prompts.get("respond", ""))

    async def respond(self, view: AnswerView) -> Draft:
        """Raises ModelUnavailable for a model that stays down or gives no whole answer in words, PlanError for an
        answer that its client withheld.
        """
        message = await retried(
            lambda: self._streamed(view), settings=view.settings, within_s=view.remaining_s * SHARE_OF_TIME
        )
        count_tokens(message, view.meter)
        if why := why_withheld(message):
            raise ModelUnavailable(f"the answer was not given whole: {why}")
        if not (text := without_thoughts(str(message.text))):
            raise ModelUnavailable("the answer was empty")
        if _DATA.match(text):
            raise ModelUnavailable("the answer was data, not words")
        if repeats(text, self._instructions):
            raise ModelUnavailable("the answer repeated its instructions")
        return Draft(text, message.id)

    async def _streamed(self, view: AnswerView) -> AIMessage:
        """One try. What was once shown is not streamed again under another id: a later text replaces it."""
        model: Runnable[Any, Any] = await self._models.get("responder", view.settings)
        hidden = bool(view.meter.shown_id or _last_answer(view.conversation, view.request))
        if hidden:
            model = model.with_config(tags=HIDDEN)
        messages = [SystemMessage(self._instructions), HumanMessage(answer_message(view))]
        view.meter.llm_calls += 1
        whole: AIMessageChunk | None = None
        async for chunk in model.astream(messages):
            if not hidden:
                view.meter.shown_id = view.meter.shown_id or chunk.id
                view.meter.shown += str(chunk.text)
            whole = chunk if whole is None else whole + chunk
        if whole is None or not has_ended(whole):
            raise ConnectionError("the stream broke off")
        return whole


def repeats(text: str, instructions: str) -> bool:
    """Whether a text gives back a passage of the instructions word for word: it is not the answer to any request."""
    return not _passages(text).isdisjoint(_passages(instructions))


def _passages(text: str) -> set[str]:
    """All runs of `PASSAGE` words, folded."""
    words = re.findall(r"\w+", text.casefold())
    return {" ".join(words[n : n + PASSAGE]) for n in range(len(words) - PASSAGE + 1)}


def planning_message(view: PlanningView) -> str:
    """What changes from request to request, as tagged JSON: the planner's data, oldest first."""
    parts: dict[str, Any] = {
        "settings": said(view.settings),
        "conversation": conversation_of(view.conversation, view.request),
    }
    if view.previous:
        parts["previous_request"] = _before(view.previous, view.limits.max_prompt_bytes // 4)
    if view.waiting:
        parts["waits_for_yes"] = [{name: each[name] for name in ("tool", "args")} for each in view.waiting]
    if view.plan or view.feedback:
        parts["so_far"] = _so_far(view.plan, view.ledger, view.limits.max_prompt_bytes)
    if view.feedback:
        parts["feedback"] = _feedback(view.feedback, view)
    if view.details and not (view.feedback and view.feedback.get("details")):  # told once
        parts["work_so_far"] = view.details
    if answer := _last_answer(view.conversation, view.request):
        parts["last_answer"] = answer
    parts["language"] = view.request["language"]
    parts["request"] = view.request["text"]
    return tagged(parts)


def _before(previous: Previous, max_bytes: int) -> dict[str, Any]:
    plan = previous["plan"]
    return {
        "text": previous["request"]["text"],
        "slots": plan["slots"] if plan else {},
        "outcome": previous["outcome"] or ("awaiting_approval" if previous.get("approvals") else "cut off"),
        "calls": bounded_view(previous["ledger"], max_bytes),
    }


def _so_far(plan: Any, ledger: Ledger, max_bytes: int) -> dict[str, Any]:
    planned = {key: plan[key] for key in ("action", "reasoning", "slots")} if plan else {}
    return {**planned, "calls": bounded_view(ledger, max_bytes)}


def _feedback(feedback: Feedback, view: PlanningView) -> dict[str, Any]:
    proposals = [{key: call.get(key) for key in ("tool", "args", "instead_of")} for call in view.proposals]
    details = {"details": feedback["details"]} if feedback.get("details") else {}
    return {"source": feedback["source"], "issues": feedback["issues"], "suggestions": proposals, **details}


def answer_message(view: AnswerView) -> str:
    """What an answer may draw on, as tagged JSON."""
    parts: dict[str, Any] = {
        "settings": said(view.settings),
        "conversation": conversation_of(view.conversation, view.request),
        "understood": {"action": view.plan["action"], "slots": view.plan["slots"], "reply": view.plan["reply"]},
        "results": bounded_view(view.ledger, view.limits.max_prompt_bytes),
        "issues": [{**issue, "open": issue in view.open_issues} for issue in view.issues],
        "not_done": {"calls": list(view.unfinished), "limits": list(view.limits_hit)},
    }
    if view.details:
        parts["work_so_far"] = view.details
    if answer := _last_answer(view.conversation, view.request):
        parts["last_answer"] = answer
    if view.unsupported:
        parts["unsupported_claims"] = list(view.unsupported)
    if view.feedback and view.feedback["source"] == "answer":
        parts["gaps"] = [issue["message"] for issue in view.feedback["issues"]]
    parts["weekdays"] = weekdays_of(parts)
    parts["language"] = view.request["language"]
    parts["request"] = view.request["text"]
    return tagged(parts)


def weekdays_of(parts: Mapping[str, Any]) -> dict[str, str]:
    """The day of the week of every date in the blocks, which a model would have to reckon."""
    return {day: f"{found:%A}" for day in sorted(set(_DATE.findall(_encoded(parts)))) if (found := _as_date(day))}


def _as_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def conversation_of(messages: Sequence[AnyMessage], request: Request) -> list[dict[str, str]]:
    """The latest messages before the request, shortened."""
    earlier = messages[: _position(messages, request)][-RECENT_MESSAGES:]
    return [{"role": message.type, "text": str(message.text)[:LONGEST_MESSAGE]} for message in earlier]


def _last_answer(messages: Sequence[AnyMessage], request: Request) -> str:
    """The answer that this request was given already, when it is sent back; empty = none yet."""
    later = messages[_position(messages, request) + 1 :]
    answers = (m for m in reversed(later) if isinstance(m, AIMessage) and not is_question(m))
    return next((str(message.text) for message in answers), "")


def _position(messages: Sequence[AnyMessage], request: Request) -> int:
    """Where the request is; at the end, if it is no message of the thread."""
    return next((n for n, message in enumerate(messages) if message.id == request["id"]), len(messages))


def tagged(parts: Mapping[str, Any]) -> str:
    """One tagged block per part. `<` is escaped inside, so that no text can close its block or open another."""
    blocks = (f"<{name}>\n{_encoded(value)}\n</{name}>" for name, value in parts.items())
    return "\n\n".join(blocks)


def _encoded(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str).replace("<", "\\u003c")
    return text.encode(errors="replace").decode()  # half a character, as broken input may hold one, cannot be sent
