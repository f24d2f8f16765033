"""LangSmith: the traced run that a request is part of, and what of it leaves this process."""

from collections.abc import Iterator

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.tracers.langchain import LangChainTracer
from langgraph.config import get_config

from wavegraph.graph._langgraph import UNTRACED, pass_posts_through
from wavegraph.graph.secrets.scrubber import process


def traced_run_id() -> str | None:
    """The root run of the trace that the running node is part of; None if nothing is traced. Call inside a node."""
    parent = getattr(get_config().get("callbacks"), "parent_run_id", None)
    runs = (tracer.run_map.get(str(parent)) for tracer in _tracers())
    return next((None if run.extra.get(UNTRACED) else str(run.trace_id) for run in runs if run), None)


def guard_traces() -> None:
    """Have the secrets of this process removed from all that the running trace's client posts. Call inside a node."""
    for tracer in _tracers():
        pass_posts_through(tracer.client, process)


def _tracers() -> Iterator[LangChainTracer]:
    callbacks = get_config().get("callbacks")
    handlers = callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else ()
    return (each for each in handlers if isinstance(each, LangChainTracer))
