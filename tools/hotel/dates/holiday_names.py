"""What holidays are called: canonical English names, spellings in both languages, and finding one in a row of words,
misspelt or not."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache


def words_of(text: str) -> tuple[str, ...]:
    """The words of a table written as text, since a list literal would drown them in quotes."""
    return tuple(text.split())


def hebrew_name(holiday: str) -> str:
    """Its usual Hebrew name; empty if none is known."""
    return next((each.strip() for each in SPELLINGS.get(holiday, "").split("|") if "א" <= each.strip()[:1] <= "ת"), "")


# Spellings are plain words (see `lexer.plain`): lower case, no apostrophes, no gershayim, hyphens as spaces.
SPELLINGS: dict[str, str] = {
    "Rosh Hashanah": """rosh hashanah|rosh hashana|rosh ha shana|rosh ha shanah|rosh hashona|roshhashana|roshhashanah|jewish new year
        |ראש השנה|ראש השנה היהודי|ר ה""",
    "Yom Kippur": "yom kippur|yom kipur|yom kippour|yomkippur|yom hakippurim|day of atonement|kippur|kipur|יום כיפור|יום הכיפורים|יום כפור|יום הכפורים|כיפור|כפור",
    "Sukkot": """sukkot|sukkoth|succot|succoth|sukkos|succos|sukot|sucot|sukkah|feast of tabernacles|tabernacles
        |סוכות|הסוכות|סכות""",
    "Chol HaMoed Sukkot": """chol hamoed sukkot|chol hamoed succot|chol hamoed sukkos|hol hamoed sukkot|chol ha moed sukkot|sukkot chol hamoed
        |sukkot intermediate days|חול המועד סוכות|חוהמ סוכות|חול המועד של סוכות""",
    "Hoshana Rabbah": "hoshana rabbah|hoshana rabba|hoshana raba|הושענא רבה",
    "Shemini Atzeret": "shemini atzeret|shmini atzeret|shemini atzeres|שמיני עצרת",
    "Simchat Torah": "simchat torah|simhat torah|simchas torah|שמחת תורה|חג שני של סוכות|חג שני סוכות",
    "Hanukkah": """hanukkah|hanukah|hanuka|hanukka|hannukah|hannuka|chanukah|chanuka|chanukkah|chanukka|channukah|hanuca|festival of lights
        |חנוכה|חנוקה|חנכה|חג החנוכה|חג האורים""",
    "Tu BiShvat": "tu bishvat|tu bshvat|tu bshevat|tu bi shvat|tu b shvat|tu bishevat|טו בשבט|ט״ו בשבט",
    "Purim": "purim|פורים",
    "Shushan Purim": "shushan purim|שושן פורים",
    "Passover": "passover|pesach|pessach|pesah|peisach|pesakh|pessah|פסח|הפסח",
    "Seder night": """seder|seder night|passover seder|pesach seder|first seder|leil haseder|leil seder|night of the seder|seder evening
        |ליל הסדר|ליל סדר|סדר פסח|ערב הסדר|ערב סדר|יום הסדר""",
    "Second seder night": "second seder|second seder night|second night seder|2nd seder|ליל הסדר השני",
    "Chol HaMoed Passover": """chol hamoed pesach|chol hamoed passover|hol hamoed pesach|hol hamoed passover|chol ha moed pesach
        |pesach chol hamoed|passover chol hamoed|passover intermediate days|intermediate days of passover
        |חול המועד פסח|חוהמ פסח|חול המועד של פסח""",
    "Chol HaMoed": "chol hamoed|hol hamoed|chol ha moed|chol hamoyed|חול המועד|חוהמ",
    "Last days of Passover": """second days of pesach|second days of passover|last days of pesach|last days of passover|pesach last days
        |passover last days|seventh day of pesach|seventh day of passover|seventh of passover|7th day of passover|7th day of pesach|second days pesach
        |pesach second days|shvii shel pesach|שביעי של פסח|חג שני של פסח|חג שני פסח|פסח שני של חג""",
    "First days of Passover": "first days of pesach|first days of passover|pesach first days|first days pesach|חג ראשון של פסח|חג ראשון פסח",
    "First days of Sukkot": "first days of sukkot|first days of succot|sukkot first days|חג ראשון של סוכות|חג ראשון סוכות",
    "Mimouna": "mimouna|mimuna|maimouna|מימונה",
    "Holocaust Remembrance Day": "holocaust remembrance day|holocaust day|holocaust memorial day|yom hashoah|yom ha shoah|יום השואה|יום הזיכרון לשואה",
    "Yom HaZikaron": "yom hazikaron|yom ha zikaron|israeli memorial day|israel memorial day|יום הזיכרון|יום הזכרון",
    "Yom HaAtzmaut": """yom haatzmaut|yom ha atzmaut|yom haatzmaout|yom atzmaut|israeli independence day|israel independence day
        |יום העצמאות|יום עצמאות|עצמאות""",
    "Independence Day": "independence day|national day",
    "Memorial Day": "memorial day",
    "Lag BaOmer": "lag baomer|lag ba omer|lag bomer|lag b omer|lagbaomer|לג בעומר",
    "Jerusalem Day": "jerusalem day|yom yerushalayim|יום ירושלים",
    "Shavuot": "shavuot|shavuos|shavuoth|shavout|shavuout|shavu ot|feast of weeks|שבועות|השבועות",
    "Tisha B'Av": "tisha bav|tisha beav|tisha b av|tishah bav|9 av|ninth of av|תשעה באב|ט באב",
    "Tu B'Av": "tu bav|tu b av|טו באב|חג האהבה|יום האהבה היהודי",
    "Sigd": "sigd|סיגד",
    "New Year's Eve": """new years eve|new year eve|new yrs eve|nye|new years eve night|sylvester|silvester|hogmanay|novy god
        |סילבסטר|סילווסטר|ערב השנה החדשה|ערב שנה חדשה|ערב השנה האזרחית החדשה|נובי גוד""",
    "New Year's Day": "new years day|new year day|january first holiday|יום השנה החדשה",
    "New Year": "new year|new years|the new year|ראש השנה האזרחי|ראש השנה האזרחית|ראש השנה הלועזי|ראש השנה הלועזית|שנה חדשה|השנה החדשה|שנה אזרחית חדשה|השנה האזרחית החדשה",
    "Christmas": "christmas|christmas day|xmas|x mas|xmas day|noel|yuletide|nativity|חג המולד|קריסמס|כריסמס|כריסטמס",
    "Christmas Eve": "christmas eve|xmas eve|x mas eve|ערב חג המולד|ערב קריסמס|ערב כריסמס",
    "Boxing Day": "boxing day|st stephens day|saint stephens day|second day of christmas",
    "Orthodox Christmas": "orthodox christmas|orthodox xmas|russian christmas|armenian christmas|coptic christmas|חג המולד האורתודוקסי",
    "Epiphany": "epiphany|three kings day|twelfth night",
    "Valentine's Day": "valentines day|valentine day|valentines|valentine|saint valentines day|st valentines day|ולנטיין|ולנטיינס|יום ולנטיין|ולנטיינס דיי|וולנטיין|יום האהבה",
    "St Patrick's Day": "st patricks day|saint patricks day|st paddys day|st patrick day|paddys day",
    "International Women's Day": "international womens day|womens day|יום האישה",
    "Easter": "easter|easter weekend|easter holiday|פסחא|חג הפסחא",
    "Western Easter": "western easter|catholic easter|latin easter|roman easter|protestant easter|פסחא קתולי|פסחא קתולית|הפסחא הקתולי|הפסחא הקתולית",
    "Good Friday": "good friday|holy friday",
    "Easter Sunday": "easter sunday|easter day",
    "Easter Monday": "easter monday",
    "Holy Week": "holy week",
    "Palm Sunday": "palm sunday",
    "Orthodox Easter": "orthodox easter|greek easter|orthodox pascha|pascha|russian easter|eastern easter|פסחא האורתודוקסי|פסחא אורתודוקסי|הפסחא האורתודוקסי",
    "Orthodox Good Friday": "orthodox good friday|greek good friday",
    "Orthodox Easter Sunday": "orthodox easter sunday|greek easter sunday",
    "Orthodox Easter Monday": "orthodox easter monday|greek easter monday",
    "Orthodox Holy Week": "orthodox holy week|greek holy week",
    "Orthodox Palm Sunday": "orthodox palm sunday",
    "Orthodox Pentecost": "orthodox pentecost",
    "Western Good Friday": "western good friday|catholic good friday",
    "Western Easter Sunday": "western easter sunday|catholic easter sunday",
    "Western Easter Monday": "western easter monday|catholic easter monday",
    "Ascension Day": "ascension day|ascension",
    "Pentecost": "pentecost|whitsun|whit sunday|whitsunday",
    "Whit Monday": "whit monday|pentecost monday",
    "Corpus Christi": "corpus christi",
    "Mardi Gras": "mardi gras|shrove tuesday|pancake day|fat tuesday",
    "Ash Wednesday": "ash wednesday",
    "Thanksgiving": "thanksgiving|thanksgiving day|thanks giving|turkey day|חג ההודיה|חג הודיה|יום ההודיה",
    "Canadian Thanksgiving": "canadian thanksgiving|thanksgiving in canada",
    "American Thanksgiving": "american thanksgiving|us thanksgiving|thanksgiving in the us|חג ההודיה האמריקאי",
    "Black Friday": "black friday",
    "Labor Day": "labor day|labour day|workers day|יום הפועלים",
    "May Day": "may day|mayday|1st of may holiday|אחד במאי",
    "US Independence Day": "fourth of july|us independence day|american independence day",
    "Veterans Day": "veterans day|veteran day",
    "Remembrance Day": "remembrance day|armistice day",
    "Martin Luther King Day": "martin luther king day|mlk day|martin luther king jr day|mlk",
    "Presidents' Day": "presidents day|president day|washingtons birthday",
    "Juneteenth": "juneteenth",
    "Columbus Day": "columbus day|indigenous peoples day",
    "Mother's Day": "mothers day|mother day|mothering sunday",
    "Father's Day": "fathers day|father day",
    "Canada Day": "canada day",
    "Victoria Day": "victoria day",
    "Family Day": "family day",
    "Halloween": "halloween|hallowen|haloween|holloween|hallow een|all hallows eve|ליל כל הקדושים|האלווין|הלואין|הלווין",
    "All Saints' Day": "all saints day|all saints",
    "Guy Fawkes Night": "guy fawkes night|guy fawkes|bonfire night",
    "Burns Night": "burns night",
    "St Andrew's Day": "st andrews day",
    "St George's Day": "st georges day",
    "Early May bank holiday": "early may bank holiday|may bank holiday|may day bank holiday|first may bank holiday",
    "Spring bank holiday": "spring bank holiday|late may bank holiday|whitsun bank holiday",
    "Summer bank holiday": "summer bank holiday|august bank holiday|late august bank holiday",
    "Bastille Day": "bastille day|french national day|14 juillet",
    "Australia Day": "australia day",
    "Anzac Day": "anzac day",
    "Assumption Day": "assumption day|assumption|dormition",
    "German Unity Day": "german unity day|unity day",
    "Greek Independence Day": "greek independence day",
    "Ohi Day": "ohi day|oxi day",
    "Clean Monday": "clean monday|orthodox clean monday|greek clean monday",
    "Ash Monday": "ash monday|western clean monday|catholic clean monday",
    "Ramadan": "ramadan|ramadhan|ramazan|רמדאן|רמאדאן|רמדן",
    "Eid al-Fitr": "eid al fitr|eid ul fitr|eid el fitr|id al fitr|eid alfitr|eidulfitr|eid fitr|end of ramadan|עיד אל פיטר|עיד אלפיטר|עיד אל פטר",
    "Eid al-Adha": """eid al adha|eid ul adha|eid el adha|id al adha|eid aladha|eid adha|feast of sacrifice|feast of the sacrifice|kurban bayram|bakrid
        |עיד אל אדחא|עיד אלאדחא|חג הקורבן|עיד אל אדהא""",
    "Islamic New Year": "islamic new year|muslim new year|hijri new year|muharram",
    "Mawlid": "mawlid|mawlid al nabi|milad un nabi|prophets birthday",
}

CHURCHES = {
    **dict.fromkeys(
        words_of("western catholic latin roman protestant קתולי קתולית מערבי מערבית פרוטסטנטי לטיני"), "Western"
    ),
    **dict.fromkeys(
        words_of("orthodox greek russian eastern אורתודוקסי אורתודוקסית אורתודוכסי אורתודוכסית יווני יוונית מזרחי"),
        "Orthodox",
    ),
}
OF_EASTER = (
    "Easter", "Good Friday", "Easter Sunday", "Easter Monday", "Holy Week", "Palm Sunday", "Ascension Day", "Pentecost", "Whit Monday"
)  # fmt: skip
"""Feasts that each church keeps on its own date."""


def _of_churches() -> None:
    """Add `Catholic Pentecost`, `Greek Whit Monday`: every church before every name."""
    for name in OF_EASTER:
        names = [each for each in SPELLINGS[name].split("|") if each.isascii()]
        for church in ("Western", "Orthodox"):
            spellings = [
                f"{word} {each}" for word, of in CHURCHES.items() if of == church and word.isascii() for each in names
            ]
            known = SPELLINGS.get(f"{church} {name}", "")
            SPELLINGS[f"{church} {name}"] = "|".join(dict.fromkeys([*filter(None, known.split("|")), *spellings]))


_of_churches()

VAGUE: dict[str, tuple[str, ...]] = {
    "the holidays": (
        """holidays|the holidays|holiday season|festive season|festive period|high holidays|high holy days|jewish holidays
        |school holidays|חגים|החגים|חגי תשרי|החגים הגדולים""",
        "Rosh Hashanah",
        "Sukkot",
        "Hanukkah",
        "Passover",
        "Christmas",
    ),
    "Eid": ("eid|bayram|עיד", "Eid al-Fitr", "Eid al-Adha"),
    "bank holiday": (
        "bank holiday|bank holidays|bank holiday weekend",
        "Early May bank holiday",
        "Spring bank holiday",
        "Summer bank holiday",
    ),
}
"""Names that fit several holidays: spellings first, then the holidays to choose from."""

_NOT_TYPOS = frozenset(
    words_of("""peach peaches eastern easier eater eaten ramada sender sedan senders seeker second feast festive holiday march marches
    national family father fathers mother mothers labels labor early clean summer spring german greek orthodox american canadian
    israel jewish first international saint saints three black burns passport password passed eastside
    פורום חניכה סוכרת סוכן חנוכת חניה פוריה חופש ראשון השנה שביעי""")
)


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A holiday name found, and how many tokens it took."""

    name: str
    taken: int


def _spellings() -> dict[tuple[str, ...], str]:
    table = SPELLINGS | {name: row[0] for name, row in VAGUE.items()}
    pairs = {tuple(part.replace("״", "").split()): name for name, text in table.items() for part in text.split("|")}
    feasts = {("חג", f"ה{words[0]}", *words[1:]): name for words, name in pairs.items() if "א" <= words[0][0] <= "ת"}
    plain_feasts = {("חג", *words): name for words, name in pairs.items() if "א" <= words[0][0] <= "ת"}
    return plain_feasts | feasts | pairs


_TABLE = _spellings()
_BY_FIRST: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _words, _name in sorted(_TABLE.items(), key=lambda item: -len(item[0])):
    _BY_FIRST.setdefault(_words[0], []).append((_words, _name))
_FIRSTS = tuple(first for first in _BY_FIRST if len(first) >= 5)


@lru_cache(maxsize=4096)
def _first(word: str) -> str | None:
    """The first word of a holiday's name that equals this word or that it is a typo of."""
    if word in _BY_FIRST:
        return word
    return None if word in _NOT_TYPOS else close_match(word, _FIRSTS)


@lru_cache(maxsize=4096)
def _same(word: str, wanted: str) -> bool:
    """Whether a later word of a name fits, with one typo from four letters on and two from eight."""
    limit = 2 if len(wanted) >= 8 else 1
    shared = word[:1] == wanted[:1] and min(len(word), len(wanted)) >= 4
    return word == wanted or (shared and word not in _NOT_TYPOS and edits(word, wanted, limit) <= limit)


def match_holiday(tokens: list[tuple[str, str]]) -> NameMatch | None:
    """The longest holiday name at the start of these (word, kind) pairs, exact ones preferred; dashes are ignored.

    A typo in the first word or a long later word is allowed; a single misspelt common word is not.
    """
    first = _first(tokens[0][0]) if tokens else None
    if first is None:
        return None
    fitting = [(words, name, taken) for words, name in _BY_FIRST[first] if (taken := _taken(tokens, words))]
    if not fitting:
        return None
    words_given = {word for word, _ in tokens}
    _, name, taken = max(fitting, key=lambda fit: (len(fit[0]), sum(word in words_given for word in fit[0])))
    return NameMatch(name, taken)


def _taken(tokens: list[tuple[str, str]], words: tuple[str, ...]) -> int:
    """How many tokens the rest of the name takes, the first word counted; 0 if it does not fit."""
    at = 1
    for wanted in words[1:]:
        while at < len(tokens) and (tokens[at][1] == "dash" or tokens[at][0] == "."):
            at += 1
        if at >= len(tokens) or not _same(tokens[at][0], wanted):
            return 0
        at += 1
    return at


def close_names(text: str, count: int = 3) -> list[str]:
    """The canonical names closest to an unknown one, best first; for a message."""
    word = text.lower()
    scored = sorted((edits(word, name.lower(), 40), name) for name in SPELLINGS)
    return [name for _, name in scored[:count]]


def edits(left: str, right: str, limit: int) -> int:
    """The Damerau-Levenshtein distance (neighbours may swap), or `limit + 1` if it is larger."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, char in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == right[j - 2] and left[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def allowed(word: str) -> int:
    """How many typos a word of this length may have: none below five letters, two from eight on."""
    return 0 if len(word) < 5 else 1 if len(word) < 8 else 2


def close_match(word: str, names: Iterable[str]) -> str | None:
    """The closest name with the same first letter, within `allowed`; the first of equals."""
    limit = allowed(word)
    if not limit:
        return None
    scored = [(edits(word, name, limit), i, name) for i, name in enumerate(names) if name[:1] == word[:1]]
    best = min(scored, default=(limit + 1, 0, ""))
    return best[2] if best[0] <= limit else None
