"""What holds at every step of Explorers of the Woodlands."""

from hardmode.sim.games.woodlands.names import BOSS_FOE, NOWHERE, SLOTS, TOKENS, CardPlace, Kind, Special

OPPOSITE = 2


def check(box, table, hidden):
    _heroes(box, table)
    _tokens(box, table, hidden)
    _cards(box, table, hidden)
    _forest(box, table, hidden)
    assert table.boss_shown == 0 or 1 <= table.threat <= max(table.boss_track, table.threat)
    assert 0 <= table.todo_n < 100, "the agenda runs over"
    _foes(table)
    if table.chapter == 5:
        lying = len({table.cell[p] for p in range(table.places) if table.corrupt[p]})
        assert table.supply + lying + table.corrupt_cells == box.c5_markers, "a corruption marker is lost or made"


def _heroes(box, table):
    for s in range(table.seats):
        assert 0 <= table.hp[s] <= box.max_hearts and 0 <= table.orbs[s] <= box.max_orbs
        assert table.poison[s] in (0, 1) and table.entangled[s] in (0, 1) and 0 <= table.powers[s] <= 2
        assert table.hp[s] > 0 or not (table.poison[s] or table.entangled[s]), "a fallen hero keeps a marker"
        assert 0 <= table.at[s] < table.places
    assert len({table.hero[s] for s in range(table.seats)}) == table.seats


def _tokens(box, table, hidden):
    slots = [m for m in range(TOKENS) if table.mon_at[m] != NOWHERE]
    lying = [hidden.mon_id[m] for m in slots] + [hidden.mon_stack[i] for i in range(table.mon_n)]
    lying += [i for i in range(box.token_n) if table.mon_out[i]]
    assert sorted(lying) == list(range(box.token_n)), "a monster token is lost or made"
    for m in slots:
        assert table.mon_type[m] in (-1, box.kind_of[hidden.mon_id[m]])


def _cards(box, table, hidden):
    held = [table.loot[s][i] - 1 for s in range(table.seats) for i in range(SLOTS) if table.loot[s][i]]
    assert len(set(held)) == len(held), "a card is held twice"
    deck = [hidden.loot[i] for i in range(table.loot_n)]
    assert not set(deck) & set(held) and len(set(deck)) == len(deck)
    assert all(table.loot_where[c] == CardPlace.HELD for c in held)
    assert all(table.loot_where[c] == CardPlace.DECK for c in deck)
    events = [hidden.event[i] for i in range(table.event_n)]
    assert sorted(events) == [i for i in range(box.events_n) if not table.event_gone[i]]


def _forest(box, table, hidden):
    stack = [hidden.stack[i] for i in range(table.stack_n)]
    laid = {table.tile_of[p] for p in range(table.places)}
    assert len(set(stack)) == len(stack) and not laid & set(stack), "a tile lies twice"
    assert [hidden.stack[i] for i in range(table.under_n)] == [table.under[i] for i in range(table.under_n)]
    for p in range(table.places):
        for d in range(4):
            q = table.link[p][d]
            assert q < 0 or table.link[q][d ^ OPPOSITE] == p, "a path leads one way only"
    reached, new = {0}, [0]
    while new:
        p = new.pop()
        for d in range(4):
            q = table.link[p][d]
            if q >= 0 and q not in reached:
                reached.add(q)
                if table.special[q] != Special.DEAD_END:
                    new.append(q)
    assert all(p in reached or table.far[p] for p in range(table.places)), "a tile cannot be reached from the first"


def _foes(table):
    """Nobody fights, meets or leaves what nobody has seen; but the watchers of chapter 1 wait face down."""
    kind = table.kind if table.asking else -1
    if kind in (Kind.PREPARE_COMBAT, Kind.CHANGE_ROLL, Kind.FROST):
        assert table.foe == BOSS_FOE or table.mon_type[table.foe] >= 0, "a face-down monster is fought"
    if kind in (Kind.FIGHT_OR_FLEE, Kind.ACT) and not table.in_lair and not (table.brew_fight and kind == Kind.ACT):
        place = table.at[table.active]
        for m in range(TOKENS):
            if table.mon_at[m] >= 0 and table.spot[table.mon_at[m]] == table.spot[place]:
                assert table.mon_type[m] >= 0, "a face-down monster stands with the active hero"
