"""Coverage: whether everything that a game declares does occur.

Each ending and each winner must occur, and each measure must have more than one value.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hardmode.sim.contract import ENDING, WINNERS, Game
from hardmode.sim.contract.validation import list_reachable
from hardmode.sim.play.workspace import REAL, Workspace
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import (
    ConformanceError,
    GameUnderTest,
    add_context,
    play_test_games,
)

PLAYERS = ("random", "beginner", "steady")


@dataclass
class Occurrences:
    """Endings, winners and values of measures that occurred in any game."""

    game: Game
    endings: set[str] = field(default_factory=set)
    winners: int = 0  # bits by seat
    low: dict[str, int] = field(default_factory=dict)  # smallest value by measure
    high: dict[str, int] = field(default_factory=dict)  # largest value by measure

    def add_rows(self, rows: np.ndarray, seats: int) -> None:
        """Add games.

        Args:
            rows: Rows of the games, one column each.
            seats: Number of players; values of other seats do not count.
        """
        for ending in np.unique(rows[ENDING]):
            if ending >= 0:
                self.endings.add(self.game.all_endings[ending])
        self.winners |= int(np.bitwise_or.reduce(rows[WINNERS]))
        for measure in self.game.measures:
            columns = [measure.name]
            name = measure.name
            if measure.per_seat:
                columns = [f"{name} {seat + 1}" for seat in range(seats)]
            for column in columns:
                values = rows[self.game.columns.index(column)]
                self.low[name] = min(self.low.get(name, values[0]), values.min())
                self.high[name] = max(self.high.get(name, values[0]), values.max())

    def occurs(self, name: str) -> bool:
        """Return whether an ending or a winner occurred, or a measure had several values."""
        if name in self.game.endings:
            return name in self.endings
        if name in self.low:
            return self.low[name] < self.high[name]
        seats = [s for s in range(self.game.seats) if self.winners >> s & 1]
        return name in [f"seat {seat + 1} wins" for seat in seats]


def check_coverage(game_under_test: GameUnderTest) -> None:
    """Check that everything declared occurs, or is declared `unreached` with a reason.

    Positions that the game's tests construct count as well as play.
    """
    occurrences = collect_occurrences(game_under_test)
    for box, table in game_under_test.positions:
        row = np.zeros(1, game_under_test.game.row)
        game_under_test.game.outcome(box, table, readable(row))
        occurrences.add_rows(row.view(np.int64).reshape(-1, 1), int(table.seats))
    problems = list_uncovered(game_under_test.game, occurrences)
    if problems:
        raise ConformanceError(*problems)


def collect_occurrences(game_under_test: GameUnderTest) -> Occurrences:
    """Play every variant, and a little of every shipped scenario, at several skill levels."""
    game = game_under_test.game
    games = game_under_test.counts.coverage
    few_games = max(10, games // 10)
    occurrences = Occurrences(game)
    to_play = [(variant, games) for variant in game_under_test.variants]
    to_play += [(variant, few_games) for variant in game_under_test.scenarios]
    for variant, n in to_play:
        for name in PLAYERS:
            with add_context(variant, name):
                workspace = Workspace(game)
                engine = game_under_test.make_engine(variant, name)
                rows = play_test_games(engine, n, workspace=workspace).astype(np.int64)
                seats = int(readable(workspace.tables, REAL).seats)
                occurrences.add_rows(rows[:, rows[ENDING] < len(game.endings)], seats)
    return occurrences


def list_uncovered(game: Game, occurrences: Occurrences) -> list[str]:
    """Return a line for each thing that never occurred, or occurred against its declaration."""
    lines = []
    if not occurrences.winners:
        lines.append("nobody ever wins")
    for name in list_reachable(game):
        reason = game.unreached.get(name)
        occurs = occurrences.occurs(name)
        if reason is not None and occurs:
            lines.append(f"{name!r} is declared out of reach ({reason}), but occurs")
        elif reason is None and not occurs:
            is_winner = name.startswith("seat ")
            if occurrences.winners or not is_winner:
                lines.append(_describe_uncovered(game, occurrences, name))
    return lines


def _describe_uncovered(game: Game, occurrences: Occurrences, name: str) -> str:
    if name in occurrences.low:
        return f"measure {name!r} is always {occurrences.low[name]}"
    subject = f"ending {name!r}" if name in game.endings else name
    return (
        f"{subject} never occurs: add a scenario, or a position in tests/positions.py, in which it "
        "does, or declare it in `unreached`"
    )
