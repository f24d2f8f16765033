"""The state of a conversation: its records, its fields, and how parallel writes merge.

Everything here is a plain JSON-like record, so that it survives any checkpointer and reads well
in Studio. Models validate at the edges only: planner output, tool arguments and results, settings.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypeVar, get_type_hints

from langchain_core.messages import AnyMessage
from langchain_core.messages import HumanMessage as SpokenMessage
from langgraph.channels import DeltaChannel, EphemeralValue, UntrackedValue
from langgraph.managed import RemainingSteps
from pydantic import GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from wavegraph.graph._langgraph import RESOLVED, messages_delta_reducer

STATE_VERSION = 3
"""Of the records below, as they are stored. Increased when stored threads can no longer be read as they are, by this program
or by the one before. 2: fields at their default are not stored. 3: those of `Work` are one record."""

MOST_MESSAGE_CHARS = 20_000
"""Characters of a human message that are stored: what is longer is cut and not read. A setting may only lower it."""
MOST_MESSAGES = 500
"""Of one input. Front ends that send the whole conversation each time get through 250 questions and answers with it."""

Effect = Literal["read", "write"]
CallStatus = Literal["ok", "partial", "error", "timeout", "skipped", "cancelled"]
Outcome = Literal["answered", "partial", "clarify", "refused", "awaiting_approval", "cancelled", "failed"]
Severity = Literal["critical", "warning"]
_T = TypeVar("_T")


class ToolCall(TypedDict):
    """One call of a plan, as the planner writes it."""

    id: str
    """Unique in the request and readable: `get_holiday`, `check_availability_2`."""
    tool: str
    args: dict[str, Any]
    """Literals, or references `{"ref": {"call": <id>, "path": "stays[0].check_in"}}` at any depth (see `references`)."""
    each: NotRequired[dict[str, Any] | None]
    """A reference to a list: the call is made once for each element, as `x_1`, `x_2`…"""
    instead_of: NotRequired[str | None]
    """The earlier call whose issue this one works around."""
    serves: NotRequired[list[int]]
    """Numbers of the request's pieces that it is for, from 1; a model's call names them."""


class Intent(TypedDict):
    """What a planner says of its plan and to the person, besides the calls."""

    status: Literal["continue", "done"]
    """`done`: run these calls, then answer. `continue`: plan again after them."""
    action: str
    """What is being done, in one word of the domain; `clarify` and `refuse` are the engine's own."""
    reasoning: str
    slots: dict[str, Any]
    """What was understood of the request, in the domain's own fields."""
    reply: str | None
    """The answer itself: where no tool can help a question, a refusal, a greeting; else what was found, once nothing is to be
    looked up any more."""
    remarks: NotRequired[list[str]]
    """What is said besides the results, whatever the calls give: each goes into the answer. Of a checked plan its own, behind
    those of the request's plans before it."""
    said: NotRequired[list[dict[str, Any]]]
    """The forms that the reply or the remarks were rendered from (`Sayable.replies`): `[{"say": "ask", "what": ["name"]}]`."""
    noted: NotRequired[dict[str, list[str]]]
    """By tool: lines that stand below the terms of its calls where a person is asked. How the domain read the request: no terms."""
    replied: NotRequired[list[int]]
    """Numbers of the request's pieces that these forms are for, those of each; of a checked plan also of those before it."""
    context: NotRequired[list[int]]
    """Numbers of the pieces that ask for nothing; a model's plan has them. Of a checked plan also of those before it."""


class PlanningResult(Intent):
    """What a planner gives back."""

    tools: list[ToolCall]
    language: NotRequired[str]
    """ISO 639-1 code of the one to answer in, for a domain that is asked in any (`Domain.any_language`)."""


class Fit(TypedDict):
    """What the values of a call's references must fit, and what its nulls mean."""

    takes: dict[str, Any]
    """The shapes that fit (`shapes.Shape`), by position of the reference in the arguments: `units`, `lines.0.units`."""
    defaults: dict[str, Any]
    """By argument: the value if a reference leads to nothing."""
    nulls: NotRequired[list[str]]
    """Arguments that are null: any other null means that the argument was left out."""


class PlannedCall(ToolCall):
    """A call that passed the plan check: its literals checked and spelt by the tool's argument model."""

    effect: Effect
    plan: int
    """Number of the planning call that asked for it, from 1 in each request."""
    max_runs: NotRequired[int]
    """Most runs of it in the request; missing = `ledger.MAX_RUNS`."""
    fit: NotRequired[Fit]
    """Set where arguments hold references or nulls."""
    asks: NotRequired[bool]
    """Set where a person may be asked about it first."""
    elements: NotRequired[list[str]]
    """Of a call made for each element: its calls' ids, once they are counted. They run; it does not."""
    element_of: NotRequired[str]
    """Of one of these calls: the call it was made of; its `each` refers to the element."""


class Plan(Intent):
    """A checked `PlanningResult`."""

    number: int
    tools: list[PlannedCall]
    planner: str
    """`rules`, or the name of the planner that made it."""
    adapts: bool
    """Whether it answers issues of an earlier plan."""
    beside: NotRequired[str]
    """What its reads found, for the person who is asked about its write."""
    reported: NotRequired[dict[str, Any]]
    """What the model that made it reported of its call: `usage_metadata` and `response_metadata` of LangChain's messages; where
    the thread holds calls too."""
    asks_together: NotRequired[bool]
    """Whether the question about its next write is also about those behind it whose arguments are known."""
    unserved: NotRequired[list[int]]
    """Pieces that neither a call nor a form of the request serves and that are no context either; missing = nobody counts
    them, or a model still plans."""


class ToolError(TypedDict):
    code: str
    message: str
    retryable: bool
    limit: NotRequired[int]
    """The most that the tool would have accepted."""
    about: NotRequired[dict[str, Any]]
    """Values of the message."""


CARRIED = -1
"""The wave of a result carried over from a cut-off request, until it is checked in this one."""


class Handoff(TypedDict):
    """What a tool's Command says to the graph that the agent is part of."""

    goto: list[Any]
    """Names of its nodes; `{"node": …, "arg": …}` where one is sent what it gets."""
    update: dict[str, Any]
    """Of its state, as JSON."""


class ToolOutcome(TypedDict):
    """What became of one signature."""

    tool: str
    args: dict[str, Any]
    """Resolved."""
    status: CallStatus
    data: Any
    """The result as JSON; `{"artifact": <key>}` where it is large (see `ledger.data_of`)."""
    error: ToolError | None
    attempts: int
    """Tries inside the last run."""
    runs: int
    """How often this signature was started in this request; 0 = carried over or never started."""
    plan: int
    """Number of the plan that ran it last."""
    wave: int
    """The wave it ended in, from 1 in each request; 0 = none: skipped, or run by the request before."""
    elapsed_s: float
    signature: str
    doubted: NotRequired[bool]
    """A check found something wrong with the result: no write may build on it."""
    doubts: NotRequired[list[str]]
    """What that check found, as `call id|rule`: any other issue of the call is about an earlier run."""
    fault: NotRequired[ToolError]
    """A failure that a check found in the result of a good run: a failed call in all but its status."""
    unasked: NotRequired[bool]
    """A write of an MCP server's tool that is done though nobody has said yes to it: each answer names it."""
    update: NotRequired[dict[str, Any]]
    """What the tool's Command changes of the state, as JSON: `validate` applies it, once."""
    handoff: NotRequired[Handoff]
    direct: NotRequired[bool]
    """The result is the answer (`return_direct`)."""
    artifact: NotRequired[Any]
    """What the tool gave beside its result, for programs alone; as JSON, `{"artifact": <key>}` where it is large."""
    alone: NotRequired[bool]
    """A person's no that says nothing of the other writes: they were decided beside it, each by itself."""
    same_as: NotRequired[str]
    """Where outcomes are shown by call: the call of the same plan, with the same arguments, that was sent in its place."""


class Ledger(TypedDict):
    """Calls by id, outcomes by signature, large results by key: one request's memory."""

    calls: dict[str, PlannedCall]
    outcomes: dict[str, ToolOutcome]
    artifacts: dict[str, Any]


class ValidationIssue(TypedDict):
    """Something a check found. `rule` and `expected`/`actual` are for machines, `message` for people."""

    type: str
    """`error`, `timeout`, `no_availability`, `unexpected_data`, `unchecked` (a check failed), `unsatisfied`,
    `broken_plan`, or the domain's own."""
    tool_id: str
    message: str
    severity: Severity
    rule: str
    expected: NotRequired[Any]
    actual: NotRequired[Any]
    about: NotRequired[dict[str, Any]]
    """Whom, what, when it is about, in the domain's own words: `{"nurse_id": …, "date": …}`."""


class ValidationResult(TypedDict):
    is_valid: bool
    """False for any open issue, even if no budget is left to fix it."""
    needs_adaptation: bool
    issues: list[ValidationIssue]
    feedback: str
    suggestions: list[str]
    details: NotRequired[dict[str, Any]]
    """The domain's report on its work so far (`Checks.report`)."""


class Feedback(TypedDict):
    """What goes back to `plan`, always in this form."""

    source: Literal["plan", "results", "answer"]
    issues: list[ValidationIssue]
    details: NotRequired[dict[str, Any]]
    """As of the validation that sent it."""


class Criterion(TypedDict):
    name: str
    """Of a judge's verdict once for each gap."""
    verdict: Literal["pass", "fail"]
    gap: str | None
    """What is missing; set when the verdict is `fail`."""
    by: NotRequired[str | None]
    """What would mend it, as a judge says: a tool's name, a statement's id, `words`; None = nothing. Absent where a rule
    failed it."""
    unanswered: NotRequired[list[str]]
    """Words of the request that nothing answers, where no other words mend it."""


class AnswerCheck(TypedDict):
    satisfied: bool
    reasoning: str
    criteria: list[Criterion]
    checked_by: str
    """`rules`, a model's name, `unavailable` (the judge failed, or one of the rules: those that worked have spoken), or
    `off`."""


class AnswerFailure(TypedDict):
    """One criterion that an attempt at the answer failed."""

    attempt: int
    """From 1."""
    criterion: str
    gap: str
    checked_by: str
    by: NotRequired[str | None]
    """As of the criterion."""


class ModelUse(TypedDict):
    """What one model was used for in one role, as far as its provider reports it."""

    calls: int
    """Those that failed too."""
    input: int
    """Tokens, cached ones included."""
    output: int
    """Tokens, those of reasoning included."""
    cached: int
    reasoning: int


Usage = dict[str, ModelUse]
"""By role and model: `planner gpt-5-mini`."""


class Heard(TypedDict):
    """The newest message that began a request."""

    id: str
    text: str
    number: int
    """Position of its request in the thread, from 1."""


class Request(Heard):
    """One human message and what is fixed for answering it."""

    language: str
    """ISO 639-1 code of the answer's language."""
    unread: NotRequired[int]
    """Characters of a message that came with it and is too long to read; missing = none is."""
    too_many: NotRequired[int]
    """Messages that came at once, where they are too many to read."""


class Terms(TypedDict):
    """What a person agrees to."""

    details: dict[str, Any]
    """Everything that counts, as JSON: who, what, when, for how much. Nothing that moves by itself, such as a clock."""
    valid_until: str | None
    """Until when the terms are kept for this call (ISO, UTC); None = nothing is kept."""
    kept: NotRequired[bool]
    """False = what is usually kept for such a call cannot be kept for this one: the question says so."""
    why_not_kept: NotRequired[dict[str, str]]
    """By language, why, and the way out."""


class Asked(TypedDict):
    """One call a person is asked about."""

    call: str
    tool: str
    args: dict[str, Any]
    """Resolved."""
    terms: Terms
    terms_hash: str
    number: int
    """How often this call has been asked about, from 1."""
    decision: Literal["approve", "reject"] | None
    reason: str
    """Why it was rejected."""
    decided_by: NotRequired[str]
    """Identity of who decided, on a server that knows its users."""
    changed_from: NotRequired[dict[str, Any] | None]
    """`args` and the terms' `details` of the last question, if they have changed since."""
    settings: NotRequired[dict[str, Any]]
    """Settings of the run that asked: a later run's do not change who has to agree."""
    once: NotRequired[str]
    """Set where the answer holds for all calls of the tool: the form that it was in (`Approval.once`)."""


class Reply(TypedDict, total=False):
    """What words that came as a new message are to a waiting question: an answer, or no answer to it."""

    answer: dict[str, Any]
    """As `approval.Answer`, with the words."""
    others: list[dict[str, Any]]
    """To the other writes of the question, in order; missing = none."""
    message_id: str
    refused: str
    """Why they are not taken, for the question that is put again; empty = it is put again as it was."""


class Replaced(TypedDict):
    """A question that another one replaced."""

    terms_hash: str
    by_asker: bool


class PastRequest(TypedDict):
    """What remains of a request when the next one begins."""

    request: Request
    plan: Plan | None
    ledger: Ledger
    outcome: Outcome | None
    """None = it was cut off."""
    approvals: NotRequired[dict[str, Asked]]
    """Questions left unanswered, by signature."""
    earlier: NotRequired["PastRequest"]
    """Where it had no calls: the last one before it that had some."""


def with_calls(previous: PastRequest | None) -> PastRequest | None:
    """The last request before this one that had calls; one without any where none had."""
    return previous and previous.get("earlier", previous)


class SentWrite(TypedDict):
    """A write of this thread, as it was last sent."""

    request_id: str
    tool: str
    args: dict[str, Any]
    """Resolved."""
    at: str
    """When it ended; ISO, UTC."""
    happened: bool
    """False = it failed or was cut short, and may have happened all the same."""
    told: str
    """What it gave back, as JSON, or its error; shortened. Of a write in `done_writes` its reference."""


class WaveCall(TypedDict):
    """The payload of one `execute_wave` task: never the whole state."""

    tool_call: NotRequired[dict[str, str]]
    """The call's id, by which LangGraph's streams tell what an agent inside works for."""

    request_id: str
    wave: int
    call: PlannedCall
    """With its references resolved."""
    signature: str
    run: int
    """Which run of this signature this is, from 1."""
    attempts: int
    """Most tries inside the run."""
    timeout_s: float
    approval: Asked | None
    """What a person was asked about this call."""
    settings: NotRequired[dict[str, Any]]
    """The settings the request was opened with."""
    sent_before: NotRequired[SentWrite | None]
    """The same write, if an earlier request of the thread has sent it and nothing can look it up."""
    done_before: NotRequired[list[str]]
    """References of what earlier requests of the thread did with this tool, where its approval tells such writes."""
    only_asks: NotRequired[bool]
    """Whether it is not its turn: its terms are prepared for the question about a write before it."""
    agreed: NotRequired[str]
    """The form of the tool that a person of this thread has agreed to once for all its calls."""


def new_issue(
    kind: str, call_id: str, message: str, rule: str, *, severity: Severity = "critical", **facts: Any
) -> ValidationIssue:
    issue: ValidationIssue = {"type": kind, "tool_id": call_id, "message": message, "severity": severity, "rule": rule}
    issue.update(facts)  # type: ignore[typeddict-item]
    return issue


def empty_ledger() -> Ledger:
    return {"calls": {}, "outcomes": {}, "artifacts": {}}


def merge_ledgers(left: Ledger, right: Ledger) -> Ledger:
    """Merge by key; the later plan's call, once its elements are counted, and the later run's outcome win, of one run the
    checked one.

    The writes of one super-step have no promised order and may be replayed from a checkpoint: so
    commutative, associative, idempotent, no clock, no fresh ids.
    """
    left, right = left or empty_ledger(), right or empty_ledger()
    if not any(right.values()):
        return left
    return {
        "calls": _merge(left.get("calls", {}), right.get("calls", {}), lambda call: (call["plan"], "elements" in call)),
        "outcomes": _merge(
            left.get("outcomes", {}),
            right.get("outcomes", {}),
            lambda each: (each["runs"], each["wave"], each.get("doubted", False)),
        ),
        "artifacts": {**left.get("artifacts", {}), **right.get("artifacts", {})},
    }


def merge_approvals(left: dict[str, Asked], right: dict[str, Asked]) -> dict[str, Asked]:
    """Merge by signature; the later question wins, and of one question the answered state."""
    return _merge(left or {}, right or {}, lambda asked: (asked["number"], asked["decision"] is not None))


MOST_SENT = 50
"""Writes that a thread remembers."""


def merge_sent(left: dict[str, SentWrite], right: dict[str, SentWrite]) -> dict[str, SentWrite]:
    """Merge by signature; the later one wins, and the latest `MOST_SENT` remain."""
    merged = _merge(left or {}, right or {}, lambda sent: (sent["at"], sent["request_id"]))
    latest = sorted(merged, key=lambda key: (merged[key]["at"], key))[-MOST_SENT:]
    return {key: merged[key] for key in merged if key in latest}


def merge_times(left: dict[str, float], right: dict[str, float]) -> dict[str, float]:
    """Merge active seconds by step; parallel calls of one wave share a step and count once, by the longest."""
    return {**left, **{step: max(left.get(step, 0.0), seconds) for step, seconds in right.items()}}


def _merge(left: Mapping[str, _T], right: Mapping[str, _T], rank: Callable[[_T], Any]) -> dict[str, _T]:
    both = {name: _higher(left[name], value, rank) for name, value in right.items() if name in left}
    return {**left, **right, **both}


def _higher(one: _T, other: _T, rank: Callable[[_T], Any]) -> _T:
    """The one that ranks higher; of equal ranks the one with the higher spelling, whichever side it stands on."""
    if one is other:
        return one
    if (rank_one := rank(one)) != (rank_other := rank(other)):
        return one if rank_one > rank_other else other
    return max(one, other, key=lambda value: json.dumps(value, sort_keys=True, default=str))


class HumanMessage(TypedDict):
    """What a person said."""

    type: Literal["human"]
    content: str | list[dict[str, Any]]
    """Text, or content blocks."""
    id: NotRequired[str | None]


class AIMessage(TypedDict):
    """What the agent answered."""

    type: Literal["ai"]
    content: str | list[dict[str, Any]]
    id: NotRequired[str | None]


class _ShortMessagesSchema:
    """What a caller has to know of messages, in 1 kB: LangChain's own schema of them takes 20.

    The server and Studio know messages by `langgraph_type`, and by definitions of LangChain's names: MCP
    then offers one string instead of a list.
    """

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(TypeAdapter(list[HumanMessage | AIMessage]).core_schema)
        about = "The conversation; the last human message is the request. `role: user` serves as well as `type: human`"
        return {**schema, "description": about, "langgraph_type": "messages"}


_WHOLE = "wavegraph_length"
"""Marks a message that was cut, with the length it had."""
_ROOM_FOR_NOTE = 60


def message_length(message: AnyMessage) -> int:
    """Characters of a message's text as it was written, before it was cut."""
    written = message.additional_kwargs.get(_WHOLE)
    return max(len(str(message.text)), written if isinstance(written, int) else 0)


def key_of(text: str) -> str:
    """The key that a text is known by: of a thread's id where a store keeps what tells nobody whose it was, such as counts
    that outlive the thread; of what a person agrees to; of a sending; of a large result."""
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def whole_text(text: str) -> str:
    """The text without halves of characters, which nothing can store: two are joined, a lone one becomes `�`."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def with_texts(content: Any, change: Callable[[str], str]) -> Any:
    """A message's content with its texts changed, also those among other blocks."""
    if isinstance(content, list):
        return [with_texts(block, change) for block in content]
    if isinstance(content, str):
        return change(content)
    return {**content, "text": change(content["text"])} if isinstance(content.get("text"), str) else content


def cut_message(message: AnyMessage) -> AnyMessage:
    """The message as it is stored: a human one without halves of characters; one with more text than is kept is the beginning
    of its text, with a note of what is missing."""
    if not isinstance(message, SpokenMessage):
        return message
    given = message.content
    if isinstance(given, str) and given.isascii() and len(given) <= MOST_MESSAGE_CHARS:  # most are; a thread has many
        return message
    if (whole := with_texts(given, whole_text)) != given:
        message = message.model_copy(update={"content": whole})
    if len(str(message.text)) <= MOST_MESSAGE_CHARS:
        return message
    length, kept = message_length(message), MOST_MESSAGE_CHARS - _ROOM_FOR_NOTE
    content = f"{message.text[:kept]}\n[cut: {length - kept:,} more characters]"
    marked = {**message.additional_kwargs, _WHOLE: length}
    return message.model_copy(update={"content": content, "additional_kwargs": marked})


class _MessagesChannel(DeltaChannel[list[AnyMessage]]):
    """Cuts messages that are too long. It keeps the short schema, which a plain DeltaChannel strips: the server shows the
    state by it."""

    @property
    def UpdateType(self) -> Any:
        return Annotated[list[AnyMessage], _ShortMessagesSchema]

    def update(self, values: Sequence[Any]) -> bool:
        if not values:  # after each super-step, every channel is asked
            return False
        for value in values:
            if isinstance(value, list):  # also in its place: LangGraph stores an input after this, as it was given
                value[:] = map(cut_message, value)
        known = {*map(id, self.value)} if isinstance(self.value, list) else set()
        changed = super().update(values)
        self.value = [each if id(each) in known else cut_message(each) for each in self.value]
        return changed


# A checkpoint of a plain channel holds all messages so far: a thread's storage would grow with its square. Of this one
# it holds what is new, and all of them every hundredth time. The reducer is LangGraph's own, and private: only of that
# one LangGraph knows that strings and dicts are messages too, which need ids before they are stored. This line is the
# switch: with `add_messages` in its place everything works, and old threads stay readable either way.
Messages = Annotated[list[AnyMessage], _ShortMessagesSchema, _MessagesChannel(messages_delta_reducer)]


class InputState(TypedDict):
    """What a caller gives: messages; the last human one is the request."""

    messages: Messages


class Figures(TypedDict, total=False):
    """A request's figures: for the caller and its record; `request.records` computes the untracked ones."""

    answer: str
    """What the person is told."""
    outcome: Outcome | None
    """How the request ended: answered, partial, clarify, refused, awaiting_approval, cancelled or failed."""
    action: Annotated[str, UntrackedValue(str)]
    """What the last plan did, in a word."""
    reasoning: Annotated[str, UntrackedValue(str)]
    """Why, in the planner's words."""
    slots: Annotated[dict[str, Any], UntrackedValue(dict)]
    """What was understood of the request."""
    tools: Annotated[list[str], UntrackedValue(list)]
    """Names of the tools that ran, in order."""
    issues: list[ValidationIssue]
    """All that was found in this request, in order."""
    waves: int
    """Waves of calls that ran."""
    adaptations: int
    """Plans that mended issues."""
    tools_executed: Annotated[int, UntrackedValue(int)]
    """Runs of tools."""
    llm_calls: Annotated[int, UntrackedValue(int)]
    """Calls of models."""
    llm_tokens: Annotated[dict[str, int], UntrackedValue(dict)]
    """Tokens of models, in and out."""
    usage: Usage
    """Calls and tokens by role and model."""
    answer_check: AnswerCheck
    """The last verdict."""
    planner: Annotated[str, UntrackedValue(str)]
    """Who planned last: a model's name, or `rules`."""
    elapsed_s: Annotated[float, UntrackedValue(float)]
    """Active seconds: waiting for a person does not count."""


class OutputState(Figures, total=False):
    """What a caller gets. The untracked fields are views of plan and ledger, so checkpoints skip them."""

    messages: Messages
    """The conversation; the answer is the last one."""
    plan: Plan
    """The last plan."""
    results: Annotated[dict[str, Any], UntrackedValue(dict)]
    """Call id to `ToolOutcome`, data in full."""
    unsupported: list[str]
    """Figures of the answer for which no source was found, as written; missing = none."""


_Resolved = TypedDict("_Resolved", {RESOLVED: Annotated[str, EphemeralValue(str)]}, total=False)  # type: ignore[misc]
"""Set for the one step in which a front end marks the thread as resolved."""


class Work(TypedDict, total=False):
    """The counters and flags of a request's work: one record where it is stored, fields of the state to nodes and routers.
    Calls of a wave and clients write none of it."""

    planning_calls: int
    feedback: Feedback | None
    second_looks: list[str]
    """Rules by which a plan of this request was sent back that could have run: the next one stands."""
    broken_plans: list[ValidationIssue]
    """Why plans of this request could not run."""
    issue_counts: dict[str, int]
    """How often each `rule|signature` was raised in this request."""
    limits_hit: list[str]
    model_down: bool
    """Whether a model stayed down in this request, so that the rules took over."""
    replaced: list[Replaced]
    """Waiting questions that a write of this request replaced."""
    reply: Reply | None
    """The new message that answers what waits, until `approve` has read it."""
    message_id: str
    """Id of the answer's message; a rewrite keeps it."""
    notes: str
    """The engine's note at the end of the answer, about writes that wait; not checked as a claim."""
    told: list[str]
    """Ids of the statements that the answer consists of, in order; empty = it does not consist of any."""
    templated: bool
    """Whether the domain's templates wrote the answer, also in the place of a model that told nothing."""
    unworded: bool
    """Whether there is no answer, or none in words."""
    is_repeated: bool
    """Whether the answer is word for word the one that was checked before."""
    struck: list[str]
    """Sentences of the answer that no statement bore out."""
    answer_failures: list[AnswerFailure]
    """Of all attempts, in order."""
    answer_replans: int
    rewrites: int
    """How often the answer was sent back to `respond`."""


class StructuredOutput(OutputState, total=False):
    """What a caller of an agent gets whose answers are also given in a form."""

    structured_response: Annotated[Any, UntrackedValue(object)]
    """As the form's own type; None = there is no answer to take it from, or no model to fill it in."""
    unsupported_fields: Annotated[list[str], UntrackedValue(list)]
    """The places in it, such as `seats[0].price`, whose figures have no source."""


class StoredState(StructuredOutput, _Resolved, total=False):
    """The whole state as LangGraph stores it. One writer per plain field; `ledger`, `approvals`, `sent_writes`, `done_writes`
    and `times` merge parallel writes. Those of `DEFAULTS` may be missing."""

    version: int
    """`STATE_VERSION` of the program that opened the request; missing in threads from before there was one."""
    request: Request
    heard: Heard | None
    """The newest message that began a request; None = that of `request`."""
    settings: dict[str, Any]
    """The settings explicitly given when the request was opened: a run that continues it need not repeat them."""
    limits: dict[str, Any]
    """The request's `Limits`, by name."""
    previous: PastRequest | None
    ledger: Annotated[Ledger, merge_ledgers]
    approvals: Annotated[dict[str, Asked], merge_approvals]
    """What a person was asked in this request, by signature."""
    sent_writes: Annotated[dict[str, SentWrite], merge_sent]
    """Writes of the thread's requests that nothing can look up, by signature; missing in older threads."""
    done_writes: Annotated[dict[str, SentWrite], merge_sent]
    """Writes of the thread's requests that happened, of tools whose approval tells what is like them, by signature, each with
    the reference of its receipt; missing in older threads."""
    agreed_reads: dict[str, str]
    """Reads that a person of this thread was asked about once and agreed to, with the form that each was in; missing in
    older threads."""
    set_aside: list[dict[str, Any]]
    """Requests whose write waits for a person while others are answered, oldest first: their own fields of the state."""
    validation: ValidationResult
    untraced_answers: list[str]
    """Ids of the thread's answers that went out though their claims were not traced, the latest; missing in older threads."""
    times: Annotated[dict[str, float], merge_times]
    work: Work
    remaining_steps: RemainingSteps


_KINDS = get_type_hints(StoredState, include_extras=True)
KEYS = frozenset(_KINDS)
"""Those that every agent's threads have."""


def _part_of_state(name: str, fields: Iterable[str]) -> Any:
    """The stored state with these fields alone: each field that is read costs each step."""
    return TypedDict(name, {field: _KINDS[field] for field in fields})  # type: ignore[operator]


NodeState = _part_of_state(
    "NodeState",
    (
        name
        for name, kind in _KINDS.items()
        if not any(isinstance(each, UntrackedValue) for each in getattr(kind, "__metadata__", ()))
    ),
)
"""As nodes read it: without the views."""
RoutedState = _part_of_state("RoutedState", (
    "messages", "plan", "outcome", "waves", "request", "heard", "settings", "limits", "ledger", "approvals", "sent_writes",
    "done_writes", "agreed_reads", "set_aside", "times", "work",
))  # fmt: skip
"""As routers read it."""
EndedState = _part_of_state("EndedState", ("outcome", "unsupported", "set_aside", "agreed_reads", "work"))
"""As the router behind the check reads it."""


class AgentState(StoredState, Work, total=False):
    """The whole state as nodes and routers see it: the fields of `work` are its own, none is missing that has a default."""


def is_undecided(asked: Asked | None, state: AgentState) -> bool:
    """Whether a person has to answer it still: of a tool that is asked about once, the first answer is to all its calls."""
    if asked is None or asked["decision"] is not None:
        return False
    form = asked.get("once")
    decided = (each for each in state.get("approvals", {}).values() if each["decision"] is not None)
    agreed = state.get("agreed_reads", {}).get(asked["tool"])
    return form is None or not (agreed == form or any(each.get("once") == form for each in decided))


WORK: Mapping[str, Any] = {
    "planning_calls": 0,
    "feedback": None,
    "second_looks": [],
    "broken_plans": [],
    "issue_counts": {},
    "limits_hit": [],
    "model_down": False,
    "replaced": [],
    "reply": None,
    "message_id": "",
    "notes": "",
    "told": [],
    "templated": False,
    "unworded": False,
    "is_repeated": False,
    "struck": [],
    "answer_failures": [],
    "answer_replans": 0,
    "rewrites": 0,
}
"""`Work` as a request begins."""
DEFAULTS: Mapping[str, Any] = {
    "settings": {},
    "previous": None,
    "heard": None,
    "set_aside": [],
    "unsupported": [],
    **WORK,
}
"""Fields of the engine's own as a request begins. They are stored only where they differ: a request that goes well writes
few of them, and each field that is written costs every later step."""


def with_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """The state, as nodes see it, of which these are the stored values."""
    return {**DEFAULTS, **values.get("work", {}), "work": {}, **values}


_NOTHING_MERGED: Mapping[str, Any] = {
    "messages": [], "ledger": empty_ledger(), "approvals": {}, "sent_writes": {}, "done_writes": {}, "times": {},
}  # fmt: skip
"""Updates that change nothing of the fields that merge theirs."""


def as_written(update: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The update as it is stored: without what the state holds already, and its `Work` as the one record. What goes on with
    a request of an earlier version makes it this one's: the program before could not read it any more."""
    before = {**state, **_NOTHING_MERGED}
    news = {name: value for name, value in update.items() if name not in before or value != before[name]}
    if state.get("version") != STATE_VERSION and state.get("request"):
        news.setdefault("version", STATE_VERSION)
    if own := {name: news.pop(name) for name in WORK.keys() & news.keys()}:
        work = {**state["work"], **own}
        news["work"] = {name: value for name, value in work.items() if name in WORK and value != WORK[name]}
    return news


GONE = frozenset({*WORK, "judged_answer", "answer_validation_failed", "validation_failure_reason"})
"""Fields that earlier versions stored by themselves: those of `WORK` in its record now, the others not at all."""


SHOWN = (*StructuredOutput.__annotations__, "validation", "approvals", "ledger")
"""Fields that a client sees of a thread: the output, and what an open page needs to draw the work after a reload. The
others are the engine's own: `build.whole_state` shows them."""
