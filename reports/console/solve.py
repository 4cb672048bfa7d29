"""Output of `solve`: settings that reach the target, the curve, flags, and scenario files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.columns import format_estimates
from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    POINTS,
    Verdict,
    describe_more,
    format_title,
    print_details,
    print_verdict,
    propose_more,
)
from hardmode.reports.console.wording import format_count, format_games
from hardmode.reports.page import model
from hardmode.scenarios.load import StrategySpec
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.solve.design_variables import DesignVariable
from hardmode.studies.solve.search import Answer, Solution
from hardmode.studies.solve.targets import Target
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_with_interval

SMALL_EFFECT = 0.1  # change of a rate below which a variable is called weak
MIN_WHOLE_SPAN = 2  # percentage points from which the ends of a span have no decimals
SHOWN_UNDECIDED = 5  # settings that may reach the target, the nearest first
UNCHANGED = "as it is"  # the setting without changes
MORE_GAMES = "more --seconds or --games would tell"
MAX_GROWTH = 100.0  # the most times as many games that are proposed


def print_solution(
    solution: Solution,
    arguments: str = PLACEHOLDER,
    details: bool = False,
    seconds: float | None = None,
) -> None:
    """Print whether the targets can be reached, the settings that do so, and a table.

    Args:
        solution: The result of the search.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
        seconds: Limit of the time, or None.
    """
    print_verdict(make_verdict(solution, arguments, seconds))
    for line in (*_describe_settings(solution), *_describe_obstacles(solution)):
        out.print(escape(line))
    candidates = [*solution.answers, *solution.undecided]
    if len(solution.variables) == 1:
        title = "all values that were tried, in the games used for choosing"
        out.print(_make_table(solution, solution.tried, title))
    elif candidates:
        title = "the smallest change first, in games not used for choosing"
        out.print(_make_table(solution, candidates, title))
    if solution.refused:
        first = solution.refused[0]
        flags = " ".join(first.flags)
        settings = format_count(len(solution.refused), "setting")
        out.print(escape(f"the game rejects {settings}, for example {flags} ({first.refusal})"))
    interrupted = "interrupted; " if solution.interrupted else ""
    print_details(
        [
            f"{interrupted}the intervals of all answers hold together at "
            f"{POINTS * solution.confidence:g} %; they come from games that were not used for "
            f"choosing (seed {solution.confirmation_seed}; chosen with seed {solution.seed})"
        ],
        details,
    )


def make_verdict(
    solution: Solution, arguments: str = PLACEHOLDER, seconds: float | None = None
) -> Verdict:
    """Return whether the targets are reached, how certain that is, and what to try next."""
    title = format_title(solution.cell, solution.base_rate)
    targets = _format_targets(solution)
    confidence = f"{POINTS * solution.confidence:g} %"
    if solution.answers:
        answer = min(solution.answers, key=lambda a: (a.candidate.changed_count, a.candidate.cost))
        n = len(solution.answers)
        setting = "settings reach" if n > 1 else "setting reaches"
        text = f"Yes, {n} {setting} {targets}"
        closest = "the one nearest to the present value is " if n > 1 else ""
        certainty = (
            f"This was confirmed in {format_games(_count_games(answer))} that were not used for "
            f"choosing; all answers hold together at {confidence}."
        )
        if solution.disagreeing_answers:
            certainty += " With steady players, the effect differs in sign or by more than half."
        players = "".join(f" --strategy {name}" for name in _list_players(solution))
        if "--strategy" in arguments:
            players = ""
        next_step = (
            f"hardmode compare {arguments}{players} {format_flags(answer, '--set-b')} shows what "
            "else changes; -o FOLDER writes each answer as a scenario file"
        )
        if not answer.candidate.changed_count:
            next_step = f"hardmode run {arguments}{players} plays it"
        return Verdict(
            title, f"{text}: {closest}{_format_setting(solution, answer)}.", certainty, next_step
        )
    undecided = _list_undecided(solution)
    if undecided:
        answer = min(undecided, key=solution.get_violation)
        growth = _estimate_growth(solution, answer)
        more = describe_more(growth, _count_games(answer), seconds)
        return Verdict(
            title,
            f"Too few games to tell whether {targets} can be reached: "
            f"{_format_setting(solution, answer)} may do.",
            f"{format_count(len(undecided), 'setting')} may reach it; {more} would settle this "
            "one.",
            f"the same command with {propose_more(growth, _count_games(answer), seconds)}",
        )
    failure = _describe_failure(solution)
    next_step = f"hardmode sensitivity {arguments} shows which other numbers change the win rate"
    wider = _find_wider_range(solution)
    if wider:
        asked = " ".join(
            f"--target {shlex.quote(t.name + '=' + t.written)}" for t in solution.targets
        )
        next_step = f"hardmode solve {arguments} {asked} {wider} searches all values of the game"
    return Verdict(
        title,
        f"{failure[0].upper()}{failure[1:]}.",
        f"All intervals hold together at {confidence}.",
        next_step,
    )


def _list_undecided(solution: Solution) -> list[Answer]:
    """Return the settings that may reach the targets, as far as the games can tell."""
    if solution.undecided or not solution.tried:
        return solution.undecided
    nearest = solution.nearest
    return [] if solution.get_violation(nearest) else [nearest]


def _list_players(solution: Solution) -> list[str]:
    """Return the strategies of all seats, or one if all are the same and make no mistakes."""
    names = [spec.full_name for spec in solution.cell.strategies]
    return names[:1] if len(set(names)) == 1 else names


def _count_games(answer: Answer) -> int:
    return min((estimate.n for estimate in answer.estimates.values()), default=0)


def _estimate_growth(solution: Solution, answer: Answer) -> float:
    """Return how many times as many games should settle an undecided answer."""
    growth = 2.0
    for target in solution.targets:
        width = target.relative_width(answer.estimates[target.name])
        if isfinite(width):
            growth = max(growth, width**2)
    return min(growth, MAX_GROWTH)


def _format_targets(solution: Solution) -> str:
    return ", ".join(f"{target.name} {target.text}" for target in solution.targets)


def describe_solution(solution: Solution) -> list[str]:
    """Return the answer in words: the settings that reach the targets, or why there are none."""
    lines = _describe_settings(solution)
    if not solution.answers and not solution.undecided:
        lines.append(_describe_failure(solution))
    lines += _describe_obstacles(solution)
    wider = _find_wider_range(solution)
    if not solution.answers and wider:
        lines.append(f"only plausible values were searched; the game allows {wider}")
    return lines


def _describe_settings(solution: Solution) -> list[str]:
    """Return a line for each setting that reaches the targets, or may reach them."""
    lines = []
    for answer in solution.disagreeing_answers:
        name = _name_setting(solution, answer)
        lines.append(
            f"steady disagrees, in sign or by more than half, on the effect of the setting {name}"
        )
    for answer in solution.answers:
        text = _format_setting(solution, answer)
        if answer.steady_estimates:
            text += f"; with steady {_format_estimates(solution, answer.steady_estimates)}"
        lines.append(text)
    undecided = sorted(solution.undecided, key=solution.get_violation)
    for answer in undecided[:SHOWN_UNDECIDED]:
        text = _format_setting(solution, answer)
        lines.append(f"{text} in new games; this may reach the target, {MORE_GAMES}")
    hidden = len(undecided) - SHOWN_UNDECIDED
    if hidden > 0:
        lines.append(f"{format_count(hidden, 'more setting')} may reach it too")
    return lines


def _describe_obstacles(solution: Solution) -> list[str]:
    """Return lines on targets that conflict, and on a single number that has little effect."""
    lines = []
    if not solution.answers and not solution.undecided:
        lines += _describe_conflict(solution)
    if len(solution.variables) == 1:
        lines += _describe_variable(solution, solution.variables[0])
    return lines


def _describe_failure(solution: Solution) -> str:
    """Return how near the settings came, if none reaches the targets."""
    targets = _format_targets(solution)
    if not solution.tried:
        return f"nothing was played for {targets}"
    if len(solution.variables) > 1:
        nearest = solution.nearest
        text = f"no setting was found that reaches {targets}; the nearest is "
        text += _format_setting(solution, nearest)
        return text if solution.get_violation(nearest) else f"{text}; {MORE_GAMES}"
    spans = [
        f"{target.name} lies between {_format_span(solution, target)}"
        for target in solution.targets
    ]
    return (
        f"no value reaches {targets}: for values from {_format_ends(solution)}, "
        f"{' and '.join(spans)}{_describe_jump(solution)}"
    )


def _describe_jump(solution: Solution) -> str:
    """Return the two neighbouring values between which the metric jumps over its target."""
    if len(solution.targets) > 1 or not solution.variables[0].is_numeric:
        return ""
    target = solution.targets[0]
    for answer, following in pairwise(solution.tried):
        rates = sorted(a.estimates[target.name].value for a in (answer, following))
        if rates[0] < target.band.low and rates[1] > target.band.high:
            before, after = (
                f"{_format_estimates(solution, a.estimates)} at "
                f"{format_yaml_value(a.candidate.values[0])}"
                for a in (answer, following)
            )
            return f"; it jumps over the target from {before} to {after}"
    return ""


def _describe_conflict(solution: Solution) -> list[str]:
    """Return a line if each target can be reached alone, but not all of them together."""
    if len(solution.targets) < 2 or not solution.tried:
        return []
    if not solution.get_violation(solution.nearest):
        return []
    for target in solution.targets:
        violations = [_get_violation(answer, target) for answer in solution.all_answers]
        if min(violations) > 0:
            return []
    return [
        "the targets conflict: each is reached by some setting, but no setting reaches all of "
        "them; -o FOLDER draws the trade-off"
    ]


def _format_ends(solution: Solution) -> str:
    values = [answer.candidate.values[0] for answer in solution.tried]
    return f"{format_yaml_value(values[0])} to {format_yaml_value(values[-1])}"


def _format_span(solution: Solution, target: Target) -> str:
    values = [answer.estimates[target.name].value for answer in solution.tried]
    low, high = min(values), max(values)
    if not target.is_rate:
        return f"{low:.1f} and {high:.1f}"
    if 100 * (high - low) >= MIN_WHOLE_SPAN:
        return f"{100 * low:.0f} and {100 * high:.0f} %"
    return f"{100 * low:.1f} and {100 * high:.1f} %"


def _describe_variable(solution: Solution, variable: DesignVariable) -> list[str]:
    """Return a line on a variable that has little effect."""
    lines = []
    target = solution.targets[0]
    values = [answer.estimates[target.name].value for answer in solution.tried]
    if target.is_rate and len(values) > 1 and max(values) - min(values) < SMALL_EFFECT:
        points = round(100 * (max(values) - min(values)))
        lines.append(
            f"{variable.path} has little effect: from {_format_ends(solution)} it changes "
            f"{target.name} by {format_count(points, 'point')}"
        )
    return lines


def _find_wider_range(solution: Solution) -> str:
    """Return the option to search beyond the plausible values of a single number, or ""."""
    if len(solution.variables) > 1:
        return ""
    [variable] = solution.variables
    limits = variable.hard_limits
    if not limits or not all(map(isfinite, limits)):
        return ""
    low, high = map(format_yaml_value, limits)
    return f"--by {variable.path}={low}..{high}"


def _name_setting(solution: Solution, answer: Answer) -> str:
    if len(solution.variables) > 1:
        return " ".join(answer.candidate.flags) or UNCHANGED
    variable, [value] = solution.variables[0], answer.candidate.values
    if variable.moves_jointly:
        return f"{variable.path} {value:+g}" if value else UNCHANGED
    if variable.unit:
        return f"{format_yaml_value(value)} {variable.unit}"
    return f"{variable.path} {format_yaml_value(value)}"


def _format_setting(solution: Solution, answer: Answer) -> str:
    return f"{_name_setting(solution, answer)}: {_format_estimates(solution, answer.estimates)}"


def _format_estimates(solution: Solution, estimates: Mapping[str, Estimate]) -> str:
    texts = []
    for target in solution.targets:
        if target.name in estimates:
            text = format_with_interval(estimates[target.name], _get_kind(target))
            texts.append(f"{target.name} {text}" if len(solution.targets) > 1 else text)
    return ", ".join(texts)


def _get_kind(target: Target) -> str:
    return "rate" if target.is_rate else "mean"


def _make_table(solution: Solution, answers: Sequence[Answer], title: str) -> Table:
    table = Table(header_style="bold", title=title, title_justify="left")
    for variable in solution.variables:
        table.add_column(escape(variable.path))
    columns = []
    for target in solution.targets:
        table.add_column(escape(target.name), justify="right")
        estimates = [answer.estimates[target.name] for answer in answers]
        columns.append(format_estimates(estimates, _get_kind(target)))
    table.add_column("games", justify="right")
    table.add_column("flags")
    for i, answer in enumerate(answers):
        table.add_row(
            *map(format_yaml_value, answer.candidate.values),
            *(column[i] for column in columns),
            f"{answer.candidate.games:,}",
            escape(format_flags(answer)),
        )
    return table


def format_flags(answer: Answer, option: str = "--set") -> str:
    """Return the options with which other commands play a setting."""
    flags = [f"{option} {shlex.quote(flag)}" for flag in answer.candidate.flags]
    return " ".join(flags) or UNCHANGED


# Files


def write_solution(solution: Solution, folder: Path) -> Path:
    """Write tables, plots, and each answer as a scenario file."""
    from hardmode.reports.page import export
    from hardmode.reports.page import folder as page_folder
    from hardmode.reports.plots.figures import draw_png, draw_svg

    content: dict[str, str | bytes] = {}
    for name, title, answers in (
        ("answers", "settings that reach the target, in fresh games", solution.answers),
        ("tried", "all settings, in the games used for choosing", solution.tried),
    ):
        content |= export.export_table(_make_file_table(solution, name, title, answers))
    for i, answer in enumerate(solution.answers):
        content[f"answer-{i + 1}.yaml"] = format_scenario_file(solution, answer)
    figures = [("curve", _make_curve_figure(solution)), ("trade", make_trade_off_figure(solution))]
    for name, figure in figures:
        if figure:
            content |= {f"{name}.svg": draw_svg(figure).file, f"{name}.png": draw_png(figure)}
    page_folder.write_report_folder(folder, content)
    return folder


def _make_file_table(
    solution: Solution, name: str, title: str, answers: Sequence[Answer]
) -> model.ReportTable:
    columns = []
    for i, variable in enumerate(solution.variables):
        columns.append(model.Column(f"by {i}", variable.path))
    for target in solution.targets:
        columns.append(model.Column(target.name, target.name, _get_kind(target)))
    columns.append(model.Column("games", "games", "count"))
    columns.append(model.Column("flags", "flags", "code"))
    rows = []
    for answer in answers:
        row: dict[str, Any] = {}
        for i, value in enumerate(answer.candidate.values):
            row[f"by {i}"] = format_yaml_value(value)
        row |= answer.estimates
        rows.append({**row, "games": answer.candidate.games, "flags": format_flags(answer)})
    return model.ReportTable(name, f"{solution.cell.title}: {title}", columns, rows)


def _make_curve_figure(solution: Solution) -> model.Figure | None:
    """Return a plot of the first target by the value of a single variable."""
    if len(solution.variables) > 1 or not solution.tried:
        return None
    target = solution.targets[0]
    dots = []
    for answer in solution.tried:
        label = format_yaml_value(answer.candidate.values[0])
        dots.append({"label": label, "estimate": answer.estimates[target.name]})
    ends = (target.band.low, target.band.high)
    band = ends if all(map(isfinite, ends)) else None
    title = f"{solution.cell.title}: {target.name} by {solution.variables[0].path}"
    kind = _get_kind(target)
    return model.make_dot_plot(
        "curve", title, dots, kind, target.name, band=band, band_text="target"
    )


def make_trade_off_figure(solution: Solution) -> model.Figure | None:
    """Return a plot of two targets that no setting reaches together, or None otherwise.

    Settings for which no other one is nearer to both targets (the Pareto front) are marked.
    """
    if solution.answers or len(solution.targets) < 2 or len(solution.tried) < 2:
        return None
    first, second = solution.targets[:2]
    violations = []
    for answer in solution.all_answers:
        violations.append((_get_violation(answer, first), _get_violation(answer, second)))
    points = []
    for answer, violation in zip(solution.all_answers, violations, strict=True):
        point = {
            "label": _name_setting(solution, answer),
            "at": (_get_plot_value(answer, first), _get_plot_value(answer, second)),
            "best": not any(_dominates(other, violation) for other in violations),
        }
        points.append(point)
    bands = [_clip_band(solution, first), _clip_band(solution, second)]
    names = (_name_axis(first), _name_axis(second))
    title = f"{solution.cell.title}: {_format_targets(solution)}"
    return model.make_trade_off_plot("trade", title, points, names, bands)


def _get_violation(answer: Answer, target: Target) -> float:
    return target.compute_violation(answer.estimates[target.name].value)


def _get_plot_value(answer: Answer, target: Target) -> float:
    """Return the value of a target as it is plotted, rates in percent."""
    return _get_scale(target) * answer.estimates[target.name].value


def _get_scale(target: Target) -> int:
    return 100 if target.is_rate else 1


def _name_axis(target: Target) -> str:
    return f"{target.name}, %" if target.is_rate else target.name


def _dominates(violation: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether a setting is nearer to one target than another, and as near to both."""
    return violation != other and violation[0] <= other[0] and violation[1] <= other[1]


def _clip_band(solution: Solution, target: Target) -> tuple[float, float]:
    """Return the band of a target, with the values that occur for ends that are infinite."""
    values = [_get_plot_value(answer, target) for answer in solution.all_answers]
    low = min(values)
    high = max(values)
    if isfinite(target.band.low):
        low = _get_scale(target) * target.band.low
    if isfinite(target.band.high):
        high = _get_scale(target) * target.band.high
    return low, high


def format_scenario_file(solution: Solution, answer: Answer) -> str:
    """Return the text of a scenario that plays an answer."""
    cell = solution.cell
    rules = {path: value for path, (_, value) in cell.changed_values.items()}
    rules |= answer.candidate.changes
    players = [_format_player(spec) for spec in cell.strategies]
    if len(set(players)) == 1:
        players = players[:1]
    lines = [f"game: {cell.game.name}"]
    if cell.overlay:
        lines.append(f"box: {_quote(str(cell.overlay.path.resolve()))}")
    lines.append(f"title: {_quote(f'{cell.title}, {_format_targets(solution)}')}")
    lines.append(f"strategies: [{', '.join(players)}]")
    if rules:
        lines.append("rules:")
    for path, value in rules.items():
        lines.append(f"  {_quote(path)}: {_format_rule(value)}")
    return "\n".join([*lines, ""])


def _quote(value: Any) -> str:
    """Return a value as JSON, which is YAML too."""
    return json.dumps(value, ensure_ascii=False)


def _format_player(spec: StrategySpec) -> str:
    if not (spec.search or spec.weights or spec.playouts):
        return json.dumps(spec.full_name)
    fields = {
        "search" if spec.search else "name": spec.full_name,
        "playouts": spec.playouts,
        "weights": spec.weights,
    }
    return json.dumps({key: value for key, value in fields.items() if value})


def _format_rule(value: Any) -> str:
    """Return the value of a rule; a negative number needs "=", because "-1" is a change by 1."""
    if isinstance(value, list):
        return f"[{', '.join(map(_format_rule, value))}]"
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and value < 0:
        return _quote(f"={value}")
    return _quote(value)
