"""Files that are written whole or not at all, whoever else writes the same one."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

FOR_ALL = 0o666
FOR_ITS_OWNER = 0o600


def replace_file(path: Path, text: str, *, mode: int = FOR_ALL) -> None:
    """Put the text (UTF-8) in the place of what the file held: who reads it sees the one or the other.

    `mode`: the file's permissions, less the process's umask. Whatever is raised, OSError for one, leaves the file as it
    was and nothing beside it.
    """
    draft = draft_of(path)
    try:
        with open(draft, "x", encoding="utf-8", newline="", opener=partial(os.open, mode=mode)) as file:
            file.write(text)
        os.replace(draft, path)
    finally:
        with suppress(OSError):  # it is there only where something was raised
            draft.unlink()


def draft_of(path: Path) -> Path:
    """A name beside the file, as hidden and as long as those its text is first written under."""
    return path.with_name(f".{path.name}.{token_hex(4)}.tmp")
