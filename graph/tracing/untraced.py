"""What a free text, or a filled-in form, may not hold: figures that stand in no source, and what no answer holds.

Traced is what a model or a planner or responder of the caller's own wrote freely; what code made of statements, forms and
templates is not. That a figure stands somewhere does not make it this one, and names are no figures: a judge is for the rest.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp

from wavegraph.graph.domain import Domain
from wavegraph.graph.ledger import results
from wavegraph.graph.references.paths import parts_of, values_in
from wavegraph.graph.references.shapes import Schema, records
from wavegraph.graph.settings import request_settings
from wavegraph.graph.views import AnswerView

# The figures of texts and JSON: amounts, numbers in words, and dates, times, codes and telephone numbers by their digits

_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_APART = re.compile("[:/-]")
_DOTTED_DATE = re.compile(r"(?<![\d.])(\d\d?)\.(\d\d?)\.(?=\d\d)")
_HOUR = re.compile(r"(?<!\d)(\d\d?):\d\d")
_SCALES = (1.0, 100.0)
_MINOR = 0.01
_DOWN = (1e-3, 1e-6)


def figures_in(text: str) -> list[tuple[str, Sequence[Sequence[float]]]]:
    """Each figure as written, and what each number in it may be."""
    if not _DIGIT.search(text):  # most texts have none
        return []
    plain = _DOTTED_DATE.sub(r"\1/\2/", text)
    return [
        (text[found.start() : found.end()], [amounts(number) for number in _APART.split(found[0])])
        for found in _FIGURE.finditer(plain)
    ]


def amounts(number: str) -> Sequence[float]:
    """What a number may be: `1,250` a thousand and more, `64,50` with a comma for its point; a version is its digits as one."""
    *front, last = re.split(r"[,.]", number)
    signs, whole = re.sub(r"\d", "", number), float("".join([*front, last]))
    if not signs or signs.count(signs[-1]) > 1:
        return [whole]
    decimal = float(f"{''.join(front)}.{last}")
    if len(signs) > 1 or len(last) != 3:
        return [decimal]
    return [whole] if signs == "," else [decimal, whole]


def numbers(text: str) -> set[float]:
    """All that the figures of a text may be."""
    return {amount for _, held in figures_in(text) for each in held for amount in each}


def known_figures(*sources: Any) -> set[float]:
    """What figures may be that are taken from JSON: numbers, also in whole units of minor ones, figures in texts, in words too
    and on a clock of twelve hours, and how long lists are."""
    found, texts, names = set[float](), set[str](), set[Any]()
    for part in values_in(*sources):
        if isinstance(part, str):
            texts.add(part)
        elif isinstance(part, Mapping):
            names.update(part)
        elif isinstance(part, list | tuple):
            found.add(len(part))
        elif isinstance(part, int | float) and not isinstance(part, bool):
            found.update((abs(part), abs(part) / 100))
    text = "\n".join(texts)  # no figure goes on in the next line
    hours = (int(hour) % 12 for hour in _HOUR.findall(text))
    return found.union(numbers(text), numbers("\n".join(map(str, names))), spelled_numbers(text), hours)


MOST_COMBINED = 40
"""Figures that are worked with: what follows from hundreds is every figure there is."""


def derived_figures(found: Mapping[str, Any], *given: Any) -> set[float]:
    """What follows from JSON values in one step: sums, differences, shares and averages of those under one name (`found`: by
    that of their tool where they have none), and of them with those `given`; products of any two."""
    asked = [*numbers("\n".join(each for each in values_in(*given) if isinstance(each, str)))]
    asked += [each for part in given if isinstance(part, str) for each in spelled_numbers(part)]
    named: dict[str, list[float]] = {}
    for name, value in found.items():
        for own, number in _named_numbers(name.partition("\n")[0], value):
            named.setdefault(own, []).append(number)
    columns = [*named.values()]
    derived = {each for column in columns for each in (sum(column), sum(column) / len(column))}
    for column in columns:
        for one, other in combinations_with_replacement([*column[:MOST_COMBINED], *asked], 2):
            derived.update((one + other, abs(one - other)))
            derived.update(more / less for more, less in ((one, other), (other, one)) if less)
            derived.update(abs(one - other) / each for each in (one, other) if each)
    every = list(dict.fromkeys(each for column in (*columns, asked) for each in column))[:MOST_COMBINED]
    return derived.union(one * other for one, other in combinations_with_replacement(every, 2))


def _named_numbers(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """The numbers in JSON, each with the name of the field that it stands in."""
    if isinstance(value, Mapping):
        for own, part in value.items():
            yield from _named_numbers(str(own), part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _named_numbers(name, part)
    elif isinstance(value, str):
        yield from ((name, each) for each in numbers(value))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, abs(value)


def are_known(numbers: Sequence[Sequence[float]], known: Collection[float], derived: Collection[float] = ()) -> bool:
    """Whether each number may be a known figure, or one that follows from them."""
    return all(any(is_known(amount, known, derived) for amount in each) for each in numbers)


def is_known(amount: float, known: Collection[float], derived: Collection[float] = ()) -> bool:
    """Whether it is one of the figures, perhaps to fewer places, as a percentage, in thousands or in millions; or one of those
    `derived`, to fewer places, as a percentage or in whole units of minor ones."""
    if amount in known:
        return True
    places = len(f"{amount:.10f}".rstrip("0").partition(".")[2])
    scales = (*_SCALES, *_DOWN) if places or amount >= 10 else _SCALES  # 2 is no 2026 in thousands
    if any(round(each * scale, places) == amount for each in known for scale in scales):
        return True
    return any(round(each * scale, places) == amount for each in derived for scale in (*_SCALES, _MINOR))


# Numbers in words

_WORDS_OF = {
    0: "zero אפס",
    2: "two twice couple pair second שתיים שניים שתי שני זוג שנייה שניה פעמיים יומיים שבועיים חודשיים שעתיים שנתיים",
    3: "three thrice third שלוש שלושה שלושת שלישי שלישית",
    4: "four fourth ארבע ארבעה ארבעת רביעי רביעית",
    5: "five fifth חמש חמישה חמשת חמישי חמישית",
    6: "six sixth שש שישה ששה ששת שישי שישית",
    7: "seven seventh שבע שבעה שבעת שביעי שביעית",
    8: "eight eighth שמונה שמונת שמיני שמינית",
    9: "nine ninth תשע תשעה תשעת תשיעי תשיעית",
    10: "ten tenth עשר עשרה עשרת עשירי עשירית",
    11: "eleven",
    12: "twelve dozen noon midday תריסר",
    13: "thirteen",
    14: "fourteen",
    15: "fifteen",
    16: "sixteen",
    17: "seventeen",
    18: "eighteen",
    19: "nineteen",
    20: "twenty עשרים",
    30: "thirty שלושים",
    40: "forty ארבעים",
    50: "fifty half חמישים חצי",
    60: "sixty שישים",
    70: "seventy שבעים",
    80: "eighty שמונים",
    90: "ninety תשעים",
    100: "hundred hundreds מאה מאות",
    200: "מאתיים",
    1000: "thousand thousands אלף אלפים אלפי",
    2000: "אלפיים",
    1_000_000: "million millions מיליון מיליוני",
}
_NUMBER_OF = {word: number for number, words in _WORDS_OF.items() for word in words.split()}
_NUMBER_WORD = re.compile(
    rf"(?<![^\W\d_])[ובלמהכש]{{0,2}}?(?P<word>{'|'.join(_NUMBER_OF)})(?![^\W\d_])",
    re.IGNORECASE,
)
"""In Hebrew with up to two prefixes."""


def spelled_numbers(text: str) -> Iterator[float]:
    """Each by itself, and together with those right before it: of `two hundred and five` 2, 100, 200, 5 and 205."""
    total, end = 0, 0
    for found in _NUMBER_WORD.finditer(text):
        number = _NUMBER_OF[found["word"].casefold()]
        if text[end : found.start()].strip(" -") not in ("", "and"):
            total = 0
        total = max(total, 1) * number if number >= 100 else total + number
        end = found.end()
        yield from (number, total)


# What has no source

_Figure = tuple[str, Sequence[Sequence[float]]]
"""As written, and what each number in it may be."""
_EDGE = {True: (r"(?<!\w)", r"(?!\w)"), False: ("", "")}
"""Before and behind a claim, by whether it ends there in a letter."""
_ORDINAL = re.compile(
    r"(?m)^[\s*#>-]{0,8}\d{1,2}[.):](?=[\s*])|#\d{1,2}\b|[\[(]\d{1,2}[\])]|"
    r"(?i:\b(?:step|option|no\.?|nr\.?|item|point|part|question|day|schritt|tag|étape|paso|punto) \d{1,2}\b)"
)
"""`1.`, `**2.**`, `Step 3`, `[1]`."""


def untraced(domain: Domain, answer: str, view: AnswerView) -> list[str]:
    """The figures that stand in no source, as written, each once. One that is rounded, a share as a percentage, or the number
    of a list's line is no figure of its own."""
    figures = _own_figures(answer) if domain.figures != "off" else []
    if not figures:
        return []
    known = _figures_of_results(view)
    if not all(are_known(numbers, known) for _, numbers in figures):  # most stand in a result, and no more need be read
        known |= _other_figures(domain, view)
    left = [(written, numbers) for written, numbers in figures if not are_known(numbers, known)]
    return _unknown(left, known, _derived(domain, view)) if left else []


def _own_figures(answer: str) -> list[_Figure]:
    """Those of an answer, without the numbers of its lines."""
    return figures_in(_ORDINAL.sub(" ", answer))


def _unknown(figures: Sequence[_Figure], known: Collection[float], derived: Collection[float]) -> list[str]:
    """The figures that are neither known nor follow from those that are, as written, each once."""
    return list(dict.fromkeys(written for written, numbers in figures if not are_known(numbers, known, derived)))


def _figures_of_results(view: AnswerView) -> set[float]:
    ends = [outcome for ledger in view.ledgers for outcome in results(ledger).values()]
    return known_figures(*(part for each in ends for part in (each["args"], each["data"])))


def _derived(domain: Domain, view: AnswerView) -> set[float]:
    """What follows from the results, and from them and the request; nothing where figures are not `checked`."""
    if domain.figures != "checked":
        return set()
    ends = (outcome for ledger in view.ledgers for outcome in results(ledger).values())
    found = {f"{outcome['tool']}\n{number}": outcome["data"] for number, outcome in enumerate(ends)}
    return derived_figures(found, view.request["text"])


def _other_figures(domain: Domain, view: AnswerView) -> set[float]:
    """Those of this request, of the conversation and of the domain's own words. An earlier answer counts if it was traced."""
    found: list[Any] = [request_settings(view.settings), view.plan["slots"], view.details, view.today.isoformat()]
    found += [issue["message"] for issue in view.issues]
    said = (str(each.text) for each in view.conversation if each.id is None or each.id not in view.untraced)
    found += {view.request["text"], *said}
    if view.plan["planner"] == "rules":
        found.append(view.plan["reply"])
    own = (domain.name, domain.description, *(domain.prompts.get(role, "") for role in ("plan", "respond")))
    known = _of_texts(*own, *(text for tool in domain.registry.values() for text in tool.own_words))
    found += _by_templates(domain, view)
    return {0.0, *known, *known_figures(*found)}


_of_texts = lru_cache(maxsize=64)(known_figures)
"""The figures of texts that stay the same."""


def _by_templates(domain: Domain, view: AnswerView) -> Iterator[str]:
    """What the domain's templates say of these results."""
    if domain.offline is None:
        return
    plan = view.plan if view.plan["planner"] == "rules" else {**view.plan, "reply": ""}
    try:
        yield domain.offline.respond(replace(view, plan=plan))
    except GraphBubbleUp:
        raise
    except Exception:  # noqa: BLE001  the domain's own code: what fails here is told where the templates answer
        return


def drop_claims(answer: str, claims: Sequence[str]) -> str:
    """The answer without the lines that hold one of the claims; the claim 5 is not in 15, 50 or 2.5, nor `four` in `fourteen`."""
    held = [
        re.compile(
            rf"(?<!\d)(?<!\d[.,]){_EDGE[claim[:1].isalpha()][0]}{re.escape(claim)}{_EDGE[claim[-1:].isalpha()][1]}(?![.,]?\d)"
        )
        for claim in claims
    ]
    return "\n".join(line for line in answer.splitlines() if not any(claim.search(line) for claim in held))


# What no answer holds, whatever its domain: another language's script, a model's thoughts, raw data, names of tools

_THOUGHTS = re.compile(r"</?(?:think|thinking|reasoning)>", re.IGNORECASE)
_DATA = re.compile(r"[\[{]\s{0,3}([\"'])[^\"'\n]{1,80}\1\s{0,3}[:,\]}]|```|[\[{]\s{0,3}[\[{]\s{0,3}[\"']")
_WORD = re.compile(r"[^\W\d_]+")


def misformed(domain: Domain, answer: str, view: AnswerView) -> list[str]:
    """What of an answer may not go out, as written, or what is wrong with all of it; nothing of a free one."""
    if domain.answer_format == "free":
        return []
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

    Languages of one script are not told apart. A request in a script of no known language is answered in any, and so is every
    one where any is spoken.
    """
    language = next((each for each in domain.languages if each.code == view.request["language"]), None)
    asked = view.request["text"]
    if domain.any_language or language is None or (_WORD.search(asked) and not language.letters_in(asked)):
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


# A filled-in form

MOST_MARKS = 10
"""Whole numbers up to this are marks, ranks and small counts, which a model gives of itself."""


def unheld(domain: Domain, schema: Schema, form: Any, answer: str, view: AnswerView) -> dict[str, Any]:
    """The numbers of a form (JSON), and its texts with a figure, which stand neither in the answer nor in its sources; each with
    its place. A figure of the answer that has no source itself is none. What the schema itself offers is nobody's claim, and
    what follows from the sources has one where figures are `checked`."""
    if domain.figures == "off":
        return {}
    parts = list(parts_of(form))
    lengths = (len(part) for _, part in parts if isinstance(part, list))
    sourced, derived = _figures_of_results(view) | _other_figures(domain, view), _derived(domain, view)
    answered = known_figures(answer) - known_figures(*_unknown(_own_figures(answer), sourced, derived))
    known = {*sourced, *answered, *lengths}
    offered = [
        value for part in records(schema) for value in (part.get("const"), part.get("default"), *part.get("enum", ()))
    ]
    return {place or "it": part for place, part in parts if part not in offered and not _is_held(part, known, derived)}


def _is_held(value: Any, known: Collection[float], derived: Collection[float]) -> bool:
    if isinstance(value, str):
        return all(are_known(numbers, known, derived) for _, numbers in figures_in(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    is_judgement = 0 <= value <= 1 or (isinstance(value, int) and 0 <= value <= MOST_MARKS)  # confidence, a score
    return is_judgement or is_known(abs(value), known, derived)
