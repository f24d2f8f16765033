"""MiniHotel at its worst: what fails is refused by the right code, and no booking is lost or doubled."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from minihotel_server.faults import Fault, FaultKind
from patience import HANGS_S
from property_adapters import NOW, TODAY, minihotel_config, on_minihotel
from skipping import LIMIT_S, jump

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
from wavegraph.tools.hotel.records import Booking, Guest, OpenStaysQuery, Quote, QuoteQuery, StayQuery

STAY = {"check_in": date(2027, 1, 17), "check_out": date(2027, 1, 19), "adults": 2, "room_type": "DBL"}
QUERY = StayQuery.model_validate(STAY)
DANA = Guest(name="Dana Levi", email="dana@example.com")
ALWAYS = 20
"""More often than any adapter tries."""


@pytest.fixture
def desk(hotels: Any, tmp_path: Path, asked_of: Any) -> Iterator[Any]:
    with asyncio.Runner() as runner, on_minihotel(hotels["demo"], tmp_path) as peer:
        asked = asked_of(peer, runner)
        asked(asked.adapter.open())
        yield asked
        asked(asked.adapter.close())


@pytest.fixture
def reads(opens: Any) -> Iterator[Any]:
    """For tests that only read: one server for them all, without the faults of the test before."""
    asked = opens("minihotel", "demo")
    asked.peer.server.faults.forget()
    asked.peer.server.calls.clear()
    yield asked
    asked.peer.server.faults.forget()


@pytest.fixture
def hasty(desk: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Where the server's answer is late, its time is up at once; any other has as long as this machine takes for it."""
    monkeypatch.setattr("wavegraph.tools.hotel.minihotel.connection.TIMEOUT", httpx.Timeout(LIMIT_S))
    monkeypatch.setattr("wavegraph.tools.hotel.minihotel.connection.WHOLE_CALL_S", 2 * LIMIT_S)
    faults = desk.peer.server.faults
    waits = faults.wait

    def outlasts() -> None:
        jump()
        waits()

    monkeypatch.setattr(faults, "wait", outlasts)
    return desk


def stay(desk: Any, query: StayQuery = QUERY) -> Any:
    return desk.adapter.availability(query, today=TODAY)


DAYS = count()


def new_stay(desk: Any) -> Any:
    """One that nobody asked about before: the adapter remembers answers for a while."""
    arrival = date(2027, 2, 1) + timedelta(days=next(DAYS))
    return stay(desk, QUERY.model_copy(update={"check_in": arrival, "check_out": arrival + timedelta(days=2)}))


def quoted(desk: Any) -> Quote:
    made: Quote = desk(desk.adapter.quote(QuoteQuery.model_validate(STAY), today=TODAY))
    return made


def book(desk: Any, quote: Quote) -> Booking | ToolRefusal:
    try:
        made: Booking = desk(desk.adapter.book(quote.quote_id, DANA, today=TODAY))
        return made
    except ToolRefusal as refusal:
        return refusal


def plan(desk: Any, kind: FaultKind, on: Any, **more: Any) -> None:
    desk.peer.server.faults.plan(Fault(kind, on=on, **more))


def kinds(desk: Any) -> list[str]:
    return [call.kind for call in desk.peer.server.calls]


# Reads

CODES = {
    "001": "bad_response", "501": "bad_response", "010": "bad_hotel", "202": "bad_hotel", "204": "bad_hotel",
    "205": "bad_hotel", "211": "bad_hotel", "109": "bad_hotel", "210": "auth", "863": "auth", "A01": "ip_not_allowed",
    "101": "bad_dates", "106": "past", "107": "too_long", "108": "too_short",
    "308": "bad_rate", "803": "bad_rate", "777": "bad_response",
}  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_each_error_has_its_code(code: str, reads: Any) -> None:
    plan(reads, "err", "immediate", code=code, times=ALWAYS)
    with pytest.raises(ToolRefusal) as refusal:
        reads(new_stay(reads))
    assert refusal.value.code == CODES[code]
    assert reads.peer.password not in str(refusal.value)
    assert not refusal.value.retryable


def test_too_many_requests_may_be_made_later(desk: Any) -> None:
    plan(desk, "err", "immediate", code="209", times=ALWAYS)
    with pytest.raises(ToolRefusal) as refusal:
        desk(stay(desk))
    assert (refusal.value.code, refusal.value.retryable) == ("rate_limited", True)


@pytest.mark.parametrize(("code", "adults", "reason"), [("104", 1, "min_stay"), ("105", 2, "closed_arrival")])
def test_a_rule_that_is_named_is_the_answer_to_a_stay(code: str, adults: int, reason: str, reads: Any) -> None:
    """On nights that are free, whose own rules explain nothing."""
    plan(reads, "err", "immediate", code=code, times=ALWAYS)
    query = {"check_in": date(2027, 1, 18), "check_out": date(2027, 1, 19), "adults": adults, "room_type": "DBL"}
    found = reads(stay(reads, StayQuery.model_validate(query)))
    assert (found.offers, found.reason) == ([], reason)


@pytest.mark.parametrize("kind", ["html", "empty", "truncated", "oversized", "doctype"])
def test_what_is_no_answer_is_a_bad_response(kind: FaultKind, reads: Any) -> None:
    plan(reads, kind, "immediate", times=ALWAYS)
    assert reads.refused(new_stay(reads)) == "bad_response"


@pytest.mark.parametrize(("kind", "adults"), [("escaped", 1), ("leading_space", 2)])
def test_what_is_an_answer_all_the_same_is_read(kind: FaultKind, adults: int, reads: Any) -> None:
    plan(reads, kind, "immediate", times=ALWAYS)
    found = reads(stay(reads, QUERY.model_copy(update={"adults": adults})))
    assert {offer.room_type for offer in found.offers} == {"DBL"}
    assert "immediate" in kinds(reads)


@pytest.mark.parametrize(("status", "codes"), [("401", {"auth", "ip_not_allowed"}), ("500", {"bad_response", "timeout"}),
                                               ("503", {"bad_response", "timeout", "rate_limited"})])  # fmt: skip
def test_an_http_status_is_no_answer(status: str, codes: set[str], reads: Any) -> None:
    plan(reads, "status", "immediate", code=status, times=ALWAYS)
    assert reads.refused(new_stay(reads)) in codes


def test_a_dropped_read_may_be_asked_again(reads: Any) -> None:
    with_a_baby = QUERY.model_copy(update={"children_ages": [1]})
    plan(reads, "drop_before", "immediate", times=ALWAYS)
    with pytest.raises(ToolRefusal) as refusal:
        reads(stay(reads, with_a_baby))
    assert (refusal.value.code, refusal.value.retryable) == ("timeout", True)
    reads.peer.server.faults.forget()
    assert reads(stay(reads, with_a_baby)).offers


def test_a_wrong_password_is_told_without_it(reads: Any, tmp_path: Path) -> None:
    wrong = EnvironmentSecrets({"WIRE_USERNAME": "desk", "WIRE_PASSWORD": "guessed-and-wrong"})
    config = minihotel_config(reads.peer.server.houses["H1"].path, reads.peer.server.url)
    other = MiniHotelProperty(config, secrets=wrong, data_dir=tmp_path / "other", now=lambda: NOW)

    async def asked() -> None:
        await other.open()
        try:
            await other.availability(QUERY, today=TODAY)
        finally:
            await other.close()

    with pytest.raises(ToolRefusal) as refusal:
        reads(asked())
    assert refusal.value.code == "auth"
    assert "guessed" not in str(refusal.value)


def test_an_error_that_quotes_the_login_is_cleaned(reads: Any) -> None:
    plan(reads, "echo", "immediate", times=ALWAYS)
    with pytest.raises(ToolRefusal) as refusal:
        reads(new_stay(reads))
    assert refusal.value.code == "auth"
    assert reads.peer.password[:12] not in str(refusal.value)


def test_a_no_that_cannot_be_explained_is_still_a_no(reads: Any) -> None:
    """Bulk ARI fails; the stay was asked about all the same."""
    plan(reads, "err", "bulk", code="310", times=ALWAYS)
    full = QUERY.model_copy(update={"check_in": date(2026, 12, 25), "check_out": date(2026, 12, 26)})
    found = reads(reads.adapter.availability(full, today=TODAY))
    assert (found.offers, found.refusals) == ([], found.refusals)
    assert found.reason not in ("min_stay", "closed_arrival", "closed_departure")


def test_a_wrong_rate_code_is_no_full_hotel(reads: Any, tmp_path: Path) -> None:
    """Immediate ARI is silent on it; Bulk ARI names it."""
    config = minihotel_config(reads.peer.server.houses["H1"].path, reads.peer.server.url)
    secrets = EnvironmentSecrets({"WIRE_USERNAME": "desk", "WIRE_PASSWORD": reads.peer.password})
    wrong = config.model_copy(update={"rate_code": "USD"})
    other = MiniHotelProperty(wrong, secrets=secrets, data_dir=tmp_path / "other", now=lambda: NOW)

    async def asked() -> None:
        await other.open()
        try:
            await other.availability(QUERY, today=TODAY)
        finally:
            await other.close()

    assert reads.refused(asked()) == "bad_rate"


def test_connections_are_kept(desk: Any) -> None:
    for nights in (1, 2, 3, 4):
        query = QUERY.model_copy(update={"check_out": date(2027, 1, 17 + nights)})
        desk(desk.adapter.availability(query, today=TODAY))
    window = {"from_date": "2027-01-10", "to_date": "2027-01-24", "nights": 2, "adults": 2}
    desk(desk.adapter.open_stays(OpenStaysQuery.model_validate(window), today=TODAY))
    assert len(desk.peer.server.calls) >= 5
    assert desk.peer.server.connections <= 4


# Bookings

DONE: list[FaultKind] = [
    "drop_after",
    "late_after",
    "unconfirmed_after",
    "html",
    "empty",
    "truncated",
    "oversized",
    "doctype",
]
NOT_DONE: list[FaultKind] = ["drop_before", "unconfirmed_before"]


@pytest.mark.parametrize("kind", DONE)
def test_a_booking_whose_answer_is_lost_is_found(kind: FaultKind, hasty: Any) -> None:
    """It was done: the look-up finds it, and it is never sent again."""
    quote = quoted(hasty)
    plan(hasty, kind, "book")
    made = book(hasty, quote)

    assert isinstance(made, Booking), made
    assert made.status == "confirmed"
    assert kinds(hasty).count("book") == 1
    assert "reservation_key" in kinds(hasty)
    assert [known.status for known in hasty.peer.server.bookings()] == ["OK"]
    again = book(hasty, quote)
    assert isinstance(again, Booking)
    assert (again.reference, again.repeated) == (made.reference, True)
    assert kinds(hasty).count("book") == 1


@pytest.mark.parametrize("kind", NOT_DONE)
def test_a_booking_that_was_not_done_is_made_once_in_the_end(kind: FaultKind, hasty: Any) -> None:
    quote = quoted(hasty)
    plan(hasty, kind, "book")
    first = book(hasty, quote)
    made = book(hasty, quote)

    assert isinstance(made, Booking), (first, made)
    assert [known.status for known in hasty.peer.server.bookings()] == ["OK"]


@pytest.mark.parametrize("kind", ["drop_after", "drop_before", "late_after"])
def test_what_cannot_be_looked_up_is_unknown_until_it_can(kind: FaultKind, hasty: Any) -> None:
    quote = quoted(hasty)
    plan(hasty, kind, "book")
    plan(hasty, "drop_before", "reservation_key", times=ALWAYS, after="book")
    first = book(hasty, quote)
    assert isinstance(first, ToolRefusal)
    assert first.code == "write_unknown"
    assert kinds(hasty).count("book") == 1
    hasty.peer.server.faults.forget()
    hasty.peer.server.faults.let_go()

    found = hasty(hasty.adapter.booking_of(quote.quote_id, DANA))
    assert (found is not None) is (kind != "drop_before")
    made = book(hasty, quote)
    assert isinstance(made, Booking), made
    assert made.repeated is (kind != "drop_before")
    assert [known.status for known in hasty.peer.server.bookings()] == ["OK"]


@pytest.mark.parametrize("code", ["209", "210", "803", "777"])
def test_a_booking_that_is_refused_is_not_made(code: str, hasty: Any) -> None:
    quote = quoted(hasty)
    plan(hasty, "err", "book", code=code, times=ALWAYS)
    refused = book(hasty, quote)
    assert isinstance(refused, ToolRefusal)
    assert refused.code in (CODES.get(code, "rate_limited"), "write_unknown")
    assert hasty.peer.server.bookings() == []


def sql(desk: Any, statement: str) -> None:
    with closing(sqlite3.connect(desk.peer.server.houses["H1"].path)) as connection, connection:
        connection.execute(statement)


IN_THE_STAY = "room_type = 'DBL' AND date BETWEEN '2027-01-17' AND '2027-01-18'"


def test_rooms_are_asked_for_again_before_the_write(desk: Any) -> None:
    """Whatever a search just before has left in a cache."""
    quote = quoted(desk)
    desk(stay(desk))
    sql(desk, f"UPDATE inventory SET sold = total WHERE {IN_THE_STAY}")
    refused = book(desk, quote)
    assert isinstance(refused, ToolRefusal)
    assert refused.code == "sold_out"
    assert "book" not in kinds(desk)


def test_the_price_is_asked_for_again_before_the_write(desk: Any) -> None:
    quote = quoted(desk)
    desk(stay(desk))
    sql(desk, f"UPDATE rate SET base_agorot = base_agorot + 1000 WHERE {IN_THE_STAY}")
    refused = book(desk, quote)
    assert isinstance(refused, ToolRefusal)
    assert refused.code == "price_changed"
    assert "780.00 ILS to 800.00 ILS" in str(refused)
    assert "book" not in kinds(desk)


def test_a_cancellation_whose_answer_is_lost_is_found(hasty: Any) -> None:
    made = book(hasty, quoted(hasty))
    assert isinstance(made, Booking)
    plan(hasty, "drop_after", "cancel")
    gone = hasty(hasty.adapter.cancel(made.reference, "Levi", today=TODAY))
    assert gone.status == "cancelled"
    assert kinds(hasty).count("cancel") == 1
    assert [known.status for known in hasty.peer.server.bookings()] == ["CL"]


def test_a_cancellation_that_cannot_be_looked_up_is_unknown_until_it_can(hasty: Any) -> None:
    made = book(hasty, quoted(hasty))
    assert isinstance(made, Booking)
    plan(hasty, "drop_after", "cancel")
    plan(hasty, "drop_before", "reservation_key", times=ALWAYS, after="cancel")
    assert hasty.refused(hasty.adapter.cancel(made.reference, "Levi", today=TODAY)) == "write_unknown"
    hasty.peer.server.faults.forget()
    assert hasty(hasty.adapter.cancel(made.reference, "Levi", today=TODAY)).status == "cancelled"
    assert [known.status for known in hasty.peer.server.bookings()] == ["CL"]


def test_a_booking_that_the_desk_cancelled_is_told_so(desk: Any) -> None:
    """In the hotel, not here."""
    made = book(desk, quoted(desk))
    assert isinstance(made, Booking)
    sql(desk, "UPDATE minihotel_booking SET status = 'CL'")
    assert desk(desk.adapter.booking(made.reference, "Levi")).status == "cancelled"


def test_nothing_is_written_where_writing_is_switched_off(desk: Any, tmp_path: Path) -> None:
    config = minihotel_config(desk.peer.server.houses["H1"].path, desk.peer.server.url)
    secrets = EnvironmentSecrets({"WIRE_USERNAME": "desk", "WIRE_PASSWORD": desk.peer.password})
    only_reads = config.model_copy(update={"writes": False})
    other = MiniHotelProperty(only_reads, secrets=secrets, data_dir=tmp_path / "other", now=lambda: NOW)
    assert not other.capabilities.writes

    async def booked() -> None:
        await other.open()
        try:
            quote = await other.quote(QuoteQuery.model_validate(STAY), today=TODAY)
            await other.book(quote.quote_id, DANA, today=TODAY)
        finally:
            await other.close()

    with pytest.raises(ToolRefusal):
        desk(booked())
    assert not {"book", "modify", "cancel"} & set(kinds(desk))


@pytest.mark.attack
def test_one_quote_booked_by_several_processes_is_one_booking(desk: Any, tmp_path: Path) -> None:
    quote, server = quoted(desk), desk.peer.server
    driver = Path(__file__).parents[4] / "support_hotel" / "minihotel_driver.py"
    words = [sys.executable, str(driver), server.url, str(server.houses["H1"].path), str(tmp_path), quote.quote_id]
    environment = {**os.environ, "WIRE_USERNAME": "desk", "WIRE_PASSWORD": desk.peer.password}
    pipe: Any = subprocess.PIPE
    with ExitStack() as stack:
        started = [
            stack.enter_context(subprocess.Popen(words, env=environment, stdin=pipe, stdout=pipe, text=True))
            for _ in range(3)
        ]
        assert [each.stdout.readline() for each in started if each.stdout] == ["ready\n"] * 3
        said = [each.communicate("go\n", timeout=HANGS_S)[0].split() for each in started]

    assert {reference for reference, _ in said} == {server.bookings()[0].booking_id}
    assert [known.status for known in server.bookings()] == ["OK"]
