"""What holds at every step of Trapwords."""

from hardmode.sim.games.trapwords.names import MOST_ROOMS, MOST_TRAPS, Kind


def check(box, table, hidden):
    beside = [hidden.beside[p] for p in range(MOST_ROOMS)]
    piles = [hidden.pile, table.discard, *beside]
    at_work = table.drawn[0] | table.drawn[1] if table.ending < 0 else 0  # in nobody's pile until the round is over
    assert sum(bin(pile).count("1") for pile in piles) == bin(_all(piles)).count("1"), "a curse lies in two places"
    assert _all(piles) | at_work | table.drawn[0] | table.drawn[1] == box.curses, "a curse is lost"
    leader, last = max(table.position[0], table.position[1]), box.n_rooms - 1
    assert 0 <= min(table.position[0], table.position[1]) <= leader <= table.monster_at <= last
    for p in range(MOST_ROOMS):
        assert table.lie[p] == bin(beside[p]).count("1")
        assert table.shown[p] & ~beside[p] == 0
    if not (box.stay or box.clear_room_last or box.sticky):
        slots = [box.slots[p] for p in range(MOST_ROOMS)]
        assert max(table.lie[p] for p in range(MOST_ROOMS)) <= max(1, *slots), "two curses beside one room"
        start = max(table.stood[0], table.stood[1])
        assert not any(beside[p] for p in range(start)), "a curse behind the leader"
    assert beside[table.monster_at] == 0 or (box.stay and table.monster_at == 0)
    assert 1 <= table.round <= box.rounds and table.kind in (Kind.TRAPS, Kind.CLUES)
    for team in range(2):
        assert 0 < table.length[team] <= MOST_TRAPS
        assert sum(table.ends[cause, team] for cause in range(7)) in (table.round - 1, table.round)
        assert table.effect[team].guesses <= box.guesses and table.effect[team].success <= 1


def _all(piles):
    found = 0
    for pile in piles:
        found |= pile
    return found
