"""approve: what a person's answer writes, and which answers are asked about again."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from alone import Alone, alone
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel, Field
from scripted import outcome, planned
from skipping import skip
from states import asked_about, state_of
from till import Receipt, Till, till_asking

from wavegraph import Domain, Settings, build_graph
from wavegraph.graph import _langgraph
from wavegraph.graph.approval import Choice, hash_of
from wavegraph.graph.execution.write import let_go
from wavegraph.graph.ledger import signature
from wavegraph.graph.state import empty_ledger
from wavegraph.nodes.approve import approve
from wavegraph.testing import ref

LOOK = planned("look", "look", item="tea")
PAY = planned("pay", "pay", "write", item=ref("look", "item"), who="Dana")
LOOKED = outcome("look", {"item": "tea"}, data={"item": "tea", "price": 4})
ARGS = {"item": "tea", "who": "Dana"}
DETAILS = {"item": "tea", "price": 4}
HASH = "3f9a02b7c1d4e5f60718293a4b5c6d7e"
RESOLVED = planned("pay", "pay", "write", **ARGS)
EARLIER = asked_about(planned("before", "pay", "write", item="cake", who="Noa"), decision="reject")
OWN = asked_about(RESOLVED, terms={"details": DETAILS, "valid_until": None}, terms_hash=HASH)
SIGNATURE = signature("pay", ARGS)
ASKED: Any = OWN[SIGNATURE]
SHOWN = AIMessage("tea for 4 coins", id=f"asked-1-{HASH[:12]}")
STATE = state_of([LOOK, PAY], [LOOKED], approvals={**EARLIER, **OWN}, waves=2, messages=[SHOWN])


class Otherwise(BaseModel):
    price: int = Field(ge=1)


async def too_dear(args: Any, wanted: Otherwise, settings: Any) -> str | None:
    return f"{args['item']} is never {wanted.price}" if wanted.price > 9 else None


def asking(till: Till | None = None) -> Domain:
    """Payments that may also be made for Noa, or at another price."""
    choices = {"for noa": Choice("for Noa", {"who": "Noa"})}
    return till_asking(till, choices=choices, changes=Otherwise, check_changes=too_dear)


async def answered(state: Any, *replies: Any, domain: Domain | None = None) -> Alone:
    return await alone(approve, state, build_graph(domain or asking()).agent, *replies)


def problems(found: Alone) -> list[str | None]:
    """Of the questions, in order."""
    return [question["problem"] for question in found.asked]


YES = {"decision": "approve"}
NO = {"decision": "reject"}


async def test_a_yes_decides_the_question_and_nothing_else() -> None:
    till = Till()

    found = await answered(STATE, YES, domain=asking(till))

    decided = {**ASKED, "decision": "approve"}
    assert found.update == {"approvals": {SIGNATURE: decided}, "messages": [], "reply": None}
    assert found.events == [
        {"event": "approval_given", "id": "pay", "decision": "approve"},
        {"event": "wave_started", "wave": STATE["waves"] + 1, "calls": ["pay"]},
    ]
    assert problems(found) == [None]
    assert till.ran() == []


REFUSED = {
    "tool": "pay", "args": ARGS, "status": "error", "attempts": 0, "runs": 0, "plan": 1, "elapsed_s": 0.0,
    "signature": SIGNATURE,
}  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "reason", "code", "message", "data", "wave"),
    [
        (NO, "", "rejected", "it was not agreed to", None, 0),
        ({**NO, "reason": "too dear"}, "too dear", "rejected", "it was not agreed to: too dear", None, 0),
        ({**NO, "reason": "too dear", "changes": {"price": 3}}, "too dear", "changes_asked",
         "it was not agreed to: too dear", {"price": 3}, 3),
    ],
)  # fmt: skip
async def test_a_no_ends_the_call_before_it_ran_and_a_wish_is_an_issue_of_the_next_wave(
    answer: Any, reason: str, code: str, message: str, data: Any, wave: int
) -> None:
    till = Till()

    found = await answered(STATE, answer, domain=asking(till))

    error = {"code": code, "message": message, "retryable": False}
    ended = {**REFUSED, "data": data, "wave": wave, "error": error}
    assert found.update == {
        "approvals": {SIGNATURE: {**ASKED, "decision": "reject", "reason": reason}},
        "ledger": {**empty_ledger(), "outcomes": {SIGNATURE: ended}},
        "messages": [],
        "reply": None,
    }
    assert till.ran() == ["release:tea"]


LATE = [
    (NO, "reject"),
    ({**NO, "reason": "too dear"}, "reject"),
    ({**NO, "changes": {"price": 3}}, "reject"),
    ({"decision": "edit", "args": {"who": "Noa"}}, "reject"),
    ({**YES, "choice": "for noa"}, "approve"),
]


@pytest.mark.parametrize(("answer", "decision"), LATE)
async def test_what_comes_after_the_write_has_happened_finds_it(answer: Any, decision: str) -> None:
    """As a killed yes leaves it: sent, and nothing of that stored."""
    till = Till(paid=[Receipt(item="tea", price=4, who="Dana", number=1)])

    found = await answered(STATE, answer, domain=asking(till))

    paid = {"item": "tea", "price": 4, "who": "Dana", "number": 1}
    assert found.update["ledger"]["outcomes"] == {
        SIGNATURE: {**REFUSED, "status": "ok", "data": paid, "wave": 3, "error": None}
    }
    assert found.update["approvals"] == {SIGNATURE: {**ASKED, "decision": decision, "reason": answer.get("reason", "")}}
    assert "plan" not in found.update
    assert till.ran() == []


@pytest.mark.parametrize("answer", [answer for answer, _ in LATE])
async def test_where_it_cannot_be_looked_up_the_write_stays_unknown(answer: Any) -> None:
    class Blind(Till):
        async def look_up(self, args: Any, settings: Any) -> Receipt | None:
            raise ConnectionError

    found = await answered(STATE, answer, domain=asking(Blind()))

    [ended] = found.update["ledger"]["outcomes"].values()
    assert (ended["status"], ended["error"]["code"], ended["error"]["retryable"]) == ("error", "write_unknown", False)
    assert "could not be looked up" in ended["error"]["message"]


LONG = "yes please " * 2000


@pytest.mark.parametrize(
    "reply",
    [
        {"decision": "reject", "reason": LONG},
        {"decision": "edit", "args": {"who": LONG}},
        {"decision": "reject", "changes": {"price": 3, "why": LONG}},
        {"decisions": [{"type": "reject", "message": LONG}]},
        {"decisions": [{"type": "edit", "edited_action": {"name": "pay", "args": {**ARGS, "who": LONG}}}]},
    ],
)
async def test_an_answer_that_is_too_long_is_asked_about_again(reply: Any) -> None:
    found = await answered(STATE, reply, {"decision": "reject"})

    assert (
        problems(found)[1]
        == "That message has 22000 characters, and I can read at most 20000. Please send a shorter one."
    )
    assert found.update["approvals"][SIGNATURE]["decision"] == "reject"


async def test_a_long_row_of_yes_is_a_request_and_no_yes() -> None:
    found = await answered(STATE, {"messages": [HumanMessage(LONG, id="m9")]})

    assert "approvals" not in found.update
    assert [message.id for message in found.update["messages"]] == ["m9"]


@pytest.mark.parametrize(("edited_before", "call_id"), [([], "pay_edited_1"), (["pay_edited_1"], "pay_edited_2")])
async def test_an_edit_plans_the_call_as_it_was_asked_about_with_the_change(edited_before: Any, call_id: str) -> None:
    till = Till()
    before = {name: {**RESOLVED, "id": name} for name in edited_before}
    ledger = {**STATE["ledger"], "calls": {**STATE["ledger"]["calls"], **before}}

    found = await answered(
        {**STATE, "ledger": ledger}, {"decision": "edit", "args": {"who": "Noa"}}, domain=asking(till)
    )

    call = {**PAY, "id": call_id, "args": {"item": "tea", "who": "Noa"}, "instead_of": "pay"}
    assert found.update == {
        "plan": {**STATE["plan"], "tools": [LOOK, call]},
        "ledger": {**empty_ledger(), "calls": {call_id: call}},
        "messages": [],
        "reply": None,
    }
    assert till.ran() == ["release:tea"]


async def test_a_choice_plans_the_changed_call_and_decides_both_questions() -> None:
    till = Till()

    found = await answered(STATE, {**YES, "choice": "for noa"}, domain=asking(till))

    args = {"item": "tea", "who": "Noa"}
    call = {**PAY, "id": "pay_edited_1", "args": args, "instead_of": "pay"}
    decided = {**ASKED, "decision": "approve"}
    chosen = {**decided, "call": "pay_edited_1", "args": args, "terms_hash": hash_of("pay", args, DETAILS)}
    assert found.update == {
        "plan": {**STATE["plan"], "tools": [LOOK, call]},
        "ledger": {**empty_ledger(), "calls": {"pay_edited_1": call}},
        "approvals": {SIGNATURE: decided, signature("pay", args): chosen},
        "messages": [],
        "reply": None,
    }
    assert found.events[-1] == {"event": "wave_started", "wave": STATE["waves"] + 1, "calls": ["pay_edited_1"]}
    assert till.ran() == []


SPOKEN = {**STATE, "reply": {"answer": {"decision": "approve", "words": "yes", "terms_hash": HASH}, "message_id": "m2"}}


@pytest.mark.parametrize(
    ("state", "replies", "message_id"),
    [(SPOKEN, [], "m2"), (STATE, ["yes"], "reply-1-3f9a02b7c1d4")],
    ids=["a new message", "a resume"],
)  # fmt: skip
async def test_an_answer_in_words_stands_in_the_conversation(state: Any, replies: Any, message_id: str) -> None:
    update = (await answered(state, *replies)).update

    assert update is not None
    assert update["approvals"][SIGNATURE]["decision"] == "approve"
    assert update["reply"] is None
    (message,) = update["messages"]
    assert (message.type, message.text, message.id) == ("human", "yes", message_id)


WAITS_ASIDE = {name: STATE[name] for name in ("request", "plan", "ledger", "approvals", "times", "waves")}
NAMED = "To confirm that you agree to exactly these terms, please say “yes 3f9a02”."
OTHER_TERMS = "That answered different terms. These are the terms now."


def behind(**changes: Any) -> dict[str, Any]:
    """What waits behind another request."""
    return {**state_of(outcome="answered"), "set_aside": [WAITS_ASIDE], **changes}


AGAIN = {**STATE, "approvals": {SIGNATURE: {**ASKED, "number": 2}}}
ASKED_BACK = behind(outcome="clarify", messages=[SHOWN, AIMessage("Which tea?", id="m3")])
ASKED_SINCE = behind(approvals=EARLIER, messages=[SHOWN])
IN_PLACE = {**STATE, "replaced": [{"terms_hash": "of others", "by_asker": True}]}
BOUND = {"terms_hash": HASH}


@pytest.mark.parametrize(
    ("state", "reply", "problem"),
    [
        (STATE, YES, None),
        (STATE, "yes", None),
        (STATE, {**YES, **BOUND}, None),
        (STATE, {**YES, "terms_hash": "of others"}, OTHER_TERMS),
        (STATE, {**NO, "terms_hash": "of others"}, OTHER_TERMS),
        (AGAIN, YES, NAMED),
        (AGAIN, "yes 3f9a02", None),
        (AGAIN, {**YES, **BOUND}, None),
        (AGAIN, NO, None),
        (AGAIN, {"decision": "edit", "args": {"who": "Noa"}}, None),
        (behind(messages=[SHOWN]), "yes", None),
        (ASKED_BACK, "no", None),
        (ASKED_BACK, YES, None),
        (ASKED_SINCE, "yes", None),
        (ASKED_SINCE, YES, NAMED),
        (ASKED_SINCE, {**YES, **BOUND}, None),
        (IN_PLACE, "yes", None),
        (IN_PLACE, YES, NAMED),
        (IN_PLACE, {**YES, **BOUND}, None),
    ],
)
async def test_a_yes_counts_where_it_is_clear_to_what(state: Any, reply: Any, problem: str | None) -> None:
    found = await answered(state, reply)

    assert problems(found) == ([None] if problem is None else [None, problem])
    assert (found.update is None) is (problem is not None)


@pytest.mark.parametrize(
    ("state", "words", "problem"),
    [(AGAIN, "yes", NAMED), (STATE, "yes 3f9a03", OTHER_TERMS), (behind(messages=[SHOWN]), "yes 3f9a03", OTHER_TERMS)],
)
async def test_words_that_agree_to_nothing_have_the_question_put_again(state: Any, words: str, problem: str) -> None:
    update = (await answered(state, words)).update

    assert update["reply"] == {"refused": problem}
    assert [(message.type, message.text) for message in update["messages"]] == [("human", words)]
    assert update.get("set_aside", []) == []


async def test_a_question_that_is_put_again_says_why_and_takes_the_next_answer() -> None:
    found = await answered({**STATE, "reply": {"refused": OTHER_TERMS}}, "yes")

    assert problems(found) == [OTHER_TERMS]
    assert found.update["approvals"][SIGNATURE]["decision"] == "approve"


async def test_a_yes_in_words_after_another_question_is_the_next_request() -> None:
    found = await answered(ASKED_BACK, "yes")

    assert [message.text for message in found.update["messages"]] == ["yes"]
    assert "approvals" not in found.update


@pytest.mark.parametrize("by_asker", [True, False])
async def test_a_thread_that_is_marked_as_resolved_is_a_withdrawal_and_no_decision_of_the_staffs(
    by_asker: bool,
) -> None:
    till = Till()
    domain = till_asking(till, by_asker=lambda settings: by_asker)

    found = await answered({**STATE, _langgraph.RESOLVED: "__start__"}, domain=domain)

    decided = found.update["approvals"][SIGNATURE]
    assert (decided["decision"], decided["reason"]) == ("reject", "withdrawn by the person who asked")
    assert (found.asked, till.ran()) == ([], ["release:tea"])


INBOX = {"decisions": [{"type": "approve"}]}


@pytest.mark.parametrize(
    ("state", "reply", "taken"),
    [
        *((STATE, reply, True) for reply in (YES, "yes", INBOX, {**YES, **BOUND}, "yes 3f9a02", NO)),
        *((AGAIN, reply, False) for reply in (YES, INBOX)),
        *((AGAIN, reply, True) for reply in ({**YES, **BOUND}, "yes 3f9a02", NO)),
    ],
)
async def test_a_reply_that_cannot_be_read_changes_nothing(state: Any, reply: Any, taken: bool) -> None:
    found = await answered(state, 7, reply)

    assert (found.update is not None) is taken
    assert (problems(found)[1] or "").startswith("cannot take 7 as an answer; expected yes, no, for noa, or JSON")
    assert problems(found)[2:] == ([] if taken else [NAMED])


EDITED = {**STATE, "approvals": {SIGNATURE: {**ASKED, "number": 2, "changed_from": {
    "args": {**ASKED["args"], "who": "Eve"}, "details": ASKED["terms"]["details"]}}}}  # fmt: skip
MOVED = {**STATE, "approvals": {SIGNATURE: {**ASKED, "number": 2, "changed_from": {
    "args": ASKED["args"], "details": {"item": "tea", "price": 3}}}}}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "reply", "taken"),
    [(EDITED, INBOX, True), (EDITED, YES, False), (MOVED, INBOX, False)],
)
async def test_an_inbox_agrees_to_the_call_as_it_edited_it(state: Any, reply: Any, taken: bool) -> None:
    found = await answered(state, reply)

    assert (found.update is not None) is taken
    assert problems(found)[1:] == ([] if taken else [NAMED])


async def test_two_decisions_are_told_that_one_is_expected() -> None:
    found = await answered(STATE, {"decisions": [{"type": "approve"}] * 2})

    assert problems(found)[1:] == ["2 decisions came, but one is expected: a question is about one call"]


ANY_OF = "edit any of who, or approve or reject the call as it is"
ANOTHER = "give another value, or approve or reject the call as it is"


def edit(**args: Any) -> dict[str, Any]:
    return {"decision": "edit", "args": args}


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ({"decision": "edit"}, f"the edit changes nothing; {ANOTHER}"),
        (edit(), f"the edit changes nothing; {ANOTHER}"),
        (edit(who="Noa", size=1, colour="red"), f"colour = 'red', size = 1: that cannot be edited; {ANY_OF}"),
        (edit(item="cake", who="Noa"),
         f"item = 'cake': that cannot be edited; {ANY_OF}"),
        (edit(who=7), f"who = 7: Input should be a valid string; {ANOTHER}"),
        (edit(who="Dana"), f"the edit changes nothing; {ANOTHER}"),
        ({**YES, "args": {"who": "Eve"}}, "an approval changes nothing, but this one has args: edit, or reject"),
        ({**YES, "changes": {"price": 1}}, "an approval changes nothing, but this one has changes: edit, or reject"),
        ({**YES, "args": {"who": "Eve"}, "changes": {"price": 1}},
         "an approval changes nothing, but this one has args and changes: edit, or reject"),
        ({**YES, "choice": "for eve"}, "there is no choice 'for eve'; the choices are: for noa"),
        ({**NO, "changes": {"price": 0}}, "price = 0: Input should be greater than or equal to 1; ask for other changes, approve, or reject"),
        ({**NO, "changes": {"price": 12}}, "tea is never 12"),
    ],
)  # fmt: skip
async def test_an_answer_that_cannot_be_had_is_told_why(reply: Any, problem: str) -> None:
    till = Till()

    found = await answered(STATE, reply, domain=asking(till))

    assert (problems(found), found.update, till.ran()) == ([None, problem], None, [])


@pytest.mark.parametrize("reply", [{**YES, "args": {}, "changes": {}}, {**YES, "choice": None}])
async def test_what_a_yes_leaves_empty_changes_nothing(reply: Any) -> None:
    assert problems(await answered(STATE, reply)) == [None]


CHANGES = {**NO, "changes": {"price": 3}}
WISHED = {
    **LOOKED,
    **REFUSED,
    "data": {"price": 5},
    "error": {"code": "changes_asked", "message": "", "retryable": False},
}
SPENT = {**STATE, "ledger": {**STATE["ledger"], "calls": {**STATE["ledger"]["calls"], "p": {**RESOLVED, "id": "p", "args": {}}},
                             "outcomes": {**STATE["ledger"]["outcomes"], signature("pay", {}): WISHED}}}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "domain", "reply", "problem"),
    [
        (STATE, till_asking(), CHANGES, "no further changes can be asked for here: approve, or reject"),
        (SPENT, asking(), CHANGES, "no further changes can be asked for here: approve, or reject"),
        (STATE, till_asking(), {**YES, "choice": "x"}, "there is no choice 'x' here; approve, or reject"),
    ],
    ids=["never any", "no more of them", "no choices"],
)
async def test_what_is_not_offered_is_not_taken(state: Any, domain: Domain, reply: Any, problem: str) -> None:
    found = await answered(state, reply, domain=domain)

    assert (problems(found), found.update) == ([None, problem], None)


@pytest.mark.parametrize(("takes_s", "released"), [(0, True), (4.99, True), (5.01, False), (3600, False)])
def test_a_release_that_takes_long_is_left_to_lapse(takes_s: float, released: bool) -> None:
    ended = []

    async def release(args: Any, settings: Any) -> None:
        await asyncio.sleep(takes_s)
        ended.append(args)

    skip(let_go(till_asking(release=release).registry["pay"], ASKED, Settings()))

    assert ended == [ARGS] * released


def raises(error: BaseException) -> Callable[..., Any]:
    async def release(args: Any, settings: Any) -> None:
        raise error

    return release


async def test_a_release_that_fails_keeps_nobody_from_saying_no(caplog: pytest.LogCaptureFixture) -> None:
    found = await answered(STATE, NO, domain=till_asking(release=raises(OSError("secret address"))))

    assert found.update is not None
    assert found.update["approvals"][SIGNATURE]["decision"] == "reject"
    assert "what pay keeps could not be released: OSError" in caplog.messages
    assert "secret" not in caplog.text
