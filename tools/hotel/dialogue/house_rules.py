"""Rules for questions about the house and its rooms, and for the days that they are about."""

import re

from wavegraph.tools.hotel.dates import DatePhrase
from wavegraph.tools.hotel.dialogue.next_step import MAX_TOPIC, Context, NextStep, all_as_before, as_before, is_question
from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.inventory.topics import content_words
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.message import OF_STAYS, ParsedMessage, is_sabbath
from wavegraph.tools.hotel.reading.period import is_weekdays
from wavegraph.tools.hotel.reading.topics import read_topics


def of_that_fact(context: Context) -> NextStep | None:
    """`Is that per night?`, `and prices?`, `and on Saturday?` after a fact: the same again, never a stay."""
    message, before, intents, known = context.message, context.before, context.intents, context.known_stays
    told = before is not None and before.intent == "hotel_info" and (before.topics or before.room_facts)
    if before is None or not told or message.topics or message.searches:
        return None
    wish = message.wish
    if wish.room_types or wish.board or message.guest.given or message.pick or intents & _NOT_OF_FACTS:
        return None
    of_children = before.topics == ["kids"] and message.party.ages and not known
    day = not known and message.dates and all(is_sabbath(each) or is_weekdays(each) for each in message.dates)
    if not (of_children or day) and (message.dates or message.party.given):
        return None
    if "price" in intents and known and not re.search(r"\bper \w+\b", message.text):
        return None
    plain = not known and "lodging" not in intents and ("price" in intents or day)
    if not plain and not (is_question(message) and ("of_fact" in intents or of_children)):
        return None
    all_as_before(context)
    context.slots.topics, context.slots.room_facts = list(before.topics), list(before.room_facts)
    return NextStep("hotel_info", "hotel_info", "more about the fact just told")


_NOT_OF_FACTS = frozenset(
    {"book", "cancel", "modify", "find", "decline", "thanks", "compare", "cheapest", "rooms_info"}
)


def calendar_day(context: Context) -> NextStep | None:
    """`Is it still Passover then?`: the days of the holiday; the stay spoken of remains."""
    message = context.message
    of_stays = OF_STAYS - ({"wish", "lodging"} if context.known_stays else {"wish"})
    if not message.asks_day or message.changes_stay or context.intents & of_stays:
        return None
    holidays = context.slots.stays
    as_before(context)
    context.slots.holidays = holidays
    return NextStep("holiday", "holiday", "when a holiday is")


def day_visit(context: Context) -> NextStep | None:
    """`40 of us for lunch, no sleeping`: rooms are not looked for; reception arranges visits."""
    if "day_visit" not in context.intents:
        return None
    context.slots.stays, context.slots.searches = [], []
    context.slots.topics = [*context.message.topics, "contact"]
    return NextStep("hotel_info", "hotel_info", "a visit without a night")


def is_of_sabbath(context: Context) -> bool:
    """`Is there a hot plate in the room for Shabbat?`: the day that the question is about, no stay."""
    message = context.message
    if message.dates and all(_is_the_day_of_a_fact(phrase, message) for phrase in message.dates):
        return True
    alone = message.dates and all(is_sabbath(phrase) for phrase in message.dates) and not message.party.given
    asks = bool(message.topics) or (is_question(message) and content_words(message.wish.plain))
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


_SATURDAY = re.compile(r"^\W*(?:on )?ב?(?:יום )?(?:saturdays?|sat|שבת)\W*$")


def room_question(context: Context) -> NextStep | None:
    message = context.message
    if (
        "rooms_info" not in context.intents
        or message.wish.rooms
        or (context.known_stays and message.wish.room_types and message.follow_up and "compare" not in context.intents)
        or (context.known_stays and {"price", "compare"} <= context.intents)
    ):
        return None
    return NextStep("rooms", "rooms", "a question about the rooms themselves")


def of_a_room(context: Context) -> NextStep | None:
    """`Is the bed in the deluxe one big or two small?`: what the room is, not whether it is free."""
    message = context.message
    what = re.match(r"\W*(?:what(?:'?s)?|מה)\b", message.text.lower())
    named = message.wish.room_types and (what or (is_question(message) and content_words(message.wish.plain)))
    facts = context.slots.room_facts
    topics, known = context.slots.topics, context.known_stays and not facts
    other = message.dates or message.searches or topics or message.change or known
    if not named or other or context.intents & {"price", "cheapest", "book"}:
        return None
    context.slots.adults, context.slots.assumed = (context.before or HotelSlots()).adults, []
    return NextStep("rooms", "rooms", "a question about the rooms themselves")


_IN_THE_ROOM = re.compile(
    r"\b(?:in|to|into|inside) (?:the|our|my) (?:hotel )?(?:room|suite)\b|(?<![א-ת])[בל](?:חדר|סוויטה)(?![א-ת])(?! (?:1|אח[דת]|נפרד|אחר|זה))"
)


def of_service(message: ParsedMessage) -> bool:
    """`Can you put flowers in the room?`: what is to be in the room, not whether it is free."""
    of_stay = message.changes_stay or message.wish.apart or message.wish.wishes or message.unplaced
    return bool(
        not of_stay
        and is_question(message)
        and _IN_THE_ROOM.search(message.text.lower())
        and content_words(message.wish.plain)
    )


def house_facts(context: Context) -> NextStep | None:
    if context.message.topics:
        return NextStep("hotel_info", "hotel_info", "a question about the hotel")
    return None


_NOT_OF_HOTEL = frozenset({"price", "compare", "cheapest", "help"})
_STAYS = re.compile(
    r"\b(?:rooms?|(?<!at )nights?|stay|availab\w*|vacanc\w*|suites?)\b|חדר|לילות|(?<!ב)לילה|פנוי|מקום|סוויט|זמינות"
)
_OF_ROOMS = re.compile(
    r"^\W*(?:is|are|do|does|how) (?:the|your|all the) (?:rooms?|beds?)\b|^\W*(?:האם )?ה(?:חדר|חדרים|מיטות) "
)
"""`Are the rooms loud?`: asked of what the rooms are like."""


def about_hotel(context: Context) -> NextStep | None:
    """A question that names neither a stay nor anything known: it is looked up in the guest's own words."""
    message, text = context.message, context.message.text.strip()
    of_hotel, content = "hotel" in context.intents or of_service(message), content_words(message.wish.plain)
    asks = is_question(message) and (of_hotel or (content and not context.known_stays))
    of_rooms = _OF_ROOMS.search(text.lower())
    of_stay = _STAYS.search(text.lower()) and not ((of_hotel or of_rooms) and content)
    dated = message.dates and not is_of_sabbath(context)
    strange = of_stay or dated or message.changes_stay or message.wish.wishes
    if not asks or strange or context.intents & _NOT_OF_HOTEL or len(text) > MAX_TOPIC:
        return None
    context.slots.topics = [" ".join(_IN_THE_ROOM.sub(" ", text).rstrip("?!. ").split())]
    return NextStep("hotel_info", "hotel_info", "a question about the hotel, in the guest's own words")
