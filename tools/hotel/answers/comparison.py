"""Which of several stays, rooms or periods is cheaper, and by how much."""

from collections.abc import Iterator, Sequence

from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import WayT, amount, cheapest, difference
from wavegraph.tools.hotel.answers.budgets import limit_of
from wavegraph.tools.hotel.answers.call_results import CallResults, answered, narrowed
from wavegraph.tools.hotel.answers.not_free import chosen_instead, period_searched
from wavegraph.tools.hotel.answers.offers import (
    counted_room,
    room_name,
    type_name,
)
from wavegraph.tools.hotel.answers.phrases import counted, say
from wavegraph.tools.hotel.answers.stay_names import compared_stay, holiday_name
from wavegraph.tools.hotel.answers.stays import asked_for, usual_mixes
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.rooms import RoomWish
from wavegraph.tools.hotel.records import (
    Availability,
    Combination,
    Offer,
    OpenStays,
    OpenStaysQuery,
    RoomRefusal,
    Way,
)
from wavegraph.tools.hotel.results import Ends, holiday_of, lies_in, stay_ends


def comparison(results: CallResults) -> Iterator[str]:
    """Which of several stays, or of several room types, is cheaper, and by how much; of those that a budget allows."""
    language = results.language
    rows = _with_terms(_in_budget(compared(results), results), results)
    if len(rows) < 2:
        return
    ways = [(best, name) for name, best in rows if best]
    nights = {round(way.total_agorot / way.per_night_agorot) for way, _ in ways}
    is_even = len(nights) < 2
    free = sorted(ways, key=lambda row: row[0].total_agorot if is_even else row[0].per_night_agorot)
    if not free:
        yield say("compare_none", language)
    elif len(free) == 1:
        others = "; ".join(name for name, best in rows if not best)
        yield say("compare_one", language, one=free[0][1], low=_total(free[0][0], language), other=others)
    elif is_even:
        yield _ranked(free, language)
    else:
        (low, one), (high, other) = free[0], free[1]
        nightly = [amount(each.per_night_agorot, each.currency, language) for each in (low, high)]
        key = "compare_night_equal" if low.per_night_agorot == high.per_night_agorot else "compare_night"
        yield say(key, language, better=one, other=other, low=nightly[0], high=nightly[1])


def _in_budget(rows: Sequence[tuple[str, Way | None]], results: CallResults) -> list[tuple[str, Way | None]]:
    """Those within the guest's budget; all where none is."""
    found = (results.records.get(name) for name in [*results.checks(), *results.searches()])
    limits = (limit_of(each, results) for each in found if isinstance(each, Availability | OpenStays))
    limit = next((each for each in limits if each), None)
    if not limit or not any(way and limit.allows(way) for _, way in rows):
        return [*rows]
    return [(name, way) for name, way in rows if way is None or limit.allows(way)]


def most_nights(results: CallResults) -> Iterator[str]:
    """The most nights from one day on that a budget for the stay allows, where several lengths were looked up."""
    stays = [stay for name in results.checks() if (stay := answered(name, results))]
    limit = next((each for stay in stays if (each := limit_of(stay, results))), None)
    is_one_stay = len({(stay.check_in, stay.adults, *stay.children_ages) for stay in stays}) == 1
    if limit is None or limit.budget.is_nightly or not is_one_stay or len({stay.nights for stay in stays}) < 2:
        return
    allowed = [(stay, way) for stay in stays if (way := cheapest(limit.within(_everything_in_question(stay, results))))]
    if allowed:
        longest = max(stay.nights for stay, _ in allowed)
        way = min((way for stay, way in allowed if stay.nights == longest), key=lambda way: way.total_agorot)
        nights, total = date_text.nights(longest, results.language), _total(way, results.language)
        yield say("most_nights", results.language, nights=nights, total=total, **limit.told(results.language))


def _with_terms(rows: Sequence[tuple[str, Way | None]], results: CallResults) -> list[tuple[str, Way | None]]:
    """What is compared, with the rooms whose prices these are, and with the meals and the cancellation where these differ; with
    the cancellation also where it was asked for."""
    language, ways = results.language, [way for _, way in rows if way]
    meals = _asked(results).board
    own = [(_boards(way, language), _cancelled(way, language)) for way in ways]
    boards, terms = (len(set(each)) > 1 for each in zip(*own, strict=True)) if own else (False, False)

    def named(name: str, way: Way) -> str:
        rooms = " + ".join(counted_room(part, language) for part in way.parts)
        board = [_boards(way, language)] if (boards or meals) and _boards(way, language) != name else []
        is_told = terms or (results.slots.refundable and way.refundable)
        told = ", ".join(
            [*([rooms] if rooms not in name else []), *board, *([_cancelled(way, language)] if is_told else [])]
        )
        return f"{name} ({told})" if told else name

    return [(named(name, way) if way else name, way) for name, way in rows]


def _boards(way: Way, language: str) -> str:
    return " / ".join(dict.fromkeys(say(f"board_{part.board}", language) for part in way.parts))


def _cancelled(way: Way, language: str) -> str:
    if not way.refundable:
        return say("non_refundable", language)
    return say("refundable_open" if way.parts[0].cancel_until else "refundable_terms", language)


def _ranked(free: list[tuple[Way, str]], language: str) -> str:
    (low, one), (high, other) = free[0], free[1]
    if low.total_agorot == high.total_agorot:
        return say("compare_equal", language, one=one, other=other, low=_total(low, language))
    gap = amount(difference(low.total_agorot, high.total_agorot), low.currency, language)
    totals = {"low": _total(low, language), "high": _total(high, language), "gap": gap}
    key = "compare" if len(free) == 2 else "compare_most"
    return say(key, language, better=one[:1].upper() + one[1:], other=other, **totals)


def compared(results: CallResults) -> list[tuple[str, Way | None]]:
    """What is compared, with names: the stays of one party, the room types of a single stay, or periods searched."""
    if not results.checks():
        return _compared_searches(results)
    stays = [(call_id, stay) for call_id in results.checks() if (stay := answered(call_id, results))]
    if len(stays) == 1 and len(results.slots.room_types) > 1:
        [(_, stay)] = stays
        return [(_type_name(code, stay, results), cheapest(o for o in _on_terms(stay.offers, stay, results) if o.room_type == code))
                for code in results.slots.room_types]  # fmt: skip
    parties = {(stay.adults, tuple(stay.children_ages)) for _, stay in stays}
    if len(parties) != 1 or _are_wanted_together([stay for _, stay in stays], results):
        return []
    if len({stay_ends(stay) for _, stay in stays}) == 1:
        return _compared_rooms(stays, results)
    rows: dict[Ends, tuple[str, Way | None]] = {}
    for call_id, stay in stays:  # of the same dates, looked up twice, the cheaper counts
        name, best = _compared(call_id, stay, results)
        held = rows.get(stay_ends(stay), (name, None))[1]
        ways = [each for each in (held, best) if each]
        rows[stay_ends(stay)] = name, min(ways, key=lambda way: way.total_agorot, default=None)
    return list(rows.values())


def _are_wanted_together(stays: Sequence[Availability], results: CallResults) -> bool:
    """Whether looks at the same dates add up to the guests or the rooms that the request names: then it wants all of them."""
    if len(stays) < 2 or len({stay_ends(stay) for stay in stays}) > 1:
        return False
    said = read(results.said, today=results.today, profile=results.profile)
    guests, rooms = sum(stay.adults for stay in stays), sum(stay.rooms for stay in stays)
    return guests == said.party.adults or rooms == said.wish.rooms


def _asked(results: CallResults) -> RoomWish:
    return read(results.said, today=results.today, profile=results.profile).wish


def _compared_rooms(stays: Sequence[tuple[str, Availability]], results: CallResults) -> list[tuple[str, Way | None]]:
    """Of the same dates, looked up for one room type, one number of rooms or one board after another."""
    types = [narrowed(call_id, results).room_type for call_id, _ in stays]
    if None in types or len(set(types)) < len(types):
        names = _asked_apart([call_id for call_id, _ in stays], results)
        found = [cheapest(_everything_in_question(stay, results)) for _, stay in stays]
        return list(zip(names, found, strict=True)) if names else []
    return [
        (
            _type_name((stay.offers or stay.refusals)[0].room_type, stay, results),
            cheapest(_on_terms(stay.offers, stay, results)),
        )
        for _, stay in stays
        if stay.offers or stay.refusals
    ]


def _asked_apart(call_ids: Sequence[str], results: CallResults) -> list[str]:
    """Names of look-ups of the same dates, by the number of rooms or the board; empty if neither tells them apart."""
    language = results.language
    stays = [answered(name, results) for name in call_ids]
    rooms = [stay.rooms for stay in stays if stay]
    if len(set(rooms)) == len(call_ids):
        return [counted(number, "one_room", "so_many_rooms", language) for number in rooms]
    boards = [narrowed(name, results).board for name in call_ids]
    if None in boards or len(set(boards)) < len(boards):
        return []
    return [say(f"board_{board}", language) for board in boards]


def _compared_searches(results: CallResults) -> list[tuple[str, Way | None]]:
    """Periods of one party, by the lowest prices, where these are known."""
    names = [name for name in results.searches() if not set(results.instead_of(name)).intersection(results.searches())]
    searches = [(name, found) for name in names if (found := results.good(name, OpenStays))]
    windows = {(found.from_date, found.to_date) for _, found in searches}
    parties = {(found.adults, tuple(found.children_ages)) for _, found in searches}
    if len(parties) != 1 or len(windows) < len(searches) or not all(knows_lowest(*each, results) for each in searches):
        return []
    return [(period_searched(found, results.language), cheapest(found.stays)) for _, found in searches]


def knows_lowest(call_id: str, found: OpenStays, results: CallResults) -> bool:
    """Whether the lowest price that a search found is that of the whole period."""
    return bool(found.order) or is_all(call_id, found, results)


def is_all(call_id: str, found: OpenStays, results: CallResults) -> bool:
    """Whether a search gave all there is: as many stays as it gives at most may not be, but for all that were looked at."""
    if found.order and 0 < found.searched <= len(found.stays):
        return True
    most = results.outcomes[call_id]["args"].get("limit") or OpenStaysQuery.model_fields["limit"].default
    return len(found.stays) < int(most)


def _compared(call_id: str, stay: Availability, results: CallResults) -> tuple[str, Way | None]:
    """The stay and its lowest price; of a full one in a holiday, what is free in that holiday instead."""
    if best := cheapest(_everything_in_question(stay, results)):
        return compared_stay(stay, results), best
    holiday = holiday_of(stay_ends(stay), results.records.values())
    instead = chosen_instead(call_id, stay_ends(stay), results) if holiday else []
    if holiday and instead and lies_in(instead[0].ends, stay_ends(holiday)):
        name, span = holiday_name(holiday, results.language), date_text.stay(*instead[0].ends, results.language)
        return say("compared_stay", results.language, name=name or holiday.name, stay=span), instead[0].way
    return compared_stay(stay, results), None


def _everything_in_question(stay: Availability, results: CallResults) -> Sequence[Offer | Combination]:
    ways: list[Offer | Combination] = [*asked_for(stay.offers, results), *usual_mixes(stay, results)]
    return _on_terms(ways, stay, results)


def _on_terms(ways: Sequence[WayT], stay: Availability, results: CallResults) -> Sequence[WayT]:
    """Those that can be cancelled and those with the meals, if that was asked for and there are any."""
    flexible = [way for way in ways if way.refundable] if results.is_flexible(stay) else []
    board = _asked(results).board
    left = flexible or ways
    return [way for way in left if all(part.board == board for part in way.parts)] or left


def _type_name(code: str, stay: Availability, results: CallResults) -> str:
    named: list[Offer | RoomRefusal] = [*stay.offers, *stay.refusals]
    if rooms := [each for each in named if each.room_type == code]:
        return room_name(rooms[0], results.language)
    return type_name(code, results.profile, results.language)


def _total(way: Way, language: str) -> str:
    return amount(way.total_agorot, way.currency, language)
