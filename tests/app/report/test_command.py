"""`wavegraph report` over a few hundred recorded requests: the hotel really run, and variations of its records."""

import asyncio
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from pages import Page
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


@pytest.fixture(scope="module")
def html(database: str, tmp_path_factory: pytest.TempPathFactory) -> Page:
    file = tmp_path_factory.mktemp("page") / "report.html"
    assert report_output("--html", str(file), database=database) == ""
    return Page(file.read_text(encoding="utf-8"))


def test_every_request_that_ended_is_in_it(
    figures: dict[str, Any], records: list[dict[str, Any]], database: str
) -> None:
    assert figures["requests"] == len(records) == len(TEXTS) + len(FAILING) + MADE
    assert figures["threads"] == len({prefix for prefix, _ in _rows(database)})
    outcomes = {part["name"]: part["n"] for part in figures["outcomes"]}
    assert outcomes == Counter(one["outcome"] for one in records)
    assert {"answered", "partial", "clarify", "refused", "failed"} <= set(outcomes)
    assert figures["unfinished"] == [{"name": "cancelled", "n": STOPPED}]
    assert sum(period["n"] for period in figures["over_time"]["periods"]) == figures["requests"]


def test_sums_are_those_of_the_records(figures: dict[str, Any], records: list[dict[str, Any]]) -> None:
    assert figures["cost"]["calls"] == sum(one["llm_calls"] for one in records) > 300
    assert figures["cost"]["tokens_in"] == sum(one["llm_tokens"]["input"] for one in records)
    assert sum(planner["cost"]["tokens_out"] for planner in figures["planners"]) == figures["cost"]["tokens_out"]
    assert sum(kind["n"] for kind in figures["issues"]) == sum(len(one["issues"]) for one in records) > 50
    assert figures["adapted"]["requests"] == sum(bool(one["adaptations"]) for one in records) > 10
    limits = Counter(limit for one in records for limit in set(one["limits_hit"]))
    assert {part["name"]: part["n"] for part in figures["limits"]} == limits
    failures = Counter(failure["criterion"] for one in records for failure in one["answer_failures"])
    assert {one["name"]: one["n"] for one in figures["criteria"]} == failures
    assert set(failures) == {"completeness", "accuracy", "alternatives", "clarity"}
    times = [call["elapsed_s"] for one in records for call in one["calls"] if call["runs"]]
    assert sum(tool["seconds"]["n"] for tool in figures["tools"]) == len(times)
    assert max(tool["seconds"]["max_s"] for tool in figures["tools"]) == max(times)
    assert sum(tool["timeouts"] for tool in figures["tools"]) >= 1


def test_time_goes_to_the_nodes_of_the_graph(figures: dict[str, Any]) -> None:
    nodes = {node["node"]: node["seconds"]["n"] for node in figures["nodes"]}
    assert set(nodes) == {"plan", "execute_wave", "validate", "respond", "check_answer"}
    assert nodes["check_answer"] >= figures["requests"]


def figure(text: str) -> float | None:
    """The number that a cell shows, in requests, shares of one, or seconds."""
    if text == "–":
        return None
    if text.endswith("%"):
        return float(text[:-1]) / 100
    if minutes := re.fullmatch(r"(\d+) min (\d\d) s", text):
        return 60 * int(minutes[1]) + int(minutes[2])
    if hours := re.fullmatch(r"(\d+) h (\d\d) min", text):
        return 3600 * int(hours[1]) + 60 * int(hours[2])
    number, _, unit = text.replace(",", "").replace("< ", "").partition(" ")
    return float(number) / (1000 if unit == "ms" else 1)


def same(cells: list[str], values: list[float | None]) -> bool:
    """Whether a page's cells show these values, to the last place they show."""
    assert len(cells) == len(values)
    for cell, value in zip(cells, values, strict=True):
        if value is None or cell == "–":
            return value is None and cell == "–"
        exact = "%" not in cell and "s" not in cell and "." not in cell and value == int(value)
        room = (
            0.0
            if exact
            else 30
            if " h " in cell
            else 0.5
            if " min " in cell
            else 0.5
            if value > 60
            else 0.00051
            if "m" in cell or "%" in cell
            else 0.051
        )
        if abs((figure(cell) or 0) - value) > room:
            return False
    return True


def spread(times: Mapping[str, Any]) -> list[float | None]:
    return [times["median_s"], times["p95_s"], times["max_s"]]


def test_the_page_shows_the_figures(html: Page, figures: dict[str, Any]) -> None:
    found = html.tables
    cost, tried = figures["cost"], [figures[name] for name in ("adapted", "replanned", "rewritten")]
    planners = [*figures["planners"], {"planner": "all", "cost": cost, "seconds": figures["seconds"]}]
    expected: dict[str, list[tuple[list[str], list[float | None]]]] = {
        "outcomes": [([o["name"]], [o["n"], o["share"]]) for o in figures["outcomes"]],
        "limits": [([o["name"].replace("_", " ")], [o["n"], o["share"]]) for o in figures["limits"]],
        "unfinished": [([o["name"]], [o["n"]]) for o in figures["unfinished"]],
        "issues": [([k["type"].replace("_", " "), k["tool"]], [k["n"], k["requests"]]) for k in figures["issues"]],
        "checks": [
            ([c["name"]], [c["n"], c["satisfied"] if c["share"] is not None else None, c["share"]]) for c in figures["checks"]
        ],
        "criteria": [([c["name"]], [c["n"], c["requests"], c["mended"], c["share_mended"]]) for c in figures["criteria"]],
        "tools": [
            ([t["tool"]], [t["seconds"]["n"], *spread(t["seconds"]), t["errors"], t["timeouts"], t["retried"]])
            for t in figures["tools"]
        ],
        "nodes": [
            ([n["node"]], [n["seconds"]["n"], *spread(n["seconds"]), n["seconds"]["total_s"], n["share"]])
            for n in figures["nodes"]
        ],
        "planners": [
            ([p["planner"]], [p["cost"][name] for name in
             ("requests", "calls", "tokens_in", "tokens_out", "calls_each", "tokens_each")] + spread(p["seconds"])[:2])
            for p in planners
        ],
    }  # fmt: skip
    for key, rows in expected.items():
        assert len(found[key]) == len(rows), key
        for cells, (names, values) in zip(found[key], rows, strict=True):
            assert cells[: len(names)] == names
            assert same(cells[len(names) :], values), (key, cells, values)
    attempts = [[t["requests"], t["times"], t["succeeded"], t["share"]] for t in tried]
    assert all(same(cells[1:5], values) for cells, values in zip(found["second_attempts"], attempts, strict=True))
    persons = figures["persons"]
    assert [cells[1] for cells in found["persons"]] == [str(persons["good"]), str(persons["bad"])]
    periods = figures["over_time"]["periods"]
    assert [cells[:2] for cells in found["over_time"]] == [[period["start"], str(period["n"])] for period in periods]
    assert set(found) == {*expected, "second_attempts", "persons", "over_time", "rules", "failures", "reasons"}


def test_the_page_tells_the_examples(html: Page, figures: dict[str, Any]) -> None:
    examples = [
        [one["name"], shown_["request"], shown_["gap"], str(shown_["attempt"]), shown_["checked_by"]]
        for one in figures["criteria"]
        for shown_ in one["examples"]
    ]
    assert html.tables["failures"] == examples
    rules = [(rule["rule"], rule["n"], rule["examples"][0]) for kind in figures["issues"] for rule in kind["rules"]]
    assert [(row[0], row[2], row[3]) for row in html.tables["rules"]] == [
        (rule.replace("_", " "), str(n), example) for rule, n, example in rules
    ]
    assert html.tables["reasons"] == [[s["verdict"], s["why"], s["request"]] for s in figures["persons"]["reasons"]]


def test_the_terminal_shows_the_same_tables(html: Page, database: str) -> None:
    printed = report_output(database=database)
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert lines[0].startswith(f"{len(TEXTS) + len(FAILING) + MADE} requests on ")
    for key in ("outcomes", "limits", "issues", "checks", "criteria", "tools", "nodes", "planners", "persons"):
        for cells in html.tables[key]:
            assert " ".join(cells) in lines, (key, cells)
    assert "second attempts" in printed.lower()


def test_since_takes_the_days_from_then_on(figures: dict[str, Any], database: str) -> None:
    periods = figures["over_time"]["periods"]
    day = periods[len(periods) // 2]["start"]
    some = json.loads(report_output("--json", "--since", day, database=database))
    assert some["since"] == day
    assert some["requests"] == sum(period["n"] for period in periods if period["start"] >= day) < figures["requests"]


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
    assert report_output("--html", str(tmp_path / "r.html"), database=database) == ""
    assert "No request is recorded" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["report", "--db", str(tmp_path / "x.db"), "--html", str(tmp_path / "no" / "r.html")]
    )
    assert done.exit_code == 2
    assert done.stderr == f"wavegraph: cannot write '{tmp_path / 'no' / 'r.html'}': No such file or directory\n"


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
