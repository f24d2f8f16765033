"""What a written answer may say around the statements: words that claim nothing, courtesies and questions by id.

The words are few on purpose: each one more can be made into a claim. No figure, no yes or no, nothing that weighs,
promises, compares or denies.
"""

from collections.abc import Mapping, Sequence

from wavegraph.graph.answer.words import words_in

HARMLESS: Mapping[str, frozenset[str]] = {
    "en": words_in("""
        the a an and of for in on at to as by with here there is are it its this that these those our we us i me
        my i'm i've i'd we're here's there's that's it's please hello hi dear glad gladly happy
        happily pleased pleasure help helps helping would could can like love look looking find found checked what
        which who how where when answer information details detail about regarding
        concerning also well next have has option options stay stays dates visit trip
        show share note follows following named namely called be do let say says
    """)
    | {
        *("for you", "your question", "your questions", "your options", "help you", "show you", "tell you"),
        *("you could", "you can choose", "you could choose", "to choose from"),
        *(f"{front} your {noun}" for front in ("for", "of", "about") for noun in ("stay", "dates", "trip", "visit")),
    },
    "he": words_in("""
        את של על עם אל ל ב ו ה מ ש כ וה הנה זה זו זאת אלה אלו הוא היא הם הן יש כאן אני אנחנו לנו נא
        בבקשה שלום היי בשמחה שמח שמחה שמחים לעזור לשאלה לשאלתכם לשאלתך לשאלות שאלה שאלות תשובה התשובה לגבי
        בנוגע בעניין אשר מה איזה איזו אילו מי איך היכן מתי גם מצאתי בדקתי מצאנו בדקנו הפרטים פרטים מידע המידע הבא הבאים הבאה
        הבאות להלן התאריכים תאריכים בתאריכים לתאריכים השהייה שהייה לשהייה לבקשתכם לבקשתך
        עבור עבורכם בשביל אצלנו אפשרות אפשרויות האפשרות האפשרויות באפשרות
        לדעת לראות לשאול לבחור הצעה הצעות ההצעה ההצעות להיות אפשר וגם שם
    """)
    | {
        *("מצאתי לכם", "מצאתי לך", "מצאנו לכם", "מצאנו לך", "הנה לכם", "לעזור לכם", "לעזור לך"),
        *("לשהייה שלכם", "לשהייה שלך", "לשאלה שלכם", "לשאלה שלך", "בתאריכים שלכם", "בתאריכים שלך"),
    },
}
"""By language; a Hebrew prefix stands alone here, before a statement."""

ROOM_WORDS: Mapping[str, frozenset[str]] = {
    "en": words_in("room rooms"),
    "he": words_in("חדר החדר בחדר חדרים החדרים"),
}
OFFER_WORDS: Mapping[str, frozenset[str]] = {
    "en": ROOM_WORDS["en"] | words_in("offer rate available price prices cost costs come comes"),
    "he": ROOM_WORDS["he"] | words_in("זמין זמינה פנוי פנויה עולה עולים מחיר המחיר במחיר מחירים המחירים עלות"),
}
LABEL_FRONTS: Mapping[str, Sequence[str]] = {"en": ("", "the ", "your "), "he": ("", "ה")}
"""What may stand before the name of a topic, where the name leads to what is known of it."""
MEAL_WORDS: Mapping[str, frozenset[str]] = {"en": words_in("breakfast"), "he": words_in("ארוחת בוקר")}
"""Of offers with a breakfast."""
PARTY_WORDS: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        f"for {whose} {who}"
        for whose in ("your", "the")
        for who in (
            *("parents", "family", "children", "kids", "friends", "husband", "wife", "son", "daughter", "mother"),
            *("father", "mum", "mom", "dad", "brother", "sister", "grandparents", "guests", "group", "couple"),
        )
    ),
    "he": words_in("להורים למשפחה לילדים לחברים לבעל לאישה לבן לבת לאמא לאבא לאח לאחות לאורחים לקבוצה לזוג"),
}
"""Beside a stay, whose heading says how many come."""
CHEAPEST_WORDS: Mapping[str, frozenset[str]] = {
    "en": words_in("cheapest lowest"),
    "he": words_in("הזול הזולה הנמוך ביותר") | {"הכי זול", "הכי זולה"},
}
REFUNDABLE_WORDS: Mapping[str, frozenset[str]] = {
    "en": words_in("flexible cancellation"),
    "he": words_in("גמיש גמישה ביטול"),
}
SIZE_WORDS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "largest": {"en": words_in("largest biggest"), "he": words_in("הגדול הגדולה ביותר")},
    "smallest": {"en": words_in("smallest"), "he": words_in("הקטן הקטנה ביותר")},
}
CHANGE_WORDS: Mapping[str, frozenset[str]] = {
    "en": words_in("change changes changing booking"),
    "he": words_in("שינוי שינויים לשינוי לשינויים הזמנה ההזמנה בהזמנה"),
}
"""Beside how to reach reception, which does that."""
DONE_WORDS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "create_booking": {
        "en": words_in("booking booked confirmed reservation") | {"your booking"},
        "he": words_in("ההזמנה הזמנה אושרה"),
    },
    "cancel_booking": {
        "en": words_in("booking cancelled cancellation") | {"your booking"},
        "he": words_in("ההזמנה הזמנה בוטלה ביטול"),
    },
    "get_booking": {"en": words_in("booking reservation") | {"your booking"}, "he": words_in("ההזמנה הזמנה")},
}
"""By the tool whose good result bears them out."""

COURTESIES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "hello": "Hello!",
        "welcome": "Thank you for writing to us.",
        "gladly": "Happy to help.",
        "youre_welcome": "You're welcome!",
        "here": "Here is what I found.",
        "more": "If you need anything else about your stay, just ask.",
    },
    "he": {
        "hello": "שלום!",
        "welcome": "תודה שכתבתם לנו.",
        "gladly": "בשמחה.",
        "youre_welcome": "על לא דבר!",
        "here": "זה מה שמצאתי.",
        "more": "אם יש עוד שאלה על השהייה, אפשר לכתוב כאן.",
    },
}
SORRY: Mapping[str, str] = {"en": "I'm sorry.", "he": "מצטערים."}
"""Only where something is full or failed."""
QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "ask_which": "Which of these would you like?",
        "ask_room": "Which room would you like?",
        "ask_suit": "Which of these dates would suit you?",
        "ask_dates": "Which dates would you like: arrival and departure, or arrival and number of nights?",
        "ask_other_dates": "Which other dates would suit you?",
        "ask_guests": "How many of you will come, and how old are the children?",
        "ask_budget": "What is your budget?",
        "ask_else": "What else would you like to know?",
    },
    "he": {
        "ask_which": "איזו מהאפשרויות תרצו?",
        "ask_room": "איזה חדר תרצו?",
        "ask_suit": "אילו מהתאריכים האלה מתאימים לכם?",
        "ask_dates": "לאילו תאריכים: הגעה ועזיבה, או הגעה ומספר לילות?",
        "ask_other_dates": "אילו תאריכים אחרים מתאימים לכם?",
        "ask_guests": "כמה תהיו, ובאילו גילים הילדים?",
        "ask_budget": "מה התקציב שלכם?",
        "ask_else": "מה עוד תרצו לדעת?",
    },
}
"""None that a yes would answer: a booking may wait for one."""
