"""Reads who is coming by a small grammar: counts, named people and ages. Whatever else names or counts a person stays open."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from wavegraph.tools.hotel.reading import people
from wavegraph.tools.hotel.reading.people import ADULTS, AND, BEFORE, JOINS, LITTLE, MONTHS, OLD, PART, THINGS, UNITS

Span = tuple[int, int]
MOST = 999
"""Guests that are counted."""
MOST_BARE, MOST_TOGETHER = 99, 10
"""Above these a number counts guests only with a word for them: alone, and with another number before it."""


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
    disputed: bool = False
    """Several numbers of guests are given that do not agree."""
    others: int = field(default=0, compare=False)
    """Adults who are not the guest: `my sister`; 0 if the guest is named too."""
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

    @property
    def young(self) -> bool:
        return self.kind in ("child", "baby")

    @property
    def named(self) -> bool:
        """Whether it names an adult rather than counting some."""
        return self.kind in ("spouse", "relative", "self")


_BRACKETS = {"[": "(", "]": ")"}
_LEADS = frozenset((":", "(", ",", "-", "=", "who", "is", "are", "both", "all", "of", "now", "only", "just"))
"""What may stand between people and their ages."""
_TOKEN = re.compile(
    r"grown[ -]?ups?|(?:mother|father|brother|sister)-in-law|in-laws|little ones?|both of us|(?<![א-ת])[ולהש]{0,2}(?:בן|בת) ה?זוגי?(?![א-ת])|"
    r"(?<![א-ת])[ולהש]{0,2}(?:חברה של[יו]|חבר שלה|בני נוער)|א[םב] חד[ -]הורית?|\d+(?:st|nd|rd|th)\b|\d+|\|+|[^\W\d_]+(?:['\"][^\W\d_]+)*|\S"
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
_AGAIN = re.compile(r"(?<!\d)(\d{1,2}) \(\1\)(?= \w)")
"""`2 (two) adults`."""
_NOUN_FIRST, _NUMBER_FIRST = re.compile(r"\badults?\s*+(?:[:=]\s*+)?\d"), re.compile(r"\d\s?adults?\b")
_ALONE = re.compile(
    r"\b(?:just|only) (?:for )?me\b|\bby myself\b|\balone\b|\bsolo\b|\b(?:single|lone|1) (?:business )?(?:person|travell?er|guest|visitor|businessman|businesswoman)\b|\bsingle (?:room|occupancy)\b|\bfor me only\b|"
    r"\ba single(?= ?(?:$|[,.;:?!|]|(?:for|from|on|in|at|please|with)\b))|\bfor myself\b|\b1 person\b|לבד(?![א-ת])|(?<![א-ת])ל?יחידה?(?![א-ת])|רק אני|(?:איש|אדם|בן אדם|נפש) 1\b|לאדם\b"
)
_KIDS = r"(?:kids|children|teenagers|teens|minors|infants|babies|toddlers)"
_NO_ADULTS = re.compile(
    rf"\b{_KIDS} (?:only|alone|unaccompanied|by themselves|on their own)\b|\ba (?:kid|child|teenager|teen|minor) (?:alone|unaccompanied|"
    rf"on (?:his|her|their) own)\b|\b(?:only|just) (?:(?:the|\d+|my|our) )?{_KIDS}\b|רק (?:\d )?ה?ילדים|ילדים בלבד"
)
_WITH_THEM = re.compile(
    r"\bi(?:'ll| will|'m| am|'d)?(?: be)? (?:[a-z]+ )?(?:travel(?:l?ing)?|com(?:e|ing)|stay(?:ing)?|shar(?:e|ing)) (?:a room )?with (?:her|him)\b|"
    r"(?<![א-ת])(?:אני|ואני|שאני) (?:בא|באה|מגיע|מגיעה|מתלווה|נוסע|נוסעת) (?:איתו|איתה|אתו|אתה)(?![א-ת])"
)
"""`I'll be travelling with her`: the guest comes too."""
_MARRIED = re.compile(
    r"\b(?:anniversar(?:y|ies)|married|wedding|together)\b|(?<![א-ת])[ולבה]?(?:נישואין|נישואים|נשואים|חתונה)(?![א-ת])"
)
_BED_TOO = re.compile(
    r"\bneeds (?:an?|an extra|his own|her own) bed (?:too|as well|also)\b|(?<![א-ת])צריכה? גם מיטה(?![א-ת])"
)
_COMES_NOT = re.compile(
    r"\b(?:without|not (?:come|coming|join|joining)|(?:stay(?:s|ing)?|at) home|on my own|by myself|for me)\b|(?<![א-ת])(?:בלעדי[הו]?|לא (?:באה?|מגיעה?|מצטרפת?|מצטרף)|נשאר(?:ת)? בבית|בשבילי|עבורי)(?![א-ת])"
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
    return _Reader(text).party()


@lru_cache(maxsize=4096)
def _who(word: str) -> tuple[str, int | None, str]:
    """Whom a word names, how many, and the Hebrew prefixes it stands without."""
    if word in people.TO_PARENT:
        return "relative", 1, word[0]
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


def _is_unit(word: str) -> bool:
    return word in UNITS or _stem(word) in UNITS


class _Reader:
    """One text, read once from left to right; a rule takes what begins at a token and gives the token after it."""

    def __init__(self, text: str) -> None:
        text = _AGAIN.sub(lambda m: m[1] + " " * (len(m.group()) - len(m[1])), text)
        self.text, self.tokens = text, [_token(m) for m in _TOKEN.finditer(text)]
        self.items: list[Item] = []
        self.used: set[int] = set()
        self.open: list[Span] = []
        self.certain: list[Span] = []
        """Ages, and guests as `2+2`, whatever stands around them."""
        self.disputed = False
        self.absent: list[int] = []
        """People who are said not to come: beside others who are counted that needs no question."""
        self.none: set[str] = set()
        """Kinds that are said not to come."""
        self.noun_first = bool(_NOUN_FIRST.search(text)) and not _NUMBER_FIRST.search(text)
        at = 0
        while at < len(self.tokens):
            rules = (
                (self._aged, self._pair, self._counted, self._total)
                if self.number(at) is not None
                else (self._aged, self._told_age, self._named, self._self, self._stranger)
            )
            at = next((end for rule in rules if (end := rule(at))), at + 1)

    def at(self, at: int) -> Token:
        return self.tokens[at] if 0 <= at < len(self.tokens) else Token()

    def word(self, at: int) -> str:
        return self.at(at).word

    def words(self, start: int, end: int) -> set[str]:
        return {self.word(n) for n in range(start, end)}

    def number(self, at: int) -> int | None:
        return self.at(at).number

    def is_and(self, at: int) -> bool:
        """Whether the word begins with a Hebrew `and`."""
        return self.at(at).prefix.startswith("ו") or self.word(at)[:3] in ("ובת", "ובן")

    def span(self, start: int, end: int) -> Span:
        return self.tokens[start].start, self.tokens[end - 1].end

    def back(self, at: int, skipped: frozenset[str]) -> int:
        """The last token before `at` that is none of those skipped."""
        before = at - 1
        while self.word(before) in skipped:
            before -= 1
        return before

    def _take(self, item: Item) -> int:
        joined = self.is_and(item.start) or self.word(self.back(item.start, BEFORE)) in JOINS
        self.items.append(item._replace(joined=joined))
        self.used.update(range(item.start, item.end))
        return item.end

    def _leave(self, start: int, end: int) -> int:
        """What is named or counted here stays open."""
        self.open.append(self.span(start, end))
        self.used.update(range(start, end))
        return end

    # --- ages ---------------------------------------------------------------------------------------------------------

    def _age(self, at: int, most: int, *, limited: bool = False) -> tuple[int | None, int, bool]:
        """An age in years up to `most`, the token after it, and whether its words make it one: `8 months`, `שנה וחודשיים`.
        `limited`: as many are known as children are."""
        soon = at
        while self.word(soon) in people.ABOUT:
            soon += 1
        word = self.word(soon)
        number = self.number(soon) if word.isdecimal() else None
        half = word in ("חצי", "וחצי") and self.word(soon + 1) == "שנה"
        if word in people.HEBREW_AGES or half:
            return people.HEBREW_AGES.get(word, 0), self._and_some(soon + 1 + half), False
        unit = soon + 1 + (self.word(soon + 1) == "-")
        if number is not None and self.word(unit) in MONTHS:
            return number // 12, max(self._old(unit + 1), unit + 1), True
        if number is not None and self.word(unit) in people.SHORTER and self._old(unit + 1) > unit + 1:
            return 0, self._old(unit + 1), True
        if number is not None and number <= most and (part := self._fraction(soon, limited)):
            return number, part, False
        if number is None or number > most or (self._counts(soon) and self._old(soon + 1) == soon + 1):
            return None, at, False
        early = bool(self.words(at, soon) & people.SOON)
        return max(number - early, 0), self._and_some(soon + 1), False

    def _fraction(self, at: int, limited: bool) -> int:
        """The token after an age like `1.5`; 0 = none is here. Other tenths need a word or a bracket that makes an age of them."""
        _, point, tenth, after = (self.at(at + n) for n in range(4))
        written = (
            point.word == "." and tenth.word.isdecimal() and len(tenth.word) == 1 and tenth.start == point.start + 1
        )
        ranged = after.word in ("-", ".", "/", "to", "till", "until", "עד") and self.number(at + 4) is not None
        led = self._is_aged(at - 1) or self.word(at - 1) == "("
        listed = tenth.word == "5" and self.word(at - 1) in AND
        if not written or ranged or limited or not (led or listed or self._old(at + 3) > at + 3):
            return 0
        return at + 3

    def _counts(self, at: int) -> bool:
        """Whether the number here counts what follows, or is part of a date."""
        following = self.word(at + 1)
        if following in ("-", ".", "/", ":", "to", "till", "until", "עד") and self.number(at + 2) is not None:
            return True
        return self._noun(at + 1) is not None or (_is_unit(following) and following not in MONTHS)

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
        return end if self.words(at, end) - {"-", "/"} else at

    def _age_list(self, at: int, most: int, *, loose: bool = False, size: int = 12) -> tuple[list[int], int, bool]:
        """`5, 7 and 9`: ages up to `most`, where they end, and whether `years old` or months follow them. `loose`: also `5 7 9`;
        `size`: of so many children."""
        ages: list[int] = []
        end, old = at, False
        while len(ages) < 12:
            age, after, sure = self._age(at, most, limited=len(ages) >= size)
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

    def _ages(self, at: int, size: int | None = None, young: bool = False) -> tuple[list[int], int]:
        """Ages that stand here, after whom they belong to, of whom there are `size`."""
        if young and self.word(at + 1) == "(" and self.word(at).isalpha() and not self.at(at).kind:
            at += 1  # `baby Noa (7 months)`
        at += int(self.word(at) in people.THEIRS and self._is_aged(at + 1))
        start, marked = at, self.word(at) == "of"
        if self.word(at) == "(" and self.number(at + 1) is not None and self.word(at + 2) == "of":
            at += 4  # `(four of them, 3, 7, 12 and 15)`
        while at < start + 8 and ((aged := self._is_aged(at)) or self.word(at) in _LEADS | people.COME):
            marked, at = marked or aged, at + 1
        lead = self.words(start, at)
        bracket = "(" in lead
        ages, end, old = self._age_list(
            at, 17 if young and not (marked or bracket) else 120, loose=True, size=size or 12
        )
        fits = len(ages) == (size or max(2, len(ages))) and self.word(end)[:1] in ",).|?!;"
        sure = marked or old or bracket or (young and ("," not in lead or fits or lead & {"both", "all"}))
        return (ages, end + (self.word(end) == ")" and bracket)) if ages and sure else ([], start)

    def _aged(self, at: int) -> int | None:
        """Someone named by an age: `a 3yo`, `4 and 7 year olds`, `aged 5`, `בת 12`."""
        marked = self._is_aged(at)
        ages, end = self._ages(at) if marked else self._written_ages(at)
        if not ages:
            return None
        who = self.at(end)
        if min(ages) >= 18 and (who.kind in ADULTS or self.word(at) in people.ENGLISH_AGED):  # `my 80 year old mother`
            self.certain.append(self.span(at, end))
            self.used.update(range(at, end))
            return self._take(Item(who.kind, who.size, at, end + 1)) if who.kind in ADULTS and who.size else end
        if self.word(at - 1) in people.LIMITS:
            self.used.update(range(at, end))
            return end
        if (self.word(end), self.word(end + 1)) == ("will", "be"):  # `the 8 year old will be 9`
            return self._leave(at, end)
        self.certain.append(self.span(at, end))
        if marked and not self.is_and(at) and self._give(ages):
            self.used.update(range(at, end))
            return end
        noun = self._noun(end) if self.number(end) is None else None
        child = self.at(noun) if noun is not None and self.at(noun).kind in ("child", "baby") else Token(kind="child")
        if len(ages) == 1 and not marked:
            self.used.add(at - 1)
            ages *= max(self.number(at - 1) or 1, child.size or 1)
        stop = noun + 1 if noun is not None and child.word else end
        if grown := sum(age >= 18 for age in ages):
            self._take(Item("relative", grown, at, stop))
        young = tuple(age for age in ages if age < 18)
        return self._take(Item(child.kind, len(young), at, stop, young)) if young else stop

    def _written_ages(self, at: int) -> tuple[list[int], int]:
        """`3yo`, `8-month-old`; `3 months` or `5 years` alone is no age."""
        if self.number(at) is None:
            return [], at
        ages, end, old = self._age_list(at, 120)
        is_age = old and self.words(at, end) & people.OLDEST
        return (ages, end) if is_age else ([], at)

    def _told_age(self, at: int) -> int | None:
        """`she's 8`, `who turned 5`, `I'm 67`: the age of someone named, or of the guest."""
        place = at
        while self.word(place) in people.BEING | people.ABOUT and place < at + 5:
            place += 1
        said = self.words(at, place)
        if not said & people.IS and not (said & people.PRONOUNS and said - people.PRONOUNS):
            return None
        ages, end, _ = self._age_list(place, 120)
        if not ages or self._is_thing(end - 1) or self._noun(end) is not None:
            return None
        self.certain.append(self.span(place, end))
        known = {age for item in self.items for age in item.ages}
        if min(ages) >= 18 or self._give(ages) or set(ages) <= known:
            self.used.update(range(at, end))
            return end
        return self._leave(place, end)

    def _give(self, ages: list[int]) -> bool:
        """Ages to the last children named, if they have none yet."""
        lacking = [n for n, item in enumerate(self.items) if item.young and (item.size or 0) > len(item.ages)][-12:]
        for number in lacking:
            item = self.items[number]
            missing = (item.size or 0) - len(item.ages)
            given = ages * missing if len(ages) == 1 and self._is_twin(item) else ages[:missing]
            if number == lacking[-1]:
                given = given + ages[missing:]
            grown = bool(given) and min(given) >= 18
            self.items[number] = item._replace(
                kind="relative" if grown else item.kind, ages=() if grown else (*item.ages, *given)
            )
            ages = ages[missing:]
        return bool(lacking)

    def _is_twin(self, item: Item) -> bool:
        return self.at(item.start).size in (2, 3) or self.word(item.start - 1) == "twin"

    # --- people -------------------------------------------------------------------------------------------------------

    def _noun(self, at: int) -> int | None:
        """Where the people are that a number before this token counts; None = it counts none."""
        if self._is_age_of_one(at - 1):
            return None
        end = at
        while self.word(end) in LITTLE and (not self.at(end).kind or self.word(end) == "us") and end < at + 4:
            end += 1
        following = self.at(end + 1)
        if following.kind in ("adult", "child", "baby", "people") and not following.prefix and following.size is None:
            word = self.word(end)
            known = self.at(end).kind or word in UNITS | THINGS | people.ALONE | people.NOT_ABOUT_PEOPLE
            end += word.isascii() and word.isalpha() and len(word) > 2 and not known  # `4 tired adults`
        who = self.at(end)
        is_couple_of = who.word == "couple" and self.word(end + 1) == "of"
        if who.kind in ("", "self", "us") or is_couple_of or self.word(end + 1) in THINGS:
            return None
        return None if who.prefix.strip("הש") else end  # `50 לאשתי`

    def _is_age_of_one(self, at: int) -> bool:
        """`boy 7 girl 9`: whether the number here is the age of the one before it, and counts no other."""
        ones = [
            each for each in (self.at(at - 1), self.at(at + 1)) if each.kind in ("child", "baby") and each.size == 1
        ]
        counted = self.number(at - 2) is not None
        if counted and self.items:
            counted = at - 2 not in self.used or self.items[-1].start == at - 2
        return len(ones) == 2 and (self.number(at) or 0) > 1 and not counted

    def _pair(self, at: int) -> int | None:
        """`2+1`; `2 + baby`."""
        first, second = self.number(at), self.number(at + 2)
        noun = self._noun(at + 2 + (second is not None))
        if self.word(at + 1) != "+" or self.word(at - 1) in (".", "/", "+"):
            return None
        if noun is not None and self.at(noun).kind in ("child", "baby"):
            return self._take(Item("adult", first, at, at + 2))
        if second is None or self._counts(at + 2) or self._is_thing(at + 2):
            return None
        self.certain.append(self.span(at, at + 3))
        self._take(Item("adult", first, at, at + 2))
        return self._with_ages(Item("child", second, at + 2, at + 3))

    def _counted(self, at: int) -> int | None:
        """`2 small children (3, 5)`, `2A`."""
        number, noun = self.number(at) or 0, self._noun(at + 1)
        if self.word(at + 1) in people.SINGLES and self.items and self.items[-1].kind == "couple":
            return self._leave(at, at + 2)
        if noun is None:
            kind = people.LETTERS.get(self.word(at + 1), "") if self.at(at).end == self.at(at + 1).start else ""
            return self._take(Item(kind, number, at, at + 2)) if kind else None
        who, fillers = self.at(noun), self.words(at, noun)
        if self.word(at - 1) in people.EVERY:
            return self._leave(at, noun + 1)  # `לכל אחת תינוקת`
        if self.word(noun + 1) in people.DROPS:
            self.disputed = True
            return self._leave(at, noun + 1)
        is_one = who.kind in ("spouse", "relative") and who.size == 1 and number != 1
        if is_one or who.word == "twins" or (who.kind == "group" and who.word != "family"):
            return None
        if who.kind == "group":
            item = Item("family", number, at, noun + 1) if number > 1 else Item("group", None, at, noun + 1)
            return self._take(item)
        if who.kind in ADULTS and fillers & people.OF_THEM:  # `5 adults, 2 of them seniors`
            self.used.add(at)
            return noun + 1
        one_of = who.kind == "couple" and number == 1 and "other" in self.words(noun, noun + 10)
        self.disputed = self.disputed or one_of
        if one_of or ("of" in fillers and who.kind in ADULTS and not fillers & people.OUR):
            return self._leave(at, noun + 1)  # `1 of the adults`, `1 couple wants breakfast`: counted, or one more
        if self.number(at - 2) is not None and self.word(at - 1) in ("or", "או", "-"):
            self.disputed = True
            return self._leave(at - 2, noun + 1)
        return self._with_ages(Item(who.kind, number * (2 if who.kind == "couple" and who.size else 1), at, noun + 1))

    def _named(self, at: int) -> int | None:
        """`my wife`, `baby`, `kids 8 and 11`, `twins`, `family of 5`."""
        who, after = self.at(at), self.word(at + 1)
        if who.kind in ("", "self"):
            return None
        greeted = self.word(at - 1) in people.GREETINGS and who.kind == "adult"
        outing = who.kind == "child" and who.size is None and after in people.OUTINGS
        if greeted or outing:
            return at + 1
        if after in THINGS or self.word(at - 1) in people.OF_ANYONE:
            return at + 1
        if who.kind in ("relative", "spouse") and who.size == 1 and self.word(at - 1) == "של":
            return at + 1  # an owner, no guest
        if who.kind == "group":
            return self._group(at)
        if who.word == "couple" and after == "of":
            return at + 2 if _is_unit(self.word(at + 2)) else self._leave(at, at + 2)  # `a couple of kids`
        if who.kind == "adult" and self.at(at + 1).kind == "child" and self.at(at + 1).size == 1:  # `adult daughter`
            return self._take(Item("relative", 1, at, at + 2))
        if who.size == 1 and self.at(at + 1).kind == "child" and (self.at(at + 1).size or 0) > 1:  # `infant twins`
            return self._with_ages(Item(who.kind, self.at(at + 1).size, at, at + 2))
        before = self.back(at, LITTLE)
        if self.word(before) in people.NONE:
            self.none.add("adult" if who.word == "parents" else who.kind)
            return at + 1 if who.kind in ("adult", "child", "baby", "people") else self._leave(at, at + 1)
        if away := self._is_away(at, before):
            self.used.add(at)
            joined = self.word(self.back(at, BEFORE)) in JOINS or self.is_and(at)
            self.absent += [] if away == "once" and not joined else [at]
            return at + 1
        place = at + 1 + (after in (":", "="))
        is_stated = self.noun_first or (who.kind == "people" and not self._counts(place))
        if is_stated and (number := self.number(place)) is not None:
            return self._with_ages(Item(who.kind, number, at, place + 1))
        if self.number(at + 1) == 1 and (who.kind == "people" or (who.size == 1 and who.word >= "א")):  # `ילד אחד`
            return self._take(Item(who.kind, 1, at, at + 2))
        size = 2 if self.word(at - 1) == "twin" and not who.size else who.size
        return self._with_ages(Item(who.kind, size, at, at + 1))

    def _stranger(self, at: int) -> int | None:
        """`my X and I`, `my wife, our X`, `אני והX שלי`: someone beside a guest, whoever that is."""
        leads = self.word(at) in people.WHOSE
        who, end = (at + 1, at + 2) if leads else (at, at + 2)
        name, before = self.at(who), at - 1 - (self.word(at - 1) in JOINS | {","})
        known = people.NO_GUESTS | UNITS | THINGS | LITTLE
        if not (leads or self.word(at + 1) in people.THEIRS) or name.kind or not name.word.isalpha():
            return None
        if known & {name.word, _stem(name.word)} or self._is_aged(who):
            return None
        after = self.word(end)
        listed = not after[:1].isalpha() or after in JOINS or after[:1] == "ו"
        joined = before < at - 1 or name.word[0] == "ו"
        guest = self.at(before).kind == "self" or any(item.end == before + 1 for item in self.items)
        with_me = after in JOINS and self.at(end + 1).kind == "self"
        return self._leave(at, end) if with_me or (listed and joined and guest) else None

    def _is_away(self, at: int, before: int) -> str:
        """Whether what stands around someone tells of `once`, or that the person `stays` away; empty = neither."""
        told = at + 1 + (self.word(at + 1) == "שלי")
        after = self.words(told, told + 5)
        stays_away = bool(after & people.NOT and after & people.COME)
        if self.word(before) in people.GONE or self.word(told) in people.TELLS_OF_ONCE:
            return "once"
        return "stays" if stays_away else ""

    def _group(self, at: int) -> int:
        """`family of 5`, `group of 12`, `משפחה של 5`; without a number it stays open."""
        place = at + 1
        while self.word(place) in ("of", "של", "בת", "-"):
            place += 1
        noun = self._noun(place + 1)
        if self.word(place + 1) == "+" and self.number(place + 2) is not None:
            return at + 1  # `משפחה 2+3`
        if self.word(place - 1) == "-" and noun is not None and self.at(noun).kind == "adult":
            return self._take(Item("group", None, at, at + 1))  # `with the family - 2 adults, 3 kids`
        counts_people = noun is not None and self.at(noun).kind in ("people", "adult")
        whole = counts_people or (noun is not None and bool(self._ages(noun + 1, young=True)[0]))
        if (number := self.number(place)) is not None and (whole or not self._counts(place)):
            kind = "family" if {self.word(at), _stem(self.word(at))} & people.FAMILY else "people"
            if number == 1:  # `למשפחה אחת`
                return self._take(Item("group", None, at, place + 1))
            return self._take(Item(kind, number, at, (noun or place) + 1 if counts_people else place + 1))
        return self._take(Item("group", None, at, at + 1))

    def _with_ages(self, item: Item) -> int:
        """The item with the ages after it, and with `+ 2` as its children."""
        is_girls = self.word(item.end - 1) in people.GIRLS and item.size is not None
        ages, end = self._ages(item.end, item.size, item.young or is_girls)
        if ages and is_girls and max(ages) < 18:
            item = item._replace(kind="child")
        if ages and (item.young or (min(ages) >= 18 and item.kind != "us")):
            self.certain.append(self.span(item.end, end))
            item = (self._of_age(item, ages) if item.young else item)._replace(end=end)
        end = self._take(item)
        plus = self.word(end) in people.PLUS or (item.kind == "couple" and self.word(end) in ("and", "with", "עם"))
        number = self.number(end + 1)
        taken = self._counts(end + 1) or self._is_thing(end + 1) or self._old(end + 2) > end + 2
        if item.kind not in ADULTS or not plus or number is None or taken:
            return end
        if (item.size or 0) > 2:
            return self._leave(end, end + 2)
        return self._with_ages(Item("child", number, end + 1, end + 2))

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
        in_all = self.words(at - 1, at + 3) & people.IN_ALL and not self._counts(at)
        leads = (self.word(at - 2), self.word(at - 1))
        made = (leads == ("make", "it") or leads == (",", "so")) and not self._is_thing(at)
        if in_all or (made and not self._counts(at)):
            return self._take(Item("all", self.number(at), at, at + 1))
        some = self.number(at) == 1 or self.word(at + 3) in people.TELLS
        if (self.word(at + 1), self.word(at + 2)) == ("of", "us") and some:
            self.used.add(at)
            return at + 3  # `2 of us don't mind a sofa bed`, `if 1 of us gets ill`
        if (self.word(at + 1), self.word(at + 2)) == ("of", "us"):
            if self.word(at - 1) != "the" and (self.number(at) or 0) < (
                self._sum(*ADULTS, "people") or 0
            ):  # `2 adults, 1 of us uses a wheelchair`
                self.used.add(at)
                return at + 3
            return self._take(Item(kind, self.number(at), at, at + 3))
        before = self.back(at, people.REALLY)
        last, earlier, ours = self.word(before), self.word(before - 1), self._is_ours(at)
        if (last, earlier) in (("of", "party"), ("of", "group")) or (ours and not self._is_thing(at)):
            return self._take(Item(kind if ours else "people", self.number(at), at, at + 1))
        if self.words(before - 3, before) & people.TABLE:
            self.used.add(at)
            return at + 1
        ranged = last == "ל" and (self.number(before - 1) or 0) >= MOST_TOGETHER  # `14 ל-16`: days
        if last in ("for", "ל") and (ranged or (self.number(at) or 0) > MOST_BARE):
            return self._leave(at, at + 1)
        is_for = last in ("for", "ל") and not self._is_thing(at) and not self._counts(at)
        return self._take(Item("people", self.number(at), at, at + 1)) if is_for else None

    def _is_ours(self, at: int) -> bool:
        """Whether `we are` stands before a token."""
        before = self.back(at, people.REALLY)
        last, earlier = self.word(before), self.word(before - 1)
        we_are = last in ("are", "be") and earlier in ("we", "will", "we'll")
        return we_are or last in ("us", "we're", "אנחנו", "נהיה", "we")

    def _is_thing(self, at: int) -> bool:
        """Whether the number here is followed by the thing it counts."""
        following = self.word(at + 1)
        is_prefixed = "א" <= following[:1] <= "ת" and following[0] in "בומשהכל"
        return _is_unit(following) or (following.isalpha() and following not in people.ALONE and not is_prefixed)

    def _self(self, at: int) -> int | None:
        """The guest, named among others: `me and my wife`, `my wife and I`."""
        if self.at(at).kind != "self" or self.number(at + 1) is not None:
            return None
        _, end = self._ages(at + 1)
        after = end
        while self.word(after) in BEFORE | AND | JOINS and after < end + 4:
            after += 1
        leads = self.word(end) in AND | JOINS or self.is_and(after)
        among = leads and (
            self.at(after).kind
            or self._written_ages(after)[0]
            or (self.number(after) is not None and self._counts(after))
        )
        last = max(self.used, default=-9) + 1
        comma = "," * (self.word(at) != "i")
        follows = (self.word(at - 1) in ("and", "&", "+", "ו", comma) or self.is_and(at)) and at - last <= 2
        follows = follows or (self.word(at - 1) in ("with", "join", "joining") and self.at(at).size == 1)
        if not (among or follows) or self.word(at - 1) in people.TELLS_ME:
            return None
        return self._take(Item("self", self.at(at).size, at, end))

    # --- the whole ----------------------------------------------------------------------------------------------------

    def party(self) -> Party:
        self._multiply_each()
        self._once()
        self._leave_out_told()
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
        strangers = not none and all(item.kind in ("relative", "spouse", "adult") and item.size for item in grown)
        others = sum(item.size or 0 for item in grown) if strangers else 0
        left = tuple(sorted(set(self._left())))
        named = (None if none else adults, children, babies, ages, family, none, uncounted)
        return Party(*named, self.disputed, others, left)

    def _once(self) -> None:
        """Leaves out who is named again: `a baby … the baby`, `my parents (mum and dad)`, `2+3, kids 2, 4 and 8`."""
        kept: list[Item] = []
        for item in self.items:
            if not item.joined and any(each.joined and self._same_word(each, item) for each in kept):
                continue
            kept = [each for each in kept if not self._same_word(each, item)]
            if self._is_of_parents(item, kept):
                continue
            if self._has_occasion(item):
                if any(each.kind in ADULTS for each in self.items if each is not item):
                    self._leave_all([item])
                continue
            if not self._is_again(item, kept):
                kept.append(item)
            elif item.ages and not any(each.ages for each in kept if each.young):
                kept = [*(each for each in kept if not each.young), item]
        self.items = kept
        for one, two in pairwise(each for each in kept if each.young or each.kind in ADULTS):
            alike = (one.named, one.young) == (two.named, two.young)
            bracket = one.end == two.start - 1 and self.word(one.end) == "("
            if not (alike and bracket) or (one.size == two.size and not one.young):
                continue
            if one.size == two.size and not one.ages:  # `2+1 (a baby)`
                self.items.remove(one)
            else:  # `my parents (mum and dad)`
                self._leave_all([two])
                self.disputed = self.disputed or two.young

    def _leave_out_told(self) -> None:
        """`our son is having his aufruf … 6 adults altogether`: a child told of, and not counted by what is counted.

        Where all are counted together that settles it; else it is asked about.
        """
        grown = [item for item in self.items if not item.young and item.size]
        whole = any(self.words(item.start - 2, item.end + 2) & people.IN_ALL for item in grown)
        told = [item for item in self.items if self._is_only_told(item, grown, whole=whole)]
        self.items = [item for item in self.items if item not in told]
        if not whole:
            self._leave_all(told)

    def _is_again(self, item: Item, before: list[Item]) -> bool:
        if not item.young:
            return False
        young = [each for each in before if each.young and each.size]
        same = [each for each in young if each.kind == item.kind or set(item.ages) & set(each.ages)]
        definite = self.word(item.start - 1) in ("the", "that") or "ה" in self.at(item.start).prefix
        if item.size is None or (item.size == 1 and definite and not item.joined):
            return bool(same) and set(item.ages) <= {age for each in same for age in each.ages}
        if not young or item.size != sum(each.size or 0 for each in young):
            return False
        if item.ages:  # `2+3, kids are 2, 4, 8`, `2+1 (a child of 7)`
            definite = definite or (self.word(item.start - 1) == "(" and young[-1].end == item.start - 1)
            several = item.size > 1 and not item.joined and all(each.kind == item.kind for each in young)
            return (definite or several) and not any(each.ages for each in young)
        return self._breaks(young[-1].end, item.start)

    def _is_of_parents(self, item: Item, before: list[Item]) -> bool:
        """`my parents … Dad uses a wheelchair`: one of the two."""
        one = item.kind == "relative" and item.size == 1 and not item.joined
        parents = any(each.kind == "relative" and each.size == 2 for each in before)
        return one and parents and self._bare(item) in people.PARENT

    def _has_occasion(self, item: Item) -> bool:
        """`my parents have their anniversary`: they may come or not; where nobody else is counted, guests are asked for."""
        return item.kind == "relative" and not item.joined and self.word(item.end) in people.HAVE

    def _bare(self, item: Item) -> str:
        return self.at(item.start).word[len(self.at(item.start).prefix) :]

    def _same_word(self, one: Item, other: Item) -> bool:
        """`my father … my father`."""
        return one.named and one.size == 1 and self._bare(one) == self._bare(other)

    def _breaks(self, start: int, end: int) -> bool:
        """Whether a sentence ends between two tokens."""
        return bool(self.words(start, end) & {"!", "?", ";", "."})

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
        named = self._counted_adults()
        totals = {item.size: item for item in self.items if item.kind in ("people", "family") and item.size is not None}
        if whole := self._sum("all"):
            return max(whole - minors, named or 0), False
        if not totals:
            return self._without_total(named, minors), False
        total, item = max(totals.items())
        if named and total in (named, named + minors) and not item.joined:
            return named, False
        names = [i for i in self.items if i.kind in ADULTS]
        part = any(token.word in PART for token in self.tokens) or (
            total > 2 and not any(i.joined for i in self.items if i.kind in ("people", "family"))
        )
        grown = total - minors if minors and total > minors and part else total
        more = any(i.joined and not i.young for i in self.items[self.items.index(item) + 1 :][:1])
        plain = len(totals) == 1 and not (item.joined or more) and all(i.named for i in names)
        if named and self._come_too(names):
            self._leave_all(names)
            return grown, False
        if named and named <= grown and plain:
            return grown, False  # `a room for 2, my wife is pregnant`, `we are 6: my parents, us, and 2 kids`
        several = len(totals) > 1 and not (minors and total - minors in totals)
        if named or several or any(i.joined for i in self.items if i.kind in ("people", "family") and i != item):
            self.open += [self.span(i.start, i.end) for i in self.items if i.kind in (*ADULTS, "people", "family")]
            self.disputed = True
            return named or total, False
        if item.kind == "family":
            return (max(1, total - minors), False) if minors else (min(2, total), True)
        return grown, False

    def _counted_adults(self) -> int | None:
        """Those counted: `4 adults (2 couples)` says the same twice; what disagrees is open."""
        grown = [item for item in self.items if item.kind in ADULTS and item.size is not None]
        counted, named = [item for item in grown if not item.named], [item for item in grown if item.named]
        total: int | None = None
        for kind in dict.fromkeys(item.kind for item in counted):
            items = [item for item in counted if item.kind == kind]
            number = sum(item.size or 0 for item in items) + self._implied(items)
            if total is None or (self._follows(items[0]) and (number != total or items[0].joined)):
                total = (total or 0) + number
            elif number != total:
                self._leave_all(items)
                self.disputed = True
        return self._with_named(total, counted, named) if named else total

    def _with_named(self, total: int | None, counted: list[Item], named: list[Item]) -> int | None:
        """With those named, `my wife and me`, who may be among those counted."""
        number = sum(item.size or 0 for item in named) + self._implied(named)
        if total is None:
            if self.word(named[0].end) in people.TELLS and not self._sum("people", "all"):
                return self._told_of(named)
            apart = [each for one, each in pairwise(named) if self._breaks(one.end, each.start) and not each.joined]
            self._leave_all(apart)
            if all(self.at(item.start).kind == "child" for item in named):  # `our son (19)`: alone?
                self._leave_all(named)
            return number
        first, later = sorted((counted[0], named[0]), key=lambda item: item.start)
        ours = all(i.kind in ("self", "spouse") for i in named)
        if self._follows(later) and (number != total or later.joined):
            return total + number
        breaks = self._breaks(first.end, later.start) or self._is_ours(counted[0].start)
        told = ours or breaks or all(self.word(i.end) in people.TELLS for i in named)
        between = any(item.young and first.start < item.start < later.start for item in self.items)
        if number > total or self._come_too(named) or not (told or (number == total and not between)):
            self._leave_all(named)
        return total

    def _come_too(self, named: list[Item]) -> bool:
        """`my sister joins us`, `maybe grandma`: somebody on top of those counted."""
        return any(self.words(item.start - 3, item.end + 5) & people.TOO for item in named)

    def _told_of(self, named: list[Item]) -> int | None:
        """`my husband has a bad knee`, who comes with the guest; whether anybody else comes is open: `the carer can sleep on
        a folding bed`."""
        ours = named[0].kind == "spouse" and self.word(named[0].start - 1) not in ("his", "her", "their")
        if len(named) == 1 and ours and not _ALONE.search(self.text) and not _COMES_NOT.search(self.text):
            return 2
        if len(named) == 1 and named[0].size == 1 and (_WITH_THEM.search(self.text) or _BED_TOO.search(self.text)):
            return 2
        self._leave_all(named)
        return None

    def _follows(self, item: Item) -> bool:
        """Whether it goes on with those before it."""
        before = self.back(item.start, BEFORE)
        listed = self.word(before) == "," and item.kind not in ("spouse", "self")
        return item.joined or (listed and any(each.end == before for each in self.items))

    def _leave_all(self, items: list[Item]) -> None:
        """They stay open, and are not counted."""
        self.open += [self.span(item.start, item.end) for item in items]

    def _implied(self, items: list[Item]) -> int:
        """The guest, who is not named: `my wife`, `with my mother`, `I come with 3 friends`."""
        first = items[0]
        if first is not self.items[0] or any(item.kind == "self" for item in self.items):
            return 0
        if {"husband", "wife"} <= {self._bare(item) for item in items}:
            return 0
        theirs = ("his", "her", "their")
        near = self.words(first.start - 5, first.end + 1)
        if first.named:
            return int(first.joined or any(i.kind == "spouse" and self.word(i.start - 1) not in theirs for i in items))
        return int(first.kind == "adult" and first.joined and bool(near & {"my", "שלי", "i", "i'm", "im", "אני"}))

    def _without_total(self, named: int | None, minors: int) -> int | None:
        if named is not None and any(i.kind != "self" for i in self.items):
            return named
        if _ALONE.search(self.text):
            return 1
        return 2 if minors and any(item.kind == "group" for item in self.items) else None

    def _multiply_each(self) -> None:
        """`2 rooms, 2 adults each`: so many in each of the rooms."""
        for at in [n for n in range(len(self.tokens)) if self._is_each(n)][:4]:
            rooms = [n for n in range(at) if self.number(n) is not None and self.words(n + 1, n + 3) & people.ROOMS]
            after = self.word(at + 1)
            alone = self.number(at - 1) is not None and at - 1 not in self.used
            if (
                alone
                or self.word(at - 1).startswith("|")
                or (after.isalpha() and after not in people.ALONE | people.ROOM | {"of"})
            ):
                continue  # `5 rooms, one each`, `each morning`
            inside = [n for n, item in enumerate(self.items) if item.size and rooms and item.start > rooms[-1]]
            inside = [n for n in inside if self.items[n].start < at] or inside
            if not inside:
                self.open.append(self.span(at, at + 1))
            for n in inside:
                self.items[n] = self.items[n]._replace(size=(self.items[n].size or 0) * (self.number(rooms[-1]) or 0))

    def _is_each(self, at: int) -> bool:
        return self.word(at) in people.EACH or (self.word(at) == "כל" and self.word(at + 1) in people.ROOM)

    def _left(self) -> Iterator[Span]:
        """What names or counts people and was not used; a plain number too."""
        yield from self.open
        for one, two in pairwise(self.items):  # `3 children, no wait, 4 children`
            if self.words(one.end, two.start) & people.CORRECTS:
                self.disputed = True
                yield self.span(two.start, two.end)
        if not self.items:
            yield from (self.span(at, at + 1) for at in self.absent)
        known = self._sum(*ADULTS, "people", "family", "all", "child", "baby") or _NO_KIDS.search(self.text)
        total = next((item for item in self.items if item.kind in ("people", "all") and item.size), None)
        grown = [item for item in self.items if not item.young and item.size]
        for item in self.items:
            vague = item.size is None and not item.young and item.kind != "people"
            explained = bool(known) and (item.kind == "group" or self._is_general(item))
            ours = total is not None or (not grown and any(each.young for each in self.items))
            explained = explained or (item.kind == "self" and ours)
            explained = explained or (total is not None and not item.joined and item.start < total.start)
            too_many = item.young and len(item.ages) > (item.size or 0)
            self.disputed = self.disputed or too_many
            if too_many or (vague and not explained):
                yield self.span(item.start, item.end)
        bare = 0
        for at, token in enumerate(self.tokens):
            if at in self.used or token.number is None:
                continue
            other = self._is_taken_off(at)
            strange = other or (not known and self._is_strange(at))
            if strange or self._is_bare(at):
                bare += 1
                self.disputed = self.disputed or other or bare > 1
                yield self.span(at, at + 1 + strange)

    def _is_only_told(self, item: Item, grown: list[Item], *, whole: bool) -> bool:
        """`I promised my daughter. We come, the 2 of us`: a child without number or age, in another sentence; or someone's
        beside a count of all."""
        lone = item.young and item.size == 1 and not (item.ages or item.joined or self.number(item.start))
        if whole and self._is_somebodys(item):
            return lone
        return lone and bool(grown) and all(self._breaks(*sorted((item.start, each.start))) for each in grown)

    def _is_somebodys(self, item: Item) -> bool:
        """`our son`, `הבן שלנו`."""
        return self.word(item.start - 1) in people.WHOSE or self.word(item.end) in people.THEIRS

    def _is_general(self, item: Item) -> bool:
        """`is it good for families?`: people without a number who are not among the guests."""
        return self.word(item.start).replace(" ", "-") in people.IN_GENERAL and not (
            item.joined or self.at(item.start).prefix
        )

    def _is_taken_off(self, at: int) -> bool:
        """`we are 5 but one sleeps elsewhere`, `8 or 9`: some of those counted, or another count."""
        turned = self.words(at - 2, at) & (people.BUT | people.MAYBE) or self.word(at + 1) in ("or", "או")
        return bool(turned) and not (_is_unit(self.word(at + 1)) or self.word(at + 1) in THINGS)

    def _is_strange(self, at: int) -> bool:
        """Whether the number here counts something unknown, which may be guests: `4 pers`."""
        things = self.words(at + 1, at + 5)
        is_known = (things | {_stem(word) for word in things}) & (UNITS | THINGS) or self.at(at + 1).kind
        counts = self._is_thing(at) and 1 < (self.number(at) or 0) < 100
        of_marriage = self.word(at + 1) in ("years", "שנים", "שנה") and _MARRIED.search(self.text)
        return counts and not (is_known or of_marriage) and self.word(at - 1) not in people.NUMBERED

    def _is_bare(self, at: int) -> bool:
        """Whether the number here stands for nothing that is known: no things, time, price or room number."""
        token = self.at(at)
        led = self.word(at - 1 - (self.word(at - 1) == "-")) in people.NUMBERED | people.LIMITS or self.text[
            : token.start
        ][-1:] in (*":.|",)
        counted = self._is_thing(at) or self.word(at + 1) in PART or self.at(at + 1).kind
        glued = re.search(r"[a-wyz]$", self.text[max(token.start - 1, 0) : token.start])
        aged = (token.number or 0) >= 18 and (
            self.at(at - 1).kind in ADULTS or self._is_aged(at - 1 - 2 * (self.word(at - 1) == "-"))
        )
        if token.number == 1 or led or counted or glued or aged or len(token.word) > 3:
            return False
        near = self.text[max(0, token.start - 40) : token.start]
        listed = self.word(at + 1) == ")" and near.count("(") <= near.count(")")  # `1) …, 2) …`
        return not listed and not re.match(r"[:.]\d|%|-\d+ *[^\W\d]", self.text[token.end : token.end + 8])
