"""A game as it is told: whole, alike each time, and in words that tell two options apart."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim import replay
from hardmode.sim.contract import ROUNDS, WINNERS
from hardmode.sim.draws import DECISION
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.workspace import OFFERED, REAL
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import SEED, Subject, at, during, must, rows

PLACES = 24  # looked at in each game for options that read alike


def a_game_is_told_the_same_twice_and_whole(subject: Subject) -> None:
    for v in (subject.variants[0], subject.variants[-1]):
        with during(v, "steady", partial(at, 3)):
            _whole(subject, v)


def _whole(subject: Subject, v: Variant) -> None:
    game, made = subject.game, subject.engine(v)
    story = replay.story(made, SEED, 3)
    told = story.to_list()
    must(
        json.loads(json.dumps(told)) == told,
        "the words give something that JSON cannot keep, as numbers for keys",
    )
    must(told == replay.story(made, SEED, 3).to_list(), "the words tell the same game in two ways")
    row, last = rows(made, 1, first=3)[:, 0], told[-1]
    must(
        story.ending == game.all_endings[row[0]] == last["ending"],
        "the story has another ending than the game",
    )
    must(last["rounds"] == row[ROUNDS], "the story has other rounds than the game")
    must(
        last["winners"] == [s + 1 for s in range(game.seats) if row[WINNERS] >> s & 1],
        "the story has other winners than the game",
    )
    for step in told[1:-1]:
        _step(subject, step)
    for draw in (draw for step in told[:-1] for draw in step["draws"]):
        must(
            draw["source"] in [s.name for s in game.sources] and draw["result"] is not None,
            f"face() has no result for a draw of {draw['source']}",
        )
    must(
        all(isinstance(line, str) for line in replay.sentences(story, game.tell())),
        "tell() gives something that is not text",
    )


def _step(subject: Subject, step: dict[str, Any]) -> None:
    here = f"step {step['step']}"
    must(step["taken"] in step["options"], f"{here}: what is taken is none of the options")
    must(step["forced"] == (len(step["options"]) == 1), f"{here}: forced, and not")
    must(
        step["kind"] in subject.game.kinds and 1 <= step["seat"] <= subject.game.seats,
        f"{here}: kind or seat",
    )
    must(set(step["state"]) == {"open", "hidden"}, f"{here}: state() must give `open` and `hidden`")


def no_two_options_read_alike(subject: Subject) -> None:
    """Looked at in some places of many games. Random play comes to more kinds of decisions than good play."""
    for v in subject.variants:
        engine, desk, looked = subject.engine(v, "random"), Desk(subject.game), Counter[int]()
        for number in range(subject.effort.told):
            _told_apart(subject, v, engine, desk, number, looked)


def every_label_has_a_name(subject: Subject) -> None:
    """And no two that come up have the same."""
    game, random = subject.game, replace(subject.player("random"), counted=True)
    for v in subject.variants if game.labels else ():
        with during(v, "random"):
            desk = Desk(game)
            rows(subject.engine(v, random), subject.effort.told, desk=desk)
            names = [game.tell().label(readable(v.box), number) for number in range(game.labels)]
            must(
                all(isinstance(name, str) for name in names),
                "label() of the words gives something that is not text",
            )
            met = Counter(names[i] for i in np.flatnonzero(desk.counted[0]))
            again = [name for name, n in met.items() if n > 1]
            must(not again, f"two labels read alike: {', '.join(again)}")


def _told_apart(
    subject: Subject, v: Variant, engine: Engine, desk: Desk, number: int, looked: Counter[int]
) -> None:
    taken, _ = replay.choices(engine, desk, SEED, number, log=True)
    for step in _places(replay.logged(desk), looked):
        with during(v, "random", partial(at, number, step)):
            engine.play(
                desk, SEED, number, number + 1, columns(subject.game, 1), script=taken, stop=step
            )
            _differ(subject, v, desk)


def _places(log: np.ndarray, looked: Counter[int]) -> list[int]:
    """Steps of a game with several options, those kinds of decisions first that were looked at least."""
    steps = [
        (int(step), int(kind)) for where, step, kind, _, n, _ in log if where == DECISION and n > 1
    ]
    places = sorted(steps, key=lambda one: (looked[one[1]], _mixed(one[0])))[:PLACES]
    looked.update(kind for _, kind in places)
    return [step for step, _ in places]


def _mixed(step: int) -> int:
    """Steps in an order that favours neither the start nor the end of a game."""
    return step * 2654435761 % (1 << 32)


def _differ(subject: Subject, v: Variant, desk: Desk) -> None:
    words, box, table = subject.game.tell(), readable(v.box), readable(desk.tables, REAL)
    own = readable(desk.hiddens, REAL).own[int(table.seat)]
    seen: set[str] = set()
    for code in np.asarray(desk.lists)[0, : int(desk.totals[OFFERED])]:
        said = json.dumps(words.option(box, table, own, int(code)), sort_keys=True)
        must(said not in seen, f"two options read alike: {said}")
        seen.add(said)
