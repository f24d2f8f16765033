"""What a message asks for: the words' table of commands and its reader, a request for a new roster, and what goes on with the
messages before: "and tomorrow?", "no, I meant Lena", "why?", "how many hours does she have?".

Word by word: a sentence with a word that the table does not know says something else, so that nothing of it is ignored.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Literal

from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.dialogue.hebrew import with_phrases_in_english
from wavegraph.tools.roster.dialogue.sentences import (
    ID,
    Named,
    Sentence,
    lexed,
    may_be_a_name,
    taken_apart,
    ward_in,
    word_set,
)
from wavegraph.tools.roster.dialogue.spoken_days import COUNTS, OF_DAYS, Calendar, NoSuchDay
from wavegraph.tools.roster.dialogue.subject import people_said
from wavegraph.tools.roster.ward.names import name_key
from wavegraph.tools.roster.ward.ward import MOST_DAYS, Ward

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
    Intent("why", [word_set("can could able allowed"), word_set("work do take cover")], frozenset(), (1, 1), SOME, SOME, asks=True),
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
    no_day: NoSuchDay | None = None
    """Days of it that cannot be; then nothing is read."""


def hear(text: str, named: Named, calendar: Calendar) -> Heard:
    """What the message asks for."""
    try:
        return _heard(text[: LONGEST + 1], named, calendar)
    except NoSuchDay as none:
        return Heard([], no_day=none)


def _heard(text: str, named: Named, calendar: Calendar) -> Heard:
    """As one sentence, else as several. Raises NoSuchDay."""
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
            # nurses, and what days and shifts are theirs, take their verb from the sentence before
            is_bare = bool(said.nurses) and said.folded <= _BARE and not said.is_each_own
            if command := command_of(said) or (Command("same", said) if is_bare else None):
                rest[first] = [command, *([] if is_end else rest[last + 1])]
                break
    return _with_verbs(rest[0])


def _with_verbs(commands: Sequence[Command]) -> list[Command]:
    """Bare ones with what they leave out, as the command before has it; empty = one of them cannot be read."""
    found: list[Command] = []
    for command in commands:
        whole = command if command.kind != "same" else found and command_of(_after(found[-1].said, command.said))
        if not whole:
            return []
        found.append(whole)
    return found


def _after(before: Sentence, said: Sentence) -> Sentence:
    return replace(
        said,
        words=(*before.words, *said.words),
        days=said.days or before.days,
        shifts=said.shifts or before.shifts,
        is_question=said.is_question or before.is_question,
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


_WISH = re.compile(
    r"\b(can'?t|cannot|can ?not|unable|don'?t|not|never|apart|together|off|avoid|prefer\w*|wants?|would like|must|"
    r"only|without|except|lock\w*|swap|sick|ill|leave|away|vacation|instead|more|fewer|less)\b",
    re.IGNORECASE,
)
_MAKES = word_set("make create generate build solve plan prepare schedule roster rota rotas rosters")
"""Words that ask for a roster to be made."""
_KNOWN = _MAKES | word_set("""
a again all an and at begin beginning begins can coming could day days do duty first for from get give good hello hi i in is
it let lets making me month my need needed new next now nurse nurses of on our period planning please s scheduling shift
shifts staff start starting starts thank thanks that the then this through till to until up us ward week weeks work working
you
""")
"""Words that do not change which roster is asked for."""
_TASK = re.compile(
    r"\b(roster|rota|rotas|rosters|schedul\w*|generat\w*|plan\w*|shifts?|mak\w*|creat\w*|build|solve|week|weeks)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReadRequest:
    is_task: bool = True
    """Whether it asks for a roster."""
    ward: str | None = None
    start: date | None = None
    days: int | None = None
    wish: str | None = None
    """The first word that asks for something about people."""
    unread: str | None = None
    """The first other word, or length, that the rules do not know."""
    bad_date: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read, as a request for a roster."""
        return self.is_task and not (self.bad_date or self.wish or self.unread)


ORDERED = ReadRequest()
"""A request that the settings define; its words are not read."""


def read(text: str, *, wards: Collection[str], today: date) -> ReadRequest:
    """The longest of several names is the ward; words inside it (`night-off`, `two weeks`) are not read."""
    try:
        said = taken_apart(text, Named(None, wards), Calendar(today))
    except NoSuchDay as none:
        return replace(ORDERED, ward=ward_in(text, wards)[0], bad_date=none.said)
    words = " ".join(word.said for word in said.words)
    wish, starts = _WISH.search(words), [when.first for when in said.days if when.first]
    lengths = [when.length for when in said.days if when.length is not None]
    spans = [(when.last - when.first).days + 1 for when in said.days if when.first and when.last]
    unread = [
        *(word.said for word in said.words if word.folded not in _KNOWN),
        *ID.findall(text),
        *(when.weekday for when in said.days if when.weekday),  # days of every week make no period
        *map(str, starts[1:]),
        *(f"{length} days" for length in lengths if not 1 <= length <= MOST_DAYS),
    ]
    return ReadRequest(
        is_task=bool(_TASK.search(words)) or said.ward is not None or bool(said.days),
        ward=said.ward,
        start=next(iter(starts), None),
        days=next(filter(None, [*lengths, *(days for days in spans if days > 1)]), None),
        wish=wish.group(0) if wish else None,
        unread=next(iter(unread), None),
    )


def asks_to_make(text: str) -> bool:
    """Whether it says so by a word of its own, or names a period alone: "from the 14th for two weeks"."""
    words = [word.folded for word in lexed(text)]
    return not _MAKES.isdisjoint(words) or words[:1] in (["from"], ["for"], ["starting"])


MOST_BEFORE = 8
"""Messages of the person that are read for it."""
PRONOUNS = word_set("he she him her his hers")
CORRECTS = word_set("no not meant mean sorry instead rather actually")
MEANT = word_set("meant mean sorry instead")
COUNTED = word_set("most fewest least hours weekends")
LEADS = FILLERS | CORRECTS | word_set("what how about but oh same please with")
"""Words around what is new."""
QUESTIONS: frozenset[Kind] = frozenset(["works", "off", "nurse", "share", "ranking", "why", "cover"])
WRITES: frozenset[Kind] = CHANGES | {"swap"}
NEEDY: frozenset[Kind] = frozenset(["why", "cover"])
"""Kinds that need a nurse and a day; what is not said is what was spoken of."""
NODS = word_set("yes ok okay no כן לא")


def hear_after(text: str, view: PlanningView, ward: Ward, wards: Collection[str], calendar: Calendar) -> Heard:
    """What the message asks for of a ward, with what the messages before it leave open for it. `wards`: what all are called."""
    said, last, named = people_said(view), None, Named(ward, wards, WORDS, TELLING)
    for earlier in (said[:-1] if said[-1:] == [text] else said)[-MOST_BEFORE:]:
        last = _spoken_of(earlier, _hear(earlier, last, named, calendar), last)
    return _hear(text, last, named, calendar)


def _spoken_of(text: str, heard: Heard, last: Command | None) -> Command | None:
    """The command that a next message may go on with; a courtesy changes nothing."""
    if text.strip(" .!").casefold() in NODS or {command.kind for command in heard.commands} == {"thanks"}:
        return last
    return heard.commands[0] if len(heard.commands) == 1 else None


def _hear(text: str, last: Command | None, named: Named, calendar: Calendar) -> Heard:
    heard = hear(text, named, calendar)
    if last is None or len(heard.commands) > 1 or heard.ward or heard.no_day:
        return heard
    if heard.commands and heard.commands[0].said.nurses:
        return replace(heard, commands=[_filled(heard.commands[0], last)])
    said = taken_apart(text, named, calendar)
    found = _of_pronoun(said, last) or (heard.commands[0] if heard.commands else _continued(said, last))
    return replace(heard, commands=[_filled(found, last)]) if found else heard


def _of_pronoun(said: Sentence, last: Command) -> Command | None:
    if said.nurses or said.folded.isdisjoint(PRONOUNS) or len(last.said.nurses) != 1:
        return None
    return command_of(replace(said, nurses=last.said.nurses))


def _filled(command: Command, last: Command) -> Command:
    """With the nurse and the days that were spoken of, where it needs them and names none."""
    said, before = command.said, last.said
    if command.kind not in NEEDY or (said.nurses and said.days):
        return command
    nurses = said.nurses or (() if said.shifts else before.nurses)
    return replace(command, said=replace(said, nurses=nurses, days=said.days or before.days))


def _continued(said: Sentence, last: Command) -> Command | None:
    """The last command with what this message names in the place of the same kind of thing."""
    new, counted = _named_anew(said), said.folded & COUNTED
    if new is None or last.kind not in QUESTIONS | WRITES:
        return None
    if last.kind in WRITES and (said.is_question or said.is_each_own):
        return None
    if not (new.nurses or new.days or new.shifts or counted) or (counted and last.kind not in ("ranking", "share")):
        return None
    # "not on Friday" and "no nights for Ivan" say what is not wanted, and nothing in its place
    takes_back = ("not" in said.folded and len(said.nurses) < 2) or ("no" in said.folded and bool(said.shifts))
    if said.folded.isdisjoint(MEANT) and takes_back:
        return None
    before = last.said
    nurses = _other_nurses(new, before) or before.nurses
    kind: Kind = "nurse" if new.nurses and last.kind in ("works", "off") else last.kind
    words = [word for word in before.words if not (counted and word.folded in COUNTED)]
    merged = replace(
        before,
        text=said.text,
        nurses=nurses,
        days=new.days or before.days,
        shifts=() if counted & {"hours", "weekends"} else new.shifts or before.shifts,
        words=(*words, *(word for word in said.words if word.folded in counted)),
    )
    is_like_before = not before.nurses or last.kind not in WRITES or len(nurses) == len(before.nurses)
    fits = any(intent.kind == kind and intent.counts(merged) for intent in INTENTS)
    return Command(kind, merged) if fits and is_like_before else None


def _named_anew(said: Sentence) -> Sentence | None:
    """The sentence, if nothing is in it but what it names; a word with a capital that is not known may be a nurse."""
    unknown = [word.said for word in said.words if word.folded not in LEADS | COUNTED]
    if not all(map(may_be_a_name, unknown)):
        return None
    return replace(said, nurses=(*said.nurses, " ".join(unknown))) if unknown else said


def _other_nurses(new: Sentence, before: Sentence) -> tuple[str, ...]:
    """Those named; of "not Bob, I meant Eva" without the one who is taken back."""
    if new.folded.isdisjoint(CORRECTS) or len(new.nurses) < 2:
        return new.nurses
    taken_back = {name_key(nurse) for nurse in before.nurses} or {name_key(new.nurses[0])}
    return tuple(nurse for nurse in new.nurses if name_key(nurse) not in taken_back)
