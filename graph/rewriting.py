"""A text with parts of it written otherwise, from which every place leads back to the text as it was given."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Rewritten(NamedTuple):
    text: str
    starts: Sequence[int]
    """Where in the text as given each character begins."""
    ends: Sequence[int]


def rewritten(given: str | Rewritten, parts: Iterable[tuple[int, int, str]]) -> Rewritten:
    """`parts`: from where, to where, and what is written there instead; in order."""
    if isinstance(given, str):
        given = Rewritten(given, range(len(given)), range(1, len(given) + 1))
    texts, starts, ends, last = list[str](), list[int](), list[int](), 0
    for start, end, new in (*parts, (len(given.text), len(given.text), "")):
        texts += [given.text[last:start], new]
        starts += [*given.starts[last:start], *[given.starts[start] for _ in new]]
        ends += [*given.ends[last:start], *[given.ends[end - 1] for _ in new]]
        last = end
    return Rewritten("".join(texts), starts, ends)
