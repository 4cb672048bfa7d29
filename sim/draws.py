"""Random draws by address: a counter-based random number generator (SplitMix64).

A draw is a pure function of the key of the game and of its address: `where` is the number of the
source (a die, a deck), which the game declares, and `a, b, c` say which event of that source it
is. There is no stream, so an additional draw in one variant of a game changes no other draw.

`luck` holds the key of one game. For studies of luck it also holds a mask of the sources that are
resampled, which means drawn with another key, and a log of all draws. Both are off in ordinary
play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.records import PLAIN, rule

SCHEME = "splitmix-addressed-1"
LOG_CAPACITY = 1 << 15

LUCK = np.dtype(
    [
        ("key", "u8"),
        # One bit for each source that is resampled, and one for the players' own randomness.
        ("redrawn", "u8"),
        ("other", "u8"),  # the key from which they are drawn
        ("alone", "i8"),  # whether only one event of the source is resampled
        ("event", "i8", (3,)),  # a, b and c of that event
        ("log_on", "i8"),
        ("log_n", "i8"),
        ("log", "i8", (LOG_CAPACITY, 6)),  # where, a, b, c, n, result
    ],
    align=True,
)

COINS = 63  # the bit of the players' own randomness in the mask; sources have lower bits
BITS, UNIT = 0, -1  # logged in place of n for a priority, and for a fraction
# Logged in place of the source for a decision; then step, kind, round, n options, option.
DECISION = -1

GOLD = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_TWO32 = np.uint64(1 << 32)
_ZERO = np.uint64(0)
_S11, _S1 = np.uint64(11), np.uint64(1)
FRACTION = 1.0 / (1 << 53)
_I32 = 0xFFFFFFFF

if PLAIN:
    np.seterr(over="ignore")


class Event(NamedTuple):
    """Address of one draw: the number of its source, and which event of it."""

    where: int
    a: int = 0
    b: int = 0
    c: int = 0


def mask_of(sources: Iterable[int]) -> int:
    """Return the mask that stands for some sources.

    Raises:
        ValueError: If a source has no bit of its own.
    """
    mask = 0
    for where in sources:
        if not 0 <= where <= COINS:
            raise ValueError(
                f"source {where} cannot be resampled by itself: only those below {COINS} can"
            )
        mask |= 1 << where
    return mask


@rule
def mix64(x: Any) -> Any:
    """Return the word x mixed by SplitMix64's finaliser, a bijection of 64-bit words."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@rule
def game_key(seed: int, game: int) -> Any:
    """Return the key of one game; all games of a seed have different keys."""
    return mix64(mix64(np.uint64(seed) + GOLD) + np.uint64(game) * GOLD)


@rule
def is_redrawn(luck: Any, where: int, a: int, b: int, c: int) -> bool:
    """Return whether the draw at an address is resampled."""
    if (np.uint64(luck.redrawn) >> np.uint64(where & COINS)) & _S1 == _ZERO:
        return False
    return luck.alone == 0 or (a == luck.event[0] and b == luck.event[1] and c == luck.event[2])


@rule
def bits(luck: Any, where: int, a: int, b: int, c: int) -> Any:
    """Return the 64 random bits at an address."""
    key = np.uint64(luck.key)
    if luck.redrawn != _ZERO and is_redrawn(luck, where, a, b, c):
        key = np.uint64(luck.other)
    head = (np.uint64(where) << _S32) | np.uint64(a & _I32)
    tail = (np.uint64(b & _I32) << _S32) | np.uint64(c & _I32)
    return mix64(mix64(key + head * GOLD) + tail * GOLD)


@rule
def note(luck: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> None:
    """Write a draw or a decision to the log."""
    i = luck.log_n
    if i < LOG_CAPACITY:
        luck.log[i, 0] = where
        luck.log[i, 1] = a
        luck.log[i, 2] = b
        luck.log[i, 3] = c
        luck.log[i, 4] = n
        luck.log[i, 5] = result
    luck.log_n = i + 1


@rule
def bounded(x: Any, n: int) -> int:
    """Return an unbiased number 0..n-1 from 64 random bits (Lemire 2019).

    A rejected word is mixed again.
    """
    size = np.uint64(n)
    product = (x >> _S32) * size
    low = product & _LOW
    if low < size:
        threshold = (_TWO32 - size) % size
        while low < threshold:
            x = mix64(x + GOLD)
            product = (x >> _S32) * size
            low = product & _LOW
    return np.int64(product >> _S32)  # type: ignore[return-value]


@rule
def below(luck: Any, where: int, a: int, b: int, c: int, n: int) -> int:
    """Return a uniform number 0..n-1."""
    result = bounded(bits(luck, where, a, b, c), n)
    if luck.log_on:
        note(luck, where, a, b, c, n, result)
    return result


@rule
def fraction(luck: Any, where: int, a: int, b: int, c: int) -> float:
    """Return a uniform number in [0, 1)."""
    x = bits(luck, where, a, b, c) >> _S11
    if luck.log_on:
        note(luck, where, a, b, c, UNIT, np.int64(x))
    return np.float64(x) * FRACTION


@rule
def priority(luck: Any, where: int, a: int, b: int, c: int) -> int:
    """Return the sort key of a card in a shuffled pile.

    It does not depend on what else is in the pile, so the order of two cards is always the same.
    """
    x = np.int64(bits(luck, where, a, b, c) >> _S1)
    if luck.log_on:
        note(luck, where, a, b, c, BITS, x)
    return x  # type: ignore[return-value]


@rule
def shuffle(luck: Any, where: int, a: int, pile: Any, n: int) -> None:
    """Sort the first n cards of a pile, which are distinct numbers, by priority, lowest first.

    The address of a card's priority is `a`, which differs between shuffles of the pile, and the
    card's number.
    """
    if n > pile.shape[0]:
        raise IndexError("more cards are shuffled than the pile can hold")
    keys = np.empty(n, np.int64)
    for i in range(n):
        card = pile[i]
        key = priority(luck, where, a, card, 0)
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            pile[j] = pile[j - 1]
            j -= 1
        keys[j] = key
        pile[j] = card


@rule
def lucky(luck: Any, key: Any) -> None:
    """Initialize a luck from a key, with nothing resampled and nothing logged."""
    luck.key = key
    luck.redrawn = 0
    luck.log_on = 0
    luck.log_n = 0
