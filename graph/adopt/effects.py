"""Anybody's tools as the engine's own: what each does to the world, by what is declared of it, and how a person is asked first."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import PlainSerializer
from pydantic_core import to_jsonable_python

from wavegraph.graph.approval import Approval, Approve, approval_from, plain_approval
from wavegraph.graph.domain_tool import DomainTool, as_tool, has_hints, metadata_of
from wavegraph.graph.errors import SettingsError, error_text, logger
from wavegraph.graph.ledger import canonical
from wavegraph.graph.state import Effect, key_of

AnyTool = BaseTool | DomainTool | Callable[..., Any]
Anything = Annotated[
    Any, PlainSerializer(lambda value: to_jsonable_python(value, serialize_unknown=True, fallback=str))
]
"""A result of a type without a schema: as JSON as far as it goes, and its text where it does not."""


def adopted(tools: Iterable[AnyTool], approve: Mapping[str, Approve]) -> list[DomainTool]:
    """The tools with their effects, and with these questions before their calls; one that cannot be used is left out, which
    the log says.

    An undeclared one is a write; the log says once what that costs, unless `approve` names the tool. Raises SettingsError for
    what is not a tool, and for an approval's name, field or template that cannot be.
    """
    known = [(tool, usable) for tool in tools if (usable := _usable(_domain_tool(tool))) is not None]
    given = [usable for tool, usable in known if not isinstance(tool, DomainTool)]
    if undeclared := [tool.name for tool in given if nature_of(tool.tool) is None and tool.name not in approve]:
        _warn_of_undeclared(tuple(undeclared))
    names = {usable.name for _, usable in known}
    if strangers := sorted(set(approve) - names):
        raise SettingsError(f"approve names {strangers}, but the tools are {sorted(names)}")
    return [_asking(usable, approve) for _, usable in known]


@cache
def _warn_of_undeclared(tools: tuple[str, ...]) -> None:
    """What it costs that neither their maker nor their user says what they do; told once in a process."""
    logger.warning(
        "nothing is declared of %s, so %s counts as a write: it runs alone and without a question, is never tried again, and "
        "is sent again in a conversation only with a yes; declare read(tool), or write(tool, look_up=…), which says how to find "
        'out whether it has happened, or give approve={"tool": True}, which asks a person first',
        ", ".join(tools),
        "it" if len(tools) == 1 else "each",
    )


def _domain_tool(tool: AnyTool) -> DomainTool:
    if isinstance(tool, DomainTool):
        return tool
    if isinstance(tool, Mapping):
        raise SettingsError(
            f"{tool!r} is a tool that its provider runs, which no check or approval reaches; give a function that does it"
        )
    base = as_tool(tool)
    known = nature_of(base) or {}
    repeatable = known.get("repeatable", False)
    made = DomainTool(base, known.get("effect", "write"), metadata_of(base).get("output_schema"), repeatable=repeatable)
    return replace(made, approval=_first_use(made)) if known.get("asks_once") else made


def _first_use(tool: DomainTool) -> Approval:
    """The question before the first call of a read that only its server calls one: the yes is to the tool, so a person is
    asked once in a thread, and again when its name or the schema of its arguments is another."""
    own = tool.tool.args_schema
    form = key_of(canonical([tool.name, own if isinstance(own, dict) else tool.argument_schema]))
    return replace(plain_approval(tool.name, "first_use", form=form), once=form)


def _usable(tool: DomainTool) -> DomainTool | None:
    """The tool, its result taken as it comes if its type says nothing; None = it cannot be planned."""
    tool.refuse_uncallable()
    tool.supplied  # noqa: B018  what nobody fills is told to its maker
    try:
        tool.arguments  # noqa: B018
    except SettingsError as error:
        logger.error("left out: %s", error_text(error))
        return None
    try:
        tool.result_adapter  # noqa: B018
    except SettingsError:
        return replace(tool, result=Anything)
    return tool


# What a tool does, by its metadata


def nature_of(tool: BaseTool) -> Mapping[str, Any] | None:
    """What its metadata says of it, as `nature` gives it; None = nothing.

    Metadata with a server's hints, as other adapters put them there, may all be the server's, the engine's own keys too;
    and nobody has said that the server is trusted.
    """
    metadata = metadata_of(tool)
    if has_hints(metadata):
        return nature(metadata)
    if metadata.get("effect") not in ("read", "write"):
        return None
    flags = {name: metadata.get(name) is True for name in ("repeatable", "asks_once")}
    return {"effect": metadata["effect"], "approve": metadata.get("approve", False), **flags}


def nature(
    hints: Mapping[str, Any],
    *,
    trusted: bool = False,
    effect: Effect | None = None,
    approve: bool | str | None = None,
    repeatable: bool | None = None,
) -> dict[str, Any]:
    """How the engine treats a tool, as it stands in the tool's metadata: `effect`; of a write `approve`, whether a person is
    asked before each call (a text = how the call is told then), and `repeatable`, whether it does no more when it is sent twice;
    of a read `asks_once`, whether a person is asked before its first call, since it is one by its server's word alone.

    `hints`: by the protocol's names; one that is neither true nor false says nothing. `trusted`: whether the file of
    servers says that they are true; the others: what it says of the tool itself, None = nothing."""
    says_read, destroys = hints.get("readOnlyHint") is True, hints.get("destructiveHint")
    reads = says_read and (trusted or not (approve or destroys is True))
    if effect == "read" or (effect is None and reads):
        by_its_word_alone = not trusted and effect is None and approve is None
        return {"effect": "read", "approve": False, "repeatable": False, "asks_once": by_its_word_alone}
    asks = not trusted or destroys is not False
    idempotent = trusted and not says_read and hints.get("idempotentHint") is True
    return {
        "effect": "write",
        "approve": asks if approve is None else approve,
        "repeatable": idempotent if repeatable is None else repeatable,
        "asks_once": False,
    }


# How a person is asked


def _asking(tool: DomainTool, approve: Mapping[str, Approve]) -> DomainTool:
    """Where `approve` does not name it, a person is asked about a write whose metadata says how, or whose server is not
    trusted."""
    if tool.name not in approve:
        known = nature_of(tool.tool) or {}
        asks: Any = known.get("approve") or known.get("asks_once")
        is_asked = tool.effect == "write" and tool.approval is None and asks
        return replace(tool, approval=approval_from(asks, tool.name, tool.arguments)) if is_asked else tool
    if approve[tool.name] is False:
        return replace(tool, approval=None)
    if tool.effect == "read" and tool.approval is None:
        raise SettingsError(
            f"approve names {tool.name!r}, which is declared a read: nobody is asked about reads; declare it with write(…)"
        )
    return replace(tool, effect="write", approval=approval_from(approve[tool.name], tool.name, tool.arguments))
