"""Card numbers: found in every layout, and nothing else taken for one."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
import zlib
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt
from patience import HANGS_S, not_hanging
from runs import wait
from shell import Inside
from warehouse import Clerk

from wavegraph import Domain, build_graph, read, resume
from wavegraph import run as go
from wavegraph.app.run.runner import conversation
from wavegraph.graph.guard import cards
from wavegraph.graph.guard.cards import MARK, mask, mask_json, plain_text
from wavegraph.testing import ScriptedPlanner, call, planning

TEST_NUMBERS = (
    "4111111111111111", "4222222222222", "5555555555554444", "2223003122003222", "378282246310005", "30569309025904",
    "6011111111111117", "3530111333300000", "6200000000000005", "6759649826438453", "2200770239097761",
)  # fmt: skip
"""Numbers that schemes and payment companies publish for tests."""
KINDS = (("4", 16), ("4", 13), ("4", 19), ("51", 16), ("2221", 16), ("37", 15), ("36", 14), ("6011", 16), ("3528", 16),
         ("62", 19), ("6759", 18), ("2204", 16))  # fmt: skip
SENTENCES = (
    "{}", "my card is {}, thanks", "Please charge {} for two nights from 3 December 2026.", "{} is my number",
    "book it for 2 with {} today", "הכרטיס שלי {} תודה", "תחייבו את \u200f{}\u200f בבקשה", "visa:{}", "card={};", "({})",
    "call +972 54 123 4567 or charge {}", "the 2026-12-03 stay, card {}",
)  # fmt: skip
SCRIPTS = ("0", "٠", "۰", "０", "०")
"""The zero of each; the others follow it."""
BETWEEN = ("", " ", "-", ".", "\u00a0", "\u202f", "–", "  ", " - ", "\n", "\r\n", "־", "\u200e-", "_", "·")


def completed(beginning: str) -> str:
    """With the check digit that Luhn's rule asks for, found by trying."""
    return next(beginning + last for last in "0123456789" if checks(beginning + last))


def checks(number: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


@st.composite
def numbers(draw: st.DrawFn) -> str:
    prefix, length = draw(st.sampled_from(KINDS))
    rest = length - len(prefix) - 1
    return completed(prefix + draw(st.text("0123456789", min_size=rest, max_size=rest)))


@st.composite
def written(draw: st.DrawFn) -> str:
    """A number in groups of one size, or in those of American Express, between any two the same mark."""
    number = draw(numbers())
    sizes = draw(
        st.sampled_from([(4, 4, 4, 4, 4), (4, 6, 5, 4), (1,) * 19, (2,) * 10, (8, 8, 8), (6, 13), (5, 5, 5, 5)])
    )
    groups, at = [], 0
    for size in sizes:
        groups.append(number[at : at + size])
        at += size
    zero = ord(draw(st.sampled_from(SCRIPTS)))
    text = draw(st.sampled_from(BETWEEN)).join(group for group in groups if group)
    return "".join(chr(zero + int(each)) if each in "0123456789" else each for each in text)


@given(number=written(), sentence=st.sampled_from(SENTENCES))
def test_a_valid_number_is_removed_in_every_layout(number: str, sentence: str) -> None:
    assert mask(sentence.format(number)) == sentence.format(MARK)


@pytest.mark.parametrize("number", TEST_NUMBERS)
def test_published_test_numbers_are_removed(number: str) -> None:
    assert mask(f"charge {number} please") == f"charge {MARK} please"


SCHEMES = {
    (2200, 2204): range(16, 20), (2221, 2720): (16,), (3000, 3059): (14, 16, 17, 18, 19),
    (3095, 3095): (14, 16, 17, 18, 19), (3400, 3499): (15,), (3528, 3589): range(16, 20), (3600, 3699): range(14, 20),
    (3700, 3799): (15,), (3800, 3999): range(14, 20), (4000, 4999): (13, 16, 19), (5000, 5099): range(13, 20),
    (5100, 5599): (16,), (5600, 6999): range(13, 20), (8100, 8299): range(16, 20), (8600, 8600): (16,),
    (9792, 9792): (16,), (9860, 9860): (16,),
}  # fmt: skip
"""The first four digits that each scheme's numbers have, from and to, and how many they have in all."""


def test_a_number_begins_and_measures_as_some_schemes_do() -> None:
    edges = {edge for first, last in SCHEMES for edge in (first - 1, first, last, last + 1)}
    for edge in sorted(edges):
        lengths = next((lengths for (first, last), lengths in SCHEMES.items() if first <= edge <= last), ())
        for length in range(12, 22):
            number = completed(f"{edge}{'7' * (length - 5)}")
            assert mask(number) == (MARK if length in lengths else number)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("+378282246310005", None),
        ("+4111111111111111", f"+{MARK}"),
        ("call +378282246310005 or 378282246310005", f"call +378282246310005 or {MARK}"),
        ("00 4222222222222", None),
        ("00 378282246310005", f"00 {MARK}"),
        ("0 4222222222222", f"0 {MARK}"),
        ("412.50 380.00 4150.02", None),
        ("at 14.51 12345.50 12345.07", None),
        ("5.10.26 6.10.26 11.12.16", None),
        ("412 50 380 00 4150 02", MARK),
        ("4000 4222222222222 14", MARK),
        ("4111 4002 1111 0002 0002", MARK),
        ("1 4111 1111 1111 1111 1", f"1 {MARK} 1"),
        ("4111 1111 1111 11115", None),
    ],
    ids=[
        "a phone number as long as they get", "one that is longer", "beside a card", "dialled abroad", "and longer",
        "a single nought", "prices", "prices, seen from the middle of one", "short dates", "no prices",
        "one number within another", "two numbers that overlap", "between single digits", "only to the end of a group",
    ],
)  # fmt: skip
def test_what_looks_like_a_number_is_told_by_what_is_around_it(text: str, left: str | None) -> None:
    assert mask(text) == (text if left is None else left)


@given(number=numbers(), place=st.integers(0, 18), more=st.integers(1, 9))
def test_a_number_that_does_not_check_stays(number: str, place: int, more: int) -> None:
    place %= len(number)
    changed = number[:place] + str((int(number[place]) + more) % 10) + number[place + 1 :]
    assert mask(changed) == changed


PRICE = st.decimals(min_value=0, max_value=10**7, places=2, allow_nan=False)
DAY = st.dates(date(1990, 1, 1), date(2099, 12, 31))
PHONES = st.one_of(
    st.from_regex(r"05[0-8]-[0-9]{7}", fullmatch=True),
    st.from_regex(r"05[0-8]-[0-9]{3}-[0-9]{4}", fullmatch=True),
    st.from_regex(r"0[234689] [0-9]{3} ?[0-9]{4}", fullmatch=True),
    st.from_regex(r"\+972[ -]?5[0-8][ -]?[0-9]{3}[ -]?[0-9]{4}", fullmatch=True),
    st.from_regex(r"\+[1-9][0-9]{6,14}", fullmatch=True),
    st.from_regex(r"\+4[0-9] [0-9]{3} [0-9]{4} [0-9]{4}", fullmatch=True),
    st.from_regex(r"\(?[2-9][0-9]{2}\)? [2-9][0-9]{2}-[0-9]{4}", fullmatch=True),
    st.from_regex(r"0044 [0-9]{2} [0-9]{4} [0-9]{4}", fullmatch=True),
)


@given(first=DAY, second=DAY, between=st.sampled_from([" ", " to ", " - ", "/", "\n"]))
def test_dates_stay(first: date, second: date, between: str) -> None:
    for form in ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%y", "%Y%m%d", "%Y-%m-%dT%H:%M:%SZ"):
        text = f"from {first:{form}}{between}{second:{form}}"
        assert mask(text) == text


@given(phones=st.lists(PHONES, min_size=1, max_size=3), day=DAY)
def test_phone_numbers_stay(phones: list[str], day: date) -> None:
    text = f"{day} {', '.join(phones)} or {day:%d.%m.%Y} {phones[0]}"
    assert mask(text) == text


@given(prices=st.lists(PRICE, min_size=1, max_size=4), form=st.sampled_from(["{}", "{:,}", "₪{}", "{} NIS", "{:.0f}"]))
def test_prices_stay(prices: list[Any], form: str) -> None:
    text = "about " + " or ".join(form.format(price) for price in prices)
    assert mask(text) == text


@given(prices=st.lists(PRICE, min_size=2, max_size=5))
def test_prices_in_a_row_stay(prices: list[Any]) -> None:
    text = " ".join(str(price) for price in prices)
    assert mask(text) == text


@given(st.one_of(st.uuids().map(str), st.binary(min_size=16, max_size=16).map(bytes.hex)))
@example("00000000-4111-4111-8111-111111111111")
@example("f1111111-4111-4111-8111-111111111111")
def test_ids_stay(name: str) -> None:
    assert mask(f"thread {name}") == f"thread {name}"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("4111111111111111 exp 12/28 cvv 123, thanks", f"{MARK}, thanks"),
        ("4111111111111111, expires 12/2028, CVC: 1234.", f"{MARK}."),
        ("4111 1111 1111 1111 12/28 123", MARK),
        ("4111 1111 1111 1111 valid thru 1228", MARK),
        ("4111 1111 1111 1111 123", MARK),
        ("4111-1111-1111-1111 and security code is 999 for Dana", f"{MARK} for Dana"),
        ("cvv 123 of 4111111111111111", f" of {MARK}"),
        ("4111111111111111 for Dana Levi, cvv 123", f"{MARK} for Dana Levi, "),
        ("כרטיס 4111111111111111 בתוקף עד 12/28 קוד אבטחה 123 תודה", f"כרטיס {MARK} תודה"),
        ("4111111111111111 2026-12-03 for 2", f"{MARK} 2026-12-03 for 2"),
        ("4111111111111111 or 5555555555554444", f"{MARK} or {MARK}"),
        ("4111111111111111 5555555555554444", f"{MARK} {MARK}"),
        ("room 12 4111 1111 1111 1111 3 nights", f"room 12 {MARK} 3 nights"),
        ("+1 415 555 2673 4111 1111 1111 1111", f"+1 415 555 2673 {MARK}"),
        ("a code of 123, 12/28", "a code of 123, 12/28"),
    ],
)
def test_what_is_told_with_the_number_goes_too(text: str, left: str) -> None:
    assert mask(text) == left
    assert mask(left) == left


def test_a_json_body_is_masked_at_any_depth() -> None:
    blocks = [{"type": "text", "text": "card 4111111111111111"}, {"type": "image_url", "image_url": {"url": "x"}}]
    body = {
        "input": {"messages": [{"role": "user", "content": blocks}, ["user", "5555555555554444"]]},
        "command": {"resume": {"note": "378282246310005", "number": 4111111111111111, "n": 4, "ok": True, "no": None}},
        "metadata": {"4111 1111 1111 1111": "mine"},
        "at": 1795170000000, "price": 411.5, "thread_id": "f1111111-4111-4111-8111-111111111111",
    }  # fmt: skip
    masked = mask_json(body)

    assert masked["input"]["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": f"card {MARK}"}, blocks[1]]},
        ["user", MARK],
    ]
    assert masked["command"]["resume"] == {"note": MARK, "number": MARK, "n": 4, "ok": True, "no": None}
    assert masked["metadata"] == {MARK: "mine"}
    assert {name: masked[name] for name in ("at", "price", "thread_id")} == {
        name: body[name] for name in ("at", "price", "thread_id")
    }
    assert "4111111111111111" in json.dumps(body), "the body given is left as it is"
    assert mask_json(("5555555555554444", -4111111111111111, 4111111111111112)) == (MARK, f"-{MARK}", 4111111111111112)


@pytest.mark.parametrize(
    "text", ["4 " * 20_000, "4" * 50_000, "4111111111111111 " * 2000, " " * 50_000, "1.1.26 " * 8000]
)
def test_long_texts_are_read_to_an_end(text: str) -> None:
    with not_hanging():
        assert "4111111111111111" not in mask(text)


def test_what_is_too_short_for_a_number_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not to be read plainly, where it is a text, and not to be added up, where it is digits in one."""
    many: Any = {"numbers": [4, 41] * 500, "texts": ["4111 1111"] * 500, "names": {f"{n}": n for n in range(500)}}
    monkeypatch.setattr(cards, "_has_check_digit", None)
    assert mask("1. ok 4111 " * 500) == "1. ok 4111 " * 500
    monkeypatch.setattr(cards, "plain_text", lambda text: plain_text(text) if "," in text else None)
    assert mask_json(many) == many


NUMBER = "4111 1111 1111 1111"


def everything_kept(database: Path) -> str:
    """All that a database file holds, its compressed values opened."""
    with sqlite3.connect(database) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        cells = [cell for name in names for row in connection.execute(f'SELECT * FROM "{name}"') for cell in row]
    return "\n".join(_opened(cell) for cell in cells)


def _opened(cell: Any) -> str:
    if isinstance(cell, bytes):
        with suppress(zlib.error):
            cell = zlib.decompress(cell)
        return str(cell, errors="replace")
    return str(cell)


def test_the_runner_masks_a_request_and_a_reply() -> None:
    replies: list[Any] = []

    @tool
    async def ask_guest() -> str:
        """Ask."""
        replies.append(interrupt("Which card?"))
        return "noted"

    script = ScriptedPlanner(planning(call("ask", "ask_guest")))
    domain = Domain(name="desk", tools=[read(ask_guest)], offline=Clerk())
    graph = build_graph(domain, planner=script).compile(checkpointer=InMemorySaver())

    async def both() -> list[Any]:
        await go(graph, f"pay with {NUMBER}", thread_id="t")
        await resume(graph, "t", reply={"card": NUMBER, "name": "Dana"})
        return await conversation(graph, "t")

    messages = wait(both())
    assert messages[0].text == f"pay with {MARK}"
    assert replies == [{"card": MARK, "name": "Dana"}]


def test_the_command_line_keeps_no_card_number(inside: Inside) -> None:
    asked = inside("ask", f"count bolt, card {NUMBER}", "--thread", "t1", "--debug")
    talked = inside("chat", "--thread", "t2", typed=f"count bolt, card {NUMBER}\n/card {NUMBER}\n")
    listed = inside.plain("threads", "--db", inside.database)

    assert MARK in listed.stdout
    for done in (asked, talked, listed):
        assert NUMBER not in done.stdout + done.stderr
    kept = everything_kept(Path(inside.database))
    assert MARK in kept
    assert NUMBER not in kept


def test_the_arrow_keys_bring_no_card_number_back() -> None:
    code = (
        "import asyncio, readline\nfrom rich.console import Console\nfrom wavegraph.app.terminal.chat import Chat\n"
        "async def told(text, thread): print('got', text, flush=True)\n"
        "with asyncio.Runner() as runner:\n"
        "    Chat(runner, told, None, thread_id='t', new_thread_id=None, console=Console()).loop()\n"
        "print('kept', [readline.get_history_item(n + 1) for n in range(readline.get_current_history_length())])\n"
    )
    terminal, end = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", code], stdin=end, stdout=end, stderr=end)
    os.close(end)
    os.write(terminal, f"card {NUMBER}\n/quit\n".encode())
    shown = _shown(terminal)
    assert process.wait(HANGS_S) == 0
    os.close(terminal)
    assert f"got card {MARK}" in shown
    assert f"kept ['card {MARK}', '/quit']" in shown


def test_a_line_that_is_too_long_is_neither_masked_nor_kept() -> None:
    code = (
        "import asyncio, readline\nfrom rich.console import Console\nfrom wavegraph.app.terminal import chat\n"
        "async def told(text, thread): print('got', len(text), flush=True)\n"
        "chat.mask = None\nchat.input = lambda prompt: lines.pop()\n"
        "lines = ['/quit', 'x' * 20_001]\nreadline.add_history('before')\nreadline.add_history(lines[1])\n"
        "with asyncio.Runner() as runner:\n"
        "    talk = chat.Chat(runner, told, None, thread_id='t', new_thread_id=None, console=Console())\n"
        "    talk._prompt = 'you> '\n"
        "    print('got', len(talk._read()))\n"
        "print('kept', [readline.get_history_item(n + 1) for n in range(readline.get_current_history_length())])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == ["got 20001", "kept ['before']"]


def _shown(terminal: int) -> str:
    parts = []
    with suppress(OSError):  # the other end is closed
        while part := os.read(terminal, 4096):
            parts.append(part)
    return b"".join(parts).decode()
