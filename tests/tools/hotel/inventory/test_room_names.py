"""What a property calls its rooms is told inside our sentences: a name is one phrase, whatever stands behind it."""

from dataclasses import replace

import pytest

from wavegraph.tools.hotel.property.seed import demo_property


@pytest.mark.parametrize(
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
