"""What the desk cannot do: one list, which the planning prompt, the replies' forms and the rules of the dialogue read."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Thing = Literal[
    "change_booking",
    "hold_room",
    "waiting_list",
    "upgrade",
    "discount",
    "promise_room",
    "some_nights",
    "large_group",
    "arrange",
    "pass_on",
    "complaint",
    "take_card",
    "others_data",
    "without_number",
    "nothing_booked",
    "earlier_talk",
    "reason",
    "past_price",
    "convert",
]


class Limit(NamedTuple):
    """One thing that the desk cannot do."""

    when: str
    """What guests ask for, as a planner is told."""
    reception: bool = True
    """Whether the people at reception can help: then they are named with it."""
    intent: str = ""
    """What the rules call a message that asks for it; empty = they do not read it."""


CANNOT: Mapping[Thing, Limit] = {
    "change_booking": Limit("other dates, guests, names or rooms for a booking"),
    "hold_room": Limit("a room kept but not booked", intent="to_hold"),
    "waiting_list": Limit("a word when a room becomes free"),
    "upgrade": Limit("a better room for the same price"),
    "discount": Limit("a lower price, a voucher, points"),
    "promise_room": Limit("a certain number, floor, view, place, bed or neighbour for sure"),
    "some_nights": Limit("other guests or meals on some nights", intent="some_nights"),
    "large_group": Limit("more than 60 adults or 20 rooms", intent="group"),
    "arrange": Limit("a taxi, a table, a treatment, flowers"),
    "pass_on": Limit("a message, a call, papers, lost things, press, jobs", intent="for_reception"),
    "complaint": Limit("a complaint, a refund", intent="complaint"),
    "take_card": Limit("card details given here", reception=False),
    "others_data": Limit("who stays here, what others booked", reception=False, intent="privacy"),
    "without_number": Limit("a booking shown or cancelled without its number", intent="no_number"),
    "nothing_booked": Limit("a cancellation where nothing was booked", reception=False),
    "earlier_talk": Limit("what was said or offered elsewhere or before", intent="told_before"),
    "reason": Limit("why a price or a rule is as it is", intent="why"),
    "past_price": Limit("prices of past dates", intent="past_price"),
    "convert": Limit("prices in another currency", reception=False),
}
BY_INTENT: Mapping[str, Thing] = {limit.intent: thing for thing, limit in CANNOT.items() if limit.intent}
