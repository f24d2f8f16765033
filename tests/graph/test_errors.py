"""The tree of errors, as it is drawn at the top of `graph/errors.py`."""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import wavegraph
from wavegraph.graph import errors
from wavegraph.graph.errors import WavegraphError

WITH_THEIR_OWN = {
    "Trouble": "WavegraphError",
    "HotelImportError": "WavegraphError",
    "FileError": "WavegraphError",
    "WardError": "FileError",
    "RosterError": "FileError",
    "PropertiesFileError": "SettingsError",
    "Unreadable": "ToolRefusal",
    "VendorRefusal": "ToolRefusal",
    "EzgoRefusal": "ToolRefusal",
    "NoChange": "ToolRefusal",
    "BadContact": "WavegraphError",
    "BadVerdict": "WavegraphError",
    "Cancelled": "WavegraphError",
    "DamagedData": "StorageError",
    "EvaluationFileError": "WavegraphError",
    "LangSmithFailed": "WavegraphError",
    "NothingToApprove": "WavegraphError",
    "NothingToJudge": "WavegraphError",
    "NothingToResume": "WavegraphError",
    "NotYours": "WavegraphError",
    "Unfinished": "WavegraphError",
    "UnknownThread": "WavegraphError",
}
NEED_A_SERVER = {"wavegraph.app.server", "wavegraph.app.serving.auth"}
DRAWN = re.compile(r"^(?P<lead>[│ ]*)[├└]── (?P<name>\w+)", re.MULTILINE)


def drawn() -> dict[str, str]:
    """Parents by name. A level is four characters wide."""
    above = ["WavegraphError"]
    found = {}
    for line in DRAWN.finditer(errors.__doc__ or ""):
        level = len(line["lead"]) // 4
        above[level + 1 :] = [line["name"]]
        found[line["name"]] = above[level]
    return found


def below(kind: type[WavegraphError]) -> Iterator[tuple[type[WavegraphError], type[WavegraphError]]]:
    for child in kind.__subclasses__():
        yield child, kind
        yield from below(child)


def test_every_error_is_drawn_where_it_is() -> None:
    for module in pkgutil.walk_packages(wavegraph.__path__, "wavegraph."):
        if module.name not in NEED_A_SERVER:
            importlib.import_module(module.name)

    there = {child.__name__: kind.__name__ for child, kind in below(WavegraphError)
             if child.__module__.startswith("wavegraph.")}  # fmt: skip

    assert there == {**drawn(), **WITH_THEIR_OWN}


def test_an_error_lies_in_the_tree_s_module_or_with_what_it_carries() -> None:
    elsewhere = {child.__name__ for child, _ in below(WavegraphError)
                 if child.__module__.startswith("wavegraph.") and child.__module__ != errors.__name__}  # fmt: skip

    assert elsewhere == WITH_THEIR_OWN.keys()
