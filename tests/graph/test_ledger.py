"""References, signatures, reuse, artifacts and the bounded view."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import ledger_of, outcome, planned
from warehouse import Warehouse

from wavegraph.graph.ledger import (
    CHANGES_ASKED,
    INLINE_BYTES,
    REJECTED,
    BrokenReference,
    UnfinishedReference,
    bounded_view,
    changes_asked,
    data_of,
    is_out_of_runs,
    newest_results,
    outcome_of,
    raw_signature,
    resolver,
    results,
    signature,
    stored,
    tools_executed,
    tools_ran,
)
from wavegraph.graph.references.paths import as_reference, references
from wavegraph.graph.state import Ledger, PlannedCall, ToolError, ToolOutcome
from wavegraph.testing import ref

DATA = {
    "stays": [{"check_in": "2026-01-17", "nights": 2}, {"check_in": "2026-02-01", "nights": 5}],
    "total": 12.5,
    "flag": False,
    "nothing": None,
    "by_day": {"2026-01-17": 3},
    "deep": [[1, 2], [3, 4]],
}
SOURCE = planned("dates", "search", kind="b")
LEDGER = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data=DATA)])


def resolve(value: Any, ledger: Ledger) -> Any:
    return resolver(ledger).resolve(value)


@dataclass(frozen=True)
class Path:
    id: str
    path: str
    value: Any


PATHS = [
    Path("the whole result", "", DATA),
    Path("a number stays a number", "total", 12.5),
    Path("false stays false", "flag", False),
    Path("nested", "stays[0].check_in", "2026-01-17"),
    Path("negative index", "stays[-1].nights", 5),
    Path("index of an index", "deep[1][0]", 3),
    Path("an index written with a dot", "stays.1.nights", 5),
    Path("a list", "stays", DATA["stays"]),
    Path("a null", "nothing", None),
    Path("a key with dashes", "by_day.2026-01-17", 3),
]


@pytest.mark.parametrize("case", PATHS, ids=lambda case: case.id)
def test_a_reference_keeps_its_value_and_type(case: Path) -> None:
    found = resolve(ref("dates", case.path), LEDGER)

    assert found == case.value
    assert type(found) is type(case.value)


@pytest.mark.parametrize(
    "path",
    ["nowhere", "stays[7]", "stays[-3].nights", "total.x", "stays.nights", "total[0]", "stays.--1", "stays.²",
     "stays[" + "9" * 5000 + "]", "$.total"],
    ids=lambda path: path[:20],
)  # fmt: skip
def test_a_path_to_nothing_is_a_broken_reference(path: str) -> None:
    with pytest.raises(BrokenReference) as broken:
        resolve(ref("dates", path), LEDGER)

    assert broken.value.path_leads_nowhere


def test_references_resolve_at_any_depth() -> None:
    value = {"list": [ref("dates", "total"), 1], "in": {"deep": ref("dates", "stays[0].nights")}, "plain": "x"}

    assert resolve(value, LEDGER) == {"list": [12.5, 1], "in": {"deep": 2}, "plain": "x"}
    assert references(value) == [("dates", "total"), ("dates", "stays[0].nights")]


@pytest.mark.parametrize(
    "value",
    [
        {"ref": "dates"},
        {"ref": {"path": "x"}},
        {"ref": {"call": "dates"}, "more": 1},
        ["ref"],
        "ref",
        {"ref": {"call": 3}},
    ],
    ids=str,
)
def test_what_is_not_a_reference_stays_as_it_is(value: Any) -> None:
    assert as_reference(value) is None
    assert resolve(value, LEDGER) == value


def test_a_result_that_looks_like_a_reference_is_data() -> None:
    trap = ref("dates", "total")
    ledger = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data={"note": trap})])

    assert resolve(ref("dates", "note"), ledger) == trap


def test_a_reference_to_an_unfinished_call_waits() -> None:
    with pytest.raises(UnfinishedReference):
        resolve(ref("dates"), ledger_of([SOURCE]))


@pytest.mark.parametrize("status", ["error", "timeout", "skipped"])
def test_a_reference_to_a_failed_call_is_broken(status: str) -> None:
    ledger = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, status)])

    with pytest.raises(BrokenReference, match=f"ended as {status}") as broken:
        resolve(ref("dates"), ledger)
    assert not broken.value.path_leads_nowhere


def test_a_reference_to_a_null_leaves_the_argument_out() -> None:
    call = planned("a", "count", sku="bolt", note=ref("dates", "nothing"))
    ledger = ledger_of([SOURCE, call], [*LEDGER["outcomes"].values(), outcome("count", {"sku": "bolt"})])

    assert outcome_of("a", ledger) is not None


def test_a_value_is_made_to_fit_and_a_null_leads_to_the_default() -> None:
    args = {"sku": ref("dates", "total"), "unit": ref("dates", "nothing"), "note": ref("dates", "nothing")}
    call: PlannedCall = {
        **planned("a", "count", **args),
        "fit": {"takes": {"sku": {"types": ["string"]}}, "defaults": {"unit": "piece"}},
    }

    assert resolver(LEDGER).args_of(call).args == {"sku": "12.5", "unit": "piece"}


@pytest.mark.parametrize("length", [100, 1000])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_chain_of_any_length_is_resolved_call_by_call(length: int, backwards: bool) -> None:
    calls = [
        planned("c0", "count", n=0),
        *(planned(f"c{n}", "count", n=n, of=ref(f"c{n - 1}", "n")) for n in range(1, length)),
    ]
    ends = [outcome("count", {"n": 0}, data={"n": 0})]
    ends += [outcome("count", {"n": n, "of": n - 1}, data={"n": n}) for n in range(1, length)]
    ledger = ledger_of(calls[::-1] if backwards else calls, ends)

    assert len(results(ledger)) == length
    assert resolve(ref(f"c{length - 1}", "n"), ledger) == length - 1


def chain_of(kind: str, n: int) -> list[PlannedCall]:
    """A link of a chain: as a call made for each of one element, or one in whose place a person put another."""
    if kind == "elements":
        each: PlannedCall = {
            **planned(f"c{n}", "count", n=n, of=ref("each")),
            "each": ref("list"),
            "elements": [f"c{n}_1"],
        }
        return [each, {**planned(f"c{n}_1", "count", n=n, of=ref(f"c{n - 1}", "[0].n")), "element_of": f"c{n}"}]
    of = {"of": ref(f"c{n - 1}", "n")} if kind == "edits" else {"of": n - 1}
    edited = planned(f"c{n}_edited_1", "count", instead_of=f"c{n}", n=n, **of)
    return [planned(f"c{n}", "count", before=n, of=ref(f"c{n - 1}", "n")), edited]


@pytest.mark.parametrize("kind", ["elements", "edits", "edits to written values"])
def test_a_chain_through_elements_or_edits_may_be_as_long(kind: str) -> None:
    first = planned("c0_1" if kind == "elements" else "c0", "count", n=0)
    whole: PlannedCall = {**planned("c0", "count", n=0), "each": ref("list"), "elements": ["c0_1"]}
    links = [call for n in range(299, 0, -1) for call in chain_of(kind, n)]
    ends = [outcome("count", {"n": 0}, data={"n": 0})]
    ends += [outcome("count", {"n": n, "of": n - 1}, data={"n": n}) for n in range(1, 300)]
    ledger = ledger_of([*links, *([whole] if kind == "elements" else []), first], ends)

    assert resolve(ref("c299", "[0].n" if kind == "elements" else "n"), ledger) == 299


class Counted(dict[str, Any]):
    """Arguments that count how often they are read whole."""

    reads = 0

    def items(self) -> Any:
        Counted.reads += 1
        return super().items()


def test_a_call_that_many_refer_to_is_resolved_once() -> None:
    """Twelve calls with two references each to the one before: two to the power of eleven ways to the first."""
    calls = [planned("c0", "count", n=0)]
    calls += [planned(f"c{n}", "count", a=ref(f"c{n - 1}", "n"), b=ref(f"c{n - 1}", "n")) for n in range(1, 12)]
    ends = [outcome("count", {"n": 0}, data={"n": 0})]
    ends += [outcome("count", {"a": n - 1, "b": n - 1}, data={"n": n}) for n in range(1, 12)]
    ledger = ledger_of([{**each, "args": Counted(each["args"])} for each in calls], ends)
    Counted.reads = 0

    assert len(results(ledger)) == 12
    assert outcome_of("c11", ledger) == ends[-1]
    assert Counted.reads <= 5 * len(calls)


def test_what_was_found_of_one_ledger_is_not_told_of_another() -> None:
    other = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data={"total": 1})])

    assert [resolve(ref("dates", "total"), each) for each in (LEDGER, other, LEDGER)] == [12.5, 1, 12.5]
    run_again = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data={"total": 2})])
    assert resolve(ref("dates", "total"), run_again) == 2


def test_threads_that_ask_at_once_all_get_the_whole_answer() -> None:
    calls = [planned("c0", "count", n=0), *(planned(f"c{n}", "count", of=ref(f"c{n - 1}", "n")) for n in range(1, 60))]
    ends = [outcome("count", {"n": 0}, data={"n": 0})]
    ends += [outcome("count", {"of": n - 1}, data={"n": n}) for n in range(1, 60)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            ledger = ledger_of(calls, [dict(each) for each in ends])  # type: ignore[misc]
            found = pool.map(lambda n, ledger=ledger: outcome_of(f"c{n}", ledger), range(59, -1, -1))
            assert all(found)


# Signatures

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def shuffled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(part) for key, part in reversed(value.items())}
    return [shuffled(part) for part in value] if isinstance(value, list) else value


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_a_signature_does_not_depend_on_key_order(args: dict[str, Any]) -> None:
    assert signature("count", args) == signature("count", shuffled(args))


def test_a_signature_tells_tools_values_and_types_apart() -> None:
    made = [signature("count", {"n": 1}), signature("weigh", {"n": 1}), signature("count", {"n": 2}),
            signature("count", {"n": "1"}), signature("count", {"m": 1}), signature("count", {"n": True})]  # fmt: skip

    assert len(set(made)) == len(made)


def test_a_signature_is_the_same_in_another_process() -> None:
    args = {"sku": "בורג", "tags": {"b": [1, 2.5, None], "a": True}}
    code = "import json, sys; from wavegraph.graph.ledger import signature; print(signature('count', json.load(sys.stdin)))"

    for seed in ("1", "2"):
        other = subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(args),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert other.stdout.strip() == signature("count", args)


@pytest.mark.parametrize(
    "args",
    [{"sku": "bolt", "unit": "piece"}, {"sku": "bolt", "note": None}, {"note": None, "unit": "piece", "sku": "bolt"},
     {"sku": "bolt", "unit": None}],
    ids=["default given", "null given", "both", "null for a default"],
)  # fmt: skip
def test_defaults_and_nulls_make_the_same_call_as_left_out_ones(args: dict[str, Any]) -> None:
    count = Warehouse().domain().registry["count"]

    assert count.checked_args(args) == count.checked_args({"sku": "bolt"})


def test_references_do_not_change_how_the_rest_is_spelt() -> None:
    count = Warehouse().domain().registry["count"]

    assert count.checked_args({"sku": ref("a"), "note": None}) == {"sku": ref("a"), "unit": "piece"}


def test_literals_are_spelt_the_models_way() -> None:
    move = Warehouse().domain().registry["move"]

    assert move.checked_args({"sku": "bolt", "units": "3"}) == move.checked_args(
        {"sku": "bolt", "units": 3, "to": "dock"}
    )


# Large results


def test_a_large_result_is_kept_once_and_read_in_full() -> None:
    data = ["x" * 100] * (INLINE_BYTES // 50)
    kept, artifacts = stored(data)
    ledger = {**ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data=kept)]), "artifacts": artifacts}

    assert len(json.dumps(kept)) < 100
    assert data_of(outcome("search", {}, data=kept), ledger) == data  # type: ignore[arg-type]
    assert results(ledger)["dates"]["data"] == data  # type: ignore[arg-type]
    assert resolve(ref("dates", "[-1]"), ledger) == data[-1]  # type: ignore[arg-type]


def test_a_small_result_stays_in_its_outcome() -> None:
    assert stored({"a": 1}) == ({"a": 1}, {})


def test_a_result_that_only_looks_like_an_artifact_is_itself() -> None:
    assert data_of(outcome("search", {}, data={"artifact": "vase"}), ledger_of()) == {"artifact": "vase"}


# Counting and the view for planners


def test_reused_and_skipped_calls_are_no_executions() -> None:
    ledger = ledger_of(
        [],
        [outcome("count", {"n": 1}, runs=2), outcome("count", {"n": 2}, runs=0), outcome("count", {"n": 3}, "error")],
    )

    assert tools_executed(ledger) == 3


def test_the_bounded_view_serves_the_newest_results_first() -> None:
    calls = [planned(f"c{n}", "count", n=n) for n in range(3)]
    ledger = ledger_of(calls, [outcome("count", {"n": n}, data=f"{n}" * 50) for n in range(3)])
    rows = bounded_view(ledger, 60)

    assert [row["id"] for row in rows] == ["c0", "c1", "c2"]
    assert rows[2]["data"] == "2" * 50
    assert rows[0]["data_bytes"] == 52
    assert "data" not in rows[0]


@given(st.lists(st.text(max_size=60), max_size=6), st.integers(0, 200))
def test_the_bounded_view_never_shows_more_data_than_allowed(texts: list[str], limit: int) -> None:
    calls = [planned(f"c{n}", "count", n=n) for n in range(len(texts))]
    ledger = ledger_of(calls, [outcome("count", {"n": n}, data=text) for n, text in enumerate(texts)])

    rows = bounded_view(ledger, limit)
    shown = [
        json.dumps(row["data"], ensure_ascii=False, separators=(",", ":")) if "data" in row else row["data_cut"]
        for row in rows
    ]
    assert sum(len(text.encode()) for text in shown) <= limit
    assert [row["id"] for row in rows] == [call["id"] for call in calls]


def test_the_bounded_view_names_failures() -> None:
    ledger = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, "error")])

    assert bounded_view(ledger, 1000)[0]["error"]["code"] == "error"


def test_the_bounded_view_names_a_failure_that_was_told_in_a_good_result() -> None:
    fault: ToolError = {"code": "busy", "message": "try later", "retryable": True}
    told: ToolOutcome = {**outcome("search", {"kind": "b"}, data={"error": "try later"}), "fault": fault}
    row = bounded_view(ledger_of([SOURCE], [told]), 1000)[0]

    assert (row["status"], row["data"], row["error"]) == ("ok", {"error": "try later"}, fault)


FAULT: ToolError = {"code": "busy", "message": "try later", "retryable": True}
LASTING: ToolError = {**FAULT, "retryable": False}


@dataclass(frozen=True)
class Again:
    id: str
    found: dict[str, Any]
    runs: bool
    """Whether the call, planned again, runs."""
    out_of_runs: bool = False
    plan: int = 2
    most: int | None = None


AGAIN = [
    Again("failed, and may pass", {"status": "error", "error": FAULT}, True),
    Again("failed for good", {"status": "error", "error": LASTING}, False),
    Again("failed twice", {"status": "error", "error": FAULT, "runs": 2}, False, out_of_runs=True),
    Again("failed twice, of three", {"status": "timeout", "error": FAULT, "runs": 2}, True, most=3),
    Again(
        "failed three times, of three",
        {"status": "timeout", "error": FAULT, "runs": 3},
        False,
        out_of_runs=True,
        most=3,
    ),
    Again("failed once, of one", {"status": "error", "error": FAULT}, False, out_of_runs=True, most=1),
    Again("failed, in the same plan", {"status": "error", "error": FAULT, "plan": 2}, False),
    Again("skipped", {"status": "skipped", "error": LASTING, "runs": 0}, True, most=1),
    Again("good", {"status": "ok", "error": None}, False),
    Again("good but for what it tells", {"status": "ok", "error": None, "doubted": True, "fault": FAULT}, True),
    Again("tells it in the same plan", {"status": "ok", "error": None, "fault": FAULT, "plan": 2}, False),
    Again("tells it for good", {"status": "ok", "error": None, "fault": LASTING}, False),
    Again(
        "tells it a second time", {"status": "ok", "error": None, "fault": FAULT, "runs": 2}, False, out_of_runs=True
    ),
    Again("doubted for another reason", {"status": "ok", "error": None, "doubted": True}, False),
    Again("cut off, however often it ran", {"status": "cancelled", "error": FAULT, "runs": 7, "plan": 2}, True),
]


@pytest.mark.parametrize("effect", ["read", "write"])
@pytest.mark.parametrize("case", AGAIN, ids=lambda case: case.id)
def test_what_runs_again_when_it_is_planned_again(case: Again, effect: str) -> None:
    call = planned("again", "count", effect, plan=case.plan, sku="bolt")
    call = call if case.most is None else {**call, "max_runs": case.most}
    found: Any = {**outcome("count", {"sku": "bolt"}), **case.found}

    assert resolver(ledger_of([call], [found])).may_run(call, found) is case.runs
    assert is_out_of_runs(call, found) is case.out_of_runs


def test_a_result_read_anew_after_a_write_is_not_read_once_more_after_the_next() -> None:
    """`book` failed and pointed to the same read as `book_2`, which then succeeded with what was read anew."""
    later = {"item": ref("look_2", "item")}
    calls = [
        planned("look", "look"),
        planned("book", "book", "write", item=ref("look", "item")),
        planned("look_2", "look", plan=2),
        planned("book_2", "book", "write", plan=2, **later),
    ]
    failed = outcome("book", {"item": "old"}, "error", plan=1, wave=2)
    read_anew = outcome("look", {}, data={"item": "new"}, plan=2, wave=3)
    done = outcome("book", {"item": "new"}, data="receipt", plan=2, wave=4)
    ledger = ledger_of(calls, [failed, read_anew, done])

    assert not resolver(ledger).may_run(calls[2], read_anew)
    assert outcome_of("book_2", ledger) == done


def test_a_reference_to_a_call_that_a_person_edited_leads_to_the_edit() -> None:
    edited: PlannedCall = {**planned("dates_edited_1", "search", kind="c"), "instead_of": "dates"}
    before = ledger_of([SOURCE, edited], [])
    with pytest.raises(UnfinishedReference):
        resolve(ref("dates", "total"), before)
    after = ledger_of([SOURCE, edited], [outcome("search", {"kind": "c"}, data=DATA)])
    assert resolve(ref("dates", "total"), after) == 12.5


def test_a_reference_to_a_call_that_was_worked_round_does_not_lead_to_the_way_round() -> None:
    other: PlannedCall = {**planned("later", "search", kind="c"), "instead_of": "dates"}
    ledger = ledger_of([SOURCE, other], [outcome("search", {"kind": "c"}, data=DATA)])
    with pytest.raises(UnfinishedReference):
        resolve(ref("dates", "total"), ledger)


def not_as_it_was(tool: str, code: str = CHANGES_ASKED, **args: Any) -> ToolOutcome:
    """What becomes of a write that a person wants otherwise, or does not want at all."""
    error: ToolError = {"code": code, "message": "not so", "retryable": False}
    return {**outcome(tool, args, "error"), "error": error}


def test_changes_were_asked_for_in_place_of_these_writes_each_once() -> None:
    calls = [
        planned("send", "send", "write", ink=1),
        planned("send_again", "send", "write", plan=2, ink=1),
        planned("bin", "bin", "write", plan=2),
        planned("send_2", "send", "write", plan=3, ink=2),
        planned("send_3", "send", "write", plan=4, ink=3),
        planned("send_4", "send", "write", plan=5, ink=4),
    ]
    ended = [
        not_as_it_was("send", ink=2),
        not_as_it_was("send", ink=1),
        not_as_it_was("bin"),
        not_as_it_was("send", REJECTED, ink=3),
    ]
    ledger = ledger_of(calls, ended)

    assert changes_asked(ledger) == ["send", "bin", "send_2"]
    assert changes_asked(ledger, "send") == ["send", "send_2"]
    assert changes_asked(ledger, "proof") == []


# One call for each element, edits, and what is asked in an odd order

LIST = planned("list", "search", kind="b")
FOR_EACH: PlannedCall = {
    **planned("one", "count", sku=ref("each")),
    "each": ref("list", "skus"),
    "elements": ["one_1", "one_2"],
}
ELEMENTS: list[PlannedCall] = [
    {**planned("one_1", "count", sku="bolt"), "each": ref("list", "skus[0]"), "element_of": "one"},
    {**planned("one_2", "count", sku="nut"), "each": ref("list", "skus[1]"), "element_of": "one"},
]
LISTED = outcome("search", {"kind": "b"}, data={"skus": ["bolt", "nut"], "name": "b"})
BOLTS, NUTS = outcome("count", {"sku": "bolt"}, data=40), outcome("count", {"sku": "nut"}, data=7)


def test_calls_for_each_stand_behind_the_call_they_are_made_of() -> None:
    """They come into the ledger after all others; one that an older thread lost is passed over."""
    after = planned("after", "count", sku="gear")
    lost: PlannedCall = {**FOR_EACH, "elements": ["one_1", "lost", "one_2"]}
    ledger = ledger_of([LIST, lost, after, *ELEMENTS], [outcome("count", {"sku": "gear"}, data=0), NUTS, BOLTS, LISTED])

    assert resolver(ledger).order == ["list", "one", "one_1", "one_2", "after"]
    assert list(results(ledger)) == ["list", "one_1", "one_2", "after"]


@dataclass(frozen=True)
class Each:
    id: str
    outcomes: list[ToolOutcome]
    found: Any
    """The value, or why there is none; empty = not yet."""


EACH = [
    Each("all of them ended", [BOLTS, NUTS], [40, 7]),
    Each("one has not", [BOLTS], ""),
    Each("the first has not", [NUTS], ""),
    Each("one failed", [BOLTS, outcome("count", {"sku": "nut"}, "error")], "one_2 gave no result"),
    Each("one failed and another has not ended", [outcome("count", {"sku": "nut"}, "error")], "one_2 gave no result"),
    Each("both failed", [outcome("count", {"sku": sku}, "timeout") for sku in ("nut", "bolt")], "one_1 gave no result"),
]


@pytest.mark.parametrize("case", EACH, ids=lambda case: case.id)
def test_a_reference_to_a_call_for_each_leads_to_all_their_results(case: Each) -> None:
    ledger = ledger_of([LIST, FOR_EACH, *ELEMENTS], [LISTED, *case.outcomes])
    if isinstance(case.found, list):
        assert resolve(ref("one"), ledger) == case.found
        assert resolve(ref("one", "[-1]"), ledger) == case.found[-1]
        return
    with pytest.raises(BrokenReference if case.found else UnfinishedReference, match=case.found or "one"):
        resolve(ref("one"), ledger)


def skipped(call: PlannedCall, plan: int = 1) -> ToolOutcome:
    made = outcome(call["tool"], call["args"], "skipped", runs=0, plan=plan)
    error: ToolError = {"code": "over_budget", "message": "too many of them", "retryable": False}
    return {**made, "error": error, "signature": raw_signature(call)}


def uncounted(path: str = "skus", plan: int = 1) -> PlannedCall:
    return {**planned("one", "count", plan=plan, sku=ref("each")), "each": ref("list", path)}


def test_a_call_for_each_waits_until_its_elements_are_counted() -> None:
    call = uncounted()
    found = resolver(ledger_of([LIST, call], [LISTED])).args_of(call)

    assert isinstance(found.error, UnfinishedReference)
    assert (found.args, found.signature) == (call["args"], raw_signature(call))
    assert raw_signature(call) != raw_signature(uncounted("others"))


def test_a_call_for_each_of_what_is_no_list_is_broken() -> None:
    call = uncounted("name")
    error = resolver(ledger_of([LIST, call], [LISTED])).args_of(call).error

    assert isinstance(error, BrokenReference)
    assert error.path_leads_nowhere
    assert str(error) == "reference list.name: `each` needs a list, and this is not one"


def test_a_call_for_each_of_what_is_no_reference_is_broken() -> None:
    call: PlannedCall = {**planned("one", "count", sku=ref("each")), "each": {"list": ["bolt"]}}

    assert isinstance(resolver(ledger_of([call])).args_of(call).error, BrokenReference)


@pytest.mark.parametrize(("plan", "waits"), [(1, False), (2, True)])
def test_a_call_for_each_that_was_too_many_waits_again_in_a_later_plan_alone(plan: int, waits: bool) -> None:
    call = uncounted(plan=plan)
    error = resolver(ledger_of([LIST, call], [LISTED, skipped(call)])).args_of(call).error

    assert isinstance(error, UnfinishedReference) is waits
    assert waits or str(error) == "reference list.skus: too many of them"
    assert not getattr(error, "path_leads_nowhere", False)


def test_a_broken_reference_says_where_it_leads() -> None:
    with pytest.raises(BrokenReference) as broken:
        resolve(ref("dates", "x.y"), LEDGER)
    assert str(broken.value) == "reference dates.x.y: the result has no such value"
    with pytest.raises(BrokenReference, match=r"^reference ghost\.x: no such call$"):
        resolve(ref("ghost", "x"), LEDGER)
    behind = [planned("a", "count", sku=ref("ghost")), planned("b", "count", sku=ref("a"))]
    with pytest.raises(BrokenReference, match=r"^reference a\.: that call was skipped$"):
        resolve(ref("a"), ledger_of(behind))


def test_calls_that_wait_for_each_other_never_end() -> None:
    ring = [
        planned("a", "count", sku=ref("b")),
        planned("b", "count", sku=ref("c")),
        planned("c", "count", sku=ref("a")),
    ]
    for first in "abc":
        with pytest.raises(UnfinishedReference):
            resolve(ref(first), ledger_of(ring))
    assert results(ledger_of([planned("a", "count", sku=ref("a"))])) == {}


def test_a_write_that_waits_for_one_behind_what_it_stands_before_never_runs() -> None:
    """`read` is overtaken by `write`, if that ran: which waits for `behind`, which waits for `read`."""
    calls = [planned("first", "count", n=ref("read", "n")), planned("write", "move", "write", n=ref("behind", "n")),
             planned("read", "search"), planned("behind", "weigh", n=ref("read", "n"))]  # fmt: skip
    ends = [outcome("search", {}, data={"n": 1}), outcome("count", {"n": 1}), outcome("weigh", {"n": 1}, data={"n": 2})]

    assert list(results(ledger_of(calls, ends))) == ["first", "read", "behind"]


def test_an_edit_of_an_edit_that_refers_to_who_waits_for_it_never_ends() -> None:
    again = planned("dates_edited_1_edited_1", "search", instead_of="dates_edited_1", kind=ref("later", "n"))
    edit = planned("dates_edited_1", "search", instead_of="dates", kind="c")
    ledger = ledger_of([SOURCE, edit, planned("later", "count", n=ref("dates", "total")), again])

    assert isinstance(resolver(ledger).args_of(again).error, UnfinishedReference)


@pytest.mark.parametrize("first", ["dates", "later", "dates_edited_1"])
def test_what_a_reference_leads_to_does_not_depend_on_what_was_asked_for_before(first: str) -> None:
    """The edit in the place of a call refers to one that refers to it."""
    later = planned("later", "count", n=ref("dates", "total"))
    edit = planned("dates_edited_1", "search", instead_of="dates", kind=ref("later", "n"))
    ends = [outcome("search", {"kind": "b"}, data=DATA), outcome("count", {"n": 12.5}, data={"n": 3}),
            outcome("search", {"kind": 3}, data="edited")]  # fmt: skip
    asked, fresh = (ledger_of([SOURCE, later, edit], [{**each} for each in ends]) for _ in range(2))
    outcome_of(first, asked)
    with suppress(UnfinishedReference):
        resolve(ref(first), fresh)

    for ledger in (asked, fresh):
        assert [name for name in ("dates", "later", "dates_edited_1") if outcome_of(name, ledger)] == ["dates", "later"]


def test_a_call_that_is_not_the_ledgers_own_is_looked_at_as_it_is() -> None:
    known = resolver(LEDGER)
    strange = planned("strange", "count", n=ref("dates", "total"))
    otherwise = planned("dates", "count", n=ref("dates", "flag"))

    assert known.args_of(strange).args == {"n": 12.5}
    assert known.args_of(otherwise) == ({"n": False}, signature("count", {"n": False}), None)
    assert known.args_of(SOURCE).args == {"kind": "b"}


def test_a_call_that_waits_has_no_outcome_though_it_was_skipped_before() -> None:
    waits = planned("waits", "count", n=ref("dates", "total"))
    before = {**outcome("count", {}, "skipped", runs=0), "signature": raw_signature(waits)}

    assert outcome_of("waits", ledger_of([SOURCE, waits], [before])) is None  # type: ignore[list-item]


@pytest.mark.parametrize(("length", "inline"), [(15_998, True), (15_999, False)])
def test_a_result_is_kept_apart_above_16000_bytes(length: int, inline: bool) -> None:
    """Its quotes count."""
    kept, artifacts = stored("x" * length)
    assert (kept == "x" * length, not artifacts) == (inline, inline)


def test_a_ledger_is_known_by_all_that_it_holds() -> None:
    kept = [outcome("search", {"kind": "b"}, data={"artifact": "k"})]
    plain = ledger_of([SOURCE], kept)
    renamed: Ledger = {**plain, "calls": {"other": SOURCE}}
    found = [resolve(ref("dates"), {**plain, "artifacts": artifacts}) for artifacts in ({"k": 1}, {"k": 2}, {})]

    assert found == [1, 2, {"artifact": "k"}]
    assert [list(results(ledger)) for ledger in (plain, renamed)] == [["dates"], ["other"]]
    assert resolver(plain) is resolver({**plain})
    assert resolver(plain) is not resolver(renamed)


def test_calls_that_cannot_be_worked_out_are_told_apart_by_their_arguments() -> None:
    made = [raw_signature(planned("a", "count", n=ref("dates", path))) for path in ("x", "y")]
    made += [raw_signature(uncounted(path)) for path in ("x", "y")]

    assert len(set(made)) == len(made)
    assert raw_signature({**uncounted("x"), "args": {"n": 1}}) != raw_signature({**uncounted("x"), "args": {"n": 2}})
    assert raw_signature(ELEMENTS[0]) == signature("count", {"sku": "bolt"})


def test_the_arguments_of_one_call_are_resolved_or_it_says_why_not() -> None:
    known, total = resolver(LEDGER), ref("dates", "total")

    assert known.args_of(planned("a", "count", n=total, m=ref("dates", "nothing"))).args == {"n": 12.5}
    assert isinstance(known.args_of(planned("a", "count", n=ref("dates", "nowhere"))).error, BrokenReference)
    unfinished = resolver(ledger_of([SOURCE])).args_of(planned("a", "count", n=total))
    assert isinstance(unfinished.error, UnfinishedReference)


# A write overtakes what was read before it


@dataclass(frozen=True)
class Overtaken:
    id: str
    last: PlannedCall
    found: ToolOutcome
    write: ToolOutcome
    runs: bool


READ_LAST, WRITE_LAST = planned("last", "count", sku="bolt"), planned("last", "pack", "write", sku="bolt")
MOVE = planned("move", "move", "write")
OVERTAKEN = [
    Overtaken("read before the write", READ_LAST, BOLTS, outcome("move", {}, wave=2), True),
    Overtaken("read after it", READ_LAST, {**BOLTS, "wave": 3}, outcome("move", {}, wave=2), False),
    Overtaken("read beside it", READ_LAST, {**BOLTS, "wave": 2}, outcome("move", {}, wave=2), False),
    Overtaken("the write was skipped", READ_LAST, BOLTS, outcome("move", {}, "skipped", wave=2, runs=0), False),
    Overtaken("the write failed", READ_LAST, BOLTS, outcome("move", {}, "error", wave=2), True),
    Overtaken("it ran for another plan", READ_LAST, BOLTS, outcome("move", {}, wave=2, plan=2), False),
    Overtaken("a read that failed for good", READ_LAST, outcome("count", {"sku": "bolt"}, "error"),
              outcome("move", {}, wave=2), False),
    Overtaken("a write is not done again", WRITE_LAST, outcome("pack", {"sku": "bolt"}, data=1), outcome("move", {}, wave=2),
              False),
]  # fmt: skip


@pytest.mark.parametrize("case", OVERTAKEN, ids=lambda case: case.id)
def test_what_was_read_before_a_write_is_read_anew_behind_it(case: Overtaken) -> None:
    ledger = ledger_of([MOVE, case.last], [case.found, case.write])

    assert resolver(ledger).may_run(case.last, case.found) is case.runs
    if case.runs:
        with pytest.raises(UnfinishedReference):
            resolve(ref("last"), ledger)


def test_a_call_that_ended_stands_for_itself_though_it_was_edited_later() -> None:
    edit = planned("dates_edited_1", "search", instead_of="dates", kind="c")
    ended = [*LEDGER["outcomes"].values(), outcome("search", {"kind": "c"}, data={"total": 1})]

    assert resolve(ref("dates", "total"), ledger_of([SOURCE, edit], ended)) == 12.5


# What is told of all calls


def test_the_tools_that_ran_are_told_wave_by_wave_each_call_once() -> None:
    calls = [planned("w", "weigh"), planned("c", "count"), planned("again", "count"), planned("m", "move", "write"),
             planned("s", "search"), planned("n", "count", n=1)]  # fmt: skip
    ended = [outcome("move", {}, wave=1), outcome("weigh", {}, wave=2), outcome("count", {}, wave=2),
             outcome("search", {}, "skipped", runs=0), outcome("count", {"n": 1}, "error", wave=3)]  # fmt: skip

    assert tools_ran(ledger_of(calls, ended)) == ["move", "count", "weigh", "count"]


@dataclass(frozen=True)
class Newest:
    most: int
    kept: list[int]


NEWEST = [Newest(0, []), Newest(1, [0]), Newest(11, [0]), Newest(12, [2]), Newest(13, [0, 2]), Newest(212, [1, 2]),
          Newest(213, [0, 1, 2])]  # fmt: skip


@pytest.mark.parametrize("case", NEWEST, ids=lambda case: str(case.most))
def test_the_newest_results_are_kept_while_there_is_room(case: Newest) -> None:
    """Of 1, 200 and 12 bytes: one that is too large leaves the room to those before it."""
    ended = [outcome("count", {"n": n}, data=data) for n, data in enumerate([7, "y" * 198, "x" * 10])]
    kept = newest_results(ledger_of([SOURCE], ended), case.most)

    assert list(kept["outcomes"].values()) == [ended[n] for n in case.kept]
    assert kept["calls"] == {"dates": SOURCE}


def test_what_is_kept_apart_goes_with_its_result() -> None:
    data = ["x" * INLINE_BYTES]
    kept, artifacts = stored(data)
    ledger = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data=kept)])
    ledger = {**ledger, "artifacts": {**artifacts, "other": 1}}

    assert newest_results(ledger, 2 * INLINE_BYTES)["artifacts"] == artifacts
    without = newest_results(ledger, INLINE_BYTES)
    assert (without["calls"], without["outcomes"], without["artifacts"]) == (ledger["calls"], {}, {})


def test_the_bounded_view_cuts_what_it_has_no_room_for() -> None:
    """Of 7, 6 and 4 bytes, from the newest back; half a character is left out."""
    calls = [planned(f"c{n}", "count", n=n) for n in range(3)]
    ends = [outcome("count", {"n": n}, data=data) for n, data in enumerate(["abcde", "éé", "ok"])]
    rows = bounded_view(ledger_of(calls, ends), 6)

    assert rows == [
        {"id": "c0", "tool": "count", "args": {"n": 0}, "status": "ok", "data_cut": "", "data_bytes": 7},
        {"id": "c1", "tool": "count", "args": {"n": 1}, "status": "ok", "data_cut": '"', "data_bytes": 6},
        {"id": "c2", "tool": "count", "args": {"n": 2}, "status": "ok", "data": "ok"},
    ]
    assert [row.get("data") for row in bounded_view(ledger_of(calls, ends), 17)] == ["abcde", "éé", "ok"]
    assert bounded_view(ledger_of(calls, ends), 16)[0]["data_cut"] == '"abcde'
