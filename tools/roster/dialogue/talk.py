"""Talk about a roster that is there: what a message asks of it, as calls or as one line that answers.

Questions are looked up, changes and publishing are asked about first, and what cannot be read makes no roster.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from itertools import product
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.ledger import GOOD, outcome_of
from wavegraph.graph.state import ToolCall, empty_ledger
from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.answers.courtesy import COURTESIES
from wavegraph.tools.roster.answers.look_facts import FIND, LOOK
from wavegraph.tools.roster.answers.phrases import (
    TABLES,
    Speaker,
    date_in_words,
    day_in_words,
    day_said,
    refused,
    say,
    worded,
)
from wavegraph.tools.roster.arguments import ExportFormat
from wavegraph.tools.roster.dialogue.amending import OFF, shifts_named
from wavegraph.tools.roster.dialogue.intents import (
    CHANGES,
    COURTEOUS,
    FILLERS,
    IN_A_ROW,
    SHOW,
    Command,
    Heard,
    Kind,
    is_number,
    nearest,
)
from wavegraph.tools.roster.dialogue.sentences import NIGHT, Sentence, word_set
from wavegraph.tools.roster.dialogue.spoken_days import COUNTS, DAY, Calendar, NoSuchDay, When
from wavegraph.tools.roster.dialogue.subject import Subject, changed_from, roster_before
from wavegraph.tools.roster.records import Change, ChangeKind
from wavegraph.tools.roster.ward.names import nurse_named
from wavegraph.tools.roster.ward.ward import Ward

SOLVE = "generate_roster"
DECIDE = ("publish_roster", "swap_shifts")
"""Tools that decide about a roster: what they did has its own way back."""
MORE = word_set("more another extra additional")
GONE = word_set("left leaves without gone quit resigned")
WHAT_IF = FILLERS | MORE | GONE | frozenset(["what", "if", "suppose", "like", "were", *COUNTS])
"""Words of the questions "what if" that are read."""
LISTED: Sequence[Kind] = (
    "show", "works", "off", "share", "ranking", "why", "cover", "absent", "lock", "publish", "export", "next",
)  # fmt: skip
"""Kinds of which the answer to "what can I say?" gives an example."""
MOST_CHANGES = 100
MOST_DAYS = 6
"""Days that a weekday may mean and that are told one by one."""
FORMATS: Mapping[ExportFormat, frozenset[str]] = {
    "calendars": frozenset(["ics", "calendar", "calendars", "each", "every"]),
    "page": frozenset(["csv", "html", "page", "pages", "print", "png", "picture", "image"]),
}
"""Words of each format; without one of them it is a workbook."""
ONE_DAY: frozenset[Kind] = frozenset(["why", "cover", "swap", *CHANGES])
"""Kinds that need to know which of several days is meant."""


@dataclass(frozen=True)
class Step:
    """What a message comes to: calls, or a reply."""

    why: str
    calls: Sequence[ToolCall] = ()
    reply: str | None = None
    answers: bool = False
    """Whether the reply is an answer; else it asks for something."""
    slots: Mapping[str, Any] = field(default_factory=dict)
    more: bool = False
    """Whether there is more to plan after them."""
    noted: Sequence[str] = ()
    """What stands below the terms of its changes."""


@dataclass(frozen=True)
class Talk(Speaker):
    """A message about a roster."""

    view: PlanningView
    subject: Subject
    ward_key: str
    """The name by which its ward is known."""

    def step(self, heard: Heard) -> Step:
        commands = [each for each in heard.commands if each.kind not in COURTEOUS] or heard.commands[:1]
        if missing := next((reply for command in commands for reply in self._missing(command)), None):
            return Step("something has to be known first", reply=missing)
        publish = any(command.kind == "publish" for command in commands)
        changes = [command for command in commands if command.kind != "publish"]
        kinds = {command.kind for command in changes}
        if kinds == {"swap"}:
            return self._swapped([command.said for command in changes], publish=publish)
        if kinds and kinds <= CHANGES:
            return self._changed(changes, publish=publish)
        if kinds & (CHANGES | {"next", "swap"}):
            return self._one_at_a_time()
        if publish and outcome_of(FIND, self.view.ledger) is None:
            return self._to_find("how it stands")
        steps = [STEPS[command.kind](self, command) for command in commands]
        if len(steps) == 1:
            return steps[0]
        if replied := next((step for step in steps if step.reply), None):
            return Step(replied.why, reply=replied.reply)
        if any(step.more for step in steps):
            return self._one_at_a_time()
        return Step("each is looked up", _numbered([call for step in steps for call in step.calls]))

    def _one_at_a_time(self) -> Step:
        return Step("questions and changes come one after the other", reply=self.say("talk_one"))

    def unread(self, heard: Heard, wards: Sequence[str] = ()) -> Step:
        """With how to say what seems to be meant, else all that can be said. `wards`: those that there are, where a roster of
        one may be asked for."""
        told = self.say("talk_unread_word", word=heard.unread) if heard.unread else self.say("talk_unread")
        here = [self.say("wards_here", wards=", ".join(wards))] if wards else []
        meant = next((kind for kind in nearest(heard.said) if f"hint.{kind}" in TABLES[self.language]), None)
        hint = self.say("hint", what=self._hint(meant)) if meant and not wards else self.can()
        return Step("it cannot be read", reply=" ".join([told, hint, *here]))

    def can(self) -> str:
        """What can be said."""
        return self.say("talk_can", id=self.subject.roster_id, hints=", ".join(map(self._hint, LISTED)))

    def _hint(self, kind: str) -> str:
        """How it is said, of the ward's own nurses and days."""
        first, nurses = self.subject.ward.start, [each.name or each.id for each in self.subject.ward.nurses[:2]]
        day = f"{first.day}.{first.month}." if self.language == "he" else f"{first.day} {first:%B}"
        return self.say(f"hint.{kind}", nurse=nurses[0], other=nurses[-1], day=day)

    @property
    def _first_nurse(self) -> str:
        """As an example."""
        nurse = self.subject.ward.nurses[0]
        return nurse.name or nurse.id

    # what has to be known first

    def _missing(self, command: Command) -> Iterator[str]:
        said, is_of_a_day = command.said, command.kind in ("swap", "why", "cover")
        for name in said.nurses:
            try:
                nurse_named(self.subject.ward, name)
            except ToolRefusal as refusal:
                yield no_nurse(refusal, self.language)
        if len(said.nurses) < FEWEST.get(command.kind, 0):
            yield self.say("ask_nurse")
        if is_of_a_day and not said.days:
            yield self.say("ask_when")
        for when in said.days:
            if not self.calendar.may_hold(when):
                yield self._outside(when)
            if when.others and command.kind in ONE_DAY:
                days = [day_in_words(day, self.language) for day in (when.first, *when.others) if day]
                yield self.say("which_day", days=" / ".join(days))
            if (when.length and command.kind in ONE_DAY) or (when.weekday and is_of_a_day):
                yield self.say("ask_when")
        if command.kind == "absent" and said.shifts:
            yield from self._on_other_shifts(said)

    def _on_other_shifts(self, said: Sentence) -> Iterator[str]:
        """Who has another shift on the day of which one is named: it may be that which she cannot work."""
        days = [when.first for when in said.days if when.first and when.first == when.last]
        for nurse, day in product(said.nurses, days):
            shift = self._cell(nurse, day)
            if shift and shift not in self._shift_ids(said):
                yield self.say("which_shift", nurse=nurse, shift=shift, day=day, on=date_in_words(day, self.language))

    def _shift_ids(self, said: Sentence) -> list[str]:
        """Of the shifts that are named; of a night in a ward that has none, none."""
        with suppress(ToolRefusal):
            return [each for name in said.shifts for each in shifts_named(self.subject.ward, name)]
        return []

    def _outside(self, when: When) -> str:
        ward, days = self.subject.ward, self._span(when.first, when.last)
        end = ward.day(ward.days - 1)
        return self.say("talk_outside", days=days, id=self.subject.roster_id, start=ward.start, end=end)

    def _span(self, first: date | None, last: date | None) -> str:
        begin, end = (day_in_words(day, self.language) if day else "" for day in (first, last))
        return begin if begin == end else self.say("days_to", first=begin, last=end)

    @cached_property
    def calendar(self) -> Calendar:
        return self.subject.calendar(self.view)

    # changes

    def _changed(self, commands: Sequence[Command], *, publish: bool) -> Step:
        changes = [changes_of(command, self.subject, self.view.today) for command in commands]
        if unsaid := next((command for command, found in zip(commands, changes, strict=True) if not found), None):
            key = {"lock": "nothing_to_lock", "gone": "from_which_day"}.get(unsaid.kind, "which_days")
            middle = self.subject.ward.day(self.subject.ward.days // 2)
            return Step(
                "the days are missing", reply=self.say(key, nurse=unsaid.said.nurses[0], day=middle.isoformat())
            )
        return self._amended([change for found in changes for change in found], publish=publish)

    def _swapped(self, swaps: Sequence[Sentence], *, publish: bool) -> Step:
        """In a published roster by the tool that publishes it; in another by changes like any other."""
        if (found := outcome_of(FIND, self.view.ledger)) is None:
            return self._to_find("whether it is published")
        if (found["data"] or {}).get("status") == "published":
            asked = [
                {"roster_id": self.subject.roster_id, "first": said.nurses[0], "second": said.nurses[1],
                 "days": [day.isoformat() for day in _days(said)]} for said in swaps
            ]  # fmt: skip
            return Step("a swap is published", _numbered([_call("swap_shifts", each) for each in asked]))
        cells = [
            (nurse, day, self._cell(other, day) or OFF)
            for said in swaps
            for day in _days(said)
            for nurse, other in (said.nurses[:2], said.nurses[1::-1])
        ]
        settled = [
            Change(kind="locked", nurse=nurse, first=day, last=day, shift=shift)
            for nurse, day, shift in cells
            if (self._cell(nurse, day) or OFF) != shift
        ]
        if not settled:
            first, second = swaps[0].nurses[:2]
            return Step("nothing to swap", reply=self.say("nothing_to_swap", first=first, second=second))
        return self._amended(settled, publish=publish)

    def _is_off(self, change: Change) -> bool:
        """Whether the nurse has no shift on any of its days, all of which are the roster's."""
        first, last = change.first, change.last
        if change.weekdays or not (
            first and last and self.calendar.holds(first, first) and self.calendar.holds(last, last)
        ):
            return False
        return not any(self._cell(change.nurse, first + n * DAY) for n in range((last - first).days + 1))

    def _amended(self, changes: Sequence[Change], *, publish: bool) -> Step:
        if len(changes) > MOST_CHANGES:
            return Step("too much at once", reply=self.say("talk_too_many", most=MOST_CHANGES))
        ward, first = self.subject.ward, min((each.first for each in changes if each.first), default=self.view.today)
        since = max(ward.start, min(max(first, self.view.today), ward.day(ward.days - 1)))  # what is over stays
        base = {"ward": self.ward_key, "published_on": since.isoformat(), "roster_id": self.subject.roster_id}
        asked = [each.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for each in changes]
        calls = [
            _call("get_staff", base),
            _call("apply_requests", {"ward_hash": _hash_of("get_staff"), "changes": asked}),
            _call(SOLVE, {"ward_hash": _hash_of("apply_requests"), "start_from": self.subject.roster_id}),
        ]
        noted = [
            self.say("nothing_to_replace", nurse=each.nurse, days=self._span(each.first, each.last))
            for each in changes
            if each.kind == "unavailable" and self._is_off(each)
        ]
        slots = {"publish": True} if publish else {}
        return Step("the roster is changed as asked", calls, slots=slots, more=True, noted=noted)

    # everything else

    def told(self, command: Command) -> Step:
        """Why nothing is done."""
        why, key = TOLD[command.kind]
        return Step(why, reply=self.say(key, id=self.subject.roster_id, nurse=self._first_nurse))

    def look(self, command: Command) -> Step:
        """One look for each day, nurse, or neither, that was said."""
        said, question = command.said, QUESTIONS_OF[command.kind]
        if question == "share" and any(shift != NIGHT for shift in said.shifts):
            question = "nurse"  # of another shift the days on which it is worked
        nurses: Sequence[str | None] = said.nurses if question in ("nurse", "share") else [None]
        days = [each for when in said.days for each in _each(when)] or [(None, None)]
        about: dict[str, Any] = {"question": question, "roster_id": self.subject.roster_id}
        about |= {"shift": said.shifts[0]} if said.shifts else {}
        if question == "counts":
            about["of"] = "weekends" if "weekends" in said.folded else "hours"
        if question == "export":
            about["format"] = next((name for name, words in FORMATS.items() if words & said.folded), "workbook")
        asked = [{**about, "nurse": nurse, "first": first, "last": last} for nurse in nurses for first, last in days]
        calls = [{name: value for name, value in each.items() if value is not None} for each in asked]
        return Step("it is looked up", _numbered([_call(LOOK, each) for each in calls]))

    def report(self, command: Command) -> Step:
        return Step("it is reported on", [_call("get_report", {"roster_id": self.subject.roster_id})])

    def publish(self, command: Command) -> Step:
        """A person decides, unless it is published already, or cannot be."""
        found, draft = outcome_of(FIND, self.view.ledger), command.kind == "draft"
        stands, about = (found["data"] if found and not draft else None) or {}, {"id": self.subject.roster_id}
        if stands.get("status") == "published":
            version = f" (V{stands['version']})" if stands.get("version") else ""
            decided = worded(stands.get("decided", ""), self.language)
            told = self.say("published_already", version=version, decided=decided, **about)
            return Step("it is published", reply=told, answers=True)
        if why := stands.get("why_not"):
            told = self.say("cannot_publish", why=worded(why, self.language), **about)
            return Step("it cannot be", reply=told, answers=True)
        args = {"roster_id": self.subject.roster_id, **({"as_draft": True, "only_draft": True} if draft else {})}
        return Step("a person decides", [*self.report(command).calls, _call("publish_roster", args)])

    def _to_find(self, why: str) -> Step:
        """How the roster stands, before more is planned."""
        asked = {"question": "status", "roster_id": self.subject.roster_id}
        return Step(why, [{**_call(LOOK, asked), "id": FIND}], more=True)

    def again(self, command: Command) -> Step:
        args = {"ward_hash": self.subject.ward_hash, "start_from": self.subject.roster_id}
        return Step("the same days once more", [_call(SOLVE, args)], more=True)

    def undo(self, command: Command) -> Step:
        """Back to the roster before a change. A decision is taken back by its own command."""
        ledger = self.view.worked_before["ledger"] if self.view.worked_before else empty_ledger()
        decided = [outcome_of(name, ledger) for name, call in ledger["calls"].items() if call["tool"] in DECIDE]
        if any(outcome and outcome["status"] in GOOD for outcome in decided):
            told = self.say("undo_decision", ward=self.ward_key)
            return Step("a decision has its own way back", reply=told, answers=True)
        if (earlier := changed_from(self.view)) is None:
            return Step("nothing was changed", reply=self.say("nothing_to_undo"))
        return Step("back to the one before", [_call(LOOK, {"question": "status", "roster_id": earlier})])

    def what_if(self, command: Command) -> Step:
        """With more nurses, or without one; other changes are typed at the command line."""
        said, words = command.said, command.said.folded
        nurses = [nurse_named(self.subject.ward, name).id for name in said.nurses]
        known = words <= WHAT_IF and not (said.days or said.shifts)
        if known and words & MORE and words & {"nurse", "nurses"} and len(nurses) < 2:
            count = next((COUNTS[word] for word in words if word in COUNTS and word != "a"), 1)
            change = "; ".join([f"add-nurse {(nurses or [usual(self.subject.ward)])[0]}"] * count)
        elif known and words & GONE and nurses:
            change = "; ".join(f"drop-nurse {nurse}" for nurse in nurses)
        else:
            return Step("it cannot be read", reply=self.say("cannot_what_if", ward=self.ward_key))
        args = {"ward_hash": self.subject.ward_hash, "changes": [change], "roster_id": self.subject.roster_id}
        return Step("both are solved and compared", [_call("what_if", args)])

    def courtesy(self, command: Command) -> Step:
        told = COURTESIES[self.language]["thanks"] if command.kind == "thanks" else self.can()
        return Step("nothing is asked", reply=told, answers=True)

    def why(self, command: Command) -> Step:
        day = _days(command.said)[0].isoformat()
        args = {"roster_id": self.subject.roster_id, "nurse": command.said.nurses[0], "day": day}
        return Step("the cell is looked into", [_call("explain_cell", args)])

    def cover(self, command: Command) -> Step:
        """Of the shift that was named, else of the one that the nurse has."""
        day, nurse = _days(command.said)[0], next(iter(command.said.nurses), None)
        meant = self._shift_ids(command.said)
        shift = self._cell(nurse, day) if nurse else next(iter(meant), None)
        if nurse and (shift is None or (meant and shift not in meant)):
            told = self.say("look_cell" if shift else "look_cell_off", nurse=nurse, day=day, shift=shift)
            return Step("nothing to cover", reply=told, answers=True)
        if shift is None:
            return Step("the shift is missing", reply=self.say("ask_when"))
        args = {"roster_id": self.subject.roster_id, "day": day.isoformat(), "shift": shift}
        return Step(
            "who can step in is looked up", [_call("who_can_cover", args | ({"instead": nurse} if nurse else {}))]
        )

    def _cell(self, nurse: str, day: date) -> str | None:
        ward = self.subject.ward
        return self.subject.roster[nurse_named(ward, nurse).id][ward.index(day)]

    def compare(self, command: Command) -> Step:
        before = roster_before(self.view, self.subject)
        if before is None:
            return Step("nothing to compare with", reply=self.say("nothing_to_compare", id=self.subject.roster_id))
        args = {"before": before, "now": self.subject.roster_id}
        return Step("two are compared", [_call("compare_rosters", args)])

    def too_many(self, command: Command) -> Step:
        """What the nurse has of it: which of them goes is the manager's to say."""
        nurse, ward = nurse_named(self.subject.ward, command.said.nurses[0]), self.subject.ward
        shifts = self._shift_ids(command.said)
        cells = enumerate(self.subject.roster[nurse.id])
        days = [ward.day(index) for index, cell in cells if cell and (not shifts or cell in shifts)]
        told = ", ".join(day_in_words(day, self.language) for day in days) or "-"
        day = days[0].isoformat() if days else ward.start.isoformat()
        reply = self.say("which_to_take", nurse=nurse.name or nurse.id, days=told, day=day)
        return Step("it is not said which", reply=reply)

    def limit(self, command: Command) -> Step:
        """A limit is of a contract, or of the ward: what would try it."""
        said, ward = command.said, self.subject.ward
        nurse = nurse_named(ward, said.nurses[0]) if said.nurses else None
        example = nurse or ward.nurses[0]
        given = {"ward": self.ward_key, "nurse": example.name or example.id}
        change = limit_as_change(said, nurse.id if nurse else None)
        reply = self.say("limit", change=change, **given) if change else self.say("limit_in_file", **given)
        return Step("a limit is of the ward's file", reply=reply)


def usual(ward: Ward) -> str:
    """A nurse with the contract that most have."""
    contracts = [nurse.contract for nurse in ward.nurses]
    return max(ward.nurses, key=lambda nurse: contracts.count(nurse.contract)).id


def no_nurse(refusal: ToolRefusal, language: str) -> str:
    """Why a name is no nurse's, in the manager's language, as a question where one is meant."""
    near = refusal.about.get("nearest", ())
    if len(near) == 1:
        return say("nurse_meant", language, name=refusal.about["name"], nurse=near[0])
    why = refused(refusal.code, refusal.about, language) or refusal.message
    return f"{why} {say('ask_nurse', language)}"


def no_such_day(none: NoSuchDay, language: str, *, makes: bool = False) -> str:
    """What is asked where days cannot be. `makes`: whether they are those of a new roster."""
    told = say("days_backwards" if none.backwards else "no_day", language, day=day_said(none.said, language))
    return f"{told} {say('start_day' if makes else 'ask_day', language)}"


def limit_as_change(said: Sentence, nurse: str | None) -> str | None:
    """The change of `roster what-if` that sets the limit that was said; None = no field of a ward is one limit like that."""
    numbers = [int(word) if word.isdecimal() else COUNTS[word] for word in said.folded if is_number(word)]
    most = next((when.length for when in said.days if when.length), None) or (numbers[0] if numbers else None)
    is_night, in_a_row = NIGHT in said.shifts, not said.folded.isdisjoint(IN_A_ROW)
    if most is None or (said.shifts and not is_night) or not said.folded.isdisjoint(["least", "minimum"]):
        return None
    if in_a_row:
        of_nurse, of_ward = ("max_night_run", "max_nights_in_a_row") if is_night else ("max_run", "max_days_in_a_row")
        return f"{nurse}.{of_nurse}={most}" if nurse else f"rules.{of_ward}={most}"
    field = "max_nights" if is_night else "max_weekends" if "weekends" in said.folded else None
    return f"{nurse}.{field}={most}" if nurse and field else None


def _each(when: When) -> list[tuple[str | None, str | None]]:
    """First and last day of each that is meant."""
    if when.others and when.first:
        return [(day.isoformat(), None) for day in (when.first, *when.others)[:MOST_DAYS]]
    first, last = (day.isoformat() if day else None for day in (when.first, when.last))
    return [(first, None if last == first else last)]


def _days(said: Sentence) -> list[date]:
    """Each day that was said, one by one."""
    spans = [(when.first, when.last) for when in said.days if when.first and when.last]
    return sorted({first + n * DAY for first, last in spans for n in range((last - first).days + 1)})


def _call(tool: str, args: dict[str, Any]) -> ToolCall:
    return {"id": tool, "tool": tool, "args": args}


def _hash_of(call: str) -> dict[str, Any]:
    return {"ref": {"call": call, "path": "ward_hash"}}


def _numbered(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Each under an id of its own; what is asked twice is asked once."""
    once = [call for place, call in enumerate(calls) if call not in calls[:place]]
    tools = [call["tool"] for call in once]
    counts = [tools[:place].count(tool) for place, tool in enumerate(tools)]
    return [
        {**call, "id": f"{call['tool']}_{n + 1}" if n else call["tool"]} for call, n in zip(once, counts, strict=True)
    ]


FEWEST: Mapping[Kind, int] = {"swap": 2, "why": 1}
"""Nurses without whom nothing can be done."""
QUESTIONS_OF: Mapping[Kind, str] = {
    "show": "show", "works": "works", "off": "off", "nurse": "nurse", "short": "short", "standing": "status",
    "share": "share", "ranking": "counts", "export": "export",
}  # fmt: skip
"""What a look is asked, by kind of command."""
TOLD: Mapping[Kind, tuple[str, str]] = {
    "discard": ("a command does it", "cannot_discard"),
    "wishes": ("all are weighed", "cannot_wishes"),
    "repair": ("who is away is missing", "repair_whom"),
}
"""Why nothing is done, and what is told in its place."""
STEPS: Mapping[Kind, Callable[[Talk, Command], Step]] = {
    **dict.fromkeys(QUESTIONS_OF, Talk.look),
    **dict.fromkeys(TOLD, Talk.told),
    **dict.fromkeys(("thanks", "help"), Talk.courtesy),
    **dict.fromkeys(("publish", "draft"), Talk.publish),
    "report": Talk.report,
    "again": Talk.again,
    "undo": Talk.undo,
    "what_if": Talk.what_if,
    "compare": Talk.compare,
    "why": Talk.why,
    "cover": Talk.cover,
    "too_many": Talk.too_many,
    "limit": Talk.limit,
}
"""By kind of command, but for changes, and the next roster, which is made like any other."""


def is_of_other_days(heard: Heard, subject: Subject) -> bool:
    """Whether "the roster for December" names days that the roster does not have: then one is to be made."""
    shows = [command.said for command in heard.commands if command.kind == "show" and not is_shown(command)]
    whens = [when for said in shows for when in said.days]
    last = subject.ward.day(subject.ward.days - 1)
    return any(
        not (when.first and when.last and when.first <= last and subject.ward.start <= when.last) for when in whens
    )


def is_shown(command: Command) -> bool:
    """Whether it asks to see a roster by a word of its own, not only by naming one."""
    return not command.said.folded.isdisjoint(SHOW | {"what", "whats"})


def is_about_a_roster(heard: Heard) -> bool:
    """Whether it asks about a roster that is there, and so about the published one where the conversation has none."""
    kinds = {command.kind for command in heard.commands}
    if "show" in kinds and not all(is_shown(command) for command in heard.commands if command.kind == "show"):
        return False
    return not kinds <= {"next", "again", "thanks", "undo", "what_if"}


def next_roster(ward: Ward, *, month: bool) -> tuple[date, int]:
    """First day and length of the roster that follows one of this ward.

    A calendar month follows a calendar month, and where `month` was asked for and begins then; else that is four weeks.
    """
    first = ward.day(ward.days - 1) + DAY
    was_month = ward.start.day == 1 and ward.days <= LONGEST_MONTH
    if first.day == 1 and (month or was_month):
        return first, (date(first.year + first.month // 12, first.month % 12 + 1, 1) - first).days
    return first, FOUR_WEEKS if month else ward.days


LONGEST_MONTH, FOUR_WEEKS = 31, 28


def changes_of(command: Command, subject: Subject, today: date) -> list[Change]:
    """Empty = it does not say which days, or which shift."""
    said = command.said
    if command.kind in ("apart", "together"):
        first, second = said.nurses
        return [Change(kind="apart" if command.kind == "apart" else "together", nurse=first, other=second)]
    return [change for nurse in said.nurses for change in _of_nurse(command, nurse, subject, today)]


def _of_nurse(command: Command, nurse: str, subject: Subject, today: date) -> Iterator[Change]:
    said, shift = command.said, next(iter(command.said.shifts), None)
    now = [When(today, today)] if "now" in said.folded else []
    match command.kind:
        case "lock":
            yield from _locked(command, nurse, subject)
        case "absent":
            yield from _spans("unavailable", nurse, said.days or now, shift)
        case "unavailable" if said.shifts or said.days:
            yield from _spans("unavailable", nurse, said.days or [When()], shift)
        case "wish" if said.shifts or said.days:
            kind: ChangeKind = "avoids" if said.folded & {OFF, "free"} else "prefers"
            yield from _spans(kind, nurse, said.days or [When()], shift)
        case "gone" if said.days and said.days[0].first and said.days[0].last:
            after = said.days[0].last + timedelta(days=1) if "last" in said.folded else said.days[0].first
            yield Change(kind="unavailable", nurse=nurse, first=after, last=date.max)
        case "assign":
            yield from _spans("locked", nurse, said.days, shift)


def _spans(kind: ChangeKind, nurse: str, days: Sequence[When], shift: str | None) -> Iterator[Change]:
    for when in days:
        weekdays = [when.weekday] if when.weekday else None
        yield Change(kind=kind, nurse=nurse, first=when.first, last=when.last, weekdays=weekdays, shift=shift)  # type: ignore[arg-type]


def _locked(command: Command, nurse: str, subject: Subject) -> Iterator[Change]:
    """The roster's own cells of the nurse, of the days and shifts that were named."""
    said, ward = command.said, subject.ward
    shifts = [each for name in said.shifts for each in shifts_named(ward, name)]
    for index, cell in enumerate(subject.roster[nurse_named(ward, nurse).id]):
        day = ward.day(index)
        if (not shifts or cell in shifts) and (not said.days or any(when.holds(day) for when in said.days)):
            yield Change(kind="locked", nurse=nurse, first=day, last=day, shift=cell or OFF)
