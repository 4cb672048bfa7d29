"""Server for assistants that speak the Model Context Protocol (MCP): `hardmode-mcp`.

Each tool runs one command of hardmode in a process of its own, and returns the JSON that it prints.
The tools write no files. The package `mcp` is only imported when the server starts or a tool fails.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.exit_codes import WRONG_INPUT, print_message
from hardmode.sim.extras import explain_missing_extra

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

INSTRUCTIONS = """\
hardmode plays board games very often, and reports how hard they are and what makes them so.
Begin with `list`: it names the games and scenarios, and the numbers of a game that can be changed.
Rates are shares of 1. Only fields named `points` are percentage points. Give each figure together
with its interval and the number of games. A difference whose interval contains 0 is not shown.
The skill levels are random, beginner, casual (in most games), steady, trained and expert.
The first question about a game takes up to a minute longer, because its rules are compiled."""

Scenario = Annotated[str, Field(description="A shipped name such as GAME/standard, or a file.")]
Games = Annotated[int | None, Field(ge=1, description="The number of games of each cell.")]
Seconds = Annotated[float, Field(gt=0, description="How long to play at most, in seconds.")]
Changes = Annotated[
    list[str] | None, Field(description="Changed numbers, as in PATH=4, PATH=+1 or PATH=x1.5.")
]
Strategies = Annotated[
    list[str] | None, Field(description="Strategies or skill levels: one, or one for each seat.")
]
Players = Annotated[int | None, Field(ge=1, description="The number of players.")]
Seed = Annotated[int | None, Field(description="The seed of the random draws.")]


async def list_contents(
    what: Annotated[str, Field(description="A game or scenario; empty for all games.")] = "",
    find: Annotated[str, Field(description="Only numbers with these words in them.")] = "",
) -> str:
    """List games and scenarios, or the strategies and changeable numbers of one game."""
    return await run_command("list", what, find=find or None, json=True)


async def run_scenario(
    scenario: Scenario,
    games: Games = None,
    changes: Changes = None,
    strategies: Strategies = None,
    players: Players = None,
    seed: Seed = None,
) -> str:
    """Play a scenario: its win rate, how games end, and how long they take."""
    options = {"games": games, "set": changes, "strategy": strategies, "players": players}
    return await run_command("run", scenario, **options, seed=seed, json=True)


async def compare_variants(
    scenario: Scenario,
    changes: Changes = None,
    other_scenario: Annotated[str, Field(description="B, if it is another scenario.")] = "",
    games: Games = None,
    strategies: Strategies = None,
    players: Players = None,
) -> str:
    """Compare a scenario (A) with the changed one (B) by playing the same games under both."""
    options = {"games": games, "set_b": changes, "strategy": strategies, "players": players}
    return await run_command("compare", scenario, other_scenario, **options, json=True)


async def solve_for_target(
    scenario: Scenario,
    targets: Annotated[list[str], Field(description="As in win_rate=50% or rounds=10..14.")],
    by: Annotated[list[str], Field(description="Numbers to change: PATH or PATH=LOW..HIGH.")],
    seconds: Seconds = 30,
    strategies: Strategies = None,
) -> str:
    """Find the values of numbers of the box that reach targets, or show that none does."""
    options = {"target": targets, "by": by, "strategy": strategies, "seconds": seconds}
    return await run_command("solve", scenario, **options, json=True)


async def measure_sensitivity(
    scenario: Scenario,
    seconds: Seconds = 30,
    top: Annotated[int, Field(ge=1, description="How many entries of each list to return.")] = 15,
    strategies: Strategies = None,
) -> str:
    """Measure which numbers of the box matter, by moving each one plausible step."""
    options = {"seconds": seconds, "strategy": strategies}
    return shorten_lists(await run_command("sensitivity", scenario, **options, json=True), top)


async def replay_game(
    scenario: Scenario,
    game: Annotated[int, Field(ge=0, description="The number of the game.")] = 0,
    odds: Annotated[bool, Field(description="Also find the turning points.")] = False,
    seed: Seed = None,
) -> str:
    """Tell one game step by step, as text."""
    return await run_command("replay", scenario, game=game, odds=odds, seed=seed)


TOOLS: dict[str, Callable[..., Awaitable[str]]] = {
    "list": list_contents,
    "run": run_scenario,
    "compare": compare_variants,
    "solve": solve_for_target,
    "sensitivity": measure_sensitivity,
    "replay": replay_game,
}  # by the command that each of them runs


async def run_command(command: str, *arguments: str, **options: Any) -> str:
    """Return what a command prints; end its process if the request is cancelled.

    Args:
        command: The name of the command.
        arguments: Its arguments, without those that are empty. None is read as an option.
        options: The options, as for `format_options`.

    Raises:
        ToolError: If the input is wrong, with the message of the command.
    """
    words = [command, *format_options(**options), "--", *filter(None, arguments)]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "hardmode", *words),
        stdin=asyncio.subprocess.DEVNULL,  # the server's own stdin has the requests
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},  # no line of a story is broken
    )
    try:
        answer, messages = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    # The codes for "no" and "inconclusive" come with an answer.
    if process.returncode == WRONG_INPUT or not answer:
        from mcp.server.mcpserver.exceptions import ToolError

        raise ToolError(messages.decode().strip() or f"hardmode {command} gave no answer")
    return answer.decode()


def format_options(**options: Any) -> list[str]:
    """Return options as words of a command line: one for each value, none for None or False.

    Example:
        >>> format_options(set_b=["a=1", "b=2"], game=0, seed=None, odds=True)
        ['--set-b=a=1', '--set-b=b=2', '--game=0', '--odds']
    """
    words = []
    for name, given in options.items():
        flag = f"--{name.replace('_', '-')}"
        for value in given if isinstance(given, list) else [given]:
            if value is True:
                words.append(flag)
            elif value is not None and value is not False:
                words.append(f"{flag}={value}")
    return words


def shorten_lists(text: str, most: int) -> str:
    """Return a JSON object with its lists cut, and what was left out by their keys."""
    answer = json.loads(text)
    left_out = {}
    for key, value in answer.items():
        if isinstance(value, list) and len(value) > most:
            answer[key] = value[:most]
            left_out[key] = len(value) - most
    return json.dumps({**answer, "left_out": left_out}, ensure_ascii=False)


def create_server() -> MCPServer:
    """Return a server with all tools, which needs the package `mcp`."""
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("hardmode", instructions=INSTRUCTIONS)
    for name, tool in TOOLS.items():
        server.tool(name=name, structured_output=False)(tool)
    return server


def main() -> None:
    """Serve one assistant over stdin and stdout."""
    try:
        server = create_server()
    except ModuleNotFoundError:
        print_message(f"error: {explain_missing_extra('to serve assistants', 'mcp', 'mcp')}")
        sys.exit(WRONG_INPUT)
    server.run()
