"""The parts of a report that look at how games go: what choices are worth, luck or skill, when they are decided, where
three of them turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.studies.choices.analysis import choices
from hardmode.studies.core.progress import Progress, part
from hardmode.studies.core.reference_players import first_studied, studied
from hardmode.studies.core.run import engine
from hardmode.studies.game_flow.decision_point import of_cell
from hardmode.studies.game_flow.turn_stats import FEWEST as FEWEST_PACED
from hardmode.studies.game_flow.turn_stats import GAMES, pace
from hardmode.studies.game_flow.turning_points import FEWEST, PLAYOUTS, turning
from hardmode.studies.luck.analysis import luck
from hardmode.studies.report_run.data import Survey

TOO_SLOW = (
    "what choices are worth, luck, when games are decided and where they turned: players who search are too "
    "slow for this report"
)
ENOUGH = 20  # games of which it is worth telling when they are decided
# Where games are given: of so many games one is played with each restriction, swapped, watched, or is one playout
# after each step.
RESTRICTED, SWAPPED, WATCHED, PLAYED_ON = 10, 10, 200, 10
SOME = 40  # games that are restricted, or swapped, at least


@dataclass(frozen=True)
class Pick:
    title: str
    number: int  # of the game


def tried(made: Survey, seconds: float | None, progress: Progress) -> None:
    """What every kind of option of the first cell is worth, as far as there is time to try them."""
    if made.first.game.labels:
        games = made.effort.games if seconds else max(SOME, made.effort.games // RESTRICTED)
        found = choices(studied(made.first), made.effort.changed(games=games), seconds, progress)
        made.worth = found if found.played else None


def lucky(made: Survey, seconds: float | None, progress: Progress) -> None:
    """The share of every source of chance, and of who plays, in the first cell."""
    games = None if seconds else max(SOME, made.effort.games // SWAPPED)
    one = first_studied(replace(made.scenario, cells=made.scenario.cells[:1]))
    made.luck = luck(one, made.effort, games=games, seconds=seconds or 0.0, progress=progress)


def settled(made: Survey, seconds: float | None, progress: Progress) -> None:
    """When games of the first cell are decided, if enough can be watched."""
    games = None if seconds else made.effort.games // WATCHED
    if games is None or games >= ENOUGH:
        found = of_cell(studied(made.first), made.effort, games, seconds or 0.0, progress)
        made.decided = found if len(found.games) >= ENOUGH else None


def paced(made: Survey, seconds: float | None, progress: Progress) -> None:
    """What a turn asks of who plays it, and how long the others wait, in the first cell."""
    games = None if seconds else min(GAMES, max(FEWEST_PACED, made.effort.games // WATCHED))
    made.pace = pace(made.first, made.effort, games, seconds or 0.0, progress)


def turned(made: Survey, seconds: float | None, progress: Progress) -> None:
    """The turning points of the games that are told, if there is time for enough playouts."""
    playouts = PLAYOUTS if seconds else min(PLAYOUTS, made.effort.games // PLAYED_ON)
    told = [pick for pick in picks(made) if pick.number not in made.turned]
    for i, pick in enumerate(told if playouts >= FEWEST else []):
        found = turning(
            engine(made.first),
            made.effort.seed,
            pick.number,
            made.first.players,
            playouts=playouts,
            threads=made.effort.threads,
            confidence=made.effort.confidence,
            seconds=seconds and seconds / len(told),
            progress=part(progress, i, len(told)),
        )
        if found:
            made.turned[pick.number] = found


def picks(made: Survey) -> list[Pick]:
    """The games that are told: a typical win, a typical loss, and the closest one."""
    rows, first = made.sample, made.effort.first
    mine = (rows[WINNERS] & 1).astype(bool) if made.measure.rivals else rows[WINNERS] != 0
    who = "for seat 1" if made.measure.rivals else ""
    found = []
    for title, those in (("A typical win", mine), ("A typical loss", ~mine)):
        if those.any():
            found.append(
                Pick(f"{title} {who}".strip(), first + _typical(rows, np.flatnonzero(those)))
            )
    taken = [p.number - first for p in found]
    found.append(Pick("The closest game", first + _narrowest(made, rows, mine, taken)))
    return list({p.number: p for p in reversed(found)}.values())[::-1]


def _typical(rows: np.ndarray, games: np.ndarray) -> int:
    """Of the games with the commonest ending, one of middling length, then of middling score."""
    endings = rows[ENDING, games]
    games = games[endings == np.bincount(endings).argmax()]
    away = [np.abs(rows[i, games] - np.median(rows[i, games])) for i in (ROUNDS, SCORES)]
    return int(games[np.lexsort((games, away[1], away[0]))[0]])


def _narrowest(made: Survey, rows: np.ndarray, won: np.ndarray, taken: Sequence[int]) -> int:
    """With rivals the smallest lead; together, the loss that came nearest to winning."""
    games = np.setdiff1d(np.arange(rows.shape[1]), taken)
    if not games.size:
        return int(taken[0])
    if made.measure.rivals:
        scores = np.sort(rows[SCORES : SCORES + made.first.players], axis=0)
        lead = scores[-1] - scores[-2]
    else:
        lost = np.intersect1d(games, np.flatnonzero(~won))
        games = lost if lost.size else games
        lead = -rows[SCORES]
    return int(games[np.lexsort((games, -rows[ROUNDS, games], lead[games]))[0]])
