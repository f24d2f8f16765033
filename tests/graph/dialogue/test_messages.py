"""Question and answer inside a request are told from requests by their ids, or by a mark beside an id of their own."""

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from tables import table

from wavegraph.graph.dialogue.messages import is_question, is_reply, is_reserved, reply, shown_last

MARK = {"wavegraph_reply": True}
"""As threads hold it."""


HASH = "3f9a02b7c1d4e5f6"
ASKED = AIMessage("tea?", id="asked-1-3f9a02b7c1d4")
SAID = HumanMessage("yes", id="m2")


@table(
    ("messages", "is_last"),
    [
        ([ASKED], True),
        ([ASKED, SAID], True),
        ([SAID, ASKED], True),
        ([ASKED, SAID, SAID], False),
        ([ASKED, AIMessage("fresh", id="m3"), SAID], False),
        ([ASKED, reply("yes 000000", "1", "m2")], False),
        ([AIMessage("cake?", id="asked-1-000000000000"), SAID], False),
        ([HumanMessage("tea?", id="asked-1-3f9a02b7c1d4"), SAID], False),
        ([], False),
    ],
)
def test_a_reply_is_to_the_question_that_stands_right_before_it(messages: list[BaseMessage], is_last: bool) -> None:
    assert (shown_last(messages, HASH) is not None) is is_last


@table(
    ("message", "replies", "asks"),
    [
        (HumanMessage("yes", id="reply-1"), True, False),
        (HumanMessage("yes", id="m1", additional_kwargs=MARK), True, False),
        (HumanMessage("yes", additional_kwargs=MARK), True, False),
        (HumanMessage("yes", id="m1", additional_kwargs={"wavegraph_reply": "no"}), False, False),
        (HumanMessage("yes", id="m1", additional_kwargs={"wavegraph_reply": False}), False, False),
        (HumanMessage("yes", id="m1-reply-1"), False, False),
        (HumanMessage("yes", id="asked-1"), False, False),
        (HumanMessage("yes"), False, False),
        (AIMessage("paid", id="reply-1"), False, False),
        (AIMessage("paid", id="m1", additional_kwargs=MARK), False, False),
        (AIMessage("tea?", id="asked-1"), False, True),
        (AIMessage("tea?", id="m1"), False, False),
        (AIMessage("tea?"), False, False),
    ],
)
def test_only_a_person_replies_and_only_the_agent_asks(message: BaseMessage, replies: bool, asks: bool) -> None:
    assert (is_reply(message), is_question(message)) == (replies, asks)


@table(
    ("message_id", "reserved"),
    [("reply-1", True), ("asked-1", True), ("m1", False), ("my-reply-1", False), ("", False), (None, False)],
)
def test_ids_that_mean_something_here_are_for_no_client(message_id: str | None, reserved: bool) -> None:
    assert is_reserved(message_id) is reserved
