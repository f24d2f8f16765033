"""The page of a roster: safe to open, well-formed, what is found leads to its place, and the numbers are the reports'."""

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from roster_pages import BROKEN, Opened, large_ward, made, of_two
from roster_wards import ROWS, rows

from wavegraph.app.roster.page.anchors import Sheet
from wavegraph.app.roster.page.words import LEVELS, LIMITS, RULES, TYPES, limit_rows, rule_rows, type_name
from wavegraph.tools.roster.answers.phrases import findings_in_words
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES
from wavegraph.tools.roster.ward.ward import Rules

EVIL = "<script>alert(1)</script> \"quoted\" & <b onclick='x'>bold</b>"
HEBREW = "מרים כהן"
SKILLED = {"day": "2026-11-24", "shift": "E", "skill": "pediatric", "minimum": 1, "target": 2}


def broken(**changes: Any) -> Opened:
    return of_two(cells=BROKEN, **changes)


@pytest.mark.parametrize("opened", [of_two(), broken(), of_two(made(), demand=[])], ids=["good", "broken", "no demand"])
def test_the_page_is_well_formed(opened: Opened) -> None:
    as_xml = ElementTree.fromstring(opened.html)
    assert len(list(as_xml.iter())) == len(opened.page.tags)
    ids = [attributes["id"] for _, attributes in opened.page.tags if "id" in attributes]
    assert Counter(ids).most_common(1)[0][1] == 1
    assert {head.get("scope") for head in opened.page.of("th")} <= {"col", "row", "colgroup"}


def test_the_page_needs_nothing_from_elsewhere() -> None:
    opened = broken()
    assert not {"link", "img", "iframe", "script", "form", "image", "use"} & {name for name, _ in opened.page.tags}
    assert not [name for _, given in opened.page.tags for name in given if name in ("src", "srcset", "style")]
    assert not re.search(r"https?:|url\(|@import", opened.html)
    assert "default-src 'none'; style-src 'unsafe-inline'" in [meta.get("content") for meta in opened.page.of("meta")]


@pytest.mark.parametrize("cells", [ROWS, BROKEN], ids=["good", "broken"])
def test_every_link_leads_to_something_on_the_page(cells: dict[str, str]) -> None:
    opened = of_two(made(), cells=cells)
    assert {link[0] for link in opened.links} <= {"#"}
    assert {link[1:] for link in opened.links} <= set(opened.by_id)


def test_what_breaks_with_the_days_after_leads_to_the_last_cell() -> None:
    opened = of_two(cells={**ROWS, "ann": "-------------N"}, followed_by={"roster": {"ann": ["E"]}, "version": "V2"})
    assert {link[1:] for link in opened.links} <= set(opened.by_id)
    assert [row[-1] for row in opened.page.tables["findings"] if "V2, which is published" in row[-1]]


def test_every_finding_has_a_row_that_leads_to_its_place() -> None:
    opened = broken()
    findings = [*opened.report.compliance.findings, *opened.report.empathy.findings]
    told = opened.page.tables["findings"]
    assert len(findings) >= 10
    assert sorted(row[-1] for row in told) == sorted(found.detail for found in findings)
    assert {f"f{n}" for n in range(1, len(findings) + 1)} <= set(opened.by_id)


def test_a_finding_and_its_cell_lead_to_each_other() -> None:
    opened = of_two(cells=ROWS | {"ben": "N" + ROWS["ben"][1:]})  # a night, and a late shift nine hours before it ends
    rest = next(n for n, row in enumerate(opened.page.tables["findings"], 1) if row[1] == TYPES["daily_rest"])
    cell = opened.html[opened.html.index('id="c1-1"') :]
    assert "#c1-1" in opened.links
    assert f'href="#f{rest}"' in cell[: cell.index("</td>")]
    assert "Daily rest too short: " in str(opened.by_id["c1-1"]["title"])


def test_a_shortage_is_shown_at_the_row_of_its_skill() -> None:
    opened = of_two(demand=[SKILLED | {"skill": None, "target": 1}, SKILLED], rules__charge_skill=None)
    assert opened.page.tables["coverage"] == [["", "1/1"] + 12 * [""], ["", "↓1/2"] + 12 * [""]]
    assert "#v1-1" in opened.links
    assert "#v0-1" not in opened.links
    assert "1 nurse with skill pediatric" in str(opened.by_id["v1-1"]["title"])


def test_a_shift_without_anyone_in_charge_is_shown_at_its_demand() -> None:
    opened = of_two(nurses__1__skills=["RN"])
    assert "#v2-0" in opened.links
    assert "nobody with skill charge on L" in str(opened.by_id["v2-0"]["title"])
    assert "count met found breach" in [link.get("class") for link in opened.page.of("a")]


def test_breaches_come_first_then_what_is_unfair() -> None:
    opened = broken()
    levels = [row[0] for row in opened.page.tables["findings"]]
    assert levels == sorted(levels, key=list(LEVELS.values()).index)
    assert {"breach", "unfair", "note"} <= set(levels)
    assert levels.count("breach") == len(opened.report.compliance.breaches)
    assert levels.count("breach") + levels.count("unfair") == len(opened.report.failing)


def test_what_failed_is_told_in_words_with_its_count() -> None:
    opened = broken()
    top = opened.html[opened.html.index('id="failed"') : opened.html.index('id="roster"')]
    kinds = Counter(found.type for found in opened.report.failing)
    assert len(kinds) > 5
    assert [kind for kind, n in kinds.items() if f"{type_name(kind)} <small>{n} found" not in top] == []


@pytest.mark.parametrize("cells", [ROWS, BROKEN], ids=["good", "broken"])
def test_every_cell_shows_its_shift(cells: dict[str, str]) -> None:
    opened = of_two(cells=cells)
    shown = [row[:-1] for row in opened.page.tables["roster"]]
    assert [[cell if cell in tuple("ELN") else "-" for cell in row] for row in shown] == [
        list(row) for row in cells.values()
    ]
    assert {f"c{nurse}-{day}" for nurse in range(2) for day in range(14)} <= set(opened.by_id)


@pytest.mark.parametrize(
    ("start", "place"), [("2026-11-23", "from-0"), ("2026-11-26", "from-3"), ("2026-11-29", "from-6")]
)
def test_a_narrow_screen_has_what_it_needs_to_lay_out_weeks(start: str, place: str) -> None:
    """Seven cells a line below the nurse's name: each says its day, and the first stands below its weekday."""
    opened = of_two(start=start, demand=[{"day": start, "shift": "E", "target": 1}], nurses__0__history__tail=["N"] * 5)
    rows = [[opened.by_id[f"c{nurse}-{day}"] for day in range(14)] for nurse in range(2)]
    rows += [[opened.by_id[f"v0-{day}"] for day in range(14)]]
    days = [f"{opened.ward.day(day):%a}"[:2] + f" {opened.ward.day(day).day}" for day in range(14)]
    for row in rows:
        assert [cell["data-day"] for cell in row] == days
        assert [place in (cell.get("class") or "").split() for cell in row] == [True] + [False] * 13
    columns = [cell["data-column"] for cell in opened.page.of("td") if "data-column" in cell]
    assert columns[:6] == ["Hours", "Nights", "Weekends", "Holidays", "Wishes", "Score"]


def test_the_verdicts_are_worded() -> None:
    assert {"PASS", "APPROVED", "Nothing failed"} <= set(of_two().page.texts)
    assert {"FAIL", "REJECTED", "What failed"} <= set(broken().page.texts)


def test_rest_that_is_owed_is_told_where_nothing_failed_and_what_it_means() -> None:
    """And every finding is counted by its level."""
    opened = of_two(cells={"ann": "EEEEL-EEEEE---", "ben": "LLLLL--LLLLL--"}, demand=[])
    levels = [placed.level for placed in Sheet(opened.ward, opened.roster, opened.report).placed]
    found = findings_in_words(opened.report.counts, "en")

    assert Counter(levels) == opened.report.counts == {"compensatory": 1, "warning": 2}
    assert found == (
        "Findings: 3 (rest owed 1, note 2). "
        "Rest is owed where one was shorter than its rule, which allows that if more rest follows."
    )
    assert f"No rule is broken, and the limits of fairness hold. {found}" in opened.page.texts
    assert found in opened.page.texts


def test_what_has_to_be_known_first_stands_at_the_top() -> None:
    opened = of_two(more={"note": "Kept as a draft."})
    assert opened.page.texts.index("Kept as a draft.") < opened.page.texts.index("PASS")
    assert "note" in [told.get("class") for told in opened.page.of("p")]
    assert "note" not in [told.get("class") for told in of_two().page.of("p")]


def test_leave_wishes_settled_cells_and_holidays_are_told() -> None:
    opened = of_two(
        leave=[{"nurse": "ann", "day": "2026-11-28"}, {"nurse": "ben", "day": "2026-11-24", "shift": "N"}],
        wishes=[
            {"nurse": "ann", "day": "2026-11-23", "shift": "E", "wants": True, "weight": 4},
            {"nurse": "ben", "day": "2026-11-23", "wants": False, "weight": 2},
        ],
        locked=[{"nurse": "ben", "day": "2026-11-25", "shift": "L"}],
        holidays=["2026-11-26"],
    )
    title = {anchor: str(opened.by_id[anchor]["title"]) for anchor in ("c0-0", "c1-0", "c0-5", "c1-1", "c1-2")}
    assert title["c0-0"] == "Ann, Mon 23 Nov: E 07:00–15:00; wish to work E (weight 4) granted"
    assert title["c1-0"] == "Ben, Mon 23 Nov: L 15:00–23:00; wish for a day off (weight 2) not granted"
    assert title["c0-5"] == "Ann, Sat 28 Nov: off; leave"
    assert title["c1-1"] == "Ben, Tue 24 Nov: L 15:00–23:00; cannot work N"
    assert title["c1-2"] == "Ben, Wed 25 Nov: L 15:00–23:00; settled: L"
    assert "Thursday 26 November 2026, public holiday" in [head.get("title") for head in opened.page.of("th")]
    assert opened.page.tables["roster"][0][5] == "leave"
    assert Counter(drawn["class"] for drawn in opened.page.of("svg"))["mark denied"] == 2  # one of them in the legend


def test_the_known_days_before_the_roster_stand_before_it() -> None:
    opened = of_two(nurses__0__history__tail=["N", None, "E"], nurses__1__history__tail=["L"])
    assert [row[:3] for row in opened.page.tables["roster"]] == [["N", "", "E"], ["", "", "L"]]
    assert [cell.get("title") for cell in opened.page.of("td")].count("not known") == 2


def test_the_fairness_table_has_the_reports_numbers() -> None:
    opened = of_two(
        wishes=[{"nurse": "ben", "day": "2026-11-23", "wants": False, "weight": 2}], holidays=["2026-11-26"]
    )
    scores = opened.report.empathy.scores
    assert opened.page.tables["fairness"] == [
        ["80 / 80", "0", "0", "1", "–", f"{scores['ann']:g}"],
        ["80 / 80", "0", "0", "1", "0 / 2", f"{scores['ben']:g}"],
    ]
    assert any(f"{opened.report.empathy.fairness:g} of 100" in text for text in opened.page.texts)


def test_the_cost_bound_and_gap_are_those_of_the_round_that_made_it() -> None:
    first = made(1, status="failed", failed=["fatigue_night"], cost=151.0, solver="optimal")
    texts = of_two(first, made(2)).page.texts
    assert texts[texts.index("Cost") + 1] == "165"
    assert texts[texts.index("Proven bound") + 1] == "151"
    assert texts[texts.index("Gap") + 1] == "8.5%"
    named = of_two(first, made(2), more={"iteration": 1}).page.texts
    assert named[named.index("Gap") + 1 :][:2] == ["0%", "proven: none is cheaper"]


def test_a_roster_of_no_round_has_the_wards_own_cost_and_no_bound() -> None:
    opened = of_two(made(1), cells=BROKEN)
    texts = opened.page.texts
    assert texts[texts.index("Cost") + 1] == f"{opened.report.cost.total:,}"
    assert texts[texts.index("Proven bound") + 1] == "–"


def test_what_was_changed_is_told_where_there_was_a_roster_to_keep_to() -> None:
    told = {"roster": rows(ann="LEEEE--EEEEE--")}
    texts = of_two(made(1), published=told).page.texts
    assert texts[texts.index("Cells changed") + 1] == "1"
    assert "Cells changed" not in of_two(made(1)).page.texts


def test_rounds_are_listed_with_what_was_raised() -> None:
    failed = made(1, status="failed", failed=["night_concentration"], cost=151.0)
    empty = made(3, status="no roster", cost=None, solver="unknown", roster_id=None)
    opened = of_two(failed, made(2, penalty_multipliers={"night_excess": 1.5, "overwork": 1.0}), empty)
    assert opened.page.tables["rounds"] == [
        ["1", "failed", "More nights than others", "0", "151", "151", "best in time", "10.00 s", "–"],
        ["2 (shown)", "passed", "–", "0", "165", "151", "best in time", "10.00 s", "night excess × 1.5"],
        ["3", "no roster", "–", "0", "–", "151", "none found in time", "10.00 s", "–"],
    ]


def test_a_search_is_drawn_to_the_end_of_its_round() -> None:
    traces = {1: [Point(0.5, 1000, 0), Point(2.5, 100, 10)], 2: [Point(1, 165, 20)]}
    opened = of_two(made(1, solver="optimal"), made(2), more={"traces": traces})
    labels = [drawn["aria-label"] for drawn in opened.page.of("svg") if drawn.get("class") == "search"]
    assert labels == [
        "Round 1: cost 1,000 to 100, bound 100, 10.00 s",
        "Round 2: cost 165 to 165, bound 20, 10.00 s",
    ]
    lines = [path["d"] for path in opened.page.of("path") if path.get("class") == "line cost"]
    assert lines == ["M50 250H250V500H1000V500", "M100 391H1000V391"]


def test_nothing_that_a_file_says_becomes_markup() -> None:
    opened = of_two(cells=BROKEN, name=EVIL, nurses__0__name=EVIL, nurses__1__grade=EVIL, shifts__0__name=EVIL)
    assert not opened.page.of("script")
    assert not [name for _, given in opened.page.tags for name in given if name.startswith("on")]
    assert EVIL in opened.page.texts
    assert "<script" not in opened.html


def test_names_run_in_their_own_direction_and_turn_nothing_else_round() -> None:
    opened = of_two(cells=BROKEN, name=HEBREW, nurses__0__name=HEBREW, nurses__1__name="Ben\u202e")
    assert {bdi["dir"] for bdi in opened.page.of("bdi")} == {"auto"}
    assert opened.page.texts.count(HEBREW) > 3
    assert "\u202e" not in opened.html


def test_a_large_ward_stays_small_and_whole() -> None:
    opened = Opened(*large_ward(60, 28), made())
    assert len(opened.html.encode()) < 1_000_000
    assert len(opened.page.tables["roster"]) == 60
    assert {len(row) for row in opened.page.tables["roster"]} == {7 + 28 + 1}


def test_every_rule_and_every_type_has_a_name() -> None:
    assert set(FINDING_TYPES) == set(TYPES)
    assert set(Rules.model_fields) == set(RULES)
    assert set(EmpathyLimits.model_fields) - {"allowed", "fatigue", "points"} == set(LIMITS)


def test_the_wards_rules_are_told() -> None:
    opened = of_two(
        rules={"daily_rest_hours": 10.5, "weekly_hours": 0, "charge_skill": "charge", "complete_weekends": False}
    )
    told = dict(rule_rows(opened.ward))
    limits = dict(limit_rows(opened.ward))
    assert [row[0] for row in opened.page.tables["rules"]] == [*told.values(), *limits.values()]
    assert told["Rest between two shifts"] == "10.5 h at least"
    assert told["Paid hours a week, on average"] == "not checked"
    assert told["Skill in charge, on every shift"] == "charge"
    assert told["Whole weekends on or off, as a wish"] == "not asked for"


def test_the_wards_limits_of_fairness_are_told() -> None:
    ward = of_two(fairness={"under_share": 0.3, "allowed": {"overwork": 1, "wish": None}}).ward
    told = dict(limit_rows(ward))
    assert told["Too many hours"] == "at most 1 found"
    assert told["Few wishes granted"] == "any number"
    assert told["Hours missing to the contract's, before it counts"] == "30%"
    assert told["Nights above a fair share, before it counts"] == "1.5"
