"""The front page stays short, the pages stay in their rooms, links lead somewhere, and tables are those of the schemas."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from docs import tables
from tables import table

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
INDEX = DOCS / "README.md"
PAGES = sorted(DOCS.rglob("*.md"))
ROOMS = ("start", "hotel", "rosters", "running")
WIDTH = 120
PRINTED = ("console", "shellsession", "text", "mermaid")
"""Blocks that show what a program prints, as wide as it prints it."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)


def test_the_readme_is_a_front_page() -> None:
    text = text_of(README)
    lines = text.splitlines()

    assert len(lines) <= 200
    assert len(text.encode()) <= 12_000
    assert [line for line in lines if len(line) > WIDTH] == []
    assert re.search(r"^!\[.+\]\(docs/pictures/.+\)$", "\n".join(lines[:20]), flags=re.MULTILINE)


def test_every_page_has_a_room() -> None:
    assert {page.parent.name for page in PAGES if page != INDEX} == set(ROOMS)
    assert [page.name for page in PAGES if page.parent not in (DOCS, *(DOCS / room for room in ROOMS))] == []


def test_every_page_is_in_the_index() -> None:
    linked = {(DOCS / target).resolve() for target in re.findall(r"\]\(([^)#]+)", text_of(INDEX))}

    assert linked == {page for page in PAGES if page not in (INDEX, DOCS / "rosters" / "a-quarter-continued.md")}


@table("page", PAGES)
def test_a_page_is_short_and_begins_with_what_it_is_for(page: Path) -> None:
    lines = text_of(page).splitlines()

    assert len(lines) <= 300
    assert lines[0].startswith("# ")
    assert lines[2].startswith("For ")
    assert list(too_wide(text_of(page))) == []


def too_wide(text: str) -> Iterator[str]:
    """Lines that should be folded: neither of a table, nor printed, nor a link that does not fit a line."""
    kind = ""
    for line in text.splitlines():
        if fence := re.match(r" *```(\w*)", line):
            kind = "" if kind else fence[1] or "code"
        elif kind not in PRINTED and not line.startswith(("|", "!")) and len(without_targets(line)) > WIDTH:
            yield line


def without_targets(line: str) -> str:
    return re.sub(r"\]\([^)]*\)", "]", line)


@table("page", [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    """To a file that is there and, where it names one, to a heading of it."""
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text_of(page))):
        file, _, anchor = target.partition("#")
        if "://" in target:
            continue
        there = (page.parent / file).resolve() if file else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)

    assert broken == []


@cache
def anchors(page: Path) -> frozenset[str]:
    """What GitHub makes of a page's headings."""
    return frozenset(
        anchor(title) for title in re.findall(r"^#+ (.*)$", without_code(text_of(page)), flags=re.MULTILINE)
    )


def anchor(title: str) -> str:
    kept = (each for each in title.lower() if each in " -_" or unicodedata.category(each)[0] in "LNM")
    return "".join(kept).replace(" ", "-")


@table("page", PAGES)
def test_the_tables_are_those_of_the_schemas(page: Path) -> None:
    assert tables.with_tables(text_of(page)) == text_of(page)


def test_every_table_stands_on_a_page_once_and_says_what_each_row_means() -> None:
    shown = [name for page in PAGES for name in tables.marks(text_of(page))]

    assert sorted(shown) == sorted(tables.tables())
    assert [row[0] for rows in tables.tables().values() for row in rows if not row[-1]] == []
