"""Games as they are played: compiled, by the thousand, and the same whenever and however they are played."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import astuple
from functools import partial

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim import replay
from hardmode.sim.compile import source_location
from hardmode.sim.draws import BITS, DECISION, LOG_CAPACITY, UNIT, below
from hardmode.sim.play.engine import Desk, Player, columns
from hardmode.sim.play.workspace import REAL
from hardmode.sim.records import is_ours, readable
from hardmode.studies.conformance.game_under_test import (
    SEED,
    Subject,
    Wrong,
    at,
    during,
    must,
    rows,
)
from hardmode.studies.conformance.trace import check_row, shared
from hardmode.studies.conformance.variants import strange

BLOCK = 50
BOUNDED = """
import json
from hardmode.studies.conformance.compiled import {what}
from hardmode.studies.conformance.subject import Amount, Subject, Wrong
try:
    told = {what}(Subject.named({name!r}, Amount{amount}))
except Wrong as why:
    told = str(why)
print(json.dumps(told))
"""


def fussy(box, table, own, options, n, luck, weights):  # type: ignore[no-untyped-def]
    """Any legal option, where all are different."""
    for i in range(n):
        for j in range(i):
            if options[i] == options[j]:
                raise ValueError("an option is listed twice")
    return below(luck, 0, 0, 0, 0, n)


def random_games(subject: Subject) -> list[int]:
    """How often random play in every variant came to each ending; anything wrong is raised."""
    return _randomly(
        subject, subject.variants, max(BLOCK, subject.effort.random // len(subject.variants))
    )


def strange_games(subject: Subject) -> list[int]:
    """The same in boxes that nobody prints, where a rule meets numbers that its author did not have in mind."""
    return _randomly(subject, strange(subject.name, subject.effort.boxes), BLOCK)


def _randomly(subject: Subject, variants: Iterable[Variant], each: int) -> list[int]:
    game, told = subject.game, []
    for v in variants:
        made, desk = subject.engine(v, Player("random", fussy, (), 0, "random")), Desk(game)
        for first in range(0, each, BLOCK):
            out = columns(game, BLOCK)
            with during(v, "random"):
                made.play(desk, SEED, first, first + BLOCK, out, log=True)
            seats = int(readable(desk.tables, REAL).seats)  # a player alone may lead two
            for number, row in enumerate(np.asarray(out).T, first):
                with during(v, "random", partial(at, number)):
                    check_row(game, row.astype(np.int64), seats)
                told.append(int(row[0]))
    return [told.count(i) for i in range(len(game.all_endings))]


def random_games_end_and_stay_within_bounds(subject: Subject) -> None:
    """Every list has an option, no option twice, nothing is read out of bounds, and no game needs the cap.

    The shipped games are compiled without bounds checks, so they are played in a process of their own.
    """
    endings = _bounded(subject, random_games)
    must(
        endings[-1] == 0,
        f"{endings[-1]} of {sum(endings)} random games reach the cap of "
        f"{subject.game.max_decisions} decisions",
    )


def strange_boxes_stay_within_bounds(subject: Subject) -> None:
    """No rule leaves the board, or reads beside an array, whatever numbers a box holds."""
    _bounded(subject, strange_games)


def _bounded(subject: Subject, games: Callable[[Subject], list[int]]) -> list[int]:
    """Games from outside are checked wherever they are played; in the process an index below 0 is no place either."""
    if not is_ours(source_location.bare(subject.game.setup)):
        return games(subject)
    code = BOUNDED.format(what=games.__name__, name=subject.name, amount=astuple(subject.effort))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HARDMODE_CHECK_INDICES": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Wrong(
            (done.stderr.strip().splitlines() or ["the process that plays within bounds died"])[-1]
        )
    told = json.loads(done.stdout.splitlines()[-1])
    if isinstance(told, str):
        raise Wrong(told)
    return told


def compiled_games_are_the_plain_ones_bit_for_bit(subject: Subject) -> None:
    for v in subject.variants:
        for who in ("random", "steady"):
            made, out = subject.engine(v, who), columns(subject.game, 2)
            with during(v, who):
                made.plainly(Desk(subject.game, plain=True), SEED, 0, 2, out)
                _alike(subject, np.asarray(out), rows(made, 2), "compiled and as plain Python")


def the_log_changes_no_game(subject: Subject) -> None:
    for v in subject.variants:
        with during(v, "steady"):
            made = subject.engine(v)
            _alike(subject, rows(made, 50), rows(made, 50, log=True), "with the log off and on")


def _alike(subject: Subject, one: np.ndarray, other: np.ndarray, how: str) -> None:
    differ = np.argwhere(one.T != other.T)
    if len(differ):
        game, column = differ[0]
        raise Wrong(
            f"{subject.game.columns[column]} is {one[column, game]} and {other[column, game]} {how}; "
            f"game {game} of seed {SEED}"
        )


def no_two_draws_of_a_game_share_an_address(subject: Subject) -> None:
    """And no game of a strategy that plays well overflows the log."""
    game = subject.game
    for v in subject.variants:
        for who in ("random", "steady"):
            made, desk, out = subject.engine(v, who), Desk(game), columns(game, 1)
            for number in range(10):
                with during(v, who, partial(at, number)):
                    made.play(desk, SEED, number, number + 1, out, log=True)
                    must(
                        desk.lucks.view(np.ndarray)["log_n"][REAL] <= LOG_CAPACITY,
                        f"more draws and decisions than the log holds, {LOG_CAPACITY}",
                    )
                    _draws(subject, replay.logged(desk))


def _draws(subject: Subject, log: np.ndarray) -> None:
    sources, draws = subject.game.sources, log[log[:, 0] != DECISION]
    unnamed = draws[(draws[:, 0] < 0) | (draws[:, 0] >= len(sources))]
    must(not len(unnamed), f"source {unnamed[:1, 0]} is drawn from, which has no name")
    limit = np.select(
        [draws[:, 4] == BITS, draws[:, 4] == UNIT], [(1 << 63) - 1, 1 << 53], draws[:, 4]
    )
    must(((draws[:, 5] >= 0) & (draws[:, 5] < limit)).all(), "a draw is outside its range")
    twice = [f"{sources[where].name} {address}" for where, *address in shared(log)]
    must(not twice, f"two draws share an address: {', '.join(twice[:3])}")


def every_strategy_plays_legally_and_the_same_twice(subject: Subject) -> None:
    for v in (subject.variants[0], subject.variants[-1]):
        for who in subject.strategies:
            with during(v, who.name):
                made = subject.engine(v, who)
                _alike(subject, rows(made, 8), rows(made, 8), "when played twice")


def search_plays_every_game(subject: Subject) -> None:
    v = subject.variants[0]
    with during(v, "search"):
        made = subject.engine(v, "search:2")
        _alike(subject, rows(made, 1), rows(made, 1), "when played twice")
