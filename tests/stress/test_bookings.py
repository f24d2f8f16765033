"""Exactly once, by many processes: on the last rooms, under kills at every point of a write, over and over; on one machine
with a file, and on two that share nothing but PostgreSQL.

The figures are printed when the tests have ended.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import chain, count
from pathlib import Path
from typing import Any

import booking_driver
import pytest
from booking_driver import FIRST_NIGHT, TODAY, Act, Job, Process, guest_of, moments, small_property
from patience import HANGS_S
from places import new_place, rows_of

from wavegraph.tools.hotel.property import hold_rules, store
from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.sqlite_property import StoredProperty
from wavegraph.tools.hotel.records import Booking, Quote, QuoteQuery
from wavegraph.tools.postgres.server import close_all

pytestmark = [
    pytest.mark.attack,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked"),
]

PROCESSES = 8


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "connect", booking_driver.connect)
    monkeypatch.setattr(hold_rules, "MOST_OF_A_GUEST", booking_driver.ROOMS_OF_ONE_GUEST)


KILLED = -signal.SIGKILL


Ended = dict[str, Any]
"""What came of a job: see `booking_driver.run`."""


MakeHotel = Callable[[int], "Hotel"]
Figures = Callable[[str], None]
Attempts = Callable[[str, int], None]


class Hotel:
    """A small house, in a file or in PostgreSQL, and the processes that are let loose on it."""

    def __init__(self, folder: Path, driver: "Driver", rooms: int, database: str | None) -> None:
        folder.mkdir()
        self.path, self.rooms, self._driver, self._database = folder / "small.sqlite", rooms, driver, database
        self.place: Place = new_place(database, folder) if database else PropertyFile(self.path)
        self.name = getattr(self.place, "property_id", "small")
        self.where = "PostgreSQL" if database else "a file"
        small_property(self.place, rooms=rooms, property_id=self.name)
        self.property = StoredProperty(self.place)

    def quote(self, first: int = 0, nights: int = 1) -> Quote:
        check_in = FIRST_NIGHT + timedelta(days=first)
        query = QuoteQuery(check_in=check_in, check_out=check_in + timedelta(days=nights), adults=2)
        return asyncio.run(self.property.quote(query, today=TODAY))

    def let_loose(self, processes: Iterable[Process], kill_after_s: Iterable[float] = ()) -> Ended:
        return self._driver.let_loose(
            {
                "path": str(self.path),
                "database": self._database,
                "property_id": self.name,
                "processes": [*processes],
                "kill_after_s": [*kill_after_s],
            }
        )

    def rows(self, sql: str) -> list[Any]:
        return rows_of(self.place, self._database, sql)

    def assert_sound(self) -> None:
        """Every night counts exactly the rooms of its bookings and holds, and never more than there are."""
        nights = self.rows(
            "SELECT i.sold, i.held, i.total, COUNT(CASE b.status WHEN 'confirmed' THEN 1 END),"
            " COUNT(CASE b.status WHEN 'hold' THEN 1 END)"
            " FROM inventory i LEFT JOIN booking_night n ON n.date = i.date LEFT JOIN booking b USING (quote_id)"
            " GROUP BY i.date, i.sold, i.held, i.total"
        )
        for sold, held, total, confirmed, holds in nights:
            assert (sold, held) == (confirmed, holds)
            assert sold + held <= total
        assert self._database or self.rows("PRAGMA integrity_check") == [("ok",)]

    def booked(self) -> dict[str, str]:
        """References by quote."""
        return dict(self.rows("SELECT quote_id, ref FROM booking WHERE status = 'confirmed'"))

    def found(self, quote: Quote, guest: str = "Dana Levi") -> Booking | None:
        return asyncio.run(self.property.booking_of(quote.quote_id, guest_of(guest)))

    def book(self, quote: Quote, guest: str = "Dana Levi") -> Booking:
        return asyncio.run(self.property.book(quote.quote_id, guest_of(guest), today=TODAY))


class Driver:
    """The program that forks, started once: its imports take longer than its work."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            [sys.executable, booking_driver.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def let_loose(self, job: Job) -> Ended:
        assert self._program.stdin
        assert self._program.stdout
        self._program.stdin.write(json.dumps(job) + "\n")
        self._program.stdin.flush()
        ended: Ended = json.loads(self._program.stdout.readline())
        assert set(ended["statuses"]) <= {0, KILLED}
        return ended

    def close(self) -> None:
        self._program.communicate(timeout=HANGS_S)


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    started = Driver()
    yield started
    started.close()


@pytest.fixture(scope="module")
def hotels_database(postgres: Any) -> Iterator[str]:
    yield postgres.fresh("stress")
    close_all()


@pytest.fixture(params=["file", "postgres"])
def make_hotel(driver: Driver, tmp_path: Path, request: pytest.FixtureRequest) -> MakeHotel:
    """Makes small houses of so many rooms."""
    database = request.getfixturevalue("hotels_database") if request.param == "postgres" else None
    number = count()
    return lambda rooms: Hotel(tmp_path / str(next(number)), driver, rooms, database)


def act(what: str, of: str, guest: str = "Dana Levi") -> Act:
    return {"what": what, "of": of, "guest": guest}


def live(*acts: Act) -> Process:
    return {"acts": [*acts], "die": ""}


# On the last rooms

ROUNDS = 4
STAYS_EACH = 6


def test_the_last_rooms_are_never_overbooked(
    make_hotel: MakeHotel, seed: int, figures: Figures, attempts: Attempts
) -> None:
    """Each process books stays of one to four nights, half of them after a hold, in a house of one to three rooms."""
    hotels = [make_hotel(1 + number % 3) for number in range(ROUNDS)]
    stays = [random_stays(hotel, f"{seed} {number}") for number, hotel in enumerate(hotels)]
    rounds = [hotel.let_loose(shared_out(quotes)) for hotel, quotes in zip(hotels, stays, strict=True)]
    ends = Counter(f"{done['what']} {done['ended']}" for ended in rounds for done in ended["acts"])
    assert set(ends) == {"hold held", "hold sold_out", "book confirmed", "book sold_out"}
    assert sum(ends.values()) == ROUNDS * PROCESSES * STAYS_EACH * 3 // 2
    for hotel, quotes, ended in zip(hotels, stays, rounds, strict=True):
        assert ended["statuses"] == [0] * PROCESSES
        hotel.assert_sound()
        assert_nobody_was_sent_away_from_a_free_room(hotel, quotes)
    assert sum(len(hotel.booked()) for hotel in hotels) == ends["book confirmed"]
    attempts("bookings and holds of the last rooms, by eight processes", sum(ends.values()))
    seconds = sum(ended["elapsed_s"] for ended in rounds)
    over = sum(len(hotel.rows("SELECT date FROM inventory WHERE sold + held > total")) for hotel in hotels)
    figures(
        f"last rooms in {hotels[0].where}: {PROCESSES} processes, {ROUNDS} rounds, {seconds:.1f} s: {dict(ends)}, overbooked nights {over}"
    )


def random_stays(hotel: Hotel, seed: str) -> list[Quote]:
    chosen = random.Random(seed)
    firsts = [chosen.randrange(7) for _ in range(PROCESSES * STAYS_EACH)]
    return [hotel.quote(first, chosen.randint(1, min(4, 7 - first))) for first in firsts]


def shared_out(quotes: Sequence[Quote]) -> list[Process]:
    """A process books every so-many-th quote, and holds every second one of them first."""
    acts = [
        [act("hold", quote.quote_id)] * (n // PROCESSES % 2) + [act("book", quote.quote_id)]
        for n, quote in enumerate(quotes)
    ]
    return [live(*chain(*acts[n::PROCESSES])) for n in range(PROCESSES)]


def assert_nobody_was_sent_away_from_a_free_room(hotel: Hotel, quotes: Sequence[Quote]) -> None:
    full = {night for night, sold in hotel.rows("SELECT date, sold FROM inventory") if sold == hotel.rooms}
    booked = hotel.booked()
    assert len(set(booked.values())) == len(booked)
    for quote in quotes:
        nights = {f"{quote.check_in + timedelta(days=n)}" for n in range(quote.nights)}
        assert quote.quote_id in booked or nights & full


# Killed

MOST_STATEMENTS = 30
"""More than any write has."""
WRITES = ["hold", "book", "book a held quote", "cancel"]


def prepared(hotel: Hotel, write: str) -> tuple[Quote, Act]:
    """A quote of one night, brought to where the write comes next."""
    quote = hotel.quote(first=0)
    if write == "book a held quote":
        asyncio.run(hotel.property.hold(quote.quote_id, guest_of("Dana Levi"), minutes=15, today=TODAY))
    if write == "cancel":
        return quote, act("cancel", hotel.book(quote).reference)
    return quote, act(write.split()[0], quote.quote_id)


def state(hotel: Hotel, quote: Quote) -> str | None:
    found = hotel.rows(f"SELECT status FROM booking WHERE quote_id = '{quote.quote_id}'")
    return found[0][0] if found else None


@pytest.mark.parametrize("write", WRITES)
def test_a_write_killed_anywhere_has_happened_whole_or_not_at_all(
    make_hotel: MakeHotel, write: str, figures: Figures, attempts: Attempts
) -> None:
    """One process for each SQL statement of the transaction, killed before it, and one killed after the commit."""
    hotel = make_hotel(80)
    done = {"hold": "hold", "cancel": "cancelled"}.get(write, "confirmed")
    points = [*map(str, range(1, MOST_STATEMENTS + 1)), "end"]
    cases = [prepared(hotel, write) for _ in points]
    before = [state(hotel, quote) for quote, _ in cases]
    ended = hotel.let_loose(
        {"acts": [the_act], "die": point} for (_, the_act), point in zip(cases, points, strict=True)
    )
    statements = ended["statuses"].index(0)  # of a later one there is none: those processes lived
    assert ended["statuses"] == [KILLED] * statements + [0] * (MOST_STATEMENTS - statements) + [KILLED]
    assert statements >= 6
    assert len(ended["acts"]) == MOST_STATEMENTS - statements
    after = [state(hotel, quote) for quote, _ in cases]
    assert after == before[:statements] + [done] * (len(cases) - statements)
    hotel.assert_sound()

    looked_up = [hotel.found(quote) for quote, _ in cases]
    assert [found.status if found else None for found in looked_up] == [now if now != "hold" else None for now in after]
    replay = hotel.let_loose(live(the_act, the_act) for _, the_act in cases)
    assert replay["statuses"] == [0] * len(cases)
    assert [state(hotel, quote) for quote, _ in cases] == [done] * len(cases)
    hotel.assert_sound()
    for (_, the_act), found in zip(cases, looked_up, strict=True):
        told = [each for each in replay["acts"] if each["of"] == the_act["of"]]
        assert len({each.get("reference") for each in told}) == 1
        assert found is None or {each["reference"] for each in told} == {found.reference}
        assert [each.get("repeated") for each in told][1:] == [None if write == "hold" else True]
    attempts("writes to the house killed at a statement", statements + 1)
    figures(
        f"killed during {write!r} in {hotel.where}: at each of {statements} statements and after the commit; each whole or nothing, then once"
    )


KILL_ROUNDS = 5
QUOTES_EACH = 4
KILLED_WITHIN_S = 0.3
"""Of the first booking."""


def test_killed_at_any_moment_and_replayed_each_quote_is_booked_once(
    make_hotel: MakeHotel, seed: int, figures: Figures, attempts: Attempts
) -> None:
    """Processes in the midst of booking are all killed from outside; then others replay every quote."""
    hotels = [make_hotel(60) for _ in range(KILL_ROUNDS)]
    quotes = [[hotel.quote(n % 7) for n in range(PROCESSES * QUOTES_EACH)] for hotel in hotels]
    work = [[live(*book_all(of[n::PROCESSES])) for n in range(PROCESSES)] for of in quotes]
    kills = [moments(f"{seed} {number}", PROCESSES, KILLED_WITHIN_S) for number in range(KILL_ROUNDS)]
    cut = [hotel.let_loose(each, when) for hotel, each, when in zip(hotels, work, kills, strict=True)]
    after_kill = [hotel.booked() for hotel in hotels]
    for hotel, ended, of, booked in zip(hotels, cut, quotes, after_kill, strict=True):
        hotel.assert_sound()
        told = {done["of"]: done["reference"] for done in ended["acts"] if done["what"] == "book"}
        assert told.items() <= booked.items(), "what was told as booked is booked"
        looked_up = {quote.quote_id: found.reference for quote in of if (found := hotel.found(quote))}
        assert looked_up == booked

    replays = [hotel.let_loose(each) for hotel, each in zip(hotels, work, strict=True)]
    for hotel, ended, of, booked in zip(hotels, replays, quotes, after_kill, strict=True):
        assert ended["statuses"] == [0] * PROCESSES
        hotel.assert_sound()
        assert hotel.booked().keys() == {quote.quote_id for quote in of}
        assert booked.items() <= hotel.booked().items()
    killed = sum(ended["statuses"].count(KILLED) for ended in cut)
    before, whole = sum(map(len, after_kill)), sum(map(len, quotes))
    assert killed >= KILL_ROUNDS
    attempts("booking processes killed at any moment, and what they did done again", killed)
    assert 0 < before < whole
    figures(
        f"killed at any moment in {hotels[0].where}: {killed} processes; of {whole} quotes {before} were booked, after the replay each, once"
    )


def book_all(quotes: Iterable[Quote]) -> list[Act]:
    return [act(what, quote.quote_id) for quote in quotes for what in ("hold", "book")]


# Again and again


def test_repeated_yeses_from_many_processes_give_one_booking(
    make_hotel: MakeHotel, figures: Figures, attempts: Attempts
) -> None:
    hotel = make_hotel(30)
    quotes = [hotel.quote(n % 7, 1) for n in range(12)]
    acts = [each for quote in quotes for each in (act("hold", quote.quote_id), *[act("book", quote.quote_id)] * 3)]
    ended = hotel.let_loose(live(*acts) for _ in range(PROCESSES))
    assert ended["statuses"] == [0] * PROCESSES

    yeses = [done for done in ended["acts"] if done["what"] == "book"]
    assert {done["ended"] for done in yeses} == {"confirmed"}
    booked = hotel.booked()
    assert {(done["of"], done["reference"]) for done in yeses} == set(booked.items())
    assert sorted(done["of"] for done in yeses if not done["repeated"]) == sorted(booked)
    assert len(booked) == len(quotes)
    hotel.assert_sound()
    attempts("yeses repeated by eight processes", len(yeses))
    figures(
        f"repeated yeses in {hotel.where}: {len(yeses)} from {PROCESSES} processes for {len(quotes)} quotes, {len(booked)} bookings"
    )


def test_of_two_guests_one_gets_the_quote_and_the_other_is_refused(
    make_hotel: MakeHotel, figures: Figures, attempts: Attempts
) -> None:
    hotel = make_hotel(30)
    quotes = [hotel.quote(n % 7, 1) for n in range(20)]
    guests = ["Dana Levi" if n % 2 else "Omer Katz" for n in range(PROCESSES)]
    ended = hotel.let_loose(live(*[act("book", quote.quote_id, guest) for quote in quotes]) for guest in guests)
    assert ended["statuses"] == [0] * PROCESSES

    for quote in quotes:
        ends = {guest: {done["ended"] for done in ended["acts"] if (done["of"], done["guest"]) == (quote.quote_id, guest)}
                for guest in guests}  # fmt: skip
        assert sorted(map(sorted, ends.values())) == [["confirmed"], ["idempotency_conflict"]]
        [winner] = [guest for guest, how in ends.items() if how == {"confirmed"}]
        assert {guest: hotel.found(quote, guest) is not None for guest in ends} == {
            guest: guest == winner for guest in ends
        }
    hotel.assert_sound()
    attempts("bookings of one quote by two guests", len(ended["acts"]))
    refusals = sum(done["ended"] == "idempotency_conflict" for done in ended["acts"])
    figures(
        f"other payloads in {hotel.where}: {len(ended['acts'])} tries for {len(quotes)} quotes, {len(hotel.booked())} booked, {refusals} refused"
    )
