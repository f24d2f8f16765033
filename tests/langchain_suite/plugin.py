"""A pytest plugin for LangChain's own tests of `create_agent`: they get this package's in its place.

It changes three things and no test: the import, the suite's fake model, which answers the forms that this engine asks a model to
fill in with the calls that it would have made, and the fixtures of plugins that are not installed here. `differences.toml` names
the tests that are expected to fail, each with the reason; one that passes all the same fails the run.
"""

import functools
import importlib.util
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import langchain.agents
import langchain.agents.factory
import pytest
from blockbuster import blockbuster_ctx
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import BaseModel

from wavegraph import create_agent

called_in: set[str] = set()
"""Tests that have made an agent; the others are of LangChain's own functions."""


@functools.wraps(create_agent)
def counted_create_agent(*given: Any, **named: Any) -> Any:
    called_in.add(os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0])
    return create_agent(*given, **named)


for module in (langchain.agents, langchain.agents.factory):
    module.create_agent = counted_create_agent  # type: ignore[attr-defined]

DIFFERENCES: Mapping[str, str] = tomllib.loads((Path(__file__).parent / "differences.toml").read_text())
"""By test, why this agent is expected to fail it."""
SUITE = "tests/unit_tests/agents/"
NAMES_OF = {"pytest_mock": "MockerFixture", "syrupy.assertion": "SnapshotAssertion"}
"""What the tests import of packages that are not installed here, for their annotations alone."""
REQUEST = re.compile(r"<request>\n(.*)\n</request>", re.DOTALL)

for name, annotation in NAMES_OF.items():
    package = name.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        sys.modules[name] = ModuleType(name)
        setattr(sys.modules[name], annotation, object)


@pytest.fixture(autouse=True)
def blockbuster() -> Iterator[object]:
    """As in the suite's own `conftest.py`, which needs packages that are not installed here: nothing blocks an event loop."""
    with blockbuster_ctx() as found:
        yield found


def pytest_configure(config: pytest.Config) -> None:
    from tests.unit_tests.agents.model import FakeToolCallingModel  # type: ignore[import-not-found]

    FakeToolCallingModel._generate = generate


def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    named = {item.nodeid.removeprefix(SUITE): item for item in items}
    for test, reason in DIFFERENCES.items():
        if item := named.get(test):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
    is_whole = not (config.option.keyword or any("::" in each or each.endswith(".py") for each in config.args))
    if is_whole and (gone := sorted(set(DIFFERENCES) - set(named))):
        raise pytest.UsageError(f"differences.toml names tests that are not there: {gone}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    ended = {kind: {each.nodeid for each in terminalreporter.stats.get(kind, ())} for kind in ("passed", "xfailed")}
    passed, made = len(ended["passed"] & called_in), len(called_in)
    terminalreporter.write_line(f"{passed} of the {made} tests that make an agent pass")


def generate(self: Any, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
    """What the suite's fake model says to a form of the engine's: a plan of the calls that its script has next, the script's
    structured response, or that a text lacks nothing; to anything else, the request."""
    asked = next((each["function"] for each in options.get("tools", ()) if "function" in each), None)
    if asked is None:
        message = AIMessage(request_in(messages), id=str(self.index))
    else:
        filled = FORMS.get(asked["name"], verdict)(self, messages, asked.get("parameters", {}))
        message = AIMessage("", id=str(self.index), tool_calls=[{"name": asked["name"], "args": filled, "id": "form"}])
    return ChatResult(generations=[ChatGeneration(message=message)])


def plan(self: Any, messages: list[BaseMessage], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The calls of the script's next turn; one without calls ends the work. A call of no tool gives the structured response."""
    listed = schema["properties"]["tools"]["items"].get("properties", {})
    known = listed.get("tool", {}).get("enum", [])
    turn = self.tool_calls[self.index % len(self.tool_calls)] if self.tool_calls else []
    self.index += 1
    calls = [
        {"id": call["id"], "tool": call["name"], "args": call["args"]}
        for call in turn
        if call["name"] in known or not is_form(self, call)
    ]
    own = {"reasoning": "", "action": "answer", "tools": calls}
    return {**own, "status": "continue"} if calls else {**own, "status": "done", "reply": request_in(messages)}


def is_form(self: Any, call: Mapping[str, Any]) -> bool:
    """Whether a call of the script gives the structured response."""
    return bool(self.structured_response) or bool(call["name"][:1].isupper() or "response" in call["name"])


def response(self: Any, messages: list[BaseMessage], schema: Mapping[str, Any]) -> dict[str, Any]:
    given = self.structured_response
    if given is None:
        self.index += "<last_form_was_refused>" in messages[-1].text  # then the script's next turn is asked for
        turn = self.tool_calls[max(self.index - 1, 0) % len(self.tool_calls)] if self.tool_calls else []
        return {"response": next((call["args"] for call in turn), {})}
    if isinstance(given, BaseModel):
        return {"response": given.model_dump(mode="json")}
    return {"response": asdict(given) if is_dataclass(given) and not isinstance(given, type) else given}


def verdict(self: Any, messages: list[BaseMessage], schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"reasoning": "", "gaps": []}


FORMS = {"plan": plan, "response": response}


def request_in(messages: list[BaseMessage]) -> str:
    """The request that a prompt of the engine's ends with."""
    found = REQUEST.search(messages[-1].text)
    return str(json.loads(found[1])) if found else messages[-1].text
