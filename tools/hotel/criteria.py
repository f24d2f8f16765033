"""The criteria by which a judge rates a hotel's answer, by kind of request."""

from collections.abc import Mapping, Sequence

from wavegraph.graph.model.judge import GENERAL
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers.booking import TOOLS as BOOKING_TOOLS
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, loads
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.normalise import fold

CRITERIA: Mapping[str, str] = {
    "dates": "Each stay that the answer offers, prices or books is named by its dates with the days of the week, so that "
    "the guest sees which nights are meant.",
    "currency": "Every amount names its currency.",
    "alternatives": "Where what was asked for is full, what is free instead is offered with dates and prices, or the "
    "answer says that nothing near was found.",
    "price": "Where it is free, what was asked for has its price, for the whole stay and per night, with what it includes "
    "and whether it can be cancelled.",
    "comparison": "Both sides are answered, and which one is cheaper, or the only one free, is said.",
    "booking": "It is plain what was booked, found or cancelled, with the booking number and the terms; or that nothing "
    "was, and why, or what is needed first.",
}

KINDS: Mapping[str, Sequence[str]] = {
    "availability": ("dates", "currency", "alternatives"),
    "price": ("dates", "currency", "alternatives", "price"),
    "comparison": ("dates", "currency", "alternatives", "comparison"),
    "booking": ("dates", "currency", "alternatives", "booking"),
    GENERAL: (),
}

_STAY_TOOLS = frozenset({"get_availability", "find_open_stays", "quote_stay"})


def kind_of(view: AnswerView) -> str:
    """The kind of a request, by what was planned for it; questions about the property and small talk are general.

    The guest's words count too: a model may leave the slots empty.
    """
    tools = {call["tool"] for call in view.ledger["calls"].values()}
    if not tools.isdisjoint(BOOKING_TOOLS):
        return "booking"
    if not tools & _STAY_TOOLS:
        return GENERAL
    slots = loads(view.plan["slots"]) or HotelSlots()
    intents = read_intents(fold(view.request["text"]))
    if slots.want == "book":
        return "booking"
    if slots.want == "compare" or "compare" in intents:
        return "comparison"
    return "price" if slots.want == "cheapest" or slots.budget or intents & {"price", "cheapest"} else "availability"
