"""Some of the guests at a time: who is named, how many are counted, how old they are."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from wavegraph.tools.hotel.reading import people
from wavegraph.tools.hotel.reading.party_tokens import Cursor, Span, Token, is_unit, stem
from wavegraph.tools.hotel.reading.people import ADULTS, AND, BEFORE, JOINS, LITTLE, MONTHS, OLD, PART, THINGS, UNITS

GROWN, BABY_BELOW = 18, 2
"""Years: from the first on a guest is an adult, below the second a baby."""
MOST_BARE, MOST_TOGETHER = 99, 10
"""Above these a number counts guests only with a word for them: alone, and with another number before it."""


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


_LEADS = frozenset(
    (":", "(", ",", "-", "=", "who", "is", "are", "both", "all", "of", "now", "only", "just", "will", "be")
)
"""What may stand between people and their ages."""
_NOUN_FIRST, _NUMBER_FIRST = re.compile(r"\badults?\s*+(?:[:=]\s*+)?\d"), re.compile(r"\d\s?adults?\b")


class ItemReader(Cursor):
    """One text, read once from left to right; a rule takes what begins at a token and gives the token after it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
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
        self.noun_first = bool(_NOUN_FIRST.search(self.text)) and not _NUMBER_FIRST.search(self.text)
        at = 0
        while at < len(self.tokens):
            rules = (
                (self._aged, self._pair, self._single, self._counted, self._total)
                if self.number(at) is not None
                else (self._aged, self._told_age, self._single, self._named, self._self, self._stranger)
            )
            at = next((end for rule in rules if (end := rule(at))), at + 1)

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
        return self._noun(at + 1) is not None or (is_unit(following) and following not in MONTHS)

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
        return word in people.AGED or (word[:1] != "ש" and stem(word) in people.AGED and not self.at(at).kind)

    def _ages_of_names(self, at: int) -> tuple[list[int], int]:
        """`Tom (4) and Mia (8)`: several children by their names."""
        ages: list[int] = []
        end = at
        while self.word(at).isalpha() and not self.at(at).kind and self.word(at + 1) == "(":
            age, after, _ = self._age(at + 2, GROWN - 1)
            if age is None or self.word(self._old(after)) != ")":
                break
            ages.append(age)
            at = end = self._old(after) + 1
            while self.word(at) in AND and at < end + 2:
                at += 1
        return (ages, end) if len(ages) > 1 else ([], at)

    def _ages(self, at: int, size: int | None = None, young: bool = False) -> tuple[list[int], int]:
        """Ages that stand here, after whom they belong to, of whom there are `size`."""
        by_name, after_names = self._ages_of_names(at) if young else ([], at)
        if by_name:
            return by_name, after_names
        if young and self.word(at + 1) == "(" and self.word(at).isalpha() and not self.at(at).kind:
            at += 1  # `baby Noa (7 months)`
        at += int(self.word(at) in people.THEIRS and self._is_aged(at + 1))
        start, marked = at, self.word(at) == "of"
        while at < start + 8 and ((aged := self._is_aged(at)) or self.word(at) in _LEADS | people.COME):
            marked, at = marked or aged, at + 1
        lead = self.words(start, at)
        bracket = "(" in lead
        grown_too = not young or marked or bracket or self._age_list(at, 120, loose=True)[2]
        most = 120 if grown_too else GROWN - 1
        ages, end, old = self._age_list(at, most, loose=True, size=size or 12)
        fits = len(ages) == (size or max(2, len(ages))) and self.word(end)[:1] in ",).|?!;"
        led = "," not in lead or fits or lead & {"both", "all"}
        counted = size == 1 or self.at(start - 1).size or self.word(start - 2) == "twin"  # a `child`, or `twins`
        one_of_several = len(ages) == 1 and not counted and lead <= {","}  # `2 kids 3 and 4 May`
        sure = marked or old or bracket or (young and led and not one_of_several)
        return (ages, end + (self.word(end) == ")" and bracket)) if ages and sure else ([], start)

    def _aged(self, at: int) -> int | None:
        """Someone named by an age: `a 3yo`, `4 and 7 year olds`, `aged 5`, `בת 12`."""
        marked = self._is_aged(at)
        ages, end = self._ages(at) if marked else self._written_ages(at)
        if not ages:
            return None
        who = self.at(end)
        # `my 80 year old mother`
        if min(ages) >= GROWN and (who.kind in ADULTS or self.word(at) in people.ENGLISH_AGED):
            self.certain.append(self.span(at, end))
            self.used.update(range(at, end))
            return self._take(Item(who.kind, who.size, at, end + 1)) if who.kind in ADULTS and who.size else end
        if self.word(at - 1) in people.LIMITS:
            self.used.update(range(at, end))
            return end
        self.certain.append(self.span(at, end))
        if marked and not self.is_and(at) and self._give(ages, at, end):
            self.used.update(range(at, end))
            return end
        noun = self._noun(end) if self.number(end) is None else None
        child = self.at(noun) if noun is not None and self.at(noun).kind in ("child", "baby") else Token(kind="child")
        if len(ages) == 1 and not marked:
            self.used.add(at - 1)
            ages *= max(self.number(at - 1) or 1, child.size or 1)
        stop = noun + 1 if noun is not None and child.word else end
        if grown := sum(age >= GROWN for age in ages):
            self._take(Item("relative", grown, at, stop))
        young = tuple(age for age in ages if age < GROWN)
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
        if min(ages) >= GROWN or self._give(ages, place, end) or set(ages) <= known:
            self.used.update(range(at, end))
            return end
        return self._leave(place, end)

    def _give(self, ages: list[int], start: int, end: int) -> bool:
        """The ages of these tokens to the last children named, if they have none yet."""
        lacking = [n for n, item in enumerate(self.items) if item.young and (item.size or 0) > len(item.ages)][-12:]
        for number in lacking:
            item = self.items[number]
            missing = (item.size or 0) - len(item.ages)
            is_twin = self.at(item.start).size in (2, 3) or self.word(item.start - 1) == "twin"
            given = ages * missing if len(ages) == 1 and is_twin else ages[:missing]
            if number == lacking[-1]:
                given = given + ages[missing:]
            self.items[number] = self._of_age(item, given, start, end)
            ages = ages[missing:]
        return bool(lacking)

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

    def _single(self, at: int) -> int | None:
        """`20 couples and 10 singles`: guests, or rooms, which is asked."""
        word = at + (self.number(at) is not None)
        is_single = {self.word(word), stem(self.word(word))} & people.SINGLES
        return self._leave(at, word + 1) if is_single and any(each.kind == "couple" for each in self.tokens) else None

    def _counted(self, at: int) -> int | None:
        """`2 small children (3, 5)`, `2A`."""
        number, noun = self.number(at) or 0, self._noun(at + 1)
        if noun is None:
            kind = people.LETTERS.get(self.word(at + 1), "") if self.at(at).end == self.at(at + 1).start else ""
            return self._take(Item(kind, number, at, at + 2)) if kind else None
        who, fillers = self.at(noun), self.words(at, noun)
        if self.word(at - 1) in people.EVERY:
            return self._leave(at, noun + 1)  # `for every 2 adults 1 child is free`
        if self.word(noun + 1) in people.DROPS:
            self.disputed = True
            return self._leave(at, noun + 1)
        is_one = who.kind in ("spouse", "relative") and who.size == 1 and number != 1
        if is_one or who.word == "twins" or (who.kind == "group" and who.word != "family"):
            return None
        if who.kind == "group":
            item = Item("family", number, at, noun + 1) if number > 1 else Item("group", None, at, noun + 1)
            return self._take(item)
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
        if who.kind == "group":
            return self._group(at)
        if who.word == "couple" and after == "of":
            return at + 2 if is_unit(self.word(at + 2)) else self._leave(at, at + 2)  # `a couple of kids`
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
        if known & {name.word, stem(name.word)} or self._is_aged(who):
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
        if self.word(before) in people.GONE or self._tells_of_once(told):
            return "once"
        return "stays" if stays_away else ""

    def _tells_of_once(self, at: int) -> bool:
        """Whether what stands here was done once: `a friend warmly recommended you`."""
        verb = self.word(at + people.is_manner(self.word(at)))
        return verb in people.TELLS_OF_ONCE or people.is_past(verb)

    def _group(self, at: int) -> int:
        """`family of 5`, `group of 12`, `משפחה של 5`; without a number it stays open."""
        place = at + 1
        while self.word(place) in ("of", "של", "בת", "-"):
            place += 1
        noun = self._noun(place + 1)
        if self.word(place + 1) == "+" and self.number(place + 2) is not None:
            return at + 1  # `משפחה 2+3`
        is_family = bool({self.word(at), stem(self.word(at))} & people.FAMILY)
        if noun is not None and self.at(noun).kind == "adult":
            # `with the family - 2 adults, 3 kids`, `group of 14 adults and …`
            return self._take(Item("group", None, at, at + 1))
        counts_people = noun is not None and self.at(noun).kind == "people"
        whole = counts_people or (noun is not None and bool(self._ages(noun + 1, young=True)[0]))
        if (number := self.number(place)) is not None and (whole or not self._counts(place)):
            kind = "family" if is_family else "people"
            if number == 1:  # `למשפחה אחת`
                return self._take(Item("group", None, at, place + 1))
            return self._take(Item(kind, number, at, (noun or place) + 1 if counts_people else place + 1))
        return self._take(Item("group", None, at, at + 1))

    def _with_ages(self, item: Item) -> int:
        """The item with the ages after it, and with `+ 2` as its children."""
        is_girls = self.word(item.end - 1) in people.GIRLS and item.size is not None
        ages, end = self._ages(item.end, item.size, item.young or is_girls)
        if ages and is_girls and max(ages) < GROWN:
            item = item._replace(kind="child")
        if ages and (item.young or (min(ages) >= GROWN and item.kind != "us")):
            self.certain.append(self.span(item.end, end))
            every = ages * (item.size or 1) if len(ages) == 1 else ages
            item = (self._of_age(item, every, item.end, end) if item.young else item)._replace(end=end)
        end = self._take(item)
        plus = self.word(end) in people.PLUS or (item.kind == "couple" and self.word(end) in ("and", "with", "עם"))
        number = self.number(end + 1)
        taken = self._counts(end + 1) or self._is_thing(end + 1) or self._old(end + 2) > end + 2
        if item.kind not in ADULTS or not plus or number is None or taken:
            return end
        if (item.size or 0) > 2:
            return self._leave(end, end + 2)
        return self._with_ages(Item("child", number, end + 1, end + 2))

    def _of_age(self, item: Item, ages: Sequence[int], start: int, end: int) -> Item:
        """Children with the ages of these tokens; all are grown up, or one who is among others is asked about."""
        size = len(ages) if item.size is None else item.size
        young = tuple(age for age in ages if age < GROWN)
        if ages and not young:
            return item._replace(kind="relative", size=size, ages=())
        grown = [str(age) for age in ages if age >= GROWN]
        self.open += [self.span(at, at + 1) for at in range(start, end) if self.word(at) in grown]
        return item._replace(size=min(size, max(len(young), size - len(grown))), ages=(*item.ages, *young))

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
        return is_unit(following) or (following.isalpha() and following not in people.ALONE and not is_prefixed)

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

    def _sum(self, *kinds: str) -> int | None:
        sizes = [item.size for item in self.items if item.kind in kinds and item.size is not None]
        return sum(sizes) if sizes else None
