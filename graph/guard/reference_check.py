"""Checks a plan's references before anything runs: paths and types against what the tools declare."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.references.paths import (
    ELEMENT,
    PathStep,
    TextTemplate,
    as_reference,
    as_text,
    fields_of,
    filled,
    joined,
    path_steps,
    references,
)
from wavegraph.graph.references.shapes import NoSuchPath, Schema, Shape, at, elements_of, kinds_of, may_fit, named
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.graph.state import Fit, Ledger, PlannedCall, ToolCall

IN_A_TEXT: Shape = {"types": ["boolean", "integer", "number", "string"]}


class ReferenceIssue(NamedTuple):
    """One problem with a reference."""

    rule: str
    call: str
    message: str
    expected: Any = None
    actual: Any = None


class ReferenceSite(NamedTuple):
    """A reference or text in the arguments, and where it is."""

    steps: list[PathStep]
    value: Any
    """A reference or a text."""

    @property
    def name(self) -> str:
        return ".".join(map(str, self.steps))


class Declared(NamedTuple):
    """The parts of a schema that a path leads to."""

    schemas: list[Schema]
    root: Schema


def with_plain_texts(call: ToolCall) -> ToolCall:
    """The call with each text that holds no values as a word."""
    return {**call, "args": {name: _plain(value) for name, value in call["args"].items()}}


def _plain(value: Any) -> Any:
    match value:
        case {"text": str() as template, "with": dict() | list() as given} if len(value) == 2:
            return value if given else _filled(template)
        case dict():
            return {name: _plain(part) for name, part in value.items()}
        case list():
            return [_plain(part) for part in value]
    return value


def _filled(template: str) -> str:
    try:
        return filled(TextTemplate(template, {}), {})
    except ValueError:
        return template


def reference_sites(value: Any, steps: Sequence[PathStep] = ()) -> Iterator[ReferenceSite]:
    """Every reference and text in a value, with its position."""
    if as_reference(value) is not None or as_text(value) is not None:
        yield ReferenceSite(list(steps), value)
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from reference_sites(part, (*steps, key))


def with_fit(call: PlannedCall, tool: DomainTool) -> PlannedCall:
    """The call with what the values of its references must fit, and which of its nulls are said."""
    call.pop("fit", None)
    if references(call["args"]) or None in call["args"].values():
        call["fit"] = fit_of(call["args"], tool)
    return call


def fit_of(args: Mapping[str, Any], tool: DomainTool) -> Fit:
    takes = {site.name: tool.takes(site.steps) for site in reference_sites(args)}
    defaults = {name: tool.default_of(name) for name, value in args.items() if references(value)}
    known = {name: value for name, value in defaults.items() if value is not None}
    fit: Fit = {"takes": {name: dict(shape) for name, shape in takes.items() if shape}, "defaults": known}
    said = sorted(name for name, value in args.items() if value is None and name in tool.nullable)
    return {**fit, "nulls": said} if said else fit


class ReferenceCheck:
    """The references of one plan."""

    def __init__(self, calls: Sequence[ToolCall], ledger: Ledger, registry: Mapping[str, DomainTool]) -> None:
        self._calls = calls
        self._known: dict[str, ToolCall] = {**ledger["calls"], **{call["id"]: call for call in calls}}
        self._registry = registry

    def issues(self) -> Iterator[ReferenceIssue]:
        for call in self._calls:
            tool = self._registry.get(call["tool"])
            yield from self._of_each(call)
            for site in reference_sites(call["args"]):
                if (text := as_text(site.value)) is not None:
                    yield from self._of_text(call, site, text, tool)
                elif (reference := as_reference(site.value)) is not None:
                    yield from self._of_reference(call, reference, site.name, _takes(tool, site))

    def _of_each(self, call: ToolCall) -> Iterator[ReferenceIssue]:
        own = call["id"]
        of_element = any(target == ELEMENT for target, _ in references(call["args"]))
        if call.get("each") is None:
            if of_element:
                message = f"{own} refers to {ELEMENT!r}, the element of a list, but has no `each` that names the list"
                yield ReferenceIssue("bad_each", own, message)
            return
        source = as_reference(call["each"])
        if source is None or source[0] == ELEMENT:
            message = f"`each` of {own} must be a reference to a list in another call's result; plan the calls for a known list one by one"
            yield ReferenceIssue("bad_each", own, message, actual=call["each"])
            return
        if not of_element:
            message = f'{own} is made for each element, but no argument refers to the element ({{"ref": {{"call": "{ELEMENT}", …}}}})'
            yield ReferenceIssue("bad_each", own, message)
        yield from self._of_reference(call, source, "each", {"types": ["array"]})
        stem = f"{own}_"
        if taken := sorted(name for name in self._known if name.startswith(stem) and name[len(stem) :].isdigit()):
            message = f"the calls made from {own} are named {own}_1, {own}_2…; choose an id other than {taken[0]!r}"
            yield ReferenceIssue("duplicate_id", own, message)

    def _of_text(
        self, call: ToolCall, site: ReferenceSite, text: TextTemplate, tool: DomainTool | None
    ) -> Iterator[ReferenceIssue]:
        own = f"the text in {call['id']} {site.name}"
        try:
            used = fields_of(text.template)
        except ValueError as error:
            yield ReferenceIssue(
                "bad_text",
                call["id"],
                f"{own}: {error_text(error)}; put names in braces, and double any other brace",
                actual=text.template,
            )
            return
        if unknown := sorted(set(used) - set(text.values)):
            message = f"{own} names {unknown}, which `with` does not contain"
            yield ReferenceIssue("bad_text", call["id"], message, sorted(text.values), unknown)
        if unused := sorted(set(text.values) - set(used)):
            yield ReferenceIssue("bad_text", call["id"], f"{own} does not use {unused}", sorted(set(used)), unused)
        if odd := sorted(name for name, value in text.values.items() if not _is_plain(value)):
            message = f"{own}: {odd} must be references, text or numbers"
            yield ReferenceIssue("bad_text", call["id"], message, actual=odd)
        shape = _takes(tool, site)
        if shape is not None and "string" not in shape["types"]:
            message = f"{own} is a text, but {site.name} takes {named(shape)}"
            yield ReferenceIssue("unfit_reference", call["id"], message, shape["types"], "string")
        for name, value in text.values.items():
            if (reference := as_reference(value)) is not None:
                yield from self._of_reference(call, reference, f"{{{name}}}", IN_A_TEXT)

    def _of_reference(
        self, call: ToolCall, reference: tuple[str, str], site: str, shape: Shape | None
    ) -> Iterator[ReferenceIssue]:
        target, path = reference
        try:
            found = self._declared(call, target, path_steps(path))
        except NoSuchPath as nowhere:
            message = f"{call['id']} refers to {_written(target, path)}, which is not in {self._giver(call, target)}: {error_text(nowhere)}"
            yield ReferenceIssue("unknown_path", call["id"], message, nowhere.known, path)
            return
        except ValueError:
            yield ReferenceIssue(
                "unknown_path", call["id"], f"{call['id']}: {path[:80]!r} is not a path", actual=path[:80]
            )
            return
        if found is None or may_fit(found.schemas, shape, found.root):
            return
        assert shape is not None, "anything fits where nothing is declared"
        message = f"{call['id']} {site} takes {named(shape)}, but {_written(target, path)} is {kinds_of(found.schemas)}"
        message += self._hint(found, path, shape)
        yield ReferenceIssue("unfit_reference", call["id"], message, shape["types"], kinds_of(found.schemas))

    def _declared(self, call: ToolCall, target: str, path: Sequence[PathStep]) -> Declared | None:
        """What may lie at a path of a call's result; None = nothing is declared. Raises NoSuchPath."""
        if target == ELEMENT and call.get("each") is not None:
            return self._declared_element(call, path)
        if (other := self._known.get(target)) is None or (tool := self._registry.get(other["tool"])) is None:
            return None
        whole = other.get("each") is not None and "element_of" not in other
        return _led(tool.result_schemas, path, whole)

    def _declared_element(self, call: ToolCall, path: Sequence[PathStep]) -> Declared | None:
        target, where = as_reference(call["each"]) or ("", "")
        if target == ELEMENT:
            return None
        try:
            found = self._declared(call, target, path_steps(where))
        except (NoSuchPath, ValueError):
            return None  # reported for `each` itself
        if found is None or "array" not in kinds_of(found.schemas):
            return None
        return Declared(elements_of(found.schemas, path, found.root), found.root)

    def _giver(self, call: ToolCall, target: str) -> str:
        if target == ELEMENT:
            return f"an element of {_written(*(as_reference(call.get('each')) or ('', '')))}"
        return f"the result of {self._known[target]['tool']}"

    def _hint(self, found: Declared, path: str, shape: Shape) -> str:
        """A hint, if one of its elements or fields may be meant."""
        if "array" in kinds_of(found.schemas) and shape["types"] != ["array"]:
            inside = elements_of(found.schemas, (), found.root)
            if may_fit(inside, shape, found.root):
                return f"; one element of it is {joined(path, 0, '')}"
            found, path = Declared(inside, found.root), joined(path, 0, "")
        fields = sorted({name for schema in found.schemas for name in schema.get("properties", ())})
        return f"; {path or 'it'} has the fields {fields}" if fields else ""


def _takes(tool: DomainTool | None, site: ReferenceSite) -> Shape | None:
    return tool.takes(site.steps) if tool is not None else None


def _is_plain(value: Any) -> bool:
    return as_reference(value) is not None or isinstance(value, str | int | float)


def _led(schemas: Sequence[Schema], path: Sequence[PathStep], whole: bool) -> Declared | None:
    """Where a path leads in the first schema that has it; None = no schema. `whole`: the result is a list of these."""
    nowhere: NoSuchPath | None = None
    for schema in reversed(schemas):
        root: Schema = {"items": schema, "$defs": schema.get("$defs", {})} if whole else schema
        try:
            return Declared(at(root, path), root)
        except NoSuchPath as error:
            nowhere = error
    if nowhere is not None:
        raise nowhere
    return None


def _written(target: str, path: str) -> str:
    return f"{target}{path if path.startswith('[') else f'.{path}'}" if path else target
