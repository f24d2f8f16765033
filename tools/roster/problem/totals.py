"""What should add up over a period: the one definition of `Total`.

    counted  = own + before               before: the history's count where the total is carried, else 0
    too few  = max(0, least - counted),   too many = max(0, counted - most)
    cost     = under_weight * too few + over_weight * too many

`own` are a nurse's shifts of the horizon (`assignments`), or its weekends with work on Saturday or Sunday
(`working_weekends`).
"""

from typing import Literal

from wavegraph.tools.roster.ward.ward import Nurse, Total

Kind = Literal["assignments", "working_weekends"]
Totals = list[tuple[Kind, Total, int]]
"""Each total of a nurse, with what counts before the period."""


def totals(nurse: Nurse) -> Totals:
    contract, history = nurse.contract, nurse.history
    each: tuple[tuple[Kind, Total | None, int], ...] = (
        ("assignments", contract.assignments, history.assignments),
        ("working_weekends", contract.working_weekends, history.weekends),
    )
    return [(kind, total, before if total.carried else 0) for kind, total, before in each if total is not None]
