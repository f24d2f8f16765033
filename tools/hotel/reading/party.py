"""Reads who is coming, and accounts for every word that names or counts a person: what goes into no party stays open."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from wavegraph.tools.hotel.reading import people
from wavegraph.tools.hotel.reading.people import ADULTS, AND, BEFORE, JOINS, LITTLE, MONTHS, OLD, PART, THINGS, UNITS

Span = tuple[int, int]
MOST = 999
"""Guests that are counted."""


@dataclass(frozen=True)
class Party:
    """The guests as far as the text names them."""

    adults: int | None = None
    """None = not given."""
    children: int | None = None
    """Children from 2 years on; None = not given."""
    babies: int | None = None
    ages: tuple[int, ...] = ()
    """Ages named, in years; a baby's months are 0."""
    family: bool = False
    """`family of four`: the number of children is assumed."""
    no_adults: bool = False
    uncounted: bool = False
    """Children are mentioned without a number."""
    others: int = field(default=0, compare=False)
    """Adults who are not the guest: `my sister`; 0 if the guest is named too."""
    absent: int = 0
    """Adults who do not come: `my husband can't make it`."""
    turned: tuple[tuple[int, int], ...] = ()
    """Ages that a child has no more, and those it has then: `the 8 year old will be 9`."""
    open: tuple[Span, ...] = ()
    """Where the text names or counts someone, or has a number, that fits none of these."""

    @property
    def given(self) -> bool:
        return bool(self.ages) or any(n is not None for n in (self.adults, self.children, self.babies))


class Token(NamedTuple):
    word: str = ""
    start: int = 0
    end: int = 0
    number: int | None = None
    kind: str = ""
    """Whom it names: a kind of `people`."""
    size: int | None = None
    """How many it names without a number before it."""
    prefix: str = ""
    """The Hebrew letters before whom it names."""


class Item(NamedTuple):
    """Some of the guests, named by tokens `[start:end)`."""

    kind: str
    size: int | None
    start: int
    end: int
    ages: tuple[int, ...] = ()
    joined: bool = False
    """`and`, `with` or `+` stands before it."""
    mine: bool = False

    @property
    def young(self) -> bool:
        return self.kind in ("child", "baby")


_BRACKETS = {"[": "(", "]": ")"}
_LEADS = (":", "(", ",", "-", "=", "who", "is", "are", "both", "all", "of", "now", "only", "just")
"""What may stand between people and their ages."""
_TOKEN = re.compile(
    r"grown[ -]?ups?|(?:mother|father|brother|sister)-in-law|in-laws|little ones?|both of us|(?<![א-ת])[ולהש]{0,2}(?:בן|בת) ה?זוגי?(?![א-ת])|"
    r"(?<![א-ת])[ולהש]{0,2}(?:חברה שלי|בני נוער)|א[םב] חד[ -]הורית?|\d+(?:st|nd|rd|th)\b|\d+|\|+|[^\W\d_]+(?:['\"][^\W\d_]+)*|\S"
)
_GUESTS = (
    r"(?:adults?|grown[\s-]?ups?|people|persons?|guests?|kids?|child(?:ren)?|bab(?:y|ies)|infants?|toddlers?|rooms?|"
    r"מבוגרים|מבוגרות|מבוגרת?|ילדים|ילדות|ילדה?|תינוקות|תינוקת?|אנשים|אורחים|נפשות|חדרים)(?![a-zא-ת])"
)
_IMPOSSIBLE = re.compile(
    rf"(?:(?<=\bfor )|(?<=\band )|(?<=\bwith )|(?<=\bplus )|(?<=\+ ))[-\u2212]\d+ +{_GUESTS}|"
    rf"(?<![a-zא-ת])(?:minus|negative|ל?מינוס) +\d+ +{_GUESTS}|"
    rf"(?<![\d.,/])(?<!\d-)\d+(?:\.5| and a half) +{_GUESTS}(?!\s*+(?:[:=]\s*+)?\d{{1,2}}(?![\d/.-]))"
)
"""Below zero, or with a half. A dash at the start of a line, or after a Hebrew `to`, is not a minus."""
_TABLE = re.compile(
    r"\b(?:table|seats?|(?:dinner|lunch|brunch) (?:reservation|booking)) for \d{1,2}\b|שולחן ל ?\d{1,2}"
)
"""Guests for the restaurant, not for a room."""
_ONCE = re.compile(
    r"\((?:she|he|they|who|we|היא|הוא|הם|הן) (?:was|were|stayed|came|had|הייתה|היתה|היה|היו|התארחה?|התארחו) [^()]{0,200}\)"
)
"""Told in brackets of an earlier stay."""
_NOUN_FIRST, _NUMBER_FIRST = re.compile(r"\badults?\s*+(?:[:=]\s*+)?\d"), re.compile(r"\d\s?adults?\b")
_ALONE = re.compile(
    r"\b(?:just|only) (?:for )?me\b|\bby myself\b|\balone\b|\bsolo\b|\bsingle (?:room|person|travell?er|occupancy)\b|\bfor me only\b|"
    r"\ba single(?= ?(?:$|[,.;:?!|]|(?:for|from|on|in|at|please|with)\b))|\bfor myself\b|\b1 person\b|לבד(?![א-ת])|(?<![א-ת])ל?יחידה?(?![א-ת])|רק אני|(?:איש|אדם|בן אדם|נפש) 1\b|לאדם\b"
)
_ABSENT = re.compile(
    r"(?: \w+)?(?:,? who)? (?:is not|isn't|isnt|not|won't|cannot|can't|can not) (?:be )?(?:com(?:e|ing)|join(?:ing)?|make it|able)\b|"
    r"(?: \w+)? (?:stays?|staying|is staying) (?:at )?home\b|(?: \w+)? (?:sleeps? elsewhere|(?P<gone>passed away|died))\b|"
    r"(?: שלי)?,? (?:לא (?:מגיעה?|באה?|מצטרפת?|יכולה? (?:לבוא|להגיע))|נשארת? בבית|(?P<dead>ז\"ל|נפטרה?|המנוחה?))"
)
"""What follows someone who does not come."""
_KIDS = r"(?:kids|children|teenagers|teens|minors|infants|babies|toddlers)"
_NO_ADULTS = re.compile(
    rf"\b{_KIDS} (?:only|alone|unaccompanied|by themselves|on their own)\b|\ba (?:kid|child|teenager|teen|minor) (?:alone|unaccompanied|"
    rf"on (?:his|her|their) own)\b|\b(?:only|just) (?:(?:the|\d+|my|our) )?{_KIDS}\b|רק (?:\d )?ה?ילדים|ילדים בלבד"
)
_NO_KIDS = re.compile(r"\badults only\b|\ball (?:adults|grown[\s-]?ups?)\b|כולם מבוגרים")


def age_spans(text: str) -> list[Span]:
    """Where `text` names ages or guests as `2+2`; other readers (dates, money) must not take them."""
    return _Reader(text).certain


def impossible_counts(text: str) -> list[Span]:
    """Where `text` has an impossible number of guests or rooms: `for -2 adults`, `2.5 rooms`."""
    return [m.span() for m in _IMPOSSIBLE.finditer(text)]


def read_party(text: str) -> Party:
    """Who is coming, from folded text with number words as digits and dates blanked."""
    text = _ONCE.sub(lambda m: "|" * len(m.group()), text)
    return _Reader(_TABLE.sub(lambda m: "|" * len(m.group()), text)).party()


@lru_cache(maxsize=4096)
def _who(word: str) -> tuple[str, int | None, str]:
    """Whom a word names, how many, and the Hebrew prefixes it stands without."""
    word = "בן-זוג" if re.search(r"(?:בן|בת) ה?זוג", word) else word.replace(" ", "-")
    for cut in range(min(4, len(word) - 1) if "א" <= word[0] <= "ת" else 1):
        if (who := people.WHO.get(word[cut:])) and not word[:cut].strip("ו" if who[0] == "self" else "ולהשבמכ"):
            return *who, word[:cut]
    return "", None, ""


def _token(m: re.Match[str]) -> Token:
    word = _BRACKETS.get(m.group(), m.group())
    kind, size, prefix = _who(word)
    number = min(int(word[:9]), MOST) if word.isdecimal() else size if kind == "number" else None
    return Token(word, m.start(), m.end(), number, kind if kind != "number" else "", size, prefix)


def _stem(word: str) -> str:
    """A Hebrew word without one prefix."""
    return word[1:] if len(word) > 2 and word[0] in "ובלהמש" else word


def _once_written(tokens: list[Token]) -> list[Token]:
    """`2 (two) adults` and `a child (1) [2 years]` without the number that only repeats."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        words = [each.word for each in tokens[at : at + 4]]
        number = tokens[at + 1].number if words[:1] == ["("] and words[2:3] == [")"] else None
        before = kept[-1] if kept else Token()
        again = number is not None and (before.number == number or (before.size == number and words[3:] == ["("]))
        kept += [] if again else [tokens[at]]
        at += 3 if again else 1
    return kept


class _Reader:
    """One text, read once from left to right; a rule takes what begins at a token and gives the token after it."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens = text, _once_written([_token(m) for m in _TOKEN.finditer(text)])
        self.items: list[Item] = []
        self.used: set[int] = set()
        self.open: list[Span] = []
        self.certain: list[Span] = []
        """Ages, and guests as `2+2`, whatever stands around them."""
        self.absent = 0
        self.turned: list[tuple[int, int]] = []
        self.none: set[str] = set()
        """Kinds that are said not to come."""
        self.noun_first = bool(_NOUN_FIRST.search(text)) and not _NUMBER_FIRST.search(text)
        at = 0
        while at < len(self.tokens):
            counts = self.at(at).number is not None
            rules = (
                (self._aged, self._pair, self._counted, self._total)
                if counts
                else (self._aged, self._told_age, self._called, self._named, self._self)
            )
            at = next((end for rule in rules if (end := rule(at))), at + 1)

    def at(self, at: int) -> Token:
        return self.tokens[at] if 0 <= at < len(self.tokens) else Token()

    def word(self, at: int) -> str:
        return self.at(at).word

    def number(self, at: int) -> int | None:
        return self.at(at).number

    def is_and(self, at: int) -> bool:
        """Whether the word begins with a Hebrew `and`."""
        return self.at(at).prefix.startswith("ו") or self.word(at)[:3] in ("ובת", "ובן")

    def span(self, start: int, end: int) -> Span:
        return self.tokens[start].start, self.tokens[end - 1].end

    def _take(self, item: Item) -> int:
        before = item.start - 1
        while self.word(before) in BEFORE:
            before -= 1
        joined = self.is_and(item.start) or self.word(before) in JOINS
        mine = any(self.word(n) in ("my", "שלי", "ילדיי") for n in range(before, item.end + 1))
        self.items.append(item._replace(joined=joined, mine=mine))
        self.used.update(range(item.start, item.end))
        return item.end

    # --- numbers and ages ---------------------------------------------------------------------------------------------

    def _counts(self, at: int) -> bool:
        """Whether the number here counts what follows, or is part of a date."""
        following = self.word(at + 1)
        if following in ("-", ".", "/", ":") and self.number(at + 2) is not None:
            return True
        stem = _stem(following)
        return self._noun(at + 1) is not None or following in UNITS or (stem in UNITS and following not in MONTHS)

    def _age(self, at: int, most: int) -> tuple[int | None, int, bool]:
        """An age in years up to `most`, the token after it, and whether its words make it one: `almost 2`, `שנה וחודשיים`."""
        soon = at
        while self.word(soon) in people.ABOUT:
            soon += 1
        word, number = self.word(soon), self.number(soon)
        if word in people.HEBREW_AGES or (word == "חצי" and self.word(soon + 1) == "שנה"):
            return people.HEBREW_AGES.get(word, 0), self._and_some(soon + 1 + (word == "חצי")), False
        unit = soon + 1 + (self.word(soon + 1) == "-")
        if number is not None and self.word(unit) in MONTHS:
            return number // 12, max(self._old(unit + 1), unit + 1), True
        if number is not None and self.word(unit) in people.SHORTER and self._old(unit + 1) > unit + 1:
            return 0, self._old(unit + 1), True
        month = self.word(soon + 4 if self.word(soon + 3) in ("of", "ה", "-") else soon + 3)
        if self.word(soon + 1) in ("to", "till", "until", "עד") and {month, _stem(month)} & UNITS:
            return None, at, False  # `12 to 14 January`
        if number is None or number > most or (self._counts(soon) and self._old(soon + 1) == soon + 1):
            return None, at, False
        return (
            max(number - any(self.word(n) in people.SOON for n in range(at, soon)), 0),
            self._and_some(soon + 1),
            False,
        )

    def _and_some(self, at: int) -> int:
        """After `and a half`, `וחודשיים`, `ו-3 חודשים`, if they stand here."""
        for words in people.AND_SOME:
            if all(self.word(at + n) == word or (word == "0" and self.number(at + n)) for n, word in enumerate(words)):
                return at + len(words)
        return at

    def _old(self, at: int) -> int:
        """After `years old`, if it stands here."""
        end = at
        while self.word(end) in OLD:
            end += 1
        return end if any(self.word(n) not in ("-", "/") for n in range(at, end)) else at

    def _age_list(self, at: int, most: int, *, loose: bool = False) -> tuple[list[int], int, bool]:
        """`5, 7 and 9`: ages up to `most`, where they end, and whether `years old` or months follow them. `loose`: also `5 7 9`."""
        ages: list[int] = []
        end, old = at, False
        while len(ages) < 12:
            age, after, sure = self._age(at, most)
            if age is None:
                break
            ages.append(age)
            at = end = self._old(self._and_some(self._old(after)))
            old = old or sure or end > after
            while self.word(at) in AND and at < end + 3:
                at += 1
            if at == end and not loose:
                break
        return ages, end, old

    def _is_aged(self, at: int) -> bool:
        word = self.word(at)
        return word in people.AGED or (word[:1] != "ש" and _stem(word) in people.AGED and not self.at(at).kind)

    def _ages(self, at: int, alone: bool = False, grown: bool = False) -> tuple[list[int], int]:
        """Ages that stand here, after whom they belong to; `alone`: numbers by themselves are ages; `grown`: of an adult."""
        if (
            alone and self.word(at + 1) == "(" and self.word(at).isalpha() and not self.at(at).kind
        ):  # `baby Noa (7 months)`
            at += 1
        at += self.word(at) in ("שלי", "שלנו") and self._is_aged(at + 1)
        start, marked = at, self.word(at) == "of"
        while at < start + 8 and ((aged := self._is_aged(at)) or self.word(at) in _LEADS):
            marked, at = marked or aged, at + 1
        lead = {self.word(n) for n in range(start, at)}
        most = 120 if marked or grown or "(" in lead else 17
        if self.number(at) and self.word(at + 1) in people.SHORTER and (marked or "(" in lead):  # `baby (6 weeks)`
            return [0], at + 2 + (self.word(at + 2) == ")" and "(" in lead)
        ages, end, old = self._age_list(at, most, loose=True)
        if (
            marked and self.number(at) and self.word(at + 1) in ("-", "to", "עד") and self.number(at + 2)
        ):  # `ages 29-35`
            ages, end = [self.number(at) or 0, self.number(at + 2) or 0], at + 3
        if not marked and self.word(at) in people.HEBREW_AGES:
            ages = []
        sure = marked or old or "(" in lead or (alone and ("," not in lead or lead & {"both", "all"}))
        return (ages, end + (self.word(end) == ")" and "(" in lead)) if ages and sure else ([], start)

    def _aged(self, at: int) -> int | None:
        """Someone named by an age: `a 3yo`, `4 and 7 year olds`, `aged 5`, `בת 12`."""
        marked = self._is_aged(at)
        ages, end = self._ages(at) if marked else (self._age_list(at, 120)[:2] if self._says_age(at) else ([], at))
        if not ages:
            return None
        is_person = self.word(at).lstrip("ולהש") in ("בן", "בת", "בני", "בנות") or not marked
        years = not marked and min(ages) >= 18 and not {self.word(n) for n in range(at, end)} & people.OLDEST
        if years or (
            not marked and min(ages) >= 18 and self.at(end).kind
        ):  # `25 years together`, `my 80 year old mother`
            self.certain.append(self.span(at, end))
            self.used.update(range(at, end))
            who = self.at(end)
            return self._take(Item(who.kind, who.size, at, end + 1)) if who.kind in ADULTS and who.size else end
        if self.word(at - 1) in people.LIMITS or (
            min(ages) >= 18 and not is_person
        ):  # `under the age of 12`, `aged 70`
            self.used.update(range(at, end))
            return end
        self.certain.append(self.span(at, end))
        if marked and not self.is_and(at) and self._ageless():
            self.used.update(range(at, end))
            self._give(ages)
            return end
        if len(ages) == 1 and (later := self._turns(end, ages[0])):
            self.certain.append(self.span(end, later))
            self.turned.append((ages[0], new := self.number(later - 1) or 0))
            self.items = [
                each._replace(ages=tuple(new if age == ages[0] else age for age in each.ages)) for each in self.items
            ]
            known, ages, end = self._known([new]), [new], later
            if known:
                self.used.update(range(at, end))
                return end
        noun = self._noun(end) if self.number(end) is None else None
        who = self.at(noun) if noun is not None and self.at(noun).kind in ("child", "baby") else Token(kind="child")
        if len(ages) == 1 and not marked:
            self.used.add(at - 1)
            ages *= max(self.number(at - 1) or 1, who.size or 1)
        stop = noun + 1 if noun is not None and who.word else end
        if grown := sum(age >= 18 for age in ages):
            self._take(Item("relative", grown, at, stop))
        young = tuple(age for age in ages if age < 18)
        return self._take(Item(who.kind, len(young), at, stop, young)) if young else stop

    def _told_age(self, at: int) -> int | None:
        """`she's 8`, `who turned 5`, `I'm 67`: the age of someone named, or of the guest."""
        place = at
        while self.word(place) in people.BEING | people.ABOUT and place < at + 5:
            place += 1
        said = {self.word(n) for n in range(at, place)}
        told = said & people.IS or (said & people.PRONOUNS and said - people.PRONOUNS)
        if not told or (self.number(place) is None and self.word(place) not in people.HEBREW_AGES):
            return None
        start = next(n for n in range(at, place + 1) if self.word(n) not in people.BEING)
        ages, end, _ = self._age_list(start, 120)
        if self.number(start) is not None and self.word(start + 1) in people.SHORTER:
            ages, end = [0], start + 2
        elif not ages or self._is_thing(end - 1) or self._noun(end) is not None:
            return None
        self.used.update(range(at, end))
        self.certain.append(self.span(start, end))
        if said & {"i'm", "im", "i"} and self._goes_on(end):
            self._take(Item("self", 1, at, end))
        if max(ages) < 18:
            if self._ageless():
                self._give(ages)
            elif not self._known(ages):
                self.open.append(self.span(place, end))
        return end

    def _goes_on(self, at: int) -> bool:
        """Whether others are named next, as in `I'm 67 and my daughter is 40`."""
        after = at
        while self.word(after) in JOINS | BEFORE and after < at + 4:
            after += 1
        return (self.word(at) in JOINS or self.is_and(after)) and self.at(after).kind in (
            "relative",
            "spouse",
            "child",
            "baby",
        )

    def _turns(self, at: int, age: int) -> int:
        """The token after `will be 9`, where someone of 8 was spoken of; 0 if that does not follow."""
        place = at
        while self.word(place) in people.BEING | people.ABOUT | {"by", "then", "actually"} and place < at + 5:
            place += 1
        return place + 1 if place > at and self.number(place) in (age, age + 1) else 0

    def _known(self, ages: list[int]) -> bool:
        """Whether these are ages of children named before."""
        return set(ages) <= {age for item in self.items for age in item.ages}

    def _called(self, at: int) -> int | None:
        """`and Tom (10)`: a child by name."""
        named = self.word(at - 1) in ("their", "our", "my", "his", "her") and self.word(at + 1) == ","  # `our Tom, 4.`
        lone = named and (self.number(at + 2) or 99) < 18 and self.word(at + 3) in ("", ".", ",", ")", "!", "?")
        ages = self._age_list(at + 2, 120)[0] if self.word(at + 1) == "(" or lone else []
        names = (
            (self.word(at).isalpha() or "|" in self.word(at))
            and not self.at(at).kind
            and self.word(at) not in people.NUMBERED | UNITS
        )
        before = (
            lone
            or self.word(at - 1) in JOINS
            or self.word(at - 1) in (",", ":", "our", "my")
            or self.word(at)[:1] == "ו"
        )
        if len(ages) != 1 or not names or not before:
            return None
        if not self._ageless():
            vague = next((n for n, item in enumerate(self.items) if item.young and item.size is None), None)
            if vague is not None:  # `the kids: Anna (4), Ben (7)`
                del self.items[vague]
            return self._with_ages(Item("child", 1, at, at + 1))
        self._give(ages)
        self.used.update(range(at, at + 4))
        return at + 3

    def _says_age(self, at: int) -> bool:
        """Whether a number that begins here is an age: `3yo`, `8-month-old`; `3 months` alone is not."""
        if self.number(at) is None:
            return False
        _, end, old = self._age_list(at, 120)
        return old and (self.word(end - 1) not in MONTHS or self.at(end).kind == "baby")

    def _ageless(self) -> list[int]:
        """The last children without ages."""
        last = range(max(len(self.items) - 12, 0), len(self.items))
        return [n for n in last if self.items[n].young and (self.items[n].size or 0) > len(self.items[n].ages)]

    def _give(self, ages: list[int]) -> None:
        """Ages to the children before them who have none; all that are left to the last of these."""
        lacking = self._ageless()
        for number in lacking:
            item = self.items[number]
            missing = (item.size or 0) - len(item.ages) if number != lacking[-1] else len(ages)
            twins = self.at(item.start).size in (2, 3) or self.word(item.start - 1) == "twin"
            if len(ages) == 1 and twins:
                ages = ages * missing if number != lacking[-1] else ages * (item.size or 1)
                missing = len(ages)
            grown = ages and min(ages[:missing], default=0) >= 18
            given = {"kind": "relative"} if grown else {"ages": (*item.ages, *ages[:missing])}
            self.items[number] = item._replace(**given)
            ages = ages[missing:]

    # --- people -------------------------------------------------------------------------------------------------------

    def _noun(self, at: int) -> int | None:
        """Where the people are that a number before this token counts; None = it counts none."""
        end = at
        while self.word(end) in LITTLE and (not self.at(end).kind or self.word(end) == "us") and end < at + 4:
            end += 1
        word, following = self.word(end), self.at(end + 1)
        if following.kind in ("adult", "child", "baby", "people") and not following.prefix and following.size is None:
            known = self.at(end).kind or word in UNITS | THINGS | people.ALONE | people.NOT_ABOUT_PEOPLE
            end += word.isascii() and word.isalpha() and len(word) > 2 and not known  # `4 tired adults`
        who = self.at(end)
        is_couple_of = who.word == "couple" and self.word(end + 1) == "of"
        if who.kind in ("", "self", "us") or is_couple_of or self.word(end + 1) in THINGS:
            return None
        return None if who.prefix.strip("הש") else end  # `50 לאשתי`

    def _pair(self, at: int) -> int | None:
        """`2+1`; `2 + baby`; `(2/3)`, which may be a date too."""
        first, second, link = self.number(at), self.number(at + 2), self.word(at + 1)
        if link == "/" and self.word(at - 1) == "(" and self.word(at + 3) == ")" and max(first or 0, second or 99) < 10:
            self.certain.append(self.span(at, at + 3))
            self.open.append(self.span(at, at + 3))
            return at + 3
        noun = self._noun(at + 2 + (second is not None))
        if link != "+" or self.word(at - 1) in (".", "/", "+"):
            return None
        if noun is not None and self.at(noun).kind in ("child", "baby"):
            return self._take(Item("adult", first, at, at + 2))
        if second is None or self._counts(at + 2) or self._is_thing(at + 2):
            return None
        self.certain.append(self.span(at, at + 3))
        self._take(Item("adult", first, at, at + 2))
        who = self.at(at + 4) if self.word(at + 3) == "(" and self.word(at + 5) == ")" else Token()  # `2+1 (baby)`
        end = at + 6 if who.kind in ("child", "baby") and second == 1 else at + 3
        return self._with_ages(Item(who.kind if end > at + 3 else "child", second, at + 2, end))

    def _counted(self, at: int) -> int | None:
        """`2 small children (3, 5)`, `two (2) adults`, `2A`."""
        number = self.number(at) or 0
        noun = self._noun(at + 1)
        couples = bool(self.items) and self.items[-1].kind == "couple"
        if couples and self.word(at + 1) in ("single", "singles") and self.word(at + 2) not in THINGS:
            return self._take(Item("adult", number, at, at + 2))
        if noun is None:
            kind = {"a": "adult", "ad": "adult", "c": "child", "ch": "child", "i": "baby"}.get(self.word(at + 1), "")
            return (
                self._take(Item(kind, number, at, at + 2))
                if kind and self.at(at).end == self.at(at + 1).start
                else None
            )
        who = self.at(noun)
        is_one = who.kind in ("spouse", "relative") and who.size == 1 and number != 1
        if is_one or who.word == "twins" or (who.kind == "group" and who.word != "family"):
            return None
        if who.kind == "group":
            return self._take(Item("family", number, at, noun + 1))
        if who.kind in ADULTS and {self.word(n) for n in range(at, noun)} & {"them", "us", "whom", "מהם", "מתוכם"}:
            self.used.add(at)
            return noun + 1
        earlier = any(self.word(each.end - 1) == who.word and (each.size or 0) >= number for each in self.items)
        if number == 1 and who.kind == "couple" and "other" in {self.word(n) for n in range(noun, noun + 10)}:
            self.used.add(at)  # `1 couple wants breakfast, the other not`
            return noun + 1
        if earlier and "of" in {self.word(n) for n in range(at, noun)}:  # `1 of the adults`
            self.used.add(at)
            return noun + 1
        if self.number(at - 2) is not None and self.word(at - 1) in ("or", "או"):
            self.open.append(self.span(at - 2, noun + 1))
        if self.number(at - 2) is not None and self.word(at - 1) == "-":
            self.used.add(at - 2)
        return self._with_ages(Item(who.kind, number * (2 if who.kind == "couple" and who.size else 1), at, noun + 1))

    def _named(self, at: int) -> int | None:
        """`my wife`, `baby`, `kids 8 and 11`, `twins`, `family of 5`."""
        who, after = self.at(at), self.word(at + 1)
        if who.kind in ("", "self"):
            return None
        if after in THINGS or self.word(at - 1) in people.OF_ANYONE or self.word(at - 1) in ("מיטת", "מיטות"):
            return at + 1
        if who.kind in ("relative", "spouse") and who.size == 1 and self.word(at - 1) == "של":
            return at + 1  # an owner, no guest
        definite = self.word(at - 1) == "the" or who.prefix.endswith("ה")
        if who.kind == "relative" and definite and after in people.TELLS and not self.items:
            return at + 1  # `the carer can sleep on a folding bed`: someone known
        if who.kind == "group":
            return self._group(at)
        if who.size == 1 and self.at(at + 1).kind == "child" and (self.at(at + 1).size or 0) > 1:  # `infant twins`
            return self._with_ages(Item(who.kind, self.at(at + 1).size, at, at + 2))
        if who.word == "couple" and after == "of":
            noun = self._noun(at + 2)
            return self._with_ages(Item(self.at(noun).kind, 2, at, noun + 1)) if noun else at + 2
        before = at - 1
        while self.word(before) in LITTLE:
            before -= 1
        told = self.word(at + 2) if after == "שלי" else after
        if who.kind in ("relative", "spouse") and told in people.TELLS_OF_ONCE and self.word(at - 1) not in JOINS:
            return at + 2  # `my friend got 300`
        absent = _ABSENT.match(self.text[self.at(at).end :][:40]) if who.size == 1 else None
        if absent or self.word(before) in people.GONE:
            self.absent += absent is not None and who.kind in ADULTS and not (absent["gone"] or absent["dead"])
            self.used.add(at)
            return at + 1
        if self.word(before) in people.NONE:
            self.none.add("adult" if who.word == "parents" else who.kind)
            return at + 1
        place = at + 1 + (after in (":", "="))
        is_stated = self.noun_first or (who.kind == "people" and not self._counts(place))
        if is_stated and (number := self.number(place)) is not None:
            return self._with_ages(Item(who.kind, number, at, place + 1))
        if self.number(at + 1) == 1 and (who.kind == "people" or (who.size == 1 and who.word >= "א")):  # `ילד אחד`
            return self._take(Item(who.kind, 1, at, at + 2))
        if (
            who.size is None
            and who.kind == "adult"
            and self.word(at - 1) in ("to", "too")
            and self.word(at - 2) == "for"
        ):
            return self._take(Item("adult", 2, at - 1, at + 1))  # `for to adults`
        if who.word in people.THEIR_SPOUSES and self.items and self.items[-1].kind == "adult" and before >= 0:
            return self._take(Item("spouse", self.items[-1].size, at, at + 1))
        return self._with_ages(
            Item(who.kind, 2 if self.word(at - 1) == "twin" and not who.size else who.size, at, at + 1)
        )

    def _group(self, at: int) -> int:
        """`family of 5`, `group of 12`, `משפחה של 5`; without a number it stays open."""
        place = at + 1
        while self.word(place) in ("of", "של", "בת", "עם", "-"):
            place += 1
        noun = self._noun(place + 1)
        counts_people = noun is not None and self.at(noun).kind in ("people", "adult")
        whole = counts_people or (noun is not None and bool(self._ages(noun + 1, alone=True)[0]))
        if (number := self.number(place)) is not None and (whole or not self._counts(place)):
            kind = "family" if self.word(at) in people.FAMILY or _stem(self.word(at)) in people.FAMILY else "people"
            return self._take(Item(kind, number, at, (noun or place) + 1 if counts_people else place + 1))
        return self._take(Item("group", None, at, at + 1))

    def _with_ages(self, item: Item) -> int:
        """The item with the ages after it, and with `+ 2` as its children."""
        if item.young and item.size is None and (among := self._among(item.end)):  # `kids (3 of them, 5, 9 and 16)`
            item = item._replace(size=among[0], end=among[1])
        grown = item.kind in ("relative", "spouse", "self")
        ages, end = self._ages(item.end, alone=item.young or grown, grown=grown)
        if (
            not ages
            and item.young
            and self.word(item.end + (comes := self.word(item.end) in people.COME)) == ","
            and (item.size != 1 or self.number(item.start) is None)
        ):
            ages, end, _ = self._age_list(item.end + comes + 1, 17, loose=True)
            fits = len(ages) == (item.size or max(2, len(ages))) and self.word(end)[:1] in ",).|?!"
            ages, end = (ages, end) if fits else ([], item.end)
        if ages and (item.young or min(ages) >= 18):
            self.certain.append(self.span(item.end, end))
            item = (self._of_age(item, ages) if item.young else item)._replace(end=end)
        end = self._take(item)
        plus = self.word(end) in ("+", "plus", "פלוס", "ועוד") or (
            item.kind == "couple" and self.word(end) in ("and", "with", "עם")
        )
        number = self.number(end + 1)
        taken = self._counts(end + 1) or self._is_thing(end + 1) or self._old(end + 2) > end + 2
        if item.kind not in ADULTS or not plus or number is None or taken:
            return end
        if self.word(end + 2) == "(" and self.at(end + 3).kind in ("child", "baby"):  # `+ 2 (a boy of 3 and a baby)`
            self.used.add(end + 1)
            return end + 2
        more = "adult" if item.kind == "couple" and (item.size or 0) > 2 else "child"
        return self._with_ages(Item(more, number, end + 1, end + 2))

    def _among(self, at: int) -> tuple[int, int] | None:
        """`(3 of them`, `(שניים`: how many of those just named there are, and the token after it."""
        place = at + (self.word(at) in ("(", ",", "-", ":"))
        number, after = self.number(place), self.word(place + 1)
        if number is None or place == at:
            return None
        if (after, self.word(place + 2)) == ("of", "them") or after in ("מהם", "מהן"):
            return number, place + 2 + (after == "of")
        return (number, place + 1) if not self.word(place).isdecimal() else None

    def _of_age(self, item: Item, ages: list[int]) -> Item:
        size = len(ages) if item.size is None else item.size
        if min(ages) >= 18:
            return item._replace(kind="relative", size=size)
        every = ages * size if len(ages) == 1 else ages
        return item._replace(size=size, ages=tuple(age for age in every if age < 18))

    def _total(self, at: int) -> int | None:
        """`4 of us`, `we are 4`, `for 4`."""
        kind = "us" if self.number(at) == 2 else "people"
        if not self.word(at).isdecimal() and self.word(at + 1) not in PART:  # `שניים`
            return self._take(Item("people", 2, at, at + 1))
        if (self.word(at + 1), self.word(at + 2)) == ("of", "them"):
            ages, end, _ = self._age_list(at + 4, 17)
            fits = len(ages) == self.number(at)  # `3 of them, 4, 6 and 9`
            return self._take(Item("child", len(ages), at, end, tuple(ages))) if fits else None
        in_all = {self.word(at + 1), self.word(at + 2), self.word(at - 1)} & people.IN_ALL and not self._counts(at)
        if in_all or ((self.word(at - 2), self.word(at - 1)) == ("make", "it") and not self._is_thing(at)):
            return self._take(Item("all", self.number(at), at, at + 1))
        if (self.word(at + 1), self.word(at + 2)) == ("of", "us"):
            return self._take(Item(kind, self.number(at), at, at + 3))
        before = at - 1
        while self.word(before) in people.REALLY:
            before -= 1
        last, earlier, ours = self.word(before), self.word(before - 1), self._is_ours(at)
        if (last, earlier) in (("of", "party"), ("of", "group")) or (ours and not self._is_thing(at)):
            return self._take(Item(kind if ours else "people", self.number(at), at, at + 1))
        texted = last == "4" and earlier in ("room", "rooms", "suite", "table")
        is_for = (last in ("for", "ל") or texted) and not self._is_thing(at) and not self._counts(at)
        return self._take(Item("people", self.number(at), at, at + 1)) if is_for else None

    def _is_ours(self, at: int) -> bool:
        """Whether `we are` stands before a token."""
        before = at - 1
        while self.word(before) in people.REALLY:
            before -= 1
        last, earlier = self.word(before), self.word(before - 1)
        return last in ("us", "we're", "אנחנו", "נהיה", "we") or (
            last in ("are", "be") and earlier in ("we", "will", "we'll")
        )

    def _is_thing(self, at: int) -> bool:
        """Whether the number here is followed by the thing it counts."""
        following = self.word(at + 1)
        if following in UNITS or _stem(following) in UNITS:
            return True
        is_prefixed = "א" <= following[:1] <= "ת" and following[0] in "בומשהכל"
        return following.isalpha() and following not in people.ALONE and not is_prefixed

    def _self(self, at: int) -> int | None:
        """The guest, named among others: `me and my wife`, `my wife and I`."""
        if self.at(at).kind != "self" or self.number(at + 1) is not None:
            return None
        last = self.items[-1].end if self.items else -3
        after = at + 1
        while self.word(after) in BEFORE | AND | JOINS and after < at + 4:
            after += 1
        leads = self.word(at + 1) in AND | JOINS or self.is_and(after)
        among = leads and (self.at(after).kind or (self.number(after) is not None and self._counts(after)))
        follows = (self.word(at - 1) in ("join", "joining", "with") and self.at(at).size == 1) or (
            at - last <= 2
            and (self.is_and(at) or self.word(at - 1) in ("and", "&", "+", "ו", "," * (self.word(at) != "i")))
        )
        if not (among or follows) or self.word(at - 1) in ("of", "let", "tell", "send", "give", "call", "show"):
            ages, end = self._ages(at + 1)
            if ages and self._goes_on(end):
                self._take(Item("self", 1, at, end))
            self.used.update(range(at, end))
            return end if ages else None
        return self._with_ages(Item("self", self.at(at).size, at, at + 1))

    # --- the whole ----------------------------------------------------------------------------------------------------

    def party(self) -> Party:
        self._strangers()
        self._multiply_each()
        self._once()
        zero = "adult" in self.none or any(item.kind == "adult" and item.size == 0 for item in self.items)
        children, babies = self._minors()
        adults, family = self._grown((children or 0) + (babies or 0))
        none = (zero or bool(_NO_ADULTS.search(self.text))) and not adults
        if family:
            children = (self._sum("family") or 0) - (adults or 0)
        if "child" in self.none or _NO_KIDS.search(self.text):
            children = children or 0
        uncounted = any(item.young and item.size is None for item in self.items) and not none
        ages = tuple(age for item in self.items for age in item.ages)
        grown = [item for item in self.items if item.kind in (*ADULTS, "people", "all")]
        named = not none and all(item.kind in ("relative", "spouse", "adult") and item.size for item in grown)
        others = sum(item.size or 0 for item in grown) if named else 0
        turned, left = tuple(self.turned), tuple(self._left())
        return Party(
            None if none else adults, children, babies, ages, family, none, uncounted, others, self.absent, turned, left
        )

    def _strangers(self) -> None:
        """`for 5 engineers`: where nobody else is counted, an unknown word in the place of guests counts adults."""
        if any(item.size and item.kind not in ("child", "baby") for item in self.items):
            return
        for at, token in enumerate(self.tokens):
            before, word = self.word(at - 1), self.word(at + 1)
            stands = before in ("for", "ל", "are") and at not in self.used and token.number is not None
            many = word.endswith(("s", "ים", "ות")) and len(word) > 3 and word not in people.NO_GUESTS | THINGS
            if stands and many and self._is_strange(at):
                self._take(Item("adult", token.number, at, at + 2))
        self.items.sort(key=lambda item: item.start)

    def _once(self) -> None:
        """Leaves out who is named again: `a baby … the baby`, `my parents (mum and dad)`, `twins … two kids`."""
        kept: list[Item] = []
        for item in self.items:
            if not self._is_again(item, kept):
                kept.append(item)
            elif item.ages and not any(each.ages for each in kept if each.young):
                kept = [*(each for each in kept if not each.young), item]
        for whole in [each for each in kept if each.kind == "us" and self.number(each.start) and not each.joined][:1]:
            kept = [each for each in kept if not self._is_only_told(each, whole)]
        for item in [
            each for each in kept if each.kind in ("adult", "people") and self._is_ours(each.start)
        ]:  # `we are 6 adults`
            kept = [each for each in kept if each.start >= item.start or each.kind not in ADULTS]
        for item in [each for each in kept if each.kind in ADULTS]:
            opens = item.end + (self.word(item.end) == ",")
            close = (
                next((n for n in range(opens, opens + 20) if self.word(n) == ")"), 0) if self.word(opens) == "(" else 0
            )
            inner = [each for each in kept if item.end < each.start < close and each.kind in ADULTS]
            if inner and sum(each.size or 0 for each in inner) == item.size:  # `my parents (mum and dad)`
                kept = [each for each in kept if each not in inner]
        self.items = kept

    def _is_only_told(self, item: Item, whole: Item) -> bool:
        """`I promised my daughter. We come, the 2 of us`: a child without an age, in an earlier sentence."""
        lone = item.young and item.size == 1 and not item.ages and not item.joined
        return lone and self._breaks(item.end, whole.start) > 0

    def _is_again(self, item: Item, before: list[Item]) -> bool:
        alike = [each for each in before if (each.young if item.young else each.kind == item.kind) and each.size]
        if item.kind == "us" and any(each.kind == "self" for each in before) and not item.joined:
            return True  # `my sister and me; we two can share`
        if not alike:
            return False
        if not item.young and item.size is None:
            return False
        definite = self.word(item.start - 1) in ("the", "that") or "ה" in self.at(item.start).prefix
        same = [each for each in alike if each.kind == item.kind or set(item.ages) & set(each.ages)]
        if item.size in (None, 1) and not item.joined and same and (definite or item.size is None):
            return set(item.ages) <= {age for each in same for age in each.ages}
        if not item.young or item.size is None or item.size != sum(each.size or 0 for each in alike):
            return False
        if item.ages:  # `2+3, kids are 2, 4, 8`
            several = item.size > 1 and not item.joined and all(each.kind == item.kind for each in alike)
            return (definite or several) and not any(each.ages for each in alike)
        return self._breaks(alike[-1].end, item.start) > 0

    def _breaks(self, start: int, end: int) -> int:
        """How many sentences end between two tokens."""
        return sum(self.word(n) in ("!", "?", ";", ".") for n in range(start, end))

    def _sum(self, *kinds: str) -> int | None:
        sizes = [item.size for item in self.items if item.kind in kinds and item.size is not None]
        return sum(sizes) if sizes else None

    def _minors(self) -> tuple[int | None, int | None]:
        """Children and babies: by age where it is known, else as they are called."""
        sizes: dict[str, int] = {}
        for item in self.items:
            if item.young and item.size is not None:
                kinds = ["baby" if age < 2 else "child" for age in item.ages[: item.size]]
                for kind, number in (*((kind, 1) for kind in kinds), (item.kind, item.size - len(kinds))):
                    sizes[kind] = sizes.get(kind, 0) + number
        return (None if sizes.get("child") == 0 and "baby" in sizes else sizes.get("child")), sizes.get("baby") or None

    def _grown(self, minors: int) -> tuple[int | None, bool]:
        """The adults; whether a family's size is all that is known of it."""
        named = self._named_adults()
        totals = {item.size: item for item in self.items if item.kind in ("people", "family") and item.size is not None}
        if whole := self._sum("all"):
            return max(whole - minors, named or 0), False
        if not totals:
            return self._without_total(named, minors), False
        total, item = max(totals.items())
        if named and total in (named, named + minors) and not item.joined:
            return named, False
        if named or (len(totals) > 1 and total - minors not in totals):
            self.open += [self.span(i.start, i.end) for i in self.items if i.kind in (*ADULTS, "people", "family")]
            return named or total, False
        if item.kind == "family":
            return (max(1, total - minors), False) if minors else (min(2, total), True)
        part = any(token.word in PART for token in self.tokens) or (total > 2 and not any(i.joined for i in self.items))
        return (total - minors if minors and total > minors and part else total), False

    def _named_adults(self) -> int | None:
        """Those named as adults: `2 adults: my wife and me` says the same twice."""
        classes: dict[str, list[Item]] = {}
        for n, item in enumerate(self.items):
            if item.kind in ADULTS and item.size is not None and not self._is_told_of(n):
                classes.setdefault("named" if item.kind in ("spouse", "relative", "self") else item.kind, []).append(
                    item
                )
        total: int | None = None
        for name, items in classes.items():
            grown, first = sum(item.size or 0 for item in items), items[0]
            if (
                name == "named"
                and total is None
                and first is self.items[0]
                and not any(i.kind == "self" for i in items)
            ):
                theirs = ("his", "her", "their")
                grown += first.joined or any(i.kind == "spouse" and self.word(i.start - 1) not in theirs for i in items)
            if name == "adult" and first.joined and first is self.items[0] and (first.mine or self._comes(first.start)):
                grown += 1  # `with my 2 friends`, `I come with 3 friends`
            if name == "named" and self.word(first.start - 1) == "our" and self.at(first.start).kind == "child":
                grown += 2 * (len(items) == 1 and len(classes) == 1)  # `our son (19)`
            if not (total and grown == total and not first.joined):
                total = (total or 0) + grown
        return total

    def _comes(self, at: int) -> bool:
        """Whether `I come` stands shortly before."""
        near = {self.word(n) for n in range(at - 5, at)}
        return bool(near & {"i", "i'm", "im", "אני"} and near & people.COME and near & {"with", "עם"})

    def _named_as(self, item: Item) -> list[str]:
        counted = self.number(item.start) is not None
        return [self.word(n) for n in range(item.start, item.start + 1 + counted)]

    def _is_told_of(self, n: int) -> bool:
        """`2 adults. My husband uses a wheelchair`: one of those counted, or named, before."""
        item, before = self.items[n], self.items[:n]
        if item.kind == "relative" and self.word(item.end) in people.HAVE:
            return True
        counted_later = any(
            self.word(each.end - 1) in ("adults", "מבוגרים") and self._breaks(item.end, each.start) and not each.joined
            for each in self.items[n + 1 : n + 13]
        )
        if counted_later and item.kind in ("relative", "spouse", "self"):
            return True  # `My father is blind. 2 adults`
        goes_on = any(each.joined for each in self.items[n + 1 : n + 2])
        if item.joined or goes_on or not any(each.kind == "adult" and each.size for each in before):
            return False
        again = any(self._named_as(each) == self._named_as(item) for each in before)
        is_subject = item.kind == "relative" and self.word(item.end) in people.TELLS
        return item.kind in ("spouse", "self") or is_subject or again

    def _without_total(self, named: int | None, minors: int) -> int | None:
        if named is not None and any(i.kind != "self" for i in self.items):
            return named
        if _ALONE.search(self.text):
            return 1
        if minors and any(item.kind == "group" for item in self.items):
            return 2
        return 1 if any(item.mine and item.kind == "child" for item in self.items) else None

    def _multiply_each(self) -> None:
        """`2 rooms, 2 adults each`, `3 couples with one child each`: so many in each of those before."""
        couples = {item.start: item for item in self.items if item.kind == "couple" and (item.size or 0) > 2}
        eaches = [n for n, token in enumerate(self.tokens) if token.word in ("each", "apiece", "בכל", "כל")]
        for at in [n for n in eaches if self.word(n + 1) != "other"][:8]:
            number, end = self._each_of(at, couples)
            before = [n for n, item in enumerate(self.items) if end <= item.start < at]
            if self.word(at - 1).startswith("|") or self.at(at + 1).kind == "group":
                continue  # a price each; `the whole family`
            if (
                sum(self.items[n].size or 0 for n in before) == number * (self.number(at - 1) or 0) > 0
                and at - 1 not in self.used
            ):
                continue  # `5 rooms for 5 of us, 1 each`
            among = before or [n for n, item in enumerate(self.items) if item.start > at]
            if among and not number:
                self.open.append(self.span(at, at + 1))
            for n in among if number else ():
                self.items[n] = self.items[n]._replace(size=(self.items[n].size or 0) * number)

    def _each_of(self, at: int, couples: dict[int, Item]) -> tuple[int, int]:
        """How many rooms or couples `each` speaks of, and the token after them."""
        for before in range(at - 1, max(at - 40, -1), -1):
            if before in couples:
                return (couples[before].size or 0) // 2, couples[before].end
            nouns = {self.word(before + 1), self.word(before + 2)}
            if (number := self.number(before)) is not None and nouns & {
                "rooms",
                "suites",
                "doubles",
                "חדרים",
                "סוויטות",
            }:
                return number, before + 2
        return 0, 0

    def _left(self) -> Iterator[Span]:
        """What names or counts people and was not used; a plain number too."""
        yield from self.open
        known = self._named_adults() or self._sum("people", "family", "child", "baby")
        is_said = known or bool(_NO_KIDS.search(self.text))
        for item in self.items:
            vague = item.size is None and not item.young and item.kind != "people"
            explained = known and (
                item.kind == "group"
                or (item.kind == "self" and len(self.items) < 2)
                or (item.kind == "adult" and not item.joined and self._is_counted_after(item))
            )
            anyone = is_said or self.word(item.start) not in ("adults", "מבוגרים")
            general = (
                anyone
                and self.word(item.start).replace(" ", "-") in people.IN_GENERAL
                and not self.at(item.start).prefix
            )
            if (vague and not explained and not (general and item.kind != "group")) or (
                item.young and len(item.ages) > (item.size or 0)
            ):
                yield self.span(item.start, item.end)
        for at, token in enumerate(self.tokens):
            strange = not known and token.number is not None and self._is_strange(at)
            if at not in self.used and token.number is not None and (strange or self._is_bare(at)):
                yield self.span(at, at + 1 + strange)

    def _is_counted_after(self, item: Item) -> bool:
        """`friends from the army, 6 men`."""
        later = [each for each in self.items if each.start > item.start and each.kind in ("adult", "people")]
        return any(self.number(each.start) is not None and not each.joined for each in later)

    def _is_strange(self, at: int) -> bool:
        """Whether the number here counts something unknown, which may be guests: `4 pers`."""
        things = {self.word(n) for n in range(at + 1, at + 5)}
        is_known = (things | {_stem(word) for word in things}) & (UNITS | THINGS) or self.at(at + 1).kind
        counts = self._is_thing(at) and 1 < (self.number(at) or 0) < 100
        return counts and not is_known and self.word(at - 1) not in people.NUMBERED

    def _is_bare(self, at: int) -> bool:
        """Whether the number here stands for nothing that is known: no things, time, price or room number."""
        token = self.at(at)
        if self.word(at - 1) in ("of", "של") and {self.word(at - 2), _stem(self.word(at - 2))} & {"rooms", "חדרים"}:
            return False  # `rooms of 3`
        if self.word(at - 1) in people.LIMITS or re.search(
            r"[a-wyz]$", self.text[max(token.start - 1, 0) : token.start]
        ):
            return False
        texted = token.number in (2, 4) and self.number(at + 1) is not None  # `4 2 people`
        counted = (
            self._is_thing(at)
            or self.word(at + 1) in PART
            or self.at(at + 1).kind
            or self.word(at - 1) in people.NUMBERED
        )
        if (
            token.number == 1
            or texted
            or counted
            or len(token.word) > 3
            or self.text[token.start - 1 : token.start] in (*":.|",)
        ):
            return False
        return not re.match(r"[:.]\d|%|-\d+ *[^\W\d]", self.text[token.end : token.end + 8])
