"""Holds planned stays against the dates, nights, guests and rooms that a request names beyond doubt."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any, NamedTuple

from wavegraph.graph.ledger import results
from wavegraph.graph.views import Contradiction, PlanningView, ResolvedCall, View
from wavegraph.tools.hotel.dialogue.slots import slots_before
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for
from wavegraph.tools.hotel.reading.conversation import Conversation, speaks_of_guests
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.said_stays import SaidStay
from wavegraph.tools.hotel.records import OpenStays
from wavegraph.tools.hotel.results import Ends, asked_ends, records_of, stay_args, stay_ends
from wavegraph.tools.hotel.stay_arguments import party_asked

_STAYS = frozenset({"get_availability", "quote_stay"})
_WINDOWS = frozenset({"find_open_stays"})
_ENDS = ("check_in", "check_out", "from_date", "to_date")


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
    """What planned calls look for that the request does not say."""
    return contradicting(calls, view, profile_for(view.settings, profile_of))


def contradicting(calls: Sequence[ResolvedCall], view: View, profile: PropertyProfile) -> list[Contradiction]:
    """Stays that are none of those the conversation names, where one of these is not looked for at all; and stays for other
    guests or another number of rooms than it counts.

    A stay whose dates are still references may be any of them. What a request says nothing of may be as it was last looked
    for, or found.
    """
    planned = [call for call in calls if call.tool in _STAYS | _WINDOWS]
    if not planned:
        return []
    talk = conversation_of(view, profile)
    guests = [] if _is_known_party(planned, talk, view) else list(_other_guests(planned, talk.guests()))
    stays = {call.id: planned_stay(call.id, call.tool, call.args) for call in planned}
    before = found_before(view) if talk.goes_on_about_a_stay else []
    asked = [stay for stay in stays.values() if stay is None or stay.ends not in before]
    return [*guests, *_other_stays(asked, talk.stays(), [*_asked_before(view)])]


def conversation_of(view: View, profile: PropertyProfile) -> Conversation:
    """The guest's messages, the request as the newest."""
    return Conversation(read_request(view, profile), view, profile)


def read_request(view: View, profile: PropertyProfile) -> ParsedMessage:
    """The request on its own; a bare name where one was asked for."""
    before = slots_before(view)
    asks_name = before is not None and before.lacks_name
    return read(view.request["text"], today=view.today, profile=profile, asks_name=asks_name)


def _is_known_party(planned: Sequence[ResolvedCall], talk: Conversation, view: View) -> bool:
    """Whether the request says nothing of its guests, and these are whom the request before looked for."""
    if view.previous is None or speaks_of_guests(talk.newest):
        return False
    looked = [_guests(outcome["args"]) for outcome in results(view.previous["ledger"]).values()]
    return all(_guests(call.args) in looked for call in planned)


def found_before(view: View) -> list[Ends]:
    """The dates of the stays that the request before looked for, and of those that it found."""
    if view.previous is None:
        return []
    ledger = view.previous["ledger"]
    asked = [asked_ends(outcome["args"]) for outcome in results(ledger).values()]
    found = [stay_ends(stay) for each in records_of(OpenStays, ledger) for stay in each.stays]
    return [*filter(None, asked), *found]


def _other_guests(planned: Sequence[ResolvedCall], said: Mapping[str, Any]) -> Iterator[Contradiction]:
    """Stays whose guests or rooms differ; calls for one stay may share these among them."""
    stays: dict[str, list[ResolvedCall]] = {}
    for call in planned:
        stays.setdefault(json.dumps([call.args.get(name) for name in _ENDS], default=str), []).append(call)
    for calls in stays.values():
        counts = [counted for call in calls if (counted := _guests(call.args))]
        if not said or len(counts) < len(calls):
            continue
        together = {name: _sum(each[name] for each in counts) for name in said}
        if not any(_has(each, said) for each in (*counts, together)):
            yield Contradiction(
                call=calls[0].id, about="guests", said=dict(said), planned={name: counts[0][name] for name in said}
            )


def _has(counted: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    return all(counted[name] == value for name, value in said.items())


def _guests(args: Mapping[str, Any]) -> dict[str, Any]:
    """Guests and rooms of a call, named as by `said_guests`; empty if they are not known yet."""
    if (asked := party_asked(args)) is None:
        return {}
    adults, ages, rooms = asked
    young = sorted(max(1, age) for age in ages)
    return {"adults": adults, "children": len(ages), "guests": adults + len(ages), "ages": young, "rooms": rooms or 1}


def _sum(values: Iterable[Any]) -> Any:
    """The ages of all calls in order, or their number."""
    first, *others = values
    return sorted(chain(first, *others)) if isinstance(first, list) else sum(others, first)


def _other_stays(
    planned: Sequence[PlannedStay | None], said: Sequence[SaidStay], before: Sequence[PlannedStay]
) -> list[Contradiction]:
    """`planned`: None = its dates are not known yet; `before`: what was looked for in this request already."""
    known = [stay for stay in planned if stay]
    looked_for = [*known, *before, *_in_a_row(known)]
    missed = [each for each in said if not any(stay.is_meant_by(each) for stay in looked_for)]
    strange = [stay for stay in known if not _is_meant(stay, said, looked_for)]
    if len(missed) <= len(planned) - len(known):
        return []
    return [_contradiction(stay, missed) for stay in strange]


def planned_stay(call_id: str, tool: str, args: Mapping[str, Any]) -> PlannedStay | None:
    """The dates of a call; None if it has none, or they are not known yet."""
    if tool in _STAYS:
        ends = asked_ends(args)
        return PlannedStay(call_id, ends) if ends else None
    try:
        window = date.fromisoformat(args["from_date"]), date.fromisoformat(args["to_date"])
        return PlannedStay(call_id, window, int(args["nights"]))
    except (KeyError, TypeError, ValueError):
        return None


def _asked_before(view: View) -> Iterator[PlannedStay]:
    """The stays that were looked for in this request already."""
    for call_id, outcome in results(view.ledger).items():
        if outcome["tool"] in _STAYS | _WINDOWS and (stay := planned_stay(call_id, outcome["tool"], outcome["args"])):
            yield stay


def _in_a_row(stays: Sequence[PlannedStay]) -> list[PlannedStay]:
    """Stays that follow one another, as one: two nights in one room, then two in another."""
    rows: list[PlannedStay] = []
    for stay in sorted((each for each in stays if each.nights is None), key=lambda each: each.ends):
        if rows and rows[-1].ends[1] == stay.ends[0]:
            rows[-1] = PlannedStay("", (rows[-1].ends[0], stay.ends[1]))
        else:
            rows.append(stay._replace(call=""))
    return rows


def _is_meant(stay: PlannedStay, said: Sequence[SaidStay], looked_for: Sequence[PlannedStay]) -> bool:
    if any(stay.is_meant_by(each) for each in said):
        return True
    rows = [row for row in looked_for if not row.call and row.ends[0] <= stay.ends[0] and stay.ends[1] <= row.ends[1]]
    return any(row.is_meant_by(each) for row in rows for each in said)


def _contradiction(stay: PlannedStay, missed: Sequence[SaidStay]) -> Contradiction:
    same_arrival = stay.nights is None and any(each.ends[0] == stay.ends[0] for each in missed)
    planned = stay_args(*stay.ends) if stay.nights is None else _window_args(stay)
    said = [{"words": each.words, **stay_args(*each.ends)} for each in missed]
    return Contradiction(call=stay.call, about="nights" if same_arrival else "dates", said=said, planned=planned)


def _window_args(stay: PlannedStay) -> dict[str, Any]:
    return {"from_date": stay.ends[0].isoformat(), "to_date": stay.ends[1].isoformat(), "nights": stay.nights}
