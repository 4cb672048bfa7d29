"""Accepting a scenario: its games are played once and become the baseline that later builds are held to."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant, files, load
from hardmode.scenarios.variant import digest
from hardmode.sim.contract import Game
from hardmode.sim.draws import SCHEME
from hardmode.sim.play.engine import Player
from hardmode.sim.results.result import rules_digests, versions
from hardmode.studies.core.progress import Progress, part, silent
from hardmode.studies.core.run import players
from hardmode.studies.gate import baselines
from hardmode.studies.gate.baselines import Accepted, Baseline, BaselineError
from hardmode.studies.gate.lazy_games import FIRST, Games
from hardmode.studies.stats.sequential import schedule

PAIRED = 20_000  # the games whose winners are kept, at most
SECONDS = 10.0  # that a scenario is played for to record its baseline
FEWEST, PATIENCE = (
    500,
    20.0,
)  # games of each cell for which it is played longer, up to so many seconds
LEAST = 20  # games of each cell, however long they take
QUICK_SECONDS, QUICK = 0.2, 2_000  # to see that nothing changed; and so many games at most
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, PAIRED)
TRIAL, TRIAL_SECONDS = 512, 0.5  # the games that the pace is judged by, or so many seconds


@dataclass(frozen=True)
class Recorded:
    """What became of one scenario: `word` is new, unchanged or accepted anew."""

    scenario: str
    path: Path
    word: str
    before: Baseline | None
    after: Baseline


def asked(names: Sequence[str], shipped: bool) -> list[str]:
    """The scenarios to accept, each once."""
    chosen = [*names, *(files() if shipped else ())]
    if not chosen:
        raise BaselineError("say which scenarios to accept, or --all-shipped")
    return list(dict.fromkeys(chosen))


def accept(
    name: str,
    reason: str,
    *,
    games: int | None = None,
    seed: int | None = None,
    threads: int = 0,
    box: Path | None = None,
    progress: Progress = silent,
) -> Recorded:
    """Play a scenario and write its baseline; one that would say the same is left as it is."""
    reason = " ".join(reason.encode("utf-8", "replace").decode().split())
    if not reason:
        raise BaselineError(
            "a baseline needs a reason: what changed, and why that is as it should be"
        )
    scenario = load(name, box=box)
    path = baselines.place(scenario.file, box)
    before = _before(path, scenario)
    baselines.ready(path)
    luck = next(
        s for s in (seed, before.seed if before else None, scenario.seed, 1) if s is not None
    )
    games, quick = _sizes(scenario, luck, threads, games, before)
    looks = schedule(min(games, PAIRED))
    cells = tuple(_cells(scenario, luck, threads, games, sorted({quick, *looks, games}), progress))
    made_by = {k: v for k, v in versions().items() if k != "scheme"}
    after = Baseline(
        scenario.name,
        scenario.title,
        scenario.game.name,
        scenario.game.version,
        SCHEME,
        reason,
        datetime.date.today().isoformat(),
        luck,
        games,
        quick,
        looks,
        made_by,
        cells,
        scenario.own.path.name if scenario.own else "",
    )
    if before and before.content() == after.content():
        return Recorded(scenario.name, path, "unchanged", before, before)
    baselines.write(path, after)
    return Recorded(scenario.name, path, "accepted anew" if before else "new", before, after)


def _before(path: Path, scenario: Scenario) -> Baseline | None:
    """What was accepted before; a file that cannot be read is written anew."""
    try:
        return baselines.read(path, scenario.name)
    except BaselineError:
        return None


def _sizes(
    scenario: Scenario, seed: int, threads: int, asked: int | None, before: Baseline | None
) -> tuple[int, int]:
    """The games of each cell, and how many of them tell that nothing changed: as before, or by their pace."""
    if before and len(before.cells) == len(scenario.cells) and asked in (None, before.games):
        return before.games, before.quick
    each = sum(_pace(Games(cell, seed, threads=threads)) for cell in scenario.cells)
    games = asked or max(_fitting(each, SECONDS), FEWEST if FEWEST * each <= PATIENCE else LEAST)
    return games, min(games, _fitting(each, QUICK_SECONDS), QUICK)


def _pace(trial: Games) -> float:
    """Seconds for a game, once the machine code is there."""
    trial.upto(FIRST)
    begun, games = trial.seconds, FIRST
    while games < TRIAL and trial.seconds - begun < TRIAL_SECONDS:
        games *= 2
        trial.upto(games)
    return (trial.seconds - begun) / (games - FIRST)


def _fitting(each: float, seconds: float) -> int:
    """The greatest size that takes no longer."""
    return max((n for n in SIZES if n * each <= seconds), default=SIZES[0])


def _cells(
    scenario: Scenario, seed: int, threads: int, games: int, at: list[int], progress: Progress
) -> Iterator[Accepted]:
    for i, cell in enumerate(scenario.cells):
        step = part(progress, i, len(scenario.cells), cell.label_text)
        yield _accepted(Games(cell, seed, threads=threads, progress=step), games, at)


def _accepted(one: Games, games: int, at: list[int]) -> Accepted:
    one.upto(games)
    endings = one.of("ending", games)
    game, wins = one.cell.game, one.wins(games)
    counts = {name: int((endings == i).sum()) for i, name in enumerate(game.all_endings)}
    seats = {f"seat {s + 1}": one.wins(games, s) for s in range(one.sides)}
    sums = one.sums()
    told = [
        "rounds",
        *(f"score {s + 1}" for s in range(one.cell.players)),
        *(m.name for m in game.measures if not m.factor and not m.per_seat),
    ]
    return Accepted(
        one.cell.label_text,
        plain(one.cell.label),
        [str(p) for p in players(one.cell)],
        round(100 * wins / games, 2),
        wins,
        counts,
        seats if game.competitive else {},
        {m: round(sums[m] / games, 4) for m in told},
        float(f"{games / max(one.seconds, 1e-9):.2g}"),
        digests(one.cell),
        {str(n): one.digest(n) for n in at},
        np.array([one.won(min(games, PAIRED), s) for s in range(one.sides)]),
    )


def digests(cell: Variant) -> dict[str, str]:
    """All that makes the games: code, the weights that strategies use, numbers, line-up."""
    who = players(cell)
    return {
        **_code(cell.game, tuple(who)),
        "weights": digest([_numbers(p) for p in who]),
        **cell.digests,
    }


def _numbers(p: Player) -> list[Any]:
    return [list(p.weights), p.budget, *([p.slips] if p.slips else [])]


@cache
def _code(game: Game, who: tuple[Player, ...]) -> dict[str, str]:
    """The digests of code take a hundredth of a second, and most cells share it."""
    return rules_digests(game, who)


def plain(label: dict[str, Any]) -> dict[str, Any]:
    """A label as a file can hold it."""
    return {path: list(v) if isinstance(v, tuple) else v for path, v in label.items()}
