"""Each change as it is typed, and the ward that it makes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import pytest
from roster_models import on, small_ward

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.what_if.changes import changed, same_days

STAFF = {
    "ann": {"name": "Ann", "skills": ["rn"], "contract": {"max_nights": 3}},
    "בת-שבע": {"name": "Batsheva", "contract": {"max_minutes": 2400}},
    "cy": {"name": "Ann", "skills": ["rn"]},
}
WARD = small_ward(
    {"D": "1111111", "N": "1111111"},
    STAFF,
    skills=["rn", "lead"],
    rules={"max_days_in_a_row": 6, "full_time_hours": 40},
    demand=[
        *({"day": on(day), "shift": "N", "minimum": 1, "target": 2} for day in range(7)),
        {"day": on(0), "shift": "D", "skill": "rn", "minimum": 1, "target": 1},
    ],
    leave=[{"nurse": "ann", "day": on(2)}],
    wishes=[{"nurse": "ann", "day": on(3), "wants": True}, {"nurse": "cy", "day": on(3), "wants": False}],
    locked=[{"nurse": "ann", "day": on(4), "shift": "N"}],
    pairs=[{"first": "ann", "second": "cy", "together": False}],
    published={"roster": {"ann": [None] * 7, "cy": [None] * 7}},
)


def other(name: str) -> Ward:
    return same_days(WARD, small_ward({"D": "1" * int(name)}))


def nights(ward: Ward) -> list[tuple[int, int]]:
    """Minimum and target, day by day."""
    return [(row.minimum, row.target) for row in ward.demand if row.shift == "N"]


def terms(ward: Ward, nurse: str) -> dict[str, object]:
    return next(each for each in ward.nurses if each.id == nurse).contract.model_dump(exclude_defaults=True)


@dataclass(frozen=True)
class Case:
    text: str
    look: Callable[[Ward], object]
    expected: object


CASES = (
    Case("add-nurse ann", lambda w: (w.nurses[-1].id, w.nurses[-1].skills, terms(w, "new_1")),
         ("new_1", ["rn"], {"max_nights": 3})),
    Case("add-nurse Batsheva, lead, rn", lambda w: (w.nurses[-1].skills, terms(w, "new_1")),
         (["lead", "rn"], {"max_minutes": 2400})),
    Case("add-nurse 32h, rn", lambda w: terms(w, "new_1"), {"target_minutes": 1920, "max_minutes": 1920}),
    Case("add-nurse 75%", lambda w: terms(w, "new_1"), {"target_minutes": 1800, "max_minutes": 1800}),
    Case("add-nurse 75%; add-nurse ann", lambda w: [each.id for each in w.nurses[-2:]], ["new_1", "new_2"]),
    Case("drop-nurse ann", lambda w: ([n.id for n in w.nurses], w.leave, len(w.wishes), w.locked, w.pairs),
         (["בת-שבע", "cy"], [], 1, [], [])),
    Case("drop-nurse ann", lambda w: list(w.published.roster) if w.published else None, ["cy"]),
    Case("demand N saturday -1", nights, [(1, 2)] * 5 + [(0, 1)] + [(1, 2)]),
    Case("demand N weekends -2", nights, [(1, 2)] * 5 + [(0, 0)] * 2),
    Case("demand N monday,tuesday +1", nights, [(2, 3)] * 2 + [(1, 2)] * 5),
    Case(f"demand N {on(1)}..{on(2)} 1", nights, [(1, 2)] + [(1, 1)] * 2 + [(1, 2)] * 4),
    Case(f"demand N {on(6)} 0", nights, [(1, 2)] * 6 + [(0, 0)]),
    Case("demand N -1", nights, [(0, 1)] * 7),
    Case("demand D rn monday 0", lambda w: [(r.minimum, r.target) for r in w.demand if r.skill == "rn"], [(0, 0)]),
    Case("demand D sunday 2", lambda w: [(r.day, r.target) for r in w.demand if (r.shift, r.skill) == ("D", None)],
         [(date.fromisoformat(on(6)), 2)]),
    Case(f"leave Batsheva {on(0)}..{on(1)}", lambda w: sum(row.nurse == "בת-שבע" for row in w.leave), 2),
    Case("leave Bat 23.11.2026..24.11.2026", lambda w: sum(row.nurse == "בת-שבע" for row in w.leave), 2),
    Case(f"leave ann {on(3)}..{on(4)}", lambda w: (len(w.leave), len(w.wishes), w.locked), (3, 1, [])),
    Case(f"no-leave ann {on(2)}", lambda w: w.leave, []),
    Case("rules.max_days_in_a_row=5", lambda w: w.rules.max_days_in_a_row, 5),
    Case("rules.max_days_in_a_row = null", lambda w: w.rules.max_days_in_a_row, None),
    Case("rules.shortage=convex", lambda w: w.rules.shortage, "convex"),
    Case("ann.max_nights=2", lambda w: terms(w, "ann"), {"max_nights": 2}),
    Case("Batsheva.contract.max_run=4", lambda w: terms(w, "בת-שבע"), {"max_minutes": 2400, "max_run": 4}),
    Case('cy.max_shifts={"N": 0}', lambda w: terms(w, "cy"), {"max_shifts": {"N": 0}}),
    Case("ward 7", lambda w: [each.id for each in w.nurses], ["ann"]),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text)
def test_a_change_as_it_is_typed(case: Case) -> None:
    before = WARD.model_dump()
    assert case.look(changed(WARD, case.text, other)) == case.expected
    assert WARD.model_dump() == before


REFUSED = {
    "": "1 to 200 characters",
    "demand N -1;": "parted by",
    "x" * 201: "1 to 200 characters",
    "ad-nurse ann": "did you mean add-nurse?",
    "add-nurse": "LIKE is a nurse",
    "add-nurse dora": "“dora” is no nurse of this ward; these are: ann",
    "add-nurse Ann": "“Ann” is more than one nurse: ann",
    "add-nurse ann, icu": "one of the ward's skills: rn, lead",
    "drop-nurse zed": "“zed” is no nurse of this ward",
    "drop-nurse ann; drop-nurse cy; drop-nurse Batsheva": "at least one nurse to stay",
    "demand": "demand SHIFT",
    "demand Q -1": "a shift of D, N",
    "demand N tomorrow -1": "2026-12-07..2026-12-13",
    "demand N 2027-01-01 -1": "days from 2026-11-23 to 2026-11-29",
    "demand N many": "N such as -1 or 2",
    "demand D tuesday -1": "nobody can be taken off",
    "rules.max_consecutive_days=6": "one of the fields",
    "rules.max_days_in_row=6": "did you mean max_days_in_a_row?",
    "rules.max_days_in_a_row=six": "max_days_in_a_row",
    "rules.max_days_in_a_row=0": "greater than or equal to 1",
    "rules.charge_skill=boss": "one of the ward's skills",
    "ann.max_run=0": "greater than or equal to 1",
    "ann.min_minutes=99999": "the longest shift",
    "ward 3": "7 days from 2026-11-23; it has 3",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_read_is_refused_with_what_is_expected(text: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        changed(WARD, text, other)
    assert refused.value.code == ("outside_period" if "2027-01-01" in text else "bad_change")
    assert REFUSED[text] in refused.value.message


def test_days_that_the_ward_does_not_have_are_told_with_those_it_has() -> None:
    with pytest.raises(ToolRefusal) as refused:
        changed(WARD, "leave ann 2026-12-05..2026-12-06", other)
    assert refused.value.code == "outside_period"
    assert refused.value.about == {"first": "2026-11-23", "last": "2026-11-29"}


def test_a_percentage_needs_a_full_contract() -> None:
    with pytest.raises(ToolRefusal, match="full_time_hours"):
        changed(small_ward({"D": "1"}), "add-nurse 50%", other)
