"""How a hotel on MiniHotel is configured: hosts, the booking page, and what is refused."""

from typing import Any

import pytest
from pydantic import ValidationError
from tables import table

from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig

URL_CODE = "0123456789ABCDEF0123456789ABCDEF/0f0e0d0c-0b0a-4908-8706-050403020100"
REAL = "https://frame1.hotelpms.io/BookingFrameClient/hotel/"


def config(**given: Any) -> MiniHotelConfig:
    return MiniHotelConfig(**{"id": "sea", "hotel_id": "seahotel", "rate_code": "ILS", **given})


@pytest.mark.parametrize(
    ("given", "ari", "content", "page"),
    [
        ({}, "https://sandbox.minihotel.cloud/gds", "https://sandbox.minihotel.cloud", None),
        ({"use_sandbox": False, "url_code": URL_CODE}, "https://api.minihotel.cloud/gds", "https://api2.minihotel.cloud",
         f"{REAL}{URL_CODE}/book/rooms"),
        ({"host": "http://127.0.0.1:8123/"}, "http://127.0.0.1:8123/gds", "http://127.0.0.1:8123", None),
        ({"host": "https://pms.example", "use_sandbox": False}, "https://pms.example/gds", "https://pms.example", None),
    ],
    ids=["the test host by default", "real hotels", "loopback", "another host"],
)  # fmt: skip
def test_each_kind_of_call_has_its_host(given: dict[str, Any], ari: str, content: str, page: str | None) -> None:
    made = config(**given)
    assert (made.ari_url, made.content_host, made.booking_page) == (ari, content, page)


@pytest.mark.parametrize("host", ["http://127.0.0.1:1", "http://localhost", "http://[::1]:8", "https://127.0.0.1"])
def test_loopback_is_known_as_such(host: str) -> None:
    assert config(host=host).on_loopback


@table(
    ("given", "named"),
    [
        ({"host": "http://pms.example"}, "https"),
        ({"host": "http://127.0.0.1.evil.example"}, "https"),
        ({"host": "http://localhost.evil.example"}, "https"),
        ({"host": "https://clerk:s3cret@pms.example"}, "without user"),
        ({"host": "ftp://127.0.0.1"}, "expected a host"),
        ({"host": "pms.example"}, "expected a host"),
        ({"url_code": "../../evil"}, "url_code"),
        ({"currency": "NIS"}, "ISO 4217"),
        ({"time_zone": "Asia/Jaffa"}, "no time zone"),
        ({"time_zone": "../../etc/passwd"}, "no time zone"),
        ({"child_ages": (12, 2)}, "youngest comes first"),
        ({"vat": "18.005"}, "vat"),
        ({"max_nights": 21}, "max_nights"),
        ({"check_in": "24:00"}, "check_in"),
        ({"links": {"spa": "javascript:alert(1)"}}, "links"),
        ({"id": "../sea"}, "id"),
        ({"password": "s3cret"}, "password"),
    ],
)
def test_what_cannot_be_right_is_refused_by_name(given: dict[str, Any], named: str) -> None:
    with pytest.raises(ValidationError) as refused:
        config(**given)
    assert named in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_the_record_says_how_guests_are_read() -> None:
    record = config(child_ages=(3, 15), vat="17.5", weekend=("fri", "sat"), currency="EUR", country="CY").record
    assert (record.baby_max_age, record.child_max_age, record.vat_bp, record.weekend_nights) == (2, 15, 1750, [4, 5])
    assert (record.pms_type, record.currency, record.credentials_source) == ("minihotel", "EUR", "sea")


def test_nothing_is_written_unless_it_is_switched_on() -> None:
    assert config().writes is False
