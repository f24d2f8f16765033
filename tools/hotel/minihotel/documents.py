"""MiniHotel's replies as XML trees, read with care: whatever is not an answer is a refusal.

Seen in replies: plain text `ERR nnn: …` as text/html with status 200, HTML pages, a space or byte order mark before the
declaration, XML escaped inside `<string>`, several roots in a row, spellings that differ in case.
"""

import html
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from wavegraph.tools.hotel.currency import digits
from wavegraph.tools.hotel.minihotel.faults import Unreadable, VendorRefusal

MOST_BYTES = 8_000_000
"""Of a reply: two years of a large hotel's nights are about half of it."""
_ERROR = re.compile(r"ERR\s{0,3}([A-Z]?[0-9]{2,3})\b", re.IGNORECASE)
_DECLARATION = re.compile(r"<\?xml[^<>]{0,200}\?>", re.IGNORECASE)
_ENCODING = re.compile(rb"encoding\s{0,3}=\s{0,3}[\"']([A-Za-z0-9_.-]{1,40})[\"']")
_FORBIDDEN = re.compile("<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_PAGE = re.compile(r"(?:<\?xml[^<>]{0,200}\?>\s{0,9})?<(?:!DOCTYPE\s{1,9})?html\b", re.IGNORECASE)
_AMOUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_MOST_DEPTH = 2
"""How often a payload may be wrapped in another document."""


def read(body: bytes) -> Element:
    """One element that holds all roots of the reply; names of elements and attributes in lower case.

    Raises `VendorRefusal` for an error code, `Unreadable` for anything that is not XML.
    """
    return _read(_text(body), _MOST_DEPTH)


def _text(body: bytes) -> str:
    declared = _ENCODING.search(body[:200])
    utf16 = body.startswith((b"\xff\xfe", b"\xfe\xff"))
    encoding = "utf-16" if utf16 else declared.group(1).decode() if declared else "utf-8"
    try:
        return body.decode(encoding)
    except (LookupError, ValueError):
        return body.decode(errors="replace")


def _read(text: str, depth: int) -> Element:
    text = text.strip(" \t\r\n\0\ufeff")
    if error := _ERROR.match(text):
        raise VendorRefusal(error.group(1).upper())
    if text.startswith("&lt;"):
        text = html.unescape(text)
    if not text.startswith("<"):
        raise Unreadable("no XML" if text else "an empty answer")
    if _PAGE.match(text):
        raise Unreadable("a web page instead of an answer")
    root = _lowered(_parsed(text))
    wrapped = root[0].text if len(root) == 1 and root[0].tag == "string" and not len(root[0]) else None
    if wrapped is not None and depth:
        return _read(wrapped, depth - 1)
    if number := next((code for error in root.iter("error") if (code := error.get("code", "").strip())), None):
        raise VendorRefusal(number.upper() if len(number) <= 4 and number.isalnum() else "unknown")
    return root


def _parsed(text: str) -> Element:
    if _FORBIDDEN.search(text):
        raise Unreadable("a document type, which its answers never have")
    try:
        return ElementTree.fromstring(f"<roots>{_DECLARATION.sub('', text)}</roots>")
    except (ElementTree.ParseError, ValueError):
        raise Unreadable("broken XML") from None


def _lowered(root: Element) -> Element:
    for each in root.iter():
        each.tag = each.tag.rpartition("}")[2].lower()
        each.attrib = {name.rpartition("}")[2].lower(): value.strip() for name, value in each.attrib.items()}
    if not len(root):
        raise Unreadable("no XML")
    return root


def first(root: Element, name: str) -> Element:
    """The first element of this name, at any depth; an empty one if there is none."""
    return next(root.iter(name), Element(name))


def content(root: Element, name: str) -> str:
    """The text of the first element of this name."""
    return (first(root, name).text or "").strip()


def amount(text: str, currency: str) -> int:
    """A decimal number in smallest units, halves up; empty = 0. Raises `Unreadable`."""
    if not text:
        return 0
    if not _AMOUNT.fullmatch(text):
        raise Unreadable("an amount that is not a decimal number")
    return int(Decimal(text).scaleb(digits(currency)).quantize(Decimal(1), ROUND_HALF_UP))


def whole(text: str | None, default: int = 0) -> int:
    """A count such as `002`; anything else, a negative number too, is the default."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 6 else default


def flag(text: str | None) -> bool:
    return (text or "").casefold() in ("yes", "true", "1")


_DAYS = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y")


def day(text: str | None) -> date | None:
    """A day as `2026-12-04`, `20261204` or `04/12/2026`, also before a time of day; None for anything else."""
    text = (text or "").strip().partition("T")[0].partition(" ")[0]
    for pattern in _DAYS if text.isascii() else ():
        try:
            return datetime.strptime(text, pattern).date()
        except ValueError:
            continue
    return None


def attributes(elements: Iterable[Element], name: str) -> Iterator[str]:
    """The attribute of each element that has it."""
    return (value for each in elements if (value := each.get(name)))
