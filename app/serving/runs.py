"""What a run may hold that is not staff's: the person's own words, the settings open to the role, and nothing else.

A run is checked as the server is about to store it, so that all ways in pass here: runs with and without a thread,
batches, MCP, A2A, and the commands of the newer protocol.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from wavegraph.graph.dialogue.messages import messages_in

FindThread = Callable[[], Awaitable[Mapping[str, Any]]]
"""The run's thread as the server shows it, with the `checkpoint` of its state; empty = there is none yet."""

_OF_THE_SERVER = frozenset(
    {"thread_id", "user-agent", "__event_streaming_v2", "__context_provided__", "__request_start_time_ms__",
     "__after_seconds__", "__otel_traceparent__", "__otel_tracestate__", "__dd_trace_headers__"}
)  # fmt: skip
"""What the server adds to a run's `configurable` by itself, besides `langgraph_…` and the `x-…` headers."""
_OPTIONS = ("webhook", "interrupt_before", "interrupt_after", "feedback_keys")
_CONFIG = ("configurable", "metadata", "tags")
_INTERRUPT = re.compile(r"[0-9a-f]{32}")


class Forbidden(Exception):
    """Says what only staff may do."""


async def check_run(
    run: Mapping[str, Any], settings: Collection[str], graphs: Collection[str], find_thread: FindThread
) -> None:
    """`run`: as the server hands it to `threads.create_run`. `settings`: those the caller may give; `graphs`: that the
    caller may run. Raises Forbidden."""
    kwargs = run["kwargs"]
    _check_options(run, kwargs)
    _check_metadata([run.get("metadata"), (kwargs.get("config") or {}).get("metadata")], graphs)
    _check_config(kwargs.get("config") or {}, settings)
    _check_settings(kwargs.get("context") or {}, settings)
    command = {name: value for name, value in (kwargs.get("command") or {}).items() if value is not None}
    if command.get("goto") in ("__end__", ["__end__"]):  # a chat's "mark as resolved": it only withdraws
        del command["goto"]
    if extra := [name for name in command if name != "resume"]:
        raise Forbidden(f"command {extra[0]!r} is staff's: a guest only resumes")
    replies = _replies(command.get("resume"))
    _check_input(kwargs.get("input"))
    said = [message for given in (kwargs.get("input"), *replies) for message in _messages(given)]
    decides = any(not _is_words(reply) for reply in replies)
    head = ((kwargs.get("config") or {}).get("configurable") or {}).get("checkpoint_id")
    if decides or head or any(message.id for message in said):
        _check_against(await find_thread(), said, decides, head)


def _check_options(run: Mapping[str, Any], kwargs: Mapping[str, Any]) -> None:
    named = [name for name in _OPTIONS if kwargs.get(name)]
    named += ["after_seconds"] if run.get("after_seconds") else []
    named += ["multitask_strategy rollback"] if run.get("multitask_strategy") == "rollback" else []
    named += ["durability exit"] if kwargs.get("durability") == "exit" else []
    if named:
        raise Forbidden(f"the run option {named[0]} is staff's")


def _check_metadata(given: Sequence[Any], graphs: Collection[str]) -> None:
    """The server reads a thread's state by the graph that its metadata names."""
    for metadata in given:
        if isinstance(metadata, Mapping) and metadata.get("graph_id") not in (None, *graphs):
            raise Forbidden(f"metadata may not name the graph {metadata['graph_id']!r}")


def _check_config(config: Mapping[str, Any], settings: Collection[str]) -> None:
    if extra := [name for name, value in config.items() if name not in _CONFIG and value is not None]:
        raise Forbidden(f"config {extra[0]!r} is staff's")
    _check_settings(config.get("configurable") or {}, settings)


def _check_settings(given: Mapping[str, Any], settings: Collection[str]) -> None:
    for name, value in given.items():
        own = name in _OF_THE_SERVER or name.startswith(("langgraph_", "x-"))
        if not own and name not in settings and name != "checkpoint_id" and value not in (None, "", {}):
            allowed = ", ".join(sorted(settings)) or "none"
            raise Forbidden(f"setting {name!r} is staff's; yours are: {allowed}")


def _check_input(given: Any) -> None:
    if given is not None and (not isinstance(given, Mapping) or set(given) != {"messages"}):
        raise Forbidden("an input holds messages and nothing else")


def _messages(given: Any) -> list[BaseMessage]:
    """The messages of an input or a reply, read as the graph reads them. Raises Forbidden for any that is not a
    person's: of the system, the assistant or a tool, and for the removal of one."""
    if not isinstance(given, Mapping) or "messages" not in given:
        return []
    found = messages_in(given["messages"])
    if found is None:
        raise Forbidden("the messages cannot be read")
    if strange := [message.type for message in found if type(message) is not HumanMessage]:
        raise Forbidden(f"a message of type {strange[0]!r} is not a person's")
    return found


def _replies(resume: Any) -> list[Any]:
    """Each reply; they may come by the ids of the interrupts."""
    if resume is None:
        return []
    if isinstance(resume, Mapping) and resume and all(_INTERRUPT.fullmatch(str(name)) for name in resume):
        return list(resume.values())
    return [resume]


def _is_words(reply: Any) -> bool:
    """Whether it is only words, which the graph reads as the asker's own; JSON as text is no words."""
    if isinstance(reply, str):
        return not reply.lstrip().startswith(("{", "["))
    return isinstance(reply, Mapping) and "messages" in reply


def _check_against(thread: Mapping[str, Any], said: Sequence[BaseMessage], decides: bool, head: str | None) -> None:
    if head and str(head) != (thread.get("checkpoint") or {}).get("checkpoint_id"):
        raise Forbidden("a run from an earlier checkpoint is staff's")
    taken = {message.get("id") for message in (thread.get("values") or {}).get("messages", [])}
    if used := [message.id for message in said if message.id in taken]:
        raise Forbidden(f"the id {used[0]!r} is another message's")
    if decides and not all(question.get("by_asker") is True for question in _questions(thread)):
        raise Forbidden("somebody else decides this; to withdraw it, say no as a message")


def _questions(thread: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for interrupts in (thread.get("interrupts") or {}).values():
        for each in interrupts:
            value = each.get("value")
            yield value if isinstance(value, Mapping) else {}
