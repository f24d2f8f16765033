"""The plain words of a request: those that may stand beside its dates and guests and do not change what these say."""

import re
from collections.abc import Sequence
from functools import cache

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.reading.hours import HOURS, without_clock
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.rooms import without_rooms
from wavegraph.tools.hotel.reading.topics import TOPICS

_PLAIN = frozenset(
    words_of(
        """a an the for from to till until in on at of by and or plus + & with we i i'd i'm we'd we're us me my our you your it
        this that there is are be would like want need wanted needs looking look have has had do does can could may will
        shall get just only any again same then each apiece both together altogether total
        hi hello hey dear good morning evening please pls thanks thank kindly
        room rooms suite suites double doubles twin triple single king queen size bed beds bedroom deluxe standard
        night nights nightly dates midweek day days stay stays staying sleep sleeping accommodation vacancy vacancies
        book booking reserve reservation available availability free check checking out arrive arriving arrival
        come coming leave leaving depart departure departing through thru x works fine
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
        מגיעים להגיע נגיע עוזבים הגעה עזיבה כניסה יציאה ארוחת בוקר"""
    )
)
_OF_TIME = HOURS | {"minimum stay", "cancellation", "discounts", "events"}
_ROOMS = re.compile(r"\b\d{1,2} (?=(?:[a-z]+ )?(?:rooms?|suites?|doubles?|twins?|singles?|beds?)\b|ה?(?:חדר|סוויט))")
_OR = re.compile(r"(?<![^\W_])(?:or|או)(?![^\W_])[^.?!;\n]*$")
_NIGHTS = re.compile(r"\b\d{1,2} (?=nights?\b|ה?ליל)")
"""Numbers that have readers of their own."""
_WORD = re.compile(r"\d+|[^\W\d_]+(?:['\"][^\W\d_]+)*|[%±+&]")
_ABOUT = re.compile(r"\b(?:what|how) about\b")
_PREFIXES = "ושהבלמכ"


def unread_words(text: str, rooms: Sequence[RoomKind]) -> tuple[str, ...]:
    """Words of a folded text, what was read of it blanked, that are not plain."""
    plain = _ABOUT.sub("", without_clock(prepared(without_rooms(text, rooms))[0]))
    words = _WORD.findall(_NIGHTS.sub("", _ROOMS.sub("", plain)))
    return tuple(word for word in words if not (_is_plain(word) or _is_of_the_house(word)))


def counts_rooms_again(text: str) -> bool:
    """Whether it has several numbers of rooms, or one of which it is not sure: `two rooms, or one`, `a double and 2 singles`,
    `a family room, or would we need two rooms`."""
    read = prepared(fold(text))[0]
    return len(_ROOMS.findall(read)) > 1 or any(_OR.search(read[: each.start()]) for each in _ROOMS.finditer(read))


@cache
def _is_of_the_house(word: str) -> bool:
    """Whether it asks about the house: what there is in it, not when or for how long."""
    return any(re.search(words, word) for topic, words in TOPICS.items() if topic not in _OF_TIME)


def _is_plain(word: str) -> bool:
    bare = [word[cut:] for cut in range(3) if not word[:cut].strip(_PREFIXES)]
    return word in _PLAIN or not word.strip(_PREFIXES) or any(each in _PLAIN_HEBREW for each in bare)
