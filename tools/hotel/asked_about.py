"""What a request asks about the house, by the topics that its words name, and a look-up for each that no call is for."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from wavegraph.graph.domain import Replies
from wavegraph.graph.guard.replies import reply_text
from wavegraph.graph.ledger import tools_executed
from wavegraph.graph.request.serving import asks_something, words_served
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import PlanningView, View
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.inventory.topics import find_topics, normalise, topic_names
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.normalise import fold
from wavegraph.tools.hotel.reading.topics import ROOM_FACTS, SHABBAT_FACTS, TOPICS, read_topics
from wavegraph.tools.hotel.stay_arguments import LOOK_UPS

_OF_THE_HOUSE = (
    *("parking", "electric car charging", "wifi", "room service", "pets", "pool", "lifeguard", "spa", "gym", "kosher"),
    *("lift", "cribs", "early check in", "late check out", "check_in", "luggage", "laundry", "iron", "towels"),
    *("babysitting", "breakfast"),
)
"""Topics whose words mean nothing else: not those that are a wish for the room, its terms or its price as well."""
_OF_A_STAY = frozenset({"breakfast"})
"""Topics that what is free tells."""
_TAKEN_BACK = frozenset(words_of("no not without don't won't instead after before בלי ללא לא אין אחרי לפני"))
"""Words before a topic that take it back, `no dog after all`, or say when."""
_PLACING = frozenset(words_of("away far near next facing overlooking רחוק הרחק קרוב ליד מול"))
"""Words that make it the place of a room: `away from the lift`."""
_NEAR = 3
"""Words before a topic among which they may stand."""
_SAID_OF = re.compile(
    r"\s{1,3}(?:(?:my|our|the|an?|some|two|three|\d{1,2})\b|את(?![א-ת]))"
    r"(?:\s{1,3}(?!(?:and|or|but|if|is|are|for|from|on|in|at|by|to|till|until|when|while|before|after|with|what|how|can|do|free|possible|allowed|included|או|אם|גם)\b)"
    r"[^\W\d_][\w'-]{0,30}){1,3}"
)
"""What stands behind a topic's words and belongs to them: `store`, `our two bikes`."""
_WORD = re.compile(r"[^\W\d_]+(?:'\w+)?")
_PARTS = re.compile(
    r",\s*+(?=(?:if|whether)\b)|(?<!\s)\s++(?=(?:and|or|but|also|plus) (?:if|whether|is|are|do|does|can|could|may|what|when|where|how)\b)|"
    r",\s*+(?=ו?(?:אם|האם|מה|יש|אפשר|ניתן)(?![א-ת]))|(?<!\s)\s++(?=ו(?:אם|האם|מה|מתי|כמה|איפה|יש|אפשר|ניתן)(?![א-ת]))"
)
"""Before what begins another question."""
MOST_OF_A_LIST = 5
"""Calls that are left for one that is made for each element of a list: the weekends of a month."""


def with_look_ups(
    made: PlanningResult, view: PlanningView, profile: PropertyProfile, replies: Replies
) -> PlanningResult:
    """A model's plan with a call for each topic that it misses, as far as the request's calls reach; the others are named."""
    missed = [*missed_topics(made, view, profile)]
    runs = sum(MOST_OF_A_LIST if call.get("each") else 1 for call in made["tools"])
    room = max(0, view.limits.max_tool_calls - tools_executed(view.ledger) - runs)
    left = [words for words, _ in missed[room:]]
    told = replies.nothing_more(left, view, "") if left and replies.nothing_more else ""
    calls, said, reply = [*made["tools"], *(call for _, call in missed[:room])], made.get("remarks", []), made["reply"]
    if reply and calls:  # it is no longer all of the answer
        said, reply = reply_text(made.get("said", []), replies, view, calls).sentences, None
    remarks = [*said, *filter(None, [told])]
    return {**made, "tools": calls, "reply": reply, "remarks": remarks} if missed else made


def missed_topics(made: PlanningResult, view: PlanningView, profile: PropertyProfile) -> Iterator[tuple[str, ToolCall]]:
    """The topics of the house that a request asks about for certain and that a model's last plan looks up nowhere, whatever
    pieces its calls and forms say they serve: the guest's words for each, and the call. None where a text is the answer to all
    of it."""
    is_answer = made["reply"] and not made.get("replied")
    message = read(view.request["text"], today=view.today, profile=profile)
    if made["status"] != "done" or "context" not in made or is_answer or message.other_language:
        return
    quoted = {topic for each in made.get("said", ()) for topic in read_topics(fold(str(each.get("quote") or "")))}
    before = [call for ledger in view.ledgers for call in ledger["calls"].values()]
    planned: list[ToolCall] = [*view.ledger["calls"].values(), *made["tools"]]
    for number, piece in enumerate(view.pieces, 1):
        calls = [call for call in planned if piece in words_served(call, view.pieces)]
        for topic, words, phrase in [*_asked(message, piece, profile), *_questions(piece, calls, profile)]:
            known = planned if asks_something(piece) else [*before, *planned]
            if topic not in quoted and not _is_planned(topic, words, known, profile):
                planned.append(_look_up(topic, phrase, number, planned, profile))
                yield phrase, planned[-1]


def _look_up(topic: str, words: str, piece: int, known: Sequence[ToolCall], profile: PropertyProfile) -> ToolCall:
    """By the guest's words, where these lead the house to the topic, or nothing does."""
    of_words, of_topic = ({each.topic for each in find_topics(profile.topics, asked)} for asked in (words, topic))
    asked = topic if of_topic and not of_words & of_topic else words
    taken = {call["id"] for call in known}
    name = next(each for n in count(1) if (each := f"topic_{n}") not in taken)
    return {"id": name, "tool": "get_hotel_info", "args": {"topic": asked}, "serves": [piece]}


def _questions(piece: str, calls: Sequence[ToolCall], profile: PropertyProfile) -> Iterator[tuple[str, str, str]]:
    """The house's topics of each part of a question that names none that is looked up, or is of the house alone: what nothing else
    than its texts is planned for."""
    if not asks_something(piece) or any(call["tool"] != "get_hotel_info" for call in calls):
        return
    looked = {found.topic for call in calls for found in _named_topics(str(call["args"].get("topic")), profile)}
    for part in map(fold, _PARTS.split(piece)):
        found = {topic: _around(part, match) for topic, match in _certain(part)}
        own = {each.topic for each in _named_topics(part, profile, certain=True)}
        if looked.isdisjoint(own) and {*_OF_THE_HOUSE}.isdisjoint(found):
            for topic, (before, words) in found.items():
                if find_topics(profile.topics, topic) and not _has_near(before, _TAKEN_BACK):
                    yield topic, words, words


def _certain(part: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The topics of every house that folded words name; a day is none."""
    for topic in read_topics(part):
        if topic not in TOPICS or topic in ROOM_FACTS:
            continue
        if found := re.search(SHABBAT_FACTS if topic == "shabbat" else TOPICS[topic], part):
            yield topic, found


def _has_near(before: str, words: Collection[str]) -> bool:
    return not {*words}.isdisjoint(_WORD.findall(before)[-_NEAR:])


def _asked(message: ParsedMessage, piece: str, profile: PropertyProfile) -> Iterator[tuple[str, str, str]]:
    """The topics, the guest's words for each, and these with what they are said of: `store`, `store my bike`."""
    folded = fold(piece)
    if len(folded) != len(piece):
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
        if not _has_near(before, _TAKEN_BACK | _PLACING):
            start, end = len(before), len(before) + len(words)
            said_of = _SAID_OF.match(folded, end)
            yield topic, piece[start:end], piece[start : said_of.end() if said_of else end]


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
    """Whether the topic, or the house's text on it, is in a call's arguments, or what is free tells it, or the rooms that are looked up."""
    args = [json.dumps(call["args"], ensure_ascii=False, default=str) for call in planned]
    texts = [each for written in args for each in re.findall(r'"((?:[^"\\]|\\.)*)"', written)]
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
    return bool((tools & LOOK_UPS and topic in _OF_A_STAY) or ("get_rooms_info" in tools and of_rooms))


def _named_topics(words: str, profile: PropertyProfile, *, certain: bool = False) -> Iterator[Topic]:
    """The topics of the house that words name, or lead to; `certain`: by a word that is known for them, or a whole name."""
    named = [*([] if certain else [words]), *read_topics(fold(words))]
    yield from (topic for each in named for topic in find_topics(profile.topics, each))
    said = f" {normalise(words)} "
    yield from (topic for topic in profile.topics if any(f" {name} " in said for name in topic_names(topic)))


def is_unseen(words: str, view: View, profile: PropertyProfile) -> bool:
    """Whether words of the request are about topics that the house knows and nothing has looked up, or about dates."""
    named = {topic.topic for topic in _named_topics(words, profile, certain=True)}
    looked = (call for call in view.ledger["calls"].values() if call["tool"] == "get_hotel_info")
    seen = {topic.topic for call in looked for topic in _named_topics(str(call["args"].get("topic")), profile)}
    message = read(words, today=view.today, profile=profile)
    return named.isdisjoint(seen) if named else bool(message.dates or message.searches)
