"""What `make demo` shows: a few requests to the demo hotel as `wavegraph ask` answers them today, and a roster.

No key, no service: the rules plan, also where a model is set up; the sandbox hotel answers, a demo ward is solved.
"""

import io
import sys
import tempfile
from pathlib import Path

from wavegraph.app.main import app

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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    with tempfile.TemporaryDirectory() as folder:
        for thread, text in REQUESTS:
            print(f'\n$ wavegraph ask --planner rules --thread {thread} "{text}"', flush=True)
            words = ["--planner", "rules", "--thread", thread, "--db", str(Path(folder) / "demo.db"), text]
            app(["ask", *words], standalone_mode=False)
        print("\n$ wavegraph roster generate harbour", flush=True)
        words = ["--time-limit", "15", "--decide", "draft", "--db", str(Path(folder) / "demo.db")]
        app(["roster", "generate", "harbour", *words], standalone_mode=False)
    print(YOUR_TURN, flush=True)


if __name__ == "__main__":
    main()
