"""One violation planted into a roster without any: it is found, at its place and level, and nothing else is."""

import re
from dataclasses import dataclass, field
from typing import Any

from roster_wards import ROWS, rows, two, ward_of_two
from tables import table

from wavegraph.tools.roster.answers.phrases import with_weekdays, worded
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.ward.fairness_limits import EmpathyLimits
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES


@dataclass(frozen=True)
class Case:
    id: str
    type: str
    nurse: str | None
    day: str | None
    words: str
    """In the detail."""
    ann: str = ROWS["ann"]
    ben: str = ROWS["ben"]
    level: str = "breach"
    ward: dict[str, Any] = field(default_factory=dict)


COMPLIANCE = [
    Case("too few", "coverage", None, "2026-11-23", "0 nurses on L", ben="-LLLL--LLLLL--",
         ward={"rules__charge_skill": None}),
    Case("below target", "coverage", None, "2026-11-23", "1 nurse on E of 2026-11-23, 2 wanted", level="warning",
         ward={"demand__0__target": 2}),
    Case("skill below minimum", "skill_mix", None, "2026-11-23", "0 nurses with skill pediatric",
         ann=ROWS["ben"], ben=ROWS["ann"]),
    Case("nobody in charge", "skill_mix", None, "2026-11-23", "nobody with skill charge on L",
         ward={"nurses__1__skills": ["RN"]}),
    Case("late to early", "daily_rest", "ann", "2026-11-25", "8 h between L of 2026-11-24 and E of 2026-11-25",
         ann="ELEEE--EEEEE--"),
    Case("late to early, derogated", "daily_rest", "ann", "2026-11-25", "11 h needed", level="compensatory",
         ann="ELEEE--EEEEE--", ward={"rules__derogated_rest_hours": 8}),
    Case("late to early, less than derogated", "daily_rest", "ann", "2026-11-25", "8 h between",
         ann="ELEEE--EEEEE--", ward={"rules__derogated_rest_hours": 9}),
    Case("late in the tail", "daily_rest", "ann", "2026-11-23", "L of 2026-11-22 and E of 2026-11-23",
         ward={"nurses__0__history": {"tail": [None, "L"]}}),
    Case("days off too short", "weekly_rest", "ann", "2026-11-29", "32 h at most", ann="EEEEL-EEEEL-EE"),
    Case("average of two weeks", "weekly_rest", "ann", "2026-11-29", "average of fourteen days holds",
         ann="EEEEL-EEEEE---", level="compensatory"),
    Case("weekly hours", "weekly_hours", "ann", None, "works 44 h a week", ann="EEEEEE-EEEEE--",
         ward={"rules__weekly_hours": 42}),
    Case("weekly hours with the tail", "weekly_hours", "ann", None, "over 15 days",
         ward={"rules__weekly_hours": 40.5, "nurses__0__history": {"tail": ["E"]}}),
    Case("a shift without its skill", "shift_skill", "ben", "2026-11-24", "works E on 2026-11-24 without the skill pediatric",
         ben="LELLL--LLLLL--", ward={"shifts__0__skill": "pediatric", "rules__daily_rest_hours": 0}),
    Case("a step back", "succession", "ann", "2026-11-25", "a step back from L the day before",
         ann="ELEEE--EEEEE--", ward={"rules__forward_only": True, "rules__daily_rest_hours": 0}),
    Case("days in a row", "consecutive_days", "ann", "2026-11-28", "works 6 days in a row", ann="EEEEEE-EEEE---",
         ward={"rules__max_days_in_a_row": 5}),
    Case("days in a row with the tail", "consecutive_days", "ann", "2026-11-27", "works 6 days in a row from 2026-11-22",
         ward={"rules__max_days_in_a_row": 5, "nurses__0__history": {"tail": ["E"]}}),
    Case("nights in a row", "consecutive_nights", "ann", "2026-12-03", "works 4 nights in a row", ann="EEEEE--NNNN---"),
    Case("nights in a row by contract", "consecutive_nights", "ann", "2026-12-02", "at most 2", ann="EEEEE--NNN----",
         ward={"nurses__0__contract__max_night_run": 2}),
    Case("rest after nights", "rest_after_nights", "ann", "2026-12-03", "32 h between N of 2026-12-01 and L",
         ann="EEEEE--NN-L---"),
    Case("one night is a run", "rest_after_nights", "ann", "2026-12-02", "40 h between N", ann="EEEEE--N-NN---"),
    Case("succession", "succession", "ann", "2026-12-03", "works N on 2026-12-03, the day after E", ann="EEEEE--EEEN---",
         ward={"shifts__0__not_followed_by": ["N"]}),
    Case("succession from the tail", "succession", "ann", "2026-11-23", "the day after E",
         ann="LLLLL--LLLLL--", ben="EEEEE--EEEEE--",
         ward={"nurses__0__history": {"tail": ["E"]}, "shifts__0__not_followed_by": ["L"],
               "nurses__1__skills": ["RN", "charge", "pediatric"]}),
    Case("leave", "leave", "ben", "2026-11-24", "works L on 2026-11-24",
         ward={"leave": [{"nurse": "ben", "day": "2026-11-24"}, {"nurse": "ben", "day": "2026-11-28"}]}),
    Case("leave from one shift", "leave", "ben", "2026-11-24", "works L on 2026-11-24, which is leave",
         ward={"leave": [{"nurse": "ben", "day": "2026-11-24", "shift": "L"},
                         {"nurse": "ben", "day": "2026-11-25", "shift": "N"}]}),
    Case("locked to work", "locked", "ann", "2026-11-28", "has a day off on 2026-11-28, settled as E",
         ward={"locked": [{"nurse": "ann", "day": "2026-11-28", "shift": "E"}]}),
    Case("locked off", "locked", "ann", "2026-11-27", "settled as a day off",
         ward={"locked": [{"nurse": "ann", "day": "2026-11-27", "shift": None}]}),
    Case("too few hours", "contract_hours", "ann", None, "works 80 h, at least 88 h",
         ward={"nurses__0__contract__min_minutes": 5280}),
    Case("too many hours", "contract_hours", "ann", None, "works 80 h, at most 72 h",
         ward={"nurses__0__contract__max_minutes": 4320}),
    Case("too many of a shift", "contract_shifts", "ann", None, "works 10 shifts E, at most 9",
         ward={"nurses__0__contract__max_shifts": {"E": 9, "N": 0}}),
    Case("too many nights", "contract_shifts", "ann", None, "works 1 night, at most 0", ann="EEEEE--EEEEN--",
         ward={"nurses__0__contract__max_nights": 0}),
    Case("run too long", "run_length", "ann", "2026-11-27", "at most 4", ann="EEEEE--EEEE---",
         ward={"nurses__0__contract__max_run": 4}),
    Case("run too short", "run_length", "ann", "2026-12-04", "has 1 day in a row", ann="EEEEE--EE--E--",
         ward={"nurses__0__contract__min_run": 2}),
    Case("run cut off after the tail", "run_length", "ann", "2026-11-23", "has 1 day in a row from 2026-11-22",
         ann="--EEE--EEEEE--", ben="LLLLL--LLLLL--",
         ward={"nurses__0__contract__min_run": 2, "nurses__0__history": {"tail": [None, "E"]}, "demand": []}),
    Case("days off too few", "days_off", "ann", "2026-11-28", "has 1 day off in a row", ann="EEEEE-EEEE----",
         ward={"nurses__0__contract__min_days_off": 2}),
    Case("too many weekends", "weekends", "ann", "2026-12-05", "works 2 weekends", ann="EEEEEE-EEEEEE-",
         ward={"nurses__0__contract__max_weekends": 1}),
]  # fmt: skip

TWO_WEEKENDS = [*two()["demand"], *({"day": day, "shift": "E", "target": 1} for day in ("2026-11-28", "2026-12-05"))]
EMPATHY = [
    Case("half the hours", "underutilization", "ann", None, "40 h, 80 h by contract", ann="EEEEE---------"),
    Case("no shift at all", "underutilization", "ann", None, "no shift at all", ann="--------------"),
    Case("too many hours", "overwork", "ann", None, "96 h, 80 h by contract", ann="EEEEEE--EEEEEE",
         ward={"rules__complete_weekends": False, "fairness__weekends_over_mean": 2}),
    Case("nights on one", "night_concentration", "ann", None, "3 nights, 3 above the fair share of 0", ann="EEEEE--NNN----",
         ward={"nurses__0__history": {"nights": 1}}),
    Case("weekends with the period before", "weekend_concentration", "ann", None, "2 weekends, 1.2 above the fair share of 0.8",
         ann="EEE--EEEEE--EE", ward={"nurses__0__history": {"weekends": 1}, "demand": TWO_WEEKENDS}),
    Case("every holiday", "holiday_concentration", "ann", None, "2 public holidays, 1 above the fair share of 1",
         ben="LLLL---LLLLL--", ward={"holidays": ["2026-11-23", "2026-11-27"], "fairness__holidays_over_mean": 0.5}),
    Case("tired and on", "fatigue_high", "ann", "2026-11-26", "score of 0.82", ann="EEEE---EEE----",
         ward={"nurses__0__fatigue": 0.7, "nurses__0__contract__target_minutes": 3360}),
    Case("moderately tired", "fatigue_moderate", "ann", "2026-11-27", "score of 0.56", ann="EEEEE--EEEE---",
         ward={"nurses__0__fatigue": 0.4}),
    Case("tired by quick returns", "fatigue_moderate", "ann", "2026-11-27", "score of 0.40", ann="LELEE--EEEE---",
         ward={"nurses__0__fatigue": 0.08}),
    Case("tired on a Saturday", "fatigue_weekend", "ann", "2026-11-28", "score of 0.80", ann="EEE--E--EEE---",
         ward={"nurses__0__fatigue": 0.9, "nurses__0__contract__target_minutes": 3360,
               "rules__complete_weekends": False}),
    Case("tired at night", "fatigue_night", "ann", "2026-11-23", "begins N of 2026-11-23", ann="N--EE---EEEE--",
         ward={"nurses__0__fatigue": 0.7, "nurses__0__contract__target_minutes": 3360}),
    Case("wishes", "wish", "ann", None, "weight 1 of 4 granted",
         ward={"wishes": [{"nurse": "ann", "day": "2026-11-23", "wants": False, "weight": 3},
                          {"nurse": "ann", "day": "2026-11-24", "shift": "E", "wants": True, "weight": 1}]}),
    Case("single day off", "isolated_day_off", "ann", "2026-11-25", "single day off", ann="EE-EE--EEEEE--"),
    Case("single day off with leave from a shift", "isolated_day_off", "ann", "2026-11-25", "single day off",
         ann="EE-EE--EEEEE--", ward={"leave": [{"nurse": "ann", "day": "2026-11-25", "shift": "E"}]}),
    Case("half a weekend", "incomplete_weekend", "ann", "2026-11-28", "only the Saturday", ann="EEE--E--EEEE--"),
    Case("a single late", "unwelcome_run", "ann", "2026-11-25", "1 L in a row from 2026-11-25, at least 2 wanted",
         ann="EELEE--EEEEE--",
         ward={"nurses__0__contract__runs": [{"shifts": ["L"], "least": 2, "weight": 5}]}),
    Case("late and early of a weekend", "mixed_weekend", "ann", "2026-11-29", "different shifts on the weekend of 2026-11-28",
         ann="--EEEEL--EEE--", ward={"rules__mixed_weekend_weight": 5}),
    Case("few shifts in all", "unwelcome_total", "ann", None, "10 assignments, at least 12 wanted",
         ward={"nurses__0__contract__assignments": {"least": 12}}),
    Case("weekends with those before", "unwelcome_total", "ann", None, "3 working weekends, at most 2 wanted",
         ward={"nurses__0__contract__working_weekends": {"most": 2, "carried": True},
               "nurses__0__history": {"weekends": 3, "target_minutes": 4800},
               "nurses__1__history": {"weekends": 3, "target_minutes": 4800}}),
    Case("late, then early", "backward_rotation", "ann", "2026-11-25", "a step back from L the day before",
         ann="ELEEE--EEEEE--", ward={"rules__backward_weight": 5}),
    Case("lates of one nurse", "shift_concentration", "ben", None, "works 10 of L, 1 by contract hours",
         ward={"rules__balanced": [{"shifts": ["L"]}]}),
    Case("pair to keep apart", "pair", "ann", "2026-11-23", "work together", ben="ELLLL--LLLLL--",
         ward={"pairs": [{"first": "ann", "second": "ben", "together": False}]}),
    Case("pair to keep together", "pair", "ann", "2026-12-04", "differ on 2026-12-04", ben="EEEEE--EEEE---",
         ward={"pairs": [{"first": "ann", "second": "ben", "together": True}]}),
]  # fmt: skip


def said(found: Finding) -> str:
    """In English; the same stands in a page with its weekdays, in JSON, and in Hebrew with no English word."""
    line = found.line()
    assert worded(line, "en") == with_weekdays(found.detail, "en")
    assert set(re.findall("[A-Za-z]+", worded(line, "he"))) <= {
        "ann",
        "Ann",
        "ben",
        "Ben",
        "E",
        "L",
        "N",
        "charge",
        "pediatric",
    }
    assert Finding.model_validate(found.model_dump(mode="json")) == found
    return found.detail


def placed(findings: list[Finding]) -> list[tuple[str, str | None, str | None, str]]:
    return [(found.type, found.nurse_id, found.day, found.level) for found in findings]


@table("case", COMPLIANCE)
def test_a_planted_violation_is_found_and_nothing_else(case: Case) -> None:
    ward, roster = ward_of_two(**case.ward), rows(ann=case.ann, ben=case.ben)
    report = check_compliance(ward, roster)
    assert placed(report.findings) == [(case.type, case.nurse, case.day, case.level)]
    assert case.words in said(report.findings[0])
    assert report.status == ("FAIL" if case.level == "breach" else "PASS")
    assert check_compliance(ward, roster).breaches == (report.findings if case.level == "breach" else [])


@table("case", EMPATHY)
def test_a_planted_unfairness_is_found_and_nothing_else(case: Case) -> None:
    report = check_empathy(ward_of_two(**case.ward), rows(ann=case.ann, ben=case.ben))
    assert placed(report.findings) == [(case.type, case.nurse, case.day, "warning")]
    assert case.words in said(report.findings[0])
    allowed = EmpathyLimits().allowed[report.findings[0].type]
    assert report.status == ("REJECTED" if allowed == 0 else "APPROVED")
    assert [failed.type for failed in report.failed] == ([case.type] if allowed == 0 else [])


def test_a_clean_roster_has_no_findings() -> None:
    ward, roster = ward_of_two(), rows(**ROWS)
    compliance, empathy = check_compliance(ward, roster), check_empathy(ward, roster)
    assert (compliance.status, compliance.findings) == ("PASS", [])
    assert (empathy.status, empathy.findings, empathy.failed) == ("APPROVED", [], [])
    assert (empathy.scores, empathy.fairness) == ({"ann": 100.0, "ben": 100.0}, 100.0)


def test_every_type_is_planted() -> None:
    assert {case.type for case in (*COMPLIANCE, *EMPATHY)} == set(FINDING_TYPES)


def test_the_ward_s_own_limits_hold_where_none_are_given() -> None:
    """Ann works 40 of 80 hours and is moderately tired once."""
    own = {"allowed": {"underutilization": 1, "fatigue_moderate": 0}}
    ward = ward_of_two(fairness=own, nurses__0__fatigue=0.4, nurses__0__contract={"target_minutes": 4800})
    roster = rows(ann="EEEEE---------", ben=ROWS["ben"])
    assert [excess.type for excess in check_empathy(ward, roster).failed] == ["fatigue_moderate"]
    assert [excess.type for excess in check_empathy(ward, roster, EmpathyLimits()).failed] == ["underutilization"]
    lenient = ward_of_two(fairness={"under_share": 0.5}, nurses__0__contract={"target_minutes": 4800})
    assert check_empathy(lenient, roster).findings == []


OFF = {
    "daily_rest_hours": 0, "weekly_rest_hours": 0, "weekly_hours": 0, "max_days_in_a_row": None,
    "max_nights_in_a_row": None, "rest_after_nights_hours": 0, "complete_weekends": False,
}  # fmt: skip


def test_rules_that_are_off_find_nothing() -> None:
    restless = rows(ann="NELNELNELNELNE", ben="NNNNNNNNNNNNNN")
    assert check_compliance(ward_of_two(rules=OFF, demand=[], nurses__0__contract={}), restless).findings == []
    assert len(check_compliance(ward_of_two(demand=[], nurses__0__contract={}), restless).breaches) >= 15


@table(
    ("tail", "ann", "found"),
    [
        ([], "E--EE--EEEEE--", []),
        ([None], "E--EE--EEEEE--", ["run_length"]),
        (["E"], "E--EE--EEEEE--", []),
        ([None, "E"], "E--EE--EEEEE--", []),
        ([], "EEEEE--EEE---E", []),
    ],
)
def test_a_run_that_touches_the_end_of_what_is_known_is_long_enough(
    tail: list[str | None], ann: str, found: list[str]
) -> None:
    changes = {"nurses__0__contract__min_run": 2, "nurses__0__history": {"tail": tail}}
    findings = check_compliance(ward_of_two(**changes), rows(ann=ann, ben=ROWS["ben"])).findings
    assert [finding.type for finding in findings] == found
