"""tau-bench's tools: for ours with effect and result as they were recorded, for the peers as LangChain tools.

Without the shape of a result no planner could write a reference, so whoever has references pays for them: ours in its schema, the
plan-and-execute graph in the tools' descriptions.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Union

from benchmarks.storm_tasks import Action, Book, World
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from wavegraph import read, write
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.references.signatures import outline


@dataclass(frozen=True)
class Offered:
    """A book with what its tools give."""

    book: Book
    shapes: Mapping[str, Any]
    """A type for each tool's results."""
    writes: frozenset[str]
    outlines: Mapping[str, str]

    def declared(self, world: World) -> list[DomainTool]:
        return [self._declared(schema, world) for schema in self.book.tools]

    def _declared(self, schema: Mapping[str, Any], world: World) -> DomainTool:
        name = schema["name"]

        async def attempt(**args: Any) -> Any:
            return self.decoded(await world.call(name, given_of(args)))

        made = as_tool(schema, attempt)
        result = self.shapes.get(name, str)
        return write(made, result=result) if name in self.writes else read(made, result=result)

    def plain(self, world: World, *, with_results: bool = False) -> list[BaseTool]:
        return [self._plain(schema, world, with_results) for schema in self.book.tools]

    def _plain(self, schema: Mapping[str, Any], world: World, with_results: bool) -> BaseTool:
        async def attempt(**args: Any) -> tuple[Any, Mapping[str, Any]]:
            given = given_of(args)
            return await world.call(schema["name"], given), given

        made = as_tool(schema, attempt)
        made.response_format = "content_and_artifact"
        if with_results and (outline := self.outlines.get(schema["name"])):
            made.description += f" Result: {outline}"
        return made

    def result(self, action: Action) -> Any:
        return self.decoded(action.observation)

    @staticmethod
    def decoded(observation: Any) -> Any:
        with suppress(ValueError, TypeError):  # some are plain texts
            return json.loads(observation)
        return observation


def offered(book: Book) -> Offered:
    found: dict[str, list[Any]] = {}
    for action in (each for task in book.tasks for each in task.actions):
        found.setdefault(action.tool, []).append(Offered.decoded(action.observation))
    shapes = {name: shape(values) for name, values in found.items()}
    outlines = {name: outline(name, TypeAdapter(each).json_schema()) for name, each in shapes.items()}
    writes = frozenset(action.tool for task in book.tasks for action in task.actions if action.writes)
    return Offered(book, shapes, writes, outlines)


def as_tool(schema: Mapping[str, Any], attempt: Any) -> StructuredTool:
    return StructuredTool(name=schema["name"], description=schema["description"], args_schema=dict(schema["parameters"]),
                          coroutine=attempt)  # fmt: skip


def given_of(args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a call names: LangChain hands over None for the others."""
    return {name: value for name, value in args.items() if value is not None}


def shape(values: Sequence[Any]) -> Any:
    """A type that takes all the values: records by their fields' names, unless those are data."""
    kinds = [_shape_of(kind, [each for each in values if isinstance(each, kind)]) for kind in (dict, list)]
    kinds += dict.fromkeys(type(each) for each in values if not isinstance(each, dict | list))
    found = [each for each in kinds if each is not None]
    return Union[tuple(found)] if found else Any  # noqa: UP007  of a tuple


def _shape_of(kind: type, values: Sequence[Any]) -> Any:
    if not values:
        return None
    if kind is list:
        return list[shape([each for value in values for each in value])]  # type: ignore[misc]
    keys = list(dict.fromkeys(key for value in values for key in value))
    if any(not re.fullmatch(r"[a-z_]+\d?", key) for key in keys):
        return dict[str, shape([part for value in values for part in value.values()])]  # type: ignore[misc]
    fields = {key: shape([value[key] for value in values if key in value]) for key in keys}
    return TypedDict("Recorded", fields, total=False)  # type: ignore[operator]
