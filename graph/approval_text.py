"""How a person is asked about a call, where it is the call itself that is told: in the engine's words, by a template over its
arguments, or by a function of them."""

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from string import Formatter
from typing import Any

from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.language import say
from wavegraph.graph.ledger import canonical
from wavegraph.graph.references.paths import follow, path_steps
from wavegraph.graph.secrets.ways_out import error_text

Words = Callable[[Mapping[str, Any]], str | Awaitable[str]]
Approve = bool | str | Words | Approval
"""True: in the engine's words; False: not, also where the tool asks by itself; a template over the call's arguments
(`"{passenger} on {flight}"`); a function of them that makes the words; or an Approval of one's own."""

NOTHING = "–"
"""In a template, for an argument that was left out."""


def plain_approval(tool: str, phrase: str = "would_be_sent", **more: Any) -> Approval:
    """A question about the call itself, in the engine's words (`phrase`). `more`: what its terms hold besides."""
    return Approval(prepare=partial(_call_itself, {"tool": tool, **more}), restate=partial(_call_text, phrase))


async def _call_itself(about: Mapping[str, Any], args: Mapping[str, Any], settings: Any) -> Terms:
    return {"details": {**about, "args": dict(args)}, "valid_until": None}


def _call_text(phrase: str, details: Mapping[str, Any], language: str) -> str:
    return say(phrase, language, tool=details["tool"], args=canonical(details["args"]))


def approval_from(approve: Approve, tool: str, arguments: Collection[str]) -> Approval:
    """How a person is asked about a tool with these arguments. Raises SettingsError for a template that names another, and
    for what does not say how."""
    match approve:
        case True:
            return plain_approval(tool)
        case Approval():
            return approve
        case str():
            _refuse_unknown(approve, tool, arguments)
            words: Words = partial(_Template().vformat, approve, ())
        case _ if callable(approve):
            words = approve
        case _:
            raise SettingsError(
                f"approve[{tool!r}] must be True, a text such as '{{{next(iter(arguments), 'name')}}}', a "
                f"function of the arguments, or an Approval; not {approve!r}"
            )
    return Approval(prepare=partial(_terms, tool, words), restate=_restatement)


def _refuse_unknown(template: str, tool: str, arguments: Collection[str]) -> None:
    try:
        fields = [(field, path_steps(field)) for _, field, _, _ in Formatter().parse(template) if field is not None]
    except ValueError as error:
        raise SettingsError(f"approve[{tool!r}] = {template!r} is not a template: {error_text(error)}") from None
    for field, steps in fields:
        if not steps or str(steps[0]) not in arguments:
            known = ", ".join(f"{{{name}}}" for name in arguments) or "none"
            raise SettingsError(
                f"approve[{tool!r}] = {template!r} names {{{field}}}, which {tool} does not take; it takes: {known}"
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
