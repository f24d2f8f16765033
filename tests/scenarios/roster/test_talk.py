"""Talk about a roster that is there, without a model: each sentence over the real graph, with its answer beside it.

The roster is `willow_swapped.csv` of the demo ward, so that every answer can be read off its rows.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agreeing import as_asked
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from roster_wards import DATA, DEMO

from wavegraph import Result, build_graph, resume, run
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.versions.log import VersionStore
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.roster_file import read_roster
from wavegraph.tools.roster.ward.ward import Contract, Ward

QUICK = {"planner": "rules", "work_limit": 0.02, "time_limit_s": 900, "max_adaptations": 0}
DURING, BEFORE = "2026-11-25", "2026-11-20"
"""A Wednesday of the roster, and the Friday before it begins."""
EVERY_DAY = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
LITTLE: dict[str, Any] = {
    "name": "Little",
    "start": "2026-12-07",
    "days": 7,
    "shifts": [{"id": "D", "name": "Day", "start": "07:00", "minutes": 480}],
    "nurses": [{"id": f"n{place}", "name": name} for place, name in enumerate(("Ines Roy", "Tal Roy", "Noa"))],
    "demand": [{"weekdays": EVERY_DAY, "shift": "D", "target": 1}],
    "fairness": {"allowed": dict.fromkeys(ALLOWED)},
}
LITTLE_ROSTER = {
    "n0": ["D", "D", "D", None, None, None, None],
    "n1": [None, None, None, "D", "D", None, None],
    "n2": [None, None, None, None, None, "D", "D"],
}


@dataclass
class Desk:
    """A graph compiled once, and a roster that its store holds."""

    folder: Path
    ward: Ward
    roster: dict[str, list[str | None]]
    name: str
    graph: Any = None
    roster_id: str = ""
    store: Any = field(default_factory=InMemoryStore)

    def __post_init__(self) -> None:
        self.kept = RosterStore(self.folder)
        files = {self.name: self.folder / f"{self.name}.json"} if self.name == "little" else {}
        for path in files.values():
            path.write_text(json.dumps(LITTLE), encoding="utf-8")
        domain = roster_domain(self.folder, wards=files)
        self.graph = build_graph(domain).compile(checkpointer=InMemorySaver(), store=self.store)
        ward_hash = self.kept.keep_ward(self.ward)
        self.roster_id = (
            self.kept.keep_roster(StoredRoster(ward_hash=ward_hash, roster=self.roster)) if self.roster else ""
        )

    @property
    def versions(self) -> VersionStore:
        return VersionStore(self.store, self.kept)

    async def say(self, text: str, thread: str, today: str = DURING) -> Result:
        return await run(self.graph, text, thread_id=thread, settings=self.settings(today))

    async def go_on(self, thread: str, reply: str, today: str = DURING) -> Result:
        reply = await as_asked(self.graph, reply, thread)
        return await resume(self.graph, thread, reply=reply, settings=self.settings(today))

    def settings(self, today: str) -> dict[str, Any]:
        return {**QUICK, **({"ward": self.name} if self.name else {}), "today": today}

    async def after_an_answer(
        self,
        text: str,
        thread: str,
        today: str = DURING,
        before: Sequence[str] = (),
        stop_before: Sequence[str] = (),
    ) -> dict[str, Any]:
        """The state after a message whose history holds an answer that named the roster, and what was said since."""
        history = [HumanMessage("make the roster"), AIMessage(f"Roster {self.roster_id} for Willow Ward passes.")]
        history += [said for earlier in before for said in (HumanMessage(earlier), AIMessage("So it is."))]
        found: dict[str, Any] = await self.graph.ainvoke(
            {"messages": [*history, HumanMessage(text)]},
            {"configurable": {"thread_id": thread}},
            context=self.settings(today),
            interrupt_before=list(stop_before),
        )
        return found


@pytest.fixture(scope="module")
def willow(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    ward = read_ward(DEMO / "willow.yaml")
    return Desk(tmp_path_factory.mktemp("talk"), ward, read_roster(DATA / "willow_swapped.csv", ward), "willow")


@pytest.fixture
def little(tmp_path: Path) -> Desk:
    tmp_path.joinpath("little.json").write_text(json.dumps(LITTLE), encoding="utf-8")
    return Desk(tmp_path, read_ward(tmp_path / "little.json"), LITTLE_ROSTER, "little")


class Case(NamedTuple):
    text: str
    told: Sequence[str]
    """Each is in the answer, or in the question."""
    tools: Sequence[str] = ("look_at_roster",)
    """Of the plan."""
    today: str = DURING


CHANGES = ("get_staff", "apply_requests", "generate_roster")
PUBLISHES = ("get_report", "publish_roster")
ALICE = "Alice"
SAID: Sequence[Case] = (
    # seen
    Case("show it again", ["- Alice: L – E E L N N | – – L E L – –", "- Max: – L – – – L L | L – – E E – –"]),
    Case("show me the roster", ["- Alice: L – E E L N N | – – L E L – –"]),
    Case("roster", ["- Alice: L – E E L N N | – – L E L – –"]),
    Case("what's the roster for Friday?", ["- Alice: L\n", "from Friday 2026-11-27 to Friday 2026-11-27"]),
    Case("show me the first week", ["- Alice: L – E E L N N\n", "The other days: `wavegraph roster show"]),
    # who works when
    Case("who works on the night of the 2nd?", ["Wednesday 2026-12-02: N: Bob."]),
    Case("Who works tomorrow", ["Thursday 2026-11-26: E: Alice, Bob, Charlie, Diana; L: Ivan, Grace, Lena; N: Henry."]),
    Case("who's on tonight?", ["Wednesday 2026-11-25: N: Henry."]),
    Case("who is working Friday night?", ["Friday 2026-11-27: N: Grace."]),
    Case("who is on the late shift on 3 December?", ["Thursday 2026-12-03: L: Charlie, Eva, Judith."]),
    Case("who is on E on 28.11.?", ["Saturday 2026-11-28: E: Diana, Judith."]),
    Case("who works this weekend?", ["Saturday 2026-11-28: E: Diana, Judith;", "Sunday 2026-11-29: E: Diana, Judith;"]),
    Case("who works from the 5th to the 6th of December?", ["Saturday 2026-12-05: ", "Sunday 2026-12-06: "]),
    Case("who is off on Sunday?", ["Off on Sunday 2026-11-29: Bob (leave), Charlie, Ivan, Grace, Henry, Karl, Lena."]),
    Case("who is off on Sunday?", ["Off on Sunday 2026-11-29: ", "Off on Sunday 2026-12-06: "],
         ("look_at_roster", "look_at_roster"), BEFORE),
    # one nurse
    Case("when does Alice work?", ["Alice works L on Monday 2026-11-23, Friday 2026-11-27, Wednesday 2026-12-02"]),
    Case("show Alice's shifts", ["N on Saturday 2026-11-28, Sunday 2026-11-29"]),
    Case("does ALICE work on Friday?", ["Alice works L on Friday 2026-11-27."]),
    Case("is Bob off on the 27th?", ["Bob is on leave on Friday 2026-11-27."]),
    Case("how many hours does Alice have?", ["Alice: 72 h (80 h by contract), 2 nights, 1 weekend."]),
    Case("how many hours does Ali have?", ["Alice: 72 h (80 h by contract)"]),
    Case("how many nights does nurse_003 work?", ["Charlie: 80 h (80 h by contract), 2 nights, 1 weekend."]),
    Case("hours of Alice and Bob", ["Alice: 72 h", "Bob: 80 h"], ("look_at_roster", "look_at_roster")),
    # all of them
    Case("who has the most nights?", ["The most nights: Alice, Charlie, Diana, Eva, Ivan, Henry (2)."]),
    Case("who has the fewest weekends?", ["The fewest weekends: Karl, Lena (0)."]),
    Case("who has the most hours?", ["The most hours: Henry (88)."]),
    Case("how are the nights shared?", ["Each nurse's nights: Alice 2, ", "Bob 1"]),
    Case("where are we short?", ["No shift has fewer nurses than wanted."]),
    Case("does it pass?", ["rules broken", "Alice has 8 h between L of Wednesday 2026-12-02 and E of Thursday"],
         ("get_report",)),
    Case("is it published?", ["not published, and it does not pass every check"]),
    Case("are we short anywhere?", ["No shift has fewer nurses than wanted."]),
    # politely, in haste, mistyped
    Case("Could you please tell me when Grace works this week?", ["Grace works E on Monday 2026-11-23, Tuesday"]),
    Case("pls show teh roster for charlie & max", ["Charlie: 80 h", "Max: 48 h"], ("look_at_roster", "look_at_roster")),
    Case("whos on tonite", ["Wednesday 2026-11-25: N: Henry."]),
    Case("how many nigths has ivan got??", ["Ivan: 80 h (80 h by contract), 2 nights"]),
    Case("Who works tomorow", ["Thursday 2026-11-26: E: Alice, Bob, Charlie, Diana; L: Ivan, Grace, Lena; N: Henry."]),
    Case("who works on 2/12?", ["Wednesday 2026-12-02: "]),
    Case("who works on 30.11 on the ealry shift?", ["Monday 2026-11-30: E: "]),
    Case("who works on 13/13?", ["13/13 is not a date"], ()),
    Case("halve Ivan's nights", ["I cannot read “halve”"], ()),
    # advice
    Case("is anyone free on the 4th to do a late?", ["Who can take L of Friday 2026-12-04"], ("who_can_cover",)),
    Case("Henry called in sick for tomorrow, who can step in?", ["take N of Thursday 2026-11-26 instead of Henry"],
         ("who_can_cover",)),
    Case("I need someone for the night of 31 December", ["Thursday 2026-12-31 is outside roster {id}"], ()),
    Case("why does Alice work on the 2nd?", ["Alice works L on Wednesday 2026-12-02."], ("explain_cell",)),
    Case("Why is Bob off on Friday?", ["Bob is off on Friday 2026-11-27. Anything else breaks a rule: work during leave"], ("explain_cell",)),
    Case("Alice can't come on Friday, who can take it?", ["take L of Friday 2026-11-27 instead of Alice"], ("who_can_cover",)),
    Case("who could do Friday late?", ["take L of Friday 2026-11-27"], ("who_can_cover",)),
    Case("who can replace Alice on Friday?", ["take L of Friday 2026-11-27 instead of Alice"], ("who_can_cover",)),
    Case("who can cover the night of the 2nd?", ["take N of Wednesday 2026-12-02"], ("who_can_cover",)),
    Case("who can step in for Max on Friday?", ["Max is off on Friday 2026-11-27."], ()),
    Case("can Alice work E on Friday?", ["Alice works L on Friday 2026-11-27.", "- E, N: cost 168 more"], ("explain_cell",)),
    Case("can Alice work nights?", ["Which days and which shifts do you mean?"], ()),
    # changes: asked about before anything is solved
    Case("Alice is ill tomorrow", [f"{ALICE}: no work, Thursday 2026-11-26 (must hold)"], CHANGES),
    Case("Henry is ill tonight", ["Henry: no shift N, Wednesday 2026-11-25 (must hold)"], CHANGES),
    Case("Alice is ill tonight", ["Alice works E on Wednesday 2026-11-25: is it that one? Say “Alice is ill on 25 November 2026”"], ()),
    Case("Alice is ill on 25 November 2026", [f"{ALICE}: no work, Wednesday 2026-11-25 (must hold)"], CHANGES),
    Case("Alice is sick this evening", [f"{ALICE}: no work, Wednesday 2026-11-25 (must hold)"], CHANGES),
    Case("Alice is unwell now", [f"{ALICE}: no work, Wednesday 2026-11-25 (must hold)"], CHANGES),
    Case("Alice is ill on Sunday 6 December", ["Alice: no work, Sunday 2026-12-06 (must hold)", "Alice has no shift on Sunday 2026-12-06: there is nothing to replace."], CHANGES),
    Case("Alice is ill from 5 to 6 December", ["Alice: no work, Saturday 2026-12-05 to Sunday 2026-12-06 (must hold)"], CHANGES),
    Case("make a roster for ward Zebra", ["I cannot read “Zebra” here.", "The wards here: harbour, willow."], ()),
    Case("Is Bob ill on Friday?", ["Bob is on leave on Friday 2026-11-27."]),
    Case("Ivan is ill tonight, who can cover?", ["Ivan works L on Wednesday 2026-11-25."], ()),
    Case("Alice is ill on Friday night, who can cover?", ["Alice works L on Friday 2026-11-27."], ()),
    Case("Alice never works nights", [f"{ALICE}: no shift N, the whole period (must hold)"], CHANGES),
    Case("Alice doesn't work on Fridays", [f"{ALICE}: no work, Friday 2026-11-27, Friday 2026-12-04"], CHANGES),
    Case("Alice won't be in tomorrow", [f"{ALICE}: no work, Thursday 2026-11-26"], CHANGES),
    Case("Alice should never do nights", [f"{ALICE}: no shift N, the whole period"], CHANGES),
    Case("who is on leave on Friday?", ["Off on Friday 2026-11-27: ", "Bob (leave)"]),
    Case("Bob phoned in sick for Friday", ["Bob: no work, Friday 2026-11-27"], CHANGES),
    Case("Alice won't come tomorrow", [f"{ALICE}: no work, Thursday 2026-11-26"], CHANGES),
    Case("Alice is not available on the 2nd", [f"{ALICE}: no work, Wednesday 2026-12-02"], CHANGES),
    Case("Alice can't do nights in the week of 2 December", [f"{ALICE}: no shift N, Monday 2026-11-30 to Sunday"], CHANGES),
    Case("Alice can't do nights in the week of the wedding", ["I cannot read “wedding”"], ()),
    Case("Alice never works with Bob", [f"{ALICE} and Bob: not on the same shift"], CHANGES),
    Case("no more than 2 nights in a row for Ivan", ["--change 'nurse_006.max_night_run=2'`", "I changed nothing"], ()),
    Case("Ivan at most 2 nights", ["--change 'nurse_006.max_nights=2'`"], ()),
    Case("Ivan at most three days in a row", ["--change 'nurse_006.max_run=3'`"], ()),
    Case("never more than 3 nights in a row", ["--change 'rules.max_nights_in_a_row=3'`"], ()),
    Case("we need one extra on nights on Friday", ["belongs to the ward's file"], ()),
    Case("Ivan at most 40 hours", ["belongs to the ward's file"], ()),
    Case("who can't work tomorrow?", ["Off on Thursday 2026-11-26: "]),
    Case("Alice is ill from 3 to 1 December", ["from 3 to 1 December: the end lies before the start. Which day is meant?"], ()),
    Case("Alice is off sick from the 1st to the 3rd", [f"{ALICE}: no work, Tuesday 2026-12-01 to Thursday 2026-12-03"], CHANGES),
    Case("Alice can't come on Friday", [f"{ALICE}: no work, Friday 2026-11-27"], CHANGES),
    Case("Alice can't make it on Friday", [f"{ALICE}: no work, Friday 2026-11-27"], CHANGES),
    Case("make the roster, Ivan can't work nights", ["I changed nothing and made no roster"], ()),
    Case("give Alice Friday off", [f"{ALICE}: no work, Friday 2026-11-27"], CHANGES),
    Case("Diana leaves on the 30th", ["Diana: no work, Monday 2026-11-30 to Sunday 2026-12-06"], CHANGES),
    Case("give Alice leave from 1 to 3 December", [f"{ALICE}: no work, Tuesday 2026-12-01 to Thursday 2026-12-03"], CHANGES),
    Case("please give Alice leave from 1-3 December and lock Charlie's nights",
         [f"{ALICE}: no work, Tuesday 2026-12-01", "Charlie: shift N, Saturday 2026-12-05 (settled)",
          "Charlie: shift N, Sunday 2026-12-06 (settled)"], CHANGES),
    Case("give Alice leave on 1 December and Eva on 3 December",
         [f"{ALICE}: no work, Tuesday 2026-12-01 (must hold)\n- Eva: no work, Thursday 2026-12-03 (must hold)\n"],
         CHANGES),
    Case("Ivan sick wed-fri", ["Ivan: no work, Wednesday 2026-11-25 to Friday 2026-11-27 (must hold)"], CHANGES),
    Case("swich bob and eva thurs", ["Eva: shift E, Thursday 2026-11-26 (settled)"], CHANGES),
    Case("can you swap Bob and Eva Thursday next week?", ["Eva: off, Thursday 2026-12-03"], CHANGES),
    Case("lock Charlie on the 2nd", ["Charlie: shift L, Wednesday 2026-12-02 (settled)"], CHANGES),
    Case("Alice must work the late on Friday", [f"{ALICE}: shift L, Friday 2026-11-27 (settled)"], CHANGES),
    Case("Ivan can't work nights", ["Ivan: no shift N, the whole period (must hold)"], CHANGES),
    Case("Ivan can not work on Fridays", ["Ivan: no work, Friday 2026-11-27, Friday 2026-12-04"], CHANGES),
    Case("Grace would like Friday off", ["Grace: would like to be off, Friday 2026-11-27 (a wish"], CHANGES),
    Case("keep Diana and Eva apart", ["Diana and Eva: not on the same shift"], CHANGES),
    Case("swap Alice and Bob on the 2nd",
         [f"{ALICE}: shift N, Wednesday 2026-12-02 (settled)", "Bob: shift L, Wednesday 2026-12-02"], CHANGES),
    Case("swap Alice and Bob on the 2nd and publish it", [f"{ALICE}: shift N, Wednesday 2026-12-02 (settled)",
          "A yes to this makes the roster and publishes nothing; whether to publish it I ask after that."], CHANGES),
    Case("swap Alice and Bob on the 2nd and Bob and Eva on the 26th",
         [f"{ALICE}: shift N, Wednesday 2026-12-02 (settled)", "Eva: shift E, Thursday 2026-11-26 (settled)"], CHANGES),
    Case("keep Diana and Diana apart", ["Diana is named twice"], ()),
    Case("lock Charlie's nights and publish it", ["Charlie: shift N, Saturday 2026-12-05 (settled)",
          "A yes to this makes the roster and publishes nothing; whether to publish it I ask after that."], CHANGES),
    Case("publish it", ["rules broken", "To be published as it is."], PUBLISHES),
    Case("publish it as a draft", ["rules broken"], PUBLISHES),
    # files
    Case("export it as Excel", ["`wavegraph roster show {id} --out roster.xlsx`"]),
    Case("give me the calendars of the nurses", ["`wavegraph roster show {id} --for-nurses --out my-shifts`"]),
    Case("download it as a picture", ["`wavegraph roster show {id} --out rosters`"]),
    Case("export a page to print", ["`wavegraph roster show {id} --out rosters`"]),
    Case("print it for the wall", ["`wavegraph roster show {id} --out rosters`"]),
    # two at once
    Case("who works on Friday and who has the most hours?", ["Friday 2026-11-27: E: ", "The most hours: Henry"],
         ("look_at_roster", "look_at_roster")),
    Case("Alice is ill tomorrow and who works on Friday?", ["more than one thing at once"], ()),
    Case("who works on Friday? thank you so much!", ["Friday 2026-11-27: E: "]),
    # what has to be known first
    Case("how many hours does Zoe have?", ["“Zoe” is no nurse of this ward; these are: Alice, Bob, "], ()),
    Case("swap Alice and Zoe on the 2nd", ["“Zoe” is no nurse of this ward; these are: Alice, Bob, "], ()),
    Case("swap Alice and Bob", ["Which days and which shifts do you mean?"], ()),
    Case("swap Alice on the 2nd", ["Which nurse do you mean?"], ()),
    Case("swap Alice and Bob on Friday", ["Which day is meant: Friday 2026-11-27 / Friday 2026-12-04?"], (), BEFORE),
    Case("Alice is off sick", ["From which day to which is Alice away?"], ()),
    Case("lock Karl's nights", ["Karl has no such shift in this roster"], ()),
    Case("repair it", ["Who falls away, and when?"], ()),
    Case("compare with the last one", ["I know of no other roster in this conversation"], ()),
    Case("what if a bed closed?", ["`wavegraph roster what-if willow` takes any change"], ()),
    Case("undo that", ["there is nothing to take back"], ()),
    Case("who works on the 20th?", ["Sunday 2026-12-20 is outside roster {id}, which is from Monday 2026-11-23 to"], ()),
    Case("give Alice leave from 20 to 23 December", ["Sunday 2026-12-20 to Wednesday 2026-12-23 is outside roster"], ()),
    Case("who works on 2026-02-30?", ["2026-02-30 is not a date"], ()),
    # what is not read: never a roster, never a guess
    Case("make it nicer", ["I changed nothing and made no roster, because I cannot read “nicer” here. About roster {id}"], ()),
    Case("who works on the moon?", ["I cannot read “moon” here. What I read of that kind: “who works on Friday night?”;"], ()),
    Case("who worked on Monday?", ["I cannot read “worked”"], ()),
    Case("Alice is not ill tomorrow", ["What I read of that kind: “Alice is ill tomorrow”"], ()),
    Case("Who is working Christmas Day?", ["Friday 2026-12-25 is outside roster {id}"], ()),
    Case("who works on Friday except Alice?", ["I cannot read “except”"], ()),
    Case("don't publish it", ["I cannot read “don't”"], ()),
    Case("publish it tomorrow", ["What I read of that kind: “publish it”; “help” lists more."], ()),
    Case("next week?", ["About roster {id} you can say"], ()),
    Case("delete it", ["I delete nothing: `wavegraph roster publish {id} --as discarded`"], ()),
    Case("give everyone their wishes", ["Every wish is weighed already"], ()),
    Case("too many nights for Ivan, fix it", ["Ivan works: Monday 2026-11-30, Tuesday 2026-12-01. Which of these should"], ()),
    Case("grce off on 30/11 pls", ["“grce” is no nurse of this ward: did you mean Grace?"], ()),
    Case("Diana resigned", ["From which day on is Diana away? Say “Diana's last day is 2026-11-30”."], ()),
    Case("make the roster without Bob", ["I cannot read “without”"], ()),
    Case("publish it and make next month's", ["more than one thing at once"], ()),
    Case("hello", ["About roster {id} you can say: “show it”"], ()),
    Case("thanks!", ["You're welcome!"], ()),
    Case("what can you do?", ["About roster {id} you can say: “show it”"], ()),
    Case("put it back as it was", ["there is nothing to take back"], ()),
    Case("cancel that", ["there is nothing to take back"], ()),
    # Hebrew
    Case("מי עובד בלילה של ה-2 בדצמבר?", ["יום רביעי, 2 בדצמבר 2026: N: Bob."]),
    Case("תראי שוב את הסידור", ["- Alice: L – E E L N N | – – L E L – –"]),
    Case("למי יש הכי הרבה לילות?", ["הכי הרבה לילות: Alice, Charlie, Diana, Eva, Ivan, Henry (2)."]),
    Case("כמה שעות יש ל-Alice?", ["Alice: 72 שעות (80 לפי החוזה), שני לילות"]),
    Case("לפרסם", ["יש כללים שהופרו", "לפרסום כפי שהוא."], PUBLISHES),
    Case("Eva לא עובדת לילות", ["עבור Willow Ward הבנתי:\n- Eva: בלי משמרת N, לכל התקופה (חייב להתקיים)"], CHANGES),
    Case("Eva לא יכולה לעבוד ביום שישי", ["Eva: בלי עבודה, יום שישי, 27 בנובמבר 2026"], CHANGES),
    Case("Henry חולה הלילה", ["Henry: בלי משמרת N, יום רביעי, 25 בנובמבר 2026"], CHANGES),
    Case("Alice חולה הלילה", ["Alice עובדת E ביום רביעי, 25 בנובמבר 2026: האם הכוונה לזו?"], ()),
    Case("לא יותר משני לילות ברצף ל-Eva", ["`wavegraph roster what-if willow --change 'nurse_005.max_night_run=2'`"], ()),
    Case("Eva לעולם לא עובדת עם Bob", ["Eva ו־Bob: לא באותה משמרת"], CHANGES),
    Case("האם Bob חולה ביום שישי?", ["Bob: חופשה ביום שישי"]),
    Case("מי לא עובד מחר?", ["בחופש ביום חמישי, 26 בנובמבר 2026: "]),
    Case("מי עובד ב-31 בנובמבר?", ["31 נובמבר אינו תאריך. לאיזה יום הכוונה?"], ()),
    Case("תמחקי את הסידור", ["לא מוחקים כאן דבר"], ()),
    Case("תצבעי את הסידור", ["לא הבנתי כאן את “תצבעי”"], ()),
    Case("מי עובד הלילה?", ["יום רביעי, 25 בנובמבר 2026: N: Henry."]),
    Case("כמה לילות יש לכל אחת?", ["Bob 1"]),
    Case("מי יכול להחליף את Henry ב-4 בדצמבר?", ["Henry"], ("who_can_cover",)),
    Case("Eva חולה מה-26 עד ה-27", ["Eva: בלי עבודה, יום חמישי, 26 בנובמבר 2026 עד יום שישי, 27 בנובמבר 2026"], CHANGES),
    Case("תני ל-Alice חופש ב-1.12", [f"{ALICE}: בלי עבודה, יום שלישי, 1 בדצמבר 2026"], CHANGES),
    Case("למה Max לא עובד ביום שלישי?", ["Max"], ("explain_cell",)),
    Case("תדפיסי לי את זה לקיר", ["`wavegraph roster show {id} --out rosters`"]),
    Case("מה את יודעת לעשות?", ["אפשר לומר: “תראי את הסידור”"], ()),
    Case("מתי גרייס עובדת השבוע?", ["“גרייס”: הכוונה ל־Grace.", "Grace: "]),
    Case("מי עובד מחר בבוקר?", ["לא הבנתי כאן את “בבוקר”. מסוג זה אני מבין: “מי עובד ביום שישי?”"], ()),
    Case("למי יש הכי פחות סופי שבוע?", ["Karl, Lena (0)"]),
    Case("תשמרי כטיוטה", ["יש כללים שהופרו"], PUBLISHES),
    Case("איפה חסר לנו?", ["אין משמרת"]),
    Case("האם הסידור תקין?", ["יש כללים שהופרו"], ("get_report",)),
    Case("מה ההבדל מהקודם?", ["אין סידור אחר"], ()),
    Case("Henry התפטר", ["Henry"], ()),
    Case("אל תפרסמי", ["מסוג זה אני מבין: “לפרסם”"], ()),
    Case("תודה רבה", ["על לא דבר!"], ()),
)  # fmt: skip


def test_each_sentence_has_its_answer(willow: Desk) -> None:
    """On a history that holds nothing but an answer with the roster's id."""

    async def all_of_them() -> list[str]:
        return [
            wrong
            for place, case in enumerate(SAID)
            for wrong in _wrong(case, await willow.after_an_answer(case.text, f"{place}", case.today), willow.roster_id)
        ]

    assert asyncio.run(all_of_them()) == []


class Then(NamedTuple):
    before: Sequence[str]
    """What the person said since the roster was made."""
    case: Case


FOLLOWS: Sequence[Then] = (
    Then(["who's on tonight?"], Case("and tomorrow?", ["Thursday 2026-11-26: N: Henry."])),
    Then(["who's on tonight?", "thanks"], Case("and tomorrow?", ["Thursday 2026-11-26: N: Henry."])),
    Then(["who works on Friday?"], Case("and the late?", ["Friday 2026-11-27: L: Alice"])),
    Then(["who works on Friday?"], Case("and Bob?", ["Bob is on leave on Friday 2026-11-27."])),
    Then(["when does Grace work this week?"], Case("no, I meant Lena", ["Lena works L on Wednesday 2026-11-25 to Friday"])),
    Then(["when does Grace work this week?", "no, I meant Lena"], Case("and next week?", ["Lena works E on Monday 2026-11-30"])),
    Then(["how many hours does Alice have?"], Case("not Alice, Bob", ["Bob: 80 h"])),
    Then(["how many hours does Alice have?"], Case("and she, when does she work on Friday?", ["Alice works L on Friday"])),
    Then(["how many hours does Max have?"], Case("is that in line with his contract?", ["Max: 48 h (48 h by contract)"])),
    Then(["how many hours does Alice have?"], Case("and Zoe?", ["“Zoe” is no nurse of this ward; these are: Alice, Bob, "], ())),
    Then(["who can cover the late on Friday?"], Case("what about the 9th?", ["Wednesday 2026-12-09 is outside roster"], ())),
    Then(["who has the most nights?"], Case("what about weekends", ["The fewest weekends: Karl, Lena (0)."])),
    Then(["when does Alice work on Friday?"], Case("can she work E?", ["- E, N: cost 168 more"], ("explain_cell",))),
    Then(["is Charlie on on Saturday?"], Case("why", ["Charlie is off on Saturday 2026-11-28"], ("explain_cell",))),
    Then(["Alice is off sick"],
         Case("from the 1st to the 3rd", [f"{ALICE}: no work, Tuesday 2026-12-01 to Thursday 2026-12-03"], CHANGES)),
    Then(["Alice is ill tomorrow"], Case("sorry, I meant Lena", ["Lena: no work, Thursday 2026-11-26"], CHANGES)),
    Then(["swap Alice and Bob"], Case("on the 2nd", [f"{ALICE}: shift N, Wednesday 2026-12-02"], CHANGES)),
    Then(["Diana resigned"],
         Case("her last day is the 29th", ["Diana: no work, Monday 2026-11-30 to Sunday 2026-12-06",
               "Monday 2026-12-07 and after is in no roster that is published: take her or him out"], CHANGES)),
    Then(["Diana resigned"],
         Case("from the 4th", ["Diana: no work, Friday 2026-12-04 to Sunday 2026-12-06"], CHANGES)),
    Then(["מי עובד הלילה?"], Case("ומחר?", ["יום חמישי, 26 בנובמבר 2026: N: Henry."])),
    # what goes on with nothing
    Then(["swap Alice and Bob on the 2nd"], Case("no, I meant Eva", ["I changed nothing"], ())),
    Then(["Alice is ill tomorrow"], Case("and Friday?", ["I changed nothing"], ())),
    Then(["Alice is ill tomorrow"], Case("not on Friday", ["I changed nothing"], ())),
    Then(["Alice can't work on Friday"], Case("no nights for Ivan please", ["I changed nothing"], ())),
    Then(["publish it"], Case("and tomorrow?", ["I changed nothing"], ())),
    Then(["who works on Friday?", "repaint the kitchen"], Case("and tomorrow?", ["I changed nothing"], ())),
    Then(["who works on Friday?"], Case("and repaint it", ["I cannot read “repaint”"], ())),
)  # fmt: skip


def test_a_message_goes_on_with_the_one_before_it(willow: Desk) -> None:
    async def all_of_them() -> list[str]:
        return [
            wrong
            for place, (before, case) in enumerate(FOLLOWS)
            for wrong in _wrong(
                case,
                await willow.after_an_answer(case.text, f"follow {place}", case.today, before),
                willow.roster_id,
            )
        ]

    assert asyncio.run(all_of_them()) == []


def _wrong(case: Case, state: dict[str, Any], roster_id: str) -> list[str]:
    asked = [question.value for question in state.get("__interrupt__", ())]
    words = asked[0]["text"] if asked else state["answer"]
    tools = [call["tool"] for call in state["plan"]["tools"]]
    missing = [told for told in case.told if told.format(id=roster_id) not in words]
    other = [f"planned {tools}"] if tools != list(case.tools) else []
    is_write = {"apply_requests", "publish_roster"}.isdisjoint(case.tools) == bool(asked)
    unasked = ["asked" if asked else "not asked"] if is_write else []
    return [f"{case.text}: {wrong!r} in {words!r}" for wrong in [*missing, *other, *unasked]]


TODAY = "2026-12-08"
"""The second day of the little roster."""


async def test_without_a_roster_in_the_conversation_the_published_one_is_meant(little: Desk) -> None:
    none = await little.say("who works tomorrow?", "a", TODAY)
    ill = await little.say("Ines is ill tomorrow", "d", TODAY)
    limit = await little.say("Ines at most 2 nights", "e", TODAY)
    await little.versions.decide("publish", little.roster_id)
    told = await little.say("who works tomorrow?", "b", TODAY)
    then = await little.say("and who has the most hours?", "b", TODAY)
    past = await little.say("who works on 2026-11-09?", "c", TODAY)

    assert none.answer.startswith("No roster of Little is published. I make rosters")
    assert "changes a published roster; for a new one, put it into the ward's file" in ill.answer
    assert "That belongs to the ward's file" in limit.answer
    assert "Wednesday 2026-12-09: D: Ines Roy." in told.answer
    assert f"This is roster {little.roster_id} for Little, 7 days from Monday 2026-12-07: published" in told.answer
    assert "The most hours: Ines Roy (24)." in then.answer
    assert "No roster of Little is published for Monday 2026-11-09. Published are: V1 (" in past.answer


async def test_of_what_is_published_only_the_days_to_come_are_changed(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    weekly = await little.say("Noa can't work on Sundays", "b", TODAY)
    span = await little.say("Ines is ill from 7 to 9 December", "c", TODAY)
    wish = await little.say("Ines prefers D", "d", TODAY)
    hebrew = await little.say("Ines חולה מ-7 עד 9 בדצמבר", "e", TODAY)
    over = [await little.say(text, text, TODAY) for text in ("Ines can't work on Mondays", "Ines wants Mondays off")]

    kept = "- Ines Roy: Monday 2026-12-07 is over, and the roster keeps what was worked"
    assert "Noa: no work, Sunday 2026-12-13 (must hold)\n\n" in weekly.answer
    assert "Ines Roy: no work, Tuesday 2026-12-08 to Wednesday 2026-12-09" in span.answer
    assert "Ines Roy: would like shift D, Tuesday 2026-12-08 to Sunday 2026-12-13" in wish.answer
    assert [f"Not covered by this roster:\n{kept}" in each.answer for each in (span, wish)] == [True, True]
    assert "לא מכוסה בסידור הזה:\n- Ines Roy: יום שני, 7 בדצמבר 2026 כבר עבר, והסידור שומר את מה שנעבד" in hebrew.answer
    assert [each.answer.endswith(f"{kept.removeprefix('- ')}.") for each in over] == [True, True]


async def test_days_that_are_past_are_said_to_be_kept_where_nothing_speaks_against_a_change(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    for place, said in enumerate(("Noa can't work from 7 to 9 December", "keep Noa and Ines apart")):
        asked = await little.say(said, f"{place}", TODAY)
        assert (
            "Not covered by this roster:\n- Noa: Monday 2026-12-07 is past already, and kept as it was" in asked.answer
        )


async def test_of_another_ward_that_is_named_nothing_may_be_published(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("show it", "t", TODAY)
    told = await little.say("who works tomorrow in ward willow?", "t", TODAY)

    assert told.answer.startswith("No roster of Willow Ward is published. ")


@pytest.fixture
def wards(tmp_path: Path) -> Callable[[int], Desk]:
    """A desk with so many wards beside the demo ones, Little and Other; none is named in its settings."""

    def made(count: int) -> Desk:
        files = {name: tmp_path / f"{name.lower()}.json" for name in ("little", "other")[:count]}
        for name, path in files.items():
            path.write_text(json.dumps({**LITTLE, "name": name.title()}), encoding="utf-8")
        desk = Desk(
            tmp_path, read_ward(tmp_path / "little.json") if count else read_ward(DEMO / "harbour.yaml"), {}, ""
        )
        desk.graph = build_graph(roster_domain(tmp_path, wards=files)).compile(
            checkpointer=InMemorySaver(), store=desk.store
        )
        return desk

    return made


async def _published(desk: Desk, title: str) -> None:
    ward_hash = desk.kept.keep_ward(desk.ward.model_copy(update={"name": title}))
    await desk.versions.decide(
        "publish", desk.kept.keep_roster(StoredRoster(ward_hash=ward_hash, roster=LITTLE_ROSTER))
    )


async def test_where_no_ward_is_named_the_one_with_a_published_roster_is_meant(wards: Callable[[int], Desk]) -> None:
    desk = wards(2)
    none = await desk.say("who works tomorrow?", "a", TODAY)
    await _published(desk, "Little")
    told = await desk.say("who works tomorrow?", "b", TODAY)
    ill = await desk.say("ines is ill tomorrow", "c", TODAY)
    unread = await desk.say("repaint it", "d", TODAY)

    assert (none.outcome, none.answer.startswith("No roster is published.")) == ("answered", True)
    assert "(harbour, little, other, willow)" in none.answer
    assert "for Little, 7 days from Monday 2026-12-07: published" in told.answer
    assert "For Little I understood:\n- Ines Roy: no work, Wednesday 2026-12-09" in ill.answer
    assert "“Ines Roy is ill tomorrow”" in unread.answer


@pytest.fixture
def unknown_files(tmp_path: Path) -> Desk:
    """No ward is known but the demo wards; a roster of `Little` is published."""
    tmp_path.joinpath("of_somebody.json").write_text(json.dumps(LITTLE), encoding="utf-8")
    desk = Desk(tmp_path, read_ward(tmp_path / "of_somebody.json"), LITTLE_ROSTER, "")
    asyncio.run(desk.versions.decide("publish", desk.roster_id))
    return desk


def test_a_ward_whose_file_is_not_known_here_is_changed_as_its_roster_was_made(unknown_files: Desk) -> None:
    async def talk() -> list[Result]:
        asked = await unknown_files.say("Ines is ill tomorrow", "t", TODAY)
        made = await unknown_files.go_on("t", "yes", TODAY)
        return [asked, made, *[await unknown_files.say("make next month's", each, TODAY) for each in ("t", "u")]]

    asked, made, *further = asyncio.run(talk())

    assert "For Little I understood:\n- Ines Roy: no work, Wednesday 2026-12-09" in asked.answer
    assert "2 cells differ from the published roster." in made.answer
    told = (
        "The file of Little is not known here. `wavegraph roster generate FILE --start 2026-12-14 --days 28` makes it"
    )
    assert all(told in each.answer for each in further)


async def test_of_several_wards_without_a_file_here_the_one_that_is_named_is_meant(unknown_files: Desk) -> None:
    await _published(unknown_files, "Other")
    asked = await unknown_files.say("Ines is ill tomorrow", "t", TODAY)
    told = await unknown_files.say("Other", "t", TODAY)

    assert asked.answer == "Which ward is it about: Little, Other?"
    assert "For Other I understood:\n- Ines Roy: no work, Wednesday 2026-12-09" in told.answer


@pytest.mark.parametrize("named", ["other", "in ward Other", "the other ward please"])
async def test_of_several_published_wards_the_one_that_is_meant_is_asked_for(
    named: str, wards: Callable[[int], Desk]
) -> None:
    desk = wards(2)
    await _published(desk, "Little")
    await _published(desk, "Other")
    asked = await desk.say("Ines is ill tomorrow", "t", TODAY)
    told = await desk.say(named, "t", TODAY)
    at_once = await desk.say("Ines is ill tomorrow in ward other", "u", TODAY)
    hebrew = await desk.say("מי עובד מחר?", "h", TODAY)

    assert (asked.outcome, asked.answer) == ("clarify", "Which ward is it about: Little, Other?")
    assert "For Other I understood:\n- Ines Roy: no work, Wednesday 2026-12-09" in told.answer
    assert "For Other I understood:" in at_once.answer
    assert hebrew.answer == "על איזו מחלקה מדובר: Little, Other?"


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "No ward was named, so this is a demo ward, Harbour Ward"),
        (1, "No ward was named, so this is for Little, the only one here."),
        (2, "Which ward is it about: little, other?"),
    ],
)
async def test_a_roster_of_no_ward_that_is_named_is_made_for_the_only_one(
    count: int, told: str, wards: Callable[[int], Desk]
) -> None:
    desk = wards(count)
    made = await desk.say("make a roster", "t", TODAY)
    asked = made.outcome == "awaiting_approval"
    ended = await desk.go_on("t", "draft", TODAY) if asked else made
    then = await desk.say("the little one", "t", TODAY) if count == 2 else ended

    assert told in ended.answer
    assert (then.results["get_staff"]["data"]["ward"]) == ("Little" if count else "Harbour Ward")


async def test_a_conversation_from_a_change_to_its_publication_and_back(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("show it", "t", TODAY)
    asked = await little.say("Ines can't come on Wednesday", "t", TODAY)
    changed = await little.go_on("t", "yes", TODAY)
    compared = await little.say("compare with the last one", "t", TODAY)
    repaired = changed.results["get_report"]["data"]["roster_id"]
    publishing = await little.say("publish it", "t", TODAY)
    published = await little.go_on("t", "yes", TODAY)
    back = await little.say("undo that", "t", TODAY)
    reports = [changed, await little.say("does it pass?", "t", TODAY)]
    assert "2 cells differ from the roster that it replaced." in reports[1].answer

    assert "Ines Roy: no work, Wednesday 2026-12-09 (must hold)" in asked.answer
    assert "2 cells differ from the published roster." in changed.answer
    assert changed.answer.endswith("It is not published yet: say “publish it” to publish it.")
    assert f"Roster {repaired} against {little.roster_id}: 2 cells differ." in compared.answer
    assert f"it replaces V1 ({little.roster_id}" in publishing.answer
    assert "Published, as you approved." in published.answer
    assert "not published yet" not in published.answer
    assert [each.results["get_report"]["data"]["status"] for each in reports] == ["none", "published"]
    assert [each.status for each in await little.versions.versions(little.ward)] == ["replaced", "published"]
    assert "`wavegraph roster publish little --undo`" in back.answer


async def test_a_change_that_is_not_published_is_left_behind(little: Desk) -> None:
    first = (await little.say(f"show {little.roster_id}", "t", TODAY)).results["look_at_roster"]["data"]["roster_id"]
    await little.say("lock Tal's shifts on the 12th and give Noa leave from the 13th to the 13th", "t", TODAY)
    changed = await little.go_on("t", "yes", TODAY)
    await little.say("thanks", "t", TODAY)
    back = await little.say("undo that", "t", TODAY)
    again = await little.say("who works on the 13th?", "t", TODAY)

    assert changed.results["get_report"]["data"]["roster_id"] != first
    assert ": not published, and it " in back.answer
    assert "Sunday 2026-12-13: D: Noa." in again.answer
    assert f"roster {first} " in again.answer


async def two_weeks(little: Desk) -> str:
    """Both are published; the id of the second."""
    await little.versions.decide("publish", little.roster_id)
    ward_hash = little.kept.keep_ward(read_ward(little.folder / "little.json", start=date(2026, 12, 14), days=7))
    second = little.kept.keep_roster(StoredRoster(ward_hash=ward_hash, roster=little.roster))
    await little.versions.decide("publish", second)
    return second


async def test_leave_over_the_end_of_a_roster_is_asked_for_in_the_next_one_too(little: Desk) -> None:
    second = await two_weeks(little)
    asked = await little.say("give Noa leave from 12 to 14 December", "t", TODAY)
    await little.go_on("t", "yes", TODAY)
    then = await little.say("give Noa leave on 14 December 2026", "t", TODAY)

    assert "- Noa: no work, Saturday 2026-12-12 to Sunday 2026-12-13 (must hold)" in asked.answer
    assert f"- Noa: Monday 2026-12-14 is in another roster, V2 ({second}, Monday 2026-12-14 to Sunday" in asked.answer
    assert "once this one is decided, ask for “give Noa leave on 14 December 2026”" in asked.answer
    assert "- Noa: no work, Monday 2026-12-14 (must hold)" in then.answer
    assert then.results["find_roster"]["data"]["roster_id"] == second


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("who is working today?", "Monday 2026-12-07: D: Ines Roy."),
        ("does Tal work today?", "Tal Roy is off on Monday 2026-12-07."),
        ("who can replace Ines today?", "Who can take D of Monday 2026-12-07"),
    ],
)
async def test_a_question_about_days_of_another_roster_is_answered_from_the_published_one(
    little: Desk, text: str, told: str
) -> None:
    await little.say(f"show {await two_weeks(little)}", "t", TODAY)
    asked = await little.say(text, "t", "2026-12-07")
    assert told in asked.answer
    assert f"roster {little.roster_id} " in asked.answer


async def test_what_was_asked_for_is_kept_by_a_later_repair(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("give Ines leave on 9 December and Noa leave on 10 December", "t", TODAY)
    asked = await little.go_on("t", "yes", TODAY)
    repaired = asked.results["get_report"]["data"]["roster_id"]
    for further, told in (
        ({}, "- kept: Ines Roy: no work, Wednesday 2026-12-09 (must hold)"),
        (
            {"locked": [{"nurse": "n0", "day": "2026-12-09", "shift": "D"}]},
            "left out, the ward's file has it otherwise",
        ),
        ({"nurses": LITTLE["nurses"][1:]}, "left out, Ines Roy is not in the ward's file any more"),
    ):
        little.folder.joinpath("little.json").write_text(json.dumps(LITTLE | further), encoding="utf-8")
        settings = {**little.settings(TODAY), "repair": repaired}
        made = await run(little.graph, "make the roster for little", thread_id=f"{further}", settings=settings)
        assert told in made.answer
        assert "- kept: Noa: no work, Thursday 2026-12-10 (must hold)" in made.answer
        assert "Asked for before the repair, and still held:" in made.answer
    assert "- Ines Roy is not in the ward's file any more; open again: D on Monday 2026-12-07" in made.answer


async def test_of_two_who_change_a_roster_at_once_the_second_is_told_before_a_yes(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    for thread, day in (("a", 9), ("b", 11), ("c", 12)):
        await little.say(f"give {'Ines' if thread == 'a' else 'Noa'} leave on {day} December", thread, TODAY)
    await little.go_on("a", "yes", TODAY)
    await little.go_on("b", "yes", TODAY)
    await little.say("publish it", "a", TODAY)
    await little.go_on("a", "yes", TODAY)
    solved = await little.say("publish it", "b", TODAY)
    waited = await little.go_on("c", "yes", TODAY)
    again = await little.say("give Noa leave on 12 December", "c", TODAY)
    made = await little.go_on("c", "yes", TODAY)
    asked = await little.say("publish it", "c", TODAY)

    assert solved.question is None
    assert "cannot be published: V2 (" in solved.answer
    assert "Say once more what should change: it is then made from the published one." in solved.answer
    assert "Nothing was changed: ask for it once more" in waited.answer
    assert "- Noa: no work, Saturday 2026-12-12 (must hold)" in again.answer
    assert "- kept: Ines Roy: no work, Wednesday 2026-12-09 (must hold)" in made.answer
    assert "has been published since the roster that was spoken of, and the change is made in it" in made.answer
    assert "it replaces V2 (" in asked.answer
    assert "only as a draft" not in asked.answer


async def test_one_that_was_published_with_the_same_cells_and_other_leave_makes_a_waiting_change_stale(
    little: Desk,
) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("give Noa leave on 9 December", "a", TODAY)
    await little.say("give Tal leave on 12 December", "b", TODAY)
    await little.go_on("b", "yes", TODAY)
    await little.say("publish it", "b", TODAY)
    await little.go_on("b", "yes", TODAY)
    waited = await little.go_on("a", "yes", TODAY)
    await little.say("give Noa leave on 9 December", "a", TODAY)
    made = await little.go_on("a", "yes", TODAY)

    versions = await little.versions.versions(little.ward)
    assert len({json.dumps(little.kept.stored_roster(each.roster_id).roster) for each in versions}) == 1
    assert "Nothing was changed: ask for it once more" in waited.answer
    assert "- kept: Tal Roy: no work, Saturday 2026-12-12 (must hold)" in made.answer


async def test_what_is_published_is_not_published_again_and_a_draft_of_it_says_that_it_withdraws(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("swap Tal and Noa on the 11th", "t", TODAY)
    await little.go_on("t", "yes", TODAY)
    told = await little.say("publish it", "t", TODAY)
    asked = await little.say("publish it as a draft", "t", TODAY)
    ended = await little.go_on("t", "yes", TODAY)

    assert told.question is None
    assert "is published already (V2), " in told.answer
    assert "as a draft it is withdrawn, and nothing is published for these days" in asked.answer
    assert "To be kept as a draft" in asked.answer
    assert "nothing is published for these days any more" in ended.answer


async def test_a_question_tells_in_words_what_was_applied_before_it(little: Desk) -> None:
    """Somebody is left below the minimum, so that the manager is asked at once."""
    need = [{"weekdays": EVERY_DAY, "shift": "D", "minimum": 3, "target": 3}]
    little.folder.joinpath("little.json").write_text(json.dumps(LITTLE | {"demand": need}), encoding="utf-8")
    await little.versions.decide("publish", little.roster_id)
    await little.say("give Ines leave from 12 to 15 December", "t", TODAY)
    asked = await little.go_on("t", "yes", TODAY)

    assert asked.question is not None
    assert asked.question["tool"] == "publish_roster"
    assert asked.answer.startswith("Applied to Little as you confirmed; nothing is published by that:\n- Ines Roy")
    assert "Asked for, and not covered by this roster:\n- Ines Roy: Monday 2026-12-14 to" in asked.answer
    assert "ward_hash" not in asked.answer


async def test_the_days_that_a_repair_froze_can_be_asked_about_and_swapped_once_it_is_published(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("give Noa leave on 12 December", "t", TODAY)
    await little.go_on("t", "yes", TODAY)
    await little.say("publish it", "t", TODAY)
    await little.go_on("t", "yes", TODAY)
    who = await little.say("who can take Ines's shift on 9 December?", "t", TODAY)
    why = await little.say("why does Noa have 9 December off?", "t", TODAY)
    await little.say("swap Ines and Noa on 9 December", "t", TODAY)
    ended = await little.go_on("t", "yes", TODAY)

    cover, cell = who.results["who_can_cover"]["data"], why.results["explain_cell"]["data"]
    assert cover["version"] == 2
    assert {each["nurse"] for each in cover["candidates"] if each["may"]} == {"n1", "n2"}
    assert not [each for each in cell["holds"] if each["kind"] == "locked"]
    swapped = ended.results["swap_shifts"]["data"]["roster_id"]
    assert little.kept.report(swapped).compliance.findings == []


async def test_a_swap_in_what_is_published_is_published_after_a_yes(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    asked = await little.say("swap Tal and Noa on the 11th and publish it", "t", TODAY)
    ended = await little.go_on("t", "yes", TODAY)
    back = await little.say("undo that", "t", TODAY)
    told = await little.say("who works on the 11th?", "t", TODAY)

    assert "- Tal Roy, Friday 2026-12-11: D → off" in asked.answer
    assert "The swap is published: roster" in ended.answer
    assert "Friday 2026-12-11: D: Noa." in told.answer
    assert "(V2)" in ended.answer
    assert "`wavegraph roster publish little --undo`" in back.answer


async def test_a_swap_that_breaks_a_rule_names_whose_it_is(willow: Desk) -> None:
    await willow.versions.decide("publish", willow.roster_id)
    refused = await willow.say("swap Alice and Henry on 2 December", "breaks", DURING)
    await willow.versions.undo(willow.ward)
    assert "it would break a rule: Henry has 8 h between L" in refused.answer


@pytest.fixture
def strict(tmp_path: Path) -> Desk:
    """The little ward, which allows no single day off: its roster, which is published, has none."""
    allowed = {**dict.fromkeys(ALLOWED), "isolated_day_off": 0}
    path = tmp_path / "strict.json"
    path.write_text(json.dumps({**LITTLE, "fairness": {"allowed": allowed}}), encoding="utf-8")
    desk = Desk(tmp_path, read_ward(path), LITTLE_ROSTER, "little")
    asyncio.run(desk.versions.decide("publish", desk.roster_id))
    return desk


def test_a_swap_by_which_a_roster_fails_names_what_fails_and_needs_its_code(
    strict: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavegraph.graph.dialogue.questions.LONG_TERMS", 10_000)  # no code for their length

    async def talk() -> tuple[Result, Result, Result]:
        asked = await strict.say("swap Ines and Tal on the 8th", "t", TODAY)
        plain = await resume(strict.graph, "t", reply="yes", settings=strict.settings(TODAY))
        return asked, plain, await strict.go_on("t", "yes", TODAY)

    asked, plain, ended = asyncio.run(talk())

    assert asked.question is not None
    assert "The roster fails these checks with it, which it did not without:" in asked.question["text"]
    assert plain.outcome == "awaiting_approval"
    assert "The swap is published: roster" in ended.answer
    assert not strict.kept.report(ended.results["swap_shifts"]["data"]["roster_id"]).passed


def test_a_roster_that_fails_is_published_by_its_code_alone(strict: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wavegraph.graph.dialogue.questions.LONG_TERMS", 10_000)
    single = {
        "n0": ["D", None, "D", *[None] * 4],
        "n1": [None, "D", None, "D", "D", None, None],
        "n2": LITTLE_ROSTER["n2"],
    }
    failing = strict.kept.keep_roster(StoredRoster(ward_hash=strict.kept.keep_ward(strict.ward), roster=single))

    asked = asyncio.run(strict.say(f"publish {failing}", "t", TODAY))
    kept = asyncio.run(strict.say(f"publish {strict.roster_id} as a draft", "u", TODAY))

    assert asked.question
    assert kept.question
    assert asked.question["agree_with"].startswith("yes ")
    assert kept.question["agree_with"] == "yes"


FURTHER = [
    ("make the next one", "2026-12-14", 7),
    ("make next month's", "2026-12-14", 28),
    ("make next months roster", "2026-12-14", 28),
    ("start over with next month", "2026-12-14", 28),
    ("make the roster for January", "2027-01-01", 31),
    ("from the 14th for two weeks", "2026-12-14", 14),
]


async def test_a_further_roster_is_planned_for_the_days_that_were_said(little: Desk) -> None:
    """Up to the first wave: what follows is made like any other roster."""
    planned = [
        (await little.after_an_answer(text, text, TODAY, stop_before=["execute_wave"]))["plan"]["tools"]
        for text, _, _ in FURTHER
    ]

    assert [(calls[0]["args"]["start_date"], calls[0]["args"]["num_days"]) for calls in planned] == [
        (start, days) for _, start, days in FURTHER
    ]
    assert {(calls[0]["args"]["ward"], calls[-1]["tool"]) for calls in planned} == {("little", "generate_roster")}


async def test_the_next_one_of_a_ward_that_is_named_follows_its_published_roster(wards: Callable[[int], Desk]) -> None:
    desk = wards(1)
    await _published(desk, "Little")
    made = await desk.say("make the next one for little", "t", TODAY)

    assert "It follows the 7 days before Monday 2026-12-14 and the counts of 7 days." in made.answer


async def test_the_same_roster_is_made_again(little: Desk) -> None:
    await little.say(f"show {little.roster_id}", "t", TODAY)
    made = (await little.say("make it again", "t", TODAY)).results["generate_roster"]["data"]

    assert (made["ward"], made["start"], made["days"]) == ("Little", "2026-12-07", 7)


async def test_the_next_roster_follows_the_one_that_is_spoken_of_also_unpublished(little: Desk) -> None:
    await little.say(f"show {little.roster_id}", "t", TODAY)
    made = await little.say("make the next one", "t", TODAY)

    assert "It follows the 7 days before Monday 2026-12-14 and the counts of 7 days." in made.answer


async def test_of_two_with_one_name_the_person_chooses(little: Desk) -> None:
    told = await little.after_an_answer("how many hours does Roy have?", "t", TODAY)

    assert told["answer"] == "“Roy” is more than one nurse: Ines Roy, Tal Roy. Which nurse do you mean?"
    assert told["outcome"] == "clarify"


async def test_a_published_roster_of_another_machine_is_brought_here(little: Desk, tmp_path: Path) -> None:
    await little.versions.decide("publish", little.roster_id)
    (tmp_path / "here").mkdir()
    here = Desk(
        tmp_path / "here", little.ward, {nurse: [None] * 7 for nurse in LITTLE_ROSTER}, "little", store=little.store
    )
    told = await here.say(f"who works on the 11th in roster {little.roster_id}?", "t", TODAY)
    unknown = await here.say(f"show {'0' * 16}", "u", TODAY)

    assert "Friday 2026-12-11: D: Tal Roy." in told.answer
    assert f"nothing is kept under the id '{'0' * 16}'" in unknown.answer


async def test_what_is_over_stays_as_it_is(little: Desk) -> None:
    await little.versions.decide("publish", little.roster_id)
    await little.say("show it", "t", "2026-12-10")
    await little.say("lock Ines' shifts and give Tal leave from the 11th to the 11th", "t", "2026-12-10")
    changed = await little.go_on("t", "yes", "2026-12-10")
    made = little.kept.stored_roster(changed.results["get_report"]["data"]["roster_id"]).roster

    assert [row[:3] for row in made.values()] == [row[:3] for row in LITTLE_ROSTER.values()]
    assert made["n1"][4] is None


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("what if we had one more nurse?", "add-nurse n0"),
        ("what if there were two more nurses like Noa?", "add-nurse n2; add-nurse n2"),
        ("What if Noa left?", "drop-nurse n2"),
    ],
)
async def test_what_if_is_solved_beside_the_ward_as_it_is(little: Desk, text: str, change: str) -> None:
    await little.say(f"show {little.roster_id}", "t", TODAY)
    told = await little.say(text, "t", TODAY)

    assert [column["name"] for column in told.results["what_if"]["data"]["columns"]] == ["today", change]
    assert "nothing was kept or published" in told.answer


async def test_what_if_is_compared_with_the_roster_that_stands(little: Desk) -> None:
    made = await little.say("make the roster", "t", TODAY)
    told = await little.say("what if Noa left?", "t", TODAY)

    roster, found = made.results["generate_roster"]["data"], told.results["what_if"]["data"]
    assert (found["roster_id"], found["columns"][0]["cost"]) == (roster["roster_id"], roster["cost"])
    assert f"Roster {roster['roster_id']} as it stands, and what it would be with the change" in told.answer
    assert "- As it stands: nurses: 3; " in told.answer
    assert "- “drop-nurse n2”: there is such a roster; nurses: 2, 1 less; " in told.answer
    assert told.answer.index("“drop-nurse n2”") < told.answer.index("As it stands: ")


async def test_a_swap_in_what_is_not_published_keeps_every_other_cell(little: Desk) -> None:
    await little.say(f"show {little.roster_id}", "t", TODAY)
    await little.say("swap Tal and Noa on the 11th", "t", TODAY)
    made = await little.go_on("t", "yes", TODAY)
    then = await little.say("give Noa leave on 12 December", "t", TODAY)

    result = made.results["generate_roster"]["data"]
    expected = {name: list(row) for name, row in LITTLE_ROSTER.items()}
    expected["n1"][4], expected["n2"][4] = None, "D"
    assert little.kept.stored_roster(result["roster_id"]).roster == expected
    assert f"Every other cell is as in roster {little.roster_id}." in made.answer
    assert "Besides what was asked for" not in made.answer
    assert "no roster can cost less" not in made.answer
    assert "- Noa: no work, Saturday 2026-12-12 (must hold)" in then.answer


async def test_a_swap_that_the_other_cells_forbid_changes_as_few_as_possible_and_says_which(little: Desk) -> None:
    tied = {"contract": Contract(max_run=2)}
    *others, noa = little.ward.nurses
    ward = little.ward.changed(nurses=[*others, noa.model_copy(update=tied)])
    kept = little.kept.keep_roster(StoredRoster(ward_hash=little.kept.keep_ward(ward), roster=LITTLE_ROSTER))
    await little.say(f"show {kept}", "t", TODAY)
    await little.say("swap Tal and Noa on the 11th", "t", TODAY)
    made = await little.go_on("t", "yes", TODAY)

    asked = await little.say("publish it", "t", TODAY)

    assert f"With every other cell as in roster {kept} this cannot be done (no roster keeps " in made.answer
    assert "at most 2 days in a row for Noa" in made.answer
    assert (
        f"Besides what was asked for, this differs from roster {kept}:\n- Noa, Sunday 2026-12-13: D → off"
        in made.answer
    )
    assert (
        f"What else differs from roster {kept}, which was changed:\n- Noa, Sunday 2026-12-13: D → off" in asked.answer
    )


@pytest.mark.parametrize("reply", ["yes", "willow"])
async def test_a_ward_with_a_slip_is_asked_back_and_then_taken(reply: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path, read_ward(DEMO / "willow.yaml"), {}, "")
    asked = await desk.say("make the roster for Wilow for 2 days", reply)
    assert asked.answer == "There is no ward “Wilow” here: did you mean willow?"

    made = await desk.say(reply, reply)
    staff = made.results["get_staff"]["args"]
    assert (staff["ward"], staff["num_days"]) == ("willow", 2)


async def test_a_slip_in_a_ward_is_asked_back_where_a_roster_is_spoken_of(willow: Desk) -> None:
    found = await willow.after_an_answer("who works tonight on Harbor?", "slip")
    assert "There is no ward “Harbor” here: did you mean harbour?" in str(found["messages"])


@pytest.mark.parametrize("nod", ["👍", "👍🏽", "ok", "yes", "no", "sure"])
async def test_a_yes_after_a_declined_publication_agrees_to_nothing(nod: str, little: Desk) -> None:
    await little.say(f"publish {little.roster_id}", nod)
    declined = await little.go_on(nod, "no")
    assert "Not published" in declined.answer
    ended = await little.say(nod, nod)

    assert ended.answer.startswith("Nothing here waits for a yes or a no, and nothing was done by yours.")
    assert not ended.results
    assert await little.versions.versions(little.ward) == []
