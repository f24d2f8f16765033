"""Facts about who works what in a roster: each nurse's share, who has most and least, and how even it is."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from wavegraph.tools.roster.answers.facts import Fact, Work, of_count, of_hours, slugs
from wavegraph.tools.roster.records import NurseLine


def nurse_facts(work: Work) -> Iterator[Fact]:
    """As the report of the roster has them."""
    report = work.report
    if report is None or not report.lines:
        return
    lines, worst = report.lines, min(report.lines, key=lambda line: line.score)
    how: dict[str, Any] = {"bears": "fairness", "listed": True}
    yield work.tell("fairness", "fairness", how, fairness=report.fairness)
    counts = {"nights": work.say("night", n=worst.nights), "weekends": work.say("weekend", n=worst.weekends)}
    share, how = work.say("share", hours=worst.hours, **counts), how | {"about": "fairness", "after": "fairness"}
    yield work.tell("fairness.lowest", "lowest", how, score=worst.score, nurse=work.name(worst.nurse), share=share)
    yield from _counts("nights", "night", lambda line: line.nights, work, lines)
    yield from _counts("weekends", "weekend", lambda line: line.weekends, work, lines)
    yield from _hours(work, lines)
    yield from _wishes(work, lines)
    slug = slugs([line.nurse.partition(" ")[0] for line in lines])
    for line in lines:
        yield from _nurse(work, line, f"n.{slug[line.nurse.partition(' ')[0]]}")


def _counts(
    name: str, noun: str, count: Callable[[NurseLine], int], work: Work, lines: Sequence[NurseLine]
) -> Iterator[Fact]:
    """Who has most, who has none; or that all have as many."""
    counts = {work.name(line.nurse): count(line) for line in lines}
    most, how = max(counts.values()), {"about": name, "bears": name}
    share = work.say(noun, n=most)
    if len(lines) > 1 and len({*counts.values()}) == 1:
        yield work.tell(f"{name}.same", f"same_{name}", how, share=share)
        return
    those = [nurse for nurse, own in counts.items() if own == most]
    yield work.tell(f"{name}.most", f"most_{name}", how, nurses=those, share=share)
    if none := [nurse for nurse, own in counts.items() if own == 0]:
        yield work.tell(f"{name}.none", f"no_{name}", how, nurses=none)
    yield work.tell(f"{name}.all", f"all_{name}", how, counts=", ".join(f"{nurse} {n}" for nurse, n in counts.items()))


def _hours(work: Work, lines: Sequence[NurseLine]) -> Iterator[Fact]:
    """Who is furthest from contract hours; of several with other hours, the first."""
    gaps = {line.nurse: round(line.hours - line.target_hours, 1) for line in lines if line.target_hours is not None}
    if not gaps:
        return
    how = {"about": "hours", "bears": "hours"}
    for key, furthest in (("below", min(gaps.values())), ("above", max(gaps.values()))):
        if (furthest < 0) == (key == "below") and furthest:
            whose = {line.nurse: _hours_in_words(work, line) for line in lines if gaps.get(line.nurse) == furthest}
            nurses = [work.name(nurse) for nurse in whose]
            told = next(iter(whose.values()))
            is_same = {*whose.values()} == {told}
            yield work.tell(f"hours.{key}", f"{key}_hours", how, nurses=nurses if is_same else nurses[:1], hours=told)
    if not any(gaps.values()):
        yield work.tell("hours.exact", "at_hours", how)


def _hours_in_words(work: Work, line: NurseLine) -> str:
    told = work.hours(line.hours, line.target_hours)
    return work.say("with_leave", hours=told, leave=line.leave_hours) if line.leave_hours else told


def _wishes(work: Work, lines: Sequence[NurseLine]) -> Iterator[Fact]:
    """Whose wishes were granted, in part or not."""
    shares = {work.name(line.nurse): tuple(map(int, line.wishes.split("/"))) for line in lines if line.wishes}
    groups = {
        "all": [nurse for nurse, (granted, of) in shares.items() if granted == of],
        "part": [
            work.say("nurse_and", nurse=nurse, what=work.say("weight", granted=granted, all=of))
            for nurse, (granted, of) in shares.items()
            if 0 < granted < of
        ],
        "none": [nurse for nurse, (granted, _) in shares.items() if granted == 0],
    }
    for key, nurses in groups.items():
        if nurses:
            yield work.tell(f"wishes.{key}", f"wishes_{key}", {"about": "wishes", "bears": "wishes"}, nurses=nurses)


def _weight(work: Work, wishes: str) -> str:
    granted, _, whole = wishes.partition("/")
    key = "all_granted" if granted == whole else "none_granted" if granted == "0" else "weight_of"
    return work.say(key, granted=granted, all=whole)


def _nurse(work: Work, line: NurseLine, name: str) -> Iterator[Fact]:
    """One nurse's line, and each part of it as a sentence of its own."""
    nurse, wishes = work.name(line.nurse), _weight(work, line.wishes) if line.wishes else ""
    parts = {
        "hours": _hours_in_words(work, line),
        "nights": work.say("night", n=line.nights),
        "weekends": work.say("weekend", n=line.weekends),
        "score": work.figure(line.score),
        **({"wishes": wishes} if wishes else {}),
    }
    with_wishes = work.say("with_wishes", wishes=wishes) if wishes else ""
    whole = work.say("nurse", nurse=nurse, **{**parts, "wishes": with_wishes})
    yield work.fact(name, whole, alone=f"- {whole}", bears="nurse")
    counts = {
        "hours": of_hours(line.hours),
        "nights": of_count(line.nights, "nights"),
        "weekends": of_count(line.weekends, "weekends"),
    }
    for part, amount in parts.items():
        own = {"quantity": counts.get(part), "called": nurse if part in counts else "", "line": name, "hidden": True}
        how = {"about": name, "bears": f"{'fairness' if part == 'score' else part} nurse", **own}
        yield work.tell(f"{name}.{part}", f"nurse_{part}", how, nurse=nurse, **{part: amount})
