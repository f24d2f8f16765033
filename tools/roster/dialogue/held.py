"""Holds what a model plans against the words it is for, as far as the talk's own grammar reads all of these: changes, the days of a
roster, and that it is to be published."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.views import Contradiction, PlanningView, ResolvedCall
from wavegraph.tools.roster.answers.phrases import in_words
from wavegraph.tools.roster.dialogue.amending import days_of, nurses_of
from wavegraph.tools.roster.dialogue.intents import TELLING, WORDS, Kind, hear, read
from wavegraph.tools.roster.dialogue.sentences import Named
from wavegraph.tools.roster.dialogue.subject import Subject, people_said
from wavegraph.tools.roster.dialogue.talk import changes_of
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Wards, next_monday

AMEND, LOOK, PUBLISH = "apply_requests", "get_staff", "publish_roster"
WEEK = 7
SHORTEST = 2
"""Letters of a word that are none of its own: `of`."""
_PRICE = re.compile(r"pric|penalt|cost|weigh|expens|dear|cheap|matter|import|prior|מחיר|קנס|עלות|משקל|יקר|חשוב|עדיפות")
_PUBLISH = re.compile(r"publish|releas|announc|issue|send|post|live|out|פרס|לשלוח|שלח|להוציא|הוצא|שחרר")
_NUMBER = re.compile(r"(?<![\d.])\d{1,6}(?:\.\d{1,4})?(?![\d.])")
TIMES: Mapping[str, float] = {
    "twice": 2, "doubl": 2, "two": 2, "tripl": 3, "thrice": 3, "three": 3, "four": 4, "five": 5, "ten": 10, "half": 2,
    "halv": 2, "כפול": 2, "כפל": 2, "להכפיל": 2, "שתיים": 2, "שניים": 2, "שלוש": 3, "ארבע": 4, "חמש": 5, "עשר": 10,
    "חצי": 2, "מחצית": 2,
}  # fmt: skip
"""Words for how many times a price, or its part, there is; by their beginnings."""
_PUBLISH_OR_KEEP = re.compile(rf"{_PUBLISH.pattern}|draft|keep|save|טיוטה|שמור|לשמור")
HELD: frozenset[Kind] = frozenset(["absent", "unavailable", "wish", "apart", "together", "assign"])
"""Kinds of commands that name by themselves all that they change."""
Days = Mapping[str, frozenset[date]]
"""By nurse."""


def contradictions(calls: Sequence[ResolvedCall], view: PlanningView, *, wards: Wards) -> list[Contradiction]:
    """Changes of other nurses than the words of the call name, or of other days; prices and a wish to publish that no word is
    for."""
    found = [*_other_period(calls, view, wards)]
    for call in (call for call in calls if call.words):
        if unasked := _unasked(call, view):
            found.append(Contradiction(call=call.id, about="wishes", said=None, planned=unasked))
        ward = _ward_of(call, calls, view, wards) if call.tool == AMEND else None
        found += _differing(call, ward, view) if ward else []
    return found


def _said_of_late(view: PlanningView) -> str:
    """The manager's messages, and the answer that the last of them follows: its “say “publish it”” may be what a yes is for."""
    answers = [str(each.text) for each in view.conversation[-2:-1] if each.type == "ai"]
    return "\n".join([*people_said(view), *answers, view.request["text"]]).casefold()


def _other_period(calls: Sequence[ResolvedCall], view: PlanningView, wards: Wards) -> Iterator[Contradiction]:
    """The days that a roster is made of, where one piece of the request asks for a roster of others and all of it is read."""
    looked = [call for call in calls if call.tool == LOOK and call.words and not call.args.get("roster_id")]
    if len(looked) != 1 or not any(call.tool == TOOL for call in calls):
        return
    asked = [read(piece, wards=wards.names, today=view.today) for piece in view.pieces]
    whole = [each for each in asked if each.is_whole and (each.start or each.days)]
    others = [each for each in asked if each not in whole and each.start and each.is_task and not each.wish]
    if len(whole) != 1 or others:
        return
    said = {"start_date": whole[0].start and whole[0].start.isoformat(), "num_days": whole[0].days}
    usual = {"start_date": str(view.settings.start or next_monday(view.today)), "num_days": view.settings.days or WEEK}
    args = {name: looked[0].args.get(name) or usual[name] for name in said}
    other = {
        name: value for name, value in said.items() if value and args[name] != value and name not in looked[0].referred
    }
    if other:
        yield Contradiction(call=looked[0].id, about="days", said=other, planned={name: args[name] for name in other})


def _unasked(call: ResolvedCall, view: PlanningView) -> dict[str, Any]:
    """What is doubtful counts as asked for: a kind's own words may be for its price, and any word for a price beside a
    number that makes it."""
    if call.tool == PUBLISH:
        return {} if _PUBLISH_OR_KEEP.search(_said_of_late(view)) else {"publish": True}
    words, given = call.words.casefold(), call.args.get("penalties")
    base = view.settings.penalties.model_dump()
    strange = {
        kind: price
        for kind, price in (given.items() if isinstance(given, Mapping) else ())
        if price is not None and not _is_named(kind, words)
        if not (_PRICE.search(words) and _is_said(price, base.get(kind), words))
    }
    publishes = call.args.get("publish") is True and not _PUBLISH.search(words)
    found = {**({"penalties": strange} if strange else {}), **({"publish": True} if publishes else {})}
    return found if call.tool == TOOL else {}


def _is_said(price: Any, base: int | None, words: str) -> bool:
    """Whether a number of the words is the price, or so many times or percent of today's."""
    numbers = [float(each) for each in _NUMBER.findall(words)]
    numbers += [times for word, times in TIMES.items() if re.search(rf"(?<!\w){word}", words)]
    made = [
        *numbers,
        *((base or 0) * share for n in numbers for share in (n, 1 / n if n else 0, 1 + n / 100, 1 - n / 100)),
    ]
    return isinstance(price, int | float) and any(abs(price - each) <= 1 for each in made)


def _is_named(kind: str, words: str) -> bool:
    called = [each for language in ("en", "he") for each in in_words(kind, language).split()]
    return any(part in words for part in (*kind.split("_"), *called) if len(part) > SHORTEST)


def _ward_of(call: ResolvedCall, calls: Sequence[ResolvedCall], view: PlanningView, wards: Wards) -> Ward | None:
    """As the call's own look-up will find it; None = it is not known yet."""
    looked = next((each.args for each in calls if each.tool == "get_staff"), {})
    try:
        if isinstance(name := call.args.get("ward_hash"), str):
            return wards.store.ward(name)
        if isinstance(roster_id := looked.get("roster_id"), str):
            return wards.store.ward(wards.store.stored_roster(roster_id).ward_hash)
        start = looked.get("start_date")
        first = date.fromisoformat(start) if isinstance(start, str) else view.settings.start
        return wards.look(looked["ward"], first, looked.get("num_days") or view.settings.days, today=view.today)
    except (ToolRefusal, KeyError, ValueError):
        return None


def _differing(call: ResolvedCall, ward: Ward, view: PlanningView) -> Iterator[Contradiction]:
    """Nothing where not all of the words is read, where they ask for something else too, or leave open what they are about."""
    subject = Subject("", ward, "", {})
    try:
        commands = hear(call.words, Named(ward, (), WORDS, TELLING), subject.calendar(view)).commands
        asked = [changes_of(command, subject, view.today) for command in commands if command.kind in HELD]
        if not commands or not all(asked) or len(asked) < len(commands):
            return
        said = _days([change for each in asked for change in each], ward)
        planned = _days([Change.model_validate(each) for each in call.args.get("changes", ())], ward)
    except (ToolRefusal, ValidationError, TypeError):  # told by the tool
        return
    if planned and planned.keys() != said.keys():
        yield Contradiction(call=call.id, about="nurses", said=sorted(said), planned=sorted(planned))
        return
    is_any = any(when.weekday for command in commands for when in command.said.days)  # one Friday of several
    others = [
        nurse for nurse in planned if planned[nurse] != said[nurse] and not (is_any and planned[nurse] < said[nurse])
    ]
    if others:
        yield Contradiction(call=call.id, about="days", said=_json(said, others), planned=_json(planned, others))


def _days(changes: Sequence[Change], ward: Ward) -> Days:
    found: dict[str, frozenset[date]] = {}
    for change in changes:
        for nurse in nurses_of(ward, change):
            found[nurse] = found.get(nurse, frozenset()) | frozenset(days_of(ward, change))
    return found


def _json(days: Days, nurses: Sequence[str]) -> dict[str, Any]:
    return {nurse: [day.isoformat() for day in sorted(days[nurse])] for nurse in nurses}
