"""What the pieces of a request are for: each is served by a call or a reply, or set aside since it asks for nothing.

A piece that is neither goes back to the planner once; then the answer names it. So does a call that is not what its pieces say;
then the answer says both. And a plan that chose before it could see what there was to choose from is looked at again.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any
from unicodedata import digit

from wavegraph.graph.agent import Agent
from wavegraph.graph.dialogue.consent import is_courtesy
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.guard.pieces import MOST_NAMED, shortened, words_in
from wavegraph.graph.ledger import GOOD, canonical, data_of, outcome_of
from wavegraph.graph.ready import steps
from wavegraph.graph.references.paths import follow, path_steps, references
from wavegraph.graph.state import (
    AgentState,
    Ledger,
    Plan,
    PlannedCall,
    PlanningResult,
    ToolCall,
    ValidationIssue,
    new_issue,
)
from wavegraph.graph.views import AnswerView, Contradiction, PlanningView, ResolvedCall, View

UNSERVED = "unserved"
CONTRADICTION = "contradicts_request"
UNSEEN = "to_be_chosen"
"""A choice that a plan made before it could see what there was to choose from."""
LOOKS = frozenset({UNSERVED, CONTRADICTION, UNSEEN})
"""Rules of the issues by which a plan that could run goes back for a second look."""
CROWDED = 12
"""Words of a piece, for each call that serves it, above which they may be for some of them alone."""
_FIGURE = re.compile(r"\d+")
_MARK = re.compile(r"^\s*\(?\d{1,2}[.)]\s")
_NO_DAY = re.compile(
    r"(?<!\d)(?:3[2-9]|[4-9]\d|\d{3,})(?:st|nd|rd|th)(?![^\W_])|"
    r"(?<!\d)\d+(?:st|nd|rd|th)(?= (?:[^\W\d_]+ )?(?:anniversary|birthday)\b)|"
    r"(?<=יום )ה?(?:נישואין|נישואים|הולדת) (?:ה-?)?\d+(?!\d)",
    re.IGNORECASE,
)
"""An ordinal that is no day of a month, `my mum's 70th birthday`, or that of a feast: `our 30th anniversary`. No argument holds it."""
_QUESTION = re.compile(r"[?？؟፧\u037e](?!\w)")
_ASKING = re.compile(
    r"\b(?:whether|(?:tell|let) (?:me|us)|(?<!got )(?<!get )to know|wonder(?:ing)?)\b|(?<![א-ת])ו?(?:האם|לדעת|תגידו|תגיד|תגידי)(?![א-ת])|"
    r"(?:^|[-–—,:;])\s*(?:(?:and|also|but|or)\s+)*(?:(?:how|what|where|when|why)\s+)?(?:have\s+you|"
    r"(?:is|are|do|does|did|can|could|will|would)\s+(?:there|you|we|i|it|they|the|your|our|my))\b|"
    r"(?:^|[-–—,:;])\s*ו?יש (?:לכם|אצלכם|במלון)(?![א-ת])",
    re.IGNORECASE,
)
"""What asks without a question mark."""
_QUOTES = re.compile("[“”„‟«»]")


def words_served(call: Mapping[str, Any], pieces: Sequence[str]) -> str:
    """The words of the request that a call is for; empty = it does not say."""
    return "".join(pieces[number - 1] for number in sorted(_served(call, pieces)))


def words_held(call: Mapping[str, Any], pieces: Sequence[str]) -> str:
    """The words that a model's call is held against: those that it serves, or all, if it does not say; empty = it is no model's."""
    return words_served(call, pieces) or ("".join(pieces) if "serves" in call else "")


def _served(call: Mapping[str, Any], pieces: Sequence[str]) -> set[int]:
    """The numbers of the pieces that a call of a model is for: all of them, where there is one."""
    if len(pieces) == 1:
        return {1} if "serves" in call else set()
    return {number for number in call.get("serves", ()) if 0 < number <= len(pieces)}


def served_calls(plan: Plan, ledger: Ledger, view: View) -> list[ResolvedCall]:
    """The calls of models, their references replaced as far as the results are known; a way round what was found serves
    nothing that was said."""
    return [
        held_call(step.call, step.args, words)
        for step in steps(plan, ledger)
        if (words := words_held(step.call, view.pieces)) and not is_way_round(step.call, view)
    ]


def held_call(call: Mapping[str, Any], args: Mapping[str, Any], words: str) -> ResolvedCall:
    return ResolvedCall(call["id"], call["tool"], args, words, referred(call), call.get("instead_of"))


def is_way_round(call: Mapping[str, Any], view: View) -> bool:
    """Whether a call is in place of one that came to nothing, or of which something was found to be wrong: one in place of a good
    result is what was asked for, looked up again."""
    if not (replaced := call.get("instead_of")):
        return False
    ended = outcome_of(replaced, view.ledger)
    return ended is None or ended["status"] not in GOOD or any(issue["tool_id"] == replaced for issue in view.issues)


def referred(call: Mapping[str, Any]) -> frozenset[str]:
    """The arguments of a call that come from results by reference."""
    return frozenset(name for name, value in call["args"].items() if references(value))


def is_held(state: AgentState) -> bool:
    """Whether calls are still held against what they serve: once, and once more for each plan made anew."""
    return CONTRADICTION not in state["second_looks"]


def looks_before_a_new_plan(state: AgentState) -> list[str]:
    """The second looks that a plan made anew takes over: it is held against what was said again."""
    return [rule for rule in state["second_looks"] if rule != CONTRADICTION]


async def contradictions(plan: Plan, ledger: Ledger, view: PlanningView, agent: Agent) -> list[ValidationIssue]:
    """What calls of models say otherwise than the words they serve, by the domain's reading of these."""
    own, calls = agent.domain.own_checks.calls, served_calls(plan, ledger, view)
    found = await agent.own("the reading", lambda: [*own(calls, view)] if own else [])
    return [contradiction_issue(each) for each in found or ()]


def contradiction_issue(found: Contradiction) -> ValidationIssue:
    return new_issue(
        "broken_plan",
        found.call,
        _differing(found),
        CONTRADICTION,
        expected=found.said,
        actual=found.planned,
        about={"what": found.about},
    )


def _differing(found: Contradiction) -> str:
    if not found.call:
        return f"the request also asks for {canonical(found.said)}: no call looks it up"
    planned = canonical(found.planned)
    if found.said is None:
        return f"{found.call} has {planned}, which nobody said: leave out what was not asked for"
    said = canonical(found.said)
    return f"{found.call} does not have the {found.about} of the request: the request says {said}, planned is {planned}"


def with_account(made: Plan, asked: PlanningResult, view: PlanningView, *, is_last: bool) -> Plan:
    """A checked plan with what `asked`, the model's own, replies to and sets aside; the model's last with what it forgets."""
    earlier: Mapping[str, Any] = view.plan or {}
    account: Plan = {
        **made,
        "replied": [*earlier.get("replied", ()), *asked.get("replied", ())],
        "context": [*earlier.get("context", ()), *asked.get("context", ())],
    }
    return {**account, "unserved": _forgotten(account, view)} if is_last else account


def _forgotten(made: Plan, view: PlanningView) -> list[int]:
    calls: Sequence[ToolCall] = [*view.ledger["calls"].values(), *made["tools"]]
    if made["reply"] and not made["replied"]:
        return []  # a text, or a plain “I did not understand”, is the answer to all of it
    if len(view.pieces) == 1 and made["replied"]:
        return []
    served = {
        *made["replied"],
        *_quoted(made, view.pieces),
        *chain.from_iterable(_served(call, view.pieces) for call in calls),
    }
    aside: list[int] = []
    if made["context"]:
        figures = _figures([*((call["args"], call.get("each")) for call in calls), *made.get("said", ())])
        aside = [n for n in made["context"] if 0 < n <= len(view.pieces) and _asks_nothing(view.pieces[n - 1], figures)]
    spoken = [view.request["language"]]
    courtesies = [n for n, each in enumerate(view.pieces, 1) if is_courtesy(each) or is_courtesy(each, spoken)]
    return [n for n in range(1, len(view.pieces) + 1) if n not in {*served, *aside, *courtesies}]


def _quoted(made: Plan, pieces: Sequence[str]) -> Iterator[int]:
    """The numbers of the pieces of which the reply's forms quote words: a form may leave out its numbers."""
    quotes = [str(each["quote"]) for each in made.get("said", ()) if each.get("quote")]
    return (
        number for number, piece in enumerate(pieces, 1) if any(words in " ".join(piece.split()) for words in quotes)
    )


def _asks_nothing(piece: str, figures: set[str]) -> bool:
    """Whether a piece may be set aside. `figures`: those of the arguments."""
    said = _NO_DAY.sub("", _MARK.sub("", mask(piece)))
    return not asks_something(piece) and _figures(said) <= figures


def asks_something(piece: str) -> bool:
    return bool(_QUESTION.search(piece) or _ASKING.search(piece))


def unserved_issues(made: Plan, pieces: Sequence[str]) -> Iterator[ValidationIssue]:
    for number in made.get("unserved", ()):
        words = _masked(pieces[number - 1], pieces).strip()
        message = f"no call and no form of `reply` serves piece {number}, {words!r}"
        if number in made["context"]:
            message += ": it asks something, or holds a figure that no argument has, so it is no context"
        yield new_issue("broken_plan", "", message, UNSERVED, expected={"piece": number, "words": words})


def named(made: Plan, view: PlanningView) -> list[str]:
    """The words by which an answer names what is forgotten, card numbers masked; none where a call serves nothing that it
    names, since that may be what it is for."""
    calls: Sequence[ToolCall] = [*view.ledger["calls"].values(), *made["tools"]]
    if any("serves" in call and not (_served(call, view.pieces) or call.get("instead_of")) for call in calls):
        return []
    pieces = (_masked(view.pieces[number - 1], view.pieces) for number in made.get("unserved", ()))
    return [_QUOTES.sub("'", words) for piece in pieces if (words := shortened(_MARK.sub("", piece), MOST_NAMED))]


def parts_in_doubt(view: AnswerView) -> list[int]:
    """Numbers of the pieces that are forgotten, and of those that have many words for the calls and forms that serve them, which
    need not be for all that they ask: an answer to such a request is a judge's to look at."""
    calls = [call for call in view.ledger["calls"].values() if not (call.get("instead_of") or "element_of" in call)]
    by_calls = chain.from_iterable(_served(call, view.pieces) for call in calls)
    served = Counter([*view.plan.get("replied", ()), *by_calls])
    forgotten = view.plan.get("unserved", ())
    return [
        number
        for number, piece in enumerate(view.pieces, 1)
        if number in forgotten or 0 < served[number] * CROWDED < len(words_in(piece))
    ]


def _masked(piece: str, pieces: Sequence[str]) -> str:
    """A piece without card numbers, nor the part of one that goes on in another piece."""
    return mask(piece) if piece in mask("".join(pieces)) else _FIGURE.sub("…", mask(piece))


def _figures(value: Any) -> set[str]:
    """Whole numbers, in the digits of any script, without the zeros before them."""
    found = _FIGURE.findall(json.dumps(value, ensure_ascii=False, default=str))
    return {"".join(str(digit(each)) for each in figure).lstrip("0") for figure in found}


# A choice before anything was seen


def unseen_choices(plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]) -> list[ValidationIssue]:
    """Calls yet to run that take one of several elements which came in only after their plan was made.

    A plan that takes every element has chosen none, and one that names an element by a field has not chosen blindly.
    """
    choices = [(step, *found) for step in steps(plan, ledger) for found in _choices(step.call, plan, ledger, registry)]
    taken = {(place, index) for _, place, index, _ in choices}
    blind: dict[str, ValidationIssue] = {}
    for step, place, index, count in choices:
        call = step.call["id"]
        if step.phase in ("ready", "waiting") and any((place, n) not in taken for n in range(count)):
            message = (
                f"{call} did not run: it takes {place}[{index}], but {place} has {count} elements, which the plan had not"
                " seen. Write out what the request asks for: one of them, several, or each; where that is open, ask"
            )
            blind.setdefault(call, new_issue("broken_plan", call, message, UNSEEN, expected=1, actual=count))
    return [*blind.values()]


def _choices(
    call: PlannedCall, plan: Plan, ledger: Ledger, registry: Mapping[str, DomainTool]
) -> Iterator[tuple[str, int, int]]:
    """The references to one element of a list that is chosen from: the list, `dates.stays`, which element, and of how many."""
    for target, path in references(call["args"]):
        other, outcome = ledger["calls"].get(target), outcome_of(target, ledger)
        if other is None or outcome is None or other["plan"] != plan["number"] or outcome["plan"] != plan["number"]:
            continue  # not known yet, or known when the plan was made
        tool = registry.get(other["tool"])
        for place in tool.choose_from if tool and outcome["status"] in GOOD else ():
            with suppress(LookupError, ValueError, TypeError):  # it takes no element, or names it by a field
                taken, led = path_steps(path), path_steps(place)
                index, count = int(taken[len(led)]), len(follow(data_of(outcome, ledger), place))  # type: ignore[arg-type]
                if taken[: len(led)] == led and count > 1 and -count <= index < count:
                    yield f"{target}.{place}", index % count, count
