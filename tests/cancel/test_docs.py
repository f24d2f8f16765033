"""The example of docs/running/stopping.md runs as printed."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "running" / "stopping.md").read_text(encoding="utf-8")


def test_the_program_prints_what_the_page_says(tmp_path: Path) -> None:
    code, printed = re.findall(r"```python\n(.*?)```\n\n```console\n\$ python stop.py\n(.*?)```", TEXT, re.DOTALL)[0]
    (tmp_path / "stop.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "stop.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == (printed, "", 0)


def test_the_drain_is_the_one_that_is_tested() -> None:
    tested = (Path(__file__).parent / "drain.py").read_text(encoding="utf-8")
    for line in ("control = RunControl()", "add_signal_handler(signal.SIGTERM, control.request_drain)", "GraphDrained"):
        assert line in TEXT
        assert line in tested
