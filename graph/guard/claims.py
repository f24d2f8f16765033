"""The claims of a text that was written freely, by a model or by a planner or responder of the caller's own: which of them trace
to nothing, and what becomes of the text. What code made of statements, forms and templates is not traced."""

import re
from collections.abc import Callable, Sequence
from functools import partial, wraps

from wavegraph.graph.domain import Domain
from wavegraph.graph.guard.union_check import known_by, untraced
from wavegraph.graph.ledger import has_results
from wavegraph.graph.state import Plan
from wavegraph.graph.views import AnswerView

_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_EDGE = {True: (r"(?<!\w)", r"(?!\w)"), False: ("", "")}
"""Before and behind a claim, by whether it ends there in a letter."""
_ORDINAL = re.compile(
    r"(?m)^[\s*#>-]{0,8}\d{1,2}[.):](?=[\s*])|#\d{1,2}\b|[\[(]\d{1,2}[\])]|"
    r"(?i:\b(?:step|option|no\.?|nr\.?|item|point|part|question|day|schritt|tag|étape|paso|punto) \d{1,2}\b)"
)
"""`1.`, `**2.**`, `Step 3`, `[1]`."""
_SCALES = (1.0, 100.0, 1e-3, 1e-6)


def untraced_by(domain: Domain) -> Callable[[str, AnswerView], Sequence[str]]:
    """How the claims of a text that trace to nothing are found, as strictly as the domain has it (`Domain.figures`)."""
    trace = untraced if domain.figures == "strict" else figures_untraced
    return wraps(trace)(partial(trace, domain))


def is_reply(view: AnswerView) -> bool:
    """Whether the plan's own reply is the answer: nothing was found, or its planner wrote the answer from all that was."""
    if not view.plan["reply"]:
        return False
    return not has_results(view.ledger) or (_is_finished(view.plan) and not view.unsupported)


def is_doubtful(view: AnswerView, domain: Domain) -> bool:
    """Whether an answer holds no statement of what was found, or figures that stand in no source (`view.unsupported`)."""
    return bool(view.unsupported) or (domain.statements is not None and not view.told)


def _is_finished(plan: Plan) -> bool:
    """Not one of rules, which is for where nothing was found, nor a question or a refusal, which the results stand beside."""
    asks_more = plan["tools"] or plan["status"] == "continue"
    return not asks_more and plan["planner"] != "rules" and plan["action"] not in ("clarify", "refuse", "give_up")


def figures_untraced(domain: Domain, answer: str, view: AnswerView) -> Sequence[str]:
    """The claims with figures of which not each stands in a source, in a result, in somebody's words or in the domain's own.

    What words, names and headings mean is not looked at. A figure that is rounded, a share as a percentage, or the number of
    a list's line is no figure of its own.
    """
    claims = [claim for claim in untraced(domain, _ORDINAL.sub(" ", answer), view) if numbers(claim)]
    if not claims:
        return []
    sources = known_by(domain, view)
    known = numbers("\n".join([*sources.own, *sources.told])) | {0.0}
    return [claim for claim in claims if not all(_stands(value, known) for value in numbers(claim))]


def _stands(value: float, known: set[float]) -> bool:
    """Whether a source has it, also rounded to as many places, as a percentage, in thousands or in millions."""
    places = len(f"{value:.10f}".rstrip("0").partition(".")[2])
    return any(round(each * scale, places) == value for each in known for scale in _SCALES)


def numbers(text: str) -> set[float]:
    return {_value(found) for found in _NUMBER.findall(text)}


def _value(text: str) -> float:
    plain = text.replace(",", "")
    try:
        return float(plain)
    except ValueError:  # a date, a version: its digits as one number
        return float(re.sub(r"\D", "", plain))


def drop_claims(answer: str, claims: Sequence[str]) -> str:
    """The answer without the lines that hold one of the claims; the claim 5 is not in 15, 50 or 2.5, nor `four` in `fourteen`."""
    held = [
        re.compile(
            rf"(?<!\d)(?<!\d[.,]){_EDGE[claim[:1].isalpha()][0]}{re.escape(claim)}{_EDGE[claim[-1:].isalpha()][1]}(?![.,]?\d)"
        )
        for claim in claims
    ]
    return "\n".join(line for line in answer.splitlines() if not any(claim.search(line) for claim in held))
