"""Reads what a guest wants noted with a booking: `please note that we arrive late`, `הערה: …`. English and Hebrew."""

import re

MOST_CHARS = 500
"""As many as a booking's note may have."""
_WHO = r"(?:them|the (?:hotel|house|reception|desk|staff))"
_CUE = re.compile(
    r"\b(?:note(?: down)?(?: that)?(?=[:,]? (?!for |of |from |on |in |to ))|(?:be aware|be advised|keep in mind)(?: that)?|"
    r"(?:add|leave|write) (?:a |the |this )?(?:note|remark|comment|message)(?: that| saying)?|"
    rf"(?:tell|inform) {_WHO}(?: that)?|let {_WHO} know(?: that)?|(?:notes?|requests?|remarks?|comments?)(?= ?:))[ :,]|"
    r"(?<![א-ת])ו?(?:(?:שימו לב|שים לב|שימי לב|תציינ[יו]|תציין|לציין|תרשמ[יו]|תרשום|רשמו|לרשום|תוסיפו הערה|קחו בחשבון|"
    r"(?:תגיד[יו]?|תגידו) ל(?:הם|מלון|קבלה|צוות)|תעדכנו את (?:המלון|הקבלה|הצוות))|(?:הערות?|בקשה מיוחדת|בקשות מיוחדות|הערה)(?= ?:))[ :,]",
    re.IGNORECASE,
)
_END = re.compile(r"[.!](?= |$)|\n|$")


def read_note(text: str) -> str | None:
    """The words that the guest wants noted, up to the end of their sentence; None = there are none."""
    found = _CUE.search(text)
    if found is None:
        return None
    end = _END.search(text, found.end())
    words = text[found.end() : end.start() if end else None].strip(" ,:;")
    return words[:MOST_CHARS].rstrip() if words and "?" not in words else None
