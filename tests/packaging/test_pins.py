"""The lock and what people read: complete, and free of anybody's machine or registry."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from tables import table

ROOT = Path(__file__).parents[2]
RUN, DEV = ((ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-dev.lock"))
READ_BY_PEOPLE = ("requirements.lock", "requirements-dev.lock", "pyproject.toml", "Makefile", ".ci/run", "README.md",
                  "CONTRIBUTING.md", "CHANGELOG.md", "langgraph.json", "langgraph.prod.json",
                  "src/wavegraph/__init__.py")  # fmt: skip
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def to_run() -> list[str]:
    extra = PROJECT["project"]["optional-dependencies"]
    return [
        *PROJECT["project"]["dependencies"],
        *extra["hotel"],
        *extra["roster"],
        *PROJECT["build-system"]["requires"],
    ]


def to_develop() -> list[str]:
    extra, group = PROJECT["project"]["optional-dependencies"], PROJECT["dependency-groups"]
    return [
        *to_run(),
        *extra["fast"],
        *extra["auth"],
        *extra["postgres"],
        *extra["models"],
        *(line for line in group["dev"] if isinstance(line, str)),
    ]


WANTED = [*((line, RUN) for line in to_run()), *((line, DEV) for line in to_develop())]


@table(("line", "lock"), WANTED)
def test_every_dependency_is_pinned_within_its_range(line: str, lock: str) -> None:
    wanted = Requirement(line)
    versions = pins(lock).get(wanted.name, set())
    assert versions, f"{wanted.name} is not pinned: run make lock"
    assert all(wanted.specifier.contains(version) for version in versions)


def test_an_image_built_from_langgraph_json_has_what_both_agents_need() -> None:
    extra = PROJECT["project"]["optional-dependencies"]
    wanted = {".", *extra["hotel"], *extra["roster"]}
    assert set(configuration("langgraph.json")["dependencies"]) == wanted


def test_the_open_server_is_the_local_one_with_access_control() -> None:
    local, opened = configuration("langgraph.json"), configuration("langgraph.prod.json")

    assert opened["dependencies"] == [*local["dependencies"], *PROJECT["project"]["optional-dependencies"]["auth"]]
    assert opened["graphs"] == local["graphs"]
    assert opened["auth"] == {"path": "wavegraph.app.serving.auth:auth", "disable_studio_auth": True}
    for name in ("app", "enable_custom_route_auth"):
        assert opened["http"][name] == local["http"][name]
    assert opened["http"]["cors"]["allow_origins"] == []
    assert opened.keys() - local.keys() == {"auth"}


def configuration(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def test_the_tests_run_on_what_users_run_on() -> None:
    run, dev = pins(RUN), pins(DEV)
    assert {name: dev.get(name) for name in run} == run


@pytest.mark.parametrize("lock", [RUN, DEV], ids=["run", "dev"])
def test_every_pin_has_a_hash_and_the_lock_holds_nothing_else(lock: str) -> None:
    for block in re.split(r"\n(?=\S)", lock.strip()):
        first, *hashes = block.splitlines()
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; .+?)? \\", first), first
        assert hashes, first
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), first


@table("name", READ_BY_PEOPLE)
def test_no_registry_and_no_machine_is_named(name: str) -> None:
    if not (ROOT / name).exists():
        pytest.skip(f"there is no {name}")
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"(?i)(extra-)?index-url|find-links|trusted-host|pypi\.|pythonhosted|/simple\b", text)
    assert not re.search(r"(?<![\w.~/:-])/(home|root|work|opt|mnt|Users|srv)/", text)
