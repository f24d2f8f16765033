"""Provenance of arguments: each is traced to the person's messages or to tool results.

Text injected into a prompt must not decide what is done; so a value counts as given only where it stands as a whole,
not wherever its letters occur.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wavegraph.graph.domain_tool import Source
from wavegraph.graph.references.paths import as_reference, as_text, literals_of


class Provenance(NamedTuple):
    """What arguments may be traced to."""

    person: Sequence[str]
    """The person's messages."""
    results: Sequence[Any]
    """What tools returned."""


def is_traced(value: Any, source: Source, provenance: Provenance) -> bool:
    """Whether an argument (a reference, or written out) comes from the source that is declared for it."""
    if as_reference(value) is not None:
        return source != "person"
    if (text := as_text(value)) is not None:  # the words between the values need a source too
        parts = [*text.values.values(), *filter(_plain, literals_of(text.template))]
        return source != "person" and all(is_traced(part, source, provenance) for part in parts)
    if isinstance(value, dict | list | tuple):
        return all(is_traced(part, source, provenance) for part in _inside(value))
    return value in (None, "") or _is_given(str(value), source, provenance)


def _is_given(text: str, source: Source, provenance: Provenance) -> bool:
    if source != "results" and any(_stands_in(text, message) for message in provenance.person):
        return True
    plain = _plain(text)
    found = () if source == "person" else _leaves(provenance.results)
    return any(text == each or plain == _plain(each) != "" for each in found)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list | tuple):
        for part in _inside(value):
            yield from _leaves(part)
    elif value not in (None, ""):
        yield str(value)


def _inside(value: Any) -> Iterator[Any]:
    return iter(value.values() if isinstance(value, dict) else value)


def _plain(text: str) -> str:
    """Letters and digits alone, folded: `050-123 45` and `05012345` are one number."""
    return re.sub(r"[\W_]+", "", _lower_case(text))


def _lower_case(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_in(value: str, message: str) -> bool:
    """Whether the message holds the value as whole words, a number however spaced; an e-mail address character by character.

    No word is put together from several: `Theresa` does not stand in `there's a room`. A Hebrew word may carry `to`, `of` or
    `and` as a prefix.
    """
    if "@" in value:
        address = re.escape(_lower_case(value.strip()))
        before = r"(?:(?<![\w.+%-])|(?<=[א-ת])|(?<=[א-ת]-))"
        return re.search(rf"{before}{address}(?![\w-]|[.@]\w)", _lower_case(message)) is not None
    letters = _plain(value)
    if not letters:
        return value in message
    joined = "[ושלבמהכ]{0,2}" if "א" <= letters[0] <= "ת" else ""
    words = r"[\W_]*".join(map(_as_written, re.findall(r"[^\W_]+", _lower_case(value))))
    return re.search(rf"(?<![^\W_]){joined}{words}(?![^\W_])", _lower_case(message)) is not None


def _as_written(word: str) -> str:
    """A pattern for a word, with marks in it (`OBrien`, `O'Brien`); for one with a figure also spaces."""
    between = r"[\W_]*" if any(map(str.isdecimal, word)) else r"(?:[^\w\s]|_)*"
    return between.join(map(re.escape, word))
