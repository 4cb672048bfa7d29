"""One game at which a person sits: brought from choice to choice, and told as far as that seat may know.

Of what lies face down, that is known which is the same in every world that the seat cannot tell from the real one: its
own hand, or a pile of which all else has been seen. What others chose is told where it shows. A choice can be taken
back while nothing has come of it that the seat did not know before: no draw, nothing turned up, no answer of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardmode.sim.contract import ENDING, RulesError
from hardmode.sim.draws import DECISION, GOLD, game_key, mix64
from hardmode.sim.play.decisions import Rules
from hardmode.sim.play.engine import Desk, Engine, StrategyError, columns
from hardmode.sim.play.workspace import OFFERED, REAL, STEPS, TRIAL
from hardmode.sim.records import readable
from hardmode.sim.replay import NEW_ROUND, drawn_words, logged, row_words, where_words_fail

WORLDS = 16  # in which what a seat knows is the same
_DEALT = np.uint64(0x51771D0F7AB1E000)


@dataclass(frozen=True)
class Choice:
    """A choice between options, as the table stands at a step."""

    kind: str
    seat: int
    options: list[dict[str, Any]]

    @property
    def real(self) -> bool:
        return len(self.options) > 1


class Sitting:
    """A game in which a person holds one seat; strategies hold the others."""

    def __init__(self, engine: Engine, seed: int, number: int, seat: int) -> None:
        self.engine, self.game, self.seed, self.number, self.seat = (
            engine,
            engine.game,
            seed,
            number,
            seat,
        )
        self.words = engine.game.tell()
        self.script: list[int] = []
        self.settled = 0  # so many choices cannot be taken back
        self.asked: list[int] = []  # the steps at which the person chose
        self.rules = Rules(*engine.rules)
        self.desk = Desk(self.game)
        self.row: np.ndarray | None = None  # of the finished game
        self.choice: Choice | None = None
        self.known: dict[str, Any] = {}  # the position, as the seat knows it
        self.told: list[str] = []  # what has happened since that was asked for
        self._guesses: list[dict[str, Any]] = []  # the position in two worlds
        self._before: list[dict[str, Any]] | None = None
        self._round: Any = None
        self._drawn = 0
        self._arrive()
        self._tell(None, 0)

    # -- going on ---------------------------------------------------------------------------------

    def play_on(self) -> list[str]:
        """Play to the person's next real choice, or to the ending; returns what happens meanwhile."""
        while self.choice and not (self.choice.real and self.choice.seat == self.seat):
            self._step(self._strategys() if self.choice.real else 0)
        told, self.told = self.told, []
        return told

    def take(self, i: int) -> list[str]:
        """The person takes an option; returns what happens until the next choice."""
        self.asked.append(len(self.script))
        self._step(i)
        return self.play_on()

    def again(self, script: Sequence[int]) -> list[str]:
        """The choices of a game that was left, made again."""
        for i in script:
            if self.choice is None or not 0 <= i < len(self.choice.options):
                raise RulesError("the choices that were kept do not fit the game")
            if self.choice.real and self.choice.seat == self.seat:
                self.asked.append(len(self.script))
            self._step(i)
        return self.play_on()

    def undo(self) -> bool:
        """Take the person's last choice back; not where something has come of it."""
        if not self.asked or self.asked[-1] < self.settled:
            return False
        del self.script[self.asked.pop() :]
        self.row = None
        self._arrive()
        self._before, self._drawn = self._guesses, len(logged(self.desk))
        return True

    @property
    def over(self) -> bool:
        return self.choice is None

    @property
    def ending(self) -> str:
        assert self.row is not None
        return self.game.all_endings[int(self.row[ENDING])]

    @property
    def result(self) -> dict[str, Any]:
        """The finished game's row in names."""
        assert self.row is not None
        return row_words(self.game, self.row, self.seats)

    @property
    def seats(self) -> int:
        return int(readable(self.desk.tables, REAL).seats)

    def picture(self) -> list[str]:
        with where_words_fail(self.game, self._where()):
            return self.words.picture(self.known).splitlines()

    # -- one step ---------------------------------------------------------------------------------

    def _step(self, i: int) -> None:
        choice, at = self.choice, len(self.script)
        assert choice is not None
        mine = choice.seat == self.seat
        quiet = self._quiet(i) if mine else []
        secret = not mine and choice.real and self._secret(i)
        self.script.append(i)
        self._arrive()
        log = logged(self.desk)
        if (
            (not mine and choice.real)
            or any(e[0] != DECISION for e in log[self._drawn :])
            or any(self._seen(REAL) != seen for seen in quiet)
        ):
            self.settled = at + 1
        if secret:
            self.told.append(f"Seat {choice.seat + 1} has chosen, unseen ({choice.kind}).")
        self._tell(None if secret else choice.options[i], self._drawn, secret)

    def _arrive(self) -> None:
        """Stand where the choices lead, and look around."""
        out, script = columns(self.game, 1), np.array(self.script, np.int64)
        self.desk.totals[:] = 0
        self.engine.play(
            self.desk,
            self.seed,
            self.number,
            self.number + 1,
            out,
            script=script,
            stop=len(script),
            log=True,
        )
        box, table, hidden = (
            readable(self.engine.box),
            readable(self.desk.tables, REAL),
            readable(self.desk.hiddens, REAL),
        )
        with where_words_fail(self.game, self._where()):
            if table.ending >= 0:
                self.row, self.choice = np.asarray(out)[:, 0], None
                self.known = self.words.state(box, table, hidden)
                self._guesses = [self.known] * 2
                return
            n, codes = int(self.desk.totals[OFFERED]), np.asarray(self.desk.lists)[0]
            self.choice = Choice(
                self.game.kinds[int(table.kind)],
                int(table.seat),
                [
                    self.words.option(box, table, hidden.own[int(table.seat)], int(codes[i]))
                    for i in range(n)
                ],
            )
            worlds = [self.words.state(box, table, self._world(w)) for w in range(WORLDS)]
        self._guesses = worlds[:2]
        self.known = {**worlds[0], "hidden": common([w["hidden"] for w in worlds])}

    def _tell(self, taken: dict[str, Any] | None, drawn: int, secret: bool = False) -> None:
        """What the seat sees of the last step: what would be told the same whatever lies face down."""
        log, box = logged(self.desk), readable(self.engine.box)
        if not secret:
            with where_words_fail(self.game, self._where()):
                draws = [
                    drawn_words(self.game, self.words, box, e)
                    for e in log[drawn:]
                    if e[0] != DECISION
                ]
                before: Sequence[Any] = self._before if self._before else (None, None)
                one, other = (
                    self.words.tell(b, taken, draws, a)
                    for b, a in zip(before, self._guesses, strict=True)
                )
            said = [line for line in one if line in other]
            at = said.index(NEW_ROUND) if NEW_ROUND in said else 0
            self.told += [
                *said[:at],
                *self._new_round(),
                *(line for line in said[at:] if line != NEW_ROUND),
            ]
        self._before, self._drawn = self._guesses, len(log)

    def _new_round(self) -> list[str]:
        now = self.known.get("open", {}).get("round")
        before, self._round = self._round, now
        if before is None or now in (None, before):
            return []
        return ["", f"-- {self.game.unit.rstrip('s')} {now} --", *self.picture(), ""]

    def _strategys(self) -> int:
        """What the strategy of the seat to decide takes."""
        return chosen_by(self.engine, self.seed, self.number, self.script)

    # -- what is known ----------------------------------------------------------------------------

    def _records(self, at: int) -> tuple[Any, Any, Any]:
        return self.desk.tables[at], self.desk.hiddens[at], self.desk.lucks[at]

    def _copy(self, world: int | None = None) -> None:
        """Lay the real position beside, or one that the seat cannot tell from it."""
        for part in (self.desk.tables, self.desk.hiddens, self.desk.lucks):
            part.view(np.ndarray)[TRIAL] = part.view(np.ndarray)[REAL]
        luck = self.desk.lucks.view(np.ndarray)
        luck["log_on"][TRIAL] = luck["redrawn"][TRIAL] = 0
        if world is None:
            return
        with np.errstate(over="ignore"):
            luck["key"][TRIAL] = mix64(
                (game_key(self.seed, self.number) ^ _DEALT)
                + np.uint64(WORLDS * len(self.script) + world + 1) * GOLD
            )
        tables, own = self.desk.tables.view(np.ndarray), self.desk.hiddens.view(np.ndarray)["own"]
        seat, tables["seat"][TRIAL] = int(tables["seat"][TRIAL]), self.seat
        table, hidden, lucky = self._records(TRIAL)
        self.rules.redeal(
            self.engine.box[0],
            table,
            readable(own[REAL], self.seat) if hasattr(table, "_at") else own[REAL][self.seat],
            hidden,
            lucky,
        )
        tables["seat"][TRIAL] = seat

    def _world(self, world: int) -> Any:
        """What lies face down in a world like the real one."""
        self._copy(world)
        return readable(self.desk.hiddens.view(np.ndarray)[TRIAL : TRIAL + 1].copy())

    def _seen(self, at: int) -> tuple[bytes, bytes]:
        """All that the seat can see: the table, and its own part."""
        return (
            self.desk.tables.view(np.ndarray)[at].tobytes(),
            self.desk.hiddens.view(np.ndarray)["own"][at][self.seat].tobytes(),
        )

    def _taken(self, i: int, world: int | None) -> tuple[bytes, bytes]:
        """What the seat would see after an option."""
        self._copy(world)
        table, hidden, luck = self._records(TRIAL)
        self.rules.take(
            self.engine.box[0], table, hidden, luck, int(np.asarray(self.desk.lists)[0, i])
        )
        return self._seen(TRIAL)

    def _quiet(self, i: int) -> list[tuple[bytes, bytes]]:
        """What the seat would see after an option, in worlds like the real one."""
        return [self._taken(i, world) for world in range(WORLDS)]

    def _secret(self, i: int) -> bool:
        """Whether the seat cannot tell what another one took."""
        assert self.choice is not None
        seen = self._taken(i, None)
        return any(self._taken(j, None) == seen for j in range(len(self.choice.options)) if j != i)

    def _where(self) -> str:
        return f"game {self.number} of seed {self.seed}, step {len(self.script)}"


def chosen_by(engine: Engine, seed: int, number: int, script: Sequence[int]) -> int:
    """What the player who is to decide takes after these choices."""
    trace, at = np.zeros(len(script) + 1, np.int64), len(script)
    desk = Desk(engine.game)
    engine.play(
        desk,
        seed,
        number,
        number + 1,
        columns(engine.game, 1),
        script=np.array(script, np.int64),
        trace=trace,
        stop=at + 1,
    )
    if desk.totals[STEPS] <= at:
        raise StrategyError("there is nothing to choose")
    return int(trace[at])


def common(worlds: Sequence[Any]) -> Any:
    """What is the same in all worlds; of mappings, part by part."""
    first = worlds[0]
    if all(w == first for w in worlds):
        return first
    if not all(isinstance(w, dict) for w in worlds):
        return None
    found = {
        key: common([w[key] for w in worlds]) for key in first if all(key in w for w in worlds)
    }
    return {key: value for key, value in found.items() if value is not None} or None
