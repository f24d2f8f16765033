"""What an MCP server's hints mean for its tool. They are the server's claims: of one that is not trusted they make things
only stricter, but that a hinted read is asked about once a tool. The file of servers has the last word."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wavegraph.graph.state import Effect


@dataclass(frozen=True, kw_only=True)
class Hints:
    """What a server says of a tool; None = nothing."""

    reads: bool | None = None
    destroys: bool | None = None
    idempotent: bool | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Hints":
        """By the names of the protocol; what is no truth value says nothing."""
        names = ("readOnlyHint", "destructiveHint", "idempotentHint")
        reads, destroys, idempotent = (value if isinstance(value := told.get(name), bool) else None for name in names)
        return cls(reads=reads, destroys=destroys, idempotent=idempotent)


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
    hints: Hints,
    *,
    trusted: bool = False,
    effect: Effect | None = None,
    approve: bool | str | None = None,
    repeatable: bool | None = None,
) -> Nature:
    """`trusted`: whether the file of servers says that the hints are true; the others: what it says of the tool itself, None =
    nothing."""
    reads = hints.reads is True and (trusted or not (approve or hints.destroys))
    if effect == "read" or (effect is None and reads):
        by_its_word_alone = not trusted and effect is None and approve is None
        return Nature(effect="read", asks_once=by_its_word_alone)
    asks = not trusted or hints.destroys is not False
    idempotent = trusted and not hints.reads and hints.idempotent is True
    return Nature(
        effect="write",
        approve=asks if approve is None else approve,
        repeatable=idempotent if repeatable is None else repeatable,
    )
