"""The answers of list and warm, and what lies in files of JSON and TOML that hardmode writes."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import Cell, Digests, Games, OwnBox, Plays, Seed, Value


class Named(TypedDict):
    name: str
    title: str


class Game(TypedDict):
    name: str
    title: str
    version: Annotated[int, Field(description="of the rules; another plays otherwise")]
    seats: int
    scenarios: list[Named]
    strategies: dict[str, str]
    weights: dict[str, dict[str, float]]
    endings: list[str]
    measures: dict[str, str]
    not_simulated: list[str]
    content: Annotated[dict[str, int], Field(description="how many entries there may be, by path")]


class AllGames(TypedDict):
    games: dict[str, Game]


Leaf = TypedDict(
    "Leaf",
    {
        "path": str,
        "default": Value,
        "source": str,
        "from": str,
        "box": str,
        "range": list[float] | None,
        "choices": list[Any] | None,
        "min": float | None,
        "max": float | None,
        "unit": str,
        "note": str,
        "needs": Annotated[
            dict[str, list[Value]], Field(description="what other numbers must be for it to matter")
        ],
    },
)


class LeafHere(Leaf):
    values: Annotated[list[Value], Field(description="in each cell")]


class GameNumbers(Game):
    numbers: list[Leaf]


class ChangedNumber(TypedDict):
    default: Value
    value: Value


class ScenarioCell(TypedDict):
    label: Cell
    players: int
    strategies: list[Plays]
    changed: dict[str, ChangedNumber]
    warnings: list[str]


class ListedScenario(TypedDict):
    scenario: str
    title: str
    description: str
    box: OwnBox | None
    cells: list[ScenarioCell]
    numbers: NotRequired[list[LeafHere]]


class RecordField(TypedDict):
    """A field that a strategy may read."""

    record: Literal["box", "table", "own"]
    field: str
    type: str
    shape: list[int]
    part: str
    note: str
    set_by: Annotated[
        dict[str, str],
        Field(description="of the box: the numbers that it holds, and what they are"),
    ]
    seen: Annotated[list[float], Field(description="the least and the most that was met")]


class Kind(TypedDict):
    """A kind of decision, with the options of the first that was met, each with its code and its words."""

    kind: int
    name: str
    options: list[dict[str, Any]]


class Inside(TypedDict):
    weights: NotRequired[dict[str, dict[str, float]]]
    fields: NotRequired[list[RecordField]]
    options: NotRequired[list[Kind]]


class Warmed(TypedDict):
    game: str
    compiled: int
    seconds: float


class Warm(TypedDict):
    games: list[Warmed]
    cache: str | None


class Tally(TypedDict):
    """Sums over games; `packed` holds its tables, of schema 1 they stand open."""

    games: Games
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
    """One cell of a result: what was played, what came of it, and the seal over all of it."""

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
    box: NotRequired[OwnBox | None]
    outcome_digest: str
    tally: Tally
    seal: str


class ResultHead(TypedDict):
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
    hardmode: Literal["report"]
    files: Annotated[
        list[tuple[str, str]], Field(description="name and digest of each file that a report wrote")
    ]


class FirstGames(TypedDict):
    outcomes: Annotated[dict[str, str], Field(description="the digest of so many first games")]
    won: Annotated[
        list[str],
        Field(description="which games were won, a bit each, compressed by zlib, in base64"),
    ]


class BaselineCell(TypedDict):
    cell: str
    label: Cell
    plays: list[Plays]
    win_percent: Annotated[float, Field(ge=0, le=100)]
    wins: Games
    games_per_second: float
    endings: dict[str, Games]
    seats: NotRequired[dict[str, Games]]
    means: dict[str, float]
    digests: Digests
    first_games: FirstGames


class End(TypedDict):
    seal: str


class Baseline(TypedDict):
    """What was accepted of a scenario. The file is TOML."""

    schema: Literal[1]
    scenario: str
    title: str
    game: str
    version: int
    scheme: str
    reason: str
    date: str
    seed: Seed
    games: Games
    quick: Games
    looks: list[Games]
    box: NotRequired[str]
    made_by: dict[str, str]
    cells: list[BaselineCell]
    end: End
