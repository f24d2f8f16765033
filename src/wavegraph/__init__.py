"""Wavegraph: tool-using agents that plan in waves, check what came back, and correct themselves."""

from pathlib import Path as _Path

_here = _Path(__file__).resolve().parent
if not (_here / "graph").is_dir():  # a checkout without symbolic links: git with links off, an unpacked zip
    __path__ = [*__path__, str(_here.parents[1])]
del _Path, _here
