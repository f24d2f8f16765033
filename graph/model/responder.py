"""A language model as responder, over any chat model."""

import re
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage

from wavegraph.graph.domain import AnswerView, Domain, Draft
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.ledger import bounded_view
from wavegraph.graph.model.calls import (
    SHARE_OF_TIME,
    count_tokens,
    has_ended,
    repeats,
    retried,
    why_withheld,
    without_thoughts,
)
from wavegraph.graph.model.clients import Models
from wavegraph.graph.model.prompt_blocks import conversation_of, last_answer, tagged, weekdays_of
from wavegraph.graph.model.structured import HIDDEN
from wavegraph.graph.model.wrapped import ChatRunnable
from wavegraph.graph.settings import request_settings
from wavegraph.prompts import render

_DATA = re.compile(r"(?:```\w*\s*)?[\[{]\s*[\"{}\[\]]")
"""How JSON begins, but no sentence does."""


class LlmResponder:
    """Answers with a model from results only, streamed; a rewrite is not streamed."""

    name = "llm"

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    @cached_property
    def _instructions(self) -> str:
        return render("respond", domain=self._domain.prompts.get("respond", ""))

    async def respond(self, view: AnswerView) -> Draft:
        """Raises ModelUnavailable for a model that stays down or gives no complete answer in words, PlanError for an
        answer that its client withheld.
        """
        message = await retried(
            lambda: self._streamed(view), settings=view.settings, within_s=view.remaining_s * SHARE_OF_TIME
        )
        count_tokens(message, view.meter)
        if why := why_withheld(message):
            raise ModelUnavailable(f"the answer is incomplete: {why}")
        if not (text := without_thoughts(str(message.text))):
            raise ModelUnavailable("the answer was empty")
        if _DATA.match(text):
            raise ModelUnavailable("the answer was data, not words")
        if repeats(text, self._instructions):
            raise ModelUnavailable("the answer repeated its instructions")
        return Draft(text, message.id)

    async def _streamed(self, view: AnswerView) -> AIMessage:
        """One attempt. Text that was streamed once is not streamed again under another id: a later text replaces it."""
        chosen = await self._models.get("responder", view.settings)
        model: ChatRunnable = chosen
        hidden = bool(view.meter.streamed_id or last_answer(view.conversation, view.request))
        if hidden:
            model = model.with_config(tags=HIDDEN)
        message = answer_message(view)
        messages = [SystemMessage(self._instructions), HumanMessage(message)]
        paid = await self._models.payer("responder", chosen, view.settings, view.meter).begin(
            self._instructions, message
        )
        view.meter.llm_calls += 1
        whole: AIMessageChunk | None = None
        async for chunk in model.astream(messages):
            if not hidden:
                view.meter.streamed_id = view.meter.streamed_id or chunk.id
                view.meter.streamed_text += str(chunk.text)
            whole = chunk if whole is None else whole + chunk
        if whole is not None:
            await paid.ended(whole)
        if whole is None or not has_ended(whole):
            raise ConnectionError("the stream broke off")
        return whole


def answer_message(view: AnswerView) -> str:
    """What an answer may draw on, as tagged JSON."""
    parts: dict[str, Any] = {
        "settings": request_settings(view.settings),
        "conversation": conversation_of(view.conversation, view.request),
        "understood": {"action": view.plan["action"], "slots": view.plan["slots"], "reply": view.plan["reply"]},
        "results": bounded_view(view.ledger, view.limits.max_prompt_bytes),
        "issues": [{**issue, "open": issue in view.open_issues} for issue in view.issues],
        "not_done": {"calls": list(view.unfinished), "limits": list(view.limits_hit)},
    }
    if view.details:
        parts["work_so_far"] = view.details
    if answer := last_answer(view.conversation, view.request):
        parts["last_answer"] = answer
    if view.unsupported:
        parts["unsupported_claims"] = list(view.unsupported)
    if view.feedback and view.feedback["source"] == "answer":
        parts["gaps"] = [issue["message"] for issue in view.feedback["issues"]]
    parts["weekdays"] = weekdays_of(parts)
    parts["language"] = view.request["language"]
    parts["request"] = view.request["text"]
    return tagged(parts)
