"""Output of `luck`: the share of each source of chance in the result, and luck against skill."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    SURE_WITHIN,
    Verdict,
    draw_bar,
    estimate_growth,
    format_title,
    print_details,
    print_verdict,
    propose_more,
)
from hardmode.reports.console.wording import format_games, join_names
from hardmode.studies.core.skill_levels import BEGINNER, PLAYER_NAMES
from hardmode.studies.luck.analysis import LuckAnalysis, VarianceSource
from hardmode.studies.luck.skill import compare_skill
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_percent, format_rate
from hardmode.studies.stats.sobol import SobolIndices

SMALL_COUNT = 0.05  # draws in a game that one decimal cannot show
EXPLANATION = (
    "Every game is played again with only one source of chance redrawn (total), and with all other "
    "sources redrawn (alone). Alone is the share of the variance that a source explains by itself. "
    "Total also includes its interactions with other sources. The overlap is the difference of the "
    "two. An interaction counts for each source that takes part in it, so totals may add up to "
    "more than 100 %."
)


def print_luck(
    analysis: LuckAnalysis,
    arguments: str = PLACEHOLDER,
    details: bool = False,
    expert: Estimate | None = None,
) -> None:
    """Print how much skill decides and how much luck, as a sentence and a bar.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
        details: Print the shares of all sources of chance, and how they were measured.
        expert: Win rate of experts, if it is known from games that were played beforehand.
    """
    print_verdict(make_verdict(analysis, arguments, expert))
    if skill := compare_skill(analysis.win_rates, expert):
        out.print(draw_bar(skill.share.value, "skill", "luck"))
    out.print(escape(_describe_main_source(analysis)))
    if not details:
        return
    for line in describe_luck(analysis):
        out.print(line)
    for name, shares in analysis.outcomes.items():
        _print_outcome(analysis, name, shares)
    lines = []
    if any(shares.has_variance for shares in analysis.outcomes.values()):
        lines.append(EXPLANATION)
    lines.append(
        f"Intervals hold at {100 * analysis.confidence:g} %; seed {analysis.seed}; "
        f"{format_games(analysis.win_shares.games)} with each source redrawn, "
        f"{format_games(analysis.level_variance.games)} at each skill level"
    )
    print_details(lines, details)


def make_verdict(
    analysis: LuckAnalysis, arguments: str = PLACEHOLDER, expert: Estimate | None = None
) -> Verdict:
    """Return how much of the result skill decides, how certain that is, and what to try next.

    Args:
        analysis: The analysis.
        arguments: The scenario and its changes, as the user gave them.
        expert: Win rate of experts, if it is known from games that were played beforehand.
    """
    players = list(dict.fromkeys(analysis.players))
    rate = analysis.win_rates.get(players[0]) if len(players) == 1 else None
    title = format_title(analysis.cell, rate)
    next_step = f"hardmode luck {arguments} --details shows the share of every source of chance"
    skill = compare_skill(analysis.win_rates, expert)
    if skill is None:
        answer = "The share of skill is not known, because fewer than two skill levels were played."
        return Verdict(title, answer, "", next_step)
    share = skill.share
    who = "seat 1 wins" if analysis.has_rivals else "they win"
    answer = (
        f"Between a beginner and the best player, skill decides {format_rate(share)} of the "
        f"result, and luck decides the other {format_percent(_complement(share))}."
    )
    opponents = ", against steady players" if analysis.has_rivals else ""
    levels = []
    for level, rate in ((BEGINNER, skill.weak), (skill.best_level, skill.strong)):
        levels.append(
            f"{PLAYER_NAMES[level]} ({who} {format_percent(rate)} of {format_games(rate.n)})"
        )
    certainty = f"This compares {join_names(levels)}{opponents}."
    if expert is not None:
        certainty += " The games of experts were played beforehand."
    elif analysis.skipped_levels:
        names = join_names([PLAYER_NAMES[level] for level in analysis.skipped_levels])
        certainty += (
            f" With {names}, who are too slow to be measured here, skill may decide more; "
            f"hardmode report {arguments} plays them."
        )
    if analysis.disagreeing_sources:
        names = join_names([source.name for source in analysis.disagreeing_sources])
        certainty += f" With steady players, the share of {names} differs by more than half."
    if share.half_width > SURE_WITHIN and expert is None:
        growth = estimate_growth(share.half_width, SURE_WITHIN)
        more = propose_more(growth, share.n, None)
        next_step = f"{more} narrows the interval to ± {100 * SURE_WITHIN:g} points"
    return Verdict(title, answer, certainty, next_step)


def _describe_main_source(analysis: LuckAnalysis) -> str:
    """Return which source of chance decides most among equal players."""
    shares = analysis.win_shares
    if not shares.has_variance:
        games = format_games(shares.games)
        return f"Among equals, the result is the same in all {games}."
    totals = {}
    for source in (*analysis.sources, analysis.player_randomness):
        totals[source.name] = analysis.get_share(shares, source).total
    first, *others = sorted(totals, key=lambda name: -totals[name].value)
    share = format_rate(totals[first])
    text = (
        f"Among equals ({_list_players(analysis)}), only chance decides: {share} of the result "
        f"depends on {first}, alone or together with other sources"
    )
    rivals = [name for name in others if totals[name].high > totals[first].low]
    if rivals:
        return f"{text}; too few games were played to tell whether more depends on {rivals[0]}."
    return f"{text}; less depends on any other source."


def _list_players(analysis: LuckAnalysis) -> str:
    return join_names(list(dict.fromkeys(analysis.players)))


def describe_outcome(analysis: LuckAnalysis, name: str) -> str:
    """Return an outcome ("win" or "score") in words."""
    if name == "score":
        return "the score of seat 1" if analysis.has_rivals else "the score"
    return "the win of seat 1" if analysis.has_rivals else "winning"


def _print_outcome(analysis: LuckAnalysis, name: str, shares: SobolIndices) -> None:
    outcome = describe_outcome(analysis, name)
    if not shares.has_variance:
        games = format_games(shares.games)
        out.print(f"{outcome}: it is the same in all {games}, so there is no variance to explain")
        return
    steady = analysis.steady_shares if name == "win" else None
    title = f"sources of chance: shares of the variance of {outcome}"
    out.print(_make_share_table(analysis, shares, steady, title))


def _make_share_table(
    analysis: LuckAnalysis, shares: SobolIndices, steady: SobolIndices | None, title: str
) -> Table:
    table = Table(header_style="bold", title_justify="left", title=title)
    headers = ["source", "draws a game", "alone", "total", "overlap"]
    if steady:
        headers.append("total with steady")
    for header in headers:
        table.add_column(header, justify="left" if header == "source" else "right")
    sources = [*analysis.rank_sources(shares), analysis.player_randomness]
    every = [*sources, *analysis.combined_sources]
    indices = [analysis.get_share(shares, source) for source in every]
    alone = format_estimates([shares.first_order_sum, *(i.first for i in indices)], "rate")
    totals = format_estimates([i.total for i in indices], "rate")
    overlaps = format_estimates(
        [shares.interaction, *(i.interaction for i in indices)], "rate", interval=False
    )
    is_rare = any(0 < source.draws < SMALL_COUNT for source in every)
    decimals = 2 if is_rare else 1
    by_steady: Sequence[str] = ()
    if steady:
        by_steady = format_estimates([analysis.get_share(steady, s).total for s in sources], "rate")
    for i, source in enumerate(every):
        if i == len(sources):
            _add_sum(table, alone[0], overlaps[0])
        table.add_row(
            escape(_name_source(source)),
            f"{source.draws:,.{decimals}f}" if source.draws else "",
            alone[i + 1],
            totals[i],
            overlaps[i + 1],
            *by_steady[i : i + 1],
        )
    if len(every) == len(sources):
        _add_sum(table, alone[0], overlaps[0])
    return table


def _add_sum(table: Table, alone: str, overlap: str) -> None:
    table.add_section()
    table.add_row("all of them alone", "", alone, "", overlap)


def _name_source(source: VarianceSource) -> str:
    if not source.source_names:
        return source.name
    return f"{source.name}, as one ({join_names(source.source_names)})"


def describe_luck(analysis: LuckAnalysis) -> list[str]:
    """Return luck and skill in sentences with markup, the share of skill first."""
    lines = []
    levels = analysis.level_variance
    if not isnan(levels.players.value):
        players = "seat 1" if analysis.has_rivals else "the group"
        means = zip(analysis.level_names, levels.means, strict=True)
        scale = ", ".join(f"{level} {format_percent(mean)}" for level, mean in means)
        lines.append(
            f"[bold]Among unequals[/bold] ({players} plays at one of these levels: "
            f"{escape(scale)}), the level of play explains {format_rate(levels.players)} of the "
            f"result. Luck that helps every level alike explains {format_rate(levels.luck)}, and "
            f"luck that helps some levels more than others {format_rate(levels.interaction)}."
        )
    else:
        lines.append(
            "[bold]Luck or skill?[/bold] The share of skill is not known: fewer than two levels of "
            "play were compared."
        )
    if analysis.win_shares.has_variance:
        own = analysis.get_share(analysis.win_shares, analysis.player_randomness).total
        lines.append(
            f"[bold]Among equals[/bold] ({escape(_list_players(analysis))}), nobody plays better, "
            "so only chance can decide who wins: "
            f"{format_percent(_complement(own))} of it is the game's own chance alone, "
            f"and {format_rate(own)} involves {analysis.player_randomness.name}."
        )
    if analysis.skipped_levels:
        names = escape(join_names(analysis.skipped_levels))
        verb = "is" if len(analysis.skipped_levels) == 1 else "are"
        lines.append(
            f"[dim]{names.capitalize()} {verb} left out: searching at every decision takes too "
            "long.[/dim]"
        )
    return lines


def _complement(e: Estimate) -> Estimate:
    return Estimate(1 - e.value, 1 - e.high, 1 - e.low, e.n, e.confidence)
