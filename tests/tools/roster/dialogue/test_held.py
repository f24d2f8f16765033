"""A model's changes are held against the words they are for, as far as all of these are read."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from roster_views import view

from wavegraph.graph.guard.pieces import pieces
from wavegraph.graph.views import ResolvedCall
from wavegraph.tools.roster.dialogue.held import contradictions
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.wards import Wards

OVERWORK = Penalties().overwork

FRIDAY, SATURDAY = "2026-11-27", "2026-11-28"


def held(words: str, folder: Path, *changes: dict[str, Any], days: int = 7) -> list[tuple[str, Any, Any]]:
    args = {"ward": "harbour", "start_date": "2026-11-23", "num_days": days}
    reference = {"ref": {"call": "get_staff", "path": "ward_hash"}}
    calls = [
        ResolvedCall("get_staff", "get_staff", args),
        ResolvedCall("apply_requests", "apply_requests", {"ward_hash": reference, "changes": list(changes)}, words),
    ]
    given = replace(view(text=words), today=view().today)
    found = contradictions(calls, given, wards=Wards(RosterStore(folder), None))
    return [(each.about, each.said, each.planned) for each in found]


def change(nurse: str, first: str | None = None, **more: Any) -> dict[str, Any]:
    return {"kind": "unavailable", "nurse": nurse, "first": first, "last": first, **more}


@pytest.mark.parametrize(
    ("words", "planned"),
    [
        ("Grace is ill on Friday", [change("Grace", FRIDAY)]),
        ("Grace is ill on 27 November", [change("grace", weekdays=["friday"])]),
        ("Grace חולה ביום שישי", [change("Grace", FRIDAY)]),
        ("Grace has her sister's wedding on Saturday, she can't be on", [change("Grace", FRIDAY)]),
        ("Ivan wants Fridays off", [change("Ivan", weekdays=["friday"], kind="avoids")]),
        ("keep Diana and Judith apart", [{"kind": "apart", "nurse": "Diana", "other": "Judith"}]),
        ("Grace is ill on Friday", [change("Zoe", FRIDAY)]),
    ],
)
def test_what_the_words_say_or_are_not_read_for_is_not_held(words: str, planned: Any, tmp_path: Path) -> None:
    assert held(words, tmp_path, *planned) == []


@pytest.mark.parametrize(
    ("words", "planned", "about"),
    [
        ("Grace is ill on Friday", [change("Grace", SATURDAY)], "days"),
        ("Grace is ill on Friday", [change("Grace")], "days"),
        ("Grace is ill on Friday", [change("Eva", FRIDAY)], "nurses"),
        ("Grace is ill on Friday", [change("Grace", FRIDAY), change("Eva", FRIDAY)], "nurses"),
        ("Grace חולה ביום שישי", [change("Grace", SATURDAY)], "days"),
        ("keep Diana and Judith apart", [{"kind": "apart", "nurse": "Diana", "other": "Eva"}], "nurses"),
    ],
)
def test_another_nurse_or_day_than_the_words_name_is_found(
    words: str, planned: Any, about: str, tmp_path: Path
) -> None:
    assert [found for found, _, _ in held(words, tmp_path, *planned)] == [about]


def test_both_are_told_by_nurse_and_day(tmp_path: Path) -> None:
    found = held("Grace is ill on Friday", tmp_path, change("Grace", SATURDAY))
    assert found == [("days", {"nurse_007": [FRIDAY]}, {"nurse_007": [SATURDAY]})]


def test_one_of_several_days_that_a_weekday_may_mean_is_not_held(tmp_path: Path) -> None:
    assert held("Grace is ill on Friday", tmp_path, change("Grace", FRIDAY), days=14) == []
    assert held("Grace is ill on Friday", tmp_path, change("Grace", SATURDAY), days=14) != []


@pytest.mark.parametrize(("words", "args", "unasked"), [
    ("make the harbour roster", {"penalties": {"fatigue_night": 200}, "publish": True},
     [{"penalties": {"fatigue_night": 200}, "publish": True}]),
    ("make the harbour roster and publish it", {"publish": True}, []),
    ("make the harbour roster, fewer tired nights please", {"penalties": {"fatigue_night": 200}}, []),
    ("make the harbour roster, overwork costs 40", {"penalties": {"overwork": 40}}, []),
    ("make the harbour roster, what does it cost?", {"penalties": {"overwork": 40}}, [{"penalties": {"overwork": 40}}]),
    ("make the harbour roster for 7 days and tell me the price", {"penalties": {"overwork": 40}},
     [{"penalties": {"overwork": 40}}]),
    ("make the harbour roster, price exhaustion at 40", {"penalties": {"overwork": 40}}, []),
    ("make the harbour roster; exhaustion matters twice as much", {"penalties": {"overwork": 2 * OVERWORK}}, []),
    ("כמה זה יעלה? תכין סידור ותגידי מה העלות", {"penalties": {"overwork": 40}}, [{"penalties": {"overwork": 40}}]),
    ("תכין סידור, שחיקה חשובה פי שתיים", {"penalties": {"overwork": 2 * OVERWORK}}, []),
    ("תכין את הסידור של harbour", {"publish": True}, [{"publish": True}]),
    ("תכין את הסידור של harbour ותפרסם", {"publish": True}, []),
])  # fmt: skip
def test_prices_and_a_wish_to_publish_have_words(
    words: str, args: dict[str, Any], unasked: list[Any], tmp_path: Path
) -> None:
    made = ResolvedCall("g", "generate_roster", args, words)
    found = contradictions(
        [made], replace(view(text=words), today=view().today), wards=Wards(RosterStore(tmp_path), None)
    )
    assert [each.planned for each in found] == unasked


def made(words: str, folder: Path, **args: Any) -> list[tuple[Any, Any]]:
    given = replace(view(text=words), pieces=pieces(words))
    reference = {"ref": {"call": "get_staff", "path": "ward_hash"}}
    calls = [
        ResolvedCall("get_staff", "get_staff", {"ward": "harbour", **args}, words),
        ResolvedCall("generate_roster", "generate_roster", {"ward_hash": reference}, words),
    ]
    return [(each.said, each.planned) for each in contradictions(calls, given, wards=Wards(RosterStore(folder), None))]


@pytest.mark.parametrize(
    ("words", "args", "said"),
    [
        ("I need a roster for harbour from 7 December for two weeks", {"start_date": "2026-12-14", "num_days": 7},
         {"start_date": "2026-12-07", "num_days": 14}),
        ("make me a harbour roster for two weeks. how many nights does everybody get?", {"start_date": "2026-11-23", "num_days": 7},
         {"num_days": 14}),
        ("I need a roster for harbour from 7 December for two weeks", {"start_date": "2026-12-07", "num_days": 14}, None),
        ("Make next week's roster for harbour", {}, None),
        ("Make a roster for harbour from 7 December, and Diana would like to be off on Thursday", {"start_date": "2026-12-07"}, None),
    ],
)  # fmt: skip
def test_a_roster_is_made_of_the_days_that_were_asked_for(
    words: str, args: dict[str, Any], said: dict[str, Any] | None, tmp_path: Path
) -> None:
    assert [told for told, _ in made(words, tmp_path, **args)] == ([said] if said else [])


@pytest.mark.parametrize(
    ("before", "answer", "words", "asked"),
    [
        ("make me a roster", "Roster a1: no rule broken.", "ok yes", False),
        ("make me a roster", "It is not published yet: say “publish it” to publish it.", "ok yes", True),
        ("make me a roster and publish it", "Roster a1: no rule broken.", "ok yes", True),
        ("make me a roster", "Roster a1: no rule broken.", "keep it as a draft", True),
    ],
)
def test_a_roster_is_published_only_where_somebody_spoke_of_it(
    before: str, answer: str, words: str, asked: bool, tmp_path: Path
) -> None:
    said = [HumanMessage(before), AIMessage(answer), HumanMessage(words)]
    call = ResolvedCall("p", "publish_roster", {"roster_id": "a1"}, words)
    found = contradictions(
        [call], replace(view(text=words), conversation=said), wards=Wards(RosterStore(tmp_path), None)
    )
    assert [each.planned for each in found] == ([] if asked else [{"publish": True}])
