"""Checks that games come to an end, and that the right seats win."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from hardmode.sim.compile.source_location import format_location, get_py_func
from hardmode.sim.contract import ENDING, WINNERS, Game
from hardmode.sim.play.workspace import REAL, Workspace
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import (
    ConformanceError,
    GameUnderTest,
    add_context,
    play_test_games,
    require,
)
from hardmode.studies.conformance.trace import CheckedTrace

RULES = ("setup", "options", "take", "outcome", "label")
MAX_LINES_PER_STEP = 2_000_000  # of Python that rules run between two decisions
FIRST_STEPS = 150  # of an interpreted game
TRIAL_GAMES = 4
RIVAL_GAMES = 100
RIVAL_ENDING = re.compile(
    r"\b(first|second|third|fourth|player|seat|team|opponent|rival)\b.*\b(wins?|won)\b",
    re.IGNORECASE,
)


def check_games_end(game_under_test: GameUnderTest) -> None:
    """Check that each rule returns, that options fit in their list, and that some game ends.

    All other checks play to the end, so they would wait forever for a game that has none.
    """
    game = game_under_test.game
    variants = game_under_test.variants
    for variant in (variants[0], variants[-1]):
        with add_context(variant, "random", lambda: "set-up"), limit_lines(game):
            trace = CheckedTrace(game_under_test, variant.box, 0)
        with add_context(variant, "random", trace.describe_position):
            player = game_under_test.make_player("random")
            while trace.table.ending < 0 and trace.step < FIRST_STEPS:
                with limit_lines(game):
                    n = len(trace.list_options())
                    trace.take_option(trace.choose(player, n) if n > 1 else 0)
    for variant in variants:
        engine = game_under_test.make_engine(variant, "random")
        with add_context(variant, "random"):
            rows = play_test_games(engine, TRIAL_GAMES)
            require(
                (rows[ENDING] < len(game.endings)).any(),
                f"none of {TRIAL_GAMES} random games ends within max_decisions, "
                f"{game.max_decisions:,} decisions; a game needs an end that random play reaches",
            )


@contextmanager
def limit_lines(game: Game) -> Iterator[None]:
    """Raise a `ConformanceError` if a rule runs more than `MAX_LINES_PER_STEP` lines of Python."""
    rules = {get_py_func(getattr(game, name)).__code__ for name in RULES}
    lines = 0

    def count_line(frame: FrameType, event: str, arg: Any) -> Callable:
        nonlocal lines
        lines += 1
        if lines > MAX_LINES_PER_STEP:
            while frame.f_code not in rules and frame.f_back is not None:
                frame = frame.f_back
            place = format_location((Path(frame.f_code.co_filename), frame.f_lineno))
            raise ConformanceError(
                f"{place}: {frame.f_code.co_name}() does not come to an end: more than "
                f"{MAX_LINES_PER_STEP:,} lines were run for one decision"
            )
        return count_line

    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        yield
    finally:
        sys.settrace(before)


def check_rivals(game_under_test: GameUnderTest) -> None:
    """Check that a game whose seats win against one another says so by `competitive`.

    Otherwise a win of any seat would count as a win of all.
    """
    game = game_under_test.game
    if game.competitive:
        return
    advice = "seats that win against one another need competitive=True in GAME"
    problems = []
    for ending in game.endings:
        if game.seats > 1 and RIVAL_ENDING.search(ending):
            problems.append(f"the ending {ending!r} speaks of rivals; {advice}")
    for variant in game_under_test.variants:
        workspace = Workspace(game)
        engine = game_under_test.make_engine(variant, "random")
        with add_context(variant, "random"):
            winners = play_test_games(engine, RIVAL_GAMES, workspace=workspace)[WINNERS]
        seats = int(readable(workspace.tables, REAL).seats)
        everyone = (1 << seats) - 1
        alone = winners[(winners != 0) & (winners != everyone)]
        if len(alone):
            names = [str(seat + 1) for seat in range(seats) if int(alone[0]) >> seat & 1]
            problems.append(
                f"seat {' and '.join(names)} of {seats} wins without the others; {advice}, and "
                "seats that win together are all in `winners`"
            )
            break
    if problems:
        raise ConformanceError(*problems)
