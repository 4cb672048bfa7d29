"""Whether a trained player still plays as it did: a fixed block of games, and what came out of them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from hardmode.scenarios.load import variant
from hardmode.sim.files.paths import short_path
from hardmode.sim.play.engine import Desk, Engine, Player, columns
from hardmode.strategies import player_file, registry

GAMES, SEED = 100, 20_260  # the block: the box as it is, with the player at every seat


def outcomes(game: str, who: Player) -> str:
    """The digest of the block. A search is certified by what it is built on, which is fast."""
    cell = variant(game)
    made = Engine(cell.game, cell.box, [replace(who, budget=0)] * cell.players)
    desk = Desk(cell.game)
    made.play(desk, SEED, 0, GAMES, columns(cell.game, GAMES))
    return f"{int(np.asarray(desk.digest)[0]):016x}"


@cache
def note(game: str, name: str, folder: Path | None = None) -> None:
    """Say once that a player was trained for a game, or with a strategy, that has played otherwise."""
    path = registry.file_of(game, name, folder)
    certificate = player_file.read(path).certificate if path else None
    if not path or not certificate:
        return
    who = registry.player(game, name, folder=folder)
    now = registry.digests(game, who)
    other = [part for part in now if getattr(certificate, part) != now[part]]
    if other and certificate.outcomes != outcomes(game, who):
        warnings.warn(
            f"{short_path(path)}: the {' and the '.join(other)} of {game} changed since this player was "
            "trained, and it plays otherwise now",
            stacklevel=2,
        )
