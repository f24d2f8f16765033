"""One's own hotel: the example as it stands, and every way a file can be wrong, with the exact words."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from desk_views import planning_view
from scripted import plan_of, planned

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.asked_about import missed_topics
from wavegraph.tools.hotel.property import store
from wavegraph.tools.hotel.property.importer import HotelImportError, import_hotel
from wavegraph.tools.hotel.property.port import known_properties, open_property
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.records import Availability, Guest, Policy, QuoteQuery, StayQuery

EXAMPLE = Path(__file__).parents[4] / "examples" / "own_hotel"
TODAY = date(2026, 11, 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "files"))


def ask(data_dir: Path, check_in: str, check_out: str, **changes: object) -> Availability:
    adapter = open_property("beit-haerez", data_dir=data_dir)
    query = StayQuery.model_validate({"check_in": check_in, "check_out": check_out, "adults": 2, **changes})
    return asyncio.run(adapter.availability(query, today=TODAY))


def edit(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_example_becomes_a_property(folder: Path, tmp_path: Path) -> None:
    report = import_hotel(folder, tmp_path)
    assert report.path == tmp_path / "hotels" / "beit-haerez.sqlite"
    assert (report.room_types, report.rate_plans, report.topics, report.replaced) == (3, 3, 4, False)
    assert (report.first_night, report.last_night) == (date(2026, 11, 1), date(2028, 12, 31))
    assert known_properties(tmp_path) == ["sandbox", "beit-haerez"]
    record = open_property("beit-haerez", data_dir=tmp_path).record
    assert (record.name_he, record.weekend_nights, record.max_nights) == ("בית הארז", [3, 4], 14)


def test_prices_by_hand(folder: Path, tmp_path: Path) -> None:
    """Tuesday to Thursday, two adults and a child of five in the loft: 2 x (560 + 80 + 2 x 60 + 40) = 1600, saver 1440."""
    import_hotel(folder, tmp_path)
    found = ask(tmp_path, "2026-12-01", "2026-12-03", children_ages=[5], room_type="LOFT", board="BB")
    assert [(o.rate_plan, o.total_agorot) for o in found.offers] == [("SAVER", 1440_00), ("FLEX", 1600_00)]
    assert found.booking_link == "https://beit-haerez.example/book?from=2026-12-01&to=2026-12-03&adults=2&children=1"


def test_later_rows_win_and_rules_hold(folder: Path, tmp_path: Path) -> None:
    import_hotel(folder, tmp_path)
    weekend = ask(tmp_path, "2026-12-10", "2026-12-12", room_type="GARDEN", board="RO")
    assert [offer.nightly_agorot for offer in weekend.offers] == [[620_00, 620_00]]
    passover = ask(tmp_path, "2027-04-22", "2027-04-24", room_type="GARDEN", board="RO")
    assert [offer.nightly_agorot for offer in passover.offers] == [[740_00, 740_00]]
    assert ask(tmp_path, "2026-12-10", "2026-12-11").reason == "min_stay"
    assert ask(tmp_path, "2026-12-05", "2026-12-06", room_type="LOFT").reason == "closed_arrival"
    assert ask(tmp_path, "2026-12-04", "2026-12-06", room_type="GARDEN").reason == "sold_out"
    assert ask(tmp_path, "2027-01-11", "2027-01-12", room_type="CABIN").reason == "not_on_sale"
    saver = ask(tmp_path, "2027-04-20", "2027-04-25", room_type="LOFT")
    assert "SAVER" not in {offer.rate_plan for offer in saver.offers}


def test_what_excel_in_israel_writes(folder: Path, tmp_path: Path) -> None:
    """Byte order mark, semicolons, day-first dates, Windows line ends."""
    for path in folder.glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        if '"' not in text:
            text = text.replace(",", ";").replace("2026-11-01", "01/11/2026").replace("2028-12-31", "31.12.2028")
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    report = import_hotel(folder, tmp_path)
    assert (report.first_night, report.last_night, report.rates) == (date(2026, 11, 1), date(2028, 12, 31), 2376)


def test_info_may_be_json(folder: Path, tmp_path: Path) -> None:
    topic = {
        "topic": "sauna",
        "title": "Sauna",
        "title_he": "סאונה",
        "text": "In the yard.",
        "text_he": "בחצר.",
        "aliases": ["spa"],
    }
    (folder / "info.json").write_text(json.dumps([topic]), encoding="utf-8")
    assert import_hotel(folder, tmp_path).topics == 1
    assert asyncio.run(open_property("beit-haerez", data_dir=tmp_path).info("spa")).text == "In the yard."


def figures(data_dir: Path) -> dict[str, Policy | None]:
    topics = open_property("beit-haerez", data_dir=data_dir).profile().topics
    return {topic.topic: topic.policy for topic in topics}


def test_what_a_topic_says_in_figures_is_imported_with_its_text(folder: Path, tmp_path: Path) -> None:
    import_hotel(folder, tmp_path)
    assert figures(tmp_path) == {
        "parking": Policy(fee_agorot=0),
        "breakfast": Policy(from_time="08:30"),
        "pets": Policy(fee_agorot=60_00, rooms=("CABIN",)),
        "contact": None,
    }
    pets = asyncio.run(open_property("beit-haerez", data_dir=tmp_path).info("dogs"))
    assert (pets.policy, pets.currency) == (Policy(fee_agorot=60_00, rooms=("CABIN",)), "ILS")


def test_all_figures_of_a_topic_may_be_given(folder: Path, tmp_path: Path) -> None:
    said = {"topic": "pets", "title": "Pets", "title_he": "חיות", "text": "Dogs.", "text_he": "כלבים."}
    given = {
        "max_kg": 12,
        "min_age": 16,
        "fee": 7.5,
        "fee_per": "each_night",
        "fee_of": "Dog",
        "fee_of_he": "כלב",
        "fee_from": True,
        "from_time": "8:00",
        "until_time": "22:30",
        "rooms": ["LOFT"],
    }
    (folder / "info.json").write_text(json.dumps([{**said, **given}]), encoding="utf-8")
    import_hotel(folder, tmp_path)
    assert figures(tmp_path)["pets"] == Policy(
        max_kg=12,
        min_age=16,
        fee_agorot=750,
        fee_per="each_night",
        fee_of="Dog",
        fee_of_he="כלב",
        fee_from=True,
        from_time="08:00",
        until_time="22:30",
        rooms=("LOFT",),
    )


def test_topics_without_figures_are_imported_as_before(folder: Path, tmp_path: Path) -> None:
    """No figure is read out of the text."""
    header = "topic,title,title_he,text,text_he,aliases\n"
    (folder / "info.csv").write_text(
        header + "pets,Pets,חיות,Dogs up to 12 kg for 80 NIS.,כלבים.,dog\n", encoding="utf-8"
    )
    import_hotel(folder, tmp_path)
    assert figures(tmp_path) == {"pets": None}


def test_optional_files_may_be_missing(folder: Path, tmp_path: Path) -> None:
    for file in ("restrictions.csv", "meals.csv", "info.csv"):
        (folder / file).unlink()
    assert import_hotel(folder, tmp_path).topics == 0
    assert ask(tmp_path, "2026-12-05", "2026-12-06", room_type="LOFT").offers


@dataclass(frozen=True)
class Broken:
    """A text replaced in one file of the example, and what is then reported: all of it."""

    id: str
    file: str
    old: str
    new: str
    expected: tuple[str, ...]


NOT_A_ROOM = "expected one of GARDEN, LOFT, CABIN"
NIGHT = "a date of the years 1900 to 2199, 2026-12-31 or 31/12/2026"
BROKEN = [
    Broken("word for a number", "rooms.csv", "LOFT,Cedar Loft,לופט הארז,2,2", "LOFT,Cedar Loft,לופט הארז,2,two",
           ("rooms.csv, row 3, column max_adults: 'two', expected a whole number from 1 to 20",)),
    Broken("missing value", "rooms.csv", "Stone Cabin", "", ("rooms.csv, row 4, column name: '', expected text",)),
    Broken("fewer places than adults", "rooms.csv", "2,2,1,1,3,20", "2,2,1,1,1,20",
           ("rooms.csv, row 2, column max_total: '1', expected adults and children together, from max_adults to 20",)),
    Broken("doubled code", "rooms.csv", "CABIN,Stone", "loft,Stone",
           ("rooms.csv, row 4, column code: 'loft', expected each code once; row 3 has it too",
            *(f"rates.csv, row {n}, column room_type: 'CABIN', expected one of GARDEN, LOFT, loft" for n in (6, 7, 10)),
            *(f"inventory.csv, row {n}, column room_type: 'CABIN', expected one of GARDEN, LOFT, loft" for n in (4, 6)),
            "restrictions.csv, row 4, column room_type: 'CABIN', expected one of GARDEN, LOFT, loft, *",
            "info.csv, row 4, column rooms: 'CABIN', expected one of GARDEN, LOFT, loft",
            "rooms.csv, row 4, column code: 'loft', expected at least one row in rates.csv",
            "rooms.csv, row 4, column code: 'loft', expected at least one row in inventory.csv")),
    Broken("unknown column", "rooms.csv", "size_sqm", "size",
           (("rooms.csv, row 1, column size: 'size', expected a column of this file: code, name, name_he, base_occ, max_adults, "
            "max_children, max_babies, max_total, size_sqm, beds, beds_he, features, features_he, aliases"),)),
    Broken("missing column", "inventory.csv", "weekdays,rooms,sold", "weekdays,sold,sold",
           ("inventory.csv, row 1, column sold: 'sold', expected each column once",
            "inventory.csv, row 1, column rooms: '', expected this column in the header")),
    Broken("text with a bare comma", "info.csv", '"Free parking in the yard, one car per room."', "Free parking, one car per room.",
           ("info.csv, row 2: 'car|garage|חנייה|רכב', expected 10 cells as in the header; quote text that contains the separator",)),
    Broken("a fee per dog", "info.csv", ",60,stay,", ",60,dog,",
           ("info.csv, row 4, column fee_per: 'dog', expected one of stay, night, each, each_night",)),
    Broken("a fee in words", "info.csv", ",60,stay,", ",60 NIS,stay,",
           ("info.csv, row 4, column fee: '60 NIS', expected an amount in ILS with at most two decimals, e.g. 450 or 450.50",)),
    Broken("a fee of no room", "info.csv", "stay,CABIN,", "stay,CABIN|SHED,",
           (f"info.csv, row 4, column rooms: 'SHED', {NOT_A_ROOM}",)),
    Broken("no time of day", "info.csv", ",08:30,", ",morning,",
           ("info.csv, row 3, column from_time: 'morning', expected a time of day such as 15:00, or empty",)),
    Broken("unknown board", "rate_plans.csv", ",BB,yes", ",B&B,yes",
           ("rate_plans.csv, row 2, column board: 'B&B', expected one of RO, BB, HB, FB, AI",)),
    Broken("maybe", "rate_plans.csv", ",BB,no", ",BB,maybe", ("rate_plans.csv, row 3, column refundable: 'maybe', expected yes or no",)),
    Broken("rates of no plan", "rate_plans.csv", "3,,FLEX", "3,,FLEXI",
           ("rate_plans.csv, row 3, column rates_of: 'FLEXI', expected one of FLEX",)),
    Broken("plan without rates", "rate_plans.csv", "3,,FLEX", "3,,",
           ("rate_plans.csv, row 3, column code: 'SAVER', expected rows in rates.csv, or another plan in rates_of",)),
    Broken("unknown room type", "rates.csv", "FLEX,GARDEN", "FLEX,GARDN",
           (f"rates.csv, row 2, column room_type: 'GARDN', {NOT_A_ROOM}",)),
    Broken("unknown plan", "rates.csv", "FLEX,LOFT", "BAR,LOFT", ("rates.csv, row 4, column rate_plan: 'BAR', expected one of FLEX",)),
    Broken("price with a sign", "rates.csv", ",420,", ",₪420,",
           ("rates.csv, row 2, column price: '₪420', expected an amount in ILS with at most two decimals, e.g. 450 or 450.50",)),
    Broken("price with three decimals", "rates.csv", ",420,", ",420.555,",
           ("rates.csv, row 2, column price: '420.555', expected an amount in ILS with at most two decimals, e.g. 450 or 450.50",)),
    Broken("no such date", "rates.csv", "2026-11-01", "2026-02-30", (f"rates.csv, row 2, column date_from: '2026-02-30', expected {NIGHT}",)),
    Broken("after the calendar", "rates.csv", "2026-11-01", "9999-12-31", (f"rates.csv, row 2, column date_from: '9999-12-31', expected {NIGHT}",)),
    Broken("before the calendar", "rates.csv", "2026-11-01", "1/1/0001", (f"rates.csv, row 2, column date_from: '1/1/0001', expected {NIGHT}",)),
    Broken("range turned round", "rates.csv", "2027-04-27", "2027-04-01",
           (f"rates.csv, row 8, column date_to: '2027-04-01', expected {NIGHT}, not before date_from and at most five years after it",)),
    Broken("mistyped year", "rates.csv", "2028-12-31", "2208-12-31",
           (f"rates.csv, row 2, column date_to: '2208-12-31', expected {NIGHT}, not before date_from and at most five years after it",)),
    Broken("unknown weekday", "rates.csv", "thu-fri", "thu-shishi",
           ("rates.csv, row 3, column weekdays: 'thu-shishi', expected weekdays such as sun-wed or thu fri, or empty for all",)),
    Broken("more sold than there are", "inventory.csv", ",4,4,no", ",4,5,no",
           ("inventory.csv, row 5, column sold: '5', expected rooms sold elsewhere, from 0 to rooms",)),
    Broken("negative rooms", "inventory.csv", ",2,0,no", ",-2,0,no",
           ("inventory.csv, row 3, column rooms: '-2', expected a whole number of rooms from 0 to 5000",)),
    Broken("no nights at all", "restrictions.csv", "thu-fri,,2", "thu-fri,,0",
           ("restrictions.csv, row 2, column min_stay_arrival: '0', expected a whole number of nights from 1 to 60, or empty",)),
    Broken("rule for no plan", "restrictions.csv", "*,SAVER", "*,SAVE",
           ("restrictions.csv, row 5, column rate_plan: 'SAVE', expected one of FLEX, SAVER, ROOM, *",)),
    Broken("unknown guest", "meals.csv", "BB,child", "BB,kid", ("meals.csv, row 3, column guest: 'kid', expected one of adult, child, baby",)),
    Broken("taken id", "hotel.json", "beit-haerez", "sandbox",
           ("hotel.json, column property_id: 'sandbox', expected 2 to 63 lower case letters, digits, '-' or '_', and not 'sandbox'",)),
    Broken("id with a path", "hotel.json", "beit-haerez", "../beit",
           ("hotel.json, column property_id: '../beit', expected 2 to 63 lower case letters, digits, '-' or '_', and not 'sandbox'",)),
    Broken("unknown zone", "hotel.json", "Asia/Jerusalem", "Asia/Haifa",
           ("hotel.json, column time_zone: 'Asia/Haifa', expected a time zone name, e.g. Asia/Jerusalem",)),
    Broken("babies older than children", "hotel.json", '"baby_max_age": 1', '"baby_max_age": 12',
           ("hotel.json, column baby_max_age: '12', expected a whole number of years, below child_max_age (-1 = no babies)",)),
    Broken("unknown place in the link", "hotel.json", "{check_in}", "{arrival}",
           (("hotel.json, column booking_url: 'https://beit-haerez.example/book?from={arrival}&to={check_out}&adults={adults}&children="
            "{children}', expected a link with any of {check_in} {check_out} {adults} {children} {language}, or empty"),)),
    Broken("comma too many", "hotel.json", '"country": "IL",', '"country": "IL",,', (("hotel.json, row 7: 'Expecting property name enclosed "
           "in double quotes', expected valid JSON"),)),
]  # fmt: skip


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.id)
def test_broken_files(case: Broken, folder: Path, tmp_path: Path) -> None:
    edit(folder, case.file, case.old, case.new)
    with pytest.raises(HotelImportError) as failed:
        import_hotel(folder, tmp_path)
    assert tuple(map(str, failed.value.problems)) == case.expected
    assert not (tmp_path / "hotels").exists()


def test_missing_and_empty_and_foreign_files_are_all_reported(folder: Path, tmp_path: Path) -> None:
    (folder / "rooms.csv").unlink()
    (folder / "rates.csv").write_text("")
    (folder / "inventory.csv").write_text("room_type,date_from,date_to,rooms\n")
    (folder / "meals.csv").write_bytes("board,guest,price\nBB,adult,ארוחה\n".encode("cp1255"))
    with pytest.raises(HotelImportError) as failed:
        import_hotel(folder, tmp_path)
    assert [str(problem) for problem in failed.value.problems] == [
        "rooms.csv: '', expected this file in the folder",
        "rates.csv: '', expected a header line and at least one row",
        "inventory.csv: '', expected at least one row below the header",
        "meals.csv: '', expected UTF-8 text (in Excel: save as 'CSV UTF-8')",
    ]


def test_the_message_counts_all_and_shows_the_first(folder: Path, tmp_path: Path) -> None:
    lines = [
        "rate_plan,room_type,date_from,date_to,price",
        *(f"FLEX,GARDEN,2026-12-01,2026-12-02,x{n}" for n in range(30)),
    ]
    (folder / "rates.csv").write_text("\n".join(lines))
    with pytest.raises(HotelImportError, match="30 problem") as failed:
        import_hotel(folder, tmp_path)
    assert str(failed.value).endswith("... and 10 more")
    assert len(failed.value.problems) == 30


def book_loft(data_dir: Path) -> Path:
    """Both lofts on 1 December: one confirmed, one held."""
    path = data_dir / "hotels" / "beit-haerez.sqlite"
    with store.writing(path) as connection:
        for ref, status in (("R1", "confirmed"), ("R2", "hold")):
            connection.execute(
                "INSERT INTO booking VALUES (?, ?, 'h', ?, '2999-01-01T00:00:00+00:00', '{}', '2026-12-01', '2026-12-02',"
                " 1, NULL, '2026-11-20T10:00:00+00:00')",
                (ref, ref, status),
            )
            connection.execute("INSERT INTO booking_room VALUES (?, 0, 'LOFT', 'FLEX', 1)", (ref,))
            connection.execute("INSERT INTO booking_night VALUES (?, 0, '2026-12-01', 1)", (ref,))
    return path


def test_a_second_import_replaces_the_hotel_under_its_bookings(folder: Path, tmp_path: Path) -> None:
    import_hotel(folder, tmp_path)
    path = book_loft(tmp_path)
    edit(folder, "rates.csv", ",560,", ",600,")
    assert import_hotel(folder, tmp_path).replaced
    assert ask(tmp_path, "2026-12-01", "2026-12-02", room_type="LOFT").reason == "sold_out"
    later = ask(tmp_path, "2026-12-02", "2026-12-03", room_type="LOFT", board="RO")
    assert [offer.total_agorot for offer in later.offers] == [600_00]
    with store.reading(path) as connection:
        assert connection.execute("SELECT ref FROM booking ORDER BY ref").fetchall() == [("R1",), ("R2",)]


def test_fewer_rooms_than_are_booked_are_refused(folder: Path, tmp_path: Path) -> None:
    import_hotel(folder, tmp_path)
    book_loft(tmp_path)
    edit(folder, "inventory.csv", ",2,0,no", ",1,0,no")
    edit(folder, "rates.csv", ",560,", ",600,")
    with pytest.raises(HotelImportError) as failed:
        import_hotel(folder, tmp_path)
    assert [str(problem) for problem in failed.value.problems] == [
        "inventory.csv, row 3, column rooms: '1', expected at least 2 rooms of LOFT on 2026-12-01: they are booked or held"
    ]
    later = ask(tmp_path, "2026-12-02", "2026-12-03", room_type="LOFT", board="RO")
    assert [offer.total_agorot for offer in later.offers] == [560_00]


def test_a_hold_that_ended_does_not_keep_an_import_from_having_fewer_rooms(folder: Path, tmp_path: Path) -> None:
    import_hotel(folder, tmp_path)
    path = book_loft(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE booking SET hold_until = '2026-01-01T00:00:00+00:00' WHERE status = 'hold'")
    edit(folder, "inventory.csv", ",2,0,no", ",1,0,no")

    assert import_hotel(folder, tmp_path).replaced
    assert ask(tmp_path, "2026-12-01", "2026-12-02", room_type="LOFT").reason == "sold_out"


@pytest.mark.parametrize("held_first", [True, False], ids=["held, then closed", "closed, then asked for"])
def test_an_import_that_stops_selling_a_night_leaves_held_rooms_to_their_guest(
    folder: Path, tmp_path: Path, held_first: bool
) -> None:
    import_hotel(folder, tmp_path)
    hotel = open_property("beit-haerez", data_dir=tmp_path)
    stay = QuoteQuery(check_in=date(2026, 12, 1), check_out=date(2026, 12, 2), adults=2, room_type="LOFT")
    quote = asyncio.run(hotel.quote(stay, today=TODAY))
    guest = Guest(name="Dana Levi", email="dana@example.com")

    def hold() -> None:
        asyncio.run(hotel.hold(quote.quote_id, guest, minutes=15, today=TODAY))

    if held_first:
        hold()
    edit(folder, "inventory.csv", ",2,0,no", ",2,0,yes")
    edit(folder, "rates.csv", ",560,", ",600,")
    import_hotel(folder, tmp_path)

    if held_first:
        hold()  # as before the write, after the yes
        booking = asyncio.run(open_property("beit-haerez", data_dir=tmp_path).book(quote.quote_id, guest, today=TODAY))
        assert booking.total_agorot == quote.total_agorot
    else:
        with pytest.raises(ToolRefusal) as refused:
            hold()
        assert refused.value.code == "not_on_sale"
    assert ask(tmp_path, "2026-12-01", "2026-12-02", room_type="LOFT").reason == "not_on_sale"


def test_a_broken_second_import_leaves_the_hotel_as_it_was(folder: Path, tmp_path: Path) -> None:
    path = import_hotel(folder, tmp_path).path
    assert path
    before = path.read_bytes()
    edit(folder, "rates.csv", ",420,", ",free,")
    with pytest.raises(HotelImportError):
        import_hotel(folder, tmp_path)
    assert path.read_bytes() == before


def test_a_file_of_another_version_or_kind_says_so(folder: Path, tmp_path: Path) -> None:
    path = import_hotel(folder, tmp_path).path
    with store.writing(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(SettingsError, match="imported by another version of wavegraph: import the hotel again"):
        open_property("beit-haerez", data_dir=tmp_path)
    import_hotel(folder, tmp_path)
    assert open_property("beit-haerez", data_dir=tmp_path).record.name == "Beit HaErez Guest House"
    (tmp_path / "hotels" / "letter.sqlite").write_text("Dear guest, " * 100)
    with pytest.raises(SettingsError, match=r"letter\.sqlite is not a property file"):
        open_property("letter", data_dir=tmp_path)


PRICES = [
    ("EUR", "12.345", "an amount in EUR with at most two decimals, e.g. 450 or 450.50"),
    ("EUR", "1.200", "an amount in EUR with at most two decimals, e.g. 450 or 450.50"),
    ("EUR", "450,50", "an amount in EUR with at most two decimals, e.g. 450 or 450.50"),
    ("JPY", "100.5", "a whole amount in JPY, e.g. 45000"),
    ("KWD", "45.5055", "an amount in KWD with at most three decimals, e.g. 45 or 45.500"),
]


@pytest.mark.parametrize(("currency", "price", "expected"), PRICES)
def test_a_price_has_the_decimals_of_its_currency(
    currency: str, price: str, expected: str, folder: Path, tmp_path: Path
) -> None:
    edit(folder, "hotel.json", '"currency": "ILS"', f'"currency": "{currency}"')
    edit(folder, "rates.csv", ",420,", f',"{price}",')
    with pytest.raises(HotelImportError) as failed:
        import_hotel(folder, tmp_path)
    assert list(map(str, failed.value.problems)) == [f"rates.csv, row 2, column price: {price!r}, expected {expected}"]


def test_prices_in_three_decimals_are_kept(folder: Path, tmp_path: Path) -> None:
    edit(folder, "hotel.json", '"currency": "ILS"', '"currency": "KWD"')
    edit(folder, "rates.csv", ",420,", ",42.505,")
    import_hotel(folder, tmp_path)
    offer, *_ = ask(tmp_path, "2027-01-18", "2027-01-19", room_type="GARDEN", board="RO").offers
    assert (offer.total_agorot, offer.currency) == (42_505, "KWD")


def test_a_broken_currency_is_the_only_problem_reported(folder: Path, tmp_path: Path) -> None:
    """Which decimals its amounts may have is not known then."""
    edit(folder, "hotel.json", '"currency": "ILS"', '"currency": "EURO"')
    edit(folder, "rates.csv", ",420,", ",42.505,")
    with pytest.raises(HotelImportError) as failed:
        import_hotel(folder, tmp_path)
    (problem,) = map(str, failed.value.problems)
    assert problem == "hotel.json, column currency: 'EURO', expected a currency code of ISO 4217, e.g. EUR"


def test_a_hotel_abroad_says_its_currency_and_zone(folder: Path, tmp_path: Path) -> None:
    hotel = {"property_id": "inn", "name": "Inn", "name_he": "פונדק", "country": "GR"}
    (folder / "hotel.json").write_text(json.dumps(hotel), encoding="utf-8")
    with pytest.raises(HotelImportError) as failed:
        import_hotel(folder, tmp_path)
    assert list(map(str, failed.value.problems)) == [
        "hotel.json, column currency: '', expected a currency code of ISO 4217, e.g. EUR",
        "hotel.json, column time_zone: '', expected a time zone name, e.g. Asia/Jerusalem",
    ]


WEEKENDS = [("IL", [3, 4]), ("KW", [3, 4]), ("GR", [4, 5]), ("US", [4, 5])]


@pytest.mark.parametrize(("country", "nights"), WEEKENDS)
def test_a_weekend_that_is_not_given_is_the_country_s(
    country: str, nights: list[int], folder: Path, tmp_path: Path
) -> None:
    hotel = {"property_id": "inn", "name": "Inn", "name_he": "פונדק", "country": country, "currency": "EUR",
             "time_zone": "Europe/Athens"}  # fmt: skip
    (folder / "hotel.json").write_text(json.dumps(hotel), encoding="utf-8")
    import_hotel(folder, tmp_path)
    record = open_property("inn", data_dir=tmp_path).record
    assert (record.weekend_nights, record.vat_bp) == (nights, 1800 if country == "IL" else 0)


@dataclass(frozen=True)
class Odd:
    """A change that can be imported and is hardly meant, and what is said about it."""

    id: str
    file: str
    old: str
    new: str
    warning: str


ODD = (
    Odd("an alias of no word", "rooms.csv", "ground floor|", "…|", "rooms.csv: the alias '…' of 'GARDEN' is never recognised"),
    Odd("a common alias", "rooms.csv", "ground floor|", "the room|", "rooms.csv: the alias 'the room' of 'GARDEN' is never recognised"),
    Odd("two rooms' alias", "rooms.csv", "ground floor|", "cottage|", "rooms.csv: the alias 'cottage' of 'GARDEN' names CABIN too"),
    Odd("two topics' alias", "info.csv", "dog|dogs", "garage|dogs",
        "info: the alias 'garage' of 'parking' is never recognised (it leads to 'pets')"),
    Odd("a room without rates", "rates.csv",
        "FLEX,CABIN,2026-11-01,2028-12-31,,980,150,90,0,\nFLEX,CABIN,2026-11-01,2028-12-31,thu-fri,1450,190,110,0,\n",
        "FLEX,CABIN,2027-12-01,2028-12-31,,980,150,90,0,\n",
        "rates.csv: 'CABIN' has no rates from 2027-04-28 to 2027-11-30, so it is not sold then"),
)  # fmt: skip


@pytest.mark.parametrize("case", ODD, ids=lambda case: case.id)
def test_what_is_hardly_meant_is_said(folder: Path, tmp_path: Path, case: Odd) -> None:
    edit(folder, case.file, case.old, case.new)
    assert any(each.startswith(case.warning) for each in import_hotel(folder, tmp_path).warnings)


def test_a_hotel_that_nobody_can_reach_is_said_and_the_example_has_nothing_odd(folder: Path, tmp_path: Path) -> None:
    assert import_hotel(folder, tmp_path).warnings == ()
    edit(folder, "hotel.json", '"phone": "+972-4-555-0177"', '"phone": ""')
    edit(folder, "hotel.json", '"email": "hello@beit-haerez.example"', '"email": ""')
    assert import_hotel(folder, tmp_path).warnings == ()  # its topic says how
    edit(folder, "info.csv", "contact,Contact,יצירת קשר", "towers,Towers,מגדלים")
    edit(folder, "info.csv", "phone|email|טלפון|מייל", "turrets")
    [warning] = import_hotel(folder, tmp_path).warnings
    assert warning.startswith("hotel.json: no phone and no email")


@pytest.mark.parametrize(
    ("currency", "expected"),
    [
        ("EUR", "an amount in EUR with at most two decimals, e.g. 450 or 450.50"),
        ("JPY", "a whole amount in JPY, e.g. 45000"),
        ("XXQ", "an amount, e.g. 450 or 450.50"),
    ],
)
def test_amounts_are_explained_in_the_hotels_currency_though_its_file_is_wrong(
    folder: Path, tmp_path: Path, currency: str, expected: str
) -> None:
    edit(folder, "hotel.json", '"currency": "ILS"', f'"currency": "{currency}"')
    edit(folder, "hotel.json", '"max_nights": 14', '"max_nights": 0')
    edit(folder, "rates.csv", ",420,", ",plenty,")
    with pytest.raises(HotelImportError) as caught:
        import_hotel(folder, tmp_path)
    assert [problem.expected for problem in caught.value.problems if problem.file == "rates.csv"] == [expected]


OWN_WORDS = (
    ("Do you do llama treks?", "llama trek"),
    ("can we go on an alpaca walk", "llama trek"),
    ("llama trek", "llama trek"),
    ("tell me about the llamas", "llama trek"),
    ("יש לאמות?", "llama trek"),
    ("Room for 2, January 18-20. Is there an alpaca walk?", "llama trek"),
    ("We are two friends who met on an alpaca walk, January 18-20", None),
    ("Is there parking?", "parking"),
)


@pytest.mark.parametrize(("said", "topic"), OWN_WORDS)
def test_own_topics_and_rooms_are_understood_in_the_first_message(
    folder: Path, tmp_path: Path, said: str, topic: str | None
) -> None:
    edit(
        folder, "info.csv", "parking,", "llama trek,Llamas,לאמות,,,,,At 09:00.,ב־09:00.,alpaca walk|lama tour\nparking,"
    )
    edit(folder, "rooms.csv", "cottage|", "yurt|hütte|")
    import_hotel(folder, tmp_path)
    profile = open_property("beit-haerez", data_dir=tmp_path).profile()
    assert [*read(said, today=TODAY, profile=profile).topics] == ([topic] if topic else [])
    for words in ("a yurt for two, January 18-20", "HUTTE jan 18-20", "die Hütte, January 18-20"):
        assert read(words, today=TODAY, profile=profile).wish.room_types == ("CABIN",)


def test_an_own_topic_that_no_call_is_for_is_noticed(folder: Path, tmp_path: Path) -> None:
    edit(folder, "info.csv", "parking,", "llama trek,Llamas,לאמות,,,,,At nine.,בתשע.,alpaca walk|lama tour\nparking,")
    import_hotel(folder, tmp_path)
    profile = open_property("beit-haerez", data_dir=tmp_path).profile()
    view = planning_view("Room for 2, January 18-20. Is there an alpaca walk?")
    stay = planned("free", "get_availability", check_in="2027-01-18")
    trek = planned("trek", "get_hotel_info", topic="llama trek")
    made: list[Any] = [{**plan_of(calls), "context": []} for calls in ([stay], [stay, trek])]
    assert [[words for words, _ in missed_topics(each, view, profile)] for each in made] == [["alpaca walk"], []]
