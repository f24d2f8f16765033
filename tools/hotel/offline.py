"""The hotel without a model: plans by grammar, answers by templates."""

from collections.abc import Sequence
from datetime import date

from langchain_core.messages import AnyMessage, HumanMessage

from wavegraph.graph.domain import AnswerView, PlanningView
from wavegraph.graph.ledger import GOOD, results
from wavegraph.graph.state import PlanningResult, Previous
from wavegraph.tools.hotel.answers.compose import compose
from wavegraph.tools.hotel.answers.money import cheapest
from wavegraph.tools.hotel.answers.replies import reply
from wavegraph.tools.hotel.planning import Context, Decision, decide, planned_calls, result
from wavegraph.tools.hotel.property import DEFAULT_PROPERTY
from wavegraph.tools.hotel.reading.reading import Reading, read
from wavegraph.tools.hotel.slots import HotelSlots, StaySlot, in_earlier_month, loads, understood

EARLIER_MESSAGES = 12
"""How far back a conversation is read again where its slots are not at hand."""


class HotelOffline:
    """Pure: the same view gives the same plan and the same answer."""

    def plan(self, view: PlanningView) -> PlanningResult:
        """A plan for the request; `clarify` with a question where it cannot be read."""
        country = view.settings.country
        before = earlier_slots(view)
        reading = read(view.request["text"], today=view.today, country=country)
        reading = in_earlier_month(reading, before, today=view.today, country=country)
        slots = understood(reading, before, country=country)
        if view.settings.property_id != DEFAULT_PROPERTY:
            slots.room_types = []  # the words are matched to the demo house's types; another house has its own
        decision = decide(Context(reading, slots, before))
        _settle(slots, decision, reading, view.previous)
        calls = planned_calls(decision, slots, today=view.today, country=country)
        words = reply(decision, slots, view.request["language"]) if decision.speaks else None
        return result(decision, slots, calls, words)

    def respond(self, view: AnswerView) -> str:
        """The answer in the guest's language, every figure taken from a result, a slot or the request."""
        return compose(view)


def earlier_slots(view: PlanningView) -> HotelSlots | None:
    """What was understood before: from the previous request, else from the conversation read again."""
    plan = view.previous["plan"] if view.previous else None
    if plan and plan["slots"]:
        return loads(plan["slots"])
    return _read_again(view.conversation[:-1], view.today, view.settings.country)


def _read_again(conversation: Sequence[AnyMessage], today: date, country: str) -> HotelSlots | None:
    slots: HotelSlots | None = None
    earlier = [message for message in conversation if isinstance(message, HumanMessage)]
    for message in earlier[-EARLIER_MESSAGES:]:
        reading = read(str(message.text), today=today, country=country)
        slots = understood(in_earlier_month(reading, slots, today=today, country=country), slots, country=country)
    return slots


def _settle(slots: HotelSlots, decision: Decision, reading: Reading, previous: Previous | None) -> None:
    """The last things a decision fixes: what is wanted, and which of the stays shown is meant."""
    slots.intent = decision.intent
    if decision.intent == "book" or (decision.action == "availability" and "book" in reading.intents):
        slots.want = "book"
    if not reading.pick or reading.dates or len(slots.stays) < 2 or decision.action not in ("availability", "book"):
        return
    if (chosen := _picked(slots.stays, reading.pick, previous)) is not None:
        slots.stays, slots.want = [chosen], slots.want if slots.want == "book" else None


def _picked(stays: Sequence[StaySlot], pick: str, previous: Previous | None) -> StaySlot | None:
    """The stay a guest points at; by price only where prices are known."""
    if pick in ("first", "second", "last"):
        return stays[{"first": 0, "second": 1, "last": -1}[pick]]
    prices = _prices(previous)
    known = [stay for stay in stays if (stay.check_in.isoformat(), stay.check_out.isoformat()) in prices]
    key = {(s.check_in, s.check_out): prices[s.check_in.isoformat(), s.check_out.isoformat()] for s in known}
    choose = max if pick == "dearest" else min
    return choose(known, key=lambda stay: key[stay.check_in, stay.check_out], default=None)


def _prices(previous: Previous | None) -> dict[tuple[str, str], int]:
    """Lowest total by stay, of the previous request."""
    found = results(previous["ledger"]).values() if previous else ()
    good = [o["data"] for o in found if o["tool"] == "get_availability" and o["status"] in GOOD]
    best = {(d["check_in"], d["check_out"]): cheapest([*d["offers"], *d["combinations"]]) for d in good}
    return {stay: offer["total_agorot"] for stay, offer in best.items() if offer}
