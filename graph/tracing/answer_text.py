"""What no answer holds, whatever its domain: another language's script, a model's thoughts, raw data, names of tools."""

import json
import re

from langchain_core.messages import HumanMessage

from wavegraph.graph.domain import Domain
from wavegraph.graph.ledger import results
from wavegraph.graph.views import AnswerView

_THOUGHTS = re.compile(r"</?(?:think|thinking|reasoning)>", re.IGNORECASE)
_DATA = re.compile(r"[\[{]\s{0,3}([\"'])[^\"'\n]{1,80}\1\s{0,3}[:,\]}]|```|[\[{]\s{0,3}[\[{]\s{0,3}[\"']")
_WORD = re.compile(r"[^\W\d_]+")


def misformed(domain: Domain, answer: str, view: AnswerView) -> list[str]:
    """What of an answer may not go out, as written, or what is wrong with all of it."""
    asked = view.request["text"]
    found = [each[0] for pattern in (_THOUGHTS, _DATA) for each in pattern.finditer(answer)]
    found += [name for name in domain.registry if _is_in(name, answer)]
    foreign = [f"another language than {view.request['language']!r}"] if _is_foreign(domain, answer, view) else []
    return [*(each for each in dict.fromkeys(found) if each not in asked), *foreign]


def _is_in(name: str, text: str) -> bool:
    """Whether a tool's name stands in a text, if it can be no word of it: `get_beds`, `getBeds`."""
    can_be_a_word = name == name.lower() and "_" not in name
    return (
        not can_be_a_word and name in text and re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", text) is not None
    )


def _is_foreign(domain: Domain, answer: str, view: AnswerView) -> bool:
    """Whether most letters of an answer are in another script than the request's language, but for words of the sources.

    Languages of one script are not told apart. A request in a script of no known language is answered in any.
    """
    language = next((each for each in domain.languages if each.code == view.request["language"]), None)
    asked = view.request["text"]
    if language is None or (_WORD.search(asked) and not language.letters_in(asked)):
        return False
    words = _WORD.findall(answer)
    foreign = [word for word in words if not language.letters_in(word)]
    if not foreign:
        return False
    quotable = _words_found(view)
    unquoted = sum(len(word) for word in foreign if word.casefold() not in quotable)
    return unquoted > sum(map(len, words)) - sum(map(len, foreign))


def _words_found(view: AnswerView) -> set[str]:
    """The words of the person and of the results, which an answer in any language may quote."""
    messages = [str(message.text) for message in view.conversation if isinstance(message, HumanMessage)]
    data = [outcome["data"] for outcome in results(view.ledger).values()]
    texts = [view.request["text"], *messages, json.dumps(data, ensure_ascii=False, default=str)]
    return {"ok", *(word.casefold() for text in texts for word in _WORD.findall(text))}
