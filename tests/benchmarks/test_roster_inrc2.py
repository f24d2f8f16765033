"""INRC-II's format and its seven parts: a set of one week scored by hand, and the official printout where the data is."""

from pathlib import Path

import pytest
from benchmarks.roster_inrc2 import main, read_set, read_solution, score
from roster_wards import ROOT

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.ward.faults import RosterError, WardError
from wavegraph.tools.roster.ward.inrc2 import parse_inrc2, parse_solution

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
    assert main([str(tiny), "--weeks", "3", "--seconds", "3"]) == 0
    assert capsys.readouterr().out.startswith("tiny 0_3: optimal")


FAULTS = [
    ((SCENARIO.replace("(2,3)\nNight", "2-3\nNight"), HISTORY, WEEK), "scenario, line 10: got 'Early 2-3'"),
    ((SCENARIO, HISTORY.replace("ben 3 1 None 0 0 1\n", ""), WEEK), "history, at its end: nothing there"),
    ((SCENARIO, HISTORY, WEEK.replace("ben Early Sat", "ben Early Someday")), "week 1, line 10: got 'ben Early Someday'"),
    ((SCENARIO, HISTORY, WEEK.replace("ben Early", "cid Early")), "wishes[1].nurse: got 'cid'"),
    ((SCENARIO.replace("ben Full", "ben Half"), HISTORY, WEEK), "scenario: got 'Half', expected one of the contracts Full"),
    ((SCENARIO, HISTORY.replace("Night 1", "Noon 1"), WEEK), "history: got 'Noon', expected one of the shift types"),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "words"), FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_line_that_does_not_fit_is_named(texts: tuple[str, str, str], words: str) -> None:
    scenario, history, week = texts
    with pytest.raises(WardError) as raised:
        parse_inrc2(scenario, history, [week])
    assert words in str(raised.value)


def test_a_solution_of_strangers_is_refused() -> None:
    ward = parse_inrc2(SCENARIO, HISTORY, [WEEK])
    with pytest.raises(RosterError, match="ann Tue Early Boss"):
        parse_solution(ward, [SOLUTION.replace("Tue Early Head", "Tue Early Boss")])


@pytest.mark.skipif(not SETS.exists(), reason="the competition's sets are not here")
def test_the_official_validator_s_printout() -> None:
    folder = SETS / "n005w4"
    ward = read_set(folder, 0, [1, 2, 3, 3])
    roster = read_solution(ward, folder / "Solution_H_0-WD_1-2-3-3", "n005w4", [1, 2, 3, 3])
    assert check_compliance(ward, roster).breaches == []
    assert list(score(ward, roster).values()) == [320, 465, 330, 70, 210, 60, 240]
