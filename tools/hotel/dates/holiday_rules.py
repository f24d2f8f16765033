"""Grammar of holidays and their parts: names, nights of a holiday, eves and ends."""

import re
from dataclasses import replace

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.day_rules import SABBATH
from wavegraph.tools.hotel.dates.grammar import READERS, Match, Read, reader, rules
from wavegraph.tools.hotel.dates.holiday_names import CHURCHES, OF_EASTER
from wavegraph.tools.hotel.dates.resolution import DAY, DateFault, ResolvedStay, WrittenDay, begun, read_holiday, single
from wavegraph.tools.hotel.dates.sentence import Sentence, hebrew

Holiday = ResolvedStay | DateFault

# --- names -------------------------------------------------------------------------------------------------------


def _name(s: Sentence, i: int) -> Read:
    """A holiday's name; weeks after a number, Shavuot otherwise."""
    lex = s.at(i)
    weeks = lex.word == "שבועות" and s.at(i - 1).num is not None
    return (lex.holiday, i + 1) if lex.holiday and not weeks else None


def _church(s: Sentence, i: int) -> Read:
    word = s.at(i).word
    found = CHURCHES.get(word) or CHURCHES.get(word.removeprefix("ה"))
    return (found, i + 1) if found else None


def _middle_days(s: Sentence, i: int) -> Read:
    at = s.skip(i, "in", ",")
    return ("Chol HaMoed", at + 1) if s.at(at).holiday == "Chol HaMoed" else None


def _named(m: Match) -> Holiday | None:
    """`Hanukkah`, `next Passover`, `Passover 2027`, `Easter 2027 (Catholic)`, `פסח הבא`."""
    name = m["name"]
    if m["past"]:
        return DateFault("past", f"{m.label!r} is in the past; name a future one")
    if (m["of"] and name not in ("Passover", "Sukkot")) or (m["church"] and name not in OF_EASTER):
        return None
    name = f"{m['of'] or m['church'] or ''} {name}".strip()
    return read_holiday(name, m.s.here, m["year"])


def _turned(m: Match) -> Holiday | None:
    """`פסח הבא`, but not the `next` of `Hanukkah or next weekend`."""
    lex = m.following
    return None if lex.unit or lex.weekday is not None or lex.month or lex.holiday else _named(m)


READERS |= {"NAME": _name, "CHURCH": _church, "MIDDLE": _middle_days}
READERS["LETTERED_YEAR"] = lambda s, i: (0, i + 1) if re.fullmatch("תש[א-ת]{1,3}", s.at(i).word) else None
HOLIDAYS = rules(
    ("name:NAME LETTERED_YEAR", lambda m: DateFault("unclear", f"{m.label!r}: which civil year is that?")),
    ("this|next* past:previous|last? name:NAME", _named),
    ("this|next* name:NAME of:MIDDLE", _named),
    ("this|next* name:NAME year:YEAR", _named),
    ("this|next* name:NAME year:YEAR? =(? the? church:CHURCH =)? year:YEAR?", _named),
    ("this|next* name:NAME year:YEAR? , the? church:CHURCH =one", _named),
    ("name:NAME the? past:previous", _named),
    ("name:NAME the? this|next", _turned),
)
whole_holiday = reader("WHOLE", HOLIDAYS)
"""A holiday with its true first night, even if it has begun."""

# --- parts -------------------------------------------------------------------------------------------------------


def _piece(m: Match) -> Holiday | None:
    """`first night of Hanukkah`, `last two nights of Pesach`, `הלילה הראשון של חנוכה`, `Hanukkah first night`."""
    (n, size), whole = m["piece"] or m["before"], m["whole"]
    if m["before"] and (m.s.key(m.end, "of") or m.following.holiday):
        return None
    if isinstance(whole, DateFault):
        return whole
    ends = (-size - 1, -1) if n < 0 else (0, size) if size > 1 else (n - 1, n)
    return spans.piece(whole, ends, f"{_piece_name(n, size)} of {whole.label}", True)


_ORDINALS = ["-", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


def _piece_name(n: int, size: int) -> str:
    which = "last" if n < 0 else _ORDINALS[n] if n < len(_ORDINALS) else f"number {n}"
    return f"{which} {size} nights" if size > 1 else f"{which} night"


def _english_order(m: Match) -> tuple[int, int] | None:
    """`first night`, `last two nights`; not `שני הלילות`, two of them."""
    first = m.s.at(m.s.skip(m.start, "the"))
    return (m["n"], max(m["size"] or 1, 1)) if not hebrew(first.word) else None


def _counted_night(m: Match) -> tuple[int, int] | None:
    return (m["n"], 1) if m["n"] and m["n"] < 9 and m.s.key(m.end, "of") else None


reader("PIECE", rules(
    ("n:ORDINAL size:NUMBER? night|day", _english_order),
    ("size:NUMBER? the? night|day|tonight|today the? n:ORDINAL", lambda m: (m["n"], max(m["size"] or 1, 1))),
    ("night|day n:NUMBER", _counted_night),
))  # fmt: skip
"""Which nights of a holiday or a month: the n-th or last (-1), and how many."""


def _eve(m: Match) -> Holiday:
    """`erev Pesach`, `Easter eve`, `eve of Rosh Hashanah`, `motzei Yom Kippur`."""
    whole = m["whole"]
    if isinstance(whole, DateFault):
        return whole
    if m["key"] == "motzei":
        return spans.night_after(whole, f"end of {whole.label}")
    first = whole.first or whole.check_in
    if first == whole.check_in + DAY:
        return spans.piece(whole, (0, 1), f"eve of {whole.label}", True)
    return replace(single(first - DAY, "holiday", f"eve of {whole.label}"), holiday=whole.holiday, explicit=True)


def _eve_of_named(m: Match) -> Holiday | None:
    """`eve of the holiday`: the last one named before it."""
    named = next((n for n in reversed(range(m.start)) if m.s.at(n).holiday), None)
    found = whole_holiday(m.s, named) if named is not None else None
    return _eve(Match(m.s, m.start, m.end, {"whole": found[0]})) if found else None


def _sabbath(m: Match) -> Holiday:
    """`שבת חנוכה`, `Shabbat Chol HaMoed Pesach`: its first Friday night."""
    whole = m["whole"]
    if isinstance(whole, DateFault):
        return whole
    start = whole.check_in + (4 - whole.check_in.weekday()) % 7 * DAY
    n = (start - whole.check_in).days
    part = (n, n + 1) if n < whole.nights else None
    return ResolvedStay(start, start + DAY, "part", m.label, holiday=whole.holiday, part=part)


def _week(m: Match) -> Holiday:
    found = begun(m["whole"], m.s.here)
    return spans.week_around(found, f"{found.label} week" if isinstance(found, ResolvedStay) else "", m.s.here)


READERS["SABBATH"] = lambda s, i: (5, i + 1) if s.at(i).word in SABBATH else None
reader("PART", rules(
    ("part:early|mid|late", lambda m: m["part"]),
    ("n:ORDINAL half", lambda m: spans.HALVES.get(m["n"])),
    ("half the? n:ORDINAL", lambda m: spans.HALVES.get(m["n"])),
))  # fmt: skip
EVES = rules(
    ("key:eve|motzei of|in|the|on|for|from* whole:WHOLE", _eve),
    ("whole:WHOLE key:eve", _eve),
    ("eve of|the* =holiday|=החג", _eve_of_named),
    ("=מוצש", lambda m: WrittenDay(weekday=5)),
    ("motzei the? SABBATH", lambda m: WrittenDay(weekday=5)),
)
NAMED = rules(("whole:WHOLE", lambda m: begun(m["whole"], m.s.here)))
holiday = reader("HOLIDAY", NAMED)
HOLIDAY_POINTS = [
    *EVES,
    *rules(
        ("piece:PIECE of|in|the|on|for|from* whole:WHOLE", _piece),
        ("whole:WHOLE ,|dash* before:PIECE", _piece),
        ("part:PART of|in|the|on|for|from* whole:WHOLE", lambda m: spans.part_of_holiday(m["whole"], m["part"])),
        ("SABBATH whole:WHOLE", _sabbath),
    ),
    *NAMED,
    *rules(
        ("whole:WHOLE =week", _week),
        ("whole:WHOLE weekend", lambda m: spans.weekend_in_holiday(begun(m["whole"], m.s.here), m.s.here)),
    ),
]
"""Days and stays that a holiday names, of which the longest is read."""
