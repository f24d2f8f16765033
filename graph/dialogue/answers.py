"""Parses a person's reply to a question, in whatever form a front end sends it.

It is an answer (our own form, an inbox's decision, plain words), a new request, or neither: then we ask again.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from pydantic import TypeAdapter, ValidationError

from wavegraph.graph.approval import DECISIONS, MAY_ANSWER, Answer, Question
from wavegraph.graph.dialogue.consent import consent
from wavegraph.graph.dialogue.messages import blocks_of, is_reserved, is_shown_after, messages_in, shown_last
from wavegraph.graph.dialogue.questions import code_of
from wavegraph.graph.errors import explain, short_repr
from wavegraph.graph.language import answering, language_of, say

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
_UNSPACED = "぀-ヿ㐀-鿿"
"""Letters of languages that put no space between words."""
_CODE = re.compile(rf"(?<![^\W_{_UNSPACED}])[0-9a-f]{{6}}(?![^\W_{_UNSPACED}])", re.IGNORECASE)
"""Of terms, these or others."""
_TWIN = "termsHash"
"""Added by JavaScript clients beside `terms_hash`."""


class Taken(NamedTuple):
    """An answer to the question."""

    answer: Answer
    message_id: str | None = None
    """Id of the message that holds it, if it came with one."""
    others: Sequence[Answer] = ()
    """To the other writes of the question, in order."""


class Speech(NamedTuple):
    """Words that do not answer the question: the next request."""

    messages: Sequence[HumanMessage]


class Refused(NamedTuple):
    """A yes in words that does not say to which terms."""

    words: str
    message_id: str | None
    problem: str


class Unclear(NamedTuple):
    """A reply that cannot be understood; the question stands."""

    problem: str


ParsedReply = Taken | Speech | Refused | Unclear


def read_reply(given: Any, question: Question) -> ParsedReply:
    match given:
        case str():
            return _read_text(given, question)
        case {"decisions": [Mapping() as decision]}:
            return _read_decision({"terms_hash": given.get("terms_hash"), **decision}, question)
        case {"decisions": [_, _, *_] as several}:
            return _read_decisions(several, given.get("terms_hash"), question)
        case {"messages": messages}:  # a new input, which servers send in place of an answer
            human = [message for message in messages_in(messages) or () if isinstance(message, HumanMessage)]
            return _read_words(human, given.get("terms_hash"), question) if human else _unclear(messages, question)
        case {"decision": _}:
            return _read_answer(given, question)
        case [{"type": "accept" | "edit" | "ignore" | "response"}]:
            return Unclear(f"this is an older inbox's form ({short_repr(given)}); {possible_answers(question)}")
    return _unclear(given, question)


def _read_text(text: str, question: Question) -> ParsedReply:
    """Plain words, or one of the other forms as JSON text."""
    try:
        found = json.loads(text) if text.lstrip().startswith(("{", "[")) else None
    except (ValueError, RecursionError):
        found = None
    if found is not None:
        return read_reply(found, question)
    return _read_words([HumanMessage(text)], None, question)


def _read_words(messages: Sequence[HumanMessage], terms_hash: Any, question: Question) -> ParsedReply:
    if len(messages) > 1 or blocks_of(messages[-1]):  # which of them is the answer? What does the picture say?
        return Speech(_with_free_ids(messages))
    last = messages[-1]
    own_id, words = None if is_reserved(last.id) else last.id, str(last.text)
    if question["shown"] and (not words.strip() or _consent(words, question) == "perhaps"):
        return Refused(words, own_id, say("plain_yes", question["languages"][0]))
    seen = terms_hash or last.additional_kwargs.get("terms_hash")
    to_all = (code := _CODE.search(words)) is not None and code[0].casefold() == question.get("agree_to_all")
    said = words.replace(code[0], code_of(question)) if code and to_all else words
    answer = answer_in_words(said, question, seen if isinstance(seen, str) else None)
    if answer is None:
        return Speech(_with_free_ids(messages))
    agreed_to = answer.get("terms_hash")
    if answer["decision"] != "approve" or agreed_to == question["terms_hash"]:
        others: Sequence[Answer] = ()
        if to_all:
            others = [{"decision": answer["decision"], "terms_hash": each["terms_hash"]} for each in question["along"]]
        return Taken({**answer, "words": words}, own_id, others)
    if agreed_to is not None or question["shown"]:
        return Refused(words, own_id, why_unbound(answer, question) or "")
    return Speech(_with_free_ids(messages))  # the last text asked something else


def _with_free_ids(messages: Sequence[HumanMessage]) -> list[HumanMessage]:
    """Without ids that are reserved: LangGraph gives each of its own."""
    return [message.model_copy(update={"id": None}) if is_reserved(message.id) else message for message in messages]


def answer_in_words(words: str, question: Question, terms_hash: str | None = None) -> Answer | None:
    """A yes, a no or one of the choices; None = the words say something else.

    `terms_hash`: of the terms that were seen. Without it the words may name the terms ("yes 3f9a02"), and a plain yes agrees
    to a question that asks for a plain yes. If somebody else is asked, only a no is an answer: it withdraws the request.
    """
    if not question["by_asker"]:
        return refusal(words, question) if _consent(words, question) == "no" else None
    code = _CODE.search(words)
    plain = words.replace(code[0], " ") if code else words
    named = plain.strip().strip(".!").casefold()
    choice = next((name for name in question["choices"] if name.casefold() == named), None)
    is_bare = bool(code) and not named and not answering(question["languages"])
    verdict = "yes" if choice or is_bare else _consent(plain, question)
    if verdict not in ("yes", "no"):
        return None
    answer: Answer = {"decision": "approve" if verdict == "yes" else "reject", "words": words}
    if choice:
        answer["choice"] = choice
    if agreed_to := _terms_agreed_to(code[0].casefold() if code else "", terms_hash, question):
        answer["terms_hash"] = agreed_to
    return answer


def refusal(words: str, question: Question) -> Answer:
    """The answer of the person who asked, that it is not to be done."""
    refused: Answer = {"decision": "reject", "words": words}
    return refused if question["by_asker"] else {**refused, "reason": say("withdrawn", spoken_in(words, question))}


def spoken_in(text: str, question: Question) -> str:
    """Code of the language of a text under a question: one of those that answer it; without words that of the question."""
    tables = answering(question["languages"])
    return language_of(text, tables, question["languages"][0]) if tables else question["languages"][0]


def _consent(words: str, question: Question) -> Literal["yes", "no", "perhaps"] | None:
    own = (question["yes"], question["no"])
    return consent(words, *own, is_last=not question["rivalled"], languages=question["languages"])


def _terms_agreed_to(code: str, terms_hash: str | None, question: Question) -> str | None:
    """Hash of the terms that words are about; a code of others stands for itself."""
    if code:
        return question["terms_hash"] if code == code_of(question) else code
    plain = question["terms_hash"] if question["agree_with"] == "yes" else None
    return terms_hash or plain


def why_unbound(answer: Answer, question: Question) -> str | None:
    """Why a yes does not count for the question's terms; None = it names them."""
    seen = answer.get("terms_hash")
    if seen == question["terms_hash"]:
        return None
    key = "name_the_terms" if seen is None else "terms_moved"
    return say(key, question["languages"][0], code=code_of(question))


def question_when_sent(question: Question, messages: Sequence[BaseMessage], sent_at_ms: int | None) -> Question:
    """The question for words that were sent at that time: a plain yes does not agree to what was shown only afterwards."""
    shown = shown_last(messages, question["terms_hash"])
    if shown is None or not is_shown_after(shown, sent_at_ms):
        return question
    return {**question, "agree_with": f"yes {code_of(question)}"}


def _read_answer(given: Mapping[str, Any], question: Question) -> ParsedReply:
    own = {name: value for name, value in given.items() if name != _TWIN and value is not None}
    try:
        return Taken(_ANSWER.validate_python(own))
    except ValidationError as error:
        return Unclear(f"{explain(error)}; {possible_answers(question)}")


def _read_decision(decision: Mapping[str, Any], question: Question) -> ParsedReply:
    """The one decision of LangChain's human-in-the-loop form."""
    allowed = question["review_configs"][0]["allowed_decisions"]
    if decision.get("type") in DECISIONS and decision["type"] not in allowed:
        return Unclear(not_allowed(decision["type"], allowed))
    seen = {"terms_hash": decision["terms_hash"]} if decision.get("terms_hash") else {}
    message = decision.get("message") or ""
    match decision.get("type"):
        case "approve" if not decision.get("args"):
            return _read_answer({"decision": "approve", **seen}, question)
        case "reject":
            return _read_answer({"decision": "reject", "reason": message, **seen}, question)
        case "edit":
            return _read_edit(decision.get("edited_action") or decision.get("editedAction"), seen, question)
        case "respond" if isinstance(message, str):
            return _read_response(message, seen, question)
    return _unclear(decision, question)


def _read_decisions(decisions: Sequence[Any], seen: Any, question: Question) -> ParsedReply:
    """A decision on each write of the question."""
    asked = [question, *question.get("along", ())]
    if len(decisions) != len(asked):
        expected = f"{len(asked)} are" if len(asked) > 1 else "one is"
        about = "one for each of action_requests" if len(asked) > 1 else "a question is about one call"
        return Unclear(f"{len(decisions)} decisions came, but {expected} expected: {about}")
    read = list[Answer]()
    for number, (decision, each) in enumerate(zip(decisions, asked, strict=True), 1):
        own = {"terms_hash": seen, **decision} if each is question and isinstance(decision, Mapping) else decision
        found = _read_decision(own, each) if isinstance(own, Mapping) else _unclear(own, each)
        match found:
            case Taken(answer):
                read.append(answer)
            case Speech(messages):
                read.append({"decision": "reject", "reason": str(messages[0].text)})
            case Unclear(problem):
                return Unclear(f"decision {number}: {problem}")
    return Taken(read[0], None, read[1:])


def _read_edit(action: Any, seen: Mapping[str, Any], question: Question) -> ParsedReply:
    """An edited call, with all its arguments: those that differ from the question's, and those that are gone, unless they had
    no value; if none do, it is a yes."""
    match action:
        case {"name": name, "args": Mapping() as args} if name == question["tool"]:
            changes = {key: value for key, value in args.items() if question["args"].get(key) != value}
            without = [key for key, value in question["args"].items() if key not in args and value is not None]
            edit = {"decision": "edit", "args": changes, "without": without}
            return _read_answer({**(edit if changes or without else {"decision": "approve"}), **seen}, question)
    return _unclear(action, question)


def _read_response(message: str, seen: Mapping[str, Any], question: Question) -> ParsedReply:
    """Words in place of a decision; from an approver who did not make the request they are a no, with its reason."""
    answer = answer_in_words(message, {**question, "by_asker": True, "agree_with": ""}, seen.get("terms_hash"))
    if answer is not None:
        return Taken(answer)
    if question["by_asker"]:
        return Speech([HumanMessage(message)])
    return _read_answer({"decision": "reject", "reason": message, **seen}, question)


def _unclear(given: Any, question: Question) -> Unclear:
    return Unclear(f"cannot take {short_repr(given)} as an answer; {possible_answers(question)}")


def not_allowed(decision: str, allowed: Sequence[str]) -> str:
    return f"{decision!r} is not among the decisions that this call allows: {', '.join(allowed)}"


def possible_answers(question: Question) -> str:
    """What a person may answer, the plain words first."""
    words = ", ".join(["yes", "no", *question["choices"]])
    return (
        f'expected {words}, or JSON such as {{"decision": "approve"}}, {{"decision": "reject", "reason": "..."}}, '
        '{"decision": "reject", "changes": {...}}, {"decision": "edit", "args": {...}}, '
        '{"decisions": [{"type": "approve"}]}'
    )


class Caller(NamedTuple):
    """Who gives a run its input, on a server that knows its users.

    Such a server (`langgraph_sdk.Auth`) hands the user's identity and permissions to each run. Without one, and embedded,
    nobody is known: who may answer is then the caller's own affair.
    """

    identity: str | None
    """None = the server does not know its users, or there is none."""
    may_answer: bool
    """Whether this user answers the questions that are not the asker's own."""


def caller_of(runtime: Runtime[Any]) -> Caller:
    """A user with an `actor` is one in whose name that other person acts, as staff does on a guest's thread."""
    user = runtime.server_info.user if runtime.server_info else None
    if user is None or not user.identity:
        return Caller(None, True)
    actor = getattr(user, "actor", None)
    identity = actor if isinstance(actor, str) and actor else user.identity
    return Caller(identity, MAY_ANSWER in (getattr(user, "permissions", None) or ()))


def as_theirs(reading: ParsedReply, question: Question, caller: Caller) -> ParsedReply:
    """What a reply counts for from this caller.

    A decision on a question that is somebody else's counts for no more than the same words would: a no withdraws the
    request, and the rest is a plain yes, which is a message. It never stays with the question: LangGraph gives a node
    all earlier replies again, and they must not count as the next caller's.
    """
    if not isinstance(reading, Taken) or question["by_asker"] or caller.may_answer:
        return reading
    words = reading.answer.get("words", "")
    language = spoken_in(words, question)
    if reading.answer["decision"] == "reject":
        withdrawn: Answer = {"decision": "reject", "reason": say("withdrawn", language)}
        return Taken({**withdrawn, "words": words} if words else withdrawn, reading.message_id)
    return Speech([HumanMessage(say("a_yes", language))])
