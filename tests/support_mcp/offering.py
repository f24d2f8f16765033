"""An agent offered as `wavegraph mcp` does, to a client within this process."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client

from wavegraph import Domain, build_graph
from wavegraph.app.offer.server import Offer
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.options import Options
from wavegraph.app.terminal.session import open_session


@dataclass
class Caller:
    """A program that calls the agent."""

    client: Any
    offer: Offer
    told: list[str] = field(default_factory=list)
    """The lines of progress."""

    async def ask(self, request: str, thread: str | None = None) -> Any:
        return await self.call("ask", request=request, **({} if thread is None else {"thread": thread}))

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        async def tell(progress: float, total: float | None, line: str | None) -> None:
            self.told.append(str(line))

        return await self.client.call_tool(tool, arguments, progress_callback=tell)

    async def tools(self) -> Mapping[str, Any]:
        return {tool.name: tool for tool in (await self.client.list_tools()).tools}


@asynccontextmanager
async def offered(agent: Any, folder: Path, mode: str = "legacy", **settings: Any) -> AsyncIterator[Caller]:
    """`agent`: a domain or a graph, or the name of an agent; its conversations are kept in `folder`."""
    graph = build_graph(agent) if isinstance(agent, Domain) else None if isinstance(agent, str) else agent
    name = agent if isinstance(agent, str) else "own:graph"
    options = Options(domain=name, database=str(folder / "threads.db"), settings=settings)
    async with open_session(options, Console(stderr=True), graph) as session:
        offer = Offer(session)
        async with Client(offer.server, mode=mode) as client:
            yield Caller(client, offer)
        await offer.stop()


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)
