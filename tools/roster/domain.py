"""The roster generator as a domain: its tools, checks, planner and limits put together."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wavegraph.graph.domain import Check, Checks, Domain, NamedCheck, Sayable
from wavegraph.graph.limits import Limits
from wavegraph.graph.views import PlanningView
from wavegraph.prompts import render
from wavegraph.tools.roster.criteria import CRITERIA, KINDS, kind_of
from wavegraph.tools.roster.dialogue.held import contradictions
from wavegraph.tools.roster.dialogue.reply_forms import roster_replies
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.loop.round_checks import RoundChecks
from wavegraph.tools.roster.loop.rounds import best, rounds_of
from wavegraph.tools.roster.offline import RosterOffline, candidate_rounds
from wavegraph.tools.roster.script import SCRIPT
from wavegraph.tools.roster.settings import ROUNDS, RosterSettings
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.tools import roster_tools
from wavegraph.tools.roster.wards import Wards

DESCRIPTION = (
    "Makes nurse rosters: solves a ward's shifts, checks the result against the rules and for fairness, raises what "
    "was too weak and solves again, at most three rounds; a roster that still fails is the manager's to decide on."
)


def roster_domain(
    data_dir: Path | None = None,
    *,
    database: str | None = None,
    wards: Mapping[str, Path] | Wards | None = None,
    more_checks: Sequence[Check] = (),
) -> Domain:
    """The roster generator.

    `data_dir`: where wards and rosters are kept; None = the user's data folder. `database`: a PostgreSQL database that keeps
    them instead, for any number of machines; None = the one that WAVEGRAPH_DATABASE names, unless there is a `data_dir`.
    `wards`: ward files by name, besides the demo wards and those of WAVEGRAPH_WARDS; or a `Wards`, which knows its own store. `more_checks`: run on every round
    besides compliance and empathy; an issue of a type that `penalty_kinds.penalty_of` knows raises that penalty.

    Raises SettingsError where WAVEGRAPH_WARDS is no folder.
    """
    known = wards if isinstance(wards, Wards) else Wards(RosterStore(data_dir, database), wards)
    store = known.store
    checks = RoundChecks(store)
    remarked = [checks.remarked(check, str(number)) for number, check in enumerate(more_checks)]

    compliance, empathy = NamedCheck("compliance", checks.compliance), NamedCheck("empathy", checks.empathy)

    def report(view: PlanningView) -> dict[str, Any] | None:
        rounds = rounds_of(view.ledger, view.issues, store)
        if not rounds:
            return None
        found = best(candidate_rounds(view, rounds))
        for each in rounds:
            if each.roster_id:
                store.keep_rounds(each.roster_id, rounds)
        records = [each.model_dump(mode="json") for each in rounds]
        return {"rounds": records, "best": found.roster_id if found else None}

    offline = RosterOffline(known)
    return Domain(
        name="roster",
        description=DESCRIPTION,
        tools=roster_tools(known),
        offline=offline,
        catalogue=Sayable(offline.statements, replies=roster_replies(known), above_terms=offline.above_terms),
        checks=Checks(
            {TOOL: [compliance, empathy, checks.stopped, *remarked]},
            calls=partial(contradictions, wards=known),
            report=report,
        ),
        script=SCRIPT,
        # Context, three rounds, the report, the manager's question, one more round and the same again. Solving may
        # take hours where it is asked to (`time_limit_s`), which ends each round by itself.
        limits=Limits(
            max_adaptations=ROUNDS - 1,
            max_retries_per_issue=2,
            max_waves=12,
            max_tool_calls=20,
            tool_timeout_s=4000,
            request_timeout_s=12_000,
        ),
        settings=RosterSettings,
        criteria=CRITERIA,
        kinds=KINDS,
        kind_of=kind_of,
        prompts={
            "plan": render("roster/plan", wards=json.dumps(known.names)),
            "plan_again": render("roster/plan_again"),
            "plan_follow_up": render("roster/plan_follow_up"),
            "respond": render("roster/respond"),
            "check_answer": render("roster/check_answer"),
        },
    )
