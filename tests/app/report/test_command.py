"""`wavegraph report` over a few hundred recorded requests: the hotel really run, and variations of its records."""

import asyncio
import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from recorded import FAILING, TEXTS, record, store, varied
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.report.stored import stored_requests
from wavegraph.app.storage.open import open_storage

pytestmark = pytest.mark.xdist_group("report")  # one worker makes the requests for all

MADE, STOPPED = 280, 2
LAST = datetime(2026, 11, 20, 18, tzinfo=UTC)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    path = str(folder / "test.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WAVEGRAPH_ANSWER_CHECK", "rules")
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "WAVEGRAPH_MODEL"):
            patch.delenv(name, raising=False)
        asyncio.run(record(path, folder, rounds=1, stopped=STOPPED))
    real = [json.loads(value) for _, value in _rows(path)]
    asyncio.run(store(path, *((f"v.{n // 3}", value) for n, value in enumerate(varied(real, MADE, LAST)))))
    return path


def _rows(database: str) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(database)) as opened:
        found = opened.execute("SELECT prefix, value FROM store WHERE prefix LIKE 'wavegraph.requests.%'").fetchall()
    return [(prefix, value) for prefix, value in found]


def report_output(*words: str, database: str) -> str:
    done = CliRunner().invoke(app, ["report", "--db", database, *words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def figures(database: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report_output("--json", database=database))
    return found


@pytest.fixture(scope="module")
def records(database: str) -> list[dict[str, Any]]:
    """As the database holds them, read without the program."""
    return [json.loads(value) for _, value in _rows(database)]


def part(figures: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in figures["rows"] if row["part"] == name}


def test_every_request_that_ended_is_in_it(
    figures: dict[str, Any], records: list[dict[str, Any]], database: str
) -> None:
    assert figures["requests"] == len(records) == len(TEXTS) + len(FAILING) + MADE
    assert figures["threads"] == len({prefix for prefix, _ in _rows(database)})
    outcomes = {name: row["n"] for name, row in part(figures, "outcome").items()}
    assert outcomes == Counter(one["outcome"] for one in records)
    assert {"answered", "partial", "clarify", "refused", "failed"} <= set(outcomes)
    assert {name: row["n"] for name, row in part(figures, "open").items()} == {"cancelled": STOPPED}


def test_sums_are_those_of_the_records(figures: dict[str, Any], records: list[dict[str, Any]]) -> None:
    planners = part(figures, "planner")
    every = planners.pop("all")["counts"]
    assert every["model_calls"] == sum(one["llm_calls"] for one in records) > 300
    assert every["tokens_in"] == sum(one["llm_tokens"]["input"] for one in records)
    assert sum(planner["counts"]["tokens_out"] for planner in planners.values()) == every["tokens_out"]
    assert sum(row["n"] for row in part(figures, "issue").values()) == sum(len(one["issues"]) for one in records) > 50
    assert part(figures, "attempt")["plan adapted"]["n"] == sum(bool(one["adaptations"]) for one in records) > 10
    limits = Counter(limit for one in records for limit in set(one["limits_hit"]))
    assert {name: row["n"] for name, row in part(figures, "limit").items()} == limits
    failures = Counter(failure["criterion"] for one in records for failure in one["answer_failures"])
    assert {name: row["n"] for name, row in part(figures, "criterion").items()} == failures
    assert set(failures) == {"completeness", "accuracy", "alternatives", "clarity"}
    times = [call["elapsed_s"] for one in records for call in one["calls"] if call["runs"]]
    tools = part(figures, "tool").values()
    assert sum(tool["n"] for tool in tools) == len(times)
    assert max(tool["seconds"]["max_s"] for tool in tools) == max(times)
    assert sum(tool["counts"]["timeouts"] for tool in tools) >= 1


def test_time_goes_to_the_nodes_of_the_graph(figures: dict[str, Any]) -> None:
    nodes = {name: row["n"] for name, row in part(figures, "node").items()}
    assert set(nodes) == {"plan", "execute_wave", "validate", "respond", "check_answer"}
    assert nodes["check_answer"] >= figures["requests"]


def test_the_terminal_shows_every_row_in_one_table(figures: dict[str, Any], database: str) -> None:
    heading, columns, *printed = report_output(database=database).splitlines()
    lines = [" ".join(line.split()) for line in printed]

    assert heading.startswith(f"{len(TEXTS) + len(FAILING) + MADE} requests on ")
    assert columns.split()[:7] == ["part", "name", "n", "share", "median", "95%", "longest"]
    for row in figures["rows"]:
        begins = f"{row['part']} {row['name'].replace('_', ' ')} {row['n']:,} "
        assert any(line.startswith(begins) for line in lines), begins
    (verdict,) = [line for line in lines if line.startswith("verdict bad ")]
    assert part(figures, "verdict")["bad"]["examples"][0].split()[0] in verdict


def test_since_takes_the_days_from_then_on(
    figures: dict[str, Any], records: list[dict[str, Any]], database: str
) -> None:
    days = sorted(one["ended_at"][:10] for one in records)
    day = days[len(days) // 2]
    some = json.loads(report_output("--json", "--since", day, database=database))
    assert some["since"] == day
    assert some["requests"] == sum(each >= day for each in days) < figures["requests"]


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "2026-02-30", "20261120", "2026-11-20T10:00", "5", ""])
def test_a_day_that_is_none_is_refused(day: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["report", "--db", str(tmp_path / "x.db"), "--since", day])
    assert done.exit_code == 2
    assert "is not a date" in done.stderr
    assert "YYYY-MM-DD" in done.stderr


def test_an_empty_database_says_how_to_fill_it(tmp_path: Path) -> None:
    database = str(tmp_path / "empty.db")
    printed = report_output("--since", "2026-11-01", database=database)
    assert printed.startswith("no request is recorded in this database since 2026-11-01;")
    assert "wavegraph ask" in printed
    assert report_output(database=database).startswith("no request is recorded in this database;")
    assert json.loads(report_output("--json", database=database))["requests"] == 0


async def test_records_of_all_threads_are_read_page_by_page(tmp_path: Path) -> None:
    database = str(tmp_path / "x.db")
    east = timezone(timedelta(hours=3))
    await store(
        database,
        *(
            (f"desk.{n} 50%", {"ended_at": f"2026-11-{n + 1:02}T12:00:00.000+00:00", "answer": "long"})
            for n in range(5)
        ),
        ("east", {"ended_at": datetime(2026, 11, 20, 1, tzinfo=east).isoformat()}),
        ("old", {"outcome": "answered"}),
    )
    async with open_storage(database) as storage:
        await storage.store.aput(("wavegraph", "threads"), "t", {"outcome": "answered"})
        found = {one.thread_id: one for one in await stored_requests(storage.store, page=2)}
    assert sorted(found) == [*(f"desk.{n} 50%" for n in range(5)), "east", "old"]
    assert found["desk.3 50%"].ended == datetime(2026, 11, 4, 12, tzinfo=UTC)
    assert found["east"].ended.date().isoformat() == "2026-11-19"  # in UTC it was still the day before
    assert abs(found["old"].ended - datetime.now(UTC)) < timedelta(minutes=1)
    assert "answer" not in found["desk.3 50%"].record
