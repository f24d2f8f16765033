"""Which roster a conversation is about: the one that the message names, else the last one made, shown or named."""

from collections.abc import Iterator
from dataclasses import dataclass

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.dialogue.sentences import ID
from wavegraph.tools.roster.dialogue.spoken_days import Calendar
from wavegraph.tools.roster.loop.rounds import roster_ids_in
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.ward import Roster, Ward

MOST_MESSAGES = 50
"""Of the conversation that are looked at, the newest."""


@dataclass(frozen=True)
class Subject:
    """A roster that is there."""

    roster_id: str
    ward: Ward
    ward_hash: str
    roster: Roster

    def calendar(self, view: PlanningView) -> Calendar:
        return Calendar(view.today, self.ward.start, self.ward.day(self.ward.days - 1))


def subject_of(view: PlanningView, store: RosterStore) -> Subject | None:
    """None = the conversation is about no roster that is kept here."""
    for name in dict.fromkeys(named_rosters(view)):
        try:
            stored = store.stored_roster(name)
            return Subject(name, store.ward(stored.ward_hash), stored.ward_hash, stored.roster)
        except ToolRefusal as refusal:
            if refusal.retryable:
                raise
    return None


def named_rosters(view: PlanningView) -> Iterator[str]:
    """Ids, the newest first: of the request's own results and words, of the last results before it, of the messages so far."""
    yield from roster_ids_in(view.ledger)
    yield from ID.findall(view.request["text"])
    if view.worked_before:
        yield from roster_ids_in(view.worked_before["ledger"])
    yield from _ids_said(view)


def _ids_said(view: PlanningView) -> list[str]:
    messages = reversed(view.conversation[-MOST_MESSAGES:])
    return [name for message in messages for name in ID.findall(str(message.text))]


def people_said(view: PlanningView) -> list[str]:
    """The person's messages, this one the last."""
    return [str(message.text) for message in view.conversation if message.type == "human"]


def changed_from(view: PlanningView) -> str | None:
    """The roster that the last request with calls began with; None = it changed none."""
    calls = view.worked_before["ledger"]["calls"].values() if view.worked_before else ()
    found = next((call["args"].get("start_from") for call in calls if call["tool"] == "generate_roster"), None)
    return found if isinstance(found, str) else None


def roster_before(view: PlanningView, subject: Subject) -> str | None:
    """The one that the subject was changed from, else the last other one that was spoken of."""
    named = [changed_from(view), *_ids_said(view)]
    return next((name for name in named if name and name != subject.roster_id), None)
