"""check_answer: what rules and judge say of an answer, and whether it goes back or out."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import current_thread
from typing import Any

import pytest
from alone import Alone, alone
from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp
from langgraph.store.memory import InMemoryStore
from scripted import Says, outcome, planned
from skipping import LIMIT_S, jump, skip
from states import state_of, used
from warehouse import Warehouse

from wavegraph import Catalogue, Checks, Limits, Sayable, Statement, build_graph
from wavegraph.graph.language import say
from wavegraph.graph.model.judge import ACCURACY
from wavegraph.graph.request.records import records_of
from wavegraph.nodes.check_answer import check_answer
from wavegraph.testing import ScriptedModel, ref

A = planned("a", "count", sku="bolt")
COUNTED = outcome("count", {"sku": "bolt"}, data={"sku": "bolt", "units": 40})
GOOD, WRONG = "40 bolts", "41 bolts"
TRACES, PASSED = "every claim traces to its source", {"name": "accuracy", "verdict": "pass", "gap": None}
GAP_41 = "traces to no result: 41"


def state(calls: Any = (A,), outcomes: Any = (COUNTED,), **changes: Any) -> Any:
    """An answer has just been written."""
    return state_of(calls, outcomes, **{
        "answer": GOOD, "message_id": "m2", "answer_failures": [], "planning_calls": 1, "adaptations": 0,
        "model_down": False, "usage": used(2, 10, 20), "settings": {}, "notes": "",
        **changes,
    })  # fmt: skip


def passes(name: str) -> Any:
    return {"name": name, "verdict": "pass", "gap": None}


def fails(name: str, gap: str | None = None) -> Any:
    return {"name": name, "verdict": "fail", "gap": gap or f"no {name}"}


def lacks(by: str | None, name: str = "way") -> Any:
    """What a judge found missing, and what it says mends it."""
    return verdict({**fails(name), "by": by})


def verdict(*criteria: Any) -> Any:
    """A judge's."""
    failed = [each for each in criteria if each["verdict"] == "fail"]
    return {"satisfied": not failed, "reasoning": "so it is", "criteria": list(criteria), "checked_by": "model"}


WELL = verdict(passes(ACCURACY), passes("clarity"))


@dataclass
class Judge:
    """Says what it is given, for the price of a model call."""

    says: Any = field(default_factory=lambda: WELL)
    heard: list[tuple[str, Any]] = field(default_factory=list)

    async def judge(self, answer: str, view: Any) -> Any:
        self.heard.append((answer, view))
        view.meter.usage = used(1, 5, 0)
        if isinstance(self.says, BaseException):
            raise self.says
        return await self.says() if callable(self.says) else self.says


async def checked(
    given: Any, judge: Judge | None = None, *, store: Any = None, settings: Any = None, **domain: Any
) -> Alone:
    """An answer that somebody wrote freely."""
    made: Any = build_graph(Warehouse().domain(**domain), responder=Says(GOOD)).agent
    agent = replace(made, judge=judge, check_by_default="on" if judge else None)
    return await alone(check_answer, given, agent, context=settings or {}, store=store)


def told(found: Alone, name: str = "answer_checked") -> list[Any]:
    return [event for event in found.events if event["event"] == name]


# The answer goes out


async def test_a_good_answer_closes_the_request() -> None:
    store = InMemoryStore()
    found = await checked(state(times={"plan_1": 1.0}), store=store)

    update = found.update
    assert (update["outcome"], update["unsupported"], update["limits_hit"]) == ("answered", [], [])
    check = {"satisfied": True, "reasoning": TRACES, "criteria": [PASSED], "checked_by": "rules"}
    assert (update["answer_check"], update["answer_failures"]) == (check, [])
    assert {"feedback", "answer_replans", "rewrites", "usage", "times"}.isdisjoint(update)
    assert found.events == [
        {"event": "answer_checked", "satisfied": True, "reason": TRACES, "attempt": 1, "checked_by": "rules",
         "sent_back_to": None}
    ]  # fmt: skip
    (item,) = store.search(records_of("t"))
    times = item.value["times"]
    spent_s = times.pop("check_answer_last")
    assert (times, item.value["answer_check"]) == ({"plan_1": 1.0}, check)
    assert 0 <= spent_s == round(spent_s, 4) < 60
    assert update["elapsed_s"] == round(1.0 + spent_s, 3) == item.value["elapsed_s"]


async def test_it_can_be_left_unchecked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "wavegraph"):
        found = await checked(state(answer=WRONG), Judge(), settings={"answer_check": "off"})

    off = {"satisfied": True, "reasoning": "not checked", "criteria": [], "checked_by": "off"}
    assert (found.update["answer_check"], found.update["outcome"]) == (off, "answered")
    assert [event["checked_by"] for event in told(found)] == ["off"]
    assert [record for record in caplog.records if record.message.startswith("answer check")] == []


# The answer goes back


MEND = Limits(max_answer_replans=2)
EARLIER: Any = {"attempt": 1, "criterion": "way", "gap": "no way", "checked_by": "model"}
B, AGAIN = planned("b", "count", plan=2, sku="nut"), planned("again", "count", plan=2, sku="bolt")
NUTS = outcome("count", {"sku": "nut"}, data={"sku": "nut", "units": 40}, plan=2)
LACKS, LIES = verdict(fails("way")), verdict(fails(ACCURACY))


def second(*tools: Any, is_repeated: bool = False, failures: Any = (EARLIER,), **changes: Any) -> Any:
    """An answer behind one that was sent back to the planner, which planned these."""
    given = state([A, *tools], [COUNTED, NUTS], answer_replans=1, is_repeated=is_repeated, limits=MEND,
                  answer_failures=list(failures), answer_check=LACKS, **changes)  # fmt: skip
    given["plan"] = {**given["plan"], "number": 2, "tools": list(tools)}
    return given


def uncounted(*elements: str) -> Any:
    """A call made for each element, which is counted."""
    return {**planned("at", "count", plan=2, sku=ref("each")), "each": ref("s", "skus"), "elements": list(elements)}


@dataclass(frozen=True)
class Way:
    id: str
    state: Any
    says: Any
    back_to: str | None
    gone: list[str] = field(default_factory=list)


WAYS = [
    Way("all is well", state(), WELL, None),
    Way("a gap", state(), LACKS, "plan"),
    Way("a gap that a tool mends", state(), lacks("count"), "plan"),
    Way("a gap that words mend", state(), lacks("words"), "respond"),
    Way("a gap that what was not told mends", state(), lacks("s1.more"), "respond"),
    Way("a gap that nothing mends", state(), lacks(None), None),
    Way("a wrong claim that nothing mends", state(), lacks(None, ACCURACY), None),
    Way("one that words mend, and no budget", state(rewrites=1), lacks("words"), None, ["max_answer_replans"]),
    Way("one that nothing mends, and no budget", state(rewrites=1), lacks(None), None),
    Way("two, of which a tool mends one", state(), verdict({**fails("way"), "by": None}, {**fails("price"), "by": "count"}), "plan"),
    Way("two, of which words mend one", state(), verdict({**fails("way"), "by": None}, {**fails("price"), "by": "words"}), "respond"),
    Way("a wrong claim", state(), LIES, "respond"),
    Way("a gap and a wrong claim", state(), verdict(fails(ACCURACY), fails("way")), "plan"),
    Way("a gap behind what passes", state(), verdict(passes(ACCURACY), fails("way")), "plan"),
    Way("no budget", state(limits=Limits(max_answer_replans=0)), LACKS, None, ["max_answer_replans"]),
    Way("no budget for a claim", state(limits=Limits(max_answer_replans=0)), LIES, None, ["max_answer_replans"]),
    Way("no budget and all is well", state(limits=Limits(max_answer_replans=0)), WELL, None),
    Way("the budget is spent by planning", state(answer_replans=1), LACKS, None, ["max_answer_replans"]),
    Way("and by writing", state(rewrites=1), LIES, None, ["max_answer_replans"]),
    Way("by both", state(rewrites=1, answer_replans=1, limits=MEND), LACKS, None, ["max_answer_replans"]),
    Way("some of it is left", state(rewrites=1, limits=MEND), LACKS, "plan"),
    Way("no call is left", state(limits=Limits(max_tool_calls=1)), LACKS, None, ["max_tool_calls"]),
    Way("a claim needs no call", state(limits=Limits(max_tool_calls=1)), LIES, "respond"),
    Way("neither call nor budget", state(limits=Limits(max_tool_calls=1, max_answer_replans=0)), LACKS, None,
        ["max_tool_calls", "max_answer_replans"]),
    Way("no step for planning", state(remaining_steps=4), LACKS, None, ["recursion_limit"]),
    Way("just enough for planning", state(remaining_steps=5), LACKS, "plan"),
    Way("no step for writing", state(remaining_steps=2), LIES, None),
    Way("just enough for writing", state(remaining_steps=3), LIES, "respond"),
    Way("a claim by rules", state(answer=WRONG), None, "respond"),
    Way("a claim by rules, once more for the templates", state(answer=WRONG, rewrites=1), None, "respond"),
    Way("and no more", state(answer=WRONG, rewrites=2), None, None, ["max_answer_replans"]),
    Way("without a budget, too", state(answer=WRONG, limits=Limits(max_answer_replans=0)), None, "respond"),
    Way("where a step is left", state(answer=WRONG, rewrites=1, remaining_steps=2), None, None, ["max_answer_replans"]),
    Way("just enough for them", state(answer=WRONG, rewrites=1, remaining_steps=3), None, "respond"),
    Way("the same answer", second(B, is_repeated=True, answer=WRONG), None, "respond"),
    Way("the same words, which the judge knows already", second(B, is_repeated=True), WELL, None),
    Way("the same gap, and something new was asked", second(B), LACKS, "plan"),
    Way("the same gap, and nothing new was asked", second(AGAIN), LACKS, None),
    Way("nor anything at all", second(), LACKS, None),
    Way("another gap", second(), verdict(fails("price")), "plan"),
    Way("the same gap and another", second(), verdict(fails("way"), fails("price")), "plan"),
    Way("the same gap of an attempt before", second(failures=[{**EARLIER, "attempt": 0}]), LACKS, "plan"),
    Way("the same gap, and new among old", second(AGAIN, B), LACKS, "plan"),
    Way("new elements", second(uncounted("b"), B), LACKS, "plan"),
    Way("no new elements", second(uncounted("again"), AGAIN), LACKS, None),
]  # fmt: skip


def told_by_ids(view: Any) -> Any:
    return Catalogue([Statement(id="units", text="40 bolts")], frozenset())


@pytest.mark.parametrize(("by", "back_to"), [("words", None), (None, None), ("units", "respond"), ("count", "plan")])
async def test_a_wrong_claim_of_statements_is_not_worded_again(by: Any, back_to: Any) -> None:
    """They are all so: only another one, or a call, can mend it."""
    found = await checked(state(told=["units"]), Judge(lacks(by, ACCURACY)), catalogue=Sayable(told_by_ids))
    assert [event["sent_back_to"] for event in told(found)] == [back_to]


async def test_what_would_mend_a_gap_is_kept_with_it() -> None:
    found = await checked(state(), Judge(lacks("count")))
    assert [failure["by"] for failure in found.update["answer_failures"]] == ["count"]
    assert [issue["message"] for issue in found.update["feedback"]["issues"]] == ["no way (count)"]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.id)
async def test_the_way_on(way: Way) -> None:
    found = await checked(way.state, Judge(way.says) if way.says else None)

    assert [event["sent_back_to"] for event in told(found)] == [way.back_to]
    assert [event["limit"] for event in told(found, "limit_reached")] == way.gone
    if way.back_to is None:
        assert found.update["limits_hit"] == way.gone
    counts = (found.update.get("answer_replans"), found.update.get("rewrites"))
    replans, rewrites = way.state["answer_replans"] + 1, way.state["rewrites"] + 1
    assert counts == {"plan": (replans, None), "respond": (None, rewrites), None: (None, None)}[way.back_to]


async def test_an_answer_that_goes_out_all_the_same_says_so() -> None:
    found = await checked(state(limits=Limits(max_answer_replans=0)), Judge(LACKS))

    assert found.update["answer"] == f"{GOOD}\n\n{say('reservation', 'en')}"
    assert (found.update["outcome"], found.update["unsupported"]) == ("partial", [])


# By rules


def rule(criterion: Any) -> Callable[..., Any]:
    return lambda answer, view: criterion


def broken(answer: str, view: Any) -> Any:
    raise KeyError("password=hunter2")


@dataclass(frozen=True)
class Rules:
    id: str
    check: Any
    domain: dict[str, Any]
    answer: str = GOOD


NOT_ALL = "not everything could be checked"
MANNERS = fails("manners", "say please")
RULES = [
    Rules("of the engine", (True, TRACES, [PASSED], "rules"), {}),
    Rules("of the domain", (True, TRACES, [PASSED, passes("manners")], "rules"), {"checks": Checks(answers=[rule(passes("manners"))])}),
    Rules("one that fails the answer", (False, "manners: say please", [PASSED, MANNERS], "rules"),
          {"checks": Checks(answers=[rule(MANNERS)])}),
    Rules("two that do", (False, f"accuracy: {GAP_41}; manners: say please", [fails("accuracy", GAP_41), MANNERS], "rules"),
          {"checks": Checks(answers=[rule(MANNERS)])}, WRONG),
    Rules("one that breaks", (True, NOT_ALL, [PASSED], "unavailable"), {"checks": Checks(answers=[broken])}),
    Rules("one that breaks and one that fails", (False, "manners: say please", [PASSED, MANNERS], "unavailable"),
          {"checks": Checks(answers=[broken, rule(MANNERS)])}),
    Rules("more than a criterion needs", (True, TRACES, [PASSED, passes("manners")], "rules"),
          {"checks": Checks(answers=[rule({**passes("manners"), "odd": 1})])}),
]  # fmt: skip


@pytest.mark.parametrize("case", RULES, ids=lambda case: case.id)
async def test_what_the_rules_say(case: Rules, caplog: pytest.LogCaptureFixture) -> None:
    found = await checked(state(answer=case.answer), **case.domain)

    names = ("satisfied", "reasoning", "criteria", "checked_by")
    assert tuple(found.update["answer_check"][name] for name in names) == case.check
    assert "hunter2" not in caplog.text
    assert ("the rule broken of warehouse failed: KeyError" in caplog.text) == (case.check[3] == "unavailable")


@pytest.mark.parametrize(
    ("artifacts", "messages", "here"),
    [({}, 1, True), ({"of another call": "large"}, 1, False), ({}, 30, False)],
    ids=["little", "a large result", "a long conversation"],
)
async def test_only_little_is_traced_in_the_event_loop(
    artifacts: Any, messages: int, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[Any] = []

    def untraced(domain: Any, answer: str, view: Any) -> list[str]:
        threads.append(current_thread())
        return []

    monkeypatch.setattr("wavegraph.nodes.check_answer.untraced", untraced)
    given = state()
    given["ledger"] = {**given["ledger"], "artifacts": artifacts}
    given["messages"] = [*[HumanMessage("a" * 1000, id=f"h{n}") for n in range(1, messages)], *given["messages"]]
    made: Any = build_graph(Warehouse().domain(offline=None), model=ScriptedModel()).agent
    await alone(check_answer, given, replace(made, judge=None, check_by_default=None), context={}, store=None)
    assert [each is current_thread() for each in threads] == [here]


async def test_claims_that_could_not_be_traced_are_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("wavegraph.nodes.check_answer.untraced", lambda domain, answer, view: broken(answer, view))
    found = await checked(state(), checks=Checks(answers=[rule(passes("manners"))]))

    assert found.update["unsupported"] == []
    check = found.update["answer_check"]
    assert (check["reasoning"], check["criteria"], check["checked_by"]) == (NOT_ALL, [passes("manners")], "unavailable")
    assert "hunter2" not in caplog.text


async def test_what_the_engine_says_at_the_end_is_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def untraced(domain: Any, answer: str, view: Any) -> list[str]:
        seen.append(answer)
        return []

    monkeypatch.setattr("wavegraph.nodes.check_answer.untraced", untraced)
    notes, judge = "\n\n(Still waiting: tea for 4 coins)", Judge()
    await checked(state(answer=f"{GOOD}{notes}", notes=notes), judge)
    assert (seen, [answer for answer, _ in judge.heard]) == ([GOOD], [GOOD])
    await checked(state(answer=f"{GOOD} \n", notes=None))
    assert seen == [GOOD, GOOD]


# By the judge


@dataclass(frozen=True)
class Asked:
    id: str
    state: Any
    times: int
    by: str
    settings: dict[str, Any] = field(default_factory=dict)
    domain: dict[str, Any] = field(default_factory=dict)


def judged(by: str, *, is_repeated: bool = True) -> Any:
    return state(is_repeated=is_repeated, answer_check={**WELL, "checked_by": by})


def giving_up() -> Any:
    given = state()
    given["plan"]["action"] = "give_up"
    return given


ASKED = [
    Asked("where the rules pass it", state(), 1, "model"),
    Asked("not where they are enough", state(), 0, "rules", {"answer_check": "rules"}),
    Asked("not of figures that rules leave out", state(answer=WRONG), 0, "rules"),
    Asked("of figures without a source", state(answer=WRONG), 1, "model", domain={"figures": "checked"}),
    Asked("not where a rule fails it", state(), 0, "rules", domain={"checks": Checks(answers=[rule(fails("way"))])}),
    Asked("not where one of them broke", state(), 0, "unavailable", domain={"checks": Checks(answers=[broken])}),
    Asked("not where nothing was done", giving_up(), 0, "rules"),
    Asked("not twice about the same words", judged("earlier"), 0, "earlier"),
    Asked("about other words", judged("earlier", is_repeated=False), 1, "model"),
    Asked("about words that only the rules have seen", judged("rules"), 1, "model"),
    Asked("not behind a model that went down", state(model_down=True), 0, "unavailable"),
    Asked("not without time", state(times={"plan_1": 120.0}), 0, "unavailable"),
]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.id)
async def test_when_a_judge_is_asked(case: Asked) -> None:
    judge = Judge()

    found = await checked(case.state, judge, settings=case.settings, **case.domain)

    assert (len(judge.heard), found.update["answer_check"]["checked_by"]) == (case.times, case.by)


AUTO = {"answer_check": "auto"}
FORGOTTEN: Any = {**state()["plan"], "unserved": [1]}
BY_FORMS: Any = {**state()["plan"], "reply": "I cannot do that.", "action": "refuse"}


@pytest.mark.parametrize(
    ("given", "domain", "times"),
    [
        (state(), {}, 0),
        (state(told=["units"]), {"catalogue": Sayable(told_by_ids)}, 0),
        (state(told=["units"], plan=FORGOTTEN), {"catalogue": Sayable(told_by_ids)}, 1),
        (state(templated=True), {"catalogue": Sayable(told_by_ids)}, 1),
        (state((), (), plan=BY_FORMS), {"catalogue": Sayable(told_by_ids)}, 1),
        (state(answer=WRONG), {}, 0),
        (state(answer=WRONG), {"figures": "checked"}, 1),
    ],
    ids=["words that trace", "statements", "a part forgotten", "none of what was found", "a refusal", "figures that rules leave out",
         "figures without a source"],
)  # fmt: skip
async def test_in_doubt_alone_a_judge_is_asked(given: Any, domain: Any, times: int) -> None:
    judge = Judge()
    await checked(given, judge, settings=AUTO, **domain)
    assert len(judge.heard) == times


@pytest.mark.parametrize("mode", ["on", "auto"])
@pytest.mark.parametrize(
    ("says", "back_to", "left"),
    [
        (WELL, None, ["41"]),
        (verdict({**fails(ACCURACY), "by": "words"}), "respond", ["no accuracy"]),
        (verdict({**fails(ACCURACY), "by": None}), "respond", ["no accuracy"]),
        (verdict(passes(ACCURACY), {**fails("way"), "by": None}), None, ["41"]),
        (OSError(), None, ["41"]),
    ],
    ids=["they follow", "they do not", "nor does anything", "another gap", "no judge"],
)
async def test_figures_of_a_free_agent_without_a_source_are_the_judges(
    says: Any, back_to: Any, left: Any, mode: str
) -> None:
    """It sends back what it finds wrong; else the answer goes out as it is, and its figures are named."""
    judge = Judge(says)
    found = await checked(state(answer=WRONG), judge, settings={"answer_check": mode}, figures="checked")

    assert [event["sent_back_to"] for event in told(found)] == [back_to]
    assert found.update["unsupported"] == left
    ((_, view),) = judge.heard
    assert view.unsupported == ["41"]


async def outlasts() -> None:
    jump()
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (ValueError("password=hunter2"), "ValueError"),
        (TimeoutError(), "its time is up"),
        (outlasts, "its time is up"),
    ],
    ids=["fails", "times out", "hangs"],
)
async def test_a_judge_that_fails_holds_no_answer_up(says: Any, why: str, caplog: pytest.LogCaptureFixture) -> None:
    found = await checked(state(), Judge(says), settings={"answer_check_timeout_s": LIMIT_S})

    assert (found.update["outcome"], found.update["answer_check"]["checked_by"]) == ("answered", "unavailable")
    assert f"the judge is unavailable: {why}" in caplog.text
    assert "hunter2" not in caplog.text


@pytest.mark.parametrize(
    ("settings", "spent_s", "left_s"),
    [({"answer_check_timeout_s": 20}, 60.0, 20), ({"answer_check_timeout_s": 30}, 115.0, 5)],
    ids=["of the check", "of the request"],
)
def test_it_is_given_what_is_left_of_the_time(settings: Any, spent_s: float, left_s: float) -> None:
    judge = Judge()
    skip(checked(state(times={"plan_1": spent_s}), judge, settings=settings))

    ((_, view),) = judge.heard
    assert view.remaining_s == left_s


async def test_what_bubbles_up_passes_through() -> None:
    def asks(answer: str, view: Any) -> Any:
        raise GraphBubbleUp

    with pytest.raises(GraphBubbleUp):
        await checked(state(), checks=Checks(answers=[asks]))
    with pytest.raises(GraphBubbleUp):
        await checked(state(), Judge(GraphBubbleUp()))
