"""Three games told: a typical win, a typical loss, and the closest one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.reports.page.views import Section, ToldGame
from hardmode.scenarios.load import Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.sim.replay import sentences, story
from hardmode.studies.play import engine
from hardmode.studies.survey import Survey, flags, settings

MOST_LINES = 300  # what is shown of one story; longer ones are cut in the middle


@dataclass(frozen=True)
class Pick:
    title: str
    number: int  # of the game


def section(g: Survey) -> Section | None:
    stories = [_retold(g, pick) for pick in picks(g)]
    if not stories:
        return None
    where = f"They are games of the first variant: {g.base.label}. " if len(g.cells) > 1 else ""
    how = (f"{where}Picked from the first {g.sample.shape[1]:,} games: a win and a loss of typical length and result, "
           "and the closest game.")
    return Section("games", "Three games", [how], stories=stories)


def picks(g: Survey) -> list[Pick]:
    rows, first = g.sample, g.effort.first
    mine = (rows[WINNERS] & 1).astype(bool) if g.measure.rivals else rows[WINNERS] != 0
    who = "for seat 1" if g.measure.rivals else ""
    found = []
    for title, those in (("A typical win", mine), ("A typical loss", ~mine)):
        if those.any():
            found.append(Pick(f"{title} {who}".strip(), first + _typical(rows, np.flatnonzero(those))))
    taken = [p.number - first for p in found]
    found.append(Pick("The closest game", first + _narrowest(g, rows, mine, taken)))
    return list({p.number: p for p in reversed(found)}.values())[::-1]


def _typical(rows: np.ndarray, games: np.ndarray) -> int:
    """Of the games with the commonest ending, one of middling length, then of middling score."""
    endings = rows[ENDING, games]
    games = games[endings == np.bincount(endings).argmax()]
    away = [np.abs(rows[i, games] - np.median(rows[i, games])) for i in (ROUNDS, SCORES)]
    return int(games[np.lexsort((games, away[1], away[0]))[0]])


def _narrowest(g: Survey, rows: np.ndarray, won: np.ndarray, taken: Sequence[int]) -> int:
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


def _retold(g: Survey, pick: Pick) -> ToldGame:
    return told_game(g.first, g.effort.seed, pick.number, pick.title, g.scenario.name, settings(g.first), MOST_LINES,
                     f"game {pick.number}: ")


def told_game(cell: Variant, seed: int, number: int, title: str, scenario: str, sets: Mapping[str, Any], most: int,
              name: str = "") -> ToldGame:
    """One game step by step, cut in the middle where it has more lines than a page should show."""
    made = story(engine(cell), seed, number)
    lines = sentences(made, cell.game.tell())
    left_out, half = max(0, len(lines) - most), most // 2
    if left_out:
        lines = [*lines[:half], "", f"… {left_out:,} lines are left out here …", "", *lines[-half:]]
    command = shlex.join(["hardmode", "replay", scenario, *flags(sets, cell.own), "--game", str(number), "--seed",
                          str(seed)])
    summary = f"{name}{made.ending} after {made.row['rounds']} {cell.game.unit}"
    return ToldGame(title, summary, lines, command, left_out)
