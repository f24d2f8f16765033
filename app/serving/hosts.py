"""Which names the server answers to, and which pages may call it."""

import ipaddress
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavegraph.graph.errors import SettingsError

HOSTS = "WAVEGRAPH_HOSTS"
_AUTHORITY = re.compile(r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::[0-9]{0,5})?")
_ORIGIN = re.compile(r"https?://(?P<authority>[^/?#\\]+)")
_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


def host_of(authority: str) -> str | None:
    """The name or address of a Host header, always spelled the same; None for anything but a host and perhaps a port."""
    found = _AUTHORITY.fullmatch(authority.lower())
    if not found:
        return None
    if found["v6"]:
        return address_of(found["v6"])
    name = found["name"].removesuffix(".")
    return address_of(name) or (name if _NAME.fullmatch(name) else None)


def host_of_origin(origin: str) -> str | None:
    """Where a page comes from; None for `null`, a file or an extension."""
    found = _ORIGIN.fullmatch(origin)
    return host_of(found["authority"]) if found else None


def is_loopback(host: str) -> bool:
    """Whether a name or an address means this machine, whatever a name server says."""
    address = address_of(host)
    return ipaddress.ip_address(address).is_loopback if address else host == "localhost"


def address_of(text: str) -> str | None:
    """An IP address in its short form, IPv4 also where IPv6 wraps it; None for any other text."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return str(getattr(address, "ipv4_mapped", None) or address)


@dataclass(frozen=True)
class Hosts:
    """The names this server answers to: those of this machine's loopback, and those that the setting lists."""

    names: frozenset[str] = frozenset()
    parents: tuple[str, ...] = ()
    """`.example.com` stands for every name that ends so."""

    def __contains__(self, host: str | None) -> bool:
        return host is not None and (is_loopback(host) or host in self.names or host.endswith(self.parents))

    @classmethod
    def listed(cls, text: str) -> "Hosts":
        """From names and addresses with commas between them; `*.example.com` is every name below it.

        Raises SettingsError for anything else, `*` too: any page can give this machine a name of its own.
        """
        entries = [entry.strip().lower() for entry in text.split(",") if entry.strip()]
        wild = [entry for entry in entries if entry.startswith("*.")]
        return cls(
            frozenset(_listed(entry, entry) for entry in entries if entry not in wild),
            tuple(f".{_listed(entry, entry.removeprefix('*.'))}" for entry in wild),
        )


def _listed(entry: str, host: str) -> str:
    """Raises SettingsError."""
    plain = address_of(host.removeprefix("[").removesuffix("]")) or _ascii(host)
    if not plain:
        raise SettingsError(
            f"{HOSTS}: {entry!r} is no name: expected names or addresses without scheme and port, such as "
            "hotel.example.com or *.example.com, with commas between them; a bare * would let any web page in"
        )
    return plain


def _ascii(name: str) -> str | None:
    try:
        plain = name.removesuffix(".").encode("idna").decode()
    except UnicodeError:
        return None
    return plain if _NAME.fullmatch(plain) else None


@dataclass(frozen=True)
class Origins:
    """The pages from elsewhere that may call: the server's own CORS list, by name."""

    listed: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None

    def __contains__(self, origin: str) -> bool:
        return origin in self.listed or bool(self.pattern and self.pattern.fullmatch(origin))

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> "Origins":
        """What the LangGraph server reads of its configuration. A `*` there lists no page, so none is let in by it."""
        http = json.loads(environ.get("LANGGRAPH_HTTP") or "{}")
        cors: dict[str, Any] = json.loads(environ.get("CORS_CONFIG") or "null") or http.get("cors") or {}
        more = environ.get("CORS_ALLOW_ORIGINS", "").split(",")
        pattern = cors.get("allow_origin_regex")
        return cls(
            frozenset(origin.strip() for origin in [*(cors.get("allow_origins") or []), *more]) - {"", "*"},
            re.compile(pattern) if pattern else None,
        )
