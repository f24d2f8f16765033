"""A language model as planner, over any chat model."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from langchain_core.messages import AnyMessage, ToolMessage

from wavegraph.graph.domain import Domain, Replies
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import PlanError
from wavegraph.graph.guard.replies import ReplyText, form_list, numbers_of, replies_of, reply_text
from wavegraph.graph.language import say
from wavegraph.graph.ledger import has_results
from wavegraph.graph.model.calls import SHARE_OF_TIME, bad_output, repeats
from wavegraph.graph.model.clients import Models
from wavegraph.graph.model.lessons import with_lessons
from wavegraph.graph.model.plan_form import NAME, plan_read, planning_schema, tool_list
from wavegraph.graph.model.prompt_blocks import (
    blocks,
    calls_before,
    calls_shown,
    conversation_of,
    has_table,
    json_texts,
    last_answer,
    orders_in,
    tagged,
    with_blocks,
)
from wavegraph.graph.model.structured import Form
from wavegraph.graph.settings import request_settings
from wavegraph.graph.state import Feedback, PastRequest, PlanningResult
from wavegraph.graph.tracing.figures import values_in
from wavegraph.graph.views import PlanningView
from wavegraph.prompts import of_rules, render


class LlmPlanner:
    """Plans with a model, in the domain's schema. Its raw output is checked by the engine like any plan."""

    name = "llm"

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    @cached_property
    def _form(self) -> Form:
        return Form(NAME, "Give the plan", planning_schema(self._domain))

    @cached_property
    def instructions(self) -> str:
        """The same for every request, and first, so that a provider's prompt cache can serve it. Lessons follow."""
        return instructions_of(self._domain)

    async def plan(self, view: PlanningView) -> PlanningResult:
        """Raises PlanError for output that is no plan, ModelUnavailable for a model that stays down."""
        rules = "\n".join(filter(None, _rules(view, self._domain)))
        raw = await self._form.object_from(
            self._models,
            "planner",
            await with_lessons(self.instructions, self._domain.name, "planner") + orders_in(view, self._domain),
            with_blocks(
                planning_message(view, self._domain.registry, rules, any_language=self._domain.any_language),
                view,
                self._domain,
            ),
            settings=view.settings,
            meter=view.meter,
            within_s=view.remaining_s * SHARE_OF_TIME,
        )
        made = self._planning_result(raw, rules, view.ledger["calls"])
        if language := self._domain.language_read(made.get("language"), view.settings):
            view = replace(view, request={**view.request, "language": language})
        replies = replies_of(self._domain)
        return await asyncio.to_thread(self._with_reply, made, replies, view) if replies else made

    def _planning_result(self, raw: dict[str, Any], rules: str, known: Collection[str]) -> PlanningResult:
        """What a plan says of a raw object; the plan check checks it. `known`: ids of calls so far."""
        made = plan_read(raw, self._form.schema, self._domain.registry, known)
        # Text by text: a plan that only has the shape of an example in them repeats nothing.
        instructions = f"{self.instructions}\n{rules}"
        if any(isinstance(text, str) and repeats(text, instructions) for text in values_in(made)):
            raise bad_output("repeated_instructions", "the plan repeats these instructions; keep to the request")
        calls = made["tools"]
        if self._domain.every_part:
            calls = [{**call, "serves": numbers_of(call.get("serves"))} for call in calls]
        # A text beside calls was written before their results were known; a form says nothing that they could change.
        reply = None if calls and replies_of(self._domain) is None else made["reply"]
        own = {name: part for name, part in made.items() if name in ("reasoning", "action", "status", "language")}
        context = {"context": numbers_of(made.get("context"))} if self._domain.every_part else {}
        return {**own, **context, "slots": {}, "tools": calls, "reply": reply}  # type: ignore[typeddict-item]

    def _with_reply(self, made: PlanningResult, replies: Replies, view: PlanningView) -> PlanningResult:
        """The plan with its reply in words: as a reply where it is the answer, else as remarks.

        Raises PlanError for a reply that does not stand, once per request. The second time only its own words are left out,
        unless the plan has nothing else and the rules can take over.
        """
        told = reply_text(made["reply"], replies, view, made["tools"])
        is_beside = bool(made["tools"]) or has_results(view.ledger)
        if told.issues:
            was_sent_back = view.feedback is not None and view.feedback["source"] == "plan"
            has_rules = self._domain.offline is not None and view.settings.model_fallback
            if not was_sent_back or (has_rules and not (told.said or is_beside)):
                raise PlanError(told.issues)
            view.meter.broken_plans += told.issues
            if not (told.said or is_beside):
                told = ReplyText([{"say": "unclear"}], sentences=[say("reply_unclear", view.request["language"])])
        made = {**made, "said": told.said, "replied": told.serves}
        if is_beside:
            return {**made, "reply": None, "remarks": told.sentences}
        return {**made, "reply": " ".join(told.sentences) or None}


def instructions_of(domain: Domain) -> str:
    """The same for every request to the domain."""
    replies, effects = replies_of(domain), {tool.effect for tool in domain.registry.values()}
    return render(
        "plan",
        domain=domain.prompts.get("plan", ""),
        tools=tool_list(domain),
        writes=f"\n{render('plan_writes')}\n" if "write" in effects else "",
        language=f"\n{render('plan_language')}" if domain.any_language else "",
        last="the `request`, behind `language` where that is settled,"
        if domain.any_language
        else "`language` and the `request`,",
        reply=render("plan_reply_forms") if replies else _reply_text(domain),
        forms=f"\n{render('plan_forms', forms=form_list(replies))}\n" if replies else "",
        pieces=f"\n{render('plan_pieces')}" if domain.every_part else "",
    )


def _reply_text(domain: Domain) -> str:
    language = "in that language" if domain.any_language else "in the language of the `language` block (`en`, `he`)"
    known = "" if domain.figures == "strict" else ", or are commonly known"
    sources = f"Its numbers, dates and prices stand in the blocks{', ' if known else ' or '}follow from them{known}."
    return render("plan_reply_text", language=language, sources=sources)


def _has_planned_a_write(view: PlanningView) -> bool:
    """In this request or in those before it that a planner is shown."""
    shown = (view.previous, view.previous and view.previous.get("earlier"))
    ledgers = (view.ledger, *(past["ledger"] for past in shown if past))
    return any(call["effect"] != "read" for ledger in ledgers for call in ledger["calls"].values())


def _rules(view: PlanningView, domain: Domain) -> Iterator[str]:
    """The rules for what only some requests hold."""
    if view.plan or view.feedback:
        yield render("plan_so_far")
    if view.sent_before or _has_planned_a_write(view):
        yield render("plan_writes_done")
    if view.previous or view.sent_before:
        yield render("plan_follow_up")
        yield domain.prompts.get("plan_follow_up", "")
    if view.sent_before:
        yield render("plan_sent_before")
    if view.waiting:
        yield render("plan_waiting")
    if view.feedback:
        found = {each["rule"] for each in view.feedback["issues"]}
        yield of_rules(render(f"plan_again_{view.feedback['source']}"), found)
        yield domain.prompts.get("plan_again", "")


def planning_message(
    view: PlanningView, tools: Mapping[str, DomainTool], rules: str = "", *, any_language: bool = False
) -> str:
    """What changes from request to request, as tagged JSON: the planner's data, oldest first, so that planning again begins
    with the same bytes; then the `rules` for it, and last the request. `tools`: the domain's. `any_language`: the planner says
    which one the request is in, unless the settings do. Slots are not shown: what code derives from the calls says nothing
    beside them.
    """
    plans_again = view.plan or view.feedback
    planned = {name: value for name, value in (view.plan or {}).items() if name in ("action", "reasoning")}
    pieces = {number: piece.strip() for number, piece in enumerate(view.pieces, 1)}
    parts: dict[str, Any] = {
        "settings": request_settings(view.settings),
        "conversation": conversation_of(_without_previous(view), view.request, view.limits.max_messages),
        "previous_request": view.previous and _past(view.previous, view, tools),
        "sent_before": [
            {name: value for name, value in each.items() if name != "request_id"} for each in view.sent_before
        ],
        "waits_for_yes": [{name: each[name] for name in ("tool", "args")} for each in view.waiting],
        "so_far": {**planned, "calls": calls_shown(view.ledger, view.limits.max_prompt_bytes)} if plans_again else None,
        "feedback": view.feedback and _feedback(view.feedback, view),
        "work_so_far": None if view.feedback and view.feedback.get("details") else view.details,  # not twice
        "last_answer": last_answer(view.conversation, view.request) or None,
        "pieces": pieces if len(pieces) > 1 else None,
    }
    data = json_texts(parts)
    tables = render("plan_tables") if any(map(has_table, data.values())) else ""
    own = "\n".join(filter(None, [tables, rules]))
    is_open = any_language and view.settings.language == "auto"
    asked = tagged({"language": None if is_open else view.request["language"], "request": view.request["text"]})
    return "\n\n".join(filter(None, [blocks(data), own, asked]))


def _without_previous(view: PlanningView) -> list[AnyMessage]:
    """The conversation without the results that stand with the calls of the requests before."""
    shown = {name for past in (view.previous, view.worked_before) if past for name in past["ledger"]["calls"]}
    return [each for each in view.conversation if not (isinstance(each, ToolMessage) and each.tool_call_id in shown)]


def _past(past: PastRequest, view: PlanningView, tools: Mapping[str, DomainTool]) -> dict[str, Any]:
    earlier = past.get("earlier")
    return {
        "text": past["request"]["text"],
        "outcome": past["outcome"] or ("awaiting_approval" if past.get("approvals") else "cut off"),
        "calls": calls_before(past["ledger"], view.limits.max_prompt_bytes // 4, tools),
        **({"earlier": _past(earlier, view, tools)} if earlier else {}),
    }


def _feedback(feedback: Feedback, view: PlanningView) -> dict[str, Any]:
    proposals = [{key: call.get(key) for key in ("tool", "args", "instead_of")} for call in view.proposals]
    details = {"details": feedback["details"]} if feedback.get("details") else {}
    return {"source": feedback["source"], "issues": feedback["issues"], "suggestions": proposals, **details}
