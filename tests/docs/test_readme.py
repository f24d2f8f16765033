"""The README's programs are run as printed, and print what it says."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, flags=re.DOTALL)


def test_the_embedded_agent_prints_what_the_readme_says(tmp_path: Path) -> None:
    (program,), (printed,) = blocks(section("Embed it"), "python"), blocks(section("Embed it"), "console")
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, encoding="utf-8", check=True)

    assert done.stdout == printed


def test_the_embedded_roster_generator_makes_a_roster(tmp_path: Path) -> None:
    (program,) = blocks(section("The roster generator"), "python")
    in_a_folder = program.replace('Path("roster-data")', repr(tmp_path).replace("PosixPath", "Path"))
    done = subprocess.run(
        [sys.executable, "-c", in_a_folder], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    answer, roster = done.stdout.rstrip().rsplit("\n", 1)

    assert "Willow Ward, 14 days from 2026-11-23" in answer
    assert {len(row) for row in ast.literal_eval(roster).values()} == {14}


def test_the_library_desk_is_shown_as_it_is() -> None:
    source = (ROOT / "examples" / "library_desk.py").read_text(encoding="utf-8")
    (shown,) = blocks(section("Your own domain"), "python")

    assert all(part in source for part in re.split(r"\n\n\n(?=class )", shown.strip()))


def test_every_linked_file_is_there() -> None:
    targets = {target.split("#")[0] for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target}

    assert {target for target in targets if target and not (ROOT / target).exists()} == set()
