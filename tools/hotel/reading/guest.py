"""Reads who books: a name, an e-mail address, a telephone number; and the number of a booking. English and Hebrew.

A name is read only where the sentence offers one: after `name is`, `for`, `I'm`, `על שם`; next to an address or a number
to be reached at, also a broken one; at the end of a message that books; and as the whole message, if it was asked for just
before. A surname may be a word that means something else, behind a given name that does not: `Noa Bar`, `May Spa`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from wavegraph.graph.dialogue.consent import is_courtesy
from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.intent import read_intents
from wavegraph.tools.hotel.reading.normalise import EN_NUMBERS, HE_NUMBERS, fold, overwritten
from wavegraph.tools.hotel.reading.rooms import speaks_of_rooms
from wavegraph.tools.hotel.reading.topics import read_topics
from wavegraph.tools.hotel.reading.verdict import read_verdict

Span = tuple[int, int]
MOST_WORDS = 5
"""Most words in a name."""
MOST_READ = 3 * MOST_WORDS
"""Words after a cue that are looked at: a title, a name, and enough to see where it ends."""
MOST_HEBREW = 3
"""Most words in a Hebrew name, which no capital marks; of a longer row the first two are used."""


@dataclass(frozen=True)
class GuestWords:
    """What a message says about its guest, word for word."""

    name: str | None = None
    email: str | None = None
    phone: str | None = None
    spans: tuple[Span, ...] = ()
    """Where the text says so: these are not dates, prices or numbers of guests."""
    unreadable: bool = False
    """Whether a name is announced, but what follows is not one: `name: 12345`."""
    changes: bool = False
    """Whether it asks to change who books: `change the name to …`, also without what to."""
    named: bool = False
    """Whether a word for a name announces it: `the name is …`, not `for …`."""
    broken: bool = False
    """Whether an address or a number is given that reaches nobody: `dana@example`, `phone 12345`."""

    @property
    def given(self) -> bool:
        return bool(self.name or self.email or self.phone)


_EMAIL = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9._%+'-]{0,63}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_PHONE = re.compile(
    r"(?<![\w./+-])(?:(?:\+|00)\d{1,3}[\s.-]?(?:\(\d{1,4}\)[\s.-]?)?\d(?:[\s.-]?\d){5,11}|"
    r"\(?0\d{1,4}\)?[\s.-]?\d{3}[\s.-]?\d{3,4})(?![\w/-])"
)
_PHONE_WORD = (
    r"\b(?:phone|tel(?:ephone)?|mobile|cell(?:phone)?|whatsapp)\b\.?|(?<![א-ת])ה?(?:טלפון|טל'|נייד|פלאפון|סלולרי)"
)
_LABELLED_PHONE = re.compile(
    rf"(?:{_PHONE_WORD}|\bcall me (?:at|on)\b\.?)"
    r"(?:\s+(?:number|no\.?|is|שלי|הוא|מספר)){0,4}\s*+(?:[:#-]\s*+)?(\+?\d(?:[\s.-]?\d){6,13})(?![\w/-])",
    re.IGNORECASE,
)
_BROKEN = re.compile(
    rf"(?<!\S)[^\s@]+@\S*|(?<![\w./+-])0\d\d-?\d{{1,6}}(?![\w/-])|(?:{_PHONE_WORD})"
    r"(?: (?:number|no\.?|is|שלי|הוא|מספר)){0,2}\s?[:#]?\s?(?=\+?\d)([\d -]*\d)(?![\w/-])",
    re.IGNORECASE,
)
"""What was meant to reach a guest by, where it is neither an address nor a number."""

_REFERENCE = re.compile(r"(?<![\w-])WG[\s-]?(?=[A-Z0-9-]*\d)[A-Z0-9]{4,12}(?![\w-])", re.IGNORECASE)
_REFERENCE_PLAIN = re.compile(r"(?<![\w-])WG-[A-Z]{8}(?![\w-])", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:\b(?:booking|reservation|reference|confirmation|ref\.?)|(?<![א-ת])[וה]{0,2}הזמנה|(?<![א-ת])אישור|#)"
    r"(?:\s+(?:number|no\.?|code|id|is|מספר|מס'|הוא|היא)|\s*[:#]){0,6}\s*"
    r"(?P<number>(?=[A-Za-z-]{0,6}\d)[A-Za-z0-9][A-Za-z0-9-]{2,15})(?![\w-])|"
    r"(?:\b(?:number|nr\.?|code)|(?<![א-ת])[וה]?מספר)(?:\s+(?:is|הוא))?\s*+(?:[:#]\s*+)?(?P<other>(?=[A-Za-z-]{0,6}\d)[A-Za-z0-9][A-Za-z0-9-]{3,15})(?![\w-])",
    re.IGNORECASE,
)

_LATIN = r"[^\W\d_א-ת][^\W\d_א-ת]*(?:['’.-][^\W\d_א-ת]+)*\.?"
_HEBREW = r"[א-ת]+(?:[\"'׳״-][א-ת]+)*[׳']?"
_WORD = re.compile(rf"{_LATIN}|{_HEBREW}")
_FIRST_WORD = re.compile(rf"\s{{0,40}}({_LATIN}|{_HEBREW})")
_NEXT_WORD = re.compile(rf"[ \t]{{1,40}}({_LATIN}|{_HEBREW})")
_PARTICLES = frozenset(
    words_of(
        "van von der den de da di du del della la le el al bin ibn ben bar bat abu ter st. בן בר בת אבו אל דה לה ואן פון"
    )
)
_FRONT = _PARTICLES | set(words_of("even har beit beth gan or tal אבן הר בית גן אור טל"))
_JOINED = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _FRONT))})[-־](?=[^\W\d_])", re.IGNORECASE)
"""`Bar-On`, `אבן-טוב`: one name, whatever its halves mean."""
_TITLES = frozenset(words_of("mr mrs ms miss dr prof mr. mrs. ms. dr. prof. מר גב' גברת ד\"ר פרופ'"))
_STOP = frozenset(
    words_of(
        "a an the and or but to of for from in on at with without by as is are am was be been it its it's this that these those confirmation reference ref conf id nr no code i i'm i'll "
        "i'd i've me my mine we us our you your he she they them his her their who what which when where how why if then so not no yes yeah yep "
        "ok okay sure please pls thanks thank hi hello hey dear great perfect fine good done right sorry well just only also too here there now "
        "book booked booking bookings reserve reserved reservation reservations room rooms double single twin triple suite deluxe sea view family "
        "standard accessible bed beds breakfast board half full all inclusive cheapest cheaper cheap first second last one two another other same "
        "night nights day days week weeks weekend month tonight today tomorrow adult adults child children kid kids baby babies people guests guest "
        "couple person persons name names surname email e-mail mail phone tel telephone mobile cell number contact details call reach whatsapp under "
        "want would like need take have has will shall can could might do does don't let's make go ahead confirm cancel change see show find "
        "arriving coming staying leaving arrive nis ils shekels price total per check free parking wifi idea later maybe nothing something anything none nobody wait hold more less "
        "about up down until till between before after any some each every both mr mrs ms still already again instead flexible rate refundable "
        "january february march july september october november december jan feb mar apr jun jul aug sep sept oct nov dec "
        "sunday monday tuesday wednesday thursday friday saturday hanukkah chanukah passover pesach sukkot shavuot purim rosh hashanah kippur "
        "actually really unfortunately sadly however anyway oh um uh hmm oops regards cheers best kind sincerely hopefully kindly quickly "
        "christmas easter thanksgiving shabbat eve holiday holidays new year years year's sir madam hotel reception desk thing things "
        "את של על עם בלי או אם כי גם רק לא כן אני אנחנו אתם הוא היא זה זאת הזה לי לנו לכם שלי שלנו יש אין כמה מה מי איך מתי איפה למה נא בבקשה תודה "
        "שלום היי בסדר טוב מעולה סבבה אוקיי חדר חדרים החדר זוגי סוויטה הסוויטה משפחתי נוף לים דלוקס נגיש לילה לילות לילותיים יום ימים שבוע סופ\"ש סוף "
        "מבוגר מבוגרים מבוגרת ילד ילדים ילדה תינוק תינוקת אנשים אורחים אורח זוג לזוג שם השם שמי מייל המייל אימייל דוא\"ל טלפון הטלפון נייד פלאפון "
        "מספר המספר להזמין תזמין תזמיני תזמינו הזמנה ההזמנה לבטל בטל תבטל תבטלי תבטלו רוצה רוצים רוצות מבקש מבקשת צריך צריכה אפשר ניתן עבור בשביל "
        "משפחה פרטים היום מחר עכשיו אחר אחרת אחד אחת שני שתי הזול הזולה ביותר הכי ארוחת בוקר ארוחה כולל פנסיון מלא חצי ביטול חינם מחיר "
        "ינואר פברואר מרץ מרס אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר חנוכה פסח סוכות שבועות פורים שבת ראשון רביעי חמישי שישי שלישי "
        "parents mother father mum mom dad grandma grandpa sister brother friend friends ההורים הורים הוריי הורי הסבים סבא סבתא אמא אבא אחותי חמותי חמי "
        "בעצם לצערי לצערנו טוב אופס אה ובכן "
        "ליום לתאריך בתאריך בתאריכים מתאריך לשם בשם מאשר מאשרת אולי כלום עוד"
    )
) | set(EN_NUMBERS) | set(HE_NUMBERS)  # fmt: skip
"""Words that are not part of a name."""
_CALENDAR = frozenset(
    words_of(
        "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec "
        "sunday monday tuesday wednesday thursday friday saturday hanukkah chanukah passover pesach sukkot shavuot purim christmas noel easter eve "
        "holiday holidays shabbat spring summer autumn winter ינואר פברואר מרץ מרס אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר "
        "חנוכה פסח סוכות שבועות פורים שבת ראשון שני שלישי רביעי חמישי שישי אביב קיץ סתיו חורף"
    )
)
"""Words of the calendar that are names of people too: in a name beside a word that is only that."""
_DATED = frozenset(
    words_of(
        "next this coming following last early mid late end beginning morning noon evening afternoon weekend works suits fits better "
        "הבא הבאה הקרוב הקרובה בבוקר בערב בצהריים תחילת סוף אמצע עדיף מתאים במקום"
    )
)
"""Words that make a date of one of the calendar."""
_HE_PREFIX = re.compile(r"^(?:[ולבהמש]|ו[לבהמש])")

_NAME_CUE = re.compile(
    r"\b(?:name|surname)(?:'s)?(?:\s+(?:is|of|will be|should be))?\s*[:=-]?\s+|\bguest\s*[:=]\s*|"
    r"(?<![א-ת])(?:ו?שמי|קוראים לי|ו?ה?שם(?: (?:ה?מלא|שלי|של ה?אורחת?|ה?משפחה))?(?: (?:הוא|יהיה))?\s*[:-]?|"
    r"על (?:ה)?שם(?: של)?|בשם(?: של)?)\s+",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:\b(?:sur)?name(?:\s+is\b\s*[:=]?|\s*[:=])|(?<![א-ת])(?:ו?שמי\s*[:=]?|ו?ה?שם(?: שלי)?\s*[:=]))"
    r"\s*(?=\d|[^\w\s·.,;!?\"'(])",
    re.IGNORECASE,
)
"""A name is announced, and a figure or a picture follows."""
_OF_GUEST = r"(?:\b(?:(?:sur)?names?|spelling|e-?mails?|phone|mobile)\b|(?<![א-ת])[בולה]{0,2}(?:שם|מייל|אימייל|דוא\"ל|טלפון|נייד)(?![א-ת]))"
_CHANGES_GUEST = re.compile(
    r"(?:(?<!no )(?<!without )\b(?:chang(?:e|ing)|correct(?= (?:the|my|our|his|her|that)\b)|fix|update|replace|amend|edit|switch|swap|wrong|misspel(?:t|led)|typo|mistake)\b|"
    r"(?<![א-ת])[ולה]{0,2}(?:לשנות|[תנ]שנ[היו]|שנ[היו] את|לתקן|ת?תקנ[יו]|תתקן|לעדכן|ת?עדכנ[יו]|תעדכן|להחליף|תחליפ[יו]|תחליף|החליפו|טעות|טעיתי)(?![א-ת]))"
    rf"[^.?!\n]{{0,30}}?{_OF_GUEST}|"
    rf"{_OF_GUEST}[^.?!\n]{{0,20}}?(?:\b(?:wrong|misspel(?:t|led)|typo|mistake|(?:should|must|has to|needs to) be|(?:isn't|is not|not) (?:right|correct))\b|"
    r"(?<![א-ת])(?:שגויה?|לא נכו[ןנ]ה?|צריכ?ך? להיות|טעות)(?![א-ת]))",
    re.IGNORECASE,
)
"""`Can you change the name to …`, `the e-mail is wrong`, `טעות בשם`: who books is to be somebody else, or spelt otherwise."""
_CHANGE_CUE = re.compile(
    r"\bnames?\b(?: (?:on|of|for|in) (?:it|that|the (?:booking|reservation|room)|my (?:booking|reservation)))?,? (?:please )?(?:(?:from|of) [^.?!\n]{1,40}? )?(?:to|into|with)\s*:?\s+|"
    r"\bnames?\b[^.?!\n]{0,20}\b(?:should|must|has to|needs to) be\s+|(?<![א-ת])ה?שם(?: [הב]הזמנה| בהזמנה| שלי| המלא)?,? ?(?:צריך להיות|ל-?)\s*",
    re.IGNORECASE,
)
"""Before the new name, in words that change one."""
_AM_CUE = re.compile(r"\b(?:[Ii]'?[Mm]|[Ii] [Aa][Mm]|[Tt]his [Ii]s|[Uu]nder)\s+(?=[A-ZÀ-Þ])")
"""Much else may follow these: a name after them has two words and nothing behind it."""
_FOR_CUE = re.compile(r"\bfor\s+|(?<![א-ת])(?:עבור|בשביל)\s+", re.IGNORECASE)
_OF_CUE = re.compile(r"\b(?:of|by|under)\s+|(?<![א-ת])של\s+", re.IGNORECASE)
_CLOSES = r"[,;\n|/:()!?·]|\.(?:\s|$)|\s[-–]\s"
_END = re.compile(rf"\s{{0,40}}(?:$|{_CLOSES})")
_LABELS = (
    r"and|my|the|is|e-?mail|mail|address|phone|tel(?:ephone)?|mobile|cell|number|contact|at|on|i'?m|i am|it'?s|this|name|"
    r"sure|ok(?:ay)?|yes|please|"
    r"ו?ה?(?:מייל|אימייל|דוא\"ל|טלפון|נייד|פלאפון|מספר)|שלי|הוא|אני|כן|בטח|זה|בבקשה"
)
_LABEL = re.compile(rf"^(?:[\W_]|(?<![\w-])(?:{_LABELS})(?![\w-]))+", re.IGNORECASE)
_LABEL_END = re.compile(rf"(?<![\W_])(?:[\W_]|(?<![\w-])(?:{_LABELS})(?![\w-]))++$", re.IGNORECASE)


def read_guest(text: str, *, asked: bool = False) -> GuestWords:
    """Name, e-mail and telephone in a cleaned text, as they stand there. `asked`: the name was asked for just before."""
    email, phone = _email(text), _phone(text)
    broken = [] if email or phone else [found.span(found.lastindex or 0) for found in _BROKEN.finditer(text)]
    contacts = [span for span in (email, phone, *broken) if span]
    masked = _masked(text, contacts)
    changes = _CHANGES_GUEST.search(masked) is not None
    cues = (_CHANGE_CUE, _NAME_CUE) if changes else (_NAME_CUE,)
    named = next(filter(None, (_behind(cue, masked, small=True, dated=True) for cue in cues)), None)
    name = named or _introduced(masked)
    name = name or (_beside(masked) if contacts and not changes else None)
    name = name or (_line_of_a_name(masked) if asked else None) or _signed(masked)
    given = {"name": _without_stop(text, name) if name else None, "email": email, "phone": phone}
    words = {part: text[slice(*span)] for part, span in given.items() if span}
    unreadable = name is None and _NO_NAME.search(masked) is not None
    spans = (*(span for span in given.values() if span), *broken)
    return GuestWords(
        **words, spans=spans, unreadable=unreadable, changes=changes, named=named is not None, broken=bool(broken)
    )


def _without_stop(text: str, name: Span) -> Span:
    """A name without the stop of its sentence; `Jr.` and a letter keep theirs."""
    start, end = name
    last = text[start:end].split()[-1]
    is_stop = last.endswith(".") and len(last) > len("J.") and last.rstrip(".").lower() not in _ABBREVIATED
    return start, end - is_stop


def read_reference(text: str) -> str | None:
    """The number of a booking, as typed, even if it does not look like ours."""
    if own := _REFERENCE.search(text) or _REFERENCE_PLAIN.search(text):
        return own.group()
    found = _NUMBERED.search(_masked(text, [span for span in (_email(text), _phone(text)) if span]))
    return (found["number"] or found["other"]) if found else None


def read_bare_name(text: str) -> str | None:
    """The name that is the whole message, apart from politeness and contact details."""
    plain = _masked(text, [span for span in (_email(text), _phone(text)) if span])
    if "?" in plain or re.search(r"\d", plain):
        return None
    return next(iter(_standing_alone(plain)), None) if len(list(_pieces(plain))) <= 2 else None


def read_identity(text: str, reference: str | None) -> str | None:
    """Surname or e-mail that goes with a booking's number."""
    given = read_guest(text)
    if given.email:
        return given.email
    plain = text.replace(reference, " | ") if reference else text
    spans = (_behind(cue, plain, small=True) for cue in (_OF_CUE, _FOR_CUE))
    named = given.name or next((plain[slice(*span)] for span in spans if span), None)
    alone = sorted(_standing_alone(plain), key=str.islower)
    named = named or next(iter(alone), None)
    return surname(named) if named else None


_ABBREVIATED = frozenset(words_of("jr sr st"))


def read_bare_reference(text: str) -> str | None:
    """A number beside nothing but a name, where a booking's number was asked for: `90331 Cohen`."""
    numbers = re.findall(r"(?<![\w.+-])(?=[A-Za-z-]{0,6}\d{3})[A-Za-z0-9-]{4,16}(?![\w-])", text)
    words = len(text.split()) - 1
    return numbers[0] if len(numbers) == 1 and words <= MOST_WORDS and _phone(text) is None else None


def surname(name: str) -> str:
    """The family name in a full name: the last word, with its particles."""
    words = name.split()
    start = len(words) - 1
    while start > 0 and words[start - 1].lower() in _PARTICLES and (start > 1 or words[0].islower()):
        start -= 1
    family = " ".join(words[start:])
    return family if family.rstrip(".").lower() in _ABBREVIATED else family.rstrip(".")


def _email(text: str) -> Span | None:
    found = _EMAIL.search(text)
    return found.span() if found else None


def _phone(text: str) -> Span | None:
    masked = _EMAIL.sub(lambda found: "·" * len(found.group()), text)
    if labelled := _LABELLED_PHONE.search(masked):
        return labelled.span(1)
    found = next((m for m in _PHONE.finditer(masked) if 8 <= sum(map(str.isdigit, m.group())) <= 15), None)
    return found.span() if found else None


def _masked(text: str, spans: Sequence[Span]) -> str:
    """The text with dots in place of addresses and numbers."""
    return overwritten(text, spans, "·")


def _behind(cue: re.Pattern[str], text: str, **read: Any) -> Span | None:
    """The first name after such words; `read`: as by `_name_at`."""
    return next((span for found in cue.finditer(text) if (span := _name_at(text, found.end(), **read))), None)


def _introduced(text: str) -> Span | None:
    """The name after other words that announce one."""
    beside = "·" in text
    weak = _behind(_AM_CUE, text, least=2, closed=True, dated=beside)
    return weak or _behind(_FOR_CUE, text, least=2, small=beside, dated=beside)


def _line_of_a_name(text: str) -> Span | None:
    """A line that is a name like `Noa Bar-On` or `Sunday Okafor`, or `April May` beside an address."""
    pieces = [piece for piece in _pieces(text) if piece[0] != piece[1]][:2] if "?" not in text else []
    beside = "·" in text
    return next((piece for piece in pieces if _is_odd_name(text[slice(*piece)], beside=beside)), None)


def _signed(text: str) -> Span | None:
    """The name that is the last piece of a message that books: `Book a double …, Dana Levi`."""
    pieces = [piece for piece in _pieces(text) if not is_courtesy(text[slice(*piece)])][1:]
    last = text[slice(*pieces[-1])] if pieces and not text.isupper() else ""
    is_name = _is_cased(last.split()) and _is_name(last, least=2)
    return pieces[-1] if is_name and "book" in read_intents(fold(text)) else None


def _is_odd_name(text: str, *, beside: bool) -> bool:
    """Whether it is a name whose words would mean something else."""
    is_other = bool(_JOINED.search(text)) or _is_known(text)
    return _is_calendar_name(text, alone=beside) or (is_other and _is_name(text, least=1))


def _is_calendar_name(text: str, *, alone: bool = False) -> bool:
    """Whether a word of the calendar is part of a name. `alone`: words of the calendar are enough, in any case."""
    words = text.split()
    theirs = [word for word in words if not _is_calendar(word)]
    if not 2 <= len(words) <= MOST_WORDS or len(theirs) == len(words) or (not theirs and not alone):
        return False
    return (
        (alone or _is_cased(words))
        and all(_WORD.fullmatch(word) for word in words)
        and all(may_be_name(word) and fold(word) not in _DATED for word in theirs)
    )


def _is_calendar(word: str) -> bool:
    return fold(word).rstrip(".") in _CALENDAR


def _name_at(
    text: str, start: int, *, least: int = 1, small: bool = False, closed: bool = False, dated: bool = False
) -> Span | None:
    """The name at `start`. `small`: also in lower case, if nothing follows; `closed`: only if nothing follows; `dated`: it may
    begin with a word of the calendar."""
    row = list(islice(_words_from(text, start), MOST_READ))
    if row and row[0].group().lower() in _TITLES:
        row = row[1:]
    eve = int(dated and len(row) > 1 and _is_calendar_name(f"{row[0].group()} {row[1].group()}", alone=small))
    eve += eve and small and _is_calendar(row[1].group())
    row = row[: eve + _of_a_name([word.group() for word in row[eve:]])]
    words = _cased(row) or (row if small and len(row) <= 3 else [])
    if len(words) < least:
        return None
    ends = _END.match(text, words[-1].end()) is not None or words[-1].group().endswith(".")
    capitalised = words[0].group()[:1] != words[0].group()[:1].lower() or _is_hebrew(words[0].group())
    if not ends and (closed or not capitalised):
        return None
    name = text[words[0].start() : words[-1].end()]
    return (words[0].start(), words[-1].end()) if not _means_something(name) else None


def _of_a_name(words: Sequence[str]) -> int:
    """How many of the words are a name; `and` is in it between two with capitals: `Yosef and Miriam Adler`."""
    return len([*takewhile(lambda n: may_be_name(words[n]) or _joins(words[n - 1 : n + 2]), range(len(words)))])


def _joins(words: Sequence[str]) -> bool:
    beside = [words[0], words[2]] if len(words) == 3 and words[1] == "and" else []
    return bool(beside) and all(each[0].isupper() and may_be_name(each) for each in beside)


def _words_from(text: str, start: int) -> Iterator[re.Match[str]]:
    found = _FIRST_WORD.match(text, start)
    while found:
        word = _WORD.match(text, found.start(1))
        assert word is not None
        yield word
        found = _NEXT_WORD.match(text, word.end())


def _cased(row: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The words written as a name: Hebrew, or capitalised with lower-case particles between them."""
    if row and _is_hebrew(row[0].group()):
        words = list(takewhile(lambda word: _is_hebrew(word.group()), row))
        return words if len(words) <= MOST_HEBREW else words[:2]
    words = list(
        takewhile(lambda word: word.group()[:1].isupper() or word.group().lower() in {*_PARTICLES, "and"}, row)
    )
    while words and not words[-1].group()[:1].isupper():
        words.pop()
    return words[:MOST_WORDS] if words and words[0].group()[:1].isupper() else []


def may_be_name(word: str) -> bool:
    """Whether a word may be part of a name; Hebrew words are also tried without their prefix."""
    plain = fold(word).rstrip(".")
    if plain in _PARTICLES or plain not in _STOP:
        bare = _HE_PREFIX.sub("", plain) if len(plain) > 3 else plain
        return plain in _PARTICLES or bare == plain or bare not in _STOP
    return False


def _is_hebrew(text: str) -> bool:
    return any("א" <= char <= "ת" for char in text)


def _beside(text: str) -> Span | None:
    """The name next to an address or a telephone number, which are masked by dots."""
    pieces = [piece for piece in _pieces(text) if piece[0] != piece[1]]
    reach = [found.start() for found in re.finditer(r"·+", text)]
    near = sorted(pieces, key=lambda piece: (min(_distance(end, reach) for end in piece), piece))
    return next((span for piece in near[:2] if (span := _name_in(text, piece))), None)


def _distance(place: int, reach: Sequence[int]) -> int:
    """To the nearest of the places in order."""
    after = bisect_left(reach, place)
    return min(abs(place - near) for near in reach[max(after - 1, 0) : after + 1])


def _pieces(text: str) -> Iterator[Span]:
    """The text between commas, dots and the like, without labels such as `my e-mail is`."""
    start = 0
    for found in [*re.finditer(_CLOSES, text), None]:
        end = found.start() if found else len(text)
        piece = _LABEL_END.sub("", text[start:end])
        inner = _LABEL.sub("", piece)
        if inner:
            yield start + len(piece) - len(inner), start + len(piece)
        start = found.end() if found else end


def _name_in(text: str, piece: Span) -> Span | None:
    """The whole piece where it is a name, else the capitalised words at its end: `please book it Dana Levi`."""
    start, end = piece
    if _is_name(text[start:end], least=2) or _is_calendar_name(text[start:end]):
        return piece
    words = [m for m in re.finditer(r"\S+", text[start:end]) if _WORD.fullmatch(m.group())]
    last = list(takewhile(lambda word: _is_cased([word.group()]) and may_be_name(word.group()), reversed(words)))
    most = MOST_HEBREW if _is_hebrew(text[start:end]) else MOST_WORDS
    if (
        not 2 <= len(last) <= most
        or last[0].end() != end - start
        or _means_something(text[start + last[-1].start() : end])
    ):
        return None
    return start + last[-1].start(), end


def _standing_alone(text: str) -> Iterator[str]:
    """Pieces of the text that are names and nothing else, also of a single word."""
    for start, end in _pieces(text):
        if _is_name(text[start:end], least=1):
            yield text[start:end]


def _is_name(text: str, *, least: int) -> bool:
    """Whether the text consists of name words only, and means nothing else to the hotel."""
    words = text.split()
    if words and words[0].lower() in _TITLES:
        words = words[1:]
    if not least <= len(words) <= MOST_WORDS:
        return False
    whole = all(map(_WORD.fullmatch, words)) and _of_a_name(words) == len(words)
    return whole and not _means_something(text)


def _means_something(text: str) -> bool:
    """Whether a name means something to the hotel, such as a room; not where only its surname does."""
    first, *rest = [word for word in text.split() if word.lower() not in _TITLES] or [""]
    only_its_surname = rest and _is_cased([first, *rest]) and not _is_known(first)
    return speaks_of_rooms(fold(text)) or (_is_known(text) and not only_its_surname)


def _is_cased(words: Sequence[str]) -> bool:
    """Whether they are written as a name is: with capitals, or in Hebrew."""
    return all(word[:1].isupper() or _is_hebrew(word) or word.lower() in _PARTICLES for word in words)


def _is_known(text: str) -> bool:
    folded = _JOINED.sub(lambda found: found.group()[:-1], fold(text))
    return bool(read_intents(folded) - {"wish", "lodging"} or read_verdict(folded) or read_topics(folded))
