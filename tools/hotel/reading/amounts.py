"""Amounts and numbers as they stand in a text."""

import re
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from wavegraph.tools.hotel.currency import currency_named, names, number
from wavegraph.tools.hotel.dates.lexer import Lex
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.reading.normalise import clean, fold, prepared

REMEMBERED = 2048
"""Texts of which it is remembered what is in them: a conversation's earlier messages are looked at for every answer."""

_NUMBER = r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,3})?|\d+(?:\.\d{1,3})?"
_WRITTEN = r"\d{1,3}(?:[,.\u00a0\u202f'’]\d{3}){1,4}(?:[,.]\d{1,3})?|\d+(?:[,.]\d{1,3})?"
"""Numbers as models also write them: `1.234,50`."""


@lru_cache(maxsize=64)
def _amount_pattern(own: str) -> re.Pattern[str]:
    """An amount with its currency, in a property whose own is `own`."""
    return re.compile(
        rf"(?<!\w)(?P<before>{names(own)})\s*(?P<n1>{_WRITTEN})(?!\d)|"
        rf"(?<![\d,.])(?P<n2>{_WRITTEN})\s*(?P<after>{names(own)})",
        re.IGNORECASE,
    )


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}\S*)?", re.IGNORECASE)


@lru_cache(maxsize=REMEMBERED)
def amounts_in(line: str, own: str) -> tuple[tuple[str, Decimal, bool], ...]:
    """The amounts as written, their values, and whether each is in the property's own currency. An answer repeats lines
    of the statements it was made of."""
    return tuple(
        (
            found.group(),
            number(found["n1"] or found["n2"], own),
            currency_named(found["before"] or found["after"], own) == own,
        )
        for found in _amount_pattern(own).finditer(line)
    )


@lru_cache(maxsize=16)
def numbers_in(words: str) -> frozenset[Decimal]:
    """Every number in the texts: a budget often comes without its currency."""
    words = _ISO.sub(" ", words)
    thousands = {Decimal(n) * 1000 for n in re.findall(r"(?<!\d)(\d+(?:\.\d)?)\s?k\b", words)}
    return frozenset({Decimal(found.replace(",", "")) for found in re.findall(_NUMBER, words)} | thousands)


_MULTIPLES = {"hundred": 100, "thousand": 1000, "מאה": 100, "מאות": 100, "אלף": 1000, "אלפים": 1000}
_WHOLE = {"מאתיים": 200, "אלפיים": 2000}


def figures_in(text: str) -> frozenset[Decimal]:
    """Every number in a folded text, round ones in words too: `two hundred`, `a thousand`."""
    words = lexemes(text)
    counted = {
        Decimal((one.num or 1) * _MULTIPLES[two.word])
        for one, two in pairwise([Lex(mark=True), *words])
        if two.word in _MULTIPLES
    }
    return numbers_in(text) | counted | {Decimal(_WHOLE[lex.word]) for lex in words if lex.word in _WHOLE}


@lru_cache(maxsize=REMEMBERED)
def _numbers_said(text: str) -> frozenset[Decimal]:
    return figures_in(prepared(fold(clean(text)))[0])


def is_number_said(number: float, text: str) -> bool:
    """Whether a guest's text has this number, in figures or in words."""
    return Decimal(str(number)) in _numbers_said(text)
