"""What a reply's form says of the request, held against the request: what it refutes is refused, with the reason."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, Literal, cast

from langchain_core.messages import HumanMessage

from wavegraph.graph.answer.words import asks, sentences
from wavegraph.graph.errors import ReplyRefused
from wavegraph.graph.ledger import results
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import PlanningView
from wavegraph.tools.hotel.dates import find_dates, resolve
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.dialogue.cannot import CANNOT, Thing
from wavegraph.tools.hotel.dialogue.derived import derived_slots
from wavegraph.tools.hotel.dialogue.slots import slots_before
from wavegraph.tools.hotel.held import conversation_of, found_before
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.inventory.topics import content_words, find_topics, normalise, stems_of
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.amounts import figures_in
from wavegraph.tools.hotel.reading.conversation import Conversation
from wavegraph.tools.hotel.reading.deeds import asks_for, may_ask_for
from wavegraph.tools.hotel.reading.guest import read_reference
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.party import Party
from wavegraph.tools.hotel.reading.rooms import name_words
from wavegraph.tools.hotel.reading.said import SaidStay, said_guests, said_stays
from wavegraph.tools.hotel.reading.topics import read_topics

_BACK = frozenset({"last", "previous", "ago", "yesterday"})
"""Keys of the date grammar that lead into the past."""
_REFUTED_BY: Mapping[str, Sequence[Literal["topic", "question", "rooms", "stay", "wish", "booking"]]] = {
    "unclear": ("booking", "topic", "rooms", "stay"),
    "out_of_scope": ("booking", "topic", "rooms", "stay"),
    "hold_room": ("topic", "stay", "wish"),
    "waiting_list": ("topic", "stay", "wish"),
    "discount": ("topic", "stay", "wish"),
    "arrange": ("question", "stay", "wish"),
    "pass_on": ("topic", "stay", "wish"),
    "others_data": ("topic", "stay", "wish"),
    "reason": ("topic", "stay", "wish"),
    "convert": ("topic", "stay", "wish"),
    "upgrade": ("topic", "stay", "wish"),
    "take_card": ("topic", "stay", "wish"),
    "earlier_talk": ("topic", "stay", "wish"),
    "without_number": ("topic", "stay", "wish"),
    "nothing_booked": ("topic", "stay", "wish"),
    "complaint": ("question", "stay", "wish"),
    "promise_room": ("question", "stay", "wish"),
    "large_group": ("question", "stay", "wish"),
    "instructions": ("booking", "topic", "stay"),
}
"""By what a form says of its words: what is not to be found in them, since the desk can do that; a topic that is asked about
(`question`), where others may tell of it: `the pool was cold`. A thing that the desk cannot
do is refuted so where no word of the sentence asks for it."""
_OWN = re.compile(
    r"\b(?:my|our) (?:own )?(?:booking|reservation|name)\b|הזמנה של(?:י|נו)|(?<![א-ת])(?:השם|שמי)(?![א-ת])"
)
_OF_ORDERS = re.compile(
    r"\b(?:you|your|instruct\w*|prompts?|rules?|secrets?|passwords?|roles?|act|pretend|ignore|forget|system|developers?|admin\w*|model|tokens?|keys?)\b|"
    r"הנחי|הוראו|הורא[הת]|תתעל|התעלמ|סוד|סיסמ|תפקיד|תעמיד|מערכת|מנהל|אתה|אתם|את(?![א-ת])"
)
"""Words with which somebody may give orders to the assistant, or ask for its own."""
_OF_ROOMS = frozenset({"book", "cheapest"})
"""Intents."""
MOST_IN_A_NAME = 3
"""Words."""


class Reading:
    """The request as code reads it."""

    def __init__(self, view: PlanningView, profile: PropertyProfile) -> None:
        self.view = view
        self.profile = profile

    @cached_property
    def talk(self) -> Conversation:
        return conversation_of(self.view, self.profile)

    @property
    def message(self) -> ParsedMessage:
        return self.talk.newest

    def bears_stay(self, first: date | None, last: date | None) -> None:
        """Raises ReplyRefused where the conversation names other dates, or none."""
        if first is None and last is None:
            return
        said, given = self.talk.stays(), [day for day in (first, last) if day]
        is_known = self.talk.goes_on_about_a_stay and any({*given} <= {*ends} for ends in found_before(self.view))
        if said and not is_known and not any(_may_be(stay, first, last) for stay in said):
            days, words = [*map(str, given)], [stay.words for stay in said]
            raise ReplyRefused(f"{days} is not what the request says: {words}; read that back")
        if not (self.talk.follows_on or self.message.dates or self.message.searches or self.message.unplaced):
            raise ReplyRefused("the request names no dates: leave them null")

    def bears_guests(self, adults: int | None, ages: Sequence[int | None] | None, rooms: int | None) -> None:
        """Raises ReplyRefused where the conversation counts other guests or rooms, or nobody."""
        said, known = self.talk.guests(), [age for age in ages or () if age is not None]
        read_back: dict[str, Any] = {"adults": adults, "rooms": rooms}
        if adults is not None or ages is not None:
            read_back["children"] = len(ages or ())
        if len(known) == len(ages or ()):
            read_back["ages"] = sorted(max(1, age) for age in known)
        if adults is not None:
            read_back["guests"] = adults + len(ages or ())
        for name, value in said.items():
            if (given := read_back.get(name)) is not None and given != value:
                raise ReplyRefused(f"{name} = {given}, and the request says {value}; read that back")
        if unsaid := next(self._counted_by_nobody(adults, ages, rooms, said), ""):
            raise ReplyRefused(f"{unsaid}, which the request does not say: leave it null, and `ask` for it")
        counts_nobody = self.message.party == Party() and not (self.message.strangers or self.message.parties)
        if counts_nobody and not self.talk.follows_on and (adults is not None or ages):
            raise ReplyRefused("the request counts no guests: leave adults and children_ages null")

    def _counted_by_nobody(
        self, adults: int | None, ages: Sequence[int | None] | None, rooms: int | None, said: Mapping[str, Any]
    ) -> Iterator[str]:
        """The numbers that are read back, and that neither a reader knows nor the guest wrote."""
        party, known = self.message.party, [age for age in ages or () if age is not None]
        written = figures_in(prepared(fold("\n".join(self._said)))[0])
        if "ages" not in said:
            nearly = {0, 1, 2} if party.babies else {each + by for each in written for by in (-1, 0)}
            yield from (f"an age of {age}" for age in known if age not in nearly and age not in party.ages)
        if rooms and rooms not in {1, said.get("rooms"), self.message.wish.rooms, *written}:
            yield f"rooms = {rooms}"
        if adults and party.open and adults not in {party.adults, *written}:
            yield f"adults = {adults}"
        if ages and party.uncounted and len(ages) not in {party.children, *written}:
            yield f"{len(ages)} children"

    def leaves(self, said: str, quote: str) -> None:
        """Raises ReplyRefused where words of which a form says `said` hold what the desk can do."""
        found = {
            "topic": self._topic,
            "question": self._question,
            "rooms": self._rooms,
            "stay": self._stay,
            "wish": self._wish,
            "booking": self._booking,
        }
        if why := next(filter(None, (found[kind](quote) for kind in _REFUTED_BY.get(said, ()))), ""):
            raise ReplyRefused(why)

    def bears_orders(self) -> None:
        """Raises ReplyRefused where no word of the request is for the assistant itself, and the desk can do something of it."""
        text = self.view.request["text"]
        if not (self.message.ordered or _OF_ORDERS.search(fold(text))):
            self.leaves("instructions", text)

    def _topic(self, quote: str) -> str:
        words = (quote, *read_topics(fold(quote)))
        topics = [topic.topic for each in words for topic in find_topics(self.profile.topics, each)]
        return f"the house has the topic {topics[0]!r} for {quote!r}: look it up with get_hotel_info" if topics else ""

    def _question(self, quote: str) -> str:
        return self._topic(quote) if asks(self._sentence(quote)) else ""

    def _rooms(self, quote: str) -> str:
        """What rooms have, where that is at least half of what the words are about."""
        told = _stems(
            word for room in self.profile.rooms for word in content_words(" ".join([*room.features, *room.features_he]))
        )
        words = content_words(quote)
        known = [word for word in words if stems_of(word) & told]
        is_most = known and 2 * len(known) >= len(words)
        return f"rooms have {known[0]!r}: look it up with get_rooms_info" if is_most else ""

    def _stay(self, quote: str) -> str:
        """A stay, its guests or rooms, where all words are read."""
        message = read(quote, today=self.view.today, profile=self.profile)
        if message.unread:
            return ""
        stays = said_stays(message, follows=False, today=self.view.today, profile=self.profile)
        is_undated = not (message.unplaced or message.dates or message.searches)
        if stays or (is_undated and (said_guests(message) or message.intents & _OF_ROOMS)):
            return f"{quote!r} names a stay, guests or rooms: plan with them, and ask for what is missing"
        return ""

    def _wish(self, quote: str) -> str:
        """A limit of the price, a room or a meal, where all words are read."""
        message = read(quote, today=self.view.today, profile=self.profile)
        is_wish = message.budget is not None or message.wish.room_types or message.wish.board
        if not is_wish or message.unread:
            return ""
        return f"{quote!r} is a limit of the price, a room or a meal: look up what there is of it"

    def _booking(self, quote: str) -> str:
        return f"{quote!r} has the number of a booking: look it up" if read_reference(quote) else ""

    def _own(self, quote: str, calls: Iterable[ToolCall]) -> str:
        """The guest's own name, address, number or booking."""
        sentence = self._sentence(quote)
        if CANNOT["others_data"].intent in read_intents(fold(sentence)):
            return ""
        words = {*normalise(quote).split()}
        names = [{*normalise(text).split()} for text in self._given(calls).values() if text]
        is_name = any(words <= name or (name <= words and len(words) <= MOST_IN_A_NAME) for name in names)
        is_own = is_name or _OWN.search(fold(sentence))
        return f"{quote!r} is the guest's own: plan what is asked of it" if is_own else ""

    def _sentence(self, quote: str) -> str:
        return next((each for each in sentences(self.view.request["text"]) if quote in each), quote)

    def bears_cannot(self, thing: Thing, quote: str, calls: Iterable[ToolCall]) -> None:
        """Raises ReplyRefused where the request is plainly about something else."""
        if thing == "past_price" and self._lies_ahead(quote):
            raise ReplyRefused(f"no date of {quote!r} is past; today is {self.view.today}: look its prices up")
        if thing in ("without_number", "nothing_booked") and self._has_number():
            raise ReplyRefused("the guest gave a booking's number: look it up with it")
        sentence = self._sentence(quote)
        if not may_ask_for(thing, sentence):
            when = CANNOT[thing].when
            raise ReplyRefused(f"{sentence!r} does not ask for that ({when}): plan what answers it, or say `unclear`")
        if thing == "others_data" and (own := self._own(quote, calls)):
            raise ReplyRefused(own)
        if not asks_for(thing, sentence):
            self.leaves(thing, quote)

    def left_open(self, what: Sequence[str], calls: Sequence[ToolCall]) -> list[str]:
        """Of what is to be asked for, that which the guest has not given. Raises ReplyRefused where that is nothing."""
        given = {**self._counted, **self._named(calls)}
        if all(name in given for name in what):
            raise ReplyRefused("; ".join(dict.fromkeys(given[name] for name in what)))
        return [name for name in what if name not in given]

    @cached_property
    def _counted(self) -> dict[str, str]:
        """The dates and guests that the request names beyond doubt, by what asks for them, with what to do."""
        stays, counts = self.talk.stays(), self.talk.guests()
        is_one = len(stays) == 1 and not self.message.unplaced
        told = f"the request says {stays[0].words!r}: look it up" if is_one else ""
        given = {"dates": told, "nights": told if is_one and stays[0].nights else ""}
        counted = {name for name in ("adults", "ages", "rooms") if name in counts}
        counted |= {"guests"} if "adults" in counts and (not counts.get("children") or "ages" in counts) else set()
        return {
            **{name: words for name, words in given.items() if words},
            **dict.fromkeys(counted, f"the request counts them: {counts}"),
        }

    def _named(self, calls: Sequence[ToolCall]) -> dict[str, str]:
        """The names, addresses and numbers that the guest gave, by what asks for them, with what to do."""
        given = self._given(calls)
        reference, holder = given["reference"], given["holder"]
        told = {name: f"the guest gave {text!r}: plan with it" for name, text in given.items() if text}
        if self._was_not_found(reference, holder):
            why = f"{reference!r} was looked up under {holder!r} and not found: the answer says so, and what to check"
            told |= {"reference": why, "holder": why}
        return told

    def _given(self, calls: Iterable[ToolCall]) -> dict[str, str | None]:
        """The same, by what asks for them."""
        slots = derived_slots(cast(PlanningResult, {"tools": [*calls]}), self.view, self.profile)
        booking, guest = slots.booking, slots.guest
        return {
            "reference": booking.reference,
            "holder": booking.holder,
            "name": guest.name,
            "contact": guest.email or guest.phone,
        }

    def _was_not_found(self, reference: str | None, holder: str | None) -> bool:
        """Whether a booking of this number and holder was looked for in vain."""
        asked = {"reference": reference, "surname_or_email": holder}
        failed = (each for each in results(self.view.ledger).values() if each["error"] and each["args"] == asked)
        return any(each["error"]["code"] == "not_found" for each in failed if each["error"])

    def bears_no_adult(self, calls: Iterable[ToolCall]) -> None:
        """Raises ReplyRefused where an adult comes, or nobody speaks of children."""
        planned = [call["args"].get("adults") for call in calls]
        named = [self.message.party.adults, self.talk.guests().get("adults")]
        if any(isinstance(adults, int) and adults > 0 for adults in (*planned, *named)):
            raise ReplyRefused("an adult comes: by the calls, or by the guest's own words")
        if not any(map(_has_children, self.talk)):
            raise ReplyRefused("nobody speaks of children")

    def bears_rooms(self, quote: str, rooms: Sequence[RoomKind]) -> None:
        """Raises ReplyRefused where words cannot mean one of these rooms, or name each of them."""
        for room in rooms:
            if not _names(quote, room):
                raise ReplyRefused(f"nothing in {quote!r} names {room.name!r}, or what it has")
        if rooms and _names_each(quote, rooms):
            raise ReplyRefused(f"{quote!r} names each of them: look them all up")

    def bears_dates(self, quote: str, days: Sequence[date]) -> None:
        """Raises ReplyRefused where words cannot mean one of these days."""
        message = read(quote, today=self.view.today, profile=self.profile)
        said = said_stays(message, follows=False, today=self.view.today, profile=self.profile)
        numbers = set(map(int, re.findall(r"\d+", quote)))
        for day in days:
            if not ({day.day, day.month} <= numbers or any(_may_be(stay, day, None) for stay in said)):
                raise ReplyRefused(f"{quote!r} cannot mean {day}")
        arrivals = [stay.ends[0] for stay in said if not stay.others and not stay.arrivals]
        if days and {*days} <= {*arrivals}:
            raise ReplyRefused(f"{quote!r} names each of them: look them all up")

    def bears_date_problem(self, quote: str) -> None:
        """Raises ReplyRefused where the request says more of a date, with which nothing is wrong."""
        named = (phrase for phrase in self.message.dates if fold(quote) in fold(phrase.text))
        if good := next((phrase.text for phrase in named if not phrase.resolution.error), ""):
            raise ReplyRefused(f"nothing is wrong with {good!r}: plan that")

    def _lies_ahead(self, quote: str) -> bool:
        """Whether words, or else the sentence they stand in, name a date, and they name none that is past."""
        today, customs = self.view.today, self.profile.customs
        own, around = (find_dates(text, today=today, **customs) for text in (quote, self._sentence(quote)))
        named = [each.resolution for each in own or around]
        is_past = any(each.error == "past" for each in (resolve(quote, today=today, **customs), *named))
        goes_back = any(lex.key in _BACK or lex.num in range(1900, today.year) for lex in lexemes(quote))
        return bool(named) and not (is_past or goes_back or "past_price" in read_intents(fold(quote)))

    def _has_number(self) -> bool:
        before = slots_before(self.view)
        return bool(before and before.booking.reference) or any(map(read_reference, self._said))

    @cached_property
    def _said(self) -> list[str]:
        """The guest's messages."""
        texts = [str(each.text) for each in self.view.conversation if isinstance(each, HumanMessage)]
        return [*texts, self.view.request["text"]]


def _has_children(message: ParsedMessage) -> bool:
    party = message.party
    return bool(party.children or party.babies or party.ages or party.uncounted or party.no_adults or party.family)


def _may_be(stay: SaidStay, first: date | None, last: date | None) -> bool:
    """Whether these ends, of which one may be open, may be those of a stay that was named."""
    if first and last:
        return stay.fits((first, last))
    day = first or last
    assert day is not None
    return any(_may_end(stay, each, is_arrival=first is not None) for each, _ in stay.in_years((day, day)))


def _may_end(stay: SaidStay, day: date, *, is_arrival: bool) -> bool:
    if stay.arrivals:
        return any(stay.arrivals[0] <= each <= max(stay.arrivals[1], stay.ends[1]) for each in stay.in_weeks(day))
    ends = [stay.ends, *stay.others]
    arrivals, departures = ([each[n] for each in ends] for n in (0, 1))
    named = arrivals if is_arrival else departures if stay.nights else [*arrivals, *departures]
    return stay.part(day) in {stay.part(each) for each in named}


def _names(quote: str, room: RoomKind) -> bool:
    """Whether a word stands in a room's names, or one that asks for something in what it has."""
    names = _stems(normalise(" ".join([*room.words, *name_words(room)])).split())
    has = _stems(content_words(" ".join([*room.features, *room.features_he])))
    return bool(_stems(normalise(quote).split()) & names - _ANY_ROOM or _stems(content_words(quote)) & has)


def _names_each(quote: str, rooms: Sequence[RoomKind]) -> bool:
    """Whether a word of each room's names stands there that no other of them has."""
    said = _stems(normalise(quote).split())
    names = [_stems(normalise(" ".join([*room.words, *name_words(room)])).split()) for room in rooms]
    return all(said & own - _ANY_ROOM.union(*(each for each in names if each is not own)) for own in names)


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for word in words for stem in stems_of(word) if len(stem) > 1)


_ANY_ROOM = _stems(["room", "rooms", "חדר", "חדרים"])
"""What most rooms are called names none of them."""
