"""Types of command line values, and commands that know the old names of options."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from hardmode.sim.files.text import (
    DIGITS_PATTERN,
    MAX_DIGITS,
    escape_control_chars,
    parse_number,
    shorten_value,
    to_one_line,
)
from hardmode.sim.files.yaml_io.errors import ScenarioError

MAX_GAMES = 10**12
MAX_INTEGER = 10**15
ROUNDING_ERROR = 1e-6  # relative: 1.1M is not exactly a whole number in floating point
FACTORS = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
MAX_MESSAGE_LENGTH = 400  # characters of a message about wrong usage
PATH_METAVARS = ("FILE", "FOLDER", "DIR")  # of options that name files
CHANGE_PATTERN = re.compile(r"[\w*.-]+(\[\d*\])?[-+x]?=")  # a change of a number, as for --set
ARGUMENTS_KEY = "hardmode.arguments"  # under which a context holds the words of the command line
UsageError: type[Exception] = typer.BadParameter.__bases__[0]

# Old names, which still work but are not shown in the help.
OLD_COMMANDS = {"doubts": "uncertainty", "warm": "precompile"}
OLD_OPTIONS = {
    "--as": "--fit",
    "--doubts": "--uncertainty",
    "--first": "--first-game",
    "--keep": "--players-dir",
    "--on": "--cluster",
    "--slips": "--mistakes",
    "--slips-b": "--mistakes-b",
    "--until": "--precision",
}


def parse_game_count(text: str) -> int:
    """Return a number of games, given as 2000, 50k or 1.5M.

    Raises:
        typer.BadParameter: It is no number of games.
    """
    factor = FACTORS.get(text[-1:].lower(), 1)
    games = (parse_number(text[:-1] if factor > 1 else text) or 0) * factor
    is_whole = abs(games - round(games)) <= ROUNDING_ERROR * games if games <= MAX_GAMES else False
    if not 1 <= games <= MAX_GAMES or not is_whole:
        limit = f"; the largest number is {MAX_GAMES:,}" if games > MAX_GAMES else ""
        raise typer.BadParameter(
            f"{shorten_value(text)} is not a number of games; write for example 2000, 50k or "
            f"1M{limit}"
        )
    return round(games)


def parse_precision(text: str) -> float:
    """Return a share of games below one half, given as 0.2% or 0.002.

    Raises:
        typer.BadParameter: It is no such share.
    """
    value = (parse_number(text.removesuffix("%")) or 0) / (100 if text.endswith("%") else 1)
    if not 0 < value < 0.5:
        raise typer.BadParameter(
            f"{shorten_value(text)} is not a precision; write for example 0.2%"
        )
    return value


def integer_between(low: int, high: int = MAX_INTEGER) -> Callable[[Any], int]:
    """Return a parser of whole numbers from `low` to `high`."""

    def parse_integer(text: Any) -> int:
        is_integer = re.fullmatch(rf"[-+]?{DIGITS_PATTERN}", str(text))
        if not is_integer or len(str(text)) > MAX_DIGITS or not low <= int(text) <= high:
            raise typer.BadParameter(
                f"{shorten_value(str(text))} is not a whole number from {low} to {high:,}"
            )
        return int(text)

    return parse_integer


def explain_odd_path(path: str) -> str:
    """Return why a path was probably not meant as one; "" if nothing speaks against it."""
    shown = shorten_value(path)
    if path.startswith("-"):
        return f"{shown} is an option and no file; to use this name, write ./{path}"
    if path.startswith("="):
        return f"{shown} begins with =; after a short option, write a blank instead"
    if path.startswith("~"):
        return f"the shell has not replaced ~ in {shown}; write the path after a blank"
    if CHANGE_PATTERN.match(path):
        return (
            f"{shown} looks like PATH=VALUE and not like a file; to use this name, write ./{path}"
        )
    return ""


def number_between(low: float, high: float) -> Callable[[Any], float]:
    """Return a parser of numbers from `low` to `high`."""

    def parse_decimal(text: Any) -> float:
        value = parse_number(str(text))
        if value is None or not low <= value <= high:
            raise typer.BadParameter(
                f"{shorten_value(str(text))} is not a number from {low:,.10g} to {high:,.10g}"
            )
        return value

    return parse_decimal


def _hide_python_types(command: Any, context: Any) -> None:
    """Let the help of a command show what a value is (`--games N`), without Python's types."""
    for parameter in command.get_params(context):
        metavar = parameter.metavar if parameter.param_type_name == "option" else None
        vars(parameter)["display_type_rich"] = lambda ctx, metavar=metavar: metavar


def join_help_lines(text: str) -> str:
    """Return a docstring with each paragraph in one line; examples keep their lines."""
    paragraphs = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        is_example = paragraph.startswith("Example")
        paragraphs.append(paragraph if is_example else paragraph.replace("\n", " "))
    return "\n\n".join(paragraphs)


class HelpfulCommand(TyperCommand):
    """Command with plain help, which also accepts the old names of its options.

    If scenarios are named together with `--help`, the help says what they sweep.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, with old option names replaced."""
        ctx.meta[ARGUMENTS_KEY] = list(args)
        left = super().parse_args(ctx, self._replace_old_options(args))
        self._refuse_odd_paths(ctx)
        return left

    def _refuse_odd_paths(self, ctx: Any) -> None:
        """Refuse a new file whose name was probably meant to be something else."""
        parameter: Any
        for parameter in self.params:
            path = ctx.params.get(parameter.name)
            if parameter.metavar not in PATH_METAVARS or not isinstance(path, (str, Path)):
                continue
            problem = explain_odd_path(str(path))
            is_explicit = any(word.endswith(f"./{path}") for word in ctx.meta[ARGUMENTS_KEY])
            if problem and not is_explicit and not os.path.lexists(path):
                raise typer.BadParameter(problem, ctx=ctx, param=parameter)

    def _replace_old_options(self, arguments: list[str]) -> list[str]:
        """Return the arguments with new names for old options that the command itself lacks."""
        known = {name for parameter in self.params for name in parameter.opts}
        replaced: list[str] = []
        for i, argument in enumerate(arguments):
            if argument == "--":
                return [*replaced, *arguments[i:]]
            old, equals, value = argument.partition("=")
            new = OLD_OPTIONS.get(old, "")
            is_old = new in known and old not in known
            replaced.append(f"{new}{equals}{value}" if is_old else argument)
        return replaced

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, and what each named scenario sweeps."""
        _hide_python_types(self, ctx)
        super().format_help(ctx, formatter)
        for name in dict.fromkeys(ctx.meta.get(ARGUMENTS_KEY, ())):
            if "/" in name or name.endswith((".yaml", ".yml")):
                _show_swept(name)


def _show_swept(name: str) -> None:
    """Print what a scenario sweeps, or nothing if it is no scenario."""
    from hardmode.reports.console import list_games

    with suppress(ScenarioError):
        list_games.print_sweep(name)


class CommandGroup(TyperGroup):
    """Group of commands, some of which have old names.

    Messages about wrong usage are short and hold no control characters.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a name, which may be an old one."""
        return super().get_command(ctx, OLD_COMMANDS.get(cmd_name, cmd_name))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help without Python's types."""
        _hide_python_types(self, ctx)
        super().format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Invoke the command; shorten messages about wrong usage."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            message = vars(error)["message"]
            if message != escape_control_chars(message) or len(message) > MAX_MESSAGE_LENGTH:
                vars(error)["message"] = to_one_line(message, MAX_MESSAGE_LENGTH)
            raise
