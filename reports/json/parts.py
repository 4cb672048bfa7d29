"""What the answers of several commands have in common. Rates are shares of 1; only what is called points is points."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

Share = Annotated[float, Field(description="a share of 1", ge=0, le=1)]
Difference = Annotated[float, Field(description="of two shares of 1")]
Points = Annotated[float | None, Field(description="points: hundredths of a share")]
End = Annotated[float | None, Field(description="an end of the interval; null where it is open")]
Games = Annotated[int, Field(description="how many games", ge=0)]
Seat = Annotated[int, Field(description="a seat, from 1", ge=1)]
Number = Annotated[int, Field(description="the number of a game of the seed", ge=0)]
Cell = Annotated[
    dict[str, Any],
    Field(description="which cell of a grid, by path; empty where there is one alone"),
]
Value = Annotated[
    Any, Field(description="of a number of the box: a number, a word, yes or no, or a list of them")
]
Plays = Annotated[str, Field(description="who plays: a strategy, with its slips")]
Digests = Annotated[
    dict[str, str], Field(description="what proves that rules, box and players are the same")
]
Seed = Annotated[int, Field(description="the luck", ge=0)]
Confidence = Annotated[float, Field(description="that the intervals hold with", gt=0, lt=1)]


class Estimate(TypedDict):
    """What was estimated, with the interval around it."""

    value: float | None
    low: End
    high: End


class Rate(TypedDict):
    rate: Share
    low: End
    high: End


class ShareOf(TypedDict):
    share: Share
    low: End
    high: End


class OwnBox(TypedDict):
    """A box of one's own that was laid over the shipped one."""

    file: str
    digest: str
    numbers: Annotated[int, Field(description="that it says itself")]
    added: NotRequired[Annotated[int, Field(description="entries that the shipped box has not")]]


class Player(TypedDict):
    seat: Seat
    strategy: Plays
    slips: Share


class Spread(TypedDict):
    """The mean (of what is 0 or 1, the rate) of an amount, and its quantiles by their share."""

    kind: Annotated[str, Field(description="mean, or rate")]
    mean: float | None
    low: End
    high: End
    quantiles: dict[str, int]


class Firm(TypedDict):
    """In how many plausible boxes a statement holds."""

    statement: str
    share: Share
    low: End
    high: End
    boxes: int
    established: bool


class Commit(TypedDict):
    commit: str
    date: str
    subject: str


class Refused(TypedDict):
    path: str
    to: Value
    why: str


class MaybeSteady(TypedDict):
    steady_disagrees: NotRequired[bool]


class Decides(TypedDict):
    """Shares of the variance: what a part decides alone (first), and with all that it acts together with (total)."""

    first: float
    total: float
    low: End
    high: End
    first_low: End
    first_high: End
