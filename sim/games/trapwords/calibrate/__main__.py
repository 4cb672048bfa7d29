"""The command: read the log, fit, print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hardmode.sim.games.trapwords.calibrate.fit import FREE, Fit, fit
from hardmode.sim.games.trapwords.calibrate.log import BadLog, read_log
from hardmode.sim.games.trapwords.calibrate.model import TURNS


def side_by_side(fitted: Fit) -> str:
    lines = [f"{'kind of turn':34s} {'figure':8s} {'observed':>9s} {'+-':>6s} {'fitted':>8s}"]
    for kind, name, value, error, model in fitted.table:
        what = f"{kind.length} traps, {kind.trappers}, {kind.giver}"
        lines.append(f"{what:34s} {name:8s} {value:9.3f} {error:6.3f} {model:8.3f}")
    free = fitted.moments - len(fitted.values)
    lines.append(f"chi-square {fitted.chi_square:.1f} on {free} degrees of freedom")
    return "\n".join([*lines, "", fitted.rules()])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardmode.sim.games.trapwords.calibrate",
                                     description="Fit the model of a turn to observed turns.")
    parser.add_argument("log", type=Path, help="a CSV file: a turn a line, or a kind of turn a line")
    parser.add_argument("--fit", default=",".join(FREE), help="the numbers of the box that are fitted, by their paths")
    parser.add_argument("--box", type=Path, default=None, help="another box.yaml")
    parser.add_argument("--turns", type=int, default=TURNS, help="turns played for each kind at each trial")
    parser.add_argument("--out", type=Path, default=None, help="write the `rules:` block here too")
    given = parser.parse_args(arguments)
    try:
        fitted = fit(read_log(given.log), [p.strip() for p in given.fit.split(",")], box=given.box, turns=given.turns)
    except (BadLog, OSError) as why:
        print(why, file=sys.stderr)
        return 2
    print(side_by_side(fitted))
    if given.out:
        given.out.write_text(fitted.rules(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
