"""Findings of an audit, and the kinds of findings that exist."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardmode.studies.core.reference_players import players_disagree
from hardmode.studies.stats.estimates import Estimate

# Kinds and their meanings, in the order in which findings are reported.
KINDS = {
    "punished-rung": "a skill level wins less often than a lower one",
    "inverted-setting": "a setting that is called harder is easier",
    "jump": "neighbouring steps of a setting differ by more than 30 points",
    "loophole": "always taking the same kind of option does as well as steady",
    "lost-opening": "a game cannot be won before its first real decision",
    "won-opening": "a game cannot be lost before its first real decision",
    "early-loss": "games are lost in the first two rounds",
    "decided-early": "half of the games are decided for at least half of their rounds",
    "uncatchable-leader": "the leader after a third of the rounds nearly always wins",
    "first-seat": "a seat wins more than its share",
    "knocked-out": "a seat decides nothing in the second half of a game",
    "kingmaker": "a seat that cannot win decides who does",
    "loop": "a position occurs again and again",
    "turn-limit": "games end only by the limit of decisions",
    "stalling": "games last three times as long as most",
    "too-long": "games last longer than stated",
    "always-worth-taking": "a kind of option is always right",
    "never-worth-taking": "a kind of option is not needed",
    "unused-content": "something in the box makes no difference to games",
    "dead-number": "a number changes nothing",
}


@dataclass(frozen=True)
class Finding:
    """One finding with its evidence."""

    kind: str
    message: str  # one sentence
    estimate: Estimate  # size; the intervals of all findings hold together
    unit: str  # of the size
    game: int  # number of a game that shows it
    command: str  # that replays this game
    followup_command: str = ""  # that examines the matter further
    steady_estimate: Estimate | None = None  # size if `steady` plays, where it was measured

    @property
    def players_disagree(self) -> bool:
        """True if the size differs in sign or by more than half if `steady` plays."""
        steady = self.steady_estimate
        return steady is not None and players_disagree(self.estimate, steady)


def find_first(mask: np.ndarray) -> int:
    """Return the index of the first true value, or 0 if there is none."""
    return int(np.argmax(mask)) if mask.any() else 0


def format_point_change(estimate: Estimate) -> str:
    """Return a difference of rates in percentage points, with its sign."""
    return f"{100 * estimate.value:+.1f} points"
