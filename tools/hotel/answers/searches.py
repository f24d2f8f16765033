"""The part of an answer about searches: what was searched, and the stays found in it."""

from collections.abc import Iterator
from datetime import date

from wavegraph.graph.ledger import GOOD
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.alternatives import Alternative
from wavegraph.tools.hotel.answers.budgets import Limit, limit_of
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.not_free import alternative_line, failed
from wavegraph.tools.hotel.answers.phrases import bullets, counted, joined, party, say
from wavegraph.tools.hotel.answers.scope import scope_of_search
from wavegraph.tools.hotel.records import NO_STAY, WEEKDAYS, OpenStays
from wavegraph.tools.hotel.results import stay_ends


def searches_part(results: CallResults) -> Iterator[str]:
    """Every period searched of the guest's own wish, in order."""
    language = results.language
    for position, call_id in enumerate(results.searches()):
        outcome, found = results.outcomes.get(call_id), results.good(call_id, OpenStays)
        if position:
            yield ""
        if found:
            near = outcome["args"].get("near") if outcome else None
            yield searched(found, language, near=near, ordered=True, also=set_apart(call_id, found, results))
            yield from _listed(found, results)
        elif outcome and outcome["status"] not in GOOD and outcome["error"] and outcome["error"]["code"] in NO_STAY:
            yield say(f"why_{outcome['error']['code']}", language)
        else:
            yield from failed(call_id, results)


def _listed(found: OpenStays, results: CallResults) -> Iterator[str]:
    """The stays; with a budget those within it, or the closest one and by how much it exceeds it."""
    language, limit = results.language, limit_of(found, results)
    if limit is None:
        yield from bullets(stay_lines(found, language))
        return
    yield limit.heading(found.stays, language)
    yield from bullets(stay_lines(in_budget(found, limit), language))


def in_budget(found: OpenStays, limit: Limit) -> OpenStays:
    """Those within it, or the closest one."""
    kept = limit.within(found.stays) or [min(found.stays, key=limit.priced)]
    return found.model_copy(update={"stays": kept})


def set_apart(call_id: str, found: OpenStays, results: CallResults) -> str:
    """What alone a search was for; whom, where another look-up is for others; and how many rooms, where another of the same
    period and length asked for others."""
    own = results.outcomes[call_id]["args"]
    others = [results.outcomes[name]["args"] for name in results.searches() if name in results.outcomes]
    twins = [args for args in others if all(args.get(key) == own.get(key) for key in _PERIOD)]
    only, rooms = scope_of_search(call_id, found, results), own.get("rooms")
    parts = [*only.rooms, *only.terms]
    if rooms and any(args.get("rooms") != rooms for args in twins):
        parts.append(counted(rooms, "one_room", "so_many_rooms", results.language))
    if len({guests[:2] for guests in results.parties() if guests}) > 1:
        who = party(found.adults, found.children_ages, results.language)
        parts.append(say("for_guests", results.language, party=who))
    return "".join(f", {part}" for part in parts)


_PERIOD = ("from_date", "to_date", "nights")


def searched(found: OpenStays, language: str, *, near: str | None = None, ordered: bool = False, also: str = "") -> str:
    """What was searched: length, period, weekdays, and how many stays.

    `ordered`: the stays follow in the order that the search gave them, nearest to `near` first; `also`: what else was asked.
    """
    nearest = ("near" if near else "earliest") if ordered else "nearest"
    kind = "none" if not found.stays else found.order or nearest
    return say(
        f"search_{kind}",
        language,
        nights=date_text.nights(found.nights, language),
        first=date_text.full_day(found.from_date, language),
        last=date_text.full_day(found.to_date, language),
        days=_weekdays(found, language) + also,
        near=date_text.full_day(date.fromisoformat(near), language) if near else "",
        checked=counted(found.searched, "arrivals_1", "arrivals", language),
    )


def _weekdays(found: OpenStays, language: str) -> str:
    names = date_text.HE_DAYS if language == "he" else date_text.EN_DAYS
    arrive = [names[WEEKDAYS.index(day)] for day in found.arrive_on or ()]
    without = [name for day, name in zip(WEEKDAYS, names, strict=True) if found.sleep_on and day not in found.sleep_on]
    parts = [("search_arriving", arrive), ("search_without", without)]
    return "".join(say(key, language, days=joined(days, language)) for key, days in parts if days)


def stay_lines(found: OpenStays, language: str) -> list[str]:
    nowhere = (found.from_date, found.from_date)
    return [alternative_line(Alternative(stay_ends(stay), stay), nowhere, language) for stay in found.stays]
