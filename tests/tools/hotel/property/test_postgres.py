"""A hotel in PostgreSQL, as far as it is not the same as in a file: who may use it, what it shares a database with, what
happens when the connection breaks. The bookings themselves are those of `test_bookings.py`."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from places import new_place, rows_of

from wavegraph.graph.errors import ConnectionLost, SettingsError, ToolRefusal
from wavegraph.graph.execution.tool_call import fate_of
from wavegraph.tools.hotel.property import sqlite_property, store
from wavegraph.tools.hotel.property.importer import import_hotel
from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places import property_schema
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.property_schema import PropertySchema, properties_in, schema_name
from wavegraph.tools.hotel.property.port import open_property
from wavegraph.tools.hotel.property.registry import Properties
from wavegraph.tools.hotel.property.sqlite_property import StoredProperty
from wavegraph.tools.hotel.records import Guest, PropertyRecord, Quote, QuoteQuery, StayQuery
from wavegraph.tools.hotel.settings import HotelSettings
from wavegraph.tools.postgres import server
from wavegraph.tools.postgres.server import Server, close_all, server_of

EXAMPLE = Path(__file__).parents[4] / "examples" / "own_hotel"
TODAY, MONDAY = date(2026, 2, 20), date(2026, 3, 2)
STAY: Any = {"check_in": MONDAY, "check_out": MONDAY + timedelta(days=2), "adults": 2}
DANA = Guest(name="Dana Levi", email="dana@example.com")
run = asyncio.run


@pytest.fixture
def url(hotels_database: str) -> str:
    return hotels_database


def filled(place: Any, tiny: Any) -> StoredProperty:
    """A small hotel: two double rooms, a week of nights."""
    record = PropertyRecord(property_id=place.property_id, name="Tiny", name_he="קטן", hotel_id="tiny")
    data = tiny.property_data([tiny.room()], [tiny.plan()], record=record)
    calendar = tiny.calendar([tiny.room()])
    place.create(lambda connection: store.write_property(connection, data, calendar, store.SCHEMA_VERSION))
    return StoredProperty(place)


@pytest.fixture
def hotel(url: str, tmp_path: Path, tiny: Any) -> StoredProperty:
    return filled(new_place(url, tmp_path), tiny)


def quote_of(hotel: StoredProperty) -> Quote:
    return run(hotel.quote(QuoteQuery(**STAY), today=TODAY))


def refused(work: Callable[[], Any]) -> ToolRefusal:
    with pytest.raises(ToolRefusal) as refusal:
        work()
    return refusal.value


def admin(url: str, statement: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement)
        return done.fetchall() if done.description else []


@pytest.fixture
def fresh(postgres: Any, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of the test's own."""
    yield postgres.fresh(request.node.name[:60])
    close_all()


# Names


@dataclass(frozen=True)
class Way:
    id: str
    name: Callable[[str, str], str]
    """The connection string, of the URL and the folder of the server's socket."""


def _keywords(url: str, host: str) -> str:
    known = psycopg.conninfo.conninfo_to_dict(url)
    return psycopg.conninfo.make_conninfo(**{**known, "host": host})


WAYS = [
    Way("short scheme", lambda url, _: url.replace("postgresql://", "postgres://")),
    Way("with a driver", lambda url, _: url.replace("postgresql://", "postgresql+psycopg://")),
    Way("keywords, a password in quotes", lambda url, _: _keywords(url, "127.0.0.1")),
    Way("a socket", _keywords),
]


@pytest.mark.parametrize("way", WAYS, ids=[way.id for way in WAYS])
def test_a_database_has_many_names(url: str, hotel: StoredProperty, way: Way) -> None:
    [(folder,)] = admin(url, "SHOW unix_socket_directories")
    name = way.name(url, folder)
    place: Any = hotel.place

    found = open_property(place.property_id, database=name)

    assert found.record == hotel.record


def test_no_password_is_in_an_error_or_the_log(url: str, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    down = "postgresql://desk:Zq7%40secret@127.0.0.1:1/hotel"
    with caplog.at_level("WARNING"):
        refusal = refused(lambda: open_property("inn", data_dir=tmp_path, database=down))
    assert (refusal.code, refusal.retryable) == ("timeout", True)
    assert "cannot be reached" in refusal.message
    assert "refused" in caplog.text
    with pytest.raises(SettingsError, match="must look like") as odd:
        open_property("inn", data_dir=tmp_path, database="postgresql://desk:p@Zq7@secret@127.0.0.1:1/x?y")
    assert not [text for text in (caplog.text, refusal.message, str(odd.value)) if "Zq7" in text]


def test_the_environment_names_the_database_unless_a_folder_is_named(
    url: str, hotel: StoredProperty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WAVEGRAPH_DATABASE", url)
    place: Any = hotel.place
    name = place.property_id

    assert open_property(name).record == hotel.record
    assert open_property(name, database=":memory:").record == hotel.record
    with pytest.raises(SettingsError, match=f"unknown property_id '{name}'; known: sandbox\\."):
        open_property(name, data_dir=tmp_path)
    monkeypatch.setenv("WAVEGRAPH_DATABASE", "mysql://desk:Zq7@db/hotel")
    with pytest.raises(SettingsError, match="in files or in PostgreSQL"):
        open_property(name)


# What it shares the database with


def test_tables_of_another_program_are_left_alone(fresh: str, tiny: Any) -> None:
    admin(fresh, "CREATE TABLE booking (id INT); INSERT INTO booking VALUES (7); CREATE TABLE property (id INT)")
    hotel = filled(PropertySchema(server_of(fresh), "inn"), tiny)

    run(hotel.book(quote_of(hotel).quote_id, DANA, today=TODAY))

    assert admin(fresh, "SELECT id FROM booking") == [(7,)]
    assert admin(fresh, "SELECT count(*) FROM property") == [(0,)]
    assert admin(fresh, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1") == [("booking",), ("property",)]  # fmt: skip


def test_two_hotels_share_a_database_and_nothing_else(url: str, tmp_path: Path, tiny: Any) -> None:
    one, other = (filled(new_place(url, tmp_path), tiny) for _ in range(2))
    quote = quote_of(one)
    run(one.book(quote.quote_id, DANA, today=TODAY))

    assert refused(lambda: run(other.book(quote.quote_id, DANA, today=TODAY))).code == "not_found"
    assert rows_of(other.place, url, "SELECT DISTINCT sold FROM inventory") == [(0,)]


def test_two_installations_in_one_database_have_each_their_own_hotels(fresh: str, tiny: Any) -> None:
    admin(fresh, "CREATE SCHEMA trial")
    trial = f"{fresh}?options=-csearch_path%3Dtrial"
    filled(PropertySchema(server_of(fresh), "inn"), tiny)

    assert (properties_in(server_of(fresh)), properties_in(server_of(trial))) == (["inn"], [])
    filled(PropertySchema(server_of(trial), "inn"), tiny)
    filled(PropertySchema(server_of(trial), "lodge"), tiny)
    assert admin(fresh, "SELECT nspname FROM pg_namespace WHERE nspname LIKE '%hotel%' ORDER BY 1") == [
        ("trial_hotel_inn",), ("trial_hotel_lodge",), ("wavegraph_hotel_inn",)
    ]  # fmt: skip
    nowhere = PropertySchema(server_of(f"{fresh}?options=-csearch_path%3Dnone"), "inn")
    with pytest.raises(SettingsError, match="names no schema that exists"):
        nowhere.exists()


LONG = "a" * 63


@pytest.mark.parametrize(
    ("own", "property_id", "name"),
    [
        ("public", "inn", "wavegraph_hotel_inn"),
        ("public", "beit-haerez", "wavegraph_hotel_beit-haerez"),
        ("trial", "inn", "trial_hotel_inn"),
        ("public", "a" * 47, "wavegraph_hotel_" + "a" * 47),
    ],
)
def test_a_schema_is_called_like_its_hotel(own: str, property_id: str, name: str) -> None:
    assert schema_name(own, property_id) == name


@pytest.mark.parametrize("own", ["public", "trial", "t" * 63, "ש" * 31])
def test_no_two_long_names_are_cut_to_one(own: str) -> None:
    names = {schema_name(own, each) for each in (LONG, LONG[:-1], LONG[:-1] + "b", "b" * 63, "inn")}
    assert len(names) == 5
    assert max(len(name.encode()) for name in names) <= 63


def test_a_hotel_with_the_longest_id_is_found_again(installation: str, tiny: Any) -> None:
    filled(PropertySchema(server_of(installation), LONG), tiny)

    assert properties_in(server_of(installation)) == [LONG]
    assert open_property(LONG, database=installation).record.property_id == LONG


# Who may do what


def user(url: str, name: str, *grants: str) -> str:
    """The database's URL for a new user with these rights."""
    known_already = f"SELECT FROM pg_roles WHERE rolname = '{name}'"
    make = f"IF NOT EXISTS ({known_already}) THEN CREATE ROLE {name} LOGIN PASSWORD 'pw'; END IF;"
    admin(url, f"DO $$ BEGIN {make} END $$; {'; '.join(grants)}")
    known = psycopg.conninfo.conninfo_to_dict(url)
    return f"postgresql://{name}:pw@127.0.0.1:{known['port']}/{known['dbname']}"


def test_a_user_who_may_only_read_answers_and_books_nothing(fresh: str, tiny: Any) -> None:
    filled(PropertySchema(server_of(fresh), "inn"), tiny)
    schema = "wavegraph_hotel_inn"
    reader = user(fresh, "reader", f"GRANT USAGE ON SCHEMA {schema} TO reader",
                  f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader")  # fmt: skip
    hotel: Any = open_property("inn", database=reader)

    assert run(hotel.availability(StayQuery(**STAY), today=TODAY)).offers
    refusal = refused(lambda: quote_of(hotel))
    assert (refusal.code, refusal.retryable) == ("auth", False)
    assert "permission denied" in refusal.message
    standby = open_property("inn", database=f"{fresh}?options=-cdefault_transaction_read_only%3Don")
    assert standby.record == hotel.record


def test_who_may_not_create_a_schema_is_told_who_may(fresh: str, tiny: Any) -> None:
    clerk = user(fresh, "clerk")
    with pytest.raises(SettingsError, match=r"permission denied .* schema \"wavegraph_hotel_sandbox\""):
        run(open_property("sandbox", database=clerk).open())
    admin(fresh, "CREATE SCHEMA wavegraph_hotel_inn AUTHORIZATION clerk")

    hotel = filled(PropertySchema(server_of(clerk), "inn"), tiny)

    assert run(hotel.book(quote_of(hotel).quote_id, DANA, today=TODAY)).status == "confirmed"


def test_a_database_without_hebrew_is_refused_whole(postgres: Any) -> None:
    admin(postgres.url(), "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(SettingsError, match='has no equivalent in encoding "LATIN1"'):
        run(open_property("sandbox", database=postgres.url("latin")).open())
    assert properties_in(server_of(postgres.url("latin"))) == []
    close_all()


# Several at once


@pytest.mark.usefixtures("short")
def test_machines_that_start_at_once_seed_the_demo_hotel_once(fresh: str, tmp_path: Path) -> None:
    """The same as in a file, row by row."""
    machines = [PropertySchema(Server(fresh), "sandbox") for _ in range(3)]
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda place: sqlite_property.build(place, date(2026, 11, 20)), machines))
    for place in machines:
        place.server.close()
    demo = PropertySchema(server_of(fresh), "sandbox")
    sqlite_property.build(tmp_path / "sandbox.sqlite", date(2026, 11, 20))

    assert contents(demo) == contents(PropertyFile(tmp_path / "sandbox.sqlite"))
    assert admin(fresh, "SELECT count(*) FROM wavegraph_hotel_sandbox.hotel_version") == [(1,)]
    sqlite_property.build(demo, date(2027, 1, 1))
    with demo.reading() as connection:
        assert store.last_night(connection) == date(2027, 12, 31)


def contents(place: Place) -> dict[str, list[str]]:
    with place.reading() as connection:
        rows = {table: store.rows_by_name(connection, table) for table in store.TABLES}
        return {table: sorted(json.dumps(row, sort_keys=True) for row in of) for table, of in rows.items()} | {
            "version": [str(connection.version())]
        }


@pytest.mark.usefixtures("short")
def test_a_version_with_a_later_seed_keeps_its_own(installation: str) -> None:
    """Else two versions that share the demo hotel for a while would rewrite it in turns."""
    place = PropertySchema(server_of(installation), "sandbox")
    sqlite_property.build(place, date(2026, 11, 20))
    later = sqlite_property.demo_version() + 1
    with place.writing() as connection:
        connection.set_version(later)
    sqlite_property.build(place, date(2026, 11, 20))
    with place.reading() as connection:
        assert connection.version() == later


def test_a_write_waits_for_its_turn_and_then_says_so(hotel: StoredProperty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(property_schema, "_WRITE", property_schema._WRITE.replace("'5s'", "'50ms'"))
    quote = quote_of(hotel)
    with hotel.place.writing():
        assert run(hotel.availability(StayQuery(**STAY), today=TODAY)).offers, "who reads waits for nobody"
        refusal = refused(lambda: run(hotel.book(quote.quote_id, DANA, today=TODAY)))
    assert (refusal.code, refusal.retryable) == ("timeout", True)
    assert "in use" in refusal.message
    assert run(hotel.book(quote.quote_id, DANA, today=TODAY)).status == "confirmed"


def test_no_more_connections_than_agreed(hotel: StoredProperty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "WAIT_S", 0.05)
    place: Any = hotel.place
    lent = [place.server.connection() for _ in range(server.CONNECTIONS)]
    for each in lent:
        each.__enter__()
    refusal = refused(lambda: quote_of(hotel))
    for each in lent:
        each.__exit__(None, None, None)
    assert (refusal.code, refusal.retryable, "busy" in refusal.message) == ("timeout", True, True)
    assert quote_of(hotel).quote_id
    place.server.close()


async def test_the_event_loop_goes_on_while_a_write_waits(hotel: StoredProperty) -> None:
    asked = asyncio.Event()
    with hotel.place.writing():
        waiting = asyncio.create_task(hotel.quote(QuoteQuery(**STAY), today=TODAY))
        asyncio.get_running_loop().call_soon(asked.set)
        await asked.wait()
        assert not waiting.done()
    assert (await waiting).quote_id


# Time


def test_quotes_and_holds_expire_by_the_clock_of_the_database(
    hotel: StoredProperty, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This machine is years ahead, and the other one is not."""
    monkeypatch.setattr(store, "utc_now", lambda: datetime(2041, 1, 1, tzinfo=UTC))
    [(now,)] = admin(url, "SELECT clock_timestamp()")
    quote = quote_of(hotel)
    held = run(hotel.hold(quote.quote_id, DANA, minutes=15, today=TODAY))

    assert timedelta(minutes=29) < quote.expires_at - now < timedelta(minutes=31)
    assert timedelta(minutes=14) < held.expires_at - now < timedelta(minutes=16)
    assert [each.status for each in run(hotel.holds())] == ["hold"]
    past = (now - timedelta(seconds=1)).astimezone(UTC).replace(microsecond=0).isoformat()
    rows_of(hotel.place, url, f"UPDATE booking SET hold_until = '{past}'")
    assert [each.status for each in run(hotel.holds())] == ["expired"]
    rooms = run(hotel.availability(StayQuery(**STAY), today=TODAY)).offers[0].rooms_left
    assert rooms == 2


# Broken connections


def backends(url: str) -> Sequence[int]:
    return [pid for (pid,) in admin(url, "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                                         " AND pid <> pg_backend_pid() AND backend_type = 'client backend'")]  # fmt: skip


def cut(url: str) -> None:
    for pid in backends(url):
        admin(url, f"SELECT pg_terminate_backend({pid}, 5000)")


def test_a_server_that_was_restarted_is_noticed_by_nobody(hotel: StoredProperty, url: str) -> None:
    quote = quote_of(hotel)
    cut(url)
    assert run(hotel.book(quote.quote_id, DANA, today=TODAY)).status == "confirmed"


@pytest.mark.attack
def test_a_connection_cut_before_any_statement_leaves_nothing_and_the_repeat_books(
    hotel: StoredProperty, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = property_schema.SchemaConnection.execute
    booked, refusals = 0, []
    for point in range(1, 40):
        quote = quote_of(hotel)
        seen = 0

        def cutting(self: Any, *given: Any, point: int = point) -> Any:
            nonlocal seen
            seen += 1
            if seen == point:
                cut(url)
            return whole(self, *given)

        with monkeypatch.context() as patched:
            patched.setattr(property_schema.SchemaConnection, "execute", cutting)
            try:
                run(hotel.book(quote.quote_id, DANA, today=TODAY))
                booked += 1
            except ToolRefusal as refusal:
                refusals.append((refusal.code, refusal.retryable))
        assert (run(hotel.booking_of(quote.quote_id, DANA)) is not None) == bool(booked)
        booking = run(hotel.book(quote.quote_id, DANA, today=TODAY))
        run(hotel.cancel(booking.reference, "Levi", today=TODAY))
        if booked:
            break
    assert (booked, set(refusals), len(refusals) > 5) == (1, {("timeout", True)}, True)
    assert rows_of(hotel.place, url, "SELECT DISTINCT sold, held FROM inventory") == [(0, 0)]


@pytest.mark.parametrize("committed", [True, False])
def test_a_connection_cut_at_the_commit_may_have_booked_and_the_look_up_knows(
    hotel: StoredProperty, url: str, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    quote, whole = quote_of(hotel), PropertySchema._commit

    def cut_off(self: PropertySchema, raw: Any) -> None:
        if committed:
            raw.execute("COMMIT")
        cut(url)
        whole(self, raw)

    with monkeypatch.context() as patched:
        patched.setattr(PropertySchema, "_commit", cut_off)
        with pytest.raises(ConnectionLost) as lost:
            run(hotel.book(quote.quote_id, DANA, today=TODAY))

    assert fate_of(lost.value) == "unknown"
    found = run(hotel.booking_of(quote.quote_id, DANA))
    assert (found is not None) == committed
    again = run(hotel.book(quote.quote_id, DANA, today=TODAY))
    assert again.repeated == committed
    assert rows_of(hotel.place, url, "SELECT count(*) FROM booking") == [(1,)]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo hotel's calendar ends with the year."""
    monkeypatch.setattr(sqlite_property, "HORIZON_YEARS", 0)


@pytest.mark.usefixtures("short")
def test_a_hotel_that_was_dropped_is_missed_and_the_demo_hotel_seeded_again(fresh: str, tiny: Any) -> None:
    inn, demo = filled(PropertySchema(server_of(fresh), "inn"), tiny), open_property("sandbox", database=fresh)
    run(demo.info("parking"))
    run(demo.info("parking"))
    admin(fresh, "DROP SCHEMA wavegraph_hotel_inn CASCADE; DROP SCHEMA wavegraph_hotel_sandbox CASCADE")
    for hotel in (inn, demo):
        with pytest.raises(SettingsError, match="there is no hotel"):
            run(hotel.info("parking"))
    assert run(demo.info("parking")).found


def test_a_database_that_is_down_fails_calls_and_no_more(tmp_path: Path) -> None:
    properties = Properties(
        opener=lambda property_id, **given: open_property(property_id, database="postgresql://127.0.0.1:1/hotel")
    )
    for name in ("sandbox", "inn"):
        assert refused(lambda name=name: run(properties.open(name))).retryable  # type: ignore[misc]
    assert properties.profile("inn").record.property_id == "unknown"
    assert properties.today(HotelSettings(property_id="inn"))


def test_a_forked_process_leaves_the_connections_of_its_parent_alone(hotel: StoredProperty) -> None:
    place: Any = hotel.place
    quote_of(hotel)
    inherited = [*place.server._idle]
    server._after_fork()
    assert quote_of(hotel).quote_id
    assert inherited
    assert not any(each in inherited for each in place.server._idle)
    assert not any(each.closed for each in inherited)
    for each in inherited:
        each.close()


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, property_schema.__name__, None)
    with pytest.raises(SettingsError, match=r"pip install 'wavegraph\[postgres\]'"):
        open_property("inn", database="postgresql://db.example/hotel")


# Versions


def test_every_version_of_the_tables_leads_to_the_next() -> None:
    assert sorted(property_schema.UPGRADES) == [*range(property_schema.FIRST_VERSION + 1, store.SCHEMA_VERSION + 1)]


def test_tables_of_a_later_version_are_refused(hotel: StoredProperty, url: str) -> None:
    rows_of(hotel.place, url, "UPDATE hotel_version SET schema_version = 99")
    with pytest.raises(SettingsError, match="later version of wavegraph: update this one"):
        StoredProperty(hotel.place)


def test_tables_of_an_earlier_version_learn_what_is_new_once(
    hotel: StoredProperty, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    booked = run(hotel.book(quote_of(hotel).quote_id, DANA, today=TODAY))
    newer = store.SCHEMA_VERSION + 1
    monkeypatch.setattr(store, "SCHEMA_VERSION", newer)
    monkeypatch.setattr(property_schema, "UPGRADES", {newer: ["ALTER TABLE booking ADD COLUMN stars BIGINT"]})
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda _: hotel.place.upgrade(), range(3)))
    assert rows_of(hotel.place, url, "SELECT stars FROM booking") == [(None,)]
    assert rows_of(hotel.place, url, "SELECT schema_version FROM hotel_version") == [(newer,)]
    assert run(StoredProperty(hotel.place).booking(booked.reference, "Levi")) == booked


def test_topics_of_the_last_version_learn_their_figures(installation: str, tmp_path: Path) -> None:
    import_hotel(EXAMPLE, tmp_path, database=installation)
    schema = f"{installation.rpartition('%3D')[2]}_hotel_beit-haerez"
    admin(installation, f'ALTER TABLE "{schema}".faq DROP COLUMN policy_json')
    admin(installation, f'UPDATE "{schema}".hotel_version SET schema_version = 4, version = 4')

    upgraded = open_property("beit-haerez", data_dir=tmp_path, database=installation)
    assert {topic.policy for topic in upgraded.profile().topics} == {None}
    assert run(upgraded.info("parking")).found

    assert import_hotel(EXAMPLE, tmp_path, database=installation).replaced
    assert {topic.topic for topic in upgraded.profile().topics if topic.policy} == {"parking", "breakfast", "pets"}


# Imports


def test_an_import_replaces_the_hotel_under_its_bookings(installation: str, tmp_path: Path) -> None:
    assert not import_hotel(EXAMPLE, tmp_path, database=installation).replaced
    hotel = open_property("beit-haerez", data_dir=tmp_path, database=installation)
    today = date(2026, 11, 20)
    query = QuoteQuery(check_in=date(2026, 12, 1), check_out=date(2026, 12, 3), adults=2, room_type="GARDEN")
    quote = run(hotel.quote(query, today=today))
    run(hotel.hold(quote.quote_id, DANA, minutes=15, today=today))

    report = import_hotel(EXAMPLE, tmp_path, database=installation)

    assert (report.replaced, report.path) == (True, None)
    assert run(hotel.book(quote.quote_id, DANA, today=today)).status == "confirmed"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SettingsError, match=r"unknown property_id 'ritz'; known: sandbox, beit-haerez\."):
        open_property("ritz", data_dir=tmp_path, database=installation)


async def test_a_hotel_replaced_while_it_is_booked_is_always_whole(installation: str, tmp_path: Path) -> None:
    import_hotel(EXAMPLE, tmp_path, database=installation)
    hotel = open_property("beit-haerez", data_dir=tmp_path, database=installation)
    today = date(2026, 11, 20)
    query = QuoteQuery(check_in=date(2026, 12, 1), check_out=date(2026, 12, 3), adults=2)

    async def books() -> str:
        try:
            quote = await hotel.quote(query, today=today)
            return (await hotel.book(quote.quote_id, DANA, today=today)).status
        except ToolRefusal as refusal:
            return refusal.code

    imports = [asyncio.to_thread(import_hotel, EXAMPLE, tmp_path, database=installation) for _ in range(2)]
    done = await asyncio.gather(*imports, *(books() for _ in range(10)))

    ends = [each for each in done if isinstance(each, str)]
    assert set(ends) <= {"confirmed", "sold_out", "not_on_sale"}
    with hotel.place.reading() as connection:  # type: ignore[attr-defined]
        booked = store.booked_rooms(connection)
        nights = store.read_nights(connection, date(2026, 12, 1), date(2026, 12, 2), datetime.now(UTC)).inventory
    assert sum(sold for sold, _ in booked.values()) == 2 * ends.count("confirmed")
    assert ends.count("confirmed") > 0
    assert all(day.sold + day.held <= day.total for day in nights)
