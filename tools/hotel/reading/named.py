"""Whether the words of a conversation name the values of a call: a room, a board, terms, money, a figure.

What is doubtful counts as named: a value is held against whoever planned it only where no word is for anything like it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from wavegraph.graph.guard.pieces import pieces
from wavegraph.tools.hotel.currency import currency_named, minor, names_behind
from wavegraph.tools.hotel.dates.holiday_names import close_match, words_of
from wavegraph.tools.hotel.dates.lexer import read as lexemes
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.inventory.room_names import rooms_called
from wavegraph.tools.hotel.inventory.topics import content_words, normalise, stems_of
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.amounts import is_number_said
from wavegraph.tools.hotel.reading.figures import Kind
from wavegraph.tools.hotel.reading.hours import is_hour_said
from wavegraph.tools.hotel.reading.money import read_money
from wavegraph.tools.hotel.reading.normalise import clean, fold, prepared
from wavegraph.tools.hotel.reading.party import read_party
from wavegraph.tools.hotel.reading.rooms import RoomWish, boards_named, read_rooms, without_boards
from wavegraph.tools.hotel.reading.said import is_age_open
from wavegraph.tools.hotel.stay_arguments import party_asked

_OF_MEALS = frozenset(words_of("meal meals food board pension eat ארוחה ארוחות אוכל פנסיון"))
"""Words that may be for any board."""
_OF_A_MEAL: Mapping[str, frozenset[str]] = {
    "BB": frozenset(words_of("breakfast breakfasts בוקר")),
    "HB": frozenset(words_of("dinner dinners supper ערב")),
    "FB": frozenset(words_of("lunch lunches צהריים")),
}
"""Words of the meal with which a board begins."""
_WHICH_MEALS = re.compile(r"(?<![א-ת])[והבלמש]{0,2}ארוחות (?=ה?(?:בוקר|ערב|צהריים)(?![א-ת]))")
_OF_TERMS = words_of("cancel refund flexib prepa terms condition ביטול לבטל החזר גמיש תנאי")
"""How a word begins, or in Hebrew goes on, that may be for the terms of a price."""
_OPPOSITE = frozenset(words_of("without not no non or both other otherwise בלי ללא לא או בין"))
"""Words by which terms may be meant that are not those named."""
_NUMBERS = frozenset(words_of("hundred hundreds thousand thousands grand מאה מאות אלף אלפים"))
_WEIGHTS = frozenset(words_of("lb lbs pound pounds ליברה ליברות"))
"""Words of a number, or of another unit, that the readers may not put into figures."""
_YOUNGEST = 3
"""Years below which an age has words that are no number: a baby, a toddler."""
_OF_THE_YOUNGEST = frozenset(
    words_of(
        "baby babies cot cots crib cribs cradle toddler toddlers infant infants newborn little תינוק תינוקת תינוקות פעוט פעוטה עריסה לול קטנטן"
    )
)
_ONE_OF = re.compile(r"\b(?:one|another)\b|(?<![א-ת])(?:חדר|אחד|אחת)(?![א-ת])", re.IGNORECASE)
"""`one for my wife and me, one for our sons`."""
_EACH_NIGHT = re.compile(
    r"\b(?:per|a|each|every|one)[ -]night\b|/ ?night\b|\bnightly\b|(?<![א-ת])(?:לכל |כל |ל)לילה(?![א-ת])"
)
_EACH_GUEST = re.compile(
    r"\b(?:per|a|each|every|one)[ -](?:person|head|guest|adult|child)\b|/ ?(?:person|head|guest)\b|\b(?:each|apiece|p\.?p)\b|"
    r"(?<![א-ת])(?:ל|לכל |כל |לכל בן |לבן |כל בן )(?:אדם|נפש|ראש|אורח|אחד|אחת|איש|מבוגר|משתתף)(?![א-ת])"
)
_QUESTION = re.compile(r"\?|\b(?:how much|what)\b|(?<![א-ת])ו?(?:כמה|מה)(?![א-ת])")
_IN_ALL = re.compile(
    r"\b(?:in total|total|altogether|overall|(?:in|for it|for them) all|(?:the|our|my)(?: whole| entire)? stay|all (?:the )?nights)\b|"
    r"(?<![א-ת])(?:ב?סך הכו?ל|סה\"כ|בסה\"כ|הכל יחד|לכל (?:השהות|השהייה|הלילות|התקופה)|לשהות|לשהייה)(?![א-ת])"
)
_SEVERAL_ROOMS = frozenset(
    words_of(
        "rooms doubles singles twins triples suites each apart separate separately both couples families חדרים זוגות משפחות נפרד נפרדים נפרדות לחוד"
    )
)


def unnamed(
    args: Mapping[str, Any],
    texts: Sequence[str],
    guests: Sequence[str],
    profile: PropertyProfile,
    free: Callable[[Kind], Iterable[str]],
) -> dict[str, Any]:
    """The values of these arguments that nothing in the texts is for. `guests`: those of them that the guest wrote, which alone
    tell a board and terms where the last of them does; `free`: the texts without the figures of other kinds."""
    own, chosen = profile.currency, names_choice(guests[-1])
    for_board, for_terms = (guests if name in chosen else texts for name in ("board", "refundable"))
    is_named: dict[str, Callable[[Any], bool]] = {
        "room_type": lambda room: _is_room_named(room, texts, profile),
        "board": lambda board: _is_board_named(board, for_board),
        "refundable": lambda wanted: any(_may_be_terms(wanted, text) for text in for_terms),
        "max_price": lambda figure: _is_figure_named(figure, free("money"), _NUMBERS),
        "per": lambda per: _is_unit_named(per, args, texts, own),
        "rooms": lambda rooms: rooms < 2 or _are_rooms_named(rooms, texts, free("room")),
        "currency": lambda code: code == own or not {code, "XXX"}.isdisjoint(_currencies(texts, own)),
        "kg": lambda figure: _is_figure_named(figure, free("weight"), _WEIGHTS),
        "age": lambda age: _is_age_named(age, texts, free("age")),
        "time": lambda time: any(is_hour_said(time, text) for text in free("hour")),
    }
    found = {name: args[name] for name, test in is_named.items() if args.get(name) is not None and not test(args[name])}
    party = party_asked(args)
    ages = [age for age in args.get("children_ages") or () if age is not None] if party else []
    strange = [age for age in ages if not _is_age_named(age, texts, free("age"))]
    return {**found, **({"children_ages": strange} if strange else {})}


def _is_room_named(called: str, texts: Sequence[str], profile: PropertyProfile) -> bool:
    meant = rooms_called(profile.rooms, called)
    every = tuple(profile.rooms)
    return not meant or any(room.code in _rooms_named(text, every) for text in texts for room in meant)


@lru_cache(maxsize=256)
def _rooms_named(text: str, rooms: tuple[RoomKind, ...]) -> frozenset[str]:
    """The codes of the rooms that a text names, or by a word of their name or of what they have may mean."""
    said = [*content_words(text)]
    stems = {stem for word in said for stem in stems_of(word)}
    named = {room.code for room in rooms if any(_is_meant(word, stems, said) for word in _telling_words(room))}
    return frozenset(named.union(_wish(text, rooms).room_types))


def _is_meant(word: str, stems: set[str], said: Sequence[str]) -> bool:
    return not stems_of(word).isdisjoint(stems) or any(close_match(each, [word]) for each in said)


def _telling_words(room: RoomKind) -> Iterator[str]:
    yield room.code.casefold()
    short = [each for each in (*room.features, *room.features_he) if len(each.split()) < 3]
    for words in (room.name, room.name_he, *short):
        yield from (word for word in content_words(words) if word not in ANY_ROOM)


ANY_ROOM = frozenset(words_of("room rooms bed beds חדר חדרים"))
"""Words of rooms that tell none from others."""


@lru_cache(maxsize=256)
def _wish(text: str, rooms: tuple[RoomKind, ...] = ()) -> RoomWish:
    return read_rooms(_folded(text), rooms, text)


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    return prepared(fold(clean(text)))[0]


def _words(text: str) -> frozenset[str]:
    """Those of Hebrew also without what may be put before them."""
    words = normalise(text).split()
    return frozenset([*words, *(word[cut:] for word in words if word[0] >= "א" for cut in (1, 2))])


def names_choice(text: str) -> frozenset[str]:
    """Those of `board` and `refundable` that a text names itself."""
    wish, boards = _wish(text), boards_named(_folded(text))
    is_plain = wish.refundable is not None and not wish.asks_terms
    return frozenset([*(["board"] if boards else []), *(["refundable"] if is_plain else [])])


def _is_board_named(board: str, texts: Sequence[str]) -> bool:
    folded = [*map(_folded, texts)]
    if any(board in boards_named(text) for text in folded):
        return True
    words = _OF_MEALS | _OF_A_MEAL.get(board, frozenset())
    return any(words & _words(_WHICH_MEALS.sub(" ", without_boards(text))) for text in folded)


def _may_be_terms(wanted: bool, text: str) -> bool:
    said = _wish(text).refundable
    if said is None:
        return any(part in fold(text) for part in _OF_TERMS)
    return said is wanted or not _OPPOSITE.isdisjoint(re.findall(r"\w+", fold(text)))


def _is_figure_named(figure: float, texts: Iterable[str], otherwise: frozenset[str]) -> bool:
    """`otherwise`: words with which it may be another figure in the texts."""
    return any(_has_number(figure, text) or otherwise & _words(text) for text in texts)


def _is_unit_named(per: str, args: Mapping[str, Any], texts: Sequence[str], own: str) -> bool:
    """Whether a limit may be for a night or for the stay, for each guest or for all; one guest is both."""
    figure, guests = args.get("max_price"), party_asked(args)
    read = [money for text in texts if (money := read_money(_folded(text), own, text).budget)]
    units = [each.per for each in read if figure and each.amount_agorot == minor(Decimal(str(figure)), each.currency)]
    is_one = guests is not None and guests.adults + len(guests.children_ages) == 1
    return _is_length_named(per, units, texts) and (is_one or _is_share_named(per, figure, units, texts))


def _is_share_named(per: str, figure: Any, units: Sequence[str], texts: Sequence[str]) -> bool:
    """A question what each pays is for no limit that stands in another sentence."""
    if per.startswith("person"):
        parts = [part for text in texts for part in pieces(text) or (text,)]
        with_it = [part for part in parts if figure and _has_number(figure, part)]
        return any(
            _EACH_GUEST.search(fold(part))
            for part in parts
            if part in with_it or not _QUESTION.search(fold(part)) or not with_it
        )
    return not units or not all(unit.startswith("person") for unit in units)


def _is_length_named(per: str, units: Sequence[str], texts: Sequence[str]) -> bool:
    if not per.endswith("night"):
        of_stay = any(not unit.endswith("night") for unit in units)
        return not units or of_stay or any(_IN_ALL.search(fold(text)) for text in texts)
    is_each = any(_EACH_NIGHT.search(fold(text)) for text in texts)
    is_in_all = any(_IN_ALL.search(fold(text)) for text in texts)
    return is_each or (not is_in_all and any(lex.unit == "night" for text in texts for lex in lexemes(fold(text))))


def _has_number(figure: float, text: str) -> bool:
    return is_number_said(figure, text) or any(lex.num == figure for lex in lexemes(fold(clean(text))))


def _is_age_named(age: int, texts: Sequence[str], free: Iterable[str]) -> bool:
    return any(_may_be_young(age, text) for text in texts) or any(_has_number(age, text) for text in free)


def _may_be_young(age: int, text: str) -> bool:
    party = read_party(_folded(text))
    of_no_age = (party.children or 0) > len(party.ages)
    counts_young = of_no_age or party.babies or party.uncounted or party.family
    known = {age - 1, age, age + 1} if is_age_open(text) else {age}  # `almost 5` is 4, and 5 on its day
    return bool(known & {*party.ages}) or (age < _YOUNGEST and bool(counts_young or _words(text) & _OF_THE_YOUNGEST))


def _are_rooms_named(rooms: int, texts: Sequence[str], free: Iterable[str]) -> bool:
    may_be_several = any(len(_ONE_OF.findall(text)) > 1 or _words(text) & _SEVERAL_ROOMS for text in texts)
    return may_be_several or any(_has_number(rooms, text) for text in free)


def _currencies(texts: Sequence[str], own: str) -> frozenset[str]:
    pattern = re.compile(names_behind(own), re.IGNORECASE)
    return frozenset(currency_named(found.group(), own) for text in texts for found in pattern.finditer(text))
