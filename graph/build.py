"""Builds the graph: nodes and edges in the order they run."""

import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.stream import CustomTransformer
from langgraph.types import Overwrite

from wavegraph.graph import background
from wavegraph.graph._langgraph import (
    FoldingGraph,
    RunnableCallable,
    read_without_copies,
    unstored,
)
from wavegraph.graph.agent import Agent
from wavegraph.graph.domain import Domain, Planner, Responder, own_keys, with_own_keys
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.langsmith import guard_traces
from wavegraph.graph.model.clients import GivenModel, ModelEnvironment, Models, Role
from wavegraph.graph.model.judge import Judge
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.model.responder import LlmResponder
from wavegraph.graph.model.spending import Spending, counted_in
from wavegraph.graph.request.new_request import check_version
from wavegraph.graph.request.stop import stoppable
from wavegraph.graph.routing import (
    AFTER_APPROVE,
    AFTER_CHECK,
    AFTER_PLAN,
    AFTER_VALIDATE,
    route_after_approve,
    route_after_check,
    route_after_plan,
    route_after_validate,
)
from wavegraph.graph.secrets.ways_out import cleaned_errors, guard
from wavegraph.graph.state import (
    GONE,
    SHOWN,
    WORK,
    EndedState,
    InputState,
    NodeState,
    OutputState,
    RoutedState,
    StoredState,
    StructuredOutput,
    as_written,
    with_defaults,
)
from wavegraph.nodes.approve import approve
from wavegraph.nodes.check_answer import check_answer
from wavegraph.nodes.execute_wave import execute_wave
from wavegraph.nodes.plan import plan
from wavegraph.nodes.respond import respond
from wavegraph.nodes.validate import validate
from wavegraph.prompts import read_shared

Node = Callable[[Any, Runtime[Any], Agent], Awaitable[dict[str, Any]]]


class AgentGraph(StateGraph[StoredState, Any, InputState, OutputState]):
    """A state graph that knows its agent; `compiled.builder.agent` is how a runner answers for it after a stop."""

    agent: Agent

    def compile(self, *args: Any, **options: Any) -> CompiledStateGraph[StoredState, Any, InputState, OutputState]:
        """As any state graph's; of a thread's values a caller sees what is for callers (`SHOWN`). Clients
        of the server's newer protocol get our events where no other `transformers` are given."""
        options.setdefault("transformers", [CustomTransformer])
        compiled = super().compile(*args, **options)
        read_without_copies(compiled)
        compiled.__class__ = FoldingGraph
        shown = (*SHOWN, *own_keys(self.agent.domain.state))
        compiled.stream_channels = [name for name in shown if name in compiled.channels]
        return compiled

    def fold(self, values: dict[str, Any], versions: dict[str, Any]) -> None:
        """Make the stored channels of an earlier version this version's."""
        if gone := GONE & versions.keys():
            values["work"] = {name: values[name] for name in WORK if name in values}
            versions["work"] = unstored(max(versions.values()))
        for name in gone:
            del versions[name]
            values.pop(name, None)


G = TypeVar("G", bound=Any)


def whole_state(graph: G) -> G:
    """The same compiled graph, whose `get_state` and `values` also show the fields that are the engine's own."""
    is_ours = isinstance(getattr(graph, "builder", None), AgentGraph)
    return graph.copy({"stream_channels": None}) if is_ours else graph  # type: ignore[no-any-return]


def build_graph(
    domain: Domain,
    *,
    model: GivenModel | Mapping[Role, GivenModel] | None = None,
    planner: Planner | None = None,
    responder: Responder | None = None,
) -> AgentGraph:
    """The state graph of an agent for `domain`; the caller compiles it, or adds it to a graph of its own.

    `model` plans, answers, and judges answers: one chat model, one per role, their names (`provider:name`), or functions
    that make them (called once per event loop). `with_fallbacks`, `with_retry`, `with_config` and `bind` may have wrapped
    them. A role without a model uses the environment's endpoint (`ModelEnvironment`); without one the
    domain's rules and templates (`offline`) do its work; one that has none needs a model, and while that is down, the
    answer lists what was found. `planner` and `responder` replace both. A run's setting
    `planner: rules` overrides everything. Raises SettingsError for a domain that contradicts itself.
    """
    guard()
    read_shared()
    environment = ModelEnvironment.from_env()
    models = Models(model, environment, Spending.from_env())
    agent = Agent(
        domain=domain,
        planner=planner or (LlmPlanner(domain, models) if models.has("planner") else None),
        responder=responder or (LlmResponder(domain, models) if models.has("responder") and not planner else None),
        judge=Judge(domain, models) if models.has("validator") else None,
        check_by_default=environment.answer_check,
        models=models,
    )
    agent.domain.registry  # noqa: B018  a broken domain fails here, not in its first request
    if agent.planner is None and domain.offline is None:
        raise SettingsError(
            f"nobody plans for {domain.name!r}: give a `model`, set OPENAI_API_KEY or OPENAI_BASE_URL, or give the domain "
            "an `offline` planner and responder"
        )
    output = StructuredOutput if domain.response else OutputState
    graph = AgentGraph(
        with_own_keys(StoredState, domain.state),
        context_schema=domain.settings,
        input_schema=with_own_keys(InputState, domain.state, "input"),
        output_schema=with_own_keys(output, domain.state, "output"),
    )
    graph.agent = agent
    for node in (plan, execute_wave, validate, approve, respond, check_answer):
        graph.add_node(node.__name__, _node(node, agent), input_schema=NodeState, metadata=_about(node))

    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", _router(route_after_plan), AFTER_PLAN)
    graph.add_edge("execute_wave", "validate")
    graph.add_conditional_edges("validate", _router(route_after_validate), AFTER_VALIDATE)
    graph.add_conditional_edges("approve", _router(route_after_approve), AFTER_APPROVE)
    graph.add_edge("respond", "check_answer")
    graph.add_conditional_edges("check_answer", _router(route_after_check, EndedState), AFTER_CHECK)
    return graph


def _node(node: Node, agent: Agent) -> RunnableCallable:
    """A node with the agent bound in, its active time added to its update, a stop of its run, and a way in for sync callers.
    What it raises is cleaned: LangGraph keeps it with the checkpoint."""
    name = node.__name__

    async def run(given: Any, runtime: Runtime[Any]) -> Any:
        state = given if "call" in given else with_defaults(given)
        check_version(state)
        guard_traces()
        started = time.perf_counter()
        thread = runtime.execution_info.thread_id if runtime.execution_info else None
        with stoppable(), cleaned_errors(), counted_in(runtime.store, thread):
            update = await node(state, runtime, agent)
        commands = update.pop("commands", None)
        written = _with_time(as_written(update, state), name, state, round(time.perf_counter() - started, 4))
        return [written, *commands] if commands else written

    def run_sync(given: Any, runtime: Runtime[Any]) -> Any:
        return background.run(run(given, runtime))

    return RunnableCallable(run_sync, run, name=name, trace=False)


def _router(route: Callable[[Any], Any], reads: Any = RoutedState) -> RunnableCallable:
    """A router that decides where it is called, by the fields that it `reads`. A plain function LangGraph would run in a thread,
    and a request that is cut while it waits for that keeps the node's update without the way on: resumed, it ends without an
    answer.
    """

    def decide(stored: reads) -> Any:
        return route(with_defaults(stored))

    return RunnableCallable(decide, name=route.__name__, trace=False)


def _about(node: Node) -> dict[str, str]:
    """A node's docstring, for Studio's drawing and for traces: what it does, what it reads and writes."""
    does, _, fields = inspect.cleandoc(str(node.__doc__)).partition("\n\n")
    return {"does": does, "state": " ".join(fields.split())}


def _with_time(update: dict[str, Any], name: str, state: Any, elapsed_s: float) -> dict[str, Any]:
    """The update with the active time of its step; the calls of a wave share one."""
    own = update.get("times")  # of another request than the state's: a new one, or one that was set aside
    times: Mapping[str, float] = own.value if isinstance(own, Overwrite) else state.get("times", {})
    number = state["wave"] if "wave" in state else 1 + sum(step.startswith(name) for step in times)
    step = {f"{name}_{number}": elapsed_s}
    return {**update, "times": Overwrite({**times, **step}) if isinstance(own, Overwrite) else step}
