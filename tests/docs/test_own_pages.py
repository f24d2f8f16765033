"""The commands of booking.md, own-hotel.md, own-domain.md, answers.md, evaluation.md, report.md, stopping.md, clients.md and erasing.md run
as printed, by the rules."""

import csv
import json
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from shown import blocks, missing
from typer.testing import CliRunner

from wavegraph.app.main import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(ROOT)
    return tmp_path


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


def test_a_hotel_is_imported_and_asked_and_its_faults_are_told_as_shown(folder: Path) -> None:
    text = page("hotel/own-hotel.md")
    commands, faults, program = (blocks(text, kind)[0] for kind in ("console", "text", "python"))
    assert [status(words) for words in words_of(commands)] == [0, 0]
    exec(program, {})  # noqa: S102

    broken = Path(shutil.copytree("examples/own_hotel", folder / "broken"))
    for line in faults.splitlines():
        file, row, column, value = re.fullmatch(r"(.*), row (\d+), column (\w+): '(.*)', expected .*", line).groups()  # type: ignore[union-attr]
        spoil(broken / file, int(row), column, value)
    done = CliRunner().invoke(app, ["hotel", "import", str(broken)])
    assert (done.exit_code, missing(faults, done.output)) == (2, [])


def spoil(file: Path, number: int, column: str, value: str) -> None:
    """Put a value into a cell of a CSV file; the header is row 1."""
    rows = list(csv.reader(file.read_text(encoding="utf-8-sig").splitlines()))
    rows[number - 1][rows[0].index(column)] = value
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(rows)


def test_the_library_desk_is_shown_as_it_is_and_answers() -> None:
    source = (ROOT / "examples" / "library_desk.py").read_text(encoding="utf-8")
    text = page("start/own-domain.md")
    shown, *_ = blocks(text, "python")

    assert all(part in source for part in re.split(r"\n\n\n(?=class )", shown.strip()))
    assert [status(words) for words in words_of(blocks(text, "console")[0])] == [0]


def test_verdicts_are_collected_reported_and_scored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons are a model's: their part of the page is run by tests/app/report/test_lessons.py."""
    *_, learning = blocks(page("start/answers.md"), "console")
    feedback, report, evaluation, lessons = words_of(learning)
    assert status(["ask", "--thread", "d1", "What rooms do you have?"]) == 0

    assert status(feedback) == 0
    monkeypatch.chdir(folder)
    assert status(report) == 0
    monkeypatch.chdir(ROOT)
    assert status(evaluation) == 0
    assert lessons == ["report", "--propose", "lessons.md"]


def test_the_reports_are_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(["ask", "What rooms do you have?"]) == 0
    monkeypatch.chdir(folder)
    commands = [words for block in blocks(page("running/report.md"), "sh") for words in words_of(block)]
    own = [words for words in commands if not any("://" in word for word in words)]

    assert len(own) == 3
    assert [status(words) for words in own] == [0] * len(own)


def test_threads_are_listed_shown_deleted_and_pruned() -> None:
    stopped, threads = [each for each in blocks(page("running/stopping.md"), "console") if "$ wavegraph" in each]
    asked, resumed = words_of(stopped)
    stay = ["ask", "--thread", "dec", "--today", "2026-11-21", "a room for two adults from 3 to 5 December"]
    assert [status(words) for words in (asked, resumed, stay)] == [0, 2, 0]  # nobody stopped it: nothing is left to do

    told = printed(words_of(threads))
    shown = [line for line in threads.splitlines() if not re.search(r" 2026-\d\d-\d\d ", line)]
    assert missing("\n".join(shown), told) == []


def test_a_verdict_is_kept_with_its_conversation() -> None:
    feedback, show = [
        words
        for block in blocks(page("running/clients.md"), "console")
        for words in words_of(block)
        if "desk-1" in words
    ]
    assert status(["ask", "--thread", "desk-1", "What rooms do you have?"]) == 0

    assert [status(feedback), status(show)] == [0, 0]
    assert "I asked about Saturday" in printed([show])


def test_the_evaluation_prints_what_is_shown() -> None:
    """Up to the seconds of a case."""
    text = page("running/evaluation.md")
    (command,) = words_of(blocks(text, "sh")[0])
    table, failure = blocks(text, "text")
    done = CliRunner().invoke(app, command)
    cases = re.compile(r"^(\w+ +\d+/\d+ +[\d.]+ %) +[\d.]+( .*)$", re.MULTILINE)

    assert done.exit_code == 0
    assert cases.sub(r"\1 … \2", done.stdout) == cases.sub(r"\1 … \2", table)
    assert failure.startswith("✗ month-first dates: ")


def test_a_case_that_fails_is_named_as_shown(folder: Path) -> None:
    _, failure = blocks(page("running/evaluation.md"), "text")
    requests = json.loads((ROOT / "examples" / "requests.json").read_text(encoding="utf-8"))
    requests["cases"] = [{**case, "country": "IL"} for case in requests["cases"] if case["id"] == "month-first"]
    (folder / "israel.json").write_text(json.dumps(requests), encoding="utf-8")
    done = CliRunner().invoke(app, ["eval", str(folder / "israel.json"), "--planner", "rules"])

    assert done.exit_code == 1
    assert failure in done.stdout


def test_a_guest_is_erased() -> None:
    """By the page's commands, after two conversations with a booking each."""
    first, second = (words for block in blocks(page("running/erasing.md"), "console") for words in words_of(block))
    wish = "book a double room for two adults from {} January, Dana Levi, dana@example.com"
    for thread, days in (("desk-1", "10 to 12"), ("desk-2", "17 to 19")):
        assert status(["ask", "--thread", thread, "--today", "2026-11-20", wish.format(days)]) == 0
    assert status(["resume", "desk-1", "--reply", "yes"]) == 0

    assert "desk-1" in printed([[*second, "--dry-run"]])
    assert "searched for it: nothing is left" in printed([second], ["y"])
    assert "nothing is left" in printed([first], ["y"])
