"""The figures of texts and JSON: amounts, and dates, times, codes and telephone numbers by their digits."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from wavegraph.graph.tracing.words import spelled_numbers

_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_APART = re.compile("[:/-]")
_DOTTED_DATE = re.compile(r"(?<![\d.])(\d\d?)\.(\d\d?)\.(?=\d\d)")
_HOUR = re.compile(r"(?<!\d)(\d\d?):\d\d")
_SCALES = (1.0, 100.0)
_DOWN = (1e-3, 1e-6)


def figures_in(text: str) -> list[tuple[str, Sequence[Sequence[float]]]]:
    """Each figure as written, and what each number in it may be."""
    plain = _DOTTED_DATE.sub(r"\1/\2/", text)
    return [
        (text[found.start() : found.end()], [amounts(number) for number in _APART.split(found[0])])
        for found in _FIGURE.finditer(plain)
    ]


def amounts(number: str) -> Sequence[float]:
    """What a number may be: `1,250` a thousand and more, `64,50` with a comma for its point; a version is its digits as one."""
    *front, last = re.split(r"[,.]", number)
    signs, whole = re.sub(r"\d", "", number), float("".join([*front, last]))
    if not signs or signs.count(signs[-1]) > 1:
        return [whole]
    decimal = float(f"{''.join(front)}.{last}")
    if len(signs) > 1 or len(last) != 3:
        return [decimal]
    return [whole] if signs == "," else [decimal, whole]


def numbers(text: str) -> set[float]:
    """All that the figures of a text may be."""
    return {amount for _, held in figures_in(text) for each in held for amount in each}


def known_figures(source: Any) -> Iterator[float]:
    """What figures may be that are taken from JSON: numbers, also in whole units of minor ones, figures in texts, in words too
    and on a clock of twelve hours, and how long lists are."""
    for _, part in parts_of(source):
        if isinstance(part, str):
            yield from (*numbers(part), *spelled_numbers(part), *(int(hour) % 12 for hour in _HOUR.findall(part)))
        elif isinstance(part, int | float) and not isinstance(part, bool):
            yield from (abs(part), abs(part) / 100)
        elif isinstance(part, Mapping):
            yield from numbers(" ".join(map(str, part)))
        elif isinstance(part, list | tuple):
            yield len(part)


def parts_of(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """A value of JSON and all that is inside, each with its place."""
    yield place, value
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from parts_of(part, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list | tuple):
        for n, part in enumerate(value):
            yield from parts_of(part, f"{place}[{n}]")


def are_known(numbers: Sequence[Sequence[float]], known: Collection[float]) -> bool:
    """Whether each number may be a known figure."""
    return all(any(is_known(amount, known) for amount in each) for each in numbers)


def is_known(amount: float, known: Collection[float]) -> bool:
    """Whether it is one of the figures, perhaps to fewer places, as a percentage, in thousands or in millions."""
    if amount in known:
        return True
    places = len(f"{amount:.10f}".rstrip("0").partition(".")[2])
    scales = (*_SCALES, *_DOWN) if places or amount >= 10 else _SCALES  # 2 is no 2026 in thousands
    return any(round(each * scale, places) == amount for each in known for scale in scales)
