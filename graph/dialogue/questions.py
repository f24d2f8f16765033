"""What waits for a person: which request it belongs to, and the question before a write, with its terms in words, what changed in
them, and how to answer.

A request whose write waits is set aside while other requests are answered, then taken up again. The write outlives them: it keeps
its plan, results, terms and hold, and is asked about again after each of them.
"""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from langchain_core.messages import AIMessage
from langgraph.types import Overwrite

from wavegraph.graph.answer.words import asks
from wavegraph.graph.approval import ActionRequest, Approval, Question, ReviewConfig, TermsChange
from wavegraph.graph.dialogue.messages import ends_with, is_rivalled, reply, shown_last
from wavegraph.graph.dialogue.messages import question as question_message
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import excerpt
from wavegraph.graph.execution.receipts import news, unasked_writes
from wavegraph.graph.execution.write import approval_for, history_text
from wavegraph.graph.language import answering, say
from wavegraph.graph.ledger import GOOD, changes_asked, results
from wavegraph.graph.limits import asked_step, work_ended
from wavegraph.graph.ready import PlanStep, each_once, unfinished
from wavegraph.graph.references.paths import parts_of
from wavegraph.graph.settings import as_stored, given
from wavegraph.graph.state import AgentState, Asked, Heard, Plan, key_of, merge_approvals, merge_ledgers

_OF_THE_THREAD = frozenset({"version", "heard", "set_aside", "reply"})
"""Fields that a new request writes but that belong to the thread."""


def is_waiting(state: AgentState) -> bool:
    """Whether the request being worked on waits for a person."""
    return (
        state.get("outcome") is None and bool(state.get("plan")) and not work_ended(state) and bool(asked_step(state))
    )


def held_requests(state: AgentState, fields: Collection[str]) -> list[dict[str, Any]]:
    """What is set aside when a request begins that writes `fields`: what already was, and the one that waits now."""
    before = state.get("set_aside") or []
    if not is_waiting(state):
        return before
    own: Mapping[str, Any] = state
    return [*before, {name: own[name] for name in fields if name in own and name not in _OF_THE_THREAD}]


def asking(state: AgentState) -> AgentState:
    """The state of the request that a person is asked about now: this one, or the latest set aside."""
    if is_waiting(state) or not state.get("set_aside"):
        return state
    return cast(AgentState, {**state, **state["set_aside"][-1], "heard": newest_heard(state)})


def newest_heard(state: Mapping[str, Any]) -> Heard | None:
    """The newest message that began a request; None = none has."""
    if heard := state.get("heard"):
        return cast(Heard, heard)
    request = state.get("request")
    return {"id": request["id"], "text": request["text"], "number": request["number"]} if request else None


def asked_now(state: AgentState) -> tuple[PlanStep, Asked] | None:
    """The waiting call and its question; None = nothing waits."""
    return _open_question(asking(state))


def asked_aside(state: AgentState) -> list[Asked]:
    """What waits beside the request being worked on, oldest first."""
    if not (aside := state.get("set_aside")):
        return []
    agreed = {"agreed_reads": state.get("agreed_reads", {})}
    found = (_open_question(cast(AgentState, {**own, **agreed})) for own in aside)
    return [waits[1] for waits in found if waits]


def _open_question(held: AgentState) -> tuple[PlanStep, Asked] | None:
    step = asked_step(held) if held.get("plan") else None
    return (step, held["approvals"][step.signature]) if step else None


def taken_up(state: AgentState, update: Mapping[str, Any]) -> dict[str, Any]:
    """`update` for the request that is asked about; one that was set aside returns to the state."""
    if is_waiting(state) or not state.get("set_aside"):
        return dict(update)
    own = state["set_aside"][-1]
    merged = {
        "ledger": Overwrite(merge_ledgers(own["ledger"], update.get("ledger", {}))),
        "approvals": Overwrite(merge_approvals(own["approvals"], update.get("approvals", {}))),
        "times": Overwrite(own.get("times", {})),
    }
    return {**own, **update, **merged, "set_aside": state["set_aside"][:-1], "heard": newest_heard(state)}


def put_again(state: AgentState, words: str, name: str, message_id: str | None, problem: str = "") -> dict[str, Any]:
    """The update that has the question put again after words that do not agree to it; `problem`: why they do not."""
    return {**taken_up(state, {}), "reply": {"refused": problem}, "messages": [reply(words, name, message_id)]}


# The question

_CODE_LETTERS = 6
LONG_TERMS = 400
"""Characters. Longer terms are agreed to by their code, and shown again by their headline: nobody reads them before each
yes."""
_LONGEST_HEADLINE = 200


def approval_of(asked: Asked, domain: Domain) -> Approval:
    """Raises SettingsError if the thread belongs to another agent."""
    return approval_for(domain.tool(asked["tool"]))


def asked_settings(asked: Asked, settings: Any) -> Any:
    """The settings of the run that first asked: a later run may not choose who answers."""
    own = asked.get("settings")
    if own is None:
        return settings
    return type(settings).model_validate({"today": settings.today, **as_stored(own, type(settings))})


def is_by_asker(asked: Asked, domain: Domain, settings: Any) -> bool:
    """Whether the person who made the request also approves it."""
    return approval_of(asked, domain).by_asker(asked_settings(asked, settings))


def question_about(
    asked: Asked,
    held: AgentState,
    domain: Domain,
    settings: Any,
    problem: str | None = None,
    *,
    shown: bool = True,
    others: Sequence[str] = (),
    repeated_in: str | None = None,
    rivalled: bool = False,
    along: Sequence[tuple[Asked, Question]] = (),
) -> Question:
    """`held`: the request that the call belongs to; `settings`: those it was asked with. `others`: a line for each other write
    that the person is asked about. `repeated_in`: the language of the other request that it stands behind. `rivalled`: as in
    `Question`. `along`: on the other writes that it is about."""
    approval = approval_of(asked, domain)
    details = asked["terms"]["details"]
    # A question that replaces somebody else's is also theirs, whatever the later request set.
    by_asker = approval.by_asker(settings) and all(each["by_asker"] for each in held.get("replaced") or [])
    own = held["request"]["language"]
    language = repeated_in if repeated_in and by_asker else own
    terms = approval.restate(details, language)
    alike = filter(None, [approval.told_alike(details, language)])
    plan: Mapping[str, Any] = held.get("plan") or {}
    readings = plan.get("noted", {}).get(asked["tool"], []) if language == own else []
    summary = "\n".join([terms, *alike, *readings])
    may_change = approval.changes and not changes_asked(held["ledger"], asked["tool"])
    before = asked.get("changed_from")
    changed = _change(before, asked, approval, language) if before is not None else None
    choices = {name: choice.labels.get(language, choice.label) for name, choice in approval.choices.items()}
    is_long = len(terms) > LONG_TERMS
    languages = domain.answered_in(language)
    is_again = changed or asked["number"] > 1
    must_name = is_long or not answering(languages) or approval.by_code(details)
    is_unclear = must_name or is_again or (by_asker and (rivalled or not shown))
    code = f" {code_of(asked)}" if is_unclear else ""
    of_all = key_of("".join(each["terms_hash"] for each in (asked, *(other for other, _ in along))))[:_CODE_LETTERS]

    def text(terms: str, along: Sequence[tuple[Asked, Question]]) -> str:
        parts = [
            *news("", held["ledger"], domain, language, stood_in=True),  # now, since the answer may be a day away
            unasked_writes(held["ledger"], held.get("previous"), language),
            plan.get("beside", "") if language == own and not repeated_in else "",
            *_terms_in_full(asked, terms, changed, language),
            _on_replaced(held, by_asker and not (code or problem), language),
            "\n".join(others),
            say("asked_along", language) if along else "",
            *chain.from_iterable(
                _terms_in_full(other, f"{number}. {each['summary']}", each["changed"], language)
                for number, (other, each) in enumerate(along, 2)
            ),
            say("next_follows", language) if by_asker and _has_more(asked, held) else "",
            _closing(choices, by_asker, language, code),
            say("all_question", language, words=f"{say('yes_to_all', language)} {of_all}", count=1 + len(along))
            if along and by_asker
            else "",
        ]
        return "\n\n".join(part for part in parts if part)

    terms_again = _headline(asked, domain, language) if is_long and repeated_in and by_asker else summary
    alone: ActionRequest = {"name": asked["tool"], "args": asked["args"], "description": text(summary, ())}
    review: ReviewConfig = {"action_name": asked["tool"], "allowed_decisions": [*approval.decisions]}
    question: Question = {
        "kind": "approval",
        "call": asked["call"],
        "tool": asked["tool"],
        "args": asked["args"],
        "terms": details,
        "terms_hash": asked["terms_hash"],
        "valid_until": asked["terms"]["valid_until"],
        "summary": summary,
        "text": text(terms_again, along),
        "shown": shown and by_asker,
        "rivalled": rivalled and by_asker,
        "languages": languages,
        "agree_with": f"yes{code}",
        "by_asker": by_asker,
        "settings": as_stored(asked["settings"], type(settings)) if "settings" in asked else given(settings),
        "choices": choices,
        "changes": approval.changes.model_json_schema() if approval.changes and may_change else None,
        "yes": list(approval.yes),
        "no": list(approval.no),
        "changed": changed,
        "problem": problem,
        "action_requests": [alone, *(request for _, each in along for request in each["action_requests"])],
        "review_configs": [review, *(config for _, each in along for config in each["review_configs"])],
    }
    if not along:
        return question
    agrees = [*question["yes"], say("yes_to_all", language)]
    return {**question, "along": [each for _, each in along], "agree_to_all": of_all, "yes": agrees}


def asked_together(held: AgentState, domain: Domain, settings: Any) -> list[tuple[PlanStep, Asked]]:
    """The writes behind the one that waits that the same question is about: the same person decides them."""
    first, approvals = asked_step(held), held["approvals"]
    if first is None or not held["plan"].get("asks_together"):
        return []
    left = each_once(unfinished(held["plan"], held["ledger"]))
    behind = [step for step in left if step.signature != first.signature]
    known = [(step, asked) for step in behind if (asked := approvals.get(step.signature)) and "once" not in asked]
    found = [(step, asked) for step, asked in known if asked["decision"] is None]
    theirs = is_by_asker(approvals[first.signature], domain, settings)
    return [(step, asked) for step, asked in found if is_by_asker(asked, domain, settings) is theirs]


def _terms_in_full(asked: Asked, terms: str, changed: TermsChange | None, language: str) -> list[str]:
    """The terms in words, with all that a yes to them must know."""
    return [
        terms,
        history_text(asked["terms"]["details"], language),
        "" if asked["terms"].get("kept", True) else say("not_kept", language),
        asked["terms"].get("why_not_kept", {}).get(language, ""),
        _change_text(changed, language),
    ]


def _has_more(asked: Asked, held: AgentState) -> bool:
    """Whether the request asks for other writes of the same kind, which are asked about after this one, one by one."""
    plan: Mapping[str, Any] = held.get("plan") or {}
    if plan.get("asks_together"):
        return False
    ended = results(held["ledger"])
    return any(
        call["tool"] == asked["tool"] and name != asked["call"] and name not in ended and "each" not in call
        for name, call in held["ledger"]["calls"].items()
    )


def open_question(
    state: AgentState, domain: Domain, settings: Any, problem: str | None = None, *, showing: bool = False
) -> Question | None:
    """What a person is asked now, or again after a stopped request; None = nothing waits.

    `settings`: of the run. `showing`: it is being put at the end of the conversation.
    """
    waits = asked_now(state) if state.get("request") else None
    if waits is None:
        return None
    asked, held = waits[1], asking(state)
    own, approval = asked_settings(asked, settings), approval_of(asked, domain)
    repeated_in = None if is_waiting(state) else state["request"]["language"]
    language = repeated_in or held["request"]["language"]
    # what the request that it stands behind has found: a yes should know of it, and may be meant for it
    found = [o for o in results(state["ledger"]).values() if o["status"] in GOOD] if repeated_in else []
    since = approval.since(asked["terms"]["details"], [o["data"] for o in found], language) if repeated_in else ""
    is_offered = any(o["tool"] in approval.rivals for o in found)
    before = state["messages"][:-1] if is_answered(state) else state["messages"]
    return question_about(
        asked,
        held,
        domain,
        own,
        problem,
        shown=showing or shown_last(before, asked["terms_hash"]) is not None,
        others=[
            *filter(None, [since]),
            *(
                _still_waits(each, domain, settings, language)
                for each in asked_aside(state)
                if each is not asked and is_by_asker(each, domain, settings)
            ),
        ],
        repeated_in=repeated_in,
        along=[
            (each, question_about(each, held, domain, own, repeated_in=repeated_in))
            for _, each in asked_together(held, domain, settings)
        ],
        rivalled=is_offered or is_rivalled(state["messages"], asked["terms_hash"]),
    )


def is_answered(state: AgentState) -> bool:
    """Whether the answer to the question that waits came as a new message and is still to be read."""
    return "answer" in (state.get("reply") or {})


def showing(state: AgentState, domain: Domain, settings: Any, problem: str | None = None) -> list[AIMessage]:
    """The open question as a message for the end of the conversation; none if it stands there already, or if somebody else
    would only be asked again."""
    question = open_question(state, domain, settings, problem, showing=True)
    if question is None or (not question["by_asker"] and not is_waiting(state)):
        return []
    if ends_with(state["messages"], question["terms_hash"]):
        return []
    return [
        question_message(
            question_text(question), question["terms_hash"], state["messages"], rivalled=question["rivalled"]
        )
    ]


def is_asked_next(state: AgentState, domain: Domain, settings: Any) -> bool:
    """Whether the person who asks is also asked about a write that waits beside the request: then its question follows the
    answer, which asks nothing else."""
    aside = asked_aside(state)
    return bool(aside) and is_by_asker(aside[-1], domain, settings)


def asks_back(made: Plan) -> bool:
    """Whether a plan asks the person what it needs, so that its answer cannot leave the question out."""
    return made["action"] == "clarify" or (not made["tools"] and asks(made["reply"] or ""))


def question_text(question: Question) -> str:
    """The question as a person reads it, after the reason the last answer was not accepted, if any."""
    return "\n\n".join(part for part in (question["problem"], question["text"]) if part)


def code_of(asked: Asked | Question) -> str:
    """The code by which a person names the terms they agree to."""
    return asked["terms_hash"][:_CODE_LETTERS]


def _closing(choices: Mapping[str, str], by_asker: bool, language: str, code: str) -> str:
    """`code`: of the terms, behind a space; empty = a plain yes agrees."""
    closing = say("approval_question" if by_asker else "approval_elsewhere", language, code=code)
    if not (choices and by_asker):
        return closing
    listed = ", ".join(f"“{name}{code}”: {label}" for name, label in choices.items())
    return f"{closing} {say('approval_choices', language, choices=listed)}"


def _replacement_note(held: AgentState, language: str) -> str:
    """The sentence that this replaces an earlier question, or that nothing is asked in its place; empty if the same terms are
    asked about again."""
    before = [each["terms_hash"] for each in held.get("replaced") or []]
    again = {asked["terms_hash"] for asked in held["approvals"].values()}
    key = "replaced" if again else "closed"
    return say(key, language) if before and again.isdisjoint(before) else ""


def _on_replaced(held: AgentState, by_plain_yes: bool, language: str) -> str:
    """What a request's first question says of those that it replaced; where these had the same terms, how to agree: the
    words before were no plain yes."""
    if any(asked["decision"] is not None for asked in held["approvals"].values()):
        return ""
    again = say("plain_yes", language) if by_plain_yes and held.get("replaced") else ""
    return _replacement_note(held, language) or again


def _change(before: Mapping[str, Any], asked: Asked, approval: Approval, language: str) -> TermsChange:
    """The change in restated terms; if those do not show it, in the fields of the terms and the call."""
    now: Mapping[str, Any] = {"args": asked["args"], "details": asked["terms"]["details"]}
    old, new = (approval.restate(each["details"], language).splitlines() for each in (before, now))
    if old == new:
        old, new = ([*_fields(each["details"]), *_fields(each["args"])] for each in (before, now))
    lines = list(difflib.ndiff(old, new))
    return {
        "before": [line[2:] for line in lines if line.startswith("- ")],
        "now": [line[2:] for line in lines if line.startswith("+ ")],
    }


def _fields(value: Any) -> Iterator[str]:
    return (f"{place}: {part}" for place, part in parts_of(value) if not isinstance(part, Mapping | list))


def _change_text(changed: TermsChange | None, language: str) -> str:
    if changed is None:
        return ""
    before, now = ("; ".join(line.lstrip("- ") for line in changed[side]) or "–" for side in ("before", "now"))
    return "\n".join(
        [
            say("terms_changed", language),
            f"- {say('changed_before', language, lines=before)}",
            f"- {say('changed_now', language, lines=now)}",
        ]
    )


def notes(state: AgentState, domain: Domain, settings: Any) -> str:
    """What an answer says about writes that its request replaced, and that wait for others than who is asked; empty =
    nothing."""
    language = state["request"]["language"]
    replaced = "" if state["approvals"] else _replacement_note(state, language)  # else its own question says so
    is_next = is_asked_next(state, domain, settings)
    others = [each for each in asked_aside(state) if not (is_next and is_by_asker(each, domain, settings))]
    return "\n".join(
        part for part in (replaced, *(_still_waits(each, domain, settings, language) for each in others)) if part
    )


def _still_waits(asked: Asked, domain: Domain, settings: Any, language: str) -> str:
    key = "still_waits" if is_by_asker(asked, domain, settings) else "still_waits_elsewhere"
    return say(key, language, what=_headline(asked, domain, language))


def _headline(asked: Asked, domain: Domain, language: str) -> str:
    approval, details = approval_of(asked, domain), asked["terms"]["details"]
    line = (
        approval.brief(details, language) if approval.brief else approval.restate(details, language).partition("\n")[0]
    )
    return excerpt(line, _LONGEST_HEADLINE)
