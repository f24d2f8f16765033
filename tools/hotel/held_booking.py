"""Holds a planned booking against what the request says of its guest: the whole name, how to be reached, what is to be noted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wavegraph.graph.views import Contradiction, PlanningView, ResolvedCall
from wavegraph.tools.hotel.dialogue.pending import BOOK
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.guest import GuestWords
from wavegraph.tools.hotel.reading.message import read


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
        if isinstance(note, str) and _is_no_wish(note, view, profile):
            yield Contradiction(call=call.id, about="wishes", said=None, planned={"notes": note})


def _left_out(args: Mapping[str, Any], guest: GuestWords) -> dict[str, str]:
    """What the words give of the guest, and the booking lacks; of the name all but its first word."""
    contacts = {"guest_email": guest.email, "guest_phone": guest.phone}
    missing = {name: said for name, said in contacts.items() if said and args.get(name) is None}
    given, name = guest.name or "", str(args.get("guest_name") or "")
    is_cut = given.casefold().startswith(f"{name.casefold()} ") and len(name.split()) == 1
    return {**({"guest_name": given} if is_cut else {}), **missing}


def _is_no_wish(note: str, view: PlanningView, profile: PropertyProfile) -> bool:
    """Whether other arguments hold all that a note says: who comes, and when."""
    said = read(note, today=view.today, profile=profile)
    of_the_stay = said.party.given or said.dates
    wishes = said.unread or said.unplaced or said.topics or said.wish.words or said.wish.wishes or said.wish.board
    return bool(of_the_stay) and not (wishes or said.note or said.party.babies or said.guest.given)
