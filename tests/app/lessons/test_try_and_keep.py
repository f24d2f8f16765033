"""`wavegraph lessons try`, `keep`, `drop` and `list`: what enters a prompt, and what does not."""

import json
import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from endpoint import Endpoint, Received, Turn, answers, plans
from failing import BROKEN, GAP, Desk, lesson, record, taught
from inn import Inn
from plans import beds, plan

from wavegraph.app.lessons.candidates import Candidate
from wavegraph.app.lessons.kept import drop, keep, kept_lessons
from wavegraph.app.lessons.trial import Verdict, prompts_hash
from wavegraph.graph.errors import LessonError
from wavegraph.graph.model.lessons import MOST_LESSONS, Lesson

NIGHT, OTHER = "2026-12-05", "2026-12-06"
TEXT = "Plan the night that was asked for."


def cases(*names: str) -> dict[str, Any]:
    call = {"tool": "get_beds", "args": {"night": NIGHT}}
    expect = {"action": "tools", "waves": [[call]]}
    return {"cases": [{"id": name, "text": f"beds on {NIGHT}?", "expect": expect} for name in names or ("one",)]}


def written(desk: Desk, content: Mapping[str, Any] | None = None) -> str:
    file = desk.folder / "cases.json"
    file.write_text(json.dumps(content or cases()), encoding="utf-8")
    return str(file)


def proposed(desk: Desk, endpoint: Endpoint, *texts: str, reader: str = "planner") -> list[str]:
    desk.store(record(issues=[BROKEN], answer_failures=[GAP]))
    endpoint.plays(taught(*[lesson(text, reader) for text in texts or (TEXT,)]))
    return [each["id"] for each in desk.json("propose")["candidates"]]


def run(night: str) -> list[Turn]:
    return [plans(plan(beds("beds", night))), answers("4 beds are free.")]


def teachable(request: Received) -> Mapping[str, Any]:
    """A planner that gets it right with the lesson alone."""
    return plan(beds("beds", NIGHT if TEXT in request.system else OTHER))


def tries(endpoint: Endpoint, runs: int) -> None:
    endpoint.plays(*[turn for _ in range(runs) for turn in (plans(None, made=teachable), answers("4 beds are free."))])


def tried(desk: Desk, endpoint: Endpoint, *nights: str, words: tuple[str, ...] = ("--repeat", "1")) -> dict[str, Any]:
    """The trial of one lesson on one case: without it and with it, in turn."""
    endpoint.plays(*[turn for night in nights for turn in run(night)])
    (trial,) = desk.json("try", written(desk), *words)["trials"]
    return dict(trial)


def test_what_a_lesson_does_is_told_with_figures(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)
    tries(endpoint, 8)
    told = desk.says("try", written(desk, cases("one", "two")), "--repeat", "2", "--at-once", "1")

    assert told.splitlines() == [
        f"{lesson_id}  planner  {TEXT}",
        "    cases.json: 0/4 runs passed without it, 4/4 with it; 2 cases better, 0 worse",
        "    chance alone parts 2 changed cases as unevenly in 50 % of trials",
        "    better: one: 0/2 → 2/2",
        "    better: two: 0/2 → 2/2",
        "    tokens a run: 220 → 220",
    ]
    without, with_ = endpoint.of("plan")[0], endpoint.of("plan")[2]
    assert with_.system.startswith(without.system)
    assert TEXT not in without.system
    assert not desk.file.exists()


def test_a_tried_lesson_is_kept_read_and_dropped_again(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)
    assert tried(desk, endpoint, OTHER, NIGHT)["made_worse"] == []
    shown = desk("keep", lesson_id, typed="y\n")

    assert shown.exit_code == 0
    assert TEXT in shown.stdout
    assert "stands on 1 request: broken plan unknown_tool" in shown.stdout
    assert f"undo it with: wavegraph lessons drop {lesson_id}" in shown.stdout
    kept = json.loads(desk.file.read_text(encoding="utf-8"))["lessons"][0]
    assert (kept["text"], kept["evidence"]["requests"], kept["trial"]["passed"]) == (TEXT, 1, [0, 1, 1, 1])
    assert "t0" not in desk.file.read_text(encoding="utf-8")
    assert "1 of 10, 34 of 1800 characters" in desk.says("list")

    asked = desk.ask(endpoint, *run(NIGHT))
    assert TEXT in asked[0].system
    assert TEXT not in asked[1].system
    again = desk.ask(endpoint, *run(NIGHT))
    assert again[0].system == asked[0].system
    assert desk.says("drop", lesson_id) == f"{lesson_id}: taken out of the prompts\n"
    assert TEXT not in desk.ask(endpoint, *run(NIGHT))[0].system
    assert desk.json("list")["kept"] == []
    assert [each["id"] for each in desk.json("list")["candidates"]] == [lesson_id]


def test_a_lesson_for_the_writer_reaches_the_writer(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint, "Say the price.", reader="writer")
    tried(desk, endpoint, NIGHT, NIGHT)
    desk.says("keep", lesson_id, "--yes")
    planner, writer = desk.ask(endpoint, *run(NIGHT))

    assert "Say the price." not in planner.system
    assert writer.system.endswith("- Say the price.")


def test_a_no_keeps_nothing(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)
    tried(desk, endpoint, OTHER, NIGHT)

    assert [desk("keep", lesson_id, typed=typed).exit_code for typed in ("n\n", "")] == [2, 1]
    assert not desk.file.exists()


def test_what_was_not_tried_is_not_kept(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)

    said = desk.refuses("keep", lesson_id, "--yes", "--anyway")
    assert said == (
        f"wavegraph: lesson '{lesson_id}' is not kept: it was not tried; "
        f"`wavegraph lessons try FILE --lesson {lesson_id}`\n"
    )


def test_what_made_it_worse_is_kept_only_by_a_word(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)
    trial = tried(desk, endpoint, NIGHT, OTHER)

    assert trial["made_worse"] == [
        "0 of 1 runs passed with it, 1 of 1 without",
        "case one passed every time without it, and never with it",
    ]
    assert "0 of 1 runs passed with it, 1 of 1 without; case one" in desk.refuses("keep", lesson_id, "--yes")
    assert desk.says("keep", lesson_id, "--yes", "--anyway").splitlines()[-1].startswith("kept in ")


def test_a_trial_is_good_for_the_prompts_it_was_made_with(desk: Desk, endpoint: Endpoint) -> None:
    """Two are tried; once the one is kept, nobody knows what both together do."""
    first, second = proposed(desk, endpoint, TEXT, "Look twice.")
    endpoint.plays(*[turn for _ in range(3) for turn in run(NIGHT)])
    desk.json("try", written(desk), "--repeat", "1")
    desk.says("keep", first, "--yes")

    assert "have changed since it was tried" in desk.refuses("keep", second, "--yes")
    assert "is kept already" in desk.refuses("keep", first, "--yes")
    tried(desk, endpoint, NIGHT, NIGHT)
    assert TEXT in endpoint.of("plan")[-2].system
    desk.says("keep", second, "--yes")
    assert [each["id"] for each in desk.json("list")["kept"]] == [first, second]


def test_a_model_that_is_down_is_no_lessons_fault(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)
    endpoint.plays(*run(NIGHT), plans(None, status=401))
    (trial,) = desk.json("try", written(desk), "--repeat", "1")["trials"]

    assert trial["lost"] == ["one"]
    assert trial["made_worse"] == ["nothing was measured"]
    assert "nothing was measured" in desk.refuses("keep", lesson_id, "--yes")


def test_without_a_model_nothing_is_tried(desk: Desk, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    proposed(desk, endpoint)
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")

    assert "lessons for the planner are read by a model, and this agent has none there" in desk.refuses(
        "try", written(desk)
    )


NOTHING = {
    "no candidate": (("try", "FILE"), "there is no lesson to try; `wavegraph lessons propose` makes some"),
    "an unknown one": (("try", "FILE", "--lesson", "nope"), "no candidate 'nope' of 'inn' in this database"),
    "no file": (("try", "nowhere.json"), "cannot be read: No such file"),
    "to keep": (("keep", "nope"), "no candidate 'nope' of 'inn' in this database"),
    "to drop": (("drop", "nope"), "no candidate 'nope' of 'inn' in this database"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_not_there(name: str, desk: Desk) -> None:
    words, why = NOTHING[name]
    file = written(desk)

    assert why in desk.refuses(*(file if word == "FILE" else word for word in words))


def test_a_case_that_is_not_there_is_named(desk: Desk, endpoint: Endpoint) -> None:
    proposed(desk, endpoint)

    assert "--only 'two': neither a case nor a category" in desk.refuses("try", written(desk), "--only", "two")


def test_a_candidate_is_forgotten_with_its_trial(desk: Desk, endpoint: Endpoint) -> None:
    (lesson_id,) = proposed(desk, endpoint)
    tried(desk, endpoint, NIGHT, NIGHT)

    assert desk.says("drop", lesson_id) == f"{lesson_id}: was not kept; forgotten with its trial\n"
    proposed(desk, endpoint)
    assert [each["trial"] for each in desk.json("list")["candidates"]] == [None]


def test_the_same_lesson_proposed_again_keeps_its_trial(desk: Desk, endpoint: Endpoint) -> None:
    proposed(desk, endpoint)
    tried(desk, endpoint, NIGHT, NIGHT)
    proposed(desk, endpoint)

    (candidate,) = desk.json("list")["candidates"]
    assert candidate["trial"]["repeats"] == 1


DOMAIN = Inn().domain()


def candidate(text: str) -> Candidate:
    return Candidate(reader="planner", text=text, kinds=["bad verdict"], requests=1)


def good_trial(of: Candidate, kept: list[Lesson] | None = None) -> dict[str, Any]:
    case = {"id": "one", "category": "general", "without": 0, "without_runs": 1, "with_": 1, "with_runs": 1}
    return {"lesson": of.hash, "prompts": prompts_hash(DOMAIN, kept or []), "at": "now", "file": "f.json", "models": [],
            "repeats": 1, "cases": [case], "criteria": [], "tokens": [1.0, 1.0], "lost": []}  # fmt: skip


def kept_now(text: str) -> Lesson:
    return keep(DOMAIN, each := candidate(text), good_trial(each, kept_lessons(DOMAIN)))


def test_a_full_file_says_the_way_out(desk: Desk) -> None:
    for n in range(MOST_LESSONS):
        kept_now(f"Lesson {n}.")
    before = desk.file.read_bytes()
    with pytest.raises(LessonError, match=r"at most 10 are allowed: drop one: `wavegraph lessons drop ID`"):
        kept_now("One more.")

    assert desk.file.read_bytes() == before


def test_lessons_of_many_characters_are_too_many(desk: Desk) -> None:
    for n in range(7):
        kept_now(f"{n} {'word ' * 47}")
    with pytest.raises(LessonError, match="at most 1800 are allowed"):
        kept_now(f"8 {'word ' * 47}")


def test_of_two_kept_at_once_one_is_kept_and_one_is_refused(desk: Desk) -> None:
    """Both were tried alone; that they were kept at the same moment changes nothing of that."""
    each = [candidate(f"Lesson {n}.") for n in range(8)]

    def told(one: Candidate) -> str:
        try:
            return keep(DOMAIN, one, good_trial(one))["id"]
        except LessonError as error:
            return re.sub(r".*have changed since.*", "changed", str(error))

    with ThreadPoolExecutor(8) as threads:
        ended = list(threads.map(told, each))

    assert ended.count("changed") == 7
    assert [one["id"] for one in kept_lessons(DOMAIN)] == [name for name in ended if name != "changed"]


def test_drops_and_keeps_at_once_lose_nothing(desk: Desk) -> None:
    ids = [kept_now(f"Lesson {n}.")["id"] for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        gone = list(threads.map(lambda lesson_id: drop(DOMAIN, lesson_id), ids[:7]))

    assert [each and each["id"] for each in gone] == ids[:7]
    assert [each["id"] for each in kept_lessons(DOMAIN)] == ids[7:]


@dataclass(frozen=True)
class Place:
    """What lies where the file should, and what is said of it."""

    id: str
    text: str
    why: str


PLACES = [
    Place("half written", '{"format": "wavegraph less', "is no whole file of lessons (all: Invalid JSON: EOF while parsing a string at line 1 column 26): restore it"),
    Place("another program's", '{"cases": []}', "is no whole file of lessons"),
    Place("a version to come", '{"format": "wavegraph lessons", "version": 7}', "(version: Input should be 1)"),
    Place("another agent's", '{"format": "wavegraph lessons", "version": 1, "domain": "hotel", "lessons": []}',
          "holds the lessons of 'hotel', not of 'inn': move it away"),
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.id)
def test_what_is_not_ours_is_left_as_it_is(place: Place, desk: Desk, endpoint: Endpoint) -> None:
    desk.lessons.mkdir()
    desk.file.write_text(place.text, encoding="utf-8")
    one = candidate("Lesson.")
    with pytest.raises(LessonError, match=re.escape(place.why)):
        keep(DOMAIN, one, good_trial(one))
    with pytest.raises(LessonError, match=re.escape(place.why)):
        drop(DOMAIN, one.id)

    assert place.why in desk.refuses("list")
    assert desk.file.read_text(encoding="utf-8") == place.text
    assert desk.ask(endpoint, *run(NIGHT))


def test_who_is_killed_while_writing_leaves_the_old_file(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moment before the new file takes the old one's place."""
    kept_now("Lesson.")
    before = desk.file.read_bytes()

    class Killed(BaseException):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(Killed):
            kept_now("Another.")

    assert desk.file.read_bytes() == before
    kept_now("Another.")
    assert len(kept_lessons(DOMAIN)) == 2


def test_a_place_that_is_no_folder_is_named(desk: Desk) -> None:
    desk.lessons.write_text("a file", encoding="utf-8")
    one = candidate("Lesson.")
    with pytest.raises(LessonError, match=r"cannot be changed: File exists; let this user write there"):
        keep(DOMAIN, one, good_trial(one))


def figures(*changed: tuple[int, int], repeats: int = 1, **changes: Any) -> dict[str, Any]:
    """A trial by `(passed without, passed with)` of each case."""
    found = [
        {
            "id": f"c{n}",
            "category": "general",
            "without": one,
            "without_runs": repeats,
            "with_": two,
            "with_runs": repeats,
        }
        for n, (one, two) in enumerate(changed)
    ]
    return {
        "file": "f.json",
        "repeats": repeats,
        "cases": found,
        "criteria": [],
        "tokens": [0, 0],
        "lost": [],
        **changes,
    }


def test_no_change_is_no_effect() -> None:
    assert Verdict(figures((1, 1), (0, 0))).noise == "no case changed: the file shows no effect of the lesson"
    assert Verdict(figures((1, 1))).made_worse == []


@pytest.mark.parametrize(
    ("better", "worse", "percent"), [(1, 0, 100), (2, 0, 50), (5, 0, 6), (6, 0, 3), (5, 1, 22), (3, 3, 100)]
)
def test_the_sign_test(better: int, worse: int, percent: int) -> None:
    """By hand: twice the share of the 2^n ways that have as few of the fewer."""
    trial = figures(*[(0, 1)] * better, *[(1, 0)] * worse)

    assert round(100 * Verdict(trial).chance) == percent
    assert "one run of each case cannot tell a change from chance" in Verdict(trial).noise


WORSE = {
    "one run fewer": (figures((3, 2), (1, 1), repeats=3), ["3 of 6 runs passed with it, 4 of 6 without"]),
    "one case for another": (
        figures((3, 0), (0, 3), repeats=3), ["case c0 passed every time without it, and never with it"],
    ),
    "a criterion": (
        figures((3, 3), repeats=3, criteria=[{"name": "criterion clarity", "without": 0, "with_": 2}]),
        ["criterion clarity failed in 2 runs with it, in 0 without"],
    ),
    "a run that was lost": (figures((3, 3), repeats=3, lost=["c0"]), ["the model was down in runs of c0"]),
    "nothing at all": (figures(), ["nothing was measured"]),
}  # fmt: skip


@pytest.mark.parametrize("name", WORSE)
def test_what_speaks_against_a_lesson(name: str) -> None:
    trial, why = WORSE[name]

    assert Verdict(trial).made_worse == why
