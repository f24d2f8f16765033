"""Reads which rooms: how many, of which of the property's types, with which meals, on which terms."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.reading.normalise import clean, fold, prepared
from wavegraph.tools.hotel.records import Board


class RoomWish(NamedTuple):
    """What the text asks for in a room."""

    rooms: int | None
    room_types: tuple[str, ...]
    board: Board | None
    refundable: bool | None
    any_type: bool
    """`any room`: an earlier wish for a type is dropped."""
    asks_terms: bool = False
    """Whether `refundable` is a question about a rate, not a wish for one."""
    plain: str = ""
    """The text with plain words in place of the rooms' names."""
    words: frozenset[str] = frozenset()
    """The words that named the rooms."""
    apart: bool = False
    """More than one room is meant, without a number: `separate rooms`."""
    several_boards: bool = False
    """It names boards side by side, to choose from."""
    wishes: bool = False
    """It asks for a place in the property, or for beds: nothing that can be promised."""
    shared: bool = False
    """It tells who is in which room: `the boys in one and us in the other`."""


_ROOM = r"(?:rooms?|bedrooms?|units?)"
_NAMED = "§"
"""Stands in a text for a kind of room named without the word."""
_COUNT = (
    re.compile(
        rf"\b(\d{{1,3}})(?:\s*[x×]\s*|\s+)(?:(?:more|separate|adjoining|connecting|different|hotel|{_NAMED})\s+)*(?:{_ROOM})\b"
    ),
    re.compile(r"(?<!\d)(\d{1,3})\s+(?:חדרים|סוויטות|חדרי)"),
    re.compile(
        rf"(?:\bחדר 1\b|\b(?:all|everyone|together)\b[^.?!,]{{0,20}} in (?:a|1|the same) (?:\w+ ){{0,2}}(?:room|suite|{_NAMED})|"
        rf"כולם (?:יחד |ביחד )?ב(?:אותו )?(?:חדר|סוויטה|{_NAMED}))()"
    ),
)
_ONE_FOR = re.compile(r"\b1 for\b(?! \d+ nights?\b)|(?<!\w)ו?1 ל[א-ת]")
"""`one for my parents, one for us`."""
_ANOTHER_FOR = re.compile(
    r"\b(?:1|another|the other|other)(?: room| 1)? for\b(?! \d+ nights?\b)|\b(?:separately|another) (?:a room|1)\b"
)
_A_ROOM_FOR = re.compile(r"\b(?:a|the) (?:room|double|twin) for\b")
_NTH = re.compile(
    r"\b(?:a |the )(?:(second|another)|(third)|(fourth)) room\b|חדר (?:(שני|נוסף)|(שלישי)|(רביעי))(?![א-ת])"
)
_COUPLES = re.compile(r"\b(\d{1,2}) couples\b|(?<!\d)(\d{1,2}) זוגות")
_BESIDE = r"(?:adjoining|adjacent|connecting|connected|neighbou?ring|interconnecting)"
_APART = re.compile(
    rf"\b(?:separate|{_BESIDE}|own) rooms\b|\brooms (?:next to|near|beside|close to) each other\b|\b(?:own|separate) room\b|"
    r"חדרים (?:צמודים|סמוכים|מחוברים|נפרדים)|חדר (?:נפרד|משל(?:ה|ו|הם|הן)|לעצמ(?:ה|ו|ם))(?![א-ת])"
)
_WISHED = re.compile(
    rf"\b(?:high|higher|low|lower|top|upper|ground|quiet|first|second|third) floors?\b|\b{_BESIDE}\b|"
    rf"\bquiet(?:er|est)? (?:(?:\w+|{_NAMED}) )?(?:room|{_NAMED}|side|corner|place|spot|1\b)|\b(?:some|any)(?:thing|where) quiet|"
    r"\bnext to each other\b|\b(?:away|far) from the (?:lift|elevator|street|road|bar)\b|\b(?:twin|separate|single) beds\b|"
    r"\b(?:near|close to|next to|beside) the (?:lift|elevator|stairs)\b|(?:ליד ה|קרוב(?:ה|ים)? ל)(?:מעלית|מדרגות)|"
    rf"קומ(?:ה|ות) (?:גבוה(?:ה|ות)|שקט(?:ה|ות)|נמוכ(?:ה|ות)|עליונ(?:ה|ות)|ראשונה|שנייה)|קומת (?:ה?קרקע|ה?כניסה)|"
    rf"(?:חדר|מקום|צד|משהו|{_NAMED})(?: זוגי)? שקט|רחוק מה|מיטות (?:נפרדות|יחיד)|"
    r"(?<![א-ת])(?:צמודים|סמוכים|מחוברים)(?![א-ת])"
)
_SHARED = re.compile(
    rf"\bin (?:a|1|the 1|the first)(?: {_ROOM})?\b[^.?!]{{1,60}}\b(?:in (?:the other|another|the second)|in 1)\b(?: 1| {_ROOM})?|"
    r"(?<![א-ת])ב ?(?:חדר )?(?:1|אחת|אחד|הראשון)(?![א-ת\d])[^.?!]{1,60}(?<![א-ת])ב ?(?:חדר )?ה? ?(?:שנייה?|שני|2|אחרת?|1)(?![א-ת\d])"
)
_NOUNS = frozenset(words_of("room rooms bedroom unit suite bed חדר סוויטה סוויטת מיטה"))
_KINDS = frozenset(
    words_of(
        "double twin triple quad quadruple suite studio apartment loft penthouse villa bungalow cabin cottage chalet duplex "
        "maisonette dormitory deluxe tent yurt treehouse סוויטה סוויטת דלוקס פנטהאוז סטודיו דירה לופט וילה בקתה בונגלו דופלקס"
    )
)
"""Words that name a room by themselves; any other word of a name does so only next to the word "room"."""
_BEDS = frozenset(words_of("queen king single"))
"""Words that name a room by themselves only where nothing else follows: `a queen for two`, not `a queen bed`."""
_STOP = frozenset(
    words_of(
        "the a an our your my their this that these any some all other another each every no not one with without and or of for from in on at to by "
        "available free same different which what cheapest hotel guest la le les el los das der die il לה של עם או כל אחר אחרת פנוי פנויה"
    )
)
"""Words of a room's name that do not identify it next to the word "room"."""
_HEBREW = re.compile("[א-ת]")
_BOARDS: dict[Board, str] = {
    "AI": r"\ball[\s-]?inclusive\b|הכל כלול|הכול כלול",
    "FB": r"\bfull[\s-]?(?:board|pension)\b|\bpension compl[eè]te\b|\bfb\b|פנסיון מלא",
    "HB": r"\b(?:half|demi)[\s-]?(?:board|pension)\b|\bhb\b|\bwith (?:breakfast and )?dinner\b|חצי פנסיון|עם ארוחת ערב",
    "RO": r"\broom[\s-]only\b|\b(?:no|without|w/o) (?:breakfast|meals?|food|board)\b|"
    r"\b(?:don't|do not|no) (?:need|want)(?: for)? (?:the |any )?(?:breakfast|meals?|food|board)\b|"
    r"\bskip (?:the )?breakfast\b|\bro\b|לינה בלבד|(?:בלי|ללא|לא (?:צריך|צריכה|צריכים|רוצה|רוצים)) (?:את )?ה?(?:ארוחות|ארוחת ה?בוקר|ארוחה|בוקר)(?![א-ת])",
    "BB": r"\b(?:with|w/?|and|incl(?:uding|\.)?|plus|has|include|includes|including|add) (?:a )?breakfasts?\b|"
    r"\bb ?(?:&|and) ?b\b|\bbed ?(?:and|&|n) ?breakfast\b|(?<!is )(?<!is the )\bbreakfast (?:included|incl)\b|"
    r"\b(?:only|just) (?:the )?breakfast\b|\bbreakfast only\b|\b(?:without|no|skip|drop) (?:the )?dinners?\b|"
    r"(?<![א-ת])ו?רק (?:ארוחת )?ה?בוקר(?![א-ת])|בוקר (?:בלבד|לבד)|(?:בלי|ללא|לוותר על|נוותר על|מוותרים על) ארוח(?:ת|ות) ה?ערב|"
    r"\bbb\b|(?<![א-ת])ב\"ב(?![א-ת])|(?:עם|כולל|כוללת|פלוס|בתוספת|\+) ?(?:ה?ארוח(?:ת|ות) ?)?ה?בוקר(?! טוב)(?![א-ת])|לינה (?:עם |ו|\+ ?)?(?:ארוחת )?בוקר|(?<![א-ת])ו?א[.'] ?בוקר(?![א-ת])|"
    r"(?<![א-ת])(?:חדר|זוגי|דלוקס|סוויטה|משפחתית?) ו?בוקר(?![א-ת])",
}
_ANY_BOARD = re.compile("|".join(_BOARDS.values()))
_MEALS: dict[Board, re.Pattern[str]] = {
    "HB": re.compile(r"(?<!for )\bdinners?\b|(?<![א-ת])ו?ה?ארוח(?:ת|ות) ?ה?ערב(?![א-ת])"),
    "BB": re.compile(r"\bbreakfasts?\b|(?<![א-ת])ו?ה?ארוח(?:ת|ות) ?ה?בוקר(?![א-ת])"),
}
"""The meal that a board ends with, the most first."""
_CLAUSE = re.compile(r"[^.,;!?\n|]+\??")
_NO_WISH = re.compile(
    r"\b(?:what|when|where|which|how|is|are|was|do|does|did|can|could|may|until|till|about|after|before|at|during|from|the|your|no|not|"
    r"never|without|skip|if|or|of|lov\w+|enjoy\w*|miss)\b|n't\b|"
    r"(?<![א-ת])(?:מה|מתי|איפה|איך|האם|יש|אפשר|לא|בלי|ללא|עד|אחרי|לפני|כמה|שעות|שעת|על|לגבי|אם|או|איזו)(?![א-ת])"
)
_NO_MORE = re.compile(
    r"(?: (?:only|please|pls|rate|option|board|flexible|non-refundable|גמישה?|included|too|thanks|thx|בלבד|בבקשה|רק|כלולה?|גם|תודה)\b){0,4}(?: (?:and|for (?:all|both|us|everyone|\d))\b.*)? ?$"
)
_SIDE_BY_SIDE = re.compile(r"\b(?:or|versus|vs|another|difference)\b|(?<![א-ת])(?:או|ועוד|לעומת|ההבדל)(?![א-ת])")
_BOARD_TAKEN_BACK = re.compile(
    r"(?:\b(?:not|instead of|rather than)|(?<![א-ת])(?:לא|במקום)) (?:the )?(?:half[\s-]?board|half pension|full[\s-]?board|room[\s-]only|חצי פנסיון|פנסיון מלא|לינה בלבד)"
)
_REFUNDABLE = re.compile(
    r"\b(?<!non-)(?<!non )refundable\b|\bfree cancell?(?:ation)?\b|\bflexible rate\b|\bcancel for free\b|"
    r"(?<!non-)(?<!non )(?<!not )\bcancell?able\b|\bable to cancel\b|\b(?:with|w/) (?:the )?cancell?ation\b(?! (?:fees?|insurance|polic))|"
    r"(?<![א-ת])ו?ה?(?<!אני )(?<!אנחנו )גמישה?(?![א-ת])(?! (?:ב|עם|לגבי|מבחינת))|ביטול חינם|ביטול ללא (?:עלות|תשלום)|(?<![א-ת])ו?עם (?:אפשרות (?:של |ל)?)?ביטול|(?<![א-ת])ואפשרות (?:של |ל)?ביטול|ניתן לביטול|ש(?:אפשר|ניתן) לבטל"
)
_FLEXIBLE = re.compile(
    r"\bflexible\b(?! (?:on|with(?! (?:breakfast|half|full|free|bb|hb))|about|as|in|dates?|days?|times?|hours?|check|arrival|stay|regarding|if|for the))"
)
_FLEXIBLE_GUEST = re.compile(
    r"\b(?:i'?m|we'?re|am|are|is|be|being|dates?|days?|not|in|my|our|with)(?: (?:a|bit|little|quite|very|pretty|fairly|somewhat|also|fully|all)){0,4} $"
)
"""What precedes `flexible` where it describes the guest or the dates, not a rate."""
_NON_REFUNDABLE = re.compile(
    r"\bnon[\s-]?refundable\b|\bwithout (?:free )?cancell?ation\b|\b(?:not|non)[\s-]?cancell?able\b|"
    r"\b(?:no|don't need|do not need|don't care about|skip the) (?:the )?(?:free )?(?:cancell?ation|refunds?)\b(?! (?:fees?|charges?|costs?|polic))|\bwithout (?:a )?refunds?\b|"
    r"\b(?:even )?if (?:i|we) can(?:'t|not) (?:cancel|get (?:it|the money) back)\b|\bprepaid rate\b|"
    r"(?:ללא|בלי|גם אם אין|לא (?:צריך|צריכה|צריכים|אכפת לי מ|חשוב לי)) (?:ה?אפשרות )?(?:ה?החזר|[הל]?ביטול|לבטל)|גם אם (?:אי אפשר|לא ניתן) לבטל|לא ניתן לביטול"
)
_ASKS_TERMS = re.compile(
    r"\b(?:is|are|was|would|will)(?:n't)? (?:it|this|that|they|these|those|(?:the|this|that|my|our|your)\b[^.?!|]{1,40}?)"
    r"(?: be)?(?: also| fully| still)? (?:non[\s-]?)?refundable(?=\s*(?:[.?!|]|$|for|on|if|or|too|as))|"
    r"(?<![א-ת])האם (?:זה|הוא|היא|ה[א-ת]+(?: ה[א-ת]+)?) (?:לא )?ניתן לביטול"
)
_ANY_TYPE = re.compile(
    r"\bany (?:room|type)|\bwhichever room|\bother rooms?\b|\bdifferent room\b|\banother (?:room )?type|"
    r"כל חדר|חדר אחר|סוג אחר|חדרים אחרים"
)


def read_rooms(text: str, rooms: Sequence[RoomKind] = (), written: str = "") -> RoomWish:
    """What is asked for in a room, from folded text with number words as digits and dates blanked.

    `rooms`: the property's own, whose codes, names and aliases are looked for; `written`: the text as the guest wrote it; empty
    if its capitals mean nothing.
    """
    text, needed = _access(text)
    types, plain, words = _types(text, rooms)
    types |= {room.code for room in rooms if _as_written(room, written)}
    if needed and (fitting := _accessible(rooms, words)):
        types = types | fitting if (_count(plain) or 1) > 1 else fitting
        plain = _NEED.sub(_barred, plain)
    boards = boards_named(text)
    several = len(boards) > 1 and bool(_SIDE_BY_SIDE.search(text))
    board = None if several else next(iter(boards), None)
    any_type, asks_terms = bool(_ANY_TYPE.search(text)), bool(_ASKS_TERMS.search(text))
    named = tuple(room.code for room in rooms if room.code in types)
    shared = bool(_SHARED.search(plain))
    return RoomWish(
        _count(_SHARED.sub(" | ", plain)) or (None if shared else _count(text)),
        named,
        board,
        _refundable(text),
        any_type,
        asks_terms,
        plain.replace(_NAMED, "room"),
        words,
        bool(_APART.search(plain)),
        several,
        bool(_WISHED.search(plain)),
        shared,
    )


def boards_named(text: str) -> list[Board]:
    """The boards named, but for one that is taken back."""
    text = _BOARD_TAKEN_BACK.sub(" ", text)
    found = [code for code, pattern in _BOARDS.items() if re.search(pattern, text)]
    wanted = [board for board, meal in _MEALS.items() if any(_is_for(meal, clause) for clause in _CLAUSE.findall(text))]
    return wanted[:1] or found if found in ([], ["BB"]) else found


def without_boards(text: str) -> str:
    """The text without the words by which it names boards, or takes them back: `no meals`."""
    return _ANY_BOARD.sub(" | ", _BOARD_TAKEN_BACK.sub(" | ", text))


def _is_for(meal: re.Pattern[str], clause: str) -> bool:
    """Whether the clause names the meal as part of what is wanted, and asks nothing about it: `a double, breakfast`."""
    found = meal.search(clause)
    return bool(found and not _NO_WISH.search(clause[: found.start()]) and _NO_MORE.match(clause, found.end()))


_NEED = re.compile(
    r"\b(?:accessib\w+|wheel[\s-]?chair(?:[\s-](?:accessible|friendly|user))?s?|disab(?:led|ility)(?:[\s-]friendly)?|"
    r"handicap\w*|step[\s-]free|roll[\s-]in shower)\b|(?<![א-ת])[לבהו]{0,2}(?:נגיש(?:ה|ים|ות)?|כי?סא גלגלים|נכה|נכים)(?![א-ת])"
)
"""Words for a room that a disabled guest can use."""
_NOT_NEEDED = re.compile(r"(?:\b(?:not|no|non|without)\b|n't\b|(?<![א-ת])(?:לא|בלי|ללא)(?![א-ת]))[^,.;!?|]{0,25}$")
_ABOUT_THE_HOUSE = re.compile(r"^\W*(?:(?:and|but|also) )?(?:is|are) (?!there\b)|^\W*ו?(?:האם )?ה[א-ת]+ ")
"""How a question begins that is about what the property has, not for a room of one's own."""
_ANY_ROOM = re.compile(
    rf"{_NAMED}|\b(?:{_ROOM}|doubles?|twins?|suites?|any(?:thing)?|something|one)\b|חדר|סוויטה|זוגי|משהו"
)


def _access(text: str) -> tuple[str, bool]:
    """The text without the words for an accessible room where none is needed, and whether one is."""
    needed = False
    for found in _NEED.finditer(text):
        if _NOT_NEEDED.search(text[max(0, found.start() - 40) : found.start()]):
            text = text[: found.start()] + _barred(found) + text[found.end() :]
        else:
            needed = needed or not _asks_about_the_house(text, found.start())
    return text, needed


def _asks_about_the_house(text: str, at: int) -> bool:
    """`Is the pool wheelchair accessible?`: a question that names no room to be had."""
    end = re.search(r"[.;!?\n]|$", text[at:])
    if end is None or end.group() != "?":
        return False
    clause = re.split(r"[,.;!?\n]|\band\b", text[:at])[-1] + text[at : at + end.start()]
    return bool(_ABOUT_THE_HOUSE.search(clause)) or not _ANY_ROOM.search(clause)


def _accessible(rooms: Sequence[RoomKind], words: frozenset[str]) -> set[str]:
    """The accessible rooms; of several, those that the words fit too: `an accessible suite`."""
    able = [
        room for room in rooms if any(is_accessible(each) for each in (*room.words, *room.features, *room.features_he))
    ]
    fitting = [room for room in able if words & name_words(room)]
    return {room.code for room in fitting or able}


def name_words(room: RoomKind) -> frozenset[str]:
    """The words of its name in both languages."""
    return frozenset(_normal(f"{room.name} {room.name_he}").split())


def is_accessible(name: str) -> bool:
    """Whether a room's name, or a word about it, says that a disabled guest can use it."""
    found = _NEED.search(text := fold(name))
    return found is not None and not _NOT_NEEDED.search(text[: found.start()])


_VIEW = re.compile(r"\bviews?\b|\b(?:sea|ocean|lake|river)[\s-]?front\b|נוף|קו (?:ראשון|המים)")


def speaks_of_a_view(feature: str) -> bool:
    return bool(_VIEW.search(fold(feature)))


def _barred(found: re.Match[str]) -> str:
    return "|" * len(found.group())


def _as_written(room: RoomKind, text: str) -> bool:
    """Whether a code or one-word name appears as the property writes it: "a garden" does not mean the type GARDEN."""
    return any(
        re.search(rf"(?<![\w-]){re.escape(_bare(name))}(?![\w-])", _bare(text))
        for name in (room.code, room.name)
        if name[:1].isupper() and " " not in name
    )


def without_rooms(text: str, rooms: Sequence[RoomKind]) -> str:
    """The text with a plain word in place of the rooms' names, which may be of any language."""
    return _types(fold(clean(text)), rooms)[1].replace(_NAMED, "room")


def _types(text: str, rooms: Sequence[RoomKind]) -> tuple[set[str], str, frozenset[str]]:
    """The codes of the rooms named, the text with a plain word in their place, and the words; the longest words first."""
    text = said = _BY_THE_SEA.sub(r"\1 נוף לים", text)
    named: dict[str, set[str]] = {}
    asks = bool(_ASKS_WHICH_SEE.search(text))
    for pattern, phrase, codes in _patterns(tuple(rooms)):
        if asks and set(phrase.split()) <= _VIEW_ALONE:
            continue
        text, times = pattern.subn(_plainly, text)
        if times:
            named[phrase] = codes
    words = frozenset(word for phrase in named for word in phrase.split())
    return _with_the_view(said, named, rooms), text, words


_ASKS_WHICH_SEE = re.compile(
    r"\b(?:does|do|is|are|has|have) (?:the|your|all|that|this|every|an?)\b[^.?!]{1,40}\b(?:have|has|got|with|face|get|come)\b[^.?!]{0,20}\b(?:sea|ocean)\b|"
    r"\b(?:which|what) (?:of (?:the|your) )?(?:rooms?|suites?) (?:have|has|face|come with|got)\b|"
    r"(?<![א-ת])(?:האם )?[לבמ]ה?(?:חדר|סוויט|דלוקס|זוגי|משפחתי)[^.?!]{0,25} (?:יש|רואים) (?:גם )?(?:נוף|את הים)|(?<![א-ת])[לבמ]?אי(?:לו|זה|זו) (?:מה)?(?:חדר|סוויט)[^.?!]{0,15} (?:יש|עם|רואים)|"
    r"(?<![א-ת])יש (?:גם )?נוף[^.?!]{0,15} [לבמ]ה?(?:חדר|סוויט|זוגי|דלוקס|משפחתי)"
)
"""`Does the double have a sea view?`: a question about the view, which is no room's name there."""
_VIEW_ALONE = frozenset(words_of("sea ocean view views front facing room rooms נוף לים ים חדר חדרים עם"))
_BY_THE_SEA = re.compile(r"(?<![א-ת])(חדר|חדרים|זוגי|זוגיים) (?:בים|(?:עם|מול|על) ה?ים)(?![א-ת])")
_SEA = re.compile(r"\b(?:sea|ocean|lake|river)(?: (?:views?|facing|front))?$|^נוף|(?:מול|פונה) |^עם נוף")
_FOR_TWO = frozenset(words_of("double twin room rooms זוגי זוגית זוגיים חדר חדרים"))
_TWO_ROOMS = re.compile(
    r"\b(?:or|vs|versus|another|one|1|if not|difference|cheaper|than)\b|\band (?:a |the |1 )?(?:\w+ )?(?:sea|ocean)|(?<![א-ת])(?:או|ועוד|אחד|אחת|אם לא)(?![א-ת])"
)
"""Words of which a view and a kind of room are two rooms, not one."""


def _with_the_view(text: str, named: dict[str, set[str]], rooms: Sequence[RoomKind]) -> set[str]:
    """The rooms named; of `a suite, sea view` the suite that has the view by name, of `a double, sea view` the room with it."""
    views = {code for phrase, codes in named.items() if _SEA.search(phrase) for code in codes}
    kinds = {phrase: codes for phrase, codes in named.items() if not _SEA.search(phrase)}
    every = {code for codes in named.values() for code in codes}
    if not views or not kinds or _TWO_ROOMS.search(text):
        return every
    of_kind = {code for codes in kinds.values() for code in codes}
    by_name = {room.code for room in rooms if room.code in of_kind and speaks_of_a_view(f"{room.name} {room.name_he}")}
    doubles = all(set(phrase.split()) <= _FOR_TWO for phrase in kinds)
    return by_name or (views if doubles else every)


def _plainly(named: re.Match[str]) -> str:
    words = named.group().split()
    return "rooms" if words[-1].endswith("s") else "room" if re.search(_ROOM, named.group()) else _NAMED


@lru_cache(maxsize=32)
def _patterns(rooms: tuple[RoomKind, ...]) -> Sequence[tuple[re.Pattern[str], str, set[str]]]:
    """Every phrase that names rooms of the property, with their codes: whole names and aliases first, then parts of names."""
    ranked: dict[tuple[int, str], set[str]] = {}
    for room in rooms:
        for rank, phrase in _phrases(room):
            ranked.setdefault((rank, phrase), set()).add(room.code)
    known: set[str] = set()
    patterns = []
    for rank, phrase in sorted(ranked, key=lambda each: (each[0], -len(each[1]), each[1])):
        if phrase not in known:
            known.add(phrase)
            patterns.append((_pattern(phrase), phrase, ranked[rank, phrase]))
    return patterns


def _phrases(room: RoomKind) -> Iterator[tuple[int, str]]:
    """Phrases for this room, ranked by certainty: its name or alias, the core of its name, a part of it."""
    for alias in filter(_says_something, map(_normal, room.aliases)):
        yield 0, alias
    for name in filter(_says_something, map(_normal, (room.name, room.name_he))):
        words = name.split()
        heart = [word for word in words if word not in _NOUNS | _STOP]
        if not heart and not set(words) & _KINDS:
            continue
        if words[0] in _STOP and len(words) > 2:
            yield 0, " ".join(words[1:])
        caseless = name.upper() == name and re.search(r"[^\W\d_]", name)  # capitals would tell a name from a word
        yield 0, name if len(words) > 1 or name in _KINDS or caseless else f"{name} room"
        yield 0, f"room {name}"
        if len(heart) > 1 or set(heart) & _KINDS:
            yield int(len(heart) == 1), " ".join(heart)
        for word in words:
            if word in _KINDS:
                yield 2, word
            elif len(word) > 2 and word in heart:
                yield 2, f"חדר {word}" if _HEBREW.search(word) else f"{word} room"
                if word in _BEDS:
                    yield 2, f"a {word}"


def _says_something(phrase: str) -> bool:
    """Whether it has a word that names a room: `the` would be found in every message."""
    words = {word for word in phrase.split() if re.search(r"\w", word)}
    return bool(words - _STOP - _NOUNS or words & _KINDS)


def _normal(phrase: str) -> str:
    return " ".join(prepared(fold(clean(phrase)))[0].replace("-", " ").split())


def _pattern(phrase: str) -> re.Pattern[str]:
    """The phrase as whole words, also in the plural; Hebrew words with their prefixes. `…`: a few words."""
    if phrase.startswith("a ") and phrase[2:] in _BEDS:
        return re.compile(
            rf"(?:(?<=\ba )|(?<=\bthe )|(?<=\bany )|(?<=\d )|(?<=\d x )|^){phrase[2:]}s?"
            r"(?=\s*(?:$|[.,;:?!|]|(?:for|from|on|in|with|at|please|and|or|tonight|tomorrow|available|free)\b))"
        )
    first, *rest = (_gap_or(word) for word in phrase.split())
    hebrew = bool(_HEBREW.search(phrase))
    lead = r"(?<![\w])[ובהלמשכ]{0,2}" if hebrew else r"(?<![\w-])"
    if phrase.startswith("ל "):  # `חדרים של 3`, not `משפחה של 3`
        lead = r"(?:(?:(?<=חדר )|(?<=חדרים ))ש|(?<!\w)ו?)"
    joint = r"[\s-]+ה?" if hebrew else r"[\s-]+"
    tail = r"(?!\w)" if hebrew else r"(?!\w)(?! check\b)"
    if phrase[-1].isdigit():  # `חדר ל-3`, not `חדר ל-3 לילות`
        tail += r"(?! ?(?:לילות|ימים|ב|מבוגר|שנ|ילד))"
    elif phrase[0].isdigit():  # `2 queen rooms` are two rooms
        tail += rf"(?! ?(?:{_ROOM}s|rooms|suites|studios|apartments)\b)"
    elif phrase == "twin":  # twins are children
        tail += r"(?! (?:girl|boy|bab|daughter|son|sister|brother|kid|child|toddler|infant))"
    elif not hebrew:
        tail = "s?" + tail
    return re.compile(lead + joint.join([first, *rest]).replace(rf"{joint}{_GAP}{joint}", _GAP) + tail)


_GAP = r"[^.?!|]{0,25}?\b"


def _gap_or(word: str) -> str:
    return _GAP if word == "…" else _SPELT.sub(_spelling, _bare(word, umlauts=True))


_SPELT = re.compile(r"ae|oe|ue|ss|'|.", re.DOTALL)
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe"}


def _bare(word: str, *, umlauts: bool = False) -> str:
    """The word without accents; `umlauts`: with `ü` as `ue`, which also stands for `u`."""
    parts = (_UMLAUTS.get(char, char) if umlauts else char for char in word)
    return "".join(unicodedata.normalize("NFD", part)[:1] if len(part) == 1 else part for part in parts)


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Every letter with its accented forms: `e` with `é è ê ë`."""
    alike: dict[str, str] = {}
    for char in map(chr, (*range(0xC0, 0x250), *range(0x370, 0x400))):
        base = unicodedata.normalize("NFD", char)[:1]
        if char.islower() and base != char:
            alike[base] = alike.get(base, base) + char
    return alike


def _spelling(found: re.Match[str]) -> str:
    """A pattern for a piece of a word: with and without accents, `ü` as `u` and `ue`, an apostrophe or none."""
    piece = found.group()
    if piece == "'":
        return "'?"
    if len(piece) == 2:
        single = {"ae": "äæ", "oe": "öøœ", "ue": "ü", "ss": "ß"}[piece]
        return f"(?:{piece}|[{single}{piece[0] if piece != 'ss' else ''}])"
    alike = _accented().get(piece)
    return f"[{alike}]" if alike else re.escape(piece)


_ROOM_WORD = re.compile(rf"(?<!\w)ה?(?:{'|'.join(_NOUNS | _KINDS)}|views?|family|נוף|משפחתית?|נגישה?|זוגית?)s?(?!\w)")


def speaks_of_rooms(text: str) -> bool:
    """Whether any hotel would take a word of the folded text for a kind of room."""
    return bool(_ROOM_WORD.search(text))


def _count(text: str) -> int | None:
    for pattern in _COUNT:
        if numbers := pattern.findall(text):
            return sum(int(n or 1) for n in numbers) or None
    shared = len(_ONE_FOR.findall(text))
    if shared < 2 and _ANOTHER_FOR.search(text):
        shared = 1 + len(_A_ROOM_FOR.findall(text))
    if nth := _NTH.search(text):
        return 2 + next(n for n, each in enumerate(nth.groups()) if each) % 3
    couples = _COUPLES.search(text) if _APART.search(text) else None
    return int(couples[1] or couples[2]) if couples else shared if shared > 1 else None


def _refundable(text: str) -> bool | None:
    flexible = any(
        not _FLEXIBLE_GUEST.search(text[max(0, found.start() - 60) : found.start()])
        for found in _FLEXIBLE.finditer(text)
    )
    flexible, bound = flexible or bool(_REFUNDABLE.search(text)), bool(_NON_REFUNDABLE.search(text))
    if flexible and bound and _SIDE_BY_SIDE.search(text):
        return None  # `flexible or non-refundable?`
    return False if bound else True if flexible else None
