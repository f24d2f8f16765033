"""A text rewritten so that card numbers can be found in it: each kind of digit, blank, dash and dot in one form.

People type and paste the same number in many ways: in other scripts, as keycaps, with escapes of a web page between
the groups. Read plainly once, the rules need not know of it; each place leads back to the text as it was given.
"""

import re
from collections.abc import Iterable, Sequence
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
