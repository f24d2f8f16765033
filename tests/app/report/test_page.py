"""The page of a report: safe to open, well-formed, and nothing on it that the figures do not say."""

import re
from datetime import UTC, date, datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from pages import Page

from wavegraph.app.report.figures import Report
from wavegraph.app.report.page import page
from wavegraph.app.report.summary import StoredRequest, report_on

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
EVIL = "<script>alert(1)</script> \"quoted\" & <b onclick='x'>bold</b>"
HEBREW = "יש חדר לזוג?"


def stored(**record: Any) -> StoredRequest:
    return StoredRequest(thread_id="t", ended=record.pop("ended", NOON), record=record)


def failed(text: str, gap: str) -> StoredRequest:
    return stored(
        request={"text": text},
        outcome="partial",
        planner=text,
        answer_check={"satisfied": False, "reasoning": "", "criteria": [], "checked_by": gap},
        answer_failures=[{"attempt": 1, "criterion": "completeness", "gap": gap, "checked_by": "judge"}],
        issues=[{"type": gap, "tool_id": "x", "message": text, "severity": "warning", "rule": "r"}],
        calls=[{"id": "x", "tool": text, "status": "ok", "runs": 1, "attempts": 1, "elapsed_s": 0.1}],
        limits_hit=[gap],
        feedback={"verdict": "bad", "why": gap, "given_at": ""},
    )


def opened(report: Report) -> Page:
    return Page(page(report, NOON))


def test_nothing_that_a_guest_wrote_becomes_markup() -> None:
    html = page(report_on([failed(EVIL, EVIL)]), NOON)
    found = Page(html)
    assert not found.of("script")
    assert not found.of("b")
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    assert EVIL in found.tables["failures"][0]
    assert "<script" not in html
    assert len(list(ElementTree.fromstring(html).iter())) == len(found.tags)  # and it is read alike as XML


def test_the_page_needs_nothing_from_elsewhere() -> None:
    html = page(report_on([failed("a room", "no price")]), NOON)
    found = Page(html)
    assert not [
        name for name, _ in found.tags if name in ("link", "img", "iframe", "script", "a", "form", "image", "use")
    ]
    assert not [attributes for _, attributes in found.tags if {"src", "href", "srcset", "style"} & set(attributes)]
    assert not re.search(r"https?:|url\(|@import", html)
    assert "default-src 'none'; style-src 'unsafe-inline'" in [meta.get("content") for meta in found.of("meta")]


def test_words_run_in_their_own_direction() -> None:
    found = opened(report_on([failed(HEBREW, "לא נאמר מחיר")]))
    assert found.tables["failures"] == [["completeness", HEBREW, "לא נאמר מחיר", "1", "judge"]]
    assert {bdi["dir"] for bdi in found.of("bdi")} == {"auto"}
    assert len(found.of("bdi")) == 5  # request and gap, the issue's message, the person's reason and request


def test_control_characters_stay_out() -> None:
    html = page(report_on([failed("a\x00 room\x1b[31m", "no\x07 price\ud800")]), NOON)
    ElementTree.fromstring(html)
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", html)


def test_no_text_turns_the_rest_of_the_page_round() -> None:
    html = page(report_on([failed("a\u202e room\u2066", HEBREW)]), NOON)
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", html)
    assert HEBREW in html


def test_every_drawing_says_what_it_shows() -> None:
    found = opened(report_on([failed("a room", "no price"), stored(outcome="answered")]))
    drawings = found.of("svg")
    assert len(drawings) > 8
    assert all(drawing["role"] == "img" and drawing["aria-label"] for drawing in drawings)
    assert all(float(str(piece["width"]).rstrip("%")) <= 100 for piece in found.of("rect"))
    assert "partial: 50%; answered: 50%" not in [
        drawing["aria-label"] for drawing in drawings
    ]  # a good end comes first
    assert "answered: 50%; partial: 50%" in [drawing["aria-label"] for drawing in drawings]


@pytest.mark.parametrize(("since", "line"), [(None, "No request is recorded"), (date(2026, 11, 1), "since 2026-11-01")])
def test_an_empty_database_gives_a_page_that_says_so(since: date | None, line: str) -> None:
    found = opened(report_on([], since=since))
    assert any(line in text for text in found.texts)
    assert not found.tables


def test_a_year_in_columns_names_few_of_them() -> None:
    found = report_on([stored(outcome="answered", ended=NOON.replace(month=month)) for month in range(1, 13)])
    html = page(found, NOON)
    drawn = html[html.index('class="columns"') : html.index("</figure>", html.index('class="columns"'))]
    labels = re.findall(r"<text x=\"[\d.]+%\"[^>]*>(\d{4}-\d\d)</text>", drawn)
    assert labels == ["2026-01", "2026-04", "2026-07", "2026-10"]
