"""What the documents and examples use of the package is what its public modules offer, no more and no less."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tables import table

import wavegraph
from wavegraph.app.agents import GROUP

ROOT = Path(__file__).parents[2]
PUBLIC = (
    "wavegraph",
    "wavegraph.testing",
    "wavegraph.graph.hotel",
    "wavegraph.graph.roster",
    "wavegraph.graph.mcp",
    "wavegraph.app.server",
    "wavegraph.app.agents",
)
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def programs() -> Iterator[tuple[str, str]]:
    """Where from, and source."""
    for path in EXAMPLES:
        yield path.name, text_of(path)
    for path in PAGES:
        for block in re.findall(r"```python\n(.*?)```", text_of(path), flags=re.DOTALL):
            yield path.name, block


def imported() -> Iterator[tuple[str, str, str]]:
    """Where from, module and name of each import from the package."""
    for place, source in programs():
        tree = compile(source, place, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "wavegraph":
                yield from ((place, str(node.module), alias.name) for alias in node.names)


def dotted() -> Iterator[tuple[str, str, str]]:
    """Where from, module and name of each `wavegraph.x.y` in a text; the name is empty where a module itself is meant."""
    for path in [*PAGES, *EXAMPLES, ROOT / "CHANGELOG.md"]:
        for mention in re.findall(r"\bwavegraph(?:\.[a-zA-Z]\w*)+", text_of(path)):
            if mention == GROUP:
                continue
            module = max((name for name in PUBLIC if f"{mention}.".startswith(f"{name}.")), key=len)
            yield path.name, module, mention.removeprefix(module).strip(".").partition(".")[0]


def offered(module: str) -> list[str]:
    return list(importlib.import_module(module).__all__)


USED = sorted({*imported(), *(use for use in dotted() if use[2])})


@table(("place", "module", "name"), USED)
def test_what_is_used_is_public(place: str, module: str, name: str) -> None:
    assert module in PUBLIC
    assert name in offered(module)


def test_what_the_package_offers_is_shown_somewhere() -> None:
    shown = "\n".join([*map(text_of, EXAMPLES), *("\n".join(code_of(path)) for path in PAGES)])

    assert [name for name in wavegraph.__all__ if not re.search(rf"\b{name}\b", shown)] == []


def code_of(path: Path) -> list[str]:
    """What a page sets as code: its blocks, and the spans between two backticks."""
    blocks = r"```.*?```"
    return [
        *re.findall(blocks, text_of(path), re.DOTALL),
        *re.findall(r"`[^`]+`", re.sub(blocks, "", text_of(path), flags=re.DOTALL)),
    ]


@table("module", PUBLIC)
def test_every_public_name_is_there(module: str) -> None:
    found: ModuleType = importlib.import_module(module)

    assert found.__all__ == sorted(set(found.__all__))
    assert [name for name in found.__all__ if not hasattr(found, name)] == []


@pytest.mark.parametrize("page", ["docs/start/in-a-program.md", "CONTRIBUTING.md"])
def test_the_public_modules_are_named(page: str) -> None:
    assert [module for module in PUBLIC if f"`{module}`" not in text_of(ROOT / page)] == []


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'open_store'"):
        wavegraph.open_store  # type: ignore[attr-defined]  # noqa: B018


def test_the_clients_of_databases_come_when_a_storage_is_opened() -> None:
    code = "import sys, wavegraph; wavegraph.open_storage; print('aiosqlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)

    assert done.stdout.split() == ["False"]
