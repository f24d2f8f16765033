"""What the words around a date make of it: another occasion, a date taken back, or one of several that may be meant."""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import date
from itertools import pairwise

from wavegraph.tools.hotel.dates import DatePhrase, Stay
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.normalise import blank
from wavegraph.tools.hotel.reading.party_tokens import Cursor
from wavegraph.tools.hotel.reading.period import is_weekdays

_END = re.compile(r"[.!?;:,()\n]|\s[-–—]\s|\b(?:but|so|now|then)\b|(?<![א-ת])(?:אבל|אז|עכשיו)(?![א-ת])")
_OCCASION = re.compile(
    r"\b(?:birthdays?|bday|anniversar(?:y|ies)|weddings?|due|born|baptism|graduat\w+|exams?|invoices?|receipts?|dated|expires?|surgery|funeral|pregnant|school|"
    r"married|met|turn(?:s|ing)|"
    r"called|named|names?)\b|"
    r"(?<![א-ת])[ושהבל]{0,2}(?:יום הולדת|ימי הולדת|הולדת|חתונה|חתונת|נישואים|נישואין|נולדה?|לידה|בחינה|מבחן|חשבונית|קבלה|ניתוח|"
    r"קוראים|חוגגת?|חוגגים|שמי|על שם)(?![א-ת])"
)
"""Another day than the stay's: nobody arrives on it."""
_ANOTHER_TERM = re.compile(
    r"\b(?:hold|freeze|decide|let you know|get back to you|wrote|written|letter|e-?mail(?:ed)?)\b[^.?!;,]*$|"
    r"\bturn(?:s|ing|ed)? \d{1,2}\b[^.?!,]{0,12}$|"
    r"\b(?:he|she|baby|son|daughter|child|kid|boy|girl|one) (?:is|will be) \d{1,2} (?:years? old )?(?:on|in)?(?: the)? ?$|"
    r"(?<![א-ת])[ושלב]{0,2}ה?(?:הקפאת|להקפיא|לשמור|תשמרו|שמירת|להחליט|תשובה|מכתב|כתבנו|כתבתי)(?![א-ת])[^.?!;,]*$|"
    r"(?<![א-ת])(?:בן|בת) \d{1,2} עד (?:ה-?)?$|(?<![א-ת])(?:ימלאו|[יתנ]היה (?:בן|בת)) [^.?!,]{0,12}$"
)
"""Before a date: until when a price is held, when one wrote, when a child has a birthday; never a day of the stay."""
_PAST = re.compile(
    r"\b(?:was|were|had|did|ago|last (?:year|summer|winter|time)|years? back|previously|stayed|visited|booked|cancell?ed|rained|used to)\b|"
    r"(?<![א-ת])[ושכהבל]{0,2}(?:היינו|הייתי|היה|היתה|הייתה|היו|הזמנו|הזמנתי|ביטלו|התארחנו|ביקרנו|שנה שעברה|אשתקד)(?![א-ת])"
)
"""What has been: of the dates of that sentence, no stay to come."""
_SENTENCE = re.compile(
    r"[.!?;\n]|\b(?:but|so|now|then|this (?:year|time))\b|(?<![א-ת])(?:אבל|אז|עכשיו|השנה|הפעם)(?![א-ת])"
)
_TAKEN_BACK = re.compile(
    r"(?:\b(?:not|rather than|instead of|except|excluding|outside|without|avoid(?:ing)?)|(?<![א-ת])(?:ולא|לא|במקום|חוץ|בלי|פרט|מחוץ))\s+"
    r"(?:on |in |for |the |from |during |over |of )*(?:מ|ב|ל)?[-־]?$"
)
_JOINTS = frozenset(words_of("or and vs versus than then also plus compared או לעומת מול וגם גם ואז כולל / & +"))
_LISTED = re.compile(
    r"\b(?:or|and|plus|also|vs|versus|than|not|except)\b|(?<![א-ת])(?:או|ו?גם|לעומת|מול|לא|ו-?$)|[/;&+]"
)
_NIGHT_BESIDE = re.compile(r"(?:the |that )?(?:night|day) (?:before|after)\b|ו?ה?(?:לילה|יום) ש?(?:לפני|אחרי)")
"""`14 March and the night after`: one stay or two."""
_MOST_BETWEEN, _MOST_OF_PARTY = 7, 11
"""Words from one date to the next of a list: `17-19 January for two, or perhaps 24-26`; and if each names its guests."""
_JUST_BEFORE = 40
_WORDS = re.compile(r"[\w'\"]+|[,/&+;]")
_AND = re.compile(r"^ו(?!אנ)[א-ת]?")


def of_the_stay(text: str, phrases: Sequence[DatePhrase]) -> tuple[list[DatePhrase], list[DatePhrase]]:
    """The dates without those taken back, or named for something else, where others are left; and those taken back."""
    phrases = [phrase for phrase in phrases if not _ANOTHER_TERM.search(_before(text, phrase))]
    kept = _unless_all(phrases, lambda phrase: bool(_TAKEN_BACK.search(_before(text, phrase))))
    sides = [
        0,
        *(side for phrase in phrases if phrase.resolution.stays for side in (phrase.start, phrase.end)),
        len(text),
    ]
    taken_back = [phrase for phrase in phrases if phrase not in kept]
    return _unless_all(kept, lambda phrase: _is_other(text, phrase, sides)), taken_back


def _before(text: str, phrase: DatePhrase) -> str:
    return text[max(0, phrase.start - _JUST_BEFORE) : phrase.start]


def _is_other(text: str, phrase: DatePhrase, sides: Sequence[int]) -> bool:
    """Whether its clause is about another occasion, or its sentence about what has been."""
    occasion = _OCCASION.search(_clause(text, phrase, sides, _END))
    return bool(occasion or _PAST.search(_clause(text, phrase, sides, _SENTENCE)))


_SHIFT = re.compile(
    r"\b(?:nights?|days?|weeks?|weekends?|eve|evening) (?:just |right )?(?:before|after)\b|\b(?:whole|entire|full|a|\d) months?\b(?! (?:pregnant|along|old)\b)|"
    r"(?<![א-ת])ו?[הב]?(?:לילה|לילות|יום|ימים|ערב|שבוע) ?ש?(?:לפני|אחרי)(?![א-ת])|(?<![א-ת])ו?ל?חודש(?:יים)?(?![א-ת])|"
    r"(?:\b(?:by|until|till|before|after)|(?<![א-ת])(?:עד|לפני|אחרי)) \|+|\b(?:until|till|through) the end of (?:the )?(?:first|second|1|2)"
)
"""Words that move a date, or say how long, where no date has used them."""
_CALENDAR = re.compile(
    r"\b(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|tishrei|c?heshvan|kislev|tevet|sh[e]?vat|adar|nissan|nisan|iyar|sivan|tammuz|elul)\b|\bshabb(?:at|os) (?:hagadol|zachor|shira|nachamu|shuva)\b|\bparas?hat\b \w+|"
    r"(?<![א-ת])ב?(?:חודש )?(?:תשרי|חשוון|כסלו|טבת|אדר(?: [אב](?![א-ת]))?|ניסן|אייר|סיוון|תמוז|אלול)(?![א-ת])|(?:(?<!\|)\|+ )?(?<![א-ת])פרשת [א-ת]+|(?:(?<![א-ת])[הב]?שבת|(?<!\|)\|+) (?:הגדול|שירה|זכור|נחמו|שובה)(?![א-ת])"
)
"""Words of the calendar that are months or Sabbaths, where no date has used them."""
_DAY = re.compile(r"\bthe \d{1,2}(?:st|nd|rd|th)(?=\W*$|[,.;!?)]| (?:is|must|should|has|included|in)\b)")
"""A day of a month that is not named: `any 2 nights in January, the 18th included`."""
_NIGHTS = re.compile(r"(?<![\d/.-])(\d{1,2}) (?:nights?\b|לילות)")


def unused(rest: str, phrases: Sequence[DatePhrase], searched: Collection[int | None]) -> list[tuple[int, int]]:
    """Words of dates that no date has used; `rest`: the text without those used; `searched`: the lengths looked for."""
    stayed = {stay.nights for phrase in phrases for stay in phrase.resolution.stays}
    known = stayed.union(filter(None, searched))
    counted = [found.span() for found in _NIGHTS.finditer(rest) if known and int(found[1]) not in known]
    named = [found.span() for of in (_CALENDAR, _DAY) for found in of.finditer(rest) if known]
    return [*(found.span() for found in _SHIFT.finditer(rest) if stayed), *counted, *named]


_ASKS_DAY = re.compile(
    r"\b(?:is|are|isn't|aren't|does|will) (?:(?:it|that|this|those|they|these|there|still|already|not|also|on|in|during|the) ){1,4}\||"
    r"\b(?:does|will|do)\b[^.?!|]{1,25}\b(?:fall|be|land)s? (?:(?:on|in|over|during) )?(?:the )?\||"
    r"\b(?:is|are|does|will) (?:the )?\|+ (?:still |also )?(?:in|on|during|within|then|fall|part)\b|"
    r"\b(?:when|(?:what|which) (?:day|date)s?) (?:exactly )?(?:is|are|does|do|will|falls?) (?:the )?\||"
    r"(?<![א-ת])(?:מתי|באיזה (?:יום|תאריך)|איזה (?:יום|תאריך)) (?:יוצא |חל |נופל |זה |יהיה )?[בהל]?\||"
    r"(?<![א-ת])(?:זה|זו|האם) (?:(?:זה|עדיין|כבר|עוד|לא) ){0,3}[בהל]?\||(?<!\|)\|+ (?:יוצא|חל|נופל)"
)
"""A question about a day of the calendar, not for a stay on it."""


def asks_the_day(text: str, phrases: Sequence[DatePhrase]) -> bool:
    """`is it still Passover then?`, `when is Purim?`: every date is a holiday that is asked about."""
    named = [phrase for phrase in phrases if phrase.holiday]
    asked = blank(text, [(phrase.start, phrase.end) for phrase in named])
    return bool(named) and len(named) == len(phrases) and bool(_ASKS_DAY.search(asked))


def recalls(text: str) -> bool:
    """Whether it tells what has been."""
    return bool(_PAST.search(text))


def _unless_all(phrases: Sequence[DatePhrase], drop: Callable[[DatePhrase], bool]) -> list[DatePhrase]:
    kept = [phrase for phrase in phrases if not drop(phrase)]
    return kept if any(phrase.resolution.stays for phrase in kept) else list(phrases)


def _clause(text: str, phrase: DatePhrase, sides: Sequence[int], end: re.Pattern[str]) -> str:
    """The words beside a date up to the next mark, or the next date, on either side."""
    first = max((side for side in sides if side < phrase.start), default=0)
    last = min((side for side in sides if side > phrase.end), default=len(text))
    start = max([first, *(found.end() for found in end.finditer(text, first, phrase.start))])
    after = end.search(text, phrase.end, last)
    return f"{text[start : phrase.start]} {text[phrase.end : after.start() if after else last]}"


def in_doubt(text: str, phrases: Sequence[DatePhrase], with_parties: bool) -> bool:
    """Whether the message names several stays that it does not offer side by side. `with_parties`: each has its guests."""
    most = _MOST_OF_PARTY if with_parties else _MOST_BETWEEN
    stays = [phrase for phrase in phrases if phrase.resolution.stays]
    pairs = [(one, two, text[one.end : two.start]) for one, two in pairwise(stays) if _ends(one) != _ends(two)]
    return any(
        not _joined(between, most)
        or (between.strip() == "," and one.kind != two.kind)
        or (is_weekdays(one) != is_weekdays(two) and not _LISTED.search(between))
        or _NIGHT_BESIDE.match(two.text.lower())
        for one, two, between in pairs
    )


def may_be_ages(text: str, phrases: Sequence[DatePhrase]) -> bool:
    """`kids 5.8, 17-19 January`: two numbers right behind children, beside another date."""
    pairs = [phrase for phrase in phrases if re.fullmatch(r"\d{1,2}[./]\d{1,2}", phrase.text)]
    before = [Cursor(_before(text, phrase)).tokens[-1:] for phrase in pairs]
    return len(phrases) > 1 and any(token.kind in ("child", "baby") for tokens in before for token in tokens)


def without_repeats(text: str, phrases: Sequence[DatePhrase]) -> list[DatePhrase]:
    """`Christmas by the sea, 24-27 December`, `5-8 March. Is the pool open on Sunday?`: without what names the same stay again."""
    dated = [phrase for phrase in phrases if _is_dated(phrase)]
    if len(dated) != 1:
        return list(phrases)
    stay = dated[0].resolution.stays[0]
    return [each for each in phrases if each is dated[0] or _is_listed(text, each, dated[0]) or not _names(each, stay)]


def _is_dated(phrase: DatePhrase) -> bool:
    """Whether it is one stay from day to day."""
    stays = phrase.resolution.stays
    return len(stays) == 1 and stays[0].nights > 1 and phrase.kind == "explicit" and not is_weekdays(phrase)


def _is_listed(text: str, phrase: DatePhrase, dated: DatePhrase) -> bool:
    """Whether it is another stay, or one to choose from."""
    one, two = sorted((phrase, dated), key=lambda each: each.start)
    return _LISTED.search(text[one.end : two.start]) is not None


def _names(phrase: DatePhrase, stay: Stay) -> bool:
    """Whether a holiday, a month or weekdays of no week may be those of this stay."""
    stays = phrase.resolution.stays
    if len(stays) != 1 or not (phrase.holiday or phrase.kind == "span" or is_weekdays(phrase)):
        return False
    first, last = phrase.window or (stays[0].check_in, stays[0].check_out)
    later = (first - stay.check_in).days
    if is_weekdays(phrase):
        return later % 7 + stays[0].nights <= stay.nights
    return (first <= stay.check_in and stay.check_out <= last) or 0 <= later < stay.nights


def _ends(phrase: DatePhrase) -> list[tuple[date, date]]:
    return [(stay.check_in, stay.check_out) for stay in phrase.resolution.stays]


def _joined(between: str, most: int) -> bool:
    words = _WORDS.findall(between)
    joint = (
        words[-1:] == [","]
        or any(word in _JOINTS for word in words)
        or any(_AND.match(word) for word in (*words[:2], *words[-2:]))
    )
    return not words or (joint and len(words) <= most)
