"""The results of one request's calls, and which of them answer what was asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from langchain_core.messages import AIMessage, HumanMessage

from wavegraph.graph.ledger import GOOD
from wavegraph.graph.ledger import results as ended_calls
from wavegraph.graph.model.prompt_blocks import messages_before
from wavegraph.graph.references.paths import references
from wavegraph.graph.request.serving import words_served
from wavegraph.graph.state import PlannedCall, ToolOutcome
from wavegraph.graph.views import AnswerView
from wavegraph.tools.hotel.answers.offers import (
    Narrowed,
)
from wavegraph.tools.hotel.answers.phrases import guest_language
from wavegraph.tools.hotel.dialogue.slots import HotelSlots, StaySlot, loads
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.amounts import is_number_said
from wavegraph.tools.hotel.reading.figures import Kind
from wavegraph.tools.hotel.reading.hours import is_hour_said
from wavegraph.tools.hotel.reading.message import free_texts, read
from wavegraph.tools.hotel.records import (
    Availability,
    Board,
    HotelInfo,
    HotelRecord,
    OpenStays,
    TopicText,
)
from wavegraph.tools.hotel.results import Ends, RecordT, asked_ends, records, stay_ends
from wavegraph.tools.hotel.stay_arguments import Party, party_asked

_LOOK_UPS = frozenset({"get_availability", "find_open_stays"})


@dataclass(frozen=True)
class CallResults:
    """The results of one request's calls, by id."""

    outcomes: Mapping[str, ToolOutcome]
    records: Mapping[str, HotelRecord]
    """The records of the good outcomes."""
    calls: Mapping[str, PlannedCall]
    slots: HotelSlots
    language: str
    profile: PropertyProfile
    today: date
    broken: frozenset[str] = frozenset()
    """Ids of the calls that did not start because of a broken reference."""
    limits_hit: frozenset[str] = frozenset()
    said: str = ""
    """The guest's own words."""
    conversation_said: Sequence[str] = ()
    """The same of the whole conversation, by message."""
    waits: bool = False
    """Whether a booking or a cancellation waits for a yes and is asked about next: then no other question may be answerable
    by yes."""
    by_model: bool = False
    """Whether a model made the plan: it names by itself what is asked about."""
    pieces: Sequence[str] = ()
    """The request in pieces, which calls of a model serve by number."""
    replied: Sequence[str] = ()
    """The guest's words that a reply's forms answer."""
    told_before: str = ""
    """The answer to the request before."""
    accessible: bool = False
    """Whether the rooms for disabled guests are spoken of with the others."""

    def is_said(self, kind: Kind, figure: float) -> bool:
        """Whether the guest's words give this figure, for that."""
        return any(is_number_said(figure, text) for text in self._texts_for(kind))

    def is_hour_said(self, time: str) -> bool:
        return any(is_hour_said(time, text) for text in self._texts_for("hour"))

    def hours_said(self) -> list[str]:
        """The full hours that the guest names, each that the words may mean."""
        return [clock for hour in range(24) if self.is_hour_said(clock := f"{hour:02}:00")]

    def _texts_for(self, kind: Kind) -> Iterator[str]:
        return free_texts(kind, self.conversation_said, today=self.today, profile=self.profile)

    def good(self, call_id: str, kind: type[RecordT]) -> RecordT | None:
        record = self.records.get(call_id)
        return record if isinstance(record, kind) else None

    def is_flexible(self, stay: Availability) -> bool:
        """Whether free cancellation alone is asked for: of what a model planned, by the call that found this stay."""
        own = self._own_call(stay)
        return bool(own["args"].get("refundable") if own else self.slots.refundable)

    def board_asked(self, stay: Availability) -> Board | None:
        """The board that the words name which a model's call for this stay is for, be it among all that were looked up."""
        own = self._own_call(stay)
        words = words_served(own, self.pieces) if own else ""
        return read(words, today=self.today, profile=self.profile).wish.board if words else None

    def is_limited(self, found: Availability | OpenStays) -> bool:
        """Whether the budget is of this look-up: of what a model planned, of its own call, or of the one that it replaces."""
        own = self._own_call(found)
        while own and not own["args"].get("max_price") and (replaced := own.get("instead_of")) in self.calls:
            own = self.calls[str(replaced)]
        return own is None or bool(own["args"].get("max_price"))

    def _own_call(self, found: HotelRecord) -> PlannedCall | None:
        """The call of a model that found it; None = the rules planned it."""
        own = next((name for name, record in self.records.items() if record is found), None)
        return self.calls[own] if self.by_model and own is not None else None

    def texts(self, call_id: str) -> list[TopicText]:
        """What the property says on the topic of a call, text by text."""
        info = self.good(call_id, HotelInfo)
        return [info, *info.more] if info and info.found else []

    def instead_of(self, call_id: str) -> list[str]:
        """Ids of the calls that replace this one, directly or through others."""
        direct = [name for name, call in self.calls.items() if call.get("instead_of") == call_id]
        return [*direct, *(deeper for name in direct for deeper in self.instead_of(name))]

    def root(self, call_id: str) -> str:
        """The call that failed: this one, or the one that it waited for and was skipped with."""
        outcome = self.outcomes.get(call_id)
        if outcome is None or outcome["status"] != "skipped" or call_id in self.broken:
            return call_id
        waited_for = [name for name, _ in references(self.calls[call_id]["args"]) if name in self.outcomes]
        lost = next((name for name in waited_for if self.outcomes[name]["status"] not in GOOD), None)
        return self.root(lost) if lost else call_id

    def is_unresolved(self, call_id: str) -> bool:
        """Whether it failed because the plan refers to nothing."""
        return self.root(call_id) in self.broken

    def is_out_of_time(self, call_id: str) -> bool:
        """Whether it was cut off because the request's time was up, not its own."""
        outcome = self.outcomes.get(self.root(call_id))
        return "request_timeout_s" in self.limits_hit and outcome is not None and outcome["status"] == "timeout"

    def checks(self) -> list[str]:
        """Ids of the availability calls that answer the guest."""
        return [name for name in self._answering() if self.calls[name]["tool"] == "get_availability"]

    def searches(self) -> list[str]:
        """Ids of the calls that search a period for the guest."""
        return [name for name in self._answering() if self.calls[name]["tool"] == "find_open_stays"]

    def quotes(self) -> list[str]:
        """Ids of the calls that quote a stay for the guest, but for a way round another."""
        quoted = [name for name, call in self.calls.items() if call["tool"] == "quote_stay"]
        return [name for name in quoted if not self.calls[name].get("instead_of")]

    def quotes_told(self) -> list[str]:
        """Those of them that the answer tells: the terms of a booking have told theirs, if it came to them."""
        books = [name for name, call in self.calls.items() if call["tool"] == "create_booking"]
        ended = [self.outcomes.get(name) for name in books]
        return [] if any(each is None or each["status"] != "skipped" for each in ended) else self.quotes()

    def _answering(self) -> list[str]:
        """Look-ups in the order they were asked for; one of the wrong thing has given its place to those that replace it."""
        return [each for name in self._asked() for each in self._standing(name)]

    def _asked(self) -> list[str]:
        corrected = self._corrected()
        first = {
            name: call
            for name, call in self.calls.items()
            if name in corrected.values() or not (call.get("instead_of") or call.get("elements") or name in corrected)
        }
        return [name for name, call in first.items() if call["tool"] in _LOOK_UPS]

    def _corrected(self) -> dict[str, str]:
        """Calls that failed for dates which the guest's words do not name, and the later plan's call for the dates that they do:
        a stay a year off was nobody's."""
        stays = {name: call for name, call in self.calls.items() if call["tool"] == "get_availability"}
        failed = [name for name in stays if (ended := self.outcomes.get(name)) and ended["status"] == "error"]
        if not (self.by_model and failed):
            return {}
        named = self._ends_said()
        right = [name for name in stays if self._ends(name) in named]
        later = {one: [two for two in right if stays[two]["plan"] > stays[one]["plan"]] for one in failed}
        return {name: found[0] for name, found in later.items() if found and self._ends(name) not in named}

    def _ends(self, call_id: str) -> Ends | None:
        outcome = self.outcomes.get(call_id)
        return asked_ends(outcome["args"]) if outcome else None

    def _ends_said(self) -> set[Ends]:
        """Of the stays that the request's words name."""
        message = read(self.said, today=self.today, profile=self.profile)
        stays = [stay for phrase in message.dates for stay in phrase.resolution.stays]
        return {ends for stay in stays for ends in (stay_ends(stay), *stay.alternatives)}

    def _standing(self, call_id: str) -> list[str]:
        instead = [each for name in self._corrections(call_id) for each in self._standing(name)]
        found = self.records.get(call_id)
        return [call_id, *instead] if isinstance(found, OpenStays) and not found.stays else instead or [call_id]

    def _corrections(self, call_id: str) -> list[str]:
        """What replaces a call that had looked up the wrong thing, or never began for want of its dates: a search, or a stay
        although it had found rooms."""
        asked = [call_id, *asked_again(call_id, self)]
        first = self.outcomes.get(call_id)
        never_began = first is not None and first["status"] == "skipped"
        is_search = self.calls[call_id]["tool"] == "find_open_stays"
        own = [call_id, *_retries(call_id, self)]
        if not (is_search or never_began or any((stay := self.good(name, Availability)) and stay.ways for name in own)):
            return []
        direct = [name for name, call in self.calls.items() if call.get("instead_of") in asked and name not in asked]
        return [name for name in direct if isinstance(self.records.get(name), Availability | OpenStays)]

    def parties(self) -> set[Party | None]:
        """For whom it was looked up; None = not known yet."""
        names = [*self.checks(), *self.searches(), *self.quotes_told()]
        return {party_asked(outcome["args"]) for name in names if (outcome := self.outcomes.get(name))}

    def stay_of(self, call_id: str) -> StaySlot | None:
        """The stay this call was planned for: calls are planned in the order of the stays."""
        checks = [name for name in self._asked() if self.calls[name]["tool"] == "get_availability"]
        return dict(zip(checks, self.slots.stays, strict=False)).get(call_id)


def call_results(view: AnswerView, profile: PropertyProfile) -> CallResults:
    """What the answer draws on."""
    language = guest_language(view.request["language"])
    slots = loads(view.plan["slots"]) or HotelSlots()
    broken = frozenset(issue["tool_id"] for issue in view.issues if issue["rule"] == "broken_reference")
    limits, said = frozenset(view.limits_hit), view.request["text"]
    ended, good, calls = ended_calls(view.ledger), records(view.ledger), view.ledger["calls"]
    texts = [str(message.text) for message in view.conversation if isinstance(message, HumanMessage)]
    before = messages_before(view.conversation, view.request)
    return CallResults(
        ended,
        good,
        calls,
        slots,
        language,
        profile,
        view.today,
        broken,
        limits,
        said,
        [*dict.fromkeys([*texts, said])],
        bool(view.waiting) and not slots.amends,
        view.plan["planner"] == "llm",
        view.pieces,
        [str(each["quote"]) for each in view.plan.get("said", ()) if each.get("quote")],
        next((str(each.text) for each in reversed(before) if isinstance(each, AIMessage)), ""),
    )


def answered(call_id: str, results: CallResults) -> Availability | None:
    """The result of the call, or of its retry after a failure."""
    answering = answered_by(call_id, results)
    return results.good(answering, Availability) if answering else None


def answered_by(call_id: str, results: CallResults) -> str | None:
    asked = (call_id, *asked_again(call_id, results))
    return next((name for name in asked if results.good(name, Availability)), None)


def asked_again(call_id: str, results: CallResults) -> list[str]:
    """Its retries; the same look-up with the room's right name, or with any room."""
    others = [name for name in results.instead_of(call_id) if _without_the_words(name, call_id, results)]
    named_first = sorted(others, key=lambda name: not results.calls[name]["args"].get("room_type"))
    return [*_retries(call_id, results), *named_first]


def _retries(call_id: str, results: CallResults) -> list[str]:
    """Retries of this call, or of the calendar call it waited for."""
    targets = [call_id, *(target for target, _ in references(results.calls[call_id]["args"]))]
    stand_ins = [name for target in targets for name in results.instead_of(target)]
    return [name for name in stand_ins if name.startswith(call_id) and "_again" in name]


def _without_the_words(name: str, call_id: str, results: CallResults) -> bool:
    """Whether a room that the hotel does not know by its words was looked for again: by a name it has, or any room."""
    first, found = results.outcomes.get(call_id), results.good(name, Availability)
    if first is None or first["error"] is None or first["error"]["code"] != "not_found" or found is None:
        return False
    args = results.calls[name]["args"]
    is_same = bool(args.get("room_type")) or args.get("board") == first["args"].get("board")
    return is_same and stay_ends(found) == asked_ends(first["args"])


def narrowed(call_id: str, results: CallResults) -> Narrowed:
    """The room type and the board that alone were looked for."""
    outcome = results.outcomes.get(answered_by(call_id, results) or call_id)
    args = outcome["args"] if outcome else {}
    return Narrowed(args.get("room_type"), args.get("board"))
