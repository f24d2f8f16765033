"""Reads who is coming by a small grammar: counts, named people and ages. Whatever else names or counts a person stays open."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from wavegraph.tools.hotel.reading import people
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW, GROWN, Item, ItemReader
from wavegraph.tools.hotel.reading.party_tokens import Span, is_unit, stem
from wavegraph.tools.hotel.reading.people import ADULTS, BEFORE, PART, THINGS, UNITS


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
    counts: int = field(default=0, compare=False)
    """How many times adults, or people, are counted: `2 adults …, and another room for 2 adults`."""
    groups: int = field(default=0, compare=False)
    """The same with those named, but for the guest and whoever is the guest's: `2 adults …, and my parents`."""
    open: tuple[Span, ...] = ()
    """Where the text names or counts someone, or has a number, that fits none of these."""
    words: tuple[Span, ...] = field(default=(), compare=False)
    """Where it names or counts the guests."""

    @property
    def given(self) -> bool:
        return bool(self.ages) or any(n is not None for n in (self.adults, self.children, self.babies))


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
_ALONE = re.compile(
    r"\b(?:just|only) (?:for )?me\b|\bby myself\b|\bon my own\b|\balone\b|\bsolo\b|\b(?:single|lone|1) (?:business )?(?:person|travell?er|guest|visitor|businessman|businesswoman)\b|\bsingle (?:room|occupancy)\b|\bfor me only\b|"
    r"\ba single(?= ?(?:$|[,.;:?!|]|(?:for|from|on|in|at|please|with)\b))|\bfor myself\b|\b1 person\b|לבדי?(?![א-ת])|(?<![א-ת])ל?יחידה?(?![א-ת])|רק אני|(?:איש|אדם|בן אדם|נפש) 1\b|"
    r"(?<!כמה )(?<!זה )(?<!יוצא )(?<!יוצאת )(?<!עולה )(?<!יעלה )(?<!מחיר )(?<!עלות )לאדם(?![א-ת])"
)
_KIDS = r"(?:kids|children|teenagers|teens|minors|infants|babies|toddlers)"
_NO_ADULTS = re.compile(
    rf"\b{_KIDS} (?:only|alone|unaccompanied|by themselves|on their own)\b|\ba (?:kid|child|teenager|teen|minor) (?:alone|unaccompanied|"
    rf"on (?:his|her|their) own)\b|\b(?:only|just) (?:(?:the|\d+|my|our) )?{_KIDS}\b|רק (?:\d )?ה?ילדים|ילדים בלבד"
)
_MARRIED = re.compile(
    r"\b(?:anniversar(?:y|ies)|married|wedding|together)\b|(?<![א-ת])[ולבה]?(?:נישואין|נישואים|נשואים|חתונה)(?![א-ת])"
)
_COMES_NOT = re.compile(
    r"\b(?:without|not (?:come|coming|join|joining)|(?:stay(?:s|ing)?|at) home|on my own|by myself|for me)\b|(?<![א-ת])(?:בלעדי[הו]?|לא (?:באה?|מגיעה?|מצטרפת?|מצטרף)|נשאר(?:ת)? בבית|בשבילי|עבורי)(?![א-ת])"
)
_NO_KIDS = re.compile(r"\badults only\b|\ball (?:adults|grown[\s-]?ups?)\b|כולם מבוגרים")


def age_spans(text: str) -> list[Span]:
    """Where `text` names ages or guests as `2+2`; other readers (dates, money) must not take them."""
    return _Guests(text).certain


def impossible_counts(text: str) -> list[Span]:
    """Where `text` has an impossible number of guests or rooms: `for -2 adults`, `2.5 rooms`."""
    return [m.span() for m in _IMPOSSIBLE.finditer(text)]


def read_party(text: str) -> Party:
    """Who is coming, from folded text with number words as digits and dates blanked."""
    return _Guests(text).party()


class _Guests(ItemReader):
    """The guests of a text: its items added up, once each, and what is left of it."""

    def party(self) -> Party:
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
        strangers = not none and all(item.kind in ("relative", "spouse", "adult") and item.size for item in grown)
        others = sum(item.size or 0 for item in grown) if strangers else 0
        whole = (adults or 0) + (children or 0) + (babies or 0)
        counted = [item for item in grown if item.size and not item.named]
        parts = [item for item in counted if item.kind not in ("people", "all") or item.size != whole]
        counts = len(parts if all((item.size or 0) < whole for item in parts) and parts else counted)
        groups = counts + sum(bool(item.size) and item.named and item.kind == "relative" for item in grown)
        left = tuple(sorted(set(self._left())))
        alone = [found.span() for found in _ALONE.finditer(self.text)] if adults == 1 else []
        words = (*(self.span(at, at + 1) for at in sorted(self.used)), *alone)
        named = (None if none else adults, children, babies, ages, family, none, uncounted)
        return Party(*named, self.disputed, others, counts, groups, left, words)

    def _once(self) -> None:
        """Leaves out who is named again, `a baby … the baby`, and asks about those who may be: `2 kids, a boy and a girl`."""
        kept: list[Item] = []
        for item in self.items:
            young = [each for each in kept if each.young and each.size] if item.young else []
            if any(self._same_word(each, item) for each in kept) or self._is_of_parents(item, kept):
                continue
            if self._is_again(item, young):
                if item.ages and not any(each.ages for each in young):  # `2+3, the kids are 2, 4 and 8`
                    kept = [*(each for each in kept if not each.young), item]
            elif self._is_only_told(item) or (kept and self._may_be_again(item, kept)):
                if item.young or any(each.kind in ADULTS for each in self.items if each is not item):
                    self._leave_all([item])  # where nobody else is counted, the guests are asked for
            else:
                kept.append(item)
        self.items = kept

    def _is_again(self, item: Item, young: list[Item]) -> bool:
        """Whether these children are those named before."""
        same = [each for each in young if each.kind == item.kind or set(item.ages) & set(each.ages)]
        definite = self.word(item.start - 1) in ("the", "that") or "ה" in self.at(item.start).prefix
        if young and (item.size is None or (item.size == 1 and definite and not item.joined)):
            return bool(same) and set(item.ages) <= {age for each in same for age in each.ages}
        if not young or item.size != sum(each.size or 0 for each in young):
            return False
        if item.ages:
            definite = definite or (self.word(item.start - 1) == "(" and young[-1].end == item.start - 1)
            several = item.size > 1 and not item.joined and all(each.kind == item.kind for each in young)
            return (definite or several) and not any(each.ages for each in young)
        return self._breaks(young[-1].end, item.start)

    def _may_be_again(self, item: Item, before: list[Item]) -> bool:
        """`2 kids, a boy and a girl`, `my parents (mum and an aunt)`, `me and 3 friends … for 4 guys`: some of those, or more."""
        last, sizes = before[-1], [each.size or 0 for each in before if not each.young]
        in_brackets = last.end == item.start - 1 and self.word(last.end) == "("
        if item.young:
            several, is_alike = (last.size or 0) > 1, last.kind == item.kind
            one_aged = several and len({*last.ages}) == 1 and self.words(last.start, last.end) & people.SINGLE_AGED
            lacks = not item.joined and len(last.ages) < (last.size or 0) and (several or item.ages)
            return last.young and bool(in_brackets or (is_alike and (one_aged or lacks)))
        counted = item.kind == "adult" and item.size == sum(sizes) and any(each.kind == "self" for each in before)
        grown = {last.kind, item.kind} <= {*ADULTS} and last.named == item.named
        return counted or (in_brackets and grown and item.size != last.size)

    def _is_only_told(self, item: Item) -> bool:
        """`I promised my daughter. We come, the 2 of us`, `my parents have their anniversary`: someone who may not come."""
        grown = [each for each in self.items if not each.young and each.size]
        if item.kind == "relative" and not item.joined:
            return self.word(item.end) in people.HAVE
        whose = self.word(item.start - 1) in people.WHOSE or self.word(item.end) in people.THEIRS
        in_all = any(self.words(each.start - 2, each.end + 2) & people.IN_ALL for each in grown)
        apart = bool(grown) and all(self._breaks(*sorted((item.start, each.start))) for each in grown)
        lone = item.young and item.size == 1 and not (item.ages or item.joined or self.number(item.start))
        return lone and (apart or (whose and in_all))

    def _is_of_parents(self, item: Item, before: list[Item]) -> bool:
        """`my parents … Dad uses a wheelchair`: one of the two."""
        parents = any(each.kind == "relative" and each.size == 2 for each in before)
        return parents and item.kind == "relative" and not item.joined and self._bare(item) in people.PARENT

    def _bare(self, item: Item) -> str:
        return self.at(item.start).word[len(self.at(item.start).prefix) :]

    def _same_word(self, one: Item, other: Item) -> bool:
        """`my father … my father`."""
        return one.named and one.size == 1 and self._bare(one) == self._bare(other)

    def _breaks(self, start: int, end: int) -> bool:
        """Whether a sentence ends between two tokens."""
        return bool(self.words(start, end) & {"!", "?", ";", "."})

    def _minors(self) -> tuple[int | None, int | None]:
        """Children and babies: by age where it is known, else as they are called."""
        sizes: dict[str, int] = {}
        for item in self.items:
            if item.young and item.size is not None:
                kinds = ["baby" if age < BABY_BELOW else "child" for age in item.ages[: item.size]]
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
        part = any(token.word in PART for token in self.tokens) or (
            total > 2 and not any(i.joined for i in self.items if i.kind in ("people", "family"))
        )
        grown = total - minors if minors and total > minors and part else total
        more = any(i.joined and not i.young for i in self.items[self.items.index(item) + 1 :][:1])
        names = [i for i in self.items if i.kind in ADULTS]
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
        """`2 rooms, 2 adults each`, `2 couples with a baby each`: so many in each of the rooms, with each of the couples."""
        for at in [n for n in range(len(self.tokens)) if self._is_each(n)][:4]:
            after = self.word(at + 1)
            alone = self.number(at - 1) is not None and at - 1 not in self.used
            if (
                alone
                or self.word(at - 1).startswith("|")
                or (after.isalpha() and after not in people.ALONE | people.EACH_OF | {"of"})
            ):
                continue  # `5 rooms, one each`, `each morning`
            counted = [n for n in range(at) if self.number(n) is not None]
            holders = [n for n in counted if self.words(n + 1, n + 3) & people.HOLDERS]
            holders = holders or [item.start for item in self.items if item.start in counted and item.kind in ADULTS]
            inside = [(n, found) for n in reversed(holders) if (found := self._inside(n, at))][:1]
            if not inside and after != "in":  # `3 couples, each in a room of their own`
                self.open.append(self.span(at, at + 1))
            for holder, found in inside:
                for n in found:
                    item, times = self.items[n], self.number(holder) or 0
                    self.items[n] = item._replace(size=(item.size or 0) * times)

    def _inside(self, holder: int, each: int) -> list[int]:
        """The people counted behind a number of rooms or couples: those before `each`, or after it; `a bed each` is nobody."""
        found = [n for n, item in enumerate(self.items) if item.size and item.start > holder]
        before = [n for n in found if self.items[n].start < each]
        if before:
            return before if self.words(self.items[before[-1]].end, each) <= people.NEAR_EACH else []
        return found if found and self.words(each + 1, self.items[found[0]].start) <= people.NEAR_EACH else []

    def _is_each(self, at: int) -> bool:
        told = self.word(at).removeprefix("ל") == "כל"
        return self.word(at) in people.EACH or (
            told and (self.word(at + 1) in people.EACH_OF or self.number(at + 1) == 1)
        )

    def _left(self) -> Iterator[Span]:
        """What names or counts people and was not used; a plain number too."""
        yield from self.open
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
                yield self.span(at, min(at + 1 + strange, len(self.tokens)))

    def _is_general(self, item: Item) -> bool:
        """`is it good for families?`: people without a number who are not among the guests."""
        return self.word(item.start).replace(" ", "-") in people.IN_GENERAL and not (
            item.joined or self.at(item.start).prefix
        )

    def _is_taken_off(self, at: int) -> bool:
        """`we are 5 but one sleeps elsewhere`, `8 or 9`: some of those counted, or another count."""
        turned = self.words(at - 2, at) & (people.BUT | people.MAYBE) or self.word(at + 1) in ("or", "או")
        return bool(turned) and not (is_unit(self.word(at + 1)) or self.word(at + 1) in THINGS)

    def _is_strange(self, at: int) -> bool:
        """Whether the number here counts something unknown, which may be guests: `4 pers`."""
        things = self.words(at + 1, at + 5)
        is_known = (things | {stem(word) for word in things}) & (UNITS | THINGS) or self.at(at + 1).kind
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
        aged = (token.number or 0) >= GROWN and (
            self.at(at - 1).kind in ADULTS or self._is_aged(at - 1 - 2 * (self.word(at - 1) == "-"))
        )
        if token.number == 1 or led or counted or glued or aged or len(token.word) > 3:
            return False
        near = self.text[max(0, token.start - 40) : token.start]
        listed = self.word(at + 1) == ")" and near.count("(") <= near.count(")")  # `1) …, 2) …`
        return not listed and not re.match(r"[:.]\d|%|-\d+ *[^\W\d]", self.text[token.end : token.end + 8])
