"""The example of docs/security.md works as a test of a third domain, and finds a leak that is put into it."""

import os
import re
import subprocess
import sys
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(import asyncio.*?)```", TEXT, re.DOTALL)


def outcome_of(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    (folder / "test_post.py").write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "test_post.py"], cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_example_passes(tmp_path: Path) -> None:
    done = outcome_of(EXAMPLE, tmp_path)

    assert "1 passed" in done.stdout, done.stdout


def test_the_example_finds_a_leak(tmp_path: Path) -> None:
    leaking = EXAMPLE.replace("raise ConnectionRefusedError(", "raise ToolRefusal('login', ").replace(
        "from wavegraph import ", "from wavegraph import ToolRefusal, "
    )
    done = outcome_of(leaking, tmp_path)

    assert done.returncode == 1
    assert "POST_PASSWORD in answer.answer" in done.stdout
    assert "POST_PASSWORD in state" in done.stdout
