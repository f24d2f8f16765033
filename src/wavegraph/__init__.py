"""Wavegraph: tool-using agents that plan in waves, check what came back, and correct themselves."""

import os as _os
import sys as _sys

TYPE_CHECKING = False  # type checkers take it for true, as they take typing's own, which is slow to import
_here = _os.path.dirname(_os.path.realpath(__file__))
if not _os.path.isdir(f"{_here}/graph"):  # a checkout without symbolic links: git with links off, an unpacked zip
    __path__ = [*__path__, _os.path.dirname(_os.path.dirname(_here))]
del _here

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
