"""What no answer holds, whatever its domain: another language's script, a model's thoughts, raw data, names of tools."""

import re

from wavegraph.graph.answer.words import end_of_sentence
from wavegraph.graph.domain import Domain
from wavegraph.graph.guard.stated import folded
from wavegraph.graph.guard.union_check import found_words
from wavegraph.graph.views import AnswerView

_THOUGHTS = re.compile(r"</?(?:think|thinking|reasoning)>", re.IGNORECASE)
_DATA = re.compile(r"[\[{]\s{0,3}([\"'])[^\"'\n]{1,80}\1\s{0,3}[:,\]}]|```|[\[{]\s{0,3}[\[{]\s{0,3}[\"']")
_WORD = re.compile(r"[^\W\d_]+")


def misformed(domain: Domain, answer: str, view: AnswerView) -> list[str]:
    """What of an answer may not go out, as written, or what is wrong with all of it."""
    asked = view.request["text"]
    found = [each[0] for pattern in (_THOUGHTS, _DATA) for each in pattern.finditer(answer)]
    found += [name for name in domain.registry if _is_no_word(name) and _holds(answer, name)]
    left = [each for each in dict.fromkeys(found) if each not in asked]
    return [
        *left,
        *([f"another language than {view.request['language']!r}"] if _is_foreign(domain, answer, view) else []),
    ]


def _is_no_word(name: str) -> bool:
    """Whether a tool's name can be nothing else: `get_beds`, `getBeds`."""
    return "_" in name or name != name.lower()


def _holds(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(name, end)
    return False


def _is_foreign(domain: Domain, answer: str, view: AnswerView) -> bool:
    """Whether most letters of an answer are in another script than the request's language, but for words of the sources.

    Languages of one script are not told apart. A request in a script of no known language is answered in any.
    """
    language = next((each for each in domain.languages if each.code == view.request["language"]), None)
    asked = view.request["text"]
    if language is None or (_WORD.search(asked) and not language.letters_in(asked)):
        return False
    words = _WORD.findall(answer)
    if all(language.letters_in(word) for word in words):
        return False
    known = found_words(view) | {"ok"}
    foreign = [word for word in words if not language.letters_in(word) and folded(word) not in known]
    own = [word for word in words if language.letters_in(word)]
    return sum(map(len, foreign)) > sum(map(len, own))


def cut_at_a_sentence(text: str, longest: int) -> str:
    """The text up to the last sentence that ends within `longest` characters; cut in the first one if that is longer."""
    if len(text) <= longest:
        return text
    end = 0
    while True:
        begin = end + len(text[end:]) - len(text[end:].lstrip())
        more = end_of_sentence(text[begin:])
        if not more or begin + more > longest:
            return text[: end or longest].rstrip()
        end = begin + more
