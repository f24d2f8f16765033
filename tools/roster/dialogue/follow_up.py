"""What a message means after those before it: "and tomorrow?", "no, I meant Lena", "why?", "how many hours does she have?"."""

from dataclasses import replace

from wavegraph.graph.views import PlanningView
from wavegraph.tools.roster.dialogue.intents import CHANGES, FILLERS, INTENTS, Command, Heard, Kind, command_of, hear
from wavegraph.tools.roster.dialogue.sentences import Named, Sentence, may_be_a_name, taken_apart, word_set
from wavegraph.tools.roster.dialogue.spoken_days import Calendar, NoSuchDay
from wavegraph.tools.roster.dialogue.subject import people_said
from wavegraph.tools.roster.ward.names import name_key

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


def hear_after(text: str, view: PlanningView, named: Named, calendar: Calendar) -> Heard:
    """What the message asks for, with what the messages before it leave open for it. Raises NoSuchDay."""
    last: Command | None = None
    said = people_said(view)
    for earlier in (said[:-1] if said[-1:] == [text] else said)[-MOST_BEFORE:]:
        try:
            last = _spoken_of(earlier, _hear(earlier, last, named, calendar), last)
        except NoSuchDay:
            last = None
    return _hear(text, last, named, calendar)


def _spoken_of(text: str, heard: Heard, last: Command | None) -> Command | None:
    """The command that a next message may go on with; a courtesy changes nothing."""
    if text.strip(" .!").casefold() in NODS or {command.kind for command in heard.commands} == {"thanks"}:
        return last
    return heard.commands[0] if len(heard.commands) == 1 else None


def _hear(text: str, last: Command | None, named: Named, calendar: Calendar) -> Heard:
    heard = hear(text, named, calendar)
    if last is None or len(heard.commands) > 1 or heard.ward:
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
