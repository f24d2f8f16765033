"""A closed request: its figures, and the record kept of it beside the checkpoints, for reports, feedback and evaluations."""

from typing import Literal

from typing_extensions import TypedDict

from wavegraph.graph.ledger import results, tools_executed, tools_ran
from wavegraph.graph.limits import active_s
from wavegraph.graph.state import (
    AgentState,
    AnswerFailure,
    CallStatus,
    Figures,
    OutputState,
    Request,
    Usage,
    ValidationIssue,
    empty_ledger,
)

REQUESTS = ("wavegraph", "requests")


class RecordedCall(TypedDict):
    """One call of the request, without arguments and result."""

    id: str
    tool: str
    status: CallStatus
    error: str | None
    """The error's code."""
    runs: int
    """0 = its result was known already, or it never started."""
    attempts: int
    elapsed_s: float


class PersonsVerdict(TypedDict):
    """A person's later verdict on the answer."""

    verdict: Literal["good", "bad"]
    why: str
    given_at: str
    """ISO, UTC."""


class RequestRecord(Figures):
    """One closed request: its figures and how they came about. Every field is JSON; results are not kept."""

    domain: str
    """Name of the agent; missing in records of older versions."""
    request: Request
    calls: list[RecordedCall]
    open_issues: int
    """How many issues nothing worked around."""
    planning_calls: int
    limits_hit: list[str]
    answer_replans: int
    rewrites: int
    answer_failures: list[AnswerFailure]
    """Every failed criterion of every attempt."""
    broken_plans: list[ValidationIssue]
    """Why plans could not run; missing in records of older versions."""
    struck: list[str]
    """Sentences of the answer that no statement bore out; missing in records of older versions."""
    times: dict[str, float]
    """Active seconds by step."""
    ended_at: str
    """ISO, UTC."""
    run_id: str | None
    """Of the traced run in LangSmith; None = it was not traced."""
    feedback: PersonsVerdict | None


def records_of(thread_id: str) -> tuple[str, ...]:
    """Where a store keeps the records of a thread; a name in a store may hold no period."""
    return (*REQUESTS, thread_id.replace("%", "%25").replace(".", "%2E"))


def thread_of(namespace: tuple[str, ...]) -> str:
    """The thread whose records a namespace holds."""
    return namespace[-1].replace("%2E", ".").replace("%25", "%")


# Its figures


def views_of(state: AgentState) -> OutputState:
    """The values of the untracked fields; for a state without a plan, that nothing was done."""
    ledger = state.get("ledger") or empty_ledger()
    made: OutputState = {
        "tools": tools_ran(ledger),
        "results": results(ledger),
        "tools_executed": tools_executed(ledger),
        **model_figures(state.get("usage", {})),
        "elapsed_s": round(active_s(state), 3),
    }
    if plan := state.get("plan"):
        made["action"], made["reasoning"] = plan["action"], plan["reasoning"]
        made["slots"], made["planner"] = plan["slots"], plan["planner"]
    return made


def model_figures(usage: Usage) -> OutputState:
    """Calls and tokens of all models together."""
    used = usage.values()
    tokens = {"input": sum(each["input"] for each in used), "output": sum(each["output"] for each in used)}
    return {"llm_calls": sum(each["calls"] for each in used), "llm_tokens": tokens}
