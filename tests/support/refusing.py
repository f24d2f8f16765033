"""Which sentences of a text a gate does not let through."""

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.statements import Catalogue


def refused(text: str, catalogue: Catalogue) -> list[str]:
    """The sentences of a text that would not stand."""
    gate = Gate(catalogue)
    gate.feed(text)
    gate.rest()
    return gate.refused
