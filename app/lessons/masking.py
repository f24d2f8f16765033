"""Keeps guests out of lessons: their contacts and numbers are masked, and words that may be names.

A name cannot be told from another word. So a lesson may use any word that the agent's own instructions hold or that no
guest wrote; of what guests wrote only words that several of them use, and never as a name is written.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from wavegraph.app.plain_text import plain
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.model.lessons import LONGEST_LESSON
from wavegraph.graph.secrets.scrubber import process

CONTACT, NUMBER, NAME = "[contact]", "[number]", "[name]"
MANY = 3
"""Conversations that use a word before it counts as nobody's."""
_CONTACT = re.compile(r"(?<![\w.+%-])[\w.+%-]++@\S++|(?:https?://|www\.)\S++", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d)(?!\d)")
_NUMBER = re.compile(r"\+?\d(?:[\s().\-/\u2010-\u2015]{0,3}\d){6,}")
"""Seven digits or more, as of phones, bookings and accounts."""
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"[<>`{}\[\]]")
"""What shapes a prompt or stands for something masked."""


def masked(text: str) -> str:
    """The text in one line, without secrets, card numbers, contacts and long numbers; days stay."""
    clean = _CONTACT.sub(CONTACT, mask(process.scrub(plain(text))))
    return "".join(part if n % 2 else _NUMBER.sub(NUMBER, part) for n, part in enumerate(_DAY.split(clean)))


def words_of(text: str) -> set[str]:
    """Case-folded."""
    return set(_WORD.findall(text.casefold()))


@dataclass
class GuestWords:
    """Which words are somebody's own."""

    known: frozenset[str]
    """Those of the agent's instructions, case-folded."""
    _small: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Conversations, up to `MANY`, that write a word in small letters; empty = it was written otherwise alone."""
    _names: set[str] = field(default_factory=set)
    """Words that somebody wrote as a name is written, or in a script without small letters."""

    def read(self, text: str, thread_id: str) -> None:
        """Take the words of a conversation."""
        for found in _WORD.finditer(text):
            word = found[0]
            threads = self._small[word.casefold()]
            if word.islower():
                if len(threads) < MANY:
                    threads.add(thread_id)
            elif not (word.istitle() and _begins(text, found.start())):
                self._names.add(word.casefold())

    def may_name(self, word: str) -> bool:
        """Whether a case-folded word may be a guest's name, or tell who a guest is."""
        if word in self.known or word not in self._small:
            return False
        return word in self._names or len(self._small[word]) < MANY

    def masked(self, text: str) -> str:
        """The text masked, words too that somebody wrote as a name is written; not in scripts without small letters,
        where every word would be one."""

        def name_or_word(found: re.Match[str]) -> str:
            word = found[0].casefold()
            has_cases = word.upper() != word
            return NAME if has_cases and word in self._names and self.may_name(word) else found[0]

        return _WORD.sub(name_or_word, masked(text))


def why_unfit(text: str, words: GuestWords) -> str:
    """Why a text can be no lesson; empty = it can. It never quotes the text."""
    if not text or plain(text) != text or not text.isprintable():
        return "it is not one line of text"
    if len(text) > LONGEST_LESSON:
        return f"it has {len(text)} characters, at most {LONGEST_LESSON} are allowed"
    if masked(text) != text:
        return "it holds a contact, a long number or a secret"
    if _MARKUP.search(text):
        return "it holds signs that shape a prompt"
    if own := [word for word in words_of(text) if words.may_name(word)]:
        return f"it holds {len(own)} word{'s' if len(own) > 1 else ''} that may be a guest's own"
    return ""


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins there, and with it any word has a capital."""
    before = text[max(0, at - 3) : at].rstrip()
    return not before or before[-1] in ".!?:"


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words_of(text))
