"""What a watcher of the message stream sees: the answer's tokens, once, and nothing of the planner."""

from typing import Any

from endpoint import Endpoint, answers, plans
from inn import Inn, full_house
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.outputs import LLMResult
from plans import ask, beds, plan

from wavegraph import Checks, build_graph

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
PLAN = plans(plan(beds("beds", NIGHT)))


def test_tokens_of_the_answer_are_streamed_once_under_its_id(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, answers(f"On {NIGHT} there are 4 free beds."))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    final = told["messages"][-1]
    assert told.streamed == final.text == told["answer"]
    assert {chunk.id for chunk in told.chunks} == {final.id}
    assert len(told.tokens) > 5
    assert not told.told("answer_replaced")


async def test_events_tell_each_token_of_the_answer_once_and_no_other(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, answers(f"On {NIGHT} there are 4 free beds."))
    graph = build_graph(Inn().domain()).compile()
    given: Any = {"messages": [HumanMessage(TEXT)]}
    events = [each async for each in graph.astream_events(given, context={"answer_check": "rules"}, version="v2")]
    tokens = [str(each["data"]["chunk"].text) for each in events if each["event"] == "on_chat_model_stream"]
    assert "".join(tokens) == f"On {NIGHT} there are 4 free beds."
    assert len(list(filter(None, tokens))) > 5
    models = [each["name"] for each in events if each["event"] == "on_chat_model_end"]
    assert sorted(models) == ["ChatOpenAI", "ChatOpenAI", "Spoken"]  # who plans and who writes are still told of


async def test_a_callers_own_handler_hears_each_token_once_and_what_was_spent(endpoint: Endpoint) -> None:
    class Listener(AsyncCallbackHandler):
        def __init__(self) -> None:
            self.tokens: list[str] = []
            self.ends: list[LLMResult] = []

        async def on_llm_new_token(self, token: str, **_: Any) -> None:  # type: ignore[override]
            self.tokens.append(token)

        async def on_llm_end(self, response: LLMResult, **_: Any) -> None:
            self.ends.append(response)

    listener = Listener()
    endpoint.plays(PLAN, answers("4 beds."))
    graph = build_graph(Inn().domain()).compile()
    given: Any = {"messages": [HumanMessage(TEXT)]}
    parts = graph.astream(given, {"callbacks": [listener]}, stream_mode="messages", context={"answer_check": "rules"})
    streamed = "".join([str(token.text) async for token, _ in parts if isinstance(token, AIMessageChunk)])
    assert "".join(listener.tokens) == streamed == "4 beds."
    assert len(listener.ends) == 3


def test_neither_plan_nor_function_call_shows_in_the_stream(endpoint: Endpoint) -> None:
    for called in (True, False):
        endpoint.plays(plans(plan(beds("beds", NIGHT)), call=called), answers("4 beds."))
        told = ask(build_graph(Inn().domain()).compile(), TEXT)
        assert told.streamed == "4 beds."
        assert not any(getattr(chunk, "tool_calls", None) for chunk in told.chunks)


def test_a_reply_of_the_planner_shows_as_one_message(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(action="clarify", reply="For which night?")))
    told = ask(build_graph(Inn().domain()).compile(), "a bed")
    assert [chunk.text for chunk in told.chunks if chunk.type != "human"] == ["For which night?"]


def test_a_rewrite_keeps_the_id_and_comes_whole(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, answers("There are 9 free beds."), answers("There are 4 free beds."))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["answer"], told["outcome"], told["llm_calls"]) == ("There are 4 free beds.", "answered", 3)
    final = told["messages"][-1]
    assert [chunk.text for chunk in told.chunks if chunk.text][-1] == told.streamed == told["answer"]
    assert "".join(chunk.text for chunk in told.tokens) == "There are 9 free beds."
    assert {chunk.id for chunk in told.chunks} == {final.id}
    assert [(event["message_id"], event["answer"]) for event in told.told("answer_replaced")] == [
        (final.id, "There are 4 free beds.")
    ]
    assert [message.type for message in told["messages"]] == ["human", "ai"]
    assert [event["satisfied"] for event in told.told("answer_checked")] == [False, True]


def test_a_rewrite_is_told_what_was_wrong(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, answers("There are 9 free beds."), answers("There are 4 free beds."))
    ask(build_graph(Inn().domain()).compile(), TEXT)
    first, second = endpoint.of("answer")
    assert first.block("unsupported_claims") is None
    assert second.block("unsupported_claims") == ["9"]
    assert second.block("last_answer") == "There are 9 free beds."
    assert first.block("conversation") is second.block("conversation") is None


def test_a_claim_that_stays_gives_way_to_the_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, *[answers("There are 9 free beds.")] * 2)
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert told["answer"] == "The porter says: 2026-12-05: 4 free"
    assert told.told("answer_replaced")[-1]["answer"] == told["answer"]
    assert [event["satisfied"] for event in told.told("answer_checked")] == [False, False, True]
    assert told["llm_calls"] == 3


def test_a_gap_goes_back_to_the_planner_with_the_answer(endpoint: Endpoint) -> None:
    def names_price(answer: str, view: object) -> Any:
        gap = None if "350" in answer else "the price is missing"
        return {"name": "price", "verdict": "fail" if gap else "pass", "gap": gap}

    endpoint.plays(
        PLAN, answers("There are 4 free beds."), plans(plan()), answers("There are 4 free beds at 350.")
    )  # fmt: skip
    told = ask(
        build_graph(Inn().domain(checks=Checks({"get_beds": [full_house]}, answers=[names_price]))).compile(), TEXT
    )
    assert told["answer"] == "There are 4 free beds at 350."
    again = endpoint.of("plan")[1]
    assert again.block("feedback")["source"] == "answer"
    assert [issue["message"] for issue in again.block("feedback")["issues"]] == ["the price is missing"]
    assert again.block("last_answer") == "There are 4 free beds."
    assert endpoint.of("answer")[1].block("gaps") == ["the price is missing"]
    assert told.streamed == told["answer"]
    assert len({chunk.id for chunk in told.chunks}) == 1
