"""Interactive games: a person holds one seat and sees only what that seat may know.

Of hidden things, the seat knows what is the same in all determinizations: its own hand, or a pile
of which all other cards have been seen. Choices of others are shown where they are visible. A
choice can be taken back as long as the seat has learned nothing from it: no draw, nothing turned
up, no answer of another player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.sim.contract import ENDING, RulesError
from hardmode.sim.draws import DECISION, GOLD, game_key, mix64
from hardmode.sim.narration import (
    draw_round,
    find_common_knowledge,
    insert_round,
    keep_known_lines,
)
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import StrategyError
from hardmode.sim.play.workspace import OFFERED, REAL, STEPS, TRIAL, Workspace, allocate_rows
from hardmode.sim.records import Record, readable
from hardmode.sim.replay import drawn_words, logged, row_words, where_words_fail

DETERMINIZATIONS = 16  # in which something must be the same to count as known
_SALT = np.uint64(0x51771D0F7AB1E000)


@dataclass(frozen=True)
class PendingChoice:
    """A choice that a seat has to make."""

    kind: str
    seat: int
    options: list[dict[str, Any]]

    @property
    def is_real(self) -> bool:
        """True if there is more than one option."""
        return len(self.options) > 1


class InteractiveGame:
    """A game in which a person holds one seat and strategies hold the others.

    Args:
        engine: The engine; the strategy at the person's seat is not asked.
        seed: The seed of the game.
        number: The number of the game.
        seat: The person's seat, from 0.

    Attributes:
        script: The choices made so far, as indices of options.
        choice: The choice that is to be made; None at the end of the game.
        known_state: The position in the game's words, as the seat knows it.
        own_steps: The steps at which the person chose.
        irrevocable_choices: The number of choices that cannot be taken back any more.
        row: The row of the finished game, or None.
    """

    def __init__(self, engine: Engine, seed: int, number: int, seat: int) -> None:
        self.engine = engine
        self.game = engine.game
        self.words = engine.game.load_words()
        self.seed = seed
        self.number = number
        self.seat = seat
        self.script: list[int] = []
        self.own_steps: list[int] = []
        self.irrevocable_choices = 0
        self.rules = engine.rules
        self.workspace = Workspace(self.game)
        self.row: np.ndarray | None = None
        self.choice: PendingChoice | None = None
        self.known_state: dict[str, Any] = {}
        self.pending_lines: list[str] = []  # what happened since `advance` returned
        # The position in two determinizations, after the latest step and before it.
        self._states: list[dict[str, Any]] = []
        self._states_before: list[dict[str, Any]] | None = None
        self._round: Any = None
        self._log_length = 0  # draws and decisions that were described
        self._follow_script()
        self._describe_step(None, 0)

    # -- going on ---------------------------------------------------------------------------------

    def advance(self) -> list[str]:
        """Play to the person's next real choice or to the ending, and return what happens."""
        while self.choice and not (self.choice.is_real and self.choice.seat == self.seat):
            i = 0
            if self.choice.is_real:
                i = ask_strategy(self.engine, self.seed, self.number, self.script)
            self._take_step(i)
        lines = self.pending_lines
        self.pending_lines = []
        return lines

    def take_option(self, i: int) -> list[str]:
        """Take an option for the person, and return what happens until the next choice."""
        self.own_steps.append(len(self.script))
        self._take_step(i)
        return self.advance()

    def replay_choices(self, script: Sequence[int]) -> list[str]:
        """Replay the saved choices of an unfinished game, and return what happens.

        Raises:
            RulesError: If a choice is not possible in this game.
        """
        for i in script:
            if self.choice is None or not 0 <= i < len(self.choice.options):
                raise RulesError("the saved choices do not fit the game")
            if self.choice.is_real and self.choice.seat == self.seat:
                self.own_steps.append(len(self.script))
            self._take_step(i)
        return self.advance()

    def undo(self) -> bool:
        """Take back the person's last choice; return False if that is not possible any more."""
        if not self.own_steps or self.own_steps[-1] < self.irrevocable_choices:
            return False
        del self.script[self.own_steps.pop() :]
        self.row = None
        self._follow_script()
        self._states_before = self._states
        self._log_length = len(logged(self.workspace))
        return True

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.choice is None

    @property
    def ending(self) -> str:
        """The name of the finished game's ending."""
        assert self.row is not None
        return self.game.all_endings[int(self.row[ENDING])]

    @property
    def result(self) -> dict[str, Any]:
        """The finished game's row in names."""
        assert self.row is not None
        return row_words(self.game, self.row, self.seats)

    @property
    def seats(self) -> int:
        """The number of seats that play."""
        return int(readable(self.workspace.tables, REAL).seats)

    def draw_picture(self) -> list[str]:
        """Return the lines of a picture of the position, as the seat knows it."""
        with where_words_fail(self.game, self._describe_place()):
            return self.words.picture(self.known_state).splitlines()

    # -- one step ---------------------------------------------------------------------------------

    def _take_step(self, i: int) -> None:
        """Take an option for the seat to move, and describe what happens."""
        choice = self.choice
        step = len(self.script)
        assert choice is not None
        is_own = choice.seat == self.seat
        is_others_choice = choice.is_real and not is_own
        is_secret = is_others_choice and self._is_secret(i)
        expected_views = self._predict_views(i) if is_own else []
        self.script.append(i)
        self._follow_script()
        new_entries = logged(self.workspace)[self._log_length :]
        has_draw = any(entry[0] != DECISION for entry in new_entries)
        is_surprising = any(self._get_view(REAL) != view for view in expected_views)
        if is_others_choice or has_draw or is_surprising:
            self.irrevocable_choices = step + 1
        if is_secret:
            self.pending_lines.append(
                f"Seat {choice.seat + 1} has chosen secretly ({choice.kind})."
            )
        self._describe_step(None if is_secret else choice.options[i], self._log_length, is_secret)

    def _follow_script(self) -> None:
        """Bring the game to where the script leads, and read what the seat knows there."""
        row = allocate_rows(self.game, 1)
        script = np.array(self.script, np.int64)
        self.workspace.totals[:] = 0
        self.engine.play(
            self.workspace,
            self.seed,
            self.number,
            self.number + 1,
            row,
            script=script,
            stop_step=len(script),
            log=True,
        )
        box = readable(self.engine.box)
        table = readable(self.workspace.tables, REAL)
        hidden = readable(self.workspace.hiddens, REAL)
        with where_words_fail(self.game, self._describe_place()):
            if table.ending >= 0:
                self.row = np.asarray(row)[:, 0]
                self.choice = None
                self.known_state = self.words.state(box, table, hidden)
                self._states = [self.known_state] * 2
                return
            seat = int(table.seat)
            n = int(self.workspace.totals[OFFERED])
            codes = [int(code) for code in np.asarray(self.workspace.lists)[REAL, :n]]
            options = [self.words.option(box, table, hidden.own[seat], code) for code in codes]
            self.choice = PendingChoice(self.game.kinds[int(table.kind)], seat, options)
            states = [
                self.words.state(box, table, self._sample_hidden(number))
                for number in range(DETERMINIZATIONS)
            ]
        self._states = states[:2]
        hidden_parts = [state["hidden"] for state in states]
        self.known_state = {**states[0], "hidden": find_common_knowledge(hidden_parts)}

    def _describe_step(
        self, taken: dict[str, Any] | None, log_start: int, is_secret: bool = False
    ) -> None:
        """Add the lines about the last step that are the same whatever is hidden.

        Args:
            taken: The option that was taken, or None.
            log_start: The first entry of the log that belongs to the step.
            is_secret: Whether the seat could not see which option was taken.
        """
        log = logged(self.workspace)
        box = readable(self.engine.box)
        if not is_secret:
            entries = [entry for entry in log[log_start:] if entry[0] != DECISION]
            before: Sequence[Any] = self._states_before or (None, None)
            with where_words_fail(self.game, self._describe_place()):
                draws = [drawn_words(self.game, self.words, box, entry) for entry in entries]
                first = self.words.tell(before[0], taken, draws, self._states[0])
                second = self.words.tell(before[1], taken, draws, self._states[1])
            lines = keep_known_lines([first, second])
            self.pending_lines += insert_round(lines, self._describe_new_round())
        self._states_before = self._states
        self._log_length = len(log)

    def _describe_new_round(self) -> list[str]:
        """Return a heading and a picture if a new round has begun."""
        before = self._round
        self._round = self.known_state.get("open", {}).get("round")
        if before is None or self._round in (None, before):
            return []
        with where_words_fail(self.game, self._describe_place()):
            return draw_round(self.words, self.game.unit, self._round, self.known_state)

    # -- what is known ----------------------------------------------------------------------------

    def _copy(self, determinization: int | None = None) -> None:
        """Copy the real position to the trial, or deal anew there what the seat cannot know.

        Args:
            determinization: The number of the determinization; None for the real position.
        """
        workspace = self.workspace
        for part in (workspace.tables, workspace.hiddens, workspace.lucks):
            part.view(np.ndarray)[TRIAL] = part.view(np.ndarray)[REAL]
        luck = workspace.lucks.view(np.ndarray)
        luck["log_on"][TRIAL] = luck["redrawn"][TRIAL] = 0
        if determinization is None:
            return
        index = DETERMINIZATIONS * len(self.script) + determinization + 1
        with np.errstate(over="ignore"):
            game_salt = game_key(self.seed, self.number) ^ _SALT
            luck["key"][TRIAL] = mix64(game_salt + np.uint64(index) * GOLD)
        tables = workspace.tables.view(np.ndarray)
        all_own = workspace.hiddens.view(np.ndarray)["own"][REAL]
        seat = int(tables["seat"][TRIAL])
        tables["seat"][TRIAL] = self.seat
        table = workspace.tables[TRIAL]
        hidden = workspace.hiddens[TRIAL]
        own = readable(all_own, self.seat) if isinstance(table, Record) else all_own[self.seat]
        self.rules.redeal(self.engine.box[0], table, own, hidden, workspace.lucks[TRIAL])
        tables["seat"][TRIAL] = seat

    def _sample_hidden(self, determinization: int) -> Any:
        """Return the hidden part of a determinization."""
        self._copy(determinization)
        return readable(self.workspace.hiddens.view(np.ndarray)[TRIAL : TRIAL + 1].copy())

    def _get_view(self, place: int) -> tuple[bytes, bytes]:
        """Return all that the seat can see: the table, and its own part."""
        table = self.workspace.tables.view(np.ndarray)[place]
        own = self.workspace.hiddens.view(np.ndarray)["own"][place][self.seat]
        return table.tobytes(), own.tobytes()

    def _predict_view(self, i: int, determinization: int | None) -> tuple[bytes, bytes]:
        """Return what the seat would see after option i is taken in a determinization."""
        self._copy(determinization)
        workspace = self.workspace
        code = int(np.asarray(self.workspace.lists)[REAL, i])
        table = workspace.tables[TRIAL]
        hidden = workspace.hiddens[TRIAL]
        self.rules.take(self.engine.box[0], table, hidden, workspace.lucks[TRIAL], code)
        return self._get_view(TRIAL)

    def _predict_views(self, i: int) -> list[tuple[bytes, bytes]]:
        return [self._predict_view(i, number) for number in range(DETERMINIZATIONS)]

    def _is_secret(self, i: int) -> bool:
        """Return whether the seat sees no difference between option i and some other option."""
        assert self.choice is not None
        view = self._predict_view(i, None)
        others = [j for j in range(len(self.choice.options)) if j != i]
        return any(self._predict_view(j, None) == view for j in others)

    def _describe_place(self) -> str:
        return f"game {self.number} of seed {self.seed}, step {len(self.script)}"


def ask_strategy(engine: Engine, seed: int, number: int, script: Sequence[int]) -> int:
    """Return the option that the strategy of the seat to move takes after a script of choices.

    Args:
        engine: The engine, which holds the strategies.
        seed: The seed of the game.
        number: The number of the game.
        script: The choices made so far.

    Raises:
        StrategyError: If the game ends before.
    """
    step = len(script)
    trace = np.zeros(step + 1, np.int64)
    workspace = Workspace(engine.game)
    engine.play(
        workspace,
        seed,
        number,
        number + 1,
        allocate_rows(engine.game, 1),
        script=np.array(script, np.int64),
        trace=trace,
        stop_step=step + 1,
    )
    if workspace.totals[STEPS] <= step:
        raise StrategyError("there is nothing to choose")
    return int(trace[step])
