"""plan: what a new message, a planner and its failures write."""

from dataclasses import replace
from typing import Any

import pytest
from alone import Alone, alone
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt
from scripted import ledger_of, outcome, planned
from states import asked_about, state_of, used
from till import Till, till_asking

from wavegraph import Domain, Limits, SettingsError, build_graph
from wavegraph.graph.domain_tool import write
from wavegraph.nodes.plan import plan
from wavegraph.testing import ScriptedPlanner, call, planning

FIRST = HumanMessage("pay tea for Dana", id="m1")
REQUEST = {"id": "m1", "number": 1, "text": "pay tea for Dana", "language": "en"}
LOOK = planned("look", "look", item="tea")
LOOKED = outcome("look", {"item": "tea"}, data={"item": "tea", "price": 4})
FINDS = planning(call("look", "look", item="tea"))


def state(calls: Any = (), outcomes: Any = (), **changes: Any) -> Any:
    """In the middle of a request."""
    return state_of(calls, outcomes, **{
        "messages": [FIRST], "request": REQUEST, "planning_calls": 1, "adaptations": 0, "model_down": False,
        "usage": used(2, 10, 20), "previous": None, "replaced": [], "settings": {},
        **changes,
    })  # fmt: skip


async def planned_by(planner: Any, given: Any, domain: Domain | None = None, **context: Any) -> Alone:
    agent = build_graph(domain or Till().domain(), planner=planner).agent
    return await alone(plan, given, agent, context=context)


async def test_an_answer_check_that_cannot_be_had_is_refused_before_anything_is_done() -> None:
    script = ScriptedPlanner()

    with pytest.raises(SettingsError, match="needs a model"):
        await planned_by(script, {"messages": [FIRST], "remaining_steps": 50}, answer_check="on")


# What waits for a person.


def of(*parts: str) -> Any:
    return planned("-".join(parts), parts[0], "write", item=parts[1], who="Dana")


def asks(call: Any, **changes: Any) -> Any:
    terms = {"details": {"item": call["args"]["item"], "price": 4}, "valid_until": None}
    return asked_about(call, **{"terms": terms, **changes})


TEA, CAKE = of("pay", "tea"), of("pay", "cake")
WAITS = state([TEA], approvals=asks(TEA), settings={"language": "he"})
HASH = next(iter(asks(TEA).values()))["terms_hash"]


def aside(*calls: Any, **changes: Any) -> dict[str, Any]:
    """Of a request that waits, what is set aside."""
    waits = state(calls, approvals=asks(calls[0]), settings={"language": "he"})
    kept = ("request", "plan", "ledger", "approvals", "settings", "times", "waves")
    return {**{name: waits[name] for name in kept}, **changes}


def behind(text: str = "", **changes: Any) -> Any:
    """Behind another request, which is over; with a new message."""
    new = [HumanMessage(text, id="m2")] if text else []
    return state(
        messages=[FIRST, AIMessage("so it is"), *new], **{"outcome": "answered", "set_aside": [aside(TEA)], **changes}
    )


ASKED = AIMessage("tea?", id=f"asked-1-{HASH[:12]}")


def shown(words: str, *between: Any, **changes: Any) -> Any:
    """The question that waits behind another request, and a reply to it."""
    said = [FIRST, AIMessage("so it is"), ASKED, *between, HumanMessage(words, id="m2")]
    return {**behind(**changes), "messages": said}


@pytest.mark.parametrize(
    ("given", "text", "terms_hash"),
    [
        ({**WAITS, "messages": [FIRST, ASKED, HumanMessage("yes", id="m2")]}, "yes", HASH),
        (shown("yes"), "yes", HASH),
        (shown("yes", approvals=asks(CAKE, decision="reject")), "yes", HASH),
        (shown("no"), "no", HASH),
        (behind("no"), "no", None),
        (behind(f"yes {HASH[:6]}"), f"yes {HASH[:6]}", HASH),
    ],
)
async def test_a_yes_or_no_takes_up_what_waits(given: Any, text: str, terms_hash: Any) -> None:
    update = (await planned_by(ScriptedPlanner(), given)).update

    named = {"terms_hash": terms_hash} if terms_hash else {}
    decision = "reject" if text == "no" else "approve"
    assert update["reply"] == {"answer": {"decision": decision, "words": text, **named}, "message_id": "m2"}
    (message,) = update["messages"]
    assert (message.id, message.text, message.additional_kwargs) == ("m2", text, {"wavegraph_reply": True})
    assert ("plan" in update) is bool(given.get("set_aside"))
    assert update.get("set_aside", []) == []


async def test_a_yes_under_an_id_that_means_something_here_is_kept_without_one() -> None:
    given = {**WAITS, "messages": [FIRST, ASKED, HumanMessage("yes", id="asked-1")]}

    update = (await planned_by(ScriptedPlanner(), given)).update

    assert update["reply"]["message_id"] == ""


@pytest.mark.parametrize(("own", "kept"), [({}, {"language": "he"}), ({"language": "en"}, {"language": "en"})])
async def test_a_request_beside_one_that_waits_goes_on_with_its_settings(own: Any, kept: Any) -> None:
    script = ScriptedPlanner(FINDS)

    update = (await planned_by(script, behind("hello"), **own)).update

    assert (update["settings"], script.views[0].settings.language) == (kept, kept["language"])
    assert update["set_aside"] == [aside(TEA)]


def refunding(till: Till) -> Domain:
    """Payments and refunds, each with a question of its own."""

    @tool
    def refund(item: str, who: str) -> str:
        """Give the money back."""
        return "refunded"

    domain = till.domain()
    approval = next(each.approval for each in domain.registry.values() if each.approval)
    return replace(domain, tools=[*domain.tools, write(refund, approval=approval)])


PAYS_CAKE = planning(call("pay-cake", "pay", item="cake", who="Dana"))
BROKEN = planning(call("x", "no_such"))
PAYS_TEA = planning(call("pay-tea", "pay", item="tea", who="Dana"))
BOTH = [aside(of("refund", "tea")), aside(TEA)]
DECIDED = aside(TEA, approvals=asks(TEA, decision="approve"))
REPLACED = {"terms_hash": HASH, "by_asker": True}


def new(**changes: Any) -> Any:
    return behind("tea cake Dana", **changes)


@pytest.mark.parametrize(
    ("made", "set_aside", "left", "replaced", "log"),
    [
        (PAYS_CAKE, [aside(TEA)], [], [REPLACED], ["release:tea"]),
        (PAYS_TEA, [aside(TEA)], [], [REPLACED], []),
        (FINDS, BOTH, BOTH, [], []),
        (PAYS_CAKE, BOTH, BOTH[:1], [REPLACED], ["release:tea"]),
        (PAYS_CAKE, [DECIDED], [DECIDED], [], []),
    ],
    ids=["another", "the same", "a read", "of another tool too", "of one that is decided"],
)
async def test_a_write_takes_the_place_of_one_of_its_tool_that_waits(
    made: Any, set_aside: Any, left: Any, replaced: Any, log: Any
) -> None:
    till = Till(fixed=False)

    update = (await planned_by(ScriptedPlanner(made), new(set_aside=set_aside), refunding(till))).update

    assert (update["set_aside"], update["replaced"], till.ran()) == (left, replaced, log)


async def test_a_plan_that_must_be_made_again_takes_nobodys_place() -> None:
    till = Till()

    update = (await planned_by(ScriptedPlanner(BROKEN), new(), till.domain())).update

    assert update["feedback"]["source"] == "plan"
    assert (update["set_aside"], update["replaced"], till.ran()) == ([aside(TEA)], [], [])


async def test_a_yes_to_somebody_elses_question_is_told_so() -> None:
    domain = till_asking(by_asker=lambda settings: False)

    found = (await planned_by(ScriptedPlanner(), behind("yes"), domain)).update

    reply = "מישהו אחר צריך לאשר את זה קודם. עד אז לא יבוצע דבר; אפשר לכתוב “לא” כדי לבטל את הבקשה."
    assert found["plan"] == {
        "number": 1, "status": "done", "action": "clarify", "reasoning": "", "slots": {}, "tools": [], "reply": reply,
        "planner": "rules", "adapts": False,
    }  # fmt: skip
    assert (found["planning_calls"], found["feedback"]) == (1, None)
    assert (await planned_by(ScriptedPlanner(FINDS), behind("hello"), domain)).update["plan"]["tools"] == [LOOK]


# Planners that fail.


def issue(kind: str = "odd", **more: Any) -> dict[str, Any]:
    return {"type": kind, "tool_id": "look", "message": kind, "severity": "warning", "rule": kind, **more}


def told(source: str, *issues: Any) -> dict[str, Any]:
    return {"source": source, "issues": list(issues)}


ODD = issue()
MENDS = told("results", ODD)
STARTED = {"event": "adaptation_started", "turn": 1, "reason": "odd"}
NOTHING = {"event": "adaptation_complete", "turn": 1, "tools_executed": 0, "success": False}


SECOND = told("plan", issue("broken_plan"))


PAID = outcome("pay", {"item": "tea", "who": "Dana"}, data={"number": 1})


async def test_planning_that_fails_behind_a_write_ends_with_what_is_known() -> None:
    update = (await planned_by(ScriptedPlanner(KeyError("secret")), state([TEA], [PAID], issues=[ODD]))).update

    assert [each["rule"] for each in update["issues"]] == ["odd", "planning_failed"]
    assert (update["plan"]["tools"], update["planning_calls"]) == ([], 2)


async def test_planning_that_fails_before_any_write_fails_the_run() -> None:
    with pytest.raises(KeyError):
        await planned_by(ScriptedPlanner(KeyError("secret")), state([LOOK], [LOOKED]))


async def test_an_interrupt_of_the_planners_own_passes_behind_a_write_too() -> None:
    found = await planned_by(ScriptedPlanner(GraphInterrupt((Interrupt("which Dana?"),))), state([TEA], [PAID]))

    assert (found.update, found.asked) == (None, ["which Dana?"])


# What is planned.


@pytest.mark.parametrize(
    ("made", "changes", "limits_hit", "names"),
    [
        (FINDS, {}, [], ["plan_created", "wave_started"]),
        (planning(), {}, [], ["plan_created"]),
        (FINDS, {"feedback": MENDS}, [], ["adaptation_started", "plan_created", "wave_started"]),
        (planning(), {"feedback": MENDS}, [], ["adaptation_started", "plan_created", "adaptation_complete"]),
        (FINDS, {"remaining_steps": 4, "feedback": MENDS}, ["recursion_limit"],
         ["adaptation_started", "plan_created", "adaptation_complete", "limit_reached"]),
        (FINDS, {"remaining_steps": 4}, ["recursion_limit"], ["plan_created", "limit_reached"]),
        (planning(), {"remaining_steps": 4}, [], ["plan_created"]),
        (FINDS, {"feedback": told("answer", issue("unsatisfied"))}, [], ["plan_created", "wave_started"]),
    ],
)  # fmt: skip
async def test_a_plan_is_told_with_what_becomes_of_it(made: Any, changes: Any, limits_hit: Any, names: Any) -> None:
    found = await planned_by(ScriptedPlanner(made), state(**changes))

    mends = changes.get("feedback") == MENDS
    assert [event["event"] for event in found.events] == names
    assert (found.update["limits_hit"], found.update["adaptations"]) == (limits_hit, 1 if mends else 0)
    assert found.update["plan"]["adapts"] is mends
    assert all(event == STARTED for event in found.events if event["event"] == "adaptation_started")
    assert all(event == NOTHING for event in found.events if event["event"] == "adaptation_complete")


FAILED = outcome("look", {"item": "tea"}, "timeout", retryable=True, runs=2)
CAKE_READ = call("cake", "look", item="cake")


async def test_limits_that_are_spent_at_once_are_all_told() -> None:
    given = state([LOOK], [FAILED], limits=Limits(max_runs=2, max_waves=1), waves=1, feedback=SECOND)

    found = await planned_by(ScriptedPlanner(planning(call("look_2", "look", item="tea"), CAKE_READ)), given)

    assert found.update["limits_hit"] == ["max_waves", "max_runs"]


PAY = planning(call("pay", "pay", item="tea", who="Dana"))


@pytest.mark.parametrize(
    ("changes", "traced"),
    [
        ({}, False),
        ({"ledger": ledger_of([LOOK], [LOOKED])}, True),
        ({"previous": {"ledger": ledger_of([LOOK], [LOOKED])}}, True),
        ({"ledger": ledger_of([planned("w", "pay", "write", item="tea", who="Dana")])}, True),
        ({"ledger": ledger_of([LOOK])}, False),
        ({"messages": [FIRST, AIMessage("tea")]}, False),
    ],
    ids=["said only", "found", "found before", "written", "asked for only", "the agent's own words"],
)
async def test_an_argument_must_come_from_what_was_found(changes: Any, traced: bool) -> None:
    update = (await planned_by(ScriptedPlanner(PAY), state(**changes))).update

    assert (update["feedback"] is None) is traced


async def test_a_persons_argument_comes_from_no_words_of_the_agent() -> None:
    given = state(messages=[FIRST, AIMessage("for Eve?")], ledger=ledger_of([LOOK], [LOOKED]))

    update = (await planned_by(ScriptedPlanner(planning(call("pay", "pay", item="tea", who="Eve"))), given)).update

    assert [each["rule"] for each in update["feedback"]["issues"]] == ["untraced_argument"]
