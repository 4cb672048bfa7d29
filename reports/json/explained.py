"""The answers of the commands that tell why it goes as it goes."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import (
    Cell,
    Confidence,
    Decides,
    Difference,
    Digests,
    End,
    Estimate,
    Games,
    Number,
    OwnBox,
    Plays,
    Rate,
    Refused,
    Seed,
    Share,
    Value,
)


class SourceShare(Decides):
    """Also what it decides only together with others."""

    interactions: float


class LuckPart(SourceShare):
    source: NotRequired[str]
    of: NotRequired[list[str]]
    address: NotRequired[str]
    draws: NotRequired[float]
    score: NotRequired[SourceShare]
    steady: NotRequired[SourceShare]
    steady_disagrees: NotRequired[bool]


class Joint(TypedDict):
    first: Estimate
    interactions: Estimate


class LevelShare(TypedDict):
    share: float
    low: End
    high: End
    luck: Estimate
    both: Estimate


class Rung(TypedDict):
    strategy: Plays
    win_rate: Share
    low: End
    high: End


class BetweenLevels(LevelShare):
    left_out: list[str]
    games: Games
    rungs: list[Rung]
    score: NotRequired[LevelShare]


class Luck(TypedDict):
    """Luck or skill: the share of every source of chance, of play, and of who plays."""

    game: str
    scenario: str
    title: str
    cell: Cell
    box: OwnBox | None
    players: list[Plays]
    seed: Seed
    games: Games
    confidence: Confidence
    sources: list[LuckPart]
    play: LuckPart
    together: dict[str, Joint]
    setup: LuckPart | None
    draw: LuckPart | None
    between_levels: BetweenLevels


class ByRound(TypedDict):
    round: int
    decided: Estimate
    over: Estimate


class GamesDecided(TypedDict):
    """When games are decided, how long they last, how often they turn."""

    games: Games
    decided: Estimate
    length: Estimate
    dead: Estimate
    dragging: Estimate
    changes: Estimate
    turned: Estimate
    narrow: Estimate
    by: list[ByRound]


class DecidedCell(TypedDict):
    cell: Cell
    box: OwnBox | None
    players: list[Plays]
    games: Games
    groups: dict[str, GamesDecided]
    margin: NotRequired[Estimate]
    steady: NotRequired[DecidedCell]
    steady_disagrees: NotRequired[list[str]]


class Decided(TypedDict):
    game: str
    scenario: str
    seed: Seed
    confidence: Confidence
    cells: list[DecidedCell]


class Worth(TypedDict):
    difference: Difference
    low: End
    high: End
    games: Games
    differing: Games


class Choice(TypedDict):
    """A kind of option: how often it is offered and taken, and what forbidding or forcing it changes."""

    option: str
    offered: float
    in_games: Share
    of_decisions: Share
    taken: dict[str, Share | None]
    forbidden: Worth | None
    always: Worth | None
    forbidden_by_steady: NotRequired[Worth]
    always_by_steady: NotRequired[Worth]
    steady_disagrees: NotRequired[bool]


ContentWorth = TypedDict(
    "ContentWorth",
    {
        "path": str,
        "from": Value,
        "to": Value,
        "set": dict[str, Value],
        "noticed": Share,
        "drawn": Rate | None,
        "used": Rate | None,
        "as_it_is": Rate | None,
        "changed": Rate | None,
        "difference": Difference,
        "low": End,
        "high": End,
        "games": Games,
        "differing": Games,
    },
)


class Choices(TypedDict):
    game: str
    scenario: str
    cell: Cell
    players: list[Plays]
    seed: Seed
    confidence: Confidence
    games: Games
    choices: list[Choice]
    content: list[ContentWorth]
    refused: list[Refused]
    left_out: list[str]
    interrupted: bool
    box: OwnBox | None
    digests: Digests


class SteadySize(TypedDict):
    value: float
    low: End
    high: End


class Finding(TypedDict):
    kind: str
    what: str
    size: float
    low: End
    high: End
    unit: str
    games: Games
    game: Number | None
    command: str
    closer: str
    steady: Annotated[
        SteadySize | None,
        Field(description="the size where steady plays, as far as it was looked at"),
    ]
    steady_disagrees: bool


class Audit(TypedDict):
    game: str
    scenario: str
    cell: Cell
    players: Plays
    seed: Seed
    confidence: Confidence
    findings: list[Finding]
    looked_at: list[str]
    asides: list[str]
    interrupted: bool
    box: OwnBox | None
    digests: Digests
