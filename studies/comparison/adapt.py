"""What a change does before and after players have adapted to it: each side is trained for its own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, StrategySpec
from hardmode.scenarios.strategy import spec
from hardmode.sim.files import atomic_files
from hardmode.sim.play.engine import Player
from hardmode.strategies import registry
from hardmode.studies.comparison.compare import same_shape
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.run import Effort, player
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.evaluation import Trials, seated
from hardmode.studies.training.train import Kept, Trained, train

REPEATS = 3
SECONDS = 60.0  # of all trainings together
A, B = 0, 1
Made = Trained | Kept


@dataclass(frozen=True)
class Moved:
    """A weight, as training for A and for B has it: means over the repeats."""

    weight: str
    a: float
    b: float
    share: float  # of the larger of the two


@dataclass(frozen=True)
class Adapted:
    """Who was trained for A or for B, under the rules of either."""

    won: np.ndarray  # by rules, trained for, repeat, game
    moved: list[Moved]
    trainings: list[tuple[Made, Made]]
    confidence: float

    @property
    def repeats(self) -> int:
        return self.won.shape[2]

    @property
    def games(self) -> int:
        return self.won.shape[3]

    def rate(self, rules: int, trained_for: int) -> Estimate:
        return self._estimate(self.won[rules, trained_for].astype(float))

    @property
    def direct(self) -> Estimate:
        """The effect on those who go on playing as A taught them."""
        return self._change((B, A), (A, A))

    @property
    def after(self) -> Estimate:
        """The effect when both sides play as their own rules taught them."""
        return self._change((B, B), (A, A))

    @property
    def back(self) -> Estimate:
        """What adapting gives back: the effect afterwards less the direct one."""
        return self._change((B, B), (B, A))

    def _change(self, now: tuple[int, int], before: tuple[int, int]) -> Estimate:
        return self._estimate(self.won[now].astype(float) - self.won[before])

    def _estimate(self, values: np.ndarray) -> Estimate:
        """The mean over repeats and games. Both are a sample: the trainings of all that could have been, the games
        of all luck; the half widths add as the sides of a triangle."""
        games = values.mean(axis=0)
        luck = estimates.z_two_sided(self.confidence) * games.std(ddof=1) / np.sqrt(self.games)
        half, value = hypot(luck, self._between(values.mean(axis=1))), float(values.mean())
        return Estimate(value, value - half, value + half, self.games, self.confidence)

    def _between(self, repeats: np.ndarray) -> float:
        if self.repeats < 2:
            return 0.0
        scaled = [round(1e9 * x) for x in repeats.tolist()]
        spread = estimates.mean(
            self.repeats, sum(scaled), sum(x * x for x in scaled), self.confidence
        )
        return spread.half_width / 1e9


def adapt(
    a: Scenario,
    b: Scenario,
    effort: Effort,
    *,
    base: StrategySpec | None = None,
    seconds: float | None = None,
    generations: int | None = None,
    files: Sequence[Path] = (),
    keep: Path | None = None,
    seat: int = 1,
    progress: Progress = silent,
) -> Adapted:
    """Train for A and for B, each `REPEATS` times on the same luck and with equal budgets, and let both play both; or
    take two player files for that. Players are kept in the folder `keep`, and none that lies there is trained again.
    """
    same_shape(a, b)
    effort = effort.on(a)
    if files:
        who = [[player(a.game.name, spec(str(file)))] for file in files]
        found: list[tuple[Made, Made]] = []
    else:
        terms: dict[str, Any] = {
            "seconds": None if generations else (seconds or SECONDS) / (2 * REPEATS),
            "generations": generations,
            "seat": seat,
            "threads": effort.threads,
        }
        found = _trainings((a, b), base, terms, effort.seed, keep, progress)
        who = [[one.player for one in side] for side in zip(*found, strict=True)]
    won = np.array(
        [[[_won(rules, one, effort, seat) for one in side] for side in who] for rules in (a, b)]
    )
    return Adapted(won, _moved(a.game.name, found, who, files), found, effort.confidence)


def _trainings(
    sides: tuple[Scenario, Scenario],
    base: StrategySpec | None,
    terms: Mapping[str, Any],
    seed: int,
    keep: Path | None,
    progress: Progress,
) -> list[tuple[Made, Made]]:
    if keep:
        with atomic_files.refusing(keep):
            keep.mkdir(parents=True, exist_ok=True)
    found = []
    for r in range(REPEATS):
        pair = []
        for side, (name, rules) in enumerate(zip("ab", sides, strict=True)):
            step = part(progress, 2 * r + side, 2 * REPEATS, f"training {r + 1} for {name.upper()}")
            pair.append(
                train(
                    rules,
                    base,
                    **terms,
                    seed=seed + r,
                    out=keep / f"{name}-{r + 1}.yaml" if keep else None,
                    progress=step,
                )
            )
            if pair[-1].interrupted:
                raise KeyboardInterrupt
        found.append((pair[A], pair[B]))
    return found


def _won(rules: Scenario, who: Player, effort: Effort, seat: int) -> np.ndarray:
    """Whether each game of all cells is won by a player at the seats that are trained."""
    rivals = rules.game.competitive
    places = [
        seated(cell, who, (seat - 1,) if rivals else tuple(range(cell.players)))
        for cell in rules.cells
    ]
    each = max(1, effort.games // len(places))
    trials = Trials(rules.game, effort.threads)
    return (
        trials.play(places, [who.weights], effort.seed, effort.first, effort.first + each)
        .won[0]
        .ravel()
    )


def _moved(
    game: str,
    found: Sequence[tuple[Made, Made]],
    who: Sequence[Sequence[Player]],
    files: Sequence[Path],
) -> list[Moved]:
    """The weights, those that moved most first."""
    pair = found[0] if found else ()
    names = [list(one.weights) for one in pair] or [
        list(registry.weights_of(game, str(file))) for file in files
    ]
    if names[A] != names[B]:
        return []
    a, b = (np.mean([p.weights for p in side], axis=0) for side in who)
    moved = [
        Moved(name, float(x), float(y), float(abs(y - x) / max(abs(x), abs(y), 1e-12)))
        for name, x, y in zip(names[A], a, b, strict=True)
    ]
    return sorted(moved, key=lambda m: -m.share)
