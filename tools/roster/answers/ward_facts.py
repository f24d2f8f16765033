"""Facts about a ward, before or beside a roster: its nurses, demand, requests, rules and the period before."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from wavegraph.graph.references.paths import needs
from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.facts import Fact, Work, of_count, of_hours, slugs
from wavegraph.tools.roster.answers.look_facts import shifts_in_words
from wavegraph.tools.roster.answers.phrases import days_in_words
from wavegraph.tools.roster.answers.roster_facts import LOOKS
from wavegraph.tools.roster.loop.rounds import results_of
from wavegraph.tools.roster.records import (
    DemandSummary,
    PastSummary,
    RequestSummary,
    RosterPeriod,
    RulesSummary,
    StaffSummary,
)
from wavegraph.tools.roster.summaries import MOST_SETTLED
from wavegraph.tools.roster.ward.finding_types import FindingType

BROKEN_BY: Mapping[str, tuple[FindingType, ...]] = {
    "daily_rest_hours": ("daily_rest",),
    "weekly_rest_hours": ("weekly_rest",),
    "weekly_hours": ("weekly_hours",),
    "max_days_in_a_row": ("consecutive_days",),
    "max_nights_in_a_row": ("consecutive_nights",),
    "rest_after_nights_hours": ("rest_after_nights",),
}
"""By rule, the types of findings that break it."""
READ: Mapping[type[RosterPeriod], str] = {
    StaffSummary: "get_staff",
    DemandSummary: "get_demand",
    RequestSummary: "get_requests",
    RulesSummary: "get_rules",
    PastSummary: "get_last_period",
}
"""By what is read of a ward, the tool."""
R = TypeVar("R", bound=RosterPeriod)


def ward_facts(work: Work) -> Iterator[Fact]:
    """What was read of each ward. Its first must be told only where nothing but wards was asked about."""
    tools = {call["tool"] for call in work.view.ledger["calls"].values()}
    about_ward = tools <= {*LOOKS} - {"what_if"}
    yield from _of_wards(work, READ.values(), about_ward=about_ward)


def asked_of_wards(work: Work) -> Iterator[Fact]:
    """What a model's own looks at wards found on which no other call of the request builds, for a piece of it that nothing else
    serves: they answer what was asked."""
    calls = work.view.ledger["calls"]
    built_on = {target for call in calls.values() for target, _ in needs(call)}
    for_change = {piece for call in calls.values() if call["tool"] not in LOOKS for piece in call.get("serves", ())}
    own = {
        call["tool"]
        for name, call in calls.items()
        if name not in built_on and not for_change.issuperset(call.get("serves", ()))
    }
    yield from _of_wards(work, own, about_ward=True)


def _of_wards(work: Work, tools: Collection[str], *, about_ward: bool) -> Iterator[Fact]:
    read = [each.ward for kind, tool in READ.items() for each in results_of(tool, kind, work.view.ledger)]
    wards = [*dict.fromkeys(reversed(read))][::-1] or [""]  # the one read last behind the others
    for ward in wards:
        facts = [each for tool, told in TOLD.items() if tool in tools for each in told(work, ward)]
        of_ward = [_of_ward(each, ward, is_last=ward == wards[-1]) for each in facts] if len(wards) > 1 else facts
        ids = [each.statement.id for each in of_ward]
        for place, each in enumerate(of_ward):
            yield Fact(each.statement, ids if about_ward and place == 0 else (), listed=about_ward)


def _read(kind: type[R], work: Work, ward: str) -> list[R]:
    """The last result of a ward, if there is one."""
    return [each for each in results_of(READ[kind], kind, work.view.ledger) if each.ward == ward][-1:]


def _of_ward(told: Fact, ward: str, *, is_last: bool) -> Fact:
    """A fact that says which ward it is of, beside those of another."""
    [slug] = slugs([ward]).values()
    text = told.statement.text if ward in told.statement.text else f"{ward}: {told.statement.text}"
    name = told.statement.id if is_last else f"{slug}.{told.statement.id}"
    return replace(told, statement=replace(told.statement, id=name, text=text))


def _counts(work: Work, counts: Mapping[str, int]) -> str:
    return ", ".join(work.say("count", what=what, n=count) for what, count in counts.items())


def _staff(work: Work, ward: str) -> Iterator[Fact]:
    how = {"about": "staff", "bears": "nurse"}
    for found in _read(StaffSummary, work, ward):
        names, count = ", ".join(map(work.name, found.names)), work.say("nurse_count", n=found.nurses)
        yield work.tell("staff.1", "staff", how, ward=found.ward, count=count, names=names)
        if found.grades:
            yield work.tell("staff.2", "grades", how, counts=_counts(work, found.grades))
        if found.skills:
            yield work.tell("staff.3", "skills", how, counts=_counts(work, found.skills))
        hours = {"called": work.say("called_contracts"), "quantity": of_hours(found.contract_hours), "bears": "hours"}
        yield work.tell("staff.4", "contract_hours", how | hours, hours=found.contract_hours)
        yield work.tell(
            "staff.5", "tired" if found.tired else "none_tired", how, nurses=[*map(work.words, found.tired)]
        )


def _demand(work: Work, ward: str) -> Iterator[Fact]:
    how = {"about": "demand", "bears": "coverage"}
    for found in _read(DemandSummary, work, ward):
        hours = {"called": work.say("called_demand"), "quantity": of_hours(found.needed_hours)}
        yield work.tell("demand.1", "shifts", how, shifts=", ".join(found.shifts))
        yield work.tell("demand.2", "needed_hours", how | hours, hours=found.needed_hours)
        yield work.tell("demand.3", "least", how, counts=_counts(work, found.least))
        yield work.tell("demand.4", "target", how, counts=_counts(work, found.target))
        if found.busiest:
            yield work.tell("demand.5", "busiest", how, day=found.busiest)
        for place, each in enumerate(found.by_day, 1):
            counts = _counts(work, {**each.target, **each.of_skill}) or work.figure(0)
            days = days_in_words(each.days, work.language)
            yield work.tell(f"demand.day{place}", "day_demand", how, days=days, counts=counts)


def _requests(work: Work, ward: str) -> Iterator[Fact]:
    how = {"about": "requests", "bears": "wishes"}
    for found in _read(RequestSummary, work, ward):
        counts = {"wishes": found.wishes, "leave": found.leave_days, "locked": found.locked, "apart": found.apart,
                  "together": found.together}  # fmt: skip
        known = {work.say(f"file_{kind}"): count for kind, count in counts.items() if count}
        yield work.tell("requests", "asked_in_file" if known else "none_in_file", how, counts=_counts(work, known))
        cells = [
            work.say("cell", nurse=each.nurse, shift=each.shift or work.say("off"), day=each.day)
            for each in found.settled
        ]
        if cells:
            more = [work.say("more")] if len(cells) == MOST_SETTLED else []
            yield work.tell("requests.settled", "file_settled", how, cells=", ".join([*cells, *more]))
        for nurse, slug in slugs(list(found.by_nurse)).items():
            what = work.told(found.by_nurse[nurse])
            yield work.tell(f"requests.{slug}", "nurse_asked", how, nurse=work.name_of(nurse), what=what)


def _rules(work: Work, ward: str) -> Iterator[Fact]:
    for found in _read(RulesSummary, work, ward):
        for name, value in found.rules.items():
            if value in (None, False, 0) or f"rule.{name}" not in courtesy.RULES:
                continue
            rule = work.say(f"rule.{name}", value=value if isinstance(value, str) else float(value or 0))
            derogated = name == "daily_rest_hours" and found.rules.get("derogated_rest_hours") is not None
            how = {"about": "rules", "bears": "rules"}
            yield work.tell(f"rule.{name}", "rule" if derogated else _kept(name, work), how, rule=rule)
        priced = (work.say("part", kind=work.kind(kind), cost=price) for kind, price in found.penalties.items())
        yield work.tell("prices", "prices", {"bears": "cost"}, prices=", ".join(priced))


def _kept(rule: str, work: Work) -> str:
    """Whether the roster keeps the rule; of rules that the checks do not judge by themselves, only that it is one."""
    found, report = work.presented, work.report
    if rule not in BROKEN_BY or found is None or report is None:
        return "rule"
    return "rule_broken" if set(BROKEN_BY[rule]) & set(found.failed) else "rule_kept"


def _past(work: Work, ward: str) -> Iterator[Fact]:
    for found in _read(PastSummary, work, ward):
        yield work.tell("past.known", "past_known", {"about": "past"}, days=work.say("day", n=found.known_days))
        for place, each in enumerate(found.by_day, 1):
            named = {shift: [*map(work.name_of, nurses)] for shift, nurses in each.shifts.items()}
            shifts, how = (
                shifts_in_words(work, named) or work.say("look_nobody"),
                {"about": "past", "bears": "coverage"},
            )
            yield work.tell(f"past.day{place}", "past_day", how, day=each.day, shifts=shifts)
        key = "past_days" if found.counted_days else "past_whole" if found.by_day else "past_period"
        before = work.say(key, days=work.say("day", n=found.counted_days or len(found.by_day)))
        for name, counts in (("nights", found.nights), ("weekends", found.weekends)):
            if counts:
                told = _counts(work, {work.name_of(nurse): count for nurse, count in counts.items()})
                yield work.tell(
                    f"past.{name}", f"past_{name}", {"about": "past", "bears": name}, before=before, counts=told
                )
        nights = {**dict.fromkeys(found.weekends, 0), **found.nights}
        for nurse, slug in slugs(list(nights)).items():  # each nurse's: `past.nights.ann`
            called, of = (
                work.name_of(nurse),
                {"about": "past", "bears": "nights", "line": "past.nights", "hidden": True},
            )
            own = {"called": called, "quantity": of_count(nights[nurse], "nights")}
            told = _counts(work, {called: nights[nurse]})
            yield work.tell(f"past.nights.{slug}", "past_nights", {**of, **own}, before=before, counts=told)


TOLD: Mapping[str, Callable[[Work, str], Iterator[Fact]]] = {
    "get_staff": _staff,
    "get_demand": _demand,
    "get_requests": _requests,
    "get_rules": _rules,
    "get_last_period": _past,
}
"""By tool, what is told of its result."""
