"""Ten minutes of attacks, seed after seed: how often each promise was tried, and how often it broke.

    python -m benchmarks.attack [--minutes 10] [--seed 1] [--workers 3]

The attacks are the tests marked `attack`: bookings in many processes at once, kills, stops, hostile texts, costly
inputs, leaks. The first round runs all of them; each later one, while there is time, those that choose at random, from
the next seed. A round that has begun is finished. A failed test is a broken promise: it is printed with the seed that
repeats it. Exit status 1 where something broke.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

HERE = Path(__file__).parents[1]


@dataclass
class Figures:
    attempts: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    tests: int = 0

    def add(self, report: Path, seed: int) -> None:
        self.rounds += 1
        for case in ElementTree.parse(report).iter("testcase"):
            self._add_case(case, seed)

    def _add_case(self, case: ElementTree.Element, seed: int) -> None:
        name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        if (skipped := case.find("skipped")) is not None:
            self.skipped[skipped.get("message", "")] += 1
            return
        self.tests += 1
        if case.find("failure") is not None or case.find("error") is not None:
            self.broken.append(f"WAVEGRAPH_ATTACK_SEED={seed} python -m pytest '{name}'")
        for count, kind in attempted(case):
            self.attempts[kind] += count

    def table(self) -> str:
        width = max(map(len, self.attempts), default=0)
        lines = [f"{kind:<{width}}  {count:>8,}" for kind, count in sorted(self.attempts.items())]
        return "\n".join([f"{'attempted':<{width}}  {'times':>8}", *lines])


def attempted(case: ElementTree.Element) -> Iterator[tuple[int, str]]:
    """Counts and kinds; a test that counts nothing is one attempt of its own kind."""
    told = [found.get("value", "") for found in case.iter("property") if found.get("name") == "attempts"]
    for each in told or [f"1 {case.get('classname', '').rpartition('test_')[2].replace('_', ' ')}"]:
        count, _, kind = each.partition(" ")
        yield int(count), kind


def attack(seed: int, workers: int, which: str, report: Path) -> None:
    """One round; raises SystemExit where no test could run."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "--dist", "loadgroup", "-m", which,
               "-p", "no:cacheprovider", f"--junitxml={report}", "-o", "junit_family=xunit1"]  # fmt: skip
    done = subprocess.run(command, cwd=HERE, env={**os.environ, "WAVEGRAPH_ATTACK_SEED": str(seed)}, check=False)
    if done.returncode > 1:
        sys.exit(done.returncode)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=3)
    given = parser.parse_args()
    figures, ends = Figures(), time.monotonic() + given.minutes * 60
    with TemporaryDirectory() as folder:
        report = Path(folder) / "round.xml"
        while not figures.rounds or time.monotonic() < ends:
            seed = given.seed + figures.rounds
            attack(seed, given.workers, "attack and seeded" if figures.rounds else "attack", report)
            figures.add(report, seed)
    print(f"\n{figures.rounds} rounds from seed {given.seed}, {figures.tests} tests\n\n{figures.table()}\n")
    for why, count in figures.skipped.items():
        print(f"left out {count} times: {why}")
    print("\n".join([f"broken: {len(figures.broken)}", *figures.broken]))
    sys.exit(1 if figures.broken else 0)


if __name__ == "__main__":
    main()
