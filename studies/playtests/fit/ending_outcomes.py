"""Which endings are won, as the game's own rules say: a play that says otherwise is refused.

A rule writes who has won by how a game ended, and in some games by how the table then stands too. So it is asked of
many tables, as they were dealt and as they ended, as if each had ended in this way: either the same seats have won on
all of them, or the ending alone does not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import WINNERS, Game
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.records import Cells
from hardmode.studies.core.metric import won
from hardmode.studies.playtests.records import Play

GAMES = 6  # of each engine
DEALT, TO_THE_END = 0, -1


def refuse_contradictions(plays: Sequence[Play], engines: Sequence[Engine], seed: int) -> None:
    """Refuse a play that is said to be won with an ending that always loses, or the other way round."""
    told = [play for play in plays if play.ending is not None and play.won is not None]
    game = engines[0].game
    known = verdicts(engines, seed, {play.ending for play in told if play.ending is not None})
    for play in told:
        verdict = known.get(play.ending or 0)
        if verdict is not None and verdict != play.won:
            raise ScenarioError(
                play.place, "won", _contradiction(game, play, len(engines[0].players) > 1)
            )


def _contradiction(game: Game, play: Play, several: bool) -> str:
    ending, rivals = game.all_endings[play.ending or 0], game.competitive and several
    if rivals:
        return (
            f"seat 1 {'won' if play.won else 'lost'} by this, but it {'loses' if play.won else 'wins'} a game that "
            f"ends with {ending!r}"
        )
    return f"{'yes' if play.won else 'no'}, but a game that ends with {ending!r} is {'lost' if play.won else 'won'}"


def verdicts(engines: Sequence[Engine], seed: int, endings: set[int]) -> dict[int, bool]:
    """Whether each of these endings is won (where seats compete, by the first); without those that alone do not tell."""
    said: dict[int, set[int]] = {ending: set() for ending in endings}
    for made in engines if endings else ():
        for desk in _tables(made, seed):
            for ending, winners in said.items():
                winners.add(_winners(made, desk, ending))
    return {
        ending: bool(won(engines[0].game, _row(winners.pop()))[0])
        for ending, winners in said.items()
        if len(winners) == 1
    }


def _tables(made: Engine, seed: int) -> Iterator[Desk]:
    """Some tables as they were dealt, and as they ended."""
    desk, none = Desk(made.game), columns(made.game, 1)
    for i in range(GAMES):
        for stop in (DEALT, TO_THE_END):
            made.play(desk, seed, i, i + 1, none, stop=stop)
            yield desk


def _winners(made: Engine, desk: Desk, ending: int) -> int:
    """Who has won by the game's rules if the table that lies there has ended so."""
    parts, box = desk.record.view(np.ndarray), made.filled.view(np.ndarray).view(Cells)[0]
    parts["tables"][0]["ending"][0] = ending
    source_location.bare(made.game.outcome)(
        box, parts["tables"][0].view(Cells)[0], parts["row"].view(Cells)[0]
    )
    return int(parts["cells"][0][WINNERS])


def _row(winners: int) -> np.ndarray:
    row = np.zeros((WINNERS + 1, 1), np.int64)
    row[WINNERS] = winners
    return row
