"""What was asked for is read back to a Hebrew manager in Hebrew; what an earlier version kept in words stays as it is."""

import re

from tables import table

from wavegraph.tools.roster.answers.phrases import worded
from wavegraph.tools.roster.dialogue.amending import amended
from wavegraph.tools.roster.dialogue.kept import kept_changes
from wavegraph.tools.roster.dialogue.publishing import changes_terms, restate_changes, restate_publication
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


@table("change", CHANGES)
def test_every_change_is_told_in_hebrew_alone(change: Change) -> None:
    ward, understood = amended(WARD, [change])
    kept = [each.verdict_line({"ann": "Ann", "ben": "Ben"}) for each in kept_changes(ward, ROSTER, [change])]
    for line in (*understood, *kept):
        told = worded(line, "he")
        assert set(re.findall(r"[A-Za-z_]{2,}", told)) <= {"Ann", "Ben"}, told
        assert not re.search("[א-ת]", worded(line, "en"))


def test_terms_are_read_back_in_hebrew() -> None:
    change = Change(kind="avoids", nurse="Ann", shift="N", weight=3)
    ward, understood = amended(WARD, [change])
    told = restate_changes(changes_terms(ward, understood, [])["details"], "he")
    assert "- Ann: מעדיפה בלי משמרת N, לכל התקופה (בקשה, אם אפשר)" in told.splitlines()
    (kept,) = kept_changes(ward, ROSTER, [change])
    published = restate_publication({**TERMS, "changes": [kept.verdict_line({}).model_dump(mode="json")]}, "he")
    assert "- נשמר: Ann: מעדיפה בלי משמרת N, לכל התקופה (בקשה, אם אפשר)" in published


def test_the_words_of_an_earlier_version_stay() -> None:
    words = "Ann: no shift N, the whole period (must hold)"
    assert f"- {words}" in restate_changes({"ward": "קטנה", "changes": [words]}, "he")
    assert f"- {words}: kept" in restate_publication({**TERMS, "changes": [f"{words}: kept"]}, "he")


def test_a_wish_for_a_day_of_leave_says_so() -> None:
    away = WARD.changed(leave=[Leave(nurse="ben", day="2026-11-24")])
    wish = Change.model_validate({"kind": "avoids", "nurse": "Ben", "first": "2026-11-23", "last": "2026-11-24"})
    *_, last = amended(away, [wish])[1]
    assert worded(last, "en") == "Ben: on leave already, Tuesday 2026-11-24"
    assert worded(last, "he") == "Ben: כבר בחופשה, יום שלישי, 24 בנובמבר 2026"
    assert "asked.on_leave" not in [each.say for each in amended(WARD, [wish])[1]]


TERMS = {
    "roster_id": "1", "ward": "קטנה", "start": "2026-11-23", "days": 7, "compliance": "PASS", "empathy": "APPROVED",
    "problems": [], "more_problems": 0, "unavoidable": [], "remarks": [], "fairness": 90,
}  # fmt: skip
