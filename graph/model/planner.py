"""A language model as planner, over any chat model.

Its form: one function, `plan`, whose calls hold their arguments as a free object.

What a tool takes stands in the list of tools, in words. The tools' own types check it, and a plan that does not fit goes back
once with what is wrong. The other form was a strict JSON schema with a branch for each tool; both were measured
(`python -m benchmarks.plan_form`). The flat one with its list of tools is sent in fewer bytes (hotel 40 %, roster 54), and a plan
in it is a fifth shorter, since nothing is null that was not said. It says all 261 right plans of NESTFUL, the strict one 256;
both all 165 of tau-bench. Of sixty habits of weak models 46 are read at once, 14 go back with the way out, none is misread:
with the same reading 45, 15 and none in the strict form. Where a server holds its models to the schema, the strict one spares
four second tries of sixty more; for that it took twice the code, and
`$ref`, `anyOf` and nulls, which some servers refuse.
"""

import asyncio
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import Any

from langchain_core.messages import AnyMessage, ToolMessage
from pydantic import PydanticUserError

from wavegraph.graph.domain import Domain, Replies
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import PlanError, error_text, logger
from wavegraph.graph.guard.replies import ReplyText, form_list, numbers_of, replies_of, reply_text
from wavegraph.graph.language import say
from wavegraph.graph.ledger import has_results
from wavegraph.graph.model.calls import SHARE_OF_TIME, Form, bad_output, repeats
from wavegraph.graph.model.clients import Models
from wavegraph.graph.model.lessons import with_lessons
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
from wavegraph.graph.references.declared_values import as_meant, known_spelling
from wavegraph.graph.references.paths import ELEMENT, reference, values_in
from wavegraph.graph.references.shapes import Schema
from wavegraph.graph.references.signatures import notes, outline, signature
from wavegraph.graph.settings import request_settings
from wavegraph.graph.state import Feedback, PastRequest, PlanningResult
from wavegraph.graph.views import PlanningView
from wavegraph.prompts import of_rules, render

# References as models write them from habit: `{{dates.check_in}}`, `$dates.check_in`, `{"ref": "dates.check_in"}`. They are read where
# they name a call that there is. Any other text stays one.

_BRACED = re.compile(r"\$?\{{1,2}\s*+([\w-]++)\s*+((?:[.\[][^{}]*+)?)\}{1,2}")
_DOLLAR = re.compile(r"\$([\w-]++)([.\[][^{}$]*+)\$?")
"""With a path: `$5` is a price."""
_DOUBLED = str.maketrans({"{": "{{", "}": "}}"})
_PLAIN = re.compile(r"([\w-]++)((?:[.\[][^{}]*+)?)")


def as_references(value: Any, calls: Collection[str]) -> Any:
    """The value with what mentions one of these calls as a reference to it, at any depth."""
    match value:
        case str():
            return _of_text(value, calls)
        case {"ref": str() as words, **rest} | {"$ref": str() as words, **rest} if not rest:
            return _reference(_PLAIN.fullmatch(words.strip("${} ")), calls) or value
        case {"call": str() as call, "path": str() as path, **rest} if not rest and call in calls:
            return reference(call, path)
        case {"ref": dict(), **rest} if not rest:
            return value
        case {"text": str(), "with": dict() as named, **rest} if not rest:
            return {**value, "with": {name: as_references(part, calls) for name, part in named.items()}}
        case dict():
            return {name: as_references(part, calls) for name, part in value.items()}
        case list():
            return [as_references(part, calls) for part in value]
    return value


def _of_text(text: str, calls: Collection[str]) -> Any:
    """One reference, or a text with values in it."""
    words = text.strip()
    if whole := _reference(_BRACED.fullmatch(words) or _DOLLAR.fullmatch(words), calls):
        return whole
    template, values, end = "", dict[str, Any](), 0
    for found in _BRACED.finditer(text):
        if found[2] and (value := _reference(found, calls)):
            name = f"value_{len(values) + 1}"
            template += f"{text[end : found.start()].translate(_DOUBLED)}{{{name}}}"
            values[name], end = value, found.end()
    return {"text": template + text[end:].translate(_DOUBLED), "with": values} if values else text


def _reference(found: re.Match[str] | None, calls: Collection[str]) -> dict[str, Any] | None:
    if found is None or found[1] not in calls:
        return None
    return reference(found[1], found[2].strip().removeprefix("."))


# The form

NAME = "plan"
_TEXT: Schema = {"type": "string"}
_NUMBERS: Schema = {"type": "array", "items": {"type": "integer"}}
# Without `properties`: an empty list of them would make a grammar that takes `{}` alone.
_OBJECT: Schema = {"type": "object"}


def planning_schema(domain: Domain) -> dict[str, Any]:
    """The schema of what a model gives of a `PlanningResult`."""
    tool = {**_TEXT, "enum": [tool.name for tool in plannable(domain)]}
    serves = {"serves": _NUMBERS} if domain.every_part else {}
    call = {"id": _TEXT, "tool": tool, "args": _OBJECT, "each": _OBJECT, "instead_of": _TEXT, **serves}
    fields = {
        "reasoning": _TEXT,
        "action": _TEXT,
        "status": {**_TEXT, "enum": ["done", "continue"]},
        **({"language": _TEXT} if domain.any_language else {}),
        "tools": {"type": "array", "items": _record(call, "id", "tool", "args") if tool["enum"] else _OBJECT},
        "reply": {"type": "array", "items": _OBJECT} if replies_of(domain) else _TEXT,
        **({"context": _NUMBERS} if domain.every_part else {}),
    }
    needed = ("reasoning", "action", "status", "language", "tools")
    return _record(fields, *(name for name in needed if name in fields))


def _record(fields: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(fields), "required": list(required)}


def plannable(domain: Domain) -> list[DomainTool]:
    """The tools whose arguments have a JSON schema. One without is left out, which the log says; the others stay."""
    found = []
    for tool in domain.registry.values():
        try:
            tool.planned_schema  # noqa: B018
        except (PydanticUserError, RecursionError) as error:
            logger.error(
                "no model can plan %s, so it is left out: an argument has a type without a JSON schema (%s); take plain data, and "
                "fetch or bind the rest inside the tool",
                tool.name,
                error_text(error),
            )
        else:
            found.append(tool)
    return found


def tool_list(domain: Domain) -> str:
    """The domain's tools for the prompt: name, arguments, purpose, what is said of the arguments, result."""
    tools = plannable(domain)
    said: dict[str, str] = {}
    kinds: dict[str, str] = {}
    return "\n".join(_tool_line(tool, said, kinds) for tool in tools) or "There are none: answer in `reply`."


def _tool_line(tool: DomainTool, said: dict[str, str], kinds: dict[str, str]) -> str:
    arguments = tool.planned_schema
    purpose = " ".join(tool.tool.description.split())
    result = outline(tool.name, next(iter(tool.result_schemas), {}), tool.refer_to)
    parts = (_about(arguments, said), _sources(tool), f" Result: {result}" if result else "")
    effect = "" if tool.effect == "read" else " (changes, asks)" if tool.approval else " (changes)"
    most = f" At most {tool.most_calls} times in a request." if tool.most_calls is not None else ""
    return f"- {tool.name}{signature(arguments, kinds)}{effect}: {purpose}{most}{''.join(parts)}"


def _about(arguments: Schema, said: dict[str, str]) -> str:
    """What is said of the arguments, but for what was `said` last of an argument of that name."""
    about = notes(arguments)
    told = [f"{name}: {words or '(another)'}" for name, words in about.items() if words != said.get(name, "")]
    said |= about
    return f" Arguments: {'; '.join(told)}." if told else ""


def _sources(tool: DomainTool) -> str:
    """Where the tool's arguments must come from."""
    givers = {
        "person": "In the person's words",
        "results": "From a result",
        "either": "In the person's words or from a result",
    }
    by_source = {source: [name for name, of in tool.sources.items() if of == source] for source in givers}
    return "".join(f" {givers[source]}: {', '.join(names)}." for source, names in by_source.items() if names)


# What comes back

_Call = dict[str, Any]
_FIELDS = ("id", "tool", "args", "each", "instead_of", "serves")
_NOTHING: tuple[Any, ...] = (None, "", "null", "None", {})
_OTHER_NAMES = {"name": "tool", "arguments": "args", "parameters": "args"}


def plan_read(
    raw: Mapping[str, Any], schema: Schema, registry: Mapping[str, DomainTool], known: Collection[str]
) -> dict[str, Any]:
    """A plan as a model wrote it, in the engine's own form. What can mean only one thing is read, however it is written; the
    plan check names what is wrong with the rest.

    `schema`: what was asked for; `known`: ids of the request's calls so far. Raises PlanError where there is no list of calls.
    """
    plan = {name: part for name, part in as_meant(dict(raw), [schema], schema).items() if part not in _NOTHING}
    listed = plan.get("tools", [] if "reply" in plan else None)
    if not isinstance(listed, list) or not all(isinstance(call, dict) for call in listed):
        raise bad_output("plan_shape", "`tools` must be a list of calls, each with `id`, `tool` and `args`")
    calls = list(_with_ids([_call(call, registry) for call in listed]))
    ids = {*known, ELEMENT, *(call["id"] for call in calls)}
    referring = [
        {name: as_references(part, ids) if name in ("args", "each") else part for name, part in call.items()}
        for call in calls
    ]
    return {"reasoning": "", "action": "", "status": "done", "reply": None, **plan, "tools": referring}


def _call(given: Mapping[str, Any], registry: Mapping[str, DomainTool]) -> _Call:
    """The call with the fields of a call only. Where it has no `args`, its other fields are the arguments."""
    inside = given.get("function")
    raw = {**given, **inside} if isinstance(inside, dict) else dict(given)
    for other, own in _OTHER_NAMES.items():
        if own not in raw and other in raw:
            raw[own] = raw.pop(other)
    rest = {name: part for name, part in raw.items() if name not in _FIELDS}
    call = {name: raw[name] for name in _FIELDS if raw.get(name) not in _NOTHING} | {"args": raw.get("args", rest)}
    call["args"] = as_meant(call["args"], [{"type": "object"}], {}) or {}
    if isinstance(name := call.get("tool"), str) and name not in registry:
        call["tool"] = known_spelling(name.rpartition(".")[2], registry)
    return call


def _with_ids(calls: Sequence[_Call]) -> Iterator[_Call]:
    """The calls; one without an id is named after its tool."""
    taken = {str(call["id"]) for call in calls if "id" in call}
    for call in calls:
        tool = str(call.get("tool", "call"))
        names = (f"{tool}_{number}" if number > 1 else tool for number in count(1))
        own = str(call["id"]) if "id" in call else next(name for name in names if name not in taken)
        taken.add(own)
        yield {**call, "id": own}


# The planner


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
