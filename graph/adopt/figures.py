"""Which figures of an answer trace to nothing, where an agent is made of anybody's tools.

What its words, names and headings mean is its tools' affair; a figure stands in a result, in somebody's words or in the
agent's instructions. One that is rounded, a share as a percentage, or the number of a list's line is no figure of its own.
"""

import re
from collections.abc import Sequence

from wavegraph.graph.domain import Domain
from wavegraph.graph.guard.claims import evidence, numbers
from wavegraph.graph.guard.union_check import fixed_texts, said_before, untraced
from wavegraph.graph.views import AnswerView

_ORDINAL = re.compile(
    r"(?m)^[\s*#>-]{0,8}\d{1,2}[.):](?=[\s*])|#\d{1,2}\b|[\[(]\d{1,2}[\])]|"
    r"(?i:\b(?:step|option|no\.?|nr\.?|item|point|part|question|day|schritt|tag|étape|paso|punto) \d{1,2}\b)"
)
"""`1.`, `**2.**`, `Step 3`, `[1]`."""
_SCALES = (1.0, 100.0, 1e-3, 1e-6)


def figures_untraced(domain: Domain, answer: str, view: AnswerView) -> Sequence[str]:
    """The claims with figures of which not each stands in a source."""
    claims = [claim for claim in untraced(domain, _ORDINAL.sub(" ", answer), view) if numbers(claim)]
    if not claims:
        return []
    known = numbers("\n".join([evidence(view), *said_before(view), *fixed_texts(domain)])) | {0.0}
    return [claim for claim in claims if not all(_stands(value, known) for value in numbers(claim))]


def _stands(value: float, known: set[float]) -> bool:
    """Whether a source has it, also rounded to as many places, as a percentage, in thousands or in millions."""
    places = len(f"{value:.10f}".rstrip("0").partition(".")[2])
    return any(round(each * scale, places) == value for each in known for scale in _SCALES)
