"""What `solve` prints, its JSON and its files: what reaches the target, the curve, ready flags and scenarios."""

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

from hardmode.reports.console.terminal import out
from hardmode.reports.page import model
from hardmode.scenarios.load import StrategySpec
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.studies.core.reference_players import describe_players
from hardmode.studies.solve.design_variables import DesignVariable
from hardmode.studies.solve.search import Answer, Solution
from hardmode.studies.solve.targets import Target
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

FLAT = 0.1  # a lever that moves a rate by less is called flat
STANDS = "as it is"


def show(found: Solution) -> None:
    out.print(
        f"[bold]{found.cell.game.title}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(describe_players(found.cell))}: {escape(_wanted(found))}"
    )
    for line in words(found):
        out.print(escape(line))
    if len(found.variables) == 1:
        out.print(_table(found, found.tried, "the whole curve, on the luck of choosing"))
    elif found.answers or found.undecided:
        out.print(
            _table(found, [*found.answers, *found.undecided], "lightest first, on fresh luck")
        )
    if found.refused:
        first = found.refused[0]
        out.print(
            f"refused by the game: {len(found.refused)}, as {escape(' '.join(first.flags))}: "
            f"{escape(first.refusal)}"
        )
    stopped = "interrupted; " if found.interrupted else ""
    out.print(
        f"[dim]{stopped}answers hold together at {100 * found.confidence:g} %, "
        f"on luck that had no part in choosing (seed {found.confirmation_seed}; chosen on seed {found.seed})[/dim]"
    )


def _wanted(found: Solution) -> str:
    return ", ".join(f"{t.name} {t.text}" for t in found.targets)


def words(found: Solution) -> list[str]:
    """The answer in plain words."""
    lines = [
        f"steady disagrees, in sign or by more than half, on what {_named(found, a)} changes"
        for a in found.disagreeing_answers
    ]
    lines += [f"{_named(found, a)}: {_values(found, a)}{_beside(found, a)}" for a in found.answers]
    lines += [
        f"{_named(found, a)}: {_values(found, a)}; may reach it, more --seconds or --games would tell"
        for a in found.undecided
    ]
    if not (found.answers or found.undecided):
        lines += [_none(found), *_conflict(found)]
    if len(found.variables) == 1:
        lines += _lever_words(found, found.variables[0])
    return lines


def _none(found: Solution) -> str:
    what = _wanted(found)
    if not found.tried:
        return f"nothing was played for {what}"
    if len(found.variables) > 1:
        near = found.nearest
        more = "" if found.get_violation(near) else "; more --seconds or --games would tell"
        told = f"{_named(found, near)}: {_values(found, near)}{more}"
        return f"no setting was found that reaches {what}; nearest is {told}"
    runs = " and ".join(f"{t.name} runs from {_span(found, t)}" for t in found.targets)
    return f"no value reaches {what}: from {_ends(found)} {runs}{_passed_over(found)}"


def _passed_over(found: Solution) -> str:
    """Between which two values a target lies that no value reaches."""
    target = found.targets[0]
    for one, other in (
        pairwise(found.tried) if len(found.targets) == 1 and found.variables[0].is_numeric else ()
    ):
        below, above = sorted((one, other), key=lambda a: a.estimates[target.name].value)
        if (
            below.estimates[target.name].value < target.band.low
            and above.estimates[target.name].value > target.band.high
        ):
            ends = [f"{format_yaml_value(a.candidate.values[0])}, {_values(found, a)}," for a in (one, other)]
            return f"; it is passed over between {ends[0]} and {ends[1][:-1]}"
    return ""


def _conflict(found: Solution) -> list[str]:
    """Where each target alone could be met, and not all together."""
    alone = [any(t.compute_violation(a.estimates[t.name].value) == 0 for a in found.all_answers) for t in found.targets]
    if (
        len(found.targets) < 2
        or not found.tried
        or not all(alone)
        or not found.get_violation(found.nearest)
    ):
        return []
    return [
        "the targets conflict: each is reached by some setting, and all by none; -o FOLDER draws what is had of "
        "one for what of the other"
    ]


def _ends(found: Solution) -> str:
    values = [a.candidate.values[0] for a in found.tried]
    return f"{format_yaml_value(values[0])} to {format_yaml_value(values[-1])}"


def _span(found: Solution, target: Target) -> str:
    seen = [a.estimates[target.name].value for a in found.tried]
    scale, end = (100, " %") if target.is_rate else (1, "")
    digits = 0 if target.is_rate and scale * (max(seen) - min(seen)) >= 2 else 1
    return f"{scale * min(seen):.{digits}f} to {scale * max(seen):.{digits}f}{end}"


def _lever_words(found: Solution, lever: DesignVariable) -> list[str]:
    lines = []
    target = found.targets[0]
    seen = [a.estimates[target.name].value for a in found.tried]
    if target.is_rate and len(seen) > 1 and max(seen) - min(seen) < FLAT:
        points = round(100 * (max(seen) - min(seen)))
        lines.append(
            f"the lever is flat: {lever.path} from {_ends(found)} moves {target.name} by "
            f"{points} point{'s' if points != 1 else ''}"
        )
    if lever.hard_limits and not found.answers and all(map(isfinite, lever.hard_limits)):
        low, high = map(format_yaml_value, lever.hard_limits)
        lines.append(
            f"searched where it is plausible; the game bears --by {lever.path}={low}..{high}"
        )
    return lines


def _named(found: Solution, a: Answer) -> str:
    if len(found.variables) == 1:
        lever, [value] = found.variables[0], a.candidate.values
        if lever.moves_jointly:
            return f"{lever.path} {value:+g}" if value else STANDS
        return (
            f"{format_yaml_value(value)} {lever.unit}" if lever.unit else f"{lever.path} {format_yaml_value(value)}"
        )
    return " ".join(a.candidate.flags) or STANDS


def _values(found: Solution, a: Answer) -> str:
    return _rates(found, a.estimates)


def _beside(found: Solution, a: Answer) -> str:
    return f"; with steady {_rates(found, a.steady_estimates)}" if a.steady_estimates else ""


def _rates(found: Solution, measured: Mapping[str, Estimate]) -> str:
    several = len(found.targets) > 1
    return ", ".join(
        (f"{t.name} " if several else "") + formatting.format_with_interval(measured[t.name], _kind(t))
        for t in found.targets
        if t.name in measured
    )


def _kind(target: Target) -> str:
    return "rate" if target.is_rate else "mean"


def _table(found: Solution, rows: Sequence[Answer], title: str) -> Table:
    table = Table(header_style="bold", title=title, title_justify="left")
    heads = [
        *(lever.path for lever in found.variables),
        *(t.name for t in found.targets),
        "games",
        "flags",
    ]
    for i, head in enumerate(heads):
        table.add_column(
            escape(head), justify="left" if head == "flags" or i < len(found.variables) else "right"
        )
    for a in rows:
        table.add_row(
            *(format_yaml_value(v) for v in a.candidate.values),
            *(formatting.format_with_interval(a.estimates[t.name], _kind(t)) for t in found.targets),
            f"{a.candidate.games:,}",
            escape(flags(a)),
        )
    return table


def flags(a: Answer) -> str:
    """What any other command needs to play this."""
    return " ".join(f"--set {shlex.quote(flag)}" for flag in a.candidate.flags) or STANDS


def write(found: Solution, folder: Path) -> Path:
    """Tables of the answers and of all that was tried, the curve, and each answer as a scenario file."""
    from hardmode.reports.page import export, plots
    from hardmode.reports.page import folder as kept

    content: dict[str, str | bytes] = {}
    for name, title, rows in (
        ("answers", "what reaches the target, on fresh luck", found.answers),
        ("tried", "all that was tried, on the luck of choosing", found.tried),
    ):
        columns = [model.Column(f"by {i}", lever.path) for i, lever in enumerate(found.variables)]
        columns += [model.Column(t.name, t.name, _kind(t)) for t in found.targets]
        columns += [model.Column("games", "games", "count"), model.Column("flags", "flags", "code")]
        content |= export.table(
            model.Table(
                name,
                f"{found.cell.title}: {title}",
                columns,
                [
                    {
                        **{f"by {i}": format_yaml_value(v) for i, v in enumerate(a.candidate.values)},
                        **a.estimates,
                        "games": a.candidate.games,
                        "flags": flags(a),
                    }
                    for a in rows
                ],
            )
        )
    for i, a in enumerate(found.answers):
        content[f"answer-{i + 1}.yaml"] = scenario_text(found, a)
    if len(found.variables) == 1 and found.tried:
        target = found.targets[0]
        dots = [
            {"label": format_yaml_value(a.candidate.values[0]), "estimate": a.estimates[target.name]}
            for a in found.tried
        ]
        ends = (target.band.low, target.band.high)
        band = ends if all(map(isfinite, ends)) else None
        title = f"{found.cell.title}: {target.name} by {found.variables[0].path}"
        figure = model.dots(
            "curve", title, dots, _kind(target), target.name, band=band, band_text="target"
        )
        _, svg, png = plots.draw(figure)
        content |= {"curve.svg": svg, "curve.png": png}
    conflict = trade(found)
    if conflict:
        _, svg, png = plots.draw(conflict)
        content |= {"trade.svg": svg, "trade.png": png}
    kept.write(folder, content)
    return folder


def trade(found: Solution) -> model.Figure | None:
    """Two targets that no setting meets at once: what is had of one for what of the other."""
    if found.answers or len(found.targets) < 2 or len(found.tried) < 2:
        return None
    pair, scale = found.targets[:2], [100 if t.is_rate else 1 for t in found.targets[:2]]
    at = [
        tuple(s * a.estimates[t.name].value for t, s in zip(pair, scale, strict=True))
        for a in found.all_answers
    ]
    miss = [tuple(t.compute_violation(a.estimates[t.name].value) for t in pair) for a in found.all_answers]
    best = [
        not any(
            all(y <= x for x, y in zip(one, other, strict=True)) and other != one for other in miss
        )
        for one in miss
    ]
    ends = [
        _drawn(t, s, [p[i] for p in at]) for i, (t, s) in enumerate(zip(pair, scale, strict=True))
    ]
    points = [
        {"label": _named(found, a), "at": p, "best": b}
        for a, p, b in zip(found.all_answers, at, best, strict=True)
    ]
    names = [f"{t.name}, %" if t.is_rate else t.name for t in pair]
    return model.trade(
        "trade", f"{found.cell.title}: {_wanted(found)}", points, (names[0], names[1]), ends
    )


def _drawn(target: Target, scale: float, seen: Sequence[float]) -> tuple[float, float]:
    """The band of a target, as far as it is drawn."""
    low, high = scale * target.band.low, scale * target.band.high
    return (low if isfinite(low) else min(seen), high if isfinite(high) else max(seen))


def scenario_text(found: Solution, a: Answer) -> str:
    """An answer as a scenario file."""
    cell = found.cell
    numbers = {**{path: value for path, (_, value) in cell.changed_values.items()}, **a.candidate.changes}
    who = [_player(spec) for spec in cell.strategies]
    rules = [
        f"  {json.dumps(path, ensure_ascii=False)}: {_yaml(value)}"
        for path, value in numbers.items()
    ]
    return "\n".join(
        [
            f"game: {cell.game.name}",
            *(
                [f"box: {json.dumps(str(cell.overlay.path.resolve()), ensure_ascii=False)}"]
                if cell.overlay
                else []
            ),
            f"title: {json.dumps(f'{cell.title}, {_wanted(found)}', ensure_ascii=False)}",
            f"strategies: [{', '.join(who[:1] if len(set(who)) == 1 else who)}]",
            *(["rules:", *rules] if rules else []),
            "",
        ]
    )


def _player(spec: StrategySpec) -> str:
    if not (spec.search or spec.weights or spec.playouts):
        return json.dumps(spec.full_name)
    told = {
        "search" if spec.search else "name": spec.full_name,
        "playouts": spec.playouts,
        "weights": spec.weights,
    }
    return json.dumps({key: value for key, value in told.items() if value})


def _yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        return json.dumps(f"={value}")
    return json.dumps(value, ensure_ascii=False)
