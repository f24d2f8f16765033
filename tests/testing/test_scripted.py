"""What a domain's author tests with: a model, a planner and a conversation that say what was written down."""

import asyncio
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel
from till import Till

from wavegraph.testing import Conversation, ScriptedModel, ScriptedPlanner, call, planning, ref
from wavegraph.testing.scripted import Unscripted

ROOT = Path(__file__).parents[2]
LOOK = planning(call("look", "look", item="tea"))
PAY = planning(call("look", "look", item="tea"), call("pay", "pay", item=ref("look", "item"), who="Dana"), action="pay")


class Price(BaseModel):
    """A price."""

    item: str
    coins: int


TEA = {"item": "tea", "coins": 4}


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
@pytest.mark.parametrize(
    ("schema", "taken"), [(Price, Price(item="tea", coins=4)), ({"title": "price", **Price.model_json_schema()}, TEA)]
)
def test_structured_output_is_given_either_way(schema: Any, taken: Any, method: str) -> None:
    assert ScriptedModel(TEA).with_structured_output(schema, method=method).invoke("tea?") == taken


def test_a_reply_is_a_text_json_a_message_an_error_or_made_of_what_was_said() -> None:
    model = ScriptedModel("hello", TEA, AIMessage("whole"), OSError("down"), lambda said: f"you said {said[-1].text}")

    assert [model.invoke("hi").text for _ in range(3)] == ["hello", '{"item": "tea", "coins": 4}', "whole"]
    with pytest.raises(OSError, match="down"):
        model.invoke("hi")
    assert model.invoke("bye").text == "you said bye"
    assert [messages[0].text for messages in model.heard] == ["hi"] * 4 + ["bye"]
    model.assert_complete()


def test_a_model_without_function_calling_has_no_structured_output() -> None:
    with pytest.raises(NotImplementedError):
        ScriptedModel(TEA, calls_tools=False).with_structured_output(Price)


@pytest.mark.parametrize("script", [ScriptedModel("hello"), ScriptedPlanner(LOOK)])
def test_replies_that_are_left_are_told(script: Any) -> None:
    with pytest.raises(AssertionError, match="1 scripted replies were never asked for"):
        script.assert_complete()


@pytest.mark.parametrize("replies", [[], [LOOK]], ids=["its plan", "its answer"])
@pytest.mark.parametrize("offline", [True, False], ids=["with rules", "without"])
def test_a_call_that_nobody_scripted_fails_the_test(replies: list[Any], offline: bool) -> None:
    """Where the engine would go on by the domain's rules, or say that the model is down."""
    model, domain = ScriptedModel(*replies), Till().domain()
    till = Conversation(domain if offline else replace(domain, offline=None), model=model)

    with pytest.raises(Unscripted, match=f"nobody scripted: the script is over after {len(replies)} replies"):
        till.say("what does tea cost?")


def test_a_plan_that_nobody_scripted_fails_the_test() -> None:
    till = Conversation(Till().domain(), planner=ScriptedPlanner(LOOK))
    till.say("tea?")
    with pytest.raises(Unscripted, match="after 1 replies"):
        till.say("tea?")


def test_a_model_plans_and_answers() -> None:
    model = ScriptedModel(LOOK, "Tea costs 4.")
    till = Conversation(Till().domain(), model=model)

    assert till.say("what does tea cost?").answer == "Tea costs 4."
    assert [event["tool"] for event in till.events if event["event"] == "tool_started"] == ["look"]
    model.assert_complete()


def test_a_planner_plans_then_makes_plans_of_what_it_is_shown() -> None:
    async def slowly(view: Any) -> Any:
        await asyncio.sleep(0)
        return LOOK

    script = ScriptedPlanner(slowly, RuntimeError("down"), then=lambda view: planning(reply=view.request["text"]))
    till = Conversation(Till().domain(), planner=script)

    assert till.say("tea?").tools == ["look"]
    with pytest.raises(RuntimeError, match="down"):
        till.say("tea?")
    assert [till.say(text).answer for text in ("one?", "two?")] == ["one?", "two?"]
    assert [view.request["text"] for view in script.views] == ["tea?", "tea?", "one?", "two?"]
    script.assert_complete()


def test_an_approval_is_answered() -> None:
    shop = Till()
    till = Conversation(shop.domain(), planner=ScriptedPlanner(PAY))

    asked = till.say("pay tea for Dana")
    assert (asked.outcome, shop.paid) == ("awaiting_approval", [])
    ended = till.reply({"decision": "approve"})

    assert (ended.outcome, ended.answer, len(shop.paid)) == ("answered", "paid 4, receipt 1", 1)
    assert [event["tool"] for event in till.events if event["event"] == "tool_started"] == ["look", "pay"]


def test_no_model_of_the_environment_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    for planner in (None, ScriptedPlanner(LOOK)):
        ended = Conversation(Till().domain(), planner=planner).say("hello")
        assert (ended.llm_calls, ended.outcome in ("answered", "clarify")) == (0, True)


def test_settings_hold_for_every_request_and_one_may_have_its_own() -> None:
    till = Conversation(Till().domain(), settings={"language": "he"})

    assert "Shall I go ahead?" not in till.say("pay tea for Dana").answer
    assert "Shall I go ahead?" in till.say("pay cake for Dana", settings={"language": "en"}).answer


def test_the_example_of_a_domain_of_your_own_passes(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (example,) = [each for each in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "Conversation" in each]
    (tmp_path / "test_desk.py").write_text(example, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)

    assert "1 passed" in done.stdout, done.stdout


def test_it_needs_no_pytest() -> None:
    program = "import sys; sys.modules['pytest'] = None; import wavegraph.testing"
    subprocess.run([sys.executable, "-c", program], check=True)
