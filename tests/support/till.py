"""The till of the warehouse: paying is a write that a person agrees to, at a price that may move."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel
from runs import on_thread
from skipping import LIMIT_S
from tools_once import tool
from warehouse import Clerk, Warehouse

from wavegraph import AnswerView, Domain, Limits, PlanningResult, PlanningView, Result
from wavegraph.graph.approval import Approval, Question, Terms
from wavegraph.graph.build import whole_state
from wavegraph.graph.dialogue.consent import consent
from wavegraph.graph.domain_tool import read, write
from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.ledger import results
from wavegraph.testing import Conversation, call, planning, ref


class Price(BaseModel):
    item: str
    price: int


class Receipt(BaseModel):
    item: str
    price: int
    who: str
    number: int


@dataclass
class Till(Warehouse):
    """The warehouse's till. `pay` runs as `on` says; what is asked about, paid and given back is in `ran`, by its item."""

    prices: dict[str, int] = field(default_factory=lambda: {"tea": 4, "cake": 9})
    by_asker: bool | Callable[[Any], bool] = True
    """Whether who asks also agrees; a function: by the settings."""
    paid: list[Receipt] = field(default_factory=list)
    held: dict[str, int] = field(default_factory=dict)
    fixed: bool = True
    """Whether what is paid for must come from a result."""

    async def prepare(self, args: Mapping[str, Any], settings: Any) -> Terms:
        self._mark("start", "prepare", args["item"])
        if args["item"] not in self.prices:
            raise ToolRefusal("sold_out", f"no {args['item']} left")
        self.held[args["item"]] = self.held.get(args["item"], 0) + 1
        return {"details": {"item": args["item"], "price": self.prices[args["item"]]}, "valid_until": None}

    async def release(self, args: Mapping[str, Any], settings: Any) -> None:
        self._mark("start", "release", args["item"])
        self.held.pop(args["item"], None)

    async def look_up(self, args: Mapping[str, Any], settings: Any) -> Receipt | None:
        return next((r for r in self.paid if (r.item, r.who) == (args["item"], args["who"])), None)

    def domain(self, asking: Mapping[str, Any] | None = None, **changes: Any) -> Domain:
        """`asking`: another way to ask about payments."""

        @tool
        def look(item: str) -> Price:
            """Look a price up."""
            return Price(item=item, price=self.prices.get(item, 0))

        @tool
        async def pay(item: str, who: str) -> Receipt:
            """Pay for one item."""

            def usual() -> Receipt:
                self.paid.append(Receipt(item=item, price=self.prices[item], who=who, number=len(self.paid) + 1))
                return self.paid[-1]

            return await self._async("pay", item, usual)

        approval: dict[str, Any] = {
            "prepare": self.prepare,
            "restate": lambda details, language: f"{details['item']} for {details['price']} coins",
            "release": self.release,
            "by_asker": lambda settings: self.by_asker(settings) if callable(self.by_asker) else self.by_asker,
        }
        paying = write(
            pay,
            approval=Approval(**approval | dict(asking or {})),
            look_up=self.look_up,
            sources={"who": "person", "item": "results" if self.fixed else "either"},
        )
        given = {
            "tools": [read(look), paying],
            "offline": Clerk(plan, respond),
            "limits": Limits(tool_timeout_s=LIMIT_S),
        }
        return super().domain(**{"name": "till", "checks": {}, **given, **changes})


ASK = "pay tea for Dana"
QUESTION = "tea for 4 coins\n\nShall I go ahead? (yes / no)"


class Talk(Conversation):
    """A conversation at the till, on thread `t`, without settings where a request gives none."""

    def __init__(self, agent: Any, **given: Any) -> None:
        super().__init__(agent if isinstance(agent, Domain) else agent.domain(), thread_id="t", **given)
        self.settings = {}

    def ask(self, text: str = ASK, **options: Any) -> Question:
        """A request that waits for a person; what is asked."""
        return question_of(self.say(text, **options))

    def agree(self, question: Any) -> Result:
        """Yes to these very terms."""
        return self.say("yes", shown=question["terms_hash"])

    def give(self, given: Any) -> dict[str, Any]:
        """The state after an input or a command, as the server hands it to the bare graph."""
        return self.graph.invoke(given, on_thread())  # type: ignore[no-any-return]

    @property
    def state(self) -> Any:
        return whole_state(self.graph).get_state(on_thread())

    @property
    def said(self) -> list[tuple[str, str]]:
        """The conversation: who says what."""
        return [(message.type, message.text) for message in self.state.values["messages"]]


def question_of(result: Result) -> Question:
    assert result.outcome == "awaiting_approval"
    return cast(Question, result.question)


def plan(view: PlanningView) -> PlanningResult:
    """`pay tea for Dana` looks the price up and pays; a bare yes pays what was asked about before."""
    words = view.request["text"].split()
    if words[:1] == ["pay"]:
        item, who = words[1], words[3]
        return paying_after_look(item, who)
    before = view.previous["plan"] if view.previous else None
    if before and before["action"] == "pay" and consent(view.request["text"]) == "yes":
        assert view.previous
        args = next(asked["args"] for asked in [*view.previous.get("approvals", {}).values(), *_paid(view)])
        return planning(call("pay", "pay", **args), action="pay")
    return planning(action="clarify", reply="What would you like?")


def respond(view: AnswerView) -> str:
    lines = []
    for outcome in results(view.ledger).values():
        if outcome["tool"] == "pay" and outcome["error"]:
            lines.append(f"not paid: {outcome['error']['message']}")
        elif outcome["tool"] == "pay":
            lines.append(f"paid {outcome['data']['price']}, receipt {outcome['data']['number']}")
    return "\n".join(lines) or (view.plan["reply"] or "done")


def _paid(view: PlanningView) -> list[Any]:
    assert view.previous
    return [o for o in results(view.previous["ledger"]).values() if o["tool"] == "pay"]


def paying(item: str = "tea", who: str = "Dana") -> PlanningResult:
    """The plan a model makes to pay, with its arguments written out."""
    return planning(call("pay", "pay", item=item, who=who), action="pay")


def paying_after_look(item: str = "tea", who: str = "Dana") -> PlanningResult:
    return planning(
        call("look", "look", item=item), call("pay", "pay", item=ref("look", "item"), who=who), action="pay"
    )


def till_asking(till: Till | None = None, /, **approval: Any) -> Domain:
    """A till whose payments are asked about in another way."""
    return (till or Till()).domain(asking=approval)
