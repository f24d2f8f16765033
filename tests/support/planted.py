"""Stored values that were written by somebody else: each names code to be run by whoever opens it."""

import json
import pickle
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import ormsgpack
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.jsonplus import _msgpack_enc

RAN: list[Any] = []
"""What was run. A planted row that is opened in another process says so by a file."""


def run(*given: Any, **named: Any) -> str:
    RAN.append((given, named))
    return "ran"


class Runs:
    """Runs when it is made, and by each of its methods."""

    def __init__(self, *given: Any, **named: Any) -> None:
        run(*given, **named)

    method = construct = model_construct = staticmethod(run)

    def __reduce__(self) -> Any:
        return run, ("pickled",)


HERE = __name__
KINDS: Mapping[str, Callable[[str, str, Any], Any]] = {
    "one argument": lambda module, name, given: _wrapped(0, [module, name, given]),
    "arguments": lambda module, name, given: _wrapped(1, [module, name, [given]]),
    "named arguments": lambda module, name, given: _wrapped(2, [module, name, {"given": given}]),
    "a method": lambda module, name, given: _wrapped(3, [module, name, given, "method"]),
    "a method of a safe name": lambda module, name, given: _wrapped(3, [module, name, given, "fromisoformat"]),
    "a model of pydantic 1": lambda module, name, given: _wrapped(4, [module, name, {"given": given}]),
    "a model": lambda module, name, given: _wrapped(5, [module, name, {"given": given}, "model_validate_json"]),
    "of a kind that nobody knows": lambda module, name, given: _wrapped(9, [module, name, given]),
}
"""How msgpack names what is to be called."""

PLACES: Mapping[str, Callable[[Any], Any]] = {
    "alone": lambda value: value,
    "in a list": lambda value: [1, [value]],
    "in all messages": lambda value: _wrapped(7, [value]),
    "in a message": lambda value: _wrapped(5, ["langchain_core.messages.human", "HumanMessage",
                                               {**HumanMessage("x").model_dump(), "additional_kwargs": {"a": value}},
                                               "model_validate_json"]),
    "in what is safe": lambda value: _wrapped(0, ["builtins", "set", [value]]),
    "in a Send": lambda value: _wrapped(1, ["langgraph.types", "Send", ["execute_wave", {"call": value}]]),
    "in what is not opened either": lambda value: _wrapped(0, ["decimal", "Context", value]),
    "as a key": lambda value: {"a": {"b": value}},
}  # fmt: skip
"""What it lies in."""

OTHERS: Mapping[str, tuple[str, bytes]] = {
    "pickle": ("pickle", pickle.dumps(Runs.__new__(Runs))),
    "a constructor in JSON": ("json", json.dumps({"lc": 2, "type": "constructor", "id": [HERE, "Runs"],
                                                  "kwargs": {"given": 1}}).encode()),
    "LangChain's in JSON": ("json", json.dumps({"lc": 1, "type": "constructor", "kwargs": {"content": "x"}, "id": [
        "langchain", "schema", "messages", "HumanMessage"]}).encode()),
}  # fmt: skip
"""Values of other kinds than msgpack."""

FUTURE = datetime(2026, 12, 1, 9, 30)


def packed(value: Any) -> bytes:
    """As LangGraph packs it."""
    return bytes(_msgpack_enc(value))


def _wrapped(code: int, value: Any) -> ormsgpack.Ext:
    return ormsgpack.Ext(code, packed(value))
