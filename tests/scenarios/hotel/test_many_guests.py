"""More guests than a room, or the free rooms together, hold: rooms are offered as long as they hold all, else it is said how many
they hold, and no sentence says that nothing is free."""

from collections.abc import Callable
from typing import Any

import pytest
from hotel_runs import TODAY

from wavegraph.tools.hotel.property.port import Property
from wavegraph.tools.hotel.records import Availability, StayQuery
from wavegraph.tools.hotel.stay_arguments import AvailabilityArguments

Talk = Callable[..., Any]
STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19"}


def query(**asked: Any) -> StayQuery:
    return AvailabilityArguments.model_validate({**STAY, **asked}).query


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("We are 50 people, do you have a double room 17-19 January?", "The rooms that are free then hold 41 guests in all."),
        ("a suite for 50 people January 17-19", "The rooms that are free then hold 41 guests in all."),
        ("מה פנוי ל-50 איש ב-17-19 בינואר?", "כל החדרים הפנויים אז מספיקים ביחד עבור 41 אורחים."),
    ],
)  # fmt: skip
async def test_what_the_free_rooms_hold_is_said_where_they_do_not_hold_all(talk: Talk, text: str, says: str) -> None:
    answer = (await talk(text, {"today": TODAY})).answer

    assert says in answer
    assert "nothing is available" not in answer
    assert "No room of another kind" not in answer


@pytest.mark.parametrize("guests", [12, 24, 30, 38, 41])
async def test_rooms_that_hold_them_together_are_offered(adapter: Property, guests: int) -> None:
    today = query(adults=1).check_in
    found = await adapter.availability(query(adults=guests), today=today)
    none = await adapter.availability(query(adults=42), today=today)

    assert all(sum(part.count for part in way.parts) == way.rooms for way in found.combinations)
    assert found.combinations
    assert (none.ways, none.free_places) == ([], 41)


async def test_a_group_that_one_kind_of_room_cannot_hold_is_offered_others(talk: Talk) -> None:
    answer = (await talk("a double for 24 adults 17-19 January", {"today": TODAY})).answer

    assert "What is free instead:\n- the same dates: from" in answer
    assert "× Double Room + " in answer
    assert "I can't place" not in answer


async def test_nothing_is_said_to_be_free_of_neither_room_nor_meals_where_one_is(talk: Talk) -> None:
    answer = (await talk("a double with full board for two, 17-19 January", {"today": TODAY})).answer

    assert "none of it full board:\n- the same dates: from 702 NIS in total (351 NIS per night), Double Room" in answer


async def test_a_group_is_offered_every_board_and_the_cheapest_of_each(adapter: Property) -> None:
    today = query(adults=1).check_in
    found = await adapter.availability(query(adults=30), today=today)

    for board in ("RO", "BB", "HB"):
        alone = await adapter.availability(query(adults=30, board=board), today=today)
        assert _lowest(found, board) == _lowest(alone, board)


def _lowest(found: Availability, board: str) -> dict[bool, int]:
    """The lowest total on a board, by whether it is refundable."""
    ways = [way for way in found.combinations if way.parts[0].board == board]
    return {way.refundable: way.total_agorot for way in sorted(ways, key=lambda way: -way.total_agorot)}


@pytest.mark.parametrize("text", ["rooms for 30 adults 17-19 January", "חדרים ל-30 מבוגרים 17-19 בינואר"])
async def test_a_group_reads_the_lowest_price_of_any_board(talk: Talk, text: str) -> None:
    assert "11,754" in (await talk(text, {"today": TODAY})).answer


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("15 double rooms for 30, 17-19 January", "The rooms of this type that are free then hold 16 guests in all."),
        ("9 double rooms for 18 adults 17-19 January", "The rooms of this type that are free then hold 16 guests in all."),
        ("15 חדרים זוגיים ל-30 איש 17-19 בינואר", "החדרים הפנויים מהסוג הזה מספיקים אז ביחד עבור 16 אורחים."),
        ("9 double rooms for 9 adults 17-19 January", "Fewer than 9 rooms of this type are free then."),
        ("9 חדרים זוגיים ל-9 מבוגרים 17-19 בינואר", "פנויים אז פחות מ־9 חדרים מהסוג הזה."),
        ("3 double rooms for 10 adults 17-19 January", "There are no 3 rooms of this type that hold 10 adults."),
        ("3 חדרים זוגיים ל-10 מבוגרים 17-19 בינואר", "אין כאן 3 חדרים מהסוג הזה שמתאימים להרכב (10 מבוגרים)."),
    ],
)  # fmt: skip
async def test_too_few_rooms_of_a_type_are_not_called_too_small_or_gone(talk: Talk, text: str, says: str) -> None:
    answer = (await talk(text, {"today": TODAY})).answer

    assert says in answer
    for false in ("this room type does not hold", "no Double Room", "none of it Double Room", "אין חדר זוגי"):
        assert false not in answer


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("group of 50 (20 couples and 10 singles) 17-19 January", "10 singles"),
        ("3 couples and two singles, 17-19 January", "two singles"),
        ("3 זוגות ושני יחידים 17-19 בינואר", "שני יחידים"),
    ],
)
async def test_singles_beside_couples_are_asked_about(talk: Talk, text: str, asked: str) -> None:
    assert asked in (await talk(text, {"today": TODAY})).answer
