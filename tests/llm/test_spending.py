"""Caps on what a conversation and a day may spend on models, in calls and tokens: counted as the provider reports them,
over requests, restarts and midnight; and every request that meets one still ends in an answer."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, answers, plans
from inn import Inn
from langgraph.store.memory import InMemoryStore
from plans import beds, call, judged, plan
from tables import table

from wavegraph import Settings, build_graph, open_storage, run
from wavegraph.app.run.result import Result
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.model import spending
from wavegraph.graph.model.spending import SPENT_DAYS, SPENT_THREADS, Spending
from wavegraph.graph.settings import _warn_of_retired
from wavegraph.graph.state import key_of

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
PLAN = plans(plan({**beds("beds", NIGHT), "serves": [1]}, context=[]))
ANSWER = answers(f"On {NIGHT} there are 4 free beds.")
RULES = f"The porter says: {NIGHT}: 4 free"
OF_THREAD = "(This conversation has used up its share of the language model"
OF_DAY = "(Today's share of the language model is used up"
CAP = "WAVEGRAPH_MAX_THREAD_CALLS"


@pytest.fixture(autouse=True)
def _forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spending, "_process", InMemoryStore())
    spending._warn.cache_clear()


class Bar:
    """The inn with a model; `now`: its clock."""

    def __init__(self, store: Any = None, checkpointer: Any = None, **domain: Any) -> None:
        graph = build_graph(Inn().domain(**domain))
        assert graph.agent.models
        self.now = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
        graph.agent.models.spending.now = lambda: self.now
        self.graph = graph.compile(store=store, checkpointer=checkpointer)

    async def ask(self, thread: str = "t1", text: str = TEXT, **settings: Any) -> Result:
        return await run(self.graph, text, thread_id=thread, settings=settings)

    async def alone(self, **settings: Any) -> Any:
        """A run without a thread."""
        return await self.graph.ainvoke({"messages": [("user", TEXT)]}, context=settings)


def spent(store: Any, thread: str = "t1") -> Any:
    item = store.get(SPENT_THREADS, key_of(thread))
    return item and item.value


async def test_without_a_cap_nothing_is_counted(endpoint: Endpoint) -> None:
    store = InMemoryStore()
    endpoint.plays(PLAN, ANSWER)
    ended = await Bar(store).ask()
    assert (ended.outcome, ended.answer) == ("answered", ANSWER.content)
    assert store.list_namespaces(prefix=("wavegraph", "spent")) == []


@pytest.mark.parametrize("cap", [{"max_thread_calls": 2}, {"max_thread_tokens": 220}])
async def test_a_thread_goes_on_by_rules_and_says_so_when_its_share_is_spent(
    endpoint: Endpoint, cap: dict[str, int]
) -> None:
    endpoint.plays(PLAN, ANSWER)
    inn = Bar(InMemoryStore())
    first, second = await inn.ask(**cap), await inn.ask(**cap)
    assert (first.outcome, first.answer, first.llm_calls) == ("answered", ANSWER.content, 2)
    assert (second.outcome, second.planner, second.llm_calls) == ("partial", "rules", 0)
    assert second.answer.startswith(f"{RULES}\n\n{OF_THREAD}")

    endpoint.plays(PLAN, ANSWER)
    assert (await inn.ask("t2", **cap)).answer == ANSWER.content
    endpoint.assert_complete()


async def test_the_count_is_two_numbers_and_holds_no_text(endpoint: Endpoint) -> None:
    store = InMemoryStore()
    endpoint.plays(PLAN, ANSWER)
    await Bar(store).ask(max_day_calls=9)
    known = {"calls": 2, "tokens": 220}
    assert spent(store) == known
    assert [item.value for item in store.search((*SPENT_DAYS, "2026-11-20"))] == [known]


async def test_a_thread_s_count_outlives_the_process(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.plays(PLAN, ANSWER)
    for expected in ("answered", "partial"):
        async with open_storage(str(tmp_path / "desk.db")) as storage:
            ended = await Bar(storage.store, storage.checkpointer).ask(max_thread_calls=2)
        assert ended.outcome == expected


@pytest.mark.parametrize("cap", [{"max_day_calls": 4}, {"max_day_tokens": 331}])
@pytest.mark.parametrize("store", [InMemoryStore, lambda: None], ids=["store", "process"])
async def test_a_day_s_share_is_that_of_all_threads_and_new_after_midnight(
    endpoint: Endpoint, cap: dict[str, int], store: Callable[[], Any]
) -> None:
    endpoint.plays(PLAN, ANSWER, PLAN, ANSWER)
    inn = Bar(store())
    told = [await inn.ask(thread, **cap) for thread in ("t1", "t2", "t3")]
    assert [each.outcome for each in told] == ["answered", "answered", "partial"]
    assert told[2].answer.startswith(f"{RULES}\n\n{OF_DAY}")

    inn.now += timedelta(minutes=31)
    endpoint.plays(PLAN, ANSWER)
    assert (await inn.ask("t3", **cap)).outcome == "answered"
    endpoint.assert_complete()


async def test_without_a_store_it_is_said_once(endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    endpoint.plays(PLAN, ANSWER)
    with caplog.at_level(logging.WARNING, "wavegraph"):
        await Bar().ask(max_day_calls=9)
    assert [r.message for r in caplog.records if "no store" in r.message] == [
        "this graph has no store: what its models spend is counted in this process alone"
    ]


async def test_a_day_of_more_threads_than_a_page_is_summed_whole(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spending, "PAGE", 2)
    store = InMemoryStore()
    inn = Bar(store)
    endpoint.plays(*[PLAN, ANSWER] * 3)
    for number in range(3):
        await inn.ask(f"t{number}", max_day_calls=6)
    assert (await inn.ask("t9", max_day_calls=6)).outcome == "partial"


async def test_days_long_past_are_forgotten_whole(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    store = InMemoryStore()
    monkeypatch.setattr(spending, "PAGE", 2)
    for day in ("2026-10-19", "2026-10-20", "2026-11-19"):
        for thread in ("k1", "k2", "k3"):
            store.put((*SPENT_DAYS, day), thread, {"calls": 1, "tokens": 10})
    endpoint.plays(PLAN, ANSWER)
    await Bar(store).ask(max_day_calls=9)
    left = {item.namespace[-1] for item in store.search(SPENT_DAYS)}
    assert left == {"2026-10-20", "2026-11-19", "2026-11-20"}


async def test_a_run_without_a_thread_counts_for_the_day_alone(endpoint: Endpoint) -> None:
    store = InMemoryStore()
    endpoint.plays(PLAN, ANSWER)
    inn = Bar(store)
    told = [await inn.alone(max_thread_calls=1, max_day_calls=2) for _ in range(2)]
    assert [each["outcome"] for each in told] == ["answered", "partial"]
    assert [item.value["calls"] for item in store.search(("wavegraph", "spent"))] == [1, 1]
    assert store.search(SPENT_THREADS) == []


# What an earlier version stored

USED = {"calls": 1, "input": 100, "cached": 40, "output": 10, "estimated": 0}
EARLIER = {"models": {"planner scripted": USED, "responder scripted": USED}, "cost": "0.0031"}


@pytest.mark.parametrize("cap", ["max_thread_calls", "max_day_calls", "max_thread_tokens", "max_day_tokens"])
async def test_what_an_earlier_version_counted_is_spent(endpoint: Endpoint, cap: str) -> None:
    store, spent_by_now = InMemoryStore(), 2 if cap.endswith("calls") else 220
    for place in (SPENT_THREADS, (*SPENT_DAYS, "2026-11-20")):
        store.put(place, key_of("t1"), EARLIER)
    inn = Bar(store)
    settings: Any = {cap: spent_by_now}
    ended = await inn.ask(**settings)
    assert (ended.outcome, ended.llm_calls) == ("partial", 0)

    endpoint.plays(PLAN, ANSWER)
    await inn.ask(**{cap: 1000})
    assert spent(store) == {"calls": 4, "tokens": 440}


# In the middle of a request


async def test_the_responder_that_may_not_is_stood_in_for_by_templates(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN)
    ended = await Bar(InMemoryStore()).ask(max_thread_calls=1)
    assert (ended.outcome, ended.planner, ended.llm_calls) == ("partial", "llm", 1)
    assert ended.answer.startswith(f"{RULES}\n\n{OF_THREAD}")


async def test_the_judge_that_may_not_leaves_the_answer_as_it_is(endpoint: Endpoint) -> None:
    endpoint.plays(PLAN, ANSWER)
    ended = await Bar(InMemoryStore()).ask(max_thread_calls=2, answer_check="on")
    assert (ended.outcome, ended.answer) == ("answered", ANSWER.content)
    assert ended.answer_check
    assert ended.answer_check["checked_by"] == "unavailable"

    endpoint.plays(PLAN, ANSWER, judged())
    assert (await Bar(InMemoryStore()).ask(max_thread_calls=3, answer_check="on")).answer_check["satisfied"]  # type: ignore[index]
    endpoint.assert_complete()


@pytest.mark.parametrize("fallback", [True, False])
async def test_a_write_that_happened_is_told_when_the_next_call_may_not_be_made(
    endpoint: Endpoint, fallback: bool
) -> None:
    endpoint.plays(plans(plan(call("book", "book_bed", night=NIGHT), status="continue")))
    ended = await Bar(InMemoryStore()).ask(text=f"book a bed on {NIGHT}", max_thread_calls=1, model_fallback=fallback)
    assert "B-77" in ended.answer
    assert ("share of the language model" in ended.answer) is True
    endpoint.assert_complete()


@pytest.mark.parametrize(
    ("scope", "words"), [("thread", "so no more can be done in it"), ("day", "Please try again tomorrow")]
)
async def test_where_no_rules_may_take_over_the_answer_says_why(endpoint: Endpoint, scope: str, words: str) -> None:
    cap: Any = {f"max_{scope}_calls": 0}
    ended = await Bar(InMemoryStore()).ask(model_fallback=False, **cap)
    assert (ended.outcome, words in ended.answer) == ("failed", True)
    assert endpoint.received == []


async def test_hebrew_is_answered_in_hebrew(endpoint: Endpoint) -> None:
    ended = await Bar(InMemoryStore()).ask(text=f"יש מיטה פנויה בתאריך {NIGHT}?", max_day_tokens=0)
    assert "המכסה היומית של מודל השפה נוצלה" in ended.answer


# What a provider reports


async def test_tokens_that_nobody_reports_are_estimated_and_said(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    store = InMemoryStore()
    written = PLAN.but(content=PLAN.arguments, arguments=None, finish="stop")
    endpoint.plays(written.but(usage=None), ANSWER.but(usage=None))
    with caplog.at_level(logging.WARNING, "wavegraph"):
        ended = await Bar(store).ask(max_thread_tokens=1_000_000)
    texts = [sum(len(m["content"].encode()) for m in each.body["messages"]) for each in endpoint.received]
    texts += [len(text.encode()) for text in (str(PLAN.arguments), str(ANSWER.content))]
    assert spent(store) == {"calls": 2, "tokens": sum(-(-text // 4) for text in texts)}
    assert len([r for r in caplog.records if "reports no tokens" in r.message]) == 1
    assert ended.outcome == "answered"


async def test_a_failed_try_counts_as_a_call(endpoint: Endpoint) -> None:
    store = InMemoryStore()
    endpoint.plays(PLAN.but(status=500), PLAN, ANSWER)
    await Bar(store).ask(max_thread_calls=9)
    assert spent(store) == {"calls": 3, "tokens": 220}


async def test_a_store_that_fails_lets_no_call_be_made(endpoint: Endpoint) -> None:
    class Broken(InMemoryStore):
        async def aget(self, namespace: Any, *args: Any, **options: Any) -> Any:
            if "spent" in namespace:
                raise OSError("disk full")
            return await super().aget(namespace, *args, **options)

    ended = await Bar(Broken()).ask(max_thread_calls=9)
    assert ended.answer.startswith(RULES)
    assert endpoint.received == []


# The environment's ceiling


@table(
    ("environment", "run", "expected"),
    [("2", None, 2), ("2", 100, 2), ("2", 1, 1), ("0", 5, 0), (None, 5, 5), (None, None, None)],
)
def test_a_run_may_lower_a_cap_and_never_raise_it(
    environment: str | None, run: int | None, expected: int | None
) -> None:
    made = Spending.from_env({CAP: environment} if environment else {})
    assert made.caps(Settings(max_thread_calls=run)).get("max_thread_calls") == expected


async def test_the_environment_s_cap_holds_for_a_client_that_asks_for_more(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CAP, "2")
    endpoint.plays(PLAN, ANSWER)
    inn = Bar(InMemoryStore())
    assert [(await inn.ask(max_thread_calls=100)).outcome for _ in range(2)] == ["answered", "partial"]


@pytest.mark.parametrize("text", ["many", "-1", "1.5", "nan"])
def test_a_cap_that_is_no_number_stops_the_start(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CAP, text)
    with pytest.raises(SettingsError, match=f"{CAP}: setting 'max_thread_calls' = '{text}'"):
        build_graph(Inn().domain())


@pytest.mark.parametrize("scope", ["THREAD", "DAY"])
def test_a_cap_on_money_stops_the_start_and_says_where_money_is_capped(
    scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"WAVEGRAPH_MAX_{scope}_COST", "5")
    with pytest.raises(SettingsError) as raised:
        build_graph(Inn().domain())
    assert str(raised.value) == (
        f"WAVEGRAPH_MAX_{scope}_COST = '5' is read no more: cap money at your gateway or provider, and remove it here; "
        f"WAVEGRAPH_MAX_{scope}_CALLS and WAVEGRAPH_MAX_{scope}_TOKENS cap the rest"
    )
    monkeypatch.setenv(f"WAVEGRAPH_MAX_{scope}_COST", "")
    build_graph(Inn().domain())


async def test_an_assistant_that_caps_money_is_answered_without_it(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    _warn_of_retired.cache_clear()
    endpoint.plays(PLAN, ANSWER)
    with caplog.at_level(logging.WARNING, "wavegraph"):
        assert (await Bar(InMemoryStore()).ask(max_day_cost=0)).outcome == "answered"
    assert [r.message for r in caplog.records if "max_day_cost" in r.message] == [
        "the setting 'max_day_cost' of an earlier version is dropped: it does nothing any more"
    ]
