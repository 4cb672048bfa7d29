"""Luck and skill: the share of the variance of outcomes that each source of chance explains.

The shares are Sobol indices, estimated by the pick-freeze method of Jansen (1999) (`stats.sobol`).
Every draw has an address, so a source can be drawn anew while all else stays as it is: each game is
played with seed A, with seed B, and for each source with its draws taken from the other seed. The
share of who plays comes from games that players of several skill levels play on the same draws.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.scenarios.load import (
    Scenario,
    ScenarioLike,
    StrategySpec,
    Variant,
    resolve_scenario,
)
from hardmode.sim.contract import SCORES, Game
from hardmode.sim.draws import COINS, DECISION, Event, game_key, mask_of
from hardmode.sim.play.backends import TALLY_GAMES
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices, logged
from hardmode.strategies import registry
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.reference_players import (
    STEADY_TIME_SHARE,
    players_disagree,
    with_steady,
)
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.core.skill_levels import SKILL_LEVELS, seat_strategy
from hardmode.studies.stats.estimates import Estimate, wilson_rate
from hardmode.studies.stats.sobol import (
    JACKKNIFE_GROUPS,
    LevelVariance,
    LevelVarianceSums,
    PickFreezeSums,
    SobolIndex,
    SobolIndices,
)

DEFAULT_SECONDS = 20.0
PROBE_GAMES = 200  # games whose draws are counted
PROBE_SHARE = 0.1  # share of the time for that
LEVEL_SHARE = 0.25  # share of the time for games of several skill levels
END_SHARE = 0.95  # share of a time limit after which no block of games begins
PLAYER_SOURCE_NAME, SETUP_NAME = "the players' own chance", "set-up"  # part of the JSON answer


class LuckError(ValueError):
    """Raised if the luck of a game, or of one draw, cannot be analysed."""


@dataclass(frozen=True)
class VarianceSource:
    """Something that can be drawn anew by itself.

    Attributes:
        name: Its name.
        selector: Bit mask of sources, or the address of one draw.
        draws: Mean number of its draws in a game.
        source_names: Names of the sources, if it combines several.
    """

    name: str
    selector: int | Event
    draws: float = 0.0
    source_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawSummary:
    """Draws made in some games.

    Attributes:
        games: Number of games.
        draws: Mean number of draws in a game, by the number of the source.
        setup_sources: Sources drawn before the first decision and never afterwards.
        single_draw_rate: Share of games that make the requested draw.
    """

    games: int
    draws: dict[int, float]
    setup_sources: tuple[int, ...]
    single_draw_rate: float = 0.0


@dataclass(frozen=True)
class LuckAnalysis(NotebookTable):
    """Shares of the variance of winning, and of the score, by source.

    Attributes:
        scenario: The scenario.
        cell: Its first variant.
        players: Names of the players.
        seed: Seed A.
        confidence: Confidence of each interval.
        sources: Sources of chance that are drawn.
        player_randomness: The players' own random choices.
        combined_sources: What the sources contain: the set-up as one, a single draw.
        win_shares: Shares of the variance of winning.
        score_shares: Shares of the variance of the score, where it is a result itself.
        level_names: Skill levels that were compared.
        skipped_levels: Skill levels that search and are therefore too slow.
        level_variance: Share of who plays in winning.
        level_score_variance: Share of who plays in the score.
        steady_shares: Shares of winning where `steady` plays.
    """

    scenario: Scenario
    cell: Variant
    players: list[str]
    seed: int
    confidence: float
    sources: list[VarianceSource]
    player_randomness: VarianceSource
    combined_sources: list[VarianceSource]
    win_shares: SobolIndices
    score_shares: SobolIndices | None
    level_names: list[str]
    skipped_levels: list[str]
    level_variance: LevelVariance
    level_score_variance: LevelVariance | None
    steady_shares: SobolIndices | None = None

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each source of chance: its share of the variance of winning."""
        for source in (*self.rank_sources(self.win_shares), self.player_randomness):
            share = self.get_share(self.win_shares, source).total
            yield {"source": source.name, "draws": source.draws, "share": share}

    @property
    def disagreeing_sources(self) -> list[VarianceSource]:
        """Sources whose share in winning differs where `steady` plays."""
        steady = self.steady_shares
        if not steady or not steady.has_variance or not self.win_shares.has_variance:
            return []
        disagreeing = []
        for source in (*self.sources, self.player_randomness):
            own = self.get_share(self.win_shares, source).total
            if players_disagree(own, self.get_share(steady, source).total):
                disagreeing.append(source)
        return disagreeing

    @property
    def game(self) -> Game:
        """The game of the variant."""
        return self.cell.game

    @property
    def win_rates(self) -> dict[str, Estimate]:
        """Win rate of each skill level, with Wilson's interval, also where no game is won."""
        rates = {}
        for level, mean in zip(self.level_names, self.level_variance.means, strict=True):
            rates[level] = wilson_rate(round(mean.value * mean.n), mean.n, self.confidence)
        return rates

    @property
    def has_rivals(self) -> bool:
        """True if several seats compete."""
        return self.game.competitive and self.cell.players > 1

    @property
    def outcomes(self) -> dict[str, SobolIndices]:
        """Shares by outcome: `win`, and `score` where it is a result itself."""
        return {"win": self.win_shares} | (
            {"score": self.score_shares} if self.score_shares else {}
        )

    def get_share(self, shares: SobolIndices, source: VarianceSource) -> SobolIndex:
        """Return the share of one source.

        Args:
            shares: Shares of winning or of the score.
            source: One of the sources of this analysis.
        """
        sources = [*self.sources, self.player_randomness, *self.combined_sources]
        return shares.indices[sources.index(source)]

    def rank_sources(self, shares: SobolIndices) -> list[VarianceSource]:
        """Return the sources, the largest total share first."""
        if not shares.has_variance:
            return list(self.sources)
        return sorted(self.sources, key=lambda s: -self.get_share(shares, s).total.value)


def analyze_luck(
    scenario: ScenarioLike,
    effort: Effort | None = None,
    *,
    games: int | None = None,
    seconds: float = DEFAULT_SECONDS,
    draw: str = "",
    progress: Progress = ignore_progress,
) -> LuckAnalysis:
    """Return how much each source of chance and who plays matter in a scenario's first variant.

    Args:
        scenario: The scenario.
        effort: Seed, threads, and confidence.
        games: Games played with each source drawn anew, instead of a time limit.
        seconds: Time limit.
        draw: Address of a single draw to analyse too, as in "die 1 0 0".
        progress: Notified of the share that is done.

    Raises:
        LuckError: The draw does not exist, or the game has too many sources.
    """
    scenario = resolve_scenario(scenario)
    cell = scenario.cells[0]
    game = cell.game
    effort = (effort or Effort()).resolve_seed(scenario)
    if len(game.sources) > COINS:
        raise LuckError(
            f"{game.title} has {len(game.sources)} sources of chance, and at most {COINS} can be "
            "analysed"
        )
    requested = parse_draw_address(game, draw) if draw else None
    engine = make_engine(cell)
    level_engines, skipped_levels = build_level_engines(cell)
    probe_games = min(PROBE_GAMES, games or PROBE_GAMES)
    summary = summarize_draws(
        engine,
        effort,
        probe_games,
        PROBE_SHARE * seconds,
        requested,
    )
    sources, combined = _list_sources(game, summary)
    if requested:
        combined.append(VarianceSource(draw, requested, summary.single_draw_rate))
    level_sums = play_levels(
        level_engines,
        effort,
        games,
        LEVEL_SHARE * seconds,
        progress,
    )
    player_source = VarianceSource(PLAYER_SOURCE_NAME, 1 << COINS)
    separate = [*sources, player_source]
    steady_cell = with_steady(cell)
    steady_share = STEADY_TIME_SHARE if steady_cell else 0.0
    swap_seconds = (1 - PROBE_SHARE - LEVEL_SHARE - steady_share) * seconds
    swap_sums = swap_sources(
        engine,
        separate,
        combined,
        effort,
        games,
        swap_seconds,
        progress,
    )
    steady_shares = None
    if steady_cell:
        steady_engine, steady_seconds = make_engine(steady_cell), steady_share * seconds
        steady_sums = swap_sources(
            steady_engine,
            separate,
            [],
            effort,
            games,
            steady_seconds,
            progress,
        )
        steady_shares = steady_sums[0].estimate_indices(effort.confidence)
    win_shares, score_shares = (sums.estimate_indices(effort.confidence) for sums in swap_sums)
    win_levels, score_levels = (sums.estimate_variance(effort.confidence) for sums in level_sums)
    return LuckAnalysis(
        scenario,
        cell,
        [player.name for player in engine.players],
        effort.seed,
        effort.confidence,
        sources,
        player_source,
        combined,
        win_shares,
        score_shares if game.scored else None,
        list(level_engines),
        skipped_levels,
        win_levels,
        score_levels if game.scored else None,
        steady_shares,
    )


def _list_sources(
    game: Game, summary: DrawSummary
) -> tuple[list[VarianceSource], list[VarianceSource]]:
    """Return the sources that are drawn, and the set-up as one if it has several."""
    sources = []
    for number, draws in summary.draws.items():
        sources.append(VarianceSource(game.sources[number].name, 1 << number, draws))
    setup = summary.setup_sources
    if len(setup) < 2:
        return sources, []
    setup_draws = sum(summary.draws[number] for number in setup)
    names = tuple(game.sources[number].name for number in setup)
    return sources, [
        VarianceSource(
            SETUP_NAME,
            mask_of(setup),
            setup_draws,
            names,
        )
    ]


def parse_draw_address(game: Game, text: str) -> Event:
    """Return the draw given by the name of a source and up to three numbers.

    Raises:
        LuckError: The game has no such draw.
    """
    words, names = text.split(), [source.name for source in game.sources]
    for count in range(min(3, len(words)), -1, -1):
        split = len(words) - count
        name, numbers = " ".join(words[:split]), words[split:]
        if name in names and all(number.lstrip("-").isdecimal() for number in numbers):
            labels = game.sources[names.index(name)].address
            needed = max((i + 1 for i, label in enumerate(labels) if label), default=0)
            if count < needed:
                parts = ", ".join(label or "0" for label in labels[:needed])
                example = " ".join([name, *numbers, *["0"] * (needed - count)])
                raise LuckError(
                    f"{text!r}: the address of a draw of {name} needs {parts}; write for example "
                    f"{example!r}"
                )
            return Event(names.index(name), *map(int, numbers))
    source_name = " ".join(word for word in words if not word.lstrip("-").isdecimal())
    near = difflib.get_close_matches(source_name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    if source_name in names:
        hint = "write the name of the source and at most three whole numbers"
    raise LuckError(f"{text!r}: no such draw of {game.title}; {hint}")


def summarize_draws(
    engine: Engine,
    effort: Effort,
    games: int,
    seconds: float,
    requested: Event | None,
) -> DrawSummary:
    """Play games one by one and count their draws.

    Args:
        engine: The game.
        effort: Seed and number of the first game.
        games: Most games.
        seconds: Time limit after the first games.
        requested: A single draw to look for.
    """
    workspace, budget = Workspace(engine.game), Budget(seconds)
    counts: Counter[int] = Counter()
    late_sources, with_requested, played = {DECISION}, 0, 0
    while played < games and (played < JACKKNIFE_GROUPS or not budget.exhausted):
        choices(
            engine,
            workspace,
            effort.seed,
            effort.first_game + played,
            log=True,
        )
        log = logged(workspace)
        counts.update(log[:, 0].tolist())
        decisions = np.flatnonzero(log[:, 0] == DECISION)
        if len(decisions):
            late_sources.update(log[decisions[0] :, 0].tolist())
        if requested:
            with_requested += int((log[:, :4] == requested).all(axis=1).any())
        played += 1
    draws = {source: counts[source] / played for source in sorted(counts) if source != DECISION}
    setup_sources = tuple(source for source in draws if source not in late_sources)
    return DrawSummary(
        played,
        draws,
        setup_sources,
        with_requested / played,
    )


def build_level_engines(cell: Variant) -> tuple[dict[str, Engine], list[str]]:
    """Return the game with players of each skill level, and the levels that search.

    Where seats compete, seat 1 has the level, and `steady` plays at the other seats.
    """
    engines, skipped = {}, []
    for level in SKILL_LEVELS:
        if level not in registry.list_strategies(cell.game.name):
            continue
        player = registry.create_player(cell.game.name, level)
        if player.rollout_budget:
            skipped.append(level)
        else:
            strategies = seat_strategy(cell, StrategySpec(level))
            engines[level] = make_engine(replace(cell, strategies=strategies))
    return engines, skipped


def play_levels(
    engines: dict[str, Engine],
    effort: Effort,
    games: int | None,
    seconds: float,
    progress: Progress,
) -> list[LevelVarianceSums]:
    """Play the same games with players of every skill level.

    Returns:
        Sums for winning and for the score.
    """
    sums = [LevelVarianceSums(len(engines)), LevelVarianceSums(len(engines))]
    runners = []
    for engine in engines.values():
        runners.append(
            Runner(
                engine,
                effort.seed,
                threads=effort.threads,
                chunk=effort.chunk,
            )
        )
    for start, stop, share in generate_blocks(effort.first_game, games, seconds):
        rows = []
        for engine, runner in zip(engines.values(), runners, strict=True):
            rows.append(compute_outcomes(engine.game, runner.play_rows(start, stop)))
        for outcome_sums, outcomes in zip(sums, zip(*rows, strict=True), strict=True):
            outcome_sums.add(start, outcomes)
        progress("who plays", LEVEL_SHARE * share)
    return sums


def swap_sources(
    engine: Engine,
    separate: Sequence[VarianceSource],
    combined: Sequence[VarianceSource],
    effort: Effort,
    games: int | None,
    seconds: float,
    progress: Progress,
) -> list[PickFreezeSums]:
    """Play the same games with seed A, with seed B, and with each source swapped between them.

    Args:
        engine: The game.
        separate: Sources that do not contain each other and together are all of the luck.
        combined: Further sources that the separate ones contain.
        effort: Seed A, threads, and number of the first game.
        games: Number of games, or None for a time limit.
        seconds: Time limit.
        progress: Notified of the share that is done.

    Returns:
        Sums for winning and for the score.
    """
    sources = [*separate, *combined]
    with np.errstate(over="ignore"):
        seed_a, seed_b = effort.seed, int(game_key(effort.seed, COINS)) >> 1
    play_a = _make_player(
        engine,
        effort,
        seed_a,
        seed_b,
    )
    play_b = _make_player(
        engine,
        effort,
        seed_b,
        seed_a,
    )
    sums = [PickFreezeSums(len(sources), range(len(separate))) for _ in range(2)]
    for start, stop, share in generate_blocks(effort.first_game, games, seconds):
        a, b = play_a(start, stop, None), play_b(start, stop, None)
        swapped_a = [play_a(start, stop, source) for source in sources]
        swapped_b = [play_b(start, stop, source) for source in sources]
        for i, outcome_sums in enumerate(sums):
            swaps = [(ab[i], ba[i]) for ab, ba in zip(swapped_a, swapped_b, strict=True)]
            outcome_sums.add(
                start,
                a[i],
                b[i],
                swaps,
            )
        progress("sources", LEVEL_SHARE + (1 - LEVEL_SHARE) * share)
    return sums


def _make_player(
    engine: Engine,
    effort: Effort,
    seed: int,
    other_seed: int,
) -> Callable[[int, int, VarianceSource | None], list[np.ndarray]]:
    """Return a function that plays games of a seed with a source taken from the other seed.

    Args:
        engine: The game.
        effort: Number of threads, and games of a chunk.
        seed: Seed of all other sources.
        other_seed: Seed of the source.
    """
    runner = Runner(
        engine,
        seed,
        threads=effort.threads,
        chunk=effort.chunk,
    )

    def play(
        start: int,
        stop: int,
        source: VarianceSource | None,
    ) -> list[np.ndarray]:
        redraw = (source.selector, other_seed) if source else None
        return compute_outcomes(engine.game, runner.play_rows(start, stop, redraw))

    return play


def compute_outcomes(game: Game, rows: np.ndarray) -> list[np.ndarray]:
    """Return for each game 1 if it is won (by seat 1 where seats compete), and the score of seat 1.

    Args:
        game: The game.
        rows: Rows of games, an array (column, game).
    """
    return [is_won(game, rows).astype(float), rows[SCORES].astype(float)]


def generate_blocks(
    first: int,
    games: int | None,
    seconds: float,
) -> Iterator[tuple[int, int, float]]:
    """Yield ranges of games to play one after the other, until all are played or the time is over.

    Args:
        first: Number of the first game.
        games: Number of games, or None for a time limit.
        seconds: Time limit.

    Yields:
        Start and end of a range, and the share that is done after it.
    """
    budget, start, size = Budget(seconds), first, JACKKNIFE_GROUPS
    last = first + games if games else None
    while True:
        if last:
            stop = min(start + size, last)
            yield start, stop, (stop - first) / (last - first)
        else:
            stop = start + size
            yield start, stop, min(1.0, budget.share_spent)
        start, spent = stop, budget.elapsed
        if start == last or (last is None and spent >= END_SHARE * seconds):
            return
        seconds_ahead = 1.0 if last else (seconds - spent) / 2
        games_ahead = np.clip(
            (start - first) / spent * seconds_ahead, JACKKNIFE_GROUPS, TALLY_GAMES
        )
        size = int(games_ahead) // JACKKNIFE_GROUPS * JACKKNIFE_GROUPS
