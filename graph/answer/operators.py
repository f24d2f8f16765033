"""What code works out of several statements and says in a sentence of its own: `{{sum:s1.o1.price+s2.o1.price}}`.

Arguments are ids of statements; a whole number behind one multiplies it, or divides it into so many shares. What cannot be
said (unlike units, a sum of what excludes each other, an unknown id) is no statement, and its writer is told why.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from wavegraph.graph.language import say

_ARGUMENT = re.compile(r"[\w.-]+")
_NUMBER = re.compile(r"[1-9][0-9]?")
"""How many times: more is no question that a person asks."""


@dataclass(frozen=True)
class Quantity:
    """What a statement counts or costs."""

    amount: int
    """In the smallest part of its unit, so that nothing is lost: cents, whole nights."""
    unit: str
    """`EUR`, `nights`; a rate such as `EUR/night` is compared and not added."""
    fixed: bool = False
    """Of a rate: each costs the same, so that so many of them are worked out: `80 NIS per night × 3 nights = 240 NIS`."""
    excludes: str = ""
    """Of those with the same word here a person takes one: two rates of one room do not add up."""
    kinds: frozenset[str] = frozenset()
    """Of what it is the price: codes of rooms."""
    only_with: frozenset[str] = frozenset()
    """The kinds of which it adds up with one alone; empty = with any."""
    over: tuple[int, str] | None = None
    """Of how many of what it is the amount: `(3, "night")`."""
    never: str = ""
    """Why it adds up with nothing: `nobody comes before 13:00`; empty = it does."""
    each: str = ""
    """What a sum says besides of several that have it alike: `each for 2 adults`."""


@dataclass(frozen=True, kw_only=True)
class Operand:
    """What of a statement an operator reads."""

    id: str
    called: str = ""
    """What an operator calls what it is about; empty = none takes it."""
    quantity: Quantity | None = None
    holds_for: Sequence[str] | None = None
    """Names of those that what it is called holds for."""


OperandT = TypeVar("OperandT", bound=Operand)
Term: TypeAlias = tuple[OperandT, int]
"""A statement, and how many times it is meant."""


@dataclass(frozen=True)
class Arithmetic:
    """How the operators of a catalogue are worded."""

    language: str
    written: Callable[[int, str], str]
    """`(amount, unit) -> words`: 78000, `ILS` -> `780 NIS`."""
    counts: Collection[int] | None = None
    """By which a writer may multiply and divide: what the request and the results count; None = by any."""
    factors: Collection[int] | None = None
    """Those of them by which what is an amount in all is multiplied: of what is taken so many times; None = by any."""

    def about(self, part: str, *, exact: bool) -> str:
        return part if exact else say("worked_about", self.language, part=part)

    def operand(self, statement: Operand) -> str:
        """What a statement is called in a sentence, with what it counts: `Double Room, 17 January (780 NIS)`."""
        held = statement.quantity
        return f"{statement.called} ({self.written(held.amount, held.unit)})" if held else statement.called

    def terms(self, terms: Sequence[Term[Operand]]) -> str:
        return " + ".join(self.operand(each) + self._times(each, number) for each, number in terms)

    def each(self, terms: Sequence[Term[Operand]]) -> list[str]:
        """Those that are held against one another: where they are of unlike spans, with its own: `… for 2 nights`."""
        spans = [held.over for each, _ in terms if (held := each.quantity) and held.over]
        if len({*spans}) < 2 or len(spans) < len(terms):
            return [self.terms([each]) for each in terms]
        told = [self.written(*span) for span in spans]
        return [
            say("worked_over", self.language, term=self.terms([each]), span=span)
            for each, span in zip(terms, told, strict=True)
        ]

    def _times(self, statement: Operand, number: int) -> str:
        if number == 1:
            return ""
        counted = statement.quantity and _counted_by(statement.quantity)
        return f" × {self.written(number, counted) if counted else number}"


class Unsayable(Exception):
    """The operator does not take these statements. The message says why not, for the model that wrote it."""


def arguments(written: str, known: Mapping[str, OperandT]) -> tuple[list[Term[OperandT]], list[str]]:
    """The statements that an operator is given, and what else it was given."""
    found: list[Term[OperandT]] = []
    unknown: list[str] = []
    for each in (token for part in _ARGUMENT.findall(written) for token in _tokens(part, known)):
        if _NUMBER.fullmatch(each) and found:
            found[-1] = found[-1][0], int(each)
        elif each in known:
            found.append((known[each], 1))
        else:
            unknown.append(each)
    return found, unknown


def _tokens(text: str, known: Mapping[str, Operand]) -> list[str]:
    """The ids and numbers of a text. A `-` stands between two, or in one."""
    for at in re.finditer("-", text) if text not in known else ():
        if text[at.end() :] in known:
            return [*_tokens(text[: at.start()], known), text[at.end() :]]
    return [text]


def sentence(operator: str, terms: Sequence[Term[Operand]], words: Arithmetic) -> str:
    """What the operator says of these statements. Raises Unsayable where that is nothing, or nothing that is so."""
    if operator not in OPERATORS:
        raise Unsayable(f"there is no such operator; there are {', '.join(OPERATORS)}")
    numbers = [number for _, number in terms if number > 1]
    if uncounted := [each for each in numbers if words.counts is not None and each not in words.counts]:
        raise Unsayable(f"nobody and nothing here is {uncounted[0]} in number")
    return OPERATORS[operator](terms, words)


def _sum(terms: Sequence[Term[Operand]], words: Arithmetic) -> str:
    for statement, times in terms:
        is_in_all = statement.quantity is not None and bool(statement.quantity.over)
        if times > 1 and is_in_all and words.factors is not None and times not in words.factors:
            raise Unsayable(f"{statement.id} is in all, and nothing says that it is taken {times} times")
    terms = _for_as_many(terms)
    quantities = _alike(terms, least=1 if terms and terms[0][1] > 1 else 2)
    if "/" in quantities[0].unit:
        raise Unsayable("an average for one is not added up; take the amount for all of them")
    _refuse_kept_apart(quantities, terms)
    groups: dict[str, str] = {}
    for held, (statement, _) in zip(quantities, terms, strict=True):
        if held.excludes in groups:
            one = groups[held.excludes]
            raise Unsayable(
                f"of {one} and {statement.id} a person takes one: tell each line, or times:{one}*2 for two alike"
            )
        groups |= {held.excludes: statement.id} if held.excludes else {}
    total = words.written(sum(each.amount for each in quantities), quantities[0].unit)
    having = [(held.each, number) for held, (_, number) in zip(quantities, terms, strict=True) if held.each]
    is_alike = len({each for each, _ in having}) == 1 and sum(number for _, number in having) > 1
    each = f", {having[0][0]}" if is_alike else ""
    return say("worked_sum", words.language, terms=words.terms(terms), total=total, each=each)


def _refuse_kept_apart(quantities: Sequence[Quantity], terms: Sequence[Term[Operand]]) -> None:
    """Raises Unsayable where one is charged with other kinds alone, or not at all."""
    for (fee, _), held in zip(terms, quantities, strict=True):
        if held.never:
            raise Unsayable(f"{fee.id} is not to be paid: {held.never}")
        for (other, _), price in zip(terms, quantities, strict=True):
            if held.only_with and price.kinds and not held.only_with & price.kinds:
                own = ", ".join(sorted(held.only_with))
                raise Unsayable(f"{fee.id} does not hold for {other.id}: it is for {own} alone")


def _for_as_many(terms: Sequence[Term[Operand]]) -> list[Term[Operand]]:
    """The same, with a fixed rate counted as often as the one amount beside it has what it counts: 80 a night for 3 nights."""
    over = {held.over for each in terms if (held := each[0].quantity) and held.over}
    spans = [each for each in terms if each[0].quantity and each[0].quantity.over]
    number, unit = over.pop() if len(spans) == 1 else (1, "")
    return [
        (each, number if times == 1 and each.quantity and unit and _counted_by(each.quantity) == unit else times)
        for each, times in terms
    ]


def _difference(terms: Sequence[Term[Operand]], words: Arithmetic) -> str:
    held = _alike(terms, least=2, most=2)
    one, other = words.each(terms)
    gap = held[0].amount - held[1].amount
    less, more = (one, other) if gap < 0 else (other, one)
    key = "worked_difference" if gap else "worked_same"
    return say(key, words.language, more=more, less=less, gap=words.written(abs(gap), held[0].unit))


def _share(terms: Sequence[Term[Operand]], words: Arithmetic) -> str:
    """One quantity in equal parts, or one as a part of another."""
    if len(terms) == 1:
        statement, number = terms[0]
        quantity = _counted((statement, 1))
        part = words.written((2 * quantity.amount + number) // (2 * number), quantity.unit)
        part = words.about(part, exact=quantity.amount % number == 0)
        return say("worked_part", words.language, term=words.operand(statement), number=number, part=part)
    held, of = (each.amount for each in _alike(terms, least=2, most=2))
    if not of:
        raise Unsayable(f"{terms[1][0].id} counts nothing, and has no parts")
    percent = words.about(f"{(200 * held + of) // (2 * of)} %", exact=100 * held % of == 0)
    term, whole = words.each(terms)
    return say("worked_percent", words.language, term=term, part=percent, whole=whole)


def _all(terms: Sequence[Term[Operand]], words: Arithmetic) -> str:
    """What several statements all hold for."""
    held = [each.holds_for for each, number in terms if number == 1 and each.called and each.holds_for is not None]
    if len(held) < max(2, len(terms)):
        raise Unsayable("it takes two statements or more on which things have something")
    common = ", ".join(name for name in held[0] if all(name in each for each in held))
    names = common or say("worked_none", words.language)
    return say("worked_all", words.language, terms=" + ".join(each.called for each, _ in terms), names=names)


OPERATORS: Mapping[str, Callable[[Sequence[Term[Operand]], Arithmetic], str]] = {
    "sum": _sum,
    "times": _sum,
    "difference": _difference,
    "share": _share,
    "all": _all,
}


def _counted_by(quantity: Quantity) -> str:
    """What a number of a fixed rate counts: `night`; empty = it is no such rate."""
    return quantity.unit.partition("/")[2] if quantity.fixed else ""


def _counted(term: Term[Operand]) -> Quantity:
    """So many times what the statement counts."""
    statement, number = term
    if (held := statement.quantity) is None:
        raise Unsayable(f"{statement.id} has no amount")
    unit = held.unit.partition("/")[0] if number > 1 and _counted_by(held) else held.unit
    return replace(held, amount=held.amount * number, unit=unit)


def _alike(terms: Sequence[Term[Operand]], *, least: int, most: int = 99) -> list[Quantity]:
    """The quantities, so many and of one unit."""
    quantities = [_counted(each) for each in terms]
    if not least <= len(terms) <= most:
        raise Unsayable(f"it takes {least} statements" + ("" if most == least else " or more, or one times a number"))
    if len(units := dict.fromkeys(each.unit for each in quantities)) > 1:
        raise Unsayable(f"the amounts are of unlike units: {', '.join(units)}")
    return quantities
