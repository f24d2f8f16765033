"""The roster generator without a model, and what follows a model's first round: planned wave by wave from the ledger."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.ledger import changes_asked, outcome_of
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import AnswerView, PlanningView
from wavegraph.tools.roster.answers.look_facts import FIND
from wavegraph.tools.roster.answers.phrases import say
from wavegraph.tools.roster.answers.statements import compose, found_beside, statements
from wavegraph.tools.roster.dialogue.intents import ORDERED, Heard, ReadRequest, asks_to_make, hear_after
from wavegraph.tools.roster.dialogue.opening import Opening, look_for
from wavegraph.tools.roster.dialogue.publishing import below_changes
from wavegraph.tools.roster.dialogue.subject import Subject, subject_of
from wavegraph.tools.roster.dialogue.talk import (
    Step,
    Talk,
    is_about_a_roster,
    is_of_other_days,
    next_roster,
    no_such_day,
)
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.loop.rounds import best, rounds_of
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Wards

CONTEXT = ("get_staff", "get_demand", "get_requests", "get_rules", "get_last_period")


class RosterOffline:
    """Pure but for the store it reads rosters from."""

    def __init__(self, wards: Wards) -> None:
        self._wards = wards

    def plan(self, view: PlanningView) -> PlanningResult:
        """The ward and a first round; then, round by round, what is left to do."""
        if view.ledger["calls"].keys() <= {FIND}:
            return self._first(view)
        rounds = rounds_of(view.ledger, view.issues, self._wards.store)
        found = best(candidate_rounds(view, rounds)) or best(rounds)
        calls = _calls_about(found, view) if found else []
        why = "the best round is reported" if calls else "nothing is left to do"
        return _result("generate", why, view.plan["slots"] if view.plan else {}, calls, None, more=bool(calls))

    def respond(self, view: AnswerView) -> str:
        return compose(view, rounds_of(view.ledger, view.issues, self._wards.store))

    def above_terms(self, view: AnswerView) -> str:
        """What was looked up beside a change, above its terms."""
        return found_beside(view)

    def statements(self, view: AnswerView) -> Catalogue:
        """What an answer may be made of."""
        return statements(view, rounds_of(view.ledger, view.issues, self._wards.store), self._wards.names)

    def _first(self, view: PlanningView) -> PlanningResult:
        if view.settings.ordered:
            return _made(ORDERED, view)
        opening, subject = Opening(view, self._wards), subject_of(view, self._wards.store)
        if opening.agrees_to_nothing:
            return _planned(Step("nothing waits", reply=say("nothing_waits", opening.language)), view)
        if subject is None or opening.goes_on:
            return self._before_any(opening, view)
        return self._about(subject, opening, view)

    def _about(self, subject: Subject, opening: Opening, view: PlanningView) -> PlanningResult:
        """What is said where there is a roster to talk about."""
        text = opening.text if FIND in view.ledger["calls"] else view.request["text"]
        names = opening.spoken
        talk = Talk(view, subject, self._key_of(subject.ward, view))
        heard = hear_after(text, view, subject.ward, names, subject.calendar(view))
        if heard.no_day:
            return _planned(Step("no such day", reply=no_such_day(heard.no_day, talk.language)), view)
        named = heard.ward and (self._wards.title(names[heard.ward], view.today) or names[heard.ward])
        if named and named != subject.ward.name:
            return self._before_any(opening, view)
        if (asked := self._of_other_days(heard, subject, view)) is not None:
            return _planned(Step("the roster of these days is looked for", [asked], more=True), view)
        if not heard.commands or is_of_other_days(heard, subject):
            if asks := opening.asked_back(heard.unread or ""):
                return _planned(Step("a ward is meant", reply=asks), view)
            reading = opening.read(text)
            if not (asks_to_make(text) and reading.is_whole):
                return _planned(talk.unread(heard, self._wards.names if asks_to_make(text) else ()), view)
            return self._further(replace(reading, ward=names[reading.ward] if reading.ward else talk.ward_key), talk)
        if [command.kind for command in heard.commands] == ["next"]:
            return self._further(_following(heard, talk), talk, after=subject.roster_id)
        return _planned(talk.step(heard), view)

    def _further(self, reading: ReadRequest, talk: Talk, after: str | None = None) -> PlanningResult:
        """Another roster, of a ward whose file is known here."""
        if reading.ward in self._wards.names:
            return _made(reading, talk.view, after=after)
        given = {"start": reading.start, "days": reading.days}
        options = " ".join(f"--{name} {value}" for name, value in given.items() if value)
        told = talk.say("file_not_here", ward=reading.ward, options=options)
        return _planned(Step("its file is not known here", reply=told, answers=True), talk.view)

    def _before_any(self, opening: Opening, view: PlanningView) -> PlanningResult:
        """What is said where there is none: of the published one, else a roster is to be made."""
        found = outcome_of(FIND, view.ledger)
        if (step := opening.not_found(found) if found else opening.step()) is not None:
            return _planned(step, view)
        reading, chosen = opening.request()
        return _made(reading, view, chosen=chosen)

    def _of_other_days(self, heard: Heard, subject: Subject, view: PlanningView) -> ToolCall | None:
        """The look that finds the published roster of the days that a message is about, where the subject has none of
        them; None = it has, or none was found."""
        whens = [when for command in heard.commands for when in command.said.days]
        calendar = subject.calendar(view)
        is_outside = [when.first and when.last and not calendar.holds(when.first, when.last) for when in whens]
        is_of_one = is_about_a_roster(heard) and not is_of_other_days(heard, subject)
        if not is_of_one or not whens or not all(is_outside) or outcome_of(FIND, view.ledger):
            return None
        call = look_for(heard, self._key_of(subject.ward, view), subject.roster_id, view.today)
        return {**call, "args": {**call["args"], "or_published": True}}

    def _key_of(self, ward: Ward, view: PlanningView) -> str:
        """The name by which a ward is known: the settings' own, else that of the first file with its title."""
        own = view.settings.ward
        names = [*([own] if own else []), *self._wards.names]
        return next((name for name in names if self._wards.title(name, view.today) == ward.name), own or ward.name)


def _following(heard: Heard, talk: Talk) -> ReadRequest:
    words = heard.commands[0].said.folded
    start, days = next_roster(talk.subject.ward, month=not words.isdisjoint(["month", "months", "next-month"]))
    return replace(ORDERED, ward=talk.ward_key, start=start, days=days)


def _planned(step: Step, view: PlanningView) -> PlanningResult:
    asks, makes = step.reply and not step.answers, step.more and len(step.calls) > 1
    action = "clarify" if asks else "generate" if makes else "answer"
    made = _result(action, step.why, dict(step.slots), list(step.calls), step.reply, more=step.more)
    return {**made, "noted": below_changes(step.calls, step.slots, view.request["language"], step.noted)}


def _made(
    reading: ReadRequest, view: PlanningView, *, after: str | None = None, chosen: str | None = None
) -> PlanningResult:
    """A roster of these days, and a first round of it. `chosen`: how the ward was, where the request names none."""
    period = _period(reading, view)
    args = {**period, **({"after": after} if after else {})}
    looks: list[ToolCall] = [{"id": name, "tool": name, "args": args} for name in CONTEXT]
    of_ward = {"ref": {"call": "get_staff", "path": "ward_hash"}}
    solve: ToolCall = {"id": TOOL, "tool": TOOL, "args": {"ward_hash": of_ward}}
    slots = {**period, **({"chosen": chosen} if chosen else {})}
    return _result("generate", "the ward, then a first round", slots, [*looks, solve], None, more=True)


def _period(reading: ReadRequest, view: PlanningView) -> dict[str, Any]:
    """The request's words come before the run's settings, which may be from another request."""
    settings = view.settings
    start = reading.start or settings.start
    period = {
        "ward": reading.ward or settings.ward,
        "start_date": start.isoformat() if start else None,
        "num_days": reading.days or settings.days,
    }
    return {name: value for name, value in period.items() if value is not None}


def candidate_rounds(view: PlanningView | AnswerView, rounds: list[Round]) -> list[Round]:
    """All rounds; after a manager asked for changes, those since."""
    calls = view.ledger["calls"]
    since = max((calls[name]["plan"] for name in changes_asked(view.ledger)), default=0)
    later = {
        call["args"].get("iteration", 1) for call in calls.values() if call["tool"] == TOOL and call["plan"] > since
    }
    return [each for each in rounds if each.iteration in later] or rounds


def _calls_about(found: Round, view: PlanningView) -> list[ToolCall]:
    """The report of the best round and, where it failed or the request asks for it, its publication, which the manager
    decides."""
    asked_before = changes_asked(view.ledger)
    calls = [_about(found, "get_report", view)]
    if asked_before:
        calls.append(
            {**_about(found, "publish_roster", view, asked=1 + len(asked_before)), "instead_of": asked_before[-1]}
        )
    elif found.failed or (view.plan and view.plan["slots"].get("publish")):
        calls.append(_about(found, "publish_roster", view))
    done = [_what(call["tool"], call["args"]) for call in view.ledger["calls"].values()]
    return [call for call in calls if _what(call["tool"], call["args"]) not in done]


def _about(found: Round, tool: str, view: PlanningView, **more: int) -> ToolCall:
    name = tool if tool not in view.ledger["calls"] else f"{tool}_{found.iteration}"
    return {"id": name, "tool": tool, "args": {"roster_id": found.roster_id, **more}}


def _what(tool: str, args: Mapping[str, Any]) -> tuple[Any, ...]:
    """Identifies a report or publication; the manager may be asked about one roster again after a later round."""
    return tool, args.get("roster_id"), args.get("asked", 1)


def _result(
    action: str, reasoning: str, slots: dict[str, Any], calls: list[ToolCall], reply: str | None, *, more: bool = False
) -> PlanningResult:
    return {
        "status": "continue" if more else "done",
        "action": action,
        "reasoning": reasoning,
        "slots": slots,
        "tools": calls,
        "reply": reply,
    }
