"""A language model as planner and as responder, over any chat model."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable
from langchain_openai.chat_models.base import BaseChatOpenAI

from wavegraph.graph.domain import AnswerView, Domain, Draft, PlanningView
from wavegraph.graph.ledger import bounded_view
from wavegraph.graph.model_calls import bad_output, count_tokens, json_object, retried
from wavegraph.graph.models import Models
from wavegraph.graph.plan_schema import NAME, planning_schema, tool_list
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import Feedback, Ledger, PlanningResult
from wavegraph.prompts import render

HIDDEN = ["nostream"]
"""LangGraph's tag for model output that must not show in the message stream."""
RECENT_MESSAGES = 20
LONGEST_MESSAGE = 2000
"""Characters of an earlier message that a model sees."""


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
        model = await self._models.get("planner", view.settings)
        planner = _in_form(model, self._schema, view.settings.structured_output)
        messages = [SystemMessage(self._instructions), HumanMessage(planning_message(view))]
        raw = await retried(lambda: planner.ainvoke(messages), meter=view.meter, settings=view.settings)
        message = raw["raw"] if isinstance(raw, dict) else raw
        count_tokens(message, view.meter)
        return _planning_result(json_object(message))


def _in_form(model: BaseChatModel, schema: Mapping[str, Any], method: str) -> Runnable[Any, Any]:
    """The model bound to answer in the schema. The tag comes last: binding would drop it."""
    bound: Runnable[Any, Any]
    if not isinstance(model, BaseChatOpenAI):
        bound = _in_any_form(model, schema)
    elif method == "json_schema":
        form = {"name": NAME, "schema": schema, "strict": True}
        bound = model.bind(response_format={"type": "json_schema", "json_schema": form})
    else:
        function = {"name": NAME, "description": "Give the plan", "parameters": schema, "strict": True}
        bound = model.bind_tools([{"type": "function", "function": function}], tool_choice=NAME)
    return bound.with_config(tags=HIDDEN)


def _in_any_form(model: BaseChatModel, schema: Mapping[str, Any]) -> Runnable[Any, Any]:
    try:
        return model.with_structured_output({"title": NAME, **schema}, include_raw=True)
    except NotImplementedError:  # a model without tools still reads the prompt, which asks for JSON
        return model


def _planning_result(raw: dict[str, Any]) -> PlanningResult:
    """The raw object with its nulls taken for what they mean: not given."""
    calls = raw.get("tools")
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise bad_output("plan_shape", "`tools` must be a list of calls")
    tools = [{**call, "args": _given(call.get("args"))} for call in calls]
    return {**raw, "tools": tools, "slots": _given(raw.get("slots"))}  # type: ignore[typeddict-item]


def _given(values: Any) -> Any:
    return {name: value for name, value in values.items() if value is not None} if isinstance(values, dict) else values


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
        """Raises ModelUnavailable for a model that stays down."""
        model: Runnable[Any, Any] = await self._models.get("responder", view.settings)
        if view.unsupported or (view.feedback and view.feedback["source"] == "answer"):
            model = model.with_config(tags=HIDDEN)
        messages = [SystemMessage(self._instructions), HumanMessage(answer_message(view))]
        message = await retried(lambda: _streamed(model, messages), meter=view.meter, settings=view.settings)
        count_tokens(message, view.meter)
        return Draft(str(message.text).strip(), message.id)


async def _streamed(model: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> AIMessage:
    whole: AIMessageChunk | None = None
    async for chunk in model.astream(messages):
        whole = chunk if whole is None else whole + chunk
    if whole is None or not str(whole.text).strip():
        raise ConnectionError("the stream ended without an answer")
    return whole


def planning_message(view: PlanningView) -> str:
    """What changes from request to request, as tagged JSON: the planner's data, oldest first."""
    parts: dict[str, Any] = {"settings": _said(view.settings), "conversation": _conversation(view.conversation)}
    if view.previous:
        calls = bounded_view(view.previous["ledger"], view.limits.max_prompt_bytes // 4)
        plan = view.previous["plan"]
        parts["previous_request"] = {"text": view.previous["request"]["text"], "slots": plan["slots"] if plan else {},
                                     "outcome": view.previous["outcome"] or "cut off", "calls": calls}  # fmt: skip
    if view.plan or view.feedback:
        parts["so_far"] = _so_far(view.plan, view.ledger, view.limits.max_prompt_bytes)
    if view.feedback:
        parts["feedback"] = _feedback(view.feedback, view)
    parts["request"] = view.request["text"]
    return _tagged(parts)


def _so_far(plan: Any, ledger: Ledger, max_bytes: int) -> dict[str, Any]:
    planned = {key: plan[key] for key in ("action", "reasoning", "slots")} if plan else {}
    return {**planned, "calls": bounded_view(ledger, max_bytes)}


def _feedback(feedback: Feedback, view: PlanningView) -> dict[str, Any]:
    proposals = [{key: call.get(key) for key in ("tool", "args", "instead_of")} for call in view.proposals]
    return {"source": feedback["source"], "issues": feedback["issues"], "suggestions": proposals}


def answer_message(view: AnswerView) -> str:
    """What an answer may draw on, as tagged JSON."""
    parts: dict[str, Any] = {
        "settings": _said(view.settings),
        "conversation": _conversation(view.conversation),
        "understood": {"action": view.plan["action"], "slots": view.plan["slots"], "reply": view.plan["reply"]},
        "results": bounded_view(view.ledger, view.limits.max_prompt_bytes),
        "issues": [{**issue, "open": issue in view.open_issues} for issue in view.issues],
        "not_done": {"calls": list(view.unfinished), "limits": list(view.limits_hit)},
    }
    if view.unsupported:
        parts["unsupported_claims"] = list(view.unsupported)
    if view.feedback and view.feedback["source"] == "answer":
        parts["gaps"] = [issue["message"] for issue in view.feedback["issues"]]
    parts["language"] = view.request["language"]
    parts["request"] = view.request["text"]
    return _tagged(parts)


def _said(settings: Any) -> dict[str, Any]:
    """The run's settings that bear on the request; the engine's own knobs do not."""
    own = set(type(settings).model_fields) - set(Settings.model_fields)
    today = settings.today
    return {"today": today.isoformat(), "weekday": f"{today:%A}", **settings.model_dump(mode="json", include=own)}


def _conversation(messages: Sequence[AnyMessage]) -> list[dict[str, str]]:
    """The latest messages before the request, shortened."""
    earlier = messages[:-1][-RECENT_MESSAGES:]
    return [{"role": message.type, "text": str(message.text)[:LONGEST_MESSAGE]} for message in earlier]


def _tagged(parts: Mapping[str, Any]) -> str:
    """One tagged block per part. `<` is escaped inside, so that no text can close its block or open another."""
    blocks = (f"<{name}>\n{_encoded(value)}\n</{name}>" for name, value in parts.items())
    return "\n\n".join(blocks)


def _encoded(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str).replace("<", "\\u003c")
