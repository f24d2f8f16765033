"""Several writes in one question: each decided by itself, run in order."""

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from tables import table

from wavegraph import Approval, Domain, build_graph, create_agent, read, write
from wavegraph.graph.dialogue.consent import consent
from wavegraph.graph.language import SHIPPED, say
from wavegraph.testing import ScriptedModel, call, planning, ref

ON_T: Any = {"configurable": {"thread_id": "t"}}
UNJUDGED: Any = {"answer_check": "rules"}


class Shop:
    """What was bought, in order."""

    def __init__(self) -> None:
        self.bought: list[str] = []

    @property
    def buy(self) -> BaseTool:
        @tool
        def buy(what: str) -> str:
            """Buy."""
            if what == "gold":
                raise ValueError("sold out")
            self.bought.append(what)
            return f"{what} bought"

        return buy


@tool
def look(city: str) -> str:
    """Look."""
    return "milk"


TEA, MILK, JAM = (call(what, "buy", what=what) for what in ("tea", "milk", "jam"))
ASKED: Any = {"messages": [("user", "buy tea, milk and jam")]}


def agent(shop: Shop, *replies: Any, approve: Any = True) -> Any:
    model = ScriptedModel(*replies)
    return create_agent(model, [shop.buy, read(look)], approve={"buy": approve}, checkpointer=InMemorySaver())


def asked(shop: Shop, *calls: Any, answer: str = "Done.", approve: Any = "Buy {what}") -> tuple[Any, Any]:
    made = agent(shop, planning(*calls), answer, approve=approve)
    return made, made.invoke(ASKED, ON_T, context=UNJUDGED)["__interrupt__"][0].value


def decided(made: Any, *decisions: Any) -> Any:
    return made.invoke(Command(resume={"decisions": [*decisions]}), ON_T, context=UNJUDGED)


YES, NO = {"type": "approve"}, {"type": "reject", "message": "too dear"}


def test_the_question_is_about_all_of_them() -> None:
    shop = Shop()
    _, question = asked(shop, TEA, MILK, JAM)

    assert [each["args"]["what"] for each in question["action_requests"]] == ["tea", "milk", "jam"]
    assert len(question["review_configs"]) == 3
    assert question["action_requests"][1]["description"] == "Buy milk\n\nShall I go ahead? (yes / no)"
    code = question["agree_to_all"]
    assert question["text"] == (
        "Buy tea\n\nIn the same question, each decided by itself:\n\n2. Buy milk\n\n3. Buy jam\n\n"
        f"Shall I go ahead? (yes / no)\n\nA plain yes is to the first alone; “yes to all {code}” agrees to all 3."
    )
    assert shop.bought == []


DECISIONS = [
    ([YES, YES, YES], ["tea", "milk", "jam"]),
    ([NO, YES, YES], ["milk", "jam"]),
    ([YES, NO, YES], ["tea", "jam"]),
    ([NO, NO, NO], []),
    ([YES, YES, {"type": "respond", "message": "not today"}], ["tea", "milk"]),
]


@table(("decisions", "bought"), DECISIONS)
def test_each_is_decided_by_itself_and_they_run_in_order(decisions: Sequence[Any], bought: list[str]) -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK, JAM)
    ended = decided(made, *decisions)

    assert shop.bought == bought
    assert "__interrupt__" not in ended
    assert [each["status"] for each in ended["results"].values()] == [
        "ok" if name in bought else "error" for name in ("tea", "milk", "jam")
    ]


def test_one_that_is_edited_is_asked_about_again_alone() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK)
    edited = {"type": "edit", "edited_action": {"name": "buy", "args": {"what": "coffee"}}}
    again = decided(made, YES, edited)["__interrupt__"][0].value

    assert (shop.bought, [each["args"]["what"] for each in again["action_requests"]]) == (["tea"], ["coffee"])
    decided(made, YES)
    assert shop.bought == ["tea", "coffee"]


def test_equal_ones_are_one() -> None:
    shop = Shop()
    made, question = asked(shop, TEA, MILK, call("more_milk", "buy", what="milk"))
    assert ([each["call"] for each in question["along"]], len(question["action_requests"])) == (["milk"], 2)
    ended = decided(made, YES, YES)

    assert shop.bought == ["tea", "milk"]
    assert ended["results"]["more_milk"]["same_as"] == "milk"


LONG = "Buy {what}, and " + "wrap it well, " * 30


@pytest.mark.parametrize(("terms", "language"), [(LONG, "en"), ("Buy {what}", "ko")], ids=["long", "no words known"])
def test_decisions_of_an_inbox_count_also_where_words_would_name_the_terms(terms: str, language: str) -> None:
    shop = Shop()
    settings: Any = {**UNJUDGED, "language": language}
    made = agent(shop, planning(TEA, MILK), "Done.", approve=terms)
    question = made.invoke(ASKED, ON_T, context=settings)["__interrupt__"][0].value
    assert all(each["agree_with"] != "yes" for each in (question, *question["along"]))
    decided(made, YES, YES)

    assert shop.bought == ["tea", "milk"]


def test_several_that_an_inbox_has_edited_are_agreed_to_there() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK)
    edits = [{"type": "edit", "edited_action": {"name": "buy", "args": {"what": what}}} for what in ("coffee", "cream")]
    again = decided(made, *edits)["__interrupt__"][0].value
    assert [each["args"]["what"] for each in again["action_requests"]] == ["coffee", "cream"]
    decided(made, YES, YES)

    assert shop.bought == ["coffee", "cream"]


def test_a_form_that_names_the_terms_of_the_first_alone_is_not_taken_for_new_terms_of_another() -> None:
    shop = Shop()
    made = agent(shop, planning(TEA, MILK), planning(TEA, JAM), "Done.")
    made.invoke(ASKED, ON_T, context=UNJUDGED)
    question = made.invoke({"messages": [("user", "tea and jam")]}, ON_T, context=UNJUDGED)["__interrupt__"][0].value
    first, second = ({**YES, "terms_hash": each["terms_hash"]} for each in (question, *question["along"]))
    again = decided(made, first, YES)  # the form of the question before had milk in the place of jam

    assert (shop.bought, again["__interrupt__"][0].value["problem"][:5]) == ([], "jam: ")
    decided(made, first, second)
    assert shop.bought == ["tea", "jam"]


def test_a_plain_yes_is_to_the_first_alone() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK, JAM)
    again = made.invoke(Command(resume="yes"), ON_T, context=UNJUDGED)["__interrupt__"][0].value

    assert shop.bought == ["tea"]
    assert [each["args"]["what"] for each in again["action_requests"]] == ["milk", "jam"]


def test_a_plain_no_ends_them_all() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK, JAM)
    ended = made.invoke(Command(resume="no"), ON_T, context=UNJUDGED)

    assert shop.bought == []
    assert "__interrupt__" not in ended


WORDS = [
    ("yes to all {code}", ["tea", "milk", "jam"]),
    ("Yes {code}!", ["tea", "milk", "jam"]),
    ("no {code}", []),
]


@table("as_message", [False, True])
@table(("words", "bought"), WORDS)
def test_words_with_the_code_of_all_are_to_all(words: str, bought: list[str], as_message: bool) -> None:
    shop = Shop()
    made, question = asked(shop, TEA, MILK, JAM)
    said = words.format(code=question["agree_to_all"])
    given: Any = {"messages": [("user", said)]} if as_message else Command(resume=said)
    made.invoke(given, ON_T, context=UNJUDGED)

    assert shop.bought == bought


@table("language", [each.code for each in SHIPPED])
def test_the_words_for_all_are_a_yes_in_each_language(language: str) -> None:
    words = say("yes_to_all", language)

    assert consent(words, [words], languages=[language]) == "yes"


def test_yes_to_all_without_the_code_is_to_nothing() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK)
    made.invoke(Command(resume="yes to all 123abc"), ON_T, context=UNJUDGED)

    assert shop.bought == []


def test_too_few_decisions_are_asked_again() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK, JAM)
    again = decided(made, YES, YES)["__interrupt__"][0].value

    assert again["problem"] == "2 decisions came, but 3 are expected: one for each of action_requests"
    assert shop.bought == []


def test_what_cannot_be_taken_is_named_by_its_number() -> None:
    shop = Shop()
    made, _ = asked(shop, TEA, MILK)
    again = decided(made, YES, {"type": "maybe"})["__interrupt__"][0].value
    wrong = {"type": "edit", "edited_action": {"name": "buy", "args": {"what": 5}}}

    assert again["problem"].startswith("decision 2: cannot take {'type': 'maybe'}")
    assert decided(made, YES, wrong)["__interrupt__"][0].value["problem"].startswith("milk: ")
    assert shop.bought == []


def test_one_whose_arguments_are_not_known_yet_is_asked_about_later() -> None:
    shop = Shop()
    late = {**call("late", "buy"), "args": {"what": ref("tea", "")}}
    made, question = asked(shop, TEA, late, JAM)

    assert [each["args"]["what"] for each in question["action_requests"]] == ["tea", "jam"]
    again = decided(made, YES, YES)["__interrupt__"][0].value
    assert (again["args"], shop.bought) == ({"what": "tea bought"}, ["tea"])
    decided(made, YES)
    assert shop.bought == ["tea", "tea bought", "jam"]


def test_a_write_that_fails_stops_those_behind_it_though_they_were_agreed_to() -> None:
    shop = Shop()
    made = agent(shop, planning(call("gold", "buy", what="gold"), MILK), planning(), "It failed.")
    made.invoke(ASKED, ON_T, context=UNJUDGED)
    ended = decided(made, YES, YES)

    assert (shop.bought, ended["results"]["milk"]["status"]) == ([], "skipped")


def test_terms_that_moved_meanwhile_are_asked_about_again() -> None:
    prices = {"tea": 1, "milk": 1}

    async def terms(args: Any, settings: Any) -> Any:
        return {"details": {"what": args["what"], "price": prices[args["what"]]}, "valid_until": None}

    shop = Shop()
    approval = Approval(prepare=terms, restate=lambda details, language: f"{details['what']} for {details['price']}")
    made, question = asked(shop, TEA, MILK, approve=approval)
    assert "2. milk for 1" in question["text"]
    prices["milk"] = 9
    again = decided(made, YES, YES)["__interrupt__"][0].value

    assert (shop.bought, again["summary"], bool(again["changed"])) == (["tea"], "milk for 9", True)


def test_a_domain_asks_one_by_one_unless_it_says_otherwise() -> None:
    def shown(**more: Any) -> list[str]:
        domain = Domain(name="shop", tools=[write(Shop().buy, approval=approved())], **more)
        graph = build_graph(domain, model=ScriptedModel(planning(TEA, MILK))).compile(checkpointer=InMemorySaver())
        ended = graph.invoke(ASKED, ON_T, context=UNJUDGED)
        return [each["args"]["what"] for each in ended["__interrupt__"][0].value["action_requests"]]

    assert (shown(), shown(asks_together=True)) == (["tea"], ["tea", "milk"])


def approved() -> Approval:
    async def terms(args: Any, settings: Any) -> Any:
        return {"details": dict(args), "valid_until": None}

    return Approval(prepare=terms, restate=lambda details, language: str(details))


def test_words_beside_a_decision_are_read_first_and_it_is_asked_for_again() -> None:
    shop = Shop()
    made = agent(shop, planning(TEA), planning(call("l", "look", city="Oslo")), "Milk.", "Done.")
    made.invoke(ASKED, ON_T, context=UNJUDGED)
    words = Command(resume={"decisions": [YES]}, update={"messages": [("user", "what do they drink in Oslo?")]})
    beside = made.invoke(words, ON_T, context=UNJUDGED)

    assert (shop.bought, beside["answer"]) == ([], "Milk.")
    assert beside["__interrupt__"][0].value["args"] == {"what": "tea"}
    decided(made, YES)
    assert shop.bought == ["tea"]


@pytest.mark.parametrize(("words", "bought"), [("yes", ["tea"]), ("no", [])])
def test_a_yes_or_a_no_in_words_beside_a_decision_counts(words: str, bought: list[str]) -> None:
    shop = Shop()
    made = agent(shop, planning(TEA), "So it is.")
    made.invoke(ASKED, ON_T, context=UNJUDGED)
    given: Any = Command(resume={"decisions": [YES]}, update={"messages": [("user", words)]})
    ended = made.invoke(given, ON_T, context=UNJUDGED)

    assert (shop.bought, "__interrupt__" in ended) == (bought, False)


def test_a_request_beside_the_question_leaves_all_of_it_open() -> None:
    shop = Shop()
    made = agent(shop, planning(TEA, MILK), planning(call("l", "look", city="Oslo")), "Milk.", "Done.")
    made.invoke(ASKED, ON_T, context=UNJUDGED)
    beside = made.invoke({"messages": [("user", "what do they drink in Oslo?")]}, ON_T, context=UNJUDGED)
    question = beside["__interrupt__"][0].value

    assert [each["args"]["what"] for each in question["action_requests"]] == ["tea", "milk"]
    decided(made, YES, YES)
    assert shop.bought == ["tea", "milk"]


def test_one_that_was_done_before_says_so_in_the_question_about_all() -> None:
    shop = Shop()
    made = agent(shop, planning(MILK), "Done.", planning(TEA, MILK))
    made.invoke({"messages": [("user", "buy milk")]}, ON_T, context=UNJUDGED)
    decided(made, YES)
    question = made.invoke({"messages": [("user", "tea, and milk again")]}, ON_T, context=UNJUDGED)["__interrupt__"][
        0
    ].value

    assert [each["args"]["what"] for each in question["action_requests"]] == ["tea", "milk"]
    second = question["text"].partition("2. ")[2]
    assert "It would be done once more" in second
    assert "milk bought" in second


class Shelf:
    """Keeps what is asked about, until it is released."""

    def __init__(self) -> None:
        self.kept: set[str] = set()

    def approval(self) -> Approval:
        return Approval(
            prepare=self._keep, restate=lambda details, language: f"Buy {details['what']}", release=self._give_back
        )

    async def _keep(self, args: Any, settings: Any) -> Any:
        self.kept.add(args["what"])
        return {"details": dict(args), "valid_until": None}

    async def _give_back(self, args: Any, settings: Any) -> None:
        self.kept.discard(args["what"])


def test_what_is_asked_about_is_kept_while_something_else_is_answered() -> None:
    shop, shelf = Shop(), Shelf()
    made = agent(shop, planning(TEA, MILK), planning(reply="At nine."), approve=shelf.approval())
    made.invoke({"messages": [("user", "tea and milk")]}, ON_T, context=UNJUDGED)
    made.invoke({"messages": [("user", "when do you open?")]}, ON_T, context=UNJUDGED)

    assert shelf.kept == {"tea", "milk"}


def test_a_new_wish_takes_the_place_of_all_that_were_asked_about() -> None:
    shop, shelf = Shop(), Shelf()
    made = agent(shop, planning(TEA, MILK), planning(TEA, JAM), approve=shelf.approval())
    made.invoke({"messages": [("user", "tea and milk")]}, ON_T, context=UNJUDGED)
    assert shelf.kept == {"tea", "milk"}
    made.invoke({"messages": [("user", "rather tea and jam")]}, ON_T, context=UNJUDGED)

    assert shelf.kept == {"tea", "jam"}
    again = decided(made, YES, YES)  # the form of the question before
    assert "__interrupt__" in again
    assert shop.bought == []
