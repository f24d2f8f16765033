"""The recipe of docs/running/stopping.md for SIGTERM, as a program: `drain.py DATABASE THREAD [REQUEST]`."""

import asyncio
import signal
import sys

from clerk import domain
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl

import wavegraph
from wavegraph.app.storage.open import open_storage


async def main(database: str, thread_id: str, request: str | None = None) -> None:
    control = RunControl()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, control.request_drain)
    async with open_storage(database) as storage:
        graph = wavegraph.build_graph(domain).compile(checkpointer=storage.checkpointer, store=storage.store)

        def tell(event: object) -> None:
            print(event, file=sys.stderr, flush=True)

        try:
            if request is None:
                result = await wavegraph.resume(graph, thread_id, control=control, on_event=tell)
            else:
                result = await wavegraph.run(graph, request, thread_id=thread_id, control=control, on_event=tell)
        except GraphDrained:
            print("drained: the step that was running has ended, the rest is for the next process")
            return
        print(result.answer)


asyncio.run(main(*sys.argv[1:]))
