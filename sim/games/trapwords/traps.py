"""The library of scenes: what one secret word, one clue-giver's mind and one trap list make of a clue.

A scene is a word of one of five classes, the clue-giver's own way of thinking about it, and what
the trappers come up with. All that a turn needs of it are two numbers for each way of choosing
words: h, the chance that a content word hits the trap list, and how much a content word tells.
Scene i has the same word, the same people and the same luck in every list length, for all trappers
and in every variant, so that differences between them are not drowned in the choice of scenes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np

from hardmode.sim.compile.array_cache import disk_cached
from hardmode.sim.draws import GOLD, mix64
from hardmode.sim.games.trapwords.names import TRAPPERS, Trapper

RANKS = 400
HAZARD_CAP = 0.95
MOST_DRAWS = 4096  # of words by the trappers of a scene
STRIDE = 151  # from one stray word to the next: no divisor of RANKS, so that all are different

_mix = getattr(mix64, "py_func", mix64)  # the same mixer, on whole arrays


class Luck(IntEnum):
    """What is drawn for a scene of the library: a place in the address of each draw."""

    MIND, DRAW, TIE, COVER, STRAY = range(5)


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
    first: int = 0  # number of the first scene: others are other words, people and luck


@dataclass(frozen=True)
class Taste:
    """How a clue-giver likes words: those up to rank max(least, list + extra), and those beyond.

    Words come to mind as often as people think of them, or all ranks alike.
    """

    least: int
    extra: int
    near: float  # how often one up to that rank is said when it comes to mind
    far: float
    any_rank: bool = False

    def reach(self, length: int) -> int:
        return min(RANKS, max(self.least, length + self.extra))


def uniform(kind: int, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Numbers in (0, 1) at the addresses (kind, scene, column): a row for each scene."""
    return uniform_at(kind, rows[:, None], columns)


def uniform_at(kind: int, row: np.ndarray, column: np.ndarray) -> np.ndarray:
    scene = row.astype(np.uint64) << np.uint64(32)
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
    return np.maximum(minds.tell_least, law_of_telling(minds))


def law_of_telling(minds: Minds) -> np.ndarray:
    """The same without the least that any word tells which somebody chose as a clue."""
    return minds.tell_scale / (np.arange(1, RANKS + 1) + minds.tell_offset)


@lru_cache(maxsize=2)
def people(minds: Minds) -> tuple[np.ndarray, np.ndarray]:
    """For each scene the class's distribution and the clue-giver's own."""
    from scipy.special import ndtri

    n = minds.scenes
    edges = np.cumsum(minds.share) / np.sum(minds.share)
    kind = np.minimum(np.searchsorted(edges, (np.arange(n) + 0.5) / n), len(edges) - 1)
    q = classes(minds)[kind]
    g = q * np.exp(minds.own_mind * ndtri(uniform(Luck.MIND, minds.first + np.arange(n), np.arange(RANKS))))
    return q, g / g.sum(1, keepdims=True)


@lru_cache(maxsize=2)
def thoughts(minds: Minds, familiar: float) -> tuple[np.ndarray, np.ndarray]:
    """How often trappers think of a word of each rank, in every scene; and the same added up, scene after scene."""
    q, g = people(minds)
    strength = (1 - familiar) * q + familiar * g
    steps = np.cumsum(strength, 1)
    steps /= steps[:, -1:]
    steps += np.arange(len(steps))[:, None]
    return strength, steps.ravel()


class Brainstorm:
    """What the trappers think of, most obvious first.

    Those who expect a clue-giver to stay away from the first `reach` ranks keep but some of these.
    """

    def __init__(self, minds: Minds, familiar: float, reach: int = 0, kept: float = 1.0) -> None:
        self.minds, self.start = minds, minds.samples * minds.trappers
        self.strength, self.steps = thoughts(minds, familiar)
        self.reach, self.kept = reach, kept
        every = np.arange(minds.scenes)
        ranked, self.distinct = self.rank(every, self.draw(every, self.start), np.full(minds.scenes, self.start))
        self.ranked = ranked.astype(np.int16)  # kept for lists of other lengths

    def draw(self, rows: np.ndarray, width: int) -> np.ndarray:
        """So many words for each of these scenes."""
        first = rows[:, None] * RANKS
        near = self.steps[first + self.reach - 1] - rows[:, None] if self.reach else np.zeros((len(rows), 1))
        u = uniform(Luck.DRAW, self.minds.first + rows, np.arange(width)) * (1 - (1 - self.kept) * near)
        u = np.where(u < self.kept * near, u / self.kept, u + (1 - self.kept) * near)
        found = np.searchsorted(self.steps, (u + rows[:, None]).ravel()).reshape(u.shape)
        return np.clip(found - first, 0, RANKS - 1)

    def rank(self, rows: np.ndarray, drawn: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The words among the first `last` draws, the most frequent first, and how many there are.

        Among equals the stronger comes first, though not quite reliably.
        """
        n, width = drawn.shape
        cell = np.arange(n)[:, None] * RANKS + drawn
        within = np.arange(width) < last[:, None]
        counts = np.bincount(cell.ravel(), weights=within.ravel(), minlength=n * RANKS)[cell]
        fresh = first_mentions(cell, n) & within
        strength = self.strength[rows[:, None], drawn] * np.where(drawn < self.reach, self.kept, 1)
        strength = strength * (0.5 + uniform_at(Luck.TIE, self.minds.first + rows[:, None], drawn))
        key = np.where(fresh, counts + strength / 2, -1)  # a strength is below 1.5, so it decides ties only
        return np.take_along_axis(drawn, np.argsort(-key, 1, kind="stable"), 1), fresh.sum(1)

    def words(self, need: int) -> np.ndarray:
        """All words, at least `need` of them: where there are not so many yet, the trappers go on thinking.

        A row that holds fewer words than it is wide is filled up with some of them again.
        """
        found = np.zeros((self.minds.scenes, max(self.start, need)), np.int64)
        found[:, :self.start] = self.ranked
        for rows, drawn, last in self.longer(need):
            found[rows, :need] = self.rank(rows, drawn, last)[0][:, :need]
        return found

    def longer(self, need: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The scenes that need more draws, with these, and after how many of them all words are there.

        Who thinks of hardly anything but a few words names the likeliest others in the end.
        """
        rows, width = np.flatnonzero(self.distinct < need), max(self.start, need)
        while len(rows):
            width *= 2
            drawn = self.draw(rows, width)
            if width >= MOST_DRAWS:
                drawn = np.hstack([drawn, np.argsort(-self.strength[rows], 1, kind="stable")])
            cell = np.arange(len(rows))[:, None] * RANKS + drawn
            known = np.cumsum(first_mentions(cell, len(rows)), 1)
            enough = known[:, -1] >= need
            last = np.argmax(known >= need, 1) + 1
            yield rows[enough], drawn[enough], last[enough]
            rows = rows[~enough]


def first_mentions(cell: np.ndarray, n: int) -> np.ndarray:
    """Which draws bring a word that was not there yet."""
    column = np.broadcast_to(np.arange(cell.shape[1]), cell.shape)
    first = np.empty(n * RANKS, np.int64)
    first[cell[:, ::-1].ravel()] = column[:, ::-1].ravel()  # the last to be written is the first to be said
    return first[cell] == column


def covering(storm: Brainstorm, length: int) -> np.ndarray:
    """Words of a brainstorm at random, each by its strength, without replacement."""
    words = storm.words(length)
    scene = np.arange(len(words))[:, None]
    wait = -np.log(uniform_at(Luck.COVER, storm.minds.first + scene, words)) / storm.strength[scene, words]
    wait[np.arange(words.shape[1]) >= np.maximum(storm.distinct, length)[:, None]] = np.inf
    return np.take_along_axis(words, np.argsort(wait, 1, kind="stable"), 1)[:, :length]


@lru_cache(maxsize=2)
def _open_storm(minds: Minds, familiar: float) -> Brainstorm:
    """The brainstorm of trappers who do not think of what the clue-giver will avoid: one for all lists."""
    return Brainstorm(minds, familiar)


@lru_cache(maxsize=200)
def trap_list(minds: Minds, policy: int, length: int) -> np.ndarray:
    """The trapped ranks (from 0) of every scene, one row each, and no more of what trappers think of."""
    return _thought_of(minds, policy, length).astype(np.int16)


def _thought_of(minds: Minds, policy: int, length: int) -> np.ndarray:
    familiar = minds.personal if policy in (Trapper.PERSONAL, Trapper.PERSONAL_ANTICIPATE) else minds.familiar
    if policy in (Trapper.ANTICIPATE, Trapper.PERSONAL_ANTICIPATE):
        reach = min(RANKS, length + minds.expect_extra)
        return Brainstorm(minds, familiar, reach, 1 - minds.expect_control).words(length)[:, :length]
    if policy == Trapper.STRAY:
        first = uniform(Luck.STRAY, minds.first + np.arange(minds.scenes), np.arange(1)) * RANKS
        return (first.astype(np.int64) + STRIDE * np.arange(length)) % RANKS
    storm = _open_storm(minds, familiar)
    if policy == Trapper.COVER:
        return covering(storm, length)
    if policy == Trapper.REPEAT:
        return storm.words(1)[:, :1]
    if policy == Trapper.SECOND:
        return storm.words(length + 2)[:, 2:length + 2]
    if policy == Trapper.SPLIT:
        half, ranked = (length + 1) // 2, storm.words(length + 2)
        return np.hstack([ranked[:, :half], ranked[:, half + 2:length + 2]])
    if policy not in (Trapper.OBVIOUS, Trapper.PERSONAL):
        raise ValueError(f"there are no trappers {policy}")
    return storm.words(length)[:, :length]


@lru_cache(maxsize=2)
def _sums(minds: Minds) -> tuple[np.ndarray, np.ndarray, float]:
    _, g = people(minds)
    tell = telling(minds)
    base = float((classes(minds) * tell).sum(1).mean())
    zero = np.zeros((len(g), 1))
    return np.hstack([zero, np.cumsum(g, 1)]), np.hstack([zero, np.cumsum(g * tell, 1)]), base


def _near_and_far(minds: Minds, taste: Taste, length: int) -> np.ndarray:
    """What of the clue-giver's thoughts is said at all, in every scene."""
    mass, _, _ = _sums(minds)
    return taste.far + (taste.near - taste.far) * mass[:, taste.reach(length)]


@lru_cache(maxsize=600)
def hazards(minds: Minds, tastes: tuple[Taste, ...], policy: int, length: int) -> np.ndarray:
    """The chance that a content word hits the list, by taste and scene."""
    _, g = people(minds)
    traps = trap_list(minds, policy, length)
    hit = np.take_along_axis(g, traps, 1)
    out = np.zeros((len(tastes), minds.scenes), np.float32)
    for i, taste in enumerate(tastes):
        if taste.any_rank:
            caught = np.full(minds.scenes, traps.shape[1] / RANKS)
        else:
            said = np.where(traps < taste.reach(length), taste.near, taste.far)
            caught = (hit * said).sum(1) / _near_and_far(minds, taste, length)
        out[i] = np.minimum(HAZARD_CAP, minds.family * caught)
    return out


@lru_cache(maxsize=200)
def tellings(minds: Minds, tastes: tuple[Taste, ...], length: int) -> np.ndarray:
    """How much a content word tells, against a usual one, by taste and scene: whatever the trappers do."""
    _, tells, base = _sums(minds)
    out = np.zeros((len(tastes), minds.scenes), np.float32)
    for i, taste in enumerate(tastes):
        if taste.any_rank:
            out[i] = law_of_telling(minds).mean() / base
        else:
            near, far, reach = taste.near, taste.far, taste.reach(length)
            told = (far * tells[:, -1] + (near - far) * tells[:, reach]) / _near_and_far(minds, taste, length)
            out[i] = told / base
    return out


def burns(found: np.ndarray, notice: float) -> np.ndarray:
    """What a content word burns of the fuse, if what it hits is noticed."""
    return -np.log1p(-notice * found)


@disk_cached("scipy")
def library(minds: Minds, tastes: tuple[Taste, ...], lengths: tuple[int, ...], notice: float) -> np.ndarray:
    """What a content word burns of the fuse in these lists, by length, trappers and taste."""
    return burns(np.stack([[hazards(minds, tastes, policy, length) for policy in range(TRAPPERS)]
                           for length in lengths]), notice)


@disk_cached("scipy")
def told(minds: Minds, tastes: tuple[Taste, ...], lengths: tuple[int, ...]) -> np.ndarray:
    """How much a content word tells beside these lists, by length and taste."""
    return np.stack([tellings(minds, tastes, length) for length in lengths])
