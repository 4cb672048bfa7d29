"""The answers of the commands for those who change a game."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import (
    Confidence,
    Decides,
    Digests,
    End,
    Estimate,
    Firm,
    Games,
    OwnBox,
    Plays,
    Points,
    Seat,
    Seed,
    Share,
    Value,
)


class Amid(TypedDict):
    """What a step does on average over boxes in which other numbers moved too."""

    points: Points
    low_points: Points
    high_points: Points
    games: Games


Moved = TypedDict(
    "Moved",
    {
        "path": str,
        "from": Value,
        "to": Value,
        "points": Points,
        "low": Points,
        "high": Points,
        "gained": Games,
        "lost": Games,
        "games": Games,
        "differing": Games,
        "read": bool,
        "p": float,
        "matters": bool,
        "settled": bool,
        "length": Estimate,
        "endings": dict[str, Points],
        "in_company": NotRequired[Amid],
        "steady_points": NotRequired[Points],
        "steady_low": NotRequired[Points],
        "steady_high": NotRequired[Points],
        "steady_disagrees": NotRequired[bool],
    },
)
Unresolved = TypedDict(
    "Unresolved",
    {
        "path": str,
        "from": Value,
        "to": Value,
        "bound_points": Points,
        "in_company": NotRequired[bool],
    },
)
RefusedStep = TypedDict("RefusedStep", {"path": str, "from": Value, "to": Value, "why": str})


class Sensitivity(TypedDict):
    """Every number of the box one plausible step up and down."""

    game: str
    scenario: str
    strategies: list[Plays]
    seed: Seed
    confidence: Confidence
    games: Games
    interrupted: bool
    numbers: list[Moved]
    dead: list[str]
    unread: list[str]
    silent: Annotated[
        Any, Field(description="read, but no game changed: numbers, and in how many games")
    ]
    unvaried: Annotated[Any, Field(description="numbers that were not moved")]
    sought_points: Annotated[
        float,
        Field(
            description="a step that moves the win rate by as much is found nine times "
            "in ten, where it is settled"
        ),
    ]
    unresolved: list[Unresolved]
    refused: list[RefusedStep]
    box: OwnBox | None
    digests: Digests


class Headline(TypedDict):
    rate: Share
    low: End
    high: End
    games: Games


class DoubtShare(Decides):
    path: str
    numbers: int


Band = Annotated[
    dict[str, float] | None, Field(description="rates by percentile of plausible boxes")
]


class Knowing(TypedDict):
    path: str
    band: Band


class BySteady(TypedDict):
    headline: Headline
    band: Band
    disagrees: bool


class Doubts(TypedDict):
    """The band over all that is not known, and what decides it."""

    game: str
    scenario: str
    strategies: list[Plays]
    box: OwnBox | None
    seed: Seed
    confidence: Confidence
    headline: Headline
    band: Band
    boxes: int
    covers_everything: bool
    shares: list[DoubtShare]
    knowing: list[Knowing]
    firm: list[Firm]
    steady: BySteady | None
    unknown: Annotated[Any, Field(description="numbers that are not known")]
    staying: Annotated[Any, Field(description="numbers that stay as they are assumed")]
    impossible: int
    games_of_a_box: Games
    rows: dict[str, int]
    assumed_about_assumptions: Annotated[Any, Field(description="in words")]
    interrupted: bool
    digests: Digests


class Setting(TypedDict):
    set: dict[str, Value]
    flags: list[str]
    games: Games
    measured: dict[str, Estimate]
    steady: NotRequired[dict[str, Estimate]]
    steady_disagrees: NotRequired[bool]


class RefusedSetting(TypedDict):
    set: dict[str, Value]
    why: str


class Target(TypedDict):
    name: str
    low: End
    high: End


class Solution(TypedDict):
    """Which values give what is wanted."""

    reached: bool
    answers: list[Setting]
    undecided: list[Setting]
    curve: list[Setting]
    refused: list[RefusedSetting]
    words: Annotated[Any, Field(description="the answer in words")]
    game: str
    scenario: str
    strategies: list[Plays]
    seed: Seed
    fresh_seed: Seed
    confidence: Confidence
    interrupted: bool
    box: OwnBox | None
    digests: Digests
    targets: list[Target]


class Start(TypedDict):
    rate: Share
    low: NotRequired[End]
    high: NotRequired[End]
    weights: NotRequired[dict[str, float]]


class Changed(TypedDict):
    of: str
    value: float
    low: End
    high: End


class OnCurve(TypedDict):
    generation: int
    rate: Share


class Against(TypedDict):
    share: Share
    low: End
    high: End


class Trained(TypedDict):
    """A player whose weights were tuned; `kept` where its file held one already."""

    player: str
    game: str
    scenario: str
    base: Plays
    weights: dict[str, float]
    rate: Share
    low: End
    high: End
    start: Start
    goal: str
    over: str
    games: Games
    measured: Games
    generations: int
    seed: Seed
    seconds: float
    kept: NotRequired[bool]
    seats: NotRequired[list[Seat]]
    gain: NotRequired[Estimate]
    change: NotRequired[Changed]
    better: NotRequired[bool]
    overfit: NotRequired[Estimate]
    against: NotRequired[dict[str, Against]]
    dead: NotRequired[list[str]]
    curve: NotRequired[list[OnCurve]]
    confidence: NotRequired[Confidence]
    interrupted: NotRequired[bool]
