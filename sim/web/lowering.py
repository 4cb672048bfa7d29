"""The kernel of one game as LLVM code for any machine, before any optimisation.

numba's code is for the machine it runs on as soon as a pass has optimised it: sizes of pointers are
folded into offsets then. So the code is taken as it was lowered, in a process with NUMBA_OPT=0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numba
from numba import types
from numba.core.compiler_lock import global_compiler_lock

from hardmode.sim.compile.cache import ignore_experimental_warning
from hardmode.sim.compile.numba_engine import (
    EntryCodegen,
    EntryContext,
    EntryLibrary,
    UncountedCompiler,
)
from hardmode.sim.compile.rule_dispatcher import RuleDispatcher
from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.contract import Game
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import Rules
from hardmode.sim.play.rollouts import make_rollout_key, redeal_nothing, rollout_kernel
from hardmode.sim.play.workspace import (
    ROLLOUT_ARGS,
    RUN_ARGS,
    make_seat_config_dtype,
    make_workspace_dtype,
)
from hardmode.sim.records import rule
from hardmode.sim.web.elementary_functions import FUNCTIONS

OPTIONS = {
    "nopython": True,
    "nogil": True,
    "boundscheck": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class LoweredFunction(NamedTuple):
    """A function with all that it calls, as LLVM code.

    Attributes:
        code: The code as assembly.
        symbol: The name of the function in it.
    """

    code: str
    symbol: str


class PortableLibrary(EntryLibrary):
    """Code with all rules that it reaches, linked but not optimised, and never run here."""

    def _optimize_final_module(self) -> None:
        """Leave the code as it was lowered."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return the null pointer."""
        return 0


class PortableCodegen(EntryCodegen):
    """Code generator that makes no machine code."""

    _library_class = PortableLibrary

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: there is no machine code whose globals could be set."""


class PortableContext(EntryContext):
    """Context of code for another machine."""

    codegen_class = PortableCodegen


def lower_function(function: Callable, arguments: tuple, result: Any) -> LoweredFunction:
    """Return the LLVM code of a function and of all rules that it calls.

    Args:
        function: The function, in plain Python.
        arguments: The numba types of its arguments.
        result: The numba type that it returns.
    """
    compiler = UncountedCompiler(function, OPTIONS, PortableContext, False)
    compiled = compiler.compile(arguments, result)
    with global_compiler_lock:
        compiled.library.finalize()
    return LoweredFunction(compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name)


def lower_elementary_functions() -> dict[str, LoweredFunction]:
    """Return the functions of `elementary_functions` by their names."""
    lowered = {}
    for name, function in FUNCTIONS.items():
        plain = get_py_func(function)
        arguments = (types.float64,) * plain.__code__.co_argcount
        lowered[name] = lower_function(plain, arguments, types.float64)
    return lowered


@ignore_experimental_warning()
def lower_game(game: Game, strategies: Sequence[Callable]) -> LoweredFunction:
    """Return the LLVM code of a function that plays games and continuations of games.

    Its arguments are those of `make_run_function`.

    Args:
        game: The game.
        strategies: The strategies that its players may use; a player's first weight is the number
            of its strategy.
    """
    function = make_run_function(game, chain_strategies(strategies))
    records = (
        game.box,
        make_workspace_dtype(game),
        make_seat_config_dtype(game),
        RUN_ARGS,
        ROLLOUT_ARGS,
    )
    pointers = [types.CPointer(numba.from_dtype(record)) for record in records]
    pointers += [types.CPointer(types.int64)] * 2
    pointers += [types.CPointer(types.int32), types.CPointer(types.uint64)]
    arguments = (*pointers, *[types.int32] * 4)
    return lower_function(function, arguments, types.int32)


def make_run_function(game: Game, choose: Callable) -> Callable:
    """Return a function that plays games with all records given by their addresses.

    Args:
        game: The game.
        choose: The strategy of all seats.
    """
    kept = {name: make_rule(getattr(game, name)) for name in Rules._fields}
    setup, options, take = kept["setup"], kept["options"], kept["take"]
    redeal, outcome, label = kept["redeal"], kept["outcome"], kept["label"]
    redeal_for = make_rule(game.redeal_for or redeal_nothing)
    play = make_rule(kernel.play)
    roll = make_rule(rollout_kernel)
    everyone = (choose,) * game.seats
    stand_ins = everyone * 2
    columns = len(game.columns)

    def run(
        box, workspace, seats, games, rollout, script, trace, rows, hashes, n, known, traced, trials
    ):
        """Play n games, or rollouts from the position at which a game was left.

        Games follow the first `known` choices of the script, and their first `traced` choices
        are written to the trace. Of rollouts, the winners are written to the script and the options
        taken first to the trace; `key` in their arguments is the salt, and `games` has the seed and
        number of the game. Return how many games were played before a fault.
        """
        boxes = numba.carray(box, 1)
        workspaces = numba.carray(workspace, 1)
        rules = (setup, options, take, redeal, outcome, label)
        configs = numba.carray(seats, 1)
        run_args = numba.carray(games, 1)
        if trials > 0:
            args = numba.carray(rollout, 1)
            played = run_args[0]
            args[0].key = make_rollout_key(played.seed, played.start, args[0].key)
            roll(
                boxes,
                workspaces,
                rules,
                redeal_for,
                everyone,
                stand_ins,
                configs,
                args,
                numba.carray(script, trials),
                numba.carray(trace, trials),
            )
            return n
        return play(
            boxes,
            workspaces,
            rules,
            refuse_decision,
            everyone,
            stand_ins,
            configs,
            run_args,
            numba.carray(script, known),
            numba.carray(trace, traced),
            numba.carray(rows, (columns, n)),
            numba.carray(hashes, n),
            0,
        )

    return run


@rule
def refuse_decision(box, workspace, rules, policies, n, key, max_steps, is_watching):
    """Return an illegal choice, in place of `decide`: nobody here searches or makes mistakes."""
    return -1


def chain_strategies(strategies: Sequence[Callable]) -> Any:
    """Return one strategy that plays as the strategy whose number is its first weight.

    Args:
        strategies: The strategies by their numbers, in plain Python or as rules.
    """
    chained = _strip_number(make_rule(strategies[-1]))
    for number in range(len(strategies) - 2, -1, -1):
        chained = _make_branch(number, make_rule(strategies[number]), chained)
    return chained


def _strip_number(strategy: Any) -> Any:
    @rule
    def choose(box, table, own, options, n, luck, weights):
        return strategy(box, table, own, options, n, luck, weights[1:])

    return choose


def _make_branch(number: int, strategy: Any, otherwise: Any) -> Any:
    @rule
    def choose(box, table, own, options, n, luck, weights):
        if weights[0] == number:
            return strategy(box, table, own, options, n, luck, weights[1:])
        return otherwise(box, table, own, options, n, luck, weights)

    return choose


def make_rule(function: Callable) -> Any:
    """Return a function as a rule, which is linked into its callers."""
    return function if isinstance(function, RuleDispatcher) else rule(get_py_func(function))
