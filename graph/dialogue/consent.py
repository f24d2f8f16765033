"""Recognises a message that is nothing but a yes or a no."""

import re
from collections.abc import Mapping, Sequence
from enum import IntFlag
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Literal

from wavegraph.graph.language import ENGLISH, HEBREW, Language, answering

LONGEST = 200
"""Characters of a yes or a no: more is a request."""

_PICTURES = "🙂😊😀😁😃😄😉🤗🥰😍❤💙💚🎉✔☑💪🙌👏💯🤝🤞"
"""Those that are a courtesy."""
_YES = ("yes", "👍", "✅", "👌")
"""In any language: what programs send, and pictures."""
_NO = ("no", "👎")
NO = [*_NO, *ENGLISH.words["no"], *HEBREW.words["no"]]
_UNSEEN = re.compile(
    r"^[\s\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|[\s\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+$"
    "|[\U0001f3fb-\U0001f3ff\ufe0f]"
)
"""Signs without a picture that keyboards and copies put around words, since inside a word they may hide another; and the
colour of a thumb."""
_EITHER = re.compile(r"(?<=[א-ת])/[א-ת]{1,2}(?![א-ת])")
"""The other gender of `מאשר/ת`."""
_ALL = re.compile(r"(?<![א-ת])הכול(?![א-ת])")
_PICTURE = re.compile(rf"([{_PICTURES}👍✅👌👎🙏])\1*")


class _Meaning(IntFlag):
    """What the phrases of a message say between them."""

    POLITE = 0
    THANKS = 1
    ACKNOWLEDGES = 2
    YES = 4
    NO = 8
    TAKES_UP = 16


def consent(
    text: str,
    yes: Sequence[str] = (),
    no: Sequence[str] = (),
    *,
    is_last: bool = True,
    languages: Sequence[str] = ("en", "he"),
) -> Literal["yes", "no", "perhaps"] | None:
    """`yes` or `no` if the message says just that, `perhaps` for an "ok thanks"; None if it says anything else.

    `yes`: phrases that name the action and mean yes to this question only ("book it"); with "don't" before them they
    mean no. `no`: phrases that mean no to this question only ("cancel that"). `is_last`: whether nothing else was told since
    the terms were first shown; else "book it" and "sounds good" may mean that, and agree to nothing. `languages`: whose words
    count.
    """
    phrases = _phrases(tuple(yes), tuple(no), answering(languages))
    verdicts = {_verdict(each, is_last) for each in _meanings(text, phrases)} - {None}
    return verdicts.pop() if len(verdicts) == 1 else None


def _verdict(meaning: _Meaning, is_last: bool) -> Literal["yes", "no", "perhaps"] | None:
    if meaning & _Meaning.NO:
        return None if meaning & ~(_Meaning.NO | _Meaning.THANKS) else "no"
    if meaning & _Meaning.YES:
        return "yes"
    if meaning & _Meaning.TAKES_UP:
        return "yes" if is_last else None
    if meaning & _Meaning.ACKNOWLEDGES:
        return "perhaps" if meaning & _Meaning.THANKS else "yes"
    return None


def is_courtesy(text: str, languages: Sequence[str] = ("en", "he")) -> bool:
    """Whether a message is thanks, praise or another courtesy and nothing else: "ok thanks", "great!"."""
    meanings = _meanings(text, _phrases((), (), answering(languages)))
    return any(not each & (_Meaning.YES | _Meaning.TAKES_UP | _Meaning.NO) for each in meanings)


def _meanings(text: str, phrases: Mapping[str, _Meaning]) -> set[_Meaning]:
    if len(text) > LONGEST:
        return set()
    seen = _PICTURE.sub(r" \1 ", _UNSEEN.sub("", text))
    return _meanings_of_words(_plain(seen).split(" "), phrases)


def _plain(text: str) -> str:
    spelt = _ALL.sub("הכל", _EITHER.sub("", text.casefold().replace("’", "'")))
    return re.sub(r"[\s.,!;:…–—¡،؛。、！，；：-]+", " ", spelt).strip()


@lru_cache(maxsize=64)
def _phrases(yes: tuple[str, ...], no: tuple[str, ...], tables: tuple[Language, ...]) -> Mapping[str, _Meaning]:
    """What each phrase says, under a question with these of its own."""

    def of(sort: str) -> list[str]:
        return [_plain(phrase) for table in tables for phrase in table.words.get(sort, ())]

    pairs = (product(table.words.get("shown", ()), table.words.get("right", ())) for table in tables)
    undone = [f"{never} {deed}" for never in of("never") for deed in yes]
    agreed = {*_YES, *of("yes")}
    sorts: list[tuple[_Meaning, list[str]]] = [  # of a phrase in two of them the later holds
        (_Meaning.NO, [*_NO]),
        (_Meaning.POLITE, [*of("polite"), *_PICTURES]),
        (_Meaning.THANKS, [*of("thanks"), "🙏"]),
        (_Meaning.ACKNOWLEDGES, of("acknowledges")),
        (_Meaning.NO, [*of("no"), *undone, *no]),
        (_Meaning.TAKES_UP, [*of("takes_up"), *(f"{what} {right}" for each in pairs for what, right in each), *yes]),
        (_Meaning.YES, [*agreed, *(phrase for phrase in yes if phrase.split(" ")[0] in agreed)]),
    ]
    return MappingProxyType({phrase: sort for sort, phrases in sorts for phrase in phrases})


def _meanings_of_words(words: Sequence[str], phrases: Mapping[str, _Meaning]) -> set[_Meaning]:
    """All that the words may say as a row of phrases; empty = one of them is in no phrase."""
    longest = max(phrase.count(" ") for phrase in phrases) + 1
    reached: list[set[_Meaning]] = [{_Meaning.POLITE}, *(set() for _ in words)]
    for end in range(1, len(words) + 1):
        for start in range(max(0, end - longest), end):
            sort = phrases.get(" ".join(words[start:end]))
            if sort is not None:
                reached[end] |= {before | sort for before in reached[start]}
    return reached[-1]
