"""What to watch, in Prometheus' text format: the requests of the last hour and what waits, from what is stored.

Each is a gauge over the same hour on every process of a cluster, so that one of them is scraped, and no process keeps counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from langgraph.store.base import BaseStore
from langgraph_sdk.client import LangGraphClient
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from wavegraph.app.serving.api_page import described
from wavegraph.app.serving.own_server import own_client, own_store
from wavegraph.app.serving.staff import is_staff
from wavegraph.graph.request.records import REQUESTS

WINDOW = timedelta(hours=1)
MOST = 2000
"""Records read for one reply."""
MOST_WAITING = 1000
"""Threads counted: a server gives no more at once."""
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[tuple[str, str], ...]
Samples = Mapping[Labels, float]


def metrics_routes() -> list[Route]:
    return [
        described(
            "/wavegraph/metrics",
            metrics,
            "Figures to watch",
            "The requests of the last hour by outcome, their calls and tokens, and what waits for a person, in Prometheus' "
            f"text format. Of at most {MOST:,} requests, the newest where the server's store gives those first. For staff.",
            tag="Metrics",
            replies={200: "Prometheus' text format", 403: "The caller is not staff"},
        )
    ]


async def metrics(request: Request) -> Response:
    if not is_staff(request):
        return JSONResponse({"detail": "metrics are for staff"}, 403)
    async with own_client(request) as client:
        records = await _records(own_store(request, client))
        waiting = await _waiting(client)
    lasts = [each for each in records if _is_recent(each, datetime.now(UTC))]
    text = "".join(chain.from_iterable(_family(*each) for each in families(lasts, waiting, len(records) >= MOST)))
    return PlainTextResponse(text, headers={"content-type": CONTENT_TYPE})


async def _records(store: BaseStore) -> list[Mapping[str, Any]]:
    return [item.value for item in await store.asearch(REQUESTS, limit=MOST)]


async def _waiting(client: LangGraphClient) -> int:
    """Threads that ask somebody. A row that does not show its questions is one that asks: those stopped are idle there."""
    rows: Sequence[Any] = await client.threads.search(status="interrupted", limit=MOST_WAITING)
    return sum("interrupts" not in row or bool(row["interrupts"]) for row in rows)


def _is_recent(record: Mapping[str, Any], now: datetime) -> bool:
    try:
        return now - datetime.fromisoformat(record["ended_at"]) <= WINDOW
    except (KeyError, TypeError, ValueError):  # of an older version, or of another's hand
        return False


def families(records: Sequence[Mapping[str, Any]], waiting: int, has_more: bool) -> Iterable[tuple[str, str, Samples]]:
    """Each metric: its name, what it is, its samples."""
    calls = [(each, record) for record in records for each in record.get("calls") or []]
    yield (
        "requests",
        "Requests that ended in the last hour.",
        _sums((_of(domain=record.get("domain"), outcome=record.get("outcome")), 1) for record in records),
    )
    yield (
        "calls",
        "Tool calls of these requests.",
        _sums(((_of(tool=call.get("tool"), status=call.get("status")), 1) for call, _ in calls)),
    )
    yield (
        "call_seconds",
        "Seconds in these calls; a solver's are those of its tool.",
        _sums(((_of(tool=call.get("tool")), call.get("elapsed_s") or 0) for call, _ in calls)),
    )
    yield (
        "model_calls",
        "Calls of a language model for these requests.",
        _total(record.get("llm_calls") or 0 for record in records),
    )
    yield (
        "tokens",
        "Tokens of these requests.",
        _sums(
            (_of(direction=name), (record.get("llm_tokens") or {}).get(name) or 0)
            for record in records
            for name in ("input", "output")
        ),
    )
    yield (
        "request_seconds",
        "Active seconds of these requests; waiting for a person does not count.",
        _total(record.get("elapsed_s") or 0 for record in records),
    )
    yield "approvals_waiting", "Conversations in which somebody is asked, now.", _total([waiting])
    yield "truncated", f"1 where more than {MOST} requests are stored: the hour may be incomplete.", _total([has_more])


def _of(**labels: Any) -> Labels:
    return tuple((name, str(value or "")) for name, value in labels.items())


def _sums(given: Iterable[tuple[Labels, float]]) -> Samples:
    found: defaultdict[Labels, float] = defaultdict(float)
    for labels, value in given:
        found[labels] += value
    return found


def _total(values: Iterable[float]) -> Samples:
    return {(): sum(values)}


def _family(name: str, told: str, samples: Samples) -> Iterable[str]:
    yield f"# HELP wavegraph_{name} {told}\n# TYPE wavegraph_{name} gauge\n"
    for labels, value in sorted(samples.items()):
        shown = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
        yield f"wavegraph_{name}{{{shown}}} {value:.12g}\n" if shown else f"wavegraph_{name} {value:.12g}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
