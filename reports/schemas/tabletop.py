"""The answers of commands about games that people play."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.schemas.parts import Number, Plays, Seat, Seed


class LeftGame(TypedDict):
    """A game that was left."""

    left: Annotated[str, Field(description="the file in which it is kept")]


class PlayedGame(TypedDict):
    """A game that somebody played to its end."""

    game: str
    scenario: str
    seed: Seed
    number: Number
    seat: Seat
    players: Annotated[list[Plays], Field(description="by seat; what would have played at the person's, too")]
    choices: Annotated[int, Field(description="that the person made", ge=0)]
    hints: Annotated[int, Field(description="choices before which a hint was asked for", ge=0)]
    undone: Annotated[int, Field(description="choices that were taken back", ge=0)]
    script: Annotated[list[int], Field(description="the place of the option taken, step by step")]
    won: bool
    ending: str
    rounds: int
    winners: list[Seat]
    scores: list[int]
    measures: dict[str, Any]
