"""Which stays of one length are available inside a window, and their lowest prices."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby

from wavegraph.tools.hotel.inventory.combinations import OfferPart
from wavegraph.tools.hotel.inventory.offers import find_ways
from wavegraph.tools.hotel.inventory.pricing import round_half_up
from wavegraph.tools.hotel.inventory.property_data import StayDates
from wavegraph.tools.hotel.inventory.search import StaySearch
from wavegraph.tools.hotel.records import OpenStay, OpenStaysQuery


def nearest_open_stays(search: StaySearch, query: OpenStaysQuery, first: date) -> list[OpenStay]:
    """Open stays that arrive from `first` on and depart by the window's end: nearest to `near` first, then cheapest.

    Stops at the first distance from `near` that fills the limit.
    """
    nights, near = query.nights, query.near or query.from_date
    found: list[OpenStay] = []
    for _, arrivals in groupby(_arrivals(first, query.to_date, nights, near), key=lambda day: abs((day - near).days)):
        stays = [
            stay for day in arrivals if (stay := cheapest_stay(search, StayDates(day, day + timedelta(days=nights))))
        ]
        found += sorted(stays, key=lambda stay: (stay.from_agorot, stay.check_in))
        if len(found) >= query.limit:
            break
    return found[: query.limit]


def _arrivals(first: date, last: date, nights: int, near: date) -> Iterator[date]:
    days = range((last - first).days - nights + 1)
    yield from sorted((first + timedelta(days=n) for n in days), key=lambda day: (abs((day - near).days), day))


def cheapest_stay(search: StaySearch, stay: StayDates) -> OpenStay | None:
    """The cheapest way to accommodate the party, on any plan; None if there is none."""
    on_sale = search.market(stay)
    parts = find_ways(search, on_sale, 1).cheapest
    if not parts:
        return None
    cost = sum(part.cost for part in parts)
    return OpenStay(
        check_in=stay.check_in,
        check_out=stay.check_out,
        nights=stay.nights,
        from_agorot=cost,
        per_night_agorot=round_half_up(cost, stay.nights),
        room_type="+".join(part.product.room.code for part in parts),
        room_name=_named(parts, [part.product.room.name for part in parts]),
        room_name_he=_named(parts, [part.product.room.name_he for part in parts]),
        rate_plan="+".join(dict.fromkeys(part.product.plan.code for part in parts)),
        board=parts[0].product.plan.board,
        refundable=all(part.product.refundable for part in parts),
        cancel_until=min((day for part in parts if (day := part.product.cancel_until)), default=None),
        currency=search.currency,
    )


def _named(parts: Sequence[OfferPart], names: Sequence[str]) -> str:
    """`2 × Double Room + Family Suite`."""
    counts = [len(part.split) for part in parts]
    return " + ".join(f"{count} × {name}" if count > 1 else name for count, name in zip(counts, names, strict=True))
