"""The figures of a report, against small cases counted by hand."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from wavegraph.app.report.stored import StoredRequest
from wavegraph.app.report.summary import Report, Row, Spread, percentile, report_on, spread
from wavegraph.app.run.threads import ThreadRow

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BY_RULES = {"satisfied": True, "reasoning": "", "criteria": [], "checked_by": "rules"}


def stored(thread: str = "t", ended: datetime = NOON, **record: Any) -> StoredRequest:
    return StoredRequest(thread_id=thread, ended=ended, record=record)


def call(call_id: str, tool: str, elapsed_s: float, status: str = "ok", **more: Any) -> dict[str, Any]:
    return {"id": call_id, "tool": tool, "status": status, "error": None, "runs": 1, "attempts": 1,
            "elapsed_s": elapsed_s, **more}  # fmt: skip


def issue(tool_id: str, kind: str, rule: str, message: str) -> dict[str, Any]:
    return {"type": kind, "tool_id": tool_id, "message": message, "severity": "warning", "rule": rule}


def verdict(satisfied: bool, checked_by: str = "judge") -> dict[str, Any]:
    return {**BY_RULES, "satisfied": satisfied, "checked_by": checked_by}


def failure(attempt: int, criterion: str, gap: str) -> dict[str, Any]:
    return {"attempt": attempt, "criterion": criterion, "gap": gap, "checked_by": "judge"}


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([7.0], 50, 7.0),
        ([3.0, 1.0, 2.0], 50, 2.0),
        ([4.0, 1.0, 2.0, 3.0], 50, 2.0),  # half of them do not exceed it
        ([float(n) for n in range(1, 21)], 95, 19.0),
        ([float(n) for n in range(1, 22)], 95, 20.0),
        ([1.0, 2.0], 95, 2.0),
        ([1.0, 2.0], 0.1, 1.0),
        ([1.0, 2.0], 100, 2.0),
    ],
)
def test_percentiles_are_by_nearest_rank(values: list[float], percent: float, expected: float) -> None:
    assert percentile(values, percent) == expected


def part(report: Report, name: str) -> list[Row]:
    return [row for row in report.rows if row.part == name]


def test_of_nothing_no_figure_is_made_up() -> None:
    report = report_on([])
    assert (report.requests, report.threads, report.first, report.rows) == (0, 0, None, [])
    assert spread([]) is None


def test_outcomes_and_threads() -> None:
    report = report_on(
        [stored("a", outcome="answered", elapsed_s=1.0), stored("a", outcome="failed"), stored("b", outcome="answered"),
         stored("c", outcome="clarify")]
    )  # fmt: skip
    assert (report.requests, report.threads) == (4, 3)
    assert part(report, "outcome") == [
        Row("outcome", "answered", 2, 0.5, Spread(median_s=1.0, p95_s=1.0, max_s=1.0, total_s=1.0)),
        Row("outcome", "clarify", 1, 0.25),
        Row("outcome", "failed", 1, 0.25),
    ]


def test_issues_go_to_the_tools_of_their_calls() -> None:
    full, late = call("stay", "get_rooms", 0.1), call("stay_2", "get_rooms", 0.1)
    report = report_on(
        [
            stored(
                calls=[full, late, call("day", "get_day", 0.1)],
                issues=[
                    issue("stay", "no_availability", "sold_out", "full in May"),
                    issue("stay_2", "no_availability", "sold_out", "full in May"),
                    issue("day", "error", "tool_error", "broken"),
                ],
            ),
            stored(calls=[full], issues=[issue("stay", "no_availability", "sold_out", "full in June")]),
            stored(calls=[], issues=[issue("gone", "broken_plan", "unknown_tool", "no tool 'x'")]),
        ]
    )
    assert part(report, "issue") == [
        Row("issue", "get_rooms: sold_out", 3, counts={"requests": 2}, examples=["full in May", "full in June"]),
        Row("issue", "get_day: tool_error", 1, counts={"requests": 1}, examples=["broken"]),
        Row("issue", "none: unknown_tool", 1, counts={"requests": 1}, examples=["no tool 'x'"]),
    ]


def test_second_attempts_count_as_gone_well_by_how_the_request_ended() -> None:
    report = report_on(
        [
            stored(adaptations=1, open_issues=0, answer_replans=0, rewrites=0, answer_check=BY_RULES),
            stored(adaptations=2, open_issues=1, answer_replans=1, rewrites=0, answer_check=verdict(True)),
            stored(adaptations=1, answer_replans=1, rewrites=1, answer_check=verdict(False)),  # of an older version
            stored(adaptations=0, open_issues=3, answer_replans=1, answer_check=verdict(True, "unavailable")),
        ]
    )
    assert part(report, "attempt") == [
        Row("attempt", "plan adapted", 3, 0.5, counts={"times": 4}),
        Row("attempt", "answer to planning", 3, 0.5, counts={"times": 3}),
        Row("attempt", "answer rewritten", 1, 0.0, counts={"times": 1}),
    ]


def test_a_check_that_nobody_made_satisfies_nobody() -> None:
    checks = [
        verdict(True),
        verdict(True),
        verdict(False),
        verdict(True, "unavailable"),
        verdict(True, "off"),
        BY_RULES,
    ]
    report = report_on([stored(answer_check=check) for check in checks])
    assert {row.name: (row.n, row.share) for row in part(report, "check")} == {
        "judge": (3, 2 / 3),
        "off": (1, None),
        "rules": (1, 1.0),
        "unavailable": (1, None),
    }


def test_failed_criteria_have_their_latest_examples_once_each() -> None:
    def failed(hour: int, text: str, satisfied: bool, *failures: dict[str, Any]) -> StoredRequest:
        return stored(f"t{hour}", NOON + timedelta(hours=hour), request={"text": text}, answer_check=verdict(satisfied),
                      answer_failures=list(failures))  # fmt: skip

    no_price = failure(1, "completeness", "no price")
    completeness, clarity = part(
        report_on(
            [
                failed(0, "a double", True, no_price),
                failed(1, "a double", False, no_price, failure(2, "completeness", "no dates")),
                failed(2, "a suite", True, no_price, failure(1, "clarity", "too long")),
                failed(3, "x" * 500, True, no_price),
            ]
        ),
        "criterion",
    )
    assert (completeness.name, completeness.n, completeness.counts) == ("completeness", 5, {"requests": 4})
    assert completeness.share == 0.75
    assert completeness.examples[1:] == ["a suite – no price", "a double – no price"]
    assert len(completeness.examples[0]) == 200 + len(" – no price")
    assert (clarity.name, clarity.n, clarity.share) == ("clarity", 1, 1.0)


def test_tools_are_timed_by_the_calls_that_ran_to_an_end() -> None:
    report = report_on(
        [
            stored(calls=[call(f"c{n}", "look", n / 10) for n in range(1, 5)]),
            stored(calls=[
                call("late", "look", 9.0, "timeout", attempts=2),
                call("bad", "look", 0.5, "error", runs=2),
                call("known", "look", 0.0, runs=0),
                call("left", "look", 0.0, "skipped", runs=0),
                call("stopped", "look", 3.0, "cancelled"),
                call("rare", "weigh", 0.2),
            ]),
        ]
    )  # fmt: skip
    look, weigh = part(report, "tool")
    assert (look.name, look.n, look.counts) == ("look", 6, {"errors": 1, "timeouts": 1, "retried": 2})
    assert look.seconds == Spread(median_s=0.3, p95_s=9.0, max_s=9.0, total_s=10.5)
    assert (weigh.name, weigh.seconds) == ("weigh", Spread(median_s=0.2, p95_s=0.2, max_s=0.2, total_s=0.2))


def test_time_is_divided_among_the_nodes() -> None:
    report = report_on(
        [
            stored(times={"plan_1": 1.0, "execute_wave_1": 2.0, "execute_wave_12": 1.0}),
            stored(times={"plan_1": 0.5, "check_answer_1": 0.3, "check_answer_last": 0.2}),
            stored(),
        ]
    )
    assert [(row.name, row.n, row.seconds and row.seconds.total_s, row.share) for row in part(report, "node")] == [
        ("execute_wave", 2, 3.0, 0.6),
        ("plan", 2, 1.5, 0.3),
        ("check_answer", 2, 0.5, 0.1),
    ]


def test_cost_in_all_and_by_planner() -> None:
    by_model, by_rules, every = part(
        report_on(
            [
                stored(planner="llm", llm_calls=3, llm_tokens={"input": 900, "output": 100}, elapsed_s=2.0),
                stored(planner="llm", llm_calls=2, llm_tokens={"input": 500, "output": 100}, elapsed_s=4.0),
                stored(planner="rules", llm_calls=0, llm_tokens={"input": 0, "output": 0}, elapsed_s=0.1),
                stored(planner="rules", elapsed_s=0.1),
            ]
        ),
        "planner",
    )
    assert (every.name, every.n, every.counts) == ("all", 4, {"model_calls": 5, "tokens_in": 1400, "tokens_out": 200})
    assert (by_model.name, by_model.share, by_model.counts["tokens_in"]) == ("llm", 0.5, 1400)
    assert by_model.seconds
    assert by_model.seconds.median_s == 2.0
    assert (by_rules.name, by_rules.counts["model_calls"]) == ("rules", 0)


def used(calls: int, tokens_in: int, tokens_out: int, **more: Any) -> dict[str, Any]:
    return {"calls": calls, "input": tokens_in, "output": tokens_out, "cached": 0, "reasoning": 0, **more}


def test_models_by_role_also_of_records_with_an_earlier_version_s_cost() -> None:
    planner, judge = "planner gpt 5", "validator small"
    first, second = part(
        report_on(
            [
                stored(
                    usage={judge: used(1, 50, 5), planner: used(2, 900, 100, cached=600, reasoning=40, cost="0.0025")}
                ),
                stored(usage={planner: used(1, 400, 50, cost="0.1")}),
                stored(usage={planner: used(1, 100, 10)}),
                stored(usage={}),
                stored(),
            ]
        ),
        "model",
    )
    assert (first.name, first.n) == ("planner gpt 5", 3)
    assert first.counts == {"calls": 4, "tokens_in": 1400, "cached": 600, "tokens_out": 160, "reasoning": 40}
    assert (second.name, second.counts["calls"]) == ("validator small", 1)


def test_a_limit_counts_once_a_request() -> None:
    hit = [["max_waves", "max_waves"], ["max_waves", "max_tool_calls"], [], []]
    assert part(report_on([stored(limits_hit=names) for names in hit]), "limit") == [
        Row("limit", "max_waves", 2, 0.5),
        Row("limit", "max_tool_calls", 1, 0.25),
    ]


def test_what_persons_said_with_the_latest_reasons() -> None:
    def judged(word: str, why: str, at: str) -> StoredRequest:
        return stored(request={"text": "a room"}, feedback={"verdict": word, "why": why, "given_at": at})

    found = report_on(
        [judged("good", "", "2026-11-01"), judged("bad", "wrong dates", "2026-11-02"), judged("good", "quick", "2026-11-03"),
         judged("good", "kind", "2026-11-02"), stored(feedback=None), stored()]
    )  # fmt: skip
    assert part(found, "verdict") == [
        Row("verdict", "good", 3, 0.75, examples=["quick – a room", "kind – a room"]),
        Row("verdict", "bad", 1, 0.25, examples=["wrong dates – a room"]),
    ]


def test_since_a_day_means_from_its_first_moment_in_utc() -> None:
    midnight = datetime(2026, 11, 20, tzinfo=UTC)
    around = [stored("before", midnight - timedelta(milliseconds=1)), stored("at", midnight), stored("later", NOON)]
    report = report_on(around, since=date(2026, 11, 20))
    assert (report.requests, report.since, report.first) == (2, "2026-11-20", "2026-11-20T00:00:00+00:00")
    assert report_on(around, since=date(2026, 11, 21)).requests == 0


def test_threads_that_did_not_end_are_told_apart() -> None:
    def row(outcome: str | None, can_resume: bool, updated: str = "2026-11-20T08:00:00.000+00:00") -> ThreadRow:
        return ThreadRow(
            thread_id="t", user_id=None, request="", outcome=outcome, can_resume=can_resume, updated=updated
        )

    rows = [row("answered", False), row("cancelled", True), row(None, True), row("awaiting_approval", True),
            row("cancelled", True, "2026-11-19T23:59:59.999+00:00")]  # fmt: skip
    assert report_on([], rows).rows[0] == Row("open", "cancelled", 2)
    assert report_on([], rows, date(2026, 11, 20)).rows == [
        Row("open", "awaiting_approval", 1),
        Row("open", "cancelled", 1),
        Row("open", "not ended", 1),
    ]


def test_the_record_of_an_older_version_counts_where_it_can() -> None:
    old = stored(
        request={"id": "1", "number": 1, "text": "a room", "language": "en"},
        outcome="partial", planner="rules", issues=[issue("stay", "error", "tool_error", "broken")], waves=1, adaptations=1,
        limits_hit=["max_waves"], times={"plan_1": 0.1}, elapsed_s=0.1, llm_calls=0, llm_tokens={"input": 0, "output": 0},
        answer_check={"satisfied": False, "reasoning": "", "checked_by": "rules", "criteria": [
            {"name": "dates", "verdict": "fail", "gap": "no weekday"}, {"name": "accuracy", "verdict": "pass", "gap": None}]},
    )  # fmt: skip
    report = report_on([old])
    assert [(row.name, row.n) for row in part(report, "issue")] == [("none: tool_error", 1)]
    assert part(report, "tool") == []
    assert [row.share for row in part(report, "attempt")] == [None]
    (dates,) = part(report, "criterion")
    assert (dates.name, dates.n, dates.share, dates.examples) == ("dates", 1, 0.0, ["a room – no weekday"])
    assert part(report_on([stored()]), "outcome") == [Row("outcome", "unknown", 1, 1.0)]
