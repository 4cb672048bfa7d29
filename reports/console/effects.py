"""Effect of a change by skill level, and before and after players adapt: tables of `compare`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_count, format_games, join_names
from hardmode.reports.page.model import Column, ReportTable
from hardmode.studies.comparison.adapt import A, Adaptation, B
from hardmode.studies.comparison.levels import LevelComparisons
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

SETTLED_MARGIN = 0.04  # of the win rate: how well the effect after adapting should be known
POINTS = 100  # percentage points of a difference of 1
MAX_WEIGHTS = 5  # that are named
CHANGE_HEADER = "win rate, B - A, % points"  # a game may have points of its own
SIDES = (("A", A), ("B", B))


def print_level_effects(levels: Sequence[LevelComparisons], adaptation: Adaptation | None) -> None:
    """Print the effect at each skill level, and after players adapt, as far as it was measured."""
    for comparisons in levels:
        _print_levels(comparisons)
    if adaptation:
        _print_adaptation(adaptation)


def _print_levels(comparisons: LevelComparisons) -> None:
    levels = comparisons.levels
    table = Table(header_style="bold", title="by skill level", title_justify="left")
    for header in ("players", "mistakes", "games", "A wins", "B wins", CHANGE_HEADER, "B is"):
        table.add_column(header, justify="left" if header in ("players", "B is") else "right")
    rates = [level.comparison.estimate_win_rate(is_b) for level in levels for is_b in (False, True)]
    rate_texts = format_estimates(rates, "rate")
    changes = format_estimates([level.difference for level in levels], "points")
    for i, level in enumerate(levels):
        table.add_row(
            escape(level.name),
            f"{100 * level.mistake_rate:g} %",
            f"{level.comparison.games:,}",
            *rate_texts[2 * i : 2 * i + 2],
            changes[i],
            level.verdict,
        )
    out.print(table)
    out.print(f"B is {comparisons.verdict}")
    if comparisons.mistake_verdict:
        out.print(comparisons.mistake_verdict)
    for reason in comparisons.left_out:
        out.print(f"[dim]left out: {escape(reason)}[/dim]")
    out.print(
        "[dim]the intervals of all levels hold together; the same level means different play in "
        "different games, so only variants of one game can be compared[/dim]"
    )


def _list_effects(adaptation: Adaptation) -> dict[str, Estimate]:
    return {
        "direct effect": adaptation.direct_effect,
        "regained by adapting": adaptation.recovered,
        "effect after adapting": adaptation.adapted_effect,
    }


def _print_adaptation(adaptation: Adaptation) -> None:
    table = Table(header_style="bold", title="before and after adapting", title_justify="left")
    for header in ("rules", "played by players trained for A", "by players trained for B"):
        table.add_column(header)
    rates = [adaptation.estimate_win_rate(rules, player) for _, rules in SIDES for player in (A, B)]
    texts = format_estimates(rates, "rate")
    for i, (name, _) in enumerate(SIDES):
        table.add_row(name, *texts[2 * i : 2 * i + 2])
    out.print(table)
    out.print(describe_adaptation(adaptation))
    if adaptation.opponents:
        names = join_names(adaptation.opponents)
        out.print(escape(f"the trained players hold seat 1, against {names}"))
    margin = adaptation.adapted_effect.half_width
    if margin > SETTLED_MARGIN:
        out.print(
            "too few generations to settle the effect after adapting to ± "
            f"{POINTS * SETTLED_MARGIN:g} points: it is known to ± {POINTS * margin:.0f}. "
            "More --seconds or --generations help"
        )
    for line in describe_trainings(adaptation):
        out.print(line)
    weights = [
        f"{escape(change.weight)} {change.a:.4g} for A, {change.b:.4g} for B"
        for change in adaptation.weight_changes
        if change.share
    ]
    if weights:
        out.print(f"weights that changed most: {'; '.join(weights[:MAX_WEIGHTS])}")
    if adaptation.repeats > 1:
        trainings = f"{adaptation.repeats} trainings for each side"
    else:
        trainings = (
            "one training for each side, so the intervals do not include how much the results of "
            "two trainings differ"
        )
    out.print(f"[dim]{format_games(adaptation.games)} in each cell of the table; {trainings}[/dim]")


def describe_adaptation(adaptation: Adaptation) -> str:
    """Return what the change does after adapting, and how much of its effect adapting regains."""
    after = adaptation.adapted_effect
    verdict = "not shown to be harder or easier"
    if after.excludes(0.0):
        verdict = "easier" if after.value > 0 else "harder"
    effects = _list_effects(adaptation).values()
    direct, regained, adapted = [format_with_interval(effect, "points") for effect in effects]
    return (
        f"After players adapt, B is {verdict}: {adapted} points. Before they adapt, the change is "
        f"{direct} points, of which adapting regains {regained}."
    )


def describe_trainings(adaptation: Adaptation) -> list[str]:
    """Return in how many trainings players learnt anything, if players were trained."""
    n = sum(len(pair) for pair in adaptation.trainings)
    if not n:
        return []
    generations = format_count(adaptation.fewest_generations, "generation")
    text = (
        f"{adaptation.improved_count} of {format_count(n, 'training')} found better weights, after "
        f"{generations} or more"
    )
    if not adaptation.improved_count:
        text += "; so nothing was regained by adapting, unless longer trainings find something"
    return [text]


def make_effect_tables(
    levels: Sequence[LevelComparisons], adaptation: Adaptation | None
) -> list[ReportTable]:
    """Return the effects by skill level, and after players adapt, as tables for files."""
    rows = []
    for comparisons in levels:
        for level in comparisons.levels:
            comparison = level.comparison
            row = {
                "cell": comparison.a.label_text or "all games",
                "who": level.name,
                "slips": f"{100 * level.mistake_rate:g} %",
                "games": comparison.games,
                "a": comparison.estimate_win_rate(False),
                "b": comparison.estimate_win_rate(True),
                "change": level.difference,
                "says": level.verdict,
            }
            rows.append(row)
    columns = [
        Column("cell", "cell"),
        Column("who", "who"),
        Column("slips", "slips"),
        Column("games", "games", "count"),
        Column("a", "A wins", "rate"),
        Column("b", "B wins", "rate"),
        Column("change", CHANGE_HEADER, "points"),
        Column("says", "B is"),
    ]
    tables = [ReportTable("levels", "By level of play", columns, rows)]
    if adaptation:
        tables += _make_adaptation_tables(adaptation)
    return tables


def _make_adaptation_tables(adaptation: Adaptation) -> list[ReportTable]:
    rates = []
    for name, rules in SIDES:
        by_player = {
            "a": adaptation.estimate_win_rate(rules, A),
            "b": adaptation.estimate_win_rate(rules, B),
        }
        rates.append({"rules": name, **by_player})
    rate_columns = [
        Column("rules", "rules"),
        Column("a", "played by those trained for A", "rate"),
        Column("b", "for B", "rate"),
    ]
    effects = [{"what": name, "effect": e} for name, e in _list_effects(adaptation).items()]
    effect_columns = [Column("what", "what"), Column("effect", CHANGE_HEADER, "points")]
    return [
        ReportTable("adapted", "Before and after adapting", rate_columns, rates),
        ReportTable("effects", "What adapting does", effect_columns, effects),
    ]
