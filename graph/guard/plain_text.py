"""A text rewritten so that card numbers can be found in it: each kind of digit, blank, dash and dot in one form.

People type and paste the same number in many ways: in other scripts, as keycaps, with escapes of a web page between
the groups. Read plainly once, the rules need not know of it; `Plain` leads back to the text as it was given.
"""

import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple
from unicodedata import category, digit, normalize
from urllib.parse import unquote

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


class Plain(NamedTuple):
    text: str
    starts: list[int]
    """Where in the text as given each character begins."""
    ends: list[int]


class _Characters(dict[int, str]):
    """The one form of each character, by its code, as `str.translate` asks for it."""

    def __missing__(self, code: int) -> str:
        same = normalize("NFKC", chr(code))
        character = same if len(same) == 1 else chr(code)
        plain = _ONE_FORM.get(character) or _CATEGORIES.get(category(character), character)
        self[code] = str(digit(chr(code), plain))
        return self[code]


_characters = _Characters()


def plain_text(text: str) -> Plain:
    given = Plain(text, list(range(len(text))), list(range(1, len(text) + 1)))
    opened = _rewritten(given, _ESCAPE_OR_NOTE, _meant)
    translated = opened._replace(text=opened.text.translate(_characters))
    return _rewritten(translated, _REPEATED, lambda found: WIDE if found["wide"] else found[2] or found[3] or "")


def _rewritten(given: Plain, pattern: re.Pattern[str], written: Callable[[re.Match[str]], str]) -> Plain:
    """With what is to be written in place of each match, at most as long."""
    parts, starts, ends, last = list[str](), list[int](), list[int](), 0
    for found in pattern.finditer(given.text):
        new = written(found)
        parts += [given.text[last : found.start()], new]
        starts += given.starts[last : found.start() + len(new)]
        ends += [*given.ends[last : found.start()], *given.ends[found.end() - len(new) : found.end()]]
        last = found.end()
    text = "".join([*parts, given.text[last:]])
    return Plain(text, starts + given.starts[last:], ends + given.ends[last:])


def _meant(found: re.Match[str]) -> str:
    """The character that an escape of a web page or of JSON stands for; the escape, if that is not one."""
    if found["note"]:
        return WIDE
    if found["line"]:
        return "\n"
    meant = chr(int(found["code"], 16)) if found["code"] else unescape(unquote(found[0]))
    return meant if len(meant) == 1 else found[0]
