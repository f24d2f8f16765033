"""A hotel of the properties file on MiniHotel is the hotel that the file describes."""

from decimal import Decimal

from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.minihotel.connected import config_of

URL_CODE = "0123456789ABCDEF0123456789ABCDEF/0f0e0d0c-0b0a-4908-8706-050403020100"


def test_all_that_the_file_says_arrives() -> None:
    entry = PropertyEntry.model_validate({
        "id": "haifa", "pms_type": "minihotel", "hotel_id": "seahotel", "rate_code": "WEB", "username_variable": "SEA_USER",
        "password_variable": "SEA_WORD", "host": "http://127.0.0.1:9", "pms_use_sandbox": False, "pms_url_code": URL_CODE, "writes": True,
        "name": "The Sea", "name_he": "הים", "country": "GR", "currency": "EUR", "time_zone": "Europe/Athens", "weekend": ["fri", "sun"],
        "child_ages": "3-15", "check_in": "14:00", "check_out": "10:00", "vat": "13", "max_nights": 14, "phone": "1", "email": "a@b.example",
        "links": {"spa": "https://sea.example/spa"},
    })  # fmt: skip
    config = config_of(entry)

    assert (config.use_sandbox, config.url_code, config.writes, config.vat) == (False, URL_CODE, True, Decimal(13))
    assert (config.check_in, config.check_out, config.links) == ("14:00", "10:00", {"spa": "https://sea.example/spa"})
    assert config.record == entry.record().model_copy(update={"booking_url": config.booking_page})


def test_what_the_file_leaves_out_is_the_same_on_both_sides() -> None:
    entry = PropertyEntry(id="haifa", pms_type="minihotel", hotel_id="seahotel", rate_code="WEB")
    assert config_of(entry).record == entry.record()
