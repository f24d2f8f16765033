"""`wavegraph eval`: what it prints, how it exits, and what it says of files that cannot be scored."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hotel_requests import REQUESTS
from shell import Shell
from typer.testing import CliRunner, Result

from wavegraph.app.evaluate.file import Case, Expectation, ExpectedCall, RequestFile, read_file
from wavegraph.app.evaluate.run import evaluate, subject_of
from wavegraph.app.main import app
from wavegraph.testing import ScriptedPlanner, planning

EXAMPLE = Path(__file__).parents[3] / "examples" / "requests.json"
GUIDE = Path(__file__).parents[3] / "docs" / "running" / "evaluation.md"


def case(
    name: str = "blue", *, text: str = "look:blue", word: str = "blue", category: str = "colours", **more: Any
) -> Any:
    expect = {"action": "tools", "waves": [[{"tool": "look", "args": {"word": word}}]]}
    return {"id": name, "category": category, "text": text, "expect": expect, **more}


def written(folder: Path, content: Any) -> Path:
    file = folder / "cases.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def evaluated(folder: Path, content: Any, *words: str, domain: str = "clerk:graph") -> Result:
    content = {"cases": content} if isinstance(content, list) else content
    return CliRunner().invoke(app, ["eval", str(written(folder, content)), "--domain", domain, *words])


def report(done: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_table_and_the_failures_by_name(tmp_path: Path) -> None:
    done = evaluated(
        tmp_path, [case(), case("red", word="red"), case("hard", llm_only=True), case("slow", category="naps")]
    )

    assert done.exit_code == 1
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "category passed share s/case model calls/case tokens/case"
    assert re.fullmatch(r"colours 1/2 50\.0 % [\d.]+ 0 0", lines[1])
    assert lines[2].startswith("naps 1/1 100.0 %")
    assert lines[3].startswith("all 2/3 66.7 %")
    assert lines[4:] == [
        "planned by: rules 3",
        "skipped, for a model only: hard",
        "✗ red colours: look:blue",
        "expected look(word=red); got look(word=blue)",
        "calls by wave: 1. look(word=blue)",
    ]
    assert done.stderr.endswith("wavegraph: score 0.6667 is below the threshold 1\n")


@pytest.mark.parametrize(("threshold", "status"), [("0.5", 0), ("0.51", 1), ("0", 0)])
def test_the_exit_status_follows_the_threshold(tmp_path: Path, threshold: str, status: int) -> None:
    assert evaluated(tmp_path, [case(), case("red", word="red")], "--threshold", threshold).exit_code == status


def test_json_has_the_same_figures(tmp_path: Path) -> None:
    done = evaluated(tmp_path, [case(), case("red", word="red")], "--json")

    found = report(done)
    assert (done.exit_code, found["passed"], found["total"], found["score"]) == (1, 1, 2, 0.5)
    assert (found["file"], found["planner"], found["planned_by"]) == ("cases.json", "auto", {"rules": 2})
    assert found["categories"]["colours"]["per_case"]["llm_calls"] == 0
    (right, wrong) = found["cases"]
    assert (right["verdict"], right["answer"], right["failures"]) == ("passed", "blue: 3 left", [])
    assert right["calls"] == [{"wave": 1, "tool": "look", "args": {"word": "blue"}}]
    assert (wrong["verdict"], len(wrong["failures"])) == ("failed", 1)
    assert found["cases"][0]["elapsed_s"] > 0


def test_only_some_are_scored(tmp_path: Path) -> None:
    cases = [case(), case("red", word="red"), case("slow", category="naps")]

    found = report(evaluated(tmp_path, cases, "--only", "naps", "--only", "blue", "--json"))
    assert [each["id"] for each in found["cases"]] == ["blue", "slow"]
    strange = evaluated(tmp_path, cases, "--only", "green")
    assert strange.exit_code == 2
    assert "--only 'green': neither a case nor a category; categories: colours, naps" in strange.stderr


def test_cases_for_a_model_are_scored_where_they_are_asked_for(tmp_path: Path) -> None:
    cases = [case("hard", llm_only=True)]

    assert evaluated(tmp_path, cases).exit_code == 2
    assert "nothing was scored" in evaluated(tmp_path, cases).stderr
    assert evaluated(tmp_path, cases, "--include-llm-only").exit_code == 0


def test_history_comes_before_the_request(tmp_path: Path) -> None:
    history = [{"role": "user", "text": "look:red"}, {"role": "assistant", "text": "red: 3 left"}]

    found = report(evaluated(tmp_path, [case("again", text="look:blue", history=history)], "--json"))
    assert found["cases"][0]["calls"] == [{"wave": 1, "tool": "look", "args": {"word": "blue"}}]


def test_a_file_may_have_names_of_its_own_for_tools(tmp_path: Path) -> None:
    named = case()
    named["expect"]["waves"][0][0]["tool"] = "catalogue"

    assert evaluated(tmp_path, {"tools": {"catalogue": ["look", "nap"]}, "cases": [named]}).exit_code == 0
    wrong = evaluated(tmp_path, {"tools": {"catalogue": "lok"}, "cases": [named]})
    assert wrong.exit_code == 2
    assert "tools.catalogue = 'lok': the agent has no such tool; it has boom, doze, linger, look, nap" in wrong.stderr


def test_a_key_nobody_knows_is_told_and_not_scored(tmp_path: Path) -> None:
    done = evaluated(tmp_path, [case("a", mood="sunny"), case("b", mood="dull")])

    assert done.exit_code == 0
    assert done.stderr == "unknown, so not scored: mood (first in case 'a')\n"


def expecting(**expect: Any) -> dict[str, Any]:
    return {"cases": [{**case(), "expect": {"action": "reply", **expect}}]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cases.json is not a JSON file: Expecting property name"),
        ([], "the file: cases = []: List should have at least 1 item"),
        ({}, "the file: cases is missing"),
        ([1, 2], "case number 1: Input should be"),
        ([{"id": "a", "expect": {"action": "reply"}}], "case 'a': text is missing"),
        ([{"text": "a"}], "case number 1: id is missing"),
        ([case(), case()], "case 'blue': id is used twice"),
        ([case(lllm_only=True)], "case 'blue': unknown key 'lllm_only'; did you mean 'llm_only'?"),
        ([case(reference_date="soon")], "case 'blue': reference_date = 'soon': Input should be a valid date"),
        ([case(history=[{"role": "guest", "text": "a"}])], "case 'blue': history.0.role = 'guest': Input should be 'user'"),
        (expecting(must_nt=["look"]), "case 'blue': expect: unknown key 'must_nt'; did you mean 'must_not'?"),
        (expecting(action="cook"), "case 'blue': expect.action = 'cook': Input should be 'tools'"),
        (expecting(action="tools"), "action 'tools' needs a call in waves"),
        (expecting(min_waves=2, max_waves=1), "min_waves 2 is above max_waves 1"),
        (expecting(max_waves=-1), "case 'blue': expect.max_waves = -1: Input should be greater than or equal to 0"),
        (expecting(reply_must=["/(/"]), "case 'blue': expect.reply_must = ['/(/']: '/(/' is not a regular expression"),
        (expecting(must_not=["lok"]), "case 'blue': expect.must_not = 'lok': unknown tool; known: boom, doze"),
        (expecting(waves=[[{"tool": "lok"}]]), "case 'blue': expect.waves = 'lok': unknown tool"),
        ([case(country="IL")], "case 'blue': unknown setting 'country'; known: answer_check"),
        ([case(settings={"max_waves": 999})], "case 'blue': setting 'max_waves' = 999"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_scored(tmp_path: Path, content: Any, message: str) -> None:
    done = evaluated(tmp_path, content)

    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_many_problems_are_cut(tmp_path: Path) -> None:
    done = evaluated(tmp_path, [{"text": "a", "expect": {"action": "reply"}}] * 25)

    assert "cases.json cannot be scored, 25 problem(s):" in done.stderr
    assert done.stderr.endswith("and 5 more\n")


def test_no_file_no_agent_no_model(tmp_path: Path) -> None:
    runner = CliRunner()
    missing = runner.invoke(app, ["eval", str(tmp_path / "none.json")])
    message = f"wavegraph: {tmp_path / 'none.json'} cannot be read: No such file or directory\n"
    assert (missing.exit_code, missing.stderr) == (2, message)
    stranger = evaluated(tmp_path, [case()], domain="laundry")
    assert (stranger.exit_code, "unknown domain 'laundry'" in stranger.stderr) == (2, True)
    without = evaluated(tmp_path, [case()], "--planner", "llm")
    assert (without.exit_code, "no model is set up" in without.stderr) == (2, True)


def test_it_runs_as_a_command_of_its_own(shell: Shell, tmp_path: Path) -> None:
    file = written(tmp_path, {"cases": [case("red", word="red", text="look:red")]})

    done = shell.plain("eval", str(file), "--domain", "clerk:graph")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.json"], "nothing is kept"


async def test_a_case_that_breaks_the_run_fails_and_the_others_go_on() -> None:
    import clerk

    from wavegraph import build_graph
    from wavegraph.app.evaluate.run import Subject

    def breaks_on_blue(view: Any) -> Any:
        if "blue" in view.request["text"]:
            raise LookupError("no blue")
        return planning(action="reply", reply="good day")

    greeting = Case.model_validate({"id": "g", "text": "good day", "expect": {"action": "reply"}})
    subject = Subject(graph=build_graph(clerk.domain, planner=ScriptedPlanner(then=breaks_on_blue)))
    broken, fine = await evaluate(subject, [Case.model_validate(case()), greeting])
    assert broken.score.failures == ["the run failed: LookupError: no blue"]
    assert (broken.verdict, fine.verdict) == ("failed", "passed")


@pytest.mark.skipif(not REQUESTS.exists(), reason="the published requests are not beside the checkout")
async def test_the_rules_pass_every_published_request() -> None:
    async with subject_of("hotel") as subject:
        ended = await evaluate(subject, read_file(REQUESTS).cases, planner="rules")

    assert {each.case.id: each.score.failures for each in ended if each.verdict == "failed"} == {}
    assert {each.case.llm_only for each in ended if each.verdict == "skipped"} == {True}
    assert sum(each.verdict == "passed" for each in ended) == 39
    (booking,) = [each.seen for each in ended if each.case.id == "H070" and each.seen]
    made = {call.data["reference"] for call in booking.after_yes if call.tool == "create_booking"}
    assert ([call.tool for call in booking.calls if call.waits], len(made)) == (["create_booking"], 1)


async def test_the_example_file_is_passed_and_each_of_its_cases_can_fail() -> None:
    cases = [each for each in read_file(EXAMPLE).cases if not each.llm_only]
    turned = [each.model_copy(update={"expect": Expectation(action="refuse" if each.expect.action != "refuse" else "clarify")})
              for each in cases]  # fmt: skip
    async with subject_of("hotel") as subject:
        right = await evaluate(subject, cases, planner="rules")
        wrong = await evaluate(subject, turned, planner="rules")

    assert {each.case.id: each.score.failures for each in right if each.verdict != "passed"} == {}
    assert {each.verdict for each in wrong} == {"failed"}


def test_the_guide_describes_every_key() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    keys = {name for model in (RequestFile, Case, Expectation, ExpectedCall) for name in model.model_fields}

    assert {key for key in keys if f"`{key}`" not in guide} == set()
