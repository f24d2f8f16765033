"""Ids and words as a shell takes them."""

import shlex
import shutil
import subprocess

import pytest
from graffiti import HOSTILE
from tables import table

from wavegraph.app.plain_text import visible
from wavegraph.app.terminal.shell_words import shell_line, shell_word, shown_id

BASH = shutil.which("bash")
UNSEEN = ["\x1b[31mred", "a\u200db", "\x85'\\\n\t", "\u202e123", "a\U000e0041", "a\u00a0b", "\udc80\udcff", HOSTILE]
SEEN = ["t1", "a b", "שרשור של דנה", "it's", "$HOME `id` \\", ""]


@pytest.mark.parametrize("word", [*SEEN, *UNSEEN, "$'t1'"])
@pytest.mark.skipif(BASH is None, reason="the quotes of bash, zsh and ksh")
def test_a_shell_reads_the_word_back(word: str) -> None:
    done = subprocess.run(
        [str(BASH), "-c", f"printf %s {shell_word(word)}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    assert done.stdout.decode("utf-8", "surrogateescape") == word


@table("name", UNSEEN)
def test_an_id_that_holds_what_is_not_seen_is_shown_as_it_is_typed(name: str) -> None:
    assert shown_id(name) == shell_word(name)
    assert visible(shown_id(name)) == shown_id(name)
    assert shown_id(name).isprintable()


@table("name", SEEN)
def test_any_other_id_is_shown_as_it_is(name: str) -> None:
    assert shown_id(name) == name


def test_no_two_ids_look_the_same() -> None:
    names = ["t", "t\u200d", "t\x1b", "$'t\\x1b'", "t ", "t\u00a0", "t\n"]
    assert len({shown_id(name) for name in names}) == len(names)


def test_a_line_is_read_back_word_by_word() -> None:
    assert shlex.split(shell_line(["wavegraph", "resume", "a b", "--reply", "it's"])) == [
        "wavegraph", "resume", "a b", "--reply", "it's",
    ]  # fmt: skip
