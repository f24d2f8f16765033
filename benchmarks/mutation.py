"""Do the tests notice a fault? Mutants of the engine, one at a time, against the tests that run their lines.

    python -m benchmarks.mutation [MODULES ...] [--tests PATHS ...] [--seconds 10] [--list]

A mutant's tests run the module's own first, then the fastest, `--seconds` of them at most: what only a slow test
notices counts as unnoticed. Nothing is written into the tree: each mutant is a forked process that imports the changed
source in the place of the file. Exit status 1 where a mutant survives that `equivalent_mutants.toml` does not list with
the reason why it changes nothing, or where that file lists one that is no more.
"""

import argparse
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import threading
import time
import tomllib
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from benchmarks.mutants import Mutant, mutants
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[1]
LISTED = Path(__file__).with_name("equivalent_mutants.toml")
TESTS = ("tests/graph", "tests/nodes", "tests/prompts", "tests/examples", "tests/scenarios", "tests/llm", "tests/cancel",
         "tests/canary/test_embedded.py", "tests/app/test_cards.py", "tests/app/commands/test_feedback.py")  # fmt: skip
"""Tests of the engine in one process: a mutant is not seen by the processes that a test starts."""
NOT_THOSE = ("*roster*",)
PRELOADED = ("langgraph.graph", "langgraph.checkpoint.memory", "langgraph.checkpoint.sqlite.aio", "langchain_openai",
             "langsmith", "typer", "rich.console")  # fmt: skip
"""What every mutant would import anew. Of the package itself nothing: it is imported with the fault in it."""
FIRST_S = 3.0
"""Tests of a mutant begin with so many seconds' worth, since most are noticed by those."""
PATIENCE = 5
"""A mutant's tests that take so many times as long as without it do not end: it is noticed."""
SPARE_S = 30.0


@dataclass
class Ran:
    """One test, as it runs without a fault."""

    seconds: float = 0.0
    work_s: float = 0.0
    """Of the processor, which is what counts: a busy machine must not leave a mutant with fewer tests."""
    lines: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


Tests = dict[str, Ran]


def main(arguments: list[str] | None = None) -> int:
    given = _arguments(arguments)
    paths = [str(Path(module).resolve().relative_to(ROOT)) for module in given.modules or _engine()]
    made = {path: mutants(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths}
    if given.list:
        print(*(mutant for each in made.values() for mutant in each), sep="\n")
        return 0
    for name in PRELOADED:
        importlib.import_module(name)
    tests = observed([test for test in given.tests if (ROOT / test).exists()], paths)
    unlisted = [_of_module(path, made[path], tests, given.seconds) for path in paths]
    return 1 if any(unlisted) else 0


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Mutants of the engine against its tests.")
    parser.add_argument("modules", nargs="*", help="files to mutate; none = all of graph/ and nodes/")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files and folders of tests")
    parser.add_argument("--seconds", type=float, default=10.0, help="most seconds of tests for one mutant")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    return parser.parse_args(arguments)


def _engine() -> list[Path]:
    return sorted([*(ROOT / "graph").rglob("*.py"), *(ROOT / "nodes").glob("*.py")])


def _of_module(path: str, made: list[Mutant], tests: Tests, most_s: float) -> int:
    """Run a module's mutants; how many lines of the report ask for something to be done."""
    began = time.monotonic()
    survivors = [mutant for mutant in made if not is_noticed(mutant, tests, most_s)]
    source = (ROOT / path).read_text(encoding="utf-8")
    if is_noticed(Mutant(path, "", range(0), "", "", source), tests, most_s):
        print(f"{path}: its tests fail without a fault too, so nothing of it counts", flush=True)
        return 1
    listed = _listed(path)
    left = [mutant for mutant in survivors if (mutant.function, mutant.was, mutant.becomes) not in listed]
    gone = listed - {(mutant.function, mutant.was, mutant.becomes) for mutant in made}
    for mutant in left:
        print(f"survived: {mutant}")
    for function, was, becomes in sorted(gone):
        print(f"listed, but there is no such mutant: {path} {function}\n  - {was}\n  + {becomes}")
    spent = time.monotonic() - began
    counts = f"{len(made)} mutants, {len(made) - len(survivors)} noticed, {len(survivors) - len(left)} listed"
    print(f"{path}: {counts}, {len(left)} survived ({spent:.0f} s)", flush=True)
    return len(left) + len(gone)


def _listed(path: str) -> set[tuple[str, str, str]]:
    entries = tomllib.loads(LISTED.read_text(encoding="utf-8")).get("equivalent", [])
    return {(each["function"], each["was"], each["becomes"]) for each in entries if each["file"] == path}


def is_noticed(mutant: Mutant, tests: Tests, most_s: float) -> bool:
    """Whether a test fails, or none ends, with the mutant in the place of its module."""
    return any(_fails(mutant, batch) for batch in _batches(mutant, tests, most_s))


def _fails(mutant: Mutant, batch: Tests) -> bool:
    longest_s = SPARE_S + PATIENCE * sum(test.seconds for test in batch.values())
    return forked(lambda: _run_against(mutant, list(batch)), longest_s) != 0


def _batches(mutant: Mutant, tests: Tests, most_s: float) -> Iterator[Tests]:
    """The tests that run the mutant's lines: those that end soon, then the rest of what `most_s` holds. All tests, where
    none runs them: an import does, or nothing."""
    name = f"test_{Path(mutant.path).stem}.py"
    lines = set(mutant.lines)
    able = {test: ran for test, ran in tests.items() if lines & ran.lines.get(mutant.path, set())} or tests
    first: Tests = {}
    rest: Tests = {}
    spent = 0.0
    for test in sorted(able, key=lambda test: (name not in test, able[test].work_s)):
        spent += able[test].work_s
        if spent <= most_s:
            (first if spent <= FIRST_S else rest)[test] = able[test]
    return (batch for batch in (first, rest) if batch)


def forked(work: Callable[[], int], longest_s: float | None = None, output: int | None = None) -> int | None:
    """What `work` comes to in a process of its own; None where it does not end in time. `output`: a file descriptor."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        gc.freeze()  # pytest collects garbage as it ends, and need not look at what was there before
        os.setpgid(0, 0)
        to = os.open(os.devnull, os.O_WRONLY) if output is None else output
        os.dup2(to, 1)
        os.dup2(to, 2)
        os._exit(_caught(work))
    ends = time.monotonic() + longest_s if longest_s else None
    while (found := os.waitpid(child, os.WNOHANG))[0] == 0:
        if ends and time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what a test left running
    return os.waitstatus_to_exitcode(found[1])


def _caught(work: Callable[[], int]) -> int:
    try:
        return work()
    except BaseException:  # noqa: BLE001  whatever it was, the forked process ends here
        traceback.print_exc()
        return 70


def _run_against(mutant: Mutant, tests: list[str]) -> int:
    module = "wavegraph." + mutant.path.removesuffix(".py").replace("/", ".")
    sys.meta_path.insert(0, _Mutated(module, mutant))
    return _pytest(["-x", *sorted({test.partition("::")[0] for test in tests})], _Only(tests))


def _pytest(arguments: list[str], plugin: object) -> int:
    settings.register_profile(
        "mutation", derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate), database=None
    )
    os.chdir(ROOT)
    options = ["-q", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-profile=mutation", "--tb=no"]
    ignored = [f"--ignore-glob={pattern}" for pattern in NOT_THOSE]
    return int(pytest.main([*options, *ignored, *arguments], plugins=[plugin]))


class _Mutated(MetaPathFinder):
    """Finds one module in a mutant's source."""

    def __init__(self, module: str, mutant: Mutant) -> None:
        self.module = module
        self.loader = _Loader(module, str(ROOT / "src" / "wavegraph" / mutant.path))
        self.loader.source = mutant.source

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        return spec_from_file_location(fullname, self.loader.path, loader=self.loader)


class _Loader(SourceFileLoader):
    source: str

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Only:
    """Runs these tests, in this order."""

    def __init__(self, tests: list[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda item: self.order[item.nodeid])


def observed(tests: list[str], paths: list[str]) -> Tests:
    """Each test that passes, with its time and the lines it runs of the files."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "ran.json"
        with (Path(folder) / "output").open("w+b") as output:
            ended = forked(lambda: _observe(tests, paths, to), output=output.fileno())
            if ended not in (0, pytest.ExitCode.TESTS_FAILED):
                output.seek(0)
                raise SystemExit(f"{output.read().decode()}\npytest ended with {ended}")
        found = json.loads(to.read_text())
    ran = {
        test: Ran(seconds, work_s, {path: set(lines) for path, lines in seen.items()})
        for test, (seconds, work_s, seen) in found.items()
    }
    print(f"{len(ran)} tests pass without a fault ({time.monotonic() - began:.0f} s)", flush=True)
    return ran


def _observe(tests: list[str], paths: list[str], to: Path) -> int:
    observer = _Observer(paths)
    ended = _pytest(tests, observer)
    found = {
        test: (ran.seconds, ran.work_s, {path: sorted(lines) for path, lines in ran.lines.items()})
        for test, ran in observer.tests.items()
        if test not in observer.failed
    }
    to.write_text(json.dumps(found))
    return ended


class _Observer:
    """Notes which lines of some files each test runs, in whatever thread."""

    def __init__(self, paths: list[str]) -> None:
        self.files = {os.path.realpath(ROOT / path): path for path in paths}
        self.known: dict[str, str | None] = {}
        self.tests: Tests = {}
        self.failed: set[str] = set()
        self.current = Ran()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.current = self.tests[item.nodeid] = Ran()
        began, worked = time.perf_counter(), time.process_time()
        sys.settrace(self._called)
        threading.settrace(self._called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.current.seconds = time.perf_counter() - began
            self.current.work_s = time.process_time() - worked

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in self.known:
            self.known[name] = self.files.get(os.path.realpath(name))
        path = self.known[name]
        return self._line(path) if path else None

    def _line(self, path: str) -> Any:
        def note(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                self.current.lines[path].add(frame.f_lineno)
            return note

        return note


if __name__ == "__main__":
    sys.exit(main())
