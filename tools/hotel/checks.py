"""What makes a result good: plain functions of typed results, registered by tool name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wavegraph.graph.domain import Check
from wavegraph.graph.state import Severity, ValidationIssue
from wavegraph.graph.views import ResolvedCall
from wavegraph.tools.hotel.property.guest_identity import as_reference
from wavegraph.tools.hotel.records import Availability, Booking, DateHint, HolidayDates, Offer, OpenStays, Quote
from wavegraph.tools.hotel.results import Dated
from wavegraph.tools.hotel.stay_arguments import AvailabilityArguments, QuoteArguments


def check_something_free(result: Availability, call: ResolvedCall) -> list[ValidationIssue]:
    """Nothing fits: a warning, since a full hotel is a fact; other dates are worth one search."""
    if result.ways:
        return []
    reason = result.reason or "sold_out"
    needs = f" (needs {result.reason_nights} nights)" if result.reason_nights else ""
    message = f"nothing for {result.check_in} to {result.check_out}: {reason}{needs}"
    return [_issue("no_availability", call, message, reason, expected="an offer", actual=reason)]


def check_offers_answer_the_call(result: Availability, call: ResolvedCall) -> list[ValidationIssue]:
    """Offers for other nights than asked for, or with prices that do not add up."""
    asked, found = _written(AvailabilityArguments.model_validate(call.args).query), _written(result)
    issues = [] if found == asked else [_unexpected(call, "stay_matches", str(asked), str(found))]
    return issues + [
        issue for way in result.ways for offer in way.parts for issue in _price_issues(offer, result.nights, call)
    ]


def _price_issues(offer: Offer, nights: int, call: ResolvedCall) -> list[ValidationIssue]:
    issues = []
    if offer.total_agorot <= 0:
        issues.append(_unexpected(call, "price_positive", "above 0", offer.total_agorot))
    if len(offer.nightly_agorot) != nights:
        issues.append(_unexpected(call, "one_price_a_night", nights, len(offer.nightly_agorot)))
    # Each night may be rounded by half a unit on its own; the stay is rounded once.
    elif abs(sum(offer.nightly_agorot) - offer.total_agorot) > nights * offer.count:
        issues.append(_unexpected(call, "nights_sum_to_total", sum(offer.nightly_agorot), offer.total_agorot))
    return issues


def check_dates_found(result: DateHint, call: ResolvedCall) -> list[ValidationIssue]:
    """A hint that resolves to no dates leaves the rest of the plan without any."""
    if result.stays:
        return []
    error = result.error or "unclear"
    return [_issue("missing_dates", call, result.message or f"no dates in {result.hint!r}", error, actual=error)]


def check_holiday_in_order(result: HolidayDates, call: ResolvedCall) -> list[ValidationIssue]:
    """A holiday that ends before it begins, or whose dates do not cover it, came from a broken calendar."""
    if result.check_in < result.check_out and len(result.dates) == result.nights + 1:
        return []
    return [_unexpected(call, "dates_cover_holiday", result.nights + 1, len(result.dates))]


def check_some_stay_open(result: OpenStays, call: ResolvedCall) -> list[ValidationIssue]:
    """No open stay of that length in the window."""
    if result.stays:
        return []
    message = f"no {result.nights} free nights between {result.from_date} and {result.to_date}"
    return [_issue("no_availability", call, message, "no_open_stay", expected="an open stay", actual=0)]


def check_quote_answers_the_call(result: Quote, call: ResolvedCall) -> list[ValidationIssue]:
    """A quote for another stay or party than asked for, or whose rooms do not add up, must not be approved."""
    issues = [
        _unexpected(call, rule, str(asked), str(found))
        for rule, asked, found in _asked_and_quoted(result, call.args)
        if asked != found
    ]
    if (parts := sum(part.total_agorot for part in result.parts)) != result.total_agorot:
        issues.append(_unexpected(call, "parts_sum_to_total", parts, result.total_agorot))
    return issues + [issue for part in result.parts for issue in _price_issues(part, result.nights, call)]


def _asked_and_quoted(quote: Quote, args: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    asked = QuoteArguments.model_validate(args).query
    yield "stay_matches", _written(asked), _written(quote)
    yield "party_matches", (asked.adults, asked.children_ages), (quote.adults, quote.children_ages)
    yield "rooms_match", asked.rooms or quote.rooms, sum(part.count for part in quote.parts)
    yield "nights_match", (quote.check_out - quote.check_in).days, quote.nights


def _written(stay: Dated) -> tuple[str, str]:
    return stay.check_in.isoformat(), stay.check_out.isoformat()


def check_booking_is_whole(result: Booking, call: ResolvedCall) -> list[ValidationIssue]:
    """A booking for somebody else, or without rooms, nights or price."""
    issues = []
    if (asked := call.args["guest_name"]) != result.guest_name:
        issues.append(_unexpected(call, "guest_matches", asked, result.guest_name))
    return issues + _booking_issues(result, call)


def check_booking_is_the_one_asked_for(result: Booking, call: ResolvedCall) -> list[ValidationIssue]:
    """A look-up that gives another booking would show it to a stranger."""
    issues = []
    if (asked := as_reference(call.args["reference"])) != as_reference(result.reference):
        issues.append(_unexpected(call, "reference_matches", asked, result.reference))
    return issues + _booking_issues(result, call)


def check_booking_is_cancelled(result: Booking, call: ResolvedCall) -> list[ValidationIssue]:
    """After a cancellation the booking is cancelled, for a fee of at most its price, if its terms are known."""
    issues = []
    if result.status != "cancelled":
        issues.append(_unexpected(call, "status_cancelled", "cancelled", result.status))
    terms_are_known = not result.refundable or result.cancel_until is not None
    if result.fee_agorot is None and not terms_are_known:
        return issues
    if result.fee_agorot is None or not 0 <= result.fee_agorot <= result.total_agorot:
        issues.append(_unexpected(call, "fee_within_total", f"0 to {result.total_agorot}", result.fee_agorot))
    return issues


def _booking_issues(booking: Booking, call: ResolvedCall) -> list[ValidationIssue]:
    issues = []
    if booking.total_agorot <= 0:
        issues.append(_unexpected(call, "price_positive", "above 0", booking.total_agorot))
    if (nights := (booking.check_out - booking.check_in).days) != booking.nights or nights < 1:
        issues.append(_unexpected(call, "nights_match", nights, booking.nights))
    if not booking.rooms:
        issues.append(_unexpected(call, "some_room", "at least one room", 0))
    return issues


def _issue(
    kind: str, call: ResolvedCall, message: str, rule: str, severity: Severity = "warning", **facts: Any
) -> ValidationIssue:
    return {"type": kind, "tool_id": call.id, "message": message, "severity": severity, "rule": rule, **facts}  # type: ignore[typeddict-item]


def _unexpected(call: ResolvedCall, rule: str, expected: Any, actual: Any) -> ValidationIssue:
    message = f"{call.tool}: {rule.replace('_', ' ')}: expected {expected}, got {actual}"
    return _issue("unexpected_data", call, message, rule, "critical", expected=expected, actual=actual)


CHECKS: Mapping[str, Sequence[Check]] = {
    "get_availability": [check_something_free, check_offers_answer_the_call],
    "resolve_date_hint": [check_dates_found],
    "get_holiday": [check_holiday_in_order],
    "find_open_stays": [check_some_stay_open],
    "quote_stay": [check_quote_answers_the_call],
    "create_booking": [check_booking_is_whole],
    "get_booking": [check_booking_is_the_one_asked_for],
    "cancel_booking": [check_booking_is_the_one_asked_for, check_booking_is_cancelled],
}
