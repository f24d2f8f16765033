"""Grammar of holidays and their parts: names, nights of a holiday, eves and ends."""

from dataclasses import replace

from pyluach.dates import HebrewDate  # type: ignore[import-untyped]

from wavegraph.tools.hotel.dates import spans
from wavegraph.tools.hotel.dates.holiday_names import CHURCHES, OF_EASTER
from wavegraph.tools.hotel.dates.resolution import DAY, DateFault, ResolvedStay, WrittenDay, read_holiday, single
from wavegraph.tools.hotel.dates.sentence import Parsed, Sentence, hebrew, number, ordinal, year


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
        return DateFault("past", f"{s.words(i, end)!r} is in the past; name a future one"), end
    days = s.skip(end, "in", ",")
    if name in ("Passover", "Sukkot") and s.at(days).holiday == "Chol HaMoed":
        name, end = f"Chol HaMoed {name}", days + 1
    given = _hebrew_year(s, end, name) or year(s, end) or year(s, at + 1)
    if given is None and s.unit(end, "week") and s.at(end).word == "week":
        return spans.week_around(_reading(s, name, None, whole), f"{name} week", s.here), end + 1
    if given is None and s.unit(end, "weekend") and isinstance(whole_ := _reading(s, name, None, whole), ResolvedStay):
        return spans.weekend_in_holiday(whole_, s.here), end + 1
    end = given[1] if given else end
    church, end = _church_behind(s, end) if name in OF_EASTER else ("", end)
    if church and given is None and (given := year(s, end)):
        end = given[1]
    return _reading(s, f"{church} {name}".strip(), given[0] if given else None, whole), end


def _church_behind(s: Sentence, i: int) -> tuple[str, int]:
    """Whose Easter, and where it ends: `(Catholic)`, `, the Orthodox one`, `הקתולי`; after a comma only `the … one`."""
    at = s.skip(i, ",")
    at = s.skip(at + (s.at(at).word == "("), "the")
    word = s.at(at).word
    church = CHURCHES.get(word) or CHURCHES.get(word.removeprefix("ה"))
    one = s.at(at + 1).word == "one" or s.at(at + 1).num == 1
    if church is None or (s.key(i, ",") and not one):
        return "", i
    end = at + 1 + one
    return church, end + (s.at(end).word == ")" and s.at(i).word == "(")


def _hebrew_year(s: Sentence, i: int, name: str) -> tuple[int, int] | None:
    """`5787`, `תשפ״ז` after a holiday, as the civil year it falls in."""
    word = s.at(i).word
    value = int(word) if word.isdigit() and len(word) == 4 else _lettered_year(word)
    if value is None or not 0 <= value - 3761 - s.here.today.year + 1 <= 9:
        return None
    for civil in (value - 3761, value - 3760):
        found = read_holiday(name, s.here, civil, whole=True)
        if isinstance(found, ResolvedStay) and HebrewDate.from_pydate(found.last or found.check_in).year == value:
            return civil, i + 1
    return None


def _lettered_year(word: str) -> int | None:
    """`תשפז` is 5787: the thousands are left out."""
    tail = word[2:]
    tens = {"פ": 80, "צ": 90}.get(tail[:1])
    if not word.startswith("תש") or tens is None or len(tail) > 2:
        return None
    return 5700 + tens + (" אבגדהוזחט".find(tail[1]) if len(tail) == 2 else 0)


def _turns_more(s: Sentence, i: int) -> bool:
    """Whether "next" belongs to what follows: "Hanukkah or next weekend" is not "Hanukkah next"."""
    return bool(s.at(i).unit or s.at(i).weekday is not None or s.at(i).month or s.at(i).holiday)


def _reading(s: Sentence, name: str, given: int | None, whole: bool) -> ResolvedStay | DateFault:
    return read_holiday(name, s.here, given, whole)


def whole_holiday(s: Sentence, i: int) -> tuple[ResolvedStay | DateFault, int] | None:
    """The holiday that a part is taken from, after "of" or "in", with its true first night."""
    at = s.skip(i, "of", "in", "the", "on", "for", "from")
    found = _holiday(s, at, True)
    return (found[0], found[1]) if found and not isinstance(found[0], WrittenDay) else None


def seder(s: Sentence, i: int) -> Parsed:
    """`הסדר` beside `before` or `after`; anywhere else the word means much besides."""
    named = s.at(i).word == "הסדר" and s.key(i - 1, "before", "after")
    return (read_holiday("Seder night", s.here), i + 1) if named else None


def part(s: Sentence, i: int) -> Parsed:
    """`first night of Hanukkah`, `last two nights of Pesach`, `הלילה הראשון של חנוכה`, `night 3 of Hanukkah`."""
    named = nights_named(s, i)
    found = whole_holiday(s, named[2]) if named else _half(s, i)
    if found and not named:
        return found
    if found is None or named is None:
        return _part_after(s, i)
    whole, end = found
    return _piece(s, whole, named[0], named[1]), end


def _half(s: Sentence, i: int) -> tuple[ResolvedStay | DateFault, int] | None:
    """`first half of Pesach`, `the second half of Hanukkah`, `המחצית השנייה של סוכות`."""
    at = s.skip(i, "the")
    after = s.skip(at + 1, "the")
    n, end = (ordinal(s, at), at + 2) if s.key(at + 1, "half") else (ordinal(s, after), after + 1)
    if n not in (1, 2, -1) or not (s.key(at + 1, "half") or s.key(at, "half")):
        return None
    found = whole_holiday(s, end)
    if found is None or isinstance(found[0], DateFault):
        return found
    whole, middle = found[0], found[0].nights // 2
    nights = (0, middle) if n == 1 else (middle, whole.nights)
    name = f"{'first' if n == 1 else 'second'} half of {whole.label}"
    return (spans.piece(whole, nights, name, False) if middle else whole), found[1]


def _part_after(s: Sentence, i: int) -> Parsed:
    """`Hanukkah first night`, `Passover, last two nights`."""
    whole = whole_holiday(s, i) if s.at(i).holiday else None
    named = nights_named(s, s.skip(whole[1], ",", "dash")) if whole else None
    if whole is None or named is None or s.key(named[2], "of") or s.at(named[2]).holiday:
        return None
    return _piece(s, whole[0], named[0], named[1]), named[2]


def _piece(s: Sentence, whole: ResolvedStay | DateFault, n: int, size: int) -> ResolvedStay | DateFault:
    if isinstance(whole, DateFault) or n == 0:
        return whole
    ends = (-size - 1, -1) if n < 0 else (0, size) if size > 1 else (n - 1, n)
    return spans.piece(whole, ends, f"{_piece_name(n, size)} of {whole.label}", True)


_ORDINALS = ["-", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


def _piece_name(n: int, size: int) -> str:
    which = "last" if n < 0 else _ORDINALS[n] if n < len(_ORDINALS) else f"number {n}"
    return f"{which} {size} nights" if size > 1 else f"{which} night"


def nights_named(s: Sentence, i: int) -> tuple[int, int, int] | None:
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
            return WrittenDay(weekday=5), i + 1 + (s.at(i + 1).weekday == 5)
        found = whole_holiday(s, i + 1) or (_named_before(s, i) if key == "eve" else None)
        return (_edge(s, found[0], key), found[1]) if found else None
    found = whole_holiday(s, i) if s.at(i).holiday else None
    return (_edge(s, found[0], "eve"), found[1] + 1) if found and s.key(found[1], "eve") else None


THE_HOLIDAY = frozenset({"holiday", "החג"})


def _named_before(s: Sentence, i: int) -> tuple[ResolvedStay | DateFault, int] | None:
    """`eve of the holiday`: the last one named before it."""
    at = s.skip(i + 1, "of", "the")
    named = next((n for n in reversed(range(i)) if s.at(n).holiday), None)
    found = whole_holiday(s, named) if named is not None and s.at(at).word in THE_HOLIDAY else None
    return (found[0], at + 1) if found else None


def _edge(s: Sentence, whole: ResolvedStay | DateFault, key: str) -> ResolvedStay | DateFault:
    if isinstance(whole, DateFault):
        return whole
    if key == "motzei":
        return spans.night_after(whole, f"end of {whole.label}")
    if key != "eve":
        return spans.third(whole, key)  # type: ignore[arg-type]
    first = whole.first or whole.check_in
    if first == whole.check_in + DAY:
        return spans.piece(whole, (0, 1), f"eve of {whole.label}", True)
    return replace(single(first - DAY, "holiday", f"eve of {whole.label}"), holiday=whole.holiday, explicit=True)
