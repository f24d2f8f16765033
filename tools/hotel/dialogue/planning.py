"""From what was understood to a plan: which calls in which order, or a reply without calls."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.tools.hotel.dates import DatePhrase, holiday, resolve
from wavegraph.tools.hotel.dialogue.pending import ASKED, BOOK, CANCEL, DONE, PendingWrite
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot, answers_read_back, answers_who
from wavegraph.tools.hotel.inventory.topics import content_words, normalise
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.message import HOURS, ParsedMessage, is_sabbath
from wavegraph.tools.hotel.reading.period import is_weekdays
from wavegraph.tools.hotel.reading.topics import has, read_topics
from wavegraph.tools.hotel.records import Offer
from wavegraph.tools.hotel.results import stay_args, stay_ends

MAX_CALLS = 10
MAX_ADULTS = 60
MAX_ROOMS = 20
FIXED_DATES = frozenset({"New Year's Eve"})
"""Named days that are a fixed date: no calendar call is needed."""
MOST_SHOWN, MOST_SEARCHED = 3, 15
"""Stays found in a period that are shown at first, and when the guest asks for the rest."""
MAX_TOPIC = 80
"""Longest question, in characters, that is looked up as a topic word for word."""
_QUESTION = (
    r"(?:who|what|which|where|when|how|is|are|do|does|can|could|may)\b|ו?(?:מי|מה|איפה|מתי|איך|האם|אפשר|יש)(?![א-ת])"
)
_ASKING = rf"(?:(?:and|ok(?:ay)?|so|also|אוקיי|אוקי|טוב|אז)\W+)*(?:{_QUESTION}|ו?כמה(?![א-ת]))"


class NextStep(NamedTuple):
    """What to do next: the intent and the engine's action, which says whether calls are made."""

    intent: str
    action: str
    """`availability`, `hotel_info`, `holiday`, `rooms`, `book`, `cancel`, `find`, `reply`; `clarify` and `refuse` are the engine's."""
    why: str
    again: bool = False
    """Repeat the write of the previous request."""

    @property
    def speaks(self) -> bool:
        """Whether it is answered without calls."""
        return self.action in ("clarify", "refuse", "reply")


class Context(NamedTuple):
    """What the rules for the next step may look at."""

    message: ParsedMessage
    slots: HotelSlots
    before: HotelSlots | None
    pending: PendingWrite | None = None
    """The booking or cancellation of the previous request."""
    offers: Sequence[Offer] | None = None
    """What was offered for the stay; None = nothing."""
    lost: bool = False
    """The message picks by a number that the last answer did not have."""

    @property
    def intents(self) -> frozenset[str]:
        return self.message.intents

    @property
    def known_stays(self) -> bool:
        """Whether stays of an earlier message are still under discussion."""
        return bool(self.before and (self.before.stays or self.before.searches))


def decide(context: Context) -> NextStep:
    """The first rule that fits; the ones that must not be missed come first.

    Where it is not certain what to search, or whom to book for, what was understood is read back first.
    """
    step = next(step for rule in _RULES if (step := rule(context)) is not None)
    searches = step.intent in ("availability", "book") and not step.again
    if not searches or answers_read_back(context.message, context.before) or not _doubtful(step, context):
        return step
    return NextStep("read_back", "clarify", f"not accounted for: {', '.join(context.message.unplaced)}")


def _doubtful(step: NextStep, context: Context) -> bool:
    """The one rule of doubt. Guests who are counted are searched for in spite of words beside them that are not
    understood: the answer asks about those, unless a yes to it could be one to the booking that waits. Words of dates
    that are left may mean another stay."""
    message, pending = context.message, context.pending
    waits = pending is not None and pending.state == ASKED
    if message.doubtful or not message.unplaced or waits or step.action != "availability":
        return message.doubtful or bool(message.unplaced)
    known, named = context.slots.adults, any(not re.search(r"\d", words) for words in message.strangers)
    countless = known is None or (known == 1 and named)  # `my brothers and I`
    return countless or {*message.unplaced} != {*message.strangers}


def _answered(context: Context) -> NextStep | None:
    """A yes to what was read back goes on with that, and is never one to a booking; a no is asked what to change."""
    message, before = context.message, context.before
    if answer := answers_who(message, before):
        if answer == "no" or message.party.given:
            return NextStep("availability", "availability", "who was asked about comes, or does not")
        return NextStep("read_back", "clarify", "how many more come is not said")
    answer = answers_read_back(message, before)
    if answer == "no":
        return NextStep("read_back", "clarify", "what was read back is not right")
    if answer is None:
        return None
    if not (context.slots.stays or context.slots.searches):
        return NextStep("availability", "clarify", "what was read back is right, and has no dates")
    return NextStep("availability", "availability", "what was read back is right")


def _orders(context: Context) -> NextStep | None:
    message = context.message
    if message.ordered and not (message.stays or message.topics or "lodging" in context.intents):
        return NextStep("order", "refuse", "it gives orders to the system and asks nothing about the hotel")
    return None


def _guest_changed(context: Context) -> NextStep | None:
    """`Change the name to …` while a booking is under way: its terms are asked about again with who books now, and a yes
    to the old ones is none any more. Where it is not understood what to change, that is asked."""
    message, slots, before, pending = context.message, context.slots, context.before, context.pending
    if before is None or not message.guest.changes or message.reference:
        return None
    if slots.booking.made and slots.booking.reference:
        return NextStep("modify", "hand_over", "bookings are changed by reception")
    asked = pending is not None and (pending.tool, pending.state) == (BOOK, ASKED)
    may_stand = pending is not None and pending.stands and not asked
    if may_stand or not (asked or before.want == "book"):
        return None
    slots.want, slots.topics = "book", []
    if slots.guest == before.guest or slots.searches or slots.problems:
        return NextStep("change_guest", "clarify", "a change of who books that is not understood")
    if missing := missing_to_book(context):
        return NextStep("book", "clarify", f"missing to book: {', '.join(missing)}")
    return NextStep("book", "book", "the booking for the guest as corrected", again=asked and _same_wish(context))


def _repeated(context: Context) -> NextStep | None:
    """A yes to what was asked or is done already: the very same write, which the property executes once."""
    pending, message, intents = context.pending, context.message, context.intents
    if pending is None or not pending.stands or message.topics or message.change or intents & {"another", "decline"}:
        return None
    if _broken_dates(context) or _party_limits(context):
        return None  # impossible guests or dates: not a yes to what was quoted
    if pending.tool == CANCEL:
        again = intents & {"accept", "cancel"} and not message.reference
        return NextStep("cancel", "cancel", "the same cancellation again", again=True) if again else None
    agrees = "book" in intents or ("accept" in intents and not (pending.state == DONE and "thanks" in intents))
    if message.guest.unreadable or (message.guest.name and not context.slots.guest.complete):
        return None  # for another guest, whose details are asked for first
    corrected = pending.state == ASKED and message.guest.given
    if intents & {"cancel", "modify", "find"} or not (agrees or corrected) or not _same_wish(context):
        return None
    return NextStep("book", "book", "the same booking again: it is made once", again=True)


def _same_wish(context: Context) -> bool:
    """Whether stay, room and guests are unchanged."""
    now, before = context.slots, context.before
    names = ("stays", "party_adults", "children_ages", "rooms", "board", "refundable")
    if before is None or any(getattr(now, name) != getattr(before, name) for name in names):
        return False
    return not context.message.wish.room_types or now.room_types == before.room_types


def _of_that_fact(context: Context) -> NextStep | None:
    """`Is that per night?`, `and prices?`, `and on Saturday?`, `and at 2?` after a fact: the same again, never a stay."""
    message, before, intents, known = context.message, context.before, context.intents, context.known_stays
    told = before is not None and before.intent == "hotel_info" and (before.topics or before.room_facts)
    if before is None or not told or message.topics or message.searches:
        return None
    wish = message.wish
    if wish.room_types or wish.board or message.guest.given or message.pick or intents & _NOT_OF_FACTS:
        return None
    of_children = before.topics == ["kids"] and message.party.ages and not known
    hour = {*before.topics} & HOURS and _AT_HOUR.search(message.text.lower())
    day = not known and message.dates and all(is_sabbath(each) or is_weekdays(each) for each in message.dates)
    if not (of_children or hour or day) and (message.dates or message.party.given):
        return None
    if "price" in intents and known and not re.search(r"\bper \w+\b", message.text):
        return None
    plain = not known and "lodging" not in intents and ("price" in intents or day)
    if not plain and not (_asks(message) and ("of_fact" in intents or of_children or hour)):
        return None
    _as_before(context)
    for name in ("adults", "children_ages", "assumed", "length"):
        setattr(context.slots, name, getattr(before, name))
    context.slots.topics, context.slots.room_facts = list(before.topics), list(before.room_facts)
    return NextStep("hotel_info", "hotel_info", "more about the fact just told")


_AT_HOUR = re.compile(r"(?:\b(?:at|by|around)|(?<![א-ת])ב)[ -]?(?:[01]?\d|2[0-4])(?::\d\d)?\W*$")
"""After a fact about hours a bare number is one: `what if we come at 23?`"""
_NOT_OF_FACTS = frozenset(
    {"book", "cancel", "modify", "find", "decline", "thanks", "compare", "cheapest", "rooms_info"}
)


def _asks(message: ParsedMessage) -> bool:
    """Whether it is a question by its mark or its first word."""
    text = message.text.strip().lower()
    return text.endswith("?") or bool(re.match(_ASKING, text))


def _stopped(context: Context) -> NextStep | None:
    """`Cancel` while a booking is only being discussed: there is nothing to cancel yet."""
    asked = context.pending is not None and (context.pending.tool, context.pending.state) == (BOOK, ASKED)
    talked = context.before is not None and context.before.want == "book" and not context.slots.booking.reference
    exists = context.message.reference or context.intents & {"find", "modify"}
    if "cancel" in context.intents and (asked or talked) and not exists and not context.message.topics:
        return NextStep("decline", "reply", "the guest drops the booking")
    return None


def _own_bookings(context: Context) -> NextStep | None:
    """An existing booking: shown or cancelled with its number and holder, changed by reception."""
    intent = _about_booking(context)
    if intent is None or (
        intent == "find" and {*context.message.topics} - {"contact"} and not context.slots.booking.reference
    ):
        return None
    booking = context.slots.booking
    if intent == "modify":
        if booking.reference:
            return NextStep(intent, "hand_over", "bookings are changed by reception")
        return NextStep(intent, "refuse", "an existing booking needs its number and the guest's name")
    if not booking.reference:
        return NextStep(intent, "refuse", "an existing booking needs its number and the guest's name")
    if not booking.holder:
        return NextStep(intent, "clarify", "the name on the booking is missing")
    return NextStep(intent, intent, "number and name are given")


def _about_booking(context: Context) -> str | None:
    """`cancel`, `modify` or `find`; None if it is not about an existing booking."""
    message, intents = context.message, context.intents
    asks_terms = "cancellation" in message.topics and not (message.reference or "find" in intents)
    if asks_terms and context.slots.booking.made and _CANCEL_THAT.search(message.text.lower()):
        return "cancel"
    if "cancel" in intents and not asks_terms:
        return "cancel"
    if "modify" in intents:
        return "modify"
    want = context.before.want if context.before else None
    if _booking_told(context):
        return "modify"
    if want in ("cancel", "find") and not (message.stays or message.topics) and _holder_given(context):
        return want
    return "find" if "find" in intents or message.reference else None


_CANCEL_THAT = re.compile(
    r"\b(?:can|could|may) (?:i|we|you) (?:please )?cancel (?:it|that|this|(?:the|my|our) (?:booking|reservation|room|stay))(?: (?:now|please|again))*\W*$|"
    r"(?:אפשר|ניתן|תוכלו|תוכל|תוכלי|אני יכולה?) (?:בבקשה )?(?:לבטל|תבטלו) (?:את (?:זה|ההזמנה|החדר)|אותה)(?: (?:עכשיו|בבקשה))*\W*$"
)
"""`Can I cancel that?`, just after it was booked: its terms are shown, and a yes cancels it."""


def _booking_told(context: Context) -> bool:
    """`The phone I gave is 053-…`, after a booking that is to be changed: more about that booking."""
    message, before = context.message, context.before
    return before is not None and before.intent == "modify" and message.guest.given and not message.stays


def _holder_given(context: Context) -> bool:
    """Whether the message gives a booking's number or holder."""
    before = context.before.booking if context.before else None
    return before is not None and before != context.slots.booking


def _for_reception(context: Context) -> NextStep | None:
    """What only people of the hotel deal with: lost things, the press, letters, a room held without a booking."""
    intents, before = context.intents, context.before
    under_way = before is not None and before.want in ("cancel", "find", "modify")
    if "no_number" in intents and not context.message.reference and (under_way or not intents & {"find", "cancel"}):
        return NextStep("no_number", "refuse", "a booking is not looked up without its number")
    asks_hour = "late check out" in context.message.topics
    if "to_hold" in intents and not (asks_hour or context.message.party.given or intents & {"for_reception"}):
        _as_before(context)
        return NextStep("to_hold", "refuse", "a room is not held without a booking")
    if "for_reception" in intents and not _wants_booking(context):
        _as_before(context)
        return NextStep("for_reception", "refuse", "nothing a guest looks up: somebody of the hotel deals with it")
    return None


def _as_before(context: Context) -> None:
    """Keep the stays spoken of: dates of the message are no stay."""
    known = context.before or HotelSlots()
    context.slots.stays, context.slots.searches, context.slots.problems = known.stays, known.searches, []


def _told_before(context: Context) -> NextStep | None:
    """What was offered elsewhere or earlier is not known here."""
    if "told_before" not in context.intents or context.known_stays or context.message.stays:
        return None
    return NextStep("told_before", "refuse", "an earlier talk or offer, of which nothing is known here")


def _calendar_day(context: Context) -> NextStep | None:
    """`Is it still Passover then?`: the days of the holiday; the stay spoken of remains."""
    message = context.message
    of_stays = _OF_STAYS - ({"wish", "lodging"} if context.known_stays else {"wish"})
    if not message.asks_day or message.changes_stay or context.intents & of_stays:
        return None
    holidays = context.slots.stays
    _as_before(context)
    context.slots.holidays = holidays
    return NextStep("holiday", "holiday", "when a holiday is")


def _why(context: Context) -> NextStep | None:
    message = context.message
    if "why" not in context.intents or message.stays or message.topics or not context.known_stays:
        return None
    return NextStep("why", "refuse", "a reason that no price or fact gives")


def _private(context: Context) -> NextStep | None:
    if "privacy" in context.intents and not (context.message.stays and context.message.party.given):
        return NextStep("privacy", "refuse", "it asks for other guests' data")
    return None


def _elsewhere(context: Context) -> NextStep | None:
    message = context.message
    if "elsewhere" in context.intents and not (message.recalls and message.stays):
        return NextStep("elsewhere", "refuse", "it is about another hotel")
    if (
        "off_topic" in context.intents
        and not (message.topics or message.reference)
        and "lodging" not in context.intents
    ):
        return NextStep("off_topic", "refuse", "it is not about this hotel")
    return None


def _status(context: Context) -> NextStep | None:
    """`is it booked?`: the booking made here, or that there is none."""
    message, booking = context.message, context.slots.booking
    asks = "booked" in context.intents or ("details" in context.intents and booking.made)
    if not asks or message.stays or message.reference or not context.before:
        return None
    if booking.made:
        return NextStep("find", "find", "the booking made in this conversation")
    unknown = context.pending and context.pending.state not in (ASKED, DONE) and context.pending.stands
    if unknown:
        return NextStep("unknown", "hand_over", "whether it was booked is not known")
    return NextStep("not_yet", "reply", "nothing is booked yet")


def _complains(context: Context) -> NextStep | None:
    """What went wrong is for reception, whatever else it names."""
    if "complaint" not in context.intents or (context.message.stays and context.message.party.given):
        return None
    return NextStep("complaint", "refuse", "a complaint")


def _noted(context: Context) -> NextStep | None:
    """`what did you note?`"""
    if "summary" not in context.intents or not context.slots.stays or context.message.stays:
        return None
    return NextStep("summary", "reply", "what is understood so far")


def _some_nights(context: Context) -> NextStep | None:
    """Guests or meals of some of the nights only."""
    if "some_nights" in context.intents and context.known_stays and not context.message.stays:
        return NextStep("some_nights", "reply", "a wish for some of the nights")
    return None


def _past_price(context: Context) -> NextStep | None:
    asks = context.intents & {"was_price"} and any(p.error == "past" for p in context.slots.problems)
    return NextStep("past_price", "refuse", "a price of a past date") if asks and not context.message.stays else None


def _waits(context: Context) -> NextStep | None:
    """`Not yet`: neither a yes nor a no to the booking under way."""
    message, before = context.message, context.before
    under_way = context.pending is not None or (before is not None and before.want == "book")
    goes_on = message.dates or message.searches or message.topics or message.change or message.guest.given
    goes_on = goes_on or not _same_wish(context)
    if "later" in context.intents and not goes_on:
        said = "thanks" if "thanks" in context.intents else "decline"
        return NextStep("wait" if under_way else said, "reply", "the guest will think it over")
    if not under_way or goes_on or "wait" not in context.intents or "to_hold" in context.intents:
        return None
    return NextStep("wait", "reply", "the guest is not ready to say yes or no")


def _declined(context: Context) -> NextStep | None:
    message = context.message
    goes_on = (
        message.dates
        or message.searches
        or message.topics
        or message.changes_stay
        or message.change
        or message.guest.given
    )
    if "decline" not in context.intents or goes_on:
        return None
    asked = context.pending and (context.pending.tool, context.pending.state) == (CANCEL, ASKED)
    if asked or context.slots.booking.made:
        return NextStep("kept", "reply", "the booking stays as it is")
    return NextStep("decline", "reply", "the guest declines")


def _broken_dates(context: Context) -> NextStep | None:
    problems = context.slots.problems
    if not problems or context.message.stays or context.message.topics:
        return None
    hard = next((p for p in problems if p.error != "unclear"), None)
    if hard:
        return NextStep("bad_dates", "refuse", f"dates {hard.words!r}: {hard.error}")
    return NextStep("availability", "clarify", f"dates {problems[0].words!r} are unclear")


def _party_limits(context: Context) -> NextStep | None:
    party, slots = context.message.party, context.slots
    if context.message.impossible:
        return NextStep("bad_count", "refuse", f"{context.message.impossible!r} is not a possible number")
    if party.no_adults or party.adults == 0:
        return NextStep("no_adults", "refuse", "children cannot stay without an adult")
    guests = max(len(slots.children_ages), slots.party_adults, *(stay.adults or 0 for stay in slots.stays), 0)
    if guests > MAX_ADULTS or (slots.rooms or 1) > MAX_ROOMS:
        return NextStep("group", "refuse", "a group this large is handled by reception")
    return None


def _rooms_apart(context: Context) -> NextStep | None:
    """Rooms that differ, or two ways of sharing them, are not looked for at once."""
    if "rooms_apart" not in context.intents:
        return None
    return NextStep("rooms_apart", "clarify", "rooms of several kinds or with guests of their own")


def _day_visit(context: Context) -> NextStep | None:
    """`40 of us for lunch, no sleeping`: rooms are not looked for; reception arranges visits."""
    if "day_visit" not in context.intents:
        return None
    context.slots.stays, context.slots.searches = [], []
    context.slots.topics = [*context.message.topics, "contact"]
    return NextStep("hotel_info", "hotel_info", "a visit without a night")


def _dated(context: Context) -> NextStep | None:
    message = context.message
    if message.stays and not _is_of_sabbath(context) and (not message.topics or _wants_room(context)):
        context.slots.topics += _strange_questions(message)
        return NextStep("availability", "availability", "a stay with dates")
    return None


_SENTENCES = re.compile(r"(?<=[.?!\n])\s+")


def _strange_questions(message: ParsedMessage) -> list[str]:
    """Questions beside a stay that name neither it nor anything known: `may I practise the violin?`"""
    parts = _SENTENCES.split(message.text)
    if message.topics or message.rooms_too or message.wish.wishes or len(parts) < 2:
        return []
    asked = (part for part in parts if part.endswith("?") and re.match(_QUESTION, part.lower()))
    named = [*(phrase.text for phrase in message.dates), *(search.words for search in message.searches)]
    dated = {word for words in named for word in normalise(words).split()}
    return [
        part.rstrip("?!. ")
        for part in asked
        if len(part) <= MAX_TOPIC
        and any(dated.isdisjoint((word, word[1:])) for word in content_words(part))
        and not any(words in part or part.rstrip("?!. ").lower() in words for words in named)
        and not read_intents(part.lower()) & _ABOUT_STAY
    ][:1]


def _is_of_sabbath(context: Context) -> bool:
    """`Is there a hot plate in the room for Shabbat?`: the day that the question is about, no stay."""
    message = context.message
    if message.dates and all(_is_the_day_of_a_fact(phrase, message) for phrase in message.dates):
        return True
    alone = message.dates and all(is_sabbath(phrase) for phrase in message.dates) and not message.party.given
    asks = bool(message.topics) or (_asks(message) and content_words(message.wish.plain))
    return bool(
        alone and asks and not (message.wish.rooms or context.intents & {"price", "book", "compare", "cheapest"})
    )


_CLAUSES = re.compile(r"[?.!;,\n]| (?:and|&) (?=(?:what|how|if|may|can)\b)| ו(?=אם|האם|כמה|אפשר|מה)")


def _is_the_day_of_a_fact(phrase: DatePhrase, message: ParsedMessage) -> bool:
    """`Until when is breakfast on Saturday?`: a Saturday whose own clause asks for something of the house, and for no room."""
    saturday = is_sabbath(phrase) or (is_weekdays(phrase) and _SATURDAY.search(phrase.text.lower()))
    if not saturday or any(stay.nights > 1 for stay in phrase.resolution.stays):
        return False
    start = max((cut.end() for cut in _CLAUSES.finditer(message.text, 0, phrase.start)), default=0)
    cut = _CLAUSES.search(message.text, phrase.end)
    clause = message.text[start : cut.start() if cut else None].lower()
    of_house = {*read_topics(clause)} & {*message.topics}
    return bool(of_house and not (read_intents(clause) & {"lodging", "book"} or _STAYS.search(clause)))


_SATURDAY = re.compile(r"^\W*(?:on |ב|יום |ביום )*(?:saturdays?|sat|שבת)\W*$")


def _wants_room(context: Context) -> bool:
    """Whether dates next to a question about the property are a stay, not the day it is about."""
    message = context.message
    if message.asks_the_hour:
        return False
    if not context.slots.topics and not _asks(message):
        return True  # `6-8 December, with a balcony`
    if message.changes_stay or context.intents & {"lodging", "price", "compare", "cheapest"}:
        return True
    return any(stay.nights_explicit and stay.nights > 1 for p in message.dates for stay in p.resolution.stays)


def _moved(context: Context) -> NextStep | None:
    if "cancellation" in context.message.topics:
        return None  # `if I cancelled the day before?`
    if not context.message.changes_dates:
        return None
    if context.known_stays:
        return NextStep("availability", "availability", "the earlier stay, changed")
    return NextStep("availability", "clarify", "no earlier stay to change")


def _booking(context: Context) -> NextStep | None:
    """The guest wants to book: ask for what is missing, then quote and book the offer."""
    slots = context.slots
    looked_for = slots.stays or (slots.searches and not context.message.searches)
    missing = missing_to_book(context)
    whole = _new_stay(context) and "book" in context.intents and not missing and "?" not in context.message.text
    goes_on = (context.message.topics and not whole) or context.message.change or slots.rest or context.lost
    if goes_on or not looked_for or not _wants_booking(context):
        return None
    if slots.booking.made and _same_wish(context) and "another" not in context.intents:
        return NextStep("find", "find", "it is booked already") if "book" in context.intents else None
    if _new_stay(context):
        at_once = not missing and ("book" in context.intents or not context.known_stays)
        return NextStep("book", "book", "the message has everything needed to book") if at_once else None
    if missing:
        return NextStep("book", "clarify", f"missing to book: {', '.join(missing)}")
    return NextStep("book", "book", "stay, room and guest are known")


def _corrected(context: Context) -> NextStep | None:
    """The booking asked about, corrected: its new terms are asked about, so that a yes is not to the old ones."""
    message, pending = context.message, context.pending
    asked = pending is not None and (pending.tool, pending.state) == (BOOK, ASKED)
    changes = message.change or message.left_out or message.corrects
    if not asked or not changes or message.topics or "?" in message.text or _same_wish(context):
        return None
    if context.slots.searches or missing_to_book(context):
        return None
    return NextStep("book", "book", "the booking asked about, with what the guest corrects")


def _wants_booking(context: Context) -> bool:
    message, intents, before = context.message, context.intents, context.before
    agrees = "accept" in intents and not intents & {"wait", "price", "compare", "rooms_info"}
    if "book" in intents or (agrees and context.known_stays and not message.changes_stay):
        return True
    if context.known_stays and (message.guest.email or message.guest.phone):
        return "?" not in message.text
    wish = message.wish
    asks = intents & {"compare", "rooms_info"} or ("price" in intents and wish.refundable is None)
    if before is None or before.want != "book" or asks or "?" in message.text:
        return False
    details = (
        wish.room_types or wish.board or wish.refundable is not None or message.pick or intents & {"cheapest", "accept"}
    )
    return bool(
        details
        or context.slots.room_types != before.room_types
        or context.slots.guest != before.guest
        or _new_stay(context)
        or context.slots.chosen > before.chosen
    )


def _new_stay(context: Context) -> bool:
    """Whether the message names new dates."""
    known = context.before.stays if context.before else []
    ends = {stay_ends(stay) for stay in known}
    return context.message.stays and any(stay_ends(stay) not in ends for stay in context.slots.stays)


def missing_to_book(context: Context) -> list[str]:
    """What a booking still needs: `stay`, `room`, `name`, `contact`."""
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


def _chosen(context: Context) -> NextStep | None:
    message = context.message
    if not context.known_stays or message.topics:
        return None
    if context.lost:
        return NextStep("pick", "clarify", "the last answer lists no such number")
    if context.slots.rest:
        return NextStep("availability", "availability", "what the last answer left out")
    if "rooms_info" not in context.intents and (message.pick or "cheapest" in context.intents):
        return NextStep("availability", "availability", "one of the stays offered")
    return None


def _rooms(context: Context) -> NextStep | None:
    message = context.message
    if (
        "rooms_info" not in context.intents
        or message.wish.rooms
        or (context.known_stays and message.wish.room_types and message.follow_up and "compare" not in context.intents)
        or (context.known_stays and {"price", "compare"} <= context.intents)
    ):
        return None
    return NextStep("rooms", "rooms", "a question about the rooms themselves")


def _of_a_room(context: Context) -> NextStep | None:
    """`Is the bed in the deluxe one big or two small?`: what the room is, not whether it is free."""
    message = context.message
    what = re.match(r"\W*(?:what(?:'?s)?|מה)\b", message.text.lower())
    named = message.wish.room_types and (what or (_asks(message) and content_words(message.wish.plain)))
    facts = context.slots.room_facts
    topics, known = context.slots.topics, context.known_stays and not facts
    other = message.dates or message.searches or topics or message.change or known
    if not named or other or context.intents & {"price", "cheapest", "book"}:
        return None
    context.slots.adults, context.slots.assumed = (context.before or HotelSlots()).adults, []
    return NextStep("rooms", "rooms", "a question about the rooms themselves")


def _same_stay(context: Context) -> NextStep | None:
    message = context.message
    wishes = message.changes_stay or message.wish.wishes or message.wish.several_boards
    speaks_of_it = {"price", "compare"} if _of_service(message) else {"price", "compare", "lodging"}
    asks_again = wishes or (context.intents & speaks_of_it and not message.topics)
    pointed = context.before is not None and context.slots.room_types != context.before.room_types
    if context.known_stays and (asks_again or (pointed and not message.topics)):
        return NextStep("availability", "availability", "the earlier stay, for other guests or rooms")
    return None


_IN_THE_ROOM = re.compile(
    r"\b(?:in|to|into|inside) (?:the|our|my) (?:hotel )?(?:room|suite)\b|(?<![א-ת])[בל](?:חדר|סוויטה)(?![א-ת])(?! (?:1|אח[דת]|נפרד|אחר|זה))"
)


def _of_service(message: ParsedMessage) -> bool:
    """`Can you put flowers in the room?`: what is to be in the room, not whether it is free."""
    of_stay = message.changes_stay or message.wish.apart or message.wish.wishes or message.unplaced
    return bool(
        not of_stay
        and _asks(message)
        and _IN_THE_ROOM.search(message.text.lower())
        and content_words(message.wish.plain)
    )


def _facts(context: Context) -> NextStep | None:
    if context.message.topics:
        return NextStep("hotel_info", "hotel_info", "a question about the hotel")
    return None


_OF_STAYS = frozenset({"lodging", "price", "book", "wish", "compare", "cheapest"})
_ABOUT_STAY = (_OF_STAYS - {"lodging", "wish"}) | {"rooms_info", "cancel", "modify", "find", "another", "greeting"}
_NOT_OF_HOTEL = frozenset({"price", "compare", "cheapest", "help"})


_STAYS = re.compile(
    r"\b(?:rooms?|(?<!at )nights?|stay|availab\w*|vacanc\w*|suites?)\b|חדר|לילות|(?<!ב)לילה|פנוי|מקום|סוויט|זמינות"
)
_OF_ROOMS = re.compile(
    r"^\W*(?:is|are|do|does|how) (?:the|your|all the) (?:rooms?|beds?)\b|^\W*(?:האם )?ה(?:חדר|חדרים|מיטות) "
)
"""`Are the rooms loud?`: asked of what the rooms are like."""


def _about_hotel(context: Context) -> NextStep | None:
    """A question that names neither a stay nor anything known: it is looked up in the guest's own words."""
    message, text = context.message, context.message.text.strip()
    of_hotel, content = "hotel" in context.intents or _of_service(message), content_words(message.wish.plain)
    asks = _asks(message) and (of_hotel or (content and not context.known_stays))
    of_rooms = _OF_ROOMS.search(text.lower())
    of_stay = _STAYS.search(text.lower()) and not ((of_hotel or of_rooms) and content)
    dated = message.dates and not _is_of_sabbath(context)
    strange = of_stay or dated or message.changes_stay or message.wish.wishes
    if not asks or strange or context.intents & _NOT_OF_HOTEL or len(text) > MAX_TOPIC:
        return None
    context.slots.topics = [" ".join(_IN_THE_ROOM.sub(" ", text).rstrip("?!. ").split())]
    return NextStep("hotel_info", "hotel_info", "a question about the hotel, in the guest's own words")


def _undated(context: Context) -> NextStep | None:
    asks = context.intents & {"wish", "lodging", "price", "cheapest", "compare", "book"}
    if asks or context.message.changes_stay or context.message.pick:
        return NextStep("availability", "clarify", "a stay without dates")
    return None


def _small_talk(context: Context) -> NextStep | None:
    for intent in ("thanks", "help", "greeting", "accept", "decline"):
        if intent == "accept" and intent in context.intents and context.slots.booking.made:
            return NextStep("stands", "reply", "a yes that is to nothing asked, after a booking")
        if intent in context.intents:
            return NextStep(intent, "reply", "small talk")
    return None


def _unread(context: Context) -> NextStep:
    return NextStep("unread", "refuse", "nothing in it is about a stay here")


_RULES: tuple[Callable[[Context], NextStep | None], ...] = (
    _orders,
    _answered,
    _guest_changed,
    _status,
    _complains,
    _noted,
    _waits,
    _repeated,
    _stopped,
    _elsewhere,
    _for_reception,
    _told_before,
    _calendar_day,
    _own_bookings,
    _private,
    _declined,
    _past_price,
    _of_that_fact,
    _why,
    _some_nights,
    _broken_dates,
    _party_limits,
    _rooms_apart,
    _day_visit,
    _corrected,
    _booking,
    _dated,
    _moved,
    _chosen,
    _rooms,
    _of_a_room,
    _same_stay,
    _facts,
    _about_hotel,
    _undated,
    _small_talk,
    _unread,
)


def planned_calls(
    step: NextStep, slots: HotelSlots, pending: PendingWrite | None, *, today: date, profile: PropertyProfile
) -> list[ToolCall]:
    """The calls of the step, calendar calls first, so that calls of one kind run together."""
    if step.speaks:
        return []
    if step.action in ("book", "cancel", "find"):
        if step.again and pending:
            return [_again(pending, slots)]
        topics = [*slots.topics, *(["pets"] if slots.pets else [])] if step.action == "book" else []
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


def booking_calls(action: str, slots: HotelSlots) -> list[ToolCall]:
    """A quote and its booking; or the one call about an existing booking."""
    if action == "book":
        stay = slots.stays[0]
        dates = stay_args(*stay_ends(stay))
        terms = {} if slots.refundable is None else {"refundable": slots.refundable}
        create = {"quote_id": _ref("quote", "quote_id"), **guest_args(slots)}
        quote = _call("quote", "quote_stay", {**dates, **party_args(slots, stay), **terms})
        return [quote, _call(BOOK, BOOK, create)]
    tool = CANCEL if action == "cancel" else "get_booking"
    return [_call(tool, tool, {"reference": slots.booking.reference, "surname_or_email": slots.booking.holder})]


def guest_args(slots: HotelSlots) -> dict[str, Any]:
    """Who books, as `create_booking` takes it."""
    return {f"guest_{name}": value for name, value in slots.guest.model_dump().items() if value}


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
    checks = [
        _call(_numbered("check_availability", n), "get_availability", {**dates, **party_args(slots, stay)})
        for n, (stay, dates) in enumerate(zip(slots.stays, stays, strict=True), 1)
    ]
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


def result(step: NextStep, slots: HotelSlots, calls: list[ToolCall], reply: str | None) -> PlanningResult:
    """The plan as the engine takes it."""
    return {
        "status": "done",
        "action": step.action if step.action != "hand_over" else step.intent,
        "reasoning": step.why,
        "slots": slots.model_dump(mode="json"),
        "tools": calls,
        "reply": reply,
    }
