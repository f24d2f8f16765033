"""A secret that the process knows is removed from a text however it is spelled, broken or cut; ordinary words stay."""

import base64
import html
import json
import textwrap
from collections.abc import Callable
from itertools import product
from urllib.parse import quote, quote_plus
from xml.etree.ElementTree import Element, tostring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavegraph.graph.secrets.scrubber import DEEPEST, MARK, MOST_TAUGHT, Scrubber

KEY = "sk-proj-Zq7xVb2nM9kLpT4wRs8uYd3f"
ODD = 'Zq7"x\\V/b+2%n&M<k>é=wRs8uYd3f'
QUOTES = "Zq7'x\"V&b2n-é4"
"""Too short for its pieces to be recognised."""
SPELLED: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in JSON": json.dumps,
    "in JSON with its letters": lambda text: json.dumps(text, ensure_ascii=False),
    "in JSON in JSON": lambda text: json.dumps(json.dumps({"said": text})),
    "in Python": repr,
    "as a URL's part": lambda text: quote(text, safe=""),
    "as a URL's path": quote,
    "as a form's value": quote_plus,
    "in lower-case percents": lambda text: quote(text, safe="").replace("%2F", "%2f").replace("%C3%A9", "%c3%a9"),
    "as a URL's login": lambda text: quote(text, safe="!$&'()*+,;="),
    "in HTML": html.escape,
    "in HTML's text": lambda text: html.escape(text, quote=False),
    "in an attribute of XML": lambda text: tostring(Element("login", password=text), encoding="unicode"),
    "in an attribute of ASCII XML": lambda text: tostring(Element("login", password=text)).decode(),
    "as a login": lambda text: base64.b64encode(f"desk:{text}".encode()).decode(),
    "as another login": lambda text: base64.b64encode(f"clerk:{text}".encode()).decode(),
    "in URL-safe base64": lambda text: base64.urlsafe_b64encode(f"a:{text}, and more".encode()).decode(),
    "in wrapped base64": lambda text: base64.encodebytes(f"{'x' * 60}{text}".encode()).decode(),
    "broken in the middle": lambda text: f"{text[:13]}\n    {text[13:]}",
    "broken in quotes": lambda text: f'"{text[:13]}"\n  | "{text[13:]}"',
    "broken in JSON": lambda text: json.dumps(f"{text[:13]}\n{text[13:]}"),
    "broken in Windows": lambda text: f"{text[:13]}\r\n{text[13:]}",
    "twice": lambda text: f"{text}{text}",
}


def knows(*secrets: str) -> Scrubber:
    scrubber = Scrubber()
    scrubber.learn(*secrets)
    return scrubber


@pytest.mark.parametrize("secret", [KEY, ODD, QUOTES], ids=["a key", "an odd password", "a short one with quotes"])
@pytest.mark.parametrize("way", SPELLED)
def test_a_secret_is_removed_however_it_is_spelled(secret: str, way: str) -> None:
    text = f"401 for {SPELLED[way](secret)}: no such login"

    scrubbed = knows(secret).scrub(text)

    assert scrubbed.startswith("401 for ")
    assert scrubbed.endswith(": no such login")
    assert MARK in scrubbed
    assert not [secret[at : at + 6] for at in range(8, len(secret) - 6) if secret[at : at + 6] in scrubbed]
    assert knows(secret).scrub(scrubbed) == scrubbed


def test_a_secret_that_is_cut_off_is_removed_as_far_as_it_goes() -> None:
    for cut in range(12, len(KEY)):
        assert knows(KEY).scrub(f"the key {KEY[:cut]}") == f"the key {MARK}"
        assert knows(KEY).scrub(f"the key {KEY[:cut]}… is wrong") == f"the key {MARK}… is wrong"
    for cut in range(len(KEY) - 8):
        assert knows(KEY).scrub(f"…{KEY[cut:]} is wrong") == f"…{MARK} is wrong"


def test_what_all_keys_of_a_vendor_begin_with_stays() -> None:
    assert knows(KEY).scrub("a key begins with sk-proj- or sk-ant-") == "a key begins with sk-proj- or sk-ant-"


@given(secret=st.text("abcXYZ019+/=.!%&<>'", min_size=16, max_size=60), cut=st.integers(8, 60))
def test_no_eight_signs_of_a_secret_are_left(secret: str, cut: int) -> None:
    secret = f"Zq7{secret}9kL"
    for text in (f"[{secret}]", f"[{json.dumps(secret)}]", f"[{quote(secret, safe='')}]", f"[{secret[:cut]}"):
        scrubbed = knows(secret).scrub(text).replace(MARK, "")
        assert not [at for at in range(0, len(secret) - 7, 8) if secret[at : at + 8] in scrubbed], text


ORDINARY = ["test", "sandbox", "password", "postgres", "EMPTY", "Not-Needed", "20261205", "2026-12-05", "my local key"]


@pytest.mark.parametrize("word", ORDINARY)
def test_an_ordinary_word_stays_but_where_the_text_says_it_is_a_secret(word: str) -> None:
    scrubber = knows(word)
    for text in (f"a {word} of {word}", f"({word})", f"{word}: none", f"the key {word} is unknown", f"monkey: {word}"):
        assert scrubber.scrub(text) == text
    for telling in ("password={}", "PGPASSWORD={}", '"password": "{}"', "password '{}' is wrong", "passwd {}", "Bearer {}",
                    "the password is {}", "api_key={}", "token: {}", "{{\\\"secret\\\": \\\"{}\\\"}}"):  # fmt: skip
        assert scrubber.scrub(telling.format(word)) == telling.format(MARK)
    assert scrubber.scrub(f"https://desk:{quote(word)}@pms.example/x") == f"https://desk:{MARK}@pms.example/x"


def test_an_ordinary_password_is_no_part_of_a_login() -> None:
    login = base64.b64encode(b"desk:sandbox-password").decode()
    assert "c2FuZGJve" not in knows("sandbox-password", "desk:sandbox-password").scrub(f"Authorization: Basic {login}")


@pytest.mark.parametrize(("secret", "text"), [("hunter2", "hunter22 hunter2s xhunter2"), ("ab12cd", "ab12cde 0ab12cd")])
def test_a_short_secret_is_removed_as_a_word(secret: str, text: str) -> None:
    assert knows(secret).scrub(text) == text
    assert knows(secret).scrub(f"login with {secret}.") == f"login with {MARK}."


@pytest.mark.parametrize("secret", ["", "a", "abc", "1", None])
def test_what_is_too_short_is_no_secret(secret: str) -> None:
    assert knows(secret).scrub("password=abc, a 1 is a b c") == "password=abc, a 1 is a b c"


@pytest.mark.parametrize("url", ["postgresql://desk:{}@db/hotel", "https://:{}@pms.example", "redis://u:{}@h:1/0"])
def test_the_login_of_an_address_is_removed_though_nobody_knows_it(url: str) -> None:
    assert Scrubber().scrub(url.format("a%2Fb;c")) == url.format(MARK)
    assert (
        Scrubber().scrub("https://inn.example:8080/a@b and 12:30 @ 7") == "https://inn.example:8080/a@b and 12:30 @ 7"
    )


def test_the_longest_of_two_secrets_that_begin_alike_is_removed_whole() -> None:
    assert (
        knows("hunter2", "hunter2-Zq7xVb2nM9kLpT", "hunter2-Zq7xVb2nXXXX99").scrub("is hunter2-Zq7xVb2nM9kLpT it")
        == f"is {MARK} it"
    )


def test_values_are_cleaned_at_any_depth_and_others_stay_the_same_object() -> None:
    clean = {"a": ["b", {"c": 1}], "d": ("e", None)}
    assert knows(KEY).scrub_json(clean) is clean

    held = {"a": [f"b {KEY}", {KEY: 1}], "d": (KEY, 2.5, True)}
    assert knows(KEY).scrub_json(held) == {"a": [f"b {MARK}", {MARK: 1}], "d": (MARK, 2.5, True)}
    assert held["a"] == [f"b {KEY}", {KEY: 1}]

    deep: list[object] = [KEY]
    for _ in range(DEEPEST * 3):
        deep = [deep]
    assert KEY not in repr(knows(KEY).scrub_json(deep))


def test_the_environment_is_read_again_and_the_taught_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    scrubber = knows(KEY)
    monkeypatch.setenv("MINI_PASSWORD", "Zq7-first-one")
    scrubber.read_environment()
    assert scrubber.scrub(f"Zq7-first-one {KEY}") == f"{MARK} {MARK}"
    monkeypatch.setenv("MINI_PASSWORD", "Zq7-second-one")
    scrubber.read_environment()
    assert scrubber.scrub(f"Zq7-first-one Zq7-second-one {KEY}") == f"Zq7-first-one {MARK} {MARK}"


def test_no_more_are_kept_than_fit() -> None:
    scrubber = Scrubber()
    for number in range(MOST_TAUGHT + 2):
        scrubber.learn(f"Zq7-{number:06}-x")
    assert scrubber.scrub("Zq7-000000-x Zq7-000200-x") == f"Zq7-000000-x {MARK}"
    assert scrubber.scrub(f"Zq7-{MOST_TAUGHT:06}-x {MARK} Zq7-{MOST_TAUGHT + 1:06}-x") == f"{MARK} {MARK} {MARK}"


def test_among_many_each_is_found() -> None:
    scrubber = knows(*(f"Zq7-{number:06}-x{KEY[::-1]}" for number in range(300)))
    for number in (0, 150, 299):
        secret = f"Zq7-{number:06}-x{KEY[::-1]}"
        login = base64.b64encode(f"desk:{secret}".encode()).decode()
        scrubbed = scrubber.scrub(f"a {secret}, {json.dumps([secret])}, {login[8:]}").removesuffix(login[-3:])
        assert scrubbed == f'a {MARK}, ["{MARK}"], {MARK}'
    assert scrubber.scrub("nothing of it") == "nothing of it"
    assert scrubber.scrub("") == ""


def test_no_line_end_hides_a_secret() -> None:
    for before, width in product(range(0, 40, 3), range(33, 100, 7)):
        wrapped = textwrap.wrap(f"{'x' * before} {KEY} is wrong", width, break_on_hyphens=False)
        for text in ("\n".join(wrapped), "\n│ ".join(wrapped), json.dumps("\n  ".join(wrapped))):
            scrubbed = knows(KEY).scrub(text)
            assert not [KEY[at : at + 8] for at in range(8, len(KEY) - 7) if KEY[at : at + 8] in scrubbed], scrubbed
