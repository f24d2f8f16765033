"""The part of an answer about bookings: the terms to agree to, what was booked or cancelled, or why not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wavegraph.graph.ledger import GOOD, NOT_AGREED, REJECTED, WRITE_UNKNOWN
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import ToolOutcome
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.call_results import CallResults, answered, narrowed
from wavegraph.tools.hotel.answers.facts import contact_line
from wavegraph.tools.hotel.answers.not_free import alternatives, refusal
from wavegraph.tools.hotel.answers.offers import price, short_offer, terms, way_name, why_not
from wavegraph.tools.hotel.answers.phrases import ages_told, bullets, guest_language, joined, party, reception, say
from wavegraph.tools.hotel.records import (
    ELSEWHERE,
    NO_STAY,
    Availability,
    Booking,
    Guest,
    Offer,
    Quote,
    QuotedStay,
)
from wavegraph.tools.hotel.results import UNCONFIRMED, asked_ends, code_of, end_of_write, opened, stay_ends

TOOLS = ("create_booking", "cancel_booking", "get_booking")
_DECIDED = frozenset({REJECTED, WRITE_UNKNOWN, UNCONFIRMED})
"""Ends of a booking after which nothing else is offered to be booked: it was refused by a person, or may have been made."""
HANDED_OVER = {"modify": "change_booking", "unknown": "write_unknown"}
"""What is said where reception has to go on, by intent."""
_NOT_BOOKED = {
    "price_changed": ("price_moved", "not_booked"),
    "no_guest": ("not_booked", "ask_name_and_contact"),
    "terms_moved": ("price_moved", "not_booked"),
    "quote_expired": ("offer_lapsed", "not_booked"),
    "not_found": ("offer_lapsed", "not_booked"),
    "sold_out": ("no_longer_free", "not_booked"),
    "past": ("stay_past", "not_booked"),
    "idempotency_conflict": ("other_guest",),
    ELSEWHERE: ("not_booked", "book_elsewhere"),
    "approval_impossible": ("not_booked", "cannot_ask"),
    WRITE_UNKNOWN: ("write_unknown_book",),
    UNCONFIRMED: ("unconfirmed_book",),
}
_NOT_CANCELLED = {
    "not_found": ("not_found",),
    "past": ("already_begun",),
    ELSEWHERE: ("not_cancelled", "cancel_elsewhere"),
    "approval_impossible": ("not_cancelled", "cannot_ask"),
    WRITE_UNKNOWN: ("write_unknown_cancel",),
    UNCONFIRMED: ("unconfirmed_cancel",),
}


def restate_booking(details: Mapping[str, Any], language: str) -> str:
    """The exact terms of a booking before it is made. `details`: `quote`, `guest`."""
    language = guest_language(language)
    quote, guest = opened(QuotedStay, details["quote"]), opened(Guest, details["guest"])
    lines = [
        date_text.stay(*stay_ends(quote), language),
        f"{_rooms(quote.parts, language)}, {_party(quote, language)}{ages_told(quote.children_ages, language)}",
        _total(quote, details, language),
        *_choice_of_terms(quote, language),
        _under(guest, language),
    ]
    if guest.notes:
        lines.append(say("guest_notes", language, notes=_on_one_line(guest.notes)))
    return "\n".join([say("restate_booking", language), *bullets(lines)])


def booked_before(details: Mapping[str, Any], language: str) -> str:
    """That the guest has booked these nights already; empty where not."""
    language, before = guest_language(language), details.get("booked_before")
    return say("booked_before", language, references=joined(before, language)) if before else ""


def brief_booking(details: Mapping[str, Any], language: str) -> str:
    """What would be booked, in a line."""
    language = guest_language(language)
    quote = opened(QuotedStay, details["quote"])
    cost = amount(quote.total_agorot, quote.currency, language)
    what = f"{_rooms(quote.parts, language)}; {date_text.stay(*stay_ends(quote), language)}; {cost}"
    return say("brief_booking", language, what=what)


def brief_cancellation(details: Mapping[str, Any], language: str) -> str:
    language = guest_language(language)
    return say("brief_cancellation", language, reference=details["booking"]["reference"])


def _total(quote: QuotedStay, details: Mapping[str, Any], language: str) -> str:
    """The price, with a word on VAT where the property charges it."""
    cost = price(quote, language, quote.nights)
    return cost if details.get("without_vat") else say("total", language, price=cost)


def restate_cancellation(details: Mapping[str, Any], language: str) -> str:
    """Which booking would be cancelled, and what that costs. `details`: `booking` with its `fee_agorot`."""
    language = guest_language(language)
    booking = opened(Booking, details["booking"])
    lines = [say("number", language, reference=booking.reference), *_booking_lines(booking, language, terms=False)]
    return "\n".join([say("restate_cancellation", language), *bullets(lines), _fee("fee_would_be", booking, language)])


def fee_of_cancellation(details: Mapping[str, Any], language: str) -> str:
    """What a cancellation that is asked about would cost, and why. `details`: as of `restate_cancellation`."""
    booking = opened(Booking, details["booking"])
    return f"{_fee('fee_would_be', booking, language)} {_terms(booking, language)}"


def price_of_booking(details: Mapping[str, Any], language: str) -> str:
    """What a booking that is asked about costs. `details`: as of `restate_booking`."""
    return f"{_total(opened(QuotedStay, details['quote']), details, language)}."


def booking_receipt(result: Any, language: str) -> tuple[str, str]:
    booking = opened(Booking, result)
    return booking.reference, _receipt("booked", booking, guest_language(language))


def cancellation_receipt(result: Any, language: str) -> tuple[str, str]:
    booking = opened(Booking, result)
    return booking.reference, _receipt("cancelled", booking, guest_language(language))


def _receipt(deed: str, booking: Booking, language: str) -> str:
    return say(f"{deed}_already" if booking.repeated else deed, language, reference=booking.reference)


def booking_part(results: CallResults) -> Iterator[str]:
    """The outcome of every booking, cancellation or look-up of this request."""
    for call_id in _quotes_in_vain(results) if results.waits else ():
        yield from _not_quoted(call_id, results)
        yield say("still_asked", results.language)
    for call_id, call in results.calls.items():
        stood_in_for = any(results.calls[name]["tool"] == call["tool"] for name in results.instead_of(call_id))
        if call["tool"] in TOOLS and not stood_in_for:
            if booking := results.good(call_id, Booking):
                yield from _done(call["tool"], booking, results.language)
            else:
                yield from _not_done(call_id, results.outcomes.get(call_id), results)


def _done(tool: str, booking: Booking, language: str) -> Iterator[str]:
    if tool == "create_booking":
        yield _receipt("booked", booking, language)
        yield from bullets(_booking_lines(booking, language))
        yield say("how_to_cancel", language, reference=booking.reference)
    elif tool == "cancel_booking":
        yield _receipt("cancelled", booking, language)
        yield _fee("fee", booking, language)
        yield from bullets(_booking_lines(booking, language, terms=False))
    else:
        yield say(f"found_{booking.status}", language, reference=booking.reference)
        yield from bullets(_booking_lines(booking, language))


def _booking_lines(booking: Booking, language: str, *, terms: bool = True) -> list[str]:
    return [
        date_text.stay(*stay_ends(booking), language),
        f"{way_name(booking.rooms, language)}, {_party(booking, language)}",
        price(booking, language, booking.nights),
        *([_terms(booking, language)] if terms and booking.status == "confirmed" else []),
        say("under", language, name=_on_one_line(booking.guest_name)),
    ]


def _not_done(call_id: str, outcome: ToolOutcome | None, results: CallResults) -> Iterator[str]:
    tool = results.calls[call_id]["tool"]
    if tool == "get_booking":
        key = _not_read(call_id, outcome, results)
        yield say(key, results.language, contact=reception(results.profile), **_which_booking(outcome))
    elif code_of(outcome) == REJECTED:
        yield from _declined(tool, outcome, results.language)
    elif outcome is None or outcome["status"] == "skipped":
        yield from _without_offer(call_id, results)
    elif tool == "create_booking":
        keys = _NOT_BOOKED.get(end_of_write(outcome), ("not_booked", "write_failed"))
        yield from _sentences(keys, outcome, results)
        if code_of(outcome) == ELSEWHERE:
            yield from _page(results)
        if code_of(outcome) == "sold_out" and results.slots.stays:
            yield from alternatives(call_id, stay_ends(results.slots.stays[0]), results)
    else:
        keys = _NOT_CANCELLED.get(end_of_write(outcome), ("not_cancelled", "write_failed"))
        yield from _sentences(keys, outcome, results)


def _not_read(call_id: str, outcome: ToolOutcome | None, results: CallResults) -> str:
    """Why a booking was not shown."""
    if outcome is None:
        return "read_stopped"
    if results.is_unresolved(call_id):
        return "unresolved"
    if results.is_out_of_time(call_id):
        return "out_of_time_plain"
    if code_of(outcome) == ELSEWHERE:
        return "read_elsewhere"
    return "not_found" if code_of(outcome) == "not_found" else "read_failed"


def _sentences(keys: Sequence[str], outcome: ToolOutcome, results: CallResults) -> Iterator[str]:
    values = {"contact": reception(results.profile), **_which_booking(outcome)}
    yield " ".join(say(key, results.language, **values) for key in keys)
    yield from contact_line(results)


def _which_booking(outcome: ToolOutcome | None) -> dict[str, str]:
    """The booking that a call was for, as the guest named it."""
    args = outcome["args"] if outcome else {}
    given = {"reference": args.get("reference", ""), "holder": args.get("surname_or_email", "")}
    return {name: _on_one_line(str(text)) for name, text in given.items()}


def _declined(tool: str, outcome: ToolOutcome | None, language: str) -> Iterator[str]:
    """A person's rejection, with the reason in that person's words."""
    message = outcome["error"]["message"] if outcome and outcome["error"] else ""
    reason = message.removeprefix(NOT_AGREED).removeprefix(": ").strip()
    keys = ["not_booked" if tool == "create_booking" else "not_cancelled"]
    yield " ".join([say(keys[0], language), *([say("reason_given", language, reason=reason)] if reason else [])])
    if tool == "create_booking":
        yield say("try_other", language)


def _without_offer(call_id: str, results: CallResults) -> Iterator[str]:
    """A write that never started: what became of the offer it waited for."""
    language = results.language
    tool = results.calls[call_id]["tool"]
    quotes = [name for name, _ in references(results.calls[call_id]["args"]) if name in results.calls]
    for name in quotes:
        yield from _not_quoted(name, results)
    if results.is_unresolved(call_id):
        yield say("unresolved_write", language)
    yield say("not_booked" if tool == "create_booking" else "not_cancelled", language)
    lacking = _who_books(results.calls[call_id]["args"]) if tool == "create_booking" else []
    if lacking and all(results.good(name, Quote) for name in quotes):
        yield say(f"ask_{'_and_'.join(lacking)}", language)


def _not_quoted(call_id: str, results: CallResults) -> Iterator[str]:
    """Why there is no offer, and what is free instead."""
    language, outcome = results.language, results.outcomes.get(call_id)
    wanted = asked_ends(outcome["args"]) if outcome else None
    if outcome and wanted and code_of(outcome) in NO_STAY:
        is_rate = code_of(outcome) == "not_on_sale" and outcome["args"].get("refundable")
        reason = (
            say("why_not_refundable", language)
            if is_rate
            else why_not(code_of(outcome), wanted, narrowed(call_id, results), language)
        )
        yield refusal(code_of(outcome), date_text.stay(*wanted, language), reason, call_id, results)
        yield from alternatives(call_id, wanted, results)
    elif code_of(outcome) == ELSEWHERE:
        yield from _elsewhere(results)
    elif outcome is not None and outcome["status"] not in GOOD and not results.is_unresolved(call_id):
        yield say("out_of_time_plain" if results.is_out_of_time(call_id) else "quote_failed", language)


def _quotes_in_vain(results: CallResults) -> list[str]:
    """Ids of the quotes that came to nothing, where no booking was planned behind one: another than that which waits."""
    is_booked = any(call["tool"] == "create_booking" for call in results.calls.values())
    return [name for name in results.quotes() if not (is_booked or results.good(name, Quote))]


def _who_books(args: Mapping[str, Any]) -> list[str]:
    """What a booking lacks of its guest: `name`, `contact`."""
    given = {"name": args.get("guest_name"), "contact": args.get("guest_email") or args.get("guest_phone")}
    return [name for name, value in given.items() if not value]


def _elsewhere(results: CallResults) -> Iterator[str]:
    """The system gives no binding offers either."""
    yield say("book_elsewhere", results.language)
    yield from _page(results)


def _page(results: CallResults) -> Iterator[str]:
    if page := results.profile.record.booking_url:
        yield say("link", results.language, link=page)


def next_to_book(results: CallResults) -> Iterator[str]:
    """What the guest can write next to book one of the offers; nothing beside a booking that was made, waits or was declined."""
    if _books(results):
        return
    stays = [stay for name in results.checks() if (stay := answered(name, results)) and stay.ways]
    if stays and not results.slots.unplaced:
        yield say("book_instead", results.language) if results.waits else _asked_to_book(stays, results)


def _books(results: CallResults) -> bool:
    """Whether a booking of this request was made or may have been, is still to be decided, or was declined."""
    names = [name for name, call in results.calls.items() if call["tool"] == "create_booking"]
    ended = (results.outcomes.get(name) for name in names)
    return any(each is None or each["status"] in GOOD or end_of_write(each) in _DECIDED for each in ended)


def _asked_to_book(stays: Sequence[Availability], results: CallResults) -> str:
    language, missing = results.language, _missing(stays, results)
    if missing in ([], ["room"]):
        return say("book_next_room" if missing else "book_next_ready", language)
    return say("book_next", language, what=joined([say(f"book_needs_{each}", language) for each in missing], language))


def _missing(stays: Sequence[Availability], results: CallResults) -> list[str]:
    """What the conversation does not hold yet: a room is settled where each stay was looked up for one kind. With which meals
    and terms is a model's guest's to say; the rules have a usual rate."""
    slots, guest = results.slots, results.slots.guest
    kinds = [{tuple(part.room_type for part in way.parts) for way in stay.ways} for stay in stays]
    is_settled = len(slots.room_types) == 1 or slots.chosen or all(len(each) <= 1 for each in kinds)
    has_rates = results.by_model and not slots.chosen and any(len(stay.ways) > 1 for stay in stays)
    is_missing = {
        "stay": len({stay_ends(stay) for stay in stays}) > 1,
        "room": not is_settled,
        "rate": is_settled and has_rates,
        "name": not guest.name,
        "contact": not (guest.email or guest.phone),
    }
    return [name for name, missing in is_missing.items() if missing]


def _rooms(parts: Sequence[Offer], language: str) -> str:
    """The rooms with their board; each with its own terms where these differ."""
    if len({terms(part, language) for part in parts}) == 1:
        return way_name(parts, language)
    return " + ".join(f"{short_offer(part, language)} ({terms(part, language)})" for part in parts)


def _party(stay: QuotedStay | Booking, language: str) -> str:
    return say("for_guests", language, party=party(stay.adults, stay.children_ages, language))


def _terms(stay: QuotedStay | Booking, language: str) -> str:
    if not stay.refundable:
        return say("terms_non_refundable", language)
    if not stay.cancel_until:
        return say("terms_refundable_open", language)
    return say("terms_refundable", language, day=date_text.full_day(stay.cancel_until, language))


def _choice_of_terms(quote: QuotedStay, language: str) -> Iterator[str]:
    """The cancellation terms; and what the rooms cost without, which the guest may choose instead."""
    yield _terms(quote, language)
    if quote.without_cancellation_agorot:
        key = "or_non_refundable" if quote.cancel_until else "or_non_refundable_terms"
        yield say(key, language, total=amount(quote.without_cancellation_agorot, quote.currency, language))


def _under(guest: Guest, language: str) -> str:
    contact = ", ".join(_on_one_line(each) for each in (guest.email, guest.phone) if each)
    name = _on_one_line(guest.name)
    return say("under_with", language, name=name, contact=contact) if contact else say("under", language, name=name)


_UNSEEN = re.compile("[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
"""Zero-width characters, and those that reverse the order of a line."""


def _on_one_line(text: str) -> str:
    """A guest's own text on one line, so that it cannot add a term or change how one reads."""
    return " ".join(_UNSEEN.sub("", text).split())


def _fee(key: str, booking: Booking, language: str) -> str:
    """`key` with the fee; `{key}_none` where there is none, `{key}_unknown` where it is not known, `{key}_whole`
    where it is all that the booking costs."""
    if booking.fee_agorot is None:
        return say(f"{key}_unknown", language)
    if not booking.fee_agorot:
        return say(f"{key}_none", language)
    whole = "_whole" if booking.fee_agorot == booking.total_agorot else ""
    return say(f"{key}{whole}", language, fee=amount(booking.fee_agorot, booking.currency, language))
