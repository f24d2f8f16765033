"""Holds a planned booking against what the request says of its guest: the whole name, how to be reached, what is to be noted."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wavegraph.graph.views import Contradiction, PlanningView, ResolvedCall
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dialogue.pending import BOOK, CANCEL, pending_write
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.guest import GuestWords
from wavegraph.tools.hotel.reading.language import is_foreign
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.verdict import takes_back

_OF_TERMS = re.compile(r"refundable|flexible|name$|rate$|ה?תעריף|גמיש|שם$|על$")
"""Words that are of the price's terms, or say whose booking it is."""
_OF_CANCELLING = re.compile(
    r"\bcan[csl]\w|\bcall\w*\b[^.?!\n]{0,30} off\b|\b(?:undo|scrap|annul|withdr[ae]w|give up|drop)|בטל|ביטול|[לנמ]ו?ותר(?![א-ת])|לא (?:באים|בא|באה|מגיע)"
)
"""Words with which a guest may ask to cancel, beside those that take anything back."""
_MAY_BE_WISHED = frozenset(
    words_of(
        "view balcony bed beds king queen twin late arrive arriving arrival early honeymoon נוף מרפסת מיטה מיטות מאוחר הגעה"
    )
)
"""Plain words beside a room by which a note may ask for something."""


def other_guest(calls: Sequence[ResolvedCall], view: PlanningView, profile: PropertyProfile) -> Iterator[Contradiction]:
    """Bookings under part of the name that the request gives, without an address or number of it, or with a note that
    says nothing but who comes and when."""
    planned = [call for call in calls if call.tool == BOOK and call.words]
    if not planned:
        return
    guest = read(view.request["text"], today=view.today, profile=profile).guest
    for call in planned:
        if left_out := _left_out(call.args, guest):
            own = {name: call.args.get(name) for name in left_out}
            yield Contradiction(call=call.id, about="guest", said=left_out, planned=own)
        note = call.args.get("notes")
        if isinstance(note, str) and _is_no_wish(note, str(call.args.get("guest_name") or ""), view, profile):
            yield Contradiction(call=call.id, about="wishes", said=None, planned={"notes": note})


def unasked_cancellations(
    calls: Sequence[ResolvedCall], aside: Sequence[str], talk: Sequence[ParsedMessage], view: PlanningView
) -> Iterator[Contradiction]:
    """Cancellations of which no word speaks, of those that they serve, of those `aside` that no call serves, or of the messages
    before; none where one waits for a yes."""
    *earlier, newest = talk
    pending = pending_write(view.previous, view.waiting)
    if (pending and pending.tool == CANCEL) or is_foreign(newest.text) or any(map(_spoke_of_cancelling, earlier)):
        return
    for call in calls:
        if not any(map(_speaks_of_cancelling, (call.words, *aside))):
            yield Contradiction(call=call.id, about="wishes", said=None, planned={"tool": CANCEL})


def _speaks_of_cancelling(words: str) -> bool:
    return bool(_OF_CANCELLING.search(fold(words))) or takes_back(fold(words))


def _spoke_of_cancelling(message: ParsedMessage) -> bool:
    """Not of the terms of a price."""
    return "cancel" in message.intents or (message.wish.refundable is None and _speaks_of_cancelling(message.text))


def _left_out(args: Mapping[str, Any], guest: GuestWords) -> dict[str, str]:
    """What the words give of the guest, and the booking lacks; of the name all but its first word."""
    contacts = {"guest_email": guest.email, "guest_phone": guest.phone}
    missing = {name: said for name, said in contacts.items() if said and args.get(name) is None}
    given, name = guest.name or "", str(args.get("guest_name") or "")
    is_cut = given.casefold().startswith(f"{name.casefold()} ") and len(name.split()) == 1
    return {**({"guest_name": given} if is_cut else {}), **missing}


def _is_no_wish(note: str, guest: str, view: PlanningView, profile: PropertyProfile) -> bool:
    """Whether other arguments hold all that a note says: who comes and when, the room, its price and terms, whose booking it is."""
    said, names = read(note, today=view.today, profile=profile), {*words_of(guest.casefold())}
    words = {*re.findall(r"[^\W\d_]+", note.casefold())}
    if words <= names:
        return True
    left = [word for word in said.unread if word not in names and not _OF_TERMS.match(word)]
    of_the_room = said.wish.room_types or said.wish.rooms or said.wish.refundable is not None or "book" in said.intents
    of_the_price = said.budget or "cheapest" in said.intents
    of_the_stay = said.party.given or said.dates or of_the_room or of_the_price
    called = {
        word for room in profile.rooms for name in (room.name, room.name_he) for word in words_of(name.casefold())
    }
    of_more = said.wish.words - called - {"room", "rooms"}
    wishes = left or said.unplaced or said.topics or of_more or said.wish.wishes or said.wish.board
    return bool(of_the_stay) and not (wishes or said.note or said.party.babies or words & _MAY_BE_WISHED)
