"""Reading by rules takes time with each character: so many are read, and no more."""

from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import run
from wavegraph.graph import hotel
from wavegraph.tools.hotel import offline
from wavegraph.tools.hotel.property.registry import profile_for
from wavegraph.tools.hotel.reading import message, period
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.party import read_party
from wavegraph.tools.hotel.settings import HotelSettings

RULES = {"planner": "rules", "today": "2026-11-01", "language": "en"}
WISH = "book a double room for two adults from 21 to 23 March 2027, Dana Levi, dana@example.com"
ROW = "1. ok" * 3300


@pytest.fixture
def read_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The messages that the rules read."""
    seen: list[str] = []

    def noted(text: str, **options: Any) -> Any:
        seen.append(text)
        return read(text, **options)

    monkeypatch.setattr(offline, "read", noted)
    return seen


async def test_beside_a_booking_that_waits_a_long_row_is_not_read(read_texts: list[str]) -> None:
    graph = hotel.build().compile(checkpointer=InMemorySaver())
    asked = await run(graph, WISH, thread_id="t", settings=RULES)
    assert asked.outcome == "awaiting_approval"
    given: Any = {"messages": [HumanMessage(ROW)]}
    ended = await graph.ainvoke(given, {"configurable": {"thread_id": "t"}}, context=RULES)

    assert (
        ended["answer"] == "That message has 16500 characters, and I can read at most 4000. Please send a shorter one."
    )
    assert read_texts == [WISH]


def test_a_run_may_have_more_read() -> None:
    assert (HotelSettings().max_message_chars, HotelSettings(max_message_chars=20_000).max_message_chars) == (
        4000,
        20_000,
    )


async def test_of_a_history_the_latest_four_thousand_characters_are_read_again(read_texts: list[str]) -> None:
    history = [
        kind(f"{n} hello, do you have rooms? {'x' * 900}") for n in range(20) for kind in (HumanMessage, AIMessage)
    ]
    given: Any = {"messages": [*history, HumanMessage("and with breakfast?")]}
    await hotel.build().compile().ainvoke(given, context=RULES)

    assert [text.partition(" ")[0] for text in read_texts] == ["16", "17", "18", "19", "and"]


class Word:
    """A lexeme that counts how often it is looked at."""

    looked = 0

    def __init__(self, place: int) -> None:
        self.start, self.word, self.unit, self.num, self.counted = place, "word", "", 1, False

    @property
    def key(self) -> str:
        Word.looked += 1
        return "word"


def test_a_length_is_looked_for_once_over(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    for count in (100, 1000):
        words = [Word(place) for place in range(count)]
        monkeypatch.setattr(period, "lexemes", lambda text, words=words: words)
        Word.looked = 0
        assert period.read_searches("", [], (4, 2)) == ([], [])
        looked.append(Word.looked)

    assert looked[1] <= 11 * looked[0]


def test_the_party_of_a_message_without_dates_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def noted(text: str) -> Any:
        texts.append(text)
        return read_party(text)

    monkeypatch.setattr(message, "read_party", noted)
    found = read("a room for two adults", today=date(2026, 11, 1), profile=profile_for(HotelSettings(), None))

    assert (found.party.adults, found.parties, len(texts)) == (2, (), 1)
