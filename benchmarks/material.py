"""Makes the public material that `make bench` replays, from the named commits of its sources.

    python -m benchmarks.material [FOLDER] [--parts tau nestful bfcl] [--from tau=REPOSITORY ...]

`FOLDER` (build/bench-data) gets `tau/`, `nestful/` and `bfcl/`. Each source is fetched by git, or taken from a local
repository that has the commit (`--from`). The recorded results come from running the tools of tau-bench and BFCL themselves,
once for each task's ground-truth calls: code of others, at that commit, which runs here with your rights.
"""

import importlib
import importlib.util
import io
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from benchmarks import material_bfcl, material_tau
from benchmarks.report import parser_of


@dataclass(frozen=True)
class Source:
    """Where a part of the material comes from."""

    repository: str
    commit: str
    paths: Sequence[str]
    """What is needed of it."""
    packages: Sequence[str]
    """Of its Python packages those whose modules run here, without what their `__init__` would import."""
    write: Callable[[Path, Path], None]
    """(the source's folder, the folder of the part)"""
    inside: str = ""
    """Where its packages lie, if not at its top."""
    needs: str = ""
    """A module that its code imports."""


def copy_nestful(source: Path, folder: Path) -> None:
    for file in sorted((source / "data").rglob("*.json")):
        (folder / file.name).write_bytes(file.read_bytes())


_BFCL = "berkeley-function-call-leaderboard"
SOURCES = {
    "tau": Source(
        "https://github.com/sierra-research/tau-bench", "59a200c6d575d595120f1cb70fea53cef0632f6b",
        ["tau_bench/envs", "tau_bench/types.py"],
        ["tau_bench", "tau_bench.envs", "tau_bench.envs.retail", "tau_bench.envs.airline"], material_tau.write,
    ),
    "nestful": Source(
        "https://github.com/IBM/NESTFUL", "053cbde0446dddd31e8293f179085e1b39ab79b5", ["data"], [], copy_nestful,
    ),
    "bfcl": Source(
        "https://github.com/ShishirPatil/gorilla", "6ea57973c7a6097fd7c5915698c54c17c5b1b6c8",
        [f"{_BFCL}/bfcl_eval/data/{name}BFCL_v4_multi_turn_base.json" for name in ("", "possible_answer/")]
        + [f"{_BFCL}/bfcl_eval/eval_checker/multi_turn_eval"],
        ["bfcl_eval", "bfcl_eval.eval_checker", "bfcl_eval.eval_checker.multi_turn_eval", material_bfcl.TOOLS],
        material_bfcl.write, inside=_BFCL, needs="mpmath",
    ),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("material", __doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/bench-data"), help="default: %(default)s")
    parser.add_argument("--parts", nargs="+", choices=SOURCES, default=list(SOURCES), help="default: all")
    parser.add_argument("--from", nargs="+", default=[], dest="local", metavar="PART=REPOSITORY",
                        help="a local git repository that has the commit")  # fmt: skip
    given = parser.parse_args(arguments)
    local = dict(each.split("=", 1) for each in given.local)
    for part in given.parts:
        source = SOURCES[part]
        if source.needs and importlib.util.find_spec(source.needs) is None:
            print(f"{part}: its tools need {source.needs}, which is not installed", file=sys.stderr)
            return 2
        with TemporaryDirectory() as scratch:
            fetched(source, Path(scratch), local.get(part))
            made_from(source, Path(scratch) / source.inside, given.folder / part)
        print(f"{given.folder / part}: from {source.repository} at {source.commit}")
    return 0


def fetched(source: Source, folder: Path, local: str | None) -> None:
    """The source's paths at its commit. Raises subprocess.CalledProcessError, after git has said why."""
    repository = str(folder / ".git")
    if local is None:
        _git("init", "--quiet", "--bare", repository)
        _git(f"--git-dir={repository}", "fetch", "--quiet", "--depth=1", source.repository, source.commit)
    where = ["-C", local] if local else [f"--git-dir={repository}"]
    packed = _git(*where, "archive", "--format=zip", source.commit, *source.paths)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], check=True, stdout=subprocess.PIPE).stdout


def made_from(source: Source, folder: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in source.packages:
        package = ModuleType(name)
        package.__path__ = [str(folder / name.replace(".", "/"))]
        sys.modules[name] = package
    source.write(folder, target)


if __name__ == "__main__":
    sys.exit(main())
