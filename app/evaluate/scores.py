"""Scores one case: pure functions of what a file expects and what a run did."""

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, product
from typing import Any

from wavegraph.app.evaluate.file import Case, ExpectedCall, pattern_of
from wavegraph.app.run.threads import shortened

MOST_TRIED = 20_000
"""Matchings of expected and actual calls to try; real cases have a few dozen."""
LONGEST_SHOWN = 160
"""Characters of a call or an answer in a failure line."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call of a run."""

    tool: str
    args: Mapping[str, Any]
    """Resolved."""
    wave: int = 1
    data: Any = None
    waits: bool = False
    """Whether it is a write that waits for approval."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a run did in a case."""

    outcome: str
    answer: str
    waves: int = 0
    """Waves of calls; a write that waits counts as one more."""
    calls: Sequence[Call] = ()
    after_yes: Sequence[Call] = ()
    """Calls that ran after the person said yes, and yes again."""
    error: str | None = None
    """Why the run failed; None = it did not."""


Facts = Mapping[str, Sequence[Any]]
"""The arguments of a call, by the file's names; several values if more than one reading is right."""


def own_arguments(call: Call, calls: Sequence[Call]) -> Facts:
    return {name: (value,) for name, value in call.args.items()}


def equal(name: str, expected: Any, given: Any, case: Case) -> bool:
    """Whether an argument is the expected one: text compared without case and spacing, anything else exactly."""
    if isinstance(expected, str) and isinstance(given, str):
        return " ".join(expected.split()).casefold() == " ".join(given.split()).casefold()
    return bool(expected == given)


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """How a file names an agent's tools and arguments; by default as the agent does."""

    tools: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The agent's tools by the file's names: any of them is right."""
    facts: Callable[[Call, Sequence[Call]], Facts] = own_arguments
    """`(call, all calls of the run) -> facts`."""
    equal: Callable[[str, Any, Any, Case], bool] = equal
    unscored: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Arguments that are not scored, by the file's tool name."""
    may_skip: Callable[[ExpectedCall, Case], bool] = lambda call, case: False
    """Whether a planner may work this call's result out itself."""
    may_ask: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By the file's tool name: arguments the file may leave open, and what an agent may then ask for."""
    asks: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    """Patterns of an answer that asks for something, by what it asks for."""
    made: Callable[[Call], Hashable | None] = lambda call: None
    """Identifies what a write made, the same for a repeat that made nothing new; None = each call makes something."""

    def own(self, tool: str) -> frozenset[str]:
        return self.tools.get(tool, frozenset([tool]))


@dataclass(frozen=True)
class CaseScore:
    failures: Sequence[str] = ()
    """What was expected and what happened, one line each."""
    unscored: Sequence[str] = ()
    """Expectations that cannot be scored here."""
    counts: bool = True
    """False = the file leaves open whether the run was right."""


def score(case: Case, seen: Seen, vocabulary: Vocabulary) -> CaseScore:
    unscored = list(_unscored(case, vocabulary))
    if seen.error:
        return CaseScore([f"the run failed: {seen.error}"], unscored)
    failures = [*_forbidden(case, seen, vocabulary)]
    if not failures and (question := _open_question(case, seen, vocabulary)):
        return CaseScore(unscored=[f"it asked for {question}, which the file leaves open"], counts=False)
    failures += [line for rule in _RULES for line in rule(case, seen, vocabulary)]
    return CaseScore(failures, unscored)


def _answered(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    if not seen.answer.strip():
        yield "expected an answer; got an empty one"


def _acted(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    """`tools` is scored by its calls, `reply` by what must not run."""
    right = {"clarify": {"clarify"}, "refuse": {"refused"}, "confirm": {"awaiting_approval", "clarify"}}
    wanted = right.get(case.expect.action, set())
    if wanted and seen.outcome not in wanted:
        yield f"expected {' or '.join(sorted(wanted))}; got {seen.outcome}: {_short(seen.answer)}"
    for slot in case.expect.clarify:
        pattern = vocabulary.asks.get(slot)
        if pattern and seen.outcome == "clarify" and not pattern.search(seen.answer):
            yield f"expected a question about {slot}; got: {_short(seen.answer)}"


def _forbidden(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    """A waiting write is what `confirm` expects; elsewhere it counts as made."""
    ran = [call for call in seen.calls if not (call.waits and case.expect.action == "confirm")]
    for tool in case.expect.must_not:
        if tool in case.expect.allow:
            continue
        for call in ran:
            if call.tool in vocabulary.own(tool):
                yield f"expected no {tool}; got {call_line(call.tool, call.args)}"


def _tolerated(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    """If a file lists what may also run, nothing else may."""
    if case.expect.action not in ("clarify", "refuse") or not case.expect.allow:
        return
    named = [*case.expect.allow, *case.expect.must_not, *(call.tool for call in case.calls)]
    known = {own for tool in named for own in vocabulary.own(tool)}
    for call in seen.calls:
        if call.tool not in known:
            yield f"expected no call but {', '.join(case.expect.allow)}; got {call_line(call.tool, call.args)}"


def _called(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    match = _best_match(case, seen, vocabulary)
    for expected, call in zip(case.calls, match, strict=True):
        if call is None and not vocabulary.may_skip(expected, case):
            yield f"expected {_wanted(expected)}; got {_nearest(expected, seen, vocabulary)}"
    yield from _misordered(case, match)
    if case.expect.parallel:
        yield from _apart(case, match)


def _counted(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    """A wave whose calls may all be skipped, and were, is not missed."""
    least, most = case.expect.min_waves, case.expect.max_waves
    if least is not None:
        match = _by_wave(case, _best_match(case, seen, vocabulary))
        waves = zip(case.expect.waves, match, strict=True)
        least -= sum(
            all(call is None and vocabulary.may_skip(expected, case) for expected, call in zip(wave, came, strict=True))
            for wave, came in waves
            if wave
        )
    if least is not None and seen.waves < least:
        yield f"expected at least {least} wave(s) of calls; got {seen.waves}"
    if most is not None and seen.waves > most:
        yield f"expected at most {most} wave(s) of calls; got {seen.waves}"


def _wrote_once(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    """The writes are the tools of the file's last wave."""
    if not case.expect.once or not case.calls:
        return
    writes = {own for call in case.expect.waves[-1] for own in vocabulary.own(call.tool)}
    calls = [call for call in (*seen.calls, *seen.after_yes) if call.tool in writes]
    ran = [call for call in calls if not call.waits]
    made = {vocabulary.made(call) or ("call", number) for number, call in enumerate(ran)}
    if len(made) != 1 and (ran or len(calls) != 1):
        yield f"expected exactly one write; got {len(made) or len(calls)}"


def _worded(case: Case, seen: Seen, vocabulary: Vocabulary) -> Iterator[str]:
    for text in case.expect.reply_must:
        if (pattern := pattern_of(text)) and not pattern.search(seen.answer):
            yield f"expected {text} in the answer; got: {_short(seen.answer)}"
    for text in case.expect.reply_must_not:
        if (pattern := pattern_of(text)) and (found := pattern.search(seen.answer)):
            yield f"expected no {text} in the answer; got {found[0]!r}"


_RULES = (_answered, _acted, _tolerated, _called, _counted, _wrote_once, _worded)


def _unscored(case: Case, vocabulary: Vocabulary) -> Iterator[str]:
    expect = case.expect
    yield from (f"reply_must: {text}" for text in expect.reply_must if pattern_of(text) is None)
    yield from (f"reply_must_not: {text}" for text in expect.reply_must_not if pattern_of(text) is None)
    yield from (f"clarify: {slot}" for slot in expect.clarify if slot not in vocabulary.asks)
    if expect.assume:
        yield f"assume: {expect.assume} (the run uses the data as it is)"


def _open_question(case: Case, seen: Seen, vocabulary: Vocabulary) -> str | None:
    """What the agent asked for, if the file leaves open whether to ask for exactly that or to assume it."""
    if case.expect.action != "tools" or seen.outcome != "clarify":
        return None
    asked = {slot for slot, pattern in vocabulary.asks.items() if pattern.search(seen.answer)}
    left_open = {
        slot
        for call in case.calls
        for name, slot in vocabulary.may_ask.get(call.tool, {}).items()
        if name not in call.args
    }
    return ", ".join(sorted(asked)) if asked and asked <= left_open else None


CallMatch = Sequence[Call | None]
"""The actual call for each expected one, in the file's order; None = it was not made."""


def _best_match(case: Case, seen: Seen, vocabulary: Vocabulary) -> CallMatch:
    """The matching with the fewest faults, no call used twice."""
    fitting = [[call for call in seen.calls if fits(want, call, case, seen.calls, vocabulary)] for want in case.calls]
    best: CallMatch = [None] * len(case.calls)
    least = _faults(case, best)
    for match in islice(product(*([*calls, None] for calls in fitting)), MOST_TRIED):
        used = [id(call) for call in match if call]
        if len(used) == len(set(used)) and (faults := _faults(case, match)) < least:
            best, least = match, faults
        if least == 0:
            break
    return best


def _faults(case: Case, match: CallMatch) -> int:
    missing = sum(call is None for call in match)
    apart = list(_apart(case, match)) if case.expect.parallel else []
    return missing * 100 + len([*_misordered(case, match), *apart])


def _by_wave(case: Case, match: CallMatch) -> list[list[Call | None]]:
    calls = iter(match)
    return [[next(calls) for _ in wave] for wave in case.expect.waves]


def _misordered(case: Case, match: CallMatch) -> Iterator[str]:
    """A later wave may neither begin nor end before an earlier one."""
    waves = [[call for call in wave if call] for wave in _by_wave(case, match)]
    for before, after in pairwise(wave for wave in waves if wave):
        sooner, later = [call.wave for call in before], [call.wave for call in after]
        if min(later) <= min(sooner) or max(later) <= max(sooner):
            yield f"expected {_tools(before)} before {_tools(after)}; ran in waves {sooner} and {later}"


def _apart(case: Case, match: CallMatch) -> Iterator[str]:
    for wave in _by_wave(case, match):
        made = [call for call in wave if call]
        if len(numbers := sorted({call.wave for call in made})) > 1:
            yield f"expected {_tools(made)} together; ran in waves {numbers}"


def fits(expected: ExpectedCall, call: Call, case: Case, calls: Sequence[Call], vocabulary: Vocabulary) -> bool:
    """Whether `call`, one of the run's `calls`, has the expected tool and the arguments the file gives."""
    if call.tool not in vocabulary.own(expected.tool):
        return False
    facts = vocabulary.facts(call, calls)
    has_stay = bool(expected.accept_stays) or expected.window is not None
    skipped = vocabulary.unscored.get(expected.tool, frozenset()) | ({"check_in", "check_out"} if has_stay else set())
    scored = {name: value for name, value in expected.args.items() if name not in skipped}
    right = all(
        any(vocabulary.equal(name, value, given, case) for given in facts.get(name, ()))
        for name, value in scored.items()
    )
    return right and (not has_stay or _stay_fits(expected, facts))


def _stay_fits(expected: ExpectedCall, facts: Facts) -> bool:
    """Dates are ISO text, which sorts like dates."""
    stays = list(zip(facts.get("check_in", ()), facts.get("check_out", ()), strict=False))
    if expected.window is not None:
        first, last = (day.isoformat() for day in expected.window)
        return any(first <= check_in and check_out <= last for check_in, check_out in stays)
    accepted = {(check_in.isoformat(), check_out.isoformat()) for check_in, check_out in expected.accept_stays}
    accepted.add((str(expected.args.get("check_in")), str(expected.args.get("check_out"))))
    return any(stay in accepted for stay in stays)


def call_line(tool: str, args: Mapping[str, Any]) -> str:
    """A call in one line."""
    return _short(f"{tool}({', '.join(f'{name}={_value(value)}' for name, value in args.items())})")


def _wanted(expected: ExpectedCall) -> str:
    text = call_line(expected.tool, expected.args)
    if expected.window:
        return f"{text} inside {expected.window[0]} to {expected.window[1]}"
    return f"{text} or {len(expected.accept_stays)} other stay(s)" if expected.accept_stays else text


def _nearest(expected: ExpectedCall, seen: Seen, vocabulary: Vocabulary) -> str:
    same = [call_line(call.tool, call.args) for call in seen.calls if call.tool in vocabulary.own(expected.tool)]
    return "; ".join(same) or f"no such call ({seen.outcome}: {_short(seen.answer)})"


def _tools(calls: Sequence[Call]) -> str:
    return ", ".join(call.tool for call in calls)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _short(text: str) -> str:
    return shortened(text, LONGEST_SHOWN)
