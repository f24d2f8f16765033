"""`create_agent`: an agent of anybody's tools in a few lines, with the argument names of LangChain's own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.cache.base import BaseCache
from langgraph.prebuilt import ToolCallTransformer
from langgraph.store.base import BaseStore
from langgraph.stream import CustomTransformer
from langgraph.types import Checkpointer, Command

from wavegraph.graph._langgraph import FoldingGraph, is_in_a_graph, subagent_streams
from wavegraph.graph.adopt.effects import AnyTool
from wavegraph.graph.adopt.middleware import Given, with_middleware
from wavegraph.graph.adopt.schemas import response_of, settings_from, with_defaults
from wavegraph.graph.approval import Approve
from wavegraph.graph.build import AgentGraph, build_graph
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import SettingsError, short_repr
from wavegraph.graph.language import ENGLISH, Language
from wavegraph.graph.limits import Limits
from wavegraph.graph.model.clients import GivenModel, Role

NAME = "agent"
MOST_STEPS = 9_999
"""As LangChain's has it: limits end a request long before."""
AGENT_LIMITS = Limits(
    max_tool_calls=50,
    max_waves=25,
    max_adaptations=10,
    request_timeout_s=600,
    tool_timeout_s=300,  # a tool may be another agent
)
"""The budget of an agent whose tools nobody has measured. Give `replace(AGENT_LIMITS, max_waves=3)` for one of your own that
keeps the rest; `Limits(…)` is taken whole."""
_OWN_GRAPH = "build_graph(Domain(…)) for a graph of your own"
NOT_TAKEN: Mapping[str, str] = {
    "interrupt_before": 'approve={"tool": True} asks before a write',
    "interrupt_after": 'approve={"tool": True} asks before a write; checks of results are a Domain\'s',
    "prompt": "system_prompt=",
    "state_modifier": "system_prompt=",
    "messages_modifier": "system_prompt=",
    "pre_model_hook": f"{_OWN_GRAPH}: its prompts, limits and checks",
    "post_model_hook": f"{_OWN_GRAPH}: its checks and answer rules",
    "config_schema": "context_schema=",
    "version": "nothing: there is one",
}
"""Arguments of LangChain's `create_agent`, and of LangGraph's before it, that are not taken: what to use here."""


Words = Annotated[str, "What is wanted, in whole sentences, with everything that is known of it"]
"""What another agent asks of this one."""


_GIVE = 'give {"messages": [("user", "…")]}; keys of your own are named in state_schema=, and what a run knows goes into context='


class CompiledAgent(FoldingGraph):
    """What `create_agent` returns."""

    builder: AgentGraph

    def stream(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> Any:
        """As any graph's. Raises SettingsError for an input that the agent would not read whole."""
        self._refuse_unread(input, config)
        return super().stream(input, config, **options)

    def astream(self, input: Any, config: RunnableConfig | None = None, **options: Any) -> Any:
        """As `stream`."""
        self._refuse_unread(input, config)
        return super().astream(input, config, **options)

    def _refuse_unread(self, given: Any, config: RunnableConfig | None) -> None:
        """A graph round the agent passes on the keys that both have, and drops its others: only a caller is told."""
        if given is None or isinstance(given, Command) or is_in_a_graph(config):
            return
        if not isinstance(given, Mapping):
            raise SettingsError(f"the input is {short_repr(given)}; {_GIVE}")
        if strangers := sorted(set(given) - set(self.channels)):
            raise SettingsError(f"the input has {strangers}, which this agent does not know; {_GIVE}")

    def as_tool(  # type: ignore[override]  # LangChain's own takes the graph's whole input and returns its whole state
        self, *, name: str | None = None, description: str | None = None
    ) -> BaseTool:
        """The agent as a tool that takes a request in words and returns the answer.

        It asks its own questions: an approval interrupts the graph that calls it, and is answered there, where that graph
        has a checkpointer. It counts as a read where all its own tools do. `name`: None = the agent's own.
        """

        async def ask(request: Words, config: RunnableConfig) -> str:
            return str((await self.ainvoke({"messages": request}, config))["answer"])

        def ask_sync(request: Words, config: RunnableConfig) -> str:
            return str(self.invoke({"messages": request}, config)["answer"])

        own = name or self.get_name()
        effects = {tool.effect for tool in self.builder.agent.domain.registry.values()}
        return StructuredTool.from_function(
            func=ask_sync,
            coroutine=ask,
            name=own,
            description=description or f"Give {own} a request; it works on it with tools of its own and answers.",
            metadata={"effect": "write" if "write" in effects else "read"},
        )


def create_agent(
    model: GivenModel | Mapping[Role, GivenModel] | None = None,
    tools: Sequence[AnyTool] | None = None,
    *,
    system_prompt: str | SystemMessage | None = None,
    middleware: Sequence[Any] = (),
    response_format: Any = None,
    state_schema: type[Any] | None = None,
    context_schema: type[Any] | None = None,
    checkpointer: Checkpointer = None,
    store: BaseStore | None = None,
    debug: bool = False,
    name: str | None = None,
    cache: BaseCache[Any] | None = None,
    transformers: Sequence[Callable[[tuple[str, ...]], Any]] | None = None,
    approve: Mapping[str, Approve] | None = None,
    limits: Limits | None = AGENT_LIMITS,
    every_part: bool = False,
    languages: Sequence[Language] = (),
    figures: Literal["strict", "checked", "off"] = "checked",
    answer_format: Literal["plain", "free"] = "free",
    longest_answer: int | None = None,
    errors: Literal["text", "names"] = "text",
    **not_taken: Any,
) -> CompiledAgent:
    """A compiled agent that plans calls of these tools in waves, checks what came back, and answers.

    `model`: as `build_graph` takes it; None = the environment's. `tools`: functions, LangChain tools of any kind, or what
    `read` and `write` made of them; undeclared is a write. `system_prompt`: what the agent is for, and how it speaks.
    `middleware`: those of LangChain's that say what exists here (`adopt.middleware`); others are refused by name.
    `response_format`: a type or JSON schema, filled in beside the answer as `structured_response`; None in its place
    where there is no answer to take it from. `state_schema`: a TypedDict, such as one that extends LangChain's `AgentState`:
    keys that a thread's state has beside its messages (`Domain.state`). `context_schema`: fields that a run may give as
    `context=`, beside the settings of every agent; stored with the request, so no secrets. `approve`: by tool, how a person is asked first (`Approve`); a
    write that it does not name runs without a question, unless it asks by itself. `limits`: of a request; left out, 50 calls, 25
    waves, 10 minutes (`AGENT_LIMITS`); the answer names one that ended the work. `every_part`: each part of a request must
    be served by a call, or the answer names it (`Domain.every_part`). `errors`: whether planner and answer are told what a
    tool's error says, without the secrets that this process knows, or its type alone (`Domain.errors`).
    `languages`: besides those with a table of the engine's words (`graph.language`); it answers in any. `figures`,
    `answer_format`, `longest_answer`: what becomes of an answer's figures, form and length (as in `Domain`); it goes out as the
    model wrote it unless they say otherwise.
    Raises SettingsError for what cannot work, and for arguments of LangChain's that are not taken.
    """
    _refuse(not_taken)
    for argument, value, kind, wanted in (
        ("tools", tools, Sequence, "a list of functions and tools, such as [search]"),
        ("middleware", middleware, Sequence, "a list, such as [HumanInTheLoopMiddleware(…)]"),
        ("store", store, BaseStore, "a BaseStore, such as InMemoryStore()"),
        ("system_prompt", system_prompt, str | SystemMessage, "a text or a SystemMessage"),
        ("name", name, str, 'a text, such as "trips"'),
        ("limits", limits, Limits, "Limits(…), such as Limits(max_waves=3)"),
        (
            "approve",
            approve or None,
            Mapping,
            'how each tool asks, such as {"book": "Book {flight}"} or {"book": True}',
        ),
    ):
        if value is not None and not isinstance(value, kind):
            raise SettingsError(f"create_agent: {argument} must be {wanted}; not {short_repr(value)}")
    own = list(languages)
    prompt = system_prompt.text if isinstance(system_prompt, SystemMessage) else system_prompt or ""
    asked = Given(model=model, limits=limits or AGENT_LIMITS, state=state_schema, approve=approve or {})
    given = with_middleware(asked, middleware or ())
    domain = Domain(
        name=name or NAME,
        tools=given.tools(tools or ()),
        settings=with_defaults(settings_from(context_schema), given.settings),
        limits=given.limits,
        mask=given.mask,
        prompts={"plan": prompt, "respond": prompt},
        takes="messages",
        asks_together=True,
        state=given.state,
        response=response_of(response_format),
        every_part=every_part,
        figures=figures,
        answer_format=answer_format,
        longest_answer=longest_answer,
        languages=[*([] if any(each.code == "en" for each in own) else [ENGLISH]), *own],
        any_language=True,
        errors=errors,
        messages="all",
        speaker=name,
    )
    compiled = build_graph(domain, model=given.model).compile(
        checkpointer=checkpointer,
        store=store,
        debug=debug,
        cache=cache,
        name=name or NAME,
        transformers=[ToolCallTransformer, *subagent_streams(), CustomTransformer, *(transformers or ())],
    )
    named: RunnableConfig = {"metadata": {"lc_agent_name": name}} if name else {}  # else that of the agent round it
    agent: Any = compiled.with_config({"recursion_limit": MOST_STEPS, **named})
    agent.__class__ = CompiledAgent
    return agent  # type: ignore[no-any-return]


def _refuse(given: Mapping[str, Any]) -> None:
    """Raises TypeError for an argument that nobody knows, SettingsError for one that is not taken, unless it is empty."""
    if strangers := sorted(set(given) - set(NOT_TAKEN)):
        raise TypeError(f"create_agent() got an unexpected keyword argument {strangers[0]!r}")
    for argument, value in given.items():
        if value is not None and value != () and value != []:
            raise SettingsError(f"create_agent takes no {argument!r}; use {NOT_TAKEN[argument]}")
