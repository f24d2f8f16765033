"""The closed classes of words that name or count people, in English and Hebrew."""

from wavegraph.tools.hotel.dates.holiday_names import words_of

ADULTS = ("adult", "couple", "spouse", "relative", "us", "self")
"""Kinds of grown people. The others: `child`, `baby`, `people` of any age, `group` of any number."""
_BY_KIND: dict[tuple[str, int | None], str] = {
    ("adult", 1): "adult grownup grown-up man woman lady gentleman guy senior קשיש קשישה מבוגר מבוגרת גבר אישה אשה",
    (
        "adult",
        None,
    ): """adults grownups grown-ups men women ladies gentlemen guys seniors friends colleagues sisters brothers siblings cousins
        aunts uncles girlfriends boyfriends students soldiers pensioners employees workers coworkers mates carers nurses teachers users wives husbands ad adt adl מבוגרים מבוגרות קשישים קשישות גברים נשים סטודנטים סטודנטיות חיילים חיילות עובדים נשותיהם בעליהן חברים חברות אחים אחיות קולגות""",
    (
        "spouse",
        1,
    ): "wife husband partner girlfriend boyfriend spouse fiance fiancee fiancé fiancée אשתי אישתי בעלי בן-זוג",
    (
        "relative",
        1,
    ): """mother mom mum mama mommy mummy missus father dad papa daddy grandma grandmother granny nana nan gran grandpa grandfather
        grandad granddad aunt auntie uncle sister brother cousin friend boss colleague bestie nanny mother-in-law father-in-law sister-in-law
        brother-in-law carer caregiver aide assistant helper student soldier pensioner mate pal roommate flatmate stepmother stepfather
        godmother godfather grandparent parent coworker widow widower אשתו בעלה אמא אבא אמי אבי אימא סבא סבתא סבתי דודה אחותי אחי חמותי חמי גיסתי גיסי מטפלת מטפל סטודנט סטודנטית חייל חיילת פנסיונר פנסיונרית דוד חמות חותנת חותנתי חותני כלה גיס גיסה אמו אמה אביו חבר חברה-שלי חברה-שלו חבר-שלה אם-חד-הורית אב-חד-הורי""",
    ("relative", 2): "parents folks grandparents in-laws honeymoon הורים הוריי הורי הוריו הוריה הורינו",
    ("couple", 2): "couple couples newlyweds זוג זוגות",
    ("us", 2): "both-of-us שנינו שתינו",
    ("self", 1): "me i myself אני לי",
    ("self", None): "us",
    ("people", 3): "שלושתנו",
    ("people", 4): "ארבעתנו",
    ("people", 5): "חמישתנו",
    ("people", 6): "ששתנו",
    (
        "people",
        None,
    ): "people persons person guests guest pax ppl travellers travelers איש אדם אנשים נפש נפשות אורחים אורחות אורח סועדים בנות",
    ("group", None): "family families משפחה משפחות משפחת relatives group קבוצה קבוצת",
    (
        "child",
        1,
    ): """kid child boy girl son daughter teen teenager toddler grandchild grandson granddaughter grandkid nephew niece little-one
        ילד ילדה נער נערה נכד נכדה אחיין אחיינית הבן הבת בתנו בננו""",
    ("child", 2): "twins תאומים תאומות",
    ("child", 3): "triplets שלישיה שלישייה",
    (
        "child",
        None,
    ): """kids children boys girls sons daughters teens teenagers toddlers grandchildren grandsons granddaughters grandkids
        nephews nieces little-ones ch chd ילדים ילדות ילדיי ילדינו ילדיהם נערים נערות קטנטנים בנים נכדים נכדות אחיינים בני-נוער""",
    ("number", 2): "שניים",
    ("baby", 1): "baby infant newborn תינוק תינוקת פעוט פעוטה",
    ("baby", None): "babies infants newborns תינוקות פעוטות",
}
WHO = {word: who for who, words in _BY_KIND.items() for word in words_of(words)}
FAMILY = frozenset(words_of("family families משפחה משפחות משפחת"))
TELLS = frozenset(
    words_of(
        "is was has had turns uses needs wants can cannot can't will would don't prefer prefers likes loves doesn't isn't צריך צריכה צריכים צריכות שומרי משתמש משתמשת לא"
    )
)
"""After someone's name these begin what is told of them."""
TELLS_OF_ONCE = frozenset(
    words_of("""passed died got paid stayed told said says recommended booked visited saw had
        המנוח המנוחה ז"ל נפטר נפטרה קיבל קיבלה שילם שילמה אמר אמרה המליץ המליצה התארח התארחה הזמין הזמינה""")
)
"""After someone's name these begin what was once, not who comes."""
_OF_A_NAME = frozenset(words_of("called named aged retired disabled divorced"))
"""These say who someone is: `a friend called Tom`."""


def is_past(word: str) -> bool:
    """Whether it is a verb of what was done: `suggested`."""
    is_noun = word.endswith("eed") and not word.endswith(("greed", "freed"))
    return len(word) > 3 and word.endswith("ed") and not is_noun and word not in _OF_A_NAME


def is_manner(word: str) -> bool:
    """`warmly`, `highly`: what may stand before such a verb."""
    return len(word) > 4 and word.endswith("ly") and word not in WHO


LETTERS = {"a": "adult", "ad": "adult", "c": "child", "ch": "child", "i": "baby"}
"""Right behind a number: `2A + 1C`."""
GREETINGS = frozenset(words_of("hi hello hey dear you thanks morning evening"))
"""Before `guys` and the like these speak to the hotel."""
OUTINGS = frozenset(words_of("weekend night out"))
"""After `girls` and the like without a number these name an outing."""
GIRLS = frozenset(("בנות", "הבנות"))
"""Women, or with ages children."""
PARENT = frozenset(words_of("mother mom mum mama mommy mummy father dad papa daddy אמא אבא אמי אבי אימא אמו אמה אביו"))
TO_PARENT = frozenset(("לאם", "לאב"))
"""Without the prefix these are other words."""
SINGLES = frozenset(words_of("single singles יחיד ליחיד יחידה ליחידה יחידים יחידות"))
"""Beside couples these are one more each, or their rooms."""
DROPS = frozenset(words_of("dropped drops cancelled canceled backed dropping ביטל ביטלו ביטלה פרש פרשו"))
"""After people who were counted these say that they do not come."""
TOO = frozenset(
    words_of(
        "too also well maybe may might perhaps join joins joining another extra גם אולי יצטרף תצטרף יצטרפו מצטרף מצטרפת מצטרפים בנוסף נוסף נוספת"
    )
)
"""Near someone's name these say that the person comes on top of those counted, or may."""
NOT = frozenset(words_of("not isn't isnt won't cannot can't stays staying לא נשאר נשארת"))
PLUS = frozenset(words_of("+ plus פלוס ועוד"))
BUT = frozenset(words_of("but minus except אבל מינוס חוץ"))
MAYBE = frozenset(words_of("maybe perhaps possibly אולי"))
EVERY = frozenset(words_of("every"))
EACH = frozenset(words_of("each apiece בכל"))
OUR = frozenset(words_of("our my"))
WHOSE = OUR | frozenset(words_of("her his their"))
THEIRS = frozenset(words_of("שלי שלנו שלה שלו שלהם שלהן"))
NO_GUESTS = frozenset(
    words_of(
        "dog dogs cat cats puppy pet pets car cars bike bikes luggage stroller pram wheelchair budget stay booking anniversary dates things bags כלב כלבה חתול רכב אופניים עגלה"
    )
)
"""Beside the guest these are nobody who needs a bed."""
TABLE = frozenset(words_of("table seats dinner lunch brunch שולחן"))
"""Guests for the restaurant, not for a room: `a table for 4`."""
ROOMS = frozenset(words_of("rooms suites doubles חדרים סוויטות"))
ROOM = frozenset(words_of("room חדר one"))
HOLDERS = ROOMS | frozenset(words_of("couples families זוגות משפחות"))
"""What a number of may hold so many people each."""
NEAR_EACH = ROOM | frozenset(
    words_of(
        "in for to with has have having of them a an 1 : , - ) with: sleeps takes holds couple family אחד אחת זוג משפחה עם יש ב ל"
    )
)
EACH_OF = ROOM | frozenset(words_of("couple family זוג משפחה"))
TELLS_ME = frozenset(words_of("of let tell send give call show"))
ENGLISH_AGED = frozenset(words_of("age aged ages"))
GONE = frozenset(words_of("late ex former deceased"))
"""Before someone these say that the person does not come."""
IS = frozenset(
    words_of("""i'm im he's hes she's shes they're theyre who's turn turns turned turning
        חוגג חוגגת חוגגים חוגגות youngest eldest oldest הקטן והקטן הקטנה והקטנה הגדול והגדול הגדולה והגדולה""")
)
PRONOUNS = frozenset(words_of("i he she they who he'll she'll they'll who'll"))
BEING = IS | PRONOUNS | frozenset(words_of("am is are be will has have"))
"""Before an age these tell it of someone: `she will be 8`."""
IN_ALL = frozenset(words_of('altogether total overall סה"כ בסך סך'))
NOT_ABOUT_PEOPLE = frozenset(
    words_of(
        "because when where while since have has had need want bring like hope hoping extra other adjoining connecting"
    )
)
HAVE = frozenset(words_of("have has celebrate celebrates חוגגים חוגגת חוגג"))
"""After someone's name: an occasion of theirs, which says nothing of who comes."""
LIMITS = frozenset(words_of("under below over above till מתחת מעל עד"))
"""Before an age these make it a limit, not someone's age."""
IN_GENERAL = frozenset(
    words_of(
        "students soldiers pensioners employees workers teachers nurses עובדים עובדות חיילים חיילות סטודנטים "
        "ad adt adl adults grownups grown-ups seniors men women ladies families group נשים גברים מבוגרים מבוגרות משפחות"
    )
)
"""Without a number these may be anyone."""
OF_ANYONE = frozenset(words_of("per each every extra additional לכל כל מיטת מיטות"))
NONE = frozenset(words_of("no not without minus except 0 בלי ובלי ללא וללא אין"))
THINGS = frozenset(
    words_of("""room rooms suite suites bed beds cot cots crib cribs club menu menus pool pools area areas activity activities meal meals price
    prices rate rates discount discounts policy chair seat playground care friendly fee fees size ticket party birthday school corner program
    reunion holiday vacation trip apartment massage retreat occupancy getaway celebration '""")
)
"""After a word for people these make it a thing: `kids club`, `family reunion`."""
LITTLE = frozenset(
    words_of("""more small young younger little big older other adult school age of them us whom which are the my our his her their old elderly
    twin teenage separate any remaining מהם מהן מתוכם מתוכן קטנים קטנות גדולים שום""")
)
"""What may stand between a number and the people it counts."""
BEFORE = LITTLE | frozenset(words_of("a an another both some only just 1 ה - ( גם רק"))
JOINS = frozenset(words_of("and with plus & + ו עם ועם פלוס ועוד"))
REALLY = frozenset(words_of("actually now only just in fact the about all - בעצם עכשיו רק בערך"))
AND = frozenset(words_of(", and & + ו -"))
PART = frozenset(words_of("of incl including includes included whom מהם מתוכם מהן כולל מתוכן"))
UNITS = frozenset(
    words_of("""night nights day days week weeks weekend weekends months hour hours hrs min minutes cm kg km meters metres room rooms suite suites double doubles triple
    triples twin single bed beds x am pm nis ils shekel shekels ₪ $ € £ % euro euros dollars usd eur times stars jan january feb february mar
    march apr april may jun june jul july aug august sep sept september oct october nov november dec december
    שנות ליל לילה לילות לילותיים יום ימים שבוע שבועות חודש חודשים שעות דקות חדר חדרים חדרי סוויטה סוויטות שקל שקלים שח מיטה מיטות דולר קילו מטר מטרים
    ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר""")
) | {'ש"ח', 'ס"מ', 'ק"ג'}
ALONE = frozenset(
    words_of("""in on at from to with and or plus please for this next incl including if thanks what how is are we i who until till between during
    over but only just the a an any near arriving both last next you can could do does not it as so then that tonight tomorrow each kosher
    עם עד או בבקשה אם מה כמה האם יש אפשר תודה כולל של את לא רק גם מחר הערב הלילה""")
)
"""Words that leave a number before them on its own: `for 2 in May`."""
NUMBERED = frozenset(
    words_of("""room floor no number nr option at by after before around until till about flight line code under over max birthday anniversary
    הולדת נישואין נישואים חדר קומה מספר אפשרות שעה צו ב # $ € £ ₪""")
)
"""A number after one of these is no number of people."""
OLD = frozenset(words_of("year years yr yrs y old olds yo o - /"))
AGED = frozenset(words_of("age aged ages בן בת בני בנות גיל גילאי גילאים גילים"))
SINGLE_AGED = frozenset(words_of("בן בת"))
"""Of one child: after a number of children, the first of those told one by one."""
OLDEST = frozenset(words_of("old olds yo y o -"))
MONTHS = frozenset(words_of("m mo mos mth mths month months חודשים חודש"))
COME = frozenset(
    words_of(
        "come comes coming make able home elsewhere travel travelling traveling arrive join joining too בא באה מגיע מגיעה באים מגיעים מצטרפים"
    )
)
SHORTER = frozenset(words_of("weeks week wks days שבועות ימים"))
HEBREW_AGES = {"שנה": 1, "שנתיים": 2, "ושנה": 1, "ושנתיים": 2}
SOON = frozenset(words_of("almost nearly turning כמעט תיכף עוד מעט"))
ABOUT = SOON | frozenset(words_of("about just now only already בערך רק כבר"))
"""What may stand before an age; before `SOON` it is not reached yet."""
AND_SOME = (
    ("and", "a", "half"), ("and", "0", "months"), ("and", "0", "month"), ("וחצי",), ("ו", "-", "0", "חודשים"), ("ו", "0", "חודשים"), ("וחודשיים",), ("וחודש",),
)  # fmt: skip
"""Parts of a year after an age; `0`: any number."""
