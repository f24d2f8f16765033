"""Words of the date language, English and Hebrew, with what each may mean.

A word can have several senses at once (Hebrew `שני` is two, second and Monday): the grammar chooses by
its neighbours. Keys are the words after `lexer.plain`: lower case, no quotes, no apostrophes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from wavegraph.tools.hotel.dates.holiday_names import words_of


@dataclass(frozen=True, slots=True)
class Sense:
    """What one word can stand for; an empty field means "not that"."""

    key: str = ""
    num: int | None = None
    ordinal: bool = False
    weekday: int | None = None
    """Monday = 0, as `date.weekday`."""
    month: int | None = None
    hebrew_month: int | None = None
    """Nisan = 1, as pyluach counts."""
    unit: str = ""
    """`night`, `day`, `week`, `weekend`, `month` or `year`."""
    weak: bool = False
    """Also an everyday word or an abbreviation: in a sentence it needs a date word next to it."""


MONTHS = """january jan ינואר ינו ינאר|february feb פברואר פבר פברוואר|march mar מרץ מרס מארס|april apr אפריל אפר|may מאי|june jun יוני
|july jul יולי|august aug אוגוסט אוג|september sep sept ספטמבר ספט|october oct אוקטובר אוק|november nov נובמבר נוב
|december dec דצמבר דצמ דצמר""".replace("\n", "").split("|")
WEAK_MONTHS = {"may", "march", "mar", "jan", "ינו", "אוג", "אוק", "נוב", "פבר", "אפר", "ספט"}
HEBREW_MONTHS = {
    1: "nisan nissan ניסן",
    2: "iyar iyyar אייר",
    3: "sivan סיון סיוון",
    4: "tammuz tamuz תמוז",
    5: "av אב",
    6: "elul אלול",
    7: "tishrei tishri תשרי",
    8: "cheshvan heshvan marcheshvan חשון חשוון מרחשוון",
    9: "kislev כסלו כסליו",
    10: "tevet teves טבת",
    11: "shevat shvat שבט",
    12: "adar אדר",
}
WEEKDAYS = (
    "monday mondays mon",
    "tuesday tuesdays tue tues",
    "wednesday wednesdays wed weds wensday wendsday wednsday",
    "thursday thursdays thu thur thurs",
    "friday fridays fri",
    "saturday saturdays sat shabbat shabbos שבת",
    "sunday sundays sun",
)
WEAK_DAYS = {"mon", "tue", "wed", "weds", "thu", "fri", "sat", "sun", "mondays", "fridays", "saturdays", "sundays"}
ENGLISH_NUMBERS = words_of("""zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty""")
ENGLISH_ORDINALS = words_of("""first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""")
HEBREW_NUMBERS = {
    0: "אפס",
    1: "אחד אחת",
    2: "שתי שתיים שניים שנים",
    3: "שלוש שלושה שלושת",
    4: "ארבע ארבעה ארבעת",
    5: "חמש חמישה חמשת חמשה",
    6: "שש שישה ששת ששה",
    7: "שבע שבעה שבעת",
    8: "שמונה שמונת",
    9: "תשע תשעה",
    10: "עשר עשרה עשרת",
    20: "עשרים",
    30: "שלושים",
}
# The masculine ordinals one to six are also the names of the weekdays from Sunday on.
HEBREW_ORDINALS = {
    1: ("ראשון", "ראשונה ראשונים ראשונות"),
    2: ("שני", "שנייה שניה"),
    3: ("שלישי", "שלישית"),
    4: ("רביעי", "רביעית"),
    5: ("חמישי", "חמישית"),
    6: ("שישי ששי", "שישית"),
    7: ("שביעי", "שביעית"),
    8: ("שמיני", "שמינית"),
    9: ("תשיעי", "תשיעית"),
    10: ("עשירי", "עשירית"),
}
UNITS = {
    "night": "night nights nite nites לילה לילות ליל candle candles נר",
    "day": "day days יום ימים",
    "week": "week weeks wk wks שבוע",
    "weekend": "weekend weekends wkend wknd weeknd סופש סופשים סופהש סופשבוע",
    "month": "month months חודש חודשים",
    "year": "year years שנה",
}
DUALS = {
    "לילותיים": "night",
    "יומיים": "day",
    "שבועיים": "week",
    "שבועים": "week",
    "חודשיים": "month",
    "שנתיים": "year",
    "fortnight": "week",
}
KEYS = {
    "to": "to till til untill until through thru עד",
    "from": "from starting commencing החל",
    "between": "between בין",
    "and": "and & + plus also then וגם גם",
    "or": "or או",
    "vs": "vs versus than לעומת מול",
    "for": "for",
    "in": "in during over within במהלך בזמן",
    "on": "on by בתאריך",
    "of": "of של",
    "the": "the",
    "this": "this coming comming upcoming upcomming nearest הקרוב הקרובה קרוב הקרבה הזה הזו זה",
    "next": "next nxt following הבא הבאה הבאים",
    "last": "last final אחרון אחרונה אחרונים אחרונות",
    "previous": "previous past שעבר שעברה קודם קודמת",
    "after": "after אחרי לאחר אחריו אחריה אחריהם",
    "before": "before לפני",
    "ago": "ago",
    "hence": "hence",
    "arrive": "arrive arriving arrives arrival checkin landing land lands כניסה הגעה מגיע מגיעים מגיעה נגיע להגיע",
    "leave": "leave leaving leaves depart departing departs departure checkout יציאה עזיבה לעזוב לצאת לחזור נצא אצא יוצא יוצאת נחזור אחזור אעזוב עוזב עוזבים עוזבת עוזבות יוצאים נעזוב חוזרים חוזר חוזרת טסים טס טסה נטוס",
    "mid": "mid middle אמצע",
    "early": "early beginning start תחילת ראשית",
    "late": "late end סוף",
    "eve": "eve erev ערב",
    "motzei": "motzei motzai motsei מוצאי מוצש",
    "today": "today היום",
    "tonight": "tonight tonite 2nite הלילה הערב",
    "tomorrow": "tomorrow tmrw tmr tomorow tommorow tommorrow tomorrows tomoz tmw 2moro 2morrow 2mrw מחר",
    "overmorrow": "מחרתיים overmorrow",
    "yesterday": "yesterday אתמול שלשום",
    "now": "now עכשיו",
    "couple": "couple",
    "long": "long ארוך",
    "another": "עוד",
    "several": "several few some many כמה",
    "a": "a an",
    "each": "each every",
    "half": "half מחצית",
    "long_past": "recently",
    "season": "spring summer autumn fall winter אביב קיץ סתיו חורף",
}
PHRASE_KEYS: dict[tuple[str, ...], str] = {
    ("check", "in"): "arrive",
    ("checking", "in"): "arrive",
    ("checks", "in"): "arrive",
    ("צק", "אין"): "arrive",
    ("check", "out"): "leave",
    ("checking", "out"): "leave",
    ("checks", "out"): "leave",
    ("צק", "אאוט"): "leave",
    ("day", "after", "tomorrow"): "overmorrow",
    ("and", "out"): "leave",
    ("be", "out"): "leave",
    ("out", "by"): "leave",
    ("out", ":"): "leave",
    **{(go, way): "leave" for go in ("fly", "flying", "drive", "driving") for way in ("out", "back", "home")},
    **{(go, way): "leave" for go in ("head", "heading", "get", "getting") for way in ("back", "home")},
    ("fly", "in"): "arrive",
    ("flying", "in"): "arrive",
    ("go", "home"): "leave",
    ("going", "home"): "leave",
    ("leading", "up", "to"): "before",
    ("leading", "to"): "before",
    ("up", "to"): "to",
    ("up", "until"): "to",
    ("as", "of"): "from",
    ("compared", "to"): "vs",
    ("compared", "with"): "vs",
    ("week", "end"): "weekend_unit",
    **{("summer", name): "season" for name in ("holidays", "holiday", "vacation", "vacations", "break")},
    ("school", "summer", "holidays"): "season",
    ("חופש", "גדול"): "season",
    ("חופש", "הגדול"): "season",
    ("חופשת", "קיץ"): "season",
    ("חופשת", "הקיץ"): "season",
    ("הערב", "של"): "eve",
    ("סוף", "שבוע"): "weekend_unit",
    ("סוף", "השבוע"): "weekend_unit",
    ("סופי", "שבוע"): "weekends_unit",
    ("סופי", "השבוע"): "weekends_unit",
}


def _rows() -> Iterator[tuple[str, Mapping[str, object]]]:
    """Words and what they mean, later rows beside earlier ones."""
    yield from ((names, {"month": month}) for month, names in enumerate(MONTHS, 1))
    yield from ((names, {"hebrew_month": month}) for month, names in HEBREW_MONTHS.items())
    yield from ((names, {"weekday": weekday}) for weekday, names in enumerate(WEEKDAYS))
    yield " ".join(WEAK_MONTHS | WEAK_DAYS), {"weak": True}
    yield from ((name, {"num": value}) for value, name in [*enumerate(ENGLISH_NUMBERS), (30, "thirty")])
    ordinals = [*enumerate(ENGLISH_ORDINALS, 1), (30, "thirtieth")]
    yield from ((name, {"num": value, "ordinal": True}) for value, name in ordinals)
    yield from ((names, {"num": value}) for value, names in HEBREW_NUMBERS.items())
    for value, (masculine, feminine) in HEBREW_ORDINALS.items():
        day = {"weekday": (value + 5) % 7} if value <= 6 else {}
        yield masculine, {"num": value, "ordinal": True, "weak": True, **day}
        yield feminine, {"num": value, "ordinal": True, "weak": True}
    yield from ((names, {"unit": unit}) for unit, names in UNITS.items())
    yield from ((name, {"unit": unit, "num": 2}) for name, unit in DUALS.items())
    yield from ((names, {"key": key}) for key, names in KEYS.items())


def _build() -> dict[str, Sense]:
    senses: dict[str, Sense] = {}
    for names, fields in _rows():
        for name in names.split():
            senses[name] = replace(senses.get(name, Sense()), **fields)  # type: ignore[arg-type]
    return senses


SENSES = _build()

FUZZY = tuple(
    name
    for name, sense in SENSES.items()
    if len(name) >= 5
    and (sense.month or sense.weekday is not None or sense.unit or sense.key in {"tomorrow", "tonight", "yesterday"})
    and not sense.num
)
"""Words that a typo may stand for; short or common ones would match other words."""

NEVER_TYPOS = frozenset(
    words_of("""match marsh merch macho marched marches months month weekly easier eastern eater eaten ramada monthly nightly tonic
    today toddy toddler weeknight days daily nighty hosanna hallowed christian christine augusta mayor purity purist
    holiday holidays passport passer pasture password passed person persons חניה חניון חנוכת הורים פנוים שבועית לילית יומית
    fridge sundae octopus noon north sunny mundane monde pass passing tourist starts nights weeks lights
    sunbed sunrise sunset saturate satin הליכה הלוך הליכון""")
)

QUANTITIES = frozenset(
    words_of("""adult adults kid kids child children childs people person persons pax guest guests room rooms couples baby
    babies infant infants toddler toddlers friends friend bed beds double doubles single singles twin twins suite suites family
    families grown grownups man men woman women lady ladies guys pet pets dog dogs cat cats car cars star stars teen teens teenager
    teenagers boys girls son sons daughter daughters nis ils shekel shekels dollar dollars usd eur euro euros gbp pounds ₪ $ € £ %
    percent am pm oclock hour hours hrs hr minute minutes min mins km sqm meter meters floor floors time times yo old sea keys
    cots cot crib cribs breakfasts meals seats of_us parties senior seniors parents siblings brothers sisters
    מבוגר מבוגרים ילד ילדים ילדה ילדות תינוק תינוקות תינוקת פעוט פעוטות איש אנשים אורח אורחים חדר חדרים זוגות נפש נפשות חבר חברים חברות
    מיטה מיטות שקל שקלים שח אחוז דקות דקה שעה שעות שנים בן בני בנות סוויטה סוויטות כלב כלבים דולר יורו נערים בוגרים משפחה משפחות הורים
    מטר קומה קומות כוכבים פעמים אנחנו""")
)
"""A number before one of these counts guests, rooms, money, ages or hours, not days."""

MEASURES = frozenset(
    words_of(
        "nis ils shekel shekels dollar dollars usd eur euro euros gbp pounds ₪ $ € £ % percent stars km sqm hours שקל שקלים שח אחוז"
    )
)
"""A number with a dot or a slash before one of these is not a date."""

COUNTERS = frozenset(
    words_of("""room rooms aged age ages under below above budget max maximum floor number no nr ref reference booking order phone tel gate
    flight $ ₪ € £ nis ils usd eur # no. suite party about around rated rating score code pin
    חדר גיל גילאי בגילאי בגיל בן בת בני בנות תקציב מספר קומה עד_שקל טלפון הזמנה""")
)
"""A number after one of these is a room, an age, a price or a reference, not a day."""

FILLERS = frozenset(
    words_of("""please pls plz hi hello hey thanks thank you a an the is are be it its i im id we were our my me us need want wanted wants would
    like to looking look for at in on of stay stays staying book booking reserve reservation room rooms available availability check
    dates date during night nights day any some sometime with by and around about have has do does can could there anything something
    free vacancy vacancies only just maybe possibly arriving arrive arrival leaving leave departure time period holiday holidays feast
    festival come coming visit trip vacation getaway break over within thinking planning plan hotel if possible all whole
    entire full evening morning afternoon noon dawn celebration celebrations eve here there please? so well ok okay yes or
    couple weekend right סופש זוג לזוג one that which will when what how about let lets get whichever cheaper cheapest better either exactly year's years upcoming per two three four each
    אני אנחנו רוצה רוצים צריך צריכה צריכים מחפש מחפשת מחפשים בבקשה תודה שלום היי חדר חדרים מקום פנוי פנויים פנויה יש האם לי לנו אפשר להזמין
    הזמנה לתאריך תאריך תאריכים בתאריכים לתאריכים שהות לשהות את של כל על אולי רק נופש חופשה חופש להגיע לבוא להתארח זמינות לבדוק תבדוק בדוק
    בבוקר בערב בצהריים חג בחג לחג החג שבו שם כולל יום ליום מלון""")
)
"""Words that do not change the meaning of a date hint."""
