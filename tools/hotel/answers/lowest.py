"""The lowest and the highest price: of a stay, of a room, with a board, with free cancellation; and what costs as much."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from wavegraph.graph.answer.statements import Statement
from wavegraph.tools.hotel.answers.phrases import few, say
from wavegraph.tools.hotel.answers.scope import Scope
from wavegraph.tools.hotel.records import Combination, Offer, Way

Told: TypeAlias = tuple[Offer | Combination, Statement]
"""A way to stay, with its line."""
WayT = TypeVar("WayT", bound=Way)


def ends_of_each(
    name: str, told: Sequence[Told], scope: Scope, language: str, room: str = "", *, is_all: bool
) -> Iterator[Statement]:
    """`s1.lowest`, with a board `s1.lowest.BB`, to be cancelled `s1.lowest.BB.refundable`; and `s1.highest` of each, where
    these are all.

    `scope`: what alone was looked at; `room`: what it is the lowest of alone. Shown are that of all and those of other
    boards: a stay has a line of its own on what can be cancelled.
    """
    of_stay = min(way.total_agorot for way, _ in told)
    for kind in dict.fromkeys(kind for way, _ in told for kind in _kinds(way)):
        own = [(way, line) for way, line in told if kind in _kinds(way)]
        low = min(way.total_agorot for way, _ in own)
        of = [
            *([room] if room else [*scope.rooms, *scope.among]),
            *scope.terms,
            *(_named(each, own, language) for each in kind),
        ]
        made = lowest(".".join([name, "lowest", *kind]), own, language, of=list(dict.fromkeys(of)))
        if is_all:
            yield highest(".".join([name, "highest", *kind]), own, language, of=list(dict.fromkeys(of)))
        same = "refundable" in kind or (bool(kind) and low == of_stay)
        yield replace(made, hidden=bool(room) or same)


def _kinds(way: Offer | Combination) -> list[tuple[str, ...]]:
    """What a price can be the lowest of: of all, of its board, of what can be cancelled."""
    boards = {part.board for part in way.parts}
    kinds: list[tuple[str, ...]] = [(), *(((board,) for board in boards) if len(boards) == 1 else [])]
    return [*kinds, *((*kind, "refundable") for kind in kinds if way.refundable)]


def _named(kind: str, own: Sequence[Told], language: str) -> str:
    if kind != "refundable":
        return say(f"board_{kind}", language)
    return say("refundable_open" if any(way.cancel_until for way, _ in own) else "refundable_terms", language)


def lowest(name: str, told: Sequence[tuple[WayT, Statement]], language: str, *, of: Sequence[str] = ()) -> Statement:
    """The line of the lowest price, called so, of what it is the lowest, and what costs the same."""
    best = min(told, key=lambda each: (each[0].total_agorot, not each[0].refundable))
    return _called("lowest", name, best, told, language, of)


def highest(
    name: str, told: Sequence[tuple[WayT, Statement]], language: str, *, of: Sequence[str], key: str = "highest"
) -> Statement:
    """The same of the highest, which is not shown: few ask for it. `key`: of its words, others where the prices are the lowest
    of each stay."""
    best = max(told, key=lambda each: (each[0].total_agorot, each[0].refundable))
    return replace(_called(key, name, best, told, language, of), hidden=True)


def _called(
    key: str,
    name: str,
    best: tuple[WayT, Statement],
    told: Sequence[tuple[WayT, Statement]],
    language: str,
    of: Sequence[str],
) -> Statement:
    way, line = best
    same = [other.called for each, other in told if each.total_agorot == way.total_agorot and other is not line]
    text = say(key, language, of=f" ({', '.join(of)})" if of else "", offer=line.text)
    if same:
        text = say("as_much", language, end=text, others=few(same, language))
    return replace(line, id=name, text=text, alone="", line=line.id)
