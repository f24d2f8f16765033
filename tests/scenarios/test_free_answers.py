"""What an agent of anybody's tools may say: an answer goes out as its model wrote it, and what no source bears out is named."""

from collections.abc import Mapping
from typing import Any

import pytest
from langchain.agents.structured_output import StructuredOutputValidationError, ToolStrategy
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel
from runs import arun
from tables import table

from wavegraph import Domain, SettingsError, build_graph, create_agent, read
from wavegraph.graph.language import say
from wavegraph.testing import ScriptedModel, call, planning

WELL = {"reasoning": "all is well", "gaps": []}
TABLE = '# Prices\n\n| what | euros |\n|---|---|\n| tea | 4 |\n\n```json\n{"tea": 4}\n```'
HAIKU = "Zwölf Uhr, tiefer Schnee –\nnur die 12 Krähen zählen\nlangsam ihre Zeit."
LONG = "A sentence of many that follow. " * 700


def get_price(item: str) -> dict[str, Any]:
    """The price of a thing, in euros."""
    return {"item": item, "euros": {"tea": 80, "rum": 400}[item]}


def asked(*replies: Any, text: str = "go", tools: Any = (), context: Any = None, **given: Any) -> Any:
    model = ScriptedModel(*replies)
    agent = create_agent(model, [read(each) for each in tools], **given)
    ended = agent.invoke({"messages": [("user", text)]}, context={"answer_check": "rules", **(context or {})})
    model.assert_complete()
    return ended


@table(
    ("reply", "unsupported"),
    [
        ("Water boils at 100 °C.", ["100"]),
        ("The war ended in 1945.", ["1945"]),
        (HAIKU, ["12"]),
        (TABLE, ["4"]),
        ('{"tea": "green"}', []),
        (LONG.strip(), []),
        ("get_price is what I call.", []),
    ],
)
def test_an_answer_goes_out_as_it_was_written(reply: str, unsupported: list[str]) -> None:
    ended = asked(planning(reply=reply))

    assert (ended["answer"], ended["outcome"]) == (reply, "answered")
    assert ended["messages"][-1].text == reply
    assert ended.get("unsupported", []) == unsupported


PRICES = [call("t", "get_price", item="tea"), call("r", "get_price", item="rum")]


@table(
    ("answer", "unsupported"),
    [
        ("The rum is 320 more.", []),
        ("Together 480, on average 240.", []),
        ("About 5 times as much.", []),
        ("The tea is 20 % of the rum.", []),
        ("The tea is 80 % cheaper.", []),
        ("Two of the tea are 160.", []),
        ("The gin is 77.77.", ["77.77"]),
    ],
)
def test_what_follows_from_the_results_has_a_source(answer: str, unsupported: list[str]) -> None:
    ended = asked(planning(*PRICES), answer, text="by how much is two rum dearer than tea?", tools=[get_price])

    assert (ended["answer"], ended.get("unsupported", [])) == (answer, unsupported)


def test_a_judge_is_asked_about_a_figure_without_a_source_and_no_text_is_changed() -> None:
    said = "Tea is 80, and it is drunk since 2737 BC."
    plan = planning(call("t", "get_price", item="tea"))
    model = ScriptedModel(plan, said, WELL)
    ended = create_agent(model, [read(get_price)]).invoke(
        {"messages": [("user", "tea?")]}, context={"answer_check": "auto"}
    )

    assert (ended["answer"], ended["unsupported"]) == (said, ["2737"])
    assert "2737" in str(model.heard[-1][-1].text)
    model.assert_complete()


def test_the_next_request_has_nothing_unsupported() -> None:
    agent = create_agent(
        ScriptedModel(planning(reply="In 1945."), planning(reply="Yes.")), checkpointer=InMemorySaver()
    )
    thread: Any = {"configurable": {"thread_id": "t"}}
    for text, unsupported in (("when?", ["1945"]), ("sure?", [])):
        ended = agent.invoke({"messages": [("user", text)]}, thread, context={"answer_check": "rules"})
        assert ended.get("unsupported", []) == unsupported


def test_off_traces_no_figure() -> None:
    assert "unsupported" not in asked(planning(reply="In 1945."), figures="off")


def test_strict_leaves_a_figure_without_a_source_out() -> None:
    """As a domain's, unless it says otherwise."""
    ended = asked(planning(reply="In 1945."), planning(reply="In 1946."), figures="strict")
    assert "194" not in ended["answer"]


def test_plain_answers_are_as_long_as_the_author_says() -> None:
    ended = asked(planning(reply=LONG), answer_format="plain", longest_answer=100)
    assert ended["answer"] == " ".join(["A sentence of many that follow."] * 3)


@pytest.mark.parametrize(
    "wrong",
    [{"figures": "loose"}, {"answer_format": "html"}, {"longest_answer": 0}],
    ids=["figures", "format", "length"],
)
def test_a_wrong_choice_is_refused(wrong: Mapping[str, Any]) -> None:
    with pytest.raises(SettingsError, match=f"{next(iter(wrong))} must be"):
        create_agent(ScriptedModel(), **wrong)


def test_a_domain_of_one_s_own_may_be_as_free() -> None:
    domain = Domain(name="poet", tools=[], figures="checked", answer_format="free", longest_answer=None)
    graph = build_graph(domain, model=ScriptedModel(planning(reply=TABLE))).compile()
    ended = graph.invoke({"messages": [("user", "a table")]}, context={"answer_check": "rules"})
    assert ended["answer"] == TABLE


@pytest.mark.parametrize(
    ("written", "note"), [("", "model_unusable"), (OSError("down"), "model_replaced")], ids=["empty", "down"]
)
async def test_a_list_in_the_place_of_an_answer_says_why_and_is_no_whole_answer(written: Any, note: str) -> None:
    model = ScriptedModel(planning(call("t", "get_price", item="tea")), *[written] * (1 if written == "" else 3))
    settings = {"answer_check": "rules"}
    ended = await arun(create_agent(model, [read(get_price)]), "tea?", context=settings)

    assert ended["answer"].endswith(say(note, "en"))
    assert "euros: 80" in ended["answer"]
    assert ended["outcome"] == "partial"
    assert [event["answer"] for event in ended.told("answer_replaced")] == ([ended["answer"]] if written == "" else [])


class Order(BaseModel):
    item: str
    euros: int
    stock: int = 0


def test_a_structured_response_holds_what_the_model_worked_out_and_marks_the_rest() -> None:
    form = {"response": {"item": "tea", "euros": 160, "stock": 7777}}
    ended = asked(
        planning(call("t", "get_price", item="tea")),
        "Tea is 80 each.",
        form,
        text="the price of two tickets to the tea?",
        tools=[get_price],
        response_format=Order,
    )

    assert ended["structured_response"] == Order(item="tea", euros=160, stock=7777)
    assert ended["unsupported_fields"] == ["stock"]


def test_a_figure_of_the_answer_without_a_source_is_none_in_the_form_either() -> None:
    ended = asked(
        planning(call("t", "get_price", item="tea")),
        "Tea is 80 each, 7777 are there.",
        {"response": {"item": "tea", "euros": 80, "stock": 7777}},
        tools=[get_price],
        response_format=Order,
    )

    assert (ended["unsupported"], ended["unsupported_fields"]) == (["7777"], ["stock"])


def test_a_strict_form_has_no_figure_without_a_source() -> None:
    form = {"response": {"item": "tea", "euros": 161, "stock": 7777}}
    ended = asked(
        planning(call("t", "get_price", item="tea")),
        "Tea is 80 each.",
        form,
        form,
        tools=[get_price],
        response_format=Order,
        figures="strict",
    )

    assert (ended["structured_response"], ended["unsupported_fields"]) == (None, [])


@pytest.mark.parametrize("handles", [True, False])
def test_a_form_that_does_not_fit_ends_the_run_where_its_strategy_handles_no_errors(handles: bool) -> None:
    form = {"response": {"item": "tea"}}
    given: Any = {"response_format": ToolStrategy(Order, handle_errors=handles)}
    if handles:
        assert asked(planning(reply="Tea."), form, form, **given)["structured_response"] is None
        return
    with pytest.raises(StructuredOutputValidationError, match="Order"):
        asked(planning(reply="Tea."), form, form, **given)
