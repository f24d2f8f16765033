"""Sentences and words of a written text: where a sentence ends, and which of its words may not stand in it."""

import re
from collections.abc import Collection, Sequence

SLOT = r"\{\{?\s*(?P<id>[\w.-]+(?::[^{}\n]{1,300}+)?)\s*\}\}?"
"""An id in a text, or an operator over ids; some writers use one pair of braces."""
_END = re.compile(rf"{SLOT}|\{{[^{{}}\n]*$|(?P<end>(?<![.!?…])[.!?…]++[\"”’)\]]*+(?=\s)|(?=\n))")
_NUMBERED = re.compile(r"\d{1,2}[.)]")
_WORD = re.compile(r"[^\W\d_]+(?:['’׳״\"][^\W\d_]+)*")
_SIGNS = frozenset(" \t.,:;!?…-–—()'\"“”„‘’״׳־")
_JOINTS = (":", ",", ";", "–", "—", " -")
_MARKUP = re.compile(rf"(?P<slot>{SLOT})|[*`#]+")
_STAR = re.compile(r"^\*\s+")
_BULLET = re.compile(r"(?:[-•–]|\d{1,2}[.)])\s+")
_THOUGHT = re.compile(
    r"<(?P<closes>/?)(?P<tag>think|thinking|reasoning)>|(?P<cut><[/a-z]{0,10}$)|[^<]+|<", re.IGNORECASE
)


def end_of_sentence(text: str, whole: Collection[str] = ()) -> int | None:
    """Where the first sentence of a text ends; None = not yet. A line ends one, and so do `.`, `!` and `?` before a space.

    A point inside an id, a number or a list's `1.` ends none. `whole`: ids of what is a sentence of its own,
    as all that an operator says is.
    """
    for found in _END.finditer(text):
        if found["id"] is not None:
            ends = (found["id"] in whole or ":" in found["id"]) and text[found.end() : found.end() + 1].isspace()
        else:
            ends = found["end"] is not None and not _NUMBERED.fullmatch(text[: found.end()].strip())
        if ends:
            return found.end()
    return None


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order; one ends inside no quotation."""
    parts, rest, start = [], text.strip(), 0
    while (end := end_of_sentence(rest[start:])) is not None:
        start += end
        if sum(map(rest[:start].count, "“„")) <= rest[:start].count("”"):
            parts.append(rest[:start].strip())
            rest, start = rest[start:].strip(), 0
    return [part for part in (*parts, rest) if part]


def cut_at_a_sentence(text: str, longest: int) -> str:
    """The text up to the last sentence that ends within `longest` characters; cut in the first one if that is longer."""
    if len(text) <= longest:
        return text
    end, begin = 0, len(text) - len(text.lstrip())
    while (more := end_of_sentence(text[begin:])) is not None and begin + more <= longest:
        end = begin + more
        begin = len(text) - len(text[end:].lstrip())
    return text[: end or longest].rstrip()


def without_questions(text: str) -> str:
    """The text without the sentences that ask; a text that does nothing else stays."""
    lines = [(line, [each for each in sentences(line) if not asks(each)]) for line in text.splitlines()]
    left = "\n".join(" ".join(kept) for line, kept in lines if kept or not line.strip())
    return re.sub(r"\n{3,}", "\n\n", left).strip() or text


def asks(text: str) -> bool:
    """Whether a text ends with a question."""
    return text.rstrip().endswith(("?", "？", "؟"))


def same_text(text: str) -> str:
    """A text without what does not make it another: spaces, markup, the stop at its end."""
    return " ".join(plain(text).split()).rstrip(".:! ")


def plain(text: str) -> str:
    """A text without marks of bold, code and headings."""
    return _MARKUP.sub(lambda found: found["slot"] or "", _STAR.sub("- ", text)).strip()


def bullet_of(sentence: str) -> tuple[str, str]:
    """A sentence's mark as a list's item, if it has one, and the rest."""
    found = _BULLET.match(sentence)
    return ("- ", sentence[found.end() :]) if found else ("", sentence)


def in_quotation_marks(words: Sequence[str]) -> str:
    return ", ".join(f"“{each}”" for each in words)


def words_in(text: str) -> frozenset[str]:
    """The words of a text, case-folded."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def has_words(text: str) -> bool:
    return _WORD.search(text) is not None


def may_stand(text: str, allowed: Collection[str]) -> bool:
    """Whether a text consists of allowed words and punctuation: no digit, no other sign.

    Among the allowed may be phrases: words that stand together though one of them alone may not.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    covered = {n for n, word in enumerate(words) if word in allowed}
    if len(covered) < len(words):
        phrases = [tuple(each.split()) for each in allowed if " " in each]
        for at in range(len(words)):
            covered.update(
                n for each in phrases if tuple(words[at : at + len(each)]) == each for n in range(at, at + len(each))
            )
    return len(covered) == len(words) and _SIGNS.issuperset(_WORD.sub("", text))


def leads(text: str) -> bool:
    """Whether words before a whole sentence only lead to it: none, or a few with a sign behind them."""
    return not has_words(text) or text.rstrip(" ").endswith(_JOINTS)


class Thoughts:
    """Leaves a model's reasoning out of its text, piece by piece."""

    def __init__(self) -> None:
        self._held = ""
        self.inside = ""
        """The tag that has not been closed yet."""

    def without(self, piece: str) -> str:
        """What of the text is certainly none by now."""
        text, self._held, said = self._held + piece, "", ""
        for found in _THOUGHT.finditer(text):
            tag = (found["tag"] or "").lower()
            if found["cut"]:
                self._held = found[0]
            elif tag and self.inside == (tag if found["closes"] else ""):
                self.inside = "" if found["closes"] else tag
            elif not (tag or self.inside):
                said += found[0]
        return said

    def rest(self) -> str:
        """What was held back to the end."""
        rest, self._held = "" if self.inside else self._held, ""
        return rest
