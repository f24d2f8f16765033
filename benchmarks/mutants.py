"""The mutants of one module: its source with one small fault in it, many times.

What nobody decides by is left alone: annotations, decorators, texts, what is logged, what errors say.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

OTHER_OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "is": ("is not",), "is not": ("is",), "in": ("not in",), "not in": ("in",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "//": ("*",), "%": ("*",), "**": ("*",), "|": ("&",), "&": ("|",),
}  # fmt: skip
OPERATORS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.BitOr: "|", ast.BitAnd: "&",
}  # fmt: skip
OTHER_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
CLEANING = {"strip", "lstrip", "rstrip", "casefold", "lower", "upper"}
"""Methods of a text that are left out."""
LEFT_ALONE = {"annotation", "returns", "type_params", "decorator_list"}
"""Fields of the tree that are not gone into."""


@dataclass(frozen=True)
class Mutant:
    path: str
    function: str
    """With its classes, dotted; empty where it is outside of every function."""
    lines: range
    """Of its statement: a test that runs none of them cannot notice it. Empty where an import runs them."""
    was: str
    """The lines with the fault, as they were, without their indents."""
    becomes: str
    source: str

    def __str__(self) -> str:
        return f"{self.path} {self.function or '(module)'}\n  - {self.was}\n  + {self.becomes}"


class Edit(NamedTuple):
    start: int
    """Offset in the source's bytes, as `end`."""
    end: int
    text: str


class Site(NamedTuple):
    node: ast.AST
    function: str
    statement: range


def mutants(path: str, source: str) -> list[Mutant]:
    text = SourceText(source)
    found = ((place, change) for place in _places(ast.parse(source)) for change in _changes(place, text))
    made = [_mutant(path, place, change, text) for place, change in found]
    return [mutant for mutant in made if mutant.was != mutant.becomes and _compiles(mutant.source)]


class SourceText:
    """A source by the tree's positions, which count bytes."""

    def __init__(self, source: str) -> None:
        self.bytes = source.encode()
        self._starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.AST) -> int:
        return self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined, no-any-return]

    def end(self, node: ast.AST) -> int:
        return self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined, no-any-return]

    def of(self, node: ast.AST) -> str:
        return self.bytes[self.start(node) : self.end(node)].decode()

    def replaced(self, node: ast.AST, text: str) -> Edit:
        return Edit(self.start(node), self.end(node), text)

    def between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Edit:
        """Another operator between two parts, parentheses and comments around it kept."""
        start, end = self.end(left), self.start(right)
        return Edit(start, end, self.bytes[start:end].decode().replace(old, new, 1))

    def before(self, sign: bytes, node: ast.AST) -> int:
        return self.bytes.rindex(sign, 0, self.start(node))


def _mutant(path: str, place: Site, change: Edit, text: SourceText) -> Mutant:
    made = text.bytes[: change.start] + change.text.encode() + text.bytes[change.end :]
    first = text.bytes.rfind(b"\n", 0, change.start) + 1
    rest = len(text.bytes) - (text.bytes + b"\n").find(b"\n", max(change.end - 1, change.start))
    was, becomes = (_one_line(each[first : len(each) - rest]) for each in (text.bytes, made))
    return Mutant(path, place.function, place.statement, was, becomes, made.decode())


def _one_line(lines: bytes) -> str:
    return " ".join(lines.decode().split())


def _compiles(source: str) -> bool:
    try:
        compile(source, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _places(node: ast.AST, function: str = "", scope: str = "", statement: range = range(0)) -> Iterator[Site]:
    """Every part of the tree that may be mutated, with the function and the statement it is in."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            is_head = isinstance(node, ast.ClassDef) and name in ("bases", "keywords")
            if not isinstance(child, ast.AST) or name in LEFT_ALONE or is_head or _only_shows(child):
                continue
            if isinstance(child, ast.stmt) and function:
                statement = _lines(child)
            yield Site(child, function, statement)
            match child:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    inner = f"{scope}.{child.name}".lstrip(".")
                    is_class = isinstance(child, ast.ClassDef)
                    yield from _places(child, function if is_class else inner, inner, statement)
                case _:
                    yield from _places(child, function, scope, statement)


def _lines(statement: ast.stmt) -> range:
    """Of a statement that holds others, those of its head."""
    inner: list[ast.stmt] = getattr(statement, "body", [])
    return range(statement.lineno, inner[0].lineno if inner else (statement.end_lineno or statement.lineno) + 1)


def _only_shows(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="logger")))):
            return True
        case ast.Subscript(value=ast.Name(id="Literal" | "Annotated")):
            return True
    return False


def _changes(place: Site, text: SourceText) -> Iterator[Edit]:
    node = place.node
    yield from _of_statements(node, text)
    yield from _of_conditions(node, text)
    yield from _of_values(node, text)
    if place.function:
        yield from _of_parts(node, text)


def _of_statements(node: ast.AST, text: SourceText) -> Iterator[Edit]:
    match node:
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Expr():
            yield text.replaced(node, "pass")
        case ast.Return(value=ast.AST() as value) if not isinstance(value, ast.Constant):
            yield text.replaced(value, "None")
        case ast.AugAssign(target=target, op=op, value=value):
            sign = OPERATORS[type(op)]
            yield text.between(target, value, f"{sign}=", "=")
            for other in OTHER_OPERATORS[sign]:
                yield text.between(target, value, sign, other)


def _of_conditions(node: ast.AST, text: SourceText) -> Iterator[Edit]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=rights):
            for before, op, after in zip([left, *rights], ops, rights, strict=False):
                for other in OTHER_OPERATORS[OPERATORS[type(op)]]:
                    yield text.between(before, after, OPERATORS[type(op)], other)
        case ast.BoolOp(op=op, values=values):
            # `and` for `or` is noticed by whoever notices that each of the parts is missing
            for value in values:
                yield text.replaced(value, "True" if isinstance(op, ast.And) else "False")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield text.replaced(node, f"({text.of(operand)})")
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
                yield text.replaced(test, f"(not ({text.of(test)}))")
        case ast.comprehension(ifs=conditions):
            for condition in conditions:
                yield text.replaced(condition, "True")
        case ast.match_case(guard=ast.expr() as guard):
            yield text.replaced(guard, "True")


def _of_values(node: ast.AST, text: SourceText) -> Iterator[Edit]:
    match node:
        case ast.Constant(value=bool() as value):
            yield text.replaced(node, str(not value))
        case ast.Constant(value=int() | float() as value):
            yield text.replaced(node, repr(value + 1))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            for other in OTHER_OPERATORS[OPERATORS[type(op)]]:
                yield text.between(left, right, OPERATORS[type(op)], other)
        case ast.Call(func=ast.Name(id=name) as called) if name in OTHER_FUNCTIONS:
            yield text.replaced(called, OTHER_FUNCTIONS[name])
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in CLEANING:
            yield text.replaced(node, text.of(value))
        case ast.Slice():
            yield text.replaced(node, ":")


def _of_parts(node: ast.AST, text: SourceText) -> Iterator[Edit]:
    """One part of a tuple, a list, a set or a dict left out."""
    match node:
        case ast.Tuple(elts=parts, ctx=ast.Load()) if len(parts) > 1:
            for left_out in parts:
                rest = "".join(f"{text.of(part)}, " for part in parts if part is not left_out)
                yield text.replaced(node, f"({rest.rstrip()})")
        case ast.List(elts=parts, ctx=ast.Load()) | ast.Set(elts=parts) if len(parts) > 1:
            for start, end in pairwise([*map(text.start, parts), text.end(node) - 1]):
                yield Edit(start, end, "")
        case ast.Dict(keys=keys, values=values) if keys:
            # `**more` has no key, and begins before its value
            starts = [
                text.start(key) if key else text.before(b"**", value) for key, value in zip(keys, values, strict=True)
            ]
            for start, end in pairwise([*starts, text.end(node) - 1]):
                yield Edit(start, end, "")
