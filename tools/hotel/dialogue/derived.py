"""The slots of a request that a model planned: derived from its calls, its reply forms and the request's own words.

A model says nothing about what it understood but by the calls it plans. So what an answer tells of the request, such as
that nobody named a number of nights, stands in an argument or in the guest's words, and nowhere else.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, get_args

from langchain_core.messages import HumanMessage
from pydantic import ValidationError

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.ledger import results
from wavegraph.graph.references.paths import ELEMENT, as_reference, follow
from wavegraph.graph.request.serving import is_way_round, referred, words_served
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import PlanningView, ResolvedCall
from wavegraph.tools.hotel.calendar_dates import holiday_dates, resolved_hint
from wavegraph.tools.hotel.currency import minor
from wavegraph.tools.hotel.dates import DatePhrase, find_dates
from wavegraph.tools.hotel.dialogue.pending import BOOK, CANCEL, pending_write, settled
from wavegraph.tools.hotel.dialogue.slots import (
    GUESTS_AND_ROOMS,
    Assumed,
    BudgetSlot,
    HotelSlots,
    PartySlot,
    SearchSlot,
    StaySlot,
    Want,
    loads,
    slots_before,
)
from wavegraph.tools.hotel.dialogue.understanding import (
    UNDER_WAY,
    child_ages,
    stays_of,
    take_booking,
    take_guest,
)
from wavegraph.tools.hotel.inventory.room_names import rooms_called
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.amounts import is_number_said
from wavegraph.tools.hotel.reading.conversation import Conversation
from wavegraph.tools.hotel.reading.message import ParsedMessage, free_texts, read
from wavegraph.tools.hotel.reading.no_guest import no_guest
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW
from wavegraph.tools.hotel.records import DateHint, HolidayDates, adults_taken
from wavegraph.tools.hotel.results import Ends, asked_ends, stay_ends
from wavegraph.tools.hotel.stay_arguments import SEARCHES, STAYS, party_asked

KEPT = ("stays", "searches", *GUESTS_AND_ROOMS, "guest", "booking", "chosen")
"""What stays known through a request that asks for no stay."""

TO_BOOK = frozenset({"stay", "room", "name", "contact"})
"""What a guest is asked for who wants to book."""

Args = Mapping[str, Any]


def derived_slots(made: PlanningResult, view: PlanningView, profile: PropertyProfile) -> HotelSlots:
    """What the plan, and the plans before it in the same request, say of the guest's wish."""
    before = settled(slots_before(view), pending_write(view.previous)) or HotelSlots()
    message = read(view.request["text"], today=view.today, profile=profile, asks_name=before.lacks_name)
    plan = _Plan(made, view, profile)
    slots = HotelSlots(**{name: getattr(before, name) for name in KEPT})
    if plan.stays or plan.searches:
        _take_stays(slots, plan, message, before)
        _take_assumed(slots, plan, Conversation(message, view, profile))
        slots.budget = _budget(plan, message, before)
        slots.wishes = message.wish.wishes
        slots.intent = "availability"
    take_guest(slots, message, before)
    take_booking(slots, message, before)
    _take_given(slots, plan)
    if _is_of_a_booking(slots, plan):
        slots.guest = before.guest
    slots.want = _want(plan, message, before)
    if plan.asked & TO_BOOK:
        slots.intent = "book"
    slots.chosen = _is_chosen(slots, plan, message)
    return slots


def planned_calls(
    made: PlanningResult, view: PlanningView, profile: PropertyProfile, tool: str
) -> Iterator[ResolvedCall]:
    """A plan's calls of this tool, and those of the plans before it, with their dates as far as they are known."""
    yield from _Plan(made, view, profile).calls_of(frozenset({tool}))


@dataclass(frozen=True)
class _Plan:
    """A plan and the plans before it in the same request."""

    made: PlanningResult
    view: PlanningView
    profile: PropertyProfile

    @cached_property
    def _every(self) -> Sequence[ToolCall]:
        return [*self.view.ledger["calls"].values(), *self.made["tools"]]

    @cached_property
    def calls(self) -> Sequence[ToolCall]:
        """Those that were planned for what the guest asked: not in place of what came to nothing, nor what was looked up again."""
        ids = {call["id"] for call in self._every}
        ways = [call for call in self._every if call.get("instead_of") in ids and is_way_round(call, self.view)]
        again = {call.get("instead_of") for call in self._every if call not in ways}
        return [
            call for call in self._every if call["id"] not in again and "element_of" not in call and call not in ways
        ]

    @cached_property
    def tools(self) -> frozenset[str]:
        return frozenset(call["tool"] for call in self.calls)

    @cached_property
    def stays(self) -> Sequence[Args]:
        """The arguments of the calls for one stay."""
        return [*self._args_of(STAYS)]

    @cached_property
    def searches(self) -> Sequence[Args]:
        return [*self._args_of(SEARCHES)]

    @cached_property
    def asked(self) -> frozenset[str]:
        """What the guest is asked for, such as `name` or `reference`."""
        plans: Any = [self.view.plan or {}, self.made]
        forms = [form for plan in plans for form in plan.get("said") or ()]
        return frozenset(what for form in forms if form.get("say") == "ask" for what in form.get("what") or ())

    def of(self, *tools: str) -> Iterator[Args]:
        yield from self._args_of(frozenset(tools))

    def _args_of(self, tools: frozenset[str]) -> Iterator[Args]:
        yield from (call.args for call in self.calls_of(tools))

    def calls_of(self, tools: frozenset[str]) -> Iterator[ResolvedCall]:
        """The calls of these tools, their references resolved as far as the calendar or a result gives them; one for each
        element where a call is made for each."""
        for call in self.calls:
            if call["tool"] in tools:
                words = words_served(call, self.view.pieces)
                for element in self._elements(call):
                    args = {name: self._value(value, element) for name, value in call["args"].items()}
                    yield ResolvedCall(call["id"], call["tool"], args, words, referred(call))

    def _elements(self, call: ToolCall) -> Sequence[Any]:
        if not call.get("each"):
            return [None]
        found = self._value(call["each"], None)
        return found if isinstance(found, list) else []

    def _value(self, value: Any, element: Any) -> Any:
        """The value, or what its reference leads to; a reference as it is where that is not known yet."""
        if (reference := as_reference(value)) is None:
            return value
        name, path = reference
        try:
            return follow(element if name == ELEMENT else self._found(name), path)
        except (LookupError, ValueError, ToolRefusal):
            return value

    def _found(self, call_id: str) -> Any:
        """What a call found, or will find in the calendar."""
        call = next((call for call in self._every if call["id"] == call_id), None)
        if call and (calendar := _CALENDAR.get(call["tool"])):
            return calendar(call["args"], self.profile, self.view.today).model_dump(mode="json")
        return results(self.view.ledger)[call_id]["data"]

    @cached_property
    def named(self) -> Mapping[Ends, StaySlot]:
        """The stays that the plan's calendar calls name, by their dates."""
        slots = (slot for args in self.of("resolve_date_hint") for slot in self._of_hint(str(args.get("hint"))))
        return {**self._holidays, **_by_ends(slots)}

    @property
    def _holidays(self) -> dict[Ends, StaySlot]:
        """Every stay inside a holiday that was looked up bears its name."""
        found: dict[Ends, StaySlot] = {}
        for args in self.of("get_holiday"):
            try:
                holiday = _holiday(args, self.profile, self.view.today)
            except ToolRefusal:
                continue
            for ends in filter(None, map(asked_ends, self.stays)):
                if holiday.check_in <= ends[0] and ends[1] <= holiday.check_out:
                    kind = "holiday" if ends == stay_ends(holiday) else "part"
                    found[ends] = _slot(
                        ends, hint=str(args["name"]), kind=kind, label=holiday.name, holiday=holiday.name
                    )
        return found

    def _of_hint(self, hint: str) -> Iterator[StaySlot]:
        for index, stay in enumerate(resolved_hint(hint, self.profile, today=self.view.today).stays):
            more = {"nights_explicit": stay.nights_explicit, "note": stay.note, "index": index}
            yield _slot(stay_ends(stay), hint=hint, kind=stay.kind, label=stay.label, **more)
        phrases = find_dates(hint, today=self.view.today, **self.profile.customs)
        yield from (slot for phrase in phrases for slot in stays_of(phrase, None))


def _hint(args: Args, profile: PropertyProfile, today: date) -> DateHint:
    return resolved_hint(str(args.get("hint")), profile, today=today)


def _holiday(args: Args, profile: PropertyProfile, today: date) -> HolidayDates:
    year = args.get("year")
    return holiday_dates(str(args.get("name")), year if isinstance(year, int) else None, profile, today=today)


_CALENDAR: Mapping[str, Callable[[Args, PropertyProfile, date], DateHint | HolidayDates]] = {
    "resolve_date_hint": _hint,
    "get_holiday": _holiday,
}


def _slot(ends: Ends, *, hint: str = "", **more: Any) -> StaySlot:
    return StaySlot(check_in=ends[0], check_out=ends[1], hint=hint, **more)


def _by_ends(slots: Iterator[StaySlot]) -> dict[Ends, StaySlot]:
    return {stay_ends(slot): slot for slot in slots}


def _take_stays(slots: HotelSlots, plan: _Plan, message: ParsedMessage, before: HotelSlots) -> None:
    """The stays, who they are for, and which rooms. Dates have the words that the request, else a calendar call, else an
    earlier request has for them."""
    said = _by_ends(slot for phrase in _meant(message.dates) for slot in stays_of(phrase, None))
    named = {**_by_ends(iter(before.stays)), **plan.named, **said}
    every = [*plan.stays, *plan.searches]
    parties = {party for args in every if (party := party_asked(args)) is not None}
    rooms = {party.rooms for party in parties}
    one = next(iter(parties)) if len({party[:2] for party in parties}) == 1 else None
    stays = [_stay(ends, args, named, alone=one is not None) for args in plan.stays if (ends := asked_ends(args))]
    slots.stays = list({(*stay_ends(stay), stay.adults, *stay.children_ages): stay for stay in stays}.values())
    slots.searches = [search for args in plan.searches if (search := _search(args))]
    slots.adults = one.adults if one and any(args.get("adults") is not None for args in every) else None
    slots.children_ages = list(one.children_ages) if one else []
    slots.rooms = rooms.pop() if len(rooms) == 1 else None
    slots.room_types = list(dict.fromkeys(filter(None, (_room_type(args, plan.profile) for args in every))))
    boards = {args.get("board") for args in every}
    slots.board = boards.pop() if len(boards) == 1 else None
    slots.refundable = next((args["refundable"] for args in plan.stays if args.get("refundable") is not None), None)


def _room_type(args: Args, profile: PropertyProfile) -> str | None:
    """The code of the room type that a call asks for, in whatever words; None = of none, or of several. The words themselves
    where the property's rooms are not known here."""
    words = args.get("room_type")
    if not isinstance(words, str) or not profile.rooms:
        return words if isinstance(words, str) else None
    found = rooms_called(profile.rooms, words)
    return found[0].code if len(found) == 1 else None


def _meant(phrases: Sequence[DatePhrase]) -> Iterator[DatePhrase]:
    """Those that name a stay: not a period inside which other words name the nights, `December … 14 to 16 December`."""
    stays = [stay_ends(stay) for phrase in phrases if phrase.kind != "span" for stay in phrase.resolution.stays]
    for phrase in phrases:
        window = phrase.window if phrase.kind == "span" else None
        if not window or not any(window[0] <= ends[0] and ends[1] <= window[1] for ends in stays):
            yield phrase


def _stay(ends: Ends, args: Args, named: Mapping[Ends, StaySlot], *, alone: bool) -> StaySlot:
    """`alone`: whether all stays are for the same guests."""
    party = None if alone else party_asked(args)
    more = {"adults": party.adults if party else None, "children_ages": list(party.children_ages) if party else []}
    return (named.get(ends) or _slot(ends)).model_copy(update=more)


def _search(args: Args) -> SearchSlot | None:
    days = {name: args.get(name) or [] for name in ("arrive_on", "sleep_on")}
    try:
        return SearchSlot.model_validate({**args, **days, "cheapest": bool(args.get("order"))})
    except ValidationError:  # not known yet, or no search at all: the plan check says so
        return None


def _take_assumed(slots: HotelSlots, plan: _Plan, talk: Conversation) -> None:
    """What was taken for what the calls leave open, and what the guest's own words leave open beside them."""
    looked = [guests for args in [*plan.stays, *plan.searches] if (guests := _guests(args, talk))]
    found = {name for guests in looked for name in guests.assumed}
    has_ages, newest = any(guests.children_ages for guests in looked), talk.newest
    if newest.party.uncounted and not has_ages and not newest.left_out & {"children", "babies"}:
        found.add("uncounted")
    slots.assumed = [name for name in get_args(Assumed) if name in found]
    parties = {(guests.adults, *guests.children_ages) for guests in looked}
    slots.apart = looked if len(parties) > 1 else []


def _guests(args: Args, talk: Conversation) -> PartySlot | None:
    """Whom a call is for, and what of it was taken for granted; None = its arguments do not say so yet."""
    if (party := party_asked(args)) is None:
        return None
    ages, said, one_room = args.get("children_ages") or [], talk.newest.party, (party.rooms or 1) < 2
    left_open = args.get("adults") is None and not talk.adults(party.adults)
    uncounted = left_open or (party.adults == adults_taken(party.rooms) and talk.counts_nobody)
    found: dict[Assumed, bool] = {
        "adults": uncounted and one_room,
        "adults_per_room": uncounted and not one_room,
        "family": said.family and bool(ages),
        "child_ages": None in ages,
        "baby_ages": "baby_ages" in child_ages(said)[1] and any(age is not None and age < BABY_BELOW for age in ages),
        "nights": _lacks_nights(args, talk),
    }
    return PartySlot(
        dates=asked_ends(args) or _window(args),
        adults=party.adults,
        children_ages=list(party.children_ages),
        assumed=[name for name, is_taken in found.items() if is_taken],
    )


def _window(args: Args) -> Ends | None:
    search = _search(args)
    return (search.from_date, search.to_date) if search else None


def _lacks_nights(args: Args, talk: Conversation) -> bool:
    """Whether neither the call nor the guest's words for its arrival have a length."""
    if args.get("check_out") is not None or (ends := asked_ends(args)) is None:
        return False
    said = (stay for message in talk for phrase in message.dates for stay in phrase.resolution.stays)
    return not any(stay.nights_explicit and stay.check_in == ends[0] for stay in said)


def _budget(plan: _Plan, message: ParsedMessage, before: HotelSlots) -> BudgetSlot | None:
    """The guest's limit, if it is one figure in all calls that have one, and stands in the guest's words: no other price is
    told as theirs."""
    own = plan.profile.currency
    given = {
        (args["max_price"], args.get("per"), args.get("currency"))
        for args in [*plan.stays, *plan.searches]
        if isinstance(args.get("max_price"), int | float)
    }
    if len(given) != 1:
        return None
    figure, per, currency = given.pop()
    amount = minor(Decimal(str(figure)), currency or own)
    budget = BudgetSlot(amount_agorot=amount, per=per or "stay", currency=currency)
    read_now = BudgetSlot(**message.budget._asdict()) if message.budget else None
    known = next((slot for slot in (read_now, before.budget) if slot and slot.amount_agorot == amount), None)
    if known:  # what no word says is read as of the stay
        return known if per in (None, "stay") else known.model_copy(update={"per": per})
    return budget if _is_price_said(figure, plan) else None


def _is_price_said(figure: float, plan: _Plan) -> bool:
    said = [str(message.text) for message in plan.view.conversation if isinstance(message, HumanMessage)]
    texts = dict.fromkeys([*said, plan.view.request["text"]])
    free = free_texts("money", texts, today=plan.view.today, profile=plan.profile)
    return any(is_number_said(figure, text) for text in free)


def _take_given(slots: HotelSlots, plan: _Plan) -> None:
    """Who books, and which booking is meant, as the calls have it: these arguments are traced to the guest."""
    for args in plan.of(BOOK):
        given = {name: args.get(f"guest_{name}") for name in ("name", "email", "phone")}
        others = dict(no_guest(given, plan.profile, plan.view.today))
        known = {name: text for name, text in given.items() if text and name not in others}
        slots.guest = slots.guest.model_copy(update=known)
    for args in plan.of("get_booking", CANCEL):
        given = {"reference": args.get("reference"), "holder": args.get("surname_or_email")}
        named = {name: text for name, text in given.items() if isinstance(text, str)}
        slots.booking = slots.booking.model_copy(update=named)


def _is_of_a_booking(slots: HotelSlots, plan: _Plan) -> bool:
    """Whether who was named is the one whose booking is looked up or cancelled: who books next is not known by that."""
    holders = [args.get("surname_or_email") for args in plan.of("get_booking", CANCEL)]
    named = [each for each in (slots.guest.name, slots.guest.email) if each]
    return BOOK not in plan.tools and any(each in holders for each in named)


def _want(plan: _Plan, message: ParsedMessage, before: HotelSlots) -> Want | None:
    earlier = loads(plan.view.plan["slots"]) if plan.view.plan else None
    intents, known = message.intents, earlier.want if earlier else before.want
    if plan.tools & {BOOK, "quote_stay"} or plan.asked & TO_BOOK:
        return "book"
    if plan.tools & {CANCEL, "get_booking"}:
        return None  # what was wanted is under way, and done with its result
    if plan.asked & {"reference", "holder"}:
        return "cancel" if "cancel" in intents or known == "cancel" else "find"
    of_stays: Sequence[Want] = ("book", "compare") if plan.stays or plan.searches else ()
    under_way: Sequence[Want] = (known,) if known in UNDER_WAY and "decline" not in intents else ()
    cheapest: Sequence[Want] = ("cheapest",) if of_stays and "cheapest" in intents else ()
    return next(iter([*(want for want in of_stays if want in intents), *under_way, *cheapest]), None)


def _is_chosen(slots: HotelSlots, plan: _Plan, message: ParsedMessage) -> bool:
    """Whether the room is settled without a type: the cheapest is quoted or to be booked, or everything else is asked for. A
    question for the cheapest is no choice of it; a change of the stay to be booked leaves it."""
    if slots.room_types:
        return False
    asks = bool(plan.asked & {"name", "contact"}) and "room" not in plan.asked
    goes_on = slots.want == "book" and message.changes_stay
    known = slots.chosen and (goes_on or not (plan.stays or plan.searches))
    takes_cheapest = "cheapest" in message.intents and (slots.want == "book" or "?" not in message.text)
    return known or asks or "quote_stay" in plan.tools or takes_cheapest
