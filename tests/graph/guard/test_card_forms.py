"""The forms in which people type and paste one card number, and the plain text that they are read as."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavegraph.graph.guard.cards import MARK, WIDE, mask, mask_json, plain_text

GROUPS = ("4111", "1111", "1111", "1111")
CARD = "".join(GROUPS)
KEYCAPS = "".join(f"{each}\ufe0f\u20e3" for each in CARD)

BETWEEN = {
    "nothing": "", "space": " ", "two spaces": "  ", "five spaces": " " * 5, "six spaces": " " * 6, "a column": " " * 24,
    "tab": "\t", "two tabs": "\t\t", "newline": "\n", "empty lines": "\n\n\n\n\n\n\n", "no-break space": "\u00a0",
    "narrow space": "\u202f", "ideographic space": "\u3000", "thin space": "\u2009", "soft hyphen": "\u00ad",
    "zero width": "\u200b", "word joiner": "\u2060", "direction mark": " \u200e", "Hangul filler": "\u3164",
    "braille blank": "\u2800", "hyphen": "-", "spaced hyphen": " - ", "hyphens": "------", "non-breaking hyphen": "\u2011",
    "en dash": "–", "em dash": "—", "wide dash": "－", "maqaf": "־", "raised minus": "⁻", "heavy minus": "\u2796",
    "long vowel mark": "ー", "minus": "\u2212", "box line": "─", "dot": ".", "dots": "......", "ellipsis": "…",
    "middle dot": "·", "bullet": " • ", "katakana dot": "・", "full stop of Chinese": "。", "underscore": "_",
    "underscores": "________", "%20": "%20", "%20 six times": "%20" * 6, "%09": "%09", "%0A": "%0A", "%C2%A0": "%C2%A0",
    "%2D": "%2D", "%E2%80%93": "%E2%80%93", "&nbsp;": "&nbsp;", "&nbsp; and space": "&nbsp; &nbsp;", "&#160;": "&#160;",
    "&#xA0;": "&#xA0;", "&ensp;": "&ensp;", "&ndash;": "&ndash;", "&shy;": "&shy;", "&#45;": "&#45;", "<br>": "<br>",
    "<br/>": "<br />", "JSON newline": "\\n", "JSON space": "\\u00a0", "quotes": '" "', "single quotes": "' '",
    "one quote": '"', "curly quotes": "” “", "guillemets": "» «", "backticks": "` `", "gershayim": "״ ״",
    "quoted list": '", "', "comma": ",", "semicolon": "; ", "slash": "/", "slashes": " // ", "backslash": "\\", "bar": "|",
    "broken bar": " ¦ ", "colon": ":", "plus": "+", "star": "*", "tilde": "~", "wave": "〜", "equals": "=", "arrow": " > ",
    "dash arrow": " => ", "brackets": ") (", "square brackets": "][", "wide brackets": "） （", "raised one": "¹",
    "raised one and space": "¹ ", "footnotes": "²³", "lowered": "₂", "box mark": "\u20e3 ",
}  # fmt: skip
WHOLE = {
    "keycaps": KEYCAPS, "keycaps with spaces": " ".join(KEYCAPS[at : at + 12] for at in range(0, 48, 12)),
    "keycaps without variation": "".join(f"{each}\u20e3" for each in CARD),
    "raised digits": "⁴¹¹¹ ¹¹¹¹ ¹¹¹¹ ¹¹¹¹", "lowered digits": "₄₁₁₁₁₁₁₁₁₁₁₁₁₁₁₁", "circled": "④①①①①①①①①①①①①①①①",
    "black circles": "❹❶❶❶ ❶❶❶❶ ❶❶❶❶ ❶❶❶❶", "bold": "𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏", "typewriter": "𝟺𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷",
    "struck out": "".join(f"{each}\u0336" for each in CARD), "underlined": "".join(f"{each}\u0332" for each in CARD),
    "wide digits": "４１１１－１１１１－１１１１－１１１１", "Arabic": "٤١١١ ١١١١ ١١١١ ١١١١", "Devanagari": "४१११-११११-११११-११११",
    "%34": "%34111%201111%201111%201111", "&#52;": "&#52;111 1111 1111 1111", "\\u0034": "\\u0034111 1111 1111 1111",
    "each quoted": '"4111" "1111" "1111" "1111"', "each in brackets": "[4111] [1111] [1111] [1111]",
    "digit by digit": " ".join(CARD), "digit by digit, wide": (" " * 6).join(CARD), "digit by digit, web": "&nbsp;".join(CARD),
    "Amex": "3782&nbsp;822463&nbsp;10005", "Amex, wide": "3782      822463      10005", "Amex, quoted": "'3782' '822463' '10005'",
}  # fmt: skip


def forms() -> list[tuple[str, str]]:
    return [*((name, between.join(GROUPS)) for name, between in BETWEEN.items()), *WHOLE.items()]


@pytest.mark.parametrize("text", [text for _, text in forms()], ids=[name for name, _ in forms()])
def test_a_form_that_people_type_or_paste_goes(text: str) -> None:
    masked = mask(f"my card is {text} thanks")

    assert MARK in masked
    assert plain_text(masked).text.translate(dict.fromkeys(map(ord, "[]()'\"\t "), None)).isascii()
    assert not any(character.isdigit() for character in masked)
    assert masked.startswith("my card is ")
    assert masked.endswith(" thanks")


def test_the_table_is_wide() -> None:
    assert len({text for _, text in forms()}) == len(forms()) >= 100


@pytest.mark.parametrize(
    "text",
    [
        "052-1234567      054-7654321      050-1112223",
        '"052 123 4567" "054 765 4321"',
        "+972&nbsp;52&nbsp;123&nbsp;4567 +972&nbsp;54&nbsp;765&nbsp;4321",
        "(415) 555-2673 (415) 555-2674",
        "412.50&nbsp;380.00&nbsp;4150.02",
        "412.50      380.00      4150.02",
        "rates      4000      4150      4200      4350",
        '"4100" "4120" "4145" "4180"',
        "(4101) (4102) (4103) (4108)",
        "4990 > 4750 > 4240 > 4200",
        "2024&nbsp;2025&nbsp;2026&nbsp;2027",
        "3%2F12%2F2026 4%2F12%2F2026",
        "03.12.26      04.12.26      05.12.26",
        "2026-12-03&nbsp;2026-12-05",
        "20 m², 25 m² or 30 m²",
        "100%20 4111 %20",
        "5'10\" 6'2\" 5'11\"",
        "411111¹ 111111² 1111³",
        "1️⃣ breakfast 2️⃣ parking 3️⃣ late check-out",
        "①②③④⑤",
    ],
)
def test_other_numbers_in_such_forms_stay(text: str) -> None:
    assert mask(text) == text
    assert mask_json({"text": text}) == {"text": text}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"\u200f{CARD}\u200f", f"\u200f{MARK}\u200f"),
        (f"a&nbsp;{CARD}&nbsp;b", f"a&nbsp;{MARK}&nbsp;b"),
        (f"a      {CARD}      b", f"a      {MARK}      b"),
        (f"x{KEYCAPS}y 1️⃣", f"x{MARK}y 1️⃣"),
        (f"“4111” “1111” “1111” “1111”, for {CARD}", f"“{MARK}”, for {MARK}"),
        (f"{CARD}&nbsp;12/28&nbsp;cvv&nbsp;123 thanks", f"{MARK} thanks"),
        (f"{CARD}      exp      12/28", MARK),
        ("é \u05e9\u05b8 %20 &nbsp; \u00ad -- .. 12", "é \u05e9\u05b8 %20 &nbsp; \u00ad -- .. 12"),
    ],
)
def test_what_is_around_it_is_left_as_it_was(text: str, left: str) -> None:
    assert mask(text) == left


@pytest.mark.parametrize(
    ("given_list", "left"),
    [
        (["4111", " 1111", "1111 ", "1111", "Dana"], [MARK, "Dana"]),
        (["Dana", "٤١١١", "１１１１", 1111, "1111", 5], ["Dana", MARK, 5]),
    ],
)
def test_items_of_a_list_are_found_by_where_they_are(given_list: list[Any], left: list[Any]) -> None:
    assert mask_json(given_list) == left


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a  b", "a b"), ("a      b", f"a{WIDE}b"), ("a%20b", "a b"), ("a &nbsp; b", "a b"), ("a ' b", f"a{WIDE}b"), ("1️⃣2", "12"),
        ("4¹", f"4{WIDE}"), ("m²", "m2"), ("–—-", "-"), ("3。5", "3.5"), ("100%", "100%"), ("%zz &foo; \\x", "%zz &foo; \\x"),
        ("", ""), ("、／", ",/"),
    ],
)  # fmt: skip
def test_a_text_is_read_plainly(text: str, plain: str) -> None:
    assert plain_text(text).text == plain


PARTS = [*"4 1.-_\"'%&;,ab\u200f\ufe0f\u20e3²①–·٤é", "%20", "&nbsp;", "\\n"]


@given(st.lists(st.sampled_from(PARTS), max_size=60))
def test_every_place_leads_back_to_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    read = plain_text(text)
    starts, ends = read.starts, read.ends

    assert starts == sorted(set(starts))
    assert all(start < end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    for character, start, end in zip(read.text, starts, ends, strict=True):
        if end - start == 1 and character.isalnum() and character.isascii() and text[start].isascii():
            assert text[start] == character
