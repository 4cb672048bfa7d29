"""Checks by traces in plain Python: that nothing is changed or revealed that must not be."""

from __future__ import annotations

from hardmode.sim.contract import TABLE_HEAD
from hardmode.sim.play.player import Player
from hardmode.sim.records import readable
from hardmode.studies.conformance.game_under_test import (
    GameUnderTest,
    add_context,
    play_test_games,
    require,
)
from hardmode.studies.conformance.trace import CheckedTrace

CHECK_INTERVAL = 7  # steps between thorough checks of a trace
REDEAL_STEPS = 40  # of a game in which some redeal must differ
STEPS_AFTER_REDEAL = 3


def check_contract(game_under_test: GameUnderTest) -> None:
    """Check a whole game of each variant step by step.

    Only `take` may change the state, `outcome` must write everything, and options and choices may
    depend only on what the seat can know. The game must end as it does in the kernel.
    """
    for number, variant in enumerate(game_under_test.variants):
        name = ("random", "steady")[number % 2]
        with add_context(variant, name, lambda: "set-up"):
            trace = CheckedTrace(game_under_test, variant.box, number)
        with add_context(variant, name, trace.describe_position):
            play_and_check(game_under_test, trace, game_under_test.make_player(name))
            shared = trace.find_shared_addresses()
            require(not shared, f"two draws share an address: {shared[:3]}")
            require(trace.is_box_unchanged(), "a rule or a strategy wrote to the box")
            engine = game_under_test.make_engine(variant, name)
            played = play_test_games(engine, 1, first=number)[:, 0].tolist()
            require(trace.compute_row() == played, "the trace ends differently from the game")


def play_and_check(game_under_test: GameUnderTest, trace: CheckedTrace, player: Player) -> None:
    """Play a trace to its end, with thorough checks every few steps."""
    strategies = game_under_test.strategies
    while trace.table.ending < 0 and trace.step < trace.game.max_decisions:
        codes = trace.list_options()
        choice = 0
        if len(codes) > 1:
            choice = trace.choose(player, len(codes))
            if trace.step % CHECK_INTERVAL == trace.number % CHECK_INTERVAL:
                strategy = strategies[trace.step % len(strategies)]
                check_hidden_unused(trace, codes, strategy)
                check_order_independence(trace, codes, choice, strategy)
                trace.list_options()
        trace.take_option(choice)


def check_hidden_unused(trace: CheckedTrace, codes: list[int], player: Player) -> None:
    """Check that a redeal changes neither options nor choice, and that the game can go on.

    Args:
        trace: The position.
        codes: Its options.
        player: The player to ask.
    """
    choice = trace.choose(player, len(codes))
    for key in (1, 2):
        other = trace.redeal(key * 7919 + trace.step)
        require(other.list_options() == codes, "the options reveal what the seat cannot know")
        same_choice = other.choose(player, len(codes)) == choice
        require(same_choice, f"{player.name} uses what it cannot know")
        check_playable(other)
    if trace.game.redeal_for:
        for view in range(-1, int(trace.table.seats)):
            check_playable(trace.redeal_for(view, trace.step))


def check_playable(trace: CheckedTrace) -> None:
    """Check that a game can go on for some steps."""
    for _ in range(STEPS_AFTER_REDEAL):
        if trace.table.ending >= 0:
            break
        trace.list_options()
        trace.take_option(0)


def check_order_independence(
    trace: CheckedTrace, codes: list[int], choice: int, player: Player
) -> None:
    """Check that a player recognizes options by their codes, not by their places in the list.

    A study of choices leaves some options out.

    Args:
        trace: The position.
        codes: Its options.
        choice: Index of the option that is taken.
        player: The player to ask.
    """
    n = len(codes)
    if n < 3:
        return
    for left_out in {0, n - 1, choice, trace.step % n}:
        trace.choose_among(player, [*codes[:left_out], *codes[left_out + 1 :]])
    trace.choose_among(player, codes[trace.step % 2 :: 2] if n > 3 else codes[1:])
    places = [trace.choose_among(player, [*codes[by:], *codes[:by]]) for by in range(3)]
    is_constant = len(set(places)) == 1 and places[0] not in (0, n - 1)
    require(
        not is_constant or trace.is_random_choice(player, n),
        f"{player.name} takes place {places[0]} of {n} options in whatever order they stand",
    )


def check_redeals(game_under_test: GameUnderTest) -> None:
    """Check that some redeal of a game with hidden state differs from the truth."""
    if not game_under_test.has_hidden_state:
        return
    variant = game_under_test.variants[-1]
    player = game_under_test.make_player("steady")
    differs = False
    with add_context(variant, "steady"):
        trace = CheckedTrace(game_under_test, variant.box, 0)
        for _ in range(REDEAL_STEPS):
            if trace.table.ending >= 0:
                break
            n = len(trace.list_options())
            for key in (1, 2, 3):
                differs |= trace.redeal(key).hiddens.tobytes() != trace.hiddens.tobytes()
            trace.list_options()
            trace.take_option(trace.choose(player, n) if n > 1 else 0)
    require(
        differs,
        "redeal() deals what is hidden as it was: what the seat cannot know must be drawn",
    )


def check_readable_records(game_under_test: GameUnderTest) -> None:
    """Check that readable records have the values of the records that are played."""
    variant = game_under_test.variants[0]
    with add_context(variant, "no player"):
        trace = CheckedTrace(game_under_test, variant.box, 0)
        for field, _ in TABLE_HEAD:
            played = getattr(trace.table, field)
            read = getattr(readable(trace.tables), field)
            require(
                read == played == trace.tables[field][0],
                f"table.{field} reads differently from the played record",
            )
