"""A fair share: by contract hours, of what is demanded, the same for the solvers and the check."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roster_limits import with_pasts
from roster_models import cost_parts, on, small_ward
from roster_strategies import rosters, wards
from tables import table

from wavegraph.tools.roster.checks.cost import cost_by_kind
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.problem.fairness import PARTS, fair_shares, needed_nights, needed_weekends
from wavegraph.tools.roster.problem.prices import Penalties, Prices
from wavegraph.tools.roster.ward.ward import Ward


def of(minutes: int | None, nights: int = 0, **contract: Any) -> dict[str, Any]:
    return {"contract": {"target_minutes": minutes, **contract}, "history": {"nights": nights}}


@dataclass(frozen=True)
class Case:
    id: str
    ward: Ward
    nights: dict[str, float]


TEN, TWENTY = "1" * 10, "2" * 10
IN_CHARGE: dict[str, Any] = {"skills": ["charge"], "rules": {"charge_skill": "charge"}}


def lead(minutes: int | None, nights: int = 0, **contract: Any) -> dict[str, Any]:
    return {**of(minutes, nights, **contract), "skills": ["charge"]}


CASES = [
    Case("by hours", small_ward({"N": TEN}, {"full": of(9600), "most": of(7200), "half": of(4800)}), {"full": 4.5, "most": 3.4, "half": 2.3}),
    Case("a fifth", small_ward({"N": TEN}, {"full": of(4800), "fifth": of(960)}), {"full": 8.4, "fifth": 1.7}),
    Case("no hours said", small_ward({"N": TEN}, {"ann": None, "ben": None}), {"ann": 5.0, "ben": 5.0}),
    Case("some say none", small_ward({"N": TEN}, {"ann": of(4800), "ben": of(None)}), {"ann": 5.0, "ben": 5.0}),
    Case("the middle of bounds", small_ward({"N": TEN}, {"ann": of(None, min_minutes=1000, max_minutes=3000), "ben": of(3000)}), {"ann": 4.0, "ben": 6.0}),
    Case("one alone", small_ward({"N": TEN}, {"ann": of(4800)}), {"ann": 10.0}),
    Case("none needed", small_ward({"N": "0" * 10}, {"ann": of(4800), "ben": of(4800)}), {"ann": 0.0, "ben": 0.0}),
    Case("no nights by contract", small_ward({"N": TEN}, {"ann": of(4800), "ben": of(4800, max_nights=0)}), {"ann": 10.0}),
    Case("promised nothing", small_ward({"N": TEN}, {"ann": of(4800), "ben": of(0)}), {"ann": 10.0}),
    Case("nobody's hours", small_ward({"N": TEN}, {"ann": of(0), "ben": of(0)}), {}),
    Case("worked before", small_ward({"N": TEN}, {"ann": of(4800, nights=8), "ben": of(4800)}), {"ann": 3.0, "ben": 7.0}),
    Case("worked very much before", small_ward({"N": TEN}, {"ann": of(4800, nights=60), "ben": of(4800)}), {"ann": 0.0, "ben": 20.0}),
    Case("one may take charge", small_ward({"N": TWENTY}, {"ann": lead(4800), **dict.fromkeys("bcd", of(4800))}, **IN_CHARGE), {"ann": 10.0, "b": 3.4, "c": 3.4, "d": 3.4}),
    Case("by hours, among those who may", small_ward({"N": TWENTY}, {"ann": lead(4800), "ben": lead(2400), "c": of(4800), "d": of(9600)}, **IN_CHARGE), {"ann": 6.7, "ben": 3.4, "c": 3.4, "d": 6.7}),
    Case("most may take charge", small_ward({"N": TWENTY}, {**dict.fromkeys("abc", lead(4800)), "d": of(4800)}, **IN_CHARGE), dict.fromkeys("abcd", 5.0)),
    Case("only one may", small_ward({"N": TEN}, {"ann": lead(4800), "ben": of(4800)}, **IN_CHARGE), {"ann": 10.0, "ben": 0.0}),
    Case("who may works no nights", small_ward({"N": TEN}, {"ann": lead(4800, max_nights=0), "ben": of(4800)}, **IN_CHARGE), {"ben": 10.0}),
    Case("and had more before, too", small_ward({"N": TWENTY}, {"ann": lead(4800, 9), **dict.fromkeys("bcd", of(4800, 3))}, **IN_CHARGE), {"ann": 10.0, "b": 3.4, "c": 3.4, "d": 3.4}),
    Case("away all the time", small_ward({"N": TWENTY}, {"ann": lead(4800), "ben": lead(4800), "cem": of(4800)}, **IN_CHARGE, leave=[{"nurse": "ann", "day": on(day)} for day in range(10)]), {"ann": 0.0, "ben": 10.0, "cem": 10.0}),
]  # fmt: skip


@table("case", CASES)
def test_a_fair_share_of_ten_nights(case: Case) -> None:
    due = fair_shares(case.ward).nights
    assert {name: tenths / PARTS for name, tenths in due.items()} == case.nights


def test_rows_for_a_skill_are_contained_in_those_for_any_nurse() -> None:
    ward = small_ward({"N": "2211000"})
    skilled = [row.model_copy(update={"skill": "RN", "target": min(1, row.target)}) for row in ward.demand]
    assert needed_nights(ward.model_copy(update={"demand": [*ward.demand, *skilled]})) == 6


def test_the_scarcest_skill_has_its_share_first() -> None:
    """Ten nights of three: only dan may give anaesthetics on each, so ann, ben and dan need not share the charge by hours."""
    staff = {
        "ann": lead(4800),
        "ben": lead(4800),
        "dan": {**lead(4800), "skills": ["charge", "ICU"]},
        **dict.fromkeys("efg", of(4800)),
    }
    rows = [{"day": on(day), "shift": "N", "skill": "ICU", "target": 1} for day in range(10)]
    heads = [{"day": on(day), "shift": "N", "target": 3} for day in range(10)]
    ward = small_ward(
        {"N": "0" * 10}, staff, demand=[*heads, *rows], skills=["charge", "ICU"], rules={"charge_skill": "charge"}
    )
    assert fair_shares(ward).nights == {"ann": 40, "ben": 40, "dan": 100, "e": 40, "f": 40, "g": 40}


@dataclass(frozen=True)
class Balance:
    id: str
    nurses: dict[str, Any]
    due: dict[str, int | None]


def worked(minutes: int, agreed: int, target: int | None = 4800, **contract: Any) -> dict[str, Any]:
    return {
        "contract": {"target_minutes": target, **contract},
        "history": {"minutes": minutes, "target_minutes": agreed},
    }


BALANCES = [
    Balance("nothing known", {"ann": worked(0, 0), "ben": worked(0, 0)}, {"ann": 4800, "ben": 4800}),
    Balance("as agreed", {"ann": worked(9600, 9600), "ben": worked(4800, 4800)}, {"ann": 4800, "ben": 4800}),
    Balance("all worked less", {"ann": worked(9000, 9600), "ben": worked(4500, 4800)}, {"ann": 4800, "ben": 4800}),
    Balance("one worked more", {"ann": worked(10000, 9600), "ben": worked(9200, 9600)}, {"ann": 4600, "ben": 5000}),
    Balance("by contract hours", {"ann": worked(9600, 9600), "ben": worked(3600, 4800)}, {"ann": 4400, "ben": 5200}),
    Balance("one is new", {"ann": worked(10000, 9600), "ben": worked(9200, 9600), "new": worked(0, 0)}, {"ann": 4600, "ben": 5000, "new": 4800}),
    Balance("within the bounds", {"ann": worked(14000, 9600, min_minutes=4500), "ben": worked(5200, 9600, max_minutes=5000)}, {"ann": 4500, "ben": 5000}),
    Balance("no hours said", {"ann": worked(10000, 9600, None), "ben": worked(9200, 9600)}, {"ann": None, "ben": 5000}),
    Balance("no more than the check lets pass", {"ann": worked(96000, 9600), "ben": worked(0, 9600)}, {"ann": 3600, "ben": 5520}),
]  # fmt: skip


@table("case", BALANCES)
def test_hours_worked_more_than_by_everybody_are_carried(case: Balance) -> None:
    ward = small_ward({"D": "1111100"}, case.nurses)
    assert fair_shares(ward).minutes == case.due
    assert [
        share.minutes_due for share in check_empathy(ward, {name: [None] * 7 for name in case.nurses}).shares
    ] == list(case.due.values())


@pytest.mark.parametrize("owed", ["ann", "ben"])
def test_who_was_owed_hours_works_more_of_them(owed: str) -> None:
    """Each may work two or three days of five; one worked a week less than agreed before, the other a week more."""
    staff = {name: worked(2400 if name == owed else 7200, 4800, 1200) for name in ("ann", "ben")}
    found = solve(small_ward({"D": "1111100"}, staff), work=0.2).roster
    assert found is not None
    assert {name: sum(cell is not None for cell in found[name]) for name in staff} == {"ann": 2, "ben": 2, owed: 3}


@pytest.mark.parametrize(("whole", "needed"), [(True, 2 + 1), (False, 2 + 1 + 1)])
def test_weekends_that_are_whole_need_fewer_nurses(whole: bool, needed: int) -> None:
    staff = dict.fromkeys(("ann", "ben", "cem", "dora"))
    ward = small_ward({"D": "00000210000010"}, staff, rules={"complete_weekends": whole})
    assert needed_weekends(ward) == needed


def test_more_nights_than_are_needed_change_nobody_s_share() -> None:
    """Ben's three make ann's two no fairer."""
    ward = small_ward({"N": "1100000"}, {"ann": of(2400), "ben": of(2400)})
    few = {"ann": ["N", "N", *[None] * 5], "ben": [None] * 7}
    many = {**few, "ben": [*[None] * 4, "N", "N", "N"]}
    above = [check_empathy(ward, roster).shares[0].nights_above for roster in (few, many)]
    assert above == [1.0, 1.0]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_the_solvers_charge_what_the_check_measures(data: st.DataObject) -> None:
    """CP-SAT's model, the cost counted by hand, and the check's shares times the price."""
    ward = data.draw(with_pasts(data.draw(wards())))
    roster = data.draw(rosters(ward))
    measured = check_empathy(ward, roster).shares
    above = {
        "night_excess": sum(max(0.0, share.nights_above or 0.0) for share in measured),
        "weekend_excess": sum(max(0.0, share.weekends_above or 0.0) for share in measured),
        "holiday_excess": sum(max(0.0, share.holidays_above or 0.0) for share in measured),
    }
    prices = Prices.make(Penalties(), {})
    counted = cost_by_kind(ward, roster, prices)
    assert {kind: counted[kind] / prices.scale for kind in above} == pytest.approx(
        {kind: 15 * amount for kind, amount in above.items()}
    )
    if (parts := cost_parts(ward, roster, Penalties())) is not None:
        assert {kind: parts.get(kind, 0.0) for kind in above} == pytest.approx(
            {kind: 15 * amount for kind, amount in above.items()}
        )
