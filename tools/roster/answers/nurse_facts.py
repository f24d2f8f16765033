"""Facts about who works what in a roster: each nurse's share, who has most and least, and how even it is."""

from collections.abc import Callable, Iterator, Sequence

from wavegraph.graph.answer.statements import Statement
from wavegraph.tools.roster.answers import courtesy, quantities
from wavegraph.tools.roster.answers.facts import Fact, Work, fact, slugs
from wavegraph.tools.roster.answers.phrases import counted, joined, number, say
from wavegraph.tools.roster.records import NurseLine


def nurse_facts(work: Work) -> Iterator[Fact]:
    """As the report of the roster has them."""
    report, language = work.report, work.language
    if report is None or not report.lines:
        return
    lines = report.lines
    fair = courtesy.bears("fairness", language)
    fairness = say("fairness", language, fairness=number(report.fairness, language))
    yield fact("fairness", fairness, about="fairness", bears=fair, listed=True)
    worst = min(lines, key=lambda line: line.score)
    lowest = say("lowest", language, score=number(worst.score, language), nurse=work.name(worst.nurse),
                 share=_share(worst, language))  # fmt: skip
    yield fact("fairness.lowest", lowest, about="fairness", bears=fair, listed=True, after="fairness")
    yield from _counts("nights", "night", lambda line: line.nights, work, lines)
    yield from _counts("weekends", "weekend", lambda line: line.weekends, work, lines)
    yield from _hours(work, lines)
    yield from _wishes(work, lines)
    slug = slugs([line.nurse.partition(" ")[0] for line in lines])
    for line in lines:
        yield from _nurse(work, line, f"n.{slug[line.nurse.partition(' ')[0]]}")


def _share(line: NurseLine, language: str) -> str:
    nights, weekends = counted(line.nights, "night", language), counted(line.weekends, "weekend", language)
    return say("share", language, hours=number(line.hours, language), nights=nights, weekends=weekends)


def _counts(
    name: str, noun: str, count: Callable[[NurseLine], int], work: Work, lines: Sequence[NurseLine]
) -> Iterator[Fact]:
    """Who has most, who has none; or that all have as many."""
    language, counts = work.language, [count(line) for line in lines]
    share = counted(max(counts), noun, language)
    bears = courtesy.bears(name, language)
    if len(lines) > 1 and len(set(counts)) == 1:
        yield fact(f"{name}.same", say(f"same_{name}", language, share=share), about=name, bears=bears)
        return
    most = joined([work.name(line.nurse) for line in lines if count(line) == max(counts)], language)
    yield fact(f"{name}.most", say(f"most_{name}", language, nurses=most, share=share), about=name, bears=bears)
    if none := [work.name(line.nurse) for line in lines if count(line) == 0]:
        yield fact(f"{name}.none", say(f"no_{name}", language, nurses=joined(none, language)), about=name, bears=bears)
    each = ", ".join(f"{work.name(line.nurse)} {count(line)}" for line in lines)
    told = Statement(id=f"{name}.all", text=say(f"all_{name}", language, counts=each), about=name, bears=bears)
    yield Fact(told, (), False)


def _hours(work: Work, lines: Sequence[NurseLine]) -> Iterator[Fact]:
    """Who is furthest from contract hours."""
    language, bears = work.language, courtesy.bears("hours", work.language)
    gaps = {line.nurse: round(line.hours - line.target_hours, 1) for line in lines if line.target_hours is not None}
    if not gaps:
        return
    by_nurse = {line.nurse: line for line in lines}
    for key, furthest in (("below", min(gaps.values())), ("above", max(gaps.values()))):
        if (furthest < 0) == (key == "below") and furthest:
            whose = [by_nurse[nurse] for nurse, gap in gaps.items() if gap == furthest]
            hours = dict.fromkeys(_hours_in_words(line, language) for line in whose)
            if len(hours) == 1:
                nurses, told = joined([work.name(line.nurse) for line in whose], language), next(iter(hours))
            else:
                nurses, told = work.name(whose[0].nurse), _hours_in_words(whose[0], language)
            yield fact(f"hours.{key}", say(f"{key}_hours", language, nurses=nurses, hours=told), about="hours",
                       bears=bears)  # fmt: skip
    if not any(gaps.values()):
        yield fact("hours.exact", say("at_hours", language), about="hours", bears=bears)


def _hours_in_words(line: NurseLine, language: str) -> str:
    hours = number(line.hours, language)
    if line.target_hours is None:
        told = say("hours", language, hours=hours)
    else:
        told = say("hours_of", language, hours=hours, target=number(line.target_hours, language))
    leave = number(line.leave_hours, language)
    return say("with_leave", language, hours=told, leave=leave) if line.leave_hours else told


def _wishes(work: Work, lines: Sequence[NurseLine]) -> Iterator[Fact]:
    """Whose wishes were granted, in part or not."""
    language, bears = work.language, courtesy.bears("wishes", work.language)
    shares = {line.nurse: tuple(int(part) for part in line.wishes.split("/")) for line in lines if line.wishes}
    whole = [work.name(nurse) for nurse, (granted, of) in shares.items() if granted == of]
    none = [work.name(nurse) for nurse, (granted, _) in shares.items() if granted == 0]
    part = [
        say("nurse_and", language, nurse=work.name(nurse), what=say("weight", language, granted=granted, all=of))
        for nurse, (granted, of) in shares.items()
        if 0 < granted < of
    ]
    for key, nurses in (("all", whole), ("part", part), ("none", none)):
        if nurses:
            told = say(f"wishes_{key}", language, nurses=joined(nurses, language))
            yield fact(f"wishes.{key}", told, about="wishes", bears=bears)


def _weight(wishes: str, language: str) -> str:
    granted, _, whole = wishes.partition("/")
    if granted in ("0", whole):
        return say("all_granted" if granted == whole else "none_granted", language)
    return say("weight_of", language, granted=granted, all=whole)


def _nurse(work: Work, line: NurseLine, name: str) -> Iterator[Fact]:
    """One nurse's line, and each part of it as a sentence of its own."""
    language = work.language
    nurse, wishes = courtesy.bears("nurse", language), _weight(line.wishes, language) if line.wishes else ""
    parts = {
        "hours": _hours_in_words(line, language),
        "nights": counted(line.nights, "night", language),
        "weekends": counted(line.weekends, "weekend", language),
        "score": number(line.score, language),
        **({"wishes": wishes} if wishes else {}),
    }
    with_wishes = say("with_wishes", language, wishes=wishes) if wishes else ""
    whole = say("nurse", language, nurse=work.name(line.nurse), **{**parts, "wishes": with_wishes})
    yield Fact(Statement(id=name, text=whole, alone=f"- {whole}", about=name, bears=nurse), (), False)
    counts = {
        "hours": quantities.hours(line.hours),
        "nights": quantities.count(line.nights, "nights"),
        "weekends": quantities.count(line.weekends, "weekends"),
    }
    for part, amount in parts.items():
        told = say(f"nurse_{part}", language, nurse=work.name(line.nurse), **{part: amount})
        words = courtesy.bears("fairness" if part == "score" else part, language) | nurse
        statement = Statement(
            id=f"{name}.{part}", text=told, about=name, bears=words, line=name, hidden=True, quantity=counts.get(part),
            called=work.name(line.nurse) if part in counts else "",
        )  # fmt: skip
        yield Fact(statement, (), False)
