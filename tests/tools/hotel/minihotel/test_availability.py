"""What a hotel on MiniHotel sells for a stay, and why it sells nothing."""

from datetime import date
from typing import Any

from minihotel_vendor import TODAY, Opened, Vendor, ask

from wavegraph.tools.hotel.records import StayQuery

STAY = {"check_in": date(2026, 12, 6), "check_out": date(2026, 12, 8), "adults": 2}


def stay(**changed: Any) -> StayQuery:
    return StayQuery(**{**STAY, **changed})


def test_offers_come_from_the_prices_of_the_whole_stay(vendor: Vendor, opened: Opened) -> None:
    found = ask(opened(), lambda hotel: hotel.availability(stay(), today=TODAY))
    said = [(o.room_type, o.board, o.refundable, o.total_agorot, o.nightly_agorot, o.rooms_left) for o in found.offers]
    assert said == [
        ("DBL", "RO", True, 30000, [15000, 15000], 8),
        ("DBL", "BB", False, 31725, [15863, 15862], 8),
        ("DBL", "BB", True, 35250, [17625, 17625], 8),
        ("TRP", "BB", True, 50000, [25000, 25000], 2),
    ]
    assert (found.reason, found.refusals, found.currency, found.rooms) == (None, [], "ILS", 1)
    assert found.offers[0].room_name_he == "חדר זוגי"
