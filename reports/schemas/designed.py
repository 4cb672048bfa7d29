"""The answers of the commands for those who change a game."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.schemas.parts import (
    Cell,
    Confidence,
    Difference,
    Digests,
    End,
    Estimate,
    Firm,
    Games,
    Number,
    OwnBox,
    Plays,
    Points,
    Rate,
    Refused,
    Seat,
    Seed,
    Share,
    Value,
)


class Decides(TypedDict):
    """Shares of the variance: what a part decides alone (first), and with all that it acts together with (total)."""

    first: float
    total: float
    low: End
    high: End
    first_low: End
    first_high: End


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


ContentWorth = TypedDict("ContentWorth", {
    "path": str, "from": Value, "to": Value, "set": dict[str, Value],
    "noticed": Share, "drawn": Rate | None, "used": Rate | None, "as_it_is": Rate | None, "changed": Rate | None,
    "difference": Difference, "low": End, "high": End,
    "games": Games, "differing": Games})


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
    steady: Annotated[SteadySize | None, Field(description="the size where steady plays, as far as it was looked at")]
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


class Amid(TypedDict):
    """What a step does on average over boxes in which other numbers moved too."""

    points: Points
    low_points: Points
    high_points: Points
    games: Games


Moved = TypedDict("Moved", {
    "path": str, "from": Value, "to": Value, "points": Points, "low": Points, "high": Points, "gained": Games,
    "lost": Games, "games": Games, "differing": Games, "read": bool, "p": float, "matters": bool, "settled": bool,
    "length": Estimate,
    "endings": dict[str, Points], "in_company": NotRequired[Amid],
    "steady_points": NotRequired[Points], "steady_low": NotRequired[Points],
    "steady_high": NotRequired[Points], "steady_disagrees": NotRequired[bool]})
Unresolved = TypedDict("Unresolved", {"path": str, "from": Value, "to": Value, "bound_points": Points,
                                      "in_company": NotRequired[bool]})
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
    silent: Annotated[Any, Field(description="read, but no game changed: numbers, and in how many games")]
    unvaried: Annotated[Any, Field(description="numbers that were not moved")]
    sought_points: Annotated[float, Field(description="a step that moves the win rate by as much is found nine times "
                                          "in ten, where it is settled")]
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


Band = Annotated[dict[str, float] | None, Field(description="rates by percentile of plausible boxes")]


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
