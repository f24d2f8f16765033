"""Removes the key from what an endpoint sends: tracers of any make record the responses that a client fails on."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from wavegraph.graph.secrets.known import in_headers
from wavegraph.graph.secrets.scrubber import process

_STREAMED = b'"stream":true'


async def clean_response(response: Any) -> None:
    """For the client's hook, of whichever `httpx` it uses."""
    process.learn(*in_headers(response.request.headers))  # a key that a function gives is in no model
    for name, value in list(response.headers.items()):
        if process.holds(value):
            response.headers[name] = process.scrub(value)
    if response.is_success and _STREAMED in response.request.content.replace(b" ", b""):
        response.aiter_bytes = _line_by_line(response.aiter_bytes)
        return
    await response.aread()
    if (content := _clean(response.content)) != response.content:
        response._content = content
    if (text := process.scrub(response.text)) != response.text:  # in the charset it claims
        response._text, response._content = text, text.encode(response.encoding or "utf-8", errors="replace")


def _line_by_line(read: Callable[..., AsyncGenerator[bytes]]) -> Callable[..., AsyncIterator[bytes]]:
    """The events of a stream, each in a line of its own, as soon as they are whole."""

    async def lines(*given: Any, **options: Any) -> AsyncIterator[bytes]:
        kept: list[bytes] = []
        async with aclosing(read(*given, **options)) as chunks:
            async for chunk in chunks:
                whole, end, rest = chunk.rpartition(b"\n")
                if end:
                    yield _clean(b"".join([*kept, whole, end]))
                    kept = []
                kept.append(rest)
        if any(kept):
            yield _clean(b"".join(kept))

    return lines


def _clean(content: bytes) -> bytes:
    text = content.decode(errors="surrogateescape")
    return process.scrub(text).encode(errors="surrogateescape") if process.holds(text) else content
