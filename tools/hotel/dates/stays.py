"""Grammar of stays with a name: weekends, weeks, months, holidays and their pieces, and times around them."""

from dataclasses import replace

from dateutil.relativedelta import relativedelta

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.days import (
    count,
    day_from,
    from_now,
    hebrew_date,
    later,
    named_day,
    weekday,
    weekday_in_month,
    weekday_name,
    with_weekday,
    written_day,
)
from wavegraph.tools.hotel.dates.readings import (
    DAY,
    MONTH_NAMES,
    Day,
    Fault,
    Point,
    Reading,
    read_day,
    read_holiday,
    read_range,
    single,
)
from wavegraph.tools.hotel.dates.sentence import Parsed, Rule, Sentence, hebrew, longest, number, year

# --- weekends ----------------------------------------------------------------------------------------------------


def weekend(s: Sentence, i: int) -> Parsed:
    """`this weekend`, `a long weekend`, `weekend after next`, `סופ"ש הבא`, `weekend of December 12`, `Hanukkah weekend`."""
    start = s.skip(i, "the", "a")
    before = s.skip(start, "this", "next", "previous")
    before = before + 1 if s.key(before, "last") and before == start else before
    long = s.key(before, "long")
    plural = s.at(before + long).word.endswith("s") and not s.strict
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
    label = s.said(i, end)
    if "previous" in turns or "last" in turns:
        return Fault("past", f"{label!r} is in the past; name a coming weekend"), end
    after_next = s.key(end, "after") and s.key(end + 1, "next")
    weeks = 1 if "next" in turns else 0
    if s.key(end, "next"):
        weeks, end = 2, end + 1
    return spans.relative_weekend(weeks + 2 * after_next, s.here, label, long), end + 2 * after_next


def _weekend_of(s: Sentence, i: int, at: int, long: bool) -> Parsed:
    """The rest after a plain "weekend": of what, or this one."""
    if s.key(at, "after", "that") and (s.key(at + 1, "next") or s.at(at + 1).word == "that" or s.key(at, "that")):
        if s.key(at + 1, "next"):
            return spans.relative_weekend(2, s.here, s.said(i, at + 2), long), at + 2
        return Fault("unclear", f"{s.said(i, at + 2)!r}: after which weekend? Give its date"), at + 2
    of = s.skip(at, "of", "in", "on", "the")
    point = point_at(s, of) if of > at or s.at(of).holiday else None
    if point and isinstance(point[0], Reading) and point[0].holiday:
        return spans.weekend_in_holiday(point[0], s.here), point[1]
    if point and (day := _first_day(s, point[0])):
        label = f"weekend of {s.said(of, point[1])}"
        return (day if isinstance(day, Fault) else spans.weekend_of(day.check_in, s.here, label, long)), point[1]
    if of > at and s.at(of).month:
        return _month_weekend(s, of, 1, s.said(i, of + 1))
    return spans.relative_weekend(0, s.here, s.said(i, at), long), at


def _first_day(s: Sentence, point: Point) -> Reading | Fault | None:
    return read_day(point, s.here) if isinstance(point, Day) else point


def ordinal(s: Sentence, i: int) -> int | None:
    """first .. fifth, last = -1."""
    if s.key(i, "last"):
        return -1
    return s.at(i).num if s.at(i).ordinal and not s.at(i).counted else None


def counted_unit(s: Sentence, i: int, unit: str) -> tuple[int, int] | None:
    """`the second week`, `השבוע השני`, `last weekend`, `weekend before last`: which one and where it ends."""
    i = s.skip(i, "the")
    if (n := ordinal(s, i)) and s.unit(i + 1, unit) and not hebrew(s.at(i).word):
        return n, i + 2
    at = s.skip(i + 1, "the")
    if s.unit(i, unit) and hebrew(s.at(at).word) and (n := ordinal(s, at)):
        return n, at + 1
    return None


def weekend_in_month(s: Sentence, i: int) -> Parsed:
    """`first weekend of December`, `הסופ"ש האחרון של ינואר`, `first weekend of Hanukkah`."""
    found = counted_unit(s, i, "weekend")
    if found is None:
        return None
    n, at = found
    of = s.skip(at, "of", "in", "the")
    if s.at(of).holiday and of > at:
        whole = holiday(s, of)
        if whole and isinstance(whole[0], Reading):
            return spans.weekend_in_holiday(whole[0], s.here), whole[1]
        return whole
    month = _month_at(s, of) if of > at else None
    return _month_weekend(s, of, n, s.said(i, month[2])) if month else None


def _month_at(s: Sentence, i: int) -> tuple[int, int, int] | None:
    """A month with its year, `next month` and `the month` included: month, year, end."""
    i = s.skip(i, "the")
    i = s.skip(i + 1, "of") if s.unit(i, "month") and s.at(s.skip(i + 1, "of")).month else i
    lead = s.key(i, "next", "this")
    if s.at(i + lead).month:
        given = year(s, i + lead + 1)
        month = s.at(i + lead).month or 1
        return month, given[0] if given else spans.month_year(month, s.here), given[1] if given else i + lead + 1
    if s.unit(i + lead, "month") and not s.at(i + lead).num:
        after = s.skip(i + lead + 1, "the")
        trail = not lead and s.key(after, "next", "this")
        turn = s.at(i).key if lead else s.at(after).key if trail else ""
        then = s.here.today + relativedelta(months=turn == "next")
        return then.month, then.year, after + 1 if trail else i + lead + 1
    return None


def _month_weekend(s: Sentence, i: int, n: int, label: str) -> Parsed:
    month = _month_at(s, i)
    if month is None:
        return None
    found = spans.weekend_in_month(month[0], month[1], n, s.here, label)
    if isinstance(found, Fault) and found.error == "past" and not year(s, i + 1):
        found = spans.weekend_in_month(month[0], month[1] + 1, n, s.here, label)
    return found, month[2]


# --- weeks and months --------------------------------------------------------------------------------------------


_SABBATH = {"שבת", "shabbat", "shabbos"}


def sabbath(s: Sentence, i: int) -> Parsed:
    """`Shabbat`, `שבת הקרובה`: in a hotel the stay from Friday to Saturday, unlike a plain Saturday."""
    the = s.skip(i, "the")
    turned = s.key(the, "this", "next")
    at = the + turned
    if s.at(at).word not in _SABBATH or s.key(i - 1, "motzei", "to", "dash") or s.at(i - 1).word == "יום":
        return None
    after = s.skip(at + 1, "the")
    trail = not turned and s.key(after, "this", "next")
    end = after + 1 if trail else at + 1
    friday = read_day(Day(weekday=4), s.here)
    if isinstance(friday, Fault) or s.at(end).word in {"night", "evening"} or s.at(end).num or s.at(end).month:
        return None
    later_ = "next" in {s.at(the).key if turned else "", s.at(after).key if trail else ""}
    start = friday.check_in + (7 * DAY if later_ and friday.check_in - s.here.today < 7 * DAY else 0 * DAY)
    others = ((start - DAY, start + DAY), (start, start + 2 * DAY), (start + DAY, start + 2 * DAY))
    pairs = tuple(pair for pair in others if pair[0] >= s.here.today)
    return Reading(start, start + DAY, "weekend", s.said(i, end), note="Friday night", alternatives=pairs), end


def day_weekend(s: Sentence, i: int) -> Parsed:
    """`December 12 weekend`, `4th of July weekend`."""
    found = written_day(s, i)
    if found is None or not s.unit(found[1], "weekend") or not isinstance(found[0], Day):
        return None
    day, label = read_day(found[0], s.here), f"weekend of {s.said(i, found[1])}"
    return (day if isinstance(day, Fault) else spans.weekend_of(day.check_in, s.here, label)), found[1] + 1


def two_nights(s: Sentence, i: int) -> Parsed:
    """`Friday and Saturday nights`: one stay of two nights."""
    first = weekday_name(s, i)
    second = weekday_name(s, first[1] + 1) if first and s.key(first[1], "and") else None
    if first is None or second is None or (first[0] + 1) % 7 != second[0] or s.at(second[1]).word != "nights":
        return None
    day = read_day(Day(weekday=first[0]), s.here)
    end = second[1] + 1
    if isinstance(day, Fault):
        return day, end
    return replace(day, check_out=day.check_in + 2 * DAY, explicit=True, fixed=True, label=s.said(i, end)), end


def week(s: Sentence, i: int) -> Parsed:
    """`next week`, `this week`, `השבוע`, `the week of December 14`, `Christmas week`, `second week of March`."""
    if found := counted_unit(s, i, "week"):
        n, at = found
        of = s.skip(at, "of", "in")
        month = _month_at(s, of) if of > at else None
        return (_week_of_month(s, month, n, s.said(i, month[2])), month[2]) if month else None
    the = s.skip(i, "the")
    start = the + s.key(the, "this", "next", "previous")
    if not s.unit(start, "week") or s.at(start).num:
        return None
    at = s.skip(start + 1, "the")
    turn = s.at(the).key if start > the else s.at(at).key if s.key(at, "this", "next", "previous") else ""
    end = at + 1 if start == the and turn else start + 1
    return _turned_week(s, i, end, turn) if turn else _plain_week(s, i, start, the > i)


def _week_of_month(s: Sentence, month: tuple[int, int, int], n: int, label: str) -> Reading | Fault:
    found = spans.week_in_month(month[0], month[1], n, s.here, label)
    if isinstance(found, Fault) and found.error == "past":
        return spans.week_in_month(month[0], month[1] + 1, n, s.here, label)
    return found


def _turned_week(s: Sentence, i: int, end: int, turn: str) -> Parsed:
    label = s.said(i, end)
    if turn == "previous":
        return Fault("past", f"{label!r} is in the past; name a coming week"), end
    if s.key(end, "after") and s.key(end + 1, "next"):
        return None
    return spans.week(spans.week_start(s.here.today, s.here) + (turn == "next") * 7 * DAY, s.here, label), end


def _plain_week(s: Sentence, i: int, at: int, definite: bool) -> Parsed:
    if s.key(at + 1, "after") and s.key(at + 2, "next"):
        return spans.week(spans.week_start(s.here.today, s.here) + 14 * DAY, s.here, s.said(i, at + 3)), at + 3
    of = s.skip(at + 1, "of", "the")
    point = point_at(s, of) if of > at + 1 else None
    day = _first_day(s, point[0]) if point else None
    if point and day:
        return _week_around(s, day, f"week of {s.said(of, point[1])}"), point[1]
    if definite and s.at(at).word == "שבוע" and not s.key(at + 1, "after", "before", "that"):
        return _turned_week(s, i, at + 1, "this")
    return None


def _week_around(s: Sentence, day: Reading | Fault, label: str) -> Reading | Fault:
    if isinstance(day, Fault) or (day.holiday and day.nights >= 6):
        return day
    found = spans.week(spans.week_start(day.first or day.check_in, s.here), s.here, label)
    return replace(found, holiday=day.holiday) if isinstance(found, Reading) else found


def month(s: Sentence, i: int) -> Parsed:
    """`in January`, `mid January`, `end of next month`, `next month`, `תחילת מרץ`, `סוף החודש`, `early 2027`: no."""
    the = s.skip(i, "the")
    part = s.at(the).key if s.key(the, "early", "mid", "late") else ""
    lead = s.skip(the + 1, "dash", "of", "in", "the", "to") if part else the
    found = _month_at(s, lead)
    if found is None or (not part and not _names_month(s, i, lead, found[2])):
        return None
    label = f"{part} {MONTH_NAMES[found[0] - 1]}".strip() + f" {found[1]}"
    span = spans.month_span(found[0], found[1], part or None, s.here, label)  # type: ignore[arg-type]
    if isinstance(span, Fault) and span.error == "past" and part and s.at(lead).month:
        span = spans.month_span(found[0], found[1] + 1, part or None, s.here, label)  # type: ignore[arg-type]
    return span, found[2]


def half_month(s: Sentence, i: int) -> Parsed:
    """`first half of March`, `המחצית השנייה של ינואר`."""
    i = s.skip(i, "the")
    word, after = s.key(i, "half"), s.skip(i + 1, "the")
    n = s.at(after).num if word else s.at(i).num if s.at(i + 1).word == "half" else None
    month_at = s.skip((after if word else i + 1) + 1, "of", "in")
    found = _month_at(s, month_at) if n in {1, 2} else None
    if found is None:
        return None
    part: spans.Part = "first half" if n == 1 else "second half"
    label = f"{part} of {MONTH_NAMES[found[0] - 1]} {found[1]}"
    return spans.month_span(found[0], found[1], part, s.here, label), found[2]


def _names_month(s: Sentence, i: int, lead: int, end: int) -> bool:
    """A month's name alone is a month in a hint; in a sentence it needs "in", "for", a year or a turn before it."""
    if s.unit(end - 1, "month") or (s.key(lead, "next", "this") and s.unit(end - 1, "month")):
        return s.key(lead, "next", "this") or s.key(end - 1, "next", "this")
    led = s.key(s.skip(i, "the") - 1, "in", "for", "of", "on", "or", "and", "the") or s.key(lead, "next", "this")
    return s.strict or led or (not s.at(lead).weak)


def season(s: Sentence, i: int) -> Parsed:
    """`summer`: too long to pick nights from."""
    i = s.skip(i, "the", "this", "next")
    if (
        not s.key(i, "season")
        or (s.at(i).word == "fall" and not s.strict)
        or (s.at(i).word == "spring" and not s.strict)
    ):
        return None
    return Fault("unclear", f"{s.at(i).word!r} is too wide: name a month or the dates"), i + 1


def nameless(s: Sentence, i: int) -> Parsed:
    """`next year`, `in a few days`: a time without a date."""
    if s.key(i, "next") and s.unit(i + 1, "year") and s.strict:
        return Fault("unclear", "'next year' is too wide: name a month or the dates"), i + 2
    at = s.skip(i, "in", "another", "a")
    if at > i and s.key(at, "several") and s.unit(at + 1, "day", "week", "month"):
        return Fault("unclear", f"{s.said(at, at + 2)!r} is not a date: give the dates"), at + 2
    return None


# --- holidays ----------------------------------------------------------------------------------------------------


def holiday(s: Sentence, i: int) -> Parsed:
    """`Hanukkah`, `next Passover`, `Passover 2027`, `Christmas this year`, `פסח הבא`."""
    return _holiday(s, i, False)


def _holiday(s: Sentence, i: int, whole: bool) -> Parsed:
    at = s.skip(i, "the", "this", "next", "previous")
    at = at + 1 if s.key(at, "last") and s.at(at + 1).holiday else at
    name = s.at(at).holiday
    if name is None or (s.at(at).word == "שבועות" and s.at(at - 1).num is not None):
        return None
    turned = s.skip(at + 1, "the")
    end = turned + 1 if s.key(turned, "this", "next", "previous") and not _turns_more(s, turned + 1) else at + 1
    if any(s.key(n, "previous", "last") for n in (*range(i, at), end - 1)):
        return Fault("past", f"{s.said(i, end)!r} is in the past; name a coming one"), end
    given = year(s, end) or year(s, at + 1)
    if given is None and s.unit(end, "week") and s.at(end).word == "week":
        return _week_around(s, _reading(s, name, None, whole), f"{name} week"), end + 1
    if given is None and s.unit(end, "weekend") and isinstance(whole_ := _reading(s, name, None, whole), Reading):
        return spans.weekend_in_holiday(whole_, s.here), end + 1
    return _reading(s, name, given[0] if given else None, whole), given[1] if given else end


def _turns_more(s: Sentence, i: int) -> bool:
    """The turn belongs to what follows: "Hanukkah or next weekend" is not "Hanukkah next"."""
    return bool(s.at(i).unit or s.at(i).weekday is not None or s.at(i).month or s.at(i).holiday)


def _reading(s: Sentence, name: str, given: int | None, whole: bool) -> Reading | Fault:
    return read_holiday(name, s.here, given, whole)


def whole_holiday(s: Sentence, i: int) -> tuple[Reading | Fault, int] | None:
    """A holiday named as the whole of a piece, after "of" or "in" and with its true first night."""
    at = s.skip(i, "of", "in", "the", "on", "for", "from")
    found = _holiday(s, at, True)
    return (found[0], found[1]) if found and not isinstance(found[0], Day) else None


def part(s: Sentence, i: int) -> Parsed:
    """`first night of Hanukkah`, `last two nights of Pesach`, `הלילה הראשון של חנוכה`, `night 3 of Hanukkah`."""
    named = _nights_named(s, i)
    found = whole_holiday(s, named[2]) if named else None
    if found is None or named is None:
        return _part_after(s, i)
    whole, end = found
    return _piece(s, whole, named[0], named[1]), end


def _part_after(s: Sentence, i: int) -> Parsed:
    """`Hanukkah first night`, `Passover, last two nights`."""
    whole = whole_holiday(s, i) if s.at(i).holiday else None
    named = _nights_named(s, s.skip(whole[1], ",", "dash")) if whole else None
    if whole is None or named is None or s.key(named[2], "of") or s.at(named[2]).holiday:
        return None
    return _piece(s, whole[0], named[0], named[1]), named[2]


def _piece(s: Sentence, whole: Reading | Fault, n: int, size: int) -> Reading | Fault:
    if isinstance(whole, Fault) or n == 0:
        return whole
    ends = (-size - 1, -1) if n < 0 else (0, size) if size > 1 else (n - 1, n)
    return spans.piece(whole, ends, f"{_piece_name(n, size)} of {whole.label}", True, s.here)


_ORDINALS = ["-", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


def _piece_name(n: int, size: int) -> str:
    which = "last" if n < 0 else _ORDINALS[n] if n < len(_ORDINALS) else f"number {n}"
    return f"{which} {size} nights" if size > 1 else f"{which} night"


def _nights_named(s: Sentence, i: int) -> tuple[int, int, int] | None:
    """Which nights of a holiday: the n-th or last (-1), how many, and where the words end."""
    i = s.skip(i, "the")
    if (n := ordinal(s, i)) is not None and not hebrew(s.at(i).word):
        size = number(s, i + 1)
        at = i + 1 if size is None else i + 2
        if s.unit(at, "night", "day"):
            return n, max(size if size is not None else s.at(at).num or 1, 1), at + 1
    return _nights_named_after(s, i)


def _nights_named_after(s: Sentence, i: int) -> tuple[int, int, int] | None:
    """The Hebrew order, `שני הלילות האחרונים`, and `night 3`."""
    size = number(s, i) if not s.at(i).unit else None
    at = s.skip(i + 1, "the") if size is not None else i
    night = s.unit(at, "night", "day") or s.key(at, "tonight", "today")
    after = s.skip(at + 1, "the")
    if not night:
        return None
    if (n := ordinal(s, after)) is not None:
        return n, max(size or s.at(at).num or 1, 1), after + 1
    plain = number(s, after)
    return (plain, 1, after + 1) if plain and size is None and plain < 9 and s.key(after + 1, "of") else None


def eve(s: Sentence, i: int) -> Parsed:
    """`erev Pesach`, `Easter eve`, `eve of Rosh Hashanah`, `מוצאי שבת`, `motzei Yom Kippur`, `mid Hanukkah`."""
    i = s.skip(i, "the")
    key = s.at(i).key
    if key in {"eve", "motzei", "early", "mid", "late"}:
        if key == "motzei" and (s.at(i + 1).weekday == 5 or s.at(i).word == "מוצש"):
            return Day(weekday=5), i + 1 + (s.at(i + 1).weekday == 5)
        found = whole_holiday(s, i + 1)
        return (_edge(s, found[0], key), found[1]) if found else None
    found = whole_holiday(s, i) if s.at(i).holiday else None
    return (_edge(s, found[0], "eve"), found[1] + 1) if found and s.key(found[1], "eve") else None


def _edge(s: Sentence, whole: Reading | Fault, key: str) -> Reading | Fault:
    if isinstance(whole, Fault):
        return whole
    if key == "motzei":
        return spans.night_after(whole, f"end of {whole.label}")
    if key != "eve":
        return spans.third(whole, key, s.here)  # type: ignore[arg-type]
    first = whole.first or whole.check_in
    if first == whole.check_in + DAY:
        return spans.piece(whole, (0, 1), f"eve of {whole.label}", True, s.here)
    return replace(single(first - DAY, "holiday", f"eve of {whole.label}"), holiday=whole.holiday, explicit=True)


# --- around another time -----------------------------------------------------------------------------------------


def around(s: Sentence, i: int) -> Parsed:
    """`the day after Yom Kippur`, `two days before Pesach`, `the week after Easter`, `היום שאחרי כיפור`, `Sunday after X`."""
    i = s.skip(i, "the")
    named = weekday_name(s, i)
    if (s.unit(i, "weekend", "week", "day", "night", "month") and not s.at(i).num) or s.at(i).word == "היום":
        counted: tuple[int, str, int] | None = (1, s.at(i).unit or "day", i + 1)
    elif s.at(i).word == "למחרת" or s.at(i).word == "מחרת":
        return _moved(s, i, i, 1, "day", s.skip(i + 1, "of"), 0)
    else:
        counted = (0, "weekday", named[1]) if named else count(s, i)
    if counted is None:
        return None
    n, unit, at = counted
    at = s.skip(at, "that", "right", "straight")
    if not s.key(at, "after", "before"):
        return None
    sign = 1 if s.key(at, "after") else -1
    return _moved(s, i, at, sign * n if n else sign, unit, s.skip(at + 1, "the"), named[0] if named else 0)


def _moved(s: Sentence, i: int, at: int, n: int, unit: str, base_at: int, weekday_: int) -> Parsed:
    base = point_at(s, base_at) or weekend(s, base_at)
    if base is None:
        return None
    day = _first_day(s, base[0])
    if isinstance(day, Fault) or day is None:
        return (day, base[1]) if day else None
    label = s.said(i, base[1])
    found = _beside(s, day, n, unit, weekday_, label)
    if isinstance(found, Reading):
        found = replace(found, kind="relative" if found.kind != "span" else "span", holiday=None)
    return found, base[1]


def _beside(s: Sentence, day: Reading, n: int, unit: str, weekday_: int, label: str) -> Reading | Fault:
    first, last = day.first or day.check_in, day.last or day.check_in
    if unit == "weekday":
        found = last + DAY + (weekday_ - (last + DAY).weekday()) % 7 * DAY if n > 0 else (
            first - DAY - ((first - DAY).weekday() - weekday_) % 7 * DAY
        )  # fmt: skip
        return single(found, "relative", label)
    if unit == "weekend":
        return _weekend_beside(s, day, n, label)
    if unit == "week" and abs(n) == 1:
        start = last + DAY if n > 0 else day.check_in - 7 * DAY
        return Reading(start, start + 7 * DAY, "span", label, first=start, last=start + 6 * DAY)
    anchor = last if n > 0 else first
    moved = later(anchor, n, unit)
    if isinstance(moved, Fault):
        return moved
    return single(moved, "relative", label, others=(moved - DAY,) if n < 0 and day.holiday else ())


def _weekend_beside(s: Sentence, day: Reading, n: int, label: str) -> Reading | Fault:
    if n > 0:
        start = spans.weekend_start((day.last or day.check_out - DAY) + DAY, s.here)
        if start <= (day.last or day.check_in):
            start = start + 7 * DAY
        return spans.weekend(start, s.here, label)
    start = spans.weekend_start(day.check_in, s.here)
    while start + s.here.weekend[1] * DAY > day.check_in:
        start = start - 7 * DAY
    return spans.weekend(start, s.here, label)


def right_after(s: Sentence, i: int) -> Parsed:
    """`after Passover`: from the day after on; `before Passover` leaves too much open."""
    if not s.key(i, "after", "before") or s.at(i - 1).unit or s.at(s.skip(i + 1, "the")).word in {"that", "this"}:
        return None
    base = longest(s, s.skip(i + 1, "the"), (holiday, hebrew_date))
    if base is None or not isinstance(base[0], Reading):
        return None
    if s.key(i, "before"):
        return Fault("unclear", f"{s.said(i, base[1])!r}: how long before? Give the dates"), base[1]
    end = (base[0].last or base[0].check_in) + DAY
    return single(end, "relative", s.said(i, base[1]), "no nights were given: the first night after it"), base[1]


def gap(s: Sentence, i: int) -> Parsed:
    """`between Yom Kippur and Sukkot`: the free days from after one holiday to the eve of the other."""
    if not s.key(i, "between"):
        return None
    first = holiday(s, s.skip(i + 1, "the"))
    at = s.skip(first[1], "and", "to", "dash", "for") if first else i
    second = holiday(s, s.skip(at, "the")) if first and at > first[1] else None
    if first is None or second is None or not isinstance(first[0], Reading) or not isinstance(second[0], Reading):
        return None
    one, two = first[0], second[0]
    if not (one.last and one.first and one.first > one.check_in):
        return read_range(one, two, s.here), second[1]
    label, start = s.said(i, second[1]), one.last + DAY
    if start >= two.check_in:
        return Fault("order", f"there are no nights in {label!r}: give the dates"), second[1]
    return Reading(start, two.check_in, "span", label, note="no nights were given: all of them"), second[1]


POINTS: tuple[Rule, ...] = (
    with_weekday, written_day, eve, part, holiday, hebrew_date, weekday_in_month, weekday, named_day, from_now, day_from, around
)  # fmt: skip
# Among readings of equal length the earlier wins: a Sabbath before a Saturday, "first weekend of" before "weekend of".
ITEMS: tuple[Rule, ...] = (
    sabbath, *POINTS, weekend_in_month, weekend, day_weekend, two_nights, week, month, half_month, season, nameless, right_after, gap
)  # fmt: skip


def point_at(s: Sentence, i: int) -> Parsed:
    """A single day or a holiday."""
    return longest(s, i, POINTS)


def item_at(s: Sentence, i: int) -> Parsed:
    """Anything that names a stay but a range."""
    return longest(s, i, ITEMS)
