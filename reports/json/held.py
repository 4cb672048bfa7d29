"""The answers of the commands that hold scenarios and games to what they are meant to be, and look back."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hardmode.reports.json.parts import Cell, Commit, Difference, End, Games, Plays, Seat, Share
from hardmode.reports.json.played import Flips

Verdict = Annotated[
    str, Field(description="IDENTICAL, EQUIVALENT, CHANGED, INCONCLUSIVE, MET, MISSED or REFUSED")
]
Chance = Annotated[float, Field(description="a chance", ge=0, le=1)]


class Gate(TypedDict):
    alpha: Chance
    beta: Chance
    margin: Share | None
    games: Games | None
    questions: int
    at_stake: Annotated[int, Field(description="questions that share alpha")]


class AcceptedAndNow(TypedDict):
    accepted: Share
    now: Share


class Finding(TypedDict):
    """One question, and what was found."""

    cell: str
    label: Cell
    about: str
    verdict: Verdict
    said: str
    games: Games
    margin: Share | None
    value: float | None
    low: End
    high: End
    confidence: float | None
    judged_on: Games
    win_rate: AcceptedAndNow | None
    flips: Flips | None
    changed_since: list[str]
    libraries: list[str]
    seconds: float


class Scenario(TypedDict):
    scenario: str
    verdict: Verdict
    findings: list[Finding]


class Check(TypedDict):
    verdict: Verdict
    exit: int
    counts: dict[str, int]
    seconds: float
    games: Games
    notes: list[str]
    made_by: dict[str, str]
    gate: Gate
    scenarios: list[Scenario]


class Odds(TypedDict):
    """What becomes of builds whose true difference is this."""

    difference: Difference
    changed: Chance
    equivalent: Chance
    inconclusive: Chance
    games: float
    largest: Games
    error: float


class Alike(TypedDict):
    scenarios: list[str]
    cells: int
    sides: int
    margin: Share
    looks: list[Games]
    rows: list[Odds]
    seconds_per_game: float


class Foretold(TypedDict):
    scenario: str
    cell: str
    about: str
    rate: Share | None
    met: Chance
    missed: Chance
    games: float


class Unchanged(TypedDict):
    fails: Chance
    games: float
    minutes: float


class Differing(TypedDict):
    difference: Difference
    games: float
    minutes: float


class Cost(TypedDict):
    games: float
    minutes: float


class Said(TypedDict):
    scenario: str
    said: str


class Plan(TypedDict):
    """The odds of a check, and what it costs."""

    alpha: Chance
    beta: Chance
    flips: Share
    questions: int
    unchanged: Unchanged
    groups: list[Alike]
    expectations: list[Foretold]
    all_differ_by: list[Differing]
    false_alarm_at_most: Chance
    largest: Cost
    refused: list[Said]


class AcceptedCell(TypedDict):
    cell: str
    label: Cell
    wins: Games
    win_percent: float
    outcome_digest: str


class Accepted(TypedDict):
    scenario: str
    file: str
    what: str
    games: Games
    cells: list[AcceptedCell]


class Accept(TypedDict):
    accepted: list[Accepted]


class OneCheck(TypedDict):
    name: str
    ok: bool
    found: list[str]


class CheckGame(TypedDict):
    game: str
    sound: bool
    checks: list[OneCheck]
    lacks: list[str]


class CheckGames(TypedDict):
    games: list[CheckGame]


class Held(Commit):
    cell: str
    seat: Seat | None
    plays: list[Plays]
    games: Games
    rate: Share
    low: End
    high: End
    reason: str


class Unread(Commit):
    why: str


class Past(TypedDict):
    scenario: str
    held: list[Held]
    unread: list[Unread]


class History(TypedDict):
    scenarios: list[Past]


class SearchStep(Commit):
    word: str
    moved: bool
    why: str
    cell: str
    seat: Seat | None
    difference: NotRequired[Difference]
    low: NotRequired[End]
    high: NotRequired[End]
    games: NotRequired[Games]
    was: NotRequired[Share]
    now: NotRequired[Share]


class Bisect(TypedDict):
    """Which commit moved a win rate."""

    scenario: str
    good: Commit
    bad: Commit
    found: Commit | None
    left: list[Commit]
    moved: Annotated[Any, Field(description="what is another in the commit that was found")]
    words: Annotated[Any, Field(description="the answer in words")]
    steps: list[SearchStep]
