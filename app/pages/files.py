"""A page or drawing in a file."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def write_page(path: Path, text: str) -> None:
    """Write the file whole, or leave what was there. Raises OSError, which names it."""
    target = path.resolve()
    if target.exists() and not target.is_file():  # a pipe, a terminal
        target.write_text(text, encoding="utf-8")
        return
    draft = target.with_name(f".{target.name}.{token_hex(4)}.tmp")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):  # it still exists only after an exception
            draft.unlink()
