"""Whether a roster keeps what was asked for, against rosters written by hand: no solver has a part in it."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roster_wards import rows, ward_of_two
from tables import table

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.checks.measures import granted
from wavegraph.tools.roster.checks.patterns import pair_days
from wavegraph.tools.roster.dialogue.amending import all_asked, amended
from wavegraph.tools.roster.dialogue.kept import MOST_CELLS, kept_changes
from wavegraph.tools.roster.records import Change, ChangeKept
from wavegraph.tools.roster.ward.ward import Ward

NURSES = {
    "ann": "Ann Levi",
    "ben": "Ben Cohen",
    "kim_l": "Kim Lee",
    "kim_m": "Kim Moor",
    "dana": "דנה לוי",
    "yoav": "יואב בר",
    "gil": "Gil Paz",
}
SHIFTS = [
    {"id": "E", "name": "Early", "start": "07:00", "minutes": 480},
    {"id": "L", "name": "Late", "start": "15:00", "minutes": 480},
    {"id": "N", "name": "Night", "start": "23:00", "minutes": 480, "night": True},
    {"id": "M", "name": "Long night", "start": "19:00", "minutes": 720, "night": True},
]
#             23 Nov        30 Nov
#             MTWTFSS       MTWTFSS
ROSTER = rows(
    ann="EENN---" + "EELL---",
    ben="LLN--EE" + "LLLL---",
    kim_l="--EEELL" + "--NN---",
    kim_m="NN--EE-" + "E----NN",
    dana="E------" + "-------",
    yoav="-LLLL--" + "MM-----",
    gil="-------" + "-------",
)


def ward(**changes: Any) -> Ward:
    """Two weeks from Monday 2026-11-23, with two Kims and two kinds of night."""
    nurses = [{"id": name, "name": full} for name, full in NURSES.items()]
    return ward_of_two(**{"nurses": nurses, "shifts": SHIFTS, "demand": [], "skills": [], "rules": {}, **changes})


def asked(kind: Any, nurse: str, **given: Any) -> Change:
    return Change(kind=kind, nurse=nurse, **given)


def verdicts(*requests: list[Change], of: Any = ROSTER) -> list[ChangeKept]:
    """Of the changes of several requests, each made on the ward of the one before."""
    held, known = ward(), []
    for changes in requests:
        held, _ = amended(held, changes)
        known = all_asked(held, known, changes)
    return kept_changes(held, of, known)


def cells(found: ChangeKept) -> str:
    return " ".join(f"{cell.nurse} {cell.day:%d}{cell.shift or '-'}" for cell in found.not_kept_on)


@dataclass(frozen=True)
class Case:
    said: str
    change: Change
    verdict: str
    kept: str
    """Days on which it is kept of those on which it could be."""
    against: str = ""
    nurses: list[str] = field(default_factory=list)


CASES = [
    Case("Ann can't work nights", asked("unavailable", "Ann", shift="night"), "partly kept", "12/14", "ann 25N ann 26N"),
    Case("no nights for Ben in the second week", asked("unavailable", "ben", weeks=[2], shift="nights"), "kept", "7/7"),
    Case("Ann has leave 27 to 29 November", asked("unavailable", "Ann", first="2026-11-27", last="2026-11-29"), "kept", "3/3"),
    Case("Ben is away on Fridays", asked("unavailable", "Ben", weekdays=["friday"]), "kept", "2/2"),
    Case("Ben will not be in on the 23rd", asked("unavailable", "Ben", first="2026-11-23"), "not kept", "0/1", "ben 23L"),
    Case("Ben never does lates", asked("unavailable", "Ben Cohen", shift="late"), "partly kept", "8/14",
         "ben 23L ben 24L ben 30L ben 01L ben 02L ben 03L"),
    Case("Ann is off from 5 December to 10 January", asked("unavailable", "Ann", first="2026-12-05", last="2027-01-10"),
         "kept", "2/2"),
    Case("please keep Ben's weekends free", asked("avoids", "Ben", weekdays=["saturday", "sunday"]), "partly kept", "2/4",
         "ben 28E ben 29E"),
    Case("Gil hopes not to work at all", asked("avoids", "Gil"), "kept", "14/14"),
    Case("Yoav would rather have no nights", asked("avoids", "יואב", shift="night"), "partly kept", "12/14",
         "yoav 30M yoav 01M"),
    Case("Moor would like Fridays off", asked("avoids", "Moor", weekdays=["friday"]), "partly kept", "1/2", "kim_m 27E"),
    Case("no earlies on Mondays for ANN LEVI", asked("avoids", " ANN LEVI ", shift="E", weekdays=["monday"]), "not kept",
         "0/2", "ann 23E ann 30E"),
    Case("Dana would like to work Mondays", asked("prefers", "דנה", weekdays=["monday"]), "partly kept", "1/2", "dana 30-"),
    Case("Yoav wants a night on 30 November", asked("prefers", "yoav", first="2026-11-30", shift="night"), "kept", "1/1"),
    Case("Ben would love lates all of week two", asked("prefers", "Ben", weeks=[2], shift="Late"), "partly kept", "4/7",
         "ben 04- ben 05- ben 06-"),
    Case("Gil would like the early on Wednesday", asked("prefers", "Gil", weekdays=["wednesday"], weeks=[1], shift="E"),
         "not kept", "0/1", "gil 25-"),
    Case("Kim Lee hopes for an early, and got a late", asked("prefers", "kim_l", first="2026-11-28", shift="early"),
         "not kept", "0/1", "kim_l 28L"),
    Case("fix Ann on the early, first Monday", asked("locked", "Ann", weekdays=["monday"], weeks=[1], shift="Early"), "kept",
         "1/1"),
    Case("Ann is off on Thursdays, that is settled", asked("locked", "Ann", weekdays=["thursday"], shift="off"), "not kept",
         "0/2", "ann 26N ann 03L"),
    Case("Kim Lee has to do the night of 2 December", asked("locked", "Kim Lee", first="2026-12-02", shift="N"), "kept",
         "1/1"),
    Case("Ben must do the long night on Tuesday", asked("locked", "Ben", weekdays=["tuesday"], weeks=[1], shift="Long night"),
         "not kept", "0/1", "ben 24L"),
    Case("Ann and Ben apart", asked("apart", "Ann", other="Ben"), "partly kept", "4/7",
         "ann 25N ben 25N ann 02L ben 02L ann 03L ben 03L", ["ann", "ben"]),
    Case("Ben apart from Ann", asked("apart", "Ben", other="Ann"), "partly kept", "4/7",
         "ben 25N ann 25N ben 02L ann 02L ben 03L ann 03L", ["ben", "ann"]),
    Case("Ann and Dana don't get on", asked("apart", "Ann", other="dana"), "not kept", "0/1", "ann 23E dana 23E"),
    Case("the two Kims never on one shift", asked("apart", "Lee", other="Moor", weight=100), "partly kept", "1/2",
         "kim_l 27E kim_m 27E"),
    Case("Ben and Dana apart", asked("apart", "Ben", other="דנה"), "kept", "1/1", "", ["ben", "dana"]),
    Case("Dana and Kim Lee apart, who never meet", asked("apart", "dana", other="kim_l"), "kept", "0/0"),
    Case("Ann mentors Ben", asked("together", "Ann", other="Ben"), "partly kept", "3/10",
         "ann 23E ben 23L ann 24E ben 24L ann 26N ben 26- ann 28- ben 28E ann 29- ben 29E ann 30E ben 30L ann 01E ben 01L"),
    Case("Yoav goes along with Dana", asked("together", "יואב בר", other="דנה לוי"), "not kept", "0/7",
         "yoav 23- dana 23E yoav 24L dana 24- yoav 25L dana 25- yoav 26L dana 26- yoav 27L dana 27- yoav 30M dana 30- "
         "yoav 01M dana 01-"),
    Case("דנה לא יכולה לעבוד בלילות", asked("unavailable", "דנה", shift="night"), "kept", "14/14", "", ["dana"]),
    Case("יואב בחופש בימי חמישי", asked("unavailable", "יואב", weekdays=["thursday"]), "partly kept", "1/2", "yoav 26L"),
    Case("דנה ויואב לא באותה משמרת", asked("apart", "דנה", other="יואב"), "kept", "0/0", "", ["dana", "yoav"]),
    Case("יואב מבקש חופש ב-30 בנובמבר", asked("avoids", "יואב בר", first="2026-11-30"), "not kept", "0/1", "yoav 30M"),
]  # fmt: skip


@table("case", CASES)
def test_what_was_asked_for_is_held_against_the_roster(case: Case) -> None:
    (found,) = verdicts([case.change])

    assert (found.verdict, f"{found.kept_days}/{found.days}", cells(found)) == (case.verdict, case.kept, case.against)
    assert found.kind == case.change.kind
    assert found.nurses == case.nurses or not case.nurses


@table(
    ("said", "changes", "code"),
    [
        ("Kim would like Friday off", [asked("avoids", "Kim", weekdays=["friday"])], "ambiguous_nurse"),
        ("keep Kim and Ann apart", [asked("apart", "Ann", other="Kim")], "ambiguous_nurse"),
        ("Zoe can't do nights", [asked("unavailable", "Zoe", shift="night")], "unknown_nurse"),
        ("Ann is off on 24 December", [asked("unavailable", "Ann", first="2026-12-24")], "outside_period"),
        ("Ann off in the third week", [asked("avoids", "Ann", weeks=[3])], "outside_period"),
        ("Ann wants Tuesday off, and to work it",
         [asked("avoids", "Ann", first="2026-11-24"), asked("prefers", "ann", first="2026-11-24")], "contradiction"),
        ("Ann and Ben apart; Ben and Ann together",
         [asked("apart", "Ann", other="Ben"), asked("together", "Ben", other="Ann")], "contradiction"),
        ("Ann is away on the 23rd; fix her on the early",
         [asked("unavailable", "Ann", first="2026-11-23"), asked("locked", "Ann", first="2026-11-23", shift="E")],
         "contradiction"),
    ],
)  # fmt: skip
def test_what_cannot_be_held_never_reaches_a_roster(said: str, changes: list[Change], code: str) -> None:
    with pytest.raises(ToolRefusal) as caught:
        verdicts(changes)
    assert caught.value.code == code


def test_every_change_has_its_own_verdict_in_the_order_it_was_asked_for() -> None:
    changes = [case.change for case in CASES if case.change.kind == "unavailable"]

    found = verdicts(changes)

    assert [each.verdict for each in found] == [case.verdict for case in CASES if case.change.kind == "unavailable"]


MONDAYS = asked("prefers", "Ann", weekdays=["monday"])
AWAY = asked("unavailable", "Ann", first="2026-11-30")


@table(
    ("requests", "told"),
    [
        ([[MONDAYS], [AWAY]], ["kept 1/1", "not kept 0/1"]),
        ([[asked("prefers", "Ann", first="2026-11-30")], [AWAY]], ["replaced 0/0", "not kept 0/1"]),
        ([[asked("prefers", "Ann", first="2026-11-30", shift="L")], [asked("unavailable", "Ann", shift="late")]],
         ["replaced 0/0", "partly kept 12/14"]),
        ([[asked("apart", "Ann", other="Ben")], [asked("together", "Ben", other="Ann")]],
         ["replaced 0/0", "partly kept 3/10"]),
        ([[asked("avoids", "Ann", first="2026-11-24")], [asked("prefers", "Ann", first="2026-11-24")]],
         ["replaced 0/0", "kept 1/1"]),
        ([[asked("avoids", "Ann", first="2026-11-24")], [asked("avoids", "Ann", first="2026-11-24", weight=30)]],
         ["replaced 0/0", "not kept 0/1"]),
        ([[asked("locked", "Ann", first="2026-11-24", shift="L")], [asked("locked", "Ann", first="2026-11-24", shift="E")]],
         ["replaced 0/0", "kept 1/1"]),
        ([[asked("unavailable", "Ann", first="2026-11-30", shift="N")], [AWAY]], ["kept 1/1", "not kept 0/1"]),
        ([[asked("avoids", "Ann", first="2026-11-24")], [asked("locked", "Ann", first="2026-11-24", shift="E")]],
         ["not kept 0/1", "kept 1/1"]),
        ([[asked("avoids", "yoav", first="2026-11-30", shift="night")],
          [asked("prefers", "yoav", first="2026-11-30", shift="N")]], ["not kept 0/1", "not kept 0/1"]),
        ([[AWAY], [AWAY]], ["not kept 0/1"]),
        ([[asked("apart", "Ann", other="Ben"), asked("apart", "ANN LEVI", other="cohen")]], ["partly kept 4/7"]),
        ([[asked("avoids", "Ann", first="2026-11-24")], [asked("prefers", "Ann", first="2026-11-24")],
          [asked("avoids", "Ann", first="2026-11-24")]], ["replaced 0/0", "not kept 0/1"]),
    ],
)  # fmt: skip
def test_a_later_request_takes_the_place_of_an_earlier_one(requests: list[list[Change]], told: list[str]) -> None:
    assert [f"{each.verdict} {each.kept_days}/{each.days}" for each in verdicts(*requests)] == told


def test_many_days_are_counted_and_the_first_named() -> None:
    always = {**ROSTER, "gil": ["E"] * 14, "dana": ["E"] * 14}

    (alone,) = verdicts([asked("apart", "Gil", other="dana")], of=always)

    assert (alone.verdict, alone.days, alone.kept_days) == ("not kept", 14, 0)
    assert (len(alone.not_kept_on), alone.more_days) == (MOST_CELLS, 4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            asked("unavailable", "Ben", weekdays=["friday"]),
            ["kept: Ben Cohen: no work, Friday 2026-11-27, Friday 2026-12-04 (must hold)"],
        ),
        (
            asked("avoids", "Ben", weekdays=["saturday"], weeks=[1]),
            ["not kept: Ben Cohen: would like to be off, Saturday 2026-11-28 (a wish)", "Ben E on Saturday 2026-11-28"],
        ),
        (
            asked("avoids", "Ben", shift="E", first="2026-11-27", last="2026-11-28"),
            ["kept on 1 of 2 days: Ben Cohen: would rather not have shift E, Friday 2026-11-27 to Saturday 2026-11-28 (a wish)",
             "Ben E on Saturday 2026-11-28"],
        ),
    ],
)  # fmt: skip
def test_a_verdict_in_words_names_the_days(change: Change, words: list[str]) -> None:
    (found,) = verdicts([change])
    assert worded(found.verdict_line({"ben": "Ben"}), "en") == "; against it: ".join(words)


CELLS = st.sampled_from(["E", "L", "N", "M", None])
ROSTERS = st.fixed_dictionaries({name: st.lists(CELLS, min_size=14, max_size=14) for name in NURSES})
ONE_SHIFT = [case.change for case in CASES if case.change.shift is None or "night" not in case.change.shift]


@given(st.sampled_from([change for change in ONE_SHIFT if change.kind in ("prefers", "avoids")]), ROSTERS)
def test_a_wish_is_granted_by_the_checkers_on_the_days_on_which_it_is_kept(change: Change, roster: Any) -> None:
    (found,) = verdicts([change], of=roster)
    held, _ = amended(ward(), [change])

    assert found.kept_days == sum(granted(held, roster, wish) for wish in held.wishes)
    assert found.days == len(held.wishes)


@given(st.sampled_from(["apart", "together"]), st.permutations(list(NURSES)), ROSTERS)
def test_a_pair_costs_by_the_checkers_on_the_days_on_which_it_is_not_kept(
    kind: str, nurses: list[str], roster: Any
) -> None:
    change = asked(kind, nurses[0], other=nurses[1])
    (found,) = verdicts([change], of=roster)
    held, _ = amended(ward(), [change])

    assert found.days - found.kept_days == len(pair_days(roster, held.pairs[0]))
