"""The figures to watch: each is the sum of what the records of the last hour say, in a format that Prometheus reads."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient
from tables import table

from wavegraph.app.serving import metrics
from wavegraph.graph.request.records import records_of


def record(ended_at: str | None = None, **fields: Any) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return {"domain": "hotel", "outcome": "answered", "ended_at": ended_at or now, **fields}


def called(tool: str, status: str, elapsed_s: float) -> dict[str, Any]:
    return {"id": "c", "tool": tool, "status": status, "error": None, "runs": 1, "attempts": 1, "elapsed_s": elapsed_s}


def scraped(*records: dict[str, Any], waiting: list[Any] | None = None) -> str:
    """The reply of a server with these records, and these rows of threads that are interrupted."""
    store = InMemoryStore()
    for number, each in enumerate(records):
        store.put(records_of(f"t.{number}"), "r", each)

    async def search(request: Any) -> Any:
        from starlette.responses import JSONResponse

        return JSONResponse(waiting or [])

    app = Starlette(
        routes=[Route("/wavegraph/metrics", metrics.metrics), Route("/threads/search", search, methods=["POST"])]
    )
    app.state.own_store = lambda: store
    reply = TestClient(app).get("/wavegraph/metrics")
    assert reply.headers["content-type"] == metrics.CONTENT_TYPE
    return reply.text


def values(text: str) -> dict[str, float]:
    samples = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name.removeprefix("wavegraph_"): float(value) for name, value in samples}


def test_an_empty_server_has_every_figure_without_labels() -> None:
    assert values(scraped()) == {
        "model_calls": 0, "request_seconds": 0, "approvals_waiting": 0, "truncated": 0
    }  # fmt: skip


def test_figures_are_sums_over_the_records_of_the_last_hour() -> None:
    before = (datetime.now(UTC) - timedelta(minutes=61)).isoformat()
    found = values(
        scraped(
            record(llm_calls=2, llm_tokens={"input": 10, "output": 3}, elapsed_s=1.5, calls=[called("solve", "ok", 4)]),
            record(llm_calls=1, llm_tokens={"input": 5, "output": 1}, calls=[called("solve", "ok", 0.25)]),
            record(outcome="failed", domain="roster", calls=[called("book", "error", 1)]),
            record(before, llm_calls=100),
        )
    )

    assert found['requests{domain="hotel",outcome="answered"}'] == 2
    assert found['requests{domain="roster",outcome="failed"}'] == 1
    assert found['calls{tool="solve",status="ok"}'] == 2
    assert found['calls{tool="book",status="error"}'] == 1
    assert found['call_seconds{tool="solve"}'] == 4.25
    assert (found["model_calls"], found["request_seconds"]) == (3, 1.5)
    assert (found['tokens{direction="input"}'], found['tokens{direction="output"}']) == (15, 4)


@pytest.mark.parametrize(
    ("row", "counts"),
    [
        ({"thread_id": "a", "interrupts": {"t": [{"id": "1"}]}}, 1),
        ({"thread_id": "a", "interrupts": {}}, 0),
        ({"thread_id": "a"}, 1),
    ],
)
def test_what_waits_is_what_asks_somebody(row: dict[str, Any], counts: int) -> None:
    assert values(scraped(waiting=[row]))["approvals_waiting"] == counts


@table("broken", [{}, {"ended_at": None}, {"ended_at": "soon"}, {"ended_at": 7}, {"ended_at": "2026-01-01"}])
def test_a_record_of_another_s_hand_is_left_out(broken: dict[str, Any]) -> None:
    assert not any(name.startswith("requests") for name in values(scraped(broken)))


def test_a_label_may_hold_anything() -> None:
    text = scraped(record(domain='a"b\\c\nd'))
    assert 'wavegraph_requests{domain="a\\"b\\\\c\\nd",outcome="answered"} 1\n' in text


def test_a_scrape_reads_so_many_records_and_says_where_there_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MOST", 3)
    found = values(scraped(*[record() for _ in range(5)]))
    assert (found['requests{domain="hotel",outcome="answered"}'], found["truncated"]) == (3, 1)


def test_metrics_are_for_staff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGGRAPH_AUTH_TYPE", "custom")
    app = Starlette(routes=[Route("/wavegraph/metrics", metrics.metrics)])
    assert TestClient(app).get("/wavegraph/metrics").status_code == 403
