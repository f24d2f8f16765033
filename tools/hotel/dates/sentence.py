"""A row of lexemes with the small steps that every rule of the grammar takes."""

from collections.abc import Callable
from dataclasses import dataclass

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
GrammarRule = Callable[[Sentence, int], Parsed]


def longest(s: Sentence, i: int, rules: tuple[GrammarRule, ...]) -> Parsed:
    """The rule's result that covers most lexemes; the earlier rule among equals."""
    best: Parsed = None
    for rule in rules:
        found = rule(s, i)
        if found and (best is None or found[1] > best[1]):
            best = found
    return best


def number(s: Sentence, i: int) -> int | None:
    """A number that does not count guests, rooms or money."""
    lex = s.at(i)
    return lex.num if lex.num is not None and not lex.counted and not lex.unit else None


def year(s: Sentence, i: int) -> tuple[int, int] | None:
    """A civil year, perhaps one that is out of range, possibly after a comma or "of", or "this year" / "next year"; and where
    it ends."""
    at = s.skip(i, ",", "of", "in", "the")
    value = s.at(at).num
    if value is not None and value in WRITTEN_YEARS and not s.at(at).counted and len(s.at(at).word) == 4:
        return value, at + 1
    for first, second in ((at, at + 1), (at + 1, at)):
        if s.unit(first, "year") or s.unit(second, "year"):
            word = s.at(second if s.unit(first, "year") else first).key
            if word in {"this", "next"}:
                return s.here.today.year + (word == "next"), at + 2
            if s.unit(first, "year") and s.at(first).word == "שנה" and s.at(first - 1).key == "the":
                return s.here.today.year, first + 1
    return None


def month_number(s: Sentence, i: int) -> int | None:
    """A number that may be a day of the month, in digits or words; not a unit or a quantity."""
    value = number(s, i)
    return value if value is not None and value <= 99 else None


def hebrew(word: str) -> bool:
    return "א" <= word[:1] <= "ת"


_NAMING_WORDS = {"", "a", "each", "several", "another", "couple"}


def names_something(s: Sentence, i: int) -> bool:
    """Whether an ordinary word is here, so that an ordinal before it belongs to it ("3rd floor") and is not a day."""
    lex = s.at(i)
    known = lex.num is not None or lex.written or lex.month or lex.holiday or lex.weekday is not None
    return not lex.mark and not known and (lex.key in _NAMING_WORDS) and lex.word not in _TAILS


_TAILS = frozenset(
    words_of("""cheaper cheapest better best available free instead which ok okay possible at please pls thanks if with and is are with we i you do can until would will evening morning afternoon night noon dawn late early
    אני אנחנו בבקשה אם יש עם בערב בבוקר בצהריים זוג""")
)


def ordinal(s: Sentence, i: int) -> int | None:
    """first .. fifth, last = -1."""
    if s.key(i, "last"):
        return -1
    return s.at(i).num if s.at(i).ordinal and not s.at(i).counted else None


def counted_unit(s: Sentence, i: int, unit: str) -> tuple[int, int] | None:
    """`the second week`, `השבוע השני`, `last weekend`, `weekend before last`: which one and where it ends."""
    i = s.skip(i, "the")
    if (n := ordinal(s, i)) and s.unit(i + 1, unit) and not hebrew(s.at(i).word):
        return n, i + 2
    at = s.skip(i + 1, "the")
    if s.unit(i, unit) and hebrew(s.at(at).word) and (n := ordinal(s, at)):
        return n, at + 1
    return None
