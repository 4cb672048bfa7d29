"""Looks at choices, at what lies in the box, at its numbers, and at always doing the same."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np

from hardmode.scenarios.dependencies import lacking
from hardmode.scenarios.load import StrategySpec
from hardmode.scenarios.parameter import yaml_text
from hardmode.scenarios.variant import DEFAULT
from hardmode.sim.play.engine import Engine
from hardmode.strategies import registry
from hardmode.studies.audit.findings import Case, Finding, points
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import (
    ALWAYS,
    Choice,
    Choices,
    Restricted,
    choices,
    keeping,
    labels,
    look,
)
from hardmode.studies.core.altered import altered
from hardmode.studies.core.progress import silent
from hardmode.studies.luck.analysis import seated
from hardmode.studies.sensitivity.analysis import MOST, sensitivity
from hardmode.studies.sensitivity.paired_effects import Number
from hardmode.studies.sensitivity.steps import neighbours
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.stats.estimates import Estimate

NOTHING = 0.01  # of the win rate: less is worth nothing
RARE = 0.05  # the share of games in which an option comes up, below which nothing is said of it
USUAL = 0.9  # of the times that it is offered, what is always taken
UNNOTICED = 0.01  # of games: what fewer notice is unused
SELDOM = 0.02  # of games: what fewer see in play, or use, is unused
UNCHANGED = 0.03  # of games: a number that changes fewer is dead
TRIVIAL = 40  # kinds of options that are tried as a strategy of their own


def worth(case: Case, share: float) -> Iterator[Finding]:
    """Kinds of options that nobody needs or everybody takes, and content that no game notices."""
    if not case.game.labels:
        return
    case.looked += ["never-worth-taking", "always-worth-taking"]
    effort = case.effort.changed(games=case.games or MOST)
    found = choices(case.cell, effort, case.time(share), case.progress)
    tests = max(1, len(found.played))
    useless: dict[tuple[int, ...], list[tuple[Choice, Estimate]]] = {}
    for one in found.choices:
        games = found.habit.games_offered[one.label] / found.habit.games
        if games < RARE:
            continue
        forbidden, always = effects(case, found, one, tests)
        if forbidden.low > -NOTHING and always.high < NOTHING:
            useless.setdefault(found.habit.kinds(one.label), []).append((one, forbidden))
        if (
            forbidden.high < -NOTHING
            and always.low > -NOTHING
            and found.habit.rate(one.label, 0.95).value >= USUAL
        ):
            yield case.finding(
                "always-worth-taking",
                f"{quoted(one.name)} is always right: forbidden for a whole game "
                f"{points(forbidden)}, taken whenever it can be {points(always)}",
                forbidden,
                "points of win rate",
                game=int(found.habit.first[one.label]),
                closer=case.command("choices"),
                steady=found.by_steady(one.forbidden),
            )
    for together in useless.values():
        names = ", ".join(quoted(one.name) for one, _ in together)
        widest = min((e for _, e in together), key=lambda e: e.low)
        yield case.finding(
            "never-worth-taking",
            f"nobody needs {names}: forbidden for a whole game "
            f"{points(widest)}, and no more is won by taking it",
            widest,
            "points of win rate",
            game=int(found.habit.first[together[0][0].label]),
            closer=case.command("choices"),
            steady=found.by_steady(together[0][0].forbidden) if len(together) == 1 else None,
        )
    yield from unused(case, found, tests)


def effects(case: Case, found: Choices, one: Choice, tests: int) -> tuple[Estimate, Estimate]:
    """What becomes of games in which a kind of option is forbidden and always taken. Where whoever plays never took it
    in all games that were looked at, or always did, a restriction changes no more games than can have been missed."""
    first, label = found.habit, one.label
    level = case.level(tests)
    missed = seldom(0, first.games, 1 - level)
    nothing = Estimate(0.0, -missed, missed, first.games, level)
    forbidden = nothing if not first.taken[label] else effect(one.forbidden, level)
    always = nothing if first.taken[label] == first.offered[label] else effect(one.always, level)
    return forbidden, always


def effect(number: Number, level: float) -> Estimate:
    if not number.games:
        return Estimate(0.0, -1.0, 1.0, 0, level)
    low, high = Pairs(number.games, number.gained, number.lost).bounds((1 - level) / 2)
    return Estimate(number.value, float(low), float(high), number.games, level)


def quoted(name: str) -> str:
    return f"'{name}'"


def seldom(differing: int, games: int, error: float) -> float:
    """The largest share of games that can differ where none of so many does."""
    return 1.0 if differing or not games else 1 - error ** (1 / games)


def unused(case: Case, found: Choices, tests: int) -> Iterator[Finding]:
    """What no game notices, and what comes into play, or is used, in hardly any."""
    if not found.content:
        return
    case.looked.append("unused-content")
    level = case.level(tests + 2 * len(found.content))
    for n in found.content:
        piece = components.name_of(n)
        closer = case.command(
            "compare",
            *(
                word
                for path, value in n.sets.items()
                for word in ("--set-b", f"{path}={yaml_text(value)}")
            ),
        )
        most = seldom(n.differing, n.games, 1 - level)
        if most < UNNOTICED:
            yield case.finding(
                "unused-content",
                f"{n.path} from {yaml_text(n.before)} to {yaml_text(n.after)}: "
                f"no game of {n.games:,} notices",
                Estimate(0.0, 0.0, most, n.games),
                "share of games",
                closer=closer,
            )
            continue
        for of, what in (
            (found.met.drawn, "hardly ever comes into play"),
            (found.met.used, "is hardly ever used"),
        ):
            rate = found.met.share(of, n, level)
            if rate and rate.high < SELDOM:
                yield case.finding(
                    "unused-content", f"{piece} {what}", rate, "share of games", closer=closer
                )
                break


def numbers(case: Case, share: float) -> Iterator[Finding]:
    """Numbers that are read and have here what they need, and neither of whose steps changes a game."""
    case.looked.append("dead-number")
    found = sensitivity(
        case.cell, case.effort.changed(games=needed(case)), case.time(share), case.progress
    )
    for path in found.silent:
        if lacking(case.cell.leaves[path], case.cell.values):
            continue
        steps = [n for n in found.numbers if n.path == path and n.read]
        games = min(n.games for n in steps)
        most = seldom(0, games, case.error(len(found.numbers)))
        if most < UNCHANGED:
            yield case.finding(
                "dead-number",
                f"{path} ({yaml_text(steps[0].before)}): no game of {games:,} "
                "changes with a step of it",
                Estimate(0.0, 0.0, most, games),
                "share of games",
                closer=case.command("sensitivity"),
            )


def needed(case: Case) -> int:
    """Games after which a number that changed none is dead, whatever else is tested."""
    steps = sum(
        len(neighbours(leaf, case.cell.values[path])) for path, leaf in case.cell.leaves.items()
    )
    return int(log(case.error(steps)) / log(1 - UNCHANGED)) + 2


class Trivial(Restricted):
    """Where somebody without a plan always takes the same kind of option, and it is held against `steady`."""

    def changed(self, number: Number) -> Engine:
        game, cell = self.cell.game, self.cell
        kept = keeping(
            seated(game, self.own.seated[: cell.players], registry.player(game.name, "random")),
            (int(number.before),),
            game,
        )
        made = Engine(game, self.own.filled, kept)
        made.limit = min(game.max_decisions, self.longest)
        return made


def trivial(case: Case, share: float) -> Iterator[Finding]:
    """Whether always the same kind of option, and else anything, does as well as `steady`."""
    if not case.game.labels:
        return
    case.looked.append("loophole")
    base = altered(case.cell, {}, [StrategySpec(DEFAULT.name)] * case.seats)
    habit = next(iter(look(base, case.effort, case.time(0.1 * share))[0].values()))
    names = labels(base)
    offered = sorted(np.flatnonzero(habit.offered).tolist(), key=lambda i: -habit.offered[i])[
        :TRIVIAL
    ]
    tried = [Number(names[i], i, ALWAYS) for i in offered]
    spent = case.time(0.9 * share)
    Trivial(base, case.effort.changed(games=case.games or MOST), spent, silent).play(tried)
    for n in tried:
        gain = effect(n, case.level(len(tried)))
        if gain.low > -NOTHING:
            yield case.finding(
                "loophole",
                f"always {quoted(n.path)}, and else anything, wins {points(gain)} against steady",
                gain,
                "points of win rate",
                closer=case.command("choices"),
            )
