"""The audit: all checks of one scenario, each within its share of the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from hardmode.scenarios.load import ScenarioLike, Variant, resolve_scenario
from hardmode.studies.audit import game_flow, options, random_walks, seats, settings
from hardmode.studies.audit.context import MAX_CHECKS, AuditCheck, AuditContext, OpenQuestion
from hardmode.studies.audit.findings import KINDS, Finding
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.reference_players import with_steady, with_trained
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.stats.estimates import Estimate, wilson_rate

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario

DEFAULT_SECONDS = 120.0
BASE_GAMES = 1000  # from which the win rate of the players is estimated


class RegisteredCheck(NamedTuple):
    """A check of the audit."""

    run: AuditCheck
    title: str  # shown while it runs
    time_share: float


CHECKS = (
    RegisteredCheck(seats.check_length, "length of games", 0.04),
    RegisteredCheck(seats.check_skill_levels, "skill levels", 0.05),
    RegisteredCheck(settings.check_settings, "settings", 0.06),
    RegisteredCheck(game_flow.check_early_losses, "early losses", 0.04),
    RegisteredCheck(game_flow.check_openings, "openings", 0.09),
    RegisteredCheck(random_walks.check_random_walks, "step by step", 0.08),
    RegisteredCheck(game_flow.check_decision_points, "when games are decided", 0.16),
    RegisteredCheck(options.check_loopholes, "loopholes", 0.08),
    RegisteredCheck(options.check_options, "choices and content", 0.26),
    RegisteredCheck(options.check_numbers, "numbers", 0.14),
)
assert len(CHECKS) <= MAX_CHECKS


@dataclass(frozen=True)
class AuditReport:
    """Result of an audit."""

    scenario: Scenario
    cell: Variant
    players: str
    seed: int
    confidence: float
    findings: list[Finding]
    checked_kinds: list[str]  # kinds of findings that were searched for
    notes: list[str]
    interrupted: bool = False
    open_questions: Sequence[OpenQuestion] = ()  # what too few games were played for
    base_rate: Estimate | None = None  # win rate of the players


def audit_game(
    playable: ScenarioLike,
    effort: Effort | None = None,
    *,
    seconds: float = DEFAULT_SECONDS,
    strategies: Sequence[str] = (),
    games: int | None = None,
    rounds: int | None = None,
    checks: Sequence[AuditCheck] | None = None,
    progress: Progress = ignore_progress,
) -> AuditReport:
    """Search the first cell of a scenario for faults of its rules.

    Args:
        playable: A scenario, or its name or path.
        effort: Seed, confidence level and threads.
        seconds: Time limit.
        strategies: Strategies that the user named; by default `trained` plays.
        games: Games to play for everything, instead of as many as the time allows.
        rounds: Stated length of a game.
        checks: The checks to run; by default all.
        progress: Called while games are played.
    """
    scenario = resolve_scenario(playable)
    cell = with_trained(scenario.cells[0], strategies)
    effort = (effort or Effort()).resolve_seed(scenario)
    context = AuditContext(
        scenario,
        cell,
        with_steady(cell),
        make_engine(cell),
        effort,
        Budget(),
        progress,
        rounds,
        games,
    )
    selected = [check for check in CHECKS if checks is None or check.run in checks]
    findings: list[Finding] = []
    interrupted = False
    base_rate = None
    try:
        base_rate = _estimate_base_rate(context)
        for i, check in enumerate(selected):
            step = subprogress(progress, i, len(selected), check.title)
            step("", 0.0)
            budget = Budget(None if games else check.time_share * seconds)
            findings += check.run(replace(context, budget=budget, progress=step))
    except KeyboardInterrupt:
        interrupted = True
    order = list(KINDS)
    findings.sort(key=lambda finding: order.index(finding.kind))
    return AuditReport(
        scenario,
        cell,
        context.player_names,
        effort.seed,
        effort.confidence,
        findings,
        [kind for kind in KINDS if kind in context.checked_kinds],
        context.notes,
        interrupted,
        context.open_questions,
        base_rate,
    )


def _estimate_base_rate(context: AuditContext) -> Estimate:
    """Return the win rate of the players, from a few games."""
    games = min(BASE_GAMES, context.games or BASE_GAMES)
    rows = context.play_games(context.engine, Budget(games=0), games, games)
    won = is_won(context.game, rows)
    return wilson_rate(int(won.sum()), won.size, context.effort.confidence)
