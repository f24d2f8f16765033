"""Numbers in English and Hebrew words, of what an answer may draw on."""

import re
from collections.abc import Iterator

_WORDS_OF = {
    0: "zero אפס",
    2: "two twice couple pair second שתיים שניים שתי שני זוג שנייה שניה פעמיים יומיים שבועיים חודשיים שעתיים שנתיים",
    3: "three thrice third שלוש שלושה שלושת שלישי שלישית",
    4: "four fourth ארבע ארבעה ארבעת רביעי רביעית",
    5: "five fifth חמש חמישה חמשת חמישי חמישית",
    6: "six sixth שש שישה ששה ששת שישי שישית",
    7: "seven seventh שבע שבעה שבעת שביעי שביעית",
    8: "eight eighth שמונה שמונת שמיני שמינית",
    9: "nine ninth תשע תשעה תשעת תשיעי תשיעית",
    10: "ten tenth עשר עשרה עשרת עשירי עשירית",
    11: "eleven",
    12: "twelve dozen noon midday תריסר",
    13: "thirteen",
    14: "fourteen",
    15: "fifteen",
    16: "sixteen",
    17: "seventeen",
    18: "eighteen",
    19: "nineteen",
    20: "twenty עשרים",
    30: "thirty שלושים",
    40: "forty ארבעים",
    50: "fifty half חמישים חצי",
    60: "sixty שישים",
    70: "seventy שבעים",
    80: "eighty שמונים",
    90: "ninety תשעים",
    100: "hundred hundreds מאה מאות",
    200: "מאתיים",
    1000: "thousand thousands אלף אלפים אלפי",
    2000: "אלפיים",
    1_000_000: "million millions מיליון מיליוני",
}
_NUMBER_OF = {word: number for number, words in _WORDS_OF.items() for word in words.split()}
_NUMBER_WORD = re.compile(
    rf"(?<![^\W\d_])[ובלמהכש]{{0,2}}?(?P<word>{'|'.join(_NUMBER_OF)})(?![^\W\d_])",
    re.IGNORECASE,
)
"""In Hebrew with up to two prefixes."""


def spelled_numbers(text: str) -> Iterator[float]:
    """Each by itself, and together with those right before it: of `two hundred and five` 2, 100, 200, 5 and 205."""
    total, end = 0, 0
    for found in _NUMBER_WORD.finditer(text):
        number = _NUMBER_OF[found["word"].casefold()]
        if text[end : found.start()].strip(" -") not in ("", "and"):
            total = 0
        total = max(total, 1) * number if number >= 100 else total + number
        end = found.end()
        yield from (number, total)
