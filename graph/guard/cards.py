"""Masks payment card numbers in texts before they enter the graph.

A card number is 13 to 19 digits of any script, optionally separated by blanks, dashes or dots, that passes the check
sum of ISO/IEC 7812 (Luhn) and has the prefix and length of a known card scheme. In groups as on a card, or digit by
digit, it may also be separated by commas, slashes, brackets and the like, as in a list. All rules read the text as
`plain_text` has it, where each kind of digit, blank, dash and dot is written one way.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any, NamedTuple

from wavegraph.graph.guard.plain_text import WIDE, Plain, plain_text

MARK = "[card number removed]"

_SCHEMES: tuple[tuple[int, int, tuple[int, ...]], ...] = (
    (2200, 2204, (16, 17, 18, 19)),  # Mir
    (2221, 2720, (16,)),  # Mastercard
    (3000, 3059, (14, 16, 17, 18, 19)),  # Diners Club
    (3095, 3095, (14, 16, 17, 18, 19)),
    (3400, 3499, (15,)),  # American Express
    (3528, 3589, (16, 17, 18, 19)),  # JCB
    (3600, 3699, (14, 15, 16, 17, 18, 19)),  # Diners Club
    (3700, 3799, (15,)),  # American Express
    (3800, 3999, (14, 15, 16, 17, 18, 19)),  # Diners Club
    (4000, 4999, (13, 16, 19)),  # Visa
    (5000, 5099, (13, 14, 15, 16, 17, 18, 19)),  # Maestro
    (5100, 5599, (16,)),  # Mastercard
    (5600, 6999, (13, 14, 15, 16, 17, 18, 19)),  # Maestro, Discover, UnionPay, RuPay, Verve
    (8100, 8299, (16, 17, 18, 19)),  # UnionPay, RuPay
    (8600, 8600, (16,)),  # Uzcard
    (9792, 9792, (16,)),  # Troy
    (9860, 9860, (16,)),  # Humo
)
"""First and last of the numbers' first four digits, and how many digits they have."""
_LENGTHS = {prefix: lengths for first, last, lengths in _SCHEMES for prefix in range(first, last + 1)}
_SHORTEST = min(min(lengths) for lengths in _LENGTHS.values())
_LONGEST_PHONE = 15
"""Digits with the country code (ITU-T E.164)."""
_LONGEST_AMOUNT = 40
"""Characters before a number that may belong to the same date, price or phone number."""

_RUN = re.compile(r"[0-9](?:[ _.\-]{0,5}[0-9])*")
_GROUP = re.compile("[0-9]+")
_NEVER = re.compile(
    r"""
    (?<![0-9.\-]) (?:[12][0-9]{3}-[01][0-9]-[0-3][0-9] | [0-3]?[0-9]([.\-])[01]?[0-9]\1(?:19|20)[0-9]{2}) (?![.\-]?[0-9])
    | (?<![0-9]) 0[0-9]{1,2}[ .\-][0-9]{3}[ .\-]?[0-9]{4} (?![0-9])                     # a phone number at home
    | \b [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} \b                # a UUID
    | \b (?: [0-9a-f]{64} | [0-9a-f]{40} | (?=[0-9]*[a-f]) [0-9a-f]{32} ) \b            # a digest
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ONE = r"(?:[0-9]{1,2}[.\-][0-9]{1,2}[.\-][0-9]{2}|[0-9]{1,9}\.[0-9]{2}|[0-9]{3}[ .\-][0-9]{3}[ .\-][0-9]{4})"
_SEVERAL = re.compile(rf"(?:{_ONE} )+(?:{_ONE}|[0-9.\- ]{{0,8}})")
"""Short dates, prices or phone numbers in a row, the last possibly cut off."""

_ITEM = r"[0-9]{1,6}+(?![0-9])"
_SIGN = r"[/,:;|+*~=<>\\&(){}\[\]]"
_ROW = re.compile(
    rf"""(?<![0-9]){_ITEM}
    (?: \s?+ ({_SIGN}(?:\s?{_SIGN})?) \s?+ {_ITEM} (?: \s?+ \1 \s?+ {_ITEM} )++ | (?: {re.escape(WIDE)} {_ITEM} ){{2,}}+ )""",
    re.VERBOSE,
)
"""Three or more short numbers with the same signs, or wide blanks, between any two."""
_FEWEST = 3
_MOST_APART = 1000
"""Amounts, rooms and years in a row go up or down, and lie closer together than the groups of a card."""
_DIGIT_BY_DIGIT = (15, 16)

_MONTH = r"(?:0?[1-9]|1[0-2])\s?[/.\-]\s?(?:20)?[0-9]{2}(?![0-9])"
_EXPIRES = (
    r"\b(?:exp(?:iry|ires|iration)?(?:\s+date)?|(?:valid|good)\s+(?:thru|through|until|till|to)|ב?תוקף(?:\s+עד)?)"
    rf"\W{{0,3}}(?:is\s+)?(?:{_MONTH}|(?:0[1-9]|1[0-2])[0-9]{{2}}(?![0-9]))"
)
_CODE = (
    r"\b(?:cvv2?|cvc2?|cvn|cid|csc|(?:card\s+)?(?:security|verification)\s+code|קוד\s+(?:ה?אבטחה|ה?ביטחון))"
    r"\W{0,3}(?:(?:is|code|number|הוא)\W{1,3})?[0-9]{3,4}(?![0-9])"
)
_CODE_BEHIND = (
    r"(?:cv|ccv|(?:secret\s+|cvv\s+)?code|pin(?:\s+code)?|ו?ה?קוד(?:\s+סודי)?|פין|(?:the\s+)?(?:last\s+)?(?:3|three)\s+digits)"
    r"\W{0,3}(?:(?:is|code|number|no\.?|הוא)\W{1,3})?[0-9]{3,4}(?![.:/\-]?[0-9])"
)
"""A security code by a word that means others as well: only directly after a number."""
_APART = r"[\s,:;|]{1,3}"
_PARTS_BEHIND = rf"(?:0?[1-9]|1[0-2]){_APART}(?:20)?[2-4][0-9]{_APART}[0-9]{{3,4}}(?![.:/\-]?[0-9])"
"""Month, year and security code, each by itself, as lists of cards have them."""
_LABELLED = re.compile(rf"{_EXPIRES}|{_CODE}", re.IGNORECASE)
_BEHIND = re.compile(
    rf"(?:[^\w]{{0,4}}(?:(?:and|with)\s+|ו-?)?(?:{_EXPIRES}|{_CODE}|{_CODE_BEHIND}|{_MONTH}|{_PARTS_BEHIND}|(?<![0-9])[0-9]{{3,4}}(?![.:/\-]?[0-9]))){{1,4}}",
    re.IGNORECASE,
)
"""Expiry and security code directly after a number; there they need no label."""


class _Span(NamedTuple):
    start: int
    end: int


def mask(text: str) -> str:
    """`text` with each card number, and the expiry and security code given with it, replaced by `MARK`."""
    if len(text) < _SHORTEST:
        return text
    read = plain_text(text)
    plain = _without_others(read)
    runs = [found.span() for found in _RUN.finditer(plain) if len(found[0]) >= _SHORTEST]
    numbers = _without_overlaps([*(each for run in runs for each in _in_run(plain, _Span(*run))), *_in_rows(plain)])
    if not numbers:
        return text
    whole = _with_codes(plain, numbers)
    labelled = [_Span(*found.span()) for found in _LABELLED.finditer(plain)]
    starts = [span.start for span in numbers]
    parts, last = [], 0
    for start, end in _without_overlaps([*whole, *labelled]):
        parts += [text[last : read.start(start)]]
        parts += [MARK if bisect_left(starts, start) < bisect_left(starts, end) else ""]
        last = read.end(end)
    return "".join([*parts, text[last:]])


def mask_json(value: Any) -> Any:
    """`value` with every text in it masked, at any depth, keys too, and every integer that is a card number."""
    match value:
        case str():
            return mask(value)
        case int():
            return masked if (masked := mask(str(value))) != str(value) else value
        case Mapping():
            return {mask_json(name): mask_json(inner) for name, inner in value.items()}
        case list() | tuple():
            masked_items = _mask_items([mask_json(inner) for inner in value])
            return masked_items if isinstance(value, list) else tuple(masked_items)
    return value


def _mask_items(items: list[Any]) -> list[Any]:
    """The items, one mark in place of those that are together a card number, with the expiry and code after them."""
    if len(items) < _FEWEST:
        return items
    short = (int, str)
    texts = [str(item) if type(item) in short and _SHORT.fullmatch(str(item)) else "x" for item in items]
    read = plain_text(",".join(texts))
    plain = _without_others(read)
    ends = list(accumulate(len(text) + 1 for text in texts))
    kept, last = list[Any](), 0
    for start, end in _with_codes(plain, _without_overlaps(_in_rows(plain))):
        kept += [*items[last : bisect_right(ends, read.start(start))], MARK]
        last = bisect_right(ends, read.end(end) - 1) + 1
    return [*kept, *items[last:]]


_SHORT = re.compile(r"\s?\d{1,6}(?:/\d{1,4})?\s?")
"""An item that may be a part of a card number, or an expiry date."""


def _with_codes(plain: str, numbers: Iterable[_Span]) -> list[_Span]:
    """The numbers with the expiry and security code directly after them."""
    return [_Span(start, found.end() if (found := _BEHIND.match(plain, end)) else end) for start, end in numbers]


def _without_others(read: Plain) -> str:
    """The plain text at its length, dates, phone numbers, ids and digests crossed out."""
    return _NEVER.sub(lambda found: "x" * len(found[0]), read.text)


def _in_run(plain: str, run: _Span) -> Iterator[_Span]:
    """The card numbers in a run of digits, each from the start of a group to the end of one."""
    groups = [_Span(*found.span()) for found in _GROUP.finditer(plain, *run)]
    digits = "".join(plain[start:end] for start, end in groups)
    ends = list(accumulate(end - start for start, end in groups))
    at_end = dict(zip(ends, groups, strict=True))
    weighed = _luhn_weights(digits)
    is_dialled = plain.endswith("+", 0, run.start) or digits.startswith("00")
    for start, group in zip([0, *ends], groups, strict=False):
        for length in _LENGTHS.get(int(digits[start : start + 4]), ()):
            end = start + length
            if end not in at_end or (is_dialled and end <= _LONGEST_PHONE):
                continue
            found = _Span(group.start, at_end[end].end)
            if _passes(weighed, start, end) and not _is_several(plain, found):
                yield found


def _in_rows(plain: str) -> Iterator[_Span]:
    """The card numbers whose groups, or digits, are items of a row."""
    for row in _ROW.finditer(plain):
        groups = [_Span(*found.span()) for found in _GROUP.finditer(plain, *row.span())]
        for first, count in _as_on_cards([end - start for start, end in groups]):
            own = groups[first : first + count]
            parts = [plain[start:end] for start, end in own]
            digits = "".join(parts)
            is_number = len(digits) in _LENGTHS.get(int(digits[:4]), ()) and _passes(
                _luhn_weights(digits), 0, len(digits)
            )
            if is_number and not _are_amounts(parts):
                yield _Span(own[0].start, own[-1].end)


def _as_on_cards(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where groups of these sizes may be a card number: the first, and how many."""
    at = 0
    for size, same in groupby(sizes):
        count = len(list(same))
        then = list(sizes[at + count : at + count + 2])
        if size == 4 and count in (4, 5):
            yield at, 4
        if size == 4 and count in (3, 4) and then[:1] and then[0] < 4:
            yield at, count + 1
        if size == 4 and count == 1 and then in ([6, 5], [6, 4]):
            yield at, 3
        if size == 1 and count in _DIGIT_BY_DIGIT:
            yield at, count
        at += count


def _are_amounts(parts: Sequence[str]) -> bool:
    """Whether groups of four are prices, rooms or years: round, or in order and close together."""
    if len(parts[0]) < 4:
        return False
    values = [int(part) for part in parts]
    in_order = values in (sorted(set(values)), sorted(set(values), reverse=True))
    return all(value % 5 == 0 for value in values) or (in_order and max(values) - min(values) < _MOST_APART)


def _is_several(plain: str, found: _Span) -> bool:
    before = plain[max(0, found.start - _LONGEST_AMOUNT) : found.start]
    first_word = found.start - len(before) + len(before.rstrip("0123456789.-"))
    return _SEVERAL.fullmatch(plain, first_word, found.end) is not None


def _luhn_weights(digits: str) -> tuple[list[int], list[int]]:
    """The digits' weights in Luhn's sum: with the even positions doubled, and with the odd ones doubled."""
    both = [(int(digit), sum(divmod(2 * int(digit), 10))) for digit in digits]
    return [each[n % 2 == 0] for n, each in enumerate(both)], [each[n % 2] for n, each in enumerate(both)]


def _passes(weighed: tuple[list[int], list[int]], start: int, end: int) -> bool:
    """Luhn's check: from the last digit, which is not doubled, every second one is."""
    return sum(weighed[end % 2][start:end]) % 10 == 0


def _without_overlaps(spans: Iterable[_Span]) -> list[_Span]:
    """Spans in order, overlapping ones merged."""
    merged: list[_Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = _Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged
