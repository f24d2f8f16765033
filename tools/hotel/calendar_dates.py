"""What the calendar tools give: words for dates as stays, and a holiday's days. Pure, so that a plan's own dates are known
before its calls have run."""

from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel import dates
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.records import DateHint, HolidayDates, every_date


def resolved_hint(hint: str, profile: PropertyProfile, *, today: date) -> DateHint:
    """The stays that the words mean; none, and why, if they mean none."""
    found = dates.resolve(hint, today=today, **profile.customs)
    return DateHint(hint=hint, stays=found.stays, error=found.error, message=found.message)


def holiday_dates(name: str, year: int | None, profile: PropertyProfile, *, today: date) -> HolidayDates:
    """The holiday in that year; None = the next one to come. Raises `ToolRefusal` if there is none of that name."""
    found = dates.holiday(name, today=today, year=year, **profile.customs)
    if not found.stays:
        raise ToolRefusal(found.error or "unclear", found.message)
    stay = found.stays[0]
    return HolidayDates(
        name=stay.label,
        check_in=stay.check_in,
        check_out=stay.check_out,
        nights=stay.nights,
        dates=every_date(stay.check_in, stay.check_out),
        note=stay.note,
    )
