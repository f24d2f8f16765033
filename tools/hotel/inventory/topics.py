"""Finds what the property says on a question, in English or Hebrew, in a word or a sentence.

The property's own texts are the index: what a topic or a room is called, and what is written about it. A question is scored
by the words that it shares with each, the rarer the better, names above text. If too little of it is found, there is no answer.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import zip_longest
from math import log
from typing import NamedTuple

from wavegraph.graph.answer.words import sentences
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import RoomKind, Topic
from wavegraph.tools.hotel.records import HotelInfo, PropertyRecord, TopicText

LIKENESS, NAME_LIKENESS = 0.84, 0.8
"""Of a misspelt word of a topic's name, and of the whole name. No word of a text is guessed at: a dentist is no identity."""
SHORTEST_TYPO = 5
"""Shorter words are too similar: `spa` and `sea`."""
LEAST, LEAST_SHARE = 0.55, 0.5
"""That must be found, and of all that is asked: words that many texts have answer nothing."""
MOST_TOPICS = 4
"""That one question leads to."""
NAMED = 2
"""How much more a word of a name says than one of a text."""
SHORTEST_STEM = 3
_OF_A_DOER = ("ers", "er")
"""Endings that make another word of a short stem: who caters keeps no cat."""

HEBREW_PREFIXES = "ובהלמשכ"
""""and", "in", "the", "to", "from", "that", "as": written as one word with the noun."""
_FINALS = str.maketrans("ךםןףץ", "כמנפצ")
_ENDINGS = ("ings", "ing", "ers", "ies", "ed", "er", "es", "s", "e", "y", "יות", "ים", "ות", "ית", "ה", "ת")
_SAYS_NOTHING = frozenset(
    words_of(
        """a an i in on at of to or is it be by as so if we us me my he she no up go do did the and for our use get any all you are not can may
        too who why has had was lot bit pls yes day days night nights price prices rate rates have there they them their your yours hotel hotels
        offer accept allow allowed bring with that this these those please anything something possible available also take need needed know tell
        guest guests room rooms suite suites want like find from into about some here will would could should does charge charged cost costs much
        many people person place really still what when where which how include included includes going come coming stay staying make provide serve
        time around today tomorrow free open book booking reserve reservation arrive arriving leave one two three show let put inside than then
        very just only more most best good nice say see work works near close far out want wants got give think been were being each per its
        hello hi hey dear thanks thank family families party child children kid kids baby babies couple group groups adult adults date dates
        week weekend month year check travel trip holiday vacation double triple hour hours minute minutes half full board bed breakfast early late availability vacancy vacancies refundable refund separate connecting adjoining summer winter spring autumn soon later sometime someday moment idea else fine without arrival arrivals departure recommend suggest fit when ok okay cheap cheaper better another less question questions quote quotes somewhere anywhere someone anyone somebody anybody everything nothing age ages limit limits chance reason problem minimum option options space places difference other others more square left between shekels nis
        over during through till until since after before next again must could earlier later service services documents document paper papers file files ready sure maybe
        times policy policies rule rules facility facilities amenities store stored storing storage keep kept
        sunday monday tuesday wednesday thursday friday we'll i'll whats hows use used using able find ask asking question itself now yr yrs old year years son daughter husband wife ours mine well
        להוסיף להציע לעשות יותר קצת האם אפשר ניתן מותר אצלכם במלון המלון לנו לכם לי לך יש אין מקבל מקבלת מקבלים אתם אנחנו אני הוא היא הם זה זו זאת בבקשה להגיע לקבל להביא
        רוצים רוצה צריך צריכה צריכים צריכות חדר החדר חדרים חדרי לוודא תודה מה מי מתי איפה איך למה כמה איזה איזו אילו של את על עם אם גם או כי לא כן רק
        כל אבל עד מ ל ב ה ו ש כלול כלולה עולה עולים מחיר המחיר לילה לילות יום ימים זוג זוגי משפחה ילד ילדה ילדים תינוק תינוקת מבוגר מבוגרים סוויטה
        שלכם שלנו שלי אותו אותה היה יהיה אחד אחת שני שתי כאן שם פה מקום טוב שלום היי פתוח פתוחה חינם בחינם פנוי פנויה חצי פנסיון ארוחת בוקר בקרוב אגדיל נוסיף מגיע כבר משהו זול זולה תאריך אפשרות מקומות שאלה דרך אצלך כזה כולל קיץ בקיץ חורף אביב סתיו מתישהו עוד נפרד נפרדים רבוע שירות שירותי השירות מסמך מסמכים לבוא איתה איתו איתם לפחות להיכנס ראשון שני שלישי רביעי חמישי שישי בשישי אז כבר עדיין אחרי לפני בתאריכים האלה אלה עצמו עצמה בתשלום בעלי אשתי הבן הבת צריך לשבת כבר להישאר לשמור שמירה שמירת אחסון לאחסן להשאיר ללא אחר אחרת אחרות אחרים בכל שח"""
    )
)
"""Words of a question that ask for nothing by themselves."""


class _Passage(NamedTuple):
    """One of the property's texts, by the stems of its words."""

    source: Topic | RoomKind
    names: Sequence[Sequence[frozenset[str]]]
    """Every name by the stems of each of its words: only a whole name says more than a text."""
    words: frozenset[str]
    plain: Sequence[Sequence[frozenset[str]]] = ()
    """The names without a word that asks for nothing by itself, unlike `stay longer`."""


class _Index(NamedTuple):
    passages: Sequence[_Passage]
    weights: dict[str, float]
    """Of every stem, up to 1: the fewer passages have it, the more it says."""
    named: frozenset[str]
    """The stems of the topics' names."""


class Match(NamedTuple):
    """A passage that answers a question."""

    source: Topic | RoomKind
    score: float


def nearest(topics: Iterable[Topic], rooms: Iterable[RoomKind], asked: str, named: Sequence[str] = ()) -> Match | None:
    """The passage that most of the question's words lead to; None if too few do, or if several are as near. `named`: rooms that
    come before the rest."""
    found = _nearest(_index(tuple(topics), tuple(rooms)), content_words(asked), named)
    return found[0] if len(found) == 1 else None


def _nearest(index: _Index, asked: Sequence[str], named: Sequence[str] = ()) -> list[Match]:
    """The passages, each as near as the others, that most of these words lead to."""
    if not asked:
        return []
    words = [_mended(stems, index) for stems in map(stems_of, asked)]
    whole = sum(max(index.weights.get(stem, 0) for stem in stems) or 1 for stems in words)
    unknown = sum(not stems & index.weights.keys() for stems in words)
    telling = [passage for passage in index.passages if not unknown or _outweighs(passage, words, index, unknown)]
    scores = [Match(passage.source, _score(passage, words, index)) for passage in telling]
    enough = [match for match in scores if match.score >= max(LEAST, LEAST_SHARE * whole)]
    of_named = [match for match in enough if isinstance(match.source, RoomKind) and match.source.code in named]
    best = max(of_named or enough, key=lambda match: match.score, default=None)
    equals = [match for match in enough if best and match.score == best.score and isinstance(match.source, Topic)]
    return [best] if best and (of_named or len(equals) < 2) else equals


def _outweighs(passage: _Passage, words: Sequence[frozenset[str]], index: _Index, unknown: int) -> bool:
    """Whether a passage holds more of a question than what no passage does, or one of its names stands there whole."""
    held = sum(max((index.weights[stem] for stem in stems & passage.words), default=0) for stems in words)
    said = frozenset[str]().union(*words)
    return held > unknown or any(all(stems & said for stems in name) for name in passage.plain)


def find_topics(topics: Iterable[Topic], asked: str) -> list[Topic]:
    """What the property says on a topic: by its name, by the longest name inside the question, else by what is nearest; and
    for words of the question that stand in no text found so far, the texts in which they stand."""
    topics = tuple(topics)
    index = _index(topics, ())
    found = _asked_for(topics, index, asked)
    while found and len(found) < MOST_TOPICS and (left := _left(content_words(asked), found, index)):
        more = [match.source for match in _nearest(index, left) if isinstance(match.source, Topic)]
        if not more:
            break
        found += more
    return found


def _asked_for(topics: Sequence[Topic], index: _Index, asked: str) -> list[Topic]:
    names = {name: topic for topic in topics for name in topic_names(topic)}
    words = normalise(asked).split()
    for phrase in _phrases(words):
        if phrase in names and not (_GENERIC.issuperset(phrase.split()) and _tells_apart(words)):
            return [names[phrase]]
    near = [match.source for match in _nearest(index, content_words(asked)) if isinstance(match.source, Topic)]
    return near or [*filter(None, [_near_miss(names, words)])]


def _left(words: Sequence[str], found: Sequence[Topic], index: _Index) -> list[str]:
    """Those that stand in other texts of the property alone; none if they are the lesser part."""
    held = frozenset[str]().union(*(passage.words for passage in index.passages if passage.source in found))
    stems = [(word, stems_of(word)) for word in words]
    left = [word for word, each in stems if each & index.weights.keys() and not each & held]
    return left if len(left) >= LEAST_SHARE * len(stems) else []


def unsaid(topics: Iterable[Topic], found: Sequence[Topic], asked: str) -> list[str]:
    """The words of a question that stand in none of the property's texts, of those in a script that the texts found have."""
    index = _index(tuple(topics), ())
    told = " ".join(f"{topic.text} {topic.text_he}" for topic in found)
    words = [word for word in content_words(asked) if is_hebrew(told) or not is_hebrew(word)]
    return [word for word in words if not _mended(stems_of(word), index) & index.weights.keys()]


def is_hebrew(text: str) -> bool:
    return bool(re.search("[א-ת]", text))


_GENERIC = frozenset(words_of("hotel room rooms suite suites מלון המלון חדר חדרים סוויטה סוויטות"))
"""In a longer question these say what it is about no more than `room` does in `connecting rooms`."""
_APART = frozenset(
    words_of(
        "adjoining connecting separate adjacent next beside close service נפרד נפרדים צמוד צמודים סמוך סמוכים שירות"
    )
)


def _tells_apart(words: Sequence[str]) -> bool:
    """Whether a question has a word beyond the generic ones that says what it is about."""
    return any(word in _APART or content_words(word) for word in words if word not in _GENERIC)


def _phrases(words: Sequence[str]) -> Iterator[str]:
    """All runs of words, longest first: `late check out` must win over `check out`."""
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _near_miss(names: Mapping[str, Topic], words: Sequence[str]) -> Topic | None:
    """A topic whose name is misspelt."""
    long = [name for name in names if len(name) >= SHORTEST_TYPO]
    asks = len(content_words(" ".join(words)))
    near = (
        get_close_matches(phrase, long, n=1, cutoff=NAME_LIKENESS)
        for phrase in _phrases(words)
        if (said := content_words(phrase)) and len(max(said, key=len)) >= SHORTEST_TYPO and 2 * len(said) > asks
    )
    return next((names[found[0]] for found in near if found), None)


def hotel_info(record: PropertyRecord, topics: Sequence[Topic], asked: str) -> HotelInfo:
    """What the property says on a topic, in one text or several; if nothing, the known topics."""
    contact = ", ".join(filter(None, (record.phone, record.email)))
    found = find_topics(topics, asked)
    if not found:
        return HotelInfo(topic=asked, found=False, topics=[each.topic for each in topics], contact=contact)
    words = [stems_of(word) for word in content_words(asked)]
    first, *more = (_told(_asked_about(each, words), contact, record.currency) for each in found)
    return HotelInfo(**dict(first), found=True, more=more, unsaid=unsaid(topics, found, asked))


def _asked_about(topic: Topic, words: Sequence[frozenset[str]]) -> Topic:
    """The topic; where none of its names was asked for, only the sentences of its text that hold a word of the question,
    without its title: `luggage` is no early check-in."""
    said = frozenset[str]().union(*words)
    texts = sentences(topic.text), sentences(topic.text_he)
    holding = [n for n, each in enumerate(zip_longest(*texts, fillvalue="")) if _stems(each) & said]
    if _stems(topic_names(topic)) & said or not holding or len(texts[0]) != len(texts[1] or texts[0]):
        return topic
    own, hebrew = (" ".join(text[n] for n in holding if n < len(text)) for text in texts)
    return topic._replace(title="", text=own, text_he=hebrew, policy=None)


def _told(topic: Topic, contact: str, currency: str) -> TopicText:
    return TopicText(
        topic=topic.topic,
        title=topic.title,
        text=topic.text,
        text_he=topic.text_he,
        contact=contact,
        policy=topic.policy,
        currency=currency,
    )


@lru_cache(maxsize=1024)
def topic_names(topic: Topic) -> tuple[str, ...]:
    return tuple(normalise(name) for name in (topic.topic, topic.title, topic.title_he, *topic.aliases))


def normalise(text: str) -> str:
    """Lower case, no quotes inside words (מע"מ, צ'ק), other punctuation as space."""
    without_quotes = re.sub(r"[\"'`׳״’‘”“]", "", text.casefold())
    return " ".join(re.sub(r"[\W_]+", " ", without_quotes).split())


def content_words(text: str) -> list[str]:
    """The words of a question that ask for something."""
    return [word for word in normalise(text).split() if not (word.isdecimal() or _SAYS_NOTHING & {word, *bare(word)})]


_SAME = {
    **dict.fromkeys(("להדפיס", "הדפסה", "הדפסת", "להדפסה"), "מדפסת"),
    **dict.fromkeys(("לטעון", "להטעין", "הטענה"), "טעינה"),
    **dict.fromkeys(("מקשרת", "קשרת", "מקשר", "מקשרים", "מקושרים"), "חיבור"),
    **dict.fromkeys(("fridge", "refrigerator"), "minibar"),
    **dict.fromkeys(("chametz", "hametz", "pesach"), "passover"),
    **dict.fromkeys(("tesla", "ev"), "car"),
    **dict.fromkeys(("bags", "suitcase", "suitcases", "baggage"), "luggage"),
    **dict.fromkeys(("elevator", "elevators"), "lift"),
    **dict.fromkeys(("תיקים", "התיקים", "מזוודה"), "מזוודות"),
}
"""Words whose noun no ending leads to."""


def stems_of(word: str) -> frozenset[str]:
    """What a word is without its endings, and in Hebrew without its prefixes, of which it may have none."""
    return frozenset(_stem(_SAME.get(each, each)) for each in (word, *bare(word)))


def bare(word: str) -> Iterator[str]:
    """A Hebrew word without one or two prefixes."""
    for cut in (1, 2):
        if len(word) - cut >= SHORTEST_STEM and not word[:cut].strip(HEBREW_PREFIXES):
            yield word[cut:]


def _stem(word: str) -> str:
    ended = {each: len(word) - len(each) - (each in _OF_A_DOER) for each in _ENDINGS if word.endswith(each)}
    ending = next((each for each, rest in ended.items() if rest >= SHORTEST_STEM), "")
    stem = word[: len(word) - len(ending)]
    return (stem[:-1] if len(stem) > SHORTEST_STEM and stem[-1] == stem[-2] else stem).translate(_FINALS)


@lru_cache(maxsize=16)
def _index(topics: tuple[Topic, ...], rooms: tuple[RoomKind, ...]) -> _Index:
    passages = [
        *(
            _Passage(
                each,
                [[*map(stems_of, content_words(name))] for name in topic_names(each)],
                _stems((*topic_names(each), each.text, each.text_he)),
                [[*map(stems_of, name.split())] for name in topic_names(each) if content_words(name) == name.split()],
            )
            for each in topics
        ),
        *(_Passage(each, (), _stems(each.description)) for each in rooms),
    ]
    held = Counter(stem for each in passages for stem in each.words)
    weights = {stem: 1 - log(count) / log(len(passages) + 2) for stem, count in held.items()}
    return _Index(passages, weights, _stems(name for each in topics for name in topic_names(each)))


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for text in texts for word in content_words(text) for stem in stems_of(word))


def _mended(stems: frozenset[str], index: _Index) -> frozenset[str]:
    """The stems, or that of a name which they are a letter away from."""
    if stems & index.weights.keys():
        return stems
    long = max(stems, key=len)
    near = get_close_matches(long, index.named, n=1, cutoff=LIKENESS) if len(long) >= SHORTEST_TYPO else []
    return frozenset(near) or stems


def _score(passage: _Passage, words: Sequence[frozenset[str]], index: _Index) -> float:
    said = frozenset(stem for stems in words for stem in stems)
    whole = (name for name in passage.names if all(stems & said for stems in name))
    named = frozenset(stem for name in whole for stems in name for stem in stems)
    held = {stem: index.weights[stem] * (NAMED if stem in named else 1) for stem in said & passage.words}
    return sum(max(held.get(stem, 0) for stem in stems) for stems in words)
