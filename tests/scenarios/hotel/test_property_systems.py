"""The agent at the same hotel on every property system: one answer, in what each can know."""

import asyncio
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from property_adapters import ADAPTERS, TODAY, Peer, in_one_file

from wavegraph.testing import Conversation
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.property import sqlite_property

GUEST = "My name is Dana Levi, dana@example.com"
KEPT = re.compile(r"\b(?:kept|keep|keeping|held|hold|holding|reserved for you)\b|שמור|נשמר", re.IGNORECASE)

FREE = re.compile(r"free cancellation|free of charge|ללא עלות", re.IGNORECASE)
"""What is only said where the system tells until when a cancellation is free."""
NOT_KEPT = "Nothing can be kept for you until you answer"


@pytest.fixture(scope="module")
def hotel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hotel") / "demo.sqlite"
    sqlite_property.build(path, date(2026, 11, 20))
    return path


def talk_at(peer: Peer) -> Conversation:
    def opener(property_id: str, **_: Any) -> Any:
        return peer.adapter

    return Conversation(hotel_domain(opener=opener), settings={"today": "2026-11-20"})


@pytest.fixture(params=ADAPTERS)
def peer(request: pytest.FixtureRequest, hotel: Path, tmp_path: Path) -> Iterator[Peer]:
    with ADAPTERS[request.param](hotel, tmp_path) as peer:
        asyncio.run(peer.adapter.rooms(today=TODAY))  # its words for rooms are those it has read before
        yield peer


@pytest.fixture
def reference(hotel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    with in_one_file(hotel, tmp_path_factory.mktemp("reference")) as peer:
        yield peer


def prices(text: str) -> list[str]:
    return re.findall(r"[\d,.]*\d(?= (?:NIS|ש״ח))", text)


def days(text: str) -> list[str]:
    """Of the stays, each at the beginning of its line."""
    return re.findall(r"^(?:- )?(.*? – .*?20\d\d)", text, re.MULTILINE)


REQUESTS = {
    "a stay": "Check availability January 17-19 2027 for two adults",
    "a family": "Two adults and two children aged 4 and 9, January 17-19 2027",
    "a full night, and others": "Check availability December 25 2026",
    "a minimum stay": "a room for two adults, Thursday 3 December 2026, one night",
    "a budget": "Show me rooms under 1000 NIS on January 17-19 2027",
    "Hebrew": "יש חדר פנוי לזוג מ-17 עד 19 בינואר 2027?",
    "past": "a room for two on 1 November 2026 for two nights",
    "too long": "a room for two from 1 to 28 February 2027",
}


@pytest.mark.parametrize("request_kind", REQUESTS)
def test_a_request_is_answered_alike(request_kind: str, peer: Peer, reference: Peer) -> None:
    text = REQUESTS[request_kind]
    ended, right = talk_at(peer).say(text), talk_at(reference).say(text)

    assert ended.outcome == right.outcome
    assert ended.action == right.action
    assert prices(ended.answer) == prices(right.answer), ended.answer
    assert days(ended.answer) == days(right.answer), ended.answer
    assert ended.tools == right.tools
    assert peer.adapter.capabilities.policies or not FREE.search(ended.answer), ended.answer


def test_a_booking_from_the_question_to_its_cancellation(peer: Peer) -> None:
    talk = talk_at(peer)
    asked = talk.say(f"Book the cheapest double room with free cancellation January 17-19 2027. {GUEST}")
    assert asked.outcome == "awaiting_approval", asked.answer
    assert prices(asked.answer)[:2] == ["780", "390"]
    if not peer.adapter.capabilities.holds:
        assert asked.question is not None
        assert asked.question["valid_until"] is None
        assert not KEPT.search(asked.answer.replace(NOT_KEPT, "")), asked.answer
    assert peer.adapter.capabilities.policies or not FREE.search(asked.answer), asked.answer

    booked = talk.say("yes")
    (made,) = (each["data"] for each in booked.results.values() if each["tool"] == "create_booking")
    assert (booked.outcome, made["status"], made["total_agorot"]) == ("answered", "confirmed", 78000)
    assert made["reference"] in booked.answer
    found = talk.say(f"Show me booking {made['reference']}, Levi")
    assert "780" in prices(found.answer), found.answer
    strange = talk.say(f"Show me booking {made['reference']}, Katz")
    assert prices(strange.answer) == []
    asked = talk.say(f"Cancel booking {made['reference']}, Levi")
    assert asked.outcome == "awaiting_approval", asked.answer
    gone = talk.say("yes")
    assert gone.outcome == "answered"
    assert "cancelled" in gone.answer
    assert peer.adapter.capabilities.policies or not FREE.search(gone.answer), gone.answer
    if peer.server:
        assert [known.status for known in peer.server.bookings()] == ["CL"]


def test_what_was_taken_since_is_not_booked(peer: Peer) -> None:
    """The only accessible room: two guests are asked, one says yes first; the other is told, and nothing is doubled."""
    request = f"Book the accessible room January 17-19 2027. {GUEST}"
    one, other = talk_at(peer), talk_at(peer)
    one.say(request)
    asked = other.say(request.replace("Dana", "Noa").replace("dana", "noa"))
    assert one.say("yes").outcome == "answered"
    late = other.say("yes") if asked.outcome == "awaiting_approval" else asked
    assert not [each for each in late.results.values() if each["tool"] == "create_booking" and each["status"] == "ok"]
    if peer.server:
        assert len(peer.server.bookings()) == 1
