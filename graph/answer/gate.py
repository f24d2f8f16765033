"""The gate between a writer and the person: releases a text sentence by sentence, and nothing that is not so.

The writer puts ids of statements in double braces; code puts the statements. Around them stand only words that claim
nothing, or that a statement in the sentence bears out. A sentence that breaks a rule gives way to the lines of its
statements, or is dropped. Nothing released is ever taken back.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from wavegraph.graph.answer.replies import as_quoted
from wavegraph.graph.answer.statements import Catalogue, Statement
from wavegraph.graph.answer.words import (
    SLOT,
    Thoughts,
    asks,
    bullet_of,
    end_of_sentence,
    has_words,
    leads,
    may_stand,
    plain,
    same_text,
    sentences,
)

_SLOT = re.compile(SLOT)
_UNANSWERED = re.compile(r"\{\{?\s*missing:(?P<words>[^{}\n]{1,300}+)\}\}?")
_QUOTED = re.compile("“[^“”]{1,150}”")
MOST_UNANSWERED = 4
"""Pieces of the request that an answer names because its writer found nothing for them."""
_INSIDE_A_WORD = re.compile(r"(?<=\w)(?=\w)")
_PREFIX = re.compile(r"(?<!\w)[ובלמכהש]{1,2}$")
"""Hebrew writes `and`, `in`, `to` and the like as part of the next word."""
_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+)\s+$")
_HEBREW = re.compile(r"[א-ת]$")

Part: TypeAlias = str | Statement | None
"""Of a sentence: words, a statement, or (None) an id that does not exist."""


class Gate:
    """Takes one text, in pieces of any size."""

    def __init__(self, catalogue: Catalogue, *, may_ask: bool = True) -> None:
        """`may_ask`: whether the text may end with questions."""
        self._may_ask = may_ask
        self.refused: list[str] = []
        """Sentences that did not stand as they were written."""
        self.told: dict[str, None] = {}
        """Ids of the statements that were told, in order."""
        self._said_too: set[str] = set()
        """Ids of what these said besides."""
        self.catalogue = catalogue
        self.text = ""
        """What was released."""
        self._thoughts = Thoughts()
        self._buffer = ""
        self._gap = ""
        self._heading = ""
        self._questions: dict[str, None] = {}
        self.unanswered: dict[str, None] = {}
        """Words of the request that the writer finds no statement for."""

    @property
    def has_told(self) -> bool:
        """Whether a fact was told, and not courtesies alone."""
        told = (self.catalogue.by_id.get(name) for name in self.told)
        return any(each is None or each.sort == "fact" for each in told)  # None: an operator's sentence

    def feed(self, piece: str) -> str:
        """What can be released by now."""
        self._buffer += self._thoughts.without(piece)
        return "".join(self._sentences())

    def rest(self) -> str:
        """What is still to be released of the text, which has ended."""
        self._buffer = f"{self._buffer}{self._thoughts.rest()}".rstrip() + "\n"
        return "".join(self._sentences())

    def owed(self) -> str:
        """What must be told and was not, and then the questions."""
        rest, added = self._rest_of_topic([]), self._owed()
        is_listed = any(each.own_line.startswith("- ") and each.under == self._heading for each in added)
        if is_listed or len(self.catalogue.headings) > 1:
            self._heading = self._told_under()  # a list's item, or what may be of another, does not stand far from it
        self._questions.update(dict.fromkeys(each.text for each in added if each.sort == "question"))
        facts = self._after("\n\n", self._lines([each for each in added if each.sort != "question"]))
        asked = " ".join(sorted(self._questions, key=asks))
        left = asked if self._may_ask else " ".join(each for each in sentences(asked) if not asks(each))
        return rest + facts + self._after("\n\n", self._nothing_more()) + self._after("\n\n", left)

    def _owed(self) -> list[Statement]:
        """What must be told and was not yet."""
        said, names = {*self.told, *self._said_too}, list[str]()
        for duty in self.catalogue.duties:
            if said.isdisjoint(duty.any_of) and (not duty.of or duty.of in {*self.told, *self._headings_of(names)}):
                names += duty.add
                said.update(duty.add)
        return [self.catalogue.by_id[name] for name in names]

    def _headings_of(self, names: Sequence[str]) -> Iterator[str]:
        """What stands above these where they are told."""
        for name in names:
            while name := self.catalogue.by_id[name].under:
                yield name

    def _nothing_more(self) -> str:
        """On which words of the request there is nothing, but for those that a remark has quoted."""
        quoted = " ".join(_QUOTED.findall(self.text))
        new = [words for words in self.unanswered if words not in quoted][:MOST_UNANSWERED]
        return self.catalogue.nothing_more(new, self.text) if new and self.catalogue.nothing_more else ""

    def _told_under(self) -> str:
        """The heading that the last fact told is or stands under."""
        told = (self.catalogue.by_id.get(name) for name in reversed(self.told))
        last = next((each for each in told if each is None or each.sort == "fact"), None)
        return "" if last is None else last.id if last.id in self.catalogue.headings else last.under

    def _sentences(self) -> Iterator[str]:
        while True:
            text = self._buffer.lstrip()
            end = end_of_sentence(text, self.catalogue.whole)
            if end is None:
                return
            self._gap = max(
                self._gap, self._buffer[: len(self._buffer) - len(text)], key=lambda gap: (gap.count("\n"), len(gap))
            )
            self._buffer = text[end:]
            yield self._let_through(text[:end])

    def _let_through(self, sentence: str) -> str:
        """What becomes of one sentence."""
        written = _UNANSWERED.sub(self._unanswered, sentence)
        if written != sentence and not _SLOT.search(written):
            return self._after(self._gap, "")
        if not written:
            return ""
        if len(self.text) + len(written) > self.catalogue.longest:
            self.refused.append(written)
            return self._after(self._gap, "")
        bullet, words = bullet_of(plain(written))
        parts = self._parts(words)
        stated = [part for part in parts if isinstance(part, Statement)]
        return self._rest_of_topic(stated) + self._sentence(written, bullet, parts, stated)

    def _rest_of_topic(self, stated: Sequence[Statement]) -> str:
        """What must be told and follows what was told last, before the writer goes on to something else."""
        last = self.catalogue.by_id.get(next(reversed(self.told), ""))
        if last is None or any(last.about in (each.about, *each.beside) for each in stated):
            return ""
        rest, before = list[Statement](), last.id
        for each in self._owed():
            if each.after == before:
                rest, before = [*rest, each], each.id
        gap, told = self._gap, self._after(" ", self._lines(rest))
        self._gap = gap
        return told

    def _sentence(self, written: str, bullet: str, parts: list[Part], stated: Sequence[Statement]) -> str:
        """What becomes of one sentence, of these parts."""
        stands = self._stands(parts, stated)
        if not stands:
            self.refused.append(written)
        if asked := [each for each in stated if each.sort == "question"]:
            self._tell(asked)
            alone = stands and len(asked) == len(stated)
            self._questions.update(dict.fromkeys([joined(parts)] if alone else (each.text for each in asked)))
        if asked or not stands:
            own = {each.line or each.id: each for each in stated if each.sort == "fact"}
            lines = [self.catalogue.by_id.get(name, each) for name, each in own.items() if name not in self.told]
            return self._after_line(self._lines(lines))
        if stated and self.told.keys() >= {each.id for each in stated}:
            return self._after(self._gap, "")
        before = self._before(stated)
        if before and stated[0].after and isinstance(parts[0], str) and parts[0].rstrip().endswith(":"):
            parts = parts[1:]  # what goes before it is called so already
        self._tell(stated)
        text = before + bullet + joined(parts)
        return self._after_line(text) if before else self._after(self._gap, text)

    def _unanswered(self, found: re.Match[str]) -> str:
        """Nothing, where the request has the words that a writer finds no statement for: they are named at the end."""
        words = as_quoted(found["words"], self.catalogue.request)
        if not words or self.catalogue.nothing_more is None:
            return found[0]
        self.unanswered[words] = None
        return ""

    def _parts(self, words: str) -> list[Part]:
        """The sentence's words and statements; a statement copied letter for letter is one too."""
        found = list(self._named(words))
        abouts = Counter(about for each in found if isinstance(each, tuple) for about in {one.about for one in each})

        last = next(reversed(self.told), "")

        def unlikely(each: Statement) -> tuple[int, bool, bool, bool]:
            """Of one text likeliest is what the sentence is about, follows what was told last, or stands under the last heading."""
            is_elsewhere = bool(each.under) and each.under != self._heading
            return -abouts[each.about], bool(each.after) and each.after != last, each.id in self.told, is_elsewhere

        return [min(each, key=unlikely) if isinstance(each, tuple) else each for each in found]

    def _named(self, words: str) -> Iterator[str | tuple[Statement, ...] | None]:
        """The words between, and at each place the statements that it may be."""
        end = 0
        for found in _SLOT.finditer(words):
            yield from self._copies(words[end : found.start()])
            yield from ((each,) if each else None for each in self.catalogue.put(found[1]))
            end = found.end()
        yield from self._copies(words[end:])

    def _copies(self, words: str) -> Iterator[str | tuple[Statement, ...]]:
        squeezed, whole = re.sub(r"\s+", " ", words), same_text(words)
        for text, statements in self.catalogue.copies:
            if statements[0].sort != "fact" and text != whole:
                continue
            if text and (at := _found(text, squeezed)) >= 0:
                yield from self._copies(squeezed[:at])
                yield tuple(statements)
                yield from self._copies(squeezed[at + len(text) :])
                return
        if squeezed:
            yield squeezed

    def _stands(self, parts: Sequence[Part], stated: Sequence[Statement]) -> bool:
        allowed = self.catalogue.harmless.union(*(each.bears for each in stated))
        words = [part for part in parts[_is_labelled(parts) :] if isinstance(part, str)]
        if None in parts or not all(may_stand(part, allowed) for part in words):
            return False
        if not stated:  # harmless words can still make a claim of their own; before a list they claim nothing
            return "".join(words).rstrip().endswith(":")
        if not self._are_told(parts):
            return False
        ids, abouts = {each.id for each in stated}, {each.about for each in stated if each.about}
        about_one = not abouts or any(abouts <= {each.about, *each.beside} for each in stated)
        return about_one and all(ids.issuperset(each.needs) for each in stated)

    def _are_told(self, parts: Sequence[Part]) -> bool:
        """Whether the statements are told as they are: facts are not asked about, and a whole sentence takes no words into
        itself ("We hope …", "The price of …").
        """
        has_facts = any(isinstance(part, Statement) and part.sort == "fact" for part in parts)
        if has_facts and isinstance(parts[-1], str) and "?" in parts[-1]:
            return False
        for before, words, behind in zip(["", *parts], parts, [*parts[1:], ""], strict=False):
            if not isinstance(words, str):
                continue
            is_led_away = _is_sentence(behind) and not leads(words)
            if is_led_away or (_is_sentence(before) and not isinstance(behind, Statement) and has_words(words)):
                return False
        return True

    def _lines(self, statements: Sequence[Statement]) -> str:
        text = ""
        for each in statements:
            if each.id in self.told:  # told before another that follows it
                continue
            follows = bool(each.after) and each.after == next(reversed(self.told), "")
            joint = " " if text and follows and not each.alone else "\n"
            text += (joint if text else "") + self._before([each]) + each.own_line
            self._tell([each])
        return text

    def _before(self, stated: Sequence[Statement]) -> str:
        """Lines of what is told before these statements and was not: the heading they stand under, what they follow."""
        here = {each.id for each in stated}
        text = ""
        for each in stated:
            if each.under and each.under != self._heading and each.under not in here:
                text += self._own_line(each.under)
            if each.after and each.after not in self.told and each.after not in here:
                text += self._own_line(each.after)
        return text

    def _own_line(self, name: str) -> str:
        statement = self.catalogue.by_id[name]
        before = self._before([statement])
        line = (name in self.told and statement.again) or statement.own_line
        self._tell([statement])
        return f"{before}{line}\n"

    def _tell(self, stated: Sequence[Statement]) -> None:
        for each in stated:
            self.told[each.id] = None
            self._said_too.update(each.tells)
            if each.line:
                self.told[each.line] = None
            if each.id in self.catalogue.headings:
                self._heading = each.id
            elif each.under:
                self._heading = each.under

    def _after_line(self, text: str) -> str:
        """The text behind what was released, on a line of its own if it is a list or several lines."""
        is_block = "\n" in text or text.startswith("- ")
        return self._after(self._gap if "\n" in self._gap or not is_block else f"{self._gap}\n", text)

    def _after(self, gap: str, text: str) -> str:
        """The text behind what was released, at the distance it was written at."""
        if not text:
            self._gap = gap or " "
            return ""
        space = "\n" * min(2, gap.count("\n")) or gap[:1]
        released = (space if self.text else "") + text
        self._gap, self.text = "", self.text + released
        return released


def _is_labelled(parts: Sequence[Part]) -> bool:
    """Whether the first words are a label of the statement behind them: `Your dog: `."""
    if len(parts) < 2 or not isinstance(parts[0], str) or not isinstance(parts[1], Statement):
        return False
    label, colon, rest = parts[0].partition(":")
    return bool(colon) and not rest.strip() and label.strip().casefold() in parts[1].labels


def _is_sentence(part: Part) -> bool:
    return isinstance(part, Statement) and part.sort == "fact" and part.is_sentence


def _found(text: str, words: str) -> int:
    """Where a statement stands in the words, as whole words; -1 = nowhere."""
    at = words.find(text)
    while at >= 0:
        begins = not _INSIDE_A_WORD.match(words, at) or _PREFIX.search(words[:at])
        if begins and not _INSIDE_A_WORD.match(words, at + len(text)):
            return at
        at = words.find(text, at + 1)
    return -1


def joined(parts: Sequence[Part]) -> str:
    """The sentence with its statements put in, the joints smoothed."""
    text = ""
    for number, part in enumerate(parts):
        if isinstance(part, Statement):
            if part.text.endswith(":") and text.rstrip().endswith(","):
                text = f"{text.rstrip()[:-1]}. "
            if number == 1 and _is_labelled(parts) and part.text.partition(":")[0].casefold() in part.labels:
                text = ""  # it begins with its label itself: `Pets: 15 kg is above …`
            if _begins_anew(part, parts[:number]) and text.rstrip()[-1:].isalnum():
                text = f"{text.rstrip()}. "
            rest = (each.text if isinstance(each, Statement) else each or "" for each in parts[number + 1 :])
            text = _with_statement(text, part.text, "".join(rest))
        elif part is not None:
            text += part.lstrip(".,;:!?") if text and text[-1] in "!?" else part
    return text.strip()


def _begins_anew(told: Statement, before: Sequence[Part]) -> bool:
    """Whether a whole sentence follows another statement without a word between them."""
    spoken = [part for part in before if not isinstance(part, str) or has_words(part)]
    return told.text.endswith((".", "!", "?")) and bool(spoken) and isinstance(spoken[-1], Statement)


def _is_its_label(text: str, told: str) -> bool:
    """Whether the words before a statement are a label, with which it begins itself: `Early check-in: Early check-in is …`."""
    words = text.strip()
    label = words.removesuffix(":").rstrip().casefold()
    begins = has_words(label) and told.casefold().startswith(label)
    return words.endswith(":") and begins and not told[len(label) : len(label) + 1].isalnum()


def _with_statement(text: str, told: str, rest: str) -> str:
    """`text` goes on with a statement, after which the sentence goes on with `rest`."""
    if rest.lstrip()[:1] in tuple(".,;:!?)") or has_words(rest):
        told = told.rstrip(".:")
    if (last := _LAST_WORD.search(text)) and told.casefold().startswith(f"{last[1].casefold()} "):
        text = text[: last.start()]
    if _is_its_label(text, told):
        text = ""
    if _HEBREW.search(text) and told[:1].isdigit():
        return f"{text}־{told}"
    glued = text[-1:].isalpha() and told[:1].isalpha() and not _HEBREW.search(text)
    return f"{text} {told}" if glued else text + told
