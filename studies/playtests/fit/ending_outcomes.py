"""Check that plays agree with the game's own rules about which endings are wins.

A game's `outcome` rule sets the winners by the ending, and in some games also by the table. It is
evaluated on many tables, both dealt and final, as if each had ended in a given way. If the same
seats win on all of them, the ending alone decides; otherwise nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import WINNERS, Game
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.records import Cells
from hardmode.studies.core.metric import is_won
from hardmode.studies.playtests.records import PlayRecord

GAMES_PER_ENGINE = 6
STOP_STEPS = (0, -1)  # the first decision, and the end


def check_endings(plays: Sequence[PlayRecord], engines: Sequence[Engine], seed: int) -> None:
    """Refuse plays that were won with an ending that always loses, or the reverse.

    Args:
        plays: The plays.
        engines: Engines of the variant, with different players.
        seed: Seed of the games whose tables are examined.

    Raises:
        ScenarioError: The result of a play contradicts its ending.
    """
    recorded = {play.ending for play in plays if play.ending is not None and play.won is not None}
    outcomes = find_winning_endings(engines, seed, recorded)
    for play in plays:
        if play.ending is None or play.won is None:
            continue
        if outcomes.get(play.ending, play.won) != play.won:
            message = _explain_contradiction(engines[0], play.ending, play.won)
            raise ScenarioError(play.place, "won", message)


def _explain_contradiction(engine: Engine, ending: int, won: bool) -> str:
    name = engine.game.all_endings[ending]
    if engine.game.competitive and len(engine.players) > 1:
        result, real_result = ("won", "loses") if won else ("lost", "wins")
        return f"seat 1 {result} by this, but it {real_result} a game that ends with {name!r}"
    answer, real_result = ("yes", "lost") if won else ("no", "won")
    return f"{answer}, but a game that ends with {name!r} is {real_result}"


def find_winning_endings(
    engines: Sequence[Engine], seed: int, endings: set[int]
) -> dict[int, bool]:
    """Return whether each ending is a win (where seats compete, of the first seat).

    Endings that do not decide this by themselves are left out.

    Args:
        engines: Engines of the variant.
        seed: Seed of the games whose tables are examined.
        endings: Numbers of the endings.
    """
    winners: dict[int, set[int]] = {ending: set() for ending in endings}
    for engine in engines if endings else ():
        for workspace in _generate_tables(engine, seed):
            for ending in endings:
                winners[ending].add(_compute_winners(engine, workspace, ending))
    decided = {ending: masks.pop() for ending, masks in winners.items() if len(masks) == 1}
    return {ending: _is_win(engines[0].game, mask) for ending, mask in decided.items()}


def _generate_tables(engine: Engine, seed: int) -> Iterator[Workspace]:
    """Yield a workspace with the dealt and the final table of some games."""
    workspace = Workspace(engine.game)
    rows = allocate_rows(engine.game, 1)
    for number in range(GAMES_PER_ENGINE):
        for stop_step in STOP_STEPS:
            engine.play(workspace, seed, number, number + 1, rows, stop_step=stop_step)
            yield workspace


def _compute_winners(engine: Engine, workspace: Workspace, ending: int) -> int:
    """Return the winners, as bits by seat, if the table in the workspace has this ending."""
    parts = workspace.record.view(np.ndarray)
    parts["tables"][0]["ending"][0] = ending
    outcome = source_location.get_py_func(engine.game.outcome)
    box = engine.filled_box.view(np.ndarray).view(Cells)[0]
    outcome(box, parts["tables"][0].view(Cells)[0], parts["row"].view(Cells)[0])
    return int(parts["cells"][0][WINNERS])


def _is_win(game: Game, winners: int) -> bool:
    row = np.zeros((WINNERS + 1, 1), np.int64)
    row[WINNERS] = winners
    return bool(is_won(game, row)[0])
