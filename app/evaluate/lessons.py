"""A file of requests, run with lessons and without any: what got better, and what got worse."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wavegraph.app.evaluate.file import Case, RequestFile, check_tools
from wavegraph.app.evaluate.run import CaseResult, evaluate, subject_of
from wavegraph.app.pages.numbers import counted
from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.model.lessons import MOST_CHARS, PLACE


async def compared(
    path: Path,
    content: RequestFile,
    cases: Sequence[Case],
    domain: str,
    lessons: Path,
    *,
    repeats: int,
    at_once: int,
    on_ended: Callable[[CaseResult], None],
) -> dict[str, Any]:
    """The figures. Both ways take turns, so that a model that changes meanwhile changes both. Raises SettingsError."""
    try:
        text = lessons.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        message = f"{str(lessons)!r} is no file of lessons; `wavegraph report --propose FILE` writes one"
        raise SettingsError(message) from None
    if len(text) > MOST_CHARS:
        raise SettingsError(f"{str(lessons)!r} has more than {MOST_CHARS} characters: prompts would go without it")
    with TemporaryDirectory() as folder:
        none = Path(folder) / "none.md"
        none.touch()
        arms: Mapping[str, list[CaseResult]] = {"without": [], "with": []}
        for arm, file in [("without", none), ("with", lessons)] * repeats:
            with _kept_in(file):
                async with subject_of(domain, content.names) as subject:
                    if subject.tools is None:
                        raise SettingsError(
                            "this agent's graph is not made by build_graph: its prompts hold no lessons"
                        )
                    check_tools(path, content, subject.vocabulary.tools, subject.tools)
                    arms[arm] += await evaluate(subject, cases, planner="llm", at_once=at_once, on_ended=on_ended)
    figures = [{"id": case.id, **{arm: _passed(results, case) for arm, results in arms.items()}} for case in cases]
    return {
        "lessons": lessons.name,
        "cases": figures,
        "tokens": {arm: _tokens(results) for arm, results in arms.items()},
    }


@contextmanager
def _kept_in(file: Path) -> Iterator[None]:
    before = os.environ.get(PLACE)
    os.environ[PLACE] = str(file)
    try:
        yield
    finally:
        os.environ.pop(PLACE) if before is None else os.environ.update({PLACE: before})


def _passed(results: Sequence[CaseResult], case: Case) -> list[int]:
    """How many of the case's runs passed, and how many were measured: the model was not down."""
    runs = [
        each
        for each in results
        if each.case.id == case.id and each.verdict in ("passed", "failed") and not each.model_down
    ]
    return [sum(each.verdict == "passed" for each in runs), len(runs)]


def _tokens(results: Sequence[CaseResult]) -> float:
    """Of an average run."""
    return round(sum(sum(each.llm_tokens.values()) for each in results) / max(len(results), 1), 1)


def is_worse(figures: Mapping[str, Any]) -> bool:
    """Whether a smaller share of the runs passed, or a case that always passed never does."""
    (passed, runs), (passed_with, runs_with) = (_sum(figures, arm) for arm in ("without", "with"))
    lost = any(each["without"][0] == each["without"][1] > 0 == each["with"][0] for each in figures["cases"])
    return not runs or not runs_with or passed_with * runs < passed * runs_with or lost


def comparison_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    (passed, runs), (passed_with, runs_with) = (_sum(figures, arm) for arm in ("without", "with"))
    yield f"{passed}/{runs} runs passed without the lessons, {passed_with}/{runs_with} with them"
    changed = {
        word: [each for each in figures["cases"] if _change(each) == sign]
        for word, sign in (("better", 1), ("worse", -1))
    }
    for word, cases in changed.items():
        yield from (
            f"{word}: {each['id']}: {'/'.join(map(str, each['without']))} → {'/'.join(map(str, each['with']))}"
            for each in cases
        )
    n, fewer = sum(map(len, changed.values())), min(map(len, changed.values()))
    chance = min(1.0, sum(comb(n, k) for k in range(fewer + 1)) / float(2 ** max(n - 1, 0)))  # sign test, both sides
    yield f"chance alone parts {counted(n, 'changed case')} as unevenly in {100 * chance:.0f} % of trials"
    yield f"tokens a run: {decimal(figures['tokens']['without'])} → {decimal(figures['tokens']['with'])}"


def _sum(figures: Mapping[str, Any], arm: str) -> tuple[int, int]:
    return sum(each[arm][0] for each in figures["cases"]), sum(each[arm][1] for each in figures["cases"])


def _change(case: Mapping[str, Any]) -> int:
    """1 = better, -1 = worse, 0 also where one way was not measured."""
    (before, runs), (after, runs_with) = case["without"], case["with"]
    return ((after * runs > before * runs_with) - (after * runs < before * runs_with)) if runs and runs_with else 0
