"""The statements about stays: each stay a heading, its offers and ways round it below."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, zip_longest
from typing import Any, TypeAlias

from wavegraph.graph.answer.statements import Duty, Statement
from wavegraph.graph.answer.words import sentences, words_in
from wavegraph.tools.hotel.answers import courtesy, date_text
from wavegraph.tools.hotel.answers.alternatives import Alternative
from wavegraph.tools.hotel.answers.amounts import WayT, amount, cheapest
from wavegraph.tools.hotel.answers.budgets import Limit, limit_of
from wavegraph.tools.hotel.answers.call_results import CallResults, answered, narrowed
from wavegraph.tools.hotel.answers.comparison import is_all, knows_lowest
from wavegraph.tools.hotel.answers.facts import rooms_pointed_at, rooms_shown_before
from wavegraph.tools.hotel.answers.lowest import ends_of_each, highest, lowest
from wavegraph.tools.hotel.answers.not_free import (
    alternative_line,
    every_instead,
    failed,
    flexible_beside,
    full_lines,
    instead_heading,
    limit_instead,
    lowest_beside,
    refused_ends,
    tried_in_vain,
    unchecked_shorter,
    unknown_room,
)
from wavegraph.tools.hotel.answers.offers import (
    above_the_largest,
    combination_line,
    counted_room,
    flexible_line,
    not_offered,
    offer_line,
    price,
    price_of_each,
    room_name,
    short_offer,
    terms,
)
from wavegraph.tools.hotel.answers.phrases import few, party, say
from wavegraph.tools.hotel.answers.quantities import each_for, total, way_called
from wavegraph.tools.hotel.answers.scope import Scope, scope_of, scope_of_search
from wavegraph.tools.hotel.answers.searches import in_budget, searched, set_apart, stay_lines
from wavegraph.tools.hotel.answers.stay_names import holiday_name, named_stay
from wavegraph.tools.hotel.answers.stays import (
    above_budget,
    by_budget,
    closest_to,
    in_question,
    lacks_refundable,
    quote_line,
    rooms_each,
    usual,
    usual_mixes,
    whom,
    whom_of_all,
)
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import (
    Availability,
    Board,
    Combination,
    DateHint,
    HolidayDates,
    Offer,
    OpenStays,
    Quote,
    Way,
    by_room,
)
from wavegraph.tools.hotel.results import Ends, opened, stay_ends

Told: TypeAlias = Statement | Duty
DEFAULT_BOARD: Board = "BB"
"""The board a guest expects unless another is named."""
MOST_FITTING = 5
"""Combinations of rooms that a writer is shown one by one."""
MOST_TOLD = 3
"""Ways round a full stay that an answer tells of itself."""
MOST_SHOWN = 18
"""Offers of a stay that a writer is shown one by one: three for each of six rooms. Of more it is shown at least each room's
lowest, and how many there are; the others it names as the lowest of a room, a board or terms.
"""
MOST_IN_FULL = 2
"""Of more stays it need not be told from what price they can be cancelled: the offers' own terms say whether they can."""


def stay_statements(results: CallResults) -> Iterator[Told]:
    """Of every stay asked for, `s1`, `s2`…, each with whom it is for in its heading."""
    checks = results.checks()
    most = rooms_each(len(checks))
    full: list[list[str]] = []
    for number, call_id in enumerate(checks, 1):
        name, stay = f"s{number}", answered(call_id, results)
        if stay and (unknown := unknown_room(call_id, results)):
            yield from _sentences(f"{name}.no_such", [unknown], about=name)
        if stay is None:
            yield from _sentences(f"{name}.failed", failed(call_id, results), about=name)
            if ends := refused_ends(call_id, results):
                yield from _instead(name, call_id, ends, results)
        elif not stay.ways:
            who = whom(stay, results) or whom_of_all(results)
            told_of_it = list(_full(name, call_id, stay, results, who))
            texts = [each.text for each in told_of_it if isinstance(each, Statement)]
            yield from told_of_it if texts not in full else ()  # two rooms for guests who are called the same
            full.append(texts)
        else:
            guests = whom(stay, results)
            scope = scope_of(
                call_id, in_question(stay, results), usual(stay.offers, results), usual_mixes(stay, results), results
            )
            own = named_stay(stay, results) + (guests or whom_of_all(results))
            told = _free(
                name, stay, results, most, heading=own + scope.heading(results.language), guests=guests, scope=scope
            )
            closer = _looked_up_closer(call_id, stay, results)
            yield from _but_for(closer, told)
            yield from _not_offered(name, call_id, stay, results)
            if results.accessible and not closer:
                yield from _accessible(name, stay, results)


def _full(name: str, call_id: str, stay: Availability, results: CallResults, who: str) -> Iterator[Told]:
    """Of a stay that is not to be had: why, and what is free instead."""
    yield from _sentences(f"{name}.full", [" ".join(full_lines(call_id, stay, results, who))], about=name)
    if stay.reason != "occupancy":  # it says so itself
        yield from _one_room(name, stay, results)
    yield from _instead(name, call_id, stay_ends(stay), results)


def _not_offered(name: str, call_id: str, stay: Availability, results: CallResults) -> Iterator[Told]:
    """Why a room is not among the offers, those for the same dates and guests too (two of it hold them): owed of one that the
    request points to, or the last answer has named, and that was not looked up alone."""
    twins = [
        other
        for each in results.checks()
        if (other := answered(each, results))
        and stay_ends(other) == stay_ends(stay)
        and _guests(other) == _guests(stay)
    ]
    offered = {part.room_type for other in twins for way in other.ways for part in way.parts}
    asked = (rooms_pointed_at(results) | rooms_shown_before(results)) - {
        only for each in results.checks() if (only := _only_room(each, results))
    }
    for refusal in stay.refusals:
        if refusal.room_type not in offered:
            text = not_offered(refusal, stay, narrowed(call_id, results), results.language)
            about, is_asked = f"{name}.not.{refusal.room_type}", refusal.room_type in asked
            yield Statement(id=about, text=text, about=about, beside=(name,), under=name, hidden=not is_asked)
            if is_asked:
                yield Duty((about,), (about,))


def _guests(stay: Availability) -> tuple[int, list[int]]:
    return stay.adults, stay.children_ages


def _only_room(call_id: str, results: CallResults) -> str | None:
    """The code of the room that alone a call looked up."""
    room = results.profile.room(narrowed(call_id, results).room_type or "")
    return room.code if room else None


def _looked_up_closer(call_id: str, stay: Availability, results: CallResults) -> list[str]:
    """Ids of the offers for the same dates of one room type alone, where this stay is not of one."""
    if narrowed(call_id, results).room_type:
        return []
    rows = [(f"s{n}", name, answered(name, results)) for n, name in enumerate(results.checks(), 1)]
    twins = [
        (number, other)
        for number, name, other in rows
        if other and stay_ends(other) == stay_ends(stay) and narrowed(name, results).room_type
    ]
    return [f"{number}.o{n}.line" for number, other in twins for n in range(1, len(in_question(other, results)) + 1)]


def _but_for(others: Sequence[str], told: Iterable[Told]) -> Iterator[Told]:
    """The same, with nothing owed where one of the others was told."""
    for each in told:
        yield Duty([*each.any_of, *others], each.add) if isinstance(each, Duty) else each


def _one_room(name: str, stay: Availability, results: CallResults) -> Iterator[Statement]:
    """That no single room holds the party, for who asks whether one does."""
    if line := above_the_largest(stay, results.language, results.profile):
        yield Statement(id=f"{name}.one_room", text=line, about=f"{name}.one_room", beside=(name,))


def _accessible(name: str, stay: Availability, results: CallResults) -> Iterator[Told]:
    """That the price of a room for disabled guests is told."""
    offers, _, _ = _in_question(stay, results)
    own = [f"{name}.o{n}.line" for n, offer in enumerate(offers, 1) if is_accessible(offer.room_name)]
    if own:
        yield Duty(own, own[:1])


def _sentences(
    name: str, lines: Iterable[str], *, about: str, bears: Iterable[str] = (), **more: Any
) -> Iterator[Told]:
    """Lines that must be told, sentence by sentence."""
    number, before = count(1), ""
    for place, part in ((place, part) for line in lines for place, part in enumerate(sentences(line))):
        own = part if before and not place else ""
        told = Statement(
            id=f"{name}.{next(number)}", text=part, alone=own, about=about, after=before, bears=frozenset(bears), **more
        )
        yield told
        yield Duty((told.id,), (told.id,))
        before = told.id


def _free(
    name: str, stay: Availability, results: CallResults, most: int, *, heading: str, guests: str, scope: Scope
) -> Iterator[Told]:
    """`scope`: what alone was looked at, so that the cheapest of all is not known."""
    language, short = results.language, date_text.short_stay(*stay_ends(stay), results.language)
    yield Statement(
        id=name,
        text=heading,
        alone=say("options", language, stay=heading),
        again=say("options", language, stay=short + guests + scope.heading(language)),
        about=name,
        bears=courtesy.OFFER_WORDS[language] | courtesy.PARTY_WORDS[language],
    )
    offers, mixed, leads = _in_question(stay, results)
    if mixed and not offers:
        yield from _one_room(name, stay, results)
    under = name
    for number, lead in enumerate(leads, 1):
        limit = limit_of(stay, results) if number == len(leads) else None
        held = limit.as_amount(language) if limit else {}
        yield Statement(id=f"{name}.lead{number}", text=lead, about=name, under=under, **held)
        under = f"{name}.lead{number}"
    made = [
        *(list(_offer(f"{name}.o{n}", offer, stay, results, guests)) for n, offer in enumerate(offers, 1)),
        *([_combination(f"{name}.c{n}", each, stay, results, guests)] for n, each in enumerate(mixed, 1)),
    ]
    ways: list[Offer | Combination] = [*offers, *mixed]
    told = [(way, parts[0]) for way, parts in zip(ways, made, strict=True)]
    every: list[Offer | Combination] = [] if any(scope) else [*usual(stay.offers, results), *usual_mixes(stay, results)]
    best, shown = cheapest(every), _shown(ways)
    for way, parts in zip(ways, made, strict=True):
        is_lowest = best is not None and way.total_agorot == best.total_agorot
        words = courtesy.CHEAPEST_WORDS[language] if is_lowest else frozenset()
        cut = all(way is not each for each in shown)
        yield from (
            replace(each, beside=(name,), under=under, bears={*each.bears, *words}, hidden=each.hidden or cut)
            for each in (parts[:1] if cut else parts)
        )
    listed = _listed(name, offers, mixed, most)
    if not _is_known(stay, [line.text for _, line in told if line.id in listed], results):
        yield Duty([line.id for _, line in told], listed)
    if _is_lowest_owed(ways, results):
        low = min(way.total_agorot for way in ways)
        own = [line.id for way, line in told if way.total_agorot == low]
        yield Duty([f"{name}.lowest", *own], [f"{name}.lowest"])
    if board := results.board_asked(stay):
        own = [line.id for way, line in told if all(part.board == board for part in way.parts)]
        yield Duty([f"{name}.lowest.{board}", *own], [f"{name}.lowest.{board}"] if own else [])
    is_all = not (mixed or limit_of(stay, results))  # of combinations and of a budget the lowest alone are here
    of_rooms = _ends_of_rooms(told, scope, language, is_all=is_all)
    for each in (*ends_of_each(name, told, scope, language, is_all=is_all), *of_rooms):
        yield replace(each, beside=(name,), under=under)
    yield from _told_before(name, stay, told, scope.of, under, results)
    if len(ways) > MOST_TOLD:
        yield _more(name, _choice(ways, language), under)
    if len(shown) < len(ways):
        text = _counted("offers_in_all", ways, language)
        yield Statement(id=f"{name}.count", text=text, about=f"{name}.more", beside=(name,), under=under)
    yield from _beside(name, under, stay, offers, mixed, results)


def _is_lowest_owed(ways: Sequence[Offer | Combination], results: CallResults) -> bool:
    """Where the cheapest is asked for, or the price with no word for a room or a board: a dearer price alone is no answer. Of
    several stays the comparison says which is the cheapest."""
    if results.slots.want in ("cheapest", "compare"):
        return results.slots.want == "cheapest" and len(results.checks()) == 1
    message = read(results.said, today=results.today, profile=results.profile)
    wish, boards = message.wish, {part.board for way in ways for part in way.parts}
    is_open = not (wish.room_types or message.topics) and (wish.board is None or boards == {wish.board})
    return "price" in message.intents and is_open


def _shown(ways: Sequence[Offer | Combination]) -> list[Offer | Combination]:
    """Those whose lines a writer is shown: all; of many each room's lowest, then as many of its other usual rates as fit."""
    offers = [way for way in ways if isinstance(way, Offer)]
    mixed = [way for way in ways if isinstance(way, Combination)][:MOST_FITTING]
    if len(offers) + len(mixed) <= MOST_SHOWN:
        return [*offers, *mixed]
    rooms = [_usual_rates(room) for room in by_room(offers)]
    rest = [rate for rank in zip_longest(*(room[1:] for room in rooms)) for rate in rank if rate]
    return [*(room[0] for room in rooms), *rest[: max(0, MOST_SHOWN - len(rooms))], *mixed]


def _usual_rates(room: Sequence[Offer]) -> list[Offer]:
    """The lowest, the lowest that can be cancelled, and that with the usual board."""
    free = [offer for offer in room if offer.refundable]
    usual = [offer for offer in free if offer.board == DEFAULT_BOARD]
    return list({id(offer): offer for offer in (room[0], *free[:1], *usual[:1])}.values())


def _ends_of_rooms(
    told: Sequence[tuple[Offer | Combination, Statement]], scope: Scope, language: str, *, is_all: bool
) -> Iterator[Statement]:
    """Of each room, behind the id of its cheapest offer: `s1.o4.lowest.BB`, `s1.o4.highest`."""
    offers = [(way, line) for way, line in told if isinstance(way, Offer)]
    for room in by_room(way for way, _ in offers):
        own = [(way, line) for way, line in offers if way.room_type == room[0].room_type]
        head = next(line.id for way, line in own if way is room[0]).removesuffix(".line")
        yield from ends_of_each(head, own, scope, language, counted_room(room[0], language), is_all=is_all)


def _is_known(stay: Availability, lines: Sequence[str], results: CallResults) -> bool:
    """Whether it is beside another stay, and the last answer had all of these lines of it."""
    days = date_text.stay(*stay_ends(stay), results.language)
    return len(results.checks()) > 1 and all(each in results.told_before for each in (days, *lines))


def _told_before(
    name: str,
    found: Availability | OpenStays,
    told: Sequence[tuple[WayT, Statement]],
    of: str,
    under: str,
    results: CallResults,
) -> Iterator[Statement]:
    """That the last answer had the lowest price already, with its meals: for who asks for something cheaper without them."""
    language, (way, line) = results.language, min(told, key=lambda each: each[0].total_agorot)
    days = [date_text.stay(*stay_ends(found), language)] if isinstance(found, Availability) else []
    guests = party(found.adults, found.children_ages, language)
    if all(each in results.told_before for each in (line.text, guests, *days)):
        board = " / ".join(dict.fromkeys(say(f"board_{part.board}", language) for part in way.parts))
        text = say("told_before", language, total=amount(way.total_agorot, way.currency, language), board=board, of=of)
        yield Statement(id=f"{name}.before", text=text, about=f"{name}.before", beside=(name,), under=under)


def _more(name: str, text: str, under: str) -> Statement:
    """What there is in all, where an answer tells of a few: true whichever it tells of."""
    return Statement(id=f"{name}.more", text=text, about=f"{name}.more", beside=(name,), under=under)


def _choice(ways: Sequence[Offer | Combination], language: str) -> str:
    """The rooms to choose from; how many offers there are where it is one room (of several they are not all known)."""
    rooms = dict.fromkeys(" + ".join(counted_room(part, language) for part in way.parts) for way in ways)
    if len(rooms) > 1:
        return say("rooms_in_all", language, rooms=few([*rooms], language))
    return _counted("offers_in_all", ways, language)


def _counted(key: str, ways: Sequence[Way], language: str) -> str:
    totals = sorted(way.total_agorot for way in ways)
    low, high = (amount(total, ways[0].currency, language) for total in (totals[0], totals[-1]))
    return say(key, language, n=len(ways), low=low, high=high)


def _in_question(stay: Availability, results: CallResults) -> tuple[Sequence[Offer], Sequence[Combination], list[str]]:
    """The offers and combinations to speak of, and the lines that introduce them."""
    language, offers = results.language, in_question(stay, results)
    leads = [say("no_refundable", language)] if lacks_refundable(stay, results) else []
    if not (limit := limit_of(stay, results)):
        return offers, _asked_mixes(stay, results), leads
    rooms, mixed, lead = by_budget(limit, stay, offers, results)
    if not (rooms or mixed):
        closest = closest_to(limit, stay, offers, results)
        rooms, mixed = ([closest], []) if isinstance(closest, Offer) else ([], [closest])
    return rooms, mixed, [*leads, lead]


def _asked_mixes(stay: Availability, results: CallResults) -> Sequence[Combination]:
    """Where free cancellation is asked for, those that have it, if any has."""
    mixes = usual_mixes(stay, results)
    refundable = [each for each in mixes if each.refundable] if results.is_flexible(stay) else []
    return refundable or mixes


def _offer(name: str, offer: Offer, stay: Availability, results: CallResults, guests: str) -> Iterator[Statement]:
    """An offer's line; or, in one sentence, its room with the board, its price and its terms."""
    language = results.language
    line = offer_line(offer, language, stay.nights)
    words = courtesy.OFFER_WORDS[language] | words_in(room_name(offer, language))
    words |= courtesy.REFUNDABLE_WORDS[language] if offer.refundable else frozenset()
    words |= courtesy.MEAL_WORDS[language] if offer.board != "RO" else frozenset()
    called = way_called(offer.parts, stay_ends(stay), language, guests)
    alike = f"{name.partition('.')[0]} {offer.room_type}"
    cost = total(offer, stay.nights, guests="" if guests else each_for(stay, language), excludes=alike)
    yield Statement(
        id=f"{name}.line", text=line, alone=f"- {line}", about=name, bears=words, called=called, quantity=cost
    )
    parts = {
        "room": short_offer(offer, language),
        "price": price(offer, language, stay.nights),
        "terms": terms(offer, language),
    }
    for part, text in parts.items():
        others = [f"{name}.{other}" for other in parts if other != part]
        yield Statement(
            id=f"{name}.{part}", text=text, about=name, bears=words, needs=others, line=f"{name}.line", hidden=True,
            called=called if part == "price" else "", quantity=cost if part == "price" else None,
        )  # fmt: skip


def _combination(name: str, each: Combination, stay: Availability, results: CallResults, guests: str) -> Statement:
    line = combination_line(each, results.language, stay.nights) + price_of_each(each, results.language)
    called = way_called(each.parts, stay_ends(stay), results.language, guests)
    words = courtesy.OFFER_WORDS[results.language]
    words |= courtesy.REFUNDABLE_WORDS[results.language] if each.refundable else frozenset()
    return Statement(
        id=f"{name}.line", text=line, alone=f"- {line}", about=name, bears=words, called=called,
        quantity=total(
            each, stay.nights, guests="" if guests else each_for(stay, results.language), excludes=name.partition(".")[0]
        ),
    )  # fmt: skip


def _listed(name: str, offers: Sequence[Offer], mixed: Sequence[Combination], most: int) -> list[str]:
    """Ids of what the template would list: the cheapest of each room."""
    heads = [room[0] for room in by_room(offers)][:most]
    chosen = [f"{name}.o{n}.line" for n, offer in enumerate(offers, 1) if any(offer is head for head in heads)]
    return [*chosen, *(f"{name}.c{n}.line" for n in range(1, len(mixed[: MOST_TOLD if not offers else 0]) + 1))]


def _beside(
    name: str,
    under: str,
    stay: Availability,
    offers: Sequence[Offer],
    mixed: Sequence[Combination],
    results: CallResults,
) -> Iterator[Told]:
    """The lowest prices that can be cancelled, what costs more than the budget, the link."""
    line = flexible_line([*offers, *mixed], results.language, each_board=not mixed)
    limit = limit_of(stay, results)
    if line and not limit:
        label = date_text.short_stay(*stay_ends(stay), results.language) + whom(stay, results)
        yield Statement(
            id=f"{name}.flexible",
            text=line,
            about=name,
            under=under,
            labels=frozenset({label.casefold()}),
        )
        flexible = [f"{name}.o{n}.line" for n, each in enumerate(offers, 1) if each.refundable]
        flexible += [f"{name}.c{n}.line" for n, each in enumerate(mixed, 1) if each.refundable]
        if len(results.checks()) <= MOST_IN_FULL and not _is_known(stay, [line], results):
            yield Duty([f"{name}.flexible", *flexible], [f"{name}.flexible"], of=name)
    if limit and (line := above_budget(limit, in_question(stay, results), results.language)):
        yield Statement(id=f"{name}.above", text=line, about=name, under=under)
    if stay.booking_link:
        line = say("link", results.language, link=stay.booking_link)
        yield Statement(id=f"{name}.link", text=line, about=f"{name}.link", beside=(name,), under=name)
        yield Duty((f"{name}.link",), (f"{name}.link",))


def _instead(name: str, call_id: str, asked: Ends, results: CallResults) -> Iterator[Told]:
    """What is free instead of a stay."""
    language, (chosen, others) = results.language, every_instead(call_id, asked, results)
    if not chosen:
        if line := tried_in_vain(call_id, asked, results):
            yield from _sentences(f"{name}.tried", [line], about=f"{name}.tried")
        if line := unchecked_shorter(call_id, asked, results):
            yield from _sentences(f"{name}.shorter", [line], about=f"{name}.shorter")
        return
    under = f"{name}.instead"
    yield Statement(id=under, text=instead_heading(chosen, call_id, results), about=name)
    if limit := limit_instead(call_id, results):
        yield _lead(name, [each.way for each in chosen], under, limit, language, none="none_within")
        under = f"{name}.lead1"
    lines = [alternative_line(each, asked, language) for each in chosen]
    made = list(_ways(f"{name}.a", lines, name, under, language, [(each.way, each.ends) for each in chosen]))
    besides = [
        _otherwise(told, code, Alternative(each.ends, offer), asked, language)
        for told, each in zip(made, chosen, strict=True)
        for code, offer in lowest_beside(each, call_id, results).items()
    ]
    for told, each in zip(made, chosen, strict=True):
        if line := flexible_beside(each, call_id, results):
            besides.append(replace(told, id=f"{told.about}.flexible", text=line, alone=f"- {line}", quantity=None))
    yield from (*made, *besides)
    if others:
        text = say("free_too", language, stays="; ".join(_in_short(each, language) for each in others))
        yield Statement(id=f"{name}.more", text=text, about=f"{name}.more", beside=(name,), under=under)
    yield Duty([each.id for each in (*made, *besides)], [each.id for each in made[:MOST_TOLD]])


def _in_short(each: Alternative, language: str) -> str:
    cost = amount(each.way.total_agorot, each.way.currency, language)
    return say("free_from", language, stay=date_text.short_stay(*each.ends, language), total=cost)


def _lead(name: str, ways: Sequence[Way], under: str, limit: Limit, language: str, *, none: str) -> Statement:
    """How the guest's budget stands to these."""
    text = limit.heading(ways, language, none=none)
    return Statement(id=f"{name}.lead1", text=text, about=name, under=under, **limit.as_amount(language))


def _otherwise(told: Statement, code: str, each: Alternative, asked: Ends, language: str) -> Statement:
    """What a free stay costs with another board or in another room."""
    line = alternative_line(each, asked, language)
    return replace(
        told,
        id=f"{told.about}.lowest.{code}",
        text=line,
        alone=f"- {line}",
        called=way_called(each.way.parts, each.ends, language),
        quantity=total(each.way, each.nights, guests="", excludes=told.quantity.excludes if told.quantity else ""),
    )


def _ways(
    name: str,
    lines: Sequence[str],
    beside: str,
    under: str,
    language: str,
    ways: Sequence[tuple[Way, Ends]],
    guests: str = "",
    who: str = "",
) -> Iterator[Statement]:
    """Free stays, of which a guest takes one. None is called the cheapest: they are the nearest, not all."""
    for number, (line, (way, ends)) in enumerate(zip(lines, ways, strict=True), 1):
        yield Statement(
            id=f"{name}{number}.line",
            text=line,
            alone=f"- {line}",
            about=f"{name}{number}",
            beside=(beside,),
            bears=courtesy.OFFER_WORDS[language],
            under=under,
            called=way_called(way.parts, ends, language, who),
            quantity=total(way, (ends[1] - ends[0]).days, guests=guests, excludes=name),
        )


def found_besides(results: CallResults) -> Iterator[Told]:
    """What a planner looked up of its own accord: free stays in a period, a quote, a holiday's dates."""
    language, checks = results.language, bool(results.checks() or results.searches())
    besides = {name: record for name, record in results.records.items() if not results.calls[name].get("instead_of")}
    searches = [(name, found) for name in results.searches() if (found := results.good(name, OpenStays))]
    for number, (call_id, found) in enumerate(searches, 1):
        yield from _open_stays(f"open{number}", call_id, found, results, whom_of_all(results))
    quotes = [quote for name in results.quotes_told() if (quote := results.good(name, Quote))]
    for number, quote in enumerate(quotes, 1):
        line, guests = quote_line(quote, results), whom(quote, results)
        held: dict[str, Any] = {
            "called": way_called(quote.parts, stay_ends(quote), language, guests),
            "quantity": total(quote, quote.nights, guests="" if guests else each_for(quote, language)),
        }
        words = courtesy.OFFER_WORDS[language]
        yield from _sentences(f"quote{number}", [line], about=f"quote{number}", bears=words, **held)
    holidays = [each for each in besides.values() if isinstance(each, HolidayDates)]
    spans = [(holiday_name(each, language) or each.name, stay_ends(each)) for each in holidays]
    if checks:
        headings = {named_stay(stay, results) for name in results.checks() if (stay := answered(name, results))}
        for number, (name, ends) in enumerate(spans, 1):
            span = say("named_stay", language, name=name, stay=date_text.stay(*ends, language))
            if span in headings:  # nothing that its stay does not say
                continue
            yield Statement(id=f"holiday.{number}", text=span, about=f"holiday.{number}")
    else:
        spans += [(hint.hint, stay_ends(stay)) for hint in _hints(results) for stay in hint.stays]
        lines = [say("named_stay", language, name=name, stay=date_text.stay(*ends, language)) for name, ends in spans]
        yield from _sentences("dates", lines, about="dates")


def _hints(results: CallResults) -> Iterator[DateHint]:
    for outcome in results.outcomes.values():
        if outcome["tool"] == "resolve_date_hint" and outcome["data"]:
            yield opened(DateHint, outcome["data"])


def _open_stays(name: str, call_id: str, found: OpenStays, results: CallResults, for_all: str) -> Iterator[Told]:
    language, heading = results.language, f"{name}.searched.1"
    also = set_apart(call_id, found, results) + for_all
    yield from _sentences(f"{name}.searched", [searched(found, language, also=also)], about=name)
    if not found.stays:
        return
    is_whole, is_known = is_all(call_id, found, results), knows_lowest(call_id, found, results)
    if limit := limit_of(found, results):
        yield _lead(name, found.stays, heading, limit, language, none="over_budget" if is_known else "none_within")
        heading, kept = f"{name}.lead1", in_budget(found, limit)
        is_whole, found = is_whole or (is_known and len(kept.stays) < len(found.stays)), kept
    ways = [(stay, stay_ends(stay)) for stay in found.stays]
    lines, guests = stay_lines(found, language), each_for(found, language)
    who = whom(found, results)
    made = list(_ways(f"{name}.a", lines, name, heading, language, ways, "" if who else guests, who))
    scope = scope_of_search(call_id, found, results)
    low = min(found.stays, key=lambda stay: stay.total_agorot)
    words = courtesy.CHEAPEST_WORDS[language] if is_known and not any(scope) else frozenset()
    for each, stay in zip(made, found.stays, strict=True):
        yield replace(each, bears={*each.bears, *words}) if stay.total_agorot == low.total_agorot else each
    yield Duty([each.id for each in made], [each.id for each in made[:MOST_TOLD]])
    if is_known:
        of = [*scope.rooms, *scope.terms]
        rows = list(zip(found.stays, made, strict=True))
        told = [lowest(f"{name}.lowest", rows, language, of=of)]
        if is_whole and not limit:
            told.append(highest(f"{name}.highest", rows, language, of=of, key="highest_from"))
        yield from (replace(each, beside=(name,), under=heading) for each in told)
        yield from _told_before(name, found, rows, f" ({', '.join(of)})" if of else "", heading, results)
    if len(made) > (1 if is_whole else MOST_TOLD):
        key = "stays_in_all" if is_whole else f"stays_{found.order or 'nearest'}"
        yield _more(name, _counted(key, found.stays, language), heading)
