"""Whether a sentence may ask the desk for a deed that it cannot do, or plainly means something else.

A deed is a verb with what it is done to: `hold the room` and `hold the door` share the verb, and only the first is one. A
plain question for a fact, `is there a taxi stand?`, is none either. Any other words may ask for a deed.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.amounts import figures_in

_HE = r"(?<![א-ת])[והבלמשכ]{0,2}"
_BETWEEN = r"(?:\s+(?!(?:in|on|at|for|to|of|with|from|by|every|each)\b)[\w'’-]+){0,3}?\s+"
"""Words that may stand between an English verb and what it is done to."""
_PRONOUN = r"(?:it|this|that|one|them|us)\b(?=\W*(?:$|[,.!?]|for\b|to\b|until\b|till\b|while\b|without\b|aside\b|by\b|please\b))"
"""Where the clause ends behind it, not as in `keep it simple`."""


def _one_of(words: str) -> str:
    return "|".join(sorted(words_of(words), key=len, reverse=True))


def _done_to(verbs: str, things: str) -> str:
    """An English verb and one of the things."""
    return rf"\b(?:{_one_of(verbs)})(?:{_BETWEEN}(?:{_one_of(things)})\b|{_BETWEEN}{_PRONOUN})"


def _done_to_he(verbs: str, things: str) -> str:
    """A Hebrew verb, by its beginning, and one of the things behind it."""
    return rf"(?<![א-ת])[ושנ]?(?:{_one_of(verbs)})[א-ת]*(?:\s+\S+){{0,3}}?\s+{_HE}(?:{_one_of(things)})"


HOLDING = "|".join(
    (
        _done_to("hold holding keep keeping save saving reserve block freeze", "room rooms suite suites double price rate offer place dates"),
        _done_to_he("לשמור תשמר תשמור שמר להחזיק תחזיק לשריין תשריינ להקפיא", "חדר סוויטה מחיר מקום הצעה אותו אותה זה תאריכ"),
    )
)  # fmt: skip
"""A room or a price kept."""
_UNTIL = r"\b(?:hold|keep|save)\b[^.?!\n]{0,40}\bfor (?:me|us) (?:till?|until)\b|(?<![א-ת])(?:לשמור|תשמר[יו]?|תשמור) ל(?:י|נו)(?![א-ת])[^.?!\n]{0,40} עד(?![א-ת])"
_CHANGING = "|".join(
    (
        _done_to(
            "change changes changed changing",
            "booking reservation stay date dates arrival departure night nights guest guests person people adult adults child children baby "
            "name room rooms double triple twin single suite board breakfast sunday monday tuesday wednesday thursday friday saturday weekend",
        ),
        _done_to_he("להחליף תחליפ מחליפ", "הזמנה הזמנת תאריכ לילה לילות אורח שם חדר סוויטה אדם ילד ארוח שהי אותנו"),
    )
)  # fmt: skip
_PAYS = r"\b(?:pay|paying|accept|takes?)\b|לשלם|משלמים|מקבלים"


class Deed(NamedTuple):
    """How it is told from what is none, by patterns. Empty = by none."""

    words: str = ""
    """Whoever says this asks for it."""
    others: str = ""
    """Who says this means something else."""
    is_open: bool = False
    """Whether anything may be asked for, but not by a plain question for a fact."""
    by_words: bool = False
    """Whether nobody asks for it without one of its words."""


DEEDS: Mapping[str, Deed] = {
    "change_booking": Deed(rf"{_CHANGING}|\b(?:booking|reservation)\b|{_HE}הזמנ[הת]", r"\bchang(?:e|es|ed|ing)\b|(?<![א-ת])(?:להחליף|[תמ]חליפ)"),
    "hold_room": Deed(
        rf"{HOLDING}|{_UNTIL}|\bon hold\b|\baside\b", r"\b(?:hold|holds|holding|keep|keeps|keeping)\b|(?<![א-ת])(?:לשמור|תשמר|תשמור|שומר|שמר|להחזיק|תחזיק)"
    ),
    "waiting_list": Deed(r"\bwait(?:ing)?[ -]?list|\b(?:if|when|once|in case)\b.{0,60}\b(?:free|available|cancels?|cancellation|opens?)\b|רשימת המתנה|תפנה", r"\bwait|לחכות|ממתינ|להמתין"),
    "upgrade": Deed(
        r"\bupgrad\w* (?:us|me|my|our)\b|\ban upgrade\b|\b(?:better|nicer|bigger|larger)\b|\bsame price\b|(?:לשדרג|שדרוג|תשדר)|טוב יותר|גדול יותר|אותו מחיר", r"\bupgrad\w* (?:the|your|all|every) (?!room\b|double\b)|\b(?:be|been|is|are|was|were|gym) upgraded\b|שודרג"),
    "discount": Deed(
        r"\b(?:discount|reduc|voucher|coupon|deal)\w*|\b(?:cheaper|lower|less|off|points?|for free|better (?:price|rate)|special (?:price|rate))\b|"
        r"הנחה|להוזיל|תוזיל|זול יותר|יותר זול|שובר|נקודות|קופון|חינם",
        others=r"\b(?:cheap|low)est\b|הכי זול|הזולה? ביותר",
    ),
    "complaint": Deed(
        r"\b(?:refund|complain|disappoint|apolog|dirty|filthy|broken|noisy|smell|rude|awful|terrible|unacceptable)\w*|\bnot work\w*|n't work|"
        r"החזר|תלונה|להתלונן|מלוכלכ|מלוכלך|שבור|רועש|מאכזב|התנצל",
        is_open=True,
    ),
    "without_number": Deed(r"\b(?:book\w*|reserv\w*|cancel\w*|stay|numbers?|confirm\w*|code)\b|הזמנ|הזמינ|לבטל|ביטול|מספר|אישור"),
    "nothing_booked": Deed(r"\b(?:cancel(?:s|l?ed|l?ing)?|undo|scrap|call (?:it|that|this) off)\b|(?<![א-ת])[לתנ]?בטלו?(?![א-ת])", by_words=True),
    "promise_room": Deed(r"\b(?:promis|guarante|ensur)\w*|להבטיח|תבטיח|מובטח", is_open=True),
    "arrange": Deed(
        r"\b(?:order|arrang|organi[sz]|schedul|book|deliver|prepar|collect|fetch)\w*|\b(?:need|want|like|get|send|bring|put|call|pick|wake|(?:can|could|may) (?:we|i) have|(?:what|how) about an?)\b|"
        r"להזמין|לארגן|לסדר|לקבוע|לתאם|לשלוח|להביא|לאסוף|צריכ|רוצ|(?<![א-ת])ש?ת(?:זמינ|ארגנ|סדר|קבע|תאמ|שלח|ביא|אספ|עיר)[וי]?", is_open=True
    ),
    "pass_on": Deed(r"\b(?:tell|inform|pass|forward|let|ask|write|send|lost|forg[eo]t\w*|left|found|messages?|letters?|papers?|forms?|jobs?|work|press)\b|למסור|תמסר|להודיע|תגיד|שכח|איבד|מכתב|הודע|עבודה"),
    "others_data": Deed(r"\b(?:who|whom|whose|which guests|(?:other|another) guests?|(?:man|woman|person|people|couple|family|guests?) in)\b|\broom \d|(?<![א-ת])(?:מי|מתארח)|בחדר \d"),
    "some_nights": Deed(
        r"\b(?:first|second|third|last|other|some|one|part|half|rest|each|every|only|just|then|joins?|joining|leaves?|leaving|except|"
        r"(?:sun|mon|tues|wednes|thurs|fri|satur)day)\b|ראשונ|שני(?:ה|יה)|שליש|אחרונ|חלק|רק|אחר כך|מצטרפ|יום (?:ראשון|שני|שלישי|רביעי|חמישי|שישי)|שבת",
        by_words=True,
    ),
    "large_group": Deed(r"\b(?:groups?|bus(?:es)?|coach(?:es)?|delegation|party|parties|wedding|conference|all of)\b|קבוצ|אוטובוס|משלחת|חתונה|כנס"),
    "take_card": Deed(r"\b(?:numbers?|details|my|our)\b|\d{4}|מספר|פרטי|של[ינ]", _PAYS),
    "earlier_talk": Deed(r"\byou\b", r"\b(?:my|our|his|her) \w+ (?:told|said|promised)\b|של(?:י|נו) (?:אמר|סיפר|הבטיח)"),
    "reason": Deed(r"\b(?:why|how come|reasons?|explain)\b(?! not\b)|(?<![א-ת])(?:למה|מדוע|סיבה)(?! לא)(?![א-ת])", others=r"\bwhy not\b|למה לא(?![א-ת])"),
    "convert": Deed(
        rf"^(?!.*(?:{_PAYS})).*(?:\b(?:dollars?|euros?|pounds?|francs?|yen|usd|eur|gbp|chf|currency|convert\w*|exchange)\b|[$€£]|דולר|יורו|אירו|מטבע|להמיר)",
        others=rf"{_PAYS}|\b(?:cash|change|use)\b|להחליף",
    ),
}  # fmt: skip
"""Of the others, in whatever words."""
_PLAIN = re.compile(
    r"^\W*(?:(?:hi|hello|hey|and|so|ok(?:ay)?|please|sorry|excuse me|tell me|also)\W+){0,3}"
    r"(?:(?:is|are|was|were) there(?! (?:any|a) (?:way|chance)| some| any(?:one|body))|do(?:es)? (?:you|the \w+|it|they) have|have you got|what(?! about)(?:'s)?|where(?:'s)?|when(?:'s)?|which|"
    r"how (?:much|many|far|long|late|early|big|often|old|do|does|is|are|can))\b|"
    r"^\W*(?:(?:היי|שלום|אז|סליחה)\W+){0,2}ו?(?:האם )?"
    r"(?:יש(?! (?:אפשרות|סיכוי|דרך|מצב|מישהו))|איפה|היכן|מתי|כמה|איזה|איזו|אילו|באיזה|באיזו|איך|מה)(?![א-ת])"
)
"""The beginning of a question for a fact."""
LARGE = 20
"""No more guests or rooms are a large group."""


def asks_for(deed: str, sentence: str) -> bool:
    """Whether a sentence has a word for it, or a figure."""
    if deed == "large_group" and max(figures_in(sentence), default=0) > LARGE:
        return True
    words = DEEDS.get(deed, Deed()).words
    return bool(words and re.search(words, sentence.lower()))


def may_ask_for(deed: str, sentence: str) -> bool:
    """Whether a sentence, in the guest's own letters, may ask for it."""
    text, known = sentence.lower(), DEEDS.get(deed, Deed())
    if deed == "large_group":
        return max(figures_in(text), default=LARGE + 1) > LARGE
    if asks_for(deed, text):
        return True
    if known.by_words:
        return False
    means_another = bool(known.others and re.search(known.others, text))
    return not means_another and not (known.is_open and _PLAIN.search(text))
