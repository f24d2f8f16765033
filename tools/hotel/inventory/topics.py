"""Finds what the property says on a topic, asked in English or Hebrew, in a word or a sentence.

In order of confidence: the exact key or alias; an alias inside the question, the longest first;
a spelling mistake. If nothing is close enough, there is no answer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.records import HotelInfo, PropertyRecord

LIKENESS = 0.8
SHORTEST_TYPO = 4
"""Shorter words are too similar: `spa` and `sea`."""

HEBREW_PREFIXES = "ובהלמשכ"
""""and", "in", "the", "to", "from", "that", "as": written as one word with the noun."""


def find_topic(topics: Iterable[Topic], asked: str) -> Topic | None:
    names = {name: topic for topic in topics for name in topic_names(topic)}
    words = tuple(normalise(asked).split())
    for candidate in (" ".join(words), *_phrases(words), *_phrases(tuple(map(_without_prefix, words)))):
        if candidate in names:
            return names[candidate]
    return _near_miss(names, words)


def hotel_info(record: PropertyRecord, topics: Sequence[Topic], asked: str) -> HotelInfo:
    """What the property says on a topic; if nothing, the known topics."""
    contact = ", ".join(filter(None, (record.phone, record.email)))
    if (found := find_topic(topics, asked)) is None:
        return HotelInfo(topic=asked, found=False, topics=[each.topic for each in topics], contact=contact)
    return HotelInfo(
        topic=found.topic, found=True, title=found.title, text=found.text, text_he=found.text_he, contact=contact
    )


def topic_names(topic: Topic) -> Iterator[str]:
    return (normalise(name) for name in (topic.topic, topic.title, topic.title_he, *topic.aliases))


def normalise(text: str) -> str:
    """Lower case, no quotes inside words (מע"מ, צ'ק), other punctuation as space."""
    without_quotes = re.sub(r"[\"'`׳״’‘”“]", "", text.casefold())
    return " ".join(re.sub(r"[\W_]+", " ", without_quotes).split())


def _phrases(words: Sequence[str]) -> Iterator[str]:
    """All runs of words, longest first: `late check out` must win over `check out`."""
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _without_prefix(word: str) -> str:
    return word[1:] if len(word) > 3 and word[0] in HEBREW_PREFIXES else word


def _near_miss(names: dict[str, Topic], words: tuple[str, ...]) -> Topic | None:
    for phrase in _phrases(words):
        if len(phrase) >= SHORTEST_TYPO:
            near = get_close_matches(phrase, [n for n in names if len(n) >= SHORTEST_TYPO], n=1, cutoff=LIKENESS)
            if near:
                return names[near[0]]
    return None
