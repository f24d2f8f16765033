"""Who comes, and in which rooms, in the light of what was understood before: `without the kids`, `5 and 8`, `a room for my brother`."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from wavegraph.tools.hotel.dialogue.slots import HotelSlots
from wavegraph.tools.hotel.dialogue.understanding import ASSUMED_BABY_AGE
from wavegraph.tools.hotel.reading.followup import (
    OF_SOMEONE,
    ONLY,
    ROOM_TOO,
    child_spoken_of,
    names_adults,
    offers_rooms,
    rooms_alone,
    rooms_apart,
    says,
    some_of_several,
)
from wavegraph.tools.hotel.reading.message import ParsedMessage
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.party import Party, read_party
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW, GROWN
from wavegraph.tools.hotel.reading.people import MONTHS, SHORTER
from wavegraph.tools.hotel.stay_arguments import AGE_TAKEN

MOST_WORDS = 8
"""Longest answer to the question for the children's ages."""


def who_was_asked_about(message: ParsedMessage, words: Sequence[str]) -> ParsedMessage:
    """The answer to who the words name, or whether they come too: `yes, he is 5`, `an adult`."""
    message = replace(message, intents=message.intents - {"accept", "decline", "thanks", "book"}, follow_up=True)
    if message.party.given or not words:
        left = tuple(each for each in message.unplaced if words and each not in words)
        return replace(message, adds_guests=bool(words), unplaced=left, strangers=left)
    party = read_party(prepared(fold(f"{', '.join(words)}, {message.text}"))[0])
    if not party.given or party.open or party.uncounted:
        return replace(message, party=Party(), unplaced=tuple(words), strangers=tuple(words))
    return replace(message, party=party, adds_guests=True, unplaced=(), strangers=())


_MEALS = re.compile(r"board|breakfast|meal|dinner|\b[bh]b\b|בוקר|פנסיון|ארוח")
_GOES_ON = frozenset({"price", "lodging", "accept", "cheapest", "compare", "book"})


def rooms_told_apart(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """What is said of some of the rooms is asked about, never taken for all: they are of one kind, for one party."""
    party, wish, text = message.party, message.wish, message.text
    if message.or_rooms:
        return replace(message, pick=None, follow_up=True)
    known = before.party_adults + len(before.children_ages) if before.adults is not None else 0
    if known and party.others and says(ROOM_TOO, text):  # `a second room for my brother`
        return replace(message, wish=wish._replace(rooms=(before.rooms or 1) + 1), adds_guests=True)
    if (before.intent == "rooms_apart" or before.or_rooms) and (asked := rooms_alone(text)):
        return replace(message, wish=wish._replace(rooms=asked), party=Party(), unplaced=(), pick=None)
    labels = rooms_apart(text)
    rooms = max(wish.rooms or labels, before.rooms or 1)
    named = sum(filter(None, (party.adults, party.children, party.babies)))
    some = 0 < named < known and not (message.dates or message.adds_guests or message.corrects or message.left_out)
    if some and wish.apart:  # `grandma in a room of her own`
        return replace(message, party=Party(), unplaced=())
    differ = wish.room_types or message.change or (wish.board and not labels) or (known and party.given)
    several = rooms > 1 or before.intent == "rooms_apart"
    answered = wish.rooms or wish.room_types or wish.any_type or party.given or message.dates
    if before.intent == "rooms_apart" and not answered and (wish.board or message.intents & _GOES_ON):
        return replace(message, intents=message.intents | {"rooms_apart"})  # which rooms is still open
    if offers_rooms(text) or wish.shared or (several and (some or (differ and some_of_several(text)))):
        count = None if offers_rooms(text) else 2 if wish.shared and rooms == 1 else None if rooms == 1 else rooms
        clauses = [clause for clause in re.split(r"[.?!,;]", text) if some_of_several(clause)]
        of_some = not labels and any(_MEALS.search(clause.lower()) for clause in clauses)
        wish = wish._replace(room_types=(), board=None if of_some else wish.board, rooms=count)
        intents = message.intents | {"rooms_apart"}
        party = Party() if known else party
        return replace(message, party=party, wish=wish, change=None, unplaced=(), intents=intents)
    return replace(message, wish=wish._replace(rooms=wish.rooms or labels or None))


def child_left_out(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`the kid isn't coming`: the one child who is known, or a question which."""
    if "child" not in message.left_out:
        return message
    gone = message.left_out - {"child"} | ({"children", "babies"} if len(before.children_ages) == 1 else set())
    return replace(message, left_out=gone)


def guests(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """The guests as they change those known: ages that were asked for, and people who come on top of them."""
    message = _ages_given(message, before)
    minors = (message.party.children or 0) + (message.party.babies or 0)
    again = minors == len(before.children_ages) > len(message.party.ages) and not message.adds_guests
    certain, assumed = _certain_and_assumed(before)
    if again and not Counter(message.party.ages) - Counter(certain):  # `2 adults and the 2 children`
        message = replace(message, party=_with_children(message.party, certain, assumed))
    party = message.party
    alone = party.adults and not (minors or party.ages) and before.children_ages and says(ONLY, message.text)
    if alone and (before.stays or before.searches) and not message.dates:  # `only my wife and me`
        return replace(message, left_out=message.left_out | {"children", "babies"})
    if message.left_out and (before.stays or before.searches) and len(message.text.split()) <= MOST_WORDS:
        return replace(message, party=Party(), unplaced=())
    if (
        before.adults is not None
        and not message.dates
        and party.adults == 1
        and (minors or party.ages)
        and not party.others
        and not names_adults(message.text)
    ):
        return replace(message, party=replace(party, adults=None))  # `and my daughter of 13`: the guest is known
    return message


def of_known_child(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`does the baby pay?`, `the 2-year-old is 1 when we come`: nobody more or less; a new age of one of several is asked about."""
    party, known, child = message.party, before.children_ages, child_spoken_of(message.text)
    if known and not party.given and len(before.unplaced) == len(message.unplaced) == 1:
        message = _age_corrected(message, before.unplaced[0])
    alone = party.given and not party.adults and (party.children or 0) + (party.babies or 0) <= 1
    if not (alone and known and child) or message.adds_guests:
        return message
    if len(known) == 1 and len(party.ages) == 1:
        left = tuple(words for words in message.unplaced if words != str(party.ages[0]))
        return replace(message, party=_with_children(party, party.ages, ()), unplaced=left)
    doubtful = says(OF_SOMEONE, message.text) or not set(party.ages) <= set(known)
    return replace(message, party=Party(), unplaced=(*message.unplaced, child) if doubtful else message.unplaced)


def _age_corrected(message: ParsedMessage, asked: str) -> ParsedMessage:
    """`I meant 15`, about an age that no child has: one child more."""
    age = message.unplaced[0]
    if not (asked.isdecimal() and age.isdecimal() and int(age) < GROWN <= int(asked)):
        return message
    party = _with_children(Party(), (int(age),), ())
    return replace(message, party=party, adds_guests=True, unplaced=(), strangers=(), pick=None, follow_up=True)


def _ages_given(message: ParsedMessage, before: HotelSlots) -> ParsedMessage:
    """`5 and 8`, as an answer to how old the children are; if all are grown up they are adults, one of them is asked about."""
    known = len(before.children_ages)
    asked = {"child_ages", "baby_ages", "uncounted"} & {*before.assumed}
    words = _in_years(re.sub(r"\b1(?= (?:is|of)\b)", "", prepared(fold(message.text))[0]))
    ages = [int(number) for number in re.findall(r"(?<![\d./:])(?<!\d-)\d{1,2}(?![\d./:-])", words)]
    young, grown = [age for age in ages if age < GROWN], [age for age in ages if age >= GROWN]
    counted = (message.party.ages and not grown) or (message.party.adults or 0) > len(grown)
    says_more = message.dates or message.change or counted or message.reference or "?" in message.text
    if not asked or says_more or not ages or len(words.split()) - len(ages) > MOST_WORDS:
        return message
    if ("uncounted" not in asked and len(ages) > known) or (grown and len(ages) != known):
        return message
    told = _told_of_some(young, message.text, before) if len(ages) < known else (young, [])
    if told is None:
        return message
    certain, assumed = told
    adults = before.party_adults + len(grown) if grown and not young else None
    party = replace(_with_children(message.party, certain, assumed), adults=adults, others=0, disputed=False)
    left = tuple(map(str, grown)) if young else ()
    return replace(message, party=party, adds_guests=False, unplaced=left, strangers=left, pick=None)


_MONTHS = re.compile(rf"(?<![\d./])(\d{{1,2}})[ -]*(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})(?!\w)")
_WEEKS = re.compile(rf"(?<![\d./])\d{{1,2}}[ -]*(?:{'|'.join(sorted(SHORTER, key=len, reverse=True))})(?!\w)")


def _in_years(words: str) -> str:
    """Ages in months or weeks as years: `2 and 6 months` is `2 and 0`."""
    return _WEEKS.sub("0", _MONTHS.sub(lambda found: str(int(found[1]) // 12), words))


def _told_of_some(ages: Sequence[int], text: str, before: HotelSlots) -> tuple[list[int], list[int]] | None:
    """The ages that are certain once these are told of some of the children, and those still assumed; None = it is not clear of whom."""
    certain, assumed = _certain_and_assumed(before)
    baby = read_party(fold(child_spoken_of(text))).babies
    for age in ages:
        babies = [each for each in assumed if each < BABY_BELOW]
        children = [each for each in assumed if each >= BABY_BELOW]
        meant = babies if baby else (babies or children) if age < BABY_BELOW else children
        if meant:
            assumed.remove(meant[0])
            certain.append(age)
        elif age not in certain:
            return None
    return certain, assumed


def _certain_and_assumed(before: HotelSlots) -> tuple[list[int], list[int]]:
    """The children's ages that the guest told, and those taken for want of them."""
    taken = {"child_ages": AGE_TAKEN, "baby_ages": ASSUMED_BABY_AGE}
    ages = {age for name, age in taken.items() if name in before.assumed}
    known = before.children_ages
    return [age for age in known if age not in ages], [age for age in known if age in ages]


def _with_children(party: Party, certain: Sequence[int], assumed: Sequence[int]) -> Party:
    """With just these children, whose ages are told or assumed."""
    babies = sum(age < BABY_BELOW for age in (*certain, *assumed))
    return replace(party, children=len(certain) + len(assumed) - babies, babies=babies, ages=tuple(certain))
