"""Errors, sorted by who can act on them.

WavegraphError
├── SettingsError        an unusable setting or domain: stops the start-up, for the developer
├── PlanError            a plan that cannot run: goes back to the planner, with its reasons
├── ReplyRefused         a form of a reply that the request does not bear out: goes back to the planner
├── ToolRefusal          a tool's domain says no: data for the planner and the answer, never a crash
├── ConnectionLost       a tool whose connection broke: a read is tried again, a write may or may not have happened
├── CutShort             a long tool that was stopped, with its best result so far
├── ModelUnavailable     a language model that stays down: the rules take over
│   └── UnusableAnswer   it answered, but with nothing that can be used
│   └── CapReached       what models may spend is spent
├── ThreadBusy           another request is at work on the thread
└── StorageError         a database that cannot be used

A domain's own errors, those of MCP servers and those of the ways in derive from WavegraphError too, and live with what they
are about.
"""

import logging
import re
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavegraph.graph.secrets.scrubber import MARK, process

if TYPE_CHECKING:
    from pydantic import ValidationError

logger = logging.getLogger("wavegraph")
"""Of all that the engine has to say to who runs it."""


class WavegraphError(Exception):
    """Base of everything this package raises on purpose."""


class SettingsError(WavegraphError, RuntimeError):
    """A missing, unknown or out-of-range setting. The message names the value and how to fix it.

    Also a RuntimeError: the LangGraph server hides every error that is not a builtin behind "An internal error
    occurred". (ValueError would do, but pydantic wraps one that a validator raises.)
    """


class PlanError(WavegraphError):
    """A plan that must not run. `issues` holds the machine-readable reasons (`ValidationIssue` records)."""

    def __init__(self, issues: Sequence[Any]) -> None:
        super().__init__("; ".join(issue["message"] for issue in issues))
        self.issues = list(issues)


class ReplyRefused(WavegraphError):
    """A form of a reply that the request does not bear out. The message says what of it, for the planner."""


class ToolRefusal(WavegraphError):
    """A tool's own refusal, with a code from its domain.

    `message` is safe to show: it names values and what to do instead, and holds no secret.
    `retryable`: the same call may succeed on another try (reads only; see `execute_wave`).
    `limit`: the most that the tool would have accepted.
    `about`: JSON values of the message, for a domain that words its refusals in the person's language.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retryable: bool = False,
        limit: int | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.limit = limit
        self.about = about or {}


class ConnectionLost(WavegraphError):
    """Raised by a tool whose connection broke after the call may have been sent.

    A read is tried again. A write may or may not have happened: it is looked up where it can be, and else never sent
    again by itself. What libraries raise of the kind is known (`execution.lost`); this is for adapters with errors of
    their own. The message is for the log alone.
    """


class CutShort(WavegraphError):
    """Raised by a long read that was stopped, or ran out of time, with the best result it has.

    `data` is checked like any result. If the request goes on, it is a `partial` result. If the whole request is being
    stopped, it is reported as known so far, and a resume runs the call again: a tool that saved its work continues.
    """

    def __init__(self, data: Any) -> None:
        super().__init__("cut short")
        self.data = data


class ModelUnavailable(WavegraphError):
    """A language model that stays down or refuses its client: the rules take over, or the run fails by setting.

    The message names the kind of fault only: a provider's own text may quote a key.
    """


class UnusableAnswer(ModelUnavailable):
    """A language model answered, but what it wrote is of no use: it is empty, breaks off, repeats its instructions, or does not
    fit the form."""


class CapReached(ModelUnavailable):
    """No more may be spent on models, in this conversation or today; `limit` is the setting's name."""

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class ThreadBusy(WavegraphError):
    """Another request is at work on the thread, in this process or another; the message says where."""


class StorageError(WavegraphError):
    """A database that cannot be used. The message names the file or server, and how to fix it, but no password."""


_NAMED = re.compile(
    r"((?:passw(?:or)?d|pwd|passphrase|secret|api[_-]?key|[_-]token|authorization)[\"'`]?\s{0,3}[:=]\s{0,3}(?:(?:bearer|basic)\s)?"
    r"|[?&;\s(]token\s{0,3}=\s{0,3}|[?&]key=|\bbearer\s(?=\S*\d))"
    rf"(?!{re.escape(MARK)})('(?:[^'\\]|\\.|'')*'?|\"[^\"]*\"?|[^\s\"'`&;,)}}\]]+)",
    re.IGNORECASE,
)
"""What a text itself calls a secret, behind its name: `password=…`, `Authorization: Bearer …`, `?key=…`."""


def error_text(error: BaseException) -> str:
    """What an error says, without secrets: besides the doors the only place where that is read."""
    return process.scrub(str(error))


def told_error(error: BaseException) -> str:
    """What an error of somebody else's code says, also without what it calls a secret itself."""
    return _NAMED.sub(rf"\1{MARK}", error_text(error)).strip()


def explain(error: "ValidationError") -> str:
    """Pydantic's errors in one line: field, value, what was expected."""
    return "; ".join(
        f"{'.'.join(str(part) for part in e['loc']) or 'arguments'} = {short_repr(e['input'])}: "
        + e["msg"].removeprefix("Value error, ")
        for e in error.errors()
    )


def excerpt(text: str, most: int) -> str:
    """Its first characters, with a sign that there are more."""
    return text if len(text) <= most else f"{text[:most]}…"


def short_repr(value: Any, most: int = 200) -> str:
    """The value's repr, shortened to so many characters for a message: a whole result would fill prompts and logs."""
    return excerpt(process.scrub(repr(value)), most)  # scrubbed before it is cut: half a secret is harder to find


def kind_of_fault(error: BaseException) -> str:
    """What a log may say about an error: the text of our own; otherwise type and place, since the text may hold a key."""
    if isinstance(error, WavegraphError):
        return error_text(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def frames_of(error: BaseException) -> str:
    """The traceback without what the error says, which may hold a key."""
    return "".join(traceback.format_tb(error.__traceback__)).rstrip()
