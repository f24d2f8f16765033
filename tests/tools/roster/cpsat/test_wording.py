"""Grounds read as one sentence, with the rule's numbers, the nurse and the day."""

import re
from collections.abc import Sequence
from datetime import timedelta
from math import inf
from typing import get_args

import pytest
from roster_models import MONDAY, on, small_ward

from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.cpsat.grounds import Deadline, Ground, Puzzle
from wavegraph.tools.roster.cpsat.wording import FINDINGS, why_told
from wavegraph.tools.roster.problem.ids import RuleId, RuleKind, RunId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import cover_rows
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.words_en import ENGLISH

KINDS = [kind for kind in get_args(RuleKind) if f"required.{kind}" in ENGLISH]
"""Of rules that must hold, and of cover."""


def in_words(ward: Ward, grounds: Sequence[Ground]) -> str:
    return english(why_told(ward, grounds))


WARD = small_ward(
    {"D": "0000000"},
    {
        "ann": {"name": "Ann", "contract": {"min_minutes": 2400, "max_shifts": {"D": 3}}},
        **{f"nurse_{place:02}": None for place in range(20)},
    },
)


def test_cover_comes_first_then_leave() -> None:
    grounds = [Ground(RuleId("leave"), "ann", MONDAY), Ground(RuleId("minimum", "D", needed=2), None, MONDAY)]
    assert in_words(WARD, grounds) == (
        "No roster keeps minimum 2 for D on 2026-11-23; leave for ann Ann on 2026-11-23; "
        "at least one of them would have to give."
    )


def test_a_finding_names_its_nurse_and_the_numbers_it_collides_with() -> None:
    grounds = [
        Ground(RuleId("most_shifts", "D"), "ann"),
        Ground(RuleId("least_minutes"), "ann"),
        Ground(RuleId("underutilization"), "ann"),
    ]
    assert in_words(WARD, grounds) == (
        "Too few hours (ann Ann) cannot be avoided with at most 3 D for ann Ann; "
        "at least 40 h for ann Ann; at least one of them would have to give."
    )


def test_days_of_one_rule_are_told_together() -> None:
    grounds = [Ground(RuleId("leave"), "ann", MONDAY + timedelta(days=place)) for place in range(5)]
    assert in_words(WARD, grounds) == (
        "No roster keeps leave for ann Ann on 2026-11-23, 2026-11-24, 2026-11-25 and 2 more; "
        "at least one of them would have to give."
    )


def test_nurses_of_one_rule_are_told_together() -> None:
    ward = small_ward({"D": "0"}, {name: {"contract": {"max_weekends": 1}} for name in ("ann", "ben")})
    grounds = [Ground(RuleId("most_weekends"), name) for name in ("ann", "ben")]
    assert in_words(ward, grounds) == (
        "No roster keeps at most 1 weekend for ann, ben; at least one of them would have to give."
    )


def test_every_rule_of_a_ward_has_words() -> None:
    terms = {"min_run": 2, "min_days_off": 2, "max_run": 4, "max_night_run": 1, "max_nights": 2, "max_weekends": 0}
    hours = {"min_minutes": 480, "max_minutes": 2400, "max_shifts": {"D": 3}}
    cells = [{"nurse": "ann", "day": on(1)}]
    ward = small_ward(
        {"D": "1" * 7, "N": "1" * 7},
        {"ann": {"contract": terms | hours}},
        rules={
            "daily_rest_hours": 11,
            "weekly_rest_hours": 35,
            "weekly_hours": 48,
            "rest_after_nights_hours": 46,
            "forward_only": True,
        },
        shift={"N": {"not_followed_by": ["D"]}},
        leave=cells,
        locked=[{**cells[0], "shift": None}],
    )
    puzzle = Puzzle.of(Instance(ward), Deadline(inf))
    puzzle.poster.hold_targets(cover_rows(puzzle.instance))
    texts = {ground.rule.kind: in_words(ward, [ground]) for ground in puzzle.grounds}
    assert texts.keys() >= {*KINDS} - {"run", "shift_skill", "minimum", "charge"}
    assert all(text.startswith("No roster keeps ") for text in texts.values())
    assert not [text for text in texts.values() if "None" in text]


def test_of_many_rules_the_first_are_told_and_the_others_counted() -> None:
    grounds = [Ground(RuleId("leave"), f"nurse_{place:02}", MONDAY) for place in range(20)]
    text = in_words(WARD, grounds)
    assert text.count("leave for nurse_") == 6
    assert " and 14 more; at least one of them" in text


def test_other_words_change_nothing_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    grounds = [Ground(RuleId("leave"), f"nurse_{place:02}", MONDAY) for place in range(20)]
    before = why_told(WARD, grounds)
    for key in [key for key in ENGLISH if key.startswith("required.")]:
        monkeypatch.setitem(ENGLISH, key, 100 * "long ")  # type: ignore[arg-type]
    assert why_told(WARD, grounds) == before


def test_a_finding_that_collides_with_nothing() -> None:
    assert in_words(WARD, [Ground(RuleId("overwork"), "ann")]) == (
        "Too many hours (ann Ann) cannot be avoided, whatever gives."
    )


def test_no_grounds() -> None:
    assert in_words(WARD, []) == "No rules are known to collide."


def test_what_collides_is_told_in_hebrew_by_its_fields() -> None:
    grounds = [
        Ground(RuleId("leave"), "ann", MONDAY),
        Ground(RuleId("minimum", "D", needed=2), None, MONDAY),
        Ground(RuleId("least_minutes"), "ann"),
    ]
    told = worded(why_told(WARD, grounds), "he")
    assert told == (
        "אין סידור שמקיים את כל אלה: מינימום 2 ל־D, יום שני, 23 בנובמבר 2026; חופשה (Ann), יום שני, 23 בנובמבר 2026; "
        "לפחות 40 שעות (Ann); צריך לוותר על אחד מהם לפחות."
    )
    assert worded(why_told(WARD, grounds), "en") == in_words(WARD, grounds).replace("2026", "Monday 2026").replace(
        "ann Ann", "Ann"
    )


def test_every_rule_has_a_kind_that_hebrew_words() -> None:
    rules = [
        *(
            RuleId(kind)
            for kind in KINDS
            if kind not in ("run", "shift_skill", "most_shifts", "minimum", "target", "charge")
        ),
        RuleId("minimum", "D", needed=2),
        RuleId("target", "D", "charge", needed=2),
        RuleId("charge", "D"),
        RuleId("shift_skill", "D", "x"),
        RuleId("most_shifts", "D"),
        RuleId("run", run=RunId((), False, "most", 3)),
    ]
    for rule in (*rules, *map(RuleId, FINDINGS)):
        told = worded(why_told(WARD, [Ground(rule, "ann", None)]), "he")
        assert set(re.findall("[A-Za-z]+", told)) <= {"Ann", "D", "charge", "x"}, told
