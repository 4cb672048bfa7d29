"""New scenario: the game with its usual set-up, and comments on further keys."""

from __future__ import annotations

from hardmode.reports.console.wording import format_allowed_values
from hardmode.reports.new.box import format_entry
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.scenarios.parameter import SETUP, Parameter
from hardmode.scenarios.variant import load_labeled_game

HEAD = """\
# Run this scenario with `hardmode run FILE`; `hardmode report FILE` writes a full report.
# docs/scenarios.md describes the format.
game: {game}
title: {title}
description: Write here what you want to find out.
"""
MORE = """\
strategies: [steady]

# Any number of the box can be changed by its path; +1 and x2 are relative to its value.
# `hardmode list {game}` shows all numbers.
#rules:
#  {path}: {value}

# Your own box (see `hardmode new box {game}`), a grid of values, and expectations for
# `hardmode check`:
#box: mybox.yaml
#sweep: {{{path}: [{value}]}}
#expect: {{win_rate: 40% .. 55%}}
"""
MAX_COMMENT_CHARS = 80


def make_scenario_template(name: str) -> str:
    """Return the text of a first scenario of a game."""
    game = load_labeled_game(name)
    parameters = load_parameters(name)
    title = format_entry(f"{game.title}, my way")
    text = HEAD.format(game=name, title=title)
    if PLAYERS_PATH in parameters:
        text += _format_choice("players", parameters[PLAYERS_PATH], "")
    settings = [path for path in parameters if path.startswith(SETUP) and path != PLAYERS_PATH]
    if settings:
        text += "setup:\n"
    for path in settings:
        text += _format_choice(path.removeprefix(SETUP), parameters[path], "  ")
    example = _choose_example(parameters)
    value = format_entry(example.value, allow_sign=False)
    return text + MORE.format(game=name, path=example.path, value=value)


def _format_choice(name: str, parameter: Parameter, indent: str) -> str:
    """Return a line with the value of a parameter and, if they are short, its alternatives."""
    line = f"{indent}{name}: {format_entry(parameter.value, allow_sign=False)}"
    allowed = format_allowed_values(parameter)
    if 0 < len(allowed) < MAX_COMMENT_CHARS:
        line += f"  # {allowed}"
    return f"{line}\n"


def _choose_example(parameters: dict[str, Parameter]) -> Parameter:
    """Return the first parameter that is no choice at set-up, if there is one."""
    for path, parameter in parameters.items():
        if not path.startswith(SETUP):
            return parameter
    return next(iter(parameters.values()))
