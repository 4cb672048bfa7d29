"""Train a player: tune the weights of a strategy, and certify the result.

Training plays fresh games in each generation. The result is measured in other games, and the found
weights are kept only if they are significantly better than the start.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Scenario, ScenarioLike, StrategySpec, resolve_scenario
from hardmode.scenarios.strategy import parse_strategy
from hardmode.sim.files import atomic_files
from hardmode.sim.play.run import handle_sigint
from hardmode.sim.play.values import DEFAULT_TRIALS
from hardmode.sim.results.result import collect_versions, compute_code_digests
from hardmode.strategies import player_file, registry
from hardmode.strategies.player_file import PLAYER_FILE_FORMAT
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import make_player
from hardmode.studies.training.certificate_check import compute_certificate_digest
from hardmode.studies.training.evaluation import GOALS, MEAN, OVER, SEAT_SHARE, WIN_RATE
from hardmode.studies.training.final_evaluation import evaluate_trained
from hardmode.studies.training.optimizer import (
    GAMES,
    METHODS,
    VALUES,
    WEIGHTS,
    TrainingRun,
    TrainingTask,
    TrainingTerms,
)
from hardmode.studies.training.replay_log import ReplayLog, replay_log_path
from hardmode.studies.training.result import (
    ExistingPlayer,
    TrainingResult,
    compute_training_digest,
)
from hardmode.studies.training.search_space import SearchSpace, TrainingError
from hardmode.studies.training.train_values import GAMES as VALUE_GAMES
from hardmode.studies.training.train_values import ValueTraining

SEARCH_SHARE = 0.95  # of the progress, after which the result is evaluated


def train(
    what: ScenarioLike | Sequence[ScenarioLike],
    strategy: Any = None,
    *,
    seconds: float | None = None,
    generations: int | None = None,
    games: int | None = None,
    seed: int = 1,
    seat: int = 1,
    weights: Mapping[str, Any] | Sequence[str] = (),
    goal: str = WIN_RATE,
    over: str = MEAN,
    threads: int = 0,
    out: str | Path | None = None,
    progress: Progress = ignore_progress,
    method: str = WEIGHTS,
    trials: int = DEFAULT_TRIALS,
    rounds: int = 0,
    against: Any = None,
) -> TrainingResult | ExistingPlayer:
    """Tune the weights of a strategy for a scenario, or for several together.

    Where players win together all are trained; where they compete, one seat against the others.

    Args:
        what: A scenario or a list of them: names, paths, dicts, or what `load` returned.
        strategy: The strategy whose weights are tuned; by default, that of the scenario.
        seconds: Upper limit of the time.
        generations: Number of generations.
        games: Games of each candidate in a generation, or of a generation of values; by
            default, the usual number.
        seed: Seed of the training.
        seat: The seat that is trained, from 1 on, where seats compete.
        weights: Names of the weights that may change; a mapping gives each a range or None.
        goal: "win_rate", "score" or "seat_share".
        over: "mean" of all cells, or the "worst" cell.
        threads: Number of threads; 0 for all cores.
        out: Player file to write. An interrupted training of the same file is resumed.
        progress: Called after each generation.
        method: "weights", or "values" to learn a value function for a search on top of it.
        trials: Trials of the player with values, at each decision.
        rounds: Rounds for which rollouts go on before the player with values judges positions; 0
            to judge them after each option.
        against: The strategy at all other seats, where seats compete; by default, those of the
            scenario.

    Raises:
        TrainingError: There is nothing to train, or not as requested.
    """
    only = dict(weights) if isinstance(weights, Mapping) else dict.fromkeys(weights)
    goal = goal.replace(" ", "_")
    if goal not in GOALS or over not in OVER:
        raise TrainingError(f"a goal is one of {', '.join(GOALS)}, over {' or '.join(OVER)}")
    if method not in METHODS:
        raise TrainingError(f"a method is one of {', '.join(METHODS)}")
    if method == VALUES and (only or over != MEAN or goal == SEAT_SHARE):
        raise TrainingError("values are trained without weights, for the mean, to win or to score")
    if rounds and method != VALUES:
        raise TrainingError("only a player with values judges positions after some rounds")
    games = games or (GAMES if method == WEIGHTS else VALUE_GAMES)
    terms = TrainingTerms(
        seconds,
        generations,
        games,
        seed,
        seat,
        only,
        goal,
        over,
        threads,
        method=method,
        trials=trials,
        rounds=rounds,
    )
    many: list[Any] = list(what) if isinstance(what, (list, tuple)) else [what]
    scenario = merge_scenarios([resolve_scenario(one) for one in many])
    if against:
        scenario = _seat_rivals(scenario, parse_strategy(against), seat)
    base = parse_strategy(strategy) if strategy else None
    if not out:
        return run_training(scenario, terms, base, progress)
    return _train_into_file(Path(out), scenario, terms, base, progress)


def _train_into_file(
    path: Path,
    scenario: Scenario,
    terms: TrainingTerms,
    base: StrategySpec | None,
    progress: Progress,
) -> TrainingResult | ExistingPlayer:
    """Train and write a player file, unless the file has this very player already.

    Raises:
        TrainingError: The file has a player of another training, or is no player file.
    """
    if not player_file.is_player_file(str(path)):
        raise TrainingError(f"{path}: the name of a player file ends with .yaml")
    atomic_files.check_writable(path, PLAYER_FILE_FORMAT)
    base, task = _plan_training(scenario, terms, base)
    digest = compute_training_digest(task, base, terms)
    log_path = replay_log_path(path)
    if path.exists() and path.stat().st_size:
        existing = _renew_existing(path, digest, terms, is_finished=not log_path.exists())
        if existing:
            return existing
    log = ReplayLog(log_path, f"{digest} {_compute_code_digest(task)}")
    result = run_training(scenario, terms, base, progress, log)
    write_player(result, path)
    if not result.interrupted:
        log.delete()
    return result


def _renew_existing(
    path: Path, digest: str, terms: TrainingTerms, is_finished: bool
) -> ExistingPlayer | None:
    """Renew the certificate of a player, or return None if it must be trained again.

    Raises:
        TrainingError: The file has a player of another training.
    """
    file = player_file.read_player_file(path)
    certificate = file.certificate
    if not certificate or certificate.training != digest:
        scenario = f" (for {certificate.scenario})" if certificate else ""
        raise TrainingError(
            f"{path} holds a player of another training{scenario}, and is left alone; give another "
            "-o FILE"
        )
    player = registry.create_player(file.game, str(path))
    if not is_finished or terms.generations not in (None, certificate.generations):
        return None
    if certificate.outcomes != compute_certificate_digest(file.game, player):
        return None
    digests = registry.compute_player_digests(file.game, player)
    update = {**digests, "hardmode": collect_versions()["hardmode"]}
    renewed = file.model_copy(update={"certificate": certificate.model_copy(update=update)})
    atomic_files.write_atomically(path, player_file.format_player_file(renewed))
    return ExistingPlayer(renewed, path)


def write_player(result: TrainingResult, path: Path) -> None:
    """Write the player file of a training.

    Args:
        result: The training.
        path: The player file.
    """
    atomic_files.check_writable(path, PLAYER_FILE_FORMAT)
    file = result.make_player_file(path.stem, path.parent)
    atomic_files.write_atomically(path, player_file.format_player_file(file))


def merge_scenarios(scenarios: Sequence[Scenario]) -> Scenario:
    """Return several scenarios of a game as one, with the cells of all.

    Raises:
        TrainingError: They are of different games.
    """
    first = scenarios[0]
    for scenario in scenarios:
        if scenario.game.name != first.game.name:
            raise TrainingError(
                f"{first.game.title} and {scenario.game.title} are two games; train a player for "
                "one game"
            )
    cells = [cell for scenario in scenarios for cell in scenario.cells]
    return replace(first, name=" + ".join(s.name for s in scenarios), cells=cells)


def _seat_rivals(scenario: Scenario, rival: StrategySpec, seat: int) -> Scenario:
    """Return a scenario with a rival at all seats but one.

    Raises:
        TrainingError: The seats of the game do not compete.
    """
    if not scenario.game.competitive:
        raise TrainingError(f"the seats of {scenario.game.title} do not compete: all are trained")
    cells = []
    for cell in scenario.cells:
        seats = [own if place == seat - 1 else rival for place, own in enumerate(cell.strategies)]
        cells.append(replace(cell, strategies=tuple(seats)))
    title = f"{scenario.title} against {rival}"
    return replace(scenario, name=f"{scenario.name} against {rival}", title=title, cells=cells)


def run_training(
    scenario: Scenario,
    terms: TrainingTerms,
    base: StrategySpec | None = None,
    progress: Progress = ignore_progress,
    log: ReplayLog | None = None,
) -> TrainingResult:
    """Train a player and evaluate it.

    Args:
        scenario: The scenario.
        terms: What the user asked for.
        base: The strategy whose weights are tuned; by default, that of the scenario.
        progress: Called after each generation.
        log: Log by which an interrupted training is resumed.
    """
    base, task = _plan_training(scenario, terms, base)
    game, log = scenario.game.name, log or ReplayLog()
    if terms.method == VALUES:
        return _train_values(task, base, terms, progress, log)
    names = registry.get_weights(game, base.full_name)
    start = dict(zip(names, task.player.weights, strict=True))
    ranges = registry.get_weight_ranges(game, base.full_name)
    space = SearchSpace.from_weights(start, terms.only, ranges)
    _check_limits(game, base, space)
    with handle_sigint() as interrupted:
        training = TrainingRun(task, space, terms, progress, interrupted, log)
        training.run()
        best = training.select_best()
        progress("evaluating the result in other games", SEARCH_SHARE)
        return TrainingResult(
            task,
            base,
            terms,
            start,
            dict(zip(space.names, best, strict=True)),
            evaluate_trained(training, best),
            training.curve,
            training.generations,
            training.games,
            log.seconds,
            interrupted.is_set(),
        )


def _train_values(
    task: TrainingTask,
    base: StrategySpec,
    terms: TrainingTerms,
    progress: Progress,
    log: ReplayLog,
) -> TrainingResult:
    names = registry.get_weights(task.scenario.game.name, base.full_name)
    weights = dict(zip(names, task.player.weights, strict=True))
    with handle_sigint() as interrupted:
        training = ValueTraining(task, terms, progress, interrupted, log)
        training.run()
        progress("evaluating the result in other games", SEARCH_SHARE)
        player = training.make_player(terms.trials)
        return TrainingResult(
            task,
            base,
            terms,
            weights,
            weights,
            evaluate_trained(training, player),
            training.curve,
            training.generations,
            training.games,
            log.seconds,
            interrupted.is_set(),
            player,
        )


def _plan_training(
    scenario: Scenario, terms: TrainingTerms, base: StrategySpec | None
) -> tuple[StrategySpec, TrainingTask]:
    """Return the strategy to train, and its seats in each cell.

    Raises:
        TrainingError: The seat does not exist in each cell, or has different strategies, or there
            are no weights.
    """
    game, place = scenario.game, terms.seat - 1
    if not 0 <= place < min(cell.players for cell in scenario.cells):
        raise TrainingError(f"there is no seat {terms.seat} in every cell of {scenario.name}")
    own = scenario.cells[0].strategies[place]
    strategy = base or own
    player = make_player(game.name, strategy)
    if terms.method == VALUES and player.rollout_budget:
        raise TrainingError(f"strategy {strategy} searches already; name the one below its search")
    if terms.method == WEIGHTS and not player.weights:
        names = ", ".join(registry.list_weights(game.name))
        hint = f"name one that has, with --strategy: {names}" if names else "nor has any other"
        raise TrainingError(f"strategy {strategy} has no weights to train; {hint}")
    if not base and any(cell.strategies[place] != own for cell in scenario.cells):
        raise TrainingError(
            f"seat {terms.seat} does not have the same strategy in every cell of {scenario.name}; "
            "name one with --strategy"
        )
    seats: list[tuple[int, ...]] = []
    for cell in scenario.cells:
        if game.competitive:
            seats.append((place,))
        elif base:
            seats.append(tuple(range(cell.players)))
        else:
            seats.append(tuple(s for s, other in enumerate(cell.strategies) if other == own))
    return strategy, TrainingTask(scenario, player, seats)


def _check_limits(game: str, base: StrategySpec, space: SearchSpace) -> None:
    """Check that a strategy may have the weights at the ends of their ranges.

    Raises:
        StrategyError: It may not.
    """
    names = [space.names[i] for i in space.free]
    for ends in space.limits.T.tolist():
        weights = {name: end for name, end in zip(names, ends, strict=True) if isfinite(end)}
        registry.create_player(game, base.full_name, weights)


def _compute_code_digest(task: TrainingTask) -> str:
    """Return the digest of the code and of the boxes, on which the replay log depends as well."""
    scenario = task.scenario
    digests = compute_code_digests(scenario.game, [task.player])
    content = [digests, [cell.digests for cell in scenario.cells]]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def parse_weight_ranges(text: str) -> dict[str, tuple[float, float] | None]:
    """Parse the option `--weights`, as in `threshold,share=2..20`.

    Returns:
        The ranges by the names of the weights; None where no range is given.

    Raises:
        TrainingError: A range is malformed.
    """
    ranges: dict[str, tuple[float, float] | None] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, has_range, limits = part.partition("=")
        low, _, high = limits.partition("..")
        try:
            ranges[name.strip()] = (float(low), float(high)) if has_range else None
        except ValueError:
            raise TrainingError(
                f"{part!r} is not a weight with a range; write NAME or NAME=LOW..HIGH"
            ) from None
    return ranges
