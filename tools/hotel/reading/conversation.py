"""What the messages of a conversation name together, beyond doubt: who comes, and which stays are spoken of.

A later message changes what it names; what it leaves open is open from there on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import HumanMessage

from wavegraph.graph.views import View
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.followup import ROOM_TOO, adds_guests, age_told, says
from wavegraph.tools.hotel.reading.message import ParsedMessage, read
from wavegraph.tools.hotel.reading.normalise import fold, latest, prepared
from wavegraph.tools.hotel.reading.party import Party
from wavegraph.tools.hotel.reading.said import SaidStay, may_name_a_date, said_guests, said_stays

MOST_MESSAGES, MOST_CHARS = 12, 4000
"""Of the earlier messages: reading takes time."""
_OTHERS = frozenset({"another", "cheapest", "compare", "dear", "rest"})
"""Intents that may look beyond the stay that is spoken of."""


class Conversation:
    """The guest's messages, the newest last; an earlier one is read when it is needed."""

    def __init__(
        self, newest: ParsedMessage, view: View, profile: PropertyProfile, whole: ParsedMessage | None = None
    ) -> None:
        """`newest`: the request of the view, or a part of it; then `whole` is what else may be about the same, and the part."""
        self._whole = whole or newest
        earlier = [str(each.text) for each in view.conversation if isinstance(each, HumanMessage)][:-1]
        self._texts = latest(earlier[-MOST_MESSAGES:], MOST_CHARS)
        self._read = {len(self._texts): newest}
        self._today, self._profile = view.today, profile
        self.is_whole = len(self._texts) == len(earlier) and (bool(earlier) or view.previous is None)
        """Whether it has the first message, and all after it."""

    def __len__(self) -> int:
        return len(self._texts) + 1

    def __iter__(self) -> Iterator[ParsedMessage]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> ParsedMessage:
        if number not in self._read:
            text, asks_name = self._texts[number], not self.is_first(number)  # `August Weber` may be who books
            self._read[number] = read(text, today=self._today, profile=self._profile, asks_name=asks_name)
        return self._read[number]

    def is_first(self, number: int) -> bool:
        return self.is_whole and number == 0

    def guests(self, number: int | None = None) -> Mapping[str, Any]:
        """As by `said_guests`, after the message of this number; None = the newest."""
        number = len(self) - 1 if number is None else number
        if number < 0:
            return {}
        message = self[number]
        if message is self.newest and self._is_counted_elsewhere:
            return {}
        if self.is_first(number):
            return self._of_a_part(message) if message is self.newest else said_guests(message)
        if not speaks_of_guests(message):
            return {} if speaks_of_guests(self._whole) and message is self.newest else self.guests(number - 1)
        if message.adds_guests:
            return {}
        if message.left_out:
            return _without(message, self.guests(number - 1))
        if not message.party.given:
            rooms = said_guests(message)
            return {**self.guests(number - 1), **rooms} if rooms else {}
        if message.party.adults is None:
            return _with_children(message, self.guests(number - 1))
        return _named(message)

    @property
    def _is_counted_elsewhere(self) -> bool:
        """Whether other words of the request make it other guests than the newest counts."""
        newest, whole = self.newest, self._whole
        kinds = ("adults", "children", "babies")
        pairs = [(getattr(newest.party, kind), getattr(whole.party, kind)) for kind in kinds]
        others = set(whole.strangers) - set(newest.strangers)
        added = adds_guests(fold(whole.text)) and not adds_guests(fold(newest.text))
        return bool(others) or added or any(None not in pair and pair[0] != pair[1] for pair in pairs)

    def _of_a_part(self, message: ParsedMessage) -> Mapping[str, Any]:
        """What a message counts, or a part of it as far as its other words name nobody else."""
        if message is self._whole:
            return said_guests(message)
        return _named(message) if _names_young(self._whole) or message.party.others else said_guests(message)

    def stays(self) -> Sequence[SaidStay]:
        """Those that the newest message names, or where it goes on about them, those of the last that names any."""
        number = len(self) - 1
        if self.goes_on_about_a_stay:
            number = next((n for n in range(number - 1, -1, -1) if names_dates(self[n])), number)
        follows = not self.is_first(number)
        return said_stays(self[number], follows=follows, today=self._today, profile=self._profile)

    def adults(self, taken: int) -> bool:
        """Whether the guest counts so many adults, where they were counted last. Who is named alone may not be who comes."""
        counted = (self[n].party for n in reversed(range(len(self))) if self[n].party.adults is not None)
        said = next(counted, Party())
        return said.adults == taken and not said.others

    @property
    def counts_nobody(self) -> bool:
        """Whether no word of it is for a guest."""
        return self.is_whole and not any(_speaks_of_people(message) for message in self)

    @property
    def newest(self) -> ParsedMessage:
        return self[len(self) - 1]

    @property
    def follows_on(self) -> bool:
        """Whether the newest is not the first."""
        return not self.is_first(len(self) - 1)

    @property
    def goes_on_about_a_stay(self) -> bool:
        """Whether the newest names no dates, and says something else of a stay known by then: `for three`, `book it`, `and
        without the view?`."""
        message, wish = self.newest, self.newest.wish
        of_the_stay = message.party.given or message.left_out or wish.rooms or wish.room_types or wish.board
        terms = wish.refundable is not None or "book" in message.intents or message.guest.given
        beyond = message.budget or message.floor or message.pick or message.unplaced or message.intents & _OTHERS
        of_the_house = message.follow_up and message.topics
        return (
            self.follows_on
            and bool(of_the_stay or terms or of_the_house)
            and not beyond
            and not names_dates(self._whole)
        )


def speaks_of_guests(message: ParsedMessage) -> bool:
    """Whether it says, or may say, anything of who comes or in how many rooms."""
    wish = message.wish
    rooms = wish.rooms or wish.apart or wish.shared or message.or_rooms or says(ROOM_TOO, message.text)
    return bool(rooms) or _speaks_of_people(message)


def _speaks_of_people(message: ParsedMessage) -> bool:
    party = message.party
    people = party.given or party.open or party.uncounted or party.family or party.no_adults or message.parties
    strange = message.unplaced or message.impossible or age_told(message.text)
    return bool(people or strange or message.left_out or message.adds_guests)


def _names_young(message: ParsedMessage) -> bool:
    party = message.party
    return bool(party.children or party.babies or party.ages or party.uncounted)


def names_dates(message: ParsedMessage) -> bool:
    named = message.dates or message.searches or message.change or message.reference
    return bool(named) or may_name_a_date(message.text)


def _named(message: ParsedMessage) -> Mapping[str, Any]:
    """What a later message counts: `for three adults?` leaves the children open, `my sister` who else comes."""
    said, party = dict(said_guests(message)), message.party
    numbers = re.findall(r"\d+", prepared(fold(message.text))[0])
    if party.others and str(party.adults) not in numbers:
        return {}
    if not (party.children or party.babies or party.ages):
        said.pop("children", None)
    return said


def _with_children(message: ParsedMessage, before: Mapping[str, Any]) -> Mapping[str, Any]:
    """Children who come too: the adults are those known, and so are all children where there was none."""
    if "adults" not in before:
        return {}
    said = said_guests(replace(message, party=replace(message.party, adults=before["adults"])))
    return said if before.get("children") == 0 or not said else {"adults": before["adults"]}


def _without(message: ParsedMessage, before: Mapping[str, Any]) -> Mapping[str, Any]:
    """`Without the children`: the adults known, and nobody else; `without the baby`: the older children too."""
    ages = before.get("ages") or []
    is_all, babies = message.left_out == {"children", "babies"} or 1 not in ages, ages.count(1)
    others = message.unplaced or message.party.adults is not None or message.wish.rooms
    if "adults" not in before or not message.left_out <= {"children", "babies"} or others:
        return {}
    if message.left_out == {"babies"} and babies == 1:
        return {"adults": before["adults"], "children": len(ages) - 1}
    return {"adults": before["adults"], "children": 0} if is_all and message.left_out != {"babies"} else {}
