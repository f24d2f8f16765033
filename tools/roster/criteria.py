"""What a judge holds an answer about a roster against."""

from collections.abc import Mapping, Sequence

from wavegraph.graph.model.judge import GENERAL
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.loop.generation import TOOL

ROSTER = "roster"

CRITERIA: Mapping[str, str] = {
    "verdict": "The answer begins with whether the roster passes, or that there is none, and for which ward and days.",
    "bound": "Where the roster's cost is told, the proven bound is told beside it.",
    "failed": "Each type of check that still fails is named, with the nurse and the date where its issue has them; of many "
    "of one type some are enough, if the answer says that there are more.",
    "requests": "What was asked for about people is told as kept, partly kept or not kept, as the report has it, with the days "
    "on which it is not; what could not be held is told as that.",
    "decision": "Where the manager was asked about publishing, it is plain what became of it.",
}
KINDS: Mapping[str, Sequence[str]] = {ROSTER: tuple(CRITERIA), GENERAL: ()}


def kind_of(view: AnswerView) -> str:
    """A roster was to be made, reported on or published; else it is a question about a ward."""
    about_rosters = {TOOL, "get_report", "publish_roster"}
    return ROSTER if any(call["tool"] in about_rosters for call in view.ledger["calls"].values()) else GENERAL
