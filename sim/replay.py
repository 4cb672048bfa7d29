"""One game told step by step, in names that somebody with the rulebook can follow.

The game is played once for its choices; then each position is reached again by following them,
so that what is shown is what the kernel played, and nothing is kept for the sake of telling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import ROUNDS, SCORES, WINNERS, Game, RulesError, validation
from hardmode.sim.draws import DECISION, LOG_CAPACITY
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.workspace import OFFERED, REAL, STEPS
from hardmode.sim.records import readable

NEW_ROUND = "-- new round --"  # the line by which words say where, within one step, a round ends and the next begins


@dataclass
class Step:
    """One decision and what came of it; step 0 is the deal."""

    number: int
    kind: str
    seat: int
    options: list[dict[str, Any]]
    taken: dict[str, Any] | None
    forced: bool
    draws: list[dict[str, Any]]
    state: dict[str, Any]


@dataclass
class Story:
    game: Game
    seed: int
    number: int
    players: list[str]
    steps: list[Step]
    ending: str
    row: dict[str, Any]
    choices: np.ndarray = field(repr=False)

    def to_list(self) -> list[dict[str, Any]]:
        """The game as the JSON list that `replay --json` prints."""
        out: list[dict[str, Any]] = []
        for s in self.steps:
            if s.taken is None:
                out.append({"step": 0, "kind": "deal", "draws": s.draws, "state": s.state})
                continue
            out.append(
                {
                    "step": s.number,
                    "kind": s.kind,
                    "seat": s.seat + 1,
                    "strategy": self.players[s.seat],
                    "forced": s.forced,
                    "options": s.options,
                    "taken": s.taken,
                    "draws": s.draws,
                    "state": s.state,
                }
            )
        out.append({"step": len(self.steps), "kind": "ending", "ending": self.ending, **self.row})
        return out


def choices(
    engine: Engine, desk: Desk, seed: int, number: int, **kwargs: Any
) -> tuple[np.ndarray, np.ndarray]:
    """The index taken at each step of a game, and the game's row."""
    trace = np.zeros(engine.game.max_decisions, np.int64)
    out = columns(engine.game, 1)
    desk.totals[:] = 0
    engine.play(desk, seed, number, number + 1, out, trace=trace, **kwargs)
    return trace[: int(desk.totals[STEPS])], np.asarray(out)[:, 0]


def logged(desk: Desk) -> np.ndarray:
    """The draws and decisions, in order, of the game that was just played with the log on."""
    luck = desk.lucks.view(np.ndarray)
    n = int(luck["log_n"][REAL])
    return np.array(luck["log"][REAL, : min(n, LOG_CAPACITY)])


def story(engine: Engine, seed: int, number: int) -> Story:
    """Tell one game."""
    game, desk = engine.game, Desk(engine.game)
    words = game.tell()
    taken, row = choices(engine, desk, seed, number)
    out = columns(game, 1)
    steps: list[Step] = []
    drawn, decision = 0, None
    for k in range(len(taken) + 1):
        engine.play(desk, seed, number, number + 1, out, script=taken, stop=k, log=True)
        box, table, hidden = (
            readable(engine.box),
            readable(desk.tables, REAL),
            readable(desk.hiddens, REAL),
        )
        log = logged(desk)
        with where_words_fail(game, f"game {number} of seed {seed}, step {k}"):
            draws = [
                drawn_words(game, words, box, entry)
                for entry in log[drawn:]
                if entry[0] != DECISION
            ]
            state = words.state(box, table, hidden)
        drawn = len(log)
        if decision is None:
            steps.append(Step(0, "deal", 0, [], None, True, draws, state))
        else:
            kind, seat, options = decision
            steps.append(
                Step(
                    k,
                    kind,
                    seat,
                    options,
                    options[int(taken[k - 1])],
                    len(options) == 1,
                    draws,
                    state,
                )
            )
        if k < len(taken):
            n, seat = int(desk.totals[OFFERED]), int(table.seat)
            codes = [int(c) for c in np.asarray(desk.lists)[0, :n]]
            own = hidden.own[seat]
            with where_words_fail(game, f"game {number} of seed {seed}, step {k + 1}"):
                kind = _declared(
                    game, "kinds", game.kinds, int(table.kind), "the decision's kind is"
                )
                decision = (kind, seat, [words.option(box, table, own, c) for c in codes])
    seated = [str(p) for p in engine.seated]
    return Story(
        game,
        seed,
        number,
        seated,
        steps,
        game.all_endings[int(row[0])],
        row_words(game, row, int(readable(desk.tables, REAL).seats)),
        taken,
    )


@contextmanager
def where_words_fail(game: Game, where: str) -> Iterator[None]:
    """Say of words that fail where they did."""
    try:
        yield
    except RulesError as why:
        raise RulesError(f"{why}; {where}") from None
    except Exception as why:
        at = source_location.text(source_location.playing(why) or source_location.start(game.setup))
        raise RulesError(
            f"{at}: {game.name}: its words fail: {source_location.spoken(why)}; {where}"
        ) from why


def _declared(game: Game, part: str, names: Sequence[Any], number: int, what: str) -> Any:
    """What the game calls a number; refused where it declares none."""
    if not 0 <= number < len(names):
        raise RulesError(
            f"{validation.where(game, part)}: {game.name}: {what} {number}; the game has {len(names)}, "
            "numbered from 0"
        )
    return names[number]


def row_words(game: Game, row: np.ndarray, seats: int) -> dict[str, Any]:
    """A row in names."""
    values = dict(zip(game.columns, (int(v) for v in row), strict=True))
    measures: dict[str, Any] = {}
    for m in game.measures:
        got = (
            [values[f"{m.name} {s + 1}"] for s in range(seats)] if m.per_seat else [values[m.name]]
        )
        named = [m.labels[v] if m.labels and 0 <= v < len(m.labels) else v for v in got]
        measures[m.name] = named if m.per_seat else named[0]
    return {
        "rounds": int(row[ROUNDS]),
        "winners": [s + 1 for s in range(seats) if int(row[WINNERS]) >> s & 1],
        "scores": [int(row[SCORES + s]) for s in range(seats)],
        "measures": measures,
    }


def drawn_words(game: Game, words: Any, box: Any, entry: np.ndarray) -> dict[str, Any]:
    where, a, b, c, n, result = (int(x) for x in entry)
    source = _declared(game, "sources", game.sources, where, "a draw's source is")
    address = {
        label: value for label, value in zip(source.address, (a, b, c), strict=True) if label
    }
    return {
        "source": source.name,
        "address": address,
        "of": n,
        "drawn": result,
        "result": words.face(box, where, a, b, c, n, result),
    }


def sentences(
    story: Story, words: Any, notes: Mapping[int, Sequence[str]] | None = None
) -> list[str]:
    """The story in sentences, with the board where it is worth a look, and notes after some steps."""
    with where_words_fail(story.game, f"game {story.number} of seed {story.seed}"):
        lines = _steps_told(story, words, notes or {})
    rounds = story.row["rounds"]
    unit = story.game.unit.rstrip("s") if rounds == 1 else story.game.unit
    return [*lines, "", f"{story.ending} after {rounds} {unit}"]


def _steps_told(story: Story, words: Any, notes: Mapping[int, Sequence[str]]) -> list[str]:
    lines: list[str] = []
    before: dict[str, Any] | None = None
    last_round = None
    for s in story.steps:
        shown = s.state.get("open", {}).get("round")
        said = words.tell(before, s.taken, s.draws, s.state)
        at = said.index(NEW_ROUND) if NEW_ROUND in said else 0
        lines += said[:at]
        if shown != last_round and before is not None and shown is not None:
            lines += [
                "",
                f"-- {story.game.unit.rstrip('s')} {shown} --",
                *words.picture(s.state).splitlines(),
                "",
            ]
        lines += [line for line in said[at:] if line != NEW_ROUND]
        lines += notes.get(s.number, ())
        last_round, before = shown, s.state
    return lines if before is None else [*lines, "", *words.picture(before).splitlines()]
