"""How a server that refuses a way to ask for a form, or passes over it, is asked from then on.

The bodies are those that the servers send.
"""

import json
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from endpoint import Endpoint, Received, Serving, Turn, answers, judges, plans
from inn import Inn
from langchain_openai import ChatOpenAI
from plans import ask, beds, plan, verdict
from tables import table

from wavegraph import build_graph
from wavegraph.testing import ScriptedModel

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
Role = Literal["planner", "validator"]


def refusal(status: int, message: str, **more: Any) -> Turn:
    return Turn("plan", status=status, body=json.dumps({"error": {"message": message, **more}}))


JINJA = refusal(500, "tools param requires --jinja flag", code=500, type="server_error")
NO_TOOLS = refusal(400, "registry.ollama.ai/library/gemma3:4b does not support tools", type="api_error", code=None)
XGRAMMAR = Turn("plan", status=400, body=json.dumps({
    "object": "error", "message": "The provided JSON schema contains features not supported by xgrammar.",
    "type": "BadRequestError", "param": None, "code": 400}))  # fmt: skip
PROSE = "I would look for a bed first, and everything is fine."


@dataclass
class Local(Endpoint):
    """A server with its ways; what it neither refuses nor passes over it answers by the script."""

    function: Turn | str | None = None
    """What it says to a function: a refusal, or the text of a model that was told of none."""
    taken: list[str] = field(default_factory=list)

    def take(self, request: Received) -> Turn | None:
        self.taken.append(request.way)
        if request.way != "function" or self.function is None:
            return super().take(request)
        return self.function if isinstance(self.function, Turn) else answers(self.function)


@dataclass(frozen=True)
class Case:
    id: str
    function: Turn | str | None
    ways: tuple[str, ...] = ("function", "words")
    """Of the first request, in order; the second goes the last way at once."""


CASES = [
    Case("all in order", None, ("function",)),
    Case("vLLM with a schema beyond its grammar", XGRAMMAR),
    Case("llama.cpp without templates", JINJA),
    Case("Ollama with a model without functions", NO_TOOLS),
    Case("Ollama with a model that passes over them", PROSE),
    Case("a form of the model's own", '{"answer": "a bed"}'),
    Case("a gateway that knows none", refusal(404, "No endpoints found that support tool use.")),
]


def asked(server: Local, role: Role, texts: int = 1) -> list[Any]:
    """A request or more, each to a graph of its own, in which one role has the server's model."""
    told = []
    for _ in range(texts):
        model = ChatOpenAI(model="local", base_url=server.url, api_key="x")
        graph = build_graph(Inn().domain(), model={role: model}).compile()
        told.append(ask(graph, TEXT, answer_check="on" if role == "validator" else "rules"))
    return told


@table("case", CASES)
@table("role", ["planner", "validator"])
def test_it_is_asked_in_a_way_that_it_takes(case: Case, role: Role) -> None:
    with Serving(Local(function=case.function)) as server:
        assert isinstance(server, Local)
        call = case.ways[-1] == "function"
        good = plans(plan(beds("beds", NIGHT)), call=call) if role == "planner" else judges(verdict(), call=call)
        server.plays(good, good)
        both = asked(server, role, 2)
    for told in both:
        assert told["outcome"] == "answered"
        if role == "planner":
            assert told["planner"] == "llm"
        else:
            assert (told["answer_check"]["checked_by"], told["answer_check"]["satisfied"]) == ("local", True)
    assert server.taken == [*case.ways, case.ways[-1]]
    assert [told["llm_calls"] for told in both] == [len(case.ways), 1]


@pytest.mark.parametrize(
    "error",
    [
        refusal(400, "This model's maximum context length is 4096 tokens."),
        refusal(401, "tools: the key is wrong"),
        refusal(404, "The model `local` does not exist"),
        refusal(400, "max_completion_tokens is not known"),
    ],
    ids=["too long", "no key", "no model", "another parameter"],
)
def test_another_error_is_no_refusal_of_the_way(error: Turn) -> None:
    with Serving(Local(function=error)) as server:
        assert isinstance(server, Local)
        [told] = asked(server, "planner")
    assert (told["planner"], server.taken) == ("rules", ["function"])


def test_what_refuses_every_way_is_not_remembered() -> None:
    with Serving(Local(function=NO_TOOLS)) as server:
        assert isinstance(server, Local)
        server.plays(*[Turn("plan", status=401)] * 2)
        told = asked(server, "planner", 2)
    assert [each["planner"] for each in told] == ["rules", "rules"]
    assert server.taken == ["function", "words"] * 2


def test_what_one_model_refuses_another_at_the_endpoint_is_asked() -> None:
    with Serving(Local(function=XGRAMMAR)) as server:
        assert isinstance(server, Local)
        server.plays(*[plans(plan(beds("beds", NIGHT)), call=False)] * 2)
        for name in ("one", "two"):
            model = ChatOpenAI(model=name, base_url=server.url, api_key="x")
            ask(build_graph(Inn().domain(), model={"planner": model}).compile(), TEXT)
    assert server.taken == ["function", "words"] * 2


def test_a_nameless_model_is_asked_anew() -> None:
    """Nobody could tell it from another of its class."""
    for _ in range(2):
        model = ScriptedModel(PROSE, plan(beds("beds", NIGHT)), "4 beds are free.")
        assert ask(build_graph(Inn().domain(), model=model).compile(), TEXT)["planner"] == "llm"
        assert [len(each) for each in model.heard] == [2, 2, 2]
        assert '"instead_of"' not in str(model.heard[0][0].content)
