"""The answer to what played games say: level, unknown numbers, forecast, what to play next, and what does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from typing import Any

import numpy as np

from hardmode.scenarios.box import yaml_text
from hardmode.scenarios.dependencies import lacking, text
from hardmode.scenarios.load import Scenario, ScenarioError, Variant
from hardmode.sim.contract import ROUNDS, SCORES
from hardmode.sim.files.yaml_io.errors import Place, nearest
from hardmode.sim.play.backends import Order, crew
from hardmode.sim.play.engine import Engine
from hardmode.strategies import registry
from hardmode.studies.core.altered import altered
from hardmode.studies.core.metric import won
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.run import Effort, player
from hardmode.studies.core.skill_levels import EXPERT, RUNGS
from hardmode.studies.playtests.fit.goodness_of_fit import Misfit, tested
from hardmode.studies.playtests.fit.learning import Learning, learning
from hardmode.studies.playtests.fit.likelihood import Seen, likelihood, seen
from hardmode.studies.playtests.fit.next_playtests import Next, more_plays, to_play
from hardmode.studies.playtests.fit.posterior import DRAWS, Band, Draws, band, draws, width
from hardmode.studies.playtests.fit.posterior_predictive import Forecast, of_cell
from hardmode.studies.playtests.fit.prior_samples import DECIDES, MOST, Around
from hardmode.studies.playtests.fit.setup_matching import MORE, Deals, Dealt, borrowing, mixed
from hardmode.studies.playtests.fit.simulation import COARSE, FINE, Deal, Simulator, Sums, base_of
from hardmode.studies.playtests.records import Play, groups_of, variants_of
from hardmode.studies.uncertainty.analysis import Doubts
from hardmode.studies.uncertainty.priors import Drawn, Unknown, varies

SECONDS = 60.0
NONE = "none"  # in place of a path: the box as it is assumed
MOST_USED = 4  # numbers that are believed together with how games ended
LOOKED, TOLD, PLAYED, NEXT = 0.2, 0.1, 0.5, 0.1  # of the time
RUNG_GAMES = 400
FORECAST_GAMES, AFRESH = (
    6400,
    10**6,
)  # of all beliefs together; the first of games that had no part in them
WIDE = 0.25  # of a forecast that says little
KEPT = 64  # beliefs in a file


@dataclass
class Fit:
    cell: Variant  # of which the forecast is
    scenario: Scenario
    seed: int
    plays: int
    games: int  # simulated, of each point
    boxes: list[Drawn]
    groups: list[str]
    level: Band
    group_levels: dict[str, Band]
    group_plays: dict[str, int]
    rung: str
    free: dict[str, dict[str, Any]]
    rate: Band
    misfit: list[Misfit]
    learning: Learning | None
    more: int | None  # plays that would halve the band; not told of those who are learning
    next: list[Next]
    kept: list[
        tuple[float, Drawn]
    ]  # beliefs, each as likely as another: slips, and what is unknown
    effective: float
    latest: bool  # whether the forecast is for the level at the last play
    forecast_level: Band  # for which it is
    dealt: dict[
        str, list[str]
    ]  # what plays tell of it: made use of, left aside for some, come about in play

    @property
    def wide(self) -> bool:
        return width(self.rate) > WIDE

    @property
    def fits(self) -> bool:
        return not any(one.found for one in self.misfit)

    @property
    def base(self) -> str:
        return str(base_of(self.cell))


def fit(
    found: Scenario,
    plays: Sequence[Play],
    effort: Effort,
    *,
    free: Sequence[str] = (),
    games: int | None = None,
    seconds: float = SECONDS,
    weighed: Doubts | None = None,
    progress: Progress = silent,
) -> Fit:
    """What plays say of a scenario, whose first cell the forecast is of; `weighed` is what `doubts` says of it, where
    that is known."""
    effort = effort.on(found)
    cell = found.cells[0]
    named = _named(cell, free)
    cells, of = _variants(cell, plays)
    columns = sorted({column for play in plays for column in play.numbers})
    tried = [Deals.tried(own, some, columns, effort) for own, some in zip(cells, of, strict=True)]
    around = (
        Around.of(cell, columns, effort, games, seconds * LOOKED, progress)
        if list(free) != [NONE]
        else None
    )
    freed = named or (_decisive(cell, weighed, around, _won(plays)) if around else [])
    simulator = Simulator(cells, columns, effort, games, seconds * PLAYED, freed)
    sums, dealt = _each_deal(simulator, tried, of, seconds * TOLD, progress)
    groups = groups_of(plays)
    used, parts = _used(sums, plays, columns), list[Seen]()
    for v, g in product(range(len(cells)), range(len(groups))):
        some = [p for p in of[v] if p.group == groups[g]]
        if some:
            at = _against(v, Counter(tried[v].of[id(p)] for p in some), dealt, sums)
            parts.append(seen(some, g, at, sums[at], columns, used))
    table = np.zeros((len(groups), *sums[0].won.shape))
    for one in parts:
        table[one.group] += likelihood(one, sums[one.variant])
    beliefs = draws(table, effort.seed)
    return _told(
        found,
        cell,
        plays,
        parts,
        sums,
        simulator,
        columns,
        groups,
        around,
        table,
        beliefs,
        effort,
        seconds,
        tried,
    )


def _each_deal(
    simulator: Simulator,
    tried: Sequence[Deals],
    of: Sequence[Sequence[Play]],
    seconds: float,
    progress: Progress,
) -> tuple[list[Sums], dict[tuple[int, Deal], Dealt]]:
    """The sums of every variant, and of each deal in it."""
    games = simulator.games and MORE * simulator.games
    teller = Simulator(
        simulator.cells, simulator.numbers, simulator.effort, games, seconds, [], COARSE
    )
    telling = any(one.columns for one in tried)
    deals = [
        one.settle(some, teller.paced if telling else 0)
        for one, some in zip(tried, of, strict=True)
    ]
    told = teller.played(progress, deals) if any(deals) else []
    made = simulator.played(progress, deals)
    return list(made), {
        (v, deal): Dealt(
            whole.dealt[i], borrowing(whole.dealt[i], whole, told[v].dealt[i], told[v])
        )
        for v, whole in enumerate(made)
        for i, deal in enumerate(deals[v])
    }


def _against(
    v: int, deals: Counter[Deal], dealt: dict[tuple[int, Deal], Dealt], sums: list[Sums]
) -> int:
    """The place of the sums that plays with these deals are held against."""
    if not any(deals):
        return v
    sums.append(
        mixed(
            sums[v],
            [(dealt.get((v, deal), Dealt(sums[v], sums[v])), n) for deal, n in deals.items()],
        )
    )
    return len(sums) - 1


def _dealt(tried: Sequence[Deals]) -> dict[str, list[str]]:
    """What became of what chance dealt."""
    found = {
        "used": [one.used for one in tried],
        "left": [one.seldom for one in tried],
        "in_play": [one.in_play for one in tried],
    }
    return {kind: tried[0].named(set().union(*columns)) for kind, columns in found.items()}


def _decisive(
    cell: Variant, weighed: Doubts | None, around: Around, won: float | None
) -> list[str]:
    """What `doubts` calls decisive, where it was asked; else what the boxes say. There other readings of the rules make
    numbers count that none reads here."""
    found = weighed.decisive(DECIDES) if weighed else around.decisive(won)
    return [path for path in found if not lacking(cell.leaves[path], cell.values)][:MOST]


def _won(plays: Sequence[Play]) -> float | None:
    """The share of plays won, of those of which it is said."""
    said = [p.won for p in plays if p.won is not None]
    return sum(said) / len(said) if said else None


def _told(
    found: Scenario,
    cell: Variant,
    plays: Sequence[Play],
    parts: Sequence[Seen],
    sums: Sequence[Sums],
    simulator: Simulator,
    columns: Sequence[int],
    groups: Sequence[str],
    around: Around | None,
    table: np.ndarray,
    beliefs: Draws,
    effort: Effort,
    seconds: float,
    tried: Sequence[Deals],
) -> Fit:
    counts = np.array([sum(p.group == group for p in plays) for group in groups], float)
    level, learnt = beliefs.level(counts), learning(parts, sums, beliefs, effort.seed)
    latest = learnt is not None and learnt.seen
    now = FINE[learnt.latest] if learnt and latest else level
    kept = [
        (float(now[i]), simulator.boxes[beliefs.box[i]]) for i in _spread(sums[0], beliefs, now)
    ]
    told = of_cell(cell, kept, replace(effort, games=FORECAST_GAMES, first=AFRESH))
    names = [cell.game.columns[c] for c in columns]
    return Fit(
        cell,
        found,
        effort.seed,
        len(plays),
        simulator.paced,
        simulator.boxes,
        list(groups),
        band(level),
        {g or "all": band(FINE[beliefs.levels[:, i]]) for i, g in enumerate(groups)},
        {g or "all": int(counts[i]) for i, g in enumerate(groups)},
        nearest_rung(cell, told, effort),
        {
            one.path: _free(one, [simulator.boxes[b][one.path] for b in beliefs.box])
            for one in simulator.unknowns.drawn
        },
        told.rate,
        tested(parts, sums, [_spoken(n, cell) for n in names], columns, effort.seed, around),
        learnt,
        None
        if latest
        else more_plays(parts, table, sums, simulator.boxes, beliefs, told, effort.seed),
        to_play(
            found.cells,
            simulator.boxes,
            beliefs,
            effort,
            inf if simulator.games else seconds * NEXT,
        ),
        kept,
        beliefs.effective,
        latest,
        band(now),
        _dealt(tried),
    )


def _spread(own: Sums, beliefs: Draws, levels: np.ndarray) -> np.ndarray:
    """The beliefs that stand for all: evenly from those whose games are won most seldom to those most often."""
    won = own.won[beliefs.box, np.rint(levels * (len(FINE) - 1)).astype(int)]
    return np.argsort(won, kind="stable")[((np.arange(KEPT) + 0.5) * DRAWS / KEPT).astype(int)]


def _named(cell: Variant, free: Sequence[str]) -> list[str]:
    """The numbers that are to be found out, each of which can be another."""
    if list(free) == [NONE]:
        return []
    for path in free:
        leaf = cell.leaves.get(path)
        if leaf is None:
            raise ScenarioError(Place("--free"), path, "no such number", nearest(path, cell.leaves))
        if not varies(leaf):
            raise ScenarioError(
                Place("--free"),
                path,
                "nobody says what else it might be: give it a range, or "
                "readings, in a box of your own",
            )
        wants = [need for need in lacking(leaf, cell.values) if need[0] not in free]
        if wants:
            raise ScenarioError(
                Place("--free"), path, f"no rule reads it here: it needs {text(wants)}"
            )
    return list(dict.fromkeys(free))


def _variants(cell: Variant, plays: Sequence[Play]) -> tuple[list[Variant], list[list[Play]]]:
    """The scenario's own variant first, then the others that were played; and the plays of each."""
    cells, of = [cell], [list[Play]()]
    known: dict[tuple[tuple[str, str], ...], int] = {(): 0}
    for key, some in variants_of(plays).items():
        sets = {path: list(v) if isinstance(v, tuple) else v for path, v in key}
        sets = {path: v for path, v in sets.items() if v != cell.values[path]}
        at = tuple((path, yaml_text(v)) for path, v in sorted(sets.items()))
        if at not in known:
            known[at] = len(cells)
            try:
                cells.append(altered(cell, sets))
            except ScenarioError as why:
                raise ScenarioError(some[0].place, why.path, why.message, why.nearest) from None
            of.append([])
        of[known[at]] += some
    return cells, of


def _used(sums: Sequence[Sums], plays: Sequence[Play], columns: Sequence[int]) -> list[int]:
    """The numbers that are believed: rounds and scores first, then what most plays have; none that never varies."""
    found = []
    for i, column in enumerate(columns):
        n = sums[0].n.sum()
        mean, square = sums[0].total[..., i].sum() / n, sums[0].products[..., i, i].sum() / n
        if square - mean**2 > 1e-9:
            found.append(
                (column not in (ROUNDS, SCORES), -sum(column in p.numbers for p in plays), i)
            )
    return sorted(i for *_, i in sorted(found)[:MOST_USED])


def _free(one: Unknown, values: Sequence[Any]) -> dict[str, Any]:
    """What is believed of a number: its band, or how likely each reading is."""
    if one.leaf.readings:
        return {
            yaml_text(reading): sum(v == reading for v in values) / len(values)
            for reading in one.leaf.readings
        }
    return {**band([one.code(v) for v in values])}


def nearest_rung(cell: Variant, told: Forecast, effort: Effort) -> str:
    """The rung that wins most nearly as often, or scores most nearly as much where the score is itself a result;
    experts, who take their time, are not asked."""
    names = registry.names(cell.game.name)
    rungs = [rung for rung in RUNGS if rung in names and rung != EXPERT]
    rivals = cell.game.competitive and cell.players > 1
    orders = []
    for rung in rungs:
        who = player(cell.game.name, type(base_of(cell))(rung))
        seats = [
            who if s == 0 or not rivals else player(cell.game.name, spec)
            for s, spec in enumerate(cell.strategies)
        ]
        orders.append(Order(Engine(cell.game, cell.box, seats), effort.seed, 0, RUNG_GAMES))
    rows = [answer.rows for answer in crew(effort.threads).rows(orders)]
    there = [
        float((one[SCORES] if cell.game.scored else won(cell.game, one)).mean()) for one in rows
    ]
    own = told.score if cell.game.scored else told.rate["50"]
    return rungs[int(np.argmin(np.abs(np.array(there) - own)))]


def _spoken(name: str, cell: Variant) -> str:
    return cell.game.unit if name == "rounds" else name
