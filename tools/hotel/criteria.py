"""The criteria by which a judge rates a hotel's answer, by kind of request."""

from collections.abc import Mapping, Sequence

from wavegraph.graph.model.judge import GENERAL
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers.booking import TOOLS as BOOKING_TOOLS
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, loads
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.stay_arguments import LOOK_UPS

CRITERIA: Mapping[str, str] = {
    "alternatives": "of what is full, what is free instead with dates and prices, or that nothing near is",
    "price": "of what is free, the price for the stay and a night, what it includes, whether it can be cancelled",
    "comparison": "both sides, and which is cheaper or the only one free",
    "booking": "what was booked, found or cancelled, with number and terms; or why not, or what is needed first",
}

KINDS: Mapping[str, Sequence[str]] = {
    "availability": ("alternatives",),
    "price": ("alternatives", "price"),
    "comparison": ("alternatives", "comparison"),
    "booking": ("alternatives", "booking"),
    GENERAL: (),
}


def kind_of(view: AnswerView) -> str:
    """The kind of a request, by what was planned for it; questions about the property and small talk are general.

    The guest's words count too: a model may leave the slots empty.
    """
    tools = {call["tool"] for call in view.ledger["calls"].values()}
    if not tools.isdisjoint(BOOKING_TOOLS):
        return "booking"
    if not tools & LOOK_UPS:
        return GENERAL
    slots = loads(view.plan["slots"]) or HotelSlots()
    intents = read_intents(fold(view.request["text"]))
    if slots.want == "book":
        return "booking"
    if slots.want == "compare" or "compare" in intents:
        return "comparison"
    return "price" if slots.want == "cheapest" or slots.budget or intents & {"price", "cheapest"} else "availability"
