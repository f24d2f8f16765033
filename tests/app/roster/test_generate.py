"""`wavegraph roster generate`: what it prints and writes, what it refuses, and what a manager decides."""

import json
import re
import shlex
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from pages import Page
from roster_models import small_ward
from roster_wards import ROOT, two
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.app.run.result import FIELDS
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.ward.file import read_ward, ward_hash
from wavegraph.tools.roster.ward.roster_file import read_roster

IMPOSSIBLE = ROOT / "tests/data/roster/impossible.yaml"
AWAY = [{"nurse": "ben", "day": f"2026-11-{day}", "paid": False} for day in range(23, 31)]
AWAY += [{"nurse": "ben", "day": "2026-12-01", "paid": False}]
"""Leave that keeps Ben below the hours of his contract: no roster passes the empathy check."""
ENOUGH = ("--time-limit", "900")
"""Far more than a ward of two needs to be solved to its end, also on a busy machine."""
SHORT = small_ward({"D": "12"}, {"A": None})
"""One nurse, who can do all but one of three shifts: 100 by the ward's own weights."""


@dataclass
class Ward:
    """The command line inside this process, with ward files and data in a folder of its own."""

    home: Path

    @property
    def database(self) -> str:
        return str(self.home / "test.db")

    @property
    def out(self) -> Path:
        return self.home / "out"

    def __call__(self, *words: str | Path) -> Result:
        return CliRunner().invoke(app, [*map(str, words), "--db", self.database])

    def generate(self, ward: str | Path, *words: str | Path) -> Result:
        return self("roster", "generate", ward, *ENOUGH, *words)

    def file(self, name: str, /, **changes: Any) -> Path:
        """A file of the ward of two, on two days of which there is something to do."""
        path = self.home / name
        path.write_text(json.dumps(two(demand__1__minimum=0, demand__1__target=0, **changes)), encoding="utf-8")
        return path

    def unfair(self) -> Path:
        return self.file("unfair.json", leave=AWAY)


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ward:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("WAVEGRAPH_WARDS", raising=False)
    return Ward(tmp_path)


def test_one_json_object_and_three_files(ward: Ward) -> None:
    file = ward.file("fair.json")
    done = ward.generate(file, "--json", "--out", ward.out, "--thread", "t")
    record = json.loads(done.stdout)
    solved, paths = read_ward(file), [ward.out / f"fair-2026-11-23{ending}" for ending in (".json", ".csv", ".html")]

    assert (done.exit_code, record["outcome"], record["thread_id"]) == (0, "answered", "t")
    assert done.stderr == f"wrote {', '.join(map(str, paths))}\n"
    assert tuple(record)[: len(FIELDS)] == FIELDS
    assert record["ward"] == {"name": "Two", "start": "2026-11-23", "days": 14, "hash": ward_hash(solved)}
    assert sorted(ward.out.iterdir()) == sorted(paths)
    assert record["roster"] == read_roster(paths[0], solved)
    assert record["roster"] == read_roster(paths[1], solved)
    assert record["roster_id"] in record["answer"]
    assert (record["reports"]["compliance"]["status"], record["reports"]["empathy"]["status"]) == ("PASS", "APPROVED")
    assert record["reports"]["cost"]["total"] == roster_cost(solved, record["roster"]).total
    last = record["rounds"][-1]
    assert (record["cost"], record["bound"], record["status"]) == (last["cost"], last["bound"], last["solver"])
    assert sum(record["parts"].values()) == record["cost"]
    assert (record["note"], record["llm_calls"]) == ("Not published yet: it passes every check.", 0)
    assert "Two" in Page(paths[2].read_text()).texts


def test_the_terminal_tells_the_same_of_the_findings_as_the_page(ward: Ward) -> None:
    done = ward.generate("willow", "--out", ward.out, "--work-limit", "0.5")
    [told] = re.findall(r"^Findings: .*$", done.stdout, flags=re.MULTILINE)
    [page] = ward.out.glob("*.html")

    assert told in Page(page.read_text()).texts
    assert sum(int(n) for n in re.findall(r" (\d+)[,)]", told)) == int(told.split()[1])


def test_the_answer_is_on_stdout_and_the_rounds_on_stderr(ward: Ward) -> None:
    done = ward.generate(ward.file("fair.json"), "--thread", "t", *ENOUGH)
    lines = done.stderr.splitlines()

    assert done.stdout.startswith("Roster ")
    assert "passes every check" in done.stdout
    assert "\n\n            M  T  W  T  F  S  S  M  T  W  T  F  S  S\n2026-11-23 23 24 " in done.stdout
    assert done.stdout.splitlines()[-2].startswith("ann Ann ")
    assert lines[0] == "round 1: solving, at most 300 s"
    assert lines[1].startswith("round 1: cost ")
    assert lines[1].endswith(" s: passed")
    assert lines[-2].startswith("cost ")
    assert lines[-1].startswith("answered · 7 tool calls · ")


def test_a_known_ward_for_other_days(ward: Ward) -> None:
    words = ("--start", "2026-12-07", "--days", "14", "--seed", "4", *ENOUGH, "--work-limit", "0.05")
    done = ward.generate("harbour", *words, "--json", "--out", ward.out)
    record = json.loads(done.stdout)

    assert (record["ward"]["start"], record["ward"]["days"]) == ("2026-12-07", 14)
    assert {len(row) for row in record["roster"].values()} == {14}
    assert (ward.out / "harbour-2026-12-07.csv").exists()


@pytest.mark.parametrize(
    "name",
    [
        "next week",
        "repair",
        "can't",
        "days",
        "2026",
        "2026-12-07",
        "14 days",
        "not a roster",
        "מחלקה א",
        'the "old" ward',
        "4111 1111 1111 1111",
        "{ward}",
    ],
)
def test_a_ward_s_name_reaches_the_tools_as_it_is(name: str, ward: Ward) -> None:
    """The request's words name it too, and are not read back."""
    record = json.loads(ward.generate(ward.file(f"{name}.json", name=f"Ward {name}"), "--json").stdout)
    period = {"ward": name, "start_date": "2026-11-23", "num_days": 14}

    assert record["outcome"] == "answered"
    assert [record["results"][call]["args"] for call in ("get_staff", "get_rules")] == [period, period]


def test_of_two_wards_whose_names_differ_in_case_the_named_one_is_solved(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVEGRAPH_WARDS", str(ward.home / "wards"))
    (ward.home / "wards").mkdir()
    ward.file("wards/Two.json", name="Capital")
    ward.file("wards/two.json", name="Small")

    assert json.loads(ward.generate("two", "--json").stdout)["ward"]["name"] == "Small"
    assert json.loads(ward.generate("Two", "--json").stdout)["ward"]["name"] == "Capital"


def test_a_seed_and_a_work_limit_give_the_same_roster_again(ward: Ward) -> None:
    words = ("roster", "generate", ward.file("fair.json"), *ENOUGH, "--work-limit", "0.2", "--json")
    first, again = (json.loads(ward(*words).stdout) for _ in range(2))
    assert first["roster"] == again["roster"]


def test_work_enough_for_the_ward_is_found_by_its_size(ward: Ward) -> None:
    words = ("roster", "generate", ward.file("fair.json"), *ENOUGH, "--json", "--work-limit")
    assert json.loads(ward(*words, "auto").stdout)["roster"] == json.loads(ward(*words, "2").stdout)["roster"]
    for wrong in ("much", "0", "-1", "nan", "inf"):
        assert "a number above 0, up to 100000, or auto" in " ".join(ward(*words, wrong).stderr.split()), wrong


def test_existing_files_are_replaced_as_a_whole(ward: Ward) -> None:
    ward.out.mkdir()
    for ending in (".json", ".csv", ".html"):
        (ward.out / f"fair-2026-11-23{ending}").write_text("x" * 1_000_000)
    ward.generate(ward.file("fair.json"), "--out", ward.out)

    assert [path.name for path in ward.out.iterdir() if "x" * 100 in path.read_text()] == []
    assert len(list(ward.out.iterdir())) == 3


def test_the_cost_by_the_ward_s_own_weights_is_told(ward: Ward) -> None:
    file = ward.home / "one.json"
    file.write_text(SHORT.model_dump_json())
    done = ward.generate(file, "--decide", "approve", "--out", ward.out, "--json")
    record = json.loads(done.stdout)

    assert record["reports"]["cost"]["total"] == 100
    assert (
        "cost 100: fewer nurses than wanted 100; 100 of it by the ward's own weights\n"
        in ward.generate(file, "--decide", "approve").stderr
    )
    assert (ward.out / "one-2026-11-23.html").exists()


def test_a_ward_without_any_roster_is_told_why(ward: Ward) -> None:
    done = ward.generate(IMPOSSIBLE, "--out", ward.out, "--json")
    record = json.loads(done.stdout)

    assert (done.exit_code, record["status"], record["roster"], record["reports"]) == (0, "infeasible", None, None)
    assert "leave for Ann" in record["answer"]
    assert (
        "A roster exists with at least 24 h instead of 40 h for Ann; or with giving up leave of Ann" in record["answer"]
    )
    assert "at least 40 h for Ann" in record["impossible"][0]
    assert record["relaxations"][0] == "at least 24 h instead of 40 h for Ann"
    assert list(ward.out.iterdir()) == []
    assert done.stderr == f"there is no roster, so nothing was written to {ward.out}\n"


def test_a_ward_below_its_minimum_is_told_what_would_reach_it_in_answer_json_and_page(ward: Ward) -> None:
    done = ward.generate(
        ROOT / "tests/data/roster/corner.yaml", *ENOUGH, "--decide", "draft", "--out", ward.out, "--json"
    )
    record = json.loads(done.stdout)
    (page,) = ward.out.glob("*.html")

    assert "at most 1 night for Mo" in record["impossible"][0]
    assert "at most 3 instead of 2 days in a row for Tal" in record["relaxations"]
    assert "at most 3 instead of 2 days in a row for Tal" in record["answer"]
    assert "What no roster can meet" in (text := page.read_text(encoding="utf-8"))
    assert "at most 3 instead of 2 days in a row for tal Tal" in text


@dataclass(frozen=True)
class Refused:
    id: str
    words: tuple[str, ...]
    told: str


REFUSED = [
    Refused("an unknown ward", ("nowhere",), "There is no ward “nowhere”; there are: harbour, willow"),
    Refused("a missing file", ("nowhere.yaml",), "nowhere.yaml: file: got 'nowhere.yaml', expected a file that can"),
    Refused("a bad file, one fault", ("bad.json",), "bad.json: days: got 'x', expected a whole number"),
    Refused("a bad file, another fault", ("bad.json",), "bad.json: shifts: nothing there, expected"),
    Refused("no date", ("harbour", "--start", "2026-13-01"), "'2026-13-01' is no day: write 2026-12-03"),
    Refused("no days", ("harbour", "--days", "0"), "Invalid value for '--days'"),
    Refused("no time", ("harbour", "--time-limit", "0"), "'time_limit_s' = 0.0"),
    Refused("no decision", ("harbour", "--decide", "perhaps"), "'perhaps' is not one of"),
    Refused("an empty thread", ("harbour", "--thread", " "), "a thread needs an id"),
    Refused("a weight of nothing", ("harbour", "--change-weight", "5"), "add --repair ROSTER"),
    Refused("no such roster", ("harbour", "--repair", "0123abcd"), "nothing is kept under the id '0123abcd'"),
    Refused("no such version", ("harbour", "--repair", "V7"), "Harbour Ward has no version V7; there are: none"),
    Refused(
        "no kind of roster file", ("harbour", "--repair", "old.ods"), "old.ods: file name: got '.ods', expected one"
    ),
    Refused("no roster file", ("harbour", "--repair", "no.json"), "no.json: file: got 'no.json', expected a file that"),
    Refused(
        "the roster of others", ("harbour", "--repair", "old.json"), "'zoe', expected a nurse of the ward: leave out"
    ),
    Refused(
        "the roster of other days",
        ("harbour", "--repair", "old.json", "--days", "9"),
        "old.json: days: got 7, expected 9",
    ),
    Refused(
        "a folder in a file", ("harbour", "--out", "one.txt/out"), "cannot write to 'one.txt/out': Not a directory"
    ),
    Refused("a file for a folder", ("harbour", "--out", "one.txt"), "cannot write to 'one.txt': File exists"),
    Refused("a folder for a file", ("harbour", "--out", "taken"), "cannot write to 'taken': Is a directory"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_bad_usage_exits_with_2_before_anything_is_solved(
    case: Refused, ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ward.home)
    Path("bad.json").write_text(json.dumps({"name": "Bad", "start": "2026-11-23", "days": "x"}))
    Path("one.txt").touch()
    Path("old.json").write_text(json.dumps({"start": "2026-11-23", "days": 7, "roster": {"zoe": [None] * 7}}))
    Path("taken/harbour-2026-11-23.csv").mkdir(parents=True)
    done = ward("roster", "generate", *case.words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert case.told in " ".join(done.stderr.replace("│", " ").split())
    assert "round 1" not in done.stderr
    assert not Path("wavegraph/rosters").exists()


def sick(record: dict[str, Any]) -> dict[str, Any]:
    """Leave for Ben on the first day that he was told to work."""
    day = next(day for day, cell in enumerate(record["roster"]["ben"]) if cell)
    return {"nurse": "ben", "day": str(date(2026, 11, 23) + timedelta(days=day))}


def test_a_published_roster_is_repaired(ward: Ward) -> None:
    told = json.loads(ward.generate(ward.file("two.json"), "--out", ward.out, "--json").stdout)
    file, published = ward.file("sick.json", leave=[sick(told)]), ward.out / "two-2026-11-23.json"
    repaired = json.loads(ward.generate(file, "--repair", published, "--json").stdout)
    by_id = ward.generate(file, "--repair", told["roster_id"], "--change-weight", "31")
    shown = CliRunner().invoke(app, ["roster", "show", repaired["roster_id"]])
    differ = [
        (name, day) for name, row in told["roster"].items() for day, cell in enumerate(row)
        if cell != repaired["roster"][name][day]
    ]  # fmt: skip

    assert [name for name, _ in differ] == ["ben"]
    assert (repaired["reports"]["changed_cells"], repaired["parts"]["changes"]) == (1, 30)
    assert repaired["reports"]["cost"]["changes"] == 30
    assert "\n1 cell differs from the published roster.\n" in repaired["answer"]
    assert "\n1 cell differs from the published roster\n" in shown.stdout
    assert "\n1 cell differs from the published roster.\n" in by_id.stdout
    assert "changes of the published roster 31" in by_id.stderr
    assert "changes" not in told["reports"]["cost"].keys() | told["parts"].keys()
    assert "changed_cells" not in told["reports"]


def test_any_way_in_may_repair(ward: Ward) -> None:
    told = json.loads(ward.generate("harbour", "--work-limit", "0.05", "--decide", "draft", "--json").stdout)
    words = ("--set", f"repair={told['roster_id']}", "--set", "work_limit=0.05", "--set", "change_weight=100")
    asked = ward("ask", "make the roster for harbour", "--domain", "roster", "--json", *words)
    other = ward("ask", "make the roster for harbour from 2026-12-07", "--domain", "roster", "--json", *words)

    assert json.loads(asked.stdout)["results"]["get_report"]["data"]["changed_cells"] < 20
    assert (
        f"roster {told['roster_id']}: start: got '2026-11-23', expected 2026-12-07"
        in json.loads(other.stdout)["answer"]
    )


def test_a_roster_that_fails_waits_for_the_manager(ward: Ward) -> None:
    done = ward.generate(ward.unfair(), "--out", ward.out, "--thread", "a b")
    page = Page((ward.out / "unfair-2026-11-23.html").read_text())
    record = json.loads((ward.out / "unfair-2026-11-23.json").read_text())

    assert done.exit_code == 0
    assert "no rule broken, fairness outside its limits (70 %)" in done.stdout
    assert (record["outcome"], record["empathy"]) == ("awaiting_approval", "REJECTED")
    assert record["note"] == "Not published: waiting for the manager's decision."
    assert record["note"] in page.texts
    lines = [shlex.split(line) for line in done.stderr.splitlines() if line.startswith("  wavegraph ")]
    assert [line[1:5] for line in lines[:-1]] == [["approvals", way, "a b", more] for way, more in (
        ("approve", "--for-asker"), ("approve", "--for-asker"), ("reject", "--reason"), ("reject", "--changes"),
    )]  # fmt: skip
    assert lines[-1][1:] == ["roster", "show", record["roster_id"], "--out", str(ward.out), "--db", ward.database]
    assert "thread a b" in ward("approvals", "list", "--domain", "roster").stdout
    draft = CliRunner().invoke(app, lines[1][1:])
    assert (draft.exit_code, "Kept as a draft" in draft.stdout) == (0, True)
    assert CliRunner().invoke(app, lines[-1][1:]).exit_code == 0
    anew = json.loads((ward.out / "unfair-2026-11-23.json").read_text())
    assert anew == {name: record[name] for name in record if name != "outcome"} | {
        "decision": "draft", "note": "Kept as a draft, with its problems.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("decision", "note", "said"),
    [
        ("approve", "Published with its problems.", "Published with these warnings"),
        ("draft", "Kept as a draft, with its problems.", "Kept as a draft"),
        ("reject", "Not published.", "Not published"),
    ],
)
def test_the_decision_may_be_given_with_the_command(decision: str, note: str, said: str, ward: Ward) -> None:
    done = ward.generate(ward.unfair(), "--decide", decision, "--out", ward.out, "--json")
    record, written = json.loads(done.stdout), json.loads((ward.out / "unfair-2026-11-23.json").read_text())

    assert (done.exit_code, record["outcome"], record["note"], written["note"]) == (0, "partial", note, note)
    assert said in record["answer"]


def test_a_file_that_is_gone_can_still_be_changed_and_decided(ward: Ward) -> None:
    file = ward.unfair()
    ward.generate(file, "--thread", "t")
    file.unlink()
    changes = json.dumps({"locked": [{"nurse": "ann", "day": "2026-12-05", "shift": "N"}]})
    asked = ward("approvals", "reject", "t", "--reason", "other", "--changes", changes, "--domain", "roster", "--json")
    decided = ward("approvals", "approve", "t", "--for-asker", "--domain", "roster", "--json")

    assert json.loads(asked.stdout)["outcome"] == "awaiting_approval"
    assert "generate_roster_2" in json.loads(asked.stdout)["results"]
    assert (decided.exit_code, json.loads(decided.stdout)["outcome"]) == (0, "partial")
    assert "Published with these warnings" in json.loads(decided.stdout)["answer"]


def test_nothing_is_kept_in_memory_and_no_line_promises_it(ward: Ward) -> None:
    done = CliRunner().invoke(app, ["roster", "generate", str(ward.unfair()), *ENOUGH, "--db", ":memory:"])
    assert done.exit_code == 0
    assert done.stderr.splitlines()[-1] == "nothing is kept, because of --db :memory:"
    assert "wavegraph approvals" not in done.stderr


def test_a_name_s_control_characters_do_not_reach_the_terminal(ward: Ward) -> None:
    file = ward.file("unfair.json", leave=AWAY, name="Two\x1b[2J", nurses__1__name="B\x1b[31men")
    done = ward.generate(file, "--decide", "approve")
    assert "\x1b" not in done.stdout + done.stderr
    assert "Two[2J, 14 days" in done.stdout


def test_the_known_wards(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ward.home / "wards"
    folder.mkdir()
    monkeypatch.setenv("WAVEGRAPH_WARDS", str(folder))
    (folder / "two.json").write_text(json.dumps(two()))
    (folder / "broken.yaml").write_text("name: 1")
    listed = CliRunner().invoke(app, ["roster", "wards"])
    known = {each["name"]: each for each in json.loads(CliRunner().invoke(app, ["roster", "wards", "--json"]).stdout)}

    assert listed.exit_code == 0
    assert sorted(known) == ["broken", "harbour", "two", "willow"]
    assert known["two"] == {"name": "two", "from": str(folder / "two.json"), "ward": "Two", "days": 14, "nurses": 2,
                            "start": "2026-11-23"}  # fmt: skip
    assert known["harbour"]["from"] == "demo"
    assert "cannot be read: broken.yaml: name: got 1" in known["broken"]["ward"]
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:]] == sorted(known)
    assert not (ward.home / "wavegraph").exists()


def test_ask_and_chat_make_rosters_too(ward: Ward) -> None:
    words = ("--domain", "roster", "--set", "time_limit_s=900", "--set", "days=1", "--db", ward.database)
    asked = CliRunner().invoke(app, ["ask", "make the roster for willow", "--json", *words])
    talked = CliRunner().invoke(app, ["chat", *words], input="make the roster for harbour\n")

    assert asked.exit_code == 0
    assert json.loads(asked.stdout)["results"]["generate_roster"]["data"]["ward"] == "Willow Ward"
    assert "Harbour Ward, 1 day from" in talked.stdout


@pytest.mark.parametrize(
    ("thread", "told"),
    [("t", "thread 't' is not running: it ended as answered"), ("nobody", "'nobody'")],
    ids=["ended", "unknown"],
)
def test_only_what_is_at_work_is_stopped(thread: str, told: str, ward: Ward) -> None:
    ward.generate(ward.file("fair.json"), "--thread", "t")
    done = ward("roster", "stop", thread)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
