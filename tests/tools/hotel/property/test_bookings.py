"""Quotes, holds and bookings through the port: on a tiny hotel with a clock of the test's own, and an imported one."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from places import new_place, rows_of

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.property import sqlite_property, store
from wavegraph.tools.hotel.property.guest_identity import ALPHABET, as_reference
from wavegraph.tools.hotel.property.importer import import_hotel
from wavegraph.tools.hotel.property.port import open_property
from wavegraph.tools.hotel.property.sqlite_property import SqliteProperty, StoredProperty
from wavegraph.tools.hotel.records import Booking, Guest, Quote, QuoteQuery, StayQuery

EXAMPLE = Path(__file__).parents[4] / "examples" / "own_hotel"
TODAY = date(2026, 2, 20)
MONDAY = date(2026, 3, 2)
WEDNESDAY = MONDAY + timedelta(days=2)
DANA = Guest(name="Dana Levi", email="dana@example.com")
OMER = Guest(name="Omer Katz", phone="+972 50 555 0100")
T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


class Clock:
    """Real time, moved by hand."""

    def __init__(self) -> None:
        self.at = datetime(2026, 2, 20, 9, 0, 0, 250_000, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_minutes(self, minutes: float) -> None:
        self.at += timedelta(minutes=minutes)


class Bench:
    """Two double rooms and a family room; FLEX can be cancelled up to two days before, SAVER cannot."""

    def __init__(self, folder: Path, tiny: Any, database: str | None = None) -> None:
        rooms = [tiny.room("DBL"), tiny.room("FAM", max_adults=4, max_children=2, max_total=4)]
        plans = [
            tiny.plan("FLEX", cancel_days=2),
            tiny.plan("SAVER", refundable=False, nrf_bp=9000, rates_of="FLEX"),
            tiny.plan("BREAKFAST", board="BB", rates_of="FLEX"),
            tiny.plan("TOURIST", audience="tourist", rates_of="FLEX"),
        ]
        self.clock = Clock()
        self.place, self.path, self._database = new_place(database, folder), folder / "tiny.sqlite", database
        bench, calendar = tiny.property_data(rooms, plans), tiny.calendar(rooms)
        self.place.create(lambda place: store.write_property(place, bench, calendar, store.SCHEMA_VERSION))
        self.sql("UPDATE inventory SET total = 1 WHERE room_type = 'FAM'")
        self.property = StoredProperty(self.place, now=self.clock)

    def sql(self, text: str, *values: object) -> list[Any]:
        return rows_of(self.place, self._database, text, *values)

    def quote(self, nights: int = 2, **changes: Any) -> Quote:
        stay = {"check_in": MONDAY, "check_out": MONDAY + timedelta(days=nights), "adults": 2, "room_type": "DBL"}
        wish = {} if {"rate_plan", "board"} & changes.keys() else {"refundable": False}
        return run(self.property.quote(QuoteQuery(**{**stay, **wish, **changes}), today=TODAY))

    def hold(self, quote: Quote, guest: Guest = DANA, minutes: int = 15, today: date = TODAY) -> Quote:
        return run(self.property.hold(quote.quote_id, guest, minutes=minutes, today=today))

    def book(self, quote: Quote, guest: Guest = DANA, today: date = TODAY) -> Booking:
        return run(self.property.book(quote.quote_id, guest, today=today))

    def taken(self, room_type: str = "DBL", night: date = MONDAY) -> tuple[int, int]:
        """(sold, held) as the file counts them."""
        sql = "SELECT sold, held FROM inventory WHERE room_type = ? AND date = ?"
        return self.sql(sql, room_type, f"{night}")[0]  # type: ignore[no-any-return]

    def free(self) -> int:
        """Double rooms that a guest is told of."""
        query = StayQuery(check_in=MONDAY, check_out=WEDNESDAY, adults=2, room_type="DBL")
        found = run(self.property.availability(query, today=TODAY))
        return found.offers[0].rooms_left if found.offers else 0


@pytest.fixture
def bench(tmp_path: Path, tiny: Any, database: str | None) -> Bench:
    """The same hotel in a file, and in PostgreSQL."""
    return Bench(tmp_path, tiny, database)


@pytest.fixture
def in_a_file(tmp_path: Path, tiny: Any) -> Bench:
    return Bench(tmp_path, tiny)


def refused(work: Callable[..., Any], *args: Any, **named: Any) -> ToolRefusal:
    def ended() -> Any:
        done = work(*args, **named)
        return run(done) if asyncio.iscoroutine(done) else done

    with pytest.raises(ToolRefusal) as refusal:
        ended()
    return refusal.value


# Quotes


def test_a_quote_is_the_cheapest_offer_kept_for_half_an_hour(bench: Bench) -> None:
    """Two nights of 100.00 less ten per cent."""
    quote = bench.quote()
    [part] = quote.parts
    assert (part.rate_plan, part.count, quote.rooms, quote.nights) == ("SAVER", 1, 1, 2)
    assert (quote.total_agorot, quote.per_night_agorot, part.nightly_agorot) == (180_00, 90_00, [90_00, 90_00])
    assert (quote.refundable, quote.cancel_until) == (False, None)
    assert quote.expires_at == datetime(2026, 2, 20, 9, 30, tzinfo=UTC)
    assert quote.quote_id[:2] == "Q-"
    assert len(quote.quote_id) == 12
    assert bench.taken() == (0, 0)


def test_nobody_is_quoted_a_rate_without_refund_unasked(bench: Bench) -> None:
    """The price of the other rate stands beside it, for the guest to choose."""
    unasked, asked = bench.quote(refundable=None), bench.quote(refundable=False)
    bench.sql("DELETE FROM rate_plan WHERE refundable = 1 AND code != 'FLEX'")
    bench.sql("UPDATE rate_plan SET refundable = 0 WHERE code = 'FLEX'")
    only = bench.quote(refundable=None)

    assert (unasked.refundable, unasked.total_agorot, unasked.without_cancellation_agorot) == (True, 200_00, 180_00)
    assert (asked.refundable, asked.total_agorot, asked.without_cancellation_agorot) == (False, 180_00, None)
    assert (only.refundable, only.total_agorot, only.without_cancellation_agorot) == (False, 180_00, None)


@pytest.mark.parametrize(
    ("wish", "plan", "total"),
    [
        ({"refundable": True}, "FLEX", 200_00),
        ({"refundable": False}, "SAVER", 180_00),
        ({"rate_plan": "flex"}, "FLEX", 200_00),
        ({"board": "BB"}, "BREAKFAST", 200_00),
    ],
)
def test_a_quote_is_of_the_offer_asked_for(bench: Bench, wish: dict[str, Any], plan: str, total: int) -> None:
    quote = bench.quote(**wish)
    assert ([part.rate_plan for part in quote.parts], quote.total_agorot) == ([plan], total)


def test_a_party_of_five_is_quoted_two_rooms(bench: Bench) -> None:
    quote = bench.quote(room_type=None, adults=5, refundable=True)
    assert sorted(part.room_type for part in quote.parts) == ["DBL", "FAM"]
    assert (quote.rooms, quote.total_agorot) == (2, sum(part.total_agorot for part in quote.parts))
    assert quote.cancel_until == MONDAY - timedelta(days=2)
    bench.hold(quote)
    assert (bench.taken("DBL"), bench.taken("FAM")) == ((0, 1), (0, 1))


def test_equal_rooms_are_one_part(bench: Bench) -> None:
    quote = bench.quote(adults=4, rooms=2)
    assert [(part.room_type, part.count) for part in quote.parts] == [("DBL", 2)]
    bench.book(quote)
    assert bench.taken() == (2, 0)
    assert refused(bench.quote).code == "sold_out"


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"check_in": MONDAY - timedelta(days=30)}, "past", "is in the past"),
        ({"rate_plan": "GOLD"}, "bad_rate", "its rate plans: FLEX, SAVER, BREAKFAST"),
        ({"rate_plan": "TOURIST"}, "bad_rate", "no rate plan 'TOURIST'"),
        ({"room_type": "IGLOO"}, "not_found", "its room types: DBL, FAM"),
        ({"adults": 3, "rooms": 1}, "occupancy", "nothing for 2026-03-02 to 2026-03-04: occupancy"),
        ({"board": "BB", "refundable": False}, "not_on_sale", "nothing without free cancellation"),
        ({"check_in": date(2027, 3, 2), "check_out": date(2027, 3, 3)}, "not_on_sale", "not_on_sale"),
    ],
)
def test_what_cannot_be_quoted(bench: Bench, changes: dict[str, Any], code: str, words: str) -> None:
    refusal = refused(bench.quote, **changes)
    assert refusal.code == code
    assert words in refusal.message
    assert bench.sql("SELECT COUNT(*) FROM quote") == [(0,)]


def test_the_reason_is_the_one_of_the_availability(bench: Bench) -> None:
    bench.sql("INSERT INTO restriction VALUES ('*', '*', '2026-03-02', NULL, 3, NULL, 0, 0)")
    refusal = refused(bench.quote)
    assert (refusal.code, refusal.message) == (
        "min_stay",
        "nothing for 2026-03-02 to 2026-03-04: min_stay (needs 3 nights)",
    )


# Holds


def test_a_hold_takes_the_rooms_of_every_night(bench: Bench) -> None:
    quote = bench.quote()
    held = bench.hold(quote)
    assert held == quote.model_copy(update={"expires_at": datetime(2026, 2, 20, 9, 15, tzinfo=UTC)})
    nights = [bench.taken(night=MONDAY + timedelta(days=n)) for n in range(3)]
    assert nights == [(0, 1), (0, 1), (0, 0)]
    assert bench.free() == 1


def test_a_second_hold_begins_anew_and_takes_no_more(bench: Bench) -> None:
    quote = bench.quote()
    bench.hold(quote)
    bench.clock.pass_minutes(14)
    assert bench.hold(quote, OMER).expires_at == datetime(2026, 2, 20, 9, 29, tzinfo=UTC)
    assert bench.taken() == (0, 1)
    assert [held.guest_name for held in run(bench.property.holds())] == ["Omer Katz"]


def test_a_hold_on_the_last_room_can_be_renewed(bench: Bench) -> None:
    bench.book(bench.quote())
    quote = bench.quote()
    bench.hold(quote)
    assert refused(bench.quote).code == "sold_out"
    bench.hold(quote)
    assert bench.taken() == (1, 1)


def test_a_hold_that_is_over_is_free_at_once_and_released_by_the_next_write(bench: Bench) -> None:
    quote = bench.quote()
    bench.hold(quote)
    bench.clock.pass_minutes(15)
    assert (bench.free(), bench.taken()) == (2, (0, 1))
    other = bench.quote(adults=4, rooms=2)
    bench.book(other, OMER)
    assert bench.taken() == (2, 0)
    assert refused(bench.book, quote).code == "sold_out"


def test_a_hold_keeps_its_quote_alive(bench: Bench) -> None:
    quote = bench.quote()
    bench.hold(quote, minutes=1440)
    bench.clock.pass_minutes(600)
    assert bench.hold(quote, minutes=60).expires_at == datetime(2026, 2, 20, 20, 0, tzinfo=UTC)
    assert bench.book(quote).status == "confirmed"


@pytest.mark.parametrize("way", ["hold", "book"])
def test_an_expired_quote_is_refused(bench: Bench, way: str) -> None:
    quote = bench.quote()
    bench.clock.pass_minutes(30)
    refusal = refused(getattr(bench, way), quote)
    assert (refusal.code, refusal.message) == ("quote_expired", f"quote {quote.quote_id} was valid until 09:30 UTC")


@pytest.mark.parametrize("way", ["hold", "book"])
def test_a_lapsed_hold_of_a_live_quote_is_no_hindrance(bench: Bench, way: str) -> None:
    quote = bench.quote()
    bench.hold(quote)
    bench.clock.pass_minutes(20)
    getattr(bench, way)(quote)
    assert sum(bench.taken()) == 1


CHANGES = [
    ("UPDATE rate SET base_agorot = 12000", "price_changed", "changed from 180.00 to 216.00 ILS"),
    ("UPDATE inventory SET sold = total - held", "sold_out", "DBL of quote"),
    ("UPDATE inventory SET stop_sell = 1", "not_on_sale", "not_on_sale"),
    ("DELETE FROM rate_plan WHERE code = 'SAVER'", "not_on_sale", "not_on_sale"),
    ("DELETE FROM room_type WHERE code = 'DBL'", "not_on_sale", "not_on_sale"),
    ("INSERT INTO restriction VALUES ('*', '*', '2026-03-02', NULL, 4, NULL, 0, 0)", "min_stay", "min_stay"),
]


@pytest.mark.parametrize("way", ["hold", "book"])
@pytest.mark.parametrize(("change", "code", "words"), CHANGES, ids=[code for _, code, _ in CHANGES])
def test_everything_is_checked_again(bench: Bench, way: str, change: str, code: str, words: str) -> None:
    quote = bench.quote()
    bench.sql(change)
    before = bench.taken()
    refusal = refused(getattr(bench, way), quote)
    assert refusal.code == code
    assert words in refusal.message
    assert (bench.taken(), bench.sql("SELECT COUNT(*) FROM booking")) == (before, [(0,)])


FEWER_ROOMS = "UPDATE inventory SET total = CASE WHEN held + sold > 1 THEN held + sold ELSE 1 END"
CLOSED_TO_ARRIVAL = "INSERT INTO restriction VALUES ('*', '*', '2026-03-02', NULL, NULL, NULL, 1, 0)"
UNDER_A_HOLD = [change for change, code, _ in CHANGES if code != "sold_out"] + [FEWER_ROOMS, CLOSED_TO_ARRIVAL]


@pytest.mark.parametrize("change", UNDER_A_HOLD)
def test_until_a_hold_ends_rooms_and_terms_are_the_guests_whatever_the_hotel_changes(bench: Bench, change: str) -> None:
    quote = bench.quote()
    promised = bench.hold(quote, minutes=15)
    bench.sql(change)
    bench.clock.pass_minutes(5)

    again = bench.hold(quote, minutes=15)
    booking = bench.book(quote)

    assert (again.total_agorot, booking.total_agorot) == (quote.total_agorot, quote.total_agorot)
    assert again.expires_at == promised.expires_at + timedelta(minutes=5) * (change == FEWER_ROOMS)
    assert bench.taken() == (1, 0)


@pytest.mark.parametrize(("change", "code", "words"), CHANGES[2:], ids=[code for _, code, _ in CHANGES[2:]])
@pytest.mark.parametrize("way", ["hold", "book"])
def test_a_hold_that_ended_promises_nothing_more(bench: Bench, way: str, change: str, code: str, words: str) -> None:
    quote = bench.quote()
    bench.hold(quote, minutes=15)
    bench.sql(change)
    bench.hold(quote, minutes=15)
    bench.clock.pass_minutes(15)

    refusal = refused(getattr(bench, way), quote)

    assert (refusal.code, words in refusal.message) == (code, True)


def test_a_held_room_of_a_guest_stays_when_the_guest_corrects_the_name(bench: Bench) -> None:
    quote = bench.quote()
    bench.hold(quote, OMER)
    bench.sql("UPDATE inventory SET stop_sell = 1")
    bench.hold(quote, DANA)

    assert bench.book(quote, DANA).guest_name == "Dana Levi"


def test_a_night_that_is_closed_is_offered_to_nobody_else(bench: Bench) -> None:
    bench.hold(bench.quote())
    other = bench.quote()
    bench.sql("UPDATE inventory SET stop_sell = 1")

    assert refused(bench.hold, other, OMER).code == "not_on_sale"
    assert refused(bench.book, other, OMER).code == "not_on_sale"
    assert bench.taken() == (0, 1)


def test_a_deadline_that_passes_before_a_hold_is_a_change_of_terms(bench: Bench) -> None:
    quote = bench.quote(rate_plan="FLEX")
    refusal = refused(bench.hold, quote, today=MONDAY - timedelta(days=1))
    assert (refusal.code, "cancellation terms" in refusal.message) == ("price_changed", True)


def test_a_stay_that_has_begun_is_not_held(bench: Bench) -> None:
    quote = bench.quote()
    assert refused(bench.hold, quote, today=WEDNESDAY).code == "past"


def test_release_frees_a_hold_and_nothing_else(bench: Bench) -> None:
    quote, booked = bench.quote(), bench.quote()
    bench.hold(quote)
    bench.book(booked)
    for each in (quote.quote_id, quote.quote_id, booked.quote_id, "Q-UNKNOWN234"):
        run(bench.property.release(each))
    assert bench.taken() == (1, 0)
    assert bench.book(quote).reference


def test_the_front_desk_sees_holds_and_what_came_of_them(bench: Bench) -> None:
    bench.sql("UPDATE inventory SET total = 4 WHERE room_type = 'DBL'")
    first, second = bench.quote(), bench.quote()
    bench.hold(first, OMER, minutes=10)
    bench.hold(second, DANA, minutes=60)
    bench.clock.pass_minutes(10)
    one, other = run(bench.property.holds())
    assert (one.quote_id, one.status, one.guest_name, one.hold_until.minute) == (
        first.quote_id,
        "expired",
        "Omer Katz",
        10,
    )
    assert (other.quote_id, other.status, other.total_agorot) == (second.quote_id, "hold", 180_00)
    assert [(room.room_type, room.count) for room in other.rooms] == [("DBL", 1)]
    bench.book(second)
    assert [held.quote_id for held in run(bench.property.holds())] == [first.quote_id]
    bench.clock.pass_minutes(24 * 60)
    assert run(bench.property.holds()) == []


# Bookings


def test_a_hold_becomes_the_booking(bench: Bench) -> None:
    quote = bench.quote(rate_plan="FLEX")
    bench.hold(quote)
    booking = bench.book(quote)
    assert (booking.status, booking.repeated, booking.fee_agorot) == ("confirmed", False, None)
    assert (booking.guest_name, booking.check_in, booking.check_out, booking.nights) == (
        "Dana Levi",
        MONDAY,
        WEDNESDAY,
        2,
    )
    assert (booking.total_agorot, booking.per_night_agorot) == (quote.total_agorot, quote.per_night_agorot)
    assert (booking.refundable, booking.cancel_until) == (quote.refundable, quote.cancel_until)
    assert [(room.room_type, room.count, room.board) for room in booking.rooms] == [("DBL", 1, "RO")]
    assert booking.reference[:3] == "WG-"
    assert set(booking.reference[3:]) <= set(ALPHABET)
    assert len(booking.reference) == 11
    assert bench.taken() == (1, 0)


def test_a_held_room_is_booked_although_the_hotel_closed_the_night(bench: Bench) -> None:
    quote = bench.quote()
    bench.hold(quote)
    bench.sql("UPDATE inventory SET stop_sell = 1")
    bench.book(quote)
    assert bench.taken() == (1, 0)


def test_a_quote_books_once(bench: Bench) -> None:
    quote = bench.quote()
    booking = bench.book(quote)
    assert bench.book(quote) == booking.model_copy(update={"repeated": True})
    assert bench.hold(quote) == quote
    bench.clock.pass_minutes(60)
    assert bench.book(quote, today=WEDNESDAY).reference == booking.reference
    assert bench.taken() == (1, 0)


@pytest.mark.parametrize("way", ["hold", "book"])
def test_another_payload_is_refused_and_learns_nothing(bench: Bench, way: str) -> None:
    quote = bench.quote()
    booking = bench.book(quote)
    for other in (OMER, DANA.model_copy(update={"notes": "late"}), Guest(name="Dana Levi")):
        refusal = refused(getattr(bench, way), quote, other)
        assert refusal.code == "idempotency_conflict"
        assert booking.reference not in refusal.message
        assert "Dana" not in refusal.message
    assert bench.sql("SELECT COUNT(*) FROM booking") == [(1,)]


@pytest.mark.parametrize("way", ["hold", "book"])
def test_an_unknown_quote(bench: Bench, way: str) -> None:
    quote = bench.quote().model_copy(update={"quote_id": "Q-UNKNOWN234"})
    refusal = refused(getattr(bench, way), quote)
    assert (refusal.code, refusal.message) == (
        "not_found",
        "no quote 'Q-UNKNOWN234' in this hotel; ask for a quote first",
    )


def test_a_booking_is_found_by_its_key_and_payload(bench: Bench) -> None:
    quote = bench.quote()
    look = bench.property.booking_of
    assert run(look(quote.quote_id, DANA)) is None
    bench.hold(quote)
    assert run(look(quote.quote_id, DANA)) is None
    booking = bench.book(quote)
    assert run(look(quote.quote_id, DANA)) == booking.model_copy(update={"repeated": True})
    assert run(look(quote.quote_id, OMER)) is None


@pytest.mark.parametrize("known_as", ["Levi", "levi", "DANA", " dana  levi ", "Dana@Example.com", "Lévi"])
def test_a_guest_is_known_by_a_name_or_by_e_mail(bench: Bench, known_as: str) -> None:
    booking = bench.book(bench.quote())
    typed = booking.reference.lower().replace("-", " ")
    for reference in (booking.reference, typed, booking.reference[3:]):
        assert run(bench.property.booking(reference, known_as)) == booking


@pytest.mark.parametrize(
    ("name", "known_as"),
    [("דָּנָה לֵוִי", "לוי"), ("José Núñez", "nunez"), ("Ann O’Brien", "obrien"), ("Tal Ben-David", "ben david"),
     ("Jürgen Groß", "GROSS"), ("רות ג'קובס", "ג׳קובס")],
)  # fmt: skip
def test_names_in_other_spellings(bench: Bench, name: str, known_as: str) -> None:
    booking = bench.book(bench.quote(), Guest(name=name, phone="1234567"))
    assert run(bench.property.booking(booking.reference, known_as)).guest_name == name


@pytest.mark.parametrize("known_as", ["Katz", "Dana Katz", "Lev", "", " ", "d", "dana@example.org", "@", "%", "*"])
def test_a_wrong_pair_says_what_an_unknown_reference_says(bench: Bench, known_as: str) -> None:
    booking = bench.book(bench.quote(), Guest(name="D Dana Levi", email="dana@example.com"))
    ask = bench.property
    told = {
        (refusal.code, refusal.message, refusal.retryable)
        for reference in (booking.reference, "WG-22222222", "", "WG-")
        for refusal in (
            refused(ask.booking, reference, known_as),
            refused(ask.cancellation, reference, known_as, today=TODAY),
            refused(ask.cancel, reference, known_as, today=TODAY),
        )
    }
    assert told == {("not_found", "no booking with this reference and this surname or e-mail address", False)}


def test_a_hold_is_not_looked_up(bench: Bench) -> None:
    bench.hold(bench.quote())
    assert refused(bench.property.booking, "", "Levi").code == "not_found"


def test_references_are_read_as_people_type_them() -> None:
    assert {as_reference(typed) for typed in ("WG-ABCD2345", "wg abcd-2345", "ABCD2345", "  Wg–abcd2345. ")} == {
        "WG-ABCD2345"
    }
    assert as_reference("WGWGWG23") == "WG-WGWGWG23"


# Cancellations


@pytest.mark.parametrize(
    ("plan", "today", "fee"),
    [
        ("FLEX", MONDAY - timedelta(days=2), 0),
        ("FLEX", MONDAY - timedelta(days=1), 200_00),
        ("FLEX", MONDAY, 200_00),
        ("SAVER", TODAY, 180_00),
    ],
)
def test_a_cancellation_costs_what_was_quoted(bench: Bench, plan: str, today: date, fee: int) -> None:
    booking = bench.book(bench.quote(rate_plan=plan))
    asked = run(bench.property.cancellation(booking.reference, "Levi", today=today))
    assert asked == booking.model_copy(update={"fee_agorot": fee})
    assert bench.taken() == (1, 0)
    cancelled = run(bench.property.cancel(booking.reference, "Levi", today=today))
    assert cancelled == asked.model_copy(update={"status": "cancelled"})
    assert bench.taken() == (0, 0)


def test_a_second_cancellation_changes_nothing(bench: Bench) -> None:
    booking = bench.book(bench.quote(rate_plan="FLEX"))
    cancelled = run(bench.property.cancel(booking.reference, "Levi", today=TODAY))
    again = run(bench.property.cancel(booking.reference, "Levi", today=MONDAY))
    assert again == cancelled.model_copy(update={"repeated": True})
    assert run(bench.property.cancellation(booking.reference, "Levi", today=WEDNESDAY)) == cancelled
    assert run(bench.property.booking(booking.reference, "Levi")) == cancelled
    assert bench.taken() == (0, 0)


def test_a_cancelled_quote_is_not_booked_again(bench: Bench) -> None:
    quote = bench.quote()
    booking = bench.book(quote)
    run(bench.property.cancel(booking.reference, "Levi", today=TODAY))
    again = bench.book(quote)
    assert (again.reference, again.status, again.repeated) == (booking.reference, "cancelled", True)
    assert bench.taken() == (0, 0)


def test_a_stay_that_has_begun_is_not_cancelled(bench: Bench) -> None:
    booking = bench.book(bench.quote())
    for work in (bench.property.cancellation, bench.property.cancel):
        refusal = refused(work, booking.reference, "Levi", today=MONDAY + timedelta(days=1))
        assert (refusal.code, refusal.message) == ("past", "the stay began on 2026-03-02; today is 2026-03-03")
    assert bench.taken() == (1, 0)


# The file


def test_a_new_seed_keeps_quotes_holds_and_bookings(bench: Bench, tiny: Any) -> None:
    booked, held = bench.quote(), bench.quote()
    booking = bench.book(booked)
    bench.hold(held, OMER)
    rooms = [tiny.room("DBL"), tiny.room("FAM", max_adults=4, max_children=2, max_total=4)]
    plans = [tiny.plan("FLEX", cancel_days=2), tiny.plan("SAVER", refundable=False, nrf_bp=9000, rates_of="FLEX")]
    with bench.place.writing() as place:
        store.write_property(place, tiny.property_data(rooms, plans), tiny.calendar(rooms), store.SCHEMA_VERSION)
    assert bench.taken() == (1, 1)
    assert run(bench.property.booking(booking.reference, "Levi")) == booking
    assert bench.book(held, OMER).status == "confirmed"
    run(bench.property.cancel(booking.reference, "Levi", today=TODAY))
    assert bench.taken() == (1, 0)


def test_nights_that_are_gone_are_no_hindrance(bench: Bench) -> None:
    quote = bench.quote()
    booking = bench.book(quote)
    bench.sql("DELETE FROM inventory WHERE date = '2026-03-02'")
    assert run(bench.property.cancel(booking.reference, "Levi", today=TODAY)).status == "cancelled"
    assert bench.taken(night=MONDAY + timedelta(days=1)) == (0, 0)


def test_what_came_to_nothing_is_forgotten_after_a_month(bench: Bench) -> None:
    quote, held, booked = bench.quote(), bench.quote(), bench.quote()
    bench.hold(held)
    booking = bench.book(booked)
    bench.clock.pass_minutes(60)
    run(bench.property.release(quote.quote_id))  # any write: it ends the hold
    bench.clock.pass_minutes(30 * 24 * 60)
    fresh = bench.quote()
    assert bench.sql("SELECT id FROM quote ORDER BY id") == sorted([(booked.quote_id,), (fresh.quote_id,)])
    assert bench.sql("SELECT quote_id FROM booking") == bench.sql("SELECT DISTINCT quote_id FROM booking_night")
    assert run(bench.property.booking(booking.reference, "Levi")) == booking


def first_version(path: Path, version: int) -> None:
    """Give the file the booking tables it had before there were bookings."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for table in store.BOOKING_TABLES:
            connection.execute(f"DROP TABLE {table}")
        connection.execute(
            "CREATE TABLE booking (id TEXT PRIMARY KEY, ref TEXT NOT NULL UNIQUE, idem_key TEXT NOT NULL)"
        )
        connection.execute("CREATE TABLE booking_room (booking_id TEXT NOT NULL, n INTEGER NOT NULL)")
        connection.execute("CREATE TABLE booking_night (booking_id TEXT NOT NULL, n INTEGER NOT NULL)")
        connection.execute("CREATE TABLE quote (id TEXT PRIMARY KEY, payload_json TEXT NOT NULL)")
        connection.execute(f"PRAGMA user_version = {version}")


def test_a_file_of_the_first_version_learns_to_book(in_a_file: Bench) -> None:
    first_version(in_a_file.path, 1)
    in_a_file.property = SqliteProperty(in_a_file.path, now=in_a_file.clock)
    assert in_a_file.book(in_a_file.quote()).status == "confirmed"
    assert in_a_file.sql("PRAGMA user_version") == [(store.SCHEMA_VERSION,)]


def test_a_hotel_of_the_first_version_is_imported_again(tmp_path: Path) -> None:
    path = import_hotel(EXAMPLE, tmp_path).path
    first_version(path, 1)
    assert import_hotel(EXAMPLE, tmp_path).replaced
    assert run(open_property("beit-haerez", data_dir=tmp_path).holds()) == []


def test_the_demo_property_of_the_first_version_is_renewed(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.sqlite"
    sqlite_property.build(path, TODAY)
    first_version(path, 1001)
    bench = open_property(data_dir=tmp_path)
    run(bench.open())
    query = QuoteQuery(check_in=date(2027, 1, 17), check_out=date(2027, 1, 19), adults=2)
    quote = run(bench.quote(query, today=date(2026, 11, 20)))
    assert run(bench.book(quote.quote_id, DANA, today=date(2026, 11, 20))).total_agorot == quote.total_agorot


def test_a_later_version_is_refused(in_a_file: Bench) -> None:
    in_a_file.sql("PRAGMA user_version = 99")
    with pytest.raises(SettingsError, match="another version"):
        SqliteProperty(in_a_file.path)


def test_a_demo_property_nobody_asked_has_no_holds_and_no_file(tmp_path: Path) -> None:
    assert run(open_property(data_dir=tmp_path).holds()) == []
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_use_is_reported(in_a_file: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BUSY_TIMEOUT_MS", 50)
    quote = in_a_file.quote()
    with store.writing(in_a_file.path):
        refusal = refused(in_a_file.book, quote)
    assert (refusal.code, refusal.retryable) == ("timeout", True)
    assert in_a_file.book(quote).status == "confirmed"


def test_an_imported_hotel_books_too(tmp_path: Path) -> None:
    """The garden room for two, Tuesday to Thursday."""
    import_hotel(EXAMPLE, tmp_path)
    clock = Clock()
    bench = open_property("beit-haerez", data_dir=tmp_path, now=clock)
    today = date(2026, 11, 20)
    query = QuoteQuery(check_in=date(2026, 12, 1), check_out=date(2026, 12, 3), adults=2, room_type="GARDEN")
    quote = run(bench.quote(query, today=today))
    run(bench.hold(quote.quote_id, DANA, minutes=15, today=today))
    booking = run(bench.book(quote.quote_id, DANA, today=today))
    assert (booking.total_agorot, booking.rooms[0].room_type) == (quote.total_agorot, "GARDEN")
    import_hotel(EXAMPLE, tmp_path)
    assert run(bench.booking(booking.reference, "levi")) == booking
    assert run(bench.cancel(booking.reference, "levi", today=today)).status == "cancelled"


def test_a_file_of_the_third_version_learns_to_erase_and_keeps_its_amounts(in_a_file: Bench) -> None:
    in_a_file.sql("UPDATE property SET currency = 'JPY'")
    total = in_a_file.book(in_a_file.quote()).total_agorot
    in_a_file.sql("ALTER TABLE property DROP COLUMN keep_days_after_departure")
    in_a_file.sql("DROP TABLE booking_erased")
    in_a_file.sql("PRAGMA user_version = 3")
    upgraded = SqliteProperty(in_a_file.path, now=in_a_file.clock)
    assert upgraded.record.keep_days_after_departure == 2557
    assert in_a_file.sql("SELECT total_agorot, (SELECT count(*) FROM booking_erased) FROM booking") == [(total, 0)]
