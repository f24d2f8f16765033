"""An agent with the tools of MCP servers, and nothing else."""

from wavegraph.graph.adopt.agent import CompiledAgent, create_agent
from wavegraph.graph.adopt.mcp.servers import Source
from wavegraph.graph.adopt.mcp.tools import mcp_tools
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.model.clients import ModelEnvironment

NAME = "mcp"
PROMPT = "You do what the person asks with the tools of the servers that they have connected, and say what came of it."


def mcp_agent(source: Source) -> CompiledAgent:
    """The agent, without a checkpointer.

    Raises SettingsError for a file or server that cannot be used, and without a model: only a model can plan calls of
    unknown tools.
    """
    if not ModelEnvironment.from_env().has("planner"):
        raise SettingsError(
            "an agent with the tools of MCP servers needs a language model, and none is set up: set OPENAI_API_KEY and "
            "WAVEGRAPH_MODEL, or OPENAI_BASE_URL for a server of your own"
        )
    return create_agent(tools=mcp_tools(source), system_prompt=PROMPT, name=NAME)
