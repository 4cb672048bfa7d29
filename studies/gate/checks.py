"""Checks of the gate and their findings: what is common to baselines and expectations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardmode.studies.gate.lazy_games import LazyGames
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sequential import Gate

DEFAULT_MARGIN = 0.01  # difference of win rates below which a change does not matter
REFUSED = "REFUSED"  # verdict on what cannot be judged
BASELINE = "baseline"  # subject of a check against the baseline


@dataclass(frozen=True)
class GateFinding:
    """The answer to one check, in words and in numbers.

    Attributes:
        scenario: Name of the scenario.
        cell: Label of the cell as text; empty without a grid.
        subject: "baseline", or what is expected.
        verdict: A decision of the gate, or REFUSED.
        text: The verdict in words.
        label: Label of the cell.
        estimate: The value that was judged.
        games: Number of games played.
        margin: The margin, if it was judged against the baseline.
        rates: Win rates as accepted and now.
        flips: Games gained and lost, of those played under both.
        changed_inputs: Names of what changed since it was accepted.
        libraries: Libraries whose version changed since.
        seconds: Time spent playing.
    """

    scenario: str
    cell: str
    subject: str
    verdict: str
    text: str
    label: dict[str, Any]
    estimate: Estimate | None = None
    games: int = 0
    margin: float | None = None
    rates: tuple[float, float] | None = None
    flips: tuple[int, int] | None = None
    changed_inputs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(kw_only=True)
class GateCheck(ABC):
    """A statement about the games of one or several cells that a gate judges.

    Attributes:
        scenario: Name of the scenario.
        cell: Label of the cell as text; empty without a grid.
        label: Label of the cell.
        subject: "baseline", or what is expected.
        looks: Numbers of games at which to look.
        margin: Smallest change that matters.
    """

    scenario: str
    cell: str
    label: dict[str, Any]
    subject: str
    looks: tuple[int, ...]
    margin: float = DEFAULT_MARGIN

    @property
    def judged_sides(self) -> int:
        """Number of sides that are judged, each with a share of alpha."""
        return 1

    @property
    def inputs_unchanged(self) -> bool:
        """True if nothing that decides the games is known to have changed."""
        return False

    @property
    def reproduces_baseline(self) -> bool:
        """True if, in addition, the first games end as accepted: chance has no part in it."""
        return False

    @property
    @abstractmethod
    def game_sources(self) -> Sequence[LazyGames]:
        """Games that the check may play."""

    @abstractmethod
    def evaluate(self, gate: Gate) -> GateFinding:
        """Play until the gate settles the check."""

    def release(self) -> None:
        """Free the memory that playing takes."""
        for games in self.game_sources:
            games.release()


def format_margin(margin: float) -> str:
    """Return a margin in points.

    Example:
        >>> format_margin(0.01), format_margin(0.025)
        ('1 point', '2.5 points')
    """
    text = f"{100 * margin:.2f}".rstrip("0").rstrip(".")
    return f"{text} point{'' if text == '1' else 's'}"


def format_difference(e: Estimate) -> str:
    """Return a difference of win rates with its interval.

    Example:
        >>> format_difference(Estimate(0.012, 0.004, 0.02, 9000))
        '+1.20 points (+0.40 .. +2.00)'
    """
    return f"{100 * e.value:+.2f} points ({100 * e.low:+.2f} .. {100 * e.high:+.2f})"
