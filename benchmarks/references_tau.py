"""tau-bench: how often a planner is asked when a plan may hold only what can be said at that time.

The recorded calls of each task are planned in order. A call goes into the plan in work where each value of its arguments is
known, or can be said as a reference to a call that stands before it in this plan; else it waits for the next plan.

- Known: what stands in the person's words, in results of earlier plans, among the tool's listed values; truth values; and what
  stands in no result at all, since then the planner has it from elsewhere.
- A whole value is sayable by names of fields; an element of a list only where it is the only one, for nobody knows beforehand
  which of several is meant. A key with digits in it is data, no name (`address1` is one): it must be known.
- A choice says one element of several by a known value of another field. A text says values amid known words.
- One call for each element says calls of one tool in a row, where their one unknown argument goes through all elements of a
  list; of reads several are enough: the others are read in vain.

So it counts what data allow. What a planner must have seen to decide, it cannot count: both figures are lower bounds.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PARTS = ("retail", "airline")
FILES = tuple(f"tau/{part}{end}" for part in PARTS for end in ("-test.traces.json.gz", ".tools.json"))
SHORTEST = 3
"""Letters of a value that is looked for inside a text."""


@dataclass(frozen=True)
class Forms:
    """What a planner may write."""

    choices: bool
    texts: bool
    each: bool


PLAIN, ALL = Forms(choices=False, texts=False, each=False), Forms(choices=True, texts=True, each=True)


@dataclass(frozen=True)
class TauCall:
    """A recorded call."""

    tool: str
    args: Mapping[str, Any]
    result: Any
    writes: bool
    listed: frozenset[str]
    """Values that the tool's schema lists."""


@dataclass
class Known:
    """What can be written out."""

    words: str
    results: set[str] = field(default_factory=set)

    def has(self, value: Any) -> bool:
        text = str(value)
        if isinstance(value, bool) or text in self.results or not text:
            return True
        return re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", self.words) is not None


class Many(list[Any]):
    """Results of one call for each element: nobody knows beforehand which of them is which."""


def tasks(folder: Path) -> Iterator[tuple[str, list[TauCall]]]:
    """The person's words and the calls of each task."""
    for part in PARTS:
        listed = listed_values(json.loads((folder / f"tau/{part}.tools.json").read_text(encoding="utf-8")))
        with gzip.open(folder / f"tau/{part}-test.traces.json.gz", "rt", encoding="utf-8") as file:
            for task in json.load(file):
                yield task["instruction"], [read_action(each, listed) for each in task["actions"]]


def listed_values(tools: Iterable[Mapping[str, Any]]) -> Mapping[str, frozenset[str]]:
    return {each["function"]["name"]: frozenset(_enums(each["function"]["parameters"])) for each in tools}


def _enums(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from map(str, schema.get("enum", ()))
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _enums(part)


def read_action(record: Mapping[str, Any], listed: Mapping[str, frozenset[str]]) -> TauCall:
    result = record["observation"]
    with suppress(ValueError):  # some are plain texts
        result = json.loads(result)
    return TauCall(
        record["name"], record["arguments"], result, record["kind"] == "write", listed.get(record["name"], frozenset())
    )


def planning_calls(words: str, actions: list[TauCall], forms: Forms) -> int:
    """How often the planner is asked; once also where there is nothing to call."""
    return max(1, len(plans(words, actions, forms)))


def plans(words: str, actions: list[TauCall], forms: Forms) -> list[list[TauCall]]:
    """The calls of each plan."""
    known = Known(words.casefold())
    made, pending, number = list[list[TauCall]](), list[Any](), 0
    while number < len(actions):
        here = actions[number:]
        if not pending:
            made.append([])
        if not pending or _is_sayable(here[0].args, here[0], pending, known, forms):
            pending.append(here[0].result)
            made[-1].append(here[0])
            number += 1
        elif forms.each and (count := _for_each(here, pending, known, forms)):
            pending.append(Many(each.result for each in here[:count]))
            made[-1] += here[:count]
            number += count
        else:
            known.results |= {str(leaf) for result in pending for leaf in _leaves(result, keys=True)}
            pending = []
    return made


def _is_sayable(value: Any, action: TauCall, pending: list[Any], known: Known, forms: Forms) -> bool:
    """Whether a value of the action's arguments can be written now, or all of them."""
    return all(_leaf_sayable(leaf, action, pending, known, forms) for leaf in _leaves(value))


def _leaf_sayable(leaf: Any, action: TauCall, pending: list[Any], known: Known, forms: Forms) -> bool:
    if str(leaf) in action.listed or known.has(leaf):
        return True
    unseen = {str(each) for result in pending for each in _leaves(result, keys=True)}
    if str(leaf) in unseen:
        return any(_is_reached(result, leaf, known, forms) for result in pending)
    inside = _inside(str(leaf), unseen, known)
    if not inside:
        return True
    return forms.texts and all(any(_is_reached(result, part, known, forms) for result in pending) for part in inside)


def _inside(text: str, unseen: set[str], known: Known) -> list[str]:
    """The values in a text that nobody has seen yet."""
    found = (each for each in unseen if SHORTEST <= len(each) < len(text) and not known.has(each))
    return [each for each in found if re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.])", text)]


def _is_reached(data: Any, value: Any, known: Known, forms: Forms) -> bool:
    """Whether a path that can be written beforehand leads to the value."""
    if isinstance(data, dict):
        return any(_is_reached(part, value, known, forms) for name, part in data.items() if _is_name(name, known))
    if isinstance(data, list):
        elements = (
            data if len(data) == 1 and not isinstance(data, Many) else _chosen(data, known) if forms.choices else ()
        )
        return any(_is_reached(part, value, known, forms) for part in elements)
    return str(data) == str(value)


def _is_name(key: str, known: Known) -> bool:
    return not re.search(r"\d", key) or re.fullmatch(r"[a-z_]+\d", key) is not None or known.has(key)


def _chosen(data: list[Any], known: Known) -> Iterator[Any]:
    """The elements that a known value of one of their fields tells from all others."""
    records = [each for each in data if isinstance(each, dict)]
    for each in records:
        fields = ((name, value) for name, value in each.items() if isinstance(value, str) and known.has(value))
        if any(sum(other.get(name) == value for other in records) == 1 for name, value in fields):
            yield each


def _for_each(actions: list[TauCall], pending: list[Any], known: Known, forms: Forms) -> int:
    """How many of the next calls are one call for each element of a list; 0 = they are none."""
    first = actions[0]
    row = [first]
    for action in actions[1:]:
        if action.tool != first.tool or action.args.keys() != first.args.keys():
            break
        row.append(action)
    unknown = [name for name, value in first.args.items() if not _is_sayable(value, first, pending, known, forms)]
    if len(unknown) != 1 or isinstance(first.args[unknown[0]], dict | list):
        return 0
    for elements in (found for result in pending for found in _lists(result, known)):
        count = _covered(row, unknown[0], elements)
        if count and (count == len(elements) or (count > 1 and not first.writes)):
            return count
    return 0


def _covered(row: list[TauCall], name: str, elements: list[Any]) -> int:
    """How many calls of the row go through elements of the list, all else being equal."""
    values = [{str(leaf) for leaf in _leaves(each)} for each in elements]
    rest = {key: value for key, value in row[0].args.items() if key != name}
    count = 0
    for action in row:
        same = {key: value for key, value in action.args.items() if key != name} == rest
        if not same or not any(str(action.args[name]) in each for each in values):
            break
        count += 1
    return count


def _lists(data: Any, known: Known) -> Iterator[list[Any]]:
    """The lists that names of fields lead to."""
    if isinstance(data, list):
        yield data
    if isinstance(data, dict):
        for name, part in data.items():
            if _is_name(name, known):
                yield from _lists(part, known)


def _leaves(value: Any, *, keys: bool = False) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, part in value.items():
            if keys:
                yield name
            yield from _leaves(part, keys=keys)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part, keys=keys)
    elif value is not None:
        yield value
