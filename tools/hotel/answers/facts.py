"""The part of an answer about the property: topics, room types, how to reach reception."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from wavegraph.graph.answer.words import sentences
from wavegraph.graph.state import PlannedCall
from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.phrases import TABLES, bullets, counted, few, joined, say
from wavegraph.tools.hotel.answers.policies import compared
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.topics import content_words, find_topic, normalise, stems_of, topic_names
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.reading.topics import has, says
from wavegraph.tools.hotel.records import Availability, HotelInfo, OpenStays, Quote, RoomsInfo, RoomType, Way

MOST_FEATURES = 6
MOST_WITH = 24
"""Features of which a writer is shown which rooms have them."""


def facts_part(results: CallResults) -> Iterator[str]:
    """What the property says on each topic asked about, each text once; then what it says nothing about, and whom to ask."""
    language = results.language
    found: dict[str, HotelInfo] = {}
    unknown: dict[str, HotelInfo] = {}
    for call_id, call in asked_topics(results):
        if (info := results.good(call_id, HotelInfo)) is not None:
            (found if info.found else unknown).setdefault(info.topic, info)
        elif call_id in results.outcomes and not _tried_again(call_id, results):
            yield unreached_topic(call["args"].get("topic", ""), results)
    for info in found.values():
        yield " ".join([_topic_line(info, language), *compared(info, topic_title(info, results), results)])
    if lacking := [info for info in unknown.values() if is_asked(info, results)]:
        yield _unknown_line(lacking, results)
    elif "contact" not in found and (told := next(filter(_sends_to_reception, found.values()), None)):
        yield say("contact", language, contact=told.contact)


def _sends_to_reception(info: HotelInfo) -> bool:
    return bool(info.contact and _TO_RECEPTION.search(f"{info.text} {info.text_he}"))


_TO_RECEPTION = re.compile(r"\b(?:through|with) reception\b|(?:דרך|עם) הקבלה")


def _unknown_line(infos: Sequence[HotelInfo], results: CallResults) -> str:
    """What the property's texts say nothing about, and how to reach whom to ask."""
    language, contact = results.language, infos[0].contact
    names = dict.fromkeys(name for info in infos for name in _unknown_names(info, results))
    named = [say("quoted", language, words=name) for name in names]
    return say(
        "unknown_topic_contact" if contact else "unknown_topic",
        language,
        topic=joined(named, language) if named else say("that", language),
        contact=contact,
    )


def is_asked(info: HotelInfo, results: CallResults) -> bool:
    """Whether it is told of a topic that nothing is known of it: not of what only a plan has asked for, beside other results."""
    alone = all(isinstance(each, HotelInfo) and not each.found for each in results.records.values())
    return alone or bool(_unknown_names(info, results))


def _unknown_names(info: HotelInfo, results: CallResults) -> list[str]:
    """What a topic is called, or else whatever else the guest asks that nothing is known of."""
    name = topic_name(info.topic, results)
    return [name] if name else _asked_besides(results)


_CLAUSES = re.compile(r"(?<=[.?!;,\n])|\b(?:and|also|but|plus)\b|(?<![א-ת])ו(?=[א-ת])")
_ASKS = re.compile(r"\?\s*$|\b(?:about|regarding|information)\b|(?<![א-ת])(?:לגבי|בנוגע|בעניין)(?![א-ת])")


def _asked_besides(results: CallResults) -> list[str]:
    """What is asked, in the guest's words or ours, and is neither a stay nor anything that the property tells of."""
    message = read(results.said, today=results.today, profile=results.profile)
    clauses = [each for each in _CLAUSES.split(message.wish.plain) if "|" not in each]
    asked = [each for each in clauses if _ASKS.search(each) or _ASKED.search(each)]
    topics = [*message.topics, *(" ".join(content_words(each)) for each in asked)]
    lacking = (each for each in topics if each and find_topic(results.profile.topics, each) is None)
    return [*dict.fromkeys(filter(None, (topic_name(each, results) for each in lacking)))]


def unknown_lines(info: HotelInfo, results: CallResults) -> list[str]:
    """That nothing is known of one topic, and whom to ask, in sentences."""
    return sentences(_unknown_line([info], results))


def unreached_topic(topic: str, results: CallResults) -> str:
    named = topic_name(topic, results)
    words = say("quoted", results.language, words=named) if named else say("that", results.language)
    return say("unreached_topic", results.language, topic=words)


_ASKED = re.compile(
    r"(?:^|[.,!;?\n]|\b(?:and|so|but|or|also|if)\b)\s{0,3}((?:can|could|may|do|does|is|are|will)\b[^.,!;?\n]*)|"
    r"(?<![א-ת])ו?((?:האם|אפשר|ניתן|מותר|כלולה?|לוודא|פועלת?|יש(?! (?:לי|לנו|מה)(?![א-ת]))|מה (?:זמני|שעות))(?![א-ת])[^.!;?\n]*)"
)


_OF_PRICE = frozenset(words_of("pay paid כלול כלולה מחיר המחיר במחיר לשלם"))
_PRICED = re.compile(r"\bfree\b|\bNIS\b|ללא תשלום|חינם|ש״ח")
"""A text with a word of price answers whether something is in it; another may leave that open."""


def no_more_known(results: CallResults, text: str) -> Iterator[str]:
    """Whom to ask for what a question names beyond the facts told: `can my friends visit us at the pool?`"""
    told = [info for call_id, _ in asked_topics(results) if (info := results.good(call_id, HotelInfo))]
    only_facts = all(call["tool"] == "get_hotel_info" for call in results.calls.values())
    if not told or not only_facts or not all(info.found for info in told) or "contact" in results.slots.topics:
        return
    names = [
        name for each in results.profile.topics for name in topic_names(each) if each.topic in {i.topic for i in told}
    ]
    held = [*names, *(part for info in told for part in (info.title, info.text, info.text_he))]
    stems = {stem for word in normalise(" ".join(held)).split() for stem in stems_of(word)}
    asked = " ".join(filter(None, (part for found in _ASKED.findall(text.lower()) for part in found)))
    priced = bool(_PRICED.search(" ".join(held)))
    words = {word: word in _OF_PRICE for word in normalise(asked).split()}
    said = [word for word in content_words(asked) if not words.get(word)]
    said += [] if priced else [word for word, of_price in words.items() if of_price]
    strange = [word for word in said if not stems & stems_of(word)]
    if told[0].contact and strange and not any(map(_sends_to_reception, told)):
        yield say("no_more_known", results.language, contact=told[0].contact)


def asked_topics(results: CallResults) -> Iterator[tuple[str, PlannedCall]]:
    """The calls for what the guest asked about: whom to ask instead may have been looked up besides."""
    for call_id, call in results.calls.items():
        besides = call_id == "hotel_info_contact" and "contact" not in results.slots.topics
        if call["tool"] == "get_hotel_info" and not besides:
            yield call_id, call


def with_access(results: CallResults) -> CallResults:
    """The same, with whether the guest, or the plan for them, asks what a disabled guest can use."""
    topics = [str(call["args"].get("topic", "")) for _, call in asked_topics(results)]
    return replace(results, accessible=any(map(is_accessible, (results.said, *topics))))


def _tried_again(call_id: str, results: CallResults) -> bool:
    return any(results.good(name, HotelInfo) for name in results.instead_of(call_id))


def _topic_line(info: HotelInfo, language: str) -> str:
    return titled(info_text(info, language), info.title if language != "he" else "")


def titled(text: str, title: str) -> str:
    """A text behind its title, unless it begins with that."""
    return f"{title}: {text}" if title and not text.casefold().startswith(title.casefold()) else text


def info_text(info: HotelInfo, language: str) -> str:
    return info.text_he if language == "he" and info.text_he else info.text


def topic_label(topic: str, language: str) -> str:
    """Our name for a topic; the guest's own word if we have none."""
    return TABLES[language].get(f"topic_{topic.replace(' ', '_')}", topic.replace("_", " "))


def topic_name(topic: str, results: CallResults) -> str:
    """What a topic is called in the guest's language: our own name for it, the house's, or a piece of the guest's words. Empty
    where it is none of these: whoever planned the call has chosen its words."""
    if f"topic_{topic.replace(' ', '_')}" in TABLES["he"]:
        return topic_label(topic, results.language)
    return house_name(topic, results) or _piece_said(topic, results.said)


def _piece_said(topic: str, said: str) -> str:
    """The guest's words that a topic's words are, in one piece and in the guest's letters; else the longest piece of them that
    asks for something."""
    wanted = frozenset(stem for word in normalise(topic).split() for stem in stems_of(word))
    runs: list[list[str]] = [[]]
    for word in said.split():
        (runs[-1].append(word) if stems_of(normalise(word)) & wanted else runs.append([]))
    pieces = [" ".join(run).strip(" .,;:!?…()[]\"'“”„") for run in runs]
    return max((piece for piece in pieces if content_words(piece)), key=len, default="")


def house_name(topic: str, results: CallResults) -> str:
    """What the property calls one of its topics, in the guest's language."""
    found = next((each for each in results.profile.topics if each.topic == topic), None)
    return "" if found is None else found.title_he if results.language == "he" else found.title


def house_names(topic: str, results: CallResults) -> Iterator[str]:
    """All that the property calls one of its topics: its titles, and the words by which it is found."""
    for each in results.profile.topics:
        if each.topic == topic:
            yield from filter(None, (each.title, each.title_he, *each.aliases))


def topic_title(info: HotelInfo, results: CallResults) -> str:
    """What a topic that was found is called, in the guest's language."""
    return house_name(info.topic, results) or info.title


def contact_line(results: CallResults) -> Iterator[str]:
    """How to reach reception, if the plan looked it up."""
    info = results.good("hotel_info_contact", HotelInfo)
    if info and info.found:
        yield info_text(info, results.language)
    elif info and info.contact:
        yield say("contact", results.language, contact=info.contact)


def rooms_part(results: CallResults) -> Iterator[str]:
    """The room types, introduced by the largest if there are several."""
    info, language = rooms_info(results), results.language
    if info is None:
        return
    named = [room for room in info.rooms if room.code in results.slots.room_types]
    rooms = named if len(named) > 1 else info.rooms
    if not rooms:
        yield say("no_rooms", language)
        return
    if (asked := results.slots.room_facts) and len(info.rooms) > 1:
        if len(named) == 1:
            yield from _asked_of_one(named[0], info.rooms, asked, language)
        else:
            yield from _asked_of_rooms(rooms, asked, language)
        return
    if line := largest_line(rooms, results):
        yield line
    yield from bullets([room_line(room, language, alone=len(rooms) < 3) for room in rooms])


def _asked_of_one(room: RoomType, rooms: Sequence[RoomType], asked: Sequence[str], language: str) -> Iterator[str]:
    """Of what was asked the room does not have: which rooms do; and what is known of the room."""
    lacking = [topic for topic in asked if not has(room, topic)]
    for topic in lacking:
        yield say("not_in_room", language, room=kind_name(room, language), topic=topic_label(topic, language))
    yield from _asked_of_rooms(rooms, lacking, language)
    yield from bullets([room_line(room, language, alone=True)])


def _asked_of_rooms(rooms: Sequence[RoomType], asked: Sequence[str], language: str) -> Iterator[str]:
    """Which rooms have what was asked about, in the words of their facts."""
    having: dict[str, list[str]] = {}
    for topic in asked:
        for room in rooms:
            for feature in room.features_he if language == "he" else room.features:
                if says(feature, topic):
                    having.setdefault(feature, []).append(kind_name(room, language))
    yield from _with_features(having, language)


def _with_features(having: Mapping[str, Sequence[str]], language: str) -> Iterator[str]:
    for feature, names in having.items():
        yield say("rooms_with", language, feature=f"{feature[:1].upper()}{feature[1:]}", rooms=joined(names, language))


class Having(NamedTuple):
    """Features, and the rooms that have one of them."""

    features: Sequence[str]
    rooms: Sequence[str]
    line: str
    told: bool
    """Whether it sets rooms apart, and so few are told first."""


def features_told(rooms: Sequence[RoomType], language: str, said: str) -> Iterator[Having]:
    """Which rooms have what: first what has a word of the guest's, `sea`; what several have; what one has; what all have."""
    having: dict[str, list[str]] = {}
    for room in rooms:
        for feature in room.features_he if language == "he" else room.features:
            having.setdefault(feature, []).append(kind_name(room, language))
    lines = dict(zip(having, _with_features(having, language), strict=True))
    for group in _alike(having, said):
        names = [
            kind_name(room, language)
            for room in rooms
            if any(kind_name(room, language) in having[each] for each in group)
        ]
        yield Having(group, names, "; ".join(lines[each].rstrip(".") for each in group) + ".", told=True)
    rank = {feature: (len(of) == len(rooms), len(of) == 1) for feature, of in having.items()}
    for place, feature in enumerate(sorted(having, key=rank.__getitem__)):
        told = len(rooms) > 1 and place < MOST_WITH and not rank[feature][0]
        yield Having([feature], having[feature], lines[feature], told)


def _alike(features: Iterable[str], said: str) -> Iterator[list[str]]:
    """The features that one of the guest's words is in, where there are several: `sea view`, `partial sea view`."""
    stems = {each: frozenset(stem for word in content_words(each) for stem in stems_of(word)) for each in features}
    groups = ([each for each, own in stems.items() if own & stems_of(word)] for word in content_words(said))
    yield from {tuple(group): group for group in groups if len(group) > 1}.values()


def rooms_info(results: CallResults) -> RoomsInfo | None:
    """The kinds of room that were looked up, in one call or several; None = none were. Without a list price beside a price for
    the nights asked about, which may be lower."""
    found = [each for each in results.records.values() if isinstance(each, RoomsInfo)]
    rooms = {room.code: room for each in found for room in each.rooms}
    bare = {code: rooms[code].model_copy(update={"from_agorot": None}) for code in _priced(results) & rooms.keys()}
    return RoomsInfo(rooms=[*{**rooms, **bare}.values()]) if found else None


def _priced(results: CallResults) -> frozenset[str]:
    """The kinds of room that have a price for some nights."""
    ways: list[Way] = []
    for each in results.records.values():
        ways += each.ways if isinstance(each, Availability) else each.stays if isinstance(each, OpenStays) else []
    quoted = [each.parts for each in results.records.values() if isinstance(each, Quote)]
    return frozenset(part.room_type for parts in (*(way.parts for way in ways), *quoted) for part in parts)


def largest_line(rooms: Sequence[RoomType], results: CallResults) -> str:
    """Which are the largest of several rooms, and of which: all the house has, or these; empty if that is not known."""
    language, sized = results.language, [room for room in rooms if room.size_sqm]
    if len(sized) < 2:
        return ""
    size = max(room.size_sqm for room in sized)
    largest = [room for room in sized if room.size_sqm == size]
    is_all = {room.code for room in results.profile.rooms} <= {room.code for room in sized}
    of = say("of_all_rooms", language) if is_all else few([kind_name(room, language) for room in sized], language)
    name = joined([kind_name(room, language) for room in largest], language)
    if len(largest) > 1:
        return say("biggest_several", language, of=of, name=name, size=size)
    return say("biggest", language, of=of, name=name, size=size, guests=_holds(largest[0], language))


def room_line(room: RoomType, language: str, *, alone: bool) -> str:
    beds = room.beds_he if language == "he" else room.beds
    name = kind_name(room, language)
    parts = [say("room", language, name=name, guests=_holds(room, language)) if room.max_total else name]
    parts += [say("room_size", language, size=room.size_sqm)] if room.size_sqm else []
    parts += [beds] if beds else []
    if room.from_agorot:
        parts.append(say("room_from", language, total=amount(room.from_agorot, room.currency, language)))
    line = ", ".join(parts)
    features = (room.features_he if language == "he" else room.features)[: None if alone else MOST_FEATURES]
    return f"{line}. {say('room_features', language, features=joined(features, language))}" if features else line


def _holds(room: RoomType, language: str) -> str:
    return counted(room.max_total, "guest", "guests", language)


def kind_name(room: RoomType, language: str) -> str:
    return room.name_he if language == "he" else room.name
