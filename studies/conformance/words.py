"""Checks of a game's words: complete replays, and texts that distinguish options and labels."""

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
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import OFFERED, REAL, Workspace, allocate_rows
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import (
    SEED,
    GameUnderTest,
    add_context,
    describe_game_step,
    play_test_games,
    require,
)

MAX_STEPS_PER_GAME = 24  # at which the texts of options are compared
REPLAYED_GAME = 3


def check_replays(game_under_test: GameUnderTest) -> None:
    """Check that replays are complete, reproducible, and agree with the game."""
    variants = game_under_test.variants
    for variant in (variants[0], variants[-1]):
        with add_context(variant, "steady", partial(describe_game_step, REPLAYED_GAME)):
            _check_replay(game_under_test, variant)


def _check_replay(game_under_test: GameUnderTest, variant: Variant) -> None:
    game = game_under_test.game
    engine = game_under_test.make_engine(variant)
    story = replay.story(engine, SEED, REPLAYED_GAME)
    steps = story.to_list()
    require(
        json.loads(json.dumps(steps)) == steps,
        "the words return something that JSON cannot represent, such as numbers as keys",
    )
    again = replay.story(engine, SEED, REPLAYED_GAME).to_list()
    require(steps == again, "the words describe the same game in two ways")
    row = play_test_games(engine, 1, first=REPLAYED_GAME)[:, 0]
    end = steps[-1]
    require(
        story.ending == game.all_endings[row[0]] == end["ending"],
        "the ending of the replay differs from that of the game",
    )
    require(end["rounds"] == row[ROUNDS], "the rounds of the replay differ from those of the game")
    winners = [seat + 1 for seat in range(game.seats) if row[WINNERS] >> seat & 1]
    require(end["winners"] == winners, "the winners of the replay differ from those of the game")
    for step in steps[1:-1]:
        _check_step(game_under_test, step)
    sources = [source.name for source in game.sources]
    for step in steps[:-1]:
        for draw in step["draws"]:
            is_complete = draw["source"] in sources and draw["result"] is not None
            require(is_complete, f"face() has no result for a draw of {draw['source']}")
    sentences = replay.sentences(story, game.load_words())
    is_text = all(isinstance(line, str) for line in sentences)
    require(is_text, "tell() returns something that is not text")


def _check_step(game_under_test: GameUnderTest, step: dict[str, Any]) -> None:
    game = game_under_test.game
    place = f"step {step['step']}"
    require(step["taken"] in step["options"], f"{place}: the taken option is not among the options")
    is_forced = len(step["options"]) == 1
    require(step["forced"] == is_forced, f"{place}: `forced` is wrong")
    is_known = step["kind"] in game.kinds and 1 <= step["seat"] <= game.seats
    require(is_known, f"{place}: the kind or the seat is unknown")
    require(
        set(step["state"]) == {"open", "hidden"},
        f"{place}: state() must return `open` and `hidden`",
    )


def check_option_texts(game_under_test: GameUnderTest) -> None:
    """Check that no two options of a decision have the same text.

    Random games are examined, since they reach more kinds of decisions than good play.
    """
    game = game_under_test.game
    for variant in game_under_test.variants:
        engine = game_under_test.make_engine(variant, "random")
        workspace = Workspace(game)
        examined = Counter[int]()  # decisions by kind
        for number in range(game_under_test.counts.wording):
            _check_game_texts(variant, engine, workspace, number, examined)


def check_labels(game_under_test: GameUnderTest) -> None:
    """Check that every label has a name, and that no two labels that occur have the same."""
    game = game_under_test.game
    player = replace(game_under_test.make_player("random"), counts_choices=True)
    for variant in game_under_test.variants if game.labels else ():
        with add_context(variant, "random"):
            workspace = Workspace(game)
            words = game.load_words()
            engine = game_under_test.make_engine(variant, player)
            play_test_games(engine, game_under_test.counts.wording, workspace=workspace)
            names = [words.label(readable(variant.box), label) for label in range(game.labels)]
            is_text = all(isinstance(name, str) for name in names)
            require(is_text, "label() of the words returns something that is not text")
            counts = Counter(names[i] for i in np.flatnonzero(workspace.games_with_label[0]))
            repeated = [name for name, n in counts.items() if n > 1]
            require(not repeated, f"two labels read alike: {', '.join(repeated)}")


def _check_game_texts(
    variant: Variant, engine: Engine, workspace: Workspace, number: int, examined: Counter[int]
) -> None:
    """Compare the texts of options at some steps of a game."""
    script, _ = replay.choices(engine, workspace, SEED, number, log=True)
    rows = allocate_rows(engine.game, 1)
    for step in _select_steps(replay.logged(workspace), examined):
        with add_context(variant, "random", partial(describe_game_step, number, step)):
            engine.play(workspace, SEED, number, number + 1, rows, script=script, stop_step=step)
            _require_distinct_texts(engine, variant, workspace)


def _select_steps(log: np.ndarray, examined: Counter[int]) -> list[int]:
    """Return steps with several options, those with the least examined kinds of decisions first."""
    steps = []
    for source, step, kind, _, n_options, _ in log:
        if source == DECISION and n_options > 1:
            steps.append((int(step), int(kind)))
    steps.sort(key=lambda pair: (examined[pair[1]], _hash_step(pair[0])))
    selected = steps[:MAX_STEPS_PER_GAME]
    examined.update(kind for _, kind in selected)
    return [step for step, _ in selected]


def _hash_step(step: int) -> int:
    """Return a key that sorts steps in an order that favours no part of a game."""
    return step * 2654435761 % (1 << 32)


def _require_distinct_texts(engine: Engine, variant: Variant, workspace: Workspace) -> None:
    words = engine.game.load_words()
    table = readable(workspace.tables, REAL)
    box = readable(variant.box)
    own = readable(workspace.hiddens, REAL).own[int(table.seat)]
    texts: set[str] = set()
    for code in np.asarray(workspace.lists)[0, : int(workspace.totals[OFFERED])]:
        text = json.dumps(words.option(box, table, own, int(code)), sort_keys=True)
        require(text not in texts, f"two options read alike: {text}")
        texts.add(text)
