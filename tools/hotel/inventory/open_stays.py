"""Which stays of one length are available inside a window, and their lowest prices."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import TypeAlias

from wavegraph.tools.hotel.inventory.combinations import OfferPart
from wavegraph.tools.hotel.inventory.pricing import round_half_up
from wavegraph.tools.hotel.inventory.property_data import StayDates
from wavegraph.tools.hotel.inventory.search import StaySearch
from wavegraph.tools.hotel.records import WEEKDAYS, OpenStay, OpenStaysQuery

PartsOf: TypeAlias = Callable[[StaySearch, StayDates], Sequence[OfferPart]]
"""Finds the cheapest way to accommodate the party; empty = there is none."""


def open_stays(search: StaySearch, query: OpenStaysQuery, first: date, parts_of: PartsOf) -> tuple[list[OpenStay], int]:
    """Open stays that arrive from `first` on and depart by the window's end, and how many stays were looked at.

    Nearest to `near` first, then cheapest, up to the first distance that fills the limit; or the cheapest of them all.
    """
    near, found, looked = query.near or query.from_date, list[OpenStay](), 0
    for _, same_distance in groupby(arrivals(first, query, near), key=lambda day: abs((day - near).days)):
        stays = [StayDates(day, day + timedelta(days=query.nights)) for day in same_distance]
        looked += len(stays)
        open_ones = [stay for each in stays if (stay := _open_stay(parts_of(search, each), each, search.currency))]
        found += sorted(open_ones, key=_price)
        if len(found) >= query.limit and not query.order:
            break
    return (sorted(found, key=_price) if query.order else found)[: query.limit], looked


def _price(stay: OpenStay) -> tuple[int, date]:
    return stay.from_agorot, stay.check_in


def arrivals(first: date, query: OpenStaysQuery, near: date) -> Iterator[date]:
    """The days from `first` on when a stay of the window may begin, as far as weekdays go; nearest to `near` first."""
    days = range((query.to_date - first).days - query.nights + 1)
    fitting = (day for n in days if _fits(day := first + timedelta(days=n), query))
    yield from sorted(fitting, key=lambda day: (abs((day - near).days), day))


def _fits(arrival: date, query: OpenStaysQuery) -> bool:
    """Whether a stay begins and sleeps on the weekdays asked for."""
    slept = {WEEKDAYS[(arrival.weekday() + n) % 7] for n in range(query.nights)}
    begins = WEEKDAYS[arrival.weekday()] in (query.arrive_on or WEEKDAYS)
    return begins and slept <= set(query.sleep_on or WEEKDAYS)


def _open_stay(parts: Sequence[OfferPart], stay: StayDates, currency: str) -> OpenStay | None:
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
        currency=currency,
    )


def _named(parts: Sequence[OfferPart], names: Sequence[str]) -> str:
    """`2 × Double Room + Family Suite`."""
    counts = [len(part.split) for part in parts]
    return " + ".join(f"{count} × {name}" if count > 1 else name for count, name in zip(counts, names, strict=True))
