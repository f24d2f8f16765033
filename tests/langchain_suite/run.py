"""Runs LangChain's own tests of `create_agent` against this package's, from the sdist that requirements-dev.lock pins.

    make test-langchain
    make test-langchain ARGS="test_agent_name.py -k async"
    make test-langchain ARGS=--fetch                            # only fetches them

The published wheel has no tests. The sdist is fetched once into `build/langchain`, by its hash.
"""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "langchain"
SUITE = "tests/unit_tests/agents"
WANTED = re.compile(r"[^/]+/tests/(__init__\.py|unit_tests/(__init__\.py|agents/.*))")
PIN = re.compile(r"^langchain==(\S+) \\\n(?:    --hash=\S+(?: \\)?\n)+", re.MULTILINE)


def suite() -> Path:
    """Where the tests of the pinned version lie; unpacks them first if need be."""
    found = PIN.search((ROOT / "requirements-dev.lock").read_text())
    if found is None:
        raise SystemExit("requirements-dev.lock pins no langchain")
    folder = BUILD / f"langchain-{found[1]}"
    if not folder.is_dir():
        archive = BUILD / f"langchain-{found[1]}.tar.gz"
        if not archive.is_file():
            download(found[0])
        with tarfile.open(archive) as opened:
            members = [each for each in opened.getmembers() if WANTED.fullmatch(each.name)]
            opened.extractall(BUILD, members, filter="data")
    return folder


def download(pin: str) -> None:
    """The sdist, refused where its hash is not the lock's. The build backend that pip asks about it is the installed one."""
    BUILD.mkdir(parents=True, exist_ok=True)
    pinned = BUILD / "pin.txt"
    pinned.write_text(pin)
    options = [
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-build-isolation",
        "--no-binary",
        "langchain",
    ]
    command = [sys.executable, "-m", "pip", "download", *options, "--require-hashes", "--dest", str(BUILD)]
    subprocess.run([*command, "-r", str(pinned)], check=True)


def main(arguments: list[str]) -> int:
    """Runs the tests that the arguments name, else all but those of middleware."""
    folder = suite()
    if arguments == ["--fetch"]:
        return 0
    paths = [os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "WAVEGRAPH_"))}
    chosen = [f"{SUITE}/{each}" if each.startswith("test_") else each for each in arguments]
    if not any(each.startswith("test_") for each in arguments):
        chosen = [SUITE, f"--ignore-glob={SUITE}/middleware*", *chosen]
    options = ["-q", "-c", str(HERE / "pytest.ini"), "--rootdir", str(folder), "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *chosen]
    environment = {**own, "PYTHONPATH": paths[0], "LANGSMITH_TRACING": "false"}
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
