"""The words of a text that may name or count people, one by one."""

import re
from functools import lru_cache
from typing import NamedTuple

from wavegraph.tools.hotel.reading import people
from wavegraph.tools.hotel.reading.people import UNITS

Span = tuple[int, int]
MOST = 999
"""Guests that are counted."""


class Token(NamedTuple):
    word: str = ""
    start: int = 0
    end: int = 0
    number: int | None = None
    kind: str = ""
    """Whom it names: a kind of `people`."""
    size: int | None = None
    """How many it names without a number before it."""
    prefix: str = ""
    """The Hebrew letters before whom it names."""


_BRACKETS = {"[": "(", "]": ")"}
_TOKEN = re.compile(
    r"grown[ -]?ups?|(?:mother|father|brother|sister)-in-law|in-laws|little ones?|both of us|(?<![א-ת])[ולהש]{0,2}(?:בן|בת) ה?זוגי?(?![א-ת])|"
    r"(?<![א-ת])[ולהש]{0,2}(?:חברה של[יו]|חבר שלה|בני נוער)|א[םב] חד[ -]הורית?|\d+(?:st|nd|rd|th)\b|\d+|\|+|[^\W\d_]+(?:['\"][^\W\d_]+)*|\S"
)
_AGAIN = re.compile(r"(?<!\d)(\d{1,2}) \(\1\)(?= \w)")
"""`2 (two) adults`."""


@lru_cache(maxsize=4096)
def _who(word: str) -> tuple[str, int | None, str]:
    """Whom a word names, how many, and the Hebrew prefixes it stands without."""
    if word in people.TO_PARENT:
        return "relative", 1, word[0]
    word = "בן-זוג" if re.search(r"(?:בן|בת) ה?זוג", word) else word.replace(" ", "-")
    for cut in range(min(4, len(word) - 1) if "א" <= word[0] <= "ת" else 1):
        if (who := people.WHO.get(word[cut:])) and not word[:cut].strip("ו" if who[0] == "self" else "ולהשבמכ"):
            return *who, word[:cut]
    return "", None, ""


def _token(m: re.Match[str]) -> Token:
    word = _BRACKETS.get(m.group(), m.group())
    kind, size, prefix = _who(word)
    number = min(int(word[:9]), MOST) if word.isdecimal() else size if kind == "number" else None
    return Token(word, m.start(), m.end(), number, kind if kind != "number" else "", size, prefix)


def stem(word: str) -> str:
    """A Hebrew word without one prefix."""
    return word[1:] if len(word) > 2 and word[0] in "ובלהמש" else word


def is_unit(word: str) -> bool:
    return word in UNITS or stem(word) in UNITS


class Cursor:
    """A text as tokens, looked at by their place."""

    def __init__(self, text: str) -> None:
        text = _AGAIN.sub(lambda m: m[1] + " " * (len(m.group()) - len(m[1])), text)
        self.text, self.tokens = text, [_token(m) for m in _TOKEN.finditer(text)]

    def at(self, at: int) -> Token:
        return self.tokens[at] if 0 <= at < len(self.tokens) else Token()

    def word(self, at: int) -> str:
        return self.at(at).word

    def words(self, start: int, end: int) -> set[str]:
        return {self.word(n) for n in range(start, end)}

    def number(self, at: int) -> int | None:
        return self.at(at).number

    def is_and(self, at: int) -> bool:
        """Whether the word begins with a Hebrew `and`."""
        return self.at(at).prefix.startswith("ו") or self.word(at)[:3] in ("ובת", "ובן")

    def span(self, start: int, end: int) -> Span:
        return self.tokens[start].start, self.tokens[end - 1].end

    def back(self, at: int, skipped: frozenset[str]) -> int:
        """The last token before `at` that is none of those skipped."""
        before = at - 1
        while self.word(before) in skipped:
            before -= 1
        return before
