"""Upper bounds of what any player can win, beside what players of known strength win.

Three results are kept apart:

- The *bound with foresight* holds for all players, also for one who knows all draws. It counts the
  games that nobody can win, which takes a complete search; all other games count as winnable.
- The *bound with charges* holds for all players who do not know the draws (information relaxation;
  Brown, Smith and Sun 2010). It is given only if the search of every game was complete.
- The share of games in which a win was found is an *estimate* of what foresight can win, and no
  bound of anything: the search may have overlooked a win.

The lower one of the two bounds is the answer. A bound that is chosen because it is low may be low
by chance, so the intervals of all bounds that are tried hold together (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from hardmode.scenarios.load import Scenario, ScenarioLike, StrategySpec, Variant, resolve_scenario
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.hindsight.positions import ALL_SEATS
from hardmode.sim.play.hindsight.solver import (
    DEFAULT_NODES,
    HindsightSolver,
    Question,
    compile_search,
)
from hardmode.sim.play.run import Runner
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.bound.searches import (
    BATCH,
    estimate_mean_gain,
    estimate_winnable,
    find_values,
    generate_batches,
    reads_a_draw_twice,
    search_games,
    search_with_charges,
)
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.metric import (
    FIRST_SCORE,
    count_wins,
    estimate_mean,
    estimate_win_rate,
)
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.core.skill_levels import EXPERT, STEADY, TRAINED
from hardmode.studies.stats.estimates import Estimate, bonferroni_level, wilson_rate

DEFAULT_SECONDS = 60.0
MAX_GAMES = 20_000  # unless the user names a number
PLAYED_BATCH = 40  # games of a level between two looks at the clock
# Shares of the time: of the games of all levels, and of both searches.
PLAY_SHARE, FREE_SHARE, CHARGED_SHARE = 0.3, 0.3, 0.4
ATTEMPTS = 64  # plays in which a win is looked for before the search


@dataclass(frozen=True)
class BoundAnalysis:
    """Bounds of what any player can win in a variant, and what players of known strength win.

    Attributes:
        scenario: The scenario.
        cell: Its first variant.
        seed: The seed of the games.
        confidence: Confidence of the answer, and of each interval but those of the bounds.
        bound_confidence: Confidence of the interval of each bound, so that all bounds that were
            tried hold together with the confidence of the answer.
        is_score: Whether the mean score is bounded, and not the share of games won.
        players: What each skill level gets, by its name, the strongest last.
        node_limit: Positions of a game after which its search was left.
        games: Games that were searched with foresight.
        winnable: Of these, the games in which a win was found.
        open: Of these, the games whose search was left.
        free: The bound with foresight; None if it says nothing.
        charged: The bound with charges; None if there is none.
        charged_by: Name of the player whose values charge for foresight.
        charged_problem: Why there is no bound with charges; empty if there is one.
    """

    scenario: Scenario
    cell: Variant
    seed: int
    confidence: float
    bound_confidence: float
    is_score: bool
    players: dict[str, Estimate]
    node_limit: int
    games: int
    winnable: int
    open: int
    free: Estimate | None
    charged: Estimate | None
    charged_by: str
    charged_problem: str

    @property
    def value_kind(self) -> str:
        """Kind of what is bounded, as in `formatting.VALUE_FORMATTERS`."""
        return "mean" if self.is_score else "rate"

    @property
    def has_two_bounds(self) -> bool:
        """True if two bounds were tried, of which the lower one is the answer."""
        return self.bound_confidence > self.confidence

    @property
    def unwinnable(self) -> int:
        """The number of games that no player can win, as a complete search has shown."""
        return 0 if self.is_score else self.games - self.winnable - self.open

    @property
    def foresight(self) -> Estimate | None:
        """The share of games in which a win was found: an estimate, and no bound."""
        if self.is_score:
            return None
        return wilson_rate(self.winnable, self.games, self.confidence)

    @property
    def bound(self) -> Estimate | None:
        """The lower one of the bounds; None if no bound says anything."""
        most = np.inf if self.is_score else 1.0
        bounds = [bound for bound in (self.free, self.charged) if bound and bound.high < most]
        return min(bounds, key=lambda bound: bound.high, default=None)


def analyze_bound(
    scenario: ScenarioLike,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    seconds: float = DEFAULT_SECONDS,
    nodes: int = DEFAULT_NODES,
    progress: Progress = ignore_progress,
) -> BoundAnalysis:
    """Return bounds of what any player can win in a scenario's first variant.

    Where seats compete, they bound seat 1, against the scenario's strategies at the others. The
    mean score is bounded where seats compete for points, and where a game is played for points
    alone: where the levels win all games, or none.

    Args:
        scenario: The scenario.
        effort: Seed and confidence.
        games: Games that are searched, instead of a time limit.
        seconds: Time limit.
        nodes: Positions of a game after which its search is left.
        progress: Notified of the share that is done.
    """
    scenario = resolve_scenario(scenario)
    cell = scenario.cells[0]
    effort = (effort or Effort()).resolve_seed(scenario)
    engines = _make_engines(cell)
    engine = engines.get(TRAINED, engines[str(cell.strategies[0])])
    compile_search(cell.game)
    budget = Budget(None if games else seconds)
    parts = [subprogress(progress, part, 3) for part in range(3)]
    most = games or MAX_GAMES
    tallies = _play_levels(engines, effort, most, budget.subbudget(PLAY_SHARE), parts[0])
    is_score = _is_played_for_score(cell, tallies.values())
    estimate = partial(estimate_mean, column=FIRST_SCORE) if is_score else estimate_win_rate
    players = {
        name: estimate(tally, confidence=effort.confidence) for name, tally in tallies.items()
    }
    player = find_values(engine, is_score)
    problem = ""
    if player is None:
        problem = "no player of this game has learned values of what is bounded"
    elif reads_a_draw_twice(cell, effort):
        problem = "the game reads a draw at more than one step"
    level = bonferroni_level(effort.confidence, 1 if problem else 2)
    question = Question(
        0 if cell.game.competitive else ALL_SEATS,
        is_score,
        attempts=0 if is_score else ATTEMPTS,
        max_nodes=nodes,
        counters=tuple(registry.list_counters(cell.game.name)),
    )
    limit = budget.subbudget(FREE_SHARE)
    batches = generate_batches(effort, most, BATCH, limit, parts[1], "search")
    gains = search_games(HindsightSolver(engine, question), effort, batches, needs_all=is_score)
    free = estimate_mean_gain(gains, level) if is_score else estimate_winnable(gains, level)
    charged = None
    if player and not problem:
        solver = HindsightSolver(engine, replace(question, charges=player.values, attempts=0))
        limit = budget.subbudget(CHARGED_SHARE)
        kept = search_with_charges(solver, effort, most, limit, parts[2])
        charged = estimate_mean_gain(kept, level)
        if charged is None:
            problem = f"the tree of a game has more than {nodes:,} positions"
    return BoundAnalysis(
        scenario=scenario,
        cell=cell,
        seed=effort.seed,
        confidence=effort.confidence,
        bound_confidence=level,
        is_score=is_score,
        players=players,
        node_limit=nodes,
        games=gains.size,
        winnable=0 if is_score else int((gains == 1).sum()),
        open=int(np.isnan(gains).sum()),
        free=free,
        charged=charged,
        charged_by=player.name if player else "",
        charged_problem=problem,
    )


def _make_engines(cell: Variant) -> dict[str, Engine]:
    """Return the game with players of each skill level from `steady` on, and with its own, by name.

    Where seats compete, seat 1 has the level, and the others play as they are.
    """
    known = registry.list_strategies(cell.game.name)
    engines = {}
    for level in (STEADY, TRAINED, EXPERT):
        if level in known:
            strategies = cell.seat_plan.assign(StrategySpec(level), cell.strategies)
            engines[level] = make_engine(replace(cell, strategies=strategies))
    own_name = str(cell.strategies[0])
    if own_name not in engines:
        engines[own_name] = make_engine(cell)
    return engines


def _play_levels(
    engines: Mapping[str, Engine], effort: Effort, games: int, budget: Budget, progress: Progress
) -> dict[str, Tally]:
    """Return the games of each skill level, by its name."""
    tallies = {}
    for i, (name, engine) in enumerate(engines.items()):
        runner = Runner(engine, effort.seed, threads=effort.threads)
        limit = budget.until_share((i + 1) / len(engines))
        part = subprogress(progress, i, len(engines))
        batches = generate_batches(effort, games, PLAYED_BATCH, limit, part, name)
        tallies[name] = Tally(engine.game)
        tallies[name].add_rows(*[runner.play_rows(start, stop) for start, stop in batches])
    return tallies


def _is_played_for_score(cell: Variant, tallies: Collection[Tally]) -> bool:
    """Return whether the score is bounded: seats compete for it, or nothing else is at stake."""
    wins = sum(count_wins(tally) for tally in tallies)
    games = sum(tally.games for tally in tallies)
    return cell.game.scored and (wins in (0, games) or cell.seats_compete)
