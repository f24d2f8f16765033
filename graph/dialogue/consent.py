"""Recognises a message that is nothing but a yes or a no."""

import re
from collections.abc import Mapping, Sequence
from enum import IntFlag
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

LONGEST = 200
"""Characters of a yes or a no: more is a request."""

_YES = [
    "y",
    "yes",
    "yess",
    "yeah",
    "yep",
    "yea",
    "ya",
    "yup",
    "sure",
    "sure thing",
    "definitely",
    "👍",
    "✅",
    "👌",
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
    "please do",
    "all correct",
    "proceed",
    "continue",
    "כן",
    "בטח",
    "בוודאי",
    "מאשר",
    "מאשרת",
    "מאשרים",
    "אישור",
    "מאושר",
    "יש אישור",
    "להמשיך",
    "תמשיך",
    "תמשיכי",
    "תמשיכו",
    "מסכים",
    "מסכימה",
    "נכון",
    "קדימה",
    "יאללה",
]
_WHAT_WAS_SHOWN = {
    "en": "that's, that is, it's, it is, this is, everything is, everything's, all is, all of that is, all of this is, all of it is, "
    "all that is, all this is, the details are, all details are, all the details are",
    "he": "הכל, הכל פה, הכל כאן, זה, כל זה, הפרטים, כל הפרטים",
}
_IS_RIGHT = {"en": "correct, right", "he": "נכון, נכונים, מדויק, מדויקים, מאושר, מאושרים"}
_TAKES_UP = [
    "go for it",
    "let's do it",
    "do it",
    "sounds good",
    "that's fine",
    "looks good",
    "נראה טוב",
    "נשמע טוב",
    "לך על זה",
    "לכי על זה",
    "לכו על זה",
    *(
        f"{what} {right}"
        for each in ("en", "he")
        for what in _WHAT_WAS_SHOWN[each].split(", ")
        for right in _IS_RIGHT[each].split(", ")
    ),
    # not with `right`: `that's all right` may mean `never mind`
    *(f"{what} all correct" for what in ("that's", "that is", "it's", "it is", "this is")),
]
"""A yes to what was just shown: after another answer it may mean that one."""
NO = [
    "n",
    "no",
    "nope",
    "nah",
    "👎",
    "no thanks",
    "no thank you",
    "don't",
    "do not",
    *(f"{never} {deed}" for never in ("don't", "do not") for deed in ("do it", "go ahead", "proceed", "continue")),
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
_THANKS = [
    "thx",
    "thanks",
    "thank you",
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
    "🙏",
    "תודה",
    "תודה רבה",
    "המון תודה",
    "תודה לך",
    "תודה לכם",
]
_PICTURES = "🙂😊😀😁😃😄😉🤗🥰😍❤💙💚🎉✔☑💪🙌👏💯🤝🤞"
"""Those that are a courtesy."""
_POLITE = [
    "please",
    "pls",
    "plz",
    "then",
    "very much",
    "so much",
    "a lot",
    "in advance",
    "great",
    "perfect",
    "excellent",
    "wonderful",
    "lovely",
    "good",
    "fine",
    "all good",
    *_PICTURES,
    "cool",
    "no problem",
    "no worries",
    "no rush",
    "no doubt",
    "i",
    "we",
    "and",
    "why not",
    "why not?",
    "בבקשה",
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
    "אין בעיה",
]
"""Beside a yes or a no, not in its place: `why not` alone may be a question."""
_ACKNOWLEDGES = ["ok", "okay", "okey", "k", "alright", "all right", "אוקיי", "אוקי", "סבבה", "בסדר"]
"""A yes too; but "ok thanks" may only thank for an answer, and agrees to nothing."""
_UNSEEN = re.compile(
    r"^[\s\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|[\s\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+$"
    "|[\U0001f3fb-\U0001f3ff\ufe0f]"
)
"""Signs without a picture that keyboards and copies put around words, since inside a word they may hide another; and the
colour of a thumb."""
_EITHER = re.compile(r"(?<=[א-ת])/[א-ת]{1,2}(?![א-ת])")
"""The other gender of `מאשר/ת`."""
_ALL = re.compile(r"(?<![א-ת])הכול(?![א-ת])")
_SINGLE = "".join(phrase for phrase in (*_YES, *NO, *_THANKS, *_POLITE) if len(phrase) == 1 and not phrase.isalpha())
_PICTURE = re.compile(rf"([{_SINGLE}])\1*")


class _Meaning(IntFlag):
    """What the phrases of a message say between them."""

    POLITE = 0
    THANKS = 1
    ACKNOWLEDGES = 2
    YES = 4
    NO = 8
    TAKES_UP = 16


def consent(
    text: str, yes: Sequence[str] = (), no: Sequence[str] = (), *, is_last: bool = True
) -> Literal["yes", "no", "perhaps"] | None:
    """`yes` or `no` if the message says just that, `perhaps` for an "ok thanks"; None if it says anything else.

    `yes`: phrases that name the action and mean yes to this question only ("book it"); with "don't" before them they
    mean no. `no`: phrases that mean no to this question only ("cancel that"). `is_last`: whether nothing else was told since
    the terms were first shown; else "book it" and "sounds good" may mean that, and agree to nothing.
    """
    verdicts = {_verdict(each, is_last) for each in _meanings(text, _phrases(tuple(yes), tuple(no)))} - {None}
    return verdicts.pop() if len(verdicts) == 1 else None


def _verdict(meaning: _Meaning, is_last: bool) -> Literal["yes", "no", "perhaps"] | None:
    if meaning & _Meaning.NO:
        return None if meaning & ~(_Meaning.NO | _Meaning.THANKS) else "no"
    if meaning & _Meaning.YES:
        return "yes"
    if meaning & _Meaning.TAKES_UP:
        return "yes" if is_last else None
    if meaning & _Meaning.ACKNOWLEDGES:
        return "perhaps" if meaning & _Meaning.THANKS else "yes"
    return None


def is_courtesy(text: str) -> bool:
    """Whether a message is thanks, praise or another courtesy and nothing else: "ok thanks", "great!"."""
    return any(
        not each & (_Meaning.YES | _Meaning.TAKES_UP | _Meaning.NO) for each in _meanings(text, _phrases((), ()))
    )


def _meanings(text: str, phrases: Mapping[str, _Meaning]) -> set[_Meaning]:
    if len(text) > LONGEST:
        return set()
    seen = _PICTURE.sub(r" \1 ", _UNSEEN.sub("", text))
    spelt = _ALL.sub("הכל", _EITHER.sub("", seen.casefold().replace("’", "'")))
    plain = re.sub(r"[\s.,!;:…–—-]+", " ", spelt).strip()
    return _meanings_of_words(plain.split(" "), phrases)


@lru_cache(maxsize=64)
def _phrases(yes: tuple[str, ...], no: tuple[str, ...]) -> Mapping[str, _Meaning]:
    """What each phrase says, under a question with these of its own."""
    undone = [f"{never} {deed}" for never in ("don't", "do not", "אל") for deed in yes]
    sorts = {
        _Meaning.POLITE: _POLITE,
        _Meaning.THANKS: _THANKS,
        _Meaning.ACKNOWLEDGES: _ACKNOWLEDGES,
        _Meaning.NO: [*NO, *undone, *no],
        _Meaning.TAKES_UP: [*_TAKES_UP, *yes],
        _Meaning.YES: [*_YES, *(phrase for phrase in yes if phrase.split(" ")[0] in _YES)],
    }
    return MappingProxyType({phrase: sort for sort, phrases in sorts.items() for phrase in phrases})


def _meanings_of_words(words: Sequence[str], phrases: Mapping[str, _Meaning]) -> set[_Meaning]:
    """All that the words may say as a row of phrases; empty = one of them is in no phrase."""
    longest = max(phrase.count(" ") for phrase in phrases) + 1
    reached: list[set[_Meaning]] = [{_Meaning.POLITE}, *(set() for _ in words)]
    for end in range(1, len(words) + 1):
        for start in range(max(0, end - longest), end):
            sort = phrases.get(" ".join(words[start:end]))
            if sort is not None:
                reached[end] |= {before | sort for before in reached[start]}
    return reached[-1]
