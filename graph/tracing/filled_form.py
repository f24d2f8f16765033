"""Holds a filled-in form against what the answer was written from: no number or figure of it is a model's own."""

from collections.abc import Sequence
from typing import Any

from wavegraph.graph.domain import Domain
from wavegraph.graph.references.shapes import Schema, records
from wavegraph.graph.tracing.claims import Claim, bare, claims_in
from wavegraph.graph.tracing.sources import Source, lengths_of, nodes_in, sources_of
from wavegraph.graph.views import AnswerView

MOST_MARKS = 10
"""Whole numbers up to this are marks, ranks and small counts, which a model gives of itself."""


def unheld(domain: Domain, schema: Schema, form: Any, answer: str, view: AnswerView) -> list[str]:
    """The numbers of a form (JSON), and its texts that state a figure, a date or a code, which stand neither in the answer nor
    in its sources; each with its place. What the schema itself offers is nobody's claim."""
    nodes = list(nodes_in(form))
    sources = [*sources_of(domain, view), Source([answer], view.today, lengths_of(nodes))]
    offered = [
        value for part in records(schema) for value in (part.get("const"), part.get("default"), *part.get("enum", ()))
    ]
    return [
        f"{node.place or 'it'}: {node.value!r}"
        for node in nodes
        if node.value not in offered and not _is_held(node.value, sources)
    ]


def _is_held(value: Any, sources: Sequence[Source]) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return True
    if isinstance(value, str):
        claims = claims_in(value, names=False)
        return all(_stands(each, sources) for each in claims) or _stands(Claim(value, [("code", bare(value))]), sources)
    is_judgement = 0 <= value <= 1 or (isinstance(value, int) and 0 <= value <= MOST_MARKS)  # confidence, a score
    kinds = ("number", "share", "month", "day of month", "hour", "minute")
    return is_judgement or _stands(Claim(str(value), [(kind, abs(value)) for kind in kinds]), sources)


def _stands(claim: Claim, sources: Sequence[Source]) -> bool:
    return any(source.holds(claim) for source in sources)
