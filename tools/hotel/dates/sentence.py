"""A row of lexemes with the small steps that every rule of the grammar takes."""

from dataclasses import dataclass, field
from typing import Any

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.lexer import Lex
from wavegraph.tools.hotel.dates.resolution import WRITTEN_YEARS, DatePoint, Setting

END = Lex(mark=True)
"""What stands after the last lexeme: matches nothing."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The lexemes, the setting, and whether the text is a date hint (`strict`) or a guest's sentence."""

    lexemes: tuple[Lex, ...]
    here: Setting
    text: str = ""
    strict: bool = False
    memo: dict[tuple[str, int], Any] = field(default_factory=dict, compare=False)
    """What the readers of the grammar have found, by name and place."""

    def at(self, i: int) -> Lex:
        return self.lexemes[i] if 0 <= i < len(self.lexemes) else END

    def key(self, i: int, *keys: str) -> bool:
        return self.at(i).key in keys

    def skip(self, i: int, *keys: str) -> int:
        """The first place from `i` on whose key is none of these."""
        while i < len(self.lexemes) and self.lexemes[i].key in keys:
            i += 1
        return i

    def unit(self, i: int, *units: str) -> bool:
        return self.at(i).unit in units and self.at(i).unit != ""

    def words(self, i: int, j: int) -> str:
        """The guest's own words from lexeme i up to j."""
        return " ".join(self.text[self.at(i).start : self.at(j - 1).end].split()) if j > i else ""


Parsed = tuple[DatePoint, int] | None


def number(s: Sentence, i: int) -> int | None:
    """A number that does not count guests, rooms or money."""
    lex = s.at(i)
    return lex.num if lex.num is not None and not lex.counted and not lex.unit else None


def month_number(s: Sentence, i: int) -> int | None:
    """A number that may be a day of the month, in digits or words; not a unit or a quantity."""
    value = number(s, i)
    return value if value is not None and value <= 99 else None


def year(s: Sentence, i: int) -> tuple[int, int] | None:
    """A civil year, perhaps one that is out of range, possibly after a comma or "of", or "this year" / "next year"; and where
    it ends."""
    at = s.skip(i, ",", "of", "in", "the")
    lex = s.at(at)
    if lex.num is not None and lex.num in WRITTEN_YEARS and not lex.counted and len(lex.word) == 4:
        return lex.num, at + 1
    for turn, unit in ((at, at + 1), (s.skip(at + 1, "the"), at)):
        if s.unit(unit, "year") and s.key(turn, "this", "next"):
            return s.here.today.year + s.key(turn, "next"), max(turn, unit) + 1
    if lex.word == "שנה" and s.key(at - 1, "the"):
        return s.here.today.year, at + 1
    return None


def hebrew(word: str) -> bool:
    return "א" <= word[:1] <= "ת"


_NAMING_WORDS = {"", "a", "each", "several", "another", "couple"}
_TAILS = frozenset(
    words_of("""cheaper cheapest better best available free instead which ok okay possible at please pls thanks if with and is are with we i you do can until would will evening morning afternoon night noon dawn late early
    אני אנחנו בבקשה אם יש עם בערב בבוקר בצהריים זוג""")
)


def names_something(s: Sentence, i: int) -> bool:
    """Whether an ordinary word is here, so that an ordinal before it belongs to it ("3rd floor") and is not a day."""
    lex = s.at(i)
    known = lex.num is not None or lex.written or lex.month or lex.holiday or lex.weekday is not None
    return not lex.mark and not known and (lex.key in _NAMING_WORDS) and lex.word not in _TAILS
