"""What a tool gives back: its result, an artifact, a Command that changes the thread's state; and what it may know of that state.

The changes travel with the call's outcome, as JSON, and `validate` applies them once, in plan order: written by parallel
tasks, two of one key would end the run.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from langchain_core.messages import HumanMessage, ToolMessage, convert_to_messages
from langchain_core.tools import ToolException
from langgraph.channels import EphemeralValue, LastValue, UntrackedValue
from langgraph.config import get_config
from langgraph.types import Command, Overwrite, Send
from pydantic import PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from wavegraph.graph._langgraph import NS_SEP, own_channels
from wavegraph.graph.errors import error_text
from wavegraph.graph.ready import UNFINISHED, PlanStep, each_once
from wavegraph.graph.state import KEYS, Handoff, ToolOutcome, ValidationIssue, new_issue

_ENGINES = KEYS - {"messages"}
_OF_ONE = (LastValue, EphemeralValue, UntrackedValue)
"""Channels that take one value in a step."""
_WAYS_ON = (
    "a tool ends its request with return_direct=True, and hands over to another agent with "
    "Command(goto=…, graph=Command.PARENT) where its own agent is a node of a larger graph"
)


def thread_state() -> dict[str, Any]:
    """The thread's messages and its own keys, as the running wave began."""
    channels = own_channels(_ENGINES).items()
    found = {name: channel.get() for name, channel in channels if channel.is_available()}
    return {**found, "messages": [*found.get("messages", ())]}


class BadResult(Exception):
    """A result that cannot be kept: it is no data, does not fit the tool's result model, or is too large."""

    def __init__(self, why: str, *, code: Literal["unexpected_data", "too_large"] = "unexpected_data") -> None:
        super().__init__(why)
        self.code = code
        self.is_done = False
        """Whether it is that of a write that ran to its end."""


class Returned(NamedTuple):
    """What a tool gave back."""

    data: Any
    more: Mapping[str, Any] = {}
    """Fields of the outcome beside it: `artifact`, `update`, `handoff`, as JSON."""


def returned(raw: Any, artifact: Any = None) -> Returned:
    """What a tool gave back, a message and a Command taken apart. Raises ToolException for a message that says that the tool
    failed, and BadResult for a Command that no graph here can follow."""
    if isinstance(raw, list | tuple) and raw and all(isinstance(each, Command | ToolMessage) for each in raw):
        raw = raw[0] if len(raw) == 1 else _as_one(raw)
    if isinstance(raw, Command):
        return _of_command(raw)
    if isinstance(raw, ToolMessage):
        if raw.status == "error":
            raise ToolException(str(raw.text))
        raw, artifact = raw.content, raw.artifact
    given = to_jsonable_python(artifact, bytes_mode="base64", serialize_unknown=True, fallback=str)
    return Returned(raw, {} if given is None else {"artifact": given})


def _as_one(parts: Sequence[Command[Any] | ToolMessage]) -> Command[Any]:
    """Commands and messages of one call as one Command. Raises BadResult for those that no one Command can stand for."""
    commands = [part if isinstance(part, Command) else Command(update={"messages": [part]}) for part in parts]
    updates = [_update_of(command) for command in commands]
    keys = Counter(name for update in updates for name in update if name != "messages")
    if max(keys.values(), default=1) > 1 or any(command.goto or command.graph for command in commands):
        raise BadResult("several Commands that set one key, or go to a node: give one with all of it")
    merged = {name: value for update in updates for name, value in update.items()}
    messages = [message for update in updates for message in _messages(update.get("messages", ()))]
    return Command(update={**merged, "messages": messages})


def _update_of(command: Command[Any]) -> Mapping[str, Any]:
    update = command.update or {}
    if not isinstance(update, Mapping):
        raise BadResult("a Command whose update is no dict of the state's keys")
    return update


def _of_command(command: Command[Any]) -> Returned:
    update = _update_of(command)
    messages = _messages(update.get("messages", ()))
    result = next((message for message in reversed(messages) if isinstance(message, ToolMessage)), None)
    told = returned(result) if result else Returned(None)
    goto = [command.goto] if isinstance(command.goto, str | Send) else [*command.goto]
    if command.graph == Command.PARENT:
        if NS_SEP not in get_config().get("configurable", {}).get("checkpoint_ns", ""):
            raise BadResult(f"a Command to a larger graph, and its agent is not part of one: {_WAYS_ON}")
        handoff: Handoff = {"goto": [*map(_target, goto)], "update": _as_json(dict(update))}
        return told._replace(more={**told.more, "handoff": handoff})
    if goto or command.graph is not None:
        to = ", ".join(str(getattr(each, "node", each)) for each in goto) or command.graph
        raise BadResult(f"a Command to {to!r}, and the nodes here are the agent's own: {_WAYS_ON}")
    own = _own_update(update, messages)
    return told._replace(more={**told.more, "update": own}) if own else told


def _own_update(update: Mapping[str, Any], messages: Sequence[Any]) -> dict[str, Any]:
    """The update of this graph's state: without the message that is the call's result."""
    known = own_channels(_ENGINES)
    if unknown := sorted(set(update) - set(known)):
        raise BadResult(
            f"a Command that updates {unknown}, and the keys of the state are {sorted(known)}: name more in state_schema"
        )
    if any(isinstance(message, HumanMessage) for message in messages):
        raise BadResult("a Command that adds a person's message, which would be another request")
    own = {name: value for name, value in update.items() if name != "messages"}
    if added := [message for message in messages if not isinstance(message, ToolMessage)]:
        own["messages"] = added
    return _as_json(own)  # type: ignore[no-any-return]


def _messages(given: Any) -> list[Any]:
    try:
        return convert_to_messages(given if isinstance(given, list | tuple) else [given])
    except (ValueError, TypeError, NotImplementedError) as error:
        raise BadResult(f"a Command with messages that are none ({type(error).__name__})") from None


def _target(goto: Any) -> Any:
    return {"node": goto.node, "arg": _as_json(goto.arg)} if isinstance(goto, Send) else goto


def _as_json(value: Any) -> Any:
    """As `Overwrite` LangGraph also takes a record of this one field."""
    if isinstance(value, dict):
        value = {
            name: {"__overwrite__": part.value} if isinstance(part, Overwrite) else part for name, part in value.items()
        }
    try:
        return to_jsonable_python(value)
    except (PydanticSerializationError, ValueError) as error:
        raise BadResult(f"a Command with what is not JSON: {error_text(error)}") from None


def commands_of(
    ended: Sequence[PlanStep], walked: Sequence[PlanStep]
) -> tuple[list[Command[Any]], list[ValidationIssue]]:
    """What the calls of a wave change, in plan order: updates of the state, then what the larger graph is told; and an issue
    for each that another of the wave would overwrite. `walked`: the steps of the plan. One that hands over ends this agent's
    work, so it waits for all that is planned before it, as for a write that a person is asked about."""
    channels, setters = own_channels(_ENGINES), dict[str, str]()
    updates, issues = list[Command[Any]](), list[ValidationIssue]()
    for name, outcome in _outcomes(ended):
        own = outcome.get("update", {})
        single = [key for key in own if isinstance(channels.get(key), _OF_ONE)]
        if lost := {key: setters[key] for key in single if key in setters}:
            issues.append(_conflict(name, lost))
        setters |= {key: name for key in single if key not in lost}
        if kept := {key: _typed(value, channels.get(key)) for key, value in own.items() if key not in lost}:
            updates.append(Command(update=kept))
    over = list(takewhile(lambda step: step.phase not in UNFINISHED, walked))
    handoffs = [outcome["handoff"] for _, outcome in _outcomes(over) if "handoff" in outcome]
    return [*updates, *_to_larger_graph(handoffs)], issues


def _outcomes(ended: Sequence[PlanStep]) -> Iterator[tuple[str, ToolOutcome]]:
    """By call, the first of equal ones."""
    return ((step.call["id"], step.outcome) for step in each_once(ended) if step.outcome)


def _conflict(call_id: str, lost: Mapping[str, str]) -> ValidationIssue:
    keys = ", ".join(f"{key!r}, which {other} has set in the same wave" for key, other in lost.items())
    message = (
        f"its update of {keys}, is left out: a key takes several values at once only with a reducer in state_schema"
    )
    return new_issue("error", call_id, message, "state_conflict")


def _to_larger_graph(handoffs: Sequence[Handoff]) -> list[Command[Any]]:
    if not handoffs:
        return []
    goto = [_sent(**each) if isinstance(each, dict) else each for handoff in handoffs for each in handoff["goto"]]
    update = [pair for handoff in handoffs for pair in handoff["update"].items()]
    return [Command(graph=Command.PARENT, goto=goto, update=update)]


def _sent(node: str, arg: Any) -> Send:
    """With messages as such: no reducer makes them of what a node is sent."""
    if isinstance(arg, dict) and "messages" in arg:
        arg = {**arg, "messages": convert_to_messages(arg["messages"])}
    return Send(node, arg)


def _typed(value: Any, channel: Any) -> Any:
    """A value out of JSON as its key's type makes it; as it is where it is none of that type: a reducer may take another."""
    try:
        return TypeAdapter(channel.UpdateType).validate_python(value)
    except (ValidationError, PydanticUserError, AttributeError):
        return value
