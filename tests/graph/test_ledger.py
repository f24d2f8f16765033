"""References, signatures, reuse, artifacts and the bounded view."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import ledger_of, outcome, planned
from tables import table

from wavegraph.graph.ledger import (
    INLINE_BYTES,
    BrokenReference,
    UnfinishedReference,
    bounded_view,
    is_out_of_runs,
    newest_results,
    outcome_of,
    raw_signature,
    resolver,
    results,
    signature,
    stored,
)
from wavegraph.graph.references.paths import as_reference
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


@table("case", PATHS)
def test_a_reference_keeps_its_value_and_type(case: Path) -> None:
    found = resolve(ref("dates", case.path), LEDGER)

    assert found == case.value
    assert type(found) is type(case.value)


@table(
    "path",
    ["nowhere", "stays[7]", "stays[-3].nights", "total.x", "stays.nights", "total[0]", "stays.--1", "stays.²",
     "stays[" + "9" * 5000 + "]", "$.total"],
)  # fmt: skip
def test_a_path_to_nothing_is_a_broken_reference(path: str) -> None:
    with pytest.raises(BrokenReference) as broken:
        resolve(ref("dates", path), LEDGER)

    assert broken.value.path_leads_nowhere


@table(
    "value",
    [
        {"ref": "dates"},
        {"ref": {"path": "x"}},
        {"ref": {"call": "dates"}, "more": 1},
        ["ref"],
        "ref",
        {"ref": {"call": 3}},
    ],
)
def test_what_is_not_a_reference_stays_as_it_is(value: Any) -> None:
    assert as_reference(value) is None
    assert resolve(value, LEDGER) == value


def test_a_result_that_looks_like_a_reference_is_data() -> None:
    trap = ref("dates", "total")
    ledger = ledger_of([SOURCE], [outcome("search", {"kind": "b"}, data={"note": trap})])

    assert resolve(ref("dates", "note"), ledger) == trap


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


# Counting and the view for planners


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


@table("effect", ["read", "write"])
@table("case", AGAIN)
def test_what_runs_again_when_it_is_planned_again(case: Again, effect: str) -> None:
    call = planned("again", "count", effect, plan=case.plan, sku="bolt")
    call = call if case.most is None else {**call, "max_runs": case.most}
    found: Any = {**outcome("count", {"sku": "bolt"}), **case.found}

    assert resolver(ledger_of([call], [found])).may_run(call, found) is case.runs
    assert is_out_of_runs(call, found) is case.out_of_runs


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


@table("case", EACH)
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


def test_a_call_for_each_of_what_is_no_list_is_broken() -> None:
    call = uncounted("name")
    error = resolver(ledger_of([LIST, call], [LISTED])).args_of(call).error

    assert isinstance(error, BrokenReference)
    assert error.path_leads_nowhere
    assert str(error) == "reference list.name: `each` needs a list, and this is not one"


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


# A write overtakes what was read before it


@dataclass(frozen=True)
class Overtaken:
    id: str
    last: PlannedCall
    found: ToolOutcome
    write: ToolOutcome
    runs: bool
    planned_write: PlannedCall = field(default_factory=lambda: planned("move", "move", "write"))


READ_LAST, WRITE_LAST = planned("last", "count", sku="bolt"), planned("last", "pack", "write", sku="bolt")
ASKED_MOVE: PlannedCall = {**planned("move", "move", "write"), "asks": True}
OVERTAKEN = [
    Overtaken("read before the write", READ_LAST, BOLTS, outcome("move", {}, wave=2), True),
    Overtaken("read after it", READ_LAST, {**BOLTS, "wave": 3}, outcome("move", {}, wave=2), False),
    Overtaken("read beside it", READ_LAST, {**BOLTS, "wave": 2}, outcome("move", {}, wave=2), False),
    Overtaken("the write was skipped", READ_LAST, BOLTS, outcome("move", {}, "skipped", wave=2, runs=0), False),
    Overtaken("the write failed", READ_LAST, BOLTS, outcome("move", {}, "error", wave=2), True),
    Overtaken("it ran for another plan", READ_LAST, BOLTS, outcome("move", {}, wave=2, plan=2), False),
    Overtaken("a read that failed for good", READ_LAST, outcome("count", {"sku": "bolt"}, "error"),
              outcome("move", {}, wave=2), False),
    Overtaken("a person was asked about the write", READ_LAST, BOLTS, outcome("move", {}, wave=2), False, ASKED_MOVE),
    Overtaken("in an earlier plan", {**READ_LAST, "plan": 2}, BOLTS, outcome("move", {}, wave=2), True, ASKED_MOVE),
    Overtaken("a write is not done again", WRITE_LAST, outcome("pack", {"sku": "bolt"}, data=1), outcome("move", {}, wave=2),
              False),
]  # fmt: skip


@table("case", OVERTAKEN)
def test_what_was_read_before_a_write_is_read_anew_behind_it(case: Overtaken) -> None:
    ledger = ledger_of([case.planned_write, case.last], [case.found, case.write])

    assert resolver(ledger).may_run(case.last, case.found) is case.runs
    if case.runs:
        with pytest.raises(UnfinishedReference):
            resolve(ref("last"), ledger)


# What is told of all calls


@dataclass(frozen=True)
class Newest:
    most: int
    kept: list[int]


NEWEST = [Newest(0, []), Newest(1, [0]), Newest(11, [0]), Newest(12, [2]), Newest(13, [0, 2]), Newest(212, [1, 2]),
          Newest(213, [0, 1, 2])]  # fmt: skip


@table("case", NEWEST)
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
