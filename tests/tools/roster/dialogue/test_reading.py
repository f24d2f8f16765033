"""What the rules read of a request for a roster."""

import re
from collections.abc import Sequence
from datetime import date

import pytest
from roster_wards import ward_of_two

from wavegraph.tools.roster.answers.phrases import TABLES
from wavegraph.tools.roster.dialogue.intents import WORDS, hear, read
from wavegraph.tools.roster.dialogue.sentences import Named, taken_apart
from wavegraph.tools.roster.dialogue.spoken_days import Calendar
from wavegraph.tools.roster.ward.names import nurse_named

TODAY, MONDAY = date(2026, 11, 20), date(2026, 11, 23)


@pytest.mark.parametrize(
    ("text", "ward", "start", "days"),
    [
        ("make the roster", None, None, None),
        ("Make the roster for Harbour", "harbour", None, None),
        ("generate next week's roster for willow", "willow", MONDAY, 7),
        ("roster for the coming week", None, MONDAY, 7),
        ("a roster from 2026-12-07 for 14 days", None, date(2026, 12, 7), 14),
        ("a roster from 2026-12-07 for two weeks", None, date(2026, 12, 7), 14),
        ("schedule 2026-12-07 to 2026-12-20", None, date(2026, 12, 7), 14),
        ("plan the next 4 weeks", None, None, 28),
        ("the 2-week rota please", None, None, 14),
        ("make the roster for harbour starting 30 November", "harbour", date(2026, 11, 30), None),
        ("make the roster for harbour from tomorrow", "harbour", date(2026, 11, 21), None),
        ("make the roster for December", None, date(2026, 12, 1), 31),
        ("plan next month", None, date(2026, 12, 1), 31),
        ("from the 14th for two weeks", None, date(2026, 12, 14), 14),
        ("make the roster from 14 December to 10 January", None, date(2026, 12, 14), 28),
        ("roster from Monday to Sunday", None, MONDAY, 7),
        ("pls make the roster for 1-14 december", None, date(2026, 12, 1), 14),
        ("make the roster mon-fri", None, MONDAY, 5),
        ("make the roster for the week of 2 December", None, date(2026, 11, 30), 7),
        ("תכין סידור ל-willow לשבוע הבא", "willow", MONDAY, 7),
    ],
)
def test_ward_and_days(text: str, ward: str | None, start: date | None, days: int | None) -> None:
    found = read(text, wards=["harbour", "willow"], today=TODAY)
    assert (found.is_task, found.ward, found.start, found.days) == (True, ward, start, days)
    assert (found.wish, found.unread) == (None, None)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("make the roster, Ivan can't work nights in the second week", "can't"),
        ("roster for harbour and keep Diana and Eva apart", "apart"),
        ("make the roster, Grace would like Friday off", "like"),
        ("the roster without Bob", "without"),
    ],
)
def test_what_says_more_is_noticed(text: str, word: str) -> None:
    assert read(text, wards=["harbour"], today=TODAY).wish == word


@pytest.mark.parametrize("text", ["hello", "what is the weather", ""])
def test_what_asks_for_no_roster(text: str) -> None:
    assert not read(text, wards=["harbour"], today=TODAY).is_task


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("delete the roster", "delete"),
        ("show me the roster", "show"),
        ("make the roster for maple ward", "maple"),
        ("make the roster for harbour and willow", "willow"),
        ("make the roster for harbour 30", "30"),
        ("make the night roster", "night"),
        ("make the roster for ward N", "N"),
        ("make the roster 0123456789abcdef", "0123456789abcdef"),
        ("make the roster for Fridays", "friday"),
        ("make the roster from Monday and from Friday", "2026-11-20"),
        ("make the roster for 400 days", "400 days"),
        ("make the roster for 0 days", "0 days"),
    ],
)
def test_nothing_is_passed_over(text: str, word: str) -> None:
    assert read(text, wards=["harbour", "willow"], today=TODAY).unread == word


def test_a_date_that_does_not_exist() -> None:
    assert read("roster from 2026-02-30", wards=[], today=TODAY).bad_date == "2026-02-30"


@pytest.mark.parametrize("name", ["night-off", "never (b)", "two weeks", "ward 2026-13-45"])
def test_what_the_name_of_a_ward_says_is_no_wish(name: str) -> None:
    found = read(f"Make the roster for {name.title()}", wards=["ward", "night", name], today=TODAY)
    assert (found.ward, found.wish, found.days, found.bad_date) == (name, None, None, None)


@pytest.mark.parametrize("name", ["O'Brien", "O’Brien"])
@pytest.mark.parametrize("said", ["O'Brien", "O’Brien", "O`Brien", "O´Brien", "OʼBrien", "OBrien", "o’brien’s"])
def test_a_name_s_apostrophe_is_the_same_in_every_keyboard(name: str, said: str) -> None:
    ward = ward_of_two(nurses=[{"id": "n1", "name": f"Pat {name}"}, {"id": "n2", "name": "ג׳ורג׳ כץ"}], leave=[])
    found = taken_apart(
        f"why does {said} work on Friday, and not ג'ורג' כץ?", Named(ward, words=WORDS), Calendar(TODAY)
    )
    assert [nurse_named(ward, nurse).id for nurse in found.nurses] == ["n1", "n2"]


@pytest.mark.parametrize("language", TABLES)
def test_a_hint_is_read_as_what_it_is_a_hint_for(language: str) -> None:
    ward = ward_of_two(nurses=[{"id": "n1", "name": "Pat"}, {"id": "n2", "name": "Sam"}], leave=[])
    hints = {key[5:]: text for key, text in TABLES[language].items() if key.startswith("hint.")}
    said = [
        (kind, each)
        for kind, text in hints.items()
        for each in re.findall("“(.*?)”", text.format(nurse="Pat", other="Sam", day="9.12."))
    ]
    read = [(hear(each, Named(ward, words=WORDS), Calendar(date(2026, 12, 2))).commands, each) for _, each in said]
    assert [([command.kind for command in found], each) for found, each in read] == [
        ([kind], each) for kind, each in said
    ]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Christmas Day", date(2026, 12, 25)),
        ("Christmas", date(2026, 12, 25)),
        ("Christmas Eve", date(2026, 12, 24)),
        ("Boxing Day", date(2026, 12, 26)),
        ("New Year's Eve", date(2026, 12, 31)),
        ("new years day", date(2027, 1, 1)),
    ],
)
def test_a_public_holiday_with_a_date_is_read_by_its_name(said: str, day: date) -> None:
    found = taken_apart(f"who works on {said}?", Named(ward_of_two()), Calendar(TODAY))
    assert [when.first for when in found.days] == [day]


PAT, SAM = "Pat", "Sam"
NINTH, TENTH, ELEVENTH = 9, 10, 11


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("give Pat leave on 9 December and Sam on 10 December", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("Pat is ill on the 9th and Sam is ill on the 10th", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("Pat is ill on the 9th. Sam is ill on the 10th.", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("Pat is ill on the 9th and 10th, Sam on the 11th", [([PAT], [NINTH, TENTH]), ([SAM], [ELEVENTH])]),
        ("On the 9th give Pat leave and Sam on the 10th", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("give leave on the 9th to Pat\non the 10th to Sam", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("Pat חולה ב-9 בדצמבר ו-Sam חולה ב-10 בדצמבר", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("תן חופש ל-Pat ב-9 בדצמבר ול-Sam ב-10 בדצמבר", [([PAT], [NINTH]), ([SAM], [TENTH])]),
        ("Pat can't work nights and Sam can't work on the 9th", [([PAT], []), ([SAM], [NINTH])]),
        ("Pat and Sam are ill on 9 and 10 December", [([PAT, SAM], [NINTH, TENTH])]),
        ("Pat is ill on the 9th, and Sam", [([PAT], [NINTH]), ([SAM], [NINTH])]),
        ("Pat is ill on the 9th Sam is ill on the 10th", []),
        ("Pat on the 9th and Sam on the 10th are ill", []),
        ("Pat is ill on the 9th and Sam is on duty on the 10th", []),
    ],
)
def test_each_nurse_has_the_days_that_are_said_of_her(text: str, own: Sequence[tuple[list[str], list[int]]]) -> None:
    ward = ward_of_two(nurses=[{"id": "n1", "name": PAT}, {"id": "n2", "name": SAM}], leave=[])
    said = [each.said for each in hear(text, Named(ward, words=WORDS), Calendar(date(2026, 12, 2))).commands]
    found = [(list(each.nurses), [when.first.day for when in each.days if when.first]) for each in said]
    assert found == own
