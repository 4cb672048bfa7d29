"""The library of scenes: what one secret word, one clue-giver's mind and one trap list make of a clue.

A scene is a word of one of five classes, the clue-giver's own way of thinking about it, and what
the trappers come up with. All that a turn needs of it are two numbers for each way of choosing
words: h, the chance that a content word hits the trap list, and how much a content word tells.
Scene i has the same word, the same people and the same luck in every list length, for all trappers
and in every variant, so that differences between them are not drowned in the choice of scenes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim.draws import GOLD, mix64
from sim.games.trapwords.tables import (
    ANTICIPATE,
    COVER,
    FILTERS,
    OBVIOUS,
    PERSONAL,
    PERSONAL_ANTICIPATE,
    SECOND,
    SPLIT,
)

RANKS = 400
HAZARD_CAP = 0.95
BLOCK = 64  # draws of a brainstorm made at a time
MIND_LUCK, DRAW_LUCK, TIE_LUCK, COVER_LUCK = range(4)

_mix = getattr(mix64, "py_func", mix64)  # the same mixer, on whole arrays


@dataclass(frozen=True)
class Minds:
    """What the library is made from: words, people, trappers; hashable, so that one is made only once."""

    scenes: int
    exponent: tuple[float, ...]  # s, b and tau of each class of words
    offset: tuple[float, ...]
    flatten: tuple[float, ...]
    share: tuple[float, ...]  # how frequent each class is
    tell_least: float
    tell_scale: float
    tell_offset: float
    own_mind: float  # sigma_g
    samples: int  # of one trapper
    trappers: int
    familiar: float  # phi
    personal: float  # phi of those who think of the person
    expect_extra: int  # how far the anticipating trappers expect the clue-giver to stay away
    expect_control: float
    family: float


@dataclass(frozen=True)
class Shy:
    """A filter of the clue-giver: words up to rank max(least, list + extra) are passed over with `control`."""

    least: int
    extra: int
    control: float

    def reach(self, length: int) -> int:
        return min(RANKS, max(self.least, length + self.extra))


def uniform(kind: int, column: np.ndarray) -> np.ndarray:
    """Numbers in (0, 1) at the addresses (kind, scene, column); one row of columns for each scene."""
    scene = np.arange(len(column), dtype=np.uint64)[:, None] << np.uint64(32)
    head = np.full(1, (kind + 1) * int(GOLD) % 2**64, np.uint64)
    mixed = _mix(_mix((scene + column.astype(np.uint64)) * GOLD + head) + head)
    return ((mixed >> np.uint64(12)).astype(float) + 0.5) / 2**52


@lru_cache(maxsize=8)
def classes(minds: Minds) -> np.ndarray:
    """How often a word of each rank is thought of, for each class of secret words."""
    rank = np.arange(1, RANKS + 1)[None, :]
    s, b, tau = (np.array(x)[:, None] for x in (minds.exponent, minds.offset, minds.flatten))
    p = (rank + b) ** (-s * tau)
    return p / p.sum(1, keepdims=True)


def telling(minds: Minds) -> np.ndarray:
    """How much a word of each rank tells, against one of rank 1."""
    rank = np.arange(1, RANKS + 1)
    return np.maximum(minds.tell_least, minds.tell_scale / (rank + minds.tell_offset))


@lru_cache(maxsize=4)
def people(minds: Minds) -> tuple[np.ndarray, np.ndarray]:
    """For each scene the class's distribution and the clue-giver's own."""
    from scipy.special import ndtri

    n = minds.scenes
    edges = np.cumsum(minds.share) / np.sum(minds.share)
    kind = np.minimum(np.searchsorted(edges, (np.arange(n) + 0.5) / n), len(edges) - 1)
    q = classes(minds)[kind]
    every = np.broadcast_to(np.arange(RANKS), (n, RANKS))
    g = q * np.exp(minds.own_mind * ndtri(uniform(MIND_LUCK, every)))
    return q, g / g.sum(1, keepdims=True)


class Brainstorm:
    """What the trappers think of, in the order in which they think of it."""

    def __init__(self, minds: Minds, source: np.ndarray, need: int) -> None:
        self.minds, self.source = minds, source
        self.steps = np.cumsum(source, 1)
        self.steps /= self.steps[:, -1:]
        self.draws = np.zeros((minds.scenes, 0), np.int64)
        self.start = minds.samples * minds.trappers
        while self.draws.shape[1] < self.start or self.distinct().min() < need:
            self.more()
        self.fresh = self._fresh()
        self.known = np.cumsum(self.fresh, 1)

    def more(self) -> None:
        n, have = self.draws.shape
        u = uniform(DRAW_LUCK, np.broadcast_to(np.arange(have, have + BLOCK), (n, BLOCK)))
        row = np.arange(n)[:, None]
        found = np.searchsorted((self.steps + row).ravel(), (u + row).ravel()).reshape(u.shape)
        self.draws = np.hstack([self.draws, np.minimum(found - row * RANKS, RANKS - 1)])

    def _fresh(self) -> np.ndarray:
        """Which draws bring a word that was not there yet."""
        order = np.argsort(self.draws, 1, kind="stable")
        ranked = np.take_along_axis(self.draws, order, 1)
        new = np.ones_like(ranked, bool)
        new[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
        fresh = np.zeros_like(new)
        np.put_along_axis(fresh, order, new, 1)
        return fresh

    def distinct(self) -> np.ndarray:
        return self._fresh().sum(1) if self.draws.shape[1] else np.zeros(len(self.draws))

    def words(self, need: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The draws made until `need` words are there: the words, which are first mentions, and how many of each."""
        last = np.maximum(np.argmax(self.known >= need, 1) + 1, self.start)
        width = last.max()
        drawn = self.draws[:, :width]
        within = np.arange(width)[None, :] < last[:, None]
        fresh = self.fresh[:, :width] & within
        cell = np.arange(len(drawn))[:, None] * RANKS + drawn
        counts = np.bincount(cell.ravel(), weights=within.ravel(), minlength=len(drawn) * RANKS)
        return drawn, fresh, counts[cell]


def most_obvious(storm: Brainstorm, need: int) -> np.ndarray:
    """The words of a brainstorm, the most frequent first; among equals by strength, not quite reliably."""
    drawn, fresh, count = storm.words(need)
    rows = np.arange(len(drawn))[:, None]
    strength = storm.source[rows, drawn] * (0.5 + uniform(TIE_LUCK, drawn))
    key = np.where(fresh, count + strength / 2, -1)  # a strength is below 1.5, so it decides ties only
    return np.take_along_axis(drawn, np.argsort(-key, 1, kind="stable"), 1)


def covering(storm: Brainstorm, length: int) -> np.ndarray:
    """Words of a brainstorm at random, each by its strength, without replacement."""
    drawn, fresh, _ = storm.words(length)
    rows = np.arange(len(drawn))[:, None]
    wait = -np.log(uniform(COVER_LUCK, drawn)) / storm.source[rows, drawn]
    return np.take_along_axis(drawn, np.argsort(np.where(fresh, wait, np.inf), 1, kind="stable"), 1)[:, :length]


@lru_cache(maxsize=4)
def _open_storm(minds: Minds, familiar: float, need: int) -> Brainstorm:
    """The brainstorm of trappers who do not think of what the clue-giver will avoid: one for all lists."""
    q, g = people(minds)
    return Brainstorm(minds, (1 - familiar) * q + familiar * g, need)


@lru_cache(maxsize=200)
def trap_list(minds: Minds, policy: int, length: int, most: int) -> np.ndarray:
    """The trapped ranks (from 0) of every scene: one row each, `length` of them; no list exceeds `most`."""
    familiar = minds.personal if policy in (PERSONAL, PERSONAL_ANTICIPATE) else minds.familiar
    if policy in (ANTICIPATE, PERSONAL_ANTICIPATE):
        q, g = people(minds)
        source = (1 - familiar) * q + familiar * g
        source[:, :length + minds.expect_extra] *= 1 - minds.expect_control
        return most_obvious(Brainstorm(minds, source, length), length)[:, :length]
    storm = _open_storm(minds, familiar, most + 2)
    if policy == COVER:
        return covering(storm, length)
    ranked = most_obvious(storm, length + 2 if policy in (SECOND, SPLIT) else length)
    if policy == SECOND:
        return ranked[:, 2:length + 2]
    if policy == SPLIT:
        half = (length + 1) // 2
        return np.hstack([ranked[:, :half], ranked[:, half + 2:length + 2]])
    assert policy in (OBVIOUS, PERSONAL)
    return ranked[:, :length]


@lru_cache(maxsize=4)
def _sums(minds: Minds) -> tuple[np.ndarray, np.ndarray, float]:
    _, g = people(minds)
    tell = telling(minds)
    base = float((classes(minds) * tell).sum(1).mean())
    zero = np.zeros((len(g), 1))
    return np.hstack([zero, np.cumsum(g, 1)]), np.hstack([zero, np.cumsum(g * tell, 1)]), base


@lru_cache(maxsize=600)
def scenes(minds: Minds, filters: tuple[Shy, ...], policy: int, length: int, most: int) -> np.ndarray:
    """(h, relative wbar) of each filter for every scene, in the layout of the box."""
    _, g = people(minds)
    mass, tells, base = _sums(minds)
    traps = trap_list(minds, policy, length, most)
    hit = np.take_along_axis(g, traps, 1)
    out = np.zeros((minds.scenes, 2 * FILTERS), np.float32)
    for i, shy in enumerate(filters):
        reach = shy.reach(length) if shy.control else 0
        whole = 1 - shy.control * mass[:, reach]
        caught = (hit * np.where(traps < reach, 1 - shy.control, 1)).sum(1) / whole
        told = (tells[:, -1] - shy.control * tells[:, reach]) / whole
        out[:, 2 * i] = np.minimum(HAZARD_CAP, minds.family * caught)
        out[:, 2 * i + 1] = told / base
    return out
