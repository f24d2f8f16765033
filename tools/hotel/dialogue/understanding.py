"""From a message to the slots: what it says, on top of what was known before."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal, get_args

from dateutil.relativedelta import relativedelta

from wavegraph.tools.hotel.dates import DatePhrase, resolve
from wavegraph.tools.hotel.dialogue.slots import (
    Assumed,
    BookingSlot,
    BudgetSlot,
    DateProblem,
    GuestSlot,
    HotelSlots,
    SearchSlot,
    StaySlot,
)
from wavegraph.tools.hotel.inventory.topics import normalise
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.followup import PETS_LEFT, StayChange, says, says_right
from wavegraph.tools.hotel.reading.guest import read_bare_name, read_identity
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.party import Party
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW
from wavegraph.tools.hotel.reading.period import Search
from wavegraph.tools.hotel.reading.rooms import RoomWish, is_accessible, name_words
from wavegraph.tools.hotel.reading.topics import ROOM_FACTS, has
from wavegraph.tools.hotel.records import WEEKDAYS
from wavegraph.tools.hotel.stay_arguments import AGE_TAKEN

ASSUMED_BABY_AGE = 1
_ASSUMED_OF: dict[str, Assumed] = {"children": "child_ages", "babies": "baby_ages"}
UNDER_WAY = ("book", "cancel", "find")
"""Wants that persist beyond their message."""
EXAMPLE_NIGHTS = 2
"""Looked for in a period if the guest gives no length."""
MAX_STAYS = 5
"""At most this many stays are looked up for one message; the rest are left for the next."""


def understood(message: ParsedMessage, before: HotelSlots | None, *, profile: PropertyProfile) -> HotelSlots:
    """The slots after `message`: what it says, on top of what was known `before`."""
    if before and answers_read_back(message, before):
        topics = before.topics if before.intent == "read_back" else []
        return before.model_copy(deep=True, update={"topics": topics})
    slots = _kept(message, before or HotelSlots())
    slots.problems = _problems(message)
    slots.ordered = message.ordered
    slots.rooms_too = message.rooms_too
    slots.or_rooms = message.or_rooms
    asks_other = message.stays or message.changes_stay or message.change or "rooms_info" in message.intents
    slots.rest = "rest" in message.intents and not asks_other
    if slots.rest and before and before.want == "cheapest":
        slots.want = "cheapest"
    slots.room_facts = [topic for topic in message.topics if _told_by_rooms(topic, profile)]
    slots.topics = [topic for topic in message.topics if topic not in slots.room_facts]
    slots.pets = (slots.pets or "pets" in message.topics) and not says(PETS_LEFT, message.text)
    _take_party(slots, message)
    _take_wish(slots, message, profile)
    if slots.rest and slots.want == "book" and not message.wish.room_types:
        slots.room_types = [code for code in slots.room_types if _is_accessible(code, profile)]
    _take_stays(slots, message, profile, before or HotelSlots())
    if message.wish.board and "price" in message.intents and (slots.stays or slots.searches):
        slots.topics = [
            topic for topic in slots.topics if topic not in ("breakfast", "restaurant")
        ]  # the prices answer
    take_guest(slots, message, before)
    if message.note and (slots.want == "book" or "book" in message.intents):
        slots.notes = message.note
    take_booking(slots, message, before)
    slots.assumed = _assumptions(slots)
    return slots


def _told_by_rooms(topic: str, profile: PropertyProfile) -> bool:
    own = any(normalise(each.topic) == topic for each in profile.topics)
    return topic in ROOM_FACTS and not own and any(has(room, topic) for room in profile.rooms)


def answers_read_back(message: ParsedMessage, before: HotelSlots | None) -> Literal["yes", "no"] | None:
    """The plain answer to what was read back; None if there is none, or it says more."""
    return says_right(message.text) if before and before.read_back else None


_YES_NO = re.compile(
    r"^\W*(?:(?P<yes>yes|yeah|yep|sure|right|correct|exactly|כן|נכון|בטח)|no|nope|not? really|neither|nobody|לא|אף אחד)(?![\wא-ת])",
    re.IGNORECASE,
)


def answers_who(message: ParsedMessage, before: HotelSlots | None) -> Literal["yes", "no"] | None:
    """The answer to whether someone comes too; None if there is none, or it goes on to something else."""
    goes_on = message.dates or message.searches or message.topics or message.change or message.guest.given
    wishes = message.wish.board or message.wish.room_types or message.wish.rooms or message.left_out
    if not before or not before.unplaced or goes_on or wishes:
        return None
    party, found = message.party, _YES_NO.match(message.text)
    names_one = before.adults and party.adults == party.others == 1 and not (party.children or party.babies)
    return says_right(message.text) or ("yes" if names_one or (found and found["yes"]) else found and "no")


def _kept(message: ParsedMessage, before: HotelSlots) -> HotelSlots:
    """What is kept of the earlier slots. New dates that do not refer to the old ones drop the budget, and together with
    new guests every old wish."""
    kept = before.model_copy(
        deep=True,
        update={
            "intent": "",
            "stays_left_out": 0,
            "stands": "",
            "replaced": [],
            "problems": [],
            "rest": False,
            "read_back": False,
            "amends": False,
            "unplaced": [],
            "holidays": [],
        },
    )
    kept.want = before.want if before.want in UNDER_WAY else None
    if not ((before.stays or before.searches) and message.stays) or message.follow_up:
        return kept
    kept.budget, kept.chosen, kept.cheapest = None, False, False
    if message.searches:
        kept.room_types, kept.refundable = [], None
    if message.party.given:
        kept.rooms, kept.room_types, kept.board, kept.refundable = None, [], None, None
        kept.children_ages = []
    return kept


def _problems(message: ParsedMessage) -> list[DateProblem]:
    return [
        DateProblem(words=phrase.text, error=found.error, message=found.message)
        for phrase in message.dates
        if (found := phrase.resolution).error
    ]


def _take_party(slots: HotelSlots, message: ParsedMessage) -> None:
    """The guests named; adults, children and babies that a message does not name are those known."""
    party, gone = message.party, message.left_out
    _take_away(slots, gone)
    if party.given:
        slots.stays = [stay.model_copy(update={"adults": None, "children_ages": []}) for stay in slots.stays]
    if party.adults is not None:
        known = slots.party_adults if slots.stays or slots.searches else 0
        slots.adults = known + party.others if known and message.adds_guests else party.adults
    named, assumed = child_ages(party)
    given = {
        "children": party.children is not None or any(age >= BABY_BELOW for age in party.ages),
        "babies": party.babies is not None or any(age < BABY_BELOW for age in party.ages),
    }
    fresh = message.stays and not message.follow_up and any(given.values())
    replaced = (gone & {"children", "babies"}) | {
        who for who, is_given in given.items() if (is_given or fresh) and not message.adds_guests
    }
    ages = [age for age in slots.children_ages if _who(age) not in replaced]
    ages += [age for age in named if _who(age) not in gone]
    assumed = [each for each in assumed if each not in {_ASSUMED_OF[who] for who in gone if who in _ASSUMED_OF}]
    slots.children_ages = sorted(ages, key=lambda age: age < BABY_BELOW)
    settled = {_ASSUMED_OF[who] for who in replaced} | ({"family"} if replaced else set())
    slots.assumed = list(dict.fromkeys([*(a for a in slots.assumed if a not in settled), *assumed]))
    if party.family:
        slots.assumed = [*slots.assumed, "family"]
    slots.assumed = [a for a in slots.assumed if a != "uncounted" or not party.given]
    if party.uncounted and not gone & {"children", "babies"}:
        slots.assumed = [*slots.assumed, "uncounted"]


def _take_away(slots: HotelSlots, gone: frozenset[str]) -> None:
    """The guests without one adult, or without the youngest or the eldest child."""
    if "couple" in gone and slots.party_adults > 2:
        slots.adults, slots.rooms = slots.party_adults - 2, slots.rooms and max(1, slots.rooms - 1)
    elif "one" in gone and slots.stays:
        slots.adults = max(1, slots.party_adults - 1)
    ages = sorted(slots.children_ages)
    if ages and "youngest" in gone:
        slots.children_ages = ages[1:]
    elif ages and "eldest" in gone:
        slots.children_ages = ages[:-1]


def _who(age: int) -> str:
    return "babies" if age < BABY_BELOW else "children"


def child_ages(party: Party) -> tuple[list[int], list[Assumed]]:
    """One age per child, and which ages are assumed: 8 for a child, 1 for a baby of unknown age."""
    babies = [age for age in party.ages if age < BABY_BELOW]
    children = [age for age in party.ages if age >= BABY_BELOW]
    assumed: list[Assumed] = []
    if missing := max(0, (party.children or 0) - len(children)):
        children += [AGE_TAKEN] * missing
        assumed.append("child_ages")
    if missing := max(0, (party.babies or 0) - len(babies)):
        babies += [ASSUMED_BABY_AGE] * missing
        assumed.append("baby_ages")
    return [*children, *babies], assumed


def _take_wish(slots: HotelSlots, message: ParsedMessage, profile: PropertyProfile) -> None:
    wish = message.wish
    slots.rooms = wish.rooms if wish.rooms is not None else slots.rooms
    if not _names_the_same(wish, slots.room_types, profile):
        slots.room_types = list(wish.room_types) or ([] if wish.any_type else slots.room_types)
    if wish.any_type or wish.room_types:
        slots.chosen = slots.cheapest = False
    if wish.apart and (slots.rooms or 1) < 2:
        slots.rooms = 2
    if "best_room" in message.intents and message.stays and not wish.room_types:
        slots.room_types = [
            room.code
            for room in sorted(profile.rooms, key=lambda room: (room.size_sqm, room.max_total))[-1:]
            if room.size_sqm
        ]
    slots.wishes = wish.wishes
    slots.board = None if wish.several_boards else wish.board or slots.board
    asks_terms = wish.asks_terms or ("compare" in message.intents and "?" in message.text)
    if wish.refundable is not None and not asks_terms and "cancellation" not in message.topics:
        slots.refundable = wish.refundable
    if message.budget:
        slots.budget = BudgetSlot(**message.budget._asdict())
    slots.floor = message.floor
    if "cheapest" in message.intents or message.pick == "cheapest":
        slots.chosen = slots.cheapest = True
    if "cheapest" in message.intents and slots.want != "book":
        slots.want = "cheapest"
    if "compare" in message.intents:
        slots.want = "compare"


def _is_accessible(code: str, profile: PropertyProfile) -> bool:
    """Whether the room is a need, not a taste."""
    room = profile.room(code)
    return room is not None and is_accessible(room.name)


def _names_the_same(wish: RoomWish, known: Sequence[str], profile: PropertyProfile) -> bool:
    """`The double`, after an accessible double was asked for: the room that it is short for."""
    room = profile.room(known[0]) if len(known) == 1 else None
    return bool(room and wish.words and not wish.any_type and wish.words <= name_words(room))


def _take_stays(slots: HotelSlots, message: ParsedMessage, profile: PropertyProfile, before: HotelSlots) -> None:
    parties = message.parties or (None,) * len(message.dates)
    pairs = zip(message.dates, parties, strict=True)
    each = [stay for phrase, party in pairs for stay in stays_of(phrase, party)]
    named = list({(stay.check_in, stay.check_out, stay.adults, *stay.children_ages): stay for stay in each}.values())
    slots.length = None if named or message.searches else slots.length
    if message.searches:
        slots.searches, slots.stays = [_search_slot(each, profile) for each in message.searches][:MAX_STAYS], []
    elif named:
        slots.replaced, slots.searches = slots.stays if message.follow_up else [], []
        slots.stays, slots.stays_left_out = named[:MAX_STAYS], max(0, len(named) - MAX_STAYS)
    elif "compare" in message.intents and slots.stays and before.replaced and not (message.topics or message.change):
        slots.stays = [*before.replaced, *slots.stays][:MAX_STAYS]  # `and which is cheaper?`
    elif message.change is None or not (message.changes_dates or message.follow_up):
        return  # `is parking charged for 3 nights?` changes nothing
    elif slots.stays:
        slots.replaced, slots.stays = slots.stays, [changed(stay, message.change, profile) for stay in slots.stays]
    elif not slots.searches:
        slots.length = message.change.nights
    else:
        slots.searches = [_changed_search(each, message.change) for each in slots.searches]


def _search_slot(search: Search, profile: PropertyProfile) -> SearchSlot:
    (first, last), nights = search.window or (date.min, date.min), search.nights or EXAMPLE_NIGHTS
    suits = [day for n, day in enumerate(WEEKDAYS) if n not in search.without] if search.without else []
    return SearchSlot(
        from_date=first,
        to_date=max(last, first + timedelta(days=nights)),
        nights=nights,
        nights_explicit=search.nights is not None,
        arrive_on=[WEEKDAYS[n] for n in search.arrive_on],
        sleep_on=suits,
        cheapest=search.cheapest,
        hint=search.words,
    )


def _changed_search(search: SearchSlot, change: StayChange) -> SearchSlot:
    """The same search for another length, or some days later."""
    nights = change.nights or max(1, search.nights + change.nights_more)
    step = timedelta(days=change.days + 7 * (change.weeks + change.weekend))
    last = max(search.to_date, search.from_date + timedelta(days=nights)) + step
    moved = {"from_date": search.from_date + step, "to_date": last, "nights": nights}
    return search.model_copy(update={**moved, "nights_explicit": search.nights_explicit or change.nights is not None})


def take_guest(slots: HotelSlots, message: ParsedMessage, before: HotelSlots | None) -> None:
    """Who books; a bare name counts only if it was asked for."""
    given, known = message.guest, slots.guest
    if message.intents & {"privacy", "elsewhere"}:
        return
    lacks = before is not None and (not known.name or before.intent == "change_guest")
    asked = (
        before is not None and before.want == "book" and lacks and not (given.given or message.stays or given.changes)
    )
    bare = read_bare_name(message.text) if asked else None
    if bare:
        slots.problems = []  # a name may sound like a month
    name = given.name or bare
    another = name and known.name and not _same_person(name, known.name)
    books_anew = message.stays or "book" in message.intents
    says_again = before is not None and before.want == "book" and given.named and not books_anew  # `the name is …`
    corrects = given.changes or says_again or (before is not None and before.intent == "change_guest")
    if given.unreadable or (another and not corrects):
        known = GuestSlot()  # one guest's address does not go with another's name
    slots.guest = GuestSlot(name=name or known.name, email=given.email or known.email, phone=given.phone or known.phone)


def _same_person(name: str, known: str) -> bool:
    """Whether one name equals or is part of the other: `dana`, then `Dana Levi`."""
    one, other = ({*each.casefold().split()} for each in (name, known))
    return one <= other or other <= one


def take_booking(slots: HotelSlots, message: ParsedMessage, before: HotelSlots | None) -> None:
    """Which booking is meant, and whose name it is under."""
    known = slots.booking
    if message.reference and message.reference != known.reference:
        known = BookingSlot(reference=message.reference, holder=None if known.reference else known.holder)
    under_way = before is not None and before.want in ("cancel", "find")
    if message.reference or under_way or message.intents & {"cancel", "modify", "find"}:
        holder = read_identity(message.text, message.reference)
        known = known.model_copy(update={"holder": holder or known.holder})
    slots.booking = known


def stays_of(phrase: DatePhrase, party: Party | None) -> list[StaySlot]:
    return [
        StaySlot(
            check_in=stay.check_in,
            check_out=stay.check_out,
            kind=phrase.kind if len(phrase.resolution.stays) == 1 else stay.kind,
            label=stay.label,
            hint=phrase.text,
            nights_explicit=stay.nights_explicit,
            holiday=phrase.holiday,
            part=phrase.part,
            index=index,
            note=stay.note,
            adults=party.adults if party else None,
            children_ages=child_ages(party)[0] if party else [],
        )
        for index, stay in enumerate(phrase.resolution.stays)
    ]


def changed(stay: StaySlot, change: StayChange, profile: PropertyProfile) -> StaySlot:
    """The stay moved or with a new length."""
    if change.weekend:
        near = stay.check_out if change.weekend > 0 else stay.check_in - timedelta(days=7)
        weekend = resolve("this weekend", today=near, **profile.customs).stays[0]
        return stay.moved((weekend.check_in - stay.check_in).days, weekend.nights)
    nights = change.nights or max(1, stay.nights + change.nights_more)
    later = (stay.check_in + relativedelta(months=change.months) - stay.check_in).days
    return stay.moved(change.days + 7 * change.weeks + later, nights)


def _assumptions(slots: HotelSlots) -> list[Assumed]:
    """The assumptions that the answer must state."""
    lasting: set[Assumed] = {a for a in slots.assumed if a in ("child_ages", "baby_ages", "family", "uncounted")}
    if slots.adults is None:
        lasting.add("adults_per_room" if (slots.rooms or 1) > 1 else "adults")
    if any(
        not stay.nights_explicit and stay.nights == 1 and not stay.holiday and stay.kind != "weekend"
        for stay in slots.stays
    ):
        lasting.add("nights")
    return [name for name in get_args(Assumed) if name in lasting]
