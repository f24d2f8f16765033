"""Every regular expression of the package, and for each the texts that it takes longest for."""

import ast
import inspect
import pkgutil
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as sre_parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import wavegraph

FUNCTIONS = frozenset({"compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"})
LONG = 12
"""A part that may repeat more often than this counts as repeating without end."""
MOST_PIECES = 36
"""Pieces of one pattern."""


class Found(NamedTuple):
    where: str
    pattern: re.Pattern[str]


class Site(NamedTuple):
    """A call of `re` in the source."""

    where: str
    """Module and function."""
    function: str
    pattern: ast.expr
    flags: ast.expr | None


def modules() -> Iterator[ModuleType]:
    """All modules of the package, but those that need an extra which is not installed, or a server's settings."""
    for found in pkgutil.walk_packages(wavegraph.__path__, "wavegraph."):
        if found.name == "wavegraph.app.serving.auth":
            continue
        try:
            yield import_module(found.name)
        except ImportError:
            continue


def held_patterns(module: ModuleType) -> Iterator[Found]:
    """The patterns that a module holds: by name, in classes, in containers of any depth."""
    seen: set[int] = set()

    def walk(value: Any, where: str) -> Iterator[Found]:
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                yield Found(where, value)
            return
        if id(value) in seen:
            return
        seen.add(id(value))
        if isinstance(value, Mapping):
            for key, part in list(value.items()):
                yield from walk(part, f"{where}[{key!r}]")
        elif isinstance(value, list | tuple | set | frozenset):
            for number, part in enumerate(value):
                yield from walk(part, f"{where}[{number}]")
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            for name, part in list(vars(value).items()):
                yield from walk(part, f"{where}.{name}")

    for name, value in list(vars(module).items()):
        yield from walk(value, f"{module.__name__}.{name}")


def call_sites(module: ModuleType) -> Iterator[Site]:
    """The calls of `re` in a module, whatever its name for `re` is."""
    file = module.__file__ or ""
    if not file.endswith(".py"):
        return
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    places = {}
    for outer in ast.walk(tree):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
            places.update(dict.fromkeys(map(id, ast.walk(outer)), f".{outer.name}"))
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FUNCTIONS):
            continue
        if isinstance(node.func.value, ast.Name) and vars(module).get(node.func.value.id) is re and node.args:
            named = {word.arg: word.value for word in node.keywords}
            place = _FLAGS_AT.get(node.func.attr, 2)
            flags = named.get("flags") or (node.args[place] if len(node.args) > place else None)
            yield Site(module.__name__ + places.get(id(node), ""), node.func.attr, node.args[0], flags)


_FLAGS_AT = {"compile": 1, "sub": 4, "subn": 4, "split": 3}


def evaluated(site: Site, module: ModuleType) -> re.Pattern[Any] | None:
    """The pattern of a call; None = it is made of what its function has."""
    try:
        words = eval(ast.unparse(site.pattern), vars(module))
        flags = eval(ast.unparse(site.flags), vars(module)) if site.flags else 0
    except NameError:
        return None
    return words if isinstance(words, re.Pattern) else re.compile(words, flags)


class Piece(NamedTuple):
    """A text of any length: `head`, then `body` over and over, then what no pattern goes on with."""

    head: str
    body: str

    def text(self, size: int) -> str:
        return self.head + (self.body * (size // len(self.body) + 1))[:size] + "\0"


def pieces(pattern: re.Pattern[str]) -> list[Piece]:
    """What the pattern repeats, alone and after what comes before it, and its beginnings over and over."""
    tree = sre_parser.parse(pattern.pattern, pattern.flags)
    repeated = list(dict.fromkeys(_repeated(tree)))
    ways = list(dict.fromkeys(_ways(tree)))
    whole = list(dict.fromkeys("".join(way) for way in ways))
    made = [*(("", each) for each in repeated), *ways, *(("", each) for each in whole)]
    made += [("", first + second) for first, second in combinations(repeated[:8], 2)]
    made += [("", each + more) for each in whole for more in repeated[:4]]
    return [Piece(*each) for each in list(dict.fromkeys(each for each in made if each[1]))[:MOST_PIECES]]


def _repeated(tree: Any) -> Iterator[str]:
    """An example of each part that repeats, from the inside out."""
    for kind, value in tree:
        for inner in _inner(kind, value):
            yield from _repeated(inner)
        if kind in _REPEATS and value[1] > LONG:
            yield from _examples(value[2])


def _ways(tree: Any) -> Iterator[tuple[str, str]]:
    """What is read before each endless part, and that part; at last what is read up to the end."""
    before = [""]
    for kind, value in tree:
        if kind in _REPEATS and value[1] > LONG:
            yield from ((each, part) for each in before for part in _examples(value[2]))
        for inner in _inner(kind, value):
            yield from ((each + head, body) for each in before[:2] for head, body in _ways(inner))
        before = [each + part for each in before[:2] for part in _examples([(kind, value)])[:2]]
    yield from (("", each) for each in before)


_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def _inner(kind: Any, value: Any) -> Iterable[Any]:
    """The parts of a part."""
    if kind in _REPEATS:
        return [value[2]]
    if kind is sre.BRANCH:
        return list(value[1])
    if kind is sre.SUBPATTERN:
        return [value[3]]
    if kind is sre.ATOMIC_GROUP:
        return [value]
    if kind in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return []


def _examples(tree: Any, most: int = 3) -> list[str]:
    """Some texts that a part reads."""
    found = [""]
    for kind, value in tree:
        found = [each + part for each in found for part in _examples_of(kind, value, most)][:most]
    return found


def _examples_of(kind: Any, value: Any, most: int) -> list[str]:
    if kind is sre.LITERAL:
        return [chr(value)]
    if kind is sre.NOT_LITERAL:
        return ["a" if value != ord("a") else "b"]
    if kind is sre.ANY:
        return ["a"]
    if kind is sre.IN:
        return _of_class(value)[:most]
    if kind in _REPEATS:
        least, _, inner = value
        return [part * max(least, 1) for part in _examples(inner, most)]
    if kind is sre.BRANCH:
        return [part for way in value[1] for part in _examples(way, 1)][:most]
    if kind is sre.SUBPATTERN:
        return _examples(value[3], most)
    if kind is sre.ATOMIC_GROUP:
        return _examples(value, most)
    return [""]


_LETTERS = " 1aא\n\t-.,:'@A_éЖ"


def _of_class(items: Any) -> list[str]:
    """Letters of a class, of different kinds."""
    tried = [each for each in _LETTERS if _is_in(each, items)]
    own = [chr(value if kind is sre.LITERAL else value[0]) for kind, value in items if kind in (sre.LITERAL, sre.RANGE)]
    return list(dict.fromkeys([*tried, *([] if items[0][0] is sre.NEGATE else own)])) or ["~"]


def _is_in(letter: str, items: Any) -> bool:
    negated = items[0][0] is sre.NEGATE
    found = any(_matches(letter, kind, value) for kind, value in items if kind is not sre.NEGATE)
    return bool(found != negated)


def _matches(letter: str, kind: Any, value: Any) -> bool:
    if kind is sre.LITERAL:
        return bool(ord(letter) == value)
    if kind is sre.RANGE:
        return bool(value[0] <= ord(letter) <= value[1])
    return bool(kind is sre.CATEGORY) and _CATEGORIES[value](letter)


_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda each: not each.isspace(),
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda each: not each.isdecimal(),
    sre.CATEGORY_WORD: lambda each: each.isalnum() or each == "_",
    sre.CATEGORY_NOT_WORD: lambda each: not (each.isalnum() or each == "_"),
}
