"""Reads who is coming: adults, children with their ages, babies. What a guest leaves open stays open."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Party:
    """The guests as far as the text names them."""

    adults: int | None = None
    """None = not given."""
    children: int | None = None
    """Children without babies; None = not given."""
    babies: int | None = None
    ages: tuple[int, ...] = ()
    """Ages named, in years; a baby's months are 0."""
    family: bool = False
    """`family of four`: the number of children is assumed."""
    no_adults: bool = False
    uncounted: bool = False
    """Children are mentioned without a number."""

    @property
    def given(self) -> bool:
        return bool(self.ages) or any(n is not None for n in (self.adults, self.children, self.babies))


_N = r"(\d{1,3})"
_OLD = r"(?:(?:years?|yrs?)[\s-]*)?(?:olds?\b|y\.?/?o\b)|years?\b"
_MONTH = (
    r"(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|ב?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|"
    r"יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)"
)
_LIST = rf"(\d{{1,2}}(?:\s*(?:,|and|&|\+|ו-?)\s*(?:and\s*|ו-?)?\d{{1,2}}){{0,12}})(?!\d|\s*[-/.]\s*\d|\s*(?:{_MONTH}))"
_YOUNG = r"(?:1[0-7]|\d)(?!\d|\s*[-/.:]\s*\d)"
_CLOSED = rf"(?=\s*(?:[).;!?|]|,(?!\s*(?:and\s*)?\d)|$|for\b|from\b|in\b|on\b|we\b|with\b|arriving\b))(?!\s*{_MONTH})"
"""What ends a list of ages that only its position marks as ages: `kids 6 and 9`."""
_AGE_LISTS = (
    re.compile(
        rf"\b(?:(?:kids?|child(?:ren)?|boys?|girls?|sons?|daughters?|toddlers?)\s+(?:of|who is|who are)|aged?|"
        rf"ages)\s*+(?:(?:of|are|is)\s*+)?(?::\s*+)?{_LIST}(?!\s*(?:night|room|adult))"
    ),
    re.compile(rf"(?<![\d/.]){_LIST}[\s-]*(?:{_OLD})"),
    re.compile(
        rf"\b(?:kids?|child(?:ren)?|boys?|girls?|sons?|daughters?|ילדים|ילד|ילדה|"
        rf"ילדות)\s*\(\s*(?:ages?\s*)?{_LIST}\s*\)"
    ),
    re.compile(
        rf"\b(?:kids?|child(?:ren)?|boys?|girls?)(?:\s*+:)?\s++{_YOUNG}(?:\s*(?:,|and|&|,\s*and)\s*{_YOUNG})*{_CLOSED}"
    ),
    re.compile(
        rf"(?<![א-ת])(?:ב?ני|ב?נות|בן|בת|ב?גילאי|ב?גילאים|ב?גילים|ב?גיל)[\s:-]*{_LIST}(?!\s*(?:חודשי|נפשות|אנשים|\d))"
    ),
)
_MONTHS = (
    re.compile(r"(\d{1,2})[\s-]*months?(?:[\s-]*old|\b(?=\s*bab))"),
    re.compile(r"(?:בן|בת)\s*(\d{1,2})\s*חודשים"),
)
_HALF_YEAR = re.compile(r"(?:בן|בת)\s*(חצי שנה|שנה וחצי|שנתיים|שנה)\b")
_HEBREW_AGES = {"חצי שנה": 0, "שנה": 1, "שנה וחצי": 1, "שנתיים": 2}

_MANY = r"(\d{1,12})"
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

_MOD = r"(?:of (?:them|us|whom|which)(?: are)?\s+)?(?:(?:more|small|young|little|big|other|adult|school-age|קטנים|גדולים)\s+)?"
_ADULTS = re.compile(
    rf"\b{_MANY}\s+{_MOD}(?:adults?|grown[\s-]?ups?|grownups?)\b|(?<!\d){_MANY}\s+(?:מבוגרים|מבוגרות|מבוגרת|מבוגר)"
)
_ONE_ADULT = re.compile(
    r"\b(?:an|single|solo|only)\s+adult\b|\bמבוגרת? (?:1|יחיד)|(?<!\d )(?<!\d)(?<![א-ת])ל?מבוגרת?\b"
)
_KIDS = re.compile(
    rf"\b(?:{_N}|(an?|my|our|the))\s+{_MOD}(kids?|child(?:ren)?|boys?|girls?|sons?|daughters?|"
    rf"teen(?:ager)?s?|toddlers?|little ones)\b"
)
_KIDS_HE = re.compile(
    rf"(?<!\d)(?:{_N}\s+)?(?:(?:מהם|מתוכם|מהן|מתוכן)\s+)?(?<![א-ת])[וה]?(ילדים|ילדות|ילדה|ילד|נערים|"
    rf"קטנטנים)(?![א-ת])(\s+1\b)?"
)
_BABIES = re.compile(
    rf"\b(?:{_N}|(an?|my|our|the|with|plus|and|\+))\s+{_MOD}(bab(?:y|ies)|infants?|newborns?)\b(?!\s*(?:cot|crib|bed))"
)
_BABIES_HE = re.compile(rf"(?<!\d)(?:{_N}\s+)?(?<![א-ת])[ו]?(תינוקות|תינוקת|תינוק|פעוטות|פעוט)(?![א-ת])")
_TOTAL = re.compile(
    rf"\b{_MANY}\s+(?:people|persons?|guests?|pax|ppl|travell?ers?|friends|men|women|ladies|guys|colleagues|of us)\b|"
    rf"\b(?:party|group) of {_N}\b|\bwe(?:'re| are|'ll be| will be)\s+(?:(?:actually|now|only|just|in fact)\s+)?{_N}\b(?!\s*(?:couples|families|night|day))|"
    rf"\b(?:both of|just the 2 of) (us)\b|\bus {_N}\b(?! kids)|(?<!\d){_MANY}\s+(?:אנשים|איש|נפשות|אורחים|אורחות|חברים|חברות|בנות|סועדים)\b|"
    rf"אנחנו\s+{_N}\b(?!\s*(?:זוגות|לילות))"
)
_FAMILY = re.compile(
    rf"\bfamily of {_N}\b|\b{_N}[\s-]person family\b|משפחה (?:של |בת |עם )?{_N}(?:\s*נפשות)?(?!\s*(?:ילדים|לילות))"
)
_FAMILY_WITH = re.compile(r"\bfamily with\b|\bparents\b|\bm[ou]m(?:,| and|,? &) dad\b|משפחה עם|הורים")
_TABLE = re.compile(
    r"\b(?:table|seats?|(?:dinner|lunch|brunch) (?:reservation|booking)) for \d{1,2}\b|שולחן ל ?\d{1,2}"
)
"""Guests for the restaurant, not for a room."""
_TWINS = re.compile(r"\b(?:with|plus|and|our|my|\+)\s+(?:\w+ )?twins\b(?! ?(?:bed|room))|(?<![א-ת])ו?תאומ(?:ים|ות)")
_COUPLES = re.compile(rf"\b{_N} couples\b|{_N} זוגות")
_COUPLE = re.compile(
    r"\ba couple\b(?! of (?:night|day|week|room|question|thing))|\bcouple\b(?! of)|(?<![א-ת])(?:ל|"
    r"ו)?זוג(?![א-ת])|\bhoneymoon"
)
_PARTNER = re.compile(
    r"\b(?:my|our) (?:wife|husband|partner|girlfriend|boyfriend|spouse|fianc[eé]e?|mom|mother|dad|father|"
    r"friend|sister|brother|boss|colleague)\b|"
    r"אני ו(?:אשתי|בעלי|בן ה?זוגי?|בת ה?זוגי?|בן הזוג|בת הזוג|החברה?|חברה? שלי|אמא|אבא|אחותי|אחי)|(?:אשתי|"
    r"בעלי|בן זוגי|בת זוגי) ואני|"
    r"(?:עם|ל) ?(?:אשתי|בעלי|בן ה?זוג|בת ה?זוג)"
)
_ALONE = re.compile(
    r"\b(?:just|only) (?:for )?me\b|\bby myself\b|\balone\b|\bsolo\b|\bsingle (?:room|person|travell?er|"
    r"occupancy)\b|\bfor me only\b|\bfor myself\b|"
    r"\b1 person\b|לבד(?![א-ת])|ליחיד|רק אני|(?:איש|אדם|בן אדם|נפש) 1\b|לאדם\b|אדם אחד"
)
_SINGLE_PARENT = re.compile(
    r"\b(?:me and my|my) (?:\d{1,2} )?(?:kids?|child(?:ren)?|sons?|daughters?)\b|\bsingle (?:mom|mum|"
    r"mother|dad|father|parent)\b|אני ו(?:\d )?(?:ה)?(?:בת שלי|בן שלי|ילדים|ילדה|ילד)|אם חד הורית"
)
_FOR = re.compile(
    rf"\bfor\s+(?:the\s+)?{_N}\b(?!\s*(?:night|day|week|month|room|hour|min|x\b|am\b|pm\b|th\b|st\b|nd\b|rd\b|[-/.:%,]\s*\d|doub|trip|suite|couple|nis|ils|shek|₪|kid|child|bab|famil))|"
    rf"(?<![א-ת\d])ל[\s-]?{_N}\b(?!\s*(?:ליל|ימים|יום|שבוע|חדר|חודש|שעות|דקות|[-/.:]\s*\d|ב?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)|ש\"ח|שקל|₪|זוגות|ילדים|תינוק|סוויט))"
)
_PLUS = re.compile(
    rf"(?<![\d/.]){_N}\s*\+\s*{_N}(?!\s*(?:room|night|bab|infant|תינוק|חדר|ליל))|"
    rf"(?:couple|זוג|הורים|זוג הורים)\s*(?:\+|plus|and|with|פלוס|ועוד|עם)\s*{_N}(?!\d|"
    rf"\s*(?:room|night|bab|infant|kid|child|teen|girl|boy|son|daught|toddl|little|young|small|תינוק|חדר|ליל|ו?ילד))"
)
_NO_ADULTS = re.compile(
    r"\bno (?:adults?|grown[\s-]?ups?|parents)\b|\bwithout (?:any )?(?:adults?|parents|grown[\s-]?ups?)\b|"
    r"\b0 adults?\b|"
    r"\b(?:kids?|children|teenagers|teens|minors|infants?|babies|toddlers?) only\b|\b(?:kids|children|"
    r"teenagers|teens|minors) (?:alone|unaccompanied|by themselves|on their own)\b|\ba (?:kid|child|teenager|teen|minor) (?:alone|unaccompanied|on (?:his|her|their) own)\b|\b(?:only|"
    r"just) (?:(?:the|\d+|my|our) )?(?:kids|children|teenagers|teens|minors)\b|"
    r"(?:בלי|ללא|בלא|אין|0) ?(?:שום )?(?:מבוגרים?|הורים|מבוגר)|רק (?:\d )?(?:ה)?ילדים|ילדים בלבד"
)
_NO_KIDS = re.compile(
    r"\b(?:no|without|0) (?:kids?|children)\b|\badults only\b|\ball (?:adults|grown[\s-]?ups?)\b|(?:בלי|"
    r"ללא) ילדים|כולם מבוגרים"
)
_OF_THEM = re.compile(r"\bof (?:them|us|whom|which)\b|\binclud|\bincl\b|מהם|מתוכם|מהן|כולל|מתוכן")
_UNCOUNTED = re.compile(r"\b(?:with|and|plus|\+) (?:the |my |our |some )?(?:kids|children)\b|עם (?:ה)?ילדים|\+ ילדים")
_US_HE = {"שנינו": 2, "שתינו": 2, "שלושתנו": 3, "ארבעתנו": 4, "חמישתנו": 5, "ששתנו": 6}


def age_spans(text: str) -> list[tuple[int, int]]:
    """Where `text` names ages or guests as `2+2`; other readers (dates, money) must not take them."""
    found = [m.span() for pattern in (*_AGE_LISTS, *_MONTHS, _HALF_YEAR) for m in pattern.finditer(text)]
    return [*found, *(m.span() for m in _PLUS.finditer(text))]


def impossible_counts(text: str) -> list[tuple[int, int]]:
    """Where `text` has an impossible number of guests or rooms: `for -2 adults`, `2.5 rooms`."""
    return [m.span() for m in _IMPOSSIBLE.finditer(text)]


def read_party(text: str) -> Party:
    """Who is coming, from folded text with number words as digits and dates blanked."""
    ages, rest = _ages(_number_first(_TABLE.sub(" ", text)))
    if len(ages) == 1 and _TWINS.search(rest):
        ages = ages * 2
    rest = _TWINS.sub(" and 2 children ", rest)
    if _NO_ADULTS.search(rest):
        return Party(children=_kids(rest), ages=ages, no_adults=True)
    # in "family of 4, kids 6 and 9" the ages count the children, whatever number stands before the word
    children, babies = _kids(_FAMILY.sub(" family ", rest) if ages else rest), _babies(rest)
    if plus := _PLUS.search(rest):
        first, second, alone = plus.groups()
        children = (int(second or alone)) + (children or 0)
        return Party(int(first) if first else 2, children, babies, ages)
    if _NO_KIDS.search(rest):
        children = 0
    return _with_adults(rest, children, babies, ages)


def _number_first(text: str) -> str:
    """`adults 2 children 1` with each number before its noun."""
    if not re.search(r"\badults?\s*+(?:[:=]\s*+)?\d", text) or re.search(r"\d\s*adults?\b", text):
        return text
    return re.sub(r"\b(adults?|children|child|kids?|babies|baby|infants?)\s*+(?:[:=]\s*+)?(\d{1,2})\b", r"\2 \1,", text)


def _with_adults(rest: str, children: int | None, babies: int | None, ages: tuple[int, ...]) -> Party:
    minors = max(children or 0, len([a for a in ages if a < 18]) if children is None else 0) + (babies or 0)
    adults, family = _adults(rest), _first(_FAMILY, rest)
    if family and adults is None:
        grown = max(1, family - minors) if minors else min(2, family)
        kids = children if minors else max(0, family - 2)
        return Party(grown, kids, babies, ages, family=not minors)
    if adults is None:
        adults = _from_total(rest, minors)
    uncounted = children is None and not ages and bool(_UNCOUNTED.search(rest))
    return Party(adults, children, babies, ages, uncounted=uncounted)


def _adults(rest: str) -> int | None:
    numbers = [int(next(g for g in m.groups() if g)) for m in _ADULTS.finditer(rest)]
    if numbers:
        return sum(numbers)
    return 1 if _ONE_ADULT.search(rest) else None


def _from_total(rest: str, minors: int) -> int | None:
    """Adults if only people are counted: all of them, or the rest if the children are named as part of them."""
    total = next((n for word, n in _US_HE.items() if word in rest), None)
    if total is None and (found := _TOTAL.search(rest)):
        word = next(g for g in found.groups() if g)
        total = 2 if word == "us" else int(word)
    if total is None and _ALONE.search(rest):
        total, minors = 1, 0
    if total is not None:
        named_as_part = minors and total > minors and not re.search(r"\b(?:and|plus|with)\b|\+|\bועוד\b", rest)
        return total - minors if minors and total > minors and (_OF_THEM.search(rest) or named_as_part) else total
    return _from_relation(rest, minors)


def _from_relation(rest: str, minors: int) -> int | None:
    if couples := _first(_COUPLES, rest):
        return couples * 2
    if _SINGLE_PARENT.search(rest) and not _PARTNER.search(rest):
        return 1
    if _COUPLE.search(rest) or _PARTNER.search(rest) or (minors and _FAMILY_WITH.search(rest)):
        return 2
    return _first(_FOR, rest)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return int(next(g for g in found.groups() if g)) if found else None


def _kids(rest: str) -> int | None:
    count, seen = 0, False
    for number, article, noun in _KIDS.findall(rest):
        plural = noun.endswith("s") or noun == "children"
        if number or not plural or article == "a":
            count, seen = count + (int(number) if number else 1), True
    for number, noun, one in _KIDS_HE.findall(rest):
        if number or one or noun in ("ילד", "ילדה"):
            count, seen = count + (int(number) if number else 1), True
    return count if seen else None


def _babies(rest: str) -> int | None:
    found = [int(number) if number else 1 for number, _, _ in _BABIES.findall(rest)]
    found += [int(number) if number else 1 for number, _ in _BABIES_HE.findall(rest)]
    return sum(found) if found else None


def _ages(text: str) -> tuple[tuple[int, ...], str]:
    """Ages named, and the text without them, so that `5 and 8` are counted once."""
    ages: list[int] = []
    for pattern in _MONTHS:
        ages += [int(m) // 12 for m in pattern.findall(text)]
        text = pattern.sub(" ", text)
    ages += [_HEBREW_AGES[m] for m in _HALF_YEAR.findall(text)]
    text = _HALF_YEAR.sub(" ", text)
    for pattern in _AGE_LISTS:
        for found in pattern.findall(text):
            ages += [int(n) for n in re.findall(r"\d+", found)]
        text = pattern.sub(lambda m: " " + re.match(r"[^\d(]*", m.group()).group() + " ", text)  # type: ignore[union-attr]
    return tuple(age for age in ages if age < 18), re.sub(r"\s+", " ", text)
