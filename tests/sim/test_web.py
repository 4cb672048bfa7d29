"""Games as WebAssembly: the functions of the C library that are replaced, and modules made without a linker."""

from __future__ import annotations

import math
import random
from decimal import Decimal, localcontext

import llvmlite.binding as llvm
import numpy as np
import pytest

from hardmode.sim.web import elementary_functions as own
from hardmode.sim.web import object_file, webassembly
from hardmode.sim.web.lowering import LoweredFunction

plain = pytest.mark.plain
MIXED = (
    f'target datalayout = "{webassembly.DATA_LAYOUT}"\n'
    f'target triple = "{webassembly.TRIPLE}"\n'
)


def count_units(value: float, true: Decimal) -> float:
    """Return the error of a value in units of its last place."""
    return float(abs(Decimal(value) - true) / Decimal(math.ulp(float(true))))


@plain
@pytest.mark.parametrize("name", ["log", "exp"])
def test_logarithm_and_exponential_are_rounded_from_the_true_value(name):
    draw = random.Random(1)
    values = [draw.uniform(0.01, 3) for _ in range(300)] + [10 ** draw.uniform(-300, 300) for _ in range(300)]
    if name == "exp":
        values = [draw.uniform(-1, 1) for _ in range(300)] + [draw.uniform(-700, 700) for _ in range(300)]
    with localcontext() as context, np.errstate(all="ignore"):
        context.prec = 60
        true = [Decimal(x).ln() if name == "log" else Decimal(x).exp() for x in values]
        worst = max(count_units(float(own.FUNCTIONS[name](x)), t) for x, t in zip(values, true, strict=True))
    assert 0.49 < worst < 0.52


@plain
def test_powers_are_rounded_from_the_true_value():
    draw = random.Random(2)
    with localcontext() as context, np.errstate(all="ignore"):
        context.prec = 60
        for _ in range(300):
            x, y, z = draw.uniform(0.01, 20), draw.uniform(-20, 20), draw.uniform(-1000, 1000)
            assert count_units(float(own.pow(x, y)), (Decimal(x).ln() * Decimal(y)).exp()) < 0.75
            assert count_units(float(own.exp2(z)), (Decimal(2).ln() * Decimal(z)).exp()) < 0.52


@plain
def test_erfc_is_near_that_of_the_c_library():
    draw = random.Random(3)
    with np.errstate(all="ignore"):
        for _ in range(2000):
            x = draw.uniform(-6, 26)
            assert math.isclose(own.erfc(x), math.erfc(x), rel_tol=1e-15), x


@plain
@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("log", 0.0, -math.inf), ("log", -1.0, math.nan), ("log", math.inf, math.inf), ("log", 1.0, 0.0),
        ("exp", 710.0, math.inf), ("exp", -800.0, 0.0), ("exp", 0.0, 1.0), ("exp2", 1024.0, math.inf),
        ("exp2", -1074.0, 5e-324), ("exp2", 10.0, 1024.0), ("erfc", 30.0, 0.0), ("erfc", -30.0, 2.0),
        ("erfc", 0.0, 1.0), ("log", math.nan, math.nan), ("exp", math.nan, math.nan), ("erfc", math.nan, math.nan),
    ],
)
def test_special_values(name, x, expected):
    with np.errstate(all="ignore"):
        found = float(own.FUNCTIONS[name](x))
    assert found == expected or (math.isnan(found) and math.isnan(expected))


@plain
@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**31])
def test_a_number_is_read_as_it_was_written(number):
    assert object_file.Reader(object_file.write_number(number)).read_number() == number


def translate(code: str) -> bytes:
    return webassembly.translate(LoweredFunction(MIXED + code, "f"), {})


def test_a_function_is_exported():
    module = translate("define i32 @f(i32 %x) { %y = add i32 %x, 41\n ret i32 %y }")
    assert module[:8] == b"\0asm\1\0\0\0"
    (exports,) = [content for number, content in object_file.read_sections(module) if number == object_file.EXPORT]
    reader = object_file.Reader(exports)
    assert (reader.read_number(), reader.read_bytes()) == (1, b"run")
    assert set(object_file.list_imports(module)) <= webassembly.GIVEN


def test_a_function_that_no_page_has_is_refused():
    code = (
        "declare double @tan(double)\n"
        "define double @f(double %x) { %y = call double @tan(double %x)\n ret double %y }"
    )
    with pytest.raises(webassembly.EmitError, match="the game calls tan, which no page has"):
        translate(code)


def test_elementary_functions_take_the_place_of_those_of_the_c_library():
    code = (
        "declare double @llvm.log.f64(double)\ndeclare double @erfc(double)\n"
        "define double @f(double %x) { %y = call double @llvm.log.f64(double %x)\n"
        "%z = call double @erfc(double %y)\n ret double %z }"
    )
    changed = str(webassembly.parse_portable(MIXED + code))
    assert "@hardmode.log(" in changed and "@hardmode.erfc(" in changed and "llvm.log" not in changed


def test_addresses_of_this_process_are_left_out():
    code = "define ptr @f() { ret ptr inttoptr (i64 139879469895824 to ptr) }"
    assert "139879469895824" not in str(webassembly.parse_portable(MIXED + code))
    llvm.parse_assembly(str(webassembly.parse_portable(MIXED + code))).verify()
