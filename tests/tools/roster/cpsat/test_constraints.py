"""Each hard rule decides: with it the optimum is one thing, without it another. All worked out by hand."""

from dataclasses import dataclass

from roster_models import least_cost, on, small_ward
from tables import table

from wavegraph.tools.roster.problem.ids import RuleKind
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import MUST
from wavegraph.tools.roster.ward.ward import Ward

ALL_WEEK = {"D": "1111111"}


def contract(**fields: object) -> dict[str, object]:
    return {"ann": {"contract": fields}}


def tail(cells: str, **fields: object) -> dict[str, object]:
    return {"ann": {"contract": fields, "history": {"tail": [None if c == "-" else c for c in cells]}}}


@dataclass(frozen=True)
class Case:
    id: str
    rule: RuleKind
    ward: Ward
    cost: int
    """An uncovered shift costs 100, one nurse too many 1."""
    without: int


CASES = [
    Case("leave", "leave", small_ward(ALL_WEEK, leave=[{"nurse": "ann", "day": on(d)} for d in (1, 4)]), 200, 0),
    Case("leave-from-a-shift", "leave",
         small_ward({"E": "11", "L": "00"}, leave=[{"nurse": "ann", "day": on(0), "shift": "E"}]), 100, 0),
    # The night of the first day ends on the second, which is leave; that of the second may be worked by nobody either.
    Case("night-before-leave", "night_before_leave", small_ward({"N": "110"}, leave=[{"nurse": "ann", "day": on(1)}]), 200, 100),
    # Two of four hours' leave in a week, and least hours: one shift instead of three.
    Case("least-minutes-with-leave", "least_minutes", small_ward({"D": "0000000"}, contract(min_minutes=1200), leave=[{"nurse": "ann", "day": on(d), "paid": True} for d in (0, 1)]), 3, 0),
    Case("locked-off", "locked", small_ward(ALL_WEEK, locked=[{"nurse": "ann", "day": on(0), "shift": None}]), 100, 0),
    Case("locked-on", "locked", small_ward({"D": "0"}, locked=[{"nurse": "ann", "day": on(0), "shift": "D"}]), 1, 0),
    Case("succession", "succession", small_ward({"L": "10", "E": "01"}, shift={"L": {"not_followed_by": ["E"]}}), 100, 0),
    Case("succession-from-tail", "succession",
         small_ward({"E": "1", "L": "0"}, tail("L"), shift={"L": {"not_followed_by": ["E"]}}), 100, 0),
    Case("forward-rotation", "forward_rotation", small_ward({"L": "10", "E": "01"}, rules={"forward_only": True}), 100, 0),
    Case("a-kind-that-needs-a-skill", "shift_skill", small_ward({"D": "11"}, shift={"D": {"skill": "charge"}}), 200, 0),
    # DDD-DDD, at most three days of the kind in a row.
    Case("run-of-a-kind", "run", small_ward(ALL_WEEK, contract(runs=[{"shifts": ["D"], "most": 3}])), 100, 0),
    # 22:00 to 07:00 are nine hours.
    Case("daily-rest", "daily_rest", small_ward({"L": "10", "E": "01"}, rules={"daily_rest_hours": 11}), 100, 0),
    Case("daily-rest-derogated", "daily_rest",
         small_ward({"L": "10", "E": "01"}, rules={"daily_rest_hours": 11, "derogated_rest_hours": 9.5}), 100, 0),
    # A day's shift that ends at the next midnight leaves no rest to the early shift two days on.
    Case("daily-rest-past-a-day-off", "daily_rest",
         small_ward({"L": "100", "E": "001"}, shift={"L": {"minutes": 1440}}, rules={"daily_rest_hours": 18}), 100, 0),
    # 06:00 after the night to 07:00 a day later are 25 hours.
    Case("after-nights", "rest_after_nights", small_ward({"N": "100", "E": "001"}, rules={"rest_after_nights_hours": 46}), 100, 0),
    # One day off gives 40 hours.
    Case("weekly-rest", "weekly_rest", small_ward(ALL_WEEK, rules={"weekly_rest_hours": 35}), 100, 0),
    # Late, off, early gives 33 hours, less than the 35 asked for, so that it takes a second day off.
    Case("weekly-rest-short-day-off", "weekly_rest",
         small_ward({"L": "1110000", "E": "0000111"}, rules={"weekly_rest_hours": 35}), 100, 0),
    Case("max-run", "max_run", small_ward(ALL_WEEK, contract(max_run=4)), 100, 0),
    Case("max-run-from-tail", "max_run", small_ward({"D": "11"}, tail("DDDD", max_run=4)), 100, 0),
    Case("max-run-of-the-ward", "max_run", small_ward(ALL_WEEK, rules={"max_days_in_a_row": 3}), 100, 0),
    # NN-NN-N
    Case("nights-in-a-row", "max_night_run", small_ward({"N": "1111111"}, contract(max_night_run=2)), 200, 0),
    # Two days above need to reach three in a row.
    Case("min-run", "min_run", small_ward({"D": "0001000"}, contract(min_run=3)), 2, 0),
    Case("min-run-from-tail", "min_run", small_ward({"D": "0000"}, tail("-D", min_run=3)), 2, 0),
    # Rather one nurse too many than a second day uncovered.
    Case("min-days-off", "min_days_off", small_ward({"D": "1110111"}, contract(min_days_off=2)), 1, 0),
    Case("most-minutes", "most_minutes", small_ward(ALL_WEEK, contract(max_minutes=4 * 480)), 300, 0),
    Case("least-minutes", "least_minutes", small_ward({"D": "0000000"}, contract(min_minutes=1000)), 3, 0),
    Case("weekly-hours", "weekly_hours", small_ward(ALL_WEEK, rules={"weekly_hours": 40}), 200, 0),
    # Fourteen days with 56 hours behind: 80 - 56 = 24 hours are left.
    Case("weekly-hours-with-tail", "weekly_hours", small_ward(ALL_WEEK, tail("DDDDDDD"), rules={"weekly_hours": 40}), 400, 0),
    Case("most-of-a-kind", "most_shifts", small_ward(ALL_WEEK, contract(max_shifts={"D": 3})), 400, 0),
    Case("most-nights", "most_nights", small_ward({"N": "1111111"}, contract(max_nights=2)), 500, 0),
    Case("weekends", "most_weekends", small_ward(ALL_WEEK, contract(max_weekends=0)), 200, 0),
]  # fmt: skip


@table("case", CASES)
def test_rule_decides(case: Case) -> None:
    assert least_cost(case.ward) == case.cost
    assert least_cost(case.ward, without=[case.rule]) == case.without


def test_every_rule_has_a_case() -> None:
    kinds = [{rule.rule.kind for case in CASES for rule in declare(Instance(case.ward))} for declare in MUST]
    assert all(kinds)
    assert set().union(*kinds) == {case.rule for case in CASES}


def test_one_shift_a_day() -> None:
    assert least_cost(small_ward({"D": "1", "E": "1"})) == 100


def test_runs_at_the_ends_are_long_enough() -> None:
    """Nothing is known before day 0 and after the last: single days there break no shortest run."""
    assert least_cost(small_ward({"D": "1000001"}, contract(min_run=3))) == 0


def test_day_off_before_the_horizon_ends_a_run() -> None:
    assert least_cost(small_ward({"D": "1111"}, contract(max_run=4))) == 0


def test_a_tail_off_counts_towards_days_off() -> None:
    assert least_cost(small_ward({"D": "1"}, tail("D-", min_days_off=2))) == 100
    assert least_cost(small_ward({"D": "1"}, tail("D--", min_days_off=2))) == 0


def test_a_night_goes_on_with_its_run() -> None:
    assert least_cost(small_ward({"N": "11"}, rules={"rest_after_nights_hours": 46})) == 0


def test_two_rest_days_in_a_fortnight_make_the_average() -> None:
    """Seven days in a row: allowed where the fortnight that holds them has two days off, not with one."""
    assert least_cost(small_ward({"D": "11111110011111"}, rules={"weekly_rest_hours": 35})) == 0
    assert least_cost(small_ward({"D": "11111110111111"}, rules={"weekly_rest_hours": 35})) == 100


def test_clocks_going_forward_shorten_a_rest() -> None:
    """From 28 March 2027, 22:00 the evening before, to 09:00: eleven hours on the clock, ten in fact."""
    ward = small_ward({"L": "1000000", "E": "0100000"}, shift={"E": {"start": "09:00"}}, rules={"daily_rest_hours": 11})
    moved = {row.shift: row for row in ward.demand if row.target}
    spring = ward.model_copy(update={"start": moved["L"].day.replace(year=2027, month=3, day=27)})
    demand = [row.model_copy(update={"day": spring.day(ward.index(row.day))}) for row in ward.demand]
    assert least_cost(ward) == 0
    assert least_cost(spring.model_copy(update={"demand": demand})) == 100
