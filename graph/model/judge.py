"""The judge: a separate model call that checks a finished answer against the question."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from langchain_core.messages import AIMessage
from pydantic import BaseModel, ConfigDict, ValidationError

from wavegraph.graph.answer.gate import refused
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import ModelUnavailable, PlanError, explain
from wavegraph.graph.guard.claims import is_reply
from wavegraph.graph.model.calls import count_tokens, json_object, retried
from wavegraph.graph.model.clients import Models
from wavegraph.graph.model.prompt_blocks import conversation_of, not_done, results_shown, tagged
from wavegraph.graph.model.structured import Form, filled_in
from wavegraph.graph.model.wrapped import model_name
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.settings import request_settings
from wavegraph.graph.state import AnswerCheck, Criterion
from wavegraph.graph.views import AnswerView
from wavegraph.prompts import render

ACCURACY = "accuracy"
STANDARD: Mapping[str, str] = {
    ACCURACY: "Everything the answer states is in the sources, the request, the conversation or the settings, and means "
    "there what it means in the answer. Leaving something out is no matter of accuracy.",
    "completeness": "Everything the request asks for is answered, or the answer says plainly what it could not find or do, "
    "and why. Nothing that was not asked for is needed.",
    "clarity": "The answer is in the right language, begins with what was asked, and can be understood without the sources.",
}
"""The criteria for every answer: name to what it requires."""
GENERAL = "general"
"""The kind of a request with no special criteria of the domain: judged by the standard ones alone."""


class _Judged(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    verdict: Literal["pass", "fail"]
    gap: str | None = None


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="ignore")

    satisfied: bool
    reasoning: str
    criteria: list[_Judged]


class Judge:
    """Asks the validator's model for a verdict; a contradictory one is sent back once."""

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    async def judge(self, answer: str, view: AnswerView) -> AnswerCheck:
        """Raises ModelUnavailable for a model that stays down, refuses, or gives no usable verdict, and whatever else its
        client or the domain raises: the caller catches everything.
        """
        names = [*STANDARD, *self._domain.kinds.get(self._domain.kind_of(view), ())]
        problem = ""
        for _ in range(2):
            try:
                message = await self._asked(answer, view, names, problem)
                verdict = _Verdict.model_validate(json_object(message, _Verdict.model_fields))
            except (PlanError, ValidationError) as error:
                problem = explain(error) if isinstance(error, ValidationError) else error_text(error)
                continue
            if not (problem := contradiction(verdict, names)):
                return _as_check(verdict, names, await self._name(view))
        raise ModelUnavailable(f"the judge gave no usable verdict: {problem}")

    @cached_property
    def _form(self) -> Form:
        return Form("verdict", "Give the verdict", verdict_schema([*STANDARD, *self._domain.criteria]))

    @cached_property
    def _instructions(self) -> str:
        """The same for every request, and first, so that a provider's prompt cache can serve it."""
        known = {**STANDARD, **self._domain.criteria}
        listed = "\n".join(f"- `{name}`: {asks}" for name, asks in known.items())
        return render("check_answer", criteria=listed, domain=self._domain.prompts.get("check_answer", ""))

    @property
    def instructions(self) -> str:
        return self._instructions

    async def _asked(self, answer: str, view: AnswerView, names: Sequence[str], problem: str) -> AIMessage:
        checked = await asyncio.to_thread(checked_against, answer, view, self._domain)
        text = judge_message(answer, view, names, checked, problem)

        async def once() -> AIMessage:
            model = await self._models.get("validator", view.settings)
            payer = self._models.payer("validator", model, view.settings, view.meter)
            return await filled_in(self._form, self._instructions, text, model=model, meter=view.meter, payer=payer)

        message = await retried(once, settings=view.settings, within_s=view.remaining_s)
        count_tokens(message, view.meter)
        return message

    async def _name(self, view: AnswerView) -> str:
        return model_name(await self._models.get("validator", view.settings))


_OF_STATEMENTS = "It consists of these statements, word for word, and of words that claim nothing."
_BY_THE_DOMAIN = "The assistant's own code wrote it from these results."
_BY_CODE = "Its sentences are the assistant's fixed ones; what stands in quotation marks are the request's own words."
_BY_UNION = (
    "Each figure, time, date, name and address in it stands in these results, the request or the domain's own texts; not "
    "that it is said of the right thing."
)


def checked_against(answer: str, view: AnswerView, domain: Domain) -> dict[str, Any]:
    """The blocks of what the answer was checked against, by code, and of what that found."""
    if domain.statements is not None and is_reply(view):
        return {"verified": _BY_CODE}
    if domain.statements is not None:
        catalogue = domain.catalogue(view)
        if not refused(answer, catalogue):
            facts = {each.id: each.text for each in catalogue.statements if each.sort == "fact" and not each.hidden}
            return {"statements": facts, "verified": _OF_STATEMENTS}
    results = results_shown(view.ledger, view.limits.max_prompt_bytes)
    return {"results": results, "verified": _BY_UNION if domain.statements is None else _BY_THE_DOMAIN}


def judge_message(
    answer: str, view: AnswerView, names: Sequence[str], checked: Mapping[str, Any], problem: str = ""
) -> str:
    """What a judge sees, as tagged JSON: what was checked first, the question and the answer last."""
    parts: dict[str, Any] = {
        "settings": request_settings(view.settings),
        "conversation": conversation_of(view.conversation, view.request),
        **checked,
        "open_issues": [issue["message"] for issue in view.open_issues],
        "not_done": not_done(view),
    }
    parts["language"] = view.request["language"]
    parts["request"] = view.request["text"]
    parts["answer"] = answer
    parts["criteria"] = list(names)
    if problem:
        parts["last_verdict_was_refused"] = problem
    return tagged(parts)


def verdict_schema(names: Sequence[str]) -> dict[str, Any]:
    """The schema of a verdict."""
    criterion = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": list(names)},
            "verdict": {"type": "string", "enum": ["pass", "fail"]},
            "gap": {"type": ["string", "null"], "description": "What is missing or wrong; needed with `fail`"},
        },
        "required": ["name", "verdict", "gap"],
        "additionalProperties": False,
    }
    properties = {
        "reasoning": {"type": "string", "description": "One or two sentences"},
        "criteria": {"type": "array", "items": criterion},
        "satisfied": {"type": "boolean", "description": "True exactly where every criterion passes"},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def contradiction(verdict: _Verdict, names: Sequence[str]) -> str:
    """Why a verdict is unusable; empty = it is usable."""
    judged = {criterion.name: criterion for criterion in verdict.criteria}
    if missing := [name for name in names if name not in judged]:
        return f"no verdict on {missing}"
    if twofold := sorted({each.name for each in verdict.criteria if each.verdict != judged[each.name].verdict}):
        return f"{twofold} both passed and failed"
    failed = [judged[name] for name in names if judged[name].verdict == "fail"]
    if nameless := [criterion.name for criterion in failed if not (criterion.gap or "").strip()]:
        return f"{nameless} failed without a gap"
    if verdict.satisfied and failed:
        return f"satisfied, though {[criterion.name for criterion in failed]} failed"
    return "" if verdict.satisfied or failed else "not satisfied, though no criterion failed"


def _as_check(verdict: _Verdict, names: Sequence[str], model: str) -> AnswerCheck:
    judged = {criterion.name: criterion for criterion in verdict.criteria}
    criteria: list[Criterion] = [
        {
            "name": name,
            "verdict": judged[name].verdict,
            "gap": judged[name].gap if judged[name].verdict == "fail" else None,
        }
        for name in names
    ]
    return {
        "satisfied": verdict.satisfied,
        "reasoning": verdict.reasoning,
        "criteria": criteria,
        "checked_by": model,
    }
