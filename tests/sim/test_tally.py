"""Sums of a tally against a plain count, game by game, of the same rows."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from hardmode.sim import contract
from hardmode.sim.contract import Measure
from hardmode.sim.results.tally import Tally

GAMES = 700
MEASURES = (Measure("boss", factor=True), Measure("door", factor=True), Measure("hero", factor=True, per_seat=True),
            Measure("side", factor=True, per_seat=True), Measure("gold"))


def game(competitive):
    return replace(contract.load_game("pig"), measures=MEASURES, competitive=competitive)


def made_up(made):
    """Rows with every value below zero, at zero and above it, and with empty seats."""
    rng = np.random.default_rng(5)
    block = {name: rng.integers(-3, 9, GAMES) for name in made.columns}
    block["ending"] = rng.integers(0, len(made.all_endings), GAMES)
    block["rounds"] = rng.integers(1, 500, GAMES)
    block["winners"] = rng.integers(0, 1 << made.seats, GAMES)
    block["score 1"] = rng.integers(-50_000, 90_000, GAMES)
    seated = rng.integers(1, made.seats + 1, GAMES)
    for seat in range(made.seats):
        for name in ("hero", "side"):
            column = rng.integers(0, 4, GAMES)
            block[f"{name} {seat + 1}"] = np.where(seat < seated, column, -1)
    return np.array([block[name] for name in made.columns], np.int32)


def plainly(made, rows):
    """What the groups must hold, from one game after another."""
    sums = defaultdict(lambda: np.zeros(6, np.int64))
    for game in rows.T.tolist():
        of = dict(zip(made.columns, game, strict=True))

        def add(factor, value, other, other_value, won, score, of=of):
            n = of["rounds"]
            sums[factor, value, other, other_value, of["ending"]] += [1, won, n, n * n, score, score * score]

        won = of["winners"] & 1 if made.competitive else of["winners"] != 0
        for f in ("boss", "door"):
            add(f, of[f], "", 0, won, of["score 1"])
        add("boss", of["boss"], "door", of["door"], won, of["score 1"])
        for s in range(made.seats):
            here = {f: of[f"{f} {s + 1}"] for f in ("hero", "side")} | {f: of[f] for f in ("boss", "door")}
            if here["hero"] == -1:
                continue
            for f, o in [("hero", "side"), *product(("hero", "side"), ("boss", "door"))]:
                add(f, here[f], o, here[o], of["winners"] >> s & 1, of[f"score {s + 1}"])
            for f in ("hero", "side"):
                add(f, here[f], "", 0, of["winners"] >> s & 1, of[f"score {s + 1}"])
    return {key: tuple(int(x) for x in total) for key, total in sums.items()}


@pytest.mark.parametrize("competitive", [False, True])
@pytest.mark.parametrize("cuts", [(), (0,), (1, 300)])
def test_groups_are_what_a_plain_count_finds(competitive, cuts):
    made = game(competitive)
    rows = made_up(made)
    tally = Tally(made)
    for part in np.split(rows, cuts, axis=1):
        tally.add_rows(part)
    found = {row[:5]: row[5:] for row in tally.groups_frame.iter_rows()}
    assert len(found) == tally.groups_frame.height
    assert found == plainly(made, rows)


def test_values_are_what_a_plain_count_finds():
    made = game(False)
    rows = made_up(made)
    tally = Tally(made)
    tally.add_rows(rows)
    plain = Counter((name, game[0], value) for game in rows.T.tolist()
                    for name, value in zip(made.columns[1:], game[1:], strict=True))
    assert {row[:3]: row[3] for row in tally.counts_frame.iter_rows()} == dict(plain)


def test_a_game_without_factors_has_no_groups():
    made = replace(game(False), measures=(Measure("gold"),))
    tally = Tally(made)
    tally.add_rows(np.zeros((len(made.columns), 3), np.int32))
    assert tally.groups_frame.height == 0 and tally.games == 3
