"""Upper bounds of what any player can win, found by searches that know all draws of a game.

Three results are kept apart:

- The *bound with foresight* holds for all players, also for one who knows all draws. It counts the
  games that nobody can win, which takes a complete search; all other games count as winnable.
- The *bound with charges* holds for all players who do not know the draws (information relaxation;
  Brown, Smith and Sun 2010). It is given only if the search of every game was complete.
- The share of games in which a win was found is an *estimate* of what foresight can win, and no
  bound of anything: the search may have overlooked a win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy import stats

from hardmode.scenarios.load import Scenario, ScenarioLike, StrategySpec, Variant, resolve_scenario
from hardmode.sim.contract import SCORES
from hardmode.sim.draws import DECISION
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.hindsight import ALL_SEATS, DEFAULT_NODES, HindsightSolver, Question
from hardmode.sim.play.player import Player
from hardmode.sim.play.run import Runner
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices, logged
from hardmode.strategies import registry
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.core.skill_levels import EXPERT, STEADY, TRAINED
from hardmode.studies.stats.estimates import Estimate, wilson_rate

DEFAULT_SECONDS = 60.0
MAX_GAMES = 20_000  # unless the user names a number
FIRST_GAMES = 40  # of a level, however long they take
# Shares of the time: of the games of all levels, of both searches, and of learning in the last.
PLAY_SHARE, FREE_SHARE, CHARGED_SHARE = 0.3, 0.3, 0.4
LEARN_SHARE = 0.5
BATCH = 8  # games that are searched between two looks at the clock
ATTEMPTS = 64  # plays in which a win is looked for before the search
MAX_PASSES = 60  # in which values within turns are learned
LAST_CHANGE = 5e-4  # of a value: then they are known well enough
PROBE_GAMES = 20  # games whose draws are looked at
LEARNING_SEED = 0x5EED  # added to the seed: values are learned from other games


@dataclass(frozen=True)
class BoundAnalysis(NotebookTable):
    """Bounds of what any player can win in a variant, and what players of known strength win.

    Attributes:
        scenario: The scenario.
        cell: Its first variant.
        seed: The seed of the games.
        confidence: Confidence of each interval.
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
        bounds = [bound for bound in (self.free, self.charged) if bound and self._is_useful(bound)]
        return min(bounds, key=lambda bound: bound.high, default=None)

    def _is_useful(self, bound: Estimate) -> bool:
        return self.is_score or bound.high < 1

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each skill level, and one for each bound."""
        for name, estimate in self.players.items():
            yield {"what": name, "value": estimate}
        for name, bound in (("foresight", self.free), ("charges", self.charged)):
            if bound:
                yield {"what": f"bound with {name}", "value": bound}


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
    levels = _list_levels(cell)
    engine = make_engine(levels.get(TRAINED, cell))
    runners = _prepare(levels, engine, effort)
    budget = Budget(None if games else seconds)
    most = games or MAX_GAMES
    rows = _play_levels(runners, effort, games, budget.until_share(PLAY_SHARE), progress)
    wins = {name: is_won(cell.game, block) for name, block in rows.items()}
    every = np.concatenate(list(wins.values()))
    is_score = cell.game.scored and (not every.any() or bool(every.all()) or cell.seats_compete)
    players = {}
    for name, won in wins.items():
        if is_score:
            players[name] = _estimate_mean(rows[name][SCORES].astype(float), effort.confidence)
        else:
            players[name] = wilson_rate(int(won.sum()), won.size, effort.confidence)
    question = Question(
        0 if cell.game.competitive else ALL_SEATS,
        is_score,
        attempts=0 if is_score else ATTEMPTS,
        max_nodes=nodes,
        counters=tuple(registry.list_counters(cell.game.name)),
    )
    free_solver = HindsightSolver(engine, question)
    limit = budget.subbudget(FREE_SHARE)
    step = _scale(progress, PLAY_SHARE, PLAY_SHARE + FREE_SHARE, "search")
    gains = _search(free_solver, effort, most, limit, is_score, step)
    free = _estimate_free(gains, is_score, effort.confidence)
    charged, charged_by, problem = _bound_with_charges(
        cell, engine, question, effort, most, budget.subbudget(CHARGED_SHARE), progress
    )
    return BoundAnalysis(
        scenario=scenario,
        cell=cell,
        seed=effort.seed,
        confidence=effort.confidence,
        is_score=is_score,
        players=players,
        node_limit=nodes,
        games=gains.size,
        winnable=0 if is_score else int((gains == 1).sum()),
        open=int(np.isnan(gains).sum()),
        free=free,
        charged=charged,
        charged_by=charged_by,
        charged_problem=problem,
    )


def _bound_with_charges(
    cell: Variant,
    engine: Engine,
    question: Question,
    effort: Effort,
    games: int,
    budget: Budget,
    progress: Progress,
) -> tuple[Estimate | None, str, str]:
    """Return the bound for players who do not know the draws.

    Args:
        cell: The variant.
        engine: The game that is searched.
        question: What is searched for, without charges.
        effort: Seed, confidence, and number of the first game.
        games: The number of games at most.
        budget: The time.
        progress: Notified of the share that is done.

    Returns:
        The bound or None, the name of the player whose values charge, and why there is no bound.
    """
    player = _find_values(engine, question.is_score)
    if player is None:
        return None, "", "no player of this game has learned values of what is bounded"
    if _reads_a_draw_twice(cell, effort):
        return None, player.name, "the game reads a draw at more than one step"
    solver = HindsightSolver(engine, replace(question, charges=player.values, attempts=0))
    step = _scale(progress, 1 - CHARGED_SHARE, 1.0, "search with charges")
    gains = _search(solver, effort, 1, budget, True, step)
    if not np.isnan(gains).any():  # values that are learned make no tree larger
        _learn(solver, effort, budget.until_share(LEARN_SHARE))
        gains = _search(solver, effort, games, budget, True, step)
    if np.isnan(gains).any():
        limit = f"{question.max_nodes:,}"
        return None, player.name, f"the tree of a game has more than {limit} positions"
    return _estimate_mean(gains, effort.confidence), player.name, ""


def _estimate_mean(values: np.ndarray, confidence: float) -> Estimate:
    """Return the mean of some numbers with Student's t interval.

    Args:
        values: The numbers.
        confidence: Confidence of the interval.
    """
    n = values.size
    mean = float(values.mean())
    if n < 2:
        return Estimate(mean, -np.inf, np.inf, n, confidence)
    error = float(values.std(ddof=1)) / sqrt(n)
    half = float(stats.t.isf((1 - confidence) / 2, n - 1)) * error
    return Estimate(mean, mean - half, mean + half, n, confidence)


def _estimate_free(gains: np.ndarray, is_score: bool, confidence: float) -> Estimate | None:
    """Return the bound with foresight.

    A game whose search was left counts as winnable. A mean score has no bound if one was left.

    Args:
        gains: The most that each game brings; not a number if its search was left.
        is_score: Whether these are scores.
        confidence: Confidence of the interval.
    """
    if is_score:
        return None if np.isnan(gains).any() else _estimate_mean(gains, confidence)
    lost = wilson_rate(int((gains == 0).sum()), gains.size, confidence)
    return Estimate(1 - lost.value, 1 - lost.high, 1 - lost.low, lost.n, confidence)


def _scale(progress: Progress, first: float, last: float, what: str) -> Callable[[float], None]:
    """Return a function that reports the share of a part that is done."""
    return lambda share: progress(what, first + (last - first) * min(1.0, share))


def _search(
    solver: HindsightSolver,
    effort: Effort,
    games: int,
    budget: Budget,
    needs_all: bool,
    step: Callable[[float], None],
) -> np.ndarray:
    """Return the most that each game brings, until the budget or all games are spent.

    Args:
        solver: The solver.
        effort: Seed and number of the first game.
        games: The number of games at most.
        budget: The time.
        needs_all: Whether one game whose search is left makes all others useless.
        step: Notified of the share that is done.
    """
    parts: list[np.ndarray] = []
    done = 0
    while done < games and (done == 0 or not budget.exhausted):
        first = effort.first_game + done
        count = min(BATCH, games - done)
        gains, _ = solver.solve(effort.seed, first, first + count)
        parts.append(gains)
        done += count
        step(max(done / games, budget.share_spent))
        if needs_all and np.isnan(gains).any():
            break
    return np.concatenate(parts)


def _learn(solver: HindsightSolver, effort: Effort, budget: Budget) -> None:
    """Learn values within turns until they no longer change."""
    for _ in range(MAX_PASSES):
        if solver.learn(effort.seed + LEARNING_SEED) < LAST_CHANGE or budget.exhausted:
            break


def _list_levels(cell: Variant) -> dict[str, Variant]:
    """Return the variant with each skill level from `steady` on, and as it is, by its player.

    Where seats compete, seat 1 has the level, and the others play as they are.
    """
    known = registry.list_strategies(cell.game.name)
    cells = {}
    for level in (STEADY, TRAINED, EXPERT):
        if level in known:
            strategies = cell.seat_plan.assign(StrategySpec(level), cell.strategies)
            cells[level] = replace(cell, strategies=strategies)
    cells.setdefault(str(cell.strategies[0]), cell)
    return cells


def _prepare(cells: dict[str, Variant], engine: Engine, effort: Effort) -> dict[str, Runner]:
    """Return what plays the games of each level, with all code compiled, also that of the search.

    Args:
        cells: The variant as each level plays it.
        engine: The game that is searched.
        effort: Seed, threads, and number of the first game.
    """
    runners = {}
    for name, cell in cells.items():
        runners[name] = Runner(make_engine(cell), effort.seed, threads=effort.threads)
        runners[name].play_rows(effort.first_game, effort.first_game + 1)
    solver = HindsightSolver(engine, Question(ALL_SEATS, max_nodes=1))
    solver.solve(effort.seed, effort.first_game, effort.first_game + 1)
    return runners


def _play_levels(
    runners: dict[str, Runner],
    effort: Effort,
    games: int | None,
    budget: Budget,
    progress: Progress,
) -> dict[str, np.ndarray]:
    """Return the rows of games of each skill level, by its name.

    Args:
        runners: What plays the games of each level.
        effort: Seed, threads, and number of the first game.
        games: The number of games of a level; None to play as long as there is time.
        budget: The time of all levels.
        progress: Notified of the share that is done.
    """
    rows = {}
    for i, (name, runner) in enumerate(runners.items()):
        limit = budget.until_share((i + 1) / len(runners))
        done = games or FIRST_GAMES
        blocks = [runner.play_rows(effort.first_game, effort.first_game + done)]
        while games is None and not limit.exhausted:
            first = effort.first_game + done
            blocks.append(runner.play_rows(first, first + done))
            done *= 2
        rows[name] = np.concatenate(blocks, axis=1)
        progress(name, PLAY_SHARE * (i + 1) / len(runners))
    return rows


def _find_values(engine: Engine, is_score: bool) -> Player | None:
    """Return a player whose values are those of what is bounded, or None.

    Args:
        engine: The game and its players, who are asked first.
        is_score: Whether the score is bounded, and not wins.
    """
    game = engine.game.name
    names = [
        name for name in registry.list_strategies(game) if registry.find_player_file(game, name)
    ]
    for player in (*engine.players, *(registry.create_player(game, name) for name in names)):
        values = player.values
        if values and (values.score_weight > 0) == is_score:
            return player
    return None


def _reads_a_draw_twice(cell: Variant, effort: Effort) -> bool:
    """Return whether a draw is read at two steps of a game, so that it is known at the second.

    Charges are then not zero in the mean, since each step is compared with fresh draws.
    """
    engine = make_engine(cell.with_values({}, [StrategySpec("random")]))
    workspace = Workspace(cell.game)
    for number in range(PROBE_GAMES):
        choices(engine, workspace, effort.seed, effort.first_game + number, log=True)
        known: set[tuple[int, ...]] = set()
        step: set[tuple[int, ...]] = set()
        for entry in logged(workspace).tolist():
            if entry[0] == DECISION:
                known |= step
                step = set()
            elif tuple(entry[:4]) in known:
                return True
            else:
                step.add(tuple(entry[:4]))
    return False
