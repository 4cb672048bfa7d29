"""What is a choice worth? Every kind of option forbidden for a whole game, and taken wherever it is offered.

Nothing of the rules changes: a player keeps to some labels (all but one, or one alone), where an option of them is
offered, and else plays as ever. All play on the luck of the scenario itself, so that a difference shows early. Where
all play together, all keep to them; where seats compete, the first does. What lies in the box (cards, curses, heroes)
is taken out or put into the place of what is drawn, on the same luck.

A kind of option counts as offered where an option of another kind is offered beside it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Game
from hardmode.sim.play.engine import Desk, Engine, Player, columns
from hardmode.sim.play.workspace import STEPS
from hardmode.sim.records import readable
from hardmode.strategies import registry
from hardmode.studies.choices.components import Met, content, met
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.reference_players import BESIDE, by_steady
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.core.skill_levels import RUNGS
from hardmode.studies.sensitivity.paired_effects import Number, Table
from hardmode.studies.sensitivity.screening import LEADING
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.stats.estimates import Estimate

SECONDS = 40.0
FORBIDDEN, ALWAYS = "forbidden", "always"
LOOKED, LOOKING = (
    2000,
    0.2,
)  # games by every rung for what it takes, and the share of the time for that
MEETING = 0.1  # the share of the time for how often each piece of the box is met
ONE_BY_ONE = 60  # games that are looked at singly, to know in which of them an option comes up
CONTENT = 0.3  # the share of the time for what lies in the box
LONGER = 10  # so many times as long as a game usually is, one that is restricted is not played


class ChoicesError(ValueError):
    """What is asked about the choices of a game has no answer; says why."""


@dataclass(frozen=True)
class Habit:
    """What one rung of play is offered and takes, by label."""

    games: int
    offered: np.ndarray  # decisions in which it is, beside another
    taken: np.ndarray
    games_offered: np.ndarray
    games_taken: np.ndarray
    share: np.ndarray  # of the decisions of the kinds at which it comes up
    at: np.ndarray  # whether it comes up, by kind of decision
    first: np.ndarray  # a game in which it is offered, one of the first where it is not rare

    def kinds(self, label: int) -> tuple[int, ...]:
        return tuple(np.flatnonzero(self.at[label]).tolist())

    def rate(self, label: int, confidence: float) -> Estimate:
        """How often the label is taken of the times that it is offered."""
        return estimates.rate(int(self.taken[label]), int(self.offered[label]), confidence)


@dataclass
class Choice:
    """A kind of option, and what becomes of games in which it is forbidden, or always taken."""

    label: int
    name: str
    forbidden: Number
    always: Number

    @property
    def both(self) -> tuple[Number, Number]:
        return self.forbidden, self.always


@dataclass
class Choices:
    cell: Variant
    seed: int
    confidence: float
    habits: dict[str, Habit]  # by rung; first of them whoever plays the study
    choices: list[Choice]
    content: list[Number]
    left_out: list[str] = field(default_factory=list)
    met: Met = field(default_factory=lambda: Met(0, {}, {}))
    steady: dict[tuple[str, str], Number] = field(default_factory=dict)
    games: int = 0
    interrupted: bool = False

    @property
    def game(self) -> Game:
        return self.cell.game

    @property
    def habit(self) -> Habit:
        return next(iter(self.habits.values()))

    @cached_property
    def played(self) -> list[Number]:
        return [n for n in (*(m for c in self.choices for m in c.both), *self.content) if n.games]

    @cached_property
    def level(self) -> float:
        return estimates.simultaneous(self.confidence, max(1, len(self.played)))

    @cached_property
    def untried(self) -> int:
        """Restrictions that can change a game, and for which there was no time."""
        return sum(
            matters(self.habit, c.label, n) and not n.games for c in self.choices for n in c.both
        )

    def effect(self, number: Number) -> Estimate:
        """What the change does to the win rate, in an interval that holds together with those of all others."""
        if not number.games:
            return Estimate(float("nan"), -1.0, 1.0, 0, self.confidence)
        low, high = Pairs(number.games, number.gained, number.lost).bounds((1 - self.level) / 2)
        return Estimate(number.value, float(low), float(high), number.games, self.confidence)

    def touched(self, number: Number) -> Estimate:
        """The share of games that the change makes others."""
        return estimates.rate(number.differing, number.games, self.confidence)

    def as_it_is(self, number: Number) -> Estimate:
        """The win rate of the games on which the change was played, without it."""
        return estimates.rate(number.won, number.games, self.confidence)

    def changed(self, number: Number) -> Estimate:
        """The win rate of the same games with the change."""
        return estimates.rate(
            number.won + number.gained - number.lost, number.games, self.confidence
        )

    def by_steady(self, number: Number) -> Estimate | None:
        other = self.steady.get((number.path, str(number.after)))
        return self.effect(other) if other and other.games else None


class Restricted(Table):
    """Where kinds of options are forbidden or forced: a change is a label's number and what becomes of it."""

    block = 128  # a game may go on for long in which it is not allowed to end

    def changed(self, number: Number) -> Engine:
        label, game = int(number.before), self.cell.game
        kept = (
            (label,)
            if number.after == ALWAYS
            else tuple(i for i in range(game.labels) if i != label)
        )
        made = Engine(game, self.own.filled, keeping(self.own.players, kept, game))
        made.limit = min(game.max_decisions, self.longest)
        return made

    @cached_property
    def longest(self) -> int:
        """Decisions after which a game that is restricted is given up: it would never end."""
        return max(100, LONGER * steps_of(self.own, self.effort))


def keeping(players: Sequence[Player], kept: tuple[int, ...], game: Game) -> list[Player]:
    """The players who keep to some labels: all, or the first where seats compete."""
    return [
        replace(p, keeps=kept) if i == 0 or not game.competitive else p
        for i, p in enumerate(players)
    ]


def steps_of(made: Engine, effort: Effort) -> int:
    desk, games = Desk(made.game), 50
    made.play(desk, effort.seed, 0, games, columns(made.game, games))
    return int(desk.totals[STEPS]) // games


def choices(
    cell: Variant,
    effort: Effort,
    seconds: float | None = SECONDS,
    progress: Progress = silent,
    beside: bool = True,
) -> Choices:
    """What every kind of option of the cell is worth, and everything of which the box says how many there are: by at
    most `effort.games` of each, for about so many seconds."""
    game, effort = cell.game, effort.on(None)
    if not game.labels:
        raise ChoicesError(
            f"{game.title} does not tell one kind of option from another: it has no `label`"
        )
    habits, left_out = look(cell, effort, LOOKING * seconds if seconds else None)
    names = labels(cell)
    first = next(iter(habits.values()))
    found = [
        Choice(i, names[i], Number(names[i], i, FORBIDDEN), Number(names[i], i, ALWAYS))
        for i in sorted(
            np.flatnonzero(first.offered).tolist(), key=lambda i: -first.games_offered[i]
        )
    ]
    made = Choices(cell, effort.seed, effort.confidence, habits, found, content(cell), left_out)
    if made.content:
        made.met = met(cell, effort, MEETING * seconds if seconds else None)
    left = (1 - LOOKING - MEETING) * (seconds or 0)
    box = CONTENT * left if made.content else 0.0
    other = by_steady(cell) if beside else None
    second = BESIDE * left if other else 0.0
    table: Table = Restricted(
        cell, effort, (left - box - second) or None, part(progress, 0, 3, "options")
    )
    table.play([n for c in found for n in c.both if matters(first, c.label, n)])
    made.games, made.interrupted = table.games, table.interrupted
    if made.content and not made.interrupted:
        table = Table(cell, effort, box or None, part(progress, 1, 3, "in the box"))
        table.play(made.content)
        made.interrupted = table.interrupted
    if other and not made.interrupted:
        leading = sorted(
            (n for c in found for n in c.both if n.games), key=lambda n: -abs(n.value)
        )[:LEADING]
        numbers = [Number(n.path, n.before, n.after) for n in leading]
        Restricted(other, effort, second or None, part(progress, 2, 3, "steady")).play(numbers)
        made.steady = {(n.path, str(n.after)): n for n in numbers}
    return made


def matters(habit: Habit, label: int, number: Number) -> bool:
    """Whether a restriction can change a game: who never takes an option loses nothing when it is forbidden."""
    taken, offered = habit.taken[label], habit.offered[label]
    return bool(taken < offered if number.after == ALWAYS else taken)


def labels(cell: Variant) -> list[str]:
    box, words = readable(cell.box), cell.game.tell()
    return [words.label(box, number) for number in range(cell.game.labels)]


def look(
    cell: Variant, effort: Effort, seconds: float | None
) -> tuple[dict[str, Habit], list[str]]:
    """What whoever plays, and every rung that does not search, is offered and takes."""
    own = engine(cell)
    who: dict[str, list[Player]] = {
        ", ".join(dict.fromkeys(map(str, own.players))): list(own.players)
    }
    slow = []
    for rung in RUNGS:
        if rung not in registry.names(cell.game.name) or rung in who:
            continue
        player = registry.player(cell.game.name, rung)
        if player.budget:
            slow.append(rung)
        else:
            who[rung] = (
                [player, *own.players[1:]] if cell.game.competitive else [player] * len(own.players)
            )
    each = seconds / len(who) if seconds else inf
    return {
        name: habit(
            Engine(
                cell.game,
                own.filled,
                [
                    replace(players[0], counted=True),
                    *(replace(p, counted=not cell.game.competitive) for p in players[1:]),
                ],
            ),
            effort,
            each,
        )
        for name, players in who.items()
    }, slow


def habit(made: Engine, effort: Effort, seconds: float) -> Habit:
    """Play some games, and count."""
    desk, games, stop = Desk(made.game), 0, time.perf_counter() + seconds
    first = np.full(desk.counted.shape[1], -1)
    while games < min(LOOKED, effort.games) and (games < ONE_BY_ONE or time.perf_counter() < stop):
        size = 1 if games < ONE_BY_ONE else 20
        made.play(desk, effort.seed, games, games + size, columns(made.game, size))
        first[(first < 0) & (np.asarray(desk.counted)[0] > 0)] = games
        games += size
    offered, taken = np.asarray(desk.chances)
    met = np.where(offered > 0, np.asarray(desk.decided), 0).sum(axis=1)
    share = offered.sum(axis=1) / np.maximum(met, 1)
    games_offered, games_taken = np.array(desk.counted)
    return Habit(
        games,
        offered.sum(axis=1),
        taken.sum(axis=1),
        games_offered,
        games_taken,
        share,
        offered > 0,
        np.maximum(first, 0),
    )
