"""Facts about a ward, before or beside a roster: its nurses, demand, requests, rules and the period before."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

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
HOURS = 2
"""Place of the demand's hours among what is told of it."""


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
    for found in _read(StaffSummary, work, ward):
        names = ", ".join(map(work.name, found.names))
        count = work.say("nurse_count", n=found.nurses)
        staff = work.say("staff", ward=found.ward, count=count, names=names)
        yield work.fact("staff.1", staff, about="staff", bears="nurse")
        for place, (key, counts) in enumerate((("grades", found.grades), ("skills", found.skills)), 2):
            if counts:
                text = work.say(key, counts=_counts(work, counts))
                yield work.fact(f"staff.{place}", text, about="staff", bears="nurse")
        own: Any = {"called": work.say("called_contracts"), "quantity": of_hours(found.contract_hours)}
        hours = work.say("contract_hours", hours=found.contract_hours)
        yield work.fact("staff.4", hours, about="staff", bears="hours", **own)
        tired = [*map(work.words, found.tired)]
        yield work.fact(
            "staff.5", work.say("tired" if tired else "none_tired", nurses=tired), about="staff", bears="nurse"
        )


def _demand(work: Work, ward: str) -> Iterator[Fact]:
    about: Any = {"about": "demand", "bears": "coverage"}
    for found in _read(DemandSummary, work, ward):
        told = [
            work.say("shifts", shifts=", ".join(found.shifts)),
            work.say("needed_hours", hours=found.needed_hours),
            work.say("least", counts=_counts(work, found.least)),
            work.say("target", counts=_counts(work, found.target)),
            *([work.say("busiest", day=found.busiest)] if found.busiest else []),
        ]
        hours: Any = {"called": work.say("called_demand"), "quantity": of_hours(found.needed_hours)}
        for place, text in enumerate(told, 1):
            yield work.fact(f"demand.{place}", text, **about, **(hours if place == HOURS else {}))
        for place, each in enumerate(found.by_day, 1):
            counts = _counts(work, {**each.target, **each.of_skill}) or work.figure(0)
            text = work.say("day_demand", days=days_in_words(each.days, work.language), counts=counts)
            yield work.fact(f"demand.day{place}", text, **about)


def _requests(work: Work, ward: str) -> Iterator[Fact]:
    about: Any = {"about": "requests", "bears": "wishes"}
    for found in _read(RequestSummary, work, ward):
        counts = {"wishes": found.wishes, "leave": found.leave_days, "locked": found.locked, "apart": found.apart,
                  "together": found.together}  # fmt: skip
        known = {work.say(f"file_{kind}"): count for kind, count in counts.items() if count}
        told = work.say("asked_in_file" if known else "none_in_file", counts=_counts(work, known))
        yield work.fact("requests", told, **about)
        if found.settled:
            yield work.fact("requests.settled", _settled(work, found), **about)
        for nurse, slug in slugs(list(found.by_nurse)).items():
            told = work.say("nurse_asked", nurse=work.name_of(nurse), what=work.told(found.by_nurse[nurse]))
            yield work.fact(f"requests.{slug}", told, **about)


def _settled(work: Work, found: RequestSummary) -> str:
    """Who has what on which day, whatever else is best."""
    cells = [
        work.say("cell", nurse=each.nurse, shift=each.shift or work.say("off"), day=each.day) for each in found.settled
    ]
    more = [work.say("more")] if len(cells) == MOST_SETTLED else []
    return work.say("file_settled", cells=", ".join([*cells, *more]))


def _rules(work: Work, ward: str) -> Iterator[Fact]:
    for found in _read(RulesSummary, work, ward):
        for name, value in found.rules.items():
            if value in (None, False, 0) or f"rule.{name}" not in courtesy.RULES:
                continue
            rule = work.say(f"rule.{name}", value=value if isinstance(value, str) else float(value or 0))
            derogated = name == "daily_rest_hours" and found.rules.get("derogated_rest_hours") is not None
            told = work.say("rule" if derogated else _kept(name, work), rule=rule)
            yield work.fact(f"rule.{name}", told, about="rules", bears="rules")
        priced = (work.say("part", kind=work.kind(kind), cost=price) for kind, price in found.penalties.items())
        yield work.fact("prices", work.say("prices", prices=", ".join(priced)), bears="cost")


def _kept(rule: str, work: Work) -> str:
    """Whether the roster keeps the rule; of rules that the checks do not judge by themselves, only that it is one."""
    found, report = work.presented, work.report
    if rule not in BROKEN_BY or found is None or report is None:
        return "rule"
    return "rule_broken" if set(BROKEN_BY[rule]) & set(found.failed) else "rule_kept"


def _past(work: Work, ward: str) -> Iterator[Fact]:
    for found in _read(PastSummary, work, ward):
        yield work.fact("past.known", work.say("past_known", days=work.say("day", n=found.known_days)), about="past")
        for place, each in enumerate(found.by_day, 1):
            named = {shift: [*map(work.name_of, nurses)] for shift, nurses in each.shifts.items()}
            shifts = shifts_in_words(work, named) or work.say("look_nobody")
            day = work.say("past_day", day=each.day, shifts=shifts)
            yield work.fact(f"past.day{place}", day, about="past", bears="coverage")
        key = "past_days" if found.counted_days else "past_whole" if found.by_day else "past_period"
        before = work.say(key, days=work.say("day", n=found.counted_days or len(found.by_day)))
        for name, counts in (("nights", found.nights), ("weekends", found.weekends)):
            if counts:
                told = _counts(work, {work.name_of(nurse): count for nurse, count in counts.items()})
                text = work.say(f"past_{name}", before=before, counts=told)
                yield work.fact(f"past.{name}", text, about="past", bears=name)
        yield from _past_apart(work, found, before)


def _past_apart(work: Work, found: PastSummary, before: str) -> Iterator[Fact]:
    """Each nurse's nights: `past.nights.ann`."""
    nurses = {**dict.fromkeys(found.weekends, 0), **found.nights}
    for nurse, slug in slugs(list(nurses)).items():
        text = work.say("past_nights", before=before, counts=_counts(work, {work.name_of(nurse): nurses[nurse]}))
        own: Any = {"called": work.name_of(nurse), "quantity": of_count(nurses[nurse], "nights")}
        yield work.fact(
            f"past.nights.{slug}", text, about="past", bears="nights", line="past.nights", hidden=True, **own
        )


TOLD: Mapping[str, Callable[[Work, str], Iterator[Fact]]] = {
    "get_staff": _staff,
    "get_demand": _demand,
    "get_requests": _requests,
    "get_rules": _rules,
    "get_last_period": _past,
}
"""By tool, what is told of its result."""
