"""The hotel's date grammar: guests' words for stays, in English and Hebrew, read without a clock or a network."""

from wavegraph.tools.hotel.dates.reader import find_dates, holiday, resolve
from wavegraph.tools.hotel.dates.records import Church, Customs, DateError, DatePhrase, DateResolution, Stay, StayKind

__all__ = [
    "Church",
    "Customs",
    "DateError",
    "DatePhrase",
    "DateResolution",
    "Stay",
    "StayKind",
    "find_dates",
    "holiday",
    "resolve",
]
