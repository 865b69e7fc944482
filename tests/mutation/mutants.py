"""The small changes that are tried: comparisons, conditions, numbers, arithmetic, calls, returns.

Only what stands inside functions is changed: a function that is imported already gets another body,
so that nothing has to be imported again. What tells nothing of behaviour stays: words of events and
refusals, annotations, docstrings.
"""

import ast
import gc
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
TURNED_ALREADY = (ast.Compare, ast.BoolOp, ast.UnaryOp)  # by changes of their own
LEFT_OUT = ("annotation", "returns", "decorator_list", "pattern")
MARK = "_passed_by_a_test"  # the name of what is called where a mutant would be


@dataclass(frozen=True)
class Mutant:
    """One change: the `number`th that can be made in this file."""

    path: Path  # from the project's folder
    number: int
    function: str  # with its class: "Fight.combatant"
    line: int
    what: str  # "Gt for GtE in slot.total >= total"

    @property
    def module(self) -> str:
        return ".".join(self.path.with_suffix("").parts)

    @property
    def name(self) -> str:
        """As `same.txt` calls it."""
        return f"{self.path} {self.function}: {self.what}"


@dataclass(frozen=True)
class Change:
    site: ast.expr  # what is evaluated where the change tells
    what: str
    make: Callable[[], object]  # in the tree


def mutants(path: Path) -> list[Mutant]:
    """All that can be made of a file."""
    found: list[Mutant] = []
    alike: Counter[tuple[str, str]] = Counter()
    for number, (function, change) in enumerate(_changes(_parsed(path))):
        alike[function, change.what] += 1
        which = alike[function, change.what]
        what = change.what if which == 1 else f"{change.what} ({which})"
        found.append(Mutant(path, number, function, change.site.lineno, what))
    return found


def mutated(mutant: Mutant) -> types.CodeType:
    """The whole file's code with this change in it."""
    tree = _parsed(mutant.path)
    _changes(tree)[mutant.number][1].make()
    return _compiled(tree, mutant.path)


def marked(path: Path, chosen: Iterable[Mutant]) -> types.CodeType:
    """The file's code, which calls `MARK` with a mutant's number wherever that would tell."""
    tree = _parsed(path)
    changes = _changes(tree)
    numbers: dict[ast.AST, list[int]] = defaultdict(list)
    for mutant in chosen:
        numbers[changes[mutant.number][1].site].append(mutant.number)
    _Marking(numbers).visit(tree)
    return _compiled(tree, path)


class _Marking(ast.NodeTransformer):
    def __init__(self, numbers: dict[ast.AST, list[int]]) -> None:
        self.numbers = numbers

    def visit(self, node: ast.AST) -> ast.AST:
        """The expression behind a call: `(MARK(module, numbers), the expression)[1]`."""
        numbers = self.numbers.pop(node, None)
        self.generic_visit(node)
        if numbers is None or not isinstance(node, ast.expr):
            return node
        mark = ast.parse(f"{MARK}(__name__, {numbers})", mode="eval").body
        both = ast.Tuple([mark, node], ast.Load())
        return ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), node)


def put_in(code: types.CodeType, path: Path) -> int:
    """Give the functions of a file, wherever they are held, their bodies in this code.

    Returns how many have got another body.
    """
    before = {_key(body): body for body in _bodies(_compiled(_parsed(path), path))}
    bodies = {_key(body): body for body in _bodies(code) if before.get(_key(body)) != body}
    given, filename = 0, str(ROOT / path)
    gc.unfreeze()  # what is frozen is not found
    for held in gc.get_objects():
        if type(held) is types.FunctionType and held.__code__.co_filename == filename:
            body = bodies.get(_key(held.__code__))
            if body is not None:
                held.__code__ = body
                given += 1
    return given


def _key(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _bodies(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _bodies(constant)


def _parsed(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def _compiled(tree: ast.Module, path: Path) -> types.CodeType:
    return compile(ast.fix_missing_locations(tree), str(ROOT / path), "exec")


def _changes(tree: ast.Module) -> list[tuple[str, Change]]:
    """Every change that can be made, with its function, in an order that stays."""
    return list(_within(tree, "", in_function=False))


def _within(node: ast.AST, name: str, *, in_function: bool) -> Iterator[tuple[str, Change]]:
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            match child:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    inner = f"{name}.{child.name}".lstrip(".")
                    is_function = not isinstance(child, ast.ClassDef)
                    yield from _within(child, inner, in_function=is_function)
                case ast.arguments():
                    pass
                case ast.AST() if field not in LEFT_OUT:
                    if in_function:
                        yield from ((name, change) for change in _of(child, node))
                    yield from _within(child, name, in_function=in_function)


def _of(node: ast.AST, around: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPS:
            yield _swap(node, operator, lambda other: setattr(node, "ops", [other]))
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in SWAPS:
            yield _swap(node, operator, lambda other: setattr(node, "op", other))
        case ast.AugAssign(op=operator, value=value) if type(operator) in SWAPS:
            yield _swap(value, operator, lambda other: setattr(node, "op", other))
        case ast.UnaryOp(op=ast.Not()):
            yield _change(node, "not removed", lambda: _turn(node, "operand"))
        case ast.Constant(value=bool(value)):
            what = f"{value} turned in {_said(around)}"
            yield Change(node, what, lambda: setattr(node, "value", not value))
        case ast.Constant(value=int() as number):
            what = f"{number} + 1 in {_said(around)}"
            yield Change(node, what, lambda: setattr(node, "value", number + 1))
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, TURNED_ALREADY):
            yield _change(test, "turned", lambda: _turn(node, "test"))
        case ast.Call(func=ast.Name(id=name) as called) if name in NAMES:
            other = NAMES[name]
            yield _change(node, f"{other} for {name}", lambda: setattr(called, "id", other))
        case ast.Expr(value=ast.Call() as call) if "super()" not in ast.unparse(call):
            # (without it a function is bound otherwise, and cannot be given the other body)
            yield _change(call, "removed", lambda: setattr(node, "value", ast.Constant(None)))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield _change(value, "None", lambda: setattr(node, "value", ast.Constant(None)))


def _swap(site: ast.expr, operator: ast.AST, put: Callable[[ast.AST], object]) -> Change:
    other = SWAPS[type(operator)]
    what = f"{other.__name__} for {type(operator).__name__}"
    return _change(site, what, lambda: put(other()))


def _change(site: ast.expr, what: str, make: Callable[[], object]) -> Change:
    return Change(site, f"{what} in {_said(site)}", make)


def _turn(node: ast.AST, field: str) -> None:
    setattr(node, field, ast.UnaryOp(ast.Not(), getattr(node, field)))


def _said(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]} ... {text[-25:]}"
