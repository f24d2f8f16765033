"""Paths, numbers and texts: what a plan may write in the place of a value."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.graph.references.paths import (
    Ambiguous,
    TextTemplate,
    as_number,
    as_plain,
    as_reference,
    as_text,
    element_path,
    fields_of,
    follow,
    literals_of,
    needs,
    references,
    text_with,
)
from wavegraph.testing import ref

DATA = {
    "items": [
        {"name": "blue", "id": 1, "size": {"eu": 40}, "sold": True},
        {"name": "dark blue", "id": "2", "size": {"eu": 41}, "sold": False},
        {"name": "it's [new], a=b", "id": 3.0},
        "no object",
        {"name": None, "id": 5},
    ],
    "a b": {"c/d": [["deep"]]},
    "שם": ["ערך"],
}


@dataclass(frozen=True)
class Leads:
    path: str
    value: Any


LEADS = [
    Leads("items[name=blue].id", 1),
    Leads('items[name="dark blue"].id', "2"),
    Leads("items[name='dark blue'].id", "2"),
    Leads("items[name=dark blue].id", "2"),
    Leads("items[ name = blue ].id", 1),
    Leads("items[name==blue].id", 1),
    Leads('items[name="it\'s [new], a=b"].id', 3.0),
    Leads("items[id=1].name", "blue"),
    Leads("items[id=1.0].name", "blue"),
    Leads("items[id=2].name", "dark blue"),
    Leads("items[id=3].name", "it's [new], a=b"),
    Leads("items[size.eu=41].name", "dark blue"),
    Leads("items[sold=true].id", 1),
    Leads("a b.c/d[0][-1]", "deep"),
    Leads("שם[0]", "ערך"),
]


@table("case", LEADS)
def test_a_path_leads_to_its_value(case: Leads) -> None:
    assert follow(DATA, case.path) == case.value


@table(
    "path", ["items[name=green]", "items[name=Blue]", "items[name=None]", "items[name=null]", "items[nothing=1]", "a b[c=1]",
             "items[sold=1]", "items[id=True]", "items[name.x=1]", "items[=1]"]
)  # fmt: skip
def test_a_choice_that_nothing_answers_to_leads_nowhere(path: str) -> None:
    with pytest.raises(LookupError):
        follow(DATA, path)


@pytest.mark.parametrize("path", ["items.name", "items[0].name[0]", "items[0].name.x", "items.0.x"])
def test_a_name_asked_of_a_list_or_a_text_leads_nowhere(path: str) -> None:
    with pytest.raises(LookupError):
        follow(DATA, path)


def test_a_choice_by_a_name_in_a_list_leads_nowhere() -> None:
    with pytest.raises(LookupError):
        follow([{"sizes": [{"eu": 40}]}], "[sizes.eu=40]")


@table(("written", "value"), [("'", "'"), ("''", ""), ("'a'", "a"), ("'a", "'a"), ("", "")])
def test_a_choice_may_stand_in_single_quotes(written: str, value: str) -> None:
    assert follow([{"a": value, "b": 1}], f"[a={written}].b") == 1


def test_a_choice_among_several_is_none() -> None:
    with pytest.raises(Ambiguous, match="2 elements have a = '1'"):
        follow([{"a": 1}, {"a": "1"}, {"a": 2}], "[a=1]")


@given(st.text(min_size=1).filter(lambda text: "\x00" not in text))
def test_whatever_a_field_holds_can_be_chosen_by_in_quotes(value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    assert follow([{"a": "other" + value}, {"a": value, "b": 1}], f'[a="{quoted}"].b') == 1


@pytest.mark.parametrize(
    ("path", "rest", "whole"),
    [("", "", "[2]"), ("", "id", "[2].id"), ("items", "id", "items[2].id"), ("items", "[0]", "items[2][0]")],
)
def test_a_path_goes_on_in_an_element(path: str, rest: str, whole: str) -> None:
    assert element_path(path, 2, rest) == whole


@table(
    ("text", "number"),
    [("12", 12), (" 3.50 ", 3.5), ("-7", -7), ("1e3", 1000.0), ("007", 7), ("1,200", None), ("12 EUR", None), ("", None),
     ("nan", None), ("inf", None), ("1e999", None), ("٣", None), ("0x10", None), ("1_000", None), ("9" * 300, int("9" * 300)),
     ("9" * 301, None), ("True", None)],
)  # fmt: skip
def test_a_text_is_a_number_only_where_it_spells_one(text: str, number: float | None) -> None:
    assert as_number(text) == number


@table(
    ("number", "text"),
    [
        (12, "12"),
        (12.0, "12"),
        (-0.5, "-0.5"),
        (3.25, "3.25"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (1e22, "1e+22"),
        (10**20, "1" + "0" * 20),
    ],
)
def test_numbers_are_written_plainly(number: float, text: str) -> None:
    assert as_plain(number) == text


# Texts


@table(
    ("template", "values", "text"),
    [
        ("{a}: paid", {"a": 12.0}, "12: paid"),
        ("{a}{a}", {"a": "x"}, "xx"),
        ("{{{a}}}", {"a": 1}, "{1}"),
        ("{a}", {"a": "{b} {0.__class__}"}, "{b} {0.__class__}"),
        ("{from_}→{b}", {"from_": "2026-01-01", "b": False}, "2026-01-01→false"),
    ],
)
def test_a_text_is_filled(template: str, values: dict[str, Any], text: str) -> None:
    assert text_with(TextTemplate(template, values), values) == text


@table("template", ["{a.b}", "{a[0]}", "{a!r}", "{a:>9}", "{}", "{0}", "{a b}", "{a", "a}", "{", "{{a}"])
def test_only_names_stand_in_braces(template: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        fields_of(template)


@pytest.mark.parametrize(
    ("template", "why"),
    [("{a.__class__}", "is not a name"), ("{a!r}", "is not a name"), ("{b}", r"^{b} has no value$")],
)
def test_a_text_that_cannot_be_filled_says_why(template: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        text_with(TextTemplate(template, {}), {"a": "x"})


def test_what_stands_between_the_names() -> None:
    assert literals_of("{a}{b}: {{paid}} {c}") == [": {", "paid}", " "]
    assert literals_of("{a}") == []


@pytest.mark.parametrize("value", [None, {}, [], {"a": 1}])
def test_a_text_holds_words_and_numbers_alone(value: Any) -> None:
    with pytest.raises(ValueError, match="a text holds only words"):
        text_with(TextTemplate("{a}", {}), {"a": value})


def test_a_text_is_known_by_its_references() -> None:
    text = {"text": "{a}", "with": {"a": ref("x", "y")}}
    assert as_text(text) == TextTemplate("{a}", {"a": ref("x", "y")})
    assert references([text]) == [("x", "y")]
    assert as_text({"text": "{a}", "with": {"a": "literal"}}) is None
    assert as_text({**text, "more": 1}) is None
    assert as_reference({**ref("x"), "more": 1}) is None


def test_a_call_needs_what_its_list_and_its_arguments_refer_to() -> None:
    args = {"a": ref("each", "id"), "b": ref("other", "x")}
    assert needs({"args": args, "each": ref("list", "items")}) == [("list", "items"), ("other", "x")]
    assert needs({"args": args}) == [("each", "id"), ("other", "x")]
