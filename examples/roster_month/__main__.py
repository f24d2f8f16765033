"""Plays a ward manager's quarter by the real commands, and writes `docs/rosters/a-quarter.md` and the page after it from what they
print.

    python -m examples.roster_month [--pictures] [--folder DIR]

It takes a few minutes. `--pictures` draws them anew (LibreOffice, Poppler, Chromium, Pillow).
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from examples.roster_month.pictures import draw
from examples.roster_month.play import play, quarter
from examples.roster_month.session import Session

ROSTERS = Path(__file__).parents[2] / "docs" / "rosters"
DOCUMENT, CONTINUED = ROSTERS / "a-quarter.md", ROSTERS / "a-quarter-continued.md"
HEAD = """# A ward manager's quarter

For whoever wants to see the commands at work: Maple Ward has 24 nurses, and this is its first quarter with
`wavegraph roster`, from an empty workbook. Every command is here, with what it printed. [Make a roster](generate.md)
explains them. `python -m examples.roster_month` plays it again, and writes this page and
[the next one](a-quarter-continued.md)."""
HEAD_CONTINUED = """# A ward manager's quarter, continued

For whoever has read [its beginning](a-quarter.md): two nurses swap, the roster is handed out, and January and February
follow."""
FIRST_OF_CONTINUED = "## Two nurses swap"


def write_pages(parts: Sequence[str]) -> None:
    at = parts.index(FIRST_OF_CONTINUED)
    for page, shown in ((DOCUMENT, [HEAD, *parts[:at]]), (CONTINUED, [HEAD_CONTINUED, *parts[at:]])):
        page.write_text("\n\n".join(shown) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", action="store_true", help="draw the pictures anew")
    parser.add_argument("--folder", type=Path, help="an empty folder to play in, and to keep; default: none is kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(given.folder or Path(folder))
        quarter(session, play(session))
        write_pages(session.parts)
        if given.pictures:
            draw(session.folder, ROSTERS.with_name("pictures"))


if __name__ == "__main__":
    main()
