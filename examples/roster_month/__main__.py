"""Plays a ward manager's quarter by the real commands, and writes `docs/rosters/a-quarter.md` from what they print.

    python -m examples.roster_month [--pictures] [--folder DIR]

It takes a few minutes. `--pictures` draws them anew (LibreOffice, Poppler, Chromium, Pillow).
"""

import argparse
import tempfile
from pathlib import Path

from examples.roster_month.pictures import draw
from examples.roster_month.play import play, quarter
from examples.roster_month.session import Session

DOCUMENT = Path(__file__).parents[2] / "docs" / "rosters" / "a-quarter.md"
HEAD = """# A ward manager's quarter

Maple Ward has 24 nurses. This is its first quarter with `wavegraph roster`, from an empty workbook: every command, and what
it printed. `python -m examples.roster_month` plays it again and writes this page; [rosters](roster.md) explains the
commands."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", action="store_true", help="draw the pictures anew")
    parser.add_argument("--folder", type=Path, help="an empty folder to play in, and to keep; default: none is kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(given.folder or Path(folder))
        session.say(HEAD)
        quarter(session, play(session))
        DOCUMENT.write_text("\n\n".join(session.parts) + "\n", encoding="utf-8")
        if given.pictures:
            draw(session.folder, DOCUMENT.with_name("pictures"))


if __name__ == "__main__":
    main()
