"""tau-bench: how often a planner is asked when a plan may hold only what can be said at that time.

The recorded calls of each task are planned in order; where it is known which of them need which, everything that can be said is
planned as soon as what it needs has been, reads first. A call goes into the plan in work where each value of its arguments is
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

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.packed import unpacked

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
    id: str = ""
    """Empty = the calls are to be planned in their order."""
    needs: frozenset[str] = frozenset()
    """Ids of those that have to come before it."""


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
        for task in unpacked(folder / f"tau/{part}-test.traces.json.gz"):
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


@dataclass(frozen=True)
class Said:
    """A call as a plan says it."""

    id: str
    tool: str
    args: Mapping[str, Any]
    each: Mapping[str, Any] | None = None
    """The list that it is made for every element of."""


class _Unsayable(Exception):
    """What cannot be said yet."""


_Pending = list[tuple[str, Any]]
"""Ids and results of the calls of the plan in work."""


def plans(words: str, actions: list[TauCall], forms: Forms) -> list[list[Said]]:
    """The calls of each plan, with references where values are not known yet."""
    known, left = Known(words.casefold()), list(actions)
    made, pending, number = list[list[Said]](), _Pending(), 0
    while left:
        rows = list(_rows(left))
        name = f"{rows[0][0].tool}_{number}"
        sayable = (found for row in rows if (found := _next(row, f"{row[0].tool}_{number}", pending, known, forms)))
        if (found := next(sayable, None)) is None:
            known.results |= {str(leaf) for _, result in pending for leaf in _leaves(result, keys=True)}
            pending = []
            found = Said(name, rows[0][0].tool, rows[0][0].args), rows[0][:1]
        said, stood_for = found
        if not pending:
            made.append([])
        pending.append((said.id, Many(each.result for each in stood_for) if said.each else stood_for[0].result))
        made[-1].append(said)
        number += len(stood_for)
        left = [each for each in left if not any(each is done for done in stood_for)]
    return made


def _rows(left: list[TauCall]) -> Iterator[list[TauCall]]:
    """What may be planned next, each with the calls of the same tool that may follow it."""
    if not left[0].id:
        yield left
        return
    free = [each for each in left if each.needs.isdisjoint(other.id for other in left)]
    for head in sorted(free, key=lambda each: each.writes):
        row = [head]
        for each in left:
            others = {other.id for other in left} - {other.id for other in row}
            if each is not head and each.tool == head.tool and each.needs.isdisjoint(others):
                row.append(each)
        yield row


def _next(
    row: list[TauCall], name: str, pending: _Pending, known: Known, forms: Forms
) -> tuple[Said, list[TauCall]] | None:
    """The next call, and those recorded that it stands for; None = it can be said only in another plan."""
    first = row[0]
    if not pending:
        return Said(name, first.tool, first.args), row[:1]
    with suppress(_Unsayable):
        return Said(name, first.tool, _say(first.args, first, pending, known, forms)), row[:1]
    if forms.each and (found := _for_each(row, pending, known, forms)):
        args, each, count = found
        return Said(name, first.tool, args, each), row[:count]
    return None


def _say(value: Any, action: TauCall, pending: _Pending, known: Known, forms: Forms) -> Any:
    """The value with references in it. Raises _Unsayable."""
    if isinstance(value, dict):
        return {name: _say(part, action, pending, known, forms) for name, part in value.items()}
    if isinstance(value, list):
        return [_say(part, action, pending, known, forms) for part in value]
    return value if value is None else _say_leaf(value, action, pending, known, forms)


def _say_leaf(leaf: Any, action: TauCall, pending: _Pending, known: Known, forms: Forms) -> Any:
    if str(leaf) in action.listed or known.has(leaf):
        return leaf
    unseen = {str(each) for _, result in pending for each in _leaves(result, keys=True)}
    if str(leaf) in unseen:
        return _reference(leaf, pending, known, forms)
    inside = _inside(str(leaf), unseen, known)
    if not inside:
        return leaf
    if not forms.texts:
        raise _Unsayable
    return _text(str(leaf), {part: _reference(part, pending, known, forms) for part in inside})


def _reference(value: Any, pending: _Pending, known: Known, forms: Forms) -> dict[str, Any]:
    for name, result in pending:
        if (path := _way(result, value, known, forms)) is not None:
            return {"ref": {"call": name, "path": path}}
    raise _Unsayable


def _text(text: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The text with a place for each value, the longest first: one may stand inside another."""
    template, named = text.replace("{", "{{").replace("}", "}}"), {}
    for number, part in enumerate(sorted(values, key=len, reverse=True)):
        template, times = re.subn(rf"(?<![\w.]){re.escape(part)}(?![\w.])", f"{{v{number}}}", template)
        if times:
            named[f"v{number}"] = values[part]
    return {"text": template, "with": named}


def _inside(text: str, unseen: set[str], known: Known) -> list[str]:
    """The values in a text that nobody has seen yet."""
    found = (each for each in unseen if SHORTEST <= len(each) < len(text) and not known.has(each))
    return [each for each in found if re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.])", text)]


def _way(data: Any, value: Any, known: Known, forms: Forms) -> str | None:
    """A path that can be written beforehand and leads to the value; None = there is none."""
    if isinstance(data, dict):
        parts = [(f".{name}", part) for name, part in data.items() if _is_name(name, known)]
    elif isinstance(data, list):
        parts = _elements(data, known, forms)
    else:
        return "" if str(data) == str(value) else None
    for step, part in parts:
        if (rest := _way(part, value, known, forms)) is not None:
            return f"{step}{'.' if rest and rest[0] not in '.[' else ''}{rest}".removeprefix(".")
    return None


def _elements(data: list[Any], known: Known, forms: Forms) -> list[tuple[str, Any]]:
    """The elements that can be pointed to beforehand, with their steps."""
    if len(data) == 1 and not isinstance(data, Many):
        return [("[0]", data[0])]
    return list(_chosen(data, known)) if forms.choices and not isinstance(data, Many) else []


def _is_name(key: str, known: Known) -> bool:
    return not re.search(r"\d", key) or re.fullmatch(r"[a-z_]+\d", key) is not None or known.has(key)


def _chosen(data: list[Any], known: Known) -> Iterator[tuple[str, Any]]:
    """The elements that a known value of one of their fields tells from all others."""
    records = [each for each in data if isinstance(each, dict)]
    for each in records:
        fields = ((name, value) for name, value in each.items() if isinstance(value, str) and known.has(value))
        for name, value in fields:
            if sum(other.get(name) == value for other in records) == 1:
                yield f"[{name}={json.dumps(value, ensure_ascii=False)}]", each
                break


def _for_each(
    actions: list[TauCall], pending: _Pending, known: Known, forms: Forms
) -> tuple[Mapping[str, Any], Mapping[str, Any], int] | None:
    """One call for each element of a list: its arguments, the list, and how many of the next calls it is; None = they are none."""
    first, row = actions[0], _alike(actions)
    said = {name: _said_or_none(value, first, pending, known, forms) for name, value in first.args.items()}
    unknown = [name for name, value in said.items() if value is None and first.args[name] is not None]
    if len(unknown) != 1 or isinstance(first.args[unknown[0]], dict | list):
        return None
    for call, path, elements in _lists(pending, known):
        for inside in _fields_of_elements(elements, first.args[unknown[0]]):
            count = _covered(row, unknown[0], elements, inside)
            if count and (count == len(elements) or (count > 1 and not first.writes)):
                args = {**said, unknown[0]: {"ref": {"call": "each", "path": inside}}}
                return args, {"ref": {"call": call, "path": path}}, count
    return None


def _alike(actions: list[TauCall]) -> list[TauCall]:
    """The first calls, of one tool with the same arguments by name."""
    first = actions[0]
    differs = (n for n, each in enumerate(actions) if each.tool != first.tool or each.args.keys() != first.args.keys())
    return actions[: next(differs, len(actions))]


def _said_or_none(value: Any, action: TauCall, pending: _Pending, known: Known, forms: Forms) -> Any:
    try:
        return _say(value, action, pending, known, forms)
    except _Unsayable:
        return None


def _fields_of_elements(elements: list[Any], value: Any) -> Iterator[str]:
    """The paths inside an element at which some element has the value."""
    for each in elements:
        if isinstance(each, dict):
            yield from (name for name, part in each.items() if str(part) == str(value))
        elif str(each) == str(value):
            yield ""


def _covered(row: list[TauCall], name: str, elements: list[Any], inside: str) -> int:
    """How many calls of the row go through elements of the list, all else being equal."""
    values = {str(each.get(inside) if isinstance(each, dict) else each) for each in elements}
    rest = {key: value for key, value in row[0].args.items() if key != name}
    count = 0
    for action in row:
        same = {key: value for key, value in action.args.items() if key != name} == rest
        if not same or str(action.args[name]) not in values:
            break
        count += 1
    return count


def _lists(pending: _Pending, known: Known) -> Iterator[tuple[str, str, list[Any]]]:
    """The lists that names of fields lead to: call, path, elements."""
    for call, result in pending:
        yield from ((call, path, found) for path, found in _lists_in(result, "", known))


def _lists_in(data: Any, path: str, known: Known) -> Iterator[tuple[str, list[Any]]]:
    if isinstance(data, list) and not isinstance(data, Many):
        yield path, data
    if isinstance(data, dict):
        for name, part in data.items():
            if _is_name(name, known):
                yield from _lists_in(part, f"{path}.{name}".removeprefix("."), known)


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
