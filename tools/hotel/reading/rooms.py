"""Reads which rooms: how many, of which type, with which meals, on which terms. Codes only where clearly asked."""

import re
from typing import NamedTuple

from wavegraph.tools.hotel.records import Board


class RoomWish(NamedTuple):
    """What the text asks of the room."""

    rooms: int | None
    room_types: tuple[str, ...]
    board: Board | None
    refundable: bool | None
    any_type: bool
    """`any room`: an earlier wish for a type is dropped."""
    asks_terms: bool = False
    """Whether `refundable` is a question about a rate, and no wish for one."""


_ROOM = r"(?:rooms?|bedrooms?|units?)"
_COUNT = (
    re.compile(
        rf"\b(\d{{1,3}})\s+(?:(?:more|separate|adjoining|connecting|different|hotel|double|triple|family|twin|deluxe|sea[\s-]?view|accessible|standard)\s+)*(?:{_ROOM}|"
        rf"doubles|suites|triples)\b"
    ),
    re.compile(r"(?<!\d)(\d{1,3})\s+(?:חדרים|סוויטות|חדרי)"),
    re.compile(r"\bחדר 1\b()"),
)
ROOM_TYPES: dict[str, str] = {
    "FAM": r"\bfamily[\s-](?:rooms?|suites?|size)\b|\bfam\b|חדרי? משפחת?(?:י|ה)|חדרים משפחתיים|סוויטה משפחתית|"
    r"סוויטת משפחה|סויטה משפחתית|החדר המשפחתי",
    "DLX": r"\bsea[\s-]?views?\b|\bsea[\s-]?facing\b|\bocean[\s-]?view\b|\bdeluxe\b|\bdelux\b|\bdlx\b|"
    r"\bsea[\s-]?side room\b|נוף ל(?:ים|חוף)|דלוקס|דה לוקס|פונה לים|מול הים|עם נוף",
    "SUITE": r"(?<!family )(?<!family-)\bsuites?\b|(?<![א-ת])ה?ב?סו?וי[טת]ה?(?![א-ת])(?! משפח)|סוויטות",
    "TRP": r"\btriples?\b|\btrp\b|\bthree[\s-]bed(?:ded)?\b|חדר (?:ל ?)?3(?! ?(?:לילות|ימים|ב))(?! מבוגר)|טריפל|"
    r"חדר שלישייה",
    "ACC": r"\b(?:accessible|disabled|wheelchair(?:[\s-](?:accessible|friendly))?|"
    r"handicap(?:ped)?)\s+(?:bed)?rooms?\b|\brooms?\b[^.?!|]{0,25}\bwheelchair|\bacc\b|חדר(?:ים)? (?:נגיש|"
    r"נכים|מותאם)|חדר לנכה",
    "DBL": r"\bdoubles?\b(?! check)|\btwin\b|\bdbl\b|\bstandard room|\bqueen (?:room|bed)|חדר(?:ים)? זוגי|"
    r"זוגי(?:ם|ת)?(?![א-ת])|חדר רגיל|חדר סטנדרט",
}
_BOARDS: dict[Board, str] = {
    "AI": r"\ball[\s-]?inclusive\b|הכל כלול|הכול כלול",
    "FB": r"\bfull[\s-]?board\b|\bfb\b|פנסיון מלא",
    "HB": r"\bhalf[\s-]?board\b|\bhb\b|\bwith (?:breakfast and )?dinner\b|\bdinner included\b|חצי פנסיון|עם ארוחת ערב",
    "RO": r"\broom[\s-]only\b|\b(?:no|without|w/o) (?:breakfast|meals?|food|board)\b|"
    r"\bskip (?:the )?breakfast\b|\bro\b|לינה בלבד|(?:בלי|ללא) (?:ארוחות|ארוחת בוקר|ארוחה)",
    "BB": r"\b(?:with|w/|and|incl(?:uding|\.)?|plus|has|include|includes|including|add) (?:a )?breakfasts?\b|"
    r"\bb ?(?:&|and) ?b\b|\bbed (?:and|&) breakfast\b|(?<!is )(?<!is the )\bbreakfast (?:included|incl)\b|"
    r"\bbb\b|(?:עם|כולל|כוללת|פלוס|בתוספת|\+) ?ארוח(?:ת|ות) ?ה?בוקר|לינה ו?ארוחת בוקר",
}
_REFUNDABLE = re.compile(
    r"\b(?<!non-)(?<!non )refundable\b|\bfree cancell?ation\b|\bflexible rate\b|\bcancel for free\b|"
    r"ביטול חינם|ביטול ללא (?:עלות|תשלום)|עם אפשרות (?:ל)?ביטול|ניתן לביטול"
)
_NON_REFUNDABLE = re.compile(r"\bnon[\s-]?refundable\b|ללא (?:אפשרות )?ביטול|לא ניתן לביטול")
_ASKS_TERMS = re.compile(
    r"\b(?:is|are|was|would|will)(?:n't)? (?:it|this|that|they|these|those|(?:the|this|that|my|our|your)\b[^.?!|]{1,40}?)"
    r"(?: be)?(?: also| fully| still)? (?:non[\s-]?)?refundable(?=\s*(?:[.?!|]|$|for|on|if|or|too|as))|"
    r"(?<![א-ת])האם (?:זה|הוא|היא|ה[א-ת]+(?: ה[א-ת]+)?) (?:לא )?ניתן לביטול"
)
_ANY_TYPE = re.compile(
    r"\bany (?:room|type)|\bwhichever room|\bother rooms?\b|\bdifferent room\b|\banother (?:room )?type|"
    r"כל חדר|חדר אחר|סוג אחר|חדרים אחרים"
)


def read_rooms(text: str) -> RoomWish:
    """What is asked of the room, from folded text with number words as digits and dates blanked."""
    types = tuple(code for code, pattern in ROOM_TYPES.items() if re.search(pattern, text))
    board = next((code for code, pattern in _BOARDS.items() if re.search(pattern, text)), None)
    any_type, asks_terms = bool(_ANY_TYPE.search(text)), bool(_ASKS_TERMS.search(text))
    return RoomWish(_count(text), types, board, _refundable(text), any_type, asks_terms)


def _count(text: str) -> int | None:
    for pattern in _COUNT:
        if numbers := pattern.findall(text):
            return sum(int(n or 1) for n in numbers) or None
    return None


def _refundable(text: str) -> bool | None:
    if _NON_REFUNDABLE.search(text):
        return False
    return True if _REFUNDABLE.search(text) else None
