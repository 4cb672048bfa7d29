"""What `train` prints, and its JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.markup import escape

from hardmode.reports.show import out
from hardmode.studies.estimates import Estimate
from hardmode.studies.train import Trained


def show(made: Trained, file: Path) -> None:
    if made.interrupted:
        out.print("interrupted: the best so far is kept")
    out.print(escape(str(made)))
    out.print(f"[dim]it plays wherever a strategy is named, as in --strategy {escape(str(file))}; intervals hold at "
              f"{100 * made.asked.confidence:g} %; {made.seconds:.0f} s[/dim]")


def as_dict(made: Trained, file: Path) -> dict[str, Any]:
    return {
        "player": str(file), "game": made.game, "scenario": made.scenario, "base": str(made.base),
        "seats": [s + 1 for s in made.seats], "weights": made.weights, **_estimate(made.rate, "rate"),
        "start": {**_estimate(made.start, "rate"), "weights": made.start_weights},
        "gain": _estimate(made.gain, "value"), "better": made.better, "games": made.games, "measured": made.measured,
        "generations": made.generations, "seed": made.asked.seed, "seconds": round(made.seconds, 3),
        "confidence": made.asked.confidence, "interrupted": made.interrupted}


def _estimate(e: Estimate, name: str) -> dict[str, float]:
    return {name: e.value, "low": e.low, "high": e.high}
