"""Token patterns: each rule of the grammar is a row of elements, and what a match of it comes to.

An element is a key or a unit of the vocabulary (`next`, `week`), a literal word (`=night`) or a reader in capitals
(`WEEKDAY`); `a|b` is a choice, `name:` keeps what was read. `?` may be missing, `*` is up to four, `+` one to four.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from wavegraph.tools.hotel.dates.lexer import Lex
from wavegraph.tools.hotel.dates.sentence import Sentence

Read = tuple[Any, int] | None
"""What was read, and where it ends."""
Reader = Callable[[Sentence, int], Read]


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: what may stand there, by its word, its key or unit, or a reader."""

    name: str
    optional: bool
    words: frozenset[str]
    keys: frozenset[str]
    readers: tuple[str, ...]

    def read(self, s: Sentence, i: int) -> Iterator[tuple[Any, int]]:
        """The values that can be read here, and where each ends."""
        lex = s.at(i)
        if lex.key in self.keys:
            yield lex.key, i + 1
        elif lex.unit in self.keys and not lex.num:
            yield lex.unit, i + 1
        elif lex.word in self.words:
            yield lex.word, i + 1
        for name in self.readers:
            if found := called(s, i, name):
                yield found


Row = tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern at lexemes [start:end)."""

    s: Sentence
    start: int
    end: int
    values: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        """None where the element was missing."""
        return self.values.get(name)

    @property
    def label(self) -> str:
        return self.s.words(self.start, self.end)

    @property
    def following(self) -> Lex:
        return self.s.at(self.end)


Action = Callable[[Match], Any]
"""What a match means; None = it is none after all."""
Rules = list[tuple[Row, Action]]
_REPEATS = {"?": (True,), "*": (True,) * 4, "+": (False, True, True, True)}
READERS: dict[str, Reader] = {}
"""The readers by the names they have in patterns."""


def rules(*rows: tuple[str, Action]) -> Rules:
    return [(tuple(each for word in pattern.split() for each in _elements(word)), action) for pattern, action in rows]


def _elements(word: str) -> Iterable[Element]:
    body = word.rstrip("?*+")
    name = found[1] if (found := re.match("([a-z]+):", body)) else ""
    parts = body.removeprefix(f"{name}:").split("|")
    literal = frozenset(part[1:] for part in parts if part[0] == "=")
    keys = frozenset(part for part in parts if part[0] != "=" and not part.isupper())
    readers = tuple(part for part in parts if part.isupper())
    return [Element(name, each, literal, keys, readers) for each in _REPEATS.get(word[len(body) :], (False,))]


def called(s: Sentence, i: int, name: str) -> Read:
    """What a reader says; each is asked once at a place."""
    if (name, i) not in s.memo:
        s.memo[name, i] = READERS[name](s, i)
    found: Read = s.memo[name, i]
    return found


def _matches(s: Sentence, i: int, row: Row, values: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    for n, element in enumerate(row):
        for value, end in element.read(s, i):
            kept = {**values, element.name: value} if element.name else values
            yield from _matches(s, end, row[n + 1 :], kept)
        if not element.optional:
            return
    yield i, values


def longest(s: Sentence, i: int, known: Rules) -> Read:
    """What the rule comes to that covers most lexemes; the earlier among equals. Any may begin with "the"."""
    best: Read = None
    start = s.skip(i, "the")
    for row, action in known:
        for end, values in _matches(s, start, row, {}):
            if end > (best[1] if best else start) and (meant := action(Match(s, i, end, values))) is not None:
                best = meant, end
    return best


def reader(name: str, known: Rules) -> Reader:
    """Give the rules a name in patterns."""
    READERS[name] = lambda s, i: longest(s, i, known)
    return lambda s, i: called(s, i, name)
