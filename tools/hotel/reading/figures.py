"""What the figures of a text are for: one that is of a date, of guests or of another unit is free for nothing else."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from wavegraph.tools.hotel.reading.hours import clock_spans
from wavegraph.tools.hotel.reading.normalise import blank

Kind = Literal["money", "weight", "age", "hour", "date", "night", "guest", "room", "contact", "other"]
_OF_WEIGHT = re.compile(
    r"(?<!\d)\d{1,7}(?:[.,]\d{1,3})?[ -]?(?:kgs?|kilo(?:gram|gramme)?s?|lbs?|pounds?)\b|"
    r"(?<!\d)\d{1,7}(?:[.,]\d{1,3})?[ -]?(?:ק\"ג|קילו(?:גרם)?|ליבר(?:ה|ות))(?![א-ת])"
)
_OF_NIGHTS = re.compile(r"(?<!\d)\d{1,7}[ -]?(?:nights?\b|לילות(?![א-ת]))")
_OF_ROOMS = re.compile(r"(?<!\d)\d{1,7}[ -]?(?:rooms?\b|חדרים(?![א-ת]))")
_OF_OTHERS = re.compile(
    r"(?<!\d)\d{1,7}(?:[.,]\d{1,3})?[ -]?(?:%|(?:percent|beds?|min(?:ute)?s?|hours?|km|cm|m|met(?:er|re)s?)\b)|"
    r"(?<!\d)\d{1,7}(?:[.,]\d{1,3})?[ -]?(?:אחוזים?|מיטות|דקות|שעות|מטר(?:ים)?|ק\"מ|ס\"מ)(?![א-ת])"
)


def units(text: str) -> dict[Kind, list[tuple[int, int]]]:
    """Where a prepared text has figures with a unit beside them that says what they are for."""
    return {
        "weight": [found.span() for found in _OF_WEIGHT.finditer(text)],
        "hour": clock_spans(text),
        "night": [found.span() for found in _OF_NIGHTS.finditer(text)],
        "room": [found.span() for found in _OF_ROOMS.finditer(text)],
        "other": [found.span() for found in _OF_OTHERS.finditer(text)],
    }


def free_for(kind: Kind, text: str, figures: Mapping[Kind, Sequence[tuple[int, int]]]) -> str:
    """A text without the figures that are for another kind; those that may be for either stay."""
    own = figures.get(kind, ())
    others = [span for each, spans in figures.items() if each != kind for span in spans]
    return blank(text, [span for span in others if not any(span[0] < each[1] and each[0] < span[1] for each in own)])
