"""Faults on demand: what a connection or a vendor does to a client sooner or later."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from minihotel_server.messages import Reply, escaped

RequestKind = Literal[
    "immediate", "bulk", "room_types", "rooms", "book", "modify", "cancel", "reservation_key", "unknown",
]  # fmt: skip

FaultKind = Literal[
    "drop_before",
    "drop_after",
    "late_before",
    "late_after",
    "unconfirmed_before",
    "unconfirmed_after",
    "html",
    "empty",
    "truncated",
    "oversized",
    "doctype",
    "escaped",
    "leading_space",
    "err",
    "content_err",
    "status",
    "echo",
]
"""Before and after: what was asked for. Late: only when `let_go`, so that a client gives up first. Echo: an error that
quotes the request, with the login in it."""

NOT_DONE: frozenset[FaultKind] = frozenset(
    {"drop_before", "late_before", "unconfirmed_before", "err", "content_err", "status", "echo"}
)
"""Faults that come instead of what was asked for, which does not happen."""
OVERSIZED = 16 * 1024 * 1024
PAGE = "<html><head><title>Maintenance</title></head><body><h1>We will be back soon &copy;</h1><br></body></html>"
DOCTYPE = '<!DOCTYPE AvailRaters [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'


@dataclass(frozen=True, slots=True)
class Fault:
    kind: FaultKind
    on: RequestKind | None = None
    """None = any request."""
    code: str = ""
    """Of `err` and `content_err`; the HTTP status of `status`."""
    times: int = 1
    after: RequestKind | None = None
    """Not before such a request came; None = at once."""


class Faults:
    """The faults still to come, in order; safe to use from several threads."""

    def __init__(self) -> None:
        self._planned: list[Fault] = []
        self._came = set[RequestKind]()
        self._lock = threading.Lock()
        self._go = threading.Event()

    def plan(self, fault: Fault) -> None:
        with self._lock:
            self._planned += [fault] * fault.times

    def next_for(self, kind: RequestKind) -> Fault | None:
        with self._lock:
            due = (each for each in self._planned if each.on in (None, kind) and each.after in (None, *self._came))
            found = next(due, None)
            self._came.add(kind)
            if found:
                self._planned.remove(found)
            return found

    def forget(self) -> None:
        with self._lock:
            self._planned.clear()
            self._came.clear()

    def let_go(self) -> None:
        """End the wait of every late answer, also of those to come."""
        self._go.set()

    def wait(self) -> None:
        self._go.wait()

    @contextmanager
    def only(self, *planned: Fault) -> Iterator[None]:
        """These faults inside the block, and none that it left over after it."""
        for fault in planned:
            self.plan(fault)
        try:
            yield
        finally:
            self.forget()


def spoiled(reply: Reply, kind: FaultKind) -> Reply:
    """The answer as the fault leaves it."""
    match kind:
        case "html":
            return Reply(PAGE, content_type="text/html; charset=utf-8")
        case "empty":
            return Reply("", content_type=reply.content_type)
        case "truncated":
            return Reply(reply.body[: len(reply.body) * 2 // 3], content_type=reply.content_type)
        case "oversized":
            return Reply(reply.body + "\n" + " " * OVERSIZED, content_type=reply.content_type)
        case "doctype":
            return Reply(reply.body.replace("?>\n", f"?>\n{DOCTYPE}", 1), content_type=reply.content_type)
        case "escaped":
            return escaped(reply)
        case "leading_space":
            return Reply(f" \n{reply.body}", content_type=reply.content_type)
    return reply
