"""When is a game decided, how many rounds are still played then, how often is it turned?

A game is looked at whenever a round is over: the chance of every side, as all who play know it together, by playing on
in worlds that they cannot tell from the real one (`sim.play.rollouts`). What a look says (this side is beyond 90 %, this side
leads) comes from a sequential test that goes on until it is settled, so that it does not hang on how many worlds are
played: the tests err in one look of a hundred, and leave room only within three points of 90 % (see `Look`).

    found = decided("run_run_run/standard", games=200)     # one `Decided` for each cell
    found[0].games                                         # one `Watched` for each game
    found[0].dead, found[0].turned, found[0].by("lost")    # estimates with intervals
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count, pairwise
from math import log
from typing import Any

import numpy as np

from hardmode.scenarios.load import Playable, Variant, as_scenario
from hardmode.sim.contract import ROUNDS, SCORES, WINNERS, Game
from hardmode.sim.draws import DECISION
from hardmode.sim.play.backends import Asked, crew
from hardmode.sim.play.engine import Desk, Engine
from hardmode.sim.play.rollouts import Worlds
from hardmode.sim.replay import choices, logged
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.reference_players import BESIDE, by_steady, studied
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

SECONDS = 20.0
BATCHES = (0, 24, 48, 80, 128, 256, 512, 1024)  # the worlds after which a look is judged
BEYOND, LOST = (
    (0.87, 0.93),
    (0.07, 0.13),
)  # a side is decided from 90 % on, within three points; lost below 10 %
LEADS = (0.5, 0.65)  # of the worlds that one of two sides wins, what the leader has
ERROR = 0.01  # how often a look may err, outside of these


@dataclass(frozen=True)
class Look:
    """The chances after so many rounds."""

    rounds: int  # that are over
    worlds: int
    chance: float  # of the side that won in the end
    beyond: bool  # that chance is beyond 90 %
    lost: bool  # that chance is below 10 %
    leader: int  # the side that leads clearly, or -1


@dataclass(frozen=True)
class Watched:
    """One game: when it was decided, and how it went until then."""

    number: int
    won: bool  # by those who play together; where seats compete, by the first
    side: int  # which won in the end: a seat; where all play together 0 for them and 1 for the game
    rounds: int
    looks: tuple[Look, ...]
    margin: int | None  # by which the winner leads in the end, where seats compete for a score

    @property
    def decided(self) -> int:
        """After how many rounds the winner's chance stays beyond 90 %; where it never does, when the game is over."""
        after = self.rounds
        for one in reversed(self.looks):
            if not one.beyond:
                break
            after = one.rounds
        return min(after, self.rounds)

    @property
    def dead(self) -> int:
        """How many rounds were played after it was decided."""
        return self.rounds - self.decided

    @property
    def changes(self) -> int:
        """How often the lead went from one side to another."""
        led = [one.leader for one in self.looks if one.leader >= 0] + [self.side]
        return sum(a != b for a, b in pairwise(led))

    @property
    def turned(self) -> bool:
        """Whether who won in the end had less than 10 % before."""
        return any(one.lost for one in self.looks)


@dataclass(frozen=True)
class Decided:
    """All games of one cell that were watched."""

    cell: Variant
    players: list[str]
    seed: int
    confidence: float
    games: list[Watched] = field(repr=False)
    steady: Decided | None = None  # the same with `steady` where `trained` plays

    @property
    def rivals(self) -> bool:
        return self.cell.game.competitive and self.cell.players > 1

    @property
    def groups(self) -> dict[str, list[Watched]]:
        """All games and, where seats do not compete, those won and those lost."""
        if self.rivals:
            return {"all": self.games}
        won = [g for g in self.games if g.won]
        return {"all": self.games, "won": won, "lost": [g for g in self.games if not g.won]}

    def decided(self, group: str = "all") -> Estimate:
        """The median of the rounds after which games are decided."""
        return self._median([g.decided for g in self.groups[group]])

    def length(self, group: str = "all") -> Estimate:
        return self._median([g.rounds for g in self.groups[group]])

    def dead(self, group: str = "all") -> Estimate:
        """The mean of the rounds that are played after a game is decided."""
        return self._mean([g.dead for g in self.groups[group]])

    def dragging(self, group: str = "all") -> Estimate:
        """The share of games that are decided for at least half of their rounds."""
        return self.share(lambda g: 2 * g.dead >= g.rounds, group)

    def changes(self, group: str = "all") -> Estimate:
        """The mean of how often the lead changes."""
        return self._mean([g.changes for g in self.groups[group]])

    def turned(self, group: str = "all") -> Estimate:
        """The share of games whose winner had less than 10 % before."""
        return self.share(lambda g: g.turned, group)

    def narrow(self, group: str = "all") -> Estimate:
        """The share of games that are still open when their last round begins."""
        return self.share(lambda g: g.dead == 0, group)

    def margin(self) -> Estimate | None:
        """The median lead in the end, where seats compete for a score."""
        margins = [g.margin for g in self.games if g.margin is not None]
        return self._median(margins) if margins else None

    def by(self, group: str = "all") -> list[tuple[int, Estimate, Estimate]]:
        """For every number of rounds, the share of games that are decided by then, and that are over by then."""
        games = self.groups[group]
        most = max((g.rounds for g in games), default=0)
        return [
            (
                r,
                self._rate(sum(g.decided <= r for g in games), len(games)),
                self._rate(sum(g.rounds <= r for g in games), len(games)),
            )
            for r in range(most + 1)
        ]

    def share(self, holds: Callable[[Watched], bool], group: str = "all") -> Estimate:
        """The share of the games of a group of which something holds."""
        games = self.groups[group]
        return self._rate(sum(map(holds, games)), len(games))

    def _rate(self, k: int, n: int) -> Estimate:
        return estimates.rate(k, n, self.confidence)

    def _mean(self, values: Sequence[int]) -> Estimate:
        """The mean of what is never below 0."""
        found = estimates.mean(
            len(values), sum(values), sum(v * v for v in values), self.confidence
        )
        return replace(found, low=max(0.0, found.low))

    def _median(self, values: Sequence[int]) -> Estimate:
        return estimates.quantile(Counter(values), 0.5, self.confidence)


def decided(
    what: Playable,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    seconds: float = SECONDS,
    asked: Sequence[str] = (),
    progress: Progress = silent,
) -> list[Decided]:
    """Watch so many games of each cell of a scenario, or as many as the time allows, and as the designing studies play
    (`trained` instead of `steady`, unless `asked` for); with `steady` beside."""
    scenario = as_scenario(what)
    effort = (effort or Effort()).on(scenario)
    found = []
    for i, cell in enumerate(scenario.cells):
        step = part(progress, i, len(scenario.cells), cell.label_text)
        found.append(
            of_cell(studied(cell, asked), effort, games, seconds / len(scenario.cells), step)
        )
    return found


def of_cell(
    cell: Variant, effort: Effort, games: int | None, seconds: float, progress: Progress = silent
) -> Decided:
    """The same of one cell, as it is."""
    other = by_steady(cell)
    beside = BESIDE if other else 0.0
    mine = _watched(cell, effort, games, (1 - beside) * seconds, part(progress, 0, 1))
    if not other:
        return mine
    steady = _watched(other, effort, games, beside * seconds, silent)
    return replace(mine, steady=steady)


def _watched(
    cell: Variant, effort: Effort, games: int | None, seconds: float, progress: Progress
) -> Decided:
    made = engine(cell)
    found = [] if games == 0 else list(_each(made, cell.players, effort, games, seconds, progress))
    return Decided(cell, [p.name for p in made.players], effort.seed, effort.confidence, found)


def _each(
    made: Engine, seats: int, effort: Effort, games: int | None, seconds: float, progress: Progress
) -> Iterator[Watched]:
    """Games one after the other: all that are asked for, or what the time allows."""
    begun = time.perf_counter()

    def asked() -> Iterator[Asked]:
        for n in count() if games is None else range(games):
            if games is None and n and time.perf_counter() - begun >= seconds:
                return
            yield made, (effort.seed, effort.first + n, seats)

    for n, found in enumerate(crew(effort.threads).each(watched, asked()), 1):
        took = time.perf_counter() - begun
        progress("watching games", min(n / games if games else took / seconds, 1.0), n / took)
        yield Watched(**{**found, "looks": tuple(Look(**one) for one in found["looks"])})


def watched(made: Engine, desk: Desk, seed: int, number: int, seats: int) -> dict[str, Any]:
    """One game, as plain values."""
    return asdict(watch(Worlds(made, seed), desk, number, seats))


def watch(worlds: Worlds, desk: Desk, number: int, seats: int) -> Watched:
    """Play one game, and look at it whenever a round is over."""
    game = worlds.engine.game
    script, row = choices(worlds.engine, desk, worlds.seed, number, log=True)
    begins = round_begins(worlds, desk, number, script)
    side = int(sides(game, seats, row[WINNERS : WINNERS + 1])[0])
    rounds = max(int(row[ROUNDS]), begins[-1][0] + 1) if begins else int(row[ROUNDS])
    found = []
    for over, step in begins:
        worlds.stand(desk, number, script, step)
        found.append(look(worlds, desk, number, seats, step, over, side))
    scores = sorted((int(s) for s in row[SCORES : SCORES + seats]), reverse=True)
    rivals = game.competitive and seats > 1
    margin = scores[0] - scores[1] if rivals and game.scored else None
    return Watched(
        number,
        bool(row[WINNERS] & 1 if game.competitive else row[WINNERS]),
        side,
        rounds,
        tuple(found),
        margin,
    )


def round_begins(
    worlds: Worlds, desk: Desk, number: int, script: np.ndarray
) -> list[tuple[int, int]]:
    """How many rounds were over, and at which step, whenever a round began with a decision."""
    log_of = logged(desk)
    seen = log_of[log_of[:, 0] == DECISION][:, 3].tolist()
    for step in range(len(seen), len(script)):  # of a game so long that its log was full
        worlds.stand(desk, number, script, step)
        seen.append(int(desk.tables.view(np.ndarray)["round"][0]))
    begins: list[tuple[int, int]] = []
    for step, at in enumerate(seen):
        if not begins or at - seen[0] > begins[-1][0]:
            begins.append((at - seen[0], step))
    return begins


def sides(game: Game, seats: int, winners: np.ndarray) -> np.ndarray:
    """Which side wins, by the bits of those who win: 0 for players together and 1 for the game; where seats compete the
    first of them that wins, and one more for nobody."""
    if not game.competitive or seats == 1:
        return np.where(winners != 0, 0, 1)
    found = np.full(len(winners), seats)
    for seat in reversed(range(seats)):
        found[winners >> seat & 1 == 1] = seat
    return found


def look(
    worlds: Worlds, desk: Desk, number: int, seats: int, step: int, over: int, side: int
) -> Look:
    """Play a position on until every test is settled, or in the most worlds."""
    counts = np.zeros(max(2, seats + 1), np.int64)
    for lo, hi in pairwise(BATCHES):
        winners, _ = worlds.winners(desk, number, step, lo, hi)
        won = sides(worlds.engine.game, seats, winners[winners >= 0])
        counts += np.bincount(won, minlength=len(counts))
        mine, n = int(counts[side]), int(counts.sum())
        second, first = np.argsort(counts, kind="stable")[-2:]
        ahead = settled(int(counts[first]), int(counts[first] + counts[second]), *LEADS)
        beyond, lost = settled(mine, n, *BEYOND), settled(mine, n, *LOST)
        if ahead and beyond and lost:
            break
    chance = mine / n if n else 0.5
    return Look(
        over,
        n,
        chance,
        (beyond or chance - sum(BEYOND) / 2) > 0,
        (lost or chance - sum(LOST) / 2) < 0,
        int(first) if ahead > 0 else -1,
    )


def settled(k: int, n: int, low: float, high: float) -> int:
    """Whether k of n say that the share is the higher one (1), the lower one (-1), or not yet (0): Wald's test."""
    ratio = k * log(high / low) + (n - k) * log((1 - high) / (1 - low))
    bound = log((1 - ERROR) / ERROR)
    return 1 if ratio >= bound else -1 if ratio <= -bound else 0
