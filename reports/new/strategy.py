"""A strategy to begin with; and how the templates are filled."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from hardmode.scenarios.variant import load_labeled_game

TEMPLATES = Path(__file__).parent / "templates"
INDENT = " " * 22


def filled(template: str, **words: str) -> str:
    """A template with its words in capitals replaced."""
    text = (TEMPLATES / f"{template}.txt").read_text("utf-8")
    return re.sub(rf"\b({'|'.join(words)})\b", lambda found: words[found[1]], text)


def strategy(name: str) -> str:
    game = load_labeled_game(name)
    kinds = "\n".join(f"{INDENT}{i} {kind}" for i, kind in enumerate(game.kinds))
    return filled(
        "strategy",
        NAME=name,
        TITLE=game.title,
        KINDS=kinds or f"{INDENT}there is one",
        TABLE=_fields(game.table),
        OWN=_fields(game.own),
        BOX=_fields(game.box),
    )


def _fields(record: np.dtype) -> str:
    return _wrapped(
        f"{name}[{', '.join(map(str, record[name].shape))}]" if record[name].shape else name
        for name in record.names or ()
    )


def _wrapped(words: Iterable[str]) -> str:
    return textwrap.fill(
        " ".join(words),
        118,
        initial_indent=INDENT,
        subsequent_indent=INDENT,
        break_long_words=False,
    )
