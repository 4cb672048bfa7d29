"""log, exp, exp2, pow and erfc, made of additions, multiplications and divisions alone.

Browsers and C libraries round these functions differently in the last place. A game that is played
in a page calls the functions of this module instead, so that all browsers play the same games.

The leading terms of each series are summed as a pair of floats: a rounded sum and its rounding
error (Dekker 1971). So `log`, `exp` and `exp2` are within 0.52 units in the last place of the true
value, `pow`, which is for positive bases only, within 0.75, and `erfc` within 5.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hardmode.sim.records import rule

# ln 2 as three floats. The first two end in zero bits, so that products with exponents are exact.
LN2_1, LN2_2, LN2_3 = 0.6931471803691238, 1.9082149288430703e-10, 4.275175589747649e-20
LN2, LN2_ERROR = 0.6931471805599453, 2.3190468138462996e-17
TWO_OVER_ROOT_PI, TWO_OVER_ROOT_PI_ERROR = 1.1283791670955126, 1.533545961316588e-17
SPLITTER = 134217729.0  # 2**27 + 1
OVERFLOW, UNDERFLOW = 1024.0, -1080.0  # powers of two
SQUARE_ROOT_HALF = 0.7071067811865476
EXP_TERMS = 14
LOG_TERMS = 14
ERF_TERMS = 60
FRACTION_TERMS = 90
SERIES_LIMIT = 2.0  # below it `erfc` is computed as 1 - erf


@rule
def add_exactly(a: float, b: float) -> tuple[float, float]:
    """Return the rounded sum of two floats, and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@rule
def multiply_exactly(a: float, b: float) -> tuple[float, float]:
    """Return the rounded product of two floats, and its rounding error."""
    product = a * b
    scaled = SPLITTER * a
    a_high = scaled - (scaled - a)
    a_low = a - a_high
    scaled = SPLITTER * b
    b_high = scaled - (scaled - b)
    b_low = b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


@rule
def multiply_pairs(a: float, a_error: float, b: float, b_error: float) -> tuple[float, float]:
    """Return the product of two pairs."""
    product, error = multiply_exactly(a, b)
    return add_exactly(product, error + (a * b_error + a_error * b))


@rule
def scale(x: float, exponent: int) -> float:
    """Return x * 2**exponent, rounded once also where the result is subnormal."""
    if exponent > 1000:
        return x * make_power(1000) * make_power(exponent - 1000)
    if exponent < -1000:
        return x * make_power(exponent + 1000) * make_power(-1000)
    return x * make_power(exponent)


@rule
def make_power(exponent: int) -> float:
    """Return 2**exponent for an exponent from -1022 to 1023, from its bits."""
    return np.int64((exponent + 1023) << 52).view(np.float64)


@rule
def exp_of_pair(power: int, r: float, error: float) -> float:
    """Return 2**power * exp(r + error) for a pair between -0.35 and 0.35."""
    tail = 0.0
    for n in range(EXP_TERMS, 2, -1):  # exp(r) = 1 + r + r**2 * (1/2 + r * tail)
        tail = (tail * r + 1.0) / n
    square, square_error = multiply_exactly(r, r)
    square_error += 2.0 * r * error
    rest = square * r * tail * 0.5
    total, low = add_exactly(1.0, r)
    total, more = add_exactly(total, 0.5 * square)
    low += more + (0.5 * square_error + error + rest)
    return scale(total + low, power)


@rule
def exp(x: float) -> float:
    """Return e**x."""
    if x != x:
        return x
    power = x / LN2
    if power > OVERFLOW:
        return math.inf
    if power < UNDERFLOW:
        return 0.0
    return exp_pair(x, 0.0)


@rule
def exp_pair(x: float, error: float) -> float:
    """Return e**(x + error) where this neither overflows nor vanishes."""
    power = math.floor(x / LN2 + 0.5)
    r, low = add_exactly(x - power * LN2_1, -power * LN2_2)
    r, low = add_exactly(r, low - power * LN2_3 + error)
    return exp_of_pair(int(power), r, low)


@rule
def exp2(x: float) -> float:
    """Return 2**x."""
    if x != x:
        return x
    if x >= OVERFLOW:
        return math.inf
    if x < UNDERFLOW:
        return 0.0
    power = math.floor(x + 0.5)
    r, error = multiply_pairs(x - power, 0.0, LN2, LN2_ERROR)
    return exp_of_pair(int(power), r, error)


@rule
def log_pair(x: float) -> tuple[float, float]:
    """Return the natural logarithm of a positive, finite x as a pair."""
    bits = np.float64(x).view(np.int64)
    exponent = 0
    if bits < 1 << 52:  # subnormal
        bits = np.float64(x * make_power(60)).view(np.int64)
        exponent = -60
    exponent += int(bits >> 52) - 1022
    m = np.int64(bits & ((1 << 52) - 1) | (1022 << 52)).view(np.float64)  # from 1/2 to 1
    if m < SQUARE_ROOT_HALF:
        m *= 2.0
        exponent -= 1
    # log m = 2 * (s + s**3 / 3 + s**5 / 5 + ...) with s = (m - 1) / (m + 1)
    above, above_error = add_exactly(m, 1.0)
    s = (m - 1.0) / above
    product, product_error = multiply_exactly(s, above)
    s_error = ((m - 1.0) - product - product_error - s * above_error) / above
    square = s * s
    tail = 0.0
    for n in range(LOG_TERMS, 0, -1):
        tail = tail * square + 2.0 / (2 * n + 1)
    rest = s * square * tail
    total, low = add_exactly(exponent * LN2_1, 2.0 * s)
    total, more = add_exactly(total, exponent * LN2_2)
    return add_exactly(total, low + more + (2.0 * s_error + rest + exponent * LN2_3))


@rule
def log(x: float) -> float:
    """Return the natural logarithm of x."""
    if x != x or x < 0.0:
        return math.nan
    if x == 0.0:
        return -math.inf
    if x == math.inf:
        return x
    return log_pair(x)[0]


@rule
def pow(x: float, y: float) -> float:
    """Return x**y for a positive x."""
    if x == 2.0:
        return exp2(y)
    if y == 0.0 or x == 1.0:
        return 1.0
    if x == 0.0 and y > 0.0:
        return 0.0
    if not x > 0.0 or x == math.inf:
        return math.nan
    logarithm, error = log_pair(x)
    power = y * logarithm / LN2
    if power >= OVERFLOW:
        return math.inf
    if power < UNDERFLOW:
        return 0.0
    return exp_pair(*multiply_pairs(logarithm, error, y, 0.0))


@rule
def erfc(x: float) -> float:
    """Return 1 - erf(x)."""
    if x != x:
        return x
    size = abs(x)
    if size > 27.5:
        return 0.0 if x > 0 else 2.0
    square, error = multiply_exactly(size, size)
    if size >= SERIES_LIMIT:
        fraction = 0.0  # of Laplace: exp(-x**2) / sqrt(pi) / (x + (1/2) / (x + 1 / (x + ...)))
        for n in range(FRACTION_TERMS, 0, -1):
            fraction = 0.5 * n / (size + fraction)
        result = exp_pair(-square, -error) * (0.5 * TWO_OVER_ROOT_PI) / (size + fraction)
        return result if x > 0 else 2.0 - result
    # erf x = 2 / sqrt(pi) * (x - x**3 / 3 + x**5 / (5 * 2!) - ...)
    term, term_error = size, 0.0
    total, total_error = size, 0.0
    for n in range(1, ERF_TERMS):
        term, term_error = multiply_pairs(term, term_error, -square, -error)
        quotient = term / n
        product, product_error = multiply_exactly(quotient, float(n))
        term_error = (term - product - product_error + term_error) / n
        term = quotient
        part = term / (2 * n + 1)
        product, product_error = multiply_exactly(part, 2.0 * n + 1.0)
        part_error = (term - product - product_error + term_error) / (2 * n + 1)
        total, low = add_exactly(total, part)
        total_error += low + part_error
    total, total_error = multiply_pairs(
        total, total_error, TWO_OVER_ROOT_PI, TWO_OVER_ROOT_PI_ERROR
    )
    if x < 0:
        total, total_error = -total, -total_error
    rest, low = add_exactly(1.0, -total)
    return rest + (low - total_error)


FUNCTIONS: dict[str, Any] = {"log": log, "exp": exp, "exp2": exp2, "pow": pow, "erfc": erfc}
