"""The audit: every look at one scenario, within its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.scenarios.load import Playable, Variant, as_scenario
from hardmode.studies.audit import game_flow, options, random_walks, seats
from hardmode.studies.audit.findings import KINDS, LOOKS, Case, Finding, Look
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.reference_players import studied
from hardmode.studies.core.run import Effort

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario

SECONDS = 120.0
# The looks, what is told while they are taken, and the share of the time that each may take.
TAKEN: tuple[tuple[Look, str, float], ...] = (
    (seats.length, "how long games last", 0.04),
    (seats.rungs, "who plays", 0.05),
    (seats.settings, "settings", 0.06),
    (game_flow.early, "early losses", 0.04),
    (game_flow.openings, "openings", 0.09),
    (random_walks.walks, "step by step", 0.08),
    (game_flow.decisions, "when games are decided", 0.16),
    (options.trivial, "always the same", 0.08),
    (options.worth, "choices and content", 0.26),
    (options.numbers, "numbers", 0.14),
)
assert len(TAKEN) <= LOOKS


@dataclass(frozen=True)
class Audit:
    scenario: Scenario
    cell: Variant
    players: str
    seed: int
    confidence: float
    findings: list[Finding]
    looked: list[str]
    asides: list[str]
    interrupted: bool = False


def audit(
    what: Playable,
    effort: Effort | None = None,
    *,
    seconds: float = SECONDS,
    asked: Sequence[str] = (),
    games: int | None = None,
    rounds: int | None = None,
    looks: Sequence[Look] | None = None,
    progress: Progress = silent,
) -> Audit:
    """What the rules of a scenario's first cell do wrong, by as many games as the time allows, or by so many of
    everything; `looks`, where not all are wanted; `rounds`, in which a game was said to be over."""
    scenario = as_scenario(what)
    cell = studied(scenario.cells[0], asked)
    effort = (effort or Effort()).on(scenario)
    case = Case(scenario, cell, effort, seconds, progress, rounds, games)
    found: list[Finding] = []
    chosen = [one for one in TAKEN if looks is None or one[0] in looks]
    interrupted = False
    try:
        for i, (look, title, share) in enumerate(chosen):
            case.progress = part(progress, i, len(chosen), title)
            case.progress("", 0.0)
            found += look(case, share)
    except KeyboardInterrupt:
        interrupted = True
    order = list(KINDS)
    found.sort(key=lambda f: order.index(f.kind))
    return Audit(
        scenario,
        cell,
        case.who,
        effort.seed,
        effort.confidence,
        found,
        [kind for kind in KINDS if kind in case.looked],
        case.asides,
        interrupted,
    )
