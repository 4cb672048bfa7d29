"""What commands share: the scenario that is meant, its seed, and how an answer is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hardmode.reports.exit_codes import say


def meant(
    name: str,
    sets: list[str] | None = None,
    strategy: list[str] | None = None,
    players: int | None = None,
    slips: list[str] | None = None,
    box: Path | None = None,
) -> Any:
    """The scenario that is meant; what is unusual in it is said."""
    found = loaded(name, sets, strategy, players, slips, box)
    noted(found)
    return found


def loaded(
    name: str,
    sets: list[str] | None,
    strategy: list[str] | None,
    players: int | None,
    slips: list[str] | None,
    box: Path | None,
) -> Any:
    from hardmode.scenarios.load import load

    return load(
        name, sets or [], strategies=strategy or [], players=players, slips=slips or [], box=box
    )


def noted(*found: Any) -> None:
    """Say once what is unusual in scenarios, beside what is printed of them."""
    for warning in dict.fromkeys(note for one in found for note in one.notes):
        say(f"note: {warning}")


def seed_of(asked: int | None, found: Any) -> int:
    return next(s for s in (asked, found.seed, 1) if s is not None)


def one_cell(found: Any) -> Any:
    if len(found.cells) > 1:
        say(
            f"{found.name} is a grid of {len(found.cells)} cells over {', '.join(found.sweep)}; this tells its first, "
            f"{found.cells[0].label_text}; choose another with --set, --players, --strategy or --slips"
        )
    return found.cells[0]


def print_json(name: str, data: Any) -> None:
    """Print an answer, which says first of which form it is, and of which version of that."""
    from hardmode.reports.json.answers import finite, said

    print(json.dumps(said(name, finite(data)), ensure_ascii=False))
