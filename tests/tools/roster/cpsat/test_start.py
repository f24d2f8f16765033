"""The must-rules before any price: a roster that keeps them, or the proof that none does and the fewest breaches."""

from patience import HANGS_S
from roster_models import on, small_ward

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.cpsat.start import MustRules, has_must_cover
from wavegraph.tools.roster.ward.ward import Roster, Ward

RESTED = {"max_days_in_a_row": 3, "daily_rest_hours": 11}
STAFF = {name: {"contract": {"max_nights": 3}} for name in ("ann", "ben", "cat", "dan", "eve")}


def week(minimum: int, **more: object) -> Ward:
    """Five nurses, days and nights of a week, with as many needed on each."""
    ward = small_ward({"D": "1111111", "N": "1111111"}, STAFF, rules=RESTED, **more)
    raised = [row.model_copy(update={"minimum": minimum, "target": minimum}) for row in ward.demand]
    return ward.changed(demand=raised)


def breaches(ward: Ward, roster: Roster | None) -> int:
    assert roster is not None
    found = check_compliance(ward, roster).breaches
    return sum(int(str(each.expected)) - int(str(each.actual)) for each in found)


def test_a_roster_without_a_breach_comes_before_any_price() -> None:
    ward = week(1)
    must = MustRules(ward, HANGS_S)
    assert breaches(ward, must.begin()) == 0
    assert must.least_breaches == 0


def test_what_cannot_be_kept_is_proven_and_the_fewest_breaches_are_left() -> None:
    ward = week(2)
    must = MustRules(ward, HANGS_S)
    off: Roster = {nurse.id: [None] * ward.days for nurse in ward.nurses}
    mended = must.mend(off)
    assert must.asked
    assert must.least_breaches > 0
    assert breaches(ward, mended) == must.least_breaches < breaches(ward, off)


def test_a_shift_without_anyone_in_charge_is_a_breach() -> None:
    staff = [{"id": "ann", "skills": ["charge"]}, {"id": "ben"}]
    away = [{"nurse": "ann", "day": on(1)}]
    ward = small_ward(
        {"D": "111"}, skills=["charge"], staff=staff, leave=away, rules={"charge_skill": "charge"}
    )  # fmt: skip
    must = MustRules(ward, HANGS_S)
    assert has_must_cover(ward)
    assert must.begin() is None
    assert must.least_breaches == 1


def test_a_ward_that_asks_for_no_minimum_has_nothing_to_begin_with() -> None:
    assert not has_must_cover(small_ward({"D": "111"}))


def test_the_same_work_gives_the_same_roster() -> None:
    ward = week(1)
    first, second = (MustRules(ward, HANGS_S, work=30.0) for _ in range(2))
    assert first.begin() == second.begin() is not None
    assert first.used == second.used > 0
