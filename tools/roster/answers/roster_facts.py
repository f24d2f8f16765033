"""Facts about a roster: its verdict and cost, what failed, its rounds, and what the manager decided."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from wavegraph.graph.ledger import GOOD, outcome_of
from wavegraph.graph.state import ToolOutcome, ValidationIssue
from wavegraph.tools.roster.answers.facts import Fact, Work
from wavegraph.tools.roster.answers.phrases import TABLES, findings_in_words, one_line, refused, say
from wavegraph.tools.roster.answers.receipts import decision_in_words
from wavegraph.tools.roster.loop.rounds import (
    STOPS,
    bound_told,
    looks_of,
    more_time,
    results_of,
    round_results,
)
from wavegraph.tools.roster.records import (
    Amended,
    Generated,
    Looked,
    NothingPublished,
    PastKnown,
    Publication,
    Reported,
    RosterPeriod,
    Round,
    StaffSummary,
)
from wavegraph.tools.roster.told import moved_cell, repaired_cell, told
from wavegraph.tools.roster.ward.finding_types import FINDING_TYPES

MOST_LISTED = 12
"""Problems that are listed."""
LOOKS = ("get_staff", "get_demand", "get_requests", "get_rules", "get_last_period", "what_if")
"""Tools that read the ward, or compare it with another."""
MAKES = ("apply_requests", "generate_roster")
"""Tools that are called to make a roster."""
NOTHING = "nothing_published"
"""Code of a refusal: there is no roster to look at."""


def roster_facts(work: Work) -> Iterator[Fact]:
    """Of the roster that a request presents."""
    made = list(round_results(work.view.ledger).values())
    found, report = work.presented, work.report
    if not made:
        yield from _decided_about(work, report) if report else _nothing_made(work)
    elif found is None:
        yield from _no_roster(work, made[-1])
    else:
        yield from _verdict(work, found, made, report)
        if report:
            yield from _checked(work, report, found.failed)
        yield from _failed(work, found, report)
        if report:
            yield from _beside(work, report)
        yield from changes_asked(work)
    if made or report:
        yield from refused_looks(work)
    yield from _rounds(work)
    yield from _decision(work)


def _verdict(work: Work, found: Round, made: Sequence[Generated], report: Reported | None) -> Iterator[Fact]:
    about, source = made[0], next((each for each in made if each.iteration == found.iteration), made[0])
    cost = work.say("cost" if found.bound > 0 else "cost_alone", cost=found.cost, bound=found.bound)
    given = {"id": found.roster_id, "period": work.period(about), "cost": cost}
    key = "best_so_far" if report is None else "fails" if found.failed else "passes"
    verdict = work.say(key, **given, **(_checks(work, report) if report else {}))
    yield work.fact("verdict", verdict, about="roster", bears="cost", must=True, roster=found.roster_id or "")
    if (chosen := work.view.plan["slots"].get("chosen")) in ("demo", "only"):
        yield work.fact("ward_chosen", work.say(f"chosen_{chosen}", ward=about.ward), about="roster", must=True)
    yield work.fact("cost", work.say("it_costs", cost=cost), bears="cost")
    if found.cost is not None:
        yield work.fact("bound", work.told(bound_told(found)), about="cost", bears="cost")
    yield from _all_else(work, source)
    if source.parts:
        parts = ", ".join(work.say("part", kind=work.kind(kind), cost=price) for kind, price in source.parts.items())
        yield work.tell("cost_parts", "parts", {"about": "cost", "bears": "cost"}, parts=parts)
    yield _period(work, about)
    yield work.tell("where", "where", id=found.roster_id)


def _all_else(work: Work, source: Generated) -> Iterator[Fact]:
    """What differs from the roster that was changed, besides what was asked for."""
    kept_from = source.begun_from or (not source.why_moved and source.all_else_from)
    how = {"about": "roster", "bears": "nurse", "must": True}
    if source.why_moved:
        kinds = work.kinds([kind for kind in source.moved_for if kind != "locked"]) or work.kind("locked")
        why = work.words(source.why_moved) if work.language == "en" else kinds
        yield work.tell("all_else", "all_else_cannot", how, id=source.all_else_from, why=why)
    if source.moved_cells > len(source.moved):
        given = {"n": source.moved_cells, "id": source.begun_from}
        yield work.tell("moved", "moved_many", {"bears": "nurse", "must": True}, **given)
    elif source.moved:
        moved = [moved_cell(work.name_of(cell.nurse), cell.day, cell.before, cell.shift) for cell in source.moved]
        heading = work.say("moved", id=source.begun_from)
        yield from work.block("moved", heading, [*map(work.told, moved)], must=True, bears="nurse")
    elif kept_from:
        yield work.tell("all_else", "all_else", how, id=kept_from)


def _checks(work: Work, report: Reported) -> dict[str, str]:
    return {name: work.say(getattr(report, name)) for name in ("compliance", "empathy")}


def _period(work: Work, about: RosterPeriod) -> Fact:
    return work.tell("period", "period_to", days=work.say("day", n=about.days), start=about.start, end=about.end)


def _checked(work: Work, report: Reported, failed: Sequence[str]) -> Iterator[Fact]:
    """What the checks say of it as a whole."""
    if report.changed_cells is not None:
        key = "changed_then" if report.status in ("published", "replaced") else "changed"
        yield work.tell("changed", key, {"must": True}, n=report.changed_cells)
        yield from work.block("repaired", work.say("repaired"), list(_repaired(work, report)), must=True)
    yield work.tell(
        "rules", "breaks_rules" if report.breaches else "keeps_rules", {"bears": "rules"}, n=report.breaches
    )
    if not {"coverage", "skill_mix"} & set(failed) and report.compliance == "PASS":
        yield work.fact("coverage.1", work.say("at_least"), about="coverage", bears="coverage")
        if not report.below_target:
            yield work.fact("coverage.2", work.say("at_target"), about="coverage", bears="coverage")
    if report.findings:
        text = findings_in_words(report.findings, work.language)
        yield work.fact("findings", text, about="rules", listed=True, bears="rules")


def _beside(work: Work, report: Reported) -> Iterator[Fact]:
    """What it was made and checked with, and what of it is over."""
    yield from work.block("doubts", work.say("doubts"), [*map(work.told, report.doubts)], must=True)
    if report.past:
        text = _past(work, report, report.past)
        yield work.fact("past", text, must=not report.past.tail_days, listed=True)
    if report.then:
        how = {"about": "past", "listed": True}
        yield work.tell("then", "followed_by", how, version=report.then, start=report.end + timedelta(days=1))
    if report.changed_cells is None and report.start < work.view.today:  # a repair keeps them as they were
        last = min(report.end, work.view.today - timedelta(days=1))
        key = "days_over_all" if last == report.end else "days_over"
        yield work.tell("over", key, {"about": "past", "must": True}, first=report.start, last=last)


def _past(work: Work, report: Reported, past: PastKnown) -> str:
    """What of the days before it the roster was made and checked with."""
    if not past.tail_days:
        return work.say("no_tail" if past.has_counts else "no_past", start=report.start)
    known = work.say("follows", n=past.tail_days, start=report.start)
    counts = work.say("follows_counts", days=work.say("day", n=past.counted_days)) if past.counted_days else ""
    names = [*map(work.words, past.unknown)]
    return known + counts + (work.say("follows_without", nurses=names) if names else "") + "."


def _repaired(work: Work, report: Reported) -> Iterator[str]:
    """The cells that differ from the published roster, each with its reason."""
    for cell in report.repaired:
        moved = moved_cell(work.name_of(cell.nurse), cell.day, cell.before, cell.shift)
        yield work.told(repaired_cell(moved, cell.why or told("reason", kind=cell.kind, detail=cell.reason)))
    if (report.changed_cells or 0) > len(report.repaired):
        yield work.say("more")


def _failed(work: Work, found: Round, report: Reported | None) -> Iterator[Fact]:
    lines = _issues(work, [found]) or [work.told(each) for each in (report.problems if report else [])]
    yield from _problems(work, lines)
    if found.may_pass:
        yield work.fact("more_time", work.told(more_time(work.rounds)), about="rules", must=True)
    below = [work.told(each) for each in report.below_target] if report else []
    yield from work.block("below", work.say("below"), below, bears="coverage")


def _problems(work: Work, details: Sequence[str]) -> Iterator[Fact]:
    """The first problems; the list is bounded already, so the full number is not known here."""
    shown = work.first_of(list(dict.fromkeys(details)), MOST_LISTED)
    yield from work.block("failed", work.say("failed"), shown, must=True, bears="rules")


def _issues(work: Work, rounds: Sequence[Round]) -> list[str]:
    """What failed in these rounds."""
    made = {(each.iteration, each.roster_id) for each in rounds}
    calls = {name for name, each in round_results(work.view.ledger).items() if (each.iteration, each.roster_id) in made}
    own = (issue for issue in work.view.issues if issue["tool_id"] in calls and issue["type"] not in STOPS)
    return [_issue(issue, work) for issue in own]


def _issue(issue: ValidationIssue, work: Work) -> str:
    """In the manager's language; an issue of a further check, or of an earlier version, is told in others by its kind."""
    about = issue.get("about", {})
    if line := about.get("told"):
        return work.told(line)
    if issue["type"] not in FINDING_TYPES:
        return work.words(issue["message"])
    nurse = [work.name_of(about["nurse_id"])] if about.get("nurse_id") else []
    key = "found_about" if nurse else "found"
    return work.told(told(key, kind=issue["type"], detail=issue["message"], about=nurse))


def changes_asked(work: Work) -> Iterator[Fact]:
    """What was asked for about people: as it was understood, and whether the roster keeps it."""
    report, applied = work.report, results_of("apply_requests", Amended, work.view.ledger)
    if report and report.changes:
        names = {each.nurse: work.name_of(each.nurse) for kept in report.changes for each in kept.not_kept_on}
        lines = [work.told(each.verdict_line(names)) for each in report.changes]
    else:
        lines = _once(work.told(line) for each in applied for line in each.changes)
    is_repair = bool(work.rounds) and report is not None and report.changed_cells is not None
    heading = work.say("asked_before" if is_repair and not applied else "asked")
    yield from work.block("asked", heading, lines, bears="wishes", must=True, section="asked")
    others = _once(work.told(line) for each in applied for line in each.elsewhere)
    yield from work.block("elsewhere", work.say("elsewhere"), others, must=True, section="asked")
    staff = results_of("get_staff", StaffSummary, work.view.ledger)[-1:]
    left = [work.told(line) for each in staff for line in each.repaired]
    yield from work.block("not_taken", work.say("not_taken"), left, must=True, section="asked")


def _once(lines: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(lines))


def not_held(work: Work) -> Iterator[Fact]:
    """What was asked for and no rule can express."""
    applied = results_of("apply_requests", Amended, work.view.ledger)
    wishes = [*(work.view.plan["slots"].get("not_held") or []), *(wish for each in applied for wish in each.not_held)]
    lines = _once(one_line(str(wish)) for wish in wishes)
    yield from work.block("not_held", work.say("not_held"), lines, must=True, section="not_held", bears="wishes")


def _rounds(work: Work) -> Iterator[Fact]:
    if len(work.rounds) > 1 or any(each.failed for each in work.rounds):
        lines = [_round(each, work) for each in work.rounds]
        yield from work.block("rounds", work.say("rounds"), lines, bears="cost rounds", section="rounds")


def _round(each: Round, work: Work) -> str:
    raised = each.penalty_multipliers.items()
    factors = ", ".join(work.say("raised", kind=work.kind(kind), factor=factor) for kind, factor in raised)
    kinds = ", ".join(dict.fromkeys(map(work.kind, each.failed)))
    key = "round_failed" if each.failed else "round_passed" if each.status == "passed" else "round_no_roster"
    cost = "" if each.cost is None else work.say("round_cost", cost=each.cost)
    more = work.say("round_raised", kinds=factors) if factors else ""
    return work.say("round", n=each.iteration, what=work.say(key, kinds=kinds), cost=cost, raised=more)


def _no_roster(work: Work, about: Generated) -> Iterator[Fact]:
    calls = work.view.ledger["calls"].values()
    changed = ", ".join(dict.fromkeys(str(each) for call in calls if (each := call["args"].get("start_from"))))
    how = {"about": "roster", "must": True}
    key = "no_changed_roster" if changed else "no_roster"
    yield work.tell("verdict", key, how, period=work.period(about), id=changed)
    for count, reason in enumerate(dict.fromkeys(_issues(work, work.rounds)), 1):
        yield work.fact(f"why.{count}", work.say("why", why=reason), about="why", must=True)
    yield from changes_asked(work)


def _decided_about(work: Work, report: Reported) -> Iterator[Fact]:
    """A roster of an earlier request."""
    how = {"about": "roster", "must": True, "roster": report.roster_id}
    given = {"id": report.roster_id, "period": work.period(report), **_checks(work, report)}
    yield work.tell("verdict", "reported", how, **given)
    yield _period(work, report)
    yield from _checked(work, report, [each.partition(":")[0] for each in report.failed])
    yield from _problems(work, [*map(work.told, report.problems)])
    yield from changes_asked(work)


def _nothing_made(work: Work) -> Iterator[Fact]:
    """Why there is no roster; of a request that asked for none, what could not be looked up."""
    calls = work.view.ledger["calls"].values()
    if not calls or any(call["tool"] in MAKES for call in calls):
        yield work.fact("verdict", work.say("nothing_made"), about="roster", must=True)
    yield from _reasons(work, "why", but=())
    yield from changes_asked(work)


def refused_looks(work: Work) -> Iterator[Fact]:
    """What could not be looked up beside what could."""
    yield from _reasons(work, "refused", but=MAKES, section="refused")


def _reasons(work: Work, name: str, *, but: Sequence[str], section: str = "") -> Iterator[Fact]:
    """Why calls failed, but for those in whose place another one stands, and publishing, which has its own words."""
    ledger = work.view.ledger
    replaced = {call.get("instead_of") for call in ledger["calls"].values()}
    tools = {each: call["tool"] for each, call in ledger["calls"].items() if each not in replaced}
    outcomes = [outcome_of(each, ledger) for each, tool in tools.items() if tool not in (*but, "publish_roster")]
    failed = [each for each in outcomes if each and each["error"] and each["status"] in ("error", "timeout")]
    if any(isinstance(each, NothingPublished) for each in looks_of(ledger).values()):  # which says so itself
        failed = [each for each in failed if each["error"] and each["error"]["code"] != NOTHING]
    for count, reason in enumerate(dict.fromkeys(_reason(each, work) for each in failed), 1):
        yield work.fact(f"{name}.{count}", reason, about="why", must=True, section=section)


def _reason(outcome: ToolOutcome, work: Work) -> str:
    own = _refused(outcome, work.language)
    return work.named(own or work.say("why", why=_unworded(outcome, work.language)))


def _refused(outcome: ToolOutcome, language: str) -> str | None:
    """In our words, where there are some: a tool speaks English, and may ask its caller, who is not the manager."""
    error = outcome["error"]
    return refused(error["code"], error.get("about", {}), language) if error else None


def _unworded(outcome: ToolOutcome, language: str) -> str:
    """A refusal that has no words of ours: tools speak English, and another language names its code."""
    error = outcome["error"]
    if error is None:
        return outcome["status"]
    own = f"refused_other.{error['code']}"
    key = own if own in TABLES[language] else "refused_other"
    return say(key, language, code=error["code"], message=one_line(error["message"]) or error["code"])


def _decision(work: Work) -> Iterator[Fact]:
    """The manager's decision about publication, where one was asked for."""
    ledger, found = work.view.ledger, work.presented
    calls = [name for name, call in ledger["calls"].items() if call["tool"] == "publish_roster"]
    outcomes = [outcome for name in calls if (outcome := outcome_of(name, ledger))]
    if not outcomes:
        yield from _how_it_stands(work)
        return
    last, made = outcomes[-1], results_of("publish_roster", Publication, ledger)
    if last["status"] in GOOD:
        warned = bool(found.failed) if found else bool(work.report and work.report.failed)
        text = decision_in_words(made[-1], work.language, warned=warned)
    else:
        why = (_refused(last, work.language) or "").rstrip(".") or _unworded(last, work.language)
        roster_id = found.roster_id if found else last["args"].get("roster_id", "")
        text = work.say("not_published", why=why, id=roster_id)
    yield work.fact("decision", text, must=True, section="decision")
    if last["status"] in GOOD and not work.report:
        yield _decided_of(work, made[-1])


def _decided_of(work: Work, made: Publication) -> Fact:
    """Which roster it is, where no report tells it."""
    text = work.say("advice_of", id=made.roster_id, period=work.period(made))
    looked = looks_of(work.view.ledger).values()
    is_looked_at = any(isinstance(each, Looked) and each.roster_id == made.roster_id for each in looked)
    return work.fact("decision.of", text, about="decision", must=not is_looked_at, section="decision")


def _how_it_stands(work: Work) -> Iterator[Fact]:
    """Of a roster about whose publication nobody was asked. It must be told of a changed one; one that came out as it was
    stands as it stood."""
    ledger, found, status = work.view.ledger, work.presented, work.report.status if work.report else ""
    before = {call["args"].get("start_from") for call in ledger["calls"].values()}
    is_new = found is not None and found.roster_id not in before and status in ("", "none")
    if not (is_new or status):
        return
    is_open = status in ("", "none")
    text = work.say("not_yet_published" if is_open else "stands", status=work.say(f"look_status_{status or 'none'}"))
    owed = is_new and bool(results_of("apply_requests", Amended, ledger))
    yield work.fact("decision", text, must=owed, section="decision")
