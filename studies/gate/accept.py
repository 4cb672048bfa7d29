"""Accepting a scenario: its games are played and become the baseline for later builds."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant, list_scenario_files, load_scenario
from hardmode.scenarios.variant import compute_digest
from hardmode.sim.contract import Game
from hardmode.sim.draws import SCHEME
from hardmode.sim.play.player import Player
from hardmode.sim.results.result import collect_versions, compute_code_digests
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import make_players
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baselines import Baseline, BaselineCell, BaselineError
from hardmode.studies.gate.lazy_games import FIRST_GAMES, LazyGames
from hardmode.studies.stats.sequential import plan_looks

GAME_COUNTS = (2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
MAX_PAIRED_GAMES = 20_000  # games of a cell whose winners are written to the baseline
USUAL_SECONDS = 10.0  # time to play a scenario, from which its number of games follows
WANTED_GAMES = 500  # games of a cell, if they can be played in `PATIENT_SECONDS`
PATIENT_SECONDS = 20.0
MIN_GAMES = 20  # games of a cell however long they take
QUICK_SECONDS = 0.2  # time of a later check that finds no change
MAX_QUICK_GAMES = 2_000
TRIAL_SECONDS = 0.5  # time, or else games, from which the pace is measured
TRIAL_GAMES = 512
PACE_DIGITS = 2  # significant digits of the games per second


@dataclass(frozen=True)
class AcceptResult:
    """Result of accepting a scenario.

    Attributes:
        scenario: Name of the scenario.
        path: File of the baseline.
        status: "new", "unchanged" or "accepted anew".
        before: The earlier baseline, if there was one.
        after: The baseline now.
    """

    scenario: str
    path: Path
    status: str
    before: Baseline | None
    after: Baseline


def list_scenarios_to_accept(names: Sequence[str], shipped: bool) -> list[str]:
    """Return the names of the scenarios to accept, each once.

    Args:
        names: Names that the user gave.
        shipped: Add all shipped scenarios.

    Raises:
        BaselineError: There are none.
    """
    chosen = [*names, *(list_scenario_files() if shipped else ())]
    if not chosen:
        raise BaselineError("say which scenarios to accept, or --all-shipped")
    return list(dict.fromkeys(chosen))


def accept_scenario(
    name: str,
    reason: str,
    *,
    games: int | None = None,
    seed: int | None = None,
    threads: int = 0,
    box: Path | None = None,
    progress: Progress = ignore_progress,
) -> AcceptResult:
    """Play a scenario and write its baseline, unless the present one has the same content.

    Args:
        name: Name or file of the scenario.
        reason: What changed, and why that is as it should be; written to the baseline.
        games: Number of games of each cell; by default as before, or by their pace.
        seed: Seed of the games; by default as before, or that of the scenario.
        threads: Number of threads; 0 for one per core.
        box: The user's own box, laid over the shipped one.
        progress: Called from time to time with the share that is done.

    Raises:
        BaselineError: There is no reason, or the file cannot be written.
    """
    reason = " ".join(reason.encode("utf-8", "replace").decode().split())
    if not reason:
        raise BaselineError(
            "a baseline needs a reason: what changed, and why that is as it should be"
        )
    scenario = load_scenario(name, box=box)
    path = baselines.locate_baseline(scenario.file, box)
    before = _read_previous(path, scenario)
    baselines.check_baseline_writable(path)
    seed = _choose_seed(seed, before, scenario)
    games, quick = _choose_games(scenario, seed, threads, games, before)
    looks = plan_looks(min(games, MAX_PAIRED_GAMES))
    digest_counts = sorted({quick, *looks, games})
    after = Baseline(
        scenario.name,
        scenario.title,
        scenario.game.name,
        scenario.game.version,
        SCHEME,
        reason,
        datetime.date.today().isoformat(),
        seed,
        games,
        quick,
        looks,
        {name: version for name, version in collect_versions().items() if name != "scheme"},
        tuple(_play_cells(scenario, seed, threads, games, digest_counts, progress)),
        scenario.overlay.path.name if scenario.overlay else "",
    )
    if before and before.content() == after.content():
        return AcceptResult(scenario.name, path, "unchanged", before, before)
    baselines.write_baseline(path, after)
    return AcceptResult(scenario.name, path, "accepted anew" if before else "new", before, after)


def _read_previous(path: Path, scenario: Scenario) -> Baseline | None:
    """Return the present baseline, or None if there is none or it cannot be read."""
    try:
        return baselines.read_baseline(path, scenario.name)
    except BaselineError:
        return None


def _choose_seed(requested: int | None, before: Baseline | None, scenario: Scenario) -> int:
    for seed in (requested, before.seed if before else None, scenario.seed):
        if seed is not None:
            return seed
    return 1


def _choose_games(
    scenario: Scenario, seed: int, threads: int, requested: int | None, before: Baseline | None
) -> tuple[int, int]:
    """Return the games of each cell, and how many of them show that nothing changed."""
    if before and len(before.cells) == len(scenario.cells) and requested in (None, before.games):
        return before.games, before.quick
    seconds_per_game = 0.0
    for cell in scenario.cells:
        seconds_per_game += _measure_seconds_per_game(LazyGames(cell, seed, threads=threads))
    quick = min(_count_games_within(QUICK_SECONDS, seconds_per_game), MAX_QUICK_GAMES)
    games = requested
    if not games:
        is_fast = WANTED_GAMES * seconds_per_game <= PATIENT_SECONDS
        floor = WANTED_GAMES if is_fast else MIN_GAMES
        games = max(_count_games_within(USUAL_SECONDS, seconds_per_game), floor)
    return games, min(games, quick)


def _measure_seconds_per_game(trial: LazyGames) -> float:
    """Return the time of a game; the first games are not counted, since they may be compiled."""
    trial.play_until(FIRST_GAMES)
    seconds_before = trial.seconds
    games = FIRST_GAMES
    while games < TRIAL_GAMES and trial.seconds - seconds_before < TRIAL_SECONDS:
        games *= 2
        trial.play_until(games)
    return (trial.seconds - seconds_before) / (games - FIRST_GAMES)


def _count_games_within(seconds: float, seconds_per_game: float) -> int:
    """Return the largest of `GAME_COUNTS` that takes no longer."""
    fitting = [n for n in GAME_COUNTS if n * seconds_per_game <= seconds]
    return max(fitting, default=GAME_COUNTS[0])


def _play_cells(
    scenario: Scenario,
    seed: int,
    threads: int,
    games: int,
    digest_counts: list[int],
    progress: Progress,
) -> Iterator[BaselineCell]:
    for i, cell in enumerate(scenario.cells):
        step = subprogress(progress, i, len(scenario.cells), cell.label_text)
        lazy_games = LazyGames(cell, seed, threads=threads, progress=step)
        yield _make_baseline_cell(lazy_games, games, digest_counts)


def _make_baseline_cell(
    played: LazyGames, games: int, digest_counts: Sequence[int]
) -> BaselineCell:
    """Play a cell and return what its baseline holds.

    Args:
        played: The games of the cell.
        games: Number of games to play.
        digest_counts: Numbers of first games whose outcome digest is written.
    """
    played.play_until(games)
    cell = played.cell
    game = played.cell.game
    endings = played.column("ending", games)
    wins = [played.count_wins(games, side) for side in range(played.sides)]
    sums = played.sum_columns()
    mean_columns = ["rounds", *(f"score {seat + 1}" for seat in range(cell.players))]
    mean_columns += [m.name for m in game.measures if not m.factor and not m.per_seat]
    pace = games / max(played.seconds, 1e-9)
    seats = {f"seat {side + 1}": n for side, n in enumerate(wins)} if game.competitive else {}
    paired = min(games, MAX_PAIRED_GAMES)
    return BaselineCell(
        cell.label_text,
        label_to_plain(cell.label),
        [str(player) for player in make_players(cell)],
        round(100 * wins[0] / games, 2),
        wins[0],
        {name: int((endings == i).sum()) for i, name in enumerate(game.all_endings)},
        seats,
        {name: round(sums[name] / games, 4) for name in mean_columns},
        float(f"{pace:.{PACE_DIGITS}g}"),
        compute_digests(cell),
        {str(n): played.outcome_digest(n) for n in digest_counts},
        np.array([played.is_won(paired, side) for side in range(played.sides)]),
    )


def compute_digests(variant: Variant) -> dict[str, str]:
    """Return digests of everything that decides the games: code, weights, numbers and players."""
    players = make_players(variant)
    return {
        **_compute_code_digests(variant.game, tuple(players)),
        "weights": compute_digest([_list_numbers(player) for player in players]),
        **variant.digests,
    }


def _list_numbers(player: Player) -> list[Any]:
    numbers: list[Any] = [list(player.weights), player.rollout_budget]
    return [*numbers, player.mistake_rate] if player.mistake_rate else numbers


@cache
def _compute_code_digests(game: Game, players: tuple[Player, ...]) -> dict[str, str]:
    """Cache the digests of code, which take 10 ms and are the same for most cells."""
    return compute_code_digests(game, players)


def label_to_plain(label: dict[str, Any]) -> dict[str, Any]:
    """Return the label of a cell with lists in place of tuples, as files hold it."""
    return {path: list(v) if isinstance(v, tuple) else v for path, v in label.items()}
