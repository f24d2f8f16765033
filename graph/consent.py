"""Whether a whole message is a plain yes, or a plain no, to what was just asked."""

import re
from typing import Literal

_YES = (
    r"yes|yeah|yep|yup|sure|ok|okay|of course|certainly|absolutely|agreed|i agree|i do|correct|confirm|confirmed|"
    r"i confirm|approve|approved|go ahead|please do|do it|book it|sounds good|that's right|that is right|"
    r"כן|בטח|בוודאי|אוקיי|אוקי|סבבה|מאשר|מאשרת|מאשרים|אישור|מסכים|מסכימה|בסדר|נכון|קדימה|יאללה|תזמין|תזמיני|תזמינו"
)
_NO = (
    r"no|nope|nah|no thanks|no thank you|don't|do not|don't do it|do not do it|don't book it|do not book it|"
    r"not now|never mind|nevermind|forget it|stop|reject|rejected|i refuse|cancel|cancel that|"
    r"לא|לא תודה|לא עכשיו|עזוב|עזבו|לא משנה|לא מאשר|לא מאשרת|לא מאשרים|אל תזמין|אל תזמיני|אל תזמינו"
)
_POLITE = r"please|thanks|thank you|very much|great|perfect|בבקשה|תודה|תודה רבה|מעולה|יופי"


def consent(text: str) -> Literal["yes", "no"] | None:
    """`yes` or `no` where the message says that and nothing else; None for everything that says more or less."""
    plain = re.sub(r"[\s.,!;:–—-]+", " ", text.casefold().replace("’", "'")).strip()
    if _only(_YES, plain):
        return "yes"
    return "no" if _only(_NO, plain) else None


def _only(words: str, plain: str) -> bool:
    """Whether the text is made of these words and politeness, with one of these at least."""
    part = rf"(?:{words}|{_POLITE})"
    core = rf"(?:(?:{_POLITE}) )*(?:{words})(?: {part})*"
    return re.fullmatch(core, plain) is not None
