"""A fair share: by contract hours, of what is demanded, the same for the solvers and the check."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roster_limits import with_pasts
from roster_models import cost_parts, small_ward
from roster_strategies import rosters, wards

from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.columns.recount import IndexedRoster, excess
from wavegraph.tools.roster.problem.fairness import PARTS, fair_shares, needed_nights, needed_weekends
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.ward.ward import Ward


def of(minutes: int | None, nights: int = 0, **contract: Any) -> dict[str, Any]:
    return {"contract": {"target_minutes": minutes, **contract}, "history": {"nights": nights}}


@dataclass(frozen=True)
class Case:
    id: str
    ward: Ward
    nights: dict[str, float]


TEN = "1" * 10
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
    Case("worked before", small_ward({"N": TEN}, {"ann": of(4800, nights=8), "ben": of(4800)}), {"ann": 4.0, "ben": 6.0}),
    Case("worked very much before", small_ward({"N": TEN}, {"ann": of(4800, nights=60), "ben": of(4800)}), {"ann": 0.0, "ben": 12.5}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_fair_share_of_ten_nights(case: Case) -> None:
    due = fair_shares(case.ward).nights
    assert {name: tenths / PARTS for name, tenths in due.items()} == case.nights


def test_rows_for_a_skill_are_contained_in_those_for_any_nurse() -> None:
    ward = small_ward({"N": "2211000"})
    skilled = [row.model_copy(update={"skill": "RN", "target": min(1, row.target)}) for row in ward.demand]
    assert needed_nights(ward.model_copy(update={"demand": [*ward.demand, *skilled]})) == 6


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
    """CP-SAT's model, the cost counted anew from the roster, and the check's shares times the price."""
    ward = data.draw(with_pasts(data.draw(wards())))
    roster = data.draw(rosters(ward))
    instance = Instance(ward)
    cells = [[None if s is None else instance.shift_index[s] for s in roster[nurse.id]] for nurse in ward.nurses]
    measured = check_empathy(ward, roster).shares
    above = {
        "night_excess": sum(max(0.0, share.nights_above or 0.0) for share in measured),
        "weekend_excess": sum(max(0.0, share.weekends_above or 0.0) for share in measured),
    }
    recounted = dict.fromkeys(above, 0.0)
    for kind, tenths in excess(IndexedRoster(instance, cells)):
        recounted[kind] += tenths / PARTS
    assert recounted == pytest.approx(above)
    if (parts := cost_parts(ward, roster, Penalties())) is not None:
        assert {kind: parts.get(kind, 0.0) for kind in above} == pytest.approx(
            {kind: 15 * amount for kind, amount in above.items()}
        )
