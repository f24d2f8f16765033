"""What is told beside other results, what is told once, and what stands above the terms of a change."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from roster_views import answer_view, entry
from roster_wards import ward_of_two

from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.answers.statements import compose, found_beside, statements
from wavegraph.tools.roster.records import Round, WhatIf, WhatIfColumn
from wavegraph.tools.roster.summaries import past_of, requests_of, staff_of
from wavegraph.tools.roster.ward.ward import History, Locked
from wavegraph.tools.roster.what_if.compare import differences

ROSTER = f"{1:016x}"
ABOUT = {"ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "roster_id": ROSTER}
REPORT = {
    **ABOUT, "compliance": "PASS", "empathy": "APPROVED", "breaches": 0, "failed": [], "problems": [], "below_target": [],
    "fairness": 90, "cover_cost": 0, "wishes_cost": 0, "cost": 0, "lines": [], "findings": {"compensatory": 1},
}  # fmt: skip
OFF = {"nurse": "Ann", "shift": None, "day": "2026-11-24"}
REFUSED: Mapping[str, Any] = {
    "status": "error",
    "error": {"code": "not_on_shift", "message": "ann Ann has a day off", "retryable": False, "about": OFF},
}
MADE = Round(
    iteration=1, status="passed", issues=[], penalty_multipliers={}, roster_id=ROSTER, solver="optimal", breaches=0,
    failed=[], cost=0, bound=0, seconds=1,
)  # fmt: skip
DECIDED: Any = {"call": "apply_requests", "tool": "apply_requests", "decision": "approve"}


def looked(name: str = "look", *, cells: int = 2, shifts: tuple[str, ...] = (), **call: Any) -> Any:
    worked = [{"nurse": "ann", "day": f"2026-11-{23 + n}", "shift": "E"} for n in range(cells)]
    nurse = {"nurse": "Ann", "hours": 16, "target_hours": 16, "nights": 0, "weekends": 0, "cells": worked}
    data = {**ABOUT, "question": "nurse", "status": None, "passes": True, "nurses": [nurse], "shifts": list(shifts)}
    planned, ended = entry(name, "look_at_roster", {"nurse": name}, 1, data=data)
    return {**planned, **call}, ended


def cover(name: str = "cover") -> Any:
    return entry(name, "who_can_cover", {"day": "2026-11-24", "instead": "Ann"}, 1, **REFUSED)


def given(*entries: Any, language: str = "en") -> Catalogue:
    return statements(answer_view(*entries, language=language), [])


def through(catalogue: Catalogue, text: str) -> str:
    gate = Gate(catalogue)
    return gate.feed(text) + gate.rest() + gate.owed()


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Ann works no N on these days."), ("he", "Ann: אין N בימים אלה.")]
)
def test_of_no_shift_of_a_kind_nothing_is_said_of_the_others(language: str, told: str) -> None:
    assert given(looked(shifts=("N",)), language=language).by_id["look.days"].text == told


def test_a_look_that_is_refused_is_told_beside_other_results() -> None:
    report = entry("get_report", "get_report", {"roster_id": ROSTER}, 1, data=REPORT)
    catalogue = given(report, cover())
    assert "Ann is off on Tuesday 2026-11-24, so there is no shift to take." in through(catalogue, "{{verdict}}")


def test_a_refusal_that_another_call_stands_for_is_not_told() -> None:
    assert not any(
        each.id.startswith(("why", "refused")) for each in given(cover(), looked(instead_of="cover")).statements
    )
    assert given(cover()).by_id["why.1"]


def test_which_roster_it_is_is_said_once() -> None:
    report = entry("get_report", "get_report", {"roster_id": ROSTER}, 1, data=REPORT)
    told = through(given(looked(), report), "{{look.share}}\n{{of}}")
    assert told.count(ROSTER) == 1
    assert "rest owed" not in told
    assert "Ann works E" not in told
    assert through(given(looked(), report), "{{look.share}}").count(ROSTER) == 1


def test_what_a_change_may_hang_on_stands_above_its_terms_and_is_not_said_again() -> None:
    view = answer_view(looked(cells=1), cover())
    above = found_beside(view)
    assert "Ann works E on Monday 2026-11-23." in above
    assert "Ann is off on Tuesday 2026-11-24, so there is no shift to take." in above
    assert ROSTER not in above

    after: AnswerView = replace(view, plan={**view.plan, "beside": above}, decided=[DECIDED])
    assert "Ann works E" not in compose(after, [])
    assert "Ann works E" not in through(statements(after, []), "{{hello}}")


def test_settled_cells_are_named_with_who_what_and_when() -> None:
    ward = ward_of_two().changed(locked=[Locked(nurse="ann", day="2026-11-23", shift=None)])
    data = requests_of(ward, "a" * 64).model_dump(mode="json")
    asked = entry("get_requests", "get_requests", {"ward": "two"}, 1, data=data)
    assert given(asked).by_id["requests.settled"].text == "Settled in the ward's file: Ann off on Monday 2026-11-23."


def test_which_wards_there_are_can_be_said() -> None:
    view = answer_view()
    assert statements(view, [], ["harbour", "willow"]).by_id["wards"].text == "The wards here: harbour, willow."
    assert "wards" in statements(view, [MADE], ["harbour"]).by_id
    assert "wards" not in statements(view, []).by_id


def test_a_name_that_only_sounds_alike_is_told_with_who_was_taken_for_it() -> None:
    assert given(looked("אן"), language="he").by_id["heard.1"].text == "“אן”: הכוונה ל־Ann."
    assert "heard.1" not in given(looked(), language="he").by_id


def test_of_a_what_if_it_is_said_first_whether_it_can_be() -> None:
    today = {
        "name": "today",
        "status": "optimal",
        "nurses": 9,
        "cost": 226,
        "breaches": 0,
        "fairness": 87.5,
        "findings": {"x": 3},
    }
    other = {**today, "name": "leave Bob sunday", "fairness": 86.9}
    none = {"name": "leave Bob weekends", "status": "infeasible", "why": "nobody is left"}
    columns = [WhatIfColumn.model_validate(each) for each in (today, other, today, none)]
    data = {**ABOUT, "roster_id": None, "seconds": 1, "columns": columns, "differences": differences(columns)}
    asked = entry("what_if", "what_if", {}, 1, data=WhatIf.model_validate(data).model_dump(mode="json"))
    assert [each.text for each in given(asked).statements if each.id.startswith("what_if.")] == [
        "“leave Bob sunday”: there is such a roster; fairness 86.9 %, 0.6 less; findings that fail: 3",
        "“today”: there is such a roster; findings that fail: 3",
        "“leave Bob weekends”: there is no roster: nobody is left",
        "Today: nurses: 9; cost 226 penalty points; fairness 87.5 %; findings that fail: 3",
    ]


@pytest.mark.parametrize(("known", "told"), [(True, "E: Ann; N: nobody."), (False, "E: Ann.")])
def test_a_past_day_says_which_shift_nobody_worked_where_it_is_known_of_all(known: bool, told: str) -> None:
    ward = ward_of_two()
    tails = (["E"], [None] if known else [])
    nurses = [
        nurse.model_copy(update={"history": History(tail=tail)}) for nurse, tail in zip(ward.nurses, tails, strict=True)
    ]
    shifts = [shift for shift in ward.shifts if shift.id in "EN"]
    data = past_of(ward.changed(nurses=nurses, shifts=shifts), "a" * 64).model_dump(mode="json")
    staff = entry("get_staff", "get_staff", {}, 1, data=staff_of(ward, "a" * 64, []).model_dump(mode="json"))
    past = entry("get_last_period", "get_last_period", {}, 1, data=data)
    assert given(staff, past).by_id["past.day1"].text.endswith(told)


def past_of_two(**call: Any) -> tuple[Any, Any]:
    ward = ward_of_two()
    ann, ben = ward.nurses
    known = History(tail=["N", None], nights=3, weekends=1)
    nurses = [ann.model_copy(update={"history": known}), ben.model_copy(update={"history": History(weekends=1)})]
    ward = ward.changed(nurses=nurses)
    data = past_of(ward, "a" * 64).model_dump(mode="json")
    staff = staff_of(ward, "a" * 64, []).model_dump(mode="json")
    planned, ended = entry("get_last_period", "get_last_period", {"ward": "two"}, 1, data=data)
    own: Any = {**planned, **call}
    return entry("get_staff", "get_staff", {"ward": "two"}, 1, data=staff), (own, ended)


def test_counts_of_the_period_before_say_that_they_are_of_more_than_the_days_known() -> None:
    told = given(*past_of_two()).by_id
    before = "Nights in the whole period before, of which the last 2 days are known day by day"
    assert told["past.nights"].text == f"{before}: Ann 3."
    assert [told[f"past.nights.{nurse}"].text for nurse in ("ann", "ben")] == [f"{before}: Ann 3.", f"{before}: Ben 0."]
    assert told["past.nights.ben"].hidden


def test_what_was_asked_of_the_ward_stands_above_the_terms_of_a_change() -> None:
    staff, past = past_of_two(serves=[2])
    amend = {"ward_hash": {"ref": {"call": "get_staff", "path": "ward_hash"}}, "changes": []}
    planned, ended = entry("apply_requests", "apply_requests", amend, 1, status="skipped")
    of_change: Any = {"serves": [1]}
    change: Any = ({**planned, **of_change}, ended)
    own: Any = {**staff[0], **of_change}
    asked = found_beside(answer_view((own, staff[1]), past, change))
    assert "N: Ann" in asked
    assert "nurses" not in asked  # who works there was read for the change
    assert not found_beside(answer_view((own, staff[1]), past_of_two(serves=[1])[1], change))  # and this with it
    assert not found_beside(answer_view(staff, past_of_two()[1], change))  # and this by code


def test_of_two_wards_each_line_names_its_own() -> None:
    ward = ward_of_two()
    other = ward.changed(name="Other")
    looks = [
        entry(name, "get_staff", {"ward": name}, 1, data=staff_of(each, "a" * 64, []).model_dump(mode="json"))
        for name, each in (("one", ward), ("two", other))
    ]
    told = [each.text for each in given(*looks).statements if "staff." in each.id]
    assert len(told) == 8
    assert all(ward.name in text or "Other" in text for text in told)


NOTHING: Mapping[str, Any] = {
    "status": "error",
    "error": {"code": "nothing_published", "message": "no roster of Small is published", "retryable": False},
}


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "No roster is made yet: what was asked for waits for your yes."),
        ("he", "עדיין לא הוכן סידור: מה שהתבקש מחכה לאישור שלך."),
    ],
)
def test_of_a_roster_that_waits_for_a_yes_it_is_said_that_there_is_none_yet(language: str, told: str) -> None:
    why = entry("why", "explain_cell", {"nurse": "Ann", "day": "2026-11-24"}, 1, **NOTHING)
    none = {"question": "status", "ward": "Small", "day": None}
    look = entry("look", "look_at_roster", {"question": "status"}, 1, data=none)
    waiting: Any = [{"call": "apply_requests", "tool": "apply_requests"}]

    for asked in ([why], [look], [why, look]):
        view = replace(answer_view(*asked, language=language), waiting=waiting)
        assert told in compose(view, [])
        assert told not in compose(replace(view, waiting=[]), [])
    both = statements(replace(answer_view(why, look), waiting=waiting), [])
    assert "why.1" not in both.by_id  # the look says it
    known = replace(answer_view(looked(), why, language=language), waiting=waiting)
    assert told not in compose(known, [])
