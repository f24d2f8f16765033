"""What a quote promises, and whether it is still valid. Pure: everything comes in as arguments."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.currency import written
from wavegraph.tools.hotel.inventory.combinations import OfferPart, Split
from wavegraph.tools.hotel.inventory.offers import availability, find_ways, offer
from wavegraph.tools.hotel.inventory.pricing import Guests, apply_factor, room_price, round_half_up
from wavegraph.tools.hotel.inventory.products import Product, market, plans_on_sale
from wavegraph.tools.hotel.inventory.property_data import PropertyData, StayDates, Window
from wavegraph.tools.hotel.inventory.restrictions import Block
from wavegraph.tools.hotel.inventory.search import StaySearch
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import Offer, Quote, QuoteQuery, RefusalCode

QuoteSplits = Sequence[Split]
"""The guests of every room, by part of the quote."""


def cheapest_parts(search: StaySearch, query: QuoteQuery) -> Sequence[OfferPart]:
    """The cheapest offer or combination that fits the query: with free cancellation where there is one, unless the query says otherwise.

    Raises `ToolRefusal` with the availability's reason if there is none, `bad_rate` for an unknown rate plan.
    """
    search = search if query.rate_plan is None else _with_plan(search, query.rate_plan)
    stay = StayDates(query.check_in, query.check_out)
    if parts := usual_parts(search, stay, query.terms):
        return parts
    raise _no_offer(search, query)


def usual_parts(search: StaySearch, stay: StayDates, terms: Sequence[bool | None] = (None,)) -> Sequence[OfferPart]:
    """The cheapest way, without a room for disabled guests where as many others are free; empty = there is none.

    `terms`: whether it can be cancelled, None = either; the first with any way decides.
    """
    parts = _cheapest(search, stay, terms)
    usual = [kind for kind in search.request.kinds if not is_accessible(kind.name)]
    if not usual or not any(is_accessible(part.product.room.name) for part in parts):
        return parts
    others = _cheapest(replace(search, request=replace(search.request, kinds=usual)), stay, terms)
    return others if others and _rooms(others) <= _rooms(parts) else parts


def _cheapest(search: StaySearch, stay: StayDates, terms: Sequence[bool | None]) -> Sequence[OfferPart]:
    on_sale = search.market(stay)
    for refundable in terms:
        fitting = tuple(each for each in on_sale.products if refundable in (None, each.refundable))
        if parts := find_ways(search, replace(on_sale, products=fitting), keep=1).cheapest:
            return parts
    return ()


def _rooms(parts: Sequence[OfferPart]) -> int:
    return sum(len(part.split) for part in parts)


def without_cancellation(search: StaySearch, query: QuoteQuery, parts: Sequence[OfferPart]) -> int | None:
    """What the same rooms and board cost without free cancellation, if that is less and nobody chose; else None."""
    if (
        query.refundable is not None
        or query.rate_plan is not None
        or not all(part.product.refundable for part in parts)
    ):
        return None
    known = {(part.product.room.code, part.product.plan.board) for part in parts}
    on_sale = search.market(StayDates(query.check_in, query.check_out))
    same = [each for each in on_sale.products if not each.refundable and (each.room.code, each.plan.board) in known]
    found = find_ways(search, replace(on_sale, products=tuple(same)), keep=1).cheapest
    rooms = sorted((part.product.room.code, len(part.split)) for part in parts)
    if not found or sorted((part.product.room.code, len(part.split)) for part in found) != rooms:
        return None
    cost = sum(part.cost for part in found)
    return cost if cost < sum(part.cost for part in parts) else None


def _with_plan(search: StaySearch, code: str) -> StaySearch:
    """The search, restricted to this rate plan."""
    known = plans_on_sale(search.property_data, None)
    plans = [plan for plan in known if plan.code.casefold() == code.strip().casefold()]
    if not plans:
        codes = ", ".join(plan.code for plan in known)
        raise ToolRefusal("bad_rate", f"no rate plan {code!r} in this hotel; its rate plans: {codes}")
    return replace(search, property_data=replace(search.property_data, plans=plans))


def _no_offer(search: StaySearch, query: QuoteQuery) -> ToolRefusal:
    found = availability(search, query)
    stay = f"{query.check_in} to {query.check_out}"
    if found.reason is None:
        kind = "with free cancellation" if query.refundable else "without free cancellation"
        return ToolRefusal("not_on_sale", f"nothing {kind} for {stay}; there are other offers")
    needs = f" (needs {found.reason_nights} nights)" if found.reason_nights else ""
    return ToolRefusal(found.reason, f"nothing for {stay}: {found.reason}{needs}")


def quote_of(
    parts: Sequence[OfferPart],
    query: QuoteQuery,
    *,
    quote_id: str,
    expires_at: datetime,
    currency: str,
    without_cancellation_agorot: int | None = None,
) -> Quote:
    offers = [offer(part, currency) for part in parts]
    total = sum(each.total_agorot for each in offers)
    deadlines = [each.cancel_until for each in offers]
    return Quote(
        quote_id=quote_id,
        check_in=query.check_in,
        check_out=query.check_out,
        nights=query.nights,
        adults=query.adults,
        children_ages=list(query.children_ages),
        rooms=sum(each.count for each in offers),
        parts=offers,
        total_agorot=total,
        per_night_agorot=round_half_up(total, query.nights),
        refundable=None not in deadlines,
        cancel_until=None if None in deadlines else min(filter(None, deadlines)),
        without_cancellation_agorot=without_cancellation_agorot,
        currency=currency,
        expires_at=expires_at,
    )


def check_again(property_data: PropertyData, window: Window, quote: Quote, splits: QuoteSplits, today: date) -> None:
    """Raise `ToolRefusal` unless the rooms of the quote are available on its terms.

    `price_changed` names the old and the new total, or the conditions; else the reason they are not sold, such as
    `sold_out`.
    """
    now = [
        _offered_now(property_data, window, quote, part, split, today)
        for part, split in zip(quote.parts, splits, strict=True)
    ]
    total, currency = sum(each.total_agorot for each in now), property_data.record.currency
    if (total, currency) != (quote.total_agorot, quote.currency):
        before = written(quote.total_agorot, quote.currency).removesuffix(f" {currency}")
        raise ToolRefusal(
            "price_changed",
            f"the price of quote {quote.quote_id} changed from "
            f"{before} to {written(total, currency)}; ask for a new quote",
        )
    if [each.cancel_until for each in now] != [each.cancel_until for each in quote.parts]:
        raise ToolRefusal(
            "price_changed", f"the cancellation terms of quote {quote.quote_id} changed; ask for a new quote"
        )


def _offered_now(
    property_data: PropertyData, window: Window, quote: Quote, part: Offer, split: Split, today: date
) -> Offer:
    product = _product_now(property_data, window, quote, part, today)
    if product.free < part.count:
        raise gone(quote, part.room_name, "sold_out")
    whole = sum(room_price(product.rate, product.room.base_occ, Guests(*guests)) for guests in split)
    return offer(OfferPart(product, split, apply_factor(whole, product.plan.nrf_bp)), quote.currency)


def _product_now(property_data: PropertyData, window: Window, quote: Quote, part: Offer, today: date) -> Product:
    room = property_data.room(part.room_type)
    plans = [plan for plan in property_data.plans if plan.code == part.rate_plan]
    if room is None or not plans:
        raise gone(quote, part.room_name, "not_on_sale")
    stay = StayDates(quote.check_in, quote.check_out)
    on_sale = market(replace(property_data, plans=plans), window, [room], stay, board=None, today=today)
    if not on_sale.products:
        block = on_sale.blocks.get(room.code, Block("not_on_sale"))
        raise gone(quote, part.room_name, block.code)
    return on_sale.products[0]


def gone(quote: Quote, room_name: str, code: RefusalCode) -> ToolRefusal:
    stay = f"{quote.check_in} to {quote.check_out}"
    return ToolRefusal(code, f"{room_name} of quote {quote.quote_id} is no longer available for {stay}: {code}")
