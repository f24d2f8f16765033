"""The forms of a model's replies at the desk, and the sentences they stand for: the templates' own words."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from wavegraph.graph.answer.replies import Instructions, OutOfScope, Quote, ReplyForm, Unclear
from wavegraph.graph.answer.words import asks, in_quotation_marks, sentences
from wavegraph.graph.domain import Replies
from wavegraph.graph.errors import ReplyRefused
from wavegraph.graph.ledger import GOOD, results
from wavegraph.graph.state import ToolCall
from wavegraph.graph.views import PlanningView, View
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.booking import TOOLS as BOOKING_TOOLS
from wavegraph.tools.hotel.answers.borne_out import Reading
from wavegraph.tools.hotel.answers.offers import type_name
from wavegraph.tools.hotel.answers.phrases import guest_language, joined, reception, say
from wavegraph.tools.hotel.answers.replies import cannot, guests_read
from wavegraph.tools.hotel.answers.unsaid import are_told
from wavegraph.tools.hotel.asked_about import is_unseen
from wavegraph.tools.hotel.dates import find_dates, resolve
from wavegraph.tools.hotel.dates.records import DateError
from wavegraph.tools.hotel.dialogue.cannot import CANNOT, Thing
from wavegraph.tools.hotel.dialogue.next_step import MAX_ADULTS, MAX_ROOMS
from wavegraph.tools.hotel.dialogue.slots import slots_before
from wavegraph.tools.hotel.held import are_looked_for
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for
from wavegraph.tools.hotel.reading.amounts import figures_in
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.said import said_guests
from wavegraph.tools.hotel.stay_arguments import LOOK_UPS

Missing = Literal[
    "dates", "nights", "guests", "adults", "ages", "rooms", "stay", "room", "name", "contact", "reference", "holder",
    "budget", "topic",
]  # fmt: skip
MOST_OPTIONS = 8
OLDEST_CHILD = 17
_TO_BOOK = frozenset({"room", "stay", "name", "contact"})
"""The answer that shows what is free asks for these itself."""
_ASKED_TOGETHER: Sequence[tuple[frozenset[str], str]] = (
    (frozenset({"dates", "guests"}), "ask_dates_and_guests"),
    (frozenset({"name", "contact"}), "ask_name_and_contact"),
    (frozenset({"reference", "holder"}), "ask_reference_and_holder"),
)


class Greeting(ReplyForm):
    """Small talk alone; `help`: what you can do here, `later`: "I'll think about it"."""

    say: Literal["greeting"]
    kind: Literal["hello", "help", "thanks", "goodbye", "later"]


class Ask(ReplyForm):
    """What is needed and was not given, all at once; `holder`: the surname or e-mail address of a booking, `topic`: what
    they want to know of the house."""

    say: Literal["ask"]
    what: Annotated[list[Missing], Field(min_length=1)]


class Which(ReplyForm):
    """Its words may mean several `rooms` (codes) or several `dates`."""

    say: Literal["which"]
    quote: Quote
    rooms: list[str] | None = None
    dates: list[date] | None = None


class ReadBack(ReplyForm):
    """Tells what you read and asks whether it is right; `quote`: words it says you did not understand; of uncounted people
    it asks how many. What was not said, or must be looked up, is left out."""

    say: Literal["read_back"]
    check_in: date | None = None
    check_out: date | None = None
    adults: int | None = None
    children_ages: list[int | None] | None = None
    rooms: int | None = None
    quote: Quote | None = None


class DateProblem(ReplyForm):
    """A date that does not exist, is past, or departs before arrival."""

    say: Literal["date_problem"]
    quote: Quote


class NoAdult(ReplyForm):
    """Children come without an adult."""

    say: Literal["no_adult"]


class Cannot(ReplyForm):
    __doc__ = "What the desk cannot do; `thing`: " + ", ".join(
        f"`{thing}` ({limit.when})" for thing, limit in CANNOT.items()
    )

    say: Literal["cannot"]
    thing: Thing
    quote: Quote


FORMS: Sequence[type[ReplyForm]] = (
    Greeting,
    Ask,
    Which,
    ReadBack,
    DateProblem,
    NoAdult,
    Cannot,
    OutOfScope,
    Instructions,
    Unclear,
)


def _is_answered(words: str, view: View, told: str, profile: PropertyProfile) -> bool:
    """Whether an answer tells the stays that words of the request name, or all that the words ask for; or the piece that begins
    so says who comes, and nothing else: each stay is held against that."""
    piece = next((each for each in view.pieces if words.removesuffix("…") in each), words)
    message = read(piece, today=view.today, profile=profile)
    if said_guests(message) and not (message.topics or asks(piece)):
        return True
    return bool(told) and (are_looked_for(words, view, profile) or are_told(words, told, profile.topics))


def hotel_replies(profile_of: ProfileOf | None = None) -> Replies:
    """`profile_of`: as for `HotelOffline`."""

    def words(form: Any, view: PlanningView) -> str:
        return _Desk(view, profile_for(view.settings, profile_of)).words(form)

    def beside(form: Any, view: PlanningView, calls: Sequence[ToolCall]) -> str:
        return _Desk(view, profile_for(view.settings, profile_of), calls).beside(form)

    def nothing_more(words: Sequence[str], view: View, told: str) -> str:
        profile = profile_for(view.settings, profile_of)
        asked = [each for each in words if not _is_answered(each, view, told, profile)]
        unseen = [each for each in asked if is_unseen(each, view, profile)]
        parts = {"not_looked_up": unseen, "nothing_more": [each for each in asked if each not in unseen]}
        contact, language = reception(profile), guest_language(view.request["language"])
        said = [say(key, language, words=in_quotation_marks(each)) for key, each in parts.items() if each]
        whom = f"; {say('reception_tells', language, contact=contact)}" if contact and contact not in told else ""
        return f"{'; '.join(said)}{whom}." if said else ""

    return Replies(forms=FORMS, text=words, beside=beside, nothing_more=nothing_more)


class _Desk:
    """The sentences for one request."""

    def __init__(self, view: PlanningView, profile: PropertyProfile, calls: Sequence[ToolCall] = ()) -> None:
        self.calls = [*view.ledger["calls"].values(), *calls]
        self.looks = any(call["tool"] in LOOK_UPS for call in self.calls)
        self.request = Reading(view, profile)
        before = slots_before(view)
        ended = [outcome for ledger in view.ledgers for outcome in results(ledger).values()]
        shown = any(each["tool"] in BOOKING_TOOLS and each["status"] in GOOD for each in ended)
        self.has_booked = shown or (before is not None and bool(before.booking.reference))
        self.profile = profile
        self.today = view.today
        self.language = guest_language(view.request["language"])

    def words(self, form: ReplyForm) -> str:
        """Where it is the answer."""
        match form:
            case Greeting():
                return self._say({"hello": "greeting"}.get(form.kind, form.kind))
            case DateProblem():
                return self._say(f"bad_date_{self._fault(form.quote)}", words=form.quote)
            case OutOfScope():
                return f"{self.beside(form)} {self._say('here_for')}"
            case Instructions():
                self.request.bears_orders()
                return self._say("order")
            case Unclear(quote=None):
                self.request.leaves("unclear", self.request.message.text)
                return self._say("unread")
        return self.beside(form)

    def beside(self, form: ReplyForm) -> str:
        """Beside calls, whose results are told with it."""
        match form:
            case Greeting():
                return " ".join(each for each in sentences(self._say("help")) if not asks(each))
            case Ask():
                left = self.request.left_open(form.what, self.calls)
                return self._asked([each for each in left if not (self.looks and each in _TO_BOOK)])
            case Which():
                return self._say("which_of", words=form.quote, options=" / ".join(self._options(form)))
            case ReadBack():
                read = self._read_back(form)
                return "" if self.looks else read  # what was looked up is told with its own headings
            case DateProblem():
                why = self._say(f"problem_{self._fault(form.quote)}")
                return self._say("date_problem", words=form.quote, why=why)
            case NoAdult():
                self.request.bears_no_adult(self.calls)
                return self._say("no_adults")
            case Cannot(thing="nothing_booked") if self.has_booked:
                raise ReplyRefused("something was booked in this conversation: plan `cancel_booking` with its number")
            case Cannot():
                self.request.bears_cannot(form.thing, form.quote, self.calls)
                told = cannot(form.thing, self.profile, self.language)
                return f"{self._say('quoted', words=form.quote)}: {told}"
            case OutOfScope():
                self.request.leaves("out_of_scope", form.quote)
                return self._say("off_topic_words", words=form.quote)
            case Unclear(quote=None):
                self.request.leaves("unclear", self.request.message.text)
                return self._say("unread_part")
            case Unclear():
                self.request.leaves("unclear", form.quote or "")
                return self._say("not_placed_what", words=self._say("quoted", words=form.quote))
        self.request.bears_orders()
        return self._say("order_part")

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def _asked(self, what: Sequence[str]) -> str:
        """The questions, those that are asked together as one."""
        left = list(dict.fromkeys(what))
        said = [self._say("none_made_here")] if "reference" in left and not self.has_booked else []
        for together, key in _ASKED_TOGETHER:
            if together <= set(left):
                said.append(self._say(key))
                left = [name for name in left if name not in together]
        return " ".join([*said, *(self._say(_QUESTIONS[name]) for name in left)])

    def _options(self, form: Which) -> list[str]:
        rooms, dates = list(dict.fromkeys(form.rooms or ())), sorted(set(form.dates or ()))
        if bool(rooms) == bool(dates) or not 2 <= len(rooms or dates) <= MOST_OPTIONS:
            raise ReplyRefused(
                f"two to {MOST_OPTIONS} `rooms` or `dates`, not both; got {form.rooms!r}, {form.dates!r}"
            )
        if strange := [code for code in rooms if self.profile.room(code) is None]:
            known = [room.code for room in self.profile.rooms]
            raise ReplyRefused(f"there is no room type {strange[0]!r}; there are {known}")
        if past := [day for day in dates if day < self.today]:
            raise ReplyRefused(f"{past[0]} is past; today is {self.today}")
        self.request.bears_rooms(form.quote, [*filter(None, map(self.profile.room, rooms))])
        self.request.bears_dates(form.quote, dates)
        told = [type_name(code, self.profile, self.language) for code in rooms]
        return told or [date_text.full_day(day, self.language) for day in dates]

    def _read_back(self, form: ReadBack) -> str:
        parts = [each for each in (self._stay(form.check_in, form.check_out), self._guests(form)) if each]
        self.request.bears_stay(form.check_in, form.check_out)
        self.request.bears_guests(form.adults, form.children_ages, form.rooms)
        said = [self._say("read", what="; ".join(parts))] if parts else []
        if form.quote and self._is_uncounted(form.quote):
            return " ".join([*said, f"{self._say('quoted', words=form.quote)}: {self._say('ask_guests')}"])
        if form.quote:
            said.append(self._say("not_placed", words=self._say("quoted", words=form.quote)))
        if not said:
            raise ReplyRefused(
                "it reads nothing back: give dates, guests or a `quote`; what is missing is asked by `ask`"
            )
        return " ".join([*said, self._say("is_it_right" if parts else "what_is_meant")])

    def _is_uncounted(self, words: str) -> bool:
        """Whether they name people without a number: `me and some friends`."""
        party = read(words, today=self.today, profile=self.profile).party
        return bool(party.open or party.uncounted) and not figures_in(fold(words))

    def _stay(self, first: date | None, last: date | None) -> str:
        if first and first < self.today:
            raise ReplyRefused(f"check_in {first} is past; today is {self.today}: say `date_problem` with its words")
        if first and last and last <= first:
            raise ReplyRefused(f"check_out {last} is not after check_in {first}: say `date_problem` with its words")
        if first and last:
            return date_text.stay(first, last, self.language)
        if last and last <= self.today:
            raise ReplyRefused(f"check_out {last} is not after today, {self.today}")
        ends = ((first, "read_arrival"), (last, "read_departure"))
        return "".join(self._say(key, day=date_text.full_day(day, self.language)) for day, key in ends if day)

    def _guests(self, form: ReadBack) -> str:
        ages, adults, rooms = form.children_ages or [], form.adults, form.rooms
        if adults is not None and not 1 <= adults <= MAX_ADULTS:
            raise ReplyRefused(f"adults = {adults}: 1 to {MAX_ADULTS}; without an adult say `no_adult`")
        if rooms is not None and not 1 <= rooms <= MAX_ROOMS:
            raise ReplyRefused(f"rooms = {rooms}: 1 to {MAX_ROOMS}")
        if strange := [age for age in ages if age is not None and not 0 <= age <= OLDEST_CHILD]:
            raise ReplyRefused(f"a child's age of {strange[0]}: 0 to {OLDEST_CHILD}")
        return guests_read(adults, ages, rooms, self.language)

    def _fault(self, words: str) -> DateError:
        """What is wrong with a date, by the calendar and not by who says so."""
        found = resolve(words, today=self.today, **self.profile.customs)
        phrases = find_dates(words, today=self.today, **self.profile.customs)
        errors = [each.error for each in (found, *(phrase.resolution for phrase in phrases)) if each.error]
        if hard := [error for error in errors if error != "unclear"]:
            self.request.bears_date_problem(words)
            return hard[0]
        stays = [f"{stay.check_in} to {stay.check_out}" for stay in found.stays]
        read = f"the calendar reads it as {joined(stays, 'en')}: plan that" if stays else "it is no date that is wrong"
        raise ReplyRefused(f"nothing is wrong with {words!r}: {read}; words that may mean several days are `which`")


_QUESTIONS = {
    "dates": "ask_dates",
    "nights": "ask_nights",
    "guests": "ask_guests",
    "adults": "ask_adults",
    "ages": "ask_ages",
    "rooms": "ask_rooms",
    "stay": "ask_which_stay",
    "room": "choose_room",
    "name": "ask_name",
    "contact": "ask_contact",
    "reference": "ask_reference",
    "holder": "ask_holder_of_it",
    "budget": "ask_budget",
    "topic": "ask_topic",
}
