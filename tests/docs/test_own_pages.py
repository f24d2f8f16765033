"""The commands of booking.md, own-domain.md, answers.md, report.md and stopping.md run as printed, by the rules."""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from shown import blocks, missing
from typer.testing import CliRunner

from wavegraph.app.main import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(ROOT)
    yield tmp_path


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def words_of(block: str) -> list[list[str]]:
    return [shlex.split(line, comments=True) for line in re.findall(r"^(?:\$ )?wavegraph (.*)$", block, re.MULTILINE)]


def printed(commands: Sequence[Sequence[str]], typed: Sequence[str] = ()) -> str:
    """What they print, one after the other, with these lines typed into each."""
    return "".join(CliRunner().invoke(app, [*words], input="\n".join([*typed, ""])).output for words in commands)


def status(words: Sequence[str], typed: str = "") -> int:
    return CliRunner().invoke(app, [*words], input=typed).exit_code


def test_the_bookings_print_what_is_shown() -> None:
    _, _, chat, staff = blocks(page("hotel/booking.md"), "console")

    assert missing(chat, printed(words_of(chat), re.findall(r"^you> (.*)$", chat, re.MULTILINE))) == []
    assert missing(staff, printed(words_of(staff))) == []


def test_the_requests_are_answered() -> None:
    first, second, *_ = blocks(page("hotel/booking.md"), "console")
    commands = [[word for word in words if word not in ("<", "request.txt")] for words in words_of(first)]

    assert commands[-2:] == [["ask", "-"], ["chat"]]
    assert [status(words, "What rooms do you have?\n") for words in commands] == [0, 0, 0, 0]
    assert [status(words) for words in words_of(second)] == [0, 0]


def test_the_library_desk_is_shown_as_it_is_and_answers() -> None:
    source = (ROOT / "examples" / "library_desk.py").read_text(encoding="utf-8")
    text = page("start/own-domain.md")
    (shown,) = blocks(text, "python")

    assert all(part in source for part in re.split(r"\n\n\n(?=class )", shown.strip()))
    assert [status(words) for words in words_of(blocks(text, "console")[0])] == [0]


def test_verdicts_are_collected_reported_and_scored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons are a model's: their page is run by tests/app/lessons/test_page.py."""
    *_, learning = blocks(page("start/answers.md"), "console")
    feedback, report, evaluation, lessons = words_of(learning)
    assert status(["ask", "--thread", "d1", "What rooms do you have?"]) == 0

    assert status(feedback) == 0
    monkeypatch.chdir(folder)
    assert status(report) == 0
    assert (folder / "report.html").exists()
    monkeypatch.chdir(ROOT)
    assert status(evaluation) == 0
    assert lessons == ["lessons", "propose"]


def test_the_reports_are_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(["ask", "What rooms do you have?"]) == 0
    monkeypatch.chdir(folder)
    commands = [words for block in blocks(page("running/report.md"), "sh") for words in words_of(block)]
    own = [words for words in commands if not any("://" in word for word in words)]

    assert len(own) >= 4
    assert [status(words) for words in own] == [0] * len(own)
