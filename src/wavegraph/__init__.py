"""Wavegraph: tool-using agents that plan in waves, check what came back, and correct themselves."""

import sys as _sys
from pathlib import Path as _Path
from typing import TYPE_CHECKING

_here = _Path(__file__).resolve().parent
if not (_here / "graph").is_dir():  # a checkout without symbolic links: git with links off, an unpacked zip
    __path__ = [*__path__, str(_here.parents[1])]
del _Path, _here

if _sys.flags.optimize > 1:
    from wavegraph.app.docstrings import keep_docstrings as _keep_docstrings

    _keep_docstrings()

if TYPE_CHECKING:
    from wavegraph.app.public import *
    from wavegraph.app.public import __all__ as __all__
else:

    def __getattr__(name: str) -> object:
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from wavegraph.app import public

        return getattr(public, name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
