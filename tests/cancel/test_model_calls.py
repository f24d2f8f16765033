"""A stop closes the model call that is running: the server, with the real client, sees the connection go."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr
from stopping import kept
from warehouse import Warehouse

from wavegraph import CancelHandle, build_graph, run
from wavegraph.testing import call, planning


class Model:
    """An OpenAI-compatible server that plans at once where `plans`, and streams half an answer, then nothing."""

    def __init__(self, plans: bool) -> None:
        self.plans = plans
        self.asked = asyncio.Event()
        self.closed = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.partition("content-length:")[2].split("\r\n")[0])
        body = json.loads(await reader.readexactly(size))
        if self.plans and not body.get("stream"):
            plan = planning(call("bolts", "count", sku="bolt")) | {"slots": {}}
            message = {"role": "assistant", "content": json.dumps(plan)}
            self._send(writer, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
            writer.close()
            return
        if body.get("stream"):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
            delta = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "There are "}}]}
            writer.write(f"data: {json.dumps({**_BASE, **delta})}\n\n".encode())
            await writer.drain()
        self.asked.set()
        if await reader.read() == b"":
            self.closed.set()
        writer.close()

    def _send(self, writer: asyncio.StreamWriter, more: dict[str, Any]) -> None:
        raw = json.dumps({**_BASE, "object": "chat.completion", **more}).encode()
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(raw)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + raw)


_BASE = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}


@asynccontextmanager
async def serving(plans: bool) -> AsyncIterator[tuple[Model, ChatOpenAI]]:
    model = Model(plans)
    async with await asyncio.start_server(model.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        client = ChatOpenAI(
            model="scripted", api_key=SecretStr("none"), base_url=f"http://127.0.0.1:{port}/v1", max_retries=0
        )
        yield model, client


@pytest.mark.parametrize("plans", [False, True], ids=["planning", "a streamed answer"])
async def test_the_connection_is_closed(plans: bool, tmp_path: Path) -> None:
    async with serving(plans) as (model, client):
        warehouse = Warehouse()
        async with kept(build_graph(warehouse.domain(), model=client), tmp_path) as graph:
            handle = CancelHandle()
            running = asyncio.ensure_future(run(graph, "how many bolts?", thread_id="t", cancel=handle))
            await model.asked.wait()
            handle.cancel()
            stopped = await running
            await model.closed.wait()
            assert stopped.outcome == "cancelled"
            assert list(stopped.results) == (["bolts"] if plans else [])
            assert ("'units': 40" in stopped.answer) == plans
