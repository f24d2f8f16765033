"""How else a secret may be spelled in a text, and which values are too ordinary to be looked for everywhere."""

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus

SHORTEST = 4
"""Characters; nothing shorter is a secret worth the harm of removing it."""
SURELY = 8
"""From here on a value that is no word is removed wherever it stands."""
WITH_PIECES = 16
"""From here on a cut-off beginning or end is recognised too."""
PIECE = 8
"""Characters of the shortest beginning or end that is recognised."""
LONGEST_WORD = 14
"""Letters of one case: a longer run of them is no ordinary word."""
FEWEST_DIGITS = 16
"""Fewer digits, with or without signs between them, may be a date, a price or a phone number."""
_HEAD = re.compile(r"(?:[A-Za-z0-9]{1,7}[-_]){0,3}")
"""What all keys of a vendor begin with, such as `sk-proj-`: it gives nothing away."""


def is_ordinary(value: str) -> bool:
    """Whether texts hold the value for other reasons than being a secret: a word or words, a number, or very short."""
    letters = [part for part in re.split(r"[\W_]+", value) if part]
    words = all(part.isalpha() and (part in (part.lower(), part.upper(), part.title())) for part in letters)
    if words and len(max(letters, key=len, default="")) <= LONGEST_WORD and len(letters) <= 3:
        return True
    numbers = all(part.isdigit() for part in letters)
    return (numbers and sum(map(len, letters)) < FEWEST_DIGITS) or len(value) < SURELY - 2


def spelled_out(value: str) -> list[str]:
    """The value as it is, in JSON, Python, URLs, HTML and XML."""
    in_urls = [quote(value), quote(value, safe=""), quote_plus(value), quote(value, safe="!$&'()*+,;=")]
    lower = [re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), each) for each in in_urls]
    escaped = [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]]
    twice = [json.dumps(each)[1:-1] for each in escaped]
    in_html = [html.escape(value), html.escape(value, quote=False)]
    attribute = in_html[1].replace('"', "&quot;")
    in_xml = [attribute, attribute.encode("ascii", "xmlcharrefreplace").decode()]
    return [*dict.fromkeys([value, *in_urls, *lower, *escaped, *twice, *in_html, *in_xml])]


def in_base64(value: str) -> list[str]:
    """What the base64 of a text around the value has of it alone: three alignments, two alphabets. Empty if that is short."""
    raw = value.encode(errors="surrogatepass")
    if len(raw) < SURELY:
        return []
    found: list[str] = []
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        spelled = base64.b64encode(bytes(before) + raw)[first:last].decode()
        found += [spelled, spelled.translate(str.maketrans("+/", "-_"))]
    return [*dict.fromkeys(found)]


def first_piece(spelled: str) -> str:
    """The beginning by which a spelling is found."""
    if len(spelled) < WITH_PIECES:
        return spelled
    head = _HEAD.match(spelled)
    return spelled[: max(PIECE, (head.end() if head else 0) + PIECE // 2)]
