"""Card numbers made at random, in any writing, in texts and in JSON: none gets through."""

import random
import re
from collections.abc import Callable

import pytest

from wavegraph import mask, mask_json

pytestmark = pytest.mark.attack

NUMBERS = 600
PREFIXES = ["4", "51", "55", "2221", "2720", "34", "37", "6011", "65", "3528", "36", "62", "2200"]
BETWEEN = ["", " ", "-", ".", "\u00a0", "\u2009", "\u2011", "\n", "/", ",", ", ", ":", "|", " | "]
ZEROS = ["0", "\u0660", "\u06f0", "\u0966", "\uff10"]
AROUND = [
    "my card: {}",
    "{} thanks",
    "כרטיס {} תודה",
    "pay with {} please, for 2 adults on 3 May 2027",
    "({})",
    "card={};",
]


def card(chosen: random.Random) -> str:
    """A number with its scheme's prefix and length and a right check digit."""
    prefix = chosen.choice(PREFIXES)
    length = 15 if prefix in ("34", "37") else 14 if prefix == "36" else 16
    digits = prefix + "".join(chosen.choice("0123456789") for _ in range(length - len(prefix) - 1))
    doubled = [int(each) * (2 if n % 2 == 0 else 1) for n, each in enumerate(reversed(digits))]
    return digits + str(-sum(each - 9 if each > 9 else each for each in doubled) % 10)


def written(number: str, chosen: random.Random) -> str:
    between, zero = chosen.choice(BETWEEN), chosen.choice(ZEROS)
    groups = (4, 6, 5) if len(number) < 16 else (4, 4, 4, 4)
    cut, parts = 0, []
    for size in groups:
        parts.append(number[cut : cut + size])
        cut += size
    return between.join(filter(None, parts)).translate({ord("0") + n: chr(ord(zero) + n) for n in range(10)})


def is_like_prices(form: str) -> bool:
    """Rows of round numbers are left: four prices look so."""
    groups = re.findall(r"\d+", form)
    return any(mark in form for mark in "/,:|") and all(int(group) % 5 == 0 for group in groups)


def test_no_number_gets_through(seed: int, attempts: Callable[[str, int], None]) -> None:
    chosen = random.Random(seed)
    for _ in range(NUMBERS):
        form = written(card(chosen), chosen)
        if is_like_prices(form):
            continue
        text = chosen.choice(AROUND).format(form)
        assert form not in mask(text), text
        assert form not in str(mask_json({"messages": [{"content": [text]}]})["messages"][0]["content"][0]), text
    attempts("card numbers made at random, as text and as JSON", 2 * NUMBERS)
