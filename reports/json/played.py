"""The answers of run, merge, reproduce, replay and compare."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import (
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
    Player,
    Plays,
    Points,
    Rate,
    Seat,
    Seed,
    Share,
    ShareOf,
    Spread,
    Value,
)


class Together(TypedDict):
    """How many intervals of each list hold together."""

    seats: int
    endings: int
    measures: int
    factors: int


class SeatShare(TypedDict):
    seat: Seat
    strategy: Plays
    wins: Games
    share: Share
    low: End
    high: End


class Factor(TypedDict):
    """The games with one value of what chance or choice dealt before play."""

    games: Games
    wins: Games
    win_rate: Share
    low: End
    high: End
    score: float


class Run(TypedDict):
    """One cell: its win rate, how games ended, how long they took."""

    game: str
    scenario: str
    title: str
    cell: Cell
    seed: Seed
    games: Games
    ranges: Annotated[
        list[list[int]],
        Field(description="games that were played: from, and up to without the last"),
    ]
    endings: dict[str, Games]
    wins: Games
    win_rate: Share
    low: End
    high: End
    confidence: Confidence
    together: Together
    ending_shares: dict[str, ShareOf]
    seats: Annotated[list[SeatShare], Field(description="where seats compete")]
    rounds: Spread
    scores: list[Spread]
    measures: dict[str, Spread]
    factors: dict[str, dict[str, Factor]]
    strategies: list[Plays]
    players: list[Player]
    changed: Annotated[dict[str, Any], Field(description="numbers that are not the box's, by path")]
    box: OwnBox | None
    digests: Digests
    outcome_digest: Annotated[
        str, Field(description="of every ending, length, score and option taken, in any order")
    ]
    made_by: dict[str, str]
    decisions: int
    options: Annotated[int, Field(description="how many were offered, over all decisions")]
    seconds: float
    games_per_second: float | None
    assumed: Annotated[
        dict[str, int], Field(description="numbers of the box: how many are assumed, and all")
    ]
    interrupted: bool


class Place(TypedDict):
    cell: Cell
    win_rate: Share
    place: Annotated[
        list[int], Field(description="from and to, the hardest first", min_length=2, max_length=2)
    ]


class Pair(TypedDict):
    harder: Cell
    easier: Cell
    points: Points
    low: Points
    high: Points
    told_apart: bool
    games_needed: int


class Ranking(TypedDict):
    """Which cell is hardest, by the games that two cells win differently."""

    games: Games
    confidence: Confidence
    words: list[str]
    order: list[Place]
    groups: Annotated[list[list[Cell]], Field(description="cells that cannot be told apart")]
    pairs: list[Pair]


class Grid(TypedDict):
    scenario: NotRequired[str]
    cells: list[Run]
    ranking: NotRequired[Ranking | None]


class Again(TypedDict):
    name: str
    games: Games
    same: bool
    saved: str
    now: str
    changed_since: list[str]


class Reproduced(TypedDict):
    reproduced: bool
    cells: list[Again]


class Draw(TypedDict):
    source: str
    address: dict[str, int]
    of: Annotated[int, Field(description="how many there were to draw from; 0 for a fraction")]
    drawn: int
    result: Annotated[Any, Field(description="what was drawn, in names")]


class Told(TypedDict):
    """What `--odds` adds to each step."""

    odds: NotRequired[Rate]
    odds_by_seat: NotRequired[list[dict[str, Any]]]


class Deal(Told):
    step: int
    kind: str
    draws: list[Draw]
    state: dict[str, Any]


class Step(Deal):
    seat: Seat
    strategy: Plays
    forced: Annotated[bool, Field(description="there was one option alone")]
    options: Annotated[list[dict[str, Any]], Field(description="all that were legal, in names")]
    taken: dict[str, Any]


class Turn(TypedDict):
    step: int
    kind: Annotated[str, Field(description="luck, or a decision")]
    swing: Difference
    low: End
    high: End
    before: Share
    after: Share
    seat: NotRequired[Seat]
    better: NotRequired[dict[str, Any]]
    told: str


class Ended(Told):
    step: int
    kind: str
    ending: str
    rounds: int
    winners: list[Seat]
    scores: list[int]
    measures: dict[str, Any]
    turns: NotRequired[list[Turn]]
    playouts: NotRequired[int]


class Side(TypedDict):
    title: str
    cell: Cell
    changed: dict[str, Value]
    box: OwnBox | None
    strategies: list[Plays]
    digests: Digests


class Rates(TypedDict):
    a: Estimate
    b: Estimate


class Flips(TypedDict):
    gained: Annotated[Games, Field(description="lost under A and won under B")]
    lost: Annotated[Games, Field(description="won under A and lost under B")]


class EndingChange(TypedDict):
    a: Games
    b: Games
    value: Difference
    low: End
    high: End


class Parting(TypedDict):
    """Where the histories of flipped games part."""

    flip: Annotated[str, Field(description="gained, or lost")]
    source: str
    round: int
    flips: Games
    share: Share


class Cause(Parting):
    lost_by: str
    to: Annotated[list[Seat], Field(description="who won instead")]
    parts_there: Games
    game: Number


ContentChange = TypedDict(
    "ContentChange",
    {
        "factor": str,
        "is": str,
        "games": Games,
        "gained": Games,
        "lost": Games,
        "value": Difference,
        "low": End,
        "high": End,
    },
)


class Example(TypedDict):
    game: Number
    flip: str
    source: str
    round: int


class Level(TypedDict):
    name: str
    slips: Share | None
    games: Games
    difference: Difference
    low: End
    high: End
    says: str


class AdaptCell(TypedDict):
    rules: str
    trained_for: str
    value: Share
    low: End
    high: End


class Weight(TypedDict):
    name: str
    a: float
    b: float
    moved: float


class Adapted(TypedDict):
    """The change as it is once players are used to it."""

    direct: Estimate
    back: Estimate
    after: Estimate
    cells: list[AdaptCell]
    games: Games
    repeats: int
    weights: list[Weight]
    trainings: list[dict[str, dict[str, float]]]


class Compared(TypedDict):
    """One pair of cells, played on the same luck."""

    game: str
    a: Side
    b: Side
    seed: Seed
    games: Games
    difference: Difference
    low: End
    high: End
    confidence: Confidence
    simultaneous_cells: int
    win_rate: Rates
    mcnemar_p: float
    flips: Flips
    identical_games: Games
    endings: dict[str, EndingChange]
    length: Estimate
    score: Estimate
    ledger: list[Parting]
    causes: Annotated[
        list[Cause],
        Field(description="flips by how they were lost, each with a game that shows it"),
    ]
    content: Annotated[
        list[ContentChange], Field(description="the change by what the games held under A")
    ]
    flips_laid_side_by_side: int
    examples: list[Example]
    settled: bool
    more_games: int
    pairs_needed: int
    unpaired_games_needed: int
    firm: NotRequired[list[Firm]]
    levels: NotRequired[list[Level]]
    verdict: NotRequired[str]
    along_slips: NotRequired[str]
    left_out: NotRequired[list[str]]
    adapt: NotRequired[Adapted]


class ComparedGrid(TypedDict):
    cells: list[Compared]
    adapt: NotRequired[Adapted]
