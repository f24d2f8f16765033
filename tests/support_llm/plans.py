"""Plans and verdicts of a scripted model, and a way to run one request."""

import asyncio
from collections.abc import Mapping
from typing import Any

from endpoint import Turn, judges
from patience import HANGS_S
from runs import Run, arun, finished


def call(call_id: str, tool: str, /, *, each: Any = None, instead_of: str | None = None, **args: Any) -> dict[str, Any]:
    return {"id": call_id, "tool": tool, "args": args, "each": each, "instead_of": instead_of}


def beds(call_id: str, night: Any, *, guests: Any = None, instead_of: str | None = None) -> dict[str, Any]:
    return call(call_id, "get_beds", instead_of=instead_of, night=night, guests=guests)


def plan(*calls: Mapping[str, Any], reply: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "reasoning": "as asked",
        "action": "look_up",
        "status": "done",
        "tools": list(calls),
        "reply": reply,
        **more,
    }


def verdict(
    reasoning: str = "as it should be", by: str | None = None, about: str | None = None, **gaps: str
) -> dict[str, Any]:
    """A judge's; `gaps` by criterion, each mended by that and about these words."""
    found = [{"criterion": name, "gap": gap, "by": by, "about": about} for name, gap in gaps.items()]
    return {"reasoning": reasoning, "gaps": found}


def judged(**given: Any) -> Turn:
    """The judge's turn: such a verdict."""
    return judges(verdict(**given))


async def aask(graph: Any, text: str, config: Any = None, watched: bool = True, /, **context: Any) -> Run:
    async with asyncio.timeout(HANGS_S):
        return await arun(graph, text, config, watched, context=context or None)


def ask(graph: Any, text: str, config: Any = None, watched: bool = True, /, **context: Any) -> Run:
    return finished(aask(graph, text, config, watched, **context))
