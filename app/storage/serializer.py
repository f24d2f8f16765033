"""How values are stored in databases opened with `open_storage`: compressed; and which of them are opened again.

A stored value names its type. LangGraph would import whatever is named and call it with what lies beside it, so that
whoever can write one row, or hands over a file, would run code here.
"""

import zlib
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from wavegraph.app.storage.damaged import Unreadable
from wavegraph.graph._langgraph import (
    EXT_DELTA_SNAPSHOT,
    EXT_METHOD,
    EXT_NUMPY_ARRAY,
    EXT_PYDANTIC_V2,
    NAMED_KINDS,
    SAFE_METHODS,
    SAFE_TYPES,
    DeltaSnapshot,
    made_by,
    names_of,
    unpacked,
)
from wavegraph.graph.errors import error_text, short_repr

WORTH_BYTES = 200
"""Smaller values hardly shrink and are not compressed."""
_SUFFIX = "+zlib"
_KINDS = ("msgpack", "null", "bytes", "bytearray")
"""What LangGraph writes. It would read "json" too, as it wrote years ago, and there make objects by other rules."""

_DECODERS = (zlib.error, ValueError, TypeError, AttributeError, LookupError, NotImplementedError)
"""What decoders raise of damaged bytes."""

_MESSAGES: Mapping[tuple[str, str], tuple[type[BaseMessage], frozenset[str]]] = {
    (kind.__module__, kind.__name__): (kind, frozenset(kind.model_fields))
    for kind in (HumanMessage, AIMessage, ToolMessage)
}
"""Kinds of messages and their fields, by module and name."""


class CompressingSerializer(JsonPlusSerializer):
    """LangGraph's own serializer, its output compressed; rows that were written without compression stay readable.

    Opened are LangGraph's safe types and those in `allowed`, which may be whole state schemas. LangGraph's strict mode
    gives what else is named as plain data; here it is refused.

    A stored message is made as a pickled one is: a thread's messages are all made whenever it is opened, and validating
    each again, as LangGraph does, takes ten times as long.
    """

    def __init__(self, allowed: Collection[type] = ()) -> None:
        super().__init__(allowed_msgpack_modules=SAFE_TYPES | names_of(allowed))

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = super().dumps_typed(obj)
        small = zlib.compress(data) if len(data) >= WORTH_BYTES else data
        return (f"{kind}{_SUFFIX}", small) if len(small) < len(data) else (kind, data)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Raises Unreadable."""
        try:
            return self._loaded(*data)
        except _DECODERS as error:
            raise Unreadable(f"{type(error).__name__}: {error_text(error)}") from None

    def _loaded(self, kind: str, stored: bytes) -> Any:
        plain = kind.removesuffix(_SUFFIX)
        if plain not in _KINDS:
            raise Unreadable(f"it holds a value of the kind {short_repr(plain)}, which is not opened")
        packed = zlib.decompress(stored) if kind.endswith(_SUFFIX) else stored
        return self._unpacked(packed) if plain == "msgpack" else super().loads_typed((plain, packed))

    def _unpacked(self, packed: bytes) -> Any:
        refused: list[str] = []  # what the hook raises, msgpack does not tell
        try:
            return unpacked(packed, partial(self._made, refused))
        except ValueError:
            if not refused:
                raise
        raise Unreadable(
            f"it holds a value of the type {refused[0]}, which is not opened; if it is your own, name it in "
            "open_storage(…, allowed_types=[…])"
        )

    def _made(self, refused: list[str], code: int, data: bytes) -> Any:
        if code == EXT_NUMPY_ARRAY:
            return made_by(self, code, data)
        inner = unpacked(data, partial(self._made, refused))
        if code == EXT_DELTA_SNAPSHOT:
            return DeltaSnapshot(inner)
        if not self._is_allowed(code, inner):
            refused.append(_type_of(inner))
            raise ValueError
        message = _message(inner) if code == EXT_PYDANTIC_V2 else None
        return made_by(self, code, data) if message is None else message

    def _is_allowed(self, code: int, named: Any) -> bool:
        """Whether this may be made: `named` is (module, name, arguments, method)."""
        if code not in NAMED_KINDS:
            return False
        if code == EXT_METHOD:
            return (*named[:2], *named[3:4]) in SAFE_METHODS
        allowed: Any = self._allowed_msgpack_modules  # a set, as it is given above
        return tuple(named[:2]) in allowed


def _type_of(named: Any) -> str:
    return short_repr(".".join(str(part) for part in named[:2]) if isinstance(named, list) else named)


def _message(packed: Any) -> BaseMessage | None:
    """The message that was stored as (module, name, fields, method); None for anything else, and for a message that has
    not just the fields of today's."""
    module, name, fields, *_ = packed
    kind, known = _MESSAGES.get((module, name), (None, frozenset[str]()))
    if kind is None or fields.keys() != known:
        return None
    message = kind.__new__(kind)
    message.__setstate__({"__dict__": fields, "__pydantic_fields_set__": set(known), "__pydantic_extra__": {},
                          "__pydantic_private__": None})  # fmt: skip
    return message
