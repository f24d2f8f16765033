"""The statements that a written answer is made of: the template's own words, each under an id."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from wavegraph.graph.answer.operators import Quantity
from wavegraph.graph.answer.replies import remarks_of
from wavegraph.graph.answer.statements import Catalogue, Duty, Sort, Statement, courtesies, in_sentences
from wavegraph.graph.answer.words import sentences, words_in
from wavegraph.graph.ledger import GOOD
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers import courtesy
from wavegraph.tools.hotel.answers.booking import HANDED_OVER, booking_part, next_to_book
from wavegraph.tools.hotel.answers.booking import TOOLS as BOOKING_TOOLS
from wavegraph.tools.hotel.answers.call_results import CallResults, call_results
from wavegraph.tools.hotel.answers.comparison import comparison, most_nights
from wavegraph.tools.hotel.answers.compose import closing_question, notes, told_above
from wavegraph.tools.hotel.answers.facts import (
    by_size,
    contact_line,
    features_told,
    house_names,
    info_text,
    kind_name,
    room_line,
    rooms_info,
    rooms_with,
    titled,
    topic_title,
    unreached_topic,
    with_access,
)
from wavegraph.tools.hotel.answers.phrases import reception, say
from wavegraph.tools.hotel.answers.policies import compared, fees
from wavegraph.tools.hotel.answers.quantities import SQUARE_METRES, arithmetic, nightly
from wavegraph.tools.hotel.answers.stay_statements import Told, found_besides, stay_statements
from wavegraph.tools.hotel.answers.unsaid import (
    Unsaid,
    asked_topics,
    fullest,
    house_name,
    said_of_rooms,
    topic_name,
    unsaid,
    unsaid_lines,
)
from wavegraph.tools.hotel.inventory.topics import HEBREW_PREFIXES, SHORTEST_STEM
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.records import Booking, HotelInfo, RoomType, TopicText

FEW_ROOMS = 2
"""More rooms are owed only where nothing else answers."""
LONGEST = 3500
"""Characters of an answer: the template's longest, five stays compared, has about as many."""


def statements(view: AnswerView, profile: PropertyProfile) -> Catalogue:
    """Everything the answer to a request may say, in the guest's language, and what it must."""
    results = with_access(call_results(view, profile))
    told = list(_facts(results, view))
    if not any(isinstance(each, Statement) for each in told):
        told += _lines("note", [say("nothing", results.language)])
    made = [each for each in told if isinstance(each, Statement)]
    made += nightly(made, results.language)
    owed = [each for each in told if isinstance(each, Duty)]
    made, duties = _contact_once(made, owed, results, " ".join(remarks_of(view.plan)))
    made, duties = _not_again(made, duties, told_above(view))
    ids = [each.id for each in made]
    polite = list(_courtesies(results.language, ids))
    language = results.language
    return Catalogue(
        [*made, *polite], courtesy.HARMLESS[language], duties, longest=LONGEST, arithmetic=arithmetic(results)
    )


_MAY_WAIT = ("contact.", "unknown.", "hand_over.")
"""Statements that name reception for what it is reached by, which another may hold too."""


def _contact_once(
    made: Sequence[Statement], duties: Sequence[Duty], results: CallResults, said: str
) -> tuple[list[Statement], list[Duty]]:
    """The same, with reception's telephone and mail owed once, where nothing else that is told holds them; and named beside
    what is not known only where a planner's reply has not `said` them."""
    infos = (each.contact for each in results.records.values() if isinstance(each, HotelInfo))
    ways = {way for contact in (reception(results.profile), *infos) for way in contact.split(", ") if way}
    holding = [each.id for each in made if any(way in each.text for way in ways)]
    waiting = [duty for duty in duties if {*duty.add} <= {*holding} and all(n.startswith(_MAY_WAIT) for n in duty.add)]
    owed = {name for duty in duties if duty not in waiting for name in duty.add}
    left = [duty for duty in duties if duty not in waiting]
    if any(way in said for way in ways):
        twice = {name for duty in waiting for name in duty.any_of if name.startswith("unknown.")}
        return [each for each in made if each.id not in twice], left
    return [*made], [*left, *([Duty([*holding], waiting[0].add)] if waiting and owed.isdisjoint(holding) else [])]


def _not_again(made: Sequence[Statement], duties: Sequence[Duty], told: str) -> tuple[list[Statement], list[Duty]]:
    """The same, with what was told already neither shown nor owed."""
    again = {each.id for each in made if told and each.text in told}
    left = [replace(each, hidden=True) if each.id in again else each for each in made]
    return left, [duty for duty in duties if again.isdisjoint(duty.any_of)]


def _facts(results: CallResults, view: AnswerView) -> Iterator[Told]:
    yield from _comparison(results)
    yield from stay_statements(results)
    yield from found_besides(results)
    yield from _bookings(results)
    yield from _topics(results)
    yield from _rooms(results)
    yield from _lines("note", [*notes(results, view), *_unreached(results)])
    if results.slots.unplaced:
        yield from _lines("not_placed", closing_question(results), sort="question")


def _lines(
    name: str, lines: Iterable[str], *, bears: Iterable[str] = (), sort: Sort = "fact", must: bool = True
) -> Iterator[Told]:
    """Lines of the template, sentence by sentence, in their order."""
    number, before = count(1), ""
    for line in lines:
        for place, part in enumerate(sentences(line.strip().removeprefix("- "))):
            told = Statement(
                id=f"{name}.{next(number)}",
                text=part,
                alone=("- " if line.startswith("- ") else "") + part if place == 0 else "",
                about=name,
                bears=frozenset(bears),
                after=before,
                sort=sort,
            )
            yield told
            if must:
                yield Duty((told.id,), (told.id,))
            before = told.id if sort == "fact" else ""


def _comparison(results: CallResults) -> Iterator[Told]:
    asked = results.slots.want == "compare" or (results.slots.want == "cheapest" and len(results.checks()) > 1)
    stays = [f"s{n}" for n in range(1, len(results.checks()) + 1)]
    searches = [f"open{n}" for n in range(1, len(results.searches()) + 1)]
    several = frozenset([*stays, *searches])
    for told in (
        *_lines("compare", comparison(results), must=asked),
        *_lines("most_nights", most_nights(results), must=asked),
    ):
        yield told if isinstance(told, Duty) else replace(told, beside=several)


def _bookings(results: CallResults) -> Iterator[Told]:
    language = results.language
    done = {call["tool"] for name, call in results.calls.items() if results.good(name, Booking)}
    words = [word for tool in done for word in courtesy.DONE_WORDS[tool][language]]
    if any(call["tool"] in BOOKING_TOOLS for call in results.calls.values()):
        yield from _lines("booking", booking_part(results), bears=words)
    if key := HANDED_OVER.get(results.slots.intent):
        yield from _lines("hand_over", [say(key, language), *contact_line(results)])
    else:
        wanted = results.slots.want == "book"
        yield from _lines("next", next_to_book(results), sort="question", must=wanted)


def _topics(results: CallResults) -> Iterator[Told]:
    """What the property says, in its own sentences."""
    asked = [name for name, _ in asked_topics(results)]
    known: set[str] = set()
    found = [(name, info) for name in results.calls for info in results.texts(name)]
    owed = {info.topic for call_id, info in found if call_id in asked}
    for info in fullest(info for _, info in found).values():
        if (name := _slug(info.topic)) not in known:
            known.add(name)
            yield from _topic(name, info, results, must=info.topic in owed)
            if info.topic == "contact":
                yield Statement(
                    id="change.1",
                    text=say("changes_by_reception", results.language),
                    about="change",
                    bears=courtesy.CHANGE_WORDS[results.language],
                )
    if rooms_info(results) is None:
        yield from _lines("has", rooms_with(said_of_rooms(results), results.language))
    yield from _unknown(unsaid(results), results)
    for call_id, call in asked_topics(results):
        topic = str(call["args"].get("topic", ""))
        if call_id in results.outcomes and results.outcomes[call_id]["status"] not in GOOD and topic not in known:
            yield from _lines(call_id, [unreached_topic(topic, results)])


def _slug(topic: str) -> str:
    return re.sub(r"\W+", "_", topic.casefold())


def _unknown(things: Sequence[Unsaid], results: CallResults) -> Iterator[Told]:
    """Of each thing that nothing is said of it, and once whom to ask; the guest's own words may stand before it."""
    before, same = "", dict[str, list[str]]()
    for thing in things:
        words, name = _said(f"{results.said} {thing.words}"), f"unknown.{_slug(thing.topic)}"
        parts = unsaid_lines(thing, results)
        for number, part in enumerate(parts if thing == things[-1] else parts[:1], 1):
            told = Statement(id=f"{name}.{number}", text=part, about=name, bears=words, after=before)
            yield told
            same.setdefault(part, []).append(told.id)
            before = told.id
    yield from (Duty(ids, ids[:1]) for ids in same.values())


def _said(text: str) -> frozenset[str]:
    """The words of a text, those of Hebrew without their prefix too."""
    words = words_in(text)
    return words | {word[1:] for word in words if word[0] in HEBREW_PREFIXES and len(word) > SHORTEST_STEM}


def _topic(name: str, info: TopicText, results: CallResults, *, must: bool) -> Iterator[Told]:
    language = results.language
    text, title = info_text(info, language), info.title if language != "he" else ""
    first = sentences(text)[:1]
    bears = _topic_words(f"{title} {topic_name(info.topic, results)} {house_name(info.topic, results)}", language)
    if info.topic == "contact":  # whatever it was looked up for may stand before it
        bears |= courtesy.CHANGE_WORDS[language] | _topic_words(" ".join(_said(results.said)), language)
    whole = Statement(id=name, text=text, about=name, bears=bears, labels=_labels(info, results))
    made = in_sentences(whole, alone=titled(first[0], title) if first else "")
    called = topic_title(info, results)
    asked: list[Statement] = []
    for number, line in enumerate(compared(info, called, results), 1):
        before = asked[-1].id if asked else ""
        asked.append(replace(whole, id=f"{name}.asked.{number}", text=line, after=before))
    if asked and made:  # the answer first, then the rule
        made[0] = replace(made[0], after=asked[-1].id, alone="")
    for each in (*asked, *made):
        yield each
        if must:
            yield Duty((each.id,), (each.id,))
    yield from (replace(each, about=name, bears=bears) for each in fees(name, info, called, results))


def _labels(info: TopicText, results: CallResults) -> frozenset[str]:
    """All that the house calls a topic, also as the guest's or with `the`."""
    names = [name.casefold() for name in house_names(info.topic, results)]
    return frozenset(f"{front}{name}" for name in names for front in courtesy.LABEL_FRONTS[results.language])


def _topic_words(text: str, language: str) -> frozenset[str]:
    """The words that name a topic; in Hebrew with `the`, `of` and `in` before them too."""
    words = words_in(text)
    return words | {f"{prefix}{word}" for word in words for prefix in "הלב" if language == "he"}


def _rooms(results: CallResults) -> Iterator[Told]:
    info, language = rooms_info(results), results.language
    if info is None:
        return
    if not info.rooms:
        yield from _lines("rooms", [say("no_rooms", language)])
        return
    made: list[Statement] = []
    for end, line in by_size(info.rooms, results).items():
        words = courtesy.SIZE_WORDS[end][language]
        made.append(Statement(id=f"{end}.1", text=line, about=end, bears=words))
    for room in info.rooms:
        made += _room(room, language)
    made += _features(info.rooms, results)
    yield from made
    few = len(info.rooms) <= FEW_ROOMS
    if not unsaid(results) and (few or not (results.checks() or results.searches())):
        yield Duty([each.id for each in made], [f"r.{room.code}.1" for room in info.rooms])


def _room(room: RoomType, language: str) -> list[Statement]:
    name = f"r.{room.code}"
    text = room_line(room, language, alone=True)
    whole = Statement(id=name, text=text, about=name, bears=courtesy.ROOM_WORDS[language])
    size: dict[str, Any] = {"called": kind_name(room, language), "quantity": Quantity(room.size_sqm, SQUARE_METRES)}
    return in_sentences(whole, alone=f"- {sentences(text)[0]}", **(size if room.size_sqm else {}))


def _features(rooms: Sequence[RoomType], results: CallResults) -> Iterator[Statement]:
    """Which rooms have a feature, `with.sea_view`."""
    language = results.language
    for each in features_told(rooms, language, results.said):
        line, called = (
            f"{text[:1].upper()}{text[1:]}" for text in (each.line, say("or", language).join(each.features))
        )
        slug = "_".join(re.findall(r"\w+", " ".join(each.names)))
        name = f"with.{slug}" + (".alike" if len(each.names) > 1 else "")
        yield Statement(
            id=name, text=line, alone=f"- {line}", about=name, hidden=not each.told,
            bears=courtesy.ROOM_WORDS[language] | words_in(line),
            called=called, holds_for=each.rooms,
        )  # fmt: skip


def _unreached(results: CallResults) -> Iterator[str]:
    """What else was looked up in vain."""
    failed = [o for o in results.outcomes.values() if o["status"] not in GOOD and o["tool"] == "get_rooms_info"]
    if failed and rooms_info(results) is None:
        yield say("unreached_plain", results.language)


def _regretted(name: str) -> bool:
    """Whether a statement says that something is full or failed."""
    return ".full." in name or ".no_such." in name or ".failed." in name or name.startswith("unknown.")


_OFFERED = re.compile(r"(?P<stay>s\d+)\.[oc]\d+\.line|(?P<free>(?:s|open)\d+\.a\d+)\.line")
"""An offer or a combination, with its stay, or a free stay, by its id."""


def _courtesies(language: str, ids: Sequence[str]) -> Iterator[Statement]:
    """A question for one of those that are offered, or of their dates, only where there are several."""
    offered = [found for name in ids if (found := _OFFERED.fullmatch(name))]
    dates = {found["stay"] or found["free"] for found in offered}
    needless = {name for name, of in (("ask_which", offered), ("ask_suit", dates)) if len(of) < 2}
    sorry = {"sorry": courtesy.SORRY[language]} if any(map(_regretted, ids)) else {}
    asked = {name: text for name, text in courtesy.QUESTIONS[language].items() if name not in needless}
    return courtesies({**courtesy.COURTESIES[language], **sorry}, asked)
