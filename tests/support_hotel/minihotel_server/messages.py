"""What every message shares: how it is read and written, and how an error is spelled."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from wavegraph.tools.hotel.currency import digits, major

ERRORS: Mapping[str, str] = {
    "001": "The request is not valid XML.",
    "003": "Date range is missing.",
    "004": "Guests are missing.",
    "005": "Room types are missing.",
    "006": "Prices are missing.",
    "009": "Hotel is missing.",
    "101": "Invalid date from.",
    "102": "Invalid date to.",
    "103": "Date from must be before date to.",
    "104": "Minimum nights required.",
    "105": "Closed for arrival.",
    "106": "Date from is in the past.",
    "107": "More than 20 nights.",
    "108": "Less than one night.",
    "109": "Unknown area.",
    "202": "Hotel not found.",
    "209": "Too many requests.",
    "210": "Wrong user name or password.",
    "211": "Agent is not linked to this hotel.",
    "308": "Wrong rate code.",
    "310": "Basic occupancy is missing.",
    "501": "Invalid request.",
    "803": "Wrong rate code.",
    "A01": "IP address is not allowed.",
}


class WireError(Exception):
    """Answered as `ERR nnn: text`."""

    def __init__(self, code: str) -> None:
        self.code, self.description = code, ERRORS.get(code, "Error.")
        self.body = f"ERR {code}: {self.description}"
        super().__init__(self.body)


class ContentError(WireError):
    """Answered as the Content API does, in XML."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer."""

    body: str
    status: int = 200
    content_type: str = "text/xml; charset=utf-8"


def xml_reply(*roots: Element) -> Reply:
    """Several roots stand in a row, as an area's do: that is not one XML document."""
    text = "\n".join(ET.tostring(root, encoding="unicode") for root in roots)
    return Reply(f'<?xml version="1.0" encoding="utf-8"?>\n{text}')


def error_reply(error: WireError) -> Reply:
    if not isinstance(error, ContentError):
        return Reply(error.body, content_type="text/html; charset=utf-8")
    root = Element("Response")
    ET.SubElement(ET.SubElement(root, "Errors"), "Error", code=error.code, description=error.description)
    return xml_reply(root)


def server_fault() -> Reply:
    """What ASP.NET says to a form, and to whatever else it cannot read."""
    page = "<!DOCTYPE html><html><head><title>Runtime Error</title></head><body><h1>Server Error in '/' Application.</h1></body></html>"
    return Reply(page, status=500, content_type="text/html; charset=utf-8")


def read_xml(body: bytes) -> Element:
    if b"<!DOCTYPE" in body:
        raise WireError("001")
    try:
        return ET.fromstring(body)
    except ET.ParseError:
        raise WireError("001") from None


def needed(root: Element, path: str, code: str) -> Element:
    """The element there, or the error for a request without it."""
    found = root.find(path)
    if found is None:
        raise WireError(code)
    return found


def day_of(text: str | None, code: str) -> date:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        raise WireError(code) from None


def count_of(element: Element, name: str, code: str) -> int:
    text = element.get(name, "0").strip()
    if not (text.isascii() and text.isdigit()):
        raise WireError(code)
    return int(text)


def amount(minor_units: int, currency: str) -> str:
    """`352.50`: two decimals at least, whatever the currency has."""
    return f"{major(minor_units, currency):.{max(2, digits(currency))}f}"


def yes_no(said: bool) -> str:
    return "Yes" if said else "No"


def escaped(reply: Reply) -> Reply:
    """The answer as text inside `<string>`, as a web service wraps it."""
    wrapped = f'<string xmlns="http://tempuri.org/">{html.escape(reply.body, quote=False)}</string>'
    return Reply(wrapped, reply.status, reply.content_type)
