"""The verdict with which the answer of a command begins, and the details that follow on request.

Every answer begins with four things: who plays what, the answer with its size and its interval, how
certain that is, and what to try next. Tables follow. What explains the method follows only with
`--details`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_two_figures, pluralize
from hardmode.scenarios.load import Variant
from hardmode.studies.core.reference_players import TRAINED, describe_players
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_rate

PLACEHOLDER = "SCENARIO"  # in commands, where the arguments of the user are not known
BAR_WIDTH = 40  # characters
POINTS = 100  # percentage points of a difference of 1
SURE_WITHIN = 0.02  # half width of a rate above which more games are proposed
USEFUL_PRECISION = 0.01  # half width for which the proposed number of games is enough


@dataclass(frozen=True)
class Verdict:
    """The first lines of an answer.

    Attributes:
        title: What was played, and who played.
        answer: The answer in a sentence, with its size and its interval.
        certainty: How certain the answer is, in sentences.
        next_step: What to try next: a command, and what it shows.
    """

    title: str
    answer: str
    certainty: str
    next_step: str

    @property
    def text(self) -> str:
        """The answer and its certainty."""
        return f"{self.answer} {self.certainty}"


def print_verdict(verdict: Verdict) -> None:
    """Print the title, the answer, how certain it is, and what to try next."""
    out.print(f"[bold]{escape(verdict.title)}[/bold]")
    out.print(f"[bold]{escape(verdict.answer)}[/bold]")
    out.print(escape(verdict.certainty))
    out.print(f"Next: {escape(verdict.next_step)}\n", soft_wrap=True)  # commands can be copied


def print_details(lines: Iterable[str], details: bool) -> None:
    """Print lines that explain how an answer was measured, if the user asked for details."""
    if details:
        for line in lines:
            out.print(f"[dim]{escape(line)}[/dim]")


def format_title(cell: Variant, win_rate: Estimate | None = None) -> str:
    """Return what is played and who plays, with the win rate of these players.

    Args:
        cell: The variant.
        win_rate: Its win rate, or None if it is not known.
    """
    label = f" ({cell.readable_label})" if cell.label else ""
    players = describe_players(cell)
    title = f"{cell.game.title}: {cell.title}{label}, played by {players}"
    if win_rate is None or not win_rate.n:
        return title
    return f"{title}, {name_win_rate(cell)} {format_rate(win_rate)}"


def name_trained_players(arguments: str, cell: Variant) -> str:
    """Return a scenario's arguments with the trained players of a study.

    Studies play `trained` where nobody is named, and commands that play a scenario as it is written
    do not, so a command that shows a game of a study has to name these players.

    Args:
        arguments: The scenario and its changes, as the user gave them.
        cell: The variant with the players of the study.
    """
    names = [strategy.full_name for strategy in cell.strategies]
    if TRAINED.name not in names or "--strategy" in arguments.split():
        return arguments
    distinct = names[:1] if len(set(names)) == 1 else names
    return " ".join([arguments, *(f"--strategy {name}" for name in distinct)])


def name_win_rate(cell: Variant) -> str:
    """Return the name of the win rate, which is that of seat 1 where seats compete."""
    return "win rate of seat 1" if cell.seats_compete else "win rate"


def draw_bar(share: float, left: str, right: str) -> str:
    """Return a bar that is divided in two parts.

    Args:
        share: Share of the left part.
        left: Name of the left part.
        right: Name of the right part.
    """
    n = round(BAR_WIDTH * share)
    return f"{left} {'█' * n}{'░' * (BAR_WIDTH - n)} {right}"


def estimate_growth(half_width: float, target: float) -> float:
    """Return how many times as many games narrow an interval to the half width `target`.

    Example:
        >>> estimate_growth(0.04, 0.02)
        4.0
    """
    return max(1.0, (half_width / target) ** 2)


def propose_more(growth: float, games: int, seconds: float | None) -> str:
    """Return the option with which a study plays `growth` times as much.

    Args:
        growth: How many times as much is needed.
        games: Games that were played.
        seconds: Limit of the time, or None if the number of games was given.

    Example:
        >>> propose_more(3, 1200, None), propose_more(3, 1200, 20)
        ('--games 3600', '--seconds 60')
    """
    if seconds is None:
        return f"--games {_round_up(growth * games)}"
    return f"--seconds {_round_up(growth * seconds)}"


def describe_more(growth: float, games: int, seconds: float | None) -> str:
    """Return how much more must be played, such as "about 40 seconds more"."""
    n, unit = (growth - 1) * games, "game"
    if seconds is not None:
        n, unit = (growth - 1) * seconds, "second"
    count = max(1, ceil(n))
    return f"about {format_two_figures(count)} {pluralize(count, unit)} more"


def _round_up(n: float) -> int:
    """Return a number rounded up to two figures."""
    whole = ceil(n)
    unit = 10 ** max(0, len(str(whole)) - 2)
    return unit * ceil(whole / unit)
