"""What would have to give: each set named by itself makes the whole ward possible, and nothing nearer does."""

import time
from dataclasses import dataclass
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import HANGS_S
from roster_models import least_cost, on, small_ward
from roster_strategies import wards
from tables import table

from wavegraph.tools.roster.cpsat import explain as explaining
from wavegraph.tools.roster.cpsat import grounds
from wavegraph.tools.roster.cpsat.explain import Explanation, conflict, explain
from wavegraph.tools.roster.cpsat.grounds import Deadline, Ground, Puzzle
from wavegraph.tools.roster.cpsat.relaxations import a_roster
from wavegraph.tools.roster.cpsat.wording import gives_told, why_told
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.ward import Ward


def _given_up(*of: Any) -> str:
    return english(gives_told(*of))


def _in_words(*of: Any) -> str:
    return english(why_told(*of))


def leave(*cells: tuple[str, int], **more: Any) -> list[dict[str, Any]]:
    return [{"nurse": nurse, "day": on(day), **more} for nurse, day in cells]


def locked(nurse: str, cells: str) -> list[dict[str, Any]]:
    """One letter a day; `.` = not settled, `-` = a day off."""
    return [
        {"nurse": nurse, "day": on(day), "shift": None if cell == "-" else cell}
        for day, cell in enumerate(cells)
        if cell != "."
    ]


def needed(day: int, shift: str = "D", **more: Any) -> dict[str, Any]:
    return {"day": on(day), "shift": shift, "minimum": 1, "target": 1, **more}


def one(cells: str, contract: dict[str, Any] | None = None, **more: Any) -> Ward:
    """Ann's settled cells against one rule."""
    kinds = sorted({cell for cell in cells if cell not in ".-"})
    staff = {"ann": {"contract": contract or {}}}
    return small_ward({kind: "0" * len(cells) for kind in kinds}, staff, locked=locked("ann", cells), **more)


@dataclass(frozen=True)
class Case:
    id: str
    ward: Ward
    rules: set[str]
    """The kinds of those of the smallest set."""
    gives: list[str]
    """How some of them begin, in words, the first one first."""


CASES = (
    Case(
        "minimum cover against leave",
        small_ward({"D": "0"}, demand=[needed(0)], leave=leave(("ann", 0))),
        {"minimum", "leave"},
        [f"one more nurse for D on {on(0)}", f"giving up leave of ann on {on(0)} (for the manager to decide)"],
    ),
    Case(
        "cover of a skill and in all: one nurse from outside counts for both",
        small_ward(
            {"D": "0"}, {"ann": {"skills": ["rn"]}}, skills=["rn"], leave=leave(("ann", 0)),
            demand=[needed(0), needed(0, skill="rn")],
        ),
        {"minimum", "leave"},
        [f"one more nurse with skill rn for D on {on(0)}"],
    ),
    Case(
        "a nurse in charge",
        small_ward({"D": "1"}, skills=["lead"], rules={"charge_skill": "lead"}),
        {"charge"},
        [f"one more nurse with skill lead for D on {on(0)}"],
    ),
    Case(
        "a nurse for one shift, where days in a row are limited",
        small_ward({"D": "0000"}, rules={"runs": [{"off": True, "most": 1}, {"least": 2}]}, locked=locked("ann", "D-DD"),
                   demand=[needed(1)]),
        {"minimum", "locked"},
        [f"one more nurse for D on {on(1)}"],
    ),
    Case("succession", one("LE", shift={"L": {"not_followed_by": ["E"]}}), {"locked", "succession"},
         ["E allowed the day after L for everybody"]),
    Case("daily rest", one("LE", rules={"daily_rest_hours": 11}), {"locked", "daily_rest"},
         ["9 h of daily rest instead of 11 h for everybody"]),
    Case("a derogated rest", one("LE", rules={"daily_rest_hours": 11, "derogated_rest_hours": 10}),
         {"locked", "daily_rest"}, ["9 h of daily rest instead of 10 h for everybody"]),
    Case("rest after nights", one("N-E", rules={"rest_after_nights_hours": 46}), {"locked", "rest_after_nights"},
         ["25 h of rest after nights instead of 46 h for everybody"]),
    Case("weekly rest", one("DDDDDDD", rules={"weekly_rest_hours": 35}), {"locked", "weekly_rest"},
         ["no rule of weekly rest for everybody"]),
    Case("weekly hours", one("DDDDDD-", rules={"weekly_hours": 40}), {"locked", "weekly_hours"},
         ["at most 48 h a week instead of 40 h for everybody"]),
    Case("days in a row by contract", one("DDDD", {"max_run": 2}), {"locked", "max_run"},
         ["at most 4 instead of 2 days in a row for ann"]),
    Case("days in a row by the ward", one("DDDD", rules={"max_days_in_a_row": 3}), {"locked", "max_run"},
         ["at most 4 instead of 3 days in a row for everybody"]),
    Case("days in a row by both", one("DDDD", {"max_run": 3}, rules={"max_days_in_a_row": 3}),
         {"locked", "max_run"}, ["at most 4 instead of 3 days in a row, also by the ward's rules, for ann"]),
    Case("nights in a row by contract", one("NNN", {"max_night_run": 1}), {"locked", "max_night_run"},
         ["at most 3 instead of 1 night in a row for ann"]),
    Case("nights in a row by the ward", one("NNN", rules={"max_nights_in_a_row": 2}), {"locked", "max_night_run"},
         ["at most 3 instead of 2 nights in a row for everybody"]),
    Case("fewest days in a row", one("-D-", {"min_run": 3}), {"locked", "min_run"},
         ["at least 1 instead of 3 days in a row for ann"]),
    Case("fewest days off", one("D-D", {"min_days_off": 2}), {"locked", "min_days_off"},
         ["at least 1 instead of 2 days off in a row for ann"]),
    Case("steps back", one("LE", rules={"forward_only": True}), {"locked", "forward_rotation"},
         ["a step back in the rotation for everybody"]),
    Case("a run of a kind by contract", one("NNN", {"runs": [{"shifts": ["N"], "most": 2}]}), {"locked", "run"},
         ["at most 3 instead of 2 N in a row for ann"]),
    Case("a short run by the ward", one("-D-", rules={"runs": [{"least": 3}]}), {"locked", "run"},
         ["at least 1 instead of 3 working days in a row for everybody"]),
    Case("a kind that needs a skill", one("D", skills=["rn"], shift={"D": {"skill": "rn"}}), {"locked", "shift_skill"},
         ["skill rn for ann"]),
    Case("least hours", one("D---", {"min_minutes": 960}), {"locked", "least_minutes"},
         ["at least 8 h instead of 16 h for ann"]),
    Case("most hours", one("DDD", {"max_minutes": 960}), {"locked", "most_minutes"},
         ["at most 24 h instead of 16 h for ann"]),
    Case("most shifts of a kind", one("DDD", {"max_shifts": {"D": 1}}), {"locked", "most_shifts"},
         ["at most 3 instead of 1 D for ann"]),
    Case("most nights", one("NN", {"max_nights": 1}), {"locked", "most_nights"},
         ["at most 2 instead of 1 night for ann"]),
    Case("most weekends", one(".....D.", {"max_weekends": 0}), {"locked", "most_weekends"},
         ["at most 1 instead of 0 weekends for ann"]),
    Case(
        "a night before leave",
        small_ward({"N": "00"}, demand=[needed(0, "N")], leave=leave(("ann", 1)), shift={"N": {"minutes": 600}}),
        {"minimum", "night_before_leave"},
        [f"one more nurse for N on {on(0)}", "a night before leave for everybody",
         f"giving up leave of ann on {on(1)} (for the manager to decide)"],
    ),
    Case(
        "leave that counts as hours: without it there are more to work",
        small_ward(
            {"D": "0000000"}, {"ann": {"contract": {"min_minutes": 2400, "leave_minutes": 480, "max_shifts": {"D": 3}}}},
            leave=leave(("ann", 0)),
        ),
        {"least_minutes", "most_shifts"},
        ["at least 32 h instead of 40 h for ann", "at most 4 instead of 3 D for ann"],
    ),
    Case(
        "two contradictions at once",
        small_ward(
            {"D": "00"}, {"ann": None, "ben": None}, demand=[needed(0), needed(1)],
            leave=leave(("ann", 0), ("ben", 0), ("ann", 1), ("ben", 1)),
        ),
        {"minimum", "leave"},
        [f"one more nurse for D on {on(0)}, {on(1)}", "giving up leave of "],
    ),
)  # fmt: skip


@table("case", CASES)
def test_each_rule_family(case: Case) -> None:
    found = explain(case.ward, seconds=HANGS_S)
    assert {ground.rule.kind for ground in found.grounds} == case.rules, _in_words(case.ward, found.grounds)
    told = [_given_up(case.ward, each) for each in found.relaxations]
    assert told[0].startswith(case.gives[0])
    for words in case.gives:
        assert [each for each in told if each.startswith(words)], told
    assert_holds(case.ward, found)


def assert_holds(ward: Ward, found: Explanation, *, with_cover: bool = True) -> None:
    """Against the model: the set is impossible, without any one of it possible, and each relaxation makes the ward so."""
    puzzle = Puzzle.of(Instance(ward), Deadline(inf))
    if with_cover:
        puzzle.hold_cover()
    assert puzzle.possible(found.grounds) is False
    assert found.is_smallest
    for ground in found.grounds:
        assert puzzle.possible([other for other in found.grounds if other != ground]), f"{ground} is not needed"
    for relaxation in found.relaxations:
        changed = Ward.model_validate(relaxation.applied(ward).model_dump())
        assert a_roster(changed, with_cover=with_cover, deadline=Deadline(inf)), _given_up(ward, relaxation)
        assert conflict(changed, with_cover=with_cover, seconds=HANGS_S) == []
        assert least_cost(changed) is not None


@given(wards(), st.booleans())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_small_ward(ward: Ward, with_cover: bool) -> None:
    found = explain(ward, with_cover=with_cover, seconds=HANGS_S)
    assert bool(found.grounds) == (a_roster(ward, with_cover=with_cover, deadline=Deadline(inf)) is None)
    if found.grounds:
        assert found.relaxations, _in_words(ward, found.grounds)
        assert_holds(ward, found, with_cover=with_cover)


def test_no_nearer_value_is_enough() -> None:
    ward = one("DDDDDD-", {"max_run": 2})
    first = explain(ward, seconds=HANGS_S).relaxations[0]
    assert first.applied(ward).nurses[0].contract.max_run == 6
    for fewer in (3, 4, 5):
        nurse = ward.nurses[0].model_copy(
            update={"contract": ward.nurses[0].contract.model_copy(update={"max_run": fewer})}
        )
        assert conflict(ward.changed(nurses=[nurse]), seconds=HANGS_S)


def test_the_order_is_cover_then_wish_like_then_contract_then_rest_then_the_managers() -> None:
    """Each of four nurses could work on Saturday but for one thing."""
    staff = {
        "ann": {"contract": {"max_weekends": 0}},
        "ben": {"contract": {"max_shifts": {"D": 0}}},
        "cleo": None,
        "dan": None,
    }
    ward = small_ward(
        {"D": "000000", "L": "000000"}, staff, leave=leave(("dan", 5)), locked=locked("cleo", "....L."),
        demand=[needed(5)], rules={"daily_rest_hours": 11},
    )  # fmt: skip
    found = [_given_up(ward, each) for each in explain(ward, seconds=HANGS_S).relaxations]
    assert found[:4] == [
        f"one more nurse for D on {on(5)}",
        "at most 1 instead of 0 weekends for ann",
        "at most 1 instead of 0 D for ben",
        "10 h of daily rest instead of 11 h for everybody",
    ]
    assert sorted(found[4:]) == [
        f"giving up leave of dan on {on(5)} (for the manager to decide)",
        f"giving up the settled cell of cleo on {on(4)} (for the manager to decide)",
    ]


def test_the_wards_own_weights_say_which_shift_is_filled_from_outside() -> None:
    rows = [needed(0, under_weight=900), needed(1, under_weight=200)]
    ward = small_ward({"D": "00"}, {"ann": {"contract": {"max_minutes": 480}}}, demand=rows)
    assert _given_up(ward, explain(ward, seconds=HANGS_S).relaxations[0]) == f"one more nurse for D on {on(1)}"


def test_nobody_is_asked_to_give_up_what_is_not_in_the_way() -> None:
    ward = small_ward({"D": "0"}, {"ann": None, "ben": None}, demand=[needed(0)], leave=leave(("ann", 0)))
    assert explain(ward, seconds=HANGS_S) == Explanation([], False, [])


def test_hard_rules_alone_say_nothing_of_cover() -> None:
    ward = small_ward(
        {"D": "00"}, {"ann": {"contract": {"min_minutes": 960}}}, demand=[needed(0), needed(1, minimum=2, target=2)],
        leave=leave(("ann", 0), paid=False),
    )  # fmt: skip
    found = explain(ward, with_cover=False, seconds=HANGS_S)
    assert [_given_up(ward, each) for each in found.relaxations] == [
        "at least 8 h instead of 16 h for ann",
        f"giving up leave of ann on {on(0)} (for the manager to decide)",
    ]
    assert_holds(ward, found, with_cover=False)


def test_of_many_nurses_those_in_conflict_are_looked_at_alone() -> None:
    """Ben's and Dan's own rules collide; whatever the twenty others do."""
    stuck = {"contract": {"min_minutes": 960, "max_shifts": {"D": 1}}}
    staff = {"ben": stuck, "dan": stuck, **{f"n{number}": None for number in range(20)}}
    ward = small_ward({"D": "1" * 14}, staff)
    found = explain(ward, with_cover=False, seconds=HANGS_S)
    assert _given_up(ward, found.relaxations[0]).count("instead of") == 2
    assert_holds(ward, found, with_cover=False)


def test_without_time_nothing_is_told() -> None:
    ward = CASES[0].ward
    assert explain(ward, seconds=0.0) == Explanation([], False, [])


class Ticking:
    """A clock that goes on by a second each time somebody looks at it."""

    seconds = 0.0

    def monotonic(self) -> float:
        self.seconds += 1
        return self.seconds


def test_with_less_time_less_is_told_and_nothing_untrue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline passes at one look at the clock after another: what is found by then holds."""
    for module in (grounds, explaining):
        monkeypatch.setattr(module, "time", Ticking())
    ward = CASES[-1].ward
    puzzle = Puzzle.of(Instance(ward), Deadline(inf))
    puzzle.hold_cover()
    told = []
    for seconds in (1, 2, 3, 5, 8, 13, 21, 34, 55, 1000):
        found = explain(ward.model_copy(), seconds=seconds)
        told.append(bool(found.grounds) + len(found.relaxations))
        assert not found.grounds or puzzle.possible(found.grounds) is False
        for relaxation in found.relaxations:
            assert a_roster(relaxation.applied(ward), with_cover=True, deadline=Deadline(inf))
    assert told[0] == 0 < told[-1]


def test_a_deadline_that_has_passed_builds_no_rules() -> None:
    puzzle = Puzzle.of(Instance(CASES[0].ward), Deadline(time.monotonic() - 1))
    assert (puzzle.grounds, puzzle.possible([])) == ([], None)


def test_leave_of_the_day_after_frees_the_night_before_it() -> None:
    ward = next(case.ward for case in CASES if case.id == "a night before leave")
    given = next(each for each in explain(ward, seconds=HANGS_S).relaxations if "leave of" in _given_up(ward, each))
    assert not given.applied(ward).leave


def test_a_ground_names_the_day_of_its_leave() -> None:
    found = explain(CASES[0].ward, seconds=HANGS_S)
    assert Ground(RuleId("leave"), "ann", CASES[0].ward.day(0)) in found.grounds
