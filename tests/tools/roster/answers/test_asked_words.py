"""What was asked for is read back to a Hebrew manager in Hebrew, whatever the tools worded in English."""

import re

import pytest

from wavegraph.tools.roster.answers.asked_words import asked_in_words
from wavegraph.tools.roster.dialogue.amending import amended
from wavegraph.tools.roster.dialogue.kept import kept_changes, verdict_in_words
from wavegraph.tools.roster.dialogue.publishing import restate_changes, restate_publication
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Leave, Nurse, Shift, Ward, Wish

SHIFTS = [Shift(id="E", start="07:00", minutes=480), Shift(id="N", start="23:00", minutes=480, night=True)]
WARD = Ward(
    name="Small", start="2026-11-23", days=7, shifts=SHIFTS, nurses=[Nurse(id="ann", name="Ann"), Nurse(id="ben", name="Ben")],
    demand=[], wishes=[
        Wish(nurse="ann", day="2026-11-24", shift=None, wants=False, weight=4),
        Wish(nurse="ann", day="2026-11-25", shift=None, wants=True, weight=4),
        *(Wish(nurse="ann", day=f"2026-11-{day}", shift="N", wants=True, weight=4) for day in range(23, 30)),
    ],
)  # fmt: skip
ROSTER: dict[str, list[str | None]] = {"ann": ["E"] * 7, "ben": ["N"] * 7}
ON = {"first": "2026-11-24", "last": "2026-11-25"}
CHANGES = [
    *(
        Change.model_validate({"kind": kind, "nurse": "Ann", "shift": shift, **days})
        for kind in ("unavailable", "prefers", "avoids")
        for shift in (None, "N")
        for days in (ON, {"weekdays": ["monday", "thursday"]}, {})
    ),
    Change.model_validate({"kind": "locked", "nurse": "Ann", "shift": "off", "first": "2026-11-24"}),
    Change.model_validate({"kind": "locked", "nurse": "Ann", "shift": "E", "first": "2026-11-24"}),
    Change(kind="apart", nurse="Ann", other="Ben"),
    Change(kind="together", nurse="Ann", other="Ben"),
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_change_is_told_in_hebrew_alone(change: Change) -> None:
    ward, words = amended(WARD, [change])
    kept = [verdict_in_words(each) for each in kept_changes(ward, ROSTER, [change])]
    for text in (*words, *kept):
        told = asked_in_words(text, "he")
        assert set(re.findall(r"[A-Za-z_]{2,}", told)) <= {"Ann", "Ben"}, told
        assert asked_in_words(text, "en") == text


def test_terms_are_read_back_in_hebrew() -> None:
    changes = ["Ann: would rather not have shift N, the whole period (wish of weight 3)"]
    told = restate_changes({"ward": "קטנה", "changes": changes}, "he")
    assert told.endswith("- Ann: מעדיפה בלי משמרת N, לכל התקופה (בקשה במשקל 3)")
    published = restate_publication(
        {
            "roster_id": "1", "ward": "קטנה", "start": "2026-11-23", "days": 7, "compliance": "PASS", "empathy": "APPROVED",
            "problems": [], "more_problems": 0, "unavoidable": [], "remarks": [], "fairness": 90,
            "changes": [f"{changes[0]}: kept"],
        },
        "he",
    )  # fmt: skip
    assert "- Ann: מעדיפה בלי משמרת N, לכל התקופה (בקשה במשקל 3): נשמר" in published


def test_a_change_of_many_days_is_read_whole() -> None:
    days = ", ".join(f"Monday 2026-11-{day:02}" for day in range(2, 30))
    told = asked_in_words(f"Ann: no shift N, {days} (must hold): not kept on {days}", "he")
    assert re.findall(r"[A-Za-z_]{2,}", told) == ["Ann"]


def test_words_of_another_kind_stay() -> None:
    assert asked_in_words("anything: else", "he") == "anything: else"


def test_a_wish_for_a_day_of_leave_says_so() -> None:
    away = WARD.changed(leave=[Leave(nurse="ben", day="2026-11-24")])
    wish = Change.model_validate({"kind": "avoids", "nurse": "Ben", "first": "2026-11-23", "last": "2026-11-24"})
    *_, last = amended(away, [wish])[1]
    assert last == "Ben: on leave already, Tuesday 2026-11-24"
    assert asked_in_words(last, "he") == "Ben: כבר בחופשה, יום שלישי, 24 בנובמבר 2026"
    assert "leave already" not in " ".join(amended(WARD, [wish])[1])
