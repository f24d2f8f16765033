"""What a guest's words on the house lead to, and what they must not lead to."""

import pytest

from wavegraph.tools.hotel.inventory.topics import find_topic
from wavegraph.tools.hotel.property.seed import demo_property

UNKNOWN = (
    "adjacent rooms",
    "connecting rooms",
    "rooms next to each other",
    "quiet rooms",
    "room service",
    "hotel history",
    "long stay discount",
    "discount for a longer stay",
    "prayer times",
    "high floor rooms",
    "הנחה לשהייה ארוכה",
    "זמני תפילה",
    "קומה גבוהה",
    "חדרים צמודים",
    "חדר סמוך",
    "חדרים עם דלת מקשרת",
    "חדר שקט",
    "שירות חדרים",
)
KNOWN = {
    "stay longer": "late_check_out",
    "high chair": "cribs",
    "swimming cap": "pool",
    "times of the shuttle": "transport",
    "להישאר עם הכלב": "pets",
    "rooms": "rooms",
    "how many rooms do you have": "rooms",
    "number of rooms": "rooms",
    "rooms with a balcony": "rooms",
    "meeting room": "events",
    "smoking room": "smoking",
    "חדרים": "rooms",
    "כמה חדרים יש במלון": "rooms",
    "lift": "accessibility",
    "is there an elevator": "accessibility",
    "מעלית": "accessibility",
    "shabbat lift": "shabbat",
    "vegetarian food": "meals",
    "luggage": "early_check_in",
    "חדר כושר": "gym",
    "חדר אוכל": "meals",
}


@pytest.mark.parametrize("asked", UNKNOWN)
def test_a_generic_word_alone_leads_to_no_topic(asked: str) -> None:
    assert find_topic(demo_property().topics, asked) is None


@pytest.mark.parametrize("asked", KNOWN)
def test_a_topic_is_found_by_what_tells_it_apart(asked: str) -> None:
    found = find_topic(demo_property().topics, asked)
    assert found is not None
    assert found.topic == KNOWN[asked]


@pytest.mark.parametrize("asked", ["luggage", "lift", "elevator", "vegetarian food", "מזוודות", "מעלית", "אוכל צמחוני"])
def test_what_a_house_says_nothing_on_leads_to_no_text(asked: str) -> None:
    silent = [
        each
        for each in demo_property().topics
        if each.topic in ("parking", "breakfast", "pets", "check_in", "check_out")
    ]
    assert find_topic(silent, asked) is None
