"""A language model's check of a roster, beside the rules: burdens that each pass but fall on one person together.

    roster_domain(folder, more_checks=[llm_empathy_check(model, RosterStore(folder))])

The model sees the checkers' numbers; an issue that names any other number is dropped.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from wavegraph.graph.domain import Check
from wavegraph.graph.errors import ModelUnavailable, PlanError
from wavegraph.graph.model.clients import GivenModel, ModelEnvironment, Models
from wavegraph.graph.model.prompt_blocks import tagged
from wavegraph.graph.model.structured import Form
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import ValidationIssue
from wavegraph.graph.tracing.figures import numbers
from wavegraph.graph.views import Meter, ResolvedCall
from wavegraph.prompts import render
from wavegraph.tools.roster.records import Generated
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.summaries import past_of, reported, staff_of
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES
from wavegraph.tools.roster.ward.ward import Ward

logger = logging.getLogger("wavegraph")

RULE = "llm_empathy"
"""Rule of the issues, beside their type: who found them."""
TIRED = "fatigue_violation"
WHEN = ("night", "weekend", "moderate")
MOST_SHOWN = 40
"""Findings the model is shown."""
MOST_ISSUES = 5
KEPT = 64
"""Rosters whose issues a check remembers."""
LONGEST_DETAIL = 300


class _Found(BaseModel):
    model_config = ConfigDict(extra="ignore")

    type: str
    nurse_id: str
    when: Literal["night", "weekend", "moderate"] | None = None
    detail: str


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    issues: list[_Found]


@dataclass(frozen=True)
class _ModelInput:
    """What the model is given about a roster, and what its issues are checked against."""

    ward: Ward
    report: RosterReport
    message: str

    @property
    def types(self) -> list[str]:
        """The types that the ward limits; the others do not reject a roster."""
        allowed = self.ward.fairness.allowed
        return [*(kind for kind in FINDING_TYPES if allowed.get(kind) is not None), TIRED]


def llm_empathy_check(
    model: GivenModel,
    store: RosterStore,
    *,
    attempts: int = 2,
    timeout_s: float = 60.0,
) -> Check:
    """A check for `roster_domain(more_checks=…)`: warnings of the ward's bounded types, or `fatigue_violation`.

    `store`: of the domain's own folder. `timeout_s`: of one call of the model. A model that is down, or
    whose answer cannot be read, finds nothing and is logged. The request's budget does not count its tokens.
    """
    settings = Settings(model_attempts=attempts, model_timeout_s=timeout_s)
    known: dict[str, Sequence[_Found]] = {}

    def check(result: Generated, call: ResolvedCall) -> Sequence[ValidationIssue]:
        if result.roster_id is None:
            return []
        # A round may give the same roster again; what the model found in it stands.
        if (
            result.roster_id not in known
            and (found := _looked_at(model, _model_input(result, store), settings)) is not None
        ):
            known[result.roster_id] = found
            if len(known) > KEPT:
                known.pop(next(iter(known)), None)
        return [_issue(each, call) for each in known.get(result.roster_id, ())]

    return check


def _looked_at(model: GivenModel, model_input: _ModelInput, settings: Settings) -> Sequence[_Found] | None:
    """The issues that are kept; None = the model could not be called or read, which is logged."""
    try:
        found = _Answer.model_validate(asyncio.run(_asked(model, model_input, settings))).issues
    except (ModelUnavailable, PlanError) as error:
        logger.warning("no model looked at the roster for fairness: %s", error_text(error))
    except ValidationError as error:
        logger.warning("what a model said of the roster cannot be read: %d faults", error.error_count())
    else:
        return list(_kept(found, model_input))
    return None


async def _asked(model: GivenModel, model_input: _ModelInput, settings: Settings) -> dict[str, Any]:
    """Run in a loop of its own, because checks run in threads: connections live as long as this call."""
    models = Models({"validator": model}, ModelEnvironment.from_env())
    form = Form("roster_issues", "Give the issues", _schema(model_input.types))
    instructions = render("roster/empathy")
    return await form.object_from(
        models, "validator", instructions, model_input.message, settings=settings, meter=Meter()
    )


def _model_input(result: Generated, store: RosterStore) -> _ModelInput:
    assert result.roster_id is not None, "asked of a roster only"
    ward, report = store.ward(result.ward_hash), store.report(result.roster_id)
    return _ModelInput(ward, report, tagged(_figures(result, ward, report)))


def _figures(result: Generated, ward: Ward, report: RosterReport) -> Mapping[str, Any]:
    """The checkers' numbers, bounded in size."""
    bounded = reported(str(result.roster_id), ward, result.ward_hash, report)
    findings = report.empathy.findings
    kept = {"type", "nurse_id", "day", "shift", "detail"}
    return {
        "ward": {"name": ward.name, "start": ward.start.isoformat(), "days": ward.days},
        "allowed": {kind: most for kind, most in ward.fairness.allowed.items() if most is not None},
        "failed": bounded.failed,
        "fairness": bounded.fairness,
        "nurses": [line.model_dump(mode="json") for line in bounded.lines],
        "begin_tired": staff_of(ward, result.ward_hash).tired,
        "nights_before": past_of(ward, result.ward_hash).nights,
        "findings": [found.model_dump(include=kept, exclude_none=True) for found in findings[:MOST_SHOWN]],
        "more_findings": max(0, len(findings) - MOST_SHOWN),
    }


def _kept(found: Sequence[_Found], model_input: _ModelInput) -> Iterator[_Found]:
    """The issues that are about this roster, the first one of each nurse."""
    known = numbers(model_input.message)
    failed = {excess.type for excess in model_input.report.empathy.failed}
    already_found: set[tuple[str, str]] = {
        (e.type, e.nurse_id or "") for e in model_input.report.empathy.findings if e.type in failed
    }
    nurses: set[str] = set()
    for each in found[:MOST_ISSUES]:
        is_known = each.type in model_input.types and each.nurse_id in model_input.ward.nurse_by_id
        if not is_known or not numbers(each.detail) <= known or not each.detail.strip():
            logger.info("an issue of the model was dropped: %r of %r", each.type[:40], each.nurse_id[:40])
        elif (each.type, each.nurse_id) not in already_found and each.nurse_id not in nurses:
            nurses.add(each.nurse_id)
            yield each


def _issue(found: _Found, call: ResolvedCall) -> ValidationIssue:
    detail = _plain(found.detail)
    about: dict[str, Any] = {"nurse_id": found.nurse_id, "detail": detail}
    if found.when:
        about[found.when] = True
    return {
        "type": found.type,
        "tool_id": call.id,
        "message": detail,
        "severity": "warning",
        "rule": RULE,
        "about": about,
    }


def _plain(text: str) -> str:
    """One line that a terminal and a page can show."""
    words = "".join(letter if letter.isprintable() else " " for letter in text).split()
    return " ".join(words)[:LONGEST_DETAIL]


def _schema(types: Sequence[str]) -> Mapping[str, Any]:
    """The strict schema of the answer, for these types."""
    fields = {
        "type": {"type": "string", "enum": list(types)},
        "nurse_id": {"type": "string", "description": "Id of the nurse, not the name"},
        "when": {"anyOf": [{"type": "string", "enum": list(WHEN)}, {"type": "null"}], "description": f"Of {TIRED}"},
        "detail": {"type": "string", "description": "One sentence, with numbers of the report only"},
    }
    issue = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    properties = {"issues": {"type": "array", "items": issue}}
    return {"type": "object", "properties": properties, "required": ["issues"], "additionalProperties": False}
