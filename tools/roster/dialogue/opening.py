"""What a message means in a conversation that is about no roster yet: of which ward it speaks, and whether a new roster is
asked for or the one that is published."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from functools import cached_property

from wavegraph.graph.dialogue.consent import consent
from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.ledger import data_of, outcome_of
from wavegraph.graph.state import ToolCall, ToolError, ToolOutcome
from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.answers.look_facts import FIND, LOOK, nothing_published
from wavegraph.tools.roster.answers.phrases import Speaker
from wavegraph.tools.roster.dialogue.intents import (
    CHANGES,
    COURTEOUS,
    FILLERS,
    Heard,
    ReadRequest,
    asks_to_make,
    hear_after,
    read,
)
from wavegraph.tools.roster.dialogue.sentences import lexed, ward_in
from wavegraph.tools.roster.dialogue.spoken_days import Calendar, NoSuchDay, When
from wavegraph.tools.roster.dialogue.subject import named_rosters, people_said
from wavegraph.tools.roster.dialogue.talk import Step, is_about_a_roster, no_such_day
from wavegraph.tools.roster.records import NothingPublished
from wavegraph.tools.roster.ward.expectations import ALIKE
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import TITLES_READ, Wards

WHICH = "which_ward"
"""Code of a refusal: several wards have a published roster."""


@dataclass(frozen=True)
class Opening(Speaker):
    """A message where no roster is spoken of."""

    view: PlanningView
    wards: Wards

    @cached_property
    def spoken(self) -> Mapping[str, str]:
        """Also what those of published rosters are called, once it was asked which of them is meant: a file may be known
        nowhere."""
        found = [outcome_of(FIND, ledger) for ledger in self.view.ledgers]
        asked = [each["error"] for each in found if each and each["error"]]
        names = [name for error in asked if error["code"] == WHICH for name in error.get("about", {}).get("wards", ())]
        return {**{name: name for name in names}, **self.wards.spoken(self.view.today)}

    @cached_property
    def text(self) -> str:
        """The message; the name of a ward alone goes on with a message that named none, and so does a yes where a slip may have
        meant one: they answer "which ward?"."""
        said, own = people_said(self.view), self.view.request["text"]
        before = said[-2] if len(said) > 1 and said[-1] == own else ""
        ward, rest = ward_in(own, self.spoken)
        is_alone = ward and all(word.folded in FILLERS for word in lexed(rest))
        if not (before and (is_alone or consent(own) == "yes")) or ward_in(before, self.spoken)[0]:
            return own
        heard = self._heard(before)
        slip = (self.read(before) if asks_to_make(before) else heard).unread or ""
        if near := self._meant(slip):
            return re.sub(rf"\b{re.escape(slip)}\b", ward or near, before)
        is_courtesy = {command.kind for command in heard.commands} <= COURTEOUS
        if not is_alone or not (asks_to_make(before) or (is_about_a_roster(heard) and not is_courtesy)):
            return own
        asked = before.rstrip(" .!?")
        return f"{asked} {ward}{before[len(asked) :].strip()}"

    @property
    def goes_on(self) -> bool:
        """Whether it is a yes to a ward that a slip in the message before may have meant."""
        return self.text != self.view.request["text"] and consent(self.view.request["text"]) == "yes"

    @property
    def agrees_to_nothing(self) -> bool:
        """Whether it is a bare yes or no, where no write waits and the last answer asked nothing."""
        told = next((str(each.text) for each in reversed(self.view.conversation) if each.type == "ai"), "")
        is_free = not self.view.waiting and not told.rstrip().endswith("?")
        return is_free and consent(self.view.request["text"]) in ("yes", "no")

    def _meant(self, word: str) -> str | None:
        """The ward whose name is most like an unread word."""
        parts = {part.casefold(): name for name in self.spoken for part in (name, *name.split()) if part != "Ward"}
        near = get_close_matches(word.casefold(), parts, n=1, cutoff=ALIKE)
        return parts[near[0]] if near else None

    def asked_back(self, word: str) -> str | None:
        """Whether a ward is meant by an unread word; None = none is like it."""
        near = self._meant(word)
        return self.say("ward_meant", name=word, ward=near) if near else None

    @cached_property
    def ward(self) -> str | None:
        """The ward that the message names, else the settings' own."""
        return self._ward_of(self.text)

    def _ward_of(self, text: str) -> str | None:
        said, _ = ward_in(text, self.spoken)
        return self.spoken[said] if said else self.view.settings.ward

    @cached_property
    def reading(self) -> ReadRequest:
        return self.read(self.text)

    def read(self, text: str) -> ReadRequest:
        """As a request for a new roster."""
        return read(text, wards=self.spoken, today=self.view.today)

    def _heard(self, text: str) -> Heard:
        """By the nurses of the ward; where none is named, of the first ward by whose nurses it can be read."""
        calendar, heard = Calendar(self.view.today), list[Heard]()
        for ward in self._looked_at(self._ward_of(text)):
            heard.append(hear_after(text, self.view, ward, self.spoken, calendar))
            if heard[-1].commands or heard[-1].no_day:
                return heard[-1]
        return heard[0] if heard else Heard([])

    def _looked_at(self, name: str | None) -> Iterator[Ward]:
        """None, or one whose file is not known here = any."""
        known = [name] if name in self.wards.names else [*self.wards.meant, *self.wards.names][:TITLES_READ]
        for each in dict.fromkeys(known):
            with suppress(ToolRefusal):
                yield self.wards.look(each, None, None, today=self.view.today)

    # what to do

    def step(self) -> Step | None:
        """The look for the published roster that is spoken of, or a question; None = a new roster is asked for."""
        heard = self._heard(self.text)
        if heard.no_day:
            return Step("no such day", reply=no_such_day(heard.no_day, self.language, makes=self._makes))
        is_next = [command.kind for command in heard.commands] == ["next"] and not (self.ward and self.reading.start)
        if is_about_a_roster(heard) or is_next:
            return self._look(heard)
        reply = self._cannot_make()
        if reply and self._makes:
            return Step("what is asked for cannot be read as a roster", reply=reply)
        goes_on = len(people_said(self.view)) > 1 and not (self._makes or self.reading.ward)
        if reply or goes_on:
            return self._look(heard)
        return None if self.ward or len(self.wards.meant) == 1 else self._which(self.wards.meant)

    @cached_property
    def _makes(self) -> bool:
        return asks_to_make(self.text)

    def _look(self, heard: Heard) -> Step:
        named = None if heard.ward else next(named_rosters(self.view), None)  # of a roster that is not kept here
        call = look_for(heard, self.ward, named, self.view.today)
        return Step("the published roster is looked for", [call], more=True)

    def _cannot_make(self) -> str | None:
        """Why the message cannot be read as a request for a new roster."""
        reading = self.reading
        if reading.bad_date:
            return no_such_day(NoSuchDay(reading.bad_date), self.language, makes=True)
        if reading.wish:
            return self.say("make_wish", wish=reading.wish, nurse=self._nurse())
        if not reading.is_task:
            return self.say("makes", wards=self._wards_listed)
        unread = reading.unread
        return unread and (self.asked_back(unread) or self.say("make_unread", word=unread, wards=self._wards_listed))

    def not_found(self, found: ToolOutcome) -> Step | None:
        """What is said where no published roster was found; None = there is none that the next one would follow."""
        heard = self._heard(self.text)
        error: ToolError = found["error"] or {"code": "", "message": found["status"], "retryable": False}
        makes = self.say("makes", wards=self._wards_listed)
        kinds = {command.kind for command in heard.commands}
        if kinds == {"next"} and error["code"] != WHICH:
            return None
        if kinds and kinds <= COURTEOUS:
            return Step("nothing is asked", reply=makes)
        if not kinds:
            if asks := self.asked_back(heard.unread or ""):
                return Step("a ward is meant", reply=asks)
            unread = self.say("talk_unread_word", word=heard.unread) if heard.unread else self.say("talk_unread")
            return Step("it cannot be read", reply=f"{unread} {makes}")
        if error["code"] == WHICH:
            return self._which(error.get("about", {}).get("wards", self.wards.names))
        key = "limit_in_file" if "limit" in kinds else "in_file"
        in_file = [self.say(key)] if kinds & (CHANGES | {"limit"}) else []
        data = found["data"] and data_of(found, self.view.ledger)
        nothing = (
            nothing_published(NothingPublished.model_validate(data), self.language) if data else f"{error['message']}."
        )
        return Step("nothing is published", reply=" ".join([nothing, *in_file, makes]), answers=True)

    def _which(self, wards: Sequence[str]) -> Step:
        return Step("the ward is missing", reply=self.say("which_ward", wards=", ".join(wards)))

    @property
    def _wards_listed(self) -> str:
        return ", ".join(self.wards.names)

    def _nurse(self) -> str:
        """One of the ward, as an example."""
        nurses = next((ward.nurses for ward in self._looked_at(self.ward)), [])
        return next((each.name or each.id for each in nurses), "Ann")

    def request(self) -> tuple[ReadRequest, str | None]:
        """The new roster that is asked for, of its ward; and how the ward was chosen where none was named."""
        if self.ward:
            return replace(self.reading, ward=self.ward), None
        (ward,) = self.wards.meant
        return replace(self.reading, ward=ward), "only" if self.wards.source(ward) else "demo"


def look_for(heard: Heard, ward: str | None, roster_id: str | None, today: date) -> ToolCall:
    """A look for the roster of the first days that are said; of a change, of those that are not over."""
    when = next((when for command in heard.commands for when in command.said.days if when.first), When())
    first, last, is_change = when.first, when.last, any(command.kind in CHANGES for command in heard.commands)
    if first and last and last >= today and is_change:
        first = max(first, today)
    args = {"question": "status", "roster_id": roster_id, "ward": ward, "first": first, "last": last}
    return {"id": FIND, "tool": LOOK, "args": {name: str(value) for name, value in args.items() if value is not None}}
