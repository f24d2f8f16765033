"""Each kind of penalty counts what its docstring says: optima and settled rosters worked out by hand."""

from dataclasses import dataclass
from typing import Any

from roster_models import cost_parts, least_cost, on, small_ward
from tables import table

from wavegraph.tools.roster.problem.prices import KINDS, NO_PENALTIES, Penalties
from wavegraph.tools.roster.ward.ward import Ward


def nurse(fatigue: float = 0.0, nights: int = 0, before: int = 0, tail: str = "", **contract: Any) -> dict[str, Any]:
    history = {"nights": nights, "target_minutes": before, "tail": [None if c == "-" else c for c in tail]}
    return {"fatigue": fatigue, "history": history, "contract": contract}


@dataclass(frozen=True)
class Case:
    id: str
    ward: Ward
    rows: dict[str, str]
    kind: str
    cost: float


def wish(day: int, shift: str | None, wants: bool) -> list[dict[str, Any]]:
    return [{"nurse": "ann", "day": on(day), "shift": shift, "wants": wants, "weight": 3}]


def pair(together: bool) -> list[dict[str, Any]]:
    return [{"first": "ann", "second": "ben", "together": together, "weight": 7}]


def told(**rows: str) -> dict[str, Any]:
    return {"roster": {name: [None if c == "-" else c for c in row] for name, row in rows.items()}, "weight": 4}


TWO = {"ann": nurse(), "ben": nurse()}
BY_HOURS = {"ann": nurse(target_minutes=2400), "ben": nurse(target_minutes=1200)}
OWN_SCALE = {"fatigue": {"high": 0.3, "per_night": 0.2, "high_run": 1}}
WEEK, NIGHTS, BOTH = {"D": "0000000"}, {"N": "0000000"}, {"D": "000", "N": "000"}
CASES = [
    Case("under", small_ward({"D": "21"}), {"ann": "DD"}, "uncovered", 100),
    Case("over", small_ward({"D": "10"}), {"ann": "DD"}, "over", 1),
    Case("wish-for-a-shift", small_ward({"D": "00"}, wishes=wish(1, "D", True)), {"ann": "D-"}, "wishes", 3),
    Case("wish-granted", small_ward({"D": "00"}, wishes=wish(1, "D", True)), {"ann": "-D"}, "wishes", 0),
    Case("wish-for-a-day-off", small_ward({"D": "00"}, wishes=wish(1, None, False)), {"ann": "-D"}, "wishes", 3),
    Case("apart", small_ward(BOTH, TWO, pairs=pair(False)), {"ann": "DD-", "ben": "DN-"}, "pairs", 7),
    Case("together", small_ward(BOTH, TWO, pairs=pair(True)), {"ann": "DD-", "ben": "DN-"}, "pairs", 7),
    Case("together-one-off", small_ward(BOTH, TWO, pairs=pair(True)), {"ann": "D--", "ben": "---"}, "pairs", 7),
    Case("changed", small_ward(BOTH, TWO, published=told(ann="DN-", ben="---")), {"ann": "DDD", "ben": "---"}, "changes", 8),
    Case("unchanged", small_ward(BOTH, TWO, published=told(ann="DN-")), {"ann": "DN-", "ben": "DDD"}, "changes", 0),
    # Score 75 on day 0, 65 after a day off.
    Case("tired-night", small_ward(NIGHTS, {"ann": nurse(0.75)}), {"ann": "N------"}, "fatigue_night", 20),
    Case("rested-night", small_ward(NIGHTS, {"ann": nurse(0.75)}), {"ann": "-N-----"}, "fatigue_night", 0),
    # 0.60 and two nights of 8 make 76 on the third.
    Case("tiring-nights", small_ward(NIGHTS, {"ann": nurse(0.6)}), {"ann": "NNN----"}, "fatigue_night", 20),
    # Saturday begins with 68 + 4, Sunday with 76.
    Case("tired-weekend", small_ward(WEEK, {"ann": nurse(0.98)}), {"ann": "---D-DD"}, "fatigue_weekend", 0),
    Case("very-tired-weekend", small_ward(WEEK, {"ann": nurse(0.7)}), {"ann": "DD-DDDD"}, "fatigue_weekend", 40),
    # The fourth and the fifth day in a row, both begun with 70 or more.
    Case("tired-run", small_ward(WEEK, {"ann": nurse(0.7)}), {"ann": "DDDDD--"}, "fatigue_high", 60),
    Case("tired-run-from-tail", small_ward(WEEK, {"ann": nurse(0.7, tail="DDD")}), {"ann": "D------"}, "fatigue_high", 30),
    # The fifth day in a row.
    Case("own-scale-night", small_ward(NIGHTS, {"ann": nurse(0.1)}, fairness=OWN_SCALE), {"ann": "NN-----"}, "fatigue_night", 20),
    Case("own-scale-run", small_ward(WEEK, {"ann": nurse(0.26)}, fairness=OWN_SCALE), {"ann": "DD-----"}, "fatigue_high", 30),
    Case("moderate-run", small_ward(WEEK, {"ann": nurse(0.4)}), {"ann": "DDDDD--"}, "fatigue_moderate", 12),
    Case("rested-run", small_ward(WEEK), {"ann": "DDDDD--"}, "fatigue_moderate", 0),
    # 40 hours agreed: none worked are five blocks; 24 + 8 are one too few.
    Case("no-hours", small_ward(WEEK, {"ann": nurse(target_minutes=2400)}), {"ann": "-------"}, "underutilization", 75),
    Case("few-hours", small_ward(WEEK, {"ann": nurse(target_minutes=2400)}), {"ann": "DDDD---"}, "underutilization", 15),
    Case("part-of-a-block", small_ward(WEEK, {"ann": nurse(target_minutes=2250)}), {"ann": "DDDD---"}, "underutilization", 0),
    Case("middle-of-bounds", small_ward(WEEK, {"ann": nurse(min_minutes=480, max_minutes=1440)}), {"ann": "DDD----"}, "overwork", 10),
    # Four nights are needed of two nurses: two are ann's, so four are two too many.
    Case("nights", small_ward({"N": "1111000"}, TWO), {"ann": "NNNN---", "ben": "-------"}, "night_excess", 30),
    # Three are needed: one and a half are hers.
    Case("half-a-night", small_ward({"N": "1110000"}, TWO), {"ann": "NN-----", "ben": "--N----"}, "night_excess", 7.5),
    # Ben has a third of the hours, so one of three nights.
    Case("nights-by-hours", small_ward({"N": "1110000"}, BY_HOURS), {"ann": "NN-----", "ben": "--N----"}, "night_excess", 0),
    Case("nights-per-head", small_ward({"N": "1110000"}, BY_HOURS), {"ann": "N------", "ben": "-NN----"}, "night_excess", 15),
    # What nobody needs makes nothing fair: two nights are needed, four are made.
    Case("surplus-nights", small_ward({"N": "1100000"}, TWO), {"ann": "NN-----", "ben": "NN-----"}, "night_excess", 30),
    Case("nights-nobody-needs", small_ward(NIGHTS, TWO), {"ann": "N------", "ben": "-------"}, "night_excess", 15),
    # Before, ann had 4 nights more than her share of 8: half of that is carried over.
    Case("nights-carried", small_ward({"N": "1111000"}, {"ann": nurse(nights=8), "ben": nurse()}), {"ann": "NN-----", "ben": "--NN---"}, "night_excess", 30),
    # A third of the 8 was hers by the hours of the periods before.
    Case("nights-carried-by-hours", small_ward({"N": "1111000"}, {"ann": nurse(nights=4, before=1200), "ben": nurse(nights=8, before=2400)}), {"ann": "NN-----", "ben": "--NN---"}, "night_excess", 0),
    Case("nights-of-those-who-may", small_ward({"N": "1111000"}, {"ann": nurse(), "ben": nurse(max_shifts={"N": 0})}), {"ann": "NNNN---", "ben": "-------"}, "night_excess", 0),
    # Who is promised no hours has no share.
    Case("nights-without-hours", small_ward({"N": "1111000"}, {"ann": nurse(), "ben": nurse(target_minutes=0)}), {"ann": "-------", "ben": "NNNN---"}, "night_excess", 0),
    Case("weekends", small_ward({"D": "00000100000011"}, TWO), {"ann": "-----DD-----D-", "ben": "-" * 14}, "weekend_excess", 7.5),
    Case("whole-weekends", small_ward({"D": "00000100000011"}, TWO, rules={"complete_weekends": True}), {"ann": "-----DD-----D-", "ben": "-" * 14}, "weekend_excess", 15),
    # Two holidays of one shift each, of two nurses: one is ann's.
    Case("holidays", small_ward(WEEK | {"D": "1100000"}, TWO, holidays=[on(0), on(1)]), {"ann": "DD-----", "ben": "-" * 7}, "holiday_excess", 15),
    Case("holidays-shared", small_ward(WEEK | {"D": "1100000"}, TWO, holidays=[on(0), on(1)]), {"ann": "D------", "ben": "-D-----"}, "holiday_excess", 0),
    Case("isolated", small_ward(WEEK), {"ann": "D-D--D-"}, "isolated_day_off", 5),
    Case("isolated-in-tail", small_ward(WEEK, {"ann": nurse(tail="D-")}), {"ann": "D------"}, "isolated_day_off", 5),
    Case("isolated-leave", small_ward(WEEK, leave=[{"nurse": "ann", "day": on(1)}]), {"ann": "D-D----"}, "isolated_day_off", 0),
    Case("half-weekend", small_ward(WEEK, rules={"complete_weekends": True}), {"ann": "-----D-"}, "incomplete_weekend", 5),
    Case("half-weekend-allowed", small_ward(WEEK), {"ann": "-----D-"}, "incomplete_weekend", 0),
]  # fmt: skip


@table("case", CASES)
def test_count(case: Case) -> None:
    roster = {name: [None if c == "-" else c for c in row] for name, row in case.rows.items()}
    parts = cost_parts(case.ward, roster, Penalties())
    assert parts is not None
    assert parts.get(case.kind, 0) == case.cost


def test_minimum_cover_costs_far_more_than_the_target() -> None:
    """One nurse, two days: the one with a minimum is covered, though the other one's target is dearer."""
    ward = small_ward({"D": "11"}, {"ann": nurse(max_minutes=480)})
    first, second = ward.demand
    rows = [first.model_copy(update={"minimum": 1, "under_weight": 1}), second.model_copy(update={"under_weight": 900})]
    assert least_cost(ward.model_copy(update={"demand": rows})) == 900


def test_a_breach_of_minimum_cover_is_priced() -> None:
    rows = [{"day": on(0), "shift": "D", "minimum": 2, "target": 2}]
    assert least_cost(small_ward({"D": "0"}, demand=rows)) == 100 + 20 * 100


def test_demand_for_a_skill_counts_only_those_who_have_it() -> None:
    staff = {"ann": {"skills": ["RN"]}, "ben": nurse()}
    rows = [{"day": on(0), "shift": "D", "skill": "RN", "target": 2}]
    assert least_cost(small_ward({"D": "0"}, staff, demand=rows, skills=["RN"])) == 100


def test_someone_in_charge_is_worth_another_nurse_too_many() -> None:
    """ben alone would do, but for the charge: ann comes too, as his day is settled."""
    staff = {"ann": {"skills": ["charge"]}, "ben": nurse()}
    settled = [{"nurse": "ben", "day": on(0), "shift": "D"}]
    ward = small_ward({"D": "1"}, staff, locked=settled, skills=["charge"], rules={"charge_skill": "charge"})
    assert least_cost(ward) == 1


def test_no_penalties_leaves_cover_and_wishes() -> None:
    roster = {"ann": ["D", None, "D", "D", "D", "D", "D"]}
    parts = cost_parts(small_ward(WEEK, {"ann": nurse(0.9)}, rules={"complete_weekends": True}), roster, NO_PENALTIES)
    assert parts is not None
    assert not parts.keys() & set(KINDS)


def test_no_wish_outweighs_a_minimum() -> None:
    """Ann's wish is the dearest there is, and she is the only one who can be there."""
    row = {"day": on(0), "shift": "D", "minimum": 1, "target": 1}
    ward = small_ward(
        {"D": "0"}, demand=[row], wishes=[{"nurse": "ann", "day": on(0), "wants": False, "weight": 10_000}]
    )
    assert least_cost(ward) == 10_000


def test_no_number_of_changes_outweighs_a_minimum() -> None:
    """She was told to be off, and who works here at all does so for thirty days: more of the dearest changes than a
    breach costs of the dearest wishes."""
    row = {"day": on(30), "shift": "D", "minimum": 1, "target": 1}
    ward = small_ward(
        {"D": "0" * 60}, {"ann": nurse(min_run=30)}, demand=[row], published={**told(ann="-" * 60), "weight": 10_000}
    )
    assert least_cost(ward) == 30 * 10_000
