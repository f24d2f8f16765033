"""The lock and what people read: complete, and free of anybody's machine or registry."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
READ_BY_PEOPLE = ("requirements.lock", "pyproject.toml", "Makefile", ".ci/run", "README.md", "CONTRIBUTING.md",
                  "CHANGELOG.md", "src/wavegraph/__init__.py")  # fmt: skip


def pins() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK, re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def wanted() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["draw"],
        *project["dependency-groups"]["dev"],
        *project["build-system"]["requires"],
    ]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_every_dependency_is_pinned_within_its_range(requirement: Requirement) -> None:
    versions = pins().get(requirement.name, set())
    assert versions, f"{requirement.name} is not in requirements.lock: run make lock"
    assert all(requirement.specifier.contains(version) for version in versions)


def test_every_pin_has_a_hash_and_the_lock_holds_nothing_else() -> None:
    for block in re.split(r"\n(?=\S)", LOCK.strip()):
        first, *hashes = block.splitlines()
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; .+?)? \\", first), first
        assert hashes, first
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), first


@pytest.mark.parametrize("name", READ_BY_PEOPLE)
def test_no_registry_and_no_machine_is_named(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"(?i)(extra-)?index-url|find-links|trusted-host|pypi\.|pythonhosted|/simple\b", text)
    assert not re.search(r"(?<![\w.~/:-])/(home|root|work|opt|mnt|Users|srv)/", text)
