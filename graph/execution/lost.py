"""What an error tells of a call that did not end: whether its connection was lost, and whether the call had been sent by then."""

import asyncio
from collections.abc import Iterator
from typing import Literal

from wavegraph.graph.errors import ConnectionLost

Fate = Literal["unknown", "unsent"]

_CUT = (ConnectionLost, ConnectionResetError, ConnectionAbortedError, BrokenPipeError, EOFError)
_CUT_NAMES = frozenset({
    "NetworkError", "ReadTimeout", "WriteTimeout", "ProtocolError",  # httpx and httpcore, of any version
    "ReadTimeoutError", "ChunkedEncodingError", "ContentDecodingError",  # requests and urllib3
    "ServerDisconnectedError", "ServerTimeoutError", "ClientPayloadError",  # aiohttp
    "ClosedResourceError", "BrokenResourceError", "EndOfStream",  # anyio
    "HTTPException",  # http.client
})  # fmt: skip
"""Names of classes, anywhere among an error's bases: none of these libraries is ours to import."""
_UNSENT_NAMES = frozenset({
    "ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError",
    "NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "ClientConnectorError", "gaierror",
})  # fmt: skip
_VAGUE = (ConnectionError, TimeoutError, asyncio.CancelledError)
"""Cut off at any time, unless what they caused says that nothing was sent yet."""
_VAGUE_NAMES = frozenset({"TransportError", "ClientConnectionError", "APIConnectionError"})


def fate_of(error: BaseException) -> Fate | None:
    """`unknown`: the call may have been sent before the connection was lost; `unsent`: it was not; None = nothing of the
    kind. Causes count as well as the error itself, and one that may have been sent outweighs one that was not: a tool
    may have sent twice."""
    found = set(_verdicts(error, below_unsent=False, seen=set()))
    return "unknown" if "unknown" in found else "unsent" if found else None


def _verdicts(error: BaseException, *, below_unsent: bool, seen: set[int]) -> Iterator[Fate]:
    if id(error) in seen:
        return
    seen.add(id(error))
    if _is(error, (ConnectionRefusedError,), _UNSENT_NAMES):
        below_unsent = True
        yield "unsent"
    elif _is(error, _CUT, _CUT_NAMES) or (not below_unsent and _is(error, _VAGUE, _VAGUE_NAMES)):
        yield "unknown"
    for inner in _inside(error):
        yield from _verdicts(inner, below_unsent=below_unsent, seen=seen)


def _is(error: BaseException, kinds: tuple[type[BaseException], ...], names: frozenset[str]) -> bool:
    return isinstance(error, kinds) or any(base.__name__ in names for base in type(error).__mro__)


def _inside(error: BaseException) -> Iterator[BaseException]:
    """What it groups, and what caused it."""
    if isinstance(error, BaseExceptionGroup):
        yield from error.exceptions
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield before
