"""No regular expression of the package takes more than its share of a long text, and no request more of a long message."""

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from patience import HANGS_S, not_hanging
from patterns import Found, Piece, call_sites, evaluated, held_patterns, modules, pieces
from roster_wards import ward_of_two

from wavegraph import run
from wavegraph.graph import hotel
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.secrets import scrubber
from wavegraph.tools.hotel import currency
from wavegraph.tools.hotel.reading import amounts, deeds, followup, hours, money, rooms, topics
from wavegraph.tools.roster.dialogue import spoken_days
from wavegraph.tools.roster.dialogue.intents import WORDS, hear
from wavegraph.tools.roster.dialogue.intents import read as read_roster_request
from wavegraph.tools.roster.dialogue.sentences import Named, whole_name
from wavegraph.tools.roster.dialogue.spoken_days import Calendar
from wavegraph.tools.roster.ward import names

SAMPLE, SHORT, LONG = 400, 8_000, 100_000
"""Characters: of the texts that show which is the worst, and of the worst one measured twice."""
MOST_GROWTH = 24
"""Linear is 8 times the work, quadratic 64."""
NOTICED_S = {SHORT: 0.02, LONG: 0.2}
"""What takes less CPU time is not measured well."""

OWN = ("ILS", "EUR", "JPY")
WORD = r"[\W_]*".join("levi")
MADE: Mapping[str, Callable[[], Iterable[str | re.Pattern[str]]]] = {
    "wavegraph.app.run.contact.is_in": lambda: [r"(?<![\w.+%-])a@b\.co(?![\w-]|\.\w)"],
    "wavegraph.app.serving.hosts.from_env": list,  # the owner's own pattern
    "wavegraph.app.evaluate.file.pattern_of": lambda: ["one"],  # the owner's own pattern
    "wavegraph.graph.dialogue.answers.answer_in_words": lambda: [r"\b3f9a02\b"],
    "wavegraph.tools.roster.answers.facts.named": lambda: [r"(?<!\w)nurse_001\ Alice(?!\w)"],
    "wavegraph.graph.execution.receipts._holds": lambda: [r"(?<![A-Za-z0-9])WG\-1A(?![A-Za-z0-9])"],
    "wavegraph.graph.tracing.untraced._is_in": lambda: [r"(?<![^\W_])get_beds(?![^\W_])"],
    "wavegraph.graph.tracing.untraced.drop_claims": lambda: [r"(?<!\d)(?<!\d[.,])1\.5(?![.,]?\d)"],
    "wavegraph.graph.guard.plan_check._stands_in": lambda: [
        rf"(?<![^\W_])[ושלבמהכ]{{0,2}}{WORD}(?![^\W_])",
        r"(?:(?<![\w.+%-])|(?<=[א-ת])|(?<=[א-ת]-))a@b\.co(?![\w-]|[.@]\w)",
    ],
    "wavegraph.graph.language._letter": lambda: ["[a-z]"],
    "wavegraph.graph.secrets.scrubber._known": lambda: [scrubber._known(["sandbox", "open sesame"]).ordinary],
    "wavegraph.tools.hotel.reading.amounts._amount_pattern": lambda: map(amounts._amount_pattern, OWN),
    "wavegraph.tools.hotel.reading.hours.is_hour_said": lambda: [words for words, _ in hours._NAMED],
    "wavegraph.graph.answer.replies._piece": lambda: [r"(?<!\w)a\s+taxi\s+to\s+Haifa(?!\w)"],
    "wavegraph.tools.roster.dialogue.reply_forms._is_named": lambda: [r"(?<!\w)Ann\ Lee(?!\w)"],
    "wavegraph.tools.roster.ward.names._sound": lambda: [written for written, _ in names._HEARD],
    "wavegraph.tools.hotel.answers.stay_names.stay_name": lambda: [r"(?:[a-z\d ]+ of )?Rosh\ Hashanah(?: week| eve)?"],
    "wavegraph.tools.hotel.currency._plainly_named": currency._OWN_NAMES.values,
    "wavegraph.tools.hotel.currency.exact": lambda: [r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?"],
    "wavegraph.tools.hotel.currency._codes_named": lambda: [pattern for pattern, _ in currency._NAMES],
    "wavegraph.tools.hotel.reading.deeds.may_ask_for": lambda: [
        each for deed in deeds.DEEDS.values() for each in (deed.words, deed.others) if each
    ],  # what it asks `_NEAR` is held by the module
    "wavegraph.tools.hotel.reading.followup": list,  # held by the module
    "wavegraph.tools.hotel.reading.followup.read_change": lambda: [words for words, _ in followup._SHIFTS],
    "wavegraph.tools.hotel.reading.followup.read_pick": lambda: [words for _, words in followup._PICKS],
    "wavegraph.tools.hotel.reading.intent": list,  # held by the module
    "wavegraph.tools.hotel.reading.money._floors": lambda: [each for own in OWN for each in money._floors(own)],
    "wavegraph.tools.hotel.reading.money._spelled": lambda: [r"(?<!\d )(?<!\d)\ba thousand\b"],
    "wavegraph.tools.hotel.reading.money._patterns": lambda: [each for own in OWN for each in money._patterns(own)],
    "wavegraph.tools.hotel.asked_about._asked": topics.TOPICS.values,
    "wavegraph.tools.hotel.asked_about._certain": lambda: [*topics.TOPICS.values(), topics.SHABBAT_FACTS],
    "wavegraph.tools.hotel.reading.plain_words._is_of_the_house": topics.TOPICS.values,
    "wavegraph.tools.hotel.reading.plain_words._unless_of_the_house": topics.TOPICS.values,
    "wavegraph.tools.roster.dialogue.spoken_days._form": lambda: [
        pattern for pattern, _ in (*spoken_days.DATES, *spoken_days.NAMED)
    ],
    "wavegraph.tools.roster.dialogue.opening.text": lambda: [r"\bsycamor\b"],
    "wavegraph.tools.roster.dialogue.held._is_said": lambda: [r"(?<!\w)twice"],
    "wavegraph.tools.hotel.reading.rooms._pattern": lambda: map(
        rooms._pattern, ("a queen", "deluxe sea view", "room … terrace", "חדר זוגי", "room 3", "2 queen rooms")
    ),
    "wavegraph.tools.hotel.reading.rooms._as_written": lambda: [r"(?<![\w-])Aura(?![\w-])"],
    "wavegraph.tools.hotel.reading.rooms.boards_named": rooms._BOARDS.values,
    "wavegraph.tools.hotel.reading.named._currencies": lambda: map(currency.names_behind, OWN),
    "wavegraph.tools.hotel.reading.deeds.asks_for": lambda: [each.words for each in deeds.DEEDS.values() if each.words],
    "wavegraph.tools.hotel.answers.unsaid._strange": topics.TOPICS.values,
    "wavegraph.tools.hotel.answers.unsaid._next_word": lambda: [r"tennis\s+(\w+)"],
    "wavegraph.tools.hotel.reading.topics._own_names": lambda: [r"(?<!\w)[ובהלמשכ]{0,2}(?:llama\ trek|treks)s?(?!\w)"],
    "wavegraph.tools.hotel.reading.topics._known": topics.TOPICS.values,
    "wavegraph.tools.hotel.reading.topics.read_topics": topics.TOPICS.values,
    "wavegraph.tools.hotel.reading.topics.says": topics.TOPICS.values,
    "wavegraph.tools.roster.dialogue.sentences": list,  # held by the module
    "wavegraph.tools.roster.dialogue.sentences.whole_name": lambda: [
        whole_name("north").pattern,
        whole_name("צפון").pattern,
    ],
    "wavegraph.tools.roster.ward.workbook.kinds._minutes": lambda: [r"([0-9]{1,4})[:.hH]([0-5][0-9])(?::00)?"],
    "wavegraph.tools.roster.ward.plain_data._resolve": lambda: [r"^(?:-?(?:0|[1-9][0-9]*)\.[0-9]+)$"],
}
"""What is compiled inside a function of what it is given: examples, by module and function."""


def all_patterns() -> list[tuple[str, Found]]:
    """Each pattern once for each way it is used, `search` standing for all that look anywhere in a text."""
    found: dict[tuple[Any, ...], Found] = {}
    unknown = set()
    for module in modules():
        for held in held_patterns(module):
            found.setdefault(("search", held.pattern.pattern, held.pattern.flags), held)
        for site in call_sites(module):
            way = site.function if site.function in ("match", "fullmatch") else "search"
            pattern = evaluated(site, module)
            if pattern is None and site.where not in MADE:
                unknown.add(site.where)
            made = MADE[site.where]() if pattern is None and site.where in MADE else [pattern]
            for each in made:
                known = re.compile(each, re.IGNORECASE) if isinstance(each, str) else each
                if known is not None and isinstance(known.pattern, str):
                    found.setdefault((way, known.pattern, known.flags), Found(site.where, known))
    assert unknown == set(), "an example of each belongs into MADE"
    return [(key[0], each) for key, each in found.items()]


def cpu_s(pattern: re.Pattern[str], way: str, text: str) -> float:
    started = time.process_time()
    if way == "search":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, way)(text)
    return time.process_time() - started


def growth(pattern: re.Pattern[str], way: str, worst: Iterable[Piece], size: int) -> tuple[Piece, float, float]:
    """The piece whose text takes the pattern longest, and the CPU seconds for an eighth of it and for all."""

    def measured(piece: Piece) -> tuple[Piece, float, float]:
        return piece, cpu_s(pattern, way, piece.text(size // 8)), cpu_s(pattern, way, piece.text(size))

    return max(map(measured, worst), key=lambda each: each[2])


def is_steep(short: float, long: float, size: int) -> bool:
    return long > NOTICED_S[size] and long > MOST_GROWTH * short


def steepest(pattern: re.Pattern[str], way: str, patience_s: int = HANGS_S) -> str | None:
    """What a pattern is more than linear in, with the seconds; None = nothing."""
    try:
        with not_hanging(patience_s):
            return _steepest(pattern, way)
    except TimeoutError as hangs:
        return str(hangs)


def _steepest(pattern: re.Pattern[str], way: str) -> str | None:
    tried = sorted((cpu_s(pattern, way, piece.text(SAMPLE)), piece) for piece in pieces(pattern))
    worst = [piece for _, piece in tried[-2:]]
    for size in (SHORT, LONG) if worst else ():  # the long text of a steep one would take minutes
        piece, short, long = growth(pattern, way, worst, size)
        if is_steep(short, long, size) and is_steep(*growth(pattern, way, [piece], size)[1:], size):
            return f"{piece}: {short:.3f} s, then {long:.3f} s"
        if long * (LONG / SHORT) ** 2 < NOTICED_S[LONG]:
            return None
    return None


def test_no_pattern_is_more_than_linear_in_a_text_of_its_own_worst_letters() -> None:
    found = [(where, pattern.pattern, steepest(pattern, way)) for way, (where, pattern) in all_patterns()]

    assert len(found) > 200
    assert [each for each in found if each[2]] == []


@pytest.mark.parametrize("pattern", [r"\s*x", r"\w+@", "(?:for )+b", r"1\s*\s*x", "(?:ב|יום |ביום )*x"])
def test_a_steep_pattern_is_noticed(pattern: str) -> None:
    assert steepest(re.compile(pattern), "search", 5)


KINDS = {
    "digits": "1234567890", "at signs": "@", "addresses": "a@", "blanks": " 1", "dates": "3/12/2026 ",
    "days": "3 December, ", "names": "Dana Levi, ", "cues": "for ", "brackets": "()[]{}", "Hebrew": "שלום",
    "Hebrew rooms": "חדר זוגי ל2 ", "quotes": "\"'", "numbers": "12 ", "prices": "under 200 euros ", "noes": "no thanks ",
    "ages": "kids 3 and 4 ", "holidays": "passover ", "flexible": "flexible ", "dots": "· ,", "emoji": "😀",
    "marks": "e\u0301", "cards": "4111 1111 1111 1111 ", "rows": "4111, ", "hashes": "#", "points": "1.", "ands": "1 and ",
}  # fmt: skip


def said(body: str, size: int) -> str:
    return (body * (size // len(body) + 1))[:size]


ALL_READ = {"planner": "rules", "today": "2026-11-01", "max_message_chars": 20_000}


def in_its_share(taken: Callable[[], tuple[float, float]]) -> bool:
    """Whether eight times the text takes not much more than eight times as long. Processor time wavers on a busy
    machine: the best of three tries counts."""
    tries = (taken() for _ in range(3))
    return any(long < NOTICED_S[LONG] or long < MOST_GROWTH * short for short, long in tries)


@pytest.mark.parametrize("kind", ["digits", "at signs", "dates", "names", "cues", "brackets", "Hebrew rooms", "ands"])
def test_a_hotel_request_takes_its_share_of_a_long_message(kind: str) -> None:
    """Planned, answered, checked, and with a next request that may read it again."""
    graph = hotel.build().compile(checkpointer=InMemorySaver())

    async def asked(size: int) -> float:
        started = time.process_time()
        for text in (said(KINDS[kind], size), "and what time is breakfast?"):
            done = await run(graph, text, thread_id=str(size), settings=ALL_READ)
            assert done.outcome in ("answered", "partial", "clarify", "refused")
        return time.process_time() - started

    async def both() -> tuple[float, float]:
        await asked(100)
        return await asked(1_250), await asked(10_000)

    with not_hanging():
        assert in_its_share(lambda: asyncio.run(both()))


NAMED = Named(ward_of_two(), ["north", "two weeks"], WORDS)


@pytest.mark.parametrize("body", KINDS.values(), ids=KINDS)
def test_a_roster_request_is_read_in_its_share(body: str) -> None:
    def read_s(size: int) -> float:
        started = time.process_time()
        read_roster_request(said(body, size), wards=["north", "two weeks"], today=date(2026, 11, 2))
        hear(said(body, size), NAMED, Calendar(date(2026, 11, 2)))
        return time.process_time() - started

    with not_hanging():
        assert in_its_share(lambda: (read_s(2_500), read_s(20_000)))


@pytest.mark.parametrize("body", [*KINDS.values(), "4111111111111111 code 123 ", '"4",', "4/"])
def test_cards_are_looked_for_in_time_that_grows_with_the_text(body: str) -> None:
    def mask_s(size: int) -> float:
        started = time.process_time()
        mask(said(body, size))
        return time.process_time() - started

    with not_hanging():
        assert in_its_share(lambda: (mask_s(SHORT), mask_s(8 * SHORT)))
