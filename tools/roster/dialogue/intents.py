"""What a message asks for: the words' table of commands and its reader, a request for a new roster, and what goes on with the
messages before: "and tomorrow?", "no, I meant Lena", "why?", "how many hours does she have?".

Word by word: a sentence with a word that the table does not know says something else, so that nothing of it is ignored.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.dialogue.sentences import (
    ID,
    Named,
    Sentence,
    Word,
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
    has have he hello her hers hey hi his i in is it its just know let me my now nurse nurses of ok okay on one
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

    def unknown(self, said: Sentence) -> list[Word]:
        """The words that it does not know."""
        known = FILLERS | self.may | frozenset().union(*self.needs)
        words = [word for word in said.words if word.folded not in known]
        return [word for word in words if not (self.counted and is_number(word.folded))]


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
    Intent("cover", [_WHO, word_set("can could able"), word_set("do work")], word_set("extra"), (0, 0), (1, 1), (1, 1)),
    Intent("cover", [_WHO, word_set("free available")], word_set("work else able"), (0, 0), (1, 1), (1, 1)),
    Intent("swap", [word_set("swap exchange switch trade")], word_set("between cells places with"), (0, 2), FEW),
    Intent("lock", [word_set("lock freeze pin")], word_set("they stay keep cells"), (0, 4), (0, 2), SOME),
    Intent("apart", [word_set("apart")], word_set("keep put should"), (2, 2)),
    Intent("apart", [word_set("not"), word_set("together")], word_set("work working should be"), (2, 2), asks=False),
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
    Intent("limit", [word_set("need needs want"), word_set("extra another additional")], word_set("work one two"), (0, 0), SOME, SOME,
           asks=False),
    Intent("nurse", [SHOW], word_set("work works"), (1, 3), FEW, SOME),
    Intent("absent", [_AWAY],
           word_set("called reported calls reports phoned rang texted out give gives grant need needs take takes until right since morning afternoon evening"),
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
_NEXT_MONTH = re.compile(r"\b(?:next month|month after)(?:['’]?s)?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    kind: Kind
    said: Sentence


NOTHING = Sentence(())


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
    said: Sentence = NOTHING


def hear(text: str, named: Named, calendar: Calendar) -> Heard:
    """What the message asks for, as one sentence, else as several."""
    if len(text) > LONGEST:
        return Heard([])
    try:
        said = taken_apart(_NEXT_MONTH.sub("next-month", text), named, calendar)
    except NoSuchDay as none:
        return Heard([], no_day=none)
    first = [item.folded for item in said.items[:2]]
    is_supposed = first == ["what", "if"] or first[:1] == ["suppose"]
    commands = [Command("what_if", said)] if is_supposed else _commands(said)
    strange = [word.said for word in said.words if word.folded not in WORDS | OF_DAYS and not is_number(word.folded)]
    return Heard(commands, "" if commands else next(iter(strange), ""), said.ward, said=said)


def _commands(said: Sentence) -> list[Command]:
    """All of it as sentences, each as long as can be; empty = some part of it cannot be read."""
    begins = [0, *(place for place, item in enumerate(said.items) if place and item.opens)][: MOST_CLAUSES + 1]
    ends = [*begins[1:], len(said.items)]
    read: dict[int, list[Command]] = {len(said.items): []}
    for begin in reversed(begins):
        for end in (end for end in reversed(ends) if end > begin and end in read):
            part = replace(said, items=said.items[begin:end])
            # nurses, and what days and shifts are theirs, take their verb from the sentence before
            is_bare = bool(part.nurses) and part.folded <= _BARE and not part.is_each_own
            if command := command_of(part) or (Command("same", part) if is_bare else None):
                read[begin] = [command, *read[end]]
                break
    return _with_verbs(read.get(0, []))


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
    kinds = {"nurse", *(item.kind for item in said.items)} - {"word"}
    return replace(said, items=(*(item for item in before.items if item.kind not in kinds), *said.items))


def command_of(said: Sentence) -> Command | None:
    """What one sentence asks for; None = it cannot be read."""
    fitting = (intent for intent in INTENTS if intent.takes(said) and not intent.unknown(said))
    if whole := next(fitting, None):
        return Command(whole.kind, said)
    return next((found for intent in INTENTS if (found := _with_unknown_nurse(intent, said))), None)


def nearest(said: Sentence) -> list[Kind]:
    """What may be meant by what cannot be read: its own words are there, and as many nurses; of most words first."""
    told = said.folded & TELLING
    near = [
        intent
        for intent in INTENTS
        if all(told & group for group in intent.needs) and intent.nurses[0] <= len(said.nurses)
    ]
    near.sort(key=lambda intent: -len(told & intent.may.union(*intent.needs)))
    return [intent.kind for intent in near]


def _with_unknown_nurse(intent: Intent, said: Sentence) -> Command | None:
    """The command, where all that is not known of it looks like one nurse's name."""
    unknown = intent.unknown(said)
    if not unknown or intent.nurses[1] == len(said.nurses):
        return None
    named = _with_name(said, unknown)
    return Command(intent.kind, named) if named and intent.takes(named) else None


def _with_name(said: Sentence, unknown: Sequence[Word]) -> Sentence | None:
    """With the words as the name of a nurse; None = one of them cannot be in one."""
    if any(word.folded in WORDS or not may_be_a_name(word.said) for word in unknown):
        return None
    name = " ".join(word.said for word in unknown)
    return replace(said, items=(*said.items, Word(name, "", kind="nurse", value=name)))


_WISHES = word_set("""
    apart avoid away can't cannot don't except fewer ill instead leave less like lock locked more must never not off only
    prefer preferred prefers sick swap together unable vacation want wants without
""")
_MAKES = word_set("make create generate build solve plan prepare schedule roster rota rotas rosters")
"""Words that ask for a roster to be made."""
_KNOWN = _MAKES | word_set("""
a again all an and at begin beginning begins can coming could day days do duty first for from get give good hello hi i in is
it let lets making me month my need needed new next now nurse nurses of on our period planning please s scheduling shift
shifts staff start starting starts thank thanks that the then this through till to until up us ward week weeks work working
you
""")
"""Words that do not change which roster is asked for."""
_TASK = _MAKES | word_set("making scheduling shift shifts week weeks")


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
        return ReadRequest(ward=ward_in(text, wards)[0], bad_date=none.said)
    starts = [when.first for when in said.days if when.first]
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
        is_task=bool(said.folded & _TASK or said.ward or said.days),
        ward=said.ward,
        start=next(iter(starts), None),
        days=next(filter(None, [*lengths, *(days for days in spans if days > 1)]), None),
        wish=next((word.said for word in said.words if word.folded in _WISHES), None),
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
    found = next(iter(heard.commands), None)
    if not (found and found.said.nurses):
        found = _of_pronoun(heard.said, last) or found or _continued(heard.said, last)
    return replace(heard, commands=[_filled(found, last)]) if found else heard


def _of_pronoun(said: Sentence, last: Command) -> Command | None:
    if said.nurses or said.folded.isdisjoint(PRONOUNS) or len(last.said.nurses) != 1:
        return None
    return command_of(said.but(*(item for item in last.said.items if item.kind == "nurse")))


def _filled(command: Command, last: Command) -> Command:
    """With the nurse and the days that were spoken of, where it needs them and names none."""
    said = command.said
    lacks = {"nurse": not (said.nurses or said.shifts), "day": not said.days}
    if command.kind not in NEEDY:
        return command
    return replace(command, said=said.but(*(item for item in last.said.items if lacks.get(item.kind))))


def _continued(said: Sentence, last: Command) -> Command | None:
    """The last command with what this message names in the place of the same kind of thing."""
    counted = said.folded & COUNTED
    new = _named_anew(said)
    if new is None or last.kind not in (QUESTIONS | WRITES if not counted else ("ranking", "share")):
        return None
    if last.kind in WRITES and (said.is_question or said.is_each_own):
        return None
    # "not on Friday" and "no nights for Ivan" say what is not wanted, and nothing in its place
    takes_back = ("not" in said.folded and len(said.nurses) < 2) or ("no" in said.folded and bool(said.shifts))
    if said.folded.isdisjoint(MEANT) and takes_back:
        return None
    before = last.said
    named = [item for item in new.items if item.kind != "word" and item.value not in _taken_back(new, before)]
    gone = (
        {"shift", *(item.kind for item in named)} if counted & {"hours", "weekends"} else {item.kind for item in named}
    )
    kept = [item for item in before.items if item.kind not in gone and not (counted and item.folded in COUNTED)]
    merged = replace(before, items=(*kept, *named, *(word for word in said.words if word.folded in counted)))
    kind: Kind = "nurse" if new.nurses and last.kind in ("works", "off") else last.kind
    is_like_before = not before.nurses or last.kind not in WRITES or len(merged.nurses) == len(before.nurses)
    fits = any(intent.kind == kind and intent.counts(merged) for intent in INTENTS)
    return Command(kind, merged) if (named or counted) and fits and is_like_before else None


def _named_anew(said: Sentence) -> Sentence | None:
    """The sentence, if nothing is in it but what it names; a word with a capital that is not known may be a nurse."""
    unknown = [word for word in said.words if word.folded not in LEADS | COUNTED]
    return _with_name(said, unknown) if unknown else said


def _taken_back(new: Sentence, before: Sentence) -> list[str]:
    """Of "not Bob, I meant Eva" the one who is not meant."""
    if new.folded.isdisjoint(CORRECTS) or len(new.nurses) < 2:
        return []
    taken_back = {name_key(nurse) for nurse in before.nurses} or {name_key(new.nurses[0])}
    return [nurse for nurse in new.nurses if name_key(nurse) in taken_back]
