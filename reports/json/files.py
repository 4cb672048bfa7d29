"""Types of the files that hardmode writes and reads again. They document the files' schemas."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import (
    Cell,
    Digests,
    GameCount,
    OverlayBox,
    Seed,
    Share,
    StrategyName,
)


class TallyData(TypedDict):
    """Sums over games. `packed` holds the tables; in schema 1 they stand open."""

    games: GameCount
    digest: str
    steps: int
    decisions: int
    offered: int
    packed: NotRequired[
        Annotated[str, Field(description="JSON by columns, compressed by zlib, in base64")]
    ]
    counts: NotRequired[Any]
    groups: NotRequired[Any]
    curves: NotRequired[Any]
    alive: NotRequired[Any]


class ResultCell(TypedDict):
    """One cell of a result: what was played, the tally, and the seal over all of it."""

    cell: NotRequired[int]
    game: str
    scenario: str
    title: str
    label: Cell
    changed: dict[str, Any]
    strategies: list[dict[str, Any]]
    seed: Seed
    digests: Digests
    assumed: dict[str, int]
    ranges: list[list[int]]
    seconds: float
    made_by: dict[str, str]
    box: NotRequired[OverlayBox | None]
    outcome_digest: str
    tally: TallyData
    seal: str


class ResultHead(TypedDict):
    """The first line of a result file."""

    hardmode: Literal["result"]
    schema: Literal[2]
    lines: Literal["cells"]


class WholeResult(TypedDict):
    """A result in one object: of schema 1, and the `result.json.gz` of a report, opened."""

    hardmode: Literal["result"]
    schema: Literal[1, 2]
    cells: list[ResultCell]
    report: NotRequired[dict[str, Any]]


class Manifest(TypedDict):
    """The files that a report wrote."""

    hardmode: Literal["report"]
    files: Annotated[
        list[tuple[str, str]], Field(description="name and digest of each file of the report")
    ]


class FirstGames(TypedDict):
    """The outcomes of the first games of a baseline."""

    outcomes: Annotated[
        dict[str, str], Field(description="the digest of the outcomes, by the number of games")
    ]
    won: Annotated[
        list[str],
        Field(description="the games that were won, one bit each, compressed by zlib, in base64"),
    ]


class BaselineCellData(TypedDict):
    """One cell of a baseline."""

    cell: str
    label: Cell
    plays: list[StrategyName]
    win_percent: Annotated[float, Field(ge=0, le=100)]
    wins: GameCount
    games_per_second: float
    endings: dict[str, GameCount]
    seats: NotRequired[dict[str, GameCount]]
    means: dict[str, float]
    digests: Digests
    first_games: FirstGames


class BaselineEnd(TypedDict):
    """The last part of a baseline, with the seal over all of it."""

    seal: str


class BaselineFile(TypedDict):
    """The baseline of a scenario. The file is TOML."""

    schema: Literal[1]
    scenario: str
    title: str
    game: str
    version: int
    scheme: str
    reason: str
    date: str
    seed: Seed
    games: GameCount
    quick: GameCount
    looks: list[GameCount]
    box: NotRequired[str]
    made_by: dict[str, str]
    cells: list[BaselineCellData]
    end: BaselineEnd


Band = TypedDict("Band", {"5": Share, "50": Share, "95": Share})


class Belief(TypedDict):
    """One skill level and one set of unknown numbers that the played games agree with."""

    slips: Share
    numbers: dict[str, Any]


class FitFileData(TypedDict):
    """The file that `--fit` takes: beliefs, each as likely as the others."""

    hardmode: str
    game: str
    scenario: str
    plays: GameCount
    player: NotRequired[StrategyName]
    seed: NotRequired[Seed]
    digests: NotRequired[dict[str, str]]
    level: Band
    latest: NotRequired[bool]
    rung: str
    rate: Band
    fits: bool
    beliefs: list[Belief]
