"""`wavegraph lessons`: failures become lessons, tried before they are kept."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN, agent
from wavegraph.app.evaluate.command import chosen_cases
from wavegraph.app.evaluate.file import read_file
from wavegraph.app.evaluate.run import AT_ONCE
from wavegraph.app.lessons.candidates import Candidate, Candidates
from wavegraph.app.lessons.failures import Failures, failures_of
from wavegraph.app.lessons.kept import drop, keep, kept_lessons
from wavegraph.app.lessons.proposer import MOST_EXAMPLES, Proposal, example, guest_words, propose
from wavegraph.app.lessons.trial import REPEATS, Evaluation, Trial, Verdict, agent_of
from wavegraph.app.pages.numbers import counted
from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.report.command import first_day_of
from wavegraph.app.report.stored import stored_requests
from wavegraph.app.storage.database import Storage
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.exit_errors import BAD_USAGE, exit_on_error, stop
from wavegraph.app.terminal.options import DatabaseOption, DomainOption, JsonOption
from wavegraph.app.terminal.storage import with_storage
from wavegraph.graph.agent import Agent
from wavegraph.graph.decimals import decimal
from wavegraph.graph.errors import LessonError
from wavegraph.graph.model.lessons import MOST_CHARS, MOST_LESSONS, READERS, Lesson, lesson_file

lessons = typer.Typer(no_args_is_help=True, help="Turn failures into lessons for an agent's prompts.")

LessonArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of the lesson.", show_default=False)]


@lessons.command("propose")
def propose_(
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only requests that ended on this day (UTC) or later: YYYY-MM-DD."),
    ] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Group the stored failures, and let a model write lessons from them. Nothing is kept by this."""
    first_day = first_day_of(since)

    async def work(storage: Storage) -> dict[str, Any]:
        of = _agent(domain)
        failures = failures_of(await stored_requests(storage.store), of.domain, first_day)
        made = Proposal()
        if failures.groups:
            kept = await asyncio.to_thread(kept_lessons, of.domain)
            made = await propose(of, of.settled(of.domain.settings()), failures, kept, storage.store)
            await Candidates(storage.store, of.domain.name).add(made.candidates)
        return _proposal_record(of, failures, made)

    record = with_storage(database, work)
    print_json(record) if as_json else _print_lines(_proposal_lines(record))


def _proposal_record(of: Agent, failures: Failures, made: Proposal) -> dict[str, Any]:
    words = guest_words(failures, of.domain)
    return {
        "domain": of.domain.name,
        "requests": len(failures.requests),
        "unknown": failures.unknown,
        "groups": [
            {
                "kind": words.masked(group.kind),
                "reader": group.reader,
                "requests": len(group.requests),
                "threads": list(dict.fromkeys(each.stored.thread_id for each in group.requests)),
                "examples": [
                    {"thread": each.stored.thread_id, "asked": example(each.request, words), "wrong": example(each.text, words)}
                    for each in group.requests[:MOST_EXAMPLES]
                ],
            }
            for group in failures.groups
        ],
        "candidates": [{"id": each.id, **asdict(each)} for each in made.candidates],
        "withheld": made.withheld,
        "without_model": made.without,
        "usage": made.usage,
    }  # fmt: skip


def _proposal_lines(record: Mapping[str, Any]) -> list[str]:
    failed = counted(sum(group["requests"] for group in record["groups"]), "failure")
    lines = [f"{counted(record['requests'], 'request')} of {record['domain']}, {failed}"]
    if record["unknown"]:
        lines.append(f"{counted(record['unknown'], 'request')} of an older version name no agent: left out")
    for group in record["groups"]:
        lines.append(f"{group['kind']} ({group['reader']}): {counted(group['requests'], 'request')}")
        lines += [
            f"    {each['thread']}: {each['asked']} – {each['wrong'] or 'no reason'}" for each in group["examples"]
        ]
    lines += [f"not taken: {why}" for why in record["withheld"]]
    if record["groups"] and record["without_model"]:
        lines.append(f"no lessons, the grouped failures alone: {record['without_model']}")
    for each in record["candidates"]:
        lines += [f"{each['id']}  {each['reader']}  {each['text']}", f"    {_evidence(each)}"]
    if record["candidates"]:
        lines.append("none is kept: evaluate them with `wavegraph lessons try FILE`")
    return lines


@lessons.command("try")
def try_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Requests with expectations, as for `wavegraph eval`.")],
    lesson: Annotated[
        list[str] | None, typer.Option("--lesson", metavar="ID", help="Only this one; may be repeated. Default: all.")
    ] = None,
    repeats: Annotated[
        int, typer.Option("--repeat", min=1, max=50, metavar="N", help="Runs of each case in each way.")
    ] = REPEATS,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID|CATEGORY", help="Run only these cases; may be repeated.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Cases run at the same time.")] = AT_ONCE,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Evaluate the prompts with and without each lesson: what got better, what got worse."""
    console = Console(stderr=True)

    async def work(storage: Storage) -> list[tuple[Candidate, Trial]]:
        content = read_file(file)
        of = _agent(domain)
        known = Candidates(storage.store, of.domain.name)
        kept = await asyncio.to_thread(kept_lessons, of.domain)
        there = {each["id"] for each in kept}
        asked = [await known.get(each) for each in dict.fromkeys(lesson or ())] or await known.all()
        if not (candidates := [each for each in asked if each.id not in there]):
            raise LessonError("there is no lesson to try; `wavegraph lessons propose` makes some")
        cases = chosen_cases(content, only or [], console)
        evaluation = Evaluation(path=file, content=content, cases=cases, repeats=repeats, at_once=at_once)
        runs, ended = len(cases) * repeats * (1 + len(candidates)), 0
        cost = f"{counted(len(cases), 'case')}, {repeats} times without and with each of {counted(len(candidates), 'lesson')}"
        console.print(Text(f"{counted(runs, 'run')}: {cost}", style="dim"), soft_wrap=True)
        with console.status(f"0 of {runs} runs") as status:

            def count() -> None:
                nonlocal ended
                ended += 1
                status.update(f"{ended} of {runs} runs")

            trials = await evaluation.tried(domain, candidates, kept, count)
        for each in candidates:
            await known.add_trial(each.id, trials[each.id])
        return [(each, trials[each.id]) for each in candidates]

    try:
        tried = with_storage(database, work)
    except KeyboardInterrupt:
        stop(console, "stopped; no trial was stored.", INTERRUPTED)
    if as_json:
        print_json({"trials": [{"id": each.id, "text": each.text, **_figures(trial)} for each, trial in tried]})
    else:
        _print_lines([line for each, trial in tried for line in _trial_lines(each, trial)])


def _figures(trial: Mapping[str, Any]) -> dict[str, Any]:
    verdict = Verdict(trial)
    return {**trial, "chance": round(verdict.chance, 4), "made_worse": verdict.made_worse}


def _trial_lines(candidate: Candidate, trial: Mapping[str, Any]) -> list[str]:
    verdict = Verdict(trial)
    before, after = trial["tokens"]
    lines = [f"{candidate.id}  {candidate.reader}  {candidate.text}", f"    {verdict.line}", f"    {verdict.noise}"]
    for word, cases in (("better", verdict.better), ("worse", verdict.worse)):
        lines += [
            f"    {word}: {each['id']}: {each['without']}/{each['without_runs']} → {each['with_']}/{each['with_runs']}"
            for each in cases
        ]
    lines += [f"    {each['name']}: failed in {each['without']} runs → {each['with_']}" for each in trial["criteria"]]
    return [
        *lines,
        f"    tokens a run: {decimal(before)} → {decimal(after)}",
        *(f"    against it: {why}" for why in verdict.made_worse),
    ]


@lessons.command("keep")
def keep_(
    lesson: LessonArgument,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also if the trial speaks against it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Keep without asking.")] = False,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Put a tried lesson into the agent's prompts, from the next request on; `drop` takes it out again."""

    async def read(storage: Storage) -> tuple[Agent, Candidate, dict[str, Any] | None]:
        of = _agent(domain)
        known = Candidates(storage.store, of.domain.name)
        return of, await known.get(lesson), await known.trial(lesson)

    of, candidate, trial = with_storage(database, read)
    console = Console(stderr=as_json)
    for line in _trial_lines(candidate, trial) if trial else [f"{candidate.id}  {candidate.reader}  {candidate.text}"]:
        console.print(Text(line), soft_wrap=True)
    console.print(Text(f"    {_evidence(asdict(candidate))}"), soft_wrap=True)
    if trial and not yes and not typer.confirm(f"Let the {candidate.reader} read this?", err=as_json):
        raise typer.Exit(BAD_USAGE)
    with exit_on_error(Console(stderr=True)):
        kept = keep(of.domain, candidate, trial, anyway=anyway)
    if as_json:
        print_json(kept)
    else:
        _print_lines([f"kept in {lesson_file(of.domain)}; undo it with: wavegraph lessons drop {candidate.id}"])


@lessons.command("drop")
def drop_(
    lesson: LessonArgument,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Take a lesson out of the prompts again; one that is not kept is forgotten with its trial."""

    async def work(storage: Storage) -> str:
        of = _agent(domain)
        if await asyncio.to_thread(drop, of.domain, lesson):
            return "dropped"
        known = Candidates(storage.store, of.domain.name)
        await known.get(lesson)
        await known.forget(lesson)
        return "forgotten"

    done = with_storage(database, work)
    told = {"dropped": "taken out of the prompts", "forgotten": "was not kept; forgotten with its trial"}
    print_json({"id": lesson, "done": done}) if as_json else _print_lines([f"{lesson}: {told[done]}"])


@lessons.command("list")
def list_(as_json: JsonOption = False, database: DatabaseOption = None, domain: DomainOption = DEFAULT_DOMAIN) -> None:
    """Show the lessons that the prompts include, and those that wait to be tried or kept."""

    async def read(storage: Storage) -> dict[str, Any]:
        of = _agent(domain)
        kept = await asyncio.to_thread(kept_lessons, of.domain)
        known = Candidates(storage.store, of.domain.name)
        there = {each["id"] for each in kept}
        waiting = [each for each in await known.all() if each.id not in there]
        return {
            "domain": of.domain.name,
            "file": str(lesson_file(of.domain)),
            "kept": kept,
            "candidates": [{"id": each.id, **asdict(each), "trial": await known.trial(each.id)} for each in waiting],
        }

    record = with_storage(database, read)
    print_json(record) if as_json else _print_lines([*_kept_lines(record), *_waiting_lines(record)])


def _kept_lines(record: Mapping[str, Any]) -> list[str]:
    kept: Sequence[Lesson] = record["kept"]
    lines = [f"lessons of {record['domain']} in {record['file']}"]
    for reader in READERS:
        own = [each for each in kept if each["reader"] == reader]
        chars = sum(len(each["text"]) for each in own)
        lines.append(f"for the {reader}: {len(own)} of {MOST_LESSONS}, {chars} of {MOST_CHARS} characters")
        for each in own:
            lines += [f"  {each['id']}  {each['text']}", f"      {_evidence(each.get('evidence') or {})}"]
            if trial := each.get("trial"):
                passed, runs, passed_with, runs_with = trial["passed"]
                lines.append(
                    f"      {trial['file']}: {passed}/{runs} runs passed without it, {passed_with}/{runs_with} with it"
                )
    return lines  # fmt: skip


def _waiting_lines(record: Mapping[str, Any]) -> list[str]:
    lines = ["not kept:"] if record["candidates"] else []
    for each in record["candidates"]:
        tried = Verdict(each["trial"]).line if each["trial"] else "not tried"
        lines += [f"  {each['id']}  {each['reader']}  {each['text']}", f"      {_evidence(each)}; {tried}"]
    return lines


def _evidence(about: Mapping[str, Any]) -> str:
    return f"stands on {counted(about.get('requests', 0), 'request')}: {', '.join(about.get('kinds', ()))}"


def _agent(name: str) -> Agent:
    """Raises LessonError for a graph of another kind, SettingsError for an unknown agent."""
    return agent_of(agent(name).graph())


def _print_lines(lines: Sequence[str]) -> None:
    console = Console()
    for line in lines:
        console.print(Text(line), soft_wrap=True)
