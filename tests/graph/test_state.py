"""The reducers: parallel writes have no promised order and may be replayed."""

from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import outcome, planned
from warehouse import Warehouse

from wavegraph import build_graph
from wavegraph.graph.ledger import stored
from wavegraph.graph.state import (
    CARRIED,
    DEFAULTS,
    SHOWN,
    STATE_VERSION,
    WORK,
    AgentState,
    Asked,
    InputState,
    Ledger,
    OutputState,
    StoredState,
    StructuredOutput,
    ToolOutcome,
    WaveCall,
    Work,
    as_written,
    empty_ledger,
    merge_approvals,
    merge_ledgers,
    merge_times,
    with_defaults,
)

CALLS = st.builds(lambda n, tool, plan: planned(f"c{n}", tool, plan=plan), st.integers(0, 3),
                  st.sampled_from(["count", "weigh"]), st.integers(1, 3))  # fmt: skip
OUTCOMES = st.builds(
    lambda n, status, data, runs: outcome("count", {"n": n}, status, data, runs=runs),
    st.integers(0, 3),
    st.sampled_from(["ok", "error", "skipped"]),
    st.integers(0, 2),
    st.integers(0, 2),
)
ARTIFACTS = st.lists(st.integers(0, 3)).map(
    lambda ns: {key: data for n in ns for key, data in stored(["x" * 20_000, n])[1].items()}
)


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    return {
        "calls": {call["id"]: call for call in draw(st.lists(CALLS, max_size=4))},
        "outcomes": {made["signature"]: made for made in draw(st.lists(OUTCOMES, max_size=4))},
        "artifacts": draw(ARTIFACTS),
    }


TIMES = st.dictionaries(st.sampled_from(["plan_1", "execute_wave_1", "validate_1"]), st.floats(0, 100))


def asked(number: int, decision: str | None = None, reason: str = "") -> dict[str, Asked]:
    terms: Any = {"details": {"n": number}, "valid_until": None}
    return {"s": {"call": "c", "tool": "move", "args": {}, "terms": terms, "terms_hash": str(number), "number": number,
                  "decision": decision, "reason": reason}}  # type: ignore[typeddict-item]  # fmt: skip


@pytest.mark.parametrize(
    ("wins", "loses"),
    [
        (asked(2), asked(1, "reject", "z")),  # asked again: the old answer is no answer to it
        (asked(1, "approve"), asked(1)),
        (asked(1, "reject", "no"), asked(1)),
    ],
    ids=["the later question", "its yes", "its no"],
)
def test_of_questions_the_later_wins_and_of_one_its_answer(wins: dict[str, Asked], loses: dict[str, Asked]) -> None:
    assert merge_approvals(wins, loses) == merge_approvals(loses, wins) == wins


def test_no_questions_add_nothing() -> None:
    nothing: Any = None

    assert merge_approvals(nothing, asked(1)) == merge_approvals(asked(1), nothing) == asked(1)
    assert merge_approvals(nothing, nothing) == {}


@given(ledgers(), ledgers())
def test_ledgers_commute(left: Ledger, right: Ledger) -> None:
    assert merge_ledgers(left, right) == merge_ledgers(right, left)


@given(ledgers(), ledgers(), ledgers())
def test_ledgers_associate(a: Ledger, b: Ledger, c: Ledger) -> None:
    assert merge_ledgers(merge_ledgers(a, b), c) == merge_ledgers(a, merge_ledgers(b, c))


@given(ledgers(), ledgers())
def test_replaying_a_ledger_changes_nothing(left: Ledger, right: Ledger) -> None:
    once = merge_ledgers(left, right)

    assert merge_ledgers(once, right) == once
    assert merge_ledgers(once, left) == once
    assert merge_ledgers(once, once) == once


@given(ledgers())
def test_an_empty_ledger_adds_nothing(ledger: Ledger) -> None:
    assert merge_ledgers(empty_ledger(), ledger) == ledger
    assert merge_ledgers({}, ledger) == ledger  # type: ignore[typeddict-item]
    assert merge_ledgers(ledger, {}) == ledger  # type: ignore[typeddict-item]
    nothing: Any = None
    assert merge_ledgers(nothing, ledger) == merge_ledgers(ledger, nothing) == ledger


def test_merging_changes_neither_side() -> None:
    left: Any = {**empty_ledger(), "calls": {"a": planned("a", "count")}}
    right: Any = {**empty_ledger(), "calls": {"b": planned("b", "count")}}
    merge_ledgers(left, right)

    assert list(left["calls"]) == ["a"]
    assert list(right["calls"]) == ["b"]


def test_the_later_run_and_the_later_plan_win() -> None:
    first, second = outcome("count", {}, "timeout", runs=1), outcome("count", {}, "ok", 5, runs=2)
    old, new = planned("a", "count", plan=1), planned("a", "weigh", plan=2)
    left: Ledger = {"calls": {"a": old}, "outcomes": {first["signature"]: first}, "artifacts": {}}
    right: Ledger = {"calls": {"a": new}, "outcomes": {second["signature"]: second}, "artifacts": {}}

    for merged in (merge_ledgers(left, right), merge_ledgers(right, left)):
        assert merged["outcomes"][first["signature"]]["status"] == "ok"
        assert merged["calls"]["a"]["tool"] == "weigh"


def test_of_one_run_what_a_check_found_wins() -> None:
    """The task that ran the call and the check's own update may be replayed in any order."""
    ran = outcome("count", {}, data=5)
    doubted: ToolOutcome = {**ran, "doubted": True}
    left, right = ({**empty_ledger(), "outcomes": {ran["signature"]: each}} for each in (ran, doubted))

    for merged in (merge_ledgers(left, right), merge_ledgers(right, left)):
        assert merged["outcomes"][ran["signature"]].get("doubted") is True


def test_a_result_that_came_over_gives_way_to_one_that_was_checked() -> None:
    came_over, checked = (
        outcome("count", {}, data=9, runs=0, wave=CARRIED),
        outcome("count", {}, data=5, runs=0, wave=0),
    )
    left, right = ({**empty_ledger(), "outcomes": {each["signature"]: each}} for each in (came_over, checked))

    for merged in (merge_ledgers(left, right), merge_ledgers(right, left)):
        assert [each["data"] for each in merged["outcomes"].values()] == [5]


def test_the_order_of_a_records_keys_decides_nothing() -> None:
    """A checkpointer may give a record back with its keys in another order."""
    ran = outcome("count", {})
    wins, loses = {"a": 2, "b": 1}, {"a": 1, "b": 2}
    for data in (loses, dict(reversed(loses.items()))):
        both = [{**empty_ledger(), "outcomes": {"s": {**ran, "data": each}}} for each in (wins, data)]
        assert merge_ledgers(*both)["outcomes"]["s"]["data"] == wins  # type: ignore[arg-type]


def test_parallel_calls_of_a_step_count_by_the_longest() -> None:
    assert merge_times({"plan_1": 1.0, "execute_wave_1": 0.5}, {"execute_wave_1": 2.0, "validate_1": 0.1}) == {
        "plan_1": 1.0, "execute_wave_1": 2.0, "validate_1": 0.1,
    }  # fmt: skip


def test_numbers_that_stored_threads_hold() -> None:
    """Threads on disk are read by these: another number needs a thread stored with the old one, and a test that opens it."""
    assert (STATE_VERSION, CARRIED) == (3, -1)


def test_what_may_be_left_out_of_a_thread_is_the_engines_own_and_plain() -> None:
    hints = get_type_hints(AgentState, include_extras=True)

    assert set(DEFAULTS) <= set(hints) - set(SHOWN) | {"unsupported"}
    assert not [name for name in DEFAULTS if hasattr(hints[name], "__metadata__")]


def test_an_update_leaves_out_what_the_state_holds_already() -> None:
    state = with_defaults({"work": {"struck": ["5"], "notes": "n"}, "answer": ""})
    assert state == {
        **DEFAULTS,
        "struck": ["5"],
        "notes": "n",
        "answer": "",
        "work": {"struck": ["5"], "notes": "n"},
    }

    update = {"struck": [], "notes": "n", "model_down": True, "answer": "", "settings": {}}
    assert as_written(update, state) == {"work": {"notes": "n", "model_down": True}}
    assert as_written({"answer": "a", "messages": [], "ledger": empty_ledger(), "times": {}}, state) == {"answer": "a"}
    assert as_written({"notes": "n", "settings": {"language": "en"}}, state) == {"settings": {"language": "en"}}


def test_claims_that_an_earlier_version_stored_with_its_work_are_read_until_there_are_others() -> None:
    stored = {"work": {"unsupported": ["5"], "notes": "n"}}
    state = with_defaults(stored)
    assert state["unsupported"] == ["5"]

    update = as_written({"unsupported": []}, state)
    assert with_defaults({**stored, **update})["unsupported"] == []


def test_few_fields_are_the_engines_own() -> None:
    """And those of its work are one of them, which nothing else writes: no output, no input, no call of a wave."""
    own = get_type_hints(StoredState).keys() - get_type_hints(StructuredOutput).keys() - {"remaining_steps"}

    assert len(own) <= 20
    assert WORK.keys() == Work.__annotations__.keys()
    for other in (OutputState, InputState, WaveCall):
        assert WORK.keys().isdisjoint(other.__annotations__)


def test_messages_are_described_in_short() -> None:
    """By LangChain's names, and as what the server and Studio know a conversation by."""
    schema = build_graph(Warehouse().domain()).compile().get_input_jsonschema()
    described = schema["properties"]["messages"]

    assert (described["type"], described["langgraph_type"]) == ("array", "messages")
    assert {kind["$ref"] for kind in described["items"]["anyOf"]} == {"#/$defs/HumanMessage", "#/$defs/AIMessage"}
    assert described["description"].startswith("The conversation; the last human message is the request.")


@given(TIMES, TIMES, TIMES)
def test_times_commute_associate_and_replay(a: dict[str, float], b: dict[str, float], c: dict[str, float]) -> None:
    assert merge_times(a, b) == merge_times(b, a)
    assert merge_times(merge_times(a, b), c) == merge_times(a, merge_times(b, c))
    assert merge_times(merge_times(a, b), b) == merge_times(a, b)
