"""What a game declares, and whether it compiles."""

from __future__ import annotations

import numpy as np

from hardmode.scenarios.box import leaves
from hardmode.scenarios.load import files
from hardmode.sim.contract import validation
from hardmode.sim.files.paths import short_path
from hardmode.strategies import registry
from hardmode.studies.conformance.game_under_test import Subject, Wrong, must

LEVELS = ("beginner", "steady", "expert")


def what_is_declared_fits_together(subject: Subject) -> None:
    game = subject.game
    found = [f"{validation.where(game, field)}: {words}" for field, words in validation.problems(game)]
    if not game.title or not game.unit:
        found.append("the game has no title, or no unit in which its length is told")
    if game.row.itemsize != 8 * len(game.columns):
        found.append(
            f"the row holds {game.row.itemsize // 8} numbers for {len(game.columns)} columns"
        )
    found += [
        f"factor {m.name!r} does not name its values"
        for m in game.measures
        if m.factor and not m.labels
    ]
    missing = {"beginner", "steady"} - set(registry.names(subject.name))
    found += [f"there is no strategy {name!r}" for name in sorted(missing)]
    if found:
        raise Wrong(*found)
    game.tell()


def there_are_several_variants_to_test_in(subject: Subject) -> None:
    boxes = {v.box.tobytes() for v in subject.variants}
    must(
        len(boxes) >= 2,
        "the box knows only one way to play: it has neither numbers of players nor other choices",
    )


def the_rules_and_strategies_compile(subject: Subject) -> None:
    for player in subject.strategies:
        subject.engine(subject.variants[0], player)


def lacks(subject: Subject) -> list[str]:
    """What a game can do without, and its users would miss."""
    game, found = subject.game, []
    missing = [name for name in LEVELS if name not in registry.names(subject.name)]
    if missing:
        found.append(f"strategies {', '.join(missing)}")
    if f"{subject.name}/{game.standard}" not in files():
        found.append(
            f"the scenario {game.standard!r}, the game as most people play it (`standard` names another)"
        )
    if not game.labels:
        found.append(
            "labels of its options (`label` and `labels`): without them no choice can be studied"
        )
    unsure = [
        path
        for path, leaf in leaves(subject.name).items()
        if leaf.assumed and not leaf.range and not leaf.doubt and _is_number(leaf.value)
    ]
    if unsure:
        found.append(f"a range for what is assumed: {', '.join(unsure)}")
    if not any((folder / "invariants.py").is_file() for folder in subject.test_folders()):
        found.append(
            f"invariants.py in {short_path(subject.test_folders()[-1])}: what holds at every step"
        )
    return found


def _is_number(value: object) -> bool:
    return np.isscalar(value) and not isinstance(value, (bool, str))
