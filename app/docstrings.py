"""Keeps the package's docstrings under `python -OO` (PYTHONOPTIMIZE=2): they describe the tools to models, and the commands
to people.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any


class _WithDocstrings(SourceFileLoader):
    def source_to_code(self, data: Any, path: Any, **_: Any) -> CodeType:  # type: ignore[override]
        """As `python -O` does it."""
        code: CodeType = compile(data, path, "exec", dont_inherit=True, optimize=1)
        return code

    def path_stats(self, path: str) -> Any:
        """No bytecode file is read or written: those of `-OO` have no docstrings."""
        raise OSError(path)


class _Finder:
    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("wavegraph."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _WithDocstrings(spec.loader.name, spec.loader.path)
        return spec


def keep_docstrings() -> None:
    sys.meta_path.insert(0, _Finder)
