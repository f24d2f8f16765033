"""Runs all measurements, one after the other, each in a process of its own; then the goals in one table.

    python -m benchmarks [NAMES ...] [--quick] [--data FOLDER] [--out build/bench] [--seed 1] [--patience 1] [--publish]

`--out` gets a report (JSON) and a picture of each, `bench.json` with all of them and `goals.md` with the table. What needs
public material that is not in `--data` (the variable BENCH_DATA, else build/bench-data) is left out, which is said; a
quick run then takes a small set of our own. One that fails or takes longer than it may is reported, and the rest goes on:
exit status 1. `--publish` puts a whole run into the documentation: docs/bench.json, docs/running/bench-{results,costs}.md, docs/pictures
and the README's table.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import published, smoke
from benchmarks.measurements import MEASUREMENTS, Measurement
from benchmarks.plots import drawn
from benchmarks.published import ROOT, Run, goals_table, machine
from benchmarks.report import DATA, Report, goal_lines, read

ENDS_WITHIN_S = 15
"""What an interrupted measurement has for its own end: it stops the servers that it started."""
MATERIAL = "docs/running/benchmarks.md says how it is made"


@dataclass(frozen=True)
class Ended:
    """What came of one measurement."""

    measurement: Measurement
    report: Report | None = None
    failed: str = ""
    left_out: str = ""


def main(arguments: Sequence[str] | None = None, measurements: Sequence[Measurement] = MEASUREMENTS) -> int:
    given = _given(measurements, arguments)
    out: Path = given.out
    out.mkdir(parents=True, exist_ok=True)
    if given.quick and not given.data.is_dir():
        given.data = out / "material"
        smoke.write(given.data)
        print(f"public material: a small set of our own, {given.data}")
    began = time.monotonic()
    chosen = [each for each in measurements if (each.name in given.names if given.names else each.reports)]
    ended = [measured(each, given) for each in chosen]
    without = {each.measurement.name: each.failed or each.left_out for each in ended if each.failed or each.left_out}
    run = Run(f"{datetime.now(UTC):%Y-%m-%d}", machine(), round((time.monotonic() - began) / 60, 1), given.seed,
              [each.report for each in ended if each.report], without)  # fmt: skip
    run.write(out / "bench.json")
    (out / "goals.md").write_text("\n".join([*goals_table(run.goals), ""]), encoding="utf-8")
    print(*told(run, out), sep="\n")
    if given.publish:
        publish(run, out)
    return 1 if any(each.failed for each in ended) else 0


def _given(measurements: Sequence[Measurement], arguments: Sequence[str] | None) -> argparse.Namespace:
    ways = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0])
    names = [each.name for each in measurements]
    ways.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(names)} (default: all that report)")
    ways.add_argument("--quick", action="store_true", help="only show that everything works; the figures say nothing")
    ways.add_argument("--publish", action="store_true", help="put this run into README and docs")
    ways.add_argument("--data", type=Path, metavar="FOLDER", help="with the public material (default: %(default)s)",
                      default=DATA)  # fmt: skip
    ways.add_argument("--out", type=Path, metavar="FOLDER", default=Path("build/bench"), help="default: %(default)s")
    ways.add_argument("--seed", type=int, default=1, help="of all that is drawn (default: %(default)s)")
    ways.add_argument("--patience", type=float, default=1.0, help="times each time limit, on a busy machine")
    given = ways.parse_args(arguments)
    if unknown := [name for name in given.names if name not in names]:
        ways.error(f"there is no {', '.join(unknown)}; there are {', '.join(names)}")
    if given.publish and (given.names or given.quick):
        ways.error("only a whole run is published: no NAME, no --quick")
    return given


def measured(each: Measurement, given: argparse.Namespace) -> Ended:
    print(f"\n== {each.title} ({each.name})", flush=True)
    if lacking := [str(given.data / folder) for folder in each.needs if not (given.data / folder).is_dir()]:
        print(why := f"needs {', '.join(lacking)}; {MATERIAL}", flush=True)
        return Ended(each, left_out=why)
    file = (given.out / f"{each.name}.json").resolve()
    file.unlink(missing_ok=True)
    failed = _run(_command(each, given, file), each.limit_s * given.patience)
    if not failed and each.reports and not file.exists():
        failed = "wrote no report"
    if failed:
        print(f"{each.name}: {failed}", flush=True)
    report = read(file) if file.exists() else None
    if report and report.rows:
        _draw(report, file.with_suffix(".png"))
    return Ended(each, report, failed=failed)


def _command(each: Measurement, given: argparse.Namespace, file: Path) -> list[str]:
    words = [sys.executable, "-m", each.module]
    words += ["--seed", str(given.seed), "--json", str(file)] if each.reports else []
    words += ["--data", str(given.data.resolve())] if each.needs else []
    return [*words, *(each.quick if given.quick else ())]


def _run(command: Sequence[str], limit_s: float) -> str:
    """Why it failed; empty = it did not."""
    with _process(command) as process:
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return f"took longer than {limit_s:.0f} s"
    return f"ended with status {status}" if status else ""


@contextmanager
def _process(command: Sequence[str]) -> Iterator["subprocess.Popen[bytes]"]:
    """In a group of its own, of which nothing is left afterwards."""
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(ENDS_WITHIN_S)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _draw(report: Report, file: Path) -> None:
    try:
        drawn(report, file)
    except ImportError as missing:
        print(f"no picture: {missing}", flush=True)


def told(run: Run, out: Path) -> Iterator[str]:
    yield f"\n== Goals ({run.minutes:g} minutes in all)"
    yield from goal_lines(run.goals)
    missed = [goal for goal in run.goals if goal.reason and not goal.met]
    for reason in dict.fromkeys(goal.reason for goal in missed):
        yield f"why {'; '.join(goal.goal for goal in missed if goal.reason == reason)}: {reason}"
    yield from (f"left out or failed: {name}: {why}" for name, why in run.without.items())
    yield f"tables, pictures and reports: {out}"


def publish(run: Run, out: Path) -> None:
    run.write(published.RECORD)
    for place, text in published.pages(run).items():
        place.write_text(text, encoding="utf-8")
    published.README.write_text(
        published.in_readme(published.README.read_text(encoding="utf-8"), run), encoding="utf-8"
    )
    for report in run.reports:
        if report.rows:
            name = published.picture_name(report.benchmark)
            shutil.copyfile(out / f"{report.benchmark}.png", published.PICTURES / name)


if __name__ == "__main__":
    sys.exit(main())
