"""What an answer may draw on, gathered once: amounts, dates, words, and which stays are free or full."""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, TypeGuard, get_args
from weakref import ref

from langchain_core.messages import AIMessage, HumanMessage

from wavegraph.graph.ledger import GOOD, REJECTED, results
from wavegraph.graph.state import ToolOutcome
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers.date_text import EN_DAYS, EN_MONTHS, HE_DAYS, HE_MONTHS
from wavegraph.tools.hotel.currency import major
from wavegraph.tools.hotel.dates import find_dates
from wavegraph.tools.hotel.dates.records import Church, Customs
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.amounts import REMEMBERED, amounts_in, numbers_in
from wavegraph.tools.hotel.reading.normalise import clean, latest
from wavegraph.tools.hotel.records import Availability, Booking, HotelInfo, HotelRecord, OpenStays, Quote, RefusalCode
from wavegraph.tools.hotel.results import record_of, records, stay_ends

Deed = Literal["booked", "confirmed", "cancelled", "is cancelled"]
"""What may be reported as done; `confirmed` and `is cancelled` also for a booking that was only looked up."""
MentionedDay = tuple[int | None, int, int]
"""Year (None = not given), month, day of month; also for days that do not exist."""

_NO_ANSWER = frozenset(
    {"auth", "ip_not_allowed", "bad_hotel", "bad_rate", "bad_response", "timeout", "rate_limited", "book_elsewhere"}
)
"""Error codes that say nothing about the stay."""

EARLIER_CHARS = 20_000
"""Of earlier messages: what an answer repeats is seldom older."""
MONTHS, LONGEST_MONTH = 12, 31
LONGEST_STAY = 60
"""At most this many days of a stay or window count as its dates."""

_EN_MONTH = {name[:3].lower(): number for number, name in enumerate(EN_MONTHS, 1)}
_HE_MONTH = {name: number for number, name in enumerate(HE_MONTHS, 1)} | {"מרס": 3}
_M = (
    r"(?P<m>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_MH = rf"(?P<m>{'|'.join(_HE_MONTH)})"
_W = r"(?:(?P<w>mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*)\b\.?,?\s+(?:the\s+)?)?"
_WH = r"(?:(?P<w>יום (?:ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)|שבת|ראשון|שני|שלישי|רביעי|חמישי|שישי),?\s+(?:ה-?)?)?"
_D = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_TO = r"(?:\s*(?:-|–|—|to|until|through|and|עד|ו-?)\s*(?P<d2>\d{1,2})(?:st|nd|rd|th)?)?"
_Y = r"(?:,?\s+(?P<y>(?:19|20|21)\d{2}))?(?!\d)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b",
        r"(?<![\d/.-])(?P<d>\d{1,2})[/.](?P<m>\d{1,2})[/.](?P<y>\d{4})\b",
        rf"\b{_W}{_D}{_TO}\s+(?:of\s+)?{_M}{_Y}",
        rf"\b{_W}{_M}\s+(?:the\s+)?{_D}(?![\d:,]\d|\d){_TO}{_Y}",
        rf"(?<!\d){_WH}{_D}{_TO}\s*(?:ב|ל|-)\s*{_MH}{_Y}",
    )
)
_WEEKDAYS = {name[:3].lower(): n for n, name in enumerate(EN_DAYS)} | {name: n for n, name in enumerate(HE_DAYS)}
_WEEKDAYS |= {name.removeprefix("יום "): n for n, name in enumerate(HE_DAYS)}


@dataclass(frozen=True)
class Mention:
    """A date in a text."""

    text: str
    day: MentionedDay
    weekday: int | None
    """Monday = 0; None = not given."""
    at: int


@dataclass(frozen=True)
class Coverage:
    """What one result says about the days from `first` to `last`."""

    first: date
    last: date
    free: bool
    full: bool
    """Something is refused or nothing is offered."""


@dataclass(frozen=True)
class Evidence:
    currency: str
    """The property's."""
    amounts: frozenset[Decimal]
    """Of results, in the property's currency."""
    asked: frozenset[Decimal]
    """Amounts the guest named, in any currency: budgets, not prices."""
    bases: frozenset[Decimal]
    """Totals and budgets, whose differences an answer may name."""
    days: frozenset[MentionedDay]
    known: frozenset[date]
    words: str
    """All texts, folded."""
    of_results: str
    """All texts but the guest's own, folded."""
    sought: frozenset[str]
    """Topics in a few words that nothing was found of, folded: to name one claims nothing. One with a figure, or a whole
    sentence, would say more than what it asks about."""
    said_before: str
    """The desk's own earlier messages, folded, where the answer only asks: it may name the rooms that they name."""
    coverage: tuple[Coverage, ...]
    deeds: frozenset[Deed]
    """What this request has receipts for."""


_DIGIT = re.compile(r"\d")


def mentions(text: str) -> Iterator[Mention]:
    """All dates in a text; a range `17-19 January` gives both ends."""
    if not _DIGIT.search(text):
        return
    taken: set[int] = set()
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            if taken.isdisjoint(range(*found.span())):
                taken.update(range(*found.span()))
                yield from _mentioned(found)


def _mentioned(found: re.Match[str]) -> Iterator[Mention]:
    parts = found.groupdict()
    month = parts["m"].lower()
    number = int(month) if month.isdigit() else _EN_MONTH.get(month[:3]) or _HE_MONTH[parts["m"]]
    year = int(parts["y"]) if parts["y"] else None
    day_name = (parts.get("w") or "").lower()
    weekday = _WEEKDAYS[day_name if day_name in _WEEKDAYS else day_name[:3]] if day_name else None
    yield Mention(found.group().strip(), (year, number, int(parts["d"])), weekday, found.start())
    if parts.get("d2"):
        yield Mention(found.group().strip(), (year, number, int(parts["d2"])), None, found.start())


_known: dict[int, tuple[ref[AnswerView], PropertyProfile, Evidence]] = {}
"""By id of the view, as long as there is that view: the statements of an answer and then the answer are traced."""


def evidence_of(view: AnswerView, profile: PropertyProfile) -> Evidence:
    """Everything this answer may draw on."""
    key = id(view)
    known = _known.get(key)
    if known is not None and known[0]() is view and known[1] == profile:
        return known[2]
    gathered = _gathered(view, profile)
    _known[key] = (ref(view, lambda _: _known.pop(key, None)), profile, gathered)
    return gathered


def _is_unknown(record: HotelRecord) -> TypeGuard[HotelInfo]:
    return isinstance(record, HotelInfo) and not record.found


_TOPIC = re.compile(r"[^\W\d]+(?:[ '’-][^\W\d]+){0,2}")


def _sought(view: AnswerView) -> Iterator[str]:
    unknown = filter(_is_unknown, records(view.ledger).values())
    topics = (clean(each.topic.replace("_", " ")).casefold() for each in unknown)
    return (topic for topic in topics if _TOPIC.fullmatch(topic))


def _gathered(view: AnswerView, profile: PropertyProfile) -> Evidence:
    outcomes = list(results(view.ledger).values())
    guest_texts = [clean(text) for text in _guest_texts(view)] + _reasons(view)
    earlier = list(results(view.previous["ledger"]).values()) if view.previous else []
    planned = [view.plan["slots"], *(o["args"] for o in [*outcomes, *earlier])]
    found: list[Any] = [view.settings.model_dump(mode="json"), view.today.isoformat()]
    known_now = [o["data"] for o in outcomes]
    known_before = [o["data"] for o in earlier]
    asks = _only_asks(view)
    said = [clean(str(m.text)) for m in view.conversation if isinstance(m, AIMessage)] if asks else []
    sources = [*planned, *found, *known_now, *known_before]
    reception = [each for each in (profile.record.phone, profile.record.email) if each]
    understood = _understood(planned, view)
    of_results = [text for o in outcomes for text in _told(o, understood)] + [*_texts(found)] + understood + reception
    of_before = [text for o in earlier for text in _told(o, understood)]
    texts = list(dict.fromkeys(of_results + of_before + guest_texts))
    # Only a question repeats a price of before; an answer looks it up again.
    amounts, bases = _amounts([*found, *known_now, *(known_before if asks else ())], profile.currency)
    amounts |= _first_named_by_desk(view, profile.currency) if asks else set()
    asked, budgets = _amounts(planned, profile.currency)
    days = {day for text in texts for day in _days_in(text)}
    days |= {day for text in guest_texts for day in _days_of_words(text, view.today)}
    known = {*_iso_dates(texts), *_stretches(sources), *_dates_of_guest(view, guest_texts, profile)}
    return Evidence(
        currency=profile.currency,
        amounts=frozenset(amounts),
        asked=frozenset(asked),
        bases=frozenset(bases | budgets),
        days=frozenset(days | {(day.year, day.month, day.day) for day in known}),
        known=frozenset(known),
        words=" ".join([*texts, *_aliases(view, profile)]).casefold(),
        of_results=" ".join(of_results).casefold(),
        sought=frozenset(_sought(view)),
        said_before=" ".join(latest(said, EARLIER_CHARS)).casefold(),
        coverage=(
            *(each for record in records(view.ledger).values() for each in _coverage(record)),
            *(each for outcome in outcomes for each in _refused(outcome)),
        ),
        deeds=frozenset(deed for outcome in outcomes for deed in _deeds(outcome)),
    )


def _deeds(outcome: ToolOutcome) -> Iterator[Deed]:
    """What a good result is a receipt for."""
    booking = record_of(outcome)
    if not isinstance(booking, Booking):
        return
    if outcome["tool"] == "create_booking":
        yield from ("booked", "confirmed")
    elif outcome["tool"] == "cancel_booking":
        yield from ("cancelled", "is cancelled")
    else:
        yield "confirmed" if booking.status == "confirmed" else "is cancelled"


def _guest_texts(view: AnswerView) -> list[str]:
    """The guest's messages, this one and the earlier ones."""
    earlier = [str(message.text) for message in view.conversation if isinstance(message, HumanMessage)]
    return [view.request["text"], *latest(earlier, EARLIER_CHARS)]


def _only_asks(view: AnswerView) -> bool:
    """Whether the answer is a question or a refusal of the plan's, written from no result."""
    found = any(outcome["status"] in GOOD for outcome in results(view.ledger).values())
    return view.plan["action"] in ("clarify", "refuse") and bool(view.plan["reply"]) and not found


def _first_named_by_desk(view: AnswerView, own: str) -> set[Decimal]:
    """Amounts of the desk's earlier messages, but for those that it had from the guest."""
    by_guest, by_desk = set[Decimal](), set[Decimal]()
    for message in view.conversation:
        text = clean(str(message.text))
        if isinstance(message, AIMessage):
            by_desk |= {value for _, value, is_own in amounts_in(text, own) if is_own} - by_guest
        else:
            by_guest |= numbers_in(text)
    return by_desk


def _told(outcome: ToolOutcome, understood: Iterable[str]) -> Iterator[str]:
    """Texts of a result, without those in which the tool only repeats what a model put into its arguments."""
    repeated = set(_texts(outcome["args"])).difference(understood)
    return (text for text in _texts(outcome["data"]) if text not in repeated)


_CODE_OR_DATE = re.compile(r"[A-Z_]{2,8}|\d{4}-\d{2}-\d{2}")


def _understood(planned: Any, view: AnswerView) -> list[str]:
    """Texts of slots and arguments. A model may have written anything there, so only its codes and dates count."""
    by_model = view.plan["planner"] != "rules"
    return [text for text in _texts(planned) if not by_model or _CODE_OR_DATE.fullmatch(text)]


def _reasons(view: AnswerView) -> list[str]:
    """A person's reasons for a no, word for word."""
    errors = [outcome["error"] for outcome in results(view.ledger).values() if outcome["error"]]
    return [clean(error["message"]) for error in errors if error["code"] == REJECTED]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _amounts(value: Any, own: str, name: str = "", currency: str = "") -> tuple[set[Decimal], set[Decimal]]:
    """All amounts under a value, and those of them that are totals or budgets in the property's `own` currency.

    `currency`: theirs; empty = the property's.
    """
    if isinstance(value, dict | list):
        currency = (value.get("currency") if isinstance(value, dict) else None) or currency
        pairs = value.items() if isinstance(value, dict) else ((name, part) for part in value)
        found = [_amounts(part, own, key, currency) for key, part in pairs]
        return {a for amounts, _ in found for a in amounts}, {b for _, bases in found for b in bases}
    if isinstance(value, int) and not isinstance(value, bool) and name.endswith("_agorot"):
        amount = major(value, currency or own)
        return {amount}, {amount} if name != "nightly_agorot" and currency in ("", own) else set()
    return set(), set()


@lru_cache(maxsize=REMEMBERED)
def _days_in(text: str) -> frozenset[MentionedDay]:
    return frozenset(mention.day for mention in mentions(text))


_FIGURES = re.compile(
    r"(?<![\d./])(?<!\d-)(?:(\d{1,2})\s?[-–]\s?)?(\d{1,2})[./](\d{1,2})(?:[./](\d{4}|\d\d))?(?![\d./-]\d)"
)


@lru_cache(maxsize=REMEMBERED)
def _days_of_words(text: str, today: date) -> frozenset[MentionedDay]:
    """Days that a guest names in figures, and what follows where one cannot be meant: of `31.11` the days about the end of
    that month, of a day gone by the same one next year."""
    said = set(_days_in(text))
    for first, last, month, year in _FIGURES.findall(text):
        of_year = (int(year) + (2000 if len(year) == 2 else 0)) if year else None
        said |= {(of_year, int(month), int(day)) for day in (first, last) if day}
    said = {day for day in said if 1 <= day[1] <= MONTHS and 1 <= day[2] <= LONGEST_MONTH}
    return frozenset(said.union(*(_instead_of(day, today) for day in said)))


def _instead_of(named: MentionedDay, today: date) -> Iterator[MentionedDay]:
    year, month, day = named
    longest = monthrange(year or today.year, month)[1]
    if day > longest:
        yield from ((year, month, number) for number in range(longest, day))
        yield (year + month // MONTHS if year else None), month % MONTHS + 1, 1
    elif year and date(year, month, day) < today:
        yield year + 1, month, day


def _iso_dates(texts: list[str]) -> Iterator[date]:
    for text in texts:
        for found in re.findall(r"\b\d{4}-\d{2}-\d{2}\b", text):
            try:
                yield date.fromisoformat(found)
            except ValueError:
                continue


def _stretches(value: Any) -> Iterator[date]:
    """Every day of every stay or window inside a value."""
    if isinstance(value, list):
        for part in value:
            yield from _stretches(part)
    elif isinstance(value, dict):
        for start, end in (("check_in", "check_out"), ("from_date", "to_date")):
            yield from _between(value.get(start), value.get(end))
        for part in value.values():
            yield from _stretches(part)


def _between(start: Any, end: Any) -> Iterator[date]:
    try:
        first, last = date.fromisoformat(start), date.fromisoformat(end)
    except (TypeError, ValueError):
        return
    for offset in range(min((last - first).days, LONGEST_STAY) + 1):
        yield first + timedelta(days=offset)


def _dates_of_guest(view: AnswerView, guest_texts: list[str], profile: PropertyProfile) -> Iterator[date]:
    customs = profile.customs
    weekend = tuple(customs["weekend_nights"] or ())
    for text in dict.fromkeys(guest_texts):
        yield from _dates_meant(text, view.today, customs["country"], customs["home"], weekend, customs["church"])


@lru_cache(maxsize=REMEMBERED)
def _dates_meant(
    text: str, today: date, country: str, home: str, weekend_nights: tuple[int, ...], church: Church | None
) -> frozenset[date]:
    """Every day of every stay that a guest's words mean."""
    customs: Customs = {"country": country, "home": home, "weekend_nights": weekend_nights, "church": church}
    stays = [stay for phrase in find_dates(text, today=today, **customs) for stay in phrase.resolution.stays]
    return frozenset(day for stay in stays for day in _between(stay.check_in.isoformat(), stay.check_out.isoformat()))


def _aliases(view: AnswerView, profile: PropertyProfile) -> list[str]:
    """The page to book on, and all the property's words for the room types that are part of this request."""
    codes = {code for code in view.plan["slots"].get("room_types") or [] if isinstance(code, str)}
    ledgers = [view.ledger, *([view.previous["ledger"]] if view.previous else [])]
    for outcome in (outcome for ledger in ledgers for outcome in results(ledger).values()):
        codes |= set(_texts(outcome["data"]))
    names = [word for room in profile.rooms if room.code in codes for word in room.description]
    return [*names, profile.record.booking_url or ""]


def _refused(outcome: ToolOutcome) -> Iterator[Coverage]:
    """A property's refusal of a whole call, such as a stay that is too long, also means that it is not available."""
    error, args = outcome["error"], outcome["args"]
    if error and error["code"] in get_args(RefusalCode) and not error["retryable"] and error["code"] not in _NO_ANSWER:
        ends = list(_between(args.get("check_in"), args.get("check_out")))
        if ends:
            yield Coverage(ends[0], ends[-1], False, True)


def _coverage(found: HotelRecord) -> Iterator[Coverage]:
    if isinstance(found, Availability):
        free = bool(found.ways)
        yield Coverage(*stay_ends(found), free, not free or bool(found.refusals))
    elif isinstance(found, Quote):
        yield Coverage(*stay_ends(found), True, False)
    elif isinstance(found, OpenStays):
        yield from (Coverage(*stay_ends(stay), True, False) for stay in found.stays)
        yield Coverage(found.from_date, found.to_date, False, True)
