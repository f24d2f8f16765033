"""The plain words of a request: those that may stand beside its dates and guests and do not change what these say."""

import re
from collections.abc import Sequence
from functools import cache

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.reading.hours import HOURS, without_clock
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.rooms import without_rooms
from wavegraph.tools.hotel.reading.topics import TOPICS

_PLAIN = frozenset(
    words_of(
        """a an the for from to till until in on at of by and or plus + & with we i i'd i'm we'd we're us me my our you your it
        this that there is am are be would like want need wanted needs looking look have has had do does can could may will
        shall get just only any again same then each apiece both together altogether total
        hi hello hey dear good morning evening please pls thanks thank kindly
        room rooms suite suites double doubles twin triple single king queen size bed beds bedroom deluxe standard
        night nights nightly dates midweek day days stay stays staying sleep sleeping accommodation vacancy vacancies
        book booking reserve reservation available availability free check checking out arrive arriving arrival
        come coming travelling traveling leave leaving depart departure departing through thru x works fine
        price prices cost costs how much what which whichever cheap cheaper cheapest compare number late
        breakfast half full board bb hb ro sea view balcony"""
    )
)
"""Not among them: what moves, excludes or remembers a date, and what leaves a number open (`not`, `before`, `if`, `about`)."""
_PLAIN_HEBREW = frozenset(
    words_of(
        """חדר חדרים סוויטה זוגי יחיד אנחנו אני רוצה רוצים צריך צריכים צריכה מחפש מחפשים אפשר האם יש את של שלי שלנו עם או אז מה
        שלום היי בבקשה תודה לילה לילות אותם תאריכים להזמין תזמין תזמיני תזמינו הזמינו מעוניינים מעוניין מעוניינת
        לנו לי פנוי פנויים מקום כמה עולה מחיר זול יותר הכי רק
        מגיעים מגיע מגיעה בא באה להגיע נגיע עוזבים הגעה עזיבה כניסה יציאה ארוחת בוקר"""
    )
)
_OF_TIME = HOURS | {"minimum stay", "cancellation", "discounts", "events"}
_ROOMS = re.compile(r"\b\d{1,2} (?=(?:[a-z]+ )?(?:rooms?|suites?|doubles?|twins?|singles?|beds?)\b|ה?(?:חדר|סוויט))")
_OR = re.compile(r"(?<![^\W_])(?:or|או)(?![^\W_])[^.?!;\n]*$")
_NIGHTS = re.compile(r"\b\d{1,2} (?=nights?\b|ה?ליל)")
"""Numbers that have readers of their own."""
_PRONOUN = re.compile(
    r"\b((?:the|this|that|which|any|another) (?:[a-z]+ ){0,2})one\b(?= *(?:$|[^\w ]| (?!or\b|to\b|more\b|extra\b|nights?\b|days?\b|weeks?\b)\w))"
)
"""`The refundable one`: it stands for a thing, and counts nothing."""
_COUNT = re.compile(r"(?<![^\W_])(\d{1,4})(st|nd|rd|th)?(?= ([^\W\d_][\w'-]*)(?: ([^\W\d_][\w'-]*))?|)(?![^\W_])")
_PLURAL = re.compile(r"s$|ים$|ות$")
_OF_A_CHOICE = frozenset(
    words_of(
        "possible ok okay good great better best too also well instead preferred preferable preferably ideally suit suits "
        "if unless rather not more extra additional longer ideal possibly perhaps maybe עדיף גם בסדר מתאים אפשרי טוב עוד נוספים נוספות"
    )
)
"""Words behind a number that a day, or a count of nights, may be good for."""
_LAST_DAY, _YEARS = 31, range(1900, 2200)
_BEHIND = re.compile(r"(?<![^\W_])(?:before|after|לפני|אחרי) (?=(?:(?:the|a|any|your) )?([^\W\d_]+))")
_OF_THE_HOUR = re.compile(
    r"\b(?:before|after) (?:(?:the|our|my|your) )?(?:check(?:ing)?[ -]?(?:in|out)|arrival|departure)\b|"
    r"(\b(?:bags?|luggage|baggage|suitcases?|things|stuff)\b(?: (?!or\b)[a-z]+){0,2}) (?:before|after)\b(?! \|)|"
    r"(?<![א-ת])(?:לפני|אחרי) ה?(?:צ'?ק[ -]?(?:אין|אאוט|אוט)|כניסה|עזיבה|הגעה|יציאה)(?![א-ת])|"
    r"((?<![א-ת])[הבלו]{0,2}(?:מזוודות|מזוודה|תיקים|תיק|כבודה)(?: (?!או )[א-ת]+){0,2}) (?:לפני|אחרי)(?! \|)(?![א-ת])"
)
"""`Can I leave my bags after check-out`: when, on the days of the stay."""
_WORD = re.compile(r"\d+|[^\W\d_]+(?:['\"][^\W\d_]+)*|[%±+&]")
_ABOUT = re.compile(r"\b(?:what|how) about\b")
_COURTESY = re.compile(
    r"\bif (?:it(?:'s| is) |at all )?(?:possible|available)\b|\bif (?:i|we) may\b|(?<![א-ת])ו?אם (?:אפשר|ניתן|זה אפשרי|יש אפשרות)(?![א-ת])"
)
"""`With breakfast if possible`: it asks, and leaves nothing open."""
_WHETHER = re.compile(
    r"\b((?:know|say|see|check|ask|asking|wonder|wondering|(?:tell|let|advise|inform|remind) (?:me|us)) )if\b|"
    r"(?<![א-ת])((?:לדעת|לבדוק|לברר|לשאול|לוודא|(?:תגידו|תאמרו|תגיד|תגידי|אמרו) לי|תבדקו|תבדקי|תבדוק) )אם(?![א-ת])"
)
"""`Tell me if there is a room`: a question."""
_COPULA = re.compile(
    r"(?<![א-ת])((?:ה?תאריכים|ה?תאריך|ה?לילות|ה?שהות)(?: של[א-ת]+)? )(?:הם|הן|הוא|היא|יהיו|יהיה|תהיה|הינם|הינו)(?![א-ת])"
)
"""`התאריכים הם`: in English its words are plain."""
_PREFIXES = "ושהבלמכ"


def unread_words(text: str, rooms: Sequence[RoomKind]) -> tuple[str, ...]:
    """Words of a folded text, what was read of it blanked, that are not plain."""
    asked = _COPULA.sub(r"\1", _WHETHER.sub(r"\1\2", _COURTESY.sub("", _ABOUT.sub("", without_rooms(text, rooms)))))
    plain = without_clock(prepared(_PRONOUN.sub(r"\1", asked))[0])
    on_its_days = _OF_THE_HOUR.sub(lambda found: found[1] or found[2] or "", plain)
    of_dates = _BEHIND.sub(
        _unless_of_the_house, _COUNT.sub(_unless_of_a_thing, _NIGHTS.sub("", _ROOMS.sub("", on_its_days)))
    )
    words = _WORD.findall(of_dates)
    return tuple(word for word in words if not (_is_plain(word) or _is_of_the_house(word)))


def counts_rooms_again(text: str) -> bool:
    """Whether it has several numbers of rooms, or one of which it is not sure: `two rooms, or one`, `a double and 2 singles`,
    `a family room, or would we need two rooms`."""
    read = prepared(fold(text))[0]
    return len(_ROOMS.findall(read)) > 1 or any(_OR.search(read[: each.start()]) for each in _ROOMS.finditer(read))


def _unless_of_a_thing(count: re.Match[str]) -> str:
    """Nothing where a number counts what stands behind it, or is that of no day: `our 10th anniversary`, `3 big dogs`, `30%`."""
    number = int(count[1])
    if number > _LAST_DAY and number not in _YEARS:
        return ""
    things = [word for word in (count[3], count[4]) if word]
    if not (things and _is_a_thing(things[0])):
        return count[0]
    is_of_these = number == 1 or count[2] or any(_PLURAL.search(word) and _is_a_thing(word) for word in things)
    return "" if is_of_these else count[0]


@cache
def _is_a_thing(word: str) -> bool:
    """Whether a word behind a number may be of no date, nor of what one may be good for."""
    is_of_dates = any(
        lex.unit or lex.key or lex.holiday or lex.month or lex.weekday is not None for lex in lexemes(word)
    )
    return not (is_of_dates or word in _OF_A_CHOICE or (_is_plain(word) and not _is_of_the_house(word)))


def _unless_of_the_house(moves: re.Match[str]) -> str:
    """`After the discount`, `before breakfast`: no day is moved by what there is in the house."""
    return "" if any(re.search(words, moves[1]) for topic, words in TOPICS.items() if topic not in HOURS) else moves[0]


@cache
def _is_of_the_house(word: str) -> bool:
    """Whether it asks about the house: what there is in it, not when or for how long."""
    return any(re.search(words, word) for topic, words in TOPICS.items() if topic not in _OF_TIME)


def _is_plain(word: str) -> bool:
    bare = [word[cut:] for cut in range(3) if not word[:cut].strip(_PREFIXES)]
    return word in _PLAIN or not word.strip(_PREFIXES) or any(each in _PLAIN_HEBREW for each in bare)
