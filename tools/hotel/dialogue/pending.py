"""What is under way in a conversation: the pending or finished booking or cancellation, and the rooms offered."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wavegraph.graph.ledger import GOOD, WRITE_UNKNOWN, outcome_of, results
from wavegraph.graph.references.paths import as_reference, as_text, follow, text_with
from wavegraph.graph.state import Asked, Ledger, PastRequest, ToolCall
from wavegraph.tools.hotel.dialogue.slots import BookingSlot, GuestSlot, HotelSlots, StaySlot
from wavegraph.tools.hotel.reading.followup import Pick
from wavegraph.tools.hotel.reading.guest import may_be_name, surname
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import Availability, Booking, Offer, QuotedStay, by_room
from wavegraph.tools.hotel.results import UNCONFIRMED, asked_ends, end_of_write, opened, records_of, stay_ends

BOOK, CANCEL = "create_booking", "cancel_booking"
ASKED, DONE = "asked", "done"


class PendingWrite(NamedTuple):
    """The write that waits for a yes, else that of the previous request, and its state."""

    tool: str
    args: dict[str, Any]
    """Without references."""
    state: str
    """`asked`: not answered yet; `done`; else how it ended."""
    booking: Booking | None = None
    """The booking, if `done`."""
    terms: Mapping[str, Any] | None = None
    """What the person is asked to agree to, if it still waits for that."""

    @property
    def asks(self) -> bool:
        """Whether the last answer asks for a yes to it."""
        return self.state in (ASKED, UNCONFIRMED)

    @property
    def may_have_happened(self) -> bool:
        return self.state in (UNCONFIRMED, WRITE_UNKNOWN)

    @property
    def stands(self) -> bool:
        """Whether a yes means this very write: the property executes it once, however often it is sent."""
        return self.state in (ASKED, DONE) or self.may_have_happened


def pending_write(previous: PastRequest | None, waiting: Sequence[Asked] = ()) -> PendingWrite | None:
    """The newest write that waits, however many requests ago it was planned; else the last write of the previous request,
    references resolved; None if there is none.

    Where it failed, the last plan may be one for want of another way, without it: how it ended, it ended all the same.
    """
    if waiting:
        asked = waiting[-1]
        return PendingWrite(asked["tool"], asked["args"], ASKED, terms=asked["terms"]["details"])
    if previous is None:
        return None
    ledger, planned = previous["ledger"], previous["plan"]["tools"] if previous["plan"] else []
    writes = [call for call in (*ledger["calls"].values(), *planned) if call["tool"] in (BOOK, CANCEL)]
    found = [(call, pending) for call in reversed(writes) if (pending := _pending(call, ledger))]
    return next((pending for call, pending in found if pending.state != ASKED or call in planned), None)


def _pending(write: ToolCall, ledger: Ledger) -> PendingWrite | None:
    try:
        args = {name: _resolved(value, ledger) for name, value in write["args"].items()}
    except (LookupError, ValueError):
        return None
    outcome = results(ledger).get(write["id"]) or next(
        (o for o in ledger["outcomes"].values() if o["tool"] == write["tool"] and o["args"] == args), None
    )
    if outcome is None:
        return PendingWrite(write["tool"], args, ASKED)
    if outcome["status"] in GOOD:
        return PendingWrite(write["tool"], args, DONE, opened(Booking, outcome["data"]))
    return PendingWrite(write["tool"], args, end_of_write(outcome))


def _resolved(value: Any, ledger: Ledger) -> Any:
    if (text := as_text(value)) is not None:
        return text_with(text, {name: _resolved(part, ledger) for name, part in text.values.items()})
    if (reference := as_reference(value)) is None:
        return value
    outcome = outcome_of(reference[0], ledger)
    if outcome is None or outcome["status"] not in GOOD:
        raise LookupError(reference[0])
    return follow(results(ledger)[reference[0]]["data"], reference[1])


def is_spoken_of(pending: PendingWrite, slots: HotelSlots) -> bool:
    """Whether the slots are of the booking that waits, and not of another stay that was asked about since."""
    if pending.terms is None or pending.tool != BOOK:
        return True
    quote = opened(QuotedStay, pending.terms["quote"])
    types, boards = ({getattr(part, name) for part in quote.parts} for name in ("room_type", "board"))
    return (
        [stay_ends(stay) for stay in slots.stays] == [stay_ends(quote)]
        and (slots.party_adults, sorted(slots.children_ages)) == (quote.adults, sorted(quote.children_ages))
        and types.issubset(slots.room_types or types)
        and boards <= {slots.board or quote.parts[0].board}
        and slots.refundable in (None, quote.refundable)
    )


def of_what_waits(pending: PendingWrite, slots: HotelSlots) -> HotelSlots:
    """The slots with the stay, the guests, the room and the terms of the booking that waits."""
    if is_spoken_of(pending, slots) or pending.terms is None:
        return slots
    quote, guest = opened(QuotedStay, pending.terms["quote"]), pending.terms["guest"]
    types, boards = ({getattr(part, name) for part in quote.parts} for name in ("room_type", "board"))
    asked = {
        "stays": [StaySlot(check_in=quote.check_in, check_out=quote.check_out, hint="")],
        "searches": [],
        "adults": quote.adults,
        "children_ages": [*quote.children_ages],
        "rooms": quote.rooms if quote.rooms > 1 else None,
        "room_types": [*types] if len(types) == 1 else [],
        "board": next(iter(boards)) if len(boards) == 1 else None,
        "refundable": None if quote.without_cancellation_agorot else quote.refundable,
        "chosen": True,
        "guest": GuestSlot.model_validate(guest),
        "notes": guest.get("notes"),
        "want": "book",
        "intent": "book",
    }
    return slots.model_copy(deep=True, update=asked)


def settled(before: HotelSlots | None, pending: PendingWrite | None) -> HotelSlots | None:
    """The earlier slots, updated by the outcome of the booking or cancellation: one that has ended asks nothing more."""
    if before is None or pending is None or pending.asks:
        return before
    before = before.model_copy(update={"intent": ""})
    if pending.booking is None:
        return before
    if pending.tool == CANCEL:
        return before.model_copy(update={"want": None, "booking": BookingSlot()})
    holder = pending.args.get("guest_email") or surname(pending.args["guest_name"])
    made = BookingSlot(reference=pending.booking.reference, holder=holder, made=True)
    return before.model_copy(update={"want": None, "booking": made, "notes": None})


def offers_given(previous: PastRequest | None, stays: Sequence[StaySlot]) -> list[Offer] | None:
    """That request's offers for this one stay; None = it gave none, or there are several stays."""
    if previous is None or len(stays) != 1:
        return None
    found = [a for a in records_of(Availability, previous["ledger"]) if stay_ends(a) == stay_ends(stays[0])]
    return found[-1].offers if found else None


def was_full(previous: PastRequest | None, stays: Sequence[StaySlot]) -> bool:
    """Whether that request found that this one stay, as asked for, is not to be had."""
    if previous is None or len(stays) != 1:
        return False
    asked = (each for each in results(previous["ledger"]).values() if each["tool"] == "quote_stay")
    refused = any(each["status"] not in GOOD and asked_ends(each["args"]) == stay_ends(stays[0]) for each in asked)
    return refused or offers_given(previous, stays) == []


def choosable(offers: Sequence[Offer], room_types: Sequence[str]) -> list[Offer]:
    """The offers without the rooms for disabled guests, unless one was asked for or nothing else is offered."""
    usual = [each for each in offers if each.room_type in room_types or not is_accessible(each.room_name)]
    return usual or list(offers)


def room_meant(pick: Pick | None, offers: Sequence[Offer]) -> str | None:
    """The room type that a guest picks by price among those offered."""
    rooms = [room[0] for room in by_room(offers)]
    place = {"cheapest": 0, "dearest": -1}.get(str(pick))
    return rooms[place].room_type if rooms and place is not None else None


def room_answered(words: str, offers: Sequence[Offer]) -> str | None:
    """The room type in a guest's short answer to which room to book: `the loft` for the Cedar Loft.

    None if it fits no room or several, or contains other words that may be a person's name.
    """
    spoken = _words(words)
    names = {room[0].room_type: _name_forms(room[0]) for room in by_room(offers)}
    common = {form for own in names.values() for form in own if sum(form in each for each in names.values()) > 1}
    meant = [room for room, own in names.items() if any(_forms(word) & (own - common) for word in spoken)]
    if len(meant) != 1:
        return None
    left = [word for word in spoken if not _forms(word) & names[meant[0]]]
    return None if any(may_be_name(word) for word in left) else meant[0]


def is_room_name(words: str, offers: Sequence[Offer]) -> bool:
    """Whether the words name an offered room, so that they are not a person's name."""
    return any(all(_forms(word) & _name_forms(room[0]) for word in _words(words)) for room in by_room(offers))


def _name_forms(room: Offer) -> set[str]:
    return {form for word in _words(f"{room.room_name} {room.room_name_he}") for form in _forms(word)}


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", fold(text))


def _forms(word: str) -> set[str]:
    """The word, and a Hebrew word also without its article or preposition."""
    return {word, re.sub(r"^[ולבהמש](?=[א-ת]{3})", "", word)}
