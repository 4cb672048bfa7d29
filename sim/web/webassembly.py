"""LLVM code, translated to WebAssembly."""

from __future__ import annotations

import re
from collections.abc import Mapping

import llvmlite.binding as llvm

from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.web.elementary_functions import FUNCTIONS
from hardmode.sim.web.lowering import LoweredFunction
from hardmode.sim.web.object_file import add_exports, list_imports

TRIPLE = "wasm32-unknown-unknown"
DATA_LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"  # in all browsers since 2021
GIVEN = {"__linear_memory", "__stack_pointer", "__indirect_function_table"}
MULTIPLY_WIDE = "__multi3"
ARRAY_BYTES = 1 << 18  # for arrays that rules make while they run
FIRST_ARRAY = 64  # their block may lie at address 0, which means no array
ELEMENTARY = "|".join(FUNCTIONS)
# clang -O3 has 275, with which Woodlands and Vengeance have 53 to 61 % of their native speed; with
# this they have 61 to 78, and modules are 5 to 10 % larger.
INLINING_THRESHOLD = 1500

# The part of numba's runtime that arrays made by a rule need. They lie one after another in a block
# of memory, which is free again as soon as no array is in use.
RUNTIME = f"""
target datalayout = "{DATA_LAYOUT}"
target triple = "{TRIPLE}"
%meminfo = type {{ i64, ptr, ptr, ptr, i64, ptr }}
@arrays = global [{ARRAY_BYTES} x i8] zeroinitializer, align 64
@used = global i32 {FIRST_ARRAY}
@living = global i32 0

define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {{
  %used = load i32, ptr @used
  %info = getelementptr i8, ptr @arrays, i32 %used
  %data = getelementptr i8, ptr %info, i32 64
  %bytes = trunc i64 %size to i32
  %more = add i32 %bytes, 127
  %whole = and i32 %more, -64
  %end = add i32 %used, %whole
  %fits = icmp ule i32 %end, {ARRAY_BYTES}
  br i1 %fits, label %take, label %fail
take:
  store i32 %end, ptr @used
  %living = load i32, ptr @living
  %one_more = add i32 %living, 1
  store i32 %one_more, ptr @living
  store i64 1, ptr %info
  %place = getelementptr %meminfo, ptr %info, i32 0, i32 3
  store ptr %data, ptr %place
  ret ptr %info
fail:
  call void @llvm.trap()
  unreachable
}}

define void @NRT_MemInfo_call_dtor(ptr %info) {{
  %living = load i32, ptr @living
  %one_less = sub i32 %living, 1
  store i32 %one_less, ptr @living
  %is_last = icmp eq i32 %one_less, 0
  br i1 %is_last, label %clear, label %done
clear:
  store i32 {FIRST_ARRAY}, ptr @used
  br label %done
done:
  ret void
}}

declare void @llvm.trap()

; The product of two 128-bit numbers, which LLVM calls where the size of an array may overflow. It
; is not optimised, since LLVM would recognise it and call it from itself.
define void @{MULTIPLY_WIDE}(ptr %result, i64 %a, i64 %a2, i64 %b, i64 %b2) noinline optnone {{
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carried = lshr i64 %p00, 32
  %middle = add i64 %p10, %carried
  %middle_low = and i64 %middle, 4294967295
  %middle_high = lshr i64 %middle, 32
  %sum = add i64 %p01, %middle_low
  %sum_high = lshr i64 %sum, 32
  %high0 = add i64 %p11, %middle_high
  %high1 = add i64 %high0, %sum_high
  %cross0 = mul i64 %a, %b2
  %cross1 = mul i64 %a2, %b
  %high2 = add i64 %high1, %cross0
  %high = add i64 %high2, %cross1
  %low = mul i64 %a, %b
  store i64 %low, ptr %result
  %place = getelementptr i64, ptr %result, i32 1
  store i64 %high, ptr %place
  ret void
}}
"""


class EmitError(Exception):
    """Raised when a game cannot be translated; names what it calls that a page does not have."""


def translate(run: LoweredFunction, elementary: Mapping[str, LoweredFunction]) -> bytes:
    """Return a WebAssembly module that exports one function as `run`.

    Args:
        run: The function.
        elementary: Functions that take the place of those of the C library, by their names.

    Raises:
        EmitError: If the function calls others that are nowhere defined.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = parse_portable(run.code)
    for name, function in elementary.items():
        module.link_in(parse_portable(function.code))
        module.link_in(llvm.parse_assembly(write_c_function(name, function.symbol)))
    module.link_in(llvm.parse_assembly(RUNTIME))
    hide_symbols(module, {run.symbol, MULTIPLY_WIDE})
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=3, features=FEATURES)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.inlining_threshold = INLINING_THRESHOLD
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    object_file = machine.emit_object(module)
    check_imports(object_file)
    return add_exports(object_file, {"run": run.symbol})


def parse_portable(code: str) -> llvm.ModuleRef:
    """Return code for WebAssembly, without addresses of the process that made it.

    The addresses are those of Python functions, and of exceptions with their messages. A page needs
    neither: it is told that a game failed by the status that is returned.
    """
    code = re.sub(r'target datalayout = ".*"', f'target datalayout = "{DATA_LAYOUT}"', code)
    code = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', code)
    code = re.sub(r"= (common|linkonce) global", "= internal global", code)
    code = re.sub(r"inttoptr \(i64 \d{6,} to ptr\)", "null", code)
    code = re.sub(rf"@(?:llvm\.)?({ELEMENTARY})(?:\.f64)?\(", r"@hardmode.\1(", code)
    code = re.sub(r"store ptr @\.const\.picklebuf\.[0-9a-f.]+, ptr", "store ptr null, ptr", code)
    return llvm.parse_assembly(code)


def hide_symbols(module: llvm.ModuleRef, visible: set[str]) -> None:
    """Make all functions and variables internal but those that are visible."""
    for symbol in (*module.functions, *module.global_variables):
        if not symbol.is_declaration and symbol.name not in visible:
            symbol.linkage = llvm.Linkage.internal


def write_c_function(name: str, symbol: str) -> str:
    """Return the code of a function of floats that calls a function as numba lowers it.

    Args:
        name: The name of the function in the C library.
        symbol: The symbol of numba's function: it returns a status, and its result by address.
    """
    number = get_py_func(FUNCTIONS[name]).__code__.co_argcount
    kinds = ", ".join(["double"] * number)
    values = ", ".join(f"double %{i}" for i in range(number))
    return f"""
target datalayout = "{DATA_LAYOUT}"
target triple = "{TRIPLE}"
declare i32 @"{symbol}"(ptr, ptr, {kinds})
define double @hardmode.{name}({values}) {{
  %result = alloca double
  %exception = alloca ptr
  %status = call i32 @"{symbol}"(ptr %result, ptr %exception, {values})
  %value = load double, ptr %result
  ret double %value
}}
"""


def check_imports(object_file: bytes) -> None:
    """Check that a module needs nothing but what every page can give it.

    Raises:
        EmitError: If it does; names the functions.
    """
    missing = set(list_imports(object_file)) - GIVEN
    if missing:
        raise EmitError(f"the game calls {', '.join(sorted(missing))}, which no page has")
