"""What a guest is promised while a booking waits for a yes, and that it is true whatever the hotel and others do meanwhile."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hotel_runs import TODAY
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled

from wavegraph import run
from wavegraph.app.run.result import Result
from wavegraph.tools.hotel.domain import hotel_domain

BOOK = "Book a double room January 17-19 for two adults, Dana Levi, dana@example.com"
OTHER = "Book a double room January 17-19 for two adults, Omer Katz, 050-1234567"
NOTHING_KEPT = "Nothing can be kept for you until you answer: with your yes I check once more"

Sql = Callable[[str], None]


@pytest.fixture
def sql(database: Path) -> Sql:
    def do(text: str) -> None:
        with closing(sqlite3.connect(database)) as file, file:
            file.execute(text)

    return do


class Desk:
    """Conversations with one hotel, whose process may be started anew; the checkpoints outlive it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._saver = folder, InMemorySaver()
        self.restart()

    def restart(self) -> None:
        self._graph = compiled(hotel_domain(self._folder), checkpointer=self._saver)

    async def __call__(self, thread: str, text: str) -> Result:
        return await run(self._graph, text, thread_id=thread, settings={"today": TODAY})


@pytest.fixture
def desk(database: Path) -> Desk:
    return Desk(database.parent)


CHANGES = {
    "closed": "UPDATE inventory SET stop_sell = 1",
    "dearer": "UPDATE rate SET base_agorot = base_agorot * 2",
    "a longer stay asked": "INSERT OR REPLACE INTO restriction VALUES ('*', '*', '2027-01-17', NULL, 7, NULL, 0, 0)",
    "no plan": "DELETE FROM rate_plan",
    "no more rooms": "UPDATE inventory SET total = sold + held",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
@pytest.mark.parametrize("killed", [False, True], ids=["", "killed in between"])
async def test_what_was_asked_about_is_booked_on_its_terms(desk: Desk, sql: Sql, change: str, killed: bool) -> None:
    asked = await desk("t", BOOK)
    assert asked.question
    assert asked.question["valid_until"]
    assert NOTHING_KEPT not in asked.question["text"]
    sql(change)
    if killed:
        desk.restart()

    ended = await desk("t", "yes")

    assert (ended.outcome, ended.results["create_booking"]["data"]["total_agorot"]) == ("answered", 78000)


@pytest.mark.parametrize("change", ["closed", "no plan", "no more rooms"])
async def test_closed_first_nothing_is_asked_or_promised(desk: Desk, sql: Sql, change: str) -> None:
    sql(CHANGES[change])

    ended = await desk("t", BOOK)

    assert ended.question is None
    assert "yes / no" not in ended.answer


@pytest.mark.parametrize("text", [BOOK, "תזמין חדר זוגי 17-19 בינואר לשני מבוגרים, דנה לוי, dana@example.com"])
async def test_where_nothing_is_held_the_question_says_so_and_a_yes_still_books(
    desk: Desk, sql: Sql, text: str
) -> None:
    sql("UPDATE inventory SET sold = total - 2 WHERE room_type = 'DBL'")
    await desk("other", OTHER)

    asked = await desk("t", text)
    again = await desk("t", "what time is breakfast?")
    ended = await desk("t", "yes" if text == BOOK else "כן")

    assert asked.question
    assert asked.question["valid_until"] is None
    sentence = NOTHING_KEPT if text == BOOK else "אי אפשר לשמור על כך עד לתשובה"
    assert sentence in asked.question["text"]
    why = "Other guests' questions hold as many" if text == BOOK else "שאלות של אורחים אחרים שומרות"
    assert why in asked.question["text"]
    assert again.question
    assert NOTHING_KEPT in again.question["text"]  # in the language of the message that it stands behind
    assert (ended.outcome, "WG-" in ended.answer) == ("answered", True)


async def test_where_nothing_was_held_and_the_rooms_are_gone_it_is_said(desk: Desk, sql: Sql) -> None:
    sql("UPDATE inventory SET sold = total - 2 WHERE room_type = 'DBL'")
    await desk("other", OTHER)
    assert NOTHING_KEPT in (await desk("t", BOOK)).answer
    sql("UPDATE inventory SET sold = total - held WHERE room_type = 'DBL'")

    ended = await desk("t", "yes")

    assert "WG-" not in ended.answer
    assert "not booked" in ended.answer.lower() or "no longer" in ended.answer.lower()
    assert "WG-" in (await desk("other", "yes")).answer


async def test_a_conversation_that_asks_anew_holds_its_last_question_alone(desk: Desk, database: Path) -> None:
    for day in (17, 18, 19, 20):
        await desk("t", f"Book a double room January {day}-{day + 2} for two adults, Dana Levi, dana@example.com")

    with closing(sqlite3.connect(database)) as file:
        held = file.execute("SELECT check_in FROM booking WHERE status = 'hold'").fetchall()
    assert held == [("2027-01-20",)]


async def test_a_guest_in_many_conversations_is_told_what_is_held(desk: Desk, database: Path) -> None:
    stays = ("January 17-19", "February 1-3", "February 7-9", "March 1-3")
    asked = [
        await desk(stay, f"Book a double room {stay} for two adults, Dana Levi, dana@example.com") for stay in stays
    ]

    assert [NOTHING_KEPT in each.answer for each in asked] == [False, False, False, True]
    assert "Your other questions that wait for a yes" in asked[3].answer
    assert "answer or decline one of them and ask again" in asked[3].answer
    assert "WG-" in (await desk("March 1-3", "yes")).answer


async def test_who_declines_one_of_many_questions_has_the_next_one_kept(desk: Desk) -> None:
    for stay in ("January 17-19", "February 1-3", "February 7-9"):
        await desk(stay, f"Book a double room {stay} for two adults, Dana Levi, dana@example.com")
    await desk("January 17-19", "no")

    asked = await desk("t", "Book a double room March 1-3 for two adults, Dana Levi, dana@example.com")

    assert NOTHING_KEPT not in asked.answer
