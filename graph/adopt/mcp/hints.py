"""What a server's hints mean for its tool: they are the server's claims, so the file has the last word."""

from dataclasses import dataclass
from typing import Any

from wavegraph.graph.adopt.mcp.overrides import Override
from wavegraph.graph.state import Effect


@dataclass(frozen=True, kw_only=True)
class Nature:
    """How the engine treats a tool."""

    effect: Effect
    approve: bool | str
    """Whether a person is asked before it runs; a text = how the call is told then."""
    repeatable: bool
    """Whether a write does no more when it is sent twice."""


def nature(annotations: Any, said: Override) -> Nature:
    """`annotations`: the server's; None = it gives none, and by the protocol's defaults the tool writes and may destroy."""
    reads = _hint(annotations, "read_only_hint") is True
    effect = said.effect or ("read" if reads else "write")
    destroys = effect == "write" and _hint(annotations, "destructive_hint") is not False
    idempotent = effect == "write" and not reads and _hint(annotations, "idempotent_hint") is True
    return Nature(
        effect=effect,
        approve=(said.approve if said.approve is not None else destroys) if effect == "write" else False,
        repeatable=idempotent if said.repeatable is None else said.repeatable and effect == "write",
    )


def _hint(annotations: Any, name: str) -> bool | None:
    return getattr(annotations, name, None)
