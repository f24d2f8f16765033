"""Wards for the whole loop, solved to the end in a moment, and the roster agent run on them.

All but the large one are a matter of one night: Ann, who begins tired, works it, which costs the penalty
`fatigue_night` (20), or Ben does, who asks not to. The weight of his wish decides in which round the price of a tired
Ann has grown above it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agreeing import as_asked
from langgraph.checkpoint.memory import InMemorySaver
from roster_models import NO_RULES, SHIFTS, on

from wavegraph import Result, build_graph, resume, run
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.store import RosterStore

ASK = "make the roster"
QUICK: Mapping[str, Any] = {"planner": "rules", "time_limit_s": 900, "today": "2026-11-20"}
"""Settings with more time than any of the wards here takes."""
FAIR, ONCE, TWICE, NEVER = 10, 25, 40, 60
"""Weights of Ben's wish where: Ann's price ... decides against her at once never; the roster passes after one raise
(30), after two (45); and after no three rounds (45 at most)."""


def night(wish: int = NEVER, *, name: str = "Night", tired: float = 0.8, **more: Any) -> dict[str, Any]:
    """The ward of one night, as a file has it."""
    return {
        "name": name,
        "start": on(0),
        "days": 3,
        "shifts": [SHIFTS["E"], SHIFTS["N"]],
        "nurses": [{"id": "ann", "name": "Ann", "fatigue": tired}, {"id": "ben", "name": "Ben"}],
        "demand": [{"day": on(0), "shift": "N", "minimum": 1, "target": 1}],
        "wishes": [{"nurse": "ben", "day": on(0), "wants": False, "weight": wish}],
        "rules": NO_RULES,
        **more,
    }


def must_be_ann() -> dict[str, Any]:
    """Ben is away: nobody else can work the night."""
    return night(leave=[{"nurse": "ben", "day": on(0)}], wishes=[])


def nobody() -> dict[str, Any]:
    """Both are away, and somebody has to be there."""
    return night(leave=[{"nurse": name, "day": on(0)} for name in ("ann", "ben")], wishes=[])


def contradiction() -> dict[str, Any]:
    """Ann's contract asks for three shifts, and a rule bars the third day in a row."""
    nurses = [{"id": "ann", "name": "Ann", "contract": {"min_minutes": 1440}}, {"id": "ben", "name": "Ben"}]
    return night(nurses=nurses, rules={**NO_RULES, "max_days_in_a_row": 2}, wishes=[])


def wrong_rows() -> dict[str, Any]:
    """Leave of nobody, a wish for no shift, a day outside the period."""
    return night(
        leave=[{"nurse": "zoe", "day": on(0)}],
        wishes=[{"nurse": "ben", "day": on(0), "shift": "X", "wants": True}],
        demand=[{"day": on(40), "shift": "N", "minimum": 1, "target": 1}],
    )


def hundred() -> dict[str, Any]:
    """A hundred nurses for four weeks, every cell settled: all of them get far too few hours, and the first of them
    too many nights."""
    nurses = [
        {"id": f"nurse_{n:03}", "name": f"Nurse Number {n}", "contract": {"target_minutes": 9600}} for n in range(100)
    ]
    demand = [{"day": on(d), "shift": "E", "target": 25} for d in range(28)]
    cells = [{"nurse": f"nurse_{n:03}", "day": on(d), "shift": _shift(n, d)} for n in range(100) for d in range(28)]
    return night(name="Hundred", days=28, nurses=nurses, demand=demand, wishes=[], locked=cells)


def _shift(nurse: int, day: int) -> str | None:
    if (nurse + day) % 4:
        return None
    return "N" if nurse < 8 else "E"


WARDS: Mapping[str, dict[str, Any]] = {
    "fair": night(FAIR, tired=0.0),
    "once": night(ONCE),
    "twice": night(TWICE),
    "never": night(NEVER),
    "only_ann": must_be_ann(),
    "nobody": nobody(),
    "contradiction": contradiction(),
    "wrong_rows": wrong_rows(),
    "hundred": hundred(),
}


def ward_files(folder: Path, more: Mapping[str, dict[str, Any]] | None = None) -> dict[str, Path]:
    """The wards as files, with `more` of them."""
    folder.mkdir(parents=True, exist_ok=True)
    wards = {**WARDS, **(more or {})}
    files = {name: folder / f"{name}.json" for name in wards}
    for name, path in files.items():
        path.write_text(json.dumps(wards[name]), encoding="utf-8")
    return files


@dataclass
class Desk:
    """A ward manager's desk: one agent, its store, one thread, and what was told on it."""

    folder: Path
    more: dict[str, Any] = field(default_factory=dict)
    """For `roster_domain`."""
    wards: dict[str, Any] = field(default_factory=dict)
    """Wards besides those here."""
    checkpointer: Any = field(default_factory=InMemorySaver)
    versions: Any = None
    """The graph's store; None = it has none."""
    database: str | None = None
    """Keeps the rosters instead of the folder."""
    events: list[Any] = field(default_factory=list)
    thread: str = "t"
    watch: Callable[[Any], None] = lambda event: None
    """Sees each event, once it is noted."""

    def __post_init__(self) -> None:
        files = ward_files(self.folder / "wards", self.wards)
        domain = roster_domain(self.folder, database=self.database, wards=files, **self.more)
        self.graph: Any = build_graph(domain).compile(checkpointer=self.checkpointer, store=self.versions)
        self.store = RosterStore(self.folder, self.database)

    async def ask(self, ward: str, text: str = ASK, cancel: Any = None, **settings: Any) -> Result:
        return await run(
            self.graph,
            text,
            thread_id=self.thread,
            settings={**QUICK, "ward": ward, **settings},
            on_event=self._note,
            cancel=cancel,
        )

    async def go_on(self, reply: Any = None, **settings: Any) -> Result:
        reply = await as_asked(self.graph, reply, self.thread)
        return await resume(self.graph, self.thread, reply=reply, settings={**QUICK, **settings}, on_event=self._note)

    def _note(self, event: Any) -> None:
        self.events.append(event)
        self.watch(event)

    async def state(self) -> dict[str, Any]:
        values: dict[str, Any] = (await self.graph.aget_state({"configurable": {"thread_id": self.thread}})).values
        return values

    def told(self, name: str) -> list[Any]:
        return [event for event in self.events if event["event"] == name]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """As the last validation told them."""
        told = [event["details"]["rounds"] for event in self.told("validation_complete") if "details" in event]
        return told[-1] if told else []

    def roster(self, roster_id: str) -> dict[str, list[str | None]]:
        return self.store.stored_roster(roster_id).roster
