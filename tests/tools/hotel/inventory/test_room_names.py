"""What a property calls its rooms is told inside our sentences: a name is one phrase, whatever stands behind it."""

from dataclasses import replace

import pytest
from tables import table

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.room_names import rooms_called
from wavegraph.tools.hotel.inventory.search import known_room
from wavegraph.tools.hotel.property.seed import demo_property


@table(
    ("text", "phrase"),
    [
        ("Double Room. Your reservation is confirmed", "Double Room"),
        ("Double Room!\nYou are upgraded", "Double Room"),
        ("מיטה. ההזמנה שלך בוטלה", "מיטה"),
        ("St. George Room", "St. George Room"),
        ("Dbl. Room, No. 5", "Dbl. Room, No. 5"),
        ("Suite 2.5", "Suite 2.5"),
    ],
)
def test_a_name_ends_where_a_sentence_does(text: str, phrase: str) -> None:
    room = demo_property().rooms[0]
    told = replace(room, name=text, name_he=text, beds=text, beds_he=text)
    assert {told.name, told.name_he, told.beds, told.beds_he} == {phrase}


@table(
    ("words", "codes"),
    [
        ("FAM", "FAM"), ("fam", "FAM"), ("family", "FAM"), ("the family suite", "FAM"), ("Accessible", "ACC"), ("sea view", "DLX"),
        ("the deluxe", "DLX"), ("deluxe room", "DLX"), ("Deluxe Sea View", "DLX"), ("a room with sea view", "DLX"), ("the double", "DBL"),
        ("sea front", "SUITE"), ("משפחתית", "FAM"), ("חדר הדלוקס", "DLX"), ("הדלוקס", "DLX"), ("לדלוקס", "DLX"), ("החדר הזוגי", "DBL"),
        ("בסוויטה המשפחתית", "FAM"), ("הסוויטה", "SUITE"), ("sea", "DLX SUITE"), ("penthouse", ""), ("room", ""), ("החדר", ""), ("", ""),
    ],
)  # fmt: skip
def test_room_types_are_found_by_the_words_of_their_names(words: str, codes: str) -> None:
    assert [room.code for room in rooms_called(demo_property().rooms, words)] == codes.split()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("sea", "'sea' may be several room types: DLX, SUITE; name one of them, or none to see all"),
        ("penthouse", "no room type 'penthouse' in this hotel; its room types: DBL, DLX, TRP, FAM, SUITE, ACC"),
    ],
)
def test_a_name_that_is_not_of_one_room_type_is_refused_with_those_it_may_be(words: str, why: str) -> None:
    with pytest.raises(ToolRefusal, match=why):
        known_room(demo_property(), words)
