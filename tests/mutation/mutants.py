"""The small changes that are tried: comparisons, conditions, numbers, arithmetic, calls, returns.

Only what stands inside functions is changed: a function that is imported already gets another body,
so that nothing has to be imported again. What tells nothing of behaviour stays: words of events and
refusals, annotations, docstrings.
"""

import ast
import copy
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One change: the `number`th that can be made in this file."""

    path: Path
    number: int
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.what}"


def mutants(path: Path) -> Iterator[Mutant]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for number, (node, what, _) in enumerate(_changes(tree)):
        yield Mutant(path, number, node.lineno, what)


def mutated(mutant: Mutant, filename: str) -> types.CodeType:
    """The whole file's code with this change in it."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    _, _, change = list(_changes(tree))[mutant.number]
    change()
    return compile(ast.fix_missing_locations(tree), filename, "exec")


Change = tuple[ast.expr | ast.stmt, str, Callable[[], None]]


def _changes(tree: ast.Module) -> list[Change]:
    """Every change that can be made, in an order that stays."""
    found: list[Change] = []
    for function in [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]:
        for statement in _body(function):
            for node in ast.walk(statement):
                if not isinstance(node, FUNCTIONS):
                    found += _of(node)
    return found


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """What it does, without what functions inside it do: those come by themselves."""
    return [s for s in function.body if not isinstance(s, FUNCTIONS) and not _is_docstring(s)]


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _of(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=[operator, *_]) if type(operator) in SWAPS:
            yield _swap(node, node.ops, operator)
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in SWAPS:
            yield _swap_one(node, operator)
        case ast.UnaryOp(op=ast.Not()):
            yield node, "not removed", lambda: _become(node, node.operand)
        case ast.Constant(value=bool(value)):
            yield node, f"{value} turned", lambda: setattr(node, "value", not value)
        case ast.Constant(value=int() as number):
            yield node, f"{number} + 1", lambda: setattr(node, "value", number + 1)
        case ast.If() | ast.IfExp() if not isinstance(node.test, ast.Compare | ast.BoolOp):
            yield node, "condition turned", lambda: _turn(node)
        case ast.Expr(value=ast.Call()):
            yield node, "call removed", lambda: setattr(node, "value", ast.Constant(None))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "returns None", lambda: setattr(node, "value", ast.Constant(None))


def _swap(node: ast.Compare, operators: list[ast.cmpop], operator: ast.cmpop) -> Change:
    other = SWAPS[type(operator)]

    def change() -> None:
        operators[0] = other()

    return node, f"{type(operator).__name__} for {other.__name__}", change


def _swap_one(node: ast.BoolOp | ast.BinOp, operator: ast.AST) -> Change:
    other = SWAPS[type(operator)]
    return (
        node,
        f"{type(operator).__name__} for {other.__name__}",
        lambda: setattr(node, "op", other()),
    )


def _turn(node: ast.If | ast.IfExp) -> None:
    node.test = ast.UnaryOp(ast.Not(), copy.copy(node.test))


def _become(node: ast.UnaryOp, other: ast.expr) -> None:
    """`not x` is `not not x`: the other answer, as a truth value."""
    node.operand = ast.UnaryOp(ast.Not(), other)


def put_in(code: types.CodeType, module: types.ModuleType) -> None:
    """Give the functions of a module, wherever they are held, the bodies of this code."""
    bodies = {_name(body): body for body in _bodies(code)}
    for function in _functions(module):
        body = bodies.get(_name(function.__code__))
        if body is not None and body.co_freevars == function.__code__.co_freevars:
            function.__code__ = body


def _name(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _bodies(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _bodies(constant)


def _functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    for value in list(vars(module).values()):
        yield from _held(value, module.__name__)
        if isinstance(value, type) and value.__module__ == module.__name__:
            for inner in list(vars(value).values()):
                yield from _held(inner, module.__name__)


def _held(value: object, name: str) -> Iterator[types.FunctionType]:
    """The function in a method, a property or a wrapper."""
    for inner in (value, getattr(value, "fget", None), getattr(value, "__func__", None)):
        while inner is not None:
            if isinstance(inner, types.FunctionType) and inner.__module__ == name:
                yield inner
            inner = getattr(inner, "__wrapped__", None)
