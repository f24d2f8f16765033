"""How the claims of an answer are traced to their sources, and what becomes of those that trace to nothing."""

import json
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from langgraph.errors import GraphBubbleUp

from wavegraph.graph.answer.gate import refused
from wavegraph.graph.answer.replies import remarks_of, said_statements
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import kind_of_fault
from wavegraph.graph.guard.union_check import untraced
from wavegraph.graph.ledger import has_results, results
from wavegraph.graph.settings import request_settings
from wavegraph.graph.views import AnswerView

logger = logging.getLogger("wavegraph")

_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_EDGE = {True: (r"(?<!\w)", r"(?!\w)"), False: ("", "")}
"""Before and behind a claim, by whether it ends there in a letter."""
_TIME = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?![\d])")


def untraced_by(domain: Domain, *, templated: bool = False) -> Callable[[str, AnswerView], Sequence[str]]:
    """How a domain finds the claims of an answer that trace to nothing.

    Without statements, figures, times, dates, names and addresses are (`union_check`). What consists of the domain's
    statements is so; any other answer (a template, a planner's reply) is traced. `templated`: the domain's templates wrote
    it, whose words are the domain's own: of them the numbers are traced.
    """
    if domain.statements is None and templated:
        return untraced_in_templates(domain)
    if domain.statements is None:
        return domain.supports or wraps(untraced)(partial(untraced, domain))
    trace = domain.supports or unsupported_numbers

    @wraps(trace)
    def untraced_or_told(answer: str, view: AnswerView) -> Sequence[str]:
        is_told = is_reply(view) or not refused(answer, catalogue_of(domain, view))
        return [] if is_told else trace(answer, view)

    return untraced_or_told


def is_reply(view: AnswerView) -> bool:
    """Whether the plan's own reply is the answer: in a domain with statements code wrote its sentences."""
    return bool(view.plan["reply"]) and not has_results(view.ledger)


def untraced_in_templates(domain: Domain) -> Callable[[str, AnswerView], Sequence[str]]:
    """The same of the words of the domain's templates: numbers; without any, they are a list of the results, by code."""
    return domain.supports or (unsupported_numbers if domain.offline else _nothing)


def _nothing(answer: str, view: AnswerView) -> Sequence[str]:
    return ()


def is_engines_own(domain: Domain) -> bool:
    """Whether nothing of the domain's own code runs where an answer is traced."""
    return domain.supports is None and domain.statements is None and domain.offline is None


def catalogue_of(domain: Domain, view: AnswerView) -> Catalogue:
    """The domain's statements, without those that hold a claim which traces to nothing: a text that others wrote, such as a
    room's name, may claim anything.
    """
    assert domain.statements is not None
    told = _with_said(domain.statements(view), remarks_of(view.plan))
    lines = "\n".join(each.own_line for each in told.statements)
    try:
        claims = list((domain.supports or unsupported_numbers)(lines, view))
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  the domain's own code; the check of the answer tells of it
        logger.error("the statements could not be traced: %s", kind_of_fault(error))
        return told
    return told.without([each.id for each in told.statements if drop_claims(each.own_line, claims) != each.own_line])


def _with_said(told: Catalogue, remarks: Sequence[str]) -> Catalogue:
    """With what the planner said beside its calls, each in a statement that must be told."""
    made, duties = said_statements(remarks)
    if not made:
        return told
    return replace(told, statements=[*made, *told.statements], duties=[*duties, *told.duties])


def unsupported_numbers(answer: str, view: AnswerView) -> list[str]:
    """Numbers and times of day in the answer that occur in no result, request, slot or setting.

    The two numbers of a time must occur together: 15 guests and 30 minutes are no 15:30.
    """
    sources = evidence(view)
    known, times = numbers(sources), {_time(text) for text in _TIME.findall(sources)}
    alone = {text for text in _TIME.findall(answer) if _time(text) not in times}
    return sorted(alone | {text for text in _NUMBER.findall(answer) if _value(text) not in known})


def evidence(view: AnswerView) -> str:
    """Everything an answer may draw on, as one text."""
    sources: list[Any] = [view.request["text"], request_settings(view.settings), view.plan["slots"]]
    if view.plan["planner"] == "rules":  # the domain's own words; a model's reply is traced like any answer
        sources.append(view.plan["reply"])
    sources += [[outcome["args"], outcome["data"]] for outcome in results(view.ledger).values()]
    sources += [issue["message"] for issue in view.issues]
    sources.append(view.details)
    return json.dumps(sources, ensure_ascii=False)  # the space after each comma keeps 10, 20 apart from 10,20


def numbers(text: str) -> set[float]:
    return {_value(found) for found in _NUMBER.findall(text)}


def _value(text: str) -> float:
    plain = text.replace(",", "")
    try:
        return float(plain)
    except ValueError:  # a date, a version: its digits as one number
        return float(re.sub(r"\D", "", plain))


def _time(text: str) -> str:
    return text.zfill(len("00:00"))


def drop_claims(answer: str, claims: list[str]) -> str:
    """The answer without the lines that hold one of the claims; the claim 5 is not in 15, 50 or 2.5, nor `four` in `fourteen`."""
    held = [
        re.compile(
            rf"(?<!\d)(?<!\d[.,]){_EDGE[claim[:1].isalpha()][0]}{re.escape(claim)}{_EDGE[claim[-1:].isalpha()][1]}(?![.,]?\d)"
        )
        for claim in claims
    ]
    return "\n".join(line for line in answer.splitlines() if not any(claim.search(line) for claim in held))
