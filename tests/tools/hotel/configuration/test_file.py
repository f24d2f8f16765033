"""The properties file: what it may say, and what is said of what it may not."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.configuration.file import PROPERTIES, configured, properties_path, read_properties
from wavegraph.tools.hotel.property.importer import HotelImportError, import_hotel
from wavegraph.tools.hotel.property.port import known_properties, open_property

OWN_HOTEL = Path(__file__).parents[4] / "examples" / "own_hotel"
CODES = "0123456789ABCDEF0123456789ABCDEF/0f0e0d0c-0b0a-4908-8706-050403020100"
LINES = {"id": "'haifa'", "pms_type": "'minihotel'", "hotel_id": "'seahotel'", "rate_code": "'WEB'"}


def table(**lines: str) -> str:
    """One property as TOML; a value of "" leaves the key out."""
    given = {**LINES, **lines}
    return "\n".join(["[[property]]", *(f"{key} = {value}" for key, value in given.items() if value), ""])


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "properties.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def entry_of(folder: Path, **lines: str) -> PropertyEntry:
    found = read_properties(written(folder, table(**lines)))
    assert found.faults == []
    [entry] = found.entries.values()
    return entry


@dataclass(frozen=True)
class Read:
    key: str
    value: str
    """As TOML."""
    meant: Any
    others: dict[str, str] = field(default_factory=dict)


READ = [
    Read("hotel_id", "42", "42"),
    Read("hotel_id", "'007'", "007"),
    Read("pms_type", "'MiniHotel'", "minihotel"),
    Read("time_zone", "'Israel'", "Israel"),
    Read("weekend", "['fri', 'sat']", [4, 5]),
    Read("weekend", "'Friday-Saturday'", [4, 5]),
    Read("weekend", "'Sat – Sun'", [5, 6]),
    Read("weekend", "'thu to sat'", [3, 4, 5]),
    Read("weekend", "'sun-mon'", [0, 6]),
    Read("child_ages", "'0-2'", (0, 2)),
    Read("child_ages", "[3, 15]", (3, 15)),
    Read("check_in", "15:00:00", "15:00"),
    Read("check_in", "'7:30'", "07:30"),
    Read("vat", "'18%'", 1800),
    Read("vat", "17.5", 1750),
    Read("vat", "0", 0),
    Read("max_nights", "'14'", 14),
    Read("writes", "'no'", False),
    Read("pms_use_sandbox", "false", False),
    Read("country", "'il'", "IL"),
    Read("host", "'api.minihotel.cloud'", "https://api.minihotel.cloud"),
    Read("host", "'HTTPS://API.minihotel.cloud/'", "https://api.minihotel.cloud"),
    Read("host", "'http://127.0.0.1:8080'", "http://127.0.0.1:8080"),
    Read("host", "'http://[::1]:8080'", "http://[::1]:8080"),
    Read("pms_url_code", f"'{CODES}'", CODES),
    Read("pms_agency_channel_id", "'77'", 77, {"pms_type": "'ezgo'", "hotel_id": "5", "rate_code": ""}),
    Read("name", "'מלון הים'", "מלון הים"),
    Read("links", "{ spa = 'https://sea.example/spa' }", {"spa": "https://sea.example/spa"}),
]  # fmt: skip


@pytest.mark.parametrize("case", READ, ids=lambda case: f"{case.key} = {case.value}")
def test_a_value_is_read_as_people_write_it(case: Read, tmp_path: Path) -> None:
    assert getattr(entry_of(tmp_path, **case.others, **{case.key: case.value}), case.key) == case.meant


@dataclass(frozen=True)
class Refused:
    key: str
    value: str
    way_out: str
    """Part of what is said."""
    others: dict[str, str] = field(default_factory=dict)


REFUSED = [
    Refused("id", "'Haifa Sea'", "write 'haifa-sea'"),
    Refused("id", "'חיפה'", "such as 'haifa'"),
    Refused("id", "'../etc'", "write 'etc'"),
    Refused("id", "'sandbox'", "the demo hotel's own id"),
    Refused("id", "7", "in quotes"),
    Refused("pms_type", "'Opera'", "known: 'minihotel', 'ezgo'"),
    Refused("pms_type", "'minihotle'", "write 'minihotel'"),
    Refused("hotel_id", "''", "the id that the vendor gave the hotel"),
    Refused("hotel_id", "true", "the id that the vendor gave the hotel"),
    Refused("currency", "'nis'", "write 'ILS'"),
    Refused("currency", "'₪'", "write 'ILS'"),
    Refused("currency", "'eur'", "write 'EUR'"),
    Refused("currency", "'florins'", "such as 'ILS'"),
    Refused("time_zone", "'+02:00'", "does not know summer time"),
    Refused("time_zone", "'UTC+2'", "does not know summer time"),
    Refused("time_zone", "'Asia/Jeruslem'", "write 'Asia/Jerusalem'"),
    Refused("time_zone", "'Tel Aviv'", "write 'Asia/Tel_Aviv'"),
    Refused("time_zone", "'../../etc/passwd'", "not a time zone"),
    Refused("weekend", "[5, 6]", "write names"),
    Refused("weekend", "'56'", "write names"),
    Refused("weekend", "[]", "one to four nights"),
    Refused("weekend", "'Firday'", "write 'fri'"),
    Refused("child_ages", "'2'", "child_ages = '2-12'"),
    Refused("child_ages", "[12, 2]", "the younger first"),
    Refused("child_ages", "'0-40'", "ages from 0 to 17"),
    Refused("check_in", "'3pm'", "such as '15:00'"),
    Refused("check_out", "'24:00'", "such as '15:00'"),
    Refused("vat", "0.18", "write 18"),
    Refused("vat", "1800", "per cent from 0 to 50"),
    Refused("vat", "'eighteen'", "in per cent"),
    Refused("vat", "nan", "in per cent"),
    Refused("vat", "true", "in per cent"),
    Refused("vat", "17.123", "two decimals"),
    Refused("max_nights", "0", "greater than or equal to 1"),
    Refused("max_nights", "30", "minihotel takes at most 20 nights"),
    Refused("writes", "'perhaps'", "boolean"),
    Refused("country", "'Israel'", "two letters"),
    Refused("host", "'https://api.minihotel.cloud/gds'", "write 'https://api.minihotel.cloud'"),
    Refused("host", "'http://api.minihotel.cloud'", "write 'https://api.minihotel.cloud'"),
    Refused("host", "'http://localhost.evil.example'", "unencrypted"),
    Refused("host", "'ftp://api.minihotel.cloud'", "not a host"),
    Refused("host", "'api.minihotel.cloud:99999'", "port"),
    Refused("host", "'[::1'", "not a host"),
    Refused("host", r"'C:\hotels'", "port"),
    Refused("pms_url_code", f"'https://frame1.hotelpms.io/BookingFrameClient/hotel/{CODES}/book'", f"write '{CODES}'"),
    Refused("pms_url_code", "'seahotel'", "a slash"),
    Refused("links", "'https://sea.example'", "a table of names"),
    Refused("links", "{ spa = 'javascript:alert(1)' }", "begins with https://"),
    Refused("links", "{ spa = 'https://[x' }", "begins with https://"),
    Refused("rate_code", "", "write rate_code = 'WEB'"),
    Refused("rate_code", "7", "string"),
    Refused("password_variable", "", "write password_variable =", {"username_variable": "'MINI_USER'"}),
    Refused("currency", "", "'GR' gives no default", {"country": "'GR'", "time_zone": "'Europe/Athens'"}),
    Refused("pms_agency_channel_id", "", "write pms_agency_channel_id = 42", {"pms_type": "'ezgo'", "rate_code": ""}),
    Refused("pms_agency_channel_id", "77", "a setting of ezgo"),
    Refused("writes", "true", "a setting of minihotel",
            {"pms_type": "'ezgo'", "hotel_id": "5", "rate_code": "", "pms_agency_channel_id": "7"}),
    Refused("room_names", "['Suite']", "a table of codes and names", {"pms_type": "'ezgo'"}),
    Refused("room_names", "{ 101 = 'Suite' }", "a setting of ezgo"),
    Refused("currency", "'EUR'", "prices in ILS and USD alone",
            {"pms_type": "'ezgo'", "hotel_id": "5", "rate_code": "", "pms_agency_channel_id": "7"}),
    Refused("hotel_id", "'sea'", "have a number",
            {"pms_type": "'ezgo'", "rate_code": "", "pms_agency_channel_id": "7"}),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case.key} = {case.value}")
def test_a_wrong_value_is_named_with_file_table_and_way_out(case: Refused, tmp_path: Path) -> None:
    path = written(tmp_path, table(**case.others, **{case.key: case.value}))
    found = read_properties(path)

    assert found.entries == {}
    [fault] = found.faults
    assert fault.text.startswith(f"{path}, [[property]] 1")
    assert f", {case.key}" in fault.text
    assert case.way_out in fault.text


@pytest.mark.parametrize(
    ("key", "way_out"),
    [
        ("curency", "did you mean 'currency'?"),
        ("use_sandbox", "did you mean 'pms_use_sandbox'?"),
        ("url_code", "did you mean 'pms_url_code'?"),
        ("Weekend_Nights", "did you mean 'weekend'?"),
        ("timezone", "did you mean 'time_zone'?"),
        ("qqq", "known: id, pms_type, hotel_id"),
    ],
)
def test_a_mistyped_key_is_named_with_the_nearest_right_one(key: str, way_out: str, tmp_path: Path) -> None:
    [fault] = read_properties(written(tmp_path, table(**{key: "'x'"}))).faults
    assert f"'{key}': unknown key; {way_out}" in fault.text


@pytest.mark.parametrize(
    "line",
    [
        "password = 'hunter2-word'",
        "pasword = 'hunter2-word'",
        "pms_password = 'hunter2-word'",
        "api_key = 'hunter2-word'",
        "username = 'hunter2-word'",
        "password_variable = 'hunter2-word'",
        "username_variable = '$hunter2-word'",
        "password_variable = 'HUNTER2WORDHUNTER2WORD'",
        "host = 'https://clerk:hunter2-word@pms.example'",
        "host = 'clerk:hunter2-word@pms.example'",
        "links = { spa = 'https://clerk:hunter2-word@sea.example' }",
        "links = { token = 'hunter2-word' }",
        "phone = 'hunter2-wordx'",
        "auth = { password = 'hunter2-word' }",
    ],
)
def test_a_credential_in_the_file_is_refused_and_never_repeated(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_PASSWORD", "hunter2-wordx")
    found = read_properties(written(tmp_path, f"{table()}{line}\n"))

    assert found.entries == {}
    text = " ".join(fault.text for fault in found.faults)
    assert "hunter2" not in text.casefold()
    assert "take it out" in text or "write the host alone" in text


@pytest.mark.parametrize("name", ["$MINI_PASSWORD", "${MINI_PASSWORD}", "%MINI_PASSWORD%"])
def test_a_variable_is_named_without_a_sign(name: str, tmp_path: Path) -> None:
    lines = {"username_variable": "'MINI_USER'", "password_variable": f"'{name}'"}
    [fault] = read_properties(written(tmp_path, table(**lines))).faults
    assert "without '$'" in fault.text


@pytest.mark.parametrize(
    "raw",
    [b"\xef\xbb\xbf" + table().encode(), table().replace("\n", "\r\n").encode(), f"# מלון\n{table()}".encode()],
    ids=["byte order mark", "CRLF", "Hebrew"],
)
def test_a_file_of_any_editor_is_read(raw: bytes, tmp_path: Path) -> None:
    assert list(read_properties(written(tmp_path, raw)).entries) == ["haifa"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "lists no property; begin each with [[property]]"),
        (b"# nothing yet\r\n", "lists no property"),
        (table().encode("utf-16"), "not UTF-8"),
        (b"[property]\nid = 'haifa'\n", "write [[property]]"),
        (b"property = ['haifa']\n", "write [[property]]"),
        (b"[[properties]]\nid = 'haifa'\n", "unknown table or key 'properties'; properties begin with [[property]]"),
        (b"id = 'haifa'\n", "'id' stands above the first table; write [[property]] above it"),
        (b"[[property]]\nid = haifa\n", "at line 2"),
        (b'[[property]]\nname = "C:\\hotels"\n', "backslashes in single ones"),
        (b"[[property]]\nid = 'a'\nid = 'b'\n", "at line 3, column 9); a key stands once in its table"),
        ("[[property]]\nid = “haifa”\n".encode(), "straight quotes"),
        (b"[[property]]\nwrites = True\n", "are written true and false, in small letters"),
        (b"[[property]]\nwrites = no\n", "are written true and false, in small letters"),
        (b"[[property]]\nphone = 045550100\n", "text stands in quotes, also a telephone number"),
        (b"property:\n  - id: haifa\n", "Expected '=' after a key"),
        (b"#" * 1_000_001, "larger than 1000000 bytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_cannot_be_read_says_why(raw: bytes, told: str, tmp_path: Path) -> None:
    path = written(tmp_path, raw)
    found = read_properties(path)

    assert found.entries == {}
    [text] = found.whole_file_faults()
    assert str(path) in text
    assert told in text


def test_neither_a_folder_nor_two_files_nor_none_is_one(tmp_path: Path) -> None:
    endless = tmp_path / "endless"
    endless.symlink_to(endless)
    for path, told in [
        (tmp_path, "it is a folder; name the file in it"),
        (Path(f"{tmp_path}/a.toml:{tmp_path}/b.toml"), "Name one file"),
        (tmp_path / "none.toml", "there is no such file"),
        (endless, "symbolic links"),
    ]:
        [text] = read_properties(path).whole_file_faults()
        assert str(path) in text
        assert told in text


def test_one_faulty_table_leaves_the_others_usable(tmp_path: Path) -> None:
    found = read_properties(written(tmp_path, table(currency="'nis'") + table(id="'eilat'")))

    assert (list(found.entries), found.ids) == (["eilat"], ["eilat", "haifa"])
    with pytest.raises(SettingsError, match="write 'ILS'"):
        found.entry("haifa")
    assert found.entry("nowhere") is None


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    path = written(
        tmp_path, table(currency="'nis'", vat="'x'", password="'hunter2'") + table(id="'eilat'", hotel_id="")
    )
    found = read_properties(path).faults

    assert [(fault.property_id, fault.text.partition(", ")[2].split(",")[1].split()[0]) for fault in found] == [
        ("haifa", "password:"), ("haifa", "currency"), ("haifa", "vat"), ("eilat", "hotel_id:")]  # fmt: skip


def test_an_id_used_twice_is_an_error_for_both(tmp_path: Path) -> None:
    found = read_properties(written(tmp_path, table() + table(id="'eilat'") + table(hotel_id="'other'")))

    assert list(found.entries) == ["eilat"]
    assert "id 'haifa' is used by tables 1 and 3" in found.faults_of("haifa")[0]


def test_where_the_file_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert properties_path(tmp_path) == tmp_path / "properties.toml"
    assert configured(tmp_path).faults == ()  # there need not be one
    monkeypatch.setenv(PROPERTIES, str(tmp_path / "hotels.toml"))
    assert "there is no such file" in configured(tmp_path).whole_file_faults()[0]
    (tmp_path / "hotels.toml").write_text(table())
    assert list(configured(tmp_path).entries) == ["haifa"]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(PROPERTIES, "~/hotels.toml")
    assert list(configured(tmp_path).entries) == ["haifa"]
    monkeypatch.setenv(PROPERTIES, "~nobody-of-this-name/hotels.toml")
    assert "there is no such file" in configured(tmp_path).whole_file_faults()[0]


def test_a_listed_property_is_known_and_one_used_twice_is_refused(tmp_path: Path) -> None:
    import_hotel(OWN_HOTEL, tmp_path)
    written(tmp_path, table(currency="'nis'") + table(id="'beit-haerez'"))

    assert known_properties(tmp_path) == ["sandbox", "beit-haerez", "haifa"]
    with pytest.raises(SettingsError, match=r"'beit-haerez' is an imported hotel and stands in .* another id"):
        open_property("beit-haerez", data_dir=tmp_path)
    with pytest.raises(SettingsError, match=r"'haifa', currency = 'nis': .*write 'ILS'"):
        open_property("haifa", data_dir=tmp_path)


def test_a_hotel_whose_id_is_listed_is_not_imported(tmp_path: Path) -> None:
    path = written(tmp_path, table(id="'beit-haerez'"))
    with pytest.raises(HotelImportError) as refused:
        import_hotel(OWN_HOTEL, tmp_path)
    expected = f"hotel.json, row 1, column property_id: 'beit-haerez', expected an id that {path} does not list"
    assert [str(problem) for problem in refused.value.problems] == [expected]


def test_a_file_that_cannot_be_read_takes_no_local_hotel_away(tmp_path: Path) -> None:
    import_hotel(OWN_HOTEL, tmp_path)
    written(tmp_path, "[[property]")

    assert open_property("beit-haerez", data_dir=tmp_path).record.country == "IL"
    assert open_property(data_dir=tmp_path).record.property_id == "sandbox"
    with pytest.raises(SettingsError, match=r"unknown property_id 'haifa'.*it is not TOML"):
        open_property("haifa", data_dir=tmp_path)


def test_the_record_says_how_guests_are_read(tmp_path: Path) -> None:
    ezgo = {"pms_type": "'ezgo'", "hotel_id": "5", "rate_code": "", "pms_agency_channel_id": "7"}
    record = entry_of(tmp_path, country="'GR'", currency="'USD'", time_zone="'Europe/Athens'", **ezgo).record()

    assert (record.name, record.name_he, record.currency, record.vat_bp) == ("haifa", "haifa", "USD", 0)
    assert (record.weekend_nights, record.agency_channel_id, record.use_sandbox) == ([4, 5], 7, False)
    israeli = entry_of(tmp_path, child_ages="'3-15'").record()
    assert (israeli.weekend_nights, israeli.vat_bp, israeli.credentials_source) == ([3, 4], 1800, "haifa")
    assert (israeli.baby_max_age, israeli.child_max_age) == (2, 15)
