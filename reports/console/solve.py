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

from hardmode.reports.console.result import out
from hardmode.reports.page import model
from hardmode.scenarios.load import StrategySpec
from hardmode.scenarios.parameter import yaml_text
from hardmode.studies.core.reference_players import players_text
from hardmode.studies.solve.design_variables import Lever
from hardmode.studies.solve.search import Answer, Solution
from hardmode.studies.solve.targets import Target
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

FLAT = 0.1  # a lever that moves a rate by less is called flat
STANDS = "as it is"


def show(found: Solution) -> None:
    out.print(
        f"[bold]{found.cell.game.title}: {escape(found.cell.title)}[/bold], played by "
        f"{escape(players_text(found.cell))}: {escape(_wanted(found))}"
    )
    for line in words(found):
        out.print(escape(line))
    if len(found.levers) == 1:
        out.print(_table(found, found.tried, "the whole curve, on the luck of choosing"))
    elif found.answers or found.undecided:
        out.print(
            _table(found, [*found.answers, *found.undecided], "lightest first, on fresh luck")
        )
    if found.refused:
        first = found.refused[0]
        out.print(
            f"refused by the game: {len(found.refused)}, as {escape(' '.join(first.flags))}: "
            f"{escape(first.refused)}"
        )
    stopped = "interrupted; " if found.interrupted else ""
    out.print(
        f"[dim]{stopped}answers hold together at {100 * found.confidence:g} %, "
        f"on luck that had no part in choosing (seed {found.fresh}; chosen on seed {found.seed})[/dim]"
    )


def _wanted(found: Solution) -> str:
    return ", ".join(f"{t.name} {t.text}" for t in found.wanted)


def words(found: Solution) -> list[str]:
    """The answer in plain words."""
    lines = [
        f"steady disagrees, in sign or by more than half, on what {_named(found, a)} changes"
        for a in found.disagreed
    ]
    lines += [f"{_named(found, a)}: {_values(found, a)}{_beside(found, a)}" for a in found.answers]
    lines += [
        f"{_named(found, a)}: {_values(found, a)}; may reach it, more --seconds or --games would tell"
        for a in found.undecided
    ]
    if not (found.answers or found.undecided):
        lines += [_none(found), *_conflict(found)]
    if len(found.levers) == 1:
        lines += _lever_words(found, found.levers[0])
    return lines


def _none(found: Solution) -> str:
    what = _wanted(found)
    if not found.tried:
        return f"nothing was played for {what}"
    if len(found.levers) > 1:
        near = found.nearest
        more = "" if found.distance(near) else "; more --seconds or --games would tell"
        told = f"{_named(found, near)}: {_values(found, near)}{more}"
        return f"no setting was found that reaches {what}; nearest is {told}"
    runs = " and ".join(f"{t.name} runs from {_span(found, t)}" for t in found.wanted)
    return f"no value reaches {what}: from {_ends(found)} {runs}{_passed_over(found)}"


def _passed_over(found: Solution) -> str:
    """Between which two values a target lies that no value reaches."""
    target = found.wanted[0]
    for one, other in (
        pairwise(found.tried) if len(found.wanted) == 1 and found.levers[0].numeric else ()
    ):
        below, above = sorted((one, other), key=lambda a: a.measured[target.name].value)
        if (
            below.measured[target.name].value < target.band.low
            and above.measured[target.name].value > target.band.high
        ):
            ends = [f"{yaml_text(a.setting.values[0])}, {_values(found, a)}," for a in (one, other)]
            return f"; it is passed over between {ends[0]} and {ends[1][:-1]}"
    return ""


def _conflict(found: Solution) -> list[str]:
    """Where each target alone could be met, and not all together."""
    alone = [any(t.miss(a.measured[t.name].value) == 0 for a in found.seen) for t in found.wanted]
    if (
        len(found.wanted) < 2
        or not found.tried
        or not all(alone)
        or not found.distance(found.nearest)
    ):
        return []
    return [
        "the targets conflict: each is reached by some setting, and all by none; -o FOLDER draws what is had of "
        "one for what of the other"
    ]


def _ends(found: Solution) -> str:
    values = [a.setting.values[0] for a in found.tried]
    return f"{yaml_text(values[0])} to {yaml_text(values[-1])}"


def _span(found: Solution, target: Target) -> str:
    seen = [a.measured[target.name].value for a in found.tried]
    scale, end = (100, " %") if target.is_rate else (1, "")
    digits = 0 if target.is_rate and scale * (max(seen) - min(seen)) >= 2 else 1
    return f"{scale * min(seen):.{digits}f} to {scale * max(seen):.{digits}f}{end}"


def _lever_words(found: Solution, lever: Lever) -> list[str]:
    lines = []
    target = found.wanted[0]
    seen = [a.measured[target.name].value for a in found.tried]
    if target.is_rate and len(seen) > 1 and max(seen) - min(seen) < FLAT:
        points = round(100 * (max(seen) - min(seen)))
        lines.append(
            f"the lever is flat: {lever.path} from {_ends(found)} moves {target.name} by "
            f"{points} point{'s' if points != 1 else ''}"
        )
    if lever.farthest and not found.answers and all(map(isfinite, lever.farthest)):
        low, high = map(yaml_text, lever.farthest)
        lines.append(
            f"searched where it is plausible; the game bears --by {lever.path}={low}..{high}"
        )
    return lines


def _named(found: Solution, a: Answer) -> str:
    if len(found.levers) == 1:
        lever, [value] = found.levers[0], a.setting.values
        if lever.together:
            return f"{lever.path} {value:+g}" if value else STANDS
        return (
            f"{yaml_text(value)} {lever.unit}" if lever.unit else f"{lever.path} {yaml_text(value)}"
        )
    return " ".join(a.setting.flags) or STANDS


def _values(found: Solution, a: Answer) -> str:
    return _rates(found, a.measured)


def _beside(found: Solution, a: Answer) -> str:
    return f"; with steady {_rates(found, a.steady)}" if a.steady else ""


def _rates(found: Solution, measured: Mapping[str, Estimate]) -> str:
    several = len(found.wanted) > 1
    return ", ".join(
        (f"{t.name} " if several else "") + formatting.with_interval(measured[t.name], _kind(t))
        for t in found.wanted
        if t.name in measured
    )


def _kind(target: Target) -> str:
    return "rate" if target.is_rate else "mean"


def _table(found: Solution, rows: Sequence[Answer], title: str) -> Table:
    table = Table(header_style="bold", title=title, title_justify="left")
    heads = [
        *(lever.path for lever in found.levers),
        *(t.name for t in found.wanted),
        "games",
        "flags",
    ]
    for i, head in enumerate(heads):
        table.add_column(
            escape(head), justify="left" if head == "flags" or i < len(found.levers) else "right"
        )
    for a in rows:
        table.add_row(
            *(yaml_text(v) for v in a.setting.values),
            *(formatting.with_interval(a.measured[t.name], _kind(t)) for t in found.wanted),
            f"{a.setting.games:,}",
            escape(flags(a)),
        )
    return table


def flags(a: Answer) -> str:
    """What any other command needs to play this."""
    return " ".join(f"--set {shlex.quote(flag)}" for flag in a.setting.flags) or STANDS


def as_dict(found: Solution) -> dict[str, Any]:
    return {
        "reached": found.reached,
        "answers": [_answer(found, a) for a in found.answers],
        "undecided": [_answer(found, a) for a in found.undecided],
        "curve": [_answer(found, a) for a in found.tried],
        "refused": [{"set": dict(s.sets), "why": s.refused} for s in found.refused],
        "words": words(found),
        "game": found.cell.game.name,
        "scenario": found.cell.title,
        "strategies": [str(s) for s in found.cell.strategies],
        "seed": found.seed,
        "fresh_seed": found.fresh,
        "confidence": found.confidence,
        "interrupted": found.interrupted,
        "box": found.cell.provenance,
        "digests": found.cell.digests,
        "targets": [{"name": t.name, "low": t.band.low, "high": t.band.high} for t in found.wanted],
    }


def _answer(found: Solution, a: Answer) -> dict[str, Any]:
    single = (
        found.levers[0].sets(a.setting.values[0])
        if len(found.levers) == 1
        else dict(a.setting.sets)
    )
    return {
        "set": single,
        "flags": [w for flag in a.setting.flags for w in ("--set", flag)],
        "games": a.setting.games,
        "measured": _measured(a.measured),
        **(
            {"steady": _measured(a.steady), "steady_disagrees": a in found.disagreed}
            if a.steady
            else {}
        ),
    }


def _measured(found: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: {"value": e.value, "low": e.low, "high": e.high} for name, e in found.items()}


def write(found: Solution, folder: Path) -> Path:
    """Tables of the answers and of all that was tried, the curve, and each answer as a scenario file."""
    from hardmode.reports.page import export, plots
    from hardmode.reports.page import folder as kept

    content: dict[str, str | bytes] = {}
    for name, title, rows in (
        ("answers", "what reaches the target, on fresh luck", found.answers),
        ("tried", "all that was tried, on the luck of choosing", found.tried),
    ):
        columns = [model.Column(f"by {i}", lever.path) for i, lever in enumerate(found.levers)]
        columns += [model.Column(t.name, t.name, _kind(t)) for t in found.wanted]
        columns += [model.Column("games", "games", "count"), model.Column("flags", "flags", "code")]
        content |= export.table(
            model.Table(
                name,
                f"{found.cell.title}: {title}",
                columns,
                [
                    {
                        **{f"by {i}": yaml_text(v) for i, v in enumerate(a.setting.values)},
                        **a.measured,
                        "games": a.setting.games,
                        "flags": flags(a),
                    }
                    for a in rows
                ],
            )
        )
    for i, a in enumerate(found.answers):
        content[f"answer-{i + 1}.yaml"] = scenario_text(found, a)
    if len(found.levers) == 1 and found.tried:
        target = found.wanted[0]
        dots = [
            {"label": yaml_text(a.setting.values[0]), "estimate": a.measured[target.name]}
            for a in found.tried
        ]
        ends = (target.band.low, target.band.high)
        band = ends if all(map(isfinite, ends)) else None
        title = f"{found.cell.title}: {target.name} by {found.levers[0].path}"
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
    if found.answers or len(found.wanted) < 2 or len(found.tried) < 2:
        return None
    pair, scale = found.wanted[:2], [100 if t.is_rate else 1 for t in found.wanted[:2]]
    at = [
        tuple(s * a.measured[t.name].value for t, s in zip(pair, scale, strict=True))
        for a in found.seen
    ]
    miss = [tuple(t.miss(a.measured[t.name].value) for t in pair) for a in found.seen]
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
        for a, p, b in zip(found.seen, at, best, strict=True)
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
    numbers = {**{path: value for path, (_, value) in cell.changed.items()}, **a.setting.sets}
    who = [_player(spec) for spec in cell.strategies]
    rules = [
        f"  {json.dumps(path, ensure_ascii=False)}: {_yaml(value)}"
        for path, value in numbers.items()
    ]
    return "\n".join(
        [
            f"game: {cell.game.name}",
            *(
                [f"box: {json.dumps(str(cell.own.path.resolve()), ensure_ascii=False)}"]
                if cell.own
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
