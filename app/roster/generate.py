"""`wavegraph roster generate`: solve one ward, show progress, ask for a decision, write the files."""

import asyncio
import json
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text

from wavegraph.app.plain_text import plain, plain_lines
from wavegraph.app.roster.ctrl_c import best_on_ctrl_c
from wavegraph.app.roster.files import RosterFiles
from wavegraph.app.roster.given_rosters import kept_roster, to_follow, to_repair
from wavegraph.app.roster.grid import grid_lines, terminal_width
from wavegraph.app.roster.live import RosterView
from wavegraph.app.roster.named import is_version, named
from wavegraph.app.roster.page.words import amount
from wavegraph.app.roster.presented import PresentedRoster, presented_roster, request_rounds
from wavegraph.app.roster.show import kept, lines, record
from wavegraph.app.roster.unsaved import LenientStore
from wavegraph.app.run.questions import question_text
from wavegraph.app.run.result import Result, result_record
from wavegraph.app.run.runner import resume, run
from wavegraph.app.terminal import show
from wavegraph.app.terminal.chat import drop_typed_ahead
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.options import Options
from wavegraph.app.terminal.session import Session, session_on
from wavegraph.app.terminal.shell_words import shell_line
from wavegraph.graph.approval import MOST_ASKED, Answer, Question
from wavegraph.graph.build import build_graph, whole_state
from wavegraph.graph.dialogue.answers import Refused, Taken, Unclear, possible_answers, read_reply
from wavegraph.graph.errors import StorageError
from wavegraph.tools.postgres.databases import without_password
from wavegraph.tools.roster.answers.phrases import english_record, in_english, in_words
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.doubts import doubts
from wavegraph.tools.roster.ward.file import ward_record
from wavegraph.tools.roster.ward.ward import CHANGE_WEIGHT, Ward
from wavegraph.tools.roster.wards import Wards

ASKS_EVERY_S = 0.1
"""How often a request to stop is repeated: a solve ignores requests from before it began."""
HOW = "yes, no and why, or draft > "
ANSWERS: Mapping[str, Answer] = {
    "approve": {"decision": "approve"},
    "draft": {"decision": "approve", "choice": "draft"},
    "reject": {"decision": "reject", "reason": "rejected at the command line"},
}
"""The answers of `--decide`."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """The options of the command."""

    ward: str
    """The name of a known ward, or a ward file."""
    start: date | None
    days: int | None
    settings: Mapping[str, Any]
    """Settings of the run by name; None = not given."""
    repair: str | None
    """The published roster to keep to, by file, id or version."""
    change_weight: int | None
    """Cost of each change; None = the setting's default."""
    freeze_until: date | None
    """The last day whose cells stay as they are published; None = none."""
    after: str | None
    """The roster that it follows, by file, id or version; None = the published ones."""
    out: Path | None
    decide: str | None
    """One of `ANSWERS`; None = ask at the terminal."""
    thread_id: str
    database: str | None
    as_json: bool


@dataclass(frozen=True, kw_only=True)
class OrderOutcome:
    """The outcome of an order; `report` is what is printed."""

    report: show.ResultRecord
    presented: PresentedRoster | None
    unsaved: Mapping[str, str]
    """Why a file of the store could not be written, by its name."""


def generate(order: Order, console: Console) -> OrderOutcome:
    """Make the roster, print the answer, write the files.

    Raises ToolRefusal for a ward that is not known or cannot be read, and a roster that cannot be kept to; RosterError for
    the file of one; SettingsError for settings that are refused and a folder that cannot be written to: all before
    anything is solved.
    """
    name, given = named(order.ward)
    wards = Wards(store := LenientStore(database=order.database), given)
    after = None
    if order.after is not None:
        after, begins = to_follow(order.after, wards, name, order.database, today=date.today())
        order = order if order.start or order.repair else replace(order, start=begins)
    ward, repair = _ward(order, wards, name)
    for doubt in in_english(doubts(ward)):
        console.print(Text(plain(f"? {doubt}")), soft_wrap=True)
    files = RosterFiles(order.out, name, ward.start) if order.out else None
    if files:
        files.check()
    options = Options(
        domain="roster", database=order.database, settings={**_settings(order, name, ward, repair), "after": after}, as_json=order.as_json,
        debug=False,
    )  # fmt: skip
    graph = build_graph(roster_domain(wards=wards))
    with (
        _printing_last(store, order),
        asyncio.Runner() as runner,
        session_on(runner, options, console, graph) as session,
    ):
        work = _Request(runner=runner, session=session, store=store, order=order, ward=ward)
        result = work.decide(work.begin(name))
        state = runner.run(work.state())
    presented = presented_roster(state, result, store)
    report = _report(result, presented, ward, store, request_rounds(state, result, store))
    outcome = OrderOutcome(report=report, presented=presented, unsaved=store.unsaved)
    try:
        _print(outcome, order, options, console)
    finally:  # also where stdout takes nothing
        if files:
            console.print(Text(_written(files, outcome)), soft_wrap=True)
    for file, reason in store.unsaved.items():
        console.print(Text(f"wavegraph: the roster is not kept: cannot write {file}: {reason}"), soft_wrap=True)
    return outcome


@contextmanager
def _printing_last(store: LenientStore, order: Order) -> Iterator[None]:
    """Print the last roster that was solved, if the conversation's database fails under it."""
    try:
        yield
    except (OSError, sqlite3.Error, StorageError):
        if store.last_roster is not None:
            found = kept(store.last_roster, store)
            if order.as_json:
                print_json(record(found))
            else:
                print_text("\n".join(lines(found, terminal_width())))
        raise


def _ward(order: Order, wards: Wards, name: str) -> tuple[Ward, str | None]:
    """The ward, and the id of the roster to keep to."""
    today = date.today()
    if order.repair is None:
        return wards.look(name, order.start, order.days, today=today), None
    published = order.repair
    if is_version(published):
        _, published = asyncio.run(kept_roster(published, wards, name, order.database, today))
    weight = CHANGE_WEIGHT if order.change_weight is None else order.change_weight
    return to_repair(
        published, weight, wards, name, start=order.start, days=order.days, today=today,
        freeze_until=order.freeze_until,
    )  # fmt: skip


def _written(files: RosterFiles, outcome: OrderOutcome) -> str:
    if outcome.presented is None:
        return f"there is no roster, so nothing was written to {files.folder}"
    presented = outcome.presented
    about = _about(outcome.report, presented)
    written = files.write(presented.ward, presented.roster, presented.page, about, presented.report)
    return f"wrote {', '.join(map(str, written))}"


def _settings(order: Order, name: str, ward: Ward, repair: str | None) -> dict[str, Any]:
    """Settings of a run without a model, from the options alone. `repair`: id of a roster to keep to."""
    period = {"ward": name, "start": ward.start.isoformat(), "days": ward.days, "ordered": True}
    frozen = order.freeze_until.isoformat() if order.freeze_until else None
    kept = {"repair": repair, "change_weight": order.change_weight, "freeze_until": frozen}
    return {"planner": "rules", "answer_check": "rules", **period, **kept, **order.settings}


@dataclass
class _Request:
    """One request on one thread, from its first step to the manager's decision."""

    runner: asyncio.Runner
    session: Session
    store: RosterStore
    order: Order
    ward: Ward
    view: RosterView = field(init=False)
    stop_asked: bool = False
    """Whether Ctrl-C asked for the best roster so far."""

    def __post_init__(self) -> None:
        settings = self.session.settings
        assert isinstance(settings, RosterSettings)
        quiet = Console(stderr=True, quiet=True) if self.order.as_json else self.session.console
        self.view = RosterView(quiet, settings.time_limit_s / settings.rounds)

    def begin(self, name: str) -> Result:
        text = f"Make the roster for {name}, {self.ward.days} days from {self.ward.start}"
        return self.runner.run(self._with_view(partial(run, self.session.graph, text, thread_id=self.order.thread_id)))

    def decide(self, result: Result) -> Result:
        """Ask for the manager's decision until nothing is left to decide."""
        asked = 0
        while (question := result.question) and (answer := self._answer(question, asked)):  # type: ignore[arg-type]
            asked += 1
            work = partial(resume, self.session.graph, self.order.thread_id, reply=answer)
            result = self.runner.run(self._with_view(work))
        return result

    async def state(self) -> Any:
        return (
            await whole_state(self.session.graph).aget_state({"configurable": {"thread_id": self.order.thread_id}})
        ).values

    def _answer(self, question: Question, asked: int) -> Answer | None:
        to: Answer = {"decision": "approve", "terms_hash": question["terms_hash"]}
        if self.order.decide:
            return {**to, **ANSWERS[self.order.decide]} if asked < MOST_ASKED else None
        at_terminal = sys.stdin.isatty() and self.session.console.is_terminal and not self.order.as_json
        return typed_answer(question, self.session.console) if at_terminal else None

    async def _with_view(self, work: Callable[..., Coroutine[Any, Any, Result]]) -> Result:
        with self.view, best_on_ctrl_c(self._ask_for_best) as handle:
            asking = asyncio.ensure_future(self._pass_on_stop())
            try:
                result = await work(settings=self.session.settings, on_event=self.view, cancel=handle)
                if result.outcome == "cancelled":
                    self._take_back_stops(result)
                return result
            finally:
                asking.cancel()
                if self.stop_asked:
                    self.store.take_stop(self.order.thread_id)
                self.stop_asked = False

    def _take_back_stops(self, result: Result) -> None:
        """A round that was stopped in a request that was then cancelled is not the last one: whoever resumes solves on."""
        for outcome in result.results.values():
            data = outcome["data"] if outcome["tool"] == TOOL else None
            if isinstance(data, dict) and data.get("asked_to_stop") and data.get("roster_id"):
                self.store.keep_remarks("taken_back", str(data["roster_id"]), "cancelled", ["solve on"])

    def _ask_for_best(self) -> None:
        self.stop_asked = True
        self.session.console.print(
            Text("stopping with the best roster so far; press Ctrl-C again to cancel"), soft_wrap=True
        )

    async def _pass_on_stop(self) -> None:
        while True:
            if self.stop_asked and self.view.solving:
                self.store.ask_to_stop(self.order.thread_id)
            await asyncio.sleep(ASKS_EVERY_S)


def typed_answer(question: Question, console: Console) -> Answer | None:
    """The decision typed at the terminal; None = none yet (end of input, or Ctrl-C)."""
    console.print(Text(plain_lines(question_text(question))), soft_wrap=True)
    drop_typed_ahead(console)
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            words = console.input(HOW)
            if not isinstance(answer := answer_in(words, question), str):
                return answer
            console.print(Text(answer), soft_wrap=True)
    console.print()
    return None


def answer_in(words: str, question: Question) -> Answer | str:
    """An answer: yes, no, a choice, JSON, or `no` with a reason; else a text that says what is wrong. The question stands
    right above, so that no code has to say which terms are meant."""
    first, _, why = words.strip().partition(" ")
    to: Answer = {"decision": "reject", "terms_hash": question["terms_hash"]}
    if first.strip(",.:;").casefold() in ("no", "reject") and why.strip():
        return {**to, "reason": why.strip()}
    match read_reply(words, {**question, "agree_with": "yes"}):
        case Taken(answer=answer):
            return {**answer, "terms_hash": question["terms_hash"]}
        case Unclear(problem=problem) | Refused(problem=problem):
            return problem
    return f"cannot take {words!r} as an answer; {possible_answers(question)}"


def _report(
    result: Result, presented: PresentedRoster | None, ward: Ward, store: RosterStore, rounds: list[Round]
) -> dict[str, Any]:
    last = presented.round if presented else rounds[-1] if rounds else None
    solved = presented.ward if presented else ward
    return {
        **result_record(result),
        "roster": presented.roster if presented else None,
        "roster_id": presented.round.roster_id if presented else None,
        "cost": presented.round.cost if presented else None,
        "parts": presented.round_result.parts if presented else {},
        "bound": last.bound if last else None,
        "status": last.solver if last else None,
        "rounds": [each.model_dump(mode="json") for each in rounds],
        "reports": english_record(presented.report.model_dump(mode="json")) if presented else None,
        "ward": ward_record(solved, store.hash_of(solved)),
        "note": presented.note if presented else "",
        **_unmet(result, presented),
    }


def _unmet(result: Result, presented: PresentedRoster | None) -> dict[str, list[str]]:
    """What no roster can meet, and what would have to give: of the round that is presented, else of the last one."""
    if presented:
        found: Mapping[str, Any] = presented.round_result.model_dump(mode="json")
    else:
        made = [outcome["data"] for outcome in result.results.values() if outcome["tool"] == TOOL]
        found = made[-1] if made and isinstance(made[-1], dict) else {}
    return {name: english_record(list(found.get(name, []))) for name in ("impossible", "relaxations")}


def _about(report: show.ResultRecord, presented: PresentedRoster) -> dict[str, Any]:
    verdicts = {"compliance": presented.report.compliance.status, "empathy": presented.report.empathy.status}
    named = ("roster_id", "outcome", "note", "cost", "bound", "status")
    return {**{name: report[name] for name in named}, **verdicts}


def _print(outcome: OrderOutcome, order: Order, options: Options, console: Console) -> None:
    if order.as_json:
        show.answer(outcome.report, as_json=True)
    else:
        show.answer({"answer": plain_lines(outcome.report["answer"])}, as_json=False)
        if presented := outcome.presented:
            print_text("\n".join(["", *grid_lines(presented.ward, presented.roster, terminal_width())]))
            console.print(Text(_costs(presented), style="dim"), soft_wrap=True)
        show.footer(outcome.report, console)
    for line in [] if outcome.unsaved else next_steps(outcome.report, options, order.out):
        console.print(Text(line, style="dim"), soft_wrap=True)


def _costs(presented: PresentedRoster) -> str:
    """The cost by kind, and how much of it the ward's own weights are."""
    cost = amount(presented.round.cost or 0)
    parts = [f"{in_words(kind, 'en')} {amount(price)}" for kind, price in presented.round_result.parts.items()]
    own = f"{amount(presented.report.cost.total)} of it by the ward's own weights"
    return f"cost {cost}: {', '.join(parts)}; {own}" if parts else f"cost {cost}, {own}"


def next_steps(report: show.ResultRecord, options: Options, out: Path | None) -> list[str]:
    """The commands that continue an unfinished request, and that write the files of `out` again afterwards."""
    if not report.get("can_resume"):
        return []
    thread = report["thread_id"]
    if not options.again("chat", thread):
        return ["nothing is kept, because of --db :memory:"]
    if report["outcome"] != "awaiting_approval":
        return [f"go on with: {options.resumes(thread)}", *_written_anew("ROSTER_ID", out, options)]
    other = json.dumps({"penalties": {"overwork": 40}})
    return [
        "the manager decides with one of",
        f"  {options.decides(thread, 'approve', '--for-asker')}",
        f"  {options.decides(thread, 'approve', '--for-asker', '--choice', 'draft')}",
        f"  {options.decides(thread, 'reject', '--reason', 'TEXT')}",
        f"  {options.decides(thread, 'reject', '--changes', other)}",
        *_written_anew(report["roster_id"], out, options),
    ]


def _written_anew(roster_id: str | None, out: Path | None, options: Options) -> list[str]:
    """`ROSTER_ID` stands for the id that the answer will name."""
    if out is None or roster_id is None:
        return []
    place = ["--db", without_password(options.database)] if options.database else []
    command = shell_line(["wavegraph", "roster", "show", roster_id, "--out", str(out), *place])
    return ["that does not change the files; write them again with", f"  {command}"]
