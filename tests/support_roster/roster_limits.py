"""Any limits of the empathy check, and wards whose nurses have hours agreed, a period behind them and a fatigue."""

from typing import Any

from hypothesis import strategies as st
from roster_strategies import maybe

from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits
from wavegraph.tools.roster.ward.ward import Ward

SHARES = st.sampled_from((0.0, 0.1, 0.15, 0.25, 1 / 3, 0.5))
HUNDREDTHS = st.integers(0, 100).map(lambda whole: whole / 100)
STEPS = st.sampled_from((0.0, 0.04, 0.08, 0.1, 0.25, 0.0375))


@st.composite
def limits(draw: st.DrawFn, most: int = 2) -> EmpathyLimits:
    fatigue: dict[str, Any] = {
        name: draw(STEPS) for name in ("per_day", "per_night", "per_quick_return", "per_day_off")
    }
    bounds = {name: draw(HUNDREDTHS) for name in ("high", "moderate")}
    runs = {name: draw(st.integers(1, 4)) for name in ("high_run", "moderate_run")}
    rest = draw(st.sampled_from((0.0, 8.0, 11.0, 16.0, 24.0)))
    allowed = {kind: draw(st.integers(0, most)) for kind in EmpathyLimits().allowed}
    return EmpathyLimits.model_validate(
        {
            "allowed": allowed,
            "under_share": draw(SHARES),
            "over_share": draw(SHARES),
            "shift_minutes": draw(st.sampled_from((0, 100, 480))),
            "nights_over_mean": draw(st.sampled_from((0.0, 0.5, 1.0, 1.5))),
            "weekends_over_mean": draw(st.sampled_from((0.0, 0.5, 1.0))),
            "holidays_over_mean": draw(st.sampled_from((0.0, 0.5, 1.0))),
            "history_share": draw(SHARES),
            "fatigue": {**fatigue, **bounds, **runs, "quick_return_hours": rest},
        }
    )


@st.composite
def with_pasts(draw: st.DrawFn, ward: Ward) -> Ward:
    """The ward with fatigue, hours agreed and a period before, drawn for each nurse."""
    data = ward.model_dump()
    for nurse in data["nurses"]:
        nurse["fatigue"] = draw(HUNDREDTHS)
        nurse["contract"]["target_minutes"] = draw(maybe(st.integers(0, 8).map(lambda shifts: 480 * shifts)))
        nurse["history"]["nights"] = draw(st.integers(0, 4))
        nurse["history"]["weekends"] = draw(st.integers(0, 3))
        nurse["history"]["holidays"] = draw(st.integers(0, 2))
        nurse["history"]["target_minutes"] = draw(st.sampled_from((0, 1200, 2400)))
        nurse["history"]["minutes"] = draw(st.sampled_from((0, 960, 2400, 4800)))
    return Ward.model_validate(data)
