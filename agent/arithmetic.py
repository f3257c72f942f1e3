"""Arithmetic: an expression in, its value out, with a bound on everything. Pure."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

Number = int | float

LONGEST = 500
DEEPEST = 250
"""A sum of as many numbers as fit is that deep."""
BITS = 4_096
"""The largest whole number, in bits: more than 1,200 digits."""

ROUNDING_DIGITS = 300


class NotArithmetic(ValueError):
    """The expression cannot be worked out; the sentence says why."""


_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type[ast.unaryop], Callable[[Number], Number]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "abs": abs,
    "ceil": math.ceil,
    "cos": math.cos,
    "exp": math.exp,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "max": max,
    "min": min,
    "round": round,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
}
_NAMES: dict[str, Number] = {"pi": math.pi, "e": math.e}


def evaluate(expression: str) -> Number:
    """Return the value of an expression; raises `NotArithmetic`."""
    text = expression.strip().replace("^", "**").replace("×", "*").replace("÷", "/").replace("−", "-")
    if len(text) > LONGEST:
        raise NotArithmetic(f"the expression is longer than {LONGEST} characters")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotArithmetic("this is not an expression") from None
    return _value(tree.body, 0)


def _value(node: ast.expr, depth: int) -> Number:
    if depth > DEEPEST:
        raise NotArithmetic("the expression is nested too deeply")
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _bounded(value)
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, depth + 1))
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, _value(left, depth + 1), _value(right, depth + 1))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _call(name, [_value(argument, depth + 1) for argument in arguments])
    raise NotArithmetic(f"{ast.unparse(node)[:60]!r} is not arithmetic that I know")


def _binary(op: ast.operator, left: Number, right: Number) -> Number:
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if type(op) not in _BINARY:
        raise NotArithmetic(f"the operator {type(op).__name__} is not arithmetic that I know")
    return _bounded(_guarded(_BINARY[type(op)], left, right))


def _power(base: Number, exponent: Number) -> Number:
    # A huge power must be refused before it is worked out.
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > BITS:
        raise NotArithmetic("the result is too large")
    return _bounded(_guarded(operator.pow, base, exponent))


def _call(name: str, arguments: list[Number]) -> Number:
    # Rounding a whole number works with a power of ten.
    if name == "round" and any(abs(digits) > ROUNDING_DIGITS for digits in arguments[1:]):
        raise NotArithmetic(f"round takes at most {ROUNDING_DIGITS} digits")
    return _bounded(_guarded(_FUNCTIONS[name], *arguments))


def _guarded(function: Callable[..., Number], *arguments: Number) -> Number:
    try:
        return function(*arguments)
    except ZeroDivisionError:
        raise NotArithmetic("it divides by zero") from None
    except OverflowError:
        raise NotArithmetic("the result is too large") from None
    except (TypeError, ValueError):
        raise NotArithmetic("an operation does not take these numbers") from None


def _bounded(value: Number | complex) -> Number:
    if isinstance(value, complex):
        raise NotArithmetic("the result is not a real number")
    if isinstance(value, int):
        if value.bit_length() > BITS:
            raise NotArithmetic("the result is too large")
    elif not math.isfinite(value):
        raise NotArithmetic("the result is not a finite number")
    return value
