"""The failures in stored requests, by kind."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from wavegraph.app.report.summary import StoredRequest
from wavegraph.graph.domain import Domain
from wavegraph.graph.model.judge import ACCURACY
from wavegraph.graph.model.lessons import Reader

STRUCK, BAD_VERDICT, BROKEN_PLAN = "struck claims", "bad verdict", "broken plan"


def digest(*texts: str) -> str:
    """The same for the same texts, on any machine."""
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:32]


class Fault(NamedTuple):
    """One thing that failed in a request."""

    kind: str
    reader: Reader
    """Who most likely could have done better."""
    text: str
    """What was wrong, as it was recorded: it may quote anybody."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A fault with its request."""

    stored: StoredRequest
    text: str

    @property
    def request(self) -> str:
        return str((self.stored.record.get("request") or {}).get("text", ""))

    @property
    def place(self) -> tuple[str, str]:
        """Its thread, and the id of its message."""
        return self.stored.thread_id, str((self.stored.record.get("request") or {}).get("id", ""))

    @property
    def key(self) -> str:
        """Says of two requests whether they are one, and of none whose it is."""
        return digest(*self.place)[:16]


@dataclass(frozen=True, kw_only=True)
class FailureGroup:
    """Failures of one kind, the latest first."""

    kind: str
    reader: Reader
    failures: Sequence[Failure]

    @property
    def requests(self) -> list[Failure]:
        """One failure of each request."""
        return list({failure.place: failure for failure in reversed(self.failures)}.values())[::-1]


@dataclass(frozen=True, kw_only=True)
class Failures:
    """What the stored requests of one agent tell."""

    requests: Sequence[StoredRequest]
    """All of the agent's."""
    unknown: int
    """Requests of older versions, which may be this agent's or another's."""
    groups: Sequence[FailureGroup]
    """The largest first."""


def faults_in(record: Mapping[str, Any]) -> Iterator[Fault]:
    """What failed in a request. Older versions recorded less: any field may be missing."""
    for failure in record.get("answer_failures") or ():
        by_rules = failure["criterion"] == ACCURACY and failure.get("checked_by") == "rules"
        yield Fault(STRUCK if by_rules else f"criterion {failure['criterion']}", "writer", failure.get("gap") or "")
    for claims in (record.get("unsupported"), record.get("struck")):
        if claims:
            yield Fault(STRUCK, "writer", ", ".join(map(str, claims)))
    # Older versions recorded only a plan that broke twice, among the issues.
    for issue in record.get("broken_plans") or record.get("issues") or ():
        if issue["type"] == "broken_plan":
            yield Fault(f"{BROKEN_PLAN} {issue.get('rule') or ''}".strip(), "planner", issue.get("message") or "")
    feedback = record.get("feedback") or {}
    if feedback.get("verdict") == "bad":
        yield Fault(BAD_VERDICT, "writer", feedback.get("why") or "")


def failures_of(stored: Iterable[StoredRequest], domain: Domain, since: date | None = None) -> Failures:
    """Those of the agent's requests that ended on the day `since` (UTC) or later."""
    own: list[StoredRequest] = []
    unknown = 0
    for each in stored:
        if since is None or each.ended.date() >= since:
            of_domain = is_of(each.record, domain)
            unknown += of_domain is None
            own += [each] if of_domain else []
    own.sort(key=lambda each: each.ended, reverse=True)
    return Failures(requests=own, unknown=unknown, groups=_grouped(own))


def is_of(record: Mapping[str, Any], domain: Domain) -> bool | None:
    """Whether it is a request to this agent; None = it does not say. An older record is told by the tools that ran."""
    if name := record.get("domain"):
        return bool(name == domain.name)
    tools = {call["tool"] for call in record.get("calls") or ()}
    return tools <= domain.registry.keys() if tools else None


def _grouped(stored: Iterable[StoredRequest]) -> list[FailureGroup]:
    found: dict[tuple[str, Reader], list[Failure]] = {}
    for each in stored:
        for fault in faults_in(each.record):
            found.setdefault(fault[:2], []).append(Failure(stored=each, text=fault.text))
    groups = [FailureGroup(kind=kind, reader=reader, failures=each) for (kind, reader), each in found.items()]
    return sorted(groups, key=lambda group: (-len(group.requests), group.kind))
