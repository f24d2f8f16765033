"""The compiled agent: a LangGraph graph like any other, and a tool for other agents."""

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from wavegraph.graph._langgraph import FoldingGraph
from wavegraph.graph.build import AgentGraph


class Request(BaseModel):
    """What another agent asks of this one."""

    request: str = Field(description="What is wanted, in whole sentences, with everything that is known of it")


class CompiledAgent(FoldingGraph):
    """What `create_agent` returns."""

    builder: AgentGraph

    def as_tool(  # type: ignore[override]  # LangChain's own takes the graph's whole input and returns its whole state
        self, *, name: str | None = None, description: str | None = None
    ) -> BaseTool:
        """The agent as a tool that takes a request in words and returns the answer.

        It asks its own questions: an approval interrupts the graph that calls it, and is answered there, where that graph
        has a checkpointer. It counts as a read where all its own tools do. `name`: None = the agent's own.
        """

        async def ask(request: str, config: RunnableConfig) -> str:
            return str((await self.ainvoke({"messages": request}, config))["answer"])

        def ask_sync(request: str, config: RunnableConfig) -> str:
            return str(self.invoke({"messages": request}, config)["answer"])

        own = name or self.get_name()
        effects = {tool.effect for tool in self.builder.agent.domain.registry.values()}
        return StructuredTool.from_function(
            func=ask_sync,
            coroutine=ask,
            name=own,
            description=description or f"Give {own} a request; it works on it with tools of its own and answers.",
            args_schema=Request,
            metadata={"effect": "write" if "write" in effects else "read"},
        )
