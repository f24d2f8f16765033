"""Hebrew words about rosters, read as the English ones: the grammar is one."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

PREFIXES = "ובהלמשכ"
MOST_PREFIXES = 3
_WORDS: Mapping[str, str] = {
    "who": "מי למי",
    "works": "עובד עובדת עובדים עובדות משובץ משובצת משובצים",
    "when": "מתי",
    "why": "למה מדוע",
    "how": "איך",
    "off": "חופש חופשי חופשייה פנוי פנויה פנויים",
    "leave": "חופשה חופשת",
    "sick": "חולה חולים מחלה חלה חלתה",
    "away": "נעדר נעדרת נעדרים",
    "thanks": "תודה",
    "is": "האם",
    "work": "לעבוד",
    "must": "חייב חייבת חייבים",
    "wants": "רוצה מבקש מבקשת ביקש ביקשה מעדיף מעדיפה",
    "never": "לעולם",
    "with": "עם",
    "apart": "בנפרד",
    "together": "יחד ביחד",
    "now": "עכשיו כעת",
    "ward": "מחלקה מחלקת",
    "maximum": "מקסימום",
    "row": "רצף רצופים רצופות",
    "two": "שתי שניים שתיים", "three": "שלוש שלושה", "four": "ארבע ארבעה", "five": "חמש חמישה", "six": "שש שישה",
    "much": "רבה",
    "not": "לא",
    "meant": "התכוונתי",
    "sorry": "סליחה",
    "can": "יכול יכולה יכולים אפשר",
    "need": "צריך צריכה צריכים",
    "someone": "מישהו מישהי",
    "find": "מצא מצאי תמצא תמצאי למצוא",
    "between": "בין",
    "and": "וגם גם",
    "all": "כל הכל",
    "one": "אחד אחת",
    "everyone": "כולם כולן",
    "what": "מה",
    "you": "אתה אתם אתן",
    "know": "יודע יודעת יודעים",
    "do": "לעשות עושה",
    "print": "הדפס הדפיסי תדפיס תדפיסי להדפיס",
    "wall": "קיר",
    "delete": "מחק מחקי תמחק תמחקי למחוק",
    "too": "מדי",
    "more": "יותר",
    "fix": "תקן תקני תתקן תתקני לתקן",
    "he": "הוא שלו",
    "she": "היא שלה",
    "hours": "שעות",
    "night": "לילה הלילה",
    "nights": "לילות",
    "weekends": "סופשבוע סופי",
    "most": "הכי",
    "many": "הרבה כמה",
    "fewest": "פחות מעט",
    "has": "יש",
    "show": "הצג הציגי תציג תציגי הראה תראה תראי להראות להציג תראו",
    "again": "שוב",
    "roster": "סידור",
    "shift": "משמרת משמרות",
    "publish": "פרסם פרסמי תפרסם תפרסמי לפרסם",
    "published": "פורסם",
    "draft": "טיוטה",
    "swap": "החלף החליפי תחליף תחליפי להחליף",
    "lock": "נעל נעלי תנעל תנעלי לנעול",
    "give": "תן תני לתת",
    "can't": "יכול_לא",
    "export": "ייצא ייצאי תייצא לייצא",
    "excel": "אקסל",
    "make": "הכן הכיני תכין תכיני להכין צור צרי",
    "next": "הבא הבאה",
    "month": "חודש",
    "undo": "בטל בטלי תבטל תבטלי לבטל",
    "compare": "השווה השווי תשווה תשווי להשוות",
    "on": "ביום",
    "from": "מתאריך",
    "until": "עד",
    "today": "היום",
    "tomorrow": "מחר",
    "week": "שבוע",
    "short": "חסר חסרים חסרות",
    "please": "בבקשה נא",
    "the": "את של ה זה לי אותו",
    "sunday": "ראשון", "monday": "שני", "tuesday": "שלישי", "wednesday": "רביעי", "thursday": "חמישי", "friday": "שישי",
    "saturday": "שבת",
    "january": "ינואר", "february": "פברואר", "march": "מרץ", "april": "אפריל", "may": "מאי", "june": "יוני", "july": "יולי",
    "august": "אוגוסט", "september": "ספטמבר", "october": "אוקטובר", "november": "נובמבר", "december": "דצמבר",
}  # fmt: skip
_PHRASES = (
    (re.compile(r"(?<!\w)[בהל]?שבוע הבא(?!\w)"), "next week"),
    (re.compile(r"(?<!\w)[בל]?השבוע(?!\w)"), "this week"),
    (re.compile(r"(?<!\w)ו?[בהל]?(?:סוף ה?שבוע|סופ״?ש)(?!\w)"), "weekend"),
    (re.compile(r"(?<!\w)הלילה(?!\w| של)"), "tonight"),
    (re.compile(r"(?<!\w)הערב(?!\w)"), "this evening"),
    (re.compile(r"(?<!\w)אף פעם(?!\w)"), "never"),
    (re.compile(r"(?<!\w)לא (?:יכולה?|יכולים|תוכל|יוכל)(?!\w)"), "can't"),
    (re.compile(r"(?<!\w)לא (?:עובד(?:ת|ים|ות)?|יעבוד|תעבוד|יעבדו|זמינה?|מגיעה?|יגיע|תגיע)(?!\w)"), "cannot work"),
    (re.compile(r"(?<!\w)(?:לא יותר מ[-־]?|לכל היותר )(?=[\w])"), "at most "),
    (re.compile(r"(?<!\w)ב?שני(?= (?:לילות|ימים|סופי|שבועות)(?!\w))"), "two"),
    (re.compile(r"(?<!\w)ו?מה?[-־](?=\d)"), "from "),
    (re.compile(r"(?<!\w)ו?[בלה]{1,2}[-־](?=\d)"), "on "),
)
"""What several words say together, and a prefix before a date."""
_ENGLISH = {hebrew: english for english, words in _WORDS.items() for hebrew in words.split()}


def is_hebrew(word: str) -> bool:
    return "א" <= word[:1] <= "ת"


def with_phrases_in_english(text: str) -> str:
    """The text with what several Hebrew words say together in English."""
    for hebrew, english in _PHRASES:
        text = hebrew.sub(english, text)
    return text


def without_prefix(word: str) -> Sequence[str]:
    """What a Hebrew word may be less its prefix: `לאבי` is `אבי`."""
    cuts = range(1, min(MOST_PREFIXES, len(word) - 2) + 1) if is_hebrew(word) else ()
    return [word[cut:] for cut in cuts if all(letter in PREFIXES for letter in word[:cut])]


@lru_cache(maxsize=1024)
def in_english(word: str) -> Sequence[str]:
    """The word, or the English one of a Hebrew word; a prefix is left off: `ב-2` is `on 2`, `ל-Alice` is `Alice`."""
    if not is_hebrew(word):
        return (word,)
    prefix, dash, rest = word.partition("-")
    if dash and len(prefix) <= MOST_PREFIXES and all(letter in PREFIXES for letter in prefix):
        return ("on", rest) if rest[:1].isdigit() else in_english(rest)
    for cut in range(min(MOST_PREFIXES, len(word) - 1) + 1):
        if all(letter in PREFIXES for letter in word[:cut]) and word[cut:] in _ENGLISH:
            return (_ENGLISH[word[cut:]],)
    return (word,)
