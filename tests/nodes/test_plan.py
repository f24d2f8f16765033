"""plan: what a new message, a planner and its failures write."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from alone import Alone, alone
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt, Overwrite
from scripted import ledger_of, outcome, planned
from states import asked_about, state_of, used
from till import Till, till_asking
from warehouse import Warehouse

from wavegraph import Domain, Limits, Script, SettingsError, build_graph
from wavegraph.graph.domain_tool import write
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.state import empty_ledger
from wavegraph.nodes.plan import plan
from wavegraph.testing import ScriptedPlanner, call, planning, ref

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


class Model(ScriptedPlanner, LlmPlanner):
    """A model that plays its replies: the rules take over where it fails."""


async def planned_by(planner: Any, given: Any, domain: Domain | None = None, **context: Any) -> Alone:
    agent = build_graph(domain or Till().domain(), planner=planner).agent
    return await alone(plan, given, agent, context=context)


MADE = {"number": 1, "status": "done", "action": "look_up", "reasoning": "as scripted", "slots": {}, "tools": [LOOK],
        "reply": None, "planner": "script", "adapts": False}  # fmt: skip


async def test_a_new_request_is_opened_and_planned() -> None:
    found = await planned_by(ScriptedPlanner(FINDS), {"messages": [FIRST], "remaining_steps": 50}, language="en")

    update = found.update
    assert update["plan"] == MADE
    assert update["ledger"] == Overwrite({**empty_ledger(), "calls": {"look": LOOK}})
    assert (update["approvals"], update["times"]) == (Overwrite({}), Overwrite({}))
    assert (update["request"], update["settings"]) == (REQUEST, {"language": "en"})
    assert (update["planning_calls"], update["feedback"], update["limits_hit"]) == (1, None, [])
    shown = {name: MADE[name] for name in ("number", "action", "reasoning", "status", "planner")}
    tools = [{"id": "look", "tool": "look", "args": {"item": "tea"}}]
    assert found.events == [
        {"event": "plan_created", **shown, "tools": tools},
        {"event": "wave_started", "wave": 1, "calls": ["look"]},
    ]


async def test_a_request_goes_on_with_its_settings_and_what_it_did() -> None:
    again = planning(call("pay", "look", item="cake"))
    script = ScriptedPlanner(again)
    given = state([LOOK], [LOOKED], settings={"language": "he"}, waves=1)

    update = (await planned_by(script, given)).update

    cake = planned("pay", "look", item="cake", plan=2)
    assert update == {
        "plan": {**MADE, "number": 2, "tools": [cake]},
        "ledger": {**empty_ledger(), "calls": {"look": LOOK, "pay": cake}},
        "planning_calls": 2,
        "feedback": None,
        "limits_hit": [],
        "adaptations": 0,
    }
    assert script.views[0].settings.language == "he"


async def test_the_domain_prepares_itself_before_the_planner_is_asked() -> None:
    log: list[str] = []

    async def opens() -> None:
        log.append("opened")

    def plans(view: Any) -> Any:
        log.append("planned")
        return FINDS

    await planned_by(ScriptedPlanner(plans), state(), Till().domain(open=opens))

    assert log == ["opened", "planned"]


async def test_what_a_planner_spent_is_added_up() -> None:
    def costly(view: Any) -> Any:
        view.meter.usage = used(1, 100, 200)
        return FINDS

    update = (await planned_by(ScriptedPlanner(costly), state())).update

    assert update["usage"] == used(3, 110, 220)


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


async def test_an_input_without_a_message_takes_no_question_away() -> None:
    found = await planned_by(ScriptedPlanner(), WAITS)

    assert (found.update, found.events) == ({"reply": None}, [])


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


ASKS = planning(reply="Which tea?", action="clarify")


@pytest.mark.parametrize(
    "given", [behind("yes"), shown("yes", AIMessage("Which tea?", id="m3")), shown("thanks"), shown("great!")]
)
async def test_words_that_a_planner_makes_nothing_of_have_the_question_put_again(given: Any) -> None:
    update = (await planned_by(ScriptedPlanner(ASKS), given)).update

    words = given["messages"][-1].text
    assert update["reply"] == {"refused": ""}
    assert (update["set_aside"], [message.text for message in update["messages"]]) == ([], [words])


@pytest.mark.parametrize("given", [behind("and the price?"), behind("yes", set_aside=[])])
async def test_other_words_are_asked_back_about(given: Any) -> None:
    update = (await planned_by(ScriptedPlanner(ASKS), given)).update

    assert update["plan"]["reply"] == "Which tea?"
    assert update.get("reply") is None


async def test_a_yes_to_what_the_last_answer_asked_is_planned() -> None:
    update = (await planned_by(ScriptedPlanner(FINDS), shown("yes", AIMessage("Shall I look?", id="m3")))).update

    assert [call["tool"] for call in update["plan"]["tools"]] == ["look"]
    assert update["set_aside"] == [aside(TEA)]


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


async def test_a_request_that_follows_another_takes_none_of_its_settings() -> None:
    script = ScriptedPlanner(FINDS)

    update = (await planned_by(script, behind("hello", set_aside=[], settings={"language": "he"}))).update

    assert (update["settings"], script.views[0].settings.language) == ({}, "auto")


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


@pytest.mark.parametrize("calls", [[], [LOOK]])
async def test_a_plan_that_must_be_made_again_lets_go_of_nothing(calls: Any) -> None:
    till = Till()
    given = state(calls, previous={"ledger": empty_ledger(), "approvals": asks(TEA)})

    assert (await planned_by(ScriptedPlanner(BROKEN), given, till.domain())).update["feedback"]["source"] == "plan"
    assert till.ran() == []


async def test_a_plan_that_must_be_made_again_takes_nobodys_place() -> None:
    till = Till()

    update = (await planned_by(ScriptedPlanner(BROKEN), new(), till.domain())).update

    assert update["feedback"]["source"] == "plan"
    assert (update["set_aside"], update["replaced"], till.ran()) == ([aside(TEA)], [], [])


async def test_what_a_request_replaced_before_stays_known() -> None:
    before = {"terms_hash": "older", "by_asker": False}
    given = state(replaced=[before], set_aside=[aside(TEA)])

    update = (await planned_by(ScriptedPlanner(PAYS_CAKE), {**given, "messages": [HumanMessage("pay tea for Dana, cake", id="m1")],
                               "request": {**REQUEST, "text": "pay tea for Dana, cake"}}, Till(fixed=False).domain())).update  # fmt: skip

    assert update["replaced"] == [before, REPLACED]


@pytest.mark.parametrize(
    ("made", "log"), [(FINDS, ["release:tea"]), (PAYS_TEA, [])], ids=["let go", "planned as it was"]
)
async def test_what_a_limit_left_open_is_let_go(made: Any, log: Any) -> None:
    till = Till(fixed=False)
    given = state([TEA], approvals=asks(TEA), limits_hit=["request_timeout_s"], outcome="partial",
                  messages=[FIRST, AIMessage("no time"), HumanMessage("tea Dana", id="m2")])  # fmt: skip

    await planned_by(ScriptedPlanner(made), given, till.domain())

    assert till.ran() == log


@pytest.mark.parametrize(
    "given",
    [
        state(approvals=asks(TEA)),
        state([TEA], [outcome("pay", {"item": "tea", "who": "Dana"}, data={"number": 1})]),
        state(set_aside=[aside(TEA)]),
    ],
    ids=["asked about again", "done", "waits on"],
)
async def test_what_this_request_goes_on_with_is_not_let_go(given: Any) -> None:
    till = Till()
    before = {"ledger": empty_ledger(), "approvals": asks(TEA)}

    await planned_by(ScriptedPlanner(FINDS), {**given, "previous": before}, till.domain())

    assert till.ran() == []


@pytest.mark.parametrize("tool", ["look", "gone"])
async def test_what_was_asked_about_before_the_tool_changed_is_left_alone(tool: str) -> None:
    till = Till()
    before = {"ledger": empty_ledger(), "approvals": asks(planned("old", tool, "write", item="jam"))}

    update = (await planned_by(ScriptedPlanner(FINDS), state(previous=before), till.domain())).update

    assert (update["plan"]["tools"], till.ran()) == ([{**LOOK, "plan": 2}], [])


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


async def test_a_yes_behind_other_words_is_a_request() -> None:
    words = [HumanMessage("hello", id="m2"), HumanMessage("yes", id="m3")]
    given = {**behind(), "messages": [FIRST, AIMessage("so it is"), *words]}

    assert (await planned_by(ScriptedPlanner(FINDS), given)).update["plan"]["tools"] == [LOOK]


async def test_a_message_that_cannot_be_read_is_answered_at_once() -> None:
    update = (await planned_by(ScriptedPlanner(), {"messages": [], "remaining_steps": 50})).update

    assert (update["plan"]["action"], update["plan"]["reply"]) == (
        "clarify",
        "I received no question. What can I do for you?",
    )


# Planners that fail.


def issue(kind: str = "odd", **more: Any) -> dict[str, Any]:
    return {"type": kind, "tool_id": "look", "message": kind, "severity": "warning", "rule": kind, **more}


def told(source: str, *issues: Any) -> dict[str, Any]:
    return {"source": source, "issues": list(issues)}


ODD = issue()
MENDS = told("results", ODD)
STARTED = {"event": "adaptation_started", "turn": 1, "reason": "odd"}
NOTHING = {"event": "adaptation_complete", "turn": 1, "tools_executed": 0, "success": False}


@pytest.mark.parametrize("before", [None, told("results", ODD)])
async def test_a_broken_plan_goes_back_to_its_planner(before: Any) -> None:
    found = await planned_by(ScriptedPlanner(BROKEN), state([LOOK], [LOOKED], feedback=before))

    assert set(found.update) == {"planning_calls", "feedback", "adaptations", "broken_plans"}
    assert [issue["rule"] for issue in found.update["broken_plans"]] == ["unknown_tool"]
    assert (found.update["planning_calls"], found.update["adaptations"]) == (2, 1 if before else 0)
    feedback = found.update["feedback"]
    assert [each["rule"] for each in feedback["issues"]] == (["odd"] if before else []) + ["unknown_tool"]
    assert feedback["source"] == "plan"
    assert found.events == ([STARTED] if before else [])


@pytest.mark.parametrize(("steps", "again"), [(4, True), (3, False)])
async def test_a_broken_plan_goes_back_while_the_answer_still_fits(steps: int, again: bool) -> None:
    found = await planned_by(ScriptedPlanner(BROKEN), state([LOOK], [LOOKED], remaining_steps=steps, issues=[ODD]))

    assert (found.update["feedback"] is not None) is again
    assert found.update.get("limits_hit") == (None if again else ["recursion_limit"])
    if not again:
        assert [each["rule"] for each in found.update["issues"]] == ["odd", "unknown_tool"]


SECOND = told("plan", issue("broken_plan"))
SECOND_OF_ISSUES = told("plan", ODD, issue("broken_plan"))


@pytest.mark.parametrize(
    ("feedback", "events"),
    [(SECOND, []), (told("plan", issue("unsatisfied"), issue("broken_plan")), []),
     (SECOND_OF_ISSUES, [{**NOTHING, "turn": 3}])],
)  # fmt: skip
async def test_a_planner_that_fails_twice_ends_with_what_is_known(feedback: Any, events: Any) -> None:
    given = state([LOOK], [LOOKED], feedback=feedback, issues=[ODD], adaptations=3)
    given["plan"] = {**given["plan"], "status": "continue", "reply": "soon", "action": "look_on"}

    found = await planned_by(ScriptedPlanner(BROKEN), given)

    assert found.update["plan"] == {**given["plan"], "number": 2, "status": "done", "tools": [], "reply": None}
    assert (found.update["planning_calls"], found.update["feedback"], found.update["adaptations"]) == (2, None, 3)
    assert [each["rule"] for each in found.update["issues"]] == ["odd", "unknown_tool"]
    assert found.update["limits_hit"] == []
    assert found.events == events


async def test_a_first_plan_that_fails_twice_says_that_nothing_was_done() -> None:
    update = (await planned_by(ScriptedPlanner(BROKEN), state(plan=None, feedback=SECOND))).update

    assert (update["plan"]["action"], update["plan"]["number"]) == ("give_up", 2)
    assert update["plan"]["reply"].startswith("I could not work out how to do that")


async def test_the_rules_take_over_from_a_model_that_fails_twice() -> None:
    update = (await planned_by(Model(BROKEN), state(plan=None, feedback=SECOND, planning_calls=2))).update

    assert (update["plan"]["planner"], [each["tool"] for each in update["plan"]["tools"]]) == ("rules", ["look", "pay"])
    assert (update["plan"]["number"], "model_down" in update) == (3, False)


@pytest.mark.parametrize("issues", [[], [ODD]])
async def test_the_rules_take_over_from_a_model_that_is_down(issues: Any) -> None:
    update = (await planned_by(Model(ModelUnavailable("down")), state(plan=None, issues=issues))).update

    assert (update["plan"]["planner"], update["model_down"]) == ("rules", True)


async def test_a_model_that_is_down_is_not_asked_again() -> None:
    update = (await planned_by(Model(), state(plan=None, model_down=True))).update

    assert update["plan"]["planner"] == "rules"


async def test_without_the_rules_a_model_that_is_down_is_told() -> None:
    update = (await planned_by(ScriptedPlanner(ModelUnavailable("down")), state(feedback=MENDS))).update

    assert (update["plan"]["action"], update["model_down"], update["feedback"]) == ("give_up", True, None)
    assert update["plan"]["reply"].startswith("I cannot reach the language model just now, so nothing was done.")


@pytest.mark.parametrize(
    ("given", "calls"),
    [(state([LOOK], [LOOKED], issues=[ODD]), ["look_2"]), (state(plan=None), ["look", "pay"])],
    ids=["issues to mend", "a first plan"],
)
async def test_who_takes_over_is_told_of_the_issues_and_not_of_the_broken_plan(given: Any, calls: Any) -> None:
    domain = Till().domain(script=Script(workarounds=lambda view: [call("look_2", "look", item="cake")]))

    update = (await planned_by(Model(BROKEN), {**given, "feedback": SECOND_OF_ISSUES}, domain)).update

    assert update["plan"]["planner"] == "rules"
    assert [each["id"] for each in update["plan"]["tools"]] == calls


@pytest.mark.parametrize(
    ("feedback", "issues", "proposed"),
    [(told("results", ODD), [ODD], True), (told("results", ODD), [], False), (None, [ODD], False)],
)
async def test_the_domains_own_way_is_proposed_where_there_is_something_to_mend(
    feedback: Any, issues: Any, proposed: bool
) -> None:
    way = call("look_2", "look", item="cake")
    script = ScriptedPlanner(FINDS)

    await planned_by(
        script, state(feedback=feedback, issues=issues), Till().domain(script=Script(workarounds=lambda view: [way]))
    )

    assert list(script.views[0].proposals) == ([way] if proposed else [])


async def test_a_planner_that_takes_all_the_time_ends_with_what_is_known() -> None:
    async def never(view: Any) -> Any:
        await asyncio.sleep(60)

    found = await planned_by(ScriptedPlanner(never), state([LOOK], limits=Limits(request_timeout_s=0.01)))

    assert (found.update["limits_hit"], found.update["plan"]["tools"]) == (["request_timeout_s"], [])
    limit = {"event": "limit_reached", "limit": "request_timeout_s", "done": 0, "left_undone": ["look"]}
    assert found.events == [limit]


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


async def test_what_was_found_already_lets_the_rest_start_at_once() -> None:
    more = call("look_3", "look", item={"text": "green {tea}", "with": {"tea": ref("look_2", "item")}})

    found = await planned_by(
        ScriptedPlanner(planning(call("look_2", "look", item="tea"), more)), state([LOOK], [LOOKED], waves=1)
    )

    assert found.events[-1] == {"event": "wave_started", "wave": 2, "calls": ["look_3"]}


async def test_a_call_that_a_person_is_asked_about_has_not_started_before_the_yes() -> None:
    found = await planned_by(
        ScriptedPlanner(planning(call("pay", "pay", item="tea", who="Dana"))), state([LOOK], [LOOKED], waves=1)
    )

    assert [event["event"] for event in found.events] == ["plan_created"]


FIND = planned("find", "search", kind="b")
FOUND = outcome("search", {"kind": "b"}, data={"kind": "b", "skus": ["bolt", "belt"]})


def of_each(tool_name: str, **args: Any) -> Any:
    return planning({**call("all", tool_name, sku=ref("each"), **args), "each": ref("find", "skus")})


async def test_of_calls_for_each_of_a_list_those_that_run_are_told() -> None:
    given = state([FIND], [FOUND], waves=1)

    found = await planned_by(ScriptedPlanner(of_each("count")), given, Warehouse().domain())

    assert [each["id"] for each in found.update["plan"]["tools"]] == ["all", "all_1", "all_2"]
    assert [each["id"] for each in found.events[0]["tools"]] == ["all_1", "all_2"]


@pytest.mark.parametrize(("max_waves", "fits"), [(3, True), (2, False)])
async def test_writes_for_each_of_a_list_need_a_wave_each(max_waves: int, fits: bool) -> None:
    given = state([FIND], [FOUND], waves=1, limits=Limits(max_waves=max_waves))

    update = (await planned_by(ScriptedPlanner(of_each("scrap")), given, Warehouse().domain())).update

    assert (update["feedback"] is None) is fits


FAILED = outcome("look", {"item": "tea"}, "timeout", retryable=True, runs=2)
CAKE_READ = call("cake", "look", item="cake")


@pytest.mark.parametrize(("max_runs", "limits_hit", "calls"), [(2, ["max_runs"], {}), (3, [], {"max_runs": 3})])
async def test_a_call_that_has_no_run_left_is_told_as_a_limit(max_runs: int, limits_hit: Any, calls: Any) -> None:
    given = state([LOOK], [FAILED], limits=Limits(max_runs=max_runs), waves=1)

    found = await planned_by(ScriptedPlanner(planning(call("look_2", "look", item="tea"), CAKE_READ)), given)

    assert found.update["limits_hit"] == limits_hit
    assert found.update["plan"]["tools"][0] == {**planned("look_2", "look", item="tea", plan=2), **calls}


async def test_limits_that_are_spent_at_once_are_all_told() -> None:
    given = state([LOOK], [FAILED], limits=Limits(max_runs=2, max_waves=1), waves=1, feedback=SECOND)

    found = await planned_by(ScriptedPlanner(planning(call("look_2", "look", item="tea"), CAKE_READ)), given)

    assert found.update["limits_hit"] == ["max_waves", "max_runs"]


MANY = planning(*(call(f"c{n}", "look", item=f"i{n}") for n in range(3)))


@pytest.mark.parametrize(
    ("planner", "feedback", "accepted"),
    [(ScriptedPlanner(MANY), None, False), (ScriptedPlanner(MANY), SECOND, True)],
    ids=["told once", "run as far as it goes"],
)
async def test_a_plan_over_the_budget_goes_back_once(planner: Any, feedback: Any, accepted: bool) -> None:
    update = (await planned_by(planner, state(feedback=feedback, limits=Limits(max_tool_calls=2)))).update

    assert (update["feedback"] is None) is accepted
    assert [each["id"] for each in update.get("plan", {}).get("tools", [])] == (["c0", "c1", "c2"] if accepted else [])


async def test_the_rules_are_run_as_far_as_the_budget_goes() -> None:
    update = (await planned_by(None, state(plan=None, limits=Limits(max_tool_calls=1)))).update

    assert len(update["plan"]["tools"]) == 2


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
