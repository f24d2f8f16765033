"""Values as models write them, read where they can mean one thing alone."""

from typing import Any

from tables import table

from wavegraph.graph.references.declared_values import as_meant, known_spelling
from wavegraph.graph.references.shapes import options_of
from wavegraph.testing import ref

TEXT, NUMBER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
DAY, CHOICE = {"type": "string", "format": "date"}, {"type": "string", "enum": ["RO", "half-board"]}
RECORD = {"type": "object", "properties": {"kind": CHOICE, "count": NUMBER}}
RECORDS, NUMBERS, TEXTS = ({"type": "array", "items": each} for each in (RECORD, NUMBER, TEXT))
MAYBE = [CHOICE, NULL]

READ: list[tuple[str, Any, Any, Any]] = [
    ("JSON for a record", RECORD, '{"count": 1}', {"count": 1}),
    ("JSON for records, with a choice", RECORDS, '[{"kind": "ro"}]', [{"kind": "RO"}]),
    ("one record for a list", RECORDS, {"count": 1}, [{"count": 1}]),
    ("one record as JSON for a list", RECORDS, '{"count": 1}', [{"count": 1}]),
    ("one number for a list", NUMBERS, 8, [8]),
    ("one number for a list or nothing", {"anyOf": [NUMBERS, NULL]}, 8, [8]),
    ("a choice in other letters", CHOICE, "Half Board", "half-board"),
    ("one word in other letters", {"enum": ["only"]}, "Only", "only"),
    ("null in words", {"anyOf": MAYBE}, "null", None),
    ("None for a text that may be null", {"anyOf": [TEXT, NULL]}, "None", None),
    ("nothing for a day that may be null", {"anyOf": [DAY, NULL]}, "", None),
    ("inside a record", {"type": "object", "properties": {"all": NUMBERS}}, {"all": 1}, {"all": [1]}),
]
KEPT: list[tuple[str, Any, Any]] = [
    ("JSON where a text may stand", {"anyOf": [TEXT, RECORD]}, '{"count": 1}'),
    ("JSON where anything may stand", {}, "[1]"),
    ("broken JSON", RECORD, '{"count": '),
    ("JSON that is no record", RECORD, "5"),
    ("one number where it may stand itself", {"anyOf": [NUMBER, NUMBERS]}, 8),
    ("one text for a list", TEXTS, "a, b"),
    ("another choice", CHOICE, "full board"),
    ("null in words where it may not be", CHOICE, "null"),
    ("null in a text", TEXT, "null"),
    ("nothing where a text may stand", {"anyOf": [TEXT, NULL]}, ""),
    ("a name", {"anyOf": [TEXT, NULL]}, "Null"),
    ("a reference for a list", RECORDS, ref("a", "b")),
    ("a text with values for a list", RECORDS, {"text": "{a}", "with": {"a": ref("a", "b")}}),
]


def read(value: Any, schema: Any) -> Any:
    return as_meant(value, options_of(schema, schema), schema)


@table(("schema", "given", "meant"), [each[1:] for each in READ])
def test_what_can_mean_one_thing_alone_is_read(schema: Any, given: Any, meant: Any) -> None:
    assert read(given, schema) == meant


@table(("schema", "given"), [each[1:] for each in KEPT])
def test_what_cannot_stays_as_it_is(schema: Any, given: Any) -> None:
    assert read(given, schema) == given


@table(
    ("word", "found"),
    [
        ("GetBeds", "get_beds"),
        ("get-beds", "get_beds"),
        ("beds", "beds"),
        ("a_b", "a_b"),
        ("A.B", "A.B"),
        ("", ""),
        ("_", "_"),
    ],
)
def test_a_word_in_other_letters(word: str, found: str) -> None:
    """Of several that have them none is taken."""
    assert known_spelling(word, ["get_beds", "ab", "a_b2", "A-B"]) == found
