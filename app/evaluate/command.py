"""`wavegraph eval`: score a file of requests with expectations."""

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN
from wavegraph.app.evaluate.file import Case, RequestFile, check_tools, read_file, unknown_keys
from wavegraph.app.evaluate.langsmith import LangSmithFailed
from wavegraph.app.evaluate.lessons import compared, comparison_lines, is_worse
from wavegraph.app.evaluate.run import AT_ONCE, CaseResult, evaluate, subject_of
from wavegraph.app.evaluate.scores import call_line
from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, exit_on_error, stop
from wavegraph.app.terminal.options import EXPERTS, DomainOption, JsonOption, PlannerOption
from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import error_text

REPEATS = 3
WIDTH = 1000
"""Columns when the output is a file or a pipe: nothing is cut."""


def evaluation(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Requests with expectations, as JSON.")],
    planner: PlannerOption = "auto",
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Share that must pass; below it the exit status is 1.")
    ] = 1.0,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID|CATEGORY", help="Score only these; may be repeated.")
    ] = None,
    include_llm_only: Annotated[
        bool,
        typer.Option(
            "--include-llm-only",
            help="Score cases for a model only even when the rules plan.",
            rich_help_panel=EXPERTS,
        ),
    ] = False,
    at_once: Annotated[
        int,
        typer.Option(min=1, max=64, metavar="N", help="Cases run at the same time.", rich_help_panel=EXPERTS),
    ] = AT_ONCE,
    lessons: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Run the file with these lessons and without any, and compare: a model plans."
        ),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeat",
            min=1,
            max=50,
            metavar="N",
            help="With --lessons: runs of each case in each way.",
            rich_help_panel=EXPERTS,
        ),
    ] = REPEATS,
    langsmith: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Write a dataset and an experiment to LangSmith; on by default while tracing is on.",
            rich_help_panel=EXPERTS,
        ),
    ] = None,
    as_json: JsonOption = False,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Score a planner on a file of requests with expectations; exit status 1 if the score is below the threshold."""
    console = Console(stderr=True)
    with exit_on_error(console):
        content = read_file(file)
        cases = chosen_cases(content, only or [], console)
        for name in unknown_keys(content):
            console.print(Text(f"unknown, so not scored: {name}", style="dim"), soft_wrap=True)
        try:
            if lessons:
                with _counting(2 * repeats * len(cases), console) as count:
                    figures = asyncio.run(
                        compared(
                            file, content, cases, domain, lessons, repeats=repeats, at_once=at_once, on_ended=count
                        )
                    )
                _tell_comparison(figures, as_json, console)
                return
            with _counting(len(cases), console) as count:
                results = asyncio.run(
                    _evaluated(file, content, cases, domain, planner, include_llm_only, at_once, count)
                )
        except KeyboardInterrupt:
            stop(console, "stopped; nothing was scored.", INTERRUPTED)
    about = {"file": file.name, "domain": domain, "planner": planner, "threshold": threshold}
    report = evaluation_figures(results) | about
    if as_json:
        print_json(report)
    else:
        _print(report, results)
    _post(langsmith, file, results, report, console)
    if report["total"] == 0:
        stop(
            console,
            "nothing was scored: the chosen cases are for a model only (--include-llm-only scores them too)",
            BAD_USAGE,
        )
    if report["score"] < threshold:
        stop(console, f"score {report['score']:.4g} is below the threshold {threshold:g}", FAILED)


def chosen_cases(content: RequestFile, only: Sequence[str], console: Console) -> list[Case]:
    """The cases that `--only` names; ends the command for a name that is neither a case nor a category."""
    known = {name for case in content.cases for name in (case.id, case.category)}
    if strangers := [name for name in only if name not in known]:
        categories = ", ".join(sorted({case.category for case in content.cases}))
        stop(console, f"--only {strangers[0]!r}: neither a case nor a category; categories: {categories}", BAD_USAGE)
    return [case for case in content.cases if not only or {case.id, case.category} & set(only)]


async def _evaluated(
    path: Path,
    content: RequestFile,
    cases: Sequence[Case],
    domain: str,
    planner: str | None,
    include_llm_only: bool,
    at_once: int,
    count: Callable[[CaseResult], None],
) -> list[CaseResult]:
    async with subject_of(domain, content.names) as subject:
        if subject.tools is not None:
            check_tools(path, content, subject.vocabulary.tools, subject.tools)
        return await evaluate(
            subject, cases, planner=planner, include_llm_only=include_llm_only, at_once=at_once, on_ended=count
        )


@contextmanager
def _counting(runs: int, console: Console) -> Iterator[Callable[[CaseResult], None]]:
    done = Counter[str]()
    with console.status(f"0 of {runs}") as status:

        def count(result: CaseResult) -> None:
            done[result.verdict] += 1
            status.update(f"{done.total()} of {runs}, {done['failed']} failed")

        yield count


def _tell_comparison(figures: Mapping[str, Any], as_json: bool, console: Console) -> None:
    """Exit status 1 if the lessons make something worse."""
    if as_json:
        print_json(figures)
    else:
        for line in comparison_lines(figures):
            Console().print(Text(line), soft_wrap=True)
    if is_worse(figures):
        stop(console, f"{figures['lessons']} makes it worse", FAILED)


def evaluation_figures(results: Sequence[CaseResult]) -> dict[str, Any]:
    """The figures of an evaluation, as `--json` prints them."""
    by_category: dict[str, list[CaseResult]] = defaultdict(list)
    for each in results:
        by_category[each.case.category].append(each)
    return {
        **_figures(results),
        "planned_by": dict(Counter(each.planner for each in results if each.planner)),
        "categories": {name: _figures(group) for name, group in by_category.items()},
        "cases": [_case(each) for each in results],
    }


def _figures(results: Sequence[CaseResult]) -> dict[str, Any]:
    verdicts = Counter(each.verdict for each in results)
    total = verdicts["passed"] + verdicts["failed"]
    ran = [each for each in results if each.seen]
    return {
        "passed": verdicts["passed"],
        "total": total,
        "score": verdicts["passed"] / total if total else 0.0,
        "skipped": verdicts["skipped"],
        "open": verdicts["open"],
        "per_case": {
            "elapsed_s": round(_mean([each.elapsed_s for each in ran]), 3),
            "llm_calls": round(_mean([each.llm_calls for each in ran]), 2),
            "tokens": round(_mean([sum(each.llm_tokens.values()) for each in ran]), 1),
        },
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _case(result: CaseResult) -> dict[str, Any]:
    seen = result.seen
    return {
        "id": result.case.id,
        "category": result.case.category,
        "verdict": result.verdict,
        "failures": list(result.score.failures),
        "not_scored": list(result.score.unscored),
        "outcome": seen.outcome if seen else None,
        "answer": seen.answer if seen else None,
        "calls": result.calls,
        "planner": result.planner,
        "elapsed_s": round(result.elapsed_s, 3),
        "llm_calls": result.llm_calls,
        "llm_tokens": dict(result.llm_tokens),
    }


def _print(report: Mapping[str, Any], results: Sequence[CaseResult]) -> None:
    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("category")
    for name in ("passed", "share", "s/case", "model calls/case", "tokens/case"):
        table.add_column(name, justify="right")
    for name, figures in report["categories"].items():
        table.add_row(name, *_row(figures))
    table.add_row("all", *_row(report), style="bold")
    console.print(table, width=console.width if console.is_terminal else WIDTH)
    for line in _remarks(report, results):
        console.print(Text(line, style="dim"), soft_wrap=True)
    for each in results:
        if each.verdict == "failed":
            _print_failure(each, console)


def _row(figures: Mapping[str, Any]) -> list[str]:
    each = figures["per_case"]
    share = f"{100 * figures['score']:.1f} %" if figures["total"] else "–"
    rest = [f"{each['elapsed_s']:.2f}", decimal(each["llm_calls"]), decimal(each["tokens"])]
    return [f"{figures['passed']}/{figures['total']}", share, *rest]


def _remarks(report: Mapping[str, Any], results: Sequence[CaseResult]) -> list[str]:
    """What the table leaves out, one line each."""
    planned = ", ".join(f"{name} {count}" for name, count in report["planned_by"].items())
    left = {
        "skipped, for a model only": [each.case.id for each in results if each.verdict == "skipped"],
        "left open by the file": [each.case.id for each in results if each.verdict == "open"],
    }
    reasons: dict[str, list[str]] = defaultdict(list)
    for each in results:
        for kind in dict.fromkeys(reason.partition(":")[0] for reason in each.score.unscored):
            if each.verdict != "open":
                reasons[f"not scored: {kind}"].append(each.case.id)
    lines = [f"{what}: {', '.join(ids)}" for what, ids in (left | reasons).items() if ids]
    return [f"planned by: {planned}", *lines] if planned else lines


def _print_failure(result: CaseResult, console: Console) -> None:
    case = result.case
    console.print(Text.assemble((f"✗ {case.id}", "bold red"), f" {case.category}: {case.text}"), soft_wrap=True)
    for line in result.score.failures:
        console.print(Text(f"    {line}"), soft_wrap=True)
    if result.seen and result.seen.calls:
        calls = "; ".join(f"{call.wave}. {call_line(call.tool, call.args)}" for call in result.seen.calls)
        console.print(Text(f"    calls by wave: {calls}", style="dim"), soft_wrap=True)


def _post(
    name: str | None, file: Path, results: Sequence[CaseResult], report: Mapping[str, Any], console: Console
) -> None:
    """Post to LangSmith if asked to; a failure is printed and changes nothing."""
    # Imported here: loading the client takes a moment.
    from wavegraph.app.evaluate.langsmith import is_on, post

    if name == "" or (name is None and not is_on(os.environ)):
        return
    about = {key: report[key] for key in ("file", "domain", "planner", "passed", "total", "score")}
    try:
        posted = post(name or f"wavegraph {file.stem}", results, planner=report["planner"], about=about)
    except LangSmithFailed as error:
        console.print(
            Text.assemble(("wavegraph: ", "bold"), f"{error_text(error)}; the result above stands"), soft_wrap=True
        )
        return
    posted_text = f"dataset {posted.dataset!r} with {posted.examples} examples, experiment {posted.experiment!r}"
    console.print(Text(f"LangSmith: {posted_text} with {posted.runs} runs", style="dim"), soft_wrap=True)
