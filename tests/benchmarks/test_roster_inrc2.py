"""INRC-II's format and its seven parts: made-up sets scored by hand, week by week, and official figures where the data is."""

import dataclasses
from pathlib import Path

import pytest
from benchmarks.roster_inrc2 import FILE, main
from benchmarks.roster_inrc2_format import NO_SHIFT, WEEKDAYS, parse_inrc2, parse_solution
from benchmarks.roster_inrc2_published import BEST, BOUND, LATE, WINNER, competition
from benchmarks.roster_inrc2_runs import APART, Row, Solvers, stage_run
from benchmarks.roster_inrc2_sets import (
    Instance,
    history_text,
    instance,
    nurses_of,
    read_set,
    read_solution,
    scenario_text,
    score,
)
from benchmarks.roster_inrc2_table import tables
from benchmarks.roster_inrc2_weeks import (
    SolveStage,
    Stage,
    StageRun,
    expected_weeks,
    next_history,
    solved_stage,
    stage_seconds,
    total,
    week_by_week,
    what_is_left,
)
from benchmarks.roster_runs import solved
from patience import HANGS_S
from roster_wards import ROOT
from tables import table

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.ward.faults import RosterError, WardError

SETS = ROOT.parent / "shared/data/nrp/inrc2"
"""The competition's sets, which are not part of the repository; the test of them is skipped where they are missing."""
SCENARIO = """SCENARIO = tiny

WEEKS = 1

SKILLS = 2
Head
Nurse

SHIFT_TYPES = 2
Early (2,3)
Night (2,4)

FORBIDDEN_SHIFT_TYPES_SUCCESSIONS
Early 0
Night 1 Early

CONTRACTS = 1
Full (4,5) (2,4) (2,3) 0 1

NURSES = 2
ann Full 2 Head Nurse
ben Full 1 Nurse
"""
HISTORY = """HISTORY
0 tiny

NURSE_HISTORY
ann 0 0 Night 1 2 0
ben 3 1 None 0 0 1
"""
NONE = "(0,0)"
WEEK = f"""WEEK_DATA
tiny

REQUIREMENTS
Early Head {NONE} (1,2) {" ".join([NONE] * 5)}
Early Nurse (0,1) {" ".join([NONE] * 6)}

SHIFT_OFF_REQUESTS = 2
ann Any Tue
ben Early Sat
"""
SOLUTION = """SOLUTION
0 tiny

ASSIGNMENTS = 6
ann Tue Early Head
ann Wed Early Nurse
ann Sat Early Nurse
ben Mon Early Nurse
ben Sat Early Nurse
ben Sun Early Nurse
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    files = {"Sc-tiny": SCENARIO, "H0-tiny-0": HISTORY, "WD-tiny-3": WEEK, "Sol-tiny-3-0": SOLUTION}
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def test_the_parts_are_those_counted_by_hand(tiny: Path) -> None:
    ward = read_set(tiny, 0, [3])
    roster = read_solution(ward, tiny, "tiny", [3])
    assert check_compliance(ward, roster).breaches == []
    assert score(ward, roster) == {
        "Total assignment constraints": 20 + 20,  # ann has three, ben with those before six
        # Ann's night before is a single one, her Saturday too short a run of early and of work; so is ben's Monday.
        "Consecutive constraints": 15 + 15 + 30 + 15 + 30,
        # Ann's Monday is a single day off, ben's Sunday before as well; then he has four.
        "Non working days constraints": 30 + 30 + 30,
        "Preferences": 10 + 10,
        "Max working weekend": 30 + 60,  # of none allowed; ben's with the one before
        "Complete weekends": 30,
        "Optimal coverage constraints": 30,
    }


def test_the_command_scores_and_solves(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tiny), "--weeks", "3", "--solution", str(tiny)]) == 0
    assert capsys.readouterr().out.endswith("Total cost: 405\n")
    assert main([str(tiny), "--weeks", "3", "--seconds", str(HANGS_S)]) == 0
    assert capsys.readouterr().out.startswith("tiny 0_3: optimal")


FAULTS = [
    ((SCENARIO.replace("(2,3)\nNight", "2-3\nNight"), HISTORY, WEEK), "scenario, line 10: got 'Early 2-3'"),
    ((SCENARIO, HISTORY.replace("ben 3 1 None 0 0 1\n", ""), WEEK), "history, at its end: nothing there"),
    ((SCENARIO, HISTORY, WEEK.replace("ben Early Sat", "ben Early Someday")), "week 1, line 10: got 'ben Early Someday'"),
    ((SCENARIO, HISTORY, WEEK.replace("ben Early", "cid Early")), "wishes[1].nurse: got 'cid'"),
    ((SCENARIO.replace("ben Full", "ben Half"), HISTORY, WEEK), "scenario: got 'Half', expected one of the contracts Full"),
    ((SCENARIO, HISTORY.replace("Night 1", "Noon 1"), WEEK), "history: got 'Noon', expected one of the shift types"),
]  # fmt: skip


@table(("texts", "words"), FAULTS)
def test_a_line_that_does_not_fit_is_named(texts: tuple[str, str, str], words: str) -> None:
    scenario, history, week = texts
    with pytest.raises(WardError) as raised:
        parse_inrc2(scenario, history, [week])
    assert words in str(raised.value)


def test_a_solution_of_strangers_is_refused() -> None:
    ward = parse_inrc2(SCENARIO, HISTORY, [WEEK])
    with pytest.raises(RosterError, match="ann Tue Early Boss"):
        parse_solution(ward, [SOLUTION.replace("Tue Early Head", "Tue Early Boss")])


TWO_WEEKS = SCENARIO.replace("WEEKS = 1", "WEEKS = 2").replace("(4,5) (2,4) (2,3) 0 1", "(6,9) (2,4) (2,3) 1 1")
SECOND = f"""WEEK_DATA
tiny

REQUIREMENTS
Early Nurse (1,1) {" ".join([NONE] * 6)}
Night Nurse {" ".join([NONE] * 5)} (0,1) (0,1)

SHIFT_OFF_REQUESTS = 1
ben Night Sun
"""
SECOND_SOLUTION = """SOLUTION
1 tiny

ASSIGNMENTS = 5
ben Mon Early Nurse
ben Tue Early Nurse
ann Fri Night Nurse
ann Sat Night Nurse
ann Sun Night Nurse
"""


@pytest.fixture
def two_weeks(tiny: Path) -> Path:
    (tiny / "Sc-tiny.txt").write_text(TWO_WEEKS)
    (tiny / "WD-tiny-1.txt").write_text(SECOND)
    return tiny


def handing_in(*solutions: str | None) -> SolveStage:
    """A solver that knows its answers."""
    answers = iter(solutions)
    return lambda stage: StageRun(solution=next(answers), processor_seconds=1.0, memory_mib=1)


HISTORIES = [
    ("the days on from those before", "0 0 Night 1 2 0", "Mon Tue", "Early", "2 0 None 0 0 5"),
    ("a run over Sunday", "0 0 None 0 0 3", "Fri Sat Sun", "Night", "3 1 Night 3 3 0"),
    ("one day of a weekend", "7 2 Early 3 5 0", "Sun", "Early", "8 3 Early 1 1 0"),
    ("no day of work", "7 2 None 0 0 4", "", "Early", "7 2 None 0 0 11"),
    ("every day of work", "7 2 Early 3 5 0", "Mon Tue Wed Thu Fri Sat Sun", "Early", "14 3 Early 10 12 0"),
    ("every day of another kind", "7 2 Early 3 5 0", "Mon Tue Wed Thu Fri Sat Sun", "Night", "14 3 Night 7 12 0"),
]  # fmt: skip


@table(("before", "days", "shift", "after"), [case[1:] for case in HISTORIES])  # fmt: skip
def test_a_history_is_carried_on_in_the_official_form(before: str, days: str, shift: str, after: str) -> None:
    week = [shift if day in days.split() else NO_SHIFT for day in WEEKDAYS]
    history = f"HISTORY\n3 tiny\n\nNURSE_HISTORY\nann {before}\n"
    assert next_history(history, {"ann": week}) == f"HISTORY\n4 tiny\n\nNURSE_HISTORY\nann {after}\n"


def test_weeks_one_by_one_cost_what_they_cost_together(two_weeks: Path) -> None:
    chosen = Instance("tiny", 0, (3, 1))
    weeks = list(week_by_week(two_weeks, chosen, handing_in(SOLUTION, SECOND_SOLUTION)))
    assert weeks[0].history.splitlines()[-2:] == ["ann 3 1 None 0 0 1", "ben 6 2 Early 2 2 0"]
    parts, fault = total(two_weeks, chosen, weeks)
    assert fault == ""
    assert parts == {
        "Total assignment constraints": 0,  # ann has six, ben with the three before eight
        # As above, but that ben's Sunday goes on; ann's Saturday is as short as before.
        "Consecutive constraints": 15 + 15 + 30 + 15 + 30 + 15,  # and ben's four early shifts are one too many
        # Ann's Monday alone and her five days over Sunday; ben's day before alone, then four and five.
        "Non working days constraints": 30 + 60 + 30 + 30 + 60,
        "Preferences": 10 + 10,
        "Max working weekend": 30 + 30,  # ben's with the one before are two; ann's are two as well
        "Complete weekends": 30,
        "Optimal coverage constraints": 30,
    }


def test_a_history_handed_on_wrong_is_noticed(two_weeks: Path) -> None:
    chosen = Instance("tiny", 0, (3, 1))
    first, second = week_by_week(two_weeks, chosen, handing_in(SOLUTION, SECOND_SOLUTION))
    stage = dataclasses.replace(second.stage, history=history_text(two_weeks, 0))
    assert "its weeks one by one" in total(two_weeks, chosen, [first, dataclasses.replace(second, stage=stage)])[1]


def test_no_stage_sees_a_later_week(two_weeks: Path) -> None:
    """The file of each week appears only when the week before it is solved; reading ahead would find none."""
    later = two_weeks / "WD-tiny-1.txt"
    later.unlink()
    stages = list[Stage]()

    def solve_stage(stage: Stage) -> StageRun:
        stages.append(stage)
        later.write_text(SECOND)
        return StageRun(solution=(SOLUTION, SECOND_SOLUTION)[len(stages) - 1], processor_seconds=1.0, memory_mib=1)

    list(week_by_week(two_weeks, Instance("tiny", 0, (3, 1)), solve_stage))
    assert [(stage.week, stage.seen, stage.left) for stage in stages] == [(WEEK, (), 1), (SECOND, (WEEK,), 0)]


def test_a_stage_without_a_roster_ends_the_period(two_weeks: Path) -> None:
    weeks = list(week_by_week(two_weeks, Instance("tiny", 0, (3, 1)), handing_in(None)))
    assert [week.run.solution for week in weeks] == [None]


def test_a_stage_expects_weeks_like_those_seen_without_what_nobody_can_guess() -> None:
    stage = Stage(scenario=TWO_WEEKS, history=HISTORY, week=SECOND, seen=(WEEK,), left=3)
    own, *expected = expected_weeks(stage)
    assert own == SECOND
    assert [each.count("REQUESTS = 0") for each in expected] == [1, 1, 1]
    assert "(0,1)" in expected[0]
    assert "(1,1)" not in expected[0]
    assert expected[0] == expected[2] != expected[1]
    assert parse_inrc2(TWO_WEEKS, HISTORY, [own, *expected]).days == 28


def test_a_stage_has_what_the_weeks_before_have_left_of_the_totals() -> None:
    history = HISTORY.replace("ben 3 1", "ben 12 3")
    ann, ben = what_is_left(parse_inrc2(TWO_WEEKS, history, [SECOND])).nurses
    bounds = [(each.contract.assignments, each.contract.working_weekends) for each in (ann, ben)]
    assert [(a and (a.least, a.most), w and w.most) for a, w in bounds] == [((6, 9), 1), ((0, 0), 0)]


def test_a_stage_is_solved_in_the_official_form(two_weeks: Path) -> None:
    scenario, history = scenario_text(two_weeks), history_text(two_weeks, 0)
    stage = Stage(scenario=scenario, history=history, week=WEEK, seen=(), left=1)
    solution = solved_stage(stage, seconds=HANGS_S, seed=1)
    assert solution is not None
    assert solution.startswith("SOLUTION\n0 tiny\n\nASSIGNMENTS = ")
    ward = parse_inrc2(scenario, history, [WEEK])
    assert check_compliance(ward, parse_solution(ward, [solution])).breaches == []


def test_a_week_has_the_competition_s_time() -> None:
    assert [stage_seconds(nurses) for nurses in (5, 30, 60, 120)] == [5.0, 40.0, 130.0, 310.0]
    assert nurses_of(SCENARIO) == 2


def test_an_instance_is_named_as_in_the_literature() -> None:
    assert instance("n030w4_1_6-2-9-1") == Instance("n030w4", 1, (6, 2, 9, 1))
    with pytest.raises(ValueError, match="'n030w4' is no instance"):
        instance("n030w4")


def test_what_is_published_is_of_known_instances() -> None:
    assert all(instance(name).name == name and len(instance(name).weeks) == 4 for name in BEST)
    assert set(BOUND) | set(WINNER) <= set(BEST)
    assert all(bound <= BEST[name] < WINNER.get(name, (9999,))[0] for name, bound in BOUND.items())
    assert {instance(name).of for name in BEST} == set(LATE) | {instance(name).of for name in WINNER}
    assert competition(instance("n030w4_1_6-2-9-1")) == "1755 or 1935"
    assert competition(instance("n035w4_0_1-7-1-8")) == "1630, mean 1630"
    assert competition(instance("tiny_0_3")) == "-"


STATIC = Row(mode="static", instance="n030w4_1_6-2-9-1", nurses=30, limit=300, cost=1670, bound=1665, status="feasible",
             processor_seconds=301.4, memory_mib=500, parts={}, fault="")  # fmt: skip
DYNAMIC = dataclasses.replace(STATIC, mode="dynamic", limit=40, cost=1850, bound=None)
UNSOLVED = dataclasses.replace(DYNAMIC, instance="tiny_0_3", cost=None, status="no roster for week 2")


def test_the_tables_stand_beside_what_is_published() -> None:
    assert tables([STATIC, DYNAMIC, UNSOLVED]).splitlines() == [
        "All weeks known: 300 processor seconds at most.",
        "",
        "| instance | nurses | cost | bound | gap | best | its bound | to best | status | cpu s | MiB |",
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
        "| n030w4_1_6-2-9-1 | 30 | 1670 | 1665 | 0.3% | 1670 | 1660 | +0.0% | feasible | 301 | 500 |",
        "",
        "Week by week: processor seconds at most as the competition gives them; the bound is of all weeks known.",
        "",
        "| instance | nurses | cost | bound | gap | competition | all known | s a week | cpu s | MiB |",
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
        "| n030w4_1_6-2-9-1 | 30 | 1850 | 1665 | 10.0% | 1755 or 1935 | 1670 | 40 | 301 | 500 |",
        "| tiny_0_3 | 30 | no roster for week 2 | - | - | - | - | 40 | 301 | 500 |",
    ]


def test_different_limits_are_named_from_the_least() -> None:
    longer = dataclasses.replace(STATIC, limit=1200)
    assert tables([longer, STATIC]).startswith("All weeks known: 300 or 1200 processor seconds at most.")


def test_the_command_prints_kept_rows_and_says_when_there_is_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "rows.json"
    kept.write_bytes(FILE.dump_json([STATIC]))
    assert main([str(tmp_path), "--from", str(kept)]) == 0
    assert "| n030w4_1_6-2-9-1 | 30 | 1670 |" in capsys.readouterr().out
    assert main([str(tmp_path)]) == 1
    assert "has none of the sets" in capsys.readouterr().out


def test_an_instance_that_cannot_be_read_is_named_and_the_others_are_solved(
    two_weeks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (two_weeks / "WD-tiny-0.txt").write_text(WEEK.replace("WEEK_DATA", "WEEK DATA"))
    command = [str(two_weeks.parent), "tiny_0_0", "tiny_0_9", "tiny_0_3", "--static", "--seconds", str(HANGS_S)]
    assert main(command, HERE) == 1
    printed = capsys.readouterr()
    assert [line.split(": ")[0] for line in printed.err.splitlines() if "passed over" in line] == [
        "tiny_0_0 is passed over",
        "tiny_0_9 is passed over",
    ]
    assert "week 1, line 1: got 'WEEK DATA', expected WEEK_DATA" in printed.err
    assert printed.out.count("| tiny_0_3 |") == 1


def test_ctrl_c_keeps_what_is_finished(two_weeks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(stage: Stage, seconds: float, seed: int) -> StageRun:
        raise KeyboardInterrupt

    kept = two_weeks / "rows.json"
    command = [str(two_weeks.parent), "tiny_0_3-1", "--seconds", str(HANGS_S), "--json", str(kept)]
    assert main(command, Solvers(solved, interrupted)) == 130
    assert [row.mode for row in FILE.validate_json(kept.read_text())] == ["static"]
    assert "All weeks known" in capsys.readouterr().out


HERE = Solvers(solved, stage_run)


@pytest.mark.parametrize("solvers", [HERE, pytest.param(APART, marks=pytest.mark.attack)], ids=["here", "apart"])
def test_the_command_solves_both_ways_and_keeps_what_it_finds(
    two_weeks: Path, capsys: pytest.CaptureFixture[str], solvers: Solvers
) -> None:
    kept, out = two_weeks / "rows.json", two_weeks / "out"
    command = [
        str(two_weeks.parent),
        "tiny_0_3-1",
        "--seconds",
        str(HANGS_S),
        "--stage-seconds",
        str(HANGS_S),
        "--json",
        str(kept),
    ]
    assert main([*command, "--out", str(out)], solvers) == 0
    static, dynamic = FILE.validate_json(kept.read_text())
    assert (static.status, dynamic.fault) == ("optimal", "")
    assert static.cost is not None
    assert dynamic.cost is not None
    assert static.cost <= dynamic.cost
    assert (out / "tiny_0_3-1/history-week1.txt").read_text().startswith("HISTORY\n2 tiny\n")
    assert capsys.readouterr().out.count("| tiny_0_3-1 |") == 2


@pytest.mark.skipif(not SETS.exists(), reason="the competition's sets are not here")
def test_the_official_validator_s_printout() -> None:
    folder = SETS / "n005w4"
    ward = read_set(folder, 0, [1, 2, 3, 3])
    roster = read_solution(ward, folder / "Solution_H_0-WD_1-2-3-3", "n005w4", [1, 2, 3, 3])
    assert check_compliance(ward, roster).breaches == []
    assert list(score(ward, roster).values()) == [320, 465, 330, 70, 210, 60, 240]


REFERENCES = {
    "n005w4_0_1-2-3-3": 1695,
    "n005w4_1_5-3-1-0": 2010,
    "n005w4_2_6-7-8-9": 1720,
    "n012w8_0_3-5-0-2-0-4-5-2": 3295,
    "n012w8_1_7-7-0-8-9-3-2-6": 3805,
    "n012w8_2_4-5-6-7-2-1-2-1": 3745,
    "n021w4_0_5-4-1-2": 2305,
    "n021w4_1_0-6-1-6": 2305,
    "n021w4_2_8-1-4-3": 2345,
}
"""The nine reference solutions; the first has the official printout, the others are as scored here."""


@pytest.mark.skipif(not SETS.exists(), reason="the competition's sets are not here")
@pytest.mark.parametrize(("name", "cost"), REFERENCES.items())
def test_the_reference_solutions_are_legal_and_add_up_week_by_week(name: str, cost: int) -> None:
    chosen = instance(name)
    folder = SETS / chosen.of
    weeks = "-".join(map(str, chosen.weeks))
    files = [
        folder / f"Solution_H_{chosen.history}-WD_{weeks}/Sol-{chosen.of}-{week}-{place}.txt"
        for place, week in enumerate(chosen.weeks)
    ]
    done = list(week_by_week(folder, chosen, handing_in(*(file.read_text() for file in files))))
    parts, fault = total(folder, chosen, done)
    assert (sum(parts.values()), fault) == (cost, "")
