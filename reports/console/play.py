"""A game at the terminal: what a person is told and asked, and what the person may type."""

from __future__ import annotations

import contextlib
import re
import secrets
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from hardmode.reports.page.model import slug
from hardmode.reports.progress_bar import show_progress
from hardmode.scenarios.load import Variant
from hardmode.sim.contract import CAP
from hardmode.sim.files.text import escape_control_chars
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.interactive_game import InteractiveGame
from hardmode.studies.playtests import csv_file
from hardmode.studies.playtests.hint import Hint, compute_hint
from hardmode.studies.playtests.records import RecordColumns
from hardmode.studies.playtests.saved_game import SavedGame
from hardmode.studies.stats.formatting import format_rate

HELP = """\
  NUMBER    take that option
  hint      what an expert would do here, and what each option is worth
  undo      take your last choice back, while nothing has come of it
  position  all that you know of the table
  options   the options again
  quit      leave; the same command goes on from here
A first letter is enough."""
WORDS = ("hint", "undo", "position", "options", "quit", "help")
LONG = 200  # of what is known of one thing that lies face down
MANY = 40  # things of a kind are more than a person reads: no table holds so many, a box does
NOTHING: tuple[Any, ...] = (None, [], {}, "")


def fresh() -> int:
    """The seed of a game that nobody has seen."""
    return secrets.randbelow(2**31)


def kept_in(scenario: str) -> Path:
    return Path(f"{slug(scenario)}.play")


def play(
    cell: Variant,
    left: SavedGame,
    engine: Engine,
    file: Path,
    think: float,
    aloud: bool,
    threads: int = 0,
) -> InteractiveGame:
    """Play until the game is over, or the person leaves: then it lies in the file."""
    table = _Table(cell, left, engine, file, think, threads, sys.stdout if aloud else sys.stderr)
    left.save(file)
    if table.played():
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
    return table.sitting


def add(log: Path, cell: Variant, done: InteractiveGame, group: str, left: SavedGame) -> None:
    """Add the finished game to a table of plays."""
    columns = RecordColumns(cell)
    assert done.row is not None
    row = {
        **columns.format_game(done.row, done.seat),
        "date": date.today().isoformat(),
        "group": group,
        "seed": str(left.seed),
        "hints": str(left.hints),
    }
    csv_file.append_record(log, columns.header, row)


def is_won(cell: Variant, done: InteractiveGame) -> bool:
    winners = done.result["winners"]
    return done.seat + 1 in winners if cell.game.competitive else bool(winners)


class _Table:
    """The person's side of the table."""

    def __init__(
        self,
        cell: Variant,
        left: SavedGame,
        engine: Engine,
        file: Path,
        think: float,
        threads: int,
        to: Any,
    ) -> None:
        self.cell, self.left, self.file, self.think, self.threads, self.to = (
            cell,
            left,
            file,
            think,
            threads,
            to,
        )
        self.say(
            f"{cell.game.title}: {cell.title}{cell.overlay_suffix}; game {left.number} of seed {left.seed}. "
            f"You hold seat {left.seat + 1} of {cell.players}"
            + self._others()
            + ". Type help for what you can do.",
            "",
        )
        self.sitting = InteractiveGame(engine, left.seed, left.number, left.seat)
        self.hinted = -1  # the step at which a hint was last given
        gone_on = bool(left.script)
        self.say(*(self.sitting.replay_choices(left.script) if gone_on else self.sitting.advance()))

    def _others(self) -> str:
        rest = [str(s) for i, s in enumerate(self.cell.strategies) if i != self.left.seat]
        return f"; {', '.join(dict.fromkeys(rest))} at the others" if rest else ""

    def say(self, *lines: str) -> None:
        print(escape_control_chars("\n".join(lines)), file=self.to, flush=True)

    def played(self) -> bool:
        """Whether the game came to its end."""
        self.ask()
        while not self.sitting.is_over:
            line = self.read()
            if line is None:
                return False
            if not self.done(line):
                return False
        self.left.script = list(self.sitting.script)
        self.say("", *self.sitting.draw_picture(), "", *self._ended())
        return True

    def _ended(self) -> list[str]:
        made, row = self.sitting, self.sitting.result
        unit = self.cell.game.unit.rstrip("s") if row["rounds"] == 1 else self.cell.game.unit
        verdict = (
            ""
            if made.ending == CAP
            else " You have won."
            if is_won(self.cell, made)
            else " You have lost."
        )
        return [f"{made.ending} after {row['rounds']} {unit}.{verdict}"]

    def read(self) -> str | None:
        """A line that was typed; nothing at the end of all lines."""
        print("> ", end="", file=self.to, flush=True)
        line = sys.stdin.readline(10_000)
        return line.strip() if line else None

    def done(self, line: str) -> bool:
        """Do what was typed; false to leave."""
        if re.fullmatch("[0-9]{1,6}", line):
            self.choose(int(line))
            return True
        meant = [word for word in WORDS if line and word.startswith(line.lower())]
        if line == "?" or meant[:1] == ["help"] or len(meant) == 2:  # h may be hint or help
            self.hint() if line == "h" else self.say(HELP)
        elif not meant:
            self.say(
                f"{line[:60]!r} is no option and no word; type help"
                if line
                else "type a number, or help"
            )
        elif meant[0] == "quit":
            return False
        else:
            doing: dict[str, Callable[[], None]] = {
                "hint": self.hint,
                "undo": self.undo,
                "position": self.position,
                "options": self.ask,
            }
            doing[meant[0]]()
        return True

    def choose(self, number: int) -> None:
        choice = self.sitting.choice
        assert choice is not None
        if not 1 <= number <= len(choice.options):
            self.say(f"there are options 1 to {len(choice.options)}")
            return
        self.say(*self.sitting.take_option(number - 1))
        self._keep()
        if not self.sitting.is_over:
            self.ask()

    def _keep(self) -> None:
        """After each choice, so that nothing is lost whatever happens."""
        self.left.script = list(self.sitting.script)
        self.left.save(self.file)

    def ask(self) -> None:
        """The table in short, and the options with their numbers."""
        made = self.sitting
        if made.choice is None:
            return
        known = [
            f"you know {name}: {text}"
            for name, value in (made.known_state.get("hidden") or {}).items()
            if len(text := _whose(value)) <= LONG and re.search(r"\w", text)
        ]
        wide = len(str(len(made.choice.options)))
        self.say(
            "",
            *made.draw_picture(),
            *known,
            f"You decide: {made.choice.kind}",
            *(
                f"  {i + 1:>{wide}}  {_option(option, made.choice.kind)}"
                for i, option in enumerate(made.choice.options)
            ),
        )

    def undo(self) -> None:
        if self.sitting.undo():
            self.left.undone += 1
            self._keep()
            self.ask()
        else:
            self.say(
                "nothing can be taken back: your last choice has had its consequences"
                if self.sitting.own_steps
                else "you have chosen nothing yet"
            )

    def position(self) -> None:
        self.say(*_lines(self.sitting.known_state.get("open", {}), 1))
        hidden = self.sitting.known_state.get("hidden")
        if hidden:
            self.say("  face down, and known to you:", *_lines(hidden, 2))

    def hint(self) -> None:
        made = self.sitting
        assert made.choice is not None
        with show_progress("thinking") as step:
            found = compute_hint(
                self.cell,
                self.left.seed,
                self.left.number,
                self.left.seat,
                made.script,
                self.think,
                step,
                self.threads,
            )
        self.left.hints += self.hinted != len(made.script)
        self.hinted = len(made.script)
        self.say(*_told(found, made.choice.options, made.choice.kind))


def _told(found: Hint, options: list[dict[str, Any]], kind: str) -> list[str]:
    order = sorted(range(len(options)), key=lambda i: -found.option_rates[i].value)
    lines = [
        f"An expert would take {found.expert_option + 1}: {_option(options[found.expert_option], kind)}.",
        f"The chance to win with each, {found.rollout_policy} players playing on, in {found.option_rates[0].n} worlds like this:",
    ]
    best = found.option_rates[order[0]]
    if found.option_rates[found.expert_option].high < best.low:
        lines.insert(1, "These figures speak for another: an expert judges by a search of its own.")
    return [*lines, *(f"  {i + 1}: {format_rate(found.option_rates[i])}" for i in order)]


def _whose(value: Any) -> str:
    """What is known of a thing that each has one of: whose it is first."""
    return (
        "; ".join(f"{name}: {spoken(one)}" for name, one in value.items())
        if isinstance(value, dict)
        else spoken(value)
    )


def _option(option: dict[str, Any], kind: str) -> str:
    """An option in a line."""
    done = str(option.get("do", ""))
    rest = [
        spoken(value) if name == "how" else _named(name, value)
        for name, value in option.items()
        if name != "do"
    ]
    return ": ".join(
        part for part in (done if done != kind or not rest else "", ", ".join(rest)) if part
    )


def spoken(value: Any) -> str:
    """A value as a reader sees it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(_named(name, one) for name, one in value.items() if one not in NOTHING)
    if isinstance(value, (list, tuple)):
        flat = all(not isinstance(v, (dict, list)) for v in value)
        return (" " if flat else "; ").join(filter(None, map(spoken, value)))
    return "-" if value is None else str(value)


def _named(name: str, value: Any) -> str:
    """player 1, and not player player 1"""
    said = spoken(value)
    return said if said.startswith(f"{name} ") else f"{name} {said}"


def _lines(what: dict[str, Any], deep: int) -> list[str]:
    """What is known, a line for each thing."""
    lines = []
    for name, value in what.items():
        many = isinstance(value, list) and value and isinstance(value[0], dict)
        if isinstance(value, dict) and any(isinstance(v, (dict, list)) for v in value.values()):
            lines += [f"{'  ' * deep}{name}:", *_lines(value, deep + 1)]
        elif many:
            said = [f"{'  ' * (deep + 1)}{spoken(v)}" for v in value]
            lines += (
                [f"{'  ' * deep}{name}:", *said]
                if len(said) <= MANY
                else [f"{'  ' * deep}{name}: {len(said)}, as in the box"]
            )
        else:
            lines.append(f"{'  ' * deep}{name}: {spoken(value) or 'none'}")
    return lines
