"""What a table would make of a scenario: every belief of a fit plays it, and the band is what they say of it.

Each belief plays games of its own, the same ones of every variant, so that variants differ by what they are. Some of
the spread between beliefs is the chance of so few games each. What goes with level and numbers is told from all games
together, by regression; the rest is shrunk, as much as is the share of chance in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, Filled
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError
from hardmode.sim.play.backends import Order, crew
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.metric import won
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit.posterior import Band, band
from hardmode.studies.playtests.fit.simulation import base_of, filled, seated
from hardmode.studies.uncertainty.priors import Drawn

FEWEST = 20  # games of a belief
FANNED = 16  # values in place of one that is not sure
SMOOTH = 4  # beliefs for each thing in which they differ, at least, where these are told from all games together


@dataclass(frozen=True)
class Forecast:
    """One variant, as those who played would fare in it."""

    cell: Variant
    games: int
    beliefs: int  # that are games in it
    rate: Band
    endings: dict[str, Band]
    rounds: Band
    score: float  # of the first seat, on average
    won: np.ndarray  # (belief, game)
    goes: np.ndarray  # what beliefs differ in, (belief, what)


@dataclass(frozen=True)
class Difference:
    """What B changes for those who played."""

    a: Forecast
    b: Forecast
    change: Band
    harder: float  # how likely it is that B is won less often


Belief = tuple[float, Drawn]  # slips, and what is unknown
Beliefs = Sequence[Belief]  # each as likely as another


def forecast(
    found: Scenario, beliefs: Beliefs, effort: Effort, progress: Progress = silent
) -> list[Forecast]:
    """Every cell of a scenario."""
    effort = effort.on(found)
    return [
        of_cell(cell, beliefs, effort, part(progress, i, len(found.cells), cell.label_text))
        for i, cell in enumerate(found.cells)
    ]


def of_cell(
    cell: Variant, beliefs: Beliefs, effort: Effort, progress: Progress = silent
) -> Forecast:
    """One cell."""
    n, base = max(FEWEST, -(-effort.games // len(beliefs))), base_of(cell)
    orders = (
        (i, effort.first + i * n, box, beliefs[i][0])
        for box, those in _by_box(cell, beliefs)
        for i in those
    )
    rows, played = [], list[Belief]()
    for i, answer in enumerate(
        crew(effort.threads).rows(
            Order(
                Engine(cell.game, box, seated(cell, share, base)), effort.seed, lo, lo + n, about=b
            )
            for b, lo, box, share in orders
        )
    ):
        rows.append(answer.rows)
        played.append(beliefs[answer.order.about])
        progress("beliefs", (i + 1) / len(beliefs), n / max(answer.seconds, 1e-9))
    if not rows:
        raise ScenarioError(
            Place("--as"), cell.title, "none of the boxes believed in is a game in this variant"
        )
    wins, goes = np.array([won(cell.game, one) for one in rows]), told_by(played)
    ended = {
        name: np.array([one[ENDING] == e for one in rows])
        for e, name in enumerate(cell.game.all_endings)
    }
    return Forecast(
        cell,
        n * len(rows),
        len(rows),
        without_chance(wins, goes, share=True),
        {
            name: without_chance(those, goes, share=True)
            for name, those in ended.items()
            if those.any()
        },
        without_chance(np.array([one[ROUNDS] for one in rows]), goes),
        float(np.mean([one[SCORES].mean() for one in rows])),
        wins,
        goes,
    )


def _by_box(cell: Variant, beliefs: Beliefs) -> Iterator[tuple[Filled, list[int]]]:
    """The boxes believed in that are games, each filled once, and the places of the beliefs that have it."""
    places: dict[str, list[int]] = {}
    for i, (_, drawn) in enumerate(beliefs):
        places.setdefault(repr(sorted(drawn.items())), []).append(i)
    for those in places.values():
        box = filled(cell, beliefs[those[0]][1])
        if box is not None:
            yield box, those


def told_by(beliefs: Beliefs) -> np.ndarray:
    """What beliefs differ in, as numbers: the level, straight and bent, each number, and each reading of a rule."""
    slips = np.array([share for share, _ in beliefs])
    found = [slips, slips**2]
    for path in beliefs[0][1]:
        values = [drawn[path] for _, drawn in beliefs]
        if all(isinstance(v, (int, float)) for v in values):
            found.append(np.array(values, float))
        else:
            kinds = list(dict.fromkeys(map(repr, values)))
            found += [np.array([repr(v) == kind for v in values], float) for kind in kinds[1:]]
    some = [x for x in found if x.std() > 0]
    return (
        np.stack([(x - x.mean()) / x.std() for x in some], axis=1)
        if some
        else np.zeros((len(beliefs), 0))
    )


def without_chance(values: np.ndarray, goes: np.ndarray, share: bool = False) -> Band:
    """The band of the means of rows, (belief, game), without what the chance of so few games adds; how surely all games
    together tell it is in it. Of a `share`, what never came in so many games may come in the next."""
    from scipy.stats import norm

    made, error = sharpened(values, goes)
    if share:
        error = np.maximum(error, 1 / values.size)
    found = band(made[:, None] + error[:, None] * norm.ppf((np.arange(FANNED) + 0.5) / FANNED))
    least, most = (0.0, 1.0) if share else (float(values.min()), float(values.max()))
    return {q: min(max(least, x), most) for q, x in found.items()}


def sharpened(values: np.ndarray, goes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The means of rows without the chance of so few games, and what stays uncertain of each."""
    values = values.astype(float)
    return shrunk(values.mean(axis=1), values.var(axis=1).mean() / values.shape[1], goes)


def shrunk(means: np.ndarray, noise: float, goes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means of so much noise without it, and what stays uncertain of each."""
    smooth, sure, free = _smooth(means, goes)
    rest = means - smooth
    spread = float((rest**2).sum()) / free if free else 0.0
    kept = np.sqrt(max(0.0, 1 - noise / spread)) if spread > 0 else 0.0
    return smooth + kept * rest, np.sqrt(max(noise, spread) * sure)


def _smooth(means: np.ndarray, goes: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """What goes with the level and the numbers that are believed, the variance of that in terms of a mean's own, and in
    how many ways the rest is free."""
    n = len(means)
    x = (
        np.column_stack([np.ones(n), goes])
        if n >= SMOOTH * (goes.shape[1] + 1)
        else np.ones((n, 1))
    )
    inside = np.linalg.pinv(x)
    sure = np.einsum("ij,ji->i", x, inside)
    return x @ (inside @ means), sure, n - round(float(sure.sum()))


def difference(a: Sequence[Forecast], b: Sequence[Forecast]) -> list[Difference]:
    """A against B, cell by cell, belief by belief on the same games."""
    from scipy.special import ndtr

    made = []
    for one, other in zip(a, b, strict=True):
        if one.won.shape != other.won.shape:
            raise ScenarioError(
                Place("--as"), "", "some of the boxes believed in are games in one of the two alone"
            )
        gaps = other.won.astype(float) - one.won
        change = without_chance(gaps, one.goes)
        means, spread = gaps.mean(axis=1), np.sqrt(gaps.var(axis=1) / gaps.shape[1] + 1e-12)
        made.append(Difference(one, other, change, float(ndtr(-means / spread).mean())))
    return made
