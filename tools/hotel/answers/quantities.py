"""What the hotel's statements count or cost, for what is worked out of them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from wavegraph.graph.answer.operators import Arithmetic, Quantity
from wavegraph.graph.answer.statements import Statement
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.offers import way_name
from wavegraph.tools.hotel.answers.phrases import party, say
from wavegraph.tools.hotel.currency import is_currency
from wavegraph.tools.hotel.reading.normalise import fold, prepared
from wavegraph.tools.hotel.records import Availability, Offer, OpenStay, OpenStays, Quote, Way
from wavegraph.tools.hotel.results import Ends

SQUARE_METRES = "m²"
_SMALL = re.compile(r"(?<![\d.,])\d{1,2}(?![\d.,]*\d)")


def arithmetic(results: CallResults) -> Arithmetic:
    counts, together = _counts(results), {each.rooms for each in results.parties() if each}
    return Arithmetic(
        results.language,
        lambda number, unit: written(number, unit, results.language),
        counts=counts,
        # A price is for all guests and nights, and for all rooms that were looked up together.
        factors={each for each in counts if each not in together and results.is_said("room", each)},
    )


def _counts(results: CallResults) -> frozenset[int]:
    """The numbers of the request, and of the guests, rooms and nights that were looked up."""
    said, _ = prepared(fold(" ".join([results.said, *results.conversation_said])))
    numbers = {int(each) for each in _SMALL.findall(said)}
    for each in filter(None, results.parties()):
        children = len(each.children_ages)
        numbers |= {each.adults, children, each.adults + children, each.rooms or 1}
    for found in results.records.values():
        if isinstance(found, Availability | OpenStays | Quote):
            numbers |= {found.nights, found.nights * (found.adults + len(found.children_ages))}
        if isinstance(found, Availability):
            numbers |= {found.rooms, *(way.rooms for way in found.combinations)}
    return frozenset(numbers)


def written(number: int, unit: str, language: str) -> str:
    """`780 NIS`, `390 NIS per night`, `22 m²`, `12 kg`."""
    if unit == SQUARE_METRES:
        return say("room_size", language, n=number)
    if unit == "night":
        return date_text.nights(number, language)
    of, _, per = unit.partition("/")
    if not is_currency(of):
        return f"{number:,} {unit}"
    told = amount(number, of, language)
    return f"{told} {say(f'per_{per}', language)}" if per else told


def total(way: Way | Quote, nights: int, *, guests: str, excludes: str = "") -> Quantity:
    """`guests`: whom each of several is for; `excludes`: what is the same of all of which a guest takes one."""
    rooms = frozenset(part.room_type for part in way.parts)
    return Quantity(way.total_agorot, way.currency, excludes=excludes, kinds=rooms, over=(nights, "night"), each=guests)


def nightly(told: Iterable[Statement], language: str) -> Iterator[Statement]:
    """The price of a night, `s1.o1.night`, behind each price of a stay: what is compared and divided."""
    for each in told:
        if each.quantity and not each.needs and (rate := _rate(each.quantity)):
            text = written(rate.amount, rate.unit, language)
            name = f"{each.id.removesuffix('.line')}.night"
            yield replace(
                each,
                id=name,
                text=text,
                alone="",
                needs=(each.id,),
                line=each.line or each.id,
                hidden=True,
                quantity=rate,
            )


def _rate(held: Quantity) -> Quantity | None:
    """What it comes to for each of what it is the amount of: an average, which others of them need not cost."""
    if held.over is None:
        return None
    number, unit = held.over
    return Quantity((2 * held.amount + number) // (2 * number), f"{held.unit}/{unit}")


def each_for(found: Availability | OpenStays | Quote, language: str) -> str:
    """Whom each of several rooms or stays is for."""
    return say("each_for", language, party=party(found.adults, found.children_ages, language))


def way_called(parts: Sequence[Offer | OpenStay], ends: Ends, language: str, guests: str = "") -> str:
    """A way to stay, so that no other has the same name: `Double Room, room only, non-refundable, 17–19 January 2027`."""
    free = all(part.refundable for part in parts)
    key = "refundable_open" if free and parts[0].cancel_until else "refundable_terms" if free else "non_refundable"
    stay = date_text.short_stay(*ends, language)
    return f"{way_name(parts, language)}, {say(key, language)}, {stay}{guests}"
