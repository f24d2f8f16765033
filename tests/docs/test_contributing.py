"""The guide's tree is the tree, and the files and contracts it names are there."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGE = ("app", "graph", "nodes", "prompts", "tools")


def section(title: str) -> str:
    return GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def named_folders() -> list[str]:
    """The tree's folders; two blanks more are one level deeper."""
    (tree,) = re.findall(r"```text\n(.*?)```", section("Where things are"), flags=re.DOTALL)
    above: list[str] = []
    folders = []
    for blanks, folder in re.findall(r"^( *)(\S+)/ ", tree, flags=re.MULTILINE):
        above = [*above[: len(blanks) // 2], folder]
        folders.append("/".join(above))
    return folders


def test_every_folder_of_code_is_named_once_and_each_named_one_is_there() -> None:
    code = {path.parent for folder in PACKAGE for path in (ROOT / folder).rglob("*.py")}
    beside = ["deploy", "tests", "src/wavegraph", "src/wavegraph/testing"]

    assert sorted(named_folders()) == sorted([*(path.relative_to(ROOT).as_posix() for path in code), *beside])


def test_every_named_file_is_there() -> None:
    own = re.findall(r"`((?:app|graph|nodes|prompts|tools|tests|benchmarks|examples)/[\w./]+)`", GUIDE)

    assert own
    assert [name for name in own if not (ROOT / name).exists()] == []


def test_each_contract_is_told_by_its_name() -> None:
    linted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    told = re.findall(r"^- \*\*(.+?)\*\*", section("What `make lint` holds"), flags=re.MULTILINE)

    assert told == [contract["name"] for contract in linted["contracts"]]
