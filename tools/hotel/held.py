"""Holds the stays that a model looks up against the dates, guests and rooms of the words they are for, and its other values
against all that was said."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial, reduce
from itertools import chain
from operator import add, or_
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage

from wavegraph.graph.guard.pieces import pieces
from wavegraph.graph.ledger import results
from wavegraph.graph.request.serving import words_served
from wavegraph.graph.views import AnswerView, Contradiction, PlanningView, ResolvedCall, View
from wavegraph.tools.hotel.dates import DatePhrase
from wavegraph.tools.hotel.dialogue.pending import CANCEL
from wavegraph.tools.hotel.dialogue.slots import slots_before
from wavegraph.tools.hotel.held_booking import other_guest, unasked_cancellations
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for
from wavegraph.tools.hotel.reading.conversation import Conversation, names_dates, speaks_of_guests
from wavegraph.tools.hotel.reading.figures import Kind, free_for
from wavegraph.tools.hotel.reading.followup import read_pick
from wavegraph.tools.hotel.reading.language import is_foreign
from wavegraph.tools.hotel.reading.message import free_texts, read
from wavegraph.tools.hotel.reading.named import names_choice, unnamed
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.reading.said import (
    OLDEST_CHILD,
    SaidStay,
    least_guests,
    may_move_others,
    names_days_of,
    newcomers,
    no_dates,
    said_stays,
    young_ages,
)
from wavegraph.tools.hotel.records import Availability, OpenStays
from wavegraph.tools.hotel.results import Ends, asked_ends, record_of, records_of, stay_args, stay_ends
from wavegraph.tools.hotel.stay_arguments import LOOK_UPS, STAYS, party_asked

_COMPARED = frozenset({"cheapest", "compare"})
"""Intents."""


class PlannedStay(NamedTuple):
    """The dates of one call."""

    call: str
    ends: Ends
    nights: int | None = None
    """Of each stay in a window; None = the dates are the stay's own."""

    def is_meant_by(self, said: SaidStay) -> bool:
        return said.fits(self.ends) if self.nights is None else said.fits_window(self.ends, self.nights)


def contradictions(
    calls: Sequence[ResolvedCall], view: PlanningView, *, profile_of: ProfileOf | None = None
) -> list[Contradiction]:
    """What a model's calls look for that the words they serve do not say."""
    profile = profile_for(view.settings, profile_of)
    goes_on = view.plan is not None and "context" in view.plan and "unserved" not in view.plan  # `continue`, of a model
    found = contradicting(calls, view, profile, goes_on=goes_on)
    found += stays_left_out(calls, view, profile, told=found) if calls and not goes_on else []
    return [*found, *other_guest(calls, view, profile), *cancelled_unasked(calls, view, profile)]


def cancelled_unasked(
    calls: Sequence[ResolvedCall], view: PlanningView, profile: PropertyProfile
) -> list[Contradiction]:
    """Cancellations that nothing in the conversation asks for; only where one is planned is it read for that."""
    planned = [call for call in calls if call.tool == CANCEL and call.words]
    if not planned or not (talk := conversation_of(view, profile)).is_whole:
        return []
    return [*unasked_cancellations(planned, _set_aside(calls, view), [*talk], view)]


def stays_left_out(
    calls: Sequence[ResolvedCall],
    view: PlanningView | AnswerView,
    profile: PropertyProfile,
    *,
    told: Sequence[Contradiction] = (),
) -> list[Contradiction]:
    """The stays that single pieces of the request ask for and a model looks for nowhere, whatever its calls say they serve; none
    where its plan replies otherwise. `told`: what is said of stays already."""
    if view.plan is None or "context" not in view.plan or view.plan["reply"] or view.plan.get("replied"):
        return []
    looks = [*(call for call in calls if call.tool in LOOK_UPS), *_looks_in(view)]
    known = [stay for call in looks if (stay := planned_stay(call))]
    messages = {piece: conversation_of(view, profile, piece) for piece in view.pieces}
    if len(known) < len(looks) or any(may_move_others(talk.newest) for talk in messages.values() if len(messages) > 1):
        return []
    named = [each for talk in messages.values() for each in _asked_for(talk) if each.is_plain or not looks]
    before = found_before(view)
    looked_for = [*known, *_in_a_row(known), *(PlannedStay("", ends) for ends in before)]
    missed = [each for each in named if not any(stay.is_meant_by(each) for stay in looked_for)]
    words = {said["words"] for each in told if each.about in _OF_DATES for said in each.said}
    said = [_as_args(each) for each in missed if each.words not in words]
    return [Contradiction(call="", about="other dates", said=said, planned=None)] if said else []


_OF_DATES = ("dates", "nights", "other dates")
_FOR_A_STAY = frozenset({"lodging", "book", "cheapest"})
"""Intents."""


def _asked_for(talk: Conversation) -> Sequence[SaidStay]:
    """The stays of which the newest message asks what is free, or what it costs whoever it names; no question about the house."""
    message = talk.newest
    is_asked = message.intents & _FOR_A_STAY or ("price" in message.intents and message.party.given)
    elsewhere = message.topics or message.recalls or message.corrects or message.scattered
    return talk.stays() if is_asked and names_dates(message) and not elsewhere else []


def _looks_in(view: View) -> Iterator[ResolvedCall]:
    """The look-ups of the request, as they were made, or else planned."""
    done = results(view.ledger)
    for name, call in view.ledger["calls"].items():
        if call["tool"] in LOOK_UPS:
            yield ResolvedCall(name, call["tool"], done[name]["args"] if name in done else call["args"])


def contradicting(
    calls: Sequence[ResolvedCall], view: View, profile: PropertyProfile, *, alone: bool = False, goes_on: bool = False
) -> list[Contradiction]:
    """Stays that are none of those which their words name, where one of these is not looked for at all, or which no calendar
    has; stays that are named beside them and not looked for; stays for other guests or another number of rooms than their words
    count, or without a child whose age they name; and what else nobody named. What these say nothing of, earlier messages say, unless other
    words of the request may.

    `alone`: these are to be booked, so what else was looked for makes up for nothing. `goes_on`: another plan follows, which may
    have the stays and the guests that these leave out.
    A stay whose dates are still references may be any of them. What a request says nothing of may be as it was last looked
    for, or found.
    """
    by_words: dict[str, list[ResolvedCall]] = {}
    for call in calls:
        if call.words and call.tool in LOOK_UPS:
            by_words.setdefault(call.words, []).append(call)
    aside = [] if goes_on else _set_aside(calls, view)
    own = [*filter(None, map(planned_stay, chain.from_iterable(by_words.values())))]
    looked_for = [*_asked_before(view, {call.instead_of for call in calls}), *own]
    found: list[Contradiction] = []
    wishes: list[Contradiction] = []
    for words, planned in by_words.items():
        of_nobody = aside if len(by_words) == 1 else []
        said = _Said(view, profile, words, [each for each in by_words if each != words], of_nobody)
        found += (
            [] if _is_known_party(planned, said.talk, view) else _other_guests(planned, said.guests(), said.least())
        )
        before = found_before(view) if said.talk.goes_on_about_a_stay else []
        asked = [call for call in planned if not ((stay := planned_stay(call)) and stay.ends in before)]
        stays = said.stays()
        strange = [
            *_other_stays(asked, stays, own if alone else looked_for),
            *_instead_of_no_date(asked, said.no_dates(), view),
        ]
        found += strange or (_left_out(planned, stays, looked_for) if said.offers_all and not goes_on else [])
        wishes += _whatever_terms(planned, said.talk)
    ages = [*_missing_ages([*chain.from_iterable(by_words.values())], aside, view, profile, alone=alone)]
    if not any(each.about == "guests" and "guests" not in each.said for each in found):
        found = [*(each for each in found if not (ages and _is_of_these(each, ages[0]))), *ages]
    of_guests = {each.call for each in found if each.about == "guests"}
    return [*_once_a_stay(found), *wishes, *_unnamed(calls, view, profile, of_guests)]


def _whatever_terms(planned: Sequence[ResolvedCall], talk: Conversation) -> Iterator[Contradiction]:
    """Quotes of the cheapest on whatever terms, where the guest's last word on these is free cancellation."""
    follows = () if "cheapest" in talk.newest.intents or not talk.follows_on else talk
    named = [each.wish for each in (*follows, talk.newest) if each.wish.refundable is not None]
    if named and named[-1].refundable and not named[-1].asks_terms:
        for call in planned:
            if call.tool == "quote_stay" and call.args.get("order") and call.args.get("refundable") is None:
                yield Contradiction(
                    call=call.id, about="wishes", said={"refundable": True}, planned={"refundable": None}
                )


def _once_a_stay(found: Sequence[Contradiction]) -> Iterator[Contradiction]:
    """Of a stay that was looked for on other dates it is not said as well that it was not looked for."""
    told = {stay["words"] for each in found if each.about in ("dates", "nights") for stay in each.said}
    for each in found:
        rest = [stay for stay in each.said if stay["words"] not in told] if each.about == "other dates" else []
        if each.about != "other dates" or rest:
            yield replace(each, said=rest) if rest else each


def _set_aside(calls: Sequence[ResolvedCall], view: View) -> list[str]:
    """The pieces of the request that no call is for: they may say who comes, whatever is looked up."""
    known = (words_served(call, view.pieces) for call in view.ledger["calls"].values())
    served = [*(each.words for each in calls), *known]
    return [piece for piece in view.pieces if not any(piece in words for words in served)]


def _missing_ages(
    planned: Sequence[ResolvedCall], aside: Sequence[str], view: View, profile: PropertyProfile, *, alone: bool
) -> Iterator[Contradiction]:
    """Children of an age that what these calls serve, or what nothing serves, names and no look-up has; the words that count the
    other guests may not be read."""
    looked = [_guests(call.args) for call in (*planned, *(() if alone else _looked_up(view)))]
    texts = dict.fromkeys([*chain.from_iterable(pieces(call.words) for call in planned), *aside])
    named = [Counter(young_ages(conversation_of(view, profile, each).newest)) for each in texts]
    had = [Counter(each["ages"]) for each in looked if each]
    missed = reduce(or_, named, Counter[int]()) - reduce(add, had, Counter[int]())
    if missed and planned and all(looked):
        naming = [text for text, ages in zip(texts, named, strict=True) if ages & missed]
        lacking = next((call for call in planned if any(text in call.words for text in naming)), planned[0])
        had_here = {name: _guests(lacking.args)[name] for name in ("adults", "ages")}
        yield Contradiction(call=lacking.id, about="guests", said={"ages": sorted(missed.elements())}, planned=had_here)


def _is_of_these(found: Contradiction, ages: Contradiction) -> bool:
    """Whether guests that were counted are too few by these children."""
    few = found.about == "guests" and found.said["guests"] - found.planned["guests"] <= len(ages.said["ages"])
    return few and found.call == ages.call


class _Said:
    """What the words that calls serve say: all of them, or where they cannot be read together the one piece that speaks of it.
    Of the guests also what the pieces set `aside` say, where these words count none."""

    def __init__(
        self, view: View, profile: PropertyProfile, words: str, besides: Sequence[str], aside: Sequence[str]
    ) -> None:
        talks = [conversation_of(view, profile, each, besides) for each in dict.fromkeys([words, *pieces(words)])]
        self.talk, *self._pieces = talks
        counts = any(talk.newest.party.given for talk in talks)
        self._aside = [] if counts else [conversation_of(view, profile, each, besides) for each in aside]
        self._looked_before = [guests for args in _args_before(view) if (guests := _guests(args))]

    def guests(self) -> Mapping[str, Any]:
        spoken = [talk for talk in (*self._pieces, *self._aside) if speaks_of_guests(talk.newest)]
        return self.talk.guests() or (spoken[0].guests() if len(spoken) == 1 else {})

    def least(self) -> int:
        """How many guests the pieces count at least; those that cannot be read may only add to them."""
        parts = [talk.newest for talk in (*self._pieces, *self._aside)]
        plain = [message for message in parts if message.party.counts]  # a count says more than who is named in a story
        return max([*map(least_guests, (self.talk.newest, *(plain or parts))), self._with_newcomers()])

    def _with_newcomers(self) -> int:
        """Those known, or else looked for before, and at least who comes too: `with our son`, who may be a child known; 0 = none."""
        grown, young = newcomers(self.talk.newest)
        known = self.talk.guests(len(self.talk) - 2) if self.talk.follows_on else {}
        before = [known] if "adults" in known else self._looked_before
        if not (before and grown + young):
            return 0
        known_to_come: list[int] = [each["adults"] + (each.get("children", 0) if grown else 0) for each in before]
        return min(known_to_come) + grown + young

    def stays(self) -> Sequence[SaidStay]:
        """Not where a piece that cannot be read may speak of dates."""
        if found := self.talk.stays():
            return found
        named = [talk for talk in self._pieces if names_dates(talk.newest)]
        rest = [talk.newest for talk in self._pieces if talk not in named]
        is_plain = not any(may_move_others(message) and not speaks_of_guests(message) for message in rest)
        return _the_one_named(named) if is_plain else []

    def no_dates(self) -> Sequence[DatePhrase]:
        """The dates of a named month that no calendar has, where these words name no other."""
        return no_dates(self.talk.newest)

    @property
    def offers_all(self) -> bool:
        """Whether the stays are all of them asked for, by these words: one beside the other, or to be compared."""
        message = self.talk.newest
        is_beside = bool(message.intents & _COMPARED) or not (message.scattered or message.unread)
        return names_dates(message) and is_beside and not message.corrects


def _the_one_named(named: Sequence[Conversation]) -> Sequence[SaidStay]:
    """The stays of the one piece that names dates; or its days, where all others name weekdays of them: `14-17 January. Is the
    restaurant open on Friday?`."""
    if len(named) < 2:
        return named[0].stays() if named else []
    found = [(talk, stays[0]) for talk in named if len(stays := talk.stays()) == 1 and stays[0].is_plain]
    for talk, stay in found if len(found) == 1 else ():
        if stay.nights and all(names_days_of(stay, each.newest.text) for each in named if each is not talk):
            return [stay]
    return []


def _unnamed(
    calls: Sequence[ResolvedCall], view: View, profile: PropertyProfile, of_guests: Collection[str]
) -> Iterator[Contradiction]:
    """Values that are for nothing in the conversation, be it the guest's words or what was shown. None where a text is missing,
    is in a language that is not read, or picks from what was shown. `of_guests`: calls whose guests are told already."""
    if not (own := [call for call in calls if call.words]):
        return
    written = [*dict.fromkeys([*(str(message.text) for message in view.conversation), view.request["text"]])]
    picks = len(written) > 1 and read_pick(prepared(fold(view.request["text"]))[0])
    if picks or any(map(is_foreign, written)) or not (talk := conversation_of(view, profile)).is_whole:
        return
    guests = [message.text for message in talk]  # without orders to the system
    texts = [*dict.fromkeys([*guests, *_shown(view)])]
    free = partial(_texts_free_for, talk=talk, view=view, profile=profile)
    before = [{**args, **_terms(args, profile)} for args in _args_before(view)]
    for call in own:
        terms = {} if "rate_plan" in call.referred else _terms(call.args, profile)
        asked = {**call.args, **terms}
        known = (
            (call.referred - terms.keys())
            | (_chosen(asked, view) - names_choice(guests[-1]))
            | ({"children_ages", "rooms"} if call.id in of_guests else set())
        )
        looked_for = [name for name, value in asked.items() if any(args.get(name) == value for args in before)]
        args = {name: value for name, value in asked.items() if name not in known and name not in looked_for}
        if values := unnamed(args, texts, guests, profile, free):
            code = {"rate_plan": call.args["rate_plan"]} if terms.keys() & values.keys() else {}
            yield Contradiction(call=call.id, about="wishes", said=None, planned={**code, **values})


def _terms(args: Mapping[str, Any], profile: PropertyProfile) -> Mapping[str, Any]:
    """The board and the terms that a call's rate plan stands for, whatever its other arguments are."""
    return profile.terms.get(str(args.get("rate_plan") or "").strip().casefold(), {})


_CHOICE = ("room_type", "board", "refundable")


def _chosen(args: Mapping[str, Any], view: View) -> frozenset[str]:
    """Those of the arguments that are one offer's among all that were found for these dates: "the second cheapest one"."""
    choice = {name: args[name] for name in _CHOICE if args.get(name) is not None}
    done = [outcome for ledger in view.ledgers if choice for outcome in results(ledger).values()]
    found = [record_of(each) for each in done if all(each["args"].get(name) is None for name in choice)]
    offers = (
        offer
        for each in found
        if isinstance(each, Availability) and stay_ends(each) == asked_ends(args)
        for offer in each.offers
    )
    is_offered = any(all(getattr(offer, name) == value for name, value in choice.items()) for offer in offers)
    return frozenset(choice if is_offered else ())


def _texts_free_for(kind: Kind, talk: Conversation, view: View, profile: PropertyProfile) -> Iterator[str]:
    """The texts of the conversation without the figures that are for something else."""
    for message in talk:
        yield free_for(kind, message.text, message.figures)
    yield from free_texts(kind, _shown(view), today=view.today, profile=profile)


def _shown(view: View) -> list[str]:
    """What the guest was told."""
    return [str(each.text) for each in view.conversation if isinstance(each, AIMessage)]


def conversation_of(
    view: View, profile: PropertyProfile, words: str | None = None, besides: Sequence[str] = ()
) -> Conversation:
    """The guest's messages, these words of the request as the newest; None = all of it. `besides`: words that are for other
    calls: what they say is not of this one."""
    before = slots_before(view)
    asks_name = before is not None and before.lacks_name
    text = view.request["text"]
    own = "".join(each for each in view.pieces if each in (words or text) or not any(each in its for its in besides))
    newest, *rest = [
        read(each, today=view.today, profile=profile, asks_name=asks_name)
        for each in dict.fromkeys([words or text, own or text])
    ]
    return Conversation(newest, view, profile, *rest)


def _is_known_party(planned: Sequence[ResolvedCall], talk: Conversation, view: View) -> bool:
    """Whether the request says nothing of its guests, and these are whom the request before looked for."""
    if view.previous is None or speaks_of_guests(talk.newest):
        return False
    looked = [_guests(args) for args in _args_before(view)]
    return all(_guests(call.args) in looked for call in planned)


def _args_before(view: View) -> list[Mapping[str, Any]]:
    """The arguments of the calls of the request before, whose results are there."""
    return [outcome["args"] for outcome in results(view.previous["ledger"]).values()] if view.previous else []


def found_before(view: View) -> list[Ends]:
    """The dates of the stays that the request before looked for, and of those that it found."""
    if view.previous is None:
        return []
    ledger = view.previous["ledger"]
    asked = [asked_ends(args) for args in _args_before(view)]
    found = [stay_ends(stay) for each in records_of(OpenStays, ledger) for stay in each.stays]
    return [*filter(None, asked), *found]


def _other_guests(planned: Sequence[ResolvedCall], said: Mapping[str, Any], least: int) -> Iterator[Contradiction]:
    """Stays whose guests or rooms differ, or are fewer than the `least`; calls for one stay may share these among them."""
    stays: dict[str, list[ResolvedCall]] = {}
    for call in planned:
        ends = [call.args.get(name) for name in ("check_in", "check_out", "from_date", "to_date")]
        stays.setdefault(json.dumps(ends, default=str), []).append(call)
    for calls in stays.values():
        counts = [counted for call in calls if (counted := _guests(call.args))]
        if len(counts) < len(calls):
            continue
        together = {name: _sum(each[name] for each in counts) for name in said or ("guests",)}
        if said and not any(_has(each, said) for each in (*counts, together)):
            first = {name: counts[0][name] for name in said}
            yield Contradiction(call=calls[0].id, about="guests", said=dict(said), planned=first)
        elif not said and together["guests"] < least:
            yield Contradiction(call=calls[0].id, about="guests", said={"guests": least}, planned=together)


def _has(counted: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    return all(
        _are_named(counted[name], value) if name == "named_ages" else counted[name] == value
        for name, value in said.items()
    )


def _are_named(ages: Sequence[int], named: Sequence[int]) -> bool:
    """Whether these are of the ages that were named, and the others may count as adults."""
    return not Counter(ages) - Counter(named) and all(age > OLDEST_CHILD for age in Counter(named) - Counter(ages))


def _guests(args: Mapping[str, Any]) -> dict[str, Any]:
    """Guests and rooms of a call, named as by `said_guests`; empty if they are not known yet."""
    if (asked := party_asked(args)) is None:
        return {}
    adults, ages, rooms = asked
    young = sorted(max(1, age) for age in ages)
    counts = {"adults": adults, "children": len(ages), "guests": adults + len(ages), "rooms": rooms or 1}
    return {**counts, "ages": young, "named_ages": young}


def _sum(values: Iterable[Any]) -> Any:
    """The ages of all calls in order, or their number."""
    first, *others = values
    return sorted(chain(first, *others)) if isinstance(first, list) else sum(others, first)


def _other_stays(
    planned: Sequence[ResolvedCall], said: Sequence[SaidStay], looked_for: Sequence[PlannedStay]
) -> Iterator[Contradiction]:
    known = [stay for call in planned if (stay := planned_stay(call))]
    rows = _in_a_row(known)
    missed = [each for each in said if not any(stay.is_meant_by(each) for stay in (*looked_for, *rows))]
    if len(missed) > len(planned) - len(known):
        for stay in known:
            its_row = [row for row in rows if row.ends[0] <= stay.ends[0] and stay.ends[1] <= row.ends[1]]
            if not any(other.is_meant_by(each) for other in (stay, *its_row) for each in said):
                yield _contradiction(stay, missed)


def _left_out(
    planned: Sequence[ResolvedCall], said: Sequence[SaidStay], looked_for: Sequence[PlannedStay]
) -> Iterator[Contradiction]:
    """Stays with plain dates of which some are looked for, and others are not."""
    known = [stay for call in planned if (stay := planned_stay(call))]
    if len(known) < len(planned) or any(not each.is_plain for each in said):
        return
    missed = [each for each in said if not any(stay.is_meant_by(each) for stay in (*looked_for, *_in_a_row(known)))]
    if missed and known and len(missed) < len(said):
        said_too = [_as_args(each) for each in missed]
        yield Contradiction(call=known[-1].call, about="other dates", said=said_too, planned=_planned(known[-1]))


def _instead_of_no_date(
    planned: Sequence[ResolvedCall], no_dates: Sequence[DatePhrase], view: View
) -> Iterator[Contradiction]:
    """Stays that are looked for where the words name a date that there is not."""
    said = [{"words": phrase.text, "error": phrase.resolution.message} for phrase in no_dates]
    before = found_before(view)
    for stay in filter(None, map(planned_stay, planned)) if said else ():
        if stay.ends not in before:
            yield Contradiction(call=stay.call, about="dates", said=said, planned=_planned(stay))


def _in_a_row(stays: Sequence[PlannedStay]) -> list[PlannedStay]:
    """Stays that follow one another, as one: two nights in one room, then two in another."""
    rows: list[PlannedStay] = []
    for stay in sorted((each for each in stays if each.nights is None), key=lambda each: each.ends):
        if rows and rows[-1].ends[1] == stay.ends[0]:
            rows[-1] = PlannedStay("", (rows[-1].ends[0], stay.ends[1]))
        else:
            rows.append(stay)
    return rows


def planned_stay(call: ResolvedCall) -> PlannedStay | None:
    """The dates of a call; None if it has none, or they are not known yet."""
    if call.tool in STAYS:
        ends = asked_ends(call.args)
        return PlannedStay(call.id, ends) if ends else None
    try:
        window = date.fromisoformat(call.args["from_date"]), date.fromisoformat(call.args["to_date"])
        return PlannedStay(call.id, window, int(call.args["nights"]))
    except (KeyError, TypeError, ValueError):
        return None


def _asked_before(view: View, replaced: Collection[str | None] = ()) -> Iterator[PlannedStay]:
    """The stays that were looked for in this request already, but for those that calls stand in place of."""
    for call in _looked_up(view):
        if call.id not in replaced and (stay := planned_stay(call)):
            yield stay


def _looked_up(view: View) -> Iterator[ResolvedCall]:
    """The look-ups of the request that have ended, as they were made."""
    for name, outcome in results(view.ledger).items():
        if outcome["tool"] in LOOK_UPS:
            yield ResolvedCall(name, outcome["tool"], outcome["args"])


def are_looked_for(words: str, view: View, profile: PropertyProfile) -> bool:
    """Whether words of the request are read whole, name stays, and these were looked for."""
    message = read(words, today=view.today, profile=profile)
    said = (
        []
        if message.unread or message.topics
        else said_stays(message, follows=False, today=view.today, profile=profile)
    )
    looked_for = [*_asked_before(view)]
    return bool(said) and all(any(stay.is_meant_by(each) for stay in looked_for) for each in said)


def _contradiction(stay: PlannedStay, missed: Sequence[SaidStay]) -> Contradiction:
    same_arrival = stay.nights is None and any(each.ends[0] == stay.ends[0] for each in missed)
    about, said = "nights" if same_arrival else "dates", [_as_args(each) for each in missed]
    return Contradiction(call=stay.call, about=about, said=said, planned=_planned(stay))


def _as_args(said: SaidStay) -> dict[str, Any]:
    return {"words": said.words, **stay_args(*said.ends)}


def _planned(stay: PlannedStay) -> dict[str, Any]:
    if stay.nights is None:
        return stay_args(*stay.ends)
    return {"from_date": stay.ends[0].isoformat(), "to_date": stay.ends[1].isoformat(), "nights": stay.nights}
