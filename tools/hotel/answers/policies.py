"""The figures of a house's topics beside the guest's: whether 15 kg is above the limit, and what a fee comes to for the stay.

Both figures are given, the property's by itself and the guest's in a call: none is read out of a text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wavegraph.graph.answer.operators import Quantity
from wavegraph.graph.answer.statements import Statement
from wavegraph.tools.hotel.answers import date_text
from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.offers import type_name
from wavegraph.tools.hotel.answers.phrases import joined, say
from wavegraph.tools.hotel.reading.figures import Kind
from wavegraph.tools.hotel.records import Availability, Booking, FeePer, OpenStays, Policy, QuotedStay, TopicText

DAWN = "05:00"
"""An hour before it belongs to the night before: who arrives half past midnight is late, not early."""


def compared(info: TopicText, title: str, results: CallResults) -> list[str]:
    """How the guest's figures stand to the property's on this topic, in sentences: `Pets: 15 kg is above the limit of 12 kg.`"""
    if info.policy is None:
        return []
    told = [line for said in _figures(info, results) for line in _told(info.policy, said, results.language)]
    return [f"{title}: {line}" for line in dict.fromkeys(told)]


def _figures(info: TopicText, results: CallResults) -> list[dict[str, Any]]:
    """The guest's own, of each call that was for this topic."""
    asked = (name for name in results.records if info.topic in (other.topic for other in results.texts(name)))
    return [_said(results.outcomes[name]["args"], results) for name in asked]


def _said(args: Mapping[str, Any], results: CallResults) -> dict[str, Any]:
    """The figures of a call that stand in the guest's own words."""
    kinds: dict[str, Kind] = {"kg": "weight", "age": "age"}
    numbers = {name: args[name] for name in kinds if isinstance(args.get(name), int | float)}
    said = {name: number for name, number in numbers.items() if results.is_said(kinds[name], number)}
    time = args.get("time")
    return {**said, "time": time} if isinstance(time, str) and results.is_hour_said(time) else said


def _told(policy: Policy, said: Mapping[str, Any], language: str) -> Iterator[str]:
    for key, figures in _beside_limits(policy, said):
        yield say(key, language, **figures)
    if (time := said.get("time")) and (key := _beside_hours(policy, time)):
        yield say(key, language, time=time, hours=_hours(policy))


_BEYOND = frozenset({"kg_above", "age_below"})


def _beside_limits(policy: Policy, said: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is said of each figure that has a limit, with both."""
    if policy.max_kg is not None and (kg := said.get("kg")) is not None:
        yield "kg_above" if kg > policy.max_kg else "kg_within", {"kg": f"{kg:g}", "limit": policy.max_kg}
    if policy.min_age is not None and (age := said.get("age")) is not None:
        yield "age_below" if age < policy.min_age else "age_enough", {"age": age, "limit": policy.min_age}


def _beside_hours(policy: Policy, time: str) -> str:
    """Where a time lies; empty = the property names none, or one bound that it is not beyond: its own sentence says what holds."""
    first, last = policy.from_time, policy.until_time
    if first and last:
        is_inside = first <= time <= last if first <= last else time >= first or time <= last
        return "time_within" if is_inside else "time_outside"
    if first:
        return "time_before" if DAWN <= time < first else ""
    return "time_after" if last and time > last else ""


def _hours(policy: Policy) -> str:
    return "–".join(filter(None, (policy.from_time, policy.until_time)))


@dataclass(frozen=True)
class Fee:
    """What a topic costs."""

    minor_units: int
    per: FeePer
    currency: str
    topic: str
    """What it is for is called, with the times that the fee is for."""
    language: str
    is_lowest: bool = False
    """Of several."""
    never: str = ""
    """Why this guest does not pay it."""
    rooms: Mapping[str, str] = field(default_factory=dict)
    """Names of the only rooms that it is charged for, by code; empty = it may be any."""

    @property
    def is_nightly(self) -> bool:
        return self.per in ("night", "each_night")

    def statement(self, name: str, nights: int | None = None) -> Statement:
        """`nights`: that it comes to so much for; without them a nightly fee is told for one, and not added up."""
        unit = f"{self.currency}/night" if self.is_nightly and not nights else self.currency
        each = say("per_each", self.language) if "each" in self.per else ""
        lowest = say("lowest_fee", self.language) if self.is_lowest else ""
        length = date_text.nights(nights, self.language) if nights else ""
        return Statement(
            id=name,
            text=self._text(nights),
            called=", ".join(filter(None, [self.topic, lowest, each, length])),
            quantity=Quantity(
                self.minor_units * (nights or 1), unit, fixed=True, only_with=frozenset(self.rooms), never=self.never
            ),
        )

    def _text(self, nights: int | None) -> str:
        topic = f"{self.topic} ({joined([*self.rooms.values()], self.language)})" if self.rooms else self.topic
        if not self.minor_units:
            return say("costs_nothing", self.language, topic=topic)
        fee = f"{amount(self.minor_units, self.currency, self.language)} {say(f'per_{self.per}', self.language)}"
        fee = say("fee_from", self.language, fee=fee) if self.is_lowest else fee
        if not nights:
            return say("costs", self.language, topic=topic, fee=fee)
        total = amount(self.minor_units * nights, self.currency, self.language)
        length = date_text.nights(nights, self.language)
        return say("costs_in_all", self.language, topic=topic, fee=fee, total=total, nights=length)


def fees(name: str, info: TopicText, title: str, results: CallResults) -> Iterator[Statement]:
    """What the topic costs, `pets.fee`: for the nights of the stay where it is paid by the night; for one night where stays
    differ in length, and a sum counts those of the stay beside it. None where each figure of the guest's is beyond a limit."""
    policy, figures = info.policy, _figures(info, results)
    if policy is None or policy.fee_agorot is None:
        return
    if figures and all(_BEYOND & {key for key, _ in _beside_limits(policy, said)} for said in figures):
        return  # nothing is to be paid for what is not had
    one = policy.fee_of_he if results.language == "he" else policy.fee_of
    topic = ", ".join(filter(None, [one or title, _when(policy, results.language)]))
    rooms = {code: type_name(code, results.profile, results.language) for code in policy.rooms}
    never = _not_at(policy, [said["time"] for said in figures if "time" in said] or results.hours_said())
    fee = Fee(policy.fee_agorot, policy.fee_per, info.currency, topic, results.language, policy.fee_from, never, rooms)
    lengths = _lengths(results) if fee.is_nightly else []
    yield fee.statement(f"{name}.fee", lengths[0] if len(lengths) == 1 else None)


def _not_at(policy: Policy, times: Sequence[str]) -> str:
    """Why a fee for some hours is not for a guest who speaks of these; an hour at night may be meant of the afternoon."""
    known = [time for time in times if time >= DAWN]
    if not known or not _hours(policy) or any(_holds_at(policy, time) for time in known):
        return ""
    return f"it is for {_when(policy, 'en')}, and the guest speaks of {joined(known, 'en')}"


def _holds_at(policy: Policy, time: str) -> bool:
    """At the hour until which it is paid nobody pays it any more: `free from 13:00`."""
    if policy.until_time and not policy.from_time:
        return time < policy.until_time
    return _beside_hours(policy, time) not in ("time_outside", "time_before")


def _lengths(results: CallResults) -> list[int]:
    """The nights of the stays that are told of, each number once."""
    found = results.records.values()
    stays = (each for each in found if isinstance(each, Availability | OpenStays | QuotedStay | Booking))
    return list(dict.fromkeys(stay.nights for stay in stays))


def _when(policy: Policy, language: str) -> str:
    """The times that the fee is for."""
    hours = _hours(policy)
    if policy.from_time and policy.until_time:
        return hours
    key = "from_hour" if policy.from_time else "until_hour"
    return say(key, language, time=hours) if hours else ""
