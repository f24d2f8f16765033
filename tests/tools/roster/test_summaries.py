"""What is told of a ward before it is solved."""

import pytest
from roster_models import small_ward

from wavegraph.tools.roster.summaries import staff_of


@pytest.mark.parametrize(("high", "tired"), [(0.7, ["ben 0.70"]), (0.5, ["ann 0.60", "ben 0.70"]), (0.8, [])])
def test_who_begins_tired_by_the_wards_own_scale(high: float, tired: list[str]) -> None:
    nurses = {"ann": {"fatigue": 0.6}, "ben": {"fatigue": 0.7}}
    ward = small_ward({"D": "1"}, nurses, fairness={"fatigue": {"high": high}})

    assert staff_of(ward, "a" * 64).tired == tired
