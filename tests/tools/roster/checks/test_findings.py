"""What a finding says by fields, beside its words."""

from roster_wards import rows, ward_of_two

from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.checks.patterns import check_pairs
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.problem.ids import RuleId

EARLIER = {"type": "succession", "nurse_id": "ann", "day": "2026-11-24", "shift": "E", "level": "breach",
           "detail": "ann works E", "expected": "no E after N", "actual": "E"}  # fmt: skip


def test_a_breach_names_its_rule_and_the_shift_before_in_json_too() -> None:
    ward = ward_of_two(demand=[], rules__charge_skill=None, rules__forward_only=True)
    breaches = check_compliance(ward, rows(ann="LE" + "-" * 12, ben="-" * 14)).breaches
    [found] = [each for each in breaches if each.type == "succession"]

    assert (found.rule, found.after) == (RuleId("forward_rotation"), "L")
    written = found.model_dump(mode="json")
    assert (written["rule"], written["after"], "other" in written) == ({"kind": "forward_rotation"}, "L", False)
    assert Finding.model_validate(written) == found


def test_a_finding_of_an_earlier_version_opens_and_stays_as_it_was() -> None:
    found = Finding.model_validate(EARLIER)
    assert (found.rule, found.after, found.other) == (None, None, None)
    assert {**found.model_dump(mode="json"), **EARLIER} == found.model_dump(mode="json")
    assert found.model_dump(mode="json").keys() == EARLIER.keys()
    assert (found.detail, worded(found.line(), "en")) == ("ann works E", "ann works E")
    assert worded(found.line({"ann": "Ann"}), "he") == "משמרת שאסור שתבוא אחרי אחרת: Ann, E, יום שלישי, 24 בנובמבר 2026"


def test_a_rule_without_a_sentence_of_its_own_is_told_by_what_it_requires() -> None:
    found = Finding(
        type="run_length", nurse_id="ann", names={"ann": "Ann"}, rule=RuleId("min_run"), expected=2, actual=1
    )
    assert found.detail == "ann Ann: 1, where the rule is at least 2 days in a row"
    assert worded(found.line({"ann": "Ann"}), "he") == "Ann: יותר מדי או פחות מדי משמרות ברצף (נמצאו 1, לפי הכלל 2)"


def test_what_two_nurses_do_is_told_by_what_each_is_called() -> None:
    ward = ward_of_two(demand=[], pairs=[{"first": "ann", "second": "ben", "together": False}])
    found = next(each for each in check_pairs(Checked(ward, rows(ann="E" + "-" * 13, ben="E" + "-" * 13))))
    assert found.detail == "ann Ann and ben Ben work together on 2026-11-23"
    assert worded(found.line({"ann": "Ann", "ben": "Ben"}), "he") == "Ann ו־Ben עובדות יחד ביום שני, 23 בנובמבר 2026"
