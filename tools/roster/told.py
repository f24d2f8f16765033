"""What the roster's tools say, before it is in words: each language words it in one place (`answers/phrases.py`)."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Union

from pydantic import BaseModel, ConfigDict

from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.words_en import ENGLISH

Given = Union[str, int, float, "Told", Sequence["Told | str"], None]


class Told(BaseModel):
    """A phrase (see `answers/phrases_en.py` and `words_en.py`), and what stands in it.

    Of the names in `given`, `day`, `first`, `last`, `start` and `end` hold ISO dates, as do `on` and `until`, to be said
    without the day of the week; `kind` and `kinds` names of findings and penalties, `shifts` ids of which one is meant,
    `detail` the English of the solver, or of an earlier version's check; `n` is a count, by which the phrase may differ; None = a day off.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: str
    given: dict[str, Given] = {}


Line = Told | str
"""Words alone are of results of earlier versions."""
BETWEEN = {"shifts": " or ", "either": " or ", "clauses": "; ", "rules": "; "}
"""What parts the values of a list, where it is no comma."""
PAIR_OF_DAYS = 2
"""Up to so many days in a row are told one by one."""


def told(say: str, /, **given: object) -> Told:
    dates = {name: each.isoformat() for name, each in given.items() if isinstance(each, date)}
    return Told.model_validate({"say": say, "given": given | dates})


def is_worded(say: str) -> bool:
    """Whether there is such a phrase of what is found."""
    return say in ENGLISH


def english(line: Line) -> str:
    """Of what was found, or has the English of the solver beside its fields: dates as in ISO 8601, nurses as they are given."""
    if isinstance(line, str) or "detail" in line.given:
        return line if isinstance(line, str) else str(line.given["detail"])
    own = f"{line.say}_{line.given.get('n')}"
    given = {name: _plain(name, value) for name, value in line.given.items()}
    return (ENGLISH[own] if own in ENGLISH else ENGLISH[line.say]).format(**given)


def refusal(code: str, /, **about: object) -> ToolRefusal:
    """Of a tool: its English, which a model and the command line read, is that of its fields as well. What was
    given may hold signs that no terminal should get."""
    shown = {
        name: "".join(filter(str.isprintable, each)) if isinstance(each, str) else each for name, each in about.items()
    }
    line = told(refused_as(code, shown), **shown)
    return ToolRefusal(code, english(line), about=line.model_dump(mode="json")["given"])


def refused_as(code: str, about: Mapping[str, Any]) -> str:
    """The phrase: of a name that is nearly known, and of a day off, its own."""
    which = ".near" if about.get("nearest") else ".off" if about.get("shift", code) is None else ""
    return f"refused.{code}{which}"


def _plain(name: str, value: Given) -> str:
    match value:
        case [*parts] if name in BETWEEN:
            return BETWEEN[name].join(map(english, parts))
        case int() | float():
            return decimal(value)
        case str() | Told():
            return english(value)
    return ", ".join(map(english, value or ()))


def as_json(lines: Sequence[Line]) -> list[Any]:
    return [each if isinstance(each, str) else each.model_dump(mode="json") for each in lines]


def day_spans(days: Sequence[date]) -> list[Told]:
    """Of days in order each; three and more in a row by the first and the last."""
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    spans: list[Told] = []
    for run in runs:
        if len(run) > PAIR_OF_DAYS:
            spans.append(told("days_to", first=run[0], last=run[-1]))
        else:
            spans += [told("when.day", day=day) for day in run]
    return spans


def moved_cell(nurse: str, day: date | str, before: str | None, now: str | None) -> Told:
    return told("moved_cell", nurse=nurse, day=day, before=before, now=now)


def repaired_cell(moved: Told, why: Told) -> Told:
    return told("repaired_cell", moved=moved, reason=why)
