"""What of a text may be shown."""

import json
import sys
import unicodedata

from graffiti import HOSTILE
from patience import not_hanging
from tables import table

from wavegraph.app.plain_text import plain, plain_lines, visible, visible_json

SHOWN = [
    ("letters of any script", "Ünïcode שלום سلام 你好 नमस्ते", "Ünïcode שלום سلام 你好 नमस्ते"),
    ("Hebrew points and Arabic numbers' sign", "שָׁלוֹם \u0600١٢", "שָׁלוֹם \u0600١٢"),
    ("joiners, which spell Persian and emoji", "می\u200cخواهم 👩\u200d⚕️", "می\u200cخواهم 👩\u200d⚕️"),
    ("lines and columns", "a\n\tb", "a\n\tb"),
    ("markup", "[red]x[/red] [link=http://a]b[/link]", "[red]x[/red] [link=http://a]b[/link]"),
    ("a colour", "\x1b[31mred\x1b[0m", "red"),
    ("a colour with colons", "\x1b[38:2::1:2:3mred", "red"),
    ("a colour by one byte", "\x9b31mred", "red"),
    ("the screen cleared", "a\x1b[2J\x1b[Hb", "ab"),
    ("a link", "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x07", "here"),
    ("the clipboard", "\x1b]52;c;ZXZpbA==\x07x", "x"),
    ("a title by one byte", "\x9d0;title\x9cx", "x"),
    ("a program for the printer", "\x1bP1$r\x1b\\x\x1b_y\x9cz", "xz"),
    ("a title that does not end", "\x1b]0;title and all the rest", "]0;title and all the rest"),
    ("a title that goes over lines", "\x1b]0;a\nb\x07c", "]0;a\nbc"),
    ("a colour that does not end", "a\x1b[31", "a[31"),
    ("one within another", "\x1b\x1b[0m[31mx", "[31mx"),
    ("a reset", "a\x1bcb", "acb"),
    ("a bell, a step back, a delete", "a\x07\x08\x7fb\x00", "ab"),
    ("a line written over", "good\rbad", "good\nbad"),
    ("the ends of lines", "a\r\nb\x0bc\x0cd\x85e\u2028f\u2029g", "a\nb\nc\nd\ne\nf\ng"),
    ("text turned round", "abc\u202edef\u202c \u2067x\u2069", "abcdef x"),
    ("marks of direction", "\u200fשלום\u200e \u061cx", "שלום x"),
    ("what is not seen", "a\u200bb\u2060c\ufeffd\u00ade\u180e", "abcde"),
    ("letters of tags", "x\U000e0041\U000e007f", "x"),
    ("half a letter", "a\ud83d", "a\ufffd"),
]


@table(("text", "shown"), [case[1:] for case in SHOWN])
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown
    assert json.loads(visible_json(json.dumps({text: text}, ensure_ascii=False))) == {text: text}


def test_in_one_line() -> None:
    assert plain(" a\x1b[2J\r\n b\u2028c ") == "a b c"
    assert plain_lines(" a  b\n\x1b[31m c ") == "a b\nc"


def kept(letter: str) -> bool:
    return visible(letter) == letter


def test_of_all_of_unicode_only_what_is_seen_is_kept() -> None:
    """By Unicode's own table: controls, and formats but the joiners and the signs that enclose numbers."""
    enclosing = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
    seen = {"\n", "\t", "\u200c", "\u200d", *enclosing}
    hieroglyphs = {chr(code) for code in range(0x13430, 0x13460)}  # how signs are stacked: nothing is hidden by them
    every = {chr(code) for code in range(sys.maxunicode + 1)}
    unseen = {letter for letter in every if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")}

    assert {letter for letter in unseen - seen - hieroglyphs if kept(letter)} == set()
    assert {letter for letter in seen | hieroglyphs if not kept(letter)} == set()
    lost = {letter for letter in every - unseen if not kept(letter)}
    assert {letter for letter in lost if unicodedata.category(letter) != "Cn" and not letter >= "\U000e0000"} == set()


def test_json_is_ascii_where_a_terminal_would_obey() -> None:
    written = visible_json(json.dumps(HOSTILE, ensure_ascii=False))

    assert "שלום" in written
    assert visible(written) == written
    assert json.loads(written) == HOSTILE


@table("part", ["\x1b", "\x1b[", "\x1b]", "\x1b]0;x", "\x9d", "\x1bP", "\x1b[1;", "\x9b ", "\r", "\u202e"])
def test_a_long_text_is_read_once(part: str) -> None:
    with not_hanging():
        visible(part * (3_000_000 // len(part)))
