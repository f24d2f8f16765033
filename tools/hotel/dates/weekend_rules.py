"""Grammar of weekends, the Sabbath and runs of weekdays."""

from dataclasses import replace

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.day_rules import SABBATH, in_week, weekday_name, written_day
from wavegraph.tools.hotel.dates.holiday_rules import holiday
from wavegraph.tools.hotel.dates.period_rules import month_at
from wavegraph.tools.hotel.dates.point_rules import first_day, point_at
from wavegraph.tools.hotel.dates.relative_rules import from_now
from wavegraph.tools.hotel.dates.resolution import (
    DAY,
    DateFault,
    ResolvedStay,
    WrittenDay,
    read_day,
    read_range,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, counted_unit, year


def weekend(s: Sentence, i: int) -> Parsed:
    """`this weekend`, `a long weekend`, `weekend after next`, `סופ"ש הבא`, `weekend of December 12`, `Hanukkah weekend`."""
    start = s.skip(i, "the", "a")
    before = s.skip(start, "this", "next", "previous")
    before = before + 1 if s.key(before, "last") and before == start else before
    long = s.key(before, "long")
    plural = s.at(before + long).word.endswith(("s", "ים")) and not s.strict
    if not s.unit(before + long, "weekend") or s.at(before + long).num or plural:
        return None
    after = s.skip(before + long + 1, "the")
    long = long or s.key(after, "long")
    after = s.skip(after + s.key(after, "long"), "the")
    turns = [s.at(n).key for n in range(start, before)]
    if s.key(after, "this", "next", "previous") and not turns:
        turns, after = [s.at(after).key], after + 1
    elif not turns:
        after = before + long + 1
    return _weekend_of(s, i, after, long) if not turns else _turned_weekend(s, i, after, turns, long)


def _turned_weekend(s: Sentence, i: int, end: int, turns: list[str], long: bool) -> Parsed:
    label = s.words(i, end)
    if "previous" in turns or "last" in turns:
        return DateFault("past", f"{label!r} is in the past; name a future weekend"), end
    after_next = s.key(end, "after") and s.key(end + 1, "next")
    weeks = 1 if "next" in turns else 0
    if s.key(end, "next"):
        weeks, end = 2, end + 1
    return spans.relative_weekend(weeks + 2 * after_next, s.here, label, long), end + 2 * after_next


def _weekend_of(s: Sentence, i: int, at: int, long: bool) -> Parsed:
    """What follows a plain "weekend": of what, or this one."""
    if s.key(at, "after", "that") and (s.key(at + 1, "next") or s.at(at + 1).word == "that" or s.key(at, "that")):
        if s.key(at + 1, "next"):
            return spans.relative_weekend(2, s.here, s.words(i, at + 2), long), at + 2
        return DateFault("unclear", f"{s.words(i, at + 2)!r}: after which weekend? Give its date"), at + 2
    plain = s.at(at) if not s.at(at).mark else None
    if plain and not (plain.key or plain.unit or plain.holiday or plain.num or plain.month) and s.key(at + 1, "in"):
        at += bool(s.at(at + 2).month)
    of = s.skip(at, "of", "in", "on", "the")
    if s.key(at, "in") and (distant := from_now(s, at)) and isinstance(distant[0], ResolvedStay):
        return spans.weekend_of(distant[0].check_in, s.here, s.words(i, distant[1]), long), distant[1]
    point = point_at(s, of) if of > at or s.at(of).holiday else None
    if point and isinstance(point[0], ResolvedStay) and point[0].holiday:
        return spans.weekend_in_holiday(point[0], s.here), point[1]
    if point and (day := first_day(s, point[0])):
        label = f"weekend of {s.words(of, point[1])}"
        return (day if isinstance(day, DateFault) else spans.weekend_of(day.check_in, s.here, label, long)), point[1]
    if of == at and (s.at(at).num is not None or s.at(at).written or s.at(at).month) and not s.at(at).counted:
        return None
    if of > at and s.at(of).month:
        return _some_weekend(s, of, s.words(i, of + 1), long)
    return spans.relative_weekend(0, s.here, s.words(i, at), long), at


def weekend_in_month(s: Sentence, i: int) -> Parsed:
    """`first weekend of December`, `הסופ"ש האחרון של ינואר`, `first weekend of Hanukkah`."""
    found = counted_unit(s, i, "weekend")
    if found is None:
        return None
    n, at = found
    of = s.skip(at, "of", "in", "the")
    if s.at(of).holiday and of > at:
        whole = holiday(s, of)
        if whole and isinstance(whole[0], ResolvedStay):
            return spans.weekend_in_holiday(whole[0], s.here), whole[1]
        return whole
    if of == at and n > 0 and not s.key(at, "after", "before", "from"):
        return DateFault("unclear", f"{s.words(i, at)!r}: of which month?"), at
    month = month_at(s, of) if of > at else None
    return _month_weekend(s, of, n, s.words(i, month[2])) if month else None


def _some_weekend(s: Sentence, i: int, label: str, long: bool) -> Parsed:
    """`a weekend in January`: the first whose nights all lie in the month."""
    found = _month_weekend(s, i, 1, label)
    month = month_at(s, i)
    if found and month and isinstance(found[0], ResolvedStay) and found[0].check_in.month != month[0]:
        found = _month_weekend(s, i, 2, label)
    if found is None or month is None or not isinstance(found[0], ResolvedStay):
        return found
    return replace(found[0], check_out=found[0].check_out + long * DAY, window=spans.whole_month(month, s.here)), found[
        1
    ]


def _month_weekend(s: Sentence, i: int, n: int, label: str) -> Parsed:
    month = month_at(s, i)
    if month is None:
        return None
    found = spans.weekend_in_month(month[0], month[1], n, s.here, label)
    if isinstance(found, DateFault) and found.error == "past" and not year(s, i + 1):
        found = spans.weekend_in_month(month[0], month[1] + 1, n, s.here, label)
    return found, month[2]


def sabbath(s: Sentence, i: int) -> Parsed:
    """`Shabbat`, `שבת הקרובה`: in a hotel the stay from Friday to Saturday, unlike a plain Saturday."""
    the = s.skip(i, "the")
    turned = s.key(the, "this", "next")
    at = the + turned
    if s.at(at).word not in SABBATH or s.key(i - 1, "motzei", "to", "dash") or s.at(i - 1).word == "יום":
        return None
    after = s.skip(at + 1, "the")
    trail = not turned and s.key(after, "this", "next")
    end = after + 1 if trail else at + 1
    if s.at(at + 1).holiday and isinstance(whole := (holiday(s, at + 1) or (None, 0))[0], ResolvedStay):
        return _holiday_sabbath(s, whole, i, at + 2)
    friday = read_day(WrittenDay(weekday=4), s.here)
    if isinstance(friday, DateFault) or s.at(end).word in {"night", "evening"} or s.at(end).num or s.at(end).month:
        return None
    later_ = "next" in {s.at(the).key if turned else "", s.at(after).key if trail else ""}
    start = friday.check_in + (7 * DAY if later_ and friday.check_in - s.here.today < 7 * DAY else 0 * DAY)
    others = ((start - DAY, start + DAY), (start, start + 2 * DAY), (start + DAY, start + 2 * DAY))
    pairs = tuple(pair for pair in others if pair[0] >= s.here.today)
    return ResolvedStay(start, start + DAY, "weekend", s.words(i, end), note="Friday night", alternatives=pairs), end


def _holiday_sabbath(s: Sentence, whole: ResolvedStay, i: int, end: int) -> Parsed:
    """`שבת חנוכה`, `Shabbat Chol HaMoed Pesach`: its first Friday night."""
    start = whole.check_in + (4 - whole.check_in.weekday()) % 7 * DAY
    n = (start - whole.check_in).days
    part = (n, n + 1) if n < whole.nights else None
    return ResolvedStay(start, start + DAY, "part", s.words(i, end), holiday=whole.holiday, part=part), end


def day_weekend(s: Sentence, i: int) -> Parsed:
    """`December 12 weekend`, `4th of July weekend`."""
    found = written_day(s, i)
    if found is None or not s.unit(found[1], "weekend") or not isinstance(found[0], WrittenDay):
        return None
    day, label = read_day(found[0], s.here), f"weekend of {s.words(i, found[1])}"
    return (day if isinstance(day, DateFault) else spans.weekend_of(day.check_in, s.here, label)), found[1] + 1


def weekday_run(s: Sentence, i: int) -> Parsed:
    """`שישי שבת`, `חמישי שישי שבת הבא`: from the first day to the Sabbath; `חמישי שישי הקרוב`: the nights of these days."""
    names = [weekday_name(s, i)]
    while (last := names[-1]) and (follower := weekday_name(s, last[1])) and follower[0] == (last[0] + 1) % 7:
        names.append(follower)
    last = names[-1]
    if names[0] is None or last is None or len(names) < 2:
        return None
    at = s.skip(last[1], "in", "the")
    at = s.skip(at + 1, "the") if s.unit(at, "week") else last[1]
    turned = s.key(at, "this", "next")
    if last[0] != 5 and not (turned or last[0] == 4):
        return None
    start = in_week(s.here, names[0][0]) if s.key(at, "next") else None
    end = at + 1 if turned else last[1]
    day = single(start, "relative", "") if start else read_day(WrittenDay(weekday=names[0][0]), s.here)
    if isinstance(day, DateFault):
        return day, end
    departure = WrittenDay(weekday=last[0] if last[0] == 5 else last[0] + 1)
    return read_range(replace(day, kind="relative"), departure, s.here), end


def two_nights(s: Sentence, i: int) -> Parsed:
    """`Friday and Saturday night`: one stay of two nights."""
    first = weekday_name(s, i)
    second = weekday_name(s, first[1] + 1) if first and s.key(first[1], "and") else None
    if (
        first is None
        or second is None
        or (first[0] + 1) % 7 != second[0]
        or not {s.at(second[1]).word, s.at(second[1] - 1).word} & {"night", "nights"}
    ):
        return None
    day = read_day(WrittenDay(weekday=first[0]), s.here)
    end = second[1] + (s.at(second[1]).word == "nights")
    if isinstance(day, DateFault):
        return day, end
    return replace(day, check_out=day.check_in + 2 * DAY, explicit=True, fixed=True, label=s.words(i, end)), end
