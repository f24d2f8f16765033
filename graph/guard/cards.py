"""Masks payment card numbers in texts before they enter the graph.

A card number is 13 to 19 digits of any script, optionally separated by blanks, dashes or dots, that passes the check
sum of ISO/IEC 7812 (Luhn) and has the prefix and length of a known card scheme. In groups as on a card, or digit by
digit, it may also be separated by commas, slashes, brackets and the like, as in a list. All rules read the text as
`plain_text` has it, where each kind of digit, blank, dash and dot is written one way.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias
from unicodedata import category, digit, normalize
from urllib.parse import unquote

# A text rewritten so that card numbers can be found in it: each kind of digit, blank, dash and dot in one form. People type and
# paste the same number in many ways: in other scripts, as keycaps, with escapes of a web page between the groups. Read plainly
# once, the rules need not know of it; each place leads back to the text as it was given.

WIDE = "\x1f"
"""Stands for blanks that a card does not have: more than five, quotes, the sign of a footnote. Others are a space."""
_NOTHING = "\0"
_ONE_FORM = {
    WIDE: WIDE,
    **dict.fromkeys("\u1160\u115f\u2800", " "),
    **dict.fromkeys("\"'`´‚„׳״", WIDE),
    **dict.fromkeys("\u2043\u2212\u2500\u2796\u30fc", "-"),
    **dict.fromkeys("\u00b7\u2022\u2025\u2026\u2027\u2219\u22c5\u25cf\u3002\u30fb", "."),
    **dict(zip("،、⁄∕∶؛¦│【】", ",,//:;||[]", strict=True)),
}
"""What Unicode's categories and compatible forms do not say."""
_CATEGORIES = {
    **dict.fromkeys(("Zs", "Zl", "Zp", "Cc", "Cf"), " "),
    **dict.fromkeys(("Mn", "Me"), _NOTHING),  # drawn over the character before, as the box of a keycap
    **dict.fromkeys(("Pi", "Pf"), WIDE),
    "Pd": "-",
}
_ESCAPE_OR_NOTE = re.compile(
    r"(?:%[89a-f][0-9a-f])+|%[0-7][0-9a-f]|&\#[0-9]{1,5};|&\#x[0-9a-f]{1,4};|&[a-z]{2,8};"
    r"|\\u(?P<code>[0-9a-f]{4})|(?P<line>\\[nrt]|<br\s?/?>)|(?<=\d)(?P<note>[²³¹\u2070\u2074-\u2079\u2080-\u2089]+)",
    re.IGNORECASE,
)
_REPEATED = re.compile(rf"(?P<wide> *{WIDE}[ {WIDE}]*| {{6,}})|([ .\-_])\2+|([^{_NOTHING}])?{_NOTHING}+")


class Rewritten(NamedTuple):
    """A text with parts of it written otherwise, from which every place leads back to the text as it was given."""

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


class _Characters(dict[int, str]):
    """The one form of each character, by its code, as `str.translate` asks for it."""

    def __missing__(self, code: int) -> str:
        same = normalize("NFKC", chr(code))
        character = same if len(same) == 1 else chr(code)
        plain = _ONE_FORM.get(character) or _CATEGORIES.get(category(character), character)
        self[code] = str(digit(chr(code), plain))
        return self[code]


_characters = _Characters()


def plain_text(text: str) -> Rewritten:
    escapes = ((found, _meant(found)) for found in _ESCAPE_OR_NOTE.finditer(text))
    opened = rewritten(text, ((*found.span(), meant) for found, meant in escapes if len(meant) == 1))
    translated = opened._replace(text=opened.text.translate(_characters))
    repeated = _REPEATED.finditer(translated.text)
    return rewritten(
        translated, ((*found.span(), WIDE if found["wide"] else found[2] or found[3] or "") for found in repeated)
    )


def _meant(found: re.Match[str]) -> str:
    """What an escape of a web page or of JSON stands for; several characters if it is none."""
    if found["note"]:
        return WIDE
    if found["line"]:
        return "\n"
    return chr(int(found["code"], 16)) if found["code"] else unescape(unquote(found[0]))


# The card numbers

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

_RUN = re.compile(r"[0-9](?:[ _.\-]{0,5}[0-9])*")
_GROUP = re.compile("[0-9]+")
_ONE = r"(?:[0-9]{1,2}[.\-][0-9]{1,2}[.\-][0-9]{2}|[0-9]{1,9}\.[0-9]{2}|[0-9]{3}[ .\-][0-9]{3}[ .\-][0-9]{4})"
_OTHERS = re.compile(
    rf"""
    (?<![0-9.\-]) (?:[12][0-9]{{3}}-[01][0-9]-[0-3][0-9] | [0-3]?[0-9]([.\-])[01]?[0-9]\1(?:19|20)[0-9]{{2}}) (?![.\-]?[0-9])
    | (?<![0-9.\-]) (?: {_ONE}[ ] )+ {_ONE} (?![0-9.\-])                                 # short dates, prices or phone numbers
    | (?<![0-9]) 0[0-9]{{1,2}}[ .\-][0-9]{{3}}[ .\-]?[0-9]{{4}} (?![0-9])                     # a phone number at home
    | \b [0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}} \b                # a UUID
    | \b (?: [0-9a-f]{{64}} | [0-9a-f]{{40}} | (?=[0-9]*[a-f]) [0-9a-f]{{32}} ) \b            # a digest
    """,
    re.VERBOSE | re.IGNORECASE,
)

_ITEM = r"[0-9]{1,6}+(?![0-9])"
_SIGN = r"[/,:;|+*~=<>\\&(){}\[\]]"
_ROW = re.compile(
    rf"""(?<![0-9]){_ITEM}
    (?: \s?+ ({_SIGN}(?:\s?{_SIGN})?) \s?+ {_ITEM} (?: \s?+ \1 \s?+ {_ITEM} )++ | (?: {re.escape(WIDE)} {_ITEM} ){{2,}}+ )""",
    re.VERBOSE,
)
"""Three or more short numbers with the same signs, or wide blanks, between any two."""
_SHAPE = re.compile(r"(?<!4)(?:4{3,4}[1-3]|46[45])|(?<!1)1{15,16}(?!1)")
_FOURS = re.compile(r"(?<!4)4444(?!44)")
"""How many digits the items have where a row is a card number: in groups as on a card, or digit by digit."""
_MOST_APART = 1000
"""Amounts, rooms and years in a row go up or down, and lie closer together than the groups of a card."""

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
_BEHIND = rf"(?:[^\w]{{0,4}}(?:(?:and|with)\s+|ו-?)?(?:{_EXPIRES}|{_CODE}|{_CODE_BEHIND}|{_MONTH}|{_PARTS_BEHIND}|(?<![0-9])[0-9]{{3,4}}(?![.:/\-]?[0-9])))"
"""Expiry or security code directly after a number; there they need no label."""
_FOUND = "\1"
_CARD_DATA = re.compile(rf"(?P<number>{_FOUND}+){_BEHIND}{{0,4}}|{_EXPIRES}|{_CODE}", re.IGNORECASE)
_Span: TypeAlias = tuple[int, int]


def mask(text: str) -> str:
    """`text` with each card number, and the expiry and security code given with it, replaced by `MARK`."""
    parts, last = [], 0
    for start, end, mark in _card_data(text):
        parts += [text[last:start], mark]
        last = end
    return "".join([*parts, text[last:]])


def _card_data(text: str) -> Iterator[tuple[int, int, str]]:
    """Where card numbers stand with their expiry and code, from and to, and what to write there; empty for a code alone."""
    if len(text) < _SHORTEST:
        return
    read = plain_text(text)
    plain = _OTHERS.sub(lambda found: "x" * len(found[0]), read.text)
    numbers = [*_in_runs(plain), *_in_rows(plain)]
    marked = list(plain)
    for start, end in numbers:
        marked[start:end] = _FOUND * (end - start)
    for found in _CARD_DATA.finditer("".join(marked)) if numbers else ():
        yield read.starts[found.start()], read.ends[found.end() - 1], MARK if found["number"] else ""


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
    texts = [str(item) if type(item) in (int, str) and _SHORT.fullmatch(str(item)) else "x" for item in items]
    ends = list(accumulate(len(text) + 1 for text in texts))
    kept, last = list[Any](), 0
    for start, end, mark in _card_data(",".join(texts)):
        kept += [*items[last : bisect_right(ends, start)], mark]
        last = bisect_right(ends, end - 1) + 1
    return [*kept, *items[last:]]


_SHORT = re.compile(r"\s?\d{1,6}(?:/\d{1,4})?\s?")
"""An item that may be a part of a card number, or an expiry date."""


def _in_runs(plain: str) -> Iterator[_Span]:
    """The card numbers in runs of digits, each from the start of a group to the end of one."""
    for run in _RUN.finditer(plain):
        groups = list(_GROUP.finditer(plain, *run.span()))
        digits = "".join(group[0] for group in groups)
        ends = dict(zip(accumulate(len(group[0]) for group in groups), groups, strict=True))
        is_dialled = plain.endswith("+", 0, run.start()) or digits.startswith("00")
        for start, group in zip((0, *ends), groups, strict=False):
            for length in _LENGTHS.get(int(digits[start : start + 4]), ()):
                last = ends.get(start + length)
                is_phone = is_dialled and start + length <= _LONGEST_PHONE
                if last and not is_phone and _has_check_digit(digits[start : start + length]):
                    yield group.start(), last.end()


def _in_rows(plain: str) -> Iterator[_Span]:
    """The card numbers whose groups, or digits, are items of a row."""
    for row in _ROW.finditer(plain):
        groups = list(_GROUP.finditer(plain, *row.span()))
        sizes = "".join(str(len(group[0])) for group in groups)
        for shape in (*_FOURS.finditer(sizes), *_SHAPE.finditer(sizes)):
            own = groups[slice(*shape.span())]
            parts = [group[0] for group in own]
            digits = "".join(parts)
            has_length = len(digits) in _LENGTHS.get(int(digits[:4]), ())
            if has_length and _has_check_digit(digits) and not _are_amounts(parts):
                yield own[0].start(), own[-1].end()


def _are_amounts(parts: Sequence[str]) -> bool:
    """Whether groups of four are prices, rooms or years: round, or in order and close together."""
    if len(parts[0]) < 4:
        return False
    values = [int(part) for part in parts]
    in_order = values in (sorted(set(values)), sorted(set(values), reverse=True))
    return all(value % 5 == 0 for value in values) or (in_order and max(values) - min(values) < _MOST_APART)


def _has_check_digit(digits: str) -> bool:
    """Luhn's check: from the last digit, which is not doubled, every second one is, and its digits are added up."""
    doubled = digits[-2::-2].translate(_DOUBLED)
    return sum(map(int, digits[-1::-2] + doubled)) % 10 == 0


_DOUBLED = str.maketrans("0123456789", "0246813579")
