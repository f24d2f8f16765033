"""Whether a sentence may ask the desk for a deed that it cannot do, or plainly means something else.

A deed is a verb with what it is done to: `hold the room` and `hold the door` share the verb, and only the first is one. A
plain question for a fact, `is there a taxi stand?`, is none either. In other words a deed is asked for where a stem stands
that is near to it; a few deeds may be asked for in any words, and are told so that it is true of all.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.amounts import figures_in

_HE = r"(?<![א-ת])[והבלמשכ]{0,2}"
_BETWEEN = r"(?:\s+(?!(?:in|on|at|for|to|of|with|from|by|every|each)\b)[\w'’-]+){0,3}?\s+"
"""Words that may stand between an English verb and what it is done to."""
_PRONOUN = r"(?:it|this|that|one|them|us)\b(?=\W*(?:$|[,.!?]|for\b|to\b|until\b|till\b|while\b|without\b|aside\b|by\b|please\b))"
"""Where the clause ends behind it, not as in `keep it simple`."""


def _one_of(words: str) -> str:
    return "|".join(sorted(words_of(words), key=len, reverse=True))


def _done_to(verbs: str, things: str) -> str:
    """An English verb and one of the things."""
    return rf"\b(?:{_one_of(verbs)})(?:{_BETWEEN}(?:{_one_of(things)})\b|{_BETWEEN}{_PRONOUN})"


def _done_to_he(verbs: str, things: str) -> str:
    """A Hebrew verb, by its beginning, and one of the things behind it."""
    return rf"(?<![א-ת])[ושנ]?(?:{_one_of(verbs)})[א-ת]*(?:\s+\S+){{0,3}}?\s+{_HE}(?:{_one_of(things)})"


HOLDING = "|".join(
    (
        _done_to("hold holding keep keeping save saving reserve block freeze", "room rooms suite suites double price rate offer place dates"),
        _done_to_he("לשמור תשמר תשמור שמר להחזיק תחזיק לשריין תשריינ להקפיא", "חדר סוויטה מחיר מקום הצעה אותו אותה זה תאריכ"),
    )
)  # fmt: skip
"""A room or a price kept."""
_UNTIL = r"\b(?:hold|keep|save)\b[^.?!\n]{0,40}\bfor (?:me|us) (?:till?|until)\b|(?<![א-ת])(?:לשמור|תשמר[יו]?|תשמור) ל(?:י|נו)(?![א-ת])[^.?!\n]{0,40} עד(?![א-ת])"
_CHANGING = "|".join(
    (
        _done_to(
            "change changes changed changing",
            "booking reservation stay date dates arrival departure night nights guest guests person people adult adults child children baby "
            "name room rooms double triple twin single suite board breakfast sunday monday tuesday wednesday thursday friday saturday weekend",
        ),
        _done_to_he("להחליף תחליפ מחליפ", "הזמנה הזמנת תאריכ לילה לילות אורח שם חדר סוויטה אדם ילד ארוח שהי אותנו"),
    )
)  # fmt: skip
_CARD = r"(?:cards?|visa|mastercard|amex|cvv|credit|debit|iban|account|payment|כרטיס|אשראי|ויזה|מאסטר|אמקס|חשבון)"
_OF_A_CARD = rf"\b(?:numbers?|details|my|our)\b[^.?!\n]{{0,30}}{_CARD}|{_CARD}[^.?!\n]{{0,30}}(?:\b(?:numbers?|details)\b|מספר|פרטי|של[ינ])|(?:מספר|פרטי)[^.?!\n]{{0,20}}{_CARD}"
_PAYS = r"\b(?:pay|paying|accept|takes?)\b|לשלם|משלמים|מקבלים"


class Deed(NamedTuple):
    """How it is told from what is none, by patterns. Empty = by none."""

    words: str = ""
    """Whoever says this asks for it."""
    others: str = ""
    """Who says this means something else."""
    is_open: bool = False
    """Whether anything may be asked for, but not by a plain question for a fact."""
    by_words: bool = False
    """Whether nobody asks for it without one of its words."""


DEEDS: Mapping[str, Deed] = {
    "change_booking": Deed(rf"{_CHANGING}|\b(?:booking|reservation)\b|{_HE}הזמנ[הת]", r"\bchang(?:e|es|ed|ing)\b|(?<![א-ת])(?:להחליף|[תמ]חליפ)"),
    "hold_room": Deed(
        rf"{HOLDING}|{_UNTIL}|\bon hold\b|\baside\b", r"\b(?:hold|holds|holding|keep|keeps|keeping)\b|(?<![א-ת])(?:לשמור|תשמר|תשמור|שומר|שמר|להחזיק|תחזיק)"
    ),
    "waiting_list": Deed(r"\bwait(?:ing)?[ -]?list|\b(?:if|when|once|in case)\b.{0,60}\b(?:free|available|cancels?|cancellation|opens?)\b|\bas soon as\b|\b(?:comes up|is back)\b|רשימת המתנה|תפנה|ברגע ש|(?<![א-ת])אם [^.?!]{0,20}בטל|אם [^.?!]{0,10}ביטול|על ביטולים", r"\bwait|לחכות|ממתינ|להמתין"),
    "upgrade": Deed(
        r"\bupgrad\w* (?:us|me|my|our)\b|\ban upgrade\b|\b(?:better|nicer|bigger|larger)\b|\bsame price\b|(?:לשדרג|שדרוג|תשדר)|טוב יותר|גדול יותר|אותו מחיר", r"\bupgrad\w* (?:the|your|all|every) (?!room\b|double\b)|\b(?:be|been|is|are|was|were|gym) upgraded\b|שודרג"),
    "discount": Deed(
        r"\b(?:discount|reduc|voucher|coupon|deal)\w*|\b(?:cheaper|lower|less|off|points?|for free|better (?:price|rate)|special (?:price|rate))\b|\d ?%|"
        r"הנחה|להוזיל|תוזיל|זול יותר|יותר זול|שובר|נקודות|קופון|חינם|פחות|כמה ירד",
        others=r"\b(?:cheap|low)est\b|הכי זול|הזולה? ביותר",
    ),
    "complaint": Deed(
        r"\b(?:refund|complain|disappoint|apolog|dirty|filthy|broken|noisy|smell|rude|awful|terrible|unacceptable)\w*|\bnot work\w*|n't work|"
        r"החזר|תלונה|להתלונן|מלוכלכ|מלוכלך|שבור|רועש|מאכזב|התנצל",
        is_open=True,
    ),
    "without_number": Deed(r"\b(?:book\w*|reserv\w*|cancel\w*|stay|numbers?|confirm\w*|code)\b|הזמנ|הזמינ|לבטל|ביטול|מספר|אישור"),
    "nothing_booked": Deed(r"\b(?:cancel(?:s|l?ed|l?ing)?|undo|scrap|call (?:it|that|this) off)\b|(?<![א-ת])[לתנ]?בטלו?(?![א-ת])", by_words=True),
    "promise_room": Deed(r"\b(?:promis|guarante|ensur)\w*|להבטיח|תבטיח|מובטח", is_open=True),
    "arrange": Deed(
        r"\b(?:order|arrang|organi[sz]|schedul|book|deliver|prepar|collect|fetch)\w*|\b(?:get|send|bring|put|call|pick|wake|(?:can|could|may) (?:we|i) have|(?:what|how) about an?)\b|"
        r"להזמין|לארגן|לסדר|לקבוע|לתאם|לשלוח|להביא|לאסוף|(?<![א-ת])ש?ת(?:זמינ|ארגנ|סדר|קבע|תאמ|שלח|ביא|אספ|עיר)[וי]?", is_open=True
    ),
    "pass_on": Deed(r"\b(?:tell|inform|pass|forward|let|ask|write|send|lost|forg[eo]t\w*|left|found|messages?|letters?|papers?|forms?|jobs?|work|press|call (?:me )?back|(?:me|us) back|put me through|connect me|(?:talk|speak) (?:to|with)|say hello)\b|לדבר עם|תעביר|להעביר|למסור|תמסר|להודיע|תגיד|שכח|איבד|מכתב|הודע|עבודה"),
    "others_data": Deed(r"\b(?:who|whom|whose|which guests|(?:other|another) guests?|(?:man|woman|person|people|couple|family|guests?) in|of a guest|(?:other|another) (?:family|couple)|(?:has|did|does|when|which|where) .{0,20}(?:mr|mrs|my (?!booking|reservation|room|card|name)\w+))\b|\broom \d|(?<![א-ת])(?:מי|מתארח)|של אורח|האורח ב|הזמינו|אחותי|אשתי|הבוס|בחדר \d"),
    "some_nights": Deed(
        r"\b(?:first|second|third|last|other|some|one|part|half|rest|each|every|only|just|then|joins?|joining|leaves?|leaving|except|"
        r"(?:sun|mon|tues|wednes|thurs|fri|satur)day)\b|ראשונ|שני(?:ה|יה)|שליש|אחרונ|חלק|רק|אחר כך|מצטרפ|יום (?:ראשון|שני|שלישי|רביעי|חמישי|שישי)|שבת",
        by_words=True,
    ),
    "large_group": Deed(r"\b(?:groups?|bus(?:es)?|coach(?:es)?|delegation|party|parties|wedding|conference|all of)\b|קבוצ|אוטובוס|משלחת|חתונה|כנס"),
    "take_card": Deed(rf"{_OF_A_CARD}|\d{{4}}|\bpay\b.{{0,20}}\b(?:now|online|here)\b|\b(?:the card you|card here)\b|לשלם.{{0,20}}(?:עכשיו|כאן|פה)", _PAYS),
    "earlier_talk": Deed(r"\byou\b|\b(?:promised|assured|offered) (?:us|me)\b|\b(?:was|were) told\b|\bi (?:said|asked)\b|\b(?:recepti\w+|desk) (?:said|told)\b|\bour (?:deal|call)\b|מכם|אמר(?:ו|ה)? (?:לי|לנו|ש)|כמו שכתב", r"\b(?:my|our|his|her) \w+ (?:told|said|promised)\b|של(?:י|נו) (?:אמר|סיפר|הבטיח)"),
    "reason": Deed(r"\b(?:why|how come|reasons?|explain|what's with)\b(?! not\b)|(?<![א-ת])(?:למה|מדוע|ה?סיבה|איך זה)(?! לא)(?![א-ת])", others=r"\bwhy not\b|למה לא(?![א-ת])"),
    "convert": Deed(
        rf"^(?!.*(?:{_PAYS})).*(?:\b(?:dollars?|euros?|pounds?|francs?|yen|usd|eur|gbp|chf|currency|convert\w*|exchange)\b|[$€£]|דולר|יורו|אירו|מטבע|להמיר)",
        others=rf"{_PAYS}|\b(?:cash|change|use)\b|להחליף",
    ),
}  # fmt: skip
_NEAR: Mapping[str, re.Pattern[str]] = {
    "change_booking": re.compile(
        r"\b(?:chang|mov|shift|swap|exten|shorten|add|bring|remov|postpon|delay|re-?sched|rebook|amend|modif|correct|switch|"
        r"updat|alter|edit|fix|book|reserv|stay|date|instead|another|different|other|more|less|fewer|later|earlier|longer|push|"
        r"put|drop|cut|one|leav|arriv|com(?:e|ing)\b|name|will be)|הזמנ|הזמינ|תארי|שהות|שהי|החל[פי]|"
        r"חלי|שנ[וה]|לשנות|עביר|העבר|זיז|ארי[כך]|קצר|הוסי|תוסי|נוסי|תוריד|להוריד|דח[הו]|קדי|עדכ|תקנ|תקן|לעבור|מועד|במקום|אחר|"
        r"קודם|נהיה|שם|לילה|לילות|ימים|שבוע|נבוא|נגיע|להגיע|לעזוב|עוד|פחות|רק אני|מגיע|ביום|מצטרפ|בא(?:ים|ה)?(?![א-ת])"
    ),
    "hold_room": re.compile(
        r"\b(?:hold|held|keep|kept|sav|block|freez|lock|reserv|pencil|aside|option|decid|wait|think|sell|giv|let|go\b|obligat|"
        r"commit|open|until|till|tentativ|provisional|without|secur|bind)|שמר|שמו|לשמור|שרי|קפיא|נעל|נעול|חסו|חסמ|אופצי|בצד|"
        r"להחליט|נחליט|החלט|לחכות|תחכ|פתוח|אל ת|התחייב|החז|חזי|לחשוב|עד ש|בינתיים|בלי ל|תפסו|לתפוס|יישאר|להישאר|סופי|תשאיר"
    ),
    "waiting_list": re.compile(
        r"\b(?:wait|stand-?by|alert|notif|remind|post|inform|updat|tell|let|call|e?-?mail|text|ping|shout|writ|contact|messag|"
        r"list|if|when|once|in case|as soon as|should|free|availab|cancel|vacan|open|turn)|רשימ|המתנ|ממתי|נמתי|מתפנ|תפנ|ביטול|"
        r"יבטל|מבטל|זכיר|התרא|ברגע|כשי|אם |תיידע|עדכנ|הודע|ודיע|תגיד|תתקשר|תכתב|תשלח|להתריע"
    ),
    "upgrade": re.compile(
        r"\b(?:upgrad|better|nic|big|larg|high|superior|bump|same|without|no extra|extra|free|complimentary|suite|move|categor|"
        r"instead|more|luxur|gift|surprise|honeymoon|anniversary|birthday|deluxe|premium|spoil)|שדר|יותר|טוב|גדול|אותו|אותה|"
        r"במחיר|קטגורי|בלי|חינם|מתנ[הת]|סוויט|ירח|פנק|לפנק|משופר|במקום|דרג[הת]"
    ),
    "discount": re.compile(
        r"\b(?:discount|reduc|voucher|coupon|promo|negotia|bargain|haggl|loyal|expensive|dear|pric|rate|offer|deal|cheap|low|"
        r"less|off|point|free|gift|down|make|match|too|code|special|knock|budget is|only pay|can pay|afford|student|senior|"
        r"soldier|member|regular|beat|waive|include|throw|for \d|to \d|at \d|return|work)|%|הנח|וזיל|זול|שובר|נקוד|קופון|קוד|"
        r"חינם|מבצע|התמקח|וריד|ירד|תרד|תשוו|מחיר|יקר|אחוז|פחות|ב-?\d|ל-?\d|תעש|מיוחד|מתנה|תוותר|לרדת|הטב|בונוס|חייל|סטודנט|גמלא|"
        r"תתחשב|התחשב"
    ),
    "without_number": re.compile(
        r"\b(?:book|reserv|cancel|stay|number|confirm|code|name|find|found|look|check|room|refer|dates)|הזמנ|הזמינ|מוזמנ|בטל|"
        r"ביטול|אישור|מאושר|שם|מספר|קוד|מייל|חפש|תמצא|למצוא|תבד|לבדוק|אצלכם|רשומ|רשום"
    ),
    "take_card": re.compile(
        r"\b(?:card|visa|master|amex|cvv|expir|credit|pay|charg|transfer|deposit|money|debit|number|detail|iban|bank|paypal|"
        r"bit)|\d{4}|כרטיס|אשראי|ויזה|מאסטר|אמקס|שלמ|שלם|תשלום|חייב|מקדמ|כסף|פרטי|cvv|תוקף|העבר|מספר|ביט|פייפאל|תוריד|תגב|לגבות"
    ),
    "convert": re.compile(
        r"\b(?:dollar|buck|euro|pound|sterling|quid|franc|yen|rubl|roubl|rupee|krona|zloty|dinar|peso|usd|eur|gbp|chf|ils|nis|"
        r"shekel|currenc|convert|exchang|money|cash|us|rate)|[$€£¥₽]|דולר|יורו|אירו|פרנק|ביין|ליש|פאונד|רובל|רופי|דינר|מטבע|המר|"
        r"המיר|שער|תמיר|כסף|שקל|gbp|usd|eur"
    ),
    "earlier_talk": re.compile(
        r"\b(?:you|said|told|promis|offer|quot|agree|gave|spok|talk|call|phone|e?-?mail|wrote|written|discuss|mention|heard|"
        r"remember|last|yesterday|before|earlier|already|confirmed|previous|conversation|according|chat|colleague|recepti|assur|"
        r"deal|ask|sure)|הבט|אמר|סיכמ|הצע|הציע|כתב|שנה שעברה|דיבר|שיח|קודמת|מכם|נתת|נתנ|שמע|טלפון|אתמול|קיבל|הזכר|מייל|סגרנו|"
        r"קודם|כבר|הסכמ|סגר|בטוח"
    ),
    "reason": re.compile(
        r"\b(?:wh(?:y|at|ich|ere)|how|reason|expla|justif|becaus|behind|understand|point|purpose|logic|cause|sense|makes?)|למה|"
        r"מדוע|סיב|אי[ךכ]|סבי?ר|בגלל|מאחור|היגיו|צדיק|מבינ|מבין|מה |בשביל|לשם|פשר|הגיוני|ברור|מאיפה"
    ),
    "large_group": re.compile(
        r"\b(?:group|bus|buses|coach|delegation|part|wedding|confer|retreat|team|class|school|employ|whole|all|staff|soldier|"
        r"pupil|student|people|guests|rooms|forty|fifty|sixty|seventy|eighty|ninety|hundred|company|organi|event|tour)|קבוצ|"
        r"אוטובוס|משלחת|חתונה|כנס|כית|ריטריט|עובד|כל |ארבעים|חמישים|שישים|שבעים|שמונים|תשעים|מאה|טיול|איש|אורחים|חדרים|חברה|"
        r"אירוע|צוות"
    ),
}
"""Stems in both languages: whoever asks for the deed, in whatever words, says one of them, or one of its own; a deed that
stands not here may be asked for in any."""
_PLAIN = re.compile(
    r"^\W*(?:(?:hi|hello|hey|and|so|ok(?:ay)?|please|sorry|excuse me|tell me|also)\W+){0,3}"
    r"(?:(?:is|are|was|were) there(?! (?:any|a) (?:way|chance)| some| any(?:one|body))|do(?:es)? (?:you|the \w+|it|they) have|have you got|what(?! about)(?:'s)?|where(?:'s)?|when(?:'s)?|which|"
    r"how (?:much|many|far|long|late|early|big|often|old|do|does|is|are|can))\b|"
    r"^\W*(?:(?:היי|שלום|אז|סליחה)\W+){0,2}ו?(?:האם )?"
    r"(?:יש(?! (?:אפשרות|סיכוי|דרך|מצב|מישהו))|איפה|היכן|מתי|כמה|איזה|איזו|אילו|באיזה|באיזו|איך|מה)(?![א-ת])"
)
"""The beginning of a question for a fact."""
LARGE = 20
"""No more guests or rooms are a large group."""


def asks_for(deed: str, sentence: str) -> bool:
    """Whether a sentence has a word for it, or a figure."""
    if deed == "large_group" and max(figures_in(sentence), default=0) > LARGE:
        return True
    words = DEEDS.get(deed, Deed()).words
    return bool(words and re.search(words, sentence.lower()))


def may_ask_for(deed: str, sentence: str) -> bool:
    """Whether a sentence, in the guest's own letters, may ask for it."""
    text, known = sentence.lower(), DEEDS.get(deed, Deed())
    if deed == "large_group" and (figures := figures_in(text)):
        return max(figures) > LARGE
    if asks_for(deed, text):
        return True
    if known.by_words or (deed in _NEAR and not _NEAR[deed].search(text)):
        return False
    means_another = bool(known.others and re.search(known.others, text))
    return not means_another and not (known.is_open and _PLAIN.search(text))
