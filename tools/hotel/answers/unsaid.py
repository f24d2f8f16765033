"""What a guest asks about and the house's texts say nothing of: in the guest's own words, and whom to ask."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from wavegraph.graph.answer.words import asks, sentences
from wavegraph.graph.guard.pieces import MOST_NAMED, shortened
from wavegraph.graph.request.serving import words_served
from wavegraph.graph.state import PlannedCall
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.phrases import TABLES, joined, say
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.inventory.topics import (
    content_words,
    find_topics,
    is_hebrew,
    normalise,
    stems_of,
    topic_names,
)
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.topics import TOPICS, says
from wavegraph.tools.hotel.records import HotelInfo, TopicText


class Unsaid(NamedTuple):
    """One thing that nothing is said of."""

    topic: str
    """The call's, or the guest's words."""
    words: str
    """What it is called to the guest; empty = nothing that the guest, the house or we say."""
    contact: str


def asked_topics(results: CallResults) -> Iterator[tuple[str, PlannedCall]]:
    """The calls for what the guest asked about: whom to ask instead may have been looked up besides."""
    for call_id, call in results.calls.items():
        besides = call_id == "hotel_info_contact" and "contact" not in results.slots.topics
        if call["tool"] == "get_hotel_info" and not besides:
            yield call_id, call


def topics_told(results: CallResults) -> list[TopicText]:
    """What the house says on what was asked about, each text once."""
    return [*fullest(text for call_id, _ in asked_topics(results) for text in results.texts(call_id)).values()]


def fullest(texts: Iterable[TopicText]) -> dict[str, TopicText]:
    """By topic the longest text on it: a call for a part of one (`luggage`) is given that part alone."""
    longest: dict[str, TopicText] = {}
    for text in texts:
        if text.topic not in longest or len(text.text) > len(longest[text.topic].text):
            longest[text.topic] = text
    return longest


def unknown_topics(results: CallResults) -> list[HotelInfo]:
    """What came of the calls for topics that no text is found for, each once."""
    infos = (results.good(call_id, HotelInfo) for call_id, _ in asked_topics(results))
    return [*{info.topic: info for info in infos if info and not info.found}.values()]


def _in_part(results: CallResults) -> list[HotelInfo]:
    """What came of the calls of whose words a text was found for some, and for others none: `shabbat hotplate`."""
    infos = (results.good(call_id, HotelInfo) for call_id, _ in asked_topics(results))
    return [info for info in infos if info and info.found and info.unsaid]


def unsaid(results: CallResults) -> list[Unsaid]:
    """The topics that no text is found for, and the words of the guest's questions that stand in no text of the house. What a
    room's description speaks of is none: see `said_of_rooms`."""
    unknown = unknown_topics(results)
    named = [
        Unsaid(info.topic, words, info.contact)
        for info in unknown
        if not any(_on_rooms(info.topic, results))
        for words in _names(info.topic, results)
        if not (words and _is_replied(words, results))
    ]
    named += (
        []
        if not results.by_model
        else [
            Unsaid(info.topic, words, info.contact)
            for info in _in_part(results)
            for words in _names(" ".join(info.unsaid), results)
        ]
    )
    known = _stems(" ".join([*_texts(results), *(info.topic for info in unknown), *(each.words for each in named)]))
    told, strange = topics_told(results), _strange(results)
    is_hebrew_told = any(is_hebrew(info.text_he or info.text) for info in told)
    nowhere = {word for word in strange if word not in _OF_PRICE and not stems_of(word) & known}
    pieces = _pieces(strange, {word for word in nowhere if is_hebrew_told or not is_hebrew(word)}, results.said)
    # beside other results nothing is told of what only a plan has asked for
    is_all = all(isinstance(each, HotelInfo) and not each.found for each in results.records.values())
    nameless = [each for each in named if not each.words][len(pieces) :] if is_all else []
    return [
        *(each for each in named if each.words or each in nameless),
        *(Unsaid(each, each, told[0].contact) for each in pieces),
    ]


def _names(topic: str, results: CallResults) -> list[str]:
    """What a topic is called, or else whatever else the guest asks that nothing is known of; empty words = neither."""
    name = topic_name(topic, results)
    if results.by_model and results.pieces:
        return _as_asked(topic, name, results)
    return [name] if name else _asked_besides(results) or [""]


def _as_asked(topic: str, name: str, results: CallResults) -> list[str]:
    """A topic that a model has named, in the guest's own words: those that name it, or the piece of the request that nothing
    else answers. Where other calls do, what else is asked; none where these words name no thing: `little` of a little dog."""
    unknown = {info.topic for info in unknown_topics(results)}
    served = [(call, words) for call in results.calls.values() if (words := words_served(call, results.pieces))]
    words_of_it = next((words for call, words in served if call["args"].get("topic") == topic), "")
    piece = _piece_of(topic, words_of_it, results)
    alone = bool(piece) and all(call["args"].get("topic") in unknown for call, words in served if piece in words)
    asked = {*content_words(piece)} <= {*content_words(name)}
    if name and (asked or not piece or not alone):
        return [name] if topic in TOPICS or _names_a_thing(name, results) else []
    return [shortened(piece, MOST_NAMED)] if alone else _asked_besides(results)


def _piece_of(topic: str, words: str, results: CallResults) -> str:
    """Of the pieces that a call serves the one with most of the topic's words; of those with as many one that asks."""
    pieces = [each for each in results.pieces if each in words]
    wanted = _stems(topic)
    return max(pieces, key=lambda each: (len(_stems(each) & wanted), asks(each.strip())), default=words)


def _names_a_thing(name: str, results: CallResults) -> bool:
    """Whether words of the guest's are more than a date, a number or a word of another topic's: `little` of a little dog."""
    message = read(name, today=results.today, profile=results.profile)
    topics = {info.topic for info in topics_told(results)}
    told = _stems(" ".join(each for of in results.profile.topics if of.topic in topics for each in topic_names(of)))
    beside = _stems(_next_word(name, results.said))
    return bool(message.unread or message.topics) and not beside & told


def _next_word(name: str, said: str) -> str:
    found = re.search(rf"{re.escape(name)}\s+(\w+)", said)
    return found[1] if found else ""


def _is_replied(words: str, results: CallResults) -> bool:
    """Whether a reply's form answers these words of the guest's."""
    stems = _stems(words)
    return any(stems <= (quoted := _stems(each)) or quoted <= stems for each in results.replied)


_CLAUSES = re.compile(r"(?<=[.?!;,\n])|\b(?:and|also|but|plus)\b|(?<![א-ת])ו(?=[א-ת])")
_ASKS = re.compile(r"\?\s*$|\b(?:about|regarding|information)\b|(?<![א-ת])(?:לגבי|בנוגע|בעניין)(?![א-ת])")


def _asked_besides(results: CallResults) -> list[str]:
    """What is asked, in the guest's words or ours, and is neither a stay nor anything that the property tells of."""
    message = read(results.said, today=results.today, profile=results.profile)
    clauses = [each for each in _CLAUSES.split(message.wish.plain) if "|" not in each]
    asked = [each for each in clauses if _ASKS.search(each) or _ASKED.search(each)]
    topics = [*message.topics, *(" ".join(content_words(each)) for each in asked)]
    lacking = (each for each in topics if each and not find_topics(results.profile.topics, each))
    return [*dict.fromkeys(filter(None, (topic_name(each, results) for each in lacking)))]


def _texts(results: CallResults) -> Iterator[str]:
    """All that the house says, of its topics and its rooms."""
    for topic in results.profile.topics:
        yield from (*topic_names(topic), topic.text, topic.text_he)
    for info in topics_told(results):
        yield from (info.title, info.text, info.text_he)
    for room in results.profile.rooms:
        yield from room.description


def unsaid_line(things: Sequence[Unsaid], results: CallResults) -> str:
    """That the house's texts say nothing of these, and how to reach whom to ask."""
    language, contact = results.language, things[0].contact
    named = [say("quoted", language, words=words) for words in dict.fromkeys(each.words for each in things) if words]
    return say(
        "unknown_topic_contact" if contact else "unknown_topic",
        language,
        topic=joined(named, language) if named else say("that", language),
        contact=contact,
    )


def unsaid_lines(thing: Unsaid, results: CallResults) -> list[str]:
    """The same of one thing, in sentences."""
    return sentences(unsaid_line([thing], results))


def said_of_rooms(results: CallResults) -> dict[str, list[str]]:
    """Of the topics that the rooms' descriptions alone speak of: what these say, and the rooms it is said of."""
    having: dict[str, list[str]] = {}
    for info in unknown_topics(results):
        for fact, room in _on_rooms(info.topic, results):
            having.setdefault(fact, []).append(room)
    return having


def _on_rooms(topic: str, results: CallResults) -> Iterator[tuple[str, str]]:
    """What is said of rooms on a topic, by its words or by those that the guest has for it, and of which room."""
    is_hebrew = results.language == "he"
    asked = [_stems(words) for words in (topic, _piece_said(topic, results.said)) if content_words(words)]
    for room in results.profile.rooms:
        name = room.name_he if is_hebrew else room.name
        for fact in [*room.features_he, room.beds_he] if is_hebrew else [*room.features, room.beds]:
            if (topic in TOPICS and says(fact, topic)) or any(words <= _stems(fact) for words in asked):
                yield fact, name


_ASKED = re.compile(
    r"(?:^|[.,!;?\n]|\b(?:and|so|but|or|also|if)\b)\s{0,3}((?:can|could|may|do|does|is|are|will)\b[^.,!;?\n]*)|"
    r"(?<![א-ת])ו?((?:האם|אפשר|ניתן|מותר|כלולה?|לוודא|פועלת?|יש(?! (?:לי|לנו|מה)(?![א-ת]))|מה (?:זמני|שעות))(?![א-ת])[^.!;?\n]*)"
)
_OF_PRICE = frozenset(words_of("pay paid כלול כלולה מחיר המחיר במחיר לשלם"))
_PRICED = re.compile(r"\bfree\b|\bNIS\b|ללא תשלום|חינם|ש״ח")
"""A text with a word of price answers whether something is in it; another may leave that open."""


def _strange(results: CallResults) -> list[str]:
    """The words of the guest's questions that the topics told do not hold: `can my friends visit us at the pool?` Beside other
    calls, of those questions alone that name one of these topics. None where a model has planned: it names by itself what is
    asked about, and a word of its own topic's question ("a little dog") is no other thing."""
    told = topics_told(results)
    if not told or results.by_model or "contact" in results.slots.topics:
        return []
    topics = {info.topic for info in told}
    names = " ".join(name for each in results.profile.topics if each.topic in topics for name in topic_names(each))
    text = " ".join([names, *(part for info in told for part in (info.title, info.text, info.text_he))])
    only_facts = all(call["tool"] == "get_hotel_info" for call in results.calls.values())
    patterns = (TOPICS.get(str(call["args"].get("topic")), "$") for _, call in asked_topics(results))
    named = [found.group() for words in patterns for found in re.finditer(words, fold(results.said))]
    asked = [part for found in _ASKED.findall(results.said.lower()) for part in found if part]
    words = [word for each in asked if only_facts or _stems(each) & _stems(names) for word in _asking(each, text)]
    held = _stems(" ".join([text, *named]))
    return [word for word in words if not stems_of(word) & held]


_OF_MORE = re.compile(
    r"\b(?:when|where|who|why|how|what|which|cost|costs|price|prices|fee|much|many|hours?|times?|open|close[sd]?|long|late|early)\b|"
    r"(?<![א-ת])[והלבש]?(?:מתי|איפה|מי|למה|איך|מה|כמה|איזה|איזו|עולה|עלות|מחיר|מחירים|שעות|שעה|פתוח|פתוחה|סגור|סגורה)(?![א-ת])"
)
"""Of words that ask for something of a thing, which a text on it need not tell."""


def are_told(words: str, told: str, topics: Sequence[Topic]) -> bool:
    """Whether an answer holds all that these words ask for: each is in it, or names a topic whose text it tells."""
    in_it = [each for each in topics if any(part in told for part in sentences(f"{each.text} {each.text_he}"))]
    held = _stems(" ".join([told, *(name for each in in_it for name in topic_names(each))]))
    asked = [] if _OF_MORE.search(fold(words)) else content_words(words)
    return bool(asked) and all(stems_of(word) & held for word in asked)


def _asking(question: str, told: str) -> list[str]:
    """The words that ask for something; those of price where what is told has no price."""
    of_price = [] if _PRICED.search(told) else [word for word in normalise(question).split() if word in _OF_PRICE]
    return [*(word for word in content_words(question) if word not in _OF_PRICE), *of_price]


def no_more_known(results: CallResults) -> Iterator[str]:
    """Whom to ask where what is told leaves a question open, and all its words stand in some text of the house."""
    told = topics_told(results)
    is_open = bool(_strange(results)) and not unsaid(results)
    if is_open and told[0].contact and not any(map(sends_to_reception, told)):
        yield say("no_more_known", results.language, contact=told[0].contact)


def sends_to_reception(info: TopicText) -> bool:
    return bool(info.contact and _TO_RECEPTION.search(f"{info.text} {info.text_he}"))


_TO_RECEPTION = re.compile(r"\b(?:through|with) reception\b|(?:דרך|עם) הקבלה")


def _stems(text: str) -> frozenset[str]:
    """Of all words, whatever they ask."""
    return frozenset(stem for word in normalise(text).split() for stem in stems_of(word))


def topic_label(topic: str, language: str) -> str:
    """Our name for a topic; the guest's own word if we have none."""
    return TABLES[language].get(f"topic_{topic.replace(' ', '_')}", topic.replace("_", " "))


def topic_name(topic: str, results: CallResults) -> str:
    """What a topic is called in the guest's language: our own name for it, the house's, or a piece of the guest's words. Empty
    where it is none of these: whoever planned the call has chosen its words."""
    if f"topic_{topic.replace(' ', '_')}" in TABLES["he"]:
        return topic_label(topic, results.language)
    return house_name(topic, results) or _piece_said(topic, results.said)


def house_name(topic: str, results: CallResults) -> str:
    """What the property calls one of its topics, in the guest's language."""
    found = next((each for each in results.profile.topics if each.topic == topic), None)
    return "" if found is None else found.title_he if results.language == "he" else found.title


def _piece_said(topic: str, said: str) -> str:
    """The longest piece of the guest's words that a topic's words are, in the guest's letters."""
    wanted = _stems(topic)
    return max(_runs(said, lambda word: bool(_stems(word) & wanted)), key=len, default="")


def _pieces(words: Iterable[str], nowhere: AbstractSet[str], said: str) -> list[str]:
    """Where these words stand in the guest's, those next to each other as one piece; only pieces with one that stands nowhere."""
    wanted = {*words}
    runs = _runs(said, lambda word: bool(wanted & {*normalise(word).split()}) or not content_words(word))
    return list(dict.fromkeys(run for run in runs if nowhere & {*normalise(run).split()}))


def _runs(said: str, is_wanted: Callable[[str], bool]) -> Iterator[str]:
    """Words in a row that are wanted, from the first that asks for something to the last."""
    run: list[str] = []
    for word in [*said.split(), ""]:
        run += [word] if word and is_wanted(word) else []
        if not (word and is_wanted(word)) or word.endswith(_STOPS):
            asking = [place for place, each in enumerate(run) if content_words(each)]
            if asking:
                yield " ".join(run[asking[0] : asking[-1] + 1]).strip(" .,;:!?…()[]\"'“”„")
            run = []


_STOPS = (".", ",", ";", ":", "!", "?", "…")
