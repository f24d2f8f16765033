"""The figures of a report, against small cases counted by hand."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from wavegraph.app.report.figures import NamedCount, NamedShare, RuleCount
from wavegraph.app.report.summary import StoredRequest, percentile, report_on, spread
from wavegraph.app.report.tables import tables
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


def test_of_nothing_no_figure_is_made_up() -> None:
    report = report_on([])
    assert (report.requests, report.threads, report.outcomes, report.tools, report.first) == (0, 0, [], [], None)
    assert report.over_time.periods == []
    assert (report.verdicts.share, report.adapted.share, report.cost.calls_each, report.persons.share_good) == (
        None,
    ) * 4
    assert spread([]).median_s is None


def test_outcomes_and_threads() -> None:
    report = report_on(
        [stored("a", outcome="answered"), stored("a", outcome="failed"), stored("b", outcome="answered"),
         stored("c", outcome="clarify")]
    )  # fmt: skip
    assert (report.requests, report.threads) == (4, 3)
    assert report.outcomes == [
        NamedShare(name="answered", n=2, share=0.5),
        NamedShare(name="clarify", n=1, share=0.25),
        NamedShare(name="failed", n=1, share=0.25),
    ]


def test_issues_go_to_the_tools_of_their_calls() -> None:
    full, late = call("stay", "get_rooms", 0.1), call("stay_2", "get_rooms", 0.1)
    report = report_on(
        [
            stored(
                calls=[full, late, call("day", "get_day", 0.1)],
                issues=[
                    issue("stay", "no_availability", "sold_out", "full in May"),
                    issue("stay_2", "no_availability", "min_stay", "3 nights at least"),
                    issue("day", "error", "tool_error", "broken"),
                ],
            ),
            stored(calls=[full], issues=[issue("stay", "no_availability", "sold_out", "full in June")]),
            stored(calls=[], issues=[issue("gone", "broken_plan", "unknown_tool", "no tool 'x'")]),
        ]
    )
    assert [(kind.type, kind.tool, kind.n, kind.requests) for kind in report.issues] == [
        ("no_availability", "get_rooms", 3, 2),
        ("broken_plan", "none", 1, 1),
        ("error", "get_day", 1, 1),
    ]
    assert report.issues[0].rules == [
        RuleCount(rule="sold_out", n=2, examples=["full in May", "full in June"]),
        RuleCount(rule="min_stay", n=1, examples=["3 nights at least"]),
    ]
    assert report.issue_tools[0] == NamedCount(name="get_rooms", n=3)
    assert [count.name for count in report.issue_types] == ["no_availability", "broken_plan", "error"]


def test_second_attempts_count_as_gone_well_by_how_the_request_ended() -> None:
    report = report_on(
        [
            stored(adaptations=1, open_issues=0, answer_replans=0, rewrites=0, answer_check=BY_RULES),
            stored(adaptations=2, open_issues=1, answer_replans=1, rewrites=0, answer_check=verdict(True)),
            stored(adaptations=1, answer_replans=1, rewrites=1, answer_check=verdict(False)),  # of an older version
            stored(adaptations=0, open_issues=3, answer_replans=1, answer_check=verdict(True, "unavailable")),
        ]
    )
    adapted, replanned, rewritten = report.adapted, report.replanned, report.rewritten
    assert (adapted.requests, adapted.times, adapted.known, adapted.succeeded, adapted.share) == (3, 4, 2, 1, 0.5)
    assert (replanned.requests, replanned.known, replanned.succeeded, replanned.share) == (3, 2, 1, 0.5)
    assert (rewritten.requests, rewritten.times, rewritten.succeeded, rewritten.share) == (1, 1, 0, 0.0)


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
    assert {check.name: (check.n, check.satisfied, check.share) for check in report.checks} == {
        "judge": (3, 2, 2 / 3),
        "off": (1, 0, None),
        "rules": (1, 1, 1.0),
        "unavailable": (1, 0, None),
    }
    assert report.verdicts == NamedShare(name="satisfied", n=3, share=0.75)


def test_failed_criteria_have_their_latest_examples_once_each() -> None:
    def failed(hour: int, text: str, satisfied: bool, *failures: dict[str, Any]) -> StoredRequest:
        return stored(f"t{hour}", NOON + timedelta(hours=hour), request={"text": text}, answer_check=verdict(satisfied),
                      answer_failures=list(failures))  # fmt: skip

    no_price = failure(1, "completeness", "no price")
    report = report_on(
        [
            failed(0, "a double", True, no_price),
            failed(1, "a double", False, no_price, failure(2, "completeness", "no dates")),
            failed(2, "a suite", True, no_price, failure(1, "clarity", "too long")),
            failed(3, "x" * 500, True, no_price),
        ]
    )
    completeness, clarity = report.criteria
    assert (completeness.name, completeness.n, completeness.requests) == ("completeness", 5, 4)
    assert (completeness.mended, completeness.share_mended) == (3, 0.75)
    assert [(example.thread_id, example.gap, example.attempt) for example in completeness.examples] == [
        ("t3", "no price", 1),
        ("t2", "no price", 1),
        ("t1", "no price", 1),
    ]
    assert len(completeness.examples[0].request) == 200
    assert (clarity.name, clarity.n, clarity.mended) == ("clarity", 1, 1)


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
    look, weigh = report.tools
    assert (look.tool, look.seconds.n, look.errors, look.timeouts, look.retried) == ("look", 6, 1, 1, 2)
    assert (look.seconds.median_s, look.seconds.p95_s, look.seconds.max_s, look.seconds.total_s) == (
        0.3,
        9.0,
        9.0,
        10.5,
    )
    assert (weigh.tool, weigh.seconds.median_s, weigh.seconds.p95_s) == ("weigh", 0.2, 0.2)


def test_time_is_divided_among_the_nodes() -> None:
    report = report_on(
        [
            stored(elapsed_s=4.0, times={"plan_1": 1.0, "execute_wave_1": 2.0, "execute_wave_12": 1.0}),
            stored(elapsed_s=1.0, times={"plan_1": 0.5, "check_answer_1": 0.3, "check_answer_last": 0.2}),
            stored(),
        ]
    )
    assert [(node.node, node.seconds.n, node.seconds.total_s, node.share) for node in report.nodes] == [
        ("execute_wave", 2, 3.0, 0.6),
        ("plan", 2, 1.5, 0.3),
        ("check_answer", 2, 0.5, 0.1),
    ]
    assert (report.seconds.n, report.seconds.median_s, report.seconds.max_s) == (2, 1.0, 4.0)


def test_cost_in_all_and_by_planner() -> None:
    report = report_on(
        [
            stored(planner="llm", llm_calls=3, llm_tokens={"input": 900, "output": 100}, elapsed_s=2.0),
            stored(planner="llm", llm_calls=2, llm_tokens={"input": 500, "output": 100}, elapsed_s=4.0),
            stored(planner="rules", llm_calls=0, llm_tokens={"input": 0, "output": 0}, elapsed_s=0.1),
            stored(planner="rules", elapsed_s=0.1),
        ]
    )
    cost, (by_model, by_rules) = report.cost, report.planners
    assert (cost.requests, cost.calls, cost.tokens_in, cost.tokens_out) == (4, 5, 1400, 200)
    assert (cost.calls_each, cost.tokens_each) == (1.25, 400.0)
    assert (by_model.planner, by_model.share, by_model.cost.tokens_each) == ("llm", 0.5, 800.0)
    assert by_model.seconds.median_s == 2.0
    assert (by_rules.planner, by_rules.cost.calls, by_rules.seconds.p95_s) == ("rules", 0, 0.1)


def used(calls: int, tokens_in: int, tokens_out: int, **more: Any) -> dict[str, Any]:
    return {"calls": calls, "input": tokens_in, "output": tokens_out, "cached": 0, "reasoning": 0, **more}


def test_models_by_role_also_of_records_with_an_earlier_version_s_cost() -> None:
    planner, judge = "planner gpt 5", "validator small"
    report = report_on(
        [
            stored(usage={planner: used(2, 900, 100, cached=600, reasoning=40, cost="0.0025"), judge: used(1, 50, 5)}),
            stored(usage={planner: used(1, 400, 50, cost="0.1")}),
            stored(usage={planner: used(1, 100, 10)}),
            stored(usage={}),
            stored(),
        ]
    )
    first, second = report.models
    assert (first.role, first.model, first.requests, first.calls) == ("planner", "gpt 5", 3, 4)
    assert (first.tokens_in, first.cached, first.tokens_out, first.reasoning) == (1400, 600, 160, 40)
    assert (second.role, second.calls) == ("validator", 1)
    (table,) = [each for each in tables(report) if each.key == "models"]
    assert [column.name for column in table.columns if "cost" in column.name] == []
    assert [row[-1] for row in table.rows] == ["40", "0"]
    assert all(0 < segment.size <= 1 for row in table.bars for segment in row)  # type: ignore[union-attr]


def test_without_a_model_there_is_no_table_of_models() -> None:
    assert [each.key for each in tables(report_on([stored(usage={}), stored()])) if each.key == "models"] == []


def test_a_limit_counts_once_a_request() -> None:
    hit = [["max_waves", "max_waves"], ["max_waves", "max_tool_calls"], [], []]
    assert report_on([stored(limits_hit=names) for names in hit]).limits == [
        NamedShare(name="max_waves", n=2, share=0.5),
        NamedShare(name="max_tool_calls", n=1, share=0.25),
    ]


def test_what_persons_said() -> None:
    def judged(word: str, why: str, at: str) -> StoredRequest:
        return stored(request={"text": "a room"}, feedback={"verdict": word, "why": why, "given_at": at})

    persons = report_on(
        [judged("good", "", "2026-11-01"), judged("bad", "wrong dates", "2026-11-02"), judged("good", "quick", "2026-11-03"),
         stored(feedback=None), stored()]
    ).persons  # fmt: skip
    assert (persons.good, persons.bad, persons.share_good) == (2, 1, 2 / 3)
    assert [(one.verdict, one.why) for one in persons.reasons] == [("good", "quick"), ("bad", "wrong dates")]


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
    assert report_on([], rows).unfinished[0] == NamedCount(name="cancelled", n=2)
    assert report_on([], rows, date(2026, 11, 20)).unfinished == [
        NamedCount(name="awaiting_approval", n=1),
        NamedCount(name="cancelled", n=1),
        NamedCount(name="not ended", n=1),
    ]


@pytest.mark.parametrize(
    ("days", "unit", "starts"),
    [
        ([0, 2], "day", ["2026-11-20", "2026-11-21", "2026-11-22"]),
        ([0, 44], "day", [(date(2026, 11, 20) + timedelta(n)).isoformat() for n in range(45)]),
        ([0, 45], "week", ["2026-11-16", "2026-11-23", "2026-11-30", "2026-12-07", "2026-12-14", "2026-12-21", "2026-12-28",
                           "2027-01-04"]),
        ([0, 308], "month", ["2026-11-01", "2026-12-01", *(f"2027-{month:02}-01" for month in range(1, 10))]),
    ],
    ids=["days", "the longest in days", "weeks", "months"],
)  # fmt: skip
def test_time_has_no_gaps_and_few_columns(days: list[int], unit: str, starts: list[str]) -> None:
    found = report_on([stored(ended=NOON + timedelta(days=n), outcome="answered") for n in days]).over_time
    assert (found.unit, [period.start for period in found.periods]) == (unit, starts)
    assert [found.periods[0].n, found.periods[-1].n, sum(period.n for period in found.periods)] == [1, 1, 2]
    assert found.periods[0].outcomes == {"answered": 1}


def test_the_record_of_an_older_version_counts_where_it_can() -> None:
    old = stored(
        request={"id": "1", "number": 1, "text": "a room", "language": "en"},
        outcome="partial", planner="rules", issues=[issue("stay", "error", "tool_error", "broken")], waves=1, adaptations=1,
        limits_hit=["max_waves"], times={"plan_1": 0.1}, elapsed_s=0.1, llm_calls=0, llm_tokens={"input": 0, "output": 0},
        answer_check={"satisfied": False, "reasoning": "", "checked_by": "rules", "criteria": [
            {"name": "dates", "verdict": "fail", "gap": "no weekday"}, {"name": "accuracy", "verdict": "pass", "gap": None}]},
    )  # fmt: skip
    report = report_on([old])
    assert (report.issues[0].tool, report.tools) == ("none", [])
    assert (report.adapted.requests, report.adapted.known, report.adapted.share) == (1, 0, None)
    (dates,) = report.criteria
    assert (dates.name, dates.n, dates.mended) == ("dates", 1, 0)
    assert (dates.examples[0].gap, dates.examples[0].attempt) == ("no weekday", None)
    assert report_on([stored()]).outcomes == [NamedShare(name="unknown", n=1, share=1.0)]
