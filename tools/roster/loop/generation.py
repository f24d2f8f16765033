"""One round of solving: it reports progress, stops on request and resumes from its best roster."""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.config import get_config

from wavegraph.graph.errors import CutShort, ToolRefusal
from wavegraph.graph.events import progress
from wavegraph.tools.roster.arguments import GenerateRequest
from wavegraph.tools.roster.cpsat.explain import Explanation, explain, too_few, without_what_collides_after
from wavegraph.tools.roster.cpsat.wording import found_as, gives_told, why_told
from wavegraph.tools.roster.loop.round_time import PROOF_S, RoundTime
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.loop.swaps import RowsOf, all_else_kept, least_changed, moved_cells
from wavegraph.tools.roster.problem.clock import work_of
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.problem.result import SolveResult
from wavegraph.tools.roster.records import Change, Generated, gap_of, period_of
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import RosterStore, StoredRoster, solve_id
from wavegraph.tools.roster.told import Line, Told, english, told
from wavegraph.tools.roster.ward.roster_fit import misfits
from wavegraph.tools.roster.ward.ward import Roster, Ward

TICK_S = 0.2
"""How often progress is reported, the best roster kept, and a request to stop looked for."""
ENDS_WITHIN_S = 5.0
"""How long a stop waits for the solver's best roster."""
MOST_RULES = 12
"""Rules that collide and are told one by one; the others are counted."""
MOST_MOVED = 8
"""Cells that are told one by one."""
TOOL = "generate_roster"


async def generate(
    request: GenerateRequest,
    ward: Ward,
    asked_for: Sequence[Change],
    store: RosterStore,
    settings: RosterSettings,
    rows_of: RowsOf,
) -> Generated:
    """Solve one round. `ward`: with the request's locked cells in it; `asked_for`: all it holds that a person asked for;
    `rows_of`: what the ward takes of a change.

    Raises CutShort with the best roster so far when stopped or out of time; a later run of the same request starts
    from that roster.
    """
    penalties = settings.penalties.model_copy(update=request.penalties)
    return await _Solve(request, ward, penalties, store, settings, rows_of, asked_for).run()


@dataclass
class _Solve:
    request: GenerateRequest
    ward: Ward
    penalties: Penalties
    store: RosterStore
    settings: RosterSettings
    rows_of: RowsOf
    asked_for: Sequence[Change] = ()
    stop: threading.Event = field(default_factory=threading.Event)
    solved: Ward = field(init=False)
    """As it is solved: without those days after it that leave no roster at all, or with all but exchanged cells settled."""
    asked: bool = False
    """Whether a stop was requested."""
    latest: tuple[float, float, float] | None = None
    """Cost, bound, seconds."""
    best: Roster | None = None
    explained: Explanation | None = None
    """Why no roster exists, or none reaches the minimums."""
    explained_s: float = 0.0
    left_s: float = 0.0
    """What is left of the round's time for the proofs of its checks."""
    keeping: threading.Lock = field(default_factory=threading.Lock)
    """Rosters are written one after another, so that the last one stays."""

    keeps: str | None = None
    """The roster of which every other cell is to stay: two were exchanged."""
    why_moved: str = ""
    """Why none of these exists: as few others as possible change."""
    moved_for: Sequence[str] = ()
    """The types of findings of these rules."""

    def __post_init__(self) -> None:
        self.solved, stored = self.ward, None
        if self.request.start_from is not None:
            stored = self.store.stored_roster(self.request.start_from)
        if stored and (new := self._new_since(stored)) and not misfits(self.ward, stored.roster):
            before = self.store.ward(stored.ward_hash)
            kept = all_else_kept(self.ward, before, stored.roster, new, self.rows_of)
            self.solved, self.keeps = kept or self.ward, self.request.start_from if kept else None

    def _new_since(self, before: StoredRoster) -> list[Change]:
        asked_before = self.store.asked(before.ward_hash)
        return [change for change in self.asked_for if change not in asked_before]

    @property
    def key(self) -> str:
        request = self.request.model_dump(mode="json", exclude={"spent_s"})
        return solve_id({**request, **self.settings.penalties.model_dump()})

    async def run(self) -> Generated:
        if self.request.iteration == 1:  # an earlier request was for a solve that is over
            await asyncio.to_thread(self.store.take_stop, _thread_id())
        work = asyncio.ensure_future(asyncio.to_thread(self._solved))
        try:
            ended: Collection[Any] = ()
            while not ended:  # a quick round reports, and sees a request to stop, too
                ended, _ = await asyncio.wait({work}, timeout=TICK_S)
                await self._report_progress()
                await asyncio.to_thread(self._look_for_stop, _thread_id())
        except asyncio.CancelledError:
            self.stop.set()
            await asyncio.to_thread(self._keep)
            done, _ = await asyncio.wait({work}, timeout=ENDS_WITHIN_S)
            await asyncio.to_thread(self._keep)  # also what it found while it was being stopped
            if not done or work.exception() or work.result().roster is None:
                raise
            raise CutShort(await asyncio.to_thread(self._ended, work.result(), cut_short=True)) from None
        generated = await asyncio.to_thread(self._ended, work.result(), cut_short=self.asked)
        if self.asked:
            raise CutShort(generated)
        return generated

    def _ended(self, result: SolveResult, *, cut_short: bool) -> Generated:
        """`cut_short`: its columns are kept, and the same round, asked for again, continues from them."""
        if cut_short:
            self.store.keep_columns(self.key, result.columns)
        generated = self._generated(result)
        with _while_it_is_down():
            if not cut_short:
                self.store.drop_running(self.key)
        return generated

    def _look_for_stop(self, thread_id: str) -> None:
        with _while_it_is_down():
            if self.store.take_stop(thread_id):
                self.asked = True
                self.stop.set()

    def _solved(self) -> SolveResult:
        began, round_time = time.monotonic(), self.time
        result = self._searched()
        used, is_last = time.monotonic() - began, result.roster is None
        cannot = result.breaches > 0 or result.status in ("infeasible", "unknown")  # as far as is known
        seconds = round_time.explain_s(used, is_last=is_last, is_short=cannot)
        if cannot:
            self.explained = explain(
                self.solved,
                with_cover=not is_last,
                seconds=seconds,
                known=result.roster,
                proven=bool(result.least_breaches),
                stop=self.stop,
            )
            self.explained_s = time.monotonic() - began - used
            if result.status == "unknown" and self.explained.grounds:
                result = replace(result, status="infeasible")
        self.left_s = min(PROOF_S, max(0.0, seconds - self.explained_s))
        return result

    def _searched(self) -> SolveResult:
        """What settled cells, leave or hours do not allow with the days after is left to the checks to tell."""
        found = self._search(self.time.solve_s)
        if found.status == "infeasible" and self.keeps:
            found = self._least_changed(found)
        if found.status != "infeasible" or self.ward.followed_by is None or self.keeps:
            return found
        self.solved = without_what_collides_after(self.ward, PROOF_S, self.stop)
        return self._search(max(0.0, self.time.solve_s - found.seconds))

    def _least_changed(self, none: SolveResult) -> SolveResult:
        """With as few other cells changed as possible, after none was found with all of them kept."""
        assert self.keeps is not None
        self.why_moved = self._why_not_kept()
        self.solved = least_changed(self.ward, self.store.stored_roster(self.keeps).roster)
        found = self._search(max(0.0, self.time.solve_s - none.seconds))
        others = {kind: cost for kind, cost in found.parts.items() if kind != "changes"}
        if found.cost is None:
            return found
        return replace(found, cost=found.cost - found.parts.get("changes", 0), parts=others, trace=[])

    def _why_not_kept(self) -> str:
        """The rules that collide with the cells that were to stay, without naming these: nobody settled them."""
        asked = {(row.nurse, row.day) for row in self.ward.locked}
        grounds = explain(self.solved, with_cover=False, seconds=PROOF_S, stop=self.stop).grounds
        of_rules = [each for each in grounds if each.rule.kind != "locked" or (each.nurse, each.day) in asked]
        self.moved_for = list(dict.fromkeys(found_as(each.rule) for each in of_rules))
        if not of_rules:
            return "the rules leave no such roster"
        words = english(why_told(self.ward, of_rules, MOST_RULES)).rstrip(".")
        return words[0].lower() + words[1:]

    def _search(self, seconds: float) -> SolveResult:
        return solve(
            self.solved,
            penalties=self.penalties,
            multipliers=self.request.penalty_multipliers,
            hint=self._hint(),
            columns=self.store.columns(self.key),
            seconds=seconds,
            work=work_of(self.settings.work_limit, len(self.ward.nurses) * self.ward.days),
            patience=self.time.patience,
            seed=self.settings.seed,
            on_progress=self._improved,
            on_roster=self._found,
            stop=self.stop,
        )

    @property
    def time(self) -> RoundTime:
        settings = self.settings
        return RoundTime.of(settings.time_limit_s, settings.rounds, self.request.iteration, self.request.spent_s)

    def _hint(self) -> Roster | None:
        """The best roster of an earlier run of this round, else of the round before, else the published one."""
        if (found := self.store.best(self.key)) is not None:
            return None if misfits(self.ward, found) else found
        if self.request.start_from is None:
            return _published(self.ward)
        before = self.store.stored_roster(self.request.start_from).roster
        return None if misfits(self.ward, before) else before

    def _improved(self, cost: float, bound: float, seconds: float) -> None:
        self.latest = cost, bound, seconds

    def _found(self, roster: Roster) -> None:
        self.best = roster

    async def _report_progress(self) -> None:
        latest, self.latest = self.latest, None  # before keeping: what is told of is never newer than what is kept
        await asyncio.to_thread(self._keep)
        if latest is None:
            return
        cost, bound, seconds = latest
        gap = round(gap_of(cost, bound), 4)
        progress(TOOL, iteration=self.request.iteration, cost=cost, bound=bound, gap=gap, seconds=round(seconds, 1))

    def _keep(self) -> None:
        with self.keeping:
            best, self.best = self.best, None
            if best is None:
                return
            with _while_it_is_down(lambda: self._found(self.best or best)):
                self.store.keep_best(self.key, best)

    def _generated(self, result: SolveResult) -> Generated:
        """The record of a result; the store keeps the roster itself."""
        parts = {kind: cost / self.request.penalty_multipliers.get(kind, 1) for kind, cost in result.parts.items()}
        name = self.store.keep_ward(self.ward, self.asked_for)
        stored = StoredRoster(ward_hash=name, roster=result.roster, trace=result.trace) if result.roster else None
        roster_id = self.store.keep_roster(stored) if stored else None
        if roster_id:
            self._keep_prices(roster_id)
        moved = self._moved(roster_id, result.roster) if roster_id and result.roster else {}
        return Generated(
            **period_of(self.ward, name),
            iteration=self.request.iteration,
            roster_id=roster_id,
            status="feasible" if self.keeps and result.status == "optimal" else result.status,
            cost=rounded(sum(parts.values())) if stored else None,
            raised_cost=result.cost,
            raised_bound=0 if self.keeps else result.bound,
            parts={kind: rounded(cost) for kind, cost in parts.items() if cost},
            seconds=round(result.seconds, 2),
            penalty_multipliers=self.request.penalty_multipliers,
            other_prices=self.request.penalties,
            impossible=self._impossible(result),
            breaches=result.breaches,
            least_breaches=result.least_breaches,
            relaxations=[gives_told(self.ward, each) for each in self.explained.relaxations] if self.explained else [],
            explained_s=round(self.explained_s, 2),
            left_s=round(self.left_s, 2),
            asked_to_stop=self.asked,
            why=result.why,
            all_else_from=self.keeps,
            why_moved=self.why_moved,
            moved_for=list(self.moved_for),
            **moved,
        )

    def _moved(self, roster_id: str, roster: Roster) -> dict[str, Any]:
        """What else differs from the roster that was changed by request; a further round differs from the same one."""
        before = self._begun_from()
        other = None if before == roster_id else before
        if before or self.store.remarks("begun", roster_id):
            self.store.keep_remarks("begun", roster_id, "round", [other] if other else [])
        if other is None:
            return {}
        stored = self.store.stored_roster(other)
        cells = moved_cells(self.ward, stored.roster, roster, self._new_since(stored), self.rows_of)
        return {"begun_from": other, "moved": cells[:MOST_MOVED], "moved_cells": len(cells)}

    def _begun_from(self) -> str | None:
        """None = nothing new was asked for of a roster; of one that is published, the repair tells what differs."""
        if (before := self.request.start_from) is None or self.ward.published is not None:
            return None
        stored = self.store.stored_roster(before)
        begun = before if self._new_since(stored) else next(map(str, self.store.remarks("begun", before)), None)
        return None if misfits(self.ward, stored.roster) else begun

    def _keep_prices(self, roster_id: str) -> None:
        """For who decides about the roster: the prices that are not the settings'."""
        own = self.request.penalties
        base = self.settings.penalties.model_dump()
        other = [f"{kind} {price} {base[kind]}" for kind, price in own.items() if price != base[kind]]
        if other or self.store.remarks("prices", roster_id):
            self.store.keep_remarks("prices", roster_id, "round", other)

    def _impossible(self, result: SolveResult) -> list[Line]:
        """What no roster can meet, where none exists or the best one is below minimum cover."""
        if self.explained is None:
            return []
        why = [why_told(self.ward, self.explained.grounds, MOST_RULES)] if self.explained.grounds else []
        least = [_least(result.least_breaches)] if result.roster and result.least_breaches else []
        return [*too_few(self.ward), *why, *least]


@contextmanager
def _while_it_is_down(otherwise: Callable[[], None] = lambda: None) -> Iterator[None]:
    """A database that cannot be reached for a while ends no solve: what it keeps on the way can wait."""
    try:
        yield
    except ToolRefusal as refusal:
        if not refusal.retryable:
            raise
        otherwise()


def _least(breaches: int) -> Told:
    """What the proof says, whether or not the rules that collide were found in time."""
    return told("grounds.breaches", lacking=told("lacking_nurses", n=breaches))


def _published(ward: Ward) -> Roster | None:
    """The published roster, with days off for a nurse who has no row in it, or is on leave now."""
    if ward.published is None:
        return None
    rows = {nurse.id: list(ward.published.roster.get(nurse.id, [None] * ward.days)) for nurse in ward.nurses}
    for leave in ward.leave:
        day = ward.index(leave.day)
        if leave.shift in (None, rows[leave.nurse][day]):
            rows[leave.nurse][day] = None
    return rows


def _thread_id() -> str:
    return str(get_config().get("configurable", {}).get("thread_id", ""))


def rounded(amount: float) -> float:
    return int(amount) if amount == int(amount) else round(amount, 2)
