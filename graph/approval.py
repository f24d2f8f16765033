"""Writes that a person agrees to first: what they are shown, what they answer, and to what exactly they agreed."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from wavegraph.graph.ledger import canonical

MOST_ASKED = 3
"""How often one call may be asked about again in a request because its terms moved."""


class Terms(TypedDict):
    """What a person agrees to."""

    details: dict[str, Any]
    """Everything that counts, as JSON: who, what, when, for how much. Nothing that moves by itself, such as a clock."""
    valid_until: str | None
    """Until when the terms are kept for this call (ISO, UTC); None = nothing is kept."""


class Asked(TypedDict):
    """One call a person is asked about, as the state keeps it."""

    call: str
    tool: str
    args: dict[str, Any]
    terms: Terms
    terms_hash: str
    number: int
    """How often this call has been asked about, from 1."""
    decision: Literal["approve", "reject"] | None
    reason: str


@with_config(ConfigDict(extra="forbid"))
class Answer(TypedDict):
    """What a person answers: the schema of the interrupt's reply.

    `approve` holds for the terms whose hash it names; `edit` gives other arguments, about which is asked again.
    """

    decision: Literal["approve", "reject", "edit"]
    terms_hash: NotRequired[str]
    """Of the terms that were shown; needed to approve."""
    reason: NotRequired[str]
    """Why it is rejected, for the answer."""
    args: NotRequired[dict[str, Any]]
    """For `edit`: the arguments to change, by name."""


async def _nothing(args: Mapping[str, Any], settings: Any) -> None:
    return None


def _asker(settings: Any) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Approval:
    """How one write is put before a person."""

    prepare: Callable[[Mapping[str, Any], Any], Awaitable[Terms]]
    """`(args, settings) -> terms`: checks all of it again and keeps it for a while. Runs before each question and again
    before the write, so it must be idempotent. Raises ToolRefusal where the write is not possible."""
    restate: Callable[[Mapping[str, Any], str], str]
    """`(details, language) -> text`: the terms in words, without the question."""
    release: Callable[[Mapping[str, Any], Any], Awaitable[None]] = _nothing
    """`(args, settings)`: lets go of what `prepare` keeps; also called when nothing is kept."""
    by_asker: Callable[[Any], bool] = _asker
    """`(settings) -> bool`: whether who asks also agrees, in the conversation; else somebody else does."""


def hash_of(tool: str, args: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    """Of everything a person agrees to: the tool, its resolved arguments, the terms."""
    text = canonical({"tool": tool, "args": args, "details": details})
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
