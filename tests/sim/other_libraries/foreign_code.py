"""Code of a numba user, compiled with or without hardmode in the process: prints its results and its LLVM code."""

import hashlib
import json
import re
import sys
import threading
import warnings

import numba
import numpy as np
from numba import njit, objmode, prange, typed, types
from numba.core import event
from numba.core.errors import TypingError
from numba.experimental import jitclass, structref
from numba.extending import intrinsic, overload, overload_method

out, ir = {}, {}


def compile_many():
    """Compile functions, in a thread of its own, while hardmode compiles or loads its own."""
    made = [njit(lambda a, i=i: a[-1] * i + a.sum() if a.size else float(i)) for i in range(12)]
    out["threads"] = [float(function(np.arange(5.0))) for function in made]


thread = threading.Thread(target=compile_many)
thread.start()
if "hardmode" in sys.argv:
    import hardmode

    hardmode.play("pig/classic", games=200, threads=2)
thread.join()
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


@njit(cache=True)
def cached(r, i):
    return r[-1].a_field_with_a_long_name_0 + r[i].nested.x[-2]


def shifted(a, n):
    return np.roll(a, n)


@overload(shifted)
def shifted_compiled(a, n):
    if isinstance(a, types.Array) and isinstance(n, types.Integer):
        return lambda a, n: a[-n]


@overload_method(types.Array, "last_of_foreign")
def last_of_array(a):
    return lambda a: a[-1]


@intrinsic
def plus_one(context, number):
    def lower(context, builder, signature, args):
        return builder.add(args[0], context.get_constant(types.int64, 1))

    return types.int64(types.int64), lower


@njit
def extended(a, n):
    return shifted(a, n) + a.last_of_foreign() + plus_one(n)


@njit
def in_object_mode(a):
    with objmode(text_length="int64"):
        text_length = len(repr(a[-1]))
    return text_length


@numba.vectorize(["float64(float64, float64)"])
def hypotenuse(x, y):
    return (x * x + y * y) ** 0.5


@numba.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def reverse(a, result):
    for i in range(a.size):
        result[i] = a[-1 - i]


@structref.register
class PairType(types.StructRef):
    pass


class Pair(structref.StructRefProxy):
    def __new__(cls, first, second):
        return structref.StructRefProxy.__new__(cls, first, second)


structref.define_proxy(Pair, PairType, ["first", "second"])


@njit
def sum_pair(pair):
    return pair.first + pair.second[-1]


@njit("float64(float64)")
def negative_one(x):
    return -x


@njit("float64(float64)")
def double_one(x):
    return 2 * x


@njit
def choose_function(functions, i, x):
    return functions[i](x)


@numba.cfunc("float64(float64)")
def callback(x):
    return x + 0.5


@njit
def raises(a):
    if a[-1] > 0:
        raise ValueError("a value of its own", a.size)
    return 0


@njit
def mistyped(a):
    return a.no_such_thing


def refuse(function, *args):
    """Return the type and the text of the error that a call raises."""
    try:
        return function(*args)
    except (TypingError, ValueError) as error:
        return [type(error).__name__, [str(x) for x in error.args if not isinstance(error, TypingError)]]


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
out["cached"] = [cached(np.ones(3, long), -1), sum(cached.stats.cache_hits.values()),
                 sum(cached.stats.cache_misses.values())]
out["extended"] = extended(a, 2)
out["object mode"] = in_object_mode(a)
out["ufuncs"] = [hypotenuse(3.0, 4.0), reverse(a).tolist(), hypotenuse.reduce(a)]
out["structref"] = sum_pair(Pair(1, a))
out["errors"] = [refuse(raises, a), refuse(mistyped, a)]
out["first-class"] = [choose_function((negative_one, double_one), i, 4.0) for i in (0, 1)]
out["cfunc"] = callback.ctypes(2.0)
out["typed list of records"] = int(typed.List([np.ones(1, long)[0], np.zeros(1, long)[0]])[-2]["nested"]["x"][-1])
for function in (negative, checked, records, double, extended, sum_pair, reduction, raises):
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
