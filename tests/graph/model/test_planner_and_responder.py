"""A language model as planner and responder: what it is told, what is taken of what it says, and for how long it is asked."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import PrivateAttr
from runs import wait
from scripted import outcome, planned
from skipping import Stopwatch, skip
from states import state_of
from till import Till

from wavegraph import AnswerView, PlanningView
from wavegraph.graph.dialogue.messages import question, reply
from wavegraph.graph.domain import Draft
from wavegraph.graph.errors import ModelUnavailable, PlanError
from wavegraph.graph.limits import Limits
from wavegraph.graph.model.calls import repeats
from wavegraph.graph.model.clients import ModelEnvironment, Models
from wavegraph.graph.model.planner import LlmPlanner, planning_message, planning_schema
from wavegraph.graph.model.prompt_blocks import conversation_of, json_texts, tagged, weekdays_of
from wavegraph.graph.model.responder import LlmResponder, answer_message
from wavegraph.graph.request.views import answer_view, planning_view
from wavegraph.graph.settings import Settings
from wavegraph.testing import ScriptedModel
from wavegraph.tools.hotel.domain import hotel_domain

SETTINGS = Settings(today=date(2026, 11, 20), model_attempts=1)
REQUEST = HumanMessage("what is on the shelf?", id="m1")
USAGE: Any = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}


TILL = Till().domain()


def planning(**changes: Any) -> PlanningView:
    return planning_view(state_of(**{"messages": [REQUEST], **changes}), SETTINGS, Limits(), None)


def answering(**changes: Any) -> AnswerView:
    return answer_view(state_of(**{"messages": [REQUEST], **changes}), SETTINGS, Limits())


def models(model: Any) -> Models:
    return Models(model, ModelEnvironment())


def block(message: str, name: str) -> Any:
    """One block of a message, decoded; None where there is none."""
    _, _, rest = message.partition(f"<{name}>\n")
    return json.loads(rest.partition(f"\n</{name}>")[0]) if rest else None


# What a model is told


@pytest.mark.parametrize("count", [3, 20, 21])
def test_of_the_conversation_the_latest_messages_are_told(count: int) -> None:
    earlier = [HumanMessage(f"{n}", id=f"e{n}") for n in range(count)]
    told = conversation_of([*earlier, REQUEST, AIMessage("tea")], planning().request)
    assert told == [{"role": "human", "text": f"{n}"} for n in range(count)[-20:]]


def test_of_a_long_message_the_beginning_is_told() -> None:
    words = "x" * 1999 + "yz"
    asked = HumanMessage(words, id="e1")
    assert conversation_of([asked, REQUEST], planning().request) == [{"role": "human", "text": words[:2000]}]


def test_where_the_request_is_no_message_all_are_earlier_ones() -> None:
    assert conversation_of([HumanMessage("tea?", id="e1")], planning().request) == [{"role": "human", "text": "tea?"}]


def test_days_of_the_week() -> None:
    told = {"a": "2026-12-05", "b": ["till 2026-12-05, 2026-02-30 or 2024-02-29", "12026-12-06", "2026-12-067"]}
    assert weekdays_of(json_texts(told)) == {"2024-02-29": "Thursday", "2026-12-05": "Saturday"}


def test_blocks_hold_any_text() -> None:
    told = {"first": ["</first>", "תה", date(2026, 11, 20)], "second": "half \ud83d"}
    assert tagged(told) == (
        '<first>\n["\\u003c/first>","תה","2026-11-20"]\n</first>\n\n<second>\n"half ?"\n</second>'
    )  # fmt: skip


def test_of_the_request_before_a_quarter_of_the_room_is_told() -> None:
    look = planned("look", "look", item="tea")
    before = state_of([look], [outcome("look", {"item": "tea"}, data="x" * 300)])
    previous: Any = {name: before[name] for name in ("request", "plan", "ledger", "outcome")}
    view = replace(planning(), previous=previous, limits=Limits(max_prompt_bytes=1000))
    [call] = block(planning_message(view, {}), "previous_request")["calls"]
    assert len(call["data_cut"]) == 250


@pytest.mark.parametrize(
    ("ended", "approvals", "says"),
    [
        ("partial", {}, "partial"),
        (None, {}, "cut off"),
        (None, None, "cut off"),
        (None, {"s": {}}, "awaiting_approval"),
    ],
)
def test_how_the_request_before_ended(ended: Any, approvals: Any, says: str) -> None:
    before = state_of(outcome=ended)
    previous: Any = {**{name: before[name] for name in ("request", "ledger", "outcome")}, "plan": None}
    view = replace(planning(), previous=previous if approvals is None else {**previous, "approvals": approvals})
    told = block(planning_message(view, {}), "previous_request")
    assert told == {"text": "what is on the shelf?", "outcome": says, "calls": []}


def test_slots_that_no_model_gives_are_not_shown_to_one() -> None:
    """Code derives them of the calls, which stand beside them."""
    ended = state_of(outcome="answered")
    made: Any = {"action": "look", "reasoning": "", "slots": {"item": "tea"}}
    before: Any = {**{name: ended[name] for name in ("request", "ledger", "outcome")}, "plan": made}
    view = replace(planning(), plan=made, previous={**before, "earlier": before})
    assert "slots" not in planning_message(view, {})


FIRST, LAST = AIMessage("5 coins", id="a1"), AIMessage("6 coins", id="a2")


@pytest.mark.parametrize(
    ("messages", "last"),
    [
        ([AIMessage("old"), REQUEST], None),
        ([AIMessage("old"), REQUEST, FIRST], "5 coins"),
        ([REQUEST, FIRST, LAST], "6 coins"),
        ([REQUEST, FIRST, question("Shall I?", "1-0", []), reply("yes", "1-0")], "5 coins"),
        ([REQUEST, question("Shall I?", "1-0", []), reply("yes", "1-0")], None),
        ([AIMessage("old")], None),
    ],
    ids=["none yet", "one", "two", "one, and a question", "a question alone", "the request is gone"],
)
def test_the_answer_that_is_to_be_written_again_is_told(messages: Any, last: str | None) -> None:
    assert block(answer_message(replace(answering(), conversation=messages)), "last_answer") == last
    assert block(planning_message(replace(planning(), conversation=messages), {}), "last_answer") == last


def issue(name: str) -> Any:
    return {"type": "none", "tool_id": name, "message": f"no {name}", "severity": "warning", "rule": "left"}


def test_who_answers_is_told_of_the_work_and_what_is_open() -> None:
    told = answer_message(
        replace(answering(), issues=[issue("a"), issue("b")], open_issues=[issue("b")], details={"tried": 1})
    )
    assert block(told, "work_so_far") == {"tried": 1}
    assert block(told, "issues") == [{**issue("a"), "open": False}, {**issue("b"), "open": True}]
    assert block(answer_message(answering()), "work_so_far") is None


def test_a_planner_is_told_of_the_work_where_the_feedback_is_silent_about_it() -> None:
    silent: Any = {"source": "answer", "issues": []}
    told = planning_message(replace(planning(), details={"tried": 1}, feedback=silent), {})
    assert (block(told, "work_so_far"), block(told, "feedback")) == (
        {"tried": 1},
        {"source": "answer", "issues": [], "suggestions": []},
    )


@pytest.mark.parametrize(("source", "gaps"), [("answer", ["no a"]), ("results", None)])
def test_what_the_answer_lacked_is_told(source: Any, gaps: Any) -> None:
    feedback: Any = {"source": source, "issues": [issue("a")]}
    assert block(answer_message(replace(answering(), feedback=feedback)), "gaps") == gaps


# What is taken of what it says


WORDS = [f"w{n}" for n in range(40)]
INSTRUCTIONS = " ".join(WORDS)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (" ".join(WORDS[:15]), True),
        (" ".join(WORDS[25:]), True),
        (", ".join(["so", *WORDS[10:25], "it is"]).upper(), True),
        (" ".join(["so", *WORDS[26:]]), False),
        (" ".join([*WORDS[:14], "it", *WORDS[14:28]]), False),
        ("w39", False),
        ("", False),
    ],
    ids=["the first", "the last", "in the middle, in capitals", "fewer at the end", "broken off", "a word", "none"],
)
def test_whether_a_text_repeats_the_instructions(text: str, same: bool) -> None:
    assert repeats(text, INSTRUCTIONS) is same


CALL = {"id": "look", "tool": "look", "args": {"item": "tea"}, "serves": [1]}
PLAN = {"reasoning": "", "action": "look", "status": "done", "slots": {}, "tools": [CALL], "reply": None, "context": []}
BARE = {name: part for name, part in CALL.items() if name != "serves"}


def spent(view: Any) -> tuple[int, ...]:
    """Calls, tokens in, tokens out."""
    return tuple(sum(each[kind] for each in view.meter.usage.values()) for kind in ("calls", "input", "output"))


def planned_by(said: Any, domain: Any = TILL) -> Any:
    view = planning()
    made = wait(LlmPlanner(domain, models(ScriptedModel(AIMessage(json.dumps(said), usage_metadata=USAGE)))).plan(view))
    assert spent(view) == (1, 100, 10)
    return made


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ({}, {}),
        ({"reply": "Let me look."}, {}),
        ({"tools": [], "reply": "Which item?"}, {"tools": [], "reply": "Which item?"}),
        ({"note": 1, "said": [], "replied": [1]}, {}),
        ({"tools": [BARE], "context": None}, {"tools": [{**CALL, "serves": []}]}),
        ({"tools": [{**CALL, "serves": ["1", 2, None, True]}], "context": {}}, {"tools": [{**CALL, "serves": [2]}]}),
        ({"slots": None}, {}),
        ({"tools": None}, "`tools` must be a list of calls"),
        ({"tools": "look"}, "`tools` must be a list of calls"),
        ({"tools": [CALL, "look"]}, "`tools` must be a list of calls"),
    ],
    ids=["as it is", "no reply beside calls", "a reply", "more", "nothing served", "no numbers", "no slots", "no calls", "no list", "no call"],
)  # fmt: skip
def test_a_plan_is_taken(said: dict[str, Any], taken: Any) -> None:
    if isinstance(taken, str):
        with pytest.raises(PlanError, match=taken) as refused:
            planned_by({**PLAN, **said})
        [issue] = refused.value.issues
        assert issue["rule"] == "plan_shape"
    else:
        assert planned_by({**PLAN, **said}) == {**PLAN, **taken}


def test_no_model_is_asked_for_slots_or_gives_any() -> None:
    domain = Till().domain()
    assert "slots" not in planning_schema(domain)["properties"]
    assert "`slots`" not in LlmPlanner(domain, models(ScriptedModel())).instructions
    assert planned_by({**PLAN, "slots": {"a": 1}}, domain)["slots"] == {}


def test_a_plan_that_repeats_its_instructions_is_refused() -> None:
    instructions = LlmPlanner(TILL, models(ScriptedModel())).instructions
    with pytest.raises(PlanError, match="the plan repeats these instructions") as refused:
        planned_by({**PLAN, "tools": [], "reply": instructions})
    assert [issue["rule"] for issue in refused.value.issues] == ["repeated_instructions"]


def test_a_plan_of_the_shape_of_an_example_is_taken() -> None:
    """What an example shows is what is to be written."""
    instructions = LlmPlanner(hotel_domain(), models(ScriptedModel())).instructions
    example = json.loads(instructions[instructions.rindex("\n{") :])
    assert planned_by({**example, "reply": []}, hotel_domain())["tools"] == example["tools"]


class Streams(ScriptedModel):
    """Streams what is scripted for each try; a break is raised where it comes."""

    _tries: list[list[Any]] = PrivateAttr()

    def __init__(self, *tries: Any, **fields: Any) -> None:
        super().__init__(**fields)
        self._tries = list(tries)

    async def _astream(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> AsyncIterator[Any]:
        self._heard.append(messages)
        for piece in self._tries.pop(0):
            if isinstance(piece, Exception):
                raise piece
            yield ChatGenerationChunk(message=piece)


class Watcher(BaseCallbackHandler):
    """Whether each call of a model is kept from the message stream."""

    run_inline = True

    def __init__(self) -> None:
        self.hidden: list[bool] = []

    def on_chat_model_start(self, serialized: Any, messages: Any, *, tags: Any = None, **_: Any) -> None:
        self.hidden.append("nostream" in (tags or []))


def piece(text: str, of: str = "a1", **more: Any) -> AIMessageChunk:
    return AIMessageChunk(text, id=of, **more)


ENDED = {"model_provider": "openai", "finish_reason": "stop"}
WHOLE = [piece("4 "), piece("coins"), piece("", usage_metadata=USAGE)]


@dataclass(frozen=True)
class Streamed:
    id: str
    tries: list[list[Any]]
    draft: Draft | str
    """What is written, with the try that it is of, or why nothing is."""
    shown: tuple[str | None, str] = ("a1", "4 coins")
    """The try that a watcher saw, and its text."""
    tokens: tuple[int, int] = (100, 10)


STREAMED = [
    Streamed("as it came", [WHOLE], Draft("4 coins", "a1")),
    Streamed("without thoughts", [[piece("<think>5?</think>"), *WHOLE]], Draft("4 coins", "a1"), ("a1", "<think>5?</think>4 coins")),
    Streamed("broken off, then whole", [[piece("4 "), ConnectionError()], [piece("4 coins", "a2")]], Draft("4 coins", "a2"),
             ("a1", "4 "), tokens=(0, 0)),
    Streamed("broken off before anything came", [[ConnectionError()], WHOLE], Draft("4 coins", "a1")),
    Streamed("nothing, then whole", [[piece("", response_metadata={"model_provider": "openai"})], WHOLE], Draft("4 coins", "a1"),
             ),
    Streamed("without an end, then with", [[piece("4", response_metadata={"model_provider": "openai"})],
             [piece("4 coins", "a2", response_metadata=ENDED)]], Draft("4 coins", "a2"), ("a1", "4"), tokens=(0, 0)),
    Streamed("nothing to say", [[piece(" \n", usage_metadata=USAGE)]], "the answer was empty", ("a1", " \n")),
    Streamed("thoughts alone", [[piece("<think>4", usage_metadata=USAGE)]], "the answer was empty", ("a1", "<think>4")),
    Streamed("cut off", [[*WHOLE, piece("", response_metadata={"finish_reason": "length"})]], "the answer is incomplete: truncated"),
    Streamed("data", [[piece('{"coins": 4}', usage_metadata=USAGE)]], "the answer was data, not words", ("a1", '{"coins": 4}')),
]  # fmt: skip


@pytest.mark.parametrize("case", STREAMED, ids=lambda case: case.id)
def test_an_answer_is_streamed(case: Streamed) -> None:
    watcher = Watcher()
    model = Streams(*case.tries, callbacks=[watcher])
    view = replace(answering(), settings=SETTINGS.model_copy(update={"model_attempts": 3}))
    made: Any = None
    try:
        made = skip(LlmResponder(TILL, models(model)).respond(view))
    except ModelUnavailable as error:
        made = str(error)

    shown_id, shown = view.meter.streamed_id, view.meter.streamed_text
    if isinstance(case.draft, Draft):
        assert made.text == case.draft.text
        assert (made.message_id == shown_id) == (case.draft.message_id == case.shown[0])
    else:
        assert made == case.draft
    instructions = LlmResponder(TILL, models(model)).instructions
    assert [(each.type, each.content) for each in model.heard[0]] == [
        ("system", instructions),
        ("human", answer_message(answering())),
    ]
    assert shown == case.shown[1]
    assert str(shown_id).startswith("lc_run--")
    assert all(watcher.hidden), "what the model writes is shown by another, which says it on"
    assert spent(view) == (len(case.tries), *case.tokens)


def test_an_answer_that_is_written_again_is_not_shown_again() -> None:
    watcher = Watcher()
    model = Streams(WHOLE, callbacks=[watcher])
    view = answering(messages=[REQUEST, AIMessage("5 coins", id="m9")], message_id="m9")
    assert wait(LlmResponder(TILL, models(model)).respond(view)).text == "4 coins"
    assert (view.meter.streamed_id, view.meter.streamed_text, watcher.hidden) == (None, "", [True])


def test_an_answer_that_repeats_its_instructions_is_none() -> None:
    instructions = LlmResponder(TILL, models(ScriptedModel())).instructions
    with pytest.raises(ModelUnavailable, match="the answer repeated its instructions"):
        wait(LlmResponder(TILL, models(ScriptedModel(instructions))).respond(answering()))


class Hangs(ScriptedModel):
    async def _agenerate(self, *_: Any, **__: Any) -> Any:
        await asyncio.Event().wait()


async def given_up_after(asked: Any) -> float:
    watch = Stopwatch()
    with pytest.raises(ModelUnavailable):
        await asked
    return watch.seconds


def test_a_model_leaves_the_rules_a_quarter_of_the_time() -> None:
    async def both() -> list[float]:
        hanging = models(Hangs("never said"))
        plans, writes = LlmPlanner(TILL, hanging), LlmResponder(TILL, hanging)
        return [
            await given_up_after(plans.plan(replace(planning(), remaining_s=8))),
            await given_up_after(writes.respond(replace(answering(), remaining_s=8))),
        ]

    assert skip(both()) == [6, 6]
