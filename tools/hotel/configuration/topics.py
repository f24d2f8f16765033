"""What a hotel of the properties file says of itself: its times, its children's ages, its own pages."""

from collections.abc import Iterator

from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.inventory.property_data import Topic
from wavegraph.tools.hotel.records import Policy

ALIASES = {
    "check-in": ("check in", "checkin", "arrival time", "צ'ק אין", "שעת הגעה", "כניסה"),
    "check-out": ("check out", "checkout", "departure time", "צ'ק אאוט", "שעת עזיבה", "יציאה"),
    "children": ("child", "kids", "ages of children", "ילדים", "גיל ילדים"),
}


def topics_of(entry: PropertyEntry) -> list[Topic]:
    return [*_times(entry), *_pages(entry)]


def _times(entry: PropertyEntry) -> Iterator[Topic]:
    first, last = entry.child_ages
    said = [
        ("check-in", "Check-in", "צ'ק אין", f"Check-in from {entry.check_in}.", f"כניסה לחדרים מהשעה {entry.check_in}."),
        ("check-out", "Check-out", "צ'ק אאוט", f"Check-out by {entry.check_out}.", f"עזיבת החדרים עד השעה {entry.check_out}."),
        ("children", "Children", "ילדים", f"Children are guests of {first} to {last} years.", f"ילדים הם אורחים בגיל {first} עד {last}."),
    ]  # fmt: skip
    times = {"check-in": Policy(from_time=entry.check_in), "check-out": Policy(until_time=entry.check_out)}
    for name, title, title_he, text, text_he in said:
        yield Topic(name, title, title_he, text, text_he, ALIASES[name], times.get(name))


def _pages(entry: PropertyEntry) -> Iterator[Topic]:
    for name, address in entry.links.items():
        yield Topic(name, name, name, f"{name}: {address}", f"{name}: {address}", ())
