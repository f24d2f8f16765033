"""Reads single values of the properties file. Each reader raises ValueError with what to write instead."""

import difflib
import re
from datetime import time
from decimal import Decimal, InvalidOperation
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from wavegraph.tools.hotel.currency import currency_named, is_currency
from wavegraph.tools.hotel.records import WEEKDAYS

PROPERTY_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Also a file name, so neither dots nor slashes."""
DEMO = "sandbox"
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,60}")
LONGEST_WORD = 16
"""Signs of a variable's name without an underscore; what is longer and holds digits is rather a key."""
_URL_CODE = re.compile(r"[0-9A-Fa-f]{32}/[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}")
_RANGE = re.compile(r"(\d{1,2})\s*(?:-|–|to)\s*(\d{1,2})")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::00)?")
HIGHEST_VAT = 50
"""Per cent."""


def nearest(word: str, known: Any, cutoff: float = 0.5) -> str | None:
    """Of the known words the one most like this; None if none is."""
    by_fold = {each.casefold(): each for each in known}
    found = difflib.get_close_matches(word.casefold(), by_fold, n=1, cutoff=cutoff)
    return by_fold[found[0]] if found else None


def property_id(value: Any) -> str:
    text = _text(value)
    if text == DEMO:
        raise ValueError("the demo hotel's own id; choose another one")
    if PROPERTY_ID.fullmatch(text):
        return text
    plain = re.sub(r"[^a-z0-9_-]+", "-", text.casefold()).strip("-_")
    way_out = f"write {plain!r}" if PROPERTY_ID.fullmatch(plain) else "such as 'haifa'"
    raise ValueError(f"an id is 1 to 63 lower-case letters of a to z, digits, '-' or '_'; {way_out}")


def hotel_id(value: Any) -> str:
    """A number is its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _text(value, "the id that the vendor gave the hotel")


def variable(value: Any) -> str:
    """The name of an environment variable. No message quotes the value: it may be the password itself."""
    text = _text(value, "the name of an environment variable, such as 'MINI_HAIFA_PASSWORD'")
    bare = re.sub(r"^\$\{?|^%|[}%]$", "", text)
    if bare != text and _VARIABLE.fullmatch(bare):
        raise ValueError("write the variable's name alone, without '$', '{', '}' and '%'")
    if not _VARIABLE.fullmatch(text) or _is_key(text):
        raise ValueError(
            "not the name of an environment variable, which has capital letters, digits and '_'. If it is the user name or the "
            "password itself, take it out of the file, put it into a variable such as MINI_HAIFA_PASSWORD, and write that name"
        )
    return text


def _is_key(text: str) -> bool:
    return len(text) > LONGEST_WORD and "_" not in text and any(sign.isdigit() for sign in text)


def host(value: Any) -> str:
    """`https://name` or `https://name:port`; without encryption only on this machine."""
    text = _text(value, "a host, such as 'https://api.example.com'")
    parts = _split(text if "://" in text else f"https://{text}")
    name, port = _name_and_port(parts)
    if "@" in parts.netloc:
        raise ValueError("a login does not belong into the host; write the host alone")
    place = f"{name}:{port}" if port else name
    if parts.scheme not in ("http", "https") or not re.fullmatch(r"\[[0-9a-f:]+\]|[a-z0-9.-]+", name):
        raise ValueError("not a host; write its name, such as 'https://api.example.com'")
    if parts.scheme == "http" and not _is_this_machine(name):
        raise ValueError(f"the password would travel unencrypted; write 'https://{place}'")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"the adapter adds the path; write '{parts.scheme}://{place}'")
    return f"{parts.scheme}://{place}"


def _split(address: Any) -> SplitResult:
    """Its parts; empty ones for what is no address."""
    try:
        return urlsplit(address if isinstance(address, str) else "")
    except ValueError:
        return urlsplit("")


def _name_and_port(parts: SplitResult) -> tuple[str, int | None]:
    try:
        name, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("the port is a number up to 65535") from None
    return (f"[{name}]" if ":" in name else name), port


def _is_this_machine(name: str) -> bool:
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"


def currency(value: Any) -> str:
    text = _text(value, "a currency code of ISO 4217, such as 'ILS'")
    if is_currency(text):
        return text
    named = text.upper() if is_currency(text.upper()) else currency_named(text.casefold(), "XXX")
    way_out = f"write {named!r}" if named != "XXX" else "such as 'ILS', 'EUR' or 'USD'"
    raise ValueError(f"not a currency code of ISO 4217; {way_out}")


def time_zone(value: Any) -> str:
    text = _text(value, "a time zone, such as 'Asia/Jerusalem'")
    try:
        return ZoneInfo(text).key
    except (OSError, ValueError, KeyError):
        pass
    if re.fullmatch(r"(?:UTC|GMT)?\s*[+-]\d{1,2}(?::?\d\d)?", text, re.IGNORECASE):
        raise ValueError("an offset does not know summer time; write the zone's name, such as 'Asia/Jerusalem'")
    known = available_timezones()
    places = {name.rpartition("/")[2]: name for name in sorted(known, reverse=True)}
    city = nearest(text.rpartition("/")[2].replace(" ", "_"), places, 0.75)
    like = nearest(text, known, 0.8) or (places[city] if city else None)
    raise ValueError(f"not a time zone; {f'write {like!r}' if like else 'such as Asia/Jerusalem'}")


def weekend(value: Any) -> list[int]:
    """Weekdays, Monday = 0, from names: a list, `thu fri`, `Friday-Saturday`."""
    words = value if isinstance(value, list) else [value]
    if any(isinstance(word, int) for word in words) or re.search(r"\d", " ".join(map(str, words))):
        raise ValueError("numbers of weekdays mean different days in different countries; write names: ['thu', 'fri']")
    days = [day for word in words for part in re.split(r"[\s,|]+", _spaced(word)) if part for day in _run(part)]
    if not days or len(set(days)) > 4:
        raise ValueError("one to four nights, such as ['thu', 'fri']: the night of Thursday and that of Friday")
    return sorted(set(days))


def _spaced(word: Any) -> str:
    """One blank between the parts, none around the dash of a range."""
    return re.sub(r"\s{0,3}[-–]\s{0,3}|\s{1,3}to\s{1,3}", "-", str(word).strip())


def _run(part: str) -> list[int]:
    first, dash, last = part.partition("-")
    start, end = _weekday(first), _weekday(last if dash else first)
    return [(start + n) % 7 for n in range((end - start) % 7 + 1)]


_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _weekday(name: str) -> int:
    folded = name.casefold().rstrip(".")
    for n, full in enumerate(_DAY_NAMES):
        if len(folded) >= 3 and full.startswith(folded):
            return n
    if like := nearest(folded, _DAY_NAMES):
        raise ValueError(f"{name!r} is not a weekday; write {WEEKDAYS[_DAY_NAMES.index(like)]!r}")
    raise ValueError(f"{name!r} is not a weekday; write {', '.join(WEEKDAYS)}")


def child_ages(value: Any) -> tuple[int, int]:
    """The first and the last age of a child, from `"2-12"` or `[2, 12]`: who is younger is a baby, who is older an adult."""
    pair = value
    if isinstance(value, str) and (found := _RANGE.fullmatch(value.strip())):
        pair = [int(found[1]), int(found[2])]
    if not isinstance(pair, list) or len(pair) != 2 or not all(type(age) is int for age in pair):
        raise ValueError("the first and the last age of a child: child_ages = '2-12'; who is younger is a baby")
    if not 0 <= pair[0] <= pair[1] <= 17:
        raise ValueError("ages from 0 to 17, the younger first: child_ages = '2-12'")
    return pair[0], pair[1]


def clock(value: Any) -> str:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    found = _CLOCK.fullmatch(str(value).strip()) if isinstance(value, str) else None
    if not found:
        raise ValueError("a time of day, such as '15:00'")
    return f"{int(found[1]):02}:{found[2]}"


def vat_bp(value: Any) -> int:
    """Basis points, from per cent: `18`, `17.5`, `"18%"`."""
    text = str(value).strip().removesuffix("%").strip()
    try:
        percent = Decimal(text) if not isinstance(value, bool) else Decimal("nan")
    except InvalidOperation:
        percent = Decimal("nan")
    if not percent.is_finite():
        raise ValueError("the VAT inside the prices in per cent, such as 18, or 0 for none")
    if 0 < percent < 1:
        raise ValueError(f"per cent, not a share; write {(percent * 100).normalize():f}")
    if not 0 <= percent <= HIGHEST_VAT:
        raise ValueError(f"per cent from 0 to {HIGHEST_VAT}, such as 18")
    if percent * 100 != int(percent * 100):
        raise ValueError("per cent with at most two decimals, such as 17.5")
    return int(percent * 100)


def links(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):  # as ValueError, which pydantic collects
        raise ValueError("a table of names and addresses: links = { website = 'https://…' }")  # noqa: TRY004
    for name, address in value.items():
        parts = _split(address)
        if parts.scheme != "https" or not parts.netloc or re.search(r"[\s<>\"]", address):
            raise ValueError(f"{name!r} is not an address; write one that begins with https://")
    return value


def room_names(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(name, str) and name.strip() for name in value.values()):
        raise ValueError("a table of codes and names: room_names = { 101 = 'Double Room' }")
    return value


def url_code(value: Any) -> str:
    """The two codes of the booking page's address."""
    text = _text(value, "the two codes in the booking page's address")
    if _URL_CODE.fullmatch(text):
        return text
    if inside := _URL_CODE.search(text):
        raise ValueError(f"only the codes of the address; write {inside[0]!r}")
    raise ValueError(
        "the part of the booking page's address that names the hotel: 32 digits or letters of a to f, a slash, and a code "
        "with four dashes"
    )


def number(value: Any) -> int:
    """A whole number, also as text."""
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,12}\s*", value):
        return int(value)
    raise ValueError("a whole number")


def _text(value: Any, expected: str = "text") -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{expected}, in quotes")
    return value.strip()
