"""The answer of `play`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.console.play import has_person_won
from hardmode.reports.json.parts import AnswerRecord, GameNumber, Seat, Seed, StrategyName

if TYPE_CHECKING:
    from hardmode.scenarios.load import Variant
    from hardmode.sim.play.interactive_game import InteractiveGame
    from hardmode.studies.playtests.saved_game import SavedGame


@dataclass
class LeftGameAnswer(AnswerRecord):
    """A game that the person left before its end."""

    left: Annotated[str, Field(description="the file in which the game is saved")]


@dataclass(kw_only=True)
class PlayedGameAnswer(AnswerRecord):
    """A game that the person played to its end."""

    game: str
    scenario: str
    seed: Seed
    number: GameNumber
    seat: Seat
    players: Annotated[
        list[StrategyName],
        Field(description="by seat, with the strategy that the person replaced"),
    ]
    choices: Annotated[int, Field(description="choices of the person", ge=0)]
    hints: Annotated[int, Field(description="choices before which a hint was given", ge=0)]
    undone: Annotated[int, Field(description="choices that were taken back", ge=0)]
    script: Annotated[list[int], Field(description="the index of the option taken, by step")]
    won: bool
    ending: str
    rounds: int
    winners: list[Seat]
    scores: list[int]
    measures: dict[str, Any]


def build_play_answer(
    cell: Variant, game: InteractiveGame, saved: SavedGame, file: Path
) -> LeftGameAnswer | PlayedGameAnswer:
    """Return the answer of `play`."""
    if not game.is_over:
        return LeftGameAnswer(str(file))
    return PlayedGameAnswer(
        game=cell.game.name,
        scenario=saved.scenario,
        seed=saved.seed,
        number=saved.number,
        seat=saved.seat + 1,
        players=[str(player) for player in game.engine.seat_players[: cell.players]],
        choices=len(game.own_steps),
        hints=saved.hints,
        undone=saved.undone,
        script=saved.script,
        won=has_person_won(cell, game),
        ending=game.ending,
        **game.result,
    )
