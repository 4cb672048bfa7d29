"""What `train` prints, and its JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.markup import escape

from hardmode.reports.console.result import out
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.train import Kept, Trained


def show(made: Trained | Kept, file: Path) -> None:
    if made.interrupted:
        out.print("interrupted: the best so far is kept; the same command goes on")
    out.print(escape(str(made)))
    if isinstance(made, Trained):
        out.print(
            f"[dim]it plays wherever a strategy is named, as in --strategy {escape(str(file))}; intervals hold "
            f"at {100 * made.asked.confidence:g} %; {made.seconds:.0f} s[/dim]"
        )


def as_dict(made: Trained | Kept, file: Path) -> dict[str, Any]:
    if isinstance(made, Kept):
        return _kept(made, file)
    m = made.measured
    return {
        "player": str(file),
        "game": made.game,
        "scenario": made.scenario,
        "base": str(made.base),
        "seats": [s + 1 for s in made.seats],
        "weights": made.weights,
        **_estimate(made.rate, "rate"),
        "start": {**_estimate(made.start, "rate"), "weights": made.start_weights},
        "gain": _estimate(made.gain, "value"),
        "goal": made.asked.goal,
        "over": made.asked.over,
        **({"change": {"of": m.changed, **_estimate(m.change, "value")}} if m.change else {}),
        "better": made.better,
        "overfit": _estimate(m.overfit, "value"),
        "against": {who: _estimate(share, "share") for who, share in m.against.items()},
        "dead": m.dead,
        "curve": [{"generation": g, "rate": won} for g, won in made.curve.items()],
        "games": made.games,
        "measured": m.games,
        "generations": made.generations,
        "seed": made.asked.seed,
        "seconds": round(made.seconds, 3),
        "confidence": made.asked.confidence,
        "interrupted": made.interrupted,
    }


def _kept(made: Kept, file: Path) -> dict[str, Any]:
    """What the certificate says; no time was spent."""
    c = made.certificate
    return {
        "player": str(file),
        "game": made.file.game,
        "scenario": c.scenario,
        "base": made.file.base,
        "weights": made.file.weights,
        "rate": c.rate,
        "low": c.low,
        "high": c.high,
        "start": {"rate": c.start_rate},
        "goal": c.goal,
        "over": c.over,
        "games": c.trained_on,
        "measured": c.measured_on,
        "generations": c.generations,
        "seed": c.seed,
        "seconds": 0.0,
        "kept": True,
    }


def _estimate(e: Estimate, name: str) -> dict[str, float]:
    return {name: e.value, "low": e.low, "high": e.high}
