"""Interactive game at the terminal: the texts that a person reads, and the commands to type."""

from __future__ import annotations

import contextlib
import re
import secrets
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TextIO

from hardmode.reports.console.wording import format_count, singularize_unit
from hardmode.reports.page.model import make_slug
from hardmode.reports.progress_bar import show_progress
from hardmode.scenarios.load import Variant
from hardmode.sim.contract import CAP
from hardmode.sim.files.text import escape_control_chars
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.interactive_game import InteractiveGame, PendingChoice
from hardmode.studies.playtests import csv_file
from hardmode.studies.playtests.hint import Hint, compute_hint
from hardmode.studies.playtests.records import RecordColumns
from hardmode.studies.playtests.saved_game import SavedGame
from hardmode.studies.stats.formatting import format_rate

HELP = """\
  NUMBER    take that option
  hint      what an expert would do here, and the chance to win with each option
  undo      take your last choice back, as long as it has had no consequences
  position  everything that you know of the table
  options   the options again
  quit      leave; the same command continues the game
The first letter is enough."""
COMMANDS = ("hint", "undo", "position", "options", "quit", "help")
NUMBER_PATTERN = "[0-9]{1,6}"
MAX_LINE = 10_000  # characters that are read at once
MAX_ECHO = 60  # characters of a wrong input that are printed again
MAX_HIDDEN_CHARS = 200  # of one hidden thing that is printed with every decision
MAX_ITEMS = 40  # of a list that are printed; only lists of the box are longer
EMPTY_VALUES: tuple[Any, ...] = (None, [], {}, "")
INDENT = "  "


def draw_seed() -> int:
    """Return a random seed, for a game that the person has not seen before."""
    return secrets.randbelow(2**31)


def make_save_path(scenario: str) -> Path:
    """Return the file in which an unfinished game of a scenario is saved by default."""
    return Path(f"{make_slug(scenario)}.play")


def play_at_terminal(
    cell: Variant,
    saved: SavedGame,
    engine: Engine,
    path: Path,
    hint_seconds: float,
    on_stdout: bool,
    threads: int = 0,
) -> InteractiveGame:
    """Play until the game is over or the person leaves.

    Args:
        cell: The variant.
        saved: The choices so far.
        engine: The engine of the variant.
        path: The file of the saved game. It is deleted when the game is over.
        hint_seconds: Time for a hint.
        on_stdout: Print to stdout, not to stderr.
        threads: Threads for hints; 0 for one per core.

    Returns:
        The game. It is unfinished if the person has left.
    """
    stream = sys.stdout if on_stdout else sys.stderr
    session = _TerminalSession(cell, saved, engine, path, hint_seconds, threads, stream)
    saved.save(path)
    if session.play():
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    return session.game


def append_finished_game(
    log: Path, cell: Variant, game: InteractiveGame, group: str, saved: SavedGame
) -> None:
    """Append a finished game to a table of plays."""
    columns = RecordColumns(cell)
    assert game.row is not None
    row = {
        **columns.format_game(game.row, game.seat),
        "date": date.today().isoformat(),
        "group": group,
        "seed": str(saved.seed),
        "hints": str(saved.hints),
    }
    csv_file.append_record(log, columns.header, row)


def has_person_won(cell: Variant, game: InteractiveGame) -> bool:
    """Return whether the person has won, alone or together with the others."""
    winners = game.result["winners"]
    return game.seat + 1 in winners if cell.game.competitive else bool(winners)


class _TerminalSession:
    """Dialog with the person who plays."""

    def __init__(
        self,
        cell: Variant,
        saved: SavedGame,
        engine: Engine,
        path: Path,
        hint_seconds: float,
        threads: int,
        stream: TextIO,
    ) -> None:
        self.cell = cell
        self.saved = saved
        self.path = path
        self.hint_seconds = hint_seconds
        self.threads = threads
        self.stream = stream
        self.last_hint_step = -1
        self.print_lines(self._describe_game(), "")
        self.game = InteractiveGame(engine, saved.seed, saved.number, saved.seat)
        if saved.script:
            self.print_lines(*self.game.replay_choices(saved.script))
        else:
            self.print_lines(*self.game.advance())

    def _describe_game(self) -> str:
        cell, saved = self.cell, self.saved
        others = [str(spec) for i, spec in enumerate(cell.strategies) if i != saved.seat]
        others_text = ""
        if others:
            others_text = f"; the other seats: {', '.join(dict.fromkeys(others))}"
        return (
            f"{cell.game.title}: {cell.title}{cell.overlay_suffix}; game {saved.number} of seed "
            f"{saved.seed}. You hold seat {saved.seat + 1} of {cell.players}{others_text}. Type "
            "help to see what you can do."
        )

    def print_lines(self, *lines: str) -> None:
        print(escape_control_chars("\n".join(lines)), file=self.stream, flush=True)

    def play(self) -> bool:
        """Play on, and return whether the game came to its end."""
        self.print_decision()
        while not self.game.is_over:
            line = self._read_line()
            if line is None or not self._run_command(line):
                return False
        self.saved.script = list(self.game.script)
        self.print_lines("", *self.game.draw_picture(), "", self._describe_ending())
        return True

    def _describe_ending(self) -> str:
        unit = self.cell.game.unit
        rounds = self.game.result["rounds"]
        if rounds == 1:
            unit = singularize_unit(unit)
        text = f"{self.game.ending} after {rounds} {unit}."
        if self.game.ending == CAP:
            return text
        verdict = "won" if has_person_won(self.cell, self.game) else "lost"
        return f"{text} You have {verdict}."

    def _read_line(self) -> str | None:
        """Return the line that was typed, or None at the end of input."""
        print("> ", end="", file=self.stream, flush=True)
        line = sys.stdin.readline(MAX_LINE)
        return line.strip() if line else None

    def _run_command(self, line: str) -> bool:
        """Do what was typed, and return whether the game goes on."""
        if re.fullmatch(NUMBER_PATTERN, line):
            self.take_option(int(line))
            return True
        actions: dict[str, Callable[[], None]] = {
            "hint": self.print_hint,
            "undo": self.undo_choice,
            "position": self.print_position,
            "options": self.print_decision,
            "help": self.print_help,
        }
        command = self._find_command(line)
        if command == "quit":
            return False
        if command:
            actions[command]()
        elif line:
            self.print_lines(f"{line[:MAX_ECHO]!r} is not an option or a command; type help")
        else:
            self.print_lines("type a number, or help")
        return True

    def _find_command(self, line: str) -> str | None:
        """Return the command that begins with a line; "h" is hint, and "he" is help."""
        if line == "?":
            return "help"
        matches = [word for word in COMMANDS if line and word.startswith(line.lower())]
        return matches[0] if matches else None

    def print_help(self) -> None:
        self.print_lines(HELP)

    def take_option(self, number: int) -> None:
        """Take an option by the number that is printed."""
        choice = self._get_choice()
        if not 1 <= number <= len(choice.options):
            self.print_lines(f"type a number from 1 to {len(choice.options)}")
            return
        self.print_lines(*self.game.take_option(number - 1))
        self._save()
        if not self.game.is_over:
            self.print_decision()

    def _get_choice(self) -> PendingChoice:
        assert self.game.choice is not None
        return self.game.choice

    def _save(self) -> None:
        """Save the game after each choice, so that nothing is lost."""
        self.saved.script = list(self.game.script)
        self.saved.save(self.path)

    def print_decision(self) -> None:
        """Print the table in short, and the options with their numbers."""
        choice = self.game.choice
        if choice is None:
            return
        lines = ["", *self.game.draw_picture()]
        for name, value in (self.game.known_state.get("hidden") or {}).items():
            text = _format_by_owner(value)
            if len(text) <= MAX_HIDDEN_CHARS and re.search(r"\w", text):
                lines.append(f"you know {name}: {text}")
        lines.append(f"You decide: {choice.kind}")
        width = len(str(len(choice.options)))
        for i, option in enumerate(choice.options):
            lines.append(f"  {i + 1:>{width}}  {_format_option(option, choice.kind)}")
        self.print_lines(*lines)

    def undo_choice(self) -> None:
        """Take the last choice back if it has had no consequences."""
        if self.game.undo():
            self.saved.undone += 1
            self._save()
            self.print_decision()
        elif self.game.own_steps:
            self.print_lines("nothing can be taken back: your last choice has had its consequences")
        else:
            self.print_lines("you have not chosen anything yet")

    def print_position(self) -> None:
        """Print everything that the person knows of the table."""
        self.print_lines(*_format_state(self.game.known_state.get("open", {}), 1))
        hidden = self.game.known_state.get("hidden")
        if hidden:
            self.print_lines("  hidden things that you know:", *_format_state(hidden, 2))

    def print_hint(self) -> None:
        """Print what an expert would do; count the hint once for each decision."""
        choice = self._get_choice()
        saved, script = self.saved, self.game.script
        with show_progress("thinking") as progress:
            hint = compute_hint(
                self.cell,
                saved.seed,
                saved.number,
                saved.seat,
                script,
                self.hint_seconds,
                progress,
                self.threads,
            )
        if self.last_hint_step != len(script):
            saved.hints += 1
            self.last_hint_step = len(script)
        self.print_lines(*_describe_hint(hint, choice))


def _describe_hint(hint: Hint, choice: PendingChoice) -> list[str]:
    rates = hint.option_rates
    order = sorted(range(len(rates)), key=lambda i: -rates[i].value)
    best, expert = rates[order[0]], rates[hint.expert_option]
    option = _format_option(choice.options[hint.expert_option], choice.kind)
    lines = [f"An expert would take {hint.expert_option + 1}: {option}."]
    if expert.high < best.low:
        lines.append(
            "The chances below speak for another option: the expert decides by its own search."
        )
    positions = format_count(best.n, "possible position")
    lines.append(
        f"Chance to win with each option if {hint.rollout_policy} players finish the game, from "
        f"{positions}:"
    )
    lines += [f"  {i + 1}: {format_rate(rates[i])}" for i in order]
    return lines


def _format_by_owner(value: Any) -> str:
    """Return something that each player has, with the names of the players."""
    if not isinstance(value, dict):
        return format_state_value(value)
    return "; ".join(f"{name}: {format_state_value(item)}" for name, item in value.items())


def _format_option(option: dict[str, Any], kind: str) -> str:
    """Return an option in one line, without its name if that is the kind of the decision."""
    name = str(option.get("do", ""))
    details = []
    for key, value in option.items():
        if key == "how":
            details.append(format_state_value(value))
        elif key != "do":
            details.append(_format_named_value(key, value))
    if name == kind and details:
        name = ""
    return ": ".join(filter(None, (name, ", ".join(details))))


def format_state_value(value: Any) -> str:
    """Return a value of the state of a game as a reader sees it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        items = [(key, item) for key, item in value.items() if item not in EMPTY_VALUES]
        return ", ".join(_format_named_value(key, item) for key, item in items)
    if isinstance(value, (list, tuple)):
        is_flat = not any(isinstance(item, (dict, list)) for item in value)
        return (" " if is_flat else "; ").join(filter(None, map(format_state_value, value)))
    return "-" if value is None else str(value)


def _format_named_value(name: str, value: Any) -> str:
    """Return a value with its name in front, but only once: "player 1"."""
    text = format_state_value(value)
    return text if text.startswith(f"{name} ") else f"{name} {text}"


def _format_state(state: dict[str, Any], depth: int) -> list[str]:
    """Return the known state, one line for each thing, indented by depth."""
    lines = []
    for name, value in state.items():
        head = f"{INDENT * depth}{name}:"
        if isinstance(value, dict) and any(isinstance(v, (dict, list)) for v in value.values()):
            lines += [head, *_format_state(value, depth + 1)]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            if len(value) > MAX_ITEMS:
                lines.append(f"{head} {len(value)}, as in the box")
            else:
                items = [f"{INDENT * (depth + 1)}{format_state_value(item)}" for item in value]
                lines += [head, *items]
        else:
            lines.append(f"{head} {format_state_value(value) or 'none'}")
    return lines
