"""Arithmetic, exact and bounded."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.arithmetic import NotArithmetic, evaluate
from agent.tool import TryAgain
from agent.tools.calculate import TOOL
from tests.agent.hooks.turns import a_turn


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1200 - 250) * 2", 1900),
        ("2 ^ 10", 1024),
        ("-7 // 2", -4),
        ("7 % 4", 3),
        ("10 / 4", 2.5),
        ("6 × 7 ÷ 2", 21),
        ("sqrt(16) + max(1, 2, 3)", 7),
        ("round(2.675, 1)", 2.7),
        ("2 ** 200", 2**200),
        ("+5 − 3", 2),
        ("1e3", 1000),
        ("1+" * 200 + "1", 201),
    ],
)
def test_values(expression: str, value: float) -> None:
    assert evaluate(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        *("", "1 +", "x + 1", "__import__('os')", "().__class__", "'a' * 3", "[1] * 9", "True + 1", "1j", "lambda: 1"),
        *("1 / 0", "5 % 0", "9 ** 9 ** 9", "2 ** -5000", "2.0 ** 100000", "exp(1000)", "(-8) ** 0.5", "sqrt(-1)"),
        *("1e308 * 10", "round(5, -1000000000)", "max()", "sqrt(1, 2)", "round(number=1)", "1 if 1 else 2", "1 < 2"),
        *("1 << 9999999", "(" * 240 + "1" + ")" * 240, "-" * 400 + "1", "1+" * 400 + "1", "9" * 501, "pow(2, 3)"),
        "2 ** 4000 * 2 ** 4000",
    ],
)
def test_what_is_not_arithmetic_or_too_large_is_refused(expression: str) -> None:
    with pytest.raises(NotArithmetic):
        evaluate(expression)


async def test_the_model_reads_a_number_without_the_noise_of_fractions(tmp_path: Path) -> None:
    context = a_turn(tmp_path).plan.context
    assert (await TOOL.call(context, {"expression": "0.1 + 0.2"})).text == "0.3"
    assert (await TOOL.call(context, {"expression": "10 / 5"})).text == "2"


async def test_the_model_is_told_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(TryAgain, match="divides by zero"):
        await TOOL.call(a_turn(tmp_path).plan.context, {"expression": "1/0"})
