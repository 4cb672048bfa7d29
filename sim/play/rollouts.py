"""Rollouts: estimate who wins from a position by playing it on many times.

Each rollout starts from a determinization, a position that a point of view cannot tell from the
real one: what is hidden from it is dealt anew, and so is all randomness to come. The players of
the game then play to the end (of a player who searches, the strategy below its search). The point
of view is fixed, so that odds do not jump when the turn passes from a seat that knows much to one
that knows little.

Rollouts of the same number use the same random draws at every position of a game (common random
numbers), so that differences between positions and options show after few of them. These draws
are independent of those of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.contract import WINNERS, Game
from hardmode.sim.draws import GOLD, game_key, lucky, mix64
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import (
    NO_ROUND,
    Context,
    Policies,
    Rules,
    choose_as_player,
    make_player_key,
    play_rollout,
)
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import (
    OFFERED,
    REAL,
    ROLLOUT_ARGS,
    TRIAL,
    Workspace,
    allocate_rows,
)
from hardmode.sim.records import PLAIN, blank, is_builtin_code, rule

COMMON_VIEW = -1  # the point of view of what all seats know together
POLICY_CHOICE = -1  # in place of an option: the player chooses
IMPOSSIBLE = -1  # in place of winners: the option is not legal in this determinization

_ROLLOUTS = np.uint64(0x0DD50F0A11A5A3D7)


@rule
def make_rollout_key(seed: int, number: int, salt: int) -> Any:
    """Return the key of all rollouts of one game; rollouts of different salts are independent."""
    return mix64((game_key(seed, number) ^ _ROLLOUTS) + np.uint64(salt) * GOLD)


@rule
def sample_determinization(context, redeal_for, args, key):
    """Copy the real position to the trial, and deal anew what the point of view cannot know."""
    workspace = context.workspace
    table = workspace.tables[TRIAL]
    hidden = workspace.hiddens[TRIAL]
    luck = workspace.lucks[TRIAL]
    workspace.tables[TRIAL] = workspace.tables[REAL]
    lucky(luck, key)
    if args.is_fixed_view:
        workspace.hiddens[TRIAL] = workspace.hiddens[REAL]
        redeal_for(context.box, table, args.viewer, hidden, luck)
    else:
        own = workspace.hiddens[REAL].own[table.seat]
        context.rules.redeal(context.box, table, own, hidden, luck)


@rule
def find_option(codes, n, option):
    """Return the index of an option in a list of n; -1 if it is not in the list."""
    for i in range(n):
        if codes[i] == option:
            return i
    return -1


def rollout_kernel(
    boxes,
    workspaces,
    rule_tuple,
    redeal_for,
    choose,
    stand_ins,
    seat_configs,
    rollout_args,
    winners,
    taken,
):
    """Play rollouts from the position at the real table.

    Records are passed as arrays of one item.

    Args:
        boxes: The box of the game.
        workspaces: The workspace of this thread.
        rule_tuple: The fields of `Rules`; numba converts functions only in plain tuples.
        redeal_for: The rule that deals anew for a fixed point of view.
        choose: The strategy of each seat.
        stand_ins: The other strategies, as in `decisions.Policies`.
        seat_configs: The settings of all seats.
        rollout_args: Which rollouts to play, and how.
        winners: Receives who wins each of them, as bits by seat.
        taken: Receives the option that is taken first in each of them.
    """
    box = boxes[0]
    workspace = workspaces[0]
    args = rollout_args[0]
    rules = Rules(*rule_tuple)
    policies = Policies(choose, stand_ins, seat_configs[0])
    context = Context(box, workspace, rules, policies, args.max_steps)
    table = workspace.tables[TRIAL]
    hidden = workspace.hiddens[TRIAL]
    luck = workspace.lucks[TRIAL]
    codes = workspace.lists[TRIAL]
    for w in range(args.start, args.stop):
        key = mix64(np.uint64(args.key) + np.uint64(w) * GOLD)
        sample_determinization(context, redeal_for, args, key)
        n = rules.options(box, table, hidden, codes)
        if args.is_forced:
            i = find_option(codes, n, args.option)
        elif n > 1:
            player_key = make_player_key(luck.key, args.step)
            i = choose_as_player(context, TRIAL, n, player_key)
        else:
            i = n - 1
        winners[w - args.start] = IMPOSSIBLE
        if 0 <= i < n:
            taken[w - args.start] = codes[i]
            rules.take(box, table, hidden, luck, codes[i])
            play_rollout(context, args.step + 1, True, NO_ROUND)
            winners[w - args.start] = workspace.cells[WINNERS]


def redeal_nothing(box, table, view, hidden, luck):
    """Do nothing: the rule of a game without different points of view."""


@cache
def compile_rollouts(game: Game) -> tuple[Callable, Callable]:
    """Return the rollout kernel and the rule `redeal_for`, compiled for a game."""
    redeal_for = game.redeal_for or redeal_nothing
    if PLAIN:
        return rollout_kernel, redeal_for
    signatures = kernel.make_signatures(game)
    return (
        compile_cached(rollout_kernel, signatures["rollout_kernel"], name=f"{game.name} rollouts"),
        compile_cached(
            redeal_for,
            signatures["redeal_for"],
            boundscheck=not is_builtin_code(redeal_for),
            name=f"{game.name} redeal_for",
        ),
    )


class Determinizer:
    """Rollouts from any step of the games of an engine and a seed.

    Example:
        determinizer = Determinizer(engine, seed)
        determinizer.seek(workspace, number, choices, step)
        winners, _ = determinizer.sample_winners(workspace, number, step, 0, 1000)
        win_rate_of_first_seat = (winners & 1).mean()
    """

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        self.seed = seed
        self._kernel, self._redeal_for = compile_rollouts(engine.game)
        self._row = allocate_rows(engine.game, 1)

    def seek(self, workspace: Workspace, number: int, script: np.ndarray, step: int) -> int:
        """Bring a game to a step of recorded choices, and return the number of options there."""
        row = self._row.copy()
        self.engine.play(
            workspace, self.seed, number, number + 1, row, script=script, stop_step=step
        )
        return int(workspace.totals[OFFERED])

    def sample_winners(
        self,
        workspace: Workspace,
        number: int,
        step: int,
        start: int,
        stop: int,
        *,
        view: int = COMMON_VIEW,
        option_index: int = POLICY_CHOICE,
        salt: int = 0,
        own_view: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play rollouts start..stop-1 from the position in a workspace.

        Args:
            workspace: A workspace at the position, as `seek` leaves it.
            number: The number of the game.
            step: The step of the position.
            start: The first rollout.
            stop: The rollout after the last.
            view: The seat from whose point of view positions are sampled, or `COMMON_VIEW`.
            option_index: The option to take first, or `POLICY_CHOICE`.
            salt: Rollouts of different salts are independent.
            own_view: Whether positions are sampled from the point of view of the seat to move.

        Returns:
            Who wins each rollout, as bits by seat, and the option taken first in each.
        """
        game = self.engine.game
        is_forced = option_index != POLICY_CHOICE
        winners, taken = np.zeros((2, stop - start), np.int64)
        with np.errstate(over="ignore"):
            key = make_rollout_key(self.seed, number, salt)
        args = blank(ROLLOUT_ARGS)
        args.view(np.ndarray)[0] = (
            view,
            game.redeal_for is not None and not own_view,
            is_forced,
            np.asarray(workspace.lists)[REAL, option_index] if is_forced else 0,
            step,
            game.max_decisions,
            start,
            stop,
            key,
        )
        self.engine.run_rollouts(self._kernel, workspace, self._redeal_for, args, winners, taken)
        return winners, taken
