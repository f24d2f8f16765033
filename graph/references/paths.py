"""References: what a plan may write in place of a value, and the paths inside them.

A reference `{"ref": {"call": "dates", "path": "stays[0].check_in"}}` stands for a value of another call's result, its type
kept. A text may hold several: `{"text": "{a}: paid", "with": {"a": <reference>}}`. A call with `"each": <reference
to a list>` is made once for each element, which its arguments refer to as a call named `each`. Everything here is pure.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from string import Formatter
from typing import Any, NamedTuple

ELEMENT = "each"
"""Stands for the element, in place of a call's id, in a call made for each element."""
_STEP = re.compile(
    r'\[(?P<field>[^\[\]=]++)==?\s*+(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"\s*+(?=\])|(?P<bare>[^\[\]]*+))\]'
    r"|\[(?P<index>-?\d+)\]|(?P<name>[^.\[\]]+)"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Selector(NamedTuple):
    """The element of a list whose `field` has this value: `[name=blue]`, `[name="dark blue"]`."""

    field: str
    value: str


PathStep = str | int | Selector
"""A field's name, an index, or a selector."""


class TextTemplate(NamedTuple):
    """A text with values in it."""

    template: str
    values: Mapping[str, Any]


class Ambiguous(LookupError):
    """A selector that matches several elements."""


def as_reference(value: Any) -> tuple[str, str] | None:
    """`(call id, path)` of `{"ref": {"call": …, "path": …}}`; None for anything else."""
    match value:
        case {"ref": {"call": str() as call, **rest}} if len(value) == 1:
            return call, str(rest.get("path") or "")
    return None


def as_text(value: Any) -> TextTemplate | None:
    """The text of `{"text": …, "with": {…}}` with at least one reference; None for anything else."""
    match value:
        case {"text": str() as template, "with": dict() as values} if len(value) == 2:
            return TextTemplate(template, values) if references(values) else None
    return None


def references(value: Any) -> list[tuple[str, str]]:
    """All references inside a value, in order."""
    if not isinstance(value, dict | list):
        return []
    if (found := as_reference(value)) is not None:
        return [found]
    parts = value.values() if isinstance(value, dict) else value
    return [reference for part in parts for reference in references(part)]


def with_references(value: Any, change: Callable[[str, str, str], Any], place: str = "") -> Any:
    """The value with what `change(call id, path, place)` gives for each reference. `place`: where it stands: `guests.0.name`."""
    if (found := as_reference(value)) is not None:
        return change(*found, place)
    if isinstance(value, dict):
        return {key: with_references(part, change, f"{place}.{key}") for key, part in value.items()}
    if isinstance(value, list):
        return [with_references(part, change, f"{place}.{index}") for index, part in enumerate(value)]
    return value


def reference(call: str, path: str) -> dict[str, Any]:
    return {"ref": {"call": call, "path": path}}


def needs(call: Mapping[str, Any]) -> list[tuple[str, str]]:
    """`(call id, path)` of all that a call needs of others."""
    if call.get(ELEMENT) is None:
        return references(call["args"])
    return [*references(call[ELEMENT]), *(found for found in references(call["args"]) if found[0] != ELEMENT)]


def all_needed(call: Mapping[str, Any], calls: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The ids of the calls that it refers to, directly or through others of these."""
    found, waiting = set[str](), [call]
    while waiting:
        new = {target for target, _ in needs(waiting.pop())} - found
        found |= new
        waiting += [calls[name] for name in new if name in calls]
    return found


# Paths


def path_steps(path: str) -> list[PathStep]:
    """`stays[0].check_in` and `items[name=blue].id`, step by step. Raises ValueError for an index of too many digits."""
    return [_step(found) for found in _STEP.finditer(path)]


def _step(found: re.Match[str]) -> PathStep:
    if found["field"] is None:
        return int(found["index"]) if found["index"] else found["name"]
    bare = (found["bare"] or "").strip()
    value = bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] == "'" else bare
    return Selector(found["field"].strip(), re.sub(r"\\(.)", r"\1", found["quoted"] or "") or value)


def element_path(path: str, index: int, rest: str) -> str:
    """The path to `rest` in an element of the list at `path`."""
    return f"{path}[{index}]{rest if not rest or rest.startswith('[') else f'.{rest}'}"


def follow(data: Any, path: str) -> Any:
    """The value at `stays[0].check_in` or `items[name=blue].id`, its type kept.

    Raises LookupError if the path leads nowhere, Ambiguous if it leads to several values, ValueError for an index that
    is not a number.
    """
    for step in path_steps(path):
        match step, data:
            case Selector(), list():
                found = [each for each in data if _answers(each, step)]
                if len(found) > 1:
                    raise Ambiguous(
                        f"{len(found)} elements have {step.field} = {step.value!r}, but exactly one must match"
                    )
                if not found:
                    raise LookupError(path)
                data = found[0]
            case (int(), list()) | (str(), dict()):
                data = data[step]
            case str(), list() if step.lstrip("-").isdigit():
                data = data[int(step)]
            case _:
                raise LookupError(path)
    return data


def _answers(element: Any, choice: Selector) -> bool:
    try:
        value = follow(element, choice.field)
    except LookupError:
        return False
    if isinstance(value, int | float) and not isinstance(value, bool):
        return as_number(choice.value) == value
    return bool(choice.value == (json.dumps(value) if isinstance(value, bool) else value))


# Numbers and texts


def as_number(text: str) -> int | float | None:
    """The number that the whole text spells: `12`, ` 3.50 `; None for `1,200` or `12 EUR`."""
    found = re.fullmatch(r"\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*", text, re.ASCII) if len(text) <= 300 else None
    if found is None:
        return None
    number = float(text) if found[1] or found[2] else int(text)
    return number if math.isfinite(number) else None


def as_plain(number: float) -> str:
    """A number as people write it: `12` also for 12.0."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 1e16:  # above, Python writes an exponent
        return str(int(number))
    return str(number)


def fields_of(template: str) -> list[str]:
    """Names in braces, in order; `{{` and `}}` are braces. Raises ValueError for anything else in braces, or a lone brace."""
    found = [
        (name, spec or conversion) for _, name, spec, conversion in Formatter().parse(template) if name is not None
    ]
    if odd := [name for name, more in found if more or not _NAME.fullmatch(name)]:
        raise ValueError(f"{{{odd[0]}}} is not a name")
    return [name for name, _ in found]


def literals_of(template: str) -> list[str]:
    """What stands between the names."""
    return [literal for literal, *_ in Formatter().parse(template) if literal]


def text_with(text: TextTemplate, values: Mapping[str, Any]) -> str:
    """The text with its values. Raises ValueError for a template that cannot be filled, or a value that fits no text."""
    words = {name: _value_text(name, value) for name, value in values.items()}
    if missing := [name for name in fields_of(text.template) if name not in words]:
        raise ValueError(f"{{{missing[0]}}} has no value")
    return text.template.format_map(words)


def _value_text(name: str, value: Any) -> str:
    if isinstance(value, str | int | float):
        return value if isinstance(value, str) else json.dumps(value) if isinstance(value, bool) else as_plain(value)
    kind = "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "nothing"
    raise ValueError(f"{{{name}}} is {kind}, but a text holds only words, numbers and dates")


# JSON and what is inside it


def values_in(*sources: Any) -> list[Any]:
    """Values of JSON and all that is inside them."""
    found = [*sources]
    for part in found:  # it grows
        if isinstance(part, Mapping):
            found += part.values()
        elif isinstance(part, list | tuple):
            found += part
    return found


def parts_of(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """A value of JSON and all that is inside, each with its place."""
    yield place, value
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from parts_of(part, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list | tuple):
        for n, part in enumerate(value):
            yield from parts_of(part, f"{place}[{n}]")
