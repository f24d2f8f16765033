"""A thread that one agent left in the middle of a wave is no thread for another."""

import asyncio
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled, human, on_thread
from warehouse import Warehouse

from wavegraph import SettingsError
from wavegraph.testing import ScriptedPlanner, call, planning


def test_another_agent_is_told_whose_thread_it_is_not(warehouse: Warehouse) -> None:
    saver, counting = InMemorySaver(), asyncio.Event()

    async def long() -> Any:
        counting.set()
        await asyncio.sleep(600)

    async def left() -> None:
        warehouse.on("count", "bolt", long)
        script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
        work = asyncio.ensure_future(
            compiled(warehouse.domain(), script, checkpointer=saver).ainvoke(human(), on_thread())
        )
        await counting.wait()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    asyncio.run(left())
    bells = warehouse.domain(name="bells", tools=warehouse.tools()[1:], checks={})
    with pytest.raises(SettingsError, match="another agent: this graph is for 'bells', which has no tool 'count'"):
        compiled(bells, checkpointer=saver).invoke(None, on_thread())
