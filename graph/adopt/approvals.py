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
from wavegraph.graph.execution.repeats import plain_approval
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
            words: Words = partial(_words_from, _template_parts(approve, tool))
        case _ if callable(approve):
            words = approve
        case _:
            raise SettingsError(
                f"approve[{tool.name!r}] must be True, a text such as '{{{next(iter(tool.arguments), 'name')}}}', a "
                f"function of the arguments, or an Approval; not {approve!r}"
            )
    return Approval(prepare=partial(_terms, tool.name, words), restate=_restatement)


_Part = tuple[str, str | None, str]
"""A literal, then a path into the arguments (None = none) and its format."""


def _template_parts(template: str, tool: DomainTool) -> list[_Part]:
    try:
        parts = [(text, field, form or "") for text, field, form, _ in Formatter().parse(template)]
    except ValueError as error:
        raise SettingsError(f"approve[{tool.name!r}] = {template!r} is not a template: {error_text(error)}") from None
    for _, field, _ in parts:
        if field is not None and _argument_of(field) not in tool.arguments:
            known = ", ".join(f"{{{name}}}" for name in tool.arguments) or "none"
            raise SettingsError(
                f"approve[{tool.name!r}] = {template!r} names {{{field}}}, which {tool.name} does not take; it takes: {known}"
            )
    return parts


def _argument_of(field: str) -> str:
    """The argument that a path begins with; empty = none."""
    try:
        return next((str(step) for step in path_steps(field)), "")
    except ValueError:
        return ""


def _words_from(parts: Sequence[_Part], args: Mapping[str, Any]) -> str:
    return "".join(text + ("" if field is None else _value_text(args, field, form)) for text, field, form in parts)


def _value_text(args: Mapping[str, Any], field: str, form: str) -> str:
    try:
        value = follow(args, field)
    except LookupError:
        return NOTHING
    try:
        return NOTHING if value is None else format(value, form)
    except (TypeError, ValueError):  # a format for another type
        return str(value)


async def _terms(tool: str, words: Words, args: Mapping[str, Any], settings: Any) -> Terms:
    made = words(args)
    text = await made if inspect.isawaitable(made) else made
    return {"details": {"tool": tool, "args": dict(args), "words": str(text or "")}, "valid_until": None}


def _restatement(details: Mapping[str, Any], language: str) -> str:
    return str(details.get("words") or "") or plain_approval(details["tool"]).restate(details, language)
