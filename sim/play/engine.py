"""Engine: a game with a box and players, compiled and ready to play."""

from __future__ import annotations

import traceback
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from hardmode.sim.compile.source_location import (
    describe_exception,
    find_game_frame,
    format_location,
    get_py_func,
)
from hardmode.sim.contract import Game, RulesError, validation
from hardmode.sim.draws import Event, game_key, mask_of
from hardmode.sim.play import decisions, kernel
from hardmode.sim.play.decisions import Rules
from hardmode.sim.play.player import Player, StrategyError
from hardmode.sim.play.rule_compiler import (
    compile_all_rules,
    compile_decide,
    compile_kernel,
    compile_kernel_rules,
    compile_strategy,
    make_decide_stub,
)
from hardmode.sim.play.values import ValuesError, pack_values
from hardmode.sim.play.workspace import (
    MAX_WEIGHTS,
    REAL,
    RUN_ARGS,
    UNSET,
    Workspace,
    allocate_rows,
    as_cells,
    make_seat_config_dtype,
)
from hardmode.sim.records import PLAIN, Cells, blank, is_builtin_code

NO_CHOICES = np.zeros(0, np.int64)
NO_HASHES = np.zeros(0, np.uint64)
MAX_MESSAGE_LENGTH = 200  # characters of another exception that a message quotes

# Sources to resample (a mask, their numbers, or one event), and the seed they are drawn from.
Redraw = tuple[int | Iterable[int] | Event, int]


class Engine:
    """One game with one box and one strategy per seat, which plays any games of any seed.

    Args:
        game: The game.
        box: Its box, as `Game.fill_box` returns it.
        players: Its players in the order of seats; seats left over are taken by the first.

    Raises:
        RulesError: If the game cannot be played as it is declared, or cannot be compiled.
        StrategyError: If a strategy cannot be compiled.
    """

    def __init__(self, game: Game, box: np.ndarray, players: Sequence[Player]) -> None:
        self.game = game
        self.players = tuple(players)
        self.filled_box = box
        self.box = box.view(Cells) if PLAIN else np.asarray(box)
        self.max_steps = game.max_decisions
        validation.validate_game(game)
        first = self.players[0]
        self.seat_players = [*self.players, *[first] * (game.seats - len(self.players))]
        everyone = [*self.seat_players, *self._list_stand_ins()]
        is_watched = any(p.is_user_strategy for p in everyone)
        make_config = _make_seat_config if is_watched else _make_shared_seat_config
        self._seat_config = make_config(game, tuple(self.seat_players), tuple(everyone))
        needs_all = PLAIN or any(p.needs_decide for p in self.seat_players)
        if not is_builtin_code(get_py_func(game.setup)):
            needs_all = True  # so that all mistakes in the rules show at once
        self._play = compile_kernel(game)
        compiled = [compile_strategy(game, p.choose) for p in everyone]
        self._choose = tuple(compiled[: game.seats])
        self._stand_ins = tuple(compiled[game.seats :])
        has_values = any(p.values for p in self.seat_players)
        self._plain_decide = decisions.decide_with_values if has_values else decisions.decide
        if needs_all:
            self._rules = compile_all_rules(game)
            self._decide = compile_decide(game, self._plain_decide)
        else:
            self._rules = compile_kernel_rules(game)
            self._decide = make_decide_stub(game)
        self._box_checksum = self._compute_box_checksum() if is_watched else None

    def _list_stand_ins(self) -> list[Player]:
        """Return who chooses where each player makes a mistake, then each rollout policy."""
        mistake_players = [p.mistake_player or p for p in self.seat_players]
        return [*mistake_players, *(p.rollout_policy or p for p in self.seat_players)]

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers from which the box was filled; empty if they are not known."""
        return getattr(self.filled_box, "numbers", None) or {}

    @property
    def rules(self) -> Rules:
        """All rules of the game, compiled."""
        return compile_all_rules(self.game)

    def play(
        self,
        workspace: Workspace,
        seed: int,
        start: int,
        stop: int,
        out: np.ndarray,
        first_column: int = 0,
        *,
        script: np.ndarray = NO_CHOICES,
        trace: np.ndarray = NO_CHOICES,
        stop_step: int = -1,
        log: bool = False,
        redraw: Redraw | None = None,
        outcome_hashes: np.ndarray = NO_HASHES,
    ) -> None:
        """Play games start..stop-1 of a seed and write the row of each into a column of `out`.

        Args:
            workspace: The buffers of this thread; sums are added up in them.
            seed: The seed.
            start: The first game.
            stop: The game after the last.
            out: Receives the rows, as `allocate_rows` returns them.
            first_column: The column of the first game.
            script: The choices to follow in each game, as far as they reach.
            trace: Receives the choices of the game, as far as it has room.
            stop_step: The step at which to leave each game; -1 to finish it.
            log: Whether draws and decisions are logged in the workspace.
            redraw: The sources to resample, and the seed to draw them from.
            outcome_hashes: Receives the hash of each game's outcome, if it has room.

        Raises:
            RulesError: If a rule fails; names the line, the game and the step.
            StrategyError: If a strategy fails, chooses no legal option or writes to records.
        """
        sources, resample_seed = redraw or (0, 0)
        luck = workspace.lucks.view(np.ndarray)
        luck["log_on"][REAL] = log
        luck["alone"][REAL] = isinstance(sources, Event)
        if isinstance(sources, Event):
            luck["event"][REAL] = sources[1:]
            sources = sources[:1]
        luck["redrawn"][REAL] = sources if isinstance(sources, int) else mask_of(sources)
        workspace.fault[:] = 0
        try:
            self._play(
                self.box,
                workspace.record,
                tuple(self._rules),
                self._decide,
                self._choose,
                self._stand_ins,
                self._seat_config,
                self._make_run_args(seed, start, stop, stop_step, resample_seed),
                as_cells(script),
                as_cells(trace),
                out,
                as_cells(outcome_hashes),
                first_column,
            )
        except (KeyboardInterrupt, StrategyError, RulesError):
            raise
        except Exception as error:
            raise self._explain_exception(error, workspace, seed, start, stop, script) from error
        if workspace.fault[0]:
            raise self._explain_fault(workspace, seed)
        checksum = self._box_checksum
        if checksum is not None and checksum != self._compute_box_checksum():
            names = ", ".join(dict.fromkeys(f"{p.name} ({p.location})" for p in self.players))
            games = f"games {start} to {stop - 1} of seed {seed}"
            raise StrategyError(f"{names} wrote to the box, in {games}")

    def run_rollouts(
        self,
        kernel: Any,
        workspace: Workspace,
        redeal_for: Any,
        rollout_args: Any,
        winners: np.ndarray,
        taken: np.ndarray,
    ) -> None:
        """Play rollouts from the position in a workspace; see `rollouts.rollout_kernel`.

        Raises:
            RulesError: If a rule or a strategy fails.
        """
        try:
            kernel(
                self.box,
                workspace.record,
                tuple(self.rules),
                redeal_for,
                self._choose,
                self._stand_ins,
                self._seat_config,
                rollout_args,
                as_cells(winners),
                as_cells(taken),
            )
        except KeyboardInterrupt:
            raise
        except Exception as error:
            raise RulesError(
                f"{self.game.name}: a rollout from step {int(rollout_args['step'][0])} raises "
                f"{type(error).__name__}: {str(error)[:MAX_MESSAGE_LENGTH]}"
            ) from error

    def run_samples(
        self, kernel: Any, workspace: Workspace, sample_args: Any, arrays: Sequence[np.ndarray]
    ) -> int:
        """Play games and record positions; see `value_samples.sample_kernel`.

        Raises:
            RulesError: If a rule or a strategy fails.
        """
        try:
            return kernel(
                self.box,
                workspace.record,
                tuple(self.rules),
                self._choose,
                self._stand_ins,
                self._seat_config,
                sample_args,
                *arrays,
            )
        except KeyboardInterrupt:
            raise
        except Exception as error:
            raise RulesError(
                f"{self.game.name}: a game raises "
                f"{type(error).__name__}: {str(error)[:MAX_MESSAGE_LENGTH]}"
            ) from error

    def play_interpreted(
        self,
        workspace: Workspace,
        seed: int,
        start: int,
        stop: int,
        out: np.ndarray,
        script: np.ndarray = NO_CHOICES,
    ) -> None:
        """Play games in plain Python: slowly, but every error has a line.

        Args:
            workspace: A workspace for plain Python.
            seed: The seed.
            start: The first game.
            stop: The game after the last.
            out: Receives the rows.
            script: The choices to follow in each game, as far as they reach.
        """
        rules = [get_py_func(getattr(self.game, part)) for part in Rules._fields]
        choose = [get_py_func(p.choose) for p in self.seat_players]
        stand_ins = [get_py_func(p.choose) for p in self._list_stand_ins()]
        with np.errstate(over="ignore", divide="raise", invalid="raise"):
            kernel.play(
                self.box.view(Cells),
                workspace.record,
                rules,
                self._plain_decide,
                choose,
                stand_ins,
                self._seat_config.view(Cells),
                self._make_run_args(seed, start, stop, -1).view(Cells),
                script,
                NO_CHOICES,
                out.view(Cells),
                NO_HASHES,
                0,
            )
        if workspace.fault[0]:
            raise self._explain_fault(workspace, seed)

    def _make_run_args(
        self, seed: int, start: int, stop: int, stop_step: int, resample_seed: int = 0
    ) -> Any:
        args = blank(RUN_ARGS)
        args.view(np.ndarray)[0] = (seed, start, stop, self.max_steps, stop_step, resample_seed)
        return args

    def _compute_box_checksum(self) -> int:
        return zlib.crc32(self.box.view(np.ndarray).tobytes())

    def _explain_exception(
        self,
        error: Exception,
        workspace: Workspace,
        seed: int,
        start: int,
        stop: int,
        script: np.ndarray,
    ) -> Exception:
        """Return an exception that names the line of an error in compiled code.

        Compiled code does not know its lines, so the game is played again in plain Python.
        """
        key = workspace.lucks.view(np.ndarray)["key"][REAL]
        with np.errstate(over="ignore"):
            game = next((g for g in range(start, stop) if game_key(seed, g) == key), start)
        plain_workspace = Workspace(self.game, plain=True)
        row = allocate_rows(self.game, 1)
        try:
            self.play_interpreted(plain_workspace, seed, game, game + 1, row, script)
        except (StrategyError, RulesError) as explained:
            return explained
        except Exception as python_error:
            return self._explain_python_error(python_error, seed, game)
        message = str(error)
        if len(message) >= MAX_MESSAGE_LENGTH:
            message = f"{message[:MAX_MESSAGE_LENGTH]} ..."
        if "No matching definition" in message or "can't unbox" in message:
            message = (
                "the compiled game was called with records of other types than it was made for"
            )
        if isinstance(error, IndexError):
            message += "; in compiled code of hardmode, an index below 0 is out of range"
        return RulesError(
            f"{self.game.name}: game {game} of seed {seed} raises {type(error).__name__} when it "
            f"is compiled, but not in plain Python: {message}"
        )

    def _explain_python_error(self, error: Exception, seed: int, game: int) -> Exception:
        """Return an exception that names the line of an error in plain Python, and its culprit."""
        message = describe_exception(error)
        step = 0
        player = None
        strategies = {get_py_func(p.choose).__code__: p for p in self.players}
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if frame.f_code is kernel.play.__code__:
                step = int(frame.f_locals.get("step", 0))
                table = frame.f_locals["table"]
                if not 0 <= table.seat < self.game.seats:
                    seats = f"{self.game.seats} seats numbered from 0"
                    message = f"seat {table.seat} is to decide, of {seats}"
            player = player or strategies.get(frame.f_code)
        culprit = f"strategy {player.name!r}" if player else self.game.name
        message = f"{culprit}: {message}; game {game} of seed {seed}, step {step}"
        location = find_game_frame(error)
        if location:
            message = f"{format_location(location)}: {message}"
        return StrategyError(message) if player else RulesError(message)

    def _explain_fault(self, workspace: Workspace, seed: int) -> Exception:
        """Return an exception for the fault that the kernel recorded in a workspace."""
        code, game, step, kind, seat, index, n = (int(x) for x in workspace.fault)
        kind_name = f"{kind}, which is not one of the game's kinds"
        if 0 <= kind < len(self.game.kinds):
            kind_name = repr(self.game.kinds[kind])
        place = f"game {game} of seed {seed}, step {step}, decision {kind_name}"
        if code in (kernel.ILLEGAL_OPTION, kernel.STATE_WRITTEN):
            player = self.seat_players[seat]
            problem = f"returned {index} where 0 to {n - 1} are legal"
            if code == kernel.STATE_WRITTEN:
                problem = (
                    "wrote to the table, to its own part, to the options or to its weights, "
                    "which it may only read"
                )
            return StrategyError(f"{player.location}: strategy {player.name!r} {problem}; {place}")
        no_ending = f"the row's ending is {index}" if index != UNSET else "the row has no ending"
        rule, problem = {
            kernel.NO_OPTION: ("options", "no option is left"),
            kernel.TOO_MANY_OPTIONS: (
                "options",
                f"{n} options are more than max_options, {self.game.max_options}",
            ),
            kernel.NOT_SET_UP: (
                "setup",
                "set-up leaves the table without `ending`; it is -1 while the game goes on",
            ),
            kernel.NO_ENDING: ("outcome", no_ending),
        }[code]
        where = validation.locate_field(self.game, rule)
        return RulesError(f"{where}: {self.game.name}: {problem}; {place}")


@lru_cache(4)
def _make_shared_seat_config(
    game: Game, players: tuple[Player, ...], everyone: tuple[Player, ...]
) -> Any:
    """Return a cached record of the seats, several megabytes large.

    Engines may share it, since only strategies of users could write to it.
    """
    return _make_seat_config(game, players, everyone)


def _make_seat_config(game: Game, players: Sequence[Player], everyone: Sequence[Player]) -> Any:
    """Return the record of all seats; see `make_seat_config_dtype`.

    Args:
        game: The game.
        players: The players in the order of seats.
        everyone: The same, followed by all stand-ins.
    """
    record = blank(make_seat_config_dtype(game))
    fields = record.view(np.ndarray)[0]
    for seat, player in enumerate(players):
        fields["rollout_budget"][seat] = player.rollout_budget
        fields["switch_score"][seat] = player.switch_score
        fields["mistake_rate"][seat] = player.mistake_rate
        fields["is_special"][seat] = player.needs_decide
        fields["is_restricted"][seat] = bool(player.allowed_labels)
        fields["allowed_labels"][seat, list(player.allowed_labels)] = 1
        fields["counts_choices"][seat] = player.counts_choices
        if player.values:
            packed = _pack_values(game, player)
            fields["has_values"][seat] = 1
            fields["values"][seat, : packed.size] = packed
    for i, player in enumerate(everyone):
        n = len(player.weights)
        if n > MAX_WEIGHTS:
            raise StrategyError(
                f"{player.location}: strategy {player.name!r} has {n} weights; "
                f"at most {MAX_WEIGHTS} are possible"
            )
        fields["is_watched"][i] = player.is_user_strategy
        fields["n_weights"][i] = n
        fields["weights"][i, :n] = player.weights
    return record


def _pack_values(game: Game, player: Player) -> np.ndarray:
    """Return the value function of a player, packed.

    Raises:
        StrategyError: It does not fit the game.
    """
    assert player.values
    try:
        return pack_values(game, player.values)
    except ValuesError as error:
        raise StrategyError(f"{player.name}: {error}; train it again") from None
