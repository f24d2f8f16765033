"""Reads what a message changes in an earlier one: `the day after`, `make it two nights`, `the cheaper one`."""

import re
from typing import Literal, NamedTuple

Pick = Literal["cheapest", "dearest", "first", "second", "last"]


class StayChange(NamedTuple):
    """How the earlier stay moves or grows."""

    days: int = 0
    """Days to move it by; the stay keeps its length."""
    weeks: int = 0
    nights: int | None = None
    """The new length."""
    nights_more: int = 0
    weekend: int = 0
    """1 = the weekend that follows the stay, -1 = the one before it."""


_ANCHOR = r"(?!\s+(?:next|this coming|tomorrow|christmas|new year|passover|pesach|hanuk|chanuk|yom|rosh|sukkot|purim|shavuot|easter|thanksgiving|\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
_SHIFTS: tuple[tuple[str, StayChange], ...] = (
    (
        (
            rf"\b(?:the )?weekend (?:after|following)(?: that| this| it)?\b{_ANCHOR}|\bthe (?:following|"
            rf"next) weekend after\b|ה?סופ(?:\"ש| ?שבוע)(?: ש)? ?אחרי(?: זה)?|סוף ה?שבוע ש?אחרי(?: זה| כן)?"
        ),
        StayChange(weekend=1),
    ),
    (
        (
            rf"\b(?:the )?weekend (?:before|prior)(?: that| this| it)?\b{_ANCHOR}|\bthe previous weekend\b|"
            r"ה?סופ(?:\"ש| ?שבוע)(?: ש)? ?לפני(?: זה)?$|סוף ה?שבוע ש?לפני(?: זה| כן)"
        ),
        StayChange(weekend=-1),
    ),
    (
        (
            rf"\b(?:the |a |1 )?(?:week after|week later|following week)(?: that| this| it)?\b{_ANCHOR}|"
            rf"שבוע (?:ש)?(?:אחרי|אחר כך|מאוחר יותר)(?: זה| כן)?|(?:ב)?שבוע שלאחר מכן"
        ),
        StayChange(weeks=1),
    ),
    (
        (
            rf"\b(?:the |a |1 )?(?:week (?:before|earlier)|previous week)(?: that| this| it)?\b{_ANCHOR}|"
            rf"שבוע (?:ש)?(?:לפני|קודם|מוקדם יותר)(?: זה| כן)?"
        ),
        StayChange(weeks=-1),
    ),
    (
        (
            rf"\b(?:the |a |1 )?(?:day after|day later|following day|next day)(?: that| this| it)?\b{_ANCHOR}|"
            rf"יום (?:ש)?(?:אחרי|אחר כך|מאוחר יותר|לאחר מכן)(?: זה|"
            rf" כן)?(?! ?(?:כיפור|ה?חג|פסח|סוכות|שבועות|פורים|מחר))|(?<![א-ת])ו?למחרת"
        ),
        StayChange(days=1),
    ),
    (
        (
            rf"\b(?:the |a |1 )?(?:day (?:before|earlier)|previous day)(?: that| this| it)?\b{_ANCHOR}|"
            rf"יום (?:ש)?(?:לפני|קודם|מוקדם יותר)(?: זה| כן)?(?! ?(?:כיפור|ה?חג|פסח|סוכות|שבועות|פורים))"
        ),
        StayChange(days=-1),
    ),
)
_DAYS = re.compile(
    r"\b(\d{1,2}) (days?|weeks?) (later|after|earlier|"
    r"before)\b(?! (?:christmas|new year|passover|pesach))|(\d{1,2}) (ימים|שבועות) (אחר כך|אחרי|"
    r"מאוחר יותר|קודם|לפני)"
)
_NIGHTS = re.compile(
    r"\b(?:make (?:it|that)|change (?:it )?to|"
    r"(?:stay|but|just|only|only for|and|and for|for|what about|how about|what if|instead) (?:for )?)\s*(?:only |"
    r"just |for ){0,4}(\d{1,2}) nights?\b(?! (?:in|from|of|during|at|over|on)\b)|"
    r"^\W*(\d{1,2}) nights?(?: instead| then)?\W*$|"
    r"(?:שיהיה|תעשה|תעשו|נעשה|רק|אבל|ל|ו|מה עם|ומה עם)\s*+(?:-\s*+)?(\d{1,2}) לילות|^\W*(\d{1,2}) לילות\W*$"
)
_ONE_NIGHT_HE = re.compile(r"(?:שיהיה|רק|אבל|ל)\s*לילה (?:אחד|1)")
_TWO_NIGHTS_HE = re.compile(r"(?:שיהיה|רק|אבל|ל|מה עם)\s*לילותיים")
_MORE = re.compile(
    r"\b(?:add|stay|plus|with|for)?\s*(?:another|an extra|an additional|(?:1|one) (?:more|extra)) night\b|"
    r"\b(?:1|one) night (?:more|longer)\b|(?:עוד|להוסיף) לילה(?! ב)|לילה נוסף"
)
_LESS = re.compile(r"\b(?:1|one|a) night (?:less|fewer|shorter)\b|לילה פחות")
_CUES = re.compile(
    r"^\W*(?:and|or|also|what about|how about|what if|same|the same|but|with|without|instead|then|"
    r"ok(?:ay)? (?:and|but|so|what)|make it|just|only|actually|no,|in that case|could (?:it|you)|change|"
    r"ומה|מה עם|ואם|אותו דבר|אותם תאריכים|אבל|ו(?!י)|עם|בלי|רק|במקום|ואפשר|או|בעצם|גם)|\binstead\b|"
    r"\bsame\b|\bthat (?:room|one|stay)\b|\bthose dates\b|\bthese dates\b|אותו דבר|אותם תאריכים|באותם"
)
_PICKS: tuple[tuple[Pick, str], ...] = (
    (
        "cheapest",
        (
            r"\bthe cheap(?:er|est)(?: (?:one|option|room|stay|dates?))?\b(?! (?:way|thing)\b)|"
            r"ה?זול(?:ה)? (?:יותר|ביותר)|הכי זול|הזולה|(?<![א-ת])הזול(?![א-ת])"
        ),
    ),
    ("dearest", r"\bthe (?:more|most) expensive(?: one)?\b|היקר(?:ה)?(?: יותר)?"),
    (
        "first",
        r"\bthe first(?: one| option)?\b(?! (?:night|two|week|of|day|three))|(?:ה)?(?:אופציה|אפשרות) הראשונה|את הראשונ",
    ),
    (
        "second",
        r"\bthe second(?: one| option)?\b(?! (?:night|week|of|day))|(?:ה)?(?:אופציה|אפשרות) השנייה|את השני(?:י)?ה",
    ),
    ("last", r"\bthe (?:last|latter)(?: one| option)\b|(?:ה)?(?:אופציה|אפשרות) האחרונה"),
)


def read_change(text: str) -> tuple[StayChange | None, list[tuple[int, int]]]:
    """How the earlier stay changes, from folded text with number words as digits, and where the text says so."""
    for words, change in _SHIFTS:
        if found := re.search(words, text):
            return change, [found.span()]
    for pattern, make in ((_DAYS, _by_days), (_NIGHTS, _to_nights)):
        if found := pattern.search(text):
            return make(found), [found.span()]
    return _small_change(text)


def _small_change(text: str) -> tuple[StayChange | None, list[tuple[int, int]]]:
    table = (
        (_MORE, StayChange(nights_more=1)),
        (_LESS, StayChange(nights_more=-1)),
        (_ONE_NIGHT_HE, StayChange(nights=1)),
        (_TWO_NIGHTS_HE, StayChange(nights=2)),
    )
    return next(((change, [m.span()]) for pattern, change in table if (m := pattern.search(text))), (None, []))


def is_follow_up(text: str) -> bool:
    """Whether the words refer to an earlier message."""
    return bool(_CUES.search(text))


def read_pick(text: str) -> Pick | None:
    """Which of the things offered the guest picks."""
    return next((pick for pick, words in _PICKS if re.search(words, text)), None)


def _by_days(found: re.Match[str]) -> StayChange:
    count, unit, way, he_count, he_unit, he_way = found.groups()
    number = int(count or he_count)
    sign = -1 if (way or he_way) in ("earlier", "before", "קודם", "לפני") else 1
    weeks = (unit or "").startswith("week") or he_unit == "שבועות"
    return StayChange(weeks=sign * number) if weeks else StayChange(days=sign * number)


def _to_nights(found: re.Match[str]) -> StayChange:
    return StayChange(nights=int(next(g for g in found.groups() if g)))
