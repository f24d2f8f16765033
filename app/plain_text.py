"""Text of guests, files and models, safe to show: nothing in it commands a terminal, reorders other text or hides."""

import re

_STRING = r"[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)"
_SEQUENCE = re.compile(rf"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f]){_STRING}")
"""What a terminal would obey without showing it: colours and moves (CSI); titles, links, the clipboard (OSC and its kin)."""
_BREAK = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # the other control characters
    "\u00ad\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # direction: Hebrew and Arabic read well without
)
# Joiners stay: Persian, Indian scripts and emoji are spelt with them, and they move nothing.
_NEVER_SHOWN = re.compile(f"[{_UNSEEN}]")
_NOT_IN_JSON = re.compile(f"[{_UNSEEN}\u2028\u2029\ud800-\udfff]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """The text without terminal sequences, control characters but newline and tab, marks of direction and characters
    that are never seen. Other line breaks become newlines.
    """
    shown = _NEVER_SHOWN.sub("", _BREAK.sub("\n", _SEQUENCE.sub("", text)))
    return _LONE_SURROGATE.sub("\ufffd", shown)


def plain(text: str) -> str:
    """The same in one line."""
    return " ".join(visible(text).split())


def plain_lines(text: str) -> str:
    """`plain`, line by line."""
    return "\n".join(map(plain, text.split("\n")))


def visible_json(text: str) -> str:
    """JSON with the same value, in which `visible` would find nothing to remove."""
    return _NOT_IN_JSON.sub(lambda found: _escaped(found[0]), text)


def _escaped(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True))
