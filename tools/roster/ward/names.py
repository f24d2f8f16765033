"""Whom and which shift a person means, in any case and alphabet."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.ward.ward import Nurse, Shift, Ward

ALIKE = 0.6
"""How much of a mistyped name must be right."""
SOUNDS_ALIKE = 0.65
"""Of its consonants."""
MOST_NEAR = 3
MOST_LISTED = 20
_CONSONANTS = frozenset("bdgklmnprstz")
_HEARD = [
    (r"ch|sh", "s"), (r"c(?=[eiy])", "s"), ("ph|f", "p"), ("[cq]", "k"), ("x", "ks"), ("j", "g"), ("v|וו", "b"),
    *((rf"[{letters}]", heard) for letters, heard in zip(
        ("ב", "ג", "ד", "ז", "טת", "חכךק", "ל", "מם", "נן", "סצץש", "פף", "ר"), "bgdztklmnspr", strict=True
    )),
]  # fmt: skip
"""As they are written in Latin and in Hebrew letters, and what stands for both."""
_SIGNS = str.maketrans(dict.fromkeys("’‘ʼ‛`´′׳", "'") | dict.fromkeys("‐‑־", "-") | dict.fromkeys("“”„״", '"'))


def nurse_named(ward: Ward, name: str) -> Nurse:
    """The nurse of that id or name, else of a part of the name, else of its beginning, as long as no other has it; of a name
    in the other alphabet, the only one that sounds like it.

    Raises ToolRefusal `unknown_nurse`, with the nearest names, and `ambiguous_nurse`, with all that fit.
    """
    asked = name_key(name)
    found = next((fit for fit in _fits(ward, name.strip(), asked) if fit), []) if asked else []
    if len(found) == 1:
        return found[0]
    if found:
        raise refusal("ambiguous_nurse", name=name[:60], nurses=_plain(ward, found))
    near = _nearest(asked, ward.nurses)
    if len(near) == 1 and is_heard(name, near[0]):
        return near[0]
    known = {"nearest" if near else "nurses": _plain(ward, near or ward.nurses)}
    raise refusal("unknown_nurse", name=name[:60], **known)


def is_heard(name: str, nurse: Nurse) -> bool:
    """Whether it is no spelling of hers, but sounds alike in the other alphabet."""
    return bool(nurse.name) and is_other_alphabet(name, nurse.name)


def is_other_alphabet(one: str, other: str) -> bool:
    return _is_hebrew(one) != _is_hebrew(other)


def shift_named(ward: Ward, name: str) -> Shift:
    """The shift of that id or name, else the one that begins so. Raises ToolRefusal `unknown_shift`, `ambiguous_shift`."""
    asked = folded(name)
    by_id = [shift for shift in ward.shifts if shift.id == name.strip()]
    exact = [shift for shift in ward.shifts if asked in (folded(shift.id), folded(shift.name))]
    begun = [shift for shift in ward.shifts if asked and folded(shift.name).startswith(asked)]
    found = by_id or exact or begun
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{shift.id} {shift.name}".strip() for shift in found or ward.shifts)
    raise refusal("ambiguous_shift" if found else "unknown_shift", name=name[:40], shifts=known)


def called(ward: Ward) -> dict[str, str]:
    """What each nurse is called, by id: the name alone where no other has it."""
    names = Counter(nurse.name for nurse in ward.nurses)
    return {each.id: each.name if each.name and names[each.name] == 1 else _called(each) for each in ward.nurses}


def plain_signs(text: str) -> str:
    """With the apostrophes, quotes and hyphens of a keyboard for those that phones and other keyboards set."""
    return text.translate(_SIGNS)


def folded(text: str) -> str:
    """Without case, accents and points, so that `JOSE` is `José`."""
    parts = unicodedata.normalize("NFKD", plain_signs(text).casefold())
    return " ".join("".join(sign for sign in parts if not unicodedata.combining(sign)).split())


def name_key(text: str) -> str:
    """A name to be compared: folded, and without apostrophes and quotes, which are set in many ways or left out."""
    return folded(text).replace("'", "").replace('"', "")


def _fits(ward: Ward, written: str, asked: str) -> Iterable[list[Nurse]]:
    """Those whom the words fit, the surest way first."""
    yield [nurse for nurse in ward.nurses if nurse.id == written]
    yield [
        nurse for nurse in ward.nurses if asked in (name_key(nurse.id), name_key(nurse.name), name_key(_called(nurse)))
    ]
    yield [nurse for nurse in ward.nurses if asked in name_key(nurse.name).split()]
    yield [nurse for nurse in ward.nurses if any(word.startswith(asked) for word in _words(nurse))]


def _words(nurse: Nurse) -> list[str]:
    """What she may be called by."""
    name = name_key(nurse.name)
    return [name_key(nurse.id), name, *name.split()] if name else [name_key(nurse.id)]


def _nearest(asked: str, nurses: Sequence[Nurse]) -> list[Nurse]:
    """The one whose name is written most alike; in another alphabet, those whose names sound most alike."""
    if not asked:
        return []
    known = {word: nurse for nurse in nurses for word in _words(nurse)}
    if found := get_close_matches(asked, known, n=1, cutoff=ALIKE):
        return [known[found[0]]]
    by_sound: dict[str, list[Nurse]] = {}
    for nurse in nurses:
        words = name_key(nurse.name).split()
        for sound in {_sound(word) for word in words if _is_hebrew(word) != _is_hebrew(asked)} - {""}:
            by_sound.setdefault(sound, []).append(nurse)
    sound = _sound(asked)
    sounds = [sound] if sound in by_sound else get_close_matches(sound, by_sound, n=MOST_NEAR, cutoff=SOUNDS_ALIKE)
    return list({nurse.id: nurse for sound in sounds for nurse in by_sound[sound]}.values())[:MOST_NEAR]


def _is_hebrew(word: str) -> bool:
    return any("א" <= sign <= "ת" for sign in word)


def _sound(word: str) -> str:
    """Its consonants, one letter for those that both alphabets write alike."""
    word = re.sub(r"([a-z])\1", r"\1", word)
    for written, heard in _HEARD:
        word = re.sub(written, heard, word)
    return "".join(sign for sign in word if sign in _CONSONANTS)


def _called(nurse: Nurse) -> str:
    return f"{nurse.id} {nurse.name}".strip()


def _plain(ward: Ward, nurses: Sequence[Nurse]) -> list[str]:
    names = called(ward)
    return [names[nurse.id] for nurse in nurses][:MOST_LISTED]
