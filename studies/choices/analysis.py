"""Value of choices: each kind of option forbidden for a whole game, and taken whenever offered.

The rules do not change. A player is restricted to some labels (all but one, or a single one)
wherever an option with these labels is offered, and otherwise plays as before. Where all play
together, all players are restricted; where seats compete, the first one is. Components of the box
are taken out, or put in place of what is drawn (`components`). All variants play the same random
draws.

A kind of option counts as offered where an option of another kind is offered too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Game
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import STEPS, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.strategies import registry
from hardmode.studies.choices.components import ComponentUsage, list_components, measure_usage
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.notebook import NotebookTable, Row
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.reference_players import STEADY_TIME_SHARE, with_steady
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.core.skill_levels import SKILL_LEVELS
from hardmode.studies.sensitivity.paired_effects import (
    PairedRunner,
    ParameterEffect,
    PerturbedParameter,
)
from hardmode.studies.sensitivity.screening import LEADING_COUNT, SMALLEST_EFFECT
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.estimates import Estimate, bonferroni_level, wilson_rate

DEFAULT_SECONDS = 40.0
FORBIDDEN, ALWAYS = "forbidden", "always"  # what is done with a label, as `after` of a request
MAX_COUNTED_GAMES = 2000  # games of each player from which frequencies are counted
FREQUENCY_SHARE = 0.2  # share of the time for counting frequencies
USAGE_SHARE = 0.1  # share of the time for counting the usage of components
COMPONENT_SHARE = 0.3  # share of the remaining time for the effects of components
SINGLE_GAMES = 60  # first games are played one by one, to know in which an option is offered
COUNT_BLOCK = 20  # later games are played in blocks of this size
PROBE_GAMES = 50  # games from which the usual number of decisions is measured
MIN_DECISION_LIMIT = 100
INDISPENSABLE_SHARE = 0.1  # share of the win rate; with less, hardly any game is won without it
DECISION_LIMIT_FACTOR = 10  # a restricted game ends after this multiple of the usual decisions


class ChoicesError(ValueError):
    """Raised if the choices of a game cannot be analysed."""


@dataclass(frozen=True)
class OptionFrequencies:
    """Frequencies of the kinds of options that a player is offered and takes, by label.

    Attributes:
        games: Number of games that were counted.
        offered: Decisions that offer the label beside another one.
        taken: Decisions that take it.
        games_offered: Games in which it is offered.
        games_taken: Games in which it is taken.
        share: Share of the decisions, of the kinds that may offer it, that do.
        decision_kinds: Whether it is offered, by label and kind of decision.
        example_games: Number of a game in which it is offered.
    """

    games: int
    offered: np.ndarray
    taken: np.ndarray
    games_offered: np.ndarray
    games_taken: np.ndarray
    share: np.ndarray
    decision_kinds: np.ndarray
    example_games: np.ndarray

    def list_decision_kinds(self, label: int) -> tuple[int, ...]:
        """Return the kinds of decisions that offer a label."""
        return tuple(np.flatnonzero(self.decision_kinds[label]).tolist())

    def estimate_take_rate(self, label: int, confidence: float) -> Estimate:
        """Return how often a label is taken when it is offered."""
        taken, offered = int(self.taken[label]), int(self.offered[label])
        return wilson_rate(taken, offered, confidence)


@dataclass(frozen=True, eq=False)
class OptionEffect:
    """Effects of forbidding one kind of option, and of always taking it."""

    label: int
    name: str
    forbidden: ParameterEffect
    always: ParameterEffect

    @property
    def both(self) -> tuple[ParameterEffect, ParameterEffect]:
        """Both effects."""
        return self.forbidden, self.always


@dataclass
class ChoiceAnalysis(NotebookTable):
    """Values of all kinds of options and components of a variant.

    Attributes:
        cell: The variant.
        seed: Seed of the games.
        confidence: Confidence of all intervals together.
        frequencies: Frequencies of the analysed player, then of each skill level, by name.
        options: Effects of restrictions, by how often the option is offered.
        components: Effects of changed components.
        skipped_levels: Skill levels that search and are therefore too slow.
        usage: How often components come into play.
        steady_effects: Effects of leading restrictions where `steady` plays, by `key`.
        base_games: Games of the unchanged variant.
        interrupted: Whether Ctrl-C ended the analysis.
        speed: Games played per second; 0 if not measured.
    """

    cell: Variant
    seed: int
    confidence: float
    frequencies: dict[str, OptionFrequencies]
    options: list[OptionEffect]
    components: list[ParameterEffect]
    skipped_levels: list[str] = field(default_factory=list)
    usage: ComponentUsage = field(default_factory=lambda: ComponentUsage(0, {}, {}))
    steady_effects: dict[tuple[str, str], ParameterEffect] = field(default_factory=dict)
    base_games: int = 0
    interrupted: bool = False
    speed: float = 0.0

    estimate_kind = "points"

    def list_rows(self) -> Iterator[Row]:
        """Yield a row for each restriction that was played, and what it does to the win rate."""
        for option in self.options:
            for restriction in ("forbidden", "always"):
                effect: ParameterEffect = getattr(option, restriction)
                if effect.games:
                    row = {"option": option.name, "restriction": restriction, "games": effect.games}
                    yield {**row, "difference": self.estimate_effect(effect)}

    @property
    def game(self) -> Game:
        """The game of the variant."""
        return self.cell.game

    @property
    def own_frequencies(self) -> OptionFrequencies:
        """Frequencies of the analysed player."""
        return next(iter(self.frequencies.values()))

    @cached_property
    def played_effects(self) -> list[ParameterEffect]:
        """All effects for which games were played."""
        effects = [effect for option in self.options for effect in option.both]
        return [effect for effect in (*effects, *self.components) if effect.games]

    @cached_property
    def level(self) -> float:
        """Confidence of one interval, such that all hold together (Bonferroni)."""
        return bonferroni_level(self.confidence, max(1, len(self.played_effects)))

    @cached_property
    def unplayed_count(self) -> int:
        """Number of restrictions that can change a game but were not played in time."""
        count = 0
        for option in self.options:
            for effect in option.both:
                count += not effect.games and can_change_games(
                    self.own_frequencies, effect.parameter
                )
        return count

    @property
    def option_effects(self) -> list[ParameterEffect]:
        """Effects of all restrictions that can change a game, played or not."""
        effects = []
        for option in self.options:
            for effect in option.both:
                if effect.games or can_change_games(self.own_frequencies, effect.parameter):
                    effects.append(effect)
        return effects

    @property
    def base_rate(self) -> Estimate | None:
        """Win rate without any change, from the effect with the most games, or None."""
        played = [effect for effect in self.played_effects if effect.games]
        if not played:
            return None
        return self.estimate_base_rate(max(played, key=lambda effect: effect.games))

    def is_significant(self, effect: ParameterEffect) -> bool:
        """Return whether a change certainly changes the win rate."""
        return effect.games > 0 and self.estimate_effect(effect).excludes(0.0)

    def is_settled(self, effect: ParameterEffect) -> bool:
        """Return whether a change is significant, or certainly of little effect."""
        estimate = self.estimate_effect(effect)
        is_small = -SMALLEST_EFFECT < estimate.low and estimate.high < SMALLEST_EFFECT
        return self.is_significant(effect) or is_small

    @property
    def undecided(self) -> list[ParameterEffect]:
        """Restrictions of which too few games were played to tell whether they matter."""
        return [effect for effect in self.option_effects if not self.is_settled(effect)]

    @property
    def missing_seconds(self) -> float | None:
        """About how many more seconds would settle the undecided restrictions, None if unknown."""
        if not self.speed:
            return None
        missing = 0.0
        for effect in self.undecided:
            width = self.estimate_effect(effect).half_width
            growth = (width / SMALLEST_EFFECT) ** 2
            missing += max(growth - 1, 1.0) * max(effect.games, PROBE_GAMES)
        return missing / self.speed

    def is_indispensable(self, option: OptionEffect) -> bool:
        """Return whether hardly any game is won without an option, as if it were not played."""
        effect = option.forbidden
        if not self.is_significant(effect):
            return False
        most = self.estimate_changed_rate(effect).high
        return most < INDISPENSABLE_SHARE * self.estimate_base_rate(effect).low

    def may_be_indispensable(self, option: OptionEffect) -> bool:
        """Return whether too few games were played to exclude that an option is indispensable."""
        effect = option.forbidden
        if not self.is_significant(effect) or self.is_indispensable(option):
            return False
        least = self.estimate_changed_rate(effect).low
        return least < INDISPENSABLE_SHARE * self.estimate_base_rate(effect).high

    def estimate_effect(self, effect: ParameterEffect) -> Estimate:
        """Return the change of the win rate, in an interval that holds together with all others."""
        if not effect.games:
            return Estimate(
                float("nan"),
                -1.0,
                1.0,
                0,
                self.confidence,
            )
        pairs = PairedBounds(effect.games, effect.wins_gained, effect.wins_lost)
        low, high = pairs.bounds((1 - self.level) / 2)
        return Estimate(
            effect.value,
            float(low),
            float(high),
            effect.games,
            self.confidence,
        )

    def estimate_changed_share(self, effect: ParameterEffect) -> Estimate:
        """Return the share of games that the change affects in any way."""
        return wilson_rate(effect.games_changed, effect.games, self.confidence)

    def estimate_base_rate(self, effect: ParameterEffect) -> Estimate:
        """Return the win rate without the change, in the games on which it was played."""
        return wilson_rate(effect.base_wins, effect.games, self.confidence)

    def estimate_changed_rate(self, effect: ParameterEffect) -> Estimate:
        """Return the win rate with the change."""
        wins = effect.base_wins + effect.wins_gained - effect.wins_lost
        return wilson_rate(wins, effect.games, self.confidence)

    def estimate_with_steady(self, effect: ParameterEffect) -> Estimate | None:
        """Return the change of the win rate where `steady` plays, or None if not played."""
        other = self.steady_effects.get(effect.parameter.key)
        return self.estimate_effect(other) if other and other.games else None


class RestrictionRunner(PairedRunner):
    """Plays games in which players are restricted to some labels.

    In a request, `before` is the number of the label and `after` is `FORBIDDEN` or `ALWAYS`.
    """

    block_size = 128  # a restricted game may be long

    def build_engine(self, parameter: PerturbedParameter) -> Engine | None:
        """Return the game with restricted players."""
        label, game = int(parameter.before), self.cell.game
        if parameter.after == ALWAYS:
            allowed: tuple[int, ...] = (label,)
        else:
            allowed = tuple(other for other in range(game.labels) if other != label)
        return self.build_restricted_engine(self.own.players, allowed)

    def build_restricted_engine(
        self, players: Sequence[Player], allowed: tuple[int, ...]
    ) -> Engine:
        """Return the game with players restricted to `allowed` labels, and a limit of decisions."""
        game = self.cell.game
        engine = Engine(game, self.own.filled_box, restrict_players(players, allowed, game))
        engine.max_steps = min(game.max_decisions, self.max_decisions)
        return engine

    @cached_property
    def max_decisions(self) -> int:
        """Decisions after which a restricted game is given up, since it might never end."""
        usual = measure_decisions(self.own, self.effort)
        return max(MIN_DECISION_LIMIT, DECISION_LIMIT_FACTOR * usual)


def restrict_players(
    players: Sequence[Player],
    allowed: tuple[int, ...],
    game: Game,
) -> list[Player]:
    """Return the players, restricted to `allowed` labels: all, or the first where seats compete.

    Args:
        players: The players at all seats.
        allowed: Labels that a restricted player prefers wherever one is offered.
        game: The game.
    """
    restricted = [replace(player, allowed_labels=allowed) for player in players]
    return [restricted[0], *players[1:]] if game.competitive else restricted


def measure_decisions(engine: Engine, effort: Effort) -> int:
    """Return the mean number of decisions of a game, rounded down."""
    workspace = Workspace(engine.game)
    rows = allocate_rows(engine.game, PROBE_GAMES)
    engine.play(
        workspace,
        effort.seed,
        0,
        PROBE_GAMES,
        rows,
    )
    return int(workspace.totals[STEPS]) // PROBE_GAMES


def analyze_choices(
    cell: Variant,
    effort: Effort,
    seconds: float | None = DEFAULT_SECONDS,
    progress: Progress = ignore_progress,
    steady_check: bool = True,
) -> ChoiceAnalysis:
    """Return the values of all kinds of options and components of a variant.

    Args:
        cell: The variant.
        effort: Seed, threads, confidence, and the most games of one change.
        seconds: Time limit, or None.
        progress: Notified of the share that is done.
        steady_check: Whether to repeat the leading restrictions where `steady` plays.

    Raises:
        ChoicesError: The game has no labels.
    """
    game, effort = cell.game, effort.resolve_seed(None)
    if not game.labels:
        raise ChoicesError(
            f"the kinds of options of {game.title} cannot be told apart, since its rules have no "
            "`label`"
        )
    frequencies, skipped = measure_frequencies(
        cell, effort, FREQUENCY_SHARE * seconds if seconds else None
    )
    changes = list_components(cell)
    usage = ComponentUsage(0, {}, {})
    if changes:
        usage = measure_usage(cell, effort, USAGE_SHARE * seconds if seconds else None)
    left = (1 - FREQUENCY_SHARE - USAGE_SHARE) * (seconds or 0)
    component_seconds = COMPONENT_SHARE * left if changes else 0.0
    steady_cell = with_steady(cell) if steady_check else None
    steady_seconds = STEADY_TIME_SHARE * left if steady_cell else 0.0
    option_seconds = left - component_seconds - steady_seconds

    own_frequencies = next(iter(frequencies.values()))
    restrictions = _list_restrictions(cell, own_frequencies)
    effective = [
        request
        for requests in restrictions
        for request in requests
        if can_change_games(own_frequencies, request)
    ]
    budget = Budget(option_seconds or None)
    option_runner = RestrictionRunner(
        cell,
        effort,
        budget,
        subprogress(
            progress,
            0,
            3,
            "options",
        ),
    )
    option_runner.run(effective)
    options = []
    for requests in restrictions:
        forbidden, always = option_runner.get_effects(requests)
        options.append(
            OptionEffect(
                forbidden.before,
                forbidden.path,
                forbidden,
                always,
            )
        )
    interrupted = option_runner.interrupted

    component_effects = [ParameterEffect(change) for change in changes]
    if changes and not interrupted:
        budget = Budget(component_seconds or None)
        runner = PairedRunner(
            cell,
            effort,
            budget,
            subprogress(
                progress,
                1,
                3,
                "in the box",
            ),
        )
        component_effects = runner.run(changes)
        interrupted = runner.interrupted

    analysis = ChoiceAnalysis(
        cell,
        effort.seed,
        effort.confidence,
        frequencies,
        options,
        component_effects,
        skipped,
        usage,
        base_games=option_runner.base_games,
        interrupted=interrupted,
        speed=option_runner.speed if seconds else 0.0,
    )
    if steady_cell and not interrupted:
        budget = Budget(steady_seconds or None)
        steady_progress = subprogress(
            progress,
            2,
            3,
            "steady",
        )
        steady_runner = RestrictionRunner(
            steady_cell,
            effort,
            budget,
            steady_progress,
        )
        for effect in steady_runner.run(_select_leading(options)):
            analysis.steady_effects[effect.parameter.key] = effect
    return analysis


def _list_restrictions(
    cell: Variant, frequencies: OptionFrequencies
) -> list[tuple[PerturbedParameter, PerturbedParameter]]:
    """Return for each label that is offered, the most frequent first, both restrictions."""
    names = list_option_labels(cell)
    labels = np.flatnonzero(frequencies.offered).tolist()
    labels.sort(key=lambda label: -frequencies.games_offered[label])
    restrictions = []
    for label in labels:
        forbidden = PerturbedParameter(names[label], label, FORBIDDEN)
        restrictions.append((forbidden, PerturbedParameter(names[label], label, ALWAYS)))
    return restrictions


def _select_leading(options: Sequence[OptionEffect]) -> list[PerturbedParameter]:
    """Return the restrictions with the largest effects."""
    effects = [effect for option in options for effect in option.both if effect.games]
    effects.sort(key=lambda effect: -abs(effect.value))
    return [effect.parameter for effect in effects[:LEADING_COUNT]]


def can_change_games(frequencies: OptionFrequencies, restriction: PerturbedParameter) -> bool:
    """Return whether a restriction can change any game.

    Forbidding a label that is never taken changes nothing, nor does forcing one that always is.

    Args:
        frequencies: What the player is offered and takes.
        restriction: A request of `RestrictionRunner`.
    """
    label = int(restriction.before)
    taken, offered = frequencies.taken[label], frequencies.offered[label]
    return bool(taken < offered if restriction.after == ALWAYS else taken)


def list_option_labels(cell: Variant) -> list[str]:
    """Return the names of all labels."""
    box, words = readable(cell.box), cell.game.load_words()
    return [words.label(box, number) for number in range(cell.game.labels)]


def measure_frequencies(
    cell: Variant,
    effort: Effort,
    seconds: float | None,
) -> tuple[dict[str, OptionFrequencies], list[str]]:
    """Count how often the variant's players and each skill level take each kind of option.

    Args:
        cell: The variant.
        effort: Seed, and the most games.
        seconds: Time limit, shared equally by all players, or None.

    Returns:
        Frequencies by the names of the players, the variant's own first; and the skill levels that
        were left out since they search.
    """
    own, game = make_engine(cell), cell.game
    own_name = ", ".join(dict.fromkeys(map(str, own.players)))
    lineups: dict[str, list[Player]] = {own_name: list(own.players)}
    skipped = []
    for level in SKILL_LEVELS:
        if level not in registry.list_strategies(game.name) or level in lineups:
            continue
        player = registry.create_player(game.name, level)
        if player.rollout_budget:
            skipped.append(level)
        elif game.competitive:
            lineups[level] = [player, *own.players[1:]]
        else:
            lineups[level] = [player] * len(own.players)
    seconds_each = seconds / len(lineups) if seconds else None
    frequencies = {}
    for name, players in lineups.items():
        counted = [replace(player, counts_choices=not game.competitive) for player in players]
        counted[0] = replace(players[0], counts_choices=True)
        engine = Engine(game, own.filled_box, counted)
        frequencies[name] = count_options(engine, effort, seconds_each)
    return frequencies, skipped


def count_options(
    engine: Engine,
    effort: Effort,
    seconds: float | None,
) -> OptionFrequencies:
    """Play games and count how often each kind of option is offered and taken.

    Args:
        engine: The game, with players whose choices are counted.
        effort: Seed, and the most games.
        seconds: Time limit after the first `SINGLE_GAMES` games, or None.
    """
    workspace, games, budget = Workspace(engine.game), 0, Budget(seconds)
    examples = np.full(workspace.games_with_label.shape[1], -1)
    most = min(MAX_COUNTED_GAMES, effort.games)
    while games < most and (games < SINGLE_GAMES or not budget.exhausted):
        size = 1 if games < SINGLE_GAMES else COUNT_BLOCK
        rows = allocate_rows(engine.game, size)
        engine.play(
            workspace,
            effort.seed,
            games,
            games + size,
            rows,
        )
        is_offered = np.asarray(workspace.games_with_label)[0] > 0
        examples[(examples < 0) & is_offered] = games
        games += size
    offered, taken = np.asarray(workspace.label_counts)  # (label, kind of decision)
    decisions = np.where(offered > 0, np.asarray(workspace.decisions_by_kind), 0).sum(axis=1)
    games_offered, games_taken = np.array(workspace.games_with_label)
    return OptionFrequencies(
        games,
        offered.sum(axis=1),
        taken.sum(axis=1),
        games_offered,
        games_taken,
        offered.sum(axis=1) / np.maximum(decisions, 1),
        offered > 0,
        np.maximum(examples, 0),
    )
