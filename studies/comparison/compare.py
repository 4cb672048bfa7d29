"""The same games under two variants: how many flip, which way, and where their histories part."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hardmode.scenarios.load import Playable, Scenario, Variant, as_scenario
from hardmode.scenarios.parameter import yaml_text
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS, Game
from hardmode.sim.draws import DECISION
from hardmode.sim.play.backends import Answer, Order, Pace, crew
from hardmode.sim.play.engine import Desk, Engine
from hardmode.sim.replay import choices, logged
from hardmode.studies.core.metric import won
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import rate, with_interval

GAMES = 20_000
BLOCK = 1 << 14
LEDGER = 400  # flips of each kind whose histories are laid side by side
STORIES = 3


@dataclass(frozen=True)
class Parting:
    """Where two histories of one game first differ."""

    game: int
    gained: bool  # lost under A, won under B
    source: str
    round: int
    lost_by: str = ""  # the ending under the side that lost it
    to: tuple[int, ...] = ()  # the seats that won there


@dataclass
class Comparison:
    a: Variant
    b: Variant
    seed: int
    confidence: float
    names: tuple[str, str] = ("", "")  # of the scenarios
    cells: int = 1  # comparisons made together: the intervals hold for all at once
    pairs: np.ndarray = field(
        default_factory=lambda: np.zeros((2, 2), np.int64)
    )  # won under A, won under B
    endings: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    same_rows: int = 0
    length: list[int] = field(
        default_factory=lambda: [0, 0]
    )  # sum of differences, of their squares
    score: list[int] = field(default_factory=lambda: [0, 0])
    flips: dict[bool, list[int]] = field(default_factory=lambda: {True: [], False: []})
    lost_by: dict[int, tuple[str, tuple[int, ...]]] = field(
        default_factory=dict
    )  # how, and to whom, those were lost
    content: dict[tuple[str, int], np.ndarray] = field(
        default_factory=dict
    )  # pairs, by what A dealt
    partings: list[Parting] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return self.a.game

    @property
    def games(self) -> int:
        return int(self.pairs.sum())

    @property
    def gained(self) -> int:
        return int(self.pairs[0, 1])

    @property
    def lost(self) -> int:
        return int(self.pairs[1, 0])

    @property
    def level(self) -> float:
        return estimates.simultaneous(self.confidence, self.cells)

    @property
    def difference(self) -> Estimate:
        """B's win rate minus A's."""
        (neither, only_b), (only_a, both) = self.pairs.tolist()
        return estimates.paired_difference(both, only_b, only_a, neither, self.level)

    @property
    def settled(self) -> bool:
        """Whether the interval leaves no doubt about the direction, or no game differs at all."""
        d = self.difference
        return d.low > 0 or d.high < 0 or self.same_rows == self.games

    def win_rate(self, b: bool) -> Estimate:
        wins = int(self.pairs.sum(axis=0 if b else 1)[1])
        return estimates.rate(wins, self.games, self.level)

    def ending_changes(self, level: float | None = None) -> list[tuple[str, Estimate, int, int]]:
        """For each ending: the change of its share, and how often it came under A and under B."""
        out = []
        for i, name in enumerate(self.game.all_endings):
            both = int(self.endings[i, i])
            under_a, under_b = int(self.endings[i].sum()), int(self.endings[:, i].sum())
            if under_a or under_b:
                rest = self.games - under_a - under_b + both
                change = estimates.paired_difference(
                    both, under_b - both, under_a - both, rest, level or self.level
                )
                out.append((name, change, under_a, under_b))
        return out

    def mean_change(self, sums: list[int], level: float | None = None) -> Estimate:
        return estimates.mean(self.games, sums[0], sums[1], level or self.level)

    def ledger(self, gained: bool) -> list[dict[str, Any]]:
        """By source and round, the share of the flips of one kind whose histories part there."""
        parts = [p for p in self.partings if p.gained == gained]
        counts = Counter((p.source, p.round) for p in parts)
        return [
            {
                "flip": "gained" if gained else "lost",
                "source": source,
                "round": r,
                "flips": n,
                "share": n / len(parts),
            }
            for (source, r), n in counts.most_common()
        ]

    def causes(self, gained: bool) -> list[dict[str, Any]]:
        """The flips of one kind by how and to whom they were lost, and of each the place where most histories part,
        with a game."""
        parts = [p for p in self.partings if p.gained == gained]
        out = []
        for (ending, to), n in Counter((p.lost_by, p.to) for p in parts).most_common():
            like = [p for p in parts if (p.lost_by, p.to) == (ending, to)]
            (source, round_), there = Counter((p.source, p.round) for p in like).most_common(1)[0]
            game = next(p.game for p in like if (p.source, p.round) == (source, round_))
            out.append(
                {
                    "flip": "gained" if gained else "lost",
                    "lost_by": ending,
                    "to": list(to),
                    "flips": n,
                    "share": n / len(parts),
                    "source": source,
                    "round": round_,
                    "parts_there": there,
                    "game": game,
                }
            )
        return out

    def by_content(self) -> list[dict[str, Any]]:
        """The change in the games that hold each value of what sets games apart; the intervals hold together."""
        labels = {m.name: m.labels for m in self.game.measures}
        known = [
            (factor, value, pairs)
            for (factor, value), pairs in sorted(self.content.items())
            if sum(factor == other for other, _ in self.content) > 1
        ]
        level, out = estimates.simultaneous(self.level, max(1, len(known))), []
        for factor, value, ((neither, only_b), (only_a, both)) in known:
            change = estimates.paired_difference(
                int(both), int(only_b), int(only_a), int(neither), level
            )
            out.append(
                {
                    "factor": factor,
                    "is": labels[factor][value] if value < len(labels[factor]) else str(value),
                    "games": int(neither + only_b + only_a + both),
                    "gained": int(only_b),
                    "lost": int(only_a),
                    "value": change.value,
                    "low": change.low,
                    "high": change.high,
                }
            )
        return out

    def more_games(self, power: float = 0.9) -> int:
        """Pairs that would settle a difference as large as the one seen; 0 when it is settled."""
        if self.settled:
            return 0
        return max(
            0,
            estimates.pairs_needed(self.gained, self.lost, self.games, self.level, power)
            - self.games,
        )

    def unpaired_games(self, power: float = 0.9) -> int:
        """Games on each side that would be needed without the same luck."""
        return estimates.games_needed(
            self.win_rate(False).value, self.win_rate(True).value, self.level, power
        )

    def pairs_enough(self, power: float = 0.9) -> int:
        return estimates.pairs_needed(self.gained, self.lost, self.games, self.level, power)


class Incomparable(ValueError):
    """Two scenarios whose games cannot be laid side by side."""


class Comparisons(list[Comparison]):
    """One comparison for each cell; printed, what the change does in each."""

    def __str__(self) -> str:
        return "\n".join(self._lines()) if self else "nothing was compared"

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        first = self[0]
        yield f"{first.game.title}, the same games under both"
        yield f"A: {side_text(first.a)}"
        yield f"B: {side_text(first.b)}"
        for c in self:
            cell = f"{c.a.label_text}: " if c.a.label else ""
            settled = "settled" if c.settled else "not settled"
            yield (
                f"{cell}win rate {rate(c.win_rate(False))} under A, {rate(c.win_rate(True))} under B: "
                f"{with_interval(c.difference, 'points')} points, {settled}"
            )
            yield f"  of {c.games:,} games, {c.gained:,} are newly won and {c.lost:,} newly lost under B"
        together = f" for all {len(self)} cells together" if len(self) > 1 else ""
        yield f"intervals hold at {100 * first.confidence:g} %{together}; seed {first.seed}"


def compare(
    a: Playable,
    b: Playable,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    until: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    confidence: float | None = None,
    progress: Progress = silent,
) -> Comparisons:
    """Play the same games under A and B, in each cell of a grid; the intervals hold for all cells at once.

    `a` and `b` are shipped names, paths, dicts, or what `load` or `variant` returned. With `until`, a cell stops once
    its difference is known to within that, as in `until=0.002` for 0.2 points.
    """
    a, b = as_scenario(a), as_scenario(b)
    effort = (
        (effort or Effort(GAMES))
        .changed(games=games, until=until, seed=seed, threads=threads, confidence=confidence)
        .on(a)
    )
    same_shape(a, b)
    return Comparisons(
        compare_cell(
            x,
            y,
            effort,
            cells=len(a.cells),
            names=(a.name, b.name),
            progress=part(progress, i, len(a.cells), x.label_text),
        )
        for i, (x, y) in enumerate(zip(a.cells, b.cells, strict=True))
    )


def same_shape(a: Scenario, b: Scenario) -> None:
    if a.game.name != b.game.name:
        raise Incomparable(
            f"{a.name} plays {a.game.title}, {b.name} plays {b.game.title}: only games of one kind "
            "can be compared"
        )
    if len(a.cells) != len(b.cells):
        raise Incomparable(
            f"{a.name} has {len(a.cells)} cells and {b.name} {len(b.cells)}: compare grids of one shape"
        )


def compare_cell(
    a: Variant,
    b: Variant,
    effort: Effort,
    *,
    cells: int = 1,
    names: tuple[str, str] = ("", ""),
    progress: Progress = silent,
    histories: bool = True,
) -> Comparison:
    """Play the same games under both; with `effort.until`, stop once the difference is known to within it.

    With `histories`, those of flipped games are laid side by side.
    """
    effort = effort.on(None)
    made = engine(a), engine(b)
    found = Comparison(a, b, effort.seed, effort.confidence, names, cells)
    n = len(a.game.all_endings)
    found.endings = np.zeros((n, n), np.int64)
    begun = time.perf_counter()
    for x, y in _played(made, effort):
        _count(found, x.order.lo, x.rows, y.rows)
        progress("", found.games / effort.games, 2 * found.games / (time.perf_counter() - begun))
        if (
            effort.until
            and found.games % BLOCK == 0  # not at some time: then it would be other games next time
            and (found.difference.high - found.difference.low) / 2 <= effort.until
        ):
            break
    if histories:
        _lay_side_by_side(found, made, effort)
    return found


def _played(made: Sequence[Engine], effort: Effort) -> Iterator[tuple[Answer, ...]]:
    """The rows of the same games by each engine, chunk by chunk; a chunk is of one block."""
    pace, stop = Pace(effort.chunk, bool(effort.chunk)), effort.first + effort.games
    spans = (
        span
        for at in range(effort.first, stop, BLOCK)
        for span in pace.spans(at, min(stop, at + BLOCK))
    )
    answers = crew(effort.threads).rows(
        Order(e, effort.seed, *span) for span in spans for e in made
    )
    for both in zip(*[answers] * len(made), strict=True):
        pace.learn(both[-1].games, both[-1].seconds)
        yield both


def _count(found: Comparison, first: int, a: np.ndarray, b: np.ndarray) -> None:
    won_a, won_b = won(found.game, a), won(found.game, b)
    outcome, endings = 2 * won_a + won_b, len(found.endings)
    found.pairs += np.bincount(outcome, minlength=4).reshape(2, 2)
    found.endings += np.bincount(endings * a[ENDING] + b[ENDING], minlength=endings**2).reshape(
        endings, endings
    )
    _add_content(found, a, outcome)
    found.same_rows += int((a == b).all(axis=0).sum())
    for sums, column in ((found.length, ROUNDS), (found.score, SCORES)):
        change = b[column].astype(np.int64) - a[column]
        sums[0] += int(change.sum())
        sums[1] += int((change * change).sum())
    for gained in (True, False):
        room = LEDGER - len(found.flips[gained])
        games = np.flatnonzero((won_b & ~won_a) if gained else (won_a & ~won_b))[:room]
        found.flips[gained] += [first + int(g) for g in games]
        loser = a if gained else b
        found.lost_by.update(
            {
                first + int(g): (
                    found.game.all_endings[int(loser[ENDING, g])],
                    _winners(found.game, int(loser[WINNERS, g])),
                )
                for g in games
            }
        )


def _winners(game: Game, mask: int) -> tuple[int, ...]:
    return tuple(s + 1 for s in range(game.seats) if mask >> s & 1)


def _add_content(found: Comparison, a: np.ndarray, outcome: np.ndarray) -> None:
    """Count the pairs by each value of each factor; of one per seat, by those that sit at the table."""
    names = found.game.columns
    for measure in (m for m in found.game.measures if m.factor):
        own = (
            [f"{measure.name} {s + 1}" for s in range(found.game.seats)]
            if measure.per_seat
            else [measure.name]
        )
        dealt = a[[names.index(name) for name in own]]
        for seat, values in enumerate(dealt):
            here = (values >= 0) & ~(dealt[:seat] == values).any(
                axis=0
            )  # once, also where two have the same
            most = int(values.max())
            pairs = np.bincount(4 * values[here] + outcome[here], minlength=4 * (most + 1)).reshape(
                -1, 2, 2
            )
            for value in np.flatnonzero(pairs.any(axis=(1, 2))).tolist():
                found.content[measure.name, value] = (
                    found.content.get((measure.name, value), 0) + pairs[value]
                )


def _lay_side_by_side(found: Comparison, made: tuple[Engine, Engine], effort: Effort) -> None:
    flips = [(g, gained) for gained, games in found.flips.items() for g in games]
    with ThreadPoolExecutor(effort.threads or 2) as pool:
        desks = [(Desk(found.game), Desk(found.game)) for _ in range(effort.threads or 2)]

        def part(job: tuple[int, tuple[int, bool]]) -> Parting:
            pair = desks.pop()
            try:
                number, gained = job[1]
                lost_by, to = found.lost_by[number]
                return replace(
                    parting(made, pair, effort.seed, number, gained), lost_by=lost_by, to=to
                )
            finally:
                desks.append(pair)

        found.partings = list(pool.map(part, enumerate(flips)))


def parting(
    made: tuple[Engine, Engine], desks: tuple[Desk, Desk], seed: int, number: int, gained: bool
) -> Parting:
    """The first draw or decision in which two histories of a game differ: in play, or else in the deal.

    A change of what lies in the box deals all games otherwise, which says nothing: told is where it first shows.
    """
    game = made[0].game
    a, b = (_history(e, d, seed, number) for e, d in zip(made, desks, strict=True))
    starts = [_first(one[:, 0] == DECISION) for one in (a, b)]
    played, dealt = (a[starts[0] :], b[starts[1] :]), (a[: starts[0]], b[: starts[1]])
    name, round_ = next(
        filter(None, (_first_other(game, *part) for part in (played, dealt))), ("the end itself", 0)
    )
    return Parting(number, gained, name, round_)


def _first_other(game: Game, a: np.ndarray, b: np.ndarray) -> tuple[str, int] | None:
    """Where two parts of histories first differ, and in which round; nothing where they are the same."""
    both = min(len(a), len(b))
    at = _first(~_same(a[:both], b[:both]))
    decided = np.flatnonzero(a[:both][: at + 1, 0] == DECISION)
    round_ = int(a[decided[-1], 3]) if decided.size else 0
    if at < both:
        return _named(game, a[at], b[at]), round_
    rest = (a if len(a) > len(b) else b)[both:]
    return (_named(game, rest[0], rest[0]), round_) if len(rest) else None


def _first(those: np.ndarray) -> int:
    """The first of which something holds, or how many there are."""
    return int(those.argmax()) if those.any() else len(those)


def _history(made: Engine, desk: Desk, seed: int, number: int) -> np.ndarray:
    choices(made, desk, seed, number, log=True)
    return logged(desk)


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whether each of the one and of the other is the same event with the same result, out of however many that could
    have been; a decision at whichever step."""
    alike = a == b
    return alike[:, [0, 2, 3, 5]].all(axis=1) & (alike[:, 1] | (a[:, 0] == DECISION))


def _named(game: Game, x: np.ndarray, y: np.ndarray) -> str:
    """A draw that only one history makes, or makes otherwise, comes before a decision."""
    for entry in (y, x):
        if entry[0] != DECISION:
            return game.sources[int(entry[0])].name
    return f"decision: {game.kinds[int(y[2])]}"


def examples(found: Comparison) -> list[Parting]:
    """Flips worth a look: from the most common places where histories part."""
    places = Counter((p.gained, p.source, p.round) for p in found.partings)
    out: list[Parting] = []
    for place, _ in places.most_common(STORIES):
        out.append(next(p for p in found.partings if (p.gained, p.source, p.round) == place))
    return out


def side_text(v: Variant) -> str:
    """What is played on one side, in a few words."""
    changed = ", ".join(
        f"{p}={yaml_text(new)}" for p, (_, new) in v.changed.items() if p not in v.label
    )
    who = ", ".join(dict.fromkeys(map(str, v.strategies)))
    return f"{v.title}{f' with {changed}' if changed else ''}{v.with_box}, played by {who}"
