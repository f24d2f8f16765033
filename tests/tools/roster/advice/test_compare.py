"""Two rosters side by side."""

from datetime import date

from roster_wards import two, ward_of_two
from stored_rosters import THREE, known

from wavegraph.tools.roster.advice.compare import compare_rosters
from wavegraph.tools.roster.advice.records import Measure, RosterComparison


def figures(found: RosterComparison, *names: str) -> dict[tuple[str, str | None], tuple[float | None, float | None]]:
    def wanted(each: Measure) -> bool:
        return each.name in names

    return {(each.name, each.group): (each.before, each.now) for each in found.measures if wanted(each)}


def test_each_measure_of_both_and_the_cells() -> None:
    wish = {"nurse": "carl", "day": "2026-11-24", "wants": False, "weight": 7}
    more = {"day": "2026-11-24", "shift": "N", "minimum": 1, "target": 2}
    ward = ward_of_two(nurses=THREE, wishes=[wish], demand=[*two()["demand"], more], rules__shortage="linear")
    found = compare_rosters(known(ward, carl="-" * 14), known(ward, carl="-N------------"))

    assert found.changed_cells == 1
    assert found.cells is not None
    assert [(each.nurse, each.day, each.before, each.now) for each in found.cells] == [
        ("carl", date(2026, 11, 24), None, "N")
    ]
    assert figures(found, "cost", "cost of under", "cost of wishes") == {
        ("cost", None): (200, 107), ("cost of under", None): (200, 100), ("cost of wishes", None): (0, 7),
    }  # fmt: skip
    assert figures(found, "nurses missing to a minimum", "nurses missing to a target", "skills missing to a minimum") == {
        ("nurses missing to a minimum", None): (1, 0), ("nurses missing to a target", None): (0, 1),
        ("skills missing to a minimum", None): (1, 0),
    }  # fmt: skip
    assert figures(found, "wishes granted, weight", "wishes asked, weight") == {
        ("wishes granted, weight", None): (7, 0), ("wishes asked, weight", None): (7, 7),
    }  # fmt: skip
    assert figures(found, "nurses", "hours each", "nights each", "weekends each") == {
        ("nurses", "80 h"): (2, 2), ("hours each", "80 h"): (80, 80), ("nights each", "80 h"): (0, 0),
        ("weekends each", "80 h"): (0, 0), ("nurses", "40 h"): (1, 1), ("hours each", "40 h"): (0, 8),
        ("nights each", "40 h"): (0, 1), ("weekends each", "40 h"): (0, 0),
    }  # fmt: skip
    assert figures(found, "found: coverage", "found: wish") == {
        ("found: coverage", None): (1, 1), ("found: wish", None): (0, 1),
    }  # fmt: skip


def test_rosters_of_other_days_have_measures_and_no_cells() -> None:
    later = ward_of_two(start="2026-12-07", demand=[])
    found = compare_rosters(known(), known(later))

    assert (found.cells, found.changed_cells) == (None, None)
    assert (found.before.start, found.now.start) == (date(2026, 11, 23), date(2026, 12, 7))
    assert figures(found, "hours each") == {("hours each", "80 h"): (80, 80)}


def test_a_group_that_one_of_them_lacks_has_no_figure() -> None:
    agreed_nothing = [*two()["nurses"], {"id": "carl"}]
    found = compare_rosters(known(), known(ward_of_two(nurses=agreed_nothing), carl="E-------------"))

    assert figures(found, "hours each") == {
        ("hours each", "80 h"): (80, 80),
        ("hours each", "no hours agreed"): (None, 8),
    }
    assert found.changed_cells == 1
