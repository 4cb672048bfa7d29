"""The verdict of a check, and its exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hardmode.reports import exit_codes
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.gate.checks import REFUSED, GateCheck, GateFinding, format_margin
from hardmode.studies.gate.run import GateRun
from hardmode.studies.stats.sequential import (
    CHANGED,
    EQUIVALENT,
    IDENTICAL,
    INCONCLUSIVE,
    MET,
    MISSED,
)

# From the worst to the best: the first verdict that occurs is that of the whole check.
VERDICT_ORDER = (REFUSED, CHANGED, MISSED, INCONCLUSIVE, EQUIVALENT, IDENTICAL, MET)
EXIT_CODES = {
    REFUSED: exit_codes.WRONG_INPUT,
    CHANGED: exit_codes.ANSWER_IS_NO,
    MISSED: exit_codes.ANSWER_IS_NO,
    INCONCLUSIVE: exit_codes.INCONCLUSIVE,
}  # of verdicts with which a check fails
INPUT_NAMES = {
    "rules": "the rules",
    "strategies": "the strategies",
    "kernel": "the decision loop",
    "weights": "weights",
    "box": "numbers of the box",
    "scenario": "who plays",
}  # inputs of a game, as sentences name them
DEFAULT_MARGIN = 0.01  # change of the win rate


@dataclass
class CheckReport:
    """All findings of a run, in the order of the scenarios."""

    run: GateRun
    findings: list[GateFinding]
    seconds: float = 0.0

    @cached_property
    def scenarios(self) -> dict[str, list[GateFinding]]:
        """Findings by the name of the scenario."""
        grouped: dict[str, list[GateFinding]] = {}
        for finding in self.findings:
            grouped.setdefault(finding.scenario, []).append(finding)
        return grouped

    @property
    def verdict(self) -> str:
        """Worst verdict of all findings."""
        return worst_verdict(self.findings)

    @property
    def exit_code(self) -> int:
        """Exit code of the command."""
        return EXIT_CODES.get(self.verdict, exit_codes.DONE)

    @property
    def counts(self) -> dict[str, int]:
        """Number of findings with each verdict, the worst first."""
        return count_verdicts(self.findings)

    @property
    def error_guarantee(self) -> str:
        """Sentence with the error rates of the run as a whole."""
        config, n_tests = self.run.config, self.run.n_tests
        margins = sorted({check.margin for check in self.run.checks})
        smallest = margins[0] if margins else config.margin or DEFAULT_MARGIN
        margin = format_margin(smallest)
        if len(margins) > 1:
            margin += f" (up to {format_margin(margins[-1])} where few games are played)"
        shared = f", over all {n_tests} questions" if n_tests > 1 else ""
        return (
            f"An unchanged game fails in at most {config.alpha:.2%} of runs{shared}; a change "
            f"beyond the margin of {margin} passes in at most {config.beta:.2%}"
        )

    @property
    def games(self) -> int:
        """Number of games. Games that several questions about a cell share count once."""
        by_cell: dict[tuple[str, str], int] = {}
        for finding in self.findings:
            cell = finding.scenario, finding.cell
            by_cell[cell] = max(finding.games, by_cell.get(cell, 0))
        return sum(by_cell.values())

    @property
    def summary_line(self) -> str:
        """Line with the number of scenarios, verdicts and games."""
        verdicts = format_verdict_counts(self.findings) or "nothing to check"
        n = len(self.scenarios)
        scenarios = f"{n} scenario{'' if n == 1 else 's'}"
        return f"{scenarios}: {verdicts}; {self.games:,} games in {self.seconds:.1f} s"

    @property
    def notes(self) -> list[str]:
        """Notes on the whole run."""
        libraries = dict.fromkeys(name for f in self.findings for name in f.libraries)
        if not libraries:
            return list(self.run.notes)
        changed = f"libraries changed since the baseline was accepted: {', '.join(libraries)}"
        return [*self.run.notes, changed]


def run_checks(run: GateRun, progress: Progress = ignore_progress) -> CheckReport:
    """Evaluate all checks of a run, and return their findings."""
    stopwatch = Stopwatch()
    findings: list[GateFinding] = []
    total = len(run.refused) + len(run.checks)
    for finding in run.evaluate_all():
        findings.append(finding)
        progress(finding.scenario, len(findings) / total)
    return CheckReport(run, findings, stopwatch.elapsed)


def worst_verdict(findings: Iterable[GateFinding]) -> str:
    """Return the worst verdict of the findings, or MET without any."""
    verdicts = {finding.verdict for finding in findings}
    return next((verdict for verdict in VERDICT_ORDER if verdict in verdicts), MET)


def count_verdicts(findings: Iterable[GateFinding]) -> dict[str, int]:
    """Return the number of findings with each verdict that occurs, the worst first."""
    counts = Counter(finding.verdict for finding in findings)
    return {verdict: counts[verdict] for verdict in VERDICT_ORDER if counts[verdict]}


def format_verdict_counts(findings: Iterable[GateFinding]) -> str:
    """Return the number of findings with each verdict, in words."""
    return ", ".join(f"{n} {verdict}" for verdict, n in count_verdicts(findings).items())


def format_finding(finding: GateFinding) -> str:
    """Return the question that was asked of a cell, and its answer in numbers."""
    cell = f"{finding.cell}: " if finding.cell else ""
    subject = "" if finding.subject == "baseline" else f"{finding.subject}: "
    changed = ""
    if finding.changed_inputs:
        names = [INPUT_NAMES.get(name, name) for name in finding.changed_inputs]
        changed = f"; changed since it was accepted: {', '.join(names)}"
    return f"{cell}{subject}{finding.text}{changed}"


def make_unique_titles(findings: Sequence[GateFinding | GateCheck]) -> list[str]:
    """Return a title for each question of a scenario. No title occurs twice."""
    counts: Counter[str] = Counter()
    titles = []
    for finding in findings:
        title = f"{finding.cell}: {finding.subject}" if finding.cell else finding.subject
        counts[title] += 1
        titles.append(title if counts[title] == 1 else f"{title} ({counts[title]})")
    return titles
