"""`langgraph`, whose `dev` server looks fifty times a second for a run to start, not twice: a test would wait for most of
its time. Everything else is as it is installed.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import wraps
from importlib import import_module
from typing import Any

import uvicorn
from langgraph_cli.cli import cli

LOOKS_EVERY_S = 0.02

_serve = uvicorn.run


@wraps(_serve)  # whose parameters decide which options are given
def serve(*app: Any, **options: Any) -> None:
    Runs = import_module("langgraph_runtime_inmem.ops").Runs  # reads the environment, which is ready only now

    next_runs = Runs.next

    async def soon(wait: bool, limit: int = 1) -> AsyncIterator[Any]:
        if wait:
            await asyncio.sleep(LOOKS_EVERY_S)
        async for run in next_runs(wait=False, limit=limit):
            yield run

    Runs.next = soon
    _serve(*app, **options)


if __name__ == "__main__":
    uvicorn.run = serve
    cli()
