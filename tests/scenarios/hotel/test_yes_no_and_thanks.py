"""What a yes, a no and thanks do at each point of a booking, a change of its terms and a cancellation: a table.

They answer a question that is open, and start nothing where none is.
"""

import shutil
import sqlite3
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hotel_runs import TODAY
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled

from wavegraph import run
from wavegraph.tools.hotel.domain import hotel_domain

ME = "Dana Levi, dana@example.com"
BOOK = f"Book a double room January 17-19 for two adults, {ME}"
HEBREW = "תזמין חדר זוגי 17-19 בינואר לשני מבוגרים, דנה לוי, dana@example.com"
CANCEL = "cancel my booking"
GONE = "SQL UPDATE inventory SET held = 0; DELETE FROM booking; DELETE FROM quote"
FULL = "SQL UPDATE inventory SET held = 0, stop_sell = 1; DELETE FROM booking"

WORDS = {
    "yes": (
        "yes",
        "ok",
        "go ahead",
        "👍🏽",
        "let's do it",
        "alright",
        "כן",
        "אוקיי",
        "בסדר",
        "קדימה",
        "מאשרת",
        "סבבה 👍",
    ),
    "thanks": (
        "ok thanks",
        "great, thanks",
        "fine",
        "perfect!",
        "🙏",
        "תודה",
        "אוקיי תודה",
        "מעולה, תודה",
        "יופי",
        "😊",
        "✔️",
        "💪🏽",
    ),
    "no": ("no", "no thanks", "never mind", "👎", "I changed my mind", "לא", "לא תודה", "עזוב", "התחרטתי"),
    "doubt": ("later", "maybe", "hmm", "no problem", "yes?", "אולי", "רגע", "אחר כך", "לא יודעת"),
    "anew": ("book it after all", "on second thought yes, book it", "תזמיני בכל זאת"),
}
CLOSED = {"yes": "courtesy", "thanks": "courtesy", "no": "nothing", "doubt": "nothing"}
OF_TERMS = {"yes": "booked", "thanks": "still asked", "no": "not booked", "doubt": "still asked"}
ANEW = {**CLOSED, "anew": "asked"}


@dataclass(frozen=True)
class Point:
    """A point of a conversation, and what each sort of words does there."""

    turns: tuple[str, ...]
    does: dict[str, str]
    settings: dict[str, Any] = field(default_factory=dict)


POINTS = {
    "nothing asked": Point((), CLOSED),
    "a fact told": Point(("is there parking?",), CLOSED),
    "rooms shown": Point((f"A double January 17-19 for two adults, {ME}",), {**CLOSED, "yes": "asked"}),
    "a fact told since": Point((f"A double January 17-19 for two adults, {ME}", "is there parking?"), ANEW),
    "who books is asked": Point(("Book a double January 17-19 for two adults",), CLOSED),
    "terms shown": Point((BOOK,), OF_TERMS),
    "terms shown in Hebrew": Point((HEBREW,), OF_TERMS),
    "terms changed": Point((BOOK, "with breakfast please"), OF_TERMS),
    "a fact told beside the terms": Point((BOOK, "is there parking?"), OF_TERMS),
    "declined": Point((BOOK, "no"), ANEW),
    "declined in Hebrew": Point((HEBREW, "לא תודה"), ANEW),
    "declined once changed": Point((BOOK, "with breakfast please", "no, too expensive"), ANEW),
    "declined, and more said": Point((BOOK, "no", "is there a pool?", "great, thanks", "hmm"), ANEW),
    "booked": Point((BOOK, "yes"), CLOSED),
    "failed": Point((BOOK, FULL, "yes"), CLOSED),
    "expired": Point((BOOK, GONE, "yes"), ANEW, {"max_adaptations": 0}),
    "a cancellation shown": Point((BOOK, "yes", CANCEL), {**OF_TERMS, "yes": "cancelled", "no": "nothing"}),
    "a cancellation declined": Point((BOOK, "yes", CANCEL, "no"), CLOSED),
    "cancelled": Point((BOOK, "yes", CANCEL, "yes"), ANEW),
    "no such booking": Point(("January 17-19 for 2", "cancel WG-12345678, Levi"), CLOSED),
}


class Desk:
    """A conversation that stands at a point, and may go on from there in many ways."""

    def __init__(self, folder: Path, saver: InMemorySaver, settings: dict[str, Any]) -> None:
        self.folder, self.saver = folder, saver
        self._settings = {"today": TODAY, **settings}
        self._graph = compiled(hotel_domain(folder), checkpointer=saver)

    async def say(self, text: str) -> Any:
        return await run(self._graph, text, thread_id="t", settings=self._settings)

    def sql(self, text: str) -> list[Any]:
        with closing(sqlite3.connect(self.folder / "sandbox.sqlite")) as file, file:
            if text.startswith("SELECT"):
                return file.execute(text).fetchall()
            file.executescript(text)
        return []

    def bookings(self) -> list[str]:
        return [status for (status,) in self.sql("SELECT status FROM booking ORDER BY created_at")]

    def fork(self, folder: Path) -> "Desk":
        shutil.copytree(self.folder, folder)
        saver = InMemorySaver()
        for name in ("storage", "writes", "blobs"):
            getattr(saver, name).update(deepcopy(getattr(self.saver, name)))
        return Desk(folder, saver, self._settings)


def effect(before: list[str], ended: Any, after: list[str]) -> str:
    """What came of the words, by what was sent, what is asked and what the hotel has."""
    became = (before, after)
    if {"create_booking", "cancel_booking"} & {*ended.tools}:
        known = {"booked": (["hold"], ["confirmed"]), "cancelled": (["confirmed"], ["cancelled"])}
        return next((name for name, each in known.items() if each == became), f"sent: {became}")
    if ended.question:
        return "still asked" if before == after else "asked"
    if before != after:
        return "not booked" if became == (["hold"], []) else f"changed: {became}"
    return "courtesy" if not ended.tools and ended.outcome in ("answered", "clarify") else "nothing"


@pytest.fixture(scope="module")
def points() -> dict[str, Desk]:
    return {}


async def at(name: str, points: dict[str, Desk], built: Path, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    if name not in points:
        folder = tmp_path_factory.mktemp("point")
        shutil.copy(built, folder)
        points[name] = Desk(folder, InMemorySaver(), POINTS[name].settings)
        for turn in POINTS[name].turns:
            points[name].sql(turn[4:]) if turn.startswith("SQL ") else await points[name].say(turn)
    return points[name]


@pytest.mark.parametrize(("name", "sort"), [(name, sort) for name, point in POINTS.items() for sort in point.does])
async def test_words_answer_what_is_open_and_start_nothing(
    name: str,
    sort: str,
    points: dict[str, Desk],
    built: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    point = await at(name, points, built, tmp_path_factory)
    before, right = point.bookings(), POINTS[name].does[sort]
    came = {}
    first = [*POINTS].index(name) % 4
    for number, words in enumerate(WORDS[sort][first::4]):  # from point to point others, so that all stand at several
        desk = point.fork(tmp_path / str(number))
        ended = await desk.say(words)
        came[words] = effect(before, ended, desk.bookings())
        if came[words] == "courtesy" and right == "nothing":
            came[words] = right
    assert came == dict.fromkeys(came, right)
