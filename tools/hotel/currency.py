"""Currencies: their decimals, and how their amounts are written.

Codes and decimals are those of ISO 4217 (list one, SIX Financial Information). Amounts are integers of the smallest unit
the currency has: cents, fils, or the yen itself.
"""

import re
from decimal import Decimal
from functools import lru_cache

from wavegraph.tools.hotel.dates.holiday_names import words_of

_CODES = frozenset(
    words_of("""AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY
    COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
    IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
    MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
    SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD
    XCG XOF XPF YER ZAR ZMW ZWG""")
)
_DIGITS = {
    **dict.fromkeys(words_of("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"), 0),
    **dict.fromkeys(words_of("BHD IQD JOD KWD LYD OMR TND"), 3),
}
MOST_DECIMALS = "KWD"
_LIKE_WORDS = frozenset(words_of("ALL BAM BOB COP CUP GEL KGS LAK MAD MOP PEN SOS TOP TRY"))
"""Codes that are also English words: read as money only if they are the property's own."""

_NAMES: tuple[tuple[str, str], ...] = (
    (r"nis\b|₪|shekels?\b|sheqels?\b|shekalim\b|ש[\"״'׳]{0,2}ח\b|שקל(?:ים)?\b", "ILS"),
    (r"us\$|us dollars?\b", "USD"),
    (r"au?\$", "AUD"),
    (r"ca?\$", "CAD"),
    (r"r\$", "BRL"),
    (r"s\$", "SGD"),
    (r"hk\$", "HKD"),
    (r"nz\$", "NZD"),
    (r"nt\$", "TWD"),
    (r"mx\$", "MXN"),
    (r"j\$", "JMD"),
    (r"[a-z]{1,3}\$", "XXX"),
    (r"\$|dollars?\b|bucks\b|דולר(?:ים)?\b", "USD AUD CAD NZD SGD HKD TWD BBD BMD BND BSD BZD FJD JMD LRD NAD SBD SRD TTD XCD"),
    (r"€|euros?\b|אירו\b|יורו\b", "EUR"),
    (r"£|pounds?(?: sterling)?\b|sterling\b|פאונד\b|ליש[\"״]ט\b|לירות שטרלינג\b|לירה שטרלינג\b", "GBP EGP FKP GIP LBP SHP SSP SYP"),
    (r"[¥￥]", "JPY CNY"),
    (r"円|yen\b|ין(?![א-ת])", "JPY"),
    (r"元|yuan\b|renminbi\b|rmb\b|יואן\b", "CNY"),
    (r"₩", "KRW KPW"),
    (r"₹|rupees?\b|rs\b\.?|רופי(?:ות)?\b", "INR LKR MUR NPR PKR SCR"),
    (r"₽|rubles?\b|roubles?\b|רובל(?:ים)?\b", "RUB BYN"),
    (r"₺|liras?\b", "TRY LBP SYP"),
    (r"ליר(?:ה|ות)\b", "TRY LBP SYP EGP GBP"),
    (r"zł|zloty(?:s|ch)?\b|złotych\b|זלוטי\b", "PLN"),
    (r"kč|korunas?\b", "CZK"),
    (r"kr\b|kron(?:a|or|er|e|ur)\b", "SEK NOK DKK ISK"),
    (r"dinars?\b|דינר(?:ים)?\b", "KWD BHD JOD IQD LYD TND DZD RSD MKD"),
    (r"dirhams?\b|דירהם\b", "AED MAD"),
    (r"riyals?\b|rials?\b|ריאל(?:ים)?\b", "SAR OMR QAR YER IRR"),
    (r"francs?\b|פרנק(?:ים)?\b", "CHF XAF XOF XPF BIF CDF DJF GNF KMF RWF"),
    (r"pesos?\b|פסו\b|פזו\b", "MXN ARS CLP COP CUP DOP PHP UYU"),
    (r"forints?\b|פורינט(?:ים)?\b", "HUF"),
    (r"฿|bahts?\b|באט\b", "THB"),
    (r"₫|dong\b", "VND"),
    (r"₴|hryvnias?\b", "UAH"),
)  # fmt: skip
"""What currencies are called besides their codes; a name means the first code unless the property's own is listed."""
_OWN_NAMES = {
    "KRW": r"won\b|וון\b", "RON": r"lei\b|leu\b|ron\b|לאי\b", "BGN": r"leva?\b", "GEL": r"lari\b", "ZAR": r"rands?\b|ראנד\b",
    "MYR": r"ringgits?\b|rm\b|רינגיט\b", "IDR": r"rupiahs?\b|rp\b|רופיה\b", "BRL": r"reais\b|reals?\b", "KES": r"shillings?\b",
    "ALL": r"leks?\b", "AMD": r"drams?\b", "KZT": r"tenges?\b", "UZS": r"soms?\b", "NGN": r"nairas?\b|₦", "GHS": r"cedis?\b|₵",
    "ETB": r"birrs?\b", "KHR": r"riels?\b", "LAK": r"kips?\b", "MMK": r"kyats?\b", "BDT": r"takas?\b|৳", "MNT": r"tugriks?\b",
    "PEN": r"soles\b", "CRC": r"colon(?:es|s)?\b|₡", "GTQ": r"quetzal(?:es|s)?\b", "HNL": r"lempiras?\b", "PYG": r"guaran[ií]s?\b|₲",
    "BWP": r"pulas?\b", "ZMW": r"kwachas?\b", "MZN": r"meticais\b", "AZN": r"manats?\b|₼", "MVR": r"rufiyaas?\b",
}  # fmt: skip
"""Names that are also other words: money only after a number, or as the property's own currency."""
_PEOPLES = {
    "us": "USD", "u.s.": "USD", "american": "USD", "canadian": "CAD", "australian": "AUD", "aussie": "AUD", "new zealand": "NZD",
    "singapore": "SGD", "singaporean": "SGD", "hong kong": "HKD", "taiwan": "TWD", "taiwanese": "TWD", "fiji": "FJD", "fijian": "FJD",
    "jamaican": "JMD", "barbadian": "BBD", "bahamian": "BSD", "belize": "BZD", "namibian": "NAD", "british": "GBP", "egyptian": "EGP",
    "lebanese": "LBP", "syrian": "SYP", "sudanese": "SDG", "gibraltar": "GIP", "falkland": "FKP", "indian": "INR", "pakistani": "PKR",
    "nepali": "NPR", "nepalese": "NPR", "sri lankan": "LKR", "mauritian": "MUR", "seychellois": "SCR", "swedish": "SEK",
    "norwegian": "NOK", "danish": "DKK", "icelandic": "ISK", "czech": "CZK", "kuwaiti": "KWD", "bahraini": "BHD", "jordanian": "JOD",
    "iraqi": "IQD", "libyan": "LYD", "tunisian": "TND", "algerian": "DZD", "serbian": "RSD", "macedonian": "MKD", "uae": "AED",
    "emirati": "AED", "moroccan": "MAD", "saudi": "SAR", "omani": "OMR", "qatari": "QAR", "yemeni": "YER", "iranian": "IRR",
    "swiss": "CHF", "rwandan": "RWF", "congolese": "CDF", "mexican": "MXN", "argentine": "ARS", "argentinian": "ARS", "chilean": "CLP",
    "colombian": "COP", "cuban": "CUP", "dominican": "DOP", "philippine": "PHP", "uruguayan": "UYU", "turkish": "TRY",
    "russian": "RUB", "belarusian": "BYN", "israeli": "ILS", "japanese": "JPY", "chinese": "CNY", "korean": "KRW", "south korean": "KRW",
    "south african": "ZAR", "thai": "THB", "polish": "PLN", "hungarian": "HUF", "romanian": "RON", "bulgarian": "BGN",
    "malaysian": "MYR", "indonesian": "IDR", "brazilian": "BRL", "georgian": "GEL", "vietnamese": "VND", "ukrainian": "UAH",
    "kenyan": "KES", "ugandan": "UGX", "tanzanian": "TZS", "nigerian": "NGN",
    "אמריקאי": "USD", "אמריקני": "USD", "קנדי": "CAD", "אוסטרלי": "AUD", "ניו זילנדי": "NZD", "סינגפורי": "SGD", "הונג קונגי": "HKD",
    "מצרי": "EGP", "לבנוני": "LBP", "סורי": "SYP", "בריטי": "GBP", "ירדני": "JOD", "כוויתי": "KWD", "טורקי": "TRY", "תורכי": "TRY",
    "שוויצרי": "CHF", "שווייצרי": "CHF", "צרפתי": "XXX", "שוודי": "SEK", "נורווגי": "NOK", "דני": "DKK", "צ'כי": "CZK", "מקסיקני": "MXN",
    "ארגנטינאי": "ARS", "הודי": "INR", "סעודי": "SAR", "מרוקאי": "MAD", "ישראלי": "ILS", "רוסי": "RUB", "תאילנדי": "THB", "פולני": "PLN",
}  # fmt: skip
"""Adjectives of nationality: before the currency's name in English, after it in Hebrew."""
_ENGLISH_PEOPLES = "|".join(re.escape(people) for people in _PEOPLES if people.isascii())
_HEBREW_PEOPLES = "|".join(re.escape(people) for people in _PEOPLES if not people.isascii())
_ANY_PEOPLE = rf"(?:new )?(?:{_ENGLISH_PEOPLES}|french|greek|dutch|\w{{3,20}}(?:ian|ean|can|ese|ish|ani))\s+"
_PEOPLE_BEHIND = rf"\s{{1,20}}+(?:{_HEBREW_PEOPLES})(?:ם|ת|ות|ים)?\b"


def is_currency(code: str) -> bool:
    return code in _CODES


def digits(currency: str) -> int:
    """Decimals of an amount: 2 for most, 0 for the yen, 3 for the Kuwaiti dinar."""
    return _DIGITS.get(currency, 2)


def minor(value: Decimal, currency: str) -> int:
    """An amount in whole smallest units; fractions of them are cut off."""
    return int(value.scaleb(digits(currency)))


def major(minor_units: int, currency: str) -> Decimal:
    return Decimal(minor_units).scaleb(-digits(currency))


def written(minor_units: int, currency: str) -> str:
    """With all its decimals, as in accounts: `927.00 ILS`, `15,000 JPY`."""
    return f"{major(minor_units, currency):,.{digits(currency)}f} {currency}"


def short(minor_units: int, currency: str) -> str:
    """The number as guests read it: decimals only where there are any."""
    whole, rest = divmod(minor_units, 10 ** digits(currency))
    return f"{whole:,}.{rest:0{digits(currency)}d}" if rest else f"{whole:,}"


def exact(text: str, currency: str) -> int:
    """An amount from a file, in smallest units: a point before the decimals, commas between thousands.

    Raises ValueError for anything else, also for more decimals than the currency has: `1.200` euros may mean 1200.
    """
    decimals = rf"(?:\.\d{{1,{digits(currency)}}})?" if digits(currency) else ""
    if not re.fullmatch(rf"(?:\d+|\d{{1,3}}(?:,\d{{3}})+){decimals}", text):
        raise ValueError(f"{text!r} is not an amount in {currency}")
    return minor(Decimal(text.replace(",", "")), currency)


def number(text: str, currency: str) -> Decimal:
    """A number as guests and models write it: `1,234.50`, `1.234,50`, `1 234`, `45,5`."""
    text = re.sub(r"[\s'’]", "", text)
    mark = max(text.rfind("."), text.rfind(","))
    whole, rest = (text[:mark], text[mark + 1 :]) if mark >= 0 else (text, "")
    thousands = len(rest) == 3 and (text[mark] == "," or digits(currency) != 3 or text.count(".") > 1)
    if thousands and not (set(whole) & {",", "."} - {text[mark]}):
        whole, rest = whole + rest, ""
    return Decimal(f"{re.sub('[.,]', '', whole)}.{rest or 0}")


@lru_cache(maxsize=64)
def names(own: str) -> str:
    """A case-insensitive pattern for every name of a currency, where the property's own is `own`."""
    codes = "|".join(sorted(_CODES - _LIKE_WORDS | {own}))
    more = [_OWN_NAMES[own]] if own in _OWN_NAMES else []
    return "|".join([*(pattern for pattern, _ in _NAMES), rf"(?:{codes})\b", *more])


@lru_cache(maxsize=64)
def names_behind(own: str) -> str:
    """A pattern for a currency after a number: also names that are words on their own, with a nationality."""
    nouns = "|".join([names(own), *_OWN_NAMES.values()])
    return rf"(?:{_ANY_PEOPLE})?(?:{nouns})(?:{_PEOPLE_BEHIND})?"


@lru_cache(maxsize=1024)
def currency_named(name: str, own: str) -> str:
    """The code for a currency's name: the property's own if the name fits several; `XXX`: unknown."""
    name = " ".join(name.lower().split())
    before = re.match(_ANY_PEOPLE, name)
    behind = re.search(rf"{_PEOPLE_BEHIND}$", name)
    plain = name[before.end() if before else 0 : behind.start() if behind else None]
    if not plain or not (before or behind):
        return _plainly_named(name, own)
    people = (before or behind).group().strip().removeprefix("new ")  # type: ignore[union-attr]
    code = _PEOPLES.get(people) or _PEOPLES.get("new " + people) or _by_stem(people)
    return code if code in (_plainly_named(plain, own), *_codes_named(plain)) else "XXX"


def _by_stem(people: str) -> str:
    """The code for an inflected Hebrew word: `קנדיים`, `מצריות`."""
    return next((code for word, code in _PEOPLES.items() if not word.isascii() and people.startswith(word)), "")


def _codes_named(name: str) -> list[str]:
    return [code for pattern, codes in _NAMES if re.fullmatch(pattern, name, re.IGNORECASE) for code in codes.split()]


def _plainly_named(name: str, own: str) -> str:
    if re.fullmatch(_OWN_NAMES.get(own, "(?!)"), name, re.IGNORECASE):
        return own
    if codes := _codes_named(name):
        return own if own in codes else codes[0]
    if is_currency(name.upper()):
        return name.upper()
    return next((code for code, pattern in _OWN_NAMES.items() if re.fullmatch(pattern, name, re.IGNORECASE)), own)


_SPOKEN = {
    "en": {"ILS": "shekels", "EUR": "euros", "USD": "US dollars", "GBP": "pounds", "JPY": "yen"},
    "he": {"ILS": "שקלים", "EUR": "אירו", "USD": "דולרים", "GBP": "לירות שטרלינג", "JPY": "ין"},
}


def spoken(currency: str, language: str) -> str:
    """Its name inside a sentence, or its code, in Hebrew with the hyphen that joins a preposition."""
    return _SPOKEN[language].get(currency) or (f"־{currency}" if language == "he" else currency)


def label(currency: str, language: str) -> str:
    """What follows an amount: `NIS`, `ש״ח`; for any other currency its code."""
    return {"en": "NIS", "he": "ש״ח"}[language] if currency == "ILS" else currency
