"""What a written answer may say around the statements: words that claim nothing, courtesies and questions by id.

The words are few on purpose: each one more can be made into a claim. No figure, no yes or no, no name, nothing that
weighs, promises, compares, denies, or says who it holds for.
"""

from collections.abc import Mapping

from wavegraph.graph.answer.words import words_in
from wavegraph.tools.roster.answers.phrases import TABLES

HARMLESS: Mapping[str, frozenset[str]] = {
    "en": words_in("""
        the a an and of for in on at to as by with here there is are it its this that these those our we us i me my
        here's there's that's it's i'm we're please hello hi dear glad gladly happy happily help helps see look looking find
        found checked what which who how where when answer information detail details about regarding concerning also then
        first next finally follows following named namely note show let do be say says
        roster rosters ward report result results summary overview period
    """)
    | {"for you", "your question", "your questions", "your roster", "your ward", "help you", "show you", "you asked"},
    "he": words_in("""
        את של על עם אל ל ב ו ה מ ש כ הנה זה זו זאת אלה אלו הוא היא הם הן יש כאן אני אנחנו לנו נא בבקשה שלום היי בשמחה
        שמח שמחה שמחים לעזור לשאלה לשאלתך לשאלתכם שאלה שאלות תשובה התשובה לגבי בנוגע בעניין אשר מה איזה איזו אילו מי איך
        היכן מתי גם מצאתי בדקתי מצאנו בדקנו הפרטים פרטים מידע המידע הבא הבאים הבאה הבאות להלן תחילה ראשית בנוסף לסיום
        עבור עבורך בשביל אפשר לראות לדעת לבקשתך לבקשתכם
        סידור הסידור לסידור בסידור מחלקה המחלקה במחלקה דוח הדוח בדוח תוצאה תוצאות התוצאות סיכום התקופה בתקופה תקופה
    """)
    | {"מצאתי לך", "מצאתי לכם", "לעזור לך", "לעזור לכם", "הסידור שלך", "הסידור שלכם", "המחלקה שלך", "המחלקה שלכם"},
}
"""By language; a Hebrew prefix stands alone here, before a statement."""

_BORNE: Mapping[str, Mapping[str, str]] = {
    "cost": {"en": "cost costs price prices bound penalty penalties", "he": "עלות העלות מחיר המחיר קנס קנסות"},
    "rules": {"en": "rule rules check checks compliance", "he": "כלל כללים הכללים בדיקה הבדיקות"},
    "coverage": {"en": "coverage staffing demand shift shifts", "he": "איוש האיוש דרישה הדרישה משמרת משמרות המשמרות"},
    "fairness": {"en": "fairness score scores", "he": "הוגנות ההוגנות ציון הציון"},
    "nights": {"en": "night nights", "he": "לילה לילות הלילות"},
    "weekends": {"en": "weekend weekends", "he": "סוף שבוע סופי השבוע"},
    "hours": {"en": "hours contract", "he": "שעות השעות חוזה"},
    "wishes": {"en": "wish wishes request requests asked", "he": "בקשה בקשות הבקשות"},
    "nurse": {"en": "nurse nurses", "he": "אחות אחיות האחות האחיות"},
    "rounds": {"en": "round rounds", "he": "סבב סבבים הסבבים"},
}
"""Words that name what a statement is about, which may stand beside it."""

TOPICS = tuple(_BORNE)
RULES = frozenset(name for name in TABLES["en"] if name.startswith("rule."))
"""Phrases of the rules that can be told."""


def bears(topic: str, language: str) -> frozenset[str]:
    return words_in(_BORNE[topic][language])


COURTESIES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "hello": "Hello!",
        "gladly": "Happy to help.",
        "thanks": "You're welcome!",
        "here": "Here is what I found.",
        "more": "Whatever else you need about the roster, ask for it here.",
    },
    "he": {
        "hello": "שלום!",
        "gladly": "בשמחה.",
        "thanks": "על לא דבר!",
        "here": "זה מה שמצאתי.",
        "more": "כל שאלה נוספת על הסידור אפשר לכתוב כאן.",
    },
}
SORRY: Mapping[str, str] = {"en": "I'm sorry.", "he": "מצטערים."}
"""Only where there is no roster, or it does not pass."""
ASKS = ("ask_ward", "ask_days", "ask_nurse", "ask_when", "ask_different", "ask_else")
QUESTIONS: Mapping[str, Mapping[str, str]] = {
    language: {key: table[key] for key in ASKS} for language, table in TABLES.items()
}
"""None that a yes would answer: a publication may wait for one."""
