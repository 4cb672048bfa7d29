"""Check whether a trained player still plays as it did when it was certified."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from hardmode.scenarios.load import create_variant
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.messages import warn_once
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.strategies import player_file, registry

GAMES, SEED = 100, 20_260  # certified games: the shipped box, with the player at every seat


def compute_certificate_digest(game: str, player: Player) -> str:
    """Return the digest of the outcomes of a fixed block of games, as 16 hexadecimal digits.

    Of a player who searches by rollouts, the strategy below is certified, which is fast.

    Args:
        game: Name of the game.
        player: The player.
    """
    cell = create_variant(game)
    if not player.values:
        player = replace(player, rollout_budget=0)
    seats = [player] * cell.players
    engine, workspace = Engine(cell.game, cell.box, seats), Workspace(cell.game)
    engine.play(workspace, SEED, 0, GAMES, allocate_rows(cell.game, GAMES))
    return f"{int(np.asarray(workspace.digest)[0]):016x}"


@cache
def warn_if_stale(game: str, name: str, folder: Path | None = None) -> None:
    """Warn, once for each player, if changed code makes a trained player play differently.

    Args:
        game: Name of the game.
        name: Name of the player or its file.
        folder: Folder in which a file of that name is searched first.
    """
    path = registry.find_player_file(game, name, folder)
    certificate = player_file.read_player_file(path).certificate if path else None
    if not path or not certificate:
        return
    player = registry.create_player(game, name, folder=folder)
    digests = registry.compute_player_digests(game, player)
    changed = [part for part in digests if getattr(certificate, part) != digests[part]]
    if changed and certificate.outcomes != compute_certificate_digest(game, player):
        warn_once(
            f"{shorten_path(path)}: the {' and the '.join(changed)} of {game} changed since this "
            "player was trained, and it plays differently now"
        )
