"""Where what was looked up is not what the request says: a plan that stood although it was sent back with that."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from wavegraph.graph.request.serving import held_call, is_way_round, words_held
from wavegraph.graph.views import AnswerView, Contradiction, ResolvedCall, View
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.offers import type_name
from wavegraph.tools.hotel.answers.phrases import ages_told, counted, joined, party, say
from wavegraph.tools.hotel.answers.replies import guests_read
from wavegraph.tools.hotel.currency import spoken
from wavegraph.tools.hotel.held import contradicting, planned_stay, stays_left_out
from wavegraph.tools.hotel.inventory.room_names import rooms_called
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.results import asked_ends
from wavegraph.tools.hotel.stay_arguments import AGE_TAKEN, party_asked


def contradicted(results: CallResults, view: AnswerView) -> Iterator[str]:
    """What the guest wrote, and what was looked at instead; not of a way round, which says so itself."""
    names = [*results.checks(), *results.searches(), *results.quotes()]
    own = [name for name in names if name in results.outcomes and not is_way_round(results.calls[name], view)]
    ended = ((results.calls[name], results.outcomes[name]["args"]) for name in own)
    calls = [held_call(call, args, words_held(call, view.pieces)) for call, args in ended]
    yield from contradictions_told(calls, view, results.profile, results.language)
    if not calls:
        left_out = stays_left_out(calls, view, results.profile)
        yield from (_line(each, "", results.profile, results.language) for each in left_out)


def contradictions_told(
    calls: Sequence[ResolvedCall], view: View, profile: PropertyProfile, language: str, *, alone: bool = False
) -> Iterator[str]:
    """The same of these calls; with the dates where they are for different guests. `alone`: see `contradicting`."""
    parties = {party[:2] for call in calls if (party := party_asked(call.args))}
    of_each = {call.id: _dates(call, language) if len(parties) > 1 else "" for call in calls}
    found = contradicting(calls, view, profile, alone=alone)
    lines = (_line(each, of_each[each.call], profile, language) for each in found)
    yield from dict.fromkeys(filter(None, lines))


def _dates(call: ResolvedCall, language: str) -> str:
    stay = planned_stay(call)
    return f"{date_text.short_stay(*stay.ends, language)}: " if stay else ""


def _line(found: Contradiction, dates: str, profile: PropertyProfile, language: str) -> str:
    if found.said is None:
        looked = joined([*_wishes(found.planned, profile, language)], language)
        return dates + say("not_named", language, looked=looked) if looked else ""
    if found.about == "wishes":
        said, looked = (", ".join(_wishes(each, profile, language)) for each in (found.said, found.planned))
        return dates + say("wrote_guests", language, said=said, looked=looked)
    if found.about == "guests":
        said, looked = (_guests(each, language) for each in (found.said, found.planned))
        return dates + say("wrote_guests", language, said=said, looked=looked)
    said = joined([_said(each, found.about, language) for each in found.said], language)
    if found.about == "other dates":
        return say("wrote_other_dates", language, said=said)
    if any("error" in each for each in found.said):
        return say("wrote_no_date", language, said=said, looked=_looked_at(found.planned, language))
    return say("wrote_dates", language, said=said, looked=_looked_at(found.planned, language))


def _wishes(values: Mapping[str, Any], profile: PropertyProfile, language: str) -> Iterator[str]:
    """What narrows what was looked at, or prices it; a figure that nobody named is not used."""
    if room := values.get("room_type"):
        yield next((type_name(each.code, profile, language) for each in rooms_called(profile.rooms, room)), room)
    if rooms := values.get("rooms"):
        yield say("not_named_rooms", language, n=rooms)
    if board := values.get("board"):
        yield say(f"board_{board}", language)
    if "refundable" in values:
        keys = {True: "refundable_open", False: "non_refundable", None: "any_terms"}
        yield say(keys[values["refundable"]], language)
    if ages := values.get("children_ages"):
        key = "not_named_age" if len(ages) == 1 else "not_named_ages"
        yield say(key, language, ages=", ".join(map(str, ages)))
    if "max_price" not in values:
        if currency := values.get("currency"):
            yield spoken(currency, language)
        if "per" in values:
            yield say(f"not_named_{values['per']}", language)


def _said(stay: Mapping[str, str], about: str, language: str) -> str:
    """The guest's own words; where the length is in question, which may stand elsewhere, the stay."""
    ends = asked_ends(stay) if about == "nights" else None
    return date_text.stay(*ends, language) if ends else say("quoted", language, words=stay["words"])


def _looked_at(args: Mapping[str, Any], language: str) -> str:
    if ends := asked_ends(args):
        return date_text.stay(*ends, language)
    first, last = (date_text.full_day(date.fromisoformat(args[name]), language) for name in ("from_date", "to_date"))
    length = date_text.nights(args["nights"], language)
    return say("tried_search", language, nights=length, first=first, last=last)


def _guests(counts: Mapping[str, Any], language: str) -> str:
    rooms = counts.get("rooms")
    if "guests" in counts:
        told = ages_told(counts.get("named_ages", ()), language)
        return counted(counts["guests"], "guest", "guests", language) + told + _in_rooms(rooms, language)
    adults, ages = counts.get("adults"), counts.get("ages")
    if ages is not None or (adults is None and not counts.get("children")):
        return guests_read(adults, ages or [], rooms, language)
    return party(adults, [AGE_TAKEN] * counts.get("children", 0), language) + _in_rooms(rooms, language)


def _in_rooms(rooms: int | None, language: str) -> str:
    return counted(rooms, "in_room", "in_rooms", language) if rooms else ""
