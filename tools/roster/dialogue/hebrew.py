"""Hebrew words about rosters, read as the English ones: the grammar is one."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

PREFIXES = "ובהלמשכ"
MOST_PREFIXES = 3
_WORDS: Mapping[str, str] = {
    "who": "מי למי",
    "works": "עובד עובדת עובדים עובדות משובץ משובצת משובצים",
    "when": "מתי",
    "why": "למה מדוע",
    "how": "כמה איך",
    "off": "חופש חופשי חופשייה פנוי פנויה פנויים",
    "leave": "חופשה חופשת",
    "sick": "חולה מחלה",
    "away": "נעדר נעדרת נעדרים",
    "hours": "שעות",
    "night": "לילה הלילה",
    "nights": "לילות",
    "weekends": "סופשבוע סופי",
    "most": "הכי",
    "many": "הרבה",
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
_ENGLISH = {hebrew: english for english, words in _WORDS.items() for hebrew in words.split()}


@lru_cache(maxsize=1024)
def in_english(word: str) -> Sequence[str]:
    """The word, or the English one of a Hebrew word; a prefix is left off: `ב-2` is `on 2`, `ל-Alice` is `Alice`."""
    if not word or not "א" <= word[0] <= "ת":
        return (word,)
    prefix, dash, rest = word.partition("-")
    if dash and len(prefix) <= MOST_PREFIXES and all(letter in PREFIXES for letter in prefix):
        return ("on", rest) if rest[:1].isdigit() else in_english(rest)
    for cut in range(min(MOST_PREFIXES, len(word) - 1) + 1):
        if all(letter in PREFIXES for letter in word[:cut]) and word[cut:] in _ENGLISH:
            return (_ENGLISH[word[cut:]],)
    return (word,)
