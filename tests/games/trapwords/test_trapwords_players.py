"""Who plays Trapwords best: the trained player, `cunning`, on whom nothing in between gains, and the expert."""

from dataclasses import replace

import pytest
from playing import engine, play

from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import WINNERS
from hardmode.sim.games.trapwords.names import Giver, Trapper
from hardmode.sim.play.player import Player
from hardmode.strategies import registry
from hardmode.strategies.trapwords import weighed as ways

CLEVER = (float(Giver.TERSE), float(Trapper.PERSONAL_ANTICIPATE))


def share(one: Player | str, other: str, games: int) -> float:
    """The share of all wins, over both seats on the same luck."""
    cell, won = load_scenario("trapwords/standard").cells[0], [0, 0]
    for seat in range(2):
        rows = play(engine("trapwords", cell.box, *((one, other) if seat == 0 else (other, one))), games, seed=6)
        won[0] += int((rows[WINNERS] >> seat & 1).sum())
        won[1] += int((rows[WINNERS] >> (1 - seat) & 1).sum())
    return won[0] / sum(won)


def test_the_trained_team_beats_a_steady_one_and_is_not_beaten_by_a_cunning_one():
    assert share("trained", "steady", 20_000) > 0.59
    assert share("trained", "cunning", 20_000) > 0.495


def other_ways():
    """Every other giver and trapper for good, and every weight that could speak for another way in some situation."""
    fixed, given = registry.create_player("trapwords", "fixed"), registry.create_player("trapwords", "weighed")
    for giver in Giver:
        yield f"always {giver.label}", replace(fixed, weights=(float(giver), CLEVER[1]))
    for trapper in Trapper:
        yield f"always {trapper.label}", replace(fixed, weights=(CLEVER[0], float(trapper)))
    for i, name in enumerate(ways.NAMES):
        for much in (-20.0, 20.0):
            weights = list(given.weights)
            weights[i] += much
            yield f"{name} {much:+g}", replace(given, weights=tuple(weights))


@pytest.mark.soak
def test_no_other_way_gains_on_a_cunning_team():
    """In 100,000 games from each seat a share errs by a tenth of a point; of some 90 the best may seem three of these
    errors better."""
    found = {name: share(who, "cunning", 100_000) for name, who in other_ways()}
    best = max(found, key=found.__getitem__)
    assert found[best] < 0.5035, (best, found[best])


@pytest.mark.soak
def test_the_expert_wins_more_than_the_trained_player_against_a_steady_one():
    box = load_scenario("trapwords/standard").cells[0].box
    won = [play(engine("trapwords", box, player, "steady"), 1_000_000, seed=8)[WINNERS] & 1
           for player in ("trained", "expert")]
    change = won[1] - won[0]
    assert change.mean() > 3 * change.std() / len(change) ** 0.5, change.mean()
