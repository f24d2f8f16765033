"""Outlines of results for a planner, so that references can be written without seeing a result."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple, TypeAlias

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.references.shapes import Schema, records

_DEEP = 2
"""Levels of records that are outlined."""
_SHORT = {"integer": "int", "boolean": "bool"}
_SHORTEST_NAMED = 30
"""Characters of a record's fields; shorter ones are repeated."""


class Record(NamedTuple):
    title: str
    fields: Mapping[str, "Tree"]


Tree: TypeAlias = str | list["Tree"] | Record
"""A result as far as a planner is told of it: the type of a value, a list of such, or a record."""


def result_tree(tool: str, schema: Schema, wanted: Sequence[str] | None = None) -> Tree | None:
    """The result with the fields that are wanted, at any depth. `wanted`: None = all. Returns None if none is.

    Raises SettingsError for a field that the result does not have.
    """
    known = {name for part in records(schema) for name in part.get("properties", ())}
    if unknown := [name for name in wanted or () if name not in known]:
        raise SettingsError(f"tool {tool!r}: refer_to names {unknown}, which its result does not have")
    return None if wanted is not None and not wanted else _tree(schema, schema.get("$defs", {}), wanted, 2 * _DEEP)


def _tree(schema: Schema, definitions: Schema, wanted: Sequence[str] | None, depth: int) -> Tree:
    while "$ref" in schema or "anyOf" in schema:  # what is behind a reference or beside a null
        options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
        name = schema.get("$ref", "").rpartition("/")[2]
        schema = definitions.get(name, {}) if name else next(iter(options), {})
    if schema.get("type") == "array":
        return [_tree(schema.get("items", {}), definitions, wanted, depth)]
    if not schema.get("properties"):
        kind = str(schema.get("format") or schema.get("type") or "object")
        return _SHORT.get(kind, kind)
    if not depth:
        return "object"
    fields = {name: part for name, part in schema["properties"].items() if wanted is None or name in wanted}
    inside = {name: _tree(part, definitions, wanted, depth - 1) for name, part in fields.items()}
    return Record(str(schema.get("title", "")), inside)


class Outlines:
    """The fields of results, two levels deep. A record that comes again has a name, and is outlined where it comes first."""

    def __init__(self, results: Mapping[str, Tree | None]) -> None:
        self._results = results
        self._names = _names_of(tree for tree in results.values() if tree is not None)
        self._known: dict[str, int] = {}
        """How deep each named record was outlined."""

    def outline(self, tool: str) -> str:
        """Empty = there is nothing that a later call could refer to."""
        tree = self._results[tool]
        return "" if tree is None else self._of(tree, _DEEP)

    def _of(self, tree: Tree, depth: int) -> str:
        if isinstance(tree, str):
            return tree
        if isinstance(tree, list):
            return f"[{self._of(tree[0], depth)}]"
        name = self._names.get(_plain(tree), "")
        known = self._known.get(name)
        if known is not None and (known >= depth or _plain(tree, known) == _plain(tree, depth)):
            return name  # it was outlined, with all that would be said of it here
        if not depth:
            return "object"
        if name:
            self._known[name] = depth
        fields = {field: self._of(part, depth - 1) for field, part in tree.fields.items()}
        return f"{name} {_in_braces(fields)}".strip()


def _plain(tree: Tree, depth: int = _DEEP) -> str:
    """The same text for the same record, by whatever name it goes."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, list):
        return f"[{_plain(tree[0], depth)}]"
    return (
        _in_braces({name: _plain(part, depth - 1) for name, part in sorted(tree.fields.items())}) if depth else "object"
    )


def _records(tree: Tree, field: str, depth: int = _DEEP) -> Iterator[tuple[str, str, str]]:
    """What is outlined: text, title, and the field it stands in."""
    if isinstance(tree, list):
        yield from _records(tree[0], field, depth)
    elif isinstance(tree, Record):
        yield _plain(tree), tree.title, field
        for name, part in tree.fields.items() if depth else ():
            yield from _records(part, name, depth - 1)


def _names_of(results: Iterable[Tree]) -> Mapping[str, str]:
    """Names for the records that come again: their titles where those are theirs alone, else of their fields."""
    found = [each for result in results for each in _records(result, "result")]
    times = Counter(text for text, _, _ in found)
    of_title: dict[str, set[str]] = defaultdict(set)
    for text, title, _ in found:
        of_title[title].add(text)
    names: dict[str, str] = {}
    for text, title, field in found:
        if times[text] > 1 and len(text) >= _SHORTEST_NAMED and text not in names:
            own = title if title and len(of_title[title]) == 1 else field.capitalize()
            free = (f"{own}_{number}" for number in count(2))
            names[text] = next(each for each in chain([own], free) if each not in names.values())
    return names


def _in_braces(fields: Mapping[str, str]) -> str:
    return f"{{{', '.join(name if kind == 'string' else f'{name}: {kind}' for name, kind in fields.items())}}}"
