"""A message in doubt: what is counted is searched for, and the answer asks about the rest; two numbers of guests, or a booking,
are read back first. A yes goes on with that, and books nothing."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY, asked
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled, human, on_thread
from runs import run as run_to_end

from wavegraph import run
from wavegraph.tools.hotel.dialogue.slots import loads
from wavegraph.tools.hotel.domain import hotel_domain

DOUBTFUL = "12-15 January, 5 people: 2 adults, kids 2 and 8. With breakfast, please"
READ = (
    "I read: Tuesday 12 January – Friday 15 January 2027, 3 nights; 2 adults and 2 children (ages 2, 8); "
    "breakfast included. I could not place “5 people” and “2 adults”. Is that right, or what should I change?"
)
HEBREW = "12-15 בינואר, 5 אנשים: זוג עם ילד בן 5"
READ_HEBREW = (
    "כך הבנתי: יום שלישי, 12 בינואר עד יום שישי, 15 בינואר 2027 (3 לילות); שני מבוגרים וילד אחד (בגיל 5). "
    "לא הבנתי את “5 אנשים” ו“זוג”. זה נכון, או שיש מה לשנות?"
)
BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
Talk = Callable[..., Any]


@pytest.fixture
def talk(database: Path) -> Talk:
    graph = compiled(hotel_domain(database.parent), checkpointer=InMemorySaver())

    async def say(text: str) -> Any:
        return await run(graph, text, thread_id="t", settings={"today": TODAY})

    return say


def bookings(database: Path) -> int:
    with closing(sqlite3.connect(database)) as file:
        return int(file.execute("SELECT count(*) FROM booking WHERE status = 'confirmed'").fetchone()[0])


@pytest.mark.parametrize(
    ("text", "read", "yes"), [(DOUBTFUL, READ, "yes, exactly"), (HEBREW, READ_HEBREW, "נכון")], ids=["en", "he"]
)
def test_on_a_thread_and_as_plain_messages(data_dir: Path, text: str, read: str, yes: str) -> None:
    graph = compiled(hotel_domain(data_dir), checkpointer=InMemorySaver())
    question = run_to_end(graph, human(text), on_thread(), context={"today": TODAY})
    assert (question["outcome"], question["answer"], question["tools_executed"]) == ("clarify", read, 0)

    same_thread = run_to_end(graph, human(yes), on_thread(), context={"today": TODAY})
    as_messages = asked(data_dir, yes, history=[("user", text), ("assistant", read)])
    for ended in (same_thread, as_messages):
        args = ended["results"]["check_availability"]["args"]
        assert (args["check_in"], args["check_out"], args["adults"]) == ("2027-01-12", "2027-01-15", 2)


async def test_a_no_reads_back_again_and_asks_what_to_change(talk: Talk) -> None:
    await talk(DOUBTFUL)

    again = await talk("no")

    assert again.answer.startswith("I read: Tuesday 12 January – Friday 15 January 2027, 3 nights; 2 adults")
    assert again.answer.endswith("breakfast included. What should I change: the dates, the guests or the room?")


async def test_a_yes_to_it_is_none_to_the_booking_that_waits(talk: Talk, database: Path) -> None:
    assert (await talk(BOOK)).question
    question = await talk("and for 12-15 March, 2 adults and 44?")
    assert "I could not place “44”." in question.answer

    for yes in ("yes", "right", "exactly"):
        await talk(yes)
    assert bookings(database) == 0


async def test_a_yes_to_a_booking_read_back_shows_it_and_asks(talk: Talk, database: Path) -> None:
    await talk(f"{BOOK}. And 44")

    shown = await talk("yes")

    assert shown.outcome == "answered"
    assert shown.answer.endswith("Shall I book it? Nothing is booked yet.")
    assert bookings(database) == 0


async def test_each_stay_is_read_back_with_its_guests(talk: Talk) -> None:
    question = await talk("My aunt says 12-15 January for 2 adults. Somebody else told us 3-5 February for 4 adults")

    assert "3 nights, 2 adults; Wednesday 3 February – Friday 5 February 2027, 2 nights, 4 adults." in question.answer


def test_what_the_last_version_stored_is_read() -> None:
    slots = loads({"intent": "which_dates", "adults": 2})
    assert slots is not None
    assert not slots.read_back


ASKED = (
    ("12-15 March, 2 adults. My son lives nearby", "I counted 2 adults; is “son” one more guest?", "yes", [2, 1]),
    ("12-15 March for a couple and maybe grandma", "I counted 2 adults; is “grandma” one more guest?", "no, just us", [2, 0]),
    ("12-15 March for 2, perhaps my mum joins us", "I counted 2 adults; is “mum” one more guest?", "yes, she is 80", [3, 0]),
    ("12-15 במרץ, זוג, ואולי גם סבתא", "ספרתי שני מבוגרים. האם “סבתא” בנוסף לאלה?", "כן", [3, 0]),
    ("12-15 במרץ, זוג, ואולי גם אחותי", "ספרתי שני מבוגרים. האם “אחותי” בנוסף לאלה?", "לא", [2, 0]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "question", "answer", "guests"), ASKED)
async def test_who_is_not_placed_is_asked_about_beside_what_was_found(
    talk: Talk, text: str, question: str, answer: str, guests: list[int]
) -> None:
    first = await talk(text)
    assert "\n- " in first.answer
    assert first.answer.endswith(question)

    then = (await talk(answer)).results["check_availability"]["args"]
    assert [then["adults"], len(then.get("children_ages", ()))] == guests


async def test_a_yes_without_a_number_is_asked_again(talk: Talk, database: Path) -> None:
    assert (await talk("12-15 March, 2 adults and 44")).answer.endswith(
        "I could not place “44”. What did you mean by it?"
    )

    assert (await talk("yes")).outcome == "clarify"
    assert bookings(database) == 0
