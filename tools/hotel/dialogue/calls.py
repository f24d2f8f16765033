"""From the next step to the plan: which calls in which order."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from wavegraph.graph.references.paths import reference
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.tools.hotel.dates import holiday, resolve
from wavegraph.tools.hotel.dialogue.next_step import NextStep
from wavegraph.tools.hotel.dialogue.pending import ASKED, BOOK, CANCEL, PendingWrite
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.topics import has
from wavegraph.tools.hotel.results import stay_args, stay_ends

MAX_CALLS = 10
FIXED_DATES = frozenset({"New Year's Eve"})
"""Named days that are a fixed date: no calendar call is needed."""
MOST_SHOWN, MOST_SEARCHED = 3, 15
"""Stays found in a period that are shown at first, and when the guest asks for the rest."""


def planned_calls(
    step: NextStep, slots: HotelSlots, pending: PendingWrite | None, *, today: date, profile: PropertyProfile
) -> list[ToolCall]:
    """The calls of the step, calendar calls first, so that calls of one kind run together."""
    if step.speaks:
        return []
    if step.action in ("book", "cancel", "find"):
        if step.again and pending:
            return [_again(pending, slots), *map(_topic_call, slots.topics)]
        own = [*slots.topics, *(["pets"] if slots.pets else [])]
        topics = own if step.action == "book" else [each for each in slots.topics if each not in _OF_A_BOOKING]
        return [*booking_calls(step.action, slots), *map(_topic_call, dict.fromkeys(topics))]
    calls: list[ToolCall] = []
    if step.action == "holiday":
        found = [_calendar(stay, {}, today, profile)[0] for stay in slots.holidays]
        calls += [call | {"id": _numbered(call["id"], n)} for n, call in enumerate(filter(None, found), 1)]
    if step.action == "availability":
        calls += search_calls(slots)
        calls += stay_calls(slots, today=today, profile=profile)
    asks_rooms = (step.action == "availability" and slots.rooms_too) or slots.room_facts
    if step.action == "rooms" or asks_rooms:
        calls.append(_rooms_call(slots, profile))
    topics = list(slots.topics)
    if step.action == "availability" and slots.pets:  # their rooms and price belong to every offer
        topics.append("pets")
    if step.action == "hand_over":
        topics.append("contact")
    calls += [_topic_call(topic) for topic in dict.fromkeys(topics)]
    return _distinct(calls)[:MAX_CALLS]


_OF_A_BOOKING = frozenset({"cancellation", "contact", "payment"})
"""Topics that a booking's own terms answer, where it is shown or cancelled."""


def booking_calls(action: str, slots: HotelSlots) -> list[ToolCall]:
    """A quote and its booking; or the one call about an existing booking."""
    if action == "book":
        stay = slots.stays[0]
        dates = stay_args(*stay_ends(stay))
        terms: dict[str, Any] = {} if slots.refundable is None else {"refundable": slots.refundable}
        terms |= {"order": "cheapest"} if slots.cheapest else {}
        create = {"quote_id": reference("quote", "quote_id"), **guest_args(slots)}
        quote = _call("quote", "quote_stay", {**dates, **party_args(slots, stay), **terms})
        return [quote, _call(BOOK, BOOK, create)]
    tool = CANCEL if action == "cancel" else "get_booking"
    return [_call(tool, tool, {"reference": slots.booking.reference, "surname_or_email": slots.booking.holder})]


def guest_args(slots: HotelSlots) -> dict[str, Any]:
    """Who books, and what is to be noted, as `create_booking` takes it."""
    given = {f"guest_{name}": value for name, value in slots.guest.model_dump().items()} | {"notes": slots.notes}
    return {name: value for name, value in given.items() if value}


def _again(pending: PendingWrite, slots: HotelSlots) -> ToolCall:
    """The same write; with the guest's corrections if it is not approved yet."""
    if (pending.tool, pending.state) != (BOOK, ASKED):
        return _call(pending.tool, pending.tool, pending.args)
    whole = slots.guest.complete
    kept = {name: value for name, value in pending.args.items() if not (whole and name.startswith("guest_"))}
    return _call(pending.tool, pending.tool, {**kept, **guest_args(slots)})


def stay_calls(slots: HotelSlots, *, today: date, profile: PropertyProfile) -> list[ToolCall]:
    """Calendar calls, then one availability call per stay; dates of holidays and weekends are references."""
    calendar: dict[str, ToolCall] = {}
    stays: list[dict[str, Any]] = []
    for stay in slots.stays:
        call, dates = _calendar(stay, calendar, today, profile)
        if call:
            calendar.setdefault(call["id"], call)
        stays.append(dates)
    wanted = [{**dates, **party_args(slots, stay)} for stay, dates in zip(slots.stays, stays, strict=True)]
    if slots.or_rooms and len(wanted) == 1:
        wanted = [wanted[0] | {"rooms": rooms} for rooms in (1, slots.or_rooms)]
    checks = [_call(_numbered("check_availability", n), "get_availability", args) for n, args in enumerate(wanted, 1)]
    return [*calendar.values(), *checks]


def search_calls(slots: HotelSlots) -> list[ToolCall]:
    """One call per period that is searched."""
    calls = []
    for n, each in enumerate(slots.searches, 1):
        window = {"from_date": each.from_date.isoformat(), "to_date": each.to_date.isoformat(), "nights": each.nights}
        wanted = {
            "arrive_on": each.arrive_on,
            "sleep_on": each.sleep_on,
            "order": "cheapest" if each.cheapest or slots.budget else None,
        }
        args = {**window, **party_args(slots), **{name: value for name, value in wanted.items() if value}}
        args["limit"] = MOST_SEARCHED if slots.rest else MOST_SHOWN
        calls.append(_call(_numbered("search_stays", n), "find_open_stays", args))
    return calls


def party_args(slots: HotelSlots, stay: StaySlot | None = None) -> dict[str, Any]:
    """Who and which room, as `get_availability` takes them; what was not asked for is left out."""
    adults, ages = (
        (stay.adults, stay.children_ages)
        if stay and stay.adults is not None
        else (slots.party_adults, slots.children_ages)
    )
    args: dict[str, Any] = {"adults": adults}
    if ages:
        args["children_ages"] = list(ages)
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

    A stay whose words would not resolve to the same dates is requested by its dates.
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
        return call, {side: reference(call["id"], f"{path}.{side}") for side in ("check_in", "check_out")}
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
        return {"check_in": reference(call_id, "check_in"), "check_out": reference(call_id, "check_out")}
    start, end = part
    return {"check_in": reference(call_id, f"dates[{start}]"), "check_out": reference(call_id, f"dates[{end}]")}


def _hint_gives(stay: StaySlot, today: date, profile: PropertyProfile) -> bool:
    found = resolve(stay.hint, today=today, **profile.customs).stays if stay.hint else []
    return len(found) > stay.index and stay_ends(found[stay.index]) == stay_ends(stay)


def _rooms_call(slots: HotelSlots, profile: PropertyProfile) -> ToolCall:
    """The room named, if it is the only one that the answer needs: of what it lacks, others are told."""
    [room, *others] = [*map(profile.room, slots.room_types), None]
    alone = room and not any(others) and all(has(room, topic) for topic in slots.room_facts)
    args = {"room_type": room.code} if room and alone else {}
    return _call("rooms_info", "get_rooms_info", args)


def _topic_call(topic: str) -> ToolCall:
    name = "_".join(re.findall(r"\w+", topic)[:4])
    return _call(f"hotel_info_{name}", "get_hotel_info", {"topic": topic})


def _call(call_id: str, tool: str, args: dict[str, Any]) -> ToolCall:
    return {"id": call_id, "tool": tool, "args": args}


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}_{number}"


def _distinct(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """Calls without repetition: `next weekend or next weekend` is asked once."""
    seen: dict[str, ToolCall] = {}
    for call in calls:
        if not any(call["tool"] == other["tool"] and call["args"] == other["args"] for other in seen.values()):
            seen[call["id"]] = call
    return list(seen.values())


def result(
    step: NextStep, slots: HotelSlots, calls: list[ToolCall], reply: str | None, *, to_book: bool = False
) -> PlanningResult:
    """The plan as the engine takes it. A booking that is wished for (`to_book`) and cannot be asked about yet asks for what
    it lacks, beside the rooms that are shown; so does what cannot change yet the one that waits: its old terms do not
    follow."""
    lacks = slots.amends or (step.action == "availability" and (to_book or step.intent == "book"))
    action = "clarify" if lacks and step.action != "decline" else step.action
    return {
        "status": "done",
        "action": action if action != "hand_over" else step.intent,
        "reasoning": step.why,
        "slots": slots.model_dump(mode="json"),
        "tools": calls,
        "reply": reply,
    }
