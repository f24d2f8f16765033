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

    schema: Turn | str | None = None
    """What it says to a JSON schema: a refusal, or the text of a model that was told nothing."""
    function: Turn | str | None = None
    taken: list[str] = field(default_factory=list)

    def take(self, request: Received) -> Turn | None:
        self.taken.append(request.way)
        says = self.schema if "schema" in request.way else self.function if "function" in request.way else None
        if isinstance(says, Turn):
            return says
        if says is not None and "prompt" not in request.way:
            return answers(says)
        return super().take(request)


@dataclass(frozen=True)
class Case:
    id: str
    schema: Turn | str | None
    function: Turn | str | None
    ways: tuple[str, ...]
    """Of the first request, in order; the second goes the last way at once."""
    method: str = "json_schema"
    by_call: bool = False
    """Whether the form is filled in as a function's arguments."""


CASES = [
    Case("all in order", None, None, ("schema",)),
    Case("an old model of OpenAI", refusal(
        400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        type="invalid_request_error", param=None, code=None), None, ("schema", "function"), by_call=True),
    Case("DeepSeek", refusal(400, "This response_format type is unavailable now", type="invalid_request_error"), None,
         ("schema", "function"), by_call=True),
    Case("vLLM with a schema beyond its grammar", XGRAMMAR, XGRAMMAR, ("schema", "function", "prompt")),
    Case("vLLM for a model that calls functions", XGRAMMAR, None, ("schema", "function"), by_call=True),
    Case("an old llama.cpp without templates", refusal(
        500, 'response_format type must be one of "text" or "json_object", but got: json_schema', code=500,
        type="server_error"), JINJA, ("schema", "function", "prompt")),
    Case("llama.cpp that passes over the schema", PROSE, None, ("schema", "function, prompt"), by_call=True),
    Case("llama.cpp that passes over the schema, without templates", PROSE, JINJA,
         ("schema", "function, prompt", "prompt")),
    Case("Ollama that passes over both", PROSE, PROSE, ("schema", "function, prompt")),
    Case("Ollama that passes over the schema, with a model without functions", PROSE, NO_TOOLS,
         ("schema", "function, prompt", "prompt")),
    Case("a form of the model's own", '{"answer": "a bed"}', None, ("schema", "function, prompt"), by_call=True),
    Case("a gateway that knows neither", refusal(422, "body.response_format: Extra inputs are not permitted"),
         refusal(404, "No endpoints found that support tool use."), ("schema", "function", "prompt")),
    Case("set to functions, refused", None, NO_TOOLS, ("function", "prompt"), "function_calling"),
    Case("set to functions, passed over", None, PROSE, ("function", "function, prompt"), "function_calling"),
]  # fmt: skip


def asked(server: Local, role: Role, method: str, texts: int = 1) -> list[Any]:
    """A request or more, each to a graph of its own, in which one role has the server's model."""
    told = []
    for _ in range(texts):
        model = ChatOpenAI(model="local", base_url=server.url, api_key="x")
        graph = build_graph(Inn().domain(), model={role: model}).compile()
        check = "on" if role == "validator" else "rules"
        told.append(ask(graph, TEXT, structured_output=method, answer_check=check))
    return told


@pytest.mark.filterwarnings("ignore:This model does not support OpenAI's structured output")  # LangChain's advice
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("role", ["planner", "validator"])
def test_it_is_asked_in_a_way_that_it_takes(case: Case, role: Role) -> None:
    with Serving(Local(schema=case.schema, function=case.function)) as server:
        assert isinstance(server, Local)
        good = (
            plans(plan(beds("beds", NIGHT)), call=case.by_call)
            if role == "planner"
            else judges(verdict(), call=case.by_call)
        )
        server.plays(good, good)
        both = asked(server, role, case.method, 2)
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
        refusal(401, "response_format: the key is wrong"),
        refusal(404, "The model `local` does not exist"),
        refusal(400, "tool_choice is not known"),
    ],
    ids=["too long", "no key", "no model", "another parameter"],
)
def test_another_error_is_no_refusal_of_the_way(error: Turn) -> None:
    with Serving(Local(schema=error)) as server:
        assert isinstance(server, Local)
        [told] = asked(server, "planner", "json_schema")
    assert (told["planner"], server.taken) == ("rules", ["schema"])


def test_what_refuses_every_way_is_not_remembered() -> None:
    with Serving(Local(schema=XGRAMMAR, function=NO_TOOLS)) as server:
        assert isinstance(server, Local)
        server.plays(*[Turn("plan", status=401)] * 2)
        told = asked(server, "planner", "json_schema", 2)
    assert [each["planner"] for each in told] == ["rules", "rules"]
    assert server.taken == ["schema", "function", "prompt"] * 2


def test_what_one_model_refuses_another_at_the_endpoint_is_asked() -> None:
    with Serving(Local(schema=XGRAMMAR)) as server:
        assert isinstance(server, Local)
        server.plays(*[plans(plan(beds("beds", NIGHT)), call=True)] * 2)
        for name in ("one", "two"):
            model = ChatOpenAI(model=name, base_url=server.url, api_key="x")
            ask(build_graph(Inn().domain(), model={"planner": model}).compile(), TEXT)
    assert server.taken == ["schema", "function"] * 2


def test_a_nameless_model_is_asked_anew() -> None:
    """Nobody could tell it from another of its class."""
    for _ in range(2):
        model = ScriptedModel(PROSE, plan(beds("beds", NIGHT)), "4 beds are free.")
        assert ask(build_graph(Inn().domain(), model=model).compile(), TEXT)["planner"] == "llm"
        assert [len(each) for each in model.heard] == [2, 2, 2]
        assert '"wishes"' not in str(model.heard[0][0].content)
