"""Keeps guests out of lessons: their contacts and numbers are masked, and words that may be names.

A name cannot be told from another word. So a lesson may use any word that the agent's own instructions hold or that no
guest wrote; of what guests wrote only words that several of them use, and never as a name is written.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from wavegraph.app.plain_text import plain
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.secrets.scrubber import process

CONTACT, NUMBER, NAME = "[contact]", "[number]", "[name]"
LONGEST_LESSON = 240
"""Characters."""
MANY = 3
"""Conversations that use a word before it cannot identify one of them."""
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


class GuestWords:
    """Which words may be somebody's own, by what was said in conversations and what the agent's instructions say."""

    def __init__(self, instructions: str, said: Iterable[tuple[str, str]]) -> None:
        """`said`: thread and text."""
        self._known = frozenset(_WORD.findall(instructions.casefold()))
        self._small: dict[str, set[str]] = defaultdict(set)
        """Conversations that write a word in small letters; empty = it was written otherwise alone."""
        self._names: set[str] = set()
        """Words that somebody wrote as a name is written, or in a script without small letters."""
        for thread_id, text in said:
            for found in _WORD.finditer(text):
                self._take(found[0], thread_id, begins=_begins(text, found.start()))

    def _take(self, word: str, thread_id: str, *, begins: bool) -> None:
        threads = self._small[word.casefold()]
        if word.islower():
            threads.add(thread_id)
        elif not (word.istitle() and begins):
            self._names.add(word.casefold())

    def may_name(self, word: str) -> bool:
        """Whether a case-folded word may be a guest's name, or tell who a guest is."""
        if word in self._known or word not in self._small:
            return False
        return word in self._names or len(self._small[word]) < MANY

    def masked(self, text: str) -> str:
        """The text masked, words too that somebody wrote as a name is written; not in scripts without small letters,
        where every word would be one."""
        return _WORD.sub(lambda found: NAME if self._is_name(found[0].casefold()) else found[0], masked(text))

    def _is_name(self, word: str) -> bool:
        return word.upper() != word and word in self._names and self.may_name(word)

    def why_unfit(self, text: str) -> str:
        """Why a text can be no lesson; empty = it can. It never quotes the text."""
        own = [word for word in set(_WORD.findall(text.casefold())) if self.may_name(word)]
        reasons = {
            "it is not one line of text": not text or plain(text) != text or not text.isprintable(),
            f"it has {len(text)} characters, at most {LONGEST_LESSON} are allowed": len(text) > LONGEST_LESSON,
            "it holds a contact, a long number or a secret": masked(text) != text,
            "it holds signs that shape a prompt": bool(_MARKUP.search(text)),
            f"it holds {len(own)} word{'s' if len(own) > 1 else ''} that may be a guest's own": bool(own),
        }
        return next((reason for reason, holds in reasons.items() if holds), "")


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins there, and with it any word has a capital."""
    before = text[max(0, at - 3) : at].rstrip()
    return not before or before[-1] in ".!?:"
