"""What the command line takes for a number, and how it says what it does not take."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from hardmode.sim.files.text import DIGITS, MOST_DIGITS, brief, number, one_line, visible
from hardmode.sim.files.yaml_io.errors import ScenarioError

MOST_GAMES = 10**12
USAGE: type[Exception] = typer.BadParameter.__bases__[0]  # any mistake in a command line
LONG = 400  # of what is wrong with a command line
ASKED = "hardmode.asked"  # the words of the command line


def count(text: str) -> int:
    """A number of games: 2000, 50k, 1.5M."""
    scale = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(text[-1:].lower(), 1)
    games = (number(text[:-1] if scale > 1 else text) or 0) * scale
    if (
        not 1 <= games <= MOST_GAMES or abs(games - round(games)) > 1e-6 * games
    ):  # 1.1M is not whole in floats
        most = f"; {MOST_GAMES:,} are the most" if games > MOST_GAMES else ""
        raise typer.BadParameter(
            f"{brief(text)} is not a number of games; write for example 2000, 50k or 1M{most}"
        )
    return round(games)


def share(text: str) -> float:
    """A precision in points of win rate: 0.2%, or 0.002."""
    value = (number(text.removesuffix("%")) or 0) / (100 if text.endswith("%") else 1)
    if not 0 < value < 0.5:
        raise typer.BadParameter(f"{brief(text)} is not a precision; write for example 0.2%")
    return value


def whole(low: int, high: int = 10**15) -> Callable[[Any], int]:
    """A whole number between two."""

    def parse(text: Any) -> int:
        short = len(str(text)) <= MOST_DIGITS and re.fullmatch(rf"[-+]?{DIGITS}", str(text))
        if not short or not low <= int(text) <= high:
            raise typer.BadParameter(
                f"{brief(str(text))} is not a whole number from {low} to {high:,}"
            )
        return int(text)

    return parse


def real(low: float, high: float) -> Callable[[Any], float]:
    """A number between two."""

    def parse(text: Any) -> float:
        value = number(str(text))
        if value is None or not low <= value <= high:
            raise typer.BadParameter(f"{brief(str(text))} is not a number from {low:g} to {high:g}")
        return value

    return parse


def _plain_types(command: Any, ctx: Any) -> None:
    """Have the help of a command say what a value is (`--games N`), and nothing of the types of Python."""
    for one in command.get_params(ctx):
        shown = one.metavar if one.param_type_name == "option" else None
        vars(one)["display_type_rich"] = lambda ctx, shown=shown: shown


class Command(TyperCommand):
    """A command with plain help; where scenarios are named beside --help, it names what they sweep."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[ASKED] = list(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _plain_types(self, ctx)
        super().format_help(ctx, formatter)
        for name in dict.fromkeys(ctx.meta.get(ASKED, ())):
            if "/" in name or name.endswith((".yaml", ".yml")):
                _show_swept(name)


def _show_swept(name: str) -> None:
    """What a scenario sweeps; nothing of what is no scenario."""
    from hardmode.reports.console import list_games

    with suppress(ScenarioError):
        list_games.show_swept(name)


class Commands(TyperGroup):
    """Says what is wrong with a command line without repeating pages or control codes of it."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _plain_types(self, ctx)
        super().format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except USAGE as why:
            said = vars(why)["message"]
            if said != visible(said) or len(said) > LONG:
                vars(why)["message"] = one_line(said, LONG)
            raise
