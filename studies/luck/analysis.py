"""Luck and skill: the share of every source of chance, of the players' own chance, and of who plays."""

from __future__ import annotations

import difflib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Playable, Scenario, Variant, as_scenario
from hardmode.sim.contract import SCORES, Game
from hardmode.sim.draws import COINS, DECISION, Event, game_key, mask_of
from hardmode.sim.play.backends import BLOCK
from hardmode.sim.play.engine import Desk, Engine, Player
from hardmode.sim.play.run import Runner
from hardmode.sim.replay import choices, logged
from hardmode.strategies import registry
from hardmode.studies.core.metric import won
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.reference_players import BESIDE, by_steady, disagree
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.core.skill_levels import RUNGS
from hardmode.studies.stats.sobol import GROUPS, Ladder, LevelShares, Share, Shares, Swaps

SECONDS = 20.0
LOOK = 200  # the games whose draws are looked at for what is drawn
LOOKING, CLIMBING = 0.1, 0.25  # the shares of the time for that, and for who plays
COINS_NAME, SETUP_NAME = "the players' own chance", "set-up"


class LuckError(ValueError):
    """What is asked about the luck of a game has no answer; says why."""


@dataclass(frozen=True)
class Part:
    """Something that is swapped apart: a source, the set-up as one, the players' coins, or a single draw."""

    name: str
    what: int | Event
    draws: float = 0.0  # in a game
    of: tuple[str, ...] = ()  # the sources of the set-up


@dataclass(frozen=True)
class Drawn:
    """What is drawn in some games that were looked at."""

    games: int
    draws: dict[int, float]  # by source, in a game
    early: tuple[int, ...]  # the sources that are drawn before the first decision and never after
    single: float = 0.0  # how often the draw that was asked for is made


@dataclass(frozen=True)
class Luck:
    scenario: Scenario
    cell: Variant
    players: list[str]
    seed: int
    confidence: float
    sources: list[Part]
    coins: Part
    more: list[Part]  # contained in the sources: the set-up, a single draw
    win: Shares
    score: Shares | None  # of seat 1, where the score is itself a result
    rungs: list[str]
    left_out: list[str]
    levels: LevelShares
    level_scores: LevelShares | None
    steady: Shares | None = None  # of winning where `steady` plays, if `trained` does

    @property
    def disagreed(self) -> list[Part]:
        """What holds another measure of winning where `steady` plays."""
        return [
            p
            for p in (*self.sources, self.coins)
            if self.steady
            and self.steady.known
            and self.win.known
            and disagree(self.share(self.win, p).total, self.share(self.steady, p).total)
        ]

    @property
    def game(self) -> Game:
        return self.cell.game

    @property
    def rivals(self) -> bool:
        return self.game.competitive and self.cell.players > 1

    @property
    def outcomes(self) -> dict[str, Shares]:
        return {"win": self.win, **({"score": self.score} if self.score else {})}

    def share(self, shares: Shares, part: Part) -> Share:
        return shares.parts[[*self.sources, self.coins, *self.more].index(part)]

    def ranked(self, shares: Shares) -> list[Part]:
        """The sources, the largest total first."""
        return sorted(
            self.sources,
            key=lambda part: -self.share(shares, part).total.value if shares.known else 0.0,
        )


def luck(
    what: Playable,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    seconds: float = SECONDS,
    draw: str = "",
    progress: Progress = silent,
) -> Luck:
    """The luck of a scenario's first cell: so many games played with each part swapped, or what the time allows.

    `draw` asks for one draw by its address, as in "die 1 0 0".
    """
    scenario = as_scenario(what)
    cell = scenario.cells[0]
    effort = (effort or Effort()).on(scenario)
    if len(cell.game.sources) > COINS:
        raise LuckError(
            f"{cell.game.title} has {len(cell.game.sources)} sources of chance; {COINS} can be told apart"
        )
    asked = address(cell.game, draw) if draw else None
    made = engine(cell)
    rungs, left_out = ladder(cell, made)
    drawn = look(made, effort, min(LOOK, games or LOOK), LOOKING * seconds, asked)
    sources = [Part(cell.game.sources[s].name, 1 << s, n) for s, n in drawn.draws.items()]
    more = (
        [
            Part(
                SETUP_NAME,
                mask_of(drawn.early),
                sum(drawn.draws[s] for s in drawn.early),
                tuple(cell.game.sources[s].name for s in drawn.early),
            )
        ]
        if len(drawn.early) > 1
        else []
    )
    more += [Part(draw, asked, drawn.single)] if asked else []
    climbed = climb(rungs, effort, games, CLIMBING * seconds, progress)
    coins = Part(COINS_NAME, 1 << COINS)
    other = by_steady(cell)
    beside = BESIDE if other else 0.0
    swapped = swap(
        made,
        [*sources, coins],
        more,
        effort,
        games,
        (1 - LOOKING - CLIMBING - beside) * seconds,
        progress,
    )
    steady = (
        swap(engine(other), [*sources, coins], [], effort, games, beside * seconds, progress)[0]
        if other
        else None
    )
    shares, levels = (
        [one.shares(effort.confidence) for one in swapped],
        [one.levels(effort.confidence) for one in climbed],
    )
    scored = cell.game.scored
    return Luck(
        scenario,
        cell,
        [p.name for p in made.players],
        effort.seed,
        effort.confidence,
        sources,
        coins,
        more,
        shares[0],
        shares[1] if scored else None,
        list(rungs),
        left_out,
        levels[0],
        levels[1] if scored else None,
        steady.shares(effort.confidence) if steady else None,
    )


def address(game: Game, text: str) -> Event:
    """The draw that is meant by the name of a source and up to three numbers."""
    words, names = text.split(), [s.name for s in game.sources]
    for n in range(min(3, len(words)), -1, -1):
        name, numbers = " ".join(words[: len(words) - n]), words[len(words) - n :]
        if name in names and all(x.lstrip("-").isdecimal() for x in numbers):
            labels = game.sources[names.index(name)].address
            needed = max((i + 1 for i, label in enumerate(labels) if label), default=0)
            if n < needed:
                parts = ", ".join(label or "0" for label in labels[:needed])
                raise LuckError(
                    f"{text!r}: a draw of {name} is one of {parts}: write "
                    f"{' '.join([name, *numbers, *['0'] * (needed - n)])!r}, for example"
                )
            return Event(names.index(name), *(int(x) for x in numbers))
    source = " ".join(word for word in words if not word.lstrip("-").isdecimal())
    near = difflib.get_close_matches(source, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    if source in names:
        hint = "write its name and at most three whole numbers"
    raise LuckError(f"{text!r}: no such draw of {game.title}; {hint}")


def look(made: Engine, effort: Effort, games: int, seconds: float, asked: Event | None) -> Drawn:
    """What is drawn, by the log of some games."""
    desk, stop = Desk(made.game), time.perf_counter() + seconds
    counts: Counter[int] = Counter()
    late, single, n = {DECISION}, 0, 0
    while n < games and (n < GROUPS or time.perf_counter() < stop):
        choices(made, desk, effort.seed, effort.first + n, log=True)
        log = logged(desk)
        counts.update(log[:, 0].tolist())
        decided = np.flatnonzero(log[:, 0] == DECISION)
        late.update(log[decided[0] :, 0].tolist() if len(decided) else [])
        single += int((log[:, :4] == asked).all(axis=1).any()) if asked else 0
        n += 1
    draws = {s: counts[s] / n for s in sorted(counts) if s != DECISION}
    return Drawn(n, draws, tuple(s for s in draws if s not in late), single / n)


def ladder(cell: Variant, made: Engine) -> tuple[dict[str, Engine], list[str]]:
    """The game with each rung of play, and the rungs that search, which takes too long."""
    game = cell.game
    who = {
        rung: registry.player(game.name, rung)
        for rung in RUNGS
        if rung in registry.names(game.name)
    }
    slow = [rung for rung, player in who.items() if player.budget]
    return {
        rung: engine(cell, seated(game, made.seated[: cell.players], player))
        for rung, player in who.items()
        if rung not in slow
    }, slow


def seated(game: Game, seats: Sequence[Player], player: Player) -> list[Player]:
    """A player at every seat, or at the first where seats compete."""
    return [player, *seats[1:]] if game.competitive else [player] * len(seats)


def climb(
    rungs: dict[str, Engine], effort: Effort, games: int | None, seconds: float, progress: Progress
) -> list[Ladder]:
    """Players of every rung play the same games."""
    found = [Ladder(len(rungs)), Ladder(len(rungs))]
    runners = [
        Runner(made, effort.seed, threads=effort.threads, chunk=effort.chunk)
        for made in rungs.values()
    ]
    for lo, hi, share in blocks(effort.first, games, seconds):
        rows = [
            outcomes(made.game, r.columns(lo, hi))
            for made, r in zip(rungs.values(), runners, strict=True)
        ]
        for one, of in zip(found, zip(*rows, strict=True), strict=True):
            one.add(lo, of)
        progress("who plays", CLIMBING * share)
    return found


def swap(
    made: Engine,
    apart: Sequence[Part],
    more: Sequence[Part],
    effort: Effort,
    games: int | None,
    seconds: float,
    progress: Progress,
) -> list[Swaps]:
    """The same games with luck A, with luck B, and with each part of one in the other."""
    parts = [*apart, *more]
    with np.errstate(over="ignore"):
        seeds = effort.seed, int(game_key(effort.seed, COINS)) >> 1
    a, b = (Runner(made, seed, threads=effort.threads, chunk=effort.chunk) for seed in seeds)
    found = [Swaps(len(parts), range(len(apart))) for _ in range(2)]
    for lo, hi, share in blocks(effort.first, games, seconds):

        def play(
            runner: Runner, part: Part | None = None, lo: int = lo, hi: int = hi
        ) -> list[np.ndarray]:
            other = seeds[runner is a]
            return outcomes(made.game, runner.columns(lo, hi, (part.what, other) if part else None))

        whole = play(a), play(b)
        swapped = [(play(a, part), play(b, part)) for part in parts]
        for i, one in enumerate(found):
            one.add(lo, whole[0][i], whole[1][i], [(x[i], y[i]) for x, y in swapped])
        progress("sources", CLIMBING + (1 - CLIMBING) * share)
    return found


def outcomes(game: Game, rows: np.ndarray) -> list[np.ndarray]:
    """Whether each game is won (where seats compete, by the first), and the score of the first seat."""
    return [won(game, rows).astype(float), rows[SCORES].astype(float)]


def blocks(first: int, games: int | None, seconds: float) -> Iterator[tuple[int, int, float]]:
    """Ranges of games to be played one after the other, and the share that is done after each: all games that are
    asked for, or what the time allows."""
    begun, lo, size = time.perf_counter(), first, GROUPS
    stop = first + games if games else None
    while True:
        hi = min(lo + size, stop) if stop else lo + size
        if stop:
            yield lo, hi, (hi - first) / (stop - first)
        else:
            yield lo, hi, min(1.0, (time.perf_counter() - begun) / seconds)
        lo, spent = hi, time.perf_counter() - begun
        if lo == stop or (stop is None and spent >= 0.95 * seconds):
            return
        ahead = 1.0 if stop else (seconds - spent) / 2
        size = int(np.clip((lo - first) / spent * ahead, GROUPS, BLOCK)) // GROUPS * GROUPS
