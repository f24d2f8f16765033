"""What a manager is shown before a yes: what was understood, what was not, and what a roster keeps of it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.tools.roster.answers.phrases import day_in_words, worded
from wavegraph.tools.roster.dialogue.amending import amended
from wavegraph.tools.roster.dialogue.kept import kept_changes
from wavegraph.tools.roster.dialogue.publishing import (
    brief_changes,
    changes_terms,
    earlier_round,
    restate_changes,
    restate_publication,
    terms_of,
)
from wavegraph.tools.roster.records import Change, Round
from wavegraph.tools.roster.reports import report_of

WARD = ward_of_two()
FRIDAYS = "Ann: would like to be off, Friday 2026-11-27"


@pytest.mark.parametrize(
    ("words", "not_held", "lines"),
    [
        ([FRIDAYS], [], ["For Two I understood:", f"- {FRIDAYS}"]),
        ([FRIDAYS], ["two nights at most", "שעות נוספות"],
         ["For Two I understood:", f"- {FRIDAYS}",
          "What was asked for Two and cannot be held, so that the roster is made without it:", "- two nights at most",
          "- שעות נוספות"]),
        ([], ["two nights at most"],
         ["What was asked for Two and cannot be held, so that the roster is made without it:", "- two nights at most"]),
    ],
    ids=["all understood", "some", "none"],
)  # fmt: skip
def test_what_was_not_understood_stands_in_the_question(words: Any, not_held: Any, lines: list[str]) -> None:
    details = changes_terms(WARD, words, not_held)["details"]

    assert restate_changes(details, "en").splitlines() == lines


def test_what_waits_beside_an_answer_is_named_in_a_line() -> None:
    details = changes_terms(WARD, [FRIDAYS], ["two nights at most"])["details"]

    held = "What was asked for Two and cannot be held, so that the roster is made without it: two nights at most"
    assert brief_changes(details, "en") == f"For Two I understood: {FRIDAYS}. {held}"


def test_terms_are_those_of_an_earlier_version_where_there_is_nothing_new_to_show() -> None:
    """So that a question it asked is not asked again."""
    report = report_of(WARD, rows(**ROWS))

    assert changes_terms(WARD, [FRIDAYS], [])["details"] == {"ward": "Two", "changes": [FRIDAYS]}
    assert "changes" not in terms_of("1" * 16, WARD, report, [], [])["details"]


def test_a_roster_is_published_in_sight_of_prices_that_are_not_the_settings() -> None:
    report = report_of(WARD, rows(**ROWS))
    details = terms_of("1" * 16, WARD, report, [], [], prices=["fatigue_night 200 20"])["details"]

    assert "- fatigue at night: 200 instead of 20" in restate_publication(details, "en").splitlines()
    assert "prices" not in terms_of("1" * 16, WARD, report, [], [])["details"]


def test_a_roster_is_published_in_sight_of_what_it_keeps() -> None:
    changes = [Change(kind="avoids", nurse="Ann", weekdays=[day]) for day in ("saturday", "monday")]
    held, _ = amended(WARD, changes)
    roster = rows(**ROWS)
    details = terms_of("1" * 16, held, report_of(held, roster), [], [], kept_changes(held, roster, changes))["details"]

    *_, title, off, works, end = restate_publication(details, "en").splitlines()
    assert (title, end) == ("What was asked for:", "To be published as it is.")
    assert off == "- kept: Ann: would like to be off, Saturday 2026-11-28, Saturday 2026-12-05 (a wish)"
    assert works.startswith("- not kept: Ann: would like to be off, Monday")
    assert works.endswith("; against it: Ann E on Monday 2026-11-23, Ann E on Monday 2026-11-30")


MORE_TIME = (
    "What failed is not proven unavoidable: the search ended after 1 s, and more time may help (`--time-limit`, "
    "`time_limit_s`)."
)


@pytest.mark.parametrize(
    ("bound", "may_pass", "told"),
    [
        (90, False, ["No roster can cost less than this one: that is proven."]),
        (60, False, ["Whether a roster can cost less than 90 is not known; less than 60 is impossible."]),
        (0, True, ["Whether a roster can cost less than 90 is not known.", MORE_TIME]),
    ],
)
def test_a_roster_is_published_in_sight_of_what_stays_open(bound: float, may_pass: bool, told: list[str]) -> None:
    made = a_round(1, ["overwork"]).model_copy(update={"cost": 90, "bound": bound, "may_pass": may_pass})
    report = report_of(WARD, rows(**ROWS))
    details = terms_of("1" * 16, WARD, report, [], [], rounds=[made])["details"]

    assert restate_publication(details, "en").splitlines()[1:] == [*told, "To be published as it is."]
    assert "open" not in terms_of("1" * 16, WARD, report, [], [])["details"]


def test_a_roster_is_published_in_sight_of_the_rest_that_it_owes() -> None:
    ward = ward_of_two(rules__derogated_rest_hours=8)
    late_then_early = rows(ann="ELEEE--ELEEE--", ben="LELLL--LLLLL--")
    details = terms_of("1" * 16, ward, report_of(ward, late_then_early), [], [])["details"]

    owed = "Rest is owed 3 times: Ben, Ann."
    assert owed in restate_publication(details, "en").splitlines()


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_yes_to_a_repair_is_in_sight_of_every_cell_that_moves(language: str) -> None:
    ward = ward_of_two(demand=[], published={"roster": rows(ann="E" * 14, ben="E" * 14), "weight": 1})
    after = rows(ann="L" * 14, ben="L" * 14)
    details = terms_of("1" * 16, ward, report_of(ward, after), [], [])["details"]
    told = restate_publication(details, language)
    days = [day_in_words(ward.day(index), language) for index in range(14)]
    moved = [line for line in told.splitlines() if line.startswith(("- Ann, ", "- Ben, "))]
    assert [line.partition(": ")[0] for line in moved] == [
        f"- {name}, {day}" for name in ("Ann", "Ben") for day in days
    ]
    if language == "he":
        assert set(re.findall(r"[A-Za-z]{2,}", "".join(moved))) == {"Ann", "Ben"}


def test_days_that_are_over_are_told_with_the_terms() -> None:
    later = WARD.start + timedelta(days=2)
    details = changes_terms(WARD, [FRIDAYS], [], today=later)["details"]
    assert "2 are over already" in restate_changes(details, "en")
    assert "2 כבר עברו" in restate_changes(details, "he")
    assert "days_over" not in changes_terms(WARD, [FRIDAYS], [], today=WARD.start)["details"]


def test_an_earlier_round_is_named_as_one_before_it_is_published() -> None:
    first, last = (a_round(number, failed) for number, failed in ((1, ["fatigue_night"]), (2, [])))
    assert [worded(each, "en") for each in earlier_round([first, last], "1" * 16)] == [
        f"Roster {'1' * 16} is round 1 of 2, and another than the one that was presented, {'2' * 16}."
    ]
    assert earlier_round([first, last], "2" * 16) == []


def a_round(number: int, failed: list[str]) -> Round:
    return Round(
        iteration=number, status="failed" if failed else "passed", issues=[], penalty_multipliers={},
        roster_id=str(number) * 16, solver="feasible", breaches=0, failed=failed, cost=1, bound=0, seconds=1,
    )  # fmt: skip


def test_days_that_are_past_stand_in_the_question_of_a_new_roster_and_not_of_a_repair() -> None:
    after = rows(**ROWS)
    repair = ward_of_two(published={"roster": after, "weight": 1})
    for ward, is_told in ((WARD, True), (repair, False)):
        terms = terms_of("1" * 16, ward, report_of(ward, after), [], [], today=ward.start + timedelta(days=2))
        told = restate_publication(terms["details"], "en")
        assert ("of which 2 are over already" in told) == is_told
