"""Checks a plan's references before anything runs: paths and types against what the tools declare."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import error_text
from wavegraph.graph.references.paths import (
    ELEMENT,
    PathStep,
    TextTemplate,
    as_reference,
    as_text,
    element_path,
    fields_of,
    path_steps,
    references,
)
from wavegraph.graph.references.shapes import NoSuchPath, Schema, Shape, at, kinds_of, may_fit, shape_words
from wavegraph.graph.state import Fit, Ledger, PlannedCall, ToolCall, ValidationIssue, new_issue

IN_A_TEXT: Shape = {"types": ["boolean", "integer", "number", "string"]}


_Declared = tuple[list[Schema], Schema]
"""The parts of a schema that a path leads to, and the whole."""


def reference_sites(value: Any, steps: Sequence[PathStep] = ()) -> Iterator[tuple[list[PathStep], Any]]:
    """Every reference and text in a value: the steps that lead to it, and itself."""
    if as_reference(value) is not None or as_text(value) is not None:
        yield list(steps), value
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from reference_sites(part, (*steps, key))


def with_fit(call: PlannedCall, tool: DomainTool) -> PlannedCall:
    """The call with its `fit`: what the values of its references must fit, and which of its nulls are meant as null."""
    call.pop("fit", None)
    if references(call["args"]) or None in call["args"].values():
        call["fit"] = fit_of(call["args"], tool)
    return call


def fit_of(args: Mapping[str, Any], tool: DomainTool) -> Fit:
    takes = {".".join(map(str, steps)): tool.takes(steps) for steps, _ in reference_sites(args)}
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

    def issues(self) -> Iterator[ValidationIssue]:
        for call in self._calls:
            tool = self._registry.get(call["tool"])
            if wrong := [*self._of_each(call)]:
                yield from wrong
                continue  # of its elements nothing is known
            for steps, value in reference_sites(call["args"]):
                place, shape = ".".join(map(str, steps)), tool.takes(steps) if tool else None
                if (text := as_text(value)) is not None:
                    yield from self._of_text(call, place, text, shape)
                elif (reference := as_reference(value)) is not None:
                    yield from self._of_reference(call, reference, place, shape)

    def _of_each(self, call: ToolCall) -> Iterator[ValidationIssue]:
        own, source = call["id"], as_reference(call.get("each"))
        of_element = any(target == ELEMENT for target, _ in references(call["args"]))
        if call.get("each") is None:
            if of_element:
                message = f"{own} refers to {ELEMENT!r}, the element of a list, but has no `each` that names the list"
                yield issue("bad_each", own, message)
            return
        if source is None or source[0] == ELEMENT:
            message = f"`each` of {own} must be a reference to a list in another call's result; plan the calls for a known list one by one"
            yield issue("bad_each", own, message, actual=call["each"])
            return
        if not of_element:
            message = f'{own} is made for each element, but no argument refers to the element ({{"ref": {{"call": "{ELEMENT}", …}}}})'
            yield issue("bad_each", own, message)
        yield from self._of_reference(call, source, "each", {"types": ["array"]})
        stem = f"{own}_"
        if taken := sorted(name for name in self._known if name.startswith(stem) and name[len(stem) :].isdigit()):
            message = f"the calls made from {own} are named {own}_1, {own}_2…; choose an id other than {taken[0]!r}"
            yield issue("duplicate_id", own, message)

    def _of_text(
        self, call: ToolCall, place: str, text: TextTemplate, shape: Shape | None
    ) -> Iterator[ValidationIssue]:
        own, named_values = f"the text in {call['id']} {place}", set(text.values)
        try:
            used = set(fields_of(text.template))
        except ValueError as error:
            message = f"{own}: {error_text(error)}; put names in braces, and double any other brace"
            yield issue("bad_text", call["id"], message, actual=text.template)
            return
        if used != named_values:
            message = f"{own} names {sorted(used)}, and `with` has {sorted(named_values)}: they must be the same"
            yield issue("bad_text", call["id"], message, expected=sorted(named_values), actual=sorted(used))
        inside = {name: as_reference(value) for name, value in text.values.items()}
        if odd := sorted(
            n for n, v in text.values.items() if inside[n] is None and not isinstance(v, str | int | float)
        ):
            yield issue("bad_text", call["id"], f"{own}: {odd} must be references, text or numbers", actual=odd)
        if shape is not None and "string" not in shape["types"]:
            message = f"{own} is a text, but {place} takes {shape_words(shape)}"
            yield issue("unfit_reference", call["id"], message, expected=shape["types"], actual="string")
        for name, reference in inside.items():
            if reference is not None:
                yield from self._of_reference(call, reference, f"{{{name}}}", IN_A_TEXT)

    def _of_reference(
        self, call: ToolCall, reference: tuple[str, str], site: str, shape: Shape | None
    ) -> Iterator[ValidationIssue]:
        target, path = reference
        if target == ELEMENT:  # what holds of any element
            target, whole = as_reference(call.get("each")) or reference
            path = element_path(whole, -1, path)
        try:
            found = self._declared(target, path_steps(path))
        except NoSuchPath as nowhere:
            message = f"{call['id']} refers to {_address(target, path)}, which is not in the result of {self._known[target]['tool']}: {error_text(nowhere)}"
            yield issue("unknown_path", call["id"], message, expected=nowhere.known, actual=path)
            return
        except ValueError:
            shown = path[:80]
            yield issue("unknown_path", call["id"], f"{call['id']}: {shown!r} is not a path", actual=shown)
            return
        if found is not None and shape is not None and not may_fit(found[0], shape, found[1]):
            kinds = kinds_of(found[0])
            message = f"{call['id']} {site} takes {shape_words(shape)}, but {_address(target, path)} is {kinds}"
            message += _hint(*found, path, shape)
            yield issue("unfit_reference", call["id"], message, expected=shape["types"], actual=kinds)

    def _declared(self, target: str, path: Sequence[PathStep]) -> _Declared | None:
        """What may lie at a path of a call's result; None = nothing is declared. Raises NoSuchPath."""
        if (other := self._known.get(target)) is None or (tool := self._registry.get(other["tool"])) is None:
            return None
        schemas = tool.result_schemas
        if other.get("each") is not None and "element_of" not in other:
            schemas = [{"type": "array", "items": each, "$defs": each.get("$defs", {})} for each in schemas]
        for schema in schemas[:0:-1]:
            with suppress(NoSuchPath):
                return at(schema, path), schema
        return (at(schemas[0], path), schemas[0]) if schemas else None


def _hint(schemas: list[Schema], root: Schema, path: str, shape: Shape) -> str:
    """A hint, if one of its elements or fields may be meant."""
    if "array" in kinds_of(schemas) and shape["types"] != ["array"]:
        schemas, path = at(root, (-1,), schemas), element_path(path, 0, "")
        if may_fit(schemas, shape, root):
            return f"; one element of it is {path}"
    fields = sorted({name for schema in schemas for name in schema.get("properties", ())})
    return f"; {path or 'it'} has the fields {fields}" if fields else ""


def issue(rule: str, call: str, message: str, **facts: Any) -> ValidationIssue:
    return new_issue("broken_plan", call, message, rule, **facts)


def _address(target: str, path: str) -> str:
    return f"{target}{path if path.startswith('[') else f'.{path}'}" if path else target
