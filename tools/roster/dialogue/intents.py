"""What can be said about a roster that is there: a table from words to commands, and its reader.

Word by word: a sentence with a word that the table does not know says something else, so that nothing of it is ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from wavegraph.tools.roster.dialogue.hebrew import with_phrases_in_english
from wavegraph.tools.roster.dialogue.sentences import Named, Sentence, may_be_a_name, taken_apart, word_set
from wavegraph.tools.roster.dialogue.spoken_days import COUNTS, OF_DAYS, Calendar

Kind = Literal[
    "undo", "compare", "what_if", "export", "draft", "standing", "publish", "why", "cover", "swap", "lock", "apart",
    "together", "off", "works", "ranking", "share", "absent", "unavailable", "wish", "assign", "nurse", "short", "report",
    "show", "next", "again", "repair", "thanks", "help", "discard", "gone", "wishes", "too_many", "limit", "same",
]  # fmt: skip
CHANGES: frozenset[Kind] = frozenset(["absent", "unavailable", "wish", "assign", "lock", "apart", "together", "gone"])
"""Kinds that are changes."""
COURTEOUS: frozenset[Kind] = frozenset(["thanks", "help"])
"""Kinds that ask for nothing beside something else."""
MOST_CLAUSES = 12
LONGEST = 1000
"""Characters of a message that is read."""


FILLERS = word_set("""
    a all also an and any are as at be been being by can could day days did do does duties duty for from good got had
    has have he hello her hers hey hi his i in is it its just know let let's me my now nurse nurses of ok okay on one
    our period please roster rosters rota rotas schedule she shift shifts so staff tell that the their them then there
    these they this to us ward was we were whether will would you your
""")
"""Words that do not change what is asked."""
_WHO = word_set("who whos whose anyone anybody someone somebody")
_MAKE = word_set("make create generate build plan prepare solve do start")
_CANNOT = word_set("can't cannot never")
_AWAY = word_set("sick ill unwell off away absent unavailable leave holiday vacation")
_BOUND = word_set("most maximum limit than least minimum")
_OF_ALL: frozenset[Kind] = frozenset(["absent", "unavailable", "assign", "lock"])
"""Kinds that give every nurse every day."""
_BARE = word_set("a also and are at for from in is of on please so the then to")
"""Words of a sentence without a verb: "and Mia on Friday"."""
IN_A_ROW = word_set("row consecutive running")


@dataclass(frozen=True)
class Intent:
    kind: Kind
    needs: Sequence[frozenset[str]]
    """Of each one word at least."""
    may: frozenset[str] = frozenset()
    nurses: tuple[int, int] = (0, 0)
    """Fewest and most."""
    days: tuple[int, int] = (0, 0)
    shifts: tuple[int, int] = (0, 0)
    asks: bool | None = None
    """Whether it is a question; None = as it comes."""
    counted: bool = False
    """Whether it names a number."""

    def counts(self, said: Sentence) -> bool:
        """Whether it takes as many nurses, days and shifts as are named."""
        counts = ((self.nurses, said.nurses), (self.days, said.days), (self.shifts, said.shifts))
        return all(least <= len(found) <= most for (least, most), found in counts)

    def takes(self, said: Sentence) -> bool:
        return (
            all(said.folded & group for group in self.needs)
            and self.counts(said)
            and (self.asks is None or self.asks == said.is_question)
            and not (said.is_each_own and self.kind in _OF_ALL)
            and (not self.counted or any(map(is_number, said.folded)))
        )

    def unknown(self, said: Sentence) -> list[str]:
        """The words that it does not know, as they were said."""
        known = FILLERS | self.may | frozenset().union(*self.needs)
        return [
            word.said
            for word in said.words
            if word.folded not in known and not (self.counted and is_number(word.folded))
        ]


def is_number(word: str) -> bool:
    return word.isdecimal() or (word in COUNTS and word != "a")


FEW, SOME = (0, 3), (0, 1)
SHOW = word_set("show see view display look")

INTENTS: Sequence[Intent] = (
    Intent("undo", [word_set("undo revert restore cancel")], word_set("last change changes back old previous")),
    Intent("undo", [word_set("take put go change turn"), word_set("back")], word_set("before old previous how again")),
    Intent("compare", [word_set("compare compared difference differences differ differs changed")],
           word_set("last previous before old new earlier published what what's whats how much which cells between since with")),
    Intent("export", [word_set("export download excel xlsx csv png picture image ics calendar calendars workbook html print "
                          "printed spreadsheet page pages poster pdf")],
           word_set("save send give each every everyone make create show write out get need want file files into wall noticeboard "
               "board paper hang up copy printout")),
    Intent("draft", [word_set("draft")], word_set("publish keep save")),
    Intent("standing", [word_set("published")], word_set("already yet who when")),
    Intent("publish", [word_set("publish release")], word_set("go ahead out yes")),
    Intent("why", [word_set("why")], word_set("work works working must get gets given put off free not can't cannot doesn't isn't"), (0, 1), SOME, SOME),
    Intent("cover", [_WHO, word_set("cover take replace instead step stand fill swap switch")],
           word_set("can't cannot come work is ill sick away off over place else free up able available called calls reported"),
           (0, 1), SOME, SOME),
    Intent("cover", [word_set("need find get"), _WHO | word_set("cover replacement substitute")], word_set("instead else free"), (0, 1),
           SOME, SOME),
    Intent("cover", [_WHO, word_set("free available")], word_set("work else able"), (0, 0), (1, 1), (1, 1)),
    Intent("swap", [word_set("swap exchange switch trade")], word_set("between cells places with"), (0, 2), FEW),
    Intent("lock", [word_set("lock freeze pin")], word_set("they stay keep cells"), (0, 4), (0, 2), SOME),
    Intent("apart", [word_set("apart")], word_set("keep put should"), (2, 2)),
    Intent("apart", [_CANNOT, word_set("with together")], word_set("work works working be on"), (2, 2), asks=False),
    Intent("together", [word_set("together")], word_set("keep put should with"), (2, 2)),
    Intent("off", [_WHO, _AWAY | word_set("free")], word_set("got"), (0, 0), (1, 3)),
    Intent("off", [_WHO, _CANNOT, word_set("work working")], nurses=(0, 0), days=(1, 3)),
    Intent("works", [_WHO], word_set("work works working scheduled covers call"), (0, 0), (1, 4), (0, 2)),
    Intent("ranking", [_WHO | word_set("which"), word_set("most fewest least highest lowest")],
           word_set("work works working number many hours weekends get gets"), shifts=SOME),
    Intent("ranking", [word_set("hours weekends many"), word_set("everyone everybody each all")], word_set("how work works get gets"),
           shifts=SOME),
    Intent("ranking", [word_set("shared distributed spread")], word_set("how evenly hours weekends among between"), shifts=SOME),
    Intent("share", [word_set("hours weekends many much total contract")], word_set("how what what's work works working get gets over fortnight line within with"),
           (1, 4), shifts=SOME),
    Intent("nurse", [word_set("when what what's which is are does do work works working off free show see")],
           SHOW | _AWAY | word_set("work works working free"), (1, 3), FEW, SOME, asks=True),
    Intent("limit", [_BOUND], IN_A_ROW | _CANNOT | word_set("no not more fewer less hours weekends work works working gets get should ever per week need needs"),
           (0, 1), SOME, SOME, asks=False, counted=True),
    Intent("limit", [_BOUND, IN_A_ROW], _CANNOT | word_set("no not more fewer less work works working should ever"), (0, 1), (1, 1), SOME, asks=False),
    Intent("nurse", [SHOW], word_set("work works"), (1, 3), FEW, SOME),
    Intent("absent", [_AWAY],
           word_set("called reported calls reports out give gives grant need needs take takes until right since morning afternoon evening"),
           (1, 2), (0, 2), SOME, asks=False),
    Intent("absent", [word_set("off")], word_set("give gives needs need take takes gets"), (1, 2), (1, 2), asks=False),
    Intent("unavailable", [_CANNOT], word_set("come work works working doing take able available give put should ever"), (1, 2), (0, 2), SOME, asks=False),
    Intent("wish", [word_set("wants want like likes prefer prefers hopes")], word_set("off free work"), (1, 1), (0, 2), SOME,
           asks=False),
    Intent("assign", [word_set("must put give assign")], word_set("work"), (1, 2), (1, 2), (1, 1), asks=False),
    Intent("short", [word_set("short shortage shortages understaffed gap gaps uncovered missing below")],
           word_set("where when what what's which target anywhere enough people")),
    Intent("report", [word_set("pass passes fair wrong problem problems fail fails failed breach breaches rules report checks "
                          "check fairness")],
           word_set("what what's how which break breaks keep keeps score")),
    Intent("show", [SHOW], word_set("again whole full last once more grid complete current"), days=SOME),
    Intent("show", [word_set("roster rota schedule")], word_set("what what's"), days=SOME),
    Intent("next", [word_set("next-month")], _MAKE | word_set("over again with")),
    Intent("next", [_MAKE, word_set("next following")], word_set("over again with")),
    Intent("again", [_MAKE | word_set("try"), word_set("again anew")], word_set("once more with")),
    Intent("discard", [word_set("delete discard remove erase")], word_set("whole everything away")),
    Intent("gone", [word_set("left leaves leaving quit quits resigned resigns retired retires retiring")], word_set("job ward last"),
           (1, 1), (0, 1), asks=False),
    Intent("gone", [word_set("last"), word_set("day")], word_set("work working"), (1, 1), (1, 1), asks=False),
    Intent("wishes", [word_set("wish wishes requests")], word_set("everyone everybody give grant every each get fix what which kept")),
    Intent("too_many", [word_set("too fewer less"), word_set("many much fewer less")],
           word_set("more fix change give work works gets needs should reduce"), (1, 1), (0, 0), SOME),
    Intent("repair", [word_set("repair")], word_set("published")),
    Intent("help", [word_set("help hello hi hey")], word_set("what how with")),
    Intent("help", [word_set("what how which")], word_set("else help talk work works possible questions ask use say understand able"),
           asks=True),
    Intent("thanks", [word_set("thanks thank cheers great perfect super lovely")], word_set("very much lot many fine bye goodbye nice")),
)  # fmt: skip
"""The first that fits is taken."""
WORDS = FILLERS.union(*(intent.may.union(*intent.needs) for intent in INTENTS))
TELLING = WORDS - FILLERS
_JOINTS = re.compile(r";|\n|[.!?](?=\s)|,\s(?:and\s|then\s)?|\s(?:and|then|&)\s(?:then\s)?|\s(?=ו)", re.IGNORECASE)
_AS_ONE = [
    ((r"\bwon['’]t\b|\bcan not\b|"
     r"\b(?:does|do|did|will|must|should|may|is|are)(?: not|n['’]t)(?= (?:work|working|do|doing|come|take|give|put|able|available)\b)"),
     "cannot"),
    (r"\b(?:can['’]t|cannot) make\b", "cannot come"),
    (r"\b(?:next month|month after)(?:['’]?s)?\b", "next-month"),
]  # fmt: skip
"""What several words say together."""
_WHAT_IF = re.compile(r"(?:what if|suppose)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    kind: Kind
    said: Sentence


@dataclass(frozen=True)
class Heard:
    """What was read of a message."""

    commands: Sequence[Command]
    """In order; empty = not everything of it can be read."""
    unread: str = ""
    """The first word that is not known; empty = it cannot be said."""
    ward: str | None = None


def hear(text: str, named: Named, calendar: Calendar) -> Heard:
    """What the message asks for: as one sentence, else as several. Raises NoSuchDay."""
    if len(text) > LONGEST:
        return Heard([])
    text = with_phrases_in_english(text)
    for words, one in _AS_ONE:
        text = re.sub(words, one, text, flags=re.IGNORECASE)
    said = taken_apart(text, named, calendar)
    if _WHAT_IF.match(text.lstrip()):
        return Heard([Command("what_if", said)], ward=said.ward)
    if commands := _commands(text, named, calendar):
        return Heard(commands, ward=next((each.said.ward for each in commands if each.said.ward), None))
    known = WORDS | OF_DAYS
    unread = next((word.said for word in said.words if word.folded not in known and not is_number(word.folded)), "")
    return Heard([], unread, said.ward)


def _commands(text: str, named: Named, calendar: Calendar) -> list[Command]:
    """All of the text as sentences, each as long as can be; empty = some part of it cannot be read."""
    joints = [joint.span() for joint in islice(_JOINTS.finditer(text), MOST_CLAUSES)]
    begins, ends = [0, *(end for _, end in joints)], [*(begin for begin, _ in joints), len(text)]
    rest: list[list[Command]] = [[] for _ in begins]
    for first in reversed(range(len(begins))):
        for last in reversed(range(first, len(ends))):
            is_end = last == len(ends) - 1
            if not is_end and not rest[last + 1]:
                continue
            said = taken_apart(text[begins[first] : ends[last]], named, calendar)
            if (command := command_of(said) or _bare(said)) is not None:
                rest[first] = [command, *([] if is_end else rest[last + 1])]
                break
    return _with_verbs(rest[0])


def _bare(said: Sentence) -> Command | None:
    """Nurses, and what days and shifts are theirs, in a sentence that takes its verb from the one before."""
    is_bare = bool(said.nurses) and said.folded <= _BARE and not said.is_each_own
    return Command("same", said) if is_bare else None


def _with_verbs(commands: Sequence[Command]) -> list[Command]:
    """Bare ones with what they leave out, as the command before has it; empty = one of them cannot be read."""
    found: list[Command] = []
    for command in commands:
        whole = command if command.kind != "same" else _like(found[-1].said, command.said) if found else None
        if whole is None:
            return []
        found.append(whole)
    return found


def _like(before: Sentence, said: Sentence) -> Command | None:
    return command_of(
        replace(
            said,
            words=(*before.words, *said.words),
            days=said.days or before.days,
            shifts=said.shifts or before.shifts,
            is_question=said.is_question or before.is_question,
        )
    )


def command_of(said: Sentence) -> Command | None:
    """What one sentence asks for; None = it cannot be read."""
    fitting = [intent for intent in INTENTS if intent.takes(said)]
    if whole := next((intent for intent in fitting if not intent.unknown(said)), None):
        return Command(whole.kind, said)
    return next((found for intent in INTENTS if (found := _with_unknown_nurse(intent, said))), None)


def _with_unknown_nurse(intent: Intent, said: Sentence) -> Command | None:
    """The command, where all that is not known of it looks like one nurse's name."""
    unknown = intent.unknown(said)
    if not unknown or intent.nurses[1] == len(said.nurses) or not all(map(may_be_a_name, unknown)):
        return None
    named = replace(said, nurses=(*said.nurses, " ".join(unknown)))
    return Command(intent.kind, named) if intent.takes(named) else None
