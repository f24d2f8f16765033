"""The claims of a text that stand in no source, and the text without them.

Traced is what a model or a planner or responder of the caller's own wrote freely; what code made of statements, forms and
templates is not. That a figure stands somewhere does not make it this one: a judge is for the rest.
"""

import re
from collections.abc import Sequence

from wavegraph.graph.domain import Domain
from wavegraph.graph.tracing.claims import claims_in
from wavegraph.graph.tracing.sources import sources_of
from wavegraph.graph.views import AnswerView

_NUMBER = re.compile(r"\d[\d.]*\d|\d")
_EDGE = {True: (r"(?<!\w)", r"(?!\w)"), False: ("", "")}
"""Before and behind a claim, by whether it ends there in a letter."""
_ORDINAL = re.compile(
    r"(?m)^[\s*#>-]{0,8}\d{1,2}[.):](?=[\s*])|#\d{1,2}\b|[\[(]\d{1,2}[\])]|"
    r"(?i:\b(?:step|option|no\.?|nr\.?|item|point|part|question|day|schritt|tag|étape|paso|punto) \d{1,2}\b)"
)
"""`1.`, `**2.**`, `Step 3`, `[1]`."""
_SCALES = (1.0, 100.0, 1e-3, 1e-6)


def untraced(domain: Domain, answer: str, view: AnswerView) -> list[str]:
    """The claims that stand in no source, as written, each once, as strictly as the domain has it (`Domain.figures`).

    `lenient` looks at figures alone: one that is rounded, a share as a percentage, or the number of a list's line is no
    figure of its own.
    """
    lenient = domain.figures == "lenient"
    claims = claims_in(_ORDINAL.sub(" ", answer) if lenient else answer, names=not lenient)
    if not claims:
        return []
    sources = sources_of(domain, view)
    found = [claim.text for claim in claims if not any(source.holds(claim) for source in sources)]
    if lenient and found:
        figures = numbers("\n".join(source.text for source in sources)) | {0.0}
        found = [text for text in found if not all(_is_rounded(value, figures) for value in numbers(text))]
    return list(dict.fromkeys(found))


def _is_rounded(value: float, figures: set[float]) -> bool:
    """Whether it is one of the figures, perhaps to fewer places, as a percentage, in thousands or in millions."""
    places = len(f"{value:.10f}".rstrip("0").partition(".")[2])
    return any(round(each * scale, places) == value for each in figures for scale in _SCALES)


def numbers(text: str) -> set[float]:
    """The figures of a text; of a version its digits as one number."""
    found = _NUMBER.findall(text.replace(",", ""))
    return {float(each if each.count(".") < 2 else each.replace(".", "")) for each in found}


def drop_claims(answer: str, claims: Sequence[str]) -> str:
    """The answer without the lines that hold one of the claims; the claim 5 is not in 15, 50 or 2.5, nor `four` in `fourteen`."""
    held = [
        re.compile(
            rf"(?<!\d)(?<!\d[.,]){_EDGE[claim[:1].isalpha()][0]}{re.escape(claim)}{_EDGE[claim[-1:].isalpha()][1]}(?![.,]?\d)"
        )
        for claim in claims
    ]
    return "\n".join(line for line in answer.splitlines() if not any(claim.search(line) for claim in held))
