"""The part of an answer about the property: topics, room types, how to reach reception."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.phrases import bullets, counted, few, joined, say
from wavegraph.tools.hotel.answers.policies import compared
from wavegraph.tools.hotel.answers.unsaid import (
    asked_topics,
    house_name,
    said_of_rooms,
    sends_to_reception,
    topic_label,
    topic_name,
    topics_told,
    unsaid,
    unsaid_line,
)
from wavegraph.tools.hotel.inventory.topics import content_words, stems_of
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.named import ANY_ROOM
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.reading.topics import has, says
from wavegraph.tools.hotel.records import Availability, HotelInfo, OpenStays, Quote, RoomsInfo, RoomType, TopicText, Way

MOST_FEATURES = 6
MOST_WITH = 24
"""Features of which a writer is shown which rooms have them."""


def facts_part(results: CallResults) -> Iterator[str]:
    """What the property says on each topic asked about, each text once; then what it says nothing about, and whom to ask."""
    language = results.language
    for call_id, call in asked_topics(results):
        if (
            call_id in results.outcomes
            and not results.good(call_id, HotelInfo)
            and not any(results.good(name, HotelInfo) for name in results.instead_of(call_id))
        ):
            yield unreached_topic(call["args"].get("topic", ""), results)
    told = topics_told(results)
    for info in told:
        yield " ".join(
            [
                titled(info_text(info, language), info.title if language != "he" else ""),
                *compared(info, topic_title(info, results), results),
            ]
        )
    if rooms_info(results) is None:
        yield from rooms_with(said_of_rooms(results), language)
    if things := unsaid(results):
        yield unsaid_line(things, results)
    elif all(info.topic != "contact" for info in told) and any(map(sends_to_reception, told)):
        yield say("contact", language, contact=told[0].contact)


def unreached_topic(topic: str, results: CallResults) -> str:
    named = topic_name(topic, results)
    words = say("quoted", results.language, words=named) if named else say("that", results.language)
    return say("unreached_topic", results.language, topic=words)


def with_access(results: CallResults) -> CallResults:
    """The same, with whether the guest, or the plan for them, asks what a disabled guest can use."""
    topics = [str(call["args"].get("topic", "")) for _, call in asked_topics(results)]
    return replace(results, accessible=any(map(is_accessible, (results.said, *topics))))


def titled(text: str, title: str) -> str:
    """A text behind its title, unless it begins with that."""
    return f"{title}: {text}" if title and not text.casefold().startswith(title.casefold()) else text


def info_text(info: TopicText, language: str) -> str:
    return info.text_he if language == "he" and info.text_he else info.text


def house_names(topic: str, results: CallResults) -> Iterator[str]:
    """All that the property calls one of its topics: its titles, and the words by which it is found."""
    for each in results.profile.topics:
        if each.topic == topic:
            yield from filter(None, (each.title, each.title_he, *each.aliases))


def topic_title(info: TopicText, results: CallResults) -> str:
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
    if line := by_size(rooms, results).get("largest"):
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
    yield from rooms_with(having, language)


def rooms_with(having: Mapping[str, Sequence[str]], language: str) -> Iterator[str]:
    """Which rooms have what."""
    for feature, names in having.items():
        yield say("rooms_with", language, feature=f"{feature[:1].upper()}{feature[1:]}", rooms=joined(names, language))


class Having(NamedTuple):
    """Features, and the rooms that have one of them."""

    names: Sequence[str]
    """Those that it is called by."""
    features: Sequence[str]
    rooms: Sequence[str]
    line: str
    told: bool
    """Whether it sets rooms apart, and so few are told first."""


def features_told(rooms: Sequence[RoomType], language: str, said: str) -> Iterator[Having]:
    """Which rooms have what: first what has a word of the guest's, `sea`; what several have; what one has; what all have. A
    `sun terrace` is a terrace too.
    """
    having: dict[str, list[str]] = {}
    for room in rooms:
        for feature in room.features_he if language == "he" else room.features:
            having.setdefault(feature, []).append(kind_name(room, language))
    lines = dict(zip(having, rooms_with(having, language), strict=True))
    stems = {feature: _stems_in(feature) for feature in having}
    kinds = {each: [each, *(other for other in having if stems[each] < stems[other])] for each in having}
    asked = _alike(stems, said)

    def of(names: Sequence[str], group: Sequence[str], *, told: bool) -> Having:
        own = [name for room in rooms if any((name := kind_name(room, language)) in having[each] for each in group)]
        return Having(names, group, own, "; ".join(lines[each].rstrip(".") for each in group) + ".", told)

    for group in asked:
        yield of(group[:1] if {*kinds[group[0]]} == {*group} else group, group, told=True)
    made = [of([each], kinds[each], told=False) for each in having if {*kinds[each]} not in map(set, asked)]
    made.sort(key=lambda each: (len(each.rooms) == len(rooms), len(each.rooms) == 1))
    for place, each in enumerate(made):
        yield each._replace(told=len(rooms) > 1 and place < MOST_WITH and len(each.rooms) < len(rooms))


def _alike(stems: Mapping[str, frozenset[str]], said: str) -> list[list[str]]:
    """The features that one of the guest's words is in, where there are several: `sea view`, `partial sea view`."""
    groups = (
        sorted((each for each, own in stems.items() if own & stems_of(word)), key=lambda each: len(stems[each]))
        for word in content_words(said)
    )
    return [*{tuple(group): group for group in groups if len(group) > 1}.values()]


def rooms_pointed_at(results: CallResults) -> set[str]:
    """The codes of the rooms that the request names; and, where rooms were looked up, of the one alone that was found, or that
    has what a word of the request says: `a whirlpool`."""
    named = {*read(results.said, today=results.today, profile=results.profile).wish.room_types}
    info = rooms_info(results)
    if info is None or len(info.rooms) < 2:
        return named | {room.code for room in (info.rooms if info else ())}
    return named.union(*(codes for codes in _having_each_word(info, results) if len(codes) == 1))


def rooms_shown_before(results: CallResults) -> set[str]:
    """The codes of the rooms that the last answer names; of a name within another (`Accessible Double Room`) the longer alone."""
    text, shown = results.told_before, set[str]()
    names = [(name, room.code) for room in results.profile.rooms for name in (room.name, room.name_he) if name]
    for name, code in sorted(names, key=lambda each: -len(each[0])):
        if name in text:
            text = text.replace(name, "")
            shown.add(code)
    return shown


def rooms_as_asked(results: CallResults) -> set[str]:
    """The codes of the rooms that have all that words of the request say, of what some rooms have: `a balcony and a bathtub`."""
    info = rooms_info(results)
    having = (
        [codes for codes in _having_each_word(info, results) if codes and len(codes) < len(info.rooms)] if info else []
    )
    return set[str].intersection(*having) if having else set()


def _having_each_word(info: RoomsInfo, results: CallResults) -> list[set[str]]:
    """By word of the request the codes of the rooms that have what it says."""
    is_hebrew = results.language == "he"
    stems = {
        room.code: {stem for fact in (room.features_he if is_hebrew else room.features) for stem in _stems_in(fact)}
        for room in info.rooms
    }
    words = [word for word in content_words(results.said) if word not in ANY_ROOM]
    return [{code for code, own in stems.items() if own & stems_of(word)} for word in words]


def _stems_in(text: str) -> frozenset[str]:
    return frozenset(stem for word in content_words(text) for stem in stems_of(word))


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


def by_size(rooms: Sequence[RoomType], results: CallResults) -> dict[Literal["largest", "smallest"], str]:
    """Which are the largest of several rooms, which the smallest, and of which: all the house has, or these; empty if that is
    not known."""
    sizes = {room.size_sqm for room in rooms if room.size_sqm}
    if len([room for room in rooms if room.size_sqm]) < 2:
        return {}
    lines: dict[Literal["largest", "smallest"], str] = {"largest": _of_size("largest", max(sizes), rooms, results)}
    return lines if len(sizes) < 2 else {**lines, "smallest": _of_size("smallest", min(sizes), rooms, results)}


def _of_size(key: str, size: int, rooms: Sequence[RoomType], results: CallResults) -> str:
    language, sized = results.language, [room for room in rooms if room.size_sqm]
    own = [room for room in sized if room.size_sqm == size]
    is_all = {room.code for room in results.profile.rooms} <= {room.code for room in sized}
    of = say("of_all_rooms", language) if is_all else few([kind_name(room, language) for room in sized], language)
    name = joined([kind_name(room, language) for room in own], language)
    if len(own) > 1:
        return say(f"{key}_several", language, of=of, name=name, size=size)
    return say(key, language, of=of, name=name, size=size, guests=_holds(own[0], language))


def room_line(room: RoomType, language: str, *, alone: bool) -> str:
    beds = room.beds_he if language == "he" else room.beds
    name = kind_name(room, language)
    parts = [say("room", language, name=name, guests=_holds(room, language)) if room.max_total else name]
    parts += [say("room_size", language, n=room.size_sqm)] if room.size_sqm else []
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
