"""The figures of `make attack`, from the reports of two rounds."""

from pathlib import Path

from benchmarks.attack import Figures

FIRST = """<testsuites><testsuite>
<testcase classname="tests.stress.test_bookings" name="test_rooms"><properties>
  <property name="attempts" value="144 bookings"/><property name="figures" value="144 of 8"/></properties></testcase>
<testcase classname="tests.hostile.test_forged_messages" name="test_forged[llm]"/>
<testcase classname="tests.crash.test_kill" name="test_kill"><skipped message="no PostgreSQL here"/></testcase>
</testsuite></testsuites>"""
SECOND = """<testsuites><testsuite>
<testcase classname="tests.stress.test_bookings" name="test_rooms"><properties>
  <property name="attempts" value="100 bookings"/></properties><failure message="overbooked"/></testcase>
</testsuite></testsuites>"""


def test_attempts_are_added_up_and_what_broke_is_named(tmp_path: Path) -> None:
    figures = Figures()
    for seed, text in [(1, FIRST), (2, SECOND)]:
        report = tmp_path / f"{seed}.xml"
        report.write_text(text, encoding="utf-8")
        figures.add(report, seed)

    assert (figures.rounds, figures.tests) == (2, 3)
    assert figures.attempts == {"bookings": 244, "forged messages": 1}
    assert figures.broken == ["WAVEGRAPH_ATTACK_SEED=2 python -m pytest 'tests/stress/test_bookings.py::test_rooms'"]
    assert figures.skipped == {"no PostgreSQL here": 1}
    assert figures.table().splitlines() == [
        "attempted           times",
        "bookings              244",
        "forged messages         1",
    ]
