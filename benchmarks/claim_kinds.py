"""How many kinds of invented sentences an answer keeps out, as it is written and, as before, traced.

    python -m benchmarks.claim_kinds --kinds ../shared/data/claim_kinds.json
    python -m benchmarks.claim_kinds --domain roster --kinds tests/data/roster_claim_kinds.json

Each sentence is put behind a true answer to the request that its file names, in the demo hotel or the demo ward; it is
caught where it does not stand in what the person reads. The file has `kinds`: `kind`, and `sentences` with `text` and
perhaps `slots`: the same said with ids.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from wavegraph import AnswerView, Domain, build_graph
from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.domain import Offline
from wavegraph.graph.guard.replies import catalogue_for
from wavegraph.graph.state import PlanningResult
from wavegraph.graph.tracing.untraced import untraced
from wavegraph.graph.views import PlanningView
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.roster.domain import roster_domain

REQUESTS = {
    "en": "A room for 2 adults, January 17-19 2027. Is there parking, can I bring my dog, and when is breakfast?",
    "he": "חדר לשני מבוגרים, 17-19 בינואר 2027. יש חניה, אפשר להביא כלב, ומתי ארוחת הבוקר?",
}
TRUE = {
    "en": "Happy to help. On {{s1}}:\n{{s1.o1.line}}\n{{parking.1}} {{parking.2}} {{pets.1}} {{pets.2}} {{pets.3}} {{breakfast.1}} {{breakfast.2}}",
    "he": "{{gladly}} {{s1}}:\n{{s1.o1.line}}\n{{parking.1}} {{parking.2}} {{pets.1}} {{pets.2}} {{pets.3}} {{breakfast.1}} {{breakfast.2}}",
}
ROSTER_REQUEST = "make the roster for willow"
TRUE_OF_ROSTER = {
    "en": "{{gladly}} {{verdict}}\n{{fairness}} {{fairness.lowest}}\nOn the hours: {{n.nurse_003.hours}}.\n{{ask_else}}",
    "he": "{{gladly}} {{verdict}}\n{{fairness}} {{fairness.lowest}}\nלגבי השעות: {{n.nurse_003.hours}}.\n{{ask_else}}",
}
_OTHER_NAMES = {"s1.stay": "s1", "s1.arrive": "s1", "total": "price", "night": "price", "board": "line"}
"""Of statements in the file: our ids for them, or for their last part."""


class Seen:
    """A domain's own rules, which keep the view that they answered from."""

    view: AnswerView

    def __init__(self, offline: Offline) -> None:
        self._offline = offline

    def plan(self, view: PlanningView) -> PlanningResult:
        return self._offline.plan(view)

    def respond(self, view: AnswerView) -> str:
        self.view = view
        return self._offline.respond(view)


@dataclass(frozen=True)
class Desk:
    """A request that was answered, for more answers to it."""

    view: AnswerView
    domain: Domain

    def gate(self) -> Gate:
        return Gate(catalogue_for(self.domain, self.view))

    def traced(self, answer: str) -> Sequence[str]:
        return untraced(self.domain, answer, self.view)

    def in_language(self, language: str) -> "Desk":
        """The same request, answered in another language."""
        return replace(self, view=replace(self.view, request={**self.view.request, "language": language}))


def desk_for(request: str, domain: Domain, **settings: Any) -> Desk:
    assert domain.offline
    offline = Seen(domain.offline)
    graph = build_graph(replace(domain, offline=offline)).compile()
    graph.invoke({"messages": [HumanMessage(request)]}, context={"today": "2026-11-20", "planner": "rules", **settings})
    return Desk(offline.view, domain)


def hotel_desks(folder: Path) -> dict[str, Desk]:
    return {language: desk_for(text, hotel_domain(folder)) for language, text in REQUESTS.items()}


def roster_desks(folder: Path, request: str = ROSTER_REQUEST) -> dict[str, Desk]:
    desk = desk_for(request, roster_domain(folder), time_limit_s=10)
    return {language: desk.in_language(language) for language in TRUE_OF_ROSTER}


def language_of(text: str) -> str:
    return "he" if re.search("[א-ת]", text) else "en"


def is_caught(lie: str, desk: Desk, true: str) -> bool:
    """Whether the sentence does not stand behind a true answer."""
    gate = desk.gate()
    gate.feed(f"{true}\n{lie}")
    gate.rest()
    return bool(gate.refused)


def with_our_ids(slots: str) -> str:
    return re.sub(r"\{\{([\w.]+)\}\}", lambda found: f"{{{{{_our_id(found[1])}}}}}", slots)


def _our_id(name: str) -> str:
    front, _, last = name.rpartition(".")
    return _OTHER_NAMES.get(name) or (f"{front}.{_OTHER_NAMES.get(last, last)}" if front else name)


def rows(
    kinds: Sequence[Mapping[str, Any]], desks: Mapping[str, Desk], true: Mapping[str, str] = TRUE
) -> list[dict[str, Any]]:
    """Per kind: how many sentences, caught as written with and without ids, and traced."""
    found = []
    for kind in kinds:
        row = {"kind": kind["kind"], "sentences": 0, "caught": 0, "traced": 0, "missed": []}
        for sentence in kind["sentences"]:
            desk = desks[language := language_of(sentence["text"])]
            forms = [sentence["text"], *([with_our_ids(sentence["slots"])] if sentence.get("slots") else [])]
            missed = [form for form in forms if not is_caught(form, desk, true[language])]
            row["sentences"] += 1
            row["caught"] += not missed
            row["traced"] += bool(desk.traced(sentence["text"]))
            row["missed"] += missed
        found.append(row)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", type=Path, required=True, help="the file of invented sentences")
    parser.add_argument("--domain", choices=("hotel", "roster"), default="hotel", help="whose answers (hotel)")
    parser.add_argument("--request", default=ROSTER_REQUEST, help="of the roster's answers (%(default)s)")
    given = parser.parse_args()
    if not given.kinds.is_file():
        sys.exit(f"no file {given.kinds}: it is part of the data this project is measured with, not of the project")
    kinds = json.loads(given.kinds.read_text(encoding="utf-8"))["kinds"]
    with tempfile.TemporaryDirectory() as folder:
        of_roster = given.domain == "roster"
        desks = roster_desks(Path(folder), given.request) if of_roster else hotel_desks(Path(folder))
        table = rows(kinds, desks, TRUE_OF_ROSTER if of_roster else TRUE)
    for row in table:
        print(f"{row['kind']:40} {row['caught']}/{row['sentences']}  traced {row['traced']}/{row['sentences']}")
        print(*(f"    {missed}" for missed in row["missed"]), sep="\n", end="\n" if row["missed"] else "")
    for name in ("caught", "traced"):
        whole = sum(row[name] == row["sentences"] for row in table)
        print(
            f"{name}: {whole} of {len(table)} kinds, {sum(row[name] for row in table)} of {sum(row['sentences'] for row in table)} sentences"
        )


if __name__ == "__main__":
    main()
