"""Combines the readers: one message in, one `ParsedMessage` out, without regard to earlier messages."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from wavegraph.tools.hotel.dates import DatePhrase, find_dates, resolve
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.dates.resolution import MONTH_NAMES, setting
from wavegraph.tools.hotel.inventory.property_data import RoomKind, Topic
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.clauses import (
    asks_the_day,
    in_doubt,
    may_be_ages,
    of_the_stay,
    recalls,
    unused,
    without_repeats,
)
from wavegraph.tools.hotel.reading.figures import Kind, free_for, units
from wavegraph.tools.hotel.reading.followup import (
    CORRECTS,
    REFERS,
    Pick,
    StayChange,
    adds_guests,
    days_in_month,
    left_out,
    length_alone,
    one_room_or,
    read_change,
    read_pick,
)
from wavegraph.tools.hotel.reading.guest import GuestWords, Span, read_guest, read_reference
from wavegraph.tools.hotel.reading.hours import HOURS, without_clock
from wavegraph.tools.hotel.reading.intent import read_intents, without_commands
from wavegraph.tools.hotel.reading.language import is_foreign
from wavegraph.tools.hotel.reading.money import Budget, read_money
from wavegraph.tools.hotel.reading.normalise import blank, clean, fold, overwritten, prepared, spans_in
from wavegraph.tools.hotel.reading.notes import read_note
from wavegraph.tools.hotel.reading.party import Party, age_spans, impossible_counts, read_party
from wavegraph.tools.hotel.reading.period import (
    CHEAP,
    Search,
    from_now,
    is_weekdays,
    outside,
    read_searches,
    until_then,
)
from wavegraph.tools.hotel.reading.plain_words import unread_words
from wavegraph.tools.hotel.reading.rooms import RoomWish, read_rooms, without_rooms
from wavegraph.tools.hotel.reading.topics import SHABBAT_FACTS, SPECIAL, TOPICS, of_the_house, read_topics
from wavegraph.tools.hotel.reading.verdict import read_verdict

_NOT_DATES = re.compile(
    r"\b24\s?/\s?7\b|\b(?:wg|bk|res|ref)[\s-]?[a-z0-9]*\d[a-z0-9]*\b|#\s?\d+|"
    r"\b(?:booking|reservation|reference|confirmation)(?: number| no\.?| code)?[\s:#]*\d{4,}|\b\d{1,2}:\d{2}\b|\bmars\b|"
    r"(?<![א-ת])[והבלמכש]{0,2}ארוח(?:ת|ות) ה?(?:ערב|בוקר|צהריים)(?![א-ת])"
)
"""Booking numbers, clock times and meals: digits and `הערב` that are not dates."""
OF_STAYS = frozenset({"lodging", "price", "book", "wish", "compare", "cheapest"})
_BARE_WEEKEND = frozenset({"weekend", "the weekend", "weekends", "סוף שבוע", "סופש", 'סופ"ש', "סופ״ש"})
_BARE_SABBATH = frozenset({"shabbat", "shabbos", "שבת"})
"""A Sabbath that is no stay beside a date: part of a name, of a wish, or of what is celebrated."""
REMEMBERED = 64
"""Messages whose reading is kept: a plan's checks ask several times for those of one conversation."""


@dataclass(frozen=True)
class ParsedMessage:
    """What one message says, on its own."""

    text: str
    """The message without the orders it gave to the system."""
    ordered: bool
    """Whether it gave such orders."""
    dates: tuple[DatePhrase, ...]
    searches: tuple[Search, ...]
    """Stays to be found in a period, instead of dates."""
    party: Party
    parties: tuple[Party, ...]
    """One for each of the dates, where each names its own; else empty."""
    recalls: bool
    """It tells of an earlier stay."""
    asks_day: bool
    """It asks when its holidays are."""
    scattered: bool
    """Its dates are not offered side by side."""
    wish: RoomWish
    budget: Budget | None
    floor: str
    """The minimum price, in the guest's words; empty = not given."""
    topics: tuple[str, ...]
    intents: frozenset[str]
    rooms_too: bool
    """It also asks about the rooms themselves."""
    change: StayChange | None
    pick: Pick | None
    follow_up: bool
    corrects: bool
    """It takes something of an earlier message back."""
    left_out: frozenset[str]
    """Who is not coming after all: `children`, `babies`."""
    adds_guests: bool
    """The guests named come on top of those known."""
    guest: GuestWords
    note: str | None
    """What the guest wants noted with a booking, word for word."""
    reference: str | None
    """Number of a booking, as typed."""
    unplaced: tuple[str, ...]
    """The guest's words that could carry a person, number, date, room or price and that no reading has used, in order."""
    strangers: tuple[str, ...]
    """Those of them that name or count people, or are a plain number."""
    impossible: str
    """An impossible number of guests or rooms, as written; empty = none."""
    unread: tuple[str, ...]
    """Its words that no reading of dates, guests, rooms and money has used, and that may change what these say."""
    or_rooms: int
    """`One room or two?`: rooms that are to be compared with one; 0 = none."""
    other_language: bool
    """Neither English nor Hebrew, apart from the names of the property's rooms."""
    figures: Mapping[Kind, Sequence[Span]]
    """Where in the text the figures stand that are for something."""

    @property
    def doubtful(self) -> bool:
        """Whether it gives several numbers of guests, or dates that are not offered side by side."""
        return (self.party.disputed and bool(self.unplaced)) or (
            self.scattered and not self.intents & {"compare", "cheapest"}
        )

    @property
    def stays(self) -> bool:
        """Whether any date phrase resolves to a stay."""
        return bool(self.searches) or any(phrase.resolution.stays for phrase in self.dates)

    @property
    def asks_the_hour(self) -> bool:
        """`Our flight is late on 8 May, can we keep the room?`: its dates are the days that the question is about."""
        only_hours = bool(self.topics) and {*self.topics} <= HOURS | {"minimum stay"}
        return only_hours and not (self.party.given or self.changes_stay)

    @property
    def changes_dates(self) -> bool:
        """Whether it moves or lengthens the earlier stay; a length beside a topic may be that of something else."""
        return self.change is not None and (
            self.change.moves or self.change.nights_more != 0 or not self.topics or length_alone(self.text)
        )

    @property
    def changes_stay(self) -> bool:
        """Whether it says anything about who is coming, or which room on which terms."""
        wish = self.wish
        wishes = (wish.rooms, wish.board, wish.refundable, self.budget)
        return (
            self.party.given
            or bool(self.left_out)
            or self.party.no_adults
            or bool(wish.room_types)
            or wish.any_type
            or any(s is not None for s in wishes)
        )


def read(text: str, *, today: date, profile: PropertyProfile, asks_name: bool = False) -> ParsedMessage:
    """Read one message with this property's calendar, currency and rooms. `asks_name`: it may answer whose booking it is."""
    return _read(text, today, profile, asks_name)


@lru_cache(maxsize=REMEMBERED)
def _read(text: str, today: date, profile: PropertyProfile, asks_name: bool) -> ParsedMessage:
    legitimate, ordered = without_commands(clean(text))
    folded = fold(legitimate)
    whole, origin = prepared(folded)
    budget, floor, money_spans = read_money(folded, profile.currency, legitimate)
    guest, reference = read_guest(legitimate, asked=asks_name), read_reference(legitimate)
    note = read_note(legitimate)
    or_rooms, sharing = one_room_or(whole)
    numbers = [*guest.spans, *_span_of(reference, legitimate), *spans_in(origin, sharing)]
    ages = age_spans(whole)
    taken = [*money_spans, *numbers, *spans_in(origin, ages)]
    impossible = spans_in(origin, impossible_counts(whole))
    taken += impossible
    taken += [m.span() for m in _NOT_DATES.finditer(folded)]
    change, change_spans = read_change(blank(whole, ages))
    moved = spans_in(origin, change_spans) if change and change.moves else []
    phrases = _dates(legitimate, folded, [*taken, *moved], today, profile)
    if moved and phrases:  # `tomorrow or the day after`: it refers to a date of this message
        phrases, change, moved = _dates(legitimate, folded, taken, today, profile), None, []
    if change and not moved and any(phrase.resolution.error != "unclear" for phrase in phrases):
        change = None  # `just 2 nights` beside a date is that stay's own length
    elif change and not moved:
        phrases, moved = [p for p in phrases if p.window], spans_in(origin, change_spans)
    phrases = _by_their_dates(phrases)
    kept, excluded = of_the_stay(folded, [each for each in phrases if not _is_noted(each, note)])
    kept = _in_month_of_occasion(kept, phrases, today, profile)
    searches, dates = read_searches(
        blank(folded, money_spans),
        until_then(folded, without_repeats(folded, kept), today),
        setting(today, 1, **profile.customs).weekend,
        limited=budget is not None,
    )
    searches = outside(searches, excluded)
    spans = [*money_spans, *numbers, *impossible, *moved, *(span for phrase in phrases for span in _spans_of(phrase))]
    rest, _ = prepared(blank(folded, spans))
    people, place = prepared(blank(folded, [*spans, *(m.span() for m in _NOT_DATES.finditer(folded))]))
    party = read_party(people)
    parties = _parties(blank(folded, spans), dates)
    apart, beside = prepared(blank(folded, [*spans, *spans_in(origin, ages)]))
    wish = read_rooms(rest, profile.rooms, "" if legitimate.isupper() else blank(legitimate, spans))
    strangers = spans_in(place, [] if parties else [*party.open])
    asked = without_clock(_SALUTATION.sub(" ", wish.plain))
    not_alone = bool(phrases or party.given)
    house = of_the_house(asked, profile, wish.room_types, beside=not_alone)
    of_rooms = any(isinstance(each, RoomKind) for each in house)
    intents = read_intents(rest) | read_intents(wish.plain) | (read_intents(whole) & {"cancel", "elsewhere", "privacy"})
    if verdict := read_verdict(folded):  # a yes, or a courtesy, says nothing else: `go ahead`, `ok thanks`
        intents = frozenset({verdict}) if verdict in ("accept", "thanks") else intents | {verdict}
    topics = [*_topics(wish, guest, bool(phrases), house), *_in_unclear(phrases)]
    noted = read_topics(fold(note)) if note else ()
    guests = spans_in(place, [*party.words])
    aged = [span for span in guests if legitimate[slice(*span)] in map(str, party.ages)]
    figures: dict[Kind, Sequence[Span]] = {
        **{kind: spans_in(origin, found) for kind, found in units(whole).items()},
        "money": money_spans,
        "age": [*spans_in(origin, ages), *aged],
        "date": [span for phrase in phrases if phrase.resolution.stays for span in _spans_of(phrase)],
        "guest": guests,
        "contact": numbers,
    }
    left = sorted([*strangers, *spans_in(beside, unused(apart, dates, [each.nights for each in searches]))])
    return ParsedMessage(
        text=legitimate,
        ordered=ordered,
        dates=tuple(dates),
        searches=tuple(from_now(folded, searches, today)),
        party=parties[0] if parties else party,
        parties=parties,
        recalls=recalls(folded),
        asks_day=asks_the_day(folded, dates),
        scattered=in_doubt(blank(folded, money_spans), dates, bool(parties)) or may_be_ages(folded, dates),
        unplaced=tuple(dict.fromkeys(legitimate[start:end] for start, end in left)),
        strangers=tuple(dict.fromkeys(legitimate[start:end] for start, end in strangers)),
        wish=wish,
        budget=budget,
        floor=floor,
        topics=tuple(each for each in dict.fromkeys(topics) if each not in noted),
        intents=intents | {"rooms_info"} if of_rooms else intents,
        rooms_too=bool(phrases) and (of_rooms or _asks_for_rooms(rest)),
        change=change,
        pick=read_pick(whole),
        follow_up=bool(REFERS.search(whole) or CORRECTS.search(whole)),
        corrects=CORRECTS.search(whole) is not None,
        left_out=left_out(whole),
        adds_guests=adds_guests(rest) and (party.adults is None or party.others > 0),
        guest=guest,
        note=note,
        reference=reference,
        impossible=", ".join(legitimate[start:end] for start, end in impossible),
        unread=unread_words(
            blank(folded, [*spans, *spans_in(place, [*party.words]), *(m.span() for m in _NOT_DATES.finditer(folded))]),
            profile.rooms,
        ),
        or_rooms=or_rooms,
        other_language=is_foreign(without_rooms(legitimate, profile.rooms)),
        figures=figures,
    )


def free_texts(kind: Kind, texts: Iterable[str], *, today: date, profile: PropertyProfile) -> Iterator[str]:
    """The texts without the figures that are for something else."""
    for text in texts:
        message = read(text, today=today, profile=profile)
        yield free_for(kind, message.text, message.figures)


def _is_noted(phrase: DatePhrase, note: str | None) -> bool:
    """`Note that our flight lands on January 17`: a day of the note, and no stay."""
    nights = [stay.nights_explicit or stay.nights > 1 for stay in phrase.resolution.stays]
    return bool(note) and phrase.text in str(note) and not any(nights)


def _by_their_dates(phrases: Sequence[DatePhrase]) -> list[DatePhrase]:
    """`9-10 April 2 nights?? Friday to Sunday`: weekdays beside dates that do not fit are no stay of their own."""
    broken = any(each.resolution.error and re.search(r"\d", each.text) for each in phrases)
    return [each for each in phrases if not (broken and is_weekdays(each))]


def _in_unclear(phrases: Sequence[DatePhrase]) -> list[str]:
    """`Check-out on Saturday until when?`: a departure without an arrival asks for the hour."""
    words = [phrase.text.lower() for phrase in phrases if phrase.resolution.error == "unclear"]
    return [topic for text in words for topic in read_topics(text) if topic in ("check_in", "check_out")]


def _spans_of(phrase: DatePhrase) -> list[Span]:
    """The words of a date: `arriving 5 March with my two boys, leaving on the 8th` names guests in between."""
    if phrase.beside is None:
        return [(phrase.start, phrase.end)]
    first, last = phrase.beside
    return [(phrase.start, phrase.start + first), (phrase.start + last, phrase.end)]


def _span_of(part: str | None, text: str) -> list[Span]:
    if not part:
        return []
    start = text.index(part)
    return [(start, start + len(part))]


def _parties(rest: str, phrases: list[DatePhrase]) -> tuple[Party, ...]:
    """`Jan 5-7 for 2 adults and Feb 3-5 for 4`: the party beside each of the dates, before or after all of them."""
    if len(phrases) < 2:
        return ()
    cuts = [0, *(cut for phrase in phrases for cut in (phrase.start, phrase.end)), len(rest)]
    read = [read_party(prepared(rest[start:end])[0]) for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    sides = [each for each, other in ((read[1:], read[0]), (read[:-1], read[-1])) if not other.given]
    own = next((each for each in sides if all(party.adults is not None for party in each)), [])
    return tuple(own) if len(own) > 1 and not any(party.open for party in own) else ()


_CLAUSE = re.compile(r"[?.!;]|,? (?:and|also|but|plus) |,? (?=ו(?:האם|יש|אפשר|כמה|גם))")


def _asks_for_rooms(rest: str) -> bool:
    """`What rooms do you have, and are any free |||?`: a question about the rooms in a clause without dates."""
    asked = (clause for clause in _CLAUSE.split(rest) if "|" not in clause and not _WHAT_FITS.search(clause))
    return any("rooms_info" in read_intents(clause) for clause in asked)


_WHAT_FITS = re.compile(
    r"\b(?:suits?|fits?|recommend\w*|suggest\w*|best for)\b|(?<![א-ת])(?:מתאימ(?:ים|ות|ה)?|מתאים|מומלץ|כדאי|ממליצים)(?![א-ת])"
)
"""`What rooms would suit us?` is answered by what is free."""


def is_sabbath(phrase: DatePhrase) -> bool:
    """The bare word."""
    return phrase.text.strip(" ?!.,").lower() in _BARE_SABBATH


def _dates(text: str, folded: str, taken: list[Span], today: date, profile: PropertyProfile) -> list[DatePhrase]:
    facts = [m.span() for words in (SHABBAT_FACTS, _GREETING) for m in words.finditer(folded)]
    masked = _COMMA_BEFORE_END.sub(" ", overwritten(text, [*taken, *facts], " "))
    masked = _FROM_TO.sub(lambda found: " - ".ljust(len(found.group())), masked)
    masked = _LOOSE_PREFIX.sub(r"\1-", masked)
    phrases = [
        phrase.model_copy(update={"start": phrase.start + at, "end": phrase.end + at})
        for at, page in _pages(masked)
        for phrase in find_dates(page, today=today, **profile.customs)
    ]
    # `Which weekend is cheaper, January 15 or 22?`: the word alone names no weekend, the dates after it do.
    dated = [phrase for phrase in phrases if not is_sabbath(phrase)]
    phrases = dated or phrases
    named = [phrase for phrase in phrases if phrase.text.strip().lower() not in _BARE_WEEKEND]
    if not named or len(named) == len(phrases):
        return phrases
    return [_as_weekend(phrase, today, profile) for phrase in named]


_GREETING = re.compile(
    r"\b(?:happy|merry|chag|hag) (?:holidays?|new year(?!')|\w+(?! (?:week|eve)))\b|\b(?:shabbat shalom|(?:good|gut) shabb(?:os|es|at)|shavua tov)\b|"
    r"\b(?:until|till|by) when\b|(?<![א-ת])בינ(?:ו|ה|יהם|יהן) [לו]בין(?![א-ת])|(?<![א-ת])[בהלומ]{0,2}ארוח(?:ת|ות) ה?(?:ערב|בוקר|צהריים)(?![א-ת])|(?<![א-ת])(?:עד מתי|שבת שלום|שבוע טוב|שנה טובה|[א-ת]+(?:\"[א-ת])? שמחה?)(?![א-ת])"
)
"""`Happy Passover`, `מוצ"ש שמח`: a day that is wished, not asked for; and `until when`, which is no end of a stay."""
_COMMA_BEFORE_END = re.compile(r",(?= (?:to|until|till|through)\b| ?ו?עד(?![א-ת]))", re.IGNORECASE)
"""`from Monday, 8 February, to Thursday`."""
_FROM_TO = re.compile(r"(?<=\d) ל-?(?=\d{1,2} ?[בל](?!יל)[א-ת]{3})")
"""`5 ל-8 בינואר`."""
_LOOSE_PREFIX = re.compile(r"(?<![א-ת])([ומבלש]{0,2}ה) (?=\d{1,2}(?!\d))")
"""`מה 21 עד ה 25 באפריל`."""
_PAGE = 1800
"""Characters that the calendar is asked about at once; it reads no more of one text."""
_MOST_PAGES = 12


def _pages(text: str) -> Iterator[tuple[int, str]]:
    """A letter in pages of whole sentences, each with its place."""
    start = 0
    for _ in range(_MOST_PAGES):
        page = text[start : start + _PAGE]
        if len(page) == _PAGE:
            ends = [found.end() for found in re.finditer(r"[.?!](?=\s)|\n", page)] or [page.rfind(" ") + 1]
            page = page[: ends[-1] or _PAGE]
        yield start, page
        start += len(page)
        if start >= len(text):
            return


def _as_weekend(phrase: DatePhrase, today: date, profile: PropertyProfile) -> DatePhrase:
    """The weekend around a single day; any other phrase as it is."""
    if any(stay.nights_explicit or stay.nights > 1 for stay in phrase.resolution.stays):
        return phrase
    hint = f"weekend of {phrase.text}"
    found = resolve(hint, today=today, **profile.customs)
    return phrase.model_copy(update={"text": hint, "kind": "weekend", "resolution": found}) if found.stays else phrase


def _in_month_of_occasion(
    kept: Sequence[DatePhrase], named: Sequence[DatePhrase], today: date, profile: PropertyProfile
) -> list[DatePhrase]:
    """`Our anniversary is on March 3rd: two nights from the 2nd`: a day without a month is in the month of the occasion."""
    days = [stay.check_in for each in named if each not in kept for stay in each.resolution.stays]
    if len(days) != 1:
        return list(kept)
    month = f"{MONTH_NAMES[days[0].month - 1]} {days[0].year}"
    return [_in_month(each, month, today, profile) for each in kept]


def _in_month(phrase: DatePhrase, month: str, today: date, profile: PropertyProfile) -> DatePhrase:
    if any(lex.month or lex.written or lex.holiday for lex in lexemes(phrase.text)):
        return phrase
    words = days_in_month(phrase.text, month)
    found = resolve(words, today=today, **profile.customs)
    return phrase.model_copy(update={"text": words, "resolution": found}) if found.stays else phrase


_SALUTATION = re.compile(
    r"^\W*(?:dear|hi|hello|hey|to|שלום|היי|לכבוד)(?! (?:how|what|when|where|which|is|are|do|does|can|could|any|we|i|my|יש|כמה|האם|מה|מתי|אפשר|אנחנו|אני)(?![\w']))"
    r"(?: [^\s,.?!\d]{1,15}){1,4}(?:,|!|\n)"
)
_ASKS = re.compile(r"\?|^\W*(?:what|when|which|how|is|are|do|does|can|could)\b|^\W*(?:מה|מתי|איך|האם|אפשר|יש)(?![א-ת])")
_WAYS_TO_PAY = re.compile(
    r"\b(?:dollars?|euros?|pounds?|cash|cards?|credit|instal?l?ments?|bit|deposit)\b|דולר|יורו|אירו|מזומן|אשראי|תשלומים|פיקדון"
)
_WHAT_IT_IS = re.compile(
    r"\b(?:what|how)\b(?![^.?!]{0,15}\b(?:price|cost|much)\b)[^.?!,]{0,60}\b(?:includ\w+|means?|deposit|guarantee|work|differ\w*)\b|"
    r"\bwhat(?:'?s| is| exactly is) (?:an? |the |your )?(?:half|full|b ?&|bed and|non|flex|refund)|\b(?:if|can|could)\b[^.?!]{0,80}\b(?:still|later|afterwards|switch)\b|"
    r"(?<![א-ת])מה (?:זה |בעצם )?(?:כולל|נותן|אומר|חצי|לינה|ההבדל|זה)(?![א-ת])"
)
"""A question what a board or a rate is, not a wish for it."""
_OF_MEALS = re.compile(
    r"\bwhat time\b|\bwhen\b|\b(?:dinner|food|breakfast|meal) like\b|\bmenu\b|\bbuffet\b|\bhours\b|באיזו שעה|מתי|שעות|מה כולל"
)
"""What is asked of meals beside a wish for them."""
_SAME_WORDS: tuple[tuple[str, re.Pattern[str] | None, frozenset[str]], ...] = (
    ("cancellation", None, frozenset({"discounts", "kids"})),
    ("cancellation", _WAYS_TO_PAY, frozenset({"payment"})),
    ("vat", _WAYS_TO_PAY, frozenset({"payment"})),
    ("kids", _WAYS_TO_PAY, frozenset({"payment", "discounts", "age"})),
    ("bathtub", None, frozenset({"spa"})),
    ("surroundings", None, frozenset({"restaurant"})),
)
"""A topic, the words beside which others are asked about as well, and the topics that else its own words may seem to name."""
_OWN_HOTEL = re.compile(r"\byours?\b|\bhotel|\breception\b|שלכם|מלון|קבלה")


def _is_special(special: str, general: str, topics: Sequence[str], text: str) -> bool:
    """Whether the general topic is only named by the words of the special one."""
    return special in topics and general not in read_topics(SPECIAL[special].sub(" ", text))


def _topics(wish: RoomWish, guest: GuestWords, dated: bool, house: Sequence[Topic | RoomKind]) -> tuple[str, ...]:
    """Topics asked about, without those that are really wishes for the room."""
    rest = _SALUTATION.sub(" ", wish.plain)
    topics = tuple(topic for topic in read_topics(rest) if topic in TOPICS or not house)
    if any(isinstance(each, RoomKind) and each.code in wish.room_types for each in house):
        topics = ()
    spoken_for: set[str] = set()
    if (
        wish.board
        and not _OF_MEALS.search(rest)
        and (dated or not re.search(r"\bhow much\b|\?.{0,120}breakfast", rest))
    ):
        spoken_for |= {"breakfast", "restaurant"}
    if wish.refundable is not None and (dated or not _ASKS.search(rest)):
        spoken_for |= {"cancellation"}
    elif wish.refundable is not None and not wish.asks_terms and _WHAT_IT_IS.search(rest):
        topics += ("cancellation",)
    if wish.board and not dated and _WHAT_IT_IS.search(rest):
        topics, spoken_for = (*topics, "restaurant"), spoken_for - {"restaurant"}
    if "late check out" in topics and (dated or re.search(r"\bsaturday|\bshabb|שבת", rest)):
        topics += ("check_out",)  # whose hour is another on Saturday
    else:
        spoken_for |= {"check_out"} if _is_special("late check out", "check_out", topics, rest) else set()
    if _is_special("early check in", "check_in", topics, rest):
        spoken_for |= {"check_in"}
    if (guest.email or guest.phone or guest.broken) and not _OWN_HOTEL.search(rest):
        spoken_for |= {"contact", "address"}
    for topic, unless, others in _SAME_WORDS:
        if topic in topics and not (unless and unless.search(rest)):
            spoken_for |= others
    if dated and CHEAP.search(rest):
        spoken_for |= {"discounts"}
    own = [each.topic for each in house if isinstance(each, Topic)]
    return tuple(topic for topic in (*topics, *own) if topic not in spoken_for)
