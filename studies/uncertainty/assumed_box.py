"""Games of the box as it is assumed, for the headline beside the band."""

from __future__ import annotations

from hardmode.scenarios.load import Variant
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.uncertainty.stages import Stage

BLOCK_GAMES = 2000  # of them, games at a time


def play_assumed_box(
    cell: Variant,
    effort: Effort,
    stage: Stage,
) -> RunState:
    """Play the box as it is assumed until the stage is over or Ctrl-C interrupts.

    Raises:
        KeyboardInterrupt: Not one game was finished.
    """
    engine = make_engine(cell)
    runner = Runner(engine, effort.seed, threads=effort.threads)
    state = RunState(Tally(engine.game))
    while not state.interrupted:
        runner.run(state, min(BLOCK_GAMES, effort.games), first=state.games)
        if stage.finish_turn() or state.games >= effort.games:
            break
    if not state.games:
        raise KeyboardInterrupt
    return state
