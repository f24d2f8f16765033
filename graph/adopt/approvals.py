"""`approve=`: which writes a person is asked about, and in which words."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from string import Formatter
from typing import Any

from wavegraph.graph.adopt.effects import nature_of
from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.execution.write import plain_approval
from wavegraph.graph.references.paths import follow, path_steps
from wavegraph.graph.secrets.ways_out import error_text

Words = Callable[[Mapping[str, Any]], str | Awaitable[str]]
Approve = bool | str | Words | Approval
"""True: in the engine's words; False: not, also where the tool asks by itself; a template over the call's arguments
(`"{passenger} on {flight}"`); a function of them that makes the words; or an Approval of one's own."""

NOTHING = "–"
"""In a template, for an argument that was left out."""


def with_approvals(tools: Sequence[DomainTool], approve: Mapping[str, Approve]) -> list[DomainTool]:
    """The tools with these approvals. Raises SettingsError for a name, a field or a template that cannot be."""
    if strangers := sorted(set(approve) - {tool.name for tool in tools}):
        raise SettingsError(f"approve names {strangers}, but the tools are {sorted(tool.name for tool in tools)}")
    return [_with_approval(tool, approve[tool.name]) if tool.name in approve else _by_hint(tool) for tool in tools]


def _by_hint(tool: DomainTool) -> DomainTool:
    """A person is asked about a write whose metadata says how, or whose server is not trusted."""
    known = nature_of(tool.tool)
    asks = known and (known.approve or known.asks_once)
    if tool.effect == "write" and tool.approval is None and asks:
        return replace(tool, approval=_approval(tool, asks))
    return tool


def _with_approval(tool: DomainTool, approve: Approve) -> DomainTool:
    if approve is False:
        return replace(tool, approval=None)
    if tool.effect == "read" and tool.approval is None:
        raise SettingsError(
            f"approve names {tool.name!r}, which is declared a read: nobody is asked about reads; declare it with write(…)"
        )
    return replace(tool, effect="write", approval=_approval(tool, approve))


def _approval(tool: DomainTool, approve: Approve) -> Approval:
    match approve:
        case True:
            return plain_approval(tool.name)
        case Approval():
            return approve
        case str():
            _refuse_unknown(approve, tool)
            words: Words = partial(_Template().vformat, approve, ())
        case _ if callable(approve):
            words = approve
        case _:
            raise SettingsError(
                f"approve[{tool.name!r}] must be True, a text such as '{{{next(iter(tool.arguments), 'name')}}}', a "
                f"function of the arguments, or an Approval; not {approve!r}"
            )
    return Approval(prepare=partial(_terms, tool.name, words), restate=_restatement)


def _refuse_unknown(template: str, tool: DomainTool) -> None:
    try:
        fields = [(field, path_steps(field)) for _, field, _, _ in Formatter().parse(template) if field is not None]
    except ValueError as error:
        raise SettingsError(f"approve[{tool.name!r}] = {template!r} is not a template: {error_text(error)}") from None
    for field, steps in fields:
        if not steps or str(steps[0]) not in tool.arguments:
            known = ", ".join(f"{{{name}}}" for name in tool.arguments) or "none"
            raise SettingsError(
                f"approve[{tool.name!r}] = {template!r} names {{{field}}}, which {tool.name} does not take; it takes: {known}"
            )


class _Template(Formatter):
    """Its fields are paths into a call's arguments."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        try:
            return follow(kwargs, field_name), field_name
        except LookupError:
            return None, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        try:
            return NOTHING if value is None else str(format(value, format_spec))
        except (TypeError, ValueError):  # a format for another type
            return str(value)


async def _terms(tool: str, words: Words, args: Mapping[str, Any], settings: Any) -> Terms:
    made = words(args)
    text = await made if inspect.isawaitable(made) else made
    return {"details": {"tool": tool, "args": dict(args), "words": str(text or "")}, "valid_until": None}


def _restatement(details: Mapping[str, Any], language: str) -> str:
    return str(details.get("words") or "") or plain_approval(details["tool"]).restate(details, language)
