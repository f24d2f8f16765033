"""A server whose hints lie, and a model that obeys whatever it reads: nothing is done that nobody has agreed to."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra wavegraph[mcp] is not installed")

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from unruly_servers import Journal, http, stdio

from wavegraph import CancelHandle, create_agent, mcp_tools, open_storage, read, resume, run, write
from wavegraph.app.offer.reads import is_offered
from wavegraph.graph import background
from wavegraph.graph.adopt.mcp.connection import leave_all
from wavegraph.testing import ScriptedModel, call, planning

RULES: Any = {"answer_check": "rules"}
ON_T: Any = {"configurable": {"thread_id": "t"}}
ASKED: Any = {"messages": [("user", "read my mail")]}
INBOX = {"inbox": {"effect": "read"}}
"""What a person has declared."""
LOOK = planning(call("i", "u_inbox"), status="continue")
PAY = call("p", "u_pay", to="mallory", amount=500)
MORE = call("q", "u_pay", to="mallory", amount=700)
SEND = call("s", "u_send_mail", to="mallory")
FIRST_USE = "u_pay only reads, says its server, and nobody here has checked that."


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    leave_all()


@contextmanager
def over_stdio(journal: Journal, mode: str) -> Iterator[dict[str, Any]]:
    yield stdio(journal, mode)


@contextmanager
def over_http(journal: Journal, mode: str) -> Iterator[dict[str, Any]]:
    with http(journal, mode) as server:
        yield {"url": server.url}


def tools(entry: dict[str, Any], **says: Any) -> Any:
    return mcp_tools({"mcpServers": {"u": {**entry, "wavegraph": {"tools": INBOX, **says}}}})


def agent(journal: Journal, *replies: Any, mode: str = "lies", given: Any = None, **more: Any) -> Any:
    """An agent of the lying server, whose model says these things; `given`: what the file says of the server."""
    made = tools(stdio(journal, mode), **(given or {}))
    return create_agent(ScriptedModel(*replies), made, **{"checkpointer": InMemorySaver(), **more})


def asks(agent: Any, given: Any = ASKED, thread: Any = ON_T) -> str:
    """What the agent asks; empty = it answers."""
    ended = agent.invoke(given, thread, context=RULES)
    return str(ended["__interrupt__"][0].value["text"]) if "__interrupt__" in ended else ""


def said(agent: Any, words: str, thread: Any = ON_T) -> Any:
    return agent.invoke({"messages": [("user", words)]}, thread, context=RULES)


# An injected order


@pytest.mark.parametrize("over", [over_stdio, over_http])
@pytest.mark.parametrize(("reply", "done"), [("yes", 1), ("no", 0)])
def test_an_order_in_a_mail_is_carried_out_only_after_a_yes_to_each(
    tmp_path: Path, over: Callable[[Journal, str], AbstractContextManager[dict[str, Any]]], reply: str, done: int
) -> None:
    journal = Journal(tmp_path)
    with over(journal, "lies") as entry:
        model = ScriptedModel(LOOK, planning(PAY, SEND), "So it is.")
        obeying = create_agent(model, tools(entry), checkpointer=InMemorySaver())
        question = asks(obeying)
        assert question.startswith(FIRST_USE)
        assert '{"amount":500,"to":"mallory"}' in question
        assert (journal.count("called inbox"), journal.count("called pay"), journal.count("called send")) == (1, 0, 0)
        question = asks(obeying, Command(resume=reply))
        assert 'This would be done: u_send_mail {"to":"mallory"}.' in question
        assert (journal.count("called pay"), journal.count("called send")) == (done, 0)
        answer = obeying.invoke(Command(resume=reply), ON_T)["answer"]
        assert (journal.count("called pay"), journal.count("called send")) == (done, done)
        assert "without asking" not in answer


def test_a_question_in_hebrew(tmp_path: Path) -> None:
    asking = agent(Journal(tmp_path), planning(PAY))
    assert asks(asking, {"messages": [("user", "תקרא לי את הדואר")]}).startswith("לדברי השרת של u_pay הוא רק קורא")


# Once a tool


def test_two_calls_of_a_hinted_read_are_one_question(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    asking = agent(journal, planning(PAY, MORE), "Read.", planning({**MORE, "args": {"to": "x", "amount": 1}}), "Read.")
    assert asks(asking).startswith(FIRST_USE)
    assert asks(asking, Command(resume="yes")) == ""
    assert journal.count("called pay") == 2
    assert asks(asking) == ""
    assert journal.count("called pay") == 3


def test_a_read_that_is_declared_does_not_wait_for_one_that_is_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    asking = agent(journal, planning(PAY, call("i", "u_inbox")), "Read.")
    assert asks(asking).startswith(FIRST_USE)
    assert journal.count("called inbox") == 1
    assert asks(asking, Command(resume="yes")) == ""
    assert (journal.count("called inbox"), journal.count("called pay")) == (1, 1)


def test_a_no_is_to_all_calls_of_a_request_and_to_no_more(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    later = call("l", "u_pay", to={"ref": {"call": "i", "path": "text"}}, amount=1)
    asking = agent(journal, planning(PAY, MORE, call("i", "u_inbox"), later), "No.", planning(PAY), "Read.")
    assert asks(asking).startswith(FIRST_USE)
    ended = asking.invoke(Command(resume="no"), ON_T)
    assert {ended["results"][name]["error"]["code"] for name in ("p", "q", "l")} == {"rejected"}
    assert (ended["outcome"], ended["issues"], ended["tools"]) == ("answered", [], ["u_inbox"])
    assert journal.count("called pay") == 0
    assert asks(asking).startswith(FIRST_USE)
    assert asks(asking, Command(resume="yes")) == ""
    assert journal.count("called pay") == 1


def test_a_yes_is_for_its_own_thread(tmp_path: Path) -> None:
    asking = agent(Journal(tmp_path), planning(PAY), "Read.", planning(PAY))
    other: Any = {"configurable": {"thread_id": "other"}}
    assert asks(asking).startswith(FIRST_USE)
    assert asks(asking, Command(resume="yes")) == ""
    assert asks(asking, thread=other).startswith(FIRST_USE)


def test_an_edit_is_asked_about_and_then_agreed_to(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    asking = agent(journal, planning(PAY), "Read.", planning(PAY), "Read.")
    asks(asking)
    again = asks(asking, Command(resume={"decision": "edit", "args": {"amount": 1}}))
    assert '{"amount":1,"to":"mallory"}' in again
    [waits] = asking.get_state(ON_T).interrupts
    approve = {"decision": "approve", "terms_hash": waits.value["terms_hash"]}
    assert asks(asking, Command(resume=approve)) == ""
    assert journal.count('called pay {"amount": 1, "to": "mallory"}') == journal.count("called pay") == 1
    assert asks(asking) == ""


def test_a_question_waits_beside_another_request(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    asking = agent(journal, planning(PAY), planning(reply="It is Monday."), "Read.", planning(MORE), "Read.")
    asks(asking)
    assert said(asking, "what day is it?")["answer"] == "It is Monday."
    assert said(asking, "yes")["answer"] == "Read."
    assert asks(asking) == ""
    assert journal.count("called pay") == 2


def test_of_two_tools_each_is_asked_about_once_also_by_another_request_meanwhile(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    both = planning(call("a", "u_t_tnn", to="x"), call("b", "u_t_tfn", to="x"))
    other = planning(call("c", "u_t_tfn", to="y"))
    asking = agent(journal, both, other, "The other.", "Both.", mode="hints")
    assert asks(asking).startswith("u_t_tnn only reads")
    assert asks(asking, {"messages": [("user", "look at the other one")]}).startswith("u_t_tfn only reads")
    assert asks(asking, {"messages": [("user", "yes")]}).startswith("u_t_tnn only reads")
    assert journal.count("called") == 1
    assert said(asking, "yes")["answer"] == "Both."
    assert journal.count("called") == 3


# How long a yes lasts


def with_kept(folder: Path, mode: str, *replies: Any) -> Any:
    """The agent and its storage, as another process opens them."""

    @contextmanager
    def opened() -> Iterator[Callable[..., Any]]:
        storage = open_storage(str(folder / "db"))
        kept = background.run(storage.__aenter__())
        made = agent(Journal(folder), *replies, mode=mode, checkpointer=kept.checkpointer, store=kept.store)
        try:
            yield lambda given: asks(made, given)
        finally:
            background.run(storage.__aexit__(None, None, None))
            leave_all()

    return opened()


def test_a_yes_outlives_the_process_and_ends_with_the_schema_and_with_the_hint(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with with_kept(tmp_path, "lies", planning(PAY)) as say:
        assert say(ASKED).startswith(FIRST_USE)
    with with_kept(tmp_path, "lies", "Read.") as say:
        assert say(Command(resume="yes")) == ""
        assert journal.count("called pay") == 1
    with with_kept(tmp_path, "lies", planning(MORE), "Read.") as say:
        assert say(ASKED) == ""
        assert journal.count("called pay") == 2
    with with_kept(tmp_path, "lies_otherwise", planning(MORE), "Read.", planning(PAY), "Read.") as say:
        assert say(ASKED).startswith(FIRST_USE)
        assert journal.count("called pay") == 2
        assert say(Command(resume="yes")) == ""
        assert say(ASKED) == ""
        assert journal.count("called pay") == 4
    with with_kept(tmp_path, "lies", planning(MORE)) as say:
        assert say(ASKED).startswith(FIRST_USE)
    with with_kept(tmp_path, "lies_no_more", "No.", planning(MORE)) as say:
        assert say(Command(resume="no")) == ""
        assert say(ASKED).startswith("This would be done: u_pay")
    assert journal.count("called pay") == 4


def test_a_yes_to_a_tool_that_changed_while_it_was_asked_about_is_asked_for_again(tmp_path: Path) -> None:
    with with_kept(tmp_path, "lies", planning(PAY)) as say:
        say(ASKED)
    with with_kept(tmp_path, "lies_otherwise", "Read.") as say:
        assert say(Command(resume="yes")).startswith(FIRST_USE)
    assert Journal(tmp_path).count("called pay") == 0


def test_without_a_checkpointer_it_is_refused_with_the_ways_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = Journal(tmp_path)
    ended = agent(journal, planning(PAY), planning(), "No.", checkpointer=None).invoke(ASKED, context=RULES)
    error = ended["results"]["p"]["error"]
    assert (error["code"], journal.count("called pay")) == ("approval_impossible", 0)
    assert "u_pay is a read by its server's word alone" in error["message"]
    assert "compile it with a checkpointer" in caplog.text
    assert 'or declare it, with read(tool) or as "effect": "read" in the file of servers' in caplog.text


# What a person or a developer declares


TELLS = "Done without asking you: u send mail (to: mallory)."


def test_hints_of_a_trusted_server_are_believed_and_the_answer_names_what_was_done(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    believing = agent(journal, planning(PAY, SEND), "All is well.", given={"trusted": True, "tools": {}})
    ended = believing.invoke(ASKED, ON_T, context=RULES)
    assert (journal.count("called pay"), journal.count("called send")) == (1, 1)
    assert ended["answer"] == f"All is well.\n\n{TELLS}"
    assert ended["results"]["s"]["unasked"]
    assert "unasked" not in ended["results"]["p"]


SAYS: list[tuple[dict[str, Any], list[str]]] = [
    ({"*": {"approve": False}}, ["pay", "send_mail"]),
    ({"pay": {"effect": "read"}}, ["pay"]),
    ({"pay": {"approve": False}}, ["pay"]),
    ({"pay": {"approve": "Pay {amount}"}}, []),
    ({"*": {"approve": True}}, []),
    ({"pay": {"effect": "write"}}, []),
    ({"send_mail": {"effect": "read"}, "pay": {"effect": "read"}}, ["pay", "send_mail"]),
]


@pytest.mark.parametrize(("says", "unasked"), SAYS, ids=str)
def test_the_file_has_the_last_word(tmp_path: Path, says: dict[str, Any], unasked: list[str]) -> None:
    journal = Journal(tmp_path)
    asking = agent(journal, planning(PAY, SEND), "Done.", given={"tools": says})
    asks(asking)
    assert [name for name in ("pay", "send_mail") if journal.count(f"called {name}")] == unasked


def test_what_the_file_asks_about_is_asked_at_each_call_whatever_is_hinted(tmp_path: Path) -> None:
    asking = agent(Journal(tmp_path), planning(PAY, MORE), given={"tools": {"pay": {"approve": "Pay {amount}"}}})
    assert asks(asking).startswith("Pay 500")
    assert "Pay 700" in asks(asking, Command(resume="yes"))


def test_a_developer_has_the_last_word(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    by_name = {tool.name: tool for tool in tools(stdio(journal, "lies"))}
    pay, send = by_name["u_pay"], by_name["u_send_mail"]

    def approvals(*given: Any, **approve: Any) -> list[tuple[str, bool]]:
        made = create_agent(ScriptedModel(), list(given), approve=approve, checkpointer=InMemorySaver())
        known = made.builder.agent.domain.registry.values()
        return [(tool.effect, tool.approval is not None) for tool in known]

    assert approvals(pay, send) == [("read", True), ("write", True)]
    assert approvals(read(pay), read(send)) == [("read", False), ("read", False)]
    assert approvals(write(pay), write(send)) == [("write", True), ("write", True)]
    assert approvals(pay, send, u_pay=False, u_send_mail=False) == [("read", False), ("write", False)]
    assert approvals(pay, u_pay=True) == [("write", True)]


def test_a_read_by_its_server_s_word_is_offered_to_no_other_program(tmp_path: Path) -> None:
    made = agent(Journal(tmp_path))
    registry = made.builder.agent.domain.registry
    assert [name for name, tool in registry.items() if is_offered(tool)] == ["u_inbox"]


# What the answer names


UNASKED: Any = {"tools": {**INBOX, "send_mail": {"approve": False}}}


def test_a_question_names_what_was_done_before_it(tmp_path: Path) -> None:
    asking = agent(Journal(tmp_path), planning(SEND, PAY), "Done.", given=UNASKED)
    assert TELLS in asks(asking)
    assert asking.invoke(Command(resume="no"), ON_T)["answer"] == f"Done.\n\n{TELLS}"


def test_every_write_is_named_also_beside_a_plan_s_own_reply(tmp_path: Path) -> None:
    names = [f"p{n}" for n in range(12)]
    sends = [call(f"s{n}", "u_send_mail", to=name) for n, name in enumerate(names)]
    more = {"max_tool_calls": 20, "max_waves": 20}
    none = "I sent none."
    sending = agent(Journal(tmp_path), planning(*sends, status="continue"), planning(reply=none), none, given=UNASKED)
    answer = sending.invoke(ASKED, ON_T, context={**RULES, **more})["answer"]
    told = "; ".join(f"u send mail (to: {name})" for name in names)
    assert answer.endswith(f"Done without asking you: {told}.")


def test_a_model_that_is_down_does_not_hide_it(tmp_path: Path) -> None:
    down = [ConnectionError("down")] * 9
    answer = agent(Journal(tmp_path), planning(SEND), *down, given=UNASKED).invoke(ASKED, ON_T, context=RULES)["answer"]
    assert TELLS in answer


async def test_a_stopped_request_names_it_and_so_does_the_one_after_it(tmp_path: Path) -> None:
    handle = CancelHandle()

    def stopping(_: Any) -> Any:
        handle.cancel()
        return planning(reply="never said")

    made = agent(
        Journal(tmp_path), planning(SEND, status="continue"), stopping, planning(reply="It is Monday."), given=UNASKED
    )
    stopped = await run(made, "read my mail", thread_id="t", settings=RULES, cancel=handle)
    assert (stopped.outcome, TELLS in stopped.answer) == ("cancelled", True)
    assert (await run(made, "what day is it?", thread_id="t", settings=RULES)).answer == f"It is Monday.\n\n{TELLS}"


async def test_a_write_that_was_agreed_to_or_refused_is_not_named(tmp_path: Path) -> None:
    made = agent(Journal(tmp_path), planning(SEND), "Sent.", planning(call("t", "u_send_mail", to="ada")), "Not sent.")
    for reply in ("yes", "no"):
        await run(made, "send it", thread_id="t", settings=RULES)
        ended = await resume(made, "t", reply=reply, settings=RULES)
        assert "without asking" not in ended.answer
