"""The answers of commands about games that people play."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import (
    Cell,
    Confidence,
    Difference,
    Games,
    Number,
    Plays,
    Seat,
    Seed,
    Share,
)


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
    players: Annotated[
        list[Plays], Field(description="by seat; what would have played at the person's, too")
    ]
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


Band = TypedDict("Band", {"5": float, "50": float, "95": float})
ShareBand = TypedDict("ShareBand", {"5": Share, "50": Share, "95": Share})
ChangeBand = TypedDict("ChangeBand", {"5": Difference, "50": Difference, "95": Difference})
Reach = TypedDict(
    "Reach",
    {
        "5": float,
        "50": float,
        "95": float,
        "least": Annotated[
            float,
            Field(
                description="on average, that any level in "
                "any box makes where games are won as often"
            ),
        ],
        "most": float,
    },
)


class Level(TypedDict):
    """How well people play: a share of slips of the player that is named, and the rung that wins as often."""

    rung: str
    slips: ShareBand


class Group(TypedDict):
    plays: Games
    slips: ShareBand


class Measure(TypedDict):
    """A measure of the plays beside what the model makes of it."""

    measure: str
    seen: float
    model: Reach
    p: Annotated[float, Field(description="of all measures together", ge=0, le=1)]
    plays: Games
    blamed: Annotated[
        list[str], Field(description="unknown numbers that move it, and which way they must go")
    ]


class Learnt(TypedDict):
    seen: bool
    first: ShareBand
    last: ShareBand
    fewer_slips: Annotated[
        float, Field(description="how likely it is that there are fewer at the last play")
    ]
    plays: Games


class ForecastRate(TypedDict):
    rate: ShareBand
    wide: Annotated[bool, Field(description="whether so few plays say little")]
    slips: NotRequired[ShareBand]
    latest: NotRequired[
        Annotated[
            bool,
            Field(
                description="whether it is of the level at the last play, as where "
                "learning is seen; else of that over all plays"
            ),
        ]
    ]


class Dealt(TypedDict):
    """Columns of the plays that say what chance dealt."""

    used: Annotated[
        list[str], Field(description="plays were held against games that were dealt the same")
    ]
    left: Annotated[
        list[str], Field(description="too few simulated games were dealt the same as some plays")
    ]
    in_play: Annotated[
        list[str], Field(description="no deal: it comes about in play, and no use is made of it")
    ]


class NextVariant(TypedDict):
    variant: str
    bits: Annotated[float, Field(description="that one play of it tells of level and box")]


class Fitted(TypedDict):
    """What played games say."""

    game: str
    scenario: str
    seed: Seed
    plays: Games
    player: Annotated[Plays, Field(description="whose slips the level is")]
    level: Level
    groups: dict[str, Group]
    free: Annotated[
        dict[str, dict[str, float]],
        Field(description="of an unknown number its band, or how likely each reading is"),
    ]
    forecast: ForecastRate
    dealt: NotRequired[Dealt]
    fits: bool
    misfit: Annotated[list[Measure], Field(description="those that do not fit")]
    measures: list[Measure]
    learning: Learnt | None
    more_plays: Annotated[int | None, Field(description="that would halve the band")]
    next: list[NextVariant]
    games: Annotated[int, Field(description="simulated, of each level in each box")]
    boxes: int
    effective_boxes: float
    words: list[str]


class AsOf(TypedDict):
    """Those who played."""

    file: str
    plays: Games
    level: Level
    fits: bool


class Forecast(TypedDict):
    """One cell, as those would fare who played."""

    game: str
    scenario: str
    cell: Cell
    games: Games
    win_rate: Share
    low: Share
    high: Share
    confidence: Confidence
    rate: ShareBand
    endings: dict[str, ShareBand]
    rounds: Band
    beliefs: int


AsRun = TypedDict("AsRun", {**Forecast.__annotations__, "as": AsOf})  # type: ignore[misc]
AsGrid = TypedDict("AsGrid", {"scenario": str, "cells": list[Forecast], "as": AsOf})


class Rates(TypedDict):
    a: ShareBand
    b: ShareBand


class Changed(TypedDict):
    cell: Cell
    games: Games
    difference: Difference
    low: Difference
    high: Difference
    confidence: Confidence
    change: ChangeBand
    win_rate: Rates
    harder: Annotated[
        float, Field(description="how likely it is that B is won less often", ge=0, le=1)
    ]


AsCompared = TypedDict("AsCompared", {**Changed.__annotations__, "as": AsOf})  # type: ignore[misc]
AsComparedGrid = TypedDict("AsComparedGrid", {"cells": list[Changed], "as": AsOf})


class Belief(TypedDict):
    slips: Share
    numbers: dict[str, Any]


class FitFile(TypedDict):
    """What --as takes: beliefs, each as likely as another."""

    hardmode: str
    game: str
    scenario: str
    plays: Games
    player: NotRequired[Plays]
    seed: NotRequired[Seed]
    digests: NotRequired[dict[str, str]]
    level: ShareBand
    latest: NotRequired[bool]
    rung: str
    rate: ShareBand
    fits: bool
    beliefs: list[Belief]
