"""Facts about a ward, before or beside a roster: its nurses, demand, requests, rules and the period before."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from wavegraph.graph.answer.statements import Statement
from wavegraph.graph.references.paths import needs
from wavegraph.tools.roster.answers import courtesy, quantities
from wavegraph.tools.roster.answers.facts import Fact, Work, fact, slugs
from wavegraph.tools.roster.answers.phrases import (
    counted,
    day_in_words,
    days_in_words,
    in_words,
    joined,
    number,
    say,
)
from wavegraph.tools.roster.answers.roster_facts import LOOKS
from wavegraph.tools.roster.loop.rounds import results_of
from wavegraph.tools.roster.records import (
    DemandSummary,
    PastDay,
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
    wards = _wards(work) or [""]
    for ward in wards:
        facts = [each for tool, told in TOLD.items() if tool in tools for each in told(work, ward)]
        of_ward = [_of_ward(each, ward, is_last=ward == wards[-1]) for each in facts] if len(wards) > 1 else facts
        ids = [each.statement.id for each in of_ward]
        for place, each in enumerate(of_ward):
            yield Fact(each.statement, ids if about_ward and place == 0 else (), listed=about_ward)


def _wards(work: Work) -> list[str]:
    """The names of those that were read, the one read last behind the others."""
    read = [each.ward for kind, tool in READ.items() for each in results_of(tool, kind, work.view.ledger)]
    return [*dict.fromkeys(reversed(read))][::-1]


def _read(kind: type[R], work: Work, ward: str) -> list[R]:
    """The last result of a ward, if there is one."""
    return [each for each in results_of(READ[kind], kind, work.view.ledger) if each.ward == ward][-1:]


def _of_ward(told: Fact, ward: str, *, is_last: bool) -> Fact:
    """A fact that says which ward it is of, beside those of another."""
    [slug] = slugs([ward]).values()
    text = told.statement.text if ward in told.statement.text else f"{ward}: {told.statement.text}"
    name = told.statement.id if is_last else f"{slug}.{told.statement.id}"
    return replace(told, statement=replace(told.statement, id=name, text=text))


def _counts(counts: Mapping[str, int], language: str) -> str:
    return ", ".join(say("count", language, what=what, n=count) for what, count in counts.items())


def _staff(work: Work, ward: str) -> Iterator[Fact]:
    language = work.language
    for found in _read(StaffSummary, work, ward):
        nurse = courtesy.bears("nurse", language)
        names = ", ".join(work.name(name) for name in found.names)
        yield fact(
            "staff.1",
            say("staff", language, ward=found.ward, count=counted(found.nurses, "nurse_count", language), names=names),
            about="staff",
            bears=nurse,
        )
        for number_, (key, counts) in enumerate((("grades", found.grades), ("skills", found.skills)), 2):
            if counts:
                yield fact(
                    f"staff.{number_}", say(key, language, counts=_counts(counts, language)), about="staff", bears=nurse
                )
        hours = number(found.contract_hours, language)
        yield fact("staff.4", say("contract_hours", language, hours=hours), about="staff",
                   bears=courtesy.bears("hours", language), called=say("called_contracts", language),
                   quantity=quantities.hours(found.contract_hours))  # fmt: skip
        tired = joined([work.words(each) for each in found.tired], language)
        key = "tired" if tired else "none_tired"
        yield fact("staff.5", say(key, language, nurses=tired), about="staff", bears=nurse)


def _demand(work: Work, ward: str) -> Iterator[Fact]:
    language, bears = work.language, courtesy.bears("coverage", work.language)
    for found in _read(DemandSummary, work, ward):
        told = [
            say("shifts", language, shifts=", ".join(found.shifts)),
            say("needed_hours", language, hours=number(found.needed_hours, language)),
            say("least", language, counts=_counts(found.least, language)),
            say("target", language, counts=_counts(found.target, language)),
            *([say("busiest", language, day=day_in_words(found.busiest, language))] if found.busiest else []),
        ]
        for place, text in enumerate(told, 1):
            yield fact(f"demand.{place}", text, about="demand", bears=bears,
                       called=say("called_demand", language) if place == HOURS else "",
                       quantity=quantities.hours(found.needed_hours) if place == HOURS else None)  # fmt: skip
        for place, each in enumerate(found.by_day, 1):
            days = days_in_words(each.days, language)
            counts = _counts({**each.target, **each.of_skill}, language) or number(0, language)
            yield fact(f"demand.day{place}", say("day_demand", language, days=days, counts=counts), about="demand",
                       bears=bears)  # fmt: skip


def _requests(work: Work, ward: str) -> Iterator[Fact]:
    language, bears = work.language, courtesy.bears("wishes", work.language)
    for found in _read(RequestSummary, work, ward):
        counts = {"wishes": found.wishes, "leave": found.leave_days, "locked": found.locked, "apart": found.apart,
                  "together": found.together}  # fmt: skip
        known = {say(f"file_{kind}", language): count for kind, count in counts.items() if count}
        told = say("asked_in_file" if known else "none_in_file", language, counts=_counts(known, language))
        yield fact("requests", told, about="requests", bears=bears)
        if found.settled:
            yield fact("requests.settled", _settled(found, language), about="requests", bears=bears)
        slug = slugs(list(found.by_nurse))
        for nurse, asked in found.by_nurse.items():
            told = say("nurse_asked", language, nurse=work.name_of(nurse), what=work.told(asked))
            yield fact(f"requests.{slug[nurse]}", told, about="requests", bears=bears)


def _settled(found: RequestSummary, language: str) -> str:
    """Who has what on which day, whatever else is best."""
    cells = [
        say(
            "cell",
            language,
            nurse=each.nurse,
            shift=each.shift or say("off", language),
            day=day_in_words(each.day, language),
        )
        for each in found.settled
    ]
    more = [say("more", language)] if len(cells) == MOST_SETTLED else []
    return say("file_settled", language, cells=", ".join([*cells, *more]))


def _rules(work: Work, ward: str) -> Iterator[Fact]:
    language, bears = work.language, courtesy.bears("rules", work.language)
    for found in _read(RulesSummary, work, ward):
        for name, value in found.rules.items():
            if value in (None, False, 0) or f"rule.{name}" not in courtesy.RULES:
                continue
            amount = value if isinstance(value, str) else number(float(value or 0), language)
            rule = say(f"rule.{name}", language, value=amount)
            derogated = name == "daily_rest_hours" and found.rules.get("derogated_rest_hours") is not None
            told = say("rule" if derogated else _kept(name, work), language, rule=rule)
            yield fact(f"rule.{name}", told, about="rules", bears=bears)
        prices = ", ".join(
            say("part", language, kind=in_words(kind, language), cost=price) for kind, price in found.penalties.items()
        )
        yield fact("prices", say("prices", language, prices=prices), about="prices",
                   bears=courtesy.bears("cost", language))  # fmt: skip


def _kept(rule: str, work: Work) -> str:
    """Whether the roster keeps the rule; of rules that the checks do not judge by themselves, only that it is one."""
    found, report = work.presented, work.report
    if rule not in BROKEN_BY or found is None or report is None:
        return "rule"
    return "rule_broken" if set(BROKEN_BY[rule]) & set(found.failed) else "rule_kept"


def _past(work: Work, ward: str) -> Iterator[Fact]:
    language = work.language
    for found in _read(PastSummary, work, ward):
        yield fact(
            "past.known", say("past_known", language, days=counted(found.known_days, "day", language)), about="past"
        )
        for place, each in enumerate(found.by_day, 1):
            yield fact(
                f"past.day{place}", _past_day(work, each), about="past", bears=courtesy.bears("coverage", language)
            )
        key = "past_days" if found.counted_days else "past_whole" if found.by_day else "past_period"
        before = say(key, language, days=counted(found.counted_days or len(found.by_day), "day", language))
        for name, counts in (("nights", found.nights), ("weekends", found.weekends)):
            if counts:
                told = _counts({work.name_of(nurse): count for nurse, count in counts.items()}, language)
                yield fact(f"past.{name}", say(f"past_{name}", language, before=before, counts=told), about="past",
                           bears=courtesy.bears(name, language))  # fmt: skip
        yield from _past_apart(work, found, before)


def _past_apart(work: Work, found: PastSummary, before: str) -> Iterator[Fact]:
    """Each nurse's nights: `past.nights.ann`."""
    language, nurses = work.language, {**dict.fromkeys(found.weekends, 0), **found.nights}
    for nurse, slug in slugs(list(nurses)).items():
        counts = say("count", language, what=work.name_of(nurse), n=nurses[nurse])
        told = Statement(id=f"past.nights.{slug}", text=say("past_nights", language, before=before, counts=counts),
                         about="past", bears=courtesy.bears("nights", language), line="past.nights", hidden=True,
                         called=work.name_of(nurse), quantity=quantities.count(nurses[nurse], "nights"))  # fmt: skip
        yield Fact(told, listed=False)


def _past_day(work: Work, found: PastDay) -> str:
    language = work.language
    shifts = [
        say(
            "look_shift",
            language,
            shift=shift,
            nurses=", ".join(map(work.name_of, nurses)) or say("look_nobody", language),
        )
        for shift, nurses in found.shifts.items()
    ]
    told = "; ".join(shifts) or say("look_nobody", language)
    return say("past_day", language, day=day_in_words(found.day, language), shifts=told)


TOLD: Mapping[str, Callable[[Work, str], Iterator[Fact]]] = {
    "get_staff": _staff,
    "get_demand": _demand,
    "get_requests": _requests,
    "get_rules": _rules,
    "get_last_period": _past,
}
"""By tool, what is told of its result."""
