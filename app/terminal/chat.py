"""`wavegraph chat`: a conversation at the prompt, kept under its thread."""

import asyncio
import contextlib
import select
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from rich.text import Text

from wavegraph.app.plain_text import plain, visible
from wavegraph.app.run.runner import NothingToResume
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.shell_words import shown_id
from wavegraph.graph.errors import ThreadBusy, error_text
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.state import MOST_MESSAGE_CHARS

with contextlib.suppress(ImportError):  # line editing and the arrow keys, where the platform has them
    import readline
with contextlib.suppress(ImportError):
    import termios

HELP = """\
/new     start a new conversation
/resume  continue the request that was stopped
/help    show this
/quit    end the chat (so do exit, quit, :q, יציאה and Ctrl-D)
Ctrl-C   stop the request that is running
Anything else is a request."""
ENDS = frozenset({"/quit", "/exit", "exit", "quit", ":q", "יציאה"})
"""What ends the chat: no request is one of these words alone."""
SHOWN_MESSAGES = 6
"""Messages of an earlier conversation printed when it is continued."""

RunRequest = Callable[[str, str], Coroutine[Any, Any, None]]
"""`(text, thread_id)`: answers one request and prints the answer, or what is known if it is stopped."""
ResumeRequest = Callable[[str], Coroutine[Any, Any, None]]
"""`(thread_id)`: resumes the request that was stopped."""


class Chat:
    """Reads requests until the end of input. Each runs to its end, or to Ctrl-C, on one event loop."""

    def __init__(
        self, runner: asyncio.Runner, answer: RunRequest, go_on: ResumeRequest, *, thread_id: str,
        new_thread_id: Callable[[], str], console: Console,
    ) -> None:  # fmt: skip
        self.thread_id = thread_id
        self._runner = runner
        self._answer = answer
        self._go_on = go_on
        self._new_thread_id = new_thread_id
        self._console = console
        self._prompt = "you> " if sys.stdin.isatty() else ""

    def greet(self, earlier: Sequence[AnyMessage], question: str = "") -> None:
        """Print the thread id, the last messages, and the `question` the thread waits on."""
        self._say(f"thread {shown_id(self.thread_id)} · /help shows the commands, exit or Ctrl-D ends")
        for message in earlier[-SHOWN_MESSAGES:]:
            who = "you" if isinstance(message, HumanMessage) else "   "
            self._say(f"{who}> {visible(message.text)}".replace("\n", "\n     "))
        if question:
            self._say(f"it waits for an answer:\n{question}")
        if self._prompt and "readline" in globals():
            for message in earlier:
                if isinstance(message, HumanMessage) and message.text:
                    readline.add_history(plain(message.text))

    def loop(self) -> None:
        while (line := self._read()) is not None:
            if _is_end(line):
                return
            match line.strip():
                case "":
                    continue
                case "/help":
                    self._say(HELP)
                case "/new":
                    self.thread_id = self._new_thread_id()
                    self._say(f"a new conversation: thread {self.thread_id}")
                case "/resume":
                    self._run(self._go_on(self.thread_id))
                case command if command.startswith("/"):
                    self._say(f"unknown command {command!r}; /help shows them")
                case text:
                    self._run(self._answer(text, self.thread_id))

    def _read(self) -> str | None:
        """The next line; None at the end of input."""
        while True:
            try:
                return self._masked(input(self._prompt))
            except EOFError:
                if self._prompt:
                    self._say("")  # the prompt's line is still open
                return None
            except KeyboardInterrupt:
                self._say("\n(nothing is running; exit ends)")

    def _masked(self, line: str) -> str:
        """The line without card numbers, also in the history of the arrow keys; one that is too long to be read stays as it
        is, and is not kept there."""
        is_read = len(line) <= MOST_MESSAGE_CHARS
        masked = mask(line) if is_read else line
        in_history = self._prompt and "readline" in globals() and readline.get_current_history_length()
        if in_history and not is_read:
            readline.remove_history_item(in_history - 1)
        elif in_history and masked != line:
            readline.replace_history_item(in_history - 1, masked)
        return masked

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            self._runner.run(work)
        except (NothingToResume, ThreadBusy) as error:
            self._say(error_text(error))
        except KeyboardInterrupt:  # before the request started, or after it ended
            self._say("stopped")

    def _say(self, text: str) -> None:
        self._console.print(Text(text, style="dim"), soft_wrap=True)


def drop_typed_ahead(console: Console) -> None:
    """Forget what was typed before the question that stands on the screen now: it cannot be an answer to it."""
    if not sys.stdin.isatty() or "termios" not in globals():
        return
    was_typed = bool(select.select([sys.stdin], [], [], 0)[0])
    termios.tcflush(sys.stdin, termios.TCIFLUSH)
    if was_typed:
        text = "(what was typed before this question is not read; please type it again)"
        console.print(Text(text, style="dim"), soft_wrap=True)


def _is_end(line: str) -> bool:
    return plain(line).rstrip(".!").casefold() in ENDS
