"""From what was understood to a plan: which calls, in which order, or which words instead."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.tools.hotel.dates import holiday, resolve
from wavegraph.tools.hotel.dialogue.pending import ASKED, BOOK, CANCEL, DONE, Matter
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.message import Reading
from wavegraph.tools.hotel.records import Offer
from wavegraph.tools.hotel.results import stay_args, stay_ends

MAX_CALLS = 10
MAX_ADULTS = 60
MAX_ROOMS = 20
FIXED_DATES = frozenset({"New Year's Eve"})
"""Named days that are a date by another name: no calendar has to be asked."""
MAX_TOPIC = 80
"""Longest question, in characters, that is put to the property as it stands."""
_QUESTION = (
    r"(?:who|what|which|where|when|how|is|are|do|does|can|could|may)\b|(?:מי|מה|איפה|מתי|איך|האם|אפשר|יש)(?![א-ת])"
)


class Decision(NamedTuple):
    """What to do about a message: the intent, the engine's action, and whether calls are made."""

    intent: str
    action: str
    """`availability`, `hotel_info`, `rooms`, `book`, `cancel`, `find`, `reply`; `clarify` and `refuse` are the engine's."""
    why: str
    again: bool = False
    """The write of the request before, as it was."""

    @property
    def speaks(self) -> bool:
        """Whether words alone answer it."""
        return self.action in ("clarify", "refuse", "reply")


class Context(NamedTuple):
    """What a decision may look at."""

    reading: Reading
    slots: HotelSlots
    before: HotelSlots | None
    matter: Matter | None = None
    """The booking or cancellation of the request before."""
    offers: Sequence[Offer] | None = None
    """What was shown for the stay; None = nothing."""
    currency: str = "ILS"
    """The property's."""

    @property
    def intents(self) -> frozenset[str]:
        return self.reading.intents

    @property
    def known_stays(self) -> bool:
        """Whether stays of an earlier message are still the subject."""
        return bool(self.before and self.before.stays)


def decide(context: Context) -> Decision:
    """The first rule that fits, in order of how much it must not be missed."""
    return next(decision for rule in _RULES if (decision := rule(context)) is not None)


def _orders(context: Context) -> Decision | None:
    reading = context.reading
    if reading.ordered and not (reading.stays or reading.topics or "lodging" in context.intents):
        return Decision("order", "refuse", "it orders the system about and asks the hotel nothing")
    return None


def _repeated(context: Context) -> Decision | None:
    """A yes to what was asked or is done already: the very same write, which the property does once."""
    matter, reading, said = context.matter, context.reading, context.intents
    if matter is None or not matter.stands or reading.topics or reading.change or said & {"another", "decline"}:
        return None
    if _broken_dates(context) or _party_limits(context):
        return None  # who or when cannot be: that is no yes to what was quoted
    if matter.tool == CANCEL:
        again = said & {"accept", "cancel"} and not reading.reference
        return Decision("cancel", "cancel", "the same cancellation again", again=True) if again else None
    agrees = "book" in said or ("accept" in said and not (matter.state == DONE and "thanks" in said))
    if reading.guest.unreadable or (reading.guest.name and not context.slots.guest.complete):
        return None  # for another guest, who is asked for first
    corrected = matter.state == ASKED and reading.guest.said
    if said & {"cancel", "modify", "find"} or not (agrees or corrected) or not _same_wish(context):
        return None
    return Decision("book", "book", "the same booking again: it is made once", again=True)


def _same_wish(context: Context) -> bool:
    """Whether stay, room and guests are still those of before."""
    now, before = context.slots, context.before
    names = ("stays", "party_adults", "children_ages", "rooms", "board", "refundable")
    if before is None or any(getattr(now, name) != getattr(before, name) for name in names):
        return False
    return not context.reading.wish.room_types or now.room_types == before.room_types


def _stopped(context: Context) -> Decision | None:
    """`Cancel` while a booking is still talked about: there is nothing to cancel yet."""
    asked = context.matter is not None and (context.matter.tool, context.matter.state) == (BOOK, ASKED)
    talked = context.before is not None and context.before.want == "book" and not context.slots.booking.reference
    exists = context.reading.reference or context.intents & {"find", "modify"}
    if "cancel" in context.intents and (asked or talked) and not exists and not context.reading.topics:
        return Decision("decline", "reply", "the guest drops the booking")
    return None


def _own_bookings(context: Context) -> Decision | None:
    """A booking that exists: shown or cancelled with its number and holder, changed by reception."""
    intent = _about_booking(context)
    if intent is None:
        return None
    booking = context.slots.booking
    if intent == "modify":
        if booking.reference:
            return Decision(intent, "hand_over", "bookings are changed by reception")
        return Decision(intent, "refuse", "a booking is touched only with its number and the guest's name")
    if not booking.reference:
        return Decision(intent, "refuse", "a booking is touched only with its number and the guest's name")
    if not booking.holder:
        return Decision(intent, "clarify", "whose booking it is was not said")
    return Decision(intent, intent, "number and name are given")


def _about_booking(context: Context) -> str | None:
    """`cancel`, `modify` or `find`; None where no existing booking is talked of."""
    reading, said = context.reading, context.intents
    asks_terms = "cancellation" in reading.topics and not (reading.reference or "find" in said)
    if "cancel" in said and not asks_terms:
        return "cancel"
    if "modify" in said:
        return "modify"
    want = context.before.want if context.before else None
    if want in ("cancel", "find") and not (reading.stays or reading.topics) and _holder_given(context):
        return want
    return "find" if "find" in said or reading.reference else None


def _holder_given(context: Context) -> bool:
    """Whether the message answers the question for a booking's number or holder."""
    before = context.before.booking if context.before else None
    return before is not None and before != context.slots.booking


def _private(context: Context) -> Decision | None:
    if "privacy" in context.intents and not (context.reading.stays and context.reading.party.said):
        return Decision("privacy", "refuse", "it asks for other guests' data")
    return None


def _elsewhere(context: Context) -> Decision | None:
    reading = context.reading
    if "elsewhere" in context.intents:
        return Decision("elsewhere", "refuse", "it is about another hotel")
    if "off_topic" in context.intents and not reading.topics and "lodging" not in context.intents:
        return Decision("off_topic", "refuse", "it is not about this hotel")
    return None


def _declined(context: Context) -> Decision | None:
    reading = context.reading
    goes_on = reading.dates or reading.topics or reading.changes_stay or reading.change or reading.guest.said
    if "decline" not in context.intents or goes_on:
        return None
    asked = context.matter and (context.matter.tool, context.matter.state) == (CANCEL, ASKED)
    if asked or context.slots.booking.made:
        return Decision("kept", "reply", "the booking stays as it is")
    return Decision("decline", "reply", "the guest declines")


def _broken_dates(context: Context) -> Decision | None:
    problems = context.slots.problems
    if not problems or context.reading.stays or context.reading.topics:
        return None
    hard = next((p for p in problems if p.error != "unclear"), None)
    if hard:
        return Decision("bad_dates", "refuse", f"dates {hard.words!r}: {hard.error}")
    return Decision("availability", "clarify", f"dates {problems[0].words!r} are unclear")


def _party_limits(context: Context) -> Decision | None:
    party, slots = context.reading.party, context.slots
    if context.reading.impossible:
        return Decision("bad_count", "refuse", f"{context.reading.impossible!r} is a number that cannot be")
    if party.no_adults or party.adults == 0:
        return Decision("no_adults", "refuse", "children cannot stay without an adult")
    if slots.party_adults > MAX_ADULTS or (slots.rooms or 1) > MAX_ROOMS:
        return Decision("group", "refuse", "a group this large is handled by reception")
    return None


def _dated(context: Context) -> Decision | None:
    reading = context.reading
    if reading.stays and (not reading.topics or _wants_room(context)):
        return Decision("availability", "availability", "a stay with dates")
    return None


def _wants_room(context: Context) -> bool:
    """Whether dates beside a question about the property are a stay, not the day of the question."""
    reading = context.reading
    if reading.changes_stay or context.intents & {"lodging", "price", "compare", "cheapest"}:
        return True
    return any(stay.nights_explicit and stay.nights > 1 for p in reading.dates for stay in p.resolution.stays)


def _moved(context: Context) -> Decision | None:
    if not context.reading.change or context.reading.topics:
        return None
    if context.known_stays:
        return Decision("availability", "availability", "the earlier stay, changed")
    return Decision("availability", "clarify", "no earlier stay to change")


def _booking(context: Context) -> Decision | None:
    """The guest wants to book: what is missing is asked for, then the offer is quoted and booked."""
    slots = context.slots
    if context.reading.topics or context.reading.change or not slots.stays or not _wants_booking(context):
        return None
    if slots.booking.made and _same_wish(context) and "another" not in context.intents:
        return Decision("find", "find", "it is booked already") if "book" in context.intents else None
    missing = missing_to_book(context)
    if _new_stay(context):
        at_once = not missing and ("book" in context.intents or not context.known_stays)
        return Decision("book", "book", "everything needed was said at once") if at_once else None
    if missing:
        return Decision("book", "clarify", f"to book, this is missing: {', '.join(missing)}")
    return Decision("book", "book", "stay, room and guest are known")


def _wants_booking(context: Context) -> bool:
    reading, said, before = context.reading, context.intents, context.before
    if "book" in said or ("accept" in said and context.known_stays and not reading.changes_stay):
        return True
    if context.known_stays and reading.guest.name and (reading.guest.email or reading.guest.phone):
        return "?" not in reading.text
    if before is None or before.want != "book" or said & {"price", "compare", "rooms_info"} or "?" in reading.text:
        return False
    wish = reading.wish
    details = (
        wish.room_types or wish.board or wish.refundable is not None or reading.pick or said & {"cheapest", "accept"}
    )
    return bool(
        details
        or context.slots.room_types != before.room_types
        or context.slots.guest != before.guest
        or _new_stay(context)
        or context.slots.chosen > before.chosen
    )


def _new_stay(context: Context) -> bool:
    """Whether the message names dates that are none of those talked of."""
    known = context.before.stays if context.before else []
    ends = {stay_ends(stay) for stay in known}
    return context.reading.stays and any(stay_ends(stay) not in ends for stay in context.slots.stays)


def missing_to_book(context: Context) -> list[str]:
    """What must still be said before a booking: `stay`, `room`, `name`, `contact`."""
    slots = context.slots
    checks = {
        "stay": len(slots.stays) == 1,
        "room": _room_settled(context),
        "name": slots.guest.name,
        "contact": slots.guest.email or slots.guest.phone,
    }
    return [name for name, known in checks.items() if not known]


def _room_settled(context: Context) -> bool:
    """Whether it is clear which room: one type, the cheapest, or no choice between types."""
    types = context.slots.room_types
    if len(types) == 1 or (context.slots.chosen and not types):
        return True
    if context.offers is None:
        return False
    return len({offer.room_type for offer in context.offers if not types or offer.room_type in types}) <= 1


def _chosen(context: Context) -> Decision | None:
    reading = context.reading
    if not context.known_stays or reading.topics:
        return None
    if reading.pick or ("cheapest" in context.intents and "rooms_info" not in context.intents):
        return Decision("availability", "availability", "one of the stays shown")
    return None


def _rooms(context: Context) -> Decision | None:
    reading = context.reading
    if (
        "rooms_info" not in context.intents
        or reading.wish.rooms
        or (context.known_stays and reading.wish.room_types and reading.follow_up)
    ):
        return None
    return Decision("rooms", "rooms", "a question about the rooms themselves")


def _same_stay(context: Context) -> Decision | None:
    reading = context.reading
    asks_again = reading.changes_stay or (context.intents & {"price", "compare", "lodging"} and not reading.topics)
    pointed = context.before is not None and context.slots.room_types != context.before.room_types
    if context.known_stays and (asks_again or (pointed and not reading.topics)):
        return Decision("availability", "availability", "the earlier stay, for other guests or rooms")
    return None


def _facts(context: Context) -> Decision | None:
    if context.reading.topics:
        return Decision("hotel_info", "hotel_info", "a question about the hotel")
    return None


def _about_hotel(context: Context) -> Decision | None:
    """A question about this property on something no reader knows: the property is asked in the guest's own words."""
    text = context.reading.text.strip()
    asks = "hotel" in context.intents and (text.endswith("?") or re.match(_QUESTION, text.lower()))
    strange = context.intents & {"lodging", "price", "book"} or context.reading.changes_stay or context.reading.dates
    if not asks or strange or "help" in context.intents or len(text) > MAX_TOPIC:
        return None
    context.slots.topics = [text.rstrip("?!. ")]
    return Decision("hotel_info", "hotel_info", "a question about the hotel, in the guest's own words")


def _undated(context: Context) -> Decision | None:
    asks = context.intents & {"wish", "lodging", "price", "cheapest", "compare", "book"}
    if asks or context.reading.changes_stay or context.reading.pick:
        return Decision("availability", "clarify", "a stay without dates")
    return None


def _small_talk(context: Context) -> Decision | None:
    for intent in ("thanks", "help", "greeting", "accept", "decline"):
        if intent in context.intents:
            return Decision(intent, "reply", "small talk")
    return None


def _unread(context: Context) -> Decision:
    return Decision("unread", "refuse", "nothing in it is about a stay here")


_RULES: tuple[Callable[[Context], Decision | None], ...] = (
    _orders,
    _repeated,
    _stopped,
    _own_bookings,
    _private,
    _elsewhere,
    _declined,
    _broken_dates,
    _party_limits,
    _booking,
    _dated,
    _moved,
    _chosen,
    _rooms,
    _same_stay,
    _facts,
    _about_hotel,
    _undated,
    _small_talk,
    _unread,
)


def planned_calls(
    decision: Decision, slots: HotelSlots, matter: Matter | None, *, today: date, profile: PropertyProfile
) -> list[ToolCall]:
    """The calls that answer it, calendar first, so that equal waves run side by side."""
    if decision.speaks:
        return []
    if decision.action in ("book", "cancel", "find"):
        return [_again(matter, slots)] if decision.again and matter else booking_calls(decision.action, slots)
    calls: list[ToolCall] = []
    if decision.action == "availability":
        calls += stay_calls(slots, today=today, profile=profile)
    if decision.action == "rooms" or (decision.action == "availability" and slots.rooms_too):
        calls.append(_rooms_call(slots))
    topics = list(slots.topics)
    if decision.action == "hand_over":
        topics.append("contact")
    calls += [_topic_call(topic) for topic in dict.fromkeys(topics)]
    return _distinct(calls)[:MAX_CALLS]


def booking_calls(action: str, slots: HotelSlots) -> list[ToolCall]:
    """A quote and the booking of it; or the one call about a booking that exists."""
    if action == "book":
        stay = slots.stays[0]
        dates = stay_args(*stay_ends(stay))
        terms = {} if slots.refundable is None else {"refundable": slots.refundable}
        create = {"quote_id": _ref("quote", "quote_id"), **guest_args(slots)}
        quote = _call("quote", "quote_stay", {**dates, **party_args(slots), **terms})
        return [quote, _call(BOOK, BOOK, create)]
    tool = CANCEL if action == "cancel" else "get_booking"
    return [_call(tool, tool, {"reference": slots.booking.reference, "surname_or_email": slots.booking.holder})]


def guest_args(slots: HotelSlots) -> dict[str, Any]:
    """Who books, as `create_booking` takes it."""
    return {f"guest_{name}": value for name, value in slots.guest.model_dump().items() if value}


def _again(matter: Matter, slots: HotelSlots) -> ToolCall:
    """The write as it was; while nobody has agreed yet, with the guest's corrections."""
    if (matter.tool, matter.state) != (BOOK, ASKED):
        return _call(matter.tool, matter.tool, matter.args)
    whole = slots.guest.complete
    kept = {name: value for name, value in matter.args.items() if not (whole and name.startswith("guest_"))}
    return _call(matter.tool, matter.tool, {**kept, **guest_args(slots)})


def stay_calls(slots: HotelSlots, *, today: date, profile: PropertyProfile) -> list[ToolCall]:
    """Calendar calls, then one availability call per stay; dates of holidays and weekends are references."""
    calendar: dict[str, ToolCall] = {}
    stays: list[dict[str, Any]] = []
    for stay in slots.stays:
        call, dates = _calendar(stay, calendar, today, profile)
        if call:
            calendar.setdefault(call["id"], call)
        stays.append(dates)
    checks = [
        _call(_numbered("check_availability", n), "get_availability", {**dates, **party_args(slots)})
        for n, dates in enumerate(stays, 1)
    ]
    return [*calendar.values(), *checks]


def party_args(slots: HotelSlots) -> dict[str, Any]:
    """Who and which room, as `get_availability` takes them; what was not asked for is left out."""
    args: dict[str, Any] = {"adults": slots.party_adults}
    if slots.children_ages:
        args["children_ages"] = list(slots.children_ages)
    if slots.rooms:
        args["rooms"] = slots.rooms
    if len(slots.room_types) == 1:
        args["room_type"] = slots.room_types[0]
    if slots.board:
        args["board"] = slots.board
    return args


def _calendar(
    stay: StaySlot, calendar: dict[str, ToolCall], today: date, profile: PropertyProfile
) -> tuple[ToolCall | None, dict[str, Any]]:
    """The calendar call that gives this stay's dates, and the arguments that refer to it.

    A stay whose words do not lead the calendar to the same dates is asked for by its dates.
    """
    if stay.holiday in FIXED_DATES:
        return None, stay_args(*stay_ends(stay))
    if stay.holiday and (args := _holiday_args(stay, today, profile)) is not None:
        call = _same_or_next(calendar, "get_holiday", args)
        return call, _holiday_references(call["id"], stay.part)
    named = stay.kind in ("holiday", "part", "weekend") or stay.holiday
    if named and _hint_gives(stay, today, profile):
        call = _same_or_next(calendar, "resolve_date_hint", {"hint": stay.hint})
        path = f"stays[{stay.index}]"
        return call, {side: _ref(call["id"], f"{path}.{side}") for side in ("check_in", "check_out")}
    return None, stay_args(*stay_ends(stay))


_CALENDAR_IDS = {"get_holiday": "get_holiday", "resolve_date_hint": "resolve_dates"}


def _same_or_next(calendar: dict[str, ToolCall], tool: str, args: dict[str, Any]) -> ToolCall:
    same = next((c for c in calendar.values() if c["tool"] == tool and c["args"] == args), None)
    count = sum(call["tool"] == tool for call in calendar.values())
    return same or _call(_numbered(_CALENDAR_IDS[tool], count + 1), tool, args)


def _holiday_args(stay: StaySlot, today: date, profile: PropertyProfile) -> dict[str, Any] | None:
    """Arguments for which `get_holiday` gives this stay's dates: without a year, or with it; None = neither."""
    name = stay.holiday or ""
    for args in (
        {"name": name},
        {"name": name, "year": stay.check_in.year},
        {"name": name, "year": stay.check_in.year - 1},
    ):
        found = holiday(name, today=today, **profile.customs, year=args.get("year"))  # type: ignore[arg-type]
        if found.stays and _part_of(found.stays[0].check_in, found.stays[0].nights, stay.part) == stay_ends(stay):
            return args
    return None


def _part_of(first: date, nights: int, part: tuple[int, int] | None) -> tuple[date, date] | None:
    days = [date.fromordinal(first.toordinal() + n) for n in range(nights + 1)]
    start, end = part or (0, -1)
    try:
        return days[start], days[end]
    except IndexError:
        return None


def _holiday_references(call_id: str, part: tuple[int, int] | None) -> dict[str, Any]:
    if part is None:
        return {"check_in": _ref(call_id, "check_in"), "check_out": _ref(call_id, "check_out")}
    start, end = part
    return {"check_in": _ref(call_id, f"dates[{start}]"), "check_out": _ref(call_id, f"dates[{end}]")}


def _hint_gives(stay: StaySlot, today: date, profile: PropertyProfile) -> bool:
    found = resolve(stay.hint, today=today, **profile.customs).stays if stay.hint else []
    return len(found) > stay.index and stay_ends(found[stay.index]) == stay_ends(stay)


def _rooms_call(slots: HotelSlots) -> ToolCall:
    args = {"room_type": slots.room_types[0]} if len(slots.room_types) == 1 else {}
    return _call("rooms_info", "get_rooms_info", args)


def _topic_call(topic: str) -> ToolCall:
    name = "_".join(re.findall(r"\w+", topic)[:4])
    return _call(f"hotel_info_{name}", "get_hotel_info", {"topic": topic})


def _call(call_id: str, tool: str, args: dict[str, Any]) -> ToolCall:
    return {"id": call_id, "tool": tool, "args": args}


def _ref(call_id: str, path: str) -> dict[str, Any]:
    return {"ref": {"call": call_id, "path": path}}


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}_{number}"


def _distinct(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """Calls without repetition: `next weekend or next weekend` is asked once."""
    seen: dict[str, ToolCall] = {}
    for call in calls:
        if not any(call["tool"] == other["tool"] and call["args"] == other["args"] for other in seen.values()):
            seen[call["id"]] = call
    return list(seen.values())


def result(decision: Decision, slots: HotelSlots, calls: list[ToolCall], reply: str | None) -> PlanningResult:
    """The plan as the engine takes it."""
    return {
        "status": "done",
        "action": decision.action if decision.action != "hand_over" else decision.intent,
        "reasoning": decision.why,
        "slots": slots.model_dump(mode="json"),
        "tools": calls,
        "reply": reply,
    }
