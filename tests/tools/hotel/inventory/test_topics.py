"""What a guest's words on the house lead to, and what they must not lead to."""

import pytest
from tables import table

from wavegraph.tools.hotel.inventory.topics import content_words, find_topics, hotel_info
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
    "cater for diets",
    "will it rain next week",
    "luggage on a boat trip to the islands",
    "בית מרקחת",
    "אתם מקבלים פייפאל",
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
    "lifeguard": "pool beach",
    "מציל": "pool beach",
    "towels": "beach",
    "pool towels": "pool beach",
    "dogs on the beach": "pets beach",
    "gluten free breakfast": "breakfast meals",
    "chairs": "cribs beach",
    "car charging station": "parking",
    "is the bar open": "meals smoking",
    "garden": "pets beach smoking rooms",
    "passport": "check_in vat",
    "דרכון": "check_in vat",
    "חדר כושר": "gym",
    "חדר אוכל": "meals",
}


@table("asked", UNKNOWN)
def test_a_generic_word_alone_leads_to_no_topic(asked: str) -> None:
    assert find_topics(demo_property().topics, asked) == []


@pytest.mark.parametrize("asked", ["dentist", "recommend a dentist nearby", "a dental clinic"])
def test_a_word_is_not_taken_for_one_of_a_text_that_is_like_it(asked: str) -> None:
    assert find_topics(demo_property().topics, asked) == []


@table("asked", KNOWN)
def test_a_topic_is_found_by_what_tells_it_apart(asked: str) -> None:
    assert [found.topic for found in find_topics(demo_property().topics, asked)] == KNOWN[asked].split()


def test_no_word_of_the_houses_texts_is_unknown() -> None:
    topics = demo_property().topics
    texts = [part for each in topics for part in (each.title, each.title_he, each.text, each.text_he, *each.aliases)]
    words = {word for text in texts for word in content_words(text)}
    assert len(words) > 500
    assert [word for word in words if not find_topics(topics, word)] == []


@table("asked", ["luggage", "lift", "elevator", "vegetarian food", "מזוודות", "מעלית", "אוכל צמחוני"])
def test_what_a_house_says_nothing_on_leads_to_no_text(asked: str) -> None:
    silent = [
        each
        for each in demo_property().topics
        if each.topic in ("parking", "breakfast", "pets", "check_in", "check_out")
    ]
    assert find_topics(silent, asked) == []


@pytest.mark.parametrize(
    ("asked", "text", "text_he"),
    [
        ("luggage", "Luggage can be left at reception from 08:00.", "אפשר להשאיר מזוודות בקבלה מ־08:00."),
        ("מזוודות", "Luggage can be left at reception from 08:00.", "אפשר להשאיר מזוודות בקבלה מ־08:00."),
    ],
)
def test_of_a_text_that_has_another_topic_only_what_was_asked_is_told(asked: str, text: str, text_he: str) -> None:
    """The fee of coming early is no answer to luggage on the day of leaving."""
    demo = demo_property()
    found = hotel_info(demo.record, demo.topics, asked)
    assert (found.title, found.text, found.text_he, found.policy) == ("", text, text_he, None)


def test_of_a_topic_that_was_named_all_is_told() -> None:
    demo = demo_property()
    whole = next(each for each in demo.topics if each.topic == "early_check_in")
    assert hotel_info(demo.record, demo.topics, "early check-in").text == whole.text
