"""Who is coming: the right party or a question, and no guest without an account. Today is Friday 20 November 2026.

message => adults children_ages=… rooms=… room_type=… | the next stay          or          => ? words of the question
"""

from pathlib import Path

import pytest
from desk_views import plan_of, resolved_args
from hypothesis import given
from hypothesis import strategies as st

from wavegraph.tools.hotel.dialogue.understanding import child_ages
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.party import Party, read_party

TABLE = Path(__file__).parents[3] / "data" / "hotel_parties.txt"
FIELDS = ("children_ages", "rooms", "room_type")


def shown(text: str) -> str:
    """The parties that rooms are looked up for; the question instead, if it asks."""
    plan = plan_of(text)
    if plan["reply"]:
        return f"? {plan['reply']}"
    args = resolved_args(plan).values()
    asked = f" ? {', '.join(unplaced)}" if (unplaced := plan["slots"]["unplaced"]) else ""
    return " | ".join(_party(each) for each in args if "adults" in each) + asked


def _party(args: dict[str, object]) -> str:
    values = {name: args[name] for name in FIELDS if name in args}
    lists = {name: ",".join(map(str, each)) if isinstance(each, list) else each for name, each in values.items()}
    return " ".join([str(args["adults"]), *(f"{name}={each}" for name, each in lists.items())])


@pytest.mark.parametrize("line", TABLE.read_text(encoding="utf-8").splitlines())
def test_the_party_or_a_question(line: str) -> None:
    text, _, expected = line.partition(" => ")
    found = shown(text)
    assert found == expected or (expected.startswith("?") and found.startswith("?") and expected[2:] in found)


def test_what_is_asked_about_keeps_what_is_known() -> None:
    first = "Jan 17-19, 2 adults with friends"
    assert "friends" in shown(first)
    plan = plan_of("4 adults in all", history=[("user", first), ("assistant", "…")])
    (args,) = resolved_args(plan).values()
    assert (args["check_in"], args["check_out"], args["adults"]) == ("2027-01-17", "2027-01-19", 4)


def test_stays_with_parties_of_their_own_keep_them_when_moved() -> None:
    talk = [("user", "Jan 17-19 for 2 adults and Feb 3-5 for 4 adults"), ("assistant", "…")]
    moved = resolved_args(plan_of("and a week later?", history=talk)).values()
    assert [(args["check_in"], args["adults"]) for args in moved] == [("2027-01-24", 2), ("2027-02-10", 4)]
    changed = resolved_args(plan_of("with 3 adults", history=talk)).values()
    assert [args["adults"] for args in changed] == [3, 3]


def read_as(text: str) -> Party:
    return read_party(prepared(fold(text))[0])


def test_a_shabbat_is_no_daughter() -> None:
    assert read_as("2 מבוגרים, 4 לילות עם שבת אחת") == Party(adults=2)


@pytest.mark.parametrize("text", ["2 adults 0 children", "2 adults, 0 kids, 0 babies", "2 מבוגרים 0 ילדים"])
def test_none_is_a_count(text: str) -> None:
    party = read_as(text)

    assert (party.adults, party.children or 0, party.babies or 0, party.open) == (2, 0, 0, ())


ADULTS = {
    "en": {"2 adults": 2, "a couple": 2, "my wife and I": 2, "three adults": 3, "my parents and me": 3, "1 adult": 1, "us two": 2},
    "he": {"2 מבוגרים": 2, "זוג": 2, "אשתי ואני": 2, "שלושה מבוגרים": 3, "ההורים שלי ואני": 3, "שנינו": 2},
}  # fmt: skip
MORE = {"en": {"grandma": 1, "my sister": 1, "3 friends": 3}, "he": {"סבתא": 1, "אחותי": 1, "3 חברים": 3}}
MINORS = {
    "en": {
        "a baby": [1], "twins aged 4": [4, 4], "kids 8 and 11": [8, 11], "a 6 year old": [6], "2 children (3, 5)": [3, 5], "a 3yo": [3],
        "our sons 15 and 17": [15, 17], "a girl of 7": [7], "two kids aged 2 and 9": [2, 9], "a 7-month-old": [0],
    },
    "he": {
        "תינוק": [1], "תאומים בני 4": [4, 4], "ילדים בני 8 ו-11": [8, 11], "ילדה בת 6": [6], "2 ילדים (3, 5)": [3, 5],
        "הבנים בני 15 ו-17": [15, 17], "ילד בן שנתיים": [2], "תינוקת בת חצי שנה": [0],
    },
}  # fmt: skip
JOINTS = {"en": (", ", " and ", " + ", " with ", " plus "), "he": (", ", " + ", " עם ", " ועוד ")}
OPEN = {"en": ("friends", "my brothers", "cousins"), "he": ("חברים", "האחים שלי", "קולגות")}


@st.composite
def parties(draw: st.DrawFn) -> tuple[str, str, int, list[int]]:
    """A language, a party in its words, its adults and the ages of its children."""
    language = draw(st.sampled_from(("en", "he")))
    adults = draw(st.sampled_from(list(ADULTS[language])))
    minors = draw(st.lists(st.sampled_from(list(MINORS[language])), max_size=3, unique=True))
    more = draw(st.lists(st.sampled_from(list(MORE[language])), max_size=1))
    parts = draw(st.permutations([adults, *minors]))
    text = parts[0]
    for part in parts[1:]:
        text += draw(st.sampled_from(JOINTS[language])) + part
    text += "".join((" and " if language == "en" else " ועוד ") + each for each in more)
    count = ADULTS[language][adults] + sum(MORE[language][each] for each in more)
    return language, text, count, sorted(age for each in minors for age in MINORS[language][each])


@given(parties())
def test_no_guest_is_lost(party: tuple[str, str, int, list[int]]) -> None:
    _, text, adults, ages = party
    found = read_as(text)
    assert found.open or (found.adults, sorted(child_ages(found)[0])) == (adults, ages)


@given(parties(), st.data())
def test_whoever_is_not_counted_is_asked_about(party: tuple[str, str, int, list[int]], data: st.DataObject) -> None:
    language, text, _, _ = party
    who = data.draw(st.sampled_from(OPEN[language]))
    assert read_as(f"{text}{data.draw(st.sampled_from(JOINTS[language]))}{who}").open


@given(parties(), st.integers(min_value=3, max_value=99))
def test_a_number_that_nothing_explains_is_asked_about(party: tuple[str, str, int, list[int]], number: int) -> None:
    text = prepared(fold(f"{party[1]}. {number}."))[0]
    found = read_party(text)
    assert any(text[start:end].endswith(str(number)) for start, end in found.open)


FOLLOWING = (
    ("6-8 September, 2 adults", "כלומר 5 עד 9", ("2027-09-05", "2027-09-09", 2, [])),
    ("Friday 22 January for 2", "we might stay for Saturday night also", ("2027-01-22", "2027-01-24", 2, [])),
    ("4-7 June, 2 adults and a 5yo", "Make it 5-8", ("2027-06-05", "2027-06-08", 2, [5])),
    ("1-5 July for 2 + baby", "the baby is 2 in June actually, so then 2", ("2027-07-01", "2027-07-05", 2, [2])),
    ("1-5 July, 2 adults, kids 3 and 1.5", "What about the 3 year old, how much is the total", None),
)


@pytest.mark.parametrize(("first", "then", "expected"), FOLLOWING)
def test_what_follows_changes_only_what_it_names(
    first: str, then: str, expected: tuple[str, str, int, list[int]] | None
) -> None:
    args = resolved_args(plan_of(then, history=[("user", first), ("assistant", "…")])).values()
    stay = [(each["check_in"], each["check_out"], each["adults"], each.get("children_ages", [])) for each in args]
    assert stay == [expected or ("2027-07-01", "2027-07-05", 2, [3, 1])]


def test_a_birthday_of_one_of_several_children_is_asked_about() -> None:
    talk = [("user", "8-12 August, 2 adults, kids 2 and 4"), ("assistant", "…")]
    reply = plan_of("the 2yo turns 2 on 10/8, so she's 1 when we come", history=talk)["reply"]
    assert reply is not None
    assert "the 2yo" in reply
    assert "ages 2, 4" in reply
