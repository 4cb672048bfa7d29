"""Code of a numba user, compiled with or without hardmode in the process: prints its results and its LLVM code."""

import hashlib
import json
import re
import sys
import warnings

import numba
import numpy as np
from numba import njit, prange, typed, types
from numba.core import event
from numba.experimental import jitclass

if "hardmode" in sys.argv:
    import hardmode

    hardmode.play("pig/classic", games=200, threads=2)

out, ir = {}, {}
long = np.dtype([(f"a_field_with_a_long_name_{i}", "i8") for i in range(12)] + [("nested", [("x", "f8", (3,))])])


@njit
def negative(a, i):
    return a[i] + a[-2]


@njit(boundscheck=True)
def checked(a, i):
    return a[i]


@njit
def records(r):
    total = 0
    for i in range(len(r)):
        total += r[i].a_field_with_a_long_name_3 + int(r[i].nested.x[-1])
    return total


@njit
def containers():
    d = typed.Dict.empty(types.int64, types.float64)
    for i in range(10):
        d[i] = i * 1.5
    items = typed.List([1, 2, 3])
    items.append(4)
    return d[9] + items[-1] + sum([x * x for x in items])


@jitclass([("n", types.int64)])
class Counter:
    def __init__(self, n):
        self.n = n

    def add(self, k):
        self.n += k
        return self.n


@njit(parallel=True)
def reduction(a):
    total = 0.0
    for i in prange(a.size):
        total += a[i]
    return total, a.max(), a.mean(), a.std(), a.argmin(), a.reshape(-1, 2).sum()


@njit
def apply(f, x):
    return f(x)


@njit
def double(x):
    return 2 * x


def code(function):
    """The digest of a function's LLVM code, but for the numbers that numba gives its functions, and addresses."""
    text = "".join(function.inspect_llvm().values())
    text = re.sub(r"\[\d+ x i8\]", "[n x i8]", re.sub(r"B\d+v\d+|(?<=Li)\d+(?=E)", "number", text))
    text = re.sub(r"(?<=[@%\"$])[\w.$<>:-]+", symbol_number({}), text)
    return hashlib.sha256(re.sub(r"\b\d{9,}\b|0x[0-9a-f]+", "address", text).encode()).hexdigest()


def symbol_number(numbers):
    return lambda match: f"symbol{numbers.setdefault(match[0], len(numbers))}"


a = np.arange(8.0)
out["negative"] = [negative(a, -1), negative(a, 3)]
try:
    checked(a, 8)
except IndexError as why:
    out["checked"] = [str(why), checked(a, -1)]
out["records"] = records(np.ones(3, long))
out["containers"] = containers()
counter = Counter(3)
out["jitclass"] = [counter.add(4), counter.n]
out["parallel"] = [float(x) for x in reduction(a)]
out["function"] = apply(double, 21)
out["repr"] = hashlib.sha256(repr(numba.from_dtype(long)).encode()).hexdigest()
for function in (negative, checked, records, double):
    ir[function.__name__] = code(function)
events = []


class Listen(event.Listener):
    def on_start(self, e):
        events.append(e.kind)

    def on_end(self, e):
        pass


with event.install_listener("numba:llvm_lock", Listen()):
    njit(lambda x: x * 3)(2)
out["lock events"] = len(events) > 0
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    njit(lambda fs, x: fs[0](x))((double, double), 3)
out["warnings"] = sorted({w.category.__name__ for w in caught})
print(json.dumps([out, ir]))
