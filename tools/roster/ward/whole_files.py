"""Files that are written whole or not at all, also by several writers at once."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

FOR_ALL = 0o666
FOR_ITS_OWNER = 0o600


def replace_file(path: Path, content: str | bytes, *, mode: int = FOR_ALL) -> None:
    """Replace the file's content by this one, a text as UTF-8: a reader sees either the old content or the new.

    `mode`: the file's permissions, less the process's umask. An exception leaves the old file and nothing beside it; an
    OSError names `path`, also where the disk is full.
    """
    draft = draft_of(path)
    try:
        with open(draft, "xb", opener=partial(os.open, mode=mode)) as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.replace(draft, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):  # it still exists only after an exception
            draft.unlink()


def draft_of(path: Path) -> Path:
    """A hidden name beside the file, as its text is first written under."""
    return path.with_name(f".{path.name}.{token_hex(4)}.tmp")
