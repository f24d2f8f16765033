"""The judge: a separate model call that checks a finished answer against the question."""

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, StringConstraints

from wavegraph.graph.answer.replies import as_quoted
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import excerpt
from wavegraph.graph.guard.replies import catalogue_for
from wavegraph.graph.model.calls import Form, with_second_try
from wavegraph.graph.model.clients import Models, model_name
from wavegraph.graph.model.prompt_blocks import (
    decisions_of,
    latest_messages,
    not_done,
    now_asked,
    results_shown,
    tagged,
    with_blocks,
)
from wavegraph.graph.settings import request_settings
from wavegraph.graph.state import AnswerCheck, Criterion
from wavegraph.graph.views import AnswerView
from wavegraph.prompts import render

ACCURACY = "accuracy"
STANDARD: Mapping[str, str] = {
    ACCURACY: "what is stated is so, and said of the right thing",
    "completeness": "all that was asked for is answered, or said not to be found or done",
    "clarity": "in the right language, what was asked first",
}
"""The criteria for every answer: name to what it requires."""
GENERAL = "general"
"""The kind of a request with no special criteria of the domain: judged by the standard ones alone."""
WORDS = "words"
"""What a judge says mends a gap of which the sources have what the answer lacks."""
LAST_MESSAGES, LONGEST_MESSAGE = 4, 400
"""Of the conversation: what "and for three?" follows; and their characters."""
LONGEST_UNTOLD, MOST_UNTOLD = 40, 160
"""Characters of a statement that was not told, as a judge sees it, and of all."""


class _Gap(BaseModel):
    criterion: str
    gap: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    by: str | None = None
    about: str | None = None


class _Verdict(BaseModel):
    reasoning: str
    gaps: list[_Gap]


class Judge:
    """Asks the validator's model for a verdict; one that cannot be read is sent back once."""

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    async def judge(self, answer: str, view: AnswerView) -> AnswerCheck:
        """Raises ModelUnavailable for a model that stays down, refuses, or gives no usable verdict, and whatever else its
        client or the domain raises: the caller catches everything.
        """
        own = {name: self._domain.criteria[name] for name in self._domain.kinds.get(self._domain.kind_of(view), ())}
        sources = await asyncio.to_thread(sources_of, view, self._domain)
        tools = [tool.name for tool in self._domain.registry.values() if tool.effect == "read"]

        async def verdict_once(problem: str) -> _Verdict:
            raw = await self._form.object_from(
                self._models,
                "validator",
                self.instructions,
                with_blocks(judge_message(answer, view, sources, own, tools, problem), view, self._domain),
                settings=view.settings,
                meter=view.meter,
                within_s=view.remaining_s,
            )
            return _Verdict.model_validate(raw)

        verdict = await with_second_try(verdict_once)
        known = {WORDS, *tools, *sources.get("untold", ())}
        name = model_name(await self._models.get("validator", view.settings))
        return _as_check(verdict, [*STANDARD, *own], known, now_asked(view)[1], name)

    @cached_property
    def _form(self) -> Form:
        return Form("verdict", "Give the verdict", verdict_schema([*STANDARD, *self._domain.criteria]))

    @cached_property
    def instructions(self) -> str:
        """The same for every request, and first, so that a provider's prompt cache can serve it."""
        listed = "; ".join(f"`{name}`: {asks}" for name, asks in STANDARD.items())
        return render("check_answer", criteria=listed, domain=self._domain.prompts.get("check_answer", ""))


_OF_STATEMENTS = "Its words are those of `told`, or claim nothing."
_BY_THE_DOMAIN = "The assistant's own code wrote it from what was found."
_UNSOURCED = (
    "These figures stand in no source. One that is worked out right, commonly known, or no claim about what was looked up is "
    "well; one that is wrong, or that only a look-up could tell, breaks `accuracy`: "
)
_BY_CODE = "Its sentences are the assistant's fixed ones for these; quotations are the request's own words."
_BY_UNION = (
    "Each figure, time, date, name and address in it stands in these results, the request or the assistant's own texts; "
    "not that it is said of the right thing."
)


def sources_of(view: AnswerView, domain: Domain) -> dict[str, Any]:
    """The blocks of what the answer was made of, and beside them what code has checked of it."""
    if view.reply_is_answer and domain.catalogue is not None:
        said = view.plan.get("said")
        return {"said": said, "verified": _BY_CODE} if said else {}
    if domain.catalogue is not None and view.told:
        return {**told_of(catalogue_for(domain, view), view.told), "verified": _OF_STATEMENTS}
    if domain.catalogue is not None and view.templated:
        return {"found": told_of(catalogue_for(domain, view), ())["untold"], "verified": _BY_THE_DOMAIN}
    results = results_shown(view.ledger, view.limits.max_prompt_bytes)
    if view.unsupported:
        return {"results": results, "unsourced": _UNSOURCED + ", ".join(view.unsupported)}
    return {"results": results, "verified": _BY_THE_DOMAIN if view.templated else _BY_UNION}


def told_of(catalogue: Catalogue, told: Collection[str]) -> dict[str, Any]:
    """The ids of the facts that were told, which stand in the answer; and how the others begin, but for more of a kind of
    which some were told."""
    courtesies = {each.id for each in catalogue.statements if each.sort != "fact"}
    kinds, untold, left = {_kind(name) for name in told}, dict[str, str](), MOST_UNTOLD
    for each in catalogue.statements:
        if each.sort == "fact" and not each.hidden and each.id not in told and _kind(each.id) not in kinds:
            text = excerpt(each.text, LONGEST_UNTOLD)
            left -= len(each.id) + len(text)
            if left < 0:
                break
            untold[each.id] = text
    return {"told": [name for name in told if name not in courtesies], "untold": untold}


def _kind(name: str) -> str:
    """Of a statement, by its id: `s1.o3.line` is as `s1.o4.line`, and not as `s2.o3.line`."""
    of, point, rest = name.partition(".")
    return of + point + re.sub(r"\d+", "", rest)


def judge_message(
    answer: str,
    view: AnswerView,
    sources: Mapping[str, Any],
    criteria: Mapping[str, str],
    tools: Sequence[str],
    problem: str = "",
) -> str:
    """What a judge sees, as tagged JSON: what was there first, the question of now and the answer last."""
    before, request = now_asked(view)
    settings = request_settings(view.settings)
    parts = {
        "today": [settings[name] for name in ("today", "weekday") if name in settings],
        "criteria": dict(criteria),
        "tools": list(tools),
        "conversation": latest_messages(before, LONGEST_MESSAGE, LAST_MESSAGES),
        **sources,
        "open_issues": [issue["message"] for issue in view.open_issues],
        "not_done": not_done(view),
        "decision": decisions_of(view),
        "language": view.request["language"],
        "request": request,
        "answer": answer,
        "last_verdict_was_refused": problem or None,
    }
    return tagged(parts)


def verdict_schema(names: Sequence[str]) -> dict[str, Any]:
    """The schema of a verdict."""
    gap = {
        "criterion": {"type": "string", "enum": list(names)},
        "gap": {"type": "string"},
        "by": {"type": ["string", "null"]},
        "about": {"type": ["string", "null"]},
    }
    return _closed({"reasoning": {"type": "string"}, "gaps": {"type": "array", "items": _closed(gap)}})


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _as_check(
    verdict: _Verdict,
    names: Sequence[str],
    known: Collection[str],
    request: str,
    model: str,
) -> AnswerCheck:
    """`known`: the tools, and what says that the sources have it. What a judge gives besides these mends nothing, and may be
    the words that the gap is about. A criterion stands once for each of its gaps."""
    criteria: list[Criterion] = []
    for name in names:
        failed = [_failed(each, known, request) for each in verdict.gaps if each.criterion == name]
        criteria += failed or [{"name": name, "verdict": "pass", "gap": None}]
    return {
        "satisfied": all(each["verdict"] == "pass" for each in criteria),
        "reasoning": verdict.reasoning,
        "criteria": criteria,
        "checked_by": model,
    }


def _failed(gap: _Gap, known: Collection[str], request: str) -> Criterion:
    by = gap.by if gap.by in known else None
    failed: Criterion = {"name": gap.criterion, "verdict": "fail", "gap": gap.gap, "by": by}
    about = gap.about or (None if by else gap.by)
    words = as_quoted(about, request) if about else ""
    return {**failed, "unanswered": [words]} if words else failed
