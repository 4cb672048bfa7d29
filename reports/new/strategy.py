"""New strategy for a game, and the filling of templates."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import numpy as np

from hardmode.scenarios.variant import load_labeled_game

TEMPLATES = Path(__file__).parent / "templates"
INDENT = " " * 22
WIDTH = 98  # of lines in the docstring of the strategy


def fill_template(template: str, **values: str) -> str:
    """Return a template with its words in capitals replaced.

    Args:
        template: Name of the template.
        **values: Replacements by word.
    """
    text = (TEMPLATES / f"{template}.txt").read_text("utf-8")
    return re.sub(rf"\b({'|'.join(values)})\b", lambda match: values[match[1]], text)


def make_strategy_template(name: str) -> str:
    """Return the source of a first strategy for a game."""
    game = load_labeled_game(name)
    kinds = [f"{INDENT}{i} {kind}" for i, kind in enumerate(game.kinds)]
    return fill_template(
        "strategy",
        NAME=name,
        TITLE=game.title,
        KINDS="\n".join(kinds) or f"{INDENT}there is only one",
        TABLE=_list_fields(game.table),
        OWN=_list_fields(game.own),
        BOX=_list_fields(game.box),
    )


def _list_fields(record: np.dtype) -> str:
    """Return the fields of a record with their shapes, as indented lines."""
    fields = []
    for name in record.names or ():
        shape = ", ".join(map(str, record[name].shape))
        fields.append(f"{name}[{shape}]" if shape else name)
    return textwrap.fill(
        " ".join(fields),
        WIDTH,
        initial_indent=INDENT,
        subsequent_indent=INDENT,
        break_long_words=False,
    )
