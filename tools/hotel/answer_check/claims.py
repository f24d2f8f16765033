"""Traces each claim of an answer to its source. Deterministic; used on templates and on a model's free text.

Claims are amounts with a currency, dates and the weekdays beside them, names of room types, statements that
a date is free or full, booking numbers, addresses, and deeds. Sources are results, the guest's words, settings, slots
and the property's names for room types. A sum or difference is a source only where the sentence calls it one.
"""

import re
from collections.abc import Iterator
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answer_check.evidence import (
    Coverage,
    Deed,
    Evidence,
    Mention,
    evidence_of,
    mentions,
)
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for
from wavegraph.tools.hotel.reading.amounts import amounts_in, numbers_in
from wavegraph.tools.hotel.reading.normalise import clean, fold

_DIFFERENCE = re.compile(
    r"differen|\bmore\b|\bless\b|\bcheaper\b|\babove\b|\bover\b|\bbelow\b|\bunder\b|\bsav|\bextra\b|הפרש|"
    r"יותר|פחות|מעל|מתחת|חיסכון|זול",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\btogether\b|\bcombined\b|\bboth\b|\bsum\b|\baltogether\b|\ball (?:two|three)\b|ביחד|יחד|שניהם|סך שני",
    re.IGNORECASE,
)

_GIVEN_BACK = re.compile(
    r"\bbudget|\bunder\b|\bup to\b|\bwithin\b|\bbelow\b|\babove\b|\bover\b|\bat most\b|\bmaximum\b|\blimit|"
    r"\b(?:more|less|cheaper|higher|lower) than\b|\byou (?:asked|said|named|mentioned|wanted|wrote|gave|have)\b|"
    r"\b(?:nothing|none|cannot|can't)\b|תקציב|עד |מתחת|מעל|פחות|יותר|במסגרת|ביקשת|ציינת|אמרת|כתבת|אין |לא ",
    re.IGNORECASE,
)
"""A line that may quote the guest's own amount: as a budget, never as a price."""

_LINK = re.compile(
    r"(?:https?:|www\.|(?<![\w:/])//)[^\s<>\"')\]]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE
)

_KINDS = (
    "presidential|royal|executive|junior|superior|standard|economy|classic|premium|deluxe|double|twin|triple|quad(?:ruple)?|"
    "family|king|queen|single|honeymoon|sea[ -]view|ocean[ -]view|garden[ -]view|city[ -]view|pool[ -]view|accessible|connecting|bridal|vip|luxury|club|duplex"
)
_ROOM_EN = re.compile(
    rf"\b(?P<kind>{_KINDS})(?:[ -](?:{_KINDS}|bed)){{0,5}}[ -](?:rooms?|suites?|bedrooms?)\b", re.IGNORECASE
)
_OTHER_LODGINGS = re.compile(
    r"\b(penthouses?|villas?|bungalows?|studios?|apartments?|cabins?|chalets?|cottages?|lofts?)\b", re.IGNORECASE
)
_NAMED = re.compile(r"\b((?:[A-Z][a-z]+[ -]){1,4})(?:Room|Suite)s?\b")
_PLAIN = frozenset(
    words_of(
        "the a an each every no your our this that one two three only all any available another free per with for in on and "
        "from book hotel nice good great yes please choose pick reserve cheapest biggest largest smallest meeting fitness dining"
    )
)
_ROOM_HE = re.compile(
    r"(נשיאותית?|מלכותית?|ג[׳']?וניור|אקזקיוטיב|סופריור|דלוקס|פנטהאוז|סטודיו|וילה|בקתה|בונגלו|דירת|"
    r"משפחתית?|ירח דבש|נגישה?|זוגי|טריפל|לשלושה|נוף ל(?:ים|גן|עיר|בריכה)|קו המים|יחיד)(?![א-ת])"
)
_ROOM_NEAR_HE = re.compile(r"(?:חדרי?ם?|סו?וויט(?:ה|ת|ות)|פנטהאוז|סטודיו|וילה|בקתה|בונגלו)(?![א-ת])[^.,;:\n]{0,25}")
_CODES = re.compile(r"\b(?:DBL|DLX|SUITE|FAM|TRP|ACC|SGL|TWN|QUAD|QDP|KNG|STD|SUP|JST|PRS|STE)\b")

_FREE_OF = re.compile(
    r"\bfree (?:cancell?ation|of charge|wi-?fi|parking|breakfast|until|to cancel|in\b|"
    r"for (?:guests|children|babies))|\b(?:for|is|are|stay) free\b(?= (?:of|for|in))|feel free|smoke-free|"
    r"sugar-free|free from 1",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\bfull(?:y booked)?\b(?! (?:board|amount|name|refund|price|day|week|kitchen|bath|details|list))|"
    r"\bsold[ -]out\b|\bunavailable\b|\b(?:not|isn't|aren't|no longer) (?:\w+ )?(?:available|free)\b|"
    r"\bno (?:[^.;:]{0,40} )?(?:availability|rooms?|vacanc\w+|available|free|left)\b|"
    r"\bnothing (?:\w+ )?(?:available|free|left)\b|\bnone (?:is|are) (?:available|free)\b|\bbooked (?:up|out|solid)\b|"
    r"אין (?:[^.;:]{0,30} )?(?:מקום|פנוי|פנויים|פנויה|זמין|זמינים|חדרים|חדר|זמינות)|לא (?:פנוי|זמין|נותר|"
    r"נשאר|נמצא מקום)\S*|תפוס\S*|(?<![א-ת])(?<!שם )(?<!פנסיון )(?<!החזר )(?<!תשלום )(?<!סכום )(?<!מחיר )מלא(?:ים|ה)?(?![א-ת])|אזל\S*",
    re.IGNORECASE,
)
_POSITIVE = re.compile(
    r"\bavailable\b|\bfree\b|\bopen\b(?! (?:around|daily|from|until|every))|\bvacan\w+|\bhas (?:rooms|"
    r"space)\b|יש (?:מקום|חדרים|חדר|זמינות)|(?<![א-ת])(?:פנוי|זמין|פנויים|זמינים|פנויה)(?![א-ת])",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:don't know|do not know|couldn't|could not|can't|cannot|unknown|whether|\bif\b|would you|"
    r"shall i|let me check|may be|might)\b|\?|לא ידוע|לא הצלחתי|האם|ייתכן|אם ",
    re.IGNORECASE,
)
_CLAUSES = re.compile(
    r"(?<=[.;!?])\s+|\n|(?<![^\S\n])[^\S\n]+(?:but|however|while|whereas|though|although|yet)\s+|\s(?:אבל|אך|ואילו|אולם)\s|;\s*"
)

_BOOKING = re.compile(
    r"\b(?:booking|reservation|confirmation|reference|"
    r"ref)(?:\s+(?:number|no\.?|code|id|reference))?(?:\s*(?:is|:|#|№))?\s*#?(?P<a>[A-Z0-9][A-Z0-9-]{3,})\b|"
    r"מספר (?:ה?הזמנה|ה?אישור)(?:\s*(?:הוא|:))?\s*#?(?P<b>[A-Z0-9][A-Z0-9-]{3,})|\b(?P<c>WG-?[A-Z0-9]{4,})\b",
    re.IGNORECASE,
)
_ADVERBS = r"(?: (?:now|already|just|all|hereby|successfully|officially|fully|also)){0,4}"
_DONE = rf"(?:is|was|has{_ADVERBS} been|'s){_ADVERBS}"
_HAVE = rf"\b(?:i|we)(?:'ve| have|){_ADVERBS}(?: gone ahead and| went ahead and)?{_ADVERBS}"
_OURS = (
    r"\b(?:(?:your|the|this) (?:booking|reservation|room|stay)(?: (?:number )?[a-z]{2}-?[a-z0-9]{4,})?|"
    r"(?:booking|reservation) [a-z]{2}-?[a-z0-9]{4,})"
)
_SUBJECT = rf"(?:{_OURS}|\b(?:it|this|that|everything))"
_HEADLINE = rf"(?:(?<![^\n])|(?<=[.!?:] ))\W{{0,4}}(?:booking|reservation|room|stay){_ADVERBS}"
"""The beginning of `Booking confirmed!`: a clause without a verb."""
_THE_BOOKING = r"(?:ה(?:הזמנה|חדר|שהייה)(?: של(?:כם|ך|כן))?|הזמנת(?:ך|כם|כן)|הזמנה(?: מספר)? wg-?[a-z0-9]{4,}|זה)(?: כבר| כעת| בהצלחה)*"
_BOOKED = (
    rf"{_HAVE} (?:booked|reserved|confirmed|secured)\b(?! (?:nothing|any|out|up|solid))|"
    rf"{_SUBJECT} ?{_DONE} (?:booked|reserved|made)\b(?! (?:out|up|solid|of|with|for|under))|"
    rf"{_OURS} ?{_DONE} (?:placed|secured|guaranteed|complete|completed|finali[sz]ed|successful)\b|"
    rf"{_HEADLINE} (?:booked|reserved|made|placed|secured|complete|completed|successful)\b(?! (?:out|up|solid|of|with|for))|"
    r"\byou(?:'re| are)(?: now| all)? (?:booked|all set)\b|(?<![^\n])all set\b|\bconsider (?:it|yourself) booked\b|"
    r"\b(?:manager|staff|reception|front desk)(?: has| have|) (?:approved|agreed to|confirmed) (?:it|your|the)\b|"
    rf"(?<!לא )(?:הזמנתי|שריינתי)(?! דבר)|{_THE_BOOKING} (?:הוזמן|הוזמנה|בוצעה|שוריין|שוריינה|הושלמה|נקלטה|נרשמה|שמורה? ל)|"
    r"(?<!לא )(?:בוצעה|הושלמה) ה?הזמנה"
)
_CONFIRMED = (
    rf"{_SUBJECT} ?{_DONE} confirmed\b|{_HEADLINE} confirmed\b|{_THE_BOOKING} (?:אושרה?|מאושרת?)|(?<!לא )אושרה ה?הזמנה"
)
_CANCELLED = (
    rf"{_HAVE} cancell?ed\b(?! (?:nothing|any))|(?<![^\n])successfully cancell?ed\b|"
    rf"\b(?:the|your) cancellation ?{_DONE} (?:done|complete|completed|confirmed)\b|(?<!לא )ביטלתי(?! דבר)"
)
_IS_CANCELLED = (
    rf"{_SUBJECT} ?{_DONE} cancell?ed\b|{_HEADLINE} cancell?ed\b|{_THE_BOOKING} (?:בוטלה?|מבוטלת?)|"
    r"(?<!לא )בוטלה ה?הזמנה"
)
_CHANGED = (
    rf"{_HAVE} (?:modified|changed|moved|upgraded)\b(?! (?:nothing|any))|"
    rf"\b(?:your|the|this) (?:booking|reservation) {_DONE} (?:modified|changed|moved|upgraded)\b"
)
_SENT = (
    rf"{_HAVE} (?:sent|e-?mailed|forwarded|refunded|charged|notified)\b(?! (?:nothing|any))|"
    r"\b(?:an?|the|your) (?:e-?mail|message|confirmation|refund|invoice)(?: was| has been) (?:sent|issued|processed)\b|"
    r"\byour (?:credit )?card (?:was|has been) charged\b|"
    r"(?<!לא )(?:שלחתי|זיכיתי|חייבתי)(?! דבר)|(?<!לא )נשלחה? (?:אליך|אליכם|מייל|אימייל|אישור)"
)
_DEEDS: tuple[tuple[Deed | None, re.Pattern[str]], ...] = (
    ("booked", re.compile(_BOOKED, re.IGNORECASE)),
    ("confirmed", re.compile(_CONFIRMED, re.IGNORECASE)),
    ("cancelled", re.compile(_CANCELLED, re.IGNORECASE)),
    ("is cancelled", re.compile(_IS_CANCELLED, re.IGNORECASE)),
    (None, re.compile(_CHANGED, re.IGNORECASE)),
    (None, re.compile(_SENT, re.IGNORECASE)),
)
"""What an answer may claim was done, and the receipt it needs; None = the agent never does it."""
_NOT_YET = re.compile(
    r"\b(?:before|until|unless|if|once|when|after|whether|as soon as)\b[^.;:!?\n]{0,30}$|(?:לפני ש|אם |כאשר |עד ש)[^.;:!?\n]{0,30}$",
    re.IGNORECASE,
)


def unsupported(answer: str, view: AnswerView, profile_of: ProfileOf | None = None) -> list[str]:
    """The answer's claims without a source, as written; ordered by kind, each once.

    `profile_of`: gives the profile of the property that answers; None = from the user's data folder.
    """
    evidence = evidence_of(view, profile_for(view.settings, profile_of))
    answer = _without_quotations(answer, evidence)
    found = [
        *_amounts(answer, evidence),
        *_dates(answer, evidence),
        *_rooms(answer, evidence),
        *_statements(answer, evidence),
        *_bookings(answer, evidence),
        *_links(answer, evidence),
        *_card_requests(answer),
        *_deeds(answer, evidence),
    ]
    return list(dict.fromkeys(found))


_QUOTED = re.compile(r"[“„]([^“„”]+)”")


def _without_quotations(answer: str, evidence: Evidence) -> str:
    """The answer without quotations of the guest's own words, and of what nothing is known of: they claim nothing."""
    said = {quoted: clean(quoted).casefold() for quoted in _QUOTED.findall(answer)}
    kept = {quoted for quoted, words in said.items() if words not in evidence.words and words not in evidence.sought}
    return _QUOTED.sub(lambda quoted: quoted[0] if quoted[1] in kept else "", answer)


def _amounts(answer: str, evidence: Evidence) -> Iterator[str]:
    """Amounts in the property's currency without a source, and amounts in another that the guest did not name."""
    of_results, of_guest = numbers_in(evidence.of_results), numbers_in(evidence.words) | evidence.asked
    own = evidence.currency
    amounts = evidence.amounts | {amount.quantize(Decimal(1), ROUND_HALF_UP) for amount in evidence.amounts}
    for line in dict.fromkeys(answer.splitlines()):
        written = amounts_in(line, own)
        known = of_guest if written and _GIVEN_BACK.search(line) else of_results
        for text, value, is_own in written:
            if value in known or (is_own and (value in amounts or _worked_out(value, evidence, line))):
                continue
            yield text


def _worked_out(value: Decimal, evidence: Evidence, line: str) -> bool:
    """Whether it is a sum or a difference, and the line calls it one."""
    bases = evidence.bases
    if _DIFFERENCE.search(line) and any(abs(one - value) in bases or one + value in bases for one in bases):
        return True
    return bool(_SUM.search(line)) and any(value - one in bases for one in bases)


def _dates(answer: str, evidence: Evidence) -> Iterator[str]:
    for mention in mentions(clean(answer)):
        if not _date_traced(mention, evidence):
            yield mention.text


def _date_traced(mention: Mention, evidence: Evidence) -> bool:
    year, month, day = mention.day
    matching = [d for d in evidence.known if (d.month, d.day) == (month, day) and year in (None, d.year)]
    if mention.weekday is not None and matching:
        return any(d.weekday() == mention.weekday for d in matching)
    if matching:
        return True
    # A date that does not exist may be quoted from the guest, with or without the year.
    quoted = [d for d in evidence.days if d[1:] == (month, day) and (year is None or d[0] in (None, year))]
    return bool(quoted) and (mention.weekday is None or _same_weekday(mention, quoted))


def _same_weekday(mention: Mention, quoted: list[tuple[int | None, int, int]]) -> bool:
    for year, month, day in quoted:
        try:
            if year and date(year, month, day).weekday() == mention.weekday:
                return True
        except ValueError:
            return True  # no such day: the guest's own words
    return all(year is None for year, _, _ in quoted)


def _rooms(answer: str, evidence: Evidence) -> Iterator[str]:
    words = fold(f"{evidence.words} {evidence.said_before}")
    spaced = words.replace("-", " ")
    for pattern in (_ROOM_EN, _OTHER_LODGINGS):
        for found in pattern.finditer(answer):
            kinds = (
                re.findall(_KINDS, found.group(), re.IGNORECASE)
                if pattern is _ROOM_EN
                else [found.group(1).rstrip("s")]
            )
            if not all(_named(kind, spaced) for kind in kinds):
                yield found.group()
    for found in _NAMED.finditer(answer):
        names = [w for w in re.split(r"[ -]", found.group(1).lower()) if w and w not in _PLAIN]
        if not all(_named(name, spaced) for name in names):
            yield found.group()
    for near in _ROOM_NEAR_HE.finditer(answer):
        for kind in _ROOM_HE.findall(near.group()):
            if fold(kind).rstrip("ת") not in words:
                yield near.group().strip()
    yield from (code for code in _CODES.findall(answer) if not re.search(rf"\b{code.lower()}\b", words))


def _named(word: str, spaced: str) -> bool:
    return re.sub(r"[ -]", " ", word.lower()) in spaced


def _statements(answer: str, evidence: Evidence) -> Iterator[str]:
    """Clauses that call a date free or full where no result does."""
    for clause in _CLAUSES.split(answer):
        plain = _FREE_OF.sub("", clause or "")
        negative = bool(_NEGATIVE.search(plain))
        positive = not negative and bool(_POSITIVE.search(plain))
        if not (positive or negative) or _UNSURE.search(plain):
            continue
        days = list(mentions(clean(clause or "")))
        covering = [each for each in evidence.coverage if any(_covers(each, mention) for mention in days)]
        if days and not any(each.free if positive else each.full for each in covering):
            yield clause.strip()


def _covers(coverage: Coverage, mention: Mention) -> bool:
    year, month, day = mention.day
    for ordinal in range(coverage.first.toordinal(), coverage.last.toordinal() + 1):
        each = date.fromordinal(ordinal)
        if (each.month, each.day) == (month, day) and year in (None, each.year):
            return True
    return False


def _bookings(answer: str, evidence: Evidence) -> Iterator[str]:
    for found in _BOOKING.finditer(answer):
        number = found["a"] or found["b"] or found["c"]
        if (
            re.search(r"\d|^WG-[A-Z]{8}$", number)
            and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", number)
            and number.casefold() not in evidence.words
        ):
            yield found.group()


def _links(answer: str, evidence: Evidence) -> Iterator[str]:
    """Links from no source: one could carry what a guest wrote to a third party."""
    for found in _LINK.findall(answer):
        if (address := found.rstrip(".,;:!?")).casefold() not in evidence.words:
            yield address


_CARD = re.compile(
    r"\b(?:send|give|tell|type|enter|provide|share|reply with|need|confirm)\b[^.!?\n]{0,40}"
    r"\b(?:card (?:number|details|data)|cvv|cvc|security code)\b|"
    r"(?:שלחו?|מסרו?|הקלידו?|תנו|נא לשלוח|צריכים? את)[^.!?\n]{0,30}(?:מספר (?:ה?כרטיס|האשראי)|פרטי (?:ה?אשראי|ה?כרטיס))",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\b(?:not|never|don't|no need to)\b[^.!?\n]{0,20}$|(?:אין צורך|אל|לא|אין)[^.!?\n]{0,15}$", re.IGNORECASE
)


def _card_requests(answer: str) -> Iterator[str]:
    """Requests for card data, which no source supports."""
    yield from (m.group() for m in _CARD.finditer(answer) if not _NEVER.search(answer[: m.start()]))


def _deeds(answer: str, evidence: Evidence) -> Iterator[str]:
    """Claims that something was done, without the receipt for exactly that."""
    yield from (text for deed, text in _deeds_in(answer) if deed not in evidence.deeds)


@lru_cache(maxsize=64)
def _deeds_in(answer: str) -> tuple[tuple[Deed | None, str], ...]:
    """What an answer says was done. The statements of one answer are traced several times."""
    return tuple(
        (deed, found.group())
        for deed, pattern in _DEEDS
        for found in pattern.finditer(answer)
        if not _NOT_YET.search(answer[: found.start()])
    )
