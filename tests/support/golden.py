"""Texts that are kept whole, so that a change of theirs shows in review. WAVEGRAPH_UPDATE_GOLDEN=1 writes them anew."""

import os
from pathlib import Path

SWITCH = "WAVEGRAPH_UPDATE_GOLDEN"


def hold(file: Path, text: str) -> None:
    """Compare the text with the one that is kept in the file."""
    if os.environ.get(SWITCH) == "1":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, f"{file.name} changed; {SWITCH}=1 writes it anew"
