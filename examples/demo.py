"""What `make demo` shows: a few requests to the demo hotel as `wavegraph ask` answers them today, and a roster.

No key, no service: the rules plan, also where a model is set up; the sandbox hotel answers, a demo ward is solved.
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

WAVEGRAPH = Path(sys.executable).with_name("wavegraph")
REQUESTS = [
    ("rooms", "What rooms do you have?"),
    ("december", "Check availability December 25"),
    ("budget", "Show me rooms under 1000 NIS on January 17-19"),
    ("hebrew", "יש חדר פנוי לחנוכה?"),
    ("hanukkah", "one night in Hanukkah"),
    ("hanukkah", "same but for two adults and two children aged 4 and 9"),
]
"""Thread and text; the last two are one conversation."""
YOUR_TURN = """
Your turn:  .venv/bin/wavegraph chat
            .venv/bin/wavegraph ask "a weekend for two"
            .venv/bin/wavegraph roster generate willow --out rosters"""


def main() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    with tempfile.TemporaryDirectory() as folder:
        database = ["--db", str(Path(folder) / "demo.db")]
        for thread, text in REQUESTS:
            print(f'\n$ wavegraph ask --planner rules --thread {thread} "{text}"', flush=True)
            subprocess.run([WAVEGRAPH, "ask", "--planner", "rules", "--thread", thread, *database, text], check=True)
        brief = ["roster", "generate", "harbour", "--time-limit", "15", "--decide", "draft"]
        print(f"\n$ wavegraph {' '.join(brief)}", flush=True)
        subprocess.run([WAVEGRAPH, *brief, *database], check=True)
    print(YOUR_TURN, flush=True)


if __name__ == "__main__":
    main()
