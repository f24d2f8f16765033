"""Reads what a message that is an answer says: a yes, thanks, a no that is meant, time to think, or neither for certain.

A plain yes or no is the engine's to read. This adds what people say around one: a no with its reason is a no, and a
sentence that only begins like one ("no problem", "no doubt, book it") is not.
"""

import re
from collections.abc import Iterable
from typing import Literal

from wavegraph.graph.dialogue.consent import LONGEST, NO, consent, is_courtesy

Verdict = Literal["accept", "thanks", "decline", "hesitates", "unsure"]

_NO = (
    *NO,
    *("noo", "forget about it", "forget that"),
    *("stop it", "i decline"),
    *("no way", "no chance", "absolutely not", "certainly not", "i'd rather not", "i would rather not", "i'd prefer not", "better not", "rather not", "definitely not", "of course not", "surely not"),
    *("ממש לא", "בטח שלא", "ברור שלא", "ודאי שלא", "בשום אופן לא", "בשום אופן", "עדיף שלא", "מעדיף שלא", "מעדיפה שלא", "מעדיפים שלא"),
)  # fmt: skip
_HESITATES = (
    *("hm", "hmm", "hmmm", "hmmmm", "um", "umm", "uh", "er", "erm", "well", "let's see", "we'll see", "let me see", "let us see"),
    *("maybe", "perhaps", "possibly", "probably", "i guess", "i suppose", "i think so", "not sure", "i'm not sure", "not sure yet", "unsure"),
    *("wait", "wait a moment", "wait a minute", "wait a second", "wait a sec", "hold on", "hang on", "one moment", "1 moment", "one minute"),
    *("one second", "one sec", "just a moment", "just a minute", "just a second", "just a sec", "a moment", "a minute", "a second", "moment"),
    *("give me a moment", "give me a minute", "give me a second", "give me some time", "give us a moment", "give us some time"),
    *("later", "later on", "in a minute", "in a moment", "in a second", "in a sec", "in a bit", "in a while", "ask me later", "ask again later"),
    *("not yet", "not just yet", "not right now", "not today", "not tonight", "not this week", "not this minute"),
    *("let me think", "let me think about it", "let me check", "let us think", "i need to think", "i have to think", "need to think"),
    *("i don't know", "i don't know yet", "i do not know", "don't know", "dunno", "idk", "no idea", "i have no idea", "hard to say"),
    *("no rush", "no hurry", "there's no rush", "there is no rush", "there's no hurry", "i can't decide", "undecided", "maybe later"),
    *("אולי", "אולי אחר כך", "רגע", "רגע אחד", "רק רגע", "עוד רגע", "חכה", "חכי", "חכו", "חכה רגע", "חכי רגע", "חכו רגע"),
    *("שנייה", "שניה", "דקה", "עוד דקה", "עוד מעט", "תכף", "תיכף", "אחר כך", "מאוחר יותר", "אחכ", "עוד לא", "עדיין לא", "לא היום", "לא כרגע"),
    *("נראה", "נראה לי", "נחיה ונראה", "לא יודע", "לא יודעת", "לא יודעים", "אני לא יודע", "אני לא יודעת", "לא בטוח", "לא בטוחה", "לא בטוחים"),
    *("אני לא בטוח", "אני לא בטוחה", "אין לי מושג", "אין מושג", "עדיין", "אין לחץ", "לא דחוף", "תן לי רגע", "תני לי רגע", "תנו לי רגע"),
    *("תן לי לחשוב", "תני לי לחשוב", "תנו לי לחשוב", "אני צריך לחשוב", "אני צריכה לחשוב", "צריך לחשוב", "צריכה לחשוב", "אהמ", "אממ", "המממ", "הממ"),
)  # fmt: skip
_BESIDE = (
    *("yes", "yeah", "yep", "ok", "okay", "sure", "fine", "good", "please", "thanks", "thank you", "sorry", "oh", "so", "but", "and", "or"),
    *("actually", "i'm afraid", "i am afraid", "unfortunately", "really", "then", "for now", "at the moment", "yet", "i", "we", "still", "just"),
    *("כן", "בסדר", "אוקיי", "אוקי", "טוב", "בבקשה", "תודה", "סליחה", "אז", "אבל", "או", "בעצם", "לצערי", "לצערנו", "כרגע", "אני", "אנחנו", "עוד", "לי", "זה"),
)  # fmt: skip
"""What may stand beside a no or a doubt and changes nothing of it."""

_DEED = r"(?:go ahead|proceed|continue|book|reserve|confirm|make|take|do|accept|agree)"
_NOT_DONE = re.compile(
    rf"\b(?:don't|do not|never|(?:won't|will not|don't want (?:you )?to|do not want (?:you )?to|don't wish to)) {_DEED}(?: (?:it|that|this|with it|"
    r"the (?:booking|room|reservation)|anything))*(?= |$)|"
    r"(?<![א-ת])(?:אל ת(?:זמין|זמינ[יו]|סגור|סגר[יו]|אשר[יו]?|משיך|משיכ[יו])|לא (?:להזמין|לסגור|לאשר|להמשיך))(?: (?:את זה|אותו|אותה|לי|לנו|כלום))*(?![א-ת])"
)
"""`Do not go ahead`, `אל תזמין`."""
_OBJECT = (
    r"(?: (?:it|this|that|one|them|any|anything|to|the room|a room|the booking|anymore|any more|any longer)\b| ?$)"
)
_COSTS = (
    r"\b(?:too|so|very|quite|a bit|rather) (?:expensive|dear|much|pricey|costly|high|steep)\b|\b(?:can't|cannot|couldn't) afford\b|"
    r"\b(?:over|above|beyond|out of|outside) (?:my|our|the) (?:budget|range|means)\b|"
    r"(?<![א-ת])(?:יקר(?: (?:מדי|מידי|לי|לנו|מאוד))?|מעל התקציב|לא בתקציב)(?![א-ת])"
)
_TAKES_BACK = (
    r"\bchang(?:ed|ing) (?:my|our) minds?\b|\bsecond thoughts?\b|\breconsider(?:ed|ing)\b|\bdecided (?:not|against|otherwise|to (?:stay home|go elsewhere|cancel))\b|"
    r"\b(?:plans|things) (?:have |are |were |got )?(?:changed?|off|cancelled|canceled|fell through)\b|\bsomething (?:has )?c[ao]me up\b|"
    r"\b(?:(?:won't|will not|can't|cannot|not|no longer)(?: be)?(?: able to)?) (?:com(?:e|ing)|travel(?:l?ing)?|make it)\b|"
    rf"\b(?:don't|do not|didn't|no longer) (?:want|need|like){_OBJECT}|\bnot interested\b|\bnot for (?:me|us)\b|\bnot what (?:i|we) (?:want|wanted|need|meant)\b|"
    r"\b(?:doesn't|does not|won't) (?:suit|work|fit)(?: (?:me|us))?\b|\b(?:found|booked|took|chosen?|got) (?:something|somewhere|another|elsewhere|an? (?:better|cheaper|different|nicer))\b|"
    r"\b(?:some other|another|next) time\b|\b(?:i'll|we'll|i will|we will|i|we) (?:pass|leave it|look (?:elsewhere|around|further)|stay (?:home|elsewhere))\b|\blook(?:ing)? elsewhere\b|"
    r"(?<![א-ת])(?:התחרט(?:תי|נו)|שינ(?:יתי|ינו) את? ?ה?דע(?:תי|תנו|ה)|החלט(?:תי|נו) (?:ש?לא|אחרת|לוותר|לבטל)|(?:אני |אנחנו )?מוותר(?:ת|ים)?|ויתר(?:תי|נו)|"
    r"לא (?:מעוניי?נ(?:ת|ים|ות)|מעוניי?ן|מתאי(?:ם|מה|מים)(?: לי| לנו)?|בא לי|בא לנו)|לא (?:רוצה|רוצים|רוצות|צרי(?:ך|כה|כים))(?: (?:את זה|אותו|אותה|יותר|להזמין|את החדר|את ההזמנה)|(?= ?$))|"
    r"מצא(?:תי|נו) (?:משהו|מקום|מלון|במקום|אחר)|פעם אחרת|בפעם הבאה|לא (?:נגיע|אגיע|נבוא|אבוא|נוכל|אוכל)(?: להגיע| לבוא)?|התוכניות השתנו|משהו צץ)(?![א-ת])"
)
_REASON, _WITHDRAWS = re.compile(f"{_COSTS}|{_TAKES_BACK}"), re.compile(_TAKES_BACK)
_AGREES = re.compile(
    r"\b(?:yes|yeah|yep|go ahead|go for it|book|reserve|confirm|proceed|agreed?|instead|but(?! no\b))\b|"
    r"(?<![א-ת])(?:כן|ת?זמינ[יו]?|תזמין|להזמין|תסגור|תסגר[יו]|מאשרת?|קדימה|יאללה|במקום|אבל)(?![א-ת])"
)
"""What leaves it open whether a no is one."""
_SIGNS = re.compile(r"[\s.,!;:…()\"“”„–—-]+")


def _either(*kinds: Iterable[str]) -> str:
    """One of these phrases, the longest that fits."""
    return "|".join(map(re.escape, sorted({phrase for kind in kinds for phrase in kind}, key=len, reverse=True)))


_ROW_OF_DOUBT = re.compile(rf"(?:(?>{_either(_HESITATES, _NO, _BESIDE)})(?: |\Z))++")
_DOUBTS = re.compile(rf"(?<!\S)(?:{_either(_HESITATES)})(?!\S)")
_LEAD = re.compile(rf"(?:(?>{_either(_NO, _BESIDE)})(?: |\Z))++")
_HAS_NO = re.compile(rf"(?<!\S)(?:{_either(_NO)})(?!\S)")
_BEGINS_LIKE_NO = re.compile(r"(?:no+|nope|nah|not|never|don't|do not|לא|אל|אין)(?![\w'א-ת])")


def read_verdict(text: str) -> Verdict | None:
    """What a folded text says to a question that waits; None where it is about something else.

    `accept`: nothing but a yes. `thanks`: a courtesy, which is no yes. `decline`: nothing but a no, with its reason or without one. `hesitates`: nothing but a wish to wait. `unsure`: it
    begins like a no, or is a yes or a no with a question mark, and may mean anything.
    """
    if len(text) > LONGEST:
        return None
    if consent(text) == "yes":
        return "accept"
    plain = _SIGNS.sub(" ", text).strip()
    begins_like_no = _BEGINS_LIKE_NO.match(plain) is not None
    if "?" in text:
        return "unsure" if begins_like_no or consent(text.replace("?", " ")) else None
    if _ROW_OF_DOUBT.fullmatch(plain) and _DOUBTS.search(plain):
        return "hesitates"
    said = _NOT_DONE.sub("no", plain)
    if _is_no(said):
        return "decline"
    if begins_like_no:
        return "unsure"
    return "thanks" if is_courtesy(text) else None


def takes_back(text: str) -> bool:
    """Whether folded words somewhere say that a guest no longer comes, or wants it: `we can't come`."""
    return _WITHDRAWS.search(_SIGNS.sub(" ", text)) is not None


def _is_no(said: str) -> bool:
    lead = _LEAD.match(said)
    has_no = lead is not None and _HAS_NO.search(lead.group()) is not None
    if _AGREES.search(said):
        return False
    if lead and lead.end() == len(said):
        return has_no
    return (_REASON.search(said) if has_no else _WITHDRAWS.search(said)) is not None
