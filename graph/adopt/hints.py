"""What an MCP server's hints mean for its tool.

Hints are claims. Those of a server that is not trusted make the engine only stricter, but for one: about a tool that is
hinted to be a read a person is asked once, not at each call. The file of servers has the last word.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavegraph.graph.state import Effect


@dataclass(frozen=True, kw_only=True)
class Nature:
    """How the engine treats a tool."""

    effect: Effect
    approve: bool | str = False
    """Of a write: whether a person is asked before each call; a text = how the call is told then."""
    asks_once: bool = False
    """Of a read: whether a person is asked before its first call, since it is one by its server's word alone."""
    repeatable: bool = False
    """Whether a write does no more when it is sent twice."""


def nature(
    hints: Mapping[str, Any],
    *,
    trusted: bool = False,
    effect: Effect | None = None,
    approve: bool | str | None = None,
    repeatable: bool | None = None,
) -> Nature:
    """`hints`: by the protocol's names; one that is neither true nor false says nothing. `trusted`: whether the file of
    servers says that they are true; the others: what it says of the tool itself, None = nothing."""
    says_read, destroys = hints.get("readOnlyHint") is True, hints.get("destructiveHint")
    reads = says_read and (trusted or not (approve or destroys is True))
    if effect == "read" or (effect is None and reads):
        by_its_word_alone = not trusted and effect is None and approve is None
        return Nature(effect="read", asks_once=by_its_word_alone)
    asks = not trusted or destroys is not False
    idempotent = trusted and not says_read and hints.get("idempotentHint") is True
    return Nature(
        effect="write",
        approve=asks if approve is None else approve,
        repeatable=idempotent if repeatable is None else repeatable,
    )
