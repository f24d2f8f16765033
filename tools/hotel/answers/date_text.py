"""Dates as guests read them, in English and Hebrew: weekday, day, month, year."""

from collections.abc import Sequence
from datetime import date

EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
HE_DAYS = ("יום שני", "יום שלישי", "יום רביעי", "יום חמישי", "יום שישי", "יום שבת", "יום ראשון")
# fmt: off
EN_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
             "November", "December")
HE_MONTHS = ("ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר")
# fmt: on


def weekday(day: date, language: str) -> str:
    return (HE_DAYS if language == "he" else EN_DAYS)[day.weekday()]


def full_day(day: date, language: str, *, year: bool = True) -> str:
    """`Sunday 17 January 2027`, `יום ראשון, 17 בינואר 2027`."""
    end = f" {day.year}" if year else ""
    if language == "he":
        return f"{weekday(day, 'he')}, {day.day} ב{HE_MONTHS[day.month - 1]}{end}"
    return f"{weekday(day, 'en')} {day.day} {EN_MONTHS[day.month - 1]}{end}"


def nights(number: int, language: str) -> str:
    if language == "he":
        return {1: "לילה אחד", 2: "שני לילות"}.get(number, f"{number} לילות")
    return "1 night" if number == 1 else f"{number} nights"


def stay(check_in: date, check_out: date, language: str) -> str:
    """Both ends and the length. Hebrew uses `עד`: a dash would swap the numbers in right-to-left text."""
    same_year = check_in.year == check_out.year
    start = full_day(check_in, language, year=not same_year)
    end = full_day(check_out, language)
    length = nights((check_out - check_in).days, language)
    return f"{start} עד {end} ({length})" if language == "he" else f"{start} – {end}, {length}"


def short_stay(check_in: date, check_out: date, language: str) -> str:
    """Both ends inside a sentence: `17–19 January 2027`, `30 December 2026 – 2 January 2027`."""
    months, joint = (HE_MONTHS, "ב") if language == "he" else (EN_MONTHS, "")
    first, last = (f"{day.day} {joint}{months[day.month - 1]} {day.year}" for day in (check_in, check_out))
    if (check_in.year, check_in.month) == (check_out.year, check_out.month):
        first = str(check_in.day)
    elif check_in.year == check_out.year:
        first = first.rpartition(" ")[0]
    if language == "he":
        return f"{first} עד {last}"
    return f"{first}–{last}" if first.isdigit() else f"{first} – {last}"


def day_list(days: Sequence[date], language: str, *, most: int = 4) -> str:
    """The first few days, separated by commas."""
    named = [full_day(day, language) for day in days[:most]]
    more = "…" if len(days) > most else ""
    return "; ".join(named) + more if language == "he" else ", ".join(named) + more
