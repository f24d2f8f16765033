"""Why a cell differs from the published roster: what would be wrong if it had stayed."""

import re
from typing import Any, NamedTuple

from roster_wards import ROWS, rows, ward_of_two
from tables import table

from wavegraph.tools.roster.answers.phrases import with_weekdays, worded
from wavegraph.tools.roster.checks.changes import MOST_EXPLAINED, explained_changes
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.ward.ward import Published, Ward


def repaired(published: dict[str, str], **ward: Any) -> Ward:
    made = ward_of_two(**{"demand": [], **ward})
    return made.model_copy(update={"published": Published(roster=rows(**published))})


class Case(NamedTuple):
    id: str
    published: dict[str, str]
    now: dict[str, str]
    ward: dict[str, Any]
    changed: list[tuple[str, str, str | None, str | None, str]]
    words: str


ALONE = {"day": "2026-11-24", "shift": "E", "minimum": 1, "target": 1}
CASES = [
    Case("nothing", ROWS, ROWS, {}, [], ""),
    Case("leave", ROWS, ROWS | {"ann": "E-EEE--EEEEE--"}, {"leave": [{"nurse": "ann", "day": "2026-11-24"}]},
         [("ann", "2026-11-24", "E", None, "leave")], "leave"),
    Case("leave from that shift", ROWS, ROWS | {"ann": "ELLEE--EEEEE--"},
         {"leave": [{"nurse": "ann", "day": f"2026-11-{day}", "shift": "E"} for day in (24, 25)]},
         [("ann", "2026-11-24", "E", "L", "leave"), ("ann", "2026-11-25", "E", "L", "leave")], "leave"),
    Case("settled", ROWS, ROWS | {"ann": "E-EEE--EEEEE--"},
         {"locked": [{"nurse": "ann", "day": "2026-11-24", "shift": None}]},
         [("ann", "2026-11-24", "E", None, "locked")], "settled"),
    Case("who steps in", ROWS | {"ben": "L-LLL--LLLLL--"}, {"ann": "E-EEE--EEEEE--", "ben": "LELLL--LLLLL--"},
         {"leave": [{"nurse": "ann", "day": "2026-11-24"}], "demand": [ALONE]},
         [("ann", "2026-11-24", "E", None, "leave"), ("ben", "2026-11-24", None, "E", "coverage")],
         "else: 0 nurses on E of 2026-11-24, at least 1 needed"),
    Case("a rest", ROWS | {"ann": "LLEEE--EEEEE--"}, ROWS | {"ann": "L-EEE--EEEEE--"}, {},
         [("ann", "2026-11-24", "L", None, "daily_rest")], "else: ann Ann has 8 h between L of 2026-11-24 and E"),
    Case("a wish", ROWS, ROWS | {"ann": "EEEEE--EEEE-E-"},
         {"wishes": [{"nurse": "ann", "day": "2026-12-04", "wants": False, "weight": 3}],
          "rules__complete_weekends": False, "fairness": {"wish_share": 0}},
         [("ann", "2026-12-04", "E", None, "cost"), ("ann", "2026-12-05", None, "E", "together")],
         "else it costs 3 more by the ward's own weights"),
    Case("a nurse without a published row", {"ben": ROWS["ben"]}, ROWS, {}, [], ""),
]  # fmt: skip


@table("case", CASES)
def test_each_changed_cell_has_its_reason(case: Case) -> None:
    ward, roster = repaired(case.published, **case.ward), rows(**case.now)
    found = explained_changes(ward, roster)

    assert [(each.nurse_id, each.day, each.before, each.now, each.kind) for each in found][:1] == case.changed[:1]
    assert [(each.nurse_id, each.day, each.before, each.now) for each in found] == [each[:4] for each in case.changed]
    assert any(case.words in each.reason for each in found) or not case.changed
    assert [worded(each.line(), "en") for each in found] == [with_weekdays(each.reason, "en") for each in found]
    in_hebrew = [worded(each.line({"ann": "Ann", "ben": "Ben"}), "he") for each in found]
    assert not re.findall(r"\b[a-z]{2,}", " ".join(in_hebrew))


def test_a_reason_is_what_the_checks_find_when_the_cell_is_put_back() -> None:
    case = next(each for each in CASES if each.id == "a rest")
    ward, roster = repaired(case.published, **case.ward), rows(**case.now)
    [change] = explained_changes(ward, roster)
    back = {**roster, "ann": rows(**case.published)["ann"]}

    assert check_compliance(ward, roster).breaches == []
    assert [f"else: {found.detail}" for found in check_compliance(ward, back).breaches] == [change.reason]


def test_without_a_published_roster_nothing_has_changed() -> None:
    assert explained_changes(ward_of_two(), rows(**ROWS)) == []


def test_of_very_many_changes_the_first_are_explained() -> None:
    months = {"days": 56, "nurses__0__contract": {}}
    found = explained_changes(repaired(dict.fromkeys(ROWS, "-" * 56), **months), rows(ann="E" * 56, ben="L" * 56))

    assert len(found) == 112
    assert {each.reason for each in found[MOST_EXPLAINED:]} == {"one of many changes"}
