"""Reads what a message changes in an earlier one: `the day after`, `two nights`, `without the kids`, `the third one`."""

import re
from typing import Literal, NamedTuple, TypeAlias

from wavegraph.graph.dialogue.consent import consent
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.people import ADULTS, WHO

Pick: TypeAlias = int | Literal["cheapest", "dearest"]
"""Of what was offered: the number in the list from 1, -1 = the last, the one in the middle; or by price."""


class StayChange(NamedTuple):
    """How the earlier stay moves or grows."""

    days: int = 0
    """Days to move it by; the stay keeps its length."""
    weeks: int = 0
    months: int = 0
    nights: int | None = None
    """The new length."""
    nights_more: int = 0
    weekend: int = 0
    """1 = the weekend that follows the stay, -1 = the one before it."""

    @property
    def moves(self) -> bool:
        return bool(self.days or self.weeks or self.weekend or self.months)


_ANCHOR = r"(?!\s+(?:next|this coming|tomorrow|christmas|new year|passover|pesach|hanuk|chanuk|yom|rosh|sukkot|purim|shavuot|easter|thanksgiving|\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
_HE_ANCHOR = r"(?! ?(?:כיפור|ה?חג|ה?פסח|ה?סדר|ליל|סוכות|שבועות|פורים|מחר))"
_UNITS = {
    "weekend": ("weekend", r"ה?סופ(?:\"?ש| ?ה?שבוע)|סוף ה?שבוע"),
    "weeks": ("week", "ב?שבוע"),
    "months": ("month", "ב?חודש"),
    "days": ("(?:day|night|evening)", "(?:יום|לילה|ערב)"),
}
_WAYS = {
    1: ("after|later|following|on|forward|ahead", "following|next", r"קדימה|אחרי|אחר כך|מאוחר יותר|לאחר מכן|שלאחר מכן"),
    -1: ("before|earlier|prior|back", "previous", r"אחורה|לפני|קודם|מוקדם יותר"),
}


def _shift(unit: str, way: int) -> str:
    """`the week after that`, `the following week`, `שבוע אחרי זה`; `the next week` and `next weekend` are dates."""
    (en, he), (behind, front, he_way) = _UNITS[unit], _WAYS[way]
    front = front if unit == "days" else front.removesuffix("|next")
    that = "(?: that| this| it)?"
    return (
        rf"\b(?:the |a |1 )?(?:{en} (?:{behind})|(?:{front}) {en}){that}\b{_ANCHOR}|\bthe next {en} after\b|"
        rf"(?:{he})(?: ש)? ?ש?(?:{he_way})(?: זה| כן)?{_HE_ANCHOR}" + ("|(?<![א-ת])ו?למחרת" if (unit, way) == ("days", 1) else "")
    )  # fmt: skip


_SHIFTS = (
    (
        (
            r"\bthat night and the (?:next|following)\b|\b(?:and|plus|also) the (?:next|following) night\b|"
            r"(?:גם|עם) הלילה (?:ה?בא|שאחרי|שלמחרת)|ו(?:את )?הלילה שאחרי"
        ),
        StayChange(nights_more=1),
    ),
    (
        (
            r"\b(?:without|skip|drop|give up|leave out|cancel|minus|not) (?:on )?the last night\b(?! only)|"
            r"(?:נוותר|לוותר|מוותרים|בלי|ללא|להוריד|נוריד|תורידו?)(?: על| את)? ה?לילה האחרון"
        ),
        StayChange(nights_more=-1),
    ),
    (
        (
            r"^\W*(?:no|not (?:this|that)(?: one)?)\W+the (?:next|following)(?: one)?\b(?! (?:week|weekend|day|month|night))|"
            r"^\W*לא (?:זו|זה|הזו|הזה)\W+ה?באה?(?![א-ת])"
        ),
        StayChange(weeks=1),
    ),
    *((_shift(unit, way), StayChange(**{unit: way})) for unit in _UNITS for way in _WAYS),
)
_DAYS = re.compile(
    r"\b(\d{1,2}) (days?|nights?|weeks?) (later|after|earlier|before)\b(?! (?:christmas|new year|passover|pesach))|"
    r"(\d{1,2}) (ימים|לילות|שבועות) (אחר כך|אחרי|מאוחר יותר|קודם|לפני)"
)
_MORE = r"another|more|extra|additional|longer|extend by|add|נוספים|נוסף|ב?עוד|להוסיף|תוסי(?:ף|פ[יו])"
_LESS = r"less|fewer|shorter|drop|cut|take off|minus|פחות|תורידו?|להוריד|נוריד"
_NIGHTS = re.compile(
    rf"(?<![א-ת\w])(?P<rule>(?:minimum|min|maximum|at least|per|a|by|מינימום|לפחות)(?: (?:of|stay of))? )?(?P<lead>(?:{_MORE}|{_LESS}) (?:an? )?)?"
    rf"[לו]?[ -]?(?P<n>(?<![\d/.-])\d{{1,2}} )?(?P<how>(?:{_MORE}|{_LESS}) )?(?:nights?\b|לילות|לילה|(?P<two>לילותיים))"
    rf"(?P<one>(?<=ה) (?:1|אחד))?(?P<tail> (?:{_MORE}|{_LESS}))?(?![\w-]| ?minimum)"
)
_NIGHTS_INSTEAD = re.compile(
    r"(?:nights?|לילות|לילה)\W{1,4}(?:no|sorry|actually|rather|make it|בעצם|סליחה|לא)\W{1,3}(?:make it |ש?דווקא )?(\d{1,2})(?=\W*$)"
)
"""`2 nights? actually 3`."""
_TOO_LONG = re.compile(
    r"(?:\btoo (?:long|short|many nights|few nights)\b[^?!]{0,60}\bmake it|(?<![א-ת])(?:ארוך|קצר) (?:מדי|מידי)[^?!]{0,60}(?<![א-ת])(?:נעשה|תעשו?|שיהיה)) "
    r"(?P<n>\d{1,2})(?=\W*(?:$|[.,]|please\b|בבקשה))"
)
"""`too long for my wife. Make it 4`: nights, of a stay that is too long."""
REFERS = re.compile(
    r"^\W*(?:(?:yes|כן)\W+(?=and\b|also\b|plus\b|ו?גם))?(?:plus|and|or|also|what about|how about|what if|same|the same|but|with|without|instead|then|"
    r"ok(?:ay)? (?:and|but|so|what)|make it|just|only|actually|no,|in that case|could (?:it|you)|change|"
    r"ומה|מה עם|ואם|אותו דבר|אותם תאריכים|אבל|ו(?!י)|עם|בלי|רק|במקום|ואפשר|או|בעצם|גם)|\binstead\b|"
    r"\bsame\b|\bthat (?:room|one|stay)\b|\bthose dates\b|\bthese dates\b|אותו דבר|אותם תאריכים|באותם"
)
CORRECTS = re.compile(
    r"^\W*(?:no|not|sorry|oops|wait|actually|rather|(?:(?:my|a) )?mistake|i mean|לא|סליחה|רגע|בעצם|טעיתי|טעות)(?![א-ת\w])|"
    r"^\W*(?:it |that )?should be\b|^\W*(?:זה )?צריך להיות|\bi (?:actually )?mean[t]?\b|\binstead\b|התכוונ|(?<![א-ת])במקום(?! ל?חני)"
)
_IT_IS = re.compile(r"^(?:it(?:'s| is| should be)|should be|i (?:actually )?mean[t]?|make it|זה|צריך להיות)\s+")
_NOT_THAT = re.compile(r",?\s(?:and not|not|instead of|rather than|ולא|לא|במקום)\s+\w+\W*$")
_ORDINALS = (
    ("first", "ראשו(?:ן|נה)"), ("second", "שני(?:י?ה)?|2"), ("third", "שלישית?"), ("fourth", "רביעית?"), ("fifth", "חמישית?"),
    ("sixth", "שי?שית?"), ("seventh", "שביעית?"), ("eighth", "שמינית?"), ("ninth", "תשיעית?"),
)  # fmt: skip
_THING = r"one|option|room|choice|offer|suggestion|stay|alternative"
_NUMBERED = re.compile(
    rf"(?:\b(?:option|number|choice|no\.?)|#|(?<![א-ת])ה?(?:אופציה|אפשרות|הצעה|חדר(?! 1)|מספר|מס'?)(?: מספר)?) ?(\d)(?!\d|[:/.-]\d)(?! (?:night|people|adult|ליל|איש))|"
    rf"\b(\d)(?:st|nd|rd|th) (?:{_THING})\b"
)


def _ordinal(en: str, he: str) -> str:
    named = rf"\bthe {en}(?: (?:{_THING}|1))?\b(?! (?:night|week|half|time|floor|of |day|january|weekend|\d|three))"
    return f"{named}|{_he_ordinal(he)}"


def _he_ordinal(he: str) -> str:
    return rf"(?:אפשרות|אופציה|הצעה) ה? ?(?:{he})(?![א-ת])|את ה ?(?:{he})(?![א-ת])|(?<![א-ת])[בה]? ?(?:{he}) (?:ש?ב|מה)רשימה|^\W*ה ?(?:{he})(?: (?:בבקשה|מצוין|מצוינת|מעולה|טובה?|מתאימה?|סבבה|נשמעת?(?: טוב)?))?(?:\W*$|[.,!])"


_PICKS: tuple[tuple[Pick, str], ...] = (
    (
        "cheapest",
        (
            r"\bthe cheap(?:er|est)(?: (?:one|option|room|stay|dates?))?\b(?! (?:way|thing)\b)|"
            r"ה?זול(?:ה)? (?:יותר|ביותר)|הכי זול|הזולה|(?<![א-ת])הזול(?![א-ת])"
        ),
    ),
    ("dearest", r"\bthe (?:more|most) expensive(?: one)?\b|היקר(?:ה)?(?: יותר)?"),
    (-1, _ordinal("last", "אחרו(?:ן|נה)")),
    *((number, _ordinal(en, he)) for number, (en, he) in enumerate(_ORDINALS, 1)),
)
_WITHOUT = r"(?:\b(?:without|minus|except|not bringing|leav(?:e|ing)(?: out)?|no)|(?<![א-ת])ו?(?:בלי|ללא)) (?:the |my |our |any |ה)?(?:\w{1,20} and (?:the )?)?"
_LEFT_OUT = {
    "children": re.compile(
        _WITHOUT + r"(?:(?:kids?|child(?:ren)?|boys?|girls?|sons?|daughters?)\b|ילד(?:ים|ה|ות)?(?![א-ת]))"
    ),
    "babies": re.compile(_WITHOUT + r"(?:(?:bab(?:y|ies)|infants?|toddlers?)\b|תינוק(?:ת|ות)?(?![א-ת]))"),
}
_MINOR = r"(?:kids?|child(?:ren)?|boys?|girls?|sons?|daughters?|bab(?:y|ies)|infants?|toddlers?|ילד|ילדה|ילדים|תינוקת?)"
_HE_COME = "(?:יבוא|תבוא|יבואו|באה?|באים|מגיעה?|מגיעים)"
_TOO = re.compile(
    rf"(?:\b(?:plus|also|another|more|add|adding|extra)|(?<![א-ת])(?:ועוד|עוד|גם|תוסי(?:ף|פ[יו])|להוסיף)) (?:an? |\d )?(?:more )?(?:my |our )?{_MINOR}(?![\wא-ת])|"
    rf"\b{_MINOR} (?:too|as well)\b|\badd(?:ing)?\b|(?<![א-ת])(?:תוסיפ[יו]?|תוסיף|להוסיף|נוסיף|מוסיפים)(?![א-ת])|\bjoin(?:s|ing)?\b|\b(?:comes?|coming) (?:too|along|as well)\b|\bforgot (?:my|our|the)\b|\bneeds (?:an?|an extra|his own|her own) bed (?:too|as well|also)\b|(?<![א-ת])צריכה? גם מיטה(?![א-ת])|"
    rf"(?<![א-ת])(?:מצטרפ(?:ת|ים|ות)|מצטרף|[אינת]צטרף|[ינת]צטרפו|להצטרף|שכחתי את)(?![א-ת])|(?<![א-ת])(?:גם {_HE_COME}|{_HE_COME} גם)(?![א-ת])"
)
_STAYS_AWAY = (
    r"(?:(?:is|are|does|do)n't|can't|cannot|won't|not)\b[^.,!?]{0,12}\b(?:come|coming|join|joining|make it)\b|"
    r"\b(?:has |have |just )?(?:cancell?ed|dropped out|stay(?:s|ing)? (?:at )?home)\b|"
    r"לא (?:באה?|באים|באות|מגיע(?:ה|ים|ות)?|[יתנ]בואו?|[יתנ]גיעו?|מצטרפ(?:ת|ים)|מצטרף|יכול(?:ה|ים)? לבוא)(?![א-ת])|(?<![א-ת])(?:ביטלה?|ביטלו|נשאר(?:ת|ים)? בבית)(?![א-ת])"
)
_GROWN = "|".join(
    re.escape(word) for word, (kind, size) in WHO.items() if kind in ("adult", "spouse", "relative") and size == 1
)
_AWAY = {
    "youngest": r"\b(?:little|small|young)(?:est)?(?: one| 1)?\b|(?<![א-ת])ה?(?:קט(?:ן|נה)|צעירה?)(?![א-ת])",
    "eldest": r"\b(?:eld|old)est\b|\b(?:big|older|elder) (?:one|1)\b|(?<![א-ת])ה?(?:גדולה?|בכורה?)(?![א-ת])",
    "children": r"\b(?:kids|children)\b|(?<![א-ת])ה?ילדים(?![א-ת])",
    "babies": r"\bbab(?:y|ies)\b|(?<![א-ת])ה?תינוק(?:ת|ות)?(?![א-ת])",
    "child": r"\b(?:kid|child|son|daughter|boy|girl)\b|(?<![א-ת])ה?(?:ילדה?|בן|בת)(?![א-ת])",
    "couple": r"\b(?:1|one|a) (?:of the )?couples?\b|(?<![א-ת])(?:זוג 1|זוג אחד|אחד ה?זוגות|1 ה?זוגות)(?![א-ת])",
    "one": r"\b(?:1|one) of (?:us|them|my|our|the)\b|\A\W{0,3}(?:and |ו)?(?:1|one|אחת?|אחד)(?![א-ת])"
    rf"|(?<![\wא-ת])[וה]?(?:{_GROWN})(?![\wא-ת])",
}
_AWAY_FOUND = {who: re.compile(rf"(?:{words})[^.,!?]{{0,15}}?(?:{_STAYS_AWAY})") for who, words in _AWAY.items()}
EXTENDS = re.compile(
    r"^\W*(?:(?:yes|ok(?:ay)?|and|כן)\W+)*(?:plus|also|add|as well as|including|גם|וגם|ועוד|פלוס|ו?כולל)(?![א-ת\w])|\b(?:too|as well|also)\s*(?:$|[.?!,])|"
    r"\b(?:another|extra|1 more|one more|additional) night\b|(?<![א-ת])(?:עוד לילה|לילה נוסף|נישאר גם|נשאר גם|להישאר גם)(?![א-ת])"
)
"""The days named come on top of those known: `plus the 20th`."""
_LEAVES_ON = re.compile(
    r"\b(?:leav(?:e|ing)|check(?:ing)?[\s-]?out|depart(?:ing)?|until|till|stay (?:up )?to)\s+(?:on )?(?P<day>[^?.!,]+)|"
    r"(?<![א-ת])(?:ו?(?:נעזוב|לעזוב|עוזבי?ם?|יוצאים?|יוצאת|נצא|יציאה)(?: עד)?|(?:נישאר |להישאר |ו?רק )?ו?עד)\s+(?P<he>[^?.!,]+)",
    re.IGNORECASE,
)
_POLITE_END = re.compile(r"\s{1,3}(?:please|then|instead|actually|בבקשה|בעצם|במקום)\s{0,3}$")
_DAY_NAMED = re.compile(
    r"\d(?:st|nd|rd|th)\b|^\W*ו-?\d{1,2}(?=\W*$)|(?<![א-ת])ו?[הבלמ](?:[־-]| )?\d{1,2}(?![\d:./%-]| ?(?:אנשים|מבוגרים|ילדים|לילות|חדרים|איש|שעות|ש|₪|בבוקר|בערב|בלילה|בצהריים))"
)
_DAYS_ALONE = re.compile(
    r"\W{0,3}(?:(?:no|so|then|i mean|that is|make it|כלומר|אז|לא|בעצם|התכוונתי ל)[ ,]{1,2}){0,2}\d{1,2} ?(?:-|to|till|until|עד) ?(?:ה-?)?\d{1,2}(?=\W{0,3}$)"
)
"""`so 5 to 9`: two days and nothing else."""
_TWO_DAYS = re.compile(
    r"(?<![\w./:-])(?<!aged )(?<!ages )(?<!kids )(?<!ren )(?<!בני )(?<!בנות )(?<!גיל )\d{1,2} ?(?:-|–|to|till|until|עד) ?(?:the |ה-?)?\d{1,2}"
    r"(?![\d./:%-]| ?(?:nights?|days?|weeks?|people|adults?|guests?|kids|children|rooms?|years?|nis|am|pm|לילות|ימים|אנשים|מבוגרים|ילדים|חדרים|שנים|איש|ש\"ח|שקל|₪))"
)
_SOME_OF = re.compile(
    r"\b(?:one|1) of (?:them|these|those|the (?:\w+ )?(?:rooms|couples|families))\b|\bfor (?:one|1) of the\b|\bthe (?:other|bigger|larger|smaller) (?:room|one|1)\b|"
    r"\b(?:bigger|larger|smaller) one\b|\b(?:needs?|uses?) [^.?!]{0,15}(?:accessible|wheelchair)|(?:צריך|צריכה|זקוקה?) [^.?!]{0,10}נגיש|\b(?:room|family) (?:[1-9]|[ab])\b|\bsplit us\b|\bone with(?:out)? [^.?!]{1,30} (?:one|other) with(?:out)?\b|"
    r"(?<![א-ת])[בלו]?(?:אחד|אחת) (?:מהם|מהן|מהחדרים)(?![א-ת])|ו?ה?(?:חדר )?השני(?: רק| עם| בלי)(?![א-ת])|(?<![א-ת])ו?להם (?=ה)|"
    r"(?<![א-ת])(?:אחד|אחת) (?:עם|בלי) [^.?!]{1,30} ו(?:אחד|אחת) (?:עם|בלי)|חדר [1-9](?!\d)|משפחה [אב]'?(?![א-ת])"
)
_OWN_ROOMS = re.compile(
    r"\b(?:room|family) ([1-9]|[ab])\b|(?<![א-ת])(?:חדר|משפחה) ([1-9]|[אב])(?![\dא-ת])|(?<![\w(])([1-9ab])\)"
)
_OR_ROOMS = re.compile(
    r"\b(?:rooms?|suites?|doubles?|triples?|quads?|studios?|apartments?) or (?:(?:in|just|only) )?(?:(?:\d|separate|several) (?:\w+ )?(?:rooms|doubles|ones)\b|(?<=s or )1\b|[2-4](?=\W*$))|"
    r"(?:חדר|סוויטה|סוויטת|סוויטות)[א-ת ]{0,20} או (?:ב?(?:שני|שלושה|\d)|כמה) ?חדרים|חדר 1 או (?:ב ?|רק )?(?:\d|שניים|שנים|שלושה)(?! ?(?:לילות|מבוגרים|אנשים|מיטות))|חדרים או (?:ב ?|רק )?(?:1|אחד)(?![א-ת\d])"
)
_ONE_ROOM_OR = re.compile(
    r"\b1 (?:\w+ )?room or (?:in )?(?:(2)|(3)|(4))\b(?! (?:nights?|adults?|people|beds?)\b)|\b1 or (?:(2)|(3)|(4)) (?:\w+ )?rooms\b|"
    r"חדר 1 או (?:ב ?|רק )?(?:(2|שניים|שנים)|(3|שלושה))(?! ?(?:לילות|מבוגרים|אנשים|מיטות))"
)
_A_FEW_ROOMS = re.compile(
    r"\A\W*+(?:(?:just|only|in|then|ok|okay|רק|ב|אז)\W++)*+(?:(1|one|אחד)|(2|two|שניים|שנים|שתיים)|(3|three|שלושה))(?: (?:please|בבקשה))?\W*+\Z"
)
FROM_THE_DAY = re.compile(r"\b(?:from|starting|beginning)(?: on)?(?: the)? \d|(?<![א-ת])(?:החל )?מה?-? ?\d")
"""`from the 25th`."""
_LENGTH_ALONE = re.compile(
    r"(?:\A|[.!?,;\n])\W{0,4}(?:(?:ok(?:ay)?|yes|so|then|for|just|only|make it|let'?s (?:say|do)|say|we want|אז|כן|רק|בואו נגיד|נגיד|אוקיי)\W{1,3}){0,3}ל?-?"
    r"(?:\d{1,2} (?:nights?|לילות)|1 week|שבוע|לילותיים)(?: then| please| בבקשה)?\W{0,3}(?:\Z|[.!?,;\n]|and\b|ו(?!-?\d))"
)
ONLY = re.compile(
    r"\A\W*+(?:(?:no|sorry|actually|so|and|then|now|it'?s|we'?re|לא|אז|בעצם|סליחה)\W++){0,3}+(?:only|just|רק)(?![א-ת\w])"
)
"""`just the two of us`: nobody else."""
ROOM_TOO = re.compile(
    r"\b(?:another|second|extra|additional|1 more|one more|add|plus|also) (?:an? |the )?(?:\w+ )?room\b[^.?!]{0,25}\bfor\b|"
    r"(?<![א-ת])ו?(?:תוסי(?:ף|פ[יו])|להוסיף|עוד|גם)(?: גם| עוד)? חדר[^.?!]{0,12} ל[א-ת]|חדר נוסף[^.?!]{0,12} ל[א-ת]"
)
"""`and a room for my parents too`."""
OF_SOMEONE = re.compile(
    r"\b(?:s?he|they|turn(?:s|ing|ed)?|birthday)\b|(?<![א-ת])(?:הוא|היא|הם|הן|חוגגת?|הולדת)(?![א-ת])"
)
"""Words beside a day that may be somebody's: `he turns 2 on the 26th`."""
_ARRIVES = r"(?:c[oa]m(?:es?|ing)|arriv(?:es?|ed|ing)|start(?:s|ed|ing)?|מגיעה?|מגיעים|[יתנ]גיעו?)"
_DEPARTS = r"(?:leav(?:es?|ing)|left|depart(?:s|ing)?|check(?:s|ing)? ?out|עוזבת?|עוזבים|[יתנ]עזוב)"
_ONE_END = (
    (
        rf"{_ARRIVES} [^.?!]{{0,20}}(?:earlier|before|קודם|לפני)[^.?!]{{0,20}}{_DEPARTS}",
        StayChange(days=-1, nights_more=1),
    ),
    (
        rf"{_ARRIVES} [^.?!]{{0,20}}(?:later|after|אחרי|מאוחר)[^.?!]{{0,20}}{_DEPARTS}",
        StayChange(days=1, nights_more=-1),
    ),
    (rf"{_DEPARTS} (?:on )?(?:a|the|1) day (?:later|after)", StayChange(nights_more=1)),
    (rf"{_DEPARTS} (?:on )?(?:a|the|1) day (?:earlier|before)", StayChange(nights_more=-1)),
)
"""`he comes a day earlier and leaves with us`: one end of the stay alone."""
_ADULTS_NAMED = frozenset(word for word, (kind, _) in WHO.items() if kind in (*ADULTS, "people", "group", "number"))


_MEANT = re.compile(r"\bsorry\b|\bi (?:actually )?meant?\b|סליחה|התכוונתי")
_OF_NIGHTS = re.compile(r"\bnights?\b|ליל")


def _without_taken_back(text: str) -> str:
    """`Two nights, sorry, I mean three nights`: without what stands before the last such words that nights come after."""
    last = max((found.start() for found in _OF_NIGHTS.finditer(text)), default=0)
    taken_back = max((found.end() for found in _MEANT.finditer(text, 0, last)), default=0)
    return "|" * taken_back + text[taken_back:]


def read_change(text: str) -> tuple[StayChange | None, list[tuple[int, int]]]:
    """How the earlier stay changes, from folded text with number words as digits, and where the text says so."""
    text = _without_taken_back(text)
    for words, change in (*_ONE_END, *_SHIFTS):
        if found := re.search(words, text):
            return change, [found.span()]
    if found := _DAYS.search(text):
        return _by_days(found), [found.span()]
    if found := _NIGHTS_INSTEAD.search(text):
        return StayChange(nights=int(found[1])), [found.span()]
    if found := _TOO_LONG.search(text):
        return StayChange(nights=int(found["n"])), [found.span("n")]
    for found in _NIGHTS.finditer(text):
        if made := _to_nights(found):
            return made, [found.span()]
    return None, []


_RIGHT = (
    "right", "exactly", "precisely", "perfect", "great", "good", "that's it", "it is", "that is it", "all right", "all correct",
    "you got it", "all good", "looks good", "בדיוק", "נכון מאוד", "הכל נכון", "הכול נכון", "זה נכון", "זהו", "מדויק", "אכן", "מצוין", "מעולה", "יפה",
)  # fmt: skip
_WRONG = ("wrong", "not right", "that's wrong", "not quite", "incorrect", "לא נכון", "זה לא נכון", "לא בדיוק", "ממש לא")


_THE_CHILD = re.compile(
    r"\b(?:the|our|my) (?:(?:little|small) one|\d{1,2} ?-?(?:yo|years? old|y/o)|baby|infant|toddler|kid|child|boy|girl|son|daughter)\b|\b(?:does|is) (?:the )?baby\b|"
    r"(?<![א-ת])[ול]?ה(?:תינוקת?|ילדה?|קטנ?ה?|גדולה?)(?![א-ת])"
)


def child_spoken_of(text: str) -> str:
    """The words for a child who is known, which count nobody: `does the baby pay?`; empty = there are none."""
    found = _THE_CHILD.search(fold(text))
    return text[found.start() : found.end()] if found else ""


_AGE_TOLD = re.compile(
    r"\b(?:s?he|they|it|who)(?:'s|'d be| (?:is|was|were|had been|will be|would be|becomes))(?: only| already| actually| just)? (\d{1,2})(?! ?(?:nights?|days?|rooms?)\b)|"
    r"(?<![א-ת])(?:הוא|היא)(?: (?:היה|הייתה|היתה|יהיה|תהיה|כבר|רק|בעצם))?(?: ב(?:ן|ת|גיל))? (\d{1,2})(?! ?(?:לילות|ימים|חדרים))"
)


def age_told(text: str) -> int | None:
    """The age told of someone spoken of: `and if he was 13?`."""
    found = _AGE_TOLD.search(prepared(fold(text))[0])
    return int(found[1] or found[2]) if found else None


def says(words: re.Pattern[str], text: str) -> bool:
    """Whether a message has these words."""
    return words.search(fold(text)) is not None


def says_right(text: str) -> Literal["yes", "no"] | None:
    """Whether the message is nothing but a yes or a no to `is that right?`."""
    said = consent(text, _RIGHT, _WRONG)
    return "yes" if said == "perhaps" else said


def some_of_several(text: str) -> str:
    """The words that give a wish to some of the rooms only: `one of them accessible`; empty = there are none."""
    found = _SOME_OF.search(fold(text))
    return text[found.start() : found.end()] if found else ""


def rooms_apart(text: str) -> int:
    """Rooms that the words tell apart, each with its own guests: `Room 1: …, Room 2: …`; 0 = none."""
    labels = {next(filter(None, found)) for found in _OWN_ROOMS.findall(fold(text))}
    return len(labels) if len(labels) > 1 and labels & {"1", "a", "א"} else 0


def offers_rooms(text: str) -> bool:
    """`a family suite or two rooms`: two ways of sharing rooms."""
    return bool(_OR_ROOMS.search(prepared(fold(text))[0]))


def one_room_or(text: str) -> tuple[int, list[tuple[int, int]]]:
    """`one room or two?`: the number beside one, as both are to be compared, and where it is asked; 0 = it is not."""
    found = _ONE_ROOM_OR.search(text)
    return (2 + ((found.lastindex or 1) - 1) % 3, [found.span()]) if found else (0, [])


def rooms_alone(text: str) -> int:
    """The number of a message that is nothing else: the answer to how many rooms; 0 = it is more, or none."""
    found = _A_FEW_ROOMS.search(prepared(fold(text))[0])
    return found.lastindex or 0 if found else 0


def corrected(text: str) -> str:
    """What is said instead: `March` of `my mistake, it's March, not Feb`."""
    said = CORRECTS.sub(" ", text).strip(" ,.!?")
    return _NOT_THAT.sub("", _IT_IS.sub("", said)).strip(" ,.!?")


DESCRIBED = re.compile(
    r"\bwhat(?:'?s| is| does| has)?\b[^.?!]{0,25}\b(?:in|have|like|got|about)\b|\b(?:describe|tell me|details?|more about)\b|\bwhat does\b|"
    r"(?<![א-ת])(?:מה (?:יש|כולל|הוא כולל|היא כוללת)|ספרו? לי|תארו?|פרטים על|איך (?:הוא|היא) נראי?ת?ה?)(?![א-ת])"
)
"""What something is like is asked: `the second one, what's in it?`"""


def read_pick(text: str) -> Pick | None:
    """Which of the things offered the guest picks."""
    if found := _NUMBERED.search(text):
        return int(found[1] or found[2])
    return next((pick for pick, words in _PICKS if re.search(words, text)), None)


def left_out(text: str) -> frozenset[str]:
    """Who is not coming after all: `children`, `babies`, the `youngest` or `eldest` child, `one` adult."""
    found = {who for who, words in _AWAY_FOUND.items() if words.search(text)}
    return frozenset(found | {who for who, words in _LEFT_OUT.items() if words.search(text)})


PETS_LEFT = re.compile(
    r"\b(?:without|no|not bringing|leav(?:e|es|ing)) (?:the |our |my |a |any )?(?:dogs?|cats?|pets?|pupp(?:y|ies)|animals?)\b|"
    r"\b(?:dog|cat|pet|puppy) (?:stays?|will stay|is staying) (?:at )?home\b|"
    r"(?<![א-ת])(?:בלי|ללא|נשאיר את|משאירים את) ?(?:ה)?(?:כלבה?|כלבים|חתולה?|חתולים|חיות|חיה)(?![א-ת])|(?:כלבה?|חתולה?) (?:י?ישאר|ת?ישאר|נשארת?) בבית"
)
"""The animals spoken of stay at home: `without the dog`."""


def names_adults(text: str) -> bool:
    """Whether any word of the message is for a grown person, or for people of any age."""
    words = re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", prepared(fold(text))[0])
    return any({word, word[1:], word[2:]} & _ADULTS_NAMED for word in words)


def length_alone(text: str) -> bool:
    """`Two nights. And the suite?`: a length in a clause of its own."""
    return bool(_LENGTH_ALONE.search(prepared(fold(text))[0]))


def leaving(text: str) -> str:
    """The words for the day of a departure that is named alone; empty = none is."""
    found = _LEAVES_ON.search(text) if not _DAYS_ALONE.match(corrected(text)) else None
    return _POLITE_END.sub("", found["day"] or found["he"]) if found else ""


def days_in_month(text: str, month: str) -> str:
    """The words with the month behind a number that is a day by its form: `the 17th`, `ב-14`; empty = there is none."""
    text = corrected(text) if _DAYS_ALONE.match(corrected(text)) else text
    found = _DAYS_ALONE.match(text) or _TWO_DAYS.search(text) or _DAY_NAMED.search(text)
    return f"{text[: found.end()]} {month}{text[found.end() :]}" if found else ""


def adds_guests(text: str) -> bool:
    """Whether guests come on top of those known."""
    return bool(_TOO.search(text))


def _by_days(found: re.Match[str]) -> StayChange:
    count, unit, way, he_count, he_unit, he_way = found.groups()
    number = int(count or he_count)
    sign = -1 if (way or he_way) in ("earlier", "before", "קודם", "לפני") else 1
    weeks = (unit or "").startswith("week") or he_unit == "שבועות"
    return StayChange(weeks=sign * number) if weeks else StayChange(days=sign * number)


def _to_nights(found: re.Match[str]) -> StayChange | None:
    """The new length, or how many more; None if no number of nights is given, or it is a rule's."""
    turns = {word.strip().removesuffix(" a") for word in (found["lead"], found["how"], found["tail"]) if word}
    sign = -1 if any(re.fullmatch(_LESS, word) for word in turns) else 1
    number = 2 if found["two"] else int(found["n"]) if found["n"] else 1 if found["one"] else 0
    if turns:
        return StayChange(nights_more=sign * (number or 1))
    return StayChange(nights=number) if number and not found["rule"] else None
