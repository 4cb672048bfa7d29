"""Types and records that several answers contain.

Rates are shares of 1. Only fields that are called points are points (hundredths of a share).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import ConfigDict, Field

if TYPE_CHECKING:
    from hardmode.studies.history.repository import Commit
    from hardmode.studies.stats.estimates import Estimate
    from hardmode.studies.stats.sobol import SobolIndex
    from hardmode.studies.uncertainty.robustness import RobustConclusion

ABSENT: Any = object()  # value of a field that is left out of the JSON

Share = Annotated[float, Field(description="a share of 1", ge=0, le=1)]
Difference = Annotated[float, Field(description="a difference of two shares of 1")]
Points = Annotated[float | None, Field(description="points: hundredths of a share")]
End = Annotated[
    float | None, Field(description="an end of the interval; null if the interval is open there")
]
GameCount = Annotated[int, Field(description="a number of games", ge=0)]
Seat = Annotated[int, Field(description="a seat; the first is 1", ge=1)]
GameNumber = Annotated[int, Field(description="the number of a game of the seed", ge=0)]
Cell = Annotated[
    dict[str, Any],
    Field(description="the values, by path, that distinguish a cell of a grid; empty without grid"),
]
Value = Annotated[
    Any,
    Field(description="the value of a number of the box: a number, text, true, false, or a list"),
]
StrategyName = Annotated[str, Field(description="a strategy, with its share of mistakes")]
SummaryText = Annotated[
    str,
    Field(description="the answer in sentences: its size with the interval, and how certain it is"),
]
Digests = Annotated[
    dict[str, str],
    Field(description="digests that prove that rules, box and players are the same"),
]
Seed = Annotated[int, Field(description="the seed of the random draws", ge=0)]
Confidence = Annotated[float, Field(description="confidence level of the intervals", gt=0, lt=1)]


def get_key(name: str) -> str:
    """Return the JSON key of a field: `from_` is "from", and `percentile_5` is "5"."""
    return name.removeprefix("percentile_").rstrip("_")


class AnswerRecord:
    """Base of all records of answers, which are dataclasses."""

    __pydantic_config__ = ConfigDict(alias_generator=get_key)


class IntervalRecord(AnswerRecord):
    """Base of the records of an estimate with the interval around it."""

    @classmethod
    def from_estimate(cls, estimate: Estimate) -> Self:
        """Create the record of an estimate."""
        return cls(estimate.value, estimate.low, estimate.high)  # type: ignore[call-arg]


@dataclass
class ValueInterval(IntervalRecord):
    """A value with its interval."""

    value: float | None
    low: End
    high: End


@dataclass
class RateInterval(IntervalRecord):
    """A rate with its interval."""

    rate: Share
    low: End
    high: End


@dataclass
class ShareInterval(IntervalRecord):
    """A share with its interval."""

    share: Share
    low: End
    high: End


def encode_estimates(estimates: Mapping[str, Estimate]) -> dict[str, ValueInterval]:
    """Return the records of estimates by name."""
    return {name: ValueInterval.from_estimate(e) for name, e in estimates.items()}


@dataclass(kw_only=True)
class OverlayBox(AnswerRecord):
    """A box file of the user, laid over the shipped box."""

    file: str
    numbers: Annotated[int, Field(description="how many numbers it sets")]
    added: Annotated[int, Field(description="entries that the shipped box lacks")] = ABSENT
    digest: str

    @classmethod
    def from_provenance(cls, provenance: Mapping[str, Any] | None) -> OverlayBox | None:
        """Create the record of a box file, or None if there is none."""
        return cls(**provenance) if provenance else None


@dataclass(kw_only=True)
class ConclusionRecord(AnswerRecord):
    """A conclusion, and in how many plausible boxes it holds."""

    statement: str
    share: Share
    low: End
    high: End
    boxes: int
    established: bool

    @classmethod
    def from_conclusion(cls, conclusion: RobustConclusion) -> ConclusionRecord:
        """Create the record of a conclusion."""
        share = conclusion.share
        return cls(
            statement=conclusion.statement,
            share=share.value,
            low=share.low,
            high=share.high,
            boxes=share.n,
            established=conclusion.is_robust,
        )


@dataclass
class CommitRecord(AnswerRecord):
    """A commit of a repository."""

    commit: str
    date: str
    subject: str

    @classmethod
    def from_commit(cls, commit: Commit) -> CommitRecord:
        """Create the record of a commit."""
        return cls(commit.id, commit.date, commit.subject)


@dataclass
class Refusal(AnswerRecord):
    """A change that the game refuses."""

    path: str
    to: Value
    why: str


@dataclass
class VarianceShares(AnswerRecord):
    """Sobol indices: shares of the variance that a source decides.

    `first` is what it decides alone; `total` includes what it decides together with others.
    """

    first: float
    total: float
    low: End
    high: End
    first_low: End
    first_high: End


def index_fields(index: SobolIndex) -> dict[str, float]:
    """Return the fields of `VarianceShares` for a Sobol index."""
    first, total = index.first, index.total
    return {
        "first": first.value,
        "total": total.value,
        "low": total.low,
        "high": total.high,
        "first_low": first.low,
        "first_high": first.high,
    }
