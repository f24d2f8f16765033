"""Holds a filled-in form against what the answer was written from: no number or figure of it is a model's own."""

from collections.abc import Collection
from typing import Any

from wavegraph.graph.domain import Domain
from wavegraph.graph.references.shapes import Schema, records
from wavegraph.graph.tracing.figures import are_known, figures_in, is_known, known_figures, parts_of
from wavegraph.graph.tracing.untraced import sourced_figures
from wavegraph.graph.views import AnswerView

MOST_MARKS = 10
"""Whole numbers up to this are marks, ranks and small counts, which a model gives of itself."""


def unheld(domain: Domain, schema: Schema, form: Any, answer: str, view: AnswerView) -> list[str]:
    """The numbers of a form (JSON), and its texts with a figure, which stand neither in the answer nor in its sources; each with
    its place. What the schema itself offers is nobody's claim."""
    parts = list(parts_of(form))
    lengths = (len(part) for _, part in parts if isinstance(part, list))
    known = {*sourced_figures(domain, view), *known_figures(answer), *lengths}
    offered = [value for part in records(schema) for value in (part.get("default"), *part.get("enum", ()))]
    return [f"{place or 'it'}: {part!r}" for place, part in parts if part not in offered and not _is_held(part, known)]


def _is_held(value: Any, known: Collection[float]) -> bool:
    if isinstance(value, str):
        return all(are_known(numbers, known) for _, numbers in figures_in(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    is_judgement = 0 <= value <= 1 or (isinstance(value, int) and 0 <= value <= MOST_MARKS)  # confidence, a score
    return is_judgement or is_known(abs(value), known)
