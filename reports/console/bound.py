"""Output of `bound`: how much any player can win at most."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.terminal import out
from hardmode.reports.console.top import describe_top
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    Verdict,
    format_title,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import format_games
from hardmode.studies.bound.analysis import BoundAnalysis
from hardmode.studies.core.skill_levels import PLAYER_NAMES
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

FREE_NAME, CHARGED_NAME = "bound, all draws known", "bound, no draws known"
ESTIMATE_NAME = "a win was found (an estimate, no bound)"
EXPLANATION = (
    "The bound with all draws known counts the games that a complete search shows to be lost, "
    "whatever is chosen; all others count as winnable. The bound with no draws known takes off "
    "what knowing them brings (Brown, Smith and Sun 2010); it needs complete searches and learned "
    "values. A player who stays below a bound may still be far from the best."
)


def print_bound(
    analysis: BoundAnalysis, arguments: str = PLACEHOLDER, details: bool = False
) -> None:
    """Print what any player can win at most, and all bounds beside what the skill levels win.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how the bounds were found.
    """
    print_verdict(make_verdict(analysis, arguments))
    out.print(_make_table(analysis))
    print_details([EXPLANATION, _describe_method(analysis)], details)


def make_verdict(analysis: BoundAnalysis, arguments: str = PLACEHOLDER) -> Verdict:
    """Return what any player can win at most, what this rests on, and what to try next.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
    """
    best = max(analysis.players, key=lambda name: analysis.players[name].value)
    best_rate = format_amount(analysis, analysis.players[best])
    verb = "have" if analysis.is_score else "win"
    name = PLAYER_NAMES.get(best, f"{best} players")
    seat = " in seat 1" if analysis.cell.seats_compete else ""
    bound = analysis.bound
    if bound is None:
        limit = "" if analysis.is_score else " below 100 %"
        answer = (
            f"Nothing is known above {name}, who {verb} {best_rate}{seat}: no bound{limit} was "
            "found."
        )
    else:
        answer = (
            f"No player can {verb} more than {format_amount(analysis, bound)}{seat}; {name} {verb} "
            f"{best_rate}."
        )
    certainty = " ".join([*_describe_searches(analysis), _describe_charges(analysis)])
    if bound and analysis.has_two_bounds:
        certainty += (
            " Two bounds were tried, and the lower one is given; both hold together at "
            f"{100 * analysis.confidence:g} %."
        )
    next_step = f"hardmode bound {arguments} --details says how the bounds were found"
    if bound is None and analysis.open:
        more = 10 * analysis.node_limit
        next_step = f"hardmode bound {arguments} --nodes {more} searches larger trees"
    top = analysis.scenario.top
    if top:
        certainty += f" {describe_top(top, analysis.players, analysis.value_kind)}"
    return Verdict(format_title(analysis.cell), answer, certainty, next_step)


def format_amount(analysis: BoundAnalysis, amount: Estimate) -> str:
    """Return a win rate or a mean score with its interval."""
    amount_text = format_with_interval(amount, analysis.value_kind)
    return f"{amount_text} points a game" if analysis.is_score else amount_text


def _describe_searches(analysis: BoundAnalysis) -> list[str]:
    """Return what searches with all draws known have shown, in sentences."""
    games = format_games(analysis.games)
    left = f"{analysis.open} of {games} have more than {analysis.node_limit:,} positions"
    if analysis.is_score:
        return [f"The search was left where {left}."] if analysis.open else []
    sentences = [
        f"With all draws known, a win was found in {analysis.winnable} of {games}, and "
        f"{analysis.unwinnable} cannot be won by anybody."
    ]
    if analysis.open:
        sentences.append(f"The others ({analysis.open}) have more positions than were searched.")
    return sentences


def _describe_charges(analysis: BoundAnalysis) -> str:
    """Return whether there is a bound for players who do not know the draws, in a sentence."""
    if analysis.charged_problem:
        return (
            "There is no bound for players who do not know the draws, because "
            f"{analysis.charged_problem}."
        )
    charged = analysis.charged
    assert charged is not None
    return (
        f"In {format_games(charged.n)}, the values of {analysis.charged_by} say what knowing the "
        "draws is worth, which is taken off."
    )


def _describe_method(analysis: BoundAnalysis) -> str:
    """Return at which confidence intervals hold, and what was searched."""
    intervals = f"Intervals hold at {100 * analysis.confidence:g} %"
    if analysis.has_two_bounds:
        intervals += f", those of the two bounds at {100 * analysis.bound_confidence:g} % each"
    return f"{intervals}; seed {analysis.seed}; at most {analysis.node_limit:,} positions a game"


def _make_table(analysis: BoundAnalysis) -> Table:
    table = Table(header_style="bold")
    table.add_column("what")
    table.add_column("mean score" if analysis.is_score else "games won", justify="right")
    table.add_column("games", justify="right")
    amounts = dict(analysis.players)
    named = {
        ESTIMATE_NAME: analysis.foresight,
        FREE_NAME: analysis.free,
        CHARGED_NAME: analysis.charged,
    }
    amounts |= {name: amount for name, amount in named.items() if amount}
    for name, amount in amounts.items():
        shown = format_with_interval(amount, analysis.value_kind)
        table.add_row(escape(name), shown, f"{amount.n:,}")
    return table
