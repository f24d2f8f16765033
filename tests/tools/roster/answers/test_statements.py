"""The roster's statements: true answers keep every fact, invented sentences do not stand beside them.

The answers are written as a model is asked to write them, over views of every kind.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from refusing import refused
from roster_views import answer_view, entry, issue, made, round_entry
from roster_wards import ward_of_two

from wavegraph import Sayable
from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.guard.replies import catalogue_for
from wavegraph.graph.tracing.untraced import figures_in
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.phrases import TABLES
from wavegraph.tools.roster.answers.phrases_en import ENGLISH
from wavegraph.tools.roster.answers.phrases_he import HEBREW
from wavegraph.tools.roster.answers.statements import compose, statements
from wavegraph.tools.roster.checks.coverage import check_coverage, check_skill_mix
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.loop.rounds import round_results
from wavegraph.tools.roster.problem.prices import KINDS as PENALTIES
from wavegraph.tools.roster.records import Issue, Round
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES
from wavegraph.tools.roster.ward.ward import Rules

DATA = Path(__file__).parents[3] / "data"
KINDS = {
    each["kind"]: each["sentences"]
    for each in json.loads((DATA / "roster_claim_kinds.json").read_text(encoding="utf-8"))["kinds"]
}
LANGUAGES = ("en", "he")
ANN, BEN = {"nurse": "ann Ann", "wishes": ""}, {"nurse": "ben Ben", "wishes": "0/60"}
REPORT = {
    "ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "roster_id": f"{1:016x}",
    "compliance": "FAIL", "empathy": "REJECTED", "breaches": 1, "failed": ["fatigue_night: 1, 0 allowed"],
    "problems": ["ann Ann is tired"], "below_target": ["1 nurse on E of 2026-11-24, 2 wanted"], "fairness": 81.5,
    "cover_cost": 0, "wishes_cost": 60, "cost": 60,
    "lines": [
        {**ANN, "hours": 48, "target_hours": 40, "nights": 3, "weekends": 1, "score": 40.5},
        {**BEN, "hours": 16, "target_hours": 40, "nights": 0, "weekends": 0, "score": 77},
    ],
}  # fmt: skip
TIRED = issue(
    "fatigue_night", message="ann Ann begins N of 2026-11-24 with a fatigue score of 0.81",
    about={"nurse_id": "ann", "date": "2026-11-24", "shift": "N"}, rule="fatigue_night",
)  # fmt: skip
SHORT = issue(
    "coverage", message="0 nurses on N of 2026-11-25, at least 1 needed", severity="critical", rule="coverage",
    about={
        "date": "2026-11-25", "shift": "N",
        "told": {"say": "found.minimum", "given": {"n": 0, "able": "", "shift": "N", "day": "2026-11-25", "expected": 1}},
    }, expected=1, actual=0,
)  # fmt: skip
PUBLISHED = {"ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "roster_id": f"{1:016x}"}
KEPT = {"kind": "avoids", "nurses": ["ben"], "days": 2}
CHANGES = [
    {**KEPT, "asked": "ben Ben: no shift N, Monday 2026-11-23", "verdict": "kept", "kept_days": 2},
    {
        **KEPT, "asked": "ben Ben: would like to be off, Tuesday 2026-11-24", "verdict": "not kept", "kept_days": 0,
        "not_kept_on": [{"nurse": "ben", "day": "2026-11-24", "shift": "E"}],
    },
]  # fmt: skip


def real(ward: str, language: str, *tools: str) -> tuple[AnswerView, list[Round]]:
    """Results of a demo ward, of these tools or all; every round but the last failed."""
    rows = json.loads((DATA / "roster" / f"{ward}_results.json").read_text(encoding="utf-8"))["results"]
    entries = [
        entry(each["id"], each["tool"], each["args"], 1, data=each["data"])
        for each in rows
        if not tools or each["tool"] in tools
    ]
    view = answer_view(*entries, language=language)
    made = list(round_results(view.ledger).values())
    rounds = [
        a_round(each.iteration, each is made[-1], each.roster_id, each.cost, each.penalty_multipliers) for each in made
    ]
    return view, rounds


def a_round(
    iteration: int = 1, passed: bool = False, roster_id: str | None = f"{1:016x}", cost: float | None = 90.0, raised: Any = (),
) -> Round:  # fmt: skip
    failed = [] if passed else ["coverage", "fatigue_night"]
    return Round(
        iteration=iteration, status="no roster" if roster_id is None else "passed" if passed else "failed",
        issues=[] if passed else [Issue(type=each["type"], nurse_id=None, detail=each["message"]) for each in (SHORT, TIRED)],
        penalty_multipliers=dict(raised), roster_id=roster_id, solver="feasible", breaches=int(not passed), failed=failed,
        cost=cost, bound=60.0, seconds=1,
    )  # fmt: skip


def failing(language: str, *more: Any, **report: Any) -> tuple[AnswerView, list[Round]]:
    """A roster that does not pass, with what the manager decided."""
    about = entry("get_report", "get_report", {"roster_id": f"{1:016x}"}, 2, data={**REPORT, **report})
    view = answer_view(
        round_entry(1), about, *more, issues=[SHORT, TIRED], language=language, not_held=["Diana needs a new contract"]
    )
    return view, [a_round()]


def published(language: str, **ended: Any) -> tuple[AnswerView, list[Round]]:
    given = ended or {"data": {**PUBLISHED, "as_draft": False}}
    decided = entry("publish_roster", "publish_roster", {"roster_id": f"{1:016x}"}, 3, **given)
    return failing(language, decided, changes=CHANGES)


def none(language: str) -> tuple[AnswerView, list[Round]]:
    made = round_entry(1, roster_id=None, cost=None, raised_cost=None, status="infeasible")
    why = issue("infeasible", message="no roster can meet all rules: both are away on 2026-11-23", rule="unavailable")
    without = a_round(roster_id=None, cost=None)
    without = without.model_copy(update={"issues": [Issue(type="infeasible", nurse_id=None, detail=why["message"])]})
    return answer_view(made, issues=[why], language=language), [without]


def refused_by_tool(language: str) -> tuple[AnswerView, list[Round]]:
    error = {"code": "unknown_nurse", "message": "'Zoe' is no nurse of this ward: ann Ann, ben Ben", "retryable": False}
    asked = entry("apply_requests", "apply_requests", {}, 1, status="error", error=error)
    return answer_view(asked, language=language, remarks=["Which do you mean by “Zoe”: Ann / Ben?"]), []


def catalogue(given: tuple[AnswerView, list[Round]]) -> Catalogue:
    """As a writer gets it: without what traces to nothing."""
    view, rounds = given
    domain = roster_domain(Path("never opened"))
    view = replace(view, details={"rounds": [each.model_dump(mode="json") for each in rounds], "best": None})
    object.__setattr__(domain, "catalogue", Sayable(lambda seen: statements(seen, rounds)))
    return catalogue_for(domain, view)


VIEWS: Mapping[str, Callable[[str], tuple[AnswerView, list[Round]]]] = {
    "willow": lambda language: real("willow", language),
    "harbour": lambda language: real("harbour", language),
    "failing": failing,
    "published": published,
    "none": none,
    "refused": refused_by_tool,
    "a ward": lambda language: real("willow", language, "get_staff", "get_demand", "get_rules"),
}
GOOD = {
    "en": [
        "{{gladly}} {{verdict}}\nNights: {{nights.most}} {{nights.none}}\n{{fairness}} {{fairness.lowest}}\n{{ask_else}}",
        "{{verdict}}\n\nAbout the weekends: {{weekends.most}}\n{{nights.all}} {{weekends.all}}\nHours: {{hours.below}} {{wishes.part}}",
        "{{hello}} {{verdict}} {{bound}}\n{{where}}\n{{more}}",
        "{{n.nurse_003.nights}}. {{n.nurse_003.hours}}.\n{{n.nurse_003.wishes}}.",
        "Here are the shares:\n- {{n.nurse_001}}\n- {{n.nurse_002}}\n- {{n.nurse_003}}\n{{ask_else}}",
        "Rules: {{rules}} {{rule.daily_rest_hours}} {{rule.max_nights_in_a_row}}",
        "{{coverage.1}} {{coverage.2}} On demand: {{demand.day1}} {{demand.5}}",
        "{{period}} {{staff.1}} {{requests}} {{requests.nurse_003}}.",
        "The costs: {{cost}} {{cost_parts}} {{prices}}",
        "About the score: {{n.nurse_003.score}}. The nurse also: {{n.nurse_003.weekends}}.\n{{past.nights}}",
    ],
    "he": [
        "{{gladly}} {{verdict}}\nלילות: {{nights.most}} {{nights.none}}\n{{fairness}} {{fairness.lowest}}\n{{ask_else}}",
        "{{verdict}}\n\nלגבי סופי השבוע: {{weekends.most}}\n{{nights.all}} {{weekends.all}}\nשעות: {{hours.below}} {{wishes.part}}",
        "{{hello}} {{verdict}} {{bound}}\n{{where}}\n{{more}}",
        "{{n.nurse_003.nights}}. {{n.nurse_003.hours}}.\n{{n.nurse_003.wishes}}.",
        "הנה הפרטים:\n- {{n.nurse_001}}\n- {{n.nurse_002}}\n- {{n.nurse_003}}\n{{ask_else}}",
        "כללים: {{rules}} {{rule.daily_rest_hours}} {{rule.max_nights_in_a_row}}",
        "{{coverage.1}} {{coverage.2}} לגבי הדרישה: {{demand.day1}} {{demand.5}}",
        "{{period}} {{staff.1}} {{requests}} {{requests.nurse_003}}.",
        "עלות: {{cost}} {{cost_parts}} {{prices}}",
        "לגבי הציון: {{n.nurse_003.score}}. האחות גם: {{n.nurse_003.weekends}}.\n{{past.nights}}",
    ],
}
BAD = {
    "en": [
        "{{sorry}} {{verdict}}\n- {{failed.1}}\n- {{failed.2}}\n{{below.1}}.\nNights: {{nights.most}} {{nights.none}}",
        "{{verdict}} The round: {{rounds.1}}.\n{{n.ann.hours}}. {{wishes.none}}\n{{ask_different}}",
    ],
    "he": [
        "{{sorry}} {{verdict}}\n- {{failed.1}}\n- {{failed.2}}\n{{below.1}}.\nלילות: {{nights.most}} {{nights.none}}",
        "{{verdict}} הסבב: {{rounds.1}}.\n{{n.ann.hours}}. {{wishes.none}}\n{{ask_different}}",
    ],
}
DECIDED = ["{{verdict}} {{decision}}\n- {{asked.1}}\n- {{asked.2}}\n{{not_held.1}}.", "{{decision}}"]
TRUE = [
    *((name, language, text) for name in ("willow", "harbour") for language in LANGUAGES for text in GOOD[language]),
    *((name, language, text) for name in ("failing", "published") for language in LANGUAGES for text in BAD[language]),
    *(("published", language, text) for language in LANGUAGES for text in DECIDED),
    *(("none", language, text) for language in LANGUAGES for text in ("{{sorry}} {{verdict}} {{why.1}}", "{{why.1}}")),
    *(("refused", language, "{{sorry}} {{why.1}} {{said.1}}") for language in LANGUAGES),
    *(("a ward", language, text) for language in LANGUAGES for text in ("{{hello}} {{staff.1}}", "{{demand.1}} {{ask_else}}")),
]  # fmt: skip


def known(text: str, ids: Any) -> str:
    """The answer without what this view has no statement of."""
    for name in re.findall(r"\{\{([\w.]+)\}\}", text):
        if name not in ids:
            text = re.sub(rf"(?:- |[\w ]+: )?\{{\{{{re.escape(name)}\}}\}}\.?", "", text)
    return text


def through(given: Catalogue, text: str) -> tuple[str, Gate]:
    gate = Gate(given)
    return gate.feed(text) + gate.rest() + gate.owed(), gate


def test_true_answers_lose_no_fact_and_stand_as_written() -> None:
    slotted = stood = 0
    for name, language, text in TRUE:
        given = catalogue(VIEWS[name](language))
        text = known(text, given.by_id)
        said, gate = through(given, text)
        facts = [given.by_id[each] for each in re.findall(r"\{\{([\w.]+)\}\}", text)]
        assert [each.id for each in facts if each.text.rstrip(".:") not in said] == [], (text, said)
        assert [duty for duty in given.duties if gate.told.keys().isdisjoint({*duty.any_of, *duty.add})] == []
        slotted += sum("{{" in part for part in re.split(r"(?<=[.!?}])\s", text))
        stood -= len(gate.refused)
    assert len(TRUE) >= 60
    assert slotted >= 200
    assert (slotted + stood) / slotted >= 0.9


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VIEWS)
def test_what_is_told_of_itself_is_all_that_must_be_told(name: str, language: str) -> None:
    """And the template, which tells as much, consists of the same statements."""
    view, rounds = VIEWS[name](language)
    given = catalogue((view, rounds))
    said, _ = through(given, "Everybody is happy.")
    template = compose(view, rounds)
    assert refused(template, given) == []
    assert [
        each.text for duty in given.duties for each in map(given.by_id.get, duty.add) if each and each.text not in said
    ] == []
    assert "happy" not in said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VIEWS)
def test_no_statement_is_without_a_source(name: str, language: str) -> None:
    """The engine drops what holds a number of no result: a sum of ours would vanish from answers."""
    view, rounds = VIEWS[name](language)
    told = catalogue((view, rounds)).by_id.keys()
    assert {name for name in told if not name.startswith("said.")} == statements(view, rounds).by_id.keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VIEWS)
def test_a_statement_may_be_copied_letter_for_letter(name: str, language: str) -> None:
    given = catalogue(VIEWS[name](language))
    assert [each.id for each in given.statements if refused(f"{each.text}\n", given)] == []


@pytest.fixture(scope="module")
def desks() -> dict[str, Catalogue]:
    return {language: catalogue(real("willow", language)) for language in LANGUAGES}


@pytest.mark.parametrize("kind", KINDS)
def test_invented_sentences_do_not_stand(kind: str, desks: dict[str, Catalogue]) -> None:
    sentences = KINDS[kind]
    assert len(sentences) == 3
    for sentence in sentences:
        given = desks["he" if re.search("[א-ת]", sentence["text"]) else "en"]
        for written in filter(None, (sentence["text"], sentence["slots"])):
            assert refused(f"{{{{verdict}}}}\n{written}", given) == [written]


LED_ASTRAY = """
Nobody has more than {{n.nurse_001.nights}}.
{{n.nurse_001.nights}} in a row.
{{n.nurse_001.nights}} and {{n.nurse_002.hours}}.
The nurse {{n.nurse_001.nights}} like {{n.nurse_002.nights}}.
The cost of {{fairness}}
Would you like {{verdict}}?
Is it so that {{rules}}?
Your nurses are happy: {{fairness}}
{{verdict}} for every nurse.
The law says {{rule.daily_rest_hours}}
Only {{wishes.part}}
All wishes: {{wishes.part}}
The best roster: {{verdict}}
{{n.nurse_001.wishes}}, as promised.
The nights of {{weekends.none}}
{{demand.day1}} and so it is.
You have {{n.nurse_001.hours}}.
הסידור הטוב ביותר: {{verdict}}
כל האחיות מרוצות: {{fairness}}
{{n.nurse_001.nights}} ברצף.
רק {{wishes.part}}
""".strip().splitlines()


@pytest.mark.parametrize("text", LED_ASTRAY)
def test_true_statements_do_not_stand_where_they_mislead(text: str, desks: dict[str, Catalogue]) -> None:
    assert refused(text, desks["he" if re.search("[א-ת]", text) else "en"]) != []


def texts(given: tuple[AnswerView, list[Round]], *prefixes: str) -> Sequence[str]:
    return [each.text for each in catalogue(given).statements if each.id.startswith(prefixes)]


NOT_YET = "It is not published yet: say “publish it” to publish it."


@pytest.mark.parametrize(
    ("language", "status", "told"),
    [
        ("en", "", []),
        ("en", "none", [NOT_YET]),
        ("en", "published", ["It is published."]),
        ("he", "replaced", ["הסידור הוחלף בסידור מאוחר יותר."]),
    ],
)
def test_whether_a_roster_is_published_may_be_told(language: str, status: str, told: list[str]) -> None:
    about = entry("get_report", "get_report", {"roster_id": f"{2:016x}"}, 2, data={**REPORT, "status": status})
    view = answer_view(about, language=language)

    assert texts((view, []), "decision") == told
    assert not any(each in compose(view, []) for each in told)
    assert texts((answer_view(round_entry(1)), [a_round(passed=True)]), "decision") == [NOT_YET]


def test_a_change_is_told_with_whether_it_was_kept_and_what_speaks_against_it() -> None:
    assert texts(published("en"), "asked.") == [
        "kept: Ben: no shift N, Monday 2026-11-23",
        "not kept: Ben: would like to be off, Tuesday 2026-11-24; against it: Ben E on Tuesday 2026-11-24",
    ]
    assert texts(published("he"), "asked.1") == ["נשמר: Ben: no shift N, Monday 2026-11-23"]


def test_a_rule_is_called_kept_or_broken_only_where_the_checks_say_so() -> None:
    assert texts(real("willow", "en", "get_rules"), "rule.daily") == [
        "Rule of the ward: at least 11 h of rest between two shifts."
    ]
    assert texts(real("willow", "en"), "rule.daily", "rule.charge") == [
        "Rule of the ward, kept by the roster: at least 11 h of rest between two shifts.",
        "Rule of the ward: one nurse with skill charge on every shift that has demand.",
    ]
    rules = {"ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "penalties": {}}
    read = entry(
        "get_rules", "get_rules", {}, 1, data={**rules, "rules": {"daily_rest_hours": 11, "derogated_rest_hours": 9}}
    )
    assert texts(failing("en", read), "rule.daily") == ["Rule of the ward: at least 11 h of rest between two shifts."]


def test_a_roster_below_its_bound_is_not_called_proven() -> None:
    view, (found,) = failing("en")
    assert texts((view, [found]), "bound") == [
        "Whether a roster can cost less than 90 is not known; less than 60 is impossible."
    ]
    proven = found.model_copy(update={"cost": 60.0})
    assert texts((view, [proven]), "bound") == ["No roster can cost less than this one: that is proven."]


def test_what_failed_is_told_in_the_managers_language() -> None:
    """The second is of an earlier version, or of a model."""
    assert texts(failing("he"), "failed.") == [
        "אין אחיות ב־N ביום רביעי, 25 בנובמבר 2026, צריך לפחות 1",
        "עייפות בלילה: Ann",
    ]
    assert texts(failing("en"), "failed.") == [
        "0 nurses on N of Wednesday 2026-11-25, at least 1 needed",
        "Ann begins N of Tuesday 2026-11-24 with a fatigue score of 0.81",
    ]


def test_two_nurses_of_one_name_keep_their_ids() -> None:
    lines = [{**line, "nurse": f"{name} Kim"} for name, line in zip(("a1", "a2"), REPORT["lines"], strict=True)]  # type: ignore[call-overload]
    assert texts(failing("en", lines=lines), "n.a1.nights", "n.a2.nights") == [
        "a1 Kim works 3 nights",
        "a2 Kim works no nights",
    ]


@pytest.mark.parametrize(
    ("ids", "statement", "told"),
    [
        (("a.b", "a/b"), "n.a_b", "Ann works 3 nights"),
        (("a.b", "a/b"), "n.a_b_", "Ben works no nights"),
        (("ann", "ann.hours"), "n.ann_hours", "Ben works no nights"),
        (("נטע", "#2"), "n.נטע", "Ann works 3 nights"),
        (("נטע", "#2"), "n._2", "Ben works no nights"),
    ],
)
def test_a_nurses_id_of_any_signs_can_be_put_in_braces(ids: Sequence[str], statement: str, told: str) -> None:
    names = [f"{each} {name}" for each, name in zip(ids, ("Ann", "Ben"), strict=True)]
    lines = [{**line, "nurse": name} for name, line in zip(names, REPORT["lines"], strict=True)]  # type: ignore[call-overload]
    given = catalogue(failing("en", lines=lines))
    gate = Gate(given)
    assert gate.feed(f"{{{{{statement}.nights}}}}.") + gate.rest() == f"{told}."


def test_a_name_inside_another_stays_whole() -> None:
    lines = [{**line, "nurse": name} for name, line in zip(("n1 Ann", "an1 Ann Marie"), REPORT["lines"], strict=True)]  # type: ignore[call-overload]
    view, rounds = failing("en", lines=lines, below_target=["an1 Ann Marie and n1 Ann differ"])
    assert texts((view, rounds), "below.") == ["Ann Marie and Ann differ"]


def test_a_question_about_an_earlier_roster_is_answered_by_what_it_asks() -> None:
    about = entry("get_report", "get_report", {"roster_id": f"{1:016x}"}, 1, data=REPORT)
    given = catalogue((answer_view(about), []))
    assert through(given, "{{n.ann.nights}}.")[0] == "Ann works 3 nights."
    assert through(given, "{{hello}}")[0].startswith("Hello!\n\nRoster 0000000000000001 for Small")


def test_that_more_time_may_help_is_told_with_what_failed() -> None:
    view, rounds = failing("en")
    open_ones = [each.model_copy(update={"may_pass": True}) for each in rounds]
    (told,) = texts((view, open_ones), "more_time")
    assert told.startswith(
        "What failed is not proven unavoidable: the search ended after 1 s, and more time may help ("
    )
    assert texts((view, rounds), "more_time") == []


@pytest.mark.parametrize(("different", "last"), [(12, "finding 12"), (13, "and others")])
def test_others_are_told_of_where_there_are_some(different: int, last: str) -> None:
    """Of a finding that comes twice there is no other."""
    problems = [*(f"finding {number}" for number in range(1, different + 1)), "finding 1"]
    about = entry("get_report", "get_report", {"roster_id": f"{1:016x}"}, 1, data={**REPORT, "problems": problems})
    assert texts((answer_view(about), []), "failed.")[-1] == last


@pytest.mark.parametrize("skill", [None, "charge"])
def test_a_shift_below_target_is_told_in_the_managers_language(skill: str | None) -> None:
    demand = [{"day": "2026-11-24", "shift": "E", "skill": skill, "minimum": 0, "target": 2}]
    ward = ward_of_two(start="2026-11-23", days=2, demand=demand)
    check = check_skill_mix if skill else check_coverage
    (found,) = check(Checked(ward, {nurse.id: [None, None] for nurse in ward.nurses}))
    below = [found.line().model_dump(mode="json")]
    told = f"אין אחיות{' עם מיומנות charge' if skill else ''} ב־E ביום שלישי, 24 בנובמבר 2026, רצוי 2"
    assert texts(failing("he", below_target=below), "below.") == [told]
    with_day = found.detail.replace("2026-11-24", "Tuesday 2026-11-24")
    assert texts(failing("en", below_target=below), "below.") == [with_day]


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ({"data": {**PUBLISHED, "as_draft": True}}, "Kept as a draft, as you chose."),
        ({"data": {**PUBLISHED, "as_draft": False}}, "Published with these warnings, as you approved."),
        (
            {
                "status": "error",
                "error": {"code": "rejected", "message": "it was not agreed to: Ann", "retryable": False},
            },
            "Not published: it was not agreed to: Ann. Roster 0000000000000001 is still kept.",
        ),
    ],
)
def test_a_decision_is_told_once_there_is_one(ended: dict[str, Any], told: str) -> None:
    assert " ".join(texts(published("en", **ended), "decision")) == told
    assert texts(failing("en"), "decision") == [NOT_YET]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["Published, as you approved.", "This is about roster 0000000000000001 for Small, 7 days from Monday 2026-11-23."]),
        ("he", ["פורסם, כפי שאישרת.", "מדובר בסידור 0000000000000001"]),
    ],
)  # fmt: skip
def test_what_was_published_is_named_where_nothing_was_to_be_made(language: str, told: Sequence[str]) -> None:
    data = {**PUBLISHED, "as_draft": False}
    decided = entry("publish_roster", "publish_roster", {"roster_id": f"{1:016x}"}, 1, data=data)
    said = texts((answer_view(decided, language=language), []), "decision", "verdict")
    assert len(said) == 2
    assert all(text.startswith(beginning) for text, beginning in zip(said, told, strict=True)), said


def test_what_could_not_be_published_is_no_roster_that_was_not_made() -> None:
    error = {"code": "rejected", "message": "it was not agreed to", "retryable": False}
    refused_ = entry("publish_roster", "publish_roster", {"roster_id": f"{1:016x}"}, 1, status="error", error=error)
    assert compose(answer_view(refused_), []).splitlines()[0] != "No roster was made."


FEWER = {"type": "coverage", "nurse_id": None, "day": "2026-11-24", "shift": "E", "level": "warning",
         "detail": "3 nurses on E of 2026-11-24, 4 wanted", "expected": 4, "actual": 3}  # fmt: skip
TOO_CLOSE = {"type": "daily_rest", "nurse_id": "ben", "day": "2026-11-25", "shift": "E", "level": "breach",
             "detail": "ben Ben has 8 h between L of 2026-11-24 and E of 2026-11-25, 11 h needed",
             "expected": 11.0, "actual": 8.0}  # fmt: skip
ADVISED = {"ward": "Small", "ward_hash": "a" * 64, "start": "2026-11-23", "days": 7, "roster_id": f"{1:016x}"}
MAY = {"may": True, "breaks": [], "compensatory": [], "warnings": [FEWER], "cost": 150, "fairness": 91.1}


def test_what_another_shift_would_lead_to_is_told_as_what_would_be() -> None:
    breaks = {**MAY, "may": False, "breaks": [TOO_CLOSE], "cost": 151, "shift": "L", "relax": []}
    data = {
        **ADVISED, "nurse": "ben", "name": "ben Ben", "called": "Ben", "day": "2026-11-24", "shift": "E", "found": [], "forced": False,
        "holds": [{"kind": "rest", "forbids": ["L"], "words": [TOO_CLOSE["detail"]]}],
        "alternatives": [{**MAY, "shift": None, "relax": []}, breaks],
    }  # fmt: skip
    why = entry("explain_cell", "explain_cell", {"nurse": "Ben", "day": "2026-11-24"}, 1, data=data)
    view = answer_view(why)
    view = replace(view, request={**view.request, "text": "why does Ben work on the 24th?"})
    assert texts((view, []), "cell1.o", "advice") == [
        "Anything else for Ben on Tuesday 2026-11-24",
        "off: cost 150 more; then: 3 nurses on E of Tuesday 2026-11-24, 4 wanted",
        "L: breaks a rule: Ben has 8 h between L of Tuesday 2026-11-24 and E of Wednesday 2026-11-25, 11 h needed",
        "This is about roster 0000000000000001 for Small, 7 days from Monday 2026-11-23.",
    ]


@pytest.mark.parametrize(
    ("worse", "told"),
    [
        (["under"], "No rule forces it, but anything else is worse or breaks a rule: fewer nurses than wanted."),
        ([], "Nothing forces it: off in its place would be as good, so that several rosters are."),
        (None, "No rule forces it."),
        ("broken", "Anything else breaks a rule: too little rest between shifts."),
    ],
    ids=["worse", "as good", "of an earlier version", "forced"],
)  # fmt: skip
def test_why_a_cell_is_so_is_told_by_what_anything_else_would_do(worse: Any, told: str) -> None:
    forced = worse == "broken"
    other = {**MAY, "may": False, "breaks": [TOO_CLOSE]} if forced else {**MAY, "worse": worse}
    data = {
        **ADVISED, "nurse": "ben", "name": "ben Ben", "day": "2026-11-24", "shift": "E", "found": [], "forced": forced,
        "holds": [], "alternatives": [{**other, "shift": None, "relax": []}],
    }  # fmt: skip
    why = entry("explain_cell", "explain_cell", {"nurse": "Ben", "day": "2026-11-24"}, 1, data=data)

    assert texts((answer_view(why), []), "cell1.2") == [told]
    assert not texts((answer_view(why), []), "cell1.not")


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Ben does not work N or L on Tuesday 2026-11-24."), ("he", "Ben: אין N או L ביום שלישי, 24 בנובמבר 2026.")],
)
def test_what_a_nurse_does_not_have_on_a_day_may_be_told(language: str, told: str) -> None:
    others = [{**MAY, "shift": shift, "relax": []} for shift in (None, "N", "L")]
    data = {
        **ADVISED, "nurse": "ben", "name": "ben Ben", "called": "Ben", "day": "2026-11-24", "shift": "E", "found": [], "forced": False,
        "holds": [], "alternatives": others,
    }  # fmt: skip
    why = entry("explain_cell", "explain_cell", {"nurse": "Ben", "day": "2026-11-24"}, 1, data=data)

    assert texts((answer_view(why, language=language), []), "cell1.not") == [told]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["Who else is on E of Tuesday 2026-11-24: Ann.",
                "If nobody steps in: cost 150 more; then: 3 nurses on E of Tuesday 2026-11-24, 4 wanted."]),
        ("he", ["מי עוד במשמרת E, יום שלישי, 24 בנובמבר 2026: Ann.",
                "אם אף אחת לא תחליף: עלות גבוהה ב־150; ואז: מעט מדי אחיות במשמרת: E, יום שלישי, 24 בנובמבר 2026."]),
    ],
)  # fmt: skip
def test_who_else_is_on_a_shift_and_what_comes_of_nobody_may_be_told(language: str, told: list[str]) -> None:
    data = {
        **ADVISED, "day": "2026-11-24", "shift": "E", "instead": "ben", "on_it": ["ann Ann"], "if_nobody": MAY,
        "short": [], "candidates": [],
    }  # fmt: skip
    cover = entry("who_can_cover", "who_can_cover", {"instead": "Ben", "day": "2026-11-24"}, 1, data=data)
    view = answer_view(cover, language=language)

    assert texts((view, []), "cover1.on_it", "cover1.nobody") == told
    assert told[1] in compose(view, [])


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "; then: 3 nurses on E of Tuesday 2026-11-24, 4 wanted"),
        ("he", "; ואז: מעט מדי אחיות במשמרת: E, יום שלישי, 24 בנובמבר 2026"),
    ],
)
def test_what_a_replacement_leaves_short_is_told(language: str, told: str) -> None:
    ann = {**MAY, "nurse": "ann", "name": "ann Ann", "works": "E", "hours": 40, "target_hours": 40, "hours_over": 0}
    data = {
        **ADVISED, "day": "2026-11-24", "shift": "L", "instead": None, "on_it": [], "if_nobody": None, "short": [],
        "candidates": [ann],
    }  # fmt: skip
    who = entry("who_can_cover", "who_can_cover", {"day": "2026-11-24", "shift": "L"}, 1, data=data)
    (line,) = texts((answer_view(who, language=language), []), "cover1.1")
    assert line.endswith(told)


@pytest.mark.parametrize(
    ("written", "begins"),
    [
        ("Nights: {{nights.all}}", "Nights: Alice "),
        ("Wishes: {{wishes.part}}", "Wishes granted only in part: "),
        ("Nights: {{nights.most}}", "Nights: The most is "),
        ("About the nights: {{nights.all}}", "About the nights: Nights: Alice "),
    ],
)
def test_a_topic_stands_once_before_a_statement_that_begins_with_it(
    written: str, begins: str, desks: dict[str, Catalogue]
) -> None:
    said, gate = through(desks["en"], written)
    assert gate.refused == []
    assert said.startswith(begins)


WORKED_OUT = {
    "difference:n.nurse_003.nights-n.nurse_001.nights": "Charlie (2 nights): no more and no less than Alice (2 nights).",
    "difference:n.nurse_003.hours-n.nurse_010.hours": "h more than",
    "sum:n.nurse_001.nights+n.nurse_003.nights": "nights in all.",
    "share:n.nurse_003.hours/demand.2": "% of the demand (",
    "difference:staff.4-demand.2": "all contracts (",
}


@pytest.mark.parametrize("operator", WORKED_OUT)
def test_hours_nights_and_demand_are_compared_by_code(operator: str, desks: dict[str, Catalogue]) -> None:
    said, gate = through(desks["en"], f"{{{{{operator}}}}}")
    assert gate.refused == []
    assert WORKED_OUT[operator] in said


def test_hours_and_nights_are_not_added_up(desks: dict[str, Catalogue]) -> None:
    assert through(desks["en"], "{{sum:n.nurse_001.nights+n.nurse_003.hours}}")[1].refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_tool_asks_its_caller_is_no_statement(language: str) -> None:
    """It would be a second question, in the tool's own words, and not the last one."""
    asks = "what should be different? Name a change, or what cannot be held"
    error = {"code": "needs_change", "message": asks, "retryable": False}
    asked = entry("apply_requests", "apply_requests", {}, 1, status="error", error=error)
    why = texts((answer_view(asked, language=language), []), "why")
    assert len(why) == 1
    assert "?" not in why[0]
    assert "Name a change" not in why[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_row_of_a_table_is_no_sentence_that_a_writer_is_shown(language: str) -> None:
    rows = {"Ann": "E . L | . N", "Ben": ". . . | E E"}
    given = looked({"question": "show", "rows": rows, "days_shown": ["2026-11-23", "2026-11-27"]}, language)
    assert [name for name in given.shown() if name.startswith("look.")] == []
    assert "“–”" in given.shown()["look"]
    said, _ = through(given, "{{look}}:")
    assert said.endswith("- Ann: E – L | – N\n- Ben: – – – | E E") or "- Ann: E – L | – N\n- Ben: – – – | E E" in said
    assert refused(said, given) == []


@pytest.mark.parametrize(
    ("text", "cells", "told"),
    [
        ("Swap Ann and Ben on the 24th", "EE", "Ann and Ben both work E on Tuesday 2026-11-24: there is nothing to swap, and nothing was changed."),
        ("can Ann switch with Ben on Tuesday?", "..", "Ann and Ben are both off on Tuesday 2026-11-24: there is nothing to swap, and nothing was changed."),
        ("תחליף את Ann ו-Ben ביום שלישי", "EE", "ל־Ann ול־Ben יש E ביום שלישי, 24 בנובמבר 2026: אין מה להחליף, ודבר לא השתנה."),
        ("swap Ann and Ben on the 24th", "EL", ""),
        ("what do Ann and Ben have on the 24th?", "EE", ""),
    ],
)  # fmt: skip
def test_a_swap_of_what_is_the_same_is_said_to_change_nothing(text: str, cells: str, told: str) -> None:
    given = looked_at_one_day(cells, text, "he" if re.search("[א-ת]", text) else "en")
    said, _ = through(given, "{{ask_different}}")
    assert told in said
    assert ("swap" in given.by_id) == bool(told)


def looked_at_one_day(cells: str, text: str, language: str) -> Catalogue:
    """Two looks at Ann and Ben of 24 November, each a call of its own."""
    about = {"roster_id": f"{1:016x}", "ward": "Little", "start": "2026-11-23", "days": 5, "end": "2026-11-27"}
    held = {**about, "ward_hash": f"{2:016x}", "status": None, "passes": True, "question": "nurse"}
    share = {"hours": 8, "target_hours": 40, "nights": 0, "weekends": 0}
    entries = [
        entry(
            f"look_{name}", "look_at_roster", {"nurse": name}, 1,
            data={**held, "days_shown": ["2026-11-24"] * 2, "nurses": [{
                **share, "nurse": name,
                "cells": [{"nurse": name.lower(), "day": "2026-11-24", "shift": None if cell == "." else cell}],
            }]},
        )
        for name, cell in zip(("Ann", "Ben"), cells, strict=True)
    ]  # fmt: skip
    view = answer_view(*entries, language=language)
    return catalogue((replace(view, request={**view.request, "text": text}), []))


@pytest.mark.parametrize("changed", [True, False])
def test_what_a_roster_had_before_it_was_changed_is_not_told_beside_the_new_one(changed: bool) -> None:
    before = f"{9:016x}"
    about = {"roster_id": before, "ward": "Small", "start": "2026-11-23", "days": 7, "end": "2026-11-29"}
    works = {"day": "2026-11-24", "shifts": {"E": ["Ann"]}, "off": [], "leave": []}
    data = {**about, "ward_hash": f"{2:016x}", "status": None, "passes": True, "question": "works", "by_day": [works]}
    seen = entry("look", "look_at_roster", {"roster_id": before}, 1, data=data)
    call, ended = round_entry()
    made = ({**call, "args": {**call["args"], "start_from": before if changed else None}}, ended)
    told = catalogue((answer_view(seen, made), [a_round(passed=True)])).by_id  # type: ignore[arg-type]
    assert {"look.1", "of"} & told.keys() == (set() if changed else {"look.1", "of"})


def looked(more: dict[str, Any], language: str) -> Catalogue:
    about = {"roster_id": f"{1:016x}", "ward": "Little", "start": "2026-11-23", "days": 5, "end": "2026-11-27"}
    data = {**about, "ward_hash": f"{2:016x}", "status": "published", "passes": True, **more}
    asked = entry("look_at_roster", "look_at_roster", {}, 1, data=data)
    return catalogue((answer_view(asked, language=language), []))


@pytest.mark.parametrize("counted", ["hours", "nights", "weekends"])
def test_what_each_nurse_has_is_compared_by_code(counted: str) -> None:
    given = looked({"question": "counts", "counted": counted, "counts": {"Ann": 5, "Ben": 3}}, "en")
    said, gate = through(given, "{{difference:look.each.Ann-look.each.Ben}}")
    assert gate.refused == []
    assert said.startswith("Ann (5 ")
    assert " more than Ben (3 " in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_that_claim_nothing_are_few(language: str) -> None:
    borne = {word for topic in courtesy.TOPICS for word in courtesy.bears(topic, language)}
    words = {word for phrase in courtesy.HARMLESS[language] | borne for word in phrase.split()}
    assert len(words) < 300


def test_no_question_is_one_that_a_yes_answers() -> None:
    """It might be taken for the yes that a publication waits for."""
    beginnings = ("Which", "What", "על איזו", "לאיזו", "לאילו", "מה")
    assert all(text.startswith(beginnings) for texts in courtesy.QUESTIONS.values() for text in texts.values())


def test_no_courtesy_is_an_offer_that_a_yes_answers() -> None:
    offers = ("if you", "would you", "shall i", "אם ", "האם ")
    assert [
        text for own in courtesy.COURTESIES.values() for text in own.values() if text.lower().startswith(offers)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_finding_penalty_and_cost_has_words(language: str) -> None:
    charged = {"uncovered", "over", "wishes", "pairs", "changes", "minimum", "in_charge"}
    assert [kind for kind in {*FINDING_TYPES, *PENALTIES, *charged} if f"kind.{kind}" not in TABLES[language]] == []
    assert [name for name in Rules.model_fields if f"rule.{name}" not in TABLES[language]] == []


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Small, 1 day from Monday 2026-11-23"),
        ("he", "Small, יום אחד החל מיום שני, 23 בנובמבר 2026"),
    ],
)
def test_what_is_counted_agrees_with_its_number(language: str, told: str) -> None:
    about = entry("get_report", "get_report", {}, 2, data={**REPORT, "days": 1})
    assert told in texts((answer_view(about, language=language), []), "verdict")[0]


def test_each_sentence_has_the_same_gaps_in_both_languages() -> None:
    gaps = {
        key: set(re.findall(r"\{(\w+)\}", text)) for key, text in ENGLISH.items() if not key.startswith("expected.")
    }
    own = {f"{noun}_2": set() for noun in ("night", "weekend", "day", "nurse_count")}
    hebrew = {key: set(re.findall(r"\{(\w+)\}", text)) for key, text in HEBREW.items()}
    english_of_checks = {key: hebrew[key] for key, text in ENGLISH.items() if text in ("{detail}", "{message}")}
    assert not any("detail" in given for given in english_of_checks.values())
    own["found.of_rule"] = {"nurse", "kind", "actual", "expected"}
    zero = {f"found.{row}_0": gaps[f"found.{row}_1"] for row in ("minimum", "target")}
    assert hebrew == {**gaps, **own, **zero, **english_of_checks}


def test_each_ward_that_was_looked_at_is_told_of() -> None:
    """The one that was read later stood in the place of the other."""
    rows = json.loads((DATA / "roster" / "willow_results.json").read_text(encoding="utf-8"))["results"]
    data = next(each["data"] for each in rows if each["tool"] == "get_staff")
    staff = [
        entry(f"get_staff_{n}", "get_staff", {"ward": ward}, 1, data={**data, "ward": ward, "ward_hash": str(n) * 64})
        for n, ward in enumerate(("Harbour Ward", "Willow Ward"), 1)
    ]
    given = catalogue((answer_view(*staff), []))
    told, _ = through(given, "{{hello}}")
    assert given.by_id["Harbour_Ward.staff.1"].text.startswith("Harbour Ward has 12 nurses")
    assert given.by_id["staff.1"].text.startswith("Willow Ward has 12 nurses")
    assert "Harbour Ward has 12 nurses" in told
    assert "Willow Ward has 12 nurses" in told


def test_a_change_that_no_roster_keeps_to_leaves_the_roster_that_is_there() -> None:
    found = made(roster_id=None, status="infeasible", cost=None, raised_cost=None)
    args = {"ward_hash": "a" * 64, "iteration": 1, "start_from": "d2a3"}
    view = answer_view(entry("generate_roster", "generate_roster", args, 1, data=found))
    verdict = catalogue((view, [a_round(roster_id=None)])).by_id["verdict"].text
    assert verdict.startswith("No roster for ")
    assert verdict.endswith("keeps to this change; roster d2a3 stands as it was.")


@pytest.mark.parametrize(
    ("language", "status", "told"),
    [
        ("en", "none", ["No roster of Small is published.", "The roster of this conversation, 0000000000000001, is not published."]),
        ("en", "draft", ["No roster of Small is published.", "The roster of this conversation, 0000000000000001, is a draft."]),
        ("he", "draft", ["לא פורסם סידור של Small.", "הסידור של השיחה הזו, 0000000000000001, הוא טיוטה."]),
    ],
)  # fmt: skip
def test_that_nothing_is_published_is_an_answer(language: str, status: str, told: Sequence[str]) -> None:
    nothing = {"question": "status", "ward": "Small", "day": None}
    asked = entry("look", "look_at_roster", {"question": "status"}, 1, data=nothing)
    before = entry("get_report", "get_report", {"roster_id": f"{1:016x}"}, 1, data={**REPORT, "status": status})
    view = answer_view(asked, language=language)
    view = replace(view, previous={"ledger": answer_view(before).ledger, "request": view.request})  # type: ignore[typeddict-item]
    assert texts((view, []), "look.nothing") == told
    assert [each.id for each in statements(view, []).statements if each.id == "sorry"] == []


@pytest.mark.parametrize(("asked", "told"), [
    (1, ["Roster 0000000000000001 is round 1 of 2, and another than the one that was presented, 0000000000000002."]),
    (2, []),
])  # fmt: skip
def test_a_look_at_the_roster_of_an_earlier_round_says_that_it_is_another(asked: int, told: Sequence[str]) -> None:
    made_before = [round_entry(n, roster_id=f"{n:016x}") for n in (1, 2)]
    shown = entry("get_report", "get_report", {"roster_id": f"{2:016x}"}, 1, data={**REPORT, "roster_id": f"{2:016x}"})
    data = {**REPORT, "roster_id": f"{asked:016x}"}
    view = answer_view(entry("again", "get_report", {"roster_id": f"{asked:016x}"}, 1, data=data))
    before = answer_view(*made_before, shown).ledger
    view = replace(view, previous={"ledger": before, "request": view.request})  # type: ignore[typeddict-item]
    assert texts((view, []), "round") == told


def test_what_is_published_for_other_days_is_told_beside_that_nothing_is() -> None:
    version = {"number": 1, "roster_id": f"{2:016x}", "start": "2026-11-23", "end": "2026-11-29"}
    nothing = {"question": "works", "ward": None, "day": "2026-11-18", "published": [version]}
    view = answer_view(entry("look", "look_at_roster", {"question": "works"}, 1, data=nothing))
    assert " ".join(texts((view, []), "look.nothing")) == (
        "No roster is published for Wednesday 2026-11-18. "
        "Published are: V1 (0000000000000002, Monday 2026-11-23 to Sunday 2026-11-29)."
    )


@pytest.mark.parametrize(
    ("code", "about", "told"),
    [
        ("unknown_nurse", {"name": "דיאנה", "nearest": ["Diana"]}, "אין במחלקה הזו “דיאנה”; השמות הקרובים ביותר: Diana."),
        ("unknown_nurse", {"name": "רות", "nurses": ["Ann", "Ben"]}, "אין במחלקה הזו “רות”; יש בה: Ann, Ben."),
        ("outside_period", {"first": "2026-11-23", "last": "2026-11-29"},
         "הימים שהתבקשו אינם בימי הסידור, יום שני, 23 בנובמבר 2026 עד יום ראשון, 29 בנובמבר 2026."),
        ("breaks_rules", {"rules": [{"say": "clash.pair", "given": {"nurse": "Ann"}}]}, "ההחלפה לא פורסמה, כי היא מפרה כלל: השם Ann נזכר פעמיים."),
        ("not_on_shift", {"nurse": "Ann", "shift": None, "day": "2026-11-23"}, "ל־Ann יש חופש ביום שני, 23 בנובמבר 2026, ולכן אין משמרת לקחת."),
    ],
)  # fmt: skip
def test_why_a_change_was_refused_is_told_in_the_managers_language(code: str, about: Any, told: str) -> None:
    error = {"code": code, "message": "something in English", "retryable": False, "about": about}
    asked = entry("apply_requests", "apply_requests", {}, 1, status="error", error=error)
    assert texts((answer_view(asked, language="he"), []), "why") == [told]


def test_a_reason_that_two_answers_share_is_told_once() -> None:
    breaks = {**MAY, "may": False, "breaks": [TOO_CLOSE], "relax": []}
    data = {
        **ADVISED, "nurse": "ben", "name": "ben Ben", "day": "2026-11-24", "shift": "E", "found": [], "forced": True,
        "holds": [], "alternatives": [{**breaks, "shift": "L"}, {**breaks, "shift": None}],
    }  # fmt: skip
    asked = {"nurse": "ben", "day": "2026-11-24"}
    view = answer_view(
        entry("why", "explain_cell", asked, 1, data=data),
        entry("again", "explain_cell", {**asked, "nurse": "Ben"}, 1, data=data),
    )
    catalogue = statements(view, [])
    owed = {name for duty in catalogue.duties for name in duty.any_of}

    (told,) = texts((view, []), "cell1.others.")
    assert told.startswith("L, off: breaks a rule: ")
    assert texts((view, []), "cell2") == []
    assert not any(name.startswith("cell1.others") for name in owed)


def test_a_rule_that_is_broken_where_nobody_steps_in_is_named() -> None:
    nobody = {**MAY, "may": False, "breaks": [TOO_CLOSE, {**TOO_CLOSE, "nurse_id": "ann"}]}
    data = {
        **ADVISED, "day": "2026-11-24", "shift": "E", "instead": "ben", "on_it": [], "if_nobody": nobody, "short": [],
        "candidates": [],
    }  # fmt: skip
    cover = entry("who_can_cover", "who_can_cover", {"instead": "Ben", "day": "2026-11-24"}, 1, data=data)
    (told,) = texts((answer_view(cover, language="he"), []), "cover1.nobody")
    assert told == "אם אף אחת לא תחליף, מופר כלל: מעט מדי מנוחה בין משמרות: ann, E, יום רביעי, 25 בנובמבר 2026."
    # what the one who leaves then lacks holds whoever steps in
    (told,) = texts((answer_view(cover, language="he"), []), "cover1.in_any_case")
    assert told == "מי שלא תחליף: מעט מדי מנוחה בין משמרות: ben, E, יום רביעי, 25 בנובמבר 2026."


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Wednesday 2026-11-18: E: ann; N: ben."), ("he", "יום רביעי, 18 בנובמבר 2026: E: ann; N: ben.")],
)
def test_who_worked_which_shift_before_the_period_is_told_by_day(language: str, told: str) -> None:
    days = [{"day": "2026-11-18", "shifts": {"E": ["ann"], "N": ["ben"]}}]
    data = {**{name: REPORT[name] for name in ("ward", "ward_hash", "start", "days")}, "known_days": 1,
            "nights": {"ben": 1}, "weekends": {}, "by_day": days}  # fmt: skip
    view = answer_view(entry("get_last_period", "get_last_period", {"ward": "small"}, 1, data=data), language=language)
    assert texts((view, []), "past.day") == [told]


COSTS = {9_074_713: "9074713", 0.1: "0.1", 1e-7: "0", 12_345_678.9: "12345678.9"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cost", COSTS)
def test_the_headline_names_the_roster_and_what_it_costs(cost: float, language: str) -> None:
    view, rounds = failing(language)
    given = view, [rounds[0].model_copy(update={"cost": cost, "bound": cost})]

    template, unwritten = compose(*given), Gate(catalogue(given)).owed()

    for headline in (template.splitlines()[0], unwritten.splitlines()[0]):
        assert f"{1:016x}" in headline
        assert [float(COSTS[cost]) in amounts[0] for _, amounts in figures_in(headline)].count(True) == 2


def test_a_large_cost_is_marked_by_thousands() -> None:
    view, rounds = failing("en")
    made = [each.model_copy(update={"cost": 30310.0, "bound": 30310.0}) for each in rounds]
    assert "cost 30,310, and no roster can cost less than 30,310" in texts((view, made), "verdict")[0]
