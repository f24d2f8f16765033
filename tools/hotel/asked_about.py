"""What a request asks about the house, by the topics that its words name: what no call looks up, and what an answer tells."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from wavegraph.graph.answer.words import asks, sentences
from wavegraph.graph.guard.pieces import MOST_NAMED, shortened
from wavegraph.graph.request.serving import words_served
from wavegraph.graph.state import Plan
from wavegraph.graph.views import View
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.inventory.topics import content_words, find_topics, normalise, stems_of, topic_names
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.topics import TOPICS, read_topics
from wavegraph.tools.hotel.stay_arguments import LOOK_UPS

_OF_THE_HOUSE = (
    *("parking", "electric car charging", "wifi", "room service", "pets", "pool", "lifeguard", "spa", "gym", "kosher"),
    *("lift", "cribs", "early check in", "late check out", "check_in", "luggage", "laundry", "iron", "towels"),
    *("babysitting", "breakfast"),
)
"""Topics whose words mean nothing else: not those that are a wish for the room, its terms or its price as well."""
_OF_A_STAY = frozenset({"breakfast"})
"""Topics that what is free tells."""
_NOT_ASKED = frozenset(
    words_of(
        "no not without don't won't instead away far near next facing overlooking בלי ללא לא אין רחוק הרחק קרוב ליד מול"
    )
)
"""Words before a topic that take it back, `no dog after all`, or make it the place of a room: `away from the lift`."""
_NEAR = 3
"""Words before a topic among which they may stand."""
_SAID_OF = re.compile(
    r"\s{1,3}(?:(?:my|our|the|an?|some|two|three|\d{1,2})\b|את(?![א-ת]))"
    r"(?:\s{1,3}(?!(?:and|or|but|if|is|are|for|from|on|in|at|by|to|till|until|when|while|before|after|with|what|how|can|do|free|possible|allowed|included|או|אם|גם)\b)"
    r"[^\W\d_][\w'-]{0,30}){1,3}"
)
"""What stands behind a topic's words and belongs to them: `store`, `our two bikes`."""
_WORD = re.compile(r"[^\W\d_]+(?:'\w+)?")


def not_looked_up(view: View, plan: Plan | None, profile: PropertyProfile) -> list[str]:
    """The words for what a model's last plan of a request leaves out, whatever pieces its calls and forms say they serve. None
    of a piece that is named as forgotten anyway, or where a text is the answer to all of it."""
    is_last = plan is not None and "unserved" in plan
    if plan is None or not is_last or not view.pieces or (plan["reply"] and not plan.get("replied")):
        return []
    message = read(view.request["text"], today=view.today, profile=profile)
    forgotten = [fold(view.pieces[number - 1]) for number in plan["unserved"]]
    planned = [*plan["tools"], *(call for ledger in view.ledgers for call in ledger["calls"].values())]
    quotes = [str(each["quote"]) for each in plan.get("said", ()) if each.get("quote")]
    missed = [
        phrase
        for topic, words, phrase in _asked(message, profile)
        if not any(fold(words) in piece for piece in forgotten)
        and not _is_planned(topic, words, planned, profile)
        and not any(topic in read_topics(fold(quote)) for quote in quotes)
    ]
    others = [each for each in _told_of_others(planned, view, profile) if not any(words in each for words in missed)]
    return [*missed, *(shortened(each, MOST_NAMED) for each in others if fold(each) not in map(str.strip, forgotten))]


def _told_of_others(planned: Sequence[Mapping[str, Any]], view: View, profile: PropertyProfile) -> Iterator[str]:
    """Pieces that ask about topics of the house, where calls for others of its topics alone say that they are for them."""
    infos = [call for call in planned if call["tool"] == "get_hotel_info"]
    if not all(isinstance(call["args"].get("topic"), str) for call in infos):
        return  # by reference
    topics = [{*_named_topics(call["args"]["topic"], profile)} for call in infos]
    for piece in filter(asks, map(str.strip, view.pieces)):
        theirs = [own for call, own in zip(infos, topics, strict=True) if piece in words_served(call, view.pieces)]
        if (
            not theirs
            or not all(theirs)
            or any(piece in words_served(call, view.pieces) for call in planned if call not in infos)
        ):
            continue
        named = {*_named_topics(piece, profile, certain=True)}
        if named and named.isdisjoint({topic for own in topics for topic in own}):
            yield piece


def _asked(message: ParsedMessage, profile: PropertyProfile) -> Iterator[tuple[str, str, str]]:
    """The topics, the guest's words for each, and these with what they are said of: `store`, `store my bike`."""
    text = message.text
    folded = fold(text)
    if message.other_language or len(folded) != len(text):
        return
    for topic in message.topics:
        is_wish = (
            topic in _OF_A_STAY or topic not in TOPICS
        ) and message.wish.board  # `how much is a room with breakfast`
        called = TOPICS[topic] if topic in _OF_THE_HOUSE else _own_names(topic, profile)
        found = re.search(called, folded) if called and not is_wish else None
        if found is None:
            continue
        before, words = _around(folded, found)
        if _NOT_ASKED.isdisjoint(_WORD.findall(before)[-_NEAR:]):
            start, end = len(before), len(before) + len(words)
            said_of = _SAID_OF.match(folded, end)
            yield topic, text[start:end], text[start : said_of.end() if said_of else end]


def _own_names(topic: str, profile: PropertyProfile) -> str:
    """A pattern for what the house calls a topic of its own; empty = it is none, or one of every house's."""
    own = [] if topic in TOPICS else [each for each in profile.topics if each.topic == topic]
    names = [re.escape(name) for each in own for name in topic_names(each)]
    return rf"(?<!\w)(?:{'|'.join(sorted(names, key=len, reverse=True))})" if names else ""


def _around(text: str, found: re.Match[str]) -> tuple[str, str]:
    """What stands before the whole words that a match is of, and these words."""
    start, end = found.span()
    while start and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return text[:start], text[start:end]


def _is_planned(topic: str, words: str, planned: Sequence[Mapping[str, Any]], profile: PropertyProfile) -> bool:
    """Whether the topic, or the house's text on it, is in a call's arguments, or what is free or the rooms tell it."""
    texts = [each for call in planned for each in _texts(call["args"])]
    own = {found.topic for asked in (topic, words) for found in find_topics(profile.topics, asked)}
    by_topic = [call["args"].get("topic") for call in planned if call["tool"] == "get_hotel_info"]
    if not all(isinstance(each, str) for each in by_topic):
        return True  # by reference
    if any(topic in read_topics(fold(text)) for text in texts):
        return True
    if any(own & {found.topic for found in find_topics(profile.topics, str(each))} for each in by_topic):
        return True
    tools = {call["tool"] for call in planned}
    of_rooms = any(
        fold(words) in fold(feature) for room in profile.rooms for feature in (*room.features, *room.features_he)
    )
    return bool((tools & LOOK_UPS and topic in _OF_A_STAY) or (tools & {*LOOK_UPS, "get_rooms_info"} and of_rooms))


FIGURES = (
    (
        r"\b(?:when|what time|hours?|open(?:s|ing)?|clos(?:e|es|ing))\b|(?<![א-ת])[המבו]?(?:מתי|שעה|שעות|פתוחה?|סגורה?)(?![א-ת])",
        r"\d:\d\d|\b(?:all day|clock)\b|השעון|היממה",
    ),
    (
        r"\b(?:how much|pric(?:es?|ing)|costs?|fees?|charged?|charges|pay)\b|(?<![א-ת])[הב]?(?:מחיר|עלות|עולה|עולים|לשלם|תשלום)(?![א-ת])",
        r"\d\s*(?:[$€£₪]|[A-Z]{3}\b|ש[\"״]ח)|[$€£₪]\s*\d|\b(?:free|included)\b|חינם|ללא תשלום|כלול",
    ),
    (
        r"\bhow (?:many|far|long|big|large|old|deep|high|often|late|early)\b|(?<![א-ת])כמה(?![א-ת])",
        r"\d|\bfree\b|חינם|ללא תשלום",
    ),
)
"""Words that ask for a figure, and how it stands in a text of the house."""


def is_told(words: str, told: str, profile: PropertyProfile) -> bool:
    """Whether an answer tells a sentence of each of the house's topics that words of the request name, with all that these name
    and the figures that they ask for: what stands near it may answer something else."""
    told_of = [[*_sentences_told(topic, told)] for topic in _named_topics(words, profile)]
    return bool(told_of) and all(any(_answers(each, words) for each in texts) for texts in told_of)


def _answers(sentence: str, words: str) -> bool:
    known = {stem for word in normalise(sentence).split() for stem in stems_of(word)}
    has_figures = all(re.search(shown, sentence) for asked, shown in FIGURES if re.search(asked, fold(words)))
    return has_figures and all(stems_of(word) & known for word in content_words(words))


def _named_topics(words: str, profile: PropertyProfile, *, certain: bool = False) -> Iterator[Topic]:
    """The topics of the house that words name, or lead to; `certain`: by a word that is known for them, or a whole name."""
    named = [*([] if certain else [words]), *read_topics(fold(words))]
    yield from (topic for each in named for topic in find_topics(profile.topics, each))
    said = f" {normalise(words)} "
    yield from (topic for topic in profile.topics if any(f" {name} " in said for name in topic_names(topic)))


def _sentences_told(topic: Topic, told: str) -> Iterator[str]:
    """In both languages."""
    for both in zip_longest(sentences(topic.text), sentences(topic.text_he), fillvalue=""):
        if any(each and each in told for each in both):
            yield from both


def _texts(args: Mapping[str, Any]) -> list[str]:
    return re.findall(r'"((?:[^"\\]|\\.)*)"', json.dumps(args, ensure_ascii=False, default=str))
