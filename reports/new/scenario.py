"""A scenario to begin with: the game as it is set up, and in comments what else may be said."""

from __future__ import annotations

from hardmode.reports.console.wording import span
from hardmode.reports.new.box import entered
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.scenarios.variant import load_labeled_game

HEAD = """\
# hardmode run FILE plays this, hardmode report FILE tells all about it. docs/scenarios.md has the whole format.
game: {game}
title: {title}
description: What is it that you want to know?
"""
MORE = """\
strategies: [steady]

# Any number of the box, by its path; +1 and x2 are relative. hardmode list {game} shows them all.
#rules:
#  {path}: {value}

# A box of one's own (hardmode new box {game}), a grid, and what hardmode check holds it to:
#box: mybox.yaml
#sweep: {{{path}: [{value}]}}
#expect: {{win_rate: 40% .. 55%}}
"""


def template(name: str) -> str:
    game, known = load_labeled_game(name), load_parameters(name)
    lines = [HEAD.format(game=name, title=entered(f"{game.title}, my way")).rstrip()]
    if PLAYERS_PATH in known:
        lines += [f"players: {known[PLAYERS_PATH].value}  # {span(known[PLAYERS_PATH])}".rstrip(" #")]
    chosen = [leaf for path, leaf in known.items() if path.startswith("setup.") and path != PLAYERS_PATH]
    lines += ["setup:"] if chosen else []
    for leaf in chosen:
        lines += [
            f"  {leaf.path.removeprefix('setup.')}: {entered(leaf.value, signs=False)}"
            + (f"  # {span(leaf)}" if 0 < len(span(leaf)) < 80 else "")
        ]
    rule = next(
        (leaf for path, leaf in known.items() if not path.startswith("setup.")),
        next(iter(known.values())),
    )
    return (
        "\n".join(lines)
        + "\n"
        + MORE.format(game=name, path=rule.path, value=entered(rule.value, signs=False))
    )
