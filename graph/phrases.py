"""The few sentences the engine itself may say, in the languages it knows."""

import re

_PHRASES = {
    "empty": {
        "en": "I received no question. What can I do for you?",
        "he": "לא קיבלתי שאלה. במה אפשר לעזור?",
    },
    "unreadable": {
        "en": "I can only read text, and this message has none. Please write your request in words.",
        "he": "אפשר לקרוא כאן טקסט בלבד, ובהודעה הזאת אין טקסט. נא לכתוב את הבקשה במילים.",
    },
    "too_long": {
        "en": "That message has {length} characters and I read up to {limit}. Please send a shorter one.",
        "he": "בהודעה {length} תווים, ואפשר לקרוא עד {limit}. נא לשלוח הודעה קצרה יותר.",
    },
    "broken_plan": {
        "en": "I could not work out how to do that, so nothing was done. Please say it in another way.",
        "he": "לא הצלחתי להבין איך לבצע את הבקשה, ולכן לא נעשה דבר. נא לנסח אותה אחרת.",
    },
    "model_replaced": {
        "en": "(The language model could not be used, so this answer was made by fixed rules.)",
        "he": "(לא ניתן היה להשתמש במודל השפה, ולכן התשובה הזאת הוכנה לפי כללים קבועים.)",
    },
    "answer_failed": {
        "en": "I cannot reach the language model just now, so I cannot put what was found into words. "
        "Please try again in a while.",
        "he": "לא ניתן להגיע כרגע למודל השפה, ולכן אי אפשר לנסח את מה שנמצא. נא לנסות שוב בעוד זמן מה.",
    },
    "model_failed": {
        "en": "I cannot reach the language model just now, so nothing was done. Please try again in a while.",
        "he": "לא ניתן להגיע כרגע למודל השפה, ולכן לא נעשה דבר. נא לנסות שוב בעוד זמן מה.",
    },
    "unworded": {
        "en": "Something went wrong here while the answer was being written, so I cannot tell you what was found. "
        "Please ask again in a while.",
        "he": "משהו השתבש כאן בזמן ניסוח התשובה, ולכן אי אפשר לומר מה נמצא. נא לשאול שוב בעוד זמן מה.",
    },
    "done": {
        "en": "Done: {what}.",
        "he": "בוצע: {what}.",
    },
    "write_unknown": {
        "en": "It is not known whether this was done; please have it looked up, it is not sent again: {calls}.",
        "he": "לא ידוע אם הדבר בוצע; נא לבדוק, הוא לא יישלח שוב: {calls}.",
    },
    "stopped": {
        "en": "Stopped, as you asked.",
        "he": "העבודה הופסקה, כפי שביקשת.",
    },
    "known_so_far": {
        "en": "This is what I know so far:",
        "he": "זה מה שידוע עד כה:",
    },
    "nothing_known": {
        "en": "Nothing was found out yet.",
        "he": "עדיין לא התברר דבר.",
    },
    "not_done": {
        "en": "Not done: {calls}.",
        "he": "לא בוצע: {calls}.",
    },
    "may_have_happened": {
        "en": "Stopped while it ran, so it may or may not have happened; please look it up, it is not sent again: {calls}.",
        "he": "הופסק תוך כדי ביצוע, ולכן ייתכן שבוצע וייתכן שלא; נא לבדוק, הדבר לא יישלח שוב: {calls}.",
    },
    "runs_on": {
        "en": "Could not be interrupted and may still be running; what it finds is not used: {calls}.",
        "he": "לא ניתן היה להפסיק את הפעולה וייתכן שהיא עדיין רצה; מה שתמצא לא ייכלל: {calls}.",
    },
    "approval_question": {
        "en": "Shall I go ahead? (yes{code} / no)",
        "he": "להמשיך? (כן{code} / לא)",
    },
    "approval_choices": {
        "en": "Or say {choices}.",
        "he": "או {choices}.",
    },
    "approval_elsewhere": {
        "en": "Somebody else has to agree to this first; you can go on asking meanwhile. Nothing is done before that.",
        "he": "מישהו אחר צריך לאשר את זה קודם; בינתיים אפשר להמשיך לשאול. עד אז לא יבוצע דבר.",
    },
    "terms_changed": {
        "en": "This has changed since it was asked before:",
        "he": "זה השתנה מאז השאלה הקודמת:",
    },
    "changed_before": {
        "en": "before: {lines}",
        "he": "קודם: {lines}",
    },
    "changed_now": {
        "en": "now: {lines}",
        "he": "עכשיו: {lines}",
    },
    "still_waits": {
        "en": "(Still waiting for your yes or no: {what})",
        "he": "(עדיין ממתין לתשובתך, כן או לא: {what})",
    },
    "still_waits_elsewhere": {
        "en": "(Still waiting for somebody's approval, and not done before that: {what})",
        "he": "(עדיין ממתין לאישור, ולא יבוצע לפני כן: {what})",
    },
    "not_yours": {
        "en": "Somebody else has to agree to this first. Nothing is done before that; say “no” to withdraw it.",
        "he": "מישהו אחר צריך לאשר את זה קודם. עד אז לא יבוצע דבר; אפשר לכתוב „לא” כדי לבטל את הבקשה.",
    },
    "withdrawn": {
        "en": "withdrawn by who asked",
        "he": "הבקשה בוטלה בידי המבקש",
    },
    "name_the_terms": {
        "en": "To be sure that you agree to these very terms, please say “yes {code}” (or send their terms_hash).",
        "he": "כדי לוודא שהאישור הוא לתנאים האלה בדיוק, נא לכתוב „כן {code}” (או לשלוח את terms_hash שלהם).",
    },
    "terms_moved": {
        "en": "That was an answer to other terms than these. These are the terms now.",
        "he": "זו הייתה תשובה לתנאים אחרים. אלה התנאים עכשיו.",
    },
    "replaced": {
        "en": "(This takes the place of what I asked about before: nothing was done about that.)",
        "he": "(זה בא במקום מה ששאלתי עליו קודם, ובעניין ההוא לא נעשה דבר.)",
    },
    "reservation": {
        "en": "(I could not make sure that this covers all you asked. If something is missing, please ask for it again.)",
        "he": "(לא הצלחתי לוודא שהתשובה מכסה את כל מה ששאלת. אם חסר משהו, נא לשאול עליו שוב.)",
    },
    "doubt": {
        "en": "(I could not make sure that all of this is right. Please have it confirmed before you rely on it.)",
        "he": "(לא הצלחתי לוודא שכל הפרטים כאן נכונים. נא לאמת אותם לפני שמסתמכים עליהם.)",
    },
    "nothing_left": {
        "en": "I could not find a reliable answer to that.",
        "he": "לא מצאתי תשובה שאפשר לסמוך עליה.",
    },
}


def say(key: str, language: str, **values: object) -> str:
    """The sentence `key` in `language` (ISO 639-1), English where it is not known."""
    table = _PHRASES[key]
    return table.get(language, table["en"]).format(**values)


def language_of(text: str) -> str:
    """`he` for a text written mostly in Hebrew letters, else `en`."""
    hebrew = len(re.findall(r"[\u05d0-\u05ea]", text))
    return "he" if hebrew > len(re.findall(r"[A-Za-z]", text)) else "en"
