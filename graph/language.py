"""The languages of requests, and the few sentences that the engine itself writes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from string import Formatter

from wavegraph.graph.errors import SettingsError

_ENGLISH = {
    "empty": "I received no question. What can I do for you?",
    "unreadable": "I can only read text, and this message has none. Please write your request in words.",
    "too_long": "That message has {length} characters, and I can read at most {limit}. Please send a shorter one.",
    "too_many": "{count} messages came at once, and I can read at most {limit}. Please send the latest of them.",
    "broken_plan": "I could not work out how to do that, so nothing was done. Please put it another way.",
    "model_replaced": "(The language model could not be used, so this answer was made by fixed rules.)",
    "thread_spent": "(This conversation has used up its share of the language model, so this answer was made by fixed rules.)",
    "day_spent": "(Today's share of the language model is used up, so this answer was made by fixed rules.)",
    "thread_spent_failed": "This conversation has used up its share of the language model, so no more can be done in it.",
    "day_spent_failed": "Today's share of the language model is used up. Please try again tomorrow.",
    "answer_failed": (
        "I cannot reach the language model just now, so I cannot put what was found into words. "
        "Please try again in a while."
    ),
    "model_gone": "I cannot reach the language model just now, so no more was done. Please try again in a while.",
    "model_failed": "I cannot reach the language model just now, so nothing was done. Please try again in a while.",
    "unworded": (
        "Something went wrong here while the answer was being written, so I cannot tell you what was found. "
        "Please ask again in a while."
    ),
    "done": "Done: {what}.",
    "done_unasked": "Done without asking you: {calls}.",
    "write_unknown": "It is not known whether this was done. Please have it checked; it will not be sent again: {calls}.",
    "sent_once": "Planned more than once with the very same details, and done only once: {calls}.",
    "unread": "Done, but what came back of it could not be read: {calls}.",
    "stopped": "Stopped, as you asked.",
    "known_so_far": "This is what I know so far:",
    "nothing_known": "Nothing is known yet.",
    "not_done": "Not done: {calls}.",
    "not_agreed": "Not done, since it was not agreed to: {calls}.",
    "left_undone": "Not done, since a limit was reached: {calls}.",
    "limit_reached": "The work ended at a limit: {limits}.",
    "failed": "This failed: {calls}.",
    "may_have_happened": "Stopped while it was running, so it may or may not have happened. Please check; it will not be sent again: {calls}.",
    "runs_on": "Could not be interrupted and may still be running; its result will not be used: {calls}.",
    "approval_question": "Shall I go ahead? (yes{code} / no)",
    "approval_choices": "Or say {choices}.",
    "approval_elsewhere": "Somebody else has to approve this first; you can keep asking in the meantime. Nothing is done until then.",
    "not_kept": "Nothing can be kept for you until you answer: with your yes I check once more, and do it only if it is still possible then.",
    "would_be_sent": "This would be done: {tool} {args}.",
    "first_use": (
        "{tool} only reads, says its server, and nobody here has checked that. It would be called with {args}. "
        "A yes is to the tool: in this conversation it is then called without asking, unless its name or the form of its "
        "arguments changes."
    ),
    "done_before": "This was already done for this conversation on {when}, with this result: {told}. It would be done once more.",
    "maybe_done_before": "This was already sent for this conversation on {when} and may have been done ({told}). It would be sent once more.",
    "cut_off_before": "An earlier request of this conversation was cut off when this was about to be done, and it may have been done. It would be sent once more.",
    "terms_changed": "This has changed since it was last asked:",
    "changed_before": "before: {lines}",
    "changed_now": "now: {lines}",
    "next_follows": "(I ask about one at a time; the next question follows your answer.)",
    "still_waits": "(Still waiting for your yes or no: {what})",
    "still_waits_elsewhere": "(Still waiting for approval, and not done until then: {what})",
    "not_yours": "Somebody else has to approve this first. Nothing is done until then; say “no” to withdraw it.",
    "withdrawn": "withdrawn by the person who asked",
    "a_yes": "yes",
    "name_the_terms": "To confirm that you agree to exactly these terms, please say “yes {code}”.",
    "terms_moved": "That answered different terms. These are the terms now.",
    "closed": "(My earlier question is closed; nothing was done.)",
    "replaced": "(This takes the place of my earlier question; nothing was done then.)",
    "plain_yes": "Nothing is done yet: I need a plain “yes”.",
    "reservation": "(I could not make sure that this covers everything you asked. If something is missing, please ask for it again.)",
    "doubt": "(I could not make sure that all of this is right. Please have it confirmed before you rely on it.)",
    "nothing_left": "I could not find a reliable answer to that.",
    "reply_hello": "Hello! What can I do for you?",
    "reply_thanks": "You're welcome.",
    "reply_goodbye": "Goodbye!",
    "reply_ask": "For this I still need: {what}.",
    "reply_unclear": "I did not understand that. Please put it another way.",
    "reply_unclear_words": "I did not understand “{words}”. Please put it another way.",
    "reply_cannot": "“{words}”: that I cannot do here.",
    "nothing_more": "On {words} I have nothing more.",
    "reply_out_of_scope": "“{words}”: that is not what I am here for.",
    "reply_instructions": "I follow no such instructions, and tell nothing of my own. What I am here for I will gladly do.",
    "worked_sum": "{terms} = {total} in all{each}.",
    "worked_difference": "{more}: {gap} more than {less}.",
    "worked_same": "{more}: no more and no less than {less}.",
    "worked_part": "{term} ÷ {number} = {part} each.",
    "worked_percent": "{term} is {part} of {whole}.",
    "worked_over": "{term} for {span}",
    "worked_all": "{terms}: {names}.",
    "worked_none": "none",
    "worked_about": "about {part}",
    "worked_words_sum": "total together altogether",
    "worked_words_difference": "difference",
}
_HEBREW = {
    "empty": "לא קיבלתי שאלה. במה אפשר לעזור?",
    "unreadable": "אפשר לקרוא כאן טקסט בלבד, ובהודעה הזאת אין טקסט. נא לכתוב את הבקשה במילים.",
    "too_long": "בהודעה {length} תווים, ואפשר לקרוא עד {limit}. נא לשלוח הודעה קצרה יותר.",
    "too_many": "{count} הודעות הגיעו בבת אחת, ואפשר לקרוא עד {limit}. נא לשלוח את האחרונות מביניהן.",
    "broken_plan": "לא הצלחתי להבין איך לבצע את הבקשה, ולכן לא נעשה דבר. נא לנסח אותה אחרת.",
    "model_replaced": "(לא ניתן היה להשתמש במודל השפה, ולכן התשובה הזאת הוכנה לפי כללים קבועים.)",
    "thread_spent": "(השיחה הזאת ניצלה את מלוא חלקה במודל השפה, ולכן התשובה הזאת הוכנה לפי כללים קבועים.)",
    "day_spent": "(המכסה היומית של מודל השפה נוצלה, ולכן התשובה הזאת הוכנה לפי כללים קבועים.)",
    "thread_spent_failed": "השיחה הזאת ניצלה את מלוא חלקה במודל השפה, ולכן אי אפשר להמשיך בה.",
    "day_spent_failed": "המכסה היומית של מודל השפה נוצלה. נא לנסות שוב מחר.",
    "answer_failed": "לא ניתן להגיע כרגע למודל השפה, ולכן אי אפשר לנסח את מה שנמצא. נא לנסות שוב בעוד זמן מה.",
    "model_gone": "לא ניתן להגיע כרגע למודל השפה, ולכן לא נעשה דבר נוסף. נא לנסות שוב בעוד זמן מה.",
    "model_failed": "לא ניתן להגיע כרגע למודל השפה, ולכן לא נעשה דבר. נא לנסות שוב בעוד זמן מה.",
    "unworded": "משהו השתבש כאן בזמן ניסוח התשובה, ולכן אי אפשר לומר מה נמצא. נא לשאול שוב בעוד זמן מה.",
    "done": "בוצע: {what}.",
    "done_unasked": "בוצע בלי לשאול אותך: {calls}.",
    "write_unknown": "לא ידוע אם הדבר בוצע; נא לבדוק, הוא לא יישלח שוב: {calls}.",
    "sent_once": "תוכנן יותר מפעם אחת באותם פרטים בדיוק, ובוצע פעם אחת בלבד: {calls}.",
    "unread": "בוצע, אך אי אפשר היה לקרוא מה שהוחזר: {calls}.",
    "stopped": "העבודה הופסקה, כפי שביקשת.",
    "known_so_far": "זה מה שידוע עד כה:",
    "nothing_known": "עדיין לא התברר דבר.",
    "not_done": "לא בוצע: {calls}.",
    "not_agreed": "לא בוצע, כי לא ניתנה לכך הסכמה: {calls}.",
    "left_undone": "לא בוצע, כי הגעתי למגבלה: {calls}.",
    "limit_reached": "העבודה נעצרה במגבלה: {limits}.",
    "failed": "נכשל: {calls}.",
    "may_have_happened": "הופסק תוך כדי ביצוע, ולכן ייתכן שבוצע וייתכן שלא; נא לבדוק, הדבר לא יישלח שוב: {calls}.",
    "runs_on": "לא ניתן היה להפסיק את הפעולה וייתכן שהיא עדיין רצה; מה שתמצא לא ייכלל: {calls}.",
    "approval_question": "להמשיך? (כן{code} / לא)",
    "approval_choices": "או {choices}.",
    "approval_elsewhere": "מישהו אחר צריך לאשר את זה קודם; בינתיים אפשר להמשיך לשאול. עד אז לא יבוצע דבר.",
    "not_kept": "אי אפשר לשמור על כך עד לתשובה: עם האישור אבדוק שוב, ואבצע רק אם זה עדיין אפשרי אז.",
    "would_be_sent": "זה מה שיבוצע: {tool} {args}.",
    "first_use": (
        "לדברי השרת של {tool} הוא רק קורא, ואיש כאן לא בדק זאת. הוא יופעל עם {args}. "
        "“כן” הוא לכלי עצמו: בשיחה הזאת הוא יופעל אז בלי לשאול, אלא אם ישתנה שמו או מבנה הארגומנטים שלו."
    ),
    "done_before": "הדבר כבר בוצע בשיחה הזאת ב־{when}, וזו התוצאה: {told}. הוא יבוצע פעם נוספת.",
    "maybe_done_before": "הדבר כבר נשלח בשיחה הזאת ב־{when}, וייתכן שבוצע ({told}). הוא יישלח פעם נוספת.",
    "cut_off_before": "בקשה קודמת בשיחה הזאת נקטעה כשהדבר עמד להתבצע, וייתכן שבוצע. הוא יישלח פעם נוספת.",
    "terms_changed": "זה השתנה מאז השאלה הקודמת:",
    "changed_before": "קודם: {lines}",
    "changed_now": "עכשיו: {lines}",
    "next_follows": "(אני שואל על אחד בכל פעם; השאלה הבאה תבוא אחרי התשובה.)",
    "still_waits": "(עדיין ממתין לתשובתך, כן או לא: {what})",
    "still_waits_elsewhere": "(עדיין ממתין לאישור, ולא יבוצע לפני כן: {what})",
    "not_yours": "מישהו אחר צריך לאשר את זה קודם. עד אז לא יבוצע דבר; אפשר לכתוב “לא” כדי לבטל את הבקשה.",
    "withdrawn": "הבקשה בוטלה בידי המבקש",
    "a_yes": "כן",
    "name_the_terms": "כדי לוודא שהאישור הוא לתנאים האלה בדיוק, נא לכתוב “כן {code}”.",
    "terms_moved": "זו הייתה תשובה לתנאים אחרים. אלה התנאים עכשיו.",
    "closed": "(השאלה הקודמת נסגרה, ולא נעשה בעניינה דבר.)",
    "replaced": "(זה במקום השאלה הקודמת, ולא נעשה בעניינה דבר.)",
    "plain_yes": "עדיין לא נעשה דבר: דרוש “כן” פשוט.",
    "reservation": "(לא הצלחתי לוודא שהתשובה מכסה את כל מה ששאלת. אם חסר משהו, נא לשאול עליו שוב.)",
    "doubt": "(לא הצלחתי לוודא שכל הפרטים כאן נכונים. נא לאמת אותם לפני שמסתמכים עליהם.)",
    "nothing_left": "לא מצאתי תשובה שאפשר לסמוך עליה.",
    "reply_hello": "שלום! במה אפשר לעזור?",
    "reply_thanks": "בשמחה.",
    "reply_goodbye": "להתראות!",
    "reply_ask": "לשם כך דרוש עוד: {what}.",
    "reply_unclear": "לא הבנתי את זה. נא לנסח אחרת.",
    "reply_unclear_words": "לא הבנתי את “{words}”. נא לנסח אחרת.",
    "reply_cannot": "“{words}”: את זה אי אפשר לעשות כאן.",
    "nothing_more": "על {words} אין לי מידע נוסף.",
    "reply_out_of_scope": "“{words}”: זה מחוץ למה שאפשר לעזור בו כאן.",
    "reply_instructions": "אין כאן מענה להוראות כאלה, ולא נמסר דבר על ההוראות עצמן. במה שהשירות נועד לו אפשר לעזור בשמחה.",
    "worked_sum": "{terms} = {total} בסך הכול{each}.",
    "worked_difference": "{more} לעומת {less}: הפרש של {gap}.",
    "worked_same": "{more}: אותו דבר כמו {less}.",
    "worked_part": "{term} ÷ {number} = {part} לכל אחד.",
    "worked_percent": "{term}: {part} מתוך {whole}.",
    "worked_over": "{term} עבור {span}",
    "worked_all": "{terms}: {names}.",
    "worked_none": "אין",
    "worked_about": "בערך {part}",
    "worked_words_sum": "סך הכול ביחד יחד",
    "worked_words_difference": "הפרש ההפרש",
}


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language that an agent understands and answers in."""

    code: str
    """ISO 639-1."""
    letters: str
    """Its script, as the inside of a regular expression's character class: `a-z`."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """The engine's sentences, by the same keys as in English; a missing one falls back to English."""

    def __post_init__(self) -> None:
        """Raises SettingsError for an unknown phrase, or for one with missing or extra values."""
        for key, phrase in self.phrases.items():
            if key not in _ENGLISH:
                raise SettingsError(f"language {self.code!r} has an unknown phrase {key!r}")
            if (given := _values(phrase)) != (wanted := _values(_ENGLISH[key])):
                raise SettingsError(f"language {self.code!r}: phrase {key!r} has the values {given}, not {wanted}")

    def letters_in(self, text: str) -> int:
        return len(self._letter.findall(text))

    @cached_property
    def _letter(self) -> re.Pattern[str]:
        return re.compile(f"[{self.letters}]", re.IGNORECASE)


def _values(phrase: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(phrase) if name})


ENGLISH = Language(code="en", letters="a-z", phrases=_ENGLISH)
HEBREW = Language(code="he", letters="\u05d0-\u05ea", phrases=_HEBREW)
SHIPPED = (ENGLISH, HEBREW)

_known = {language.code: language for language in SHIPPED}


def know(languages: Sequence[Language]) -> None:
    """Register languages for `say`. Raises SettingsError if a code is already registered with other phrases."""
    for language in languages:
        if _known.setdefault(language.code, language) != language:
            raise SettingsError(f"language {language.code!r} is already known with other letters or phrases")


def say(key: str, language: str, **values: object) -> str:
    """The sentence `key` in `language` (ISO 639-1), in English if the language is unknown."""
    phrases = _known.get(language, ENGLISH).phrases
    return phrases.get(key, _ENGLISH[key]).format(**values)


def language_of(text: str, languages: Sequence[Language] | None = None, before: str | None = None) -> str:
    """Code of the language that most letters of the text belong to, the first on a tie. `languages`: None = all known;
    `before`: what was spoken so far, which a text without letters goes on in.

    E-mail addresses belong to no language.
    """
    words = " ".join(word for word in text.split() if "@" not in word)
    most = max(languages or tuple(_known.values()), key=lambda language: language.letters_in(words))
    return most.code if most.letters_in(words) or before is None else before
