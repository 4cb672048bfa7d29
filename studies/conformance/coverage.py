"""Whether all that a game declares does occur: each ending, each winner, and more than one value of each measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from hardmode.sim.contract import ENDING, WINNERS, Game
from hardmode.sim.contract.validation import reachable
from hardmode.sim.play.engine import Desk
from hardmode.sim.play.workspace import REAL
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import Subject, Wrong, during, rows

PLAYERS = ("random", "beginner", "steady")


@dataclass
class Seen:
    """What occurred, over all games."""

    game: Game
    endings: set[str] = field(default_factory=set)
    winners: int = 0
    low: dict[str, int] = field(default_factory=dict)
    high: dict[str, int] = field(default_factory=dict)

    def add(self, columns: np.ndarray, seats: int) -> None:
        """Games in columns; what is written for seats where nobody sits counts for nothing."""
        names = self.game.columns
        self.endings |= {self.game.all_endings[i] for i in np.unique(columns[ENDING]) if i >= 0}
        self.winners |= int(np.bitwise_or.reduce(columns[WINNERS]))
        for m in self.game.measures:
            for name in [f"{m.name} {s + 1}" for s in range(seats)] if m.per_seat else [m.name]:
                values = columns[names.index(name)]
                self.low[m.name] = min(self.low.get(m.name, values[0]), values.min())
                self.high[m.name] = max(self.high.get(m.name, values[0]), values.max())

    def occurs(self, name: str) -> bool:
        if name in self.game.endings:
            return name in self.endings
        if name in self.low:
            return self.low[name] < self.high[name]
        return any(
            name == f"seat {s + 1} wins" and self.winners >> s & 1 for s in range(self.game.seats)
        )


def everything_declared_occurs(subject: Subject) -> None:
    """In play, in a position that the game's tests lay by hand, or it is declared `unreached` with its reason."""
    seen = played(subject)
    for box, table in subject.positions:
        row = np.zeros(1, subject.game.row)
        subject.game.outcome(box, table, readable(row))
        seen.add(row.view(np.int64).reshape(-1, 1), int(table.seats))
    found = list(missing(subject.game, seen))
    if found:
        raise Wrong(*found)


def played(subject: Subject) -> Seen:
    """Random, beginner's and steady play of every variant, and a little of every shipped scenario."""
    seen, many = Seen(subject.game), subject.effort.reach
    few = max(10, many // 10)
    for v, games in chain(
        ((v, many) for v in subject.variants), ((v, few) for v in subject.scenarios)
    ):
        for who in PLAYERS:
            with during(v, who):
                desk = Desk(subject.game)
                out = rows(subject.engine(v, who), games, desk=desk).astype(np.int64)
                seen.add(
                    out[:, out[ENDING] < len(subject.game.endings)],
                    int(readable(desk.tables, REAL).seats),
                )
    return seen


def missing(game: Game, seen: Seen) -> list[str]:
    """One line for each thing that never occurred, or did although it is declared out of reach."""
    lines = ["nobody ever wins"] if not seen.winners else []
    for name in reachable(game):
        reason, occurs = game.unreached.get(name), seen.occurs(name)
        if reason is not None and occurs:
            lines.append(f"{name!r} is declared out of reach ({reason}), and occurs")
        elif reason is None and not occurs and not (name.startswith("seat ") and not seen.winners):
            lines.append(_words(game, seen, name))
    return lines


def _words(game: Game, seen: Seen, name: str) -> str:
    if name in seen.low:
        return f"measure {name!r} is always {seen.low[name]}"
    return f"ending {name!r} never occurs" if name in game.endings else f"never: {name}"
