"""Currencies: their decimals, and how their amounts are written and said.

Codes and decimals are those of ISO 4217 (list one, SIX Financial Information). Amounts are integers of the smallest unit
the currency has: cents, fils, or the yen itself.
"""

import re
from decimal import Decimal
from functools import lru_cache

from wavegraph.tools.hotel.reading.words import word_list

_CODES = frozenset(
    word_list("""AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY
    COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
    IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
    MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
    SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD
    XCG XOF XPF YER ZAR ZMW ZWG""")
)
_DIGITS = {
    **dict.fromkeys(word_list("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"), 0),
    **dict.fromkeys(word_list("BHD IQD JOD KWD LYD OMR TND"), 3),
}
MOST_DECIMALS = "KWD"
_LIKE_WORDS = frozenset(word_list("ALL BAM BOB COP CUP GEL KGS LAK MAD MOP PEN SOS TOP TRY"))
"""Codes that are English words too: read as money only where they are the house's own."""

_NAMES: tuple[tuple[str, str], ...] = (
    (r"nis\b|₪|shekels?\b|sheqels?\b|shekalim\b|ש[\"״'׳]{0,2}ח\b|שקל(?:ים)?\b", "ILS"),
    (r"us\$|us dollars?\b", "USD"),
    (r"a\$", "AUD"),
    (r"ca?\$", "CAD"),
    (r"r\$", "BRL"),
    (r"\$|dollars?\b|bucks\b|דולר(?:ים)?\b", "USD AUD CAD NZD SGD HKD TWD BBD BMD BND BSD BZD FJD JMD LRD NAD SBD SRD TTD XCD"),
    (r"€|euros?\b|אירו\b|יורו\b", "EUR"),
    (r"£|pounds?\b|sterling\b|פאונד\b|ליש[\"״]ט\b", "GBP EGP FKP GIP LBP SHP SSP SYP"),
    (r"[¥￥]", "JPY CNY"),
    (r"円|yen\b|ין(?![א-ת])", "JPY"),
    (r"元|yuan\b|renminbi\b|rmb\b|יואן\b", "CNY"),
    (r"₩", "KRW KPW"),
    (r"₹|rupees?\b", "INR LKR MUR NPR PKR SCR"),
    (r"₽|rubles?\b|roubles?\b|רובל(?:ים)?\b", "RUB BYN"),
    (r"₺|liras?\b", "TRY"),
    (r"zł|zloty(?:s|ch)?\b|złotych\b", "PLN"),
    (r"kč|korunas?\b", "CZK"),
    (r"kr\b|kron(?:a|or|er|e|ur)\b", "SEK NOK DKK ISK"),
    (r"dinars?\b|דינר(?:ים)?\b", "KWD BHD JOD IQD LYD TND DZD RSD MKD"),
    (r"dirhams?\b", "AED MAD"),
    (r"riyals?\b|rials?\b", "SAR OMR QAR YER IRR"),
    (r"francs?\b|פרנק(?:ים)?\b", "CHF XAF XOF XPF BIF CDF DJF GNF KMF RWF"),
    (r"pesos?\b", "MXN ARS CLP COP CUP DOP PHP UYU"),
    (r"forints?\b", "HUF"),
    (r"฿|baht\b", "THB"),
    (r"₫|dong\b", "VND"),
    (r"₴|hryvnias?\b", "UAH"),
)  # fmt: skip
"""What a currency is called besides its code: by the first of these, unless the house's own is among them."""
_OWN_NAMES = {"KRW": r"won\b", "RON": r"lei\b|leu\b", "BGN": r"leva?\b", "GEL": r"lari\b", "ZAR": r"rands?\b"}
"""Names that mean something else in another house."""


def is_currency(code: str) -> bool:
    return code in _CODES


def digits(currency: str) -> int:
    """Decimals of an amount: 2 for most, 0 for the yen, 3 for the Kuwaiti dinar."""
    return _DIGITS.get(currency, 2)


def minor(value: Decimal, currency: str) -> int:
    """An amount in whole smallest units; what lies below them is cut off."""
    return int(value.scaleb(digits(currency)))


def major(minor_units: int, currency: str) -> Decimal:
    return Decimal(minor_units).scaleb(-digits(currency))


def written(minor_units: int, currency: str) -> str:
    """With all its decimals, as in books: `927.00 ILS`, `15,000 JPY`."""
    return f"{major(minor_units, currency):,.{digits(currency)}f} {currency}"


def short(minor_units: int, currency: str) -> str:
    """The number as guests read it: decimals only where there are any."""
    whole, rest = divmod(minor_units, 10 ** digits(currency))
    return f"{whole:,}.{rest:0{digits(currency)}d}" if rest else f"{whole:,}"


def exact(text: str, currency: str) -> int:
    """An amount of a file in smallest units: a point before the decimals, commas between thousands.

    Raises ValueError for anything else, also for more decimals than the currency has: `1.200` euros may be meant for 1200.
    """
    decimals = rf"(?:\.\d{{1,{digits(currency)}}})?" if digits(currency) else ""
    if not re.fullmatch(rf"(?:\d+|\d{{1,3}}(?:,\d{{3}})+){decimals}", text):
        raise ValueError(f"{text!r} is no amount in {currency}")
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
    """A pattern, to be used without regard to case, for every way a currency is named in a house whose own is `own`."""
    codes = "|".join(sorted(_CODES - _LIKE_WORDS | {own}))
    more = [_OWN_NAMES[own]] if own in _OWN_NAMES else []
    return "|".join([*(pattern for pattern, _ in _NAMES), rf"(?:{codes})\b", *more])


def currency_named(name: str, own: str) -> str:
    """The code of the currency called so: the house's own where the name fits several."""
    for pattern, codes in _NAMES:
        if re.fullmatch(pattern, name, re.IGNORECASE):
            return own if own in codes.split() else codes.split()[0]
    return name.upper() if is_currency(name.upper()) else own


_SPOKEN = {
    "en": {"ILS": "shekels", "EUR": "euros", "USD": "US dollars", "GBP": "pounds", "JPY": "yen"},
    "he": {"ILS": "שקלים", "EUR": "אירו", "USD": "דולרים", "GBP": "לירות שטרלינג", "JPY": "ין"},
}


def spoken(currency: str, language: str) -> str:
    """Its name inside a sentence; its code where that is all we know, in Hebrew with the mark that joins a preposition."""
    return _SPOKEN[language].get(currency) or (f"־{currency}" if language == "he" else currency)


def label(currency: str, language: str) -> str:
    """What stands behind an amount: `NIS`, `ש״ח`; of any other currency its code."""
    return {"en": "NIS", "he": "ש״ח"}[language] if currency == "ILS" else currency
