"""Three games told: a typical win, a typical loss, and the narrowest one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.reports.page.views import Section, Story
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.sim.replay import story, told
from hardmode.studies.play import engine
from hardmode.studies.survey import Gathered, flags, settings

MOST_LINES = 300  # what is shown of one story; longer ones are cut in the middle


@dataclass(frozen=True)
class Pick:
    title: str
    number: int  # of the game


def section(g: Gathered) -> Section | None:
    stories = [_told(g, pick) for pick in picks(g)]
    if not stories:
        return None
    where = f"They are games of the first variant: {g.base.label}. " if len(g.cells) > 1 else ""
    how = (f"{where}Picked from the first {g.sample.shape[1]:,} games: of middling length and result, and the one that "
           "was decided most narrowly.")
    return Section("games", "Three games", [how], stories=stories)


def picks(g: Gathered) -> list[Pick]:
    rows, first = g.sample, g.effort.first
    mine = (rows[WINNERS] & 1).astype(bool) if g.measure.rivals else rows[WINNERS] != 0
    who = "for seat 1" if g.measure.rivals else ""
    found = []
    for title, those in (("A typical win", mine), ("A typical loss", ~mine)):
        if those.any():
            found.append(Pick(f"{title} {who}".strip(), first + _typical(rows, np.flatnonzero(those))))
    taken = [p.number - first for p in found]
    found.append(Pick("The narrowest game", first + _narrowest(g, rows, mine, taken)))
    return list({p.number: p for p in reversed(found)}.values())[::-1]


def _typical(rows: np.ndarray, games: np.ndarray) -> int:
    """Of the games with the commonest ending, one of middling length, then of middling score."""
    endings = rows[ENDING, games]
    games = games[endings == np.bincount(endings).argmax()]
    away = [np.abs(rows[i, games] - np.median(rows[i, games])) for i in (ROUNDS, SCORES)]
    return int(games[np.lexsort((games, away[1], away[0]))[0]])


def _narrowest(g: Gathered, rows: np.ndarray, won: np.ndarray, taken: Sequence[int]) -> int:
    """With rivals the smallest lead; together, the loss that came nearest to winning."""
    games = np.setdiff1d(np.arange(rows.shape[1]), taken)
    if not games.size:
        return int(taken[0])
    if g.measure.rivals:
        scores = np.sort(rows[SCORES:SCORES + g.first.players], axis=0)
        lead = scores[-1] - scores[-2]
    else:
        lost = np.intersect1d(games, np.flatnonzero(~won))
        games = lost if lost.size else games
        lead = -rows[SCORES]
    return int(games[np.lexsort((games, -rows[ROUNDS, games], lead[games]))[0]])


def _told(g: Gathered, pick: Pick) -> Story:
    cell = g.first
    made = story(engine(cell), g.effort.seed, pick.number)
    lines = told(made, cell.game.tell())
    left_out = max(0, len(lines) - MOST_LINES)
    if left_out:
        half = MOST_LINES // 2
        lines = [*lines[:half], "", f"… {left_out:,} lines are left out here …", "", *lines[-half:]]
    command = shlex.join(["hardmode", "replay", g.scenario.name, *flags(settings(cell)),
                          "--game", str(pick.number), "--seed", str(g.effort.seed)])
    summary = f"game {pick.number}: {made.ending} after {made.row['rounds']} {cell.game.unit}"
    return Story(pick.title, summary, lines, command, left_out)
