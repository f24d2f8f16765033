"""The faults that the mutation run puts in, and where."""

import tomllib
from collections import defaultdict
from pathlib import Path

from benchmarks.mutants import mutants
from tables import table

ROOT = Path(__file__).parents[2]

TABLE: list[tuple[str, set[str]]] = [
    ("a < b", {"a <= b", "a >= b"}),
    ("a >= b", {"a > b", "a < b"}),
    ("a not in b", {"a in b"}),
    ("a and b", {"True and b", "a and True"}),
    ("a or b", {"False or b", "a or False"}),
    ("not a", {"(a)"}),
    ("a if b else c", {"a if (not (b)) else c"}),
    ("a + 1", {"a - 1", "a + 2"}),
    ("min(a, b)", {"max(a, b)"}),
    ("a[1:]", {"a[2:]", "a[:]"}),
    ("[x for x in a if x]", {"[x for x in a if True]"}),
    ("(a, b)", {"(a,)", "(b,)"}),
    ("[a, b]", {"[b]", "[a, ]"}),
    ("{'k': a, **b}", {"{**b}", "{'k': a, }"}),
    ("a.strip()", {"a"}),
    ("a + f'{b + 1}'", {"a - f'{b + 1}'"}),
]

MODULE = '''
import os
LIMIT: int = 3
"""What it is."""
class Kind(Base, total=False):
    size: Literal[4] = 5
    def grow(self, by: int = 1) -> str:
        """By so much."""
        logger.info('grows by %s', 9)
        self.size |= by
        for each in self:
            if each:
                continue
        raise ValueError('no')
        return 'grown'
'''


@table(("expression", "faults"), TABLE)
def test_an_expression_and_its_faults(expression: str, faults: set[str]) -> None:
    made = mutants("m.py", f"def f():\n    return {expression}\n")

    assert {mutant.becomes.removeprefix("return ") for mutant in made} == {*faults, "None"}
    assert {(mutant.path, mutant.function, mutant.lines) for mutant in made} == {("m.py", "f", range(2, 3))}


def test_statements_and_what_is_left_alone() -> None:
    """A fault outside of every function is run by an import: any test could notice it."""
    made = mutants("m.py", MODULE)

    assert [(m.function, m.was, m.becomes, m.lines.start) for m in made] == [
        ("", "LIMIT: int = 3", "LIMIT: int = 4", 0),
        ("", "size: Literal[4] = 5", "size: Literal[4] = 6", 0),
        ("Kind.grow", "def grow(self, by: int = 1) -> str:", "def grow(self, by: int = 2) -> str:", 0),
        ("Kind.grow", "self.size |= by", "self.size = by", 10),
        ("Kind.grow", "self.size |= by", "self.size &= by", 10),
        ("Kind.grow", "if each:", "if (not (each)):", 12),
        ("Kind.grow", "continue", "pass", 13),
        ("Kind.grow", "raise ValueError('no')", "pass", 14),
    ]


def test_a_mutant_is_the_whole_source_with_one_fault_where_positions_count_bytes() -> None:
    [mutant] = mutants("m.py", "WORD = 'שלום'; COUNT = 1\nREST = None\n")

    assert mutant.source == "WORD = 'שלום'; COUNT = 2\nREST = None\n"
    assert str(mutant) == "m.py (module)\n  - WORD = 'שלום'; COUNT = 1\n  + WORD = 'שלום'; COUNT = 2"


def test_each_fault_that_is_listed_as_one_without_effect_is_one_of_its_module() -> None:
    """Where a line has changed, or its module has moved, its entry goes."""
    listed: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for each in tomllib.loads((ROOT / "benchmarks/equivalent_mutants.toml").read_text(encoding="utf-8"))["equivalent"]:
        listed[each["file"]].add((each["function"], each["was"], each["becomes"]))
    missing = [file for file in listed if not (ROOT / file).exists()]
    assert not missing
    for file, faults in listed.items():
        made = mutants(file, (ROOT / file).read_text(encoding="utf-8"))
        assert faults <= {(mutant.function, mutant.was, mutant.becomes) for mutant in made}
