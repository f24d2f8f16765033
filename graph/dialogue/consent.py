"""Recognises a message that is nothing but a yes or a no."""

import re
from collections.abc import Sequence
from typing import Literal

_YES = [
    "y",
    "yes",
    "yess",
    "yeah",
    "yep",
    "yup",
    "sure",
    "👍",
    "✅",
    "ok",
    "okay",
    "of course",
    "certainly",
    "absolutely",
    "agreed",
    "i agree",
    "i do",
    "correct",
    "confirm",
    "confirmed",
    "i confirm",
    "approve",
    "approved",
    "go ahead",
    "go for it",
    "let's do it",
    "alright",
    "all right",
    "please do",
    "do it",
    "sounds good",
    "all correct",
    "that's fine",
    "looks good",
    "proceed",
    "continue",
    "כן",
    "בטח",
    "בוודאי",
    "אוקיי",
    "אוקי",
    "סבבה",
    "מאשר",
    "מאשרת",
    "מאשרים",
    "אישור",
    "מאושר",
    "יש אישור",
    "נראה טוב",
    "להמשיך",
    "תמשיך",
    "תמשיכי",
    "תמשיכו",
    "מסכים",
    "מסכימה",
    "בסדר",
    "נכון",
    "קדימה",
    "לך על זה",
    "לכי על זה",
    "לכו על זה",
    "יאללה",
]
_WHAT_WAS_SHOWN = {
    "en": "that's, that is, it's, it is, this is, everything is, everything's, all is, all of that is, all of this is, all of it is, "
    "all that is, all this is, the details are, all details are, all the details are",
    "he": "הכל, הכל פה, הכל כאן, זה, כל זה, הפרטים, כל הפרטים",
}
_IS_RIGHT = {"en": "correct, right", "he": "נכון, נכונים, מדויק, מדויקים, מאושר, מאושרים"}
_ALL_OF_IT = (
    "that's all correct",
    "that is all correct",
    "it's all correct",
    "it is all correct",
    "this is all correct",
)
"""Not with `right`: `that's all right` may mean `never mind`."""
_YES += [
    f"{what} {right}"
    for each in ("en", "he")
    for what in _WHAT_WAS_SHOWN[each].split(", ")
    for right in _IS_RIGHT[each].split(", ")
]
_YES += _ALL_OF_IT
_NO = [
    "n",
    "no",
    "nope",
    "nah",
    "👎",
    "no thanks",
    "no thank you",
    "don't",
    "do not",
    "don't do it",
    "do not do it",
    "not now",
    "never mind",
    "nevermind",
    "forget it",
    "leave it",
    "drop it",
    "skip it",
    "stop",
    "reject",
    "rejected",
    "i refuse",
    "לא",
    "לא תודה",
    "לא עכשיו",
    "עזוב",
    "עזבי",
    "עזבו",
    "עזוב את זה",
    "עזבי את זה",
    "עזבו את זה",
    "תעזוב",
    "תעזבי",
    "תעזבו",
    "לא משנה",
    "לא מאשר",
    "לא מאשרת",
    "לא מאשרים",
]
_POLITE = [
    "please",
    "pls",
    "plz",
    "thx",
    "then",
    "thanks",
    "thank you",
    "very much",
    "so much",
    "a lot",
    "many thanks",
    "thanks again",
    "thank you again",
    "cheers",
    *(
        "merci",
        "merci beaucoup",
        "danke",
        "danke schön",
        "vielen dank",
        "gracias",
        "muchas gracias",
        "grazie",
        "mille grazie",
    ),
    *("obrigado", "obrigada", "спасибо", "شكرا", "shukran", "toda", "toda raba"),
    "in advance",
    "great",
    "perfect",
    "excellent",
    "wonderful",
    "lovely",
    "good",
    "fine",
    "i",
    "we",
    "and",
    "why not",
    "why not?",
    "בבקשה",
    "תודה",
    "תודה רבה",
    "המון תודה",
    "תודה לך",
    "תודה לכם",
    "מעולה",
    "מצוין",
    "מצויין",
    "נהדר",
    "מושלם",
    "אחלה",
    "טוב",
    "יופי",
    "מאוד",
    "מראש",
    "אני",
    "אנחנו",
    "בזאת",
    "למה לא",
    "למה לא?",
]
"""Beside a yes or a no, not in its place: `why not` alone may be a question."""
_DIRECTION = " \u200e\u200f\u061c"
"""Marks that keyboards put around right-to-left words; inside a word they may hide another."""
_EITHER = re.compile(r"(?<=[א-ת])/[א-ת]{1,2}(?![א-ת])")
"""The other gender of `מאשר/ת`."""
_ALL = re.compile(r"(?<![א-ת])הכול(?![א-ת])")
_THUMBS_COLOUR = re.compile("[\U0001f3fb-\U0001f3ff\ufe0f]")


def consent(text: str, yes: Sequence[str] = (), no: Sequence[str] = ()) -> Literal["yes", "no"] | None:
    """`yes` or `no` if the message says just that; None if it says anything else.

    `yes`: phrases that name the action and mean yes to this question only ("book it"); with "don't" before them they
    mean no. `no`: phrases that mean no to this question only ("cancel that").
    """
    stripped = _THUMBS_COLOUR.sub("", text).strip(_DIRECTION)
    spelt = _ALL.sub("הכל", _EITHER.sub("", stripped.casefold().replace("’", "'")))
    plain = re.sub(r"[\s.,!;:…–—-]+", " ", spelt).strip()
    undone = [f"{never} {deed}" for never in ("don't", "do not", "אל") for deed in yes]
    if _only([*_YES, *yes], plain):
        return "yes"
    return "no" if _only([*_NO, *no, *undone], plain) else None


def _only(phrases: Sequence[str], plain: str) -> bool:
    """Whether the text consists of these phrases and polite ones, with at least one of these."""
    words = plain.split(" ")
    known = [(phrase.split(" "), True) for phrase in phrases] + [(word.split(" "), False) for word in _POLITE]
    reached = {0: False}
    """By number of words read: whether one of these is among them."""
    for start in range(len(words)):
        for phrase, counts in known if start in reached else ():
            if words[start : (end := start + len(phrase))] == phrase:
                reached[end] = reached.get(end, False) or reached[start] or counts
    return reached.get(len(words), False)
