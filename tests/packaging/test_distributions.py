"""What is built is what is written: wheel and sdist hold the five folders, and work away from the checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("distributions")  # one worker builds them for all

ROOT = Path(__file__).parents[2]
FOLDERS = ("app", "graph", "nodes", "prompts", "tools")


def run(*words: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(source: Path, target: str, out: Path) -> Path:
    """Build with the pinned backend of this environment: no isolation, so no network."""
    run("-m", "hatchling", "build", "--target", target, "--directory", str(out), cwd=source)
    [built] = out.iterdir()
    return built


def module_files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.startswith("wavegraph-0")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel alone; put first on the path, it goes before the editable install."""
    target = tmp_path_factory.mktemp("installed")
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
        "--target", str(target), str(wheel), cwd=target)  # fmt: skip
    return target


def test_the_wheel_holds_the_files_of_the_five_folders_and_nothing_else(wheel: Path) -> None:
    folders = [*(ROOT / name for name in FOLDERS), ROOT / "src" / "wavegraph" / "testing"]
    written = {
        f"wavegraph/{path.relative_to(folder.parent).as_posix()}"
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert module_files(wheel) == written | {"wavegraph/__init__.py", "wavegraph/py.typed"}


def test_every_link_leads_to_its_folder_and_none_is_missing() -> None:
    package = ROOT / "src" / "wavegraph"
    own = ("__pycache__", "testing")
    links = {path.name: path.resolve() for path in package.iterdir() if path.is_dir() and path.name not in own}
    assert links == {folder: ROOT / folder for folder in FOLDERS}
    assert all((package / folder).is_symlink() for folder in FOLDERS)
    assert all(not (package / folder).readlink().is_absolute() for folder in FOLDERS)


def test_a_wheel_from_the_sdist_is_the_same(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        assert not [member.name for member in archive if member.issym() or member.islnk()]
    run("-m", "tarfile", "--extract", str(sdist), str(tmp_path / "unpacked"), cwd=tmp_path)
    [source] = (tmp_path / "unpacked").iterdir()
    again = build(source, "wheel", tmp_path / "again")
    assert module_files(again) == module_files(wheel)


def test_the_installed_package_works_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    script = f"""
import importlib.resources, pathlib, wavegraph
from wavegraph.graph.hotel import graph
assert pathlib.Path(wavegraph.__file__).is_relative_to({str(installed)!r}), wavegraph.__file__
for package, suffix in (("wavegraph.prompts", ".md"), ("wavegraph.tools.hotel", ".sql")):
    files = [f for f in importlib.resources.files(package).rglob("*") if f.suffix == suffix]
    assert files and all(f.read_text(encoding="utf-8").strip() for f in files), (package, suffix)
print(sorted(graph.get_graph().nodes))
"""
    nodes = run("-c", script, cwd=tmp_path, PYTHONPATH=str(installed))
    assert "execute_wave" in nodes


def test_the_installed_command_runs_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    command = str(installed / "bin" / "wavegraph")
    assert run(command, "--version", cwd=tmp_path, PYTHONPATH=str(installed)) == "wavegraph 0.1.0\n"


def test_the_installed_package_brings_its_agents(installed: Path, tmp_path: Path) -> None:
    """By its entry points: nothing else names them."""
    environment = {"PYTHONPATH": str(installed), "XDG_DATA_HOME": str(tmp_path)}
    command = str(installed / "bin" / "wavegraph")
    assert "the demo hotel" in run(command, "hotel", "list", cwd=tmp_path, **environment)
    assert "willow" in run(command, "roster", "wards", cwd=tmp_path, **environment)
