"""What guests learn beside rooms: times, how to reach the hotel, its pages, and the page to book on.

MiniHotel says nothing of the kind; all of it is configured.
"""

from datetime import date
from urllib.parse import urlencode

from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.records import Policy


def topics_of(config: MiniHotelConfig) -> list[Topic]:
    times = [
        Topic("check_in", "Check-in", "צ׳ק אין", f"Check-in is from {config.check_in}.", f"הצ׳ק אין החל מ־{config.check_in}.",
              ("checkin", "arrival time", "צק אין", "שעת הגעה", "שעת כניסה"), Policy(from_time=config.check_in)),
        Topic("check_out", "Check-out", "צ׳ק אאוט", f"Check-out is until {config.check_out}.",
              f"הצ׳ק אאוט עד {config.check_out}.", ("checkout", "departure time", "צק אאוט", "שעת עזיבה"),
              Policy(until_time=config.check_out)),
    ]  # fmt: skip
    reached = ", ".join(filter(None, (config.phone, config.email)))
    contact = [
        Topic("contact", "Contact", "יצירת קשר", f"Reception: {reached}.", f"קבלה: {reached}.", ("phone", "email"))
    ]
    pages = [
        Topic(name.casefold().replace(" ", "_"), name, name, f"More on this page: {link}", f"פרטים בעמוד: {link}")
        for name, link in config.links.items()
    ]
    return [*times, *(contact if reached else []), *pages]


def booking_link(
    config: MiniHotelConfig, check_in: date, check_out: date, guests: Guests, room_type: str | None = None
) -> str | None:
    """The page to book on, with the stay filled in; None if the hotel's part of the link is not configured."""
    if config.booking_page is None:
        return None
    stay = {
        "from": f"{check_in:%Y%m%d}",
        "to": f"{check_out:%Y%m%d}",
        "nAdults": guests.adults,
        "nChilds": guests.children,
        "nBabies": guests.babies,
        **({"roomType": room_type} if room_type else {}),
        "currency": config.currency,
        "language": "he-IL" if config.country == "IL" else "en-US",
    }
    return f"{config.booking_page}?{urlencode(stay)}"
