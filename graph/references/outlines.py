"""Outlines of results for a planner, so that references can be written without seeing a result."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.references.shapes import Schema, records

_DEEP = 2
"""Levels of records that are outlined."""
_SHORT = {"integer": "int", "boolean": "bool"}
_SHORTEST_NAMED = 30
"""Characters of a record's fields; shorter ones are repeated."""


class Outlines:
    """The fields of results, two levels deep. A record that comes again has a name, and is outlined where it comes first."""

    def __init__(self, results: "Sequence[Result]") -> None:
        self._results = {result.tool: result for result in results}
        self._names = _names_of(self._results.values())
        self._known: dict[str, int] = {}
        """How deep each named record was outlined."""

    def outline(self, tool: str) -> str:
        """Empty = there is nothing that a later call could refer to."""
        result = self._results[tool]
        return "" if result.refers_to_nothing else self._of(result.schema, result, _DEEP)

    def _of(self, schema: Schema, result: "Result", depth: int) -> str:
        schema = target(schema, result.definitions)
        if schema.get("type") == "array":
            return f"[{self._of(schema.get('items', {}), result, depth)}]"
        return self._record(schema, result, depth) if schema.get("properties") else _kind(schema)

    def _record(self, schema: Schema, result: "Result", depth: int) -> str:
        name = self._names.get(result.plain(schema), "")
        known = self._known.get(name)
        if known is not None and (known >= depth or result.plain(schema, known) == result.plain(schema, depth)):
            return name  # it was outlined, with all that would be said of it here
        if not depth:
            return "object"
        if name:
            self._known[name] = depth
        fields = {field: self._of(part, result, depth - 1) for field, part in result.fields(schema)}
        return f"{name} {_in_braces(fields)}".strip()


class Result:
    """A tool's result, as far as a planner is told of it: the fields that are wanted, at any depth; None = all.

    Raises SettingsError for a field that the result does not have.
    """

    def __init__(self, tool: str, schema: Schema, wanted: Sequence[str] | None = None) -> None:
        self.tool, self.schema, self.wanted = tool, schema, wanted
        self.definitions: Schema = schema.get("$defs", {})
        known = {name for part in records(schema) for name in part.get("properties", ())}
        if unknown := [name for name in wanted or () if name not in known]:
            raise SettingsError(f"tool {tool!r}: refer_to names {unknown}, which its result does not have")
        self.refers_to_nothing = wanted is not None and not wanted

    def fields(self, schema: Schema) -> Iterator[tuple[str, Schema]]:
        for name, part in schema["properties"].items():
            if self.wanted is None or name in self.wanted:
                yield name, part

    def plain(self, schema: Schema, depth: int = _DEEP) -> str:
        """The same text for the same record, by whatever name it goes."""
        schema = target(schema, self.definitions)
        if schema.get("type") == "array":
            return f"[{self.plain(schema.get('items', {}), depth)}]"
        if not schema.get("properties"):
            return _kind(schema)
        if not depth:
            return "object"
        return _in_braces({name: self.plain(part, depth - 1) for name, part in sorted(self.fields(schema))})

    def records(self) -> Iterator[tuple[str, str, str]]:
        """What is outlined: text, title, and the field it stands in."""
        yield from self._records(self.schema, "result", _DEEP)

    def _records(self, schema: Schema, field: str, depth: int) -> Iterator[tuple[str, str, str]]:
        schema = target(schema, self.definitions)
        if schema.get("type") == "array":
            yield from self._records(schema.get("items", {}), field, depth)
        elif schema.get("properties") and not self.refers_to_nothing:
            yield self.plain(schema), str(schema.get("title", "")), field
            for name, part in self.fields(schema) if depth else ():
                yield from self._records(part, name, depth - 1)


def _names_of(results: Iterable[Result]) -> Mapping[str, str]:
    """Names for the records that come again: their titles where those are theirs alone, else of their fields."""
    found = [each for result in results for each in result.records()]
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


def _kind(schema: Schema) -> str:
    kind = str(schema.get("format") or schema.get("type") or "object")
    return _SHORT.get(kind, kind)


def target(schema: Schema, definitions: Schema) -> Schema:
    """The schema itself, behind a reference or beside a null."""
    if "$ref" in schema:
        return definitions.get(schema["$ref"].rpartition("/")[2], {})  # type: ignore[no-any-return]
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    return target(options[0], definitions) if options else schema
