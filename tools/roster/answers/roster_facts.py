"""Facts about a roster: its verdict and cost, what failed, its rounds, and what the manager decided."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from wavegraph.graph.ledger import GOOD, outcome_of
from wavegraph.graph.state import ToolOutcome, ValidationIssue
from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.facts import Fact, Work, block, fact
from wavegraph.tools.roster.answers.phrases import (
    TABLES,
    counted,
    day_in_words,
    findings_in_words,
    in_words,
    joined,
    number,
    one_line,
    say,
)
from wavegraph.tools.roster.answers.receipts import decision_in_words
from wavegraph.tools.roster.answers.refusals import refused
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
    MovedCell,
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


def roster_facts(work: Work) -> Iterator[Fact]:
    """Of the roster that a request presents."""
    made = list(round_results(work.view.ledger).values())
    found, report = work.presented, work.report
    if not made:
        yield from _decided_about(work, report) if report else _nothing_made(work)
    elif found is None:
        yield from _no_roster(work, made[-1])
    else:
        yield from _verdict(work, found, made[0], report)
        if report:
            yield from _checked(work, report, found.failed)
        yield from _failed(work, found, report)
        if report:
            yield from block(
                "doubts", say("doubts", work.language), [work.told(each) for each in report.doubts], must=True
            )
        if report and report.past:
            yield _past(work, report, report.past)
        if report and report.then:
            yield _then(work, report)
        if report and report.changed_cells is None and report.start < work.view.today:
            yield _over(work, report)
        yield from changes_asked(work)
    if made or report:
        yield from refused_looks(work)
    yield from _rounds(work)
    yield from _decision(work)


def period_in_words(about: RosterPeriod, language: str) -> str:
    return say(
        "period",
        language,
        ward=about.ward,
        days=counted(about.days, "day", language),
        start=day_in_words(about.start, language),
    )


def _verdict(work: Work, found: Round, about: Generated, report: Reported | None) -> Iterator[Fact]:
    language, cost, bound = work.language, number(found.cost, work.language), number(found.bound, work.language)
    with_bound = say("cost" if found.bound > 0 else "cost_alone", language, cost=cost, bound=bound)
    given = {"id": found.roster_id, "period": period_in_words(about, language), "cost": with_bound}
    if report:
        given |= _checks(report, language)
    key = "best_so_far" if report is None else "fails" if found.failed else "passes"
    verdict = fact("verdict", say(key, language, **given), about="roster", bears=courtesy.bears("cost", language),
                   must=True, listed=True)  # fmt: skip
    yield replace(verdict, roster=found.roster_id or "")
    if (chosen := work.view.plan["slots"].get("chosen")) in ("demo", "only"):
        yield fact(
            "ward_chosen", say(f"chosen_{chosen}", language, ward=about.ward), about="roster", must=True, listed=True
        )
    costs = frozenset(courtesy.bears("cost", language))
    yield fact("cost", say("it_costs", language, cost=with_bound), about="cost", bears=costs)
    if found.cost is not None:
        yield fact("bound", work.told(bound_told(found)), about="cost", bears=costs)
    source = next(
        (each for each in round_results(work.view.ledger).values() if each.iteration == found.iteration), about
    )
    yield from _all_else(work, source)
    if source.parts:
        parts = [say("part", language, kind=in_words(kind, language), cost=number(price, language))
                 for kind, price in source.parts.items()]  # fmt: skip
        yield fact("cost_parts", say("parts", language, parts=", ".join(parts)), about="cost", bears=costs)
    yield _period(about, language)
    yield fact("where", say("where", language, id=found.roster_id), about="where")


def _all_else(work: Work, source: Generated) -> Iterator[Fact]:
    """What differs from the roster that was changed, besides what was asked for."""
    language, bears = work.language, courtesy.bears("nurse", work.language)
    if source.why_moved:
        kinds = joined([in_words(kind, language) for kind in source.moved_for if kind != "locked"], language)
        why = work.words(source.why_moved) if language == "en" else kinds or in_words("locked", language)
        cannot = say("all_else_cannot", language, id=source.all_else_from, why=why)
        yield fact("all_else", cannot, about="roster", bears=bears, must=True, listed=True)
    if source.moved_cells > len(source.moved):
        many = say("moved_many", language, n=source.moved_cells, id=source.begun_from)
        yield fact("moved", many, about="moved", bears=bears, must=True, listed=True)
    elif source.moved:
        lines = [moved_in_words(work, each) for each in source.moved]
        yield from block("moved", say("moved", language, id=source.begun_from), lines, must=True, bears=bears)
    elif kept_from := source.begun_from or (not source.why_moved and source.all_else_from):
        kept = say("all_else", language, id=kept_from)
        yield fact("all_else", kept, about="roster", bears=bears, must=True, listed=True)


def moved_in_words(work: Work, cell: MovedCell) -> str:
    return work.told(moved_cell(work.name_of(cell.nurse), cell.day, cell.before, cell.shift))


def _checks(report: Reported, language: str) -> dict[str, str]:
    return {name: say(getattr(report, name), language) for name in ("compliance", "empathy")}


def _period(about: RosterPeriod, language: str) -> Fact:
    ends = {name: day_in_words(day, language) for name, day in (("start", about.start), ("end", about.end))}
    return fact("period", say("period_to", language, days=counted(about.days, "day", language), **ends), about="period")


def _checked(work: Work, report: Reported, failed: Sequence[str]) -> Iterator[Fact]:
    """What the checks say of it as a whole."""
    language = work.language
    if report.changed_cells is not None:
        yield fact("changed", counted_changes(report.changed_cells, language), about="changed", must=True, listed=True)
        yield from block("repaired", say("repaired", language), list(_repaired(work, report)), must=True)
    if report.breaches:
        key = "breaks_rules_1" if report.breaches == 1 else "breaks_rules"
        yield fact("rules", say(key, language, breaches=report.breaches), about="rules",
                   bears=courtesy.bears("rules", language))  # fmt: skip
    else:
        yield fact("rules", say("keeps_rules", language), about="rules", bears=courtesy.bears("rules", language))
    covered = courtesy.bears("coverage", language)
    if not {"coverage", "skill_mix"} & set(failed) and report.compliance == "PASS":
        yield fact("coverage.1", say("at_least", language), about="coverage", bears=covered)
        if not report.below_target:
            yield fact("coverage.2", say("at_target", language), about="coverage", bears=covered)
    if report.findings:
        text = findings_in_words(report.findings, language)
        yield fact("findings", text, about="rules", listed=True, bears=courtesy.bears("rules", language))


def _past(work: Work, report: Reported, past: PastKnown) -> Fact:
    """What of the days before it the roster was made and checked with."""
    language, start = work.language, day_in_words(report.start, work.language)
    if past.tail_days:
        known = say("follows_1" if past.tail_days == 1 else "follows", language, days=past.tail_days, start=start)
        all_days = counted(past.counted_days, "day", language)
        counts = say("follows_counts", language, days=all_days) if past.counted_days else ""
        names = joined([work.words(name) for name in past.unknown], language)
        text = known + counts + (say("follows_without", language, nurses=names) if names else "") + "."
    else:
        text = say("no_tail" if past.has_counts else "no_past", language, start=start)
    return fact("past", text, about="past", must=not past.tail_days, listed=True)


def _over(work: Work, report: Reported) -> Fact:
    """Which of its days are past. A repair keeps them as they were."""
    last = min(report.end, work.view.today - timedelta(days=1))
    days = {name: day_in_words(day, work.language) for name, day in (("first", report.start), ("last", last))}
    text = say("days_over_all" if last == report.end else "days_over", work.language, **days)
    return fact("over", text, about="past", must=True, listed=True)


def _then(work: Work, report: Reported) -> Fact:
    """What of the days after it the roster was made and checked with."""
    begins = day_in_words(report.end + timedelta(days=1), work.language)
    text = say("followed_by", work.language, version=report.then, start=begins)
    return fact("then", text, about="past", listed=True)


def _repaired(work: Work, report: Reported) -> Iterator[str]:
    """The cells that differ from the published roster, each with its reason."""
    for cell in report.repaired:
        moved = moved_cell(work.name_of(cell.nurse), cell.day, cell.before, cell.shift)
        yield work.told(repaired_cell(moved, cell.why or told("reason", kind=cell.kind, detail=cell.reason)))
    if (report.changed_cells or 0) > len(report.repaired):
        yield say("more", work.language)


def counted_changes(count: int, language: str) -> str:
    key = {0: "changed_0", 1: "changed_1"}.get(count, "changed")
    return say(key, language, n=count)


def _failed(work: Work, found: Round, report: Reported | None) -> Iterator[Fact]:
    language = work.language
    lines = _issues(work, [found])
    yield from _problems(lines or [work.told(each) for each in (report.problems if report else [])], language)
    if found.may_pass:
        yield fact("more_time", work.told(more_time(work.rounds)), about="rules", must=True, listed=True)
    below = [work.told(each) for each in report.below_target] if report else []
    yield from block("below", say("below", language), below, bears=courtesy.bears("coverage", language))


def _problems(details: Sequence[str], language: str) -> Iterator[Fact]:
    """The first problems; the list is bounded already, so the full number is not known here."""
    different = list(dict.fromkeys(details))
    more = [say("more", language)] if len(different) > MOST_LISTED else []
    shown = [*different[:MOST_LISTED], *more]
    yield from block("failed", say("failed", language), shown, must=True, bears=courtesy.bears("rules", language))


def _issues(work: Work, rounds: Sequence[Round]) -> list[str]:
    """What failed in these rounds."""
    made = {(each.iteration, each.roster_id) for each in rounds}
    calls = {name for name, each in round_results(work.view.ledger).items() if (each.iteration, each.roster_id) in made}
    own = (issue for issue in work.view.issues if issue["tool_id"] in calls and issue["type"] not in STOPS)
    return [_issue(issue, work) for issue in own]


def _issue(issue: ValidationIssue, work: Work) -> str:
    """In the manager's language; an issue of a model, or of an earlier version, is told in others by its kind."""
    about = issue.get("about", {})
    if line := about.get("told"):
        return work.told(line)
    if issue["type"] not in FINDING_TYPES:
        return work.words(issue["message"])
    nurse = [work.name_of(about["nurse_id"])] if about.get("nurse_id") else []
    say = "found_about" if nurse else "found"
    return work.told(told(say, kind=issue["type"], detail=issue["message"], about=nurse))


def changes_asked(work: Work) -> Iterator[Fact]:
    """What was asked for about people: as it was understood, and whether the roster keeps it."""
    language, report = work.language, work.report
    if report and report.changes:
        names = {each.nurse: work.name_of(each.nurse) for kept in report.changes for each in kept.not_kept_on}
        lines = [work.told(each.verdict_line(names)) for each in report.changes]
    else:
        applied = results_of("apply_requests", Amended, work.view.ledger)
        lines = list(dict.fromkeys(work.told(line) for each in applied for line in each.changes))
    bears = courtesy.bears("wishes", language)
    applied = results_of("apply_requests", Amended, work.view.ledger)
    is_repair = bool(work.rounds) and report is not None and report.changed_cells is not None
    heading = say("asked_before" if is_repair and not applied else "asked", language)
    yield from block("asked", heading, lines, bears=bears, must=True, section="asked")
    others = list(dict.fromkeys(work.told(line) for each in applied for line in each.elsewhere))
    yield from block("elsewhere", say("elsewhere", language), others, must=True, section="asked")
    repaired = [
        work.told(line)
        for each in results_of("get_staff", StaffSummary, work.view.ledger)[-1:]
        for line in each.repaired
    ]
    yield from block("not_taken", say("not_taken", language), repaired, must=True, section="asked")


def not_held(work: Work) -> Iterator[Fact]:
    """What was asked for and no rule can express."""
    applied = results_of("apply_requests", Amended, work.view.ledger)
    wishes = [*(work.view.plan["slots"].get("not_held") or []), *(wish for each in applied for wish in each.not_held)]
    lines = list(dict.fromkeys(one_line(str(wish)) for wish in wishes))
    yield from block("not_held", say("not_held", work.language), lines, must=True, section="not_held",
                     bears=courtesy.bears("wishes", work.language))  # fmt: skip


def _rounds(work: Work) -> Iterator[Fact]:
    rounds, language = work.rounds, work.language
    if len(rounds) > 1 or any(each.failed for each in rounds):
        lines = [_round(each, language) for each in rounds]
        bears = {*courtesy.bears("cost", language), *courtesy.bears("rounds", language)}
        yield from block("rounds", say("rounds", language), lines, bears=bears, section="rounds")


def _round(each: Round, language: str) -> str:
    factors = [
        say("raised", language, kind=in_words(kind, language), factor=number(factor, language))
        for kind, factor in each.penalty_multipliers.items()
    ]
    kinds = ", ".join(dict.fromkeys(in_words(kind, language) for kind in each.failed))
    plain = "round_passed" if each.status == "passed" else "round_no_roster"
    what = say("round_failed", language, kinds=kinds) if each.failed else say(plain, language)
    cost = "" if each.cost is None else say("round_cost", language, cost=number(each.cost, language))
    raised = say("round_raised", language, kinds=", ".join(factors)) if factors else ""
    return say("round", language, n=each.iteration, what=what, cost=cost, raised=raised)


def _no_roster(work: Work, about: Generated) -> Iterator[Fact]:
    language, period = work.language, period_in_words(about, work.language)
    changed = [str(each) for call in work.view.ledger["calls"].values() if (each := call["args"].get("start_from"))]
    verdict = say(
        "no_changed_roster" if changed else "no_roster", language, period=period, id=", ".join(dict.fromkeys(changed))
    )
    yield fact("verdict", verdict, about="roster", must=True, listed=True)
    for count, reason in enumerate(dict.fromkeys(_issues(work, work.rounds)), 1):
        yield fact(f"why.{count}", say("why", language, why=reason), about="why", must=True, listed=True)
    yield from changes_asked(work)


def _decided_about(work: Work, report: Reported) -> Iterator[Fact]:
    """A roster of an earlier request."""
    language = work.language
    given = {"id": report.roster_id, "period": period_in_words(report, language)}
    verdict = fact("verdict", say("reported", language, **_checks(report, language), **given), about="roster", must=True,
                   listed=True)  # fmt: skip
    yield replace(verdict, roster=report.roster_id)
    yield _period(report, language)
    yield from _checked(work, report, [each.partition(":")[0] for each in report.failed])
    yield from _problems([work.told(each) for each in report.problems], language)
    yield from changes_asked(work)


def _nothing_made(work: Work) -> Iterator[Fact]:
    """Why there is no roster; of a request that asked for none, what could not be looked up."""
    language, calls = work.language, work.view.ledger["calls"]
    if not calls or any(call["tool"] in MAKES for call in calls.values()):
        yield fact("verdict", say("nothing_made", language), about="roster", must=True, listed=True)
    before = [name for name, call in calls.items() if call["tool"] != "publish_roster"]
    for count, reason in enumerate(_reasons(work, before), 1):
        yield fact(f"why.{count}", reason, about="why", must=True, listed=True)
    yield from changes_asked(work)


def refused_looks(work: Work) -> Iterator[Fact]:
    """What could not be looked up beside what could."""
    told_elsewhere = (*MAKES, "publish_roster")
    looks = [name for name, call in work.view.ledger["calls"].items() if call["tool"] not in told_elsewhere]
    for count, reason in enumerate(_reasons(work, looks), 1):
        yield fact(f"refused.{count}", reason, about="why", must=True, listed=True, section="refused")


def _reasons(work: Work, names: Sequence[str]) -> list[str]:
    """Why calls failed, but for those in whose place another one stands."""
    replaced = {call.get("instead_of") for call in work.view.ledger["calls"].values()}
    outcomes = (outcome_of(name, work.view.ledger) for name in names if name not in replaced)
    failed = [each for each in outcomes if each and each["error"] and each["status"] in ("error", "timeout")]
    if any(isinstance(each, NothingPublished) for each in looks_of(work.view.ledger).values()):  # which says so itself
        failed = [each for each in failed if each["error"] and each["error"]["code"] != NOTHING]
    return list(dict.fromkeys(_reason(each, work) for each in failed))


NOTHING = "nothing_published"
"""Code of a refusal: there is no roster to look at."""


LOOKS = ("get_staff", "get_demand", "get_requests", "get_rules", "get_last_period", "what_if")
"""Tools that read the ward, or compare it with another."""
MAKES = ("apply_requests", "generate_roster")
"""Tools that are called to make a roster."""


def _reason(outcome: ToolOutcome, work: Work) -> str:
    """In our words where there are some: a tool speaks English, and may ask its caller, who is not the manager."""
    error = outcome["error"]
    if error and (own := refused(error["code"], error.get("about", {}), work.language)):
        return work.named(own)
    return say("why", work.language, why=work.named(_unworded(outcome, work.language)))


def _decision(work: Work) -> Iterator[Fact]:
    """The manager's decision about publication, where one was asked for."""
    ledger, language = work.view.ledger, work.language
    calls = [name for name, call in ledger["calls"].items() if call["tool"] == "publish_roster"]
    outcomes = [outcome for name in calls if (outcome := outcome_of(name, ledger))]
    if not outcomes:
        yield from _how_it_stands(work)
        return
    last, found = outcomes[-1], work.presented
    if last["status"] in GOOD:
        warned = bool(found.failed) if found else bool(work.report and work.report.failed)
        text = decision_in_words(results_of("publish_roster", Publication, ledger)[-1], language, warned=warned)
    else:
        roster_id = found.roster_id if found else last["args"].get("roster_id", "")
        text = say("not_published", language, why=_why(last, language), id=roster_id)
    yield fact("decision", text, about="decision", must=True, listed=True, section="decision")
    if last["status"] in GOOD and not work.report:
        yield _decided_of(work)


def _decided_of(work: Work) -> Fact:
    """Which roster it is, where no report tells it."""
    made = results_of("publish_roster", Publication, work.view.ledger)[-1]
    text = say("advice_of", work.language, id=made.roster_id, period=period_in_words(made, work.language))
    looked = looks_of(work.view.ledger).values()
    is_looked_at = any(isinstance(each, Looked) and each.roster_id == made.roster_id for each in looked)
    return fact(
        "decision.of", text, about="decision", must=not is_looked_at, listed=not is_looked_at, section="decision"
    )


def _how_it_stands(work: Work) -> Iterator[Fact]:
    """Of a roster about whose publication nobody was asked. It must be told of a changed one; one that came out as it was
    stands as it stood."""
    ledger, found, status = work.view.ledger, work.presented, work.report.status if work.report else ""
    before = {call["args"].get("start_from") for call in ledger["calls"].values()}
    is_new = found is not None and found.roster_id not in before and status in ("", "none")
    if not (is_new or status):
        return
    standing = say(f"look_status_{status}", work.language) if status not in ("", "none") else ""
    text = say("stands", work.language, status=standing) if standing else say("not_yet_published", work.language)
    owed = is_new and bool(results_of("apply_requests", Amended, ledger))
    yield fact("decision", text, about="decision", must=owed, listed=owed, section="decision")


def _why(outcome: ToolOutcome, language: str) -> str:
    if outcome["error"] is None:
        return outcome["status"]
    if own := refused(outcome["error"]["code"], outcome["error"].get("about", {}), language):
        return own.rstrip(".")
    return _unworded(outcome, language)


def _unworded(outcome: ToolOutcome, language: str) -> str:
    """A refusal that has no words of ours: tools speak English, and another language names its code."""
    error = outcome["error"]
    if error is None:
        return outcome["status"]
    own = f"refused_other.{error['code']}"
    key = own if own in TABLES[language] else "refused_other"
    return say(key, language, code=error["code"], message=one_line(error["message"]) or error["code"])
