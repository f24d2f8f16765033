"""A server that knows its users: whose decision on a question counts, and who is kept with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import Command
from runs import on_thread
from tables import table
from till import ASK, Talk, Till

from wavegraph.graph.approval import MAY_ANSWER

APPROVE = {"decision": "approve"}
ASKED = {"messages": [HumanMessage(ASK)]}


@dataclass
class User:
    """As the server hands it to a run."""

    identity: str
    permissions: Sequence[str] | None = ()
    actor: Any = None


GUEST, CLERK = User("guest-7", ["guest"]), User("front-desk", [MAY_ANSWER])


def run(talk: Talk, given: Any, user: User | None) -> dict[str, Any]:
    config: Any = on_thread()
    config["configurable"]["langgraph_auth_user"] = user
    return dict(talk.graph.invoke(given, config))


def resume(talk: Talk, answer: Any, user: User | None) -> dict[str, Any]:
    return run(talk, Command(resume=answer), user)


def decided_by(talk: Talk) -> list[Any]:
    return [asked.get("decided_by") for asked in talk.state.values["approvals"].values()]


DECISIONS = [
    APPROVE,
    {**APPROVE, "words": "no"},
    {"decisions": [{"type": "approve"}]},
    {"decisions": [{"type": "respond", "message": "yes"}]},
    {"decision": "edit", "args": {"who": "Noa"}},
]


@table("answer", DECISIONS)
def test_a_guest_s_decision_on_the_staffs_question_is_a_plain_yes_and_pays_nothing(answer: Any) -> None:
    till = Till(by_asker=False)
    talk = Talk(till)
    run(talk, ASKED, GUEST)

    still = resume(talk, answer, GUEST)

    assert till.paid == []
    assert still["__interrupt__"][0].value["problem"] is None
    assert "Somebody else has to approve this first" in still["answer"]


@pytest.mark.parametrize("last", ["perhaps", {"decision": "reject"}], ids=str)
def test_a_guest_s_decision_is_not_counted_later_as_the_clerk_s(last: Any) -> None:
    """LangGraph gives a node all replies again that a question has had."""
    till = Till(by_asker=False)
    talk = Talk(till)
    run(talk, ASKED, GUEST)
    resume(talk, {"what": "is this"}, GUEST)
    resume(talk, APPROVE, GUEST)

    resume(talk, last, CLERK)

    assert till.paid == []


def test_the_clerk_s_decision_counts_and_is_kept_with_the_name() -> None:
    till = Till(by_asker=False)
    talk = Talk(till)
    run(talk, ASKED, GUEST)

    resume(talk, APPROVE, CLERK)

    assert [receipt.who for receipt in till.paid] == ["Dana"]
    assert decided_by(talk) == ["front-desk"]


@pytest.mark.parametrize(("actor", "name"), [("front-desk", "front-desk"), ("", "dana"), (None, "dana"), (7, "dana")])
def test_who_acts_in_another_s_name_is_kept_as_who_decided(actor: Any, name: str) -> None:
    talk = Talk(Till(by_asker=False))
    run(talk, ASKED, GUEST)

    resume(talk, APPROVE, User("dana", [MAY_ANSWER], actor))

    assert decided_by(talk) == [name]


@pytest.mark.parametrize(
    "answer",
    [{"decision": "reject"}, {"decision": "reject", "changes": {"price": 3}}, {"messages": [HumanMessage("no")]}],
    ids=str,
)
def test_a_guest_withdraws(answer: Any) -> None:
    till = Till(by_asker=False)
    talk = Talk(till)
    run(talk, ASKED, GUEST)

    ended = resume(talk, answer, GUEST)

    assert till.paid == []
    assert "withdrawn by the person who asked" in ended["answer"]
    assert decided_by(talk) == ["guest-7"]


@pytest.mark.parametrize("user", [GUEST, CLERK, None, User("")], ids=repr)
def test_a_question_to_the_asker_is_answered_by_whoever_may_run_the_thread(user: User | None) -> None:
    till = Till()
    talk = Talk(till)
    run(talk, ASKED, user)

    resume(talk, APPROVE, user)

    assert len(till.paid) == 1
    assert decided_by(talk) == [user.identity if user and user.identity else None]


def test_a_user_whose_permissions_are_not_known_has_none() -> None:
    till = Till(by_asker=False)
    talk = Talk(till)
    run(talk, ASKED, GUEST)

    resume(talk, APPROVE, User("somebody", None))

    assert till.paid == []


@pytest.mark.parametrize("user", [None, User("")], ids=repr)
def test_a_server_that_knows_nobody_leaves_it_to_whoever_reaches_it(user: User | None) -> None:
    till = Till(by_asker=False)
    talk = Talk(till)
    run(talk, ASKED, user)

    resume(talk, APPROVE, user)

    assert len(till.paid) == 1
