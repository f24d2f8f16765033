"""`wavegraph new` writes a project that passes its own tests, and is an agent once it is installed."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from shown import blocks
from typer.testing import CliRunner, Result

sys.path.insert(0, str(Path(__file__).parents[2] / "support_llm"))

from endpoint import Serving, answers, plans
from plans import call, plan

from wavegraph.app.agents import installed
from wavegraph.app.main import app


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder := tmp_path / "here").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def written(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    away = {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "WAVEGRAPH_ANSWER_CHECK": "on",
    }  # its tests ask no model of the developer's
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, env={**os.environ, **away}, capture_output=True, text=True, check=False
    )  # fmt: skip


def test_a_new_project_passes_its_own_tests_and_is_found_when_installed(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("new", "camp_desk")
    project = here / "camp_desk"

    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "cd camp_desk")
    tested = python(project, "pytest", "-q", "-W", "error", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    built = python(project, "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    assert built.returncode == 0, built.stderr
    [wheel] = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site := tmp_path / "site")
    shutil.rmtree(project)
    monkeypatch.syspath_prepend(site)
    installed.cache_clear()
    try:
        asked = run("ask", "--domain", "camp_desk", "--thread", "1", "Reserve a tent for Ada")
        agreed = run("resume", "1", "--domain", "camp_desk", "--reply", "yes")
    finally:
        installed.cache_clear()
        forget("camp_desk")
    assert asked.stdout.startswith("Reserve for Ada: tent\n")
    assert "tent: one is reserved for Ada" in agreed.stdout


@pytest.mark.parametrize("name", ["desk", "the_desk_that_lends_camping_things_to_members"])
def test_a_new_project_is_as_its_own_linter_wants_it(here: Path, name: str) -> None:
    run("new", name)

    about = tomllib.loads((here / name / "pyproject.toml").read_text())
    assert about["tool"]["ruff"]["line-length"] == 120
    for words in (["check"], ["format", "--check"]):
        linted = python(here / name, "ruff", *words, ".")
        assert linted.returncode == 0, linted.stdout


def test_a_new_project_asks_by_a_template(here: Path) -> None:
    run("new", "desk")
    assert 'approve="Reserve for {person}: {name}"' in (here / "desk/desk/tools.py").read_text()


def forget(package: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]


def test_what_is_written(here: Path) -> None:
    run("new", "desk")

    assert written(here / "desk") == [
        ".gitignore", "README.md", "desk/__init__.py", "desk/agent.py", "desk/entry.py", "desk/tools.py",
        "langgraph.json", "pyproject.toml", "tests/test_agent.py",
    ]  # fmt: skip
    assert json.loads((here / "desk/langgraph.json").read_text())["graphs"] == {"desk": "desk.agent:graph"}
    about = tomllib.loads((here / "desk/pyproject.toml").read_text())
    assert about["project"]["entry-points"]["wavegraph.domains"] == {"desk": "desk.entry:entry"}
    assert [path for path in written(here) if "$" in (here / path).read_text()] == []


def test_what_is_printed_begins_as_its_readme_does(here: Path) -> None:
    _, *printed = run("new", "desk").stdout.splitlines()
    (commands,) = blocks((here / "desk" / "README.md").read_text(encoding="utf-8"), "sh")

    assert printed[:-1] == commands.splitlines()[:2] == ["pip install -e '.[dev]'", "python -m pytest"]


def test_from_its_folder_it_answers_without_being_installed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, line = run("new", "desk").stdout.splitlines()
    monkeypatch.chdir(here / "desk")
    monkeypatch.syspath_prepend("")
    try:
        asked = run("ask", "--domain", "desk.agent:graph", "Is a tent left?")
    finally:
        forget("desk")
    assert line == 'wavegraph ask --domain desk.agent:graph "Is a tent left?"'
    assert asked.stdout == "tent: 3 left\n"


def test_as_its_readme_says_it_becomes_an_agent_that_always_has_a_model(
    here: Path, bare_environment: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("new", "desk")
    monkeypatch.chdir(here / "desk")
    monkeypatch.syspath_prepend("")
    (instead,) = blocks(Path("README.md").read_text(encoding="utf-8"), "python")
    program = (file := Path("desk/agent.py")).read_text(encoding="utf-8")
    line = 'graph = build_graph(domain).compile(name="desk")\n'
    assert program.count(line) == 1
    file.write_text(program.replace(line, f"\n\n{instead}"), encoding="utf-8")
    try:
        with Serving() as endpoint:
            monkeypatch.setenv("OPENAI_API_KEY", "k")
            monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
            wanted = call("reserve", "reserve_item", name="rope", person="Ada")
            endpoint.plays(plans(plan(wanted)), answers("A rope is reserved for Ada."))
            asked = run("ask", "--domain", "desk.agent:graph", "--thread", "1", "a rope for Ada")
            agreed = run("resume", "1", "--domain", "desk.agent:graph", "--reply", "yes")
    finally:
        forget("desk")
    assert (asked.stdout.splitlines()[0], agreed.stdout) == ("Reserve for Ada: rope", "A rope is reserved for Ada.\n")


@dataclass(frozen=True)
class Refused:
    id: str
    name: str
    says: str


REFUSED = [
    Refused("a hyphen", "my-desk", "cannot be the name of a Python package: letters of English, digits and _ between them; try 'my_desk'"),
    Refused("a blank", "My desk", "try 'my_desk'"),
    Refused("a path", "work/desk", "try 'work_desk'"),
    Refused("a way up", "../desk", "try 'desk'"),
    Refused("a digit first", "2desk", "try 'agent_2desk'"),
    Refused("a keyword", "class", "try 'class_agent'"),
    Refused("an underscore first", "_desk", "try 'desk'"),
    Refused("an underscore last", "desk_", "try 'desk'"),
    Refused("another alphabet", "שולחן", "try 'agent'"),
    Refused("a letter of none", "büro", "try 'b_ro'"),
    Refused("nothing", "", "try 'agent'"),
    Refused("dots", "..", "try 'agent'"),
    Refused("a command", "ask", "'ask' is a command of wavegraph; try 'ask_agent'"),
    Refused("this command", "new", "'new' is a command of wavegraph; try 'new_agent'"),
    Refused("an agent", "hotel", "'hotel' is an agent that is installed; try 'hotel_agent'"),
    Refused("Python's own", "json", "'json' is the name of another Python module; try 'json_agent'"),
    Refused("an installed package", "langgraph", "'langgraph' is the name of another Python module"),
    Refused("the engine", "wavegraph", "try 'wavegraph_agent'"),
    Refused("a folder of the project", "tests", "'tests' is the name of another Python module; try 'tests_agent'"),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_a_name_that_cannot_be_is_refused_with_one_that_can(case: Refused, here: Path) -> None:
    done = run("new", "--", case.name)

    assert (done.exit_code, done.stdout, written(here.parent)) == (2, "", [])
    assert case.says in " ".join(done.stderr.split())


def a_folder(path: Path) -> None:
    path.mkdir()


def a_file(path: Path) -> None:
    path.touch()


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("gone")


@pytest.mark.parametrize("made", [a_folder, a_file, a_link_to_nothing], ids=lambda made: made.__name__)
def test_what_is_there_is_left_alone(made: Callable[[Path], None], here: Path) -> None:
    made(here / "desk")
    done = run("new", "desk")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "'desk' is there already; choose another name, or remove it or go to another folder" in done.stderr
    assert not (here / "desk" / "README.md").exists()


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left(here: Path) -> None:
    done = run("new", "d" * 300)

    assert (done.exit_code, done.stdout, list(here.iterdir())) == (2, "", [])
    assert "File name too long" in done.stderr


def test_what_breaks_off_leaves_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, texts = Path.write_text, []

    def full(path: Path, text: str, **more: str) -> int:
        texts.append(text)
        if len(texts) > 3:
            raise OSError(28, "No space left on device", str(path))
        return whole(path, text, **more)

    monkeypatch.setattr(Path, "write_text", full)
    done = run("new", "desk")

    assert (done.exit_code, list(here.iterdir())) == (2, [])
    assert "No space left on device; make room on its disk" in done.stderr
