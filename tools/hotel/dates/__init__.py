"""The hotel's date grammar: guests' words for stays, in English and Hebrew, read without a clock or a network."""

from wavegraph.tools.hotel.dates.reader import find_dates, holiday, resolve
from wavegraph.tools.hotel.dates.records import Church, Customs, DateError, DatePhrase, DateResolution, Kind, Stay

__all__ = [
    "Church",
    "Customs",
    "DateError",
    "DatePhrase",
    "DateResolution",
    "Kind",
    "Stay",
    "find_dates",
    "holiday",
    "resolve",
]
