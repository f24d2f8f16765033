"""What the roster generator cannot do: one list, which the planning prompt, the replies' forms and the talk read."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

Thing = Literal["in_file", "several", "undo_decision", "discard", "tell_people"]


class Limit(NamedTuple):
    """One thing that it cannot do."""

    when: str
    """What managers ask for, as a planner is told."""
    phrase: str


CANNOT: Mapping[Thing, Limit] = {
    "in_file": Limit(
        "a change of the ward itself: contracts, how many are needed, limits, rest, skills, people, shifts",
        "limit_in_file",
    ),
    "several": Limit("a second roster, of another ward or period, beside the one you plan", "one_at_a_time"),
    "undo_decision": Limit("a publication or a draft is to be taken back", "undo_decision"),
    "discard": Limit("a roster is to be deleted", "cannot_discard"),
    "tell_people": Limit("somebody is to be told, asked, called or paid", "cannot_tell"),
}

_NEAR: Mapping[Thing, re.Pattern[str]] = {
    "in_file": re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|contract|hours?|percent|rules?|limits?|minimum|maximum|rest|skills?|shifts?|"
        r"new|hire|add|remove|more|fewer|less|raise|lower|increase|allow|set|change|ward|need|qualif|people|staff|nurse|"
        r"in a row)\w*|חוז|שע(?:ה|ות)|חוק|כלל|מינימ|מקסימ|מנוח|כישור|משמר|חדש|תוסי|להוסי|תוריד|להוריד|תעל|להעל|שנ[הו]|אפשר|מחלק|"
        r"צריך|רצף|גיוס"
    ),
    "several": re.compile(
        r"\b(?:and|both|each|all|also|too|another|second|same|then|more|other|two|three|several|rosters)\b|גם|עוד|שני |שתי|כל |"
        r"שלוש|סידורים|לשתי|(?<![א-ת])ו[א-ת]"
    ),
    "undo_decision": re.compile(
        r"\b(?:take|took|undo|unpublish|publi|revok|revers|mistake|withdraw|draft|back|cancel|retract|restore|old|previous|roll|"
        r"decision|decid|recall)\w*|פרס|טיוט|בטל|חזיר|חזור|לחזור|למשוך|החלט|טעות|קודם|תמשוך"
    ),
    "discard": re.compile(
        r"\b(?:delet|throw|remov|eras|discard|rid|scrap|drop|clear|trash|wip|bin|destroy|cancel|away|kill)\w*|מח[קו]|זרוק|לזרוק|"
        r"הסי|תסיר|להסיר|להיפטר|מחיק|השלך"
    ),
    "tell_people": re.compile(
        r"\b(?:tell|let|send|sent|call|phone|e?-?mail|ask|notif|text|inform|pay|paid|bonus|money|whatsapp|print|remind|post|"
        r"messag|forward|shar|check with|contact|announc|say|write|warn|invite|thank|salar|distribut)\w*|ודיע|הודע|שלח|תקשר|"
        r"להתקשר|שאל|לשאול|עדכן|עדכנ|שלם|לשלם|תשלום|זכיר|גיד|להגיד|מייל|ידע|יידע|כתב|לכתוב|הדפס|בונוס|פרסם|שיתו|שתף"
    ),
}
"""Stems in both languages: whoever asks for the thing says one of them."""


def may_ask_for(thing: Thing, sentence: str) -> bool:
    return _NEAR[thing].search(sentence.lower()) is not None
