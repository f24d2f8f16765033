"""The part of an answer about the property: topics, room types, how to reach reception."""

from collections.abc import Iterator

from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.phrases import TABLES, bullets, counted, joined, say
from wavegraph.tools.hotel.answers.stays import CallResults
from wavegraph.tools.hotel.records import HotelInfo, RoomsInfo, RoomType

MOST_TOPICS = 12
MOST_FEATURES = 6


def facts_part(results: CallResults) -> Iterator[str]:
    """What the property says on each topic asked about, or that it says nothing."""
    for call_id, call in results.calls.items():
        if call["tool"] != "get_hotel_info" or (
            call_id == "hotel_info_contact" and "contact" not in results.slots.topics
        ):
            continue
        if (info := results.good(call_id, HotelInfo)) is not None:
            yield from _topic(info, results.language)
        elif call_id in results.outcomes and not _tried_again(call_id, results):
            yield say(
                "unreached_topic", results.language, topic=_label(call["args"].get("topic", ""), results.language)
            )


def _tried_again(call_id: str, results: CallResults) -> bool:
    return any(results.good(name, HotelInfo) for name in results.instead_of(call_id))


def _topic(info: HotelInfo, language: str) -> Iterator[str]:
    if info.found:
        yield f"{info.title}: {_text(info, language)}" if info.title and language != "he" else _text(info, language)
        return
    yield say("unknown_topic", language, topic=_label(info.topic, language))
    if info.topics:
        yield say("known_topics", language, topics=", ".join(_labels(info.topics, language)[:MOST_TOPICS]))
    if info.contact:
        yield say("contact", language, contact=info.contact)


def _text(info: HotelInfo, language: str) -> str:
    return info.text_he if language == "he" and info.text_he else info.text


def _labels(topics: list[str], language: str) -> list[str]:
    """Names of topics for guests; in Hebrew only those with a translation."""
    table = TABLES[language]
    known = [topic for topic in topics if language != "he" or f"topic_{topic}" in table]
    return [_label(topic, language) for topic in known]


def _label(topic: str, language: str) -> str:
    """Our name for a topic; the guest's own word if we have none."""
    return TABLES[language].get(f"topic_{topic.replace(' ', '_')}", topic.replace("_", " "))


def contact_line(results: CallResults) -> Iterator[str]:
    """How to reach reception, if the plan looked it up."""
    info = results.good("hotel_info_contact", HotelInfo)
    if info and info.found:
        yield _text(info, results.language)
    elif info and info.contact:
        yield say("contact", results.language, contact=info.contact)


def rooms_part(results: CallResults) -> Iterator[str]:
    """The room types, introduced by the largest if there are several."""
    info = results.good("rooms_info", RoomsInfo)
    if info is None:
        return
    rooms, language = info.rooms, results.language
    if not rooms:
        yield say("no_rooms", language)
        return
    biggest = max(rooms, key=lambda room: (room.size_sqm, room.max_total))
    if len(rooms) > 1 and biggest.size_sqm:
        guests = _holds(biggest, language)
        yield say("biggest", language, name=_name(biggest, language), size=biggest.size_sqm, guests=guests)
    yield from bullets([_room(room, language, alone=len(rooms) == 1) for room in rooms])


def _room(room: RoomType, language: str, *, alone: bool) -> str:
    beds = room.beds_he if language == "he" else room.beds
    parts = [say("room", language, name=_name(room, language), guests=_holds(room, language))]
    parts += [say("room_size", language, size=room.size_sqm)] if room.size_sqm else []
    parts += [beds] if beds else []
    if room.from_agorot:
        parts.append(say("room_from", language, total=amount(room.from_agorot, room.currency, language)))
    line = ", ".join(parts)
    features = (room.features_he if language == "he" else room.features)[: None if alone else MOST_FEATURES]
    return f"{line}. {say('room_features', language, features=joined(features, language))}" if features else line


def _holds(room: RoomType, language: str) -> str:
    return counted(room.max_total, "guest", "guests", language)


def _name(room: RoomType, language: str) -> str:
    return room.name_he if language == "he" else room.name
