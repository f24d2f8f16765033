"""A provider that is slow, full, broken or gone: what is tried again, what hands over, and what is never shown."""

import logging

import pytest
from endpoint import KEY, Endpoint, Role, Serving, Turn, answers, plans
from inn import Inn
from langchain_openai import ChatOpenAI
from plans import ask, beds, plan
from pydantic import SecretStr
from skipping import LIMIT_S

from wavegraph import build_graph
from wavegraph.graph.language import say
from wavegraph.graph.model import calls as model_calls

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
HEBREW = f"יש מיטה פנויה בתאריך {NIGHT}?"
PLAN = plans(plan(beds("beds", NIGHT)))
ANSWER = answers(f"On {NIGHT} there are 4 free beds.")
REPLACED = "(The language model could not"
REPLACED_HE = "מודל השפה"


LASTING_S = LIMIT_S + 1
IN_TIME = {"request_timeout_s": LIMIT_S}
PATIENT = {"model_timeout_s": LIMIT_S, "request_timeout_s": 60 * LIMIT_S}
PASSING = {
    "429": Turn("plan", status=429, headers={"retry-after": "0"}),
    "500": Turn("plan", status=500),
    "502": Turn("plan", status=502, body="<html>bad gateway</html>", headers={"content-type": "text/html"}),
    "503": Turn("plan", status=503, headers={"retry-after": "soon"}),
    "529": Turn("plan", status=529),
    "408": Turn("plan", status=408),
    "closed": Turn("plan", fault="close"),
    "hangs": Turn("plan", fault="hang", lasts_s=LASTING_S),
    "no JSON": Turn("plan", body="<html>captive portal</html>"),
}
LASTING = {name: Turn("plan", status=int(name)) for name in ("400", "401", "403", "404", "422")}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_passing_fault_while_planning_is_tried_again(fault: Turn, endpoint: Endpoint) -> None:
    endpoint.plays(fault, fault, PLAN, ANSWER)
    told = ask(build_graph(Inn().domain()).compile(), TEXT, **PATIENT)
    assert (told["outcome"], told["planner"], told["llm_calls"]) == ("answered", "llm", 4)
    assert REPLACED not in told["answer"]


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_passing_fault_while_answering_is_tried_again(fault: Turn, endpoint: Endpoint) -> None:
    fault = fault.but(role="answer")
    endpoint.plays(PLAN, fault, fault, ANSWER)
    told = ask(build_graph(Inn().domain()).compile(), TEXT, **PATIENT)
    assert (told["outcome"], told["answer"], told["llm_calls"]) == ("answered", ANSWER.content, 4)


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_model_that_stays_down_hands_over_to_the_rules(fault: Turn, endpoint: Endpoint) -> None:
    endpoint.plays(fault, fault, fault)
    told = ask(build_graph(Inn().domain()).compile(), TEXT, **PATIENT)
    assert (told["outcome"], told["planner"], told["llm_calls"]) == ("answered", "rules", 3)
    assert told["answer"].startswith(f"The porter says: {NIGHT}: 4 free")
    assert REPLACED in told["answer"]


@pytest.mark.parametrize("fault", LASTING.values(), ids=LASTING)
def test_a_lasting_fault_is_not_tried_again(fault: Turn, endpoint: Endpoint) -> None:
    endpoint.plays(fault)
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("rules", 1)
    assert REPLACED in told["answer"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("role", ["plan", "answer"])
@pytest.mark.parametrize("given", [False, True], ids=["of the environment", "given"])
def test_a_redirect_is_not_followed(
    status: int, role: Role, given: bool, endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    """The prompt would go wherever it leads."""
    with Serving() as elsewhere:
        fault = Turn(role, status=status, headers={"location": f"{elsewhere.url}/chat/completions"})
        endpoint.plays(*[PLAN][: role == "answer"], fault)
        model = ChatOpenAI(model="scripted", base_url=endpoint.url, api_key=SecretStr(KEY)) if given else None
        told = ask(build_graph(Inn().domain(), model=model).compile(), TEXT)
        assert (told["outcome"], elsewhere.received) == ("answered", [])
    assert f"status {status}; a redirect is not followed: give the endpoint's own address" in caplog.text


def test_nor_is_that_of_the_list_of_models(monkeypatch: pytest.MonkeyPatch, endpoint: Endpoint) -> None:
    monkeypatch.delenv("WAVEGRAPH_MODEL")
    with Serving() as elsewhere:
        endpoint.models_status, endpoint.models_headers = 307, {"location": f"{elsewhere.url}/models"}
        assert ask(build_graph(Inn().domain()).compile(), TEXT)["planner"] == "rules"
        assert elsewhere.models_asked == 0


def test_the_handover_is_told_in_the_guests_language(endpoint: Endpoint) -> None:
    endpoint.plays(Turn("plan", status=401))
    told = ask(build_graph(Inn().domain()).compile(), HEBREW)
    assert REPLACED_HE in told["answer"]


def test_without_fallback_the_request_fails_and_says_so(endpoint: Endpoint) -> None:
    inn = Inn()
    endpoint.plays(*[Turn("plan", status=503)] * 3)
    told = ask(build_graph(inn.domain()).compile(), TEXT, model_fallback=False)
    assert (told["outcome"], inn.asked, told["llm_calls"]) == ("failed", [], 3)
    assert "I cannot reach the language model" in told["answer"]
    endpoint.plays(Turn("plan", status=503))
    told = ask(build_graph(inn.domain()).compile(), HEBREW, model_fallback=False, model_attempts=1)
    assert (told["outcome"], REPLACED_HE in told["answer"]) == ("failed", True)


def test_without_fallback_an_answer_that_cannot_be_written_fails_too(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, *[Turn("answer", status=503)] * 3)
    told = ask(build_graph(Inn().domain()).compile(), TEXT, model_fallback=False)
    assert told["outcome"] == "failed"
    assert "language model" in told["answer"]
    assert "nothing was done" not in told["answer"]
    assert told["results"]["beds"]["status"] == "ok"


def test_a_model_that_fails_only_in_answering_leaves_it_to_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, *[Turn("answer", status=503)] * 3)
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["outcome"], told["planner"]) == ("answered", "llm")
    assert told["answer"].startswith("The porter says")
    assert REPLACED in told["answer"]


def test_down_while_replanning_the_domains_own_way_is_taken(endpoint: Endpoint) -> None:
    from datetime import date

    endpoint.plays(PLAN, Turn("plan", status=404))
    told = ask(build_graph(Inn(full={date(2026, 12, 5)}).domain()).compile(), TEXT)
    assert (told["outcome"], told["adaptations"]) == ("answered", 1)
    assert told["results"]["beds_next"]["data"]["free"] == 4
    assert REPLACED in told["answer"]


def test_a_model_that_went_down_is_not_asked_again_in_the_same_request(endpoint: Endpoint) -> None:
    from datetime import date

    endpoint.plays(Turn("plan", status=404))
    told = ask(build_graph(Inn(full={date(2026, 12, 5)}).domain()).compile(), TEXT)
    assert (told["planner"], told["adaptations"], told["llm_calls"]) == ("rules", 1, 1)


def test_retry_after_is_kept(endpoint: Endpoint) -> None:
    endpoint.plays(Turn("plan", status=429, headers={"retry-after": "0.6"}), PLAN, ANSWER)
    ask(build_graph(Inn().domain()).compile(), TEXT)
    assert endpoint.pauses[0] >= 0.6


def test_without_retry_after_the_pause_doubles(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_calls, "FIRST_PAUSE_S", 0.2)
    endpoint.plays(*[Turn("plan", status=500)] * 2, PLAN, ANSWER)
    ask(build_graph(Inn().domain()).compile(), TEXT)
    first, second = endpoint.pauses[:2]
    assert first >= 0.1
    assert second >= 0.2


def test_a_server_that_asks_for_too_long_a_pause_is_taken_for_down(endpoint: Endpoint) -> None:
    """Coming back before the time the server named would be rude and useless."""
    endpoint.plays(Turn("plan", status=429, headers={"retry-after": "3600"}))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("rules", 1)


def test_a_pause_longer_than_the_time_left_hands_over_at_once(endpoint: Endpoint) -> None:
    endpoint.plays(Turn("plan", status=429, headers={"retry-after": str(5 * LIMIT_S)}))
    told = ask(build_graph(Inn().domain()).compile(), TEXT, request_timeout_s=4 * LIMIT_S)
    assert (told["planner"], told["outcome"], told["llm_calls"]) == ("rules", "answered", 1)
    assert not told.told("limit_reached")


def test_a_hanging_model_leaves_the_rules_time_to_answer(endpoint: Endpoint) -> None:
    endpoint.plays(Turn("plan", fault="hang", lasts_s=3 * LIMIT_S + 1))
    limits = {"model_timeout_s": 9 * LIMIT_S, "request_timeout_s": 4 * LIMIT_S}
    told = ask(build_graph(Inn().domain()).compile(), TEXT, **limits)
    assert (told["planner"], told["outcome"]) == ("rules", "answered")
    assert REPLACED in told["answer"]


def test_time_spent_by_the_answer_gives_the_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, Turn("answer", fault="hang", lasts_s=LASTING_S))
    told = ask(build_graph(Inn().domain()).compile(), TEXT, **IN_TIME)
    assert told["answer"].startswith("The porter says")


def test_a_slow_first_byte_is_waited_for(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN.but(delay_s=0.5), ANSWER.but(delay_s=0.5))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("llm", 2)


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_neither_key_nor_provider_text_shows(status: int, endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    endpoint.plays(*[Turn("plan", status=status)] * (1 if status in (400, 401, 404) else 3))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert endpoint.received[0].key == f"Bearer {KEY}"
    everything = f"{told.state} {told.events} {told.chunks} {caplog.text}"
    assert KEY not in everything
    assert "the provider says" not in everything
    assert str(status) in caplog.text, "the log should tell a developer what is wrong"


def test_a_dropped_stream_is_tried_again_and_shown_once(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, ANSWER.but(fault="drop"), ANSWER)
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["answer"], told["llm_calls"]) == (ANSWER.content, 3)
    final = told["messages"][-1]
    assert {chunk.id for chunk in told.tokens} == {final.id}
    [replaced] = told.told("answer_replaced")
    assert (replaced["message_id"], replaced["answer"]) == (final.id, ANSWER.content)


def test_a_stream_that_ends_without_a_reason_was_cut(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, ANSWER.but(fault="end"), ANSWER)
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["answer"], told["llm_calls"]) == (ANSWER.content, 3)


def test_an_empty_answer_is_left_to_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, answers(""))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert told["answer"].startswith("The porter says")


def test_a_stream_that_stays_broken_is_replaced_by_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, *[ANSWER.but(fault="drop")] * 3)
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert told["answer"].startswith("The porter says")
    final = told["messages"][-1]
    assert {chunk.id for chunk in told.tokens} == {final.id}
    assert [event["message_id"] for event in told.told("answer_replaced")] == [final.id]


def test_an_answer_withheld_or_cut_off_is_left_to_templates(endpoint: Endpoint) -> None:
    for finish in ("length", "content_filter"):
        endpoint.plays(PLAN, answers(f"On {NIGHT} there are 4", finish=finish))
        told = ask(build_graph(Inn().domain()).compile(), TEXT)
        assert told["answer"].startswith("The porter says"), finish
        assert told["answer"].endswith(say("model_unusable", "en"))
        assert told.told("answer_replaced")


def test_a_refused_answer_is_left_to_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, answers(None, refusal="I can't say that."))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert told["answer"].startswith("The porter says")
    assert told["llm_calls"] == 2
