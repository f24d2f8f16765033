"""What an endpoint sends is handed on without the key of the request, streams line by line as they come."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from runs import wait

from wavegraph.graph.model.clients import clean_response
from wavegraph.graph.secrets.scrubber import MARK

HERE = "http://here/v1"
KEY = "sk-Zq7xVb2nM9kLpT4wRs8u"
SENT = {"authorization": f"Bearer {KEY}"}


class Pieces(httpx.AsyncByteStream):
    """Sends pieces; `read` counts those that were asked for."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces, self.read = pieces, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            self.read += 1
            yield piece


def response(status: int, *pieces: bytes, asked: bytes = b"{}", headers: Any = None) -> tuple[httpx.Response, Pieces]:
    stream = Pieces(*pieces)
    request = httpx.Request("POST", HERE, headers=SENT, content=asked)
    return httpx.Response(status, request=request, stream=stream, headers=headers), stream


@pytest.mark.parametrize("status", [200, 302, 401, 500])
def test_an_answer_does_not_quote_the_key(status: int) -> None:
    answer, _ = response(status, f"no such key {KEY[:9]}".encode(), f"{KEY[9:]}!".encode(), headers={"x-said": KEY})
    wait(clean_response(answer))

    assert (answer.text, answer.headers["x-said"]) == (f"no such key {MARK}!", MARK)


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer"}, {"authorization": ""}])
def test_a_request_without_a_key_has_none_to_quote(headers: dict[str, str]) -> None:
    answer = httpx.Response(401, request=httpx.Request("POST", HERE, headers=headers), content=b"no key \xff")
    wait(clean_response(answer))

    assert answer.content == b"no key \xff"


def test_an_answer_that_lies_of_its_letters_is_cleaned_both_ways() -> None:
    for content in (f'"{KEY}"'.encode(), f'"{KEY}"'.encode("utf-16-le")):
        answer, _ = response(401, content, headers={"content-type": "text/plain; charset=utf-16-le"})
        wait(clean_response(answer))
        assert KEY not in answer.text
        assert KEY.encode() not in answer.content


def test_a_stream_is_handed_on_line_by_line_as_it_comes() -> None:
    pieces = (b"data: 4 be", b"ds\ndata: no ", KEY[:7].encode(), KEY[7:].encode(), b" here\n\ndata: [DO", b"NE]")
    answer, stream = response(200, *pieces, asked=b'{"stream": true}')

    async def read() -> list[tuple[int, bytes]]:
        await clean_response(answer)
        assert stream.read == 0
        return [(stream.read, part) async for part in answer.aiter_bytes()]

    lines = wait(read())
    assert lines == [(2, b"data: 4 beds\n"), (5, f"data: no {MARK} here\n\n".encode()), (6, b"data: [DONE]")]


def test_a_stream_that_is_refused_is_an_answer() -> None:
    answer, _ = response(401, f"no {KEY}".encode(), asked=b'{"stream":true}')
    wait(clean_response(answer))

    assert answer.text == f"no {MARK}"
