"""What a failed check of a property means, for whoever set it up: what is wrong, and where to look."""

import socket
import ssl
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import httpx

from wavegraph.graph.errors import ToolRefusal, error_text
from wavegraph.graph.secrets.scrubber import process
from wavegraph.tools.hotel.configuration.entry import PropertyEntry, System

NAMES: Mapping[System, str] = {"minihotel": "MiniHotel", "ezgo": "EzGo"}
_MEANINGS = {
    "auth": "credentials: {system} did not accept them; look at {variables}",
    "ip_not_allowed": "IP allow-list: {system} lets in only the addresses it knows; have the vendor add this machine's",
    "bad_hotel": "hotel id: {said}; look at hotel_id = {hotel_id!r}, and whether this user may see that hotel",
    "bad_rate": "rate code: the hotel has none called {rate_code!r}; look at rate_code",
    "rate_limited": "too many calls: {system} answers, but not so often; try again in a minute",
    "timeout": "host: no answer in time from {host}; try again, then look at host",
    "bad_response": "answer: {system} gave none that is of use at {host} ({said}); look at host, {identity} and {variables}",
}


def diagnosis(error: BaseException, entry: PropertyEntry) -> str:
    """One line. The network's own reason, where there is one, says more than what the adapter made of it."""
    if why := next((said for each in _chain(error) if (said := _of_network(each, entry))), None):
        return f"host: {why}"
    if isinstance(error, ToolRefusal) and error.code in _MEANINGS:
        return _MEANINGS[error.code].format(**_words(entry), said=_said(error))
    return error_text(error) or type(error).__name__


def _said(error: ToolRefusal) -> str:
    """With the system's own words, where the adapter kept them."""
    detail = getattr(error, "detail", "")
    return f"{error_text(error)}: {process.scrub(detail)}" if detail else error_text(error)


def _words(entry: PropertyEntry) -> Mapping[str, str | None]:
    return {
        "system": NAMES[entry.pms_type],
        "variables": " and ".join(variables(entry)),
        "host": _place(entry),
        "hotel_id": entry.hotel_id,
        "identity": "hotel_id" if entry.pms_agency_channel_id is None else "hotel_id, pms_agency_channel_id",
        "rate_code": entry.rate_code,
    }


def _place(entry: PropertyEntry) -> str:
    return entry.host or f"{NAMES[entry.pms_type]}'s host"


def variables(entry: PropertyEntry) -> tuple[str, str]:
    """The environment variables where the login is looked for."""
    prefix = entry.id.upper().replace("-", "_")
    return entry.username_variable or f"{prefix}_USERNAME", entry.password_variable or f"{prefix}_PASSWORD"


def _of_network(error: BaseException, entry: PropertyEntry) -> str | None:
    place = _place(entry)
    match error:
        case socket.gaierror():
            name = urlsplit(entry.host).hostname if entry.host else place
            return f"the name of {name} is not known (DNS); look at host, and at this machine's network"
        case ssl.SSLCertVerificationError():
            return f"the certificate of {place} is not valid (TLS: {getattr(error, 'verify_message', 'unknown')}); look at host"
        case ssl.SSLError():
            return f"{place} does not speak TLS as it should ({getattr(error, 'reason', 'unknown')}); look at host and its port"
        case ConnectionRefusedError():
            return f"nothing listens at {place}; look at host and its port"
        case ConnectionResetError() | BrokenPipeError() | httpx.RemoteProtocolError():
            return f"{place} broke the connection off; look at host, and for a firewall between"
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it, also where that is not to be shown, and what groups of errors hold."""
    seen: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is not None and all(each is not known for known in seen):
            seen.append(each)
            yield each
            waiting += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
