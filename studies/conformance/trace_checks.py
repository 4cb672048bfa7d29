"""Games walked through step by step, and whether anything is moved or seen that may not be."""

from __future__ import annotations

from hardmode.sim.contract import TABLE_HEAD
from hardmode.sim.play.engine import Player
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import Subject, during, must, rows
from hardmode.studies.conformance.trace import Walk


def at_every_step_the_contract_holds(subject: Subject) -> None:
    """Nothing is moved but by take(), all is written by outcome(), and what is shown is what the seat may know."""
    for number, v in enumerate(subject.variants):
        who = ("random", "steady")[number % 2]
        with during(v, who, lambda: "set-up"):
            walk = Walk(subject, v.box, number)
        with during(v, who, walk.where):
            through(subject, walk, subject.player(who))
            must(not walk.shared(), f"two draws share an address: {walk.shared()[:3]}")
            must(walk.box_is_whole(), "somebody wrote to the box")
            played = rows(subject.engine(v, who), 1, first=number)[:, 0].tolist()
            must(walk.row() == played, "the walk ends otherwise than the game")


def through(subject: Subject, walk: Walk, player: Player, steps: int = 0) -> None:
    """Some steps of a game, or all of it."""
    others = subject.strategies
    while walk.table.ending < 0 and walk.step < (steps or walk.game.max_decisions):
        codes = walk.offered()
        i = 0
        if len(codes) > 1:
            i = walk.choice(player, len(codes))
            if walk.step % 7 == walk.number % 7:
                blind(walk, codes, others[walk.step % len(others)])
                by_what_they_are(walk, codes, i, others[walk.step % len(others)])
                walk.offered()
        walk.take(i)


def blind(walk: Walk, codes: list[int], player: Player) -> None:
    """The seat sees the same options and chooses alike, however the rest was dealt; and the game can go on."""
    chosen = walk.choice(player, len(codes))
    for key in (1, 2):
        other = walk.redealt(key * 7919 + walk.step)
        must(other.offered() == codes, "the options tell what the seat cannot know")
        must(other.choice(player, len(codes)) == chosen, f"{player.name} sees what it may not")
        goes_on(other)
    if walk.game.redeal_for:
        for view in range(-1, int(walk.table.seats)):
            goes_on(walk.seen_from(view, walk.step))


def goes_on(walk: Walk) -> None:
    for _ in range(3):
        if walk.table.ending >= 0:
            break
        walk.offered()
        walk.take(0)


def by_what_they_are(walk: Walk, codes: list[int], taken: int, player: Player) -> None:
    """Options are known by what they are, not by where they stand: a study of choices leaves some out."""
    if len(codes) < 3:
        return
    for left_out in {0, len(codes) - 1, taken, walk.step % len(codes)}:
        walk.of_these(player, [*codes[:left_out], *codes[left_out + 1 :]])
    walk.of_these(player, codes[walk.step % 2 :: 2] if len(codes) > 3 else codes[1:])
    turned = [walk.of_these(player, [*codes[by:], *codes[:by]]) for by in range(3)]
    must(
        len(set(turned)) > 1 or turned[0] in (0, len(codes) - 1) or walk.whims(player, len(codes)),
        f"{player.name} takes place {turned[0]} of {len(codes)} options in whatever order they stand",
    )


def redeals_differ_where_something_is_hidden(subject: Subject) -> None:
    """Of a game that hides anything, some redeal is not the truth."""
    game, v = subject.game, subject.variants[-1]
    if game.hidden.names == ("own",) and game.own.names == ("nothing",):
        return
    player = subject.player("steady")
    seen: set[bool] = set()
    with during(v, "steady"):
        walk = Walk(subject, v.box, 0)
        for _ in range(40):
            if walk.table.ending >= 0:
                break
            n = len(walk.offered())
            seen |= {
                walk.redealt(key).hiddens.tobytes() != walk.hiddens.tobytes() for key in (1, 2, 3)
            }
            walk.offered()
            walk.take(walk.choice(player, n) if n > 1 else 0)
    must(
        True in seen,
        "redeal() deals what is hidden as it was: what the seat cannot know must be left to chance",
    )


def readable_records_are_those_that_are_played(subject: Subject) -> None:
    v = subject.variants[0]
    with during(v, "nobody"):
        walk = Walk(subject, v.box, 0)
        for field, _ in TABLE_HEAD:
            must(
                getattr(readable(walk.tables), field)
                == getattr(walk.table, field)
                == walk.tables[field][0],
                f"table.{field} reads otherwise than it is played",
            )
