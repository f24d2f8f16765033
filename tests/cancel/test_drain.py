"""SIGTERM in an embedding process: the super-step ends, the process exits cleanly, the next one resumes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from clerk import HELD
from patience import HANGS_S
from shell import read_until

HERE = Path(__file__).parent
SUPPORT = HERE.parent / "support"


def start(*words: str, **environment: str) -> "subprocess.Popen[str]":
    env = {**os.environ, **environment, "PYTHONPATH": str(SUPPORT), "PYTHONWARNINGS": "error"}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, str(HERE / "drain.py"), *words], env=env, text=True, stdout=pipe, stderr=pipe
    )


def test_the_step_ends_and_a_new_process_goes_on(tmp_path: Path) -> None:
    database = str(tmp_path / "threads.db")
    held = tmp_path / "held"
    held.touch()
    first = start(database, "t", "look:blue nap:0.1", **{HELD: str(held)})
    read_until(first, "'tool_finished', 'id': 'look_1'")
    first.send_signal(signal.SIGTERM)
    held.unlink()
    out, err = first.communicate(timeout=HANGS_S)
    assert (first.returncode, out.partition(":")[0]) == (0, "drained")
    assert "'tool_finished', 'id': 'nap_2'" in err

    second = start(database, "t")
    out, err = second.communicate(timeout=HANGS_S)
    assert (second.returncode, out) == (0, "blue: 3 left\nnapped 0.1\n")
    assert "tool_started" not in err
