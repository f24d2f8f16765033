"""Ward files: what is read, and what every fault is told as: file, place, value, expectation."""

import json
from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest
import yaml
from roster_wards import DATA, DEMO, two, ward_of_two

from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.fairness_limits import ALLOWED, FatigueScale
from wavegraph.tools.roster.ward.faults import MOST_FAULTS, WardError
from wavegraph.tools.roster.ward.file import read_ward, ward_hash, ward_of
from wavegraph.tools.roster.ward.plain_data import MOST_BYTES, MOST_YAML_BYTES
from wavegraph.tools.roster.words_en import ENGLISH


@dataclass(frozen=True)
class Bad:
    id: str
    change: dict[str, Any]
    place: str
    value: str
    expected: str
    more: int = field(default=0)
    """Other faults that the same change makes."""


MONDAY, TUESDAY = "2026-11-23", "2026-11-24"
LEAVE = [{"nurse": "ann", "day": MONDAY}]
ANN_E = {"nurse": "ann", "day": MONDAY, "shift": "E"}
DATE, CLOCK, WHOLE = "a date such as 2026-11-23", "a clock time such as 07:00", "a whole number"

BAD = [
    # form
    Bad("days as text", {"days": "14"}, "days", "'14'", WHOLE),
    Bad("days with a half", {"days": 14.5}, "days", "14.5", WHOLE),
    Bad("no days", {"days": 0}, "days", "0", "at least 1"),
    Bad("two years", {"days": 731}, "days", "731", "at most 366"),
    Bad("no name", {"name": ""}, "name", "''", "a text that is not empty"),
    Bad("no name but control characters", {"name": "\x1b\x00"}, "name", "'\\x1b\\x00'", "a text that is not empty"),
    Bad("start of day first", {"start": "23/11/2026"}, "start", "'23/11/2026'", DATE),
    Bad("start as a number", {"start": 20261123}, "start", "20261123", DATE),
    Bad("no such day", {"start": "2026-02-30"}, "start", "'2026-02-30'", "a day up to 2026-02-28"),
    Bad("unknown field", {"shfits": []}, "shfits", "[]", "no field of this name"),
    Bad("no shifts", {"shifts": [], "demand": []}, "shifts", "[]", "at least 1 in the list"),
    Bad("nurses no list", {"nurses": {"ann": {}}}, "nurses", "{'ann': {}}", "a list"),
    Bad("nurse no record", {"nurses__1": "ben"}, "nurses[1]", "'ben'", "a record of fields and values"),
    Bad("nurse id a number", {"nurses__1": {"id": 7}}, "nurses[1].id", "7", "in quotes"),
    Bad("id with a space", {"nurses__1": {"id": "ben b"}}, "nurses[1].id (ben b)", "'ben b'", "an id without spaces"),
    Bad("id that clears the screen", {"nurses__1": {"id": "b\x1b[2Jen"}}, "nurses[1].id", "'b\\x1b[2Jen'", "control characters"),
    Bad("id with a mark of C1", {"nurses__1": {"id": "b\x9b2Jen"}}, "nurses[1].id", "'b\\x9b2Jen'", "control characters"),
    Bad("id that is deleted", {"shifts__0__id": "E\x7f", "demand": []}, "shifts[0].id", "'E\\x7f'", "control characters"),
    Bad("no id", {"nurses__1": {"name": "Ben"}}, "nurses[1].id", "nothing there", "the field is required"),
    Bad("clock as seconds", {"shifts__0__start": 700}, "shifts[0].start (E)", "700", CLOCK),
    Bad("clock of 24", {"shifts__0__start": "24:00"}, "shifts[0].start (E)", "'24:00'", CLOCK),
    Bad("clock with seconds", {"shifts__0__start": "07:00:30"}, "shifts[0].start (E)", "'07:00:30'", "whole minute"),
    Bad("clock with a zone", {"shifts__0__start": "07:00+02:00"}, "shifts[0].start (E)", "'07:00:00+02:00'", "own zone"),
    Bad("minutes as text", {"shifts__1__minutes": "8h"}, "shifts[1].minutes (L)", "'8h'", WHOLE),
    Bad("minutes of two days", {"shifts__1__minutes": 2880}, "shifts[1].minutes (L)", "2880", "at most 1440"),
    Bad("night as a word", {"shifts__2__night": "yes"}, "shifts[2].night (N)", "'yes'", "true or false"),
    Bad("longest run of none", {"nurses__0__contract__max_run": 0}, "nurses[0].contract.max_run (ann)", "0", "at least 1"),
    Bad("minutes below none", {"nurses__0__contract__min_minutes": -1}, "contract.min_minutes (ann)", "-1", "at least 0"),
    Bad("shifts below none", {"nurses__0__contract__max_shifts": {"E": -2}}, "contract.max_shifts.E (ann)", "-2", "at least 0"),
    Bad("skills as one text", {"nurses__0__skills": "RN"}, "nurses[0].skills (ann)", "'RN'", "a list"),
    Bad("fatigue of seven", {"nurses__0__fatigue": 7}, "nurses[0].fatigue (ann)", "7", "at most 1"),
    Bad("tail of a month", {"nurses__0__history": {"tail": [None] * 31}}, "nurses[0].history.tail (ann)", "[None, None",
        "at most 28 in the list"),
    Bad("wish without a side", {"wishes": [ANN_E]}, "wishes[0].wants (ann)", "nothing there", "the field is required"),
    Bad("wish of weight 1.5", {"wishes": [ANN_E | {"wants": True, "weight": 1.5}]}, "wishes[0].weight (ann)", "1.5", WHOLE),
    Bad("locked without a shift", {"locked": LEAVE}, "locked[0].shift (ann)", "nothing there", "the field is required"),
    Bad("leave with a time", {"leave": [{"nurse": "ann", "day": f"{MONDAY}T08:00"}]}, "leave[0].day (ann)", MONDAY, DATE),
    Bad("rest of two days", {"rules__daily_rest_hours": 48}, "rules.daily_rest_hours", "48", "at most 24"),
    # contradictions
    Bad("end of time", {"start": "9999-12-30"}, "start", "'9999-12-30'", "14 days within 1900-01-01 to 2199-12-31: this is out of range"),
    Bad("unknown zone", {"time_zone": "Europe/Londn"}, "time_zone", "'Europe/Londn'", "such as Europe/London"),
    Bad("zone is a path", {"time_zone": "../etc"}, "time_zone", "'../etc'", "such as Europe/London"),
    Bad("skill twice", {"skills": ["RN", "charge", "pediatric", "RN"]}, "skills[3]", "'RN'", "skills[0] says the same"),
    Bad("shift twice", {"shifts__2__id": "E"}, "shifts[2]", "'E'", "each shift id once"),
    Bad("nurse twice", {"nurses__1__id": "ann"}, "nurses[1]", "'ann'", "each nurse id once"),
    Bad("demand twice", {"demand__1__shift": "E"}, "demand[1]", f"'{MONDAY} E'", "demand[0] says the same"),
    Bad("leave twice", {"leave": LEAVE * 2}, "leave[1]", f"'ann {MONDAY}'", "one row a nurse, day, shift"),
    Bad("wish both ways", {"wishes": [ANN_E | {"wants": True}, ANN_E | {"wants": False}]}, "wishes[1]",
        f"'ann {MONDAY} E'", "wishes[0] says the same"),
    Bad("locked twice", {"locked": [ANN_E, ANN_E | {"shift": None}]}, "locked[1]", f"'ann {MONDAY}'", "one row"),
    Bad("pair twice", {"pairs": [{"first": "ann", "second": "ben", "together": True},
                                 {"first": "ben", "second": "ann", "together": False}]},
        "pairs[1]", "'ann ben'", "one row a pair"),
    Bad("holiday twice", {"holidays": [MONDAY, MONDAY]}, "holidays[1]", f"'{MONDAY}'", "each date once"),
    Bad("paid more than there is", {"shifts__0__paid_minutes": 500}, "shifts[0].paid_minutes (E)", "500", "its 480 minutes"),
    Bad("unknown successor", {"shifts__2__not_followed_by": ["D"]}, "shifts[2].not_followed_by (N)", "'D'",
        "one of the ward's shifts: E, L, N"),
    Bad("unknown skill", {"nurses__1__skills": ["nurse"]}, "nurses[1].skills (ben)", "'nurse'",
        "one of the ward's skills: RN, charge, pediatric"),
    Bad("skill of a nurse twice", {"nurses__1__skills": ["RN", "RN"]}, "nurses[1].skills (ben)", "['RN', 'RN']",
        "each skill once"),
    Bad("unknown shift before", {"nurses__1__history": {"tail": ["D"]}}, "nurses[1].history.tail (ben)", "'D'", "shifts"),
    Bad("unknown shift bounded", {"nurses__1__contract__max_shifts": {"D": 1}}, "nurses[1].contract.max_shifts (ben)",
        "'D'", "shifts"),
    Bad("bounds turned", {"nurses__0__contract": {"min_minutes": 4800, "max_minutes": 2400}},
        "nurses[0].contract.min_minutes (ann)", "4800", "at most max_minutes, which is 2400"),
    Bad("target above", {"nurses__0__contract": {"max_minutes": 2400, "target_minutes": 4800}},
        "nurses[0].contract.target_minutes (ann)", "4800", "at most max_minutes"),
    Bad("target below", {"nurses__0__contract": {"min_minutes": 2400, "target_minutes": 480}},
        "nurses[0].contract.min_minutes (ann)", "2400", "at most target_minutes, which is 480"),
    Bad("runs turned", {"nurses__0__contract": {"min_run": 4, "max_run": 3}}, "nurses[0].contract.min_run (ann)", "4",
        "at most max_run, which is 3"),
    Bad("more than can be worked", {"nurses__1__contract": {"min_minutes": 7000}}, "nurses[1].contract.min_minutes (ben)",
        "7000", "at most 6720"),
    Bad("demand of no shift", {"demand__1__shift": "D"}, "demand[1].shift", "'D'", "one of the ward's shifts"),
    Bad("demand of no skill", {"demand__2__skill": "midwife"}, "demand[2].skill", "'midwife'", "one of the ward's skills"),
    Bad("demand nobody meets", {"nurses__0__skills": ["RN", "charge"]}, "demand[2].skill", "'pediatric'",
        "a skill that at least one nurse has"),
    Bad("minimum above target", {"demand__0__minimum": 2}, "demand[0].minimum", "2", "at most target, which is 1"),
    Bad("demand before", {"demand__0__day": "2026-11-22"}, "demand[0].day (E)", "'2026-11-22'",
        "a day from 2026-11-23 to 2026-12-06"),
    Bad("leave after", {"leave": [{"nurse": "ann", "day": "2026-12-07"}]}, "leave[0].day (ann)", "'2026-12-07'",
        "a day from 2026-11-23 to 2026-12-06"),
    Bad("leave of nobody", {"leave": [{"nurse": "zoe", "day": MONDAY}]}, "leave[0].nurse", "'zoe'", "nurses: ann, ben"),
    Bad("wish of nobody", {"wishes": [ANN_E | {"nurse": "zoe", "wants": True}]}, "wishes[0].nurse", "'zoe'", "nurses"),
    Bad("wish for no shift", {"wishes": [ANN_E | {"shift": "D", "wants": True}]}, "wishes[0].shift (ann)", "'D'", "shifts"),
    Bad("wish to work on leave", {"leave": LEAVE, "wishes": [ANN_E | {"wants": True}]}, "wishes[0].day (ann)",
        f"'{MONDAY}'", "no wish to work on leave"),
    Bad("locked to work on leave", {"leave": LEAVE, "locked": [ANN_E]}, "locked[0].shift (ann)", "'E'",
        f"null: {MONDAY} is leave"),
    Bad("leave twice for one shift", {"leave": [ANN_E, ANN_E]}, "leave[1]", f"'ann {MONDAY} E'", "leave[0] says the same"),
    Bad("leave of no shift", {"leave": [ANN_E | {"shift": "D"}]}, "leave[0].shift (ann)", "'D'", "one of the ward's shifts"),
    Bad("leave of a shift and of its day", {"leave": [ANN_E, *LEAVE]}, "leave[0].shift (ann)", "'E'",
        f"no row of its own: all of {MONDAY} is leave"),
    Bad("wish for a shift that is leave", {"leave": [ANN_E], "wishes": [ANN_E | {"wants": True}]}, "wishes[0].shift (ann)",
        "'E'", f"no wish for a shift that is leave on {MONDAY}"),
    Bad("locked to a shift that is leave", {"leave": [ANN_E], "locked": [ANN_E]}, "locked[0].shift (ann)", "'E'",
        f"another shift, or null: this one is leave on {MONDAY}"),
    Bad("locked to a shift not agreed", {"locked": [ANN_E], "nurses__0__contract__max_shifts": {"E": 0}},
        "locked[0].shift (ann)", "'E'", "contract.max_shifts allows"),
    Bad("pair of one", {"pairs": [{"first": "ann", "second": "ann", "together": True}]}, "pairs[0].second", "'ann'",
        "another nurse than first"),
    Bad("pair with nobody", {"pairs": [{"first": "ann", "second": "zoe", "together": True}]}, "pairs[0].second", "'zoe'",
        "one of the ward's nurses"),
    Bad("published for nobody", {"published": {"roster": {"zoe": [None] * 14}}}, "published.roster.zoe", "'zoe'",
        "leave out the row of one who has left"),
    Bad("published for a week", {"published": {"roster": {"ann": [None] * 7}}}, "published.roster.ann", "'7 days'",
        "14 days from 2026-11-23"),
    Bad("published of no shift", {"published": {"roster": {"ann": ["E", "D", *[None] * 12]}}},
        f"published.roster.ann, {TUESDAY}", "'D'", "empty or one of the shifts E, L, N"),
    Bad("published as text", {"published": {"roster": {"ann": "EL"}}}, "published.roster.ann", "'EL'", "a list"),
    Bad("changes for less than nothing", {"published": {"roster": {}, "weight": -1}}, "published.weight", "-1", "at least 0"),
    Bad("charge of no skill", {"rules__charge_skill": "boss"}, "rules.charge_skill", "'boss'", "one of the ward's skills"),
    Bad("charge of nobody", {"nurses__0__skills": ["RN", "pediatric"], "nurses__1__skills": ["RN"]}, "rules.charge_skill",
        "'charge'", "a skill that at least one nurse has"),
    Bad("derogation above the rule", {"rules__derogated_rest_hours": 12}, "rules.derogated_rest_hours", "12",
        "at most daily_rest_hours, which is 11"),
    Bad("fairness of no such number", {"fairness__nights": 2}, "fairness.nights", "2", "no field of this name"),
    Bad("share of two", {"fairness__over_share": 2}, "fairness.over_share", "2", "at most 1"),
    Bad("fewer than none allowed", {"fairness__allowed__overwork": -1}, "fairness.allowed.overwork", "-1", "at least 0"),
    Bad("type nobody finds", {"fairness__allowed__tired": 1}, "fairness.allowed.tired", "'tired'", "'underutilization'"),
    Bad("breaches allowed", {"fairness__allowed__coverage": 1}, "fairness.allowed", "'coverage'", "never allowed"),
    Bad("moderate above high", {"fairness__fatigue__moderate": 0.8}, "fairness.fatigue.moderate", "0.8",
        "at most high, which is 0.7"),
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_a_fault_names_file_place_value_and_expectation(bad: Bad, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"ward.{ending}"
    data = two(**bad.change)
    path.write_text(json.dumps(data) if ending == "json" else _yaml(data), encoding="utf-8")
    with pytest.raises(WardError) as caught:
        read_ward(path)
    [fault] = caught.value.faults
    assert bad.place in str(fault.place)
    assert bad.value in str(fault)
    assert bad.expected in str(fault)
    assert str(caught.value) == f"ward.{ending}: {fault}"


def _yaml(data: Any) -> str:
    """As PyYAML writes it: with quotes where YAML 1.1 needs them."""
    return yaml.safe_dump(data, sort_keys=False)


def test_leave_from_one_shift_leaves_the_others() -> None:
    other = {"nurse": "ann", "day": MONDAY, "shift": "L"}
    wants = [other | {"wants": True}, ANN_E | {"wants": False}]
    ward = ward_of(two(leave=[ANN_E, ANN_E | {"shift": "N"}], locked=[other], wishes=wants))
    assert [row.shift for row in ward.leave] == ["E", "N"]


def test_a_ward_s_fairness_keeps_the_defaults_it_does_not_name() -> None:
    fairness = ward_of(two(fairness={"allowed": {"overwork": None, "wish": 1}, "fatigue": {"high": 0.6}})).fairness
    assert fairness.allowed == ALLOWED | {"overwork": None, "wish": 1}
    assert fairness.fatigue == FatigueScale(high=0.6)
    assert ward_hash(ward_of(two(fairness={"allowed": ALLOWED}))) == ward_hash(ward_of(two()))
    assert ward_hash(ward_of(two(fairness={"allowed": {"wish": 1}}))) != ward_hash(ward_of(two()))


def test_several_faults_are_told_at_once() -> None:
    with pytest.raises(WardError) as caught:
        ward_of(two(days=0, shifts__0__minutes=0, nurses__1__contract__max_run=-1), "my.json")
    assert str(caught.value).splitlines() == [
        "my.json: days: got 0, expected at least 1",
        "my.json: shifts[0].minutes (E): got 0, expected at least 1",
        "my.json: nurses[1].contract.max_run (ben): got -1, expected at least 1",
    ]


def test_contradictions_are_told_once_the_form_is_right() -> None:
    cells = [{"nurse": "ann", "day": "2026-11-24"}, {"nurse": "zoe", "day": "2026-11-24"}]
    pairs: list[dict[str, Any]] = [{"first": "ann"}]
    with pytest.raises(WardError) as caught:
        ward_of(two(start="2026-13-01", nurses__1__skills=["ICU"], leave=cells, pairs=pairs))
    assert [(str(fault.place), english(fault.expected)) for fault in caught.value.faults] == [
        ("start", "a date such as 2026-11-23"),
        ("pairs[0].second (ann)", "a value: the field is required"),
        ("pairs[0].together (ann)", "a value: the field is required"),
    ]
    pairs[0] |= {"second": "ann", "together": True}
    with pytest.raises(WardError) as caught:
        ward_of(two(nurses__1__skills=["ICU"], leave=cells, pairs=pairs))
    assert [(str(fault.place), english(fault.expected)) for fault in caught.value.faults] == [
        ("nurses[1].skills (ben)", "one of the ward's skills: RN, charge, pediatric"),
        ("leave[1].nurse", "one of the ward's nurses: ann, ben"),
        ("pairs[0].second", "another nurse than first"),
    ]


def test_the_list_of_faults_is_bounded() -> None:
    with pytest.raises(WardError) as caught:
        ward_of(two(leave=[{"nurse": f"n{n}", "day": MONDAY} for n in range(500)]))
    assert len(caught.value.faults) == 500
    assert len(str(caught.value).splitlines()) == MOST_FAULTS + 1
    assert str(caught.value).endswith("... and 480 more")
    with pytest.raises(WardError) as caught:
        ward_of(two(name=["x" * 10_000]))
    assert len(str(caught.value)) < 200


UNREADABLE = [
    ("ward.json", "{", "line 1, column 2"),
    ("ward.json", '{"days": 7, "days": 8}', "got 'days', expected each key of a record once"),
    ("ward.json", '{"days": NaN}', "got 'NaN', expected a number"),
    ("ward.json", '{"days": 1e999}', "expected texts, finite numbers"),
    ("ward.json", '{"days": ' + "9" * 5000 + "}", "numbers of a usual length"),
    ("ward.json", "[" * 100_000, "nested too deeply"),
    ("ward.json", "[" * 900 + "]" * 900, "recursion limit"),
    ("ward.json", "[]", "got [], expected a record of fields and values"),
    ("ward.json", "", "line 1, column 1"),
    ("ward.yaml", "", "nothing there, expected a record of fields and values"),
    ("ward.yaml", "a: b: c", "line 1, column 5"),
    ("ward.yaml", "days: 7\ndays: 8\n", "line 2, column 1: got 'days', expected each key of a record once"),
    ("ward.yaml", "7: days", "line 1, column 1: got '7', expected a text as key"),
    ("ward.yaml", "? [a]\n: b", "expected a text as key"),
    ("ward.yaml", "a: !!python/object:os.system x", "line 1, column 4"),
    ("ward.yaml", "a: !!timestamp 2026-11-23", "expected texts, finite numbers"),
    ("ward.yaml", "a: !!int no", "numbers of a usual length"),
    ("ward.yaml", "days: " + "9" * 5000, "numbers of a usual length"),
    ("ward.yaml", "a: &a [*a]", "nested too deeply"),
    ("ward.yaml", "a: [" * 2000, "nested too deeply"),
    ("ward.yaml", "a: 1\n---\nb: 2", "line 2, column 1"),
    ("ward.yaml", "\x00", "line 1: got '\\x00', expected text in UTF-8"),
    ("ward.toml", "a = 1", "file name: got '.toml', expected one of .yaml, .yml, .json, .xlsx"),
    ("ward.XLS", "", "one of .yaml, .yml, .json, .xlsx: open it and save it as .xlsx"),
    ("ward.ods", "", "one of .yaml, .yml, .json, .xlsx: open it and save it as .xlsx"),
    ("ward", "", "file name: got ''"),
]


@pytest.mark.parametrize(("name", "text", "words"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_file_that_is_no_plain_data_is_told(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(WardError) as caught:
        read_ward(tmp_path / name)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{name}: ")
    assert len(str(caught.value)) < 3000


def test_missing_large_and_foreign_files_are_told(tmp_path: Path) -> None:
    large, long, latin = tmp_path / "large.json", tmp_path / "long.yml", tmp_path / "latin.yaml"
    large.write_bytes(b" " * (MOST_BYTES + 1))
    long.write_bytes(b" " * (MOST_YAML_BYTES + 1))
    latin.write_bytes("name: Säugling".encode("latin-1"))
    for path, words in (
        (tmp_path / "none.json", "a file that can be read (No such file or directory)"),
        (tmp_path, "file name"),
        (large, f"at most {MOST_BYTES} bytes"),
        (long, f"at most {MOST_YAML_BYTES} bytes"),
        (latin, "line 1, byte 7: got b'\\xe4', expected text in UTF-8"),
    ):
        with pytest.raises(WardError, match="expected") as caught:
            read_ward(path)
        assert words in str(caught.value)


def test_aliases_cannot_blow_a_file_up(tmp_path: Path) -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (tmp_path / "laughs.yaml").write_text("\n".join(["a0: &a0 [x]", *levels]), encoding="utf-8")
    with pytest.raises(WardError, match="at most 1000000 values"):
        read_ward(tmp_path / "laughs.yaml")


def test_yaml_words_times_and_dates_mean_what_is_written(tmp_path: Path) -> None:
    """YAML 1.1 would read False, 900, 1380, a date, 7 and 1.0 here."""
    (tmp_path / "ward.yaml").write_text(
        """
        name: on
        start: 2026-11-23
        days: 7
        skills: [no, y]
        shifts:
          - {id: L, start: 15:00, minutes: 480}
          - {id: off, start: 23:00, minutes: 480, night: true}
        nurses:
          - {id: no, name: 1:30, skills: [no]}
          - {id: 007, contract: &half {max_run: 3}}
          - {id: 1_0, contract: *half}
          - {id: "1.0"}
        """,
        encoding="utf-8",
    )
    ward = read_ward(tmp_path / "ward.yaml")
    assert (ward.name, ward.start, ward.skills) == ("on", date(2026, 11, 23), ["no", "y"])
    assert [(shift.id, shift.start) for shift in ward.shifts] == [("L", time(15)), ("off", time(23))]
    assert [(nurse.id, nurse.name) for nurse in ward.nurses] == [("no", "1:30"), ("007", ""), ("1_0", ""), ("1.0", "")]
    assert [nurse.contract.max_run for nurse in ward.nurses] == [None, 3, 3, None]


def test_the_hash_is_of_what_the_ward_says(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(two()), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(_yaml(two(wishes=[], rules__complete_weekends=True)), encoding="utf-8")
    one, same = read_ward(tmp_path / "a.json"), read_ward(tmp_path / "b.yaml")
    assert one == same
    assert ward_hash(one) == ward_hash(same) == ward_hash(ward_of_two())
    assert len(ward_hash(one)) == 64
    assert ward_hash(ward_of_two(nurses__0__fatigue=0.1)) != ward_hash(one)


@pytest.mark.parametrize(
    "path",
    [DEMO / "willow.yaml", DEMO / "harbour.yaml", DATA / "impossible.yaml"],
    ids=lambda path: path.stem,
)
def test_the_wards_of_this_repository_can_be_read(path: Path) -> None:
    ward = read_ward(path)
    assert ward.start.isoformat() == MONDAY
    assert ward_of(json.loads(ward.model_dump_json())) == ward


def test_the_demo_wards_hold_their_people() -> None:
    harbour = read_ward(DEMO / "harbour.yaml")
    people = harbour.nurse_by_id
    assert {name: people[name].name for name in ("nurse_003", "nurse_004", "nurse_006")} == {
        "nurse_003": "Charlie", "nurse_004": "Diana", "nurse_006": "Ivan",
    }  # fmt: skip
    assert people["nurse_004"].fatigue == 0.8
    for ward in (harbour, read_ward(DEMO / "willow.yaml")):
        assert 9 <= len(ward.nurses) <= 12
        assert all(len(nurse.history.tail) == 7 for nurse in ward.nurses)


def test_other_words_change_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong is told by its fields: two faults of one place stay two, whatever language says them."""
    path = tmp_path / "ward.json"
    path.write_text(
        json.dumps(two(leave=[{"nurse": "nobody", "day": "2026-11-24", "shift": "?"}] * 2, start=None)), "utf-8"
    )

    def faults() -> list[Any]:
        with pytest.raises(WardError) as caught:
            read_ward(path)
        return [(fault.place, fault.value, fault.expected) for fault in caught.value.faults]

    before = faults()
    for key in [key for key in ENGLISH if key.startswith("expected.")]:
        monkeypatch.setitem(ENGLISH, key, "")  # type: ignore[arg-type]
    assert faults() == before
