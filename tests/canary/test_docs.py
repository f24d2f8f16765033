"""The example of docs/start/test-for-leaks.md works as a test of a third domain, and finds a leak that is put into it."""

import os
import re
import subprocess
import sys
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "start" / "test-for-leaks.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(import asyncio.*?)```", TEXT, re.DOTALL)


def test_the_example_passes_and_finds_a_leak(tmp_path: Path) -> None:
    # Read backwards, a password is none that the scrubber knows.
    told = """ConnectionRefusedError(f"no login with {os.environ['POST_PASSWORD']}")"""
    leaking = EXAMPLE.replace(told, "ToolRefusal('login', os.environ['POST_PASSWORD'][::-1])").replace(
        "from wavegraph import ", "from wavegraph import ToolRefusal, "
    )
    assert leaking.count("ToolRefusal") == 2
    (tmp_path / "test_post.py").write_text(EXAMPLE, encoding="utf-8")
    (tmp_path / "test_leaking_post.py").write_text(leaking, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--tb=short"], cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert re.search(r"^test_leaking_post.py::\w+ FAILED", done.stdout, re.MULTILINE)
    assert "POST_PASSWORD in answer.answer" in done.stdout
    assert "POST_PASSWORD in state" in done.stdout
