"""What a judge holds an answer about a roster against."""

from collections.abc import Mapping, Sequence

from wavegraph.graph.model.judge import GENERAL
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.loop.generation import TOOL

ROSTER = "roster"

CRITERIA: Mapping[str, str] = {
    "verdict": "It begins with whether there is a roster that passes, of which ward and days.",
    "failed": "Each type of check that still fails is named.",
    "requests": "What was asked for about people is told as kept, partly, not, or as what cannot be held.",
    "decision": "It is plain what became of a publication that was asked about.",
}
KINDS: Mapping[str, Sequence[str]] = {ROSTER: tuple(CRITERIA), GENERAL: ()}


def kind_of(view: AnswerView) -> str:
    """A roster was to be made, reported on or published; else it is a question about a ward."""
    about_rosters = {TOOL, "get_report", "publish_roster"}
    return ROSTER if any(call["tool"] in about_rosters for call in view.ledger["calls"].values()) else GENERAL
